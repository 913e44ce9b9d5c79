"""Packed names are sorted as Python sorts bytes, and give their EVAL IDs back."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.scores.score_rows import InstanceNames, SystemEvalIds

# IDs of other systems' names, beginnings of each other, with zero bytes, beyond ASCII and UTF-8.
IDS = st.lists(
    st.tuples(
        st.text("ab.-\0é\udc80", max_size=20)
        | st.sampled_from(["a" * 8, "a" * 9, "a.X", "aaaaaaaa.X"]),
        st.sampled_from(["", "X", "a.X", "é"]),
    ),
    max_size=40,
)


def name_of(instance: tuple[str, str]) -> bytes:
    return ".".join(instance).encode("utf-8", "surrogateescape")


@given(IDS)
def test_order(instances: list[tuple[str, str]]) -> None:
    systems = sorted({system for _, system in instances})
    names = InstanceNames()
    for some in (instances[:7], instances[7:]):
        names.add([one for one, _ in some], [system for _, system in some])
    names.close()
    groups = np.array([systems.index(system) for _, system in instances], np.int32)
    order, is_repeated = names.sorted_by(groups)
    keys = [(int(group), name_of(one)) for group, one in zip(groups, instances, strict=True)]
    expected = sorted(range(len(instances)), key=keys.__getitem__)
    assert order.tolist() == expected
    assert is_repeated.tolist() == [
        place > 0 and keys[row] == keys[expected[place - 1]] for place, row in enumerate(expected)
    ]
    for number, system in enumerate(systems):
        rows = order[groups[order] == number]
        ids = SystemEvalIds(names, rows, len(system.encode()))
        assert list(ids) == [ids[place] for place in range(len(ids))]
        assert list(ids[1:]) == [instances[row][0] for row in rows.tolist()][1:]
