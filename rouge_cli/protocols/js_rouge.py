"""The words and sentences of js-rouge: a Treebank tokenizer and a sentence splitter in JavaScript.

Versions 3.0.0 and 3.2.0 tokenize a whole text, later ones each sentence. Here, 3.2.3 splits
sentences by the rules of 3.2.1 with one more abbreviation. That gives the same sentences for most
texts; the package itself has 6,000 lines of rules for quotations, lists, citations and host names.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any
from unicodedata import category

from rouge_cli.data import JS_ROUGE_ABBREVIATIONS, read_list

SPACES = "\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
"""JavaScript's white space, written for a character class of a regular expression."""

_IS_SPACE = re.compile(f"[{SPACES}]").fullmatch
_SPACE_CHARACTERS = SPACES.replace("\u2000-\u200a", "".join(map(chr, range(0x2000, 0x200B))))

# Most texts contain few of the marks below, so each step tests for its mark before it replaces
# anything. The test takes a tenth of the time of a replacement.

_PARTED = [
    *(
        rf"\b({first})({second})\b"
        for first, second in (
            ("can", "not"), ("d", "'ye"), ("gim", "me"), ("gon", "na"), ("got", "ta"),
            ("lem", "me"), ("more", "'n"),
        )
    ),
    r"\b(wan)(na) ", r" ('t)(is)\b", r" ('t)(was)\b",
]  # fmt: skip
_PARTED_WORDS = [re.sub(r"\\b|[() ]", "", pattern) for pattern in _PARTED]


@cache
def _parted_word(pattern: str, is_new: bool) -> Any:
    """Compile a pattern of `_PARTED`; `is_new` means version 3.2.3."""
    # Letters and digits next to a word prevent a match: those of ASCII up to 3.2.1, all in 3.2.3.
    if not is_new:
        return re.compile(pattern, re.ASCII | re.IGNORECASE)
    import regex

    bound = r"[\p{ID_Continue}\u200c\u200d]"
    end = "(?= )" if pattern.endswith(" ") else f"(?!{bound})"
    words = pattern.strip(" ").replace(r"\b", "")
    return regex.compile(f"(?<!{bound}){words}{end}", regex.IGNORECASE)


def _parted(text: str, is_new: bool, count: int = 0) -> str:
    lowered = text.lower()
    has_apostrophe = "'" in text
    for word, pattern in zip(_PARTED_WORDS, _PARTED, strict=True):
        if (has_apostrophe or "'" not in word) and word in lowered:
            text = _parted_word(pattern, is_new).sub(r" \1 \2 ", text, count=count)
    return text


def _with_blanks(text: str, marks: str) -> str:
    for mark in marks:
        if mark in text:
            text = text.replace(mark, f" {mark} ")
    return text


