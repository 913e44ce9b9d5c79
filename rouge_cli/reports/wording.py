"""How numbers, names of measures and counts of things are worded in every report."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from math import isnan
from typing import Protocol

from rouge_cli.options.options import Options
from rouge_cli.options.scores import MEASURE_NAMES, SINGLE_MEASURE
from rouge_cli.reports.document import Cell, Column, Note
from rouge_cli.scores.rankings import shown_letters
from rouge_cli.scores.results import Measure, SystemScores


class ScoreColumn(Protocol):
    """A measure of a metric."""

    @property
    def metric(self) -> str:
        """Name of the metric."""

    @property
    def letter(self) -> str:
        """R, P or F, or S for a single score."""


UNDEFINED = "-"
NO_BREAK = "\N{NO-BREAK SPACE}"

MOST_NAMES = 4
"""So many names are listed in a sentence; of more, the others are counted."""

ACCURACY_NAMES = {"pa": "PA", "acc-eq": "acc-eq", "spa": "SPA"}
"""Of accuracies over pairs; a correlation has the name of a person."""

LEAST_P = 0.00005
"""A smaller p would show as zero, which no p is."""


def number(value: float | None, decimals: int, sign: str = "-") -> str:
    """Write a number; one that rounds to zero has no sign. None or nan is undefined.

    `sign` ``"+"`` shows the sign of positive numbers too.
    """
    if value is None or isnan(value):
        return UNDEFINED
    text = f"{value:{sign}.{decimals}f}"
    return text.lstrip("+-") if float(text) == 0 else text


def interval_cell(interval: tuple[float | None, float | None], decimals: int) -> Cell:
    """Return the cell of an interval."""
    lower, upper = (number(bound, decimals) for bound in interval)
    return Cell("", (lower, upper))


def p_value(p: float | None) -> str:
    """Write a p-value."""
    if p is None:
        return UNDEFINED
    return f"{p:.4f}" if p >= LEAST_P else "<.0001"


def equals(p: float) -> str:
    """Write a p-value behind its name; the result has no blank at which a line may end."""
    text = p_value(p)
    return (f"< {text[1:]}" if text.startswith("<") else f"= {text}").replace(" ", NO_BREAK)


def coefficient_name(coefficient: str) -> str:
    """Name a coefficient as tables do."""
    return ACCURACY_NAMES.get(coefficient, coefficient.capitalize())


def measure_label(metric: str, letter: str) -> str:
    """Name a measure of a metric, such as ``ROUGE-2 F``; a single score has the metric's name."""
    return metric if letter == SINGLE_MEASURE else f"{metric} {letter}"


def column_label(column: ScoreColumn) -> str:
    """Name a column of scores."""
    return measure_label(column.metric, column.letter)


def factor_of(column: ScoreColumn, *, percent: bool) -> int:
    """Return by what the scores of a column are multiplied; a single score has its own scale."""
    return 100 if percent and column.letter != SINGLE_MEASURE else 1


def measure_title(letter: str) -> str:
    """Name a measure in a title."""
    return letter if letter == "F" else MEASURE_NAMES[letter]


def lower_note(metrics: Sequence[str]) -> Note:
    """Say of which metrics lower scores are better."""
    return Note.of(f"Lower is better: {', '.join(metrics)}.")


def counted(count: int, what: str) -> str:
    """Say how many there are of a thing, named in the singular."""
    return f"{count} {what}{'s' * (count != 1)}"


def evals_in_clusters(n_evals: int, n_clusters: int | None) -> str:
    """Say how many EVALs there are and, if they are in clusters, in how many."""
    evals = counted(n_evals, "EVAL")
    return evals if n_clusters is None else f"{evals} in {counted(n_clusters, 'cluster')}"


def eval_count(sizes: Sequence[int]) -> str:
    """Say how many EVALs systems have, or pairs of them."""
    fewest, most = min(sizes), max(sizes)
    return f"{fewest} to {most} EVALs" if fewest < most else counted(most, "EVAL")


def listed(names: Sequence[str], most: int = MOST_NAMES) -> str:
    """Return names as a sentence has them; of many, how many more there are."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def measures_of(system: SystemScores, options: Options) -> Iterator[tuple[str, str, Measure]]:
    """Yield metric, letter and measure of each column."""
    for name, scores in system.metrics.items():
        for letter in shown_letters(tuple(scores.measures), options.reports.shown_measures):
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

    The bar of `most`, the best score of the column, is full.
    """
    if not options.reports.bars:
        return None
    return min(max(score / most, 0.0), 1.0) if most > 0 else 0.0
