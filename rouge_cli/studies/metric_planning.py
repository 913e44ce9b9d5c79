"""How many systems and EVALs tell two metrics apart, by studies that are drawn from a pilot.

A simulated study draws systems and EVALs of a judged pilot with replacement, and tests the two
metrics by the permutation test of `correlate`. At the system level Williams' test has a formula for
its power, which stands beside it as a check.

Sources: D. Deutsch, R. Dror, D. Roth, A Statistical Analysis of Summarization Evaluation Metrics
Using Resampling Methods, TACL 9, 2021, for the draws and the test; D. Card and others, With Little
Power Comes Great Responsibility, EMNLP 2020, for power by simulation; E. J. Williams, Regression
Analysis, 1959.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, isnan, sqrt

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, OptionError
from rouge_cli.inputs.judgements import Judgements
from rouge_cli.options.options import Options
from rouge_cli.options.scores import SKIP_CELLS
from rouge_cli.progress import tracked
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.results import Results
from rouge_cli.studies.correlate.coefficients import PEARSON, SYSTEM, scipy_stats, whole_numbers
from rouge_cli.studies.correlate.correlation_columns import possible_levels
from rouge_cli.studies.correlate.exchange import (
    FEWEST_SYSTEMS,
    NO_DIFFERENCE,
    exchangeable,
    williams_parts,
)
from rouge_cli.studies.correlate.judged_cells import JudgedCells, match_judgements, score_cells
from rouge_cli.studies.correlate.metric_tests import (
    percentile_interval,
    permutation_tests,
    resampled_correlations,
)
from rouge_cli.studies.draws import Resampling
from rouge_cli.studies.planning import value_at_power
from rouge_cli.studies.score_columns import Column, columns_of

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

MOST_STUDIES, FEWEST_STUDIES = 300, 100
"""Studies of each size: a power of 0.8 is right to 0.023, or 0.04 where studies are large."""

CELLS_TO_TEST = 100_000
"""Cells of all studies of one size together, below the system level, up to which all are made."""

MOST_IN_STUDY = 5_000_000
"""Cells of a study, or pairs of systems: its test takes up to 200 bytes for each, so 1 GB."""

LEAST_RESAMPLES, RESAMPLES_OF_LEVEL = 199, 10
"""Of each test: at least so many, and so many that the level leaves room for."""

PILOT_RESAMPLES = 1000
"""For the interval of the pilot's difference."""

TIMES_SYSTEMS, TIMES_EVALS = (1, 2, 3, 4), (1, 2, 4)
"""Sizes that are tried where none are asked for, in sizes of the pilot."""

PURPOSE = 4
"""Of the draws of studies: those of `planning` have 3."""


@dataclass(frozen=True, slots=True)
class MetricQuestion:
    """What is asked.

    - `metrics`: names of the two; empty: the two that the pilot has. `letters`: their measures.
    - `measured`: level and coefficient, as `at_level` takes them.
    - `level`: at which the test is significant; the first of Holm's over `comparisons`.
    - `n_systems`, `n_evals`: sizes of studies, EVALs in clusters if there are any; empty: multiples
      of the pilot.
    """

    metrics: tuple[str, ...]
    letters: str
    measured: tuple[str, str]
    power: float
    level: Fraction
    comparisons: int = 1
    n_systems: tuple[int, ...] = ()
    n_evals: tuple[int, ...] = ()
    seed: int = 2004

    @property
    def significance(self) -> float:
        """The p up to which the metrics are told apart."""
        return float(self.level / self.comparisons)

    @property
    def resamples(self) -> int:
        """Of each test."""
        return max(LEAST_RESAMPLES, ceil(RESAMPLES_OF_LEVEL / self.significance) - 1)


