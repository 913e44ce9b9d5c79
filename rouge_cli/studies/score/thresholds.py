"""Compare the scores of a run with requirements, such as ``ROUGE-2:F>=0.18``, and an earlier run.

Scores are compared as decimals, exactly as they are printed, so that no decision depends on digits
that nobody sees.
"""

import operator
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from math import sqrt
from statistics import NormalDist
from typing import Any

from rouge_cli.errors import InputError, OptionError
from rouge_cli.escapes import escaped
from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.options.options import Options
from rouge_cli.options.scores import ERROR, Requirement, ThresholdOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.document import Cell, Check, Column, Role, Section, Table
from rouge_cli.reports.wording import counted
from rouge_cli.scores.baselines import (
    Baseline,
    BaselineSystem,
    baseline_of,
    printed,
    read_baseline,
    steady,
)
from rouge_cli.scores.reportable import score_key
from rouge_cli.scores.results import Results, SystemScores, SystemTable, average
from rouge_cli.studies.compare.comparison import compare, few_blocks
from rouge_cli.studies.compare.results import PairResult
from rouge_cli.studies.paired_tests import FEW_EVALS, RESAMPLES, TestPlan, exact_share
from rouge_cli.studies.planning import needed_blocks
from rouge_cli.studies.resampling import unseen_rate, unseen_texts
from rouge_cli.studies.score_columns import Noninferiority

COMPARISONS = {">=": operator.ge, ">": operator.gt, "<=": operator.le, "<": operator.lt}

SystemPair = tuple[SystemScores, BaselineSystem]
"""A system of this run, and the system of the baseline to compare it with."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of all comparisons.

    - `failures`: a line for each score that does not meet a requirement.
    - `warnings`: scores that are not compared, comparisons of unlike things, and doubtful bounds.
    - `bounds`: the lower bounds of ``--not-worse-than``; `remarks` describes each of them.
    - `checks`: all comparisons, whether they are met or not.
    """

    failures: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    bounds: tuple[Noninferiority, ...] = field(default=(), compare=False)
    remarks: tuple[str, ...] = field(default=(), compare=False)
    checks: tuple[Check, ...] = field(default=(), compare=False)


Judge = Callable[[Results], Verdict]
"""Compares the scores of a run with what is required; raises errors as `_judge` does."""


def read_thresholds(options: Options, metrics: Sequence[ScoredMetric]) -> Judge:
    """Check the requirements, and read the baseline, before anything is scored.

    `metrics` are those of the run. The function that is returned compares the scores later on.
    Raises OptionError if a requirement names another metric; InputError if the baseline cannot be
    used, or was made with options that affect scores.
    """
    _check_metrics(options.thresholds.require, metrics)
    path = options.thresholds.baseline
    baseline = None if path is None else read_baseline(path, options, metrics)
    return partial(_judge, options, baseline)


def _judge(options: Options, baseline: Baseline | None, results: Results) -> Verdict:
    """Compare system by system and metric by metric.

    Raises OptionError if a requirement names a system that the run does not have, or a measure that
    its metric does not have; InputError if the baseline was made with options that affect scores,
    or has a system or an EVAL that the run does not have.
    """
    required = options.thresholds
    checks = list(required_checks(required.require, results))
    warnings, bounds = list[str](), list[Noninferiority]()
    percent = results.options.scores.confidence.text
    if baseline is not None:
        # Some facts, such as lists of sentences, are known only once the texts have been read.
        baseline.check(results.options)
        name, pairs = baseline.name, _paired_systems(baseline, results)
        warnings += _comparison_warnings(pairs, name, results)
        if required.not_worse_than is not None:
            margin = Fraction(required.not_worse_than.text)
            bounds, doubts = _lower_bounds(pairs, results, margin, name, options.joined.unmatched)
            checks += (_held(bound, percent) for bound in bounds)
            warnings += doubts
        else:
            allowed = required.max_drop.text if required.max_drop is not None else "0"
            lower = {x.name for x in results.table.metrics if x.is_lower_better}
            checks += _drops(pairs, allowed, lower)
            warnings += _other_numbers(pairs, name)
    return Verdict(
        tuple(check.failure for check in checks if check.failure),
        tuple(warnings),
        tuple(bounds),
        tuple(_described(bound, percent) for bound in bounds),
        tuple(checks),
    )


