"""The order of the systems in a table, and the measures that a table shows."""

from dataclasses import dataclass
from operator import attrgetter

from rouge_cli.errors import OptionError
from rouge_cli.metrics.metric import scored_metrics
from rouge_cli.options.every import Options
from rouge_cli.scoring.averages import average
from rouge_cli.scoring.results import Measure, MetricScores, Results, SystemScores

__all__ = ["SortKey", "check_sort", "measure_of", "shown_letters", "sort_key", "sorted_systems"]

FIELDS = {"R": "recall", "P": "precision", "F": "f_measure"}


@dataclass(frozen=True, slots=True)
class SortKey:
    """What the systems are ordered by.

    Parameters
    ----------
    metric : str
        Name of a metric of the run.
    letter : str
        ``"R"``, ``"P"`` or ``"F"``.
    """

    metric: str
    letter: str


def shown_letters(options: Options) -> str:
    """Return the letters of the measures to show, in the order in which they were asked for."""
    return options.reports.measures or "F"


def measure_of(scores: MetricScores, letter: str) -> Measure:
    """Return recall, precision or F, by its letter."""
    measure: Measure = attrgetter(FIELDS[letter])(scores)
    return measure


def sort_key(options: Options) -> SortKey:
    """Return what the systems are ordered by: ``--sort``, or the first column.

    Raises
    ------
    OptionError
        If ``--sort`` names no metric of the run, or no measure.
    """
    names = [metric.name for metric in scored_metrics(options.metrics)]
    first_letter = shown_letters(options)[0]
    if options.reports.sort is None:
        return SortKey(names[0], first_letter)
    given, colon, letter = options.reports.sort.strip().partition(":")
    by_lower_case = {name.lower(): name for name in names}
    letter = letter.upper() if colon else first_letter
    if given.lower() not in by_lower_case or letter not in FIELDS:
        raise OptionError(
            f"--sort: found {options.reports.sort!r}, expected a metric of this run "
            f"({', '.join(names)}), alone or with :R, :P or :F"
        )
    return SortKey(by_lower_case[given.lower()], letter)


def check_sort(options: Options) -> None:
    """Refuse a ``--sort`` that names no metric of the run; raises OptionError."""
    sort_key(options)


def sorted_systems(results: Results) -> list[SystemScores]:
    """Return the systems, best first; equal ones in the order of the results."""
    key = sort_key(results.options)

    def score(system: SystemScores) -> float:
        return average(measure_of(system.metrics[key.metric], key.letter))

    return sorted(results.systems.values(), key=score, reverse=True)
