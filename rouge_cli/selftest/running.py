"""Run again what the original ran, on the same inputs, in a folder of its own."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

from rouge_cli.selftest.comparing import Outcome, compare_output
from rouge_cli.selftest.stored import StoredRun, StoredRuns, StoredRunsError

__all__ = ["Printer", "reproduce"]

Printer = Callable[[Sequence[str]], bytes]
"""From the arguments of a run to what it prints on standard output."""


def reproduce(stored: StoredRuns, printer: Printer) -> tuple[Outcome, ...]:
    """Run all stored runs and compare what they print.

    The files are written to a temporary folder, which is the working directory meanwhile.

    Parameters
    ----------
    stored : StoredRuns
    printer : callable

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
    import tempfile

    before = _working_directory()
    try:
        temporary = tempfile.TemporaryDirectory(prefix="rouge-cli-", ignore_cleanup_errors=True)
    except OSError as error:
        raise _no_place(error) from None
    with temporary as folder:
        try:
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
