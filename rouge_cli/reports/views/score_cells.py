"""Cells of scores, as the tables of systems and of EVALs both have them."""

from collections.abc import Iterator
from decimal import Decimal

from rouge_cli.options.every import Options
from rouge_cli.options.requirements import SINGLE_MEASURE
from rouge_cli.reports.table import Column
from rouge_cli.reports.views.wording import measure_label
from rouge_cli.scoring.eval_order import shown_letters
from rouge_cli.scoring.results import Measure, SystemScores

__all__ = ["bar_of", "letters_of", "measures_of", "score_columns", "score_digits"]


def letters_of(options: Options) -> str:
    """Return the measures that are shown."""
    return options.reports.measures or "F"


def measures_of(system: SystemScores, options: Options) -> Iterator[tuple[str, str, Measure]]:
    """Yield metric, letter and measure of each column."""
    for name, scores in system.metrics.items():
        for letter in shown_letters(tuple(scores.measures), letters_of(options)):
            yield name, letter, scores.measures[letter]


def score_columns(system: SystemScores, options: Options) -> tuple[Column, ...]:
    """Return the columns of scores."""
    return tuple(
        Column(measure_label(name, letter)) for name, letter, _ in measures_of(system, options)
    )


def score_digits(
    score: float, decimals: int, letter: str, options: Options, sign: str = "-"
) -> str:
    """Write a score; times 100 it shows the same digits. A single score has its own scale."""
    text = f"{score:{sign}.{decimals}f}"
    if float(text) == 0:
        text = text.lstrip("+")
    is_percent = options.reports.percent and letter != SINGLE_MEASURE
    return f"{Decimal(text).scaleb(2):{sign}f}" if is_percent else text


def bar_of(score: float, most: float, options: Options) -> float | None:
    """Return how long the bar of a score is, from 0 to 1; None if no bars are asked for.

    Parameters
    ----------
    most : float
        The best score of the column, whose bar is full.
    """
    if not options.reports.bars:
        return None
    return min(max(score / most, 0.0), 1.0) if most > 0 else 0.0
