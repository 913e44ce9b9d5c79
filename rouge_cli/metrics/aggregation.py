"""Scores of systems that are no means of the scores of EVALs, but are made of several means.

Whoever resamples EVALs, or swaps them between systems, does so with the parts, all at once, and
makes scores of what comes out.
"""

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rouge_cli.options.declaration import Number
from rouge_cli.options.fusions import Fusion, Term
from rouge_cli.quick_dataclass import dataclass

__all__ = ["Aggregation", "FusedMeans", "PartKey", "fused"]

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
        """Return the scores.

        Parameters
        ----------
        means : ndarray of float64, shape (n_parts, ...)
            nan makes nan.
        n_evals : int or ndarray, shape (...)
            Over how many EVALs they are means.

        Returns
        -------
        ndarray of float64, shape (...)
        """
        ...

    def slopes(self, means: Floats, n_evals: int) -> Floats:
        """Return by how much the score grows with each mean; both of shape (n_parts,)."""
        ...


@dataclass(frozen=True, slots=True)
class FusedMeans:
    """A fusion whose terms are found: it is made of the means of other metrics.

    Parameters
    ----------
    parts : tuple of PartKey
        What each of its terms names.
    """

    fusion: Fusion
    parts: tuple[PartKey, ...]

    @property
    def definition(self) -> Mapping[str, Any]:
        """Name, kind, and each part with its weight."""
        weights = [term.weight.text for term in self.fusion.terms]
        return {
            "label": self.fusion.label,
            "kind": self.fusion.kind,
            "parts": [[*part, one] for part, one in zip(self.parts, weights, strict=True)],
        }

    @classmethod
    def defined(cls, definition: Mapping[str, Any]) -> "FusedMeans":
        """Return the one of a definition; raises ValueError, KeyError or TypeError."""
        parts = [(str(name), str(key), str(weight)) for name, key, weight in definition["parts"]]
        terms = tuple(Term(name, key, Number(one, float(one))) for name, key, one in parts)
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

    Parameters
    ----------
    values : ndarray of float64, shape (n_terms, ...)
        Not below 0 for the last two.
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
