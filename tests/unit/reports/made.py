"""Results made by hand, whose every number is chosen, and their reports."""

import csv
import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from io import StringIO
from itertools import combinations
from math import isnan
from pathlib import Path
from textwrap import fill
from typing import Any, ClassVar

import numpy as np

from rouge_cli import __version__
from rouge_cli.explanations import (
    ExplainedEval,
    ExplainedPeer,
    ExplainedRun,
    LeftOut,
    MetricExplanation,
    PairExplanation,
    Question,
    ScoredCounts,
    SeenText,
    SourceText,
)
from rouge_cli.explanations.view import ExplanationView
from rouge_cli.metrics.counts import Counts, Match, PairMarks
from rouge_cli.metrics.metric import scored_metrics
from rouge_cli.options.options import Options
from rouge_cli.options.scores import ScoreOptions
from rouge_cli.reports import Screen, View, write_report
from rouge_cli.reports.document import (
    BEST,
    BETTER,
    TIED,
    Cell,
    Column,
    Document,
    Note,
    Section,
    Table,
)
from rouge_cli.reports.wording import citation
from rouge_cli.scores.results import Measure, MetricScores, Results, SystemScores
from rouge_cli.studies.compare.results import (
    ComparisonResult,
    PairResult,
    RandomisationResult,
    RankedSystem,
    Ranking,
    TestResult,
)
from rouge_cli.studies.compare.view import ComparisonView
from rouge_cli.studies.correlate import CorrelationOptions
from rouge_cli.studies.correlate.accuracies import SoftAccuracy, TiedAccuracy
from rouge_cli.studies.correlate.coefficients import PairOrders
from rouge_cli.studies.correlate.judged_cells import Condition
from rouge_cli.studies.correlate.result import (
    CorrelationColumn,
    CorrelationPlan,
    CorrelationStudy,
    MetricCorrelation,
    MetricPermutation,
    MetricTest,
    WilliamsTest,
)
from rouge_cli.studies.correlate.view import CorrelationView
from rouge_cli.studies.paired_tests import TestPlan
from rouge_cli.studies.resampling import EffectSize
from rouge_cli.studies.score.view import ScoreView
from rouge_cli.studies.score_columns import ScoreColumn
from tests.unit.score_tables import table_of, thresholds_of

SIGNATURE = (
    f"rouge-cli:{__version__}|like:1.5.5|n:1|stem:no|stop:no|limit:no|formula:A|alpha:0.5|count:eval|"
    "resamples:1000|confidence:95"
)
"""That of the options of `made` as they are."""

ODD_IDS = [
    "[red]x[/red]",
    "a|b",
    "a_b & c%",
    "=1+1",
    "x" * 60,
    "\u4e2d\u6587\u6a21\u578b",
    "*star*",
    "[2ex]",
    "<b>`{$^~#}\\\"--''",
    "two\nlines\t\x1b[31m",
    "\u00e9\u0142\u00df",
    "raw\udcff",
]


def report(
    result: Results | ComparisonResult | CorrelationStudy | View,
    kind: str,
    screen: Screen | None = None,
    *,
    is_verbose: bool = False,
) -> str:
    view: View
    if isinstance(result, Results):
        view = ScoreView(result)
    elif isinstance(result, ComparisonResult):
        view = ComparisonView(result, is_verbose)
    elif isinstance(result, CorrelationStudy):
        view = CorrelationView(result)
    else:
        view = result
    return "".join(write_report(view, kind, screen))


def cite(**options: Any) -> str:
    return "".join(citation(Options.of(options)))


def compile_latex(body: str, packages: str, folder: Path) -> str:
    """Compile a document, twice as references need, and return what pdflatex says."""
    (folder / "report.tex").write_text(
        f"\\documentclass{{article}}\n{packages}\n\\begin{{document}}\n{body}\\end{{document}}\n",
        "utf-8",
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "report.tex"]
    for _ in range(2):
        finished = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    log = finished.stdout.decode("utf-8", "replace")
    assert finished.returncode == 0, log[-2000:]
    return log


