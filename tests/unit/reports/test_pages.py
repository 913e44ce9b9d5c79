"""Pages: what is said, in which order, and that nothing in them is more than text."""

import base64
import hashlib
import re
import sys
from typing import Any

import pytest

import rouge_cli
from rouge_cli.errors import OptionError
from rouge_cli.studies.score.page import ScoredPage, compared_page
from tests.pages import payload, read_page
from tests.unit.reports.made import ODD_IDS, made, odd, report

ONE_LINE = {"good": ["police killed the gunman"] * 8, "poor": ["nobody was there at all"] * 8}
MODELS = ["police killed the gunman"] * 8
NAME = '<span class="whole">ROUGE-1</span>'
"""Not broken at its hyphen."""


@pytest.fixture(scope="module")
def results() -> rouge_cli.Results:
    """Return the scores of two systems, of which the first is better in 8 EVALs of 8."""
    return rouge_cli.evaluate(ONE_LINE, MODELS, max_ngram=1, lcs=False)


@pytest.fixture(scope="module")
def page(results: rouge_cli.Results) -> str:
    """Return their page."""
    return results.to_html()


def test_the_order_of_a_page(page: str) -> None:
    reader = read_page(page)
    ids = [attributes["id"] for tag, attributes in reader.tags if tag == "section"]
    expected = ["systems", "differences", "distributions", "wins", "evals", "eval", "origin"]
    assert ids == expected
    tabs = [attributes["href"] for tag, attributes in reader.tags if tag == "a"]
    assert tabs == ["#main", "#result", "#compared", "#evals", "#origin"]
    assert re.findall("<h1>(.*)</h1>", page) == [f"{NAME}: 2 systems, 8 texts"]


def test_who_is_best(page: str) -> None:
    # All of 8 differences have the same sign: p is 2 of 2 ** 8 swaps.
    lead = next(iter(re.findall(r'<p class="lead">(.*)</p>', page)))
    verdict = f"good is best in {NAME} F (1.0000), significantly better than the other system."
    assert lead == verdict


def test_that_it_cannot_be_said() -> None:
    results = rouge_cli.evaluate(
        {"a": ["x y", "x"], "b": ["x", "x y"], "c": ["z", "z"]}, ["x y", "x y"], max_ngram=1
    )
    (lead,) = re.findall(r'<p class="lead">(.*)</p>', results.to_html())
    # a and b have F of 1 and 2 / 3, in turns.
    # A tie is no win.
    assert lead.startswith(f"a and b have the same {NAME} F (0.8")
    assert lead.endswith("the highest, and cannot be told apart from c.")


def test_one_system() -> None:
    page = report(compared_page(made({"a": [0.2]})), "html")
    assert f"a scores 0.2000 in {NAME} F [0.1000, 0.3000], over 2 texts." in page
    assert "nothing to compare it with" in page
    assert 'id="differences"' not in page


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        # Of 6 words and 1 (3.5 on average) against references of 3 and 4: formula A adds up 14
        # words of the peers over two models each, and 14 of the models; formula B takes the model
        # with the best recall, of 3 words for both.
        ({"max_ngram": 1}, ["3.5", "1.00"]),
        ({"max_ngram": 1, "formula": "B"}, ["3.5", "1.17"]),
        # Each peer is scored with less than all models.
        ({"max_ngram": 1, "jackknife": True}, ["1.00"]),
        ({"lcs": True}, []),
    ],
)
def test_lengths_of_outputs(options: dict[str, Any], shown: list[str]) -> None:
    references = [["a b c", "a b c d"]] * 2
    results = rouge_cli.evaluate(["a b c d e f", "a"], references, **options)
    table = results.to_html().partition('id="systems"')[2].partition("</table>")[0]
    heads = re.findall("<th[^>]*>([^<]*)</th>", table.partition("</thead>")[0])
    assert heads[len(heads) - len(shown) :] == ["Words", "Length"][2 - len(shown) :]
    assert "Words" in heads or len(shown) < 2
    cells = re.findall("<td[^>]*>([^<]*)</td>", table)
    assert cells[len(cells) - len(shown) :] == shown


@pytest.mark.parametrize("n_systems", [40, 42])
def test_of_many_systems_the_best_40_are_compared(n_systems: int) -> None:
    results = made({f"s{k:02}": [k / 100] for k in range(n_systems)})
    view = compared_page(results)
    assert view.comparison is not None
    assert view.comparison.systems == tuple(f"s{k:02}" for k in range(n_systems - 40, n_systems))
    page = view.page()
    sentence = (
        "The best 40 of 42 systems are compared with each other here; the command compare compares "
        "all."
    )
    assert (sentence in page.headline) == (n_systems == 42)
    (differences,) = (part for part in page.parts if part.name == "differences")
    left_out = "39 of 780 pairs are shown, those of the best system with the others; p is "
    assert differences.notes[0].text({}).startswith(left_out)
    (matrix,) = differences.figures[0].panels
    # Each pair twice, the row less the column.
    assert len(matrix["data"]["values"]) == 40 * 39


def test_pooled_counts_are_not_compared() -> None:
    page = report(compared_page(made({"a": [0.2], "b": [0.3]}, counting=1)), "html")
    assert f"b has the highest {NAME} F, 0.3000." in page
    assert "counts are pooled over texts (-t)" in page


