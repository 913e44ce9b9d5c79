"""Counts, scores and intervals worked by hand, of the engine and of its plain twin.

On other texts and numbers tests/property compares the two.
"""

from collections.abc import Callable, Sequence
from itertools import chain

import numpy as np
import pytest

from rouge_cli.metrics import arithmetic, ngrams
from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.formulas import best_model, score_counts, sum_models
from rouge_cli.metrics.lcs import PeerSentence, count_union_lcs, matched_words
from rouge_cli.metrics.ngrams import RougeN, RougeS
from rouge_cli.metrics.weighted_lcs import RougeW
from rouge_cli.options.readers import Number
from rouge_cli.scores import bootstrap
from tests.plain import lcs as plain_lcs
from tests.plain import metrics as plain
from tests.plain import scores as plain_scores
from tests.plain.numbers import parse_weight
from tests.unit.metrics.pairs import clipped_by, text, triple, written_pair

Triple = tuple[float, float, float]
LIN_A, LIN_B, LIN = "police kill the gunman", "the gunman kill police", "police killed the gunman"
UNION = "w1 w2 w6 w7 w8 / w1 w3 w8 w9 w5"


def sequence(written: str) -> list[bytes]:
    return list(chain(*text(written)))


@pytest.mark.parametrize(
    ("peer", "model", "expected"),
    [
        # model a:2 b:1, peer a:1 b:2 c:1: min(2, 1) + min(1, 2) = 2.
        # Bigrams: model aa ab, peer ab bb bc: ab. Trigrams: model aab, peer abb bbc: none.
        ("a b b c", "a a b", [(2, 3, 4), (1, 2, 3), (0, 1, 2)]),
        # Both sequences are a b c d: n-grams run across the end of a sentence, 4, 3 and 2 of them.
        ("a b / c d", "a / b c d", [(4, 4, 4), (3, 3, 3), (2, 2, 2)]),
        # aa occurs 3 times in the model and once in the peer; aaa twice and not at all.
        ("a a", "a a a a", [(2, 4, 2), (1, 3, 1), (0, 2, 0)]),
        # Both bigrams of "b a b" occur in "a b a": ba and ab. The trigrams differ.
        ("b a b", "a b a", [(2, 3, 3), (2, 2, 2), (0, 1, 1)]),
        # Fewer tokens than n: no n-gram, not a negative number of them.
        ("a", "a b c", [(1, 3, 1), (0, 2, 0), (0, 1, 0)]),
        ("", "a b", [(0, 2, 0), (0, 1, 0), (0, 0, 0)]),
        ("a b", "", [(0, 0, 2), (0, 0, 1), (0, 0, 0)]),
        # The tokens of a b match, as do those of b c; x stands between: no trigram a b c.
        ("a b x b c", "a b c", [(3, 3, 5), (2, 2, 4), (0, 1, 3)]),
    ],
)
def test_ngrams(peer: str, model: str, expected: list[Triple]) -> None:
    assert list(map(triple, RougeN(3).count_pair(written_pair(peer, model)))) == expected
    tokens = sequence(peer), sequence(model)
    assert [plain.ngrams(*tokens, n) for n in (1, 2, 3)] == expected


