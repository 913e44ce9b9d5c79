"""SEE, HTML with an anchor before each sentence.

Source: specification, section 2, "Texts are bytes".
"""

import re

from rouge_cli.inputs.formats.writing import STAND_IN, sentences_of

__all__ = ["read_see", "write_see"]

# A line is matched on its own, so no white space here reaches past its newline. Only the text
# may take the newline in, where no "<" comes before.
_SENTENCE = re.compile(
    rb'^<a (?:size="[0-9]+" )?name="[0-9]+">\[[0-9]+\]</a>'
    rb'[ \t\r\f\v]+<a href="#[0-9]+" id=[0-9]+>([^<\n]*\n?)',
    re.MULTILINE,
)

_HEAD = b'<html>\n<head>\n<title></title>\n</head>\n<body bgcolor="white">\n'
_LINE = b'<a name="%d">[%d]</a> <a href="#%d" id=%d>%b</a>\n'
_TAIL = b"</body>\n</html>\n"


def read_see(raw: bytes) -> bytes:
    r"""Return the sentences of a SEE file, one a line.

    Parameters
    ----------
    raw : bytes
        Content of the file.

    Returns
    -------
    bytes
        The sentences with ``\n`` between them. A newline that belongs to a sentence is a blank
        here, which counts alike: one byte for ``-b``, white space for everything else.

    Notes
    -----
    Source: specification, section 2, "Texts are bytes".
    """
    return b"\n".join([text.replace(b"\n", b" ") for text in _SENTENCE.findall(raw)])


def write_see(text: bytes) -> bytes:
    r"""Return a normalised text as a SEE file.

    Parameters
    ----------
    text : bytes

    Returns
    -------
    bytes
        An anchor and a link for each sentence. They cannot hold ``<``, which becomes `STAND_IN`.

    Notes
    -----
    Source: specification, section 2, "Texts are bytes".
    """
    sentences = sentences_of(text.replace(b"<", STAND_IN))
    lines = [_LINE % (n, n, n, n, sentence) for n, sentence in enumerate(sentences, 1)]
    return b"".join([_HEAD, *lines, _TAIL])
