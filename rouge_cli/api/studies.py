"""The frame of all Python functions: check keywords and inputs, score or study, return results.

The functions behind `rouge_cli.evaluate` and others are documented there. They raise OptionError
and InputError before anything is scored. Every study in `STUDIES` has a function.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

from rouge_cli.api.arguments import (
    DISPLAYED,
    MOST_REMEMBERED,
    Item,
    check_names,
    check_python_options,
    given_texts,
    listed_predictions,
    listed_references,
    plain_items,
    python_options,
    with_python_errors,
)
from rouge_cli.core import VARIABLE as CORE
from rouge_cli.errors import InputError, OptionError, unknown_option
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM
from rouge_cli.inputs.records import collected, is_frame
from rouge_cli.inputs.source import GivenTexts, Source
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.options import JOBS_VARIABLE, OPTIONS, Options, left_out
from rouge_cli.options.reports import PageOptions
from rouge_cli.options.scores import MEAN_OVER_EVALS, ScoreOptions
from rouge_cli.options.studies import ExplanationOptions
from rouge_cli.run.pipeline import PairRun, RunContext, default_preset
from rouge_cli.scores.reportable import Reportable
from rouge_cli.scores.results import Results
from rouge_cli.studies.study import STUDIES, Answer, ScoreSource, Study
from rouge_cli.text.word_lists import with_data_dir

if TYPE_CHECKING:
    from rouge_cli.explanations import ExplainedEval, ExplainedRun
    from rouge_cli.inputs.judgements import Judgements
    from rouge_cli.reports import View
    from rouge_cli.studies.compare.results import PairResult, Ranking
    from rouge_cli.studies.correlate.result import CorrelationColumn

PAIR_OPTIONS = frozenset(name for name, declared in OPTIONS.items() if declared.for_single_pairs)
"""Options that `PairRun` supports: it reads no files, and computes only ROUGE-N and ROUGE-L."""

WITHOUT_BOOTSTRAP = {"resamples": 0}
"""The default options of a single text, for which there is no interval."""


class StudyResult(Reportable):
    """The result of a study, with its options. It is printed as the tables of the command."""

    __slots__ = ("_answer", "_asked", "_name")

    def __init__(self, name: str, asked: Any, answer: Answer) -> None:
        self._name, self._asked, self._answer = name, asked, answer

    @property
    def result(self) -> Any:
        """The numbers, as the frozen record that the study returns."""
        return self._answer.result

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about the inputs and the result."""
        return cast("tuple[str, ...]", self.result.warnings)

    def __repr__(self) -> str:
        """Return the name of the study."""
        return f"<Result of {self._name}>"

    def _view(self) -> "View":
        return STUDIES[self._name].load().view(self._answer, self._asked)

    def _page(self) -> "View":
        return STUDIES[self._name].load().page(self._answer, self._asked)


class Comparison(StudyResult):
    """A comparison of systems. It is printed as the tables of ``compare``."""

    __slots__ = ()

    @property
    def pairs(self) -> "tuple[PairResult, ...]":
        """The pairs of systems in each metric and measure."""
        return cast("tuple[PairResult, ...]", self.result.pairs)

    @property
    def rankings(self) -> "tuple[Ranking, ...]":
        """The systems in each metric and measure, best first, with the letters of their groups."""
        return cast("tuple[Ranking, ...]", self.result.rankings)

    def __repr__(self) -> str:
        """Return the numbers of systems and pairs."""
        n_systems, n_pairs = len(self.result.systems), len(self.pairs)
        return f"<Comparison: {n_systems} systems, {n_pairs} pair{'s' * (n_pairs != 1)}>"


