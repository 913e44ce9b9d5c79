"""How wide text is on a terminal, and how names are folded."""

import pytest

from rouge_cli.reports.writers.text_style import STYLES, Style, display_width


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("plain", 5),
        ("\u00e9\u0142", 2),
        ("\u4e2d\u6587", 4),
        # A letter and its accent; a syllable of Hangul in three letters; a vowel sign of Hindi.
        ("e\u0301", 1),
        ("\u1112\u1161\u11ab", 2),
        ("\u0915\u0941", 1),
        ("\uff21\uff9d", 3),
        ("\U0001f600", 2),
    ],
)
def test_display_width(text: str, width: int) -> None:
    assert display_width(text) == width


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("my long name", 12, ["my long name"]),
        ("my long name", 8, ["my long", "name"]),
        ("my name-without-blanks", 8, ["my", "name-wit", "hout-bla", "nks"]),
        ("\u4e2d\u6587\u6a21\u578b x", 5, ["\u4e2d\u6587", "\u6a21\u578b", "x"]),
        ("abe\u0301", 2, ["ab", "e\u0301"]),
    ],
)
def test_names_are_folded_at_blanks(text: str, width: int, lines: list[str]) -> None:
    assert Style().fold(text, width) == lines


def test_names_of_pairs_are_cut() -> None:
    assert STYLES["comparison"].fold("my long name", 8) == ["my long ", "name"]


def test_names_share_the_room() -> None:
    narrow = STYLES["comparison"].narrow
    assert narrow([30, 4], 0, 60, 80) == [16, 4]
    assert narrow([30, 40], 0, 60, 80) == [10, 10]
    # However narrow the screen is.
    assert narrow([30, 40], 0, 79, 80) == [6, 6]
