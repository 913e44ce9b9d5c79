"""The compiled core against the reference, on texts drawn at random.

``make fuzz-core`` does the same for as long as it may, with a compiler that watches every access.
"""

import numpy as np
import pytest

from fuzz.bulk_twins import check_index, check_pairs, check_vocabulary
from fuzz.core_twins import (
    check_counts,
    check_draws,
    check_flags,
    check_numbering,
    check_reading,
    check_single_pairs,
    draw_texts,
)
from rouge_cli.core import compiled_core
from rouge_cli.text.word_lists import load_exceptions, load_stopwords

core = compiled_core()
pytestmark = pytest.mark.skipif(core is None, reason="the core is not built")

STOPWORDS, EXCEPTIONS = load_stopwords(), load_exceptions()


@pytest.mark.parametrize("longest", [0, 3, 12, 60, 260])
@pytest.mark.parametrize("seed", range(6))
def test_reading_and_counting(longest: int, seed: int) -> None:
    rng = np.random.default_rng((longest, seed))
    texts = draw_texts(rng, 4 if longest > 60 else 40, longest)
    stopwords, exceptions = STOPWORDS if seed % 2 else None, EXCEPTIONS if seed % 3 else None
    found = check_reading(core, texts, stopwords, exceptions)
    assert check_counts(core, rng, found) == len(texts)
    check_single_pairs(core, rng, texts, (stopwords, exceptions), found)
    check_numbering(core, rng, texts)
    check_vocabulary(core, rng, texts, stopwords, exceptions)
    for _ in range(8):
        columns = found.stemmed or found.unstemmed
        assert columns is not None
        check_pairs(core, rng, columns)
        check_index(core, rng, columns)


@pytest.mark.parametrize(
    "pattern", [b"a", b"a ", b" a", b"a\n", b"aB\n\n", b"longer than 16 letters ", b"\xe9"]
)
def test_texts_of_every_length(pattern: bytes) -> None:
    # Each behind the one before: tokens begin and end at every place of a chunk of 64 bytes.
    texts = [(pattern * 200)[:length] for length in range(200)]
    check_reading(core, texts, None, None)
    check_reading(core, texts[::-1], None, None)


@pytest.mark.parametrize(
    "lengths",
    [
        (63,),
        (64,),
        (65,),
        (31, 31),
        (31, 32),
        (32, 32),
        (20, 20, 20),
        (20, 20, 22),
        (20, 20, 23),
        (1,) * 40,
        (64, 1, 64, 1),
        (62, 1, 1),
        (130, 5, 60),
    ],
)
def test_sentences_side_by_side(lengths: tuple[int, ...]) -> None:
    # The core sets so many against a model as have their words, and one between two, in 64 bits.
    rng = np.random.default_rng(lengths)
    words = np.array([b"w%d" % number for number in range(sum(lengths))])
    texts = []
    for n_words in (len(words), len(words), 9):
        some = rng.permutation(words[:n_words])
        drawn = some[rng.integers(n_words, size=len(words))]
        for of_text in (some if n_words == len(words) else drawn, drawn):
            sentences = np.split(of_text, np.cumsum(lengths)[:-1])
            texts.append(b"\n".join([b" ".join(sentence.tolist()) for sentence in sentences]))
    found = check_reading(core, texts, None, None)
    for _ in range(4):
        check_counts(core, rng, found)


@pytest.mark.parametrize("seed", range(300))
def test_flags(seed: int) -> None:
    check_flags(core, np.random.default_rng(seed), 1 + seed % 9)


@pytest.mark.parametrize("n_instances", [1, 2, 3, 4, 5, 255, 256, 257, 1000, 70_000])
def test_draws(n_instances: int) -> None:
    check_draws(core, n_instances, 7, 3)