class Correlation(StudyResult):
    """The agreement of metrics with judgements. It is printed as the tables of ``correlate``."""

    __slots__ = ()

    @property
    def columns(self) -> "tuple[CorrelationColumn, ...]":
        """The correlations of all metrics for each judgement, level and coefficient."""
        return cast("tuple[CorrelationColumn, ...]", self.result.columns)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics and measures, such as ``"ROUGE-1 F"``, in the order of the correlations."""
        return tuple(f"{row.metric} {row.letter}" for row in self.result.rows)

    def __repr__(self) -> str:
        """Return the numbers of metrics and systems, and the judgements."""
        return (
            f"<Correlation: {len(self.result.rows)} metrics, {len(self.result.systems)} systems, "
            f"{', '.join(self.result.judgements)}>"
        )


class Explanation(Reportable):
    """The explanation of some scores. It is printed like the output of the command ``explain``.

    With `with_texts`, the original texts are shown, too.
    """

    __slots__ = ("_run", "_with_texts")

    def __init__(self, run: "ExplainedRun", *, with_texts: bool) -> None:
        self._run, self._with_texts = run, with_texts

    @property
    def evals(self) -> "tuple[ExplainedEval, ...]":
        """The EVALs in the requested order, each with its models and explained peers."""
        return self._run.evals

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about the inputs."""
        return self._run.warnings

    def __repr__(self) -> str:
        """Return the number of explained EVALs."""
        n_evals = len(self.evals)
        return f"<Explanation: {n_evals} text{'s' * (n_evals != 1)}>"

    def _view(self) -> "View":
        from rouge_cli.explanations.view import ExplanationView

        return ExplanationView(self._run, with_texts=self._with_texts)

    _page = _view


# Texts and files.


@with_python_errors
def score_given(predictions: Any, references: Any, keywords: Mapping[str, Any]) -> Results:
    """Score texts in memory, as described at `rouge_cli.evaluate`."""
    return score_source(*given_source(predictions, references, keywords))


@with_python_errors
def score_pair(prediction: Any, references: Any, keywords: Mapping[str, Any]) -> Results:
    """Score one text, as described at `rouge_cli.score`."""
    # If the options allow it, a pair of plain texts takes a tenth of the time of a list, with the
    # same results.
    keywords = {**WITHOUT_BOOTSTRAP, **keywords}
    is_usual = keywords.keys() <= PAIR_OPTIONS and JOBS_VARIABLE not in os.environ
    items = plain_items(keywords) if is_usual else None
    run = None if items is None else _pair_run(items, os.environ.get(CORE, ""))
    pair = None if run is None else _plain_pair(prediction, references)
    if run is None or pair is None:
        return score_given([prediction], [references], keywords)
    scored = run.scored(*pair)
    if scored is not None:
        return scored
    results = score_given([prediction], [references], keywords)
    run.learn_from(results)
    return results


@lru_cache(MOST_REMEMBERED)
def _pair_run(items: tuple[Item, ...], core: str) -> PairRun | None:
    """Prepare a run on pairs; None if the core is missing or cannot count for these options.

    `core` is the value of the variable that chooses the core. It is part of the key of the cache.
    """
    keywords = {name: value for name, _, _, value in items}
    check_names(keywords)
    run = PairRun(python_options(keywords))
    return run if run.can_count else None


def _plain_pair(prediction: Any, references: Any) -> tuple[bytes, bytes] | None:
    """Return a text and its only reference as bytes; None for other forms of texts."""
    if type(references) in {list, tuple} and len(references) == 1:
        (references,) = references
    try:
        peer = prediction.encode() if type(prediction) is str else prediction
        model = references.encode() if type(references) is str else references
    except UnicodeEncodeError:
        return None
    return (peer, model) if type(peer) is type(model) is bytes else None


def given_source(
    predictions: Any, references: Any, keywords: Mapping[str, Any]
) -> tuple[Source, Options]:
    """Check texts in memory and options, and return a source that can be read repeatedly."""
    check_names(keywords)
    predictions = collected(predictions)
    if is_frame(predictions):
        options = python_options({**keywords, "references": references})
        return Source(frame=predictions), options
    options = python_options(keywords)
    return Source(texts=given_texts(predictions, references)), options


@with_python_errors
def score_files(path: Any, system_id: Any, keywords: Mapping[str, Any]) -> Results:
    """Score texts named by a path or options, as described at `rouge_cli.evaluate_files`."""
    check_names({"path": path, "system_id": system_id, **keywords})
    if isinstance(path, Mapping):
        check_names({"path": list(path.values())})
        check_names({"system ID": list(path)}, may_be_bytes=False)
    if system_id is not None and not isinstance(system_id, str):
        raise OptionError(f"system_id: found {system_id!r}, expected a string")
    source = _source(path, system_id)
    options = python_options(keywords, default_preset(source, keywords))
    return score_source(source, with_data_dir(options, os.environ), os.environ)


