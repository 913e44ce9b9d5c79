"""Results in Python: numbers by name, and every form in which they show themselves."""

import copy
import json
import pickle
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rouge_cli
from rouge_cli.reports import Screen, write_report
from rouge_cli.studies.score.view import ScoreView

SYSTEMS = {
    "a": ["police kill the gunman", "the gunman kill police"],
    "b": ["the police gunman", "police killed the gunman"],
}
REFERENCES = ["police killed the gunman", "police killed the gunman"]


def run(predictions: Any = SYSTEMS, **options: Any) -> rouge_cli.Results:
    return rouge_cli.evaluate(predictions, REFERENCES, **{"max_ngram": 1, **options})


def test_numbers_of_the_only_system() -> None:
    results = run(SYSTEMS["a"])
    recall = results["ROUGE-L"].recall
    # Three words of four in order, then two of four.
    assert recall.per_eval.tolist() == [0.75, 0.5]
    assert recall.per_eval.dtype == np.float64
    assert recall.mean == 0.625
    assert recall.interval == (0.5, 0.75)
    assert recall.bootstrap_mean is not None
    assert list(results.systems) == ["X"]
    assert results["ROUGE-L"] is results.systems["X"]["ROUGE-L"]


def test_numbers_of_several_systems() -> None:
    results = run()
    assert list(results.systems) == ["a", "b"]
    assert results.systems["a"]["ROUGE-1"].recall.per_eval.tolist() == [0.75, 0.75]
    assert results.systems["b"]["ROUGE-1"].recall.per_eval.tolist() == [0.75, 1.0]
    assert [metric.name for metric in results.systems["b"]] == ["ROUGE-1", "ROUGE-L"]
    assert [metric.name for metric in results] == ["ROUGE-1", "ROUGE-L"] * 2
    assert results.metric_names == ("ROUGE-1", "ROUGE-L")


def test_without_a_bootstrap() -> None:
    measure = run(SYSTEMS["a"], resamples=0)["ROUGE-L"].recall
    assert (measure.mean, measure.bootstrap_mean, measure.interval) == (0.625, None, None)


# Forms.


def test_table() -> None:
    results = run(measures="RF", sort="ROUGE-L:R", percent=True, per_eval=True)
    shown = str(results)
    assert shown + "\n" == "".join(write_report(ScoreView(results), "table", Screen(width=80)))
    lines = shown.splitlines()
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in shown
    # The best in ROUGE-L comes first: a has 0.625, b 0.75.
    names = [line.split()[0] for line in lines if line[:2] in {"a ", "b "}]
    assert names[:2] == ["b", "a"]


def test_forms_are_the_reports() -> None:
    results = run(per_eval=True)
    assert results.to_dict() == ScoreView(results).data()
    assert results.to_markdown() == "".join(write_report(ScoreView(results), "markdown"))
    assert results.to_latex() == "".join(write_report(ScoreView(results), "latex"))
    assert results._repr_html_() == "".join(write_report(ScoreView(results), "notebook"))


def test_json() -> None:
    results = run()
    assert json.loads(results.to_json()) == results.to_dict()
    assert json.loads(results.to_json(indent=2)) == results.to_dict()
    assert "\n" not in results.to_json()
    assert results.to_json(indent=2).startswith('{\n  "program": "rouge-cli",\n')
    found = results.to_dict()["systems"][0]["metrics"]["ROUGE-L"]["recall"]["mean"]
    assert found == 0.625


@pytest.mark.parametrize("resamples", [0, 100])
def test_data_frame(resamples: int) -> None:
    results = run(per_eval=True, resamples=resamples)
    frame = results.to_dataframe()
    assert tuple(frame.columns) == next(ScoreView(results).rows())
    assert all(
        frame[name].dtype == np.float64
        for name in ("mean", "bootstrap_mean", "lower", "upper", "standard_error")
    )
    assert frame["bootstrap_mean"].isna().all() == (resamples == 0)
    totals = frame[frame["eval"].isna()]
    # Two systems, two metrics, three measures; then the same for each of two EVALs.
    assert (len(totals), len(frame)) == (12, 36)
    recall = totals[(totals["metric"] == "ROUGE-L") & (totals["measure"] == "recall")]
    assert dict(zip(recall["system"], recall["mean"], strict=True)) == {"a": 0.625, "b": 0.75}
    assert recall["n"].tolist() == [2, 2]
    pd.testing.assert_frame_equal(
        frame[["mean", "bootstrap_mean"]],
        pd.read_csv(StringIO(results.to_csv()))[["mean", "bootstrap_mean"]],
    )


def test_data_frame_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(rouge_cli.RougeError) as caught:
        run().to_dataframe()
    assert str(caught.value) == (
        "to_dataframe needs pandas, which is not installed: python -m pip install pandas"
    )


def test_classic() -> None:
    (one,) = run(SYSTEMS["a"], lcs=False, resamples=1, confidence=90).systems.values()
    classic = run(SYSTEMS["a"], lcs=False, confidence=90).to_classic()
    line = "(90%-conf.int. 0.75000 - 0.75000)"
    assert classic == (
        f"{'-' * 45}\n" + "".join(f"X ROUGE-1 Average_{m}: 0.75000 {line}\n" for m in "RPF")
    )
    assert one["ROUGE-1"].recall.mean == 0.75


def test_raw_counts() -> None:
    results = run(SYSTEMS["a"], lcs=False, counting=2)
    # Twice four words in the models and the peers, of which three and then three are shared.
    expected = f"{'-' * 45}\nX ROUGE-1 M_count: 8 P_count: 8 H_count: 6"
    assert str(results) == expected
    assert results.to_classic() == expected + "\n"
    assert results._repr_html_() is None
    assert results.to_dict()["systems"][0]["metrics"]["ROUGE-1"]["counts"]["hit"] == 6


