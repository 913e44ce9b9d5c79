"""Measure times and peak memory of calls and of whole commands."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from statistics import median
from tempfile import TemporaryFile
from time import perf_counter, process_time

__all__ = [
    "CommandError",
    "Finished",
    "Rounds",
    "interleaved",
    "run_command",
    "seconds_of",
    "use_cores",
    "use_one_core",
]

MAXRSS_PER_MB = 1e6 if sys.platform == "darwin" else 1e6 / 1024
"""The system counts peak memory in bytes on macOS and in units of 1024 bytes elsewhere."""


class CommandError(Exception):
    """A command that was to be timed has failed."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """The times of two things that were run in turns.

    Parameters
    ----------
    ours, others : sequence of float
        Seconds; a round each.
    """

    ours: Sequence[float]
    others: Sequence[float]

    def ratios(self, *, speed: bool) -> list[float]:
        """Return others by ours (`speed`), or ours by others, round by round; ascending."""
        pairs = zip(self.ours, self.others, strict=True)
        return sorted(other / ours if speed else ours / other for ours, other in pairs)


@dataclass(frozen=True, slots=True)
class Finished:
    """A command that has ended.

    Parameters
    ----------
    seconds : float
        From start to end, whatever else was running.
    processor_seconds : float
        The processor's time of the command and of what it has started and waited for.
    peak_mb : float
        The most memory it held (resident set), in 10^6 bytes.
    digest : str
        Of its standard output.
    """

    seconds: float
    processor_seconds: float
    peak_mb: float
    digest: str


def seconds_of(call: Callable[[], object]) -> float:
    """Take the processor's time of one call; what it returns is released after the clock."""
    start = process_time()
    result = call()
    seconds = process_time() - start
    del result
    return seconds


def interleaved(
    ours: Callable[[], float], others: Callable[[], float], n_rounds: int, *, warm: bool = True
) -> Rounds:
    """Time two things in turns, after one turn that does not count.

    Parameters
    ----------
    ours, others : callable
        Return their own seconds.
    n_rounds : int
    warm : bool
        Whether there is a first turn that does not count.
    """
    turns = [(ours(), others()) for _ in range(n_rounds + warm)][warm:]
    return Rounds([turn[0] for turn in turns], [turn[1] for turn in turns])


def median_seconds(call: Callable[[], object], n_rounds: int) -> float:
    """Return the median time of a call."""
    return median(seconds_of(call) for _ in range(n_rounds))


def run_command(
    arguments: Sequence[str | Path], folder: Path, variables: Mapping[str, str] | None = None
) -> Finished:
    """Run a command in a folder and wait for its end; `variables` join those of the environment.

    Raises
    ------
    CommandError
        If it fails.
    """
    with TemporaryFile() as output, TemporaryFile() as errors:
        start = perf_counter()
        environment = os.environ | dict(variables or {})
        process = subprocess.Popen(
            arguments, cwd=folder, stdout=output, stderr=errors, env=environment
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if process.returncode:
            message = errors.read().decode(errors="replace").strip().splitlines()
            raise CommandError(message[-1] if message else f"exit code {process.returncode}")
        digest = sha256(output.read()).hexdigest()
    busy = usage.ru_utime + usage.ru_stime
    return Finished(seconds, busy, usage.ru_maxrss / MAXRSS_PER_MB, digest)


def use_one_core() -> frozenset[int]:
    """Stay on one core from now on, where the system allows it; return those there are."""
    if not hasattr(os, "sched_setaffinity"):
        return frozenset(range(os.cpu_count() or 1))
    cores = frozenset(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {max(cores)})
    return cores


def use_cores(cores: frozenset[int]) -> None:
    """Run on the given cores from now on, where the system allows it."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cores)
