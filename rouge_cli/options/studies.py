"""The options that only one command has: compare, correlate, convert, jackknife."""

from dataclasses import dataclass

from rouge_cli.errors import OptionError
from rouge_cli.options.declaration import OptionGroup, option
from rouge_cli.options.reports import STUDY_REPORTS
from rouge_cli.options.values import choice, choices, measures, path, string, strings, switch, whole

__all__ = [
    "RECORDS_KIND",
    "ComparisonOptions",
    "ConversionOptions",
    "CorrelationOptions",
    "JackknifeOptions",
]

COMPARE, CORRELATE, CONVERT, JACKKNIFE = "Compare", "Correlate", "Convert", "Jackknife"
SEED = whole(0, 2**32 - 1, "a whole number from 0 to 4294967295")
RESAMPLES = whole(1, 10_000_000, "a whole number from 1 to 10000000")
KINDS_WITH_FILES, RECORDS_KIND = ("xml", "list"), "jsonl"
CONVERSION_KINDS = (*KINDS_WITH_FILES, "lines", RECORDS_KIND)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonOptions(OptionGroup):
    """How ``compare`` tests systems against each other."""

    measures: str = option(
        "--measures LETTERS",
        COMPARE,
        "Which of R, P and F to compare, such as RPF; by default F.",
        measures,
        "F",
    )
    resamples: int = option(
        "-r --resamples N",
        COMPARE,
        "Number of resamples of each test; by default 10000.",
        RESAMPLES,
        10_000,
    )
    seed: int = option(
        "--seed N",
        COMPARE,
        "Seed of the resamples, printed in each report; by default 2004.",
        SEED,
        2004,
    )
    report: str = option(
        "--report KIND",
        COMPARE,
        f"table (by default), {', '.join(STUDY_REPORTS[1:-1])} or {STUDY_REPORTS[-1]}.",
        choice(*STUDY_REPORTS),
        "table",
    )
    output: str | None = option(
        "-o --output FILE", COMPARE, "Write the report to FILE, whole or not at all.", path, None
    )
    system_ids: tuple[str, ...] = option(
        "--system-id ID",
        COMPARE,
        "Compare this system; repeat for each; by default all.",
        strings,
        (),
        is_many=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelationOptions(OptionGroup):
    """What ``correlate`` holds against human judgements, and how."""

    judgements: str = option(
        "--judgements FILE",
        CORRELATE,
        "Judgements: .csv, .tsv or .jsonl with system, eval and numbers.",
        path,
        "",
        is_required=True,
    )
    judgement: tuple[str, ...] = option(
        "--judgement COLUMN",
        CORRELATE,
        "A column of it to take; repeat for each; by default all with numbers.",
        strings,
        (),
        is_many=True,
    )
    unmatched: str = option(
        "--unmatched error|skip",
        CORRELATE,
        "Systems and EVALs without scores or judgements: stop, or leave them out.",
        choice("error", "skip"),
        "error",
    )
    level: tuple[str, ...] = option(
        "--level system|summary|pooled",
        CORRELATE,
        "Correlate system means, within each EVAL, or all cells; by default all three.",
        choices("system", "summary", "pooled"),
        (),
        is_many=True,
    )
    coefficient: tuple[str, ...] = option(
        "--coefficient pearson|spearman|kendall",
        CORRELATE,
        "Which coefficients; by default all three.",
        choices("pearson", "spearman", "kendall"),
        (),
        is_many=True,
    )
    measures: str | None = option(
        "--measures LETTERS",
        CORRELATE,
        "Which of R, P and F; by default F, with --paper-table R.",
        measures,
        None,
    )
    resample: str = option(
        "--resample evals|systems|both",
        CORRELATE,
        "What the resamples of the intervals draw; by default both.",
        choice("evals", "systems", "both"),
        "both",
    )
    seed: int = option(
        "--seed N", CORRELATE, "Seed of all random draws; by default 2004.", SEED, 2004
    )
    pairs: bool = option(
        "--pairs", CORRELATE, "Test every two metrics against each other.", switch, False
    )
    paper_table: bool = option(
        "--paper-table",
        CORRELATE,
        "The table of the paper: its 17 metrics, under all conditions.",
        switch,
        False,
    )
    conditions: tuple[str, ...] = option(
        "--conditions LIST",
        CORRELATE,
        "Score texts in these ways: as-is,stem,stop,stem+stop.",
        choices("as-is", "stem", "stop", "stem+stop"),
        (),
    )
    model_sets: tuple[str, ...] = option(
        "--model-sets LIST",
        CORRELATE,
        "Score with the first model of each EVAL, or with all: one,all.",
        choices("one", "all"),
        (),
    )
    report: str = option(
        "--report KIND",
        CORRELATE,
        f"table (by default), {', '.join(STUDY_REPORTS[1:-1])} or {STUDY_REPORTS[-1]}.",
        choice(*STUDY_REPORTS),
        "table",
    )
    output: str | None = option(
        "-o --output FILE", CORRELATE, "Write the report to FILE, whole or not at all.", path, None
    )

    def check(self) -> None:
        """Refuse sets of models that nothing asks for."""
        if self.model_sets and not (self.conditions or self.paper_table):
            raise OptionError("--model-sets is for --conditions and --paper-table")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversionOptions(OptionGroup):
    """What ``convert`` writes."""

    to: str = option(
        "--to xml|list|lines|jsonl",
        CONVERT,
        "What to write.",
        choice(*CONVERSION_KINDS),
        "",
        is_required=True,
    )
    output: str = option(
        "-o --output OUT", CONVERT, "The new folder or file.", string, "", is_required=True
    )
    text_format: str | None = option(
        "--text-format SPL|SEE|ISI",
        CONVERT,
        "How --to xml and list write the texts; by default SPL.",
        choice("SPL", "SEE", "ISI"),
        None,
    )

    def check(self) -> None:
        """Refuse a format of files where none are written."""
        if self.text_format is not None and self.to not in KINDS_WITH_FILES:
            raise OptionError(f"--text-format is for --to {' and '.join(KINDS_WITH_FILES)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class JackknifeOptions(OptionGroup):
    """What ``jackknife`` writes."""

    output: str | None = option(
        "-o --output FILE", JACKKNIFE, "Write it to FILE, whole or not at all.", path, None
    )
    humans: bool = option(
        "--humans", JACKKNIFE, "In each set, the model that is left out is a peer.", switch, False
    )
