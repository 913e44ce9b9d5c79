"""The words of XL-Sum's multilingual fork; tests of protocols have its scores."""

# ruff: noqa: RUF001

import random
import sys
import unicodedata

import pytest

from rouge_cli.compat.rouge_scorer import RougeScorer
from rouge_cli.compat.tokenizers import XlsumTokenizer
from rouge_cli.errors import OptionError, RougeWarning


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
