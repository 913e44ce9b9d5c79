"""The scores of a run as tables: systems in rows, a metric and measure in a column.

With ``-d`` there is a second table with a row for each EVAL and system.
"""

from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar

from rouge_cli.escapes import escape_unprintable
from rouge_cli.options.every import Options
from rouge_cli.options.requirements import SINGLE_MEASURE
from rouge_cli.options.scores import POOLED_COUNTS, RAW_COUNTS
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import Row
from rouge_cli.reports import table as model
from rouge_cli.reports.figure import Figure
from rouge_cli.reports.table import BEST, Cell, Document, Note, Role, Section, Table
from rouge_cli.reports.views.score_cells import (
    bar_of,
    letters_of,
    measures_of,
    score_columns,
    score_digits,
)
from rouge_cli.reports.views.score_data import score_dict, score_rows
from rouge_cli.reports.views.wording import counted, lower_note
from rouge_cli.scoring.averages import average
from rouge_cli.scoring.eval_order import sort_key
from rouge_cli.scoring.results import Measure, Results, SystemScores
from rouge_cli.scoring.run_metrics import run_metrics
from rouge_cli.scoring.signature import signature
from rouge_cli.statistics.score_columns import Column, column_of, columns_of

if TYPE_CHECKING:
    from rouge_cli.statistics.comparison_records import Comparison

__all__ = ["ScoreView", "check_sort", "compared", "shown_columns", "sort_column", "sorted_systems"]

MEAN_DECIMALS = 4


@dataclass(frozen=True, slots=True)
class ScoreView:
    """The scores of a run.

    Parameters
    ----------
    comparison : Comparison or None
        Where the systems are compared already; ``--letters`` compares them itself otherwise.
    texts : tuple of Note
        The texts of the EVALs in the table, if they are to be shown.
    """

    kind: ClassVar[str] = "scores"
    results: Results
    comparison: "Comparison | None" = None
    texts: tuple[Note, ...] = ()

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
        lower = [one.name for one in self.results.table.metrics if one.is_lower_better]
        comparison = self.comparison
        if comparison is None and options.reports.letters:
            comparison = compared(self.results)
        table, reports = _system_table(systems, lower, options, comparison), options.reports
        caption, own, label = _caption(systems, options), reports.caption, reports.label
        sections = [
            Section("rouge", (table,), caption=caption, own_caption=own or "", label=label or "")
        ]
        if reports.per_eval:
            from rouge_cli.reports.views.eval_scores import eval_table

            table, what = eval_table(systems, options, sort_column(self.results))
            caption = f"{what}{_scale(systems, options)}.{_bars(options)}"
            label = f"{label}-evals" if label else ""
            sections.append(Section("rouge-evals", (table,), caption=caption, label=label))
        notes = tuple(_letter_notes(comparison, self.results)) if comparison else ()
        notes += (lower_note(lower),) if lower else ()
        return Document(tuple(sections), (*notes, *self.texts), signatures=(signature(options),))

    def rows(self) -> Iterator[Row]:
        """Yield a row for each system, metric and measure, and for each EVAL with ``-d``."""
        return score_rows(self.results)

    def data(self) -> dict[str, Any]:
        """Return the JSON report, as docs/report.schema.json describes it."""
        return score_dict(self.results)

    def figures(self) -> tuple[Figure, ...]:
        """Return the systems with their intervals, and how the scores of EVALs are spread."""
        from rouge_cli.reports.views.score_figures import distribution_figure, forest_figure

        order = [system.id for system in sorted_systems(self.results)]
        columns = shown_columns(self.results)
        return (
            forest_figure(self.results, order, columns),
            distribution_figure(self.results, order, columns),
        )


def check_sort(options: Options) -> None:
    """Refuse a ``--sort`` that names no metric of the run; raises OptionError."""
    sort_key(options.reports.sort, run_metrics(options), letters_of(options))


def sorted_systems(results: Results) -> list[SystemScores]:
    """Return the systems, best first; equal ones in the order of the results."""
    column = sort_column(results)

    def score(system: SystemScores) -> float:
        return average(system.metrics[column.metric].measures[column.letter])

    is_highest_first = not column.is_lower_better
    return sorted(results.systems.values(), key=score, reverse=is_highest_first)


