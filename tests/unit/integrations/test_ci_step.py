"""The step of a job on a CI system, with a runner's files made up."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from rouge_cli.ci import FORMATS, ci_format

ROOT = Path(__file__).parents[3]
VARIABLES = {ci.variable[0] for ci in FORMATS.values()}
RECORD = '{"id": "1", "prediction": "the cat sat", "reference": "the cat sat on the mat"}\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "runner").mkdir()
    (tmp_path / "a b.jsonl").write_text(RECORD, "utf-8")
    return tmp_path


def step(
    folder: Path, arguments: str, system: str = "github"
) -> "subprocess.CompletedProcess[str]":
    variable, value = FORMATS[system].variable
    runner = folder / "runner"
    return subprocess.run(
        [sys.executable, "-m", "rouge_cli.integrations.ci_step"],
        cwd=folder,
        env={
            **{name: os.environ[name] for name in os.environ if name not in VARIABLES},
            "PYTHONPATH": str(ROOT),
            variable: value,
            "GITHUB_OUTPUT": str(runner / "output"),
            "GITHUB_STEP_SUMMARY": str(runner / "summary"),
            "ROUGE_ARGUMENTS": arguments,
            ci_format({variable: value}).folder: str(runner),
        },
        capture_output=True,
        text=True,
        check=False,
    )


def test_scores_that_are_as_required(folder: Path) -> None:
    finished = step(folder, "-n 1 \\\n'a b.jsonl' --require 'ROUGE-1:R>=0.5' --no-figures")
    assert (finished.returncode, finished.stderr) == (0, "")
    summary = (folder / "runner" / "summary").read_text("utf-8")
    assert summary == f"## ROUGE\n\n{finished.stdout}\n"
    assert finished.stdout.startswith("As required: 1 check passed.\n\n| System |")
    written = (folder / "runner" / "output").read_text("utf-8")
    outputs = dict(line.split("=", maxsplit=1) for line in written.splitlines())
    assert set(outputs) == {"scores", "page"}
    # Three of six words.
    report = json.loads(Path(outputs["scores"]).read_text("utf-8"))
    assert report["systems"][0]["metrics"]["ROUGE-1"]["recall"]["mean"] == 0.5
    assert Path(outputs["page"]).read_text("utf-8").startswith("<!DOCTYPE html>")


def test_scores_that_are_too_low(folder: Path) -> None:
    finished = step(folder, "'a b.jsonl' --require 'ROUGE-L:F>=0.9' --no-figures")
    assert finished.returncode == 1
    assert "::error" in finished.stdout + finished.stderr
    assert "required >= 0.9" in finished.stdout + finished.stderr
    # What was scored is there to look at.
    assert (folder / "runner" / "summary").exists()
    assert len(list((folder / "runner").glob("*/rouge.html"))) == 1
    # Another step of the job has files of its own.
    step(folder, "'a b.jsonl' --no-figures")
    assert len(list((folder / "runner").glob("*/rouge.html"))) == 2


def test_scores_on_azure(folder: Path) -> None:
    finished = step(folder, "'a b.jsonl' --require 'ROUGE-L:F>=0.9' --no-figures", "azure")
    assert finished.returncode == 1
    assert finished.stderr.startswith("##vso[task.logissue type=error]rouge-cli: a b ROUGE-L F: ")
    table, commands = finished.stdout.split("##vso[", 1)
    (summary,) = (folder / "runner").glob("*/rouge.md")
    assert table == summary.read_text("utf-8")
    scores, page = (summary.with_name(f"rouge.{suffix}") for suffix in ("json", "html"))
    assert commands.splitlines() == [
        f"task.uploadsummary]{summary}",
        f"##vso[task.setvariable variable=scores;isOutput=true]{scores}",
        f"##vso[task.setvariable variable=page;isOutput=true]{page}",
    ]


def test_scores_on_gitlab(folder: Path) -> None:
    finished = step(folder, "'a b.jsonl' --require 'ROUGE-L:F>=0.9' --no-figures", "gitlab")
    assert finished.returncode == 1
    assert finished.stderr.startswith("Failed: a b ROUGE-L F: ")
    # Reading as text has made a line's end of the carriage return.
    assert re.fullmatch(
        r"\x1b\[0Ksection_start:\d+:rouge\n\x1b\[0KROUGE\n"
        r"Not as required: 1 of 1 check failed .*\n\n\| System \|.*\n"
        r"\x1b\[0Ksection_end:\d+:rouge\n\x1b\[0K\n",
        finished.stdout,
        re.DOTALL,
    )
    assert len(list((folder / "runner").glob("*/rouge.html"))) == 1


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ("lost.jsonl", 3, "lost.jsonl: no such file"),
        ("'a b.jsonl", 2, "arguments: No closing quotation"),
        ("'a b.jsonl' --max-ngram=x", 2, "-n/--max-ngram: found 'x'"),
    ],
)
def test_runs_that_fail(folder: Path, arguments: str, code: int, message: str) -> None:
    finished = step(folder, arguments)
    assert finished.returncode == code
    assert message in finished.stdout + finished.stderr
    assert not (folder / "runner" / "output").exists()
    assert not (folder / "runner" / "summary").exists()
