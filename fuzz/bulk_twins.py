"""What the core does for `rouge_cli.bulk`, against the reference, on texts drawn at random."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.bulk.above import IndexReader, TextIndex, Threshold, ranks_of
from rouge_cli.bulk.metric import LCS, PairMetric, Sequences, UnitNumbers
from rouge_cli.bulk.pairs import score_pairs
from rouge_cli.text.ascii155 import CompiledWords
from rouge_cli.text.columns import ReadTexts, TextColumns
from rouge_cli.text.stems import Stems

__all__ = ["check_index", "check_pairs", "check_vocabulary"]

MOST_TEXTS, MOST_WORDS = 40, 1500
LONGEST = 2048


def check_vocabulary(
    core: Any,
    rng: np.random.Generator,
    texts: Sequence[bytes],
    stopwords: frozenset[bytes] | None,
    irregular: Mapping[bytes, bytes] | None,
) -> None:
    """Read texts at once and in parts; raises AssertionError unless the types are the same."""
    stems = None if irregular is None else Stems.of(irregular)
    words, keeps_both = CompiledWords(stopwords, stems), bool(rng.random() < 1 / 2)

    def read(vocabulary: Any, some: Sequence[bytes]) -> ReadTexts:
        found = words.read(core, some, with_unstemmed=keeps_both, vocabulary=vocabulary)
        assert found is not None
        return found

    whole = read(core.vocabulary(), texts)
    vocabulary, cuts = core.vocabulary(), np.sort(rng.integers(len(texts) + 1, size=3)).tolist()
    bounds = [0, *cuts, len(texts)]
    parts = [read(vocabulary, texts[a:b]) for a, b in pairwise(bounds)]
    plain = words.read(core, texts, with_unstemmed=keeps_both)
    assert plain is not None
    for others in ([plain], parts):
        # Numbers may differ, but equal words and stems are equal in both.
        pairs = np.unique(np.stack((_types([whole]), _types(others))), axis=1)
        assert np.unique(pairs[0]).size == np.unique(pairs[1]).size == pairs.shape[1]
        assert _types(others).max(initial=-1) < others[-1].n_types or not texts


def _types(parts: Sequence[ReadTexts]) -> NDArray[np.int32]:
    """Return the types of unstemmed and of stemmed words, of one text after the other."""
    unstemmed = [part.unstemmed.types for part in parts if part.unstemmed is not None]
    stemmed = [part.stemmed.types for part in parts if part.stemmed is not None]
    return np.concatenate([*unstemmed, *stemmed])


def _some_texts(columns: TextColumns, rng: np.random.Generator) -> Sequences:
    """Return the words of a few texts that are short enough."""
    short = np.flatnonzero(columns.token_counts <= LONGEST)
    # The reference takes long for pairs of long texts.
    most = 2 + MOST_WORDS // (1 + int(columns.token_counts.max(initial=0)))
    return Sequences.of(columns.take(rng.permutation(short)[: min(most, MOST_TEXTS)]))


def check_pairs(core: Any, rng: np.random.Generator, columns: TextColumns) -> None:
    """Score all pairs of some texts in both ways; raises AssertionError on a difference."""
    rows, others = _some_texts(columns, rng), _some_texts(columns, rng)
    is_lcs, is_square = (bool(chosen) for chosen in rng.random(2) < 1 / 2)
    if not is_lcs:
        units = UnitNumbers(int(rng.integers(1, 4)))
        rows, others = units.number(rows), units.number(others)
    if is_square:
        others = rows
    n_items = int(max(rows.items.max(initial=0), others.items.max(initial=0))) + 1
    lengths, sides = zip(
        *(np.unique(texts.lengths, return_inverse=True) for texts in (rows, others)), strict=True
    )
    numbers = [side.astype(np.int32) for side in sides]
    if is_square:
        numbers[1] = numbers[0]
    n_hits = int(others.lengths.max(initial=0)) + 1
    table = rng.random((lengths[0].size, lengths[1].size, n_hits))
    order = rng.permutation(rows.lengths.size)
    expected, scores = (np.full((rows.lengths.size, others.lengths.size), -1.0) for _ in "ab")
    given: Any = rows, others, n_items, is_lcs
    reference: Any = score_pairs
    reference(*given, *numbers, table, order, expected)
    core.score_pairs(*given, is_square, *numbers, (table, table.shape[1]), n_hits, order, scores)
    assert np.array_equal(scores, expected)


def check_index(core: Any, rng: np.random.Generator, columns: TextColumns) -> None:
    """Find the pairs above some threshold in both ways; raises AssertionError on a difference.

    The score of a pair is the share of hits in the longer text.
    """
    share, is_lcs = rng.random(), bool(rng.random() < 1 / 2)
    order = LCS if is_lcs else int(rng.integers(1, 4))

    def score_hits(hits: Any, models: Any, peers: Any) -> NDArray[np.float64]:
        scores: NDArray[np.float64] = hits / np.maximum(models, peers).clip(1)
        return scores

    unused: Any = None
    metric = PairMetric("share", order, False, ((False, False),) * 2, score_hits, unused)
    reader = IndexReader(metric, Threshold(share), is_exact=True)
    texts = reader.read(_some_texts(columns, rng))
    ranks = ranks_of([texts], int(rng.integers(1, reader.n_items + 1)) + reader.n_items)
    ranks = ranks[: int(rng.integers(ranks.size + 1))]
    n_texts, is_triangle = texts.lengths.size, bool(rng.random() < 1 / 2)
    found: list[Any] = []
    for used in (core, None):
        index = TextIndex(reader, np.ascontiguousarray(ranks), used)
        for part in np.split(np.arange(n_texts), [n_texts // 2]):
            index.add(texts.taken(part))
        blocks = list(index.above(texts, unused, 1, is_triangle=is_triangle))
        found.append([np.concatenate(column).tolist() for column in zip(*blocks, strict=True)])
    assert found[0] == found[1]
