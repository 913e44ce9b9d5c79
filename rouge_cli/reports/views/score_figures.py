"""Figures of scores: systems with intervals, how EVALs are spread, differences, A against B."""

from collections.abc import Sequence

import numpy as np

from rouge_cli.escapes import escape_unprintable
from rouge_cli.options.requirements import SINGLE_MEASURE
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.charts.distributions import histogram_panel
from rouge_cli.reports.charts.intervals import Estimate, interval_panel
from rouge_cli.reports.charts.wins import wins_panel
from rouge_cli.reports.figure import Figure, Spec
from rouge_cli.reports.views.wording import counted, measure_label
from rouge_cli.scoring.averages import average
from rouge_cli.scoring.results import Measure, Results
from rouge_cli.statistics.comparison_records import Comparison, PairResult, Ranking
from rouge_cli.statistics.score_columns import Column

__all__ = [
    "Wins",
    "difference_figure",
    "distribution_figure",
    "forest_figure",
    "shared_wins",
    "shown_pairs",
    "wins_figure",
]

MOST_ROWS = 40
MOST_HISTOGRAMS = 8
MOST_MAPS = 6

MINUS = "\N{MINUS SIGN}"


def forest_figure(results: Results, systems: Sequence[str], columns: Sequence[Column]) -> Figure:
    """Return the systems with their intervals, a panel for each column.

    Parameters
    ----------
    systems : sequence of str
        The best first.
    """
    shown, options = systems[:MOST_ROWS], results.options
    panels, level = [], options.scores.confidence.text
    for column in columns:
        measures = [_measure(results, system, column) for system in shown]
        factor = _factor(results, column)
        values = [average(one) * factor for one in measures]
        best = max(values)
        estimates = [
            Estimate(
                escape_unprintable(system),
                value,
                None if one.interval is None else _times(one.interval, factor),
                value == best and len(shown) > 1,
            )
            for system, one, value in zip(shown, measures, values, strict=True)
        ]
        has_intervals = any(one.interval for one in estimates)
        axis = _axis(results, column, shown)
        axis = f"{axis}, {level}% interval" if has_intervals else axis
        panels.append(interval_panel(_label(column), _sizes(results, shown), axis, estimates))
    caption = f"Means of the systems{_of(systems, MOST_ROWS)}; the best is filled."
    if options.scores.resamples:
        caption += f" Bars: {level}% confidence intervals, {options.scores.resamples} resamples."
    return Figure("forest", "Systems", caption, tuple(panels))


def distribution_figure(
    results: Results, systems: Sequence[str], columns: Sequence[Column]
) -> Figure:
    """Return how the scores of EVALs are spread, a panel for each column."""
    shown = systems[:MOST_HISTOGRAMS]
    panels = []
    for column in columns:
        scores = [
            (
                escape_unprintable(one),
                _measure(results, one, column).per_eval * _factor(results, column),
            )
            for one in shown
        ]
        axis = f"{_label(column)} of an EVAL"
        panels.append(histogram_panel(_label(column), _sizes(results, shown), axis, scores))
    caption = (
        f"How many EVALs have which score, for each system{_of(systems, MOST_HISTOGRAMS)}, with "
        "the same bins; the line is the mean."
    )
    return Figure("distributions", "Distributions over EVALs", caption, tuple(panels))


def difference_figure(comparison: Comparison, *, percent: bool = False) -> Figure:
    """Return the differences of pairs with their intervals, a panel for each column."""
    panels = []
    for ranking in comparison.rankings:
        column = ranking.column
        factor = 100 if percent and column.letter != SINGLE_MEASURE else 1
        pairs = shown_pairs(ranking)
        estimates = [
            Estimate(
                f"{escape_unprintable(one.system_a)} {MINUS} {escape_unprintable(one.system_b)}",
                one.difference * factor,
                _times(one.interval, factor),
                one.better is not None,
            )
            for one in pairs
        ]
        sizes = [one.n_evals for one in pairs]
        level = comparison.options.scores.confidence.text
        axis = f"Difference in {_label(column)}, {level}% interval"
        panels.append(interval_panel(_label(column), _span(sizes), axis, estimates, has_zero=True))
    n_shown, n_all = len(shown_pairs(comparison.rankings[0])), len(comparison.rankings[0].pairs)
    which = "Every pair" if n_shown == n_all else f"The best system and each other, {n_shown} pairs"
    caption = (
        f"{which}: the difference of the means over the EVALs that both have. Filled: significant "
        "after Holm's correction. Left of the dashed line the second system is better."
    )
    return Figure("differences", "Differences", caption, tuple(panels))


