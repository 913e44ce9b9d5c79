"""The scores of a run: a row for each system, with ``-d`` one for each EVAL, or one number."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, ClassVar

from rouge_cli.errors import OptionError
from rouge_cli.escapes import escape_unprintable, escaped
from rouge_cli.options.options import Options
from rouge_cli.options.scores import (
    POOLED_COUNTS,
    RAW_COUNTS,
    SINGLE_MEASURE,
    NamedScore,
)
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import Row, View
from rouge_cli.reports.document import (
    BEST,
    Cell,
    Check,
    Document,
    Figure,
    Mark,
    Note,
    Role,
    Section,
    Table,
)
from rouge_cli.reports.document import Column as TableColumn
from rouge_cli.reports.fields import Record, Value
from rouge_cli.reports.wording import (
    bar_of,
    column_label,
    counted,
    eval_count,
    lower_note,
    measures_of,
    score_columns,
    score_digits,
)
from rouge_cli.scores.results import (
    EvalOrder,
    Measure,
    RankedEval,
    Results,
    SystemScores,
    average,
    score_key,
    sort_key,
)
from rouge_cli.scores.signature import signature
from rouge_cli.scores.summaries import interval_doubt, ranking_scores
from rouge_cli.studies.score.rows import COLUMNS, SCORES, eval_rows, score_records
from rouge_cli.studies.score_columns import Column, column_of, columns_of

if TYPE_CHECKING:
    from rouge_cli.inputs.corpus import Corpus
    from rouge_cli.inputs.evaluation import Evaluation
    from rouge_cli.studies.compare.results import Comparison
    from rouge_cli.studies.noninferiority import Noninferiority


MEAN_DECIMALS, EVAL_DECIMALS = 4, 5

Cells = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class ScoreView(View):
    """The scores of a run.

    Parameters
    ----------
    comparison : Comparison or None
        Where the systems are compared already; ``--letters`` compares them itself otherwise.
    texts : tuple of Note
        The texts of the EVALs in the table, if they are to be shown.
    bounds : tuple of Noninferiority
        How far the systems may be below a baseline.
    checks : tuple of Check
        Of ``--require`` and ``--baseline``.
    """

    kind: ClassVar[str] = "scores"
    fields: ClassVar[Record] = SCORES
    columns: ClassVar[tuple[str, ...]] = COLUMNS
    results: Results
    comparison: "Comparison | None" = None
    texts: tuple[Note, ...] = ()
    bounds: "tuple[Noninferiority, ...]" = ()
    checks: tuple[Check, ...] = ()

    def document(self) -> Document:
        """Return the table of the systems and, with ``-d``, that of the EVALs.

        Raises
        ------
        OptionError
            If ``--sort`` names no metric of the run, or ``--letters`` has no two systems.
        InputError
            If two systems to be compared have no EVAL in common.
        """
        systems, options = sorted_systems(self.results), self.results.options
        lower = [metric.name for metric in self.results.table.metrics if metric.is_lower_better]
        comparison = self.comparison
        if comparison is None and options.reports.letters:
            comparison = compared(self.results)
        ranked = ranked_by(self.results)
        table, reports = (
            _system_table(systems, ranked, lower, options, comparison),
            options.reports,
        )
        caption, label = _caption(systems, options), reports.label or ""
        sections = [
            Section(
                "rouge", (table,), caption=caption, own_caption=reports.caption or "", label=label
            )
        ]
        if reports.per_eval:
            table, what = eval_table(systems, options, sort_column(self.results))
            caption = f"{what}{_scale(systems, options)}.{_bars(options)}"
            label = f"{label}-evals" if label else ""
            sections.append(Section("rouge-evals", (table,), caption=caption, label=label))
        if self.bounds:
            sections.append(_bound_section(self.bounds, options, reports.label or ""))
        notes = tuple(_rank_notes(ranked, self.results))
        notes += tuple(_letter_notes(comparison, self.results)) if comparison else ()
        notes += (lower_note(lower),) if lower else ()
        notes += interval_notes(self.results)
        return Document(tuple(sections), (*notes, *self.texts), signatures=(signature(options),))

    def records(self) -> Iterator[dict[str, Value]]:
        """Yield the values of a row for each system, metric and measure."""
        of_run = SCORES.cells(self, COLUMNS)
        return (values | of_run for values in score_records(self.results))

    def rows(self) -> Iterator[Row]:
        """Yield the rows over all EVALs and, with ``-d``, those of each EVAL."""
        yield from View.rows(self)
        if self.results.options.reports.per_eval:
            yield from eval_rows(self.results)

    def outcomes(self) -> tuple[Check, ...]:
        """Return which requirements the scores were held against."""
        return self.checks

    def figures(self) -> tuple[Figure, ...]:
        """Return the systems with their intervals, and how the scores of EVALs are spread."""
        from rouge_cli.studies.score.figures import distribution_figure, forest_figure

        order = [system.id for system in sorted_systems(self.results)]
        columns = shown_columns(self.results)
        return (
            forest_figure(self.results, order, columns),
            distribution_figure(self.results, order, columns),
        )


def interval_notes(results: Results) -> tuple[Note, ...]:
    """Return a note on why the intervals of a table are too narrow, if they are."""
    doubt = interval_doubt(results.table, results.systems)
    if not doubt or not results.options.reports.intervals:
        return ()
    return (Note.of(f"{doubt[0].upper()}{doubt[1:]}."),)


def sorted_systems(results: Results) -> list[SystemScores]:
    """Return the systems, best first; equal ones in the order of the results.

    Each goes by its own EVALs only if no EVAL is in all systems.
    """
    column = sort_column(results)
    ranked = ranked_by(results) or results.systems

    def score(system: SystemScores) -> float:
        return average(ranked[system.id].metrics[column.metric].measures[column.letter])

    is_highest_first = not column.is_lower_better
    return sorted(results.systems.values(), key=score, reverse=is_highest_first)


def ranked_by(results: Results) -> Mapping[str, SystemScores]:
    """Return the scores that systems are ranked by, as `ranking_scores` does."""
    return ranking_scores(results.table, results.systems, results.options.scores)


def _rank_notes(ranked: Mapping[str, SystemScores], results: Results) -> Iterator[Note]:
    """Yield what the systems are ranked by, if some lack EVALs."""
    if not ranked:
        yield Note.of("No system is marked as best: no EVAL is in all systems.")
    elif ranked is not results.systems:
        n_evals = counted(len(next(iter(ranked.values())).eval_ids), "EVAL")
        yield Note.of(
            f"Systems lack EVALs that others have. Which is best goes by the means over the "
            f"{n_evals} that all have; the scores are over all EVALs of each system."
        )


def sort_column(results: Results) -> Column:
    """Return the column that the systems are sorted by; raises OptionError."""
    options = results.options.reports
    return column_of(*sort_key(options.sort, results.table.metrics, options.shown_measures))


def shown_columns(results: Results) -> tuple[Column, ...]:
    """Return the columns of scores that a table shows."""
    return columns_of(results.table, results.options.reports.shown_measures)


def compared(results: Results) -> "Comparison":
    """Compare the systems as the command compare does without options of its own.

    Raises OptionError or InputError if they cannot be compared.
    """
    from rouge_cli.studies.compare import ComparisonOptions, test_plan
    from rouge_cli.studies.compare.comparison import compare
    from rouge_cli.studies.study import check_systems

    systems = check_systems(tuple(results.systems), (), needs="--letters needs")
    asked = ComparisonOptions(measures=results.options.reports.shown_measures)
    return compare(results, systems, test_plan(asked, results.options.scores))


def _letter_notes(comparison: "Comparison", results: Results) -> Iterator[Note]:
    """Yield what the letters mean, and what stands in their way."""
    plan = comparison.plan
    yield Note.of(
        "Systems that share a letter cannot be told apart: approximate randomisation with "
        f"{plan.resamples} resamples, seed {plan.seed}, at {float(plan.level):g} after Holm's "
        f"correction over {counted(len(comparison.pairs), 'comparison')}."
    )
    for warning in comparison.warnings:
        if warning not in results.warnings:
            yield Note.of(f"{warning[0].upper()}{warning[1:]}.")


def _bound_section(bounds: "Sequence[Noninferiority]", options: Options, label: str) -> Section:
    """Make the table of what ``--not-worse-than`` compares."""
    columns = (
        TableColumn("System", "l", Role.NAME),
        TableColumn("Metric", "l", Role.NAME),
        TableColumn("N", role=Role.LABEL),
        TableColumn("Difference", is_signed=True),
        TableColumn("Lower bound", is_signed=True),
        TableColumn("Not worse", "l", Role.LABEL),
    )
    rows = tuple(
        (
            Cell(escape_unprintable(bound.system)),
            Cell(column_label(bound.column)),
            Cell(str(bound.n_evals)),
            Cell(f"{bound.difference:.{EVAL_DECIMALS}f}"),
            Cell("-" if bound.lower_bound is None else f"{bound.lower_bound:.{EVAL_DECIMALS}f}"),
            Cell("yes" if bound.is_met else "not shown"),
        )
        for bound in bounds
    )
    caption = (
        "Differences from the baseline, EVAL by EVAL, above 0 where this run is better, with lower "
        f"bounds, one-sided at {options.scores.confidence.text}%, less what failures could cost "
        f"that N EVALs may not show. Not worse: the bound is above {-bounds[0].margin:g}."
    )
    label = f"{label}-baseline" if label else ""
    return Section("rouge-baseline", (Table(columns, rows),), caption=caption, label=label)


def _system_table(
    systems: Sequence[SystemScores],
    ranked: Mapping[str, SystemScores],
    lower: Collection[str],
    options: Options,
    comparison: "Comparison | None",
) -> Table:
    """Make the table of the systems; the best of several by what they are ranked by is marked."""
    rankings = comparison.rankings if comparison else ()
    letters = {
        (ranking.column.metric, ranking.column.letter): ranking.letters() for ranking in rankings
    }
    labels = (TableColumn("System", "l", Role.NAME), TableColumn("N", role=Role.LABEL))
    cells = []
    for measures in zip(*(measures_of(system, options) for system in systems), strict=True):
        metric, letter, _ = measures[0]
        groups = letters.get((metric, letter), {})
        ranks = [ranked[system.id].metrics[metric].measures[letter] for system in systems if ranked]
        cells.append(
            _system_cells(
                measures,
                ranks,
                [groups.get(system.id, ()) for system in systems],
                options,
                is_lower_better=metric in lower,
            )
        )
    rows = tuple(
        (Cell(escape_unprintable(system.id)), Cell(str(len(system.eval_ids))), *scores)
        for system, scores in zip(systems, zip(*cells, strict=True), strict=True)
    )
    return Table((*labels, *score_columns(systems[0], options)), rows)


def _system_cells(
    measures: Sequence[tuple[str, str, Measure]],
    ranks: Sequence[Measure],
    groups: Sequence[tuple[str, ...]],
    options: Options,
    *,
    is_lower_better: bool,
) -> list[Cell]:
    """Make the cells of a column; `ranks` that show the same digits are equally good."""
    letter = measures[0][1]
    averages = [average(measure) for _, _, measure in measures]
    scores = [score_digits(mean, MEAN_DECIMALS, letter, options) for mean in averages]
    ranked = [score_digits(average(rank), MEAN_DECIMALS, letter, options) for rank in ranks]
    extreme = min if is_lower_better else max
    best = extreme(ranked, key=Decimal) if len(ranked) > 1 else None
    marks: list[Mark] = [BEST if rank == best else "" for rank in ranked] or [""] * len(scores)
    return [
        Cell(
            score,
            _bounds(measure, letter, options),
            mark,
            of_groups,
            bar_of(value, max(averages), options),
        )
        for score, value, (_, _, measure), mark, of_groups in zip(
            scores, averages, measures, marks, groups, strict=True
        )
    ]


def _bounds(measure: Measure, letter: str, options: Options) -> tuple[str, str] | None:
    """Return the bounds as shown."""
    if measure.interval is None or not options.reports.intervals:
        return None
    lower, upper = (
        score_digits(bound, MEAN_DECIMALS, letter, options) for bound in measure.interval
    )
    return lower, upper


def _caption(systems: Sequence[SystemScores], options: Options) -> str:
    """Say what the scores of the systems are."""
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
    """Say what bars show."""
    return " Bars go from 0 to the highest score of their column." if options.reports.bars else ""


def _scale(systems: Sequence[SystemScores], options: Options) -> str:
    """Say what the scores are multiplied by."""
    if not options.reports.percent:
        return ""
    others = [
        name for name, scores in systems[0].metrics.items() if SINGLE_MEASURE in scores.measures
    ]
    return ", times 100" + (f" (but for {', '.join(others)})" if others else "")


def eval_table(
    systems: Sequence[SystemScores], options: Options, column: Column
) -> tuple[Table, str]:
    """Make the table of the EVALs, and say what is in it, without a full stop.

    Systems are in the order of their table; `column` is the score that EVALs are ordered by, if
    they are. The table has all EVALs in the order of the input, systems in that of their table; or
    system by system those that are asked for.

    Raises OptionError if the system that the others are held against is not among them.
    """
    labels = (TableColumn("EVAL", "l", Role.NAME), TableColumn("System", "l", Role.NAME))
    columns = (*labels, *score_columns(systems[0], options))
    rows = _rows(systems, options)
    if not _is_ordered(options):
        eval_ids = dict.fromkeys(eval_id for system in systems for eval_id in system.eval_ids)
        in_order = [
            rows[eval_id, system.id]
            for eval_id in eval_ids
            for system in systems
            if (eval_id, system.id) in rows
        ]
        return Table(columns, tuple(in_order), is_long=True), "Scores of each EVAL"
    other = held_against(systems, options)
    chosen = [
        (*rows[ranked.id, system.id], *_difference(ranked, column, options))
        for system, ranked in _chosen(systems, options, column)
    ]
    if other is not None:
        name = escape_unprintable(other.id)
        label = column_label(column)
        columns += (TableColumn(f"{name} {label}"), TableColumn("Difference", is_signed=True))
    return Table(columns, tuple(chosen), is_long=True), _eval_caption(options, column, other)


def _is_ordered(options: Options) -> bool:
    """Say whether EVALs are ordered by a score, and perhaps not all of them are shown."""
    reports = options.reports
    return any(option is not None for option in (reports.sort, *_ends(options), reports.against))


def _ends(options: Options) -> tuple[int | None, int | None]:
    """Return how many of the best and of the worst EVALs are asked for."""
    return options.reports.best, options.reports.worst


def _rows(systems: Sequence[SystemScores], options: Options) -> dict[tuple[str, str], Cells]:
    """Make the row of each EVAL and system."""
    most = [
        max(float(measure.per_eval.max(initial=0.0)) for _, _, measure in measures)
        for measures in zip(*(measures_of(system, options) for system in systems), strict=True)
    ]
    rows: dict[tuple[str, str], Cells] = {}
    for system in systems:
        name = Cell(escape_unprintable(system.id))
        columns = [
            [
                Cell(
                    score_digits(score, EVAL_DECIMALS, letter, options),
                    bar=bar_of(score, most[place], options),
                )
                for score in measure.per_eval.tolist()
            ]
            for place, (_, letter, measure) in enumerate(measures_of(system, options))
        ]
        for eval_id, scores in zip(system.eval_ids, zip(*columns, strict=True), strict=True):
            rows[eval_id, system.id] = (Cell(escape_unprintable(eval_id)), name, *scores)
    return rows


def held_against(systems: Sequence[SystemScores], options: Options) -> SystemScores | None:
    """Return the system that the others are held against; raises OptionError."""
    against = options.reports.against
    if against is None:
        return None
    held = next((system for system in systems if system.id == against), None)
    if held is None or len(systems) == 1:
        known = ", ".join(escaped(system.id) for system in systems)
        raise OptionError(
            f"--against: found {against!r}, expected one of several systems that are scored; "
            f"scored are: {known} (-a scores all)"
        )
    return held


def _chosen(
    systems: Sequence[SystemScores], options: Options, column: Column
) -> Iterator[tuple[SystemScores, RankedEval]]:
    """Yield system by system the EVALs that are asked for."""
    other = held_against(systems, options)
    order = EvalOrder(column.metric, column.letter, *_ends(options), column.is_lower_better)
    for system in systems:
        if system is not other:
            yield from ((system, ranked) for ranked in order.chosen(system, other))


def _difference(ranked: RankedEval, column: Column, options: Options) -> Cells:
    """Return the other system's score and the difference from it, if there is one."""
    if ranked.other is None:
        return ()
    return (
        Cell(score_digits(ranked.other, EVAL_DECIMALS, column.letter, options)),
        Cell(score_digits(ranked.score - ranked.other, EVAL_DECIMALS, column.letter, options, "+")),
    )


