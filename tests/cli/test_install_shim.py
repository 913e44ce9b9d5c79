"""``rouge-cli install-shim``: what it writes, that it runs from anywhere, and what it refuses."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NoReturn

import pytest

from rouge_cli.data import EXCEPTIONS, STOPWORDS, read_list
from rouge_cli.shim import install_home, perl_script
from tests.cli.running import SAMPLE, Run, write_files

Shim = Callable[..., tuple[int, bytes, str]]
CONFIG = str(SAMPLE / "config.xml")
SCRIPT = "ROUGE-1.5.5.pl"
FILES = {
    SCRIPT, "README.txt", "data/WORDNET-LICENSE.txt", "data/WordNet-2.0-Exceptions/adj.exc",
    "data/WordNet-2.0-Exceptions/adv.exc", "data/WordNet-2.0-Exceptions/noun.exc",
    "data/WordNet-2.0-Exceptions/verb.exc", "data/WordNet-2.0.exc.db",
    "data/smart_common_words.txt",
}  # fmt: skip
PERL = shutil.which("perl")
with_scripts = pytest.mark.skipif(os.name == "nt", reason="Windows runs no script by its name")
with_perl = pytest.mark.skipif(PERL is None, reason="perl is not installed")
CALLS = [
    pytest.param([], id="direct", marks=with_scripts),
    pytest.param([str(PERL)], id="perl", marks=with_perl),
]


def everything_in(folder: Path) -> dict[str, bytes | None]:
    """Return what files hold, or where links lead; of folders, nothing."""

    def content(path: Path) -> bytes | None:
        if path.is_symlink():
            return os.fsencode(path.readlink())
        return None if path.is_dir() else path.read_bytes()

    return {path.relative_to(folder).as_posix(): content(path) for path in folder.rglob("*")}


def files_in(folder: Path) -> set[str]:
    return {name for name, content in everything_in(folder).items() if content is not None}


def other_python(folder: Path, script: str = f'exec "{sys.executable}" "$@"') -> Path:
    """Write what is called as Python is."""
    folder.mkdir(parents=True, exist_ok=True)
    python = folder / "python"
    python.write_text(f"#!/bin/sh\n{script}\n")
    python.chmod(0o755)
    return python


def called(*command: str | Path, cwd: Path = SAMPLE, **variables: str) -> tuple[int, bytes, str]:
    """Run a command where nothing is set but these variables: exit code, output, errors."""
    finished = subprocess.run(command, cwd=cwd, capture_output=True, check=False, env=variables)
    return finished.returncode, finished.stdout, finished.stderr.decode("utf-8", "replace")


def check_words_arrive(*command: str | Path) -> None:
    code, out, errors = called(*command, "-n1", CONFIG, "two words")
    known = "known are: extract, lead, neural"
    assert errors.endswith(f"Error: no system 'two words' in CONFIG; {known}\n")
    assert (code, out) == (2, b"")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("homes") / "home"
    install_home(str(path), sys.executable)
    return path


@pytest.fixture(params=CALLS)
def shim(request: pytest.FixtureRequest, home: Path) -> Shim:
    """The script of a home, called by its name and by Perl."""
    return partial(called, *request.param, home / SCRIPT)


@pytest.mark.parametrize("is_there", [False, True])
def test_what_is_written(is_there: bool, run: Run, tmp_path: Path) -> None:
    home = tmp_path / "home"
    if is_there:
        home.mkdir()
    before = os.umask(0o027)
    try:
        finished = run("install-shim", "home", cwd=tmp_path)
    finally:
        os.umask(before)
    assert finished.err == (
        "Written. Where a program asks for the home of ROUGE-1.5.5, name:\n"
        f"  {os.path.realpath(tmp_path)}/home\n"
    )
    assert (finished.code, finished.out) == (0, b"")
    assert files_in(home) == FILES
    assert (home / SCRIPT).stat().st_mode & 0o777 == 0o750
    assert (home / "README.txt").stat().st_mode & 0o777 == 0o640
    assert (home / "data" / "smart_common_words.txt").read_bytes() == read_list(STOPWORDS)
    nouns = home / "data" / "WordNet-2.0-Exceptions" / "noun.exc"
    assert nouns.read_bytes() == read_list(EXCEPTIONS)
    assert os.listdir(tmp_path) == ["home"]


def test_the_same_bytes(shim: Shim, home: Path, run: Run, tmp_path: Path) -> None:
    options = ("-c", "95", "-2", "-1", "-U", "-r", "100", "-n", "4", "-w", "1.2", "-d", "-a", "-m")
    expected = run(*options, "-s", "config.xml", cwd=SAMPLE)
    assert (expected.code, expected.err) == (0, "")
    # What is set around it does not count, nor that a configuration has the name of a command.
    variables = dict.fromkeys(("PYTHONPATH", "PYTHONHOME", "PATH"), str(tmp_path))
    shutil.copytree(SAMPLE, tmp_path, dirs_exist_ok=True)
    (tmp_path / "config.xml").rename(tmp_path / "convert")
    given = ("convert", "-s", "-e", home / "data", *options)
    found = shim(*given, cwd=tmp_path, **variables)
    assert found == (0, expected.out, expected.doubts)


@with_scripts
@pytest.mark.parametrize(
    "name",
    ['it\'s perl5, $HOME `ls` "*" é', "a\nb\\", "x" * 200 + "/" + "y" * 200],
    ids=["marks", "newline", "long"],
)
def test_names_of_any_kind(name: str, tmp_path: Path) -> None:
    python = other_python(tmp_path / name)
    home = python.with_name("home")
    install_home(str(home), str(python))
    for command in [[], [PERL]] if PERL else [[]]:
        check_words_arrive(*command, home / SCRIPT)


@pytest.mark.parametrize("command", CALLS)
def test_a_link_to_the_script(command: list[str], home: Path, tmp_path: Path) -> None:
    (tmp_path / "rouge").symlink_to(home / SCRIPT)
    code, out, _ = called(*command, "./rouge", "-h", cwd=tmp_path)
    assert (code, out[:29]) == (0, b"Usage: rouge-cli score [OPTIO")


def test_warnings_and_errors_are_not_among_the_scores(shim: Shim, tmp_path: Path) -> None:
    write_files(tmp_path, {"list": "peer model\n", "peer": "a b\n"})
    options = ("-n1", "-x", "-t2", "-z", "SPL", "list")
    code, out, errors = shim(*options, cwd=tmp_path)
    assert (code, out) == (3, b"")
    assert errors.startswith("Error: list, line 1, text 1: model: ")
    (tmp_path / "model").write_text("\n")
    code, out, errors = shim(*options, cwd=tmp_path)
    assert b" M_count: 0 P_count: 2 H_count: 0\n" in out
    assert (code, errors.count("\n"), errors[:15]) == (0, 1, "Warning: text 1")


@pytest.mark.parametrize("command", CALLS)
def test_an_environment_that_is_gone(command: list[str], tmp_path: Path) -> None:
    python = other_python(tmp_path)
    install_home(str(tmp_path / "home"), str(python))
    python.unlink()
    found = called(*command, tmp_path / "home" / SCRIPT, "-n1", CONFIG)
    assert found == (3, b"", f"Error: {python} is gone; run rouge-cli install-shim again\n")


@with_perl
def test_script_for_windows(tmp_path: Path, run: Run) -> None:
    expected = run("-n1", "-m", "-a", "config.xml", cwd=SAMPLE)
    script = tmp_path / SCRIPT
    script.write_bytes(perl_script(sys.executable))
    found = called(str(PERL), script, "-n1", "-m", "-a", CONFIG)
    assert found == (0, expected.out, expected.doubts)
    check_words_arrive(str(PERL), script)


@with_perl
def test_script_for_windows_without_its_python(tmp_path: Path) -> None:
    script = tmp_path / SCRIPT
    # As Windows has it: backslashes, and a quote as in a user's name.
    python = r"C:\Users\O'Neil\new\python.exe"
    script.write_bytes(perl_script(python))
    code, out, errors = called(str(PERL), script, "-n1", CONFIG)
    problem = "No such file or directory; run rouge-cli install-shim again"
    assert (code, out) == (3, b"")
    assert errors == f"Error: {python} cannot be run: {problem}\n"


def test_an_earlier_home_is_renewed(run: Run, tmp_path: Path) -> None:
    assert run("install-shim", "home", cwd=tmp_path).code == 0
    home = tmp_path / "home"
    script = (home / SCRIPT).read_bytes()
    # Of another version and environment, with a list spoilt and another one lost.
    old = b"#!/bin/sh\n# Written by rouge-cli install-shim 0.0.1: and so on\nexec /gone\n"
    (home / SCRIPT).write_bytes(old)
    (home / "data" / "smart_common_words.txt").write_bytes(b"")
    (home / "data" / "WordNet-2.0.exc.db").unlink()
    (tmp_path / "link").symlink_to("home")
    assert run("install-shim", "link").code == 0
    assert files_in(home) == FILES
    assert (home / SCRIPT).read_bytes() == script
    assert (home / "data" / "smart_common_words.txt").stat().st_size
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "link"]
    assert (tmp_path / "link").is_symlink()


def test_other_files_in_an_earlier_home(run: Run, tmp_path: Path) -> None:
    assert run("install-shim", "home", cwd=tmp_path).code == 0
    home = tmp_path / "home"
    (home / "XML").mkdir()
    (home / "XML" / "notes\n.txt").write_bytes(b"mine")
    (home / "data" / "link").symlink_to(tmp_path)
    before = everything_in(home)
    assert run("install-shim", "home").refusal == (
        r"Error: home: holds more than install-shim writes: 'XML/notes\n.txt', data/link; move it "
        "away, or name a new folder"
    )
    assert everything_in(home) == before


@pytest.mark.parametrize("inside", [".", "data"])
def test_from_inside_a_home(inside: str, run: Run, tmp_path: Path) -> None:
    home = tmp_path / "home"
    install_home(str(home), sys.executable)
    problem = "the working directory, or around it; go elsewhere, as it is replaced"
    finished = run("install-shim", str(home), cwd=home / inside)
    assert finished.refusal == f"Error: {home}: {problem}"


def no_permission(*_: object) -> NoReturn:
    raise PermissionError(13, "Permission denied")


DENIED = "cannot be written: Permission denied"
PATCHES: dict[str, tuple[object, str]] = {
    # Asked of the system, as whoever runs the tests may be allowed everything.
    "os.access": (lambda path, mode: not mode & os.W_OK, "no permission to make folders in '{}'"),
    **dict.fromkeys(
        ("os.mkdir", "os.rename", "os.write", "os.fsync", "os.listdir"), (no_permission, DENIED)
    ),
    "rouge_cli.shim.SCRIPT_MODE": (
        0o666,
        "programs cannot run there: Permission denied; name a folder they can run from",
    ),
}


@pytest.mark.parametrize("patched", PATCHES)
def test_a_place_for_no_home(
    patched: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.name == "nt" and patched.endswith("SCRIPT_MODE"):
        pytest.skip("Windows runs no script by its name")
    replacement, problem = PATCHES[patched]
    if problem == DENIED:
        (tmp_path / "home").mkdir()
    before = everything_in(tmp_path)
    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(patched, replacement)
        finished = run("install-shim", "home")
    assert finished.refusal == f"Error: home: {problem.format(os.path.realpath(tmp_path))}"
    assert everything_in(tmp_path) == before


def test_an_interrupt(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr("rouge_cli.shim.check_script", interrupt)
    assert run("install-shim", "home", cwd=tmp_path).code == 130
    assert everything_in(tmp_path) == {}


@with_scripts
def test_a_python_without_what_it_needs(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As one that finds what it needs by PYTHONPATH alone.
    complaint = "Traceback\\nModuleNotFoundError: No module named click\\n"
    python = other_python(tmp_path, f"printf '{complaint}' >&2\nexit 1")
    monkeypatch.setattr("sys.executable", str(python))
    assert run("install-shim", "home", cwd=tmp_path).refusal == (
        "Error: home: ROUGE-1.5.5.pl would not start: ModuleNotFoundError: No module named "
        "click; install rouge-cli with pip into an environment, and call it from there"
    )
    assert not (tmp_path / "home").exists()


def test_a_folder_with_an_odd_name_is_lost(run: Run, tmp_path: Path) -> None:
    folder = os.path.realpath(tmp_path)
    assert run("install-shim", "no\nne/home", cwd=tmp_path).refusal == (
        rf"Error: 'no\nne/home': no folder '{folder}/no\nne'; make it first"
    )
