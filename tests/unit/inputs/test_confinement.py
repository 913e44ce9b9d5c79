"""Texts outside of the folder of the configuration, links resolved."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from rouge_cli.errors import InputError
from rouge_cli.inputs.patterns import pair_files
from rouge_cli.inputs.text_files import FileEval, FileInput, NamedFiles, TextFile, folder_of
from rouge_cli.options.options import Options

CONFIG = "in/config.xml"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: folders ``in``, ``inside-out`` and ``out`` with files and links."""
    for name in ("in/deep", "inside-out", "out"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "text").write_bytes(b"a\n")
    (tmp_path / "in" / "config.xml").write_bytes(b"")
    (tmp_path / "in" / "link").symlink_to("deep/text")
    (tmp_path / "in" / "link-out").symlink_to("../out/text")
    (tmp_path / "in" / "folder-out").symlink_to("../out")
    (tmp_path / "in" / "loop").symlink_to("loop")
    (tmp_path / "way-in").symlink_to("in")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def one(*names: str) -> list[FileEval]:
    return several(names)


def several(*evals: Sequence[str]) -> list[FileEval]:
    """Return EVALs of which each has the first name as its peer, all others as its models."""
    files = [[TextFile(name, line=n) for n, name in enumerate(names, 1)] for names in evals]
    return [FileEval("D1", {"s": peer}, tuple(models)) for peer, *models in files]


def check_confined(evals: list[FileEval], folders: Sequence[str], config: str | None) -> None:
    options = Options.of({"confine": True})
    named = NamedFiles(config or "folders", evals, ("s",), folders, config is not None)
    FileInput(named, options.inputs, options.metrics)


def check(config: str, evals: list[FileEval]) -> None:
    name = "standard input" if config == "-" else config
    check_confined(evals, [folder_of(config)], name)


@pytest.mark.parametrize(
    "name",
    [
        "in/text",
        "in/./deep/text",
        "in/deep/../text",
        "way-in/text",
        "in/link",
        "in/none",
        "in/loop",
    ],
)
def test_inside(name: str, home: Path) -> None:
    check(CONFIG, one(name, str(home / name)))
    check("way-in/config.xml", one(name))


@pytest.mark.parametrize(
    "name",
    [
        *("out/text", "in/../out/text", "in/link-out", "in/folder-out/text", "in/folder-out/none"),
        *("/etc/passwd", "text", "inside-out/text", "in/..", "in/folder-out/."),
    ],
)
def test_outside(name: str, home: Path) -> None:
    with pytest.raises(InputError) as caught:
        check(CONFIG, one("in/text", name))
    assert caught.value.problems == (
        f"in/config.xml, line 2, text D1: {name}: outside of {home}/in, where --confine keeps a "
        "run",
    )


def test_all_that_are_outside(home: Path) -> None:
    with pytest.raises(InputError) as caught:
        check(CONFIG, one("out/a", "in/text", "out/b\x9b", "out/a"))
    assert [problem.split(":")[1] for problem in caught.value.problems] == [
        *(" out/a", " 'out/b\\x9b'", " out/a")
    ]


@pytest.mark.parametrize("config", ["-", "/dev/stdin"])
def test_standard_input_is_in_the_working_directory(
    config: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os.path, "isfile", lambda path: False)
    monkeypatch.chdir(home / "in")
    check(config, one("text"))
    with pytest.raises(InputError) as caught:
        check(config, one("../out/text"))
    name = "standard input" if config == "-" else config
    (problem,) = caught.value.problems
    assert problem.startswith(f"{name}, line 1, text D1: ../out/text: outside of {home}/in, ")


def test_the_root_folder_holds_all(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    check("-", one(str(home / "out" / "text")))


def test_several_folders(home: Path) -> None:
    folders = ["in", "inside-out"]
    check_confined(one("in/text", "inside-out/text", "in/link"), folders, None)
    with pytest.raises(InputError) as caught:
        check_confined(several(["in/link-out"], ["in/text", "out/text"]), folders, None)
    place = f"outside of {home}/in and {home}/inside-out, where --confine keeps a run"
    assert caught.value.problems == (
        f"text D1: in/link-out: {place}",
        f"text D1: out/text: {place}",
    )


@pytest.mark.usefixtures("home")
def test_folders_of_patterns() -> None:
    pairing, folders = pair_files([r"in/deep/(\w+)"], ["inside-out/#ID#"])
    assert list(pairing.peers) == ["text"]
    assert folders == ["in/deep/", "inside-out/"]
