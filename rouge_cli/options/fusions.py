"""Metrics that are fused of others: ``G=geomean(ROUGE-1:F,2*ROUGE-2:F)``."""

import re
from collections.abc import Iterable, Iterator
from math import isfinite
from typing import Any

from rouge_cli.options.declaration import ItemError, Number
from rouge_cli.options.requirements import MEASURE_NAMES
from rouge_cli.quick_dataclass import dataclass

__all__ = ["KINDS", "Fusion", "Term", "fusions"]

KINDS = ("mean", "geomean", "harmonic")
PER_EVAL = "eval-"

EXPECTED = (
    "NAME=KIND(METRIC:MEASURE,...), such as 'G=geomean(ROUGE-1:F,2*ROUGE-2:F)', with a KIND of "
    f"{', '.join(KINDS)}, alone or behind {PER_EVAL}"
)
WHOLE = re.compile(r"\s*([^=:|]*[^=:|\s])\s*=\s*(eval-)?(\w+)\s*\((.*)\)\s*", re.DOTALL)
WEIGHT = re.compile(r"\s*([0-9]+\.?[0-9]*|\.[0-9]+)\s*\*\s*(.*)", re.DOTALL)
FEWEST_TERMS = 2


@dataclass(frozen=True, slots=True)
class Term:
    """A measure of a metric, and how much it counts.

    Parameters
    ----------
    measure : str or None
        A letter of `MEASURE_NAMES`; None for F or, of a metric with a single score, that.
    weight : Number
        Above 0.
    """

    metric: str
    measure: str | None = None
    weight: Number = Number("1", 1.0)

    def __str__(self) -> str:
        """Return it as it is typed."""
        weight = "" if self.weight.value == 1 else f"{self.weight.text}*"
        return f"{weight}{self.metric}" + ("" if self.measure is None else f":{self.measure}")


@dataclass(frozen=True, slots=True)
class Fusion:
    """How a metric is made of others.

    Parameters
    ----------
    label : str
        What the user calls it.
    kind : str
        One of `KINDS`.
    is_per_eval : bool
        Whether the scores of each EVAL are fused, and not the means of systems.
    terms : tuple of Term
        At least two.
    """

    label: str
    kind: str
    is_per_eval: bool
    terms: tuple[Term, ...]

    @property
    def name(self) -> str:
        """What the metric is called in print, which says what its numbers are."""
        if self.is_per_eval:
            return f"{self.label} (mean of {PER_EVAL}{self.kind})"
        return f"{self.label} ({self.kind} of means)"

    def __str__(self) -> str:
        """Return it as it is typed."""
        kind = f"{PER_EVAL if self.is_per_eval else ''}{self.kind}"
        return f"{self.label}={kind}({','.join(map(str, self.terms))})"


def fusions(given: Any) -> tuple[Fusion, ...]:
    """Read fusions: one, or several in a list or tuple."""
    if isinstance(given, str | Fusion):
        return (_fusion(given),)
    if not isinstance(given, Iterable):
        raise ValueError(EXPECTED)
    return tuple(map(_fusion, given))


def _fusion(given: Any) -> Fusion:
    """Read one fusion."""
    if isinstance(given, Fusion):
        return given
    found = WHOLE.fullmatch(given) if isinstance(given, str) else None
    if found is None or found[3] not in KINDS or not found[1].isprintable():
        raise ItemError(given, EXPECTED)
    label, per_eval, kind, inner = found.groups()
    terms = tuple(_term(part, given) for part in _parts(inner))
    if len(terms) < FEWEST_TERMS:
        raise ItemError(given, f"{EXPECTED}, of two measures or more")
    return Fusion(label, kind, per_eval is not None, terms)


def _parts(inner: str) -> Iterator[str]:
    """Split at commas, but for those within the brackets of a name."""
    depth = start = 0
    for place, character in enumerate(inner):
        depth += (character in "([") - (character in ")]")
        if character == "," and not depth:
            yield inner[start:place]
            start = place + 1
    yield inner[start:]


def _term(text: str, given: str) -> Term:
    """Read ``WEIGHT*METRIC:MEASURE``; weight and measure may be left out."""
    weighted = WEIGHT.fullmatch(text)
    weight = Number("1", 1.0)
    if weighted is not None:
        weight, text = Number(weighted[1], float(weighted[1])), weighted[2]
    if not (weight.value > 0 and isfinite(weight.value)):
        raise ItemError(given, f"{EXPECTED}, with weights above 0")
    metric, colon, measure = text.rpartition(":")
    if not colon:
        metric, measure = text, ""
    measure = measure.strip().upper()
    if not metric.strip() or (colon and measure not in MEASURE_NAMES):
        raise ItemError(given, EXPECTED)
    return Term(metric.strip(), measure or None, weight)
