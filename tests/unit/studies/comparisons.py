"""Reference cases; scores made by hand, as the results of a run; both tests, number by number."""

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.counts import Counts, ScoredMetric
from rouge_cli.options.options import Options
from rouge_cli.scores.results import (
    Measure,
    MetricColumn,
    MetricScores,
    Results,
    ScoreTable,
    SystemScores,
    SystemTable,
)
from rouge_cli.studies.correlate import metric_tests
from rouge_cli.studies.correlate.metric_tests import (
    Percentiles,
    exchangeable,
    percentile_interval,
    resampled_correlations,
)
from rouge_cli.studies.correlate.result import MetricPermutation
from rouge_cli.studies.paired_tests import TestPlan
from rouge_cli.studies.resampling import Resampling
from tests.unit.score_tables import table_of

STATISTICS = Path(__file__).parents[3] / "fixtures" / "statistics"

BOOTSTRAP, RANDOMISATION = 0, 1

Case = Mapping[str, Any]
Floats = NDArray[np.float64]


def reference_cases(name: str) -> list[Case]:
    lines = (STATISTICS / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def names_of(cases: Sequence[Case]) -> list[str]:
    return [case["name"] for case in cases]


def plan(
    letters: str = "F", resamples: int = 99, seed: int = 1, confidence: str = "0.95"
) -> TestPlan:
    return TestPlan(letters, resamples, seed, Fraction(confidence))


def results_of(
    scores: Mapping[str, Mapping[str, int]], precisions: Mapping[str, int] | None = None
) -> Results:
    """Return the results of a run of ROUGE-1, from scores in hundred-thousandths.

    `scores` are F, and recall too, by system and EVAL; `precisions` are those of a system in all
    EVALs, F without them.
    """
    systems = {}
    for system, by_eval in scores.items():
        f = _measure(list(by_eval.values()))
        precision = f if precisions is None else _measure([precisions[system]] * len(by_eval))
        counts = Counts(*(np.zeros(len(by_eval), np.int64) for _ in range(3)))
        metric = MetricScores("ROUGE-1", {"R": f, "P": precision, "F": f}, counts)
        systems[system] = SystemScores(system, tuple(by_eval), {"ROUGE-1": metric})
    options = Options.of({"max_ngram": 1, "lcs": False, "resamples": 0})
    return Results(systems, table_of(systems), options)


def _measure(units: Sequence[int]) -> Measure:
    per_eval = np.array(units, np.float64) / 100_000
    return Measure(float(per_eval.mean()), None, None, per_eval)


def single_scores(scores: Mapping[str, Mapping[str, float]]) -> ScoreTable:
    """Return a table of one metric, `human`, with a single measure: scores by system and EVAL."""
    metric = ScoredMetric("human", ("S",))
    systems = {}
    for name, by_eval in scores.items():
        values = np.array([[*by_eval.values()]], np.float64)
        columns = {"human": MetricColumn(metric, values, None)}
        systems[name] = SystemTable(name, tuple(by_eval), columns)
    return ScoreTable(systems, (metric,))


def correlation_intervals(
    measured: tuple[str, str], scores: Floats, judged: Floats, how: Resampling, confidence: float
) -> list[Percentiles]:
    """Return the percentiles of the resampled correlations of each table; confidence in percent."""
    by_table = resampled_correlations(measured, scores, judged, how)
    return [percentile_interval(resampled, confidence) for resampled in by_table]


def permutation_tests(
    measured: tuple[str, str],
    scores: Floats,
    judged: Floats,
    pairs: Sequence[tuple[int, int]],
    how: Resampling,
) -> list[MetricPermutation]:
    return metric_tests.permutation_tests(exchangeable(measured, scores, judged, how), pairs, how)


def best_metric_tests(
    measured: tuple[str, str], scores: Floats, judged: Floats, how: Resampling
) -> list[float | None]:
    """Test which metrics of a table are worse than the best one."""
    return metric_tests.best_metric_tests(exchangeable(measured, scores, judged, how), how)


def raw_words(purpose: int, n_evals: int, seed: int) -> Iterator[int]:
    """Yield the random words of 64 bits of a test, one by one."""
    source = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(purpose, n_evals)))
    while True:
        yield int(source.random_raw())


def plain_draws(n_evals: int, resamples: int, seed: int) -> list[list[int]]:
    """Return which EVALs each resample draws: a share of 2^32 each, of both halves of a word.

    First come the lower halves of all words of a resample, then the upper ones.
    """
    words = raw_words(BOOTSTRAP, n_evals, seed)
    draws = []
    for _ in range(resamples):
        of_resample = [next(words) for _ in range((n_evals + 1) // 2)]
        halves = [word % 2**32 for word in of_resample] + [word // 2**32 for word in of_resample]
        draws.append([half * n_evals // 2**32 for half in halves[:n_evals]])
    return draws


def plain_swaps(n_evals: int, resamples: int, seed: int) -> list[list[int]]:
    """Return where each resample swaps: the bits of words, byte by byte, the highest first."""
    words = raw_words(RANDOMISATION, n_evals, seed)
    swaps = []
    for _ in range(resamples):
        octets = b"".join(next(words).to_bytes(8, "little") for _ in range((n_evals + 63) // 64))
        bits = "".join(f"{octet:08b}" for octet in octets)
        swaps.append([int(bit) for bit in bits[:n_evals]])
    return swaps


def plain_bootstrap(differences: Sequence[int], resamples: int, seed: int) -> Fraction:
    observed = sum(differences)
    n_extreme = sum(
        abs(sum(differences[place] for place in drawn) - observed) >= abs(observed)
        for drawn in plain_draws(len(differences), resamples, seed)
    )
    return Fraction(n_extreme + 1, resamples + 1)


def plain_randomisation(differences: Sequence[int], resamples: int, seed: int) -> Fraction:
    """Return the p of the randomisation, exact if all swaps are no more than the resamples."""
    observed = abs(sum(differences))
    n_unequal = sum(difference != 0 for difference in differences)
    if 2**n_unequal <= resamples:
        return plain_exact(differences)
    n_extreme = sum(
        abs(sum(-one if swap else one for one, swap in zip(differences, swaps, strict=True)))
        >= observed
        for swaps in plain_swaps(len(differences), resamples, seed)
    )
    return Fraction(n_extreme + 1, resamples + 1)


def plain_exact(differences: Sequence[int]) -> Fraction:
    observed = abs(sum(differences))
    sums = [
        sum(sign * one for sign, one in zip(signs, differences, strict=True))
        for signs in product((1, -1), repeat=len(differences))
    ]
    return Fraction(sum(abs(one) >= observed for one in sums), len(sums))
