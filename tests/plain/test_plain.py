"""The twin itself against examples worked by hand."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import pytest

from .lcs import Sentences, lcs, lcs_positions, wlcs, wlcs_base
from .metrics import basic_elements, element_units, ngrams, skip_bigrams, table
from .numbers import power, printed, printed_cut, total
from .options import parse
from .program import run
from .scores import bootstrap, draws, estimate, eval_scores, formula_a, formula_b, rounded
from .texts import limit_bytes, limit_bytes_unsummed, limit_words, tokens

MODEL = b"police killed the gunman".split()


def lcs_of(peer: Sentences, model: Sentences) -> tuple[float, float, float]:
    """ROUGE-L with the unigram tables of the same sentences."""
    return lcs(peer, model, table(chain(*peer)), table(chain(*model)))


def wlcs_of(peer: Sentences, model: Sentences, weight: int) -> tuple[float, float, float]:
    """ROUGE-W with the unigram tables of the same sentences."""
    return wlcs(peer, model, table(chain(*peer)), table(chain(*model)), weight)


def test_word_limit_takes_whole_sentences_strictly_below() -> None:
    # 2 words < 4; 2 + 2 reaches 4, so the second is cut to the missing 2 and reading stops.
    assert limit_words([b"a b", b"c  d", b"e"], 4) == [b"a b", b"c d"]
    # A leading blank makes an empty first word, which counts: 2 words, 1 of them missing.
    assert limit_words([b"a", b" b"], 2) == [b"a", b""]
    assert limit_words([b"a b"], 0) == [b"a b"]


def test_byte_limit_summed_and_unsummed() -> None:
    # 3 < 5; 3 + 3 passes 5, so 2 bytes of the second.
    assert limit_bytes([b"abc", b"def", b"ghi"], 5) == [b"abc", b"de"]
    # Never added up: both of 3 bytes are shorter than 5; the one of 6 is cut and ends it.
    assert limit_bytes_unsummed([b"abc", b"def", b"ghijkl", b"m"], 5) == [b"abc", b"def", b"ghijk"]


def test_tokens() -> None:
    # The hyphen separates and goes; the bytes of an accent are blanks; "the" is a stopword.
    text = "The Well-known café's 3rd -".encode()
    found = tokens(text, stopwords={b"the"}, stem=lambda token: token[:4])
    assert found == [b"well", b"know", b"caf", b"s", b"3rd"]


def test_ngrams_clip() -> None:
    # Model a:2 b:1, peer a:1 b:2 c:1. Hit min(2,1) + min(1,2) = 2.
    assert ngrams([b"a", b"b", b"b", b"c"], [b"a", b"a", b"b"], 1) == (2, 3, 4)
    # Bigrams: model aa ab, peer ab bb bc. Hit ab = 1.
    assert ngrams([b"a", b"b", b"b", b"c"], [b"a", b"a", b"b"], 2) == (1, 2, 3)
    assert ngrams([b"a"], [b"a"], 2) == (0, 0, 0)


def test_skip_bigrams() -> None:
    # Four tokens have 6 pairs. In common: (police, the), (police, gunman), (the, gunman).
    peer = b"police kill the gunman".split()
    assert skip_bigrams(peer, MODEL, -1, False) == (3, 6, 6)
    # No gap: neighbours only, 3 each; in common: (the, gunman).
    assert skip_bigrams(peer, MODEL, 0, False) == (1, 3, 3)
    # SU: plus the first three words; in common police and the: 3 + 2.
    assert skip_bigrams(peer, MODEL, -1, True) == (5, 9, 9)
    # A text of one token has no unit at all.
    assert skip_bigrams([b"a"], [b"a"], -1, True) == (0, 0, 0)


def test_lcs_walk_prefers_going_up() -> None:
    # Model "a b", peer "b a". The walk starts at b (model) and a (peer), which differ; going
    # up, c is 1 (a, a), going left, c is 1 (b, b): equal, so up, and a is marked, not b.
    assert lcs_positions([b"a", b"b"], [b"b", b"a"]) == {0}


def test_lcs_union_and_clipping() -> None:
    # Lin 2004: model w1..w5; peers "w1 w2 w6 w7 w8" and "w1 w3 w8 w9 w5".
    # LCS: {w1, w2} and {w1, w3, w5}; the union has 4 of 5; the peer has 10 tokens.
    model = [b"w1 w2 w3 w4 w5".split()]
    peer = [b"w1 w2 w6 w7 w8".split(), b"w1 w3 w8 w9 w5".split()]
    assert lcs_of(peer, model) == (4, 5, 10)
    # Both model sentences match the one "a" of the peer, which is used up by the first.
    assert lcs_of([[b"a"]], [[b"a"], [b"a"]]) == (1, 2, 1)
    # The tables may be shorter than the sentences: nothing left in them, nothing counts.
    assert lcs([[b"a"]], [[b"a"]], {}, {}) == (0, 1, 0)


def test_wlcs() -> None:
    # Weight 2. Model "a b c d" : base 4^2 = 16, model count 16^2 = 256.
    # Peer "a b x d": 4^2 = 16. Runs: a b (2^2 = 4) and d (1): hit 5.
    model, peer = [b"a b c d".split()], [b"a b x d".split()]
    assert wlcs_of(peer, model, 2) == (5, 256, 16)
    assert wlcs_base(model, 2) == 16
    # Two sentences: base 2^2 + 1 = 5, model count 25; peer 3^2; hits 2^2 + 1.
    split: Sentences = [[b"a", b"b"], [b"c"]]
    assert wlcs_of(split, split, 2) == (5, 25, 9)


def test_wlcs_failed_position_does_not_end_a_run() -> None:
    # All of "a b a" is marked, but the tables hold a and b once only (as after a limit):
    # a: h = 1; b: h = 2; the last a fails, so the run of 2 is never added.
    model = [[b"a", b"b", b"a"]]
    unigrams = {b"a": 1, b"b": 1}
    assert wlcs(model, model, unigrams, unigrams, 2)[0] == 0
    # Marked: a b, then c after the unmarked x. b fails, so h = 1 goes on to c: 2^2 = 4.
    peer, longer = [[b"a", b"b", b"c"]], [[b"a", b"b", b"x", b"c"]]
    without_b = {b"a": 1, b"c": 1, b"x": 1}
    assert wlcs(peer, longer, without_b, without_b, 2)[0] == 4


@pytest.mark.parametrize(
    ("mode", "counts"),
    [
        ("H", (1, 1, 1)),  # cat, once each
        ("HM", (1, 2, 1)),  # model dog|big, sat|on; peer dog|big
        ("HMR", (0, 1, 2)),  # model dog|big|mod; peer cat|nil|det, dog|big|nn
        ("HM1", (2, 3, 2)),  # cat|nil and dog|big
        ("HMR1", (0, 2, 1)),  # model dog|big|mod, sat|on|nil; peer dog|big|nn
        ("HMR2", (0, 3, 2)),  # everything; nothing in common
    ],
)
def test_basic_elements(mode: str, counts: tuple[int, int, int]) -> None:
    model = [b"Cat|NIL|NIL", b"dog|big|mod", b"sat|on|NIL"]
    peer = [b"cat|NIL|det", b"dog|big|nn"]
    assert basic_elements(peer, model, mode) == counts


def test_basic_elements_stem_words_of_long_fields() -> None:
    # "cats on" has more than 3 bytes: word by word, short words too. "dos" has 3 bytes and stays.
    # A word without a letter or digit stays as well, and so does one blank at the start.
    def stem(word: bytes) -> bytes:
        return word.removesuffix(b"s")

    assert basic_elements(
        [b"cats on|dos|x"], [b"cat on|dos|x"], "HM", peer_stem=stem, model_stem=stem
    ) == (1, 1, 1)
    assert element_units([b" as  s% --s\t|nil|x"], "HMR2", stem) == [(b" a s% --", b"nil", b"x")]
    with pytest.raises(ValueError, match="HEAD"):
        basic_elements([b"a|b|"], [], "HM")


def test_formulas() -> None:
    counts = [(1, 4, 3), (2, 5, 3), (2, 5, 3)]
    assert formula_a([(1, 4, 3), (2, 5, 3)]) == (3, 9, 6)
    assert formula_b([*counts, (9, 9, 9)], [0.25, 0.4, 0.4, 0.1]) == (2, 5, 3)
    # All zero: the first of equals.
    assert formula_b([(0, 4, 3), (0, 5, 3)], [0.0, 0.0]) == (0, 4, 3)


def test_scores_of_an_eval() -> None:
    # R = 2/3 = 0.66667, P = 2/4 = 0.5; F = 0.333335 / 0.583335 = 0.571430...: 0.57143.
    assert eval_scores((2, 3, 4), 0.5) == (0.66667, 0.5, 0.57143)
    # F is from the rounded R and P: alpha 0 gives P * R / P = R.
    assert eval_scores((2, 3, 4), 0.0)[2] == 0.66667
    # Weight 2: the roots of 4/16 and 4/64.
    assert eval_scores((4, 16, 64), 0.5, 2) == (0.5, 0.25, rounded(0.125 / 0.375))
    assert eval_scores((0, 0, 0), 0.5) == (0.0, 0.0, 0.0)


def test_drand48() -> None:
    # Seed 0: 25214903917 * 13070 + 11 = 329558794195201, less 2^48 = 48083817484545, over 2^48
    # = 0.170828.  The C library's drand48 after srand48(0) and srand48(1) begins likewise.
    assert draws(0, 10_000)[:4] == [1708, 7499, 963, 8704]
    assert draws(1, 10_000)[:4] == [416, 4544, 8348, 3359]
    # The same numbers times 4.
    assert draws(0, 4) == [0, 2, 0, 3]


def test_interval() -> None:
    # r = 4, 50 %: delta = 1, la = 1, ua = 2, share = 0: v[1], v[2]; the average is 2.5.
    assert estimate([4.0, 2.0, 1.0, 3.0], 50) == (2.5, 2.0, 3.0)
    # r = 2, 95 %: delta = 0.05, la = 0, ua = 0, share = 0.95: both ends 1 + 0.95.
    assert estimate([1.0, 2.0], 95) == pytest.approx((1.5, 1.95, 1.95))
    # r = 1, 95 %: ua = 0, share = -0.025, and v[1] reads as 0: 1 + (0 - 1) * -0.025.
    assert estimate([1.0], 95) == pytest.approx((1.0, 1.025, 1.025))


def test_bootstrap() -> None:
    assert bootstrap([], 1000, 95, 0, 0.5) == ((0.0,) * 3,) * 3
    # One instance is always drawn: -t 0 returns it.
    recall, precision, f = bootstrap([(0.5, 0.25, 0.3)], 4, 50, 0, 0.5)
    assert (recall, precision, f) == ((0.5,) * 3, (0.25,) * 3, (0.3,) * 3)
    # -t 1: counts 8, 4, 2: R = 2/8, P = 2/4, F = 0.125 / 0.375.
    recall, precision, f = bootstrap([(8, 4, 2)], 4, 50, 1, 0.5)
    assert (recall[0], precision[0], f[0]) == pytest.approx((0.25, 0.5, 1 / 3))


def test_whole_numbers_stay_whole() -> None:
    # 250047^3 = 63^9 takes 54 bits: exact, where a double would end in 824.
    assert power(250047, 3) == 15633814156853823
    assert printed(total([power(250047, 3)] * 2)) == "31267628313707646"
    # 2600000 has 22 bits, times 3 is 66: a double, which -d prints with %.15g and -t 2 cuts.
    assert printed(power(2600000, 3)) == "1.7576e+19"
    assert printed_cut(power(2600000, 3)) == "17576000000000000000"
    assert printed_cut(power(3000000, 3)) == "2.7e+19"
    assert printed(power(2, 1.2)) == "2.29739670999407"


def test_options() -> None:
    options = parse(["-n4", "-da", "-2", "-1", "--", "config.xml"])
    assert options.letters == {"n": "4", "d": "", "a": "", "2": "-1"}
    assert (options.config, options.system) == ("config.xml", None)


def test_program(tmp_path: Path) -> None:
    # One EVAL, peer "a b c", model "a b d e": hit 2 of 4 and of 3; F = 1/3 / 0.583335 = 0.57143.
    (tmp_path / "p").write_bytes(b"a b c\n")
    (tmp_path / "m").write_bytes(b"a b\nd e\n")
    (tmp_path / "list").write_bytes(b"# peer model\np m\n")
    out = run(["-xdn1", "-z", "SPL", "list", "S"], tmp_path)
    interval = "(95%-conf.int. {0} - {0})"
    assert out.decode().splitlines() == [
        "-" * 45,
        "S ROUGE-1 Average_R: 0.50000 " + interval.format("0.50000"),
        "S ROUGE-1 Average_P: 0.66667 " + interval.format("0.66667"),
        "S ROUGE-1 Average_F: 0.57143 " + interval.format("0.57143"),
        "." * 45,
        "S ROUGE-1 Eval 1.S R:0.50000 P:0.66667 F:0.57143",
    ]
    out = run(["-xn1", "-t2", "-z", "SPL", "list", "S"], tmp_path)
    assert out.decode().splitlines()[1] == "S ROUGE-1 M_count: 4 P_count: 3 H_count: 2"
