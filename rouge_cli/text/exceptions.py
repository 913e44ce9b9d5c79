"""The exception table: irregular forms, each with the base form that is its stem.

Source: section 4 of the specification, "Stem".
"""

from rouge_cli.data import EXCEPTIONS, read_list

__all__ = ["load_exceptions", "parse_exceptions"]

_PAIR = 2


def parse_exceptions(data: bytes) -> dict[bytes, bytes]:
    """Read an exception list in WordNet's form, such as ``noun.exc``.

    Parameters
    ----------
    data : bytes
        An irregular form and its base form a line, set apart by white space. Further words of a
        line, and lines of fewer than two words, do not count.

    Returns
    -------
    dict of bytes to bytes
        Irregular form to base form; of several lines for a form, the last.
    """
    entries = (line.split(None, _PAIR) for line in data.split(b"\n"))
    return {entry[0]: entry[1] for entry in entries if len(entry) >= _PAIR}


def load_exceptions() -> dict[bytes, bytes]:
    """Read the table that comes with the package: 5,930 entries.

    Returns
    -------
    dict of bytes to bytes
        Irregular form to base form; a new dictionary each time.
    """
    return parse_exceptions(read_list(EXCEPTIONS))
