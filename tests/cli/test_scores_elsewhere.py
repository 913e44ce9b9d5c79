"""Scores that were computed elsewhere: in files of their own, and in fields of records."""

import csv
import gzip
import io
import json
import re
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


def test_a_copy_of_rouge_in_the_tables(run: Run) -> None:
    report = json_of(run, *TEXTS, "--add", "scores:" + copied(run))
    for system in report["systems"]:
        copy = system["metrics"]["copy"]
        assert copy["score"] == system["metrics"]["ROUGE-2"]["f_measure"]
        assert (copy["counts"], "scale" in copy) == (None, False)
    assert report["command"] is None
    assert "|given:copy|" in report["signature"]


def test_a_copy_of_rouge_in_tests_and_correlations(run: Run) -> None:
    path = copied(run)
    _, original, copy = json_of(run, "compare", *STUDY, "--add", f"scores:{path}")["metrics"]
    assert (copy.pop("metric"), copy.pop("measure")) == ("copy", "score")
    assert (original.pop("metric"), original.pop("measure")) == ("ROUGE-2", "f_measure")
    assert copy == original
    judgements = ("--judgements", "judgements.csv")
    done = run("correlate", *STUDY, "--add", f"scores:{path}", *judgements, "--report", "csv")
    rows = [row for row in csv.DictReader(done.out.decode().splitlines()) if not row.get("other")]
    by_metric: dict[str, list[dict[str, str]]] = {"ROUGE-2": [], "copy": []}
    for row in rows:
        if row["metric"] in by_metric:
            by_metric[row["metric"]].append(
                {key: value for key, value in row.items() if key not in {"metric", "measure"}}
            )
    assert by_metric["copy"] == by_metric["ROUGE-2"] != []


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


@pytest.mark.parametrize("name", ["s.tsv", "s.jsonl", "s.parquet"])
def test_formats(name: str, run: Run) -> None:
    wanted = run(*TEXTS, "--add", "scores:" + write("s.csv", varied()), "-d", "--report", "csv")
    found = run(*TEXTS, "--add", "scores:" + write(name, varied()), "-d", "--report", "csv")
    assert (found.out, found.err, found.code) == (wanted.out, "", 0)
    assert wanted.out.count(b",human,score,") == 15


def test_several_files(run: Run) -> None:
    write("a.csv", cells(1), "a")
    write("b.jsonl", cells(2.5), "b")
    files = ("--add", "scores:a.csv", "--add", "scores:b.jsonl")
    done = run(*TEXTS, *files, "-r", "0", "--report", "csv")
    rows = list(csv.DictReader(done.out.decode().splitlines()))
    assert [(row["metric"], row["mean"]) for row in rows if row["measure"] == "score"] == [
        ("a", "1.0"),
        ("b", "2.5"),
    ] * 3


def test_one_system_of_several(run: Run) -> None:
    path = write("s.csv", cells(3))
    done = run("-n", "1", "-x", "config.xml", "lead", "--add", f"scores:{path}")
    assert (done.code, done.err) == (0, "")
    assert b"lead human Average_S: 3.0" in done.out


def test_without_texts(run: Run) -> None:
    path = write("s.csv", varied())
    with_texts = json_of(run, *TEXTS, "--add", f"scores:{path}")["systems"]
    alone = json_of(run, "--add", f"scores:{path}")
    assert alone["signature"].startswith("rouge-cli:0.1.0|given:human|alpha:")
    for one, other in zip(alone["systems"], with_texts, strict=True):
        assert one["metrics"]["human"] == other["metrics"]["human"]
    given = (*STUDY, "--measures", "F", "--add", f"scores:{path}")
    both = json_of(run, "compare", *given)["metrics"][-1]
    (own,) = json_of(run, "compare", "--add", f"scores:{path}")["metrics"]
    for one, other in zip(own["pairs"], both["pairs"], strict=True):
        for test in ("bootstrap", "randomisation"):
            assert one[test]["p"] == other[test]["p"]
    judgements = ("--judgements", "judgements.csv", "--judgement", "coverage")
    found = json_of(run, "correlate", "--add", f"scores:{path}", *judgements)
    assert found == json_of(run, "correlate", "--add", f"scores:{path}", *judgements)
    assert (
        run("plan", "--add", f"scores:{path}", "--system-id", "lead", "--system-id", "neural").code
        == 0
    )


