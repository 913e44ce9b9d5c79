"""``rouge-cli correlate`` on ten judged systems: conditions, and judges who disagree."""

import csv
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from rouge_cli.options.scores import UNMATCHED
from rouge_cli.studies.correlate import LEVEL_OF, MODEL_SETS, TEXTS, CorrelationOptions
from rouge_cli.studies.correlate.coefficients import COEFFICIENTS, LEVELS
from rouge_cli.studies.correlate.correlation import PAPER_METRICS
from tests.cli.running import JUDGED, Run, records_of, write_records

SYSTEMS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
           "tenth"]  # fmt: skip
EVALS = [f"E{number:02}" for number in range(1, 13)]
JUDGEMENTS = JUDGED / "judgements.csv"


def study(
    run: Run, *words: str, judgements: Path = JUDGEMENTS, records: Path = JUDGED / "records.jsonl"
) -> dict[str, Any]:
    """Return the JSON report on judged systems, of which nothing is to be said."""
    given = ("--judgements", str(judgements), *words, "--report", "json", str(records))
    finished = run("correlate", *given)
    assert (finished.code, finished.err) == (0, "")
    report: dict[str, Any] = json.loads(finished.out)
    return report


def shown(run: Run, *words: str, judgements: Path) -> str:
    """Return the words of the table, on one line."""
    given = ("--judgements", str(judgements), *words, str(JUDGED / "records.jsonl"))
    return " ".join(run("correlate", *given).out.decode().split())


@pytest.fixture
def single_models(tmp_path: Path) -> Path:
    """Write the records with the first reference of each text alone."""
    path = tmp_path / "records.jsonl"
    records = records_of(JUDGED / "records.jsonl")
    write_records(path, [{**one, "references": one["references"][:1]} for one in records])
    return path


def test_paper_table(run: Run) -> None:
    report = study(run, "--paper-table", "-r", "20")
    assert [(one["texts"], one["models"]) for one in report["conditions"]] == [
        ("as-is", "one"), ("stem", "one"), ("stop", "one"),
        ("as-is", "all"), ("stem", "all"), ("stop", "all"),
    ]  # fmt: skip
    assert [one["judgement"] for one in report["columns"]] == ["coverage"] * 6 + ["fluency"] * 6
    for column in report["columns"]:
        assert (column["level"], column["coefficient"]) == ("system", "pearson")
        assert [one["metric"] for one in column["metrics"]] == list(PAPER_METRICS)
        assert {one["measure"] for one in column["metrics"]} == {"recall"}
        best = max(one["value"] for one in column["metrics"])
        for one in column["metrics"]:
            assert one["is_best"] == (one["value"] > best - 1e-12)
            p = one["p_against_best"]
            assert one["is_tied_with_best"] == (not one["is_best"] and p > 1 - 0.95)


def test_paper_table_of_single_models(run: Run, single_models: Path) -> None:
    report = study(run, "--paper-table", "-r", "9", records=single_models)
    assert [one["models"] for one in report["conditions"]] == ["all"] * 3


@pytest.mark.parametrize("texts", ["as-is", "stem", "stop", "stem+stop"])
@pytest.mark.parametrize("model_set", ["one", "all"])
def test_conditions_are_runs_of_their_own(
    run: Run, single_models: Path, texts: str, model_set: str
) -> None:
    records = single_models if model_set == "one" else JUDGED / "records.jsonl"
    common = ("--judgement", "fluency", "-n1", "-2", "4", "--level", "summary", "-r", "9")
    letters = [letter for name, letter in (("stem", "-m"), ("stop", "-s")) if name in texts]
    alone = study(run, *common, *letters, records=records)
    chosen = study(run, *common, "--conditions", texts, "--model-sets", model_set)
    assert chosen["conditions"][0]["signatures"] == alone["conditions"][0]["signatures"]
    assert [one["metrics"] for one in chosen["columns"]] == [
        one["metrics"] for one in alone["columns"]
    ]


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("level", (*LEVELS,)),
        ("coefficient", (*COEFFICIENTS, *LEVEL_OF)),
        ("conditions", (*TEXTS,)),
        ("model_sets", (*MODEL_SETS,)),
        *(("resample", choice) for choice in ("evals", "systems", "both")),
        *(("exchange", choice) for choice in ("systems", "cells")),
        *(("unmatched", choice) for choice in UNMATCHED),
    ],
)
def test_names_of_the_choices(name: str, known: str | tuple[str, ...]) -> None:
    typed = known if isinstance(known, str) else ",".join(known)
    given = {"judgements": "j.csv", "paper_table": name == "model_sets", name: typed}
    assert CorrelationOptions.of(given).values()[name] == known


