"""Documents and their summaries, read in batches.

Oracle labels select the sentences of a document that are most like its summary. Source statistics
measure how extractive a summary is.
"""

import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rouge_cli.api.arguments import python_options
from rouge_cli.bulk.texts import TEXTS_THAT_TAKE_LONG, joined_columns, listed, warn_user
from rouge_cli.core import compiled_core, missing_core
from rouge_cli.errors import InputError, OptionError, Problems, RougeWarning
from rouge_cli.metrics.paired_texts import TextPairs
from rouge_cli.metrics.sources import (
    LARGEST_ORDER,
    NEWSROOM,
    PRESUMM,
    SELECTION_RULES,
    STATISTIC_RULES,
    Columns,
    Selections,
    choose_sentences,
    presumm_document,
    presumm_summary,
    word_columns,
)
from rouge_cli.options.options import Options, RunOptions, left_out
from rouge_cli.options.texts import DOCUMENTS, TextOptions
from rouge_cli.protocols.catalogue import PROTOCOLS
from rouge_cli.protocols.counting import ProtocolPairs
from rouge_cli.protocols.engine import counted_of
from rouge_cli.protocols.reading import read_columns
from rouge_cli.protocols.scoring import score_columns
from rouge_cli.run.pipeline import RunContext
from rouge_cli.run.workers import ordered_map
from rouge_cli.text.ascii155 import split_texts
from rouge_cli.text.columns import TextColumns, decoded, encoded, join_lines
from rouge_cli.text.tokenizer import load_tokenizer

if TYPE_CHECKING:
    from rouge_cli.inputs.source import Text

Part = TypeVar("Part")

# A list of documents and one of their summaries, in either order and of equal length.
TwoLists = tuple[Sequence[Any], Sequence[Any]]

EXPECTED = "expected a text: a string with a newline between sentences, or a list of sentences"

TEXTS_OF_BATCH = 256  # documents whose words are in memory together

# The options that determine how a text is split into words.
WORD_OPTIONS = [name for name in TextOptions.options() if name not in left_out(DOCUMENTS)]


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


# Oracle labels.


# The rules that select by the LCS, each with the metric of rouge-score that it uses.
LCS_RULES = {"lsum": "rougeLsum", "l": "rougeL"}
ALL_RULES = (*SELECTION_RULES, *LCS_RULES)


class OracleLabels:
    """The sentences that the oracle selects from each document.

    Attributes
    ----------
    order : list of ndarray of int64
        The selected sentences of each document, counted from 0, in the order of selection.
    gains : list of ndarray of float64
        The score after each selection.
    labels : list of ndarray of int64
        The selected sentences of each document in ascending order.
    """

    def __init__(self, selections: Iterable[Selections], documents: Sequence[Any]) -> None:
        self.order: list[NDArray[np.int64]] = []
        self.gains: list[NDArray[np.float64]] = []
        self.labels: list[NDArray[np.int64]] = []
        for order, gains, counts in selections:
            # All rows are sorted at once. The padding exceeds every sentence, so it stays last.
            is_taken = np.arange(order.shape[1]) < counts[:, None]
            labels = np.sort(np.where(is_taken, order, np.iinfo(np.int64).max), axis=1)
            taken = counts.tolist()
            for lists, rows in ((self.order, order), (self.gains, gains), (self.labels, labels)):
                lists += [row[:count] for row, count in zip(rows, taken, strict=True)]
        self._documents = documents

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self.order)

    def mask(self, document: int) -> NDArray[np.int64]:
        """Return an array with 1 for each selected sentence of a document, and 0 for the others."""
        mask = np.zeros(count_sentences(self._documents[document]), np.int64)
        mask[self.order[document]] = 1
        return mask


def oracle_labels(
    documents: "Iterable[Text]",
    summaries: "Iterable[Text]",
    take: int = 3,
    rule: str = "clipped",
    **options: Any,
) -> OracleLabels:
    r"""Select the sentences of each document that are most like its summary.

    Sentences are selected one by one, as long as the score grows. Each time, it is the sentence
    that leads to the highest score, or the first one if several do.

    Parameters
    ----------
    documents, summaries : iterable of texts
        A text is a string with a newline between sentences, or a list of sentences, each a string
        or a list of words.
    take : int
        Maximum number of sentences per document.
    rule : str
        How a selection is scored. ``"clipped"``: by ROUGE-1 F plus ROUGE-2 F, counted as ROUGE
        does, except that no n-gram runs across sentences. ``"sets"``: the same, but each n-gram
        counts once. ``"presumm"``: as PreSumm does, with its own words. ``"lsum"`` and ``"l"``: by
        F of rougeLsum or rougeL, as in rouge-score.
    **options
        ``jobs``. Also, with ``"clipped"`` and ``"sets"``, the options of `rouge_cli.evaluate` for
        words and stems; with ``"lsum"`` and ``"l"``, ``stem``.

    Raises
    ------
    OptionError, InputError

    Examples
    --------
    >>> from rouge_cli import bulk
    >>> found = bulk.oracle_labels(
    ...     ["it rained\npolice killed him\nhe was the gunman"], ["police killed the gunman"]
    ... )
    >>> found.labels[0].tolist(), found.mask(0).tolist()
    ([1, 2], [0, 1, 1])
    """
    if rule not in ALL_RULES:
        raise OptionError(f"rule: found {rule!r}, expected one of {', '.join(ALL_RULES)}")
    if isinstance(take, bool) or not isinstance(take, int | np.integer) or take < 0:
        raise OptionError(f"take: found {take!r}, expected a whole number from 0 on")
    known = {PRESUMM: [], **{key: ["stem"] for key in LCS_RULES}}.get(rule, WORD_OPTIONS)
    checked = read_options(f"rule={rule!r}", options, known)
    texts = read_lists(("documents", "summaries"), documents, summaries)
    choose = partial(_choose, int(take), rule, checked)
    return OracleLabels(in_batches(choose, texts, checked), texts[0])


