# ruff: noqa: NPY002 - the global generator is part of the interface
"""``like="google"`` against the package itself: equal to the last bit."""

import os
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.compat.rouge_scorer import RougeScorer
from rouge_cli.compat.scoring import BootstrapAggregator, Score
from tests.property.compat_texts import text_by_chance, texts

ALL_TYPES = [*(f"rouge{n}" for n in range(1, 10)), "rougeL", "rougeLsum"]

package_scorer = pytest.importorskip(
    "rouge_score.rouge_scorer", reason="rouge-score is not installed"
)
package_scoring = pytest.importorskip("rouge_score.scoring")

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "steady")
N_PAIRS = {"search": 100_000, "quick": 2_500}.get(PROFILE, 10_000)

THEIRS = {stem: package_scorer.RougeScorer(ALL_TYPES, use_stemmer=stem) for stem in (False, True)}
OURS = {stem: RougeScorer(ALL_TYPES, use_stemmer=stem, like="google") for stem in (False, True)}


@given(texts, texts, st.booleans())
def test_scores_of_the_package(target: str, prediction: str, stem: bool) -> None:
    assert OURS[stem].score(target, prediction) == THEIRS[stem].score(target, prediction)


@given(st.lists(texts, min_size=1, max_size=4), texts, st.booleans())
def test_choice_of_the_package(targets: list[str], prediction: str, stem: bool) -> None:
    found = OURS[stem].score_multi(targets, prediction)
    assert found == THEIRS[stem].score_multi(targets, prediction)


def test_many_pairs_of_the_package() -> None:
    few = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    theirs = {stem: package_scorer.RougeScorer(few, use_stemmer=stem) for stem in (False, True)}
    ours = {stem: RougeScorer(few, use_stemmer=stem, like="google") for stem in (False, True)}
    random = Random(PROFILE)
    scores: set[Score] = set()
    for _ in range(N_PAIRS):
        target, prediction = text_by_chance(random), text_by_chance(random)
        # The package stems a word anew each time, which takes most of the time.
        stem = random.random() < 0.08
        found = ours[stem].score(target, prediction)
        assert found == theirs[stem].score(target, prediction), (target, prediction, stem)
        scores.update(found.values())
    assert len(scores) > min(1000, N_PAIRS // 10)


@given(
    st.lists(st.tuples(*[st.floats(0, 1)] * 3), min_size=1, max_size=40),
    st.floats(0, 1),
    st.integers(1, 30),
)
def test_bounds_of_the_package(
    scores: list[tuple[float, float, float]], confidence: float, n_samples: int
) -> None:
    ours = BootstrapAggregator(confidence, n_samples, like="google")
    theirs = package_scoring.BootstrapAggregator(confidence, n_samples)
    for number, score in enumerate(scores):
        # Metrics of unequal numbers of pairs, which draw one after the other.
        names = ["rouge1", "rougeL"] if number % 3 else ["rouge1"]
        ours.add_scores({name: Score(*score) for name in names})
        theirs.add_scores({name: package_scoring.Score(*score) for name in names})
    np.random.seed(0)
    expected = theirs.aggregate()
    behind = np.random.random()
    np.random.seed(0)
    assert ours.aggregate() == expected
    assert np.random.random() == behind
