"""A comparison: for each metric and measure its pairs, and its systems with their groups."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from rouge_cli.escapes import escape_unprintable
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import CsvRow, View
from rouge_cli.reports.document import (
    BETTER,
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
    shortened,
)
from rouge_cli.reports.wording import (
    NO_BREAK,
    column_label,
    equals,
    evals_in_clusters,
    factor_of,
    interval_cell,
    listed,
    lower_note,
    number,
    p_value,
)
from rouge_cli.scores.results import Results, average
from rouge_cli.scores.signature import signature
from rouge_cli.studies.compare.across_sets import (
    ACROSS,
    ACROSS_COLUMNS,
    set_notes,
    set_rows,
    set_section,
)
from rouge_cli.studies.compare.comparison import Comparison, PairResult, Ranking, TestResult
from rouge_cli.studies.compare.figures import difference_figure, pairs_on_page
from rouge_cli.studies.compare.runs_view import (
    RUN_COLUMNS,
    RUNS,
    run_cells,
    run_headline,
    run_notes,
    run_section,
)
from rouge_cli.studies.paired_tests import RESAMPLES, TestPlan
from rouge_cli.studies.score_columns import Column as ScoreColumn

if TYPE_CHECKING:
    from rouge_cli.reports.page import Page

DECIMALS, EFFECT_DECIMALS = 4, 2
WITHIN = (
    ", and the interval lies within this, even with 3 more texts of the lowest or the highest "
    "score: n EVALs do not exclude 3/n of these."
)

# fmt: off
TEST = Record((Field("p", NUMBER), Field("p_holm", NUMBER), Field("is_significant", FLAG)))
RANDOMISATION = Record(
    (
        Field("p", NUMBER, "randomisation.p"),
        Field("p_holm", NUMBER, "randomisation.p_holm"),
        Field("is_significant", FLAG, "randomisation.is_significant"),
        Field("is_exact", FLAG, "randomisation.is_exact"),
    )
)
EFFECT = Record(
    (
        Field("value", NUMBER),
        Field("lower", Nullable(NUMBER)),
        Field("upper", Nullable(NUMBER)),
    )
)
PAIR = Record(
    (
        Field("system_a"),
        Field("system_b"),
        Field("n_evals", COUNT),
        Field("n_unequal", COUNT),
        Field("mean_a", NUMBER),
        Field("mean_b", NUMBER),
        Field("difference", NUMBER),
        Field("interval", BOUNDS),
        Field("bootstrap", TEST),
        Field("randomisation", RANDOMISATION, lambda pair: pair),
        Field("equivalence", Nullable(TEST)),
        Field("detectable", Nullable(NUMBER)),
        Field("skewness", NUMBER),
        Field("effect_size", Nullable(EFFECT), "effect"),
        Field("n_clusters", Nullable(COUNT)),
        Field("unseen", Nullable(NUMBER)),
        Field("better", Nullable(TEXT)),
    ),
    {
        "lower": lambda pair: pair.interval[0],
        "upper": lambda pair: pair.interval[1],
        "p_bootstrap": "bootstrap.p",
        "p_bootstrap_holm": "bootstrap.p_holm",
        "p_randomisation": "randomisation.p",
        "p_randomisation_holm": "randomisation.p_holm",
        "p_equivalence": "equivalence.p",
        "p_equivalence_holm": "equivalence.p_holm",
        "effect_size": "effect.value",
        "effect_lower": "effect.lower",
        "effect_upper": "effect.upper",
        "is_exact": lambda pair: str(pair.randomisation.is_exact).lower(),
    },
)
RANKED_SYSTEM = Record(
    (
        Field("system", TEXT, "id"),
        Field("n_evals", COUNT),
        Field("mean", NUMBER),
        Field("letters", list_of(TEXT)),
    )
)
RANKING = Record(
    (
        Field("metric", TEXT, "column.metric"),
        Field("measure", TEXT, "column.measure"),
        Field("lower_is_better", FLAG, "column.is_lower_better",
            has_value="column.is_lower_better"),
        Field("pairs", list_of(PAIR)),
        Field("ranking", list_of(RANKED_SYSTEM), "systems"),
    )
)
COMPARISON = Record(
    (
        *PROGRAM,
        Field("signature", TEXT, lambda view: signature(view.comparison.options)),
        Field("seed", COUNT, "comparison.plan.seed"),
        Field("resamples", COUNT, "comparison.plan.resamples"),
        Field("confidence", NUMBER, lambda view: float(view.comparison.plan.confidence * 100)),
        Field("level", NUMBER, lambda view: float(view.comparison.plan.level)),
        Field("margin", Nullable(NUMBER), lambda view: shortened(view.comparison.plan.margin)),
        Field("n_comparisons", COUNT, lambda view: len(view.comparison.pairs)),
        Field("warnings", list_of(TEXT), "comparison.warnings"),
        Field("systems", list_of(TEXT), "comparison.systems"),
        Field("metrics", list_of(RANKING), "comparison.rankings"),
        Field("across", list_of(ACROSS), "comparison.across",
            "With --dataset: each pair on every data set.", "comparison.across"),
        Field("runs", list_of(RUNS), "comparison.runs", "With --run.", "comparison.runs"),
    )
)
# fmt: on

MORE_COLUMNS = (
    Column("A", "l", Role.NAME),
    Column("B", "l", Role.NAME),
    Column("detectable", role=Role.LABEL, full_heading="Detectable"),
    Column("effect size", role=Role.LABEL, full_heading="Effect size"),
)
SAME_COLUMNS = (
    Column("p", role=Role.LABEL, group="equivalence", full_heading="Equivalence p"),
    Column("Holm", role=Role.LABEL, group="equivalence", full_heading="Equivalence Holm"),
    Column("the same", "l", role=Role.LABEL, full_heading="The same"),
)
BRIEF_TESTS = (
    Column("p", role=Role.LABEL),
    Column("Holm", role=Role.LABEL),
)
RANKING_COLUMNS = (
    Column("System", "l", Role.NAME),
    Column("N", role=Role.LABEL),
    Column("Mean", role=Role.LABEL),
    Column("Groups", "l"),
)


@dataclass(frozen=True, slots=True)
class ComparisonView(View):
    """Which of several systems is better.

    The document has one table of the differences or, if `is_verbose`, for each metric and measure
    all that is known; fields and rows have everything in both. On a page (`is_page`) tables with
    many pairs have only those of the best system.
    """

    kind: ClassVar[str] = "comparison"
    fields: ClassVar[Record] = COMPARISON
    columns: ClassVar[tuple[str, ...]] = (
        "metric", "measure", "system_a", "system_b", "n_evals", "n_unequal", "mean_a", "mean_b",
        "difference", "lower", "upper", "p_bootstrap", "p_bootstrap_holm", "p_randomisation",
        "p_randomisation_holm", "is_exact", "better", "detectable",
        "p_equivalence", "p_equivalence_holm", "skewness", "effect_size", "effect_lower",
        "effect_upper", "n_clusters", "letters_a", "letters_b",
        "n_comparisons", "resamples", "confidence", "margin", "seed", "signature",
    )  # fmt: skip
    comparison: Comparison
    is_verbose: bool = False
    is_page: bool = False

    def document(self) -> Document:
        """Return the verdict, and the tables in the order of print."""
        comparison = self.comparison
        shown = pairs_on_page(comparison) if self.is_page else comparison
        sections = _verbose(shown) if self.is_verbose else _brief(shown)
        notes = [*(_notes if self.is_verbose else _brief_notes)(comparison)]
        verdict = comparison_headline(comparison)
        if comparison.across:
            sections = [*sections, set_section(shown)]
            notes = [*notes, *set_notes(comparison)]
        if comparison.runs:
            # What holds for other runs too comes first.
            sections = [run_section(shown), *sections]
            notes = [*run_notes(comparison), *notes]
            verdict = run_headline(comparison)
        if shown is not comparison:
            notes.insert(0, _left_out(shown, comparison))
        headline = " ".join(verdict).replace(NO_BREAK, " ")
        signatures = (signature(self.comparison.options),)
        return Document(tuple(sections), tuple(notes), signatures, headline=headline)

    def page(self) -> "Page":
        """Return the page, with the pairs that it has room for."""
        return View.page(replace(self, is_page=True))

    def rows(self) -> Iterator[CsvRow]:
        """Yield the names of the columns, those of runs or data sets behind them, and the rows."""
        columns = self.columns
        columns += RUN_COLUMNS if self.comparison.runs else ()
        columns += ACROSS_COLUMNS if self.comparison.across else ()
        yield columns
        for values in self.records():
            yield tuple(map(values.get, columns))

    def records(self) -> Iterator[dict[str, Value]]:
        """Yield a row for each pair of systems in each metric and measure, and each data set.

        Letters are separated by blanks; `better` is None where no system is.
        """
        of_run = COMPARISON.cells(self, self.columns)
        columns = (*self.columns, *ACROSS_COLUMNS)
        runs, sets = (
            run_cells(self.comparison),
            {
                (pair.column, pair.system_a, pair.system_b): (cells, rows)
                for pair, cells, rows in set_rows(self.comparison, columns)
            },
        )
        for ranking in self.comparison.rankings:
            of_ranking = of_run | RANKING.cells(ranking, self.columns)
            letters = {system.id: " ".join(system.letters) for system in ranking.systems}
            for pair in ranking.pairs:
                key = ranking.column, pair.system_a, pair.system_b
                of_sets, rows = sets.get(key, ({}, []))
                yield {
                    **of_ranking,
                    **PAIR.cells(pair, self.columns),
                    "letters_a": letters[pair.system_a],
                    "letters_b": letters[pair.system_b],
                    **runs.get(key, {}),
                    **of_sets,
                }
                yield from (of_run | row for row in rows)

    def figures(self) -> tuple[Figure, ...]:
        """Return the differences with their intervals."""
        return (difference_figure(self.comparison),)


def comparison_headline(
    comparison: Comparison, column: ScoreColumn | None = None, results: Results | None = None
) -> Iterator[str]:
    """Yield sentences on which system is best, beginning with the given column or the first one.

    Scores are those that `results` show; without them, means.
    """
    rankings = {ranking.column: ranking for ranking in comparison.rankings}
    first = rankings.pop(column, None) if column else None
    first = first or rankings.pop(next(iter(rankings)))
    yield _verdict(first, results)
    verdict = _told(first)
    same = [column_label(other.column) for other in rankings.values() if _told(other) == verdict]
    if same:
        yield f"The same holds in {listed(same, len(same))}."
    for ranking in rankings.values():
        if _told(ranking) != verdict:
            yield _verdict(ranking, results)
    yield (
        "(Approximate randomisation, two-sided; significant if p is at most "
        f"{_level(comparison.plan)} after Holm's correction over {_all_of(comparison.pairs)}.)"
    )


def _verdict(ranking: Ranking, results: Results | None) -> str:
    """Say who is best in a column, and from whom the best cannot be told apart."""
    label, (best, tied) = column_label(ranking.column), _told(ranking)
    name, mean, factor = escape_unprintable(best), ranking.systems[0].mean, 1
    if results is not None:
        factor = factor_of(ranking.column, percent=results.options.reports.percent)
        scores = results.systems[best]
        # Over other EVALs than those that all systems have, the best may not have the highest mean.
        if len(scores.eval_ids) == ranking.systems[0].n_evals:
            mean = average(scores.metrics[ranking.column.metric].measures[ranking.column.letter])
    score = number(mean * factor, DECIMALS)
    others = len(ranking.systems) - 1
    if not tied:
        rest = "the other system" if others == 1 else f"each of the other {others} systems"
        return f"{name} is best in {label} ({score}), significantly better than {rest}."
    names = listed([escape_unprintable(system) for system in tied])
    closest = _pair(ranking, best, tied[0])
    sign = 1 if closest.system_a == best else -1
    lower, upper = sorted(sign * bound * factor for bound in closest.interval)
    difference = (
        f"{number(sign * closest.difference * factor, DECIMALS)} "
        f"[{number(lower, DECIMALS)}, {number(upper, DECIMALS)}], "
        f"p{NO_BREAK}{equals(closest.randomisation.p_holm)}"
    )
    whom = "" if len(tied) == 1 else f" from {escape_unprintable(tied[0])}"
    return (
        f"{name} has the highest {label} ({score}), but cannot be told apart from {names}: "
        f"the difference{whom} is {difference}."
    )


def _told(ranking: Ranking) -> tuple[str, tuple[str, ...]]:
    """Return the best system, and those that it cannot be told apart from, in order."""
    best = ranking.systems[0].id
    pairs = [pair for pair in ranking.pairs if best in {pair.system_a, pair.system_b}]
    alike = {
        name for pair in pairs if pair.better is None for name in (pair.system_a, pair.system_b)
    }
    return best, tuple(system.id for system in ranking.systems[1:] if system.id in alike)


def _pair(ranking: Ranking, first: str, second: str) -> PairResult:
    """Return the result of two systems."""
    wanted = {first, second}
    return next(pair for pair in ranking.pairs if {pair.system_a, pair.system_b} == wanted)


def _left_out(shown: Comparison, comparison: Comparison) -> Note:
    """Say which pairs a page shows."""
    n_shown, n_pairs = len(shown.rankings[0].pairs), len(comparison.rankings[0].pairs)
    whom = "the others" if n_shown == len(comparison.systems) - 1 else f"the next {n_shown}"
    return Note.of(
        f"{n_shown} of {n_pairs} pairs are shown, those of the best system with {whom}; p is "
        "corrected over all. The reports json and csv of the command compare have every pair."
    )


def _verbose(comparison: Comparison) -> Iterable[Section]:
    """Yield a section for each metric and measure."""
    pair_columns = _pair_columns(comparison)
    for order, ranking in enumerate(comparison.rankings, 1):
        tables = tuple(_section_tables(ranking, pair_columns))
        yield Section(f"comparison-{order}", tables, column_label(ranking.column))


def _brief(comparison: Comparison) -> Iterable[Section]:
    """Return one table of all differences."""
    labels = [column_label(ranking.column) for ranking in comparison.rankings]
    has_margin = comparison.plan.margin is not None
    columns = (
        Column("Metric", "l", Role.NAME, common=labels[0] if len(labels) == 1 else ""),
        *_difference_columns(comparison),
        *BRIEF_TESTS,
        *(SAME_COLUMNS[-1:] if has_margin else ()),
    )
    rows = [
        (Cell(label), *_difference_cells(pair), *_brief_cells(pair))
        for label, ranking in zip(labels, comparison.rankings, strict=True)
        for pair in ranking.pairs
    ]
    return [Section("comparison", (Table(columns, tuple(rows)),))]


def _brief_cells(pair: PairResult) -> Iterator[Cell]:
    """Yield what the randomisation says of a pair."""
    yield Cell(p_value(pair.randomisation.p))
    yield Cell(p_value(pair.randomisation.p_holm))
    if pair.equivalence is not None:
        yield _same_cell(pair.equivalence)


def _difference_columns(comparison: Comparison) -> tuple[Column, ...]:
    """Return the columns of the pairs and their differences; all stay together."""
    sizes = {(pair.n_evals, pair.n_clusters) for pair in comparison.pairs}
    common = evals_in_clusters(*sizes.pop()) if len(sizes) == 1 else ""
    return (
        Column("A", "l", Role.NAME),
        Column("B", "l", Role.NAME),
        Column("N", role=Role.LABEL, common=common),
        Column("A - B", role=Role.LABEL, is_signed=True),
        Column("interval", role=Role.LABEL, full_heading="Interval", is_signed=True),
    )


def _pair_columns(comparison: Comparison) -> tuple[Column, ...]:
    """Return the columns of the differences and of both tests."""
    tests = [
        Column(f"{test}.", role=Role.LABEL, group=group, full_heading=f"{group} {test}.")
        for group in ("p", "Holm")
        for test in ("boot", "rand")
    ]
    return (*_difference_columns(comparison), *tests)


def _section_tables(ranking: Ranking, columns: tuple[Column, ...]) -> Iterator[Table]:
    """Yield the tables of a metric and measure."""
    yield Table(columns, tuple(tuple(_pair_cells(pair)) for pair in ranking.pairs))
    if any(_has_more(pair) for pair in ranking.pairs):
        has_margin = any(pair.equivalence is not None for pair in ranking.pairs)
        more = MORE_COLUMNS + (SAME_COLUMNS if has_margin else ())
        yield Table(more, tuple(tuple(_more_cells(pair)) for pair in ranking.pairs))
    yield _ranking_table(ranking)


def _has_more(pair: PairResult) -> bool:
    """Say whether more than the two tests is known of a pair."""
    return any(known is not None for known in (pair.detectable, pair.equivalence, pair.effect))


def _more_cells(pair: PairResult) -> Iterator[Cell]:
    """Yield what else is known of a pair."""
    yield from (Cell(escape_unprintable(name)) for name in (pair.system_a, pair.system_b))
    yield Cell(number(pair.detectable, DECIMALS))
    yield Cell(_effect(pair))
    if pair.equivalence is not None:
        yield Cell(p_value(pair.equivalence.p))
        yield Cell(p_value(pair.equivalence.p_holm))
        yield _same_cell(pair.equivalence)


def _effect(pair: PairResult) -> str:
    """Write the effect size with its interval."""
    if pair.effect is None:
        return ""
    value, lower, upper = (
        None if part is None else number(part, EFFECT_DECIMALS)
        for part in (pair.effect.value, pair.effect.lower, pair.effect.upper)
    )
    return f"{value}" if lower is None else f"{value} [{lower}, {upper}]"


def _same_cell(equivalence: TestResult) -> Cell:
    """Say whether two systems are the same."""
    return Cell("yes" if equivalence.is_significant else "not shown")


def _difference_cells(pair: PairResult) -> Iterator[Cell]:
    """Yield the systems of a pair, the better one marked, and their difference."""
    for system in (pair.system_a, pair.system_b):
        mark: Mark = BETTER if system == pair.better else ""
        yield Cell(escape_unprintable(system), mark=mark)
    yield Cell(str(pair.n_evals))
    yield Cell(number(pair.difference, DECIMALS))
    yield interval_cell(pair.interval, DECIMALS)


def _pair_cells(pair: PairResult) -> Iterator[Cell]:
    """Yield the cells of a pair."""
    yield from _difference_cells(pair)
    tests = pair.bootstrap, pair.randomisation
    yield from (Cell(p_value(test.p)) for test in tests)
    yield from (Cell(p_value(test.p_holm)) for test in tests)


def _ranking_table(ranking: Ranking) -> Table:
    """Make the table of the systems, with a place for each letter."""
    letters = ranking.letters()
    rows = (
        (
            Cell(escape_unprintable(system.id)),
            Cell(str(system.n_evals)),
            Cell(number(system.mean, DECIMALS)),
            Cell("", letters=letters[system.id]),
        )
        for system in ranking.systems
    )
    return Table(RANKING_COLUMNS, tuple(rows))


def _all_of(pairs: Sequence[PairResult]) -> str:
    """Say over how many comparisons p are corrected."""
    return "the one comparison" if len(pairs) == 1 else f"the {len(pairs)} comparisons"


def _brief_notes(comparison: Comparison) -> Iterator[Note]:
    """Yield what the columns of the differences mean."""
    plan, pairs = comparison.plan, comparison.pairs
    n_exact = sum(pair.randomisation.is_exact for pair in pairs)
    yield Note.of(
        f"{_difference_text(comparison)} p: by randomisation with {plan.resamples} resamples "
        f"({n_exact} of {len(pairs)} exact: all swaps enumerated); seed {plan.seed}. "
        f"Holm: p after the correction.{_grown(comparison)}"
    )
    if plan.margin is not None:
        yield Note.of(
            f"the same: whether p, after Holm, of systems that differ by {float(plan.margin):g} or "
            f"more (two one-sided tests by randomisation) is at most {_level(plan)}{WITHIN}"
        )
    yield from _lower(comparison)
    yield Note(((BETTER, f"the better system, if Holm is at most {_level(plan)}."),))


def _difference_text(comparison: Comparison) -> str:
    """Say what differences are, and their intervals."""
    return (
        f"A - B: difference of the means over the EVALs that {_whose(comparison)} have, with its "
        f"{comparison.options.scores.confidence.text}% interval by the bootstrap (BCa) and "
        "Student's t."
    )


def _whose(comparison: Comparison) -> str:
    """Say which systems have all EVALs that count."""
    n_systems = len(comparison.systems)
    return "both systems" if n_systems == 2 else f"all {n_systems} systems"  # noqa: PLR2004 - both


def _grown(comparison: Comparison) -> str:
    """Say that many comparisons have taken more resamples than usual."""
    plan = comparison.plan
    if not plan.may_grow or plan.resamples == RESAMPLES:
        return ""
    return (
        f" {plan.resamples} resamples, and not {RESAMPLES}: as many as the correction over "
        f"{len(comparison.pairs)} comparisons asks for (-r)."
    )


def _level(plan: TestPlan) -> str:
    """Write the level of the tests."""
    return f"{float(plan.level):g}"


def _lower(comparison: Comparison) -> Iterator[Note]:
    """Yield of which metrics lower scores are better."""
    rankings = comparison.rankings
    lower = {ranking.column.metric for ranking in rankings if ranking.column.is_lower_better}
    if lower:
        yield lower_note(sorted(lower))


def _notes(comparison: Comparison) -> Iterator[Note]:
    """Yield what the columns mean and how they were made."""
    plan, pairs = comparison.plan, comparison.pairs
    level = _level(plan)
    n_exact = sum(pair.randomisation.is_exact for pair in pairs)
    of_clusters = " by the t of clusters" if any(pair.n_clusters for pair in pairs) else ""
    yield Note.of(_difference_text(comparison))
    yield Note.of(
        "p, two-sided: boot. by the paired bootstrap, rand. by approximate randomisation, with "
        f"{plan.resamples} resamples each ({n_exact} of {len(pairs)} rand. exact: all swaps "
        f"enumerated); seed {plan.seed}."
    )
    yield Note.of(
        f"Holm: p corrected over {_all_of(pairs)} of this report, each test "
        f"apart.{_grown(comparison)}"
    )
    if any(_has_more(pair) for pair in pairs):
        yield Note.of(
            "detectable: the smallest difference of means that rand. finds in 80% of such "
            f"studies, as the first one of Holm's (at {level} / {len(pairs)}); -: the differences "
            "have no spread to tell by. effect size: the difference in standard deviations of the "
            "differences from one EVAL to the next (Cohen's d), with its interval"
            f"{of_clusters}."
        )
    if plan.margin is not None:
        yield Note.of(
            f"equivalence: p of systems that differ by {float(plan.margin):g} or more (two "
            f"one-sided tests by randomisation); the same: it is at most {level} after Holm{WITHIN}"
        )
    if not comparison.runs:
        yield Note.of(
            "Each system is taken as it is: how far other runs of it, as with other seeds, would "
            "move its scores was not looked at (--run)."
        )
    yield from _lower(comparison)
    better = f"the better system, if rand. after Holm is at most {level}."
    shared = "Systems that share a letter cannot be told apart by this."
    yield Note(((BETTER, better), ("", shared)))
