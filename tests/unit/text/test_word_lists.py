"""The lists of stopwords and of exceptions: their contents and the reading of others.

Source: section 4 of the specification.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

import rouge_cli.data
from rouge_cli.data import EXCEPTIONS, STOPWORDS, read_list
from rouge_cli.text.word_lists import (
    load_exceptions,
    load_stopwords,
    parse_exceptions,
    parse_stopwords,
)

STOPWORDS_SHA256 = "708a95967c37d7d52765589e92d787e912d971e60d6d41d81c92a00cff58a42e"
EXCEPTIONS_SHA256 = "3a4bb83017adaa453bcde932613158bdf4a0c58eda73120ce0d70315c1d63559"

ONLY_IN_WORDNET_3 = (
    b"ashes cognosenti gps halfpence houses_of_cards lisente loups-garous morses optic_axes "
    b"staretsy"
)


def test_stopwords() -> None:
    stopwords = load_stopwords()
    assert len(stopwords) == 596
    canonical = b"".join(word + b"\n" for word in sorted(stopwords))
    assert hashlib.sha256(canonical).hexdigest() == STOPWORDS_SHA256
    assert read_list(STOPWORDS) == canonical


def test_exceptions() -> None:
    exceptions = load_exceptions()
    assert len(exceptions) == 5930
    canonical = b"".join(sorted(form + b" " + base + b"\n" for form, base in exceptions.items()))
    assert hashlib.sha256(canonical).hexdigest() == EXCEPTIONS_SHA256
    assert read_list(EXCEPTIONS) == canonical
    assert exceptions.keys().isdisjoint(ONLY_IN_WORDNET_3.split())


def test_each_call_returns_a_table_of_its_own() -> None:
    load_exceptions().clear()
    assert load_exceptions()


def test_readme_states_the_checksums() -> None:
    folder = Path(rouge_cli.data.__file__).parent
    readme = (folder / "README.md").read_text("utf-8")
    lists = (path.name for path in folder.iterdir() if path.suffix in {".txt", ".tsv"})
    for name in (name for name in lists if not name.endswith("-LICENSE.txt")):
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() in readme


@pytest.mark.parametrize(
    ("parse", "data", "expected"),
    [
        (parse_stopwords, b"", set()),
        (parse_stopwords, b"the\na\n", {b"the", b"a"}),
        (parse_stopwords, b"the\na", {b"the", b"a"}),
        (parse_stopwords, b"the\r\na\r\n", {b"the", b"a"}),
        (parse_stopwords, b"\n  the \n\n", {b"the"}),
        (parse_stopwords, b"caf\xe9\n", {b"caf\xe9"}),
        (parse_exceptions, b"", {}),
        (parse_exceptions, b"geese goose\nwent go\n", {b"geese": b"goose", b"went": b"go"}),
        # Further words do not count, nor lines without a pair; of two for a form the last counts.
        (parse_exceptions, b"better good well\n", {b"better": b"good"}),
        (parse_exceptions, b"best good\nbest well\n", {b"best": b"well"}),
        (parse_exceptions, b"\nalone\nwent\tgo\r\n", {b"went": b"go"}),
    ],
)
def test_parsed(parse: Callable[[bytes], object], data: bytes, expected: object) -> None:
    assert parse(data) == expected
