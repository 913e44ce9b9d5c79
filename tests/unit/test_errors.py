"""Errors: many problems of a kind are one line."""

import pytest

from rouge_cli.errors import InputError, Problems


def test_few_problems_have_a_line_each() -> None:
    problems = Problems("a.csv")
    for number in (2, 5, 9):
        problems.add(f"line {number}", "no peer")
    problems.add("", "no end")
    assert problems.lines() == [
        "a.csv, line 2: no peer",
        "a.csv, line 5: no peer",
        "a.csv, line 9: no peer",
        "a.csv: no end",
    ]


def test_many_of_a_kind_are_one_line_with_the_first_three() -> None:
    problems = Problems()
    for number in range(1200):
        problems.add(f"prediction {number}", "no text")
        if number == 7:
            problems.add("prediction 7", "too long")
    assert problems.lines() == [
        "prediction 0, prediction 1, prediction 2 and 1197 more: no text",
        "prediction 7: too long",
    ]


def test_of_many_kinds_some_are_named() -> None:
    problems = Problems("x")
    for number in range(30):
        problems.add(f"line {number}", f"found {number}")
    problems.extend(["x, line 99: the end"])
    assert problems.lines() == [
        *[f"x, line {number}: found {number}" for number in range(20)],
        "x: ... and 11 more",
    ]


def test_only_problems_are_raised() -> None:
    problems = Problems("x")
    problems.raise_any()
    problems.extend(["broken"])
    with pytest.raises(InputError) as caught:
        problems.raise_any()
    assert caught.value.problems == ("broken",)
