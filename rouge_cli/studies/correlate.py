"""The study ``correlate``: how well the scores agree with human judgements."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from rouge_cli.errors import OptionError
from rouge_cli.options.declaration import choice, choices, measures, option, path, strings
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.options import OPTIONS, PresetOptions
from rouge_cli.options.reports import CORRELATION_FIGURES
from rouge_cli.options.studies import (
    StudyOptions,
    output_option,
    report_option,
    seed_option,
)
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.studies.study import Answer, ScoreSource, Study

if TYPE_CHECKING:
    from rouge_cli.options.scores import ScoreOptions
    from rouge_cli.scores.results import Results
    from rouge_cli.studies.correlation import CorrelationPlan
    from rouge_cli.studies.correlation_study import CorrelationStudy

CORRELATE = "Correlate"
COEFFICIENTS = ("pearson", "spearman", "kendall")
PAPER_TEXTS = ("as-is", "stem", "stop")


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelationOptions(StudyOptions):
    """What ``correlate`` holds against human judgements, and how."""

    judgements: str | None = option(
        "--judgements FILE",
        CORRELATE,
        "Judgements: .csv, .tsv or .jsonl with system, eval, numbers and perhaps judge.",
        path,
    )
    judgement: tuple[str, ...] = option(
        "--judgement FIELD",
        CORRELATE,
        "A column of it to take, by default all with numbers; without it, a field of the records.",
        strings,
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
        is_many=True,
    )
    coefficient: tuple[str, ...] = option(
        "--coefficient pearson|spearman|kendall",
        CORRELATE,
        "Which coefficients; by default all three.",
        choices("pearson", "spearman", "kendall"),
        is_many=True,
    )
    measures: str | None = option(
        "--measures LETTERS",
        CORRELATE,
        "Which of R, P and F; by default F, with --paper-table R.",
        measures,
    )
    resample: str = option(
        "--resample evals|systems|both",
        CORRELATE,
        "What the resamples of the intervals draw; by default both.",
        choice("evals", "systems", "both"),
        "both",
    )
    seed: int = seed_option(CORRELATE, "Seed of all random draws; by default 2004.")
    pairs: bool = option("--pairs", CORRELATE, "Test every two metrics against each other.")
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
        python_advice="score the texts in each way, and correlate each of the results",
    )
    conditions: tuple[str, ...] = option(
        "--conditions LIST",
        CORRELATE,
        "Score texts in these ways: as-is,stem,stop,stem+stop.",
        choices("as-is", "stem", "stop", "stem+stop"),
        (),
        python_advice="score the texts in each way, and correlate each of the results",
    )
    model_sets: tuple[str, ...] = option(
        "--model-sets LIST",
        CORRELATE,
        "Score with the first model of each EVAL, or with all: one,all.",
        choices("one", "all"),
        (),
        python_advice="score the texts with each set of models, and correlate each of the results",
    )
    report: str = report_option(CORRELATE)
    output: str | None = output_option(CORRELATE)

    def check(self) -> None:
        """Refuse no judgements at all, and sets of models that nothing asks for."""
        if self.judgements is None and not self.judgement:
            raise OptionError(
                "no judgements: give --judgements FILE, or --judgement FIELD if they stand in the "
                "records"
            )
        if self.model_sets and not (self.conditions or self.paper_table):
            raise OptionError("--model-sets is for --conditions and --paper-table")

    def input_files(self) -> tuple[str | None, ...]:
        """Return the file of judgements."""
        return (self.judgements,)


class CorrelateStudy(Study):
    """Correlate the scores of systems with human judgements.

    CONFIG and the options that take its place are those of score; every system is scored. The
    judgements are a file .csv, .tsv or .jsonl with the columns system, eval and one or more with
    numbers; without eval there is one judgement a system, and only the system level.
    """

    options = CorrelationOptions
    # The models are not scored here: nobody judges them.
    not_taken = Study.not_taken | {"humans"}
    figures = CORRELATION_FIGURES
    default_figure = "agreement"
    python_options = ("confidence", "resamples")

    def scoring(self, given: Mapping[str, Any], asked: CorrelationOptions) -> Mapping[str, Any]:
        """Return the options of scores; refuse those that the conditions or the table decide."""
        if asked.paper_table:
            names = (*PresetOptions.options(), *MetricOptions.options(), "column", "scores", "fuse")
            _refuse(names, given, "--paper-table computes its own 17 metrics")
        if asked.paper_table or asked.conditions:
            names = ("preset", "stem", "stem_models", "remove_stopwords")
            _refuse(names, given, "the conditions say what is stemmed and removed")
        # The resamples are those of the correlations.
        return {**given, "all": True}

    def run(self, source: ScoreSource, asked: CorrelationOptions) -> Answer:
        """Score in every condition, and correlate."""
        from rouge_cli.inputs.judgements import read_judged_records, read_judgements
        from rouge_cli.studies.correlation_study import study_correlations

        options = source.options
        if asked.judgements is not None:
            judgements = read_judgements(asked.judgements, asked.judgement)
        else:
            judgements = read_judged_records(source.source, asked.judgement, options.inputs)
        plan = plan_of(asked, options.scores)
        without_bootstrap = options.changed(resamples=0)
        with source.open_context() as context:
            return Answer(
                study_correlations(source.source, without_bootstrap, judgements, plan, context)
            )

    def answer(
        self,
        results: "Results",
        systems: tuple[str, ...],
        asked: CorrelationOptions,
        scores: "ScoreOptions",
    ) -> "CorrelationStudy":
        """Correlate scores that are at hand with judgements in a file."""
        from rouge_cli.inputs.judgements import read_judgements
        from rouge_cli.studies.correlation_study import correlate_results

        judgements = read_judgements(asked.judgements or "", asked.judgement)
        return correlate_results(results, judgements, plan_of(asked, scores))


STUDY = CorrelateStudy()


def _refuse(names: Iterable[str], given: Mapping[str, Any], reason: str) -> None:
    """Refuse options that something else decides."""
    for name in names:
        if given[name] not in (None, ()):
            raise OptionError(f"{OPTIONS[name].spelling}: {reason}; leave it out")


def plan_of(asked: CorrelationOptions, scores: "ScoreOptions") -> "CorrelationPlan":
    """Return how to correlate; the paper's table is one of Pearson's coefficient and of recall."""
    from rouge_cli.studies.correlation import CorrelationPlan

    is_paper = asked.paper_table
    coefficients = asked.coefficient or (COEFFICIENTS[:1] if is_paper else COEFFICIENTS)
    return CorrelationPlan(
        asked.level or (("system",) if is_paper else ()),
        tuple(name for name in COEFFICIENTS if name in coefficients),
        asked.measures or ("R" if is_paper else "F"),
        asked.resample,
        scores.resamples,
        scores.confidence,
        asked.seed,
        asked.pairs,
        asked.exchange,
        asked.conditions or (PAPER_TEXTS if is_paper else ()),
        asked.model_sets or (() if is_paper else ("all",)),
        is_paper,
        asked.unmatched,
    )
