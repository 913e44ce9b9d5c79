"""The reports for programs: JSON and its schema, and tidy CSV."""

import csv
import json
from io import StringIO
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
from tests.unit.reports.made import ODD_IDS, judged, made, odd, report

ROOT = Path(__file__).parents[3]
SCHEMA = json.loads((ROOT / "docs" / "report.schema.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)


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


@pytest.mark.parametrize("per_eval", [False, True])
def test_schema_of_a_single_score(per_eval: bool) -> None:
    found = read(judged(per_eval=per_eval))
    del found["systems"][0]["metrics"]["human mark"]["score"]
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


def test_ids_are_data_in_json() -> None:
    results = odd(per_eval=True)
    assert [system["id"] for system in read(results)["systems"]] == ODD_IDS
    text = report(results, "json")
    assert r'"raw\udcff"' in text
    assert '"\u4e2d\u6587\u6a21\u578b"' in text
    assert "\x1b" not in text


@pytest.mark.parametrize("system", ["=cmd|calc!A0", "+1", "-a", "@SUM(A1)", " =1"])
def test_formulas_in_csv(system: str) -> None:
    results = made({system: [0.2]})
    plain = list(csv.reader(StringIO(report(results, "csv"))))
    safe = list(csv.reader(StringIO(report(results, "csv-safe"))))
    assert {row[0] for row in plain[1:]} == {system}
    assert {row[0] for row in safe[1:]} == {f"'{system}"}
    assert [row[1:] for row in safe] == [row[1:] for row in plain]
    assert safe[0] == plain[0]


def test_ids_are_data_in_csv() -> None:
    results = odd()
    rows = list(csv.DictReader(StringIO(report(results, "csv"), newline="")))
    assert [row["system"] for row in rows[::3]] == ODD_IDS
    assert "\n=1+1,ROUGE-1" in report(results, "csv")
    assert '\n"two\nlines' in report(results, "csv")
    assert '\n"<b>`{$^~#}\\""--\'\'",ROUGE-1' in report(results, "csv")
