"""The figure of a comparison: the differences of pairs, with their intervals or as a matrix."""

from collections.abc import Sequence
from dataclasses import replace

from rouge_cli.options.scores import SINGLE_MEASURE
from rouge_cli.reports.charts import Estimate, interval_panel, matrix_panel, shortened
from rouge_cli.reports.document import Figure
from rouge_cli.reports.wording import (
    column_label,
    eval_count,
    factor_of,
    number,
    p_value,
    short_system_names,
)
from rouge_cli.studies.compare.results import ComparisonResult, PairResult, Ranking

MOST_LETTERS_OF_TWO = 50
"""Characters of each of two names in one label."""

MOST_WITH_INTERVALS = 6
"""Systems whose pairs are drawn with intervals; more form a matrix."""

MOST_IN_MATRIX = 40
MOST_PAIRS, MOST_BRIEF = 300, 20
"""Pairs in the tables of a page, for each column: in the details (all of 25 systems), and above."""

MINUS = "\N{MINUS SIGN}"


def difference_figure(comparison: ComparisonResult, *, percent: bool = False) -> Figure:
    """Return the differences of pairs with their intervals or, of many systems, as a matrix.

    There is a panel for each column; a single pair has all columns in one panel.
    """
    if len(comparison.systems) > MOST_WITH_INTERVALS:
        return _matrices(comparison)
    short, key = _short(comparison)
    rankings = comparison.rankings
    level = comparison.options.scores.confidence.text
    has_bands = any(pair.minimum_detectable_difference is not None for pair in comparison.pairs)
    unit = f", {level}% interval" + "; grey: too small to be detected" * has_bands
    names, panels, rows = [], [], []
    for ranking in rankings:
        label, pairs = column_label(ranking.column), _ranked(ranking, rankings[0])
        factor = factor_of(ranking.column, percent=percent)
        of_pairs = [
            f" {MINUS} ".join(short[name] for name in (p.system_a, p.system_b)) for p in pairs
        ]
        names.append(of_pairs)
        is_single = len(pairs) == 1
        estimates = [
            _estimate(pair, label if is_single else name, factor)
            for pair, name in zip(pairs, of_pairs, strict=True)
        ]
        rows += estimates
        subtitle = f"{eval_count([pair.n_evals for pair in pairs])}; p after Holm's correction"
        axis = f"Difference in {label}{unit}"
        panels.append(interval_panel(label, subtitle, axis, estimates, has_zero=True))
    if len(rows) == len(rankings) and len({tuple(of_pairs) for of_pairs in names}) == 1:
        axis = f"Difference{unit}"
        panels = [interval_panel(names[0][0], subtitle, axis, rows, has_zero=True)]
    caption = (
        "Every pair: the difference of the means over the EVALs that all systems have. Filled: "
        "significant; p is that of the randomisation after Holm's correction. Left of the dashed "
        "line the second system is better."
    )
    if has_bands:
        caption += (
            " Grey: how large a difference has to be for such a test to find it in "
            "80% of such studies."
        )
    has_common = all(of_pairs == names[0] for of_pairs in names)
    return Figure(
        "differences", "Differences", caption, tuple(panels), has_common_names=has_common, key=key
    )


def _estimate(pair: PairResult, name: str, factor: int) -> Estimate:
    band = pair.minimum_detectable_difference
    return Estimate(
        name,
        pair.difference * factor,
        (pair.interval[0] * factor, pair.interval[1] * factor),
        pair.better is not None,
        None if band is None else band * factor,
        f"p {p_value(pair.randomisation.p_holm)}",
    )


def _short(comparison: ComparisonResult) -> tuple[dict[str, str], str]:
    short, key = short_system_names(comparison.systems)
    return {system: shortened(short[system], MOST_LETTERS_OF_TWO) for system in short}, key


def _matrices(comparison: ComparisonResult) -> Figure:
    """Return a matrix for each column, all in the order of the first column."""
    short, key = _short(comparison)
    systems = [system.id for system in comparison.rankings[0].systems[:MOST_IN_MATRIX]]
    place_of = {system: place for place, system in enumerate(systems)}
    panels = []
    for ranking in comparison.rankings:
        cells: dict[tuple[int, int], tuple[str, int]] = {}
        for pair in ranking.pairs:
            if {pair.system_a, pair.system_b} <= place_of.keys():
                a, b = place_of[pair.system_a], place_of[pair.system_b]
                sign = {pair.system_a: 1, pair.system_b: -1}.get(pair.better or "", 0)
                share = pair.difference * (100 if ranking.column.letter != SINGLE_MEASURE else 1)
                cells[a, b] = number(share, 1).replace("-", MINUS), sign
                cells[b, a] = number(-share, 1).replace("-", MINUS), -sign
        label, sizes = column_label(ranking.column), eval_count([p.n_evals for p in ranking.pairs])
        panels.append(matrix_panel(label, sizes, [short[system] for system in systems], cells))
    n_systems = len(comparison.systems)
    extent = f" The best {MOST_IN_MATRIX} of {n_systems}." if n_systems > MOST_IN_MATRIX else ""
    caption = (
        "Differences of the means over the EVALs that all systems have, row less column, shares "
        f"times 100; the best system in {column_label(comparison.rankings[0].column)} is first. "
        "Blue (+): the row is significantly better, by the randomisation after Holm's correction; "
        f"orange ({MINUS}): the column; grey: not significant.{extent}"
    )
    return Figure(
        "differences", "Differences", caption, tuple(panels), has_common_names=True, key=key
    )


def _ranked(ranking: Ranking, first: Ranking) -> Sequence[PairResult]:
    """Return the pairs with the system first that is better in `first`, those of the best first."""
    rank = {system.id: place for place, system in enumerate(first.systems)}
    pairs = [
        pair if rank[pair.system_a] < rank[pair.system_b] else pair.turned()
        for pair in ranking.pairs
    ]
    return sorted(pairs, key=lambda pair: (rank[pair.system_a], rank[pair.system_b]))


def shown_pairs(ranking: Ranking) -> Sequence[PairResult]:
    """Return all pairs or, of many systems, those of the best one."""
    if len(ranking.pairs) <= MOST_BRIEF:
        return ranking.pairs
    return pairs_of_best(ranking, MOST_IN_MATRIX)


def pairs_of_best(ranking: Ranking, most: int) -> Sequence[PairResult]:
    """Return the pairs of the best system with up to `most` of the next ones, in their order."""
    best, *others = [system.id for system in ranking.systems[: most + 1]]
    ends = {frozenset((best, other)) for other in others}
    return [pair for pair in ranking.pairs if {pair.system_a, pair.system_b} in ends]


def pairs_on_page(comparison: ComparisonResult, most: int) -> ComparisonResult:
    """Return a comparison whose pairs have the better system first, as a page shows them.

    Of more than `most` pairs in a column there are only those of the best system.
    """
    rankings = [
        replace(ranking, pairs=tuple(_ranked(ranking, ranking))) for ranking in comparison.rankings
    ]
    shown = (
        ranking
        if len(ranking.pairs) <= most
        else replace(ranking, pairs=tuple(pairs_of_best(ranking, MOST_IN_MATRIX)))
        for ranking in rankings
    )
    return replace(comparison, rankings=tuple(shown))
