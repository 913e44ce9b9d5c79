"""Letters that no word is made of: the original reads A to Z and digits, and drops all else.

Source: specification, section 3.
"""

__all__ = ["lost_letters"]

_ASCII = bytes(range(128))
_NO_ASCII_LETTERS = bytes(code for code in range(256) if not bytes((code,)).isalpha())
MOST_LOST = 10
"""One letter in so many may be lost without a word."""


def lost_letters(text: bytes) -> tuple[int, int]:
    """Count the letters of a text that are in no word, if they are many.

    Parameters
    ----------
    text : bytes
        In UTF-8 or, where it is none, in Latin-1.

    Returns
    -------
    n_lost, n_letters : int
        Zero and zero if no more than a tenth is lost.
    """
    n_ascii = len(text.translate(None, _NO_ASCII_LETTERS))
    n_high = len(text.translate(None, _ASCII))
    # A letter has a byte at least, so with few such bytes there is nothing to decode.
    if n_high * (MOST_LOST - 1) <= n_ascii:
        return 0, 0
    try:
        decoded = text.decode("utf-8")
    except UnicodeDecodeError:
        decoded = text.decode("latin-1")
    n_letters = sum(map(str.isalpha, decoded))
    n_lost = n_letters - n_ascii
    return (n_lost, n_letters) if n_lost * MOST_LOST > n_letters else (0, 0)
