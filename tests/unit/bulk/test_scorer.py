"""Scores of predictions, against those of `rouge_cli.score` and by hand."""

import numpy as np

import rouge_cli
from rouge_cli.bulk import Scorer


def test_scores_are_rows_of_recall_precision_and_f() -> None:
    # "the cat sat" has 2 words of "the cat": recall 2/2, precision 2/3, F .8; one bigram of 2.
    scores = Scorer(max_ngram=2).score(["the cat sat"], ["the cat"])
    assert list(scores) == ["ROUGE-1", "ROUGE-2", "ROUGE-L"]
    assert scores["ROUGE-1"].tolist() == [[1.0, 0.66667, 0.8]]
    assert scores["ROUGE-2"].tolist() == [[1.0, 0.5, 0.66667]]


def test_the_package_has_the_same_class() -> None:
    assert rouge_cli.Scorer is Scorer


def test_a_metric_with_a_single_score_has_it_as_f() -> None:
    (row,) = Scorer(protocol="evaluate").score(["the cat sat"], ["the cat"])["rouge1"]
    assert np.isnan(row[:2]).all()
    assert row[2] == 0.8
