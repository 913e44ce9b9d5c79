"""The folder of the runs: there while they run, and gone afterwards."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from rouge_cli.selftest import StoredRun, StoredRuns, check_draws, reproduce

RUN = StoredRun("1", "corpora/a", ("list",), "n", "list, SPL", b"text\r\n\0")
STORED = StoredRuns((RUN,), {"corpora/a/list": b"text\r\n\0", "corpora/b/c/d": b""}, ())


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files, which is the working directory too."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_inputs_byte_for_byte(folder: Path) -> None:
    seen = []

    def printer(arguments: Sequence[str]) -> bytes:
        seen.append(Path.cwd().parent.parent)
        assert (Path.cwd().parent / "b" / "c" / "d").read_bytes() == b""
        return Path(arguments[0]).read_bytes()

    (outcome,) = reproduce(STORED, printer)
    assert outcome.is_same
    assert Path.cwd() == folder
    assert seen[0].parent == folder
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
def test_an_end_cleans_up(kind: type[BaseException], folder: Path) -> None:
    def printer(_: Sequence[str]) -> bytes:
        raise kind

    with pytest.raises(kind):
        reproduce(STORED, printer)
    assert Path.cwd() == folder
    assert list(folder.iterdir()) == []


def test_first_draws_are_those_of_the_c_library() -> None:
    import ctypes
    import ctypes.util

    from rouge_cli.selftest import FIRST_DRAWS

    name = ctypes.util.find_library("c")
    library = ctypes.CDLL(name) if name else None
    if not hasattr(library, "drand48"):
        pytest.skip("the C library of this machine has no drand48")
    assert library is not None
    library.srand48.argtypes = [ctypes.c_long]
    library.drand48.restype = ctypes.c_double
    for seed, draws in FIRST_DRAWS.items():
        library.srand48(seed)
        assert tuple(int(library.drand48() * 10_000) for _ in draws) == draws
    assert not check_draws()[2]
