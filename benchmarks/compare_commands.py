"""Compare whole commands: files to reports, start-up, memory, a second thread.

Run in the environment of the trial as ``python -m benchmarks.compare_commands SCALE``; prints rows
of the comparison, and those of growth by pairs, as JSON.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from time import perf_counter

from benchmarks.corpus_files import HERE, SEPARATOR, line_paths, records_path, spl_directory
from benchmarks.report import Other, as_cost, as_limit, as_speed, duration, failure
from benchmarks.scales import Scale, scale_of
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
CLICK = Other("`import click`", "the least that a command line costs")
PARSING = Other("only parsing", "nothing is done with the records")
FLOOR = Other("only reading and splitting", "no tokens, no checks, no scores, no bootstrap")
ONE_JOB = Other("`--jobs 1`", "nothing")
REFERENCE = Other("by Python alone", "no compiled core; the same bytes")
LOOPS = Other("one after the other", "nothing")
LOOP = "for _ in range(10_000_000): pass"
GOAL_OF_LINES, GOAL_OF_RECORDS = 1.6, 1.5
"""Goals for the speed-up by two threads."""

GOAL_OF_FILES = 3.0
SMALL_LIMIT, LARGE_LIMIT = 250, 1500

Row = list[str]


def measure(scale: Scale, cores: frozenset[int]) -> dict[str, list[Row]]:
    """Measure everything that is compared as a whole command."""
    rows = [*_guarded("start-up", _start_up, scale), *_guarded("layouts", _layouts, scale)]
    rows += _guarded("records", _records, scale)
    rows += _guarded("the core", _core, scale)
    growth: list[Row] = []
    rows += _guarded("memory", partial(_memory, growth), scale)
    rows += _guarded("two threads", partial(_two_threads, cores), scale)
    return {"comparison": rows, "pairs": growth}


def _guarded(what: str, group: Callable[[Scale], Iterable[Row]], scale: Scale) -> list[Row]:
    """Measure a group; a failing command becomes a row that says so."""
    rows: list[Row] = []
    try:
        rows.extend(group(scale))
    except CommandError as error:
        rows.append(failure(what, str(error)))
    return rows


def _start_up(scale: Scale) -> Iterable[Row]:
    """Compare the shortest runs with the import of Click."""
    theirs = partial(_seconds, IMPORT_CLICK, HERE)
    n_rounds = 2 * scale.rounds
    version = interleaved(partial(_seconds, (ROUGE, "--version"), HERE), theirs, n_rounds)
    yield as_cost("`rouge-cli --version`", CLICK, version, 1.5)
    duc = interleaved(partial(_seconds, (ROUGE, *DUC_OPTIONS.split()), DUC), theirs, n_rounds)
    yield as_cost(f"`rouge-cli {DUC_OPTIONS}`, a DUC task", CLICK, duc, 6)


def _layouts(scale: Scale) -> Iterable[Row]:
    """Compare runs on the pairs in each layout with a program that only reads and splits them."""
    peers, [models] = line_paths(scale, "pairs")
    lines = f"--peer-lines {peers} --model-lines {models} --sentence-separator {SEPARATOR}"
    jsonl, table = records_path(scale, "jsonl"), records_path(scale, "csv")
    of_list, of_lines, of_jsonl = ("list", "files.lst"), ("lines", peers, models), ("jsonl", jsonl)
    layouts = (
        ("-n 2", "-a config.xml", of_list, None),
        ("-n 2 -m", "-a config.xml", of_list, GOAL_OF_FILES),
        (DUC_OPTIONS.removesuffix(" -a config.xml"), "-a config.xml", of_list, None),
        ("-n 2 -m", "-z SPL files.lst", of_list, GOAL_OF_FILES),
        ("-n 2", str(jsonl), of_jsonl, None),
        ("-n 2 -m", str(jsonl), of_jsonl, None),
        ("-n 2 -m", str(table), ("csv", table), None),
        ("-n 2", lines, of_lines, None),
        ("-n 2 -m", lines, of_lines, None),
    )
    for options, files, floor, goal in layouts:
        yield _layout(scale, (options, files), (PYTHON, HERE / "read_files.py", *floor), goal)


def _layout(
    scale: Scale, command: tuple[str, str], floor: tuple[str | Path, ...], goal: float | None
) -> Row:
    """Compare a run with its floor; its name includes its memory."""
    folder = spl_directory(scale)
    options, files = command
    peaks = []

    def ours() -> float:
        finished = run_command((ROUGE, *options.split(), *files.split()), folder)
        peaks.append(finished.peak_mb)
        return finished.processor_seconds

    rounds = interleaved(ours, partial(_seconds, floor, folder), scale.slow_rounds)
    kind = files.split()[0] if files.startswith("--") else Path(files.split()[-1]).name
    what = f"`rouge-cli {options}`, {kind}, {scale.n_pairs:,} pairs, {max(peaks):,.0f} MB"
    return as_cost(what, FLOOR, rounds, goal)


def _records(scale: Scale) -> Iterable[Row]:
    """Compare runs on many records with a program that only parses them."""
    for suffix in ("jsonl", "parquet"):
        path = records_path(scale, suffix, scale.n_parallel)
        command = (ROUGE, "-n", "2", "--jobs", "1", path)
        parse = (PYTHON, HERE / "read_files.py", "parse", path)
        rounds = interleaved(
            partial(_seconds, command, HERE), partial(_seconds, parse, HERE), scale.slow_rounds
        )
        what = f"`rouge-cli -n 2`, {suffix.upper()}, {scale.n_parallel:,} pairs"
        yield as_cost(what, PARSING, rounds)


def _core(scale: Scale) -> Iterable[Row]:
    """Compare runs with the compiled core with runs of Python alone; both print the same bytes."""
    jsonl = str(records_path(scale, "jsonl"))
    peers, [models] = line_paths(scale, "pairs")
    lines = f"--peer-lines {peers} --model-lines {models} --sentence-separator {SEPARATOR}"
    duc = DUC_OPTIONS.removesuffix(" -a config.xml")
    for options, files, name in (
        ("-n 2", jsonl, "pairs.jsonl"),
        ("-n 2 -m", jsonl, "pairs.jsonl"),
        ("-n 2", lines, "--peer-lines"),
        ("-n 2 -m", "-a config.xml", "config.xml"),
        (duc, "-a config.xml", "config.xml"),
    ):
        command: tuple[str | Path, ...] = (ROUGE, *options.split(), *files.split())
        digests: set[str] = set()
        rounds = interleaved(
            partial(_with_core, "1", command, spl_directory(scale), digests),
            partial(_with_core, "0", command, spl_directory(scale), digests),
            scale.rounds,
        )
        if len(digests) != 1:
            raise CommandError("the compiled core does not print the bytes of Python")
        yield as_speed(f"`rouge-cli {options}`, {name}, {scale.n_pairs:,} pairs", REFERENCE, rounds)


def _with_core(
    core: str, command: tuple[str | Path, ...], folder: Path, digests: set[str]
) -> float:
    """Take the processor's time of a command with the compiled core, or without it."""
    finished = run_command(command, folder, {"ROUGE_CLI_CORE": core})
    digests.add(finished.digest)
    return finished.processor_seconds


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


