"""IDs of two sides that should be the same: which are, and what may have gone wrong."""

import re
from collections.abc import Collection, Sequence

from rouge_cli.errors import first_of
from rouge_cli.inputs.evaluation import in_byte_order

__all__ = ["first_cells", "nothing_common"]

LONGEST_NUMBER = 20


def first_cells(problems: Sequence[str]) -> list[str]:
    """Return the first problems: one mistake may be in every cell."""
    return first_of(problems, "", " of these")


def nothing_common(
    problem: str, one: Collection[str], other: Collection[str], name: str
) -> list[str]:
    """Say that two sides have no ID in common, and the likely cause if there is one.

    Parameters
    ----------
    problem : str
        It says so; ``{one}`` and ``{other}`` stand for two IDs of each side.
    name : str
        Of the file, for messages.
    """
    first, second = (", ".join(map(repr, in_byte_order(ids)[:2])) for ids in (one, other))
    said = f"{name}: {problem.format(one=first, other=second)}"
    alike = {_bare(known): known for known in in_byte_order(one)}
    pair = next(
        ((alike[_bare(known)], known) for known in in_byte_order(other) if _bare(known) in alike),
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
