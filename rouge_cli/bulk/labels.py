"""Labels for extractive summarisation: the sentences that a greedy oracle selects."""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.bulk.documents import (
    WORD_OPTIONS,
    count_sentences,
    in_batches,
    lines_of,
    pair_numbers,
    read_lists,
    read_options,
    tokenized,
)
from rouge_cli.core import compiled_core
from rouge_cli.errors import OptionError
from rouge_cli.metrics.lcs import count_text_lcs, count_union_lcs, lcs_hits, text_lcs_hits
from rouge_cli.metrics.paired_texts import TextPair, TextPairs
from rouge_cli.metrics.sources import (
    PRESUMM,
    SELECTION_RULES,
    Selections,
    choose_sentences,
    presumm_document,
    presumm_summary,
)
from rouge_cli.options.options import Options
from rouge_cli.protocols.reading import read_columns
from rouge_cli.protocols.texts import Stems, TextChoices
from rouge_cli.text.ascii155 import split_texts
from rouge_cli.text.columns import TextColumns

if TYPE_CHECKING:
    from rouge_cli.inputs.source import Text

LSUM, LCS = "lsum", "l"
ALL_RULES = (*SELECTION_RULES, LSUM, LCS)


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
    that leads to the highest score, the first of equals.

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
    known = {PRESUMM: [], LSUM: ["stem"], LCS: ["stem"]}.get(rule, WORD_OPTIONS)
    checked = read_options(f"rule={rule!r}", options, known)
    sources, targets = read_lists(("documents", "summaries"), documents, summaries)
    choose = partial(_choose, int(take), rule, checked)
    return OracleLabels(in_batches(choose, sources, targets, checked), sources)


def _choose(
    take: int,
    rule: str,
    options: Options,
    documents: Sequence[Any],
    summaries: Sequence[Any],
) -> Selections:
    """Choose the sentences of a batch of documents."""
    if rule not in SELECTION_RULES:
        return _choose_by_lcs(take, rule, options, documents, summaries)
    if rule == PRESUMM:
        texts = [
            text
            for document, summary in zip(documents, summaries, strict=True)
            for text in (
                presumm_document(lines_of(document, newline="")),
                presumm_summary(lines_of(summary, newline="")),
            )
        ]
        columns, n_types = split_texts(texts, np.arange(0, len(texts) + 1, 2))
    else:
        columns, n_types = tokenized(documents, summaries, options)
    peers, models = pair_numbers(len(documents))
    pairs = TextPairs(columns, peers, columns, models, n_types)
    starts = np.arange(len(documents) + 1)
    return choose_sentences(pairs, compiled_core(), starts, take, SELECTION_RULES[rule])


def _choose_by_lcs(
    take: int,
    rule: str,
    options: Options,
    documents: Sequence[Any],
    summaries: Sequence[Any],
) -> Selections:
    """Select sentences by rouge-score's LCS: in each round, one sentence of every document."""
    columns, n_types = _as_rouge_score(documents, summaries, options)
    # Documents and summaries alternate in the columns: document d is text 2d, its summary 2d + 1.
    firsts = columns.text_offsets[:-1:2].tolist()
    left = [list(range(count_sentences(document))) for document in documents]
    order: list[list[int]] = [[] for _ in documents]
    gains: list[list[float]] = [[] for _ in documents]
    active = list(range(len(documents)))
    for _ in range(take):
        active = [number for number in active if left[number]]
        if not active:
            break
        # One candidate per sentence that is left: the selection with it, in text order.
        rows = [
            [firsts[number] + place for place in sorted([*order[number], candidate])]
            for number in active
            for candidate in left[number]
        ]
        n_rows = [len(left[number]) for number in active]
        pairs = _candidates(columns, n_types, rows, np.repeat(active, n_rows) * 2 + 1)
        of_rows = np.split(_f_scores(pairs, rule), np.cumsum(n_rows)[:-1])
        scores = dict(zip(active, of_rows, strict=True))
        best = {number: int(scores[number].argmax()) for number in active}
        # A document is finished once no candidate raises its score.
        active = [
            number
            for number in active
            if scores[number][best[number]] > (gains[number][-1] if gains[number] else 0.0)
        ]
        for number in active:
            order[number].append(left[number].pop(best[number]))
            gains[number].append(float(scores[number][best[number]]))
    return _as_selections(order, gains)


def _as_rouge_score(
    documents: Sequence[Any], summaries: Sequence[Any], options: Options
) -> tuple[TextColumns, int]:
    """Read each document, followed by its summary, as rouge-score reads them."""
    stems: Stems = "porter" if options.texts.stem else "none"
    choices = TextChoices(sentences="newline", case="lower", words="ascii", stems=stems)
    in_turn = chain.from_iterable(zip(documents, summaries, strict=True))
    texts = list(map(lines_of, in_turn))
    columns, n_types = read_columns(choices, texts, np.zeros(len(texts), np.bool_))
    return columns, max(n_types, 1)


def _candidates(
    columns: TextColumns, n_types: int, rows: list[list[int]], summaries: NDArray[np.int64]
) -> TextPairs:
    """Pair candidates, all with the same number of sentences, with their summaries."""
    # To be taken one by one, each sentence becomes a text by itself.
    alone = TextColumns(
        columns.types, columns.sentence_offsets, np.arange(columns.sentence_offsets.size)
    )
    of_rows = np.array(rows, np.int64)
    sentences = alone.take(of_rows.ravel())
    offsets = np.arange(len(rows) + 1) * of_rows.shape[1]
    peers = TextColumns(sentences.types, sentences.sentence_offsets, offsets)
    return TextPairs(peers, np.arange(len(rows)), columns, summaries, n_types)


def _f_scores(pairs: TextPairs, rule: str) -> NDArray[np.float64]:
    """Return F of each pair, computed in rouge-score's order of operations."""
    core = compiled_core()
    if core is not None:
        hits = (lcs_hits(pairs, pairs) if rule == LSUM else text_lcs_hits(pairs)) * 1.0
    else:
        hits = np.array([
            count_union_lcs(TextPair.of(peer, model)).hit
            if rule == LSUM
            else count_text_lcs(peer.tokens, model.tokens).hit
            for peer, model in pairs.texts()
        ], np.float64)  # fmt: skip
    precision = hits / np.maximum(pairs.peer_counts, 1)
    recall = hits / np.maximum(pairs.model_counts, 1)
    total = precision + recall
    f: NDArray[np.float64] = (2 * precision * recall) / np.where(total > 0, total, 1.0)
    return f


def _as_selections(order: list[list[int]], gains: list[list[float]]) -> Selections:
    counts = np.array(list(map(len, order)), np.int64)
    shape = len(order), int(counts.max(initial=0))
    table, scores = np.zeros(shape, np.int64), np.zeros(shape)
    for number, (places, values) in enumerate(zip(order, gains, strict=True)):
        table[number, : len(places)], scores[number, : len(places)] = places, values
    return table, scores, counts
