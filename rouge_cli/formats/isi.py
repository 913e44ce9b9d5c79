"""ISI, SGML with an S element for each sentence.

Source: specification, section 2, "Texts are bytes".
"""

import re

__all__ = ["read_isi"]

_SENTENCE = re.compile(rb'^<S SNTNO="[0-9a-z,]+">([^<\n]*)</S>', re.MULTILINE)


def read_isi(raw: bytes) -> bytes:
    r"""Return the sentences of an ISI file, one a line.

    Parameters
    ----------
    raw : bytes
        Content of the file.

    Returns
    -------
    bytes
        The sentences with ``\n`` between them. An S element that does not end on its line is
        none, so no sentence has a newline.

    Notes
    -----
    Source: specification, section 2, "Texts are bytes".
    """
    return b"\n".join(_SENTENCE.findall(raw))
