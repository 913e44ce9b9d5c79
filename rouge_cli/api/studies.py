"""Studies of results in Python: a function for each entry of `STUDIES`."""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from rouge_cli.api.keywords import python_options
from rouge_cli.api.lists import check_names, given_texts, listed_predictions, listed_references
from rouge_cli.api.shown import Shown
from rouge_cli.errors import InputError, OptionError
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM
from rouge_cli.inputs.judgements import (
    Judgements,
    gather_judgements,
    judgement_words,
    read_judgements,
)
from rouge_cli.inputs.layout import open_corpus
from rouge_cli.inputs.records.rows import Row
from rouge_cli.inputs.source import GivenTexts, Source
from rouge_cli.options.options import Options
from rouge_cli.options.reports import PageOptions
from rouge_cli.options.scores import MEAN_OVER_EVALS, ScoreOptions
from rouge_cli.reports import View
from rouge_cli.reports.views import study_view
from rouge_cli.run.pipeline import RunContext
from rouge_cli.scores.results import Results
from rouge_cli.studies.compare.results import PairResult, Ranking
from rouge_cli.studies.correlate import plan_of
from rouge_cli.studies.correlate.correlation import correlate_results
from rouge_cli.studies.correlate.correlation_columns import CorrelationColumn
from rouge_cli.studies.score.page import scored_study_page
from rouge_cli.studies.study import STUDIES, Answer, Study

__all__ = [
    "Comparison",
    "Correlation",
    "StudyResult",
    "compare_systems",
    "context_of_lists",
    "correlate_with",
    "identify_lists",
    "plan_comparison",
    "study_function",
]


class StudyResult(Shown):
    """What a study returns; printed, it is the tables of its command.

    Parameters
    ----------
    name : str
        That of the study.
    asked : StudyOptions
        Its options.
    """

    __slots__ = ("_answer", "_asked", "_name")

    def __init__(self, name: str, asked: Any, answer: Answer) -> None:
        self._name, self._asked, self._answer = name, asked, answer

    @property
    def result(self) -> Any:
        """The numbers: the frozen record that the study returns."""
        return self._answer.result

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know of the inputs, and of the result."""
        warnings: tuple[str, ...] = self.result.warnings
        return warnings

    def __repr__(self) -> str:
        """Return the name of the study."""
        return f"<Result of {self._name}>"

    def _view(self) -> View:
        return study_view(self._name, self._answer, self._asked)

    def _page(self) -> View:
        study = STUDIES[self._name].load()
        if study.has_eval_page(self._asked):
            return scored_study_page(study, self._answer, self._asked)
        return study_view(self._name, self._answer, self._asked)


class Comparison(StudyResult):
    """Which of several systems is better; printed, it is the tables of ``compare``."""

    __slots__ = ()

    @property
    def pairs(self) -> tuple[PairResult, ...]:
        """Every pair of systems in each metric and measure."""
        pairs: tuple[PairResult, ...] = self.result.pairs
        return pairs

    @property
    def rankings(self) -> tuple[Ranking, ...]:
        """The systems in each metric and measure, best first, with the letters of their groups."""
        rankings: tuple[Ranking, ...] = self.result.rankings
        return rankings

    def __repr__(self) -> str:
        """Return how many systems were compared in how many pairs."""
        n_systems, n_pairs = len(self.result.systems), len(self.pairs)
        return f"<Comparison: {n_systems} systems, {n_pairs} pair{'s' * (n_pairs != 1)}>"


class Correlation(StudyResult):
    """How well metrics agree with judgements; printed, it is the tables of ``correlate``."""

    __slots__ = ()

    @property
    def columns(self) -> tuple[CorrelationColumn, ...]:
        """By judgement, level and coefficient: the correlations of all metrics."""
        columns: tuple[CorrelationColumn, ...] = self.result.columns
        return columns

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics and measures, in the order of the correlations: ``"ROUGE-1 F"``."""
        return tuple(f"{row.metric} {row.letter}" for row in self.result.rows)

    def __repr__(self) -> str:
        """Return how many metrics and systems there are, and the judgements."""
        return (
            f"<Correlation: {len(self.result.rows)} metrics, {len(self.result.systems)} systems, "
            f"{', '.join(self.result.judgements)}>"
        )


