"""Parallel lists of documents and summaries, checked and then read in batches."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rouge_cli.api.arguments import python_options
from rouge_cli.bulk.texts import TEXTS_THAT_TAKE_LONG, listed, warn_user
from rouge_cli.core import compiled_core, missing_core
from rouge_cli.errors import InputError, OptionError, Problems
from rouge_cli.options.options import Options, RunOptions, left_out
from rouge_cli.options.texts import DOCUMENTS, TextOptions
from rouge_cli.run.pipeline import RunContext
from rouge_cli.run.workers import ordered_map
from rouge_cli.text.columns import TextColumns, decoded, encoded, join_lines
from rouge_cli.text.tokenizer import load_tokenizer

Part = TypeVar("Part")

EXPECTED = "expected a text: a string with a newline between sentences, or a list of sentences"

TEXTS_OF_BATCH = 256
"""Number of documents, with their summaries, whose words are in memory at a time."""


WORD_OPTIONS = [name for name in TextOptions.options() if name not in left_out(DOCUMENTS)]
"""The options that determine how a text is split into words."""


def read_options(what: str, given: Mapping[str, Any], known: Collection[str]) -> Options:
    """Check options; raises OptionError for any but the `known` ones and those of a run."""
    options = python_options(given, None)
    known = [*known, *RunOptions.options()]
    for name, value in given.items():
        if name not in known and value is not None:
            raise OptionError(f"{name} has no meaning with {what}, which takes {', '.join(known)}")
    return options


def read_lists(
    names: tuple[str, str], first: Iterable[Any], second: Iterable[Any]
) -> tuple[list[Any], list[Any]]:
    """Return two lists of texts; raises InputError that names all invalid items."""
    lists = [listed(first, names[0]), listed(second, names[1])]
    problems = Problems()
    for name, texts in zip(names, lists, strict=True):
        for number, text in enumerate(texts):
            if not _is_text(text):
                problems.add(f"{name} {number}", f"found {type(text).__name__}, {EXPECTED}")
    if len(lists[0]) != len(lists[1]):
        raise InputError(
            f"{len(lists[0])} {names[0]} but {len(lists[1])} {names[1]}; expected one for each"
        )
    problems.raise_any()
    return lists[0], lists[1]


def _is_text(text: Any) -> bool:
    """Whether this is a string, or a sequence of sentences: strings, or sequences of words."""
    if isinstance(text, str | bytes):
        return True
    if isinstance(text, Mapping) or not isinstance(text, Sequence | np.ndarray):
        return False
    kinds = set(map(type, text))
    return kinds <= {str} or all(
        isinstance(part, str | bytes)
        or (isinstance(part, Sequence) and all(isinstance(word, str) for word in part))
        for part in text
    )


def lines_of(text: Any, newline: str = " ") -> str:
    """Return a text with a newline between sentences.

    Newlines inside the sentences of a list are replaced by `newline`. A newline at the end of a
    string does not begin another sentence.
    """
    if isinstance(text, str | bytes):
        return _as_string(text).removesuffix("\n")
    return join_lines(list(map(_as_string, text)), newline)


def _as_string(part: str | bytes | Sequence[str]) -> str:
    if isinstance(part, str):
        return part
    return decoded(part) if isinstance(part, bytes) else " ".join(part)


def count_sentences(text: Any) -> int:
    """Return the number of sentences of a text."""
    if isinstance(text, str | bytes):
        return lines_of(text).count("\n") + 1 if text else 0
    return len(text)


def in_batches(
    function: Callable[[Sequence[Any], Sequence[Any]], Part],
    documents: Sequence[Any],
    summaries: Sequence[Any],
    options: Options,
) -> Iterator[Part]:
    """Apply a function to each batch in several threads, and yield the results in order."""
    has_core = compiled_core() is not None
    if len(documents) >= TEXTS_THAT_TAKE_LONG and (advice := missing_core()) is not None:
        warn_user(advice)
    starts = range(0, len(documents), TEXTS_OF_BATCH)
    batches = (slice(start, start + TEXTS_OF_BATCH) for start in starts)
    jobs = RunContext().jobs(options, in_threads=has_core)
    tasks = ((documents[batch], summaries[batch]) for batch in batches)
    return ordered_map(partial(_apply, function), tasks, jobs, in_threads=has_core)


def _apply(function: Callable[..., Part], texts: tuple[Any, Any]) -> Part:
    return function(*texts)


def tokenized(
    documents: Sequence[Any], summaries: Sequence[Any], options: Options
) -> tuple[TextColumns, int]:
    """Read documents and summaries in turn; return columns, and an exclusive bound of the types."""
    pairs = zip(documents, summaries, strict=True)
    texts = [encoded(lines_of(text)) for pair in pairs for text in pair]
    read = load_tokenizer(options.texts, {}).read(
        texts, with_unsummed=False, starts=np.arange(0, len(texts) + 1, 2)
    )
    columns = read.unstemmed if read.stemmed is None else read.stemmed
    if columns is None:
        raise InputError("the texts were read as something else than words")
    return columns, max(read.n_types, 1)


def pair_numbers(n_pairs: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the numbers of the documents and of the summaries, which alternate."""
    documents = np.arange(0, 2 * n_pairs, 2)
    return documents, documents + 1