def _source(path: Any, system_id: str | None) -> Source:
    others = () if system_id is None else (system_id,)
    if path is None:
        return Source(others=others)
    if isinstance(path, Mapping):
        if odd := [name for name in path if not (isinstance(name, str) and name) or "=" in name]:
            raise OptionError(f"path: found {odd[0]!r} as a system, expected a name without =")
        words = [f"{name}={_path(file)}" for name, file in path.items()]
    elif isinstance(path, list | tuple):
        words = [_path(file) for file in path]
    else:
        return Source(_path(path), others)
    if not words:
        raise OptionError(f"path: found {path!r}, expected at least one path")
    return Source.of((*words, *others))


def _path(path: Any) -> str:
    if not (isinstance(path, str | bytes | os.PathLike) and os.fspath(path)):
        raise OptionError(
            f"path: found {path!r}, expected the path of a file, a list of paths, a mapping from "
            "names of systems to paths, or None"
        )
    return os.fsdecode(path)


def score_source(
    source: Source, options: Options, environment: Mapping[str, str] | None = None
) -> Results:
    """Score a source, such as that of `given_source`."""
    answer = _run("score", source, options, options.reports, environment)
    results: Results = answer.result.results
    if results.options.reports.letters and len(results.systems) == 1:
        # Letters say which systems differ. A single system gets its table without them.
        return replace(results, options=results.options.changed(letters=False))
    return results


def _run(
    name: str,
    source: Source,
    options: Options,
    asked: Any,
    environment: Mapping[str, str] | None = None,
) -> Answer:
    """Run a study on texts or files, as its command does."""
    context = RunContext(environment=environment or {})
    score_source = ScoreSource(source, options, lambda: nullcontext(context))
    return STUDIES[name].load().run(score_source, asked)


# Studies.


def study_function(name: str) -> Callable[..., StudyResult]:
    """Return the Python function of a study, which takes results, and options by long name."""

    def study(results: Any, **options: Any) -> StudyResult:
        return StudyResult(name, *_answered(name, results, options))

    study.__name__ = study.__qualname__ = name.replace("-", "_")
    study.__doc__ = STUDIES[name].load().__doc__
    return study


Kind = TypeVar("Kind", bound=StudyResult)


@with_python_errors
def study_results(kind: type[Kind], name: str, results: Any, given: Mapping[str, Any]) -> Kind:
    """Study results, as described at `rouge_cli.compare` and `rouge_cli.plan`."""
    return kind(name, *_answered(name, results, given))


@with_python_errors
def correlate_with(results: Any, judgements: Any, given: Mapping[str, Any]) -> Correlation:
    """Correlate results with judgements, as described at `rouge_cli.correlate`."""
    from rouge_cli.studies.correlate.correlation import correlate_results
    from rouge_cli.studies.correlate.result import CorrelationPlan

    check_names(given)
    asked = _asked(STUDIES["correlate"].load(), given, judgements="judgements")
    scores = _scores(results, given)
    read = _judgements(judgements, asked.judgement, asked.unmatched)
    study_result = correlate_results(results, read, CorrelationPlan(asked, scores))
    return Correlation("correlate", asked, Answer(study_result, results))


@with_python_errors
def identify_lists(
    predictions: Any, references: Any, published: Any, given: Mapping[str, Any]
) -> StudyResult:
    """Find the packages that could have printed numbers, as described at `rouge_cli.identify`."""
    from rouge_cli.inputs.layout import open_input
    from rouge_cli.studies.identify import texts_of
    from rouge_cli.studies.identify.identification import identify_texts

    check_names(given)
    asked = _asked(STUDIES["identify"].load(), given, ("system_ids",), published=published)
    texts = given_texts(predictions, references)
    if isinstance(predictions, Mapping):
        raise InputError("predictions: found a mapping, expected the texts of one system")
    opened = open_input(Source(texts=texts), InputOptions(), MetricOptions())
    ((_, part),) = texts_of(opened, opened.complete().order)
    return StudyResult("identify", asked, Answer(identify_texts(part, asked)))


@with_python_errors
def context_of_lists(
    predictions: Any, references: Any, sources: Any, given: Mapping[str, Any]
) -> StudyResult:
    """Compare scores with those of source sentences, as described at `rouge_cli.context`."""
    from rouge_cli.studies.context import SOURCES

    check_names(given)
    study = STUDIES["context"].load()
    if odd := sorted(study.left_out & {name for name in given if given[name] is not None}):
        raise OptionError(f"{odd[0]} has no meaning in context, which sets it itself")
    taken = study.options.options()
    study_options = {name: value for name, value in given.items() if name in taken}
    asked = _asked(study, study_options, ("system_ids",), sources=SOURCES)
    options = python_options({name: given[name] for name in given if name not in study_options})
    systems = predictions if isinstance(predictions, Mapping) else {DEFAULT_SYSTEM: predictions}
    if SOURCES in systems:
        raise InputError(f"predictions: a system is called {SOURCES!r}; rename it")
    texts = listed_predictions({**systems, SOURCES: sources})
    source = Source(texts=GivenTexts(texts, listed_references(references)))
    return StudyResult("context", asked, _run("context", source, options, asked))


