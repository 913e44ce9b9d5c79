"""Hold the scores of a run against conditions, such as ``ROUGE-2:F>=0.18``, and an earlier run.

Scores are compared in exact decimals, as they are printed or with as many decimals, so that no
decision depends on digits that nobody sees.
"""

import json
import operator
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NoReturn

from rouge_cli.errors import InputError, OptionError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.files import read_input
from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.options.options import Options
from rouge_cli.options.scores import (
    MEASURE_NAMES,
    SINGLE_MEASURE,
    Requirement,
    ThresholdOptions,
    named_metric,
)
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.columns import run_metrics
from rouge_cli.scores.results import MetricScores, Results, SystemScores, average
from rouge_cli.scores.signature import signature

COMPARISONS = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
}

ADVICE = "make a baseline with: rouge-cli ... --report json -o baseline.json"

LARGEST = 1e15
"""Far above any score or number of EVALs, and far below the largest exact double."""

SIGNIFICANT_DECIMALS = 12
"""Of means: what is behind them depends on the order of addition."""

LONGEST_VALUE = 40
"""Characters of a value in a message."""

KINDS: dict[str, Callable[[Any], bool]] = {
    "an object": lambda value: isinstance(value, dict),
    "a list": lambda value: isinstance(value, list),
    "a string": lambda value: isinstance(value, str),
    "a number": lambda value: _is_number(value) and abs(value) < LARGEST,
    "a number from 0 on": lambda value: _is_number(value) and 0 <= value < LARGEST,
    "a whole number from 0 on": lambda value: (
        isinstance(value, int) and _is_number(value) and 0 <= value < LARGEST
    ),
}
"""The kinds of values that a baseline has, in words, and the test for each."""


@dataclass(frozen=True, slots=True)
class BaselineSystem:
    """A system of an earlier run, with its number of EVALs.

    `means` go by metric and letter of the measure, with 5 decimals.
    """

    id: str
    n_evals: int
    means: Mapping[tuple[str, str], Decimal]


@dataclass(frozen=True, slots=True)
class Baseline:
    """An earlier run; `name` is that of its file, for messages."""

    name: str
    systems: tuple[BaselineSystem, ...]


