"""Options that studies share, and the options of commands that are not studies.

Each study declares its own options in its module. The functions here declare options that several
studies have, so that their help is worded only once.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rouge_cli.errors import OptionError
from rouge_cli.options import readers
from rouge_cli.options.declaration import OptionGroup, option, options_under
from rouge_cli.options.readers import Number
from rouge_cli.options.reports import (
    EVAL_COUNT,
    EXPLANATION_REPORTS,
    METHODS_IN_PYTHON,
    OUTPUT_OPTION,
    STANDARD_OUTPUT,
    STUDY_REPORTS,
    WRITTEN_IN_PYTHON,
    ReportFile,
    page_notes,
    page_title,
)
from rouge_cli.quick_dataclass import dataclass

CONVERT, DEDUP, JACKKNIFE, SOURCE = "Convert", "Dedup", "Jackknife", "Source"
EXPLAIN, TABLES = "Explain", "Tables"
conversion_option, dedup_option, jackknife_option, source_option, under_explain = map(
    options_under, (CONVERT, DEDUP, JACKKNIFE, SOURCE, EXPLAIN)
)
MOST_WORDS = 100
SEED = readers.whole(0, 2**32 - 1)
# Only these layouts have a file for each text, whose format can be chosen.
KINDS_WITH_FILES, RECORDS_KIND = ("xml", "list"), "jsonl"


class StudyOptions(OptionGroup):
    """Base class of the options of studies.

    - `report`: the kind of the report; declare it with `report_option`.
    - `output`: the file of the report; declare it with `output_option`.
    - `system_ids`: the systems to study, or empty for all; declare it with `systems_option`.
    - `verbose`: show all tables; for studies whose view has `is_verbose`.
    """

    __slots__ = ()

    report: str
    output: str | None
    system_ids: tuple[str, ...] = ()
    verbose: bool = False

    def input_files(self) -> tuple[str | None, ...]:
        """Return the input files of these options, which no output may replace."""
        return ()

    def output_files(self) -> Mapping[str, str]:
        """Return the paths of files that a study writes beside its report, with their options."""
        return {}

    @property
    def files(self) -> tuple[ReportFile, ...]:
        """The only report."""
        return (ReportFile(self.report, None if self.output == STANDARD_OUTPUT else self.output),)

    def option_of(self, file: ReportFile) -> str:
        """Return the option that names the file of the report."""
        return OUTPUT_OPTION

    def outputs(self) -> Iterator[tuple[str | None, str]]:
        """Yield the path of each output, and the option that names it."""
        yield self.output, OUTPUT_OPTION
        yield from self.output_files().items()


def report_option(
    heading: str, kinds: Sequence[str] = STUDY_REPORTS, table: str = "table (by default)"
) -> Any:
    """Declare ``--report`` of a study, or of a command with other kinds of reports."""
    return option(
        heading,
        f"--report KIND: {table}, {', '.join(kinds[1:-1])} or {kinds[-1]}.",
        readers.choice(*kinds),
        "table",
        is_common=True,
        python_advice=METHODS_IN_PYTHON,
    )


def output_option(heading: str) -> Any:
    """Declare ``--output`` of a study."""
    return option(
        heading,
        "-o --output FILE: Write the report to FILE, whole or not at all.",
        readers.path,
        is_common=True,
        python_advice=WRITTEN_IN_PYTHON,
    )


def systems_option(heading: str, help_text: str) -> Any:
    """Declare ``--system-id``."""
    return option(heading, f"--system-id ID: {help_text}", readers.system_ids, is_common=True)


def lang_option(heading: str) -> Any:
    """Declare ``--lang``, for the only protocol that depends on a language."""
    help_text = "Try xlsum too, with texts in a language by its English name, such as german."
    return option(heading, f"--lang NAME: {help_text}", readers.string)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOptions(OptionGroup):
    """Options of a study's tables. In LaTeX, only the first table has a caption and a label."""

    percent: bool = option(
        TABLES,
        "--percent: Scores of a table times 100, with two decimals fewer.",
        reports=("table", "markdown", "latex"),
    )
    caption: str | None = option(
        TABLES,
        "--caption TEXT: Caption of the LaTeX table, in LaTeX.",
        readers.string,
        reports=("latex",),
    )
    label: str | None = option(
        TABLES, "--label KEY: Label of the LaTeX table.", readers.string, reports=("latex",)
    )


def measures_option(heading: str, help_text: str) -> Any:
    """Declare ``--measures``, with the default F."""
    return option(heading, f"--measures LETTERS: {help_text}", readers.measures, "F")


def seed_option(heading: str, help_text: str) -> Any:
    """Declare ``--seed``."""
    return option(heading, f"--seed N: {help_text}", SEED, 2004)


