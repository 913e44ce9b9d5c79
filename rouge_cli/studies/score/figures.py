"""Figures of scores: the systems, the distribution over EVALs, and one system against another."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rouge_cli.escapes import escape_unprintable
from rouge_cli.reports.charts import (
    Estimate,
    bin_edges,
    histogram_panel,
    interval_panel,
    shortened,
    wins_panel,
)
from rouge_cli.reports.document import Figure, Spec
from rouge_cli.reports.wording import column_label, eval_count, factor_of, short_system_names
from rouge_cli.scores.results import Results, average
from rouge_cli.studies.compare.view import MOST_LETTERS_OF_TWO
from rouge_cli.studies.score_columns import ScoreColumn, measure_in, score_matrix

MOST_ROWS = 40  # systems in the first figure
MOST_HISTOGRAMS = 8  # systems whose distributions are drawn
MOST_MAPS = 6  # columns for which two systems are drawn against each other


def forest_figure(
    results: Results, systems: Sequence[str], columns: Sequence[ScoreColumn]
) -> Figure:
    """Return a figure of the systems with their intervals; it has a panel for each column.

    `systems` are in the order of the rows, the best first.
    """
    drawn, options = systems[:MOST_ROWS], results.options
    short, key = short_system_names(drawn)
    panels, level = [], options.scores.confidence.text
    sizes = eval_count([len(results.systems[system].eval_ids) for system in drawn])
    for column in columns:
        measures = [measure_in(results.systems[system], column) for system in drawn]
        factor = factor_of(column, percent=options.reports.percent)
        values = [average(measure) * factor for measure in measures]
        best = (min if column.is_lower_better else max)(values)
        estimates = []
        for system, measure, value in zip(drawn, measures, values, strict=True):
            ends = measure.interval and (measure.interval[0] * factor, measure.interval[1] * factor)
            is_best = value == best and len(drawn) > 1
            estimates.append(Estimate(short[system], value, ends, is_best))
        scale = " \N{MULTIPLICATION SIGN} 100" if factor > 1 else ""
        error = f", {level}% interval" if any(estimate.interval for estimate in estimates) else ""
        axis = f"Mean {column_label(column)}{scale}{error}"
        panels.append(interval_panel(column_label(column), sizes, axis, estimates))
    filled = "; the best is filled" if len(drawn) > 1 else ""
    caption = f"Means of the systems{_of(systems, MOST_ROWS)}{filled}."
    if options.scores.resamples:
        caption += f" Bars: {level}% confidence intervals, {options.scores.resamples} resamples."
    return Figure("forest", "Systems", caption, tuple(panels), has_common_names=True, key=key)


def distribution_figure(
    results: Results, systems: Sequence[str], columns: Sequence[ScoreColumn]
) -> Figure:
    """Return a figure of how scores are distributed over EVALs; it has a panel for each column."""
    shown, panels, bins = systems[:MOST_HISTOGRAMS], [], []
    short, key = short_system_names(shown)
    sizes = eval_count([len(results.systems[system].eval_ids) for system in systems])
    sizes += _of(systems, MOST_HISTOGRAMS)
    for column in columns:
        factor = factor_of(column, percent=results.options.reports.percent)
        scores = [
            (short[system], measure_in(results.systems[system], column).per_eval * factor)
            for system in shown
        ]
        label = column_label(column)
        panels.append(histogram_panel(label, sizes, f"{label} of a text", scores))
        edges = bin_edges(np.concatenate([values for _, values in scores]))
        bins.append((label, edges.tolist()))
    caption = (
        f"How many texts have which score, for each system{_of(systems, MOST_HISTOGRAMS)}, with "
        "the same bins; the line is the mean."
    )
    return Figure(
        "distributions",
        "Distributions over texts",
        caption,
        tuple(panels),
        bins=tuple(bins),
        has_common_names=True,
        key=key,
    )


def wins_figure(results: Results, pair: tuple[str, str], columns: Sequence[ScoreColumn]) -> Figure:
    """Return a figure of two systems against each other; it has a panel for each of some columns.

    A panel counts EVALs by their scores of the first system and of the second.
    """
    short, key = short_system_names(pair)
    first, second = (shortened(short[name], MOST_LETTERS_OF_TWO) for name in pair)
    panels: list[Spec] = []
    bins = []
    for column in columns[:MOST_MAPS]:
        scores, (better, equal, worse) = shared_wins(results, pair, column)
        subtitle = f"{first} {better}, equal {equal}, {second} {worse} texts"
        label = column_label(column)
        axes = (f"{first}, {label}", f"{second}, {label}")
        scores *= factor_of(column, percent=results.options.reports.percent)
        panels.append(wins_panel(label, subtitle, axes, scores))
        bins.append((label, bin_edges(scores).tolist()))
    caption = (
        f"Texts by their scores of {first} (to the right) and of {second} (upwards): the stronger "
        f"the colour, the more. Below the dashed line {first} is better."
    )
    if len(columns) > MOST_MAPS:
        caption += f" The first {MOST_MAPS} of {len(columns)} scores."
    return Figure(
        "wins",
        f"{first} against {second}",
        caption,
        tuple(panels),
        bins=tuple(bins),
        pair=tuple(map(escape_unprintable, pair)),
        key=key,
    )


def shared_wins(
    results: Results, pair: tuple[str, str], column: ScoreColumn
) -> tuple[NDArray[np.float64], list[int]]:
    """Return the scores of two systems in the EVALs that both have, and who wins in how many.

    The scores have shape (2, n_evals). The three numbers are those of EVALs in which the first
    system has the higher score, both have the same, and the second has the higher one.
    """
    first, second = (results.table.systems[system] for system in pair)
    first_scores, second_scores = (score_matrix(table, [column])[:, 0] for table in (first, second))
    # Systems may lack EVALs, or have them in another order.
    if first.eval_ids != second.eval_ids:
        place_of = {eval_id: place for place, eval_id in enumerate(second.eval_ids)}
        both = [(k, place_of[name]) for k, name in enumerate(first.eval_ids) if name in place_of]
        first_places, second_places = (list(places) for places in zip(*both, strict=True))
        first_scores, second_scores = first_scores[first_places], second_scores[second_places]
    signs = np.sign(first_scores - second_scores)
    wins = [int((signs == sign).sum()) for sign in (1, 0, -1)]
    return np.stack([first_scores, second_scores]), wins


def _of(systems: Sequence[str], most: int) -> str:
    return f" (the best {most} of {len(systems)})" if len(systems) > most else ""
