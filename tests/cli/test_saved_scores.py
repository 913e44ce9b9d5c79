"""Scores that are saved and reported again: the same bytes from any file, in any order."""

import errno
import json
import os
import random
import sys
from pathlib import Path
from typing import Any

import pytest

import rouge_cli
from rouge_cli.scores.saved_scores import save_scores
from rouge_cli.scores.score_files import HEADER
from tests.cli.running import SAMPLE, Run, records_of, write_records

AS_ORIGINAL = {"lcs": False}
GOLDEN = Path(__file__).parents[2] / "fixtures" / "golden" / "corpora"
REPORTS = ("classic", "json", "table", "csv", "markdown", "latex")
FORMATS = ("jsonl", "parquet", "json")

RUNS = [
    (SAMPLE, ["-n", "2", "-w", "1.2", "-2", "4", "-U", "-m", "-s", "-a", "config.xml"]),
    (SAMPLE, ["-n", "1", "-d", "-f", "B", "-p", "0.3", "-a", "config.xml"]),
    (SAMPLE, ["-n", "2", "-f", "best-f", "-c", "90", "-r", "50", "-a", "config.xml"]),
    (SAMPLE, ["--jackknife", "--pairwise-lcs", "-d", "-a", "config.xml"]),
    (SAMPLE, ["-t", "1", "-w", "3", "-a", "config.xml"]),
    # Counts beyond 63 bits, beyond all whole numbers, and beyond all numbers.
    (SAMPLE, ["-n", "1", "-w", "12", "-r", "20", "-d", "-a", "config.xml"]),
    (SAMPLE, ["-n", "1", "-w", "40", "-r", "20", "-d", "-a", "config.xml"]),
    (SAMPLE, ["-n", "1", "-w", "40.5", "-r", "20", "-d", "-a", "config.xml"]),
    (SAMPLE, ["-t", "1", "-w", "40", "-r", "20", "-a", "config.xml"]),
    (GOLDEN / "odd", ["-n", "2", "-d", "-r", "20", "-a", "config.xml"]),
    (GOLDEN / "be", ["-3", "HM", "-r", "20", "-a", "config.xml"]),
]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(("folder", "options"), RUNS, ids=[" ".join(one) for _, one in RUNS])
def test_the_same_bytes(
    folder: Path, options: list[str], form: str, run: Run, tmp_path: Path
) -> None:
    # A JSON report needs -d to hold the scores of texts.
    per_eval = ["-d"] if form == "json" or "-d" in options else []
    options = [option for option in options if option != "-d"] + per_eval
    path = str(tmp_path / f"scores.{form}")
    saving = ["--report", f"json={path}"] if form == "json" else ["--save", path]
    # JSON has all the numbers of the other reports.
    for report in REPORTS if "-U" in options else REPORTS[:2]:
        direct = run(*options, "--report", report, *saving, cwd=folder)
        assert direct.code == 0
        again = run(path, *per_eval, "--report", report)
        assert (again.out, again.err, again.code) == (direct.out, direct.err, 0)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    "changes",
    [["-c", "80"], ["-r", "30"], ["-t", "1"], ["-t", "2"], ["-p", "0.2"], ["-p", "1", "-r", "7"]],
    ids=" ".join,
)
def test_other_averages(changes: list[str], form: str, run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / f"scores.{form}")
    saving = ["-d", "--report", f"json={path}"] if form == "json" else ["--save", path]
    options = ["-n", "2", "-w", "2", "-2", "4", "-a", "config.xml"]
    assert run(*options, "-p", "0.7", "-r", "40", *saving, cwd=SAMPLE).code == 0
    direct = run(*["-p", "0.7", "-r", "40", *changes], *options, "-d", cwd=SAMPLE)
    again = run(path, "-d", *changes)
    assert (again.out, again.code) == (direct.out, 0)


