"""The word lists that belong to the scores: stopwords and irregular forms.

``README.md`` beside this file gives the source, the licence and the checksum of each.
"""

import os.path

__all__ = ["EXCEPTIONS", "STOPWORDS", "read_list"]

STOPWORDS = "stopwords.txt"
EXCEPTIONS = "exceptions.txt"


def read_list(name: str) -> bytes:
    """Read a word list of this package.

    Parameters
    ----------
    name : str
        `STOPWORDS` or `EXCEPTIONS`.

    Returns
    -------
    bytes
        The file as it is: ASCII, a word or a pair of words a line.
    """
    # Not importlib.resources: importing it takes longer than reading the list.
    with open(os.path.join(os.path.dirname(__file__), name), "rb") as stream:
        return stream.read()