@pytest.mark.parametrize(
    ("peer", "model", "max_gap", "expected"),
    [
        # Four tokens have 6 pairs. In common: police-the, police-gunman, the-gunman: 3. SU adds
        # the first three words of each; in common police and the: 3 + 2 of 6 + 3.
        (LIN_A, LIN, -1, [(3, 6, 6), (5, 9, 9)]),
        # In common only the-gunman, as (the gunman) stands before killed and police. SU without
        # the last token: the peer has the, gunman, killed, the model police, killed, the: 2.
        ("the gunman killed police", LIN, -1, [(1, 6, 6), (3, 9, 9)]),
        # No word between: neighbours, 3 each; in common the-gunman.
        (LIN_A, LIN, 0, [(1, 3, 3), (3, 6, 6)]),
        # One word between: 3 neighbours and 2 pairs with one between: 5 each. In common
        # police-the (one between) and the-gunman.
        (LIN_A, LIN, 1, [(2, 5, 5), (4, 8, 8)]),
        # A gap longer than the text is no limit.
        (LIN_A, LIN, 30, [(3, 6, 6), (5, 9, 9)]),
        # aa: 3 pairs in the model, 1 in the peer. SU: 2 and 1 tokens before the last.
        ("a a", "a a a", -1, [(1, 3, 1), (2, 5, 2)]),
        # The last token is no unit: b ends the peer, so of the unigrams of "b b" (b once) none
        # is left in "a b" (a). The pair ab is not bb.
        ("a b", "b b", -1, [(0, 1, 1), (0, 2, 2)]),
        # Distances are counted in all tokens, matched or not: a and b are three apart in the
        # peer. Peer 2 + 3 pairs of 4 tokens at gap 1, model 1.
        ("a x y b", "a b", 1, [(0, 1, 5), (1, 2, 8)]),
        # One token: no pair, and, as it is the last one, no unigram.
        ("a", "a", -1, [(0, 0, 0), (0, 0, 0)]),
        ("", "a b", 4, [(0, 1, 0), (0, 2, 0)]),
        # Pairs run across the ends of sentences, and only the last token of the text is left out.
        ("a / b", "a b /", -1, [(1, 1, 1), (2, 2, 2)]),
    ],
)
def test_skip_bigrams(peer: str, model: str, max_gap: int, expected: list[Triple]) -> None:
    metric = RougeS(Number(str(max_gap), max_gap), (False, True))
    assert list(map(triple, metric.count_pair(written_pair(peer, model)))) == expected
    tokens = sequence(peer), sequence(model)
    assert [plain.skip_bigrams(*tokens, max_gap, su) for su in (False, True)] == expected


def check_lcs(
    weight: str | None, texts: tuple[str, str], tables: tuple[str, str], expected: Triple
) -> None:
    """Compare counts that the unigrams of `tables` clip; without a weight, of ROUGE-L."""
    pair = clipped_by(written_pair(*texts), written_pair(*tables))
    peer, model = map(text, texts)
    left, right = (plain.table(sequence(one)) for one in tables)
    if weight is None:
        counts, twin = count_union_lcs(pair), plain_lcs.lcs(peer, model, left, right)
    else:
        (counts,) = RougeW(Number(weight, float(weight))).count_pair(pair)
        twin = plain_lcs.wlcs(peer, model, left, right, parse_weight(weight))
    assert triple(counts) == twin == expected


@pytest.mark.parametrize(
    ("weight", "peer", "model", "expected"),
    [
        # Lin 2004: w1 w2 and w1 w3 w5 are in common; the union has w1 w2 w3 w5, 4 of 5 tokens.
        (None, UNION, "w1 w2 w3 w4 w5", (4, 5, 10)),
        # police _ the gunman: 3. In the other order only two: the gunman.
        (None, LIN_A, LIN, (3, 4, 4)),
        (None, LIN_B, LIN, (2, 4, 4)),
        # Both model sentences mark their a, but the peer has one a only.
        (None, "a", "a / a", (1, 2, 1)),
        # Both peer sentences mark the same a: a union counts it once.
        (None, "a / a", "a", (1, 1, 2)),
        # No sentence of the peer holds a before b, so of "a b" each sentence marks one: 2.
        (None, "b / a", "a b", (2, 2, 2)),
        (None, "", "a", (0, 1, 0)),
        (None, "a", "", (0, 0, 1)),
        (None, "/ a / / b /", "a b / /", (2, 2, 2)),
        # One sentence of 4: base 4^2 = 16, and the model count weighs it again: 16^2 = 256.
        # Peer 4^2 = 16; one run of 4: 16. So a text is not all of itself: 16 / 256.
        ("2", "a b c d", "a b c d", (16, 256, 16)),
        # Runs a b (4) and d (1); peer 4^2.
        ("2", "a b x d", "a b c d", (5, 256, 16)),
        # Two model sentences: base 2^2 + 1^2 = 5, count 25; peer 3^2; a run each: 4 + 1.
        ("2", "a b / c", "a b / c", (5, 25, 9)),
        # Marked: a and b, by two sentences of the peer, next to each other in the model: the
        # union is one run of 2. Base 4, count 16, peer 2^2.
        ("2", "b / a", "a b", (4, 16, 4)),
        # Peer a, b and c, with the b next to the c: run a (1), run b c (4); 4^2 and 6^2 tokens.
        ("2", "a y b z b c", "a x b c", (5, 256, 36)),
        # W = 1: ROUGE-L's numbers. W = 3: run of 2 is 8, base 8, count 512, peer 8.
        ("1", "a b x d", "a b c d", (3, 4, 4)),
        ("3", "a b", "a b", (8, 512, 8)),
        # W = 0.5: two runs of 1 each; base 1 + 1 = 2, count 2^0.5, peer 2^0.5: hits above both.
        ("0.5", "a / b", "a / b", (2, 2**0.5, 2**0.5)),
        ("2", "", "a b", (0, 16, 0)),
        ("2", "a", "", (0, 0, 1)),
    ],
)
def test_lcs(weight: str | None, peer: str, model: str, expected: Triple) -> None:
    check_lcs(weight, (peer, model), (peer, model), expected)


