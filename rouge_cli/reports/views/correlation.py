"""A study of correlations as tables: metrics in rows.

Columns are coefficients or, where several ways of scoring are set side by side as in the paper's
Tables 1 to 3, these.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from math import isnan
from typing import Any, ClassVar

from rouge_cli.escapes import escape_unprintable
from rouge_cli.options.scores import SINGLE_MEASURE
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import View
from rouge_cli.reports.document import (
    BEST,
    TIED,
    Cell,
    Column,
    Document,
    Figure,
    Mark,
    Note,
    Role,
    Section,
    Table,
)
from rouge_cli.reports.fields import (
    BOUNDS,
    COUNT,
    FLAG,
    NUMBER,
    PROGRAM,
    TEXT,
    Field,
    Nullable,
    Record,
    Value,
    list_of,
)
from rouge_cli.reports.page import CITED, Page, Part
from rouge_cli.reports.views.score_figures import agreement_figures
from rouge_cli.reports.views.wording import (
    UNDEFINED,
    column_label,
    counted,
    listed,
    measure_title,
    number,
    p_value,
)
from rouge_cli.studies.correlation import (
    Condition,
    Correlation,
    CorrelationColumn,
    CorrelationStudy,
    MetricTest,
)
from rouge_cli.studies.metric_tests import FEWEST_SYSTEMS
from rouge_cli.studies.score_columns import Column as ScoreColumn

COLUMNS = (
    "judgement", "level", "coefficient", "texts", "models", "metric", "measure", "against",
    "against_measure", "value", "lower", "upper", "p", "p_holm", "williams_t",
    "williams_p", "williams_p_holm", "williams_p_one_sided", "is_best", "is_tied", "n_systems",
    "n_evals", "dropped_evals", "dropped_resamples", "resampled", "resamples", "confidence",
    "seed", "signature",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _RowResult:
    """A correlation of a metric, or a test of it against another metric."""

    row: ScoreColumn
    result: Any
    other: ScoreColumn | None = None


@dataclass(frozen=True, slots=True)
class _Judged:
    """The correlations with one judgement, in one way, and the study that they are part of."""

    study: CorrelationStudy
    column: CorrelationColumn

    @property
    def correlated(self) -> Iterator[_RowResult]:
        """Each correlation with its metric."""
        return map(_RowResult, self.study.rows, self.column.correlations)

    @property
    def tested(self) -> Iterator[_RowResult]:
        """Each test with its metrics."""
        rows = self.study.rows
        return (_RowResult(rows[test.first], test, rows[test.second]) for test in self.column.tests)


# fmt: off
METRIC = (Field("metric", TEXT, "row.metric"), Field("measure", TEXT, "row.measure"))
CORRELATION = Record(
    (
        *METRIC,
        Field("value", Nullable(NUMBER), lambda row: _defined(row.result.value.value)),
        Field("interval", Nullable(BOUNDS), "result.interval.bounds"),
        Field("p_against_best", Nullable(NUMBER), "result.p_against_best"),
        Field("is_best", FLAG, "result.is_best"),
        Field("is_tied_with_best", FLAG, "result.is_tied"),
        Field("n_evals", COUNT, "result.value.n_evals"),
        Field("n_dropped_evals", COUNT, "result.value.n_dropped"),
        Field("n_dropped_resamples", Nullable(COUNT), "result.interval.n_dropped"),
    ),
    {
        "lower": lambda row: _bounds(row.result)[0],
        "upper": lambda row: _bounds(row.result)[1],
        "p": "result.p_against_best",
        "is_best": lambda row: int(row.result.is_best),
        "is_tied": lambda row: int(row.result.is_tied),
        "dropped_evals": "result.value.n_dropped",
        "dropped_resamples": "result.interval.n_dropped",
    },
)
WILLIAMS = Record(
    (
        Field("t", NUMBER),
        Field("degrees_of_freedom", COUNT, "degrees"),
        Field("p", NUMBER),
        Field("p_holm", Nullable(NUMBER)),
        Field("p_one_sided", NUMBER),
    )
)
TEST = Record(
    (
        Field("first", Record(METRIC), lambda row: row),
        Field("second", Record(METRIC), lambda row: _RowResult(row.other, row.result)),
        Field("difference", Nullable(NUMBER), "result.permutation.difference"),
        Field("p", Nullable(NUMBER), "result.permutation.p"),
        Field("p_holm", Nullable(NUMBER), "result.permutation.p_holm"),
        Field("is_exact", FLAG, "result.permutation.is_exact"),
        Field("n_dropped_resamples", COUNT, "result.permutation.n_dropped"),
        Field("williams", Nullable(WILLIAMS), "result.williams"),
    ),
    {
        "metric": "row.metric",
        "measure": "row.measure",
        "against": "other.metric",
        "against_measure": "other.measure",
        "value": "result.permutation.difference",
        "williams_t": "result.williams.t",
        "williams_p": "result.williams.p",
        "williams_p_holm": "result.williams.p_holm",
        "williams_p_one_sided": "result.williams.p_one_sided",
        "dropped_resamples": "result.permutation.n_dropped",
    },
)
CONDITION = Record(
    (
        # No name for the texts where the options of the run say how they are read.
        Field("texts", Nullable(TEXT), lambda condition: condition.texts or None),
        Field("models", TEXT, "model_set"),
        Field("signatures", list_of(TEXT)),
    )
)
JUDGED = Record(
    (
        Field("judgement", TEXT, "column.judgement"),
        Field("level", TEXT, "column.level"),
        Field("coefficient", TEXT, "column.coefficient"),
        Field("texts", Nullable(TEXT), lambda judged: judged.column.condition.texts or None),
        Field("models", TEXT, "column.condition.model_set"),
        Field("has_too_few_systems", FLAG, "column.has_too_few_systems"),
        Field("metrics", list_of(CORRELATION), "correlated"),
        Field("pairs", list_of(TEST), "tested"),
    ),
    {
        "texts": "column.condition.texts",
        "signature": lambda judged: " ".join(judged.column.condition.signatures),
    },
)
AGREEMENT = Record(
    (
        Field("judgement"),
        Field("fewest_judges", COUNT, "fewest"),
        Field("most_judges", COUNT, "most"),
        Field("krippendorff_alpha", Nullable(NUMBER), "alpha"),
    )
)
STUDY = Record(
    (
        *PROGRAM,
        Field("seed", COUNT, "study.plan.seed"),
        Field("resamples", COUNT, "study.plan.resamples"),
        Field("resampled", TEXT, "study.plan.resampled"),
        Field("confidence", NUMBER, "study.plan.confidence.value"),
        Field("warnings", list_of(TEXT), "study.warnings"),
        Field("systems", list_of(TEXT), "study.systems"),
        Field("evals", list_of(TEXT), "study.eval_ids"),
        Field("judgements", list_of(TEXT), "study.judgements"),
        Field("is_judged_per_eval", FLAG, "study.is_per_eval"),
        Field("exchanged", TEXT, "study.plan.exchange"),
        Field("agreements", list_of(AGREEMENT), "study.agreements"),
        Field("conditions", list_of(CONDITION), "study.conditions"),
        Field("columns", list_of(JUDGED),
            lambda view: (_Judged(view.study, column) for column in view.study.columns)),
    ),
    {"n_systems": lambda view: len(view.study.systems)},
)
# fmt: on


def _defined(value: float) -> float | None:
    """Return a coefficient, or None for one that is undefined."""
    return None if isnan(value) else value


def _bounds(correlation: Correlation) -> tuple[float | None, float | None]:
    """Return the ends of an interval; without resamples that have a coefficient it has none."""
    bounds = correlation.interval and correlation.interval.bounds
    return bounds or (None, None)


DECIMALS = 3

CONDITION_HEADS = {"as-is": "CASE", "stem": "STEM", "stop": "STOP", "stem+stop": "BOTH"}
MODEL_SET_HEADS = {"one": "1 model", "all": "all models"}
TEST_HEADS = ("diff.", "p", "Holm", "t", "p of t", "Holm of t")
N_PERMUTATION_HEADS = 3

RESAMPLED_NAMES = {"evals": "EVALs", "systems": "systems", "both": "systems and EVALs"}

CONDITION_NOTES = {
    "as-is": "CASE: texts as they are.",
    "stem": "STEM: stemmed.",
    "stop": "STOP: without stopwords.",
    "stem+stop": "BOTH: stemmed, without stopwords.",
    "one": "1 model: only the first one of each EVAL.",
}

Titled = tuple[str, Table]
Key = Callable[[CorrelationColumn], tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class CorrelationView(View):
    """How well metrics agree with human judgements."""

    kind: ClassVar[str] = "correlation"
    fields: ClassVar[Record] = STUDY
    columns: ClassVar[tuple[str, ...]] = COLUMNS
    study: CorrelationStudy

    def document(self) -> Document:
        """Return the tables of the correlations, and then those of the tests between metrics."""
        study = self.study
        sections = (
            Section(f"correlation-{order}", (table,), title)
            for order, (title, table) in enumerate(_tables(study), 1)
        )
        # The signatures of the first condition; the headings say how the others differ.
        signatures = study.conditions[0].signatures
        return Document(tuple(sections), _notes(study), signatures)

    def records(self) -> Iterator[dict[str, Value]]:
        """Yield a row for each judgement, level, coefficient and metric, and for each test.

        Rows without ``against`` hold a correlation, and in ``p`` the test against the best metric
        of its column. Rows with it hold the difference of two correlations.
        """
        of_study = STUDY.cells(self, COLUMNS)
        for column in self.study.columns:
            judged = _Judged(self.study, column)
            where = of_study | JUDGED.cells(judged, COLUMNS)
            yield from (where | CORRELATION.cells(row, COLUMNS) for row in judged.correlated)
            yield from (where | TEST.cells(row, COLUMNS) for row in judged.tested)

    def figures(self) -> tuple[Figure, ...]:
        """Return the systems by scores and judgements."""
        return tuple(agreement_figures(self.study))

    def page(self) -> Page:
        """Return the page."""
        document = self.document()
        sections, figures = document.sections, self.figures()
        parts = [Part("correlations", "Correlations", sections, notes=document.notes)]
        if figures:
            parts.append(Part("systems", "Systems", figures=figures))
        names = listed([escape_unprintable(name) for name in self.study.judgements])
        sizes = counted(len(self.study.systems), "system")
        return Page(
            title=f"Correlation with {names}: {sizes}",
            headline=tuple(correlation_headline(self.study)),
            warnings=self.study.warnings,
            parts=tuple(parts),
            signatures=document.signatures,
            citation=CITED,
        )


def _tables(study: CorrelationStudy) -> Iterator[Titled]:
    """Yield the tables with their titles."""
    if study.is_by_condition:
        for columns in _grouped(
            study, lambda column: (column.judgement, column.level, column.coefficient)
        ):
            yield _table_of_conditions(study, columns)
    else:
        for columns in _grouped(study, lambda column: (column.judgement, column.level)):
            yield _table_of_coefficients(study, columns)
    if any(column.tests for column in study.columns):
        for columns in _grouped(
            study, lambda column: (column.judgement, column.level, column.condition)
        ):
            yield _table_of_tests(study, columns)


def _grouped(study: CorrelationStudy, key: Key) -> Iterator[list[CorrelationColumn]]:
    """Yield the columns with the same key, in the order in which keys appear first."""
    keys = list(dict.fromkeys(map(key, study.columns)))
    in_order = sorted(study.columns, key=lambda column: keys.index(key(column)))
    for _, columns in groupby(in_order, key):
        yield list(columns)


def _table_of_coefficients(study: CorrelationStudy, columns: Sequence[CorrelationColumn]) -> Titled:
    """Make a table with coefficients in the columns."""
    headings = [Column(column.coefficient.capitalize()) for column in columns]
    return _title(study, columns[0]), _table(study, columns, headings, has_intervals=True)


def _table_of_conditions(study: CorrelationStudy, columns: Sequence[CorrelationColumn]) -> Titled:
    """Make a table with conditions in the columns, as in the paper."""
    headings = []
    for column in columns:
        heading = CONDITION_HEADS[column.condition.texts]
        group = MODEL_SET_HEADS[column.condition.model_set]
        headings.append(Column(heading, group=group, full_heading=f"{group}, {heading}"))
    title = f"{_title(study, columns[0])}, {columns[0].coefficient.capitalize()}"
    return title, _table(study, columns, headings, has_intervals=False)


def _table(
    study: CorrelationStudy,
    columns: Sequence[CorrelationColumn],
    headings: Sequence[Column],
    *,
    has_intervals: bool,
) -> Table:
    """Make a table with a row for each metric."""
    rows = (
        (
            Cell(_label(study, place)),
            *(_cell(column.correlations[place], has_interval=has_intervals) for column in columns),
        )
        for place in range(len(study.rows))
    )
    return Table((Column("Metric", "l", Role.LABEL), *headings), tuple(rows))


def _table_of_tests(study: CorrelationStudy, columns: Sequence[CorrelationColumn]) -> Titled:
    """Make a table with a row for every two metrics."""
    headings = []
    for column in columns:
        group = column.coefficient.capitalize()
        heads = TEST_HEADS if _has_williams(column) else TEST_HEADS[:N_PERMUTATION_HEADS]
        headings += [
            Column(heading, group=group, full_heading=f"{group}, {heading}") for heading in heads
        ]
    rows = (
        (
            Cell(f"{_label(study, tests[0].first)} - {_label(study, tests[0].second)}"),
            *(
                cell
                for column, test in zip(columns, tests, strict=True)
                for cell in _test_cells(test, has_williams=_has_williams(column))
            ),
        )
        for tests in zip(*(column.tests for column in columns), strict=True)
    )
    where = f"{_title(study, columns[0])}{_condition(study, columns[0].condition)}"
    table = Table((Column("Metrics", "l", Role.LABEL), *headings), tuple(rows))
    return f"{where}: differences", table


def _has_williams(column: CorrelationColumn) -> bool:
    """Say whether Williams' test has a meaning in a column."""
    return (column.level, column.coefficient) == ("system", "pearson")


