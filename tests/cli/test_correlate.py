"""``rouge-cli correlate``: from files to reports, and everything that can be wrong."""

import csv
import json
import sys
from collections.abc import Iterable
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rouge_cli.options.scores import UNMATCHED
from rouge_cli.studies.correlate import LEVEL_OF, MODEL_SETS, TEXTS, CorrelationOptions
from rouge_cli.studies.correlate.coefficients import COEFFICIENTS, LEVELS
from rouge_cli.studies.correlate.correlation import PAPER_METRICS
from tests.cli.running import JUDGED, Finished, Run, records_of, write_records

INPUT_ERROR = 3
SYSTEMS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
           "tenth"]  # fmt: skip
EVALS = [f"E{number:02}" for number in range(1, 13)]


def study(finished: Finished) -> dict[str, Any]:
    assert finished.err == ""
    assert finished.code == 0
    found: dict[str, Any] = json.loads(finished.out)
    return found


def test_paper_table(run: Run) -> None:
    found = study(
        run(
            "correlate", "--judgements", "judgements.csv", "--paper-table", "-r", "20",
            "--report", "json", "records.jsonl", cwd=JUDGED,
        )
    )  # fmt: skip
    assert [(one["texts"], one["models"]) for one in found["conditions"]] == [
        ("as-is", "one"), ("stem", "one"), ("stop", "one"),
        ("as-is", "all"), ("stem", "all"), ("stop", "all"),
    ]  # fmt: skip
    assert [one["judgement"] for one in found["columns"]] == ["coverage"] * 6 + ["fluency"] * 6
    for column in found["columns"]:
        assert (column["level"], column["coefficient"]) == ("system", "pearson")
        assert [one["metric"] for one in column["metrics"]] == list(PAPER_METRICS)
        assert {one["measure"] for one in column["metrics"]} == {"recall"}
        best = max(one["value"] for one in column["metrics"])
        for one in column["metrics"]:
            assert one["is_best"] == (one["value"] > best - 1e-12)
            p = one["p_against_best"]
            assert one["is_tied_with_best"] == (not one["is_best"] and p > 1 - 0.95)


CONDITIONS = [
    pytest.param(("as-is", []), id="as-is"),
    pytest.param(("stem", ["-m"]), id="stem"),
    pytest.param(("stop", ["-s"]), id="stop"),
    pytest.param(("stem+stop", ["-m", "-s"]), id="both"),
]


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("model_set", ["one", "all"])
def test_conditions_are_runs_of_their_own(
    run: Run, tmp_path: Path, condition: tuple[str, list[str]], model_set: str
) -> None:
    texts, letters = condition
    records = records_of(JUDGED / "records.jsonl")
    if model_set == "one":
        records = [{**one, "references": one["references"][:1]} for one in records]
    write_records(tmp_path / "records.jsonl", records)
    (tmp_path / "judgements.csv").write_bytes((JUDGED / "judgements.csv").read_bytes())
    common = ("correlate", "--judgements", "judgements.csv", "--judgement", "fluency", "-n1",
              "-2", "4", "--level", "summary", "-r", "9", "--report", "json")  # fmt: skip
    alone = study(run(*common, *letters, "records.jsonl", cwd=tmp_path))
    chosen = ("--conditions", texts, "--model-sets", model_set)
    found = study(run(*common, *chosen, "records.jsonl", cwd=JUDGED))
    assert found["conditions"][0]["signatures"] == alone["conditions"][0]["signatures"]
    of_alone = [one["metrics"] for one in alone["columns"]]
    assert [one["metrics"] for one in found["columns"]] == of_alone


def test_names_of_the_choices() -> None:
    every = {
        "level": LEVELS,
        "coefficient": (*COEFFICIENTS, *LEVEL_OF),
        "conditions": TEXTS,
        "model_sets": MODEL_SETS,
    }
    for name, known in every.items():
        is_paper = name == "model_sets"
        given = {"judgements": "j.csv", "paper_table": is_paper, name: ",".join(known)}
        assert CorrelationOptions.of(given).values()[name] == tuple(known)
    single = {
        "resample": ("evals", "systems", "both"),
        "exchange": ("systems", "cells"),
        "unmatched": UNMATCHED,
    }
    for name, known in single.items():
        for one in known:
            found = CorrelationOptions.of({"judgements": "j.csv", name: one})
            assert found.values()[name] == one


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


