"""Conditions on scores, such as ``ROUGE-2:F>=0.18``: which of them are not met."""

import operator
from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal

from rouge_cli.errors import OptionError
from rouge_cli.escapes import escaped
from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.options.every import Options
from rouge_cli.options.requirements import Requirement, named_metric
from rouge_cli.scoring.averages import average
from rouge_cli.scoring.results import MetricScores, Results, SystemScores

__all__ = ["check_metrics", "printed", "printed_average", "score_name", "unmet_requirements"]

COMPARISONS = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
}


def printed(value: float) -> Decimal:
    """Return a score with the 5 decimals that are printed."""
    return Decimal(f"{value:.5f}")


def printed_average(metric: MetricScores, letter: str) -> Decimal:
    """Return the average of a measure, by its letter, as it is printed."""
    return printed(average(metric.measures[letter]))


def score_name(system_id: str, metric: str, letter: str) -> str:
    """Name a score in a message: ``neural ROUGE-2 F``."""
    return f"{escaped(system_id)} {metric} {letter}"


def check_metrics(options: Options, metrics: Sequence[ScoredMetric]) -> None:
    """Refuse requirements on what is not among the metrics of a run; raises OptionError."""
    measures = {one.name: one.measures for one in metrics}
    for requirement in options.thresholds.require:
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
    """Return a line for each requirement and system that does not meet it.

    Parameters
    ----------
    requirements : sequence of Requirement
        Their metrics are computed, see `check_metrics`.

    Returns
    -------
    tuple of str
        The value beside the limit: ``neural ROUGE-2 F: 0.17432, required >= 0.18``.

    Raises
    ------
    OptionError
        If a requirement names a system that the run does not have, or a measure that its metric
        does not have.
    """
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
        value = printed_average(metric, requirement.measure)
        if not COMPARISONS[requirement.comparison](value, limit):
            yield (
                f"{score_name(system.id, name, requirement.measure)}: {value}, required "
                f"{requirement.comparison} {requirement.limit.text}"
            )