def test_texts_that_are_not_there(run: Run) -> None:
    path = write("s.csv", cells())
    refused = run("-n", "2", "--add", f"scores:{path}")
    assert "-n/--max-ngram is about texts, and there are none" in refused.misuse
    assert "-f/--formula is about texts" in run("-f", "B", "--add", f"scores:{path}").err
    assert "scores alone are read with --add scores:FILE" in run("-n", "2").err


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


def test_all_that_is_missing_is_listed(run: Run) -> None:
    write("s.csv", [one for one in cells() if one[0] != "lead" and one[1] != "3"])
    lines = run(*TEXTS, "--add", "scores:s.csv").error_lines
    assert lines == [
        "Error: s.csv: no scores of system 'lead'",
        "Error: s.csv: no scores of system 'extract' in text '3'",
        "Error: s.csv: no scores of system 'neural' in text '3'",
        "Error: give what is missing, or leave it out with --unmatched skip or skip-cells",
    ]


def test_nothing_in_common(run: Run) -> None:
    write("s.csv", [(a, f"doc-0{b}", c) for a, b, c in cells()])
    assert run(*TEXTS, "--add", "scores:s.csv").error_lines == [
        "Error: s.csv: no text is in both: the input has '1', '2', the scores have 'doc-01', "
        "'doc-02'",
        "Error: s.csv: '1' and 'doc-01' differ in a prefix, in upper case or in zeros in front; "
        "write the IDs of both in the same way",
    ]
    write("s.csv", [(a.upper() + "!", b, c) for a, b, c in cells()])
    assert "no system is in both" in run(*TEXTS, "--add", "scores:s.csv").err


@pytest.mark.parametrize(
    ("unmatched", "sizes"),
    [("skip", {"extract": 3, "neural": 3}), ("skip-cells", {"extract": 3, "neural": 4})],
)
def test_what_is_left_out(unmatched: str, sizes: dict[str, int], run: Run) -> None:
    rows = [one for one in cells() if one[0] != "lead" and one[:2] != ("extract", "3")]
    write("s.csv", rows)
    given = ("--add", "scores:s.csv", "--unmatched", unmatched)
    done = run(*TEXTS, *given, "--report", "json", "-d")
    report = json.loads(done.out)
    assert {one["id"]: one["n_evals"] for one in report["systems"]} == sizes
    assert f"|unmatched:{unmatched}|" in report["signature"]
    assert done.error_lines == [
        "Warning: s.csv: no scores of system 'lead'; left out",
        "Warning: s.csv: no scores of system 'extract' in text '3'; left out",
    ]
    pairs = json_of(run, "compare", *STUDY, *given)["metrics"][0]["pairs"]
    assert [(one["system_a"], one["system_b"], one["n_evals"]) for one in pairs] == [
        ("extract", "neural", 3)
    ]


def test_nothing_is_left(run: Run) -> None:
    write("s.csv", [(a, b, "" if a == "lead" else 1) for a, b, _ in cells()])
    done = run(*TEXTS, "--add", "scores:s.csv", "--unmatched", "skip")
    assert "nothing is left to report" in done.refusal


@pytest.mark.parametrize("names", [("model", "id"), ("Model", "ID"), ("system", "id")])
def test_usual_names_of_the_columns(names: tuple[str, str], run: Run) -> None:
    name = write("s.csv", cells())
    expected = run(*TEXTS, "--add", f"scores:{name}")
    path = Path(name)
    header, rows = path.read_text().split("\n", 1)
    path.write_text(header.replace("system,eval", ",".join(names)) + "\n" + rows)
    done = run(*TEXTS, "--add", f"scores:{name}")
    assert (done.code, done.out) == (0, expected.out)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("system,human\nlead,1\n", "s.csv: no column 'eval'"),
        ("eval,human\n1,1\n", "s.csv: no column 'system'"),
        ("system,eval,a:b\nlead,1,2\n", "column 'a:b': expected the name of a metric"),
        ("system,eval\nlead,1\n", "s.csv: no column with numbers"),
        ("", "s.csv: no scores; expected a row"),
    ],
)
def test_no_file_of_scores(text: str, message: str, run: Run) -> None:
    Path("s.csv").write_text(text)
    assert message in run(*TEXTS, "--add", "scores:s.csv").refusal


