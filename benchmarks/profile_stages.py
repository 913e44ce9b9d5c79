"""Measure where the time of a run goes, stage by stage.

Every function that begins a stage is replaced by one that measures its time; the time of a stage
excludes that of the stages it calls. Run in the environment of the trial as
``python -m benchmarks.profile_stages SCALE``; prints a table's columns and rows as JSON.
"""

import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import wraps
from importlib import import_module
from inspect import isgeneratorfunction
from statistics import median
from time import perf_counter
from typing import Any

import rouge_cli
from benchmarks.compare_texts import Corpus
from benchmarks.corpus_files import spl_directory
from benchmarks.report import duration
from benchmarks.scales import Scale, scale_of
from benchmarks.stages import REMAINDER, STAGES
from benchmarks.timing import use_one_core

__all__ = ["measure"]

N_RUNS = 5


class Stopwatch:
    """Keeps the time of each stage of one run."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._running = [REMAINDER]
        self._since = perf_counter()

    def start(self) -> None:
        """Forget all, and start with what belongs to no stage."""
        self.seconds.clear()
        self._since = perf_counter()

    def enter(self, stage: str) -> None:
        """Begin a stage inside another."""
        self._charge()
        self._running.append(stage)

    def leave(self) -> None:
        """End a stage and go on with the one around it."""
        self._charge()
        self._running.pop()

    def stop(self) -> None:
        """End the run."""
        self._charge()

    def _charge(self) -> None:
        """Add the time since the last change to the stage that was running."""
        now = perf_counter()
        self.seconds[self._running[-1]] += now - self._since
        self._since = now


def instrument(watch: Stopwatch) -> None:
    """Replace the functions of all stages, wherever they have been imported."""
    for stage, places in STAGES.items():
        for place in places:
            module_name, _, name = place.partition(":")
            owner: Any = import_module(f"rouge_cli.{module_name}")
            *outer, last = name.split(".")
            for part in outer:
                owner = getattr(owner, part)
            original = getattr(owner, last)
            timed = _timed(original, stage, watch)
            setattr(owner, last, timed)
            _replace_imports(original, timed)


def _replace_imports(original: object, timed: object) -> None:
    """Replace a function in every module of the package that has it under some name."""
    modules = [module for name, module in sys.modules.items() if name.startswith("rouge_cli.")]
    for module in modules:
        for name, value in list(vars(module).items()):
            if value is original:
                setattr(module, name, timed)


def _timed(function: Callable[..., Any], stage: str, watch: Stopwatch) -> Callable[..., Any]:
    """Return a function that does the same and keeps its time."""

    @wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        watch.enter(stage)
        try:
            return function(*arguments, **options)
        finally:
            watch.leave()

    @wraps(function)
    def iterate(*arguments: Any, **options: Any) -> Iterator[Any]:
        items = function(*arguments, **options)
        while True:
            watch.enter(stage)
            try:
                item = next(items)
            except StopIteration:
                return
            finally:
                watch.leave()
            yield item

    return iterate if isgeneratorfunction(function) else call


def _runs(scale: Scale) -> dict[str, Callable[[], object]]:
    """Return the runs to be taken apart."""
    corpus = Corpus.of(scale, "pairs")

    def evaluate(**options: Any) -> object:
        return rouge_cli.evaluate(corpus.peers, corpus.models, resamples=0, **options)

    return {
        "ROUGE-1, 2, L": lambda: evaluate(max_ngram=2),
        "the same, stemmed": lambda: evaluate(max_ngram=2, stem=True),
        "1 to 4, L, W, S*, SU*": lambda: evaluate(
            max_ngram=4, weight=1.2, max_gap=-1, skip_and_unigram=True
        ),
        "SPL files, stemmed, 1,000 resamples": _report_of_files,
    }


def _report_of_files() -> str:
    """Score the SPL files of the working directory and write the report."""
    results = rouge_cli.evaluate_files("config.xml", all=True, max_ngram=2, stem=True)
    return results.to_classic()


def _median_stages(run: Callable[[], object], watch: Stopwatch) -> dict[str, float]:
    """Return the median seconds of each stage, after a run that does not count."""
    counted = []
    for _ in range(N_RUNS + 1):
        watch.start()
        run()
        watch.stop()
        counted.append(watch.seconds.copy())
    stages = (*STAGES, REMAINDER)
    return {stage: median(run[stage] for run in counted[1:]) for stage in stages}


def measure(scale: Scale) -> dict[str, list[Any]]:
    """Take some runs apart: a column for each, a row for each stage."""
    watch = Stopwatch()
    instrument(watch)
    runs = _runs(scale)
    os.chdir(spl_directory(scale))
    by_run = [_median_stages(run, watch) for run in runs.values()]
    rows = [
        [stage, *(_share(stages[stage], sum(stages.values())) for stages in by_run)]
        for stage in (*STAGES, REMAINDER)
    ]
    rows.append(["in all", *(duration(sum(stages.values())) for stages in by_run)])
    return {"columns": ["stage", *runs], "rows": rows}


def _share(seconds: float, total: float) -> str:
    """Write the time of a stage, and how much of the whole it is."""
    return f"{seconds * 1e3:,.1f} ms, {seconds / total:.0%}" if seconds else ""


if __name__ == "__main__":
    use_one_core()
    json.dump(measure(scale_of(sys.argv[1])), sys.stdout)
