"""How results are shown, what they have to reach, and how the run is carried out."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from rouge_cli.errors import OptionError
from rouge_cli.options.declaration import ItemError, Number, OptionGroup, option
from rouge_cli.options.explanations import against, best, texts, worst
from rouge_cli.options.requirements import NamedScore, Requirement, named_score, requirements
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
from rouge_cli.quick_dataclass import dataclass

__all__ = [
    "REPORT_KINDS",
    "STUDY_REPORTS",
    "TABLE_REPORTS",
    "ReportFile",
    "ReportFiles",
    "ReportKind",
    "ReportOptions",
    "RunOptions",
    "ThresholdOptions",
]

OUTPUT, THRESHOLDS, RUN = "Output", "Thresholds", "Run"
STANDARD_OUTPUT = "-"


@dataclass(frozen=True, slots=True)
class ReportKind:
    """What a report can be written as.

    Parameters
    ----------
    writer : str
        The module that writes it; it is imported when it is needed.
    is_table : bool
        Whether it has systems in rows and metrics in columns.
    of_studies : bool
        Whether ``compare`` and ``correlate`` have it too.
    is_option : bool
        Whether ``--report`` offers it.
    is_page : bool
        Whether it shows a page: figures and texts too.
    """

    name: str
    writer: str
    is_table: bool = False
    of_studies: bool = True
    is_option: bool = True
    is_page: bool = False


REPORT_KINDS = {
    kind.name: kind
    for kind in (
        ReportKind("classic", "rouge_cli.reports.writers.classic", of_studies=False),
        ReportKind("table", "rouge_cli.reports.writers.text", is_table=True),
        ReportKind("json", "rouge_cli.reports.writers.json"),
        ReportKind("csv", "rouge_cli.reports.writers.csv"),
        ReportKind("csv-safe", "rouge_cli.reports.writers.csv_safe"),
        ReportKind("markdown", "rouge_cli.reports.writers.markdown", is_table=True),
        ReportKind("latex", "rouge_cli.reports.writers.latex", is_table=True),
        ReportKind("html", "rouge_cli.reports.writers.html", is_table=True, is_page=True),
        ReportKind("notebook", "rouge_cli.reports.writers.notebook", is_option=False),
    )
}
"""Every kind of report, in the order of the help text; a new one is a line here and its writer."""

REPORTS = tuple(kind.name for kind in REPORT_KINDS.values() if kind.is_option)
TABLE_REPORTS = tuple(name for name in REPORTS if REPORT_KINDS[name].is_table)
STUDY_REPORTS = tuple(name for name in REPORTS if REPORT_KINDS[name].of_studies)


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A report, and where it goes.

    Parameters
    ----------
    kind : str
        One of `REPORTS`.
    path : str or None
        None for standard output.
    """

    kind: str
    path: str | None = None


DEFAULT_REPORT = ReportFile("classic")


