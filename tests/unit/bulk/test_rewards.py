"""Scorers, and rewards: for TRL, and for verl, which must never see an exception."""

from typing import Any

import numpy as np
import pytest

import rouge_cli
from rouge_cli import bulk
from rouge_cli.errors import RougeWarning
from rouge_cli.integrations.verl import compute_score


def test_rewards() -> None:
    """Of "the cat sat" two words of three are the reference's two: F is 2 * 2 / (3 + 2)."""
    function = bulk.reward("ROUGE-1:F")
    assert function.__name__ == "ROUGE-1:F"
    messages = [[{"role": "assistant", "content": "the cat sat"}]]
    parts = [[{"content": [{"type": "text", "text": "the cat "}, {"text": "sat"}]}]]
    for completions in (["the cat sat"], messages, parts):
        rewards = function(
            prompts=["a"], completions=completions, completion_ids=[[1]], reference=["the cat"]
        )
        assert rewards == [0.8]
        assert type(rewards[0]) is float


def test_missing_references() -> None:
    function = bulk.reward("ROUGE-1:R", column="target")
    given = [None, [], ["a", "b c"], "b"]
    # Recall of both references together: one word of three.
    assert function(completions=["a"] * 4, target=given) == [None, None, 0.33333, 0.0]
    assert function(completions=["a"], target=[None]) == [None]


def test_metrics() -> None:
    """The LCS of "b a c" and "a b c" has 2 words of 3; the bigrams have nothing in common."""
    texts: dict[str, Any] = {"completions": ["b a c"], "reference": ["a b c"]}
    assert bulk.reward()(**texts) == [0.66667]
    assert bulk.reward("ROUGE-2:F")(**texts) == [0.0]
    assert bulk.reward("rougeL:F", protocol="rouge-score")(**texts) == [2 / 3]
    assert bulk.reward("rougeLsum:P", protocol="rouge-score")(**texts) == [2 / 3]


def test_verl_takes_one_or_a_batch() -> None:
    one = compute_score("news", "the cat sat", "the cat", None, metric="ROUGE-1:F")
    assert (type(one), one) == (float, 0.8)
    by_name = {"data_source": "x", "solution_str": "b a c", "ground_truth": ["a b c", "b"]}
    assert compute_score(**by_name, extra_info={}, metric="ROUGE-1:R") == 1.0
    batch = compute_score(
        data_sources=["x"] * 2,
        solution_strs=["the cat sat", "a"],
        ground_truths=["the cat", "a"],
        extra_infos=[{}, {}],
        metric="ROUGE-1:F",
    )
    assert batch == [0.8, 1.0]
    assert set(map(type, batch)) == {float}


@pytest.mark.parametrize(
    ("solutions", "references", "options", "rewards", "message"),
    [
        (["a", "b"], ["a", None], {}, [1.0, 0.0], "1 of 2 solutions have no text or no reference"),
        (["a", "b"], ["a"], {}, [1.0, 0.0], "1 of 2 solutions"),
        ([None, 3, "a"], ["a"] * 3, {}, [0.0, 0.0, 1.0], "2 of 3 solutions"),
        (["a"], None, {}, [0.0], "1 of 1 solutions"),
        (["a"], ["a"], {"metric": "ROUGE-1:X"}, [0.0], "all rewards are 0: metric: found"),
        (["a"], ["a"], {"metric": None}, [0.0], "all rewards are 0"),
        (["a"], ["a"], {"protocol": "none"}, [0.0], "all rewards are 0"),
        (["a"], ["a"], {"reward_router_address": 1}, [1.0], "no option 'reward_router_address'"),
    ],
)
def test_verl_never_raises(
    solutions: Any, references: Any, options: Any, rewards: list[float], message: str
) -> None:
    with pytest.warns(RougeWarning, match=message):
        found = compute_score(solution_strs=solutions, ground_truths=references, **options)
    assert found == rewards
    assert set(map(type, found)) == {float}


def test_scores_are_rows_of_recall_precision_and_f() -> None:
    # "the cat sat" has 2 words of "the cat": recall 2/2, precision 2/3, F .8; one bigram of 2.
    scores = rouge_cli.Scorer(max_ngram=2).score(["the cat sat"], ["the cat"])
    assert list(scores) == ["ROUGE-1", "ROUGE-2", "ROUGE-L"]
    assert scores["ROUGE-1"].tolist() == [[1.0, 0.66667, 0.8]]
    assert scores["ROUGE-2"].tolist() == [[1.0, 0.5, 0.66667]]
    assert rouge_cli.Scorer is bulk.Scorer


def test_a_metric_with_a_single_score_has_it_as_f() -> None:
    (row,) = bulk.Scorer(protocol="evaluate").score(["the cat sat"], ["the cat"])["rouge1"]
    assert np.isnan(row[:2]).all()
    assert row[2] == 0.8
