"""Faults of the system, one a run, and what a run may make of them.

A run in which a call fails prints what it prints otherwise, or nothing and a sentence; it leaves
its outputs as they were or as they should be, and no temporary files.
"""

import base64
import errno
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rouge_cli.core import compiled_core

__all__ = [
    "COMMANDS", "FAULTS", "FORK", "KINDS", "WITH_WORKERS", "Command", "Server", "Trial", "build",
    "faulty_trials", "memory_trials", "problem_of", "reached", "signalled_trials",
]  # fmt: skip

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "fixtures" / "sample"
SHORT = -1
STANDARD_ERROR = 2
TO_THE_END = 20
"""One trial in so many is one to the end of the interpreter."""

MEMORY = ("alloc", "core", "array")
"""Large allocations, all of the compiled core, and those that hold the numbers of arrays."""

KINDS = (
    *("open", "read", "pread", "write", "fsync", "rename", "mkdir", "fork", "close", "mmap"),
    *MEMORY,
)
FORK = KINDS.index("fork")
ONCE, LASTING = False, True
FAULTS: dict[str, list[tuple[int, bool]]] = {
    "open": [
        *((errno.EIO, ONCE), (errno.EMFILE, ONCE), (errno.EMFILE, LASTING)),
        *((errno.ENOMEM, ONCE), (errno.EINTR, ONCE), (errno.ENOSPC, ONCE)),
    ],
    "read": [
        *((errno.EIO, ONCE), (errno.EIO, LASTING), (errno.EINTR, ONCE)),
        *((SHORT, ONCE), (SHORT, LASTING)),
    ],
    "pread": [
        *((errno.EIO, ONCE), (errno.EIO, LASTING), (errno.EINTR, ONCE)),
        *((SHORT, ONCE), (SHORT, LASTING)),
    ],
    "write": [
        *((errno.ENOSPC, LASTING), (errno.EIO, ONCE), (errno.EINTR, ONCE)),
        *((SHORT, ONCE), (SHORT, LASTING)),
    ],
    "fsync": [(errno.EIO, ONCE), (errno.EIO, LASTING), (errno.ENOSPC, ONCE)],
    "rename": [(errno.EIO, ONCE), (errno.ENOSPC, LASTING)],
    "mkdir": [(errno.ENOSPC, ONCE), (errno.EIO, LASTING), (errno.EMFILE, ONCE)],
    "fork": [(errno.EAGAIN, LASTING), (errno.ENOMEM, ONCE), (errno.EINTR, ONCE)],
    "close": [(errno.EIO, ONCE), (errno.EINTR, ONCE), (errno.ENOSPC, LASTING)],
    "mmap": [(errno.ENOMEM, ONCE), (errno.ENOMEM, LASTING)],
    **{kind: [(errno.ENOMEM, ONCE), (errno.ENOMEM, LASTING)] for kind in MEMORY},
}
"""What a kind of call fails with, and whether it does so from then on."""

NAMES = {SHORT: "comes short"}
EXIT_UNUSABLE = 3
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True)
class Command:
    """A command line.

    Parameters
    ----------
    args : str
        Words; ``{out}`` is a folder for its outputs, ``{big}`` many texts, one per line.
    stdin : str or None
        What it reads, below the sample.
    before : dict of str to str
        Files that are in the folder for outputs.
    is_small : bool
        Whether portions are made small, so that two threads or processes share them.
    forks : bool
        Whether these are processes: Python counts, and calls are counted, and fail, from the first
        fork on.
    """

    args: str
    stdin: str | None = None
    before: dict[str, str] = field(default_factory=dict)
    is_small: bool = False
    forks: bool = False


