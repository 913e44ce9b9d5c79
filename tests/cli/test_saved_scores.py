"""Scores that are saved and reported again: the same bytes, whatever the file and its order."""

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
FORMATS = ("jsonl", "parquet")

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


def reports_of(options: list[str]) -> tuple[str, ...]:
    """Return all reports for the first run; JSON has all the numbers of the others."""
    return REPORTS if options is RUNS[0][1] else REPORTS[:2]


def rest_of(options: list[str]) -> list[str]:
    return [option for option in options if option == "-d"]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    ("folder", "options"), RUNS, ids=[" ".join(options) for _, options in RUNS]
)
def test_the_same_bytes(
    folder: Path, options: list[str], form: str, run: Run, tmp_path: Path
) -> None:
    path = str(tmp_path / f"scores.{form}")
    for report in reports_of(options):
        direct = run(*options, "--report", report, "--save", path, cwd=folder)
        assert direct.code == 0
        again = run(path, *rest_of(options), "--report", report)
        assert (again.out, again.err, again.code) == (direct.out, direct.err, 0)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    "changes",
    [["-c", "80"], ["-r", "30"], ["-t", "1"], ["-t", "2"], ["-p", "0.2"], ["-p", "1", "-r", "7"]],
    ids=" ".join,
)
def test_other_averages(changes: list[str], form: str, run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / f"scores.{form}")
    options = ["-n", "2", "-w", "2", "-2", "4", "-a", "config.xml"]
    assert run(*options, "-p", "0.7", "-r", "40", "--save", path, cwd=SAMPLE).code == 0
    direct = run(*["-p", "0.7", "-r", "40", *changes], *options, "-d", cwd=SAMPLE)
    again = run(path, "-d", *changes)
    assert (again.out, again.code) == (direct.out, 0)


def test_one_system_of_several(run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / "scores.jsonl")
    run("-n", "2", "-a", "--save", path, "config.xml", cwd=SAMPLE)
    assert run(path, "lead").out == run("-n", "2", "config.xml", "lead", cwd=SAMPLE).out
    assert "no system 'lad' among the saved scores; known are:" in run(path, "lad").misuse


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


def test_files_of_one_system_each_in_another_order(run: Run, tmp_path: Path) -> None:
    paths = []
    for system in ("lead", "neural"):
        paths.append(str(tmp_path / f"{system}.jsonl"))
        run("-n", "2", "--save", paths[-1], "config.xml", system, cwd=SAMPLE)
    together = run(*paths).out
    rule = together.splitlines(keepends=True)[0]
    assert [line.split()[0] for line in together.split(rule)[1:]] == [b"lead"] * 3 + [b"neural"] * 3
    # The order of print is that of the files; each system's lines are the same.
    lead, neural = (run(path).out for path in paths)
    assert together == lead + neural
    assert run(*reversed(paths)).out == neural + lead


