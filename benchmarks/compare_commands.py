"""Compare whole commands: files to reports, start-up, memory, a second process.

Run in the environment of the trial as ``python -m benchmarks.compare_commands SCALE``; prints rows
of the comparison, and those of growth by pairs, as JSON.
"""

import json
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from benchmarks.corpus_files import HERE, SEPARATOR, line_paths, spl_directory
from benchmarks.report import as_cost, as_limit, as_speed, duration, failure
from benchmarks.scales import SCALES, Scale
from benchmarks.timing import (
    CommandError,
    Finished,
    interleaved,
    run_command,
    use_cores,
    use_one_core,
)

__all__ = ["measure"]

PYTHON = Path(sys.executable)
ROUGE = PYTHON.with_name("rouge-cli")
DUC = HERE.parent / "fixtures" / "golden" / "corpora" / "duc-see"
DUC_OPTIONS = "-c 95 -2 -1 -U -r 1000 -n 4 -w 1.2 -m -a config.xml"
NO_BOOTSTRAP = "-t 2"
"""Prints the pooled counts."""

IMPORT_CLICK = (PYTHON, "-c", "import click")
GOAL_OF_JOBS = 1.6
SMALL_LIMIT, LARGE_LIMIT = 250, 1500

Row = list[str]


def measure(scale: Scale, cores: frozenset[int]) -> dict[str, list[Row]]:
    """Measure all that is compared as a whole command."""
    rows = [*_guarded("start-up", _start_up, scale), *_guarded("SPL files", _spl_files, scale)]
    growth: list[Row] = []
    rows += _guarded("memory", partial(_memory, growth), scale)
    rows += _guarded("two processes", partial(_two_processes, cores), scale)
    return {"comparison": rows, "pairs": growth}


def _guarded(what: str, group: Callable[[Scale], Iterable[Row]], scale: Scale) -> list[Row]:
    """Measure a group; a command that fails becomes a row that says so."""
    rows: list[Row] = []
    try:
        rows.extend(group(scale))
    except CommandError as error:
        rows.append(failure(what, str(error)))
    return rows


def _start_up(scale: Scale) -> Iterable[Row]:
    """Compare the shortest runs with the import of what the command line is made with."""
    theirs = partial(_seconds, IMPORT_CLICK, HERE)
    n_rounds = 2 * scale.rounds
    version = interleaved(partial(_seconds, (ROUGE, "--version"), HERE), theirs, n_rounds)
    yield as_cost("`rouge-cli --version`", "`import click`", version, 1.5)
    duc = interleaved(partial(_seconds, (ROUGE, *DUC_OPTIONS.split()), DUC), theirs, n_rounds)
    yield as_cost(f"`rouge-cli {DUC_OPTIONS}`, a DUC task", "`import click`", duc, 6)


def _spl_files(scale: Scale) -> Iterable[Row]:
    """Compare runs on many small files with a program that only reads and splits them."""
    folder = spl_directory(scale)
    reader = partial(_seconds, (PYTHON, HERE / "read_files.py", "files.lst"), folder)
    for options in ("-n 2 -m -a config.xml", "-n 2 -m -z SPL files.lst"):
        ours = partial(_seconds, (ROUGE, *options.split()), folder)
        rounds = interleaved(ours, reader, scale.slow_rounds)
        what = f"`rouge-cli {options}`, {scale.n_spl:,} SPL files"
        yield as_cost(what, "only reading and splitting them", rounds, 2.5)


def _memory(growth: list[Row], scale: Scale) -> Iterable[Row]:
    """Take the memory of runs on line files, small to large; note how time grows."""
    pairs = _lines(scale, "pairs")
    yield _limit(scale.n_pairs, pairs, SMALL_LIMIT)
    for size in scale.line_sizes:
        lines, counted = _lines(scale, size), _lines(scale, size, NO_BOOTSTRAP)
        growth.append(
            [
                f"{size:,}",
                duration(lines.seconds),
                f"{size / lines.seconds:,.0f}",
                duration(counted.seconds),
                f"{lines.peak_mb:,.0f} MB",
            ]
        )
    yield _limit(scale.line_sizes[-1], lines, LARGE_LIMIT)


def _limit(size: int, finished: Finished, goal: float) -> Row:
    """Make the row of a run's memory."""
    what = f"memory of `rouge-cli -n 2` on line files, {size:,} pairs"
    return as_limit(what, finished.seconds, finished.peak_mb, goal)


def _two_processes(cores: frozenset[int], scale: Scale) -> Iterable[Row]:
    """Compare two processes with one, with the bootstrap and without, and their bytes."""
    if len(cores) < 2:
        yield failure("`--jobs 2`", "there is one core only")
        return
    use_cores(cores)
    yield _jobs(scale, "", "1,000 resamples")
    yield _jobs(scale, NO_BOOTSTRAP, "no bootstrap")


def _jobs(scale: Scale, options: str, what: str) -> Row:
    """Compare two processes with one; they have to print the same bytes."""
    digests = set()

    def seconds(jobs: int) -> float:
        finished = _lines(scale, scale.n_parallel, options, jobs)
        digests.add(finished.digest)
        return finished.seconds

    rounds = interleaved(partial(seconds, 2), partial(seconds, 1), scale.slow_rounds)
    if len(digests) != 1:
        raise CommandError("--jobs 2 does not print the bytes of --jobs 1")
    named = f"`--jobs 2`, same bytes, {scale.n_parallel:,} pairs, {what}"
    return as_speed(named, "`--jobs 1`", rounds, GOAL_OF_JOBS)


def _lines(scale: Scale, name: str | int, options: str = "", jobs: int | None = None) -> Finished:
    """Score line files by the command; without `jobs` as it is by default."""
    peers, [models] = line_paths(scale, name)
    files = ("--peer-lines", peers, "--model-lines", models, "--sentence-separator", SEPARATOR)
    with_jobs = () if jobs is None else ("--jobs", str(jobs))
    return run_command((ROUGE, "-n", "2", *options.split(), *files, *with_jobs), HERE)


def _seconds(arguments: tuple[str | Path, ...], folder: Path) -> float:
    """Time a command."""
    return run_command(arguments, folder).seconds


if __name__ == "__main__":
    all_cores = use_one_core()
    json.dump(measure(SCALES[sys.argv[1]], all_cores), sys.stdout)
