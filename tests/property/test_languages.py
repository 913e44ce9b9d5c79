"""Every language is counted as ROUGE-1.5.5 counts: its tokens may be replaced by words in ASCII.

The tokens are found here by their definition, the default engine scores the words, and what both
print is the same to the byte.
"""

# ruff: noqa: RUF001

import json
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest
import regex

import rouge_cli

SENTENCES: dict[str, list[str]] = json.loads(
    (Path(__file__).parents[2] / "fixtures/languages/sentences.json").read_text("utf-8")
)
METRICS: dict[str, Any] = {
    "max_ngram": 4,
    "weight": "1.2",
    "max_gap": 4,
    "skip_and_unigram": True,
    "resamples": 100,
    "per_eval": True,
}
WITHOUT_BLANKS = {"zh", "ja", "th"}
N_TEXTS = 200
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def drawn(language: str) -> tuple[list[str], list[list[str]]]:
    """Return 200 peers and their models, each of one to four sentences, some of them shortened."""
    random, sentences = Random(language), SENTENCES[language]

    def text() -> str:
        chosen = random.sample(sentences, random.randint(1, 4))
        return "\n".join(one[: random.choice([None, len(one) // 2])] for one in chosen)

    return [text() for _ in range(N_TEXTS)], [[text(), text()] for _ in range(N_TEXTS)]


def tokens_of(sentence: str, language: str) -> list[str]:
    if language == "tr":
        sentence = sentence.replace("İ", "i").replace("I", "ı")
    found = regex.findall(r"[\p{L}\p{M}\p{N}]+", sentence.lower())
    if language not in WITHOUT_BLANKS:
        return list(found)
    # Letters of Latin and digits stay together; all else is a character and its marks.
    pattern = r"[a-z0-9]+|\p{Nd}+|[\p{L}\p{N}]\p{M}*"
    return [part for token in found for part in regex.findall(pattern, token)]


class AsciiWords(dict[str, str]):
    """A word in ASCII for each token, made when it is first asked for."""

    def __missing__(self, token: str) -> str:
        number, word = len(self), "q"
        while number:
            number, digit = divmod(number, len(LETTERS))
            word += LETTERS[digit]
        self[token] = word + "q"
        return self[token]


def in_ascii(text: str, language: str, words: AsciiWords) -> str:
    sentences = (tokens_of(sentence, language) for sentence in text.split("\n"))
    return "\n".join(" ".join(map(words.__getitem__, tokens)) for tokens in sentences)


@pytest.mark.parametrize("language", sorted(SENTENCES))
def test_counted_as_the_original_does(language: str) -> None:
    peers, models = drawn(language)
    found = rouge_cli.evaluate(peers, models, language=language, **METRICS)
    words = AsciiWords()
    expected = rouge_cli.evaluate(
        [in_ascii(peer, language, words) for peer in peers],
        [[in_ascii(model, language, words) for model in each] for each in models],
        **METRICS,
    )
    assert found.to_classic() == expected.to_classic()
    assert len(words) > 50
    assert found["ROUGE-2"].recall.mean > 0


@pytest.mark.parametrize("language", sorted(SENTENCES))
def test_composed_or_not(language: str) -> None:
    peers, models = drawn(language)

    def decomposed(texts: Iterable[str]) -> list[str]:
        return [unicodedata.normalize("NFD", text) for text in texts]

    for limit in ({}, {"words": 5}, {"bytes": 31}):
        options: dict[str, Any] = {**METRICS, **limit, "language": language}
        found = rouge_cli.evaluate(peers, models, **options)
        same = rouge_cli.evaluate(decomposed(peers), list(map(decomposed, models)), **options)
        assert found.to_classic() == same.to_classic()
