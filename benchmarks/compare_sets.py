"""Compare with the peer in Rust as programs use both: sets of texts, a new process for each turn.

Run in the environment of the trial as ``python -m benchmarks.compare_sets SCALE``; prints rows as
JSON. Sets are the folders that the user names, with real texts, and three that are made. A turn is
``python -m benchmarks.compare_sets PROGRAM OPTIONS CORES PEERS MODELS...``: a process that has not
scored anything, so that its first call meets every word for the first time.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Any

from benchmarks.corpus_files import line_paths, read_lines
from benchmarks.environment import SINGLE_THREADED
from benchmarks.report import duration, judged, spread
from benchmarks.scales import Scale, real_folders, scale_of
from benchmarks.timing import Rounds, seconds_of, use_one_core

__all__ = ["COLUMNS", "measure"]

COLUMNS = (
    "texts",
    "ROUGE-1, 2, L",
    "first call",
    "speed",
    "goal",
    "met",
    "second call",
    "speed",
    "floor",
    "all cores",
    "speed",
    "goal",
    "met",
)
"""Of a table; `speed` is how many times as fast as the peer."""

SCORED: dict[str, dict[str, Any]] = {
    "plain": {},
    "stemmed": {"stem": True},
    "of whole texts": {"lcs_unit": "text"},
    "of whole texts, stemmed": {"stem": True, "lcs_unit": "text"},
}
"""What is scored, in words, to keywords of `rouge_cli.evaluate`."""

GOALS: dict[str, dict[str, float]] = {
    "news": {"plain": 3.2, "stemmed": 6, "of whole texts": 1.5, "of whole texts, stemmed": 4},
    "one sentence": {"plain": 2.2, "stemmed": 4},
    "several models": {"plain": 5, "stemmed": 8},
}
"""Kind of texts to what is scored of it, and to the speed that the first call on one core shall
have."""

GOALS_OF_DEFAULTS = {"news": {"plain": 2.5, "stemmed": 5}}
OURS, THEIRS = "rouge-cli", "rouge-score-rs"
ONE_CORE, ALL_CORES = "one-core", "all-cores"

SECONDS_TO_REST = 0.2
"""How long to wait behind loading NumPy: its threads look for work for a tenth of that."""

Row = list[str]
Times = dict[str, float]


@dataclass(frozen=True, slots=True)
class TextSet:
    """Texts of one kind: a line file of peers, and one for each model."""

    name: str
    peers: Path
    models: Sequence[Path]

    @classmethod
    def real(cls, folder: Path) -> "TextSet":
        """Return the set in a folder of the user's: peers.txt, models.txt, models2.txt ..."""
        models = [folder / "models.txt", *sorted(folder.glob("models[0-9].txt"))]
        return cls(folder.name, folder / "peers.txt", models)

    def kind(self) -> str:
        """Return the kind of the texts, which has goals of its own."""
        if len(self.models) > 1:
            return "several models"
        texts = read_lines(self.models[0])
        has_sentences = sum("\n" in text for text in texts) > len(texts) // 2
        return "news" if has_sentences else "one sentence"

    def described(self) -> str:
        """Describe the number and the length of the texts."""
        texts = read_lines(self.peers)
        n_words = sum(len(text.split()) for text in texts) / len(texts)
        models = f", {len(self.models)} models each" if len(self.models) > 1 else ""
        return f"{self.name}: {len(texts):,} peers of {n_words:.0f} words{models}"


def measure(scale: Scale) -> dict[str, list[Row]]:
    """Measure the sets that the user names, if there are any, and those that are made."""
    made = [
        TextSet("news, as in CNN/DailyMail", *line_paths(scale, "pairs")),
        TextSet("one sentence, as in XSum", *line_paths(scale, "short")),
        TextSet("four models, as in DUC 2004", *line_paths(scale, "duc", 4)),
    ]
    real = [TextSet.real(folder) for folder in real_folders()]
    return {"real sets": _rows(scale, real), "made sets": _rows(scale, made)}


def _rows(scale: Scale, sets: Iterable[TextSet]) -> list[Row]:
    """Measure each set with all options that its kind has."""
    return [_row(scale, texts, scored) for texts in sets for scored in GOALS[texts.kind()]]


