"""How results are shown, what they have to reach, and how the run is carried out."""

from dataclasses import dataclass

from rouge_cli.errors import OptionError
from rouge_cli.options.declaration import Number, OptionGroup, option
from rouge_cli.options.requirements import Requirement, requirements
from rouge_cli.options.values import (
    JOB_COUNT,
    SHARE,
    choice,
    measures,
    path,
    scores_path,
    string,
    switch,
)

__all__ = [
    "REPORT_KINDS",
    "STUDY_REPORTS",
    "TABLE_REPORTS",
    "ReportKind",
    "ReportOptions",
    "RunOptions",
    "ThresholdOptions",
]

OUTPUT, THRESHOLDS, RUN = "Output", "Thresholds", "Run"


@dataclass(frozen=True, slots=True)
class ReportKind:
    """What a report can be written as.

    Parameters
    ----------
    name : str
    writer : str
        The module that writes it; it is imported when it is needed.
    is_table : bool
        Whether it has systems in rows and metrics in columns.
    of_studies : bool
        Whether ``compare`` and ``correlate`` have it too.
    is_option : bool
        Whether ``--report`` offers it.
    """

    name: str
    writer: str
    is_table: bool = False
    of_studies: bool = True
    is_option: bool = True


REPORT_KINDS = {
    kind.name: kind
    for kind in (
        ReportKind("classic", "rouge_cli.reports.writers.classic", of_studies=False),
        ReportKind("table", "rouge_cli.reports.writers.text", is_table=True),
        ReportKind("json", "rouge_cli.reports.writers.json"),
        ReportKind("csv", "rouge_cli.reports.writers.csv"),
        ReportKind("markdown", "rouge_cli.reports.writers.markdown", is_table=True),
        ReportKind("latex", "rouge_cli.reports.writers.latex", is_table=True),
        ReportKind("notebook", "rouge_cli.reports.writers.notebook", is_option=False),
    )
}
"""Every kind of report, in the order of the help text; a new one is a line here and its writer."""

REPORTS = tuple(kind.name for kind in REPORT_KINDS.values() if kind.is_option)
TABLE_REPORTS = tuple(name for name in REPORTS if REPORT_KINDS[name].is_table)
STUDY_REPORTS = tuple(name for name in REPORTS if REPORT_KINDS[name].of_studies)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions(OptionGroup):
    """What is written of the scores, and where."""

    report: str = option(
        "--report KIND",
        OUTPUT,
        f"classic (the original's), {', '.join(REPORTS[1:-1])} or {REPORTS[-1]}.",
        choice(*REPORTS),
        "classic",
    )
    output: str | None = option(
        "-o --output FILE",
        OUTPUT,
        "Write the report to FILE, whole or not at all.",
        path,
        None,
    )
    save: str | None = option(
        "--save FILE",
        OUTPUT,
        "Save the scores of each EVAL (.jsonl, .parquet), to report them again without the texts.",
        scores_path,
        None,
    )
    per_eval: bool = option(
        "-d --per-eval", OUTPUT, "Print the scores of each EVAL too.", switch, False
    )
    measures: str | None = option(
        "--measures LETTERS",
        OUTPUT,
        "Which of R, P and F to show or to hold against --baseline, such as RPF; F by default.",
        measures,
        None,
    )
    sort: str | None = option(
        "--sort METRIC",
        OUTPUT,
        "Order the systems by this metric, best first; by default the first one.",
        string,
        None,
    )
    percent: bool = option(
        "--percent",
        OUTPUT,
        "Scores of a table times 100, with two decimals.",
        switch,
        False,
    )
    dry_run: bool = option(
        "--dry-run", OUTPUT, "Print which texts belong together, and score nothing.", switch, False
    )
    verbose: bool = option(
        "-v --verbose", OUTPUT, "Report on standard error what is read and computed.", switch, False
    )

    @property
    def is_table(self) -> bool:
        """Whether the report has systems in rows and metrics in columns."""
        return self.report in TABLE_REPORTS

    def check(self) -> None:
        """Refuse what a report cannot show, and scores where none are made."""
        if self.save is not None and self.dry_run:
            raise OptionError("--dry-run scores nothing: no --save with it")
        for name in ("sort", "percent"):
            if name in self.given() and not self.is_table:
                raise OptionError(f"--{name} is for --report {', '.join(TABLE_REPORTS)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdOptions(OptionGroup):
    """What the scores have to reach."""

    require: tuple[Requirement, ...] = option(
        "--require CONDITION",
        THRESHOLDS,
        "Exit with 1 unless it holds: 'ROUGE-2:F>=0.18', or 'SYSTEM:ROUGE-2:F>=0.18'.",
        requirements,
        (),
        is_many=True,
    )
    baseline: str | None = option(
        "--baseline FILE",
        THRESHOLDS,
        "Exit with 1 if a score has dropped since this earlier --report json.",
        path,
        None,
    )
    max_drop: Number | None = option(
        "--max-drop X",
        THRESHOLDS,
        "How far a score may fall below the baseline; by default 0.",
        SHARE,
        None,
    )

    def check(self) -> None:
        """Refuse a drop from nothing."""
        if self.max_drop is not None and self.baseline is None:
            raise OptionError("--max-drop needs --baseline")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions(OptionGroup):
    """How a run is carried out; none of it changes a digit."""

    jobs: int | None = option(
        "--jobs N",
        RUN,
        "Number of processes; the output is the same. By default all processors for long runs.",
        JOB_COUNT,
        None,
    )
