"""ROUGE-L, its form for whole texts, and ROUGE-W against full tables: both forms."""

import random
from collections.abc import Iterator
from itertools import chain
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.core import compiled_core
from rouge_cli.metrics import lcs
from rouge_cli.metrics.arithmetic import power_table
from rouge_cli.metrics.lcs import PeerSentence, count_union_lcs, lcs_hits, lcs_length, matched_words
from rouge_cli.metrics.weighted_lcs import RougeW, weighted_lcs_hits, weighted_words
from rouge_cli.options.readers import Number
from tests.plain import lcs as plain
from tests.plain.metrics import Counts, table
from tests.plain.numbers import parse_weight
from tests.property.strategies import EDGE_WIDTHS, Text, few, pairs, texts, wide_pairs
from tests.unit.metrics.pairs import clipped_by, pair_of, readings_in_columns, triple

WEIGHTS = ["0.5", "1", "1.2", "2", "3"]


@pytest.fixture(params=["whole tables", "blocks of rows"], autouse=True, scope="module")
def rows_kept(request: pytest.FixtureRequest) -> Iterator[None]:
    """Keep all rows of a table, and then only the states in front of blocks of some rows."""
    most = lcs.MOST_KEPT if request.param == "whole tables" else 6
    with patch.object(lcs, "MOST_KEPT", most):
        yield


weights = st.sampled_from(WEIGHTS)

Pairs = list[tuple[Text, Text]]


def tables_of(text: Text) -> dict[bytes, int]:
    return table(chain.from_iterable(text))


def check_backtracking(peer: Text, model: Text) -> None:
    for sentence in model:
        for other in peer:
            words = matched_words(PeerSentence.of(other), sentence)
            assert {i for i, _ in words} == plain.lcs_positions(sentence, other)
            assert [sentence[i] for i, _ in words] == [other[j] for _, j in words]
            assert words == sorted(words)
            assert lcs_length(PeerSentence.of(other), sentence) == len(words)


def check_lcs(pairs: Pairs, tables: Pairs | None = None) -> None:
    tables = pairs if tables is None else tables
    both = list(zip(pairs, tables, strict=True))
    expected: list[Counts] = [
        plain.lcs(*pair, tables_of(of_table[0]), tables_of(of_table[1])) for pair, of_table in both
    ]
    assert expected == [
        triple(count_union_lcs(clipped_by(pair_of(*pair), pair_of(*of_table))))
        for pair, of_table in both
    ]
    core = compiled_core()
    if core is not None:
        read, clip = readings_in_columns([pairs, tables])
        hits = [hit for hit, _, _ in expected]
        assert lcs_hits(read, clip).tolist() == hits
        if tables is pairs:
            assert lcs_hits(read, read).tolist() == hits


def check_wlcs(pairs: Pairs, weight: str, tables: Pairs | None = None) -> None:
    tables = pairs if tables is None else tables
    both = list(zip(pairs, tables, strict=True))
    expected = [
        plain.wlcs(*pair, tables_of(of_table[0]), tables_of(of_table[1]), parse_weight(weight))
        for pair, of_table in both
    ]
    metric = RougeW(Number(weight, float(weight)))
    found = [
        metric.count_pair(clipped_by(pair_of(*pair), pair_of(*of_table)))[0]
        for pair, of_table in both
    ]
    assert list(map(triple, found)) == expected
    core = compiled_core()
    if core is not None:
        read, clip = readings_in_columns([pairs, tables])
        f = np.array(power_table(read.longest_model_sentence, float(weight)))
        hits, bases = weighted_lcs_hits(read, clip, f)
        assert hits.tolist() == [hit for hit, _, _ in expected]
        assert bases.tolist() == [counts.model_base for counts in found]


@given(texts, texts)
def test_backtracking_in_short_sentences(peer: Text, model: Text) -> None:
    check_backtracking(peer, model)


