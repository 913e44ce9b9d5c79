"""What a metric finds: counts of each pair of a peer and a model, and scores of each instance.

An instance is one peer in one EVAL; its pairs, one for each model, stand side by side.
Source: specification, section 5.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.aggregation import Aggregation
from rouge_cli.options.requirements import SINGLE_MEASURE
from rouge_cli.quick_dataclass import dataclass

__all__ = [
    "RPF",
    "SHARES",
    "Counts",
    "InstanceScores",
    "ScoredMetric",
    "joined_counts",
    "joined_scores",
]

SHARES = "0-1"
"""The scale of every ROUGE metric."""

RPF = ("R", "P", "F")
"""Recall, precision and F: the measures of every ROUGE metric, in the order of print."""


@dataclass(frozen=True, slots=True)
class ScoredMetric:
    """What is known of a metric without the code that computes it.

    Parameters
    ----------
    name : str
        As printed: ``"ROUGE-1"``, ``"ROUGE-W-1.2"``, ``"ROUGE-SU*"``; what the original does not
        have is named so that nobody takes it for what it has.
    measures : tuple of str
        The letters of its measures, in the order of print: ``("R", "P", "F")``, or one ``"S"`` for
        a metric with a single score.
    scale : str or None
        What its scores can be: ``"0-1"``, shares, for all of ROUGE; ``"0-100"``; None if unknown.
        Only scores of one scale can be fused.
    is_lower_better : bool
        Whether a lower score is a better one.
    aggregation : Aggregation or None
        How the score of a system is made; None if it is the mean of the scores of its EVALs.
    """

    name: str
    measures: tuple[str, ...] = RPF
    scale: str | None = None
    is_lower_better: bool = False
    aggregation: Aggregation | None = None

    @property
    def is_single(self) -> bool:
        """Whether it has the one measure S."""
        return self.measures == (SINGLE_MEASURE,)

    @property
    def statistics(self) -> tuple[str, ...]:
        """The parts of its score that are no measure of any metric."""
        if self.aggregation is None:
            return ()
        return tuple(key for name, key in self.aggregation.parts if name == self.name)

    @property
    def n_statistics(self) -> int:
        """How many of them there are."""
        return len(self.statistics)


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Hit, model count and peer count of many pairs.

    Parameters
    ----------
    hit, model_count, peer_count : ndarray, shape (n_pairs,)
        Of int64; in ROUGE-W of float64 or, with a whole weight, of int64 or else of object:
        Python's ints, and floats where the original has a double.
    model_base : ndarray, shape (n_pairs,), or None
        In ROUGE-W the model count weighted once, by which formula B compares models.
    peer_hit : ndarray, shape (n_pairs,), or None
        The hit that precision is made of, where it is not `hit`: in pairwise LCS.
    """

    hit: NDArray[Any]
    model_count: NDArray[Any]
    peer_count: NDArray[Any]
    model_base: NDArray[Any] | None = None
    peer_hit: NDArray[Any] | None = None

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what there is of hits and counts by name; the base is left out."""
        found = {"hit": self.hit, "model_count": self.model_count, "peer_count": self.peer_count}
        return found if self.peer_hit is None else {**found, "peer_hit": self.peer_hit}

    def apply(self, change: Callable[[NDArray[Any]], NDArray[Any]]) -> "Counts":
        """Return the counts after the same change to each of them; the base is dropped."""
        peer_hit = None if self.peer_hit is None else change(self.peer_hit)
        return Counts(
            change(self.hit),
            change(self.model_count),
            change(self.peer_count),
            peer_hit=peer_hit,
        )

    def take(self, rows: NDArray[np.int64]) -> "Counts":
        """Return the counts of some rows; the base is dropped."""
        return self.apply(lambda values: values[rows])


def joined_counts(pieces: Sequence[Counts]) -> Counts:
    """Put the hits, model counts and peer counts of all pieces behind one another."""
    none = np.zeros(0, np.int64)
    peer_hits = [piece.peer_hit for piece in pieces if piece.peer_hit is not None]
    return Counts(
        np.concatenate([none, *(piece.hit for piece in pieces)]),
        np.concatenate([none, *(piece.model_count for piece in pieces)]),
        np.concatenate([none, *(piece.peer_count for piece in pieces)]),
        peer_hit=np.concatenate(peer_hits) if peer_hits else None,
    )


@dataclass(frozen=True, slots=True, eq=False)
class InstanceScores:
    """The scores of many instances in one metric.

    Parameters
    ----------
    values : ndarray of float64, shape (n_measures, n_instances)
        A row for each measure, and behind them one for each statistic. Measures of ROUGE are
        rounded to 5 decimals.
    counts : Counts or None
        A row an instance; None if the metric does not count.
    """

    values: NDArray[np.float64]
    counts: Counts | None

    def take(self, rows: NDArray[np.int64]) -> "InstanceScores":
        """Return the scores of some instances."""
        counts = None if self.counts is None else self.counts.take(rows)
        return InstanceScores(self.values[:, rows], counts)


def joined_scores(pieces: Sequence[InstanceScores]) -> InstanceScores:
    """Put the scores of all pieces, at least one, behind one another."""
    if len(pieces) == 1:
        return pieces[0]
    counts = [piece.counts for piece in pieces if piece.counts is not None]
    values = np.concatenate([piece.values for piece in pieces], axis=1)
    return InstanceScores(values, joined_counts(counts) if counts else None)
