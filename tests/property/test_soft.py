"""ROUGE-soft-N by columns against the plain words, with tables and texts made by chance.

``ROUGE_SOFT_PAIRS=10000`` runs so many pairs instead of a few hundred.
"""

import os
import random
from pathlib import Path
from unittest.mock import patch

import pytest

from rouge_cli.metrics import near_tokens
from rouge_cli.metrics.near_tokens import SpeltWords
from rouge_cli.metrics.ngrams import count_ngrams
from rouge_cli.metrics.soft_ngrams import count_soft_ngrams
from rouge_cli.text.word_vectors import load_word_vectors
from tests.plain import soft as plain
from tests.unit.metrics.pairs import columns, match, triples

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
    matches = match(*([[[c for c, _ in text]] for text in texts] for texts in sides))
    numbers: dict[bytes, int] = {}
    spelt_sides = [columns([[text] for text in texts], numbers) for texts in (peers, models)]
    words = list(numbers)
    with patch.object(near_tokens, "BATCH_CELLS", rng.choice([1, 200, 1 << 20])):
        counts = count_soft_ngrams(
            matches,
            SpeltWords(words, *spelt_sides),
            load_word_vectors(str(path)),
            threshold,
            MAX_NGRAM,
        )
    expected = [
        [plain.soft_ngrams(p, m, n, vectors, threshold) for p, m in zip(*sides, strict=True)]
        for n in range(1, MAX_NGRAM + 1)
    ]
    assert [triples(one) for one in counts] == expected
    exact = [one.hit for one in count_ngrams(matches, MAX_NGRAM)]
    assert all((one.hit >= hit).all() for one, hit in zip(counts, exact, strict=True))
    assert threshold == 1.0 or any(
        (one.hit > hit).any() for one, hit in zip(counts, exact, strict=True)
    )
