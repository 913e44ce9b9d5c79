"""Normalised pairwise LCS, worked by hand, and against full tables."""

import pytest
from hypothesis import given

from rouge_cli.metrics.lcs import count_pairwise_lcs
from tests.plain.lcs import lcs_positions
from tests.property.strategies import Text, few, pairs, wide_pairs
from tests.unit.metrics.pairs import pair_of, written_pair


@pytest.mark.parametrize(
    ("peer", "model", "expected"),
    [
        # The best LCS with the one model sentence is w1 w3 w5 (3), not the union of 4; for the
        # peer each sentence adds its own: w1 w2 (2) and w1 w3 w5 (3).
        ("w1 w2 w6 w7 w8 / w1 w3 w8 w9 w5", "w1 w2 w3 w4 w5", (3, 5, 5, 10)),
        # One sentence each: the hits are the LCS, 3.
        ("police kill the gunman", "police killed the gunman", (3, 3, 4, 4)),
        # Model a b / c: best 2 (with a b) and 1 (with c x); peer c x / a b: 1 and 2.
        ("c x / a b", "a b / c", (3, 3, 3, 4)),
        # Both model sentences take the same a: nothing is clipped.
        ("a", "a / a", (2, 1, 2, 1)),
        ("x", "a", (0, 0, 1, 1)),
        ("", "a", (0, 0, 1, 0)),
        ("a", "", (0, 0, 0, 1)),
        ("/ a / /", "a b / /", (1, 1, 2, 1)),
    ],
)
def test_counts(peer: str, model: str, expected: tuple[int, int, int, int]) -> None:
    pair = written_pair(peer, model)
    counts = count_pairwise_lcs(pair.peer, pair.model)
    assert (counts.hit, counts.peer_hit, counts.model_count, counts.peer_count) == expected


def best_lengths(ours: Text, others: Text) -> int:
    """Add up the length of each sentence's longest LCS with another text's sentences."""
    return sum(max((len(lcs_positions(one, other)) for other in others), default=0) for one in ours)


def check(both: tuple[Text, Text]) -> None:
    pair, (peer, model) = pair_of(*both), both
    counts = count_pairwise_lcs(pair.peer, pair.model)
    assert (counts.hit, counts.peer_hit) == (best_lengths(model, peer), best_lengths(peer, model))


@given(pairs)
def test_against_full_tables(both: tuple[Text, Text]) -> None:
    check(both)


@few(40)
@given(wide_pairs(longest_model=60, n_peers=2))
def test_wide_sentences(both: tuple[Text, Text]) -> None:
    check(both)
