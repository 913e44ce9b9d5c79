"""The records of a plan: what is asked of a comparison that is still to be made, and the answer."""

from fractions import Fraction

from rouge_cli.options.every import Options
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.statistics.power import SimulatedTest
from rouge_cli.statistics.score_columns import Column

__all__ = ["PlanQuestion", "PlannedColumn", "StudyPlan"]


@dataclass(frozen=True, slots=True)
class PlanQuestion:
    """What is asked.

    Parameters
    ----------
    difference : Fraction or None
        Of two means, that is to be found.
    margin : Fraction or None
        Within which equal systems are to be shown the same.
    level : Fraction
        At which a comparison is significant.
    comparisons : int
        How many there will be, so that the first of Holm's has this part of the level.
    spread : float or None
        Standard deviation of the differences, where the pilot has one system.
    letters : str
        The measures.
    """

    difference: Fraction | None
    margin: Fraction | None
    power: float
    level: Fraction
    comparisons: int = 1
    spread: float | None = None
    seed: int = 2004
    letters: str = "F"

    @property
    def is_equivalence(self) -> bool:
        """Whether sameness is to be shown, and not a difference."""
        return self.difference is None and self.margin is not None

    @property
    def test(self) -> SimulatedTest:
        """The test of one comparison."""
        return SimulatedTest(self.level / self.comparisons, self.seed, self.is_equivalence)


@dataclass(frozen=True, slots=True)
class PlannedColumn:
    """The answer in one measure of one metric.

    Parameters
    ----------
    spread : float
        Standard deviation of the differences of EVALs, or of the mean ones of clusters.
    detectable : float or None
        The difference that as many EVALs as the pilot has find with the power asked for; None if
        none can be found.
    n_needed : int or None
        How many EVALs, or clusters, the difference or the margin takes; None if nothing was asked,
        or if more are needed than a plan is made for.
    is_simulated : bool
        Whether the number comes from simulation, and not from the normal distribution.
    curve : tuple of (int, float)
        Numbers of EVALs, or clusters, and the power that each has in simulation.
    """

    column: Column
    spread: float
    detectable: float | None
    n_needed: int | None
    is_simulated: bool
    curve: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """The answer.

    Parameters
    ----------
    systems : tuple of str
        Of the pilot: two, or one.
    n_evals, n_blocks : int
        Of the pilot; with clusters there are fewer blocks than EVALs.
    options : Options
        Of the scores.
    """

    systems: tuple[str, ...]
    n_evals: int
    n_blocks: int
    columns: tuple[PlannedColumn, ...]
    question: PlanQuestion
    options: Options
    warnings: tuple[str, ...]

    @property
    def is_clustered(self) -> bool:
        """Whether what is counted are clusters."""
        return self.n_blocks < self.n_evals
