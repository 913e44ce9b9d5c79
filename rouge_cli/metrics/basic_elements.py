"""ROUGE-BE: Basic Elements (head, modifier, relation) as multisets.

Source: specification, section 5, "BE".
"""

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.formulas import CountedMetric
from rouge_cli.metrics.marks import Marks, SeenTexts, Units, spread
from rouge_cli.metrics.matching import Join, join_keys
from rouge_cli.metrics.paired_texts import Element, PairedTexts, Reading
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import TextColumns

__all__ = ["RougeBE", "count_basic_elements", "element_units"]

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
    def asked_for(cls, options: MetricOptions) -> "RougeBE | None":
        """Return the metric if the options ask for it."""
        return None if options.basic_elements is None else cls(options.basic_elements)

    @property
    def names(self) -> tuple[str, ...]:
        """The name of the metric."""
        return (f"ROUGE-BE-{self.mode}",)

    @property
    def signature(self) -> tuple[str, ...]:
        """The mode."""
        return (f"be:{self.mode}",)

    def count(self, texts: PairedTexts) -> list[Counts]:
        """Count the hits of each pair."""
        return [count_basic_elements(*self._units(texts))]

    def marks(self, texts: PairedTexts) -> list[Marks]:
        """Return what matches in each pair."""
        peers, models = self._units(texts)
        join, pairs = _matched(peers, models)
        found = Units.of_join(
            join, pairs, spread(join.peer_members, 1), spread(join.model_members, 1)
        )
        counts = count_basic_elements(peers, models)
        return [Marks(counts, _seen(peers), _seen(models), (found,))]

    def _units(self, texts: PairedTexts) -> tuple[list[list[Unit]], list[list[Unit]]]:
        """Return what is counted of each peer, and of each model."""
        elements = texts.texts.elements
        peer_stem, model_stem = texts.stems(self.reading)
        return (
            [element_units(elements[k], self.mode, peer_stem) for k in texts.peers.tolist()],
            [element_units(elements[k], self.mode, model_stem) for k in texts.models.tolist()],
        )


def _seen(texts: Sequence[Sequence[Unit]]) -> SeenTexts:
    """Return units as words, each in a sentence of its own."""
    numbers: dict[Unit, int] = {}
    types = [numbers.setdefault(unit, len(numbers)) for units in texts for unit in units]
    columns = TextColumns(
        np.array(types, np.int32), np.arange(len(types) + 1), np.cumsum([0, *map(len, texts)])
    )
    return SeenTexts(columns, list(map(b"|".join, numbers)))


def element_units(
    elements: Iterable[Element], mode: str, stem: Callable[[bytes], bytes] | None
) -> list[Unit]:
    """Return what is counted of the elements of one text.

    Parameters
    ----------
    mode : str
        ``"H"``, ``"HM"``, ``"HMR"``, ``"HM1"``, ``"HMR1"`` or ``"HMR2"``.
    stem : callable or None
        From a word to its stem; None leaves heads and modifiers as they are.
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


def count_basic_elements(
    peers: Sequence[Sequence[Unit]], models: Sequence[Sequence[Unit]]
) -> Counts:
    """Count the units of each pair that match.

    Parameters
    ----------
    peers, models : sequence of sequence of Unit
        Text ``p`` of the one and text ``p`` of the other are pair ``p``.
    """
    join, pairs = _matched(peers, models)
    return Counts(
        np.bincount(pairs, join.hits, len(peers)).astype(np.int64),
        np.array([len(units) for units in models], np.int64),
        np.array([len(units) for units in peers], np.int64),
    )


def _matched(
    peers: Sequence[Sequence[Unit]], models: Sequence[Sequence[Unit]]
) -> tuple[Join, NDArray[np.int64]]:
    """Match the units of each pair; return the groups, and the pair of each."""
    numbers: dict[tuple[int, Unit], int] = {}
    pairs: list[int] = []
    sides: list[NDArray[np.int64]] = []
    for texts in (peers, models):
        keys = []
        for pair, units in enumerate(texts):
            for unit in units:
                keys.append(numbers.setdefault((pair, unit), len(numbers)))
                if len(numbers) > len(pairs):
                    pairs.append(pair)
        sides.append(np.array(keys, np.int64))
    join = join_keys(sides[0], sides[1])
    return join, np.array(pairs, np.int64)[join.keys]


def _stemmed(field: bytes, stem: Callable[[bytes], bytes] | None) -> bytes:
    """Stem a head or modifier of more than 3 bytes word by word; other words are dropped."""
    if stem is None or len(field) < SHORTEST_STEMMED:
        return field
    words = (word for word in field.split() if not TOKEN_BYTES.isdisjoint(word))
    return b" ".join(map(stem, words))
