"""The tables in Markdown, for notebooks, and for LaTeX, where pdflatex is also compiled."""

import re
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rouge_cli.reports.writers.latex import ACCENTS, LETTERS, breakable, latex_text
from rouge_cli.scores.results import Measure, Results
from tests.pages import read_page
from tests.unit.reports.made import ODD_IDS, compile_latex, judged, made, odd, report, three


def test_a_notebook_has_the_figure_below_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("vl_convert")
    results = made({"a": [0.2], "b": [0.3]})
    drawn = report(results, "notebook")
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    before, end, after = report(results, "notebook").partition("</table>\n")
    assert drawn.startswith(f"{before}{end}<figure>\n")
    assert drawn.endswith(f"</figcaption>\n</figure>\n{after}")
    assert drawn.count("<svg") == 1
    assert ">Mean ROUGE-1 F, 95% interval<" in drawn


def test_odd_ids_are_text_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    reader = read_page(report(odd(per_eval=True, resamples=0), "notebook"))
    assert (reader.open, reader.is_balanced) == ([], True)
    shown = {system for system in ODD_IDS if system.isprintable()}
    shown |= {r"two\nlines\t\x1b[31m", r"raw\xff"}
    numbers = len(ODD_IDS) * 3
    assert set(reader.texts["td"][:numbers:3]) == shown
    assert set(reader.texts["td"][numbers + 1 :: 3]) == shown


@pytest.mark.parametrize(
    ("system", "shown"),
    [
        ("a|b", r"a\|b"),
        ("[red]x[/red]", r"\[red\]x\[/red\]"),
        ("*a* _b_ `c` ~d~", r"\*a\* \_b\_ \`c\` \~d\~"),
        ("<b>&amp; #1 \\", r"\<b\>\&amp; \#1 \\"),
        ("one\ntwo", r"one\\ntwo"),
        ("$a$ @user a@b.c", r"\$a\$ @<!-- -->user a@<!-- -->b.c"),
        ("https://a.b WWW.c.d", r"https\://a.b WWW\.c.d"),
    ],
)
def test_escapes_in_markdown(system: str, shown: str) -> None:
    assert f"\n| {shown} | 2 |" in report(made({system: [0.2]}), "markdown")


def test_every_row_of_markdown_has_as_many_cells() -> None:
    lines = report(odd(max_gap=-1, max_ngram=None), "markdown").splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert len(rows) == 14
    assert {len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) for row in rows} == {4}
    assert rows[0] == r"| System | N | ROUGE-S\* F |"


def test_negative_scores_have_a_minus_in_latex() -> None:
    results = judged(resamples=0)
    system = results.systems["b"]
    below = replace(system["human mark"], measures={"S": Measure(-2.5, None, None, np.zeros(2))})
    lower = replace(system, metrics={**system.metrics, below.name: below})
    assert "$-2.5000$" in report(replace(results, systems={"b": lower}), "latex")


def large() -> Results:
    """Return results with more columns than fit a page, and more EVALs."""
    return made(
        {"a": [0.2] * 8, "facebook/bart-large-cnn_samsum.v2-0001": [0.3] * 8},
        {"a": [f"doc-{k}" for k in range(90)]},
        max_ngram=4,
        lcs=True,
        weight="1.2",
        max_gap=-4,
        skip_and_unigram=True,
        per_eval=True,
    )


CASES = {
    "plain": made({"a": [0.2], "b": [0.3]}),
    "one": made({"a": [0.2]}, resamples=0),
    "large": large(),
    "odd": odd(),
    "odd-evals": odd(per_eval=True, measures="RPF", report="latex", percent=True),
}


@pytest.mark.parametrize("results", CASES.values(), ids=CASES)
def test_structure_in_latex(results: Results) -> None:
    text = report(results, "latex")
    assert text.isascii() or "\u00e9" in text
    environments = re.findall(r"\\(begin|end)\{(\w+)\}", text)
    waiting: list[str] = []
    for kind, name in environments:
        if kind == "begin":
            waiting.append(name)
        else:
            assert waiting.pop() == name
    assert waiting == []
    bare = re.sub(r"\\[\\{}]", "", text)
    assert bare.count("{") == bare.count("}")
    tables = re.findall(
        r"\\begin\{(?:tabular|longtable)\}\{([^\n]*)\}\n(.*?)\\end", text, re.DOTALL
    )
    for kinds, body in tables:
        n_columns = len(re.sub(r"@\{[^}]*\}", "", re.sub(r"p\{[^}]*\}", "l", kinds)))
        rows = [line for line in body.splitlines() if " & " in line]
        assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {n_columns - 1}


