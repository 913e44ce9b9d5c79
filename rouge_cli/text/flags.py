"""What a warning may be about in texts, a byte of flags each: few texts have any.

Letters that are in no token are among them, as ROUGE-1.5.5 finds tokens: letters and digits of
ASCII. With the core the flags come with the columns of texts, from the same pass over their bytes.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from rouge_cli.core import compiled_core
from rouge_cli.text.columns import FlaggedTexts, as_core_takes

HAS_ZERO, HAS_MARKUP, HAS_BACKSLASH, HAS_INVISIBLE = 1, 2, 4, 8
HAS_END, IS_SHORT, HAS_BROKEN, MAY_LOSE = 16, 32, 64, 128
FLAGS = (
    *(HAS_ZERO, HAS_MARKUP, HAS_BACKSLASH, HAS_INVISIBLE),
    *(HAS_END, IS_SHORT, HAS_BROKEN, MAY_LOSE),
)
"""What may deserve a warning; only texts with such a flag are looked at more closely. `HAS_END`: a
sentence ends, a blank follows, and there is no newline between letters at both ends. `HAS_BROKEN`:
a letter of a word at the beginning is in no token. `MAY_LOSE`: perhaps more than one letter in
`MOST_DROPPED` is in no token. A text with a zero byte has neither of these: it is no text."""

MOST_DROPPED = 10
"""There is a warning if more than one letter in this many of a text is dropped."""

LOOKED_AT = 128
"""Bytes of a text in which broken words are looked for: the beginnings tell a language."""

MOST_LOST = 1600
"""Bytes that are kept of what broken words lose: enough for 400 letters."""

LONGEST_PLACEHOLDER = 12

MARKUP_START = re.compile(rb"&[#aghlmnqr]|<[/abdehilopsu]", re.IGNORECASE)
"""What entities and tags of HTML begin with: few texts have it, while a mark such as <q> may stand
in all."""

INVISIBLE_MARKS = tuple(mark.encode() for mark in "\u00ad\u200b")
"""Soft hyphen and zero-width space."""

BLANK = ord(" ")

_ASCII = bytes(range(128))
_SIGNS = re.compile(
    rb"(?:\xe2[\x80-\xaf][\x80-\xbf]|\xc2[\x80-\xa9\xab-\xb4\xb6-\xb9\xbb-\xbf]|\xc3[\x97\xb7]"
    rb"|\xe3\x80[\x80-\xbf]|\xef\xb8[\x80-\x8f]|\xf0\x9f[\x80-\xbf]{2})*"
)
"""Quotation marks, dashes, symbols and emoji in UTF-8: blocks with next to no letters."""

_LATER_BYTES = bytes(range(0x80, 0xC0))
"""Bytes of a letter in UTF-8 behind the first."""

_BLANKS = b" \t\n\r\f\v"
_ASCII_BUT_BLANKS = bytes(code for code in range(128) if code not in _BLANKS)
_NO_ASCII_LETTERS = bytes(code for code in range(256) if not bytes((code,)).isalpha())


def flagged(texts: Sequence[bytes], *, has_letters: bool) -> FlaggedTexts:
    """Flag texts with the core, if there is one."""
    core = compiled_core()
    if core is None:
        return flag_texts(texts, has_letters=has_letters)
    return FlaggedTexts(*core.flag_texts(as_core_takes(texts), has_letters))


def flag_texts(texts: Sequence[bytes], *, has_letters: bool) -> FlaggedTexts:
    """Flag texts; nothing is decoded.

    Without `has_letters` nobody asks for letters in no token: no words are counted, and texts have
    none of the flags about them.
    """
    n_newlines = n_words = 0
    broken: list[bytes] = []
    flags = bytearray(len(texts))
    for number, text in enumerate(texts):
        n_within = text.count(b"\n")
        n_newlines += n_within
        flags[number] = _flags_of(text, n_within)
        if not has_letters:
            continue
        if flags[number] & HAS_ZERO:
            n_words += 1
            continue
        # Splitting takes ten times as long.
        n_words += text.count(b" ", 0, LOOKED_AT) + text.count(b"\n", 0, LOOKED_AT) + 1
        if not text.isascii():
            words = _broken_words(text)
            broken += words
            flags[number] |= HAS_BROKEN * bool(words) | MAY_LOSE * _may_lose(text)
    return FlaggedTexts(flags, n_newlines, n_words, len(broken), b"".join(broken)[:MOST_LOST])


def _flags_of(text: bytes, n_newlines: int) -> int:
    """Return the flags of a text, but for those about letters in no token."""
    is_split = n_newlines > 0 and text[0] > BLANK and text[-1] > BLANK
    has_end = not is_split and (b". " in text or b"? " in text or b"! " in text)
    has_start = (b"&" in text or b"<" in text) and MARKUP_START.search(text) is not None
    has_mark = not text.isascii() and any(mark in text for mark in INVISIBLE_MARKS)
    return (
        HAS_ZERO * (b"\0" in text)
        | HAS_MARKUP * has_start
        | HAS_BACKSLASH * (b"\\" in text and b"\\n" in text)
        | HAS_INVISIBLE * has_mark
        | HAS_END * has_end
        | IS_SHORT * (len(text) <= LONGEST_PLACEHOLDER)
    )


def _broken_words(text: bytes) -> list[bytes]:
    """Return what is left of words at the beginning of a text without ASCII, if it is letters."""
    parts = text[: _end_of_letter(text)].translate(None, _ASCII_BUT_BLANKS).split()
    return list(filter(_has_letter, parts))


def _may_lose(text: bytes) -> bool:
    """Say whether a text may lose more than one letter in `MOST_DROPPED`."""
    n_ascii = len(text.translate(None, _NO_ASCII_LETTERS))
    # A letter has a byte at least.
    return len(text.translate(None, _ASCII)) * (MOST_DROPPED - 1) > n_ascii


def dropped_letters(text: bytes) -> tuple[int, int] | None:
    """Return how many letters of a text are not ASCII, and how many there are.

    None unless these are more than one in `MOST_DROPPED`.
    """
    if _SIGNS.fullmatch(text.translate(None, _ASCII)):
        return None
    n_letters = sum(map(str.isalpha, _decoded(text)))
    n_dropped = n_letters - len(text.translate(None, _NO_ASCII_LETTERS))
    return (n_dropped, n_letters) if n_dropped * MOST_DROPPED > n_letters else None


def _end_of_letter(text: bytes) -> int:
    """Return where the letter ends in which the beginning of a text would be cut."""
    rest = text[LOOKED_AT : LOOKED_AT + 3]
    return LOOKED_AT + len(rest) - len(rest.lstrip(_LATER_BYTES))


@lru_cache(1 << 10)
def _has_letter(part: bytes) -> bool:
    """Return whether what is left of a word without ASCII is more than signs."""
    return _SIGNS.fullmatch(part) is None


def _decoded(text: bytes) -> str:
    """Return a text in UTF-8 or, where it is not, Latin-1."""
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return text.decode("latin-1")
