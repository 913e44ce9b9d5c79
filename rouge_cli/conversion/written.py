"""What a conversion has to say when it is done."""

from dataclasses import dataclass

__all__ = ["Command", "Written", "count"]

Command = tuple[str, ...]
"""The program and its arguments."""


@dataclass(frozen=True, slots=True)
class Written:
    """What was written.

    Parameters
    ----------
    what : str
        In a few words, such as "4 EVALs, 3 systems".
    commands : tuple of tuple of str
        How to score it, from within the folder that was written; program and arguments.
    warnings : tuple of str
        What the user should know.
    """

    what: str
    commands: tuple[Command, ...]
    warnings: tuple[str, ...] = ()


def count(number: int, plural: str) -> str:
    """Return a number and what it counts."""
    return f"{number} {plural if number != 1 else plural[:-1]}"
