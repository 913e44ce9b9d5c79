"""``rouge-cli plan``, ``--cluster``, and judgements that stand in the records."""

import csv
import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rouge_cli.studies import planning
from tests.cli.running import JUDGED, Run, records_of, write_records

INPUT_ERROR = 3
Change = Callable[[dict[str, Any]], None]


def with_fields(folder: Path, change: Change) -> str:
    """Write the records of the sample with more fields, and return the path."""
    records = records_of(JUDGED / "records.jsonl")
    for record in records:
        change(record)
    write_records(folder / "records.jsonl", records)
    return str(folder / "records.jsonl")


def in_topics(record: dict[str, Any]) -> None:
    """Put three EVALs after each other into a topic."""
    record["about"] = {"topic": f"t{(int(record['id'][1:]) - 1) // 3}"}


PILOT = ("-n1", "-x", "--system-id", "second", "--system-id", "third", "records.jsonl")


def plan(run: Run, *arguments: str, cwd: Path) -> dict[str, Any]:
    finished = run("plan", "--report", "json", *arguments, cwd=cwd)
    assert (finished.code, finished.err) == (0, "")
    found: dict[str, Any] = json.loads(finished.out)
    return found


def test_a_plan(run: Run) -> None:
    found = plan(run, "--difference", "0.02", *PILOT, cwd=JUDGED)
    given = ("-n1", "-x", "-a", "-d", "--report", "json", "records.jsonl")
    scores = json.loads(run(*given, cwd=JUDGED).out)
    f = {
        one["id"]: np.array(one["metrics"]["ROUGE-1"]["f_measure"]["per_eval"])
        for one in scores["systems"]
    }
    (metric,) = found["metrics"]
    spread = (f["second"] - f["third"]).std(ddof=1)
    assert metric["spread"] == pytest.approx(spread)
    # By the normal distribution ((1.96 + 0.8416) * spread / 0.02)^2; a test by swaps needs more.
    expected = (2.8016 * spread / 0.02) ** 2
    assert expected * 0.95 < metric["n_needed"] < expected * 1.2
    powers = [point["power"] for point in metric["curve"]]
    assert powers == sorted(powers)
    assert (found["n_pilot"], found["systems"]) == (12, ["second", "third"])
    assert found["signature"].endswith("resamples:0")


@pytest.mark.usefixtures("few_simulations")
def test_more_power_takes_more_evals(run: Run) -> None:
    usual = plan(run, "--difference", "0.02", *PILOT, cwd=JUDGED)["metrics"][0]
    more = plan(run, "--difference", "0.02", "--power", "0.95", *PILOT, cwd=JUDGED)["metrics"][0]
    many = plan(run, "--difference", "0.02", "--comparisons", "6", *PILOT, cwd=JUDGED)
    assert more["n_needed"] > usual["n_needed"] * 1.4
    assert many["metrics"][0]["n_needed"] > usual["n_needed"] * 1.3
    assert many["metrics"][0]["detectable"] > usual["detectable"]


def test_without_a_question_the_pilot_is_judged(run: Run) -> None:
    found = plan(run, *PILOT, cwd=JUDGED)["metrics"][0]
    assert (found["n_needed"], found["curve"]) == (None, [])
    # 12 EVALs: t of 11 degrees is 2.201 and 0.876; the test by swaps is near to that of t.
    expected = (2.201 + 0.876) * found["spread"] / 12**0.5
    assert found["detectable"] == pytest.approx(expected, rel=0.1)


def test_one_system_and_a_spread(run: Run) -> None:
    common = ("-n1", "-x", "--system-id", "second", "--difference", "0.02", "records.jsonl")
    found = plan(run, "--spread", "0.1", *common, cwd=JUDGED)["metrics"][0]
    assert found["spread"] == pytest.approx(0.1)
    # (2.8016 * 0.1 / 0.02)^2 is 196.
    assert 185 < found["n_needed"] < 210


