"""Metrics that have one score and no counts: what written/single-scores.txt does not show."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from rouge_cli.errors import OptionError
from rouge_cli.reports import Screen
from rouge_cli.scores.results import Measure
from tests.unit.reports.made import judged, report

SCHEMA = json.loads((Path(__file__).parents[3] / "docs" / "report.schema.json").read_text("utf-8"))


def test_colours() -> None:
    coloured = report(judged(), "table", Screen(is_coloured=True))
    assert "\x1b[1m2.8760\x1b[0m\x1b[2m 1.0000–4.0000\x1b[0m" in coloured  # noqa: RUF001


@pytest.mark.parametrize("sort", ["human mark", "HUMAN MARK:S"])
def test_sort(sort: str) -> None:
    assert "\na  " in report(judged(report="table", sort=sort), "table").partition("\nb  ")[0]


def test_sort_by_a_measure_that_it_has_not() -> None:
    with pytest.raises(OptionError, match=r"\(ROUGE-1, human mark\), .*:F or :S"):
        report(judged(report="table", sort="human mark:F"), "table")


@pytest.mark.parametrize("per_eval", [False, True])
def test_schema(per_eval: bool) -> None:
    found = json.loads(report(judged(per_eval=per_eval), "json"))
    validator = Draft202012Validator(SCHEMA)
    assert list(validator.iter_errors(found)) == []
    del found["systems"][0]["metrics"]["human mark"]["score"]
    assert list(validator.iter_errors(found))


def test_negative_scores_have_a_minus_in_latex() -> None:
    results = judged(resamples=0)
    system = results.systems["b"]
    below = replace(system["human mark"], measures={"S": Measure(-2.5, None, None, np.zeros(2))})
    lower = replace(system, metrics={**system.metrics, below.name: below})
    text = report(replace(results, systems={**results.systems, "b": lower}), "latex")
    assert "$-2.5000$" in text
