"""Tables, notes and headlines for comparisons over several runs, or on several data sets."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

from rouge_cli.escapes import escape_unprintable
from rouge_cli.reports.document import BETTER, Cell, Column, Note, Role, Section, Table
from rouge_cli.reports.rows import PathColumn, table_of
from rouge_cli.reports.wording import NO_BREAK, column_label, counted, equals, listed, number
from rouge_cli.studies.compare.replicability import SetResult
from rouge_cli.studies.compare.results import ComparisonResult, PairResult, RankedSystem, Ranking
from rouge_cli.studies.score_columns import ScoreColumn

DECIMALS = 4


def compared_table(records: Iterable[Any], cls: type, *columns: str | PathColumn) -> Table:
    """Return the table that `table_of` makes, but never split into parts.

    A difference, its interval and its p are read together, so every column is a label.
    """
    table = table_of(records, cls, *columns)
    heads = (
        column if column.role is Role.NAME else replace(column, role=Role.LABEL)
        for column in table.columns
    )
    return replace(table, columns=tuple(heads))


def system_columns(better: Callable[[Any], str | None]) -> tuple[PathColumn, ...]:
    """Return the columns of the two systems of a record, in which the better one is marked."""

    def marked(side: str) -> PathColumn:
        path = f"system_{side}"
        return PathColumn(
            path,
            side.upper(),
            mark=lambda record: BETTER if getattr(record, path) == better(record) else "",
        )

    return marked("a"), marked("b")


def with_metrics(columns: Iterable[ScoreColumn], table: Table, common: str = "") -> Table:
    """Add a first column to a table, which names the metric of each row.

    If all rows have the same metric, `common` is its name, which is shown once.
    """
    metric = Column("Metric", "l", Role.NAME, common=common)
    labels = map(column_label, columns)
    rows = ((Cell(label), *row) for label, row in zip(labels, table.rows, strict=True))
    return Table((metric, *table.columns), tuple(rows))


def listed_systems(names: Iterable[str]) -> str:
    """List names of systems in a sentence."""
    return listed(list(map(escape_unprintable, names)))


def all_of(n_comparisons: int) -> str:
    """Return a phrase for the comparisons that a correction covers, for use in a sentence."""
    return "the one comparison" if n_comparisons == 1 else f"the {n_comparisons} comparisons"


def difference_text(
    difference: float, interval: tuple[float, float] | None, p_holm: float, factor: int
) -> str:
    """Return a difference times `factor`, with its interval and p, for a sentence."""
    text = number(difference * factor, DECIMALS)
    if interval is not None:
        lower, upper = sorted(bound * factor for bound in interval)
        text += f" [{number(lower, DECIMALS)}, {number(upper, DECIMALS)}]"
    return f"{text}, p{NO_BREAK}{equals(p_holm)}"


# Several runs.


def _better_over_runs(pair: PairResult) -> str | None:
    if pair.runs is None or not pair.runs.is_larger:
        return None
    is_a_better = (pair.runs.difference > 0) != pair.column.is_lower_better
    return pair.system_a if is_a_better else pair.system_b


ERROR_OF_RUNS = PathColumn("runs.errors.runs", "runs", "error", "Error, runs")
ERROR_OF_BOTH = PathColumn("runs.errors.both", "both", "error", "Error, both")
RUN_SYSTEM: tuple[str | PathColumn, ...] = (
    "id",
    "runs.n_runs",
    "runs.mean",
    PathColumn("runs.deviation", full_heading="SD of runs"),
    ERROR_OF_RUNS,
    PathColumn("runs.errors.evals", "texts", "error", "Error, texts"),
    ERROR_OF_BOTH,
)
RUN_PAIR: tuple[str | PathColumn, ...] = (
    *system_columns(_better_over_runs),
    "runs.difference",
    "runs.interval",
    ERROR_OF_RUNS,
    ERROR_OF_BOTH,
    "runs.p",
    "runs.p_holm",
)


def _rankings_with_runs(
    comparison: ComparisonResult,
) -> Iterator[tuple[Ranking, list[RankedSystem]]]:
    for ranking in comparison.rankings:
        if ranking.systems[0].runs is not None:
            by_name = {system.id: system for system in ranking.systems}
            yield ranking, [by_name[name] for name in comparison.systems]


def run_section(comparison: ComparisonResult) -> Section:
    """Return the tables of the systems with their runs, and of the pairs."""
    rankings = list(_rankings_with_runs(comparison))
    systems = [(ranking, system) for ranking, of_ranking in rankings for system in of_ranking]
    pairs = [pair for ranking, _ in rankings for pair in ranking.pairs]
    of_systems = compared_table([system for _, system in systems], RankedSystem, *RUN_SYSTEM)
    of_pairs = compared_table(pairs, PairResult, *RUN_PAIR)
    tables = (
        with_metrics((ranking.column for ranking, _ in systems), of_systems),
        with_metrics((pair.column for pair in pairs), of_pairs),
    )
    return Section("runs", tables, "Runs")


def run_headline(comparison: ComparisonResult) -> Iterator[str]:
    """Yield a sentence about the best system over runs for each column, and one on the test."""
    for ranking, systems in _rankings_with_runs(comparison):
        yield _verdict(ranking, systems)
    n_known = sum(pair.runs is not None and pair.runs.p is not None for pair in comparison.pairs)
    if n_known:
        yield (
            "(Student's t over runs and texts, two-sided; significant if p is at most "
            f"{float(comparison.plan.level):g} after Holm's correction over {all_of(n_known)}.)"
        )


def _verdict(ranking: Ranking, systems: Sequence[RankedSystem]) -> str:
    sign = -1 if ranking.column.is_lower_better else 1
    mean, best = max(
        ((system.runs.mean, system.id) for system in systems if system.runs is not None),
        key=lambda of_system: sign * of_system[0],
    )
    # The systems that are paired with the best one, the nearest first.
    others = sorted(
        (
            (pair.system_b if pair.system_a == best else pair.system_a, pair, pair.runs)
            for pair in ranking.pairs
            if best in {pair.system_a, pair.system_b} and pair.runs is not None
        ),
        key=lambda other: abs(other[2].difference),
    )
    label, name = column_label(ranking.column), escape_unprintable(best)
    score = number(mean, DECIMALS)
    tied = [other for other in others if other[2].is_larger is False]
    single = [name for name, _, runs in others if runs.is_larger is None]
    if not tied and not single:
        rest = f"each of the other {len(others)} systems" if len(others) > 1 else "the other system"
        return (
            f"With other runs and texts too, {name} is best in {label} ({score}), significantly "
            f"better than {rest}."
        )
    parts = []
    if tied:
        other, closest, runs = tied[0]
        from_whom = f" from {escape_unprintable(other)}" if len(tied) > 1 else ""
        sign = 1 if closest.system_a == best else -1
        difference = difference_text(runs.difference, runs.interval, runs.p_holm or 0.0, sign)
        parts.append(
            "with other runs and texts it cannot be told apart from "
            f"{listed_systems(other for other, *_ in tied)}: the difference{from_whom} is "
            f"{difference}"
        )
    if single:
        parts.append(
            f"it cannot be compared with {listed_systems(single)} over other runs or texts: that "
            "takes two runs of both systems, and two texts"
        )
    return f"{name} has the best {label} ({score}), but {'; '.join(parts)}."


def run_notes(comparison: ComparisonResult) -> Iterator[Note]:
    """Yield notes that explain the columns of runs."""
    percent = comparison.options.scores.confidence.text
    yield Note.of(
        "Runs: SD: standard deviation of the means of runs. error: standard errors with other "
        f"runs, other texts, or both. interval: {percent}%, by Student's t over runs and texts, "
        "with Satterthwaite's degrees of freedom; p: two-sided, by the same; Holm: p after the "
        "correction. The tests in the other tables are on the means over the runs at hand, and "
        "say nothing of other runs."
    )


# Several data sets.

ON_SET: tuple[str | PathColumn, ...] = (
    *system_columns(attrgetter("better")),
    "name",
    "n_evals",
    "difference",
    "interval",
    PathColumn("p_a", "A", "p, better", "p that A is better"),
    PathColumn("p_b", "B", "p, better", "p that B is better"),
)
OVER_SETS: tuple[str | PathColumn, ...] = (
    "system_a",
    "system_b",
    PathColumn("across.a_better.bonferroni", "Bonf.", "A better in", "A better, Bonferroni"),
    PathColumn("across.a_better.fisher", "Fisher", "A better in", "A better, Fisher"),
    PathColumn("across.b_better.bonferroni", "Bonf.", "B better in", "B better, Bonferroni"),
    PathColumn("across.b_better.fisher", "Fisher", "B better in", "B better, Fisher"),
    "across.effect.mean",
    "across.effect.interval",
    "across.effect.tau2",
)


def set_section(comparison: ComparisonResult) -> Section:
    """Return the tables of the pairs on each data set, and over all data sets."""
    pairs = comparison.pairs
    labels = {column_label(pair.column) for pair in pairs}
    common = labels.pop() if len(labels) == 1 else ""
    on_sets = [
        (pair.column, result)
        for pair in pairs
        if pair.across is not None
        for result in pair.across.sets
    ]
    of_sets = compared_table([result for _, result in on_sets], SetResult, *ON_SET)
    of_pairs = compared_table(pairs, PairResult, *OVER_SETS)
    if not common:
        # A metric that all pairs share is named once, above the first table.
        of_pairs = with_metrics((pair.column for pair in pairs), of_pairs)
    tables = with_metrics((column for column, _ in on_sets), of_sets, common), of_pairs
    n_sets = len({result.name for _, result in on_sets})
    return Section("data-sets", tables, counted(n_sets, "data set"))


def set_notes(comparison: ComparisonResult) -> Iterator[Note]:
    """Yield notes that explain the columns of data sets."""
    half = f"{float(comparison.plan.level) / 2:g}"
    percent = comparison.options.scores.confidence.text
    yield Note(
        (
            ("", "Data sets: p, better: one-sided, by the randomisation on this data set."),
            (
                BETTER,
                f"the better system, if this p is at most {half} after Holm's correction over the "
                "data sets.",
            ),
            (
                "",
                "better in: in how many data sets, at least, by partial conjunctions at "
                f"{half}: Bonferroni's for any data sets, Fisher's for independent ones.",
            ),
        )
    )
    yield Note.of(
        "mean: of the differences, with weights for data sets that are a sample themselves "
        f"(DerSimonian and Laird), and its {percent}% interval (Hartung and Knapp, modified). tau: "
        "standard deviation of the true differences from data set to data set."
    )
