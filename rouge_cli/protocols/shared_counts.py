"""Counts that several protocols share: each reading of the texts once, each metric of it once.

What protocols choose often makes no difference for the texts at hand: where no text has a newline,
lines are whole texts. Such choices are made equal before anything is counted.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from rouge_cli.protocols.counting import Block, CountChoices, Floats, Measure, measures_of
from rouge_cli.protocols.engine import TEXTS_AT_A_TIME
from rouge_cli.protocols.protocol import Protocol
from rouge_cli.protocols.reading import read_texts
from rouge_cli.protocols.texts import SENTENCES, Reader, TextChoices, stems_of, words_in
from rouge_cli.quick_dataclass import dataclass

Map = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
"""`map`, or a function like it that spreads parts over processes and keeps their order."""


@dataclass(frozen=True, slots=True, eq=False)
class TextPart:
    """Some predictions, and the references of each."""

    predictions: Sequence[str]
    references: Sequence[Sequence[str]]

    @property
    def has_several(self) -> bool:
        """Whether some prediction has several references."""
        return any(len(texts) != 1 for texts in self.references)

    def parts(self) -> list["TextPart"]:
        """Return the texts in parts that are read together."""
        return [
            TextPart(self.predictions[first:end], self.references[first:end])
            for first in range(0, len(self.predictions), TEXTS_AT_A_TIME)
            for end in (first + TEXTS_AT_A_TIME,)
        ]


@dataclass(frozen=True, slots=True)
class Counted:
    """What is counted once for several protocols.

    Parameters
    ----------
    text : TextChoices
    choices : CountChoices
        With the metric as its only one; choices that do not matter for it have their defaults.
    is_swapped : bool
        Whether the predictions are the references.
    """

    text: TextChoices
    choices: CountChoices
    is_swapped: bool

    @property
    def measure(self) -> Measure:
        """The metric, ready to count."""
        return measures_of(self.choices)[0]


_MATTERS = {
    "ROUGE-L": ("union", "backtracking"),
    "ROUGE-L-text": (),
    "ROUGE-W": ("weight", "table_weight", "adds_rises"),
}
_OF_NGRAMS = ("ngrams", "negative_counts")
_UNION = CountChoices(metrics=(("", "ROUGE-L"),))
_WHOLE = CountChoices(metrics=(("", "ROUGE-L-text"),))
_PUNCTUATED = {"ascii", "py-rouge"}
_CHANGED_BY_LOWER = ("\u212a", "\u0130")
"""The Kelvin sign and a dotted I become ASCII letters in small letters."""


class TextFacts:
    """What the texts at hand have, which decides what choices can matter.

    Parameters
    ----------
    part : TextPart
        All texts.
    """

    def __init__(self, part: TextPart) -> None:
        self._texts = [*part.predictions, *(text for texts in part.references for text in texts)]
        self._known: dict[str, bool] = {}
        self.longest = max(map(len, self._texts), default=0)
        self.is_ascii = all(map(str.isascii, self._texts))
        self.is_lowered_plainly = not any(map(self.has, _CHANGED_BY_LOWER))

    def has(self, string: str) -> bool:
        """Say whether any text has a string in it."""
        if string not in self._known:
            self._known[string] = any(string in text for text in self._texts)
        return self._known[string]

    def counted(self, protocol: Protocol, measure: Measure, *, is_swapped: bool) -> Counted:
        """Return what is counted for a metric of a protocol."""
        matters = _MATTERS.get(measure.metric, _OF_NGRAMS if measure.order else ())
        values = {name: getattr(protocol.counts, name) for name in matters}
        reads_sentences = measure.reads_sentences
        text = protocol.text.of_metric(reads_sentences=reads_sentences)
        text = self._plain(text, reads_sentences=reads_sentences)
        choices = CountChoices(metrics=(("", measure.metric),), **values)
        if choices == _UNION and text.sentences == "none":
            # Of two sentences, the union LCS is their LCS, and nothing is left to clip.
            choices = _WHOLE
        return Counted(text, choices, is_swapped)

    def _plain(self, text: TextChoices, *, reads_sentences: bool) -> TextChoices:
        """Return a reading without choices that make no difference for these texts."""
        is_punctuated = text.words in _PUNCTUATED
        changes: dict[str, Any] = {}
        if is_punctuated and self.is_lowered_plainly and text.case == "lower-words":
            changes["case"] = "lower"
        if text.limit >= self.longest:
            changes |= {"limit": 0, "limit_unit": "text-words"}
        replacements = text.replacements
        if is_punctuated and not reads_sentences:
            # Only marks and newlines come and go, which are no words.
            replacements = tuple(pair for pair in replacements if _has_words(*pair))
        changes["replacements"] = tuple(pair for pair in replacements if self.has(pair[0]))
        sentences = text.sentences
        if sentences == "see" and not self.has("<"):
            sentences = "newline"
        # Lines and sentences of Punkt end between words, whatever these are.
        is_line = sentences in {"newline", "punkt"} and text.words != "single-blanks"
        may_have_lines = self.has("\n") or any("\n" in new for _, new in changes["replacements"])
        if is_line and not (reads_sentences and (sentences == "punkt" or may_have_lines)):
            sentences = "none"
        return replace(text, sentences=sentences, **changes)


def _has_words(*texts: str) -> bool:
    """Say whether texts have letters or digits."""
    return any(character.isalnum() for text in texts for character in text)


def count_shared(
    part: TextPart, wanted: Iterable[Counted], map_parts: Map = map
) -> Mapping[Counted, Floats]:
    """Count each of `wanted` once.

    Returns hits, model counts and peer counts of each pair, shape (3, n_pairs), text by text.
    """
    in_order = tuple(dict.fromkeys(wanted))
    for kind in {counted.text.stems for counted in in_order} - {"none"}:
        # Processes that are forked from this one then have the stems already.
        stems_of(kind)
    for counted in in_order:
        words_in(counted.text.words, counted.text.language)
    counts = map_parts(partial(_count_part, wanted=in_order), part.parts())
    columns = zip(*counts, strict=True)
    return {
        counted: np.concatenate(column, axis=1)
        for counted, column in zip(in_order, columns, strict=True)
    }


def _count_part(part: TextPart, wanted: Sequence[Counted]) -> list[Floats]:
    """Count each of `wanted` in some texts."""
    counter = _Counter(part)
    for reading in dict.fromkeys(counted.text.reading for counted in wanted):
        of_reading = [counted for counted in wanted if counted.text.reading == reading]
        # With the longest n-grams the shorter ones are counted too.
        counter.read(reading, sorted(of_reading, key=lambda counted: -counted.measure.order))
    return [counter.counts[counted] for counted in wanted]


class _Counter:
    """Counts in some texts, the predictions first and their references behind them.

    Attributes
    ----------
    counts : dict of Counted to ndarray, shape (3, n_pairs)
    """

    def __init__(self, part: TextPart) -> None:
        self.counts: dict[Counted, Floats] = {}
        self._raw = [*part.predictions, *(text for texts in part.references for text in texts)]
        n_texts = len(part.predictions)
        owners = np.repeat(np.arange(n_texts), list(map(len, part.references)))
        self._sides = owners, np.arange(n_texts, len(self._raw))
        self._n_predictions = n_texts
        self._lines: list[str] | None = None

    def read(self, reading: TextChoices, wanted: Sequence[Counted]) -> None:
        """Read all texts in one way, and count all metrics that read them so."""
        raw = self._raw
        if reading.sentences == "punkt":
            raw, reading = self._sentences(), replace(reading, sentences="newline")
        read = read_texts(Reader(reading, reads_sentences=True), raw)
        blocks: dict[tuple[TextChoices, bool], Block] = {}
        for counted in wanted:
            key = counted.text, counted.is_swapped
            if key not in blocks:
                is_reference = np.arange(len(raw)) >= self._n_predictions
                peers, models = self._sides
                if counted.is_swapped:
                    is_reference, peers, models = ~is_reference, models, peers
                columns, n_types = read.changed(counted.text, is_reference)
                blocks[key] = Block(columns, peers, models, n_types)
            self.counts[counted] = blocks[key].counts(counted.measure)

    def _sentences(self) -> list[str]:
        """Return the texts with a line for each sentence of Punkt, which takes the longest."""
        if self._lines is None:
            split = SENTENCES["punkt"]
            self._lines = ["\n".join(split(text.replace("\n", " "))) for text in self._raw]
        return self._lines
