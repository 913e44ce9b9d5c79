"""What a reader or a terminal would take for something else."""

import pytest

from rouge_cli.escapes import escape_unprintable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain \u00e9 \u4e2d", "plain \u00e9 \u4e2d"),
        ("a\r\n\x00", r"a\r\n\x00"),
        ("\u202egnp", r"\u202egnp"),
        ("\udc80\udcff\ud800", r"\x80\xff\ud800"),
        ("\U000e0001", r"\U000e0001"),
    ],
)
def test_escape_unprintable(text: str, shown: str) -> None:
    assert escape_unprintable(text) == shown
