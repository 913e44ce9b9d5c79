"""Several data sets at once: in how many of them a system is better, and by how much on the whole.

How many: partial conjunctions, which ask of u = 1, 2, ... whether fewer than u data sets have an
effect. How much: the mean of the differences of data sets that are themselves a sample, with
variances within and between them.

Sources: R. Dror, G. Baumer, M. Bogomolov, R. Reichart, Replicability Analysis for Natural Language
Processing, Transactions of the ACL 5, 2017; Y. Benjamini and R. Heller, Screening for Partial
Conjunction Hypotheses, Biometrics 64, 2008; R. DerSimonian and N. Laird, Meta-analysis in Clinical
Trials, Controlled Clinical Trials 7, 1986; J. Hartung and G. Knapp, A Refined Method for the
Meta-analysis of Controlled Clinical Trials with Binary Outcome, Statistics in Medicine 20, 2001;
C. Röver, G. Knapp, T. Friede, Hartung-Knapp-Sidik-Jonkman Approach and its Modification for
Random-effects Meta-analysis with Few Studies, BMC Medical Research Methodology 15, 2015;
M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, 1964, 26.4 and 26.7, for tails.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from math import erfc, inf, log, sqrt
from statistics import NormalDist

import numpy as np

from rouge_cli.errors import OptionError
from rouge_cli.inputs.evaluation import in_byte_order
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.results import Results
from rouge_cli.studies.intervals import EQUAL, chi_square_tail, t_quantile
from rouge_cli.studies.paired_tests import (
    FEW_EVALS,
    TestedPair,
    TestPlan,
    holm_adjusted,
    one_sided_p,
    resampling_p,
    tested_pairs,
)
from rouge_cli.studies.score_columns import (
    Column,
    ComparedColumn,
    SharedScores,
    compared_columns,
    shared_scores,
)

FEWEST_SETS = 2


def bonferroni(p_values: Sequence[Fraction]) -> list[Fraction]:
    """Return the p of the hypotheses that fewer than 1, 2, ... k data sets have an effect.

    It holds however data sets depend on each other. The p-values are one-sided, all in the same
    direction. The result is not made monotone, and may be above 1.
    """
    ascending = sorted(p_values)
    return [(len(ascending) - index) * p for index, p in enumerate(ascending)]


def fisher(p_values: Sequence[Fraction]) -> list[float]:
    """Return the same for independent data sets, by Fisher's combination of the largest p-values.

    It finds more where several data sets have an effect that none shows alone.
    """
    ascending = sorted(p_values)
    combined = []
    for index in range(len(ascending)):
        largest = [float(p) for p in ascending[index:]]
        statistic = inf if 0.0 in largest else -2 * sum(map(log, largest))
        combined.append(chi_square_tail(statistic, 2 * len(largest)))
    return combined


def monotone(p_values: Sequence[Fraction | float]) -> list[Fraction | float]:
    """Return the largest p so far, and at most 1: more data sets are never easier to show."""
    return [min(p, 1) for p in accumulate(p_values, max)]


def n_shown(p_values: Sequence[Fraction | float], level: Fraction) -> int:
    """Return in how many data sets there is an effect, at least, with an error of `level`."""
    return sum(p <= level for p in monotone(p_values))


@dataclass(frozen=True, slots=True)
class RandomEffects:
    """The mean of differences of several data sets.

    - `fixed_mean`, `fixed_error`: if the true difference is the same in all of them.
    - `q`, `p_q`: Cochran's test of that; `i2`: which share of the variance is between data sets.
    - `tau2`: the variance between data sets, after DerSimonian and Laird.
    - `mean`: with this variance; `error`: its standard error, by which `normal_interval` and the
      two-sided `p_normal` are.
    - `knapp_error`: the standard error of Hartung and Knapp, at least `error` (Röver and others:
      data sets that happen to agree say little of how far others would be apart), and `interval`
      the interval by it, with Student's distribution: right for few data sets, too.
    """

    fixed_mean: float
    fixed_error: float
    q: float
    p_q: float
    i2: float
    tau2: float
    mean: float
    error: float
    normal_interval: tuple[float, float]
    p_normal: float
    knapp_error: float
    interval: tuple[float, float]


def random_effects(
    effects: Sequence[float], variances: Sequence[float], confidence: float
) -> RandomEffects:
    """Return the mean of the effects of two data sets or more, each with its own variance.

    Variances are above 0; `confidence` of the intervals is from 0 to 1.
    """
    y, v = np.array(effects), np.array(variances)
    degrees = len(y) - 1
    weights = 1 / v
    fixed = float((weights * y).sum() / weights.sum())
    q = float((weights * (y - fixed) ** 2).sum())
    scale = weights.sum() - (weights**2).sum() / weights.sum()
    tau2 = max(0.0, float((q - degrees) / scale))
    weights_of_both = 1 / (v + tau2)
    mean = float((weights_of_both * y).sum() / weights_of_both.sum())
    error = 1 / sqrt(float(weights_of_both.sum()))
    squares = float((weights_of_both * (y - mean) ** 2).sum())
    knapp = error * sqrt(max(1.0, squares / degrees))
    normal = NormalDist().inv_cdf((1 + confidence) / 2) * error
    student = t_quantile((1 + confidence) / 2, degrees) * knapp
    return RandomEffects(
        fixed,
        1 / sqrt(float(weights.sum())),
        q,
        chi_square_tail(q, degrees),
        max(0.0, (q - degrees) / q) if q else 0.0,
        tau2,
        mean,
        error,
        (mean - normal, mean + normal),
        erfc(abs(mean) / error / sqrt(2)),
        knapp,
        (mean - student, mean + student),
    )


# Systems on several data sets.


@dataclass(frozen=True, slots=True)
class SetResult:
    """Two systems on one data set, in a measure of a metric.

    - `difference`: of the means, A less B, with its `interval` and its `standard_error`.
    - `p_a`: one-sided, by the randomisation: that A is better; `p_b`: that B is.
    - `better`: the system that is better after Holm's correction over the data sets, one-sided at
      half of the level; None if none is.
    """

    name: str
    n_evals: int
    mean_a: float
    mean_b: float
    difference: float
    interval: tuple[float, float]
    standard_error: float
    p_a: float
    p_b: float
    better: str | None


@dataclass(frozen=True, slots=True)
class Shown:
    """In how many data sets a system is better, at least, by two combinations of p-values."""

    bonferroni: int
    fisher: int


@dataclass(frozen=True, slots=True)
class AcrossSets:
    """Two systems on all data sets, in a measure of a metric.

    `a_better` and `b_better` are each at half of the level. `effect` is the mean of the
    differences, A less B; None where a data set has differences without spread.
    """

    column: Column
    system_a: str
    system_b: str
    sets: tuple[SetResult, ...]
    a_better: Shown
    b_better: Shown
    effect: RandomEffects | None


def across_sets(
    results: Results, systems: Sequence[str], plan: TestPlan, sets: Mapping[str, str]
) -> tuple[tuple[AcrossSets, ...], list[str]]:
    """Compare every pair of systems on each data set, and over all of them; return warnings too.

    `sets` are from EVAL to data set; there are at least two. Raises OptionError if all EVALs are in
    one, and as `compared_columns` and `shared_scores` do.
    """
    chosen = [results.table.systems[system] for system in systems]
    columns, units, _ = compared_columns(results.table, plan.letters, chosen, plan.margin)
    shared = shared_scores(units, {})
    names = in_byte_order({sets[eval_id] for eval_id in shared.eval_ids})
    if len(names) < FEWEST_SETS:
        raise OptionError(f"--dataset: all EVALs are in {names[0]!r}; compare without --dataset")
    of_evals = np.array([sets[eval_id] for eval_id in shared.eval_ids], object)
    tested = []
    for name in names:
        (rows,) = np.nonzero(of_evals == name)
        part = SharedScores(
            tuple(shared.eval_ids[row] for row in rows), shared.units[rows], shared.sizes[rows]
        )
        tested.append([(part, pair) for pair in tested_pairs(part, columns, plan)])
    # All data sets have the same pairs in the same order.
    by_pair = sorted(zip(*tested, strict=True), key=lambda of_sets: of_sets[0][1].column)
    across = tuple(_across(names, of_sets, systems, columns, plan) for of_sets in by_pair)
    return across, list(_set_warnings(across))


def _across(
    names: Sequence[str],
    tested: Sequence[tuple[SharedScores, TestedPair]],
    systems: Sequence[str],
    columns: Sequence[ComparedColumn],
    plan: TestPlan,
) -> AcrossSets:
    """Put together what the data sets say of a pair in a column."""
    pair = tested[0][1]
    column = columns[pair.column]
    name_a, name_b = (systems[number] for number in pair.pair)
    of_a = [_one_sided(part, of_set, column, 1) for part, of_set in tested]
    of_b = [_one_sided(part, of_set, column, -1) for part, of_set in tested]
    half = plan.level / 2
    results = [
        _set_result(name, of_set, column, (p_a, p_b))
        for name, (_, of_set), p_a, p_b in zip(names, tested, of_a, of_b, strict=True)
    ]
    for p_values, better in ((of_a, name_a), (of_b, name_b)):
        for index, p_holm in enumerate(holm_adjusted(p_values)):
            if p_holm <= half:
                results[index] = replace(results[index], better=better)
    errors = [result.standard_error for result in results]
    effect = None
    if all(errors):
        differences = [result.difference for result in results]
        squares = [error**2 for error in errors]
        effect = random_effects(differences, squares, float(plan.confidence))
    return AcrossSets(
        column.column,
        name_a,
        name_b,
        tuple(results),
        Shown(n_shown(bonferroni(of_a), half), n_shown(fisher(of_a), half)),
        Shown(n_shown(bonferroni(of_b), half), n_shown(fisher(of_b), half)),
        effect,
    )


def _one_sided(part: SharedScores, pair: TestedPair, column: ComparedColumn, sign: int) -> Fraction:
    """Return the p that the first system, or with -1 the second one, is better."""
    if column.column.is_lower_better:
        sign = -sign
    swapped = sign * (pair.swapped[0] - pair.swapped[1])
    if column.aggregation is None:
        first, second = pair.pair
        (k,) = column.indices
        return one_sided_p(sign * (part.units[:, first, k] - part.units[:, second, k]), swapped)[0]
    # Scores that are made of several: equal ones may differ by a rounding error.
    count = int(np.count_nonzero(swapped <= EQUAL * max(map(abs, pair.sums))))
    return Fraction(count, len(swapped)) if pair.are_all else resampling_p(count, len(swapped))


def _set_result(
    name: str, pair: TestedPair, column: ComparedColumn, p: tuple[Fraction, Fraction]
) -> SetResult:
    """Turn the sums of a test into scores."""
    scale = 1 if column.aggregation else column.scale * pair.n_evals
    (sum_a, sum_b), (lower, upper) = pair.sums, pair.bounds
    return SetResult(
        name,
        pair.n_evals,
        sum_a / scale,
        sum_b / scale,
        (sum_a - sum_b) / scale,
        (lower / scale, upper / scale),
        pair.spread.error / scale,
        float(p[0]),
        float(p[1]),
        None,
    )


def _set_warnings(across: Sequence[AcrossSets]) -> Iterator[str]:
    """Yield what few EVALs or data sets take from the results."""
    sets = across[0].sets
    small = [result.name for result in sets if result.n_evals < FEW_EVALS]
    if small:
        more = f" and {len(small) - 1} more" if len(small) > 1 else ""
        yield (
            f"data set {small[0]!r}{more} with fewer than {FEW_EVALS} EVALs: its interval and its "
            "weight in the mean of data sets are rough"
        )
    if lacking := [pair for pair in across if pair.effect is None]:
        first = lacking[0]
        (name, *_) = (result.name for result in first.sets if not result.standard_error)
        yield (
            f"{first.system_a!r} and {first.system_b!r} have no mean over the data sets in "
            f"{first.column.metric} {first.column.letter}: all differences in {name!r} are the "
            "same, and say nothing of their spread"
        )
