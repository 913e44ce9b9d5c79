"""ROUGE-S and ROUGE-SU, worked by hand."""

import pytest

from rouge_cli.metrics.skip_bigrams import RougeS
from rouge_cli.options.declaration import Number
from tests.unit.metrics.pairs import triple, written_pair

MODEL = "police killed the gunman"
Triple = tuple[int, int, int]


@pytest.mark.parametrize(
    ("peer", "model", "max_gap", "without", "with_unigrams"),
    [
        # Four tokens have 6 pairs. In common: police-the, police-gunman, the-gunman: 3. SU adds
        # the first three words of each; in common police and the: 3 + 2 of 6 + 3.
        pytest.param("police kill the gunman", MODEL, -1, (3, 6, 6), (5, 9, 9), id="lin a"),
        # In common only the-gunman, as (the gunman) stands before killed and police. SU without
        # the last token: the peer has the, gunman, killed, the model police, killed, the: 2.
        pytest.param("the gunman killed police", MODEL, -1, (1, 6, 6), (3, 9, 9), id="lin b"),
        # No word between: neighbours, 3 each; in common the-gunman.
        pytest.param("police kill the gunman", MODEL, 0, (1, 3, 3), (3, 6, 6), id="no gap"),
        # One word between: 3 neighbours and 2 pairs with one between: 5 each. In common
        # police-the (one between) and the-gunman.
        pytest.param("police kill the gunman", MODEL, 1, (2, 5, 5), (4, 8, 8), id="gap of 1"),
        # A gap longer than the text is no limit.
        pytest.param("police kill the gunman", MODEL, 30, (3, 6, 6), (5, 9, 9), id="gap of 30"),
        # aa: 3 pairs in the model, 1 in the peer. SU: 2 and 1 tokens before the last.
        pytest.param("a a", "a a a", -1, (1, 3, 1), (2, 5, 2), id="clipped"),
        # The last token is no unit: b ends the peer, so of the unigrams of "b b" (b once) none
        # is left in "a b" (a). The pair ab is not bb.
        pytest.param("a b", "b b", -1, (0, 1, 1), (0, 2, 2), id="last token left out"),
        # Distances are counted in all tokens, matched or not: a and b are three apart in the
        # peer. Peer 2 + 3 pairs of 4 tokens at gap 1, model 1.
        pytest.param("a x y b", "a b", 1, (0, 1, 5), (1, 2, 8), id="unmatched between"),
        # One token: no pair, and, as it is the last one, no unigram.
        pytest.param("a", "a", -1, (0, 0, 0), (0, 0, 0), id="one token"),
        pytest.param("", "a b", 4, (0, 1, 0), (0, 2, 0), id="no peer tokens"),
        # Pairs run across the ends of sentences, and only the last token of the text is left out.
        pytest.param("a / b", "a b /", -1, (1, 1, 1), (2, 2, 2), id="sentences"),
    ],
)
def test_counts(
    peer: str, model: str, max_gap: int, without: Triple, with_unigrams: Triple
) -> None:
    metric = RougeS(Number(str(max_gap), max_gap), (False, True))
    counts = metric.count_pair(written_pair(peer, model))
    assert list(map(triple, counts)) == [without, with_unigrams]
