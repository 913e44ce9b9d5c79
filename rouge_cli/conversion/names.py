"""What conversions share: names of files, numbers of EVALs, and what to tell when it is done.

In file lists and line files EVALs are 1, 2, 3 and so on. The bootstrap draws from the EVALs of a
system in byte order of ``EVALID.SYSTEMID``, so scores stay the same only if the new numbers stand
in the byte order of the old IDs. Source: specification, section 6.
"""

import re
from collections.abc import Iterable, Sequence

from rouge_cli.errors import Problems
from rouge_cli.inputs.corpus import Corpus
from rouge_cli.inputs.formats import STAND_IN
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.results import byte_order

_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})

HELD_BY_XML = re.compile("[^\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]+")
"""Characters of XML 1.0, less the surrogates that stand for bytes that are not UTF-8."""

_KEPT = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.")
_SPELLINGS = [chr(byte) if byte in _KEPT else f"%{byte:02X}" for byte in range(256)]
_EMPTY = "%"
# The first would hide a file or pass for an option; the last is dropped by some systems.
_AT_AN_EDGE = re.compile(r"^[.-]|\.$")
# Some systems take these for devices, whatever the suffix.
_DEVICE = re.compile(r"^[cpanl](?=(on|rn|ux|ul|om[0-9]|pt[0-9])(\.|$))", re.IGNORECASE)
LONGEST = 180
"""Bytes of a name, which leaves room for suffixes below the usual 255."""


class FileNames:
    """Gives each ID a name, the same whenever it is asked for.

    Bytes other than letters, digits and ``_-.`` are percent-encoded. Names differ by more than
    capitals: where they would not, or where they are cut short, the later one ends in ``~2`` and so
    on, which no ID gives by itself.
    """

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._taken: set[str] = set()

    def __getitem__(self, id_: str) -> str:
        """Return the name of an ID."""
        if id_ not in self._names:
            self._names[id_] = self._new(_encoded(id_)[:LONGEST])
        return self._names[id_]

    def _new(self, wanted: str) -> str:
        """Return the wanted name, or the next that is free."""
        name, number = wanted, 1
        while name.lower() in self._taken:
            number += 1
            name = f"{wanted}~{number}"
        self._taken.add(name.lower())
        return name


def _encoded(id_: str) -> str:
    """Return an ID percent-encoded."""
    name = "".join([_SPELLINGS[byte] for byte in id_.encode("utf-8", "surrogateescape")])
    return _DEVICE.sub(_percent, _AT_AN_EDGE.sub(_percent, name)) or _EMPTY


def _percent(match: re.Match[str]) -> str:
    """Return the first character of a match percent-encoded."""
    return f"%{ord(match[0][0]):02X}"


def places_by_number(eval_ids: Sequence[str], system: str) -> list[int]:
    """Return the row in `eval_ids`, those of a system, of the EVAL numbered 1, 2 and so on.

    EVALs that have these numbers for IDs already keep them. The system's ID does not matter for the
    new names: ``.`` comes before every digit, so they stand in the byte order of the numbers
    themselves. Source: specification, section 6.
    """
    numbers = sorted(range(1, len(eval_ids) + 1), key=str)
    rows = [0] * len(eval_ids)
    for number, row in zip(numbers, byte_order(eval_ids, system).tolist(), strict=True):
        rows[number - 1] = row
    return rows


def write_eval_ids(path: str, eval_ids: Iterable[str]) -> None:
    r"""Write a new file that says which number stands for which ID, tab-separated.

    Backslash, tab, newline and carriage return in an ID are written ``\\``, ``\t``, ``\n``, ``\r``.
    """
    with open(path, "x", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        file.write("number\tid\n")
        for number, eval_id in enumerate(eval_ids, 1):
            file.write(f"{number}\t{eval_id.translate(_ESCAPES)}\n")


def check_ids(corpus: Corpus, held: re.Pattern[str], layout: str) -> None:
    """Raise InputError with all IDs of systems and EVALs that a layout cannot hold.

    `held` matches the whole of an ID that it can hold; `layout` is what to call it.
    """
    ids = [("system", system) for system in corpus.systems]
    ids += [("EVAL", eval_id) for eval_id in dict.fromkeys(corpus.instances().eval_ids)]
    problem = f"{layout} cannot hold it; use --to list, which needs no IDs"
    problems = ((f"{kind} ID {id_!a}", problem) for kind, id_ in ids if not held.fullmatch(id_))
    Problems.of("", problems).raise_any()


Command = tuple[str, ...]
"""The program and its arguments."""


@dataclass(frozen=True, slots=True)
class Written:
    """What was written, in a few words, such as "4 EVALs, 3 systems", and warnings for the user.

    `commands` score it from within the folder that was written, each a program and its arguments.
    """

    what: str
    commands: tuple[Command, ...]
    warnings: tuple[str, ...] = ()


def count(number: int, plural: str) -> str:
    """Return a number and what it counts."""
    return f"{number} {plural if number != 1 else plural[:-1]}"


@dataclass(slots=True)
class Replaced:
    """Counts the bytes that a format cannot hold.

    `byte` is empty if it holds every byte; `shown` is the byte in a message. There are `n_bytes` in
    `n_texts`.
    """

    format: str
    byte: bytes
    shown: str
    n_bytes: int = 0
    n_texts: int = 0

    def count(self, text: bytes) -> None:
        """Take note of a text that is being written."""
        n_bytes = text.count(self.byte) if self.byte else 0
        self.n_bytes += n_bytes
        self.n_texts += n_bytes > 0

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know."""
        if not self.n_bytes:
            return ()
        times = "once" if self.n_bytes == 1 else f"{self.n_bytes} times"
        texts = "1 text" if self.n_texts == 1 else f"{self.n_texts} texts"
        return (
            f"{self.shown} is written as {STAND_IN.decode()!r}, {times} in {texts}: "
            f"{self.format} cannot hold it, and both score alike",
        )
