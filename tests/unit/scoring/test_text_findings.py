"""What is said of the texts of a run."""

import numpy as np
import pytest

from rouge_cli.scoring.text_findings import unsplit_texts


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