def test_without_scipy(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    finished = run("correlate", "--judgements", "judgements.csv", "records.jsonl", cwd=JUDGED)
    assert finished.refusal == (
        "Error: correlate needs scipy, which is not installed: python -m pip install scipy"
    )


def test_sample_is_as_generated(tmp_path: Path) -> None:
    code = (JUDGED / "generate.py").read_text("utf-8")
    script = tmp_path / "generate.py"
    script.write_text(code, "utf-8")
    exec(compile(code, str(script), "exec"), {"__name__": "__main__", "__file__": str(script)})
    for name in ("records.jsonl", "judgements.csv", "ratings.csv"):
        assert (tmp_path / name).read_bytes() == (JUDGED / name).read_bytes()


def test_without_resamples(run: Run) -> None:
    for column in study(run, "--pairs", "-n1", "-r", "0")["columns"]:
        assert all(one["interval"] is None for one in column["metrics"])
        assert [one["p"] for one in column["pairs"]] == [None]
        has_williams = (column["level"], column["coefficient"]) == ("system", "pearson")
        assert (column["pairs"][0]["williams"] is not None) == has_williams


Grade = tuple[str, str, str, int]
RATINGS = JUDGED / "ratings.csv"
"""What three judges gave."""


def ratings() -> list[Grade]:
    _, *rows = csv.reader(RATINGS.read_text("utf-8").splitlines())
    return [(system, eval_id, judge, int(grade)) for system, eval_id, judge, grade in rows]


def graded(path: Path, grades: Iterable[Grade]) -> Path:
    """Write grades of systems in texts by judges."""
    rows = [f"{system},{eval_id},{judge},{grade}" for system, eval_id, judge, grade in grades]
    path.write_text("\n".join(["system,eval,judge,grade", *rows]) + "\n")
    return path


def test_correlations_corrected_for_judges(run: Run) -> None:
    words = ("-n1", "-x", "-r50")
    report = study(run, *words, judgements=RATINGS)
    (agreement,) = report["agreements"]
    low, high = agreement["interval"]
    assert low < agreement["krippendorff_alpha"] < high
    consistency = {}
    for column in report["columns"]:
        at_level, (metric,) = column["agreement"], column["metrics"]
        consistency[column["level"]] = at_level["consistency"]
        assert (at_level["judges"], at_level["is_complete"]) == (3, True)
        assert at_level["ceiling"] == pytest.approx(at_level["consistency"] ** 0.5)
        if column["coefficient"] == "kendall":
            assert (metric["corrected"], metric["corrected_interval"]) == (None, None)
        else:
            corrected = metric["value"] / at_level["ceiling"]
            assert metric["corrected"] == pytest.approx(corrected)
            low, high = metric["corrected_interval"]
            assert low < corrected < high
    # Means over 12 EVALs are far more consistent than those of single cells.
    assert consistency["pooled"] + 0.2 < consistency["system"]
    alone = study(run, "-n1", "-x", "-r0", judgements=RATINGS)
    assert alone["agreements"] == [agreement | {"interval": None}]
    for column, other in zip(report["columns"], alone["columns"], strict=True):
        assert other["metrics"][0]["corrected"] == column["metrics"][0]["corrected"]
        assert other["metrics"][0]["corrected_interval"] is None
    table = shown(run, *words, judgements=RATINGS)
    assert "coverage: system level, F: corrected for disagreement of judges" in table
    assert "Consistency of the means, ICC(C,3): 0." in table
    assert "A corrected correlation is divided by its root." in table
    given = ("--judgements", "ratings.csv", *words, "--report", "csv", "records.jsonl")
    lines = run("correlate", *given, cwd=JUDGED).out.decode().splitlines()
    row = next(csv.DictReader(lines))
    assert float(row["corrected"]) == report["columns"][0]["metrics"][0]["corrected"]
    assert row["corrected_lower"]


def test_no_interval_where_nothing_can_be_corrected(run: Run, tmp_path: Path) -> None:
    # What one judge grades high the other grades low, but for a little: they are not consistent,
    # while resamples of equal grades of both, and their means, are.
    grades: list[Grade] = []
    for number, system in enumerate(SYSTEMS):
        for place, eval_id in enumerate(EVALS):
            grade = (3 * number + place) % 5
            other = grade if place == 0 else 4 - grade + (number % 2)
            grades += [(system, eval_id, "x", grade), (system, eval_id, "y", other)]
    path = graded(tmp_path / "j.csv", grades)
    words = ("-n1", "-x", "-r99", "--coefficient", "pearson")
    columns = study(run, *words, judgements=path)["columns"]
    (pooled,) = (column for column in columns if column["level"] == "pooled")
    assert pooled["agreement"]["consistency"] is None
    for column in columns:
        (metric,) = column["metrics"]
        if column["agreement"]["ceiling"] is None:
            assert (metric["corrected"], metric["corrected_interval"]) == (None, None)
            assert metric["n_dropped_corrected"] > 0
    table = shown(run, *words, judgements=path)
    assert "- [" not in table
    assert "by -" not in table
    assert "the judges are too unreliable, as their consistency is not above 0." in table


def test_judges_are_drawn(run: Run, tmp_path: Path) -> None:
    negative = [(system, eval_id, judge, -grade) for system, eval_id, judge, grade in ratings()]
    turned = graded(tmp_path / "t.csv", negative)
    words = ("-n1", "-x", "-r80", "--coefficient", "pearson,pa")
    plain = study(run, *words, judgements=RATINGS)
    drawn = study(run, *words, "--resample-judges", judgements=RATINGS)
    assert (plain["is_resampled_by_judge"], drawn["is_resampled_by_judge"]) == (False, True)
    assert len(plain["columns"]) == 4
    for before, after in zip(plain["columns"], drawn["columns"], strict=True):
        (one,), (other,) = before["metrics"], after["metrics"]
        assert one["value"] == other["value"]
        assert one["interval"] != other["interval"]
    lower = study(run, *words, "--resample-judges", "--lower-is-better", "grade", judgements=turned)
    assert [column["metrics"] for column in lower["columns"]] == [
        column["metrics"] for column in drawn["columns"]
    ]


def test_nothing_is_corrected_where_judges_differ(run: Run, tmp_path: Path) -> None:
    grades = ratings()
    # Ben is replaced by Dan in every other EVAL; and one grade is missing.
    turns = [
        (system, eval_id, "dan" if judge == "ben" and int(eval_id[1:]) % 2 else judge, grade)
        for system, eval_id, judge, grade in grades
    ]
    words = ("-n1", "-x", "-r9", "--coefficient", "pearson")
    for rows, levels in ((turns, {"summary"}), (grades[1:], set[str]())):
        path = graded(tmp_path / "j.csv", rows)
        for column in study(run, *words, judgements=path)["columns"]:
            is_corrected = column["level"] in levels
            assert column["agreement"]["is_complete"] is is_corrected
            assert (column["agreement"]["ceiling"] is not None) is is_corrected
            assert (column["metrics"][0]["corrected"] is not None) is is_corrected
        table = shown(run, *words, judgements=path)
        assert "not all judges rated everything that is compared there." in table
        assert ("corrected for disagreement of judges" in table) is bool(levels)
