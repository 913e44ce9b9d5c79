"""The reports of a comparison whose every number is made up."""
# ruff: noqa: RUF001

import csv
import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest

from rouge_cli.ci import FORMATS
from rouge_cli.options.options import Options
from rouge_cli.reports import Screen, write_report
from rouge_cli.reports.writers.text import display_width
from rouge_cli.scores.signature import signature
from rouge_cli.studies.compare.results import (
    ComparisonResult,
    PairResult,
    RandomisationResult,
    RankedSystem,
    Ranking,
    TestResult,
)
from rouge_cli.studies.compare.view import ComparisonView
from rouge_cli.studies.paired_tests import TestPlan
from rouge_cli.studies.resampling import EffectSize
from rouge_cli.studies.score_columns import ScoreColumn
from tests.unit.reports.made import ODD_IDS

OPTIONS = Options.of({"max_ngram": 1, "lcs": False, "resamples": 0, "all": True})
SIGNATURE = signature(OPTIONS)
TABLE_SIGNATURE = (
    "rouge-cli:0.1.0|like:1.5.5|n:1|stem:no|stop:no|limit:no|formula:A|alpha:0.5|\n"
    "count:eval|resamples:0\n"
)
HEADLINE = """\
three is best in ROUGE-1 F (0.7500), significantly better than each of the other
2 systems. (Approximate randomisation, two-sided; significant if p is at most
0.05 after Holm's correction over the 3 comparisons.)
"""
NOTES = """\
A - B: difference of the means over the texts that all 3 systems have, with its
95% interval by the bootstrap (BCa) and Student's t.
p, two-sided: boot. by the paired bootstrap, rand. by approximate randomisation,
with 100000 resamples each (1 of 3 rand. exact: all swaps enumerated); seed 7.
Holm: p corrected over the 3 comparisons of this report, for each test
separately.
Each system is taken as it is: how far other runs of it, as with other seeds,
would move its scores was not looked at (--run).
*: the better system, if rand. after Holm is at most 0.05. Systems that share a
letter cannot be told apart by this.
"""


def pair(
    names: Sequence[str],
    n_evals: int,
    difference: float,
    p: float,
    letters: tuple[tuple[str, ...], tuple[str, ...]] = ((), ()),
    *,
    is_exact: bool = False,
) -> PairResult:
    """Make a pair whose p after Holm is three times its p, and the interval 0.01 to both sides."""
    three = min(1.0, 3 * p)
    test = TestResult(p, three, three <= 0.05)
    return PairResult(
        ScoreColumn("ROUGE-1", "F"),
        *(names[0], names[1]),
        n_evals=n_evals,
        n_unequal=n_evals - 1,
        mean_a=0.5 + difference,
        mean_b=0.5,
        difference=difference,
        interval=(difference - 0.01, difference + 0.01),
        bootstrap=test,
        randomisation=RandomisationResult(p, three, three <= 0.05, is_exact),
        letters_a=letters[0],
        letters_b=letters[1],
    )


def made(names: Sequence[str] = ("one", "two", "three"), *, evals: int = 30) -> ComparisonResult:
    one, two, three = names
    pairs = (
        pair((one, two), 30, -0.00001, 0.625, is_exact=True),
        pair((one, three), evals, -0.25, 2**-17, (("b", "c"), ("a",))),
        pair((two, three), 30, -0.125, 0.012),
    )
    systems = (
        RankedSystem(three, evals, 0.75, ("a",)),
        RankedSystem(two, 30, 0.625, ("b",)),
        RankedSystem(one, 30, 0.5, ("b", "c")),
    )
    ranking = Ranking(ScoreColumn("ROUGE-1", "F"), systems, pairs)
    plan = TestPlan("F", 100_000, 7, Fraction(19, 20))
    return ComparisonResult((one, two, three), (ranking,), plan, OPTIONS, ("take care",))


def written(comparison: ComparisonResult, kind: str, *, is_verbose: bool = False) -> str:
    return "".join(write_report(ComparisonView(comparison, is_verbose), kind))


