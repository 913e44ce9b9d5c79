"""Measures by name, and conditions on them: ``ROUGE-2:F>=0.18``."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rouge_cli.options.declaration import ItemError, Number
from rouge_cli.options.values import FINITE, SHARE
from rouge_cli.quick_dataclass import dataclass

__all__ = [
    "MEASURE_NAMES",
    "SINGLE_MEASURE",
    "NamedScore",
    "Requirement",
    "named_metric",
    "named_score",
    "requirements",
]

SINGLE_MEASURE = "S"
"""The measure of a metric that has a single score."""

MEASURE_NAMES: Mapping[str, str] = {
    "R": "recall",
    "P": "precision",
    "F": "f_measure",
    SINGLE_MEASURE: "score",
}
"""Letter of a measure to its name in JSON and CSV, in the order of print."""

CONDITION = "a condition such as 'ROUGE-2:F>=0.18', with a limit from 0 to 1"
CONDITION_ON_SCORE = "a condition such as 'human:S>=3', with a number as its limit"


NAMED_SCORE = "a score such as 'ROUGE-2:F', or 'SYSTEM:ROUGE-2:F'"


@dataclass(frozen=True, slots=True)
class NamedScore:
    """A score by its name.

    Parameters
    ----------
    system : str or None
        None for the only system.
    metric : str
        Name of the metric.
    measure : str
        A letter of `MEASURE_NAMES`.
    """

    system: str | None
    metric: str
    measure: str


@dataclass(frozen=True, slots=True)
class Requirement:
    """A condition that the scores have to meet.

    Parameters
    ----------
    text : str
        As typed, for example ``"ROUGE-2:F>=0.18"``.
    system : str or None
        The system that it is about; None for every system.
    metric : str
        Name of the metric.
    measure : str
        A letter of `MEASURE_NAMES`.
    comparison : str
        ``">="``, ``">"``, ``"<="`` or ``"<"``.
    """

    text: str
    system: str | None
    metric: str
    measure: str
    comparison: str
    limit: Number


def requirements(given: Any) -> tuple[Requirement, ...]:
    """Read conditions on scores."""
    if isinstance(given, str | Requirement):
        return (_requirement(given),)
    if not isinstance(given, Iterable):
        raise ValueError("a condition, or several")
    return tuple(map(_requirement, given))


def _requirement(given: Any) -> Requirement:
    """Read ``[SYSTEM:]METRIC:MEASURE>=LIMIT``."""
    if isinstance(given, Requirement):
        return given
    found = re.fullmatch(
        r"\s*(?:(?P<system>.+):)?(?P<metric>[^:]+):(?P<measure>[RPFS])\s*"
        r"(?P<comparison>[<>]=?)\s*(?P<limit>[-+]?[0-9.]+)\s*",
        str(given),
        re.IGNORECASE,
    )
    if found is None:
        raise ItemError(given, CONDITION)
    system, metric, measure, comparison, limit = found.groups()
    is_single = measure.upper() == SINGLE_MEASURE
    try:
        # A score that is no share has no bounds that are known here.
        number = (FINITE if is_single else SHARE)(limit)
    except ValueError:
        raise ItemError(given, CONDITION_ON_SCORE if is_single else CONDITION) from None
    return Requirement(str(given).strip(), system, metric, measure.upper(), comparison, number)


def named_metric(wanted: str, names: Sequence[str]) -> str | None:
    """Return the name that is meant, in whatever case; None if there is none.

    What stands in brackets at the end of a name, and says what its numbers are, may be left out
    where one name alone begins so.
    """
    lower = wanted.strip().lower()
    for name in names:
        if name.lower() == lower:
            return name
    begun = [name for name in names if name.partition(" (")[0].lower() == lower]
    return begun[0] if len(begun) == 1 else None


def named_score(given: Any) -> NamedScore:
    """Read ``[SYSTEM:]METRIC:MEASURE``."""
    if isinstance(given, NamedScore):
        return given
    pattern = r"\s*(?:(?P<system>.+):)?(?P<metric>[^:]+):(?P<measure>[RPFS])\s*"
    found = re.fullmatch(pattern, str(given), re.IGNORECASE)
    if found is None:
        raise ValueError(NAMED_SCORE)
    system, metric, measure = found.groups()
    return NamedScore(system, metric.strip(), measure.upper())
