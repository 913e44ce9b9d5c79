"""The options that only one command has: compare, correlate, convert, jackknife."""

from math import inf

from rouge_cli.errors import OptionError
from rouge_cli.options.declaration import Number, OptionGroup, option
from rouge_cli.options.reports import STUDY_REPORTS
from rouge_cli.options.values import (
    choice,
    choices,
    measures,
    path,
    real,
    string,
    strings,
    switch,
    whole,
)
from rouge_cli.quick_dataclass import dataclass

__all__ = [
    "RECORDS_KIND",
    "ComparisonOptions",
    "ConversionOptions",
    "CorrelationOptions",
    "JackknifeOptions",
    "PlanOptions",
]

COMPARE, PLAN, CORRELATE = "Compare", "Plan", "Correlate"
CONVERT, JACKKNIFE = "Convert", "Jackknife"
DIFFERENCE = real("a number above 0", lambda value: 0 < value < inf)
POWER = real("a number above 0.5 and below 1", lambda value: 0.5 < value < 1)  # noqa: PLR2004
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
    equivalence: Number | None = option(
        "--equivalence MARGIN",
        COMPARE,
        "Also test whether two systems are the same within this difference of their means.",
        DIFFERENCE,
        None,
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
class PlanOptions(OptionGroup):
    """What ``plan`` wants to know of a comparison that is still to be made."""

    difference: Number | None = option(
        "--difference X",
        PLAN,
        "The difference of two means to find: how many EVALs does it take?",
        DIFFERENCE,
        None,
    )
    equivalence: Number | None = option(
        "--equivalence MARGIN",
        PLAN,
        "Systems that are equal are to be shown the same within it: how many EVALs does it take?",
        DIFFERENCE,
        None,
    )
    power: Number = option(
        "--power SHARE",
        PLAN,
        "How often the comparison is to succeed; by default 0.8.",
        POWER,
        Number("0.8", 0.8),
    )
    spread: Number | None = option(
        "--spread SD",
        PLAN,
        "With one system: the standard deviation of its difference from the other, EVAL by EVAL.",
        DIFFERENCE,
        None,
    )
    comparisons: int = option(
        "--comparisons M",
        PLAN,
        "How many comparisons the study will make and correct for; by default 1.",
        whole(1, 1_000_000, "a whole number from 1 to 1000000"),
        1,
    )
    measures: str = option(
        "--measures LETTERS",
        PLAN,
        "Which of R, P and F, such as RPF; by default F.",
        measures,
        "F",
    )
    seed: int = option("--seed N", PLAN, "Seed of the simulation; by default 2004.", SEED, 2004)
    report: str = option(
        "--report KIND",
        PLAN,
        f"table (by default), {', '.join(STUDY_REPORTS[1:-1])} or {STUDY_REPORTS[-1]}.",
        choice(*STUDY_REPORTS),
        "table",
    )
    output: str | None = option(
        "-o --output FILE", PLAN, "Write the report to FILE, whole or not at all.", path, None
    )
    system_ids: tuple[str, ...] = option(
        "--system-id ID",
        PLAN,
        "A system of the pilot: two, or one with --spread; by default all in it.",
        strings,
        (),
        is_many=True,
    )

    def check(self) -> None:
        """Refuse two questions at once."""
        if self.difference is not None and self.equivalence is not None:
            raise OptionError("--difference and --equivalence exclude each other; give one")


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelationOptions(OptionGroup):
    """What ``correlate`` holds against human judgements, and how."""

    judgements: str | None = option(
        "--judgements FILE",
        CORRELATE,
        "Judgements: .csv, .tsv or .jsonl with system, eval, numbers and perhaps judge.",
        path,
        None,
    )
    judgement: tuple[str, ...] = option(
        "--judgement FIELD",
        CORRELATE,
        "A column of it to take, by default all with numbers; without it, a field of the records.",
        strings,
        (),
        is_many=True,
    )
    unmatched: str = option(
        "--unmatched error|skip|skip-cells",
        CORRELATE,
        "What lacks scores or judgements: stop, or leave out systems and whole EVALs, or cells.",
        choice("error", "skip", "skip-cells"),
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
    exchange: str = option(
        "--exchange systems|cells",
        CORRELATE,
        "What the tests exchange at the system level: whole systems (by default), or single cells.",
        choice("systems", "cells"),
        "systems",
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
        """Refuse no judgements at all, and sets of models that nothing asks for."""
        if self.judgements is None and not self.judgement:
            raise OptionError(
                "no judgements: give --judgements FILE, or --judgement FIELD if they stand in the "
                "records"
            )
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
