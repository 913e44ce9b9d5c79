"""The study ``correlate``: the agreement of scores with human judgements.

Source of the conditions: C.-Y. Lin, ROUGE: A Package for Automatic Evaluation of Summaries, 2004,
section 5: texts as they are (CASE), stemmed (STEM), without stopwords (STOP), with one model and
with several.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from rouge_cli.errors import OptionError
from rouge_cli.options import readers
from rouge_cli.options.declaration import options_under
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.options import OPTIONS, PresetOptions
from rouge_cli.options.reports import CORRELATION_FIGURES
from rouge_cli.options.scores import ERROR, UNMATCHED
from rouge_cli.options.studies import StudyOptions, output_option, report_option, seed_option
from rouge_cli.options.texts import TextOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.studies.study import Answer, ScoreSource, Study

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
        readers.Choices(LEVELS),
        is_many=True,
        is_common=True,
    )
    coefficient: tuple[str, ...] = option(
        "--coefficient NAME: Some of pearson, spearman, kendall (the default), and accuracies pa, "
        "acc-eq, spa.",
        readers.Choices(COEFFICIENTS),
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
        readers.Choices((*TEXTS,)),
        (),
        python_advice="score the texts in each way, and correlate each of the results",
    )
    model_sets: tuple[str, ...] = option(
        "--model-sets LIST: Score with the first reference of each text, or with all: one,all.",
        readers.Choices(MODEL_SETS),
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
        return (self.judgements,)


class CorrelateStudy(Study):
    """Correlate the scores of systems with human judgements.

    CONFIG and the options that take its place are those of score; every system is scored. The
    judgements are a .csv, .tsv or .jsonl file with the columns system, eval and one or more with
    numbers; without eval there is one judgement per system, and only the system level.
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
        from rouge_cli.studies.correlate.correlation import correlate_source
        from rouge_cli.studies.correlate.result import CorrelationPlan

        if asked.judgements is None:
            inputs = source.options.inputs
            judgements = read_judged_records(source.source, asked.judgement, inputs)
        else:
            words = judgement_words(asked.unmatched)
            judgements = read_judgements(asked.judgements, asked.judgement, words)
        plan = CorrelationPlan(asked, source.options.scores)
        return Answer(correlate_source(source, judgements, plan))


STUDY = CorrelateStudy()


def _refuse(names: Iterable[str], given: Mapping[str, Any], reason: str) -> None:
    for name in names:
        if given[name] not in (None, ()):
            raise OptionError(f"{OPTIONS[name].spelling}: {reason}; leave it out")
