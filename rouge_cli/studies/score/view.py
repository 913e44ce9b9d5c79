"""The tables of scores, by system and with ``-d`` by EVAL, and the figures of their values."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from rouge_cli.errors import OptionError
from rouge_cli.escapes import escape_unprintable, escaped
from rouge_cli.options.options import Options
from rouge_cli.options.scores import POOLED_COUNTS, RAW_COUNTS, SINGLE_MEASURE, NamedScore
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import CsvRow, View
from rouge_cli.reports.document import (
    BEST,
    Cell,
    Check,
    Column,
    Document,
    Figure,
    Mark,
    Note,
    Role,
    Section,
    Table,
)
from rouge_cli.reports.rows import csv_rows, table_of
from rouge_cli.reports.wording import (
    column_label,
    counted,
    eval_count,
    factor_of,
    lower_note,
    short_system_names,
)
from rouge_cli.scores.reportable import EvalOrder, score_key, sort_key
from rouge_cli.scores.results import Results, SystemEvals, SystemScores, average
from rouge_cli.scores.signature import signature
from rouge_cli.scores.summaries import interval_doubt, ranking_scores
from rouge_cli.studies.score.rows import ScoreReport, eval_rows, length_ratio, score_report
from rouge_cli.studies.score_columns import (
    Noninferiority,
    ScoreColumn,
    column_of,
    columns_of,
    measure_in,
)

if TYPE_CHECKING:
    from rouge_cli.inputs.index import Input
    from rouge_cli.studies.compare.results import ComparisonResult
    from rouge_cli.studies.score.certificate import Certificate

MEAN_DECIMALS, EVAL_DECIMALS = 4, 5
LENGTHS_LISTED = 41  # characters that fit the line of a terminal; of longer lists, the ends
LENGTHS_APART = 1.25  # ratio of the lengths of outputs above which a note warns
Cells = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class ScoreView(View):
    """The scores of a run.

    - `comparison`: a comparison of the systems, if there is one already; otherwise ``--letters``
      compares them.
    - `texts`: the texts of the EVALs in the table, for ``--texts``.
    - `bounds`: lower bounds of the differences from a baseline, for ``--not-worse-than``.
    - `checks`: the outcomes of ``--require`` and ``--baseline``.
    - `certificate`: the certificate, for the file of ``--certificate``.
    """

    kind: ClassVar[str] = "scores"
    csv_path: ClassVar[str] = "systems.rows"
    results: Results
    comparison: "ComparisonResult | None" = None
    texts: tuple[Note, ...] = ()
    bounds: tuple[Noninferiority, ...] = ()
    checks: tuple[Check, ...] = ()
    certificate: "Certificate | None" = None

    @property
    def result(self) -> ScoreReport:
        """The scores in the form of JSON."""
        per_eval = self.results.options.reports.per_eval
        report = score_report(self.results, self.bounds, per_eval=per_eval)
        return report._replace(certificate=self.certificate)

    def rows(self) -> Iterator[CsvRow]:
        """Yield the rows of all EVALs together and, with ``-d``, those of each EVAL."""
        # Without the scores of EVALs, which JSON holds as lists, and CSV in rows of their own.
        columns, *rows = csv_rows(score_report(self.results, per_eval=False), self.csv_path)
        yield columns
        yield from rows
        if self.results.options.reports.per_eval:
            yield from eval_rows(self.results, columns)

    def document(self) -> Document:
        """Return the table of the systems and, with ``-d``, that of the EVALs.

        Raises OptionError if ``--sort`` names no metric of the run, or if there are not two systems
        for ``--letters``; and InputError if two of these have no EVAL in common.
        """
        results, comparison = self.results, self.comparison
        options, reports = results.options, results.options.reports
        systems, ranked, label = sorted_systems(results), ranked_by(results), reports.label or ""
        if comparison is None and reports.letters:
            comparison = compared(results)
        table = _system_table(systems, ranked, results, comparison)
        section = Section("rouge", (table,), caption=_caption(systems, options), label=label)
        sections = [replace(section, own_caption=reports.caption or "")]
        if reports.per_eval:
            table, contents = _eval_table(systems, results)
            caption = f"{contents}{_scale(systems, options)}.{_bars(options)}"
            evals_label = f"{label}-evals" if label else ""
            sections.append(Section("rouge-evals", (table,), caption=caption, label=evals_label))
        if self.bounds:
            sections.append(_bound_section(self.bounds, options))
        headline = ""
        if self.checks:
            # Imported only if needed, since it brings in the comparison of systems.
            from rouge_cli.studies.score.thresholds import change_sections, verdict_sentences

            headline = verdict_sentences(self.checks)
            sections += change_sections(self.checks, label)
        notes = (*_notes(ranked, comparison, results), *self.texts)
        return Document(tuple(sections), notes, signatures=(signature(options),), headline=headline)

    def outcomes(self) -> tuple[Check, ...]:
        return self.checks

    def figures(self) -> tuple[Figure, ...]:
        order = [system.id for system in sorted_systems(self.results)]
        columns = shown_columns(self.results)
        return (
            forest_figure(self.results, order, columns),
            distribution_figure(self.results, order, columns),
        )


def interval_notes(results: Results) -> tuple[Note, ...]:
    """Return a note on why the intervals of a table may be too narrow, if there is a reason."""
    doubt = interval_doubt(results.table, results.systems)
    if not doubt or not results.options.reports.intervals:
        return ()
    return (Note.of(f"{doubt[0].upper()}{doubt[1:]}."),)


def sorted_systems(results: Results) -> list[SystemScores]:
    """Return the systems, best first; systems with equal scores keep the order of the results.

    Systems are ranked by their means over the EVALs that all of them have or, if there are none, by
    their means over their own EVALs.
    """
    column = sort_column(results)
    ranked = ranked_by(results) or results.systems
    return sorted(
        results.systems.values(),
        key=lambda system: average(measure_in(ranked[system.id], column)),
        reverse=not column.is_lower_better,
    )


def all_eval_ids(systems: Iterable[SystemEvals]) -> list[str]:
    """Return the EVALs of all systems, each once, in the order of their first occurrence."""
    return list(dict.fromkeys(eval_id for system in systems for eval_id in system.eval_ids))


def ranked_by(results: Results) -> Mapping[str, SystemScores]:
    """Return the scores by which systems are ranked; empty if they have no EVAL in common."""
    return ranking_scores(results.table, results.systems, results.options.scores)


def sort_column(results: Results) -> ScoreColumn:
    """Return the column by which systems are sorted; raises OptionError for an unknown metric."""
    options = results.options.reports
    return column_of(*sort_key(options.sort, results.table.metrics, options.shown_measures))


def shown_columns(results: Results) -> tuple[ScoreColumn, ...]:
    """Return the columns of scores that tables show."""
    return columns_of(results.table, results.options.reports.shown_measures)


def compared(results: Results, systems: Sequence[str] = ()) -> "ComparisonResult":
    """Compare systems, by default all of them, with the default options of the command `compare`.

    Raises OptionError or InputError if they cannot be compared.
    """
    from rouge_cli.studies.compare import ComparisonOptions, test_plan
    from rouge_cli.studies.compare.comparison import compare
    from rouge_cli.studies.study import check_systems

    systems = check_systems(tuple(results.systems), systems, needs="--letters needs")
    asked = ComparisonOptions(measures=results.options.reports.shown_measures)
    return compare(results, systems, test_plan(asked, results.options.scores))


def _notes(
    ranked: Mapping[str, SystemScores], comparison: "ComparisonResult | None", results: Results
) -> Iterator[Note]:
    if not ranked:
        yield Note.of("No system is marked as best: no text is in all systems.")
    elif ranked is not results.systems:
        n_evals = counted(len(next(iter(ranked.values())).eval_ids), "text")
        yield Note.of(
            f"Some systems lack texts that others have. The best is chosen by the means over the "
            f"{n_evals} that all have; the scores are over all texts of each system."
        )
    if comparison is not None:
        plan = comparison.plan
        yield Note.of(
            "Systems that share a letter cannot be told apart: approximate randomisation with "
            f"{plan.resamples} resamples, seed {plan.seed}, at {float(plan.level):g} after Holm's "
            f"correction over {counted(len(comparison.pairs), 'comparison')}."
        )
        for warning in comparison.warnings:
            if warning not in results.warnings:
                yield Note.of(f"{warning[0].upper()}{warning[1:]}.")
    if lower := [metric.name for metric in results.table.metrics if metric.is_lower_better]:
        yield lower_note(lower)
    yield from interval_notes(results)
    yield from _length_note(results)


def _length_note(results: Results) -> Iterator[Note]:
    of_systems = {system: length_ratio(table) for system, table in results.table.systems.items()}
    ratios = {system: ratio for system, ratio in of_systems.items() if ratio is not None}
    if not ratios:
        return
    short, long = (end(ratios, key=ratios.__getitem__) for end in (min, max))
    are_apart = ratios[long] > LENGTHS_APART * ratios[short]
    texts = {system: f"{escape_unprintable(system)} {ratios[system]:.2f}" for system in ratios}
    listing = ", ".join(texts.values())
    if len(listing) > LENGTHS_LISTED:
        ends = {short: None, long: None}
        listing = " to ".join(texts[end] if are_apart else f"{ratios[end]:.2f}" for end in ends)
    warning = " Longer predictions have more recall." if are_apart else ""
    yield Note.of(f"Prediction length / reference length: {listing}.{warning}")


def _bound_section(bounds: Sequence[Noninferiority], options: Options) -> Section:
    values = ("n_evals", "difference", "lower_bound", "is_met")
    table = table_of(bounds, Noninferiority, "system", *values)
    # The label of a column joins two values: the metric and its measure.
    labels = [Cell(column_label(bound.column)) for bound in bounds]
    rows = ((row[0], label, *row[1:]) for row, label in zip(table.rows, labels, strict=True))
    columns = (table.columns[0], Column("Metric", "l", Role.NAME), *table.columns[1:])
    caption = (
        "Differences from the baseline, text by text, above 0 where this run is better, with lower "
        f"bounds, one-sided at {options.scores.confidence.text}%, minus the possible cost of "
        "failures too rare to appear in N texts. "
        f"Not worse: the bound is above {-bounds[0].margin:g}."
    )
    label = f"{options.reports.label}-baseline" if options.reports.label else ""
    return Section("rouge-baseline", (Table(columns, tuple(rows)),), caption=caption, label=label)


def _system_table(
    systems: Sequence[SystemScores],
    ranked: Mapping[str, SystemScores],
    results: Results,
    comparison: "ComparisonResult | None",
) -> Table:
    """Return the table of the systems, in which the best by the scores in `ranked` is marked."""
    # If all systems have the same number of EVALs, it can be said once for the whole column.
    sizes = {len(system.eval_ids) for system in systems}
    common = eval_count(list(sizes)) if len(sizes) == 1 else ""
    heads = [Column("System", "l", Role.NAME), Column("N", role=Role.LABEL, common=common)]
    columns: list[Iterable[Cell]] = [
        [Cell(escape_unprintable(system.id)) for system in systems],
        [Cell(str(len(system.eval_ids))) for system in systems],
    ]
    letters = {
        (ranking.column.metric, ranking.column.letter): ranking.letters()
        for ranking in (comparison.rankings if comparison else ())
    }
    for column in shown_columns(results):
        groups = letters.get((column.metric, column.letter), {})
        heads.append(Column(column_label(column)))
        columns.append(_system_cells(systems, column, ranked, groups, results.options))
    return Table(tuple(heads), tuple(zip(*columns, strict=True)))


def _system_cells(
    systems: Sequence[SystemScores],
    column: ScoreColumn,
    ranked: Mapping[str, SystemScores],
    groups: Mapping[str, tuple[str, ...]],
    options: Options,
) -> Iterator[Cell]:
    """Yield the cells of a column, with a mark on the best; all with its digits are marked."""

    def digits(score: float) -> str:
        return _digits(score, MEAN_DECIMALS, column, options)

    # The best is found by digits, not by scores: of two scores that look equal, both are marked.
    ranks = {name: digits(average(measure_in(ranked[name], column))) for name in ranked}
    extreme = min if column.is_lower_better else max
    best = extreme(ranks.values(), key=Decimal) if len(ranks) > 1 else None
    highest = max(average(measure_in(system, column)) for system in systems)
    for system in systems:
        measure = measure_in(system, column)
        mean, bounds = average(measure), None
        if measure.interval is not None and options.reports.intervals:
            lower, upper = map(digits, measure.interval)
            bounds = lower, upper
        mark: Mark = BEST if best is not None and ranks[system.id] == best else ""
        bar = _bar(mean, highest, options)
        yield Cell(digits(mean), bounds, mark, groups.get(system.id, ()), bar)


def _digits(
    score: float, decimals: int, column: ScoreColumn, options: Options, sign: str = "-"
) -> str:
    """Write a score with this many decimals; in percent, it keeps all its digits."""
    # For percent the point is moved in the text, since a multiplication could change digits.
    text = f"{score:{sign}.{decimals}f}"
    if float(text) == 0:
        text = text.lstrip("+")
    is_percent = factor_of(column, percent=options.reports.percent) > 1
    return f"{Decimal(text).scaleb(2):{sign}f}" if is_percent else text


def _bar(score: float, most: float, options: Options) -> float | None:
    """Return the length of a bar, from 0 to 1; a full bar is a score of `most`."""
    if not options.reports.bars:
        return None
    return min(max(score / most, 0.0), 1.0) if most > 0 else 0.0


def _caption(systems: Sequence[SystemScores], options: Options) -> str:
    is_pooled = options.scores.counting in {POOLED_COUNTS, RAW_COUNTS}
    evals = eval_count([len(system.eval_ids) for system in systems])
    means = f"scores of counts pooled over {evals}" if is_pooled else f"means over {evals}"
    scale = _scale(systems, options)
    if options.scores.resamples == 0 or options.scores.counting == RAW_COUNTS:
        return f"{means[0].upper()}{means[1:]}{scale}.{_bars(options)}"
    means = f"Bootstrap means of {means}" if is_pooled else f"Bootstrap {means}"
    level = f"with {options.scores.confidence.text}% confidence intervals "
    return (
        f"{means}{scale}, {level if options.reports.intervals else ''}from "
        f"{options.scores.resamples} resamples.{_bars(options)}"
    )


def _bars(options: Options) -> str:
    return " Bars go from 0 to the highest score of their column." if options.reports.bars else ""


def _scale(systems: Sequence[SystemScores], options: Options) -> str:
    if not options.reports.percent:
        return ""
    others = [
        name for name, scores in systems[0].metrics.items() if SINGLE_MEASURE in scores.measures
    ]
    return ", times 100" + (f" (but for {', '.join(others)})" if others else "")


def _eval_table(systems: Sequence[SystemScores], results: Results) -> tuple[Table, str]:
    """Return the table of the EVALs, and a caption without its full stop.

    Raises OptionError if the system of ``--against`` is not scored.
    """
    rows = _rows(systems, results)
    listed = [
        (*rows[eval_id, system.id], *more) for system, eval_id, more in _listed(systems, results)
    ]
    labels = (Column("Text", "l", Role.NAME), Column("System", "l", Role.NAME))
    columns = (*labels, *(Column(column_label(shown)) for shown in shown_columns(results)))
    options, caption = results.options, "Scores of each text"
    if _is_ordered(options):
        column, other = sort_column(results), _baseline_system(systems, options)
        if other is not None:
            heading = f"{escape_unprintable(other.id)} {column_label(column)}"
            columns += (Column(heading), Column("Difference", is_signed=True))
        caption = _eval_caption(options, column, other)
    return Table(columns, tuple(listed), is_long=True), caption


def _listed(
    systems: Sequence[SystemScores], results: Results
) -> Iterator[tuple[SystemScores, str, Cells]]:
    """Yield the systems and EVALs of the table, with the cells that ``--against`` adds.

    By default the table has all EVALs in the order of the input, each with its systems in the order
    of their own table. If options sort or choose EVALs by a score, it goes system by system.
    """
    options = results.options
    if not _is_ordered(options):
        known = [(system, frozenset(system.eval_ids)) for system in systems]
        for eval_id in all_eval_ids(systems):
            yield from ((system, eval_id, ()) for system, evals in known if eval_id in evals)
        return
    column, other = sort_column(results), _baseline_system(systems, options)
    best, worst = options.reports.best, options.reports.worst
    order = EvalOrder(column.metric, column.letter, best, worst, column.is_lower_better)
    for system in systems:
        for ranked in order.chosen(system, other) if system is not other else ():
            more: list[Cell] = []
            if ranked.other is not None:
                lead = ranked.score - ranked.other
                for score, sign in ((ranked.other, "-"), (lead, "+")):
                    more.append(Cell(_digits(score, EVAL_DECIMALS, column, options, sign)))
            yield system, ranked.id, tuple(more)


def _is_ordered(options: Options) -> bool:
    reports = options.reports
    by_score = (reports.sort, reports.best, reports.worst, reports.against)
    return any(option is not None for option in by_score)


def _rows(systems: Sequence[SystemScores], results: Results) -> dict[tuple[str, str], Cells]:
    columns, options = shown_columns(results), results.options
    # The bars of all systems have a common scale, or they could not be compared.
    most = [
        max(float(measure_in(system, column).per_eval.max(initial=0.0)) for system in systems)
        for column in columns
    ]
    rows: dict[tuple[str, str], Cells] = {}
    for system in systems:
        cells = [list(map(Cell, map(escape_unprintable, system.eval_ids)))]
        cells.append([Cell(escape_unprintable(system.id))] * len(system.eval_ids))
        for column, highest in zip(columns, most, strict=True):
            scores = measure_in(system, column).per_eval.tolist()
            texts = (_digits(score, EVAL_DECIMALS, column, options) for score in scores)
            bars = (_bar(score, highest, options) for score in scores)
            cells.append([Cell(text, bar=bar) for text, bar in zip(texts, bars, strict=True)])
        for eval_id, row in zip(system.eval_ids, zip(*cells, strict=True), strict=True):
            rows[eval_id, system.id] = row
    return rows


def _baseline_system(systems: Sequence[SystemScores], options: Options) -> SystemScores | None:
    against = options.reports.against
    if against is None:
        return None
    other = next((system for system in systems if system.id == against), None)
    if other is None or len(systems) == 1:
        known = ", ".join(escaped(system.id) for system in systems)
        raise OptionError(
            f"--against: found {against!r}, expected one of several systems that are scored; "
            f"scored are: {known} (-a scores all)"
        )
    return other


def _eval_caption(options: Options, column: ScoreColumn, other: SystemScores | None) -> str:
    best, worst = options.reports.best, options.reports.worst
    ends = [
        name if number == 1 else f"{number} {name}"
        for number, name in ((best, "best"), (worst, "worst"))
        if number
    ]
    by = column_label(column)
    if other is not None:
        by = f"the difference in {by} from {escape_unprintable(other.id)}"
    if not ends:
        return f"Scores of each text, the best by {by} first"
    evals = "text" if {best, worst} <= {1, None} and len(ends) == 1 else "texts"
    return f"Scores of the {' and the '.join(ends)} {evals} of each system, by {by}"


def eval_texts(source: "Input", results: Results) -> Iterator[Note]:
    """Yield notes with the texts of the EVALs that the table shows, in its order.

    Raises InputError if a text can no longer be read.
    """
    from rouge_cli.text.columns import decoded

    systems, wanted = sorted_systems(results), dict[str, list[str]]()
    for system, eval_id, _ in _listed(systems, results):
        wanted.setdefault(eval_id, []).append(system.id)
    other = _baseline_system(systems, results.options)
    against = () if other is None else (other.id,)
    evals = {texts.id: texts for texts in source.evals(wanted)}
    for eval_id, chosen in wanted.items():
        texts, names = evals[eval_id], [*chosen, *against]
        # A human who is scored as a system appears among the references.
        shown = [(f"prediction {name}", texts.peers[name]) for name in names if name in texts.peers]
        shown += zip((f"reference {name}" for name in texts.humans), texts.models, strict=True)
        for label, text in shown:
            sentences = filter(None, decoded(text.content).split("\n"))
            content = " ".join(map(escape_unprintable, sentences))
            place = f"{escape_unprintable(eval_id)}, {escape_unprintable(label)}"
            yield Note.of(f"Text {place}: {content}")


def single_score(wanted: NamedScore, results: Results) -> list[str]:
    """Return the line of ``--score-only``: an average score with 5 decimals.

    Raises OptionError if the metric was not computed, if the system is unknown, or if no system is
    named although there are several.
    """
    known, first = ", ".join(results.systems), next(iter(results.systems))
    if wanted.system is not None and wanted.system not in results.systems:
        raise OptionError(
            f"--score-only: no system {wanted.system!r} in this run; the systems are: {known}"
        )
    if wanted.system is None and len(results.systems) > 1:
        raise OptionError(
            f"--score-only: there are several systems, {known}; name one: "
            f"{first}:{wanted.metric}:{wanted.measure}"
        )
    system = results.systems[wanted.system or first]
    name = score_key(wanted, {name: scores.measures for name, scores in system.metrics.items()})
    return [f"{average(system[name].measures[wanted.measure]):.5f}\n"]


# Figures.

MOST_ROWS = 40  # systems in the first figure
MOST_HISTOGRAMS = 8  # systems whose distributions are drawn


def forest_figure(
    results: Results, systems: Sequence[str], columns: Sequence[ScoreColumn]
) -> Figure:
    """Return a figure of the systems with their intervals; it has a panel for each column.

    `systems` are in the order of the rows, the best first.
    """
    from rouge_cli.reports.charts import Estimate, interval_panel

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
    from rouge_cli.reports.charts import bin_edges, histogram_panel

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


def _of(systems: Sequence[str], most: int) -> str:
    return f" (the best {most} of {len(systems)})" if len(systems) > most else ""
