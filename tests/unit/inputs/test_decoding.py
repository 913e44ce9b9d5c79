"""Bytes to text, in any encoding and in chunks of any size, and the place of what is no text."""

import io
import sys
from unittest.mock import patch

import pytest

from rouge_cli.errors import InputError
from rouge_cli.inputs import decoding
from rouge_cli.inputs.decoding import Decoder

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
@pytest.mark.parametrize(
    ("content", "encoding", "place"),
    [
        (b"\xe9", "utf-8", "line 1: byte 0xE9 at column 1 is not utf-8"),
        (b"caf\xe9 au lait", "utf-8", "line 1: byte 0xE9 at column 4 is not utf-8"),
        (b"a\n\xc3\xa9b\xff\n\xff", "utf-8", "line 2: byte 0xFF at column 3 is not utf-8"),
        (b"a\n\n\xff", "utf-8", "line 3: byte 0xFF at column 1 is not utf-8"),
        # A character that is not whole at the end of the file.
        (b"ab\ncd\xe2\x82", "utf-8", "line 2: byte 0xE2 at column 3 is not utf-8"),
        # The mark at the start is no column.
        (b"\xef\xbb\xbfa\xff", "utf-8", "line 1: byte 0xFF at column 2 is not utf-8"),
        (b"a\nb\x81", "ascii", "line 2: byte 0x81 at column 2 is not ascii"),
        (b"a\x00\n\x00b\x00c", "utf-16-le", "line 2: byte 0x63 at column 2 is not utf-16-le"),
        (b"\xff\xfe\n\x00\x00\xdcb\x00", "utf-16", "line 2: byte 0x00 at column 1 is not utf-16"),
        (
            b"\x88\x9f\n\x88\x9f\x88\x0a",
            "shift_jis",
            "line 2: byte 0x88 at column 2 is not shift_jis",
        ),
    ],
)
def test_bytes_that_do_not_decode(content: bytes, encoding: str, place: str, chunk: int) -> None:
    with pytest.raises(InputError) as caught:
        decoded(content, encoding, chunk)
    assert caught.value.problems == (f"f, {place}; {ADVICE}",)


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


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 100])
@pytest.mark.parametrize(
    ("content", "encoding", "place"),
    [
        (b"a\nb\0c", "latin-1", "line 2: a zero byte at column 2"),
        ("a\nbc\0".encode("utf-16"), "utf-16", "line 2: a zero byte at column 3"),
    ],
)
def test_zero_bytes(content: bytes, encoding: str, place: str, chunk: int) -> None:
    with pytest.raises(InputError) as caught:
        decoded(content, encoding, chunk)
    hint = "; UTF-16 needs --encoding utf-16" if encoding == "latin-1" else ""
    message = f"f, {place}, as in a binary file; expected text{hint}"
    assert caught.value.problems == (message,)


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
