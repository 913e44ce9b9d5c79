"""Loops report their progress to a listener, and to nobody without one."""

from collections.abc import Iterator

from rouge_cli.progress import listening, tracked

Told = list[tuple[str, int, int]]


def listen(loop: Iterator[object]) -> tuple[list[object], Told]:
    told: Told = []
    with listening(lambda *state: told.append(state)):
        items = list(loop)
    return items, told


def test_a_loop_tells_how_much_is_done() -> None:
    items, told = listen(tracked("abc", "Counting", [5, 1, 4]))
    assert items == ["a", "b", "c"]
    assert told == [("Counting", done, 10) for done in (0, 5, 6, 10)]


def test_only_the_outermost_loop_tells() -> None:
    inner = (list(tracked("xy", "Inner", [1, 1])) for _ in tracked("ab", "Outer", [1, 1]))
    items, told = listen(inner)
    assert items == [["x", "y"], ["x", "y"]]
    assert told == [("Outer", done, 2) for done in (0, 1, 2)]


def test_a_loop_that_is_left_early_leaves_the_next_one_its_listener() -> None:
    def loops() -> Iterator[object]:
        yield next(tracked("ab", "First", [1, 1]))
        yield from tracked("c", "Second", [1])

    assert listen(loops()) == (["a", "c"], [("First", 0, 2), ("Second", 0, 1), ("Second", 1, 1)])


def test_nobody_hears_a_loop_outside() -> None:
    told: Told = []
    with listening(lambda *state: told.append(state)):
        pass
    assert list(tracked("ab", "Counting", [1, 1])) == ["a", "b"]
    assert told == []
