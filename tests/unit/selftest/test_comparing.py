"""Lines that differ, and what they are about."""

from typing import Any

import pytest

from rouge_cli.selftest import (
    Outcome,
    StoredRun,
    compared_lines,
    families_of,
    rows,
    selftest_report,
)

RULE, DOTS = b"-" * 45 + b"\n", b"." * 45 + b"\n"
ONE = b"a b ROUGE-1 Average_R: 0.50000 (95%-conf.int. 0.50000 - 0.50000)\n"
SU = b"X ROUGE-SU4 M_count: 4 P_count: 4 H_count: 0\n"
EVAL = b"X ROUGE-SU4 Eval 1.X R:4 P:4 F:0\n"


@pytest.mark.parametrize(
    ("name", "family"),
    [
        *[(f"ROUGE-{order}", "N") for order in (1, 9, 10)],
        ("ROUGE-L", "L"),
        ("ROUGE-W-1.2", "W"),
        ("ROUGE-S*", "S"),
        ("ROUGE-S4", "S"),
        ("ROUGE-SU*", "SU"),
        ("ROUGE-BE-HMR2", "BE"),
    ],
)
@pytest.mark.parametrize("rest", ["Average_P: 0.1 (", "M_count: 3", "Eval 1.X R:0 P:0 F:0"])
def test_family_of_a_line(name: str, family: str, rest: str) -> None:
    assert families_of([f"some system {name} {rest}\n".encode()]) == [family]


def test_rules_are_about_what_follows() -> None:
    lines = [RULE, ONE, RULE, SU, DOTS, EVAL, b"end\n"]
    assert families_of(lines) == ["N", "N", "SU", "SU", "SU", "SU", ""]
    assert families_of([]) == []


@pytest.mark.parametrize(
    ("expected", "found", "differences"),
    [
        pytest.param(RULE + ONE, RULE + ONE, (), id="same"),
        pytest.param(RULE + ONE, RULE + SU, ((2, "N", ONE, SU),), id="family-of-the-original"),
        pytest.param(RULE + SU, RULE, ((2, "SU", SU, None),), id="too-short"),
        pytest.param(RULE, RULE + SU, ((2, "SU", None, SU),), id="too-long"),
        pytest.param(SU, SU[:-1], ((1, "SU", SU, SU[:-1]),), id="no-newline"),
        pytest.param(SU, SU[:-1] + b"\r\n", ((1, "SU", SU, SU[:-1] + b"\r\n"),), id="crlf"),
        pytest.param(SU, b"", ((1, "SU", SU, None),), id="nothing"),
        pytest.param(b"a\rb\n", b"a\rb\n", (), id="lone-return"),
    ],
)
def test_compared_lines(
    expected: bytes, found: bytes, differences: tuple[tuple[int, Any, Any, Any], ...]
) -> None:
    lines = enumerate(compared_lines(expected, found), 1)
    assert tuple((k, *line) for k, line in lines if line[1] != line[2]) == differences


def outcome(found: bytes | None, *, letters: str = "md") -> Outcome:
    """A run with two metrics, and what came of it; None if it was stopped."""
    expected = RULE + ONE + RULE + SU + EVAL
    run = StoredRun("0001-x", "corpora/x", ("-m", "c.xml"), letters, "XML, SPL", expected)
    if found is None:
        return Outcome(run, compared_lines(expected, b""), "ValueError: no")
    return Outcome(run, compared_lines(expected, found))


def test_rows() -> None:
    good = outcome(RULE + ONE + RULE + SU + EVAL, letters="s")
    bad = outcome(RULE + ONE + RULE + SU + b"X\x1b\n")
    found = {what: numbers for what, *numbers in rows([good, bad], ())}
    assert found["ROUGE-N"] == [2, 4, True]
    assert found["ROUGE-SU"] == [2, 6, False]
    assert found["ROUGE-L"] == [0, 0, True]
    assert found["XML, SPL"] == [2, 10, False]
    assert found["-m -M, stems"] == [1, 5, False]
    assert found["-s, stopwords"] == [1, 5, True]


def test_a_stopped_run_differs_in_all_its_metrics() -> None:
    stopped = outcome(None)
    assert not stopped.is_same
    found = {what: numbers for what, *numbers in rows([stopped], ())}
    names = ("ROUGE-N", "ROUGE-SU", "ROUGE-L")
    assert [found[name] for name in names] == [[1, 2, False], [1, 3, False], [0, 0, True]]


def test_differences_as_shown() -> None:
    checks = [("stems", 1234, tuple(f"stem {k}" for k in range(7)))]
    found = [outcome(RULE + ONE + RULE + SU[:-1] + b" \xc3\x1b[1m\n" + EVAL[:-1])]
    lines = list(selftest_report(found, checks, ["mind this"]))
    start = lines.index("DIFFERENT in 0001-x: rouge-cli -m c.xml")
    assert lines[start + 1 :] == [
        "  line 4",
        f"    original  {SU.decode()[:-1]}",
        rf"    here      {SU.decode()[:-1]} \xc3\x1b[1m",
        "  line 5",
        f"    original  {EVAL.decode()[:-1]}",
        f"    here      {EVAL.decode()[:-1]} (no newline)",
        "",
        *(f"DIFFERENT stem {k}" for k in range(5)),
        "... and 2 more",
        "",
        "Note: mind this",
        "",
        "NOT THE SAME: 1 of 1 runs, stems. This installation does not give the scores of "
        "ROUGE-1.5.5; please report it with the output of: rouge-cli selftest --verbose",
    ]


def test_many_lines_are_not_all_shown() -> None:
    lines = list(selftest_report([outcome(b"")], (), ()))
    assert lines[-4:-2] == ["    here      (nothing)", "  ... and 2 more of its 5 lines"]
