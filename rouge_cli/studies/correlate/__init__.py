"""The study ``correlate``: the agreement of scores with human judgements.

Source of the conditions: C.-Y. Lin, ROUGE: A Package for Automatic Evaluation of Summaries, 2004,
section 5: texts as they are (CASE), stemmed (STEM), without stopwords (STOP), with one model and
with several.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rouge_cli.errors import OptionError
from rouge_cli.options import readers
from rouge_cli.options.declaration import options_under
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.options import OPTIONS, Options, PresetOptions
from rouge_cli.options.readers import Number
from rouge_cli.options.reports import CORRELATION_FIGURES
from rouge_cli.options.scores import ERROR, SKIP_CELLS, UNMATCHED
from rouge_cli.options.studies import StudyOptions, output_option, report_option, seed_option
from rouge_cli.options.texts import TextOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.studies.study import Answer, ScoreSource, Study

if TYPE_CHECKING:
    from rouge_cli.inputs.evaluation import OutsideScores
    from rouge_cli.inputs.index import Input
    from rouge_cli.inputs.judgements import Judgements
    from rouge_cli.options.scores import ScoreOptions
    from rouge_cli.run.pipeline import RunContext, SavedRun, TextRun
    from rouge_cli.scores.results import Results
    from rouge_cli.studies.correlate.judged_cells import Condition
    from rouge_cli.studies.correlate.result import CorrelationPlan, CorrelationStudy

CORRELATE = "Correlate"
option = options_under(CORRELATE)
# The default of `--coefficient`.
CORRELATIONS = ("pearson", "spearman", "kendall")
COEFFICIENTS = (*CORRELATIONS, "pa", "acc-eq", "spa")

LEVELS = ("system", "summary", "pooled")
# Coefficients with a single level; the others have all levels.
LEVEL_OF = MappingProxyType({"pa": "system", "acc-eq": "summary", "spa": "system"})
# The scoring options of each condition.
TEXTS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "as-is": {},
        "stem": {"stem": True},
        "stop": {"remove_stopwords": True},
        "stem+stop": {"stem": True, "remove_stopwords": True},
    }
)
PAPER_TEXTS = ("as-is", "stem", "stop")
PAPER_GAPS = ("-1", "4", "9")
MODEL_SETS = ("one", "all")


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelationOptions(StudyOptions):
    """The options of ``correlate``."""

    judgements: str | None = option(
        "--judgements FILE: Judgements: .csv, .tsv or .jsonl with system, eval, numbers and "
        "perhaps judge.",
        readers.path,
        is_common=True,
    )
    judgement: tuple[str, ...] = option(
        "--judgement FIELD: A column of it to take, by default all with numbers; without it, a "
        "field of the records.",
        readers.strings,
        is_common=True,
    )
    unmatched: str = option(
        "--unmatched error|skip|skip-cells: What lacks scores or judgements: stop, or leave out "
        "systems and whole texts, or cells.",
        readers.choice(*UNMATCHED),
        ERROR,
    )
    level: tuple[str, ...] = option(
        "--level system|summary|pooled: Correlate system means, within each text, or all cells; "
        "by default all three.",
        readers.choices(*LEVELS),
        is_many=True,
        is_common=True,
    )
    coefficient: tuple[str, ...] = option(
        "--coefficient NAME: Some of pearson, spearman, kendall (the default), and accuracies pa, "
        "acc-eq, spa.",
        readers.choices(*COEFFICIENTS),
        is_many=True,
        is_common=True,
    )
    measures: str | None = option(
        "--measures LETTERS: Which of R, P and F; by default F, with --paper-table R.",
        readers.measures,
    )
    resample: str = option(
        "--resample evals|systems|both: What the resamples of the intervals draw; by default both.",
        readers.choice("evals", "systems", "both"),
        "both",
    )
    resample_judges: bool = option(
        "--resample-judges: Draw the judges too, where there are several, for the intervals."
    )
    seed: int = seed_option(CORRELATE, "Seed of all random draws; by default 2004.")
    pairs: bool = option("--pairs: Test every two metrics against each other.")
    exchange: str = option(
        "--exchange systems|cells: What the tests exchange at the system level: whole systems (by "
        "default), or single cells.",
        readers.choice("systems", "cells"),
        "systems",
    )
    paper_table: bool = option(
        "--paper-table: The table of the paper: its 17 metrics, under all conditions.",
        python_advice="score the texts in each way, and correlate each of the results",
    )
    conditions: tuple[str, ...] = option(
        "--conditions LIST: Score texts in these ways: as-is,stem,stop,stem+stop.",
        readers.choices(*TEXTS),
        (),
        python_advice="score the texts in each way, and correlate each of the results",
    )
    model_sets: tuple[str, ...] = option(
        "--model-sets LIST: Score with the first reference of each text, or with all: one,all.",
        readers.choices(*MODEL_SETS),
        (),
        python_advice="score with each set of references, and correlate each of the results",
    )
    report: str = report_option(CORRELATE)
    output: str | None = output_option(CORRELATE)

    def check(self) -> None:
        """Refuse missing judgements, and contradictory options."""
        if self.judgements is None and not self.judgement:
            raise OptionError(
                "no judgements: give --judgements FILE, or --judgement FIELD if they are in the "
                "records"
            )
        if self.model_sets and not (self.conditions or self.paper_table):
            raise OptionError("--model-sets is for --conditions and --paper-table")
        if self.exchange == "cells" and "spa" in self.coefficient:
            raise OptionError(
                "--exchange cells: spa takes all texts of a system together; leave out one of them"
            )
        for name in ("acc-eq", "spa"):
            if self.resample_judges and name in self.coefficient:
                raise OptionError(f"--resample-judges: not for {name}; leave out one of them")
        # Unless a level is named, the table of the paper has the system level.
        levels = self.level or (("system",) if self.paper_table else LEVELS)
        for name in self.coefficient:
            level = LEVEL_OF.get(name)
            if level is not None and level not in levels:
                raise OptionError(
                    f"--coefficient {name}: found --level {', '.join(levels)}, expected {level}, "
                    "the only level it has"
                )
        of_all = {LEVEL_OF.get(name) for name in self.coefficient}
        for level in self.level:
            if of_all and None not in of_all and level not in of_all:
                raise OptionError(f"--level {level}: no --coefficient has this level; leave it out")

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
    name = "correlate"
    view_class = "rouge_cli.studies.correlate.view:CorrelationView"
    figures = CORRELATION_FIGURES
    default_figure = "agreement"

    def scoring(self, given: Mapping[str, Any], asked: CorrelationOptions) -> Mapping[str, Any]:
        """Return the scoring options; refuse any that the conditions or the table determine."""
        if asked.paper_table:
            adding = (name for name, declared in OPTIONS.items() if declared.adds_metric)
            names = (*PresetOptions.options(), *MetricOptions.options(), *adding)
            _refuse(names, given, "--paper-table computes its own 17 metrics")
        if asked.paper_table or asked.conditions:
            decided = {name for options in TEXTS.values() for name in options}
            of_texts = (
                name
                for name, declared in TextOptions.options().items()
                if not decided.isdisjoint({name, declared.instead_of})
            )
            names = (*PresetOptions.options(), *of_texts)
            _refuse(names, given, "the conditions say what is stemmed and removed")
        # Keep -r, the number of resamples: `run` gives it to the correlations, not to the scores.
        return {**given, "all": True}

    def run(self, source: ScoreSource, asked: CorrelationOptions) -> Answer:
        """Score in every condition, and correlate; raises OptionError and InputError."""
        from rouge_cli.inputs.judgements import (
            judgement_words,
            read_judged_records,
            read_judgements,
        )
        from rouge_cli.run.pipeline import resolved_run
        from rouge_cli.studies.correlate.coefficients import scipy_stats
        from rouge_cli.studies.correlate.correlation import correlate_results

        options = source.options
        if asked.judgements is None:
            judgements = read_judged_records(source.source, asked.judgement, options.inputs)
        else:
            words = judgement_words(asked.unmatched)
            judgements = read_judgements(asked.judgements, asked.judgement, words)
        plan = plan_of(asked, options.scores)
        with source.open_context() as context:
            # Fail without scipy before texts are scored, which may take long.
            scipy_stats()
            # The correlations have their own bootstrap.
            options, judgements = _directed(options.changed(resamples=0), judgements)
            run = resolved_run(source.source, options)
            run = replace(run, outside=_with_gaps(run.outside, plan))
            if run.has_texts or plan.texts or plan.has_paper_metrics:
                return Answer(_scored_study(run, judgements, plan, context))
            results = run.results(context)
            results = replace(results, options=results.options.changed(resamples=0))
            return Answer(correlate_results(results, judgements, plan))


STUDY = CorrelateStudy()


def _refuse(names: Iterable[str], given: Mapping[str, Any], reason: str) -> None:
    for name in names:
        if given[name] not in (None, ()):
            raise OptionError(f"{OPTIONS[name].spelling}: {reason}; leave it out")


def plan_of(asked: CorrelationOptions, scores: "ScoreOptions") -> "CorrelationPlan":
    """Return the options with their defaults filled in.

    The table of the paper has defaults of its own: Pearson's coefficient of recall at the system
    level.
    """
    from rouge_cli.studies.correlate.result import CorrelationPlan

    is_paper = asked.paper_table
    coefficients = asked.coefficient or (CORRELATIONS[:1] if is_paper else CORRELATIONS)
    return CorrelationPlan(
        asked.level or (("system",) if is_paper else ()),
        # In printed order, each once.
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
        asked.resample_judges,
    )


def _with_gaps(
    outside: "Sequence[OutsideScores]", plan: "CorrelationPlan"
) -> "list[OutsideScores]":
    """Let a cell that lacks one metric keep the others, if --unmatched leaves out single cells."""
    keeps_gaps = plan.unmatched == SKIP_CELLS
    return [replace(scores, keeps_gaps=keeps_gaps) for scores in outside]


def _directed(options: Options, judgements: "Judgements") -> "tuple[Options, Judgements]":
    """Negate judgements for which lower is better, and drop their names from the options."""
    wanted = {name.lower() for name in options.joined.lower_is_better}
    signs = [-1 if name.lower() in wanted else 1 for name in judgements.columns]
    if 1 in signs and -1 not in signs:
        return options, judgements
    rows = tuple(
        replace(
            row,
            values=tuple(sign * value for sign, value in zip(signs, row.values, strict=True)),
            ratings=tuple(
                tuple(sign * rating for rating in ratings)
                for sign, ratings in zip(signs, row.ratings, strict=False)
            ),
        )
        for row in judgements.rows
    )
    known = {name.lower() for name in judgements.columns}
    left = tuple(name for name in options.joined.lower_is_better if name.lower() not in known)
    return options.changed(lower_is_better=left), replace(judgements, rows=rows)


def _scored_study(
    run: "TextRun | SavedRun",
    judgements: "Judgements",
    plan: "CorrelationPlan",
    context: "RunContext",
) -> "CorrelationStudy":
    from rouge_cli.scores.columns import matched_cells
    from rouge_cli.studies.correlate.correlation import correlated, matched

    options, runs = run.options, [run.options]
    if plan.has_paper_metrics:
        # A run for each gap; the first also has the other metrics of the paper.
        runs = [
            options.changed(max_gap=Number(gap, int(gap)), skip_and_unigram=True, lcs=False)
            for gap in PAPER_GAPS
        ]
        runs[0] = runs[0].changed(max_ngram=9, lcs=True, weight=Number("1.2", 1.2))
    reader = "--conditions and --paper-table score texts in several ways"
    source = run.opened(reader)
    joined = _with_gaps(run.outside_scores(), plan)
    index = source.complete()
    # Leave out EVALs and systems without external scores before judgements are matched.
    cells, _ = matched_cells(index.cells(), joined, options.joined.unmatched)
    judged = matched(judgements, cells, index.clusters, plan)
    scored = [
        _score_condition(source, condition, runs, context, joined)
        for condition in _conditions(source, plan)
    ]
    return correlated(judgements, judged, scored, plan)


def _conditions(source: "Input", plan: "CorrelationPlan") -> "list[Condition]":
    """Return the conditions in printed order: those with one model, then those with all."""
    from rouge_cli.studies.correlate.judged_cells import Condition

    model_sets = plan.model_sets
    if not model_sets:
        has_several = any(len(texts.models) > 1 for texts in source.evals())
        model_sets = MODEL_SETS if has_several else ("all",)
    return [
        Condition(texts, model_set) for model_set in model_sets for texts in plan.texts or (None,)
    ]


def _score_condition(
    source: "Input",
    condition: "Condition",
    runs: Sequence[Options],
    context: "RunContext",
    outside: "Sequence[OutsideScores]",
) -> "tuple[Condition, list[Results]]":
    """Score an input in a condition; raises InputError.

    Returns the condition with the signatures of the runs, and the results of each run.
    """
    from rouge_cli.inputs.index import HeldInput
    from rouge_cli.run.pipeline import score_input
    from rouge_cli.scores.signature import signature

    if condition.model_set == "one":
        evals = [
            replace(texts, models=texts.models[:1], humans=texts.humans[:1])
            for texts in source.evals()
        ]
        source = HeldInput(evals, source.index.order, source)
    changes = TEXTS[condition.texts] if condition.texts else {}
    results = [score_input(source, run.changed(**changes), context, outside) for run in runs]
    signatures = tuple(signature(run.options) for run in results)
    return replace(condition, signatures=signatures), results
