"""Names of files made from IDs."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rouge_cli.conversion import FileNames


@pytest.mark.parametrize(
    ("id_", "name"),
    [
        pytest.param("D061.M.100.J", "D061.M.100.J", id="plain"),
        pytest.param("a/b\\c", "a%2Fb%5Cc", id="separators"),
        pytest.param("..", "%2E%2E", id="parent"),
        pytest.param(".a.b.", "%2Ea.b%2E", id="dots-at-the-edges"),
        pytest.param("-a-b", "%2Da-b", id="no-option"),
        pytest.param("a b\tc\n", "a%20b%09c%0A", id="white-space"),
        pytest.param("~50%*?", "%7E50%25%2A%3F", id="signs"),
        pytest.param("é", "%C3%A9", id="beyond-ascii"),
        pytest.param("\udcff", "%FF", id="no-text"),
        pytest.param("", "%", id="empty"),
        pytest.param("con", "%63on", id="device"),
        pytest.param("LPT1.x", "%4CPT1.x", id="device-with-suffix"),
        pytest.param("console", "console", id="no-device"),
        pytest.param("x" * 200, "x" * 180, id="long"),
    ],
)
def test_names(id_: str, name: str) -> None:
    names = FileNames()
    assert names[id_] == name
    # The same whenever it is asked for.
    assert names[id_] == name


def test_names_differ_by_more_than_capitals() -> None:
    names = FileNames()
    assert [names[id_] for id_ in ("ab", "AB", "Ab", "ab")] == ["ab", "AB~2", "Ab~3", "ab"]


def test_long_names_differ() -> None:
    names = FileNames()
    assert names["x" * 181] == "x" * 180
    assert names["x" * 182] == "x" * 180 + "~2"


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(st.lists(st.text("aA.~%/ é-2\0", max_size=6), unique=True, max_size=20))
def test_any_ids_have_safe_names_of_their_own(ids: list[str]) -> None:
    names = FileNames()
    found = [names[id_] for id_ in ids]
    assert len({name.lower() for name in found}) == len(ids)
    assert all(re.fullmatch(r"[A-Za-z0-9_%][A-Za-z0-9_%.~-]*", name) for name in found)
    assert not {".", ".."} & set(found)
