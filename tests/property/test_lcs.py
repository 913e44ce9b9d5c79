"""ROUGE-L and ROUGE-W against full tables: the walks, wide and narrow, and the counts."""

import random
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.core.choice import compiled_core
from rouge_cli.metrics.compiled import lcs_hits, weighted_lcs_hits
from rouge_cli.metrics.lcs import count_lcs
from rouge_cli.metrics.lcs_backtracking import backtrack_lcs, rows_one_by_one, rows_side_by_side
from rouge_cli.metrics.lcs_lengths import (
    lengths_one_by_one,
    lengths_side_by_side,
    marked_lengths,
)
from rouge_cli.metrics.matching import Matches
from rouge_cli.metrics.perl_numbers import power_table
from rouge_cli.metrics.sentence_pairs import SentenceRows, matched_rows
from rouge_cli.metrics.text_pairs import TextPairs
from rouge_cli.metrics.weighted_backtracking import mark_weighted_lcs
from rouge_cli.metrics.weighted_lcs import count_wlcs
from tests.plain import lcs as plain
from tests.plain.metrics import Counts, table
from tests.plain.numbers import parse_weight
from tests.property.strategies import EDGE_WIDTHS, Text, few, pairs, texts, wide_pairs
from tests.unit.metrics.pairs import match, pair_readings, pair_texts, triples

WEIGHTS = ["0.5", "1", "1.2", "2", "3"]

weights = st.sampled_from(WEIGHTS)


def marked_positions(
    rows: SentenceRows, is_marked: np.ndarray[tuple[int], np.dtype[np.bool_]], matches: Matches
) -> list[tuple[int, int, set[int]]]:
    """Return each sentence pair: model sentence, peer sentence, marked positions of the model."""
    offsets = matches.models.sentence_offsets
    found = []
    for pair, peer in enumerate(rows.peer_sentences.tolist()):
        span = slice(int(rows.offsets[pair]), int(rows.offsets[pair + 1]))
        tokens = rows.model_tokens[span]
        model = int(np.searchsorted(offsets, tokens[0], side="right")) - 1
        found.append((model, peer, set((tokens[is_marked[span]] - offsets[model]).tolist())))
    return found


def expected_positions(peer: Text, model: Text) -> dict[tuple[int, int], set[int]]:
    """Return what the plain walk marks, for the sentence pairs in which it marks anything."""
    marked = {
        (i, j): plain.lcs_positions(model_sentence, peer_sentence)
        for i, model_sentence in enumerate(model)
        for j, peer_sentence in enumerate(peer)
    }
    return {pair: positions for pair, positions in marked.items() if positions}


def check_both_walks(peer: Text, model: Text) -> None:
    """Hold both kernels against the full table, whichever of them a run would take."""
    matches = match([peer], [model])
    expected = expected_positions(peer, model)
    for walk in (rows_side_by_side, rows_one_by_one):
        found = {
            (i, j): positions
            for rows in matched_rows(matches)
            for i, j, positions in marked_positions(rows, walk(rows), matches)
        }
        assert found == expected, walk.__name__
    for lengths in (lengths_side_by_side, lengths_one_by_one):
        for rows in matched_rows(matches):
            marked = (rows, rows_one_by_one(rows))
            ((_, expected_lengths),) = marked_lengths([marked])
            assert lengths(rows).tolist() == expected_lengths.tolist(), lengths.__name__


def tables_of(text: Text) -> dict[bytes, int]:
    """Return the unigram table of a text."""
    return table(chain.from_iterable(text))


def plain_lcs(peer: Text, model: Text) -> Counts:
    """Return the plain counts of ROUGE-L."""
    return plain.lcs(peer, model, tables_of(peer), tables_of(model))


def plain_wlcs(peer: Text, model: Text, weight: str) -> Counts:
    """Return the plain counts of ROUGE-W."""
    return plain.wlcs(peer, model, tables_of(peer), tables_of(model), parse_weight(weight))


def fast_lcs(texts: TextPairs, tables: TextPairs) -> list[Counts]:
    """Return the counts of ROUGE-L by columns."""
    matches = texts.matches()
    counts = count_lcs(matches, tables.matches(), backtrack_lcs(matches))
    core = compiled_core()
    if core is not None:
        assert lcs_hits(core, texts, tables).tolist() == counts.hit.tolist()
    return triples(counts)


def fast_wlcs(texts: TextPairs, tables: TextPairs, weight: str) -> list[Counts]:
    """Return the counts of ROUGE-W by columns."""
    matches, is_whole = texts.matches(), weight.isdecimal()
    walked = backtrack_lcs(matches)
    counts = count_wlcs(matches, tables.matches(), walked, float(weight), is_whole=is_whole)
    core = compiled_core()
    if core is not None:
        f = power_table(texts.longest_model_sentence, float(weight))
        hits, _ = weighted_lcs_hits(core, texts, tables, f)
        assert hits.tolist() == counts.hit.tolist()
    return triples(counts)


@given(texts, texts)
def test_both_walks_on_short_sentences(peer: Text, model: Text) -> None:
    check_both_walks(peer, model)


@few(150)
@given(wide_pairs())
def test_both_walks_on_wide_sentences(pair: tuple[Text, Text]) -> None:
    check_both_walks(*pair)


@pytest.mark.parametrize("width", EDGE_WIDTHS)
@pytest.mark.parametrize("n_words", [1, 2, 5])
def test_both_walks_at_the_edges_of_limbs(width: int, n_words: int) -> None:
    # Matches in the first and in the last column, and everywhere or in every n-th one.
    peer = [b"%d" % (k % n_words) for k in range(width)]
    model = [*peer[:20], b"x", *peer[-20:]]
    check_both_walks([peer, peer[::-1]], [model, model[::-1], [peer[-1]]])


