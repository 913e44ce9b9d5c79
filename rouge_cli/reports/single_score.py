"""One number, for scripts."""

from collections.abc import Iterable

from rouge_cli.errors import OptionError
from rouge_cli.metrics.metric import scored_metrics
from rouge_cli.options.every import Options
from rouge_cli.options.requirements import NamedScore
from rouge_cli.scoring.averages import average
from rouge_cli.scoring.results import Results, SystemScores

__all__ = ["check_metric", "single_score"]


def check_metric(wanted: NamedScore, options: Options) -> None:
    """Refuse a metric or a measure that the run does not compute; raises OptionError."""
    metrics = {one.name: one.measures for one in scored_metrics(options.metrics)}
    found = _spelt(wanted.metric, metrics)
    if found is None:
        raise OptionError(
            f"--score-only: no metric {wanted.metric!r} in this run; the metrics are: "
            f"{', '.join(metrics)}"
        )
    if wanted.measure not in metrics[found]:
        raise OptionError(
            f"--score-only: {found} has no measure {wanted.measure}; it has "
            f"{', '.join(metrics[found])}"
        )


def single_score(wanted: NamedScore, results: Results) -> list[str]:
    """Return the average of a score as it is printed elsewhere, with 5 decimals.

    Parameters
    ----------
    wanted : NamedScore
        Its metric is computed, see `check_metric`.
    results : Results

    Raises
    ------
    OptionError
        If the system is not known, or is one of several and not named.
    """
    system = _system(wanted, results)
    name = _spelt(wanted.metric, system.metrics)
    if name is None:
        raise KeyError(wanted.metric)
    return [f"{average(system[name].measures[wanted.measure]):.5f}\n"]


def _spelt(metric: str, known: Iterable[str]) -> str | None:
    """Return the name of a metric as the run spells it; None if it is not computed."""
    return next((name for name in known if name.lower() == metric.lower()), None)


def _system(wanted: NamedScore, results: Results) -> SystemScores:
    """Return the system that is named, or the only one; raises OptionError."""
    known = ", ".join(results.systems)
    if wanted.system is not None:
        if wanted.system not in results.systems:
            raise OptionError(
                f"--score-only: no system {wanted.system!r} in this run; the systems are: {known}"
            )
        return results.systems[wanted.system]
    if len(results.systems) > 1:
        raise OptionError(
            f"--score-only: several systems: {known}; name one: "
            f"{next(iter(results.systems))}:{wanted.metric}:{wanted.measure}"
        )
    return next(iter(results.systems.values()))
