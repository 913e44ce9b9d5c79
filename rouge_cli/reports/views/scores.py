"""The scores of a run as tables: systems in rows, a metric and measure in a column.

With ``-d`` there is a second table with a row for each EVAL and system.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

from rouge_cli.errors import OptionError
from rouge_cli.escapes import escape_unprintable
from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.metrics.metric import scored_metrics
from rouge_cli.options.every import Options
from rouge_cli.options.requirements import SINGLE_MEASURE
from rouge_cli.options.scores import POOLED_COUNTS, RAW_COUNTS
from rouge_cli.options.studies import ComparisonOptions
from rouge_cli.reports import Row
from rouge_cli.reports.table import BEST, Cell, Column, Document, Note, Role, Section, Table
from rouge_cli.reports.views.score_data import score_dict, score_rows
from rouge_cli.reports.views.wording import counted, measure_label
from rouge_cli.scoring.averages import average
from rouge_cli.scoring.results import Measure, Results, SystemScores
from rouge_cli.scoring.signature import signature
from rouge_cli.statistics.comparison import check_systems, compare
from rouge_cli.statistics.comparison_records import Comparison, TestPlan

__all__ = ["ScoreView", "check_sort"]

MEAN_DECIMALS = 4
EVAL_DECIMALS = 5


@dataclass(frozen=True, slots=True)
class ScoreView:
    """The scores of a run."""

    kind: ClassVar[str] = "scores"
    results: Results

    def document(self) -> Document:
        """Return the table of the systems and, with ``-d``, that of the EVALs.

        Raises
        ------
        OptionError
            If ``--sort`` names no metric of the run, or ``--letters`` has no two systems.
        InputError
            If two systems to be compared have no EVAL in common.
        """
        systems, options = _sorted_systems(self.results), self.results.options
        comparison = _comparison(self.results) if options.reports.letters else None
        table, reports = _system_table(systems, options, comparison), options.reports
        caption, own, label = _caption(systems, options), reports.caption, reports.label
        sections = [
            Section("rouge", (table,), caption=caption, own_caption=own or "", label=label or "")
        ]
        if reports.per_eval:
            table = _eval_table(systems, options)
            caption = f"Scores of each EVAL{_scale(systems, options)}."
            label = f"{label}-evals" if label else ""
            sections.append(Section("rouge-evals", (table,), caption=caption, label=label))
        notes = tuple(_letter_notes(comparison, self.results)) if comparison else ()
        return Document(tuple(sections), notes, signatures=(signature(options),))

    def rows(self) -> Iterator[Row]:
        """Yield a row for each system, metric and measure, and for each EVAL with ``-d``."""
        return score_rows(self.results)

    def data(self) -> dict[str, Any]:
        """Return the JSON report, as docs/report.schema.json describes it."""
        return score_dict(self.results)


def check_sort(options: Options) -> None:
    """Refuse a ``--sort`` that names no metric of the run; raises OptionError."""
    _sort_key(options, scored_metrics(options.metrics))


def _sorted_systems(results: Results) -> list[SystemScores]:
    """Return the systems, best first; equal ones in the order of the results."""
    metric, letter = _sort_key(results.options, results.table.metrics)

    def score(system: SystemScores) -> float:
        return average(system.metrics[metric].measures[letter])

    return sorted(results.systems.values(), key=score, reverse=True)


def _sort_key(options: Options, metrics: Sequence[ScoredMetric]) -> tuple[str, str]:
    """Return the metric and the letter of ``--sort``, or those of the first column."""
    given = options.reports.sort
    if given is None:
        return metrics[0].name, _shown_letters(metrics[0].measures, options)[0]
    name, colon, letter = given.strip().partition(":")
    for metric in metrics:
        wanted = letter.upper() if colon else _shown_letters(metric.measures, options)[0]
        if metric.name.lower() == name.lower() and wanted in metric.measures:
            return metric.name, wanted
    names = ", ".join(metric.name for metric in metrics)
    *letters, last = dict.fromkeys(f":{one}" for metric in metrics for one in metric.measures)
    known = f"{', '.join(letters)} or {last}" if letters else last
    raise OptionError(
        f"--sort: found {given!r}, expected a metric of this run ({names}), alone or with {known}"
    )


def _shown_letters(measures: Sequence[str], options: Options) -> Sequence[str]:
    """Return which of a metric's measures are shown: those asked for, or all if it has none."""
    letters = options.reports.measures or "F"
    return [letter for letter in letters if letter in measures] or measures


def _measures(system: SystemScores, options: Options) -> Iterator[tuple[str, str, Measure]]:
    """Yield metric, letter and measure of each column."""
    for name, scores in system.metrics.items():
        for letter in _shown_letters(tuple(scores.measures), options):
            yield name, letter, scores.measures[letter]