def _test_cells(test: MetricTest, *, has_williams: bool) -> Iterator[Cell]:
    """Yield the difference and its p-values."""
    yield Cell(number(test.permutation.difference, DECIMALS, sign="+"))
    yield Cell(p_value(test.permutation.p))
    yield Cell(p_value(test.permutation.p_holm))
    if has_williams and test.williams:
        yield Cell(number(test.williams.t, DECIMALS, sign="+"))
        yield Cell(p_value(test.williams.p))
        yield Cell(p_value(test.williams.p_holm))
    elif has_williams:
        yield from [Cell(UNDEFINED)] * 3


def _title(study: CorrelationStudy, column: CorrelationColumn) -> str:
    """Say what a table holds; the measure, if it is the same for all rows."""
    letters = _letters(study)
    measure = f", {measure_title(*letters)}" if len(letters) == 1 else ""
    return f"{escape_unprintable(column.judgement)}: {column.level} level{measure}"


def _condition(study: CorrelationStudy, condition: Condition) -> str:
    """Name a condition where there are several."""
    if not study.is_by_condition:
        return ""
    return f", {CONDITION_HEADS[condition.texts]}, {MODEL_SET_HEADS[condition.model_set]}"


def _letters(study: CorrelationStudy) -> list[str]:
    """Return the measures of the rows, but for single scores, which need no name."""
    letters = dict.fromkeys(row.letter for row in study.rows)
    return [letter for letter in letters if letter != SINGLE_MEASURE]


