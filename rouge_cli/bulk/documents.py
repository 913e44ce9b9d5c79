"""Lists of documents and their summaries, read in batches; and how extractive the summaries are."""

import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from rouge_cli.api.arguments import python_options
from rouge_cli.bulk.texts import TEXTS_THAT_TAKE_LONG, listed, warn_user
from rouge_cli.core import compiled_core, missing_core
from rouge_cli.errors import InputError, OptionError, Problems, RougeWarning
from rouge_cli.metrics.sources import (
    LARGEST_ORDER,
    NEWSROOM,
    STATISTIC_RULES,
    Columns,
    word_columns,
)
from rouge_cli.options.options import Options, RunOptions, left_out
from rouge_cli.options.texts import DOCUMENTS, TextOptions
from rouge_cli.run.pipeline import RunContext
from rouge_cli.run.workers import ordered_map
from rouge_cli.text.columns import TextColumns, decoded, encoded, join_lines
from rouge_cli.text.tokenizer import load_tokenizer

if TYPE_CHECKING:
    from rouge_cli.inputs.source import Text

Part = TypeVar("Part")

TwoLists = tuple[Sequence[Any], Sequence[Any]]
"""A list of documents and one of their summaries, in either order and of equal length."""

EXPECTED = "expected a text: a string with a newline between sentences, or a list of sentences"

TEXTS_OF_BATCH = 256
"""Number of documents per batch. The words of a batch are in memory together."""


WORD_OPTIONS = [name for name in TextOptions.options() if name not in left_out(DOCUMENTS)]
"""The options that determine how a text is split into words."""


def read_options(what: str, given: Mapping[str, Any], known: Collection[str]) -> Options:
    """Check options; raises OptionError for all but the `known` ones and those of a run."""
    options = python_options(given, None)
    known = [*known, *RunOptions.options()]
    for name, value in given.items():
        if name not in known and value is not None:
            raise OptionError(f"{name} has no meaning with {what}, which takes {', '.join(known)}")
    return options


def read_lists(names: tuple[str, str], first: Iterable[Any], second: Iterable[Any]) -> TwoLists:
    """Return two lists of texts; raises an InputError that names every invalid item."""
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
    """Return whether this is a string, or a list of sentences.

    A sentence is a string or a list of words.
    """
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
    function: Callable[[TwoLists], Part], texts: TwoLists, options: Options
) -> Iterator[Part]:
    """Apply a function to batches in several threads, and yield the results in order."""
    has_core, n_texts = compiled_core() is not None, len(texts[0])
    if n_texts >= TEXTS_THAT_TAKE_LONG and (advice := missing_core()) is not None:
        warn_user(advice)
    starts = range(0, n_texts, TEXTS_OF_BATCH)
    batches = (slice(start, start + TEXTS_OF_BATCH) for start in starts)
    jobs = RunContext().jobs(options, in_threads=has_core)
    tasks = ((texts[0][batch], texts[1][batch]) for batch in batches)
    return ordered_map(function, tasks, jobs, in_threads=has_core)


def tokenized(lists: TwoLists, options: Options) -> tuple[TextColumns, int]:
    """Read the texts of both lists in turn, such as each document before its summary.

    Returns their columns, and an exclusive upper bound of the types.
    """
    pairs = zip(*lists, strict=True)
    texts = [encoded(lines_of(text)) for pair in pairs for text in pair]
    read = load_tokenizer(options.texts, {}).read(
        texts, with_unsummed=False, starts=np.arange(0, len(texts) + 1, 2)
    )
    columns = read.unstemmed if read.stemmed is None else read.stemmed
    if columns is None:
        raise InputError("the texts were read as something else than words")
    return columns, max(read.n_types, 1)


def source_statistics(
    summaries: "Iterable[Text]",
    sources: "Iterable[Text]",
    orders: Sequence[int] = (1, 2, 3),
    rule: str = NEWSROOM,
    **options: Any,
) -> Columns:
    """Measure what each summary takes from its source.

    Parameters
    ----------
    summaries, sources : iterable of texts
    orders : sequence of int
        The lengths of n-grams.
    rule : str
        ``"newsroom"``: words are split at whitespace and put in lower case, unless options say
        otherwise. ``"presumm"``: as PreSumm counts, without the last n-gram of each text; ``<q>``
        ends a sentence of a summary.
    **options
        ``jobs``; with ``"newsroom"`` the options of `rouge_cli.evaluate` for words and stems.

    Returns
    -------
    dict of str to ndarray of float64, shape (n_summaries,)
        ``coverage``, ``density`` and ``compression`` are 0 for a summary without words. ``novel-N``
        is the share of its different n-grams that the source lacks, ``repeated-N`` the share that
        it repeats. Without n-grams both are nan, with a warning. ``"presumm"`` returns
        ``novel-count-N`` and ``distinct-N``, whose sums give its published figure; ``novel-N``, the
        former divided by the number of words; and ``repeated-N``, 1 if an n-gram occurs twice.

    Raises
    ------
    OptionError, InputError

    Examples
    --------
    >>> from rouge_cli import bulk
    >>> columns = bulk.source_statistics(
    ...     ["police killed a gunman"], ["yesterday police killed the gunman"], orders=[2]
    ... )
    >>> columns["density"].tolist(), columns["novel-2"].tolist()
    ([1.25], [0.6666666666666666])
    """
    if rule not in STATISTIC_RULES:
        raise OptionError(f"rule: found {rule!r}, expected one of {', '.join(STATISTIC_RULES)}")
    checked_orders = _checked_orders(orders)
    checked = read_options(f"rule={rule!r}", options, WORD_OPTIONS if rule == NEWSROOM else [])
    measure = partial(_measured, checked_orders, rule, checked)
    texts = read_lists(("summaries", "sources"), summaries, sources)
    batches = list(in_batches(measure, texts, checked))
    names = batches[0] if batches else measure(([], []))
    columns = {name: np.concatenate([np.empty(0), *(b[name] for b in batches)]) for name in names}
    if warning := _too_short(columns, checked_orders):
        warnings.warn(warning, RougeWarning, stacklevel=2)
    return columns


def _checked_orders(orders: Any) -> list[int]:
    given = list(orders) if isinstance(orders, Iterable) else [orders]
    are_whole = all(
        isinstance(n, int | np.integer) and not isinstance(n, bool) and 1 <= n <= LARGEST_ORDER
        for n in given
    )
    if not are_whole or len(set(given)) < len(given):
        raise OptionError(
            f"orders: found {orders!r}, expected different whole numbers from 1 to {LARGEST_ORDER}"
        )
    return list(map(int, given))


def _measured(orders: Sequence[int], rule: str, options: Options, texts: TwoLists) -> Columns:
    if options.texts != TextOptions():
        return word_columns(*tokenized(texts, options), orders)
    summaries, sources = (list(map(lines_of, side)) for side in texts)
    return STATISTIC_RULES[rule](summaries, sources, orders)


def _too_short(columns: Columns, orders: Sequence[int]) -> str:
    missing = {n: int(np.isnan(columns[f"novel-{n}"]).sum()) for n in sorted(orders)}
    counts = ", ".join(f"{count} at N={n}" for n, count in missing.items() if count)
    if not counts:
        return ""
    return (
        f"summaries without n-grams, whose novel-N and repeated-N are nan: {counts}; "
        "numpy.nanmean leaves them out"
    )
