"""Modules loaded at start: no command loads one that it does not need."""

import pytest

from tests.cli.running import SAMPLE, python

MODULES = "import sys; print('\\n'.join(sys.modules), file=sys.stderr)"
RUN = f"""
import sys
from rouge_cli.cli.main import main
try:
    main()
finally:
    {MODULES}
"""
ALWAYS_LATE = {
    *("rich", "nltk", "hypothesis", "pytest", "setuptools", "importlib.metadata", "sacrebleu"),
}
STUDIES = {
    "rouge_cli.studies.score.thresholds",
    "rouge_cli.studies.compare.comparison",
    "statistics",
}
PROCESSES = {"multiprocessing", "concurrent", "concurrent.futures", "socket", "selectors"}


def modules_of(program: str, *arguments: str) -> set[str]:
    finished = python("-c", program, *arguments, cwd=SAMPLE, check=True)
    return set(finished.stderr.decode().splitlines())


BARE = modules_of(MODULES)


def loaded_by(*arguments: str) -> set[str]:
    """Return what a run of ``rouge-cli`` loads and a bare interpreter does not."""
    return modules_of(RUN, *arguments) - BARE


def test_version() -> None:
    loaded = loaded_by("--version")
    assert not loaded & ({"numpy", "defusedxml", "xml"} | ALWAYS_LATE | PROCESSES)
    assert {name for name in loaded if name.startswith("rouge_cli")} == {
        "rouge_cli", "rouge_cli.atomic_files", "rouge_cli.ci", "rouge_cli.cli",
        "rouge_cli.cli.process", "rouge_cli.cli.group", "rouge_cli.cli.main", "rouge_cli.errors",
        "rouge_cli.escapes", "rouge_cli.studies", "rouge_cli.studies.study", "rouge_cli.version",
    }  # fmt: skip


@pytest.mark.parametrize(
    "arguments", [["--help"], ["-H"], ["help", "correlate"], ["completion", "zsh"]], ids=" ".join
)
def test_help(arguments: list[str]) -> None:
    loaded = loaded_by(*arguments)
    assert "rouge_cli.options" in loaded
    assert not loaded & ({"numpy", "defusedxml", "xml"} | ALWAYS_LATE | PROCESSES)
    assert "rouge_cli.scores" not in loaded


@pytest.mark.parametrize(
    "arguments",
    [
        ["-n", "2", "-m", "-s", "-w", "1.2", "-2", "4", "-a", "config.xml"],
        ["-n", "2", "--jobs", "1", "-z", "SPL", "files.lst"],
        ["-n", "2", "--jobs", "2", "-z", "SPL", "files.lst"],
        ["-n", "2", "--peer-lines", "lines/lead.txt", "--model-lines", "lines/A.txt"],
    ],
    ids=["config", "list", "too-little-for-two", "lines"],
)
def test_run(arguments: list[str]) -> None:
    loaded = loaded_by(*arguments)
    assert {"numpy", "rouge_cli.run.pipeline"} <= loaded
    assert not loaded & (ALWAYS_LATE | PROCESSES | STUDIES)


def test_package() -> None:
    loaded = modules_of(f"import rouge_cli; {MODULES}") - BARE
    assert {name for name in loaded if name.startswith("rouge_cli")} == {
        "rouge_cli",
        "rouge_cli.errors",
        "rouge_cli.version",
    }
    assert not loaded & ({"click", "numpy", "defusedxml", "xml"} | ALWAYS_LATE | PROCESSES)


def test_scores_in_python() -> None:
    program = f"import rouge_cli; rouge_cli.score('a', ['a'], stem=True); {MODULES}"
    loaded = modules_of(program) - BARE
    assert "numpy" in loaded
    late = {"click", "json", "csv", "pandas", "rouge_cli.reports"}
    assert not loaded & (late | ALWAYS_LATE | PROCESSES)