def _label(study: CorrelationStudy, place: int) -> str:
    """Name a row; with the measure, if there are several."""
    row = study.rows[place]
    return column_label(row) if len(_letters(study)) > 1 else row.metric


def _cell(correlation: Correlation, *, has_interval: bool) -> Cell:
    """Write a correlation."""
    tied: Mark = TIED if correlation.is_tied else ""
    text = number(correlation.value.value, DECIMALS)
    bounds = correlation.interval.bounds if correlation.interval and has_interval else None
    interval = (number(bounds[0], DECIMALS), number(bounds[1], DECIMALS)) if bounds else None
    return Cell(text, interval, BEST if correlation.is_best else tied)


def _notes(study: CorrelationStudy) -> tuple[Note, ...]:
    """Return the notes, a paragraph each."""
    marks = Note(tuple(_marks(study)))
    return (*map(Note.of, _basis(study)), marks, *map(Note.of, _explanations(study)))


def _basis(study: CorrelationStudy) -> Iterator[str]:
    """Say what the correlations rest on."""
    evals = counted(len(study.eval_ids), "EVAL")
    yield f"{len(study.systems)} systems, {evals}.{_intervals(study)}"
    for agreement in study.agreements:
        judges = counted(agreement.most, "judge")
        judges = judges if agreement.fewest == agreement.most else f"{agreement.fewest} to {judges}"
        alpha = number(agreement.alpha, DECIMALS)
        name = escape_unprintable(agreement.judgement)
        yield f"{name}: means of {judges}; Krippendorff's alpha {alpha} (interval data)."
    if not study.is_per_eval:
        yield "One judgement a system: there is no summary level, and nothing to pool."


