"""Where a metric and people disagree, for a page: systems by rank, EVALs by Kendall's tau."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from rouge_cli.escapes import escape_unprintable
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.document import Cell, Column, Role, Section, Table
from rouge_cli.reports.wording import UNDEFINED, column_label, counted, number
from rouge_cli.studies.correlate.coefficients import kendall, ranks, whole_numbers
from rouge_cli.studies.correlate.correlation import CorrelationStudy

Floats = NDArray[np.float64]

CAPTION = (
    "Rank 1 is the best; systems that are alike share the mean of their ranks. In brackets: how "
    "many ranks lower (+) or higher (\N{MINUS SIGN}) than people the metric puts a system. Systems "
    "with the largest difference come first."
)


def disagreement_sections(study: CorrelationStudy) -> Iterator[Section]:
    """Yield a table for each judgement: the systems by people and by each metric.

    Ranks are those of the means under the last condition, as in the figure of the systems.
    """
    means = study.means[-1]
    # Of what is better if it is lower, a study has the negative.
    by_metric = [_ranks(np.array(scores)) for scores in means.scores]
    labels = [column_label(row) for row in study.rows]
    for order, (name, judged) in enumerate(zip(study.judgements, means.judgements, strict=True), 1):
        by_people = _ranks(np.array(judged))
        table = _table(
            study.systems, f"by {escape_unprintable(name)}", by_people, labels, by_metric
        )
        yield Section(
            f"disagreement-{order}", (table,), f"Ranks by {escape_unprintable(name)}", CAPTION
        )


def _ranks(values: Floats) -> list[float]:
    """Return the rank of each value, the highest first; equal ones share the mean of theirs."""
    above = (values[:, None] < values[None, :]).sum(axis=1)
    alike = (values[:, None] == values[None, :]).sum(axis=1)
    shared: list[float] = (above + (alike + 1) / 2).tolist()
    return shared


def _table(
    systems: Sequence[str],
    heading: str,
    by_people: Sequence[float],
    labels: Sequence[str],
    by_metric: Sequence[Sequence[float]],
) -> Table:
    """Return the ranks, the largest difference first."""
    gaps = [[of[k] - rank for of in by_metric] for k, rank in enumerate(by_people)]
    largest = [max(map(abs, row)) for row in gaps]
    order = sorted(range(len(systems)), key=lambda k: (-largest[k], by_people[k]))
    rows = tuple(
        (
            Cell(escape_unprintable(systems[k])),
            Cell(f"{by_people[k]:g}"),
            *(Cell(_rank(of[k], gap)) for of, gap in zip(by_metric, gaps[k], strict=True)),
        )
        for k in order
    )
    columns = (Column("System", "l", Role.NAME), Column(heading), *map(Column, labels))
    return Table(columns, rows, is_sortable=True)


def _rank(rank: float, gap: float) -> str:
    """Write a rank, and how far it is from that by people."""
    if gap == 0:
        return f"{rank:g}"
    sign = "+" if gap > 0 else "\N{MINUS SIGN}"
    return f"{rank:g} ({sign}{abs(gap):g})"


MOST_EVALS = 30
"""EVALs that a page lists for each judgement: more are hardly read."""

TAU_DECIMALS, SAME_DECIMALS = 2, 9
"""Digits of a tau that are shown, and those in which equal ones agree."""

EVAL_CAPTION = (
    "Under each metric: Kendall's \N{GREEK SMALL LETTER TAU}-b over the systems of the EVAL, 1 "
    "where it orders them as people do, below 0 where it turns more pairs of systems round than it "
    "keeps. The other columns are about the metric with the lowest \N{GREEK SMALL LETTER TAU}. "
    "Turned round: how many of the pairs that people put in an order it puts in the opposite one. "
    "Furthest off: the system whose rank in the EVAL differs most. The lowest "
    "\N{GREEK SMALL LETTER TAU} comes first; where it is the same, the EVAL in which people see "
    "the pairs turned round further apart."
)

NOT_PER_EVAL = (
    "The judgements are of whole systems: they do not say on which EVALs a metric and people "
    "disagree."
)


def eval_sections(study: CorrelationStudy) -> Iterator[Section]:
    """Yield a table for each judgement: the EVALs on which a metric and people disagree most.

    There is none where systems were not judged EVAL by EVAL.
    """
    if study.cells is None:
        return
    # As in the coefficients, ties are those of whole numbers.
    scores = np.stack([whole_numbers(x)[0] for x in np.moveaxis(study.cells.scores, -1, 0)])
    for order, (name, judged) in enumerate(
        zip(study.judgements, study.cells.judged, strict=True), 1
    ):
        turned = _turned(scores, whole_numbers(judged)[0])
        first = turned.order[:MOST_EVALS]
        title = (
            f"EVALs by {escape_unprintable(name)}, the lowest \N{GREEK SMALL LETTER TAU} first: "
            f"{len(first)} of {len(study.eval_ids)}"
        )
        table = _table_of_evals(study, turned, first)
        caption = f"{EVAL_CAPTION} {_numbers(turned)}"
        yield Section(f"disagreement-evals-{order}", (table,), title, caption)


@dataclass(frozen=True, slots=True, eq=False)
class _Turned:
    """How metrics order the systems of each EVAL against people, by one judgement.

    - `taus`: Kendall's, (n_rows, n_evals); `lowest`, the lowest of the metrics, and `worst`, the
      row of the metric that has it: (n_evals,). nan, or inf if lowest: undefined.
    - `pairs`: of the pairs that people order how many `worst` turns round, and how many there are:
      (2, n_evals).
    - `ranks`: of the systems by people and by `worst`, (2, n_systems, n_evals).
    - `order`: the places of the EVALs that have a tau, the one to look at first before others.
    """

    taus: Floats
    lowest: Floats
    worst: NDArray[np.int64]
    pairs: NDArray[np.int64]
    ranks: Floats
    order: list[int]


def _turned(scores: Floats, judged: Floats) -> _Turned:
    """Compare scores, (n_rows, n_systems, n_evals), with judgements, (n_systems, n_evals)."""
    taus = np.stack([kendall(of_metric, judged) for of_metric in scores])
    known = np.where(np.isnan(taus), np.inf, taus)
    # The same tau comes from different roots, which differ in the last digits.
    lowest, worst = np.round(known.min(axis=0), SAME_DECIMALS), known.argmin(axis=0)
    of_worst = np.take_along_axis(scores, worst[None, None], axis=0)[0]
    is_known = ~(np.isnan(of_worst) | np.isnan(judged))
    both = np.where(is_known, np.stack([judged, of_worst]), np.nan)
    pairs, apart = np.zeros((2, len(lowest)), np.int64), np.zeros(len(lowest))
    for distance in range(1, len(judged)):
        by_people, by_metric = np.nan_to_num(both[:, distance:] - both[:, :-distance])
        is_turned = np.sign(by_people) * np.sign(by_metric) < 0
        pairs += is_turned.sum(axis=0), (by_people != 0).sum(axis=0)
        apart += (np.abs(by_people) * is_turned).sum(axis=0)
    order = np.lexsort((-apart, lowest)).tolist()
    order = order[: int(np.isfinite(lowest).sum())]
    places = np.stack([ranks(-sample) for sample in both])
    return _Turned(taus, lowest, worst, pairs, places, order)


def _numbers(turned: _Turned) -> str:
    """Say how many EVALs there are of each kind, listed or not."""
    n_evals, n_below = len(turned.lowest), int((turned.lowest < 0).sum())
    n_level = n_evals - len(turned.order)
    below = f"Below 0 by a metric: {n_below} of {counted(n_evals, 'EVAL')}"
    level = f"; without any, as systems are all level: {n_level}" if n_level else ""
    return f"{below}{level}."


def _table_of_evals(study: CorrelationStudy, turned: _Turned, evals: Sequence[int]) -> Table:
    """Return some EVALs, in this order."""
    labels = [column_label(row) for row in study.rows]
    rows = []
    for k in evals:
        by_people, by_metric = turned.ranks[..., k]
        farthest = int(np.nan_to_num(np.abs(by_metric - by_people)).argmax())
        label, system = labels[turned.worst[k]], escape_unprintable(study.systems[farthest])
        n_turned, n_pairs = turned.pairs[:, k].tolist()
        cells = (
            escape_unprintable(study.eval_ids[k]),
            *(number(tau, TAU_DECIMALS) for tau in turned.taus[:, k].tolist()),
            f"{n_turned} of {n_pairs}",
            f"{system}: {by_people[farthest]:g} by people, {by_metric[farthest]:g} by {label}"
            if by_people[farthest] != by_metric[farthest]
            else UNDEFINED,
        )
        rows.append(tuple(map(Cell, cells)))
    columns = (
        Column("EVAL", "l", Role.NAME),
        *(Column(f"\N{GREEK SMALL LETTER TAU} of {label}") for label in labels),
        Column("turned round"),
        Column("furthest off", "l"),
    )
    return Table(columns, tuple(rows), is_sortable=True)
