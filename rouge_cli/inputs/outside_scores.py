"""Scores that were computed elsewhere: metrics with a single score, by system and EVAL."""

from collections.abc import Mapping
from dataclasses import replace

from rouge_cli.quick_dataclass import dataclass

__all__ = ["OutsideScores"]


@dataclass(frozen=True, slots=True, eq=False)
class OutsideScores:
    """Metrics with a single score each.

    Parameters
    ----------
    name : str
        Where they come from, for messages.
    values : mapping of (str, str) to tuple of float
        System and EVAL to a number for each metric, nan where it is missing; in the order of the
        input.
    is_of_the_texts : bool
        Whether they stand beside the texts, so that no system or EVAL can be unknown.
    """

    name: str
    metrics: tuple[str, ...]
    values: Mapping[tuple[str, str], tuple[float, ...]]
    is_of_the_texts: bool = False
    warnings: tuple[str, ...] = ()

    def of_system(self, system: str) -> "OutsideScores":
        """Return those of one system; all, if it has none, for what is missing to be told."""
        own = {cell: numbers for cell, numbers in self.values.items() if cell[0] == system}
        return replace(self, values=own or self.values)