def saved(run: Run, path: Path, *options: str) -> list[dict[str, Any]]:
    run("-n", "1", "-a", "--save", str(path), *options, "config.xml", cwd=SAMPLE)
    return records_of(path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-n", "3"], "-n/--max-ngram: found '3', but the scores were saved with '1'"),
        (["-m"], "-m/--stem: found 'on', but the scores were saved with 'off'"),
        (["-w", "1.2"], "-w/--weight: found '1.2', but the scores were saved with nothing"),
        (["-f", "B"], "-f/--formula: found 'B', but the scores were saved with 'A'"),
        (["--id", "x"], "--id is about texts, and the input holds saved scores"),
    ],
)
def test_what_needs_other_counts(
    options: list[str], message: str, run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "scores.jsonl"
    saved(run, path)
    assert message in run(str(path), *options).misuse
    # What is as it was is no other count.
    assert run(str(path), "-n", "1", "-f", "A", "-a").code == 0


def test_alpha_of_scores_that_depend_on_it(run: Run, tmp_path: Path) -> None:
    for options, reason in ((["--jackknife"], "jackknifing"), (["-f", "best-f"], "F chose")):
        saved(run, tmp_path / "scores.jsonl", "-p", "0.3", *options)
        refused = run(str(tmp_path / "scores.jsonl"), "-p", "0.1")
        assert f"-p/--alpha: the scores were saved with '0.3', and {reason}" in refused.misuse


def test_files_that_do_not_go_together(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    saved(run, folder / "a.jsonl")
    lines = saved(run, folder / "b.jsonl", "-p", "0.3")
    lines[0] = json.loads((folder / "a.jsonl").read_text().splitlines()[0])
    write_records(folder / "b.jsonl", lines)
    twice = run(str(folder))
    assert "a.jsonl" in twice.refusal
    assert "b.jsonl have the same scores twice: system extract, text 1" in twice.err
    lines[0]["rouge_cli_scores"]["scored_as"] += "|other"
    write_records(folder / "b.jsonl", lines)
    assert "were not scored in the same way" in run(str(folder)).refusal


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: rows[1]["ROUGE-1"].pop("hit"), "line 2: no 'hit'"),
        (lambda rows: rows[1]["ROUGE-1"].update(F="x"), "line 2: found 'x', expected a number"),
        (lambda rows: rows[1]["ROUGE-1"].update(F="inf"), "line 2: found 'inf', expected a number"),
        (lambda rows: rows[1]["ROUGE-1"].update(F=True), "line 2: found True, expected a number"),
        (lambda rows: rows[1].pop("eval"), "line 2: no 'eval'"),
        (lambda rows: rows[1].update(position="x"),
         "line 2: found 'x' as a position, expected a whole"),
        (lambda rows: rows[1].update(system=5), "found 5 as a system or text, expected a string"),
        (lambda rows: rows[0]["rouge_cli_scores"].update(format=99),
         "saved scores of format 99, expected 1"),
    ],
)  # fmt: skip
def test_broken_lines(change: Any, message: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    lines = saved(run, path)
    change(lines)
    write_records(path, lines)
    assert message in run(str(path)).refusal


def test_keys_more_than_once(run: Run, tmp_path: Path) -> None:
    twice = "more than once in an object; expected each key once: rename it, or take one out"
    path, report = tmp_path / "scores.jsonl", tmp_path / "report.json"
    header, line, *rest = map(json.dumps, saved(run, path))
    path.write_text("\n".join([header, line.replace('"hit"', '"F": 1, "hit"'), *rest]))
    assert f"line 2: the key 'F' {twice}" in run(str(path)).refusal
    path.write_text("\n".join([header.replace('"format"', '"format": 2, "format"'), line, *rest]))
    assert f"line 1: no header of saved scores: the key 'format' {twice}" in run(str(path)).err
    run("-n", "1", "-a", "-d", "config.xml", "--report", f"json={report}", cwd=SAMPLE)
    report.write_text(report.read_text().replace('"systems"', '"systems": [],\n"systems"', 1))
    assert f"the key 'systems' {twice}" in run(str(report)).refusal


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ('{"rouge_cli_scores": {"format": 1,', "line 1: no header of saved scores: Expecting"),
        (f'{{"rouge_cli_scores": {"[" * 5000}', "line 1: no header of saved scores: maximum"),
        ('{"rouge_cli_scores": {"format": 1}}', "line 1: no header of saved scores: no 'sign"),
        ('{"rouge_cli_scores": 5}', "saved scores of format 5, expected 1"),
    ],
)
def test_broken_headers(header: str, message: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    path.write_text(f"{header}\n")
    refused = run(str(path))
    assert (refused.code, refused.out) == (3, b"")
    assert refused.err.startswith(f"Error: {path}: {message}")


def test_bytes_that_are_no_text(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    saved(run, path)
    with path.open("ab") as file:
        file.write(b'{"system": "caf\xe9"}\n')
    refused = run(str(path))
    assert (refused.code, refused.out) == (3, b"")
    # The reason is Python's.
    assert refused.err.startswith(f"Error: {path}: cannot be read as saved scores: 'utf-8' codec")


def test_systems_without_scores(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    saved(run, path)
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
    refused = run(str(path))
    assert (refused.code, refused.out) == (3, b"")
    assert refused.err.startswith(f"Error: {path}: {message}")


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


@pytest.mark.parametrize("form", FORMATS)
def test_clusters_and_pooled_counts(form: str, run: Run, tmp_path: Path) -> None:
    # In each cluster: a of "a b", in a peer of one word, and none of "c". Pooled, recall is
    # 1 of 3 and precision 1 of 2, whatever clusters are drawn.
    rows = [
        {"id": f"{cluster}{number}", "topic": cluster, "prediction": peer, "reference": model}
        for cluster in "xyz"
        for number, (peer, model) in enumerate((("a", "a b"), ("d", "c")))
    ]
    write_records(tmp_path / "r.jsonl", rows)
    options = ["-n", "1", "-x", "-t", "1", "--cluster", "topic"]
    path = f"scores.{form}"
    direct = run(*options, "--save", path, "r.jsonl", cwd=tmp_path)
    assert direct.out.decode().splitlines()[1:3] == [
        "r ROUGE-1 Average_R: 0.33333 (95%-conf.int. 0.33333 - 0.33333)",
        "r ROUGE-1 Average_P: 0.50000 (95%-conf.int. 0.50000 - 0.50000)",
    ]
    assert run(path).out == direct.out
    # By EVALs, some resamples have none of the one kind.
    assert b"0.33333 (95%-conf.int. 0.33333" not in run(*options[:5], "r.jsonl").out


def test_an_eval_in_two_clusters(run: Run, tmp_path: Path) -> None:
    rows = [
        {"id": "1", "system": system, "topic": "t", "prediction": "a", "reference": "a"}
        for system in "pq"
    ]
    write_records(tmp_path / "r.jsonl", rows)
    run("-n", "1", "--cluster", "topic", "--save", "s.jsonl", "r.jsonl", cwd=tmp_path)
    lines = records_of(tmp_path / "s.jsonl")
    for value, shown in (("u", "'u'"), (None, "None")):
        lines[2]["cluster"] = value
        write_records(tmp_path / "s.jsonl", lines)
        assert run("s.jsonl").refusal == (
            f"Error: s.jsonl: text 1 is in cluster {shown}; expected the same string for every "
            "system: 't'"
        )


def test_alpha_leaves_scores_alone_that_have_none(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("sacrebleu", reason="sacrebleu is not installed")
    options = ["-n", "1", "-x", "--add", "metric:chrf", "-a", "config.xml"]
    run(*options, "--save", str(tmp_path / "scores.jsonl"), cwd=SAMPLE)
    direct = run("-p", "0.2", *options, "-d")
    assert run(str(tmp_path / "scores.jsonl"), "-p", "0.2", "-d").out == direct.out


def test_what_verbose_says(run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / "scores.jsonl")
    run("-n", "1", "-a", "--save", path, "config.xml", cwd=SAMPLE)
    said = run("-v", path).err
    assert "metrics: ROUGE-1, ROUGE-L\n" in said
    # Nobody knows any more how long the texts are.
    assert "sentences:" not in said


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


@pytest.mark.parametrize(("folder", "options"), RUNS, ids=[" ".join(one) for _, one in RUNS])
def test_json_reports(folder: Path, options: list[str], run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / "report.json")
    given = [*options, "-d"] if "-d" not in options else options
    direct = run(*given, "--report", f"json={path}", "--report", "classic", cwd=folder)
    assert direct.code == 0
    assert run(path, "-d").out == direct.out
    for report in reports_of(options)[1:]:
        assert run(path, "-d", "--report", report).out == run(*given, "--report", report).out


@pytest.mark.parametrize(
    "changes", [["-c", "80"], ["-r", "30"], ["-t", "1"], ["-t", "2"], ["-p", "0.2"]], ids=" ".join
)
def test_other_averages_of_a_report(changes: list[str], run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / "report.json")
    options = ["-n", "2", "-w", "1.2", "-2", "4", "-a", "config.xml"]
    run(*options, "-d", "-r", "40", "--report", f"json={path}", cwd=SAMPLE)
    direct = run(*options, "-d", *(["-r", "40"] if "-r" not in changes else []), *changes)
    assert run(path, "-d", *changes).out == direct.out


def test_a_report_beside_saved_scores(run: Run, tmp_path: Path) -> None:
    options = ["-n", "1", "config.xml"]
    run(*options, "lead", "-d", "--report", f"json={tmp_path / 'a.json'}", cwd=SAMPLE)
    run(*options, "neural", "--save", str(tmp_path / "b.jsonl"))
    found = run("compare", str(tmp_path / "a.json"), str(tmp_path / "b.jsonl"))
    both = run("compare", *options, "--system-id", "lead", "--system-id", "neural")
    assert (found.out, found.code) == (both.out, 0)
    assert run(str(tmp_path), "-a").code == 0


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


def test_a_json_report_of_a_protocol(run: Run, tmp_path: Path) -> None:
    # Its signature has no weight of precision.
    path = str(tmp_path / "report.json")
    given = ["--protocol", "torchmetrics", "-a", "config.xml"]
    direct = run(*given, "-d", "--report", f"json={path}", "--report", "csv", cwd=SAMPLE)
    assert direct.code == 0
    assert run(path, "-d", "--report", "csv").out == direct.out
