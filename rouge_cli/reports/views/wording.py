"""How numbers, names of measures and counts of things are worded in every report."""

from collections.abc import Sequence
from math import isnan

from rouge_cli.options.requirements import MEASURE_NAMES, SINGLE_MEASURE
from rouge_cli.reports.table import Note

__all__ = [
    "UNDEFINED",
    "counted",
    "lower_note",
    "measure_label",
    "measure_title",
    "number",
    "p_value",
]

UNDEFINED = "-"

LEAST_P = 0.00005
"""A smaller p would show as zero, which no p is."""


def number(value: float | None, decimals: int, sign: str = "-") -> str:
    """Write a number; one that rounds to zero has no sign.

    Parameters
    ----------
    value : float or None
        None or nan for one that is undefined.
    sign : str
        ``"+"`` to show the sign of positive numbers too.
    """
    if value is None or isnan(value):
        return UNDEFINED
    text = f"{value:{sign}.{decimals}f}"
    return text.lstrip("+-") if float(text) == 0 else text


def p_value(p: float | None) -> str:
    """Write a p-value."""
    if p is None:
        return UNDEFINED
    return f"{p:.4f}" if p >= LEAST_P else "<.0001"


def measure_label(metric: str, letter: str) -> str:
    """Name a measure of a metric, such as ``ROUGE-2 F``; a single score has the metric's name."""
    return metric if letter == SINGLE_MEASURE else f"{metric} {letter}"


def measure_title(letter: str) -> str:
    """Name a measure in a title."""
    return letter if letter == "F" else MEASURE_NAMES[letter]


def lower_note(metrics: Sequence[str]) -> Note:
    """Say of which metrics lower scores are better."""
    return Note.of(f"Lower is better: {', '.join(metrics)}.")


def counted(count: int, what: str) -> str:
    """Say how many there are of a thing, named in the singular."""
    return f"{count} {what}{'s' * (count != 1)}"
