"""Scores as whole numbers, whatever the metric; and metrics that have one measure of their own."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from rouge_cli.errors import OptionError
from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.scores.results import MetricColumn, ScoreTable, SystemTable
from rouge_cli.studies.compare.comparison import compare
from rouge_cli.studies.score_columns import ScoreColumn, columns_of, score_matrix, shared_scores
from tests.unit.studies.comparisons import plan, results_of, single_scores

HUMAN = ScoredMetric("human", ("S",))
ROUGE = ScoredMetric("ROUGE-1")


def table(scores: Mapping[str, Sequence[float]]) -> ScoreTable:
    """Return a table of one metric; EVALs are a, b, c and so on."""
    return single_scores(
        {name: dict(zip("abcd", row, strict=False)) for name, row in scores.items()}
    )


def shared(scores: Mapping[str, Sequence[float]]) -> tuple[list[Any], list[float], list[str]]:
    """Return scores as whole numbers by system, by what they are multiplied, and warnings."""
    systems = [*table(scores).systems.values()]
    found, scales, warnings = shared_scores(systems, [ScoreColumn("human", "S")], {})
    return found.units[:, :, 0].T.tolist(), scales.tolist(), warnings


@pytest.mark.parametrize(
    ("letters", "columns"),
    [
        ("F", [("ROUGE-1", "F"), ("human", "S")]),
        ("PR", [("ROUGE-1", "P"), ("ROUGE-1", "R"), ("human", "S")]),
    ],
)
def test_a_single_measure_takes_part_whatever_is_asked_for(
    letters: str, columns: list[tuple[str, str]]
) -> None:
    both = ScoreTable({}, (ROUGE, HUMAN))
    assert columns_of(both, letters) == tuple(ScoreColumn(*one) for one in columns)


def test_names_of_measures() -> None:
    measures = [ScoreColumn("m", letter).measure for letter in "RPFS"]
    assert measures == ["recall", "precision", "f_measure", "score"]


def test_scores_of_each_measure() -> None:
    values = np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]])
    system = SystemTable("a", ("1", "2"), {"ROUGE-1": MetricColumn(ROUGE, values, None)})
    wanted = [ScoreColumn("ROUGE-1", "F"), ScoreColumn("ROUGE-1", "R")]
    assert score_matrix(system, wanted).tolist() == [[0.5, 0.1], [0.6, 0.2]]


@pytest.mark.parametrize(
    ("scores", "scale", "units"),
    [
        pytest.param({"a": (3, 5)}, 1, [[3, 5]], id="whole"),
        pytest.param({"a": (-2.5, 4)}, 10, [[-25, 40]], id="halves-and-negative"),
        pytest.param({"a": (0.12345, 0.1)}, 10**5, [[12345, 10000]], id="as-rouge"),
        pytest.param({"a": (1e-12, 0.5)}, 10**12, [[1, 5 * 10**11]], id="twelve-digits"),
        pytest.param({"a": (0, 0)}, 1, [[0, 0]], id="zeros"),
        pytest.param({"a": (1, 2), "b": (0.5, 0.25)}, 100, [[100, 200], [50, 25]], id="two"),
    ],
)
def test_decimal_scores_are_exact(
    scores: dict[str, tuple[float, ...]], scale: int, units: list[list[int]]
) -> None:
    assert shared(scores) == (units, [scale], [])


def test_other_scores_are_rounded_with_a_warning() -> None:
    # Two scores below 1 leave room for all 12 decimals that are tried.
    warning = (
        "human S: scores with more digits than can be added up exactly; they are compared as "
        "rounded to 12 decimals"
    )
    units = [333_333_333_333, 500_000_000_000]
    assert shared({"a": (1 / 3, 0.5)}) == ([units], [10**12], [warning])


def test_too_large_to_be_exact() -> None:
    with pytest.raises(OptionError) as caught:
        shared({"a": (1e12 + 1 / 3,), "b": (1,)})
    assert str(caught.value) == (
        "system 'a' has human scores up to 1e+12, too large to be compared exactly; divide them "
        "by a power of ten"
    )


def test_a_comparison_of_single_measures() -> None:
    scores = {"a": (3, 4, 5, 4.5), "b": (2, 2, 2, 2)}
    results = replace(results_of({"a": {"1": 1}, "b": {"1": 1}}), table=table(scores))
    comparison = compare(results, ["a", "b"], plan("RP"))
    (pair,) = comparison.pairs
    assert (pair.column.metric, pair.column.letter, pair.column.measure) == ("human", "S", "score")
    assert (pair.mean_a, pair.mean_b, pair.difference) == (4.125, 2, 2.125)
    # All four differences are above 0: 2 of 16 choices of swaps are as far from 0.
    assert pair.randomisation.p == 2 / 16
    assert [one.mean for one in comparison.rankings[0].systems] == [4.125, 2]
