"""Tokens, types, limits and stems against their plain definitions."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.text import ascii155 as fast
from rouge_cli.text.ascii155 import read_texts, split_tokens
from rouge_cli.text.stems import porter_stem
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


@given(st.lists(raw_texts, max_size=4))
def test_tokens_of_sentences_of_texts(texts: list[list[bytes]]) -> None:
    found = [split_tokens(b"\n".join(sentences)) for sentences in texts]
    # A text without sentences is here one that is empty.
    expected = [[plain.tokens(sentence) for sentence in sentences or [b""]] for sentences in texts]
    assert found == expected


@given(raw_texts, st.sets(st.sampled_from([b"a", b"b", b"the", b"z" * 8, b"z" * 17])))
def test_stopwords(sentences: list[bytes], stopwords: set[bytes]) -> None:
    read = read_texts([b"\n".join(sentences)], frozenset(stopwords), None)
    columns = read.unstemmed
    assert columns is not None
    expected = [plain.tokens(sentence, stopwords=stopwords) for sentence in sentences or [b""]]
    assert np.diff(columns.sentence_offsets).tolist() == list(map(len, expected))
    # Which tokens these are: the same type exactly where the same string stands.
    tokens = [token for sentence in expected for token in sentence]
    types = columns.types.tolist()
    assert [types.index(number) for number in types] == [tokens.index(token) for token in tokens]


def sentences_in(text: bytes) -> list[bytes]:
    return [sentence for sentence in text.split(b"\n") if sentence]


limit = st.integers(1, 40)


@given(raw_texts, limit)
def test_word_limit(sentences: list[bytes], n: int) -> None:
    limited = fast.limit_words(b"\n".join(sentences), n)
    assert sentences_in(limited) == list(filter(None, plain.limit_words(sentences, n)))


@given(raw_texts, limit)
def test_byte_limit(sentences: list[bytes], n: int) -> None:
    limited = fast.limit_bytes(b"\n".join(sentences), n)
    assert sentences_in(limited) == list(filter(None, plain.limit_bytes(sentences, n)))


@given(raw_texts, limit)
def test_byte_limit_that_is_never_added_up(sentences: list[bytes], n: int) -> None:
    limited = fast.limit_bytes_unsummed(b"\n".join(sentences), n)
    assert sentences_in(limited) == list(filter(None, plain.limit_bytes_unsummed(sentences, n)))


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
    assert list(map(porter_stem, words)) == list(map(porter, words))
