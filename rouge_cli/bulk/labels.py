"""Labels for extractive summarisation: the sentences that a greedy oracle selects."""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.bulk.documents import (
    WORD_OPTIONS,
    TwoLists,
    count_sentences,
    in_batches,
    lines_of,
    read_lists,
    read_options,
    tokenized,
)
from rouge_cli.bulk.texts import joined_columns
from rouge_cli.core import compiled_core
from rouge_cli.errors import OptionError
from rouge_cli.metrics import sources
from rouge_cli.metrics.paired_texts import TextPairs
from rouge_cli.options.options import Options
from rouge_cli.protocols.catalogue import PROTOCOLS
from rouge_cli.protocols.counting import ProtocolPairs
from rouge_cli.protocols.engine import counted_of
from rouge_cli.protocols.reading import read_columns
from rouge_cli.protocols.scoring import score_columns
from rouge_cli.text.ascii155 import split_texts
from rouge_cli.text.columns import TextColumns

if TYPE_CHECKING:
    from rouge_cli.inputs.source import Text

LCS_RULES = {"lsum": "rougeLsum", "l": "rougeL"}
"""The rules that select by the LCS, each with the metric of rouge-score that it uses."""

ALL_RULES = (*sources.SELECTION_RULES, *LCS_RULES)


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

    def __init__(self, selections: Iterable[sources.Selections], documents: Sequence[Any]) -> None:
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
    known = {sources.PRESUMM: [], **{key: ["stem"] for key in LCS_RULES}}.get(rule, WORD_OPTIONS)
    checked = read_options(f"rule={rule!r}", options, known)
    texts = read_lists(("documents", "summaries"), documents, summaries)
    choose = partial(_choose, int(take), rule, checked)
    return OracleLabels(in_batches(choose, texts, checked), texts[0])


def _choose(take: int, rule: str, options: Options, texts: TwoLists) -> sources.Selections:
    """Choose the sentences of a batch of documents."""
    if rule in LCS_RULES:
        return _choose_by_lcs(take, LCS_RULES[rule], options, texts)
    n_documents = len(texts[0])
    if rule == sources.PRESUMM:
        lines = [
            read(lines_of(text, newline=""))
            for pair in zip(*texts, strict=True)
            for read, text in zip(
                (sources.presumm_document, sources.presumm_summary), pair, strict=True
            )
        ]
        columns, n_types = split_texts(lines, np.arange(0, len(lines) + 1, 2))
    else:
        columns, n_types = tokenized(texts, options)
    peers = np.arange(0, 2 * n_documents, 2)
    pairs = TextPairs(columns, peers, columns, peers + 1, n_types)
    starts = np.arange(n_documents + 1)
    return sources.choose_sentences(
        pairs, compiled_core(), starts, take, sources.SELECTION_RULES[rule]
    )


def _choose_by_lcs(take: int, metric: str, options: Options, lists: TwoLists) -> sources.Selections:
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
                order[number, n_taken], gains[number, n_taken] = (
                    left[number].pop(best),
                    scores[best],
                )
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
