"""The engine that carries out the choices of any protocol: texts, counts, scores, means."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import accumulate
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError
from rouge_cli.protocols.averages import average, scores_of
from rouge_cli.protocols.counting import Block, Floats, Measure, measures_of
from rouge_cli.protocols.protocol import Protocol
from rouge_cli.protocols.reading import read_texts
from rouge_cli.protocols.scoring import (
    NOTHING,
    REFUSED,
    ProtocolError,
    Score,
    refused_texts,
    score_columns,
)
from rouge_cli.protocols.texts import Reader
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.stems import Numbers

Texts = str | Sequence[str]

TEXTS_AT_A_TIME = 4_000
"""Texts whose words are in memory together; larger parts are not faster."""


@dataclass(frozen=True, slots=True, eq=False)
class Engine:
    """Scores texts by a protocol.

    Parameters
    ----------
    protocol : Protocol
    measures : tuple of Measure
    reader, sentence_reader : Reader
        For metrics of whole texts, and for those that go sentence by sentence; mostly the same.
    longest : int
        Number of words of the longest n-gram that is counted.
    """

    protocol: Protocol
    measures: tuple[Measure, ...]
    reader: Reader
    sentence_reader: Reader
    longest: int

    def score(self, prediction: str, references: Texts) -> dict[str, Any]:
        """Return the scores of one text, as the package returns them; raises as `scores` does."""
        choices = self.protocol.scores
        peer, models = _text(prediction, "prediction"), _listed(references, "references")
        scores, errors = self.scores([peer], [models])
        _raise_first(errors)
        return {
            key: scores_of(Score(*table[:, 0].tolist()), choices, choices.scale)
            for key, table in scores.items()
        }

    def scores(
        self, predictions: Sequence[str], references: Sequence[Sequence[str]]
    ) -> tuple[dict[str, Floats], dict[int, ProtocolError]]:
        """Return the scores of texts, not yet scaled, and the exceptions that the package raises.

        By metric precision, recall and F, shape (3, n_texts); what stands there for a text with an
        exception has no meaning. Raises InputError where the package takes another number of
        references.
        """
        choices = self.protocol.scores
        if not all(references):
            _refuse_nothing(choices.without_references, "references: empty, expected texts")
        most = max(map(len, references), default=0)
        if choices.references == "single" and most > 1:
            raise InputError(
                f"{self.protocol.name} takes one reference for each text; found {most}"
            )
        parts: list[dict[str, Floats]] = []
        errors: dict[int, ProtocolError] = {}
        n_before = 0
        for peers, models in zip(_in_parts(predictions), _in_parts(references), strict=True):
            scores, errors_of_part = self._scores(peers, models)
            parts.append(scores)
            errors |= {n_before + text: error for text, error in errors_of_part.items()}
            n_before += len(peers)
        joined = {
            measure.key: np.concatenate(
                [np.empty((3, 0)), *(part[measure.key] for part in parts)], 1
            )
            for measure in self.measures
        }
        return joined, errors

    def _scores(
        self, predictions: Sequence[str], references: Sequence[Sequence[str]]
    ) -> tuple[dict[str, Floats], dict[int, ProtocolError]]:
        """Score some texts together."""
        numbers: Numbers[tuple[str, bool]] = Numbers()
        peers = [numbers[text, False] for text in predictions]
        models = [numbers[text, True] for texts in references for text in texts]
        n_references = list(map(len, references))
        ends = np.array([0, *accumulate(n_references)], np.int64)
        sides = np.repeat(np.array(peers, np.int64), n_references), np.array(models, np.int64)
        block = by_sentence = self._block(self.reader, numbers, sides)
        if self.sentence_reader is not self.reader:
            by_sentence = self._block(self.sentence_reader, numbers, sides)
        errors = self._refused(block, numbers, peers, models, ends)
        scores: dict[str, Floats] = {}
        for measure in self.measures:
            of_measure = by_sentence if measure.reads_sentences else block
            scores[measure.key], raised = score_columns(
                self.protocol.scores,
                measure,
                of_measure.counts(measure),
                ends,
                partial(of_measure.count_pair, measure),
            )
            # As packages do, this divides by counts of 0 and raises lengths to any power.
            for text, error in raised.items():
                errors.setdefault(
                    text, ProtocolError(type(error).__name__, f"{measure.key}: {error}")
                )
        return scores, errors

    def _block(
        self,
        reader: Reader,
        texts: Mapping[tuple[str, bool], int],
        sides: tuple[NDArray[np.int64], NDArray[np.int64]],
    ) -> Block:
        """Read texts, each with whether it is a reference, and pair them."""
        is_reference = np.array([kind for _, kind in texts], np.bool_)
        read = read_texts(reader, [text for text, _ in texts])
        columns, n_types = read.changed(reader.choices, is_reference)
        return Block(columns, *sides, n_types)

    def _refused(
        self,
        block: Block,
        texts: Mapping[tuple[str, bool], int],
        peers: Sequence[int],
        models: Sequence[int],
        ends: NDArray[np.int64],
    ) -> dict[int, ProtocolError]:
        """Return the exceptions that the package raises on some predictions or references."""
        choices = self.protocol.scores
        raw = [text for text, _ in texts]
        is_refused, reason = refused_texts(choices, self.longest, raw, block.columns.token_counts)
        if not is_refused.any():
            return {}
        before = np.concatenate(([0], np.cumsum(is_refused[list(models)])))
        has_refused = is_refused[list(peers)] | (before[ends[1:]] > before[ends[:-1]])
        return {
            text: ProtocolError(choices.error, reason)
            for text in np.flatnonzero(has_refused).tolist()
        }

    def corpus(self, predictions: Sequence[str], references: Sequence[Texts]) -> dict[str, Any]:
        """Return what the package reports for many texts; raises as `scores` does."""
        choices = self.protocol.means
        peers, models = _paired(predictions, references)
        if choices.drops_empty:
            pairs = zip(peers, models, strict=True)
            kept = [(text, texts) for text, texts in pairs if text and all(texts)]
            peers, models = [text for text, _ in kept], [texts for _, texts in kept]
        if not peers:
            _refuse_nothing(choices.without_texts, "predictions: empty, expected texts")
            return {}
        scores, errors = self.scores(peers, models)
        _raise_first(errors)
        return average(choices, self.protocol.scores, self.measures, scores)


Item = TypeVar("Item")


def _in_parts(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """Yield items in parts that are scored together."""
    for first in range(0, len(items), TEXTS_AT_A_TIME):
        yield items[first : first + TEXTS_AT_A_TIME]


def _raise_first(errors: Mapping[int, ProtocolError]) -> None:
    """Raise the exception of the first text that has one."""
    if errors:
        raise errors[min(errors)]


@lru_cache(maxsize=64)
def engine_of(protocol: Protocol) -> Engine:
    """Return the engine of a protocol; raises OptionError if a metric is none."""
    measures = measures_of(protocol.counts)
    reads_sentences = [measure.reads_sentences for measure in measures]
    # Where no metric reads whole texts, the dictionary of a language need not be there.
    whole = protocol.text.of_metric(reads_sentences=all(reads_sentences))
    by_sentence = protocol.text.of_metric(reads_sentences=True)
    reader = sentence_reader = Reader(whole, any(reads_sentences))
    if by_sentence != whole:
        sentence_reader = Reader(by_sentence, any(reads_sentences))
    longest = max((measure.order for measure in measures), default=0)
    return Engine(protocol, measures, reader, sentence_reader, longest)


def _refuse_nothing(choice: str, message: str) -> None:
    """Raise the exception that the package raises without texts, if it raises one."""
    if choice == REFUSED:
        raise InputError(message)
    if choice != NOTHING:
        raise ProtocolError(choice, message)


def _paired(
    predictions: Sequence[str], references: Sequence[Texts]
) -> tuple[list[str], list[list[str]]]:
    """Return texts and lists of references, equally many; raises InputError."""
    peers = [_text(text, f"predictions[{i}]") for i, text in enumerate(_several(predictions))]
    models = [_listed(texts, f"references[{i}]") for i, texts in enumerate(_several(references))]
    if len(peers) != len(models):
        raise InputError(
            f"{len(peers)} predictions but references for {len(models)}; expected equally many"
        )
    return peers, models


def _several(texts: Any) -> list[Any]:
    """Return texts as a list; raises InputError for a single string."""
    if isinstance(texts, str | bytes | Mapping):
        raise InputError(
            f"found {type(texts).__name__}, expected a list with an item for each text"
        )
    return list(texts)


def _listed(texts: Any, name: str) -> list[str]:
    """Return references as a list; a string is one."""
    if isinstance(texts, str):
        return [texts]
    if not isinstance(texts, Sequence) or isinstance(texts, bytes):
        raise InputError(f"{name}: found {type(texts).__name__}, expected a string or a list")
    return [_text(text, f"{name}[{i}]") for i, text in enumerate(texts)]


def _text(text: Any, name: str) -> str:
    """Return a text, or raise InputError."""
    if not isinstance(text, str):
        raise InputError(f"{name}: found {type(text).__name__}, expected a string")
    return text
