"""Porter's suffix stripper for many words at once: `rouge_cli.text.porter` in columns.

The letters of all words lie behind one another, and a word is where it begins and where it ends.
To take a suffix away is to move the end; to put another in its place is to write over it, since no
replacement is longer. The measure of what stands before a suffix is the difference of two running
counts. Each step looks at the words that end in one of its suffixes, and at no others.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rouge_cli.text.porter import STEPS, Rules

__all__ = ["porter_stems"]

_Rows = NDArray[np.intp]

_Y: Final = ord("y")
_IS_VOWEL: Final = np.isin(np.arange(256), list(b"aeiou"))
_IS_HALVED: Final = ~np.isin(np.arange(256), list(b"aeiouylsz"))
_ENDS_SHORT: Final = ~np.isin(np.arange(256), list(b"wxy"))


def porter_stems(words: Sequence[bytes]) -> list[bytes]:
    """Strip the suffixes of words.

    Parameters
    ----------
    words : sequence of bytes
        Lower-case letters and digits of ASCII, at least three in a word.

    Returns
    -------
    list of bytes
        For each word what `rouge_cli.text.porter.porter_stem` returns.
    """
    stems = list(words)
    if stems:
        columns = _Words(stems)
        _strip_plurals(columns)
        _strip_participles(columns)
        _turn_y(columns)
        for rules, floor in STEPS:
            _strip_suffixes(columns, rules, floor)
        _strip_second_suffixes(columns)
        _tidy_ends(columns)
        for number, stem in columns.changed():
            stems[number] = stem
    return stems


class _Words:
    """Words in columns.

    Attributes
    ----------
    letters : ndarray of uint8
        All words, one behind the other.
    begins, ends : ndarray of intp, shape (n_words,)
        Where a word begins in `letters`, and where what is left of it ends.
    is_vowel : ndarray of bool
        For each letter, as it was when they were counted last.
    """

    def __init__(self, words: Sequence[bytes]) -> None:
        self.letters = np.frombuffer(bytearray(b"".join(words)), np.uint8)
        lengths = np.fromiter(map(len, words), np.intp, len(words))
        self.ends = lengths.cumsum()
        self.begins = self.ends - lengths
        self._is_changed = np.zeros(len(words), np.bool_)
        self.count()

    def changed(self) -> Iterator[tuple[int, bytes]]:
        """Yield what is left of each word that has been changed, with its number."""
        letters, rows = self.letters.tobytes(), np.flatnonzero(self._is_changed)
        columns = rows.tolist(), self.begins[rows].tolist(), self.ends[rows].tolist()
        for number, begin, end in zip(*columns, strict=True):
            yield number, letters[begin:end]

    def last_two(self) -> NDArray[np.uint16]:
        """Return the last two letters of each word, as a number."""
        first, second = self.letters[self.ends - 2], self.letters[self.ends - 1]
        both: NDArray[np.uint16] = first * np.uint16(256) + second
        return both

    def ending(self, suffix: bytes, rows: _Rows | None = None) -> _Rows:
        """Return the words, of all or of some, that end in a suffix."""
        if rows is None:
            rows = np.flatnonzero(self.letters[self.ends - 1] == suffix[-1])
        rows = rows[self.ends[rows] - self.begins[rows] >= len(suffix)]
        for place, letter in enumerate(reversed(suffix), start=1):
            rows = rows[self.letters[self.ends[rows] - place] == letter]
        return rows

    def replace(self, rows: _Rows, n_letters: int, replacement: bytes = b"") -> None:
        """Replace the last letters of words; `count` has to be called before what is new counts."""
        self._is_changed[rows] = True
        self.ends[rows] += len(replacement) - n_letters
        for place, letter in enumerate(reversed(replacement), start=1):
            self.letters[self.ends[rows] - place] = letter

    def count(self) -> None:
        """Find the vowels, and count them and the changes from a vowel to a consonant."""
        self.is_vowel = is_vowel = _IS_VOWEL[self.letters]
        is_first = np.zeros(self.letters.size, np.bool_)
        is_first[self.begins] = True
        # A y is a vowel behind a consonant, so in a run of y every other one is.
        places = np.flatnonzero(self.letters == _Y)
        begins_run = is_first[places] | (self.letters[places - 1] != _Y)
        runs = places[begins_run]
        first = runs.repeat(np.diff(np.flatnonzero(begins_run), append=places.size))
        is_even = ~is_first[first] & ~is_vowel[first - 1]
        is_vowel[places] = is_even ^ ((places - first) % 2 == 1)
        is_change = ~is_vowel
        is_change[1:] &= is_vowel[:-1]
        is_change &= ~is_first
        self._vowels, self._changes = _running_count(is_vowel), _running_count(is_change)

    def measure(self, rows: _Rows, n_letters: int) -> NDArray[np.int32]:
        """Return Porter's m of what stands before the last letters of words."""
        counts = self._changes
        found: NDArray[np.int32] = counts[self.ends[rows] - n_letters] - counts[self.begins[rows]]
        return found

    def has_vowel(self, rows: _Rows, n_letters: int) -> NDArray[np.bool_]:
        """Say whether a vowel stands before the last letters of words."""
        counts = self._vowels
        found: NDArray[np.bool_] = counts[self.ends[rows] - n_letters] > counts[self.begins[rows]]
        return found

    def ends_short(self, rows: _Rows, n_letters: int) -> NDArray[np.bool_]:
        """Say whether consonant, vowel, consonant stand before the last letters: Porter's ``*o``.

        The last consonant may not be w, x or y.
        """
        ends = self.ends[rows] - n_letters
        is_long = ends - 3 >= self.begins[rows]
        is_vowel, last = self.is_vowel, self.letters[ends - 1]
        is_cvc = ~is_vowel[ends - 3] & is_vowel[ends - 2] & ~is_vowel[ends - 1]
        found: NDArray[np.bool_] = is_long & is_cvc & _ENDS_SHORT[last]
        return found