LINES = "--peer-lines lines/lead.txt --model-lines lines/A.txt --model-lines lines/B.txt"
OLD = {"report": "old\n"}
COMMANDS = [
    Command("--version"),
    Command("--help"),
    Command("-n 2 -a config.xml"),
    Command("-n 1 -m -s -d -a config.xml -o {out}/report"),
    Command("-n 1 -x -a config.xml -o {out}/report", before=OLD),
    Command("-n 2 -z SPL files.lst"),
    Command("-n 1 records.jsonl"),
    Command("-n 1 -a -", stdin="config.xml"),
    Command("-n 1 --peer-lines - --model-lines lines/A.txt", stdin="lines/lead.txt"),
    Command(f"-n 1 -2 4 {LINES}"),
    Command("-n 1 --report table -a config.xml"),
    Command("-n 1 --report json -a config.xml -o {out}/report", before=OLD),
    Command("-n 1 --report csv -a config.xml"),
    Command("-n 1 --report latex -a config.xml"),
    Command("-n 1 --report markdown -a config.xml"),
    Command("-n 1 --duc duc/peers duc/models"),
    Command("-n 1 --peers peers/(.*)\\.lead\\.txt --models models/#ID#\\.[AB]\\.txt"),
    Command("-n 1 -x --require ROUGE-1:R>=0.99 -a config.xml"),
    Command("-n 1 -x -v --require ROUGE-1:R>=0.01 -a config.xml"),
    Command("--dry-run config.xml -a"),
    Command("-n 1 --cite"),
    Command("compare config.xml -n 1 --resamples 50"),
    Command("correlate config.xml -n 1 -r 50 --judgements judgements.csv -o {out}/report"),
    Command("-n 4 -w 1.2 -2 4 -u -m -s -l 9 -r 99 -d -a config.xml -o {out}/report"),
    Command("-n 2 -m --report html -a config.xml -o {out}/report"),
    Command("-n 1 -x --save {out}/report.jsonl config.xml -a", before=OLD),
    Command("-n 1 -x --save {out}/report.parquet config.xml -a"),
    Command("compare records.jsonl -n 1 --resamples 50 --report html -o {out}/report"),
    Command("jackknife config.xml -o {out}/report"),
    Command("convert config.xml --to xml -o {out}/new"),
    Command("convert config.xml --to list -o {out}/new"),
    Command("convert config.xml --to lines -o {out}/new"),
    Command("convert config.xml --to jsonl -o {out}/report", before=OLD),
    Command("convert config.xml --to jsonl -o -"),
    Command("-n 2 -2 4 -r 200 --peer-lines {big} --model-lines {big}"),
    Command("-n 1 -a none.xml"),
    Command("-n 1 --empty nothing config.xml"),
]
WITH_WORKERS = [
    Command(f"--jobs 2 -n 1 -2 4 {LINES}", is_small=True, forks=True),
    Command(f"--jobs 3 -n 2 -d {LINES} -o {{out}}/report", before=OLD, is_small=True, forks=True),
    Command("--jobs 2 -n 2 -a config.xml", is_small=True, forks=True),
    Command("--jobs 2 -n 1 records.jsonl", is_small=True, forks=True),
    Command("compare --jobs 2 config.xml -n 1 --resamples 50", is_small=True, forks=True),
]
if compiled_core() is not None:
    # Threads.
    WITH_WORKERS += [
        Command(f"--jobs 2 -n 1 -2 5 {LINES}", is_small=True),
        Command("--jobs 2 -n 2 records.jsonl", is_small=True),
        Command("--jobs 3 -n 2 -m -d -a config.xml -o {out}/report", before=OLD, is_small=True),
    ]


