from pathlib import Path

import pytest

from tools.check_commits import MAX_BYTES, find_binaries, run_git

AUTHOR = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    run_git(tmp_path, "init", "--quiet")
    add(tmp_path, "notes.txt", b"words\n")
    commit(tmp_path)
    return tmp_path


def add(folder: Path, name: str, content: bytes) -> None:
    (folder / name).write_bytes(content)
    run_git(folder, "add", "--force", name)


def commit(folder: Path) -> None:
    run_git(folder, *AUTHOR, "commit", "--quiet", "--message", "a change")


def test_small_texts_pass(repository: Path) -> None:
    assert find_binaries(repository) == []


@pytest.mark.parametrize(
    ("name", "content"), [("a b.whl", b"PK"), ("large.txt", bytes(MAX_BYTES + 1))]
)
def test_a_staged_file_is_found(repository: Path, name: str, content: bytes) -> None:
    add(repository, name, content)
    (line,) = find_binaries(repository)
    assert line.startswith(f"{name}: {len(content)} bytes (object ")


def test_a_file_that_a_later_commit_removes_is_found(repository: Path) -> None:
    add(repository, "core.so", b"\x7fELF")
    commit(repository)
    run_git(repository, "rm", "--quiet", "core.so")
    commit(repository)
    (line,) = find_binaries(repository)
    assert line.startswith("core.so: 4 bytes")