def test_table() -> None:
    comparison = made()
    assert written(comparison, "table") == (
        HEADLINE
        + """\

ROUGE-1 F, 30 texts
A    B         A - B          interval       p    Holm
──────────────────────────────────────────────────────
one  two      0.0000   −0.0100–0.0100   0.6250  1.0000
one  three*  −0.2500   −0.2600–−0.2400  <.0001  <.0001
two  three*  −0.1250   −0.1350–−0.1150  0.0120  0.0360

A - B: difference of the means over the texts that all 3 systems have, with its
95% interval by the bootstrap (BCa) and Student's t. p: by randomisation with
100000 resamples (1 of 3 exact: all swaps enumerated); seed 7. Holm: p after the
correction.
*: the better system, if Holm is at most 0.05.
"""
        + TABLE_SIGNATURE
    )


@pytest.mark.parametrize("is_verbose", [False, True])
def test_more_resamples_than_usual(is_verbose: bool) -> None:
    comparison = made()
    grown = replace(comparison, plan=replace(comparison.plan, may_grow=True))
    text = " ".join(written(grown, "table", is_verbose=is_verbose).split())
    note = (
        "100000 resamples, and not 10000: as many as the correction over 3 comparisons asks for "
        "(-r)."
    )
    assert note in text
    # As many as were asked for.
    assert "and not" not in written(comparison, "table", is_verbose=is_verbose)


def test_table_of_two_metrics() -> None:
    comparison = made()
    (ranking,) = comparison.rankings
    # In the second one nobody is better than the others, of which `two` comes next.
    unknown = RandomisationResult(0.5, 0.75, is_significant=False)
    column = ScoreColumn("ROUGE-2", "F")
    pairs = tuple(replace(x, column=column, randomisation=unknown) for x in ranking.pairs)
    other = replace(ranking, column=column, pairs=pairs)
    lines = written(replace(comparison, rankings=(ranking, other)), "table").splitlines()
    assert lines[:13] == [
        "three is best in ROUGE-1 F (0.7500), significantly better than each of the other",
        "2 systems. three has the highest ROUGE-2 F (0.7500), but cannot be told apart",
        "from two and one: the difference from two is 0.1250 [0.1150, 0.1350], p =",
        "0.7500. (Approximate randomisation, two-sided; significant if p is at most 0.05",
        "after Holm's correction over the 6 comparisons.)",
        "",
        "30 texts",
        "Metric     A    B         A - B          interval       p    Holm",
        "─────────────────────────────────────────────────────────────────",
        "ROUGE-1 F  one  two      0.0000   −0.0100–0.0100   0.6250  1.0000",
        "ROUGE-1 F  one  three*  −0.2500   −0.2600–−0.2400  <.0001  <.0001",
        "ROUGE-1 F  two  three*  −0.1250   −0.1350–−0.1150  0.0120  0.0360",
        "ROUGE-2 F  one  two      0.0000   −0.0100–0.0100   0.5000  0.7500",
    ]
    same = written(
        replace(comparison, rankings=(ranking, replace(other, pairs=ranking.pairs))), "table"
    )
    assert "other\n2 systems. The same holds in ROUGE-2 F. (Approximate" in same


@pytest.mark.parametrize(
    ("name", "kind", "start"),
    [
        # Neither a command of GitHub, nor an item of a list, nor a heading.
        ("::stop::", "table", "\\x3a:stop:: is best in "),
        ("- a", "markdown", "\\- a is best in "),
        ("1. a", "markdown", "1\\. a is best in "),
        ("    a", "markdown", "a is best in "),
        ("<b>", "notebook", "<p>&lt;b&gt; is best in "),
    ],
)
def test_a_verdict_begins_with_a_name(name: str, kind: str, start: str) -> None:
    view, screen = ComparisonView(made(("one", "two", name))), Screen(log=FORMATS["github"])
    assert "".join(write_report(view, kind, screen)).startswith(start)


def test_verbose_table() -> None:
    assert written(made(), "table", is_verbose=True) == (
        HEADLINE
        + """\

ROUGE-1 F, 30 texts
                                              p              Holm
A    B         A - B          interval   boot.   rand.   boot.   rand.
──────────────────────────────────────────────────────────────────────
one  two      0.0000   −0.0100–0.0100   0.6250  0.6250  1.0000  1.0000
one  three*  −0.2500   −0.2600–−0.2400  <.0001  <.0001  <.0001  <.0001
two  three*  −0.1250   −0.1350–−0.1150  0.0120  0.0120  0.0360  0.0360

System   N    Mean  Groups
──────────────────────────
three   30  0.7500  a
two     30  0.6250    b
one     30  0.5000    b c

"""
        + NOTES
        + TABLE_SIGNATURE
    )


