"""How an option is described: the parts of `rouge_cli.options`.

Source: specification, section 1.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Number", "Option", "Requirement", "option"]


@dataclass(frozen=True, slots=True)
class Number:
    """A number that is printed as it was typed.

    Parameters
    ----------
    text : str
        The number as typed, for example ``"1.20"``.
    value : float
        Its value.
    """

    text: str
    value: float


@dataclass(frozen=True, slots=True)
class Requirement:
    """A condition that the scores have to meet.

    Parameters
    ----------
    text : str
        As typed, for example ``"ROUGE-2:F>=0.18"``.
    system : str or None
        The system that it is about; None for every system.
    metric : str
        Name of the metric.
    measure : str
        ``"R"``, ``"P"`` or ``"F"``.
    comparison : str
        ``">="``, ``">"``, ``"<="`` or ``"<"``.
    limit : Number
    """

    text: str
    system: str | None
    metric: str
    measure: str
    comparison: str
    limit: Number


@dataclass(frozen=True, slots=True)
class Option:
    """How one field of `Options` is spelt, read and explained.

    Parameters
    ----------
    letter : str or None
        The original's letter with its dash.
    long : str
        The long name with its dashes.
    group : str
        Heading under which ``--help`` shows it.
    help : str
        One sentence.
    metavar : str or None
        Name of the value; None for a switch.
    parse : callable
        From what was typed, or given in Python, to the value; raises ValueError saying what it
        expects.
    off : bool
        True for a switch that sets its field to False (``--no-lcs`` and the field ``lcs``).
    is_many : bool
        True for an option that may be given several times; its value is a tuple.
    n_values : int
        How many values it takes at once; with more than one, a tuple.
    """

    letter: str | None
    long: str
    group: str
    help: str
    metavar: str | None
    parse: Callable[[Any], Any]
    off: bool = False
    is_many: bool = False
    n_values: int = 1


def option(
    spelling: str, group: str, help: str, parse: Callable[[Any], Any], default: Any, **more: Any
) -> Any:
    """Describe a field: its spelling is ``-letter --long METAVAR``."""
    words = spelling.split()
    letter = None if words[0].startswith("--") else words.pop(0)
    metavar = " ".join(words[1:]) or None
    described = Option(letter, words[0], group, help, metavar, parse, **more)
    return field(default=default, metadata={"option": described})
