"""What can go wrong, as exceptions: one kind for each exit code of the command line.

A message says what was found, where (file, line, EVAL), what was expected, and what to do.
"""

from collections.abc import Iterable, Sequence

__all__ = [
    "FoundError",
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


class FoundError(ValueError):
    """Says what is wrong with a part of an input; where that stands is added where it is caught.

    Parameters
    ----------
    text : str
        What was found, and what was expected.
    kind : str
        The same without what no other part has, such as a number or an ID; see `Problems.add`.
    """

    def __init__(self, text: str, kind: str = "") -> None:
        super().__init__(text)
        self.kind = kind

    def within(self, before: str) -> "FoundError":
        """Return the same of a larger part, with what stands before the text."""
        return FoundError(f"{before}{self}", f"{before}{self.kind}" if self.kind else "")


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


class _Kind:
    """Problems of a kind: how many, the first of them, and what is said of all.

    Attributes
    ----------
    first : list of tuple of int, str and str
        Their numbers among all problems, their places and texts.
    """

    __slots__ = ("first", "n_problems", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.n_problems = 0
        self.first: list[tuple[int, str, str]] = []


class Problems:
    """What is wrong with an input; many of a kind are one line with a count and the first few.

    Parameters
    ----------
    source : str
        The input, for messages; empty if the places need none.
    """

    __slots__ = ("_kinds", "_n_problems", "_n_unnamed", "_others", "_source")

    def __init__(self, source: str = "") -> None:
        self._source = source
        self._kinds: dict[str, _Kind] = {}
        self._others: list[str] = []
        self._n_problems = 0
        self._n_unnamed = 0

    @classmethod
    def of(cls, source: str, found: Iterable[tuple[str, str]]) -> "Problems":
        """Return what is wrong with an input: places, and what is wrong there."""
        problems = cls(source)
        for place, text in found:
            problems.add(place, text)
        return problems

    def __bool__(self) -> bool:
        """Say whether there is any."""
        return bool(self._kinds or self._others)

    def add(self, place: str, text: str, kind: str = "") -> None:
        """Add what is wrong at a place.

        Parameters
        ----------
        place : str
            Such as ``line 2``; may be empty.
        text : str
            What was found, and what was expected.
        kind : str
            What is said of many, where `text` has something that differs from one to the next;
            empty if it has not.
        """
        key = kind or text
        if key not in self._kinds:
            if len(self._kinds) == MOST_LINES:
                self._n_unnamed += 1
                return
            self._kinds[key] = _Kind(text)
        found = self._kinds[key]
        found.n_problems += 1
        if text != found.text:
            found.text = key
        if found.n_problems <= MOST_PLACES:
            found.first.append((self._n_problems, place, text))
        self._n_problems += 1

    def add_error(self, place: str, error: ValueError) -> None:
        """Add what an exception, mostly a `FoundError`, says is wrong at a place."""
        self.add(place, str(error), getattr(error, "kind", ""))

    def extend(self, messages: Iterable[str]) -> None:
        """Add whole messages."""
        self._others += messages

    def lines(self) -> list[str]:
        """Return a line for each problem, up to three of a kind, or one for all of a kind.

        They are in the order in which problems, or the first of a kind, were added.
        """
        numbered = sorted(line for kind in self._kinds.values() for line in self._of(kind))
        lines = [line for _, line in numbered]
        lines += self._others
        before = f"{self._source}: " if self._source else ""
        return first_of(lines, f"{before}... and ", n_unnamed=self._n_unnamed)

    def raise_any(self) -> None:
        """Raise InputError if there is a problem."""
        if self:
            raise InputError(self.lines())

    def _of(self, kind: _Kind) -> list[tuple[int, str]]:
        """Return the lines of one kind, with their numbers among all problems."""
        n_more = kind.n_problems - len(kind.first)
        if not n_more:
            return [(number, f"{self._at(place)}: {text}") for number, place, text in kind.first]
        places = list(dict.fromkeys(place for _, place, _ in kind.first))
        between = "; " if any(", " in place for place in places) else ", "
        line = f"{self._at(between.join(places))} and {n_more} more: {kind.text}"
        return [(kind.first[0][0], line)]

    def _at(self, place: str) -> str:
        """Name a place in the input."""
        return ", ".join(filter(None, (self._source, place)))
