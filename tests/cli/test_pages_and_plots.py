"""Pages and figures from the command line."""

import io
import json
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from markupsafe import escape

from tests.cli.running import SAMPLE, Run, write_records
from tests.pages import inflated, payload

SCORE = ("-n1", "-a", "config.xml")
STUDIES = {
    "compare": ("compare", "-n1", "records.jsonl"),
    "correlate": (
        *("correlate", "--judgements", "judgements.csv", "--judgement", "coverage"),
        *("--level", "system", "-r", "50", "-n1", "records.jsonl"),
    ),
    "plan": ("plan", "-n1", "-x", "--system-id", "neural", "--spread", "0.1", "records.jsonl"),
}
COMMANDS = STUDIES | {
    "score": SCORE,
    "explain": ("explain", "-n1", "--eval", "1", "config.xml"),
}
MAGIC = {".svg": b"<svg", ".png": b"\x89PNG", ".pdf": b"%PDF"}

PageOf = Callable[..., str]


@pytest.fixture
def page_of(run: Run) -> PageOf:
    """A function that returns the page of a run that goes well, by default in the sample."""

    def page_of(*words: str, cwd: Path = SAMPLE) -> str:
        finished = run(*words, "--report", "html", cwd=cwd)
        assert finished.code == 0, finished.err
        return finished.out.decode()

    return page_of


def test_a_page_has_texts_command_and_checksums(run: Run, tmp_path: Path) -> None:
    words = (*SCORE, "--report", "html", "-o", str(tmp_path / "p.html"))
    finished = run(*words, cwd=SAMPLE)
    assert (finished.out, finished.code) == (b"", 0)
    page = (tmp_path / "p.html").read_text("utf-8")
    assert str(escape(shlex.join(["rouge-cli", *words]))) in page
    assert "SHA-256 of config.xml" in page
    assert "SHA-256 of all texts as they are read" in page
    (chunk,) = re.findall(r'class="texts">([^<]*)<', page)
    heads, *texts = inflated(chunk).split("\0")
    assert [head["m"] for head in json.loads(heads)] == [2] * 4
    assert payload(page)["texts"] == [0, 1, 2, 3]
    # Two models, then the systems in the order of the table, the best first.
    assert texts[2] == (SAMPLE / "peers" / "ferry.neural.txt").read_text("utf-8").strip()


@pytest.mark.parametrize("command", COMMANDS)
def test_title_and_notes(command: str, page_of: PageOf, tmp_path: Path) -> None:
    if command == "correlate":
        pytest.importorskip("scipy")
    figures = () if command == "explain" else ("--no-figures",)
    notes = tmp_path / "n.md"
    notes.write_text("\ufeff# Runs of *May*\r\n\r\nSee <b>.\n", "utf-8")
    given = ("--title", "Ours & <theirs>\x07", "--notes", str(notes))
    page = page_of(*COMMANDS[command], *figures, *given)
    assert "<title>Ours &amp; &lt;theirs&gt;\\x07</title>" in page
    assert "<h2>Runs of <em>May</em></h2>\n<p>See &lt;b&gt;.</p>\n</div>" in page


