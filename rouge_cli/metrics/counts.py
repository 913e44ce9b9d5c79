"""What a metric finds: counts of each pair of a peer and a model, and scores of each instance.

An instance is one peer in one EVAL; its pairs, one for each model, stand side by side.
The score of a system is the mean of those of its EVALs, or an `Aggregation` of several means. Then
the bootstrap draws EVALs, and tests swap them, part by part.
Source: specification, section 5.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.arithmetic import number_array
from rouge_cli.options.declaration import Number
from rouge_cli.options.scores import SINGLE_MEASURE, Fusion, Term
from rouge_cli.quick_dataclass import dataclass

Floats = NDArray[np.float64]

PartKey = tuple[str, str]
"""Name of a metric, and one of its measures or statistics."""


class Aggregation(Protocol):
    """From the means of parts to a score."""

    @property
    def parts(self) -> tuple[PartKey, ...]:
        """What is averaged over the EVALs of a system."""
        ...

    @property
    def definition(self) -> Mapping[str, Any]:
        """What saved scores say of it, in plain values."""
        ...

    def score(self, means: Floats, n_evals: Floats | int) -> Floats:
        """Return the scores, of shape (...).

        `means` has shape (n_parts, ...); nan makes nan. `n_evals`, a number or of shape (...), says
        over how many EVALs they are means.
        """
        ...

    def slopes(self, means: Floats, n_evals: int) -> Floats:
        """Return by how much the score grows with each mean; both of shape (n_parts,)."""
        ...


@dataclass(frozen=True, slots=True)
class FusedMeans:
    """A fusion of the means of other metrics; `parts` are what each of its terms names."""

    fusion: Fusion
    parts: tuple[PartKey, ...]

    @property
    def definition(self) -> Mapping[str, Any]:
        """Name, kind, and each part with its weight."""
        weights = [term.weight.text for term in self.fusion.terms]
        return {
            "label": self.fusion.label,
            "kind": self.fusion.kind,
            "parts": [[*part, weight] for part, weight in zip(self.parts, weights, strict=True)],
        }

    @classmethod
    def defined(cls, definition: Mapping[str, Any]) -> "FusedMeans":
        """Return the one of a definition; raises ValueError, KeyError or TypeError."""
        parts = [(str(name), str(key), str(weight)) for name, key, weight in definition["parts"]]
        terms = tuple(Term(name, key, Number(weight, float(weight))) for name, key, weight in parts)
        fusion = Fusion(definition["label"], definition["kind"], False, terms)
        return cls(fusion, tuple((name, key) for name, key, _ in parts))

    def score(self, means: Floats, n_evals: Floats | int) -> Floats:
        """Fuse the means."""
        return fused(self.fusion, means)

    def slopes(self, means: Floats, n_evals: int) -> Floats:
        """Return the derivatives; 0 where a mean of 0 leaves none."""
        weights = _weights(self.fusion)
        if self.fusion.kind == "mean":
            return weights
        is_defined = means > 0
        divisors = np.where(is_defined, means, 1.0)
        whole = fused(self.fusion, means)
        ratios = whole / divisors if self.fusion.kind == "geomean" else (whole / divisors) ** 2
        slopes: Floats = np.where(is_defined, weights * ratios, 0.0)
        return slopes


def _weights(fusion: Fusion) -> Floats:
    """Return the weights of the terms, which add up to 1."""
    weights = np.array([term.weight.value for term in fusion.terms])
    shares: Floats = weights / weights.sum()
    return shares


def fused(fusion: Fusion, values: Floats) -> Floats:
    """Return the weighted mean, geometric mean or harmonic mean; a 0 makes the last two 0.

    `values`, of shape (n_terms, ...), are not below 0 for the last two.
    """
    weights = _weights(fusion).reshape(-1, *[1] * (values.ndim - 1))
    if fusion.kind == "mean":
        mean: Floats = (weights * values).sum(axis=0)
        return mean
    if fusion.kind == "geomean":
        product: Floats = (values**weights).prod(axis=0)
        return product
    is_zero = (values == 0).any(axis=0)
    inverse = (weights / np.where(values == 0, 1.0, values)).sum(axis=0)
    harmonic: Floats = np.where(is_zero, 0.0, 1.0 / inverse)
    return harmonic


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


class PairCounts(NamedTuple):
    """What a metric counts in one pair.

    Parameters
    ----------
    hit, model_count, peer_count : int or float
        Floats in ROUGE-W only.
    model_base : int or float, optional
        In ROUGE-W the model count weighted once, by which formula B compares models.
    peer_hit : int, optional
        The hit that precision is made of, where it is not `hit`: in pairwise LCS.
    """

    hit: float
    model_count: float
    peer_count: float
    model_base: float | None = None
    peer_hit: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """What `PairCounts` has of one pair, for many: arrays of shape (n_pairs,).

    They are of int64 or, of a run with many instances, of int32 where these are enough; in ROUGE-W
    of float64 or, with a whole weight, of whole numbers, or else of object: Python's ints, and
    floats where the original has a double.
    """

    hit: NDArray[Any]
    model_count: NDArray[Any]
    peer_count: NDArray[Any]
    model_base: NDArray[Any] | None = None
    peer_hit: NDArray[Any] | None = None

    @classmethod
    def of_pairs(cls, pairs: Sequence[PairCounts], *, has_whole_counts: bool = True) -> "Counts":
        """Return the counts of pairs in arrays, with whole numbers as long as these fit."""

        def array(values: tuple[Any, ...]) -> NDArray[Any]:
            return number_array(values) if has_whole_counts else np.array(values, np.float64)

        hit, model_count, peer_count, model_base, peer_hit = zip(*pairs, strict=True)
        return cls(
            array(hit),
            array(model_count),
            array(peer_count),
            None if model_base[0] is None else array(model_base),
            None if peer_hit[0] is None else array(peer_hit),
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what there is of hits and counts by name; the base is left out."""
        counts = {"hit": self.hit, "model_count": self.model_count, "peer_count": self.peer_count}
        return counts if self.peer_hit is None else {**counts, "peer_hit": self.peer_hit}

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
    """Concatenate the scores of all pieces, at least one."""
    if len(pieces) == 1:
        return pieces[0]
    counts = [piece.counts.arrays() for piece in pieces if piece.counts is not None]
    values = np.concatenate([piece.values for piece in pieces], axis=1)
    if not counts:
        return InstanceScores(values, None)
    joined = {name: np.concatenate([arrays[name] for arrays in counts]) for name in counts[0]}
    return InstanceScores(values, Counts(**joined))
