"""ROUGE-1.5.5, exact to the byte, as a command and a package.

The Python interface: `evaluate` scores lists of texts, `score` one text, and `evaluate_files`
files; `compare`, `correlate` and `plan` take their results; `explain` explains scores; `identify`
finds out how published numbers were computed. Options have the long names of the command line, with
``_`` for ``-``; see `rouge_cli.options.keywords`.
"""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Unpack

from rouge_cli.errors import InputError, OptionError, RougeError
from rouge_cli.version import __version__

if TYPE_CHECKING:
    from rouge_cli.api.studies import Comparison, Correlation, Explanation, StudyResult
    from rouge_cli.bulk import Scorer
    from rouge_cli.inputs.records import Frame
    from rouge_cli.inputs.source import Text
    from rouge_cli.options.keywords import (
        ComparisonKeywords,
        ContextKeywords,
        CorrelationKeywords,
        ExplanationKeywords,
        FileKeywords,
        FrameKeywords,
        IdentificationKeywords,
        ListKeywords,
        PlanKeywords,
    )
    from rouge_cli.scores.results import Results

    FilePath = str | PathLike[str]

__all__ = [
    "InputError",
    "OptionError",
    "Results",
    "RougeError",
    "Scorer",
    "__version__",
    "compare",
    "context",
    "correlate",
    "evaluate",
    "evaluate_files",
    "explain",
    "identify",
    "plan",
    "score",
]


def evaluate(
    predictions: "Iterable[Text] | Mapping[str, Iterable[Text]] | Frame",
    references: "Iterable[Text | Iterable[Text]] | None" = None,
    **options: "Unpack[FrameKeywords]",
) -> "Results":
    """Score predictions against their references.

    A text is a string with a newline between sentences, or a list of sentences.

    Parameters
    ----------
    predictions : iterable of texts, or mapping of str to such iterables
        The texts of one system, or of several by ID, as lists, arrays or columns; or a data frame.
    references : iterable of texts, or of iterables of texts
        One reference, or several, for each prediction; for a data frame, names of columns.
    **options
        Options by their long names: ``max_ngram=4, stem=True, resamples=1000, ...``. By default
        ROUGE-1, ROUGE-2 and ROUGE-L are computed, stemmed. ROUGE-L is on unless ``lcs=False``;
        ``resamples=0`` leaves the bootstrap out; ``measures="RPF"`` chooses what is shown. Of a
        data frame ``prediction``, ``id``, ``system`` and ``cluster`` name columns.

    Returns
    -------
    Results
        ``results["ROUGE-2"].recall``, ``.precision`` and ``.f_measure`` each have ``.mean``,
        ``.bootstrap_mean``, ``.interval`` and ``.per_eval``, a float64 array of shape (n_evals,),
        as shares of 1. With several systems, take ``results.systems["a"]["ROUGE-2"]``.

    Raises
    ------
    OptionError
        An unknown option, an invalid value, or an option for files or the command line.
    InputError
        Predictions or references that are not texts, or that differ in number.

    Notes
    -----
    Runs in several threads are independent of each other.

    Examples
    --------
    >>> import rouge_cli
    >>> results = rouge_cli.evaluate(
    ...     ["police kill the gunman", "the gunman kill police"],
    ...     [["police killed the gunman"], ["police killed the gunman"]],
    ...     max_ngram=1,
    ... )
    >>> results
    <Results: 1 system, ROUGE-1, ROUGE-L>
    >>> results["ROUGE-L"].recall.mean, results["ROUGE-L"].recall.per_eval.tolist()
    (0.625, [0.75, 0.5])
    """
    from rouge_cli.api.studies import score_given

    return score_given(predictions, references, options)


def score(
    prediction: "Text", references: "Text | Iterable[Text]", **options: "Unpack[ListKeywords]"
) -> "Results":
    """Score one prediction against its references.

    Parameters
    ----------
    prediction : text
        A string with a newline between sentences, or a list of sentences.
    references : text, or iterable of texts
        A string is one reference; a list of strings is a list of references.
    **options
        As `evaluate` takes them; by default there is no bootstrap.

    Returns
    -------
    Results
        As from `evaluate`, with one text.

    Raises
    ------
    OptionError, InputError
        As `evaluate` does.

    Examples
    --------
    >>> import rouge_cli
    >>> results = rouge_cli.score("police kill the gunman", "police killed the gunman", max_ngram=2)
    >>> results["ROUGE-1"].f_measure.mean
    0.75
    >>> results["ROUGE-2"].f_measure.mean
    0.33333
    """
    from rouge_cli.api.studies import score_pair

    return score_pair(prediction, references, options)


