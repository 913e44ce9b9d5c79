"""What is said of the texts of a run."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.run import text_findings
from rouge_cli.run.text_findings import unsplit_texts


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
def test_unsplit_texts(text: bytes, expected: bool) -> None:
    texts = [b"One.\nTwo.", b"", text, b" begins with a blank", b"Ends. Here?"]
    codes = np.frombuffer(b"\n".join(texts), np.uint8)
    assert unsplit_texts(texts, codes) == ([2, 4] if expected else [4])


@given(st.lists(st.text("a.?! \n", max_size=9).map(str.encode), min_size=1), st.integers(1, 9))
def test_unsplit_texts_of_any_kind(texts: list[bytes], n_bytes: int) -> None:
    codes = np.frombuffer(b"\n".join(texts), np.uint8)
    bodies = [text.strip() for text in texts]
    expected = [
        number
        for number, body in enumerate(bodies)
        if b"\n" not in body and any(end in body for end in (b". ", b"? ", b"! "))
    ]
    with patch.object(text_findings, "BYTES_AT_A_TIME", n_bytes):
        assert unsplit_texts(texts, codes) == expected
