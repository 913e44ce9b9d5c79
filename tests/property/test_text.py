"""Tokens, types, limits and joins against their plain definitions."""

import random

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from rouge_cli.metrics.matching import join_keys, sort_with_places
from rouge_cli.text import limits as fast
from rouge_cli.text.ascii155 import read_texts
from rouge_cli.text.interning import examples_of_types
from rouge_cli.text.porter import porter_stem
from rouge_cli.text.porter_columns import porter_stems
from rouge_cli.text.tokens import TokenEdges, find_tokens
from tests.plain import texts as plain
from tests.plain.porter import STEP_2, STEP_3, STEP_4, porter, rules

# Equal in their first 8 or 16 bytes, or of 8, 16 or 17 bytes and more to begin with.
LIKE_WORDS = [
    stem + tail
    for stem in (b"z" * 7, b"z" * 8, b"z" * 15, b"z" * 16, b"a" * 40, b"a" * 8 + b"z" * 8)
    for tail in (b"", b"a", b"z", b"0", b"zz")
]
SEPARATORS = [
    b" ",
    b"\t",
    b"\r",
    b"\xff",
    b"\xff\xff",
    b"\x00",
    b"-",
    b"--",
    b"\x0b",
    b"'",
    b"\xc3\xa9",
]

pieces = st.one_of(
    st.sampled_from(LIKE_WORDS),
    st.sampled_from(SEPARATORS),
    st.sampled_from([b"a", b"b", b"The", b"CAT", b"9"]),
    st.binary(max_size=6),
    st.text("abz09", max_size=20).map(str.encode),
)
raw_sentences = st.lists(pieces, max_size=8).map(lambda parts: b"".join(parts).replace(b"\n", b" "))
raw_texts = st.lists(raw_sentences, max_size=6)
keys = st.one_of(
    st.lists(st.integers(0, 6), max_size=40),
    st.lists(st.integers(0, 2**62), max_size=20),
    st.lists(st.sampled_from([0, 1, 2**31, 2**57 - 1, 2**57, 2**62, 2**63 - 1]), max_size=40),
)


def strings_of(edges: TokenEdges) -> list[bytes]:
    """Return every token as bytes."""
    return edges.strings(np.arange(edges.starts.size))


def check_types(edges: TokenEdges) -> None:
    """Two tokens have the same example if they are the same string, and only then."""
    examples = examples_of_types(edges).tolist()
    strings = strings_of(edges)
    assert [strings[example] for example in examples] == strings
    assert len(set(examples)) == len(set(strings))
    assert [examples[example] for example in examples] == examples


@given(st.lists(raw_texts, max_size=4))
def test_tokens_of_sentences_of_texts(texts: list[list[bytes]]) -> None:
    edges = find_tokens([b"\n".join(sentences) for sentences in texts])
    strings, offsets = strings_of(edges), edges.sentence_offsets
    found = []
    for start, end in zip(edges.text_offsets[:-1], edges.text_offsets[1:], strict=True):
        spans = zip(offsets[start:end], offsets[start + 1 : end + 1], strict=True)
        found.append([strings[first:last] for first, last in spans])
    # A text without sentences is here one that is empty.
    expected = [[plain.tokens(sentence) for sentence in sentences or [b""]] for sentences in texts]
    assert found == expected


@given(st.lists(raw_sentences, max_size=8))
@example([b"\xff" * 20, b"zzzzzzzz \xff\xff\xff\xff\xff\xff\xff\xff"])
@example([b"zzzzzzz\xff zzzzzzz zzzzzzzz zzzzzzzzz", b"z"])
def test_types_are_strings(texts: list[bytes]) -> None:
    check_types(find_tokens(texts))


@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(1, 3000))
def test_types_of_many_tokens(seed: int, longest: int, n_tokens: int) -> None:
    # Many of them share a slot of the table at first.
    rng = random.Random(seed)
    head = rng.choice([b"", b"a" * 7, b"a" * 8, b"b" * 16])
    tail = [rng.randrange(10 ** rng.randint(1, longest)) for _ in range(n_tokens)]
    check_types(find_tokens([b" ".join(head + b"%d" % number for number in tail)]))


def test_types_of_more_tokens_than_the_table_has_slots() -> None:
    numbers = [k * 7919 % 300_007 for k in range(400_000)]
    check_types(find_tokens([b" ".join(b"%x" % number for number in numbers)]))


def test_types_of_no_tokens() -> None:
    for texts in ([], [b""], [b"", b"\n", b" - \xff"]):
        assert examples_of_types(find_tokens(texts)).size == 0


