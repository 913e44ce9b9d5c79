"""What is flagged in texts."""

import pytest

from rouge_cli.text.columns import FlaggedTexts
from rouge_cli.text.seen import (
    HAS_BACKSLASH,
    HAS_BROKEN,
    HAS_END,
    HAS_INVISIBLE,
    HAS_MARKUP,
    HAS_ZERO,
    IS_SHORT,
    MAY_LOSE,
    flag_texts,
    flagged,
)

LONG = b"a text without a sign " * 4


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        (LONG, 0),
        (b"", IS_SHORT),
        (b"twelve bytes", IS_SHORT),
        (LONG + b"\0", HAS_ZERO),
        # What holds a zero is no text, whatever else is in it.
        ("\u0436\u0443\u043a ".encode() * 9 + b"\0", HAS_ZERO),
        (LONG + b"&amp;", HAS_MARKUP),
        (LONG + b"<BR>", HAS_MARKUP),
        (LONG + b" & < <1", 0),
        (LONG + b"\\n", HAS_BACKSLASH),
        (LONG + b"\\N", 0),
        (LONG + "\u00ad\u200b".encode(), HAS_INVISIBLE),
        # The same last bytes in other characters; letters that are no signs are lost.
        (LONG + "\u00ed \u1e0b".encode(), HAS_BROKEN),
        (b"One ends. Another begins.", HAS_END),
        (b"One ends.\nAnother. Begins", 0),
        (b"\nOne ends. Another begins.", HAS_END),
        ("\u0436\u0443\u043a and words".encode(), HAS_BROKEN | MAY_LOSE),
        # Behind the beginning words are not looked at.
        (b"word " * 26 + "\u00e9t\u00e9".encode(), 0),
        (b"word " * 25 + "\u00e9t\u00e9".encode(), HAS_BROKEN),
        # A quotation mark is no letter.
        (LONG + "\u201cquote\u201d".encode(), 0),
    ],
)
def test_flags(text: bytes, flags: int) -> None:
    for flag in (flag_texts, flagged):
        assert flag([text], has_letters=True).flags == bytes([flags])
        # Who drops no letters does not ask for them.
        without = flag([text], has_letters=False)
        assert without.flags == bytes([flags & ~(HAS_BROKEN | MAY_LOSE)])
        assert (without.n_words, without.n_broken, without.lost) == (0, 0, b"")


def test_what_all_texts_hold() -> None:
    texts = ["\u00e9t\u00e9 un\ndeux \u00e7a".encode(), b"a b\0c d", b"", "\u0436".encode() * 9]
    # Four words, one for what is no text, one for nothing, one; three of them are broken.
    expected = (1, 4 + 1 + 1 + 1, 3)
    for flag in (flag_texts, flagged):
        counted = flag(texts, has_letters=True)
        assert (counted.n_newlines, counted.n_words, counted.n_broken) == expected
        assert counted.letters == "\u00e9\u00e9\u00e7" + "\u0436" * 9


@pytest.mark.parametrize(
    ("lost", "letters"),
    [
        (b"\xc3\xa9\xc3", "\u00e9"),
        # Nothing of it is UTF-8: it is Latin-1.
        (b"\xe9", "\u00e9"),
        (b"", ""),
    ],
)
def test_letters_that_are_lost(lost: bytes, letters: str) -> None:
    assert FlaggedTexts(b"", 0, 0, 0, lost).letters == letters


def test_so_many_bytes_are_kept() -> None:
    text = "\u0436".encode() * 80
    for flag in (flag_texts, flagged):
        counted = flag([text] * 20, has_letters=True)
        assert (counted.n_broken, counted.lost) == (20, (b"\xd0\xb6" * 64 * 20)[:1600])
