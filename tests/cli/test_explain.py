"""``rouge-cli explain``: scores are those of ``score``, lines fit, and texts stay harmless."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from rouge_cli.reports.writers.text import display_width
from tests.cli.running import ROOT, SAMPLE, Run, json_of, write_records
from tests.pages import read_page

SCHEMA = json.loads((ROOT / "docs" / "explanation.schema.json").read_text("utf-8"))
ALL_METRICS = ("-n", "3", "-w", "1.2", "-2", "4", "-U", "--pairwise-lcs")
LAYOUTS = {
    "configuration": ("config.xml",),
    "file list": ("-z", "SPL", "files.lst"),
    "records": ("records.jsonl",),
    "folders": (
        *("--peers", r"peers/(?P<id>\w+)\.(?P<system>\w+)\.txt"),
        *("--models", "models/#ID#.[A-Z].txt"),
    ),
    "lines": (
        *("--peer-lines", "lead=lines/lead.txt", "--model-lines", "lines/A.txt"),
        *("--model-lines", "lines/B.txt", "--sentence-separator", " <q> "),
    ),
    "DUC": ("--duc", "duc/peers", "duc/models"),
}


@pytest.fixture(autouse=True)
def _in_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SAMPLE)


def explanation(run: Run, *arguments: str) -> dict[str, Any]:
    report: dict[str, Any] = json_of(run, "explain", *arguments)
    jsonschema.validate(report, SCHEMA)
    return report


@pytest.mark.parametrize("layout", LAYOUTS)
def test_scores_are_those_of_score(run: Run, layout: str) -> None:
    metrics = ALL_METRICS if layout == "configuration" else ("-n", "1")
    arguments = (*metrics, *LAYOUTS[layout])
    all_systems = () if layout == "file list" else ("-a",)
    names = {"R": "recall", "P": "precision", "F": "f_measure"}
    expected = {
        (eval_id, system["id"], metric): {
            letter: measures[name]["per_eval"][place] for letter, name in names.items()
        }
        for system in json_of(run, "-d", "-r", "0", *arguments, *all_systems)["systems"]
        for metric, measures in system["metrics"].items()
        for place, eval_id in enumerate(system["evals"])
    }
    assert expected == {
        (text["id"], system["name"], metric["name"]): metric["scores"]
        for text in explanation(run, *arguments, "--best", "1000")["evals"]
        for system in text["systems"]
        for metric in system["metrics"]
    }


def test_all_that_the_schema_describes(run: Run) -> None:
    arguments = ("-m", "-s", "-b", "99", "--texts", "--best", "1", "--against", "lead")
    (text,) = explanation(run, *ALL_METRICS, *arguments, "config.xml", "neural")["evals"]
    system = text["systems"][0]
    assert {"sentences", "chosen_by"} <= set(system)
    assert "stems" in text["readings"][0]
    by_name = {metric["name"]: metric for metric in system["metrics"]}
    assert by_name["ROUGE-W-1.2"]["root"] == 1.2
    assert {"alignments", "runs"} <= set(by_name["ROUGE-W-1.2"]["pairs"][0])
    assert "peer_matches" in by_name["LCS-pairwise"]["pairs"][0]


LONG = "zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich und zurück " * 4
WIDE = "今天天气很好我们去公园散步吧她说好的然后他们一起出发了" * 3


@pytest.mark.parametrize(
    ("text", "language"), [(LONG, "de"), (WIDE, "zh"), ("x" * 200, "en")], ids=["de", "zh", "long"]
)
def test_lines_fit_into_80_columns(run: Run, tmp_path: Path, text: str, language: str) -> None:
    record = {"id": 1, "prediction": text, "references": [text[10:], text[:50]]}
    write_records(tmp_path / "r.jsonl", [record])
    arguments = (*ALL_METRICS, "--texts", "--language", language, "r.jsonl")
    lines = run("explain", *arguments, cwd=tmp_path).out.decode().splitlines()
    assert [line for line in lines[:-1] if display_width(line) > 80] == []


HOSTILE = "<script>alert(1)</script>\x1b[31m</title>\u202e`**|"


@pytest.mark.parametrize("kind", ["table", "markdown", "html"])
def test_hostile_texts_and_ids(kind: str, run: Run, tmp_path: Path) -> None:
    record = {"id": HOSTILE, "system": HOSTILE, "prediction": HOSTILE, "references": [HOSTILE]}
    write_records(tmp_path / "r.jsonl", [record])
    words = ("-n2", "--tokenizer", "whitespace", "--texts", "--report", kind, "r.jsonl")
    shown = run("explain", *words, cwd=tmp_path).out.decode()
    assert not set("\x1b\u202e").intersection(shown)
    if kind == "html":
        page = read_page(shown)
        assert not {tag for tag, _ in page.tags} - {
            *("html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "h3"),
            *("dl", "dt", "dd", "b", "u", "span", "p", "code"),
        }
        meta = {"lang", "charset", "http-equiv", "content", "name"}
        assert not page.attributes - meta - {"id", "dir"}
        assert not re.search(r"(src|href)=|url\(|@import", shown)
    if kind == "markdown":
        assert "<script" not in shown.replace(r"\<", "")
