"""The IDs of EVALs and systems, and external scores.

Source: specification, sections 1 (``-a``), 2 and 6.
"""

import re
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import lt
from typing import overload

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import OptionError, first_of, name_advice
from rouge_cli.quick_dataclass import dataclass

DEFAULT_SYSTEM = "X"
"""ID of a system without an ID."""

MOST_DIGITS = 16
"""Bound on the digits of `NumberedIds`, so that their keys fit into 64 bits."""


class NumberedIds(Sequence[str]):
    """EVAL IDs that are whole numbers in decimal digits; strings are made on demand.

    Why not a list? A million strings take 60 MB and a fifth of a second, in the thread that the
    others wait for, and most reports print none. `numbers`, of shape (n_evals,), are at least 0 and
    have fewer than `MOST_DIGITS` digits.
    """

    __slots__ = ("numbers",)

    def __init__(self, numbers: NDArray[np.int64]) -> None:
        self.numbers = numbers

    def __len__(self) -> int:
        return self.numbers.size

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> "NumberedIds": ...

    def __getitem__(self, index: int | slice) -> "str | NumberedIds":
        if isinstance(index, slice):
            return NumberedIds(self.numbers[index])
        return str(int(self.numbers[index]))

    def __iter__(self) -> Iterator[str]:
        """Yield all IDs; making them together takes a fifth of the time."""
        return map(str, self.numbers.tolist())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, NumberedIds):
            return np.array_equal(self.numbers, other.numbers)
        if not isinstance(other, list | tuple):
            return NotImplemented
        return len(other) == len(self) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    @staticmethod
    def number_of(eval_id: str) -> int:
        """Return the number of an ID as the core does; -1 if the ID is not such a number."""
        is_number = eval_id.isascii() and eval_id.isdecimal() and len(eval_id) < MOST_DIGITS
        return int(eval_id) if is_number and (eval_id[0] != "0" or eval_id == "0") else -1

    def byte_order(self) -> NDArray[np.intp]:
        """Return positions in byte order; since a shorter ID comes first, 10 precedes 2."""
        most = len(str(self.numbers.max(initial=0)))
        powers = 10 ** np.arange(most)
        digits = np.ones_like(self.numbers)
        for power in powers[1:]:
            digits += self.numbers >= power
        # Sort by leading digits, then by length.
        keys = self.numbers * powers[most - digits] * MOST_DIGITS + digits
        return np.argsort(keys, kind="stable")


def ids_at(ids: Sequence[str], rows: NDArray[np.int64]) -> "NumberedIds | tuple[str, ...]":
    """Return the IDs in some rows, in their order."""
    if isinstance(ids, NumberedIds):
        return NumberedIds(ids.numbers[rows])
    return tuple(map(ids.__getitem__, rows.tolist()))


class EvalIds:
    """Numbers EVALs in the order in which they first appear.

    While IDs are ascending whole numbers, only these are kept: a million names and their rows would
    take 120 MB.
    """

    __slots__ = ("_numbers", "_rows")

    def __init__(self) -> None:
        self._numbers = array("q")
        self._rows: dict[str, int] | None = None

    def __len__(self) -> int:
        return len(self._numbers if self._rows is None else self._rows)

    def row(self, eval_id: str) -> int:
        """Return the row of an EVAL, a new one at its first appearance."""
        if (rows := self._rows) is None:
            numbers, number = self._numbers, NumberedIds.number_of(eval_id)
            if number > (numbers[-1] if numbers else -1):
                numbers.append(number)
                return len(numbers) - 1
            row = bisect_left(numbers, number)
            if number >= 0 and numbers[row] == number:
                return row
            self._name_rows()
            return self.row(eval_id)
        return rows.setdefault(eval_id, len(rows))

    def add_new(self, eval_ids: Sequence[str]) -> bool:
        """Add EVALs in rows side by side; add none and return False unless all are new."""
        if self._rows is None:
            numbers = [self._numbers[-1] if self._numbers else -1]
            numbers += map(NumberedIds.number_of, eval_ids)
            if all(map(lt, numbers, numbers[1:])):
                self._numbers.extend(numbers[1:])
                return True
            self._name_rows()
        rows = self._rows if self._rows is not None else {}
        if len(set(eval_ids)) < len(eval_ids) or not rows.keys().isdisjoint(eval_ids):
            return False
        rows.update(zip(eval_ids, range(len(rows), len(rows) + len(eval_ids)), strict=True))
        return True

    def _name_rows(self) -> None:
        self._rows = {name: row for row, name in enumerate(map(str, self._numbers))}

    def ids(self) -> "NumberedIds | tuple[str, ...]":
        """Return the IDs by row."""
        if self._rows is None:
            return NumberedIds(np.array(self._numbers, np.int64))
        return tuple(self._rows)


