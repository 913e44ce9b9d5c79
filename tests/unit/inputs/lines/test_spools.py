"""Files that are copied for a while, and what is recoded on the way."""

import gzip
import os
import sys
from pathlib import Path

import pytest

from rouge_cli.errors import InputError
from rouge_cli.inputs.lines import spools
from rouge_cli.inputs.lines.recoding import Recoder
from rouge_cli.inputs.lines.spools import plain_files

ADVICE = (
    "give the encoding of the file with --encoding, or leave --encoding out to take its bytes as "
    "they are"
)


def recoded(content: bytes, encoding: str, chunk: int) -> bytes:
    """Recode in chunks of so many bytes."""
    recoder = Recoder("f", encoding)
    parts = [recoder.recode(content[k : k + chunk]) for k in range(0, len(content), chunk)]
    return b"".join([*parts, recoder.recode(b"", is_last=True)])


@pytest.mark.parametrize("chunk", [1, 2, 3, 5, 100])
@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32", "utf-7", "gb18030", "shift_jis"],
)
def test_recoded(encoding: str, chunk: int) -> None:
    text = "\u3042\u4e9c b\n\n c\u3044\r\n"
    assert recoded(text.encode(encoding), encoding, chunk) == text.encode()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "gb18030"])
def test_byte_order_mark_is_dropped_at_the_start_only(encoding: str) -> None:
    text = "\ufeffa\ufeff\n\ufeffb"
    for chunk in (1, 4, 100):
        assert recoded(text.encode(encoding), encoding, chunk) == text[1:].encode()


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
        recoded(content, encoding, chunk)
    assert caught.value.problems == (f"f, {place}; {ADVICE}",)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_no_byte_order_mark(encoding: str) -> None:
    # In the other byte order the first character may be none at all, and is named then.
    native = f"{encoding}-{sys.byteorder[0]}e"
    with pytest.raises(InputError) as caught:
        recoded("a\nb".encode(native), encoding, 3)
    assert caught.value.problems == (
        f"f: no byte order mark at its start; expected one with {encoding}, or --encoding "
        f"{encoding}-le or {encoding}-be",
    )


def test_plain_files_are_themselves(tmp_path: Path) -> None:
    path = str(tmp_path / "f")
    Path(path).write_bytes(b"a\n")
    with plain_files([path, path], None) as plain:
        assert plain == {path: path}


def test_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Chunks of one byte, across every border.
    monkeypatch.setattr(spools, "CHUNK", 1)
    as_it_is, compressed = str(tmp_path / "f"), str(tmp_path / "F.GZ")
    Path(as_it_is).write_bytes(b"caf\xe9\n")
    Path(compressed).write_bytes(gzip.compress(b"\xe9t\xe9") + gzip.compress(b"\nx"))
    with plain_files([as_it_is, compressed], None) as plain:
        assert plain[as_it_is] == as_it_is
        assert Path(plain[compressed]).read_bytes() == b"\xe9t\xe9\nx"
    with plain_files([as_it_is, compressed], "latin-1") as plain:
        copies = [Path(plain[path]) for path in (as_it_is, compressed)]
        assert [copy.read_bytes().decode() for copy in copies] == [
            "caf\u00e9\n",
            "\u00e9t\u00e9\nx",
        ]
        assert copies[0].parent.stat().st_mode & 0o077 == 0 or os.name == "nt"
    assert not copies[0].parent.exists()


def test_copies_are_removed_after_an_error(tmp_path: Path) -> None:
    path = str(tmp_path / "f")
    Path(path).write_bytes(b"a")
    copies = []

    def interrupted() -> None:
        with plain_files([path], "utf-8") as plain:
            copies.append(Path(plain[path]))
            assert copies[0].read_bytes() == b"a"
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert not copies[0].parent.exists()


def test_all_problems_at_once(tmp_path: Path) -> None:
    paths = [str(tmp_path / name) for name in ("bad", "good", "gone", "cut.gz")]
    Path(paths[0]).write_bytes(b"\xff")
    Path(paths[1]).write_bytes(b"x")
    Path(paths[3]).write_bytes(gzip.compress(b"text")[:12])
    with pytest.raises(InputError) as caught, plain_files(paths, "utf-8"):
        pass
    assert caught.value.problems == (
        f"{paths[0]}, line 1: byte 0xFF at column 1 is not utf-8; {ADVICE}",
        f"{paths[2]}: no such file; expected a text a line",
        f"{paths[3]}: truncated gzip, it ends before its end; fetch or compress it again; expected "
        "a text a line",
    )


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no names of open files here")
def test_names_of_open_files_are_copied() -> None:
    # Another process has another file by this name.
    with plain_files(["/dev/null"], None) as plain:
        assert plain["/dev/null"] != "/dev/null"
        assert Path(plain["/dev/null"]).read_bytes() == b""
