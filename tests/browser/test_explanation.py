"""The page of ``explain`` in a browser: readable everywhere, marked as counted, harmless."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.pages import NARROW, Browser
from tests.cli.running import SAMPLE

MakePage = Callable[..., str]

EXPLAIN = ("explain", "-n2", "-w", "1.2", "-2", "4", "--texts", "config.xml", "neural")
HOSTILE = (
    "<script>document.title = 'run'</script><img src=x onerror=\"document.title='run'\">\u202e"
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessibility(scheme: str, browser: Browser, make_page: MakePage) -> None:
    browser.media(scheme)
    browser.bypass_policy(is_bypassed=True)
    browser.open(make_page(*EXPLAIN, "--best", "2", cwd=SAMPLE))
    impacts = {impact for _, impact, _ in browser.violations()}
    assert not impacts & {"serious", "critical"}


def test_narrow_screens(browser: Browser, make_page: MakePage) -> None:
    address = make_page(*EXPLAIN, "--eval", "1", cwd=SAMPLE)
    browser.screen(NARROW)
    browser.open(address)
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
    assert browser.run("return performance.getEntriesByType('resource').length") == 0


def test_marked_words_add_up_to_the_hits(browser: Browser, make_page: MakePage) -> None:
    arguments = ("explain", "-n1", "-x", "-f", "B", "--eval", "1", "config.xml", "neural")
    browser.open(make_page(*arguments, cwd=SAMPLE))
    recall = browser.run(
        "return [...document.querySelectorAll('dt')]"
        ".find((one) => one.textContent === 'R').nextSibling.textContent"
    )
    marked = browser.run(
        "return [...document.querySelectorAll('.level-4 .sides')].map((pair) => "
        "[...pair.querySelectorAll('figure')].map((text) => "
        "[...text.querySelectorAll('b')].flatMap((one) => one.textContent.split(' ')).length))"
    )
    assert [len(pair) for pair in marked] == [2, 2]
    # Of each pair the peer has as many marked words as the model; the best of them counts.
    assert all(peer == model for peer, model in marked)
    assert max(model for _, model in marked) == int(recall.split(" / ")[0])


def test_texts_are_side_by_side_where_there_is_room(browser: Browser, make_page: MakePage) -> None:
    browser.open(make_page("explain", "-n1", "-m", "--eval", "1", "config.xml", cwd=SAMPLE))
    tops = (
        "return [...document.querySelector('.sides').children]"
        ".map((one) => Math.round(one.getBoundingClientRect().top))"
    )
    left, right = browser.run(tops)
    assert left == right
    browser.screen(NARROW)
    above, below = browser.run(tops)
    assert above < below


def test_scores_lead_to_the_words(browser: Browser, make_page: MakePage) -> None:
    arguments = ("explain", "-n2", "--eval", "1", "--eval", "2", "config.xml")
    browser.open(make_page(*arguments, cwd=SAMPLE))
    found = browser.run(
        "return [...document.querySelectorAll('tbody a')].map((one) => [one.textContent, "
        "document.querySelector(one.getAttribute('href')).firstElementChild.textContent])"
    )
    # Three systems in two EVALs, each with ROUGE-1, 2 and L.
    assert len(found) == 18
    assert all(metric == heading for metric, heading in found)
    listed = "return [...document.querySelectorAll('nav a')].map((one) => one.textContent)"
    systems = ["System extract", "System lead", "System neural"]
    assert browser.run(listed) == ["Text 1", *systems, "Text 2", *systems]


def test_hostile_texts_and_ids(browser: Browser, make_page: MakePage, tmp_path: Path) -> None:
    record = {"id": HOSTILE, "system": HOSTILE, "prediction": HOSTILE, "references": [HOSTILE]}
    (tmp_path / "r.jsonl").write_text(json.dumps(record), "utf-8")
    line = ("explain", "-n1", "--tokenizer", "whitespace", "--texts", "r.jsonl")
    browser.open(make_page(*line, cwd=tmp_path))
    assert browser.run("return document.querySelectorAll('script, img').length") == 0
    assert browser.run("return document.title").startswith("Text <script>")
