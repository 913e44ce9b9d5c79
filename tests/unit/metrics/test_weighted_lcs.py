"""ROUGE-W, worked by hand: f(k) = k ** W."""

import pytest

from rouge_cli.metrics.counts import PairCounts
from rouge_cli.metrics.paired_texts import TextPair
from rouge_cli.metrics.weighted_lcs import RougeW
from rouge_cli.options.declaration import Number
from tests.unit.metrics.pairs import clipped_by, triple, written_pair


def count(pair: TextPair, weight: str) -> PairCounts:
    (counts,) = RougeW(Number(weight, float(weight))).count_pair(pair)
    return counts


@pytest.mark.parametrize(
    ("peer", "model", "weight", "expected"),
    [
        # One sentence of 4: base 4^2 = 16, and the model count weighs it again: 16^2 = 256.
        # Peer 4^2 = 16; one run of 4: 16. So a text is not all of itself: 16 / 256.
        pytest.param("a b c d", "a b c d", "2", (16, 256, 16), id="weighted twice"),
        # Runs a b (4) and d (1); peer 4^2.
        pytest.param("a b x d", "a b c d", "2", (5, 256, 16), id="two runs"),
        # Two model sentences: base 2^2 + 1^2 = 5, count 25; peer 3^2; a run each: 4 + 1.
        pytest.param("a b / c", "a b / c", "2", (5, 25, 9), id="runs end with sentences"),
        # Marked: a and b, by two sentences of the peer, next to each other in the model: the
        # union is one run of 2. Base 4, count 16, peer 2^2.
        pytest.param("b / a", "a b", "2", (4, 16, 4), id="union makes a run"),
        # W = 1: ROUGE-L's numbers. W = 3: run of 2 is 8, base 8, count 512, peer 8.
        pytest.param("a b x d", "a b c d", "1", (3, 4, 4), id="weight 1"),
        pytest.param("a b", "a b", "3", (8, 512, 8), id="weight 3"),
        # W = 0.5: two runs of 1 each; base 1 + 1 = 2, count 2^0.5, peer 2^0.5: hits above both.
        pytest.param("a / b", "a / b", "0.5", (2, 2**0.5, 2**0.5), id="hits above the counts"),
        pytest.param("", "a b", "2", (0, 16, 0), id="no peer tokens"),
        pytest.param("a", "", "2", (0, 0, 1), id="no model tokens"),
    ],
)
def test_counts(peer: str, model: str, weight: str, expected: tuple[float, float, float]) -> None:
    assert triple(count(written_pair(peer, model), weight)) == expected


def test_runs_count_in_the_table_too() -> None:
    # Model a x b c, peer a b c ... : "b c" in a row weighs more than "a" and then "c". Peer
    # "b c a": the walk takes b c (2^2 = 4), as does ROUGE-L's. Peer "a y b z b c" has a, b, c with
    # the b next to the c: run a (1), run b c (4): 5.
    assert count(written_pair("a y b z b c", "a x b c"), "2").hit == 5


def test_clipped_position_neither_adds_nor_ends_a_run() -> None:
    # Marked: a b, unmarked x, marked c. The tables hold no b, as after a limit. a makes h = 1; it
    # is followed by the marked b, so the run stays open; b fails and does nothing; c makes h = 2
    # and ends the sentence: f(2) = 4, and not f(1) + f(1) = 2.
    pair = clipped_by(written_pair("a b c", "a b x c"), written_pair("a c y", "a x c"))
    # Base 4^2 = 16, count 256; peer 3 tokens as the tables have them: 9.
    assert triple(count(pair, "2")) == (4, 256, 9)


def test_clipped_last_position_loses_the_run() -> None:
    # All of a b a is marked, the tables hold a once and b once: a, b make h = 2, the last a
    # fails, and nothing closes the run. Hit 0; base 9, count 81; peer 2^2.
    pair = clipped_by(written_pair("a b a", "a b a"), written_pair("a b", "a b"))
    assert triple(count(pair, "2")) == (0, 81, 4)


def test_run_length_starts_anew_in_each_sentence() -> None:
    # First model sentence a b: the a passes and opens a run, the b (not in the tables) cannot
    # close it. Second sentence c: h starts at 0 again, f(1) = 1.
    pair = clipped_by(written_pair("a b / c", "a b / c"), written_pair("a c", "a c"))
    # Base 4 + 1 = 5, count 25; peer 2^2 = 4.
    assert triple(count(pair, "2")) == (1, 25, 4)


def test_whole_weights_give_whole_numbers() -> None:
    # Base 63^3 = 250047; count 250047^3 = 15633814156853823, which takes 54 bits: exact.
    counts = count(written_pair("a", " ".join(f"w{k}" for k in range(63))), "3")
    assert counts.model_count == 15633814156853823
    assert isinstance(counts.hit, int)


def test_base_is_kept_for_formula_b() -> None:
    # Weighted once: 2^2 + 1.
    assert count(written_pair("a", "a b / c"), "2").model_base == 5
