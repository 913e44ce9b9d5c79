"""The project's `dataclass` behaves like the standard one."""

import copy
import dataclasses
import inspect
import pickle
from dataclasses import FrozenInstanceError, field, replace
from typing import Any

import pytest

from rouge_cli.quick_dataclass import dataclass as quick_dataclass


def pair_of_classes(**arguments: Any) -> list[Any]:
    class Score:
        """A score."""

        hits: int
        names: list[str] = field(default_factory=list)
        note: str = field(default="-", compare=False, repr=False)

        def twice(self) -> int:
            return self.hits * 2

    made: list[Any] = []
    for decorator in (dataclasses.dataclass, quick_dataclass):
        body = {key: value for key, value in vars(Score).items() if key[:2] != "__"}
        annotations = dict(Score.__annotations__)
        cls = type("Score", (), {**body, "__annotations__": annotations, "__doc__": "A score."})
        cls.__qualname__ = "Score"
        made.append(decorator(**arguments)(cls))
    return made


BOTH = pair_of_classes(frozen=True, slots=True)


@quick_dataclass(frozen=True, slots=True)
class Counted:
    """Can be pickled, as a class of a module."""

    hits: int
    total: int = 1

    def __post_init__(self) -> None:
        if self.total < 0:
            raise ValueError("below 0")


@quick_dataclass(frozen=True, slots=True)
class Clipped(Counted):
    """Has a field more."""

    limit: int = 5


@pytest.mark.parametrize("cls", BOTH)
def test_a_frozen_class(cls: Any) -> None:
    score = cls(3)
    assert (score.hits, score.names, score.note, score.twice()) == (3, [], "-", 6)
    assert cls(3).names is not score.names
    assert repr(cls(3, ["a"], "b")) == "Score(hits=3, names=['a'])"
    assert cls(3, note="x") == cls(3, note="y") != cls(4, note="y")
    assert score != (3, [], "-")
    assert replace(score, hits=5).hits == 5
    assert copy.copy(cls(1, ["z"])).names == ["z"]
    assert not hasattr(score, "__dict__")
    assert cls.__match_args__ == ("hits", "names", "note")
    with pytest.raises(TypeError, match="hits"):
        cls()
    with pytest.raises(TypeError, match="other"):
        cls(3, other=3)
    with pytest.raises(FrozenInstanceError, match="hits"):
        score.hits = 4
    with pytest.raises(FrozenInstanceError, match="hits"):
        del score.hits
    with pytest.raises(TypeError, match="unhashable"):
        hash(score)  # its list is


def test_the_signature_is_the_standard_one() -> None:
    standard, quick = [inspect.signature(cls) for cls in BOTH]
    assert [*quick.parameters] == [*standard.parameters]
    assert quick.parameters["note"].default == "-"
    assert str(quick) == "(hits, names=<factory>, note='-')"


@pytest.mark.parametrize("cls", pair_of_classes(slots=True))
def test_a_class_that_is_not_frozen(cls: Any) -> None:
    score = cls(3)
    score.hits = 4
    assert score == cls(4)
    with pytest.raises(TypeError, match="unhashable"):
        hash(score)


@pytest.mark.parametrize("cls", pair_of_classes(frozen=True, slots=True, eq=False))
def test_equality_by_identity(cls: Any) -> None:
    score = cls(3)
    assert score in {score}
    assert score != cls(3)
    assert len({score, cls(3)}) == 2


@pytest.mark.parametrize("cls", pair_of_classes(frozen=True, slots=True, kw_only=True))
def test_names_are_required(cls: Any) -> None:
    assert cls(hits=3).hits == 3
    with pytest.raises(TypeError, match="positional"):
        cls(3)


def test_classes_of_a_module() -> None:
    counted = Counted(1, 2)
    assert pickle.loads(pickle.dumps(counted)) == counted == copy.deepcopy(counted)
    assert hash(counted) == hash(Counted(1, 2))
    assert Clipped(1) == Clipped(1, 1, 5) != Counted(1)
    assert repr(Clipped(1)) == "Clipped(hits=1, total=1, limit=5)"
    with pytest.raises(ValueError, match="below 0"):
        Counted(1, -1)
    with pytest.raises(ValueError, match="below 0"):
        replace(counted, total=-1)