@dataclass(frozen=True)
class Trial:
    """A run of a command with a fault, or a signal.

    Parameters
    ----------
    command : Command
    fault : tuple of str, int, int, bool, or None
        Kind, which of its calls, error number, and whether the later ones fail too.
    signal : tuple of int, float, bool, or None
        Its number, after how many seconds, and whether the workers get it too.
    is_to_the_end : bool
        Whether the end of the interpreter is a part of it, which takes longer than the run.
    """

    command: Command
    fault: tuple[str, int, int, bool] | None = None
    signal: tuple[int, float, bool] | None = None
    is_to_the_end: bool = False

    def __str__(self) -> str:
        what = ""
        if self.fault is not None:
            kind, nth, error, is_lasting = self.fault
            how = NAMES.get(error) or errno.errorcode[error]
            what = f": {kind} {nth}{' and all after it' if is_lasting else ''}: {how}"
        if self.signal is not None:
            number, after, is_group = self.signal
            what = f": signal {number} after {after:.4f} s{', to all' if is_group else ''}"
        return f"rouge-cli {self.command.args}{what}"

    def as_json(self) -> str:
        command = self.command
        sent: dict[str, Any] = {
            "args": command.args.split(),
            "cwd": str(SAMPLE),
            "stdin": command.stdin,
            "before": command.before,
            "is_small": command.is_small,
            "forks": command.forks,
            "is_to_the_end": self.is_to_the_end,
        }
        if self.fault is not None:
            kind, *rest = self.fault
            sent["fault"] = [KINDS.index(kind), *map(int, rest)]
        if self.signal is not None:
            sent["signal"], sent["after"], sent["is_group"] = self.signal
        return json.dumps(sent)


