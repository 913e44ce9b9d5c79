"""The ways of scoring that a study of correlations sets side by side, and the runs that they take.

Source: C.-Y. Lin, ROUGE: A Package for Automatic Evaluation of Summaries, 2004, section 5: texts
as they are (CASE), stemmed (STEM), without stopwords (STOP), with one model and with several.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from rouge_cli.inputs.corpus import Corpus, EvaluationCorpus
from rouge_cli.inputs.outside_scores import OutsideScores
from rouge_cli.options.declaration import Number
from rouge_cli.options.every import Options
from rouge_cli.scoring.context import RunContext
from rouge_cli.scoring.pipeline import score_corpus
from rouge_cli.scoring.results import Results
from rouge_cli.scoring.signature import signature
from rouge_cli.statistics.correlation_records import Condition

__all__ = [
    "MODEL_SETS",
    "PAPER_METRICS",
    "TEXTS",
    "condition_options",
    "paper_runs",
    "score_condition",
    "with_model_set",
]

TEXTS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "as-is": {},
        "stem": {"stem": True},
        "stop": {"remove_stopwords": True},
        "stem+stop": {"stem": True, "remove_stopwords": True},
    }
)
"""What is done to the texts, by name: the options that it means."""

MODEL_SETS = ("one", "all")

PAPER_GAPS = ("-1", "4", "9")

PAPER_METRICS = (
    *(f"ROUGE-{n}" for n in range(1, 10)),
    "ROUGE-L",
    *(f"ROUGE-S{unigrams}{gap}" for unigrams in ("", "U") for gap in ("*", "4", "9")),
    "ROUGE-W-1.2",
)
"""The 17 measures of the paper, in its order."""


def paper_runs(options: Options) -> tuple[Options, ...]:
    """Return the options of the runs that compute the paper's measures: one for each gap."""
    first, *others = (
        options.changed(max_gap=Number(gap, int(gap)), skip_and_unigram=True) for gap in PAPER_GAPS
    )
    every = first.changed(max_ngram=9, lcs=True, weight=Number("1.2", 1.2))
    return every, *(one.changed(lcs=False) for one in others)


def condition_options(texts: str, options: Options) -> Options:
    """Return the options with which texts are scored in a condition; empty: as they are."""
    return options.changed(**TEXTS[texts]) if texts else options


def with_model_set(corpus: Corpus, model_set: str) -> Corpus:
    """Return the corpus with all models, or with the first model of each EVAL only."""
    if model_set == "all":
        return corpus
    evals = [replace(one, models=one.models[:1]) for one in corpus.evaluations()]
    return EvaluationCorpus.of(corpus, evals)


def score_condition(
    corpus: Corpus,
    condition: Condition,
    runs: Sequence[Options],
    context: RunContext,
    outside: Sequence[OutsideScores] = (),
) -> tuple[Condition, list[Results]]:
    """Score a corpus in a condition; raises InputError.

    Parameters
    ----------
    corpus : Corpus
        With all models.
    condition : Condition
        Without signatures.
    runs : sequence of Options
        As given; the condition is still to be applied.
    outside : sequence of OutsideScores
        What joins the scores.

    Returns
    -------
    condition : Condition
        With signatures.
    results : list of Results
        One for each run.
    """
    chosen = with_model_set(corpus, condition.model_set)
    options_of_runs = [condition_options(condition.texts, options) for options in runs]
    results = [score_corpus(chosen, options, context, outside) for options in options_of_runs]
    signatures = tuple(signature(one.options) for one in results)
    return replace(condition, signatures=signatures), results
