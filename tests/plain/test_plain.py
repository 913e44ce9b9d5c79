"""The twin itself against examples worked by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from .metrics import basic_elements
from .numbers import power, printed, printed_cut, total
from .options import parse
from .program import run
from .scores import bootstrap
from .texts import limit_bytes, limit_bytes_unsummed, limit_words, tokens


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


def test_lines_that_are_no_elements() -> None:
    with pytest.raises(ValueError, match="HEAD"):
        basic_elements([b"a|b|"], [], "HM")
