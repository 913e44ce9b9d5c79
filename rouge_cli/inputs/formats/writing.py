"""What the writers of all formats share.

Source: specification, section 2, "Texts are bytes" and "Limits", and section 3.
"""

__all__ = ["STAND_IN", "sentences_of"]

STAND_IN = b"("
"""What is written for a byte that a format cannot hold.

It scores as that byte does under every option: like ``<`` and the zero byte it is one byte long,
no white space, so words are split alike for ``-l``, and outside of tokens, so it only separates.
"""


def sentences_of(text: bytes) -> list[bytes]:
    r"""Return the sentences of a normalised text.

    Parameters
    ----------
    text : bytes
        With ``\n`` between sentences.

    Returns
    -------
    list of bytes
        Without the empty ones, which are none; a blank or a carriage return is one.

    Notes
    -----
    Source: specification, section 2, "Texts are bytes".
    """
    return [sentence for sentence in text.split(b"\n") if sentence]
