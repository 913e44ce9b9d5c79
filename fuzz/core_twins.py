"""The compiled core against the reference, on texts drawn at random.

`COMPARED` lists which functions return the same, and which of the checks here holds each of them.
"""

import re
from collections.abc import Sequence
from itertools import islice, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fuzz.bulk_twins import check_index, check_pairs, check_vocabulary
from rouge_cli.compat.google import LONGEST_KEPT
from rouge_cli.metrics.arithmetic import LARGEST_SCALED, ordered_sums, power_table, score_pair
from rouge_cli.metrics.counts import Counts, PairCounts
from rouge_cli.metrics.formulas import rounded_scores
from rouge_cli.metrics.lcs import (
    PeerSentence,
    WordPairs,
    aligned,
    count_pairwise_lcs,
    count_text_lcs,
    count_union_lcs,
    lcs_hits,
    matched_words,
    pairwise_lcs_hits,
    text_lcs_hits,
)
from rouge_cli.metrics.ngrams import (
    RougeS,
    count_ngrams,
    count_skip_bigrams,
    ngram_hits,
    ngrams,
    skip_bigram_hits,
)
from rouge_cli.metrics.paired_texts import (
    LCS,
    NGRAM,
    TEXT_LCS,
    PairUnit,
    TextPair,
    TextPairs,
    Tokens,
)
from rouge_cli.metrics.sources import (
    SELECTION_RULES,
    choose_sentences,
    chosen_sentences,
    count_ngrams_once,
    fragment_sums,
    fragments,
    ngram_counts,
)
from rouge_cli.metrics.weighted_lcs import (
    RougeW,
    count_weighted_lcs,
    matched_weighted,
    weighted_lcs_hits,
)
from rouge_cli.options.readers import Number
from rouge_cli.protocols.counting import CountChoices, ProtocolPairs, measures_of
from rouge_cli.protocols.texts import nltk_stemmer
from rouge_cli.scores.bootstrap import draw_instances, means_of_drawn, products
from rouge_cli.text.ascii155 import (
    CompiledWords,
    columns_of,
    read_texts,
    split_at_blanks,
    split_tokens,
)
from rouge_cli.text.columns import FlaggedTexts, ReadTexts, TextColumns
from rouge_cli.text.seen import flag_texts
from rouge_cli.text.segmenters import compiled_number_words, number_words
from rouge_cli.text.stems import Numbers, Stems

__all__ = [
    "COMPARED",
    "check_counts",
    "check_draws",
    "check_flags",
    "check_lone_scores",
    "check_means",
    "check_numbering",
    "check_reading",
    "check_single_pairs",
    "check_stems",
    "draw_texts",
]

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

FIRST_CODES = (0x21, 0x3B1, 0xFFF0, 0x1F600)
"""Where code points begin that take one byte, two, two or four, and four."""

LETTERS_AND_SIGNS = (
    *(b" ", b"\n", b"\t", b"\x1f", b"the ", b"Zz", b"\xc3\xbc", "Straße".encode(), "жук ".encode()),
    *("…".encode(), "“ ".encode(), "🙂".encode(), b"\xc3\x97", b"\xc2\xad", b"\xc2\xaa", b"\xc2"),
    *("　".encode(), b"\xef\xb8\x8f", b"\xe2\x80", b"\xf0\x9f\x80", b"\xe9", b"\x80", b"\xff"),
)
"""Words of several languages, signs, blanks, and what is cut or not UTF-8."""

FLAGGED = (
    *(b"&", b"<", b"#", b"a", b"A", b"q", b"Q", b"z", b"/", b"br>", b"&amp;", b"\\", b"n", b"\\n"),
    *(b"\0", b" ", b"\n", b".", b"?", b"!", b". ", b"\xc2", b"\xad", b"\xe2", b"\x80", b"\x8b"),
    *(b"a long run of letters without any sign", b"\xc2\xad", b"\xe2\x80\x8b", b"\xff", b"@", b"["),
)
"""What warnings look for in texts, parts of it, and what comes near."""

JSON_PARTS = (
    *(
        '"',
        '"a b"',
        '"prediction"',
        '"references"',
        '"id"',
        ":",
        ",",
        "{",
        "}",
        "[",
        "]",
        " ",
        "\r",
    ),
    *("null", "true", "tru", "NaN", "-", "0", "-0", "12", "01", "1.5", "1.", "2e9", "9" * 400, "x"),
    *("\\n", "\\u00e9", "\\u0000", "\\ud83d\\ude00", "\\ud83d", "\\ude00", "\\u12", "\\x", "\t"),
    *("é", "日本", "🙂", "\x7f", "\u00a0", "[" * 40, '"n": {"a": [1, {}]}, ', "\ufeff"),
    *('"other": 1, ', '"n": {"a": 1, "b": 2, "a": 1}, ', '"\\u0069d": "1", '),
)
"""What may stand in a line of JSON, at its place or not."""

