"""What can go wrong, as exceptions: one kind for each exit code of the command line.

A message says what was found, where (file, line, EVAL), what was expected, and what to do.
"""

from collections.abc import Sequence

__all__ = ["InputError", "OptionError", "RougeError", "RougeWarning"]


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
