"""Measure how the time of a pair grows with texts, models and resamples.

Run in the environment of the trial as ``python -m benchmarks.growth SCALE``; prints tables' rows as
JSON. Texts are in memory and, but for the resamples, there is no bootstrap.
"""

import json
import sys
from functools import partial
from typing import Any

import rouge_cli
from benchmarks.compare_texts import Corpus
from benchmarks.corpora import Sampler, Shape
from benchmarks.report import duration
from benchmarks.scales import Scale, scale_of
from benchmarks.timing import median_seconds, use_one_core

__all__ = ["METRICS", "measure"]

METRICS: dict[str, dict[str, Any]] = {
    "ROUGE-1, 2": {"max_ngram": 2, "lcs": False},
    "ROUGE-L": {},
    "ROUGE-W": {"lcs": False, "weight": 1.2},
    "ROUGE-S*": {"lcs": False, "max_gap": -1},
}
LENGTHS = (10, 60, 250, 1_000, 5_000)
SENTENCE = 20
MODELS = (1, 4, 16)
FEWEST, MOST = 2, 5_000
"""Pairs that stand for a text length."""

CLIFFS = (("ROUGE-W", 250), ("ROUGE-S*", 1_000), ("ROUGE-L", 5_000))
"""Metrics, and lengths of one-line texts at which a quadratic algorithm may become too slow."""

Row = list[str]


def measure(scale: Scale) -> dict[str, list[Row]]:
    """Measure all growth but that by pairs."""
    return {
        "length": _by_length(scale),
        "cliffs": _cliffs(scale),
        "models": _by_models(scale),
        "resamples": _by_resamples(scale),
    }


def _by_length(scale: Scale) -> list[Row]:
    """Time a pair of each length, in one sentence and in sentences of 20 words."""
    return [
        [f"{length:,}", shape, *(_pair_time(scale, length, shape, name) for name in METRICS)]
        for length in LENGTHS
        for shape in ("one line", f"sentences of {SENTENCE}")
        if shape == "one line" or length > SENTENCE
    ]


def _pair_time(scale: Scale, length: int, shape: str, metric: str) -> str:
    """Write the time of a pair."""
    n_sentences = 1 if shape == "one line" else length // SENTENCE
    return duration(_seconds(_sample(scale, length, n_sentences), METRICS[metric]))


def _cliffs(scale: Scale) -> list[Row]:
    """Time a pair of long sentences, and one of half the length: a table grows by four."""
    rows = []
    for metric, length in CLIFFS:
        half, whole = (
            _seconds(_sample(scale, n_words, 1), METRICS[metric])
            for n_words in (length // 2, length)
        )
        what = f"{metric}, one line of {length:,} words"
        rows.append([what, duration(half), duration(whole), f"{whole / half:.1f}x"])
    return rows


def _by_models(scale: Scale) -> list[Row]:
    """Time an evaluation with more and more models of 60 words."""
    shape = Shape(words=(50, 70), sentences=(3, 4))
    rows = []
    for n_models in MODELS:
        n_peers = max(FEWEST, scale.words_of_row // (60 * n_models))
        corpus = Corpus(*Sampler(5).pairs(n_peers, shape, n_models))
        times = [_seconds(corpus, options) for options in METRICS.values()]
        rows.append([str(n_models), *map(duration, times)])
    return rows


def _by_resamples(scale: Scale) -> list[Row]:
    """Time ROUGE-1, 2 and L on the pairs of 60 words with more and more resamples."""
    corpus = Corpus.of(scale, "pairs")
    n_pairs = len(corpus.peers)
    return [
        [f"{resamples:,}", duration(n_pairs * _seconds(corpus, {"max_ngram": 2}, resamples))]
        for resamples in scale.resamples
    ]


_samples: dict[tuple[int, int], Corpus] = {}


def _sample(scale: Scale, length: int, n_sentences: int) -> Corpus:
    """Sample pairs of a length, about as many words whatever the length; once each."""
    key = (length, n_sentences)
    if key not in _samples:
        shape = Shape(words=(length, length), sentences=(n_sentences, n_sentences))
        n_pairs = min(MOST, max(FEWEST, scale.words_of_row // length))
        _samples[key] = Corpus(*Sampler(length).pairs(n_pairs, shape))
    return _samples[key]


def _seconds(corpus: Corpus, options: dict[str, Any], resamples: int = 0) -> float:
    """Return the median time of an evaluation: of a peer and its models."""
    call = partial(rouge_cli.evaluate, corpus.peers, corpus.models, **options, resamples=resamples)
    call()
    return median_seconds(call, 5) / len(corpus.peers)


if __name__ == "__main__":
    use_one_core()
    json.dump(measure(scale_of(sys.argv[1])), sys.stdout)
