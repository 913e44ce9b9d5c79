"""Porter's stemmer (specification, section 4, "Porter variant"; Porter 1980, pp. 130-137).

Every step tries its suffixes in full, the longest first, and asks of each
letter anew whether it is a vowel.
"""

from __future__ import annotations

STEP_1A = (("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", ""))
STEP_2 = """
    ational ate, tional tion, enci ence, anci ance, izer ize, bli ble, alli al,
    entli ent, eli e, ousli ous, ization ize, ation ate, ator ate, alism al,
    iveness ive, fulness ful, ousness ous, aliti al, iviti ive, biliti ble,
    logi log
"""
STEP_3 = "icate ic, ative , alize al, iciti ic, ical ic, ful , ness "
STEP_4 = """
    al , ance , ence , er , ic , able , ible , ant , ement , ou , ism , ate ,
    iti , ous , ive , ize
"""


def vowels(word: str) -> list[bool]:
    """Which letters are vowels; a y is one behind a consonant (p. 131)."""
    found: list[bool] = []
    for place, letter in enumerate(word):
        is_y = letter == "y" and place > 0 and not found[-1]
        found.append(letter in "aeiou" or is_y)
    return found


def measure(stem: str) -> int:
    """How often a vowel is followed by a consonant (p. 131)."""
    found = vowels(stem)
    return sum(found[place] and not found[place + 1] for place in range(len(stem) - 1))


def is_short(stem: str) -> bool:
    """Whether it ends consonant, vowel, consonant; the last not w, x or y."""
    return vowels(stem)[-3:] == [False, True, False] and stem[-1] not in "wxy"


def rules(text: str) -> list[tuple[str, str]]:
    """The suffixes of a step and what takes their place, the longest first."""
    pairs = [rule.strip(" \n").split(" ") for rule in text.split(",")]
    split = [(pair[0], pair[1] if len(pair) > 1 else "") for pair in pairs]
    return sorted(split, key=lambda rule: -len(rule[0]))


def replaced(word: str, step: list[tuple[str, str]], floor: int) -> str:
    """The word after the first rule whose suffix it has."""
    for suffix, replacement in step:
        if word.endswith(suffix):
            stem = word[: len(word) - len(suffix)]
            return stem + replacement if measure(stem) > floor else word
    return word


def without_participle(word: str) -> str:
    """Step 1b."""
    if word.endswith("eed"):
        return word[:-1] if measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        stem = word[: len(word) - len(suffix)]
        if word.endswith(suffix) and any(vowels(stem)):
            if stem.endswith(("at", "bl", "iz")):
                return stem + "e"
            is_double = stem[-2:-1] == stem[-1:] and not any(vowels(stem)[-2:])
            if is_double and stem[-1] not in "lsz":
                return stem[:-1]
            return stem + "e" if measure(stem) == 1 and is_short(stem) else stem
    return word


def porter(token: bytes) -> bytes:
    """The stem of a word of letters and digits."""
    word = token.decode("ascii")
    if len(word) < 3:
        return token
    word = replaced(word, list(STEP_1A), -1)
    word = without_participle(word)
    if word.endswith("y") and any(vowels(word[:-1])):
        word = word[:-1] + "i"
    word = replaced(word, rules(STEP_2), 0)
    word = replaced(word, rules(STEP_3), 0)
    word = replaced(word, rules(STEP_4), 1)
    word = replaced(word, [("ment", "")], 1)
    # Of ion the s or t before it stays, and belongs to what is measured.
    if word.endswith(("ent", "sion", "tion")) and measure(word[:-3]) > 1:
        word = word[:-3]
    if word.endswith("e"):
        stem = word[:-1]
        if measure(stem) > 1 or (measure(stem) == 1 and not is_short(stem)):
            word = stem
    if word.endswith("ll") and measure(word) > 1:
        word = word[:-1]
    return word.encode("ascii")
