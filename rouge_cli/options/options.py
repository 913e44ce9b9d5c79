"""The options of ``score``: all groups, and the rules across groups."""

import os
from collections.abc import Collection, Mapping
from dataclasses import field, fields, replace
from typing import Any

from rouge_cli.errors import OptionError, unknown_option
from rouge_cli.options.declaration import JOB_COUNT, Option, OptionGroup, Step, option, strings
from rouge_cli.options.inputs import InputOptions, with_line_files
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.presets import NOT_GIVEN, PresetOptions, lapsed_stems, with_preset
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

COIN, CERTAINTY = 50, 100  # bounds, in percent, of the confidence of a one-sided lower bound


_OF_EVAL_TABLES = tuple(
    name for name, declared in ReportOptions.options().items() if declared.reports == EVAL_TABLES
)


def _with_report(raw: Mapping[str, Any], *, is_original: bool) -> Mapping[str, Any]:
    # The classic report shows neither protocols nor chosen EVALs, and tables have no raw counts.
    needs_table = "protocol", *_OF_EVAL_TABLES
    is_needed = any(raw.get(name) not in NOT_GIVEN for name in needs_table)
    is_default = not is_original and str(raw.get("counting")) != str(RAW_COUNTS)
    if not (is_needed or is_default) or raw.get("report") not in NOT_GIVEN:
        return raw
    if raw.get("dry_run") or raw.get("score_only"):
        return raw
    return {**raw, "report": "table"}


JOBS_VARIABLE = "ROUGE_CLI_JOBS"
"""Environment variable with the default of ``--jobs``, also in Python."""