def test_copies() -> None:
    results = run()
    for other in (pickle.loads(pickle.dumps(results)), copy.deepcopy(results)):
        assert isinstance(other, rouge_cli.Results)
        assert other.to_json() == results.to_json()


def test_class_by_name() -> None:
    assert isinstance(run(), rouge_cli.Results)
    assert "Results" in rouge_cli.__all__


def test_worst_of_an_only_system_and_as_a_data_frame() -> None:
    results = rouge_cli.evaluate(["a x", "b"], ["a", "b"], max_ngram=1, resamples=0)
    frame = pd.DataFrame(results.worst())
    assert frame["id"].tolist() == ["1", "2"]
    assert frame["score"].tolist() == [0.66667, 1.0]


def test_worst_of_a_metric_of_errors_is_the_highest() -> None:
    class Errors:
        name, signature, measures, is_lower_better = "errors", "letters", ("S",), True

        def score(self, peers: list[str], models: list[list[str]]) -> list[int]:
            return list(map(len, peers))

    results = rouge_cli.evaluate(["ab", "abc", "a"], ["a", "b", "c"], add=Errors(), resamples=0)
    assert [(one.id, one.score) for one in results.worst(2, "errors")] == [("2", 3.0), ("1", 2.0)]


def test_compare_is_the_function() -> None:
    results = run(resamples=0)
    expected = rouge_cli.compare(results, measures="RP", system_ids=["b", "a"])
    assert results.compare(measures="RP", system_ids=["b", "a"]).to_json() == expected.to_json()


def test_scores_held_against_conditions_and_earlier_results(tmp_path: Path) -> None:
    references = ["a b c d"] * 30
    options: dict[str, Any] = {"max_ngram": 1, "lcs": False, "resamples": 0}
    before = rouge_cli.evaluate(["a b c d"] * 30, references, per_eval=True, **options)
    now = rouge_cli.evaluate(["a b c"] * 30, references, **options)
    # R = 3/4, P = 1, F = 6/7 = 0.85714 in each EVAL.
    assert before.check(require="ROUGE-1:F>=1", baseline=before).failures == ()
    assert now.check(require=["ROUGE-1:F>=0.9"], baseline=before, max_drop=0.2).failures == (
        "X ROUGE-1 F: 0.85714, required >= 0.9",
    )
    path = tmp_path / "before.json"
    path.write_text(before.to_json())
    for baseline in (before, path):
        verdict = now.check(baseline=baseline, not_worse_than=0.1)
        # 3 in 30 of the baseline's 1 might be lost unseen.
        assert verdict.failures == (
            "X ROUGE-1 F: 0.14286 worse than the baseline in 30 texts, lower bound -0.24286 at "
            "95% (0.10000 of it for failures that are unseen), required above -0.1",
        )
        (bound,) = verdict.bounds
        assert not bound.is_met
        assert bound.lower_bound == pytest.approx(-0.24286)
        assert now.check(baseline=baseline, not_worse_than=0.25).failures == ()
    fewer = rouge_cli.evaluate(["a b"], ["a b"], **options)
    with pytest.raises(rouge_cli.InputError, match=r'evaluate\(..., unmatched="skip"\)'):
        fewer.check(baseline=before, not_worse_than=0.9)
    skipping = rouge_cli.evaluate(["a b"], ["a b"], unmatched="skip", **options)
    (bound,) = skipping.check(baseline=before, not_worse_than=0.9).bounds
    assert bound.n_evals == 1


def test_earlier_results_of_other_options() -> None:
    before = rouge_cli.evaluate(["a"], ["a"], stem=True)
    now = rouge_cli.evaluate(["a"], ["a"])
    with pytest.raises(rouge_cli.InputError, match="the baseline: made with other options"):
        now.check(baseline=before)


# Frames.


def test_a_frame_of_one_system() -> None:
    frame = rouge_cli.evaluate(["a b", "c"], ["a", "d"], max_ngram=1, lcs=False).frame()
    assert list(frame.columns) == ["ROUGE-1 R", "ROUGE-1 P", "ROUGE-1 F"]
    assert (frame.index.name, list(frame.index)) == ("id", ["1", "2"])
    # Of "a b" one word of two is in "a", whose only word is found.
    assert frame.to_numpy().tolist() == [[1.0, 0.5, 0.66667], [0.0, 0.0, 0.0]]


def test_a_frame_of_several_systems() -> None:
    systems = {"x": ["a", "b"], "y": ["b", "b"]}
    frame = rouge_cli.evaluate(systems, ["a", "b"], max_ngram=1, lcs=False).frame()
    assert frame.index.names == ["system", "id"]
    assert frame["ROUGE-1 F"].unstack("system").to_dict("list") == {"x": [1, 1], "y": [0, 1]}


def test_lazy_frames_are_collected() -> None:
    class LazyFrame:
        """As Polars has it: it has columns, and rows only when collected."""

        def collect(self) -> object:
            return pd.DataFrame({"prediction": ["a b"], "reference": ["a b"]})

    assert rouge_cli.evaluate(LazyFrame())["ROUGE-2"].f_measure.mean == 1  # type: ignore[arg-type]


def test_dir_has_what_the_package_offers() -> None:
    assert dir(rouge_cli) == sorted(rouge_cli.__all__)
    assert all(hasattr(rouge_cli, name) for name in dir(rouge_cli))
