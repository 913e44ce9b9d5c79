"""Pages and figures from the command line."""

import base64
import io
import json
import re
import shlex
import sys
import zlib
from pathlib import Path

import pytest
from markupsafe import escape

from tests.cli.running import SAMPLE, Run, write_records
from tests.pages import inflated, payload

SCORE = ("-n1", "-a", "config.xml", "--report", "html")
STUDIES = {
    "compare": ("compare", "-n1", "records.jsonl"),
    "correlate": (
        *("correlate", "--judgements", "judgements.csv", "--judgement", "coverage"),
        *("--level", "system", "-r", "50", "-n1", "records.jsonl"),
    ),
    "plan": ("plan", "-n1", "-x", "--system-id", "neural", "--spread", "0.1", "records.jsonl"),
}
MAGIC = {".svg": b"<svg", ".png": b"\x89PNG", ".pdf": b"%PDF"}


def test_a_page_has_texts_command_and_checksums(run: Run, tmp_path: Path) -> None:
    finished = run(*SCORE, "-o", str(tmp_path / "p.html"), cwd=SAMPLE)
    assert (finished.out, finished.code) == (b"", 0)
    page = (tmp_path / "p.html").read_text("utf-8")
    command = shlex.join(["rouge-cli", *SCORE, "-o", str(tmp_path / "p.html")])
    assert str(escape(command)) in page
    assert "SHA-256 of config.xml" in page
    assert "SHA-256 of all texts as they are read" in page
    (chunk,) = re.findall(r'class="texts">([^<]*)<', page)
    heads, *texts = inflated(chunk).split("\0")
    assert [head["m"] for head in json.loads(heads)] == [2] * 4
    found = payload(page)
    assert found["texts"] == [0, 1, 2, 3]
    # Two models, then the systems in the order of the table, the best first.
    text = (SAMPLE / "peers" / "ferry.neural.txt").read_text("utf-8").strip()
    assert texts[2] == text


@pytest.mark.parametrize("command", ["score", "explain", *STUDIES])
def test_title_and_notes(command: str, run: Run, tmp_path: Path) -> None:
    if command == "correlate":
        pytest.importorskip("scipy")
    commands = {"score": SCORE[:3], "explain": ("explain", "-n1", "--eval", "1", "config.xml")}
    words = (commands | STUDIES)[command]
    figures = () if command == "explain" else ("--no-figures",)
    notes = tmp_path / "n.md"
    notes.write_text("\ufeff# Runs of *May*\r\n\r\nSee <b>.\n", "utf-8")
    given = ("--title", "Ours & <theirs>\x07", "--notes", str(notes))
    options = ("--report", "html", *figures, *given, "-o", str(tmp_path / "p.html"))
    assert run(*words, *options, cwd=SAMPLE).code == 0
    page = (tmp_path / "p.html").read_text("utf-8")
    assert "<title>Ours &amp; &lt;theirs&gt;\\x07</title>" in page
    assert "<h2>Runs of <em>May</em></h2>\n<p>See &lt;b&gt;.</p>\n</div>" in page


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "no such file; expected notes in Markdown"),
        (b"a\nb\xffc", "byte 0xff is not UTF-8; expected notes in Markdown"),
        (b"a" * 100_001, "found more bytes, expected at most 100,000 of notes in Markdown"),
    ],
)
@pytest.mark.parametrize("command", ["score", "explain", "compare"])
def test_notes_that_cannot_be_read(
    command: str, content: bytes | None, message: str, run: Run, tmp_path: Path
) -> None:
    notes = tmp_path / "n.md"
    if content is not None:
        notes.write_bytes(content)
    words = {"score": ("config.xml",), "explain": ("explain", "--eval", "1", "config.xml")}
    finished = run(
        *words.get(command, STUDIES["compare"]),
        *("--report", "html", "--notes", str(notes), "-o", str(tmp_path / "p.html")),
        cwd=SAMPLE,
    )
    place = ", line 2" if content == b"a\nb\xffc" else ""
    assert finished.refusal == f"Error: {notes}{place}: {message}"
    assert not (tmp_path / "p.html").exists()


