"""``rouge-cli explain``: why a score is what it is."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from rouge_cli.reports.writers.text import display_width
from tests.cli.running import SAMPLE, Run, write_records
from tests.pages import read_page

INPUT_ERROR = 3
SCHEMA = json.loads(
    (Path(__file__).parents[2] / "docs" / "explanation.schema.json").read_text("utf-8")
)
ALL_METRICS = ("-n", "3", "-w", "1.2", "-2", "4", "-U", "--pairwise-lcs")


def explain(run: Run, *arguments: str, cwd: Path) -> dict[str, Any]:
    finished = run("explain", *arguments, "--report", "json", cwd=cwd)
    # Some of the texts have an umlaut in one of few words.
    warnings = [line for line in finished.error_lines if "all words lose letters" not in line]
    assert (finished.code, warnings) == (0, [])
    found: dict[str, Any] = json.loads(finished.out)
    jsonschema.validate(found, SCHEMA)
    return found


def scores_of(found: dict[str, Any]) -> dict[tuple[str, str, str], dict[str, float]]:
    return {
        (one["id"], system["name"], metric["name"]): metric["scores"]
        for one in found["evals"]
        for system in one["systems"]
        for metric in system["metrics"]
    }


def table_of(run: Run, *arguments: str, cwd: Path) -> dict[tuple[str, str, str], dict[str, float]]:
    """Return the scores of each EVAL as ``score`` has them."""
    finished = run("-d", "-r", "0", "--report", "json", *arguments, cwd=cwd)
    names = {"R": "recall", "P": "precision", "F": "f_measure"}
    return {
        (eval_id, system["id"], metric): {
            letter: measures[name]["per_eval"][place] for letter, name in names.items()
        }
        for system in json.loads(finished.out)["systems"]
        for metric, measures in system["metrics"].items()
        for place, eval_id in enumerate(system["evals"])
    }


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


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(run: Run, layout: str) -> None:
    metrics = ALL_METRICS if layout == "configuration" else ("-n", "1")
    arguments = (*metrics, *LAYOUTS[layout])
    all_systems = () if layout == "file list" else ("-a",)
    expected = table_of(run, *arguments, *all_systems, cwd=SAMPLE)
    found = scores_of(explain(run, *arguments, "--best", "1000", cwd=SAMPLE))
    assert found == expected


def test_basic_elements(run: Run, tmp_path: Path) -> None:
    (tmp_path / "peer").write_text("cat|black|mod\ndog|nil|nil\n", "utf-8")
    (tmp_path / "model").write_text("cat|black|mod\ncat|nil|nil\n", "utf-8")
    (tmp_path / "list").write_text("peer model\n", "utf-8")
    found = explain(run, "-3", "HM", "-z", "SIMPLE", "list", cwd=tmp_path)
    (metric,) = found["evals"][0]["systems"][0]["metrics"]
    assert metric["counts"] == {"hit": 1, "model_count": 1, "peer_count": 1}
    assert found["evals"][0]["readings"] == [{"words": ["cat|black"], "sentence_ends": [1]}]


def test_the_terminal_view_by_hand(run: Run, tmp_path: Path) -> None:
    texts = {"prediction": "the cat the dog", "references": ["the cat sat"]}
    record = {"id": "a", "system": "r", **texts}

    (tmp_path / "r.jsonl").write_text(json.dumps(record), "utf-8")
    finished = run("explain", "-n", "1", "-x", "r.jsonl", cwd=tmp_path)
    assert finished.code == 0
    # Hits: the, cat; of the peer's two "the" one counts. R 2/3, P 2/4,
    # F = 2/3 * 1/2 / (1/2 * (2/3 + 1/2)) = 4/7, of the rounded 0.66667.
    assert finished.out.decode() == (
        "Text a\n"
        "━━━━━━\n"
        "  reference A  r.jsonl, line 1\n"
        "\n"
        "System r\n"
        "────────\n"
        "  prediction   r.jsonl, line 1\n"
        "\n"
        "ROUGE-1\n"
        "  R            2 / 3 = 0.66667  (hit / reference count)\n"
        "  P            2 / 4 = 0.50000  (hit / prediction count)\n"
        "  F            0.66667 * 0.50000 / (0.5 * 0.50000 + 0.5 * 0.66667) = 0.57143\n"
        "  prediction   [the cat] (the) dog\n"
        "  reference A  [the cat] sat\n"
        "  matches      2 hits: the, cat\n"
        "  clipped      the: 2 in the prediction, 1 in the reference: 1 counts\n"
        "\n"
        "[counts]  (matches, but is clipped)  nothing around it: matches nothing\n"
        "rouge-cli:0.1.0|like:1.5.5|n:1|stem:no|stop:no|limit:no|formula:A\n"
    )


def test_what_is_left_out(run: Run, tmp_path: Path) -> None:
    record = {"id": 1, "prediction": "The Zürich cats ran off", "references": ["cats"]}
    (tmp_path / "r.jsonl").write_text(json.dumps(record), "utf-8")
    found = explain(run, "-n1", "-x", "-s", "-l", "3", "r.jsonl", cwd=tmp_path)
    peer = found["evals"][0]["systems"][0]
    # The limit counts what stands between blanks; of "Zürich" the words are z and rich.
    assert peer["left_out"] == {
        "beyond_limit": ["ran", "off"],
        "cut_to": "",
        "stopwords": ["the", "z"],
        "letters": {"ü": 1},
    }
    assert found["evals"][0]["readings"][0]["words"] == ["rich", "cats"]
    shown = run("explain", "-n1", "-x", "-s", "-l", "3", "r.jsonl", cwd=tmp_path).out.decode()
    assert "beyond the limit, 2 words: ran off" in shown
    assert "left out, 2 stopwords: the, z" in shown
    assert "letters in no word: ü" in shown


def test_a_word_that_the_limit_cuts(run: Run, tmp_path: Path) -> None:
    record = {"id": 1, "prediction": "black cats ran", "references": ["cats"]}
    (tmp_path / "r.jsonl").write_text(json.dumps(record), "utf-8")
    left_out = explain(run, "-n1", "-x", "-b", "8", "r.jsonl", cwd=tmp_path)["evals"][0]["systems"][
        0
    ]["left_out"]
    assert (left_out["beyond_limit"], left_out["cut_to"]) == (["cats", "ran"], "ca")


def test_against(run: Run) -> None:
    table = table_of(run, "-n1", "-x", "-a", "config.xml", cwd=SAMPLE)
    evals = {eval_id for eval_id, _, _ in table}
    lead = {
        one: table[one, "neural", "ROUGE-1"]["F"] - table[one, "lead", "ROUGE-1"]["F"]
        for one in evals
    }
    arguments = ("-n1", "-x", "--worst", "1", "--against", "lead", "config.xml", "neural")
    found = explain(run, *arguments, cwd=SAMPLE)
    (one,) = found["evals"]
    assert one["id"] == min(evals, key=lead.__getitem__)
    assert [system["name"] for system in one["systems"]] == ["neural", "lead"]
    shown = run("explain", *arguments, cwd=SAMPLE).out.decode()
    assert f"lead {table[one['id'], 'lead', 'ROUGE-1']['F']:.5f}" in shown


def test_all_that_the_schema_describes(run: Run) -> None:
    arguments = ("-m", "-s", "-b", "99", "--texts", "--best", "1", "--against", "lead")
    found = explain(run, *ALL_METRICS, *arguments, "config.xml", "neural", cwd=SAMPLE)
    system = found["evals"][0]["systems"][0]
    assert {"sentences", "chosen_by"} <= set(system)
    assert "stems" in found["evals"][0]["readings"][0]
    by_name = {metric["name"]: metric for metric in system["metrics"]}
    assert by_name["ROUGE-W-1.2"]["root"] == 1.2
    assert {"alignments", "runs"} <= set(by_name["ROUGE-W-1.2"]["pairs"][0])
    assert "peer_matches" in by_name["LCS-pairwise"]["pairs"][0]


def test_systems_of_line_files(run: Run) -> None:
    arguments = (
        *("-n1", "-x", "--peer-lines", "one=lines/lead.txt"),
        *("--peer-lines", "two=lines/neural.txt", "--model-lines", "lines/A.txt"),
        *("--eval", "1"),
    )
    for chosen in (("two",), ("--system-id", "two")):
        found = explain(run, *arguments, *chosen, cwd=SAMPLE)
        assert [one["name"] for one in found["evals"][0]["systems"]] == ["two"]


def test_an_eval_without_the_system(run: Run, tmp_path: Path) -> None:
    lines = [
        {"id": 1, "system": "a", "prediction": "x", "references": ["x"]},
        {"id": 2, "system": "b", "prediction": "x", "references": ["x"]},
    ]
    write_records(tmp_path / "r.jsonl", lines)
    finished = run("explain", "-n1", "--eval", "1", "r.jsonl", "b", cwd=tmp_path)
    assert finished.misuse == "Error: text 1 has no prediction of b; it has those of a"
    for asked in (("-a",), ("--against", "b", "a")):
        finished = run("explain", "-n1", "--eval", "1", "r.jsonl", *asked, cwd=tmp_path)
        assert finished.code == 0, finished.err
        assert b"Text 1" in finished.out


def test_saved_scores_have_no_texts(run: Run, tmp_path: Path) -> None:
    saved = str(tmp_path / "s.jsonl")
    assert run("-n1", "-a", "--save", saved, "config.xml", cwd=SAMPLE).code == 0
    finished = run("explain", "-n1", "--eval", "1", saved, cwd=SAMPLE)
    assert "holds saved scores, which have no texts" in finished.misuse


def test_options_of_averages_change_nothing(run: Run) -> None:
    arguments = ("-n1", "--eval", "1", "config.xml", "lead")
    plain = run("explain", *arguments, cwd=SAMPLE)
    finished = run("explain", "-c", "90", "-r", "5", "-t", "1", *arguments, cwd=SAMPLE)
    assert finished.out == plain.out
    assert finished.error_lines == [
        "Warning: no effect on the scores of a text: -t/--counting, -c/--confidence, -r/--resamples"
    ]
    finished = run("explain", "--bootstrap", "histogram", *arguments, cwd=SAMPLE)
    assert finished.out == plain.out
    assert finished.error_lines == ["Warning: no effect on the scores of a text: --bootstrap"]


def test_metrics_beside_rouge_have_scores_only(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("sacrebleu")
    record = {"id": 1, "prediction": "the cat", "references": ["the cat"]}
    (tmp_path / "r.jsonl").write_text(json.dumps(record), "utf-8")
    shown = run("explain", "-x", "--add", "metric:chrf", "r.jsonl", cwd=tmp_path).out.decode()
    assert "S 100.00000: this metric counts no words that could be marked" in shown


def test_empty_texts(run: Run, tmp_path: Path) -> None:
    record = {"id": 1, "prediction": "...", "references": ["the cat"]}
    (tmp_path / "r.jsonl").write_text(json.dumps(record), "utf-8")
    finished = run("explain", "-n1", "r.jsonl", cwd=tmp_path)
    assert finished.code == 0
    assert "  prediction   (no words)\n" in finished.out.decode()
    assert "Warning" in finished.err
    assert run("explain", "-n1", "--empty", "error", "r.jsonl", cwd=tmp_path).code == INPUT_ERROR


LONG = "zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich und zurück " * 4
WIDE = "今天天气很好我们去公园散步吧她说好的然后他们一起出发了" * 3


@pytest.mark.parametrize(
    ("text", "language"), [(LONG, "de"), (WIDE, "zh"), ("x" * 200, "en")], ids=["de", "zh", "long"]
)
def test_lines_fit_into_80_columns(run: Run, tmp_path: Path, text: str, language: str) -> None:
    record = {"id": 1, "prediction": text, "references": [text[10:], text[:50]]}
    (tmp_path / "r.jsonl").write_text(json.dumps(record), "utf-8")
    arguments = (*ALL_METRICS, "--texts", "--language", language, "r.jsonl")
    shown = run("explain", *arguments, cwd=tmp_path).out.decode()
    lines = shown.splitlines()[:-1]
    assert [line for line in lines if display_width(line) > 80] == []


HOSTILE = "<script>alert(1)</script>\x1b[31m</title>\u202e`**|"


def test_hostile_texts_and_ids(run: Run, tmp_path: Path) -> None:
    record = {"id": HOSTILE, "system": HOSTILE, "prediction": HOSTILE, "references": [HOSTILE]}
    (tmp_path / "r.jsonl").write_text(json.dumps(record), "utf-8")
    for kind in ("table", "markdown", "html"):
        line = ("-n2", "--tokenizer", "whitespace", "--texts", "--report", kind, "r.jsonl")
        shown = run("explain", *line, cwd=tmp_path).out.decode()
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


def test_a_metric_of_pooled_counts(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("sacrebleu")
    (tmp_path / "r.jsonl").write_text('{"id": "1", "prediction": "a b", "reference": "a b"}\n')
    found = run("explain", "--eval", "1", "--add", "metric:corpus-bleu", "r.jsonl", cwd=tmp_path)
    assert found.code == 0
    # Its score in the EVAL, and no statistics behind it.
    assert re.search(r"corpus-bleu.*\n.*S [0-9.]+: this metric counts no", found.out.decode())