def verdict_of(results: Results, baseline: Any, given: Mapping[str, Any]) -> Verdict:
    """Compare results with requirements and a baseline: a path, other results, or None.

    `given` has the other options of `ThresholdOptions`, by name. Raises OptionError and InputError.
    """
    is_results = isinstance(baseline, Results)
    asked = ThresholdOptions.of({**given, "baseline": "results" if is_results else baseline})
    options = replace(results.options, thresholds=asked)
    options.check()
    metrics = results.table.metrics
    if not is_results:
        return read_thresholds(options, metrics)(results)
    _check_metrics(asked.require, metrics)
    return _judge(options, baseline_of(baseline, options, metrics), results)


# Requirements.


def _check_metrics(requirements: Sequence[Requirement], metrics: Sequence[ScoredMetric]) -> None:
    known = {metric.name: metric.measures for metric in metrics}
    for requirement in requirements:
        score_key(requirement, known, f"--require: {requirement.text!r}")


def required_checks(requirements: Sequence[Requirement], results: Results) -> tuple[Check, ...]:
    """Return a check for each requirement and each of its systems.

    The message of a failure shows the score and the requirement, such as ``neural ROUGE-2 F:
    0.17432, required >= 0.18``. Raises OptionError if a requirement names a system that the run
    does not have, or a measure that its metric does not have.
    """
    # All systems are looked up first, so that an unknown one is an error whatever the scores are.
    concerned = [
        (requirement, system)
        for requirement in requirements
        for system in _systems_of(requirement, results)
    ]
    return tuple(_required(*pair, results.options.reports.per_eval) for pair in concerned)


def _systems_of(requirement: Requirement, results: Results) -> list[SystemScores]:
    if requirement.system is None:
        return list(results.systems.values())
    if requirement.system not in results.systems:
        raise OptionError(
            f"--require: {requirement.text!r}: no system {requirement.system!r} in this run; "
            f"the systems are: {', '.join(results.systems)}"
        )
    return [results.systems[requirement.system]]


def _required(requirement: Requirement, system: SystemScores, has_evals: bool) -> Check:
    limit = requirement.limit.text
    known = {name: scores.measures for name, scores in system.metrics.items()}
    name = score_key(requirement, known, f"--require: {requirement.text!r}")
    metric = system[name]
    score = printed(average(metric.measures[requirement.measure]))
    scored, needed = _score_name(system.id, name, requirement.measure), requirement.comparison
    is_met = COMPARISONS[needed](score, Decimal(limit))
    failure = "" if is_met else f"{scored}: {score}, required {needed} {limit}"
    check = Check(f"{scored} {needed} {limit}", failure)
    if not has_evals:
        return check
    scores = map(printed, metric.measures[requirement.measure].per_eval.tolist())
    evals = []
    for eval_id, score in zip(map(escaped, system.eval_ids), scores, strict=True):
        missed = f"{scored}: {score} in text {eval_id}, required {needed} {limit} on the whole"
        is_met = not failure or COMPARISONS[needed](score, Decimal(limit))
        evals.append(Check(f"{check.name}, text {eval_id}", "" if is_met else missed))
    return replace(check, evals=tuple(evals))


def _score_name(system_id: str, metric: str, letter: str) -> str:
    return f"{escaped(system_id)} {metric} {letter}"


# The comparison with an earlier run.


