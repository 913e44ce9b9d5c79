"""Metrics that have one score and no counts, beside those of ROUGE, in every report."""

import csv
import json
from dataclasses import replace
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from rouge_cli.errors import OptionError
from rouge_cli.reports import Screen
from rouge_cli.scores.results import Measure, MetricScores, Results
from rouge_cli.studies.score.view import ScoreView
from tests.unit.reports.made import SIGNATURE, made, report
from tests.unit.reports.test_comparison_reports import made as made_comparison
from tests.unit.reports.test_comparison_reports import written as written_comparison
from tests.unit.reports.test_correlation_reports import STUDY
from tests.unit.reports.test_correlation_reports import written as written_study
from tests.unit.score_tables import table_of

SCHEMA = json.loads((Path(__file__).parents[3] / "docs" / "report.schema.json").read_text("utf-8"))
MARKS = {"a": (3.5, 2.25), "b": (4.0, 1.0)}
"""What somebody thinks of two EVALs of each system, from 0 to 5."""


def judged(**given: Any) -> Results:
    """Make results with ROUGE-1 and, beside it, the marks."""
    results = made({"a": [0.2], "b": [0.1]}, **given)
    has_bootstrap = results.options.scores.resamples > 0
    systems = {}
    for name, system in results.systems.items():
        mean, interval = (sum(MARKS[name]) / 2, (1.0, 4.0))
        drawn = (mean + 0.001, interval) if has_bootstrap else (None, None)
        score = Measure(mean, drawn[0], drawn[1], np.array(MARKS[name]))
        marks = MetricScores("human mark", {"S": score}, None)
        systems[name] = replace(system, metrics={**system.metrics, marks.name: marks})
    return Results(systems, table_of(systems), results.options)


def columns(results: Results) -> list[str]:
    table = ScoreView(results).document().sections[0].tables[0]
    return [column.heading for column in table.columns]


@pytest.mark.parametrize("measures", [None, "F", "RP"])
def test_whatever_measures_are_asked_for(measures: str | None) -> None:
    results = judged(measures=measures, report="table")
    wanted = [f"ROUGE-1 {letter}" for letter in measures or "F"]
    assert columns(results) == ["System", "N", *wanted, "human mark"]


def test_text() -> None:
    assert report(judged(resamples=0, per_eval=True), "table") == (
        f"""\
System  ROUGE-1 F  human mark
{"─" * 29}
a         0.2000^     2.8750^
b         0.1000      2.5000

Means over 2 texts.
^ best in its column

Text  System  ROUGE-1 F  human mark
{"─" * 35}
1     a         0.10000     3.50000
1     b         0.10000     4.00000
2     a         0.20000     2.25000
2     b         0.20000     1.00000

Scores of each text.

Prediction length / reference length: a 1.50, b 1.50.
rouge-cli:0.1.0|like:1.5.5|n:1|stem:no|stop:no|limit:no|formula:A|alpha:0.5|
count:eval|resamples:0
"""
    )
    coloured = report(judged(), "table", Screen(is_coloured=True))
    assert "\x1b[1m2.8760\x1b[0m\x1b[2m 1.0000–4.0000\x1b[0m" in coloured  # noqa: RUF001


def test_percent_leaves_the_scale_of_others() -> None:
    results = judged(report="table", percent=True, resamples=0)
    assert "\na          20.00^     2.8750^\n" in report(results, "table")
    assert "\nMeans over 2 texts, times 100 (but for human mark).\n" in report(results, "table")


@pytest.mark.parametrize("sort", ["human mark", "HUMAN MARK:S"])
def test_sort(sort: str) -> None:
    results = judged(report="table", sort=sort)
    assert [row[0].text for row in ScoreView(results).document().sections[0].tables[0].rows] == [
        "a", "b",
    ]  # fmt: skip


def test_sort_by_a_measure_that_it_has_not() -> None:
    with pytest.raises(OptionError, match=r"\(ROUGE-1, human mark\), .*:F or :S"):
        report(judged(report="table", sort="human mark:F"), "table")


def test_latex() -> None:
    text = report(judged(), "latex")
    assert r"System & ROUGE-1 F & human mark \\" in text
    assert r"& \textbf{2.8760} \\" in text
    assert r"& {\scriptsize [1.0000,4.0000]} \\[2pt]" in text


