"""What the original printed against what is printed here, line by line."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest

from rouge_cli.selftest.stored import StoredRun

__all__ = ["FAMILIES", "Difference", "Outcome", "compare_output", "families_of"]

FAMILIES = ("N", "L", "W", "S", "SU", "BE")
"""Families of metrics, in the order of print."""

METRIC = re.compile(rb" ROUGE-(?:[0-9]+|(L|W|SU|S|BE)[^ ]*) (?:Average_|M_count|Eval )")
LINE = re.compile(rb"[^\n]*\n|[^\n]+")


@dataclass(frozen=True, slots=True)
class Difference:
    """A line that is not the same.

    Parameters
    ----------
    line : int
        From 1 on.
    family : str
        The metric that the line is about; one of `FAMILIES`, or empty if none can be told.
    expected, found : bytes or None
        The line with its newline; None where the output has ended.
    """

    line: int
    family: str
    expected: bytes | None
    found: bytes | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run of the original and what came of it here.

    Parameters
    ----------
    run : StoredRun
    differences : tuple of Difference
    stopped : str or None
        What stopped the run, if anything did.
    """

    run: StoredRun
    differences: tuple[Difference, ...]
    stopped: str | None = None

    @property
    def is_same(self) -> bool:
        """Whether the same bytes were printed."""
        return not self.differences and self.stopped is None

    @property
    def n_lines(self) -> int:
        """Number of lines that the original printed."""
        return len(_lines(self.run.expected))

    @property
    def family_lines(self) -> Counter[str]:
        """Number of lines that the original printed about each family of metrics."""
        return Counter(families_of(_lines(self.run.expected)))

    def differs_in(self, family: str) -> bool:
        """Say whether a line about a family of metrics is not the same."""
        if self.stopped is not None:
            return self.family_lines[family] > 0
        return any(difference.family == family for difference in self.differences)


def compare_output(expected: bytes, found: bytes) -> tuple[Difference, ...]:
    """Return the lines that differ, by their place."""
    old, new = _lines(expected), _lines(found)
    families = zip_longest(families_of(old), families_of(new), fillvalue="")
    lines = zip_longest(old, new, families)
    return tuple(
        Difference(number, families[0] or families[1], one, other)
        for number, (one, other, families) in enumerate(lines, 1)
        if one != other
    )


def families_of(lines: Iterable[bytes]) -> list[str]:
    """Return the family of metrics that each line is about; a rule is about what follows it."""
    families: list[str] = []
    family = ""
    for line in reversed(list(lines)):
        if match := METRIC.search(line):
            family = match[1].decode() if match[1] else "N"
        families.append(family)
    return families[::-1]


def _lines(output: bytes) -> list[bytes]:
    """Split an output after each newline, and nowhere else."""
    return LINE.findall(output)
