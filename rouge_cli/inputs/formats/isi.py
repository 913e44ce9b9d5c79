"""ISI, SGML with an S element for each sentence.

Source: specification, section 2, "Texts are bytes".
"""

import re

from rouge_cli.inputs.formats.writing import STAND_IN, sentences_of

__all__ = ["read_isi", "write_isi"]

_SENTENCE = re.compile(rb'^<S SNTNO="[0-9a-z,]+">([^<\n]*)</S>', re.MULTILINE)

_HEAD, _TAIL = b"<DOC>\n<TEXT>\n", b"</TEXT>\n</DOC>\n"


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


def write_isi(text: bytes) -> bytes:
    r"""Return a normalised text as an ISI file.

    Parameters
    ----------
    text : bytes

    Returns
    -------
    bytes
        An S element for each sentence. They cannot hold ``<``, which becomes `STAND_IN`.

    Notes
    -----
    Source: specification, section 2, "Texts are bytes".
    """
    sentences = sentences_of(text.replace(b"<", STAND_IN))
    lines = [b'<S SNTNO="%d">%b</S>\n' % item for item in enumerate(sentences, 1)]
    return b"".join([_HEAD, *lines, _TAIL])