@given(raw_texts, st.sets(st.sampled_from([b"a", b"b", b"the", b"z" * 8, b"z" * 17])))
def test_stopwords(sentences: list[bytes], stopwords: set[bytes]) -> None:
    read = read_texts([b"\n".join(sentences)], frozenset(stopwords), None, with_unstemmed=True)
    columns = read.unstemmed
    assert columns is not None
    expected = [plain.tokens(sentence, stopwords=stopwords) for sentence in sentences or [b""]]
    assert np.diff(columns.sentence_offsets).tolist() == list(map(len, expected))
    # Which tokens these are: the same type exactly where the same string stands.
    tokens = [token for sentence in expected for token in sentence]
    types = columns.types.tolist()
    assert [types.index(number) for number in types] == [tokens.index(token) for token in tokens]


def sentences_in(text: bytes) -> list[bytes]:
    """Return the sentences of a normalised text."""
    return [sentence for sentence in text.split(b"\n") if sentence]


limit = st.integers(1, 40)


@given(raw_texts, limit)
def test_word_limit(sentences: list[bytes], n: int) -> None:
    (found,) = fast.limit_words([b"\n".join(sentences)], n)
    assert sentences_in(found) == list(filter(None, plain.limit_words(sentences, n)))


@given(raw_texts, limit)
def test_byte_limit(sentences: list[bytes], n: int) -> None:
    (found,) = fast.limit_bytes([b"\n".join(sentences)], n)
    assert sentences_in(found) == list(filter(None, plain.limit_bytes(sentences, n)))


@given(raw_texts, limit)
def test_byte_limit_that_is_never_added_up(sentences: list[bytes], n: int) -> None:
    (found,) = fast.limit_bytes_unsummed([b"\n".join(sentences)], n)
    assert sentences_in(found) == list(filter(None, plain.limit_bytes_unsummed(sentences, n)))


@given(st.lists(raw_texts, max_size=4), limit)
def test_limits_take_each_text_by_itself(texts: list[list[bytes]], n: int) -> None:
    joined = [b"\n".join(sentences) for sentences in texts]
    for cut in (fast.limit_words, fast.limit_bytes, fast.limit_bytes_unsummed):
        assert cut(joined, n) == [cut([text], n)[0] for text in joined]


@given(keys, keys)
@example([2**63 - 1], [2**63 - 1])
@example([2**62, 2**62 + 1, 2**62], [2**62, 2**62])
@example([], [])
def test_join(peer_keys: list[int], model_keys: list[int]) -> None:
    shared = sorted(set(peer_keys) & set(model_keys))
    join = join_keys(np.array(peer_keys, np.int64), np.array(model_keys, np.int64))
    assert join.keys.tolist() == shared
    assert join.peer_counts.tolist() == [peer_keys.count(key) for key in shared]
    assert join.model_counts.tolist() == [model_keys.count(key) for key in shared]
    assert join.peer_members.tolist() == places_of(shared, peer_keys)
    assert join.model_members.tolist() == places_of(shared, model_keys)
    assert join.hits.tolist() == [
        min(peer_keys.count(key), model_keys.count(key)) for key in shared
    ]


def places_of(shared: list[int], keys: list[int]) -> list[int]:
    """Return where each shared key stands, key by key."""
    return [place for key in shared for place, other in enumerate(keys) if other == key]


@given(keys)
@example([2**63 - 1, 0, 2**63 - 1])
def test_sort_with_places(keys: list[int]) -> None:
    expected = sorted((key, place) for place, key in enumerate(keys))
    found, places = sort_with_places(np.array(keys, np.int64))
    assert list(zip(found.tolist(), places.tolist(), strict=True)) == expected


def test_join_of_many_keys() -> None:
    rng = random.Random(5)
    for top in (300, 10**6, 2**58):
        peer_keys = [rng.randrange(top) for _ in range(5000)]
        model_keys = [rng.randrange(top) for _ in range(3000)] + peer_keys[:500]
        join = join_keys(np.array(peer_keys), np.array(model_keys))
        peer_places: dict[int, list[int]] = {}
        for place, key in enumerate(peer_keys):
            peer_places.setdefault(key, []).append(place)
        shared = sorted(peer_places.keys() & set(model_keys))
        assert join.keys.tolist() == shared
        assert join.peer_members.tolist() == [place for key in shared for place in peer_places[key]]


ENDS = [
    *(suffix for suffix, _ in (*rules(STEP_2), *rules(STEP_3), *rules(STEP_4))),
    *("s", "ss", "sses", "ies", "ed", "eed", "ing", "y", "yy", "ment", "ent", "ion", "sion"),
    *("e", "ll", "at", "bl", "iz", "w", "x", "zz", "1"),
]
stemmed_words = st.tuples(
    st.text("abdeilnosty1z", max_size=7), st.lists(st.sampled_from(ENDS), max_size=3)
).map(lambda parts: (parts[0] + "".join(parts[1])).encode())


@given(st.lists(stemmed_words, min_size=20, max_size=20))
def test_stems(words: list[bytes]) -> None:
    """No step is left out that would have changed a word."""
    expected = list(map(porter, words))
    assert list(map(porter_stem, words)) == expected
    long = [word for word in words if len(word) >= 3]
    assert porter_stems(long) == list(map(porter, long))