def fields(result: Any, number: int) -> str:
    """Return the fields of a row of CSV that are not empty, in lines."""
    row = [*csv.DictReader(StringIO(report(result, "csv")))][number]
    texts = [f"{name}={value}" for name, value in row.items() if value]
    return fill(" ".join(texts), 98, break_on_hyphens=False, break_long_words=False) + "\n"


def value(result: Any, path: str) -> str:
    """Return the value at a path of a JSON report, in lines."""
    found = json.loads(report(result, "json"))
    for step in path.split("/"):
        found = found[int(step) if isinstance(found, list) else step]
    return fill(json.dumps(found), 98, break_on_hyphens=False, break_long_words=False) + "\n"


def measure(average: float, per_eval: Sequence[float], *, bootstrap: bool = True) -> Measure:
    """Make a measure whose interval is a tenth to both sides, and whose plain mean is less."""
    scores = np.array(per_eval, np.float64)
    if not bootstrap:
        return Measure(average, None, None, scores)
    lower, upper, mean = (round(average + shift, 9) for shift in (-0.1, 0.1, -0.001))
    return Measure(mean, average, (lower, upper), scores)


def made(
    f_measures: Mapping[str, Sequence[float]],
    evals: Mapping[str, Sequence[str]] | None = None,
    warnings: Sequence[str] = (),
    **given: Any,
) -> Results:
    """Make results.

    F of each metric is given for each system; recall is 0.05 more and precision 0.05 less. Of the
    EVALs (two, ``1`` and ``2``, if not given) the k-th scores k tenths, and counts k, 2k and 3k.
    """
    options = Options.of({"max_ngram": 1, "lcs": False} | given)
    names = [metric.name for metric in scored_metrics(options.metrics)]
    systems = {}
    for system, values in f_measures.items():
        ids = tuple((evals or {}).get(system, ("1", "2")))
        ranks = np.arange(1, len(ids) + 1)
        counts = Counts(ranks, 2 * ranks, 3 * ranks)
        per_eval = [rank / 10 for rank in ranks.tolist()]
        metrics = {}
        for name, value in zip(names, values, strict=True):
            recall, precision, f = (
                measure(round(value + shift, 9), per_eval, bootstrap=options.scores.resamples > 0)
                for shift in (0.05, -0.05, 0.0)
            )
            metrics[name] = MetricScores(name, {"R": recall, "P": precision, "F": f}, counts)
        systems[system] = SystemScores(system, ids, metrics)
    return Results(systems, table_of(systems), options, tuple(warnings))


def with_counts(results: Results, *counts: Sequence[float]) -> Results:
    """Give all metrics the same counts: hits, those of models, those of peers."""
    shared = Counts(*map(np.array, counts))
    systems = {
        name: replace(
            system,
            metrics={key: replace(one, counts=shared) for key, one in system.metrics.items()},
        )
        for name, system in results.systems.items()
    }
    return replace(results, systems=systems)


def checked(systems: Sequence[str], *required: str, **given: Any) -> View:
    """Make results of systems with an F of 0.2, 0.3, 0.4, ..., compared with requirements."""
    scores = {system: [0.2 + place / 10] for place, system in enumerate(systems)}
    results = made(scores, require=required, **given)
    return ScoreView(results, checks=thresholds_of(results.options)(results).checks)


def three(names: str = "a,b", **given: Any) -> Results:
    """Make results of two systems in three metrics."""
    first, second = names.split(",")
    scores = {first: [0.2, 0.1, 0.15], second: [0.3, 0.2, 0.25]}
    return made(scores, max_ngram=2, lcs=True, **given)


def odd(**given: Any) -> Results:
    """Make results of systems with odd IDs."""
    return made({system: [k / 20] for k, system in enumerate(ODD_IDS)}, **given)


