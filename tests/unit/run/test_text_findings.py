"""What is said of the texts of a run."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rouge_cli
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


def warnings_of(predictions: list[str]) -> list[str]:
    """Return the warnings of a run on some predictions."""
    results = rouge_cli.evaluate(
        predictions, ["the cat"] * len(predictions), max_ngram=1, lcs=False
    )
    return list(results.warnings)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nan", "nothing but a word"),
        ("None\n", "nothing but a word"),
        ("N/A", "nothing but a word"),
        ("NULL", "nothing but a word"),
        ("Tom &amp; Jerry", "entities or tags of HTML"),
        ("it&#39;s", "entities or tags of HTML"),
        ("one<br>two", "entities or tags of HTML"),
        ("<P>one</P>", "entities or tags of HTML"),
        ("one.\\nTwo", "a backslash and an n in place of a newline"),
    ],
)
def test_odd_texts_are_warned_of_once(text: str, expected: str) -> None:
    found = warnings_of(["the cat", text, text])
    assert len(found) == 1
    assert found[0].startswith("2 of 6 texts hold ")
    assert expected in found[0]
    assert "the first prediction 1" in found[0]


@pytest.mark.parametrize(
    "text",
    ["Nan said so", "R&D; AT&T", "1 < 2 and 3 > 2", "a <t> b <q>", "the \\nabla", "nano"],
)
def test_usual_texts_are_not_odd(text: str) -> None:
    assert warnings_of([text]) == []
