"""Scores and judgements from elsewhere: metrics with a single score, and whether the IDs match."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from rouge_cli.errors import first_of
from rouge_cli.inputs.evaluation import in_byte_order
from rouge_cli.quick_dataclass import dataclass


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
        of_system = {cell: numbers for cell, numbers in self.values.items() if cell[0] == system}
        return replace(self, values=of_system or self.values)


LONGEST_NUMBER = 20


def first_cells(problems: Sequence[str]) -> list[str]:
    """Return the first problems: one mistake may be in every cell."""
    return first_of(problems, "", " of these")


def nothing_common(
    problem: str, ids: Collection[str], other_ids: Collection[str], name: str
) -> list[str]:
    """Say that two sides have no ID in common, and the likely cause if there is one.

    Parameters
    ----------
    problem : str
        It says so; ``{one}`` and ``{other}`` stand for two IDs of each side.
    name : str
        Of the file, for messages.
    """
    first, second = (", ".join(map(repr, in_byte_order(side)[:2])) for side in (ids, other_ids))
    said = f"{name}: {problem.format(one=first, other=second)}"
    alike = {_bare(known): known for known in in_byte_order(ids)}
    pair = next(
        (
            (alike[_bare(known)], known)
            for known in in_byte_order(other_ids)
            if _bare(known) in alike
        ),
        None,
    )
    if pair is None:
        return [said]
    return [
        said,
        f"{name}: {pair[0]!r} and {pair[1]!r} differ in a prefix, in upper case or in zeros in "
        "front; write the IDs of both in the same way",
    ]


def _bare(name: str) -> str:
    """Return what is left of an ID without what people write in different ways."""
    number = re.search("([0-9]+)[^0-9]*$", name)
    return str(int(number[1])) if number and len(number[1]) < LONGEST_NUMBER else name.lower()
