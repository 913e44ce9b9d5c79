"""Faults and signals at length: ``make faults``, ``tests.faults.run [ALLOCATIONS [SEED]]``.

ALLOCATIONS is how many of each kind fail in each command.
"""

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

from tests.faults.injector import (
    COMMANDS,
    WITH_WORKERS,
    Server,
    Trial,
    build,
    faulty_trials,
    memory_trials,
    problem_of,
    reached,
    signalled_trials,
)

N_SERVERS = 2
N_FAULTS, N_FAULTS_WITH_WORKERS, N_SIGNALS = 5000, 1500, 1000
N_ALLOCATIONS, N_ALLOCATIONS_WITH_WORKERS = 1200, 100
"""Of each kind and each command: the first is all, but for one command."""

ALL = [*COMMANDS, *WITH_WORKERS]
Step = tuple[str, Callable[[Server, Sequence[Any], int, int], Iterable[Trial]], Sequence[Any], int]


def steps(n_allocations: int) -> list[Step]:
    with_workers = min(n_allocations, N_ALLOCATIONS_WITH_WORKERS)
    return [
        ("faults in one process", faulty_trials, COMMANDS, N_FAULTS),
        ("faults with workers", faulty_trials, WITH_WORKERS, N_FAULTS_WITH_WORKERS),
        ("allocations in one process", memory_trials, COMMANDS, n_allocations),
        ("allocations with workers", memory_trials, WITH_WORKERS, with_workers),
        ("signals", signalled_trials, ALL, N_SIGNALS),
    ]


def run_share(
    library: Path, folder: Path, tried: Sequence[Step], seed: int, number: int
) -> list[Counter[str]]:
    """Run a server's share of all steps; return how often each outcome was."""
    folder.mkdir()
    server = Server(library, folder)
    counters = []
    for what, trials_of, commands, n_trials in tried:
        counter: Counter[str] = Counter()
        trials = trials_of(server, commands, n_trials, seed)
        for trial in islice(trials, number, None, N_SERVERS):
            counter[outcome_in_words(server, trial)] += 1
        counters.append(counter)
        print(f"server {number}: {in_words(what, counter)}", flush=True)
    server.close()
    return counters


def in_words(what: str, counter: Counter[str]) -> str:
    figures = ", ".join(f"{number:,} {outcome}" for outcome, number in counter.most_common())
    return f"{counter.total():,} {what}: {figures}"


def outcome_in_words(server: Server, trial: Trial) -> str:
    trial, outcome = reached(server, trial)
    expected = server.expected(trial.command)
    if problem := problem_of(trial, outcome, expected):
        print(f"{trial}: {problem}\n{outcome['err']}", flush=True)
        return "WRONG"
    return "as without it" if outcome["code"] == expected["code"] else "refused, or ended"


def main() -> None:
    n_allocations = int(sys.argv[1]) if len(sys.argv) > 1 else N_ALLOCATIONS
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns() % 1_000_000
    tried = steps(n_allocations)
    print(f"seed {seed}", flush=True)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="rouge-cli-faults-") as name:
        library = build(Path(name))
        if isinstance(library, str):
            print(f"skipped: {library}")
            return
        with ThreadPoolExecutor(N_SERVERS) as executor:
            shares = executor.map(
                lambda number: run_share(library, Path(name, str(number)), tried, seed, number),
                range(N_SERVERS),
            )
            found: list[Counter[str]] = [
                sum(counters, Counter()) for counters in zip(*shares, strict=True)
            ]
    for (what, *_), counter in zip(tried, found, strict=True):
        print(in_words(what, counter))
    print(f"{time.monotonic() - begun:,.0f} s")
    sys.exit(any(counter["WRONG"] for counter in found))


if __name__ == "__main__":
    main()
