"""A study of correlations as tables: metrics in rows.

Columns are coefficients or, as in Tables 1 to 3 of the paper, ways of scoring side by side. A page
also shows where metrics and people disagree: systems by rank, EVALs by Kendall's tau.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from operator import attrgetter
from typing import ClassVar

import numpy as np

from rouge_cli.escapes import escape_unprintable
from rouge_cli.metrics.arithmetic import Floats, Whole
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import View
from rouge_cli.reports.charts import agreement_panel, has_room_for_names
from rouge_cli.reports.document import (
    BEST,
    TIED,
    Cell,
    Column,
    Document,
    Figure,
    Mark,
    Note,
    Page,
    Part,
    Role,
    Section,
    Spec,
    Table,
)
from rouge_cli.reports.rows import table_of
from rouge_cli.reports.wording import (
    UNDEFINED,
    cited,
    coefficient_name,
    column_label,
    counted,
    listed,
    measure_title,
    number,
    short_names,
)
from rouge_cli.studies.correlate.coefficients import kendall, ranks, whole_numbers
from rouge_cli.studies.correlate.notes import (
    CONDITION_HEADS,
    MODEL_SET_HEADS,
    condition_name,
    correlation_headline,
    correlation_notes,
    has_williams,
    row_label,
    shown_measures,
)
from rouge_cli.studies.correlate.result import (
    DECIMALS,
    CorrelationColumn,
    CorrelationStudy,
    MetricCorrelation,
    MetricTest,
    means_over_evals,
)

Titled = tuple[str, Table]

PERMUTATION = ("permutation.difference", "permutation.p", "permutation.p_holm")
WILLIAMS = ("williams.t", "williams.p", "williams.p_holm")

MOST_PANELS = 12  # of the figure, whose caption tells if there are more
# The most EVALs that a page lists for each judgement: hardly anybody reads more.
MOST_EVALS = 30
TAU = "\N{GREEK SMALL LETTER TAU}"
TAU_DECIMALS = 2
# Digits to which taus are compared: equal ones come from different square roots.
SAME_DECIMALS = 9
RANK_CAPTION = (
    "Rank 1 is the best; systems that are alike share the mean of their ranks. In brackets: how "
    "many ranks lower (+) or higher (\N{MINUS SIGN}) than people the metric puts a system. Systems "
    "with the largest difference come first."
)
EVAL_CAPTION = (
    f"Under each metric: Kendall's {TAU}-b over the systems of the text, 1 where it orders them as "
    "people do, below 0 where it reverses more pairs of systems than it keeps. The other columns "
    f"are about the metric with the lowest {TAU}. Reversed: how many of the pairs that people put "
    "in an order it puts in the opposite one. Furthest off: the system whose rank in the text "
    f"differs most. The lowest {TAU} comes first; where it is the same, the text in which people "
    "see the reversed pairs further apart."
)
NOT_PER_EVAL = (
    "The judgements are of whole systems: they do not say on which texts a metric and people "
    "disagree."
)


@dataclass(frozen=True, slots=True)
class CorrelationView(View):
    """The agreement of metrics with human judgements."""

    kind: ClassVar[str] = "correlation"
    csv_path: ClassVar[str] = "columns.correlations|tests"
    result: CorrelationStudy

    def document(self) -> Document:
        sections = (
            Section(f"correlation-{order}", (table,), title)
            for order, (title, table) in enumerate(_tables(self.result), 1)
        )
        # The signatures of the first condition; the headings say how the others differ.
        signatures = self.result.conditions[0].signatures
        return Document(tuple(sections), correlation_notes(self.result), signatures)

    def figures(self) -> tuple[Figure, ...]:
        return tuple(_agreement_figures(self.result))

    def page(self) -> Page:
        study = self.result
        document = self.document()
        parts = [Part("correlations", "Correlations", document.sections, notes=document.notes)]
        if figures := self.figures():
            parts.append(Part("systems", "Systems", figures=figures))
        if study.cells is not None:
            sections = [*_rank_sections(study, *study.cells)]
            if study.is_per_eval:
                sections += _eval_sections(study, *study.cells)
            notes = () if study.is_per_eval else (Note.of(NOT_PER_EVAL),)
            title = "Where metrics and people disagree"
            parts.append(Part("disagreement", title, tuple(sections), notes=notes))
        names = listed([escape_unprintable(name) for name in study.judgements])
        return Page(
            title=f"Correlation with {names}: {counted(len(study.systems), 'system')}",
            headline=tuple(correlation_headline(study)),
            warnings=study.warnings,
            parts=tuple(parts),
            signatures=document.signatures,
            citation=cited(),
        )


def _tables(study: CorrelationStudy) -> Iterator[Titled]:
    if study.is_by_condition:
        for columns in _grouped(study, "judgement", "level", "coefficient"):
            yield _table_of_conditions(study, columns)
    else:
        for columns in _grouped(study, "judgement", "level"):
            title = _title(study, columns[0])
            yield title, _table(study, columns, _coefficients(columns), _cell)
            corrected = [x for x in columns if x.correlations[0].corrected is not None]
            if corrected:
                yield (
                    f"{title}: corrected for disagreement of judges",
                    _table(study, corrected, _coefficients(corrected), _corrected_cell),
                )
    if any(column.tests for column in study.columns):
        for columns in _grouped(study, "judgement", "level", "condition"):
            yield _table_of_tests(study, columns)


def _grouped(study: CorrelationStudy, *names: str) -> Iterable[list[CorrelationColumn]]:
    groups: dict[object, list[CorrelationColumn]] = {}
    for column in study.columns:
        groups.setdefault(attrgetter(*names)(column), []).append(column)
    return groups.values()


def _title(study: CorrelationStudy, column: CorrelationColumn) -> str:
    letters = shown_measures(study)
    measure = f", {measure_title(*letters)}" if len(letters) == 1 else ""
    return f"{escape_unprintable(column.judgement)}: {column.level} level{measure}"


def _coefficients(columns: Sequence[CorrelationColumn]) -> list[Column]:
    return [Column(coefficient_name(column.coefficient)) for column in columns]


def _table_of_conditions(study: CorrelationStudy, columns: Sequence[CorrelationColumn]) -> Titled:
    headings = []
    for column in columns:
        heading = CONDITION_HEADS[column.condition.texts]
        group = MODEL_SET_HEADS[column.condition.model_set]
        headings.append(Column(heading, group=group, full_heading=f"{group}, {heading}"))
    title = f"{_title(study, columns[0])}, {coefficient_name(columns[0].coefficient)}"
    return title, _table(study, columns, headings, partial(_cell, has_interval=False))


def _cell(correlation: MetricCorrelation, *, has_interval: bool = True) -> Cell:
    tied: Mark = TIED if correlation.is_tied else ""
    interval = _bounds(correlation.interval) if has_interval else None
    text = number(correlation.value, DECIMALS)
    return Cell(text, interval, BEST if correlation.is_best else tied)


def _corrected_cell(correlation: MetricCorrelation) -> Cell:
    return Cell(number(correlation.corrected, DECIMALS), _bounds(correlation.corrected_interval))


def _bounds(interval: tuple[float, float] | None) -> tuple[str, str] | None:
    if interval is None:
        return None
    return number(interval[0], DECIMALS), number(interval[1], DECIMALS)


def _table(
    study: CorrelationStudy,
    columns: Sequence[CorrelationColumn],
    headings: Sequence[Column],
    cell: Callable[[MetricCorrelation], Cell],
) -> Table:
    rows = (
        (Cell(row_label(study, row)), *(cell(column.correlations[place]) for column in columns))
        for place, row in enumerate(study.rows)
    )
    return Table((Column("Metric", "l", Role.LABEL), *headings), tuple(rows))


def _table_of_tests(study: CorrelationStudy, columns: Sequence[CorrelationColumn]) -> Titled:
    headings: list[Column] = []
    rows = [
        [Cell(f"{row_label(study, test.first)} - {row_label(study, test.second)}")]
        for test in columns[0].tests
    ]
    for column in columns:
        names = (*PERMUTATION, *WILLIAMS) if has_williams(column) else PERMUTATION
        table = table_of(column.tests, MetricTest, *names)
        group = coefficient_name(column.coefficient)
        headings += [
            replace(item, group=group, full_heading=f"{group}, {item.heading}")
            for item in table.columns
        ]
        for row, cells in zip(rows, table.rows, strict=True):
            row.extend(cells)
    where = f"{_title(study, columns[0])}{condition_name(study, columns[0].condition)}"
    columns_of_all = (Column("Metrics", "l", Role.LABEL), *headings)
    return f"{where}: differences", Table(columns_of_all, tuple(map(tuple, rows)))


# The figure


def _agreement_figures(study: CorrelationStudy) -> Iterator[Figure]:
    if study.cells is None:
        return
    n_all = len(study.judgements) * len(study.rows)
    scores = means_over_evals(study.cells[0]).T.tolist()
    judged = [means_over_evals(cells).tolist() for cells in study.cells[1]]
    places = list(product(range(len(study.judgements)), range(len(study.rows))))[:MOST_PANELS]
    names = [escape_unprintable(system) for system in study.systems]
    short, key = short_names(names)
    of_panels = [
        list(zip(map(short.__getitem__, names), scores[row], judged[place], strict=True))
        for place, row in places
    ]
    # Names that overlap in one panel are numbers in all of them.
    is_numbered = not all(map(has_room_for_names, of_panels))
    if is_numbered:
        key = ", ".join(f"{number}\u00a0{name}" for number, name in enumerate(names, 1))
    panels = [
        _panel(study, place, row, systems, is_numbered=is_numbered)
        for (place, row), systems in zip(places, of_panels, strict=True)
    ]
    extent = f" The first {MOST_PANELS} of {n_all} panels." if n_all > MOST_PANELS else ""
    systems, evals = counted(len(study.systems), "system"), counted(len(study.eval_ids), "text")
    caption = (
        f"{systems}, one point each: the mean score over {evals} (to the right) and the mean "
        f"judgement (upwards).{extent}"
    )
    yield Figure("agreement", "Scores and judgements", caption, tuple(panels), key=key)


def _panel(
    study: CorrelationStudy,
    place: int,
    row: int,
    systems: Sequence[tuple[str, float, float]],
    *,
    is_numbered: bool,
) -> Spec:
    label, name = column_label(study.rows[row]), escape_unprintable(study.judgements[place])
    # The last condition is the one with all models.
    shown = (study.judgements[place], "system", study.columns[-1].condition)
    coefficients = [
        f"{coefficient_name(column.coefficient)} {number(column.correlations[row].value, DECIMALS)}"
        for column in study.columns
        if (column.judgement, column.level, column.condition) == shown
    ]
    subtitle = ", ".join(coefficients) or counted(len(systems), "system")
    axes = (f"Mean {label}", f"Mean {name}")
    title = f"{label} and {name}"
    return agreement_panel(title, subtitle, axes, systems, is_numbered=is_numbered)


# Where metrics and people disagree


def _rank_sections(study: CorrelationStudy, scores: Floats, judged: Floats) -> Iterator[Section]:
    # Cells are negated if lower scores are better, so a high cell is always a good one.
    by_metric = [ranks(-means) for means in means_over_evals(scores).T]
    labels = [column_label(row) for row in study.rows]
    for order, (judgement, cells) in enumerate(zip(study.judgements, judged, strict=True), 1):
        name = escape_unprintable(judgement)
        by_people = ranks(-means_over_evals(cells))
        gaps = np.stack([by_one - by_people for by_one in by_metric], axis=1)
        largest = np.abs(gaps).max(axis=1)
        rows = []
        for k in np.lexsort((by_people, -largest)).tolist():
            texts = [escape_unprintable(study.systems[k]), f"{by_people[k]:g}"]
            for by_one, gap in zip(by_metric, gaps[k], strict=True):
                distance = f" ({gap:+g})".replace("-", "\N{MINUS SIGN}") if gap else ""
                texts.append(f"{by_one[k]:g}{distance}")
            rows.append(tuple(map(Cell, texts)))
        columns = (Column("System", "l", Role.NAME), Column(f"by {name}"), *map(Column, labels))
        table = Table(columns, tuple(rows), is_sortable=True)
        yield Section(f"disagreement-{order}", (table,), f"Ranks by {name}", RANK_CAPTION)


def _eval_sections(study: CorrelationStudy, scores: Floats, judged: Floats) -> Iterator[Section]:
    # Ties are decided on whole numbers, as in the coefficients.
    by_row = np.stack([whole_numbers(x)[0] for x in np.moveaxis(scores, -1, 0)])
    for order, (name, cells) in enumerate(zip(study.judgements, judged, strict=True), 1):
        table, lowest = _table_of_evals(study, by_row, whole_numbers(cells)[0])
        title = (
            f"Texts by {escape_unprintable(name)}, the lowest {TAU} first: "
            f"{len(table.rows)} of {len(study.eval_ids)}"
        )
        n_below, n_level = int((lowest < 0).sum()), int(np.isinf(lowest).sum())
        level = f"; without {TAU}, as all systems are tied: {n_level}" if n_level else ""
        below = f"Below 0 by a metric: {n_below} of {counted(len(lowest), 'text')}"
        caption = f"{EVAL_CAPTION} {below}{level}."
        yield Section(f"disagreement-evals-{order}", (table,), title, caption)


def _table_of_evals(
    study: CorrelationStudy, scores: Floats, judged: Floats
) -> tuple[Table, Floats]:
    """Return the table of the EVALs to look at first, and the lowest tau of every EVAL.

    `scores` has shape (n_rows, n_systems, n_evals), `judged` (n_systems, n_evals). The lowest tau
    is that of the metrics, (n_evals,); inf if none is defined.
    """
    taus = np.stack([kendall(by_metric, judged) for by_metric in scores])
    known = np.where(np.isnan(taus), np.inf, taus)
    lowest, worst = np.round(known.min(axis=0), SAME_DECIMALS), known.argmin(axis=0)
    # The metric with the lowest tau, beside the judgements.
    by_worst = np.take_along_axis(scores, worst[None, None], axis=0)[0]
    is_known = ~(np.isnan(by_worst) | np.isnan(judged))
    both = np.where(is_known, np.stack([judged, by_worst]), np.nan)
    n_turned, n_pairs, apart = _turned_pairs(*both)
    places = np.stack([ranks(-sample) for sample in both])
    # Undefined taus are inf, so they come last, and are cut off.
    order = np.lexsort((-apart, lowest)).tolist()[: int(np.isfinite(lowest).sum())]
    labels = [column_label(row) for row in study.rows]
    rows = []
    for k in order[:MOST_EVALS]:
        by_people, by_metric = places[..., k]
        farthest = int(np.nan_to_num(np.abs(by_metric - by_people)).argmax())
        label, system = labels[worst[k]], escape_unprintable(study.systems[farthest])
        texts = (
            escape_unprintable(study.eval_ids[k]),
            *(number(tau, TAU_DECIMALS) for tau in taus[:, k].tolist()),
            f"{n_turned[k]} of {n_pairs[k]}",
            f"{system}: {by_people[farthest]:g} by people, {by_metric[farthest]:g} by {label}"
            if by_people[farthest] != by_metric[farthest]
            else UNDEFINED,
        )
        rows.append(tuple(map(Cell, texts)))
    columns = (
        Column("Text", "l", Role.NAME),
        *(Column(f"{TAU} of {label}") for label in labels),
        Column("reversed"),
        Column("furthest off", "l"),
    )
    return Table(columns, tuple(rows), is_sortable=True), lowest


def _turned_pairs(judged: Floats, scores: Floats) -> tuple[Whole, Whole, Floats]:
    """Compare the order of every two systems, in each EVAL; both have shape (n_systems, n_evals).

    Returns the number of pairs that the scores reverse, the number of pairs that people order, and
    the sum of the differences that people see in the reversed pairs; each has shape (n_evals,).
    """
    n_turned, n_pairs = np.zeros((2, judged.shape[1]), np.int64)
    apart = np.zeros(judged.shape[1])
    for distance in range(1, len(judged)):
        by_people, by_metric = (
            np.nan_to_num(sample[distance:] - sample[:-distance]) for sample in (judged, scores)
        )
        is_turned = np.sign(by_people) * np.sign(by_metric) < 0
        n_turned += is_turned.sum(axis=0)
        n_pairs += (by_people != 0).sum(axis=0)
        apart += (np.abs(by_people) * is_turned).sum(axis=0)
    return n_turned, n_pairs, apart
