"""ROUGE-BE, worked by hand: modes, the absent field, stems."""

import pytest

from rouge_cli.metrics.basic_elements import RougeBE, element_units
from rouge_cli.metrics.paired_texts import Element, Text, TextPair
from tests.unit.metrics.pairs import triple

MODEL: list[Element] = [(b"cat", b"nil", b"nil"), (b"dog", b"big", b"mod"), (b"sat", b"on", b"nil")]
PEER: list[Element] = [(b"cat", b"nil", b"det"), (b"dog", b"big", b"nn")]


@pytest.mark.parametrize(
    ("mode", "model_units", "peer_units", "hit"),
    [
        # Head, where the modifier is nil.
        ("H", [(b"cat",)], [(b"cat",)], 1),
        # Head and modifier, where there is a modifier.
        ("HM", [(b"dog", b"big"), (b"sat", b"on")], [(b"dog", b"big")], 1),
        # All three, where there is a relation.
        ("HMR", [MODEL[1]], PEER, 0),
        # Head and modifier, always.
        ("HM1", [element[:2] for element in MODEL], [element[:2] for element in PEER], 2),
        # All three, where there is a modifier.
        ("HMR1", MODEL[1:], PEER[1:], 0),
        # All three, always.
        ("HMR2", MODEL, PEER, 0),
    ],
)
def test_modes(
    mode: str, model_units: list[tuple[bytes, ...]], peer_units: list[tuple[bytes, ...]], hit: int
) -> None:
    models, peers = element_units(MODEL, mode, None), element_units(PEER, mode, None)
    assert (models, peers) == (model_units, peer_units)
    assert count(peers, models, mode) == (hit, len(model_units), len(peer_units))


def count(
    peer: list[tuple[bytes, ...]], model: list[tuple[bytes, ...]], mode: str
) -> tuple[float, float, float]:
    """Return hit, model count and peer count of units."""
    (counts,) = RougeBE(mode).count_pair(TextPair.of(Text([], peer), Text([], model)))
    return triple(counts)


def test_units_are_clipped() -> None:
    # a twice in the peer, once in the model: 1; b is not in the model. And the other way round.
    assert count([(b"a",), (b"a",), (b"b",)], [(b"a",)], "H") == (1, 1, 3)
    assert count([(b"a",)], [(b"a",), (b"a",), (b"b",)], "H") == (1, 3, 1)
    assert count([], [], "H") == (0, 0, 0)


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        pytest.param(b"cats", b"cat", id="one word"),
        pytest.param(b"cats  on mats", b"cat on mat", id="word by word"),
        # Three bytes: as they are.
        pytest.param(b"dos", b"dos", id="short"),
        # Its words are short, but the field is not.
        pytest.param(b"as is", b"a i", id="short words of a long field"),
        pytest.param(b"cats - ... 3s", b"cat - ... 3", id="words without letter or digit stay"),
        pytest.param(b"....", b"....", id="no word with letter or digit"),
        # Words are split at runs of white space: one at the start is behind an empty word.
        pytest.param(b" \tcats ", b" cat", id="blanks at both ends"),
        pytest.param(b"    ", b"", id="nothing but blanks"),
    ],
)
def test_stems(field: bytes, expected: bytes) -> None:
    def stem(word: bytes) -> bytes:
        return word.removesuffix(b"s")

    # Heads and modifiers are stemmed, relations are not.
    units = element_units([(field, field, b"mods")], "HMR2", stem)
    assert units == [(expected, expected, b"mods")]


def test_nil_is_looked_for_behind_the_stem_but_in_hmr1() -> None:
    # "nils" becomes nil: absent for H and HM; HMR1 looks at the modifier before it is stemmed.
    def stem(word: bytes) -> bytes:
        return word.removesuffix(b"s")

    element: Element = (b"cats", b"nils", b"mod")
    assert element_units([element], "H", stem) == [(b"cat",)]
    assert element_units([element], "HM", stem) == []
    assert element_units([element], "HMR1", stem) == [(b"cat", b"nil", b"mod")]
