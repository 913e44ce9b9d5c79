"""`rouge_cli.explain`: what it explains, how it shows it, and what it refuses."""

import importlib
import json
from typing import Any

import pytest

import rouge_cli
from rouge_cli.errors import InputError, OptionError

PREDICTIONS = {"a": ["police kill", "b c", "d e"], "b": ["police", "b", "d x"]}
REFERENCES = ["police killed", "b c d", "d e"]
"""F of ROUGE-1: a 1/2, 4/5, 1; b 2/3, 1/2, 1/2."""

ONE: dict[str, Any] = {"max_ngram": 1, "lcs": False}


def chosen(**options: Any) -> list[tuple[str, list[str]]]:
    """Return the EVALs that are explained, each with its systems."""
    explanation = rouge_cli.explain(PREDICTIONS, REFERENCES, **ONE, **options)
    return [(one.id, [peer.text.name for peer in one.peers]) for one in explanation.evals]


def test_one_text() -> None:
    explanation = rouge_cli.explain("police kill the gunman", "police killed the gunman", **ONE)
    (explained,) = explanation.evals
    (metric,) = explained.peers[0].metrics
    assert metric.tally is not None
    # Three words of four on each side.
    assert (metric.tally.hit, metric.tally.model_count, metric.tally.peer_count) == (3, 4, 4)
    assert "  prediction   [police] kill [the gunman]\n" in f"{explanation}\n"
    assert repr(explanation) == "<Explanation: 1 text>"


def test_several_references_of_one_text() -> None:
    explanation = rouge_cli.explain("a b", ["a", "b c"], **ONE)
    assert [model.sentences for model in explanation.evals[0].models] == [("a",), ("b c",)]


def test_which_are_explained() -> None:
    assert chosen(eval_ids=["3", "1"]) == [("3", ["a", "b"]), ("1", ["a", "b"])]
    assert chosen(eval_ids="2", system_ids="b") == [("2", ["b"])]
    # The lowest F of a is in EVAL 1, that of b in 2, the first of two equal ones.
    assert chosen(worst=1) == [("1", ["a"]), ("2", ["b"])]
    assert chosen(best=1, sort="ROUGE-1:F", system_ids=["a"]) == [("3", ["a"])]
    # a falls behind b in EVAL 1 alone.
    assert chosen(worst=1, against="b") == [("1", ["a", "b"])]


def test_reports() -> None:
    explanation = rouge_cli.explain(
        PREDICTIONS, REFERENCES, eval_ids=["1"], texts=True, stem=True, **ONE
    )
    report = json.loads(explanation.to_json())
    assert [one["id"] for one in report["evals"]] == ["1"]
    assert "killed→kill" in explanation.to_markdown()
    assert "<title>" in explanation.to_html(title="Why")
    assert explanation.to_csv().splitlines()[1].startswith("1,a,ROUGE-1,1.0,1.0,1.0")
    assert report["evals"][0]["systems"][1]["sentences"] == ["police"]
    without = rouge_cli.explain(PREDICTIONS, REFERENCES, eval_ids=["1"], **ONE)
    assert "sentences" not in without.to_dict()["evals"][0]["systems"][1]


def test_warnings() -> None:
    explanation = rouge_cli.explain("a", "a", resamples=5, **ONE)
    assert explanation.warnings == ("no effect on the scores of a text: -r/--resamples",)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "3 texts in the input; name one"),
        ({"eval_ids": ["9"]}, "no text '9' in the input"),
        ({"eval_ids": ["1"], "worst": 1}, "exclude each other"),
        ({"worst": 0}, "found 0, expected a whole number from 1 on"),
        ({"worst": 1, "sort": "X"}, "found 'X', expected a metric of this run"),
        ({"worst": 1, "against": "c"}, "no system 'c' in the input"),
        ({"report": "json", "worst": 1}, "report is for the command line; in Python results have"),
        ({"page_title": "x", "worst": 1}, "page_title is for the command line"),
        ({"percent": True, "worst": 1}, "percent: an explanation has no such option"),
        ({"require": "ROUGE-1:F>0", "worst": 1}, "require is for the command line"),
        ({"jackknife": True, "worst": 1}, "jackknife scores a text several times"),
        ({"unknown": 1, "worst": 1}, "unknown option 'unknown'"),
    ],
)
def test_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        rouge_cli.explain(PREDICTIONS, REFERENCES, **options)


def test_texts_are_checked() -> None:
    with pytest.raises(InputError, match="2 predictions but 1 lists of references"):
        rouge_cli.explain(["a", "b"], ["a"], eval_ids=["1"])


def test_a_data_frame() -> None:
    pandas = pytest.importorskip("pandas")
    rows = {**PREDICTIONS, "reference": REFERENCES, "name": ["x", "y", "z"]}
    explanation = rouge_cli.explain(
        pandas.DataFrame(rows), "reference", prediction=["a", "b"], id="name", worst=1, **ONE
    )
    assert [one.id for one in explanation.evals] == ["x", "y"]


def test_it_stays_a_function() -> None:
    # Nothing that the package imports has its name.
    for module in ("explanations", "explanations.view", "cli.other_commands", "api"):
        importlib.import_module(f"rouge_cli.{module}")
    assert callable(rouge_cli.explain)
    assert not hasattr(rouge_cli.explain, "__path__")