def test_classic() -> None:
    lines = report(judged(per_eval=True), "classic").splitlines()
    assert "a human mark Average_S: 2.87600 (95%-conf.int. 1.00000 - 4.00000)" in lines
    assert "a human mark Eval 1.a S:3.50000" in lines
    assert "a ROUGE-1 Eval 1.a R:0.10000 P:0.10000 F:0.10000" in lines


def test_csv() -> None:
    text = report(judged(per_eval=True), "csv")
    rows = [row for row in csv.DictReader(StringIO(text)) if row["metric"] == "human mark"]
    # The deviation of 3.5 and 2.25 is 1.25 / sqrt 2, and that by sqrt 2 is 0.625.
    assert f"\na,human mark,score,,2,2.875,2.876,1.0,4.0,0.625,,,,1.5,{SIGNATURE}\n" in text
    assert "\nb,human mark,score,2,1,1.0,,,,,,,,1.5,\n" in text
    assert [(row["system"], row["eval"]) for row in rows] == [
        ("a", ""), ("b", ""), ("a", "1"), ("a", "2"), ("b", "1"), ("b", "2"),
    ]  # fmt: skip


@pytest.mark.parametrize("per_eval", [False, True])
def test_json(per_eval: bool) -> None:
    found = json.loads(report(judged(per_eval=per_eval), "json"))
    expected = {
        "mean": 2.875,
        "bootstrap_mean": 2.876,
        "interval": [1.0, 4.0],
        "standard_error": 0.625,
    } | ({"per_eval": [3.5, 2.25]} if per_eval else {})
    assert found["systems"][0]["metrics"]["human mark"] == {"score": expected, "counts": None}
    validator = Draft202012Validator(SCHEMA)
    assert list(validator.iter_errors(found)) == []
    del found["systems"][0]["metrics"]["human mark"]["score"]
    assert list(validator.iter_errors(found))


def test_negative_scores_have_a_minus_in_latex() -> None:
    results = judged(resamples=0)
    system = results.systems["b"]
    below = replace(system["human mark"], measures={"S": Measure(-2.5, None, None, np.zeros(2))})
    systems = {
        **results.systems,
        "b": replace(system, metrics={**system.metrics, below.name: below}),
    }
    text = report(replace(results, systems=systems), "latex")
    assert "$-2.5000$" in text


def test_comparison() -> None:
    comparison = made_comparison()
    column = replace(comparison.rankings[0].column, metric="human mark", letter="S")
    pairs = tuple(replace(pair, column=column) for pair in comparison.rankings[0].pairs)
    ranking = replace(comparison.rankings[0], column=column, pairs=pairs)
    comparison = replace(comparison, rankings=(comparison.rankings[0], ranking))
    assert "\nhuman mark  one  two" in written_comparison(comparison, "table")
    verbose = partial(written_comparison, comparison, is_verbose=True)
    assert "\nhuman mark, 30 texts\n" in verbose("table")
    assert "ROUGE-1 F, 30 texts\n" in verbose("table")
    assert "**human mark**\n" in verbose("markdown")
    assert r"\caption{human mark, 30 texts.}" in verbose("latex")
    assert "\nhuman mark,score,one,two,30," in written_comparison(comparison, "csv")
    data = json.loads(written_comparison(comparison, "json"))["metrics"][1]
    assert (data["metric"], data["measure"]) == ("human mark", "score")


def test_correlation() -> None:
    rows = (*STUDY.rows[:2], replace(STUDY.rows[2], metric="human mark", letter="S"))
    text = written_study(replace(STUDY, rows=rows), "table")
    assert text.startswith("a_b: summary level, F\n")
    assert "\nhuman mark       -" in text
    mark = replace(STUDY.columns[0].correlations[2], row=rows[2])
    column = replace(STUDY.columns[0], correlations=(mark,))
    assert '"metric": "human mark",\n          "measure": "score"' in written_study(
        replace(STUDY, columns=(column,)), "json"
    )
    # With several measures the rows say which; a single score has none to say.
    several = (replace(rows[0], letter="R"), rows[1], rows[2])
    text = written_study(replace(STUDY, rows=several), "table")
    assert text.startswith("a_b: summary level\n")
    labels = [line[:10].strip() for line in text.splitlines()[3:6]]
    assert labels == ["ROUGE-1 R", "ROUGE-L F", "human mark"]
