"""What can go wrong, as exceptions: one kind for each exit code of the command line.

A message says what was found, where (file, line, EVAL), what was expected, and what to do.
"""

from collections.abc import Iterable, Sequence

__all__ = [
    "InputError",
    "OptionError",
    "Problems",
    "RougeError",
    "RougeWarning",
    "close_to",
    "first_of",
]

MOST_PLACES = 3
"""So many problems of a kind have a line each; of more, so many are named in the line of all."""

MOST_LINES = 20
"""More are counted, not named: what is wrong may be another thing in each place."""


class RougeError(Exception):
    """Any error that this package raises on purpose."""


class RougeWarning(UserWarning):
    """What a run can go on without, found while it is under way."""


class OptionError(RougeError):
    """An option, a value of an option, or a combination of options that makes no sense."""


class InputError(RougeError):
    """Inputs that cannot be used; nothing was scored.

    Parameters
    ----------
    problems : str or sequence of str
        One line for each thing that is wrong, all of them and not only the first.
    """

    def __init__(self, problems: str | Sequence[str]) -> None:
        self.problems = (problems,) if isinstance(problems, str) else tuple(problems)
        super().__init__("\n".join(self.problems))

    def __reduce__(self) -> tuple[type["InputError"], tuple[tuple[str, ...]]]:
        """Pickle by the list of problems, so that an error arrives whole from a worker."""
        return type(self), (self.problems,)


def close_to(word: str, known: Iterable[str]) -> str | None:
    """Return the name that a misspelt word is most like; None if it is like none."""
    from difflib import get_close_matches

    names = {name.lower(): name for name in known}
    return next((names[name] for name in get_close_matches(word.lower(), names, n=1)), None)


def first_of(
    lines: Sequence[str], before: str = "... and ", behind: str = "", n_unnamed: int = 0
) -> list[str]:
    """Return the first lines and, where there are others, a line with their number.

    Parameters
    ----------
    before, behind : str
        What stands around ``3 more`` in it.
    n_unnamed : int
        How many there are that are not in `lines`.
    """
    more = len(lines[MOST_LINES:]) + n_unnamed
    return [*lines[:MOST_LINES], *([f"{before}{more} more{behind}"] if more else [])]


class Problems:
    """What is wrong with an input; many of a kind are one line with a count and the first few.

    Parameters
    ----------
    source : str
        The input, for messages; empty if the places need none.
    """

    __slots__ = ("_counts", "_n_unnamed", "_others", "_places", "_source")

    def __init__(self, source: str = "") -> None:
        self._source = source
        self._places: dict[str, list[str]] = {}
        self._counts: dict[str, int] = {}
        self._others: list[str] = []
        self._n_unnamed = 0

    @classmethod
    def of(cls, source: str, found: Iterable[tuple[str, str]]) -> "Problems":
        """Return what is wrong with an input: places, and what is wrong there."""
        problems = cls(source)
        for place, text in found:
            problems.add(place, text)
        return problems

    def add(self, place: str, text: str) -> None:
        """Add what is wrong at a place, such as ``line 2``; the place may be empty."""
        if text not in self._counts and len(self._counts) == MOST_LINES:
            self._n_unnamed += 1
            return
        self._counts[text] = self._counts.get(text, 0) + 1
        places = self._places.setdefault(text, [])
        if len(places) < MOST_PLACES:
            places.append(place)

    def extend(self, messages: Iterable[str]) -> None:
        """Add whole messages."""
        self._others += messages

    def lines(self) -> list[str]:
        """Return a line for each problem, up to three of a kind, or one for all of a kind."""
        lines = [line for text, count in self._counts.items() for line in self._of(text, count)]
        lines += self._others
        before = f"{self._source}: " if self._source else ""
        return first_of(lines, f"{before}... and ", n_unnamed=self._n_unnamed)

    def raise_any(self) -> None:
        """Raise InputError if there is a problem."""
        if self._counts or self._others:
            raise InputError(self.lines())

    def _of(self, text: str, count: int) -> list[str]:
        """Return the lines of one kind."""
        places = self._places[text]
        if count == len(places):
            return [f"{self._at(place)}: {text}" for place in places]
        return [f"{self._at(', '.join(places))} and {count - len(places)} more: {text}"]

    def _at(self, place: str) -> str:
        """Name a place in the input."""
        return ", ".join(filter(None, (self._source, place)))