@pytest.fixture
def few_simulations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate a tenth of the comparisons, where nothing hangs on their number."""
    monkeypatch.setattr(planning, "SIMULATED", planning.SIMULATED // 10)
    monkeypatch.setattr(planning, "GROUPS", planning.GROUPS // 10)


ONE = ("-n1", "-x", "--system-id", "second", "--spread", "0.1", "records.jsonl")


def test_more_evals_than_are_simulated(run: Run) -> None:
    (metric,) = plan(run, "--difference", "0.0001", *ONE, cwd=JUDGED)["metrics"]
    # (1.9599640 + 0.8416212)^2 is 7.8488797, times (0.1 / 0.0001)^2.
    assert metric["n_needed"] == 7_848_880
    assert (metric["is_simulated"], metric["curve"]) == (False, [])
    printed = run("plan", "--difference", "0.0001", *ONE).out.decode()
    assert "Numbers without a curve come from the normal distribution" in printed
    assert "ROUGE-1 F: power" not in printed


@pytest.mark.parametrize("kind", ["table", "markdown", "latex"])
def test_what_a_report_says_of_sameness(kind: str, run: Run) -> None:
    report = run("plan", "--equivalence", "0.05", "--report", kind, *PILOT, cwd=JUDGED).out
    assert b"the same within 0.05" in report


@pytest.mark.usefixtures("few_simulations")
def test_sameness_takes_more_evals_than_are_counted_up(run: Run) -> None:
    (metric,) = plan(run, "--equivalence", "0.03", *ONE, cwd=JUDGED)["metrics"]
    # The interval, (1.96 + 1.2816) 0.1 / sqrt(n), and 3/n of the mean, 0.80029, make 0.03: so the
    # root of n is 5.4025 + sqrt(5.4025^2 + 3 * 0.80029 / 0.03) = 15.853, and n is 252.
    assert metric["is_simulated"]
    assert 240 < metric["n_needed"] < 264


@pytest.mark.usefixtures("few_simulations")
def test_more_power_than_simulations_can_tell(run: Run) -> None:
    # 2,000 comparisons do not say what fails once in a million.
    (metric,) = plan(run, "--difference", "0.08", "--power", "0.999999", *ONE, cwd=JUDGED)[
        "metrics"
    ]
    assert (metric["detectable"], metric["is_simulated"]) == (None, False)
    # (1.960 + 4.753)^2 is 45.07, times (0.1 / 0.08)^2.
    assert metric["n_needed"] == 71


@pytest.mark.usefixtures("few_simulations")
def test_a_pilot_of_few_evals(run: Run, tmp_path: Path) -> None:
    lines = (JUDGED / "records.jsonl").read_text("utf-8").splitlines(keepends=True)
    four = [line for line in lines if json.loads(line)["id"] in {"E01", "E02", "E03", "E04"}]
    (tmp_path / "records.jsonl").write_text("".join(four), "utf-8")
    (metric,) = plan(run, *PILOT, cwd=tmp_path)["metrics"]
    # All 16 choices of swaps give a p of 1/8 at best.
    assert metric["detectable"] is None


@pytest.mark.usefixtures("few_simulations")
def test_what_a_plan_says(run: Run, tmp_path: Path) -> None:
    path = with_fields(tmp_path, in_topics)
    pilot = (*PILOT[:-1], path)

    def printed(*arguments: str) -> str:
        return " ".join(run("plan", *arguments, *pilot, cwd=JUDGED).out.decode().split())

    alone = printed()
    assert "Pilot: second - third, 12 texts" in alone
    assert "detectable with 12 texts" in alone
    assert "texts for" not in alone
    assert "at 0.05; seed 2004" in alone
    asked = printed("--difference", "0.02", "--comparisons", "6", "--cluster", "about.topic")
    assert "Pilot: second - third, 12 texts in 4 clusters" in asked
    assert "clusters for a difference of 0.02" in asked
    assert "at 0.05 / 6 (the first of Holm's); seed 2004" in asked


def test_clusters_are_bootstrapped_as_a_whole(run: Run, tmp_path: Path) -> None:
    # Two topics; all EVALs of one have recall 1, of the other 0: means are 0, 1/3 or 2/3, and 1.
    texts = [("a", "x", "x"), ("a", "y", "y"), ("b", "z", "q"), ("b", "z", "r"), ("b", "z", "s"),
             ("b", "z", "t")]  # fmt: skip
    rows = [
        {"id": k, "prediction": peer, "references": model, "topic": topic}
        for k, (topic, peer, model) in enumerate(texts)
    ]
    write_records(tmp_path / "r.jsonl", rows)
    common = ("-n1", "-x", "--report", "json", "-r", "400", str(tmp_path / "r.jsonl"))
    found = json.loads(run("--cluster", "topic", *common).out)
    recall = found["systems"][0]["metrics"]["ROUGE-1"]["recall"]
    assert recall["interval"] in ([0.0, 1.0], {"lower": 0.0, "upper": 1.0})
    assert recall["mean"] == pytest.approx(1 / 3)
    # 0, 1/3 and 1 with shares of 1/4, 1/2 and 1/4: 5/12, give or take five standard errors.
    assert recall["bootstrap_mean"] == pytest.approx(5 / 12, abs=5 * 0.36 / 400**0.5)


def test_clusters_of_a_comparison(run: Run, tmp_path: Path) -> None:
    path = with_fields(tmp_path, in_topics)
    common = ("compare", "-n1", "-x", "--system-id", "second", "--system-id", "tenth")
    clustered = (*common, "--cluster", "about.topic", path)
    finished = run(*clustered, "--report", "json")
    pair = json.loads(finished.out)["metrics"][0]["pairs"][0]
    assert (pair["n_evals"], pair["n_clusters"], pair["n_unequal"]) == (12, 4, 4)
    # All four topics say the same: 2 of 16 choices of swaps are as far from 0.
    assert pair["randomisation"]["p"] == 2 / 16
    assert "only 4 clusters in common" in finished.err
    # At 100% there are no bounds.
    (row,) = csv.DictReader(StringIO(run(*clustered, "-c", "100", "--report", "csv").out.decode()))
    value = pair["effect_size"]["value"]
    assert (float(row["effect_size"]), row["effect_lower"], row["effect_upper"]) == (value, "", "")
    text = run(*clustered, "-c", "100", "-v").out.decode()
    assert f"{value:.2f}" in text
    assert f"{value:.2f} [" not in text
    assert "with its interval by the t of clusters" in " ".join(text.split())


def test_clusters_of_a_correlation(run: Run, tmp_path: Path) -> None:
    path = with_fields(tmp_path, in_topics)
    judged = ("--judgements", str(JUDGED / "judgements.csv"), "--judgement", "coverage")
    common = ("correlate", *judged, "--report", "json", "-n1", "-x", "-r", "200",
              "--resample", "evals")  # fmt: skip
    alone, found = (
        json.loads(run(*common, *more, path).out) for more in ((), ("--cluster", "about.topic"))
    )
    for before, after in zip(alone["columns"], found["columns"], strict=True):
        one, other = before["metrics"][0], after["metrics"][0]
        assert one["value"] == other["value"]
        assert one["interval"] != other["interval"]


def judgements() -> dict[tuple[str, str], float]:
    with (JUDGED / "judgements.csv").open(encoding="utf-8") as file:
        return {
            (row["system"], row["eval"]): float(row["coverage"]) for row in csv.DictReader(file)
        }


COMMON = ("correlate", "--report", "json", "-n1", "-r", "50")


@pytest.mark.parametrize("form", ["number", "list", "objects", "dot"])
def test_judgements_in_the_records(form: str, run: Run, tmp_path: Path) -> None:
    known = judgements()

    def judge(record: dict[str, Any]) -> None:
        mean = known[record["system"], record["id"]]
        objects = [{"coverage": mean - 0.5}, {"coverage": mean + 0.5}]
        forms: dict[str, dict[str, Any]] = {
            "number": {"human": {"coverage": mean}},
            "list": {"human": {"coverage": [mean - 1, mean, mean + 1]}},
            "objects": {"human": objects},
            "dot": {"human.v2": objects},
        }
        record |= forms[form]

    path = with_fields(tmp_path, judge)
    field = "human.v2.coverage" if form == "dot" else "human.coverage"
    found = json.loads(run(*COMMON, "--judgement", field, path).out)
    expected = json.loads(
        run(*COMMON, "--judgements", str(JUDGED / "judgements.csv"), "--judgement", "coverage",
            path).out
    )  # fmt: skip
    for one, other in zip(found["columns"], expected["columns"], strict=True):
        for metric, same in zip(one["metrics"], other["metrics"], strict=True):
            assert metric["value"] == pytest.approx(same["value"])
            assert metric["interval"] == pytest.approx(same["interval"])
    n_judges = {"number": None, "list": 3}.get(form, 2)
    if n_judges is None:
        assert found["agreements"] == []
    else:
        (agreement,) = found["agreements"]
        assert (agreement["fewest_judges"], agreement["most_judges"]) == (n_judges, n_judges)
        assert agreement["krippendorff_alpha"] < 1


def test_records_without_a_judgement_are_not_judged(run: Run, tmp_path: Path) -> None:
    known = judgements()

    def judge(record: dict[str, Any]) -> None:
        value = known[record["system"], record["id"]]
        record["grade"] = None if record["system"] in {"first", "second"} else value

    path = with_fields(tmp_path, judge)
    stop = run(*COMMON, "--judgement", "grade", path)
    assert (stop.code, stop.out) == (INPUT_ERROR, b"")
    found = run(*COMMON, "--judgement", "grade", "--unmatched", "skip", path)
    assert found.code == 0
    systems = json.loads(found.out)["systems"]
    assert len(systems) == 8
    assert not {"first", "second"} & set(systems)


def test_numbers_in_strings_are_text_unless_asked_for(run: Run, tmp_path: Path) -> None:
    rows = [
        {"system": system, "eval": eval_id, "coverage": mean, "id": str(k)}
        for k, ((system, eval_id), mean) in enumerate(judgements().items())
    ]
    write_records(tmp_path / "j.jsonl", rows)
    common = (*COMMON, "--judgements", str(tmp_path / "j.jsonl"))
    found = run(*common, "records.jsonl", cwd=JUDGED)
    assert json.loads(found.out)["judgements"] == ["coverage"]
    assert "column 'id' holds no number; it is left out" in found.err
    asked = run(*common, "--judgement", "id", "records.jsonl", cwd=JUDGED)
    assert json.loads(asked.out)["judgements"] == ["id"]


def test_the_error_of_the_pilot(run: Run) -> None:
    report = " ".join(run("plan", "--difference", "0.02", *PILOT, cwd=JUDGED).out.decode().split())
    # The page's formula: chi-square with 11 degrees is below 11 ((1.96 + .524) / 2.802)^2 = 8.650
    # in 34.6% of pilots.
    assert (
        "Caution: 12 texts only give an estimate of how much differences vary: at best, 35% of "
        "plans for a power of 80% have less than 70%."
    ) in report


def test_an_upper_limit_of_the_spread(run: Run) -> None:
    usual = plan(run, "--difference", "0.02", *PILOT, cwd=JUDGED)
    careful = plan(run, "--difference", "0.02", "--spread-confidence", "0.8", *PILOT, cwd=JUDGED)
    assert (usual["spread_confidence"], careful["spread_confidence"]) == (None, 0.8)
    # Of chi-square with 11 degrees, 20% is below 6.989: the limit is (11 / 6.989)^.5 as large.
    ratio = careful["metrics"][0]["spread"] / usual["metrics"][0]["spread"]
    assert ratio == pytest.approx((11 / 6.989) ** 0.5, rel=1e-4)
    # As many times its square as EVALs are needed, nearly.
    needed = careful["metrics"][0]["n_needed"] / usual["metrics"][0]["n_needed"]
    assert needed == pytest.approx(ratio**2, rel=0.06)


def test_a_judgement_that_no_float_holds(run: Run, tmp_path: Path) -> None:
    path = with_fields(tmp_path, lambda record: record.update(grade=10**400))
    place = f"{path}, line 1, line 2, line 3 and 117 more"
    assert run(*COMMON, "--judgement", "grade", path).refusal == (
        f"Error: {place}: field 'grade': found {10**400}, expected a finite number"
    )
