"""From a token to its stem: the length rule, the exception table, Porter's stemmer.

Source: section 4 of the specification, "Stem".
"""

from collections.abc import Mapping, Sequence
from typing import Final

from rouge_cli.text.porter import porter_stem

__all__ = ["Stemmer"]

_LONGEST_KEPT: Final = 3


class _StemTable(dict[bytes, bytes]):
    """Tokens and their stems, worked out when a token is asked for the first time."""

    __slots__ = ("_exceptions",)

    def __init__(self, exceptions: Mapping[bytes, bytes]) -> None:
        super().__init__()
        self._exceptions = exceptions

    def __missing__(self, token: bytes) -> bytes:
        """Work out a stem, and keep it."""
        if len(token) <= _LONGEST_KEPT:
            stem = token
        else:
            stem = self._exceptions.get(token) or porter_stem(token)
        self[token] = stem
        return stem


class Stemmer:
    """Stems tokens, and remembers the answers as long as it lives.

    Parameters
    ----------
    exceptions : mapping of bytes to bytes
        Irregular form to base form: see `rouge_cli.text.exceptions`.

    Notes
    -----
    Source: section 4 of the specification, "Stem".
    """

    __slots__ = ("_stems",)

    def __init__(self, exceptions: Mapping[bytes, bytes]) -> None:
        self._stems = _StemTable(exceptions)

    def stem(self, token: bytes) -> bytes:
        """Stem one token.

        Parameters
        ----------
        token : bytes
            Lower-case letters and digits of ASCII.

        Returns
        -------
        bytes
            The token itself if it has at most three bytes; else its entry in the exception table;
            else its Porter stem.
        """
        return self._stems[token]

    def stem_all(self, tokens: Sequence[bytes]) -> list[bytes]:
        """Stem a sequence of tokens.

        Parameters
        ----------
        tokens : sequence of bytes
            Lower-case letters and digits of ASCII.

        Returns
        -------
        list of bytes
            The stem of each token, in the same order.
        """
        return list(map(self._stems.__getitem__, tokens))