def _eval_caption(options: Options, column: Column, other: SystemScores | None) -> str:
    """Say which EVALs are in the table, and in which order."""
    best, worst = _ends(options)
    ends = [
        name if number == 1 else f"{number} {name}"
        for number, name in ((best, "best"), (worst, "worst"))
        if number
    ]
    by = column_label(column)
    if other is not None:
        by = f"the difference in {by} from {escape_unprintable(other.id)}"
    if not ends:
        return f"Scores of each EVAL, the best by {by} first"
    evals = "EVAL" if {best, worst} <= {1, None} and len(ends) == 1 else "EVALs"
    return f"Scores of the {' and the '.join(ends)} {evals} of each system, by {by}"


def eval_texts(
    corpus: "Corpus", systems: Sequence[SystemScores], options: Options, column: Column
) -> tuple[Note, ...]:
    """Return the texts of the EVALs that the table shows, in its order.

    Raises InputError if a text cannot be read any more.
    """
    wanted: dict[str, list[str]] = {}
    other = held_against(systems, options)
    if _is_ordered(options):
        for system, ranked in _chosen(systems, options, column):
            wanted.setdefault(ranked.id, []).append(system.id)
    else:
        for system in systems:
            for eval_id in system.eval_ids:
                wanted.setdefault(eval_id, []).append(system.id)
    evaluations = {
        evaluation.id: evaluation for evaluation in corpus.evaluations() if evaluation.id in wanted
    }
    compared_with = () if other is None else (other.id,)
    return tuple(
        note
        for eval_id, of_eval in wanted.items()
        for note in _texts(evaluations[eval_id], (*of_eval, *compared_with), corpus.read_texts)
    )


