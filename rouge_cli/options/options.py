"""The options of ``score``: the presets, all groups, and the rules across groups."""

import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import field, fields, replace
from typing import Any

from rouge_cli.errors import OptionError, unknown_option
from rouge_cli.options import readers
from rouge_cli.options.declaration import (
    PACKAGES_DECIDE,
    Heading,
    Option,
    OptionGroup,
    Step,
    is_given,
    option,
)
from rouge_cli.options.inputs import InputOptions, with_line_files
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.reports import EVAL_TABLES, JUNIT, TABLE_REPORTS, PageOptions, ReportOptions
from rouge_cli.options.scores import (
    HISTOGRAM,
    MEAN_OVER_EVALS,
    RAW_COUNTS,
    JoinedOptions,
    ScoreOptions,
    ThresholdOptions,
)
from rouge_cli.options.texts import (
    ORIGINAL_TOKENIZER,
    SNOWBALL_ALGORITHMS,
    TextOptions,
    primary_language,
)
from rouge_cli.quick_dataclass import dataclass

RUN = "Run"

# At 50% the bound would be the middle of the distribution, and at 100% it would not exist.
COIN, CERTAINTY = 50, 100
"""Limits, in percent, of the confidence of a one-sided lower bound."""

# Presets: named sets of options, with their sources. Options that are given win over those of a
# preset. The preset of a benchmark sets only options that affect a score and differ from the
# default, so the report stays that of the original. See docs/guide/which-rouge.md for the
# benchmarks whose options are known.

PRESET = Heading("Preset", not_for=PACKAGES_DECIDE)
DEFAULT_PRESET = "paper"
"""The preset of inputs that the original cannot read, if no option of metrics or texts is given."""

# Pairs of exclusive options. If one of them is given, the preset leaves out the other.
_ALTERNATIVES = [
    (declared.instead_of, name)
    for group in (MetricOptions, TextOptions)
    for name, declared in group.options().items()
    if declared.instead_of is not None
]


@dataclass(frozen=True, slots=True)
class Preset:
    """A named set of options.

    - `use`: its purpose, as a phrase.
    - `options`: values by the names of options.
    - `source`: the address of its source; empty if this program defines it.
    """

    use: str
    options: Mapping[str, Any]
    source: str = ""

    def words(self, declared: Mapping[str, Option]) -> Iterator[str]:
        """Yield the words to type in place of the preset; `declared` are all options by name."""
        for name, value in self.options.items():
            option = declared[name]
            yield option.letter or option.long
            if option.metavar is not None:
                yield str(value)


_CNNDM = {"max_ngram": 2, "stem": True}
_SU4 = {"stem": True, "max_gap": 4, "skip_unigram": True}
_DUC_2007 = {"max_ngram": 2, "lcs": False, **_SU4}
_TAC = {"max_ngram": 4, "weight": "1.2", **_SU4, "words": 100}