@dataclass(frozen=True, slots=True)
class StudySize:
    """How often studies of a size tell the metrics apart.

    - `power`: the share of `n_studies` simulated ones, the better metric of the pilot in front.
    - `error`: the standard error of this share.
    - `williams`: by the formula of Williams' test; None but for Pearson at the system level.
    """

    n_systems: int
    n_evals: int
    n_studies: int
    power: float
    error: float
    williams: float | None


@dataclass(frozen=True, slots=True)
class NeededSystems:
    """With so many EVALs each, how many systems it takes.

    None if all sizes that were tried have less power; `is_fewest` if all have more.
    """

    n_evals: int
    n_systems: int | None
    is_fewest: bool


@dataclass(frozen=True, slots=True)
class MetricPlan:
    """The answer, from a pilot; `options` are those of the scores.

    - `metrics`: the two, and `correlations` those of the pilot.
    - `interval`: of the difference of the correlations, None if no resample has one.
    - `n_blocks`: clusters of EVALs; of which there are as many as EVALs if there are none.
    """

    metrics: tuple[Column, ...]
    judgement: str
    correlations: tuple[float, ...]
    interval: tuple[float, float] | None
    n_systems: int
    n_evals: int
    n_blocks: int
    sizes: tuple[StudySize, ...]
    needed: tuple[NeededSystems, ...]
    question: MetricQuestion
    options: Options
    warnings: tuple[str, ...]

    @property
    def difference(self) -> float:
        """The correlation of the first metric less that of the second."""
        return self.correlations[0] - self.correlations[1]

    @property
    def n_clusters(self) -> int | None:
        """The number of clusters; None if what is counted are EVALs."""
        return self.n_blocks if self.n_blocks < self.n_evals else None


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPilot:
    """Scores of two metrics, (n_systems, n_evals, 2), and judgements, (n_systems, n_evals).

    `clusters`, of shape (n_evals,), are numbers from 0 on, or None.
    """

    scores: Floats
    judged: Floats
    clusters: Places | None = None

    @property
    def n_blocks(self) -> int:
        """How many EVALs, or clusters, can be drawn."""
        return self.judged.shape[1] if self.clusters is None else int(self.clusters.max()) + 1

    def drawn(self, n_systems: int, n_blocks: int, random: np.random.Generator) -> "JudgedPilot":
        """Draw a study with replacement."""
        systems = random.integers(0, len(self.judged), n_systems)
        blocks = random.integers(0, self.n_blocks, n_blocks)
        clusters, evals = None, blocks
        if self.clusters is not None:
            members = [np.flatnonzero(self.clusters == block) for block in blocks]
            evals = np.concatenate(members)
            clusters = np.repeat(np.arange(n_blocks), [len(block) for block in members])
        cells = np.ix_(systems, evals)
        return JudgedPilot(self.scores[cells], self.judged[cells], clusters)

    def covariances(self, n_blocks: int) -> Floats:
        """Return those of the systems' means, of both metrics and judgements, over so many EVALs.

        Shape (3, 3), of very many systems as those of the pilot.
        """
        means, rest = _effects(self._blocks(self._cells()))
        within = np.einsum("iea,ieb->ab", rest, rest) / rest[..., 0].size
        covariances: Floats = means.T @ means / len(means) + within / n_blocks
        return covariances

    def shrunken(self) -> "JudgedPilot":
        """Return the pilot with means of systems nearer to each other, for the system level.

        Its EVALs moved the means, and those of a study move them again. So the means are mapped
        linearly to the covariances less those of the EVALs' part, by the map that moves them least.
        """
        n_systems, n_blocks = len(self.judged), self.n_blocks
        if n_blocks == 1:
            return self
        cells = self._cells()
        spreads = cells.std(axis=(0, 1))
        cells = cells / np.where(spreads > 0, spreads, 1.0)
        means, rest = _effects(self._blocks(cells))
        degrees = (n_systems - 1) * (n_blocks - 1)
        within = np.einsum("iea,ieb->ab", rest, rest) / degrees
        between = means.T @ means / (n_systems - 1)
        to_target = _transport(between, between - within / n_blocks)
        means, rest = _effects(cells)
        # Means and rests of a sample are less far apart than those that it is a sample of.
        means = means @ to_target * sqrt(n_systems / (n_systems - 1))
        moved = means[:, np.newaxis] + rest * sqrt(n_systems * n_blocks / degrees)
        return JudgedPilot(moved[..., :2], moved[..., 2], self.clusters)

    def _cells(self) -> Floats:
        """Put judgements behind the scores, (n_systems, n_evals, 3)."""
        return np.concatenate((self.scores, self.judged[..., np.newaxis]), axis=2)

    def _blocks(self, cells: Floats) -> Floats:
        """Return the mean of each EVAL, or cluster; (n_systems, n_blocks, 3)."""
        if self.clusters is None:
            return cells
        sums = np.zeros((len(cells), self.n_blocks, cells.shape[2]))
        for place, block in enumerate(self.clusters.tolist()):
            sums[:, block] += cells[:, place]
        means: Floats = sums / np.bincount(self.clusters)[:, np.newaxis]
        return means


