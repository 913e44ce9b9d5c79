"""Errors: many problems of one kind share a line."""

import pytest

from rouge_cli.errors import FoundError, InputError, Problems


def test_few_problems_have_a_line_each() -> None:
    problems = Problems("a.csv")
    for number in (2, 5, 9):
        problems.add(f"line {number}", "no prediction")
    problems.add("", "no end")
    assert problems.lines() == [
        "a.csv, line 2: no prediction",
        "a.csv, line 5: no prediction",
        "a.csv, line 9: no prediction",
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


def test_a_kind_is_what_problems_have_in_common() -> None:
    problems = Problems("x")
    for number in range(4):
        problems.add(f"line {number}", f"found {number}", "found a number")
        problems.add(f"line {number}, column 2", "no prediction")
    problems.add("line 9", "found 9 apples", "found apples")
    assert problems.lines() == [
        "x, line 0, line 1, line 2 and 1 more: found a number",
        "x, line 0, column 2; line 1, column 2; line 2, column 2 and 1 more: no prediction",
        "x, line 9: found 9 apples",
    ]


def test_few_are_in_the_order_in_which_they_were_found() -> None:
    problems = Problems.of("x", [("line 1", "a"), ("line 2", "b"), ("line 3", "a")])
    assert problems.lines() == ["x, line 1: a", "x, line 2: b", "x, line 3: a"]


def test_a_kind_of_a_larger_part() -> None:
    problems = Problems("x")
    for number in range(4):
        error = FoundError(f"{number}, expected a text", "a number, expected a text")
        problems.add_error(f"line {number}", error.within("field 'a': found "))
    assert problems.lines() == [
        "x, line 0, line 1, line 2 and 1 more: field 'a': found a number, expected a text"
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
