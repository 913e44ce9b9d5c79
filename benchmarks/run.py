"""Measure everything and write the tables: ``python -m benchmarks.run [full|quick] [FOLDER ...]``.

A full trial writes the tables into README.md here, a quick one into a copy of it in ``.work``. Real
texts in the folders are measured too; without any, their table stays as it is. Only the standard
library is needed: whatever is measured runs in processes of the trial's environment.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.compare_sets import COLUMNS as SET_COLUMNS
from benchmarks.environment import ROOT, SINGLE_THREADED, WORK, install, machine
from benchmarks.report import COMPARISON, filled, table
from benchmarks.scales import REAL, SCALES

__all__ = ["main"]

PAGE = ROOT / "benchmarks" / "README.md"
METRICS = ("ROUGE-1, 2", "ROUGE-L", "ROUGE-W", "ROUGE-S*")
GROWTH = {
    "pairs": ("pairs", "time", "pairs a second", "without bootstrap", "peak memory"),
    "length": ("words", "shape", *METRICS),
    "cliffs": ("what", "half the length", "this length", "growth"),
    "models": ("models", *METRICS),
    "resamples": ("resamples", "time"),
}
"""Table to its columns."""

PROFILES = {"profile": None, "profile of Python": "0"}
"""Table to what chooses whether the compiled core works."""

SETS = ("real sets", "made sets")
TABLES = ("machine", *SETS, "comparison", *GROWTH, *PROFILES)
"""What the page has markers for; they are looked for before anything is measured."""

Measured = dict[str, Any]


def main(arguments: list[str]) -> int:
    """Measure at the scale that is asked for; return the exit code."""
    name = arguments[0] if arguments else "full"
    if name not in SCALES:
        print(f"found {name!r}, expected one of: {', '.join(SCALES)}", file=sys.stderr)
        return 2
    os.environ[REAL] = os.pathsep.join(map(os.path.abspath, arguments[1:]))
    for table_name in TABLES:
        filled(PAGE.read_text(encoding="utf-8"), table_name, "")
    start = perf_counter()
    _say("installing the peers and rouge-cli")
    python = install()
    _say("making the corpora")
    _run(python, "corpus_files", name)
    page = _page(python, name, _measure(python, name))
    path = PAGE if name == "full" else WORK / "README.md"
    path.write_text(page, encoding="utf-8")
    _say(f"{perf_counter() - start:.0f} seconds; the tables are in {path.relative_to(ROOT)}")
    return 0


def _measure(python: Path, scale: str) -> Measured:
    """Run every trial in a process of its own, one after the other."""
    measured: Measured = {}
    _say("where the time goes")
    for name, core in PROFILES.items():
        measured[name] = json.loads(_run(python, "profile_stages", scale, core))
    _say("sets of texts")
    measured |= json.loads(_run(python, "compare_sets", scale))
    _say("comparison in one process")
    texts = json.loads(_run(python, "compare_texts", scale))
    _say("growth")
    measured |= json.loads(_run(python, "growth", scale))
    _say("whole commands")
    measured |= json.loads(_run(python, "compare_commands", scale))
    measured["comparison"] = texts + measured["comparison"]
    return measured


def _run(python: Path, module: str, scale: str, core: str | None = None) -> str:
    """Run a module of this package in the environment of the trial; return what it prints."""
    command: list[str | Path] = [python, "-m", f"benchmarks.{module}", scale]
    environment = os.environ | SINGLE_THREADED | ({"ROUGE_CLI_CORE": core} if core else {})
    run = subprocess.run(
        command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    return run.stdout


def _page(python: Path, scale: str, measured: Measured) -> str:
    """Return the page with all tables filled in."""
    page = PAGE.read_text(encoding="utf-8")
    page = filled(page, "machine", f"{machine(python)}. Scale: {scale}.")
    for name in SETS:
        if measured[name]:
            page = filled(page, name, table(SET_COLUMNS, measured[name], n_left=2))
    page = filled(page, "comparison", table(COMPARISON, measured["comparison"], n_left=3))
    for name, columns in GROWTH.items():
        n_left = 2 if name == "length" else 1
        page = filled(page, name, table(columns, measured[name], n_left=n_left))
    for name in PROFILES:
        page = filled(page, name, table(measured[name]["columns"], measured[name]["rows"]))
    return page


def _say(what: str) -> None:
    """Say what is being done."""
    print(f"bench: {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
