"""The compiled core against its twins in NumPy, on texts drawn at random."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.compiled import (
    lcs_hits,
    ngram_hits,
    skip_bigram_hits,
    weighted_lcs_hits,
)
from rouge_cli.metrics.lcs import count_lcs
from rouge_cli.metrics.lcs_backtracking import backtrack_lcs
from rouge_cli.metrics.matching import Matches
from rouge_cli.metrics.ngrams import count_ngrams
from rouge_cli.metrics.perl_numbers import power_table
from rouge_cli.metrics.skip_bigrams import count_skip_bigrams
from rouge_cli.metrics.text_pairs import TextPairs
from rouge_cli.metrics.weighted_lcs import count_wlcs
from rouge_cli.scoring.drand48 import draw_instances
from rouge_cli.text.ascii155 import read_texts
from rouge_cli.text.columns import TextColumns
from rouge_cli.text.compiled import CompiledWords
from rouge_cli.text.reading import ReadTexts, Spelling
from rouge_cli.text.stemmer import Stemmer, Stems

__all__ = ["check_counts", "check_draws", "check_reading", "check_single_pairs", "draw_texts"]

SUFFIXES = (
    *("", "s", "es", "ies", "sses", "ed", "eed", "ing", "y", "e", "ll", "ational", "tional"),
    *("enci", "izer", "bli", "alli", "entli", "eli", "ousli", "ization", "ation", "ator"),
    *("alism", "iveness", "fulness", "ousness", "aliti", "iviti", "biliti", "logi", "icate"),
    *("ative", "alize", "iciti", "ical", "ful", "ness", "al", "ance", "er", "able", "ant"),
    *("ement", "ment", "ent", "sion", "tion", "ou", "ism", "ate", "iti", "ous", "ive", "ize"),
)
ALPHABETS = (b"\n", b"a \n", b"abc \n", b"aesyz ", b"abY-\xc3\n ", bytes(range(256)))
ENDS = ((b" ", b" ", b" ", b" - ", b"\n"), (b" ",), (b"\n",), (b"\n", b"\n\n\n", b" "))
"""What stands behind the words of a text: one sentence, or many."""

LONG = (8, 9, 16, 17, 63, 64, 65, 66, 200, 5_000)
"""Lengths at which NumPy reads words in another way."""


def draw_texts(rng: np.random.Generator, n_texts: int, longest: int) -> list[bytes]:
    """Draw texts of up to `longest` words, or bytes, each; some in words, some in any bytes."""
    lengths = rng.integers(0, longest + 1, n_texts).tolist()
    if rng.random() < 1 / 3:
        letters = np.frombuffer(ALPHABETS[rng.integers(len(ALPHABETS))], np.uint8)
        return [letters[rng.integers(letters.size, size=length)].tobytes() for length in lengths]
    words = _draw_words(rng, int(rng.choice((2, 4, 10, 40, 300))))
    ends = ENDS[rng.integers(len(ENDS))]
    drawn = rng.integers(len(words), size=sum(lengths)).tolist()
    between = rng.integers(len(ends), size=len(drawn)).tolist()
    parts = [words[word] + ends[end] for word, end in zip(drawn, between, strict=True)]
    starts = np.cumsum([0, *lengths]).tolist()
    return [
        b"".join(parts[start : start + length])
        for start, length in zip(starts, lengths, strict=False)
    ]


def _draw_words(rng: np.random.Generator, n_words: int) -> list[bytes]:
    """Draw words that look like English to a stemmer; some are long."""
    letters = np.frombuffer(b"aeiouybcdlnstwxz019", np.uint8)
    words = []
    for _ in range(n_words):
        length = int(rng.choice(LONG)) if rng.random() < 1 / 10 else int(rng.integers(0, 6))
        beginning = letters[rng.integers(letters.size, size=length)].tobytes()
        words.append(beginning + SUFFIXES[rng.integers(len(SUFFIXES))].encode())
    return words


def check_single_pairs(
    core: Any,
    rng: np.random.Generator,
    texts: Sequence[bytes],
    words: tuple[frozenset[bytes] | None, dict[bytes, bytes] | None],
    found: ReadTexts,
) -> None:
    """Read some pairs of the texts of `check_reading` on their own; raises AssertionError."""
    columns = found.stemmed or found.unstemmed
    assert columns is not None
    for _ in range(3):
        peer, model = rng.integers(len(texts), size=(2, 1))
        as_one_sentence = bool(rng.random() < 1 / 2)
        read = CompiledWords(*words).read_pair(
            core, texts[peer[0]], texts[model[0]], as_one_sentence=as_one_sentence
        )
        taken = columns.as_one_sentence() if as_one_sentence else columns
        pairs = TextPairs(taken, peer, taken, model, found.n_types)
        assert read is not None
        alone, *n_tokens = read
        assert n_tokens == [pairs.peer_counts[0], pairs.model_counts[0]]
        hits, lcs = np.empty((4, 1), np.int64), np.empty(1, np.int64)
        core.count_ngrams(alone, 4, hits)
        core.count_lcs(alone, alone, lcs)
        assert np.array_equal(hits, ngram_hits(core, pairs, 4))
        assert np.array_equal(lcs, lcs_hits(core, pairs, pairs))


def _unspelt() -> Spelling:
    """Raise ValueError; the spelling is NumPy's in any case."""
    raise ValueError("nothing is spelt here")