def test_table_with_different_numbers_of_evals() -> None:
    report = written(made(evals=9), "table", is_verbose=True)
    assert report.startswith(
        HEADLINE
        + """\

ROUGE-1 F
                                                  p              Holm
A    B        N    A - B          interval   boot.   rand.   boot.   rand.
──────────────────────────────────────────────────────────────────────────
one  two     30   0.0000   −0.0100–0.0100   0.6250  0.6250  1.0000  1.0000
one  three*   9  −0.2500   −0.2600–−0.2400  <.0001  <.0001  <.0001  <.0001
"""
    )


@pytest.mark.parametrize("evals", [9, 12345])
@pytest.mark.parametrize("place", range(0, len(ODD_IDS), 3))
def test_table_fits_and_loses_no_name(place: int, evals: int) -> None:
    names = ODD_IDS[place : place + 3]
    report = written(made(names, evals=evals), "table", is_verbose=True)
    # The sentence before them keeps long words whole.
    lines = report.partition("\n\n")[2].splitlines()
    assert max(map(display_width, lines)) <= 80
    assert all(line.isprintable() for line in lines)
    # Every sign of the best system's name stands somewhere in its rows.
    shown = names[2].encode("unicode_escape").decode() if not names[2].isprintable() else names[2]
    shown = shown.replace("\\udcff", "\\xff")
    start = next(k for k, line in enumerate(lines) if line.startswith("System"))
    assert lines[start + 2].startswith(shown[:40])


def test_narrow_names_leave_room_to_long_ones() -> None:
    report = written(made(["a", "b", "x" * 18]), "table")
    assert re.search(r"^a  x{18}\*  −0\.2500 ", report, re.MULTILINE)


def test_json() -> None:
    report = json.loads(written(made(), "json"))
    test = {"p": 2**-17, "p_holm": 3 * 2**-17, "is_significant": True}
    found = report["metrics"][0]["pairs"][1]
    assert {name: value for name, value in found.items() if value is not None} == {
        "system_a": "one", "system_b": "three", "n_evals": 30, "n_unequal": 29, "mean_a": 0.25,
        "mean_b": 0.5, "difference": -0.25, "interval": [-0.26, -0.24], "bootstrap": test,
        "randomisation": {**test, "is_exact": False}, "skewness": 0, "better": "three",
    }  # fmt: skip
    assert report["metrics"][0]["ranking"][2] == {
        "system": "one", "n_evals": 30, "mean": 0.5, "letters": ["b", "c"],
    }  # fmt: skip
    del report["metrics"], report["version"], report["margin"]
    assert report == {
        "program": "rouge-cli", "schema_version": 1,
        "signature": SIGNATURE, "seed": 7, "resamples": 100_000,
        "confidence": 95, "level": 0.05, "n_comparisons": 3, "warnings": ["take care"],
        "systems": ["one", "two", "three"],
    }  # fmt: skip


def test_csv() -> None:
    rows = list(csv.DictReader(written(made(), "csv").splitlines()))
    assert len(rows) == 3
    assert rows[0]["better"] == ""
    assert " ".join(f"{name}={value}" for name, value in rows[1].items() if value) == (
        "metric=ROUGE-1 measure=f_measure system_a=one system_b=three n_evals=30 n_unequal=29 "
        "mean_a=0.25 mean_b=0.5 difference=-0.25 lower=-0.26 upper=-0.24 "
        "p_bootstrap=7.62939453125e-06 p_bootstrap_holm=2.288818359375e-05 "
        "p_randomisation=7.62939453125e-06 p_randomisation_holm=2.288818359375e-05 "
        "is_exact=false skewness=0.0 letters_a=b c letters_b=a better=three resamples=100000 "
        f"seed=7 confidence=95.0 signature={SIGNATURE} n_comparisons=3"
    )


@pytest.mark.parametrize("place", range(0, len(ODD_IDS), 3))
def test_names_are_data(place: int) -> None:
    names = ODD_IDS[place : place + 3]
    report = written(made(names), "csv")
    rows = list(csv.DictReader(report.splitlines(keepends=True)))
    assert [row["system_b"] for row in rows] == [names[1], names[2], names[2]]
    found = json.loads(written(made(names), "json"))
    assert found["systems"] == names