def _running_count(marks: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return for each place, and for the end, how many before it are marked."""
    counts = np.zeros(marks.size + 1, np.int32)
    np.cumsum(marks, out=counts[1:])
    return counts


def _strip_plurals(words: _Words) -> None:
    """Take step 1a."""
    plurals = _without(words.ending(b"s"), words.ending(b"ss"))
    two = np.concatenate([words.ending(b"sses"), words.ending(b"ies")])
    words.replace(two, 2)
    words.replace(_without(plurals, two), 1)


def _strip_participles(words: _Words) -> None:
    """Take step 1b."""
    agreed = words.ending(b"eed")
    participles = [(_without(words.ending(b"ed"), agreed), 2), (words.ending(b"ing"), 3)]
    words.replace(agreed[words.measure(agreed, 3) > 0], 1)
    stripped = []
    for rows, n_letters in participles:
        stripped.append(rows[words.has_vowel(rows, n_letters)])
        words.replace(stripped[-1], n_letters)
    _mend_participles(words, np.concatenate(stripped))


def _mend_participles(words: _Words, rows: _Rows) -> None:
    """Take the end of step 1b."""
    completed = np.concatenate([words.ending(end, rows) for end in (b"at", b"bl", b"iz")])
    words.replace(completed, 0, b"e")
    rows = _without(rows, completed)
    ends = words.ends[rows]
    last = words.letters[ends - 1]
    is_double = (last == words.letters[ends - 2]) & (ends - 2 >= words.begins[rows])
    is_double &= _IS_HALVED[last]
    words.replace(rows[is_double], 1)
    rows = rows[~is_double]
    is_short = words.ends_short(rows, 0) & (words.measure(rows, 0) == 1)
    words.replace(rows[is_short], 0, b"e")


def _turn_y(words: _Words) -> None:
    """Take step 1c."""
    rows = words.ending(b"y")
    words.replace(rows[words.has_vowel(rows, 1)], 1, b"i")
    words.count()


def _strip_suffixes(words: _Words, rules: Rules, floor: int) -> None:
    """Take step 2, 3 or 4, without the end of 4."""
    ends = words.last_two()
    for last_two, group in rules.items():
        rows = np.flatnonzero(ends == int.from_bytes(last_two, "big"))
        for suffix, replacement in group:
            fitting = words.ending(suffix, rows)
            is_long = words.measure(fitting, len(suffix)) > floor
            words.replace(fitting[is_long], len(suffix), replacement)
            # Only the first suffix that fits is tried.
            rows = _without(rows, fitting)
    words.count()


def _strip_second_suffixes(words: _Words) -> None:
    """Take the end of step 4."""
    rows = words.ending(b"ment")
    words.replace(rows[words.measure(rows, 4) > 1], 4)
    rows = np.concatenate([words.ending(suffix) for suffix in (b"ent", b"sion", b"tion")])
    words.replace(rows[words.measure(rows, 3) > 1], 3)


def _tidy_ends(words: _Words) -> None:
    """Take step 5."""
    rows = words.ending(b"e")
    measures = words.measure(rows, 1)
    is_silent = (measures > 1) | ((measures == 1) & ~words.ends_short(rows, 1))
    words.replace(rows[is_silent], 1)
    rows = words.ending(b"ll")
    words.replace(rows[words.measure(rows, 0) > 1], 1)


def _without(rows: _Rows, others: _Rows) -> _Rows:
    """Return the rows that are not among the others."""
    return np.setdiff1d(rows, others, assume_unique=True)