def test_a_page_has_the_date_that_it_is_given(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (*SCORE[:3], "--report", "html", "--no-figures")
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert b"<dt>Date</dt>" not in run(*page, cwd=SAMPLE).out
    # 2023-11-14 22:13:20, by date --utc --date=@1700000000.
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert b"<dt>Date</dt><dd>2023-11-14 22:13 UTC</dd>" in run(*page, cwd=SAMPLE).out


def test_sources_are_whole_and_no_fields_to_choose_by(run: Run, tmp_path: Path) -> None:
    source = "The source document. " * 20
    row = {"id": 1, "prediction": "a", "references": ["a"], "text": source}
    (tmp_path / "r.jsonl").write_text(json.dumps(row), "utf-8")
    page = ("-n1", "-x", "--report", "html", "r.jsonl", "-o", "p.html", "--page-source", "text")
    assert run(*page, cwd=tmp_path).code == 0
    chunks = re.findall('class="texts">([^<]*)<', (tmp_path / "p.html").read_text("utf-8"))
    plain = zlib.decompress(base64.b64decode(chunks[0]), -zlib.MAX_WBITS).decode()
    # A field to choose by has 200 characters at most.
    assert len(source) > 400
    assert plain.endswith(f"\0{source.strip()}")
    assert run(*page[:-1], "absent", cwd=tmp_path).code == 3


def test_a_protocol_marks_no_words(run: Run, tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text('{"prediction": "a b", "references": ["a c"]}\n' * 2)
    options = ("--protocol", "rouge-score", "--report", "html", "-o", "p.html")
    assert run(*options, "r.jsonl", cwd=tmp_path).code == 0
    # One word of two is in the other text.
    assert "0.5000" in (tmp_path / "p.html").read_text("utf-8")


@pytest.mark.parametrize("seconds", ["x", "-1", "1.5", "253402300800", "9" * 5000])
def test_a_date_that_is_none(seconds: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", seconds)
    finished = run(*SCORE[:3], "--report", "html", cwd=SAMPLE)
    (line,) = finished.error_lines
    assert line.startswith("Error: SOURCE_DATE_EPOCH: found '")
    assert (finished.code, finished.out) == (2, b"")
    assert run(*SCORE[:3], "--report", "table", cwd=SAMPLE).code == 0


def test_no_texts(run: Run, tmp_path: Path) -> None:
    run(*SCORE, "--no-texts", "--no-figures", "-o", str(tmp_path / "p.html"), cwd=SAMPLE)
    page = (tmp_path / "p.html").read_text("utf-8")
    assert 'class="texts"' not in page
    assert "The texts are left out of this file (--no-texts)." in page
    assert payload(page)["texts"] == []


def test_studies_without_texts_and_figures(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "p.html"
    words = (*STUDIES["compare"], "--report", "html", "-o", str(page))
    texts = []
    for switches in (("--no-figures",), ("--no-figures", "--no-texts")):
        assert run(*words, *switches, cwd=SAMPLE).code == 0
        texts.append(payload(page.read_text("utf-8"))["texts"])
    assert texts[0]
    assert texts[1] == []
    assert "<svg" not in page.read_text("utf-8").partition("<script")[0]


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_saved_scores(suffix: str, run: Run, tmp_path: Path) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    saved = tmp_path / f"s{suffix}"
    run("-n1", "-a", "config.xml", "--save", str(saved), "--report", "table", cwd=SAMPLE)
    page, texts = tmp_path / "p.html", tmp_path / "t.html"
    run(*SCORE, "--no-figures", "-o", str(texts), cwd=SAMPLE)
    assert run(str(saved), "--report", "html", "--no-figures", "-o", str(page)).code == 0
    found, original = (payload(one.read_text("utf-8")) for one in (page, texts))
    assert found["scores"] == original["scores"]
    assert found["texts"] == []
    assert "The input holds saved scores" in page.read_text("utf-8")


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """Write records of two systems, which differ in the field `n` of the first EVAL."""
    rows = [
        {"id": eval_id, "system": system, "prediction": "a b", "references": "a b", "n": n}
        | {"about": {"topic": topic, "day": 10, "is new": True, "empty": None}}
        for system, eval_id, topic, n in [
            ("x", "d1", "news", 9), ("x", "d2", " sport ", 10), ("x", "d3", None, 10.5),
            ("y", "d1", "news", 10), ("y", "d2", "sport", 10), ("y", "d3", "", 10.5),
        ]
    ]  # fmt: skip
    write_records(tmp_path / "r.jsonl", rows)
    return tmp_path


DIFFER = (
    "Warning: r.jsonl: the records of 1 text differ in field 'n', those of text d1 are 9 and 10: "
    "the page counts a text under each of its values"
)


@pytest.mark.parametrize("command", [("-a",), ("compare",)])
def test_fields_on_a_page(command: tuple[str, ...], run: Run, records: Path) -> None:
    names = ("ABOUT.topic", "n", "about.is new")
    fields = [word for name in names for word in ("--page-field", name)]
    page = ("-n1", "-x", "--report", "html", "--no-figures", "r.jsonl")
    finished = run(*command, *fields, *page, cwd=records)
    assert (finished.code, finished.error_lines) == (3, [
        "Error: r.jsonl: nothing in field 'ABOUT.topic'; the record has: id, system, prediction, "
        "references, n, about"
    ])  # fmt: skip
    fields[1] = "about.topic"
    finished = run(*command, *fields, *page, cwd=records)
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
        lone = run(*fields, *page, "x", cwd=records)
        assert DIFFER not in lone.error_lines
        assert payload(lone.out.decode())["fields"][1]["evals"] == [0, 1, 2]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("none", "r.jsonl: nothing in field 'none'; the record has: id, system, prediction, "
                 "references, n, about"),
        ("about.empty", "r.jsonl: nothing in field 'about.empty'; the record has: id, system, "
                        "prediction, references, n, about"),
        ("about", "r.jsonl, line 1, line 2, line 3 and 3 more: field 'about' is an object; "
                  "expected a text, a number, true or false"),
        ("long", "r.jsonl, line 1: field 'long' has 201 characters; expected a value to choose "
                 "by, of at most 200"),
    ],
)  # fmt: skip
def test_fields_that_no_page_can_have(name: str, message: str, run: Run, records: Path) -> None:
    if name == "long":
        row = {"prediction": "a", "references": "a", "long": "b" * 201}
        (records / "r.jsonl").write_text(json.dumps(row), "utf-8")
    page = ("-n1", "-x", "-a", "--report", "html", "r.jsonl", "--page-field", name)
    finished = run(*page, cwd=records)
    assert (finished.code, finished.out) == (3, b"")
    errors = [line for line in finished.error_lines if line.startswith("Error")]
    assert errors == [f"Error: {message}"]


def test_fields_where_there_are_no_records(run: Run, records: Path) -> None:
    asked = ("--page-field", "n", "--report", "html", "-a", "-n1")
    no_records = run(*asked, "config.xml", cwd=SAMPLE)
    assert (no_records.code, no_records.out) == (2, b"")
    assert "--page-field is for records" in no_records.error_lines[-1]
    assert run("-n1", "-a", "r.jsonl", "--save", "s.jsonl", cwd=records).code == 0
    saved = run(*asked, "s.jsonl", cwd=records)
    assert (saved.code, saved.out) == (2, b"")
    assert "--page-field is about texts" in saved.error_lines[-1]
    for command in ("explain", "convert", "plan", "correlate"):
        assert run(command, "--page-field", "n", "r.jsonl", cwd=records).code == 2


@pytest.mark.parametrize("form", ["csv", "tsv", "parquet", "json", "lists.json", "-"])
def test_fields_of_other_formats(
    form: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        {"id": f"d{number}", "A": "a b", "B": "a", "references": "a b", "system": "s", "day": day}
        for number, day in enumerate(["x", "y"])
    ]
    path, data = tmp_path / f"r.{form}", b""
    if form in {"csv", "tsv", "parquet"}:
        frame = pytest.importorskip("pandas").DataFrame(rows)
        if form == "parquet":
            pytest.importorskip("pyarrow")
            frame.to_parquet(path)
        else:
            frame.to_csv(path, index=False, sep={"csv": ",", "tsv": "\t"}[form])
    elif form == "-":
        path, data = Path("-"), "".join(json.dumps(row) + "\n" for row in rows).encode()
    else:
        lists = {name: [row[name] for row in rows] for name in rows[0]}
        path.write_text(json.dumps(lists if form == "lists.json" else rows), "utf-8")
    systems = ("--prediction", "A=A", "--prediction", "B=B", "--page-field", "day")
    page = ("-n1", "-x", "-a", "--report", "html", "--no-figures", *systems)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    finished = run(*page, str(path))
    assert finished.code == 0, finished.err
    found = payload(finished.out.decode())["fields"]
    assert found == [{"name": "day", "values": ["x", "y"], "evals": [0, 1]}]


@pytest.mark.parametrize("command", STUDIES)
def test_pages_of_studies(command: str, run: Run, tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    path = tmp_path / "p.html"
    finished = run(*STUDIES[command], "--report", "html", "-o", str(path), cwd=SAMPLE)
    assert (finished.out, finished.code) == (b"", 0)
    page = path.read_text("utf-8")
    assert "SHA-256 of records.jsonl" in page
    assert ('class="texts"' in page) == (command == "compare")
    if command == "compare":
        # Intervals of the systems too, of which the tests have no need.
        assert "resamples:1000" in page


def test_a_page_of_two_systems_of_three(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "p.html"
    chosen = ["--system-id", "lead", "--system-id", "extract", "--measures", "R"]
    page = ["--report", "html", "--no-figures", "-o", str(path)]
    run("compare", "-n1", *chosen, "records.jsonl", *page, cwd=SAMPLE)
    found = payload(path.read_text("utf-8"))
    assert sorted(found["systems"]) == ["extract", "lead"]
    assert found["chosen"] == "ROUGE-1 R"


def test_ranks_of_a_metric_of_which_lower_is_better(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    scores, judgements, page = (tmp_path / name for name in ("s.csv", "j.csv", "p.html"))
    scores.write_text("system,eval,TER\na,1,0.1\nb,1,0.4\nc,1,0.3\nd,1,0.5\n")
    judgements.write_text("system,human\na,9\nb,8\nc,7\nd,6\n")
    options = ("--lower-is-better", "TER", "--judgements", str(judgements), "--level", "system")
    html = ("-r", "0", "--report", "html", "--no-figures", "-o", str(page))
    finished = run("correlate", "--add", f"scores:{scores}", *options, *html)
    assert (finished.err, finished.code) == ("", 0)
    part = page.read_text("utf-8").partition('id="disagreement"')[2].partition("</table>")[0]
    rows = [re.findall(r"<t[hd][^>]*>([^<]*)", row) for row in part.split("<tr>")[2:]]
    # The lowest TER is the best: a, c, b, d.
    assert rows == [
        ["b", "2", "3 (+1)"],
        ["c", "3", "2 (\N{MINUS SIGN}1)"],
        ["a", "1", "1"],
        ["d", "4", "4"],
    ]


@pytest.mark.parametrize("suffix", MAGIC)
def test_plots(suffix: str, run: Run, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    path = tmp_path / f"f{suffix}"
    finished = run("-n1", "-a", "config.xml", "--report", "table", "--plot", str(path), cwd=SAMPLE)
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


def test_a_figure_that_the_result_lacks(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    plot = f"wins={tmp_path / 'a.svg'}"
    finished = run("-n1", "config.xml", "lead", "--plot", plot, cwd=SAMPLE)
    assert finished.error_lines == [
        f"Error: --plot: found '{plot}', but this result has only: forest, distributions; "
        "differences and wins need two systems or more, and means over texts"
    ]
    assert (finished.code, finished.out, list(tmp_path.iterdir())) == (2, b"", [])


def test_a_plot_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    path = tmp_path / "nowhere" / "a.svg"
    finished = run("-n1", "-a", "config.xml", "--plot", str(path), cwd=SAMPLE)
    assert finished.error_lines[0].startswith(f"Error: --plot: {path}: no folder")
    assert (finished.code, finished.out) == (3, b"")


def test_without_what_draws(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    path = tmp_path / "p.html"
    finished = run(*SCORE, "-o", str(path), cwd=SAMPLE)
    install = "not installed: python -m pip install vl-convert-python"
    missing = f"Warning: The figures are missing, as vl-convert-python is {install}"
    assert finished.error_lines == [missing]
    assert finished.code == 0
    assert 'id="scores"' in path.read_text("utf-8")
    refused = run(*SCORE, "--plot", str(tmp_path / "a.svg"), cwd=SAMPLE)
    assert refused.refusal == f"Error: figures need vl-convert-python, which is {install}"


def test_figures_that_cannot_be_drawn(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("vl_convert")
    monkeypatch.setattr("rouge_cli.reports.drawing.ENGINE", "import os; os.abort()")
    page, figure = tmp_path / "p.html", tmp_path / "a.svg"
    for arguments in (["-o", str(page)], ["-o", str(page), "--plot", str(figure)]):
        finished = run(*SCORE, *arguments, cwd=SAMPLE)
        (line,) = finished.error_lines
        assert line.startswith("Error: figures cannot be drawn: the process that draws was ended")
        assert (finished.code, finished.out, list(tmp_path.iterdir())) == (3, b"", [])
    without = run(*SCORE, "--no-figures", "-o", str(page), cwd=SAMPLE)
    assert (without.err, without.code) == ("", 0)
    assert "<svg" not in page.read_text("utf-8")


def test_scores_of_a_page_in_percent(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    options = ["-n", "1", "-m", "--percent", "--report", "html", "-o", str(path)]
    assert run(*options, "records.jsonl", cwd=SAMPLE).code == 0
    # ROUGE-1 F of `neural` is 0.73777 in the classic report, a bootstrap mean.
    assert "73.7" in path.read_text("utf-8")
