"""ROUGE-soft-N against its plain definition, with random tables and texts.

``ROUGE_SOFT_PAIRS=10000`` runs as many pairs instead of a few hundred.
"""

import os
import random
from pathlib import Path

import pytest

from rouge_cli.metrics.soft_ngrams import match_soft_ngrams
from rouge_cli.text.word_vectors import load_word_vectors
from tests.plain import soft as plain

N_PAIRS = int(os.environ.get("ROUGE_SOFT_PAIRS", "400"))
N_TABLES = 8
WORDS = [b"%c%d" % (letter, number) for letter in b"abcd" for number in range(7)]
MAX_NGRAM = 4


def table_by_chance(rng: random.Random, dimension: int) -> dict[bytes, list[float]]:
    """Return vectors for most words: some near, some equal, some zero."""
    centres = [[rng.gauss(0, 1) for _ in range(dimension)] for _ in range(5)]
    table = {}
    for word in rng.sample(WORDS, len(WORDS) - 5):
        spread = rng.choice([0.0, 0.2, 0.5, 1.0])
        centre = rng.choice(centres)
        table[word] = [round(x + rng.gauss(0, spread), 4) for x in centre]
    table[rng.choice(list(table))] = [0.0] * dimension
    return table


def text_by_chance(rng: random.Random) -> list[bytes]:
    words = rng.sample(WORDS, rng.choice([3, 8, len(WORDS)]))
    return [rng.choice(words) for _ in range(rng.choice([0, 1, 2, 5, 9, 14]))]


def stem(word: bytes, *, stems: bool) -> bytes:
    return word[:1] if stems and word[1:] in {b"0", b"1"} else word


@pytest.mark.parametrize("seed", range(N_TABLES))
def test_as_in_the_plain_words(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    table = table_by_chance(rng, rng.choice([1, 2, 5, 50]))
    path = tmp_path / "table.txt"
    path.write_text("".join(f"{w.decode()} {' '.join(map(str, v))}\n" for w, v in table.items()))
    found = {word: plain.quantised(vector) for word, vector in table.items()}
    vectors = {word: vector for word, vector in found.items() if vector is not None}
    threshold = rng.choice([-1.0, 0.0, 0.5, 0.9, 1.0])
    stems = rng.random() < 0.5
    peers, models = ([text_by_chance(rng) for _ in range(N_PAIRS // N_TABLES)] for _ in range(2))
    sides = [
        [[(stem(w, stems=stems), w) for w in text] for text in texts] for texts in (peers, models)
    ]
    loaded = load_word_vectors(str(path))
    n_near = 0
    for peer, model in zip(*sides, strict=True):
        matches = match_soft_ngrams(peer, model, loaded, threshold, MAX_NGRAM)
        for n, (n_equal, near) in enumerate(matches, 1):
            counts = (n_equal + len(near), max(len(model) - n + 1, 0), max(len(peer) - n + 1, 0))
            assert counts == plain.soft_ngrams(peer, model, n, vectors, threshold)
            n_near += len(near)
    assert threshold == 1.0 or n_near