def _texts(
    evaluation: "Evaluation",
    systems: Sequence[str],
    read: Callable[[str, Sequence[int]], list[bytes]],
) -> Iterator[Note]:
    """Yield the peers and models of an EVAL."""
    from rouge_cli.explanations.explained_evals import shown

    # A human that is scored as a system is shown among the models.
    present = [system for system in systems if system in evaluation.peers]
    labels = [f"peer {system}" for system in present]
    labels += [f"model {name}" for name in evaluation.humans]
    numbers = [*map(evaluation.peers.__getitem__, present), *evaluation.models]
    for label, content in zip(labels, read(evaluation.id, numbers), strict=True):
        sentences = filter(None, shown(content).split("\n"))
        text = " ".join(map(escape_unprintable, sentences))
        eval_id = escape_unprintable(evaluation.id)
        yield Note.of(f"EVAL {eval_id}, {escape_unprintable(label)}: {text}")


def single_score(wanted: NamedScore, results: Results) -> list[str]:
    """Return the average of a score as it is printed elsewhere, with 5 decimals.

    Raises OptionError if the metric is not computed, or the system is not known, or is one of
    several and not named.
    """
    system = _system(wanted, results)
    name = score_key(wanted, {name: scores.measures for name, scores in system.metrics.items()})
    return [f"{average(system[name].measures[wanted.measure]):.5f}\n"]


def _system(wanted: NamedScore, results: Results) -> SystemScores:
    """Return the system that is named, or the only one; raises OptionError."""
    known = ", ".join(results.systems)
    if wanted.system is not None:
        if wanted.system not in results.systems:
            raise OptionError(
                f"--score-only: no system {wanted.system!r} in this run; the systems are: {known}"
            )
        return results.systems[wanted.system]
    if len(results.systems) > 1:
        raise OptionError(
            f"--score-only: there are several systems, {known}; name one: "
            f"{next(iter(results.systems))}:{wanted.metric}:{wanted.measure}"
        )
    return next(iter(results.systems.values()))
