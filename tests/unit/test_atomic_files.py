"""Files and folders: whole or not at all, private until they are in place, on the disk, and kept.

The permissions of other users are tried as another user where root runs the tests.
"""

import errno
import os
import select
import signal
import stat
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from rouge_cli.atomic_files import (
    FEW_FILES,
    NewFiles,
    file_problem,
    folder_problem,
    new_file,
    new_folder,
    remove_folder,
    temporary_folder,
    write_all,
)
from rouge_cli.errors import InputError

NOBODY = 65534

on_posix = pytest.mark.skipif(os.name != "posix", reason="needs permissions of POSIX")
as_root = pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0, reason="needs root, who may become another user"
)


def mode_of(path: Path | str) -> int:
    return stat.S_IMODE(os.stat(path).st_mode)


def write_file(path: str, content: bytes) -> None:
    with NewFiles() as files:
        files.write(path, content)
        files.put_in_place()


@pytest.fixture(params=["write_file", "new_file"])
def write(request: pytest.FixtureRequest) -> Any:
    def piece_by_piece(path: str, content: bytes) -> None:
        with new_file(path) as file:
            for start in range(0, len(content), 3):
                file.write(content[start : start + 3])

    return write_file if request.param == "write_file" else piece_by_piece


def test_a_file(write: Any, tmp_path: Path) -> None:
    write(str(tmp_path / "new"), b"some content\n")
    assert (tmp_path / "new").read_bytes() == b"some content\n"
    write(str(tmp_path / "new"), b"other")
    assert (tmp_path / "new").read_bytes() == b"other"
    assert os.listdir(tmp_path) == ["new"]


@on_posix
def test_a_draft_is_private(write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "old").write_bytes(b"old")
    (tmp_path / "old").chmod(0o604)
    modes = []

    def write_and_look(descriptor: int, content: Any) -> int:
        (draft,) = set(tmp_path.iterdir()) - {tmp_path / "old"}
        modes.append(mode_of(draft))
        return real_write(descriptor, content)

    real_write = os.write
    monkeypatch.setattr(os, "write", write_and_look)
    write(str(tmp_path / "old"), b"new")
    assert set(modes) == {0o600}
    assert mode_of(tmp_path / "old") == 0o604