def test_one_table_of_differences(page: str) -> None:
    results = rouge_cli.evaluate(ONE_LINE, MODELS, max_ngram=2)
    differences = results.to_html().partition('id="differences"')[2].partition("</section>")[0]
    shown, _, behind = differences.partition("<details><summary>All tests</summary>")
    heads = "<th[^>]*>([^<]*)</th>"
    names = ["Metric", "A", "B", "A - B", "Interval", "p", "Holm"]
    assert re.findall(heads, shown.partition("</thead>")[0]) == names
    assert re.findall('<th scope="row"[^>]*>([^<]*)</th>', shown) == [
        f"ROUGE-{kind} F" for kind in "12L"
    ]
    assert "boot." not in shown
    assert [behind.count(f">{head}<") for head in ("A - B", "boot.")] == [1, 2]


def test_letters(page: str) -> None:
    assert re.findall(r'class="letters">(.)<', page) == ["a", "b"]


def test_nothing_comes_from_outside(page: str) -> None:
    reader = read_page(page)
    for _, attributes in reader.tags:
        assert "src" not in attributes
        assert "style" not in attributes
        assert not [name for name in attributes if name.startswith("on")]
        assert (attributes.get("href") or "#").startswith("#")
    (style,) = reader.texts["style"]
    assert not re.search(r"url\(|@import", style)


def test_the_policy_names_what_is_there(page: str) -> None:
    reader = read_page(page)
    policy = next(
        attributes["content"]
        for tag, attributes in reader.tags
        if attributes.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy is not None
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    for name, code in (
        ("style-src", reader.texts["style"][0]),
        ("script-src", reader.texts["script"][-1]),
    ):
        digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
        assert rules[name] == f"'sha256-{digest}'"
    assert rules["default-src"] == "'none'"
    assert "unsafe" not in policy


def test_odd_ids_are_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    harmless = made({f"s{place}": [place / 20] for place in range(len(ODD_IDS))})
    plain, hostile = (read_page(report(ScoredPage(one), "html")) for one in (harmless, odd()))
    assert [tag for tag, _ in plain.tags] == [tag for tag, _ in hostile.tags]
    shown = {system for system in ODD_IDS if system.isprintable()}
    assert shown | {r"two\nlines\t\x1b[31m", r"raw\xff"} <= set(hostile.texts["th"])


def test_odd_ids_in_the_payload() -> None:
    found = payload(report(ScoredPage(odd()), "html"))
    assert r"two\nlines\t\x1b[31m" in found["systems"]
    assert r"raw\xff" in found["systems"]


def test_scores_in_the_payload(page: str) -> None:
    found = payload(page)
    assert found["systems"] == ["good", "poor"]
    assert found["metrics"] == [["ROUGE-1", ["R", "P", "F"]]]
    assert found["units"] == [100_000]
    assert found["scores"] == [[[[100_000] * 8] * 3], [[[0] * 8] * 3]]
    # Hit, model count and peer count of 4 words against 4, and of 5.
    assert found["counts"] == [[[[4] * 8, [4] * 8, [4] * 8]], [[[0] * 8, [4] * 8, [5] * 8]]]


def test_systems_without_the_same_evals() -> None:
    results = made({"a": [0.2], "b": [0.3]}, {"a": "12", "b": "3"})
    found = payload(report(ScoredPage(results), "html"))
    # The systems stand in the order of the table, the EVALs in that of the systems.
    assert found["systems"] == ["b", "a"]
    assert found["evals"] == ["3", "1", "2"]
    assert found["scores"] == [[[[10_000, None, None]] * 3], [[[None, 10_000, 20_000]] * 3]]


def test_without_what_draws(results: rouge_cli.Results, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    page = results.to_html()
    assert "python -m pip install vl-convert-python" in page
    assert "<svg" not in page
    assert 'id="scores"' in page
    assert "<table" in page


def test_the_same_bytes(results: rouge_cli.Results, page: str) -> None:
    assert results.to_html() == page


def test_figures_of_results(results: rouge_cli.Results) -> None:
    pytest.importorskip("vl_convert")
    assert results.to_figure().startswith(b"<svg")
    assert results.to_figure("png", "wins").startswith(b"\x89PNG")
    with pytest.raises(OptionError, match=r"no figure 'pie' .* forest, differences, "):
        results.to_figure("svg", "pie")
    with pytest.raises(OptionError, match="no format 'gif' for figures; known are: svg, png, pdf"):
        results.to_figure("gif")


def test_pages_of_comparisons_and_correlations(results: rouge_cli.Results) -> None:
    comparison = rouge_cli.compare(results)
    assert f"good is best in {NAME} F (1.0000)" in comparison.to_html()
    found = rouge_cli.evaluate(
        {"a": ["x y"], "b": ["x"], "c": ["z"]}, ["x y"], max_ngram=1, lcs=False
    )
    pytest.importorskip("scipy")
    judged = [
        {"system": name, "human": value} for name, value in zip("abc", (3, 2, 1), strict=True)
    ]
    page = rouge_cli.correlate(found, judged, resamples=0).to_html()
    # F of 1, 2 / 3 and 0 against 3, 2 and 1.
    assert f"{NAME} F agrees best with human: Pearson 0.982 at the system level." in page


def test_raw_counts_have_no_page() -> None:
    with pytest.raises(OptionError, match="no table has raw counts"):
        rouge_cli.evaluate(ONE_LINE, MODELS, max_ngram=1, counting=2).to_html()