def check_reading(
    core: Any,
    texts: Sequence[bytes],
    stopwords: frozenset[bytes] | None,
    exceptions: dict[bytes, bytes] | None,
) -> tuple[ReadTexts, ReadTexts]:
    """Read texts in both ways, and return both; raises AssertionError where they differ."""
    stemmer = None if exceptions is None else Stemmer(Stems(exceptions))
    expected = read_texts(texts, stopwords, stemmer, with_unstemmed=True)
    words = CompiledWords(stopwords, exceptions)
    found = words.read(core, texts, _unspelt, with_unstemmed=True, unsummed_start=0)
    stems_alone = words.read(core, texts, _unspelt, with_unstemmed=False, unsummed_start=0)
    assert found is not None
    assert stems_alone is not None
    assert _same([found.unstemmed, found.stemmed], [expected.unstemmed, expected.stemmed])
    if stemmer is not None:
        assert _same([stems_alone.stemmed], [expected.stemmed])
        assert stems_alone.unstemmed is None
    return found, expected


def _same(found: list[TextColumns | None], expected: list[TextColumns | None]) -> bool:
    """Say whether columns are the same, whatever their types are called."""
    left, right = ([one for one in columns if one is not None] for columns in (found, expected))
    return len(left) == len(right) and all(
        np.array_equal(one.sentence_offsets, other.sentence_offsets)
        and np.array_equal(one.text_offsets, other.text_offsets)
        for one, other in zip(left, right, strict=True)
    ) and np.array_equal(_renamed(left), _renamed(right))  # fmt: skip


def _renamed(columns: list[TextColumns]) -> NDArray[np.int64]:
    """Return for each token of all columns the first one of its type."""
    types = np.concatenate([one.types for one in columns])
    _, firsts, numbers = np.unique(types, return_index=True, return_inverse=True)
    return firsts[numbers]


@dataclass(frozen=True, slots=True, eq=False)
class _Both:
    """The same pairs as the core takes them, and matched by NumPy."""

    pairs: TextPairs
    matches: Matches

    @classmethod
    def of(
        cls,
        found: TextColumns,
        expected: TextColumns,
        n_types: tuple[int, int],
        texts: tuple[NDArray[np.int64], NDArray[np.int64]],
    ) -> "_Both":
        pairs = TextPairs(found, texts[0], found, texts[1], n_types[0])
        twin = TextPairs(expected, texts[0], expected, texts[1], n_types[1])
        return cls(pairs, twin.matches())


