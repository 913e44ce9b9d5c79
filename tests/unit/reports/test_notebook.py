"""The table for notebooks."""
# ruff: noqa: E501

import sys

import pytest

from tests.pages import read_page
from tests.unit.reports.made import ODD_IDS, SIGNATURE, made, odd, report

TABLE = f"""\
<table>
<caption>Bootstrap means over 2 texts, with 95% confidence intervals from 1000 resamples.</caption>
<thead>
<tr><th style="text-align: left">System</th><th style="text-align: right; white-space: nowrap">N</th>\
<th style="text-align: right; white-space: nowrap">ROUGE-1 F</th></tr>
</thead>
<tbody>
<tr><td style="text-align: left">b</td><td style="text-align: right; white-space: nowrap">2</td>\
<td style="text-align: right; white-space: nowrap"><b>0.3000</b> <small>[0.2000, 0.4000]</small></td></tr>
<tr><td style="text-align: left">a</td><td style="text-align: right; white-space: nowrap">2</td>\
<td style="text-align: right; white-space: nowrap">0.2000 <small>[0.1000, 0.3000]</small></td></tr>
</tbody>
</table>
<p>Intervals of 2 texts are too narrow: take 50 or more.</p>
<p>Prediction length / reference length: a 1.50, b 1.50.</p>
<p><code>{SIGNATURE}</code></p>
"""


@pytest.fixture
def without_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)


@pytest.mark.usefixtures("without_figures")
def test_table() -> None:
    assert report(made({"a": [0.2], "b": [0.3]}), "notebook") == TABLE


def test_figure() -> None:
    pytest.importorskip("vl_convert")
    before, _, after = TABLE.partition("</table>\n")
    found = report(made({"a": [0.2], "b": [0.3]}), "notebook")
    assert found.startswith(f"{before}</table>\n<figure>\n")
    assert found.endswith(f"</figcaption>\n</figure>\n{after}")
    assert found.count("<svg") == 1
    assert ">Mean ROUGE-1 F, 95% interval<" in found


@pytest.mark.usefixtures("without_figures")
def test_odd_ids_are_text() -> None:
    reader = read_page(report(odd(per_eval=True, resamples=0), "notebook"))
    assert (reader.open, reader.is_balanced) == ([], True)
    shown = {system for system in ODD_IDS if system.isprintable()}
    shown |= {r"two\nlines\t\x1b[31m", r"raw\xff"}
    numbers = len(ODD_IDS) * 3
    assert set(reader.texts["td"][:numbers:3]) == shown
    assert set(reader.texts["td"][numbers + 1 :: 3]) == shown