def test_paper_table_of_single_models(run: Run, tmp_path: Path) -> None:
    records = records_of(JUDGED / "records.jsonl")
    single = [{**one, "references": one["references"][:1]} for one in records]
    write_records(tmp_path / "records.jsonl", single)
    finished = run(
        "correlate", "--judgements", str(JUDGED / "judgements.csv"), "--paper-table", "-r", "9",
        "--report", "json", "records.jsonl", cwd=tmp_path,
    )  # fmt: skip
    assert [one["models"] for one in study(finished)["conditions"]] == ["all"] * 3


def test_without_resamples(run: Run) -> None:
    common = ("correlate", "--judgements", "judgements.csv", "--pairs", "-n1", "-r", "0")
    found = study(run(*common, "--report", "json", "records.jsonl", cwd=JUDGED))
    for column in found["columns"]:
        assert all(one["interval"] is None for one in column["metrics"])
        assert [one["p"] for one in column["pairs"]] == [None]
        has_williams = (column["level"], column["coefficient"]) == ("system", "pearson")
        assert (column["pairs"][0]["williams"] is not None) == has_williams


META = Path(__file__).parents[2] / "fixtures" / "statistics" / "meta.jsonl"
CASES = {case["name"]: case for case in map(json.loads, META.read_text("utf-8").splitlines())}
ALL_COEFFICIENTS = ("--coefficient", ",".join([*COEFFICIENTS, *LEVEL_OF]))


