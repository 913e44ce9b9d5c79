"""The words and sentences of js-rouge: a Treebank tokenizer and a sentence splitter in JavaScript.

Versions 3.0.0 and 3.2.0 read a text at once, later ones sentence by sentence. The rules of 3.2.3
for sentences are those of 3.2.1 with one more abbreviation, which finds the same sentences in most
texts: the package has 6,000 lines of rules for quotations, lists, citations and host names.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any
from unicodedata import category

from rouge_cli.data import JS_ROUGE_ABBREVIATIONS, read_list

SPACES = "\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
"""White space of JavaScript, for a class of characters."""

_IS_SPACE = re.compile(f"[{SPACES}]").fullmatch
_SPACE_CHARACTERS = SPACES.replace("\u2000-\u200a", "".join(map(chr, range(0x2000, 0x200B))))

# Every step looks first whether a text has its mark: most have few, and that takes a tenth of the
# time.

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
_AS_WORDS = [re.compile(pattern, re.ASCII | re.IGNORECASE) for pattern in _PARTED]
_PARTED_WORDS = [re.sub(r"\\b|[() ]", "", pattern) for pattern in _PARTED]


@cache
def _parted_anywhere() -> list[Any]:
    """Return the patterns of 3.2.3, in which a word may not touch any letter."""
    import regex

    bound = r"[\p{ID_Continue}\u200c\u200d]"
    return [
        regex.compile(
            f"(?<!{bound})"
            + pattern.strip(" ").replace(r"\b", "")
            + ("(?= )" if pattern.endswith(" ") else f"(?!{bound})"),
            regex.IGNORECASE,
        )
        for pattern in _PARTED
    ]


def _parted(text: str, patterns: list[Any], count: int = 0) -> str:
    lowered = text.lower()
    for word, pattern in zip(_PARTED_WORDS, patterns, strict=True):
        if word in lowered:
            text = pattern.sub(r" \1 \2 ", text, count=count)
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


def _at_blanks(text: str) -> list[str]:
    return list(filter(None, text.split(" "))) or [""]


def words_of_text(text: str, *, has_undefined: bool) -> list[str]:
    """Return the words of 3.0.0, where `has_undefined`, and of 3.2.0; newlines stay in words."""
    if not text:
        return []
    if '"' in text:
        text = re.sub(r'\A"', " `` ", text)
        text = re.sub(r'([ (\[{<])"', r"\1 `` ", text)
    text = _with_blanks(re.sub(r"\.{2,}", " ... ", text) if ".." in text else text, ";@#$%&")
    filled = text.rstrip(_SPACE_CHARACTERS)
    body = filled.rstrip("])}>\"'")
    if body[-1:] == "." and body[-2:-1] not in {"", "."}:
        text = f"{body[:-1]} .{filled[len(body) :]} "
    text = _with_blanks(text, ",?![](){}<>")
    text = re.sub("-{2,}", " -- ", text) if "--" in text else text
    text = _with_apostrophes(f" {text} ".replace('"', " '' "))
    text = _parted(text, _AS_WORDS, count=1)
    if has_undefined:
        text = text.replace("undefined", " $1 $2 ", 1)
    return _at_blanks(text)


_COMMAS = {"3.2.1": re.compile("[:,](?![0-9])"), "3.2.3": re.compile(r"[:,](?!\d)")}
_IS_ABBREVIATED = re.compile(r"\b[A-Z]\.[A-Z]\Z", re.ASCII | re.IGNORECASE).search


def words_of_sentence(sentence: str, *, version: str) -> list[str]:
    """Return the words of 3.2.1 or 3.2.3."""
    return list(filter(None, in_blanks([sentence], version=version).split(" ")))


def in_blanks(sentences: Iterable[str], *, version: str) -> str:
    """Return lines of sentences with blanks around the words of 3.2.1 or 3.2.3.

    Marks are replaced in all lines together, which takes half the time.
    """
    is_new = version == "3.2.3"
    text = "\n".join([f" {_with_last_period(sentence, is_new)} " for sentence in sentences])
    text = _COMMAS[version].sub(r" \g<0> ", text)
    text = _with_blanks(text, ";@#$%&?![](){}<>")
    if "--" in text:
        text = text.replace("--", " -- ") if is_new else re.sub("-{2,}", " -- ", text)
    lowered = text.lower()
    if "'" not in text and not any(word in lowered for word in _PARTED_WORDS):
        return text
    patterns = _parted_anywhere() if is_new else _AS_WORDS
    return "\n".join([_parted(_with_apostrophes(line), patterns) for line in text.split("\n")])


def _with_last_period(sentence: str, is_new: bool) -> str:
    """Return a sentence with quotes and runs of periods replaced, and its last period apart."""
    if sentence.isprintable():
        text = sentence.strip(" ")
    else:
        text = re.sub(f"[{SPACES}\x85]+" if is_new else f"[{SPACES}]+", " ", sentence).strip(" ")
    if '"' in text or (is_new and ("``" in text or "''" in text)):
        text = _with_new_quotes(text) if is_new else _with_quotes(text)
    if ".." in text:
        text = text.replace("...", " ... ") if is_new else re.sub(r"\.{2,}", " ... ", text)
    body = text.rstrip("])}>'" + _SPACE_CHARACTERS)
    is_end = body[-1:] == "." and body[-2:-1] not in {"", "."}
    if is_end and not _IS_ABBREVIATED(body[-5:-1]):
        text = f"{body[:-1]} .{text[len(body) :]} "
    return text


_OPENING, _CLOSING = "([{<", ")]}>"


def _opens(text: str, place: int) -> bool:
    """Return whether a quotation mark may open a quotation by what is before it."""
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
def _abbreviated(has_vs: bool, are_exceptions: bool) -> Callable[[str], bool]:
    """Return what says whether a text ends in an abbreviation, or in one of the exceptions."""
    lines = (line.split("\t") for line in read_list(JS_ROUGE_ABBREVIATIONS).decode().splitlines())
    words = [
        word for word, *mark in lines if (has_vs or word != "vs") and (mark or not are_exceptions)
    ]
    ends = {word[-2:].lower() for word in words}
    find = re.compile(
        rf"\b(?:{'|'.join(map(re.escape, words))})[.!?] ?\Z", re.ASCII | re.IGNORECASE
    ).search

    def is_abbreviated(text: str) -> bool:
        # Nearly all texts end otherwise, which is quickly seen; all words have two letters.
        return text.rstrip(" ")[-3:-1].lower() in ends and bool(find(text))

    return is_abbreviated


def _is_upper(text: str) -> bool:
    """Return whether a text begins with a capital; False if it is empty."""
    first = text[:1]
    return bool(first) and (
        category(first) in {"Lu", "Lt"} or first.upper() == first != first.lower()
    )


def _is_cased(text: str) -> bool:
    first = text[:1]
    return bool(first) and (category(first) in {"Lu", "Ll", "Lt"} or first.upper() != first.lower())


_TAIL = 10
_EVENTS = re.compile(r'["()\[\]{}<>.?!\r\n]')
_FILLED = re.compile(f"[^{SPACES}]")
_BEHIND_MARKS = re.compile(f"[^{SPACES}\"'(\\[{{<]")
_TAKEN = re.compile(r"[\])}>\"']*")


def _begin(text: str, place: int) -> int:
    match = _FILLED.search(text, place)
    return match.start() if match else len(text)


def _end_of_marks(text: str, place: int) -> int:
    """Return where the closing marks end that a sentence may take along."""
    if text[place : place + 1] not in "])}>\"'":
        return place
    match = _TAKEN.match(text, place)
    return match.end() if match else place


@cache
def _ends_in_cased() -> Callable[[str], Any]:
    import regex

    cased = regex.compile(r"(?:\A|[\s.|])[\p{Lu}\p{Ll}\p{Lt}]\p{M}*\S?\Z")
    search: Callable[[str], Any] = cased.search
    return search


class _Splitter:
    """Finds the sentences of 3.2.1; without case if `is_neutral`."""

    def __init__(self, has_vs: bool, is_neutral: bool) -> None:
        self._is_neutral = is_neutral
        self._is_title = _is_cased if is_neutral else _is_upper
        self._abbreviated = _abbreviated(has_vs, False)
        self._excepted = _abbreviated(has_vs, True)

    def sentences(self, text: str) -> list[str]:
        return list(self._joined(list(self._pieces(text)))) or [text]

    def _pieces(self, text: str) -> Iterator[str]:
        """Yield the text between matches and these, by turns."""
        end = last = 0
        begin = _begin(text, 0)
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
            place = event.start()
            end = place + 1
            if text[place] in "\r\n":
                begin = _begin(text, end)
            elif text[place] not in ".?!":
                count(place)
            elif place > begin:
                cut = self._cut(text, place, is_open, depth, is_noted)
                if cut is not None:
                    for taken in range(end, cut):
                        count(taken)
                    yield text[last:begin]
                    yield text[begin:cut].replace("\r", " ").replace("\n", " ")
                    end = last = cut
                    begin = _begin(text, end)
        yield text[last:]

    def _cut(self, text: str, place: int, is_open: bool, depth: int, is_noted: bool) -> int | None:
        """Return where a sentence ends that may end with a mark; None if it does not."""
        end = _end_of_marks(text, place + 1)
        while True:
            after = _begin(text, end)
            following = text[after : after + 1]
            still_open = is_open and '"' not in text[place + 1 : end]
            if (
                after == end
                or not following
                or not (following in _CLOSING or (following == '"' and still_open))
            ):
                break
            end = _end_of_marks(text, after)
        if after == end and following:
            return None
        taken = text[place + 1 : end]
        if not taken:
            return end
        n_brackets = sum(taken.count(mark) for mark in _CLOSING)
        ends_quotation = is_open and taken[-1] == '"'
        if n_brackets and (n_brackets < depth or not (is_noted or ends_quotation)):
            return None
        rest = _BEHIND_MARKS.search(text, end)
        tail = self._tail(text[max(place + 1 - _TAIL, 0) : place + 1])
        if rest is None:
            return end
        is_held = not self._is_title(rest[0]) or (n_brackets and tail.endswith(".."))
        return None if is_held or self._excepted(tail) else end

    def _tail(self, text: str) -> str:
        return text[-_TAIL:].lower() if self._is_neutral else text[-_TAIL:]

    def _joined(self, pieces: list[str]) -> Iterator[str]:
        """Yield sentences; joined pieces take the place of the last of them."""
        place = 0
        pieces += ["", ""]
        while place < len(pieces) - 2:
            piece, following, second = pieces[place : place + 3]
            piece = piece.strip(" ")
            # The only white space in it is blanks.
            is_line = piece.isprintable()
            if not piece or (not is_line and is_blank(piece)):
                place += 1
                continue
            joined = self._join(piece, following, second) if following else None
            if joined is not None:
                n_joined, text = joined
                place += n_joined
                pieces[place] = text
                continue
            if is_line:
                yield piece
            else:
                lines = piece.replace("\r", "\n").split("\n")
                yield from filter(None, map(_trimmed, lines))
            place += 1

    def _join(self, piece: str, following: str, second: str) -> tuple[int, str] | None:
        """Return how many pieces are joined, and their text; None if the piece is a sentence."""
        tail = self._tail(piece)
        with_next: tuple[int, str] | None = None
        if "\n" in piece or "\r" in piece:
            if self._is_title(_trimmed(piece)):
                with_next = 1, _trimmed(_squeezed(f"{piece} {following}"))
        elif self._abbreviated(tail):
            if self._excepted(tail) or not self._is_title(_trimmed(following)):
                blanked = re.sub(" +", " ", following).lstrip(" ")
                joined = f"{piece} {blanked}".rstrip(" ")
                # A text of many abbreviations would be searched as often.
                with_next = 1, re.sub(" +", " ", joined) if "  " in joined else joined
        elif self._is_neutral and _ends_in_cased()(tail):
            with_next = self._with_page(piece, following, second)
        elif not self._is_neutral and _ENDS_IN_LETTER.search(tail):
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
    """Return the sentences of 3.2.1 or 3.2.3; if `is_neutral`, without regard to case."""
    return _splitter(version == "3.2.3", is_neutral).sentences(text)


def is_blank(text: str) -> bool:
    """Return whether a text has nothing but white space."""
    return not _FILLED.search(text)


def filled_lines(text: str) -> list[str]:
    """Return the lines of a text that have more than white space."""
    return [line for line in text.split("\n") if not is_blank(line)]


def words_at_spaces(text: str) -> list[str]:
    """Return what is between white space."""
    return list(filter(None, re.split(f"[{SPACES}]+", text)))
