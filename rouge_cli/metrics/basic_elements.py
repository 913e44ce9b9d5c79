"""ROUGE-BE: Basic Elements (head, modifier, relation) as multisets.

The mode decides which elements of a text are units, and which of their fields count. A missing
field is "nil".
Source: specification, section 5, "BE".
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cache
from typing import ClassVar

from rouge_cli.metrics.counts import PairCounts
from rouge_cli.metrics.formulas import CountedMetric
from rouge_cli.metrics.marks import PairMarks, SeenTexts
from rouge_cli.metrics.ngrams import matched_units, shared_count
from rouge_cli.metrics.paired_texts import Element, PairedTexts, Reading, Text, TextPair
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.ascii155 import columns_of
from rouge_cli.text.stems import Numbers

Unit = tuple[bytes, ...]
NIL = b"nil"
SHORTEST_STEMMED = 4
TOKEN_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789")


@dataclass(frozen=True, slots=True)
class RougeBE(CountedMetric):
    """ROUGE-BE in one of its modes."""

    mode: str
    reading: ClassVar[Reading] = Reading(stems_models=True, elements=True)

    @classmethod
    def from_options(cls, options: MetricOptions) -> "RougeBE | None":
        """Return the metric with ``-3``."""
        return None if options.basic_elements is None else cls(options.basic_elements)

    @property
    def names(self) -> tuple[str, ...]:
        """The name of the metric."""
        return (f"ROUGE-BE-{self.mode}",)

    @property
    def signature(self) -> tuple[str, ...]:
        """The mode."""
        return (f"be:{self.mode}",)

    def text_pairs(self, texts: PairedTexts) -> Iterator[TextPair]:
        """Yield the units of each pair as its words."""
        peer_stem, model_stem = texts.stems(self.reading)

        @cache
        def unit_text(text: int, stem: Callable[[bytes], bytes] | None) -> Text:
            units = element_units(texts.texts.elements[text], self.mode, stem)
            return Text([[unit] for unit in units], units)

        for peer_text, model_text in zip(texts.peers.tolist(), texts.models.tolist(), strict=True):
            peer, model = unit_text(peer_text, peer_stem), unit_text(model_text, model_stem)
            yield TextPair.of(peer, model)

    def count_pair(self, pair: TextPair) -> list[PairCounts]:
        """Count the units that both texts have."""
        peer, model = pair.peer.tokens, pair.model.tokens
        # No twin in the core, since Python spends most of the time on reading the fields.
        return [PairCounts(shared_count(Counter(peer), Counter(model)), len(model), len(peer))]

    def mark_pair(self, pair: TextPair) -> list[PairMarks]:
        """Mark the units that both texts have."""
        peer, model = (
            ((unit, (position,)) for position, unit in enumerate(text.tokens))
            for text in (pair.peer, pair.model)
        )
        return [PairMarks(matched_units(peer, model))]

    def seen(self, texts: PairedTexts) -> tuple[SeenTexts, SeenTexts]:
        """Return units as words, each in a sentence of its own."""
        pairs = list(self.text_pairs(texts))
        return _seen([pair.peer for pair in pairs]), _seen([pair.model for pair in pairs])


def element_units(
    elements: Iterable[Element], mode: str, stem: Callable[[bytes], bytes] | None
) -> list[Unit]:
    """Return the units of the elements of one text.

    `mode` is ``"H"``, ``"HM"``, ``"HMR"``, ``"HM1"``, ``"HMR1"`` or ``"HMR2"``. `stem` is applied
    to the words of heads and modifiers; None leaves them unstemmed.
    """
    units: list[Unit] = []
    for head, modifier, relation in elements:
        stemmed = _stemmed(head, stem), _stemmed(modifier, stem)
        is_counted = {
            "H": stemmed[1] == NIL,
            "HM": stemmed[1] != NIL,
            "HMR": relation != NIL,
            "HMR1": modifier != NIL,
        }.get(mode, True)
        if is_counted:
            parts: Unit = (*stemmed, relation)
            units.append(parts[: 1 if mode == "H" else 3 if "R" in mode else 2])
    return units


def _stemmed(field: bytes, stem: Callable[[bytes], bytes] | None) -> bytes:
    """Stem a head or modifier of more than 3 bytes word by word.

    Words without a letter or digit are kept, as is the empty word before a leading blank.
    """
    if stem is None or len(field) < SHORTEST_STEMMED:
        return field
    words = field.split()
    if field[:1].isspace():
        words.insert(0, b"")
    return b" ".join([word if TOKEN_BYTES.isdisjoint(word) else stem(word) for word in words])


def _seen(texts: Sequence[Text]) -> SeenTexts:
    numbers: Numbers[Hashable] = Numbers()
    columns = columns_of([text.sentences for text in texts], numbers)
    return SeenTexts(columns, [b"|".join(unit) for unit in numbers])  # type: ignore[arg-type]