def test_columns_that_do_not_fit_go_below() -> None:
    text = report(large(), "latex")
    headings = re.findall(r"^    System & N & (.*) \\\\", text, re.MULTILINE)
    assert [heading.count("&") + 1 for heading in headings] == [4, 4]
    assert r"{@{}p{42pt}rcccc@{}}" in text
    # A name that is too long has a line of its own, so that its intervals are below its scores.
    name = r"\raggedright facebook/\allowbreak{}bart-\allowbreak{}large-\allowbreak{}"
    assert rf"    \multicolumn{{6}}{{@{{}}p{{215pt}}@{{}}}}{{{name}" in text


def test_long_names_lose_what_they_share() -> None:
    names = [f"facebook/bart-large-cnn-epoch{k}-seed42" for k in range(3)]
    text = report(made({name: [0.2] for name in names}), "latex")
    assert r"\ldots{}epoch1\ldots{}" in text
    assert text.count("facebook/bart-large-cnn-") == 1
    assert r"\caption{ROUGE: bootstrap means over 2 texts" in text
    assert (
        r"\ldots{} at the start of a name: facebook/bart-large-cnn-; at its end: -seed42." in text
    )


def test_rows_that_do_not_fit_a_page_go_on_the_next_one() -> None:
    text = report(
        made({f"s{k:02}": [0.2, 0.1, 0.3] for k in range(60)}, max_ngram=2, lcs=True), "latex"
    )
    tables = text.split(r"\begin{table}")[1:]
    assert len(tables) == 4
    # Rows of scores and intervals are 26 points: 470, and less the caption and headings, are 16.
    assert max(table.count("[2pt]") for table in tables) <= 17
    assert sum(table.count("[2pt]") for table in tables) == 60
    assert text.count(r"\addtocounter{table}{-1}\caption{(continued)}") == 3


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a_b & c%", r"a\_b \& c\%"),
        ("\\{$#}", r"\textbackslash{}\{\$\#\}"),
        ("x^2~y", r"x\textasciicircum{}2\textasciitilde{}y"),
        ("<a|b>", r"\textless{}a\textbar{}b\textgreater{}"),
        ('"', r"{\ttfamily\char34}"),
        # At the start of a row, both would belong to the end of the row above.
        ("[2ex]", "{[}2ex]"),
        ("*", "{*}"),
        # No dash of two hyphens, no quotation mark of two commas.
        ("--''``?`", "-{}-'{}'`{}`?{}`"),
        ("\u00e9\u0142\u00df\u017e", "\u00e9\u0142\u00df\u017e"),
        ("\u4e2d\u0105\u0431", "{[}U+4E2D]{[}U+0105]{[}U+0431]"),
    ],
)
def test_escapes_in_latex(text: str, written: str) -> None:
    assert latex_text(text) == written


def test_long_names_may_be_folded() -> None:
    assert breakable("a-b") == r"a-\allowbreak{}b"
    assert breakable("a-") == "a-"
    assert breakable("x" * 20) == r"\allowbreak{}".join(["x" * 8, "x" * 8, "x" * 4])
    assert breakable("a_b%") == r"a\_\allowbreak{}b\%"


needs_pdflatex = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex here")


@needs_pdflatex
@pytest.mark.parametrize("results", CASES.values(), ids=CASES)
def test_it_compiles(results: Results, tmp_path: Path) -> None:
    text = report(results, "latex")
    packages = text.partition("\n")[0].removeprefix("% needs ")
    said = compile_latex(text, packages, tmp_path)
    assert (tmp_path / "report.pdf").stat().st_size > 0
    assert "Overfull" not in said
    assert "undefined" not in said
    assert "Missing character" not in said


@needs_pdflatex
def test_three_metrics_with_intervals_fit_a_column(tmp_path: Path) -> None:
    # Of a page with two columns, as in the proceedings of the field.
    width = r"\setlength{\textwidth}{219pt}"
    results = three("a,extract"), three("a,pegasus", percent=True, report="latex")
    said = compile_latex(
        "".join(report(one, "latex") for one in results),
        rf"\usepackage{{booktabs}}{width}",
        tmp_path,
    )
    assert "Overfull" not in said


@needs_pdflatex
def test_every_letter_compiles(tmp_path: Path) -> None:
    letters = "".join(chr(number) for number in range(0x20, 0x250) if number != 0x7F)
    known = "".join(one for one in letters if "U+" not in latex_text(one))
    assert set(known) > LETTERS
    assert len(ACCENTS) == 12
    said = compile_latex(latex_text(known), "", tmp_path)
    assert "Missing character" not in said