def test_latex() -> None:
    report = written(made(["o_ne", "two", "three"]), "latex", is_verbose=True)
    assert report.startswith(f"% needs \\usepackage{{booktabs}}\n% {SIGNATURE}\n\\begin{{table}}\n")
    assert "\n  \\caption{ROUGE-1 F, 30 texts: three is best in ROUGE-1 F (0.7500), " in report
    assert " 3 comparisons.) A - B: difference" in report
    assert r"95\% interval by the bootstrap (BCa) and Student's t" in report
    (pairs, systems) = re.findall(r"\\begin{tabular}.*?\\end{tabular}", report, re.DOTALL)
    assert pairs == (
        r"""\begin{tabular}{llrrrrrr}
    \toprule
     &  &  &  & \multicolumn{2}{c}{$p$} & \multicolumn{2}{c}{Holm} \\
    A & B & $A - B$ & interval & boot. & rand. & boot. & rand. \\
    \midrule
    o\_ne & two & $0.0000$ & {\scriptsize $[-0.0100, 0.0100]$} & 0.6250 & 0.6250 & 1.0000 & 1.0000 \\
    o\_ne & three\textsuperscript{*} & $-0.2500$ & {\scriptsize $[-0.2600, -0.2400]$} & LESS & LESS & LESS & LESS \\
    two & three\textsuperscript{*} & $-0.1250$ & {\scriptsize $[-0.1350, -0.1150]$} & 0.0120 & 0.0120 & 0.0360 & 0.0360 \\
    \bottomrule
  \end{tabular}""".replace("LESS", r"\textless{}.0001")  # noqa: E501
    )
    assert systems == (
        r"""\begin{tabular}{lrrc@{\hspace{2pt}}c@{\hspace{2pt}}c}
    \toprule
    System & N & Mean & \multicolumn{3}{l}{Groups} \\
    \midrule
    three & 30 & 0.7500 & a &  &  \\
    two & 30 & 0.6250 &  & b &  \\
    o\_ne & 30 & 0.5000 &  & b & c \\
    \bottomrule
  \end{tabular}"""
    )
    assert report.count(r"\begin") == report.count(r"\end") == 3


def with_more() -> ComparisonResult:
    """Make a comparison of clusters with all that may be asked for."""
    comparison = made()
    (ranking,) = comparison.rankings
    same = TestResult(0.01, 0.03, is_significant=True)
    one, two, three = (
        replace(
            one,
            n_clusters=6,
            minimum_detectable_difference=0.0123,
            equivalence=same,
            skewness=-1.5,
            effect=EffectSize(0.5, 0.1, 0.9),
        )
        for one in ranking.pairs
    )
    two = replace(
        two, minimum_detectable_difference=None, equivalence=replace(same, is_significant=False)
    )
    plan = replace(comparison.plan, margin=Fraction(1, 50))
    return replace(comparison, rankings=(replace(ranking, pairs=(one, two, three)),), plan=plan)


def test_more_of_each_pair() -> None:
    lines = written(with_more(), "table", is_verbose=True).splitlines()
    assert lines[4] == "ROUGE-1 F, 30 texts in 6 clusters"
    assert lines[12:17] == [
        "                                            equivalence",
        "A    B      detectable        effect size       p    Holm  the same",
        "────────────────────────────────────────────────────────────────────",
        "one  two        0.0123  0.50 [0.10, 0.90]  0.0100  0.0300  yes",
        "one  three           -  0.50 [0.10, 0.90]  0.0100  0.0300  not shown",
    ]
    notes = " ".join(" ".join(lines).split())
    assert "as the first one of Holm's (at 0.05 / 3); -: the differences have no" in notes
    assert "equivalence: p of systems that differ by 0.02 or more" in notes
    lines = written(with_more(), "table").splitlines()
    assert lines[5] == "A    B         A - B          interval       p    Holm  the same"
    assert [line.split(maxsplit=6)[6] for line in lines[7:10]] == ["yes", "not shown", "yes"]
    assert any(line.startswith("the same: whether p, after Holm, of systems") for line in lines)