@pytest.mark.parametrize(
    ("weight", "texts", "tables", "expected"),
    [
        # Model a b, peer b a. The last cell holds b and a, which differ; above it c is 1 (a, a),
        # left of it c is 1 (b, b). Equal: the walk goes up and marks a, so only a counts.
        (None, ("b a", "a b"), ("a", "a x"), (1, 2, 1)),
        (None, ("b a", "a b"), ("b", "b x"), (0, 2, 1)),
        # The model count is that of the sentences (3 tokens), the peer count that of the tables
        # (2 tokens), as with -b. b is not in the model's table, c in neither: 1.
        (None, ("a b c", "a b c"), ("a b", "a"), (1, 3, 2)),
        # Marked: a b, unmarked x, marked c. The tables hold no b. a makes h = 1; it is followed by
        # the marked b, so the run stays open; b fails and does nothing; c makes h = 2 and ends the
        # sentence: f(2) = 4, and not f(1) + f(1) = 2. Base 4^2 = 16; peer 3 tokens of the tables.
        ("2", ("a b c", "a b x c"), ("a c y", "a x c"), (4, 256, 9)),
        # All of a b a is marked, the tables hold a once and b once: a, b make h = 2, the last a
        # fails, and nothing closes the run. Hit 0; base 9, count 81; peer 2^2.
        ("2", ("a b a", "a b a"), ("a b", "a b"), (0, 81, 4)),
        # First model sentence a b: the a passes and opens a run, the b (not in the tables) cannot
        # close it. Second sentence c: h starts at 0 again, f(1) = 1. Base 4 + 1; peer 2^2.
        ("2", ("a b / c", "a b / c"), ("a c", "a c"), (1, 25, 4)),
    ],
)
def test_clipped_lcs(
    weight: str | None, texts: tuple[str, str], tables: tuple[str, str], expected: Triple
) -> None:
    check_lcs(weight, texts, tables, expected)


def test_equal_tokens_are_taken_at_once() -> None:
    # Model a a, peer a. From the corner both tokens are equal: the walk marks the second a, at
    # which the table of the peer, one a, is used up; the first is not marked. 1 of 2.
    assert matched_words(PeerSentence.of([b"a"]), [b"a", b"a"]) == [(1, 0)]
    assert plain_lcs.lcs_positions([b"a", b"a"], [b"a"]) == {1}


def test_whole_weights_give_whole_numbers() -> None:
    # Base 63^3 = 250047; count 250047^3 = 15633814156853823, which takes 54 bits: exact.
    pair = written_pair("a", " ".join(f"w{k}" for k in range(63)))
    (counts,) = RougeW(Number("3", 3.0)).count_pair(pair)
    assert (counts.model_count, counts.model_base) == (15633814156853823, 250047)
    assert isinstance(counts.hit, int)


MODEL = [b"cat|nil|nil", b"dog|big|mod", b"sat|on|nil"]
PEER = [b"cat|nil|det", b"dog|big|nn"]
Stem = Callable[[bytes], bytes]
Units = list[tuple[bytes, ...]]


def units_of(lines: Sequence[bytes], mode: str, stem: Stem | None = None) -> Units:
    elements = [(head, modifier, last) for head, modifier, last in (x.split(b"|") for x in lines)]
    found = ngrams.element_units(elements, mode, stem)
    assert found == plain.element_units(list(lines), mode, stem)
    return found


def without_s(word: bytes) -> bytes:
    return word.removesuffix(b"s")