def _paired_systems(baseline: Baseline, results: Results) -> list[SystemPair]:
    """Find the systems of the baseline in a run, by their IDs.

    Raises InputError that names each system of the baseline that the run does not have.
    """
    # A single system is often called after its file, whose name may change from run to run.
    if len(baseline.systems) == len(results.systems) == 1:
        return list(zip(results.systems.values(), baseline.systems, strict=True))
    systems = ", ".join(map(escaped, results.systems))
    problems = [
        f"{baseline.name}: system {earlier.id!r} is not in this run, whose systems are: {systems}; "
        "score it too, or make a new baseline"
        for earlier in baseline.systems
        if earlier.id not in results.systems
    ]
    if problems:
        raise InputError(problems)
    return [(results.systems[earlier.id], earlier) for earlier in baseline.systems]


def _drops(pairs: Sequence[SystemPair], allowed: str, lower: Collection[str]) -> Iterator[Check]:
    """Yield a check for each score, which fails if it is worse than the baseline by too much.

    A failure reads ``neural ROUGE-2 F: mean 0.43000, 0.01120 below the baseline 0.44120 (at most
    0.005 allowed)``. `lower` names the metrics for which a lower score is better.
    """
    # Plain means are compared, since bootstrap means depend on the order of the EVALs.
    for system, earlier in pairs:
        for (metric, letter), before in earlier.means.items():
            mean = steady(system[metric].measures[letter].mean)
            drop, side = (mean - before, "above") if metric in lower else (before - mean, "below")
            scored, failure = _score_name(system.id, metric, letter), ""
            if drop > Decimal(allowed):
                failure = (
                    f"{scored}: mean {mean}, {drop} {side} the baseline {before} (at most "
                    f"{allowed} allowed)"
                )
            label = f"{metric} {letter}" if len(system[metric].measures) > 1 else metric
            change = (escaped(system.id), label, str(before), str(mean), f"{mean - before:+}")
            yield Check(f"{scored}, at most {allowed} {side} the baseline", failure, change=change)


def _comparison_warnings(pairs: Sequence[SystemPair], name: str, results: Results) -> Iterator[str]:
    for system, earlier in pairs:
        if system.id != earlier.id:
            yield (
                f"{name}: system {system.id!r} is compared with {earlier.id!r}, the only system of "
                "this baseline"
            )
    compared = {system.id for system, _ in pairs}
    for system_id in results.systems:
        if system_id not in compared:
            yield f"{name}: no system {system_id!r} in this baseline; it is not compared"


def _other_numbers(pairs: Sequence[SystemPair], name: str) -> Iterator[str]:
    for system, earlier in pairs:
        if len(system.eval_ids) != earlier.n_evals:
            yield (
                f"{name}: {earlier.n_evals} texts of {escaped(system.id)} in this baseline, "
                f"{len(system.eval_ids)} in this run"
            )


# The lower bounds of differences.

SMALLEST_PRINTED = 0.000005

ADVICE = (
    "compare the same texts, or leave these out with --unmatched skip (in Python, "
    'evaluate(..., unmatched="skip"))'
)

MOST_NAMED = 2

SEED = 2004  # seed of the bootstrap, as in `compare`


def _lower_bounds(
    pairs: Sequence[SystemPair], results: Results, margin: Fraction, name: str, unmatched: str
) -> tuple[list[Noninferiority], list[str]]:
    """Return the lower bounds of all systems, and warnings; `name` is that of the baseline.

    EVALs that only the run or only the baseline has raise InputError or are left out, depending on
    `unmatched`. Raises OptionError as `compare` does.
    """
    tables = [
        (results.table.systems[system.id], earlier.table)
        for system, earlier in pairs
        if earlier.table is not None
    ]
    lines = [line for now, before in tables for line in _unmatched_evals(now, before, name)]
    if lines and unmatched == ERROR:
        raise InputError([*lines, ADVICE])
    # The interval of the plan is two-sided. Its lower end is a one-sided bound with the confidence
    # of the options if it leaves as much on each side as they leave in all.
    options = results.options
    confidence = 2 * exact_share(options.scores.confidence) - 1
    plan = TestPlan(options.reports.shown_measures, RESAMPLES, SEED, confidence)
    bounds, doubts = noninferiority(results, tables, margin, plan)
    return bounds, [*(f"{line}; left out" for line in lines), *doubts]


