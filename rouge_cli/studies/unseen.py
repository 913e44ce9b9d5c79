"""What texts could do that a study has not seen: n EVALs do not exclude that 3/n of texts fail.

No resampling of EVALs without a failure knows of failures. Where 2% of texts fail, 50 EVALs have
none in one study of three, and a system that is worse on the whole looks better.

Source: J. A. Hanley and A. Lippman-Hand, If Nothing Goes Wrong, Is Everything All Right?, Journal
of the American Medical Association 249, 1983.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import inf, isinf, log

from rouge_cli.metrics.counts import SHARES, ScoredMetric
from rouge_cli.options.scores import scales

RULE_OF_THREE = 3
"""A failure in this many n-ths of texts is missed by n EVALs in 5% of studies: -ln(0.05)."""


def unseen_texts(level: Fraction | float) -> float:
    """Return the n-ths of texts that n EVALs miss in a share `level` of studies; at least 3."""
    return max(RULE_OF_THREE, -log(level)) if level else inf


def unseen_rate(n_blocks: int, level: Fraction | float) -> float:
    """Return the share of texts that as many EVALs, or clusters, may miss altogether."""
    return min(1.0, unseen_texts(level) / n_blocks)


def score_ends(metric: ScoredMetric) -> tuple[float, float]:
    """Return the lowest and the highest possible score of a metric; infinite if unknown."""
    if metric.is_single and metric.scale is None:
        return -inf, inf
    (scale,) = scales(f"scale={metric.scale or SHARES}")
    return scale.low, scale.high


def failure_loss(
    means: Sequence[float], ends: tuple[float, float], *, is_lower_better: bool = False
) -> float:
    """Return what a text of the usual score loses if it fails: down to the worst possible score.

    `means` are those of the systems, `ends` those of `score_ends`. Without a worst score, a text
    loses its score.
    """
    loss = ends[1] - min(means) if is_lower_better else max(means) - ends[0]
    return max(map(abs, means)) if isinf(loss) else loss


def largest_change(means: Sequence[float], ends: tuple[float, float]) -> float:
    """Return the most that a text of the usual score can lose or gain."""
    return max(
        failure_loss(means, ends, is_lower_better=is_lower_better)
        for is_lower_better in (False, True)
    )


def not_excluded(n_blocks: int, level: Fraction | float, what: str = "") -> str:
    """Say which share of texts as many EVALs, or clusters, may miss: ``6.0% (3 in 50)``."""
    rate, texts = 100 * unseen_rate(n_blocks, level), unseen_texts(level)
    return f"{rate:.1f}%{what} ({texts:.3g} in {n_blocks})"