@pytest.mark.parametrize("n_parts", [1, 3, 7])
def test_shuffled_parts(n_parts: int, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    options = ["-n", "2", "-w", "1.2", "-r", "20", "-a", "config.xml"]
    direct = run(*options, "-d", "--report", "json", "--save", str(path), cwd=GOLDEN / "spl")
    header, *rows = path.read_text().splitlines(keepends=True)
    random.Random(5).shuffle(rows)
    folder = tmp_path / "parts"
    folder.mkdir()
    for number in range(n_parts):
        (folder / f"part-{number}.jsonl").write_text(header + "".join(rows[number::n_parts]))
    again = run(str(folder), "-d", "--report", "json")
    assert (again.out, again.code) == (direct.out, 0)
    # Without positions the IDs decide; what is averaged does not change.
    for part in folder.iterdir():
        lines = records_of(part)
        kept = [{k: v for k, v in line.items() if k != "position"} for line in lines]
        write_records(part, kept)
    classic = run(*options, cwd=GOLDEN / "spl").out
    assert run(str(folder)).out == classic


TWICE = "more than once in an object; expected each key once: rename it, or take one out"
POSITION = b'"position": 0'


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (b'"hit": ', b'"hits": ', "line 2: no 'hit'"),
        (b'"F": 0.', b'"F": "x", "f": 0.', "line 2: found 'x', expected a number"),
        (b'"F": 0.', b'"F": "inf", "f": 0.', "line 2: found 'inf', expected a number"),
        (b'"F": 0.', b'"F": true, "f": 0.', "line 2: found True, expected a number"),
        (b'"eval": "1", ', b"", "line 2: no 'eval'"),
        (POSITION, b'"position": "x"', "line 2: found 'x' as a position, expected a whole"),
        (b'{"system": "extract"', b'{"system": 5',
         "found 5 as a system or text, expected a string"),
        (b'"format": 1', b'"format": 99', "saved scores of format 99, expected 1"),
        (b'"hit": ', b'"F": 1, "hit": ', f"line 2: the key 'F' {TWICE}"),
        (b'"format"', b'"format": 2, "format"',
         f"line 1: no header of saved scores: the key 'format' {TWICE}"),
        # The reason is Python's.
        (POSITION, b'"position": "caf\xe9"', "cannot be read as saved scores: 'utf-8' codec"),
        (b'"cluster": "1"', b'"cluster": null', "text 1 is in cluster None; expected the same"),
    ],
)  # fmt: skip
def test_damaged_files(before: bytes, after: bytes, message: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    run("-n", "1", "-a", "--cluster", "id", "--save", str(path), "records.jsonl", cwd=SAMPLE)
    content = path.read_bytes()
    assert before in content
    path.write_bytes(content.replace(before, after, 1))
    assert message in run(str(path)).refusal


def test_systems_without_scores(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    run("-n", "1", "-a", "--save", str(path), "config.xml", cwd=SAMPLE)
    kept = [line for line in path.read_text().splitlines(True) if '"system": "lead"' not in line]
    path.write_text("".join(kept))
    assert run(str(path)).refusal == (
        f"Error: {path}: no text of system lead, which its header names; the file was cut short, "
        "or a part of the scores is missing"
    )


@pytest.fixture
def table(run: Run, tmp_path: Path) -> Any:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "scores.parquet"
    run("-n", "1", "-a", "--save", str(path), "config.xml", cwd=SAMPLE)
    return parquet.read_table(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda table: table.drop(["eval"]), "no saved scores: "),
        (lambda table: table.replace_schema_metadata({HEADER: "{"}), "no saved scores: Expecting"),
        (lambda table: table.replace_schema_metadata({HEADER: '{"format": 1}'}),
         "no saved scores: no 'signature'"),
        (lambda table: with_first(table, "ROUGE-1/F", float("inf")),
         "no saved scores: some values are missing or not finite"),
        (lambda table: with_first(table, "ROUGE-1/F", None),
         "no saved scores: 1 values are missing or not finite"),
    ],
)  # fmt: skip
def test_broken_parquet(change: Any, message: str, table: Any, run: Run, tmp_path: Path) -> None:
    from pyarrow import parquet

    path = tmp_path / "broken.parquet"
    parquet.write_table(change(table), path)
    assert run(str(path)).refusal.startswith(f"Error: {path}: {message}")


