"""The study ``compare``: which of several systems is better, and which of them are tied."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rouge_cli.errors import OptionError
from rouge_cli.options import readers
from rouge_cli.options.declaration import options_under
from rouge_cli.options.readers import Number
from rouge_cli.options.reports import SCORE_FIGURES
from rouge_cli.options.studies import (
    StudyOptions,
    measures_option,
    output_option,
    report_option,
    seed_option,
    systems_option,
)
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.studies.study import Answer, ScoreSource, Study

if TYPE_CHECKING:
    from rouge_cli.options.scores import ScoreOptions
    from rouge_cli.scores.results import Results
    from rouge_cli.studies.compare.results import ComparisonResult
    from rouge_cli.studies.paired_tests import TestPlan

COMPARE = "Compare"
option = options_under(COMPARE)
ONE_OR_MORE = readers.whole(1, 10_000_000)

RUNS_OF_CLUSTERS = "--run draws texts one by one: it excludes --cluster"


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonOptions(StudyOptions):
    """The options of ``compare``."""

    measures: str = measures_option(
        COMPARE, "Which of R, P and F to compare, such as RPF; by default F."
    )
    resamples: int | None = option(
        "-r --resamples N: Number of resamples of each test; by default 10000, or what many "
        "comparisons ask for.",
        ONE_OR_MORE,
    )
    seed: int = seed_option(
        COMPARE, "Seed of the resamples, printed in each report; by default 2004."
    )
    equivalence: Number | None = option(
        "--equivalence MARGIN: Also test whether two systems are the same within this difference "
        "of their means.",
        readers.DIFFERENCE,
        is_common=True,
    )
    dataset: str | None = option(
        "--dataset FIELD: Compare on each data set, too: the field of records that names it, read "
        "as --cluster is.",
        readers.string,
        is_common=True,
    )
    run: str | None = option(
        "--run FIELD: Field of records that names the run of a system, such as its seed: compare "
        "means over runs, and say how far runs move them.",
        readers.string,
    )
    report: str = report_option(COMPARE)
    output: str | None = output_option(COMPARE)
    system_ids: tuple[str, ...] = systems_option(
        COMPARE, "Compare this system; repeat for each; by default all."
    )
    verbose: bool = option(
        "-v --verbose: Show all tables: means and groups, both tests, what could have been found; "
        "JSON, pages and CSV always have all.",
        is_common=True,
    )

    def check(self) -> None:
        """Refuse ``--run`` together with ``--dataset``; raises OptionError."""
        if self.run is not None and self.dataset is not None:
            raise OptionError("--run and --dataset exclude each other; give one")


class CompareStudy(Study):
    """Say which of several systems is better, and which differences could be chance.

    CONFIG or the options name the texts, as for score, and several files are several systems; all
    systems are compared, or those that --system-id names. Each pair is tested in each metric, on
    the texts that all systems have, by paired bootstrap and by approximate randomisation,
    two-sided. p is also given after Holm's correction over all pairs and metrics. The report begins
    with which system is best, and whether that can be said.
    """

    options = ComparisonOptions
    name = "compare"
    view_class = "rouge_cli.studies.compare.view:ComparisonView"
    shows_evals = True
    figures = SCORE_FIGURES
    default_figure = "differences"
    needs = "compare needs"

    def scoring(self, given: Mapping[str, Any], asked: ComparisonOptions) -> Mapping[str, Any]:
        """Return the options of scoring, in which data sets are clusters; raises OptionError."""
        # Both name a field that groups EVALs, so one way to read such a field is enough.
        if asked.run is not None and given.get("cluster") is not None:
            raise OptionError(RUNS_OF_CLUSTERS)
        if asked.dataset is None:
            return super().scoring(given, asked)
        if given.get("cluster") is not None:
            raise OptionError("--dataset and --cluster exclude each other; give one")
        return super().scoring({**given, "cluster": asked.dataset}, asked)

    def run(self, source: ScoreSource, asked: ComparisonOptions) -> Answer:
        try:
            return super().run(source, asked)
        except OptionError as error:
            # Data sets are read as clusters, but the user did not type --cluster.
            if asked.dataset is None or not str(error).startswith("--cluster"):
                raise
            raise OptionError(str(error).replace("--cluster", "--dataset", 1)) from None

    def choose(self, known: Sequence[str], asked: ComparisonOptions) -> tuple[str, ...]:
        """Return the systems to compare or, with ``--run``, all their runs; raises OptionError."""
        if asked.run is None:
            return super().choose(known, asked)
        from rouge_cli.studies.compare.runs import systems_of_runs

        runs = systems_of_runs(known, asked.run)
        return tuple(name for system in super().choose([*runs], asked) for name in runs[system])

    def answer(
        self,
        results: "Results",
        systems: tuple[str, ...],
        asked: ComparisonOptions,
        scores: "ScoreOptions",
    ) -> "ComparisonResult":
        """Compare every pair of systems, also over runs or on data sets if options ask for it."""
        from rouge_cli.studies.compare import comparison, replicability
        from rouge_cli.studies.compare.results import Additions

        plan = test_plan(asked, scores)
        if asked.run is not None:
            return _compared_runs(results, systems, plan, asked.run)
        if asked.dataset is None:
            return comparison.compare(results, systems, plan)
        sets, results = _without_clusters(results, asked.dataset)
        across, warnings = replicability.across_sets(results, systems, plan, sets)
        more = Additions(across=across, warnings=warnings)
        return comparison.compare(results, systems, plan, more)

    def has_eval_page(self, asked: ComparisonOptions) -> bool:
        """Return whether the page shows EVALs: not with runs, each of which has its own texts."""
        return asked.run is None

    def page_scores(self, results: "Results", asked: ComparisonOptions) -> "Results":
        """Return the scores of the systems that are compared, with their intervals."""
        from rouge_cli.scores.summaries import summarise

        if asked.dataset is not None:
            _, results = _without_clusters(results, asked.dataset)
        known = results.table.systems
        systems = {system: known[system] for system in asked.system_ids or known}
        table = replace(results.table, systems=systems)
        # The comparison resamples differences only, so the intervals of scores need a bootstrap.
        options = results.options.changed(resamples=1000, measures=asked.measures)
        summaries = summarise(table, options.scores)
        return replace(results, systems=summaries, table=table, options=options)


STUDY = CompareStudy()


def _compared_runs(
    results: "Results", names: Sequence[str], plan: "TestPlan", field: str
) -> "ComparisonResult":
    from rouge_cli.studies.compare import comparison, runs
    from rouge_cli.studies.compare.results import Additions

    if results.table.clusters:
        raise OptionError(RUNS_OF_CLUSTERS)
    of_systems = runs.systems_of_runs(names, field)
    if [*of_systems] == [*names]:
        raise OptionError(
            f"--run: the scores do not have the field {field!r}, which names a run as in "
            f"'SYSTEM {field}=1'; score with --run {field}"
        )
    if all(len(of_system) == 1 for of_system in of_systems.values()):
        raise OptionError(
            f"--run: no system has two runs, named as in '{next(iter(of_systems))} {field}=1'; "
            "compare without --run"
        )
    merged, warnings = runs.merged_runs(results, of_systems)
    evals = next(iter(merged.table.systems.values())).eval_ids
    over_runs, of_pairs = runs.compared_over_runs(results, of_systems, evals, plan)
    warnings += runs.run_warnings(of_systems, over_runs)
    more = Additions(over_runs, of_pairs, warnings=warnings)
    return comparison.compare(merged, [*of_systems], plan, more)


def _without_clusters(results: "Results", field: str) -> "tuple[Mapping[str, str], Results]":
    """Split clusters off scores: return the data set of each EVAL, and unclustered scores.

    Data sets are read as clusters. Raises OptionError if the clusters come from another field.
    """
    options, sets = results.options, results.table.clusters
    if options.inputs.cluster != field or not sets:
        raise OptionError(
            f"--dataset: the scores do not have the field {field!r}; score with --cluster {field}"
        )
    table = replace(results.table, clusters={})
    return sets, replace(results, table=table, options=options.changed(cluster=None))


def test_plan(asked: ComparisonOptions, scores: "ScoreOptions") -> "TestPlan":
    """Return the plan of the tests for these options."""
    from rouge_cli.studies.paired_tests import RESAMPLES, TestPlan, exact_share

    return TestPlan(
        asked.measures,
        asked.resamples or RESAMPLES,
        asked.seed,
        exact_share(scores.confidence),
        None if asked.equivalence is None else Fraction(asked.equivalence.text),
        may_grow=asked.resamples is None,
    )
