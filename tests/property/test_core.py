"""The compiled core against its twins in NumPy, on texts drawn at random.

``make fuzz-core`` does the same for as long as it may, with a compiler that watches every access.
"""

import numpy as np
import pytest

from fuzz.core_twins import (
    check_counts,
    check_draws,
    check_reading,
    check_single_pairs,
    draw_texts,
)
from rouge_cli.core.choice import compiled_core
from rouge_cli.text.word_lists import load_exceptions, load_stopwords

core = compiled_core()
pytestmark = pytest.mark.skipif(core is None, reason="the core is not built")

STOPWORDS, EXCEPTIONS = load_stopwords(), load_exceptions()


@pytest.mark.parametrize("longest", [0, 3, 12, 60, 300])
@pytest.mark.parametrize("seed", range(6))
def test_reading_and_counting(longest: int, seed: int) -> None:
    rng = np.random.default_rng((longest, seed))
    texts = draw_texts(rng, 4 if longest > 60 else 40, longest)
    stopwords, exceptions = STOPWORDS if seed % 2 else None, EXCEPTIONS if seed % 3 else None
    found, expected = check_reading(core, texts, stopwords, exceptions)
    assert check_counts(core, rng, found, expected) == len(texts)
    check_single_pairs(core, rng, texts, (stopwords, exceptions), found)


@pytest.mark.parametrize("n_instances", [1, 2, 3, 4, 5, 255, 256, 257, 1000, 70_000])
def test_draws(n_instances: int) -> None:
    check_draws(core, n_instances, 7, 3)
