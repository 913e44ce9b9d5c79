"""The names of metrics in this interface: ``rouge1``, ``rougeL``, ``rougeLsum`` and a few more."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

from rouge_cli.compat.scoring import GOOGLE

__all__ = ["RougeType", "read_types"]

LARGEST_ORDER = 1000
LARGEST_ORDER_OF_GOOGLE = 9
KNOWN_TO_GOOGLE = "rouge1 to rouge9, rougeL or rougeLsum"
KNOWN = (
    f"rouge1 to rouge{LARGEST_ORDER}, rougeL, rougeLsum, or such as rougeW1.2, rougeS4, rougeSU4, "
    "rougeS* or rougeSU*"
)
NAME = re.compile(
    r"rouge(?:(?P<order>[1-9][0-9]{0,3})|(?P<lcs>L|Lsum)|W(?P<weight>[0-9]+(?:\.[0-9]+)?)"
    r"|(?P<skip>SU?)(?P<gap>[0-9]{1,9}|\*))"
)


@dataclass(frozen=True, slots=True)
class RougeType:
    """A metric of this interface.

    Parameters
    ----------
    name : str
        As it was asked for.
    family : str
        ``"N"``; ``"L"``, the LCS of whole texts; ``"Lsum"``, the union LCS of sentences; ``"W"``;
        ``"S"``; or ``"SU"``.
    order : int
        N of ROUGE-N, else 0.
    weight : str
        W of ROUGE-W as it was typed, else empty.
    max_gap : int
        Of ROUGE-S and ROUGE-SU; negative for no limit.
    """

    name: str
    family: str
    order: int = 0
    weight: str = ""
    max_gap: int = -1

    @property
    def weight_value(self) -> float | None:
        """The weight as a number, or None."""
        return float(self.weight) if self.weight else None


def read_types(names: Iterable[str], like: str) -> tuple[RougeType, ...]:
    """Read the names of metrics; one that stands there twice counts once.

    Raises
    ------
    TypeError
        If it is one string, or no list of names.
    ValueError
        If a name is none.
    """
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise TypeError(
            f"rouge_types: found {names!r}, expected a list of names such as ['rouge1']"
        )
    return tuple(dict.fromkeys(_read(name, like) for name in names))


def _read(name: object, like: str) -> RougeType:
    """Read one name; raises ValueError."""
    found = NAME.fullmatch(name) if isinstance(name, str) else None
    rouge_type = _type_of(found) if found else None
    if rouge_type is None or not _is_known(rouge_type, like):
        known = KNOWN_TO_GOOGLE if like == GOOGLE else KNOWN
        raise ValueError(f"rouge_types: found {name!r}, expected {known}")
    return rouge_type


def _type_of(found: re.Match[str]) -> RougeType:
    """Return the metric that a name spells."""
    name = found[0]
    if found["order"]:
        return RougeType(name, "N", order=int(found["order"]))
    if found["lcs"]:
        return RougeType(name, found["lcs"])
    if found["weight"]:
        return RougeType(name, "W", weight=found["weight"])
    return RougeType(name, found["skip"], max_gap=-1 if found["gap"] == "*" else int(found["gap"]))


def _is_known(rouge_type: RougeType, like: str) -> bool:
    """Return whether a metric exists there."""
    if like == GOOGLE and rouge_type.family not in {"N", "L", "Lsum"}:
        return False
    largest = LARGEST_ORDER_OF_GOOGLE if like == GOOGLE else LARGEST_ORDER
    has_weight = rouge_type.weight_value is None or 0 < rouge_type.weight_value < inf
    return rouge_type.order <= largest and has_weight
