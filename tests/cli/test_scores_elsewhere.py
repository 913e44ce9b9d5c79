"""Scores computed by other programs: in separate files, and in fields of records."""

import csv
import gzip
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rouge_cli
from rouge_cli.errors import InputError
from tests.cli.running import SAMPLE, Run, json_of, write_records
from tests.plain.scores import draws

SYSTEMS, EVALS = ("extract", "lead", "neural"), ("1", "2", "3", "4")
TEXTS = ("-n", "2", "-x", "-a", "config.xml")
STUDY = ("-n", "2", "-x", "config.xml")

Rows = Sequence[tuple[str, str, Any]]


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(SAMPLE, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)


def cells(value: Any = 3) -> list[tuple[str, str, Any]]:
    return [(system, eval_id, value) for system in SYSTEMS for eval_id in EVALS]


def varied() -> list[tuple[str, str, float]]:
    """Return numbers that are no multiples of 0.00001, and some below 0."""
    return [(a, b, k**1.5 - 3) for k, (a, b, _) in enumerate(cells())]


def write(name: str, rows: Rows, metric: str = "human") -> str:
    records = [{"system": a, "eval": b, metric: c} for a, b, c in rows]
    if name.endswith(".jsonl"):
        write_records(Path(name), records)
    elif name.endswith(".parquet"):
        pandas = pytest.importorskip("pandas")
        pandas.DataFrame(records).to_parquet(name)
    else:
        between = "\t" if name.endswith(".tsv") else ","
        lines = [("system", "eval", metric), *((a, b, str(c)) for a, b, c in rows)]
        Path(name).write_text("".join(between.join(line) + "\n" for line in lines))
    return name


def copied(run: Run) -> str:
    """Write a file with ROUGE-2 F of the sample as a metric of its own."""
    report = json_of(run, *TEXTS, "-d")
    rows = [
        (system["id"], eval_id, score)
        for system in report["systems"]
        for eval_id, score in zip(
            system["evals"], system["metrics"]["ROUGE-2"]["f_measure"]["per_eval"], strict=True
        )
    ]
    return write("copy.csv", rows, "copy")


def test_a_copy_of_rouge(run: Run) -> None:
    given = ("--add", "scores:" + copied(run))
    report = json_of(run, *TEXTS, *given)
    for system in report["systems"]:
        copy = system["metrics"]["copy"]
        assert copy["score"] == system["metrics"]["ROUGE-2"]["f_measure"]
        assert "scale" not in copy
    assert "|given:copy|" in report["signature"]
    _, original, copy = json_of(run, "compare", *STUDY, *given)["metrics"]
    assert (copy.pop("metric"), copy.pop("measure")) == ("copy", "score")
    assert (original.pop("metric"), original.pop("measure")) == ("ROUGE-2", "f_measure")
    assert copy == original
    done = run("correlate", *STUDY, *given, "--judgements", "judgements.csv", "--report", "csv")
    rows = [row for row in csv.DictReader(done.out.decode().splitlines()) if not row.get("other")]
    original, copy = (
        [row | {"metric": "", "measure": ""} for row in rows if row["metric"] == name]
        for name in ("ROUGE-2", "copy")
    )
    assert copy == original != []


def test_means_and_bootstrap_are_numpys(run: Run) -> None:
    path = write("s.jsonl", varied())
    report = json_of(run, *TEXTS, "-r", "50", "-d", "--add", f"scores:{path}")
    for number, system in enumerate(report["systems"]):
        values = np.array([one for _, _, one in varied()[4 * number : 4 * number + 4]])
        found = system["metrics"]["human"]["score"]
        assert found["per_eval"] == values.tolist()
        assert found["mean"] == values.mean()
        means = [values[draws(k, 4)].mean() for k in range(50)]
        assert found["bootstrap_mean"] == pytest.approx(np.mean(means), rel=1e-14)
        assert min(means) <= found["interval"][0] <= found["interval"][1] <= max(means)
        assert found["standard_error"] == pytest.approx(values.std(ddof=1) / 2, rel=1e-14)


@pytest.mark.parametrize("name", ["s.tsv", "s.jsonl", "s.parquet", "s.csv.gz"])
def test_formats(name: str, run: Run) -> None:
    options = ("-d", "--report", "csv", "--add")
    wanted = run(*TEXTS, *options, "scores:" + write("s.csv", varied()))
    if name == "s.csv.gz":
        Path(name).write_bytes(gzip.compress(Path("s.csv").read_bytes()))
    else:
        write(name, varied())
    found = run(*TEXTS, *options, f"scores:{name}")
    assert (found.out, found.err, found.code) == (wanted.out, "", 0)
    assert wanted.out.count(b",human,score,") == 15