def test_names_that_are_taken(run: Run) -> None:
    done = run(*TEXTS, "--add", "scores:" + write("s.csv", cells(), "rouge-1"))
    assert "two metrics are called" in done.misuse
    refused = run(*TEXTS, "-t", "1", "--add", "scores:s.csv")
    assert "--add scores has no counts to pool: it excludes -t 1" in refused.err
    assert run(*TEXTS, "--add", "scores:s.txt").code == 2


def test_lower_is_better(run: Run) -> None:
    rows = [(a, b, {"extract": 2, "lead": 1, "neural": 3}[a] + int(b)) for a, b, _ in cells()]
    write("s.csv", rows, "errors")
    given = ("--add", "scores:s.csv", "--lower-is-better", "Errors")
    table = run(*given, "--report", "table", "-r", "0").out.decode()
    lines = table.splitlines()[2:5]
    assert [line.split()[0] for line in lines] == ["lead", "extract", "neural"]
    assert "3.5000^" in lines[0]
    assert "Lower is better: errors." in table
    report = json_of(run, "compare", *given)["metrics"][0]
    assert [one["system"] for one in report["ranking"]] == ["lead", "extract", "neural"]
    assert report["lower_is_better"] is True
    many = write("m.csv", [(a, f"{b}.{k}", c) for a, b, c in rows for k in range(6)], "errors")
    (best,) = json_of(run, "compare", "--add", f"scores:{many}", *given[2:])["metrics"]
    assert [one["better"] for one in best["pairs"]] == ["lead", "extract", "lead"]
    refused = run(*TEXTS, *given[:2], "--lower-is-better", "ROUGE-1")
    assert "no metric 'ROUGE-1' with a single score in this run; there are: errors" in refused.err


def test_lower_is_better_against_a_baseline(run: Run) -> None:
    write("s.csv", cells(2), "errors")
    given = ("--add", "scores:s.csv", "--lower-is-better", "errors")
    run(*given, "--report", "json=base.json")
    write("s.csv", cells(2.5), "errors")
    worse = run(*given, "--baseline", "base.json")
    assert worse.code == 1
    assert "extract errors S: mean 2.50000, 0.50000 above the baseline 2.00000" in worse.err
    write("s.csv", cells(1.5), "errors")
    assert run(*given, "--baseline", "base.json").code == 0


@pytest.mark.parametrize("gate", [("--max-drop", "0.1"), ("--not-worse-than", "0.1")])
def test_a_baseline_of_another_direction_is_refused(run: Run, gate: tuple[str, str]) -> None:
    write("s.csv", cells(2), "errors")
    given, lower = ("-d", "--add", "scores:s.csv"), ("--lower-is-better", "errors")
    run(*given, *lower, "--report", "json=lower.json")
    run(*given, "--report", "json=higher.json")
    refused = run(*given, "--baseline", "lower.json", *gate)
    assert "lower errors is better in the baseline, and not in this run" in refused.refusal
    refused = run(*given, *lower, "--baseline", "higher.json", *gate)
    assert "lower errors is better in this run, and not in the baseline" in refused.refusal


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


def test_scales(run: Run) -> None:
    write("s.csv", [*cells(5)[:-1], ("neural", "4", 5.5)])
    done = run(*TEXTS, "--add", "scores:s.csv", "--scale", "human=1-5")
    problem = "human of system 'neural' in text '4' is 5.5, expected 1-5 as --scale says"
    assert problem in done.refusal
    # The bracketed end of a name may be left out.
    write("m.csv", [*cells(5)[:-1], ("neural", "4", 5.5)], "human (mean)")
    done = run(*TEXTS, "--add", "scores:m.csv", "--scale", "Human=1-5")
    assert "human (mean) of system 'neural' in text '4' is 5.5, expected 1-5" in done.refusal
    report = json_of(run, *TEXTS, "--add", "scores:s.csv", "--scale", "human=1-6")
    assert report["systems"][0]["metrics"]["human"]["scale"] == "1-6"
    assert run(*TEXTS, "--scale", "ROUGE-1=0-2").code == 2


