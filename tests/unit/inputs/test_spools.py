"""Files that are copied for a while."""

import gzip
import os
from pathlib import Path

import pytest

from rouge_cli.errors import InputError
from rouge_cli.inputs import decoding, line_files
from rouge_cli.inputs.line_files import plain_files

ADVICE = (
    "give the encoding of the file with --encoding, or leave --encoding out to take its bytes as "
    "they are"
)


def test_plain_files_are_themselves(tmp_path: Path) -> None:
    path = str(tmp_path / "f")
    Path(path).write_bytes(b"a\n")
    with plain_files([path, path], None) as plain:
        assert plain == {path: path}


def test_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Chunks of one byte, across every border.
    monkeypatch.setattr(line_files, "CHUNK", 1)
    monkeypatch.setattr(decoding, "DECODED_BYTES", 1)
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
