"""Length rule, exception table and Porter's stemmer together.

Source: section 4 of the specification, and the original's stems in fixtures/golden/stems.tsv.
"""

import pickle
from pathlib import Path

import pytest

from rouge_cli.text.stemmer import Stemmer, Stems
from rouge_cli.text.word_lists import load_exceptions


@pytest.fixture(scope="module")
def stemmer() -> Stemmer:
    return Stemmer(Stems(load_exceptions()))


def read_golden(fixtures: Path) -> tuple[list[bytes], list[bytes]]:
    """Tokens and stems of the golden file."""
    lines = (fixtures / "golden" / "stems.tsv").read_bytes().splitlines()
    pairs = [line.split(b"\t") for line in lines]
    return [token for token, _ in pairs], [stem for _, stem in pairs]


def test_golden_stems(fixtures: Path, stemmer: Stemmer) -> None:
    tokens, stems = read_golden(fixtures)
    assert len(tokens) == 15_000
    wrong = [
        (token, found, stem)
        for token, found, stem in zip(tokens, map(stemmer.stem, tokens), stems, strict=True)
        if found != stem
    ]
    assert wrong == []


def test_golden_stems_all_at_once(fixtures: Path) -> None:
    tokens, stems = read_golden(fixtures)
    assert Stems(load_exceptions()).of(tokens) == stems


def test_equal_stems_and_only_these_have_equal_numbers(fixtures: Path, stemmer: Stemmer) -> None:
    tokens, stems = read_golden(fixtures)
    numbers = stemmer.number_stems(tokens)
    assert stemmer.number_tokens(stems) == numbers
    assert len(set(numbers)) == len(set(stems)) <= stemmer.n_numbers


@pytest.mark.parametrize(
    ("token", "stem"),
    [
        pytest.param(b"was", b"was", id="three-bytes-stay"),
        pytest.param(b"its", b"its", id="three-bytes-stay-plural"),
        pytest.param(b"geese", b"goose", id="noun"),
        pytest.param(b"went", b"go", id="verb"),
        pytest.param(b"abhorring", b"abhor", id="verb-participle"),
        pytest.param(b"airier", b"airy", id="value-is-not-stemmed"),
        pytest.param(b"accidental", b"accid", id="porter"),
    ],
)
def test_order_of_the_rules(stemmer: Stemmer, token: bytes, stem: bytes) -> None:
    assert stemmer.stem(token) == stem


def test_exceptions_are_the_callers() -> None:
    stemmer = Stemmer(Stems({b"cats": b"dog", b"cat": b"dog"}))
    assert [stemmer.stem(token) for token in (b"cats", b"cat", b"geese")] == [
        b"dog",
        b"cat",
        b"gees",
    ]


def test_a_copy_for_another_process_stems_alike() -> None:
    stemmer = Stemmer(Stems({b"went": b"walk"}))
    assert stemmer.number_tokens([b"went", b"cars"]) == [0, 1]
    copy = pickle.loads(pickle.dumps(stemmer))
    assert [copy.stem(token) for token in (b"went", b"cars")] == [b"walk", b"car"]
    # It has given out no numbers yet.
    assert (stemmer.n_numbers, copy.n_numbers) == (2, 0)
