"""Mutated inputs are read or refused, whatever reads them; `make mutated` tries many more."""

import random
import sys

import pytest

if not sys.platform.startswith("linux"):
    pytest.skip("needs forked children with limits", allow_module_level=True)

from fuzz.mutated import (
    BYTES_OF_MEMORY,
    LONGEST,
    READERS,
    Outcome,
    mutated,
    outcomes,
    problem_of,
    seed_outcomes,
)

N_INPUTS, SEED = 150, 155


def test_inputs_are_read_as_they_are() -> None:
    refused = {name: (one.code, one.said) for name, one in seed_outcomes() if one.code != 0}
    if sys.version_info < (3, 11):
        refused.pop("protocol")  # TOML is read from Python 3.11 on.
    assert refused == {}


def test_mutated_inputs() -> None:
    read = list(outcomes(N_INPUTS, SEED))
    assert {name for name, _, _ in read} == set(READERS)
    wrong = [(name, problem_of(one), one.said) for name, _, one in read if problem_of(one)]
    assert wrong == []
    assert {one.code for _, _, one in read} >= {0, 3}
    assert max(one.megabytes for _, _, one in read) < BYTES_OF_MEMORY >> 20


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