def jobs_of_environment() -> int | None:
    """Return the number of jobs that the environment requests, if any; raises OptionError."""
    if not (text := os.environ.get(JOBS_VARIABLE)):
        return None
    try:
        return JOB_COUNT(text)
    except ValueError as expected:
        raise OptionError(f"{JOBS_VARIABLE}: found {text!r}, expected {expected}") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions(OptionGroup):
    """Options that change no digit."""

    jobs: int | None = option(
        "--jobs N",
        RUN,
        "Number of threads or processes; the output is the same. By default all processors, if the "
        "run is long enough to gain.",
        JOB_COUNT,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class InputFacts:
    """Facts about the input, set by the run.

    - `scored_as`: the signature of saved scores, without the part about averages.
    - `n_references`: the number of references per text; ``"var"`` if it varies.
    - `external_metrics`: metrics from files of scores.
    - `is_beyond_original`: saved scores come from metrics or options that the original lacks.
    - `has_lists`: some text is a list of sentences.
    - `is_original`: the original can read the input itself: an XML configuration or a file list.
    """

    scored_as: str | None = None
    n_references: str = field(default="?", compare=False)
    external_metrics: tuple[str, ...] = ()
    is_beyond_original: bool = False
    has_lists: bool = False
    is_original: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """All options of a run, in groups, so that each step takes only those that it needs.

    Build it with `Options.of`, which checks every value.
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
    """Names of the options that were given, even those given their default."""

    @classmethod
    def of(cls, raw: Mapping[str, Any], default_preset: str | None = None) -> "Options":
        """Check all values and combinations, and return the options.

        `raw` has typed or Python values; None leaves the default. `default_preset` is that of
        inputs that ROUGE-1.5.5 does not read; their report is a table. Raises OptionError for
        unknown names, invalid values and contradictions.
        """
        raw = with_line_files(raw)
        if unknown := sorted(set(raw) - set(OPTIONS)):
            raise unknown_option(unknown[0], OPTIONS)
        given = _with_report(with_preset(raw), is_original=True)
        explicit = frozenset(name for name, value in given.items() if value not in NOT_GIVEN)
        if default_preset is not None:
            given = _with_report(with_preset(raw, default_preset), is_original=False)
        groups: dict[str, Any] = {name: group.of(given) for name, group in GROUPS.items()}
        options = cls(**groups, explicit=explicit)
        options.check()
        if options.inputs.sentences != "auto":
            return options
        if options.texts.language is None:
            raise OptionError("--sentences auto takes the language of --language; give one")
        return options.changed(sentences=options.texts.language)

    def changed(self, **values: Any) -> "Options":
        """Return a copy with some values replaced, without checks."""
        changes = {}
        for name, group in GROUPS.items():
            of_group = {key: value for key, value in values.items() if key in group.options()}
            if of_group:
                changes[name] = replace(getattr(self, name), **of_group)
        return replace(self, **changes)

    def with_input_facts(self, **facts: Any) -> "Options":
        """Return a copy with some facts about the input replaced."""
        return replace(self, input_facts=replace(self.input_facts, **facts))

    def values(self) -> dict[str, Any]:
        """Return the values by the names of options, in the order of the help."""
        merged: dict[str, Any] = {}
        for name in GROUPS:
            merged |= getattr(self, name).values()
        return merged

    def given(self) -> list[str]:
        """Return the names of the options whose value is not the default."""
        return [name for group in GROUPS for name in getattr(self, group).given()]

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is unusual about the values."""
        given = {*self.explicit, *self.texts.given()}
        return tuple(
            filter(None, (*self.scores.warnings, lapsed_stems(self.presets.preset, given)))
        )

    def check(self) -> None:
        """Refuse contradictions across groups; raises OptionError."""
        self._check_scores()
        self._check_protocol()
        self._check_reports()
        self._check_gate()

    def _check_scores(self) -> None:
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
        if self.metrics.protocol is None:
            return
        used = [
            name
            for name in (*self.texts.given(), *self.scores.given())
            if OPTIONS[name].step in {Step.EVALS, Step.F_MEASURE}
            and not OPTIONS[name].goes_with_protocol
        ]
        # Name a typed option rather than the one that it implies.
        used.sort(key=lambda name: name not in self.explicit)
        # Saved scores bring their protocol along.
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


GROUPS: Mapping[str, type[OptionGroup]] = {
    item.name: item.default_factory  # type: ignore[misc]
    for item in fields(Options)
    if isinstance(item.default_factory, type) and issubclass(item.default_factory, OptionGroup)
}
"""Groups by their fields in `Options`, in the order of the help."""

SCORING = (
    *(PresetOptions, MetricOptions, TextOptions, ScoreOptions, InputOptions, JoinedOptions),
    RunOptions,
)
"""The groups of options that determine what is scored, and how."""

OPTIONS: Mapping[str, Option] = {
    name: declared for group in GROUPS.values() for name, declared in group.options().items()
}
"""All options by name, in the order of the help."""


KINDS: Mapping[str, str] = {
    declared.kind: name for name, declared in OPTIONS.items() if declared.kind is not None
}
"""The options that ``--add`` gives, by kind."""

ADD = Option(
    None,
    "--add",
    OPTIONS["also"].heading,
    "Add a metric: metric:NAME[:KEY=VALUE,...] (chrf, bleu, ter or a plug-in), counted:NAME of a "
    "package, column:[NAME=]FIELD of records or scores:FILE; repeat for each.",
    "KIND:NAME",
    strings,
    is_many=True,
    is_common=True,
)


def with_added(raw: Mapping[str, Any], kinds: Collection[str] = tuple(KINDS)) -> dict[str, Any]:
    """Replace ``add`` by the options that it gives; an object is a metric. Raises OptionError.

    `kinds` are those that the command takes.
    """
    values = {name: value for name, value in raw.items() if name != "add"}
    added = raw.get("add")
    items = list(added) if isinstance(added, list | tuple) else [added] * (added is not None)
    for item in items:
        kind, colon, rest = item.partition(":") if isinstance(item, str) else ("metric", ":", item)
        if kind not in kinds or not (colon and rest):
            expected = ", ".join(f"{kind}:..." for kind in kinds)
            raise OptionError(f"--add: found {item!r}, expected one of {expected}")
        values[KINDS[kind]] = (*(values.get(KINDS[kind]) or ()), rest)
    return values


def left_out(*commands: str, shows_evals: bool = False) -> frozenset[str]:
    """Return the names of the options that a command does not take.

    `commands` are its names in `Option.not_for`; `shows_evals` is true if its page shows EVALs one
    by one.
    """
    return frozenset(
        name
        for name, declared in OPTIONS.items()
        if not declared.not_for.keys().isdisjoint(commands)
        or (declared.for_eval_pages and not shows_evals)
    )
