"""Names of line files, and the texts in them."""

import pytest

from rouge_cli.inputs.lines.line_texts import holds_separator, named_files, sentence_texts


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["file"], {"X": "file"}),
        (["a=file"], {"a": "file"}),
        (["a=file=b"], {"a": "file=b"}),
        (["b=1", "a=1"], {"b": "1", "a": "1"}),
        (["a b= c "], {"a b": " c "}),
    ],
)
def test_names(values: list[str], expected: dict[str, str]) -> None:
    found = named_files(values, "X")
    assert list(found.items()) == list(expected.items())


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["one", "two"], "NAME=FILE for each of several files, found 'one'"),
        (["a=one", "two"], "NAME=FILE for each of several files, found 'two'"),
        (["=one"], "NAME=FILE for each of several files, found '=one'"),
        (["a="], "NAME=FILE for each of several files, found 'a='"),
        (["a=1", "b=2", "a=3"], "a name for each file of its own, found 'a' twice"),
    ],
)
def test_names_that_are_none(values: list[str], message: str) -> None:
    with pytest.raises(ValueError, match="found") as caught:
        named_files(values, "X")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("lines", "separator", "expected"),
    [
        pytest.param(b"a\nb\n", None, [b"a", b"b"], id="lines"),
        pytest.param(b"a\nb", None, [b"a", b"b"], id="no-newline"),
        pytest.param(b"\n\na\n\n", None, [b"", b"", b"a", b""], id="empty-lines"),
        pytest.param(b"\n", None, [b""], id="one-empty-line"),
        pytest.param(b"", None, [], id="nothing"),
        pytest.param(
            b"a\r\nb\rc\x0bd\x85e\n", None, [b"a\r", b"b\rc\x0bd\x85e"], id="only-newline"
        ),
        pytest.param(b"a<q>b\n", None, [b"a<q>b"], id="no-separator"),
        pytest.param(b"a<q>b<q>\n<q>c\n", "<q>", [b"a\nb\n", b"\nc"], id="q"),
        pytest.param(b"a <q> b\n", "<q>", [b"a \n b"], id="blanks-stay"),
        pytest.param(b"<t> a </t> <t> b </t>\n", "<t> </t>", [b"a\nb"], id="tags"),
        pytest.param(
            b"<t> One . </t> <t> Two . </t>\n", "<t> </t>", [b"One .\nTwo ."], id="t-and-blanks"
        ),
        pytest.param(b"<s>One.</s><s>Two.</s>\r\n", "<s> </s>", [b"One.\nTwo."], id="s"),
        pytest.param(b"<t> </t>\n \n a \n", "<t> </t>", [b"", b" ", b" a "], id="tags-of-nothing"),
        pytest.param(b"a##SENT##b", "##SENT##", [b"a\nb"], id="sent"),
        pytest.param(b"aXbxc", "x", [b"aXb\nc"], id="case"),
        pytest.param(b"a.b+c", ".+", [b"a.b+c"], id="no-pattern"),
        pytest.param(b"a\xffb", "\udcff", [b"a\nb"], id="any-byte"),
    ],
)
def test_texts(lines: bytes, separator: str | None, expected: list[bytes]) -> None:
    assert sentence_texts(lines, separator) == expected


@pytest.mark.parametrize(
    ("text", "separator", "expected"),
    [
        (b"a<q>b", "<q>", True),
        (b"<q>", " <q> ", True),
        (b"a<Q>b", "<q>", False),
        (b"", "<q>", False),
        (b"a </t>", "<t> </t>", True),
        (b"a <t> </q>", "</t> </q>", True),
        (b"a \xff b", "\udcff", True),
    ],
)
def test_holds_separator(text: bytes, separator: str, expected: bool) -> None:
    assert holds_separator(text, separator) is expected
