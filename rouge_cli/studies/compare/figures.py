"""The figure of a comparison: the differences of pairs with their intervals."""

from collections.abc import Sequence
from dataclasses import replace

from rouge_cli.escapes import escape_unprintable
from rouge_cli.reports.charts import Estimate, interval_panel, shortened
from rouge_cli.reports.document import Figure
from rouge_cli.reports.wording import column_label, eval_count, factor_of, p_value
from rouge_cli.studies.compare.results import Comparison, PairResult, Ranking

MOST_LETTERS_OF_TWO = 50
"""Characters of each of two names in one label."""

MOST_DRAWN = 40
MOST_PAIRS = 200
"""In the tables of a page, for each column: all pairs of 20 systems."""

MINUS = "\N{MINUS SIGN}"


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
                (pair.interval[0] * factor, pair.interval[1] * factor),
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
    which = "Every pair" if n_shown == n_all else _of_best(n_shown, comparison)
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


def _of_best(n_pairs: int, comparison: Comparison) -> str:
    """Say which pairs of many are drawn."""
    others = "each other" if n_pairs == len(comparison.systems) - 1 else f"the next {n_pairs}"
    return f"The best system and {others}, {n_pairs} pairs"


def shown_pairs(ranking: Ranking) -> Sequence[PairResult]:
    """Return all pairs or, of more than are drawn, those of the best system."""
    if len(ranking.pairs) <= MOST_DRAWN // 2:
        return ranking.pairs
    return pairs_of_best(ranking, MOST_DRAWN)


def pairs_of_best(ranking: Ranking, most: int) -> Sequence[PairResult]:
    """Return the pairs of the best system with up to `most` of the next ones, in their order."""
    best, *others = [system.id for system in ranking.systems[: most + 1]]
    ends = {frozenset((best, other)) for other in others}
    return [pair for pair in ranking.pairs if {pair.system_a, pair.system_b} in ends]


def pairs_on_page(comparison: Comparison) -> Comparison:
    """Return a comparison with the pairs that a page shows: all or, of many, those of the best."""
    if all(len(ranking.pairs) <= MOST_PAIRS for ranking in comparison.rankings):
        return comparison
    rankings = tuple(
        replace(ranking, pairs=tuple(pairs_of_best(ranking, MOST_PAIRS)))
        for ranking in comparison.rankings
    )
    return replace(comparison, rankings=rankings)
