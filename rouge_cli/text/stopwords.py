"""Stopwords: the words that are left out of every count on request.

Source: section 4 of the specification, "Stopwords".
"""

from rouge_cli.data import STOPWORDS, read_list

__all__ = ["load_stopwords", "parse_stopwords"]


def parse_stopwords(data: bytes) -> frozenset[bytes]:
    """Read a list of stopwords.

    Parameters
    ----------
    data : bytes
        A word a line; white space around a word and blank lines do not count.

    Returns
    -------
    frozenset of bytes
        The words, to be compared with tokens before stemming. A word that no token can equal,
        such as ``e.g.`` or ``a's``, stays without effect.
    """
    words = (line.strip() for line in data.split(b"\n"))
    return frozenset(word for word in words if word)


def load_stopwords() -> frozenset[bytes]:
    """Read the list that comes with the package: 596 words.

    Returns
    -------
    frozenset of bytes
        The words, as `parse_stopwords` returns them.
    """
    return parse_stopwords(read_list(STOPWORDS))