def shown_pairs(ranking: Ranking) -> Sequence[PairResult]:
    """Return all pairs or, of many, those of the best system."""
    if len(ranking.pairs) <= MOST_ROWS // 2:
        return ranking.pairs
    best = ranking.systems[0].id
    return [one for one in ranking.pairs if best in {one.system_a, one.system_b}][:MOST_ROWS]


@dataclass(frozen=True, slots=True)
class Wins:
    """In how many EVALs A is better than B, equally good, and worse."""

    better: int
    equal: int
    worse: int


def wins_figure(results: Results, pair: tuple[str, str], columns: Sequence[Column]) -> Figure:
    """Return a map of A against B, EVAL by EVAL, a panel for each of the first columns."""
    first, second = map(escape_unprintable, pair)
    panels: list[Spec] = []
    for column in columns[:MOST_MAPS]:
        scores, wins = shared_wins(results, pair, column)
        subtitle = f"{first} {wins.better}, equal {wins.equal}, {second} {wins.worse} EVALs"
        label = _label(column)
        axes = (f"{first}, {label}", f"{second}, {label}")
        panels.append(wins_panel(label, subtitle, axes, scores * _factor(results, column)))
    caption = (
        f"EVALs by their scores of {first} (to the right) and of {second} (upwards): the stronger "
        f"the colour, the more. Below the dashed line {first} is better."
    )
    if len(columns) > MOST_MAPS:
        caption += f" The first {MOST_MAPS} of {len(columns)} scores."
    return Figure("wins", f"{first} against {second}", caption, tuple(panels))


def shared_wins(
    results: Results, pair: tuple[str, str], column: Column
) -> "tuple[np.ndarray[tuple[int, int], np.dtype[np.float64]], Wins]":
    """Return the scores of two systems in the EVALs that both have, and who is better in how many.

    Returns
    -------
    scores : ndarray of float64, shape (2, n_evals)
    wins : Wins
    """
    known = [results.table.systems[system] for system in pair]
    columns = [one.columns[column.metric] for one in known]
    values = [one.values[one.metric.measures.index(column.letter)] for one in columns]
    if known[0].eval_ids != known[1].eval_ids:
        place = {eval_id: k for k, eval_id in enumerate(known[1].eval_ids)}
        both = [(k, place[one]) for k, one in enumerate(known[0].eval_ids) if one in place]
        own, other = (list(places) for places in zip(*both, strict=True))
        values = [values[0][own], values[1][other]]
    scores = np.stack(values)
    signs = np.sign(scores[0] - scores[1])
    counts = [int((signs == sign).sum()) for sign in (1, 0, -1)]
    return scores, Wins(*counts)


def _measure(results: Results, system: str, column: Column) -> Measure:
    """Return the scores of a system in a column."""
    return results.systems[system].metrics[column.metric].measures[column.letter]


def _label(column: Column) -> str:
    """Name a column."""
    return measure_label(column.metric, column.letter)


def _factor(results: Results, column: Column) -> int:
    """Return by what scores are multiplied."""
    return 100 if results.options.reports.percent and column.letter != SINGLE_MEASURE else 1


def _times(interval: tuple[float, float], factor: int) -> tuple[float, float]:
    """Multiply the bounds of an interval."""
    return interval[0] * factor, interval[1] * factor


def _axis(results: Results, column: Column, systems: Sequence[str]) -> str:
    """Say what the values of the forest plot are."""
    scale = " \N{MULTIPLICATION SIGN} 100" if _factor(results, column) > 1 else ""
    return f"Mean {_label(column)}{scale}"


def _sizes(results: Results, systems: Sequence[str]) -> str:
    """Say how many EVALs the systems have."""
    return _span([len(results.systems[system].eval_ids) for system in systems])


def _span(sizes: Sequence[int]) -> str:
    """Say how many EVALs there are."""
    fewest, most = min(sizes), max(sizes)
    return f"{fewest} to {most} EVALs" if fewest < most else counted(most, "EVAL")


def _of(systems: Sequence[str], most: int) -> str:
    """Say that only some are shown, if so."""
    return f" (the best {most} of {len(systems)})" if len(systems) > most else ""