SystemPair = tuple[SystemScores, BaselineSystem]
"""A system of this run, and the one of the baseline to compare it with."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome: a line for each score that is not as required.

    `warnings` say what is not compared, or not like with like.
    """

    failures: tuple[str, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Requirements on the scores of a run; made by `read_thresholds`."""

    options: ThresholdOptions
    baseline: Baseline | None

    def check(self, results: Results) -> Verdict:
        """Compare, system by system and metric by metric.

        Raises OptionError if a requirement names a system that the run does not have, or a measure
        that its metric does not have; InputError if the baseline has a system that the run does not
        have.
        """
        failures = unmet_requirements(self.options.require, results)
        if self.baseline is None:
            return Verdict(failures)
        pairs = _paired_systems(self.baseline, results)
        allowed = self.options.max_drop.text if self.options.max_drop is not None else "0"
        lower = {metric.name for metric in results.table.metrics if metric.is_lower_better}
        return Verdict(
            (*failures, *_drops(pairs, allowed, lower)),
            tuple(_comparison_warnings(pairs, self.baseline.name, results)),
        )


def read_thresholds(options: Options, metrics: Sequence[ScoredMetric] | None = None) -> Thresholds:
    """Check what is required, and read the baseline, before anything is scored.

    Raises OptionError if a requirement names a metric that is not one of them; InputError if
    the baseline cannot be used, or was made with options that move a score.

    `metrics` are those of the run; by default those that the options ask for.
    """
    metrics = run_metrics(options) if metrics is None else metrics
    _check_metrics(options.thresholds.require, metrics)
    path = options.thresholds.baseline
    baseline = None if path is None else read_baseline(path, options, metrics)
    return Thresholds(options.thresholds, baseline)


# Requirements.


def _check_metrics(requirements: Sequence[Requirement], metrics: Sequence[ScoredMetric]) -> None:
    """Refuse requirements on scores that the run does not have; raises OptionError."""
    measures = {metric.name: metric.measures for metric in metrics}
    for requirement in requirements:
        name = named_metric(requirement.metric, list(measures))
        if name is None:
            raise OptionError(
                f"--require: {requirement.text!r}: no metric {requirement.metric!r} in this run; "
                f"the metrics are: {', '.join(measures)}"
            )
        _check_measure(requirement, name, measures[name])


def _check_measure(requirement: Requirement, metric: str, measures: Collection[str]) -> None:
    """Refuse a measure that a metric does not have; raises OptionError."""
    if requirement.measure not in measures:
        raise OptionError(
            f"--require: {requirement.text!r}: {metric} has no measure {requirement.measure}; it "
            f"has {', '.join(measures)}"
        )


def unmet_requirements(requirements: Sequence[Requirement], results: Results) -> tuple[str, ...]:
    """Return a line for each requirement and each system that does not meet it.

    The score and what is required: ``neural ROUGE-2 F: 0.17432, required >= 0.18``. Raises
    OptionError if a requirement names a system that the run does not have, or a measure that its
    metric does not have.
    """
    # All systems are looked up first: an unknown one is an error whatever the scores are.
    concerned = [_systems_of(requirement, results) for requirement in requirements]
    return tuple(
        line
        for requirement, systems in zip(requirements, concerned, strict=True)
        for line in _unmet(requirement, systems)
    )


def _systems_of(requirement: Requirement, results: Results) -> list[SystemScores]:
    """Return the systems that a requirement is about; raises OptionError."""
    if requirement.system is None:
        return list(results.systems.values())
    if requirement.system not in results.systems:
        raise OptionError(
            f"--require: {requirement.text!r}: no system {requirement.system!r} in this run; "
            f"the systems are: {', '.join(results.systems)}"
        )
    return [results.systems[requirement.system]]


def _unmet(requirement: Requirement, systems: Sequence[SystemScores]) -> Iterator[str]:
    """Yield a line for each system that does not meet a requirement; raises OptionError."""
    limit = Decimal(requirement.limit.text)
    for system in systems:
        name = named_metric(requirement.metric, list(system.metrics)) or requirement.metric
        metric = system[name]
        _check_measure(requirement, name, metric.measures)
        score = _printed_average(metric, requirement.measure)
        if not COMPARISONS[requirement.comparison](score, limit):
            yield (
                f"{_score_name(system.id, name, requirement.measure)}: {score}, required "
                f"{requirement.comparison} {requirement.limit.text}"
            )


def _printed(score: float) -> Decimal:
    """Return a score with the 5 decimals that are printed."""
    return Decimal(f"{score:.5f}")


def _printed_average(metric: MetricScores, letter: str) -> Decimal:
    """Return the average of a measure, by its letter, as it is printed."""
    return _printed(average(metric.measures[letter]))


def _steady(mean: float) -> Decimal:
    """Return a mean with 5 decimals that do not depend on the order in which scores are added."""
    # Near a tie of the last decimal the rounding error of the sum would decide.
    return _printed(round(mean, SIGNIFICANT_DECIMALS))


def _score_name(system_id: str, metric: str, letter: str) -> str:
    """Name a score in a message: ``neural ROUGE-2 F``."""
    return f"{escaped(system_id)} {metric} {letter}"


# The comparison with an earlier run.


def _paired_systems(baseline: Baseline, results: Results) -> list[SystemPair]:
    """Find the systems of the baseline in a run, by their IDs; a lone system needs no ID.

    Raises InputError that names each system of the baseline that the run does not have.
    """
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


def _drops(pairs: Sequence[SystemPair], allowed: str, lower: Collection[str]) -> Iterator[str]:
    """Yield a line for each score that is worse than the baseline by more than is allowed.

    Such as ``neural ROUGE-2 F: mean 0.43000, 0.01120 below the baseline 0.44120 (at most 0.005
    allowed)``. Plain means are compared: a bootstrap mean depends on the order of the EVALs.

    `lower` has the metrics of which lower is better.
    """
    for system, earlier in pairs:
        for (metric, letter), before in earlier.means.items():
            mean = _steady(system[metric].measures[letter].mean)
            drop, side = (mean - before, "above") if metric in lower else (before - mean, "below")
            if drop > Decimal(allowed):
                yield (
                    f"{_score_name(system.id, metric, letter)}: mean {mean}, {drop} {side} the "
                    f"baseline {before} (at most {allowed} allowed)"
                )


def _comparison_warnings(pairs: Sequence[SystemPair], name: str, results: Results) -> Iterator[str]:
    """Yield what is not compared, or compared unequally; `name` is that of the baseline."""
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
    for system, earlier in pairs:
        if len(system.eval_ids) != earlier.n_evals:
            yield (
                f"{name}: {earlier.n_evals} EVALs of {escaped(system.id)} in this baseline, "
                f"{len(system.eval_ids)} in this run"
            )


# The file of a baseline.


class _MisfitError(ValueError):
    """A part of a document is not as expected; the message says where."""


@dataclass(frozen=True, slots=True)
class _JsonPart:
    """A value of a document, as `json` reads it.

    `place` is where it stands, such as ``systems[0].metrics``; empty for the whole document.
    """

    value: Any
    place: str = ""

    def member(self, name: str, expected: str) -> "_JsonPart":
        """Return a member of this object; raises _MisfitError unless it is of this kind."""
        if not isinstance(self.value, dict):
            place = self.place or "the document"
            raise _MisfitError(f"{place}: found {_described(self.value)}, expected an object")
        part = f"{self.place}.{name}" if self.place else name
        if name not in self.value:
            raise _MisfitError(f"{part}: missing, expected {expected}")
        value = self.value[name]
        if not KINDS[expected](value):
            raise _MisfitError(f"{part}: found {_described(value)}, expected {expected}")
        return _JsonPart(value, part)

    def items(self) -> "list[_JsonPart]":
        """Return the items of this list."""
        return [
            _JsonPart(value, f"{self.place}[{number}]") for number, value in enumerate(self.value)
        ]


def read_baseline(path: str, options: Options, metrics: Sequence[ScoredMetric]) -> Baseline:
    """Read the means to compare with, from a file that ``--report json`` has written.

    `options` and `metrics` are those of this run: they say which measures to compare, and must give
    the same signature. Raises InputError if the file cannot be read, is no such report, or its
    signature is another.
    """
    name, data = read_input(path, f"the JSON report of an earlier run; {ADVICE}")
    try:
        document = _parsed(data)
        earlier = document.member("signature", "a string").value
        entries = document.member("systems", "a list").items()
    except _MisfitError as misfit:
        raise InputError([f"{name}: {misfit}", f"{name}: {ADVICE}"]) from None
    _check_signature(earlier, signature(options), name)
    problems = [] if entries else ["systems: empty, expected at least one system"]
    compared = list(_compared(options.reports.measures or "F", metrics))
    parsed = [_system(entry, compared) for entry in entries]
    problems += [problem for _, misfits in parsed for problem in misfits]
    systems = tuple(system for system, _ in parsed)
    times = Counter(system.id for system in systems)
    problems += [f"systems: {n} times the ID {id_!r}" for id_, n in times.items() if n > 1]
    if problems:
        raise InputError([*(f"{name}: {problem}" for problem in problems), f"{name}: {ADVICE}"])
    return Baseline(name, systems)


def _parsed(data: bytes) -> _JsonPart:
    """Read a document in strict JSON, which has no NaN; raises _MisfitError."""
    try:
        return _JsonPart(json.loads(data, parse_constant=_refuse_constant))
    except json.JSONDecodeError as error:
        problem = f"line {error.lineno}, column {error.colno}: {error.msg}"
    except RecursionError:
        problem = "brackets nested too deeply"
    except ValueError as error:
        problem = str(error)
    raise _MisfitError(f"no JSON: {problem}")


def _refuse_constant(constant: str) -> NoReturn:
    """Refuse ``NaN`` and ``Infinity``, which Python reads and JSON does not have."""
    raise _MisfitError(f"found {constant}, which JSON does not have")


def _check_signature(earlier: str, current: str, name: str) -> None:
    """Refuse scores of other options; the version, which stands first, may be another."""
    if earlier.partition("|")[2] != current.partition("|")[2]:
        raise InputError(
            [
                f"{name}: made with other options than those of this run; give the same, or make "
                "a new baseline",
                f"{name}: its signature is {escaped(earlier)}",
                f"{name}: that of this run {current}",
            ]
        )


def _compared(wanted: str, metrics: Sequence[ScoredMetric]) -> Iterator[tuple[str, str]]:
    """Yield metric and letter of the scores to compare, in the order of print.

    A metric without any of the wanted measures is compared in all its measures.
    """
    for metric in metrics:
        letters = [letter for letter in metric.measures if letter in wanted]
        yield from ((metric.name, letter) for letter in letters or metric.measures)


def _system(
    entry: _JsonPart, compared: Sequence[tuple[str, str]]
) -> tuple[BaselineSystem, list[str]]:
    """Read a system as far as it is valid, and return its problems."""
    system_id, n_evals = "", 0
    means: dict[tuple[str, str], Decimal] = {}
    problems = []
    try:
        system_id = entry.member("id", "a string").value
        n_evals = entry.member("n_evals", "a whole number from 0 on").value
        metrics = entry.member("metrics", "an object")
    except _MisfitError as misfit:
        problems.append(str(misfit))
    else:
        for score in compared:
            try:
                means[score] = _mean(metrics, *score)
            except _MisfitError as misfit:  # noqa: PERF203 - all misfits are named
                problems.append(str(misfit))
    return BaselineSystem(system_id or entry.place, n_evals, means), problems


def _mean(metrics: _JsonPart, metric: str, letter: str) -> Decimal:
    """Read the plain mean of a metric; raises _MisfitError if it is not there."""
    spelt = next((name for name in metrics.value if _kind(name) == _kind(metric)), metric)
    measure = metrics.member(spelt, "an object").member(MEASURE_NAMES[letter], "an object")
    kind = "a number" if letter == SINGLE_MEASURE else "a number from 0 on"
    return _steady(measure.member("mean", kind).value)


def _kind(metric: str) -> str:
    """Return the name of a metric without its number, which stands as typed: 1.2 may be 1.20.

    A run has one metric of each such kind, and equal signatures mean equal numbers.
    """
    kind = re.match("ROUGE-(?:W-|SU?)", metric)
    return kind.group() if kind else metric


def _is_number(value: Any) -> bool:
    """Say whether a value is a number; to Python true and false are numbers too."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _described(value: Any) -> str:
    """Describe a value in a few words."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    text = json.dumps(value)
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 3] + "..."
