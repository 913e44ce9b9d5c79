"""Where a metric and people disagree: systems by how far their ranks are apart, for a page."""

from collections.abc import Iterator, Sequence

import numpy as np

from rouge_cli.escapes import escape_unprintable
from rouge_cli.reports.document import Cell, Column, Role, Section, Table
from rouge_cli.reports.views.wording import column_label
from rouge_cli.studies.correlation import CorrelationStudy

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


def _ranks(values: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> list[float]:
    """Return the rank of each value, the highest first; equal ones share the mean of theirs."""
    above = (values[:, None] < values[None, :]).sum(axis=1)
    alike = (values[:, None] == values[None, :]).sum(axis=1)
    ranks: list[float] = (above + (alike + 1) / 2).tolist()
    return ranks


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
    return Table(columns, rows)


def _rank(rank: float, gap: float) -> str:
    """Write a rank, and how far it is from that by people."""
    if gap == 0:
        return f"{rank:g}"
    sign = "+" if gap > 0 else "\N{MINUS SIGN}"
    return f"{rank:g} ({sign}{abs(gap):g})"
