"""Pages in a browser: they open without a network, and their list of EVALs can be used."""

import json
import re
import sys
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest

from tests.browser.pages import NARROW, WIDE, Browser
from tests.cli.running import SAMPLE, write_records

MakePage = Callable[..., str]

SCORE = ("-n2", "-m", "-a", "config.xml")
COMMANDS = {
    "score": SCORE,
    "compare": ("compare", "-n2", "-m", "records.jsonl"),
    "correlate": (
        *("correlate", "--judgements", "judgements.csv", "--judgement", "coverage"),
        *("--level", "system", "-n2", "records.jsonl"),
    ),
    "plan": (
        *("plan", "-n1", "-x", "--system-id", "neural", "--system-id", "extract"),
        *("--difference", "0.1", "records.jsonl"),
    ),
}

STATES = (
    "result",
    "compared",
    "origin",
    "evals",
    "eval=1",
    "eval=unknown",
    "by=length&loses=0.1&sort=difference",
    "contains=nowhere",
    "by=place&metric=ROUGE-2%20F",
)

MODELS = ["a b c d e f", "the cat sat on the mat"]
PEERS = {"good": ["a b c d e f", "the the the cat"], "poor": ["x y z", "a dog lay on the mat"]}


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """Write four EVALs of two systems, three of them alike."""
    pairs = [
        {"id": f"doc {place}", "system": system, "prediction": texts[is_other],
         "references": [MODELS[is_other]]}
        for system, texts in PEERS.items()
        for place, is_other in enumerate((False, False, True, False))
    ]  # fmt: skip
    write_records(tmp_path / "r.jsonl", pairs)
    return tmp_path


BUCKETS = "return [...document.querySelectorAll('#buckets tbody tr')].map((row) => row.innerText)"