@few(100)
@given(wide_pairs())
def test_backtracking_in_wide_sentences(pair: tuple[Text, Text]) -> None:
    check_backtracking(*pair)


@given(st.lists(pairs, max_size=4))
def test_lcs_counts(pairs: Pairs) -> None:
    check_lcs(pairs)


@few(80)
@given(wide_pairs())
def test_lcs_counts_of_wide_sentences(both: tuple[Text, Text]) -> None:
    check_lcs([both])


@pytest.mark.parametrize("width", EDGE_WIDTHS)
@pytest.mark.parametrize("n_words", [1, 2, 5])
def test_lcs_counts_at_the_edges_of_limbs(width: int, n_words: int) -> None:
    # Matches in the first and in the last column, and everywhere or in every n-th one.
    peer = [b"%d" % (k % n_words) for k in range(width)]
    model = [*peer[:20], b"x", *peer[-20:]]
    check_lcs([([peer, peer[::-1]], [model, model[::-1], [peer[-1]]])])


def test_lcs_counts_of_very_wide_sentences() -> None:
    peer = [b"%d" % (k * k % 97) for k in range(2100)]
    model = [b"%d" % (k * 7 % 97) for k in range(60)]
    check_lcs([([peer, peer[:1025]], [model, peer[1000:1060]])])


@given(pairs, pairs)
def test_lcs_clipped_by_another_reading(
    sentences: tuple[Text, Text], tables: tuple[Text, Text]
) -> None:
    # The unigram tables may come from texts cut elsewhere: with -b they do.
    check_lcs([sentences], [tables])


@given(st.lists(pairs, max_size=4), weights)
def test_wlcs_counts(pairs: Pairs, weight: str) -> None:
    check_wlcs(pairs, weight)


@few(60)
@given(wide_pairs(longest_model=80, n_peers=2), weights)
def test_wlcs_counts_of_wide_sentences(both: tuple[Text, Text], weight: str) -> None:
    check_wlcs([both], weight)


@given(pairs, pairs, weights)
def test_wlcs_clipped_by_another_reading(
    sentences: tuple[Text, Text], tables: tuple[Text, Text], weight: str
) -> None:
    check_wlcs([sentences], weight, [tables])


@given(texts, texts, weights)
def test_weighted_backtracking_in_all_sentences(peer: Text, model: Text, weight: str) -> None:
    # Also where a run would take ROUGE-L's, because there are no two matches in a row.
    number = parse_weight(weight)
    for sentence in model:
        for other in peer:
            words = weighted_words(PeerSentence.of(other), sentence, float(weight))
            assert {i for i, _ in words} == plain.wlcs_positions(sentence, other, number)
            assert [sentence[i] for i, _ in words] == [other[j] for _, j in words]


@pytest.mark.parametrize("weight", WEIGHTS)
def test_counts_of_many_sentences(weight: str) -> None:
    peer = [[b"%d" % ((k + s) % (2 + s % 5)) for k in range(s % 23)] for s in range(40)]
    model = [[b"%d" % (k * s % 6) for k in range(s % 17)] for s in range(40)]
    check_wlcs([(peer, model)], weight)
    check_lcs([(peer, model)])


@pytest.mark.parametrize("edge", [64, 128])
def test_wlcs_of_runs_across_the_edge_of_a_limb(edge: int) -> None:
    # The only two matches in a row may lie in the last column of a limb of the core and the first
    # of the next. Then the weighted walk can go elsewhere than ROUGE-L's.
    rng = random.Random(edge)
    pairs = []
    for _ in range(800):
        tail = [rng.choice([b"a", b"b", b"c", b"z"]) for _ in range(5)]
        model = [rng.choice([b"a", b"b", b"c", b"y"]) for _ in range(rng.randint(3, 5))]
        pairs.append(([[b"z"] * (edge - 3) + tail], [model]))
    check_wlcs(pairs, "2")
