"""Stems of ROUGE-1.5.5: the length rule, the exception table, and Porter's suffix stripper.

In Porter's algorithm every letter is a consonant or a vowel. Any word then has the form
``[C](VC)^m[V]``, with runs ``C`` of consonants and ``V`` of vowels; ``m`` is its *measure*, roughly
its number of syllables. Each step removes or shortens a suffix if the letters before it have a
large enough measure: ``relational`` becomes ``relate``, but ``rational`` stays.

Source: M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980; specification,
section 4, "Stem" and "Porter variant", for the changes in ROUGE-1.5.5.
"""

from collections.abc import Hashable, Mapping
from typing import Final, TypeVar

String = TypeVar("String", bound=Hashable)

_LONGEST_KEPT: Final = 3
_SHORTEST_WORD: Final = 3

# The cache is emptied at this size, so that random words do not fill memory in a long run.
_MOST_STEMS: Final = 1 << 20


class Numbers(dict[String, int]):
    """Assigns the numbers 0, 1 and so on to strings, or other tokens, when first looked up."""

    __slots__ = ()

    def __missing__(self, string: String) -> int:
        return self.setdefault(string, len(self))


class Stems(dict[bytes, bytes]):
    """A cache of stems, each computed at the first look-up.

    Each of `lines` is an irregular form, a blank, and its base form, see
    `rouge_cli.text.word_lists`. `exceptions` maps the forms.
    """

    __slots__ = ("exceptions", "lines")

    def __init__(self, lines: bytes) -> None:
        super().__init__()
        self.lines = lines
        words = lines.split()
        self.exceptions: Mapping[bytes, bytes] = dict(zip(words[::2], words[1::2], strict=True))

    def __reduce__(self) -> tuple[type["Stems"], tuple[bytes]]:
        """Pickle only the exceptions; the other process computes its own stems."""
        return Stems, (self.lines,)

    @classmethod
    def of(cls, exceptions: Mapping[bytes, bytes]) -> "Stems":
        """Return a cache for exceptions, from irregular form to base form."""
        return cls(b"\n".join(b"%b %b" % pair for pair in exceptions.items()))

    def __missing__(self, token: bytes) -> bytes:
        """Compute and keep the stem of a token; empty the cache first if it is full."""
        if len(self) >= _MOST_STEMS:
            self.clear()
        stem = self[token] = stem_of(token, self.exceptions)
        return stem

    def of_element(self, word: bytes) -> bytes:
        """Return the stem of a word of a Basic Element, which may be short.

        Source: section 5 of the specification, "BE": the length rule applies to whole fields.
        """
        if len(word) > _LONGEST_KEPT:
            return self[word]
        return self.exceptions.get(word) or porter_stem(word)


def stem_of(token: bytes, exceptions: Mapping[bytes, bytes]) -> bytes:
    """Return the stem of a token of lower-case ASCII letters and digits.

    Tokens of up to three bytes are their own stems. That of others is their base form in
    `exceptions`, by irregular form, or else their Porter stem.
    """
    if len(token) <= _LONGEST_KEPT:
        return token
    return exceptions.get(token) or porter_stem(token)


def _rules(text: str) -> list[tuple[bytes, bytes]]:
    rules = (rule.partition(b">") for rule in text.encode("ascii").split())
    return [(suffix, replacement) for suffix, _, replacement in rules]


# The rules of steps 2, 3 and 4, and the measure that the letters before the suffix must exceed.
# Only the first matching rule is tried, so of ational and tional the longer comes first.
_DOUBLE_SUFFIXES = """
    ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e ousli>ous
    ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive
    biliti>ble logi>log
"""
_LAST_SUFFIXES = "al> ance> ence> er> ic> able> ible> ant> ement> ou> ism> ate> iti> ous> ive> ize>"
_STEPS: Final = (
    (_rules(_DOUBLE_SUFFIXES), 0),
    (_rules("icate>ic ative> alize>al iciti>ic ical>ic ful> ness>"), 0),
    (_rules(_LAST_SUFFIXES), 1),
)

# Digits are consonants. For y, `_letter_classes` decides.
_CLASS_OF_BYTE: Final = bytes(
    ord("v") if chr(byte) in "aeiou" else ord("y") if chr(byte) == "y" else ord("c")
    for byte in range(256)
)


