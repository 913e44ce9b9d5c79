"""Writers of SPL, SEE and ISI: exact files, and what the readers make of them."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rouge_cli.inputs.sentences import SENTENCE_FORMATS, STAND_IN, sentences_of

WRITERS = {name: form.write for name, form in SENTENCE_FORMATS.items()}
HELD_BY_ALL = bytes(code for code in range(256) if code not in b"\n<")


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        pytest.param(b"", [], id="empty"),
        pytest.param(b"a\nb", [b"a", b"b"], id="two"),
        pytest.param(b"\na\n\nb\n", [b"a", b"b"], id="empty-lines"),
        pytest.param(b" \n\r\n\t", [b" ", b"\r", b"\t"], id="blanks-are-sentences"),
        pytest.param(b"a\rb\x0bc\x85", [b"a\rb\x0bc\x85"], id="only-newline-ends"),
    ],
)
def test_sentences(text: bytes, sentences: list[bytes]) -> None:
    assert sentences_of(text) == sentences


def test_spl() -> None:
    assert WRITERS["SPL"](b"a < b\n\n \nc") == b"a < b\n \nc\n"
    assert WRITERS["SPL"](b"") == b""


def test_see() -> None:
    assert WRITERS["SEE"](b"One two.\n\nA < b\n").splitlines() == [
        b"<html>",
        b"<head>",
        b"<title></title>",
        b"</head>",
        b'<body bgcolor="white">',
        b'<a name="1">[1]</a> <a href="#1" id=1>One two.</a>',
        b'<a name="2">[2]</a> <a href="#2" id=2>A ( b</a>',
        b"</body>",
        b"</html>",
    ]


def test_isi() -> None:
    assert WRITERS["ISI"](b"One two.\n\nA < b\n").splitlines() == [
        b"<DOC>",
        b"<TEXT>",
        b'<S SNTNO="1">One two.</S>',
        b'<S SNTNO="2">A ( b</S>',
        b"</TEXT>",
        b"</DOC>",
    ]


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
@given(st.lists(st.binary(max_size=8).map(lambda raw: raw.replace(b"\n", b"<")), max_size=5))
def test_what_is_written_is_read(name: str, sentences: list[bytes]) -> None:
    text = b"\n".join(sentences)
    read = SENTENCE_FORMATS[name].read(WRITERS[name](text))
    held = text if name == "SPL" else text.replace(b"<", b"(")
    assert sentences_of(read) == sentences_of(held)


@pytest.mark.parametrize("name", WRITERS)
def test_every_byte_but_two_is_held(name: str) -> None:
    read = SENTENCE_FORMATS[name].read(WRITERS[name](HELD_BY_ALL + b"\nend"))
    assert sentences_of(read) == [HELD_BY_ALL, b"end"]
