"""Mutated inputs are read or refused, whatever reads them; `make mutated` tries many more."""

import random
import subprocess
import sys

import pytest

if not sys.platform.startswith("linux"):
    pytest.skip("needs forked children with limits", allow_module_level=True)

from fuzz.mutated import LONGEST, Outcome, mutated, problem_of
from fuzz.seeds import ROOT

N_INPUTS, SEED = 12, 155


def test_mutated_inputs() -> None:
    # In a process of its own: what other tests leave in memory would count as a run's.
    command = [sys.executable, "-m", "fuzz.mutated", str(N_INPUTS), str(SEED)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, ""), run.stdout
    assert "with exit code 0" in run.stdout
    assert "with exit code 3" in run.stdout
    assert "; 0 wrong\n" in run.stdout


def test_some_are_long_and_the_same_again() -> None:
    draws = [mutated(random.Random(f"1 {number}"), [b"a,b\n"]) for number in range(100)]
    assert draws == [mutated(random.Random(f"1 {number}"), [b"a,b\n"]) for number in range(100)]
    assert LONGEST >= max(map(len, draws)) > LONGEST // 2
    assert len(set(draws)) > 90


@pytest.mark.parametrize(
    ("outcome", "problem"),
    [
        (Outcome(0, 1.0, 50, ""), None),
        (Outcome(3, 1.0, 50, "Error: r.csv: no records\n"), None),
        (Outcome(3, 1.0, 50, ""), "fails without a word"),
        (Outcome(None, 30.0, 50, ""), "takes more than 30 s"),
        (Outcome(70, 1.0, 50, "Traceback (most recent call last):\n"), "a traceback"),
        (Outcome(-9, 1.0, 50, ""), "exit code -9"),
        (Outcome(3, 1.0, 50, "Error: not enough memory for this run\n"), "takes all memory"),
    ],
)
def test_what_is_wrong_is_seen(outcome: Outcome, problem: str | None) -> None:
    assert problem_of(outcome) == problem
