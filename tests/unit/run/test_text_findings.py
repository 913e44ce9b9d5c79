"""What is said of the texts of a run."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.run.text_findings import is_unsplit


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"One. Two.", True),
        (b" Is it? It is. \n", True),
        (b"One only.", False),
        (b"One.\nTwo. Three.", False),
        (b"", False),
        (b"At 3.5 percent", False),
        (b"Yes! ", False),
        (b"Yes!\n No", False),
        (b"\n\nYes! No", True),
    ],
)
def test_is_unsplit(text: bytes, expected: bool) -> None:
    assert is_unsplit(text) == expected


@given(st.text("a.?! \n", max_size=9).map(str.encode))
def test_is_unsplit_of_any_kind(text: bytes) -> None:
    body = text.strip()
    ends = any(end in body for end in (b". ", b"? ", b"! "))
    assert is_unsplit(text) == (b"\n" not in body and ends)