@pytest.mark.parametrize(
    ("mode", "model_units", "peer_units", "hit"),
    [
        # Head, where the modifier is nil; head and modifier, where there is a modifier.
        ("H", ["cat"], ["cat"], 1),
        ("HM", ["dog|big", "sat|on"], ["dog|big"], 1),
        # All three, where there is a relation.
        ("HMR", ["dog|big|mod"], ["cat|nil|det", "dog|big|nn"], 0),
        # Head and modifier, always.
        ("HM1", ["cat|nil", "dog|big", "sat|on"], ["cat|nil", "dog|big"], 2),
        # All three, where there is a modifier; and always.
        ("HMR1", ["dog|big|mod", "sat|on|nil"], ["dog|big|nn"], 0),
        ("HMR2", ["cat|nil|nil", "dog|big|mod", "sat|on|nil"], ["cat|nil|det", "dog|big|nn"], 0),
    ],
)
def test_basic_elements(mode: str, model_units: list[str], peer_units: list[str], hit: int) -> None:
    models, peers = units_of(MODEL, mode), units_of(PEER, mode)
    for units, expected in ((models, model_units), (peers, peer_units)):
        assert [b"|".join(unit).decode() for unit in units] == expected
    assert plain.overlap(peers, models) == (hit, len(models), len(peers))


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        (b"cats", b"cat"),
        (b"cats  on mats", b"cat on mat"),
        # Three bytes: as they are. Words may be short where the field is not.
        (b"dos", b"dos"),
        (b"as is", b"a i"),
        # Words without letter or digit stay.
        (b"cats - ... 3s", b"cat - ... 3"),
        (b"....", b"...."),
        # Words are split at runs of white space: one at the start is behind an empty word.
        (b" \tcats ", b" cat"),
        (b"    ", b""),
    ],
)
def test_stems_of_elements(field: bytes, expected: bytes) -> None:
    # Heads and modifiers are stemmed, relations are not.
    line = b"|".join((field, field, b"mods"))
    assert units_of([line], "HMR2", without_s) == [(expected, expected, b"mods")]


def test_nil_is_looked_for_behind_the_stem_but_in_hmr1() -> None:
    # "nils" becomes nil: absent for H and HM; HMR1 looks at the modifier before it is stemmed.
    modes = {"H": [(b"cat",)], "HM": [], "HMR1": [(b"cat", b"nil", b"mod")]}
    for mode, expected in modes.items():
        assert units_of([b"cats|nils|mod"], mode, without_s) == expected


# Several models.


def columns(rows: Sequence[Triple]) -> Counts:
    return Counts(*np.array(rows).T)


def rows_of(counts: Counts) -> list[Triple]:
    arrays = (counts.hit, counts.model_count, counts.peer_count)
    return list(zip(*(array.tolist() for array in arrays), strict=True))


def test_formula_a() -> None:
    # The first instance has two models, and its peer count counts twice; the second has one.
    rows: list[Triple] = [(1, 4, 3), (2, 5, 3), (7, 8, 9)]
    assert rows_of(sum_models(columns(rows), np.array([0, 2]))) == [(3, 9, 6), (7, 8, 9)]
    assert plain_scores.formula_a(rows[:2]) == (3, 9, 6)
    # (0.1 + 0.2) + 0.3 = 0.6000000000000001, 0.1 + (0.2 + 0.3) = 0.6.
    rows = [(0.1, 1e16, 1.0), (0.2, 1.0, 1.0), (0.3, -1e16, 1.0)]
    assert rows_of(sum_models(columns(rows), np.array([0]))) == [(0.6000000000000001, 0.0, 3.0)]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # Recalls 1/4, 2/5, 3/9. Precision has no say.
        ([(1, 4, 3), (2, 5, 3), (3, 9, 3)], (2, 5, 3)),
        ([(1, 2, 100), (4, 9, 4)], (1, 2, 100)),
        # 1/2 and 2/4 are equal: the first.
        ([(1, 2, 3), (2, 4, 3)], (1, 2, 3)),
        ([(0, 4, 3), (0, 5, 3)], (0, 4, 3)),
        # A model without tokens scores 0.
        ([(0, 0, 3), (1, 50, 3)], (1, 50, 3)),
    ],
)
@pytest.mark.parametrize("is_rounded", [True, False])
def test_formula_b(rows: list[Triple], expected: Triple, is_rounded: bool) -> None:
    best = best_model(columns(rows), np.array([0]), is_rounded=is_rounded)
    assert rows_of(columns(rows).take(best)) == [expected]
    recalls = [hit / model_count if model_count else 0.0 for hit, model_count, _ in rows]
    assert plain_scores.formula_b(rows, recalls) == expected