def test_more_of_each_pair_as_data() -> None:
    found = json.loads(written(with_more(), "json"))
    pair = found["metrics"][0]["pairs"][0]
    assert found["margin"] == 0.02
    assert pair["equivalence"] == {"p": 0.01, "p_holm": 0.03, "is_significant": True}
    assert (pair["detectable"], pair["skewness"], pair["n_clusters"]) == (0.0123, -1.5, 6)
    assert pair["effect_size"] == {"value": 0.5, "lower": 0.1, "upper": 0.9}
    row = list(csv.DictReader(written(with_more(), "csv").splitlines()))[1]
    assert [row[f"effect_{name}"] for name in ("size", "lower", "upper")] == ["0.5", "0.1", "0.9"]
    names = ("detectable", "p_equivalence", "p_equivalence_holm", "n_clusters")
    assert [row[name] for name in (*names, "margin")] == ["", "0.01", "0.03", "6", "0.02"]


def ranked(n_systems: int, form: str = "s{:03}", n_metrics: int = 1) -> ComparisonResult:
    """Make a comparison of systems whose names ascend as their means descend.

    In the k-th metric the best system and the next k - 1 cannot be told apart.
    """
    names = [form.format(number) for number in range(n_systems)]
    all_pairs = list(combinations(names, 2))
    rankings = []
    for k in range(n_metrics):
        pairs = (
            *(pair(two, 30, 0.1, 0.5) for two in all_pairs[:k]),
            *(pair(two, 30, 0.1, 0.001) for two in all_pairs[k:]),
        )
        systems = tuple(RankedSystem(name, 30, 1 - n / 1000, ()) for n, name in enumerate(names))
        rankings.append(Ranking(ScoreColumn(f"ROUGE-{k + 1}", "F"), systems, pairs))
    return replace(made(), systems=tuple(names), rankings=tuple(rankings))


LONG = ranked(12, "llama-3.1-8b-instruct-cnn_dailymail-lr2e-05-epoch{}-beam4-lenpen2.0", 5)
FOREIGN = ranked(12, "\u4e2d\u6587\u6a21\u578b-{}", 5)


def test_latex_folds_long_lists() -> None:
    text = written(LONG, "latex")
    assert r"\begin{tabular}{lp{44pt}rp{150pt}}" in text
    # \raggedright in the last cell redefines \\.
    row = next(line for line in text.split("\n") if line.startswith("    ROUGE-5 F & "))
    assert row.endswith(r"-\allowbreak{}lenpen2.\allowbreak{}0 \tabularnewline")
    # The key of names is no caption.
    assert (
        r"\caption{The best system in each measure: llama-3.1-8b-instruct-cnn\_dailymail-lr2e-05-"
        in text
    )


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_latex_compiles(tmp_path: Path) -> None:
    comparisons = [made(ODD_IDS[place : place + 3], evals=9) for place in (0, 6, 9)]
    tables = "".join(
        written(one, "latex", is_verbose=is_verbose)
        for one in (*comparisons, LONG, FOREIGN)
        for is_verbose in (False, True)
    )
    document = f"\\documentclass{{article}}\\usepackage{{booktabs}}\\begin{{document}}\n{tables}"
    (tmp_path / "d.tex").write_text(document + "\\end{document}\n", "utf-8")
    finished = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "d.tex"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    log = finished.stdout.decode("utf-8", "replace")
    assert finished.returncode == 0, log[-2000:]
    assert "Overfull" not in log
    assert "too large" not in log


@pytest.mark.parametrize(
    ("n_systems", "n_rows", "sentence"),
    [
        (6, 15, ""),
        (21, 20, "20 of 210 pairs are shown, those of the best system with the others; p is "),
        (203, 40, "40 of 20503 pairs are shown, those of the best system with the next 40; p is "),
    ],
)
def test_a_page_has_room_for_some_pairs(n_systems: int, n_rows: int, sentence: str) -> None:
    view = ComparisonView(ranked(n_systems))
    (part,) = view.page().parts
    rows = part.sections[0].tables[0].rows
    assert len(rows) == n_rows
    if sentence:
        assert {row[1].text for row in rows} == {"s000"}
        # The best ones first.
        assert [row[2].text for row in rows] == [f"s{k:03}" for k in range(1, n_rows + 1)]
        assert part.notes[0].text({}).startswith(sentence)
    n_pairs = n_systems * (n_systems - 1) // 2
    # Other reports, and what p is corrected over, have all pairs.
    assert len(view.document().sections[0].tables[0].rows) == n_pairs
    assert f"correction over the {n_pairs} comparisons" in str(view.page().headline)
