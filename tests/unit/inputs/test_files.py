"""Whole files, however the system tells their size."""

import os
from pathlib import Path

import pytest

from rouge_cli.inputs import files
from rouge_cli.inputs.files import CHUNK, read_file


@pytest.mark.parametrize("size", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK])
@pytest.mark.parametrize("reads_at_a_place", [True, False])
def test_every_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, reads_at_a_place: bool
) -> None:
    monkeypatch.setattr(files, "READS_AT_A_PLACE", reads_at_a_place and files.READS_AT_A_PLACE)
    content = (bytes(range(256)) * (size // 256 + 1))[:size]
    path = tmp_path / "text"
    path.write_bytes(content)
    assert read_file(str(path)) == content


@pytest.mark.skipif(not files.READS_AT_A_PLACE, reason="no os.pread")
@pytest.mark.parametrize("end", [2, 1 << 20])
def test_a_size_that_is_not_to_be_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: int
) -> None:
    seek = os.lseek

    def seek_end(descriptor: int, place: int, whence: int) -> int:
        return end if whence == os.SEEK_END else seek(descriptor, place, whence)

    monkeypatch.setattr(os, "lseek", seek_end)
    path = tmp_path / "text"
    path.write_bytes(b"some words\n")
    assert read_file(str(path)) == b"some words\n"


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    # Windows does not open a folder at all.
    with pytest.raises((IsADirectoryError, PermissionError)):
        read_file(str(tmp_path))


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="no /proc")
def test_what_the_system_makes_up_has_no_size() -> None:
    assert read_file("/proc/self/status").startswith(b"Name:")


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no /dev/zero")
def test_devices() -> None:
    assert read_file("/dev/null") == b""
    with pytest.raises(OSError, match="a device, not a file"):
        read_file("/dev/zero")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs")
def test_a_fifo_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    both = os.open(path, os.O_RDWR)
    os.write(both, b"kept")
    with pytest.raises(OSError, match="a FIFO"):
        read_file(str(path))
    assert os.read(both, 10) == b"kept"
    os.close(both)