HUMAN_MARKS = {"a": (3.5, 2.25), "b": (4.0, 1.0)}
"""What somebody thinks of two EVALs of each system, from 0 to 5."""


def judged(**given: Any) -> Results:
    """Make results with ROUGE-1 and, beside it, the marks."""
    results = made({"a": [0.2], "b": [0.1]}, **given)
    has_bootstrap = results.options.scores.resamples > 0
    systems = {}
    for name, system in results.systems.items():
        mean, interval = (sum(HUMAN_MARKS[name]) / 2, (1.0, 4.0))
        drawn = (mean + 0.001, interval) if has_bootstrap else (None, None)
        score = Measure(mean, drawn[0], drawn[1], np.array(HUMAN_MARKS[name]))
        marks = MetricScores("human mark", {"S": score}, None)
        systems[name] = replace(system, metrics={**system.metrics, marks.name: marks})
    return Results(systems, table_of(systems), results.options)


COMPARED = Options.of({"max_ngram": 1, "lcs": False, "resamples": 0, "all": True})


def pair(
    names: Sequence[str],
    n_evals: int,
    difference: float,
    p: float,
    letters: tuple[tuple[str, ...], tuple[str, ...]] = ((), ()),
    *,
    is_exact: bool = False,
) -> PairResult:
    """Make a pair whose p after Holm is three times its p, and the interval 0.01 to both sides."""
    three = min(1.0, 3 * p)
    test = TestResult(p, three, three <= 0.05)
    return PairResult(
        ScoreColumn("ROUGE-1", "F"),
        *(names[0], names[1]),
        n_evals=n_evals,
        n_unequal=n_evals - 1,
        mean_a=0.5 + difference,
        mean_b=0.5,
        difference=difference,
        interval=(difference - 0.01, difference + 0.01),
        bootstrap=test,
        randomisation=RandomisationResult(p, three, three <= 0.05, is_exact),
        letters_a=letters[0],
        letters_b=letters[1],
    )


def comparison(
    names: Sequence[str] = ("one", "two", "three"), *, evals: int = 30
) -> ComparisonResult:
    one, two, three = names
    pairs = (
        pair((one, two), 30, -0.00001, 0.625, is_exact=True),
        pair((one, three), evals, -0.25, 2**-17, (("b", "c"), ("a",))),
        pair((two, three), 30, -0.125, 0.012),
    )
    systems = (
        RankedSystem(three, evals, 0.75, ("a",)),
        RankedSystem(two, 30, 0.625, ("b",)),
        RankedSystem(one, 30, 0.5, ("b", "c")),
    )
    ranking = Ranking(ScoreColumn("ROUGE-1", "F"), systems, pairs)
    plan = TestPlan("F", 100_000, 7, Fraction(19, 20))
    return ComparisonResult((one, two, three), (ranking,), plan, COMPARED, ("take care",))


def with_more() -> ComparisonResult:
    """Make a comparison of clusters with all that may be asked for."""
    compared = comparison()
    (ranking,) = compared.rankings
    same = TestResult(0.01, 0.03, is_significant=True)
    one, two, three = (
        replace(
            one,
            n_clusters=6,
            minimum_detectable_difference=0.0123,
            equivalence=same,
            skewness=-1.5,
            effect=EffectSize(0.5, 0.1, 0.9),
        )
        for one in ranking.pairs
    )
    two = replace(
        two, minimum_detectable_difference=None, equivalence=replace(same, is_significant=False)
    )
    plan = replace(compared.plan, margin=Fraction(1, 50))
    return replace(compared, rankings=(replace(ranking, pairs=(one, two, three)),), plan=plan)


