"""Compare with the peers in one process: texts in memory, scores in memory, no bootstrap.

Run in the environment of the trial as ``python -m benchmarks.compare_texts SCALE``; prints rows of
the comparison as JSON.
"""

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import version
from itertools import chain
from typing import Any

import rouge_cli
from benchmarks.corpus_files import line_paths, read_lines
from benchmarks.report import Other, as_speed
from benchmarks.scales import Scale, scale_of
from benchmarks.timing import interleaved, seconds_of, use_one_core
from rouge_cli.compat import rouge_scorer
from rouge_cli.core import VARIABLE
from rouge_cli.text.ascii155 import forget_stems
from rouge_cli.text.word_lists import built_in_stems

__all__ = ["rows"]

WORD = re.compile("[a-z0-9]+")
METRICS = ["rouge1", "rouge2", "rougeLsum"]
STEMMED = ", stemmed, stems known"

PART_OF_SLOW = 10
"""The slow peer scores one pair in ten; its time is scaled."""

RUST = Other(
    f"rouge-score-rs {version('rouge-score-rs')}",
    "Google's scores, not rounded; its own stems, each time anew",
)
PYTHON = Other(
    f"rouge-score {version('rouge-score')}", "Google's scores, not rounded; NLTK's stems"
)
REFERENCE = Other("by Python alone", "no compiled core; the same scores")
GOALS = {"python": 70.0, "python, stemmed": 130.0, "compat": 1.5, "score": 12.0}

PAIRS_OF_CALLS = 2000
"""Number of pairs that are scored with one call each."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """Peers and the models of each."""

    peers: Sequence[str]
    models: Sequence[Sequence[str]]

    @classmethod
    def of(cls, scale: Scale, name: str, n_models: int = 1) -> "Corpus":
        """Read a corpus from its line files."""
        peer_path, model_paths = line_paths(scale, name, n_models)
        columns = map(read_lines, model_paths)
        return cls(read_lines(peer_path), [list(row) for row in zip(*columns, strict=True)])

    def n_types(self) -> int:
        """Return how many different words there are."""
        texts = chain(self.peers, *self.models)
        words = (WORD.findall(text.lower()) for text in texts)
        return len(set(chain.from_iterable(words)))

    def part(self, step: int) -> "Corpus":
        """Return every `step`-th pair."""
        return Corpus(self.peers[::step], self.models[::step])


def rows(scale: Scale) -> list[list[str]]:
    """Measure all that is compared in one process."""
    pairs = Corpus.of(scale, "pairs")
    cold = Run(", stemmed, stems cold", stem=True, is_cold=True, goal=GOALS["python, stemmed"])
    return [
        _against_python(pairs, scale, Run("", goal=GOALS["python"])),
        _against_python(pairs, scale, cold),
        *(_against_reference(pairs, scale, run) for run in (Run(""), Run(STEMMED, stem=True))),
        *_one_by_one(pairs, scale),
    ]


@dataclass(frozen=True, slots=True)
class Run:
    """One way to score.

    Parameters
    ----------
    what : str
        In words, behind the names of the metrics.
    is_cold : bool
        Whether the stems that are remembered are forgotten first, as in a new process.
    """

    what: str
    stem: bool = False
    is_cold: bool = False
    goal: float | None = None

    def seconds(self, corpus: Corpus) -> float:
        """Time ROUGE-1, 2 and L without the bootstrap."""
        options: dict[str, Any] = {"max_ngram": 2, "resamples": 0, "stem": self.stem}
        if self.is_cold:
            built_in_stems().clear()
            forget_stems()
        return seconds_of(partial(rouge_cli.evaluate, corpus.peers, corpus.models, **options))

    def described(self, corpus: Corpus) -> str:
        """Say what is scored."""
        n_pairs, n_types = len(corpus.peers), corpus.n_types()
        return f"ROUGE-1, 2, L{self.what}, {n_pairs:,} pairs, {n_types:,} types"

    def scorer(self, module: str) -> Any:
        """Make a scorer of a peer, which only the environment of the trial has."""
        return import_module(module).RougeScorer(METRICS, use_stemmer=self.stem)


def _against_python(corpus: Corpus, scale: Scale, run: Run) -> list[str]:
    """Compare with the peer in Python: a part of the pairs, its time scaled."""
    scorer = run.scorer("rouge_score.rouge_scorer")
    part = corpus.part(PART_OF_SLOW)

    def theirs() -> object:
        faced = zip(part.models, part.peers, strict=True)
        return [scorer.score(models[0], peer) for models, peer in faced]

    def scaled() -> float:
        return seconds_of(theirs) * len(corpus.peers) / len(part.peers)

    rounds = interleaved(partial(run.seconds, corpus), scaled, scale.slow_rounds)
    return as_speed(run.described(corpus), PYTHON, rounds, run.goal)


def _against_reference(corpus: Corpus, scale: Scale, run: Run) -> list[str]:
    """Compare with the same call without the compiled core, stems known."""

    def seconds(core: str) -> float:
        os.environ[VARIABLE] = core
        try:
            return run.seconds(corpus)
        finally:
            del os.environ[VARIABLE]

    rounds = interleaved(partial(seconds, "1"), partial(seconds, "0"), scale.rounds)
    return as_speed(run.described(corpus), REFERENCE, rounds)


def _one_by_one(corpus: Corpus, scale: Scale) -> Iterator[list[str]]:
    """Compare calls of one pair each."""
    part = corpus.part(max(1, len(corpus.peers) // PAIRS_OF_CALLS))
    faced = [(models[0], peer) for models, peer in zip(part.models, part.peers, strict=True)]

    def of_all(score: Callable[[str, str], object]) -> float:
        def each() -> None:
            for model, peer in faced:  # As programs do, keep only one number.
                score(model, peer)

        return seconds_of(each)

    def ours(model: str, peer: str) -> object:
        return rouge_cli.score(peer, model, max_ngram=2, resamples=0)["ROUGE-2"].f_measure.mean

    what = f"ROUGE-1, 2, L, {len(faced):,} pairs, a call each"
    like_google = rouge_scorer.RougeScorer(METRICS, like="google").score
    for name, score, module, other, goal in (
        ("`compat`, like Google", like_google, "rouge_score_rs", RUST, GOALS["compat"]),
        (
            "`compat`",
            rouge_scorer.RougeScorer(METRICS).score,
            "rouge_score_rs",
            RUST,
            GOALS["compat"],
        ),
        ("`rouge_cli.score`", ours, "rouge_score.rouge_scorer", PYTHON, GOALS["score"]),
    ):
        theirs = partial(of_all, Run("").scorer(module).score)  # Their scores are in a dictionary.
        n_rounds = scale.rounds if other is RUST else scale.slow_rounds
        rounds = interleaved(partial(of_all, score), theirs, n_rounds)
        yield as_speed(f"{what}: {name}", other, rounds, goal)


if __name__ == "__main__":
    use_one_core()
    json.dump(rows(scale_of(sys.argv[1])), sys.stdout)