def test_without_texts(run: Run) -> None:
    add = ("--add", "scores:" + write("s.csv", varied()))
    with_texts = json_of(run, *TEXTS, *add)["systems"]
    alone = json_of(run, *add)
    assert alone["signature"].startswith("rouge-cli:0.1.0|given:human|alpha:")
    for one, other in zip(alone["systems"], with_texts, strict=True):
        assert one["metrics"]["human"] == other["metrics"]["human"]
    both = json_of(run, "compare", *STUDY, "--measures", "F", *add)["metrics"][-1]
    (own,) = json_of(run, "compare", *add)["metrics"]
    for one, other in zip(own["pairs"], both["pairs"], strict=True):
        for test in ("bootstrap", "randomisation"):
            assert one[test]["p"] == other[test]["p"]
    judgements = ("--judgements", "judgements.csv", "--judgement", "coverage")
    (*_, own) = json_of(run, "correlate", *add, *judgements)["columns"]
    (*_, both) = json_of(run, "correlate", *STUDY, *add, *judgements)["columns"]
    assert own["metrics"][0]["value"] == both["metrics"][-1]["value"]
    assert run("plan", *add, "--system-id", "lead", "--system-id", "neural").code == 0


@pytest.mark.parametrize(
    ("cell", "problem"),
    [
        (("lead", "2", "nan"), "line 7: column 'human': found 'nan', expected a finite number"),
        (("lead", "2", "good"), "line 7: column 'human': found 'good', expected a number"),
        (("lead", "2", "1e16"), "line 7: column 'human': found 1e+16, expected a number from -1e"),
        (("lead", "2", ""), "human of system 'lead' in text '2' is missing"),
        (("lead", "9", 1), "s.csv: no scores of system 'lead' in text '2'"),
        (("lead", "9", 1), "s.csv: text '9' of system 'lead' is not in the input"),
        (("led", "2", 1), "s.csv: system 'led' is not in the input"),
        (("lead", "1", 1), "line 7: system 'lead' is scored in text '1' on line 6 too"),
        (("", "2", 1), "line 7: column 'system': found nothing, expected an ID"),
    ],
)
def test_scores_that_do_not_fit(cell: tuple[str, str, Any], problem: str, run: Run) -> None:
    rows = cells()
    rows[5] = cell
    write("s.csv", rows)
    for command in ((), ("compare",), ("correlate", "--judgements", "judgements.csv")):
        done = run(*command, *(TEXTS if not command else STUDY), "--add", "scores:s.csv")
        assert problem in done.refusal


def test_lower_is_better_in_correlations(run: Run) -> None:
    write("s.csv", varied())
    write("m.csv", [(a, b, -c) for a, b, c in varied()])
    judgements = ("--judgements", "judgements.csv", "--judgement", "coverage")
    upper = json_of(run, "correlate", "--add", "scores:s.csv", *judgements)
    lower = run(
        *("correlate", "--add", "scores:m.csv", *judgements, "--lower-is-better", "human"),
        *("--report", "json"),
    )
    columns = json.loads(lower.out)["columns"]
    # Nothing else tells the two apart.
    assert all(metric.pop("lower_is_better") for column in columns for metric in column["metrics"])
    assert columns == upper["columns"]
    turned = json_of(
        *(run, "correlate", "--add", "scores:m.csv", *judgements, "--lower-is-better", "coverage")
    )
    assert turned["columns"] == upper["columns"]


def test_scores_join_saved_ones(run: Run) -> None:
    add = ("--add", "scores:" + write("s.csv", varied()))
    report = ("--report", "json", "-d")
    run(*TEXTS, "--save", "saved.jsonl")
    direct = run(*TEXTS, *add, *report, "--save", "both.parquet")
    assert run("both.parquet", *report).out == direct.out
    one, other = json_of(run, "saved.jsonl", *add, "-d"), json.loads(direct.out)
    assert (one["systems"], one["signature"]) == (other["systems"], other["signature"])
    twice = run("both.parquet", *add)
    assert (twice.code, twice.out) == (2, b"")


def test_a_field_of_parquet(run: Run) -> None:
    pandas = pytest.importorskip("pandas")
    row = {"prediction": "a b", "reference": "a c"}
    pandas.DataFrame([{**row, "judge": k / 2} for k in (1, 3, 5)]).to_parquet("r.parquet")
    done = run("-n", "1", "-x", "-r", "0", "r.parquet", "--add", "column:judge", "--report", "csv")
    assert (done.code, done.err) == (0, "")
    assert b"\nr,judge,score,,3,1.5," in done.out


def test_in_python() -> None:
    write("s.csv", varied())
    results = rouge_cli.evaluate_files(
        "config.xml",
        all=True,
        max_ngram=2,
        add="scores:s.csv",
        fuse="G=mean(ROUGE-1,ROUGE-2)",
        resamples=0,
        sort="G",
    )
    mean = np.mean([value for system, _, value in varied() if system == "lead"])
    assert results.systems["lead"]["human"].measures["S"].mean == mean
    lists = [["a b", "c"], ["a b", "d"]]
    write("l.jsonl", [("X", "1", 2), ("X", "2", 4)])
    assert rouge_cli.evaluate(*lists, add="scores:l.jsonl")["human"].measures["S"].mean == 3
    write("l.jsonl", [("X", "1", 2)])
    with pytest.raises(InputError):
        rouge_cli.evaluate(*lists, add="scores:l.jsonl")