def list_of(browser: Browser) -> list[list[str]]:
    found: list[list[str]] = browser.run(
        "return [...document.querySelectorAll('#list tbody tr')]"
        ".map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    return found


def ids_of(browser: Browser) -> list[str]:
    return [row[0] for row in list_of(browser)]


def wait_for(browser: Browser, **texts: str) -> None:
    """Wait until elements have these texts, by their IDs with an underscore for a hyphen."""
    for name, text in texts.items():
        element = f"document.getElementById('{name.replace('_', '-')}')"
        browser.wait(f"{element}.textContent === '{text}'")


@pytest.mark.parametrize("command", COMMANDS)
def test_no_network_is_needed(command: str, browser: Browser, make_page: MakePage) -> None:
    pytest.importorskip("scipy")
    browser.open(make_page(*COMMANDS[command], cwd=SAMPLE))
    assert browser.run("return performance.getEntriesByType('resource').length") == 0
    assert browser.texts("h1") != [""]
    assert bool(browser.texts("#scores")) == (command in {"score", "compare"})


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessibility(command: str, scheme: str, browser: Browser, make_page: MakePage) -> None:
    pytest.importorskip("scipy")
    browser.media(scheme)
    browser.bypass_policy(is_bypassed=True)
    address = make_page(*COMMANDS[command], cwd=SAMPLE)
    has_evals = command in {"score", "compare"}
    for state in STATES if has_evals else ("",):
        browser.open(f"{address}#{state}")
        if "eval=1" in state:
            browser.wait("document.querySelector('#eval mark') !== null")
        if state == "compared":
            browser.click("#differences summary")
        assert browser.violations() == [], state


def test_sorting(browser: Browser, make_page: MakePage, records: Path) -> None:
    browser.open(make_page("-n1", "-x", "r.jsonl", cwd=records) + "#evals")
    ids = ["doc 0", "doc 1", "doc 2", "doc 3"]
    assert ids_of(browser) == ids
    # Of "the the the cat" and "the cat sat on the mat" three words match: 2 * 3 / (4 + 6).
    assert list_of(browser)[2][1] == "0.60000"
    browser.click("[data-name='0'] button")
    assert ids_of(browser) == ["doc 0", "doc 1", "doc 3", "doc 2"]
    assert browser.texts("[aria-sort='descending']") == ["Agood"]
    browser.click("[data-name='0'] button")
    assert ids_of(browser) == ["doc 2", "doc 0", "doc 1", "doc 3"]
    assert browser.texts("[aria-sort='ascending']") == ["Agood"]
    # A less B: 1 - 0 three times, and 0.6 - 0.5, as "on the mat" matches: 2 * 3 / (6 + 6).
    browser.click("[data-name='difference'] button")
    assert [row[3] for row in list_of(browser)] == ["+1.00000"] * 3 + ["+0.10000"]
    browser.choose("first", "poor")
    browser.choose("second", "good")
    assert [row[3] for row in list_of(browser)] == ["\u22120.10000"] + ["\u22121.00000"] * 3


def test_metrics(browser: Browser, make_page: MakePage, records: Path) -> None:
    browser.open(make_page("-n1", "-x", "--measures", "RP", "r.jsonl", cwd=records) + "#evals")
    assert browser.texts("#measure option") == ["ROUGE-1 R", "ROUGE-1 P", "ROUGE-1 F"]
    assert [row[1] for row in list_of(browser)][2] == "0.50000"
    browser.choose("measure", "ROUGE-1 P")
    assert [row[1] for row in list_of(browser)][2] == "0.75000"


def test_search(browser: Browser, make_page: MakePage, records: Path) -> None:
    browser.open(make_page("-n1", "-x", "r.jsonl", cwd=records) + "#evals")
    field = browser.driver.find_element("id", "contains")
    field.send_keys("DOC 2")
    wait_for(browser, found="1 of 4 texts")
    assert ids_of(browser) == ["doc 2"]
    wait_for(browser, eval_title="Text doc 2")
    field.clear()
    field.send_keys("b C d")
    wait_for(browser, found="3 of 4 texts")
    field.clear()
    field.send_keys("nowhere")
    wait_for(browser, found="0 of 4 texts")
    assert list_of(browser) == []
    wait_for(browser, eval_title="No text")


def test_filters(browser: Browser, make_page: MakePage, records: Path) -> None:
    address = make_page("-n1", "-x", "r.jsonl", cwd=records)
    # A loses nowhere: it is better by 1 three times, and by 0.1 once.
    browser.open(f"{address}#loses=0")
    assert list_of(browser) == []
    browser.open(f"{address}#a=poor&b=good&loses=0.1")
    assert ids_of(browser) == ["doc 0", "doc 1", "doc 3"]
    browser.open(f"{address}#a=poor&b=good&loses=0.05&sort=difference&order=up")
    assert ids_of(browser) == ["doc 0", "doc 1", "doc 3", "doc 2"]
    # The model of "doc 2" has six words, as all others.
    browser.open(f"{address}#from=7")
    assert list_of(browser) == []
    browser.open(f"{address}#from=6&to=6&contains=mat")
    assert ids_of(browser) == ["doc 2"]
    # Of a percentage the limit is one, too.
    percent = make_page("-n1", "-x", "--percent", "r.jsonl", cwd=records)
    browser.open(f"{percent}#a=poor&b=good&loses=9.9")
    assert len(list_of(browser)) == 4
    browser.open(f"{percent}#a=poor&b=good&loses=10.1")
    assert len(list_of(browser)) == 3


def test_the_address_keeps_what_is_chosen(
    browser: Browser, make_page: MakePage, records: Path
) -> None:
    browser.open(make_page("-n1", "--measures", "RP", "r.jsonl", cwd=records) + "#evals")
    browser.choose("measure", "ROUGE-1 P")
    browser.choose("first", "poor")
    browser.choose("second", "good")
    browser.click("[data-name='difference'] button")
    browser.click("#filters summary")
    for name, text in (("contains", "doc"), ("loses", "0.05"), ("to", "9")):
        browser.driver.find_element("id", name).send_keys(text)
    browser.choose("by", "length of the reference")
    browser.wait("location.hash.includes('by=length')")
    said = (
        "#metric=ROUGE-1%20P&a=poor&b=good&sort=difference&contains=doc&loses=0.05&to=9&by=length"
    )
    assert browser.run("return location.hash") == said
    shown = list_of(browser)
    # Of "the the the cat" three of four words match, of "a dog lay on the mat" three of six.
    assert [row[0::3] for row in shown] == [["doc 2", "\u22120.25000"]] + [
        [f"doc {place}", "\u22121.00000"] for place in (0, 1, 3)
    ]
    assert browser.texts("#buckets tbody th") == ["6 words"]
    browser.press_on("#list a", "k")
    browser.press_on("#list a", "j")
    browser.wait("location.hash.startsWith('#eval=doc%200&metric')")
    address = browser.run("return location.href")
    browser.open(address)
    assert list_of(browser) == shown
    assert browser.texts("#eval-title") == ["Text doc 0"]
    values = {
        name: browser.run(f"return document.getElementById('{name}').value")
        for name in ("contains", "loses", "to", "by", "first")
    }
    assert list(values.values()) == ["doc", "0.05", "9", "length", "1"]
    # What is not there is passed over.
    browser.open(address.partition("#")[0] + "#metric=BLEU&a=nobody&sort=system%20x&loses=y&by=z")
    assert ids_of(browser) == ["doc 0", "doc 1", "doc 2", "doc 3"]


def test_buckets(browser: Browser, make_page: MakePage, tmp_path: Path) -> None:
    models = ["common " * 5 * (place // 5 + 1) for place in range(10)]
    pairs = [{"prediction": "common " * 5, "references": [model]} for model in models]
    write_records(tmp_path / "r.jsonl", pairs)
    address = make_page("-n1", "-x", "--measures", "R", "r.jsonl", cwd=tmp_path)
    browser.open(f"{address}#by=length")
    # Models of 5 words that are all found, and of 10, of which half are.
    assert browser.run(BUCKETS) == ["5 words\t5\t1.00000", "10 words\t5\t0.50000"]
    browser.open(f"{address}#by=order")
    assert browser.texts("#buckets tbody th") == [f"Texts {k} to {k + 1}" for k in range(1, 10, 2)]
    # 5 fifths of 5 * 5 + 5 * 10 words; of the words of a model those in front are found.
    browser.open(f"{address}#by=place")
    browser.wait("document.querySelectorAll('#buckets tbody tr').length === 5")
    assert browser.run(BUCKETS)[0] == "first fifth\t15\t100.0%"
    assert browser.run(BUCKETS)[4] == "last fifth\t15\t33.3%"


def test_csv(browser: Browser, make_page: MakePage, tmp_path: Path) -> None:
    pairs = [
        {"id": eval_id, "system": system, "prediction": text, "references": ["a b"]}
        for eval_id in ("=1+1", 'say "a", b', "plain")
        for system, text in (("x", "a b"), ("y", "a c"))
    ]
    write_records(tmp_path / "r.jsonl", pairs)
    browser.open(make_page("-n1", "-x", "r.jsonl", cwd=tmp_path) + "#sort=eval")
    saved = tmp_path / "saved"
    browser.save_to(saved)
    browser.click("#save")
    found = browser.wait_for_file(saved / "evals.csv")
    assert found == (
        "text,x ROUGE-1 F,y ROUGE-1 F,x - y\n"
        "'=1+1,1,0.5,0.5\n"
        '"say ""a"", b",1,0.5,0.5\n'
        "plain,1,0.5,0.5\n"
    )


ODD_TOPIC = "</script><script>document.title='no'</script>\""


@pytest.fixture
def topics(tmp_path: Path, make_page: MakePage) -> str:
    """Write the page of three EVALs with hostile values, of many values in `url`."""
    rows = [("d1", ODD_TOPIC, "a b"), ("d2", "news\x1b\u202e", "a c"), ("d3", None, "a c")]
    many = [(f"e{number}", "news\x1b\u202e", "a c") for number in range(100)]
    pairs = [
        {"id": eval_id, "prediction": text, "references": ["a b"],
         "about": {"<i>topic": topic, "url": f"x/{eval_id}"}}
        for eval_id, topic, text in rows + many
    ]  # fmt: skip
    write_records(tmp_path / "r.jsonl", pairs)
    fields = ("--page-field", "about.<i>topic", "--page-field", "about.url")
    return make_page("-n1", "-x", *fields, "r.jsonl", cwd=tmp_path)


def test_fields_of_records(browser: Browser, topics: str, tmp_path: Path) -> None:
    browser.open(f"{topics}#evals")
    news = "news\\x1b\\u202e"
    assert browser.texts(".of-fields") == [
        f"about.<i>topicall{ODD_TOPIC}{news}(no value)",
        "about.url contains",
    ]
    # By the keyboard: the second value of the list.
    browser.press_on("#where-0", "n")
    wait_for(browser, found="101 of 103 texts")
    browser.press_on("#where-1", "X/E99")
    wait_for(browser, found="1 of 103 texts")
    assert ids_of(browser) == ["e99"]
    wait_for(browser, eval_title="Text e99")
    assert browser.texts("#eval .of-record span") == [f"about.<i>topic {news}", "about.url x/e99"]
    saved = tmp_path / "saved"
    browser.save_to(saved)
    browser.click("#save")
    table = browser.wait_for_file(saved / "evals.csv")
    assert table == f"text,about.<i>topic,about.url,r ROUGE-1 F\ne99,{news},x/e99,0.5\n"
    browser.open(browser.run("return location.href"))
    assert ids_of(browser) == ["e99"]
    browser.press_on("#where-0", "<")
    browser.run(
        "const url = document.getElementById('where-1'); url.value = '';"
        "url.dispatchEvent(new Event('input'))"
    )
    wait_for(browser, found="1 of 103 texts")
    assert ids_of(browser) == ["d1"]
    browser.choose("where-0", "(no value)")
    browser.wait("document.querySelector('#list tbody a').textContent === 'd3'")
    browser.open(f"{topics}#where.about.url=x%2Fd&by=where.about.%3Ci%3Etopic")
    expected = [f"{ODD_TOPIC}\t1\t1.00000", f"{news}\t1\t0.50000", "(no value)\t1\t0.50000"]
    assert browser.run(BUCKETS) == expected
    assert browser.run("return document.title").startswith("ROUGE-1")


@pytest.mark.parametrize(
    ("options", "n_texts", "searched"), [([], 700, ""), (["--no-texts"], 0, ", searched by ID")]
)
def test_what_was_searched(
    options: list[str],
    n_texts: int,
    searched: str,
    browser: Browser,
    make_page: MakePage,
    tmp_path: Path,
) -> None:
    pair = {"prediction": "a referee", "references": ["a referee"]}
    write_records(tmp_path / "r.jsonl", [{"id": number, **pair} for number in range(700)])
    browser.open(make_page("-n1", "-x", *options, "r.jsonl", cwd=tmp_path) + "#evals")
    assert browser.texts("#found") == ["700 texts"]
    # Of one system there is nothing to compare.
    assert not any(
        one.is_displayed() for one in browser.driver.find_elements("class name", "of-pairs")
    )
    field = browser.driver.find_element("id", "contains")
    for query, n_found in (("referee", n_texts), ("699", 1)):
        field.clear()
        field.send_keys(query)
        wait_for(browser, found=f"{n_found} of 700 texts{searched}")


@pytest.mark.parametrize("anchor", ["eval=doc%209", "doc%209", "eval=doc+1"])
def test_links_to_unknown_evals(
    anchor: str, browser: Browser, make_page: MakePage, records: Path
) -> None:
    address = make_page("-n1", "-x", "r.jsonl", cwd=records)
    browser.open(f"{address}#{anchor}")
    name = anchor.removeprefix("eval=").replace("%20", " ")
    assert browser.texts("#eval-title") == [f"Text {name}"]
    assert browser.texts("#eval .note") == ["This page has no text with this ID."]
    assert browser.texts("tr[aria-current] th") == []
    browser.run("location.hash = '#eval=doc%201'")
    browser.wait("document.querySelector('#eval mark') !== null")
    assert browser.texts("#eval-title") == ["Text doc 1"]
    browser.run("location.hash = '#origin'")
    browser.wait("document.body.dataset.view === 'origin'")
    browser.click("nav [data-view='evals']")
    browser.wait("location.hash === '#eval=doc%201'")
    assert browser.texts("#eval-title") == ["Text doc 1"]


def test_deep_links(browser: Browser, make_page: MakePage, records: Path) -> None:
    address = make_page("-n1", "-x", "r.jsonl", cwd=records)
    for anchor in ("eval=doc%202", "doc%202"):
        browser.open(f"{address}#{anchor}")
        browser.wait("document.querySelector('#eval mark') !== null")
        assert browser.texts("#eval-title") == ["Text doc 2"]
        assert browser.texts("tr[aria-current] th") == ["doc 2"]
    browser.click("#eval .bar-top button:last-child")
    wait_for(browser, eval_title="Text doc 3")
    assert browser.run("return location.hash") == "#eval=doc%203"
    assert browser.run("return document.activeElement.id") == "eval-title"
    browser.open(f"{address}#evals")
    browser.click("#list tbody tr:last-child a")
    wait_for(browser, eval_title="Text doc 3")
    browser.run("history.back()")
    wait_for(browser, eval_title="Text doc 0")


def test_the_first_eval_is_open(browser: Browser, make_page: MakePage, records: Path) -> None:
    browser.open(make_page("-n1", "-x", "r.jsonl", cwd=records))
    assert browser.texts("#eval-title") == ["Text doc 0"]
    assert browser.run("return document.activeElement === document.body")
    assert browser.run("return location.hash") == ""
    assert browser.texts(".side h4") == ["Agood", "Reference", "Bpoor"]
    assert browser.run("return document.querySelector('#evals').checkVisibility()") is False


def test_the_keyboard_alone(browser: Browser, make_page: MakePage, records: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    def tab_to(expression: str) -> None:
        for _ in range(60):
            if browser.run(f"return {expression}"):
                return
            browser.press(Keys.TAB)
        raise AssertionError(expression)

    def title(text: str) -> None:
        wait_for(browser, eval_title=f"Text {text}")

    browser.open(make_page("-n1", "r.jsonl", cwd=records))
    browser.press(Keys.TAB)
    assert browser.run("return document.activeElement.className") == "skip"
    tab_to("document.activeElement.textContent === 'Texts'")
    browser.press(Keys.ENTER)
    browser.wait("document.body.dataset.view === 'evals'")
    tab_to("document.activeElement.textContent === 'doc 0'")
    # The list is one stop of the tab key, which the arrows move.
    assert browser.texts("#list tbody a[tabindex='0']") == ["doc 0"]
    n_entries = browser.run("return history.length")
    browser.press(Keys.ARROW_DOWN)
    title("doc 1")
    assert browser.texts("#list tbody a[tabindex='0']") == ["doc 1"]
    browser.press(Keys.ENTER)
    browser.wait("document.activeElement.id === 'eval-title'")
    title("doc 1")
    for key, eval_id in (("j", "doc 2"), ("j", "doc 3"), ("j", "doc 3"), ("k", "doc 2")):
        browser.press(key)
        title(eval_id)
    # Neither the arrows nor j and k make entries in the history.
    assert browser.run("return history.length") == n_entries
    tab_to("document.activeElement.name === 'marks'")
    browser.press(Keys.ARROW_RIGHT)
    browser.wait("document.querySelector('.told').textContent.startsWith('ROUGE-L')")
    assert browser.run("return document.activeElement.value") == "1"
    browser.click("nav [data-view='evals']")
    browser.run("document.querySelector('#list a').focus()")
    browser.press(Keys.ARROW_DOWN)
    title("doc 3")
    assert browser.run("return document.activeElement.textContent") == "doc 3"
    browser.press(Keys.ARROW_UP)
    title("doc 2")
    # In a field the letters are text.
    browser.run("document.getElementById('contains').focus()")
    browser.press("j")
    wait_for(browser, found="0 of 4 texts")


def test_what_only_one_system_finds(browser: Browser, make_page: MakePage, tmp_path: Path) -> None:
    pairs = [
        {"id": place, "system": system, "prediction": text, "references": ["a b c c"],
         "topic": f"t{place % 2}", "text": f"The source of {place}. " * 30}
        for place in range(3)
        for system, text in (("x", "a b d"), ("y", "b c"))
    ]  # fmt: skip
    write_records(tmp_path / "r.jsonl", pairs)
    fields = ("--page-field", "topic", "--page-source", "text")
    address = make_page("-n1", "-x", *fields, "r.jsonl", cwd=tmp_path)
    browser.open(f"{address}#eval=1&a=x&b=y")
    browser.wait("document.querySelector('#eval mark') !== null")
    found = [text for text in browser.texts("#eval .count") if text.startswith("Only")]
    assert found == ["Only A finds: a", "Only B finds: c"]
    assert browser.texts(".side.a .count")[0] == "3 words, 0.75 of the reference"
    # The second c is clipped: the output has one.
    assert browser.texts(".side.model mark") == ["a", "b", "c", "c"]
    browser.run("document.querySelectorAll(\"input[name='differs']\")[1].click()")
    browser.wait("document.querySelectorAll('.side.model mark').length === 2")
    assert browser.texts(".side.model mark") == ["a", "c"]
    assert [browser.texts(f".side.{side} mark") for side in "ab"] == [["a"], ["c"]]
    # The source is whole, and no field to choose by.
    assert browser.texts(".source .text") == ["The source of 1. " * 29 + "The source of 1."]
    assert browser.texts(".of-fields") == ["topicallt0t1"]
    # The value of a field leads to the EVALs that have it.
    browser.click(".of-record a")
    wait_for(browser, found="1 of 3 texts")
    browser.open(f"{address}#a=x&b=y&by=only")
    browser.wait("document.querySelector('#buckets tbody tr') !== null")
    assert browser.texts("#buckets tbody td") == ["a", "3", "c", "3"]


def test_buckets_and_wins_lead_to_their_evals(
    browser: Browser, make_page: MakePage, records: Path
) -> None:
    address = make_page("-n1", "-x", "r.jsonl", cwd=records)
    browser.open(f"{address}#by=order")
    browser.wait("document.querySelectorAll('#buckets tbody tr').length === 4")
    # The scores are those of `test_sorting`; one EVAL has no spread.
    assert browser.run(BUCKETS)[2] == "Texts 3 to 3\t1\t0.60000\t0.50000\t+0.10000\t\u2013"
    browser.click("#buckets tbody tr:nth-child(3) a")
    wait_for(browser, found="1 of 4 texts")
    assert ids_of(browser) == ["doc 2"]
    assert len(browser.run(BUCKETS)) == 4
    browser.open(f"{address}#compared")
    assert browser.texts("#wins tbody td") == ["poor", "4", "0", "0"]
    # Zero wins lead nowhere.
    assert browser.texts("#wins tbody td a") == ["4"]
    browser.click("#wins tbody td:nth-child(3) a")
    browser.wait("document.body.dataset.view === 'evals'")
    wait_for(browser, found="4 texts")
    assert browser.run("return document.getElementById('better').value") == "a"


def test_cells_of_a_map_lead_to_their_evals(
    browser: Browser, make_page: MakePage, records: Path
) -> None:
    from selenium.webdriver.common.keys import Keys

    browser.open(make_page("-n1", "-x", "r.jsonl", cwd=records) + "#compared")
    # As in `test_bars_lead_to_their_evals`: (1, 0) in three EVALs, and (0.6, 0.5) in one.
    titles = browser.texts("#wins svg a title")
    assert titles == [
        "good, ROUGE-1 F from 0.96 to 1; poor from 0 to 0.04: texts: 3",
        "good, ROUGE-1 F from 0.6 to 0.64; poor from 0.48 to 0.52: texts: 1",
    ]
    sides = (
        "return [...document.querySelectorAll(arguments[0])].map((one) => {"
        "const box = one.getBoundingClientRect();"
        "return [box.left, box.top, box.right, box.bottom]})"
    )
    cells = browser.run(sides, "#wins svg a rect")
    drawn = browser.run(sides, "#wins svg path")
    for cell in cells:
        assert any(box == pytest.approx(cell, abs=1) for box in drawn)
    browser.press_on("#wins svg a", Keys.ARROW_RIGHT)
    browser.press(Keys.ENTER)
    browser.wait("document.body.dataset.view === 'evals'")
    wait_for(browser, found="1 of 4 texts")
    assert ids_of(browser) == ["doc 2"]
    assert browser.run("return location.hash") == "#low=0.6&high=0.64&lowb=0.48&highb=0.52"


def test_bars_lead_to_their_evals(browser: Browser, make_page: MakePage, records: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    browser.open(make_page("-n1", "-x", "r.jsonl", cwd=records) + "#compared")
    # The scores of "good" are 1 in three EVALs, and 0.6 in one; those of "poor" are 0 and 0.5.
    # Bins are 0.04 wide: 0.6 begins the 16th, and 0.5 is in the 13th, from 0.48.
    titles = browser.texts("#distributions a title")
    assert titles == [
        "good, ROUGE-1 F from 0.6 to 0.64: texts: 1",
        "good, ROUGE-1 F from 0.96 to 1: texts: 3",
        "poor, ROUGE-1 F from 0 to 0.04: texts: 3",
        "poor, ROUGE-1 F from 0.48 to 0.52: texts: 1",
    ]
    # Bars are where the drawing has them: the outline of the histogram is as wide.
    sides = (
        "const box = document.querySelector(arguments[0]).getBoundingClientRect();"
        "return [box.left, box.right, box.bottom]"
    )
    left, right, bottom = browser.run(sides, "#distributions svg path[fill-opacity]")
    bar = browser.run(sides, "#distributions svg a rect")
    width = (right - left) / 25
    assert bar == pytest.approx([left + 15 * width, left + 16 * width, bottom], abs=1)
    browser.press_on("#distributions svg a", Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    browser.press(Keys.ENTER)
    browser.wait("document.body.dataset.view === 'evals'")
    wait_for(browser, found="1 of 4 texts")
    assert ids_of(browser) == ["doc 2"]
    assert browser.run("return location.hash") == "#a=poor&b=good&low=0.48&high=0.52"
    browser.run("history.back()")
    browser.wait("document.body.dataset.view === 'compared'")
    browser.run(
        "document.querySelectorAll('#distributions svg a')[1]"
        ".dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))"
    )
    wait_for(browser, found="3 of 4 texts")
    assert ids_of(browser) == ["doc 0", "doc 1", "doc 3"]


def test_long_names_are_short(browser: Browser, make_page: MakePage, tmp_path: Path) -> None:
    name = "facebook/bart-large-cnn-finetuned-epoch{}-seed42"
    pairs = [
        {"id": 1, "system": name.format(system), "prediction": text, "references": ["a b"]}
        for system, text in enumerate(("a b", "a c", "x"))
    ]
    write_records(tmp_path / "r.jsonl", pairs)
    browser.open(make_page("-n1", "-x", "r.jsonl", cwd=tmp_path) + "#evals")
    assert browser.texts("#first option") == [f"\u2026epoch{k}\u2026" for k in range(3)]
    key = "\u2026 at the start of a name: facebook/bart-large-cnn-finetuned-; at its end: -seed42."
    assert key in browser.texts("#evals > .note")
    titles = "return [...document.querySelectorAll('#list thead [title]')].map((one) => one.title)"
    assert browser.run(titles) == [name.format(k) for k in range(3)]
    # The address has the whole name.
    browser.choose("first", "\u2026epoch2\u2026")
    assert quote(name.format(2), safe="") in browser.run("return location.hash")


def test_print(browser: Browser, make_page: MakePage) -> None:
    browser.open(make_page(*SCORE, cwd=SAMPLE) + "#eval=1")
    browser.wait("document.querySelector('#eval mark') !== null")
    browser.media(kind="print")
    shown = (
        "return [...document.querySelectorAll(arguments[0])].map((one) => one.checkVisibility())"
    )
    assert browser.run(shown, "#rows, #eval") == [False, True]
    browser.run("document.getElementById('print-list').click()")
    assert browser.run(shown, "#rows, #eval") == [True, True]
    style = (
        "return getComputedStyle(document.querySelector(arguments[0]), arguments[1])[arguments[2]]"
    )
    assert browser.run(style, "#list thead button", None, "display") == "contents"
    assert browser.run(style, "#list thead", None, "display") == "table-header-group"
    # What is folded is said.
    assert "not printed" in browser.run(style, "#differences summary", "::after", "content")
    browser.press_on("#save", "")
    assert browser.run(style, "#save", None, "outlineStyle") == "none"


METRICS = ("ROUGE-1", "ROUGE-L")


@pytest.mark.parametrize(
    "options",
    [
        ["-m"],
        ["-s"],
        ["-l", "20"],
        ["-f", "B"],
        ["-n2", "-w", "1.2", "-2", "4"],
        ["--tokenizer", "unicode"],
    ],
    ids=str,
)
def test_marks_are_the_counts(options: list[str], browser: Browser, make_page: MakePage) -> None:
    address = make_page("-n1", *options, "-a", "config.xml", cwd=SAMPLE)
    n_seen = 0
    for eval_id in "1234":
        for b in ("extract", "lead"):
            browser.open(f"{address}#eval={eval_id}&b={b}")
            browser.wait("document.querySelector('#eval mark') !== null")
            for metric in METRICS:
                for model in "AB":
                    choose(browser, "marks", metric)
                    choose(browser, "model", model)
                    for pair in pairs(browser, metric):
                        # Both metrics count words: those of the peer that count are hits, and so
                        # are those of the model.
                        assert pair["model"] == pair["hit"]
                        assert pair["peer"] == pair["hit"] or metric == "ROUGE-L"
                        n_seen += 1
    assert n_seen == 4 * 2 * 2 * 2 * 2


def choose(browser: Browser, name: str, label: str) -> None:
    chip = (
        f"[...document.querySelectorAll(\"#eval input[name='{name}']\")]"
        f".find((one) => one.parentElement.textContent === '{label}')"
    )
    browser.run(f"{chip}.click()")
    browser.wait(
        f"{chip}.checked && document.querySelector('.side.model h4').textContent !== '' && "
        f"({'true' if name == 'marks' else 'false'} "
        f"? document.querySelector('.told').textContent.startsWith('{label}:') "
        f": document.querySelector('.side.model h4').textContent === 'Reference {label}')"
    )


def pairs(browser: Browser, metric: str) -> list[dict[str, Any]]:
    """Return for both peers their hits as they are told, and how many words are marked so."""
    found: list[dict[str, Any]] = browser.run(
        "return ['a', 'b'].map((side) => {"
        " const peer = document.querySelector(`.side.${side}`);"
        " const told = peer.querySelector('.told').textContent;"
        " const marked = (of) => document.querySelectorAll("
        "  `.side.${of} mark.counts.${side} span`).length;"
        " return { told, hit: Number(/hit (\\d+)/.exec(told)[1]), peer: marked(side),"
        "  model: marked('model') }; })"
    )
    assert all(one["told"].startswith(f"{metric}:") for one in found)
    return found


@pytest.mark.parametrize("command", COMMANDS)
def test_narrow_screens(command: str, browser: Browser, make_page: MakePage) -> None:
    pytest.importorskip("scipy")
    browser.screen(NARROW)
    browser.open(make_page(*COMMANDS[command], cwd=SAMPLE) + "#eval=1")
    assert browser.run("return document.documentElement.scrollWidth - innerWidth") <= 0
    browser.screen(WIDE)
    assert browser.run("return document.documentElement.scrollWidth - innerWidth") <= 0


def test_type_and_bars(browser: Browser, make_page: MakePage) -> None:
    pytest.importorskip("vl_convert")
    address = make_page(*SCORE, cwd=SAMPLE)
    browser.screen(NARROW)
    browser.open(address)
    type_of = "return getComputedStyle(document.querySelector(arguments[0])).fontFamily"
    assert browser.run(type_of, ".panel text") == browser.run(type_of, "body")
    # No name of a metric is broken over two lines.
    heights = "return [...document.querySelectorAll('.lead .whole, h1 .whole')].map(arguments[0])"
    heights = heights.replace("arguments[0]", "(one) => one.getClientRects().length")
    assert set(browser.run(heights)) == {1}
    # Bars end before the digits begin, however long they are.
    browser.open(f"{address}#evals")
    widths = browser.run(
        "return [...document.querySelectorAll('td.bar')].map((cell) => {"
        " cell.style.setProperty('--share', '1');"
        " const style = getComputedStyle(cell);"
        " const digits = document.createRange(); digits.selectNodeContents(cell);"
        " const [left] = /[\\d.]+/.exec(style.backgroundPosition);"
        " const size = /([\\d.]+)px\\) \\* 1|([\\d.]+)px/.exec(style.backgroundSize);"
        " return [cell.getBoundingClientRect().left + Number(left) + parseFloat(size[0]),"
        "  digits.getBoundingClientRect().left]; })"
    )
    assert widths
    assert all(end <= digits for end, digits in widths)


def test_dark_mode_and_print(browser: Browser, make_page: MakePage) -> None:
    pytest.importorskip("vl_convert")
    address = make_page(*SCORE, cwd=SAMPLE)
    colours = (
        "return [getComputedStyle(document.body).backgroundColor,"
        " getComputedStyle(document.querySelector('.panel text')).fill]"
    )
    browser.open(address)
    assert browser.run(colours) == ["rgb(255, 255, 255)", "rgb(31, 35, 40)"]
    browser.media("dark")
    assert browser.run(colours) == ["rgb(20, 23, 27)", "rgb(232, 235, 238)"]
    browser.media(kind="print")
    hidden = "return getComputedStyle(document.querySelector('nav')).display"
    assert browser.run(hidden) == "none"
    assert browser.run(colours)[0] == "rgb(255, 255, 255)"
    # On paper all tabs are there, and marks have lines, not only grounds.
    assert browser.run(
        "return [...document.querySelectorAll('.view')].every((one) => one.checkVisibility())"
    )
    assert browser.run(
        "return [...document.querySelectorAll('#eval mark.counts')]"
        ".every((one) => getComputedStyle(one).boxShadow.includes('rgb(0, 0, 0)'))"
    )


HOSTILE = [
    "<script>window.hit = 1</script>",
    "</script><script>window.hit = 1</script>",
    "<img src=x onerror='window.hit = 1'>",
    "</template></style></title><svg onload='window.hit = 1'>",
    "javascript:window.hit=1",
    "\"' onmouseover='window.hit = 1' x='",
    "{{ 7 * 7 }}{% raw %}",
    "&lt;b&gt;",
    "\u202eltr\u202c\u2066x",
    "a/b#c?d=e&f%20g",
    "__proto__",
]


def test_hostile_ids_and_texts(browser: Browser, make_page: MakePage, tmp_path: Path) -> None:
    pairs = [
        {"id": eval_id, "system": system, "prediction": f"{eval_id}\nx {system}",
         "references": [f"{eval_id} x", eval_id]}
        for system, eval_id in product(HOSTILE[:3], HOSTILE)
    ]  # fmt: skip
    write_records(tmp_path / "r.jsonl", pairs)
    address = make_page("-n1", "r.jsonl", cwd=tmp_path)
    browser.open(address)
    shown = ids_of(browser)
    assert shown == [one if one.isprintable() else r"\u202eltr\u202c\u2066x" for one in HOSTILE]
    for eval_id in shown:
        browser.open(f"{address}#eval={quote(eval_id, safe='')}")
        browser.wait("document.querySelector('.side mark') !== null")
        assert browser.texts("#eval-title") == [f"Text {eval_id}"]
        assert browser.run("return window.hit") is None
    assert browser.texts("#first option") == HOSTILE[:3]
    own = "return document.querySelectorAll('body script:not([type=\"text/plain\"])').length"
    assert browser.run(own) == 1
    assert browser.run("return document.querySelectorAll('img, iframe, object, link').length") == 0
    links = "return [...document.links].every((one) => one.getAttribute('href')[0] === '#')"
    assert browser.run(links)


INHERITED = ["constructor", "toString", "valueOf", "__proto__", "hasOwnProperty"]


def test_names_that_every_object_has(browser: Browser, make_page: MakePage, tmp_path: Path) -> None:
    pairs = [
        {"id": eval_id, "system": system, "prediction": f"x y {'z ' * (place % 3)}",
         "references": ["x y z", "x"], "constructor": eval_id, "__proto__": system}
        for place, (system, eval_id) in enumerate(product(INHERITED, INHERITED))
    ]  # fmt: skip
    write_records(tmp_path / "r.jsonl", pairs)
    fields = ("--page-field", "constructor", "--page-field", "__proto__")
    address = make_page("-n1", *fields, "r.jsonl", cwd=tmp_path)
    browser.open(f"{address}#evals")
    assert ids_of(browser) == INHERITED
    assert sorted(browser.texts("#first option")) == sorted(INHERITED)
    for name in INHERITED:
        choice = f"eval={name}&a={name}&b=toString&sort=system%20{name}&where.constructor={name}"
        browser.open(f"{address}#{choice}&by=where.constructor")
        browser.wait("document.querySelector('.side mark') !== null")
        assert browser.texts("#eval-title") == [f"Text {name}"]
        assert browser.texts("#first option:checked") == [name]
        assert ids_of(browser) == [name]
        assert browser.texts("#buckets tbody th") == [name]
        # Neither that of an EVAL nor that of a tab.
        browser.open(f"{address}#{name}")
        assert browser.texts("#eval-title") != []


def test_control_characters(browser: Browser, make_page: MakePage, tmp_path: Path) -> None:
    # What packed texts use as signs is in texts, too; the words are frequent enough to have codes.
    text = "one \x01! two\x14!! \x1ftail \x7f\x00 three"
    pair = {"prediction": text, "references": ["one two three"]}
    write_records(tmp_path / "r.jsonl", [{"id": place, **pair} for place in range(5)])
    browser.open(make_page("-n1", "r.jsonl", cwd=tmp_path) + "#eval=4")
    browser.wait("document.querySelector('#eval mark') !== null")
    # All but the unit separator, which is white space, are shown as escapes.
    shown = r"one \x01! two\x14!!  tail \x7f\x00 three"
    assert browser.texts(".side .text") == [shown, "one two three"]


def test_nothing_else_can_run(browser: Browser, make_page: MakePage) -> None:
    browser.open(make_page(*SCORE, cwd=SAMPLE))
    parse = "try { document.body.innerHTML = 'x'; } catch (error) { return error.name; }"
    assert browser.run(parse) == "TypeError"
    assert any("TrustedHTML" in message for message in browser.console())


def curve_of(browser: Browser) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = browser.run(
        "return [...document.querySelectorAll('#plan-1-table-1 ~ .scroll')][0]"
        ".querySelector('tbody').innerText.split('\\n').map((row) => row.split('\\t'))"
    )
    return [(n, power) for n, power in found]


def cursor_of(browser: Browser) -> list[float]:
    """Return where the cursor of the first curve stands, in the middle: x and y."""
    found: list[float] = browser.run(
        "const box = document.querySelector('circle.cursor').getBoundingClientRect();"
        "return [box.x + box.width / 2, box.y + box.height / 2]"
    )
    return found


def point_of(browser: Browser, place: int) -> list[float]:
    """Return where a point of the first curve stands."""
    found: list[float] = browser.run(
        "const point = document.querySelectorAll(`.curve svg path[fill='#0066b3']`)[arguments[0]];"
        "const box = point.getBoundingClientRect();"
        "return [box.x + box.width / 2, box.y + box.height / 2]",
        place,
    )
    return found


def test_a_curve_is_read_off_with_keys(browser: Browser, make_page: MakePage) -> None:
    from selenium.webdriver.common.keys import Keys

    browser.open(make_page(*COMMANDS["plan"], cwd=SAMPLE))
    curve = curve_of(browser)
    slider = ".reading input"

    def reading(place: int) -> str:
        n, power = curve[place]
        return f"With {n} texts, a difference of 0.1 is found with a power of {power} (simulated)."

    browser.press_on(slider, Keys.HOME)
    assert browser.texts(".reading output") == [reading(0)]
    assert cursor_of(browser) == pytest.approx(point_of(browser, 0), abs=1)
    # The sample needs few EVALs, so that the curve has each of the smallest numbers.
    assert int(curve[1][0]) == int(curve[0][0]) + 1
    browser.press(Keys.ARROW_RIGHT)
    assert browser.texts(".reading output") == [reading(1)]
    assert cursor_of(browser) == pytest.approx(point_of(browser, 1), abs=1)
    browser.press(Keys.END)
    assert browser.texts(".reading output") == [reading(-1)]
    assert cursor_of(browser) == pytest.approx(point_of(browser, len(curve) - 1), abs=1)


def test_a_curve_is_read_off_with_the_pointer(browser: Browser, make_page: MakePage) -> None:
    browser.open(make_page(*COMMANDS["plan"], cwd=SAMPLE))
    browser.run("document.querySelector('.curve').scrollIntoView()")
    for place in (3, 1):
        x, y = point_of(browser, place)
        # A little beside the point, and below it: what counts is the nearest number.
        moved = {"type": "mouseMoved", "x": x + 3, "y": y + 5}
        browser.driver.execute_cdp_cmd("Input.dispatchMouseEvent", moved)
        (text,) = browser.texts(".reading output")
        assert text.startswith(f"With {curve_of(browser)[place][0]} texts, ")
        assert cursor_of(browser) == pytest.approx(point_of(browser, place), abs=1)


def test_a_printed_curve_has_no_cursor(browser: Browser, make_page: MakePage) -> None:
    browser.open(make_page(*COMMANDS["plan"], cwd=SAMPLE))
    shown = "return getComputedStyle(document.querySelector(arguments[0])).display !== 'none'"
    assert browser.run(shown, ".cursor")
    (text,) = browser.texts(".reading output")
    assert re.match(r"With \d+ texts, a difference of 0\.1 is found with a ", text)
    browser.media(kind="print")
    assert not any(browser.run(shown, one) for one in (".cursor", ".reading"))
    assert browser.run(shown, ".curve svg")


def test_evals_with_disagreement_are_sorted(browser: Browser, make_page: MakePage) -> None:
    pytest.importorskip("scipy")
    browser.open(make_page(*COMMANDS["correlate"], cwd=SAMPLE))
    table = "[aria-labelledby='disagreement-evals-1-table-1'] "

    def ids() -> list[str]:
        return browser.texts(f"{table}tbody th")

    def numbers(column: int) -> list[float]:
        return [float(one) for one in browser.texts(f"{table}td:nth-child({column})")]

    assert sorted(ids()) == ["1", "2", "3", "4"]
    taus = numbers(3)
    assert taus == sorted(taus)
    assert taus[0] < taus[-1]
    browser.press_on(f"{table}th:nth-child(3) button", " ")
    assert browser.texts(f"{table}[aria-sort='ascending']") == ["\u03c4 of ROUGE-2 F"]
    browser.press(" ")
    assert numbers(3) == taus[::-1]
    assert browser.texts(f"{table}[aria-sort='descending']") == ["\u03c4 of ROUGE-2 F"]
    browser.click(f"{table}th button")
    assert ids() == ["1", "2", "3", "4"]
    assert browser.texts(f"{table}[aria-sort]") == ["Text"]


def write_news(path: Path, n_evals: int, systems: dict[str, float]) -> None:
    """Write records of texts of 54 words, of which each system has a share in common."""
    generator = np.random.default_rng(7)
    # Words as frequent as in texts: the k-th in proportion to 1 / k.
    words = np.array([f"word{number}" for number in range(5000)])
    shares = 1 / np.arange(1, words.size + 1)
    shares /= shares.sum()
    shape = (n_evals, 3, 18)
    models = generator.choice(words, shape, p=shares)
    rows = []
    for system, share in systems.items():
        others = generator.choice(words, shape, p=shares)
        peers = np.where(generator.random(shape) < share, models, others)
        for place in range(n_evals):
            texts = ["\n".join(map(" ".join, text[place])) for text in (peers, models)]
            row = {"id": place, "system": system, "prediction": texts[0], "reference": texts[1]}
            rows.append(row)
    write_records(path, rows)


def test_300_evals_of_3_systems(browser: Browser, make_page: MakePage, tmp_path: Path) -> None:
    write_news(tmp_path / "r.jsonl", 300, {"a": 0.6, "b": 0.55, "c": 0.4})
    address = make_page("-n2", "-m", "r.jsonl", "--references", "reference", cwd=tmp_path)
    assert (tmp_path / "page.html").stat().st_size < 500_000
    browser.open(address)
    assert len(list_of(browser)) == 100
    browser.click("#next")
    assert ids_of(browser)[:2] == ["100", "101"]


def test_the_size_of_cnn_dm(browser: Browser, make_page: MakePage, tmp_path: Path) -> None:
    write_news(tmp_path / "r.jsonl", 11_490, {"a": 0.5})
    words = ("-n2", "-m", "--references", "reference", "--no-figures", "r.jsonl")
    browser.open(make_page(*words, cwd=tmp_path))
    # There is no note that texts are missing.
    assert browser.texts("#evals > .note:not(#unread)") == []
    # The last model is found by its words, and it alone.
    record = json.loads((tmp_path / "r.jsonl").read_text("utf-8").splitlines()[-1])
    browser.run("location.hash = arguments[0]", f"#contains={quote(record['reference'][:60])}")
    wait_for(browser, found="1 of 11490 texts")
    assert ids_of(browser) == ["11489"]
    wait_for(browser, eval_title="Text 11489")
    sides = browser.texts(".side .text")
    assert sides == [record["prediction"], record["reference"]]


def test_three_systems_on_cnn_dm(browser: Browser, make_page: MakePage, tmp_path: Path) -> None:
    write_news(tmp_path / "r.jsonl", 11_490, {"a": 0.5, "b": 0.4, "c": 0.3})
    words = ("-n2", "-m", "--references", "reference", "--no-figures", "r.jsonl")
    start = time.process_time()
    address = make_page(*words, cwd=tmp_path)
    # Of the processor: other programs may use it too. Coverage makes it slower.
    assert sys.gettrace() is not None or time.process_time() - start < 15
    assert (tmp_path / "page.html").stat().st_size < 6_500_000
    browser.driver.execute_cdp_cmd("Performance.enable", {})

    def seconds(change: str, then: str) -> float:
        before = browser.seconds_of_scripts()
        browser.run(change)
        browser.wait(then)
        return browser.seconds_of_scripts() - before

    before = browser.seconds_of_scripts()
    browser.open(f"{address}#evals")
    assert browser.seconds_of_scripts() - before < 0.3
    click = "document.querySelector(\"[data-name='0'] button\").click()"
    is_sorted = "document.querySelector('#list [aria-sort]') !== null"
    # The best of three: the time is that of the clock.
    assert min(seconds(click, is_sorted) for _ in range(3)) < 0.1
    lose = "const field = document.getElementById('loses'); field.value = '0.2';"
    lose += "field.dispatchEvent(new Event('input'))"
    found = "document.getElementById('found').textContent.includes(' of 11490 texts')"
    assert min(seconds(lose, found) for _ in range(3)) < 0.1
    # Random words are hard to pack: not all texts fit, and the page says so.
    told = (
        "document.getElementById('found').textContent.includes('searched by ID, and in the texts')"
    )
    assert seconds("location.hash = '#contains=word0'", told) < 1.2
