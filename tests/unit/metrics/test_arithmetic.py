"""R, P and F of an EVAL, worked by hand."""

import numpy as np
import pytest

from rouge_cli.metrics.arithmetic import rounded
from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.formulas import score_counts

Triple = tuple[float, float, float]


@pytest.mark.parametrize(
    ("counts", "alpha", "weight", "expected"),
    [
        # R = 2/3 = 0.66667, P = 2/4; F = 0.333335 / 0.583335 = 0.5714297...
        pytest.param((2, 3, 4), 0.5, None, (0.66667, 0.5, 0.57143), id="rounded R and P"),
        # F = R*P / (1*P) = R and R*P / (1*R) = P.
        pytest.param((2, 3, 4), 0.0, None, (0.66667, 0.5, 0.66667), id="alpha 0"),
        pytest.param((2, 3, 4), 1.0, None, (0.66667, 0.5, 0.5), id="alpha 1"),
        # F = 0.333335 / (0.2 * 0.5 + 0.8 * 0.66667) = 0.333335 / 0.633336 = 0.526316...
        pytest.param((2, 3, 4), 0.8, None, (0.66667, 0.5, 0.52632), id="alpha 0.8"),
        # 1/200001 rounds to 0.00000 (0.0000049999...), so F is 0, though the exact F is not.
        pytest.param((1, 200001, 1), 0.5, None, (0, 1, 0), id="F of rounded zero"),
        pytest.param((0, 3, 4), 0.5, None, (0, 0, 0), id="no hit"),
        pytest.param((0, 0, 0), 0.5, None, (0, 0, 0), id="nothing"),
        # Roots: (4/16)^(1/2) = 0.5, (4/64)^(1/2) = 0.25; F = 0.125 / 0.375 = 0.33333.
        pytest.param((4, 16, 64), 0.5, 2.0, (0.5, 0.25, 0.33333), id="weight 2"),
        # (2 / 2^0.5)^2 = 2: with a weight below 1 a score may be above 1.
        pytest.param((2, 2**0.5, 2), 0.5, 0.5, (2, 1, 1.33333), id="weight 0.5"),
    ],
)
def test_scores(counts: Triple, alpha: float, weight: float | None, expected: Triple) -> None:
    hit, model_count, peer_count = (np.array([value]) for value in counts)
    scores = score_counts(Counts(hit, model_count, peer_count), alpha, weight)
    assert scores[:, 0].tolist() == list(expected)


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        # Exact in binary, and half a unit over: to the even neighbour.
        (0.015625, 0.01562),
        (0.046875, 0.04688),
        (0.078125, 0.07812),
        # Not exact in binary: the first two are a little more there, the third a little less.
        (0.000005, 0.00001),
        (0.000025, 0.00003),
        (0.000035, 0.00003),
        (0.0, 0.0),
        (1.0, 1.0),
        (2 / 3, 0.66667),
        # With a weight below 1 scores may pass 1, and any number of digits.
        (123456.7890123, 123456.78901),
        (1e300, 1e300),
    ],
)
def test_rounded(score: float, expected: float) -> None:
    assert rounded(np.array([score])).tolist() == [expected]