def check_counts(core: Any, rng: np.random.Generator, found: ReadTexts, expected: ReadTexts) -> int:
    """Pair the texts of `check_reading` at random, and count in both ways.

    Returns
    -------
    int
        The number of pairs.

    Raises
    ------
    AssertionError
        Where anything differs.
    """
    columns, twins = found.stemmed or found.unstemmed, expected.stemmed or expected.unstemmed
    assert columns is not None
    assert twins is not None
    n_texts = columns.text_offsets.size - 1
    texts = rng.permutation(n_texts), rng.integers(n_texts, size=n_texts)
    n_types = found.n_types, expected.n_types
    both = _Both.of(columns, twins, n_types, texts)
    max_ngram, max_gap = int(rng.integers(1, 6)), int(rng.integers(-1, 9))
    hits = ngram_hits(core, both.pairs, max_ngram)
    for of_order, counts in zip(hits, count_ngrams(both.matches, max_ngram), strict=True):
        assert np.array_equal(of_order, counts.hit)
    _check_skip_bigrams(core, both, max_gap)
    if rng.random() < 1 / 4:
        whole = _Both.of(columns.as_one_sentence(), twins.as_one_sentence(), n_types, texts)
        _check_lcs(core, whole, both, 1.2)
    tables = both
    if rng.random() < 1 / 4:
        n_tokens = int(rng.integers(1, 9))
        limited = columns.first_tokens(n_tokens), twins.first_tokens(n_tokens)
        tables = _Both.of(*limited, n_types, texts)
    _check_lcs(core, both, tables, float(rng.choice((0.5, 1.0, 1.2, 2.0, 3.7))))
    return n_texts


def _check_skip_bigrams(core: Any, both: _Both, max_gap: int) -> None:
    """Count skip-bigrams in both ways."""
    hit, unigram_hit = skip_bigram_hits(core, both.pairs, max_gap)
    skip, with_unigrams = count_skip_bigrams(both.matches, max_gap, (False, True))
    assert np.array_equal(hit, skip.hit)
    assert np.array_equal(hit + unigram_hit, with_unigrams.hit)


def _check_lcs(core: Any, both: _Both, tables: _Both, weight: float) -> None:
    """Count ROUGE-L and ROUGE-W in both ways, clipped by the unigrams of `tables`."""
    marked = backtrack_lcs(both.matches)
    plain = count_lcs(both.matches, tables.matches, marked)
    assert np.array_equal(lcs_hits(core, both.pairs, tables.pairs), plain.hit)
    # The same tables, matched again: the core then looks the limits up.
    same = replace(tables.pairs, _compiled=None)
    assert np.array_equal(lcs_hits(core, both.pairs, same), plain.hit)
    weighted = count_wlcs(both.matches, tables.matches, marked, weight, is_whole=False)
    f = power_table(both.pairs.longest_model_sentence, weight)
    hits, bases = weighted_lcs_hits(core, both.pairs, tables.pairs, f)
    assert np.array_equal(hits, weighted.hit)
    assert weighted.model_base is not None
    assert np.array_equal(bases, weighted.model_base)
    hits, bases = weighted_lcs_hits(core, both.pairs, same, f)
    assert np.array_equal(hits, weighted.hit)
    assert np.array_equal(bases, weighted.model_base)


def check_draws(core: Any, n_instances: int, first_resample: int, n_resamples: int) -> None:
    """Draw in both ways; raises AssertionError where they differ."""
    times = np.empty((n_resamples, n_instances), np.uint8)
    assert core.draw(n_instances, first_resample, times)
    resamples = range(first_resample, first_resample + n_resamples)
    drawn = draw_instances(n_instances, resamples)
    assert np.array_equal(times, [np.bincount(row, minlength=n_instances) for row in drawn])