def test_a_page_has_the_date_that_it_is_given(
    page_of: PageOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert "<dt>Date</dt>" not in page_of(*SCORE, "--no-figures")
    # 2023-11-14 22:13:20, by date --utc --date=@1700000000.
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert "<dt>Date</dt><dd>2023-11-14 22:13 UTC</dd>" in page_of(*SCORE, "--no-figures")


@pytest.mark.parametrize("seconds", ["x", "-1", "1.5", "253402300800", "9" * 5000])
def test_a_date_that_is_none(seconds: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", seconds)
    refusal = run(*SCORE, "--report", "html", cwd=SAMPLE).misuse
    assert refusal.startswith("Error: SOURCE_DATE_EPOCH: found '")
    assert run(*SCORE, "--report", "table", cwd=SAMPLE).code == 0


def test_sources_are_whole_and_no_fields_to_choose_by(page_of: PageOf, tmp_path: Path) -> None:
    source = "The source document. " * 20
    row = {"id": 1, "prediction": "a", "references": ["a"], "text": source}
    write_records(tmp_path / "r.jsonl", [row])
    page = page_of("-n1", "-x", "r.jsonl", "--page-source", "text", cwd=tmp_path)
    (chunk, *_) = re.findall('class="texts">([^<]*)<', page)
    # A field to choose by has 200 characters at most.
    assert len(source) > 400
    assert inflated(chunk).endswith(f"\0{source.strip()}")


@pytest.mark.parametrize("command", ["score", "compare"])
def test_pages_without_texts_and_figures(command: str, page_of: PageOf) -> None:
    bare, empty = (
        page_of(*COMMANDS[command], "--no-figures", *more) for more in ((), ("--no-texts",))
    )
    assert payload(bare)["texts"]
    assert payload(empty)["texts"] == []
    assert 'class="texts"' not in empty
    assert "The texts are left out of this file (--no-texts)." in empty
    assert "<svg" not in empty.partition("<script")[0]


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_saved_scores(suffix: str, run: Run, page_of: PageOf, tmp_path: Path) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    saved = str(tmp_path / f"s{suffix}")
    assert run(*SCORE, "--save", saved, cwd=SAMPLE).code == 0
    page = page_of(saved, "--no-figures")
    found, original = payload(page), payload(page_of(*SCORE, "--no-figures"))
    assert (found["scores"], found["texts"]) == (original["scores"], [])
    assert "The input holds saved scores" in page


DIFFER = (
    "Warning: r.jsonl: the records of 1 text differ in field 'n', those of text d1 are 9 and 10: "
    "the page counts a text under each of its values"
)


@pytest.mark.parametrize("command", [("-a",), ("compare",)])
def test_fields_on_a_page(command: tuple[str, ...], run: Run, tmp_path: Path) -> None:
    rows = [
        {"id": eval_id, "system": system, "prediction": "a b", "references": "a b", "n": n}
        | {"about": {"topic": topic, "day": 10, "is new": True, "empty": None}}
        for system, eval_id, topic, n in [
            ("x", "d1", "news", 9), ("x", "d2", " sport ", 10), ("x", "d3", None, 10.5),
            ("y", "d1", "news", 10), ("y", "d2", "sport", 10), ("y", "d3", "", 10.5),
        ]
    ]  # fmt: skip
    write_records(tmp_path / "r.jsonl", rows)
    fields = [f"--page-field={name}" for name in ("about.topic", "n", "about.is new")]
    page = (*fields, "-n1", "-x", "--report", "html", "--no-figures", "r.jsonl")
    finished = run(*command, *page, cwd=tmp_path)
    assert finished.code == 0
    assert DIFFER in finished.error_lines
    # Numbers are in order of their size, and the number of an EVAL is the place of its value.
    assert payload(finished.out.decode())["fields"] == [
        {"name": "about.topic", "values": ["news", "sport"], "evals": [0, 1, []]},
        {"name": "n", "values": ["9", "10", "10.5"], "evals": [[0, 1], 1, 2]},
        {"name": "about.is new", "values": ["true"], "evals": [0, 0, 0]},
    ]
    if command == ("-a",):
        # The records of a system that is not scored do not count.
        lone = run(*page, "x", cwd=tmp_path)
        assert DIFFER not in lone.error_lines
        assert payload(lone.out.decode())["fields"][1]["evals"] == [0, 1, 2]


@pytest.mark.parametrize("form", ["csv", "tsv", "parquet", "json", "lists.json", "-"])
def test_fields_of_other_formats(
    form: str, page_of: PageOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        {"id": f"d{number}", "A": "a b", "B": "a", "references": "a b", "system": "s", "day": day}
        for number, day in enumerate(["x", "y"])
    ]
    lists = {name: [row[name] for row in rows] for name in rows[0]}
    table = [[*rows[0]], *([*row.values()] for row in rows)]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    path = Path("-") if form == "-" else tmp_path / f"r.{form}"
    if form == "parquet":
        pytest.importorskip("pyarrow")
        pytest.importorskip("pandas").DataFrame(rows).to_parquet(path)
    elif form != "-":
        contents = {
            "csv": "\n".join(map(",".join, table)),
            "tsv": "\n".join(map("\t".join, table)),
            "json": json.dumps(rows),
            "lists.json": json.dumps(lists),
        }
        path.write_text(contents[form])
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    systems = ("--prediction", "A=A", "--prediction", "B=B", "--page-field", "day")
    page = page_of("-n1", "-x", "-a", "--no-figures", *systems, str(path))
    assert payload(page)["fields"] == [{"name": "day", "values": ["x", "y"], "evals": [0, 1]}]


@pytest.mark.parametrize("command", STUDIES)
def test_pages_of_studies(command: str, page_of: PageOf) -> None:
    pytest.importorskip("scipy")
    page = page_of(*STUDIES[command])
    assert "SHA-256 of records.jsonl" in page
    assert ('class="texts"' in page) == (command == "compare")
    if command == "compare":
        # Intervals of the systems too, of which the tests have no need.
        assert "resamples:1000" in page


def test_a_page_of_two_systems_of_three(page_of: PageOf) -> None:
    chosen = ("--system-id", "lead", "--system-id", "extract", "--measures", "R")
    found = payload(page_of("compare", "-n1", *chosen, "--no-figures", "records.jsonl"))
    assert (sorted(found["systems"]), found["chosen"]) == (["extract", "lead"], "ROUGE-1 R")


def test_ranks_of_a_metric_of_which_lower_is_better(page_of: PageOf, tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    (tmp_path / "s.csv").write_text("system,eval,TER\na,1,0.1\nb,1,0.4\nc,1,0.3\nd,1,0.5\n")
    (tmp_path / "j.csv").write_text("system,human\na,9\nb,8\nc,7\nd,6\n")
    options = ("--lower-is-better", "TER", "--judgements", "j.csv", "--level", "system")
    scores = ("-r", "0", "--no-figures", "--add", "scores:s.csv")
    page = page_of("correlate", *scores, *options, cwd=tmp_path)
    part = page.partition('id="disagreement"')[2].partition("</table>")[0]
    rows = [re.findall(r"<t[hd][^>]*>([^<]*)", row) for row in part.split("<tr>")[2:]]
    # The lowest TER is the best: a, c, b, d.
    lower = "2 (\N{MINUS SIGN}1)"
    assert rows == [["b", "2", "3 (+1)"], ["c", "3", lower], ["a", "1", "1"], ["d", "4", "4"]]


@pytest.mark.parametrize("suffix", MAGIC)
def test_plots(suffix: str, run: Run, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    path = tmp_path / f"f{suffix}"
    finished = run(*SCORE, "--report", "table", "--plot", str(path), cwd=SAMPLE)
    assert (finished.err, finished.code) == ("", 0)
    assert finished.out.startswith(b"System")
    assert path.read_bytes().startswith(MAGIC[suffix])


@pytest.mark.parametrize("command", STUDIES)
def test_plots_of_studies(command: str, run: Run, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    pytest.importorskip("scipy")
    difference = ["--difference", "0.1"] if command == "plan" else []
    path = tmp_path / "f.svg"
    finished = run(*STUDIES[command], *difference, "--plot", str(path), cwd=SAMPLE)
    assert finished.code == 0
    axis = {"compare": "Difference in ROUGE-1 F", "correlate": "Mean coverage", "plan": "Power"}
    assert axis[command] in path.read_text("utf-8")


def test_plots_that_cannot_be(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    plot, lost = f"wins={tmp_path / 'a.svg'}", f"{tmp_path}/nowhere/a.svg"
    assert run("-n1", "config.xml", "lead", "--plot", plot, cwd=SAMPLE).misuse == (
        f"Error: --plot: found '{plot}', but this result has only: forest, distributions; "
        "differences and wins need two systems or more, and means over texts"
    )
    refusal = run(*SCORE, "--plot", lost).refusal
    assert refusal.startswith(f"Error: --plot: {lost}: no folder")
    assert list(tmp_path.iterdir()) == []


def test_without_what_draws(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    finished = run(*SCORE, "--report", "html", cwd=SAMPLE)
    install = "not installed: python -m pip install vl-convert-python"
    missing = f"Warning: The figures are missing, as vl-convert-python is {install}"
    assert (finished.code, finished.error_lines) == (0, [missing])
    assert b'id="scores"' in finished.out
    refused = run(*SCORE, "--plot", str(tmp_path / "a.svg"), cwd=SAMPLE)
    assert refused.refusal == f"Error: figures need vl-convert-python, which is {install}"


def test_figures_that_cannot_be_drawn(
    run: Run, page_of: PageOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("vl_convert")
    monkeypatch.setattr("rouge_cli.reports.drawing.ENGINE", "import os; os.abort()")
    outputs = ("--report", "html", "-o", str(tmp_path / "p.html"))
    for figure in ((), ("--plot", str(tmp_path / "a.svg"))):
        refusal = run(*SCORE, *outputs, *figure, cwd=SAMPLE).refusal
        assert refusal.startswith(
            "Error: figures cannot be drawn: the process that draws was ended"
        )
        assert list(tmp_path.iterdir()) == []
    assert "<svg" not in page_of(*SCORE, "--no-figures").partition("<script")[0]