class Server:
    """Runs trials, each in a child of its own; to be closed.

    Parameters
    ----------
    library : Path
        As `build` returns it.
    folder : Path
        For what the runs write.
    """

    def __init__(self, library: Path, folder: Path) -> None:
        self._expected: dict[str, Any] = {}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.server", str(library), str(folder)],
            cwd=ROOT,
            env={
                **os.environ,
                "PYTHONPATH": str(ROOT),
                "LD_PRELOAD": str(library),
                "OPENBLAS_NUM_THREADS": "1",
                "PYTHONFAULTHANDLER": "1",
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def close(self) -> None:
        self._process.communicate()

    def run(self, trial: Trial) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(trial.as_json() + "\n")
        self._process.stdin.flush()
        outcome: dict[str, Any] = json.loads(self._process.stdout.readline())
        return outcome

    def expected(self, command: Command) -> dict[str, Any]:
        if command.args not in self._expected:
            self._expected[command.args] = self.run(Trial(command))
        return self._expected[command.args]  # type: ignore[no-any-return]


def build(folder: Path) -> Path | str:
    """Compile the library; return its path, or why there is none."""
    if not sys.platform.startswith("linux"):
        return "the faults are those of Linux"
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if compiler is None:
        return "no C compiler"
    library = folder / "faults.so"
    source = Path(__file__).with_name("faults.c")
    command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-ldl"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return library if done.returncode == 0 else f"the C compiler fails: {done.stderr}"


def faulty_trials(
    server: Server, commands: Sequence[Command], n_trials: int, seed: int
) -> Iterator[Trial]:
    """Yield so many trials, each command and kind of fault about as often as any other."""
    draw = random.Random(seed)
    possible = [
        (command, kind, count)
        for command in commands
        for kind, count in zip(KINDS, server.expected(command)["counts"], strict=True)
        if count
    ]
    for number in range(n_trials):
        if number % len(possible) == 0:
            draw.shuffle(possible)
        command, kind, count = possible[number % len(possible)]
        error, is_lasting = draw.choice(FAULTS[kind])
        fault = (kind, draw.randint(1, count), error, is_lasting)
        yield Trial(command, fault, is_to_the_end=number % TO_THE_END == 0)


def memory_trials(
    server: Server, commands: Sequence[Command], n_trials: int, seed: int = 0
) -> Iterator[Trial]:
    """Yield trials in which one allocation fails, each of a command's in turn.

    Of more than `n_trials` of a kind, so many are spread over all. The last is one of them, as
    something may be printed by then.
    """
    draw = random.Random(seed)
    for command in commands:
        counts = dict(zip(KINDS, server.expected(command)["counts"], strict=True))
        for kind in MEMORY:
            n_taken = min(n_trials, counts[kind])
            step = counts[kind] / max(n_taken, 1)
            for number in range(n_taken):
                n_behind = int((number + draw.random()) * step) if number else 0
                yield Trial(command, (kind, counts[kind] - n_behind, errno.ENOMEM, ONCE))


def signalled_trials(
    server: Server, commands: Sequence[Command], n_trials: int, seed: int
) -> Iterator[Trial]:
    """Yield so many trials with a signal at any time of a run."""
    draw = random.Random(seed)
    for number in range(n_trials):
        command = commands[number % len(commands)]
        after = draw.uniform(0, server.expected(command)["seconds"])
        sent = (draw.choice(SIGNALS), after, draw.random() < 0.5)
        yield Trial(command, signal=sent, is_to_the_end=number % TO_THE_END == 0)


def reached(server: Server, trial: Trial) -> tuple[Trial, dict[str, Any]]:
    """Run a trial, with its fault at an earlier call until it is met; return it and its outcome.

    With workers, how many calls there are differs from run to run.
    """
    outcome = server.run(trial)
    while trial.fault is not None and not outcome["hits"] and trial.fault[1] > 1:
        kind, nth, error, is_lasting = trial.fault
        trial = replace(trial, fault=(kind, nth // 2, error, is_lasting))
        outcome = server.run(trial)
    return trial, outcome


IN_SCIPY = re.compile(r'\(most recent call first\):\n  File "[^"\n]*[/\\]scipy[/\\]')
"""Its Kendall's tau does not look whether three of its allocations have been refused."""


def problem_of(trial: Trial, outcome: dict[str, Any], expected: dict[str, Any]) -> str | None:
    """Return what is wrong with an outcome; None if nothing is."""
    forks = trial.command.forks
    wrong = {
        "hangs": outcome["code"] is None,
        "the fault is not reached": trial.fault is not None and not outcome["hits"],
        "has not forked": trial.fault is not None and forks and not outcome["counts"][FORK],
        "leaves processes": not outcome["is_ended"],
        "a traceback": "Traceback" in outcome["err"] or "Exception ignored" in outcome["err"],
    }
    if any(wrong.values()):
        return next(what for what, is_so in wrong.items() if is_so)
    if outcome["code"] == -signal.SIGSEGV and IN_SCIPY.search(outcome["err"]):
        return None
    before = {
        name: base64.b64encode(text.encode()).decode()
        for name, text in trial.command.before.items()
    }
    # Nothing can be removed any more if folders cannot be opened for good.
    is_stuck = trial.fault is not None and trial.fault[0] == "open" and trial.fault[3]
    if not is_stuck:
        if outcome["temporary"]:
            return f"leaves temporary files: {outcome['temporary']}"
        if outcome["files"] not in (before, expected["files"]):
            return f"leaves {sorted(outcome['files'])}"
    check = _signal_problem if trial.signal is not None else _fault_problem
    return check(trial, outcome, expected)


def _fault_problem(trial: Trial, outcome: dict[str, Any], expected: dict[str, Any]) -> str | None:
    lines = outcome["err"].splitlines()
    if outcome["code"] == expected["code"]:
        known = expected["err"].splitlines()
        # How long it took is another each time.
        is_known = (
            one in known or one.startswith(("Warning: ", "Error: ", "took ")) for one in lines
        )
        wrong = {
            "prints something else": outcome["out"] != expected["out"],
            "does not write its output, and does not say so": outcome["files"] != expected["files"],
            "says something else": not all(is_known),
        }
    else:
        is_unheard = trial.fault is not None and trial.fault[0] == "write"
        is_unheard = is_unheard and outcome["descriptor"] == STANDARD_ERROR
        wrong = {
            f"exit code {outcome['code']}": outcome["code"] != EXIT_UNUSABLE,
            "prints a part, and fails": bool(outcome["out"]),
            "fails without a word": not is_unheard
            and not any(one.startswith("Error: ") for one in lines),
        }
    return next((what for what, is_so in wrong.items() if is_so), None)


def _signal_problem(trial: Trial, outcome: dict[str, Any], expected: dict[str, Any]) -> str | None:
    assert trial.signal is not None
    number = trial.signal[0]
    # Before Python hears of signals, and when all is done, it is the system that ends a process.
    if outcome["code"] in {128 + number, -number}:
        return None if outcome["out"] in ("", expected["out"]) else "prints a part"
    if outcome["code"] != expected["code"]:
        return f"exit code {outcome['code']}"
    return None if outcome["out"] == expected["out"] else "prints something else"
