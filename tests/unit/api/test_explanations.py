"""`rouge_cli.explain`: what it explains, how it shows it, and what it refuses."""

import importlib
import json
from typing import Any

import rouge_cli

PREDICTIONS = {"a": ["police kill", "b c", "d e"], "b": ["police", "b", "d x"]}
REFERENCES = ["police killed", "b c d", "d e"]
"""F of ROUGE-1: a 1/2, 4/5, 1; b 2/3, 1/2, 1/2."""

ONE: dict[str, Any] = {"max_ngram": 1, "lcs": False}


def test_one_text() -> None:
    explanation = rouge_cli.explain("police kill the gunman", "police killed the gunman", **ONE)
    (explained,) = explanation.evals
    (metric,) = explained.peers[0].metrics
    assert metric.tally is not None
    # Three words of four on each side.
    assert (metric.tally.hit, metric.tally.model_count, metric.tally.peer_count) == (3, 4, 4)
    assert "  prediction   [police] kill [the gunman]\n" in f"{explanation}\n"


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


def test_it_stays_a_function() -> None:
    # Nothing that the package imports has its name.
    for module in ("explanations", "explanations.view", "cli.other_commands", "api"):
        importlib.import_module(f"rouge_cli.{module}")
    assert callable(rouge_cli.explain)
    assert not hasattr(rouge_cli.explain, "__path__")