@dataclass(frozen=True, slots=True)
class ReportFiles:
    """A reader of ``KIND`` or ``KIND=FILE``, one or several; without any, the default report.

    Parameters
    ----------
    values : tuple of str
        The kinds.
    """

    values: tuple[str, ...]

    def __call__(self, given: Any) -> tuple[ReportFile, ...]:
        """Return the reports."""
        if isinstance(given, str | ReportFile):
            return (self._read(given),)
        if not isinstance(given, Iterable):
            raise ValueError(self._expected)
        return tuple(map(self._read, given)) or (DEFAULT_REPORT,)

    def _read(self, given: Any) -> ReportFile:
        """Read one report."""
        if isinstance(given, ReportFile):
            return given
        kind, equals, file = str(given).partition("=")
        try:
            read = choice(*self.values)(kind)
        except ValueError:
            raise ItemError(given, self._expected) from None
        if equals and not file:
            raise ItemError(given, f"the name of a file behind {kind}=")
        return ReportFile(read, None if file in {"", STANDARD_OUTPUT} else file)

    @property
    def _expected(self) -> str:
        return f"one of {', '.join(self.values)}, or with a file: {self.values[-1]}=FILE"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions(OptionGroup):
    """What is written of the scores, and where."""

    report: tuple[ReportFile, ...] = option(
        "--report KIND[=FILE]",
        OUTPUT,
        f"classic (the original's), {', '.join(REPORTS[1:-1])} or {REPORTS[-1]}. KIND=FILE writes "
        "it to a file; repeat for several reports.",
        ReportFiles(REPORTS),
        (DEFAULT_REPORT,),
        is_many=True,
    )
    output: str | None = option(
        "-o --output FILE",
        OUTPUT,
        "Write the report to FILE, whole or not at all.",
        path,
        None,
    )
    score_only: NamedScore | None = option(
        "--score-only METRIC:F",
        OUTPUT,
        "Print this one number and nothing else; of several systems SYSTEM:METRIC:F.",
        named_score,
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
    worst: int | None = worst(OUTPUT, " of each system only, in a table with -d")
    best: int | None = best(OUTPUT, " of each system only, in a table with -d")
    against: str | None = against(
        OUTPUT,
        "In a table with -d: the scores of this system beside the others, ordered by difference.",
    )
    show_texts: bool = texts(OUTPUT, "Below a table with -d: the texts of the EVALs in it.")
    bars: bool = option(
        "--bars", OUTPUT, "Draw a bar beside each score in --report table.", switch, False
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
        "Order the systems, and with -d the EVALs, by this metric, best first.",
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
    intervals: bool = option(
        "--no-intervals",
        OUTPUT,
        "Leave the confidence intervals out of a table.",
        switch,
        True,
        off=True,
    )
    letters: bool = option(
        "--letters",
        OUTPUT,
        "Letters behind the scores of a table, as compare gives them: systems that share one "
        "cannot be told apart.",
        switch,
        False,
    )
    caption: str | None = option(
        "--caption TEXT", OUTPUT, "Caption of the LaTeX table, in LaTeX.", string, None
    )
    label: str | None = option(
        "--label KEY", OUTPUT, "Label of the LaTeX table; tab:rouge by default.", string, None
    )
    dry_run: bool = option(
        "--dry-run", OUTPUT, "Print which texts belong together, and score nothing.", switch, False
    )
    verbose: bool = option(
        "-v --verbose", OUTPUT, "Report on standard error what is read and computed.", switch, False
    )

    @property
    def files(self) -> tuple[ReportFile, ...]:
        """The reports, where ``-o`` says where the one without a file goes."""
        output = None if self.output == STANDARD_OUTPUT else self.output
        return tuple(one if one.path else replace(one, path=output) for one in self.report)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the reports."""
        return tuple(one.kind for one in self.report)

    @property
    def tables(self) -> tuple[str, ...]:
        """The kinds of those reports that have systems in rows and metrics in columns."""
        return tuple(kind for kind in self.kinds if kind in TABLE_REPORTS)

    def check(self) -> None:
        """Refuse what a report cannot show, and two reports in one place."""
        given = self.given()
        if self.save is not None and self.dry_run:
            raise OptionError("--dry-run scores nothing: no --save with it")
        for name in ("sort", "percent", "intervals", "letters"):
            if name in given and not self.tables:
                spelling = self.options()[name].spelling
                raise OptionError(f"{spelling} is for --report {', '.join(TABLE_REPORTS)}")
        self._check_evals(given)
        if self.bars and "table" not in self.kinds:
            raise OptionError("--bars is for --report table")
        for name in ("caption", "label"):
            if name in given and "latex" not in self.kinds:
                raise OptionError(f"--{name} is for --report latex")
        if self.score_only is not None and "report" in given:
            raise OptionError("--score-only and --report exclude each other; give one")
        self._check_places()

    def _check_evals(self, given: Iterable[str]) -> None:
        """Refuse what chooses EVALs where there is no table of them."""
        for name in ("worst", "best", "against", "show_texts"):
            if name in given and not (self.per_eval and self.eval_tables):
                kinds = ", ".join(name for name in TABLE_REPORTS if not REPORT_KINDS[name].is_page)
                raise OptionError(f"{self.options()[name].spelling} needs -d and --report {kinds}")

    @property
    def eval_tables(self) -> tuple[str, ...]:
        """The kinds of those reports that have a table of EVALs with ``-d``."""
        return tuple(kind for kind in self.tables if not REPORT_KINDS[kind].is_page)

    @property
    def has_page(self) -> bool:
        """Whether one of the reports is a page."""
        return any(REPORT_KINDS[kind].is_page for kind in self.kinds)

    def _check_places(self) -> None:
        """Refuse two reports in one place, and a place for none."""
        unplaced = [one.kind for one in self.report if one.path is None]
        if self.output is not None and not unplaced:
            raise OptionError("-o/--output is for a --report without a file; each has one already")
        if len(unplaced) > 1:
            raise OptionError(
                f"--report {unplaced[0]} and --report {unplaced[1]} have no file; give all but one "
                f"a file: --report {unplaced[1]}=FILE"
            )
        places = Counter([*(one.path for one in self.files), *filter(None, [self.save])])
        path, count = places.most_common(1)[0]
        if count > 1:
            raise OptionError(f"two reports for {path}; give each a file of its own")


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
