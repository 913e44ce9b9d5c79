"""SPL, a sentence a line.

Source: specification, section 2, "Texts are bytes".
"""

from rouge_cli.inputs.formats.writing import sentences_of

__all__ = ["read_spl", "write_spl"]


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


def write_spl(text: bytes) -> bytes:
    r"""Return a normalised text as an SPL file, each sentence with its newline.

    Parameters
    ----------
    text : bytes

    Returns
    -------
    bytes
        Empty if the text has no sentence.

    Notes
    -----
    Source: specification, section 2, "Texts are bytes".
    """
    return b"".join([sentence + b"\n" for sentence in sentences_of(text)])
