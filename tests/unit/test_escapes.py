"""What a reader or a terminal would take for something else."""

import pytest

from rouge_cli.escapes import escape_controls, escape_on_screen, escape_unprintable, escaped


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


@pytest.mark.parametrize(
    ("text", "line", "on_screen"),
    [
        ("a\tb\n", r"a\tb\n", "a\tb\n"),
        ("\x1b[1mbold\x1b[0m", r"\x1b[1mbold\x1b[0m", "\x1b[1mbold\x1b[0m"),
        ("\r\x9b\u202e\u2066\u2028", r"\r\x9b\u202e\u2066\u2028", r"\r\x9b\u202e\u2066\u2028"),
        ("plain \u00e9 \u4e2d", "plain \u00e9 \u4e2d", "plain \u00e9 \u4e2d"),
    ],
)
def test_commands_of_a_terminal(text: str, line: str, on_screen: str) -> None:
    assert escape_controls(text) == line
    assert escape_on_screen(text) == on_screen


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("a b", "a b"),
        ("", "''"),
        ("\u00e9", "\u00e9"),
        ("a\nb", r"'a\nb'"),
        ("\udcff", r"'\udcff'"),
    ],
)
def test_names_in_messages(name: str, found: str) -> None:
    assert escaped(name) == found
