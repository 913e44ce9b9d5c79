"""Scores and judgements of the same systems in the same EVALs, and the consistency of the judges.

The consistency at each level corrects correlations for the disagreement of judges.

Metrics are compared with the means of judges. The more these would differ with other judges, the
lower every correlation with them. A strict judge who judged everything lowers all means alike,
which changes no correlation. So the divisor comes from the consistency of the means, the intraclass
correlation ICC(C,k), which equals Cronbach's alpha: the share of their variance that is not error.
Its root is the correlation of the means with those of infinitely many judges. Krippendorff's alpha
counts strictness as disagreement, so it describes the ratings and corrects nothing.

If some judges did not judge everything, strictness moves only some means, and nothing is corrected.

Sources: C. Spearman, The Proof and Measurement of Association between Two Things, American Journal
of Psychology 15, 1904; the same, Correlation Calculated from Faulty Data, and W. Brown, Some
Experimental Results in the Correlation of Mental Abilities, British Journal of Psychology 3, 1910;
K. O. McGraw, S. P. Wong, Forming Inferences about Some Intraclass Correlation Coefficients,
Psychological Methods 1, 1996; K. Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011;
the same, Content Analysis, 3rd edition, 2013, chapter 12.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, compress
from math import isnan
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError
from rouge_cli.inputs.evaluation import first_cells, in_byte_order, nothing_common
from rouge_cli.inputs.judgements import Judge, JudgedRow, Judgements
from rouge_cli.metrics.arithmetic import Floats, Whole
from rouge_cli.metrics.counts import Aggregation
from rouge_cli.options.scores import ERROR, SKIP, SKIP_CELLS
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.rows import NUMBER_OR_NULL, Shown
from rouge_cli.scores.results import ScoreTable
from rouge_cli.scores.summaries import cluster_numbers
from rouge_cli.studies.correlate.coefficients import (
    LEVELS,
    SIGNIFICANT_DECIMALS,
    system_means,
    whole_numbers,
)
from rouge_cli.studies.score_columns import ScoreColumn, score_matrix

FEWEST_SYSTEMS = 3
Evals = dict[str, frozenset[str]]  # IDs of EVALs by system


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """The ratings of each judge, (n_systems, n_evals, n_judges); nan for missing ratings.

    With one judgement per system, n_evals is 1. `are_shared` says that all EVALs have the same
    judges; otherwise, judges are numbered EVAL by EVAL.
    """

    values: Floats
    are_shared: bool

    def is_complete(self, *, across_evals: bool) -> bool:
        """Return whether all judges of an EVAL, or of all EVALs, rated everything there."""
        counts = (~np.isnan(self.values)).sum(axis=2)
        has_all = np.isin(counts, (0, self.values.shape[2])).all()
        return bool(has_all) and (self.are_shared or not across_evals)


@dataclass(frozen=True, slots=True, eq=False)
class JudgedCells:
    """The judgements of all systems in all EVALs.

    - `systems`, `eval_ids`: in byte order, so that no order of the input can change a draw.
    - `judgements`: names of the judgements.
    - `judged`: shape (n_judgements, n_systems, n_evals), with nan for missing cells. A single
      judgement of a system is repeated in every EVAL.
    - `is_per_eval`: whether systems were judged EVAL by EVAL.
    - `warnings`: what was left out.
    - `clusters`: the number of each EVAL's cluster, from 0 on; shape (n_evals,).
    - `ratings`: for each judgement, the ratings behind its means; None if no cell has several.
    - `order`: indices of the systems in the order in which the judgements first name them.
    """

    systems: tuple[str, ...]
    eval_ids: tuple[str, ...]
    judgements: tuple[str, ...]
    judged: Floats
    is_per_eval: bool
    warnings: tuple[str, ...]
    clusters: Whole | None
    order: tuple[int, ...]
    ratings: tuple[Ratings | None, ...]


def match_judgements(
    judgements: Judgements,
    cells: Mapping[str, Sequence[str]],
    unmatched: str = ERROR,
    clusters: Mapping[str, str] | None = None,
) -> JudgedCells:
    """Match judgements with scores.

    - `cells`: the EVALs in which each system is scored.
    - `unmatched`: one of `UNMATCHED`, for systems and EVALs that lack scores or judgements.
    - `clusters`: the cluster of each EVAL; without any, every EVAL is one.

    Raises InputError for scores without judgements, judgements without scores, fewer than 3
    systems, and a judgement that is the same everywhere.
    """
    file = judgements.name
    scored = _scored_evals(cells)
    judged = _judged_evals(judgements, scored, unmatched)
    systems = _common_systems(scored, judged, file)
    # Look for gaps among common systems only: another system is reported once, not in each EVAL.
    both = [[evals[system] for system in systems] for evals in (scored, judged)]
    known = in_byte_order(frozenset[str]().union(*chain.from_iterable(both)))
    # Whether each cell is scored, and whether it is judged; (2, n_systems, n_evals).
    is_there = np.array([[[x in ids for x in known] for ids in side] for side in both], np.bool_)
    missing = [*_unmatched_systems(scored, judged, file), *_gaps(is_there, systems, known, file)]
    if missing and unmatched == ERROR:
        advice = f"give what is missing, or leave it out with --unmatched {SKIP} or {SKIP_CELLS}"
        raise InputError([*first_cells(missing), advice])
    has_both = is_there[0] & is_there[1]
    # --unmatched skip leaves out EVALs with gaps; skip-cells keeps all that have a cell.
    is_kept = np.asarray((np.any if unmatched == SKIP_CELLS else np.all)(has_both, axis=0))
    eval_ids = list(compress(known, is_kept))
    _check_size(systems, eval_ids, file)
    placed = _placed_rows(judgements, systems, eval_ids)
    n_columns = len(eval_ids) if judgements.is_per_eval else 1
    values = np.full((len(judgements.columns), len(systems), n_columns), np.nan)
    for (system, column), row in placed:
        values[:, system, column] = row.values
    values = np.where(is_there[0][:, is_kept], values, np.nan)
    _check_spread(judgements, values)
    named = dict.fromkeys(row.system for row in judgements.rows)
    return JudgedCells(
        tuple(systems),
        tuple(eval_ids),
        judgements.columns,
        values,
        judgements.is_per_eval,
        tuple(_warnings(judgements, [*missing, *_blank(judgements, placed)], has_both[:, is_kept])),
        cluster_numbers(eval_ids, clusters) if clusters else None,
        tuple(systems.index(system) for system in named if system in systems),
        tuple(_ratings(placed, index, column) for index, column in enumerate(values)),
    )


def _scored_evals(cells: Mapping[str, Sequence[str]]) -> Evals:
    problems = [
        f"system {system!r} has more than one text {eval_id!r}; expected an ID for each, by which "
        "to find its judgement"
        for system, evals in cells.items()
        for eval_id, count in Counter(evals).items()
        if count > 1
    ]
    if problems:
        raise InputError(first_cells(problems))
    return {system: frozenset(evals) for system, evals in cells.items()}


def _judged_evals(judgements: Judgements, scored: Evals, unmatched: str) -> Evals:
    """Return the EVALs in which each system is judged; a single judgement applies to all.

    A row needs all judgements or, if single cells are left out, one of them.
    """
    enough = any if unmatched == SKIP_CELLS else all
    rows = [row for row in judgements.rows if enough(not isnan(value) for value in row.values)]
    if not judgements.is_per_eval:
        all_evals = frozenset[str]().union(*scored.values())
        return {row.system: all_evals for row in rows}
    judged: dict[str, set[str]] = {}
    for row in rows:
        judged.setdefault(row.system, set()).add(row.eval_id or "")
    return {system: frozenset(evals) for system, evals in judged.items()}


def _common_systems(scored: Evals, judged: Evals, name: str) -> list[str]:
    systems = in_byte_order(scored.keys() & judged.keys())
    of_scores, of_judges = (
        frozenset[str]().union(*(evals[system] for system in systems)) for evals in (scored, judged)
    )
    problem = "no {} is both scored and judged: the scores have {{one}}, the judgements {{other}}"
    if not systems:
        raise InputError(
            nothing_common(problem.format("system"), scored.keys(), judged.keys(), name)
        )
    if of_scores and of_judges and of_scores.isdisjoint(of_judges):
        raise InputError(nothing_common(problem.format("text"), of_scores, of_judges, name))
    return systems


def _unmatched_systems(scored: Evals, judged: Evals, name: str) -> Iterator[str]:
    for system in in_byte_order(scored.keys() - judged.keys()):
        yield f"{name}: no judgement of system {system!r}, which is scored"
    for system in in_byte_order(judged.keys() - scored.keys()):
        yield f"{name}: system {system!r} is judged, but not scored"


def _gaps(
    is_there: NDArray[np.bool_], systems: Sequence[str], eval_ids: Sequence[str], file: str
) -> Iterator[str]:
    """Yield a message about each missing cell of an EVAL, or one message if all are missing."""
    for k, eval_id in enumerate(eval_ids):
        is_scored, is_judged = is_there[:, :, k]
        if not is_scored.any():
            yield f"{file}: text {eval_id!r} is judged, but not scored"
        elif not is_judged.any():
            yield f"{file}: no judgement of text {eval_id!r}, which is scored"
        else:
            for system in compress(systems, ~is_scored):
                yield f"system {system!r} has no score in text {eval_id!r}"
            for system in compress(systems, ~is_judged):
                yield f"{file}: no judgement of system {system!r} in text {eval_id!r}"


def _check_size(systems: Sequence[str], eval_ids: Sequence[str], name: str) -> None:
    if len(systems) < FEWEST_SYSTEMS:
        size = f"{len(systems)} system{'s' * (len(systems) != 1)}"
        raise InputError(
            f"{name}: {size} with scores and judgements; a correlation over systems needs at "
            f"least {FEWEST_SYSTEMS}"
        )
    if not eval_ids:
        raise InputError(f"{name}: no text has scores and judgements of all systems")


def _check_spread(judgements: Judgements, cells: Floats) -> None:
    columns = list(zip(judgements.columns, cells, strict=True))
    problems = [
        f"{judgements.name}: column {column!r} has no number left"
        for column, values in columns
        if np.isnan(values).all()
    ] or [
        f"{judgements.name}: column {column!r} is {np.nanmin(values):g} everywhere; a constant "
        "correlates with nothing"
        for column, values in columns
        if np.nanmin(values) == np.nanmax(values)
    ]
    if problems:
        raise InputError(problems)


Placed = list[tuple[tuple[int, int], JudgedRow]]
"""Rows with the indices of their system and of their EVAL, 0 if they judge whole systems."""


def _placed_rows(judgements: Judgements, systems: Sequence[str], eval_ids: Sequence[str]) -> Placed:
    row_of = {system: row for row, system in enumerate(systems)}
    evals = eval_ids if judgements.is_per_eval else [None]
    column_of = {eval_id: column for column, eval_id in enumerate(evals)}
    return [
        ((row_of[row.system], column_of[row.eval_id]), row)
        for row in judgements.rows
        if row.system in row_of and row.eval_id in column_of
    ]


def _blank(judgements: Judgements, placed: Placed) -> Iterator[str]:
    """Yield a message about each missing number of rows that are kept for their other numbers."""
    for _, row in placed:
        where = "" if row.eval_id is None else f" in text {row.eval_id!r}"
        for column, value in zip(judgements.columns, row.values, strict=True):
            if isnan(value) and not all(map(isnan, row.values)):
                yield f"{judgements.name}: no {column!r} of system {row.system!r}{where}"


def _warnings(
    judgements: Judgements, left_out: Sequence[str], has_both: NDArray[np.bool_]
) -> Iterator[str]:
    yield from (f"{problem}; left out" for problem in first_cells(left_out))
    if n_uneven := np.count_nonzero(~has_both.all(axis=0)):
        yield (
            f"{n_uneven} of {has_both.shape[1]} texts lack some systems: at the system level "
            "the means are over different texts"
        )
    for column in judgements.ignored:
        yield f"{judgements.name}: column {column!r} holds no number; it is left out"


def _ratings(placed: Placed, index: int, judged: Floats) -> Ratings | None:
    """Return the ratings behind the means of a judgement, `judged`; None if no cell has several."""
    has_value = ~np.isnan(judged)
    given = [(place, row.by_judge(index)) for place, row in placed if has_value[place]]
    if all(len(by_judge) <= 1 for _, by_judge in given):
        return None
    known = dict.fromkeys(judge for _, by_judge in given for judge in by_judge)
    n_columns = 1 + max(column for (_, column), _ in placed)
    judges_of: list[set[Judge]] = [set() for _ in range(n_columns)]
    for (_, column), by_judge in given:
        judges_of[column] |= by_judge.keys()
    # Judges are numbered EVAL by EVAL, so that the array is only as deep as the most judges of an
    # EVAL, however many there are in all.
    numbers = [
        {judge: k for k, judge in enumerate(name for name in known if name in judges)}
        for judges in judges_of
    ]
    ratings = np.full((len(judged), n_columns, max(map(len, judges_of))), np.nan)
    for (row, column), by_judge in given:
        places = [numbers[column][judge] for judge in by_judge]
        ratings[row, column, places] = list(by_judge.values())
    are_shared = all(judges == known.keys() for judges in judges_of if judges)
    return Ratings(ratings, are_shared)


def score_cells(table: ScoreTable, cells: JudgedCells, columns: Sequence[ScoreColumn]) -> Floats:
    """Return the scores, (n_systems, n_evals, n_columns), with nan for missing cells."""
    scores = np.full((len(cells.systems), len(cells.eval_ids), len(columns)), np.nan)
    for row, name in enumerate(cells.systems):
        system = table.systems[name]
        index_of = {eval_id: index for index, eval_id in enumerate(system.eval_ids)}
        into = [k for k, eval_id in enumerate(cells.eval_ids) if eval_id in index_of]
        places = [index_of[cells.eval_ids[k]] for k in into]
        scores[row, into] = score_matrix(system, columns)[places]
    scores[np.isnan(cells.judged).all(axis=0)] = np.nan
    return scores


@dataclass(frozen=True, slots=True, eq=False)
class AggregatedCells:
    """The parts of a metric whose system scores are not means over EVALs.

    `place` is the index of the metric among all scores. `parts` has shape (n_systems, n_evals,
    n_parts), with nan where a cell is missing. `sign` is -1 if lower is better, since the scores of
    such metrics are negated.
    """

    place: int
    aggregation: Aggregation
    parts: Floats
    sign: int = 1

    def scores(self, parts: Floats) -> Floats:
        """Return the scores of systems, (n_systems, ...), from (n_systems, n_evals, ..., n_parts).

        Scores are scaled to the range from -1 to 1, which changes no coefficient, and rounded as
        `system_means` rounds.
        """
        is_there = ~np.isnan(parts)
        n_evals = is_there.sum(axis=1)
        means = np.where(is_there, parts, 0.0).sum(axis=1) / np.maximum(n_evals, 1)
        means = np.where(n_evals > 0, means, np.nan)
        aggregate = self.aggregation.score(np.moveaxis(means, -1, 0), n_evals[..., 0])
        scale = self.sign * (float(np.nanmax(np.abs(aggregate), initial=0.0)) or 1.0)
        return np.round(aggregate / scale, SIGNIFICANT_DECIMALS)


def system_scores(
    cells: Floats, aggregated: tuple[AggregatedCells, ...], parts: tuple[Floats, ...]
) -> Floats:
    """Return the scores of systems, means or aggregations of means; (n_systems, ..., n_metrics).

    `cells` has shape (n_systems, n_evals, ..., n_metrics). The `parts` of each aggregated metric
    are drawn as the cells are, (n_systems, n_evals, ..., n_parts).
    """
    scores = system_means(cells)
    for metric, drawn in zip(aggregated, parts, strict=True):
        scores[..., metric.place] = metric.scores(drawn)
    return scores


@dataclass(frozen=True, slots=True)
class Condition:
    """The conditions under which the texts were scored, with the signatures of the runs.

    - `texts`: as-is, stem, stop or stem+stop; null if the options of the run decide.
    - `model_set`: one, the first reference of each text, or all.
    """

    texts: Annotated[str | None, Shown()]
    model_set: Annotated[str, Shown(key="models", schema={"enum": ["one", "all"]})]
    signatures: Annotated[tuple[str, ...], Shown("What affects the scores, run by run.")] = ()


@dataclass(frozen=True, slots=True, eq=False)
class JudgedScores:
    """The scores of a condition, of shape (n_systems, n_evals, n_metrics).

    `aggregated` has the metrics whose system scores are not means of these. `steps` has the factor
    by which `whole_numbers` multiplied each metric; it is empty for scores as they are.
    """

    condition: Condition
    scores: Floats
    aggregated: tuple[AggregatedCells, ...] = ()
    steps: tuple[float, ...] = ()

    def of_systems(self, judged: Floats) -> tuple[Floats, Floats]:
        """Return the scores and judgements of systems in the shape of a single EVAL."""
        parts = tuple(metric.parts for metric in self.aggregated)
        scores = system_scores(self.scores, self.aggregated, parts)
        return scores[:, np.newaxis], system_means(judged)[:, np.newaxis]

    def whole(self) -> "JudgedScores":
        """Return the scores as whole numbers."""
        columns = [whole_numbers(self.scores[..., k]) for k in range(self.scores.shape[2])]
        values, steps = zip(*columns, strict=True)
        return replace(self, scores=np.stack(values, axis=2), steps=steps)


def possible_levels(wanted: Sequence[str], cells: JudgedCells) -> tuple[str, ...]:
    """Return the wanted levels, or else all that the judgements allow; raises InputError."""
    if cells.is_per_eval:
        return tuple(level for level in LEVELS if level in wanted or not wanted)
    if impossible := [level for level in wanted if level != "system"]:
        raise InputError(
            f"--level {impossible[0]}: there is one judgement per system, which has the system "
            "level only; expected a column 'eval' and a judgement for each system and text"
        )
    return ("system",)


# The formula is exact for Pearson's coefficient, and nearly so for Spearman's.
CORRECTED = ("pearson", "spearman")
NOTHING = 1e-12  # variances below this share of the largest one are rounding errors


@dataclass(frozen=True, slots=True)
class LevelAgreement:
    """The consistency of the means of judges at a level."""

    judges: Annotated[int, Shown("Number of judges, in a text or in all.")]
    is_complete: Annotated[bool, Shown("Whether they rated everything that is compared.")]
    consistency: Annotated[
        float, Shown("ICC(C,k); null if it is not above 0, or unknown.", schema=NUMBER_OR_NULL)
    ]

    @property
    def ceiling(self) -> Annotated[float, Shown(schema=NUMBER_OR_NULL)]:
        """Correlation of the means with those of infinitely many judges; null if unknown."""
        return float(np.sqrt(self.consistency))


def level_agreement(level: str, ratings: Ratings) -> LevelAgreement:
    """Return the agreement at a level."""
    n_systems, n_evals, n_judges = ratings.values.shape
    is_complete = ratings.is_complete(across_evals=level != "summary")
    if not is_complete:
        # The strictness of a judge would move only some of the means.
        return LevelAgreement(n_judges, is_complete, float("nan"))
    ones = np.ones((n_systems, 1), np.int64), np.ones((n_evals, 1), np.int64)
    single = resampled_consistency(level, ratings.values, *ones)
    (consistency,) = consistency_of_means(single, np.array(float(n_judges))).tolist()
    return LevelAgreement(n_judges, is_complete, consistency)


def consistency_of_means(single: Floats, judges: Floats) -> Floats:
    """Return the consistency of the mean of several judges from that of one; nan if not above 0.

    This is the formula of Spearman and Brown. Both arguments have shape (n,) or ().
    """
    known = np.where(single > 0, single, np.nan)
    return judges * known / (1 + (judges - 1) * known)


def resampled_consistency(level: str, ratings: Floats, systems: Whole, evals: Whole) -> Floats:
    """Return ICC(C,1), the consistency of one judge, in resamples; (n,), nan if nothing varies.

    `ratings`, (n_systems, n_evals, n_judges), are nan in whole cells only. `systems`,
    (n_systems, n), and `evals`, (n_evals, n), are the numbers of draws. The levels compare the
    means of systems, the cells of each EVAL, or all cells.
    """
    drawn, times = systems.astype(np.float64), evals.astype(np.float64)
    is_there = ~np.isnan(ratings[..., 0])
    n_judges = ratings.shape[2]
    known = np.where(is_there[..., np.newaxis], ratings, 0.0)
    # Subtract the overall mean, so that squares lose no digits.
    known -= known.sum() / max(1, is_there.sum() * n_judges) * is_there[..., np.newaxis]
    by_judge: list[Floats] = [known[..., judge] for judge in range(n_judges)]
    counts = is_there.astype(np.float64)
    if level == "system":
        counts = counts @ times
        by_judge = [table @ times / np.maximum(counts, 1.0) for table in by_judge]
        counts = (counts > 0).astype(np.float64)

    def added(cells: Floats) -> Floats:
        """Sum drawn cells over the units that are compared."""
        if level == "system":
            total: Floats = (cells * drawn).sum(axis=0)
            return total
        of_evals: Floats = cells.T @ drawn
        return of_evals if level == "summary" else (of_evals * times).sum(axis=0)

    n_units = np.maximum(added(counts), 1.0)

    def spread(cells: Floats) -> Floats:
        """Return the sum of squared deviations from the mean."""
        squares = added(cells**2) - added(cells) ** 2 / n_units
        return (squares * times).sum(axis=0) if level == "summary" else squares

    means = sum(by_judge[1:], by_judge[0]) / n_judges
    between = n_judges * spread(means)
    error = np.sum([spread(table - means) for table in by_judge], axis=0)
    total = between + error
    varies = total > NOTHING * max(1.0, float(total.max(initial=0.0)))
    # Mean squares have (n - 1) and (n - 1)(k - 1) degrees of freedom, of which n - 1 cancels.
    single = (between - error / (n_judges - 1)) / np.where(varies, total, 1.0)
    return np.where(varies, single, np.nan)


def krippendorff_alpha(ratings: Sequence[Sequence[float]]) -> float | None:
    """Return Krippendorff's alpha of interval data: 1 for perfect agreement, about 0 for chance.

    Alpha is 1 minus the quotient of two disagreements: that within units, and that of all ratings
    mixed at random. Both are mean squared differences of two ratings. The ratings of a unit, such
    as a system in an EVAL, are in any order of the judges. A unit with one rating has no pair and
    is left out.

    Returns None if no unit has two ratings, or all ratings are equal.
    """
    pairable = [np.array(unit, np.float64) for unit in ratings if len(unit) > 1]
    if not pairable:
        return None
    all_ratings = np.concatenate(pairable)
    n = len(all_ratings)
    # The squared differences of all ordered pairs of m ratings add up to 2 m times the squared
    # deviations from their mean; each unit's pairs weigh 1 / (m - 1).
    expected = 2 * n * float(((all_ratings - all_ratings.mean()) ** 2).sum()) / (n - 1)
    observed = sum(
        2 * len(unit) * float(((unit - unit.mean()) ** 2).sum()) / (len(unit) - 1)
        for unit in pairable
    )
    return None if (all_ratings == all_ratings[0]).all() else 1 - observed / expected


def resampled_alpha(ratings: Floats, systems: Whole, evals: Whole) -> Floats:
    """Return Krippendorff's alpha in resamples, (n,); nan if undefined.

    `ratings`, (n_systems, n_evals, n_judges), may be nan anywhere; `systems` and `evals` are as in
    `resampled_consistency`.
    """
    drawn, times = systems.astype(np.float64), evals.astype(np.float64)
    is_there = ~np.isnan(ratings)
    # A unit of one rating has no pair.
    is_there &= (is_there.sum(axis=-1) > 1)[..., np.newaxis]
    sizes = is_there.sum(axis=-1).astype(np.float64)
    # Subtract the overall mean, so that squares lose no digits.
    middle = float(ratings[is_there].mean()) if is_there.any() else 0.0
    known = np.where(is_there, ratings - middle, 0.0)
    sums, squares = known.sum(axis=-1), (known**2).sum(axis=-1)
    centred = np.where(is_there, known - (sums / np.maximum(sizes, 1))[..., np.newaxis], 0.0)
    # The disagreement of all ordered pairs of m ratings, each with weight 1 / (m - 1).
    within = 2 * sizes * (centred**2).sum(axis=-1) / np.maximum(sizes - 1, 1)
    n, total, square, observed = (
        (x.T @ drawn * times).sum(axis=0) for x in (sizes, sums, squares, within)
    )
    deviations = np.maximum(square - total**2 / np.maximum(n, 1), 0.0)
    expected = 2 * n * deviations / np.maximum(n - 1, 1)
    varies = expected > NOTHING * np.maximum(1.0, np.abs(expected).max(initial=0.0))
    return np.where(varies, 1 - observed / np.where(varies, expected, 1.0), np.nan)