def test_numbers_of_the_best_models() -> None:
    # 100000/300001 = 0.33333222... and 1/3 = 0.33333333... are both 0.33333: the first, if
    # rounded; the second, if exact.
    pairs, first = columns([(100000, 300001, 1), (1, 3, 1)]), np.array([0])
    assert best_model(pairs, first, is_rounded=True).tolist() == [0]
    assert best_model(pairs, first, is_rounded=False).tolist() == [1]
    # Weight 2, a model sentence of 2 and one of 4. Hits 3 and 5: weighted once (3/4)^(1/2) and
    # (5/16)^(1/2), the first; as printed (3/16)^(1/2) = 0.433 and (5/20)^(1/2) = 0.5 would make
    # it the second.
    pairs = Counts(*np.array([(3, 5), (16, 20), (9, 9), (4, 16)]))
    assert best_model(pairs, first, weight=2.0, is_rounded=False).tolist() == [0]
    # The instances have two, one and two models.
    pairs = columns([(1, 4, 3), (2, 4, 3), (3, 4, 3), (1, 4, 3), (1, 4, 3)])
    assert best_model(pairs, np.array([0, 2, 3])).tolist() == [1, 2, 3]


# R, P and F of an EVAL.


@pytest.mark.parametrize(
    ("counts", "alpha", "weight", "expected"),
    [
        # R = 2/3 = 0.66667, P = 2/4; F = 0.333335 / 0.583335 = 0.5714297...
        ((2, 3, 4), 0.5, None, (0.66667, 0.5, 0.57143)),
        # F = R*P / (1*P) = R and R*P / (1*R) = P.
        ((2, 3, 4), 0.0, None, (0.66667, 0.5, 0.66667)),
        ((2, 3, 4), 1.0, None, (0.66667, 0.5, 0.5)),
        # F = 0.333335 / (0.2 * 0.5 + 0.8 * 0.66667) = 0.333335 / 0.633336 = 0.526316...
        ((2, 3, 4), 0.8, None, (0.66667, 0.5, 0.52632)),
        # 1/200001 rounds to 0.00000 (0.0000049999...), so F is 0, though the exact F is not.
        ((1, 200001, 1), 0.5, None, (0, 1, 0)),
        ((0, 3, 4), 0.5, None, (0, 0, 0)),
        ((0, 0, 0), 0.5, None, (0, 0, 0)),
        # Roots: (4/16)^(1/2) = 0.5, (4/64)^(1/2) = 0.25; F = 0.125 / 0.375 = 0.33333.
        ((4, 16, 64), 0.5, 2.0, (0.5, 0.25, 0.33333)),
        # (2 / 2^0.5)^2 = 2: with a weight below 1 a score may be above 1.
        ((2, 2**0.5, 2), 0.5, 0.5, (2, 1, 1.33333)),
    ],
)
def test_scores(counts: Triple, alpha: float, weight: float | None, expected: Triple) -> None:
    assert tuple(score_counts(columns([counts]), alpha, weight)[:, 0].tolist()) == expected
    twin = plain_scores.eval_scores(counts, alpha, *([] if weight is None else [weight]))
    assert twin == expected


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        # Exact in binary, and half a unit over: to the even neighbour.
        *((0.015625, 0.01562), (0.046875, 0.04688), (0.078125, 0.07812)),
        # Not exact in binary: the first two are a little more there, the third a little less.
        *((0.000005, 0.00001), (0.000025, 0.00003), (0.000035, 0.00003)),
        *((0.0, 0.0), (1.0, 1.0), (2 / 3, 0.66667)),
        # With a weight below 1 scores may pass 1, and any number of digits.
        *((123456.7890123, 123456.78901), (1e300, 1e300)),
    ],
)
def test_rounded(score: float, expected: float) -> None:
    assert arithmetic.rounded(np.array([score])).tolist() == [expected]
    assert plain_scores.rounded(score) == expected


# The bootstrap.