@on_posix
def test_a_draft_folder_is_private(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty").chmod(0o705)
    with new_folder(str(tmp_path / "empty")) as draft:
        assert mode_of(draft) == 0o700
    assert mode_of(tmp_path / "empty") == 0o705
    umask = os.umask(0o027)
    try:
        with new_folder(str(tmp_path / "new")):
            pass
    finally:
        os.umask(umask)
    assert mode_of(tmp_path / "new") == 0o750


def test_short_writes(write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = bytes(range(256)) * 300
    real_write = os.write
    monkeypatch.setattr(os, "write", lambda file, rest: real_write(file, bytes(rest)[:1000]))
    write(str(tmp_path / "file"), content)
    assert (tmp_path / "file").read_bytes() == content


def test_no_writes(write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "write", lambda file, rest: 0)
    with pytest.raises((OSError, InputError), match="Input/output error"):
        write(str(tmp_path / "file"), b"content")
    assert os.listdir(tmp_path) == []


@on_posix
@pytest.mark.parametrize("waits_by", ["poll", "select"])
def test_a_full_pipe_that_does_not_wait(waits_by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if waits_by == "select":
        # Not every system has poll.
        monkeypatch.delattr(select, "poll", raising=False)
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    content, read = os.urandom(1 << 20), []

    def read_slowly() -> None:
        time.sleep(0.05)
        while chunk := os.read(reader, 1 << 16):
            read.append(chunk)

    thread = threading.Thread(target=read_slowly)
    thread.start()
    write_all(writer, content)
    os.close(writer)
    thread.join()
    os.close(reader)
    assert b"".join(read) == content


@on_posix
def test_a_full_pipe_that_nobody_reads_any_more() -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    threading.Timer(0.05, os.close, [reader]).start()
    with pytest.raises(BrokenPipeError):
        write_all(writer, bytes(1 << 20))
    os.close(writer)


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is brought to the disk, by what it is called at that time."""
    names: list[str] = []

    def note(descriptor: int) -> None:
        names.append(os.readlink(f"/proc/self/fd/{descriptor}"))

    monkeypatch.setattr(os, "fsync", note)
    monkeypatch.setattr(os, "sync", lambda: names.append("everything"))
    return names


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="needs the names of descriptors")
def test_what_is_synced(write: Any, synced: list[str], tmp_path: Path) -> None:
    write(str(tmp_path / "file"), b"x")
    draft, folder = synced
    assert os.path.dirname(draft) == folder == str(tmp_path)
    assert draft != str(tmp_path / "file")


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="needs the names of descriptors")
@pytest.mark.parametrize("n_files", [2, FEW_FILES + 1])
def test_what_is_synced_of_a_folder(n_files: int, synced: list[str], tmp_path: Path) -> None:
    with new_folder(str(tmp_path / "new")) as draft:
        os.mkdir(f"{draft}/inner")
        for number in range(n_files):
            Path(draft, "inner", str(number)).touch()
    inside = ["inner/0", "inner/1", "inner", ""] if n_files == 2 else None
    expected = ["everything"] if inside is None else [os.path.join(draft, one) for one in inside]
    found = [one.rstrip("/") for one in synced]
    assert sorted(found) == sorted([*(one.rstrip("/") for one in expected), str(tmp_path)])
    # The folder that it stands in comes last, when it is there.
    assert found[-1] == str(tmp_path)


@pytest.mark.parametrize("error", [OSError(28, "No space left"), KeyboardInterrupt(), SystemExit()])
@pytest.mark.parametrize("step", ["write", "fsync", "close", "replace"])
def test_a_step_that_fails(
    write: Any, step: str, error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "old").write_bytes(b"old")
    real_close = os.close

    def fail(*arguments: Any) -> None:
        if step == "close":
            real_close(*arguments)
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(os, step, fail)
        with pytest.raises((InputError, type(error))):
            write(str(tmp_path / "old"), b"new")
    assert (tmp_path / "old").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["old"]


@pytest.fixture
def fail_to_sync(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, Path | None], None]:
    """Make syncing of one folder, or of all, fail."""
    sync_file = os.fsync

    def fail(number: int, path: Path | None = None) -> None:
        def sync(descriptor: int) -> None:
            status = os.fstat(descriptor)
            is_other = path is not None and not os.path.samestat(status, path.stat())
            if not stat.S_ISDIR(status.st_mode) or is_other:
                return sync_file(descriptor)
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(os, "fsync", sync)

    return fail


WRITTEN = "is complete, but may be lost in a crash: its folder cannot be synced: "


@on_posix
def test_a_file_in_a_folder_that_cannot_be_synced(
    write: Any, fail_to_sync: Any, tmp_path: Path
) -> None:
    fail_to_sync(errno.EIO)
    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises((OSError, InputError)) as caught:
        write(str(tmp_path / "file"), b"new")
    assert str(caught.value).endswith(f"{WRITTEN}Input/output error")
    assert "cannot be written" not in str(caught.value)
    assert (tmp_path / "file").read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["file"]


@on_posix
def test_a_folder_in_one_that_cannot_be_synced(fail_to_sync: Any, tmp_path: Path) -> None:
    fail_to_sync(errno.EIO, tmp_path)
    with pytest.raises(InputError) as caught, new_folder(str(tmp_path / "new")) as draft:
        Path(draft, "file").touch()
    assert str(caught.value) == f"{tmp_path / 'new'}: {WRITTEN}Input/output error"
    assert os.listdir(tmp_path / "new") == ["file"]


def test_a_file_system_that_syncs_no_folders(fail_to_sync: Any, tmp_path: Path) -> None:
    fail_to_sync(errno.EINVAL)
    write_file(str(tmp_path / "file"), b"x")
    assert (tmp_path / "file").read_bytes() == b"x"


@pytest.mark.parametrize("renews", [True, False])
@pytest.mark.parametrize("step", ["rename", "fsync", "chmod"])
def test_an_empty_folder_is_not_lost(
    step: str, renews: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()

    def fail(*arguments: Any) -> None:
        raise OSError(30, "Read-only file system")

    with monkeypatch.context() as patch:
        patch.setattr(os, step, fail)
        with (
            pytest.raises(InputError, match="empty: cannot be written: Read-only file system"),
            new_folder(str(tmp_path / "empty"), renews=renews) as draft,
        ):
            Path(draft, "file").touch()
    assert os.listdir(tmp_path) == ["empty"]
    assert os.listdir(tmp_path / "empty") == []


@pytest.mark.parametrize("at", [1, 2])
def test_a_full_folder_that_cannot_be_replaced(
    at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_bytes(b"old")
    real_rename, n_calls = os.rename, 0

    def rename(source: str, target: str) -> None:
        nonlocal n_calls
        n_calls += 1
        if n_calls == at:
            raise KeyboardInterrupt
        real_rename(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", rename)
        with pytest.raises(KeyboardInterrupt), new_folder(str(tmp_path / "full"), renews=True):
            pass
    assert (tmp_path / "full" / "file").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["full"]
    with new_folder(str(tmp_path / "full"), renews=True) as draft:
        Path(draft, "other").touch()
    assert os.listdir(tmp_path / "full") == ["other"]
    assert os.listdir(tmp_path) == ["full"]


def test_a_folder_that_fills_on_the_way(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError), new_folder(str(tmp_path / "empty")):
        (tmp_path / "empty" / "theirs").touch()
    assert os.listdir(tmp_path / "empty") == ["theirs"]
    assert os.listdir(tmp_path) == ["empty"]


def test_a_folder_is_removed_though_some_of_it_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a/b/c", "a/b/d", "a/e", "f"):
        (tmp_path / "top" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "top" / name).write_bytes(b"x")
    unlink = os.unlink

    def keep_one(path: str) -> None:
        if path.endswith("e"):
            raise PermissionError(13, "Permission denied")
        unlink(path)

    monkeypatch.setattr(os, "unlink", keep_one)
    remove_folder(str(tmp_path / "top"))
    left = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")}
    assert left == {"top", os.path.join("top", "a"), os.path.join("top", "a", "e")}
    monkeypatch.setattr(os, "unlink", unlink)
    remove_folder(str(tmp_path / "top"))
    assert list(tmp_path.iterdir()) == []


def test_nothing_of_a_failed_file_is_written_later(tmp_path: Path) -> None:
    # What is left in a buffer must not reach a file that is opened next with the same number.
    with suppress(KeyError), new_file(str(tmp_path / "first")) as file:
        file.write(b"lost")
        raise KeyError
    with (tmp_path / "second").open("wb") as second:
        second.write(b"kept")
        del file
    assert (tmp_path / "second").read_bytes() == b"kept"


# Owners.


@as_root
def test_the_owner_stays(write: Any, tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.touch()
    os.chown(path, NOBODY, 12345)
    path.chmod(0o6750)
    write(str(path), b"new")
    found = path.stat()
    assert (found.st_uid, found.st_gid, mode_of(path)) == (NOBODY, 12345, 0o6750)


def as_nobody(function: Callable[..., object], *arguments: object) -> str:
    """Call a function as a user who may do nothing in particular; return its result as words."""
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        # The child takes no lock that another thread could have held.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        try:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            os.write(writer, str(function(*arguments)).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with open(reader, "rb") as file:
        found = file.read().decode()
    os.waitpid(child, 0)
    return found


@pytest.fixture
def open_folder(tmp_path: Path) -> Path:
    """A folder that everybody may write to and can reach."""
    for parent in (tmp_path, *tmp_path.parents):
        if parent.stat().st_uid == os.geteuid() and not parent.stat().st_mode & stat.S_IXOTH:
            parent.chmod(parent.stat().st_mode | stat.S_IXOTH | stat.S_IROTH)
    tmp_path.chmod(0o777)
    return tmp_path


@as_root
def test_a_group_that_cannot_be_kept(open_folder: Path) -> None:
    # The group of the new file is another one: it may do what everybody may.
    path = open_folder / "old"
    path.touch()
    path.chmod(0o666 | stat.S_ISUID | stat.S_ISGID)
    path.chmod(0o6772)
    assert as_nobody(write_file, str(path), b"new") == "None"
    assert path.read_bytes() == b"new"
    assert (path.stat().st_uid, mode_of(path)) == (NOBODY, 0o722)


@as_root
def test_a_folder_that_nobody_may_list(open_folder: Path) -> None:
    # Without the permission to read it, it cannot be synced.
    open_folder.chmod(0o733)
    assert as_nobody(write_file, str(open_folder / "new"), b"new") == "None"
    assert (open_folder / "new").read_bytes() == b"new"


@as_root
def test_no_permission(open_folder: Path) -> None:
    path = open_folder / "old"
    path.write_bytes(b"old")
    assert as_nobody(file_problem, str(path)) == "no permission to write it"
    path.chmod(0o666)
    assert as_nobody(file_problem, str(path)) == "None"
    open_folder.chmod(0o755)
    assert as_nobody(file_problem, str(path)) == (
        f"no permission to make files in the folder '{open_folder}', as is needed to replace it"
    )
    assert (
        as_nobody(folder_problem, str(open_folder / "new"))
        == f"no permission to make folders in '{open_folder}'"
    )
    assert path.read_bytes() == b"old"


def test_everything_is_told(tmp_path: Path) -> None:
    problem = "no/file: cannot be written: No such file or directory"
    with pytest.raises(InputError, match=problem), new_file(str(tmp_path / "no" / "file")):
        pass
    assert folder_problem(str(tmp_path / "new")) is None


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_a_signal_while_a_temporary_folder_is_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    def end(*_: object) -> None:
        raise KeyboardInterrupt

    remove = os.unlink

    def interrupted(path: str) -> None:
        signal.raise_signal(signal.SIGTERM)
        remove(path)

    before = signal.signal(signal.SIGTERM, end)
    try:
        monkeypatch.setattr(os, "unlink", interrupted)
        with pytest.raises(KeyboardInterrupt), temporary_folder() as folder:
            Path(folder, "file").write_bytes(b"text")
    finally:
        signal.signal(signal.SIGTERM, before)
    assert not os.path.lexists(folder)


# A context as where a signal comes when it has been entered and its block has not begun; and a
# child that ends as a program does.
LEFT = """
    from rouge_cli.atomic_files import new_folder, temporary_folder
    from rouge_cli.cli.process import end_at_once
    context = {}
    folder = context.__enter__()
    assert os.path.isdir(folder)
    end_at_once(0)
"""
FORKED = """
    from rouge_cli.atomic_files import temporary_folder
    with temporary_folder() as folder:
        child = os.fork()
        if child == 0:
            atexit._run_exitfuncs()
            os._exit(0)
        os.waitpid(child, 0)
        assert os.path.isdir(folder)
"""
PROGRAMS = [LEFT.format("temporary_folder()"), LEFT.format("new_folder('new')")]


@pytest.mark.parametrize("program", [*PROGRAMS, *([FORKED] if hasattr(os, "fork") else [])])
def test_no_folder_stays_and_none_goes_too_early(program: str, tmp_path: Path) -> None:
    code = f"import atexit, os\n{dedent(program)}"
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True)
    assert list(tmp_path.iterdir()) == []