def in_two_metrics() -> ComparisonResult:
    """Make a comparison in a second metric too, in which nobody is better than the others."""
    compared = comparison()
    (ranking,) = compared.rankings
    unknown = RandomisationResult(0.5, 0.75, is_significant=False)
    column = ScoreColumn("ROUGE-2", "F")
    pairs = tuple(replace(x, column=column, randomisation=unknown) for x in ranking.pairs)
    other = replace(ranking, column=column, pairs=pairs)
    return replace(compared, rankings=(ranking, other))


def with_human_mark() -> ComparisonResult:
    """Make a comparison in a single score too."""
    compared = comparison()
    (ranking,) = compared.rankings
    column = replace(ranking.column, metric="human mark", letter="S")
    pairs = tuple(replace(pair, column=column) for pair in ranking.pairs)
    return replace(compared, rankings=(ranking, replace(ranking, column=column, pairs=pairs)))


def ranked(n_systems: int, form: str = "s{:03}", n_metrics: int = 1) -> ComparisonResult:
    """Make a comparison of systems whose names ascend as their means descend.

    In the k-th metric the best system and the next k - 1 cannot be told apart.
    """
    names = [form.format(number) for number in range(n_systems)]
    all_pairs = list(combinations(names, 2))
    rankings = []
    for k in range(n_metrics):
        pairs = (
            *(pair(two, 30, 0.1, 0.5) for two in all_pairs[:k]),
            *(pair(two, 30, 0.1, 0.001) for two in all_pairs[k:]),
        )
        systems = tuple(RankedSystem(name, 30, 1 - n / 1000, ()) for n, name in enumerate(names))
        rankings.append(Ranking(ScoreColumn(f"ROUGE-{k + 1}", "F"), systems, pairs))
    return replace(comparison(), systems=tuple(names), rankings=tuple(rankings))


NAN = float("nan")


def plan(resamples: int = 1000, **options: Any) -> CorrelationPlan:
    return CorrelationPlan(CorrelationOptions(seed=7, **options), ScoreOptions(resamples=resamples))


PLAIN = Condition(None, "all", ("rouge-cli:x|stem:no",))
ROWS = (ScoreColumn("ROUGE-1", "F"), ScoreColumn("ROUGE-L", "F"), ScoreColumn("ROUGE-S*", "F"))


def correlation(value: float, mark: str = "", p: float | None = None) -> MetricCorrelation:
    """Return a correlation with an interval a tenth around it."""
    bounds = None if isnan(value) else (value - 0.1, value + 0.1)
    return MetricCorrelation(ROWS[0], value, 4, 1, bounds, 3, mark == "*", p, mark == "~")


def column(
    coefficient: str, *found: MetricCorrelation, condition: Condition = PLAIN
) -> CorrelationColumn:
    """Return a column at the summary level."""
    named = tuple(replace(one, row=row) for one, row in zip(found, ROWS, strict=False))
    return CorrelationColumn("a_b", "summary", coefficient, condition, named, ())


STUDY = CorrelationStudy(
    rows=ROWS,
    columns=(
        column("pearson", correlation(0.5, "*"), correlation(-0.25, p=0.01), correlation(NAN)),
        column("kendall", correlation(0.25, "~", 0.5), correlation(0.75, "*"), correlation(NAN)),
    ),
    systems=("a", "b", "c"),
    eval_ids=("1", "2", "3", "4", "5"),
    judgements=("a_b",),
    is_per_eval=True,
    conditions=(PLAIN,),
    is_by_condition=False,
    plan=plan(),
    warnings=("some",),
)


def with_single_score(letter: str = "F") -> CorrelationStudy:
    """Make a study whose last metric has a single score; `letter` is the measure of the first."""
    rows = (replace(ROWS[0], letter=letter), ROWS[1], ScoreColumn("human mark", "S"))
    columns = tuple(
        replace(
            column,
            correlations=tuple(map(lambda x, row: replace(x, row=row), column.correlations, rows)),
        )
        for column in STUDY.columns
    )
    return replace(STUDY, rows=rows, columns=columns)


