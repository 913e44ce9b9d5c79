"""Names of files made from IDs: safe everywhere, and different for different IDs."""

import re

__all__ = ["FileNames"]

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
    capitals: where two would not, or where they are cut short, the later one ends in ``~2`` and
    so on, which no ID gives by itself.
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
        """Return the name that is wanted, or the next that is free."""
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


def _percent(found: re.Match[str]) -> str:
    """Return the first character that was found percent-encoded."""
    return f"%{ord(found[0][0]):02X}"
