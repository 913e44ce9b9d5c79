"""From a token to its stem: the length rule, the exception table, Porter's stemmer.

Source: section 4 of the specification, "Stem".
"""

from collections.abc import Mapping, Sequence
from typing import Final

from rouge_cli.text.porter import porter_stem

__all__ = ["Stemmer", "stem_of"]

_LONGEST_KEPT: Final = 3


class _Numbers(dict[bytes, int]):
    """Strings and their numbers, given out from 0 on as they are asked for."""

    __slots__ = ()

    def __missing__(self, string: bytes) -> int:
        """Give a string the next number."""
        return self.setdefault(string, len(self))


class _StemNumbers(dict[bytes, int]):
    """Tokens and the numbers of their stems, worked out when a token is asked for first."""

    __slots__ = ("_exceptions", "_numbers")

    def __init__(self, exceptions: Mapping[bytes, bytes], numbers: _Numbers) -> None:
        super().__init__()
        self._exceptions = exceptions
        self._numbers = numbers

    def __missing__(self, token: bytes) -> int:
        """Work out the stem of a token, and keep its number."""
        return self.setdefault(token, self._numbers[stem_of(token, self._exceptions)])


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
    """Stems tokens, and numbers the stems; remembers its answers as long as it lives.

    Parameters
    ----------
    exceptions : mapping of bytes to bytes
        Irregular form to base form: see `rouge_cli.text.exceptions`.

    Notes
    -----
    Source: section 4 of the specification, "Stem".
    """

    __slots__ = ("_exceptions", "_numbers", "_stem_numbers")

    def __init__(self, exceptions: Mapping[bytes, bytes]) -> None:
        self._exceptions = exceptions
        self._numbers = _Numbers()
        self._stem_numbers = _StemNumbers(exceptions, self._numbers)

    def __reduce__(self) -> tuple[type["Stemmer"], tuple[Mapping[bytes, bytes]]]:
        """Pickle the exceptions only; answers are worked out anew."""
        return type(self), (self._exceptions,)

    @property
    def n_numbers(self) -> int:
        """How many numbers are given out; every number is below this."""
        return len(self._numbers)

    def stem(self, token: bytes) -> bytes:
        """Return the stem of one token, see `stem_of`."""
        return stem_of(token, self._exceptions)

    def number_stems(self, tokens: Sequence[bytes]) -> list[int]:
        """Return the number of each token's stem: equal for equal stems, and for no others."""
        return list(map(self._stem_numbers.__getitem__, tokens))

    def number_tokens(self, tokens: Sequence[bytes]) -> list[int]:
        """Return the number of each token itself, the same as that of an equal stem."""
        return list(map(self._numbers.__getitem__, tokens))
