"""What README and PARITY promise of runs, and the tests and runs that PARITY names."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rouge_cli import __version__
from rouge_cli.cli.group import cli
from rouge_cli.options.options import OPTIONS
from tests.cli.running import rouge

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "fixtures" / "sample"
PARITY = (ROOT / "PARITY.md").read_text("utf-8")
SAMPLE_README = (SAMPLE / "README.md").read_text("utf-8")
NO_HOMES = {"ROUGE_EVAL_HOME": None, "RED_EVAL_HOME": None}
LONG_NAMES = {option.letter: option.long for option in OPTIONS.values() if option.letter}
SENTENCES = b"The ferry ran aground.\nNobody was hurt."


def run(line: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Result:
    program, *arguments = shlex.split(line)
    assert program == "rouge-cli"
    monkeypatch.chdir(folder)
    return CliRunner(env=NO_HOMES).invoke(cli, arguments, prog_name="rouge-cli")


def test_other_names_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = run("rouge-cli -n 1 -a config.xml", SAMPLE, monkeypatch)
    named = run("rouge-cli score -n 1 -a config.xml", SAMPLE, monkeypatch)
    assert named.output == expected.output
    module = rouge("-n", "1", "-a", "config.xml", cwd=SAMPLE, check=True)
    assert module.stdout == expected.stdout_bytes


def test_commands_of_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    commands = re.findall(r"^    (rouge-cli .*)", SAMPLE_README, re.MULTILINE)
    assert commands
    for line in commands:
        assert run(line, SAMPLE, monkeypatch).exit_code == 0


def test_score_worked_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    line, printed = re.findall(r"`(rouge-cli .*?)` prints.*?\n\n    (.*)", SAMPLE_README)[0]
    assert printed in run(line, SAMPLE, monkeypatch).stdout.splitlines()


@pytest.mark.parametrize(
    "options",
    [
        "-n 0",
        "-n two",
        "-n 1001",
        "-f C",
        "-t 3",
        "-p 2",
        "-c 101",
        "-w 0",
        "-l -1",
        "-3 X",
        "-z TXT",
        "-r 0",
        "-r 10000001",
    ],
)
def test_bad_values_are_usage_errors(options: str, monkeypatch: pytest.MonkeyPatch) -> None:
    result = run(f"rouge-cli {options} -a config.xml", SAMPLE, monkeypatch)
    assert result.exit_code == 2
    letter, value = options.split()
    assert f"{letter}/{LONG_NAMES[letter]}: found '{value}', expected " in result.output
    assert "Average" not in result.output


def test_skip_unigram_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    both = run("rouge-cli -x -2 4 -u -U -a config.xml", SAMPLE, monkeypatch)
    assert both.output == run("rouge-cli -x -2 4 -u -a config.xml", SAMPLE, monkeypatch).output
    assert set(re.findall(r"ROUGE-\S+", both.output)) == {"ROUGE-SU4"}


def test_basic_elements_go_without_lcs(monkeypatch: pytest.MonkeyPatch) -> None:
    golden = ROOT / "fixtures" / "golden" / "corpora" / "be"
    result = run("rouge-cli -3 HM -a config.xml", golden, monkeypatch)
    assert set(re.findall(r"ROUGE-\S+", result.stdout)) == {"ROUGE-BE-HM"}


def test_everything_is_checked_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The file that is missing is one of the last.
    shutil.copytree(SAMPLE, tmp_path, dirs_exist_ok=True)
    (tmp_path / "peers" / "harvest.neural.txt").unlink()
    result = run("rouge-cli -n 1 -a config.xml", tmp_path, monkeypatch)
    assert result.exit_code == 3
    assert result.output == (
        "Error: config.xml, line 51, EVAL 4: peers/harvest.neural.txt: no such file\n"
    )
    assert run("rouge-cli -n 1", tmp_path, monkeypatch).exit_code == 2


def test_unknown_system(monkeypatch: pytest.MonkeyPatch) -> None:
    result = run("rouge-cli -n 1 config.xml nobody", SAMPLE, monkeypatch)
    assert result.exit_code == 2
    assert result.output.endswith(
        "no system 'nobody' in CONFIG; known are: extract, lead, neural\n"
    )


def test_absent_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(SAMPLE, tmp_path, dirs_exist_ok=True)
    config = tmp_path / "config.xml"
    text = config.read_text("utf-8").replace('<P ID="lead">bridge.lead.txt</P>', "")
    config.write_text(text, "utf-8")
    result = run("rouge-cli -n 2 -d config.xml lead", tmp_path, monkeypatch)
    assert result.exit_code == 0
    assert [line.split(".")[0] for line in scores(result)] == ["1", "3", "4"] * 3
    warnings = re.findall("^Warning: .*", result.output, re.MULTILINE)
    assert warnings == ["Warning: EVAL 2: system lead has no peer; the EVAL does not count for it"]


def test_file_names_are_never_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lost.lst").write_text("touch${IFS}ran| >ran\n", "utf-8")
    result = run("rouge-cli -n 1 -z SPL lost.lst", tmp_path, monkeypatch)
    assert result.exit_code == 3
    assert result.output == (
        "Error: lost.lst, line 1, EVAL 1: touch${IFS}ran|: no such file\n"
        "Error: lost.lst, line 1, EVAL 1: >ran: no such file\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["lost.lst"]


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
    assert scores(result) == [
        "1.X R:0.00000 P:0.00000 F:0.00000",
        "2.X R:0.50000 P:1.00000 F:0.66667",
    ]
    assert "Warning: EVAL 1: empty: no tokens\n" in result.output


def test_equal_numbers_stand_in_byte_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(SAMPLE, tmp_path, dirs_exist_ok=True)
    config = tmp_path / "config.xml"
    text = config.read_text("utf-8")
    for old, new in (("1", "7b"), ("2", "07"), ("3", "7a"), ("4", "6")):
        text = text.replace(f'EVAL ID="{old}"', f'EVAL ID="{new}"')
    config.write_text(text, "utf-8")
    result = run("rouge-cli -n 1 -x -d config.xml lead", tmp_path, monkeypatch)
    assert [line.split(".")[0] for line in scores(result)] == ["6", "07", "7a", "7b"]


def test_diagnostics_leave_the_scores_alone() -> None:
    command = [sys.executable, "-m", "rouge_cli", "-n", "1", "-a", "config.xml"]
    quiet, verbose = (
        subprocess.run(
            [*command, *more],
            cwd=SAMPLE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=True,
        )
        for more in ([], ["-v"])
    )
    assert verbose.stdout == quiet.stdout
    assert quiet.stderr == b""
    assert verbose.stderr != b""


def test_data_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(SAMPLE, tmp_path, dirs_exist_ok=True)
    expected = run("rouge-cli -n 1 -m -s -a config.xml", tmp_path, monkeypatch).output
    home = tmp_path / "data"
    home.mkdir()
    command = "rouge-cli -n 1 -m -s -a -e data config.xml"
    # Only the database: built-in lists, and a warning for each.
    (home / "WordNet-2.0.exc.db").write_bytes(b"\0" * 512)
    result = run(command, tmp_path, monkeypatch)
    assert result.output.endswith(expected)
    assert result.output.removesuffix(expected) == (
        "Warning: data/smart_common_words.txt: no such file; the built-in stopwords are used\n"
        "Warning: data/WordNet-2.0.exc.db: not read; the built-in exception table is used\n"
    )
    # Lists of its own take the place of the built-in ones.
    (home / "smart_common_words.txt").write_text("ferry\n", "utf-8")
    exceptions = home / "WordNet-2.0-Exceptions"
    exceptions.mkdir()
    for name in ("adj", "noun", "verb", "adv"):
        (exceptions / f"{name}.exc").write_text("small large\n", "utf-8")
    result = run(command, tmp_path, monkeypatch)
    assert result.exit_code == 0
    assert "Warning" not in result.output
    assert result.output != expected
    # -e goes before the environment.
    monkeypatch.chdir(tmp_path)
    for homes in (
        {"ROUGE_EVAL_HOME": "data", "RED_EVAL_HOME": "nowhere"},
        {"ROUGE_EVAL_HOME": None, "RED_EVAL_HOME": "data"},
    ):
        arguments = ["-n", "1", "-m", "-s", "-a", "config.xml"]
        assert CliRunner(env=homes).invoke(cli, arguments).output == result.output
    result = run(command.replace("data", "nowhere"), tmp_path, monkeypatch)
    assert result.exit_code == 3
    assert "-e/--data-dir: 'nowhere' is not a directory" in result.output


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


def test_changelog_has_this_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.search(rf"^## {re.escape(__version__)}\b", changelog, re.MULTILINE)
