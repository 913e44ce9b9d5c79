"""The JSON report, and its schema."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from rouge_cli.metrics.counts import Counts, InstanceScores
from rouge_cli.metrics.formulas import score_counts
from rouge_cli.metrics.metric import scored_metrics
from rouge_cli.options.options import OPTIONS
from rouge_cli.scores.results import MetricColumn, Results, ScoreTable, SystemTable
from rouge_cli.scores.summaries import summarise
from rouge_cli.studies.score.view import ScoreView
from tests.unit.reports.made import ODD_IDS, SIGNATURE, made, odd, report

ROOT = Path(__file__).parents[3]
SCHEMA = json.loads((ROOT / "docs" / "report.schema.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)

NOTE = (
    "config.xml has these texts as ROUGE-1.5.5 reads them; rouge-cli convert --to xml "
    "writes it, with the texts beside it"
)
START = f"""\
{{
  "program": "rouge-cli",
  "version": "0.1.0",
  "schema_version": 1,
  "signature": "{SIGNATURE}",
  "command": "ROUGE-1.5.5.pl -n 1 -x -d -a config.xml",
  "command_note": "{NOTE}",
  "options": {{
    "max_ngram": 1,
    "lcs": false,
"""
END = """\
  "warnings": ["\u4e2d: no tokens"],
  "systems": [
    {
      "id": "a",
      "n_evals": 2,
      "evals": ["1", "2"],
      "metrics": {
        "ROUGE-1": {
          "recall": {
            "mean": 0.249,
            "bootstrap_mean": 0.25,
            "interval": [0.15, 0.35],
            "standard_error": 0.05,
            "per_eval": [0.1, 0.2]
          },
          "precision": {
            "mean": 0.149,
            "bootstrap_mean": 0.15,
            "interval": [0.05, 0.25],
            "standard_error": 0.05,
            "per_eval": [0.1, 0.2]
          },
          "f_measure": {
            "mean": 0.199,
            "bootstrap_mean": 0.2,
            "interval": [0.1, 0.3],
            "standard_error": 0.05,
            "per_eval": [0.1, 0.2]
          },
          "counts": {
            "hit": 3,
            "model": 6,
            "peer": 9,
            "per_eval": {
              "hit": [1, 2],
              "model": [2, 4],
              "peer": [3, 6]
            }
          }
        }
      },
      "length_ratio": 1.5
    }
  ]
}
"""


def no_constant(name: str) -> None:
    """Refuse NaN and Infinity, which are no JSON."""
    raise AssertionError(name)


def read(results: Results) -> dict[str, Any]:
    """Return the report, read again, and check that it is that of Python and fits the schema."""
    text = report(results, "json")
    text.encode("utf-8")
    found: dict[str, Any] = json.loads(text, parse_constant=no_constant)
    assert found == ScoreView(results).data()
    assert [error.message for error in VALIDATOR.iter_errors(found)] == []
    return found


def computed(**given: Any) -> Results:
    """Return the results of a run with two systems in three EVALs, and with one in one."""
    options = made({}, **({"max_ngram": None, "lcs": True} | given)).options
    counts = Counts(np.array([0, 1, 2, 3, 4, 5, 0]), np.full(7, 6), np.full(7, 7.5))
    metrics = scored_metrics(options.metrics)
    scores = InstanceScores(score_counts(counts, options.scores.alpha.value), counts)
    systems = {}
    for name, eval_ids, places in (
        ("a", "123", [0, 2, 4]),
        ("b", "123", [1, 3, 5]),
        ("c", "4", [6]),
    ):
        of_system = scores.take(np.array(places))
        columns = {
            metric.name: MetricColumn(metric, of_system.values, of_system.counts)
            for metric in metrics
        }
        systems[name] = SystemTable(name, tuple(eval_ids), columns)
    table = ScoreTable(systems, tuple(metrics))
    return Results(summarise(table, options.scores), table, options)


def test_report() -> None:
    results = made({"a": [0.2]}, warnings=["\u4e2d: no tokens"], per_eval=True)
    text = report(results, "json")
    assert text.startswith(START)
    assert text.endswith(END)


def test_evals_only_where_asked_for() -> None:
    (system,) = read(made({"a": [0.2]}))["systems"]
    assert "evals" not in system
    assert set(system["metrics"]["ROUGE-1"]["counts"]) == {"hit", "model", "peer"}
    assert "per_eval" not in system["metrics"]["ROUGE-1"]["recall"]


def test_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"max_ngram": 4, "weight": "1.2", "max_gap": "4", "skip_and_unigram": True},
        {"max_gap": -1, "skip_unigram": True, "weight": 2, "alpha": 1, "confidence": "99.9"},
        {"max_gap": "+4"},
        {"basic_elements": "HMR1", "stem_models": True},
        {"resamples": 0, "per_eval": True, "words": 100},
        {"counting": 1, "per_eval": True, "bytes": 665, "formula": "B"},
        {"counting": 2, "report": "json", "remove_stopwords": True},
        {"counting": 2, "report": "json", "per_eval": True},
        {"sentences": "nltk", "stem": True, "resamples": 1},
    ],
    ids=str,
)
def test_schema_fits(given: dict[str, Any]) -> None:
    found = read(computed(**given))
    assert len(found["systems"]) == 3
    assert found["systems"][2]["n_evals"] == 1


def test_schema_refuses() -> None:
    # Whatever is added to an object, or taken from it, is noticed.
    found = ScoreView(computed()).data()
    assert list(VALIDATOR.iter_errors(found | {"more": 1}))
    for key in found:
        assert list(VALIDATOR.iter_errors({k: v for k, v in found.items() if k != key}))
    metric = found["systems"][0]["metrics"]["ROUGE-L"]
    metric["recall"]["mean"] = "0.5"
    assert list(VALIDATOR.iter_errors(found))


def test_options_that_say_what_is_computed() -> None:
    found = ScoreView(computed(weight="1.20", max_gap=-1, confidence=90)).data()["options"]
    assert found["weight"] == 1.2
    assert found["max_gap"] == -1
    assert found["confidence"] == 90
    assert isinstance(found["confidence"], int)
    scoring = {
        n for n, o in OPTIONS.items() if o.heading in {"Metrics", "Text", "Language", "Scores"}
    }
    assert set(found) == scoring | {"sentences", "per_eval"}


def test_the_same_whatever_it_took() -> None:
    plain = made({"a": [0.2]})
    busy = made({"a": [0.2]}, jobs=2, verbose=True, output="x.json", report="json")
    assert report(plain, "json") == report(busy, "json")


def test_standard_errors_that_there_are_not() -> None:
    systems = read(computed())["systems"]
    assert systems[0]["metrics"]["ROUGE-L"]["recall"]["standard_error"] > 0
    assert systems[2]["metrics"]["ROUGE-L"]["recall"]["standard_error"] is None


def test_odd_ids() -> None:
    results = odd(per_eval=True)
    assert [system["id"] for system in read(results)["systems"]] == ODD_IDS
    text = report(results, "json")
    assert r'"raw\udcff"' in text
    assert '"\u4e2d\u6587\u6a21\u578b"' in text
    assert "\x1b" not in text


def test_counts_beyond_all_numbers() -> None:
    results = made({"a": [0.2]}, per_eval=True)
    system = results.systems["a"]
    counts = Counts(np.array([1.5, np.inf]), np.array([2.0, 3.0]), np.array([2**70, 1], object))
    metrics = {"ROUGE-1": replace(system.metrics["ROUGE-1"], counts=counts)}
    found = read(replace(results, systems={"a": replace(system, metrics=metrics)}))
    assert found["systems"][0]["metrics"]["ROUGE-1"]["counts"] == {
        "hit": None,
        "model": 5,
        "peer": 2**70 + 1,
        "per_eval": {"hit": [1.5, None], "model": [2, 3], "peer": [2**70, 1]},
    }
