"""Comparisons on several data sets: in how many a system is better, and by how much on average.

The number of data sets comes from partial conjunctions, which test, for u = 1, 2, ..., the
hypothesis that fewer than u data sets have an effect. The average difference comes from a
random-effects model, which treats the data sets themselves as a sample, so that differences vary
both within and between them.

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
from fractions import Fraction
from itertools import accumulate
from math import erfc, inf, log, sqrt
from statistics import NormalDist
from typing import Annotated, NamedTuple

import numpy as np

from rouge_cli.errors import OptionError
from rouge_cli.inputs.evaluation import in_byte_order
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.rows import Shown
from rouge_cli.reports.wording import number, p_value
from rouge_cli.scores.results import Results
from rouge_cli.studies.paired_tests import (
    FEW_EVALS,
    TestedPair,
    TestPlan,
    holm_adjusted,
    one_sided_p,
    resampling_p,
    tested_pairs,
)
from rouge_cli.studies.resampling import EQUAL, chi_square_tail, t_quantile
from rouge_cli.studies.score_columns import (
    ComparedColumn,
    ScoreColumn,
    SharedScores,
    compared_scores,
)


def bonferroni(p_values: Sequence[Fraction]) -> list[Fraction]:
    """Return the p of the hypotheses that fewer than 1, 2, ..., k data sets have an effect.

    `p_values` are those of the k data sets, one-sided and all in the same direction. The result is
    valid whether or not the data sets depend on each other. It need not be monotonic, and may be
    above 1.
    """
    ascending = sorted(p_values)
    return [(len(ascending) - index) * p for index, p in enumerate(ascending)]


def fisher(p_values: Sequence[Fraction]) -> list[float]:
    """Return the same p as `bonferroni`, for independent data sets, by Fisher's combination.

    It finds more if several data sets have an effect that none of them shows by itself.
    """
    ascending = sorted(p_values)
    combined = []
    for index in range(len(ascending)):
        largest = [float(p) for p in ascending[index:]]
        statistic = inf if 0.0 in largest else -2 * sum(map(log, largest))
        combined.append(chi_square_tail(statistic, 2 * len(largest)))
    return combined


def monotone(p_values: Sequence[Fraction | float]) -> list[Fraction | float]:
    """Replace each p by the largest one so far, at most 1.

    An effect in more data sets cannot be easier to show.
    """
    return [min(p, 1) for p in accumulate(p_values, max)]


def n_shown(p_values: Sequence[Fraction | float], level: Fraction) -> int:
    """Return a lower bound of the number of data sets with an effect, at this level."""
    return sum(p <= level for p in monotone(p_values))


@dataclass(frozen=True, slots=True)
class RandomEffects:
    """The mean of the differences of several data sets, by three methods.

    `fixed_mean` to `i2` hold under the hypothesis of equal differences; `tau2`, `mean`, `error` and
    those of the normal distribution are by DerSimonian and Laird. `knapp_error` and `interval` are
    by Hartung and Knapp, which suits few data sets, with the modification of Röver and others: the
    error is at least `error`, since data sets that happen to agree say little about others.

    - `fixed_mean`: If the true difference is the same in all data sets.
    - `tau2`: The variance between data sets.
    - `mean`: With this variance.
    - `normal_interval`: Of mean, by the normal distribution.
    - `knapp_error`: Of Hartung and Knapp, modified.
    - `interval`: By standard_error, with Student's t.
    """

    fixed_mean: Annotated[float, Shown(column="")]
    fixed_error: Annotated[float, Shown("Standard error of fixed_mean.", column="")]
    q: Annotated[float, Shown("Cochran's statistic of equal differences.", column="")]
    p_q: Annotated[float, Shown("The p of q.", column="")]
    i2: Annotated[float, Shown("Share of the variance that is between data sets.", column="")]
    tau2: Annotated[float, Shown(heading="tau", write=lambda tau2: number(tau2**0.5, 4))]
    mean: Annotated[float, Shown(write=4, column="mean_of_sets", is_signed=True)]
    error: float
    normal_interval: Annotated[tuple[float, float], Shown(column="")]
    p_normal: Annotated[float, Shown("Two-sided p of mean.", key="normal_p", column="")]
    knapp_error: Annotated[float, Shown(key="standard_error", column="")]
    interval: Annotated[tuple[float, float], Shown(write=4, column="bound_of_sets", is_signed=True)]


def random_effects(
    effects: Sequence[float], variances: Sequence[float], confidence: float
) -> RandomEffects:
    """Return the mean effect of two or more data sets, each with a variance of its own.

    Variances are above 0. `confidence` is that of the intervals, from 0 to 1.
    """
    y, v = np.array(effects), np.array(variances)
    degrees = len(y) - 1
    weights = 1 / v
    fixed = float((weights * y).sum() / weights.sum())
    q = float((weights * (y - fixed) ** 2).sum())
    scale = weights.sum() - (weights**2).sum() / weights.sum()
    # The moment estimate of the variance between data sets may be below 0, which no variance is.
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


@dataclass(frozen=True, slots=True)
class SetResult:
    """Two systems on one data set, in one measure.

    - `p_a`: That A is better: one-sided, by the randomisation.
    - `better`: The better system, after Holm's correction over the data sets at half of the level;
      null if neither is.
    """

    system_a: Annotated[str, Shown("The first system.", key=None, column="system_a")]
    system_b: Annotated[str, Shown("The second system.", key=None, column="system_b")]
    name: Annotated[str, Shown("Name of the data set.", "Data set", key="data_set")]
    n_evals: Annotated[int, Shown("Texts of the data set.", "N")]
    mean_a: Annotated[float, Shown("Mean of A.")]
    mean_b: Annotated[float, Shown("Mean of B.")]
    difference: Annotated[float, Shown("A less B.", "A - B", 4, is_signed=True)]
    interval: Annotated[tuple[float, float], Shown("Of the difference.", write=4, is_signed=True)]
    standard_error: Annotated[float, Shown("Of the difference.", column="")]
    p_a: Annotated[float, Shown(heading="A", write=p_value, key="p_a_better")]
    p_b: Annotated[float, Shown("That B is better.", "B", p_value, key="p_b_better")]
    better: Annotated[str | None, Shown()]


class SetCounts(NamedTuple):
    """Lower bounds of the number of data sets in which a system is better, at half the level."""

    bonferroni: Annotated[int, Shown("For any data sets.", "Bonf.", column="{}_bonferroni")]
    fisher: Annotated[int, Shown("For independent ones.", "Fisher", column="{}_fisher")]


@dataclass(frozen=True, slots=True)
class AcrossSets:
    """Two systems on all data sets, in one measure."""

    sets: Annotated[tuple[SetResult, ...], Shown("On each data set.")]
    a_better: Annotated[
        SetCounts, Shown("In how many data sets A is better, at least.", column="sets_a")
    ]
    b_better: Annotated[SetCounts, Shown("The same of B.", column="sets_b")]
    effect: Annotated[
        RandomEffects | None,
        Shown("The mean difference; null if a data set has differences without spread."),
    ]


def across_sets(
    results: Results, systems: Sequence[str], plan: TestPlan, sets: Mapping[str, str]
) -> tuple[dict[tuple[ScoreColumn, str, str], AcrossSets], list[str]]:
    """Compare every pair of systems on each data set, and over all of them.

    `sets` gives the data set of each EVAL. Returns the results by column and names of both systems,
    and warnings. Raises OptionError if all EVALs are in one data set, and errors as `shared_scores`
    does.
    """
    chosen = [results.table.systems[system] for system in systems]
    columns, shared, _ = compared_scores(results.table, plan.letters, chosen, plan.margin)
    set_of_eval = np.array([sets[eval_id] for eval_id in shared.eval_ids], object)
    names = in_byte_order(set(set_of_eval))
    if len(names) == 1:
        raise OptionError(f"--dataset: all texts are in {names[0]!r}; compare without --dataset")
    # Systems are tested anew on the EVALs of each data set, with the same plan.
    tested = []
    for name in names:
        (rows,) = np.nonzero(set_of_eval == name)
        part = SharedScores((), shared.units[rows], shared.sizes[rows])
        tested.append([(part, pair) for pair in tested_pairs(part, columns, plan)])
    across = {}
    # Every data set lists the pairs in the same order.
    for of_sets in zip(*tested, strict=True):
        pair = of_sets[0][1]
        column, (first, second) = columns[pair.column], pair.pair
        both = systems[first], systems[second]
        across[column.column, *both] = _across(names, of_sets, both, column, plan)
    return across, list(_set_warnings(across))


def _across(
    names: Sequence[str],
    tested: Sequence[tuple[SharedScores, TestedPair]],
    systems: tuple[str, str],
    column: ComparedColumn,
    plan: TestPlan,
) -> AcrossSets:
    # Each direction is tested at half of the level, which makes both together two-sided.
    half = plan.level / 2
    sides = [[_one_sided(*of_set, column, sign) for of_set in tested] for sign in (1, -1)]
    better: dict[int, str] = {}
    for p_values, system in zip(sides, systems, strict=True):
        better |= {k: system for k, p in enumerate(holm_adjusted(p_values)) if p <= half}
    results = []
    for k, (name, (_, pair)) in enumerate(zip(names, tested, strict=True)):
        scale = 1 if column.aggregation else column.scale * pair.n_evals
        (sum_a, sum_b), (lower, upper) = pair.sums, pair.bounds
        results.append(
            SetResult(
                *systems,
                name,
                pair.n_evals,
                sum_a / scale,
                sum_b / scale,
                (sum_a - sum_b) / scale,
                (lower / scale, upper / scale),
                pair.spread.error / scale,
                float(sides[0][k]),
                float(sides[1][k]),
                better.get(k),
            )
        )
    # A data set whose differences do not vary would have an infinite weight in the mean.
    effect = None
    if all(result.standard_error for result in results):
        differences = [result.difference for result in results]
        squares = [result.standard_error**2 for result in results]
        effect = random_effects(differences, squares, float(plan.confidence))
    a_better, b_better = (
        SetCounts(n_shown(bonferroni(p_values), half), n_shown(fisher(p_values), half))
        for p_values in sides
    )
    return AcrossSets(tuple(results), a_better, b_better, effect)


def _one_sided(part: SharedScores, pair: TestedPair, column: ComparedColumn, sign: int) -> Fraction:
    """Return the one-sided p that the first system is better or, if `sign` is -1, the second."""
    if column.column.is_lower_better:
        sign = -sign
    swapped = sign * pair.swapped
    if column.aggregation is None:
        first, second = pair.pair
        (k,) = column.indices
        return one_sided_p(sign * (part.units[:, first, k] - part.units[:, second, k]), swapped)
    # Aggregated scores are not exact: equal ones may differ by a rounding error.
    n_extreme = np.count_nonzero(swapped <= EQUAL * max(map(abs, pair.sums)))
    return resampling_p(n_extreme, len(swapped), are_all=pair.are_all)


def _set_warnings(across: Mapping[tuple[ScoreColumn, str, str], AcrossSets]) -> Iterator[str]:
    sets = next(iter(across.values())).sets
    small = [result.name for result in sets if result.n_evals < FEW_EVALS]
    if small:
        more = f" and {len(small) - 1} more" if len(small) > 1 else ""
        yield (
            f"data set {small[0]!r}{more} with fewer than {FEW_EVALS} texts: its interval and its "
            "weight in the mean of data sets are rough"
        )
    if lacking := [key for key, pair in across.items() if pair.effect is None]:
        column, first, second = lacking[0]
        constant = (x.name for x in across[lacking[0]].sets if not x.standard_error)
        yield (
            f"{first!r} and {second!r} have no mean over the data sets in {column.name}: all "
            f"differences in {next(constant)!r} are the same, so their spread is unknown"
        )
