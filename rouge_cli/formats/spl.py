"""SPL, a sentence a line.

Source: specification, section 2, "Texts are bytes".
"""

__all__ = ["read_spl"]


def read_spl(raw: bytes) -> bytes:
    r"""Return the sentences of an SPL file, one a line.

    Parameters
    ----------
    raw : bytes
        Content of the file.

    Returns
    -------
    bytes
        The same bytes: lines are sentences already. An empty line is no sentence and adds
        neither a word nor a byte nor a token, so it may stay. A carriage return or a blank is
        a sentence, because only ``\n`` ends a line.

    Notes
    -----
    Source: specification, section 2, "Texts are bytes".
    """
    return raw
