"""SIMPLE, a Basic Element a line: ``HEAD|MODIFIER|RELATION``.

Source: specification, sections 2 and 5, "BE".
"""

from typing import NamedTuple

from rouge_cli.errors import InputError

__all__ = ["BasicElement", "element_problems", "read_simple"]

_FIELD_COUNT = 3


class BasicElement(NamedTuple):
    """A head, what modifies it, and how; ``b"nil"`` marks what is absent.

    Parameters
    ----------
    head, modifier, relation : bytes
        The fields of a line in lower case, white space and all.

    Notes
    -----
    Source: specification, section 5, "BE".
    """

    head: bytes
    modifier: bytes
    relation: bytes


def read_simple(raw: bytes, name: str) -> tuple[BasicElement, ...]:
    """Read the Basic Elements of a SIMPLE file.

    Parameters
    ----------
    raw : bytes
        Content of the file.
    name : str
        Name of the file, for messages.

    Returns
    -------
    tuple of BasicElement
        One a line, in the order of the lines; only A to Z are put in lower case.

    Raises
    ------
    InputError
        If lines, an empty one included, have not three fields; with every such line. Empty
        fields at the end of a line do not count.

    Notes
    -----
    Source: specification, section 5, "BE".
    """
    if problems := element_problems(raw, name):
        raise InputError(problems)
    return tuple(map(BasicElement._make, _rows(raw)))


def element_problems(raw: bytes, name: str) -> list[str]:
    """Return a message for each line of a SIMPLE file that has not three fields."""
    return [
        _problem(name, number, row)
        for number, row in enumerate(_rows(raw), 1)
        if len(row) != _FIELD_COUNT
    ]


def _rows(raw: bytes) -> list[list[bytes]]:
    """Return the fields of each line, in lower case."""
    lines = raw.lower().split(b"\n")
    # A newline ends the last line and begins none.
    if not lines[-1]:
        lines.pop()
    return [line.rstrip(b"|").split(b"|") for line in lines]


def _problem(name: str, line: int, row: list[bytes]) -> str:
    """Return the message for a line that has not three fields."""
    expected = 'expected three, HEAD|MODIFIER|RELATION, with "nil" for one that is absent'
    if row == [b""]:
        return f"{name}, line {line}: no fields; {expected}, or no line at all"
    fields = "1 field" if len(row) == 1 else f"{len(row)} fields"
    return f"{name}, line {line}: {fields}; {expected}"
