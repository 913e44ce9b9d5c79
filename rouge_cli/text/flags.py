"""Flags of texts that may deserve a warning, one byte per text; few texts have any.

Some are about letters in no token: for ROUGE-1.5.5 only ASCII letters and digits form tokens. The
core finds the flags in the same pass over the bytes as the columns.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from rouge_cli.core import compiled_core
from rouge_cli.text.columns import FlaggedTexts, decoded

HAS_ZERO, HAS_MARKUP, HAS_BACKSLASH, HAS_INVISIBLE = 1, 2, 4, 8
HAS_END, IS_SHORT, HAS_BROKEN, MAY_LOSE = 16, 32, 64, 128

# Only flagged texts are examined for warnings. `HAS_END`: a sentence ends before a blank, and the
# text is not already split by newlines. `HAS_BROKEN`: a letter of a word near the beginning is in
# no token. `MAY_LOSE`: more than one letter in `MOST_DROPPED` may be in no token. A text with a
# zero byte is taken for binary data, and has neither of the last two.
FLAGS = (
    *(HAS_ZERO, HAS_MARKUP, HAS_BACKSLASH, HAS_INVISIBLE),
    *(HAS_END, IS_SHORT, HAS_BROKEN, MAY_LOSE),
)

MOST_DROPPED = 10  # a text deserves a warning if more than one letter in this many is dropped

# Bytes at the beginning of a text in which broken words are looked for: enough to recognise its
# language.
LOOKED_AT = 128

MOST_LOST = 1600  # bytes kept of the letters that broken words lose: at least 400 letters

LONGEST_PLACEHOLDER = 12

# The beginnings of HTML entities and tags. ``<q>`` is left out, as it may separate the sentences of
# every text.
MARKUP_START = re.compile(rb"&[#aghlmnqr]|<[/abdehilopsu]", re.IGNORECASE)

INVISIBLE_MARKS = tuple(mark.encode() for mark in "\u00ad\u200b")
"""Soft hyphen and zero-width space."""

BLANK = ord(" ")

_ASCII = bytes(range(128))

# Quotation marks, dashes, symbols and emoji in UTF-8: blocks with hardly any letters.
_SIGNS = re.compile(
    rb"(?:\xe2[\x80-\xaf][\x80-\xbf]|\xc2[\x80-\xa9\xab-\xb4\xb6-\xb9\xbb-\xbf]|\xc3[\x97\xb7]"
    rb"|\xe3\x80[\x80-\xbf]|\xef\xb8[\x80-\x8f]|\xf0\x9f[\x80-\xbf]{2})*"
)

_CONTINUATION_BYTES = bytes(range(0x80, 0xC0))

_BLANKS = b" \t\n\r\f\v"
_ASCII_BUT_BLANKS = bytes(code for code in range(128) if code not in _BLANKS)
_NO_ASCII_LETTERS = bytes(code for code in range(256) if not bytes((code,)).isalpha())

SCRIPTS = {
    "CJK": "zh", "HIRAGANA": "ja", "KATAKANA": "ja", "HANGUL": "ko", "THAI": "th",
    "CYRILLIC": "ru", "GREEK": "el", "ARABIC": "ar", "HEBREW": "he", "DEVANAGARI": "hi",
    "BENGALI": "bn", "GURMUKHI": "pa", "GUJARATI": "gu", "TAMIL": "ta", "TELUGU": "te",
    "KANNADA": "kn", "MALAYALAM": "ml", "SINHALA": "si", "MYANMAR": "my", "KHMER": "km",
    "LAO": "lo", "GEORGIAN": "ka", "ARMENIAN": "hy", "ETHIOPIC": "am",
}  # fmt: skip
"""From a script, named as in the Unicode names of its letters, to its most common language."""

# From a script to languages, each with letters that are common in it. The first of equals wins.
ALPHABETS = {
    "LATIN": {
        "de": "äöüß",
        "fr": "àâæçéèêëîïôœùûüÿ",
        "es": "áéíñóúü",
        "pt": "áâãàçéêíóôõú",
        "it": "àèéìòù",
        "tr": "çğıöşü",
        "pl": "ąćęłńóśźż",
        "sv": "åäö",
        "da": "åæø",
        "cs": "áčďéěíňóřšťúůýž",
        "ro": "ăâîșțşţ",
        "hu": "áéíóöőúüű",
        "vi": "àáâãèéêìíòóôõùúýăđơưạảấầẩậắặẹẻếềểệỉịọỏốồổộớờởợụủứừửựỳỹ",
    },
    "CYRILLIC": {"ru": "ыэъё", "uk": "іїєґ"},
    "ARABIC": {"ar": "ةىكي", "fa": "پچژگکی", "ur": "ٹڈڑںےہ"},
}


def flagged(texts: Sequence[bytes], *, has_letters: bool) -> FlaggedTexts:
    """Flag texts, with the core if there is one."""
    core = compiled_core()
    if core is None:
        return flag_texts(texts, has_letters=has_letters)
    return FlaggedTexts(*core.flag_texts(tuple(texts), has_letters))


def flag_texts(texts: Sequence[bytes], *, has_letters: bool) -> FlaggedTexts:
    """Flag texts without decoding them.

    Without `has_letters` no words are counted, and `HAS_BROKEN` and `MAY_LOSE` are not set.
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
        # An estimate: splitting takes ten times as long.
        n_words += text.count(b" ", 0, LOOKED_AT) + text.count(b"\n", 0, LOOKED_AT) + 1
        if not text.isascii():
            # The non-ASCII letters of words at the beginning; the cut splits no letter.
            rest = text[LOOKED_AT : LOOKED_AT + 3]
            end = LOOKED_AT + len(rest) - len(rest.lstrip(_CONTINUATION_BYTES))
            parts = text[:end].translate(None, _ASCII_BUT_BLANKS).split()
            words = list(filter(_has_letter, parts))
            broken += words
            n_ascii = len(text.translate(None, _NO_ASCII_LETTERS))
            # A letter has at least one byte, so the number of bytes is an upper bound.
            may_lose = len(text.translate(None, _ASCII)) * (MOST_DROPPED - 1) > n_ascii
            flags[number] |= HAS_BROKEN * bool(words) | MAY_LOSE * may_lose
    return FlaggedTexts(flags, n_newlines, n_words, len(broken), b"".join(broken)[:MOST_LOST])


