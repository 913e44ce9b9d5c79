"""A study of correlations as tables: metrics in rows.

Columns are coefficients or, where several ways of scoring are set side by side as in the paper's
Tables 1 to 3, these.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, ClassVar

from rouge_cli.escapes import escape_unprintable
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import View
from rouge_cli.reports.charts import agreement_panel
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
    Spec,
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
from rouge_cli.reports.wording import (
    UNDEFINED,
    coefficient_name,
    column_label,
    counted,
    listed,
    measure_title,
    number,
    p_value,
)
from rouge_cli.studies.correlate.accuracies import TiedAccuracy
from rouge_cli.studies.correlate.coefficients import PairCounts
from rouge_cli.studies.correlate.correlation import CorrelationStudy
from rouge_cli.studies.correlate.correlation_columns import (
    CorrectedCorrelation,
    Correlation,
    CorrelationColumn,
    MetricTest,
)
from rouge_cli.studies.correlate.disagreement import (
    NOT_PER_EVAL,
    disagreement_sections,
    eval_sections,
)
from rouge_cli.studies.correlate.notes import (
    CONDITION_HEADS,
    DECIMALS,
    MODEL_SET_HEADS,
    condition_name,
    correlation_headline,
    correlation_notes,
    defined,
    detail_of,
    epsilon_of,
    has_williams,
    is_exact,
    row_label,
    shown_measures,
)
from rouge_cli.studies.score_columns import Column as ScoreColumn

COLUMNS = (
    "judgement", "level", "coefficient", "texts", "models", "metric", "measure", "against",
    "against_measure", "value", "epsilon", "lower", "upper", "corrected",
    "corrected_lower", "corrected_upper", "p", "p_holm", "williams_t", "williams_p",
    "williams_p_holm", "williams_p_one_sided", "is_best", "is_tied", "n_systems",
    "n_evals", "dropped_evals", "dropped_resamples", "dropped_corrected",
    "resampled", "resamples", "confidence", "seed", "signature",
)  # fmt: skip

MOST_PANELS = 12


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
PAIRS = Record(
    (
        Field("concordant", COUNT),
        Field("discordant", COUNT),
        Field("tied_in_judgements", COUNT),
        Field("tied_in_scores", COUNT),
        Field("tied_in_both", COUNT),
        Field("accuracy_human_untied", Nullable(NUMBER),
            lambda pairs: defined(pairs.accuracy_of_untied)),
        Field("tau_c", Nullable(NUMBER), lambda pairs: defined(pairs.tau_c)),
    )
)
CALIBRATION = Record(
    (
        Field("epsilon", Nullable(NUMBER), lambda tied: defined(tied.threshold)),
        Field("at_0", Nullable(NUMBER), lambda tied: defined(tied.at_zero)),
        Field("maximisers", COUNT, "n_thresholds"),
        Field("largest_maximiser", Nullable(NUMBER), lambda tied: defined(tied.largest_threshold)),
    )
)
CORRELATION = Record(
    (
        *METRIC,
        Field("value", Nullable(NUMBER), lambda row: defined(row.result.value.value)),
        Field("interval", Nullable(BOUNDS), "result.interval.bounds"),
        Field("p_against_best", Nullable(NUMBER), "result.p_against_best"),
        Field("is_best", FLAG, "result.is_best"),
        Field("is_tied_with_best", FLAG, "result.is_tied"),
        Field("n_evals", COUNT, "result.value.n_evals"),
        Field("n_dropped_evals", COUNT, "result.value.n_dropped"),
        Field("n_dropped_resamples", Nullable(COUNT), "result.interval.n_dropped"),
        Field("pairs", Nullable(PAIRS), lambda row: detail_of(row.result, PairCounts)),
        Field("calibration", Nullable(CALIBRATION),
            lambda row: detail_of(row.result, TiedAccuracy)),
        Field("is_exact", Nullable(FLAG), lambda row: is_exact(row.result)),
        Field("corrected", Nullable(NUMBER), lambda row: _corrected(row.result)),
        Field("corrected_interval", Nullable(BOUNDS), "result.corrected.interval.bounds"),
        Field("n_dropped_corrected", Nullable(COUNT), "result.corrected.interval.n_dropped"),
    ),
    {
        "epsilon": lambda row: epsilon_of(row.result),
        "corrected": lambda row: _corrected(row.result),
        "corrected_lower": lambda row: _bounds(row.result.corrected)[0],
        "corrected_upper": lambda row: _bounds(row.result.corrected)[1],
        "dropped_corrected": "result.corrected.interval.n_dropped",
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
LEVEL_AGREEMENT = Record(
    (
        Field("judges", COUNT),
        Field("is_complete", FLAG),
        Field("consistency", Nullable(NUMBER), lambda agreement: defined(agreement.consistency)),
        Field("ceiling", Nullable(NUMBER), lambda agreement: defined(agreement.ceiling)),
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
        Field("agreement", Nullable(LEVEL_AGREEMENT), "column.agreement"),
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
        Field("interval", Nullable(BOUNDS)),
    )
)
STUDY = Record(
    (
        *PROGRAM,
        Field("seed", COUNT, "study.plan.seed"),
        Field("resamples", COUNT, "study.plan.resamples"),
        Field("resampled", TEXT, "study.plan.resampled"),
        Field("is_resampled_by_judge", FLAG, "study.plan.draws_judges"),
        Field("confidence", NUMBER, "study.plan.confidence.value"),
        Field("warnings", list_of(TEXT), "study.warnings"),
        Field("systems", list_of(TEXT), "study.systems"),
        Field("systems_as_judged", list_of(TEXT), "study.systems_as_judged"),
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


def _bounds(
    correlation: Correlation | CorrectedCorrelation | None,
) -> tuple[float | None, float | None]:
    """Return the ends of an interval; without resamples that have a coefficient it has none."""
    interval = correlation.interval if correlation else None
    return (interval.bounds if interval else None) or (None, None)


def _corrected(correlation: Correlation) -> float | None:
    """Return a correlation corrected for the disagreement of judges, where it has one."""
    return None if correlation.corrected is None else defined(correlation.corrected.value)


TEST_HEADS = ("diff.", "p", "Holm", "t", "p of t", "Holm of t")
N_PERMUTATION_HEADS = 3

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
        return Document(tuple(sections), correlation_notes(study), signatures)

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
        if self.study.means:
            gaps = (*disagreement_sections(self.study), *eval_sections(self.study))
            notes = () if self.study.is_per_eval else (Note.of(NOT_PER_EVAL),)
            title = "Where metrics and people disagree"
            parts.append(Part("disagreement", title, gaps, notes=notes))
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
            corrected = [column for column in columns if column.correlations[0].corrected]
            if corrected:
                yield _table_of_corrected(study, corrected)
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
    headings = [Column(coefficient_name(column.coefficient)) for column in columns]
    return _title(study, columns[0]), _table(study, columns, headings, has_intervals=True)


def _table_of_corrected(study: CorrelationStudy, columns: Sequence[CorrelationColumn]) -> Titled:
    """Make a table of the correlations that are corrected for the disagreement of judges."""
    headings = [Column(coefficient_name(column.coefficient)) for column in columns]
    rows = (
        (
            Cell(row_label(study, place)),
            *(_corrected_cell(column.correlations[place].corrected) for column in columns),
        )
        for place in range(len(study.rows))
    )
    table = Table((Column("Metric", "l", Role.LABEL), *headings), tuple(rows))
    return f"{_title(study, columns[0])}: corrected for disagreement of judges", table


def _corrected_cell(corrected: CorrectedCorrelation | None) -> Cell:
    """Write a corrected correlation."""
    value = corrected.value if corrected else None
    lower, upper = _bounds(corrected)
    interval = None if lower is None else (number(lower, DECIMALS), number(upper, DECIMALS))
    return Cell(number(value, DECIMALS), interval)


def _table_of_conditions(study: CorrelationStudy, columns: Sequence[CorrelationColumn]) -> Titled:
    """Make a table with conditions in the columns, as in the paper."""
    headings = []
    for column in columns:
        heading = CONDITION_HEADS[column.condition.texts]
        group = MODEL_SET_HEADS[column.condition.model_set]
        headings.append(Column(heading, group=group, full_heading=f"{group}, {heading}"))
    title = f"{_title(study, columns[0])}, {coefficient_name(columns[0].coefficient)}"
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
            Cell(row_label(study, place)),
            *(_cell(column.correlations[place], has_interval=has_intervals) for column in columns),
        )
        for place in range(len(study.rows))
    )
    return Table((Column("Metric", "l", Role.LABEL), *headings), tuple(rows))


def _table_of_tests(study: CorrelationStudy, columns: Sequence[CorrelationColumn]) -> Titled:
    """Make a table with a row for every two metrics."""
    headings = []
    for column in columns:
        group = coefficient_name(column.coefficient)
        heads = TEST_HEADS if has_williams(column) else TEST_HEADS[:N_PERMUTATION_HEADS]
        headings += [
            Column(heading, group=group, full_heading=f"{group}, {heading}") for heading in heads
        ]
    rows = (
        (
            Cell(f"{row_label(study, tests[0].first)} - {row_label(study, tests[0].second)}"),
            *(
                cell
                for column, test in zip(columns, tests, strict=True)
                for cell in _test_cells(test, has_williams=has_williams(column))
            ),
        )
        for tests in zip(*(column.tests for column in columns), strict=True)
    )
    where = f"{_title(study, columns[0])}{condition_name(study, columns[0].condition)}"
    table = Table((Column("Metrics", "l", Role.LABEL), *headings), tuple(rows))
    return f"{where}: differences", table


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
    letters = shown_measures(study)
    measure = f", {measure_title(*letters)}" if len(letters) == 1 else ""
    return f"{escape_unprintable(column.judgement)}: {column.level} level{measure}"


def _cell(correlation: Correlation, *, has_interval: bool) -> Cell:
    """Write a correlation."""
    tied: Mark = TIED if correlation.is_tied else ""
    text = number(correlation.value.value, DECIMALS)
    bounds = correlation.interval.bounds if correlation.interval and has_interval else None
    interval = (number(bounds[0], DECIMALS), number(bounds[1], DECIMALS)) if bounds else None
    return Cell(text, interval, BEST if correlation.is_best else tied)


def agreement_figures(study: CorrelationStudy) -> Iterator[Figure]:
    """Yield the figure: a panel for each metric, with all models, and judgement."""
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
    # The last condition is the one with all models.
    means, label = study.means[-1], column_label(study.rows[row])
    shown = (study.judgements[place], "system", study.columns[-1].condition)
    judgement = escape_unprintable(study.judgements[place])
    systems = [
        (escape_unprintable(name), float(score), float(judged))
        for name, score, judged in zip(
            study.systems, means.scores[row], means.judgements[place], strict=True
        )
    ]
    coefficients = [
        f"{coefficient_name(column.coefficient)} "
        f"{number(column.correlations[row].value.value, DECIMALS)}"
        for column in study.columns
        if (column.judgement, column.level, column.condition) == shown
    ]
    subtitle = ", ".join(coefficients) or counted(len(systems), "system")
    axes = (f"Mean {label}", f"Mean {judgement}")
    return agreement_panel(f"{label} and {judgement}", subtitle, axes, systems)