def _marks(study: CorrelationStudy) -> Iterator[tuple[Mark, str]]:
    """Say what the marks of the best and of those that cannot be told apart from it mean."""
    plan = study.plan
    yield BEST, "the best of its column."
    if plan.resamples:
        yield (
            TIED,
            "cannot be told apart from the best (one permutation test of all metrics, "
            f"{_exchanged(study)}, p > {plan.significance:.4g}; all choices of few systems, else "
            f"{plan.resamples} resamples, seed {plan.seed}).{_too_few_systems(study)}",
        )
    else:
        yield "", "No intervals and no permutation tests: -r 0."


def _explanations(study: CorrelationStudy) -> Iterator[str]:
    """Say what abbreviations mean, and what was dropped."""
    if study.is_by_condition:
        used = {
            name
            for condition in study.conditions
            for name in (condition.texts, condition.model_set)
        }
        yield " ".join(text for name, text in CONDITION_NOTES.items() if name in used)
    if lower := dict.fromkeys(row.metric for row in study.rows if row.is_lower_better):
        yield (
            f"Lower is better: {', '.join(lower)}. What is correlated is their negative, so that "
            "agreement is above 0."
        )
    made = [row.metric for row in study.rows if not row.is_mean_of_evals]
    if made and {column.level for column in study.columns} != {"system"}:
        yield (
            f"{', '.join(made)}: of the means of systems at the system level; at the others of the "
            "scores of each EVAL."
        )
    if any(column.tests for column in study.columns):
        yield (
            "diff.: correlation of the first metric less that of the second, with the two-sided p "
            f"of the paired permutation test. {_williams(study)} Holm: p corrected over all pairs "
            "of the column."
        )
    yield from _dropped(study)