def write_case(case: dict[str, Any], folder: Path, *, has_blanks: bool) -> None:
    """Write a case as a file of judgements and one of scores; what is missing is blank or absent.

    The systems are called so that byte order is not the order of the case.
    """
    cells = [
        (f"s{system}", f"e{item}", value, [rows[system][item] for rows in case["metrics"].values()])
        for system, row in enumerate(case["human"])
        for item, value in enumerate(row)
    ]
    with (folder / "human.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["system", "eval", "human"])
        writer.writerows(
            [*ids, value] for *ids, value, _ in cells if has_blanks or value is not None
        )
    with (folder / "scores.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["system", "eval", *case["metrics"]])
        writer.writerows([*ids, *values] for *ids, _, values in cells)


@pytest.mark.parametrize("has_blanks", [False, True])
@pytest.mark.parametrize("name", ["missing-human-4x8", "missing-metric-5x12", "missing-both-6x14"])
@pytest.mark.parametrize(
    ("unmatched", "block"), [("skip", "complete_items"), ("skip-cells", "cells")]
)
def test_missing_cells(
    name: str, unmatched: str, block: str, has_blanks: bool, run: Run, tmp_path: Path
) -> None:
    case = CASES[name]
    write_case(case, tmp_path, has_blanks=has_blanks)
    words = ("--judgements", "human.csv", "--add", "scores:scores.csv", "-r9", *ALL_COEFFICIENTS)
    finished = run("correlate", *words, "--unmatched", unmatched, "--report", "json", cwd=tmp_path)
    assert finished.code == 0
    found = json.loads(finished.out)
    (accuracies,) = (one for one in found["columns"] if one["coefficient"] == "pa")
    values = {one["metric"]: one["value"] for one in accuracies["metrics"]}
    expected = case["expect"][block]["system"]
    assert values == {name: pytest.approx(expected[name]["accuracy"]) for name in case["metrics"]}
    if unmatched == "skip-cells":
        said = ", human: no spa, which needs all systems in each text; give --unmatched skip"
        assert said in finished.err
    else:
        items = case["expect"][block]["items"]
        assert found["evals"] == sorted(f"e{item}" for item in items)
    stopped = run("correlate", *words, cwd=tmp_path)
    assert (stopped.code, stopped.out) == (INPUT_ERROR, b"")


def write_ratings(path: Path, n_judges: int, *, sign: int = 1) -> None:
    """Write what judges gave: the place of the system, and noise of their own."""
    draw = np.random.default_rng(8)
    rows = ["system,eval,judge,grade"]
    for number, system in enumerate(SYSTEMS):
        for one in EVALS:
            noise = draw.integers(-6, 7, n_judges).tolist()
            rows += [
                f"{system},{one},{judge},{sign * (x - number)}" for judge, x in enumerate(noise)
            ]
    path.write_text("\n".join(rows) + "\n")


def test_correlations_corrected_for_judges(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "j.csv"
    write_ratings(path, 3)
    words = ("correlate", "--judgements", str(path), "-n1", "-x", "-r50")
    found = study(run(*words, "--report", "json", "records.jsonl", cwd=JUDGED))
    (agreement,) = found["agreements"]
    low, high = agreement["interval"]
    assert low < agreement["krippendorff_alpha"] < high
    consistency = {}
    for column in found["columns"]:
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
    alone = study(run(*words[:-1], "-r0", "--report", "json", "records.jsonl", cwd=JUDGED))
    assert alone["agreements"] == [agreement | {"interval": None}]
    for column, other in zip(found["columns"], alone["columns"], strict=True):
        assert other["metrics"][0]["corrected"] == column["metrics"][0]["corrected"]
        assert other["metrics"][0]["corrected_interval"] is None
    # Means over 12 EVALs are far more consistent than those of single cells.
    assert consistency["pooled"] + 0.2 < consistency["system"]
    report = " ".join(run(*words, "records.jsonl", cwd=JUDGED).out.decode().split())
    assert "grade: system level, F: corrected for disagreement of judges" in report
    assert "Consistency of the means, ICC(C,3): 0." in report
    assert "A corrected correlation is divided by its root." in report
    csv_rows = list(
        csv.DictReader(
            StringIO(run(*words, "--report", "csv", "records.jsonl", cwd=JUDGED).out.decode())
        )
    )
    assert float(csv_rows[0]["corrected"]) == found["columns"][0]["metrics"][0]["corrected"]
    assert csv_rows[0]["corrected_lower"]


def test_no_interval_where_nothing_can_be_corrected(run: Run, tmp_path: Path) -> None:
    # What one judge grades high the other grades low, but for a little: they are not consistent,
    # while resamples of equal grades of both, and their means, are.
    rows = ["system,eval,judge,grade"]
    for number, system in enumerate(SYSTEMS):
        for place, one in enumerate(EVALS):
            grade = (3 * number + place) % 5
            other = grade if place == 0 else 4 - grade + (number % 2)
            rows += [f"{system},{one},x,{grade}", f"{system},{one},y,{other}"]
    (tmp_path / "j.csv").write_text("\n".join(rows) + "\n")
    words = ("correlate", "--judgements", str(tmp_path / "j.csv"), "-n1", "-x", "-r99",
             "--coefficient", "pearson")  # fmt: skip
    found = study(run(*words, "--report", "json", "records.jsonl", cwd=JUDGED))
    (pooled,) = (column for column in found["columns"] if column["level"] == "pooled")
    assert pooled["agreement"]["consistency"] is None
    for column in found["columns"]:
        (metric,) = column["metrics"]
        if column["agreement"]["ceiling"] is None:
            assert (metric["corrected"], metric["corrected_interval"]) == (None, None)
            assert metric["n_dropped_corrected"] > 0
    report = " ".join(run(*words, "records.jsonl", cwd=JUDGED).out.decode().split())
    assert "- [" not in report
    assert "by -" not in report
    assert "the judges are too unreliable, as their consistency is not above 0." in report


def test_judges_are_drawn(run: Run, tmp_path: Path) -> None:
    path, turned = tmp_path / "j.csv", tmp_path / "t.csv"
    write_ratings(path, 2)
    write_ratings(turned, 2, sign=-1)
    words = ("correlate", "-n1", "-x", "-r80", "--coefficient", "pearson,pa", "--report", "json")
    plain = study(run(*words, "--judgements", str(path), "records.jsonl", cwd=JUDGED))
    drawn_words = (*words, "--resample-judges", "records.jsonl")
    drawn = study(run(*drawn_words, "--judgements", str(path), cwd=JUDGED))
    assert (plain["is_resampled_by_judge"], drawn["is_resampled_by_judge"]) == (False, True)
    assert len(plain["columns"]) == 4
    for before, after in zip(plain["columns"], drawn["columns"], strict=True):
        (one,), (other,) = before["metrics"], after["metrics"]
        assert one["value"] == other["value"]
        assert one["interval"] != other["interval"]
    turned_words = ("--judgements", str(turned), "--lower-is-better", "grade")
    lower = study(run(*drawn_words, *turned_words, cwd=JUDGED))
    assert [column["metrics"] for column in lower["columns"]] == [
        column["metrics"] for column in drawn["columns"]
    ]


def graded(rows: Iterable[tuple[str, str, str, float]], path: Path) -> None:
    lines = [f"{system},{one},{judge},{grade}" for system, one, judge, grade in rows]
    path.write_text("\n".join(["system,eval,judge,grade", *lines]) + "\n")


def grades_of_three() -> list[tuple[str, str, str, float]]:
    """Return grades by three judges who agree roughly."""
    draw = np.random.default_rng(8)
    return [
        (system, one, judge, 2 * number + int(draw.integers(-6, 7)))
        for number, system in enumerate(reversed(SYSTEMS))
        for one in EVALS
        for judge in "xyz"
    ]


def test_nothing_is_corrected_where_judges_differ(run: Run, tmp_path: Path) -> None:
    grades = grades_of_three()
    # y is replaced by w in every other EVAL; and one grade is missing.
    turns = [
        (row[0], row[1], "w" if row[2] == "y" and EVALS.index(row[1]) % 2 else row[2], row[3])
        for row in grades
    ]
    for name, rows, levels in (("turns", turns, {"summary"}), ("gap", grades[1:], set[str]())):
        graded(rows, tmp_path / "j.csv")
        words = ("correlate", "--judgements", str(tmp_path / "j.csv"), "-n1", "-x", "-r9",
                 "--coefficient", "pearson", "records.jsonl")  # fmt: skip
        found = study(run(*words, "--report", "json", cwd=JUDGED))
        for column in found["columns"]:
            is_corrected = column["level"] in levels
            assert column["agreement"]["is_complete"] is is_corrected, name
            assert (column["agreement"]["ceiling"] is not None) is is_corrected
            (metric,) = column["metrics"]
            assert (metric["corrected"] is not None) is is_corrected
        report = " ".join(run(*words, cwd=JUDGED).out.decode().split())
        assert "not all judges rated everything that is compared there." in report
        assert ("corrected for disagreement of judges" in report) is bool(levels)


@pytest.mark.parametrize(
    ("unmatched", "n_evals", "expected"),
    [
        ("skip", 11, ["no judgement of system 'second' in text 'E01'"]),
        ("skip-cells", 12, ["no 'coverage' of system 'second' in text 'E01'"]),
    ],
)
def test_a_blank_of_one_judgement(
    unmatched: str, n_evals: int, expected: list[str], run: Run, tmp_path: Path
) -> None:
    rows = (JUDGED / "judgements.csv").read_text("utf-8").splitlines()
    blank = [
        f"second,E01,,{row.split(',')[3]}" if row.startswith("second,E01,") else row for row in rows
    ]
    path = tmp_path / "j.csv"
    path.write_text("\n".join(blank) + "\n")
    words = ("correlate", "--judgements", str(path), "-n1", "-x", "-r0", "--report", "json")
    finished = run(*words, "--unmatched", unmatched, "records.jsonl", cwd=JUDGED)
    assert finished.error_lines == [f"Warning: {path}: {line}; left out" for line in expected]
    found = json.loads(finished.out)
    assert len(found["evals"]) == n_evals
    if unmatched == "skip-cells":
        whole = study(run(*words[:2], "judgements.csv", *words[3:], "records.jsonl", cwd=JUDGED))
        for before, after in zip(whole["columns"], found["columns"], strict=True):
            is_same = before["metrics"][0]["value"] == after["metrics"][0]["value"]
            if after["coefficient"] == "pearson":
                assert is_same == (after["judgement"] == "fluency")
