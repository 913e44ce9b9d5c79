"""The engine that carries out the choices of any protocol: texts, counts, scores, means."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from rouge_cli.errors import InputError
from rouge_cli.metrics.paired_texts import TextPair
from rouge_cli.protocols.averages import average, scores_of
from rouge_cli.protocols.counting import Measure, measures_of
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
        """Return the scores of one text, as the package returns them."""
        choices = self.protocol.scores
        scores = self.scores(_text(prediction, "prediction"), _listed(references, "references"))
        return {key: scores_of(score, choices, choices.scale) for key, score in scores.items()}

    def scores(self, prediction: str, references: Sequence[str]) -> dict[str, Score]:
        """Return precision, recall and F of one text in each metric, not yet scaled.

        Raises
        ------
        ProtocolError
            If the package raises an exception on these texts.
        InputError
            If the package takes another number of references.
        """
        choices = self.protocol.scores
        if not references:
            _refuse_nothing(choices.without_references, "references: empty, expected texts")
        if choices.references == "single" and len(references) > 1:
            raise InputError(
                f"{self.protocol.name} takes one reference for each text; found {len(references)}"
            )
        peer = self.reader.read(prediction, is_reference=False)
        models = [self.reader.read(text, is_reference=True) for text in references]
        check_texts(choices, self.longest, [prediction, *references], [peer, *models])
        pairs = [TextPair.of(peer, model) for model in models]
        return {measure.key: self._score(measure, pairs) for measure in self.measures}

    def _score(self, measure: Measure, pairs: Sequence[TextPair]) -> Score:
        """Return the scores of one text in one metric."""
        try:
            counts = [measure.count(pair) for pair in pairs]
            return score_measure(self.protocol.scores, measure, counts)
        except ArithmeticError as error:
            # Packages divide by counts of 0 and raise lengths to any power, and so do we.
            raise ProtocolError(type(error).__name__, f"{measure.key}: {error}") from None

    def corpus(self, predictions: Sequence[str], references: Sequence[Texts]) -> dict[str, Any]:
        """Return what the package reports for many texts; raises as `scores` does."""
        choices = self.protocol.means
        pairs = list(zip(*_paired(predictions, references), strict=True))
        if choices.drops_empty:
            pairs = [(text, models) for text, models in pairs if text and all(models)]
        if not pairs:
            _refuse_nothing(choices.without_texts, "predictions: empty, expected texts")
            return {}
        scores = [self.scores(prediction, models) for prediction, models in pairs]
        by_key = {one.key: [text[one.key] for text in scores] for one in self.measures}
        return average(choices, self.protocol.scores, self.measures, by_key)


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
