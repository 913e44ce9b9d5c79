"""Help, version, and the ways to start."""

import re
import shlex

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


@pytest.mark.parametrize("columns", [40, 60, 80, 160])
@pytest.mark.parametrize("page", [["--help"], ["-H"], *(["help", name] for name in COMMANDS)])
def test_help_is_as_wide_as_the_terminal(
    page: list[str], columns: int, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    text = run(*page).out.decode()
    assert max(map(len, text.splitlines())) <= columns
    if columns > 40 and page in (["--help"], ["help", "compare"]):
        # Click leaves two columns, and where a word would not fit it goes on in the next line.
        before_examples = text.partition("\nExamples:")[0]
        assert max(map(len, before_examples.splitlines())) > columns - 22


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


@pytest.mark.parametrize(
    "words",
    # Help wins over whatever else is wrong.
    ["score -h", "score --help", "-n 2 -h", "-n 2 --help", "-n 0 --help", "-H", "--help-all"],
)
def test_help_of_score(words: str, run: Run) -> None:
    finished = run(*words.split())
    assert finished.out.startswith(USAGE)
    assert (finished.code, finished.err) == (0, "")
    is_whole = words in {"-H", "--help-all"}
    assert (b"<ROUGE-EVAL" in finished.out) == is_whole
    assert finished.out == run(*(["-H"] if is_whole else ["score", "-h"])).out


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command(name: str, run: Run) -> None:
    finished = run("help", name)
    assert finished.out.startswith(f"Usage: rouge-cli {name} ".encode())
    assert (finished.code, finished.err) == (0, "")
    assert run(name, "--help").out == run(name, "-h").out == finished.out


def test_help_names_every_option(run: Run) -> None:
    text = run("score", "--help-all").out.decode()
    for option in (*(one for one in OPTIONS.values() if one.kind is None), ADD):
        names = ", ".join(filter(None, (option.letter, option.alias or option.long)))
        assert re.search(rf"^  {names}\b", text, re.MULTILINE), names
        assert f"{names} {option.metavar}" in text or not option.metavar


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
