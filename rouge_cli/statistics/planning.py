"""How many EVALs a comparison needs, found by comparing simulated systems with the tool's own test.

Differences of two systems are drawn from those of a pilot, moved to the difference that is to be
found, and tested by approximate randomisation, as `compare` does.

Source: D. Card, P. Henderson, U. Khandelwal, R. Jia, K. Mahowald, D. Jurafsky, With Little Power
Comes Great Responsibility, EMNLP 2020.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, OptionError
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scoring.results import Results
from rouge_cli.scoring.score_table import ScoreTable
from rouge_cli.statistics.planning_records import PlannedColumn, PlanQuestion, StudyPlan
from rouge_cli.statistics.power import (
    needed_blocks,
    simulated_power,
    smallest_difference,
    value_at_power,
)
from rouge_cli.statistics.score_columns import Column, columns_of
from rouge_cli.statistics.shared_scores import shared_scores, system_units

__all__ = ["check_pilot", "plan_study"]

Floats = NDArray[np.float64]

MOST_SIMULATED = 10_000
"""EVALs up to which comparisons are simulated; beyond, a mean is as normal as can be."""

FEW_BLOCKS = 60
"""Up to so many EVALs their number is counted up, and not read from a line."""

FEWEST_BLOCKS = 3

AROUND = (0.6, 0.75, 0.9, 1.0, 1.15, 1.35, 1.6)
"""Where the power is simulated, in shares of what the normal distribution says."""


@dataclass(frozen=True, slots=True, eq=False)
class _Pilot:
    """What the differences of two systems are drawn from.

    Parameters
    ----------
    residuals : ndarray of float64, shape (n_blocks,)
        Differences less their mean, added up over each block, so far apart that drawing from them
        gives differences that spread as those that the pilot is a sample of.
    sizes : ndarray of float64, shape (n_blocks,)
        EVALs of each block.
    """

    residuals: Floats
    sizes: Floats

    @property
    def spread(self) -> float:
        """Standard deviation of the mean differences of blocks of the usual size."""
        return sqrt(float((self.residuals**2).mean())) / float(self.sizes.mean())


def plan_study(results: Results, systems: Sequence[str], question: PlanQuestion) -> StudyPlan:
    """Plan a comparison from a pilot.

    Parameters
    ----------
    results : Results
        Means over EVALs; no bootstrap is needed.
    systems : sequence of str
        As `check_pilot` approves of them.

    Raises
    ------
    InputError
        If there are too few EVALs, or they do not differ.
    """
    columns, left_out = _plannable(results.table, question.letters)
    pilots, n_evals = _pilots(results, systems, columns, question)
    planned = tuple(
        _planned(column, pilot, question) for column, pilot in zip(columns, pilots, strict=True)
    )
    n_blocks = len(pilots[0].residuals)
    warnings = (*results.warnings, *left_out)
    return StudyPlan(
        tuple(systems), n_evals, n_blocks, planned, question, results.options, warnings
    )


def _plannable(table: ScoreTable, letters: str) -> tuple[tuple[Column, ...], list[str]]:
    """Return the columns that are means over EVALs, and warnings of the others.

    Raises OptionError if there is no column.
    """
    known = columns_of(table, letters)
    columns = tuple(one for one in known if one.is_mean_of_evals)
    others = [one.metric for one in known if not one.is_mean_of_evals]
    reason = "no mean over EVALs, which differences could be simulated of; fuse each EVAL instead"
    if not columns:
        raise OptionError(f"nothing to plan with: {', '.join(others)} is {reason}")
    return columns, [f"{name} is left out: it is {reason} (eval-...)" for name in others]


def _pilots(
    results: Results, systems: Sequence[str], columns: Sequence[Column], question: PlanQuestion
) -> tuple[list[_Pilot], int]:
    """Return what to draw from in each column, and the number of EVALs."""
    chosen = [results.table.systems[system] for system in systems]
    if len(chosen) == 1:
        # A system against itself has all its EVALs in common.
        chosen = chosen * 2
    units, scales, _ = system_units(chosen, columns)
    (shared,) = shared_scores(units, results.table.clusters)
    if len(shared.sizes) < FEWEST_BLOCKS:
        raise InputError("a pilot needs at least 3 EVALs, or clusters, that its systems share")
    scores = shared.units / scales
    values = scores[:, 0] if len(systems) == 1 else scores[:, 0] - scores[:, 1]
    means = values.sum(axis=0) / shared.sizes.sum()
    pilots = []
    for place, column in enumerate(columns):
        residuals = values[:, place] - shared.sizes * means[place]
        residuals *= sqrt(len(residuals) / (len(residuals) - 1))
        if not residuals.any():
            raise InputError(
                f"{column.metric} {column.letter}: all EVALs of the pilot say the same; a plan "
                "needs scores that vary"
            )
        if question.spread is not None:
            residuals *= question.spread / _Pilot(residuals, shared.sizes).spread
        pilots.append(_Pilot(residuals, shared.sizes))
    return pilots, int(shared.sizes.sum())


def check_pilot(systems: Sequence[str], question: PlanQuestion) -> None:
    """Refuse pilots that do not say how differences spread; raises OptionError."""
    names = ", ".join(map(repr, systems))
    if len(systems) == 1 and question.spread is None:
        raise OptionError(
            f"--spread: missing, as the pilot has one system, {names}; expected the standard "
            "deviation of its difference from another one, EVAL by EVAL"
        )
    if len(systems) == 2 and question.spread is not None:  # noqa: PLR2004
        raise OptionError("--spread is for a pilot of one system; two say it themselves")
    if len(systems) > 2:  # noqa: PLR2004
        raise OptionError(
            f"the pilot has {len(systems)} systems: {names}; name two of them with --system-id"
        )


def _planned(column: Column, pilot: _Pilot, question: PlanQuestion) -> PlannedColumn:
    """Answer in one column."""
    n_blocks = len(pilot.residuals)
    planned = PlannedColumn(column, pilot.spread, _detectable(pilot, question), None, True, ())
    wanted = question.margin if question.is_equivalence else question.difference
    if wanted is None:
        return planned
    expected = needed_blocks(pilot.spread / float(wanted), question.test, question.power)
    if expected * AROUND[-1] > MOST_SIMULATED:
        return replace(planned, n_needed=expected, is_simulated=False)
    numbers = {max(FEWEST_BLOCKS, round(expected * share)) for share in AROUND} | {n_blocks}
    curve = [
        (n, _power(pilot, n, float(wanted), question))
        for n in sorted(numbers)
        if n <= MOST_SIMULATED
    ]
    if expected <= FEW_BLOCKS:
        needed = _counted_up(pilot, float(wanted), question)
    else:
        needed = _between(curve, expected, question)
    return replace(
        planned,
        n_needed=expected if needed is None else needed,
        is_simulated=needed is not None,
        curve=tuple(curve),
    )


def _counted_up(pilot: _Pilot, wanted: float, question: PlanQuestion) -> int | None:
    """Return the first number that succeeds often enough, as the next one does; None if none does.

    With few EVALs the p has large steps, so that the power goes up and down.
    """
    powers = ((n, _power(pilot, n, wanted, question)) for n in range(FEWEST_BLOCKS, 2 * FEW_BLOCKS))
    pairs = pairwise(powers)
    enough = (n for (n, one), (_, following) in pairs if min(one, following) >= question.power)
    return next(enough, None)


def _between(
    curve: Sequence[tuple[int, float]], expected: int, question: PlanQuestion
) -> int | None:
    """Return where a curve has the power asked for, if it has it near to what was expected."""
    # The quantile of the power grows with the root of the number; points far off would bend the
    # line. Sameness is to be shown on two sides, each of which fails in half of the failures.
    near = [(sqrt(n), power) for n, power in curve if 0.5 * expected <= n <= 2 * expected]
    power = question.power
    if question.is_equivalence:
        near, power = [(root, (1 + one) / 2) for root, one in near], (1 + power) / 2
    root = value_at_power(near, power)
    return None if root is None else ceil(root**2)


def _power(pilot: _Pilot, n_blocks: int, wanted: float, question: PlanQuestion) -> float:
    """Return how often a comparison of so many blocks finds what is asked for."""
    (power,) = simulated_power(pilot.residuals, pilot.sizes, n_blocks, [wanted], question.test)
    return power


def _detectable(pilot: _Pilot, question: PlanQuestion) -> float | None:
    """Return which difference a comparison of the pilot's size finds with the power asked for."""
    n_blocks = len(pilot.residuals)
    test = replace(question.test, is_equivalence=False)
    error = pilot.spread / sqrt(n_blocks)
    expected = smallest_difference(error, n_blocks, float(test.level), question.power)
    if expected is None or n_blocks > MOST_SIMULATED:
        return expected
    differences = [expected * share for share in AROUND]
    powers = simulated_power(pilot.residuals, pilot.sizes, n_blocks, differences, test)
    return value_at_power(list(zip(differences, powers, strict=True)), question.power)
