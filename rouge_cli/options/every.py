"""All groups of options that a run of ``score`` has, and the rules between the groups."""

from collections.abc import Mapping
from dataclasses import field, fields, replace
from typing import Any

from rouge_cli.errors import OptionError
from rouge_cli.options.beside import BesideOptions
from rouge_cli.options.declaration import Option, OptionGroup
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.pages import PageOptions
from rouge_cli.options.presets import PresetOptions, with_preset
from rouge_cli.options.reports import TABLE_REPORTS, ReportOptions, RunOptions, ThresholdOptions
from rouge_cli.options.scores import HISTOGRAM, MEAN_OVER_EVALS, RAW_COUNTS, ScoreOptions
from rouge_cli.options.texts import TextOptions
from rouge_cli.quick_dataclass import dataclass

__all__ = ["GROUPS", "OPTIONS", "InputFacts", "Options"]


@dataclass(frozen=True, slots=True, kw_only=True)
class InputFacts:
    """What a run has found out about its input, and no option says.

    Parameters
    ----------
    scored_as : str or None
        How scores that were read from a file had been made: that part of their signature.
    n_references : str
        How many references each text has, ``"var"`` if not all have as many.
    given_metrics : tuple of str
        The metrics that files of scores bring.
    is_beyond_original : bool
        Whether scores that were read from a file are none that the original computes.
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

    Build one with `Options.of`, which checks every value. Each group goes to the step that needs
    it.
    """

    presets: PresetOptions = field(default_factory=PresetOptions)
    metrics: MetricOptions = field(default_factory=MetricOptions)
    texts: TextOptions = field(default_factory=TextOptions)
    scores: ScoreOptions = field(default_factory=ScoreOptions)
    inputs: InputOptions = field(default_factory=InputOptions)
    beside: BesideOptions = field(default_factory=BesideOptions)
    reports: ReportOptions = field(default_factory=ReportOptions)
    pages: PageOptions = field(default_factory=PageOptions)
    thresholds: ThresholdOptions = field(default_factory=ThresholdOptions)
    run: RunOptions = field(default_factory=RunOptions)
    input_facts: InputFacts = field(default_factory=InputFacts)
    explicit: frozenset[str] = field(default=frozenset(), compare=False)
    """The names of the options that were given, even with the value that is the default."""

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "Options":
        """Check every value and every combination, and return the options.

        Parameters
        ----------
        given : mapping of str to object
            Name of an option to its value, as typed or as a Python value; None leaves the default.

        Raises
        ------
        OptionError
            An unknown name, a value out of range, or options that exclude each other.
        """
        if unknown := sorted(set(given) - set(OPTIONS)):
            raise OptionError(f"unknown option {unknown[0]!r}; known are: {', '.join(OPTIONS)}")
        given = with_preset(given)
        options = cls(
            presets=PresetOptions.of(given),
            metrics=MetricOptions.of(given),
            texts=TextOptions.of(given),
            scores=ScoreOptions.of(given),
            inputs=InputOptions.of(given),
            beside=BesideOptions.of(given),
            reports=ReportOptions.of(given),
            pages=PageOptions.of(given),
            thresholds=ThresholdOptions.of(given),
            run=RunOptions.of(given),
            explicit=frozenset(name for name, value in given.items() if value not in (None, ())),
        )
        options.check()
        if options.inputs.sentences != "auto":
            return options
        if options.texts.language is None:
            raise OptionError("--sentences auto takes the language of --language; give one")
        return options.changed(sentences=options.texts.language)

    def changed(self, **values: Any) -> "Options":
        """Return the options with other values of some of them, by their names; not checked."""
        changes = {}
        for name, group in GROUPS.items():
            own = {one: value for one, value in values.items() if one in group.options()}
            if own:
                changes[name] = replace(getattr(self, name), **own)
        return replace(self, **changes)

    def knowing(self, **facts: Any) -> "Options":
        """Return the options with other facts about the input, by their names."""
        return replace(self, input_facts=replace(self.input_facts, **facts))

    def values(self) -> dict[str, Any]:
        """Return the values of all options by their names, in the order of help."""
        merged: dict[str, Any] = {}
        for name in GROUPS:
            merged |= getattr(self, name).values()
        return merged

    def given(self) -> list[str]:
        """Return the names of the options that have another value than their default."""
        return [name for group in GROUPS for name in getattr(self, group).given()]

    def check(self) -> None:
        """Refuse options of different groups that exclude each other; raises OptionError."""
        self._check_scores()
        self._check_reports()

    def _check_scores(self) -> None:
        """Refuse metrics that cannot be counted, or read, in the way asked for."""
        metrics, inputs, counting = self.metrics, self.inputs, self.scores.counting
        if metrics.pairwise_lcs and counting != MEAN_OVER_EVALS:
            raise OptionError(f"--pairwise-lcs has no counts to pool: it excludes -t {counting}")
        if metrics.also and counting != MEAN_OVER_EVALS:
            raise OptionError(f"--also has no counts to pool: it excludes -t {counting}")
        for name in ("column", "scores", "fuse"):
            if name in self.given() and counting != MEAN_OVER_EVALS:
                raise OptionError(
                    f"{OPTIONS[name].spelling} has no counts to pool: it excludes -t {counting}"
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

    def _check_reports(self) -> None:
        """Refuse what a report cannot show, and checks of scores that are not computed."""
        reports, thresholds = self.reports, self.thresholds
        if reports.measures and not reports.tables and thresholds.baseline is None:
            tables = ", ".join(TABLE_REPORTS)
            raise OptionError(f"--measures is for --report {tables} and for --baseline")
        if self.scores.counting == RAW_COUNTS and reports.tables:
            raise OptionError(
                f"--report {reports.tables[0]} has no raw counts (-t 2); use json or csv"
            )
        if self.pages.plot and self.scores.counting == RAW_COUNTS:
            raise OptionError("--plot draws no raw counts (-t 2)")
        if self.scores.counting != MEAN_OVER_EVALS and reports.letters:
            raise OptionError(
                "--letters compares means over EVALs: it excludes -t "
                f"{self.scores.counting}, which pools counts"
            )
        given = (*reports.given(), *self.pages.given(), *thresholds.given())
        scores_something = {"report", "plot", "score_only", "require", "baseline"} & set(given)
        beside = [*self.beside.given(), *(["column"] if self.inputs.column else [])]
        if reports.dry_run and beside:
            raise OptionError(
                f"{OPTIONS[beside[0]].spelling} is about scores, and --dry-run makes none"
            )
        if reports.dry_run and scores_something:
            raise OptionError(
                "--dry-run scores nothing: no --report, --plot, --score-only, --require or "
                "--baseline with it"
            )


GROUPS: Mapping[str, type[OptionGroup]] = {
    item.name: item.default_factory  # type: ignore[misc]
    for item in fields(Options)
    if isinstance(item.default_factory, type) and issubclass(item.default_factory, OptionGroup)
}
"""Field of `Options` to its group, in the order of the help."""

OPTIONS: Mapping[str, Option] = {
    name: declared for group in GROUPS.values() for name, declared in group.options().items()
}
"""Every option of `Options` by its name, in the order of the help."""
