"""New numbers for EVALs: those that draw the same EVALs."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from rouge_cli.conversion import places_by_number, write_eval_ids


def test_ten_comes_before_two() -> None:
    # In byte order: 1, 10, 2, 3, ... So the second ID in byte order becomes number 10.
    ids = list("abcdefghij")
    assert places_by_number(ids, "X") == [0, 2, 3, 4, 5, 6, 7, 8, 9, 1]


def test_the_system_may_decide() -> None:
    # "a.A" < "a.b.A", but "a.z" > "a.b.z".
    assert places_by_number(["a.b", "a"], "A") == [1, 0]
    assert places_by_number(["a.b", "a"], "z") == [0, 1]


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(
    st.lists(st.text("ab.1é\udcff", max_size=4), unique=True, min_size=1, max_size=30),
    st.sampled_from(["X", "a", ".", "-", "\udcff"]),
)
def test_ranks_stay(ids: list[str], system: str) -> None:
    def ranks(names: list[str]) -> list[int]:
        codes = [f"{name}.{system}".encode("utf-8", "surrogateescape") for name in names]
        return [sorted(codes).index(code) for code in codes]

    places = places_by_number(ids, system)
    numbers = [str(number) for number in range(1, len(ids) + 1)]
    old = ranks(ids)
    assert ranks(numbers) == [old[place] for place in places]


def test_table(tmp_path: Path) -> None:
    path = tmp_path / "ids.tsv"
    write_eval_ids(str(path), ["a b", "x\ty\\", "1\r\n", "\udcff"])
    assert path.read_bytes() == b"number\tid\n1\ta b\n2\tx\\ty\\\\\n3\t1\\r\\n\n4\t\xff\n"
