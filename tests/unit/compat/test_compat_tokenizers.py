"""Google's tokens and stems, by its documented rules."""

import doctest
import subprocess
import sys

import pytest

from rouge_cli.compat import rouge_scorer, scoring, tokenizers
from rouge_cli.compat.tokenizers import DefaultTokenizer
from rouge_cli.core import compiled_core


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The 40-metre ferry, OK?", ["the", "40", "metre", "ferry", "ok"]),
        ("caf\u00e9s na\u00efve", ["caf", "s", "na", "ve"]),
        # In lower case the one is a k, and the other an i with a dot of its own.
        ("\u212aa \u0130b", ["ka", "i", "b"]),
        # Digits of other scripts are none.
        ("1\u0662\u00b2 \U0001d7d9", ["1"]),
        ("_a_\n\u2028b", ["a", "b"]),
        ("\ud800", []),
        ("", []),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert DefaultTokenizer().tokenize(text) == expected


def test_only_long_tokens_are_stemmed() -> None:
    with pytest.raises(TypeError, match="text: found bytes, expected a string"):
        DefaultTokenizer().tokenize(b"no string")  # type: ignore[arg-type]
    tokenizer = DefaultTokenizer(use_stemmer=True)
    assert tokenizer.tokenize("was its sing walks children statement 1990s") == [
        "was",
        "its",
        "sing",
        "walk",
        "children",
        "statement",
        "1990",
    ]


def test_examples() -> None:
    for module in (rouge_scorer, scoring, tokenizers):
        found = doctest.testmod(module)
        assert found.attempted > 0
        assert found.failed == 0


@pytest.mark.usefixtures("core")
def test_nltk_is_loaded_for_its_stems_only() -> None:
    program = """
import sys
from rouge_cli.compat import rouge_scorer
rouge_scorer.RougeScorer(["rouge1"], use_stemmer=True, like="1.5.5").score("running", "runs")
rouge_scorer.RougeScorer(["rouge1"], like="google").score("running", "runs")
print("nltk" in sys.modules)
rouge_scorer.RougeScorer(["rouge1"], use_stemmer=True, like="google").score("running", "runs")
print("nltk" in sys.modules)
"""
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    # The core has its stems.
    is_compiled = compiled_core() is not None
    assert printed.stdout.decode().split() == ["False", str(not is_compiled)]
