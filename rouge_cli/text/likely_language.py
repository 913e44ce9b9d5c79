"""Which language letters beyond ASCII come from, for the advice in a warning; no score needs it."""

import unicodedata
from collections import Counter

SCRIPTS = {
    "CJK": "zh",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "HANGUL": "ko",
    "THAI": "th",
    "CYRILLIC": "ru",
    "GREEK": "el",
    "ARABIC": "ar",
    "HEBREW": "he",
    "DEVANAGARI": "hi",
    "BENGALI": "bn",
    "GURMUKHI": "pa",
    "GUJARATI": "gu",
    "TAMIL": "ta",
    "TELUGU": "te",
    "KANNADA": "kn",
    "MALAYALAM": "ml",
    "SINHALA": "si",
    "MYANMAR": "my",
    "KHMER": "km",
    "LAO": "lo",
    "GEORGIAN": "ka",
    "ARMENIAN": "hy",
    "ETHIOPIC": "am",
}
"""First word of the names of a script's letters to the tag of its most common language."""

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
"""Script to languages, each with letters that are common in it; of two that fit, the first."""


def likely_language(letters: str) -> str | None:
    """Return the tag of a language in which these letters are common; None if none is known."""
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
