"""Several models, worked by hand."""

import numpy as np
import pytest

from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.formulas import best_model, sum_models


def counts(*rows: tuple[float, float, float]) -> Counts:
    """Return rows of hit, model count and peer count as columns."""
    hit, model_count, peer_count = np.array(rows).T
    return Counts(hit, model_count, peer_count)


def rows_of(counts: Counts) -> list[tuple[float, float, float]]:
    columns = (counts.hit.tolist(), counts.model_count.tolist(), counts.peer_count.tolist())
    return list(zip(*columns, strict=True))


def test_formula_a_sums_everything() -> None:
    # The first instance has two models, and its peer count counts twice; the second has one.
    pairs = counts((1, 4, 3), (2, 5, 3), (7, 8, 9))
    assert rows_of(sum_models(pairs, np.array([0, 2]))) == [(3, 9, 6), (7, 8, 9)]


def test_formula_a_adds_in_order() -> None:
    # (0.1 + 0.2) + 0.3 = 0.6000000000000001, 0.1 + (0.2 + 0.3) = 0.6.
    pairs = counts((0.1, 1e16, 1.0), (0.2, 1.0, 1.0), (0.3, -1e16, 1.0))
    assert rows_of(sum_models(pairs, np.array([0]))) == [(0.6000000000000001, 0.0, 3.0)]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # Recalls 1/4, 2/5, 3/9.
        pytest.param([(1, 4, 3), (2, 5, 3), (3, 9, 3)], (2, 5, 3), id="best recall"),
        # Precision has no say.
        pytest.param([(1, 2, 100), (4, 9, 4)], (1, 2, 100), id="not precision"),
        # 1/2 and 2/4 are equal: the first.
        pytest.param([(1, 2, 3), (2, 4, 3)], (1, 2, 3), id="first of equals"),
        pytest.param([(0, 4, 3), (0, 5, 3)], (0, 4, 3), id="all zero"),
        # A model without tokens scores 0.
        pytest.param([(0, 0, 3), (1, 50, 3)], (1, 50, 3), id="no model tokens"),
    ],
)
@pytest.mark.parametrize("is_rounded", [True, False])
def test_formula_b(
    rows: list[tuple[float, float, float]], expected: tuple[float, float, float], is_rounded: bool
) -> None:
    pairs = counts(*rows)
    best = best_model(pairs, np.array([0]), is_rounded=is_rounded)
    assert rows_of(pairs.take(best)) == [expected]


def test_formula_b_rounds_but_in_lcs() -> None:
    # 100000/300001 = 0.33333222... and 1/3 = 0.33333333... are both 0.33333: the first, if
    # rounded; the second, if exact.
    pairs = counts((100000, 300001, 1), (1, 3, 1))
    rounded, exact = (best_model(pairs, np.array([0]), is_rounded=one) for one in (True, False))
    assert rows_of(pairs.take(rounded)) == [(100000, 300001, 1)]
    assert rows_of(pairs.take(exact)) == [(1, 3, 1)]


def test_formula_b_of_wlcs_weighs_the_base_once() -> None:
    # Weight 2, a model sentence of 2 and one of 4. Hits 3 and 5: weighted once (3/4)^(1/2) and
    # (5/16)^(1/2), the first; as printed (3/16)^(1/2) = 0.433 and (5/20)^(1/2) = 0.5 would make
    # it the second.
    pairs = Counts(np.array([3, 5]), np.array([16, 20]), np.array([9, 9]), np.array([4.0, 16.0]))
    best = best_model(pairs, np.array([0]), weight=2.0, is_rounded=False)
    assert rows_of(pairs.take(best)) == [(3, 16, 9)]


def test_formula_b_instance_by_instance() -> None:
    pairs = counts((1, 4, 3), (2, 4, 3), (3, 4, 3), (1, 4, 3), (1, 4, 3))
    best = best_model(pairs, np.array([0, 2, 3]))
    assert rows_of(pairs.take(best)) == [(2, 4, 3), (3, 4, 3), (1, 4, 3)]
