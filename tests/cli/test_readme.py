"""The promises of README and PARITY about runs, and the tests and runs that PARITY names."""

import re
import shlex

from rouge_cli import __version__
from tests.cli.running import ROOT, SAMPLE, Run

PARITY = (ROOT / "PARITY.md").read_text("utf-8")
SAMPLE_README = (SAMPLE / "README.md").read_text("utf-8")


def test_commands_of_the_sample(run: Run) -> None:
    commands = re.findall(r"^    rouge-cli (.*)", SAMPLE_README, re.MULTILINE)
    assert commands
    for words in commands:
        assert run(*shlex.split(words), cwd=SAMPLE).code == 0


def test_score_worked_by_hand(run: Run) -> None:
    words, printed = re.findall(r"`rouge-cli (.*?)` prints.*?\n\n    (.*)", SAMPLE_README)[0]
    assert printed in run(*shlex.split(words), cwd=SAMPLE).out.decode().splitlines()


def test_golden_cases_of_parity_exist() -> None:
    named = set(re.findall(r"\b[0-9]{4}-[a-z-]+\b", PARITY))
    assert named
    for case in named:
        assert (ROOT / "fixtures" / "golden" / "expected" / f"{case}.out").is_file(), case


def test_tests_of_parity_exist() -> None:
    named = set(re.findall(r"`([\w/-]+\.(?:py|txt))(?:::(\w+))?`", PARITY))
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