def sort_column(results: Results) -> Column:
    """Return the column that the systems are sorted by; raises OptionError."""
    return column_of(
        *sort_key(results.options.reports.sort, results.table.metrics, letters_of(results.options))
    )


def shown_columns(results: Results) -> tuple[Column, ...]:
    """Return the columns of scores that a table shows."""
    return columns_of(results.table, letters_of(results.options))


def compared(results: Results) -> "Comparison":
    """Compare the systems as the command compare does without options of its own.

    Raises
    ------
    OptionError, InputError
        If they cannot be compared.
    """
    from rouge_cli.options.studies import ComparisonOptions
    from rouge_cli.statistics.comparison import check_systems, compare
    from rouge_cli.statistics.comparison_records import TestPlan

    systems = check_systems(tuple(results.systems), (), needs="--letters needs")
    own = ComparisonOptions(measures=results.options.reports.measures or "F")
    return compare(results, systems, TestPlan.of(own, results.options.scores))


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


def _system_table(
    systems: Sequence[SystemScores],
    lower: Collection[str],
    options: Options,
    comparison: "Comparison | None",
) -> Table:
    """Make the table of the systems; the best of several is marked."""
    rankings = comparison.rankings if comparison else ()
    letters = {(one.column.metric, one.column.letter): one.letters() for one in rankings}
    labels = (model.Column("System", "l", Role.NAME), model.Column("N", role=Role.LABEL))
    cells = []
    for measures in zip(*(measures_of(system, options) for system in systems), strict=True):
        groups = letters.get(measures[0][:2], {})
        cells.append(
            _system_cells(
                measures,
                [groups.get(system.id, ()) for system in systems],
                options,
                is_lower_better=measures[0][0] in lower,
            )
        )
    rows = tuple(
        (Cell(escape_unprintable(system.id)), Cell(str(len(system.eval_ids))), *scores)
        for system, scores in zip(systems, zip(*cells, strict=True), strict=True)
    )
    return Table((*labels, *score_columns(systems[0], options)), rows)


def _system_cells(
    measures: Sequence[tuple[str, str, Measure]],
    groups: Sequence[tuple[str, ...]],
    options: Options,
    *,
    is_lower_better: bool,
) -> list[Cell]:
    """Make the cells of a column; scores that show the same digits are equally good."""
    letter = measures[0][1]
    averages = [average(one) for _, _, one in measures]
    scores = [score_digits(one, MEAN_DECIMALS, letter, options) for one in averages]
    extreme = min if is_lower_better else max
    best = extreme(scores, key=Decimal) if len(scores) > 1 else None
    return [
        Cell(
            score,
            _bounds(measure, letter, options),
            BEST if score == best else "",
            of_groups,
            bar_of(value, max(averages), options),
        )
        for score, value, (_, _, measure), of_groups in zip(
            scores, averages, measures, groups, strict=True
        )
    ]


def _bounds(measure: Measure, letter: str, options: Options) -> tuple[str, str] | None:
    """Return the bounds as shown."""
    if measure.interval is None or not options.reports.intervals:
        return None
    lower, upper = (score_digits(one, MEAN_DECIMALS, letter, options) for one in measure.interval)
    return lower, upper


def _caption(systems: Sequence[SystemScores], options: Options) -> str:
    """Say what the scores of the systems are."""
    is_pooled = options.scores.counting in {POOLED_COUNTS, RAW_COUNTS}
    evals = _eval_count([len(system.eval_ids) for system in systems])
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
    others = [name for name, one in systems[0].metrics.items() if SINGLE_MEASURE in one.measures]
    return ", times 100" + (f" (but for {', '.join(others)})" if others else "")


def _eval_count(sizes: Sequence[int]) -> str:
    """Say how many EVALs there are."""
    fewest, most = min(sizes), max(sizes)
    return f"{fewest} to {most} EVALs" if fewest < most else counted(most, "EVAL")
