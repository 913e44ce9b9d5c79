"""Figures of scores: systems, how EVALs are spread, differences, A against B, judgements."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from rouge_cli.escapes import escape_unprintable
from rouge_cli.reports.charts import (
    Estimate,
    JudgedSystem,
    agreement_panel,
    histogram_panel,
    interval_panel,
    shortened,
    wins_panel,
)
from rouge_cli.reports.document import Figure, Spec
from rouge_cli.reports.wording import (
    coefficient_name,
    column_label,
    counted,
    eval_count,
    factor_of,
    number,
    p_value,
)
from rouge_cli.scores.results import Measure, Results, average
from rouge_cli.studies.compare.results import Comparison, PairResult, Ranking
from rouge_cli.studies.correlate.correlation import CorrelationStudy
from rouge_cli.studies.correlate.correlation_columns import CorrelationColumn
from rouge_cli.studies.score_columns import Column, score_matrix

MOST_LETTERS_OF_TWO = 50
MOST_ROWS = 40
MOST_HISTOGRAMS = 8
MOST_MAPS = 6
MOST_PANELS = 12
COEFFICIENT_DECIMALS = 3

MINUS = "\N{MINUS SIGN}"


def forest_figure(results: Results, systems: Sequence[str], columns: Sequence[Column]) -> Figure:
    """Return the systems, the best first, with their intervals, a panel for each column."""
    drawn, options = systems[:MOST_ROWS], results.options
    panels, level = [], options.scores.confidence.text
    sizes = eval_count([len(results.systems[system].eval_ids) for system in drawn])
    for column in columns:
        measures = [_measure(results, system, column) for system in drawn]
        factor = factor_of(column, percent=options.reports.percent)
        values = [average(measure) * factor for measure in measures]
        best = (min if column.is_lower_better else max)(values)
        estimates = [
            Estimate(
                escape_unprintable(system),
                value,
                _times(measure.interval, factor),
                value == best and len(drawn) > 1,
            )
            for system, measure, value in zip(drawn, measures, values, strict=True)
        ]
        scale = " \N{MULTIPLICATION SIGN} 100" if factor > 1 else ""
        error = f", {level}% interval" if any(estimate.interval for estimate in estimates) else ""
        axis = f"Mean {column_label(column)}{scale}{error}"
        panels.append(interval_panel(column_label(column), sizes, axis, estimates))
    filled = "; the best is filled" if len(drawn) > 1 else ""
    caption = f"Means of the systems{_of(systems, MOST_ROWS)}{filled}."
    if options.scores.resamples:
        caption += f" Bars: {level}% confidence intervals, {options.scores.resamples} resamples."
    return Figure("forest", "Systems", caption, tuple(panels))


def distribution_figure(
    results: Results, systems: Sequence[str], columns: Sequence[Column]
) -> Figure:
    """Return how the scores of EVALs are spread, a panel for each column."""
    shown, panels = systems[:MOST_HISTOGRAMS], []
    sizes = eval_count([len(results.systems[system].eval_ids) for system in systems])
    sizes += _of(systems, MOST_HISTOGRAMS)
    for column in columns:
        factor = factor_of(column, percent=results.options.reports.percent)
        scores = [
            (escape_unprintable(system), _measure(results, system, column).per_eval * factor)
            for system in shown
        ]
        axis = f"{column_label(column)} of an EVAL"
        panels.append(histogram_panel(column_label(column), sizes, axis, scores))
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
        factor = factor_of(column, percent=percent)
        pairs = shown_pairs(ranking)
        estimates = [
            Estimate(
                f" {MINUS} ".join(
                    shortened(escape_unprintable(system), MOST_LETTERS_OF_TWO)
                    for system in (pair.system_a, pair.system_b)
                ),
                pair.difference * factor,
                _times(pair.interval, factor),
                pair.better is not None,
                None if band is None else band * factor,
                f"p {p_value(pair.randomisation.p_holm)}",
            )
            for pair in pairs
            for band in (pair.minimum_detectable_difference,)
        ]
        sizes = eval_count([pair.n_evals for pair in pairs])
        level = comparison.options.scores.confidence.text
        has_bands = any(estimate.band is not None for estimate in estimates)
        grey = "; grey: too small to be detected" if has_bands else ""
        axis = f"Difference in {column_label(column)}, {level}% interval{grey}"
        subtitle = f"{sizes}; p after Holm's correction"
        panels.append(
            interval_panel(column_label(column), subtitle, axis, estimates, has_zero=True)
        )
    n_shown, n_all = len(shown_pairs(comparison.rankings[0])), len(comparison.rankings[0].pairs)
    which = "Every pair" if n_shown == n_all else f"The best system and each other, {n_shown} pairs"
    caption = (
        f"{which}: the difference of the means over the EVALs that all systems have. Filled: "
        "significant; p is that of the randomisation after Holm's correction. Left of the dashed "
        "line the second system is better."
    )
    if any(pair.minimum_detectable_difference is not None for pair in comparison.pairs):
        caption += (
            " Grey: how large a difference has to be for such a test to find it in "
            "80% of such studies."
        )
    return Figure("differences", "Differences", caption, tuple(panels))


def shown_pairs(ranking: Ranking) -> Sequence[PairResult]:
    """Return all pairs or, of many, those of the best system."""
    if len(ranking.pairs) <= MOST_ROWS // 2:
        return ranking.pairs
    best = ranking.systems[0].id
    return [pair for pair in ranking.pairs if best in {pair.system_a, pair.system_b}][:MOST_ROWS]


def wins_figure(results: Results, pair: tuple[str, str], columns: Sequence[Column]) -> Figure:
    """Return a map of A against B, EVAL by EVAL, a panel for each of the first columns."""
    first, second = (shortened(escape_unprintable(name), MOST_LETTERS_OF_TWO) for name in pair)
    panels: list[Spec] = []
    for column in columns[:MOST_MAPS]:
        scores, (better, equal, worse) = shared_wins(results, pair, column)
        subtitle = f"{first} {better}, equal {equal}, {second} {worse} EVALs"
        label = column_label(column)
        axes = (f"{first}, {label}", f"{second}, {label}")
        factor = factor_of(column, percent=results.options.reports.percent)
        panels.append(wins_panel(label, subtitle, axes, scores * factor))
    caption = (
        f"EVALs by their scores of {first} (to the right) and of {second} (upwards): the stronger "
        f"the colour, the more. Below the dashed line {first} is better."
    )
    if len(columns) > MOST_MAPS:
        caption += f" The first {MOST_MAPS} of {len(columns)} scores."
    return Figure("wins", f"{first} against {second}", caption, tuple(panels))


def shared_wins(
    results: Results, pair: tuple[str, str], column: Column
) -> tuple[NDArray[np.float64], list[int]]:
    """Return the scores of two systems in the EVALs that both have, and who is better in how many.

    The scores have shape (2, n_evals); the numbers of EVALs are those in which the first is better,
    both are equal, and the second is better.
    """
    first, second = (results.table.systems[system] for system in pair)
    first_scores, second_scores = (score_matrix(table, [column])[:, 0] for table in (first, second))
    if first.eval_ids != second.eval_ids:
        place_of = {eval_id: place for place, eval_id in enumerate(second.eval_ids)}
        both = [(k, place_of[name]) for k, name in enumerate(first.eval_ids) if name in place_of]
        first_places, second_places = (list(places) for places in zip(*both, strict=True))
        first_scores, second_scores = first_scores[first_places], second_scores[second_places]
    signs = np.sign(first_scores - second_scores)
    wins = [int((signs == sign).sum()) for sign in (1, 0, -1)]
    return np.stack([first_scores, second_scores]), wins


def agreement_figures(study: CorrelationStudy) -> Iterator[Figure]:
    """Yield the figure; its panels are the metrics under the last condition, and the judgements.

    The last condition is the one with all models.
    """
    panels = [
        _panel(study, place, row)
        for place in range(len(study.judgements))
        for row in range(len(study.rows))
    ][:MOST_PANELS]
    if not panels:
        return
    n_all = len(study.judgements) * len(study.rows)
    extent = f" The first {MOST_PANELS} of {n_all} panels." if n_all > MOST_PANELS else ""
    systems, evals = counted(len(study.systems), "system"), counted(len(study.eval_ids), "EVAL")
    caption = (
        f"{systems}, a point each: the mean score over {evals} (to the right) and the mean "
        f"judgement (upwards).{extent}"
    )
    yield Figure("agreement", "Scores and judgements", caption, tuple(panels))


def _panel(study: CorrelationStudy, place: int, row: int) -> Spec:
    """Return the panel of a judgement and a metric."""
    means, column = study.means[-1], study.rows[row]
    label = column_label(column)
    judgement = escape_unprintable(study.judgements[place])
    systems = [
        JudgedSystem(escape_unprintable(name), score, judged)
        for name, score, judged in zip(
            study.systems, means.scores[row], means.judgements[place], strict=True
        )
    ]
    coefficients = [
        _coefficient(column, row) for column in study.columns if _is_shown(column, study, place)
    ]
    subtitle = ", ".join(coefficients) or counted(len(systems), "system")
    axes = (f"Mean {label}", f"Mean {judgement}")
    return agreement_panel(f"{label} and {judgement}", subtitle, axes, systems)


def _is_shown(column: CorrelationColumn, study: CorrelationStudy, place: int) -> bool:
    """Say whether a correlation is that of the points."""
    last = study.columns[-1].condition
    where = (column.judgement, column.level, column.condition)
    return where == (study.judgements[place], "system", last)


def _coefficient(column: CorrelationColumn, row: int) -> str:
    """Name a coefficient and its value."""
    value = number(column.correlations[row].value.value, COEFFICIENT_DECIMALS)
    return f"{coefficient_name(column.coefficient)} {value}"


def _measure(results: Results, system: str, column: Column) -> Measure:
    """Return the scores of a system in a column."""
    return results.systems[system].metrics[column.metric].measures[column.letter]


def _times(interval: tuple[float, float] | None, factor: int) -> tuple[float, float] | None:
    """Multiply the bounds of an interval, if there is one."""
    return None if interval is None else (interval[0] * factor, interval[1] * factor)


def _of(systems: Sequence[str], most: int) -> str:
    """Say that only some are shown, if so."""
    return f" (the best {most} of {len(systems)})" if len(systems) > most else ""
