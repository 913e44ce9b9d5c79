"""EVAL IDs that are numbers: they are a sequence of strings, and sort as strings do."""

import pickle

import numpy as np
import pytest

from rouge_cli.inputs.evaluation import NumberedIds, ids_at
from rouge_cli.scores.results import byte_order


def ids(*numbers: int) -> NumberedIds:
    return NumberedIds(np.array(numbers, np.int64))


def test_they_are_strings() -> None:
    some = ids(9, 10, 11)
    assert list(some) == ["9", "10", "11"]
    assert len(some) == 3
    assert some[-1] == "11"
    assert some[1:] == ("10", "11")
    assert "10" in some
    assert "12" not in some
    assert repr(some) == "('9', '10', '11')"


def test_out_of_range() -> None:
    with pytest.raises(IndexError):
        ids(1)[1]


def test_equality_is_that_of_a_tuple() -> None:
    some = ids(1, 2)
    assert some == ids(1, 2)
    assert some == ("1", "2")
    assert some == ["1", "2"]
    assert some != ids(1, 3)
    assert some != ("1",)
    assert some != "12"
    assert hash(some) == hash(("1", "2"))
    assert pickle.loads(pickle.dumps(some)) == some


def test_some_rows() -> None:
    rows = np.array([2, 0])
    assert ids_at(ids(5, 6, 7), rows) == ("7", "5")
    assert ids_at(["a", "b", "c"], rows) == ("c", "a")


def test_byte_order() -> None:
    # 1.X, 10.X, 100.X, 11.X, 2.X, 9.X
    assert byte_order(ids(100, 9, 2, 11, 10, 1), "X").tolist() == [5, 4, 0, 3, 2, 1]
    assert byte_order(ids(0, 10, 0), "X").tolist() == [0, 2, 1]
    assert byte_order(ids(), "X").tolist() == []


def test_byte_order_of_many_is_that_of_strings() -> None:
    numbers = np.arange(995, 12_005)
    names = [f"{number}.A".encode() for number in numbers.tolist()]
    expected = sorted(range(len(names)), key=names.__getitem__)
    assert byte_order(NumberedIds(numbers), "A").tolist() == expected


def test_the_longest_numbers() -> None:
    assert byte_order(ids(2, 10**15, 10**15 - 1), "X").tolist() == [1, 0, 2]
