"""One number, for scripts."""

from collections.abc import Collection, Mapping

from rouge_cli.errors import OptionError
from rouge_cli.options.every import Options
from rouge_cli.options.requirements import NamedScore, named_metric
from rouge_cli.scoring.averages import average
from rouge_cli.scoring.results import Results, SystemScores
from rouge_cli.scoring.run_metrics import run_metrics

__all__ = ["check_metric", "single_score"]


def check_metric(wanted: NamedScore, options: Options) -> None:
    """Refuse a metric or a measure that the run will not compute; raises OptionError."""
    _spelt(wanted, {one.name: one.measures for one in run_metrics(options)})


def single_score(wanted: NamedScore, results: Results) -> list[str]:
    """Return the average of a score as it is printed elsewhere, with 5 decimals.

    Raises
    ------
    OptionError
        If the metric is not computed, or the system is not known, or is one of several and not
        named.
    """
    system = _system(wanted, results)
    name = _spelt(wanted, {name: one.measures for name, one in system.metrics.items()})
    return [f"{average(system[name].measures[wanted.measure]):.5f}\n"]


def _spelt(wanted: NamedScore, known: Mapping[str, Collection[str]]) -> str:
    """Return the name of the metric as the run spells it; raises OptionError.

    Parameters
    ----------
    known : mapping of str to collection of str
        The metrics and the letters of their measures.
    """
    name = named_metric(wanted.metric, list(known))
    if name is None:
        raise OptionError(
            f"--score-only: no metric {wanted.metric!r} in this run; the metrics are: "
            f"{', '.join(known)}"
        )
    if wanted.measure not in known[name]:
        raise OptionError(
            f"--score-only: {name} has no measure {wanted.measure}; it has {', '.join(known[name])}"
        )
    return name


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
            f"--score-only: there are several systems, {known}; name one: "
            f"{next(iter(results.systems))}:{wanted.metric}:{wanted.measure}"
        )
    return next(iter(results.systems.values()))
