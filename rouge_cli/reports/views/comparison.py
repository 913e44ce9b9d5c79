"""A comparison: for each metric and measure its pairs, and its systems with their groups."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from rouge_cli.escapes import escape_unprintable
from rouge_cli.options.scores import HISTOGRAM
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import Row
from rouge_cli.reports.figure import Figure
from rouge_cli.reports.table import BEST, Cell, Column, Document, Mark, Note, Role, Section, Table
from rouge_cli.reports.views.score_figures import difference_figure
from rouge_cli.reports.views.wording import counted, lower_note, measure_label, number, p_value
from rouge_cli.scoring.signature import signature
from rouge_cli.statistics.comparison_records import Comparison, PairResult, Ranking, TestResult
from rouge_cli.version import __version__

__all__ = ["ComparisonView"]

DECIMALS = 4

COLUMNS = (
    "metric", "measure", "system_a", "system_b", "n_evals", "n_unequal", "mean_a", "mean_b",
    "difference", "lower", "upper", "p_bootstrap", "p_bootstrap_holm", "p_randomisation",
    "p_randomisation_holm", "is_exact", "better", "p_romano_wolf", "detectable",
    "p_equivalence", "p_equivalence_holm", "skewness", "n_clusters", "letters_a", "letters_b",
    "n_comparisons", "resamples", "confidence", "margin", "seed", "draws", "signature",
)  # fmt: skip

MORE_COLUMNS = (
    Column("A", "l", Role.NAME),
    Column("B", "l", Role.NAME),
    Column("R-W", role=Role.LABEL),
    Column("detectable", role=Role.LABEL, full_heading="Detectable"),
)
SAME_COLUMNS = (
    Column("p", role=Role.LABEL, group="equivalence", full_heading="Equivalence p"),
    Column("Holm", role=Role.LABEL, group="equivalence", full_heading="Equivalence Holm"),
    Column("the same", "l", role=Role.LABEL, full_heading="The same"),
)
RANKING_COLUMNS = (
    Column("System", "l", Role.NAME),
    Column("N", role=Role.LABEL),
    Column("Mean", role=Role.LABEL),
    Column("Groups", "l"),
)


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """Which of several systems is better."""

    kind: ClassVar[str] = "comparison"
    comparison: Comparison

    def document(self) -> Document:
        """Return a section for each metric and measure, in the order of print."""
        comparison = self.comparison
        pair_columns = _pair_columns(comparison)
        sections = (
            Section(
                f"comparison-{place}",
                tuple(_section_tables(ranking, pair_columns)),
                measure_label(ranking.column.metric, ranking.column.letter),
            )
            for place, ranking in enumerate(comparison.rankings, 1)
        )
        signatures = (signature(comparison.options),)
        return Document(tuple(sections), tuple(_notes(comparison)), signatures)

    def rows(self) -> Iterator[Row]:
        """Yield a row for each pair of systems in each metric and measure."""
        return _rows(self.comparison)

    def data(self) -> dict[str, Any]:
        """Return per metric and measure the pairs and the systems, the best first."""
        return _comparison_dict(self.comparison)

    def figures(self) -> tuple[Figure, ...]:
        """Return the differences with their intervals."""
        return (difference_figure(self.comparison),)


def _pair_columns(comparison: Comparison) -> tuple[Column, ...]:
    """Return the columns of the pairs; all stay together."""
    sizes = {(pair.n_evals, pair.n_clusters) for pair in comparison.pairs}
    common = _size(*sizes.pop()) if len(sizes) == 1 else ""
    tests = [
        Column(f"{test}.", role=Role.LABEL, group=group, full_heading=f"{group} {test}.")
        for group in ("p", "Holm")
        for test in ("boot", "rand")
    ]
    return (
        Column("A", "l", Role.NAME),
        Column("B", "l", Role.NAME),
        Column("N", role=Role.LABEL, common=common),
        Column("A - B", role=Role.LABEL, is_signed=True),
        Column("interval", role=Role.LABEL, full_heading="Interval", is_signed=True),
        *tests,
    )


def _size(n_evals: int, n_clusters: int | None) -> str:
    """Say over what pairs are compared."""
    evals = counted(n_evals, "EVAL")
    return evals if n_clusters is None else f"{evals} in {counted(n_clusters, 'cluster')}"


def _section_tables(ranking: Ranking, columns: tuple[Column, ...]) -> Iterator[Table]:
    """Yield the tables of a metric and measure."""
    yield _pair_table(ranking, columns)
    if any(_has_more(pair) for pair in ranking.pairs):
        has_margin = any(pair.equivalence is not None for pair in ranking.pairs)
        more = MORE_COLUMNS + (SAME_COLUMNS if has_margin else ())
        yield Table(more, tuple(tuple(_more_cells(pair)) for pair in ranking.pairs))
    yield _ranking_table(ranking)


def _has_more(pair: PairResult) -> bool:
    """Say whether more than the two tests is known of a pair."""
    return any(one is not None for one in (pair.p_romano_wolf, pair.detectable, pair.equivalence))


def _more_cells(pair: PairResult) -> Iterator[Cell]:
    """Yield what else is known of a pair."""
    yield from (Cell(escape_unprintable(name)) for name in (pair.system_a, pair.system_b))
    yield Cell(p_value(pair.p_romano_wolf))
    yield Cell(number(pair.detectable, DECIMALS))
    if pair.equivalence is not None:
        yield Cell(p_value(pair.equivalence.p))
        yield Cell(p_value(pair.equivalence.p_holm))
        yield Cell("yes" if pair.equivalence.is_significant else "not shown")


def _pair_table(ranking: Ranking, columns: tuple[Column, ...]) -> Table:
    """Make the table of the pairs."""
    return Table(columns, tuple(tuple(_pair_cells(pair)) for pair in ranking.pairs))


def _pair_cells(pair: PairResult) -> Iterator[Cell]:
    """Yield the cells of a pair, the better system marked."""
    for system in (pair.system_a, pair.system_b):
        mark: Mark = BEST if system == pair.better else ""
        yield Cell(escape_unprintable(system), mark=mark)
    yield Cell(str(pair.n_evals))
    yield Cell(number(pair.difference, DECIMALS))
    lower, upper = (number(bound, DECIMALS) for bound in pair.interval)
    yield Cell("", (lower, upper))
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


def _notes(comparison: Comparison) -> Iterator[Note]:
    """Yield what the columns mean and how they were made."""
    plan, pairs = comparison.plan, comparison.pairs
    drawn = ", drawn by histograms of the differences" if plan.bootstrap == HISTOGRAM else ""
    n_exact = sum(pair.randomisation.is_exact for pair in pairs)
    unknown = ", which needs draws that pairs share" if drawn else ""
    level = f"{float(plan.level):g}"
    yield Note.of(
        "A - B: difference of the means over the EVALs that both systems have, with its "
        f"{comparison.options.scores.confidence.text}% interval from the bootstrap."
    )
    yield Note.of(
        "p, two-sided: boot. by the paired bootstrap, rand. by approximate randomisation, with "
        f"{plan.resamples} resamples each ({n_exact} of {len(pairs)} rand. exact: all swaps "
        f"enumerated); seed {plan.seed}{drawn}."
    )
    yield Note.of(f"Holm: p corrected over {_all_of(pairs)} of this report, each test apart.")
    if any(_has_more(pair) for pair in pairs):
        yield Note.of(
            f"R-W: p of rand., corrected by the method of Romano and Wolf{unknown}. detectable: "
            "the smallest difference of means that rand. finds in 80% of such studies, as the "
            f"first one of Holm's (at {level} / {len(pairs)}); -: the differences have no spread "
            "to tell by."
        )
    if plan.margin is not None:
        yield Note.of(
            f"equivalence: p of systems that differ by {float(plan.margin):g} or more (two "
            f"one-sided tests by randomisation); the same: it is at most {level} after Holm."
        )
    lower = {one.column.metric for one in comparison.rankings if one.column.is_lower_better}
    if lower:
        yield lower_note(sorted(lower))
    better = f"the better system, if rand. after Holm is at most {level}."
    shared = "Systems that share a letter cannot be told apart by this."
    yield Note(((BEST, better), ("", shared)))


def _rows(comparison: Comparison) -> Iterator[Row]:
    """Yield the names of the columns, and a row for each pair in each metric and measure.

    Letters are separated by blanks; `better` is None where no system is.
    """
    yield COLUMNS
    plan = comparison.plan
    of_run = (
        len(comparison.pairs),
        plan.resamples,
        float(plan.confidence * 100),
        None if plan.margin is None else float(plan.margin),
        plan.seed,
        plan.bootstrap,
        signature(comparison.options),
    )
    for ranking in comparison.rankings:
        letters = {system.id: " ".join(system.letters) for system in ranking.systems}
        for pair in ranking.pairs:
            groups = letters[pair.system_a], letters[pair.system_b]
            yield (*_pair_values(ranking, pair), *groups, *of_run)


def _pair_values(ranking: Ranking, pair: PairResult) -> Row:
    """Return the values of a pair, up to the better one."""
    column, bootstrap, randomisation = ranking.column, pair.bootstrap, pair.randomisation
    return (
        column.metric,
        column.measure,
        pair.system_a,
        pair.system_b,
        pair.n_evals,
        pair.n_unequal,
        pair.mean_a,
        pair.mean_b,
        pair.difference,
        *pair.interval,
        bootstrap.p,
        bootstrap.p_holm,
        randomisation.p,
        randomisation.p_holm,
        str(randomisation.is_exact).lower(),
        pair.better,
        pair.p_romano_wolf,
        pair.detectable,
        pair.equivalence.p if pair.equivalence else None,
        pair.equivalence.p_holm if pair.equivalence else None,
        pair.skewness,
        pair.n_clusters,
    )


def _comparison_dict(comparison: Comparison) -> dict[str, Any]:
    """Return per metric and measure the pairs and the systems; all numbers are finite."""
    plan = comparison.plan
    return {
        "program": "rouge-cli",
        "version": __version__,
        "signature": signature(comparison.options),
        "seed": plan.seed,
        "draws": plan.bootstrap,
        "resamples": plan.resamples,
        "confidence": float(plan.confidence * 100),
        "level": float(plan.level),
        "margin": None if plan.margin is None else float(plan.margin),
        "n_comparisons": len(comparison.pairs),
        "warnings": list(comparison.warnings),
        "systems": list(comparison.systems),
        "metrics": [_ranking_dict(ranking) for ranking in comparison.rankings],
    }


def _ranking_dict(ranking: Ranking) -> dict[str, Any]:
    """Return what is known in a measure of a metric."""
    return {
        "metric": ranking.column.metric,
        "measure": ranking.column.measure,
        **({"lower_is_better": True} if ranking.column.is_lower_better else {}),
        "pairs": [_pair_dict(pair) for pair in ranking.pairs],
        "ranking": [
            {
                "system": system.id,
                "n_evals": system.n_evals,
                "mean": system.mean,
                "letters": list(system.letters),
            }
            for system in ranking.systems
        ],
    }


def _pair_dict(pair: PairResult) -> dict[str, Any]:
    """Return the numbers of a pair."""
    return {
        "system_a": pair.system_a,
        "system_b": pair.system_b,
        "n_evals": pair.n_evals,
        "n_unequal": pair.n_unequal,
        "mean_a": pair.mean_a,
        "mean_b": pair.mean_b,
        "difference": pair.difference,
        "interval": list(pair.interval),
        "bootstrap": _test_dict(pair.bootstrap),
        "randomisation": {
            **_test_dict(pair.randomisation),
            "p_romano_wolf": pair.p_romano_wolf,
            "is_exact": pair.randomisation.is_exact,
        },
        "equivalence": None if pair.equivalence is None else _test_dict(pair.equivalence),
        "detectable": pair.detectable,
        "skewness": pair.skewness,
        "n_clusters": pair.n_clusters,
        "better": pair.better,
    }


def _test_dict(result: TestResult) -> dict[str, Any]:
    """Return what a test says."""
    return {"p": result.p, "p_holm": result.p_holm, "is_significant": result.is_significant}
