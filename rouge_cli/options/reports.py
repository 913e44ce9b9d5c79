"""Options of reports, figures and pages."""

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rouge_cli.errors import OptionError
from rouge_cli.options import readers
from rouge_cli.options.declaration import Heading, OptionGroup, option, options_under
from rouge_cli.options.readers import Number
from rouge_cli.options.scores import NamedScore, named_score
from rouge_cli.quick_dataclass import dataclass

# Figures.

SCORE_FIGURES = ("forest", "differences", "distributions", "wins")
CORRELATION_FIGURES = ("agreement",)
PLAN_FIGURES = ("power",)
PROTOCOL_FIGURES = ("protocols",)
CONTEXT_FIGURES = ("context",)
FIGURES = SCORE_FIGURES + CORRELATION_FIGURES + PLAN_FIGURES + PROTOCOL_FIGURES + CONTEXT_FIGURES

PLOT_SUFFIXES = (".svg", ".png", ".pdf")


@dataclass(frozen=True, slots=True)
class PlotFile:
    """A figure and its file, whose name ends in one of `PLOT_SUFFIXES`.

    `figure` is one of `FIGURES`, or None for the first figure of the command.
    """

    path: str
    figure: str | None = None

    def __str__(self) -> str:
        return self.path if self.figure is None else f"{self.figure}={self.path}"

    @property
    def suffix(self) -> str:
        """The suffix of the file, in lower case."""
        return self.path[self.path.rindex(".") :].lower()


EXPECTED_PLOT = (
    f"a file whose name ends in {', '.join(PLOT_SUFFIXES[:-1])} or {PLOT_SUFFIXES[-1]}, alone or "
    f"after the name of a figure and '=': {', '.join(FIGURES)}"
)


def _plot_file(raw: Any) -> PlotFile:
    text = os.fsdecode(raw) if isinstance(raw, bytes | os.PathLike) else str(raw)
    name, equals, file = text.rpartition("=")
    figure = name.strip().lower() if equals else None
    is_known = figure is None or figure in FIGURES
    if not is_known or not file.lower().endswith(PLOT_SUFFIXES):
        raise ValueError(EXPECTED_PLOT)
    return PlotFile(readers.path(file), figure)


plot_files = readers.Files(_plot_file, str | bytes | os.PathLike | PlotFile, EXPECTED_PLOT)

POINTS_OF = {"mm": 72 / 25.4, "cm": 72 / 2.54, "in": 72.0, "pt": 1.0}
"""Points per unit of length."""

LENGTH = re.compile(rf"({readers.DECIMAL}) ?({'|'.join(POINTS_OF)})")
NARROWEST, WIDEST = 30 * POINTS_OF["mm"], 1000 * POINTS_OF["mm"]
# Default sizes of labels in points: a figure with --width is for a paper, others for a screen.
PAPER_FONT_SIZE, SCREEN_FONT_SIZE = 7.0, 11.0


class FigureWidth(str):
    """The width of a figure as typed, such as ``84mm``."""

    __slots__ = ()

    @property
    def points(self) -> float:
        """The width in points."""
        value, unit = LENGTH.fullmatch(self).groups()  # type: ignore[union-attr]
        return float(value) * POINTS_OF[unit]


def figure_width(raw: Any) -> FigureWidth:
    """Read the width of a figure."""
    match = LENGTH.fullmatch(raw.strip()) if isinstance(raw, str) else None
    if match is None or not NARROWEST <= FigureWidth(match[0]).points <= WIDEST:
        raise ValueError("a length from 30mm to 1000mm, such as 84mm, 8.4cm, 3.3in or 240pt")
    return FigureWidth(match[0])


# Reports.

OUTPUT = "Output"
OUTPUT_OPTION = "-o/--output"
CERTIFICATE_OPTION = "--certificate"
STANDARD_OUTPUT = "-"


@dataclass(frozen=True, slots=True)
class ReportKind:
    """A kind of report.

    - `writer`: the module with the function ``write``, or ``MODULE:FUNCTION``; imported on demand.
    - `is_table`: whether it has systems in rows and metrics in columns.
    - `for_studies`: whether studies such as ``compare`` have it too.
    - `for_explanations`: whether ``explain`` has it too.
    - `is_option`: whether ``--report`` offers it.
    - `is_page`: whether it is a page, with figures and texts.
    """

    name: str
    writer: str
    is_table: bool = False
    for_studies: bool = True
    for_explanations: bool = False
    is_option: bool = True
    is_page: bool = False


