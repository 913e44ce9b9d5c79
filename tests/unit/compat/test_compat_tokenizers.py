"""Google's tokens and stems, by its documented rules."""

import doctest
import subprocess
import sys

import pytest

from rouge_cli.compat import rouge_scorer, scoring, tokenizers
from rouge_cli.core import compiled_core


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