def _choose(take: int, rule: str, options: Options, texts: TwoLists) -> Selections:
    if rule in LCS_RULES:
        return _choose_by_lcs(take, LCS_RULES[rule], options, texts)
    n_documents = len(texts[0])
    if rule == PRESUMM:
        readers = presumm_document, presumm_summary
        lines = [
            read(lines_of(text, newline=""))
            for pair in zip(*texts, strict=True)
            for read, text in zip(readers, pair, strict=True)
        ]
        columns, n_types = split_texts(lines, np.arange(0, len(lines) + 1, 2))
    else:
        columns, n_types = tokenized(texts, options)
    peers = np.arange(0, 2 * n_documents, 2)
    pairs = TextPairs(columns, peers, columns, peers + 1, n_types)
    starts = np.arange(n_documents + 1)
    return choose_sentences(pairs, compiled_core(), starts, take, SELECTION_RULES[rule])


def _choose_by_lcs(take: int, metric: str, options: Options, lists: TwoLists) -> Selections:
    """Select sentences by rouge-score's LCS: in each round, one sentence of every document."""
    protocol = PROTOCOLS["rouge-score"].with_options({"use_stemmer": options.texts.stem})
    counted = counted_of(protocol)[metric]
    # Documents and summaries alternate in the columns: document d is text 2d, its summary 2d + 1.
    documents = lists[0]
    texts = list(map(lines_of, chain.from_iterable(zip(*lists, strict=True))))
    columns, n_types = read_columns(counted.text, texts, np.zeros(len(texts), np.bool_))
    left = [list(range(count_sentences(document))) for document in documents]
    shape = len(documents), min(take, max(map(len, left), default=0))
    order, gains = np.zeros(shape, np.int64), np.zeros(shape)
    counts = np.zeros(len(documents), np.int64)
    active = list(range(len(documents)))
    for n_taken in range(shape[1]):
        active = [number for number in active if left[number]]
        if not active:
            break
        # One candidate per sentence that is left: the selection with it, in text order.
        firsts, n_rows = columns.text_offsets[:-1:2].tolist(), [len(left[n]) for n in active]
        rows = [
            [firsts[number] + place for place in sorted([*taken, candidate])]
            for number, taken in zip(active, order[active, :n_taken].tolist(), strict=True)
            for candidate in left[number]
        ]
        pairs = _candidates(columns, n_types, rows, np.repeat(active, n_rows) * 2 + 1)
        hits, ends = counted.measure.counts(pairs), np.arange(len(rows) + 1)
        f = score_columns(protocol.scores, counted.measure, hits, ends)[2]
        growing = []
        for number, scores in zip(active, np.split(f, np.cumsum(n_rows)[:-1]), strict=True):
            best = int(scores.argmax())
            if scores[best] > (gains[number, n_taken - 1] if n_taken else 0.0):
                order[number, n_taken] = left[number].pop(best)
                gains[number, n_taken] = scores[best]
                growing.append(number)
        # A document is finished once no candidate raises its score.
        active = growing
        counts[active] += 1
    return order, gains, counts


def _candidates(
    columns: TextColumns, n_types: int, rows: list[list[int]], summaries: NDArray[np.int64]
) -> ProtocolPairs:
    """Pair candidates, all with the same number of sentences, with their summaries."""
    # To be taken one by one, each sentence becomes a text by itself.
    alone = TextColumns(
        columns.types, columns.sentence_offsets, np.arange(columns.sentence_offsets.size)
    )
    of_rows = np.array(rows, np.int64)
    sentences = alone.take(of_rows.ravel())
    offsets = np.arange(len(rows) + 1) * of_rows.shape[1]
    peers = TextColumns(sentences.types, sentences.sentence_offsets, offsets)
    both = joined_columns([peers, columns])
    return ProtocolPairs(both, np.arange(len(rows)), summaries + len(rows), n_types)


# Source statistics.


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
