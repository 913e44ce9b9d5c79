"""The tables for LaTeX: their structure and, where pdflatex is, that they compile."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rouge_cli.reports import write_report
from rouge_cli.reports.writers.latex import ACCENTS, LETTERS, breakable, latex_text
from rouge_cli.scores.results import Results
from rouge_cli.studies.score.view import ScoreView
from tests.unit.reports.made import SIGNATURE, made, odd

TABLE = rf"""% needs \usepackage{{booktabs}}
% {SIGNATURE}
\begin{{table}}
  \centering\small\setlength{{\tabcolsep}}{{4pt}}
  \caption{{ROUGE: bootstrap means over 2 texts, with 95\% confidence intervals from 1000 resamples.}}
  \label{{tab:rouge}}
  \par\medskip
  \begin{{tabular}}{{lr}}
    \toprule
    System & ROUGE-1 F \\
    \midrule
    b & \textbf{{0.3000}} {{\scriptsize [0.2000, 0.4000]}} \\
    a &          0.2000 {{\scriptsize [0.1000, 0.3000]}} \\
    \bottomrule
  \end{{tabular}}
  \par\medskip
  {{\raggedright\footnotesize Intervals of 2 texts are too narrow: take 50 or more. Prediction length / reference length: a 1.50, b 1.50.\par}}
  \par\medskip
  {{\raggedright\scriptsize\ttfamily rouge-cli:0.1.0|\allowbreak{{}}like:1.5.5|\allowbreak{{}}n:1|"""  # noqa: E501

EVALS = r"""\end{table}

{\small\setlength{\tabcolsep}{4pt}
\begin{longtable}{llr}
  \caption{Scores of each text.}\label{tab:rouge-evals} \\
  \toprule
  Text & System & ROUGE-1 F \\
  \midrule
  \endfirsthead
  \toprule
  Text & System & ROUGE-1 F \\
  \midrule
  \endhead
  \bottomrule
  \endfoot
  1 & a & 0.10000 \\
  2 & a & 0.20000 \\
\end{longtable}
}
"""


def report(results: Results) -> str:
    return "".join(write_report(ScoreView(results), "latex"))


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


def test_table() -> None:
    assert report(CASES["plain"]).startswith(TABLE)


def test_evals() -> None:
    found = report(made({"a": [0.2]}, per_eval=True))
    assert found.startswith("% needs \\usepackage{booktabs,longtable}\n")
    assert found.endswith(EVALS)


@pytest.mark.parametrize("results", CASES.values(), ids=CASES)
def test_structure(results: Results) -> None:
    text = report(results)
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


THREE = r"""  \begin{tabular}{@{}lccc@{}}
    \toprule
    System & ROUGE-1 F & ROUGE-2 F & ROUGE-L F \\
    \midrule
    b & \textbf{0.3000} & \textbf{0.2000} & \textbf{0.2500} \\
     & {\scriptsize [0.2000,0.4000]} & {\scriptsize [0.1000,0.3000]} & {\scriptsize [0.1500,0.3500]} \\[2pt]
    a &          0.2000 &          0.1000 &          0.1500 \\
     & {\scriptsize [0.1000,0.3000]} & {\scriptsize [0.0000,0.2000]} & {\scriptsize [0.0500,0.2500]} \\[2pt]
    \bottomrule
"""  # noqa: E501


def three(names: str = "a,b", **given: Any) -> Results:
    first, second = names.split(",")
    scores = {first: [0.2, 0.1, 0.15], second: [0.3, 0.2, 0.25]}
    return made(scores, max_ngram=2, lcs=True, **given)


def test_three_metrics_with_intervals_are_one_tabular() -> None:
    text = report(three())
    assert THREE in text
    assert text.count(r"\begin{tabular}") == 1
    assert "resizebox" not in text
    # Without intervals all stands in one line.
    text = report(three(intervals=False, report="latex"))
    assert text.count(r"\begin{tabular}") == 1
    assert "scriptsize [" not in text


def test_columns_that_do_not_fit_go_below() -> None:
    text = report(large())
    headings = re.findall(r"^    System & N & (.*) \\\\", text, re.MULTILINE)
    assert [heading.count("&") + 1 for heading in headings] == [4, 4]
    assert r"{@{}p{42pt}rcccc@{}}" in text
    # A name that is too long has a line of its own, so that its intervals are below its scores.
    name = r"\raggedright facebook/\allowbreak{}bart-\allowbreak{}large-\allowbreak{}"
    assert rf"    \multicolumn{{6}}{{@{{}}p{{215pt}}@{{}}}}{{{name}" in text


def test_long_names_lose_what_they_share() -> None:
    names = [f"facebook/bart-large-cnn-epoch{k}-seed42" for k in range(3)]
    text = report(made({name: [0.2] for name in names}))
    assert r"\ldots{}epoch1\ldots{}" in text
    assert text.count("facebook/bart-large-cnn-") == 1
    assert r"\caption{ROUGE: bootstrap means over 2 texts" in text
    assert (
        r"\ldots{} at the start of a name: facebook/bart-large-cnn-; at its end: -seed42." in text
    )


def test_rows_that_do_not_fit_a_page_go_on_the_next_one() -> None:
    text = report(made({f"s{k:02}": [0.2, 0.1, 0.3] for k in range(60)}, max_ngram=2, lcs=True))
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
def test_escapes(text: str, written: str) -> None:
    assert latex_text(text) == written


def test_long_names_may_be_folded() -> None:
    assert breakable("a-b") == r"a-\allowbreak{}b"
    assert breakable("a-") == "a-"
    assert breakable("x" * 20) == r"\allowbreak{}".join(["x" * 8, "x" * 8, "x" * 4])
    assert breakable("a_b%") == r"a\_\allowbreak{}b\%"


needs_pdflatex = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex here")


def compile_document(body: str, packages: str, folder: Path) -> str:
    """Compile a document, twice as references need, and return what pdflatex says."""
    (folder / "report.tex").write_text(
        f"\\documentclass{{article}}\n{packages}\n\\begin{{document}}\n{body}\\end{{document}}\n",
        "utf-8",
    )
    for _ in range(2):
        finished = subprocess.run(
            ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "report.tex"],
            cwd=folder,
            capture_output=True,
            check=False,
        )
    said = finished.stdout.decode("utf-8", "replace")
    assert finished.returncode == 0, said[-2000:]
    return said


@needs_pdflatex
@pytest.mark.parametrize("results", CASES.values(), ids=CASES)
def test_it_compiles(results: Results, tmp_path: Path) -> None:
    text = report(results)
    packages = text.partition("\n")[0].removeprefix("% needs ")
    said = compile_document(text, packages, tmp_path)
    assert (tmp_path / "report.pdf").stat().st_size > 0
    assert "Overfull" not in said
    assert "undefined" not in said
    assert "Missing character" not in said


@needs_pdflatex
def test_three_metrics_with_intervals_fit_a_column(tmp_path: Path) -> None:
    # Of a page with two columns, as in the proceedings of the field.
    width = r"\setlength{\textwidth}{219pt}"
    results = three("a,extract"), three("a,pegasus", percent=True, report="latex")
    said = compile_document(
        "".join(map(report, results)), rf"\usepackage{{booktabs}}{width}", tmp_path
    )
    assert "Overfull" not in said


@needs_pdflatex
def test_every_letter_compiles(tmp_path: Path) -> None:
    letters = "".join(chr(number) for number in range(0x20, 0x250) if number != 0x7F)
    known = "".join(one for one in letters if "U+" not in latex_text(one))
    assert set(known) > LETTERS
    assert len(ACCENTS) == 12
    said = compile_document(latex_text(known), "", tmp_path)
    assert "Missing character" not in said