def noninferiority(
    results: Results,
    tables: Iterable[tuple[SystemTable, SystemTable]],
    margin: Fraction,
    plan: TestPlan,
) -> tuple[list[Noninferiority], list[str]]:
    """Compare systems with their baselines in every metric, on the EVALs that both have.

    The lower bound of a difference is the lower end of the interval of `compare`, with the options
    of `plan`, minus the possible cost of failures that the EVALs do not show. Its confidence holds
    for a single look at the data, not for repeated ones.

    `tables` pairs the current scores of each system with those of its baseline. `results` are the
    current ones, whose metrics and clusters apply. `margin` is the smallest loss that is too large,
    above 0. The second value is a list of warnings. Raises OptionError and InputError as `compare`
    does.
    """
    outcomes: list[Noninferiority] = []
    met: list[PairResult] = []
    for now, before in tables:
        # Named for messages, and to tell the two apart: the baseline may have the same name.
        systems = {now.id: now, f"{now.id} (baseline)": before}
        table = replace(results.table, systems=systems)
        for pair in compare(replace(results, table=table), list(systems), plan).pairs:
            outcomes.append(_outcome(pair, float(margin), plan.level / 2))
            if outcomes[-1].is_met and pair.n_unequal:
                met.append(pair)
    return outcomes, list(_doubts(met))


def _outcome(pair: PairResult, margin: float, level: Fraction) -> Noninferiority:
    difference, (lower, upper) = pair.difference, pair.interval
    if pair.column.is_lower_better:
        # Adding 0.0 turns -0.0, which would be printed with its sign, into 0.0.
        difference, lower, upper = -difference + 0.0, -upper + 0.0, -lower
    # The resamples of a single EVAL are all equal, so they say nothing about other EVALs.
    has_bound = pair.n_blocks > 1
    unseen = unseen_rate(pair.n_blocks, level) * pair.failure_loss
    is_met = has_bound and lower - unseen > -margin
    needed = None
    if has_bound and not is_met and difference > -margin:
        confidence = 1 - float(level)
        quantile = NormalDist().inv_cdf(confidence)
        spread = (upper - lower) / 2 / quantile * sqrt(pair.n_blocks)
        of_unseen = unseen_texts(level) * pair.failure_loss / margin
        # One EVAL more, since the bound has to be above the margin and not only reach it.
        needed = needed_blocks(spread / margin, 2 * level, confidence, of_unseen) + 1
    return Noninferiority(
        pair.system_a,
        pair.column,
        pair.n_evals,
        pair.n_unequal,
        difference,
        lower - unseen if has_bound else None,
        unseen,
        margin,
        is_met,
        n_needed=needed,
    )


def _doubts(pairs: Sequence[PairResult]) -> Iterator[str]:
    fewest = min(pairs, key=lambda pair: pair.n_tested, default=None)
    if fewest and fewest.n_tested < FEW_EVALS:
        yield (
            f"{few_blocks(fewest)}: with fewer than {FEW_EVALS} the lower bound comes out too high"
        )
    if skewed := [pair for pair in pairs if pair.is_skewed]:
        worst = max(skewed, key=lambda pair: abs(pair.skewness))
        yield (
            f"{worst.system_a} {worst.column.metric} {worst.column.letter}: few texts for "
            f"differences this skewed (skewness {worst.skewness:.1f}): a few texts decide; look at "
            "these texts"
        )


