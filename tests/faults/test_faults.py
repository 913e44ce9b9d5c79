"""Each call to the system fails once, in some run: right bytes or a sentence, and nothing left.

This is a sample; `make faults` does the same at length. `tests.faults.injector` says what is right.
"""

import errno
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.faults.injector import (
    COMMANDS,
    FAULTS,
    FORK,
    KINDS,
    WITH_WORKERS,
    Command,
    Server,
    Trial,
    build,
    faulty_trials,
    memory_trials,
    problem_of,
    reached,
    signalled_trials,
)

N_FAULTS, N_FAULTS_WITH_WORKERS, N_ALLOCATIONS, N_SIGNALS, SEED = 20, 6, 1, 6, 155


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("faults")
    library = build(folder)
    if isinstance(library, str):
        pytest.skip(library)
    started = Server(library, folder)
    yield started
    started.close()


def problems(server: Server, trials: Iterator[Trial]) -> list[str]:
    found = []
    for trial in trials:
        trial, outcome = reached(server, trial)  # noqa: PLW2901
        if problem := problem_of(trial, outcome, server.expected(trial.command)):
            found.append(f"{trial}: {problem}\n{outcome['err']}")
    return found


@pytest.mark.parametrize("command", [*COMMANDS, *WITH_WORKERS], ids=lambda one: one.args)
def test_without_a_fault(command: Command, server: Server) -> None:
    expected = server.expected(command)
    assert expected["hits"] == 0
    assert (expected["counts"][FORK] > 0) is command.forks
    assert problem_of(Trial(command), expected, expected) is None
    assert expected["code"] in {0, 1, 2, 3}
    assert (expected["code"] in {2, 3}) is (
        command.args.endswith(("none.xml", "nothing config.xml"))
    )


def test_faults(server: Server) -> None:
    assert problems(server, faulty_trials(server, COMMANDS, N_FAULTS, SEED)) == []


def test_reads_at_a_place(server: Server) -> None:
    (command,) = (one for one in COMMANDS if one.args == "-n 2 -a config.xml")
    count = server.expected(command)["counts"][KINDS.index("pread")]
    trials = (
        Trial(command, ("pread", nth, error, is_lasting))
        for nth in (1, count)
        for error, is_lasting in FAULTS["pread"]
    )
    assert count > 0
    assert problems(server, trials) == []


def test_faults_with_workers(server: Server) -> None:
    trials = faulty_trials(server, WITH_WORKERS, N_FAULTS_WITH_WORKERS, SEED)
    assert problems(server, trials) == []


def test_allocations(server: Server) -> None:
    trials = memory_trials(
        server, [*COMMANDS[::4], WITH_WORKERS[0], WITH_WORKERS[-1]], N_ALLOCATIONS, SEED
    )
    assert problems(server, trials) == []


def test_all_allocations_of_the_core(server: Server) -> None:
    (command,) = (command for command in COMMANDS if "-w 1.2" in command.args)
    count = server.expected(command)["counts"][KINDS.index("core")]
    trials = (Trial(command, ("core", nth, errno.ENOMEM, False)) for nth in range(1, count + 1))
    assert count > 0
    assert problems(server, trials) == []


def test_signals(server: Server) -> None:
    trials = signalled_trials(server, [*WITH_WORKERS, *COMMANDS], N_SIGNALS, SEED)
    assert problems(server, trials) == []


# The injector itself: a fault arrives, and what is wrong is seen.

RUN = Command("-n 1 -x -a config.xml -o {out}/report", before={"report": "old\n"})


def test_a_fault_arrives(server: Server) -> None:
    for kind, error, message in [
        ("open", 24, "Too many open files"),
        ("write", 28, "No space left on device"),
        ("fsync", 5, "Input/output error"),
        ("rename", 28, "No space left on device"),
    ]:
        # The first text that is written is a line on standard error.
        call = 2 if kind == "write" else 1
        outcome = server.run(Trial(RUN, (kind, call, error, kind == "open")))
        assert outcome["code"] == 3
        assert outcome["hits"] == 1 or kind == "open"
        assert message in outcome["err"]
    outcome = server.run(Trial(RUN, ("write", 1, -1, True)))
    assert (outcome["code"], outcome["files"]) == (0, server.expected(RUN)["files"])
    assert outcome["hits"] > 1


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"code": None}, "hangs"),
        ({"hits": 0}, "the fault is not reached"),
        ({"is_ended": False}, "leaves processes"),
        ({"err": "Traceback (most recent call last):\n"}, "a traceback"),
        ({"temporary": ["a"]}, "leaves temporary files: ['a']"),
        ({"files": {"report": "b2xkCg==", "draft": ""}}, "leaves ['draft', 'report']"),
        ({"files": {"report": "b2xkCg=="}}, "does not write its output, and does not say so"),
        ({"out": "eA=="}, "prints something else"),
        ({"code": 1}, "exit code 1"),
        ({"code": 3, "out": "eA=="}, "prints a part, and fails"),
        ({"code": 3}, "fails without a word"),
        ({"err": "x\n"}, "says something else"),
    ],
)
def test_what_is_wrong_is_seen(change: dict[str, Any], problem: str, server: Server) -> None:
    expected = server.expected(RUN)
    trial = Trial(RUN, ("read", 1, 5, False))
    assert problem_of(trial, {**expected, "hits": 1, **change}, expected) == problem


def test_a_run_without_workers_is_seen(server: Server) -> None:
    expected = server.expected(RUN)
    trial = Trial(replace(RUN, is_small=True, forks=True), ("read", 1, 5, False))
    counts = [0] * len(KINDS)
    outcome = {**expected, "hits": 1, "counts": counts}
    assert problem_of(trial, outcome, expected) == "has not forked"


def test_what_is_wrong_after_a_signal_is_seen(server: Server) -> None:
    expected = server.expected(RUN)
    trial = Trial(RUN, signal=(15, 0.1, False))
    for code, problem in [(143, None), (-15, None), (130, "exit code 130"), (0, None)]:
        assert problem_of(trial, {**expected, "code": code}, expected) == problem
    assert problem_of(trial, {**expected, "code": 143, "out": "eA=="}, expected) == "prints a part"
