"""The page of ``explain`` in a browser: readable everywhere, marked as counted, harmless."""

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.browser.pages import NARROW, Browser

SAMPLE = Path(__file__).parents[2] / "fixtures" / "sample"
MakePage = Callable[..., str]

EXPLAIN = ("explain", "-n2", "-w", "1.2", "-2", "4", "--texts", "config.xml", "neural")
HOSTILE = (
    "<script>document.title = 'run'</script><img src=x onerror=\"document.title='run'\">\u202e"
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessibility(scheme: str, browser: Browser, make_page: MakePage) -> None:
    package = find_spec("axe_playwright_python")
    if package is None or package.origin is None:
        pytest.skip("needs axe-core: make browser installs it")
    axe = Path(package.origin).with_name("axe.min.js").read_text("utf-8")
    browser.media(scheme)
    browser.bypass_policy(is_bypassed=True)
    browser.open(make_page(*EXPLAIN, "--best", "2", cwd=SAMPLE))
    browser.run(axe)
    found = browser.run(
        "return axe.run().then((found) => found.violations"
        ".filter((one) => ['serious', 'critical'].includes(one.impact))"
        ".map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' ')}`))"
    )
    assert found == []


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
        "return [...document.querySelectorAll('h4 + dl')].map((pair) => "
        "[...pair.querySelectorAll('dd')].slice(0, 2).map((text) => "
        "[...text.querySelectorAll('b')].flatMap((one) => one.textContent.split(' ')).length))"
    )
    # Of each pair the peer has as many marked words as the model; the best of them counts.
    assert all(peer == model for peer, model in marked)
    assert max(model for _, model in marked) == int(recall.split(" / ")[0])


def test_hostile_texts_and_ids(browser: Browser, make_page: MakePage, tmp_path: Path) -> None:
    record = {"id": HOSTILE, "system": HOSTILE, "prediction": HOSTILE, "references": [HOSTILE]}
    (tmp_path / "r.jsonl").write_text(json.dumps(record), "utf-8")
    line = ("explain", "-n1", "--tokenizer", "whitespace", "--texts", "r.jsonl")
    browser.open(make_page(*line, cwd=tmp_path))
    assert browser.run("return document.querySelectorAll('script, img').length") == 0
    assert browser.run("return document.title").startswith("EVAL <script>")
