"""Porter's suffix stripper, in the variant that ROUGE-1.5.5 carries.

Every letter is a consonant or a vowel. Any word is then ``[C](VC)^m[V]``, where ``C`` and ``V``
are runs of consonants and of vowels; ``m`` is its *measure*, roughly its number of syllables.
Each step takes a suffix away, or shortens it, if what stands before it measures enough, so that
``relational`` becomes ``relate`` but ``rational`` stays.

Source: M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, with the changes
of section 4 of the specification.
"""

import re
from typing import Final

__all__ = ["STEPS", "Rules", "porter_stem"]

_SHORTEST_WORD: Final = 3
Rules = dict[bytes, tuple[tuple[bytes, bytes], ...]]
"""Suffixes and their replacements, by the last two letters of the suffix."""


def _rules(text: str) -> Rules:
    """Read rules, each ``suffix>replacement``, and group them by the suffix's last two letters."""
    rules: Rules = {}
    for rule in text.encode("ascii").split():
        suffix, _, replacement = rule.partition(b">")
        rules[suffix[-2:]] = (*rules.get(suffix[-2:], ()), (suffix, replacement))
    return rules


# Steps 2, 3 and 4. Only the first rule that fits is tried: of two that can both fit, like ational
# and tional, the longer one stands first.
_DOUBLE_SUFFIXES: Final = _rules("""
    ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e ousli>ous
    ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive
    biliti>ble logi>log
""")
_MIDDLE_SUFFIXES: Final = _rules("icate>ic ative> alize>al iciti>ic ical>ic ful> ness>")
_LAST_SUFFIXES: Final = _rules("""
    al> ance> ence> er> ic> able> ible> ant> ement> ou> ism> ate> iti> ous> ive> ize>
""")

STEPS: Final = ((_DOUBLE_SUFFIXES, 0), (_MIDDLE_SUFFIXES, 0), (_LAST_SUFFIXES, 1))
"""The rules of each step, and the measure that what stands before a suffix has to exceed."""

# How a word ends that one of the later steps may change, and one that any step may. Nearly half of
# the words of a text end in another way.
_LETTERS: Final = [bytes((letter,)) for letter in range(256)]
_LATER_ENDS: Final = frozenset({b"nt", b"on", b"ll"}).union(
    [letter + b"e" for letter in _LETTERS], _DOUBLE_SUFFIXES, _MIDDLE_SUFFIXES, _LAST_SUFFIXES
)
_ENDS: Final = _LATER_ENDS.union(
    {b"ed", b"ng"}, [letter + end for letter in _LETTERS for end in (b"s", b"y")]
)

# A digit is a consonant; whether a y is one is for `_letter_classes` to say.
_CLASS_OF_BYTE: Final = bytes(
    ord("v") if chr(byte) in "aeiou" else ord("y") if chr(byte) == "y" else ord("c")
    for byte in range(256)
)


_Y_RUN: Final = re.compile(b"[cv]y+")


def porter_stem(word: bytes) -> bytes:
    """Strip the suffixes of a word.

    Parameters
    ----------
    word : bytes
        Lower-case letters and digits of ASCII.

    Returns
    -------
    bytes
        The stem; a word of one or two letters as it is.

    Notes
    -----
    Source: section 4 of the specification, "Porter variant".
    """
    if word[-2:] not in _ENDS or len(word) < _SHORTEST_WORD:
        return word
    if word[-1:] == b"s":
        word = _strip_plural(word)
    if word.endswith((b"ed", b"ing")):
        word = _strip_participle(word)
    if word[-1:] == b"y" and _has_vowel(word[:-1]):
        word = word[:-1] + b"i"
    if word[-2:] not in _LATER_ENDS:
        return word
    for rules, floor in STEPS:
        if fitting := rules.get(word[-2:]):
            word = _apply(fitting, word, floor)
    if word.endswith((b"ent", b"ion")):
        word = _strip_second_suffix(word)
    return _tidy_end(word) if word.endswith((b"e", b"ll")) else word


def _letter_classes(word: bytes) -> bytes:
    """Spell a word in ``c`` (consonant) and ``v`` (vowel), a letter for a letter.

    A ``y`` is a vowel after a consonant, and a consonant after a vowel or at the beginning.
    """
    classes = word.translate(_CLASS_OF_BYTE)
    return _with_settled_y(classes) if b"y" in classes else classes


def _with_settled_y(classes: bytes) -> bytes:
    """Say of each y in the classes of a word which of the two it is."""
    if classes.startswith(b"y"):
        classes = b"c" + classes[1:]
    # This settles two of every run of y, and more are rare.
    classes = classes.replace(b"cy", b"cv").replace(b"vy", b"vc")
    return _Y_RUN.sub(_settled_run, classes) if b"y" in classes else classes


def _settled_run(run: re.Match[bytes]) -> bytes:
    """Return the classes of a letter and the y behind it, which take turns."""
    n_letters = len(run[0])
    turns = (b"cv" if run[0].startswith(b"c") else b"vc") * (n_letters // 2 + 1)
    return turns[:n_letters]


def _measure(stem: bytes) -> int:
    """Count how often a vowel is followed by a consonant: Porter's ``m``."""
    classes = stem.translate(_CLASS_OF_BYTE)
    if b"y" in classes:
        classes = _with_settled_y(classes)
    return classes.count(b"vc")


def _has_vowel(stem: bytes) -> bool:
    """Say whether a vowel is in the stem: Porter's ``*v*``."""
    return b"v" in _letter_classes(stem)


def _ends_short(stem: bytes, classes: bytes) -> bool:
    """Say whether the stem ends consonant, vowel, consonant other than w, x, y: Porter's ``*o``."""
    return classes.endswith(b"cvc") and stem[-1:] not in b"wxy"


def _apply(rules: tuple[tuple[bytes, bytes], ...], word: bytes, floor: int) -> bytes:
    """Replace the suffix of the first rule that fits, if more than `floor` measures before it."""
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
    """Step 1b, its end: ``conflat`` to ``conflate``, ``hopp`` to ``hop``, ``fil`` to ``file``."""
    if stem.endswith((b"at", b"bl", b"iz")):
        return stem + b"e"
    # Of two y the one behind a consonant is a vowel: yy is no double consonant either.
    if stem[-1:] == stem[-2:-1] and stem[-1:] not in b"aeiouylsz":
        return stem[:-1]
    classes = _letter_classes(stem)
    is_short = _ends_short(stem, classes) and classes.count(b"vc") == 1
    return stem + b"e" if is_short else stem


def _strip_second_suffix(word: bytes) -> bytes:
    """Step 4, its end: tests for ``ment``, and then for ``ent`` or ``ion``, of their own.

    Porter has them among the other suffixes of step 4, so that a word loses only one of them. Here
    a word may lose another before: ``accidental`` loses ``al`` and then ``ent``.
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