def _unmatched_evals(system: SystemTable, earlier: SystemTable, name: str) -> Iterator[str]:
    """Yield how many EVALs only the run or only the baseline has, with examples.

    Raises InputError if they share no EVAL.
    """
    now, before = dict.fromkeys(system.eval_ids), dict.fromkeys(earlier.eval_ids)
    gone = [eval_id for eval_id in before if eval_id not in now]
    new = [eval_id for eval_id in now if eval_id not in before]
    of_system, run, base = f"texts of {escaped(system.id)}", "in this run", "in this baseline"
    if len(new) == len(now):
        raise InputError(
            f"{name}: none of the {len(before)} {of_system} {base} {_first(gone)} is {run} "
            f"{_first(new)}"
        )
    for missing, known, here, there in ((gone, before, base, run), (new, now, run, base)):
        if missing:
            yield (
                f"{name}: {len(missing)} of {len(known)} {of_system} {here} {_first(missing)} not "
                f"{there}"
            )


def _first(eval_ids: Sequence[str]) -> str:
    more = ", ..." if len(eval_ids) > MOST_NAMED else ""
    return f"({', '.join(map(repr, eval_ids[:MOST_NAMED]))}{more})"


def _described(bound: Noninferiority, percent: str) -> str:
    """Describe a lower bound with a confidence of `percent`.

    A description reads ``neural ROUGE-2 F: 0.00120 worse than the baseline in 200 EVALs, lower
    bound -0.01850 at 95%``.
    """
    side = "better" if bound.difference > 0 else "worse"
    shift = f"{abs(bound.difference):.5f} {side} than"
    if abs(bound.difference) < SMALLEST_PRINTED:
        shift = "as good as"
    limit = "no lower bound of a single text or cluster"
    if bound.lower_bound is not None:
        limit = f"lower bound {bound.lower_bound:.5f} at {percent}%"
        if bound.unseen >= SMALLEST_PRINTED:
            limit += f" ({bound.unseen:.5f} of it for failures that are unseen)"
    return (
        f"{_score_name(bound.system, bound.column.metric, bound.column.letter)}: "
        f"{shift} the baseline in {bound.n_evals} text{'s' * (bound.n_evals != 1)}, {limit}"
    )


def _held(bound: Noninferiority, percent: str) -> Check:
    scored = _score_name(bound.system, bound.column.metric, bound.column.letter)
    failure = f"{_described(bound, percent)}, required above {-bound.margin:g}"
    if bound.difference > -bound.margin:
        failure += "; too few texts to tell"
    if bound.n_needed is not None:
        failure += (
            f": a system that is as good passes in {percent}% of runs with some {bound.n_needed}"
        )
    name = f"{scored}, less than {bound.margin:g} worse than the baseline"
    return Check(name, "" if bound.is_met else failure)


# How reports show requirements.

MOST_FAILURES = 5  # in the first sentence of a report


def verdict_sentences(checks: Sequence[Check]) -> str:
    """Return the outcome of checks as a sentence."""
    failures = [check.name for check in checks if check.failure]
    number = counted(len(checks), "check")
    if not failures:
        return f"As required: {number} passed."
    listed = "; ".join(failures[:MOST_FAILURES])
    more = f"; and {len(failures) - MOST_FAILURES} more" if len(failures) > MOST_FAILURES else ""
    return f"Not as required: {len(failures)} of {number} failed ({listed}{more})."


def change_sections(checks: Sequence[Check], label: str) -> list[Section]:
    """Return a section with the changes since the baseline; none without a baseline."""
    changes = [check.change for check in checks if check.change]
    if not changes:
        return []
    names = [Column(name, "l", Role.NAME) for name in ("System", "Metric")]
    columns = (*names, Column("Baseline"), Column("Now"), Column("Change", is_signed=True))
    table = Table(columns, tuple(tuple(map(Cell, change)) for change in changes))
    caption = "Plain means, and their change since the baseline."
    key = f"{label}-baseline" if label else ""
    return [Section("rouge-baseline", (table,), caption=caption, label=key)]