def test_both_walks_on_very_wide_sentences() -> None:
    peer = [b"%d" % (k * k % 97) for k in range(2100)]
    model = [b"%d" % (k * 7 % 97) for k in range(60)]
    check_both_walks([peer, peer[:1025]], [model, peer[1000:1060]])


def test_both_walks_on_many_wide_sentences() -> None:
    # So many that a run takes the kernel of several limbs, for two and for four limbs.
    peer = [[b"%d" % ((k * k + s) % (5 + s)) for k in range(100 + 7 * s)] for s in range(20)]
    model = [[b"%d" % (k * s % 11) for k in range(40)] for s in range(1, 4)]
    check_both_walks(peer, model)


@given(st.lists(pairs, max_size=4))
def test_lcs_counts(pairs: list[tuple[Text, Text]]) -> None:
    texts = pair_texts([peer for peer, _ in pairs], [model for _, model in pairs])
    assert fast_lcs(texts, texts) == [plain_lcs(peer, model) for peer, model in pairs]


@few(80)
@given(wide_pairs())
def test_lcs_counts_of_wide_sentences(both: tuple[Text, Text]) -> None:
    texts = pair_texts([both[0]], [both[1]])
    assert fast_lcs(texts, texts) == [plain_lcs(*both)]


@given(pairs, pairs)
def test_lcs_clipped_by_another_reading(
    sentences: tuple[Text, Text], tables: tuple[Text, Text]
) -> None:
    # The unigram tables may come from texts cut elsewhere: with -b they do.
    read, clip = pair_readings([([one], [other]) for one, other in (sentences, tables)])
    expected = plain.lcs(*sentences, tables_of(tables[0]), tables_of(tables[1]))
    assert fast_lcs(read, clip) == [expected]


@given(st.lists(pairs, max_size=4), weights)
def test_wlcs_counts(pairs: list[tuple[Text, Text]], weight: str) -> None:
    texts = pair_texts([peer for peer, _ in pairs], [model for _, model in pairs])
    expected = [plain_wlcs(peer, model, weight) for peer, model in pairs]
    assert fast_wlcs(texts, texts, weight) == expected


@few(80)
@given(wide_pairs(longest_model=80, n_peers=2), weights)
def test_wlcs_counts_of_wide_sentences(both: tuple[Text, Text], weight: str) -> None:
    texts = pair_texts([both[0]], [both[1]])
    assert fast_wlcs(texts, texts, weight) == [plain_wlcs(*both, weight)]


@given(pairs, pairs, weights)
def test_wlcs_clipped_by_another_reading(
    sentences: tuple[Text, Text], tables: tuple[Text, Text], weight: str
) -> None:
    read, clip = pair_readings([([one], [other]) for one, other in (sentences, tables)])
    unigrams = tables_of(tables[0]), tables_of(tables[1])
    expected = plain.wlcs(*sentences, *unigrams, parse_weight(weight))
    assert fast_wlcs(read, clip, weight) == [expected]


@given(texts, texts, weights)
def test_weighted_walk_on_every_sentence_pair(peer: Text, model: Text, weight: str) -> None:
    # Also where a run would take ROUGE-L's walk, because there are no two matches in a row.
    matches = match([peer], [model])
    is_marked = np.zeros(matches.models.types.size, np.bool_)
    for rows in matched_rows(matches):
        sentence_pairs = np.arange(rows.widths.size)
        mark_weighted_lcs(matches, rows, sentence_pairs, float(weight), is_marked)
    offsets = matches.models.sentence_offsets
    number = parse_weight(weight)
    for i, sentence in enumerate(model):
        expected = plain.union_lcs(
            sentence, peer, lambda one, other: plain.wlcs_positions(one, other, number)
        )
        found = np.flatnonzero(is_marked[offsets[i] : offsets[i + 1]])
        assert set(found.tolist()) == expected


@pytest.mark.parametrize("weight", WEIGHTS)
def test_wlcs_of_many_sentences(weight: str) -> None:
    # More sentence pairs than one batch holds, of many sizes.
    peer = [[b"%d" % ((k + s) % (2 + s % 5)) for k in range(s % 23)] for s in range(60)]
    model = [[b"%d" % (k * s % 6) for k in range(s % 17)] for s in range(60)]
    texts = pair_texts([peer], [model])
    assert fast_wlcs(texts, texts, weight) == [plain_wlcs(peer, model, weight)]
    assert fast_lcs(texts, texts) == [plain_lcs(peer, model)]


@pytest.mark.parametrize("edge", [64, 128])
def test_wlcs_of_runs_across_the_edge_of_a_limb(edge: int) -> None:
    # The only two matches in a row may lie in the last column of a limb and the first of the
    # next. Then the weighted walk can go elsewhere than ROUGE-L's.
    rng = random.Random(edge)
    peers, models = [], []
    for _ in range(1500):
        tail = [rng.choice([b"a", b"b", b"c", b"z"]) for _ in range(5)]
        peers.append([[b"z"] * (edge - 3) + tail])
        models.append([[rng.choice([b"a", b"b", b"c", b"y"]) for _ in range(rng.randint(3, 5))]])
    texts = pair_texts(peers, models)
    expected = [plain_wlcs(*both, "2") for both in zip(peers, models, strict=True)]
    assert fast_wlcs(texts, texts, "2") == expected