def _effects(cells: Floats) -> tuple[Floats, Floats]:
    """Return means of systems about 0, (n_systems, 3), and what they and EVALs leave of cells.

    How hard an EVAL is moves no system from another, as all have the same EVALs.
    """
    means = cells.mean(axis=1) - cells.mean(axis=(0, 1))
    return means, cells - cells.mean(axis=0) - means[:, np.newaxis]


def _transport(between: Floats, target: Floats) -> Floats:
    """Return the symmetric map from covariances to others, less what of these is below 0."""
    root, inverse = _power(between, 0.5), _power(between, -0.5)
    target = _power(target, 1.0)
    to_target: Floats = inverse @ _power(root @ target @ root, 0.5) @ inverse
    return to_target


def _power(symmetric: Floats, exponent: float) -> Floats:
    """Return a power of a symmetric matrix, of its positive part."""
    values, vectors = np.linalg.eigh(symmetric)
    is_there = values > NO_DIFFERENCE
    powers = np.where(is_there, np.where(is_there, values, 1.0) ** exponent, 0.0)
    power: Floats = (vectors * powers) @ vectors.T
    return power


def plan_metrics(
    results: Results, systems: Sequence[str], judgements: Judgements, question: MetricQuestion
) -> MetricPlan:
    """Plan a study that tells two metrics apart, from a judged pilot.

    `results` are means over EVALs, of three or more `systems`. Raises OptionError if the metrics or
    the judgement are not named, InputError if the pilot cannot be used.
    """
    scipy_stats()
    cells = _matched(results, systems, judgements)
    possible_levels((question.measured[0],), cells)
    metrics = chosen_metrics(columns_of(results.table, question.letters), question.metrics)
    signs = [-1.0 if metric.is_lower_better else 1.0 for metric in metrics]
    scores = score_cells(results.table, cells, metrics) * signs
    whole = np.stack([whole_numbers(scores[..., k])[0] for k in range(len(metrics))], axis=2)
    pilot = JudgedPilot(whole, whole_numbers(cells.judged[0])[0], cells.clusters)
    tried = _tried(pilot, question)
    evals_of_block = len(cells.eval_ids) / pilot.n_blocks
    check_study_size(tried[0][-1], round(tried[1][-1] * evals_of_block), question.measured[1])
    how = Resampling(PILOT_RESAMPLES, question.seed, clusters=pilot.clusters)
    measured = exchangeable(question.measured, pilot.scores, pilot.judged, how)
    first, second = measured.observed().tolist()
    names = " and ".join(f"{metric.metric} {metric.letter}" for metric in metrics)
    if isnan(first + second) or abs(first - second) < measured.tolerance:
        raise InputError(
            f"{names} agree with the judgements of the pilot equally well, or not at all; a plan "
            "needs a difference that can be found"
        )
    drawn = resampled_correlations(question.measured, pilot.scores, pilot.judged, how)
    confidence = 100 * (1 - float(question.level))
    source = pilot.shrunken() if question.measured[0] == SYSTEM else pilot
    sizes = tuple(_sizes(source, question, tried, better_first=first > second))
    return MetricPlan(
        metrics,
        cells.judgements[0],
        (first, second),
        percentile_interval(drawn[0] - drawn[1], confidence).bounds,
        len(cells.systems),
        len(cells.eval_ids),
        pilot.n_blocks,
        sizes,
        tuple(_needed(sizes, question.power)),
        question,
        results.options,
        (*results.warnings, *cells.warnings),
    )


