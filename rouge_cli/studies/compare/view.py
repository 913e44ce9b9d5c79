"""The view of a comparison: headlines, tables, notes and figures."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from typing import ClassVar

from rouge_cli.escapes import escape_unprintable
from rouge_cli.options.scores import SINGLE_MEASURE
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import View
from rouge_cli.reports.charts import Estimate, interval_panel, matrix_panel, shortened
from rouge_cli.reports.document import (
    BETTER,
    Cell,
    Column,
    Document,
    Figure,
    Note,
    Page,
    Role,
    Section,
    Spec,
    Table,
)
from rouge_cli.reports.rows import PathColumn
from rouge_cli.reports.wording import (
    NO_BREAK,
    column_label,
    eval_count,
    evals_in_clusters,
    factor_of,
    listed,
    lower_note,
    number,
    p_value,
    short_system_names,
)
from rouge_cli.scores.results import Results, average
from rouge_cli.studies.compare.results import ComparisonResult, PairResult, RankedSystem, Ranking
from rouge_cli.studies.compare.runs_and_sets import (
    all_of,
    compared_table,
    difference_text,
    listed_systems,
    run_headline,
    run_notes,
    run_section,
    set_notes,
    set_section,
    system_columns,
    with_metrics,
)
from rouge_cli.studies.paired_tests import RESAMPLES, TestPlan
from rouge_cli.studies.score_columns import ScoreColumn

DECIMALS = 4
MOST_VERDICTS = 2  # verdicts in sentences that differ from the first one; more are put in a table
WITHIN = (
    ", and the interval lies within this, even with 3 more texts of the lowest or the highest "
    "score: n texts do not exclude 3/n of these."
)
THE_SAME = PathColumn(
    "equivalence.is_significant",
    "the same",
    write=lambda is_same: "yes" if is_same else "not shown",
)
TESTS = tuple(
    PathColumn(f"{test}.{p}", heading, group)
    for p, group in (("p", "p"), ("p_holm", "Holm"))
    for test, heading in (("bootstrap", "boot."), ("randomisation", "rand."))
)
EQUIVALENCE = tuple(
    PathColumn(f"equivalence.{p}", heading, "equivalence")
    for p, heading in (("p", "p"), ("p_holm", "Holm"))
)


@dataclass(frozen=True, slots=True)
class ComparisonView(View):
    """The view of a comparison, which shows which of several systems is better.

    The document has a single table of differences or, if `is_verbose`, several tables for each
    metric and measure. JSON and CSV always have everything. On a page (`is_page`), each pair begins
    with its better system, and if there are many pairs, tables show only those of the best system.
    """

    kind: ClassVar[str] = "comparison"
    csv_path: ClassVar[str] = "rankings.rows"
    result: ComparisonResult
    is_verbose: bool = False
    is_page: bool = False

    def document(self) -> Document:
        """Return the verdict as a headline, the tables, and the notes that explain them."""
        comparison = self.result
        most = MOST_PAIRS if self.is_verbose else MOST_BRIEF
        shown = pairs_on_page(comparison, most) if self.is_page else comparison
        sections = [*best_section(shown), *(_verbose(shown) if self.is_verbose else _brief(shown))]
        notes = [*(_notes if self.is_verbose else _brief_notes)(comparison)]
        verdict = comparison_headline(comparison)
        if any(pair.across is not None for pair in comparison.pairs):
            sections = [*sections, set_section(shown)]
            notes = [*notes, *set_notes(comparison)]
        if comparison.has_runs:
            # Claims that hold for other runs, too, are the strongest, and come first.
            sections = [run_section(shown), *sections]
            notes = [*run_notes(comparison), *notes]
            verdict = run_headline(comparison)
        if len(shown.pairs) < len(comparison.pairs):
            notes.insert(0, _left_out(shown, comparison))
        headline = " ".join(verdict).replace(NO_BREAK, " ")
        return Document(tuple(sections), tuple(notes), (comparison.signature,), headline=headline)

    def page(self) -> Page:
        """Return the page, with the pairs that it has room for."""
        return View.page(replace(self, is_page=True))

    def figures(self) -> tuple[Figure, ...]:
        return (difference_figure(self.result),)


def comparison_headline(
    comparison: ComparisonResult, column: ScoreColumn | None = None, results: Results | None = None
) -> Iterator[str]:
    """Yield sentences about the best system, beginning with that in `column` or the first column.

    They show the scores of `results` or, without any, the means over shared EVALs.
    """
    rankings = {ranking.column: ranking for ranking in comparison.rankings}
    first = rankings.pop(column, None) if column else None
    first = first or rankings.pop(next(iter(rankings)))
    yield _verdict(first, results)
    verdict = _told(first)
    same = [column_label(other.column) for other in rankings.values() if _told(other) == verdict]
    if same:
        yield f"The same holds in {listed(same, len(same))}."
    others = [ranking for ranking in rankings.values() if _told(ranking) != verdict]
    if len(others) > MOST_VERDICTS:
        yield f"The other {len(others)} measures are in the table of the best systems."
        others = []
    yield from (_verdict(ranking, results) for ranking in others)
    yield (
        "(Approximate randomisation, two-sided; significant if p is at most "
        f"{_level(comparison.plan)} after Holm's correction over {all_of(len(comparison.pairs))}.)"
    )


def best_section(comparison: ComparisonResult) -> list[Section]:
    """Return a section with the best system in each measure; none if headlines name them all."""
    if len({_told(ranking) for ranking in comparison.rankings}) <= MOST_VERDICTS + 1:
        return []
    rows = []
    for ranking in comparison.rankings:
        best, tied = _told(ranking)
        label, mean = column_label(ranking.column), number(ranking.systems[0].mean, DECIMALS)
        names = listed_systems(tied) if tied else "none"
        rows.append(tuple(map(Cell, (label, escape_unprintable(best), mean, names))))
    names_of = (Column(heading, "l", Role.NAME) for heading in ("Measure", "Best"))
    columns = (*names_of, Column("Mean"), Column("Not told apart from", "l"))
    return [Section("best", (Table(columns, tuple(rows)),), "The best system in each measure")]


def _verdict(ranking: Ranking, results: Results | None) -> str:
    label, (best, tied) = column_label(ranking.column), _told(ranking)
    name, mean, factor = escape_unprintable(best), ranking.systems[0].mean, 1
    if results is not None:
        factor = factor_of(ranking.column, percent=results.options.reports.percent)
        scores = results.systems[best]
        # Over all its own EVALs, the system that is best on the shared ones need not be highest.
        if len(scores.eval_ids) == ranking.systems[0].n_evals:
            mean = average(scores.metrics[ranking.column.metric].measures[ranking.column.letter])
    score = number(mean * factor, DECIMALS)
    others = len(ranking.systems) - 1
    if not tied:
        rest = "the other system" if others == 1 else f"each of the other {others} systems"
        return f"{name} is best in {label} ({score}), significantly better than {rest}."
    # Systems that show the same digits as the best one share the first place in the sentence.
    digits = [number(system.mean, DECIMALS) for system in ranking.systems]
    alike = zip(ranking.systems, digits, strict=True)
    ties = [x.id for x, text in alike if text == digits[0] and x.id in {best, *tied}]
    if len(ties) > 1:
        behind = [system for system in tied if system not in ties]
        apart = f", and cannot be told apart from {listed_systems(behind)}" if behind else ""
        return f"{listed_systems(ties)} have the same {label} ({score}), the highest{apart}."
    # Of the systems that are not told apart, the one with the best mean is the closest rival.
    closest = next(p for p in ranking.pairs if {p.system_a, p.system_b} == {best, tied[0]})
    factor *= 1 if closest.system_a == best else -1
    p_holm = closest.randomisation.p_holm
    difference = difference_text(closest.difference, closest.interval, p_holm, factor)
    whom = "" if len(tied) == 1 else f" from {escape_unprintable(tied[0])}"
    return (
        f"{name} has the highest {label} ({score}), but cannot be told apart from "
        f"{listed_systems(tied)}: the difference{whom} is {difference}."
    )


def _told(ranking: Ranking) -> tuple[str, tuple[str, ...]]:
    """Return the best system, and those that cannot be told apart from it, in order of rank."""
    best = ranking.systems[0].id
    pairs = [pair for pair in ranking.pairs if best in {pair.system_a, pair.system_b}]
    alike = {
        name for pair in pairs if pair.better is None for name in (pair.system_a, pair.system_b)
    }
    return best, tuple(system.id for system in ranking.systems[1:] if system.id in alike)


def _left_out(shown: ComparisonResult, comparison: ComparisonResult) -> Note:
    n_shown, n_pairs = len(shown.rankings[0].pairs), len(comparison.rankings[0].pairs)
    whom = "the others" if n_shown == len(comparison.systems) - 1 else f"the next {n_shown}"
    return Note.of(
        f"{n_shown} of {n_pairs} pairs are shown, those of the best system with {whom}; p is "
        "corrected over all. The reports json and csv of the command compare have every pair."
    )


def _brief(comparison: ComparisonResult) -> Iterable[Section]:
    rankings, has_margin = comparison.rankings, comparison.plan.margin is not None
    table = compared_table(
        comparison.pairs,
        PairResult,
        *(*_difference_columns(comparison), "randomisation.p", "randomisation.p_holm"),
        *([THE_SAME] if has_margin else []),
    )
    common = column_label(rankings[0].column) if len(rankings) == 1 else ""
    whole = with_metrics((pair.column for pair in comparison.pairs), table, common)
    return [Section("comparison", (whole,))]


def _verbose(comparison: ComparisonResult) -> Iterable[Section]:
    columns = (*_difference_columns(comparison), *TESTS)
    for order, ranking in enumerate(comparison.rankings, 1):
        tables = tuple(_section_tables(ranking, columns))
        yield Section(f"comparison-{order}", tables, column_label(ranking.column))


def _difference_columns(comparison: ComparisonResult) -> tuple[str | PathColumn, ...]:
    sizes = {(pair.n_evals, pair.n_clusters) for pair in comparison.pairs}
    common = evals_in_clusters(*sizes.pop()) if len(sizes) == 1 else ""
    n_evals = PathColumn("n_evals", common=common)
    return (*system_columns(attrgetter("better")), n_evals, "difference", "interval")


def _section_tables(ranking: Ranking, columns: Sequence[str | PathColumn]) -> Iterator[Table]:
    yield compared_table(ranking.pairs, PairResult, *columns)
    if any(map(_has_more, ranking.pairs)):
        has_margin = any(pair.equivalence is not None for pair in ranking.pairs)
        yield compared_table(
            ranking.pairs,
            PairResult,
            *("system_a", "system_b", "minimum_detectable_difference", "effect"),
            *([*EQUIVALENCE, THE_SAME] if has_margin else []),
        )
    systems = compared_table(ranking.systems, RankedSystem, "id", "n_evals", "mean")
    letters = ranking.letters()
    rows = (
        (*row, Cell("", letters=letters[system.id]))
        for row, system in zip(systems.rows, ranking.systems, strict=True)
    )
    yield Table((*systems.columns, Column("Groups", "l")), tuple(rows))


def _has_more(pair: PairResult) -> bool:
    more = pair.minimum_detectable_difference, pair.equivalence, pair.effect
    return any(value is not None for value in more)


def _brief_notes(comparison: ComparisonResult) -> Iterator[Note]:
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


def _difference_text(comparison: ComparisonResult) -> str:
    n_systems = len(comparison.systems)
    whose = "both systems" if n_systems == 2 else f"all {n_systems} systems"  # noqa: PLR2004 - both
    return (
        f"A - B: difference of the means over the texts that {whose} have, with its "
        f"{comparison.options.scores.confidence.text}% interval by the bootstrap (BCa) and "
        "Student's t."
    )


def _grown(comparison: ComparisonResult) -> str:
    plan = comparison.plan
    if not plan.may_grow or plan.resamples == RESAMPLES:
        return ""
    return (
        f" {plan.resamples} resamples, and not {RESAMPLES}: as many as the correction over "
        f"{len(comparison.pairs)} comparisons asks for (-r)."
    )


def _level(plan: TestPlan) -> str:
    return f"{float(plan.level):g}"


def _lower(comparison: ComparisonResult) -> Iterator[Note]:
    rankings = comparison.rankings
    lower = {ranking.column.metric for ranking in rankings if ranking.column.is_lower_better}
    if lower:
        yield lower_note(sorted(lower))


def _notes(comparison: ComparisonResult) -> Iterator[Note]:
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
        f"Holm: p corrected over {all_of(len(pairs))} of this report, for each test "
        f"separately.{_grown(comparison)}"
    )
    if any(_has_more(pair) for pair in pairs):
        yield Note.of(
            "detectable: the smallest difference of means that rand. finds in 80% of such "
            f"studies, as the first one of Holm's (at {level} / {len(pairs)}); -: the differences "
            "have no spread to tell by. effect size: the difference in standard deviations of the "
            "differences from one text to the next (Cohen's d), with its interval"
            f"{of_clusters}."
        )
    if plan.margin is not None:
        yield Note.of(
            f"equivalence: p of systems that differ by {float(plan.margin):g} or more (two "
            f"one-sided tests by randomisation); the same: it is at most {level} after Holm{WITHIN}"
        )
    if not comparison.has_runs:
        yield Note.of(
            "Each system is taken as it is: how far other runs of it, as with other seeds, would "
            "move its scores was not looked at (--run)."
        )
    yield from _lower(comparison)
    better = f"the better system, if rand. after Holm is at most {level}."
    shared = "Systems that share a letter cannot be told apart by this."
    yield Note(((BETTER, better), ("", shared)))


MOST_LETTERS_OF_TWO = 50  # the most characters of each name in a label with two names
MOST_WITH_INTERVALS = 6  # pairs of more systems are drawn as a matrix, without intervals
MOST_IN_MATRIX = 40  # the most systems in a matrix
MOST_PAIRS, MOST_BRIEF = 300, 20
"""Maximum number of pairs per column on a page: in its details (all pairs of 25 systems), and above
them."""

MINUS = "\N{MINUS SIGN}"


def difference_figure(comparison: ComparisonResult, *, percent: bool = False) -> Figure:
    """Return a figure of the differences of pairs, with intervals or, for many systems, a matrix.

    It has a panel for each column. If there is only one pair, all columns share a panel.
    """
    if len(comparison.systems) > MOST_WITH_INTERVALS:
        return _matrices(comparison)
    short, key = _short(comparison)
    rankings = comparison.rankings
    level = comparison.options.scores.confidence.text
    has_bands = any(pair.minimum_detectable_difference is not None for pair in comparison.pairs)
    unit = f", {level}% interval" + "; grey: too small to be detected" * has_bands
    subtitle = (
        f"{eval_count([pair.n_evals for pair in comparison.pairs])}; p after Holm's correction"
    )
    # All columns have the pairs of the first one, in its order.
    ranked = [_ranked(ranking, rankings[0]) for ranking in rankings]
    names = [f"{short[pair.system_a]} {MINUS} {short[pair.system_b]}" for pair in ranked[0]]
    labels = [column_label(ranking.column) for ranking in rankings]
    factors = [factor_of(ranking.column, percent=percent) for ranking in rankings]
    if len(names) == 1:
        rows = [_estimate(*row) for row in zip(chain(*ranked), labels, factors, strict=True)]
        panels = [interval_panel(names[0], subtitle, f"Difference{unit}", rows, has_zero=True)]
    else:
        panels = []
        for label, pairs, factor in zip(labels, ranked, factors, strict=True):
            rows = [_estimate(pair, name, factor) for pair, name in zip(pairs, names, strict=True)]
            axis = f"Difference in {label}{unit}"
            panels.append(interval_panel(label, subtitle, axis, rows, has_zero=True))
    caption = (
        "Every pair: the difference of the means over the texts that all systems have. Filled: "
        "significant; p is that of the randomisation after Holm's correction. Left of the dashed "
        "line the second system is better."
    )
    if has_bands:
        caption += (
            " Grey: how large a difference has to be for such a test to find it in "
            "80% of such studies."
        )
    return _figure(caption, panels, key)


def _figure(caption: str, panels: Sequence[Spec], key: str) -> Figure:
    return Figure(
        "differences", "Differences", caption, tuple(panels), has_common_names=True, key=key
    )


def _estimate(pair: PairResult, name: str, factor: int) -> Estimate:
    band = pair.minimum_detectable_difference
    return Estimate(
        name,
        pair.difference * factor,
        (pair.interval[0] * factor, pair.interval[1] * factor),
        pair.better is not None,
        None if band is None else band * factor,
        f"p {p_value(pair.randomisation.p_holm)}",
    )


def _short(comparison: ComparisonResult) -> tuple[dict[str, str], str]:
    short, key = short_system_names(comparison.systems)
    return {system: shortened(short[system], MOST_LETTERS_OF_TWO) for system in short}, key


def _matrices(comparison: ComparisonResult) -> Figure:
    short, key = _short(comparison)
    systems = [system.id for system in comparison.rankings[0].systems[:MOST_IN_MATRIX]]
    place_of = {system: place for place, system in enumerate(systems)}
    panels = []
    for ranking in comparison.rankings:
        cells: dict[tuple[int, int], tuple[str, int]] = {}
        for pair in ranking.pairs:
            if {pair.system_a, pair.system_b} <= place_of.keys():
                a, b = place_of[pair.system_a], place_of[pair.system_b]
                sign = {pair.system_a: 1, pair.system_b: -1}.get(pair.better or "", 0)
                share = pair.difference * (100 if ranking.column.letter != SINGLE_MEASURE else 1)
                cells[a, b] = number(share, 1).replace("-", MINUS), sign
                cells[b, a] = number(-share, 1).replace("-", MINUS), -sign
        label, sizes = column_label(ranking.column), eval_count([p.n_evals for p in ranking.pairs])
        panels.append(matrix_panel(label, sizes, [short[system] for system in systems], cells))
    n_systems = len(comparison.systems)
    extent = f" The best {MOST_IN_MATRIX} of {n_systems}." if n_systems > MOST_IN_MATRIX else ""
    caption = (
        "Differences of the means over the texts that all systems have, row minus column, shares "
        f"times 100; the best system in {column_label(comparison.rankings[0].column)} is first. "
        "Blue (+): the row is significantly better, by the randomisation after Holm's correction; "
        f"orange ({MINUS}): the column; grey: not significant.{extent}"
    )
    return _figure(caption, panels, key)


def _ranked(ranking: Ranking, first: Ranking) -> Sequence[PairResult]:
    """Return the pairs in the order of the ranking `first`, each with its better system first."""
    rank = {system.id: place for place, system in enumerate(first.systems)}
    pairs = [
        pair if rank[pair.system_a] < rank[pair.system_b] else pair.turned()
        for pair in ranking.pairs
    ]
    return sorted(pairs, key=lambda pair: (rank[pair.system_a], rank[pair.system_b]))


def shown_pairs(
    ranking: Ranking, pairs: Sequence[PairResult], most: int = MOST_BRIEF
) -> Sequence[PairResult]:
    """Return all pairs or, if they are more than `most`, those with the best system."""
    if len(pairs) <= most:
        return pairs
    best, *others = [system.id for system in ranking.systems[: MOST_IN_MATRIX + 1]]
    ends = {frozenset((best, other)) for other in others}
    return [pair for pair in pairs if {pair.system_a, pair.system_b} in ends]


def pairs_on_page(comparison: ComparisonResult, most: int) -> ComparisonResult:
    """Return a comparison with `shown_pairs` only, each of which has its better system first."""
    rankings = (
        replace(ranking, pairs=tuple(shown_pairs(ranking, _ranked(ranking, ranking), most)))
        for ranking in comparison.rankings
    )
    return replace(comparison, rankings=tuple(rankings))
