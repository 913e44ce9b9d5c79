"""ROUGE-BE: Basic Elements (head, modifier, relation) as multisets.

Source: specification, section 5, "BE".
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.joining import join_keys

__all__ = ["Element", "count_basic_elements", "element_units"]

Element = tuple[bytes, bytes, bytes]
"""Head, modifier, relation, in lower case."""

Unit = tuple[bytes, ...]
NIL = b"nil"
SHORTEST_STEMMED = 4
TOKEN_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789")


def element_units(
    elements: Iterable[Element], mode: str, stem: Callable[[bytes], bytes] | None
) -> list[Unit]:
    """Return what is counted of the elements of one text.

    Parameters
    ----------
    elements : iterable of Element
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
    pair_of_group = np.array(pairs, np.int64)[join.keys]
    return Counts(
        np.bincount(pair_of_group, join.hits, len(peers)).astype(np.int64),
        np.array([len(units) for units in models], np.int64),
        np.array([len(units) for units in peers], np.int64),
    )


def _stemmed(field: bytes, stem: Callable[[bytes], bytes] | None) -> bytes:
    """Stem a head or modifier of more than 3 bytes word by word; other words are dropped."""
    if stem is None or len(field) < SHORTEST_STEMMED:
        return field
    words = (word for word in field.split() if not TOKEN_BYTES.isdisjoint(word))
    return b" ".join(map(stem, words))
