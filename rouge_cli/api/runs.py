"""Runs from Python: check keywords and inputs, score, and return results."""

import os
from collections.abc import Mapping
from dataclasses import fields, replace
from functools import lru_cache
from operator import attrgetter
from typing import Any

from rouge_cli.api.keywords import MOST_REMEMBERED, Item, plain_items, python_options
from rouge_cli.api.lists import check_names, given_texts
from rouge_cli.api.results import Results
from rouge_cli.core import VARIABLE as CORE
from rouge_cli.errors import OptionError
from rouge_cli.inputs.records.frames import is_frame
from rouge_cli.inputs.source import Source
from rouge_cli.options.options import OPTIONS, Options
from rouge_cli.run.lone_pairs import PairRun
from rouge_cli.run.pipeline import RunContext, resolved_run
from rouge_cli.run.processors import VARIABLE as JOBS
from rouge_cli.scores import results as scoring_results
from rouge_cli.text.word_lists import with_data_dir

_OF_RESULTS = attrgetter(*(item.name for item in fields(scoring_results.Results)))


def score_given(predictions: Any, references: Any, keywords: Mapping[str, Any]) -> Results:
    """Score texts in memory, see `rouge_cli.evaluate`.

    Raises
    ------
    OptionError, InputError
        Before anything is scored.
    """
    return score_source(*given_source(predictions, references, keywords))


OF_PAIRS = frozenset(name for name, declared in OPTIONS.items() if declared.for_single_pairs)
"""Options with which a pair may take the short way: they name no files, and no metric but ROUGE-N
and ROUGE-L."""


def score_pair(prediction: Any, references: Any, keywords: Mapping[str, Any]) -> Results:
    """Score one text, see `rouge_cli.score`.

    A pair of plain texts takes a short way where options allow it: a tenth of the time, and the
    same results. All else goes the way of lists. Raises OptionError and InputError.
    """
    items = plain_items(keywords) if keywords.keys() <= OF_PAIRS else None
    environ = os.environ
    run = None if items is None or JOBS in environ else _pair_run(items, environ.get(CORE, ""))
    pair = None if run is None else _plain_pair(prediction, references)
    if run is None or pair is None:
        return score_given([prediction], [references], keywords)
    scored = run.scored(*pair)
    if scored is not None:
        return Results.of_pair(scored)
    results = score_given([prediction], [references], keywords)
    run.learn_from(results)
    return results


@lru_cache(MOST_REMEMBERED)
def _pair_run(items: tuple[Item, ...], core: str) -> PairRun | None:
    """Prepare a run on lone pairs; None without the core. Raises OptionError and InputError.

    `core` is what the environment says of it.
    """
    keywords = {name: value for name, _, _, value in items}
    check_names(keywords)
    run = PairRun(python_options(keywords))
    return run if run.can_count else None


def _plain_pair(prediction: Any, references: Any) -> tuple[bytes, bytes] | None:
    """Return a text and its only reference as bytes; None if these are anything but plain."""
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
    """Check texts in memory and options; what is returned can be read more than once.

    Raises OptionError and InputError.
    """
    check_names(keywords)
    if is_frame(predictions):
        options = python_options({**keywords, "references": references})
        return Source(frame=predictions), options
    options = python_options(keywords)
    return Source(texts=given_texts(predictions, references)), options


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
    options = with_data_dir(python_options(keywords), os.environ)
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


def _scored(source: Source, options: Options, context: RunContext) -> Results:
    """Score, and return results that show themselves."""
    results = resolved_run(source, options).results(context)
    if results.options.reports.letters and len(results.systems) == 1:
        # Letters tell systems apart, and a table of one is still wanted.
        results = replace(results, options=results.options.changed(letters=False))
    return _shown(results)
