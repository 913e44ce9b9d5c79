"""Sentences of a document that are most like its summaries, taken one after the other.

The score of a selection is its F in ROUGE-1 plus its F in ROUGE-2, averaged over the summaries. No
n-gram of a document goes across two sentences. The highest score wins, and of equal ones the first
sentence; the selection ends where no sentence raises the score.

Sources: R. Nallapati, F. Zhai, B. Zhou, SummaRuNNer: A Recurrent Neural Network Based Sequence
Model for Extractive Summarization of Documents, AAAI 2017, section 2.2; Lin (2004) for the counts;
Y. Liu, M. Lapata, Text Summarization with Pretrained Encoders, EMNLP 2019, for `presumm`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import Any, NamedTuple

import numpy as np

from rouge_cli.metrics.arithmetic import Floats, Whole
from rouge_cli.metrics.ngrams import ngrams
from rouge_cli.metrics.paired_texts import Text, TextPairs

# The core has the same orders.
ORDERS = (1, 2)


class SelectionRule(NamedTuple):
    """How a selection is scored.

    Parameters
    ----------
    are_sets : bool
        Whether an n-gram counts once, however often it occurs.
    added : float
        Added to the sum of precision and recall below F. F of 0 is made of counts, 2h / (n + m).
    least_gain : float
        Scores that differ by no more are equal.
    """

    are_sets: bool
    added: float
    least_gain: float

    def f(self, hits: int, n_chosen: int, n_wanted: int) -> float:
        """Return F of a selection with `hits` of `n_wanted` n-grams."""
        if not self.added:
            return 2 * hits / max(n_chosen + n_wanted, 1)
        precision = hits / n_chosen if n_chosen else 0.0
        recall = hits / n_wanted if n_wanted else 0.0
        return 2.0 * ((precision * recall) / (precision + recall + self.added))


CLIPPED, SETS, PRESUMM = "clipped", "sets", "presumm"
RULES: Mapping[str, SelectionRule] = {
    CLIPPED: SelectionRule(are_sets=False, added=0.0, least_gain=1e-12),
    SETS: SelectionRule(are_sets=True, added=0.0, least_gain=1e-12),
    PRESUMM: SelectionRule(are_sets=True, added=1e-8, least_gain=0.0),
}


# Each sentence of a document is a line; characters outside of ASCII are left out before.
DELETED = bytes(byte for byte in range(128) if not chr(byte).isalnum() and chr(byte) not in " \n")


def presumm_document(lines: str) -> bytes:
    """Return a document, a sentence a line, as PreSumm reads it.

    All characters but the ASCII letters and digits and the blank are deleted; the case is kept.
    """
    return lines.encode("ascii", "ignore").translate(None, DELETED)


def presumm_summary(lines: str) -> bytes:
    """Return a summary as PreSumm reads it: as one sentence."""
    return presumm_document(lines.replace("\n", " "))


class Selections(NamedTuple):
    """The sentences taken from some documents.

    Parameters
    ----------
    order : ndarray of int64, shape (n_documents, n_columns)
        Numbers of sentences, in the order in which they were taken.
    gains : ndarray of float64, shape (n_documents, n_columns)
        The score of the selection after each of them.
    counts : ndarray of int64, shape (n_documents,)
        How many were taken. Columns from there on mean nothing.
    """

    order: Whole
    gains: Floats
    counts: Whole


def choose_sentences(
    pairs: TextPairs, core: Any, starts: Whole, take: int, rule: SelectionRule
) -> Selections:
    """Choose at most `take` sentences of each document.

    Parameters
    ----------
    pairs : TextPairs
        Documents as peers, and their summaries as models.
    core : module or None
        None lets the reference choose.
    starts : ndarray of int64, shape (n_documents + 1,)
        The first pair of each document, and the number of pairs.
    """
    n_sentences = np.diff(pairs.peers.text_offsets)[pairs.peer_texts]
    shape = starts.size - 1, min(take, int(n_sentences.max(initial=0)))
    chosen = Selections(
        np.zeros(shape, np.int64), np.zeros(shape), np.zeros(starts.size - 1, np.int64)
    )
    if core is not None:
        core.choose_sentences(pairs.compiled(core), starts, *rule, *chosen)
        return chosen
    texts = pairs.texts()
    for number, (start, end) in enumerate(pairwise(starts.tolist())):
        models = [model for _, model in texts[start:end]]
        steps = islice(chosen_sentences(texts[start][0], models, rule), take)
        for column, step in enumerate(steps):
            chosen.order[number, column], chosen.gains[number, column] = step
            chosen.counts[number] += 1
    return chosen


def chosen_sentences(
    document: Text, summaries: Sequence[Text], rule: SelectionRule
) -> Iterator[tuple[int, float]]:
    """Yield the number of each sentence of a document that is taken, and the score after it."""
    sentences = [_counted(document.sentences, order) for order in ORDERS]
    wanted = [
        [sum(_counted(text.sentences, order), Counter()) for text in summaries] for order in ORDERS
    ]
    chosen: list[Counter[Any]] = [Counter() for _ in ORDERS]
    left = list(range(len(document.sentences)))
    best = 0.0
    while left:
        scores = [
            sum(
                _mean_f(taken + of_order[number], of_summaries, rule)
                for taken, of_order, of_summaries in zip(chosen, sentences, wanted, strict=True)
            )
            for number in left
        ]
        highest = max(scores)
        place = next(i for i, score in enumerate(scores) if score >= highest - rule.least_gain)
        if scores[place] <= best + rule.least_gain:
            return
        best = scores[place]
        for taken, of_order in zip(chosen, sentences, strict=True):
            taken.update(of_order[left[place]])
        yield left.pop(place), best


def _counted(sentences: Sequence[Sequence[Any]], order: int) -> list[Counter[Any]]:
    return [Counter(ngrams(sentence, order)) for sentence in sentences]


def _mean_f(chosen: Counter[Any], summaries: Sequence[Counter[Any]], rule: SelectionRule) -> float:
    n_chosen = len(chosen) if rule.are_sets else chosen.total()
    total = 0.0
    for wanted in summaries:
        hits = len(chosen.keys() & wanted.keys()) if rule.are_sets else (chosen & wanted).total()
        total += rule.f(hits, n_chosen, len(wanted) if rule.are_sets else wanted.total())
    return total / len(summaries)