JUNIT = "junit"

REPORT_KINDS = {
    kind.name: kind
    for kind in (
        # Studies have no output that ROUGE-1.5.5 could print.
        ReportKind("classic", "rouge_cli.studies.score.classic", for_studies=False),
        ReportKind("table", "rouge_cli.reports.writers.text", is_table=True, for_explanations=True),
        ReportKind("json", "rouge_cli.reports.writers.data:write_json", for_explanations=True),
        ReportKind("csv", "rouge_cli.reports.writers.data:write_csv"),
        ReportKind("csv-safe", "rouge_cli.reports.writers.data:write_safe_csv"),
        ReportKind(
            "markdown", "rouge_cli.reports.writers.markdown", is_table=True, for_explanations=True
        ),
        ReportKind("latex", "rouge_cli.reports.writers.latex", is_table=True),
        ReportKind(
            "html",
            "rouge_cli.reports.writers.html",
            is_table=True,
            for_explanations=True,
            is_page=True,
        ),
        # Its tests are the requirements of `score`, which studies lack.
        ReportKind(JUNIT, "rouge_cli.reports.writers.data:write_junit", for_studies=False),
        # Written only when a notebook displays results, hence not offered by --report.
        ReportKind("notebook", "rouge_cli.reports.writers.html:write_notebook", is_option=False),
    )
}
"""All kinds of reports by name, in help order. A new one needs an entry and a writer."""

REPORTS = tuple(kind.name for kind in REPORT_KINDS.values() if kind.is_option)
TABLE_REPORTS = tuple(name for name in REPORTS if REPORT_KINDS[name].is_table)
PAGES = tuple(name for name in REPORTS if REPORT_KINDS[name].is_page)

# Reports with a table of EVALs under ``-d``. A page shows EVALs in another way.
EVAL_TABLES = tuple(name for name in TABLE_REPORTS if not REPORT_KINDS[name].is_page)

