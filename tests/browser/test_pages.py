"""Pages in a browser: they open without a network, and their list of EVALs can be used."""

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest

from tests.browser.pages import NARROW, WIDE, Browser

SAMPLE = Path(__file__).parents[2] / "fixtures" / "sample"
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

MODELS = ["a b c d e f", "the cat sat on the mat"]
PEERS = {"good": ["a b c d e f", "the the the cat"], "poor": ["x y z", "a dog lay on the mat"]}


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """Write four EVALs of two systems, three of them alike."""
    with (tmp_path / "r.jsonl").open("w", encoding="utf-8") as file:
        for system, texts in PEERS.items():
            for place in range(4):
                row = {
                    "id": f"doc {place}",
                    "system": system,
                    "prediction": texts[place == 2],
                    "references": [MODELS[place == 2]],
                }
                file.write(json.dumps(row) + "\n")
    return tmp_path


def list_of(browser: Browser) -> list[list[str]]:
    """Return the cells of the list of EVALs."""
    found: list[list[str]] = browser.run(
        "return [...document.querySelectorAll('#list tbody tr')]"
        ".map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    return found


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
    package = find_spec("axe_playwright_python")
    if package is None or package.origin is None:
        pytest.skip("needs axe-core: make browser installs it")
    axe = Path(package.origin).with_name("axe.min.js").read_text("utf-8")
    browser.media(scheme)
    browser.bypass_policy(is_bypassed=True)
    browser.open(make_page(*COMMANDS[command], cwd=SAMPLE) + "#eval=1")
    if command in {"score", "compare"}:
        browser.wait("document.querySelector('#eval mark') !== null")
    browser.run(axe)
    found = browser.driver.execute_async_script("axe.run().then(arguments[0])")
    problems = [
        (one["id"], one["impact"], [node["html"][:200] for node in one["nodes"][:3]])
        for one in found["violations"]
    ]
    assert problems == []


def test_sorting(browser: Browser, make_page: MakePage, records: Path) -> None:
    browser.open(make_page("-n1", "-x", "r.jsonl", cwd=records))
    ids = ["doc 0", "doc 1", "doc 2", "doc 3"]
    assert [row[0] for row in list_of(browser)] == ids
    # Of "the the the cat" and "the cat sat on the mat" three words match: 2 * 3 / (4 + 6).
    assert list_of(browser)[2][1] == "0.60000"
    browser.click("[data-name='0'] button")
    assert [row[0] for row in list_of(browser)] == ["doc 0", "doc 1", "doc 3", "doc 2"]
    assert browser.texts("[aria-sort='descending']") == ["good"]
    browser.click("[data-name='0'] button")
    assert [row[0] for row in list_of(browser)] == ["doc 2", "doc 0", "doc 1", "doc 3"]
    assert browser.texts("[aria-sort='ascending']") == ["good"]
    # A less B: 1 - 0 three times, and 0.6 - 0.5, as "on the mat" matches: 2 * 3 / (6 + 6).
    browser.click("[data-name='difference'] button")
    assert [row[3] for row in list_of(browser)] == ["+1.00000"] * 3 + ["+0.10000"]
    browser.choose("first", "poor")
    browser.choose("second", "good")
    assert [row[3] for row in list_of(browser)] == ["\u22120.10000"] + ["\u22121.00000"] * 3


def test_metrics(browser: Browser, make_page: MakePage, records: Path) -> None:
    browser.open(make_page("-n1", "-x", "--measures", "RP", "r.jsonl", cwd=records))
    assert browser.texts("#measure option") == ["ROUGE-1 R", "ROUGE-1 P", "ROUGE-1 F"]
    assert [row[1] for row in list_of(browser)][2] == "0.50000"
    browser.choose("measure", "ROUGE-1 P")
    assert [row[1] for row in list_of(browser)][2] == "0.75000"


def test_search(browser: Browser, make_page: MakePage, records: Path) -> None:
    browser.open(make_page("-n1", "-x", "r.jsonl", cwd=records))
    field = browser.driver.find_element("id", "search")
    field.send_keys("DOC 2")
    browser.wait("document.getElementById('found').textContent === '1 of 4 EVALs'")
    assert [row[0] for row in list_of(browser)] == ["doc 2"]
    field.clear()
    field.send_keys("b C d")
    browser.wait("document.getElementById('found').textContent === '3 of 4 EVALs'")
    field.clear()
    field.send_keys("nowhere")
    browser.wait("document.getElementById('found').textContent === '0 of 4 EVALs'")
    assert list_of(browser) == []


@pytest.mark.parametrize(
    ("options", "n_texts", "searched"),
    [
        ([], 600, ", searched by ID, and in the texts of 600"),
        (["--no-texts"], 0, ", searched by ID"),
    ],
)
def test_what_was_searched(
    options: list[str],
    n_texts: int,
    searched: str,
    browser: Browser,
    make_page: MakePage,
    tmp_path: Path,
) -> None:
    with (tmp_path / "r.jsonl").open("w", encoding="utf-8") as file:
        for number in range(700):
            row = {"id": number, "prediction": "a referee", "references": ["a referee"]}
            file.write(json.dumps(row) + "\n")
    browser.open(make_page("-n1", "-x", *options, "r.jsonl", cwd=tmp_path))
    assert browser.texts("#found") == ["700 EVALs"]
    # Of one system there is nothing to compare.
    assert not any(
        one.is_displayed() for one in browser.driver.find_elements("class name", "of-pairs")
    )
    field = browser.driver.find_element("id", "search")
    for query, n_found in (("referee", n_texts), ("699", 1)):
        field.clear()
        field.send_keys(query)
        told = f"{n_found} of 700 EVALs{searched}"
        browser.wait(f"document.getElementById('found').textContent === '{told}'")


@pytest.mark.parametrize("anchor", ["eval=doc%209", "doc%209", "eval=doc+1"])
def test_links_to_unknown_evals(
    anchor: str, browser: Browser, make_page: MakePage, records: Path
) -> None:
    address = make_page("-n1", "-x", "r.jsonl", cwd=records)
    browser.open(f"{address}#{anchor}")
    name = anchor.removeprefix("eval=").replace("%20", " ")
    assert browser.texts("#eval-title") == [f"EVAL {name}"]
    assert browser.texts("#eval .note") == ["This page has no EVAL with this ID."]
    assert browser.texts("tr[aria-current] th") == []
    browser.run("location.hash = '#eval=doc%201'")
    browser.wait("document.querySelector('#eval mark') !== null")
    assert browser.texts("#eval-title") == ["EVAL doc 1"]
    browser.run("location.hash = '#origin'")
    assert browser.texts("#eval-title") == ["EVAL doc 1"]


def test_deep_links(browser: Browser, make_page: MakePage, records: Path) -> None:
    address = make_page("-n1", "-x", "r.jsonl", cwd=records)
    for anchor in ("eval=doc%202", "doc%202"):
        browser.open(f"{address}#{anchor}")
        browser.wait("document.querySelector('#eval mark') !== null")
        assert browser.texts("#eval-title") == ["EVAL doc 2"]
        assert browser.texts("tr[aria-current] th") == ["doc 2"]
    browser.click("#eval .bar-top button:last-child")
    browser.wait("document.getElementById('eval-title').textContent === 'EVAL doc 3'")
    assert browser.run("return location.hash") == "#eval=doc%203"
    assert browser.run("return document.activeElement.id") == "eval-title"
    browser.run("history.back()")
    browser.wait("document.getElementById('eval-title').textContent === 'EVAL doc 2'")


def test_the_keyboard_alone(browser: Browser, make_page: MakePage, records: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    browser.open(make_page("-n1", "-x", "r.jsonl", cwd=records))
    browser.press(Keys.TAB)
    assert browser.run("return document.activeElement.className") == "skip"
    for _ in range(60):
        if browser.run("return document.activeElement.textContent") == "doc 1":
            break
        browser.press(Keys.TAB)
    browser.press(Keys.ENTER)
    browser.wait("document.querySelector('#eval mark') !== null")
    assert browser.texts("#eval-title") == ["EVAL doc 1"]
    for _ in range(60):
        if browser.run("return document.activeElement.name") == "system":
            break
        browser.press(Keys.TAB)
    browser.press(Keys.ARROW_RIGHT)
    browser.wait("document.querySelector('.side h4').textContent === 'Peer of poor'")
    assert browser.run("return document.activeElement.value") == "1"


SYSTEMS = ("neural", "extract", "lead")
METRICS = ("ROUGE-1", "ROUGE-L")


@pytest.mark.parametrize("options", [["-m"], ["-s"], ["-l", "20"], ["-f", "B"]], ids=str)
def test_marks_are_the_counts(options: list[str], browser: Browser, make_page: MakePage) -> None:
    address = make_page("-n1", *options, "-a", "config.xml", cwd=SAMPLE)
    n_seen = 0
    for eval_id in "1234":
        browser.open(f"{address}#eval={eval_id}")
        browser.wait("document.querySelector('#eval mark') !== null")
        for system in range(3):
            for metric in range(2):
                choose(browser, system, metric)
                for pair in pairs(browser):
                    # Both metrics count words: those of the peer that count are hits, and so are
                    # those of the model.
                    assert pair["model"] == pair["hit"]
                    assert pair["peer"] == pair["hit"] or metric == 1
                    n_seen += 1
    assert n_seen == 4 * 3 * 2 * 2


def choose(browser: Browser, system: int, metric: int) -> None:
    """Choose a system and a metric, and wait until their marks are shown."""
    browser.click(f"#eval input[name='system'][value='{system}']")
    browser.wait(f"document.querySelector('.side h4').textContent === 'Peer of {SYSTEMS[system]}'")
    browser.click(f"#eval input[name='marks'][value='{metric}']")
    browser.wait(f"document.querySelector('.count').textContent.startsWith('{METRICS[metric]}:')")


def pairs(browser: Browser) -> list[dict[str, Any]]:
    """Return for each pair its hit as it is told, and how many words are marked as counting."""
    found: list[dict[str, Any]] = browser.run(
        "return [...document.querySelectorAll('#eval .pair')].map((pair) => {"
        " const [peer, model] = pair.querySelectorAll('.side');"
        " const hit = Number(/hit (\\d+)/.exec(pair.querySelector('.count').textContent)[1]);"
        " const marks = (side) => side.querySelectorAll('mark.counts').length;"
        " return { hit, peer: marks(peer), model: marks(model) }; })"
    )
    return found


@pytest.mark.parametrize("command", COMMANDS)
def test_narrow_screens(command: str, browser: Browser, make_page: MakePage) -> None:
    pytest.importorskip("scipy")
    browser.screen(NARROW)
    browser.open(make_page(*COMMANDS[command], cwd=SAMPLE) + "#eval=1")
    assert browser.run("return document.documentElement.scrollWidth - innerWidth") <= 0
    browser.screen(WIDE)
    assert browser.run("return document.documentElement.scrollWidth - innerWidth") <= 0


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
    with (tmp_path / "r.jsonl").open("w", encoding="utf-8") as file:
        for system in HOSTILE[:3]:
            for eval_id in HOSTILE:
                row = {
                    "id": eval_id,
                    "system": system,
                    "prediction": f"{eval_id}\nx {system}",
                    "references": [f"{eval_id} x", eval_id],
                }
                file.write(json.dumps(row) + "\n")
    address = make_page("-n1", "r.jsonl", cwd=tmp_path)
    browser.open(address)
    shown = [row[0] for row in list_of(browser)]
    assert shown == [one if one.isprintable() else r"\u202eltr\u202c\u2066x" for one in HOSTILE]
    for eval_id in shown:
        browser.open(f"{address}#eval={quote(eval_id, safe='')}")
        browser.wait("document.querySelector('#eval .pair') !== null")
        assert browser.texts("#eval-title") == [f"EVAL {eval_id}"]
        assert browser.run("return window.hit") is None
    assert browser.texts("#first option") == HOSTILE[:3]
    own = "return document.querySelectorAll('body script:not([type=\"text/plain\"])').length"
    assert browser.run(own) == 1
    assert browser.run("return document.querySelectorAll('img, iframe, object, link').length") == 0
    links = "return [...document.links].every((one) => one.getAttribute('href')[0] === '#')"
    assert browser.run(links)


def test_nothing_else_can_run(browser: Browser, make_page: MakePage) -> None:
    browser.open(make_page(*SCORE, cwd=SAMPLE))
    parse = "try { document.body.innerHTML = 'x'; } catch (error) { return error.name; }"
    assert browser.run(parse) == "TypeError"
    assert any("TrustedHTML" in message for message in browser.console())


def test_300_evals_of_3_systems(browser: Browser, make_page: MakePage, tmp_path: Path) -> None:
    generator = np.random.default_rng(7)
    # Words as frequent as in texts: the k-th in proportion to 1 / k.
    words = np.array([f"word{number}" for number in range(5000)])
    shares = 1 / np.arange(1, words.size + 1)
    shares /= shares.sum()
    with (tmp_path / "r.jsonl").open("w", encoding="utf-8") as file:
        for place in range(300):
            model = generator.choice(words, (3, 18), p=shares)
            for system, share in (("a", 0.6), ("b", 0.55), ("c", 0.4)):
                other = generator.choice(words, model.shape, p=shares)
                peer = np.where(generator.random(model.shape) < share, model, other)
                texts = ["\n".join(map(" ".join, text)) for text in (peer, model)]
                row = {"id": place, "system": system, "prediction": texts[0], "reference": texts[1]}
                file.write(json.dumps(row) + "\n")
    address = make_page("-n2", "-m", "r.jsonl", "--references", "reference", cwd=tmp_path)
    assert (tmp_path / "page.html").stat().st_size < 500_000
    browser.open(address)
    assert len(list_of(browser)) == 25
    browser.click("#next")
    assert [row[0] for row in list_of(browser)][:2] == ["25", "26"]
