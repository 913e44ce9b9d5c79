"""Whatever stands in an input: it is read, or refused with a `RougeError`; never anything else.

The targets are those of the fuzzer. Inputs are any bytes, and known ones with pieces changed.
"""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzz.seeds import seeds
from fuzz.targets import TARGETS, replay
from tests.property.strategies import few

PIECES = [
    *(b"", b"\0", b"\n", b"\r\n", b"\t", b'"', b"'", b"<", b"&", b"]]>", b"\x1b[31m", b"\x1c"),
    *(b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80", "\u2028".encode()),
    *(b"{", b"[" * 3000, b"{" * 3000, b"1e999", b"-1", b"9" * 5000, b"NaN", b"null", b"\\ud800"),
    *(b"<x>" * 3000, b"a" * 5000, b"=====", b",", b"=", b":", b"#ID#", b"(", b"../", b"|"),
]

changes = st.lists(
    st.tuples(
        st.integers(0, 1 << 12),
        st.integers(0, 20),
        st.one_of(st.sampled_from(PIECES), st.binary(max_size=8)),
    ),
    max_size=4,
)


@cache
def known(target: str) -> tuple[bytes, ...]:
    return tuple(seeds(target))


@pytest.mark.parametrize("target", TARGETS)
def test_any_bytes(target: str) -> None:
    @few(150)
    @given(st.binary(max_size=300))
    def check(data: bytes) -> None:
        replay(target, data)

    check()


@pytest.mark.parametrize("target", TARGETS)
def test_changed_inputs(target: str) -> None:
    @few(120)
    @given(st.sampled_from(known(target)), changes)
    def check(data: bytes, pieces: list[tuple[int, int, bytes]]) -> None:
        for place, n_removed, piece in pieces:
            start = place % (len(data) + 1)
            data = data[:start] + piece + data[start + n_removed :]
        replay(target, data)

    check()
