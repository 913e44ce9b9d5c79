"""Names of files and numbers of EVALs in conversions, and the summary for the user.

In file lists and line files the IDs of EVALs are 1, 2, 3 and so on. The bootstrap draws from the
EVALs of a system in byte order of ``EVALID.SYSTEMID``, so scores stay the same only if the new
numbers have the same byte order as the old IDs. Source: specification, section 6.
"""

import re
from collections.abc import Iterable, Sequence

from rouge_cli.errors import Problems
from rouge_cli.inputs.index import Index
from rouge_cli.inputs.sentences import STAND_IN
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.results import byte_order

_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})

HELD_BY_XML = re.compile("[^\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]+")
"""The characters of XML 1.0, without the surrogates that represent bytes that are not UTF-8."""

_KEPT = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.")
_SPELLINGS = [chr(byte) if byte in _KEPT else f"%{byte:02X}" for byte in range(256)]
_EMPTY = "%"
# A first dot hides a file, a first hyphen looks like an option, and some systems drop a last dot.
_AT_AN_EDGE = re.compile(r"^[.-]|\.$")
# Windows takes these names for devices, whatever the suffix.
_DEVICE = re.compile(r"^[cpanl](?=(on|rn|ux|ul|om[0-9]|pt[0-9])(\.|$))", re.IGNORECASE)
LONGEST = 180
"""Bytes in a name: this leaves room for suffixes below the usual limit of 255."""


class FileNames:
    """Assigns a file name to each ID.

    Bytes other than letters, digits and ``_-.`` are percent-encoded, and long names cut. Names that
    would be equal, ignoring case, end in ``~2`` and so on from the second one on. No encoded ID
    contains ``~``.
    """

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._taken: set[str] = set()

    def __getitem__(self, id_: str) -> str:
        if id_ not in self._names:
            encoded = "".join([_SPELLINGS[byte] for byte in id_.encode("utf-8", "surrogateescape")])
            name = _DEVICE.sub(_percent, _AT_AN_EDGE.sub(_percent, encoded)) or _EMPTY
            self._names[id_] = self._new(name[:LONGEST])
        return self._names[id_]

    def _new(self, wanted: str) -> str:
        name, number = wanted, 1
        while name.lower() in self._taken:
            number += 1
            name = f"{wanted}~{number}"
        self._taken.add(name.lower())
        return name


def _percent(match: re.Match[str]) -> str:
    return f"%{ord(match[0][0]):02X}"


def places_by_number(eval_ids: Sequence[str], system: str) -> list[int]:
    """Return the rows in `eval_ids`, the EVALs of a system, in the order of their new numbers.

    EVALs whose IDs are already these numbers keep them. The ID of the system does not affect the
    order of the new IDs: ``.`` comes before every digit, so it is the byte order of the numbers.
    Source: specification, section 6.
    """
    numbers = sorted(range(1, len(eval_ids) + 1), key=str)
    rows = [0] * len(eval_ids)
    for number, row in zip(numbers, byte_order(eval_ids, system).tolist(), strict=True):
        rows[number - 1] = row
    return rows


def write_eval_ids(path: str, eval_ids: Iterable[str]) -> None:
    r"""Write a new file with each number and its ID, separated by a tab.

    Backslash, tab, newline and carriage return in an ID are written ``\\``, ``\t``, ``\n``, ``\r``.
    """
    with open(path, "x", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        file.write("number\tid\n")
        for number, eval_id in enumerate(eval_ids, 1):
            file.write(f"{number}\t{eval_id.translate(_ESCAPES)}\n")


def check_ids(index: Index, held: re.Pattern[str], layout: str) -> None:
    """Raise InputError with all IDs of systems and EVALs that a layout cannot hold.

    `held` matches the whole of an ID that it can hold; `layout` is its name in the message.
    """
    ids = [("system", system) for system in index.order]
    ids += [("text", eval_id) for eval_id in index.eval_ids]
    problem = f"{layout} cannot hold it; use --to list, which needs no IDs"
    problems = ((f"{kind} ID {id_!a}", problem) for kind, id_ in ids if not held.fullmatch(id_))
    Problems.of("", problems).raise_any()


@dataclass(frozen=True, slots=True)
class Written:
    """A summary of what was written, such as "4 EVALs, 3 systems", and warnings.

    Each of `commands`, a program and its arguments, scores it from within the new folder.
    """

    what: str
    commands: tuple[tuple[str, ...], ...]
    warnings: tuple[str, ...] = ()


def count(number: int, plural: str) -> str:
    """Return a number with its noun, in the singular for 1."""
    return f"{number} {plural if number != 1 else plural[:-1]}"


@dataclass(slots=True)
class Replaced:
    """Counts the occurrences of a byte that a format cannot hold.

    `byte` is empty if the format holds every byte; `shown` is the byte in messages.
    """

    format: str
    byte: bytes
    shown: str
    n_bytes: int = 0
    n_texts: int = 0

    def count(self, text: bytes) -> None:
        """Count the bytes of a text that is being written."""
        n_bytes = text.count(self.byte) if self.byte else 0
        self.n_bytes += n_bytes
        self.n_texts += n_bytes > 0

    @property
    def warnings(self) -> tuple[str, ...]:
        """A warning, if any byte was replaced."""
        if not self.n_bytes:
            return ()
        times = "once" if self.n_bytes == 1 else f"{self.n_bytes} times"
        texts = "1 text" if self.n_texts == 1 else f"{self.n_texts} texts"
        return (
            f"{self.shown} is written as {STAND_IN.decode()!r}, {times} in {texts}: "
            f"{self.format} cannot hold it, and both score alike",
        )
