"""Runs from Python: check keywords and inputs, score, and return results."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import fields, replace
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import Any

from rouge_cli.api.results import Results
from rouge_cli.errors import InputError, OptionError, Problems
from rouge_cli.escapes import escaped
from rouge_cli.inputs.records.frames import is_frame
from rouge_cli.inputs.source import GivenTexts, Source, Text
from rouge_cli.options.options import OPTIONS, Options
from rouge_cli.options.reports import ReportOptions
from rouge_cli.run.pipeline import RunContext, are_scores_at_hand, score_input, with_outside_scores
from rouge_cli.scores import results as scoring_results

DISPLAYED = tuple(
    name for name, declared in ReportOptions.options().items() if declared.python_advice is None
)
"""Options that say how results are shown; on the command line these belong to reports."""

PLAIN_VALUES = frozenset({bool, int, float, str, type(None)})
MOST_REMEMBERED = 64

_OF_RESULTS = attrgetter(*(item.name for item in fields(scoring_results.Results)))


def score_given(predictions: Any, references: Any, keywords: Mapping[str, Any]) -> Results:
    """Score texts in memory, see `rouge_cli.evaluate`.

    Raises
    ------
    OptionError, InputError
        Before anything is scored.
    """
    return score_source(*given_source(predictions, references, keywords))


def given_source(
    predictions: Any, references: Any, keywords: Mapping[str, Any]
) -> tuple[Source, Options]:
    """Check texts in memory and options; what is returned can be read more than once.

    Raises OptionError and InputError.
    """
    check_names(keywords)
    if is_frame(predictions):
        options = python_options({**keywords, "references": references})
        return Source(frame=predictions), options
    options = python_options(keywords)
    texts = GivenTexts(listed_predictions(predictions), listed_references(references))
    return Source(texts=texts), options


def score_source(source: Source, options: Options) -> Results:
    """Score what `given_source` returns; raises OptionError and InputError."""
    return _scored(source, options, RunContext())


def score_files(path: Any, system_id: Any, keywords: Mapping[str, Any]) -> Results:
    """Score what a file or the options name, see `rouge_cli.evaluate_config`.

    Raises
    ------
    OptionError, InputError
        Before anything is scored.
    """
    check_names({"path": path, "system_id": system_id, **keywords})
    if isinstance(path, Mapping):
        check_names({"path": list(path.values())})
        check_names({"system ID": list(path)}, may_be_bytes=False)
    options = python_options(keywords)
    if system_id is not None and not isinstance(system_id, str):
        raise OptionError(f"system_id: found {system_id!r}, expected a string")
    source = _source(path, system_id)
    return _scored(source, options, RunContext(environment=os.environ))


def _shown(results: scoring_results.Results) -> Results:
    """Return results that show themselves."""
    return Results(*_OF_RESULTS(results))


def _source(path: Any, system_id: str | None) -> Source:
    """Return the files of a path, of several in a list, or of several by the names of systems."""
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
    """Return a path as a string; raises OptionError."""
    if not (isinstance(path, str | bytes | os.PathLike) and os.fspath(path)):
        raise OptionError(
            f"path: found {path!r}, expected the path of a file, a list of such, a mapping from "
            "names of systems to such, or None"
        )
    return os.fsdecode(path)


def python_options(keywords: Mapping[str, Any]) -> Options:
    """Check options by their names in Python.

    Parameters
    ----------
    keywords : mapping of str to object
        A value of None leaves the default.

    Returns
    -------
    Options

    Raises
    ------
    OptionError
        As `Options.of`, or for an option of the command line.
    """
    if not all(type(value) in PLAIN_VALUES for value in keywords.values()):
        return _checked_options(keywords)
    # 1 equals True, and 0.0 equals -0.0, but they are not the same options.
    return _plain_options(
        tuple((name, type(value), repr(value), value) for name, value in keywords.items())
    )


@lru_cache(MOST_REMEMBERED)
def _plain_options(items: tuple[tuple[str, type, str, Any], ...]) -> Options:
    """Check options once; programs that score pair by pair repeat the same keywords."""
    return _checked_options({name: value for name, _, _, value in items})


def _checked_options(keywords: Mapping[str, Any]) -> Options:
    """Check options, see `python_options`."""
    for name, declared in OPTIONS.items():
        if declared.python_advice is not None and keywords.get(name) is not None:
            raise OptionError(f"{name} is for the command line; in Python {declared.python_advice}")
    keywords = {name: _python_value(value) for name, value in keywords.items()}
    computed = Options.of(
        {name: value for name, value in keywords.items() if name not in DISPLAYED}
    )
    # On the command line these need a report that shows them; results can be shown in any way.
    displayed = {name: keywords.get(name) for name in DISPLAYED}
    checked = ReportOptions.of({**displayed, "report": "latex"}).values()
    return computed.changed(**{name: checked[name] for name in DISPLAYED})


def _python_value(value: Any) -> Any:
    """Return a number of NumPy as one of Python, and an array of names as a list."""
    return value.tolist() if hasattr(value, "tolist") else value


def _scored(source: Source, options: Options, context: RunContext) -> Results:
    """Check ``sort``, and score."""
    options, outside = with_outside_scores(options)
    if options.reports.sort is not None and not are_scores_at_hand(source, options):
        from rouge_cli.reports.views.scores import check_sort

        check_sort(options)
    results = score_input(source, options, context, outside)
    if results.options.reports.letters and len(results.systems) == 1:
        # Letters tell systems apart, and a table of one is still wanted.
        results = replace(results, options=results.options.changed(letters=False))
    return _shown(results)


__all__ = [
    "Text",
    "check_names",
    "listed_predictions",
    "listed_references",
]

PLAIN = {str, bytes, list, tuple}
ANY_HALF = re.compile("[\ud800-\udfff]")
HALF_OF_A_PAIR = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Without the half in which Python puts bytes that are no UTF-8: U+DC80 to U+DCFF."""
SYSTEM_LISTS = "a list with a text for each EVAL, or a mapping from system IDs to such lists"
REFERENCE_LISTS = "a list with a text, or a list of texts, for each prediction"