def alike_ids(eval_ids: Sequence[str]) -> str:
    """Return a warning about IDs that look alike; empty if there are none."""
    if isinstance(eval_ids, NumberedIds):
        return ""
    from unicodedata import normalize  # few runs need it

    first_spelt: dict[str, str] = {}
    alike = []
    for eval_id in eval_ids:
        plain = normalize("NFC", eval_id.strip())
        if re.fullmatch(r"[0-9]+(?:\.0+)?", plain):
            plain = plain.partition(".")[0].lstrip("0") or "0"
        if (first := first_spelt.setdefault(plain, eval_id)) != eval_id:
            alike.append((first, eval_id))
    if not alike:
        return ""
    first, second = map(ascii, alike[0])
    ids = "1 ID differs" if len(alike) == 1 else f"{len(alike)} IDs differ"
    return (
        f"{ids} from another in blanks, zeros, a .0 or its Unicode form alone, such as {first} and "
        f"{second}: each is a text of its own; spell them alike (in pandas a column with gaps "
        "becomes 1.0: astype('Int64'))"
    )


def in_byte_order(names: Iterable[str]) -> list[str]:
    """Return names sorted by their bytes."""
    return sorted(names, key=lambda name: name.encode("utf-8", "surrogateescape"))


def choose_systems(
    known: Collection[str], system_id: str | None, *, all_systems: bool
) -> tuple[str, ...]:
    """Return the systems to score: all in byte order, or the one that the user names.

    Raises OptionError if the user names none, or one that no EVAL has.
    """
    in_order = in_byte_order(known)
    if all_systems:
        return tuple(in_order)
    if system_id is None:
        raise OptionError(
            "no SYSTEM_ID: name the system to score after CONFIG, or use -a for every one; "
            f"known are: {', '.join(in_order)}"
        )
    if system_id not in known:
        raise OptionError(f"no system {system_id!r} in CONFIG; {name_advice(system_id, in_order)}")
    return (system_id,)


@dataclass(frozen=True, slots=True, eq=False)
class OutsideScores:
    """External metrics with a single score each.

    `name` says from where, for messages. `values` maps system and EVAL to a number for each metric,
    nan where it is missing, in the order of the input. If `is_of_the_texts`, the scores are stored
    with the texts, so no system or EVAL can be unknown. With `keeps_gaps`, a cell that lacks a
    number for one metric keeps those of the others, and the missing number is nan.
    """

    name: str
    metrics: tuple[str, ...]
    values: Mapping[tuple[str, str], tuple[float, ...]]
    is_of_the_texts: bool = False
    warnings: tuple[str, ...] = ()
    keeps_gaps: bool = False

    def of_system(self, system: str) -> "OutsideScores":
        """Return the scores of one system; all if it has none, for messages on missing ones."""
        of_system = {cell: numbers for cell, numbers in self.values.items() if cell[0] == system}
        return replace(self, values=of_system or self.values)


LONGEST_NUMBER = 20


def first_cells(problems: Sequence[str]) -> list[str]:
    """Return the first problems, since the same mistake may be in every cell."""
    return first_of(problems, "", " of these")


def nothing_common(
    problem: str, ids: Collection[str], other_ids: Collection[str], name: str
) -> list[str]:
    """Return a message that two sides have no ID in common, with the likely cause if one is found.

    `problem` is the sentence, in which ``{one}`` and ``{other}`` become two IDs of each side.
    """
    first, second = (", ".join(map(repr, in_byte_order(side)[:2])) for side in (ids, other_ids))
    message = f"{name}: {problem.format(one=first, other=second)}"
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
        return [message]
    return [
        message,
        f"{name}: {pair[0]!r} and {pair[1]!r} differ in a prefix, in upper case or in zeros in "
        "front; write the IDs of both in the same way",
    ]


def _bare(name: str) -> str:
    """Return an ID without details of spelling that vary."""
    # Search from the end: a search from the front restarts at each digit of a long ID.
    number = re.match("[^0-9]*([0-9]+)", name[::-1])
    is_short = number is not None and len(number[1]) < LONGEST_NUMBER
    return str(int(number[1][::-1])) if number and is_short else name.lower()
