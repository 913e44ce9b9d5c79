"""Texts to generate: few words, so that matches, repeats and runs are frequent."""

import random
from collections.abc import Callable

from hypothesis import settings
from hypothesis import strategies as st

Sentence = list[bytes]
Text = list[Sentence]

FEW_WORDS = [b"a", b"b", b"c", b"dd", b"e1"]
# One more and one less than the limits of 64 bits, which hold a row of the LCS table.
EDGE_WIDTHS = [1, 31, 63, 64, 65, 100, 127, 128, 129, 191, 193, 255, 256, 257, 300, 511, 513, 600]

sentences = st.lists(st.sampled_from(FEW_WORDS), max_size=12)
texts = st.lists(sentences, max_size=5)
pairs = st.tuples(texts, texts)


def few(n_examples: int) -> settings:
    """Return settings for tests with a number of examples of their own, as the profile has it."""
    profile = settings.get_current_profile_name()
    return settings(max_examples=int(n_examples * {"search": 10, "quick": 0.15}.get(profile, 1)))


def _uniform(rng: random.Random, n_tokens: int, n_words: int) -> Sentence:
    return [b"%d" % rng.randrange(n_words) for _ in range(n_tokens)]


def _repetitive(rng: random.Random, n_tokens: int, n_words: int) -> Sentence:
    piece = _uniform(rng, rng.randint(1, 9), n_words)
    return [
        piece[k % len(piece)] if rng.random() > 0.05 else b"%d" % rng.randrange(n_words)
        for k in range(n_tokens)
    ]


def _edited(rng: random.Random, source: Sentence, n_tokens: int, n_words: int) -> Sentence:
    """Copy pieces of another sentence, in order at most places, to make long runs."""
    copied: Sentence = []
    place = 0
    while len(copied) < n_tokens:
        if source and rng.random() < 0.8:
            size = rng.randint(1, 20)
            copied += source[place : place + size]
            place = (place + size + rng.randint(-2, 4)) % len(source)
        else:
            copied.append(b"%d" % rng.randrange(n_words))
    return copied[:n_tokens]


MAKERS: list[Callable[[random.Random, int, int], Sentence]] = [_uniform, _repetitive]


@st.composite
def wide_pairs(draw: st.DrawFn, *, longest_model: int = 150, n_peers: int = 3) -> tuple[Text, Text]:
    """Draw a peer with sentences of up to 600 tokens, and a model of shorter ones."""
    rng = random.Random(draw(st.integers(0, 2**32 - 1)))
    n_words = draw(st.sampled_from([1, 2, 3, 8, 40, 400]))
    make = draw(st.sampled_from(MAKERS))
    lengths = draw(st.lists(st.integers(0, longest_model), min_size=1, max_size=2))
    widths = draw(st.lists(st.sampled_from(EDGE_WIDTHS), min_size=1, max_size=n_peers))
    model = [make(rng, length, n_words) for length in lengths]
    is_edited = draw(st.booleans())
    peer = [
        _edited(rng, model[0], width, n_words) if is_edited else make(rng, width, n_words)
        for width in widths
    ]
    return peer, model
