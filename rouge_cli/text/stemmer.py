"""From a token to its stem: the length rule, the exception table, Porter's stemmer.

Source: section 4 of the specification, "Stem".
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from rouge_cli.text.porter import porter_stem
from rouge_cli.text.porter_columns import porter_stems

__all__ = ["Numbers", "Stemmer", "Stems", "stem_of"]

String = TypeVar("String", bytes, str)

_LONGEST_KEPT: Final = 3
_MOST_STEMS: Final = 1 << 20

_MANY: Final = 2000
"""From so many new tokens on, columns of them are faster than one after the other."""


class Numbers(dict[String, int]):
    """Strings and their numbers, given out from 0 on as they are asked for."""

    __slots__ = ()

    def __missing__(self, string: String) -> int:
        """Give a string the next number."""
        return self.setdefault(string, len(self))


class Stems(dict[bytes, bytes]):
    """Tokens and their stems, worked out when a token is asked for first, and remembered.

    Parameters
    ----------
    exceptions : mapping of bytes to bytes
        Irregular form to base form: see `rouge_cli.text.word_lists`.
    """

    __slots__ = ("exceptions",)

    def __init__(self, exceptions: Mapping[bytes, bytes]) -> None:
        super().__init__()
        self.exceptions = exceptions

    def __missing__(self, token: bytes) -> bytes:
        """Work out the stem of a token, and keep it; forget all when there are too many."""
        if len(self) >= _MOST_STEMS:
            self.clear()
        stem = self[token] = stem_of(token, self.exceptions)
        return stem

    def of(self, tokens: Sequence[bytes]) -> list[bytes]:
        """Return the stem of each token; many at once are worked out faster than one by one."""
        new = [token for token in tokens if token not in self]
        if len(new) >= _MANY and len(self) + len(new) <= _MOST_STEMS:
            stems = dict(zip(new, new, strict=True))
            long = [token for token in new if len(token) > _LONGEST_KEPT]
            stems.update(zip(long, porter_stems(long), strict=True))
            get = self.exceptions.get
            stems.update((token, base) for token in long if (base := get(token)))
            self.update(stems)
        return list(map(self.__getitem__, tokens))


def stem_of(token: bytes, exceptions: Mapping[bytes, bytes]) -> bytes:
    """Return the stem of one token.

    Parameters
    ----------
    token : bytes
        Lower-case letters and digits of ASCII.
    exceptions : mapping of bytes to bytes
        Irregular form to base form.

    Returns
    -------
    bytes
        The token itself if it has at most three bytes; else its entry in the exception table;
        else its Porter stem.
    """
    if len(token) <= _LONGEST_KEPT:
        return token
    return exceptions.get(token) or porter_stem(token)


class Stemmer:
    """Stems tokens and numbers the stems, for one run.

    Parameters
    ----------
    stems : Stems
        May be shared by runs, even by runs in several threads at once; the numbers are not.

    Notes
    -----
    Source: section 4 of the specification, "Stem".
    """

    __slots__ = ("_numbers", "_stems")

    def __init__(self, stems: Stems) -> None:
        self._stems = stems
        self._numbers: Numbers[bytes] = Numbers()

    def __reduce__(self) -> tuple[Callable[..., "Stemmer"], tuple[Mapping[bytes, bytes]]]:
        """Pickle the exceptions only; stems are worked out anew."""
        return _new_stemmer, (self._stems.exceptions,)

    @property
    def n_numbers(self) -> int:
        """How many numbers are given out; every number is below this."""
        return len(self._numbers)

    def stem(self, token: bytes) -> bytes:
        """Return the stem of one token, see `stem_of`."""
        return self._stems[token]

    def stems(self, tokens: Sequence[bytes]) -> list[bytes]:
        """Return the stem of each token."""
        return list(map(self._stems.__getitem__, tokens))

    def number_stems(self, tokens: Sequence[bytes]) -> list[int]:
        """Return the number of each token's stem: equal for equal stems, and for no others."""
        return list(map(self._numbers.__getitem__, self._stems.of(tokens)))

    def number_tokens(self, tokens: Sequence[bytes]) -> list[int]:
        """Return the number of each token itself, the same as that of an equal stem."""
        return list(map(self._numbers.__getitem__, tokens))


def _new_stemmer(exceptions: Mapping[bytes, bytes]) -> Stemmer:
    """Return a stemmer that remembers nothing yet."""
    return Stemmer(Stems(exceptions))
