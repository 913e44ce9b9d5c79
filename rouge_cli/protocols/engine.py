"""The engine that carries out the choices of any protocol: texts, counts, scores, means."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any, TypeVar

from rouge_cli.errors import InputError
from rouge_cli.metrics.paired_texts import Text
from rouge_cli.protocols.averages import average, scores_of
from rouge_cli.protocols.counting import Block, Measure, measures_of
from rouge_cli.protocols.protocol import Protocol
from rouge_cli.protocols.scoring import (
    NOTHING,
    REFUSED,
    ProtocolError,
    Score,
    check_texts,
    score_measure,
)
from rouge_cli.protocols.texts import Reader
from rouge_cli.quick_dataclass import dataclass

Texts = str | Sequence[str]
Scores = dict[str, Score]
"""Precision, recall and F of a text by the names of the metrics."""

TEXTS_AT_A_TIME = 1_000
"""Their words are in memory together; more at a time are not faster."""


@dataclass(frozen=True, slots=True, eq=False)
class Engine:
    """Scores texts by a protocol.

    Parameters
    ----------
    protocol : Protocol
    measures : tuple of Measure
    reader : Reader
    longest : int
        Number of words of the longest n-gram that is counted.
    """

    protocol: Protocol
    measures: tuple[Measure, ...]
    reader: Reader
    longest: int

    def score(self, prediction: str, references: Texts) -> dict[str, Any]:
        """Return the scores of one text, as the package returns them; raises as `scores` does."""
        choices = self.protocol.scores
        peer, models = _text(prediction, "prediction"), _listed(references, "references")
        scores = _or_raise(self.scores([peer], [models]))[0]
        return {key: scores_of(score, choices, choices.scale) for key, score in scores.items()}

    def scores(
        self, predictions: Sequence[str], references: Sequence[Sequence[str]]
    ) -> "list[Scores | ProtocolError]":
        """Return precision, recall and F of each text in each metric, not yet scaled.

        Where the package raises an exception, it stands in place of the scores. Raises InputError
        where the package takes another number of references.
        """
        choices = self.protocol.scores
        if not all(references):
            _refuse_nothing(choices.without_references, "references: empty, expected texts")
        most = max(map(len, references), default=0)
        if choices.references == "single" and most > 1:
            raise InputError(
                f"{self.protocol.name} takes one reference for each text; found {most}"
            )
        scores: list[Scores | ProtocolError] = []
        for peers, models in zip(_in_parts(predictions), _in_parts(references), strict=True):
            scores += self._scores(peers, models)
        return scores

    def _scores(
        self, predictions: Sequence[str], references: Sequence[Sequence[str]]
    ) -> "list[Scores | ProtocolError]":
        """Score some texts together."""
        choices, read = self.protocol.scores, _ReadOnce(self.reader)
        errors: dict[int, ProtocolError] = {}
        pairs: list[tuple[int, int]] = []
        for text, (prediction, models) in enumerate(zip(predictions, references, strict=True)):
            numbers = [read.number(prediction, is_reference=False)]
            numbers += [read.number(model, is_reference=True) for model in models]
            try:
                texts = [read.texts[number] for number in numbers]
                check_texts(choices, self.longest, [prediction, *models], texts)
            except ProtocolError as error:
                errors[text] = error
            pairs += [(numbers[0], model) for model in numbers[1:]]
        block = Block(read.texts, pairs)
        ends = [0, *accumulate(map(len, references))]
        rows: list[Scores] = [{} for _ in predictions]
        for measure in self.measures:
            counts = block.counts(measure)
            for text, (first, end) in enumerate(pairwise(ends)):
                if text in errors:
                    continue
                try:
                    rows[text][measure.key] = score_measure(choices, measure, counts(first, end))
                except ArithmeticError as error:
                    # Packages divide by counts of 0 and raise lengths to any power, and so do we.
                    name = type(error).__name__
                    errors[text] = ProtocolError(name, f"{measure.key}: {error}")
        return [errors.get(text, row) for text, row in enumerate(rows)]

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
        scores = _or_raise(self.scores(peers, models))
        by_key = {measure.key: [text[measure.key] for text in scores] for measure in self.measures}
        return average(choices, self.protocol.scores, self.measures, by_key)


class _ReadOnce:
    """Texts of a block, each read once in each of its two parts: models stand for many systems."""

    def __init__(self, reader: Reader) -> None:
        self.texts: list[Text] = []
        self._reader = reader
        self._numbers: dict[tuple[str, bool], int] = {}

    def number(self, text: str, *, is_reference: bool) -> int:
        """Return the place of a text in `texts`."""
        number = self._numbers.setdefault((text, is_reference), len(self.texts))
        if number == len(self.texts):
            self.texts.append(self._reader.read(text, is_reference=is_reference))
        return number


Item = TypeVar("Item")


def _in_parts(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """Yield items in parts that are scored together."""
    for first in range(0, len(items), TEXTS_AT_A_TIME):
        yield items[first : first + TEXTS_AT_A_TIME]


def _or_raise(scores: "Sequence[Scores | ProtocolError]") -> "list[Scores]":
    """Return scores, or raise the first exception among them."""
    for row in scores:
        if isinstance(row, ProtocolError):
            raise row
    return [row for row in scores if not isinstance(row, ProtocolError)]


@lru_cache(maxsize=64)
def engine_of(protocol: Protocol) -> Engine:
    """Return the engine of a protocol; raises OptionError if a metric is none."""
    measures = measures_of(protocol.counts)
    reader = Reader(protocol.text, any(measure.reads_sentences for measure in measures))
    longest = max((measure.order for measure in measures), default=0)
    return Engine(protocol, measures, reader, longest)


def _refuse_nothing(choice: str, message: str) -> None:
    """Raise what the lack of texts gives, unless it gives nothing."""
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
    """Return what stands for many texts as a list; raises InputError for a lone one."""
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
