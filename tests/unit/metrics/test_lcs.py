"""ROUGE-L, worked by hand."""

import pytest

from rouge_cli.metrics.lcs import PeerSentence, count_union_lcs, matched_words
from tests.unit.metrics.pairs import clipped_by, triple, written_pair


@pytest.mark.parametrize(
    ("peer", "model", "expected"),
    [
        # Lin 2004: w1 w2 and w1 w3 w5 are in common; the union has w1 w2 w3 w5, 4 of 5 tokens.
        pytest.param("w1 w2 w6 w7 w8 / w1 w3 w8 w9 w5", "w1 w2 w3 w4 w5", (4, 5, 10), id="union"),
        # police _ the gunman: 3. In the other order only two: the gunman.
        pytest.param("police kill the gunman", "police killed the gunman", (3, 4, 4), id="lin a"),
        pytest.param("the gunman kill police", "police killed the gunman", (2, 4, 4), id="lin b"),
        # Both model sentences mark their a, but the peer has one a only.
        pytest.param("a", "a / a", (1, 2, 1), id="clipped by the peer"),
        # Both peer sentences mark the same a: a union counts it once.
        pytest.param("a / a", "a", (1, 1, 2), id="marked twice"),
        # No sentence of the peer holds a before b, so of "a b" each sentence marks one: 2.
        pytest.param("b / a", "a b", (2, 2, 2), id="union across sentences"),
        pytest.param("", "a", (0, 1, 0), id="no peer tokens"),
        pytest.param("a", "", (0, 0, 1), id="no model tokens"),
        pytest.param("/ a / / b /", "a b / /", (2, 2, 2), id="empty sentences"),
    ],
)
def test_counts(peer: str, model: str, expected: tuple[int, int, int]) -> None:
    assert triple(count_union_lcs(written_pair(peer, model))) == expected


def test_tie_goes_up() -> None:
    # Model a b, peer b a. The last cell holds b and a, which differ; above it c is 1 (a, a), left
    # of it c is 1 (b, b). Equal: the walk goes up and marks a, which "b / a"-like unions reveal:
    # the table of the second reading holds an a and no b, so only a marked a counts.
    clipped = clipped_by(written_pair("b a", "a b"), written_pair("a", "a x"))
    assert triple(count_union_lcs(clipped)) == (1, 2, 1)
    # With only a b in the tables nothing counts.
    clipped = clipped_by(written_pair("b a", "a b"), written_pair("b", "b x"))
    assert triple(count_union_lcs(clipped)) == (0, 2, 1)


def test_equal_tokens_are_taken_at_once() -> None:
    # Model a a, peer a. From the corner both tokens are equal: the walk marks the second a, at
    # which the table of the peer, one a, is used up; the first is not marked. 1 of 2.
    assert matched_words(PeerSentence.of([b"a"]), [b"a", b"a"]) == [(1, 0)]


def test_counts_of_both_readings() -> None:
    # The model count is that of the sentences (3 tokens), the peer count that of the tables
    # (2 tokens), as with -b, where the two readings differ.
    # b is not in the model's table, c in neither: 1.
    clipped = clipped_by(written_pair("a b c", "a b c"), written_pair("a b", "a"))
    assert triple(count_union_lcs(clipped)) == (1, 3, 2)