def _columns(system: SystemScores, options: Options) -> tuple[Column, ...]:
    """Return the columns of scores."""
    return tuple(
        Column(measure_label(name, letter)) for name, letter, _ in _measures(system, options)
    )


def _comparison(results: Results) -> Comparison:
    """Compare the systems as the command compare does without options of its own."""
    systems = check_systems(tuple(results.systems), (), needs="--letters needs")
    own = ComparisonOptions(measures=results.options.reports.measures or "F")
    return compare(results, systems, TestPlan.of(own, results.options.scores))


def _letter_notes(comparison: Comparison, results: Results) -> Iterator[Note]:
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
    systems: Sequence[SystemScores], options: Options, comparison: Comparison | None
) -> Table:
    """Make the table of the systems; the best of several is marked."""
    rankings = comparison.rankings if comparison else ()
    letters = {(one.column.metric, one.column.letter): one.letters() for one in rankings}
    labels = (Column("System", "l", Role.NAME), Column("N", role=Role.LABEL))
    cells = []
    for measures in zip(*(_measures(system, options) for system in systems), strict=True):
        groups = letters.get(measures[0][:2], {})
        cells.append(
            _system_cells(measures, [groups.get(system.id, ()) for system in systems], options)
        )
    rows = tuple(
        (Cell(escape_unprintable(system.id)), Cell(str(len(system.eval_ids))), *scores)
        for system, scores in zip(systems, zip(*cells, strict=True), strict=True)
    )
    return Table((*labels, *_columns(systems[0], options)), rows)


def _system_cells(
    measures: Sequence[tuple[str, str, Measure]],
    groups: Sequence[tuple[str, ...]],
    options: Options,
) -> list[Cell]:
    """Make the cells of a column; scores that show the same digits are equally good."""
    letter = measures[0][1]
    scores = [_digits(average(one), MEAN_DECIMALS, letter, options) for _, _, one in measures]
    best = max(scores, key=Decimal) if len(scores) > 1 else None
    return [
        Cell(score, _bounds(measure, letter, options), BEST if score == best else "", letters)
        for score, (_, _, measure), letters in zip(scores, measures, groups, strict=True)
    ]


def _bounds(measure: Measure, letter: str, options: Options) -> tuple[str, str] | None:
    """Return the bounds as shown."""
    if measure.interval is None or not options.reports.intervals:
        return None
    lower, upper = (_digits(one, MEAN_DECIMALS, letter, options) for one in measure.interval)
    return lower, upper


def _eval_table(systems: Sequence[SystemScores], options: Options) -> Table:
    """Make the table of the EVALs, in the order of the input; systems in that of their table."""
    labels = (Column("EVAL", "l", Role.NAME), Column("System", "l", Role.NAME))
    eval_ids = dict.fromkeys(eval_id for system in systems for eval_id in system.eval_ids)
    rows: dict[str, list[tuple[Cell, ...]]] = {eval_id: [] for eval_id in eval_ids}
    for system in systems:
        name = Cell(escape_unprintable(system.id))
        columns = [
            [Cell(_digits(one, EVAL_DECIMALS, letter, options)) for one in found.per_eval.tolist()]
            for _, letter, found in _measures(system, options)
        ]
        for eval_id, scores in zip(system.eval_ids, zip(*columns, strict=True), strict=True):
            rows[eval_id].append((Cell(escape_unprintable(eval_id)), name, *scores))
    in_order = tuple(row for of_eval in rows.values() for row in of_eval)
    return Table((*labels, *_columns(systems[0], options)), in_order, is_long=True)


def _digits(score: float, decimals: int, letter: str, options: Options) -> str:
    """Write a score; times 100 it shows the same digits. A single score has its own scale."""
    text = f"{score:.{decimals}f}"
    is_percent = options.reports.percent and letter != SINGLE_MEASURE
    return f"{Decimal(text).scaleb(2):f}" if is_percent else text


def _caption(systems: Sequence[SystemScores], options: Options) -> str:
    """Say what the scores of the systems are."""
    is_pooled = options.scores.counting in {POOLED_COUNTS, RAW_COUNTS}
    evals = _eval_count([len(system.eval_ids) for system in systems])
    means = f"scores of counts pooled over {evals}" if is_pooled else f"means over {evals}"
    scale = _scale(systems, options)
    if options.scores.resamples == 0 or options.scores.counting == RAW_COUNTS:
        return f"{means[0].upper()}{means[1:]}{scale}."
    means = f"Bootstrap means of {means}" if is_pooled else f"Bootstrap {means}"
    level = f"with {options.scores.confidence.text}% confidence intervals "
    return (
        f"{means}{scale}, {level if options.reports.intervals else ''}from "
        f"{options.scores.resamples} resamples."
    )


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
