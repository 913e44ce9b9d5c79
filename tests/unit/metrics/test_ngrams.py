"""ROUGE-N, worked by hand."""

import pytest

from rouge_cli.metrics.ngrams import RougeN
from tests.unit.metrics.pairs import triple, written_pair

Triple = tuple[int, int, int]


@pytest.mark.parametrize(
    ("peer", "model", "expected"),
    [
        # model a:2 b:1, peer a:1 b:2 c:1: min(2, 1) + min(1, 2) = 2.
        # Bigrams: model aa ab, peer ab bb bc: ab. Trigrams: model aab, peer abb bbc: none.
        pytest.param("a b b c", "a a b", [(2, 3, 4), (1, 2, 3), (0, 1, 2)], id="clipped"),
        # Both sequences are a b c d: n-grams run across the end of a sentence, 4, 3 and 2 of them.
        pytest.param("a b / c d", "a / b c d", [(4, 4, 4), (3, 3, 3), (2, 2, 2)], id="sentences"),
        # aa occurs 3 times in the model and once in the peer; aaa twice and not at all.
        pytest.param("a a", "a a a a", [(2, 4, 2), (1, 3, 1), (0, 2, 0)], id="repeats"),
        # Both bigrams of "b a b" occur in "a b a": ba and ab. The trigrams differ.
        pytest.param("b a b", "a b a", [(2, 3, 3), (2, 2, 2), (0, 1, 1)], id="order"),
        # Fewer tokens than n: no n-gram, not a negative number of them.
        pytest.param("a", "a b c", [(1, 3, 1), (0, 2, 0), (0, 1, 0)], id="short peer"),
        pytest.param("", "a b", [(0, 2, 0), (0, 1, 0), (0, 0, 0)], id="no peer tokens"),
        pytest.param("a b", "", [(0, 0, 2), (0, 0, 1), (0, 0, 0)], id="no model tokens"),
        # The tokens of a b match, as do those of b c; x stands between: no trigram a b c.
        pytest.param("a b x b c", "a b c", [(3, 3, 5), (2, 2, 4), (0, 1, 3)], id="interrupted"),
    ],
)
def test_counts(peer: str, model: str, expected: list[Triple]) -> None:
    counts = RougeN(3).count_pair(written_pair(peer, model))
    assert list(map(triple, counts)) == expected
