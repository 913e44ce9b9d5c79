"""What README and PARITY promise of runs, and the tests and runs that PARITY names."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rouge_cli import __version__
from rouge_cli.cli.group import cli

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "fixtures" / "sample"
PARITY = (ROOT / "PARITY.md").read_text("utf-8")
SAMPLE_README = (SAMPLE / "README.md").read_text("utf-8")
NO_HOMES = {"ROUGE_EVAL_HOME": None, "RED_EVAL_HOME": None}


def run(line: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Result:
    program, *arguments = shlex.split(line)
    assert program == "rouge-cli"
    monkeypatch.chdir(folder)
    return CliRunner(env=NO_HOMES).invoke(cli, arguments, prog_name="rouge-cli")


def test_commands_of_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    commands = re.findall(r"^    (rouge-cli .*)", SAMPLE_README, re.MULTILINE)
    assert commands
    for line in commands:
        assert run(line, SAMPLE, monkeypatch).exit_code == 0


def test_score_worked_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    line, printed = re.findall(r"`(rouge-cli .*?)` prints.*?\n\n    (.*)", SAMPLE_README)[0]
    assert printed in run(line, SAMPLE, monkeypatch).stdout.splitlines()


def test_skip_unigram_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    both = run("rouge-cli -x -2 4 -u -U -a config.xml", SAMPLE, monkeypatch)
    assert both.output == run("rouge-cli -x -2 4 -u -a config.xml", SAMPLE, monkeypatch).output
    assert set(re.findall(r"ROUGE-\S+", both.output)) == {"ROUGE-SU4"}


def scores(result: Result) -> list[str]:
    return re.findall(r"Eval (.*)", result.stdout)


def test_model_without_tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # ROUGE-W of "a b" against itself: base 4, counts 16 and 4, hit 4; the roots of 4/16 and 4/4.
    # F = 0.5 / 0.75.
    (tmp_path / "p").write_text("a b\n", "utf-8")
    (tmp_path / "empty").write_text("- ?\n", "utf-8")
    (tmp_path / "files.lst").write_text("p empty\np p\n", "utf-8")
    result = run("rouge-cli -x -w 2 -d -z SPL files.lst", tmp_path, monkeypatch)
    assert result.exit_code == 0
    assert scores(result)[0] == "1.X R:0.00000 P:0.00000 F:0.00000"
    assert scores(result)[1:] == ["2.X R:0.50000 P:1.00000 F:0.66667"]
    assert "Warning: text 1: empty: no tokens\n" in result.output


def test_golden_cases_of_parity_exist() -> None:
    named = set(re.findall(r"\b[0-9]{4}-[a-z-]+\b", PARITY))
    assert named
    for case in named:
        assert (ROOT / "fixtures" / "golden" / "expected" / f"{case}.out").is_file(), case


def test_tests_of_parity_exist() -> None:
    named = set(re.findall(r"`([\w/]+\.py)(?:::(\w+))?`", PARITY))
    assert named
    for file, function in named:
        source = (ROOT / "tests" / file).read_text("utf-8")
        assert re.search(rf"^def {function}\(", source, re.MULTILINE) or not function, function


def test_tests_named_in_the_documentation_exist() -> None:
    tests = "\n".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py"))
    pages = [(ROOT / "docs" / name).read_text("utf-8") for name in ("reliability.md", "parity.md")]
    named = set(re.findall(r"`(?:tests/[\w/.]+::)?(test_\w+)`", "".join(pages)))
    assert named
    assert [name for name in sorted(named) if f"def {name}(" not in tests] == []


def test_changelog_has_this_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.search(rf"^## {re.escape(__version__)}\b", changelog, re.MULTILINE)
