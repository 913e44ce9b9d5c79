"""The study ``compare``: which of several systems is better, and which cannot be told apart."""

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from rouge_cli.options.declaration import Number, option, whole
from rouge_cli.options.reports import SCORE_FIGURES
from rouge_cli.options.studies import (
    DIFFERENCE,
    StudyOptions,
    measures_option,
    output_option,
    report_option,
    seed_option,
    systems_option,
)
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.studies.study import Study

if TYPE_CHECKING:
    from rouge_cli.options.scores import ScoreOptions
    from rouge_cli.scores.results import Results
    from rouge_cli.studies.comparison import Comparison
    from rouge_cli.studies.paired_tests import TestPlan

COMPARE = "Compare"
RESAMPLES = whole(1, 10_000_000, "a whole number from 1 to 10000000")

PAGE_RESAMPLES = 1000
"""Of the intervals of systems on a page: the comparison itself needs those of differences only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonOptions(StudyOptions):
    """How ``compare`` tests systems against each other."""

    measures: str = measures_option(
        COMPARE, "Which of R, P and F to compare, such as RPF; by default F."
    )
    resamples: int = option(
        "-r --resamples N",
        COMPARE,
        "Number of resamples of each test; by default 10000.",
        RESAMPLES,
        10_000,
    )
    seed: int = seed_option(
        COMPARE, "Seed of the resamples, printed in each report; by default 2004."
    )
    equivalence: Number | None = option(
        "--equivalence MARGIN",
        COMPARE,
        "Also test whether two systems are the same within this difference of their means.",
        DIFFERENCE,
    )
    report: str = report_option(COMPARE)
    output: str | None = output_option(COMPARE)
    system_ids: tuple[str, ...] = systems_option(
        COMPARE, "Compare this system; repeat for each; by default all."
    )
    verbose: bool = option(
        "-v --verbose",
        COMPARE,
        "Show all tables: means and groups, both tests, what could have been found; JSON, CSV and "
        "pages always have all.",
    )


class CompareStudy(Study):
    """Say which of several systems is better, and which differences could be chance.

    CONFIG or the options name the texts, as for score, and several files are several systems; all
    systems are compared, or those that --system-id names. Each pair is tested in each metric, on
    the EVALs that all systems have, by paired bootstrap and by approximate randomisation,
    two-sided. p is also given after Holm's correction over all pairs and metrics. The report begins
    with which system is best, and whether that can be said.
    """

    options = ComparisonOptions
    not_taken = frozenset({"all"})
    shows_evals = True
    figures = SCORE_FIGURES
    default_figure = "differences"
    python_options = ("confidence", "bootstrap")
    needs = "compare needs"

    def answer(
        self,
        results: "Results",
        systems: tuple[str, ...],
        asked: ComparisonOptions,
        scores: "ScoreOptions",
    ) -> "Comparison":
        """Compare every pair of systems."""
        from rouge_cli.studies import comparison

        return comparison.compare(results, systems, test_plan(asked, scores))

    def page_scores(self, results: "Results", asked: ComparisonOptions) -> "Results":
        """Return the scores of the systems that are compared, with intervals."""
        from rouge_cli.scores.summaries import summarise

        known = results.table.systems
        systems = {system: known[system] for system in asked.system_ids or known}
        table = replace(results.table, systems=systems)
        options = results.options.changed(resamples=PAGE_RESAMPLES, measures=asked.measures)
        summaries = summarise(table, options.scores)
        return replace(results, systems=summaries, table=table, options=options)


STUDY = CompareStudy()


def test_plan(asked: ComparisonOptions, scores: "ScoreOptions") -> "TestPlan":
    """Return the tests that the options ask for."""
    from rouge_cli.studies.paired_tests import TestPlan, exact_share

    return TestPlan(
        asked.measures,
        asked.resamples,
        asked.seed,
        exact_share(scores.confidence),
        None if asked.equivalence is None else Fraction(asked.equivalence.text),
        scores.bootstrap,
    )
