"""Every report from the command line."""

import csv
import json
import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

from rouge_cli import __version__
from rouge_cli.cli import output
from rouge_cli.reports.writers.text import display_width
from tests.cli.running import ROOT, SAMPLE, Run

REPORTS = ("table", "json", "csv", "markdown", "latex")
SIGNATURE = (
    f"rouge-cli:{__version__}|like:1.5.5|n:2|L|sent:newline|stem:porter155+wn2.0|stop:no|limit:no|"
    "formula:A|alpha:0.5|count:eval|resamples:1000|confidence:95"
)


@pytest.mark.parametrize("kind", REPORTS)
@pytest.mark.parametrize("more", [[], ["-d"]], ids=["all", "per-eval"])
def test_every_report_has_the_signature(kind: str, more: list[str], run: Run) -> None:
    finished = run("-n2", "-m", "-a", *more, "--report", kind, "config.xml", cwd=SAMPLE)
    assert (finished.err, finished.code) == ("", 0)
    text = finished.out.decode("utf-8")
    assert SIGNATURE in text.replace("|\n", "|")
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert all(system in text for system in ("neural", "extract", "lead"))


def test_the_same_numbers_as_the_original(run: Run) -> None:
    original = run("-n2", "-m", "-a", "config.xml", cwd=SAMPLE).out.decode()
    expected = re.findall(r"^(\w+) (\S+) Average_(.): (\S+) \(\S+ (\S+) - (\S+)\)", original, re.M)
    assert len(expected) == 27
    printed = run("-n2", "-m", "-a", "--report", "csv", "config.xml").out.decode()
    rows = [
        (
            row["system"],
            row["metric"],
            row["measure"][0].upper(),
            *(f"{float(row[name]):.5f}" for name in ("bootstrap_mean", "lower", "upper")),
        )
        for row in csv.DictReader(StringIO(printed))
    ]
    assert rows == expected
    report = json.loads(run("-n2", "-m", "-a", "--report", "json", "config.xml").out)
    assert [
        (system["id"], metric, name[0].upper(), f"{scores[name]['bootstrap_mean']:.5f}")
        for system in report["systems"]
        for metric, scores in system["metrics"].items()
        for name in ("recall", "precision", "f_measure")
    ] == [row[:4] for row in expected]


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no terminals here")
@pytest.mark.parametrize(
    ("variables", "is_bold"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
    ids=str,
)
def test_a_terminal(variables: dict[str, str], is_bold: bool) -> None:
    import pty

    leader, follower = pty.openpty()
    environment = {"PATH": os.environ["PATH"], "TERM": "xterm", "COLUMNS": "60"} | variables
    finished = subprocess.run(
        [sys.executable, "-m", "rouge_cli", "-a", "--report", "table", "config.xml"],
        cwd=SAMPLE,
        env=environment | {"PYTHONPATH": str(ROOT)},
        stdout=follower,
        stderr=subprocess.PIPE,
        check=True,
    )
    os.close(follower)
    printed = os.read(leader, 100_000).decode()
    os.close(leader)
    assert finished.stderr == b""
    assert ("\x1b[1m" in printed) == is_bold
    assert ("^" in printed) == (not is_bold)
    # The signature is folded at the width of the terminal.
    assert max(len(line) for line in printed.splitlines() if line.startswith("rouge-cli")) <= 60


WIDE = ("-n4", "-w1.2", "-m", "-a", "--report", "table", "config.xml")


@pytest.mark.parametrize(
    ("columns", "width"),
    [("150", 150), ("60", 60), *((odd, 80) for odd in ("", "0", "-5", "wide", "9" * 5000))],
    ids=lambda value: str(value)[:5],
)
def test_what_is_piped_is_as_wide_as_columns_says(
    columns: str, width: int, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    printed = run(*WIDE, cwd=SAMPLE).out.decode()
    assert width - 50 < max(map(len, printed.splitlines())) <= width
    # A file is as wide wherever it is written.
    run(*WIDE, "-o", str(tmp_path / "t.txt"))
    assert output.WIDTH_IN_FILES == 80
    assert 70 < max(map(len, (tmp_path / "t.txt").read_text("utf-8").splitlines())) <= 80


STUDIES = {
    "compare": ("compare", "-n2", "records.jsonl"),
    "equivalence": ("compare", "-n2", "--equivalence", "0.1", "records.jsonl"),
    "correlate": (
        *("correlate", "--judgements", "judgements.csv", "--judgement", "coverage"),
        *("-r", "50", "-n2", "records.jsonl"),
    ),
    "plan": (
        *("plan", "-n1", "-x", "--system-id", "neural", "--system-id", "extract"),
        *("--difference", "0.1", "records.jsonl"),
    ),
    "context": ("context", "--sources", "lead", "-n2", "records.jsonl"),
    "identify": ("identify", "--published", "ROUGE-1=50", "--system-id", "lead", "records.jsonl"),
    "protocols": ("protocols", "--compare", "records.jsonl"),
    "explain": ("explain", "-n1", "-m", "--eval", "1", "config.xml"),
    "score": ("-n2", "-d", "-a", "config.xml", "--report", "table", "--letters"),
}


@pytest.mark.parametrize("width", [40, 60, 80])
@pytest.mark.parametrize("command", STUDIES)
def test_no_table_is_wider_than_columns_says(
    command: str, width: int, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    if command == "correlate":
        pytest.importorskip("scipy")
    monkeypatch.setenv("COLUMNS", str(width))
    finished = run(*STUDIES[command], cwd=SAMPLE)
    assert finished.code == 0
    widths = [display_width(line) for line in finished.out.decode().splitlines()]
    assert width - 10 < max(widths) <= width


def test_a_comparison_that_is_split_keeps_names_and_numbers(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = {}
    for width in (40, 80):
        monkeypatch.setenv("COLUMNS", str(width))
        printed[width] = run("compare", "-n1", "-x", "config.xml", cwd=SAMPLE).out.decode()
    wide, narrow = ({*re.findall(r"-?\d\.\d{4}", text)} for text in printed.values())
    assert wide == narrow
    # Each part begins with the names.
    assert len(re.findall("^A +B ", printed[40], re.MULTILINE)) == 3


@pytest.mark.parametrize("kind", REPORTS)
@pytest.mark.parametrize("command", ["compare", "correlate", "plan", "context"])
def test_what_a_report_is_made_with(command: str, kind: str, run: Run, tmp_path: Path) -> None:
    if command == "correlate":
        pytest.importorskip("scipy")
    seed = ["--seed", "424242"] if command in {"compare", "correlate", "plan"} else []
    words = (*STUDIES[command], *seed, "--report", kind.upper())
    printed = run(*words, cwd=SAMPLE)
    assert (printed.code, printed.err.count("Error")) == (0, 0)
    text = printed.out.decode()
    assert re.search(r"rouge-cli:[0-9.]+\|like:1\.5\.5\|n:", text)
    assert ("424242" in text) == bool(seed)
    written = run(*words, "-o", str(tmp_path / "out"))
    assert (written.code, written.out) == (0, b"")
    assert (tmp_path / "out").read_bytes() == printed.out