def _matched(results: Results, systems: Sequence[str], judgements: Judgements) -> JudgedCells:
    """Match the one judgement with the systems of the pilot."""
    if len(judgements.columns) > 1:
        raise OptionError(
            f"--judgement: missing; {judgements.name} has {', '.join(judgements.columns)}, and a "
            "plan is for one of them"
        )
    unmatched = results.options.joined.unmatched
    if unmatched == SKIP_CELLS:
        raise OptionError(
            f"--unmatched {SKIP_CELLS}: studies are drawn of whole EVALs; give --unmatched skip"
        )
    table = results.table
    evals = {name: table.systems[name].eval_ids for name in systems}
    others = frozenset(table.systems) - frozenset(systems)
    rows = tuple(row for row in judgements.rows if row.system not in others)
    return match_judgements(replace(judgements, rows=rows), evals, unmatched, table.clusters)


def chosen_metrics(columns: Sequence[Column], names: Sequence[str]) -> tuple[Column, ...]:
    """Return the two metrics to tell apart, of all columns; raises OptionError."""
    known = dict.fromkeys(column.metric.lower() for column in columns)
    for name in names:
        if name.lower() not in known:
            listed = ", ".join(dict.fromkeys(column.metric for column in columns))
            raise OptionError(f"--metric: no metric {name!r}; known are: {listed}")
    wanted = [name.lower() for name in names]
    chosen = tuple(column for column in columns if not names or column.metric.lower() in wanted)
    if len(chosen) != 2:  # noqa: PLR2004
        listed = ", ".join(f"{column.metric} {column.letter}" for column in chosen)
        raise OptionError(
            f"a plan tells two metrics apart, found {listed}; name two with --metric, or one with "
            "two --measures"
        )
    for column in chosen:
        if not column.is_mean_of_evals:
            raise OptionError(
                f"{column.metric} is no mean over EVALs, which studies could be drawn of; fuse "
                "each EVAL instead (eval-...)"
            )
    if wanted and chosen[0].metric.lower() != wanted[0]:
        return chosen[::-1]
    return chosen


def check_study_size(n_systems: int, n_evals: int, coefficient: str | None) -> None:
    """Refuse studies that do not fit into the memory; raises OptionError."""
    n, unit, n_pairs = n_systems * n_evals, "scores", n_systems * (n_systems - 1) // 2
    if coefficient == "acc-eq":
        n, unit = n_pairs * n_evals, "pairs of scores"
    elif coefficient == "pa" and n_pairs > n:
        n, unit = n_pairs, "pairs of systems"
    if n > MOST_IN_STUDY:
        raise OptionError(
            f"--n-systems and --n-evals: {n_systems} systems with {n_evals} EVALs each are {n} "
            f"{unit} of a metric, expected at most {MOST_IN_STUDY}; give smaller numbers"
        )


def _tried(pilot: JudgedPilot, question: MetricQuestion) -> tuple[list[int], list[int]]:
    """Return the numbers of systems, and of EVALs or clusters, that are tried; both ascending."""
    n_systems = question.n_systems or tuple(n * len(pilot.judged) for n in TIMES_SYSTEMS)
    n_evals = question.n_evals or tuple(n * pilot.n_blocks for n in TIMES_EVALS)
    return sorted(set(n_systems)), sorted(set(n_evals))


