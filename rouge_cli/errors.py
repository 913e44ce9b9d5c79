"""The exceptions of this package, with one class for each exit code of the command line.

A message says what was found, where (file, line, EVAL), what was expected, and what to do.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

MOST_PLACES = 3
"""Maximum number of problems of one kind that have a line each. If there are more, they share one
line, which names this many of them."""

MOST_NAMES = 10  # known names in a message
MOST_LINES = 20  # lines of a message; each line of a file may have a problem


class RougeError(Exception):
    """Base class of the errors that this package raises on purpose."""


class RougeWarning(UserWarning):
    """A problem that does not end a run."""


class OptionError(RougeError):
    """An invalid option, value, or combination of options."""


class InputError(RougeError):
    """Unusable inputs. Nothing has been scored.

    `problems` has a line for each problem, not only for the first.
    """

    def __init__(self, problems: str | Sequence[str]) -> None:
        self.problems = (problems,) if isinstance(problems, str) else tuple(problems)
        super().__init__("\n".join(self.problems))

    def __reduce__(self) -> tuple[type["InputError"], tuple[object, ...]]:
        """Pickle the list of problems, so that errors from workers stay intact."""
        return type(self), (self.problems,)


class InstanceError(InputError):
    """Instances that a metric cannot score.

    `instances` has for each its number among the instances that the metric was given, the problem,
    and the kind of problem (see `Problems.add`).
    """

    def __init__(self, instances: "Sequence[tuple[int, str, str]]") -> None:
        self.instances = instances
        super().__init__([text for _, text, _ in instances])

    def placed(self, names: Sequence[str]) -> InputError:
        """Return the error with the names of the instances."""
        problems = Problems()
        for number, text, kind in self.instances:
            problems.add(names[number], text, kind)
        return InputError(problems.lines())


class NothingLeftError(InputError):
    """All texts of a system were left out, so it has no scores."""


class FoundError(ValueError):
    """A problem in a part of an input, to which callers add the location.

    `kind` is the text without details that vary, such as an ID; see `Problems.add`.
    """

    def __init__(self, text: str, kind: str = "") -> None:
        super().__init__(text)
        self.kind = kind

    def within(self, before: str) -> "FoundError":
        """Return the error with a prefix, for a larger part of the input."""
        return FoundError(f"{before}{self}", f"{before}{self.kind}" if self.kind else "")


def missing_package(error: ImportError, needs: str, remedy: str) -> str:
    """Explain why a package cannot be used: it is not installed, or cannot be loaded.

    `needs` ends with the name of the package, `remedy` installs it.
    """
    if isinstance(error, ModuleNotFoundError):
        return f"{needs}, which is not installed: {remedy}"
    # Memory or descriptors may be lacking. Only the first line, as some packages write a page.
    reason = (str(error).strip() or type(error).__name__).splitlines()[0]
    return f"{needs}, which cannot be loaded: {reason}"


BYTES_OF_NUMPY, BYTES_OF_SCIPY = 80 << 20, 128 << 20
"""Memory that each package needs in a short run with its libraries, plus a margin: under ``ulimit
-v`` they need about 75 and 100 MB."""


def is_memory_left(n_bytes: int) -> bool:
    """Return whether the system would currently grant this much memory."""
    import mmap  # here, since every start loads this module

    try:
        mmap.mmap(-1, n_bytes).close()
    except OSError:
        return False
    return True


def check_memory(n_bytes: int) -> None:
    """Raise MemoryError if there is too little memory to load a package."""
    # Otherwise the linear algebra library of NumPy would end the process with the exit code of a
    # missed threshold, and that of SciPy would retry forever.
    if not is_memory_left(n_bytes):
        raise MemoryError


def close_to(word: str, known: Iterable[str], least: float = 0.6) -> str | None:
    """Return the known name that is closest to a misspelt one, or None.

    `least` is the required similarity, from 0 to 1.
    """
    from difflib import get_close_matches

    names = {name.lower(): name for name in known}
    close = get_close_matches(word.lower(), names, n=1, cutoff=least)
    return next((names[name] for name in close), None)


def edits(a: str, b: str) -> int:
    """Count the characters to insert, delete, replace or exchange with the next (Damerau)."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        older, before, row = before, row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (x != y)))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                row[j] = min(row[j], older[j - 2] + 1)
    return row[-1]