def _two_threads(cores: frozenset[int], scale: Scale) -> Iterable[Row]:
    """Compare two threads with one, with the bootstrap and without, and their bytes."""
    if len(cores) < 2:
        yield failure("`--jobs 2`", "there is one core only")
        return
    use_cores(cores)
    loops = interleaved(partial(_loops, 2), partial(_loops, 1), scale.slow_rounds)
    yield as_speed("two plain loops at once: what the machine allows", LOOPS, loops, None)
    rounds = scale.slow_rounds
    many, largest = scale.n_parallel, scale.line_sizes[-1]
    yield _jobs(many, "line files", partial(_lines, scale, many), rounds, GOAL_OF_LINES)
    yield _jobs(
        many,
        "line files, no bootstrap",
        partial(_lines, scale, many, NO_BOOTSTRAP),
        rounds,
        GOAL_OF_LINES,
    )
    yield _jobs(many, "JSONL", partial(_scored_records, scale), rounds, GOAL_OF_RECORDS)
    # The largest takes a quarter of a minute, and once is enough.
    yield _jobs(largest, "line files", partial(_lines, scale, largest), 1, GOAL_OF_LINES)


def _loops(at_once: int) -> float:
    """Take the time in which two processes count to ten million, together or one by one."""
    start = perf_counter()
    for _ in range(2 // at_once):
        loops = [subprocess.Popen((PYTHON, "-c", LOOP)) for _ in range(at_once)]
        for loop in loops:
            loop.wait()
    return perf_counter() - start


def _jobs(size: int, what: str, run: Callable[..., Finished], n_rounds: int, goal: float) -> Row:
    """Compare two threads with one; they have to print the same bytes."""
    digests = set()

    def seconds(jobs: int) -> float:
        finished = run(jobs=jobs)
        digests.add(finished.digest)
        return finished.seconds

    is_warm = n_rounds > 1
    rounds = interleaved(partial(seconds, 2), partial(seconds, 1), n_rounds, warm=is_warm)
    if len(digests) != 1:
        raise CommandError("--jobs 2 does not print the bytes of --jobs 1")
    return as_speed(f"`--jobs 2`, same bytes, {size:,} pairs, {what}", ONE_JOB, rounds, goal)


def _scored_records(scale: Scale, *, jobs: int) -> Finished:
    """Score records by the command."""
    path = records_path(scale, "jsonl", scale.n_parallel)
    return run_command((ROUGE, "-n", "2", "--jobs", str(jobs), path), HERE)


def _lines(scale: Scale, name: str | int, options: str = "", jobs: int | None = None) -> Finished:
    """Score line files by the command; without `jobs` as it is by default."""
    peers, [models] = line_paths(scale, name)
    files = ("--peer-lines", peers, "--model-lines", models, "--sentence-separator", SEPARATOR)
    with_jobs = () if jobs is None else ("--jobs", str(jobs))
    return run_command((ROUGE, "-n", "2", *options.split(), *files, *with_jobs), HERE)


def _seconds(arguments: tuple[str | Path, ...], folder: Path) -> float:
    """Take the processor's time of a command."""
    return run_command(arguments, folder).processor_seconds


if __name__ == "__main__":
    all_cores = use_one_core()
    json.dump(measure(scale_of(sys.argv[1]), all_cores), sys.stdout)