def evaluate_files(
    path: "FilePath | Sequence[FilePath] | Mapping[str, FilePath] | None" = None,
    system_id: str | None = None,
    **options: "Unpack[FileKeywords]",
) -> "Results":
    """Score files, in any layout that the command line knows.

    Parameters
    ----------
    path : str or path, or list or mapping of these, optional
        An XML configuration; a file list, with ``list_format="SPL"``; or a file of records, such
        as ``"predictions.jsonl"``. Without it the options name the texts: ``peers="..."`` and
        ``models="..."``, ``duc=(peers_folder, models_folder)``, or ``peer_lines=["a=a.txt",
        "b=b.txt"]`` and ``model_lines="models.txt"``. Paths are relative to the working directory.
        Several files of records, or of saved scores, are several systems: a list of paths, whose
        stems are the names, or a mapping from names to paths.
    system_id : str, optional
        The system to score; ``all=True`` scores every one.
    **options
        As `evaluate` takes them, and those that say where and how to read.

    Returns
    -------
    Results
        As from `evaluate`.

    Raises
    ------
    OptionError
        An unknown option, an invalid value, or an option for the command line.
    InputError
        Unusable files, all of which are named. Nothing was scored.
    """
    from rouge_cli.api.studies import score_files

    return score_files(path, system_id, options)


def explain(
    predictions: "Text | Iterable[Text] | Mapping[str, Iterable[Text]] | Frame",
    references: "Text | Iterable[Text | Iterable[Text]] | None" = None,
    **options: "Unpack[ExplanationKeywords]",
) -> "Explanation":
    """Explain scores, word by word.

    Parameters
    ----------
    predictions : str, or as `evaluate` takes them
        A string is one text, and `references` is its reference, or a list of several.
    references : str, or as `evaluate` takes them
    **options
        How texts are scored, as for `evaluate`. Of several texts, those to explain:
        ``eval_ids=["3"]``, ``worst=5`` or ``best=5``, by ``sort="ROUGE-2:R"`` and ``against="a"``;
        the texts of lists are called ``"1"``, ``"2"`` and so on. ``system_ids=["b"]`` chooses
        systems, ``texts=True`` shows the texts too.

    Returns
    -------
    Explanation
        ``.evals`` has the counts, the sums and the matching words. It prints as the text of the
        command ``explain``; ``to_json()``, ``to_html()`` and so on return its reports.

    Raises
    ------
    OptionError
        An unknown option or an invalid value; a missing text or system; several texts without a
        choice among them.
    InputError
        As `evaluate`.

    Examples
    --------
    >>> import rouge_cli
    >>> explanation = rouge_cli.explain(
    ...     "police kill the gunman", "police killed the gunman", max_ngram=1, lcs=False
    ... )
    >>> explanation.evals[0].peers[0].metrics[0].tally.hit
    3
    """
    from rouge_cli.api.studies import explain_given

    return explain_given(predictions, references, options)


def compare(results: "Results", **options: "Unpack[ComparisonKeywords]") -> "Comparison":
    """Compare systems: find which are better, and which differences could be chance.

    Every pair of systems is tested in each metric, on the texts that all have, by paired bootstrap
    and by approximate randomisation.

    Parameters
    ----------
    results : Results
        From `evaluate` or `evaluate_files`, with two or more systems; ``resamples=0`` saves a
        bootstrap that is not needed here.
    **options
        ``measures="RPF"``, ``resamples=20000``, ``seed=2004``, ``equivalence=0.01``,
        ``system_ids=["a", "b"]``, and ``confidence``, by default that of the results.

    Returns
    -------
    Comparison
        ``.pairs`` and ``.rankings`` have the numbers. It prints as the tables of the command
        ``compare``; ``to_json()``, ``to_markdown()`` and so on return its reports.

    Raises
    ------
    OptionError
        An unknown option or an invalid value; fewer than two systems.
    InputError
        Two systems without a text in common.

    Examples
    --------
    >>> import rouge_cli
    >>> results = rouge_cli.evaluate(
    ...     {"a": ["police killed the gunman"] * 6, "b": ["the gunman slept"] * 6},
    ...     ["police killed the gunman"] * 6,
    ...     max_ngram=1, lcs=False, resamples=0,
    ... )
    >>> comparison = rouge_cli.compare(results)
    >>> comparison
    <Comparison: 2 systems, 1 pair>
    >>> comparison.pairs[0].better, comparison.pairs[0].randomisation.p
    ('a', 0.03125)
    """
    from rouge_cli.api.studies import Comparison, study_results

    return study_results(Comparison, "compare", results, options)


def correlate(
    results: "Results",
    judgements: "str | PathLike[str] | Iterable[Mapping[str, Any]]",
    **options: "Unpack[CorrelationKeywords]",
) -> "Correlation":
    """Correlate the scores of systems with human judgements.

    Parameters
    ----------
    results : Results
        From `evaluate` or `evaluate_files`, with three or more systems.
    judgements : path, data frame, or iterable of mappings
        A file as the command ``correlate`` takes it, or rows with ``system``, ``eval`` and
        numbers; without ``eval``, one judgement for each system. The texts of lists are called
        ``"1"``, ``"2"`` and so on.
    **options
        ``judgement=["quality"]``, ``level="system"``, ``coefficient="kendall"`` (or ``"spa"``,
        ``["pa", "acc-eq"]``), ``measures="R"``, ``resample="evals"``, ``resample_judges=True``,
        ``resamples=1000``, ``confidence``, ``seed=2004``, ``pairs=True``, ``unmatched="skip"``.

    Returns
    -------
    Correlation
        ``.columns`` and ``.metrics`` have the numbers. It prints as the tables of the command
        ``correlate``; ``to_json()``, ``to_markdown()`` and so on return its reports.

    Raises
    ------
    OptionError
        An unknown option, an invalid value, or an option for the command line.
    InputError
        Unusable judgements, or judgements that do not match the scores.
    """
    from rouge_cli.api.studies import correlate_with

    return correlate_with(results, judgements, options)


