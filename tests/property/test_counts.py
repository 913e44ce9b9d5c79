"""ROUGE-N, ROUGE-S, ROUGE-SU and Basic Elements against the plain multisets: both forms."""

from collections.abc import Callable, Sequence
from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.core import compiled_core
from rouge_cli.metrics.ngrams import (
    RougeBE,
    RougeN,
    RougeS,
    count_skip_bigrams,
    element_units,
    ngram_hits,
    skip_bigram_hits,
)
from rouge_cli.metrics.paired_texts import Element, TextPair
from rouge_cli.metrics.paired_texts import Text as Tokens
from rouge_cli.options.readers import Number
from tests.plain import metrics as plain
from tests.property.strategies import Text, few, pairs, wide_pairs
from tests.unit.metrics.pairs import pair_columns, pair_of, triple

GAPS = [-1, 0, 1, 4, 30]
MODES = ["H", "HM", "HMR", "HM1", "HMR1", "HMR2"]

gaps = st.sampled_from(GAPS)
fields = st.sampled_from(
    [b"nil", b"cat", b"cats", b"on mats", b"- sits", b"...", b"....", b"nils", b"3rds", b""]
)
relations = st.sampled_from([b"nil", b"mod", b"subj", b"nils"])
elements = st.lists(st.tuples(fields, fields, relations), max_size=12)


def joined(text: Text) -> list[bytes]:
    """Return a text as one sequence of tokens."""
    return list(chain.from_iterable(text))


def without_final_s(word: bytes) -> bytes:
    return word.removesuffix(b"s")


def check_ngrams(pairs: list[tuple[Text, Text]], max_ngram: int) -> None:
    expected = [
        [plain.ngrams(joined(peer), joined(model), n) for peer, model in pairs]
        for n in range(1, max_ngram + 1)
    ]
    counts = [RougeN(max_ngram).count_pair(pair_of(*pair)) for pair in pairs]
    assert [list(map(triple, of_pair)) for of_pair in counts] == [
        list(of_pair) for of_pair in zip(*expected, strict=True)
    ]
    core = compiled_core()
    if core is not None:
        hits = [[hit for hit, _, _ in of_order] for of_order in expected]
        counted = ngram_hits(pair_columns(pairs), max_ngram)
        assert [of_order.tolist() for of_order in counted] == hits


def check_skip_bigrams(pairs: list[tuple[Text, Text]], max_gap: int) -> None:
    expected = [
        [plain.skip_bigrams(joined(peer), joined(model), max_gap, su) for su in (False, True)]
        for peer, model in pairs
    ]
    metric = RougeS(Number(str(max_gap), max_gap), (False, True))
    counts = [metric.count_pair(pair_of(*pair)) for pair in pairs]
    assert [list(map(triple, of_pair)) for of_pair in counts] == expected
    core = compiled_core()
    if core is not None:
        hits, unigram_hits = skip_bigram_hits(pair_columns(pairs), max_gap)
        assert hits.tolist() == [of_pair[0][0] for of_pair in expected]
        assert (hits + unigram_hits).tolist() == [of_pair[1][0] for of_pair in expected]
    shared = [
        len(word_pairs(joined(peer), max_gap) & word_pairs(joined(model), max_gap))
        for peer, model in pairs
    ]
    for pair, n_shared in zip(pairs, shared, strict=True):
        tokens = pair_of(*pair)
        counted = count_skip_bigrams(
            tokens.peer.tokens, tokens.model.tokens, max_gap, are_sets=True
        )
        assert counted.hit == n_shared
    if core is not None:
        different, _ = skip_bigram_hits(pair_columns(pairs), max_gap, are_sets=True)
        assert different.tolist() == shared


def word_pairs(words: Sequence[bytes], max_gap: int) -> set[tuple[bytes, bytes]]:
    return {
        (words[i], words[j])
        for i, j in combinations(range(len(words)), 2)
        if max_gap < 0 or j - i - 1 <= max_gap
    }


@given(st.lists(pairs, max_size=5), st.integers(1, 9))
def test_ngrams(pairs: list[tuple[Text, Text]], max_ngram: int) -> None:
    check_ngrams(pairs, max_ngram)


@few(50)
@given(st.lists(wide_pairs(), min_size=1, max_size=3), st.integers(1, 6))
def test_ngrams_of_wide_sentences(pairs: list[tuple[Text, Text]], max_ngram: int) -> None:
    check_ngrams(pairs, max_ngram)


@given(st.lists(pairs, max_size=5), st.one_of(gaps, st.integers(0, 40)))
def test_skip_bigrams(pairs: list[tuple[Text, Text]], max_gap: int) -> None:
    check_skip_bigrams(pairs, max_gap)


@few(30)
@given(wide_pairs(n_peers=1), gaps)
def test_skip_bigrams_of_wide_sentences(pair: tuple[Text, Text], max_gap: int) -> None:
    check_skip_bigrams([pair], max_gap)


@pytest.mark.parametrize("max_gap", [-1, 200])
def test_skip_bigrams_of_a_long_text(max_gap: int) -> None:
    peer = [[b"%d" % (k * k % 1009) for k in range(1300)]]
    model = [[b"%d" % (k * 3 % 1013) for k in range(1200)]]
    check_skip_bigrams([(peer, model)], max_gap)


@given(
    st.tuples(elements, elements),
    st.sampled_from(MODES),
    st.sampled_from([None, without_final_s]),
    st.sampled_from([None, without_final_s]),
)
def test_basic_elements(
    pair: tuple[list[Element], list[Element]],
    mode: str,
    peer_stem: Callable[[bytes], bytes] | None,
    model_stem: Callable[[bytes], bytes] | None,
) -> None:
    peer, model = pair
    units = TextPair.of(
        Tokens([], element_units(peer, mode, peer_stem)),
        Tokens([], element_units(model, mode, model_stem)),
    )
    (counts,) = RougeBE(mode).count_pair(units)
    assert triple(counts) == plain.basic_elements(
        [b"|".join(element) for element in peer],
        [b"|".join(element) for element in model],
        mode,
        peer_stem=peer_stem,
        model_stem=model_stem,
    )
