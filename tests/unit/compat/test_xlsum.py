"""The scores of XL-Sum's multilingual fork, as it gave them for pairs in ten languages."""

# ruff: noqa: RUF001

import json
import random
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from rouge_cli.compat.rouge_scorer import RougeScorer
from rouge_cli.compat.tokenizers import XlsumTokenizer
from rouge_cli.errors import OptionError, RougeWarning

FIXTURES = Path(__file__).parents[3] / "fixtures/languages"
WHOLE_TEXTS, SENTENCES = (
    [json.loads(line) for line in (FIXTURES / name).read_text("utf-8").splitlines()]
    for name in ("xlsum.jsonl", "xlsum-lsum.jsonl")
)
PACKAGES = {"chinese": "jieba", "japanese": "fugashi", "thai": "pythainlp"}
LANGUAGES = sorted({pair["language"] for pair in WHOLE_TEXTS})


def test_there_are_ten_languages() -> None:
    assert (len(LANGUAGES), len(WHOLE_TEXTS), len(SENTENCES)) == (10, 200, 100)
    assert {pair["language"] for pair in SENTENCES} == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("stored", [WHOLE_TEXTS, SENTENCES], ids=["whole", "sentences"])
def test_stored_scores(language: str, stored: list[Any]) -> None:
    if language in PACKAGES:
        pytest.importorskip(PACKAGES[language], reason=f"{PACKAGES[language]} is not installed")
    pairs = [pair for pair in stored if pair["language"] == language]
    scorer = RougeScorer(list(pairs[0]["scores"]), like="xlsum", lang=language)
    batch = scorer.score_batch(
        [pair["reference"] for pair in pairs], [pair["prediction"] for pair in pairs]
    )
    for pair, in_batch in zip(pairs, batch, strict=True):
        for found in (scorer.score(pair["reference"], pair["prediction"]), in_batch):
            for name, expected in pair["scores"].items():
                assert list(found[name]) == pytest.approx(expected, rel=0, abs=1e-12)


def test_no_word_of_the_dictionary() -> None:
    pytest.importorskip("jieba", reason="jieba is not installed")
    assert XlsumTokenizer("chinese").tokenize("。") == []


def test_against_the_tokenizer_of_opennmt() -> None:
    # Not a dependency: the rules are written anew, and held against it where it is installed.
    pyonmttok = pytest.importorskip("pyonmttok", reason="pyonmttok is not installed")
    aggressive = pyonmttok.Tokenizer("aggressive")
    draw = random.Random(7)
    everything = [chr(code) for code in [*range(0x20, 0x3041), *range(0xAC00, 0xAC40)]]
    ideograph_or_odd = "\u2581％＃：｟｠￨￭"
    letters = [
        one
        for one in everything
        if unicodedata.category(one)[0] != "C" and one not in ideograph_or_odd
        if not unicodedata.name(one, "").startswith("CJK")
    ]
    for _ in range(4000):
        text = "".join(draw.choice("ab1 ." if draw.random() < 0.4 else letters) for _ in range(8))
        found = aggressive(text.lower())
        pieces = [piece for token in found for piece in split_at_punctuation(token)]
        assert XlsumTokenizer(None).tokenize(text) == pieces


def split_at_punctuation(token: str) -> list[str]:
    pieces = [""]
    for one in token:
        is_ascii_sign = one.isascii() and not one.isalnum()
        if is_ascii_sign or unicodedata.category(one)[0] == "P":
            pieces.append("")
        else:
            pieces[-1] += one
    return [piece for piece in pieces if piece]


def test_a_dictionary_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jieba", None)
    with pytest.raises(OptionError, match=r"lang='chinese' needs the package jieba, which is not"):
        RougeScorer(["rouge1"], like="xlsum", lang="chinese")


def test_a_function_as_tokenizer() -> None:
    for like in ("1.5.5", "google"):
        scorer = RougeScorer(["rouge1", "rougeLsum"], tokenizer=str.split, like=like)
        found = scorer.score("Größe zählt\nnicht", "Größe zählt")
        assert found["rouge1"].recall == pytest.approx(2 / 3, abs=1e-5)
        assert found["rougeLsum"].precision == 1.0


def test_a_misspelt_language_is_warned_of() -> None:
    with pytest.warns(
        RougeWarning, match=r"'germn' is not a known language; .*'german'\?"
    ) as warned:
        RougeScorer(["rouge1"], like="xlsum", lang="germn")
    assert warned[0].filename == __file__