def with_pairs() -> CorrelationStudy:
    """Return the study at the system level, with tests between metrics."""
    tests = (
        MetricTest(
            ROWS[0],
            ROWS[1],
            MetricPermutation(0.75, 0.001, 2, p_holm=0.002),
            WilliamsTest(2.5, 1, 0.04, 0.02, 0.08),
        ),
        MetricTest(ROWS[0], ROWS[2], MetricPermutation(-0.0004, 0.9), None),
        MetricTest(ROWS[1], ROWS[2], MetricPermutation(None, None), None),
    )
    columns = tuple(replace(one, level="system", tests=tests) for one in STUDY.columns)
    return replace(STUDY, columns=columns, plan=plan(pairs=True))


def by_condition() -> CorrelationStudy:
    """Return a study of three conditions, as in the paper."""
    conditions = (Condition("as-is", "one", ("s1",)), Condition("stop", "one", ("s2",)),
                  Condition("as-is", "all", ("s3",)))  # fmt: skip
    found = correlation(0.5, "*"), correlation(0.4, "~", 0.2), correlation(0.3, p=0.01)
    columns = tuple(column("pearson", *found, condition=one) for one in conditions)
    return replace(STUDY, columns=columns, conditions=conditions, is_by_condition=True)


def with_accuracies() -> CorrelationStudy:
    """Return a study of the accuracies over pairs, of which one is undefined."""
    ties = TiedAccuracy(0.5, 0.75, 0.0125, 4, 2, 0.025)
    nothing = TiedAccuracy(NAN, NAN, NAN, 0, 0, NAN)
    found: dict[str, tuple[Any, Any]] = {
        "pa": (PairOrders(3, 2, 1, 0, 0, 3), PairOrders(0, 0, 4, 0, 2, 1)),
        "acc-eq": (ties, nothing),
        "spa": (SoftAccuracy(0.75, is_exact=False), SoftAccuracy(NAN, is_exact=False)),
    }
    columns = tuple(
        replace(
            column(
                name,
                replace(correlation(0.75, "*"), detail=first),
                replace(correlation(NAN), detail=second),
            ),
            level="summary" if name == "acc-eq" else "system",
        )
        for name, (first, second) in found.items()
    )
    return replace(STUDY, rows=STUDY.rows[:2], columns=columns)


STEMMED = Options.of({"stem": True, "max_ngram": 1, "lcs": False})
PEER = SeenText(("police", "killed"), (2,), ("polic", "kill"))
MODEL = SeenText(("police",), (1,), ("polic",))
TALLY = ScoredCounts(1, 1, 2, None, (1.0, 0.5, 0.66667))
MARKS = PairMarks((Match(((0,),), ((0,),), 1),))
PAIR = PairExplanation(TALLY, True, PEER, MODEL, b"\2\0", b"\2", MARKS)
EXPLANATION = ExplanationView(
    ExplainedRun(
        (
            ExplainedEval(
                "1",
                (SourceText("A", "a.txt", ("police",), LeftOut()),),
                (
                    ExplainedPeer(
                        SourceText("s", "s.txt", ("police killed",), LeftOut()),
                        (
                            MetricExplanation(
                                scored_metrics(STEMMED.metrics)[0], TALLY.values, TALLY, (PAIR,)
                            ),
                        ),
                    ),
                ),
            ),
        ),
        Question(),
        STEMMED,
    )
)


@dataclass(frozen=True, slots=True)
class Marks(View):
    """A value that is the largest, one that a test found better, a tied one, and another."""

    kind: ClassVar[str] = "marks"
    result: None = None

    def document(self) -> Document:
        rows = tuple((Cell("x", mark=mark),) for mark in (BEST, BETTER, TIED, ""))
        notes = tuple(Note(((mark, "meaning."),)) for mark in (BEST, BETTER, TIED))
        return Document((Section("marks", (Table((Column("m"),), rows),), "Marks"),), notes, ("s",))
