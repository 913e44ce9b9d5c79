"""The tables in GitHub's Markdown and for notebooks."""

import re
import sys

import pytest

from tests.pages import read_page
from tests.unit.reports.made import ODD_IDS, made, odd, report


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