def study_function(name: str) -> Callable[..., StudyResult]:
    """Return the Python function of a study: it takes results, and options by their long names."""

    def study(results: Any, **options: Any) -> StudyResult:
        return StudyResult(name, *_answered(name, results, options))

    study.__name__ = study.__qualname__ = name.replace("-", "_")
    study.__doc__ = STUDIES[name].load().__doc__
    return study


def compare_systems(results: Any, given: Mapping[str, Any]) -> Comparison:
    """Compare the systems of results, see `rouge_cli.compare`.

    Raises
    ------
    OptionError, InputError
    """
    return Comparison("compare", *_answered("compare", results, given))


def correlate_with(results: Any, judgements: Any, given: Mapping[str, Any]) -> Correlation:
    """Correlate results with judgements, see `rouge_cli.correlate`.

    Raises
    ------
    OptionError, InputError
    """
    check_names(given)
    study = STUDIES["correlate"].load()
    known = _known(given, study, without=("judgements",))
    asked: Any = study.options.of({**known, "judgements": "judgements"})
    scores = _scores(results, given)
    read = _judgements(judgements, asked.judgement, asked.unmatched)
    study_result = correlate_results(results, read, plan_of(asked, scores))
    return Correlation("correlate", asked, Answer(study_result, results))


def plan_comparison(results: Any, given: Mapping[str, Any]) -> StudyResult:
    """Plan a comparison of systems, see `rouge_cli.plan`.

    Raises
    ------
    OptionError, InputError
    """
    return StudyResult("plan", *_answered("plan", results, given))


def identify_lists(
    predictions: Any, references: Any, published: Any, given: Mapping[str, Any]
) -> StudyResult:
    """Say which packages could have printed numbers, see `rouge_cli.identify`.

    Raises
    ------
    OptionError, InputError
    """
    from rouge_cli.studies.identify import texts_of
    from rouge_cli.studies.identify.identification import identify_texts

    check_names(given)
    study = STUDIES["identify"].load()
    known = _known(given, study, without=("published", "system_ids"))
    asked: Any = study.options.of({**known, "published": published})
    texts = given_texts(predictions, references)
    if isinstance(predictions, Mapping):
        raise InputError("predictions: found a mapping, expected the texts of one system")
    source = Source(texts=texts)
    options = Options.of({})
    with open_corpus(source, options.inputs, options.metrics) as corpus:
        ((_, part),) = texts_of(corpus, corpus.systems)
    return StudyResult("identify", asked, Answer(identify_texts(part, asked.question)))


def context_of_lists(
    predictions: Any, references: Any, sources: Any, given: Mapping[str, Any]
) -> StudyResult:
    """Put scores beside what sentences of the sources reach, see `rouge_cli.context`.

    Raises
    ------
    OptionError, InputError
    """
    from rouge_cli.studies.context import SOURCES, ContextOptions, context_of

    check_names(given)
    study = STUDIES["context"].load()
    if odd := sorted(study.left_out & {name for name in given if given[name] is not None}):
        raise OptionError(f"{odd[0]} has no meaning in context, which sets it itself")
    study_options = {
        name: value for name, value in given.items() if name in ContextOptions.options()
    }
    known = _known(study_options, study, without=("sources", "system_ids"))
    asked = ContextOptions.of({**known, "sources": SOURCES})
    options = python_options({name: given[name] for name in given if name not in study_options})
    systems = predictions if isinstance(predictions, Mapping) else {DEFAULT_SYSTEM: predictions}
    if SOURCES in systems:
        raise InputError(f"predictions: a system is called {SOURCES!r}; rename it")
    texts = listed_predictions({**systems, SOURCES: sources})
    source = Source(texts=GivenTexts(texts, listed_references(references)))
    with open_corpus(source, options.inputs, options.metrics) as corpus:
        chosen = study.choose(corpus.systems, asked)
        return StudyResult(
            "context", asked, context_of(corpus, chosen, asked, options, RunContext())
        )


