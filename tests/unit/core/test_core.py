"""The module in C: what it returns, and what it refuses so as not to read beyond an array."""

import gc
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from fractions import Fraction
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from types import FrameType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from fuzz.core_twins import SUFFIXES, check_stems
from rouge_cli.scores.bootstrap import means_of_drawn, means_of_resamples
from rouge_cli.text.seen import IS_SHORT
from rouge_cli.text.word_lists import load_exceptions
from tests.unit.core.columns import (
    GOOD,
    I32,
    I64,
    NOTHING,
    Side,
    core,
    match,
    numbers,
    pairs,
    side,
    texts_of,
    whole,
)

pytestmark = pytest.mark.skipif(core is None, reason="the core is not built")

SECONDS = 5
"""What must not take long takes a hundredth of it, and without care several times as much."""


@pytest.mark.parametrize(("n_words", "is_weighted"), [(9_000, True), (24_000, False)])
def test_tables_that_are_not_kept_whole(n_words: int, is_weighted: bool) -> None:
    # More than 64 MB of moves, or of bits. In the model an odd word ends each 100 of the peer's,
    # so that all of these are on the LCS, in runs of 100.
    peer = [word % 1000 for word in range(n_words)]
    model = [word for first in range(0, n_words, 100) for word in (*peer[first:][:100], 1000)]
    peers, models = (side(text, [0, len(text)], [0, 1], [0]) for text in (peer, model))
    matched = match(peers, models, 1001)
    hits, weighted, bases = numbers(1), np.zeros(1), np.zeros(1)
    if is_weighted:
        core.count_wlcs(matched, matched, *[np.arange(len(model) + 1.0) ** 2] * 3, weighted, bases)
        assert (weighted[0], bases[0]) == (n_words * 100, len(model) ** 2)
    else:
        core.count_units(matched, 0, True, False, hits)
        assert hits[0] == n_words