def test_scores_join_saved_ones(run: Run) -> None:
    path = write("s.csv", varied())
    run(*TEXTS, "--save", "saved.jsonl")
    direct = run(
        *TEXTS, "--add", f"scores:{path}", "--report", "json", "-d", "--save", "both.parquet"
    )
    assert run("saved.jsonl", "--add", f"scores:{path}", "--report", "json", "-d").out != b""
    again = run("both.parquet", "--report", "json", "-d")
    joined = run("saved.jsonl", "--add", f"scores:{path}", "--report", "json", "-d")
    assert again.out == direct.out
    one, other = json.loads(joined.out), json.loads(direct.out)
    assert (one["systems"], one["signature"]) == (other["systems"], other["signature"])
    twice = run("both.parquet", "--add", f"scores:{path}")
    assert (twice.code, twice.out) == (2, b"")


RECORDS = [
    {"id": str(k), "prediction": "a b", "reference": "a c", "judge": {"score": k / 2}}
    for k in range(1, 6)
]


def records(name: str = "r.jsonl", rows: Sequence[dict[str, Any]] = RECORDS) -> str:
    write_records(Path(name), rows)
    return name


def test_a_field_of_records(run: Run) -> None:
    given = ("-n", "1", "-x", "--add", "column:human=judge.score", "--add", "column:n=id")
    done = run(*given, records(), "--require", "human:S>=1.4", "--report", "classic")
    assert (done.code, done.err) == (0, "")
    # The means of 1,000 resamples are near to 1.5 and 3.
    assert re.search(rb"r human Average_S: 1\.(49|50)", done.out)
    assert re.search(rb"r n Average_S: (2\.99|3\.00)", done.out)
    saved = run(*given, records(), "--save", "s.jsonl", "-d", "--report", "csv")
    assert run("s.jsonl", "-d", "--report", "csv").out == saved.out


def test_fields_of_several_files(run: Run) -> None:
    records("a.jsonl")
    records("b.jsonl", [{**one, "judge": {"score": 4}} for one in RECORDS])
    given = ("a.jsonl", "B=b.jsonl", "--add", "column:human=judge.score")
    pairs = json_of(run, "compare", "-n", "1", "-x", *given)["metrics"][1]["pairs"]
    assert [(one["system_b"], one["mean_a"], one["mean_b"]) for one in pairs] == [("B", 1.5, 4.0)]


@pytest.mark.parametrize("form", ["csv", "parquet", "json"])
def test_fields_of_other_formats(form: str, run: Run) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([{**one, "judge": k + 0.5} for k, one in enumerate(RECORDS)])
    if form == "csv":
        frame.to_csv("r.csv", index=False)
    elif form == "json":
        frame.to_json("r.json", orient="records")
    else:
        frame.to_parquet("r.parquet")
    done = run("-n", "1", "-x", f"r.{form}", "--add", "column:judge", "--report", "classic")
    assert (done.code, done.err) == (0, "")
    assert b"r judge Average_S: 2.49" in done.out


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("good", "r.jsonl, line 3: field 'judge.score': found 'good', expected a number"),
        (float("nan"), "r.jsonl, line 3: field 'judge.score': found nan, expected a finite number"),
        ([1, 2], "r.jsonl, line 3: field 'judge.score': found a list, expected a number"),
        (None, "human of system 'r' in text '3' is missing"),
    ],
)
def test_fields_that_hold_no_number(value: Any, message: str, run: Run) -> None:
    rows = [*RECORDS]
    rows[2] = {**rows[2], "judge": {"score": value}}
    given = ("-n", "1", "-x", records(rows=rows), "--add", "column:human=judge.score")
    assert message in run(*given).refusal
    if value is None:
        skipped = run(*given, "--unmatched", "skip", "--report", "json")
        assert json.loads(skipped.out)["systems"][0]["n_evals"] == 4


def test_columns_where_there_are_none(run: Run) -> None:
    assert "--add column is for records" in run(*TEXTS, "--add", "column:human=x").misuse
    columns = ("--prediction", "A=a", "--prediction", "B=b")
    several = run("r.csv", *columns, "--add", "column:x", "-n", "1")
    assert "give the numbers with --add scores:FILE" in several.err
    assert "--add column: two have the same name" in run("r.csv", *("--add", "column:x=a") * 2).err
    assert run("convert", "r.csv", "--add", "column:x=a", "--to", "jsonl", "-o", "-").code == 2


