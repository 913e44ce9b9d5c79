"""The tidy CSV."""

import csv
from dataclasses import replace
from io import StringIO

import numpy as np
import pytest

from rouge_cli.metrics.counts import Counts
from rouge_cli.reports import write_report
from rouge_cli.scores.results import Results
from rouge_cli.studies.score.view import ScoreView
from tests.unit.reports.made import ODD_IDS, SIGNATURE, made, odd

HEADING = (
    "system,metric,measure,eval,n,mean,bootstrap_mean,lower,upper,standard_error,"
    "hit_count,model_count,peer_count,length_ratio,signature\n"
)
# Scores 0.1 and 0.2: their deviation is 0.1 / sqrt 2, and that by sqrt 2 is 0.05.
# Counts 1 and 2, 2 and 4, 3 and 6: outputs are 9 / 6 times as long.
ROWS = f"""\
a,ROUGE-1,recall,,2,0.249,0.25,0.15,0.35,0.05,3,6,9,1.5,{SIGNATURE}
a,ROUGE-1,precision,,2,0.149,0.15,0.05,0.25,0.05,3,6,9,1.5,{SIGNATURE}
a,ROUGE-1,f_measure,,2,0.199,0.2,0.1,0.3,0.05,3,6,9,1.5,{SIGNATURE}
"""
EVAL_ROWS = """\
a,ROUGE-1,recall,1,1,0.1,,,,,1,2,3,1.5,
a,ROUGE-1,recall,2,1,0.2,,,,,2,4,6,1.5,
a,ROUGE-1,precision,1,1,0.1,,,,,1,2,3,1.5,
a,ROUGE-1,precision,2,1,0.2,,,,,2,4,6,1.5,
a,ROUGE-1,f_measure,1,1,0.1,,,,,1,2,3,1.5,
a,ROUGE-1,f_measure,2,1,0.2,,,,,2,4,6,1.5,
"""


def report(results: Results) -> str:
    return "".join(write_report(ScoreView(results), "csv"))


def with_counts(results: Results, counts: Counts) -> Results:
    systems = {
        name: replace(
            system,
            metrics={key: replace(one, counts=counts) for key, one in system.metrics.items()},
        )
        for name, system in results.systems.items()
    }
    return replace(results, systems=systems)


def test_rows() -> None:
    assert report(made({"a": [0.2]})) == HEADING + ROWS


@pytest.mark.parametrize("system", ["=cmd|calc!A0", "+1", "-a", "@SUM(A1)", " =1"])
def test_formulas(system: str) -> None:
    results = made({system: [0.2]})
    plain = list(csv.reader(StringIO(report(results))))
    safe = list(csv.reader(StringIO("".join(write_report(ScoreView(results), "csv-safe")))))
    assert {row[0] for row in plain[1:]} == {system}
    assert {row[0] for row in safe[1:]} == {f"'{system}"}
    assert [row[1:] for row in safe] == [row[1:] for row in plain]
    assert safe[0] == plain[0]


def test_evals() -> None:
    assert report(made({"a": [0.2]}, per_eval=True)) == HEADING + ROWS + EVAL_ROWS


def test_numbers_keep_their_value() -> None:
    result = made({"a": [0.2]}, resamples=0)
    scores = result.systems["a"].metrics["ROUGE-1"]
    third = replace(
        scores, measures={**scores.measures, "F": replace(scores.f_measure, mean=1 / 3)}
    )
    system = replace(result.systems["a"], metrics={"ROUGE-1": third})
    rows = list(csv.DictReader(StringIO(report(replace(result, systems={"a": system})))))
    assert float(rows[2]["mean"]) == 1 / 3


def test_ids_are_data() -> None:
    results = odd()
    rows = list(csv.DictReader(StringIO(report(results), newline="")))
    assert [row["system"] for row in rows[::3]] == ODD_IDS
    assert "\n=1+1,ROUGE-1" in report(results)
    assert '\n"two\nlines' in report(results)
    assert '\n"<b>`{$^~#}\\""--\'\'",ROUGE-1' in report(results)


def test_counts_of_several_kinds() -> None:
    counts = Counts(
        np.array([2.0, 1.5]), np.array([2**70, 1], dtype=object), np.array([np.inf, 1.0])
    )
    lines = report(with_counts(made({"a": [0.2]}, per_eval=True), counts)).splitlines()
    assert f",3.5,{2**70 + 1},,1.5,rouge-cli:" in lines[1]
    assert lines[4].endswith(f",2,{2**70},,1.5,")
    assert lines[5].endswith(",1.5,1,1,1.5,")


def test_counts_add_up_as_the_raw_counts_of_the_classic_report() -> None:
    # Byte order is EVAL 10, then 9; 1e16 + 1 + 1 depends on the order.
    results = made({"a": [0.2]}, {"a": ["9", "8", "10"]})
    counts = Counts(np.array([1.0, 1.0, 1e16]), np.ones(3, np.int64), np.ones(3, np.int64))
    assert ",1e+16,3,3,1.5,rouge-cli:" in report(with_counts(results, counts))