def _sizes(
    pilot: JudgedPilot,
    question: MetricQuestion,
    tried: tuple[list[int], list[int]],
    *,
    better_first: bool,
) -> Iterator[StudySize]:
    """Yield the power of studies of all sizes: by EVALs, then by systems."""
    for n_evals in tried[1]:
        for n_systems in tried[0]:
            n_studies = MOST_STUDIES
            if question.measured[0] != SYSTEM:
                # Cells are exchanged, which takes as long as there are cells.
                n_studies = max(FEWEST_STUDIES, CELLS_TO_TEST // (n_systems * n_evals))
                n_studies = min(MOST_STUDIES, n_studies)
            power = simulated_power(
                pilot, (n_systems, n_evals), question, n_studies, better_first=better_first
            )
            error = sqrt(power * (1 - power) / n_studies)
            williams = None
            if question.measured == (SYSTEM, PEARSON):
                covariances = pilot.covariances(n_evals)
                williams = williams_power(covariances, n_systems, question.significance)
            yield StudySize(n_systems, n_evals, n_studies, power, error, williams)


def simulated_power(
    pilot: JudgedPilot,
    size: tuple[int, int],
    question: MetricQuestion,
    n_studies: int,
    *,
    better_first: bool,
) -> float:
    """Return the share of studies in which the test finds the metric that is better in the pilot.

    `size` are systems, and EVALs or clusters.
    """
    random = np.random.Generator(
        np.random.PCG64(np.random.SeedSequence(question.seed, spawn_key=(PURPOSE, *size)))
    )
    n_found = 0
    for number in tracked(range(n_studies), "Simulating", [1] * n_studies):
        study = pilot.drawn(*size, random)
        # Swaps of its own for each study, or all would have the same error of drawing.
        how = Resampling(question.resamples, question.seed + number, clusters=study.clusters)
        cells = exchangeable(question.measured, study.scores, study.judged, how)
        (test,) = permutation_tests(cells, [(0, 1)], how)
        is_found = test.p is not None and test.p <= question.significance
        n_found += is_found and ((test.difference or 0.0) > 0) == better_first
    return n_found / n_studies


def williams_power(covariances: Floats, n_systems: int, level: float) -> float | None:
    """Return how often Williams' test of so many systems finds the better one of two metrics.

    From the covariances of both metrics and judgements, (3, 3), by the noncentral t distribution
    with n - 3 degrees of freedom about the t that these correlations have. None for fewer than 4
    systems, or if the difference has no error.
    """
    spreads = np.sqrt(np.diag(covariances))
    if n_systems < FEWEST_SYSTEMS or not spreads.all():
        return None
    correlations = covariances / np.outer(spreads, spreads)
    first, second, between = correlations[0, 2], correlations[1, 2], correlations[0, 1]
    numerator, squared = williams_parts(first, second, between, n_systems)
    if not squared > 0:
        return None
    stats, degrees = scipy_stats(), n_systems - 3
    critical = stats.t.isf(level / 2, degrees)
    return float(stats.nct.sf(critical, degrees, abs(float(numerator)) / sqrt(float(squared))))


def _needed(sizes: Sequence[StudySize], power: float) -> Iterator[NeededSystems]:
    """Yield how many systems have the power asked for, with each number of EVALs."""
    for n_evals in dict.fromkeys(size.n_evals for size in sizes):
        curve = [size for size in sizes if size.n_evals == n_evals]
        if min(size.power for size in curve) >= power:
            yield NeededSystems(n_evals, curve[0].n_systems, is_fewest=True)
            continue
        root = value_at_power([(sqrt(size.n_systems), size.power) for size in curve], power)
        # Between sizes of 0 and 1 there is no line: the first size with the power is enough.
        enough = next((size.n_systems for size in curve if size.power >= power), None)
        yield NeededSystems(n_evals, enough if root is None else ceil(root**2), is_fewest=False)