def _flags_of(text: bytes, n_newlines: int) -> int:
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


def dropped_letters(text: bytes) -> tuple[int, int] | None:
    """Return the numbers of non-ASCII letters and of all letters of a text.

    None unless more than one letter in `MOST_DROPPED` is not ASCII.
    """
    if _SIGNS.fullmatch(text.translate(None, _ASCII)):
        return None
    n_letters = sum(map(str.isalpha, decoded(text)))
    n_dropped = n_letters - len(text.translate(None, _NO_ASCII_LETTERS))
    return (n_dropped, n_letters) if n_dropped * MOST_DROPPED > n_letters else None


@lru_cache(1 << 10)
def _has_letter(part: bytes) -> bool:
    return _SIGNS.fullmatch(part) is None


def likely_language(letters: str) -> str | None:
    """Guess a language from non-ASCII letters, for the advice in a warning.

    Return the tag of a language in which they are common; None for unknown scripts.
    """
    # Loading takes a millisecond, and few runs need the advice.
    import unicodedata

    counts = Counter(letters.lower())
    scripts: Counter[str] = Counter()
    for letter, n in counts.items():
        scripts[unicodedata.name(letter, "").partition(" ")[0]] += n
    if scripts["HIRAGANA"] + scripts["KATAKANA"] > 0 < scripts["CJK"]:
        return "ja"
    script = max(scripts, key=scripts.__getitem__, default="")
    alphabets = ALPHABETS.get(script)
    if alphabets is None:
        return SCRIPTS.get(script)
    covered = {
        tag: sum(counts[letter] for letter in alphabet) for tag, alphabet in alphabets.items()
    }
    tag = max(covered, key=covered.__getitem__)
    return tag if covered[tag] else SCRIPTS.get(script)