def plan(results: "Results", **options: "Unpack[PlanKeywords]") -> "StudyResult":
    """Say how many texts a comparison needs, from the scores of a pilot.

    Parameters
    ----------
    results : Results
        From `evaluate` or `evaluate_files`, with two systems, or one and ``spread``.
    **options
        ``difference=0.01`` or ``equivalence=0.01``, ``spread``, ``spread_confidence``,
        ``power=0.8``, ``comparisons=1``, ``measures="R"``, ``system_ids``, ``seed=2004``,
        ``confidence``.

    Returns
    -------
    StudyResult
        ``.result`` has the numbers; printed, it is the tables of the command ``plan``.

    Raises
    ------
    OptionError, InputError

    Examples
    --------
    >>> import rouge_cli
    >>> results = rouge_cli.evaluate(
    ...     {"a": ["police killed the gunman", "a dog ran"] * 6, "b": ["the gunman", "dogs"] * 6},
    ...     ["police killed the gunman", "a dog ran away"] * 6,
    ...     max_ngram=1, lcs=False, resamples=0,
    ... )
    >>> rouge_cli.plan(results, difference=0.2).result.columns[0].n_needed
    17
    """
    from rouge_cli.api.studies import StudyResult, study_results

    return study_results(StudyResult, "plan", results, options)


def identify(
    predictions: "Iterable[Text]",
    references: "Iterable[Text | Iterable[Text]]",
    published: "str | Mapping[str, str | float]",
    **options: "Unpack[IdentificationKeywords]",
) -> "StudyResult":
    """Find the packages and options that could have printed published numbers.

    Parameters
    ----------
    predictions, references
        As `evaluate` takes them: the outputs of one system, as they were scored.
    published : str, or mapping of str to str or float
        The numbers with all their decimals: ``"ROUGE-1=44.16 ROUGE-L:R=40.90"``, or
        ``{"ROUGE-1": "44.16"}``; a float counts with the decimals that Python prints.
    **options
        ``deep=True``, ``order="numbers-from-0"``.

    Returns
    -------
    StudyResult
        ``.result.consistent`` and ``.result.nearest`` have classes of settings. It prints as the
        tables of the command ``identify``; ``to_json()`` and so on return its reports.

    Raises
    ------
    OptionError
        Malformed numbers, or numbers that no known package prints together.
    InputError
        As `evaluate`.

    Examples
    --------
    >>> import rouge_cli
    >>> answer = rouge_cli.identify(["the cat sat", "a dog"], ["the cat", "a cat"], "ROUGE-1=0.65")
    >>> answer.result.consistent[0].values
    (0.65,)
    """
    from rouge_cli.api.studies import identify_lists

    return identify_lists(predictions, references, published, options)


def context(
    predictions: "Iterable[Text] | Mapping[str, Iterable[Text]]",
    references: "Iterable[Text | Iterable[Text]]",
    sources: "Iterable[Text]",
    **options: "Unpack[ContextKeywords]",
) -> "StudyResult":
    r"""Compare the scores of systems with those of sentences of the sources.

    Parameters
    ----------
    predictions, references
        As `evaluate` takes them.
    sources : iterable of texts
        The text that each prediction summarises, with a newline between sentences, or
        ``sentences="en"``.
    **options
        The options of `evaluate`, and ``take=3``, ``best=True``, ``rule="sets"``, ``measures="R"``,
        ``seed=2004``.

    Returns
    -------
    StudyResult
        ``.result`` has the rows, and in ``labels`` the sentences that the oracles take. It prints
        as the table of the command ``context``.

    Raises
    ------
    OptionError, InputError

    Examples
    --------
    >>> import rouge_cli
    >>> found = rouge_cli.context(
    ...     ["the gunman slept"], ["police killed the gunman"],
    ...     ["it rained\npolice killed him\nhe was the gunman"], take=2, resamples=0,
    ... )
    >>> found.result.labels
    ({'id': '1', 'n_sentences': 3, 'oracle': [1, 2]},)
    """
    from rouge_cli.api.studies import context_of_lists

    return context_of_lists(predictions, references, sources, options)


_CLASSES = {"Results": "rouge_cli.scores.results", "Scorer": "rouge_cli.bulk"}


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    """Load classes, and functions of studies, which few programs need."""
    from importlib import import_module

    if name in _CLASSES:
        return getattr(import_module(_CLASSES[name]), name)
    from rouge_cli.studies.study import STUDIES

    if name in STUDIES:
        from rouge_cli.api.studies import study_function

        return study_function(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