def test_draws() -> None:
    # Seed 0: 25214903917 * 13070 + 11 = 329558794195201; less 2^48 = 281474976710656 this is
    # 48083817484545; over 2^48: 0.170828. C's drand48 after srand48(0) and srand48(1) begins
    # 0.170828, 0.749902, 0.096372, 0.870465 and 0.041630, 0.454492, 0.834817, 0.335986.
    expected = [[1708, 7499, 963, 8704], [416, 4544, 8348, 3359]]
    assert bootstrap.draw_instances(10_000, range(2))[:, :4].tolist() == expected
    assert [plain_scores.draws(number, 10_000)[:4] for number in (0, 1)] == expected
    # The same numbers times 4, cut to whole ones; and one instance is always drawn.
    assert bootstrap.draw_instances(4, range(2)).tolist() == [[0, 2, 0, 3], [0, 1, 3, 1]]
    assert bootstrap.draw_instances(1, range(5)).tolist() == [[0]] * 5


def test_sums() -> None:
    # Of four instances resample 0 draws 0 2 0 3, resample 1 draws 0 1 3 1.
    # First column 1 + 4 + 1 + 8 = 14 and 1 + 2 + 8 + 2 = 13; the second is ten times that.
    values = np.array([[1, 10], [2, 20], [4, 40], [8, 80]], np.float64)
    assert bootstrap.resampled_sums(values, 2).tolist() == [[14, 140], [13, 130]]
    assert bootstrap.counted_sums(values, 2).tolist() == [[14, 140], [13, 130]]
    # In doubles 1 + 1e16 is 1e16, to the even neighbour, and so once more: in the order drawn
    # ((1 + 1e16) + 1) - 1e16 = 0; added up otherwise it could be 1 or 2.
    values = np.array([[1.0] * 3, [0.0] * 3, [1e16] * 3, [-1e16] * 3])
    assert bootstrap.resampled_sums(values, 1).tolist() == [[0.0] * 3]


def test_counts_that_no_byte_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    class Overflowing:
        @staticmethod
        def draw(n_instances: int, first: int, times: "np.typing.NDArray[np.uint8]") -> bool:
            times[:] = 255
            return False

    monkeypatch.setattr(bootstrap, "compiled_core", Overflowing)
    test_sums()


@pytest.mark.parametrize(
    ("values", "confidence", "expected"),
    [
        # delta = 4 * 25 / 100 = 1: la = 1, ua = 4 - 1 - 1 = 2, ratio 0: v[1] and v[2].
        ([1, 2, 3, 4], 50, (2.5, 2, 3)),
        # delta = 0, la = 0, ua = 3, ratio 0: all of them.
        ([1, 2, 3, 4], 100, (2.5, 1, 4)),
        # delta = 2, la = 2, ua = 1, ratio 0: the lower bound lies above the upper one.
        ([1, 2, 3, 4], 0, (2.5, 3, 2)),
        # delta = 2 * 12.5 / 100 = 0.25: la = 0, ua = int(0.75) = 0, ratio 0.75: both 1 + 0.75.
        ([1, 2], 75, (1.5, 1.75, 1.75)),
        # delta = 0.125: la = 0, ua = int(-0.125) = 0 (toward zero), ratio -0.125; v[1] reads as
        # 0: 1 + (0 - 1) * -0.125 = 1.125, above every value.
        ([1], 75, (1, 1.125, 1.125)),
        # delta = 5 * 12.5 / 100 = 0.625: la = 0, ua = int(3.375) = 3, ratio 0.375:
        # 0 + (8 - 0) * 0.375 = 3 and 16 + (32 - 16) * 0.375 = 22.
        ([0, 8, 8, 16, 32], 75, (12.8, 3, 22)),
    ],
)
def test_interval(values: list[float], confidence: float, expected: Triple) -> None:
    # The columns are apart.
    two = np.array([values, values], np.float64).T[::-1] * [1, 10]
    found = bootstrap.estimate(two, confidence)
    assert found.tolist() == [[value, 10 * value] for value in expected]
    assert plain_scores.estimate(values[::-1], confidence) == expected


def test_means_of_few_instances() -> None:
    # The sums above over 4: means 3.5 and 3.25 of hundredths. With 100 %: delta = 0, la = 0,
    # ua = 1, ratio 0: 0.0325 and 0.035; average (0.0325 + 0.035) / 2 = 0.03375.
    scores = np.array([[0.01] * 2, [0.02] * 2, [0.04] * 2, [0.08] * 2])
    means = bootstrap.estimate_means(scores, 2, 100)
    assert [f"{value:.5f}" for value in means[:, 0]] == ["0.03375", "0.03250", "0.03500"]
    assert (means[:, 0] == means[:, 1]).all()