def with_first(table: Any, name: str, value: float | None) -> Any:
    import pyarrow

    values = [value, *table[name].to_pylist()[1:]]
    return table.set_column(table.column_names.index(name), name, pyarrow.array(values))


def test_parquet_without_pyarrow(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    path = tmp_path / "scores.parquet"
    # Found out before the texts are opened, of which there are none.
    assert run("-n", "1", "-a", "--save", str(path), "nowhere.xml", cwd=SAMPLE).refusal == (
        f"Error: {path}: Parquet needs pyarrow, which is not installed: python -m pip install "
        "pyarrow, or save the scores as .jsonl"
    )
    assert not path.exists()


def test_the_name_of_a_function_is_saved(run: Run, tmp_path: Path) -> None:
    results = rouge_cli.evaluate(["a-b c"], ["a-b d"], tokenizer=words, max_ngram=1, lcs=False)
    path = tmp_path / "scores.jsonl"
    save_scores(results, str(path))
    header = json.loads(path.read_text().splitlines()[0])["rouge_cli_scores"]
    assert header["options"]["tokenizer"] == f"{__name__}.words"
    # One of two words.
    assert b"X ROUGE-1 Average_R: 0.50000 " in run(str(path)).out


def words(text: str) -> list[str]:
    return text.split()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r, _: [s.pop("evals") for s in r["systems"]], "a report without the scores of"),
        (lambda r, _: r.update(systems=["a"]), "another report of rouge-cli; expected a report"),
        (lambda _, m: m["recall"]["per_eval"].pop(),
         "a damaged report: ROUGE-1 has 3 scores of 4 texts"),
        (lambda _, m: m.pop("counts"), "a damaged report: no 'counts'"),
        (lambda _, m: m["f_measure"].update(per_eval=[None] * 4),
         "a damaged report: found None, expected a number"),
        (lambda r, _: r.update(signature="rouge-cli|version:1"),
         "a damaged report: its signature names no count"),
        (lambda r, _: r.update(signature=5), "a damaged report: "),
        (lambda r, _: r.pop("signature"), "a damaged report: no 'signature'"),
        (lambda r, _: r.update(options=[]), "a damaged report: "),
        (lambda r, _: r["systems"][0].update(metrics={}), "a damaged report: "),
    ],
)  # fmt: skip
def test_reports_that_hold_no_scores(change: Any, message: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    run("-n", "1", "-a", "-d", "config.xml", "--report", f"json={path}", cwd=SAMPLE)
    report = json.loads(path.read_text())
    change(report, report["systems"][0]["metrics"]["ROUGE-1"])
    path.write_text(json.dumps(report))
    assert message in run(str(path)).refusal


@pytest.mark.parametrize("error", [errno.EMFILE, errno.EIO])
def test_a_file_that_cannot_be_looked_into(
    error: int, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.jsonl"
    run("-n1", "-a", "config.xml", "--save", str(path), cwd=SAMPLE)

    def look(_: str) -> bool:
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr("rouge_cli.scores.saved_scores.holds_scores", look)
    assert run(str(path)).refusal == f"Error: {path}: cannot be read: {os.strerror(error)}"


def test_pyarrow_that_cannot_be_loaded(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyarrow").mkdir()
    (tmp_path / "pyarrow" / "__init__.py").write_text("raise ImportError('no memory\\nfor it')")
    for name in [name for name in sys.modules if name.partition(".")[0] == "pyarrow"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(tmp_path)
    finished = run("-n1", "-a", "config.xml", "--save", str(tmp_path / "s.parquet"), cwd=SAMPLE)
    assert finished.error_lines == [
        f"Error: {tmp_path / 's.parquet'}: Parquet needs pyarrow, which cannot be loaded: no memory"
    ]
