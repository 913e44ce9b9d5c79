"""SPL, SEE, ISI and SIMPLE: what is read of a file, and what is written."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rouge_cli.errors import InputError
from rouge_cli.inputs.sentences import (
    ELEMENTS_FORMAT,
    SENTENCE_FORMATS,
    STAND_IN,
    read_simple,
    sentences_of,
)
from rouge_cli.options.inputs import TEXT_FORMATS
from tests.tables import raw, tables_beside

TABLES = tables_beside(__file__)
READERS = {name: form.read for name, form in SENTENCE_FORMATS.items()}
WRITERS = {name: form.write for name, form in SENTENCE_FORMATS.items()}
HELD_BY_ALL = bytes(code for code in range(256) if code not in b"\n<")
SEE_MARK = r'<a name="\1">[\1]</a> <a href="#\1" id=\1>'
EXPECTED = 'expected three, HEAD|MODIFIER|RELATION, with "nil" for one that is absent'


def test_names_are_those_of_the_options() -> None:
    assert sorted((*SENTENCE_FORMATS, ELEMENTS_FORMAT)) == sorted(TEXT_FORMATS)
    assert sorted(SENTENCE_FORMATS) == ["ISI", "SEE", "SPL"]


@pytest.mark.parametrize(
    "content",
    [b"", b"a b\nc\n", b"a\n\n\nb", b"a\r\n\r\nb\r\n", b" \n", b"caf\xe9\n", b"<a>\n&amp;"],
)
def test_spl_keeps_every_byte(content: bytes) -> None:
    assert READERS["SPL"](content) == content


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [(name, *row) for name in ("SEE", "ISI") for row in TABLES[name]],
)
def test_what_is_read(name: str, content: str, expected: list[str]) -> None:
    content = re.sub(r"{([0-9]+)}", SEE_MARK, content)
    assert [READERS[name](raw(content))] == [*map(raw, expected)]


@pytest.mark.parametrize(("content", "expected"), TABLES["SIMPLE"])
def test_basic_elements(content: str, expected: list[str]) -> None:
    if not expected[0].startswith("x.be"):
        elements = (b"|".join(element) for element in read_simple(raw(content), "x.be"))
        assert [*elements] == [*filter(None, map(raw, expected))]
        return
    with pytest.raises(InputError) as caught:
        read_simple(raw(content), "x.be")
    assert [*caught.value.problems] == [line.replace("EXPECTED", EXPECTED) for line in expected]


@pytest.mark.parametrize(("text", "expected"), TABLES["sentences"])
def test_sentences(text: str, expected: list[str]) -> None:
    assert sentences_of(raw(text)) == [*filter(None, map(raw, expected))]


@pytest.mark.parametrize(("text", "expected"), TABLES["written"])
def test_what_is_written(text: str, expected: list[str]) -> None:
    name, _, content = text.partition(": ")
    lines = WRITERS[name](raw(content)).splitlines(keepends=True)
    assert lines == [raw(re.sub(r"{([0-9]+)}", SEE_MARK, line)) + b"\n" for line in expected]


def test_spl_of_nothing() -> None:
    assert WRITERS["SPL"](b"") == b""


def test_the_stand_in_scores_like_what_it_stands_for() -> None:
    # One byte for -b; white space neither, for -l; a part of no token, so it separates.
    for byte in (b"<", b"\0", STAND_IN):
        assert len(byte) == 1
        assert not byte.isspace()
        assert not re.match(rb"[A-Za-z0-9]", byte)
    # And every format holds it.
    assert all(STAND_IN in writer(STAND_IN) for writer in WRITERS.values())


@pytest.mark.parametrize("name", WRITERS)
@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(st.lists(st.binary(max_size=8).map(lambda text: text.replace(b"\n", b"<")), max_size=5))
def test_what_is_written_is_read(name: str, sentences: list[bytes]) -> None:
    text = b"\n".join(sentences)
    read = READERS[name](WRITERS[name](text))
    held = text if name == "SPL" else text.replace(b"<", b"(")
    assert sentences_of(read) == sentences_of(held)


@pytest.mark.parametrize("name", WRITERS)
def test_every_byte_but_two_is_held(name: str) -> None:
    read = READERS[name](WRITERS[name](HELD_BY_ALL + b"\nend"))
    assert sentences_of(read) == [HELD_BY_ALL, b"end"]