NOT_UTF8 = (b"\xff", b"\xc3", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\0")

LONG = (8, 9, 16, 17, 63, 64, 65, 66, 200, 5_000)
"""Lengths of words at which the core's keys change."""


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


def check_reading(
    core: Any,
    texts: Sequence[bytes],
    stopwords: frozenset[bytes] | None,
    exceptions: dict[bytes, bytes] | None,
) -> ReadTexts:
    """Read texts in both ways; raises AssertionError where they differ.

    Returns
    -------
    ReadTexts
        What the core returns.
    """
    stems = None if exceptions is None else Stems.of(exceptions)
    expected = read_texts(texts, stopwords, stems)
    words = _compiled(stopwords, exceptions)
    found = words.read(core, texts, has_flags=True)
    stems_alone = words.read(core, texts, with_unstemmed=False)
    assert found is not None
    assert stems_alone is not None
    assert found.flags == flag_texts(texts, has_letters=True)
    assert stems_alone.flags is None
    assert _same([found.unstemmed, found.stemmed], [expected.unstemmed, expected.stemmed])
    if stems is not None:
        assert _same([stems_alone.stemmed], [expected.stemmed])
        assert stems_alone.unstemmed is None
    _check_groups(core, words, texts, expected)
    _check_blanks(core, texts)
    return found


def _compiled(
    stopwords: frozenset[bytes] | None, exceptions: dict[bytes, bytes] | None
) -> CompiledWords:
    """Return word lists as the core reads with them."""
    return CompiledWords(stopwords, None if exceptions is None else Stems.of(exceptions))


def _check_groups(
    core: Any, words: CompiledWords, texts: Sequence[bytes], expected: ReadTexts
) -> None:
    """Read texts in groups, of which one is empty; raises AssertionError where a group differs."""
    starts = np.array([0, len(texts) // 3, len(texts) // 3, len(texts)])
    found = words.read(core, texts, starts=starts)
    assert found is not None
    pairs = ((found.unstemmed, expected.unstemmed), (found.stemmed, expected.stemmed))
    for start, stop in pairwise(starts.tolist()):
        group = np.arange(start, stop)
        for columns, wanted in pairs:
            if columns is not None and wanted is not None:
                assert _same([columns.take(group)], [wanted.take(group)])


def _check_blanks(core: Any, texts: Sequence[bytes]) -> None:
    """Read words between blanks; raises AssertionError where they differ."""
    numbers: Numbers[bytes] = Numbers()
    types, _, sentences, offsets, n_types, _ = core.read_texts(
        tuple(texts), None, None, None, True, False, None, True
    )
    ends = (np.frombuffer(array, np.int64) for array in (sentences, offsets))
    found = TextColumns(np.frombuffer(types, np.int32), *ends)
    assert _same([found], [columns_of(list(map(split_at_blanks, texts)), numbers)])
    assert n_types == len(numbers)


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
        both = texts[peer[0]], texts[model[0]]
        counted = _compiled(*words).pair_counter(core, (4, True, True, True))(*both)
        flagged = flag_texts(both, has_letters=True)
        pairs = TextPairs(columns, peer, columns, model, found.n_types)
        expected = (
            *(pairs.peer_counts[0], pairs.model_counts[0]),
            *(hits[0] for hits in ngram_hits(pairs, 4)),
            *(lcs_hits(pairs, pairs)[0], text_lcs_hits(pairs)[0]),
            *(flagged.n_newlines, flagged.flags[0] | flagged.flags[1]),
        )
        assert counted == expected
        _check_nltk_stems(core, *both)


def _check_nltk_stems(core: Any, peer: bytes, model: bytes) -> None:
    """Count a pair with the stems of NLTK, which `check_stems` holds; raises AssertionError."""

    def stem(word: bytes) -> bytes:
        return word if len(word) <= LONGEST_KEPT else core.nltk_stem(word, True)

    stems = [
        b"\n".join(b" ".join(map(stem, words)) for words in split_tokens(text))
        for text in (peer, model)
    ]
    units = (2, True, True, False)
    counter = CompiledWords(None, Stems(b""), as_nltk=True).pair_counter(core, units)
    assert counter(peer, model) == CompiledWords(None, None).pair_counter(core, units)(*stems)


def check_lone_scores(core: Any, rng: np.random.Generator, n_scores: int) -> None:
    """Score random counts in both ways, ties among them; raises AssertionError."""
    for _ in range(n_scores):
        model_count, peer_count = rng.choice((64, 128, 3200, 6400, int(rng.integers(1, 999))), 2)
        hit = int(rng.integers(min(model_count, peer_count) + 1))
        alpha = float(rng.choice((0, 0.5, 1, rng.random())))
        counts = hit, int(model_count), int(peer_count), alpha
        assert core.score_pair(*counts) == score_pair(*counts), counts


def check_counts(core: Any, rng: np.random.Generator, found: ReadTexts) -> int:
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
    columns = found.stemmed or found.unstemmed
    assert columns is not None
    n_texts = columns.text_offsets.size - 1
    texts = rng.permutation(n_texts), rng.integers(n_texts, size=n_texts)

    def pairs_of(some: TextColumns) -> TextPairs:
        return TextPairs(some, texts[0], some, texts[1], found.n_types)

    pairs = pairs_of(columns)
    _check_ngrams(core, pairs, int(rng.integers(1, 6)))
    _check_sets(core, pairs, int(rng.integers(1, 5)))
    _check_skip_bigrams(core, pairs, int(rng.integers(-1, 9)))
    _check_pairwise_lcs(core, pairs)
    _check_selections(core, rng, columns, found.n_types)
    _check_fragments(core, pairs)
    _check_novel(core, pairs, int(rng.integers(1, 6)), is_cut=rng.random() < 1 / 2)
    _check_marked_words(core, pairs)
    if rng.random() < 1 / 4:
        _check_units(core, rng, pairs)
    tables = pairs
    if rng.random() < 1 / 4:
        tables = pairs_of(columns.first_tokens(int(rng.integers(1, 9))))
    elif rng.random() < 1 / 2:
        # The same texts, matched again: the core then looks the limits up.
        tables = pairs_of(columns)
    _check_lcs(core, pairs, tables)
    _check_weighted_lcs(core, pairs, tables, float(rng.choice((0.5, 1.0, 1.2, 2.0, 3.7))))
    return n_texts


def _text_pairs(pairs: TextPairs, tables: TextPairs | None = None) -> list[TextPair]:
    """Return pairs as the reference takes them, clipped by the unigrams of `tables`."""
    clipping = pairs.texts() if tables is None else tables.texts()
    return [
        TextPair(peer, model, peer_table.tokens, model_table.tokens)
        for (peer, model), (peer_table, model_table) in zip(pairs.texts(), clipping, strict=True)
    ]


def _hits(counts: Sequence[PairCounts]) -> list[float]:
    """Return the hit of each pair."""
    return [pair.hit for pair in counts]


def _check_ngrams(core: Any, pairs: TextPairs, max_ngram: int) -> None:
    for n, hits in enumerate(ngram_hits(pairs, max_ngram), 1):
        counts = [count_ngrams(peer.tokens, model.tokens, n) for peer, model in pairs.texts()]
        assert hits.tolist() == _hits(counts)


def _check_sets(core: Any, pairs: TextPairs, order: int) -> None:
    different = ProtocolPairs(pairs.peers, pairs.peer_texts, pairs.model_texts, pairs.n_types)
    choices = CountChoices(metrics=(("", f"ROUGE-{order}"),), ngrams="sets")
    counts = measures_of(choices)[0].counts(different).T.tolist()
    for (peer, model), found in zip(pairs.texts(), counts, strict=True):
        sides = [frozenset(ngrams(text.tokens, order)) for text in (peer, model)]
        assert found == [len(sides[0] & sides[1]), len(sides[1]), len(sides[0])]


def _check_skip_bigrams(core: Any, pairs: TextPairs, max_gap: int) -> None:
    hits, unigram_hits = skip_bigram_hits(pairs, max_gap)
    metric = RougeS(Number(str(max_gap), max_gap), (False, True))
    counts = [metric.count_pair(pair) for pair in _text_pairs(pairs)]
    assert hits.tolist() == _hits([skip for skip, _ in counts])
    assert (hits + unigram_hits).tolist() == _hits([both for _, both in counts])
    different, _ = skip_bigram_hits(pairs, max_gap, are_sets=True)
    assert different.tolist() == [
        count_skip_bigrams(peer.tokens, model.tokens, max_gap, are_sets=True).hit
        for peer, model in pairs.texts()
    ]


def _check_text_lcs(core: Any, pairs: TextPairs) -> None:
    counts = [count_text_lcs(peer.tokens, model.tokens) for peer, model in pairs.texts()]
    assert text_lcs_hits(pairs).tolist() == _hits(counts)


def _check_units(core: Any, rng: np.random.Generator, pairs: TextPairs) -> None:
    kinds = PairUnit(NGRAM, int(rng.integers(1, 6))), PairUnit(LCS), PairUnit(TEXT_LCS)
    units = [unit for unit in kinds if rng.random() < 1 / 2]
    sides = pairs.peers, pairs.peer_texts, pairs.models, pairs.model_texts
    # Some are counted at once, and others when they are asked for.
    together = TextPairs(*sides, pairs.n_types, units)
    _check_text_lcs(core, together)
    _check_lcs(core, together, together)
    _check_ngrams(core, together, 2)


def _check_pairwise_lcs(core: Any, pairs: TextPairs) -> None:
    hits, peer_hits = pairwise_lcs_hits(pairs)
    counts = [count_pairwise_lcs(peer, model) for peer, model in pairs.texts()]
    assert hits.tolist() == _hits(counts)
    assert peer_hits.tolist() == [pair.peer_hit for pair in counts]


def _check_selections(
    core: Any, rng: np.random.Generator, columns: TextColumns, n_types: int
) -> None:
    """Choose sentences of some texts that are like one other text, or like several."""
    n_texts = columns.text_offsets.size - 1
    n_documents = min(n_texts, 9)
    starts = np.append(0, np.cumsum(rng.integers(1, 4, n_documents)))
    documents = np.repeat(rng.integers(n_texts, size=n_documents), np.diff(starts))
    summaries = rng.integers(n_texts, size=documents.size)
    pairs = TextPairs(columns, documents, columns, summaries, n_types)
    take, rule = int(rng.integers(0, 5)), SELECTION_RULES[rng.choice([*SELECTION_RULES])]
    order, gains, counts = choose_sentences(pairs, core, starts, take, rule)
    texts = pairs.texts()
    for number, (start, end) in enumerate(pairwise(starts.tolist())):
        models = [model for _, model in texts[start:end]]
        steps = list(islice(chosen_sentences(texts[start][0], models, rule), take))
        taken = number, slice(0, int(counts[number]))
        assert list(zip(order[taken].tolist(), gains[taken].tolist(), strict=True)) == steps


def _check_fragments(core: Any, pairs: TextPairs) -> None:
    expected = [
        [length for *_, length in fragments(summary.tokens, source.tokens)]
        for summary, source in pairs.texts()
    ]
    lengths, squares = fragment_sums(pairs, core)
    assert lengths.tolist() == [sum(runs) for runs in expected]
    assert squares.tolist() == [sum(n * n for n in runs) for runs in expected]


def _check_novel(core: Any, pairs: TextPairs, n_orders: int, *, is_cut: bool) -> None:
    counts = ngram_counts(pairs, core, n_orders, is_cut=is_cut)
    for order in range(1, n_orders + 1):
        expected = [count_ngrams_once(*both, order, is_cut=is_cut) for both in pairs.texts()]
        assert counts[order - 1].T.tolist() == list(map(list, expected))


def _check_marked_words(core: Any, pairs: TextPairs) -> None:
    marks = [
        np.zeros(int(counts.sum()), np.uint8) for counts in (pairs.peer_counts, pairs.model_counts)
    ]
    core.mark_lcs_words(pairs.compiled, *marks)
    starts = [0, 0]
    for peer, model in pairs.texts():
        alignments = aligned(TextPair.of(peer, model), matched_words)
        on_lcs = [both for alignment in alignments for both in alignment.words]
        for side, text in enumerate((peer, model)):
            end = starts[side] + len(text.tokens)
            found = np.flatnonzero(marks[side][starts[side] : end]).tolist()
            assert found == sorted({both[1 - side] for both in on_lcs})
            starts[side] = end


def _check_lcs(core: Any, pairs: TextPairs, tables: TextPairs) -> None:
    counts = [count_union_lcs(pair) for pair in _text_pairs(pairs, tables)]
    assert lcs_hits(pairs, tables).tolist() == _hits(counts)


def _check_weighted_lcs(core: Any, pairs: TextPairs, tables: TextPairs, weight: float) -> None:
    f = np.array(power_table(pairs.longest_model_sentence, weight))
    hits, bases = weighted_lcs_hits(pairs, tables, f)
    metric = RougeW(Number(repr(weight), weight))
    counts = [metric.count_pair(pair)[0] for pair in _text_pairs(pairs, tables)]
    assert hits.tolist() == _hits(counts)
    assert bases.tolist() == [pair.model_base for pair in counts]
    hits, _ = weighted_lcs_hits(pairs, tables, f, table_weight=1.3, adds_rises=True)

    def matched(peer: PeerSentence, model: Tokens) -> WordPairs:
        return matched_weighted(peer, model, 1.3, adds_rises=True)

    def weigh(length: float) -> float:
        return f[int(length)].item() if length < f.size else 0.0

    both = _text_pairs(pairs, tables)
    assert hits.tolist() == _hits([count_weighted_lcs(pair, matched, weigh) for pair in both])


def check_numbering(core: Any, rng: np.random.Generator, texts: Sequence[bytes]) -> None:
    """Give words of the texts numbers in both ways; raises AssertionError where they differ."""
    first = FIRST_CODES[rng.integers(len(FIRST_CODES))]
    moved = {code: code - 0x21 + first for code in range(0x21, 256)}
    text = b"\n".join(texts).decode("latin-1").translate(moved)
    whole = [match.span() for match in re.finditer(r"[^\n ]+", text)]
    starts, ends = np.array(whole, np.int64).reshape(-1, 2).T
    # Words as they stand, and shorter ones, of no character too.
    lengths = rng.integers(ends - starts + 1) if rng.random() < 1 / 2 else ends - starts
    expected = number_words(text, starts, starts + lengths)
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    found = compiled_number_words(core, codes, starts, starts + lengths)
    assert np.array_equal(found[0], expected[0])
    assert np.array_equal(found[1], expected[1])


def check_flags(core: Any, rng: np.random.Generator, n_texts: int) -> None:
    """Flag texts of what is flagged and its neighbours; raises AssertionError on a difference.

    Some are longer than what is looked at for broken words. What flags texts while it reads them
    has to return the same.
    """
    parts = (FLAGGED, LETTERS_AND_SIGNS, FLAGGED + LETTERS_AND_SIGNS)[rng.integers(3)]
    some = rng.permutation(len(parts))[: rng.integers(1, 9)]
    lengths = rng.choice((0, 1, 3, 9, 40, 120, 400, 2_000), n_texts)
    texts = [
        b"".join(parts[part] for part in rng.choice(some, length).tolist())
        for length in lengths.tolist()
    ]
    for has_letters in (False, True):
        expected = flag_texts(texts, has_letters=has_letters)
        assert FlaggedTexts(*core.flag_texts(tuple(texts), has_letters)) == expected
    read = core.read_texts(tuple(texts), None, None, None, True, True)
    assert FlaggedTexts(*read[-1]) == expected


def check_draws(core: Any, n_instances: int, first_resample: int, n_resamples: int) -> None:
    """Draw in both ways; raises AssertionError where they differ."""
    times = np.empty((n_resamples, n_instances), np.uint8)
    assert core.draw(n_instances, first_resample, times)
    resamples = range(first_resample, first_resample + n_resamples)
    drawn = draw_instances(n_instances, resamples)
    assert np.array_equal(times, [np.bincount(row, minlength=n_instances) for row in drawn])
    units = np.asfortranarray(drawn[:2].T % (1 << 17), np.int32)
    sums = np.empty((n_resamples, units.shape[1]), np.int64)
    core.sum_drawn(n_instances, times, units.T, sums)
    assert np.array_equal(sums, products(times, units))


def check_means(core: Any, rng: np.random.Generator, n_rows: int) -> None:
    """Draw rows of scores in both ways, from any state; raises AssertionError."""
    scores = rng.random((n_rows, 3))
    random = np.random.RandomState(int(rng.integers(1 << 32)))
    random.randint(0, 1 << 32, int(rng.integers(1300)))
    state = random.get_state(legacy=False)["state"]
    means = np.empty((3, 3))
    used = core.draw_means(scores, state["key"], state["pos"], means)
    assert np.array_equal(means, means_of_drawn(scores, 3, random))
    expected = random.get_state(legacy=False)["state"]
    assert used == expected["pos"]
    assert np.array_equal(state["key"], expected["key"])


MOST_ADDED = (1 << 32) - 1
"""The core leaves larger counts to Python."""


def check_scores(core: Any, rng: np.random.Generator, n_rows: int) -> None:
    """Score counts, many of them close to a tie; raises AssertionError on a difference."""
    # Of powers of 2 and 5 many quotients end in a 5 behind the fifth decimal, or near to one.
    counts = 2 ** rng.integers(0, 13, (2, n_rows)) * 5 ** rng.integers(0, 6, (2, n_rows))
    model_count, peer_count = counts + rng.integers(-2, 2, counts.shape) * (rng.random() < 1 / 2)
    most = int(rng.choice((1, 30, 100_000, 1 << 62)))
    hit, peer_hit = rng.integers(-1, most, (2, n_rows)) % (counts * int(rng.integers(1, 3)) + 1)
    alpha = float(rng.choice((0, 0.5, 1, rng.random())))
    values = np.empty((3, n_rows))
    is_complete = core.score_counts(hit, model_count, peer_hit, peer_count, alpha, values)
    whole = Counts(hit, model_count, peer_count, peer_hit=peer_hit)
    expected = rounded_scores(whole, alpha)
    assert is_complete or expected.max() > LARGEST_SCALED
    if is_complete:
        assert values.tobytes() == expected.tobytes()
    starts = np.unique(rng.integers(0, n_rows, n_rows)) if n_rows else np.zeros(0, np.int64)
    starts[:1] = 0
    sums = np.empty_like(starts)
    instances = np.repeat(np.arange(starts.size), np.diff(starts, append=n_rows))
    in_order = ordered_sums(instances, hit, starts.size)
    if core.sum_models(hit, starts, sums):
        assert sums.tolist() == in_order.tolist()
    else:
        assert hit.min() < 0 or hit.max() > MOST_ADDED


def check_stems(core: Any, texts: Sequence[bytes]) -> None:
    """Stem words of the texts as NLTK does, in both modes; raises AssertionError."""
    words = {word for text in texts[:99] for word in re.findall(b"[a-z0-9_]+", text.lower())}
    for is_extended in (True, False):
        stem = nltk_stemmer(is_extended=is_extended)
        for word in words:
            assert core.nltk_stem(word, is_extended).decode() == stem(word.decode()), word


COMPARED = {
    "read_texts": ("text.ascii155:read_texts", check_reading),
    "count_pair": ("run.counting:LonePairs.counts", check_single_pairs),
    "score_pair": ("metrics.arithmetic:score_pair", check_lone_scores),
    "flag_texts": ("text.seen:flag_texts", check_flags),
    "number_words": ("text.segmenters:number_words", check_numbering),
    "word_list": ("text.word_lists:WordLists", check_reading),
    "nltk_stem": ("protocols.texts:nltk_stemmer", check_stems),
    "match_pairs": ("metrics.paired_texts:TextPairs.texts", check_counts),
    "mark_firsts": ("protocols.counting:_count_sets", _check_sets),
    "count_units": ("metrics.formulas:CountedMetric.count_pair", _check_units),
    "count_clipped_lcs": ("metrics.lcs:count_union_lcs", _check_lcs),
    "count_pairwise_lcs": ("metrics.lcs:count_pairwise_lcs", _check_pairwise_lcs),
    "mark_lcs_words": ("metrics.lcs:aligned", _check_marked_words),
    "count_wlcs": ("metrics.weighted_lcs:RougeW.count_pair", _check_weighted_lcs),
    "count_skip_bigrams": ("metrics.ngrams:count_skip_bigrams", _check_skip_bigrams),
    "choose_sentences": ("metrics.sources:chosen_sentences", _check_selections),
    "count_fragments": ("metrics.sources:fragments", _check_fragments),
    "count_novel": ("metrics.sources:count_ngrams_once", _check_novel),
    "sum_models": ("metrics.arithmetic:ordered_sums", check_scores),
    "score_counts": ("metrics.formulas:rounded_scores", check_scores),
    "vocabulary": ("text.stems:Numbers", check_vocabulary),
    "score_pairs": ("bulk.pairs:score_pairs", check_pairs),
    "pair_index": ("bulk.above:TextIndex", check_index),
    "use_index": ("bulk.above:TextIndex.above", check_index),
    "draw": ("scores.bootstrap:draw_instances", check_draws),
    "sum_drawn": ("scores.bootstrap:products", check_draws),
    "draw_means": ("scores.bootstrap:means_of_drawn", check_means),
}
"""Functions of the core, each with its twin and the check that compares both.

A twin is the function or method in Python that returns the same to the last bit, named by its
module under `rouge_cli` and its name there.
"""