def _answered(name: str, results: Any, given: Mapping[str, Any]) -> tuple[Any, Answer]:
    """Return the options of a study, and its answer; raises OptionError and InputError."""
    check_names(given)
    study = STUDIES[name].load()
    asked = study.options.of(_known(given, study))
    scores = _scores(results, given)
    warnings = tuple(dict.fromkeys((*scores.warnings, *results.warnings)))
    results = replace(results, warnings=warnings)
    systems = study.choose(tuple(results.table.systems), asked)
    return asked, Answer(study.answer(results, systems, asked, scores), results)


def _known(
    given: Mapping[str, Any], study: Study, without: tuple[str, ...] = ()
) -> Mapping[str, Any]:
    """Return what is given; raises OptionError for what is unknown or for the command line."""
    declared = {**study.options.options(), **PageOptions.options()}
    advice = {
        name: option.python_advice for name, option in declared.items() if option.python_advice
    }
    for name, instead in advice.items():
        if given.get(name) is not None:
            raise OptionError(f"{name} is for the command line; in Python {instead}")
    known = [
        name
        for name in (*study.options.options(), *study.python_options)
        if name not in advice and name not in without
    ]
    if unknown := sorted(set(given) - {*known, *advice}):
        raise OptionError(f"unknown option {unknown[0]!r}; known are: {', '.join(known)}")
    for name in known:
        # On the command line an empty tuple is an option that is not there.
        if name in declared and declared[name].is_many and given.get(name) in ([], ()):
            raise OptionError(
                f"{declared[name].spelling}: found {given[name]!r}, expected one value or more; "
                "None leaves the default"
            )
    return given


def _scores(results: Any, given: Mapping[str, Any]) -> ScoreOptions:
    """Check the results; return their confidence and resamples, or those given instead."""
    if not isinstance(results, Results):
        raise OptionError(
            f"results: found {type(results).__name__}, expected what evaluate or evaluate_config "
            "returns"
        )
    if results.options.scores.counting != MEAN_OVER_EVALS:
        raise OptionError(
            f"results: scored with counting={results.options.scores.counting}, expected 0: means "
            "over EVALs"
        )
    asked = {name: given.get(name) for name in ("confidence", "resamples")}
    read = ScoreOptions.of(asked)
    confidence = read if asked["confidence"] is not None else results.options.scores
    return replace(read, confidence=confidence.confidence)


def _judgements(given: Any, wanted: tuple[str, ...], unmatched: str) -> Judgements:
    """Read judgements from a file, or from rows at hand."""
    words = judgement_words(unmatched)
    if isinstance(given, str | bytes | os.PathLike):
        return read_judgements(os.fsdecode(given), wanted, words)
    # A data frame gives its rows by this method.
    rows = given.to_dict("records") if hasattr(given, "to_dict") else given
    if isinstance(rows, Mapping) or not isinstance(rows, Iterable):
        raise InputError(
            f"judgements: found {type(given).__name__}, expected the path of a file, a data frame, "
            "or mappings with system, eval and numbers"
        )
    listed = list(rows)
    for index, row in enumerate(listed):
        if not isinstance(row, Mapping):
            raise InputError(
                f"judgements: row {index}: found {type(row).__name__}, expected a mapping with "
                "system, eval and numbers"
            )
        check_names({f"judgements: row {index}": [*row, *row.values()]})
    numbered = (Row(index, row) for index, row in enumerate(listed))
    return gather_judgements(numbered, "judgements", wanted, words, is_typed=True)