def _row(scale: Scale, texts: TextSet, scored: str) -> Row:
    """Take both programs in turns: on one core without the bootstrap, then at their defaults."""
    kind = texts.kind()
    ours, theirs = _turns(scale, texts, scored, ONE_CORE)
    first, second = (_rounds(ours, theirs, part) for part in ("first", "second"))
    whole = _rounds(*_turns(scale, texts, scored, ALL_CORES), "clock")
    return [
        texts.described(),
        scored,
        duration(median(first.ours)),
        *judged(first, GOALS[kind][scored]),
        duration(median(second.ours)),
        spread(second.ratios(speed=True)),
        duration(median(times["floor"] for times in ours)),
        duration(median(whole.ours)),
        *judged(whole, GOALS_OF_DEFAULTS.get(kind, {}).get(scored)),
    ]


def _turns(
    scale: Scale, texts: TextSet, scored: str, cores: str
) -> tuple[list[Times], list[Times]]:
    """Run both programs in turns; return the times of each."""
    turns: dict[str, list[Times]] = {OURS: [], THEIRS: []}
    for _ in range(scale.set_rounds):
        for program, times in turns.items():
            times.append(_turn(program, texts, scored, cores))
    return turns[OURS], turns[THEIRS]


def _turn(program: str, texts: TextSet, scored: str, cores: str) -> Times:
    """Time one program in a new process."""
    command = [sys.executable, "-m", __spec__.name, program, scored, cores]
    environment = os.environ | (SINGLE_THREADED if cores == ONE_CORE else {})
    if cores == ALL_CORES:
        environment = {k: v for k, v in environment.items() if k not in SINGLE_THREADED}
    run = subprocess.run(
        [*command, texts.peers, *texts.models], env=environment, check=True, stdout=subprocess.PIPE
    )
    times: Times = json.loads(run.stdout)
    return times


def _rounds(ours: Sequence[Times], theirs: Sequence[Times], part: str) -> Rounds:
    """Return one of the times of both programs."""
    return Rounds([times[part] for times in ours], [times[part] for times in theirs])


def time_program(program: str, scored: str, cores: str, *paths: str) -> Times:
    """Time the calls of a program in this process, which has scored nothing so far."""
    if cores == ONE_CORE:
        use_one_core()
    peers, *columns = (read_lines(Path(path)) for path in paths)
    models = [list(row) for row in zip(*columns, strict=True)]
    make_call = _our_call if program == OURS else _their_call
    call = make_call(peers, models, SCORED[scored], at_defaults=cores == ALL_CORES)
    start = perf_counter()
    first = seconds_of(call)
    clock = perf_counter() - start
    second = seconds_of(call)
    texts = [*peers, *chain.from_iterable(models)]
    floor = median(seconds_of(lambda: "\n".join(texts).encode()) for _ in range(5))
    return {"first": first, "clock": clock, "second": second, "floor": floor}


def _our_call(
    peers: list[str], models: list[list[str]], options: dict[str, Any], *, at_defaults: bool
) -> Callable[[], object]:
    """Return the call of `rouge_cli.evaluate`: without the bootstrap, or at its defaults."""
    import rouge_cli

    rouge_cli.evaluate(["a"], ["a"])  # Loading modules is not timed.
    # NumPy's linear algebra library then polls for work for some 20 ms, which keeps a core busy.
    sleep(SECONDS_TO_REST)
    keywords = options if at_defaults else options | {"resamples": 0}
    references: list[Any] = models if len(models[0]) > 1 else [row[0] for row in models]
    return partial(rouge_cli.evaluate, peers, references, max_ngram=2, **keywords)


def _their_call(
    peers: list[str], models: list[list[str]], options: dict[str, Any], *, at_defaults: bool
) -> Callable[[], object]:
    """Return the call of the peer: of all pairs at once or, with several models, of each peer.

    It has no bootstrap, and by itself takes all cores; one core is a matter of the environment.
    """
    unit = options.get("lcs_unit", "sentence")
    metrics = ["rouge1", "rouge2", "rougeLsum" if unit == "sentence" else "rougeL"]
    scorer = import_module("rouge_score_rs").RougeScorer(
        metrics, use_stemmer=options.get("stem", False)
    )
    if len(models[0]) == 1:
        return partial(scorer.score_batch, [row[0] for row in models], peers)
    return lambda: [scorer.score_multi(row, peer) for row, peer in zip(models, peers, strict=True)]


if __name__ == "__main__":
    if sys.argv[1] in {OURS, THEIRS}:
        json.dump(time_program(*sys.argv[1:]), sys.stdout)
    else:
        json.dump(measure(scale_of(sys.argv[1])), sys.stdout)
