"""Runs that must not score: the exit code, an empty standard output, and all messages."""

from typing import Any

import pytest

from tests.cli.running import ROOT, Run, records_of

INVALID = ROOT / "fixtures" / "invalid"
RUNS, INPUTS = (records_of(INVALID / name) for name in ("runs.jsonl", "expected.jsonl"))


@pytest.mark.parametrize("case", RUNS, ids=[case["id"] for case in RUNS])
def test_invalid_run(case: dict[str, Any], run: Run) -> None:
    finished = run(*case["args"], cwd=INVALID / "runs")
    assert finished.error_lines == [f"Error: {error}" for error in case["errors"]]
    assert (finished.code, finished.out) == (case["exit"], b"")


@pytest.mark.parametrize("case", INPUTS, ids=[case["file"] for case in INPUTS])
def test_invalid_config_or_list(case: dict[str, Any], run: Run) -> None:
    path = INVALID / case["file"]
    options = ["-a"] if case["kind"] == "config" else ["-z", "SPL"]
    finished = run(*options, path.name, cwd=path.parent)
    assert finished.err == "".join(f"Error: {problem}\n" for problem in case["problems"])
    assert (finished.code, finished.out) == (3, b"")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("-n 2", "CONFIG"),
        ("-q good.xml one", "-q"),
        ("-nq good.xml one", "'q'"),
        ("-aq good.xml", "-q"),
        ("--max-gram 2 good.xml one", "--max-gram"),
        ("good.xml one -n", "-n"),
        ("--all=yes good.xml", "--all"),
        ("good.xml one two", "two"),
        ("selftest good.xml", "good.xml"),
        ("install-shim", "DIR"),
        # Options are checked before inputs.
        ("-t 3 gone.xml", "-t/--counting"),
    ],
)
def test_arguments_that_are_none(arguments: str, named: str, run: Run) -> None:
    # The words are Click's and change with it; what they name does not.
    finished = run(*arguments.split(), cwd=INVALID / "runs")
    assert finished.error_lines[-1].startswith("Error: ")
    assert named in finished.error_lines[-1]
    assert (finished.code, finished.out) == (2, b"")


def test_wrong_usage_shows_the_usage(run: Run) -> None:
    finished = run("-n", "0", "good.xml", cwd=INVALID / "runs")
    usage = (
        "Usage: rouge-cli score [OPTIONS] CONFIG [SYSTEM_ID]\n"
        "Try 'rouge-cli score --help' for help.\n\n"
    )
    # Click before 8.4 names the short option.
    assert finished.err.replace("score -h'", "score --help'").startswith(f"{usage}Error: ")


def test_the_good_inputs_are_good(run: Run) -> None:
    # Otherwise an error above might be another one than meant.
    finished = run("-n2", "-a", "good.xml", cwd=INVALID / "runs")
    assert (finished.code, finished.err) == (0, "")
    assert run("-z", "SPL", "good.lst").code == 0
    # Raw counts need no bootstrap.
    assert run("-r", "0", "-t", "2", "-n1", "good.xml", "one").code == 0


def test_names_like_commands_run_nothing(run: Run) -> None:
    folder = INVALID / "runs"
    before = sorted(folder.rglob("*"))
    run("-a", "commands.xml", cwd=folder)
    assert sorted(folder.rglob("*")) == before


def test_every_file_has_its_case() -> None:
    files = {f"{path.parent.name}/{path.name}" for path in INVALID.glob("[cl]*s/*")}
    assert files == {case["file"] for case in INPUTS}


def test_runs_have_names_of_their_own() -> None:
    assert len({case["id"] for case in RUNS}) == len(RUNS)
