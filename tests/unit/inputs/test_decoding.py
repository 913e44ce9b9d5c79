"""Bytes to text, in any encoding and in chunks of any size, and the place of what is no text."""

import io
import sys
from unittest.mock import patch

import pytest

from rouge_cli.errors import InputError
from rouge_cli.inputs import decoding
from rouge_cli.inputs.decoding import Decoder
from tests.tables import raw, tables_beside

ADVICE = "save it as UTF-8"


def decoded(content: bytes, encoding: str | None, chunk: int) -> str:
    """Decode in chunks of so many bytes."""
    with patch.object(decoding, "DECODED_BYTES", chunk):
        return "".join(Decoder("f", encoding, ADVICE).texts(io.BytesIO(content)))


@pytest.mark.parametrize("chunk", [1, 2, 3, 5, 100])
@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32", "utf-7", "gb18030", "shift_jis"],
)
def test_decoded(encoding: str, chunk: int) -> None:
    text = "\u3042\u4e9c b\n\n c\u3044\r\n"
    assert decoded(text.encode(encoding), encoding, chunk) == text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "gb18030"])
def test_byte_order_mark_is_dropped_at_the_start_only(encoding: str) -> None:
    text = "\ufeffa\ufeff\n\ufeffb"
    for chunk in (1, 4, 100):
        assert decoded(text.encode(encoding), encoding, chunk) == text[1:]


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 100])
@pytest.mark.parametrize(("given", "problems"), tables_beside(__file__)["bytes"])
def test_bytes_that_are_no_text(given: str, problems: list[str], chunk: int) -> None:
    encoding, _, content = given.partition(": ")
    with pytest.raises(InputError) as caught:
        decoded(raw(content), encoding, chunk)
    assert [*caught.value.problems] == [f"f, {problem}" for problem in problems]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_no_byte_order_mark(encoding: str) -> None:
    # In the other byte order the first character may be none at all, and is named then.
    native = f"{encoding}-{sys.byteorder[0]}e"
    with pytest.raises(InputError) as caught:
        decoded("a\nb".encode(native), encoding, 3)
    assert caught.value.problems == (
        f"f: no byte order mark at its start; expected one with {encoding}, or --encoding "
        f"{encoding}-le or {encoding}-be",
    )


@pytest.mark.parametrize("chunk", [5_000, 8_000, 100_000])
@pytest.mark.parametrize(
    ("broken", "zero", "found"),
    [
        (10, 4_000, "byte 0xFF, and a zero byte"),
        (10, 4_200, "byte 0xFF"),
        (7_000, 9_000, "byte 0xFF"),
    ],
)
def test_a_zero_byte_is_named_wherever_chunks_end(
    broken: int, zero: int, found: str, chunk: int
) -> None:
    content = bytearray(b"a" * 20_000)
    content[broken], content[zero] = 0xFF, 0
    with pytest.raises(InputError) as caught:
        decoded(bytes(content), None, chunk)
    assert caught.value.problems[0].startswith(f"f, line 1: {found} at column {broken + 1}")


def test_bytes_as_the_system_takes_them() -> None:
    decoder = Decoder("f", None, errors="surrogateescape")
    assert list(decoder.lines(io.BytesIO(b"\xef\xbb\xbfa\xff\nb\r\x85"))) == [
        "a\udcff\n",
        "b\r\udc85",
    ]
    with pytest.raises(InputError) as caught:
        list(Decoder("f", None, errors="surrogateescape").lines(io.BytesIO(b"PAR1\0")))
    assert caught.value.problems == (
        "f, line 1: a zero byte at column 5, as in a binary file; expected text",
    )


def test_encodings_that_say_no_place() -> None:
    # Python has a few that fail as a whole, and say at no byte.
    with pytest.raises(InputError, match=r"^f: not punycode: "):
        decoded(b"a.b-.\n", "punycode", 100)
