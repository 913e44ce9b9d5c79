"""ROUGE-N, ROUGE-S, ROUGE-SU and Basic Elements (specification, section 5)."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

from .numbers import Number
from .texts import Stem, words

Counts = tuple[Number, Number, Number]
"""hit, model count, peer count."""

NIL = b"nil"

Unit = TypeVar("Unit", bound=Hashable)


def overlap(peer_units: Sequence[Unit], model_units: Sequence[Unit]) -> Counts:
    """Counts of two multisets: each unit hits at most as often as the peer has it."""
    peer_table = table(peer_units)
    model_table = table(model_units)
    hit = 0
    for unit in model_table:
        hit += min(model_table[unit], peer_table.get(unit, 0))
    return hit, len(model_units), len(peer_units)


def table(units: Iterable[Unit]) -> dict[Unit, int]:
    """How often each unit occurs."""
    counts: dict[Unit, int] = {}
    for unit in units:
        counts[unit] = counts.get(unit, 0) + 1
    return counts


def ngram_units(tokens: list[bytes], n: int) -> list[tuple[bytes, ...]]:
    """Every run of ``n`` tokens."""
    return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]


def ngrams(peer_tokens: list[bytes], model_tokens: list[bytes], n: int) -> Counts:
    """ROUGE-N (section 5)."""
    return overlap(ngram_units(peer_tokens, n), ngram_units(model_tokens, n))


def skip_bigram_units(
    tokens: list[bytes], max_gap: int, with_unigrams: bool
) -> list[tuple[bytes, ...]]:
    """Ordered pairs with at most ``max_gap`` tokens between them; negative: no limit.

    With unigrams every token but the last is a unit as well.
    """
    units: list[tuple[bytes, ...]] = []
    for i in range(len(tokens) - 1):
        if with_unigrams:
            units.append((tokens[i],))
        for j in range(i + 1, len(tokens)):
            if max_gap < 0 or j <= i + max_gap + 1:
                units.append((tokens[i], tokens[j]))
    return units


def skip_bigrams(
    peer_tokens: list[bytes], model_tokens: list[bytes], max_gap: int, with_unigrams: bool
) -> Counts:
    """ROUGE-S, or ROUGE-SU with unigrams (section 5)."""
    return overlap(
        skip_bigram_units(peer_tokens, max_gap, with_unigrams),
        skip_bigram_units(model_tokens, max_gap, with_unigrams),
    )


def stem_field(field: bytes, stem: Stem | None) -> bytes:
    """A head or modifier, stemmed word by word if longer than 3 bytes (section 5, BE)."""
    if stem is None or len(field) <= 3:
        return field
    parts = words(field)
    return b" ".join(stem(word) if re.search(rb"[a-z0-9]", word) else word for word in parts)


def element_units(lines: list[bytes], mode: str, stem: Stem | None) -> list[tuple[bytes, ...]]:
    """The units of BE in the given mode: H, HM, HMR, HM1, HMR1, HMR2 (section 5, BE)."""
    units: list[tuple[bytes, ...]] = []
    for line in lines:
        fields = line.lower().split(b"|")
        while fields and fields[-1] == b"":
            fields.pop()
        if len(fields) != 3:
            raise ValueError(f"not HEAD|MODIFIER|RELATION: {line!r}")
        head, modifier, relation = (
            stem_field(fields[0], stem),
            stem_field(fields[1], stem),
            fields[2],
        )
        if mode == "H" and modifier == NIL:
            units.append((head,))
        elif mode == "HM1" or (mode == "HM" and modifier != NIL):
            units.append((head, modifier))
        elif (
            mode == "HMR2"
            or (mode == "HMR" and relation != NIL)
            or (mode == "HMR1" and fields[1] != NIL)
        ):
            units.append((head, modifier, relation))
    return units


def basic_elements(
    peer_lines: list[bytes],
    model_lines: list[bytes],
    mode: str,
    *,
    peer_stem: Stem | None = None,
    model_stem: Stem | None = None,
) -> Counts:
    """Basic Elements (section 5, BE)."""
    return overlap(
        element_units(peer_lines, mode, peer_stem), element_units(model_lines, mode, model_stem)
    )
