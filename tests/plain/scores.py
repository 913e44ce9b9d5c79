"""Several models, R, P and F, bootstrap and interval (specification, sections 5 and 6)."""

from __future__ import annotations

from .metrics import Counts
from .numbers import Number, total

Triple = tuple[Number, Number, Number]
"""R, P, F, or the model count, peer count and hit with ``-t 1`` and ``-t 2``."""

Estimate = tuple[float, float, float]
"""Average, lower and upper end of the confidence interval."""


def rounded(value: float) -> float:
    """The value as ``%7.5f`` prints it."""
    return float(f"{value:7.5f}")


def ratio(hit: Number, count: Number, weight: Number = 1) -> float:
    """Recall or precision, not rounded; ROUGE-W takes the root of its weight."""
    if count == 0 or hit == 0:
        return 0.0
    if weight == 1:
        return float(hit / count)
    return float((hit / count) ** (1 / weight))


def f_measure(recall: float, precision: float, alpha: float) -> float:
    """F, not rounded; 0 if the divisor is not above 0 (section 6)."""
    divisor = (1 - alpha) * precision + alpha * recall
    return recall * precision / divisor if divisor > 0 else 0.0


def formula_a(counts: list[Counts]) -> Counts:
    """Several models, formula A: everything is summed over the models."""
    return (
        total(hit for hit, _, _ in counts),
        total(model_count for _, model_count, _ in counts),
        total(peer_count for _, _, peer_count in counts),
    )


def formula_b(counts: list[Counts], choices: list[float]) -> Counts:
    """Several models, formula B: the model with the greatest score, the first of equals."""
    best = 0
    for index, choice in enumerate(choices):
        if choice > choices[best]:
            best = index
    return counts[best]


def eval_scores(counts: Counts, alpha: float, weight: Number = 1) -> Triple:
    """R, P and F of one EVAL, each rounded; F from the rounded two (section 6)."""
    hit, model_count, peer_count = counts
    recall = rounded(ratio(hit, model_count, weight))
    precision = rounded(ratio(hit, peer_count, weight))
    return recall, precision, rounded(f_measure(recall, precision, alpha))


def draws(resample: int, size: int) -> list[int]:
    """The indices that one resample draws: drand48 seeded with its number (section 6)."""
    state = resample * 65536 + 13070
    indices = []
    for _ in range(size):
        state = (25214903917 * state + 11) % 2**48
        indices.append(int(size * (state / 2**48)))
    return indices


def resampled(instances: list[Triple], indices: list[int]) -> tuple[float, float, float]:
    """The sums of the drawn instances, added up in the order drawn, in doubles."""
    sums = [0.0, 0.0, 0.0]
    for index in indices:
        for which in range(3):
            sums[which] = sums[which] + instances[index][which]
    return sums[0], sums[1], sums[2]


def resample_score(
    sums: tuple[float, float, float], size: int, mode: int, alpha: float
) -> tuple[float, float, float]:
    """R, P and F of one resample under ``-t 0`` or ``-t 1`` (section 6)."""
    if mode == 0:
        return sums[0] / size, sums[1] / size, sums[2] / size
    model_count, peer_count, hit = sums
    recall = hit / model_count if model_count > 0 else 0.0
    precision = hit / peer_count if peer_count > 0 else 0.0
    return recall, precision, f_measure(recall, precision, alpha)


def bootstrap(
    instances: list[Triple], resamples: int, confidence: float, mode: int, alpha: float
) -> tuple[Estimate, Estimate, Estimate]:
    """The estimates of R, P and F (section 6)."""
    if not instances:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    size = len(instances)
    scores = []
    for resample in range(resamples):
        sums = resampled(instances, draws(resample, size))
        scores.append(resample_score(sums, size, mode, alpha))
    recall, precision, f = (
        estimate([score[which] for score in scores], confidence) for which in range(3)
    )
    return recall, precision, f


def estimate(values: list[float], confidence: float) -> Estimate:
    """The average and the confidence interval of the resampled values (section 6)."""
    v = sorted(values)
    r = len(v)
    delta = r * ((100 - confidence) / 2.0) / 100.0
    ua = int(r - delta - 1)
    la = int(delta)
    share = r - delta - 1 - ua

    def at(index: int) -> float:
        return v[index] if index < r else 0.0

    lower = at(la) + (at(la + 1) - at(la)) * share
    upper = at(ua) + (at(ua + 1) - at(ua)) * share
    average = 0.0
    for value in v:
        average = average + value
    return average / r, lower, upper


def pooled(instances: list[Triple]) -> Triple:
    """The counts of ``-t 2``: model count, peer count and hit over all EVALs."""
    return (
        total(model_count for model_count, _, _ in instances),
        total(peer_count for _, peer_count, _ in instances),
        total(hit for _, _, hit in instances),
    )
