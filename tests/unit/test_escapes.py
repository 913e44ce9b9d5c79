"""Escapes for characters that a reader or a terminal would misinterpret."""

from collections.abc import Callable

import pytest

from rouge_cli.escapes import escape_controls, escape_on_screen, escape_unprintable, escaped


@pytest.mark.parametrize(
    ("escape", "text", "shown"),
    [
        (escape_unprintable, "plain \u00e9 \u4e2d", "plain \u00e9 \u4e2d"),
        (escape_unprintable, "a\r\n\x00", r"a\r\n\x00"),
        (escape_unprintable, "\u202egnp", r"\u202egnp"),
        (escape_unprintable, "\udc80\udcff\ud800", r"\x80\xff\ud800"),
        (escape_unprintable, "\U000e0001", r"\U000e0001"),
        # Commands of a terminal, in a line and in a report, whose colours are its own.
        (escape_controls, "plain \u00e9 \u4e2d", "plain \u00e9 \u4e2d"),
        (escape_controls, "a\tb\n", r"a\tb\n"),
        (escape_controls, "\x1b[1mbold\x1b[0m", r"\x1b[1mbold\x1b[0m"),
        (escape_controls, "\r\x9b\u202e\u2066\u2028", r"\r\x9b\u202e\u2066\u2028"),
        (escape_on_screen, "plain \u00e9 \u4e2d", "plain \u00e9 \u4e2d"),
        (escape_on_screen, "a\tb\n", "a\tb\n"),
        (escape_on_screen, "\x1b[1mbold\x1b[0m", "\x1b[1mbold\x1b[0m"),
        (escape_on_screen, "\r\x9b\u202e\u2066\u2028", r"\r\x9b\u202e\u2066\u2028"),
        # Names in messages.
        (escaped, "a b", "a b"),
        (escaped, "", "''"),
        (escaped, "\u00e9", "\u00e9"),
        (escaped, "a\nb", r"'a\nb'"),
        (escaped, "\udcff", r"'\udcff'"),
    ],
)
def test_escape(escape: Callable[[str], str], text: str, shown: str) -> None:
    assert escape(text) == shown
