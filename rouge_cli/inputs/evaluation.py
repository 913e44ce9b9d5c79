"""The IDs of EVALs and systems, and external scores.

Source: specification, sections 2 and 6.
"""

import re
from array import array
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import lt
from typing import overload

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import first_of, with_number
from rouge_cli.quick_dataclass import dataclass

DEFAULT_SYSTEM = "X"  # the ID of a system if the input does not name it

MOST_DIGITS = 16
"""IDs in `NumberedIds` have fewer digits than this, so that sort keys fit into 64 bits."""


class NumberedIds(Sequence[str]):
    """EVAL IDs that are whole numbers in decimal digits, which become strings on demand.

    Why not a list of strings? A million of them take 60 MB and a fifth of a second, while other
    threads wait, and most reports print none. `numbers`, shape (n_evals,), are at least 0 and have
    fewer than `MOST_DIGITS` digits.
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
        """Yield all IDs, in a fifth of the time of indexing."""
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
        """Return an ID as a number; -1 if it does not have the form of a number in this class."""
        is_number = eval_id.isascii() and eval_id.isdecimal() and len(eval_id) < MOST_DIGITS
        return int(eval_id) if is_number and (eval_id[0] != "0" or eval_id == "0") else -1

    def byte_order(self) -> NDArray[np.intp]:
        """Return the positions of the IDs in byte order of their strings: 10 precedes 2."""
        most = len(str(self.numbers.max(initial=0)))
        powers = 10 ** np.arange(most)
        digits = np.ones_like(self.numbers)
        for power in powers[1:]:
            digits += self.numbers >= power
        # Numbers padded with zeros to equal length sort like strings, except that 1, 10 and 100
        # become equal; the number of digits breaks such ties, since a shorter string comes first.
        keys = self.numbers * powers[most - digits] * MOST_DIGITS + digits
        return np.argsort(keys, kind="stable")


def ids_at(ids: Sequence[str], rows: NDArray[np.int64]) -> "NumberedIds | tuple[str, ...]":
    """Return the IDs in `rows`, in that order."""
    if isinstance(ids, NumberedIds):
        return NumberedIds(ids.numbers[rows])
    return tuple(map(ids.__getitem__, rows.tolist()))


class EvalIds:
    """Assigns rows to EVALs in the order in which they first appear.

    As long as all IDs are ascending whole numbers, only the numbers are kept, because a dictionary
    of a million IDs and rows takes 120 MB.
    """

    __slots__ = ("_numbers", "_rows")

    def __init__(self) -> None:
        self._numbers = array("q")
        self._rows: dict[str, int] | None = None

    def __len__(self) -> int:
        return len(self._numbers if self._rows is None else self._rows)

    def row(self, eval_id: str) -> int:
        """Return the row of an EVAL, adding it if it is new."""
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
        """Add EVALs in consecutive rows; return False, and add none, unless all of them are new."""
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


def spelt_alike(names: Iterable[str], plain: Callable[[str], str]) -> list[tuple[str, str]]:
    """Return pairs of names that `plain` maps to the same: the first of them, and a later one."""
    first_spelt: dict[str, str] = {}
    pairs = [(first_spelt.setdefault(plain(name), name), name) for name in names]
    return [(first, name) for first, name in pairs if first != name]


def alike_ids(eval_ids: Sequence[str]) -> str:
    """Return a warning about IDs that differ only in details of spelling; empty if none do."""
    if isinstance(eval_ids, NumberedIds):
        return ""
    from unicodedata import normalize  # few runs need it

    def plain(eval_id: str) -> str:
        name = normalize("NFC", eval_id.strip())
        is_number = re.fullmatch(r"[0-9]+(?:\.0+)?", name)
        return name.partition(".")[0].lstrip("0") or "0" if is_number else name

    alike = spelt_alike(eval_ids, plain)
    if not alike:
        return ""
    first, second = map(ascii, alike[0])
    ids = with_number(len(alike), "1 ID differs", "{} IDs differ")
    return (
        f"{ids} from another in blanks, zeros, a .0 or its Unicode form alone, such as {first} and "
        f"{second}: each is a text of its own; spell them alike (in pandas a column with gaps "
        "becomes 1.0: astype('Int64'))"
    )


def in_byte_order(names: Iterable[str]) -> list[str]:
    """Return names sorted by their bytes."""
    return sorted(names, key=lambda name: name.encode("utf-8", "surrogateescape"))


@dataclass(frozen=True, slots=True, eq=False)
class OutsideScores:
    """Scores by other metrics, a single number per metric, system and EVAL.

    - `name`: the origin, for messages.
    - `values`: maps (system, EVAL) to the numbers, in the order of `metrics`; nan if missing.
    - `is_of_the_texts`: whether the scores are fields of the scored records, so that no system or
      EVAL can be unknown.
    - `keeps_gaps`: whether a cell without the number of one metric keeps those of the others.
    """

    name: str
    metrics: tuple[str, ...]
    values: Mapping[tuple[str, str], tuple[float, ...]]
    is_of_the_texts: bool = False
    warnings: tuple[str, ...] = ()
    keeps_gaps: bool = False

    def of_system(self, system: str) -> "OutsideScores":
        """Return the scores of one system; all if it has none, for the message about it."""
        of_system = {cell: numbers for cell, numbers in self.values.items() if cell[0] == system}
        return replace(self, values=of_system or self.values)


def first_cells(problems: Sequence[str]) -> list[str]:
    """Return the first problems and a count of the rest: one mistake may affect every cell."""
    return first_of(problems, "", " of these")


def nothing_common(
    problem: str, ids: Collection[str], other_ids: Collection[str], name: str
) -> list[str]:
    """Return a message that two sets of IDs are disjoint, with the likely cause if there is one.

    `problem` is a format string, in which ``{one}`` and ``{other}`` become examples of each side.
    """
    first, second = (", ".join(map(repr, in_byte_order(side)[:2])) for side in (ids, other_ids))
    message = f"{name}: {problem.format(one=first, other=second)}"
    alike = {_bare(known): known for known in in_byte_order(ids)}
    for other in in_byte_order(other_ids):
        if (known := alike.get(_bare(other))) is not None:
            return [
                message,
                f"{name}: {known!r} and {other!r} differ in a prefix, in upper case or in zeros in "
                "front; write the IDs of both in the same way",
            ]
    return [message]


def _bare(name: str) -> str:
    """Reduce an ID to its last number, or to lower case, so that spelling variants become equal."""
    # Search from the end: a search from the front restarts at each digit of a long ID.
    number = re.match("[^0-9]*([0-9]+)", name[::-1])
    # Python refuses to convert very long numbers.
    is_short = number is not None and len(number[1]) < 20  # noqa: PLR2004
    return str(int(number[1][::-1])) if number and is_short else name.lower()