def _too_few_systems(study: CorrelationStudy) -> str:
    """Say in which columns a mark says nothing of how good a metric is."""
    marked = [
        column
        for column in study.columns
        if column.has_too_few_systems and any(row.is_tied for row in column.correlations)
    ]
    if not marked:
        return ""
    where = dict.fromkeys(
        f"{escape_unprintable(column.judgement)}, {column.coefficient.capitalize()}"
        f"{_condition(study, column.condition)}"
        for column in marked
    )
    return (
        f" Too few systems to tell at the system level ({'; '.join(where)}): not even a metric "
        "without any correlation would be told apart from the best."
    )


def _exchanged(study: CorrelationStudy) -> str:
    """Say what the permutation tests exchange."""
    levels = {column.level for column in study.columns}
    if study.plan.exchange == "cells" or "system" not in levels:
        return "cells exchanged"
    return "systems exchanged" if len(levels) == 1 else "systems exchanged, or cells"


def _intervals(study: CorrelationStudy) -> str:
    """Say what the intervals are, where they are shown."""
    plan = study.plan
    if not plan.resamples or study.is_by_condition:
        return ""
    return (
        f" In brackets {plan.confidence.text}% intervals: bootstrap over "
        f"{RESAMPLED_NAMES[plan.resampled]}, percentiles of {plan.resamples} resamples, "
        f"seed {plan.seed}."
    )


def _williams(study: CorrelationStudy) -> str:
    """Say where Williams' test is, or why it is not."""
    if len(study.systems) < FEWEST_SYSTEMS:
        return f"Williams' test needs {FEWEST_SYSTEMS} systems."
    return "t: Williams' test, with its two-sided p, for Pearson at the system level."


def _dropped(study: CorrelationStudy) -> Iterator[str]:
    """Say what was dropped, as nothing varied in it."""
    defined = [
        correlation
        for column in study.columns
        for correlation in column.correlations
        if not isnan(correlation.value.value)
    ]
    n_evals = max((correlation.value.n_dropped for correlation in defined), default=0)
    if n_evals:
        yield (
            f"Summary level: up to {counted(n_evals, 'EVAL')} of {len(study.eval_ids)} "
            f"{'is' if n_evals == 1 else 'are'} left out of a mean, as scores or judgements do "
            "not vary there (--report csv counts them)."
        )
    n_resamples = max(
        (correlation.interval.n_dropped for correlation in defined if correlation.interval),
        default=0,
    )
    if n_resamples and not study.is_by_condition:
        yield (
            f"Up to {counted(n_resamples, 'resample')} of {study.plan.resamples} without a "
            f"correlation {'is' if n_resamples == 1 else 'are'} left out of an interval "
            "(--report csv counts them)."
        )


def correlation_headline(study: CorrelationStudy) -> Iterator[str]:
    """Yield for each judgement which metric agrees with it best, in the first column of it."""
    for judgement in study.judgements:
        column = next(column for column in study.columns if column.judgement == judgement)
        best = [k for k, result in enumerate(column.correlations) if result.is_best]
        tied = [k for k, result in enumerate(column.correlations) if result.is_tied]
        name = escape_unprintable(judgement)
        if not best:
            yield f"No metric has a correlation with {name}."
            continue
        value = number(column.correlations[best[0]].value.value, DECIMALS)
        labels = [column_label(row) for row in study.rows]
        sentence = (
            f"{listed([labels[k] for k in best])} agree{'s' * (len(best) == 1)} best with {name}: "
            f"{column.coefficient.capitalize()} {value} at the {column.level} level"
        )
        if tied:
            why = "; there are too few systems to tell" if column.has_too_few_systems else ""
            names = listed([labels[k] for k in tied])
            yield f"{sentence}, but cannot be told apart from {names}{why}."
        elif study.plan.resamples and len(best) < len(labels):
            yield f"{sentence}, significantly better than every other metric."
        else:
            yield f"{sentence}."
