"""Compare with the peers in one process: texts in memory, scores in memory, no bootstrap.

Run in the environment of the trial as ``python -m benchmarks.compare_texts SCALE``; prints rows of
the comparison as JSON.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import chain
from typing import Any

import rouge_cli
from benchmarks.corpora import one_line
from benchmarks.corpus_files import line_paths, read_lines
from benchmarks.report import as_speed
from benchmarks.scales import SCALES, Scale
from benchmarks.timing import interleaved, seconds_of, use_one_core

__all__ = ["rows"]

PEER_METRICS = ["rouge1", "rouge2", "rougeLsum"]
PART_OF_SLOW = 10
"""The slow peer scores one pair of so many; its time is scaled."""

RUST = "rouge-score-rs"
PYTHON = "rouge-score"
GOALS = {RUST: (1.3, 2.0), PYTHON: (70.0, 130.0)}
"""Not stemmed, stemmed."""

NO_GOALS = (None, None)

GOAL_OF_MODELS = 1.7


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

    def on_one_line(self) -> "Corpus":
        """Return the same texts as one sentence each."""
        models = [list(map(one_line, row)) for row in self.models]
        return Corpus(list(map(one_line, self.peers)), models)

    def n_types(self) -> int:
        """Return how many different words there are."""
        texts = chain(self.peers, *self.models)
        words = (text.lower().replace(".", "").split() for text in texts)
        return len(set(chain.from_iterable(words)))

    def part(self, step: int) -> "Corpus":
        """Return every `step`-th pair."""
        return Corpus(self.peers[::step], self.models[::step])


def rows(scale: Scale) -> list[list[str]]:
    """Measure all that is compared in one process."""
    pairs, long = Corpus.of(scale, "pairs"), Corpus.of(scale, "long", 4)
    rare = Corpus.of(scale, "rare")
    found = []
    for corpus, goals in ((pairs, GOALS[RUST]), (rare, NO_GOALS)):
        found += [_against_rust(corpus, scale, goals, stem=stem) for stem in (False, True)]
    found += [_against_python(pairs, scale, stem=stem) for stem in (False, True)]
    for shape, corpus in (("sentences", long), ("one line", long.on_one_line())):
        found.append(_with_models(corpus, scale, shape))
    return found


def _ours(corpus: Corpus, *, stem: bool) -> float:
    """Time ROUGE-1, 2 and L without the bootstrap."""
    options: dict[str, Any] = {"max_ngram": 2, "resamples": 0, "stem": stem}
    return seconds_of(partial(rouge_cli.evaluate, corpus.peers, corpus.models, **options))


def _scorer(module: str, *, stem: bool) -> Any:
    """Make a scorer of a peer, which only the environment of the trial has."""
    return import_module(module).RougeScorer(PEER_METRICS, use_stemmer=stem)


def _against_rust(
    corpus: Corpus, scale: Scale, goals: Sequence[float | None], *, stem: bool
) -> list[str]:
    """Compare with the peer in Rust: all pairs in one call of each."""
    scorer = _scorer("rouge_score_rs", stem=stem)
    first_models = [models[0] for models in corpus.models]
    theirs = partial(scorer.score_batch, first_models, corpus.peers)
    ours = partial(_ours, corpus, stem=stem)
    rounds = interleaved(ours, partial(seconds_of, theirs), scale.rounds)
    return as_speed(_described(corpus, stem=stem), RUST, rounds, goals[stem])


def _against_python(corpus: Corpus, scale: Scale, *, stem: bool) -> list[str]:
    """Compare with the peer in Python: a part of the pairs, its time scaled."""
    scorer = _scorer("rouge_score.rouge_scorer", stem=stem)
    part = corpus.part(PART_OF_SLOW)

    def theirs() -> object:
        faced = zip(part.models, part.peers, strict=True)
        return [scorer.score(models[0], peer) for models, peer in faced]

    def scaled() -> float:
        return seconds_of(theirs) * len(corpus.peers) / len(part.peers)

    rounds = interleaved(partial(_ours, corpus, stem=stem), scaled, scale.slow_rounds)
    return as_speed(_described(corpus, stem=stem), PYTHON, rounds, GOALS[PYTHON][stem])


def _described(corpus: Corpus, *, stem: bool) -> str:
    """Say what is scored."""
    stemmed = ", stemmed" if stem else ""
    return f"ROUGE-1, 2, L{stemmed}, {len(corpus.peers):,} pairs, {corpus.n_types():,} types"


def _with_models(corpus: Corpus, scale: Scale, shape: str) -> list[str]:
    """Compare with the peer in Rust on several models."""
    scorer = _scorer("rouge_score_rs", stem=False)

    def theirs() -> object:
        faced = zip(corpus.models, corpus.peers, strict=True)
        return [scorer.score_multi(models, peer) for models, peer in faced]

    ours = partial(_ours, corpus, stem=False)
    rounds = interleaved(ours, partial(seconds_of, theirs), scale.rounds)
    what = f"ROUGE-1, 2, L, {len(corpus.peers)} peers, 4 models, 250 words, {shape}"
    return as_speed(what, RUST, rounds, GOAL_OF_MODELS)


if __name__ == "__main__":
    use_one_core()
    json.dump(rows(SCALES[sys.argv[1]]), sys.stdout)