OF_LONG_TEXTS = """
import resource
import numpy as np
from rouge_cli.core import compiled_core
n_words, core = 16_000, compiled_core()
offsets, texts, numbers = (np.array(values, np.int64) for values in ([0, n_words], [0, 1], [0]))
side = np.arange(n_words, dtype=np.int32) % 100, offsets, texts, numbers
matched, powers = core.match_pairs(side, side, 100), np.arange(n_words + 1.0)
hits, bases = np.zeros(1), np.zeros(1)
size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + 100_000_000,) * 2)
core.count_wlcs(matched, matched, powers, powers, powers, hits, bases)
print(int(hits[0]))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc tells the memory")
def test_memory_of_long_texts() -> None:
    # The moves through the whole table would be 256 MB.
    command = [sys.executable, "-c", OF_LONG_TEXTS]
    assert subprocess.run(command, capture_output=True, check=True).stdout == b"16000\n"


@pytest.mark.parametrize(
    ("max_gap", "expected"),
    [(-1, [6, 1]), (-(2**63), [6, 1]), (0, [3, 1]), (1, [5, 1]), (2**63 - 1, [6, 1])],
)
def test_skip_bigrams(max_gap: int, expected: list[int]) -> None:
    hits, unigram_hits = numbers(), numbers()
    core.count_skip_bigrams(pairs(), max_gap, False, hits, unigram_hits)
    assert hits.tolist() == expected
    # Less the last words: "a b a", and "a b a" with "b".
    assert unigram_hits.tolist() == [3, 1]


def test_pairs_keep_their_arrays() -> None:
    peers, models = texts_of(0, 0), texts_of(0, 1)
    kept = [weakref.ref(array) for array in (*peers, *models)]
    matched = match(peers, models)
    del peers, models
    gc.collect()
    assert all(array() is not None for array in kept)
    hits = numbers()
    core.count_units(matched, 1, False, False, hits)
    assert hits.tolist() == [4, 2]
    del matched
    gc.collect()
    assert all(array() is None for array in kept)
    # Nor are arrays kept that were refused.
    peers, models = texts_of(0, 0), texts_of(0, 2)
    kept = [weakref.ref(array) for array in (*peers, *models)]
    with pytest.raises(ValueError, match="do not fit together"):
        match(peers, models)
    del peers, models
    gc.collect()
    assert all(array() is None for array in kept)


@pytest.mark.parametrize("place", range(4))
def test_columns_of_another_kind(place: int) -> None:
    array = GOOD[place]
    wider = array.astype(I64 if array.dtype == I32 else I32)
    strided = np.repeat(array, 2)[::2]
    shifted = np.frombuffer(b"_" + array.tobytes(), array.dtype, offset=1)
    for other, error, message in (
        (wider, ValueError, "items of another size"),
        (strided, (ValueError, BufferError), None),
        (shifted, ValueError, "not aligned"),
        (array.tolist(), TypeError, None),
    ):
        bad = (*GOOD[:place], other, *GOOD[place + 1 :])
        for sides in ((bad, GOOD), (GOOD, bad)):
            with pytest.raises(error, match=message):
                match(*sides)


def changed(column: int, values: list[int]) -> Side:
    """Return `GOOD` with other values in one of its columns."""
    return (*GOOD[:column], np.array(values, GOOD[column].dtype), *GOOD[column + 1 :])


@pytest.mark.parametrize(
    "bad",
    [
        *(changed(0, types) for types in ([0, 1, 0, 3, 1, 0], [0, -1, 0, 2, 1, 0])),
        *(changed(1, ends) for ends in ([0, 3, 4, 7], [0, 4, 3, 6], [1, 3, 4, 6], [-1, 3, 4, 6])),
        *(changed(2, ends) for ends in ([0, 2, 4], [0, 3, 2], [])),
        *(changed(3, numbers) for numbers in ([0, 2], [0, -1])),
        side([0, 1, 0, 2, 1, 0], [0, 3, 4, 6], [0], [0, 0]),
        changed(1, []),
        side([0, 1, 0, 2, 1, 0], [], [], []),
    ],
)
def test_columns_that_do_not_fit(bad: Side) -> None:
    for sides in ((bad, GOOD), (GOOD, bad)):
        with pytest.raises(ValueError, match="columns that do not fit together"):
            match(*sides)


def calls(
    capsule: Any, tables: Any, first: Any = None, second: Any = None
) -> list[tuple[Callable[..., None], list[Any]]]:
    """Return every count of pairs with its arguments; results go to `first` and `second`."""
    first, second = (numbers() if array is None else array for array in (first, second))
    return [
        (core.count_units, [capsule, 1, False, False, first]),
        (core.count_clipped_lcs, [capsule, tables, first]),
        (core.count_wlcs, [capsule, tables, *[np.ones(4)] * 3, first, second]),
        (core.count_pairwise_lcs, [capsule, first, second]),
        (core.count_skip_bigrams, [capsule, 1, False, first, second]),
    ]


def test_capsules_of_another_kind() -> None:
    words = core.word_list(b"a b", True)
    counts = [count for other in (words, None, 1, GOOD) for count in calls(other, pairs())]
    counts += [count for other in (words, None) for count in calls(pairs(), other)[1:3]]
    for function, arguments in counts:
        with pytest.raises(ValueError, match="PyCapsule"):
            function(*arguments)
        for place in range(len(arguments)):
            with pytest.raises(TypeError):
                function(*arguments[:place])


def test_results_of_another_size() -> None:
    matched, read_only = pairs(), np.ones(2)
    read_only.setflags(write=False)
    for wrong, message in (
        *((numbers(size), "another length") for size in (0, 1, 3)),
        (np.ones(2, I32), "items of another size"),
        *((constant, None) for constant in (read_only, bytes(16))),
    ):
        both = calls(matched, matched, wrong, wrong)
        for function, arguments in (*both, *calls(matched, matched, numbers(), wrong)[2:]):
            with pytest.raises((ValueError, BufferError), match=message):
                function(*arguments)


def test_nothing_at_all() -> None:
    matched = match(NOTHING, NOTHING, 0)
    core.count_units(matched, 3, True, True, np.empty((5, 0), I64))
    core.count_clipped_lcs(matched, matched, numbers(0))
    core.count_wlcs(matched, matched, *[np.zeros(1)] * 3, np.ones(0), np.ones(0))
    core.count_skip_bigrams(matched, 1, False, numbers(0), numbers(0))
    of_none = core.read_texts((), None, None, None, True, False)
    assert of_none == (b"", None, bytes(8), bytes(8), 0, None)
    flagged = core.read_texts((), None, None, None, True, True)[-1]
    assert flagged == core.flag_texts((), True) == (b"", 0, 0, 0, b"")


@pytest.mark.parametrize("n_instances", [1, 63, 64, 65, 4095, 4096, 4097, 9000])
def test_sums_of_extremes(n_instances: int) -> None:
    # All products as large as they can be: a sum of 32 bits must not overflow.
    counts = np.full((1, n_instances), 255, np.uint8)
    units = np.full((2, n_instances), 131071, np.int32)
    units[1] *= -1
    sums = np.empty((1, 2), np.int64)
    core.sum_drawn(n_instances, counts, units, sums)
    assert sums.tolist() == [[255 * 131071 * n_instances, -255 * 131071 * n_instances]]


def test_scores_of_counts() -> None:
    values = np.ones((3, 5))
    # 1/64 and 3/64 are ties, 1562.5 and 4687.5 units; of 1/3 and 1/6 F is 2/9.
    hits, models, peers = whole(1, 3, 1, 0, 7), whole(64, 64, 3, 5, 0), whole(1, 3, 6, 0, -7)
    assert core.score_counts(hits, models, hits, peers, 0.5, values) is True
    assert values[0].tolist() == [0.01562, 0.04688, 0.33333, 0, 0]
    assert values[1].tolist() == [1, 1, 0.16667, 0, 0]
    assert values[2].tolist() == [0.03076, 0.08956, 0.22222, 0, 0]
    assert core.score_counts(whole(3), whole(4), whole(1), whole(2), 1.0, values[:, :1].copy())


@pytest.mark.parametrize(
    ("hit", "model_count", "peer_count", "alpha"),
    [
        *((3, 11, 33, 0.1), (5, 65, 52, 0.2), (1, 18, 54, 0.3), (3, 16, 80, 0.35)),
        *((1, 66, 99, 0.4), (1, 18, 36, 0.6), (1, 42, 6, 0.7), (1, 52, 13, 0.8), (8, 57, 19, 0.9)),
    ],
)
def test_each_step_is_rounded(hit: int, model_count: int, peer_count: int, alpha: float) -> None:
    # F is so close to a tie that it depends on the last bit of its divisor. A compiler that makes
    # one step of a multiplication and an addition prints another digit; Python never does.
    recall, precision = (float(f"{hit / count:.5f}") for count in (model_count, peer_count))
    first, second = (1 - alpha) * precision, alpha * recall
    in_one_step = (
        float(Fraction(1 - alpha) * Fraction(precision) + Fraction(second)),
        float(Fraction(first) + Fraction(alpha) * Fraction(recall)),
    )
    expected, *others = (
        float(f"{recall * precision / divisor:.5f}") for divisor in (first + second, *in_one_step)
    )
    assert set(others) != {expected}
    scores = core.score_pair(hit, model_count, peer_count, alpha)
    assert scores == (recall, precision, expected)


def test_scores_that_python_has_to_round() -> None:
    for hits in ((1001, 1), (1, 1001)):
        of_model, of_peer = map(whole, hits)
        assert core.score_counts(of_model, whole(1), of_peer, whole(1), 0.5, np.empty(3)) is False


def test_counts_over_models() -> None:
    sums = whole(0, 0, 0)
    assert core.sum_models(whole(1, 2, 4, 8, 16, 32), whole(0, 1, 4), sums) is True
    assert sums.tolist() == [1, 14, 48]
    assert core.sum_models(whole(), whole(), whole()) is True
    for count in (-1, 1 << 32):
        assert core.sum_models(whole(1, count), whole(0), whole(0)) is False


def read(
    *texts: bytes | str, starts: Any = None, stopwords: Any = None, forms: Any = None
) -> list[list[int]]:
    """Return types, ends of sentences and of texts, and stems if there are irregular forms."""
    types, stems, *ends, _, _ = core.read_texts(texts, starts, stopwords, forms, True, False)
    arrays = ((types, I32), *((array, I64) for array in ends), (stems or b"", I32))
    return [np.frombuffer(array, kind).tolist() for array, kind in arrays]


@pytest.mark.parametrize("n_newlines", [62, 63, 64, 65, 126, 127, 128, 129, 1000])
def test_room_for_sentences_grows(n_newlines: int) -> None:
    # One more than there are newlines, in each of two texts; a word ends the first.
    types, sentences, offsets, _ = read(b"\n" * n_newlines + b"a", b"\n" * n_newlines)
    assert (types, offsets) == ([0], [0, n_newlines + 1, 2 * n_newlines + 2])
    assert sentences == [0] * (n_newlines + 1) + [1] * (n_newlines + 2)


def test_stems_are_numbered_on() -> None:
    forms, long = core.word_list(b"been be", True), b"b" * 40
    words, *_, stems = read(b"cats running been " + long + b"s", forms=forms)
    # What was a stem before is a word now, and keeps its number.
    numbers = [stems[1], stems[2], stems[0], stems[3]]
    assert read(b"run be cat " + long, forms=forms)[0] == numbers
    assert not set(words) & set(stems)


@pytest.mark.parametrize("n_letters", [15, 16, 17, 47, 48, 49, 300])
def test_words_of_any_length_are_stemmed(n_letters: int) -> None:
    long = b"b" * (n_letters - 1)
    text = long + b"s " + long + b" " + long + b"x " + long + b"y"
    forms = core.word_list(long + b"x " + long + b"y", True)
    for _ in range(2):
        words, *_, stems = read(text, forms=forms)
        assert len(set(words)) == 4
        # The plural has the stem of the singular, the irregular form that of its base form.
        assert (stems[0], stems[2]) == (stems[1], stems[3]) != (stems[3], stems[1])


def test_words_that_the_cache_forgets_are_stemmed_again() -> None:
    # Some hundred times as many words as it has room for at first: plurals, singulars, plurals.
    singulars = [b"%dx" % number for number in range(100, 50_100)]
    forms = core.word_list(b"", True)
    for n_words in (1, 50_000):
        text = b" ".join([b"%bs" % word for word in singulars[:n_words]] + singulars[:n_words])
        words, *_, stems = read(text, text, forms=forms)
        assert stems[:n_words] == stems[n_words : 2 * n_words] == words[n_words : 2 * n_words]
        assert len(set(stems)) == n_words
        assert stems[2 * n_words :] == stems[: 2 * n_words]


def test_too_many_stems_are_forgotten() -> None:
    forms = core.word_list(b"been be", True)

    def n_types(text: bytes) -> int:
        number: int = core.read_texts((text,), None, None, forms, True, False)[-2]
        return number

    # Words of digits are their own stems.
    assert n_types(b"0 1") == 2
    assert n_types(b" ".join(b"%d" % number for number in range(140_000))) == 140_000
    assert n_types(b"2 3 4") == 3
    # So few stems, but of a megabyte each.
    assert n_types(b" ".join(b"%d" % number * 500_000 for number in range(10, 50))) == 43
    assert n_types(b"5 6") == 2


def test_short_groups_are_stemmed_as_long_ones() -> None:
    # Their tokens wait for those of the next group.
    forms, texts = core.word_list(b"", True), [b"cats\nrun", b"", b"cat runs " * 400, b"run"] * 99
    together = read(*texts, forms=forms)
    assert read(*texts, forms=forms, starts=np.arange(len(texts) + 1)) == together


def test_strings_are_read_as_their_bytes() -> None:
    # Types a, b, a; two sentences; two texts, the second of one word.
    for texts in (("A b\n", "a"), (b"A b\n", b"a"), ("A b\n", b"a")):
        assert read(*texts) == [[0, 1, 0], [0, 2, 2, 3], [0, 2, 3], []]
    with pytest.raises(UnicodeEncodeError):
        read("\udc80")


def count_pair(peer: bytes, model: bytes, *lists: Any) -> list[int]:
    return list(core.count_pair(*(lists or (None, None)), 1, True, True, False, peer, model))


def test_what_is_counted_of_a_single_pair() -> None:
    texts = b"a b\nc d", b"c d a b c"
    assert core.count_pair(None, None, 3, False, False, False, *texts) == (4, 5, 4, 3, 1)
    assert core.count_pair(None, None, 0, True, False, False, *texts) == (4, 5, 4)
    assert core.count_pair(None, None, 0, False, True, False, *texts) == (4, 5, 3)
    assert core.count_pair(None, None, 0, False, False, False, *texts) == (4, 5)
    # More orders than there are places without an allocation.
    hits = core.count_pair(None, None, 99, True, True, True, *texts)
    assert hits == (4, 5, 4, 3, 1, *[0] * 96, 4, 3, 1, IS_SHORT)


def test_the_scores_of_a_single_pair() -> None:
    assert core.score_pair(0, 0, 3, 0.5) == (0.0, 0.0, 0.0)
    # 1/3 and 2/3 are rounded before F is made of them: 2 * 0.33333 * 0.66667 / 1 = 0.444442...
    assert core.score_pair(2, 6, 3, 0.5) == (0.33333, 0.66667, 0.44444)
    assert core.score_pair(2, 6, 3, 1) == (0.33333, 0.66667, 0.66667)
    # 1/64 is 0.015625 exactly, a tie at six decimals but none at five; 1/32 ends in 25.
    assert core.score_pair(1, 64, 32, 0)[:2] == (0.01562, 0.03125)


def test_means_of_drawn_rows_are_those_of_numpy() -> None:
    # 624 numbers are made at a time: draws end before, at and behind such a border.
    for n_rows in (1, 2, 3, 64, 65, 311, 312, 313, 1000):
        scores = np.random.default_rng(n_rows).random((n_rows, 3))
        ours, theirs = (np.random.RandomState(5) for _ in range(2))
        for _ in range(3):
            found = means_of_resamples(scores, 3, ours)
            assert np.array_equal(found, means_of_drawn(scores, 3, theirs))
        assert ours.randint(1 << 30) == theirs.randint(1 << 30)
    # Other generators than that of numpy.random are asked themselves.
    ours, theirs = (np.random.RandomState(np.random.PCG64(1)) for _ in range(2))
    found = means_of_resamples(scores, 9, ours)
    assert np.array_equal(found, means_of_drawn(scores, 9, theirs))


def test_stems_are_those_of_nltk() -> None:
    with_suffixes = {
        beginning + suffix
        for beginning in ("", "a", "b", "ca", "at", "hop", "rel", "fall", "xy", "xyy", "syzyg", "0")
        for suffix in SUFFIXES
    }
    known = {form.decode() for form in load_exceptions() if form.isalnum()}
    others = "skies sky dying news innings howe succeed ties died spied enjoy by spy geologi yyyed"
    words = {*with_suffixes, *sorted(known)[::5], *others.split()} - {""}
    check_stems(core, [" ".join(words).encode()])
    assert core.nltk_stem(b"", True) == b""


def test_a_base_form_may_be_longer_or_no_word() -> None:
    forms = core.word_list(b"went go_" + b"o" * 100 + b"\nhoped \ndone \0\ngone \0\0", True)
    *_, stems = read(b"went hoped hope done gone", b"went", forms=forms)
    # An empty base form is none: hoped has its Porter stem, hope.
    went, hoped, hope, done, gone, again = stems
    assert (went == again, hoped == hope, len({went, hoped, done, gone})) == (True, True, 4)


def test_lines_of_a_word_list() -> None:
    # Of two lines for a word the last counts, a blank line does not, and the last line may end.
    forms = core.word_list(b"\nbetter well\nbetter good\n\nworse bad\n", True)
    for pair, n_hits in (((b"better", b"good"), 1), ((b"better", b"well"), 0)):
        assert count_pair(*pair, None, forms)[2] == n_hits
    assert count_pair(b"worse", b"bad", None, forms)[2] == 1
    # Without base forms a line is a word as a whole.
    assert count_pair(b"a b", b"a b", core.word_list(b"a b\n", False), None)[0] == 2
    assert count_pair(b"a b", b"a b", core.word_list(b"a\nb", False), None)[0] == 0


def test_a_word_list_outlives_another_start_of_the_module() -> None:
    words = [b"word%d" % number for number in range(300)]
    stopwords = core.word_list(b"\n".join(words), False)
    loader = ExtensionFileLoader(core.__name__, core.__file__)
    spec = spec_from_file_location(core.__name__, core.__file__, loader=loader)
    assert spec is not None
    loader.exec_module(module_from_spec(spec))
    assert read(b" ".join(words), stopwords=stopwords)[0] == []


def meeting_bigrams(n_groups: int, n_slots: int, n_bigrams: int) -> NDArray[np.int64]:
    """Return bigrams that a table with a fixed factor would put side by side, (n_bigrams, 2)."""
    factor = 0x9E3779B97F4A7C15
    seconds = np.arange(n_groups)
    high = (seconds.astype(np.uint64) * np.uint64(factor) >> np.uint64(32)).astype(np.int64)
    inverse = pow(factor, -1, n_slots)
    found = []
    for slot in range(2 * n_bigrams * n_slots // n_groups**2 + 1):
        firsts = (slot - high % n_slots) % n_slots * inverse % n_slots
        fits = firsts < n_groups
        found.append(np.stack((firsts[fits], seconds[fits]), axis=1))
    return np.concatenate(found)[:n_bigrams]


def test_nobody_chooses_bigrams_that_meet() -> None:
    n_groups, n_bigrams = 40_000, 100_000
    bigrams = meeting_bigrams(n_groups, 1 << 19, n_bigrams)
    assert len(bigrams) == n_bigrams
    bigrams = np.random.default_rng(1).permutation(bigrams)
    # Groups are numbered in the order of the text: each stands there once before.
    tokens = np.concatenate((np.arange(n_groups), bigrams.ravel())).tolist()
    text = side(tokens, [0, len(tokens)], [0, 1], [0])
    hits, start = np.empty((2, 1), I64), time.process_time()
    core.count_units(match(text, text, n_groups), 2, False, False, hits)
    assert time.process_time() - start < SECONDS
    assert hits.tolist() == [[len(tokens)], [len(tokens) - 1]]


@pytest.mark.parametrize("times", [3, 4])
def test_nobody_chooses_words_that_meet(times: int) -> None:
    # What stands in a word again and again must not undo itself in its key.
    n_words = 40_000
    fours = (
        bytes(97 + number // 26**place % 26 for place in range(4)) for number in range(n_words)
    )
    text, start = b" ".join([b"a" * 8 + four * times for four in fours]), time.process_time()
    types, _, _, _, n_types, _ = core.read_texts((text,), None, None, None, False, False)
    assert time.process_time() - start < SECONDS
    assert (len(types) // 4, n_types) == (n_words, n_words)


@pytest.mark.parametrize("n_words", [0, 1, 70_000])
def test_many_sentences(n_words: int) -> None:
    # As many empty sentences, and another word in each of the others.
    n_sentences = 70_000
    offsets = [*range(n_words), *[n_words] * (n_sentences + 1)]
    text = side(list(range(n_words)), offsets, [0, len(offsets) - 1], [0])
    matched = match(text, text, n_words)
    hits, doubles, bases, start = numbers(1), np.ones(1), np.ones(1), time.process_time()
    core.count_units(matched, 0, True, False, hits)
    core.count_wlcs(matched, matched, *[np.arange(2.0)] * 3, doubles, bases)
    assert time.process_time() - start < SECONDS
    assert (hits[0], doubles[0], bases[0]) == (n_words, n_words, n_words)


class StoppedError(Exception):
    """What a handler raises."""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers here")
@pytest.mark.parametrize("which", range(1, 5))
def test_a_signal_ends_what_takes_long(which: int) -> None:
    # The same word in every sentence: more than 10 ** 11 steps.
    n_words = 400_000
    text = side([0] * n_words, list(range(n_words + 1)), [0, n_words], [0])
    matched = match(text, text, 1)
    function, arguments = calls(matched, matched, numbers(1), numbers(1))[which]
    if function is core.count_skip_bigrams:
        arguments[1] = -1

    def count() -> None:
        function(*arguments)

    def stop(number: int, frame: FrameType | None) -> None:
        # Only in here is the exception sure to be seen: on a busy machine a signal may come before.
        if frame is not None and frame.f_code is count.__code__:
            raise StoppedError

    handler = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.3, 0.1)
    start = time.process_time()
    try:
        with pytest.raises(StoppedError):
            count()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
    assert time.process_time() - start < SECONDS


@pytest.mark.parametrize(
    "read",
    [
        lambda: core.read_texts((b"a b\n" * 10_000,) * 1000, None, None, None, True, False),
        lambda: core.read_texts(
            (b" " * 40_000,) * 1000, None, None, core.word_list(b"", True), False, True
        ),
        lambda: core.flag_texts((b"." * 1_000_000,) * 200, True),
        lambda: count_pair(b"a" * 20_000_000, b"b" * 20_000_000),
        lambda: core.number_words(
            bytes(99), *(np.zeros(5_000_000, dtype) for dtype in (I64, I64, I32, I64))
        ),
        lambda: core.count_units(same_word(), 20_000, False, False, np.zeros((20_000, 1), I64)),
    ],
    ids=["words", "blanks", "flags", "pair", "numbers", "n-grams"],
)
def test_reading_ends_when_it_is_asked_to(
    monkeypatch: pytest.MonkeyPatch, read: Callable[[], object]
) -> None:
    # As a thread of a pool is told to end; signals are asked for in the same place.
    monkeypatch.setattr(threading.current_thread(), "has_to_end", True, raising=False)
    with pytest.raises(KeyboardInterrupt):
        read()


def same_word() -> Any:
    """Return a pair of texts of the same word, 20,000 times, whose n-grams all match."""
    text = side([0] * 20_000, [0, 20_000], [0, 1], [0])
    return match(text, text, 1)