PRESETS: Mapping[str, Preset] = {
    "paper": Preset("what most papers report", {"max_ngram": 2, "stem": True, "report": "table"}),
    "cnndm": Preset(
        "CNN/DailyMail by ROUGE-1.5.5, one sentence per line",
        _CNNDM,
        "https://github.com/maszhongming/MatchSum/blob/master/metrics.py",
    ),
    "xsum": Preset(
        "XSum by ROUGE-1.5.5, as SimCLS and BRIO", _CNNDM, "https://github.com/yixinL7/SimCLS"
    ),
    "duc2004": Preset(
        "DUC 2004, task 2: 665 bytes",
        {"max_ngram": 4, "weight": "1.2", "stem": True, "bytes": 665},
        "https://duc.nist.gov/duc2004/ (bytes), "
        "https://github.com/miso-belica/sumy/issues/120 (options)",
    ),
    "duc2004-headlines": Preset(
        "DUC 2004, task 1: 75 bytes",
        {"max_ngram": 2, "weight": "1.2", "stem": True, "bytes": 75},
        "https://github.com/facebookarchive/NAMAS/blob/master/DUC/eval.sh",
    ),
    "duc2004-100-words": Preset(
        "DUC 2004, task 2, as Hong et al. (LREC 2014): 100 words",
        {"max_ngram": 4, "lcs": False, "stem": True, "words": 100},
        "https://github.com/computationalmedia/supmmd",
    ),
    **{
        f"duc{year}": Preset(f"DUC {year}, as NIST announced", _DUC_2007, source)
        for year, source in (
            (2005, "https://www-nlpir.nist.gov/projects/duc/duc2005/tasks.html"),
            # "The main task is the same as the DUC 2006 task."
            (2006, "https://www-nlpir.nist.gov/projects/duc/duc2007/tasks.html"),
            (2007, "https://www-nlpir.nist.gov/projects/duc/duc2007/tasks.html"),
        )
    },
    **{
        f"tac{year}": Preset(
            f"TAC {year}, update summaries: 100 words",
            _TAC,
            "https://github.com/computationalmedia/supmmd",
        )
        for year in (2008, 2009)
    },
}
"""All presets by name, in help order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetOptions(OptionGroup):
    """Options that set several others."""

    preset: str | None = option(
        PRESET,
        "--preset NAME: The options of most papers (paper, the default but for XML and -z) or of "
        "a benchmark (cnndm, duc2007, see --help-all); other options win.",
        readers.choice(*PRESETS),
        is_common=True,
    )


def _says_what_is_computed(given: Mapping[str, Any]) -> bool:
    """Return whether an option of metrics is given, or one of texts with a value of its own."""
    texts = TextOptions().values()
    return any(
        name in given and not declared.keeps_preset and (name, given[name]) not in texts.items()
        for group in (MetricOptions, TextOptions)
        for name, declared in group.options().items()
    )


def _has_stemmer(given: Mapping[str, Any]) -> bool:
    # These values have not been read yet, so a language may be in any case, or invalid.
    if "stemmer" in given:
        return True
    if "language" not in given:
        return bool(given.get("tokenizer", ORIGINAL_TOKENIZER) == ORIGINAL_TOKENIZER)
    return primary_language(str(given["language"]).lower()) in SNOWBALL_ALGORITHMS


# All groups.

# The classic report shows neither protocols nor chosen EVALs.
_NEED_TABLE = {"protocol"} | {
    name for name, declared in ReportOptions.options().items() if declared.reports == EVAL_TABLES
}


def _with_defaults(raw: Mapping[str, Any], default: str | None = None) -> dict[str, Any]:
    """Return the given options with those of the preset, and the report that they need.

    `default` is the preset to use if no option says what to compute; with it, the report is a
    table. Raises OptionError for an unknown preset, and for a preset with a protocol.
    """
    given = {name: value for name, value in raw.items() if is_given(value)}
    has_report = not (given.get("dry_run") or given.get("score_only"))
    is_raw = str(given.get("counting")) == str(RAW_COUNTS)
    name = PresetOptions.of(raw).preset
    if name is None and not _says_what_is_computed(given):
        name = default
    if name is not None:
        if "protocol" in given:
            raise OptionError(
                f"--preset {name} sets options of ROUGE-1.5.5, and --protocol is for the numbers "
                "of another package; give one of them"
            )
        left_out = {x for pair in _ALTERNATIVES if any(map(given.get, pair)) for x in pair}
        if not _has_stemmer(given):
            left_out.add("stem")
        # A dry run and a single score replace the report, and a table has no raw counts.
        if is_raw or not has_report:
            left_out.add("report")
        preset = PRESETS[name].options.items()
        given = {key: value for key, value in preset if key not in left_out} | given
        given["preset"] = name
    has_default_table = default is not None and not is_raw
    if has_report and (has_default_table or not _NEED_TABLE.isdisjoint(given)):
        given.setdefault("report", "table")
    # Without a preset, values such as an empty tuple are left for the readers to refuse.
    return given if name is not None else {**raw, **given}


JOBS_VARIABLE = "ROUGE_CLI_JOBS"
"""Environment variable with the default of ``--jobs``, also in Python."""


def jobs_of_environment() -> int | None:
    """Return the number of jobs that the environment requests, if any; raises OptionError."""
    if not (text := os.environ.get(JOBS_VARIABLE)):
        return None
    try:
        return readers.JOB_COUNT(text)
    except ValueError as expected:
        raise OptionError(f"{JOBS_VARIABLE}: found {text!r}, expected {expected}") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions(OptionGroup):
    """Options that do not affect the output."""

    jobs: int | None = option(
        RUN,
        "--jobs N: Number of threads or processes; the output is the same. By default all "
        "processors, if the run is long enough to gain.",
        readers.JOB_COUNT,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class InputFacts:
    """Facts about the input, which the run adds to the options once it knows them.

    - `scored_as`: the signature of saved scores, without the part about averages.
    - `n_references`: the number of references per text; ``"var"`` if it varies.
    - `external_metrics`: the metrics in files of scores.
    - `is_beyond_original`: whether saved scores come from metrics or options that the original
      lacks.
    - `has_lists`: whether some texts are lists of sentences.
    - `is_original`: whether the original can read the input, which is then an XML configuration or
      a file list.
    """

    scored_as: str | None = None
    n_references: str = field(default="?", compare=False)
    external_metrics: tuple[str, ...] = ()
    is_beyond_original: bool = False
    has_lists: bool = False
    is_original: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """All options of a run, in groups, so that each step is passed only those that it needs.

    Use `Options.of`, which checks every value, to create it.
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
    """Names of the given options, including those whose value is the default."""

    @classmethod
    def of(cls, raw: Mapping[str, Any], default_preset: str | None = None) -> "Options":
        """Check all values and combinations, and return the options.

        `raw` has typed text or Python values; None means the default. `default_preset` is the
        preset of inputs that ROUGE-1.5.5 cannot read, whose default report is a table. Raises
        OptionError for unknown names, invalid values and contradictions.
        """
        raw = with_line_files(raw)
        if unknown := sorted(set(raw) - set(OPTIONS)):
            raise unknown_option(unknown[0], OPTIONS)
        given = _with_defaults(raw)
        explicit = frozenset(name for name, value in given.items() if is_given(value))
        # The default preset is not an explicit option, hence it comes after `explicit`.
        if default_preset is not None:
            given = _with_defaults(raw, default_preset)
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
        """Return the values by the names of options, in help order."""
        merged: dict[str, Any] = {}
        for name in GROUPS:
            merged |= getattr(self, name).values()
        return merged

    def given(self) -> list[str]:
        """Return the names of the options whose value is not the default."""
        return [name for group in GROUPS for name in getattr(self, group).given()]

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about values that are valid, but unusual."""
        preset = self.presets.preset
        is_stemmed = {"stem", "stem_models"} & {*self.explicit, *self.texts.given()}
        if preset is None or "stem" not in PRESETS[preset].options or is_stemmed:
            return self.scores.warnings
        lapsed = (
            f"preset {preset}: words are not stemmed, as this language or tokenizer has no stemmer"
        )
        return (*self.scores.warnings, lapsed)

    def check(self) -> None:
        """Raise OptionError for contradictions between groups."""
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
        # A histogram of scores does not say which scores belong to a cluster.
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
        # The message names a given option rather than one that it implies.
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
                "--letters compares means over texts: it excludes -t "
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
                "--not-worse-than compares the scores of texts: it excludes -t "
                f"{self.scores.counting}, which pools counts"
            )
        confidence = self.scores.confidence
        if not COIN < confidence.value < CERTAINTY:
            raise OptionError(
                f"-c/--confidence: found {confidence.text!r}, expected a number above {COIN} and "
                f"below {CERTAINTY} for the lower bound of --not-worse-than"
            )


# Derived from the fields of `Options`, so that a new group is named only there.
GROUPS: Mapping[str, type[OptionGroup]] = {
    item.name: item.default_factory  # type: ignore[misc]
    for item in fields(Options)
    if isinstance(item.default_factory, type) and issubclass(item.default_factory, OptionGroup)
}
"""The groups by their fields in `Options`, in help order."""

SCORING = (
    *(PresetOptions, MetricOptions, TextOptions, ScoreOptions, InputOptions, JoinedOptions),
    RunOptions,
)
"""The groups of options that determine what is scored, and how."""

OPTIONS: Mapping[str, Option] = {
    name: declared for group in GROUPS.values() for name, declared in group.options().items()
}
"""All options by name, in help order."""

KINDS: Mapping[str, str] = {
    declared.kind: name for name, declared in OPTIONS.items() if declared.kind is not None
}
"""The options that are given with ``--add``, by kind."""

# Not a field of any group: `with_added` replaces it by the options in `KINDS`.
ADD = Option(
    None,
    "--add",
    "KIND:NAME",
    "Add a metric: metric:NAME[:KEY=VALUE,...] (chrf, bleu, ter or a plug-in), counted:NAME of a "
    "package, column:[NAME=]FIELD of records or scores:FILE; repeat for each.",
    OPTIONS["also"].heading,
    readers.strings,
    is_many=True,
    is_common=True,
)


def with_added(raw: Mapping[str, Any], kinds: Collection[str] = tuple(KINDS)) -> dict[str, Any]:
    """Replace the option ``add`` by those that it gives; raises OptionError.

    Items are strings ``KIND:...`` or, from Python, metrics as objects. `kinds` are the kinds that
    the command takes.
    """
    values = {name: value for name, value in raw.items() if name != "add"}
    added = raw.get("add")
    items = list(added) if isinstance(added, list | tuple) else [added] * (added is not None)
    for item in items:
        # An object, which only Python programs can give, is a metric.
        kind, colon, rest = item.partition(":") if isinstance(item, str) else ("metric", ":", item)
        if kind not in kinds or not (colon and rest):
            expected = ", ".join(f"{kind}:..." for kind in kinds)
            raise OptionError(f"--add: found {item!r}, expected one of {expected}")
        values[KINDS[kind]] = (*(values.get(KINDS[kind]) or ()), rest)
    return values


def left_out(*commands: str, shows_evals: bool = False) -> frozenset[str]:
    """Return the names of the options that a command does not take.

    `commands` are the names of the command in `Option.not_for`; `shows_evals` says whether its page
    shows EVALs one by one.
    """
    return frozenset(
        name
        for name, declared in OPTIONS.items()
        if not declared.not_for.keys().isdisjoint(commands)
        or (declared.for_eval_pages and not shows_evals)
    )