def porter_stem(word: bytes) -> bytes:
    """Return the Porter stem of a word of lower-case ASCII letters and digits.

    Source: section 4 of the specification, "Porter variant".
    """
    if len(word) < _SHORTEST_WORD:
        return word
    if word.endswith(b"s"):
        word = _strip_plural(word)
    if word.endswith((b"ed", b"ing")):
        word = _strip_participle(word)
    if word.endswith(b"y") and _has_vowel(word[:-1]):
        word = word[:-1] + b"i"
    for rules, floor in _STEPS:
        word = _apply(rules, word, floor)
    return _tidy_end(_strip_second_suffix(word))


def _letter_classes(word: bytes) -> bytes:
    """Return ``c`` (consonant) or ``v`` (vowel) for each letter of a word.

    A ``y`` is a vowel after a consonant, and a consonant after a vowel or at the beginning.
    """
    classes = word.translate(_CLASS_OF_BYTE)
    while (place := classes.find(b"y")) >= 0:
        settled = b"v" if classes[:place].endswith(b"c") else b"c"
        classes = classes.replace(b"y", settled, 1)
    return classes


def _measure(stem: bytes) -> int:
    """Count the vowels that are followed by a consonant: Porter's ``m``."""
    return _letter_classes(stem).count(b"vc")


def _has_vowel(stem: bytes) -> bool:
    """Return whether the stem contains a vowel: Porter's ``*v*``."""
    return b"v" in _letter_classes(stem)


def _ends_short(stem: bytes, classes: bytes) -> bool:
    """Return whether the stem ends in Porter's ``*o``: consonant, vowel, consonant but w, x, y."""
    return classes.endswith(b"cvc") and stem[-1:] not in b"wxy"


def _apply(rules: list[tuple[bytes, bytes]], word: bytes, floor: int) -> bytes:
    for suffix, replacement in rules:
        if word.endswith(suffix):
            stem = word[: -len(suffix)]
            return stem + replacement if _measure(stem) > floor else word
    return word


def _strip_plural(word: bytes) -> bytes:
    """Step 1a: ``caresses`` to ``caress``, ``ponies`` to ``poni``, ``cats`` to ``cat``."""
    if word.endswith(b"ss"):
        return word
    return word[:-2] if word.endswith((b"sses", b"ies")) else word[:-1]


def _strip_participle(word: bytes) -> bytes:
    """Step 1b: ``agreed`` to ``agree``, ``plastered`` to ``plaster``, ``motoring`` to ``motor``."""
    if word.endswith(b"eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    stem = word[:-2] if word.endswith(b"ed") else word[:-3]
    return _mend_participle(stem) if _has_vowel(stem) else word


def _mend_participle(stem: bytes) -> bytes:
    """End of step 1b: ``conflat`` to ``conflate``, ``hopp`` to ``hop``, ``fil`` to ``file``."""
    if stem.endswith((b"at", b"bl", b"iz")):
        return stem + b"e"
    # Of two adjacent y one is always a vowel, so yy is not a double consonant.
    if stem[-1:] == stem[-2:-1] and stem[-1:] not in b"aeiouylsz":
        return stem[:-1]
    classes = _letter_classes(stem)
    is_short = _ends_short(stem, classes) and classes.count(b"vc") == 1
    return stem + b"e" if is_short else stem


def _strip_second_suffix(word: bytes) -> bytes:
    """End of step 4: strip ``ment``, then ``ent``, ``sion`` or ``tion``.

    Porter lists these with the other suffixes of step 4, so that a word loses only one. ROUGE-1.5.5
    tests them separately: ``accidental`` loses ``al`` and then ``ent``.
    """
    if word.endswith(b"ment") and _measure(word[:-4]) > 1:
        word = word[:-4]
    if word.endswith((b"ent", b"sion", b"tion")) and _measure(word[:-3]) > 1:
        word = word[:-3]
    return word


def _tidy_end(word: bytes) -> bytes:
    """Step 5: ``probate`` to ``probat``, ``cease`` to ``ceas``, ``controll`` to ``control``."""
    if word.endswith(b"e"):
        stem = word[:-1]
        classes = _letter_classes(stem)
        measure = classes.count(b"vc")
        if measure > 1 or (measure == 1 and not _ends_short(stem, classes)):
            word = stem
    if word.endswith(b"ll") and _measure(word) > 1:
        word = word[:-1]
    return word