_APOSTROPHES = [
    (re.compile(pattern), new)
    for pattern, new in (
        ("([^'])' ", r"\1 ' "),
        ("'([smdSMD]) ", r" '\1 "),
        ("('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r" \1 "),
    )
]


def _with_apostrophes(text: str) -> str:
    if "'" in text:
        for pattern, new in _APOSTROPHES:
            text = pattern.sub(new, text)
    return text


def words_of_text(text: str, *, has_undefined: bool) -> list[str]:
    """Return the words of a text as found by 3.0.0 (`has_undefined`) or 3.2.0.

    Newlines do not separate words.
    """
    if not text:
        return []
    if '"' in text:
        text = re.sub(r'\A"', " `` ", text)
        text = re.sub(r'([ (\[{<])"', r"\1 `` ", text)
    text = _with_blanks(re.sub(r"\.{2,}", " ... ", text) if ".." in text else text, ";@#$%&")
    # Only the last period of a text is cut off, before any closing brackets and quotation marks.
    filled = text.rstrip(_SPACE_CHARACTERS)
    body = filled.rstrip("])}>\"'")
    if body[-1:] == "." and body[-2:-1] not in {"", "."}:
        text = f"{body[:-1]} .{filled[len(body) :]} "
    text = _with_blanks(text, ",?![](){}<>")
    text = re.sub("-{2,}", " -- ", text) if "--" in text else text
    text = _with_apostrophes(f" {text} ".replace('"', " '' "))
    text = _parted(text, False, count=1)
    if has_undefined:
        # A defect of 3.0.0: these characters replace the first "undefined" in a text.
        text = text.replace("undefined", " $1 $2 ", 1)
    return list(filter(None, text.split(" "))) or [""]


# One pattern per mark, as a pattern that begins with a literal is several times as fast as one that
# begins with a character class.
_COMMAS = {
    "3.2.1": {mark: re.compile(f"{mark}(?![0-9])") for mark in ",:"},
    "3.2.3": {mark: re.compile(rf"{mark}(?!\d)") for mark in ",:"},
}
# The last period of an abbreviation such as "U.S." belongs to the word.
_LAST_PERIOD = re.compile(
    r"\.(?<!\.\.)(?<!\b[A-Za-z]\.[A-Za-z]\.)(?=[\])}>' ]*$)", re.ASCII | re.MULTILINE
)


def words_of_sentence(sentence: str, *, version: str) -> list[str]:
    """Return the words of a sentence as found by 3.2.1 or 3.2.3."""
    return list(filter(None, in_blanks([sentence], version=version).split(" ")))


def in_blanks(sentences: Iterable[str], *, version: str) -> str:
    """Return sentences, one per line, with blanks around the words of 3.2.1 or 3.2.3.

    Marks are replaced in all lines at once, which takes half as long as line by line.
    """
    is_new, between = version == "3.2.3", " \n "
    squeeze = re.compile(f"[{SPACES}\x85]+" if is_new else f"[{SPACES}]+").sub
    # A printable text has no white space but blanks, so there is nothing to squeeze.
    lines = [text if text.isprintable() else squeeze(" ", text) for text in sentences]
    text = f" {between.join(lines)} "
    if '"' in text or (is_new and ("`" in text or "''" in text)):
        quote = _with_new_quotes if is_new else _with_quotes
        text = f" {between.join([quote(line.strip(' ')) for line in lines])} "
    if ".." in text:
        text = text.replace("...", " ... ") if is_new else re.sub(r"\.{2,}", " ... ", text)
    text = _LAST_PERIOD.sub(" .", text)
    for mark, comma in _COMMAS[version].items():
        if mark in text:
            text = comma.sub(f" {mark} ", text)
    text = _with_blanks(text, ";@#$%&?![](){}<>")
    if "--" in text:
        text = text.replace("--", " -- ") if is_new else re.sub("-{2,}", " -- ", text)
    return _parted(_with_apostrophes(text), is_new)


_OPENING, _CLOSING = "([{<", ")]}>"
_END_MARKS = '])}>"'


def _opens(text: str, place: int) -> bool:
    return not place or text[place - 1] in _OPENING or bool(_IS_SPACE(text[place - 1]))


def _with_quotes(text: str) -> str:
    is_open = False

    def quote(match: re.Match[str]) -> str:
        nonlocal is_open
        is_open = not is_open and _opens(text, match.start())
        return " `` " if is_open else " '' "

    return re.sub('"', quote, text)


def _with_new_quotes(text: str) -> str:
    quotes = list(re.finditer("``|''|\"", text))
    is_open, end, parts = False, 0, []
    for number, match in enumerate(quotes):
        following = quotes[number + 1][0] if number + 1 < len(quotes) else ""
        if match[0] == "``":
            is_open = True
        else:
            is_open = not is_open and _opens_by_new_rule(text, match, following)
        parts += [text[end : match.start()], " `` " if is_open else " '' "]
        end = match.end()
    return "".join([*parts, text[end:]])


def _opens_by_new_rule(text: str, match: re.Match[str], following: str) -> bool:
    before, after = text[: match.start()], text[match.end() :]
    if match[0] == "''":
        kind = category(after[0]) if before and after else ""
        if following != "''" or not (kind[:1] in {"L", "N"} or kind in {"Sc", "Ps"}):
            return False
    if not before or _IS_SPACE(before[-1]) or before[-1] == "<":
        return True
    kind = category(before[-1])
    if not after:
        return kind == "Ps"
    return before.endswith("``") or (kind.startswith("P") and before[-1] not in ".!?")


# Sentences


@cache
def _abbreviations() -> list[list[str]]:
    return [line.split("\t") for line in read_list(JS_ROUGE_ABBREVIATIONS).decode().splitlines()]


@cache
def _abbreviated(has_vs: bool, are_exceptions: bool) -> Callable[[str], Any]:
    """Return the search method of a pattern for an abbreviation at the end of a text.

    The abbreviation includes its mark. With `are_exceptions`, the pattern is limited to those
    that the list marks as exceptions.
    """
    words = [
        re.escape(word)
        for word, *mark in _abbreviations()
        if (has_vs or word != "vs") and (mark or not are_exceptions)
    ]
    return re.compile(rf"\b(?:{'|'.join(words)})[.!?]\Z", re.ASCII | re.IGNORECASE).search


def _is_upper(text: str) -> bool:
    first = text[:1]
    return bool(first) and (
        category(first) in {"Lu", "Lt"} or first.upper() == first != first.lower()
    )


def _is_cased(text: str) -> bool:
    first = text[:1]
    return bool(first) and (category(first) in {"Lu", "Ll", "Lt"} or first.upper() != first.lower())


_TAIL = 10
_EVENTS = re.compile(rf'["()\[\]{{}}<>.?!\r\n][{SPACES}]*')
_FILLED = re.compile(f"[^{SPACES}]")
_BEHIND_MARKS = re.compile(f"[^{SPACES}\"'(\\[{{<]")
_TAKEN = re.compile(r"[\])}>\"']*")


def _begin(text: str, place: int) -> int:
    match = _FILLED.search(text, place)
    return match.start() if match else len(text)


def _end_of_marks(text: str, place: int) -> int:
    """Return the end of the closing brackets and quotation marks that start at `place`."""
    match = _TAKEN.match(text, place)
    return match.end() if match else place


@cache
def _ends_in_cased() -> Callable[[str], Any]:
    import regex

    cased = regex.compile(r"(?:\A|[\s.|])[\p{Lu}\p{Ll}\p{Lt}]\p{M}*\S?\Z")
    search: Callable[[str], Any] = cased.search
    return search


class _Splitter:
    """Splits a text into sentences as 3.2.1 does; ignores case if `is_neutral`."""

    def __init__(self, has_vs: bool, is_neutral: bool) -> None:
        self._is_neutral = is_neutral
        self._is_title = _is_cased if is_neutral else _is_upper
        self._abbreviated = _abbreviated(has_vs, False)
        self._excepted = _abbreviated(has_vs, True)
        ends = {word[-2:].lower() for word, *_ in _abbreviations()}

        # Cached by the last three characters: nearly all sentences end in one of a few ways, and
        # most of these rule out that the next sentence is joined.
        @lru_cache(4096)
        def may_join(end: str) -> bool:
            is_abbreviated = end[:2].lower() in ends
            is_letter = bool(_ENDS_IN_LETTER.search(end))
            return is_neutral or is_abbreviated or is_letter or end.endswith("..")

        self._may_join = may_join

    def pieces(self, text: str) -> list[str]:
        """Return gaps and sentences in turn, then the rest of the text.

        The gap before a sentence is usually white space.
        """
        pieces: list[str] = []
        last = 0
        end = begin = _begin(text, 0)
        is_open, depth, is_noted = False, 0, False

        def count(place: int) -> None:
            nonlocal is_open, depth, is_noted
            mark = text[place]
            if mark == '"':
                is_open = not is_open and _opens(text, place)
            elif mark in _OPENING:
                is_noted = begin == place if not depth else is_noted
                depth += 1
            elif mark in _CLOSING:
                depth = max(depth - 1, 0)

        while event := _EVENTS.search(text, end):
            place, after = event.span()
            end = place + 1
            mark = text[place]
            if mark in "\r\n":
                end = begin = after
            elif mark not in ".?!":
                count(place)
            elif place > begin:
                # Most sentences end at the mark itself, followed by white space and the next one.
                # Only the others need `_cut`.
                cut = end
                if after == end or text[after : after + 1] in _END_MARKS:
                    cut, after = self._cut(text, place, is_open, depth, is_noted)
                if cut:
                    while end < cut:
                        count(end)
                        end += 1
                    pieces += text[last:begin], text[begin:cut]
                    last = cut
                    end = begin = after
        # From here on, `\r` and `\n` end lines, so those inside a sentence become blanks.
        pieces[1::2] = [piece.replace("\r", " ").replace("\n", " ") for piece in pieces[1::2]]
        return [*pieces, text[last:]]

    def _cut(
        self, text: str, place: int, is_open: bool, depth: int, is_noted: bool
    ) -> tuple[int, int]:
        """Return the end of a sentence that may end at a mark, and the start of the next.

        The end is 0 if the sentence continues. `is_open`: a quotation is open; `depth`: the number
        of open brackets; `is_noted`: the sentence begins with a bracket.
        """
        end = _end_of_marks(text, place + 1)
        after = _begin(text, end)
        while following := text[after : after + 1]:
            if after == end:
                return 0, after
            if following not in _END_MARKS:
                break
            if following == '"' and not (is_open and '"' not in text[place + 1 : end]):
                break
            end = _end_of_marks(text, after)
            after = _begin(text, end)
        taken = text[place + 1 : end]
        if not taken:
            return end, after
        n_brackets = sum(taken.count(mark) for mark in _CLOSING)
        ends_quotation = is_open and taken[-1] == '"'
        if n_brackets and (n_brackets < depth or not (is_noted or ends_quotation)):
            return 0, after
        rest = _BEHIND_MARKS.search(text, end)
        tail = self._tail(text[max(place + 1 - _TAIL, 0) : place + 1])
        if rest is None:
            return end, after
        is_held = not self._is_title(rest[0]) or (n_brackets and tail.endswith(".."))
        return (0 if is_held or self._excepted(tail) else end), after

    def _tail(self, text: str) -> str:
        return text[-_TAIL:].lower() if self._is_neutral else text[-_TAIL:]

    def joined(self, pieces: list[str]) -> list[str]:
        """Join pieces that belong together, and return the sentences."""
        sentences: list[str] = []
        place = 0
        pieces += "", ""
        while place < len(pieces) - 2:
            piece = pieces[place]
            trimmed = piece.strip(_SPACE_CHARACTERS)
            place += 1
            if not trimmed:
                continue
            piece = piece.strip(" ")
            has_lines = "\n" in piece or "\r" in piece
            if pieces[place] and (has_lines or self._may_join(piece[-3:])):
                joined = self._join(piece, *pieces[place : place + 2])
                if joined is not None:
                    # Joined pieces replace the last of them, which is examined again.
                    place += joined[0] - 1
                    pieces[place] = joined[1]
                    continue
            if has_lines:
                lines = piece.replace("\r", "\n").split("\n")
                sentences += filter(None, map(_trimmed, lines))
            else:
                sentences.append(trimmed)
        return sentences

    def _join(self, piece: str, following: str, second: str) -> tuple[int, str] | None:
        """Return the number of further pieces to join, and the joined text.

        None means that the piece is a sentence by itself.
        """
        tail = self._tail(piece)
        with_next: tuple[int, str] | None = None
        if "\n" in piece or "\r" in piece:
            if self._is_title(_trimmed(piece)):
                with_next = 1, _trimmed(_squeezed(f"{piece} {following}"))
        elif self._abbreviated(tail):
            if self._excepted(tail) or not self._is_title(_trimmed(following)):
                blanked = re.sub(" +", " ", following).lstrip(" ")
                joined = f"{piece} {blanked}".rstrip(" ")
                # Tested first, since the whole text is searched again after each abbreviation.
                with_next = 1, re.sub(" +", " ", joined) if "  " in joined else joined
        elif self._is_neutral and _ends_in_cased()(tail):
            with_next = self._with_page(piece, following, second)
        elif not self._is_neutral and _ENDS_IN_LETTER.search(piece[-3:]):
            with_next = self._with_initial(piece, following, second)
        elif tail.endswith(".."):
            is_blank = bool(second) and not following.strip(" ")
            with_next = 1 + is_blank, piece + re.sub(" +", " ", following) + second * is_blank
        return with_next

    def _with_page(self, piece: str, following: str, second: str) -> tuple[int, str] | None:
        if piece.rsplit(maxsplit=1)[-1].lower() != "p.":
            return None
        if _NUMBERED.match(_trimmed(following)):
            return 1, f"{piece} {following}"
        joins = not _trimmed(following) and _NUMBERED.match(_trimmed(second))
        return (2, piece + _squeezed(following) + second) if joins else None

    def _with_initial(self, piece: str, following: str, second: str) -> tuple[int, str] | None:
        *_, before, last = ["", *piece.rsplit(None, 2)[-2:]]
        if last == last.lower():
            return 1, f"{piece} {re.sub(' +', ' ', following)}"
        joins = second and self._is_title(before) and self._is_title(_trimmed(second))
        return (2, piece + _squeezed(following) + second) if joins else None


def _trimmed(text: str) -> str:
    return text.strip(_SPACE_CHARACTERS)


def _squeezed(text: str) -> str:
    return re.sub(f"[{SPACES}]+", " ", text)


_ENDS_IN_LETTER = re.compile(r"[ |.][A-Za-z].?\Z", re.DOTALL)
_NUMBERED = re.compile(r"#?\d|\(\d+\)")

_splitter = cache(_Splitter)


def sentences(text: str, *, version: str, is_neutral: bool = False) -> list[str]:
    """Return the sentences of a text as found by 3.2.1 or 3.2.3; `is_neutral` ignores case."""
    splitter = _splitter(version == "3.2.3", is_neutral)
    return splitter.joined(splitter.pieces(text)) or [text]


def is_blank(text: str) -> bool:
    """Return whether a text has only white space, as JavaScript defines it."""
    return not _FILLED.search(text)


def filled_lines(text: str) -> list[str]:
    """Return the lines of a text that are not blank."""
    return [line for line in text.split("\n") if not is_blank(line)]


def words_at_spaces(text: str) -> list[str]:
    """Return the words of a text, split at JavaScript's white space."""
    return list(filter(None, re.split(f"[{SPACES}]+", text)))
