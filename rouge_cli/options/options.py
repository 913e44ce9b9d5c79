"""The options of ``score``: all groups together, and the rules between the groups."""

from collections.abc import Mapping
from dataclasses import field, fields, replace
from typing import Any

from rouge_cli.errors import OptionError
from rouge_cli.options.declaration import JOB_COUNT, Option, OptionGroup, option
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.presets import NOT_GIVEN, PresetOptions, with_preset
from rouge_cli.options.reports import EVAL_TABLES, JUNIT, TABLE_REPORTS, PageOptions, ReportOptions
from rouge_cli.options.scores import (
    HISTOGRAM,
    MEAN_OVER_EVALS,
    RAW_COUNTS,
    JoinedOptions,
    ScoreOptions,
    ThresholdOptions,
)
from rouge_cli.options.texts import TextOptions
from rouge_cli.quick_dataclass import dataclass

RUN = "Run"

COIN, CERTAINTY = 50, 100
"""Confidence, in percent, of the toss of a coin, and of what no sample can give."""


_OF_EVAL_TABLES = tuple(
    name for name, declared in ReportOptions.options().items() if declared.reports == EVAL_TABLES
)


def _with_report(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return options with a table for what the classic report, ROUGE-1.5.5's, does not have.

    This is ``--protocol``, and what chooses EVALs for a table.
    """
    needs_table = "protocol", *_OF_EVAL_TABLES
    is_needed = any(raw.get(name) not in NOT_GIVEN for name in needs_table)
    if not is_needed or raw.get("report") not in NOT_GIVEN:
        return raw
    if raw.get("dry_run") or raw.get("score_only"):
        return raw
    return {**raw, "report": "table"}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions(OptionGroup):
    """How a run is carried out; none of it changes a digit."""

    jobs: int | None = option(
        "--jobs N",
        RUN,
        "Number of threads or processes; the output is the same. By default all processors, if the "
        "run is long enough to gain.",
        JOB_COUNT,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class InputFacts:
    """Facts about the input, which the run sets.

    Parameters
    ----------
    scored_as : str or None
        The part of the signature of saved scores that says how they were made.
    n_references : str
        How many references each text has, ``"var"`` if not all have as many.
    given_metrics : tuple of str
        The metrics that files of scores bring.
    is_beyond_original : bool
        Whether saved scores are of a kind that the original does not compute.
    has_lists : bool
        Whether some text came as a list of its sentences.
    is_original : bool
        Whether the original reads the input as it is: an XML configuration or a file list.
    """

    scored_as: str | None = None
    n_references: str = field(default="?", compare=False)
    given_metrics: tuple[str, ...] = ()
    is_beyond_original: bool = False
    has_lists: bool = False
    is_original: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What to compute, from what, and how to print it.

    Build it with `Options.of`, which checks every value. Each step takes only the groups that it
    needs.
    """

    presets: PresetOptions = field(default_factory=PresetOptions)
    metrics: MetricOptions = field(default_factory=MetricOptions)
    texts: TextOptions = field(default_factory=TextOptions)
    scores: ScoreOptions = field(default_factory=ScoreOptions)
    inputs: InputOptions = field(default_factory=InputOptions)
    joined: JoinedOptions = field(default_factory=JoinedOptions)
    reports: ReportOptions = field(default_factory=ReportOptions)
    pages: PageOptions = field(default_factory=PageOptions)
    thresholds: ThresholdOptions = field(default_factory=ThresholdOptions)
    run: RunOptions = field(default_factory=RunOptions)
    input_facts: InputFacts = field(default_factory=InputFacts)
    explicit: frozenset[str] = field(default=frozenset(), compare=False)
    """The names of the options that were given, even with the value that is the default."""

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> "Options":
        """Check every value and every combination, and return the options.

        `raw` has values as typed or as Python values; None leaves the default. Raises OptionError
        for an unknown name, a value out of range, or options that exclude each other.
        """
        if unknown := sorted(set(raw) - set(OPTIONS)):
            raise OptionError(f"unknown option {unknown[0]!r}; known are: {', '.join(OPTIONS)}")
        raw = _with_report(with_preset(raw))
        options = cls(
            presets=PresetOptions.of(raw),
            metrics=MetricOptions.of(raw),
            texts=TextOptions.of(raw),
            scores=ScoreOptions.of(raw),
            inputs=InputOptions.of(raw),
            joined=JoinedOptions.of(raw),
            reports=ReportOptions.of(raw),
            pages=PageOptions.of(raw),
            thresholds=ThresholdOptions.of(raw),
            run=RunOptions.of(raw),
            explicit=frozenset(name for name, value in raw.items() if _is_given(value)),
        )
        options.check()
        if options.inputs.sentences != "auto":
            return options
        if options.texts.language is None:
            raise OptionError("--sentences auto takes the language of --language; give one")
        return options.changed(sentences=options.texts.language)

    def changed(self, **values: Any) -> "Options":
        """Return a copy with some values replaced, by name; they are not checked."""
        changes = {}
        for name, group in GROUPS.items():
            of_group = {key: value for key, value in values.items() if key in group.options()}
            if of_group:
                changes[name] = replace(getattr(self, name), **of_group)
        return replace(self, **changes)

    def knowing(self, **facts: Any) -> "Options":
        """Return a copy with some facts about the input replaced, by name."""
        return replace(self, input_facts=replace(self.input_facts, **facts))

    def values(self) -> dict[str, Any]:
        """Return the values of all options by their names, in the order of help."""
        merged: dict[str, Any] = {}
        for name in GROUPS:
            merged |= getattr(self, name).values()
        return merged

    def given(self) -> list[str]:
        """Return the names of the options whose value is not the default."""
        return [name for group in GROUPS for name in getattr(self, group).given()]

    def check(self) -> None:
        """Refuse options of different groups that exclude each other; raises OptionError."""
        self._check_scores()
        self._check_protocol()
        self._check_reports()
        self._check_gate()

    def _check_scores(self) -> None:
        """Refuse metrics that do not go with the counting or the reading of texts."""
        metrics, inputs, counting = self.metrics, self.inputs, self.scores.counting
        if counting != MEAN_OVER_EVALS:
            for declared in (OPTIONS[name] for name in self.given()):
                if declared.has_no_counts:
                    raise OptionError(
                        f"{declared.spelling} has no counts to pool: it excludes -t {counting}"
                    )
        if inputs.cluster is not None and self.scores.bootstrap == HISTOGRAM:
            raise OptionError(
                "--bootstrap histogram draws scores one by one: it excludes --cluster, which draws "
                "those of a cluster together"
            )
        if metrics.basic_elements and inputs.sentences:
            raise OptionError("--sentences and -3/--basic-elements exclude each other")
        if metrics.basic_elements and not self.texts.reads_as_original:
            raise OptionError(
                "-3/--basic-elements reads elements in English as the original does: it excludes "
                "the options under Language"
            )

    def _check_protocol(self) -> None:
        """Refuse what a protocol decides itself."""
        if self.metrics.protocol is None:
            return
        used = [name for name in self.texts.given() if name not in {"empty", "data_dir"}]
        of_scores = {"formula", "alpha", "jackknife", "humans"}
        used += [name for name in self.scores.given() if name in of_scores]
        # What was typed is named before what it implies.
        used.sort(key=lambda name: name not in self.explicit)
        # Scores bring theirs along when they are reported again.
        is_asked = "protocol" in self.explicit
        saved = f"the scores were saved with --protocol {self.metrics.protocol}"
        if used:
            subject = "--protocol" if is_asked else f"{saved}, which"
            raise OptionError(
                f"{subject} decides how texts become scores: it excludes "
                f"{OPTIONS[used[0]].spelling}"
            )
        prints = self.reports.score_only is None and not self.reports.dry_run
        if prints and "report" in self.explicit and "classic" in self.reports.kinds:
            advice = "with --protocol take" if is_asked else f"{saved}: take"
            raise OptionError(f"--report classic is ROUGE-1.5.5's; {advice} table or another")

    def _check_reports(self) -> None:
        """Refuse what a report cannot show, and checks of scores in a dry run."""
        reports, thresholds = self.reports, self.thresholds
        if reports.measures and not reports.tables and thresholds.baseline is None:
            tables = ", ".join(TABLE_REPORTS)
            raise OptionError(f"--measures is for --report {tables} and for --baseline")
        if self.scores.counting == RAW_COUNTS and reports.tables:
            raise OptionError(
                f"--report {reports.tables[0]} has no raw counts (-t 2); use json or csv"
            )
        if JUNIT in reports.kinds and not (thresholds.require or thresholds.baseline):
            raise OptionError(
                f"--report {JUNIT} has a test for each requirement: give --require or --baseline"
            )
        if self.pages.plot and self.scores.counting == RAW_COUNTS:
            raise OptionError("--plot draws no raw counts (-t 2)")
        if self.scores.counting != MEAN_OVER_EVALS and reports.letters:
            raise OptionError(
                "--letters compares means over EVALs: it excludes -t "
                f"{self.scores.counting}, which pools counts"
            )
        used = (*reports.given(), *self.pages.given(), *thresholds.given())
        scores_something = {"report", "plot", "score_only", "require", "baseline"} & set(used)
        joined = [*self.joined.given(), *(["column"] if self.inputs.column else [])]
        if reports.dry_run and joined:
            raise OptionError(
                f"{OPTIONS[joined[0]].spelling} is about scores, and --dry-run makes none"
            )
        if reports.dry_run and scores_something:
            raise OptionError(
                "--dry-run scores nothing: no --report, --plot, --score-only, --require or "
                "--baseline with it"
            )

    def _check_gate(self) -> None:
        """Refuse what a lower bound for --not-worse-than cannot be made of."""
        if self.thresholds.not_worse_than is None:
            return
        if self.scores.counting != MEAN_OVER_EVALS:
            raise OptionError(
                "--not-worse-than compares the scores of EVALs: it excludes -t "
                f"{self.scores.counting}, which pools counts"
            )
        confidence = self.scores.confidence
        if not COIN < confidence.value < CERTAINTY:
            raise OptionError(
                f"-c/--confidence: found {confidence.text!r}, expected a number above {COIN} and "
                f"below {CERTAINTY} for the lower bound of --not-worse-than"
            )
        if self.thresholds.anytime and self.inputs.cluster is not None:
            raise OptionError("--anytime takes EVALs one by one: it excludes --cluster")


GROUPS: Mapping[str, type[OptionGroup]] = {
    item.name: item.default_factory  # type: ignore[misc]
    for item in fields(Options)
    if isinstance(item.default_factory, type) and issubclass(item.default_factory, OptionGroup)
}
"""Field of `Options` to its group, in the order of the help."""

SCORING = (
    *(PresetOptions, MetricOptions, TextOptions, ScoreOptions, InputOptions, JoinedOptions),
    RunOptions,
)
"""The groups of options that say what is scored, and how."""

OPTIONS: Mapping[str, Option] = {
    name: declared for group in GROUPS.values() for name, declared in group.options().items()
}
"""Every option of `Options` by its name, in the order of the help."""

OF_EVAL_PAGES = frozenset(name for name, declared in OPTIONS.items() if declared.of_eval_pages)
"""Options of a page that shows EVALs one by one."""

NOT_EXPLAINED = OF_EVAL_PAGES | {"protocol"}
"""Options of scores that an explanation does not have: a protocol finds words of its own."""


def _is_given(value: object) -> bool:
    """Return whether an option is given: by anything but None and an empty tuple."""
    return value is not None and not (isinstance(value, tuple) and not value)
