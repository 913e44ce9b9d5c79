"""The classic report as values, read from the text as a client would."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

LINE = re.compile(
    r"^(?P<system>\S+) ROUGE-(?P<metric>\S+) Average_(?P<letter>[RPF]): (?P<mean>\S+) "
    r"\(\d+%-conf\.int\. (?P<low>\S+) - (?P<high>\S+)\)$"
)
RULE = "---------------------------------------------"


@dataclass(frozen=True)
class Score:
    """A line of the report."""

    system: str
    metric: str
    letter: str
    mean: float
    low: float
    high: float


def scores_in(report: bytes) -> Iterator[Score]:
    """Yield the scores of a report; every line has to be one, or a rule."""
    for line in report.decode().splitlines():
        if line != RULE:
            found = LINE.match(line)
            assert found, line
            system, metric, letter, *numbers = found.groups()
            mean, low, high = map(float, numbers)
            yield Score(system, metric, letter, mean, low, high)