@with_python_errors
def explain_given(predictions: Any, references: Any, given: Mapping[str, Any]) -> Explanation:
    """Explain the scores of texts in memory, as described at `rouge_cli.explain`."""
    from rouge_cli.explanations import Question, explain
    from rouge_cli.inputs.layout import open_input

    declared = ExplanationOptions.options()
    check_python_options(declared, given)
    choices = ExplanationOptions.of(
        {name: value for name, value in given.items() if name in declared}
    )
    scoring = {name: value for name, value in given.items() if name not in declared}
    if shown := sorted({*DISPLAYED, *left_out("explain")} & scoring.keys()):
        raise OptionError(f"{shown[0]}: an explanation has no such option")
    if isinstance(predictions, str):
        predictions, references = [predictions], [references]
    source, options = given_source(predictions, references, scoring)
    question = Question.from_options(options, choices)
    opened = open_input(source, options.inputs, options.metrics)
    run = explain(opened, question, options, RunContext())
    return Explanation(run, with_texts=choices.texts)


def _answered(name: str, results: Any, given: Mapping[str, Any]) -> tuple[Any, Answer]:
    """Check the options of a study, and run it on results; return the options and the answer."""
    check_names(given)
    study = STUDIES[name].load()
    asked = _asked(study, given)
    scores = _scores(results, {name: given.get(name) for name in study.python_options})
    warnings = tuple(dict.fromkeys((*scores.warnings, *results.warnings)))
    results = replace(results, warnings=warnings)
    systems = study.choose(tuple(results.table.systems), asked)
    return asked, Answer(study.answer(results, systems, asked, scores), results)


def _asked(
    study: Study, given: Mapping[str, Any], without: tuple[str, ...] = (), **arguments: Any
) -> Any:
    """Check the names of options, and return the options of a study.

    `arguments` are options that Python takes by position; like those in `without`, they are not
    keywords. Raises OptionError also for an option that only the command has.
    """
    options = study.options.options()
    declared = {**options, **PageOptions.options()}
    check_python_options(declared, given)
    refused = {name for name, option in declared.items() if option.python_advice}
    known = [
        name
        for name in (*options, *study.python_options)
        if name not in {*refused, *without, *arguments}
    ]
    if unknown := sorted(given.keys() - {*known, *refused}):
        raise unknown_option(unknown[0], known)
    for name in known:
        # On the command line, an empty tuple means an absent option, so it would be ignored here.
        if name in declared and declared[name].is_many and given.get(name) in ([], ()):
            raise OptionError(
                f"{declared[name].spelling}: found {given[name]!r}, expected one value or more; "
                "None leaves the default"
            )
    return study.options.of({**given, **arguments})


def _scores(results: Any, given: Mapping[str, Any]) -> ScoreOptions:
    """Check the results, and return the options of scores.

    The confidence is that of the results unless `given` has another.
    """
    if not isinstance(results, Results):
        raise OptionError(
            f"results: found {type(results).__name__}, expected what evaluate or evaluate_files "
            "returns"
        )
    if results.options.scores.counting != MEAN_OVER_EVALS:
        raise OptionError(
            f"results: scored with counting={results.options.scores.counting}, expected 0: means "
            "over texts"
        )
    read = ScoreOptions.of(given)
    confidence = results.options.scores if given.get("confidence") is None else read
    return replace(read, confidence=confidence.confidence)


def _judgements(given: Any, wanted: tuple[str, ...], unmatched: str) -> "Judgements":
    """Read judgements from a file, a data frame or mappings; raises OptionError and InputError."""
    from rouge_cli.inputs.judgements import gather_judgements, judgement_words, read_judgements
    from rouge_cli.inputs.records.rows import Row

    words = judgement_words(unmatched)
    if isinstance(given, str | bytes | os.PathLike):
        return read_judgements(os.fsdecode(given), wanted, words)
    # A data frame is recognised by this method, so that its package need not be imported.
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