@pytest.mark.parametrize(
    "given",
    [("--add", "scores:s.csv"), ("--add", "column:x"), ("--fuse", "G=mean(ROUGE-L,ROUGE-L:R)")],
)
def test_a_dry_run(given: tuple[str, ...], run: Run) -> None:
    refused = run("config.xml", "-a", "--dry-run", *given)
    spelling = " ".join(given).partition(":")[0] if given[0] == "--add" else given[0]
    assert f"{spelling} is about scores, and --dry-run makes none" in refused.misuse


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


def test_how_to_cite(run: Run) -> None:
    cited = run("-n", "1", "-x", "--cite", "--add", "scores:" + write("s.csv", cells()))
    assert b"ROUGE-1 (Lin, 2004) was computed with rouge-cli" in cited.out
    assert b"|given:human|" in cited.out
    assert b"The same with the original" not in cited.out


def test_compressed_files_and_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with gzip.open("s.csv.gz", "wb") as file:
        file.write(Path(write("s.csv", varied())).read_bytes())
    wanted = run("--add", "scores:s.csv").out
    assert run("--add", "scores:s.csv.gz").out == wanted != b""
    text = Path(records()).read_bytes()
    for given in ((), ("--records-format", "jsonl")):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
        column = ("--add", "column:h=judge.score", "--require", "h:S>1")
        done = run("-n", "1", "-x", "-", *given, *column)
        assert (done.code, done.err) == (0, "")


def lopsided() -> list[tuple[str, str, Any]]:
    """Return scores of which "easy" lacks the two hard EVALs, and has the higher mean so."""
    both = {"1": (0.5, 0.6), "2": (0.7, 0.8)}
    rows = [(name, one, score) for one, pair in both.items() for name, score in zip(
        ("easy", "all"), pair, strict=True)]  # fmt: skip
    return [*rows, ("all", "3", 0.1), ("all", "4", 0.1)]


@pytest.mark.parametrize("command", [(), ("compare",), ("plan", "--difference", "0.1")])
def test_rows_that_scores_alone_lack(command: tuple[str, ...], run: Run) -> None:
    write("s.csv", lopsided())
    assert run(*command, "--add", "scores:s.csv").refusal.splitlines() == [
        "Error: s.csv: no scores of system 'easy' in 2 texts ('3', '4')",
        "Error: give what is missing, or leave it out with --unmatched skip or skip-cells",
    ]


def test_the_star_goes_over_the_evals_that_all_systems_have(run: Run) -> None:
    # Over EVALs 1 and 2 "all" has 0.7 and "easy" 0.6; over its own four, "all" has 0.4.
    write("s.csv", lopsided())
    table = ("--add", "scores:s.csv", "-r0", "--report", "table", "--unmatched")
    done = run(*table, "skip-cells")
    lines = [line.split() for line in done.out.decode().splitlines() if "0." in line][:2]
    assert lines == [["all", "4", "0.4000^"], ["easy", "2", "0.6000"]]
    assert "Which is best goes by the means over the 2 texts that all have" in " ".join(
        done.out.decode().split()
    )
    assert "no scores of system 'easy' in 2 texts ('3', '4'); left out" in done.err
    whole = run(*table, "skip").out.decode()
    lines = [line.split() for line in whole.splitlines() if "0." in line][:2]
    assert lines == [["all", "0.7000^"], ["easy", "0.6000"]]
    assert "Which is best" not in whole


def test_no_star_without_an_eval_of_all_systems(run: Run) -> None:
    write("s.csv", [("a", "1", 0.5), ("b", "2", 0.6)])
    done = run("--add", "scores:s.csv", "-r0", "--report", "table", "--unmatched", "skip-cells")
    assert "0.6000^" not in done.out.decode()
    assert "No system is marked as best: no text is in all systems." in done.out.decode()


def test_the_comparison_of_lopsided_scores(run: Run) -> None:
    write("s.csv", lopsided())
    done = run("compare", "--add", "scores:s.csv", "--unmatched", "skip-cells", "--report", "json")
    said = "only 2 of 4 texts count, those that all compared systems have: 'easy' lacks 2"
    assert said in done.err
    (metric,) = json.loads(done.out)["metrics"]
    assert [(one["system"], one["n_evals"], one["mean"]) for one in metric["ranking"]] == [
        ("all", 2, 0.7),
        ("easy", 2, 0.6),
    ]