def listed_predictions(predictions: Any) -> Any:
    """Return predictions as a list or, of several systems, as lists by their IDs.

    Parameters
    ----------
    predictions : iterable of texts, or mapping of str to such iterables

    Returns
    -------
    list or dict of str to list
        A lone string is returned as it is.

    Raises
    ------
    InputError
        If they are no texts in an order, or there are none, or a system ID is no string.
    """
    if not isinstance(predictions, Mapping):
        return _listed_texts(predictions, "predictions", SYSTEM_LISTS)
    problems = [
        f"predictions: found {system!r} as a system ID, expected a string that is not blank"
        for system in predictions
        if not isinstance(system, str) or not system.strip()
    ]
    if problems:
        raise InputError(problems)
    check_names({"system ID": list(predictions)}, may_be_bytes=False)
    return {
        system: _listed_texts(
            texts, f"predictions of {escaped(system)}", "a list with a text for each EVAL"
        )
        for system, texts in predictions.items()
    }


def check_names(values: Mapping[str, Any], *, may_be_bytes: bool = True) -> None:
    """Refuse names with half of a surrogate pair, which cannot be written.

    Parameters
    ----------
    values : mapping of str to object
        What each is, and a string, or several in a list or a tuple; anything else is passed over.
    may_be_bytes : bool
        Whether they may be names of files, in which Python puts bytes that are no UTF-8 as U+DC80
        to U+DCFF.

    Raises
    ------
    InputError
    """
    half = HALF_OF_A_PAIR if may_be_bytes else ANY_HALF
    problems = [
        f"{escaped(what)}: found {name!a}, with half of a surrogate pair; expected characters"
        for what, value in values.items()
        for name in (value if isinstance(value, list | tuple) else (value,))
        if isinstance(name, str) and half.search(name)
    ]
    if problems:
        raise InputError(problems)


def listed_references(references: Any) -> Any:
    """Return references as a list with a text or a list of texts for each prediction.

    Parameters
    ----------
    references : iterable of texts, or of iterables of texts

    Returns
    -------
    list
        A lone string is returned as it is.

    Raises
    ------
    InputError
        If they have no order, or naming each that is no text and no list of texts.
    """
    items = _listed(references, "references", REFERENCE_LISTS)
    if isinstance(items, str | bytes):
        return items
    lists = _plain_texts(items)
    if set(map(type, lists)) <= {str, bytes}:
        return lists
    expected = "expected a text, or a list of texts"
    odd = (
        (f"prediction {index}: references", f"found {type(texts).__name__}, {expected}")
        for index, texts in enumerate(lists)
        if not isinstance(texts, str | bytes | Sequence)
    )
    Problems.of("", odd).raise_any()
    # The common case, checked without a Python loop over the texts.
    several = (texts for texts in lists if not isinstance(texts, str | bytes))
    if set(map(type, chain.from_iterable(several))) <= PLAIN:
        return lists
    return [texts if isinstance(texts, str | bytes) else _plain_texts(texts) for texts in lists]


def _listed_texts(texts: Any, name: str, expected: str) -> Any:
    """Return texts as a list; refuse an empty one."""
    items = _listed(texts, name, expected)
    if isinstance(items, str | bytes):
        return items
    if not items:
        raise InputError(f"{name}: empty, expected at least one text")
    return _plain_texts(items)


def _listed(texts: Any, name: str, expected: str) -> Any:
    """Return an ordered iterable as a list, and a string as it is; raises InputError."""
    if isinstance(texts, str | bytes | list):
        return texts
    # Iterating a pandas table, which has two dimensions, would yield the names of its columns.
    n_dimensions = getattr(texts, "ndim", 1)
    has_rows = n_dimensions == 1 or (n_dimensions > 1 and hasattr(texts, "tolist"))
    if not isinstance(texts, Iterable) or isinstance(texts, Mapping | Set) or not has_rows:
        raise InputError(f"{name}: found {type(texts).__name__}, expected {expected}")
    return _as_list(texts)


def _plain_texts(texts: Sequence[Any]) -> Sequence[Any]:
    """Return texts, with lists in place of other ordered iterables of sentences."""
    if set(map(type, texts)) <= PLAIN:
        return texts
    return [_plain_text(text) for text in texts]


def _plain_text(text: Any) -> Any:
    """Return a list for an array or another iterable in order, and anything else as it is."""
    is_plain = isinstance(text, str | bytes | Sequence | Mapping | Set)
    return text if is_plain or not isinstance(text, Iterable) else _as_list(text)


def _as_list(items: Any) -> Any:
    """Return the items as a list; arrays give Python's own objects."""
    return items.tolist() if hasattr(items, "tolist") else list(items)
