"""How scores are printed: what gates compare, in exact decimals, and what they say of it."""

from decimal import Decimal

from rouge_cli.options.every import Options
from rouge_cli.options.scores import RAW_COUNTS
from rouge_cli.scoring.averages import average
from rouge_cli.scoring.results import MetricScores

__all__ = ["headline", "printed", "printed_average", "printed_field", "shown_id"]

LETTERS = "RPF"


def printed(value: float) -> Decimal:
    """Return a score with the 5 decimals that are printed, so that nobody decides by others."""
    return Decimal(f"{value:.5f}")


def printed_average(metric: MetricScores, letter: str) -> Decimal:
    """Return the average recall, precision or F (``"R"``, ``"P"``, ``"F"``), as it is printed."""
    return printed(average(metric.measures[letter]))


def printed_field(options: Options) -> str:
    """Return which mean of a measure is the printed average: a field of `Measure`."""
    has_bootstrap = options.scores.resamples > 0 and options.scores.counting != RAW_COUNTS
    return "bootstrap_mean" if has_bootstrap else "mean"


def shown_id(system_id: str) -> str:
    """Return an ID as it is, or escaped where it would break a line."""
    return system_id if system_id.isprintable() else ascii(system_id)


def headline(system_id: str, metric: str, letter: str) -> str:
    """Name a score in a message."""
    return f"{shown_id(system_id)} {metric} {letter}"