STUDY_REPORTS = tuple(name for name in REPORTS if REPORT_KINDS[name].for_studies)
EXPLANATION_REPORTS = tuple(name for name in REPORTS if REPORT_KINDS[name].for_explanations)


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A report: its kind, which is one of `REPORTS`, and its file; None for standard output."""

    kind: str
    path: str | None = None


# The report of ROUGE-1.5.5, so that its command lines give the same output.
DEFAULT_REPORT = ReportFile("classic")

EXPECTED_REPORT = f"one of {', '.join(REPORTS)}, or with a file: {REPORTS[-1]}=FILE"


def _report_file(raw: Any) -> ReportFile:
    kind, equals, file = str(raw).partition("=")
    try:
        name = readers.choice(*REPORTS)(kind)
    except ValueError:
        raise ValueError(EXPECTED_REPORT) from None
    if equals and not file:
        raise ValueError(f"the name of a file after {kind}=")
    return ReportFile(name, None if file in {"", STANDARD_OUTPUT} else file)


report_files = readers.Files(_report_file, str | ReportFile, EXPECTED_REPORT, REPORTS)

under_output = options_under(OUTPUT)
under_plot = options_under(
    Heading(
        "Figures, with --plot",
        python_advice="the method to_figure takes width, columns and font_size",
    )
)

WRITTEN_IN_PYTHON = "results have methods such as to_json, whose text can be written"
METHODS_IN_PYTHON = "results have methods such as to_json and to_latex"

under_eval_tables = options_under(
    Heading(
        OUTPUT,
        reports=EVAL_TABLES,
        implies=("per_eval",),
        python_advice="the scores of texts are arrays of the results, per_eval, to be sorted and "
        "chosen",
    )
)

EVAL_COUNT = readers.whole(1, 1_000_000_000, "a whole number from 1 on")


def page_title(heading: str) -> Any:
    """Declare ``--title`` for a command with pages."""
    return option(
        heading,
        "--title TEXT: Title of --report html.",
        readers.string,
        reports=PAGES,
        python_advice="to_html takes it: results.to_html(title=...)",
    )


def page_notes(heading: str) -> Any:
    """Declare ``--notes`` for a command with pages."""
    return option(
        heading,
        "--notes FILE: Notes for --report html, in Markdown: shown below its title and its first "
        "sentence.",
        readers.path,
        reports=PAGES,
        python_advice="to_html takes them: results.to_html(notes=...)",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions(OptionGroup):
    """Options of the kinds, contents and files of reports."""

    report: tuple[ReportFile, ...] = under_output(
        f"--report KIND[=FILE]: classic (the original's), {', '.join(REPORTS[1:-1])} or "
        f"{REPORTS[-1]}. KIND=FILE writes it to a file; repeat for several reports.",
        report_files,
        (DEFAULT_REPORT,),
        is_common=True,
        python_advice=METHODS_IN_PYTHON,
    )
    output: str | None = under_output(
        "-o --output FILE: Write the report to FILE, whole or not at all.",
        readers.path,
        is_common=True,
        python_advice=WRITTEN_IN_PYTHON,
    )
    score_only: NamedScore | None = under_output(
        "--score-only METRIC:F: Print this one number and nothing else; of several systems "
        "SYSTEM:METRIC:F.",
        named_score,
        python_advice="take the number from the results",
    )
    save: str | None = under_output(
        "--save FILE: Save the scores of each text (.jsonl, .parquet), to report them again "
        "without the texts.",
        readers.scores_path,
        python_advice=WRITTEN_IN_PYTHON,
    )
    certificate: str | None = under_output(
        "--certificate FILE: Write the JSON report to FILE, with all that rouge-cli verify FILE "
        "takes to score again.",
        readers.path,
        python_advice="run the command line, whose words the certificate keeps",
    )
    per_eval: bool = under_output(
        "-d --per-eval: Print the scores of each text too.", for_single_pairs=True, is_common=True
    )
    worst: int | None = under_eval_tables(
        "--worst N: The N texts with the lowest scores of each system only, in a table; implies "
        "-d.",
        EVAL_COUNT,
    )
    best: int | None = under_eval_tables(
        "--best N: The N texts with the highest scores of each system only, in a table; implies "
        "-d.",
        EVAL_COUNT,
    )
    against: str | None = under_eval_tables(
        "--against SYSTEM: In a table: the scores of this system beside the others, ordered by "
        "difference; implies -d.",
        readers.system_id,
    )
    show_texts: bool = under_eval_tables(
        "--texts: Below a table: the predictions and references of the texts in it; implies -d.",
        has_no_negation=True,
        python_advice="the program has the texts",
    )
    system_ids: tuple[str, ...] = under_output(
        "--system-id ID: Report this system only; repeat for each.",
        readers.system_ids,
        is_common=True,
    )
    bars: bool = under_output(
        "--bars: Draw a bar beside each score in --report table.",
        reports=("table",),
        python_advice="leave it out",
    )
    measures: str | None = under_output(
        "--measures LETTERS: Which of R, P and F to show or to compare with --baseline, such as "
        "RPF; F by default.",
        readers.measures,
        for_single_pairs=True,
    )
    sort: str | None = under_output(
        "--sort METRIC: Order the systems, and with -d the texts, by this metric, best first.",
        readers.string,
        reports=TABLE_REPORTS,
    )
    percent: bool = under_output(
        "--percent: Scores of a table times 100, with two decimals fewer.",
        reports=TABLE_REPORTS,
        for_single_pairs=True,
    )
    intervals: bool = under_output(
        "--no-intervals: Leave the confidence intervals out of a table.",
        reports=TABLE_REPORTS,
        for_single_pairs=True,
    )
    letters: bool = under_output(
        "--letters: Letters after the scores of a table, as in compare: systems that share one "
        "cannot be told apart.",
        reports=TABLE_REPORTS,
    )
    caption: str | None = under_output(
        "--caption TEXT: Caption of the LaTeX table, in LaTeX.",
        readers.string,
        reports=("latex",),
        for_single_pairs=True,
    )
    label: str | None = under_output(
        "--label KEY: Label of the LaTeX table; tab:rouge by default.",
        readers.string,
        reports=("latex",),
        for_single_pairs=True,
    )
    dry_run: bool = under_output(
        "--dry-run: Print which texts belong together, and score nothing.",
        python_advice="leave it out",
    )
    verbose: bool = under_output(
        "-v --verbose: Report on standard error what is read and computed.",
        python_advice="leave it out",
    )

    @property
    def files(self) -> tuple[ReportFile, ...]:
        """The reports. A report without a file of its own is written to that of ``-o``."""
        output = None if self.output == STANDARD_OUTPUT else self.output
        return tuple(file if file.path else replace(file, path=output) for file in self.report)

    def option_of(self, file: ReportFile) -> str:
        """Return the option that names the file of a report in `files`."""
        # `files` adds the path of -o to a report without a file, so that report is not in `report`.
        return "--report" if file.path and file in self.report else OUTPUT_OPTION

    def outputs(self) -> Iterator[tuple[str | None, str]]:
        """Yield the path of each output, and the option that names it."""
        if self.save is not None:
            yield self.save, "--save"
        if self.certificate is not None:
            yield self.certificate, CERTIFICATE_OPTION
        for file in self.files:
            yield file.path, self.option_of(file)

    def input_files(self) -> tuple[str | None, ...]:
        """Return the input files of these options, which no output may replace."""
        return ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the reports."""
        return tuple(file.kind for file in self.report)

    @property
    def tables(self) -> tuple[str, ...]:
        """The kinds of those reports that are tables of systems and metrics."""
        return tuple(kind for kind in self.kinds if kind in TABLE_REPORTS)

    def check(self) -> None:
        """Raise OptionError for options that no report can show, and for ambiguous files."""
        # A dry run computes no scores that could be saved.
        for name, file in (("--save", self.save), (CERTIFICATE_OPTION, self.certificate)):
            if file is not None and self.dry_run:
                raise OptionError(f"--dry-run scores nothing: no {name} with it")
        self.check_reports(self.kinds)
        if self.score_only is not None and self.report != (DEFAULT_REPORT,):
            raise OptionError("--score-only and --report exclude each other; give one")
        self._check_places()

    @property
    def shown_measures(self) -> str:
        """The letters of the measures in tables and in comparisons with a baseline."""
        return self.measures or "F"

    @property
    def has_page(self) -> bool:
        """Whether any report is a page."""
        return any(REPORT_KINDS[kind].is_page for kind in self.kinds)

    def _check_places(self) -> None:
        # Probably a slip, as in -o html for --report html.
        if self.output in REPORTS:
            raise OptionError(
                f"-o/--output: found {self.output!r}, expected a file; --report {self.output} "
                "chooses the report"
            )
        unplaced = [file.kind for file in self.report if file.path is None]
        if self.output is not None and not unplaced:
            raise OptionError("-o/--output is for a --report without a file; each has one already")
        if len(unplaced) > 1:
            raise OptionError(
                f"--report {unplaced[0]} and --report {unplaced[1]} have no file; give all but one "
                f"a file: --report {unplaced[1]}=FILE"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOptions(OptionGroup):
    """Options of figures and pages."""

    plot: tuple[PlotFile, ...] = under_plot(
        "--plot [FIGURE=]FILE: Draw a figure (.svg, .png, .pdf), by default the first one that "
        "the command has; repeat for several.",
        plot_files,
        python_advice="results have the method to_figure, whose bytes can be written",
    )
    figure_width: FigureWidth | None = under_plot(
        "--width LENGTH: Width of figures of --plot, as for a column of a paper: 84mm, 3.3in or "
        "240pt.",
        figure_width,
        needs="plot",
    )
    figure_columns: int | None = under_plot(
        "--columns N: Number of panels side by side in a figure of --plot; by default as many as "
        "fit.",
        readers.whole(1, 100),
        needs="plot",
    )
    font_size: Number | None = under_plot(
        "--font-size PT: The size of labels in figures of --plot, in points; titles are a sixth "
        "larger. Default: 7 with --width, else 11.",
        readers.real("a number from 4 to 30", lambda value: 4 <= value <= 30),  # noqa: PLR2004
        needs="plot",
    )
    page_title: str | None = page_title(OUTPUT)
    page_notes: str | None = page_notes(OUTPUT)
    page_texts: bool = under_output(
        "--no-texts: Leave the texts out of --report html, as for confidential data.",
        has_no_negation=True,
        for_eval_pages=True,
        reports=PAGES,
        python_advice="results hold no texts",
    )
    page_figures: bool = under_output(
        "--no-figures: Leave the figures out of --report html, as where they cannot be drawn.",
        reports=PAGES,
        python_advice="to_html draws them where vl-convert-python is installed",
    )

    @property
    def points(self) -> float | None:
        """The width of figures in points; None for the width that fits a screen."""
        return None if self.figure_width is None else self.figure_width.points

    @property
    def scale(self) -> float:
        """The factor by which the lengths of a figure for a screen are multiplied."""
        usual = SCREEN_FONT_SIZE if self.figure_width is None else PAPER_FONT_SIZE
        size = usual if self.font_size is None else self.font_size.value
        return size / SCREEN_FONT_SIZE
