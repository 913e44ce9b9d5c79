"""SPL, SEE and ISI: a file to sentences. Expected values are read off the specification."""

import pytest

from rouge_cli.inputs.sentences import ELEMENTS_FORMAT, SENTENCE_FORMATS
from rouge_cli.options.inputs import TEXT_FORMATS


@pytest.mark.parametrize(
    "raw",
    [b"", b"a b\nc\n", b"a\n\n\nb", b"a\r\n\r\nb\r\n", b" \n", b"caf\xe9\n", b"<a>\n&amp;"],
    ids=["empty", "plain", "empty-lines", "crlf", "blank", "latin-1", "markup"],
)
def test_spl_keeps_every_byte(raw: bytes) -> None:
    assert SENTENCE_FORMATS["SPL"].read(raw) == raw


def see(text: bytes, k: bytes = b"1", space: bytes = b" ") -> bytes:
    return b'<a name="%s">[%s]</a>%s<a href="#%s" id=%s>%s' % (k, k, space, k, k, text)


@pytest.mark.parametrize(
    ("raw", "sentences"),
    [
        pytest.param(see(b"One two.</a>\n"), b"One two.", id="usual"),
        pytest.param(see(b"A</a>\n") + see(b"B</a>\n", b"22"), b"A\nB", id="two"),
        pytest.param(b"<html>\n<body>\n" + see(b"A</a>\n") + b"</html>\n", b"A", id="in-html"),
        pytest.param(see(b"no end\n"), b"no end ", id="newline-counts"),
        pytest.param(see(b"no end"), b"no end", id="end-of-file"),
        pytest.param(see(b"no end\n") + see(b"B</a>\n"), b"no end \nB", id="newline-then-next"),
        pytest.param(see(b"cr\r\n"), b"cr\r ", id="crlf-without-end"),
        pytest.param(see(b"A</a>\r\n") + see(b"B</a>\r\n"), b"A\nB", id="crlf"),
        pytest.param(see(b"A <b>bold</b></a>\n"), b"A ", id="up-to-first-tag"),
        pytest.param(see(b"</a>\n") + see(b"B</a>\n"), b"\nB", id="no-text"),
        pytest.param(see(b"\n") + see(b"B</a>\n"), b" \nB", id="newline-is-the-text"),
        pytest.param(see(b" &amp; caf\xe9 </a>"), b" &amp; caf\xe9 ", id="bytes-stay"),
        pytest.param(see(b"A</a>", space=b" \t\r"), b"A", id="white-space-between"),
        pytest.param(see(b"A</a>", space=b""), b"", id="nothing-between"),
        pytest.param(see(b"A</a>", space=b"\n"), b"", id="newline-between"),
        pytest.param(
            b'<a size="10" name="1">[1]</a> <a href="#1" id=1>A</a>\n', b"A", id="with-size"
        ),
        pytest.param(b" " + see(b"A</a>\n"), b"", id="not-at-line-start"),
        pytest.param(b"\r" + see(b"A</a>\n"), b"", id="cr-starts-no-line"),
        pytest.param(see(b"A</a>") + see(b"B</a>"), b"A", id="second-on-the-line"),
        pytest.param(see(b"A</a>").replace(b"<a name", b"<A NAME"), b"", id="capitals"),
        pytest.param(see(b"A</a>").replace(b"id=1", b'id="1"'), b"", id="id-in-quotes"),
        pytest.param(see(b"A</a>", b"x"), b"", id="no-digits"),
        pytest.param(b"", b"", id="empty"),
        pytest.param(b"just text\n", b"", id="other-format"),
    ],
)
def test_see(raw: bytes, sentences: bytes) -> None:
    assert SENTENCE_FORMATS["SEE"].read(raw) == sentences


@pytest.mark.parametrize(
    ("raw", "sentences"),
    [
        pytest.param(b'<S SNTNO="1">One two.</S>\n', b"One two.", id="usual"),
        pytest.param(b'<S SNTNO="1">A</S>\n<S SNTNO="2">B</S>\n', b"A\nB", id="two"),
        pytest.param(b'<DOC>\n<S SNTNO="1a,2b">A</S>\n</DOC>\n', b"A", id="letters-and-commas"),
        pytest.param(b'<S SNTNO="1">A</S>\r\n<S SNTNO="2">B</S>\r\n', b"A\nB", id="crlf"),
        pytest.param(b'<S SNTNO="1">A\n</S>\n', b"", id="end-on-next-line"),
        pytest.param(b'<S SNTNO="1">A <b>b</b></S>\n', b"", id="markup-inside"),
        pytest.param(b'<S SNTNO="1A">A</S>\n', b"", id="capital-in-id"),
        pytest.param(b'<S SNTNO="">A</S>\n', b"", id="empty-id"),
        pytest.param(b'<s sntno="1">A</s>\n', b"", id="small-letters"),
        pytest.param(b' <S SNTNO="1">A</S>\n', b"", id="not-at-line-start"),
        pytest.param(b'<S SNTNO="1">A</S><S SNTNO="2">B</S>\n', b"A", id="second-on-the-line"),
        pytest.param(b'<S SNTNO="1">&lt; caf\xe9 </S>', b"&lt; caf\xe9 ", id="bytes-stay"),
        pytest.param(b"head|modifier|relation\n", b"", id="simple-reads-as-nothing"),
    ],
)
def test_isi(raw: bytes, sentences: bytes) -> None:
    assert SENTENCE_FORMATS["ISI"].read(raw) == sentences


def test_names_are_those_of_the_options() -> None:
    assert sorted((*SENTENCE_FORMATS, ELEMENTS_FORMAT)) == sorted(TEXT_FORMATS)
    assert sorted(SENTENCE_FORMATS) == ["ISI", "SEE", "SPL"]
