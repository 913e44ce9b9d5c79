"""Run again what the original ran, and compare what is printed, line by line."""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import zip_longest

from rouge_cli.atomic_folders import temporary_folder
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.selftest.stored import StoredRun, StoredRuns, StoredRunsError

__all__ = [
    "FAMILIES",
    "Difference",
    "Outcome",
    "Printer",
    "compare_output",
    "families_of",
    "reproduce",
]

FAMILIES = ("N", "L", "W", "S", "SU", "BE")
"""Families of metrics, in the order of print."""

METRIC = re.compile(rb" ROUGE-(?:[0-9]+|(L|W|SU|S|BE)[^ ]*) (?:Average_|M_count|Eval )")
LINE = re.compile(rb"[^\n]*\n|[^\n]+")

Printer = Callable[[Sequence[str]], bytes]
"""From the arguments of a run to what it prints on standard output."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A line that is not the same.

    Parameters
    ----------
    line : int
        From 1 on.
    family : str
        The metric that the line is about; one of `FAMILIES`, or empty if none can be told.
    expected, found : bytes or None
        The line with its newline; None where the output has ended.
    """

    line: int
    family: str
    expected: bytes | None
    found: bytes | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run of the original and what came of it here.

    Parameters
    ----------
    stopped : str or None
        What stopped the run, if anything did.
    """

    run: StoredRun
    differences: tuple[Difference, ...]
    stopped: str | None = None

    @property
    def is_same(self) -> bool:
        """Whether the same bytes were printed."""
        return not self.differences and self.stopped is None

    @property
    def n_lines(self) -> int:
        """Number of lines that the original printed."""
        return len(_lines(self.run.expected))

    @property
    def family_lines(self) -> Counter[str]:
        """Number of lines that the original printed about each family of metrics."""
        return Counter(families_of(_lines(self.run.expected)))

    def differs_in(self, family: str) -> bool:
        """Say whether a line about a family of metrics is not the same."""
        if self.stopped is not None:
            return self.family_lines[family] > 0
        return any(difference.family == family for difference in self.differences)


def compare_output(expected: bytes, found: bytes) -> tuple[Difference, ...]:
    """Return the lines that differ, by their place."""
    old, new = _lines(expected), _lines(found)
    families = zip_longest(families_of(old), families_of(new), fillvalue="")
    lines = zip_longest(old, new, families)
    return tuple(
        Difference(number, families[0] or families[1], one, other)
        for number, (one, other, families) in enumerate(lines, 1)
        if one != other
    )


def families_of(lines: Iterable[bytes]) -> list[str]:
    """Return the family of metrics that each line is about; a rule is about what follows it."""
    families: list[str] = []
    family = ""
    for line in reversed(list(lines)):
        if match := METRIC.search(line):
            family = match[1].decode() if match[1] else "N"
        families.append(family)
    return families[::-1]


def _lines(output: bytes) -> list[bytes]:
    """Split an output after each newline, and nowhere else."""
    return LINE.findall(output)


def reproduce(stored: StoredRuns, printer: Printer) -> tuple[Outcome, ...]:
    """Run all stored runs and compare what they print.

    The files are written to a temporary folder, which is the working directory meanwhile.

    Returns
    -------
    tuple of Outcome
        In the order of the runs.

    Raises
    ------
    StoredRunsError
        If the files cannot be written.
    """
    with _folder_of(stored.inputs) as folder:
        return tuple(
            [_outcome(run, os.path.join(folder, run.folder), printer) for run in stored.runs]
        )


def _outcome(run: StoredRun, folder: str, printer: Printer) -> Outcome:
    """Run one in its folder; whatever stops it is part of the outcome."""
    os.chdir(folder)
    try:
        found = printer(run.arguments)
    # What an engine that does not fit its libraries raises can be anything.
    except Exception as error:
        reason = str(error).replace("\n", " ")
        return Outcome(run, (), f"{type(error).__name__}: {reason}")
    return Outcome(run, compare_output(run.expected, found))


@contextmanager
def _folder_of(inputs: Mapping[str, bytes]) -> Iterator[str]:
    """Write files below a temporary folder; afterwards the working directory is the old one."""
    before = _working_directory()
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(temporary_folder())
            _write(inputs, folder)
        except OSError as error:
            raise _no_place(error) from None
        try:
            yield folder
        finally:
            # A folder that is the working directory cannot be removed on Windows.
            os.chdir(os.path.dirname(folder))
            with suppress(OSError):
                os.chdir(before)


def _working_directory() -> str:
    """Return the working directory, or the root where it has been removed."""
    try:
        return os.getcwd()
    except OSError:
        return os.path.abspath(os.sep)


def _write(inputs: Mapping[str, bytes], folder: str) -> None:
    """Write each file where its name says."""
    for name, data in inputs.items():
        path = os.path.join(folder, *name.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as stream:
            stream.write(data)


def _no_place(error: OSError) -> StoredRunsError:
    """Say that there is no place for the files."""
    return StoredRunsError(
        f"the inputs of the stored runs cannot be written to a temporary folder: "
        f"{error.strerror}; set TMPDIR to a folder that can be written to"
    )
