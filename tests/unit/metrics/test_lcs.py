"""ROUGE-L, worked by hand."""

import pytest

from rouge_cli.metrics import sentence_pairs
from rouge_cli.metrics.lcs import count_lcs
from rouge_cli.metrics.lcs_backtracking import backtrack_lcs
from tests.unit.metrics.pairs import match_readings, match_written, text, triples


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
    matches = match_written(peer, model)
    assert triples(count_lcs(matches, matches, backtrack_lcs(matches))) == [expected]


def test_tie_goes_up() -> None:
    # Model a b, peer b a. The last cell holds b and a, which differ; above it c is 1 (a, a), left
    # of it c is 1 (b, b). Equal: the walk goes up and marks a, which "b / a"-like unions reveal:
    # the table of the second reading holds an a and no b, so only a marked a counts.
    sentences, tables = match_readings(
        [([text("b a")], [text("a b")]), ([text("a")], [text("a x")])]
    )
    assert triples(count_lcs(sentences, tables, backtrack_lcs(sentences))) == [(1, 2, 1)]
    # With only a b in the tables nothing counts.
    sentences, tables = match_readings(
        [([text("b a")], [text("a b")]), ([text("b")], [text("b x")])]
    )
    assert triples(count_lcs(sentences, tables, backtrack_lcs(sentences))) == [(0, 2, 1)]


def test_equal_tokens_are_taken_at_once() -> None:
    # Model a a, peer a. From the corner both tokens are equal: the walk marks the second a, at
    # which the table of the peer, one a, is used up; the first is not marked. 1 of 2.
    matches = match_written("a", "a a")
    ((rows, is_marked),) = backtrack_lcs(matches)
    assert rows.model_tokens[is_marked].tolist() == [1]


def test_counts_of_both_readings() -> None:
    # The model count is that of the sentences (3 tokens), the peer count that of the tables
    # (2 tokens), as with -b, where the two readings differ.
    sentences, tables = match_readings(
        [([text("a b c")], [text("a b c")]), ([text("a b")], [text("a")])]
    )
    # b is not in the model's table, c in neither: 1.
    assert triples(count_lcs(sentences, tables, backtrack_lcs(sentences))) == [(1, 3, 2)]


def test_more_matches_than_16_bits_count() -> None:
    # A model of one sentence with 40,000 times the one word of the peer, of which one is hit.
    matches = match_written("a", " ".join(["a"] * 40_000))
    assert triples(count_lcs(matches, matches, backtrack_lcs(matches))) == [(1, 40_000, 1)]


def test_sentences_that_have_nothing_in_common_with_those_of_a_width(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Peer sentences of 1 and of 70 tokens are matched after each other; the last of the model has
    # tokens of the long one alone.
    monkeypatch.setattr(sentence_pairs, "LIMBS_AT_A_TIME", 1)
    long = " ".join(f"b{number}" for number in range(70))
    matches = match_written(f"a / {long}", "a / b0 b1")
    assert triples(count_lcs(matches, matches, backtrack_lcs(matches))) == [(3, 3, 71)]
