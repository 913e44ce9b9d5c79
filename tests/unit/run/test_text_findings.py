"""What is said of the texts of a run."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rouge_cli
from rouge_cli.run.text_findings import is_unsplit
from rouge_cli.text.seen import MARKUP


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


@given(st.lists(st.text("a.?! \n\t", max_size=9), min_size=1, max_size=9))
def test_all_unsplit_texts_are_found_together(texts: list[str]) -> None:
    """All texts of a block are searched at once."""
    unsplit = [number for number, text in enumerate(texts) if is_unsplit(text.encode())]
    both = rouge_cli.evaluate(texts, texts).warnings
    said = [warning for warning in both if "several sentences on one line" in warning]
    n_all = 2 * len(texts)
    expected = f"{2 * len(unsplit)} of {n_all} texts seem to be several sentences on one line"
    is_said = 2 * len(unsplit) > len(texts)
    assert [warning.startswith(expected) for warning in said] == [True] * is_said


TAGS = ["p", "br", "b", "i", "u", "em", "strong", "div", "span", "li", "ul", "ol", "h1", "h6"]
ENTITIES = ["amp", "lt", "gt", "quot", "apos", "nbsp", "mdash", "ndash", "hellip", "#39", "#x2019"]
QUOTES = ["lsquo", "rsquo", "ldquo", "rdquo"]
MARKS = [
    *(f"<{tag}>" for tag in (*TAGS, "a href=x")),
    *(f"</{tag}>" for tag in TAGS),
    *(f"&{entity};" for entity in (*ENTITIES, *QUOTES)),
]


@pytest.mark.parametrize("mark", [*MARKS, *map(str.upper, MARKS)])
def test_every_entity_and_tag_is_found(mark: str) -> None:
    assert re.fullmatch(MARKUP, mark.encode())
    (warning,) = warnings_of(["the cat", f"a {mark}", "a <q> b"])
    assert warning.startswith("1 of 6 texts holds entities or tags of HTML")
    assert "the first prediction 1" in warning


def warnings_of(predictions: list[str]) -> list[str]:
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
        ("the co\u00adop", "soft hyphens or zero-width spaces within words"),
        ("the co\u200bop", "soft hyphens or zero-width spaces within words"),
    ],
)
def test_odd_texts_are_warned_of_once(text: str, expected: str) -> None:
    found = warnings_of(["the cat", text, text])
    assert len(found) == 1
    assert found[0].startswith("2 of 6 texts hold ")
    assert expected in found[0]
    assert "the first prediction 1" in found[0]


SOFT_HYPHEN, ZERO_WIDTH_SPACE = "un\u00ader und t\u00adu", "γ\u200bα un\u200ber"  # noqa: RUF001


@pytest.mark.parametrize(
    ("tokenizer", "texts", "n_warned"),
    [
        # In the words of Unicode a soft hyphen is nothing, and a zero-width space ends a word.
        ("unicode", [SOFT_HYPHEN, ZERO_WIDTH_SPACE, ZERO_WIDTH_SPACE], 2),
        ("whitespace", [SOFT_HYPHEN, ZERO_WIDTH_SPACE, "plain"], 2),
        (None, [SOFT_HYPHEN, ZERO_WIDTH_SPACE, "plain"], 2),
        # At the edges of words they do nothing, and between letters of Khmer they are blanks.
        ("unicode", ["a \u200bb c\u200b d", "ខ្ញុំ\u200bទៅ\u200bផ្សារ", "\u200b"], 0),
        # The last byte of both in other letters.
        ("unicode", ["ahí aquí", "Ë Nueva", "\u040b"], 0),
    ],
)
def test_invisible_marks_in_words(tokenizer: str | None, texts: list[str], n_warned: int) -> None:
    results = rouge_cli.evaluate(texts, ["und"] * 3, max_ngram=1, lcs=False, tokenizer=tokenizer)
    found = [warning for warning in results.warnings if "zero-width" in warning]
    assert [warning[:18] for warning in found] == [f"{n_warned} of 6 texts hold "] * bool(n_warned)


@pytest.mark.parametrize(
    "text", ["Nan said so", "R&D; AT&T", "1 < 2 and 3 > 2", "a <t> b <q>", "the \\nabla", "nano"]
)
def test_usual_texts_are_not_odd(text: str) -> None:
    assert warnings_of([text]) == []
