"""``rouge-cli plan`` and ``--cluster``: cases that do not fit in a transcript."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.running import JUDGED, Run, json_of, records_of, write_records


def test_a_plan(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(JUDGED)
    pilot = ("-n1", "-x", "--system-id", "second", "--system-id", "third", "records.jsonl")
    found = json_of(run, "plan", "--difference", "0.02", *pilot)
    scores = json_of(run, "-n1", "-x", "-a", "-d", "records.jsonl")
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


def test_clusters_of_a_correlation(run: Run, tmp_path: Path) -> None:
    records = records_of(JUDGED / "records.jsonl")
    for record in records:
        # Three texts after each other make a topic.
        record["about"] = {"topic": f"t{(int(record['id'][1:]) - 1) // 3}"}
    write_records(tmp_path / "r.jsonl", records)
    judged = ("--judgements", str(JUDGED / "judgements.csv"), "--judgement", "coverage")
    options = ("-n1", "-x", "-r", "200", "--resample", "evals", str(tmp_path / "r.jsonl"))
    alone, found = (
        json.loads(run("correlate", *judged, *options, *more, "--report", "json").out)
        for more in ((), ("--cluster", "about.topic"))
    )
    for before, after in zip(alone["columns"], found["columns"], strict=True):
        one, other = before["metrics"][0], after["metrics"][0]
        assert one["value"] == other["value"]
        assert one["interval"] != other["interval"]
