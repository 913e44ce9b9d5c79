"""Finds texts that deserve a warning: by flags of bytes, and by a table of findings.

Each text has one byte of flags, and few texts have any flag set. Some flags are for letters that
are in no token: for ROUGE-1.5.5, only ASCII letters and digits form tokens. The core finds flags in
the same pass over the bytes as the columns.

A row of the table describes something that a person would notice in the first lines of a file, its
effect on scores, the remedy, and a function that repairs a text. `rouge_cli.run.seen` looks for all
rows in a sample of the texts, and scores the sample with and without the repair.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from rouge_cli.core import compiled_core
from rouge_cli.text.columns import FlaggedTexts, decoded, is_utf8

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

INVISIBLE_MARKS = tuple(mark.encode() for mark in "\u00ad\u200b")  # soft hyphen, zero-width space

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

# From a script to languages, each with letters that are common in it. The first wins a tie.
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
        # Counting blanks gives an estimate in a tenth of the time of splitting.
        n_words += text.count(b" ", 0, LOOKED_AT) + text.count(b"\n", 0, LOOKED_AT) + 1
        if not text.isascii():
            # The non-ASCII letters of words at the beginning; the cut splits no letter.
            rest = text[LOOKED_AT : LOOKED_AT + 3]
            end = LOOKED_AT + len(rest) - len(rest.lstrip(_CONTINUATION_BYTES))
            parts = text[:end].translate(None, _ASCII_BUT_BLANKS).split()
            words = [part for part in parts if _SIGNS.fullmatch(part) is None]
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


Mend = Callable[[bytes], bytes]

SPECIAL_TOKENS = (
    rb"<\|[A-Za-z][A-Za-z0-9_]{0,40}\|>|<\xef\xbd\x9c[^<>\n]{1,60}\xef\xbd\x9c>"
    rb"|</?(?:s|pad|unk|mask|bos|eos|cls|sep|start_of_turn|end_of_turn|extra_id_[0-9]{1,3})>"
    rb"|\[/?(?:CLS|PAD|SEP|MASK|UNK|BOS|EOS|INST)\]|<</?SYS>>"
)
"""Special tokens of language models, which are not text; those of DeepSeek have full-width bars."""

MAY_SEPARATE = ({b"<s>", b"</s>"}, {b"[SEP]"}, {b"<sep>"}, {b"<eos>"}, {b"[EOS]"})
"""Special tokens that may separate sentences if a text has no others."""

_BLOCKS = rb"think|thinking|thought|reasoning|reflection|scratchpad"
THINKING = rb"<(%b)>.*?(?:</\1>|\Z)|\[THINK\].*?(?:\[/THINK\]|\Z)" % _BLOCKS
LEFT_OPEN = rb"\A.*</(?:%b)>" % _BLOCKS
"""A block of reasoning without its beginning, which may be in the prompt."""

PIECES = rb"(?<=\w)[ ]##(?=\w)(?!\w+##)|(?<=\w)@@(?:[ ]|$)|\xe2\x96\x81|(?<=[a-z])\xc4\xa0(?=[a-z])"
"""Marks of pieces of words, as written by WordPiece, BPE, SentencePiece and GPT-2."""

MARKUP = (
    rb"(?i:&(?:amp|lt|gt|quot|apos|nbsp|[lr][sd]quo|[mn]dash|hellip|#[0-9]{1,7}|#x[0-9a-f]{1,6});"
    rb"|</?(?:p|br|b|i|u|em|strong|div|span|li|ul|ol|h[1-6]|a href=[^<>]*)(?: ?/)?>)"
)
"""Entities and tags of HTML that are often left in texts. Others, such as <t>, may be intended."""

# After a letter or the end of a sentence, but not a command of LaTeX, the end of a string in code,
# or part of a path on Windows.
WRITTEN_NEWLINE = (
    rb"(?<![\\:])\\r\\n|(?<![\\:])\\n(?![a-z\"'\\)])|(?<=[a-z0-9.!?,;\"')])\\n(?!(?:%b)(?![a-z]))(?=[a-z])"
    % rb"u|abla|e|eq|eg|i|ew[a-z]*|o[a-z]+|ormalsize|atural|um[a-z]*|[ew]arrow|exists|leq?|geq?|mid"
    rb"|parallel|prec|succ|sim|cong|sub[a-z]*|sup[a-z]*"
)
_NO_NEWLINES = (
    rb"\\(?![nrt\"'u])|\\u(?![0-9a-fA-F]{4})|\\t[a-z]{2,}[{^_$ ]|(?<![A-Za-z])[A-Za-z]:\\\w"
)
_IN_CODE = rb"\"[^\"\n]{0,200}\"|'[^'\n]{0,80}\\n[^'\n]{0,80}'"

PLACEHOLDERS = frozenset({b"nan", b"none", b"null", b"n/a", b"<na>", b"#n/a", b"undefined"})
"""Words, in lower case, that programs write if there is no text."""

COMPATIBILITY = rb"\xef\xbc[\xa1-\xba]|\xef\xbd[\x81-\x9a]|\xf0\x9d[\x90-\x9f]|\xef\xac[\x80-\x86]"
"""Full-width and mathematical letters, and ligatures. Full-width digits and punctuation are not
included, because they are normal in Chinese."""

MOJIBAKE = rb"\xc3\x83\xc2[\xa0-\xbf]|\xc3\xa2\xe2\x82\xac|\xc3\x90\xc2|\xc3\x91\xe2"
"""Frequent pairs of characters in UTF-8 that was decoded as cp1252 and encoded again."""

UNSEGMENTED = "[\u3040-\u30ff\u3400-\u9fff\u0e01-\u0e5b]"

FEWEST_ITEMS, LONGEST_WORD, LONGEST_RUN = 4, 12, 8


def without_special_tokens(text: bytes) -> bytes:
    """Replace special tokens of language models by blanks."""
    return re.sub(SPECIAL_TOKENS, b" ", text).strip(b" ")


def without_thinking(text: bytes) -> bytes:
    """Remove blocks of reasoning, including one that lacks its beginning or its end."""
    closed = re.sub(THINKING, b"", text, flags=re.DOTALL | re.IGNORECASE)
    return re.sub(LEFT_OPEN, b"", closed, flags=re.DOTALL | re.IGNORECASE).strip()


def joined_pieces(text: bytes) -> bytes:
    """Join the pieces of words made by subword tokenizers."""
    if b"\xe2\x96\x81" in text:
        return text.replace(b" ", b"").replace(b"\xe2\x96\x81", b" ").strip(b" ")
    text = re.sub(rb"(?<=[a-z])\xc4\xa0(?=[a-z])", b" ", text)
    return re.sub(rb"[ ]##(?=\w)(?!\w+##)|(?<=\w)@@(?:[ ]|$)", b"", text, flags=re.MULTILINE)


def decoded_entities(text: bytes) -> bytes:
    """Decode entities of HTML; an encoded newline becomes a blank, since it ends no sentence."""
    if b"&" not in text:
        return text
    import html  # few runs need it

    string = re.sub(
        "&#?[0-9A-Za-z]{1,32};",
        lambda match: html.unescape(match[0]).replace("\n", " "),
        text.decode("utf-8", "surrogateescape"),
    )
    return string.encode("utf-8", "surrogateescape")


STRIP: dict[str, Mend] = {
    "think": without_thinking,
    "special-tokens": without_special_tokens,
    "subwords": joined_pieces,
    "entities": decoded_entities,
}
"""The cleaning functions of ``--strip``, in the order in which they are applied."""


def cleaner(kinds: Sequence[str]) -> Mend | None:
    """Return the function that cleans a text for ``--strip``; None if `kinds` is empty."""
    mends = [mend for kind, mend in STRIP.items() if kind in kinds]
    if not mends:
        return None

    def cleaned(text: bytes) -> bytes:
        for mend in mends:
            text = mend(text)
        return text

    return cleaned


def _inside(text: bytes) -> bytes:
    tokens = list(re.finditer(SPECIAL_TOKENS, text))
    start, end = 0, len(text)
    for token in tokens:
        if text[start : token.start()].strip():
            break
        start = token.end()
    for token in reversed(tokens):
        if token.start() < start or text[token.end() : end].strip():
            break
        end = token.start()
    return text[start:end]


def has_special_tokens(text: bytes) -> bool:
    """Return whether a text has special tokens other than separators of sentences."""
    tokens = set(re.findall(SPECIAL_TOKENS, text))
    if not tokens:
        return False
    inside = set(re.findall(SPECIAL_TOKENS, _inside(text)))
    return not (inside and any(tokens <= family for family in MAY_SEPARATE))


def has_written_newline(text: bytes) -> bool:
    r"""Return whether a text seems to have ``\n`` as two characters instead of a newline."""
    if re.search(_NO_NEWLINES, text):
        return False
    return re.search(WRITTEN_NEWLINE, re.sub(_IN_CODE, b"", text)) is not None


def is_list_of_words(text: bytes) -> bool:
    """Return whether nearly all lines of a text are single words."""
    if text.count(b"\n") < FEWEST_ITEMS - 1:
        return False
    lines = text.split(b"\n")
    words = text.split()
    if 10 * len(words) > 11 * len(lines) or len(words) < FEWEST_ITEMS:
        return False
    string = text.decode("utf-8", "replace")
    return len(string) <= (LONGEST_WORD + 1) * len(lines) and not re.search(UNSEGMENTED, string)


def _joined_words(text: bytes) -> bytes:
    return text.replace(b"\n", b" ")


def has_pieces(text: bytes) -> bool:
    """Return whether a text has marks of pieces of words, other than in special tokens."""
    return re.search(PIECES, re.sub(SPECIAL_TOKENS, b"", text), re.MULTILINE) is not None


def is_unsegmented(text: bytes) -> bool:
    """Return whether most of a text is Han, Kana or Thai without blanks between words."""
    string = text.decode("utf-8", "replace")
    n_letters = len(re.findall(UNSEGMENTED, string))
    parts = string.split()
    return 2 * n_letters > len(string) and n_letters > LONGEST_RUN * len(parts)


def _repaired(text: bytes) -> bytes:
    try:
        return text.decode().encode("cp1252").decode().encode()
    except UnicodeError:
        return text


def _nfkc(text: bytes) -> bytes:
    import unicodedata  # few runs need it

    string = unicodedata.normalize("NFKC", text.decode("utf-8", "surrogateescape"))
    return string.encode("utf-8", "surrogateescape")


def _in_words_of_jieba(text: bytes) -> bytes:
    from rouge_cli.text.segmenters import jieba_words

    return " ".join(jieba_words("words=jieba")(text.decode("utf-8", "replace"))).encode()


class Seen(NamedTuple):
    """A row of the table: something noticeable in texts, and its remedy.

    - `key`: the name of the row; `what`: a description of the finding; `effect`: its effect on
      scores; `remedy`: advice to the user.
    - `marks`: every such text contains at least one of these; all texts are searched at once.
    - `is_in`: tests a text; `mended`: repairs a text, if that is possible.
    - `least`: the minimum share of the predictions, or of the references, that is reported.
    - `separator`: the value of ``--sentence-separator``, for marks between sentences.
    - `applies`: the condition under which the row matters, by its name in `rouge_cli.run.seen`.
    - `of_models`: whether `is_in` gets the texts of all models, one per line.
    - `flag`: the flag by which the core finds it in all texts, and not only in the sample.
    """

    key: str
    what: str
    effect: str
    remedy: str
    marks: tuple[bytes, ...]
    is_in: Callable[[bytes], bool]
    mended: Mend | None
    least: float = 0.05
    separator: str = ""
    applies: str = ""
    of_models: bool = False
    flag: int = 0


_USUAL = bytes(range(ord("0"), ord("9") + 1)) + bytes(range(65, 91)) + bytes(range(97, 123)) + b" "


def _odd_bytes(text: bytes) -> frozenset[int]:
    return frozenset(text.translate(None, _USUAL))


def seen_marks(joined: bytes) -> Callable[[Seen], bool]:
    """Return a function that tells whether joined texts may contain the finding of a row.

    The test first compares sets of unusual bytes, which makes most searches unnecessary.
    """
    odd = _odd_bytes(joined)

    def may_hold(row: Seen) -> bool:
        marks = (mark for mark in row.marks if odd >= _odd_bytes(mark))
        return not row.marks or any(mark in joined for mark in marks)

    return may_hold


def _has(pattern: bytes, flags: int = 0) -> Callable[[bytes], bool]:
    return lambda text: re.search(pattern, text, flags) is not None


def _separator(mark: str, applies: str = "", is_in: Callable[[bytes], bool] | None = None) -> Seen:
    raw, option = mark.split(maxsplit=1)[0].encode(), mark.split()

    def split(text: bytes) -> bytes:
        for word in option:
            text = text.replace(word.encode(), b"\n")
        return text

    is_word = any(map(str.isalnum, mark))
    effect = f"{'it counts as a word, and ' if is_word else ''}no sentence ends there"
    least = 0.2 if is_in or not is_word else 0.05
    what = repr(raw.decode())
    is_in = is_in or (lambda text: raw in text and not has_special_tokens(text))
    return Seen(mark, what, effect, "", (raw,), is_in, split, least, mark, applies)


# fmt: off
SEEN: tuple[Seen, ...] = (
    Seen("placeholder", "nothing but a word such as 'nan', 'None' or 'NULL'", "",
         "programs write these for a missing value, and they are scored as words; leave such texts "
         "out, or repair what wrote them",
         (), lambda text: text.strip().lower() in PLACEHOLDERS, None, flag=IS_SHORT),
    Seen("html", "entities or tags of HTML, such as &amp; or <br>", "their letters count as words",
         "convert the texts to plain text; --strip entities decodes the entities",
         (), _has(MARKUP), decoded_entities, flag=HAS_MARKUP),
    Seen("backslash", "a backslash and an n in place of a newline", "the n counts as a letter",
         "write newlines, or give --sentence-separator '\\n', or '\\r\\n' where it is that",
         (), has_written_newline,
         lambda text: text.replace(b"\\r\\n", b"\n").replace(b"\\n", b"\n"), flag=HAS_BACKSLASH),
    # Which of these cut words depends on the tokenizer: see `rouge_cli.run.text_findings`.
    Seen("invisible", "soft hyphens or zero-width spaces within words", "",
         "such words are cut in two or match no others; delete these characters, U+00AD and U+200B",
         (), lambda text: False, None, flag=HAS_INVISIBLE),
    Seen("special tokens", "special tokens of language models, such as <pad> or <|endoftext|>",
         "they count as words",
         "leave them out with --strip special-tokens, or decode with skip_special_tokens=True",
         (b"<", b"[CLS]", b"[PAD]", b"[SEP]", b"[UNK]", b"[MASK]", b"[EOS]", b"[BOS]", b"INST]"),
         has_special_tokens, without_special_tokens),
    Seen("think", "blocks of reasoning, such as <think>", "they count as part of the summary",
         "leave them out with --strip think", (b"<", b"THINK"),
         _has(rb"</?(?:%b)>|\[/?THINK\]" % _BLOCKS, re.IGNORECASE), without_thinking),
    Seen("subwords", "pieces of a subword tokenizer (##, @@ or U+2581)",
         "each piece counts as a word",
         "join them with --strip subwords, or decode the output of the model",
         (b" ##", b"@@", b"\xe2\x96\x81", b"\xc4\xa0"), has_pieces, joined_pieces, least=0.2),
    *(_separator(mark, "sentences")
      for mark in ("<q>", "<t> </t>", "<s> </s>", "<n>", "##SENT##", "[SEP]", "|||||")),
    *map(_separator, (
        "story_separator_special_tag", "<doc-sep>", "[X_SEP]", "<S_SEP>", "<SEP>", "<sep>", "</s>",
        "<eos>", "<EOS>", "[EOS]", "<eop>", "<sent>", "<newline>", "NEWLINE_CHAR",
    )),
    _separator("EOS", is_in=_has(rb"(?<=[\w.!?] )EOS(?= \w)")),
    Seen("list of words", "a list of words where a list of sentences is meant",
         "each word counts as a sentence of its own", "join the words of a text with blanks",
         (b"\n",), is_list_of_words, _joined_words, least=0.5, applies="sentences"),
    Seen("words as references", "a word in each reference, where a list of references is meant",
         "each word counts as a reference of its own",
         "join the words of a reference with blanks",
         (), is_list_of_words, _joined_words, least=0.5, of_models=True),
    Seen("unsegmented", "no blanks between words of Chinese, Japanese or Thai",
         "words are found at blanks here, so that a sentence is one word",
         "cut the texts into words first; with rouge-chinese, "
         "--protocol rouge-chinese:words=jieba",
         (), is_unsegmented, _in_words_of_jieba, least=0.5, applies="blanks"),
    Seen("compatibility letters", "full-width or mathematical letters, or ligatures",
         "they are other letters than those of the keyboard, and match none of these",
         "give --tokenizer unicode --normalization nfkc",
         (b"\xef\xbc", b"\xef\xbd", b"\xf0\x9d", b"\xef\xac"),
         _has(COMPATIBILITY), _nfkc, applies="no nfkc"),
    Seen("UTF-8 read as cp1252",
         "letters such as \u00c3\u00a9 for \u00e9, as of UTF-8 that was read as cp1252",
         "such words match no others",
         "name with --encoding FILE:cp1252 only the files in it, or repair what wrote the text",
         (b"\xc3\x83", b"\xc3\xa2\xe2\x82\xac", b"\xc3\x90\xc2", b"\xc3\x91\xe2"),
         _has(MOJIBAKE), _repaired),
    Seen("cp1252 read as UTF-8", "bytes that are not UTF-8", "their letters match no others",
         "name the encoding of the file, such as --encoding FILE:cp1252",
         (), lambda text: not is_utf8(text),
         lambda text: text.decode("cp1252", "replace").encode(),
         applies="not UTF-8"),
    Seen("replacement characters", "U+FFFD, which replaces letters that were lost",
         "such words match no others",
         "write the file again in UTF-8 from what it was made of",
         (b"\xef\xbf\xbd",), _has(b"\xef\xbf\xbd"), None),
)
# fmt: on
"""All findings, in the order in which they are reported."""

_UNFLAGGED: dict[frozenset[int], list[tuple[bytes, Seen]]] = {}
"""For each set of unusual bytes, the marks with these bytes that the core does not flag."""
for _row in SEEN:
    for _mark in () if _row.flag else _row.marks or (b"",):
        _UNFLAGGED.setdefault(_odd_bytes(_mark), []).append((_mark, _row))


def is_any_seen(peer: bytes, model: bytes) -> bool:
    """Return whether a pair may have a finding that the core does not flag; takes about 10 us."""
    odd = _odd_bytes(peer) | _odd_bytes(model)
    return any(
        (mark in peer or mark in model) and (row.is_in(peer) or row.is_in(model))
        for needed, marks in _UNFLAGGED.items()
        if needed <= odd
        for mark, row in marks
    )