def name_advice(word: str, known: Sequence[str]) -> str:
    """Suggest the known name that is probably meant, or list the known names."""
    close = close_to(word, known)
    if close is not None:
        return f"did you mean {close!r}?"
    more = len(known) - MOST_NAMES
    others = f", and {more} more" if more > 0 else ""
    names = ", ".join(name or "''" for name in known[:MOST_NAMES])
    return f"known are: {names}{others}"


def unknown_option(name: str, known: Iterable[str]) -> OptionError:
    """Return the error for a keyword that is not an option."""
    advice = name_advice(name, list(known)).rstrip("?")
    return OptionError(
        f"unknown option {name!r}; {advice} (all are in help('rouge_cli.options.keywords'))"
    )


def with_number(number: int, single: str, many: str) -> str:
    """Return `single` if `number` is 1, otherwise `many` with the number in place of ``{}``."""
    return single if number == 1 else many.format(number)


def first_of(lines: Sequence[str], before: str, after: str = "", n_unnamed: int = 0) -> list[str]:
    """Return the first lines and, if there are more, a line that counts the others.

    In that line, `before` and `after` surround the number, as in ``3 more``. `n_unnamed` are
    counted in addition to `lines`.
    """
    more = len(lines[MOST_LINES:]) + n_unnamed
    return [*lines[:MOST_LINES], *([f"{before}{more} more{after}"] if more else [])]


class Problems:
    """The problems of an input. Many problems of a kind share a line, which names the first few.

    `source` is the name of the input in messages; empty if the places include it.
    """

    __slots__ = ("_first", "_n_of_kind", "_n_unnamed", "_others", "_source", "_texts")

    def __init__(self, source: str = "") -> None:
        self._source = source
        self._n_of_kind: Counter[str] = Counter()
        # The first problems of each kind, as number among all problems, place and text; and the
        # text for all problems of a kind.
        self._first: dict[str, list[tuple[int, str, str]]] = {}
        self._texts: dict[str, str] = {}
        self._n_unnamed = 0
        self._others: list[str] = []

    @classmethod
    def of(cls, source: str, pairs: Iterable[tuple[str, str]]) -> "Problems":
        """Collect the problems of an input from pairs of place and text."""
        problems = cls(source)
        for place, text in pairs:
            problems.add(place, text)
        return problems

    def __bool__(self) -> bool:
        return bool(self._first or self._others)

    def add(self, place: str, text: str, kind: str = "") -> None:
        """Add a problem: what was found, and what was expected.

        `place` is for instance ``line 2``, or empty. `kind` is the common text of problems of a
        kind whose `text` varies; if empty, it is `text`.
        """
        key = kind or text
        if key not in self._first and len(self._first) == MOST_LINES:
            self._n_unnamed += 1
            return
        first = self._first.setdefault(key, [])
        if len(first) < MOST_PLACES:
            first.append((self._n_of_kind.total(), place, text))
        self._n_of_kind[key] += 1
        if self._texts.setdefault(key, text) != text:
            self._texts[key] = key

    def add_error(self, place: str, error: ValueError) -> None:
        """Add an exception, usually a `FoundError`, as a problem."""
        self.add(place, str(error), getattr(error, "kind", ""))

    def extend(self, messages: Iterable[str]) -> None:
        """Add complete messages."""
        self._others += messages

    def lines(self) -> list[str]:
        """Return a line for each problem, or for each kind with more than `MOST_PLACES` problems.

        They are in the order in which each kind first appeared.
        """
        numbered = sorted(line for kind in self._first for line in self._lines_of(kind))
        before = f"{self._source}: " if self._source else ""
        lines = [*(line for _, line in numbered), *self._others]
        return first_of(lines, f"{before}... and ", n_unnamed=self._n_unnamed)

    def raise_any(self) -> None:
        """Raise InputError if there are problems."""
        if self:
            raise InputError(self.lines())

    def _lines_of(self, kind: str) -> list[tuple[int, str]]:
        first = self._first[kind]
        n_more = self._n_of_kind[kind] - len(first)
        if not n_more:
            return [(number, f"{self._at(place)}: {text}") for number, place, text in first]
        places = list(dict.fromkeys(place for _, place, _ in first))
        between = "; " if any(", " in place for place in places) else ", "
        line = f"{self._at(between.join(places))} and {n_more} more: {self._texts[kind]}"
        return [(first[0][0], line)]

    def _at(self, place: str) -> str:
        return ", ".join(filter(None, (self._source, place)))