def _orders(raw: Any) -> tuple[int, ...]:
    numbers = raw.split(",") if isinstance(raw, str) else raw
    if all(number.strip().isdecimal() for number in numbers):
        orders = tuple(map(int, numbers))
        if len(set(orders)) == len(orders) and all(0 < n <= MOST_WORDS for n in orders):
            return orders
    raise ValueError(f"different whole numbers from 1 to {MOST_WORDS}, such as 1,2,3")


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOptions(OptionGroup):
    """Options of ``source``."""

    sources: str = source_option(
        "--sources FIELD: The field with the text that was summarised.",
        readers.string,
        "",
        is_required=True,
    )
    orders: tuple[int, ...] = source_option(
        "--orders N,N: The lengths of the n-grams of which those new to the source, and those "
        "that the summary repeats, are counted; by default 1,2,3.",
        _orders,
        (1, 2, 3),
        is_common=True,
    )
    source_rule: str = source_option(
        "--rule RULE: newsroom (by default): coverage, density, compression, and n-grams as "
        "SummEval counts them; or presumm: n-grams as PreSumm counts them.",
        readers.choice("newsroom", "presumm"),
        "newsroom",
    )

    def scoring(self) -> Mapping[str, Any]:
        """Return the options of ``score`` that compute the statistics.

        Sources take the place of references, and each statistic is a metric.
        """
        is_presumm = self.source_rule == "presumm"
        rule = ",rule=presumm" if is_presumm else ""
        also = [] if is_presumm else ["coverage", "density", "compression"]
        also += [f"novel:n={n}{rule}" for n in self.orders]
        also += [f"repeated:n={n}{rule}" for n in self.orders]
        # The statistics replace ROUGE-L, which is on by default.
        return {"references": (self.sources,), "also": tuple(also), "lcs": False, "all": True}


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversionOptions(OptionGroup):
    """Options of ``convert``."""

    to: str = conversion_option(
        "--to xml|list|lines|jsonl: What to write.", default="", is_required=True
    )
    output: str = conversion_option(
        "-o --output OUT: The new folder or file.", readers.string, "", is_required=True
    )
    text_format: str | None = conversion_option(
        "--text-format SPL|SEE|ISI: How --to xml and list write the texts; by default SPL.",
        is_common=True,
    )

    def check(self) -> None:
        """Raise OptionError for `text_format` if no text files are written."""
        if self.text_format is not None and self.to not in KINDS_WITH_FILES:
            raise OptionError(f"--text-format is for --to {' and '.join(KINDS_WITH_FILES)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class DedupOptions(OptionGroup):
    """Options of ``dedup``."""

    field: str = dedup_option(
        "--field FIELD: The field of the text.", readers.string, "", is_required=True
    )
    id: str | None = dedup_option(
        "--id FIELD: The field of the ID; by default the number of the line.", readers.string
    )
    against: tuple[str, ...] = dedup_option(
        "--against FILE: Drop what resembles the records of this file too; repeat for each.",
        readers.paths,
        is_common=True,
    )
    threshold: Number = dedup_option(
        "--threshold T: Drop a record if its highest score with one that was kept is above T; by "
        "default 0.7.",
        readers.SHARE,
        Number("0.7", 0.7),
        is_common=True,
    )
    metric: str | None = dedup_option(
        "--metric METRIC:MEASURE: What is above T; by default rougeL:F under --protocol "
        "rouge-score, as in Self-Instruct.",
        readers.string,
    )
    output: str | None = dedup_option(
        "-o --output FILE: Write the records that are kept to FILE, byte for byte.", readers.path
    )
    dropped: str | None = dedup_option(
        "--dropped FILE: Write the others, each with its score and the ID of the record that it "
        "resembles.",
        readers.path,
        is_common=True,
    )
    checks: bool = dedup_option(
        "--check: Print no records, and exit with 1 if any would be dropped.", is_common=True
    )

    def check(self) -> None:
        """Raise OptionError for an output of records that are not printed."""
        if self.checks and self.output is not None:
            raise OptionError("--check prints no records: it excludes -o/--output")


@dataclass(frozen=True, slots=True, kw_only=True)
class JackknifeOptions(OptionGroup):
    """Options of ``jackknife``."""

    output: str | None = jackknife_option(
        "-o --output FILE: Write it to FILE, whole or not at all.", readers.path
    )
    humans: bool = jackknife_option(
        "--humans: In each set, the reference that is left out is a prediction.", is_common=True
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplanationOptions(OptionGroup):
    """Options of ``explain``."""

    eval_ids: tuple[str, ...] = under_explain(
        "--eval ID: Explain this text; repeat for each.", readers.strings, is_common=True
    )
    worst: int | None = under_explain(
        "--worst N: The N texts with the lowest scores of each system.", EVAL_COUNT, is_common=True
    )
    best: int | None = under_explain(
        "--best N: The N texts with the highest scores of each system.", EVAL_COUNT, is_common=True
    )
    sort: str | None = under_explain(
        "--sort METRIC: What --worst and --best go by, such as ROUGE-2 or ROUGE-2:R; by default "
        "the first metric.",
        readers.string,
    )
    against: str | None = under_explain(
        "--against SYSTEM: Show this system beside the others; --worst and --best go by their "
        "lead over it.",
        readers.system_id,
        is_common=True,
    )
    system_ids: tuple[str, ...] = under_explain(
        "--system-id ID: Explain this system, as SYSTEM_ID does; repeat for each; by default all.",
        readers.system_ids,
    )
    texts: bool = under_explain("--texts: Show the texts as in the input, too.", is_common=True)
    report: str = report_option(EXPLAIN, EXPLANATION_REPORTS, "table (by default: plain text)")
    page_title: str | None = page_title(EXPLAIN)
    page_notes: str | None = page_notes(EXPLAIN)
    output: str | None = output_option(EXPLAIN)

    def check(self) -> None:
        """Raise OptionError for contradictions, and for options without effect."""
        if self.eval_ids and (self.worst or self.best):
            spelling = "--worst" if self.worst else "--best"
            raise OptionError(f"--eval and {spelling} exclude each other; give one")
        if self.sort is not None and not (self.worst or self.best):
            raise OptionError("--sort is what --worst and --best go by; give one of them")
        self.check_reports([self.report])
