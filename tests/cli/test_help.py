"""Help, version, and the ways to start."""

import re
import shlex
from pathlib import Path

import pytest

from rouge_cli.cli.group import COMMANDS, examples_of
from rouge_cli.options.options import ADD, OPTIONS
from tests.cli.running import SAMPLE, Run, rouge

USAGE = b"Usage: rouge-cli score [OPTIONS] CONFIG [SYSTEM_ID]\n"


def test_front_page(run: Run) -> None:
    finished = run("--help")
    assert (finished.code, finished.err) == (0, "")
    text = finished.out.decode()
    lines = text.splitlines()
    assert len(lines) <= 64
    assert max(map(len, lines[:40])) <= 80
    section = text.partition("\nCommands:\n")[2].partition("\n\n")[0]
    assert re.findall(r"^  (\S+)  ", section, re.MULTILINE) == list(COMMANDS)
    section = text.partition("\nCommon options:\n")[2].partition("\n\n")[0]
    assert len(re.findall(r"^  -", section, re.MULTILINE)) <= 14
    assert text.count("\n  rouge-cli ") == 4
    assert run("help").out == finished.out


@pytest.mark.parametrize("columns", [60, 80, 160])
def test_help_is_as_wide_as_the_terminal(
    columns: int, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for arguments in (["--help"], ["compare", "--help"]):
        lines = run(*arguments).out.decode().partition("\nExamples:")[0].splitlines()
        # Click leaves two columns, and where a word would not fit it goes on in the next line.
        assert columns - 22 < max(map(len, lines)) <= columns


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("page", [["--help"], ["-H"], *(["help", name] for name in COMMANDS)])
def test_no_line_is_wider_than_the_terminal(
    page: list[str], columns: int, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert max(map(len, run(*page).out.decode().splitlines())) <= columns


def test_a_command_without_examples() -> None:
    assert examples_of("unknown") == []


@pytest.mark.parametrize("columns", [40, 60, 200])
def test_examples_can_be_pasted(columns: int, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    short, long = (run(page).out.decode().replace("\\\n", "") for page in ("--help", "-H"))
    long = long.partition("\nText formats:\n")[2]
    commands = [shlex.split(line) for line in examples_of("")]
    examples = short.partition("\nExamples:\n")[2]
    found = [shlex.split(one) for one in re.findall(r"^  (rouge-cli .*)", examples, re.M)]
    assert found == commands
    commands = [shlex.split(line) for line in re.findall(r"^ +((?:rouge-cli|--).*)", long, re.M)]
    assert ["--peers", r"system/(\d+)_decoded.txt", "--models", "reference/#ID#_reference.txt"] in (
        commands
    )
    assert ["--require", "ROUGE-2:F>=0.18"] in [one[-2:] for one in commands]


def test_help_of_score(run: Run) -> None:
    finished = run("score", "-h")
    assert finished.out.startswith(USAGE)
    assert (finished.code, finished.err) == (0, "")
    for arguments in (["score", "--help"], ["-n", "2", "-h"], ["-n", "2", "--help"]):
        assert run(*arguments).out == finished.out
    # Help wins over whatever else is wrong.
    assert run("-n", "0", "--help").out == finished.out


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command(name: str, run: Run) -> None:
    finished = run("help", name)
    assert finished.out.startswith(f"Usage: rouge-cli {name} ".encode())
    assert (finished.code, finished.err) == (0, "")
    assert run(name, "--help").out == run(name, "-h").out == finished.out


def test_help_of_no_command(run: Run) -> None:
    assert run("help", "comprae").misuse == "Error: no command 'comprae'; did you mean 'compare'?"
    known = ", ".join(COMMANDS)
    assert run("help", "x").error_lines == [f"Error: no command 'x'; known are: {known}"]


@pytest.mark.parametrize(
    ("word", "meant"),
    [("comprae", "compare"), ("Corelate", "correlate"), ("jacknife", "jackknife")],
)
def test_misspelt_command(word: str, meant: str, run: Run, tmp_path: Path) -> None:
    finished = run(word, "x.jsonl", cwd=tmp_path)
    assert finished.misuse == f"Error: no command and no file '{word}'; did you mean '{meant}'?"
    # A file is a file, whatever its name is like.
    (tmp_path / word).write_bytes(b"")
    assert "did you mean" not in run(word).err


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("-n 2 compare a b", "compare -n 2 a b"),
        ("-m compare", "compare -m"),
        ("-m help", "help"),
        ("-n 2 help compare", "help compare"),
        ("--report json score 'x y.jsonl'", "score --report json 'x y.jsonl'"),
        ("-n 1 install-shim d", "install-shim -n 1 d"),
    ],
)
def test_a_command_behind_options(line: str, meant: str, run: Run, tmp_path: Path) -> None:
    words = shlex.split(line)
    finished = run(*words, cwd=tmp_path)
    word = meant.split(maxsplit=1)[0]
    assert finished.misuse == f"Error: no file '{word}'; the command comes first: rouge-cli {meant}"
    # A file is a file.
    (tmp_path / word).write_bytes(b"")
    assert "comes first" not in run(*words).err
    near = run("-n", "2", "comprae", "a b", cwd=tmp_path)
    assert near.error_lines == [
        "Error: no command and no file 'comprae'; did you mean: rouge-cli compare -n 2 'a b'"
    ]
    # What stands behind a command is none.
    assert "comes first" not in run("compare", "-n", "1", "correlate", cwd=tmp_path).err


def test_help_names_every_option(run: Run) -> None:
    text = run("score", "--help-all").out.decode()
    for option in (*(one for one in OPTIONS.values() if one.kind is None), ADD):
        names = ", ".join(filter(None, (option.letter, option.alias or option.long)))
        assert re.search(rf"^  {names}\b", text, re.MULTILINE), names
        assert f"{names} {option.metavar}" in text or not option.metavar


def test_long_help(run: Run) -> None:
    finished = run("-H")
    assert finished.out.startswith(USAGE)
    assert b"<ROUGE-EVAL" in finished.out
    assert (finished.code, finished.err) == (0, "")
    assert run("--help-all").out == finished.out


def test_python_m_is_the_same(run: Run) -> None:
    arguments = ["-n", "2", "-a", "config.xml"]
    expected = run(*arguments, cwd=SAMPLE)
    found = rouge(*arguments, cwd=SAMPLE)
    assert (found.stdout, found.returncode) == (expected.out, 0)
    assert found.stderr.decode() == expected.doubts
    assert rouge("--version").stdout == run("--version").out
    wrong = rouge("-n", "0", "config.xml")
    assert (wrong.stdout, wrong.returncode) == (b"", 2)
    assert wrong.stderr.startswith(USAGE)
