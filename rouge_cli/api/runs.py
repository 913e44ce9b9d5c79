"""Runs from Python: options and inputs are checked, and scored in the pipeline."""

import os
from collections.abc import Mapping
from dataclasses import fields
from functools import lru_cache
from operator import attrgetter
from typing import Any

from rouge_cli.api.lists import check_names, listed_predictions, listed_references
from rouge_cli.api.results import Results
from rouge_cli.errors import OptionError
from rouge_cli.inputs.source import GivenTexts, Source
from rouge_cli.options.every import Options
from rouge_cli.options.reports import ReportOptions
from rouge_cli.scoring import results as scoring_results
from rouge_cli.scoring.context import RunContext
from rouge_cli.scoring.pipeline import are_scores_at_hand, score_input, with_outside_scores

__all__ = ["python_options", "score_files", "score_lists"]

DISPLAY_OPTIONS = ("measures", "sort", "percent", "intervals", "letters", "caption", "label")
"""What the printed results show; on the command line these belong to reports."""

FOR_COMMAND_LINE = {
    "report": "results have methods such as to_json and to_latex",
    "output": "results have methods such as to_json, whose text can be written",
    "score_only": "take the number from the results",
    "plot": "results have the method to_figure, whose bytes can be written",
    "page_texts": "results hold no texts",
    "dry_run": "leave it out",
    "verbose": "leave it out",
    "require": "compare the numbers of the results",
    "baseline": "compare the numbers of the results",
    "max_drop": "compare the numbers of the results",
}
"""Options without a meaning in Python, and what to do instead."""


PLAIN_VALUES = frozenset({bool, int, float, str, type(None)})
MOST_REMEMBERED = 64

_OF_RESULTS = attrgetter(*(item.name for item in fields(scoring_results.Results)))


def score_lists(predictions: Any, references: Any, given: Mapping[str, Any]) -> Results:
    """Score texts that are at hand, see `rouge_cli.evaluate`.

    Raises
    ------
    OptionError, InputError
        Before anything is scored.
    """
    check_names(given)
    options = python_options(given)
    texts = GivenTexts(listed_predictions(predictions), listed_references(references))
    return _scored(Source(texts=texts), options, RunContext())


def score_files(path: Any, system_id: Any, given: Mapping[str, Any]) -> Results:
    """Score what a file or the options name, see `rouge_cli.evaluate_config`.

    Raises
    ------
    OptionError, InputError
        Before anything is scored.
    """
    check_names({"path": path, "system_id": system_id, **given})
    if isinstance(path, Mapping):
        check_names({"path": list(path.values())})
        check_names({"system ID": list(path)}, may_be_bytes=False)
    options = python_options(given)
    if system_id is not None and not isinstance(system_id, str):
        raise OptionError(f"system_id: found {system_id!r}, expected a string")
    source = _source(path, system_id)
    return _scored(source, options, RunContext(environment=os.environ))


def _shown(found: scoring_results.Results) -> Results:
    """Return results that show themselves."""
    return Results(*_OF_RESULTS(found))


def _source(path: Any, system_id: str | None) -> Source:
    """Return the files of a path, of several in a list, or of several by the names of systems."""
    others = () if system_id is None else (system_id,)
    if path is None:
        return Source(others=others)
    if isinstance(path, Mapping):
        if odd := [one for one in path if not (isinstance(one, str) and one) or "=" in one]:
            raise OptionError(f"path: found {odd[0]!r} as a system, expected a name without =")
        words = [f"{name}={_path(one)}" for name, one in path.items()]
    elif isinstance(path, list | tuple):
        words = [_path(one) for one in path]
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


def python_options(given: Mapping[str, Any]) -> Options:
    """Check options by their names in Python.

    Parameters
    ----------
    given : mapping of str to object
        A value of None leaves the default.

    Returns
    -------
    Options

    Raises
    ------
    OptionError
        As `Options.of`, or for an option of the command line.
    """
    if not all(type(value) in PLAIN_VALUES for value in given.values()):
        return _checked_options(given)
    # 1 equals True, and 0.0 equals -0.0, but they are not the same options.
    return _plain_options(
        tuple((name, type(value), repr(value), value) for name, value in given.items())
    )


@lru_cache(MOST_REMEMBERED)
def _plain_options(items: tuple[tuple[str, type, str, Any], ...]) -> Options:
    """Check options once: a program that scores pair by pair gives the same again and again."""
    return _checked_options({name: value for name, _, _, value in items})


def _checked_options(given: Mapping[str, Any]) -> Options:
    """Check options, see `python_options`."""
    for name, advice in FOR_COMMAND_LINE.items():
        if given.get(name) is not None:
            raise OptionError(f"{name} is for the command line; in Python {advice}")
    computed = Options.of(
        {name: value for name, value in given.items() if name not in DISPLAY_OPTIONS}
    )
    # Each of these asks for a table on the command line, whatever the other options are.
    displayed = {name: given.get(name) for name in DISPLAY_OPTIONS}
    checked = ReportOptions.of({**displayed, "report": "latex"}).values()
    return computed.changed(**{name: checked[name] for name in DISPLAY_OPTIONS})


def _scored(source: Source, options: Options, context: RunContext) -> Results:
    """Score an input whose order of systems makes sense."""
    options, outside = with_outside_scores(options)
    if options.reports.sort is not None and not are_scores_at_hand(source, options):
        from rouge_cli.reports.views.scores import check_sort

        check_sort(options)
    return _shown(score_input(source, options, context, outside))
