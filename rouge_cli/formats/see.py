"""SEE, HTML with an anchor before each sentence.

Source: specification, section 2, "Texts are bytes".
"""

import re

__all__ = ["read_see"]

# A line is matched on its own, so no white space here reaches past its newline. Only the text
# may take the newline in, where no "<" comes before.
_SENTENCE = re.compile(
    rb'^<a (?:size="[0-9]+" )?name="[0-9]+">\[[0-9]+\]</a>'
    rb'[ \t\r\f\v]+<a href="#[0-9]+" id=[0-9]+>([^<\n]*\n?)',
    re.MULTILINE,
)


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
