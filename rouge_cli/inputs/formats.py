"""How a file spells its sentences: a format's bytes to normalised text, and back.

Normalised text is bytes in which newlines separate the sentences; an empty line is not a sentence.
Source: specification, section 2, "Texts are bytes" and "Limits", section 3, and section 5, "BE".
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from rouge_cli.errors import Problems
from rouge_cli.quick_dataclass import dataclass

STAND_IN = b"("
"""Replaces a byte that a format cannot hold.

It scores as that byte does under every option: like ``<`` and the zero byte it is one byte long,
no white space, so words are split alike for ``-l``, and outside of tokens, so it only separates.
"""

# A line is matched on its own, so no white space here reaches past its newline. Only the text
# may take the newline in, where no "<" comes before.
_SEE_SENTENCE = re.compile(
    rb'^<a (?:size="[0-9]+" )?name="[0-9]+">\[[0-9]+\]</a>'
    rb'[ \t\r\f\v]+<a href="#[0-9]+" id=[0-9]+>([^<\n]*\n?)',
    re.MULTILINE,
)
_SEE_HEAD = b'<html>\n<head>\n<title></title>\n</head>\n<body bgcolor="white">\n'
_SEE_LINE = b'<a name="%d">[%d]</a> <a href="#%d" id=%d>%b</a>\n'
_SEE_TAIL = b"</body>\n</html>\n"

_ISI_SENTENCE = re.compile(rb'^<S SNTNO="[0-9a-z,]+">([^<\n]*)</S>', re.MULTILINE)
_ISI_HEAD, _ISI_TAIL = b"<DOC>\n<TEXT>\n", b"</TEXT>\n</DOC>\n"

_FIELD_COUNT = 3


def sentences_of(text: bytes) -> list[bytes]:
    """Return the sentences of a normalised text; a lone blank or carriage return is a sentence."""
    return [sentence for sentence in text.split(b"\n") if sentence]


def _read_see(raw: bytes) -> bytes:
    """Read HTML with an anchor before each sentence.

    A newline that belongs to a sentence becomes a blank, which counts alike: one byte for ``-b``,
    white space for everything else.
    """
    return b"\n".join([text.replace(b"\n", b" ") for text in _SEE_SENTENCE.findall(raw)])


def _write_see(text: bytes) -> bytes:
    sentences = sentences_of(text.replace(b"<", STAND_IN))
    lines = [_SEE_LINE % (n, n, n, n, sentence) for n, sentence in enumerate(sentences, 1)]
    return b"".join([_SEE_HEAD, *lines, _SEE_TAIL])


def _read_spl(raw: bytes) -> bytes:
    return raw


def _write_spl(text: bytes) -> bytes:
    return b"".join([sentence + b"\n" for sentence in sentences_of(text)])


def _read_isi(raw: bytes) -> bytes:
    return b"\n".join(_ISI_SENTENCE.findall(raw))


def _write_isi(text: bytes) -> bytes:
    sentences = sentences_of(text.replace(b"<", STAND_IN))
    lines = [b'<S SNTNO="%d">%b</S>\n' % item for item in enumerate(sentences, 1)]
    return b"".join([_ISI_HEAD, *lines, _ISI_TAIL])


@dataclass(frozen=True, slots=True)
class SentenceFormat:
    """A format of texts in sentences, by the name that ROUGE-1.5.5 has for it.

    `suffix` is that of written files. `read` takes the content of a file to a normalised text,
    `write` takes it back. `unheld` is the byte that the format cannot hold, for which `write` puts
    `STAND_IN`; empty for none. `example` is a line of it, for messages.
    """

    name: str
    suffix: str
    read: Callable[[bytes], bytes]
    write: Callable[[bytes], bytes]
    unheld: bytes = b""
    example: str = ""


def has_other_text(raw: bytes) -> bool:
    """Return whether a file in which a format finds no sentence has words outside of its tags."""
    parts = (part.partition(b">") for part in b">".join((b"", raw)).split(b"<"))
    texts = (text for tag, _, text in parts if tag.lower() != b"title")
    return any(re.search(rb"[A-Za-z\x80-\xff]{2}", text) for text in texts)


SENTENCE_FORMATS: Mapping[str, SentenceFormat] = MappingProxyType(
    {
        "SEE": SentenceFormat(
            "SEE",
            ".html",
            _read_see,
            _write_see,
            b"<",
            '<a name="1">[1]</a> <a href="#1" id=1>One sentence.</a>',
        ),
        "SPL": SentenceFormat("SPL", ".txt", _read_spl, _write_spl),
        "ISI": SentenceFormat(
            "ISI", ".sgml", _read_isi, _write_isi, b"<", '<S SNTNO="1">One sentence.</S>'
        ),
    }
)
"""The formats of texts in sentences, by name."""

ELEMENTS_FORMAT = "SIMPLE"
"""The format of Basic Elements: one a line, ``HEAD|MODIFIER|RELATION``."""


class BasicElement(NamedTuple):
    """A head, what modifies it, and how; ``b"nil"`` marks what is absent.

    The fields are those of a line in lower case, white space and all.
    """

    head: bytes
    modifier: bytes
    relation: bytes


def read_simple(raw: bytes, name: str) -> tuple[BasicElement, ...]:
    """Read the Basic Elements of a SIMPLE file, one a line; only A to Z are put in lower case.

    Raises InputError with every line, an empty one included, that has not three fields. Empty
    fields at the end of a line do not count.
    """
    Problems.of("", element_problems(raw, name)).raise_any()
    return tuple(map(BasicElement._make, _rows(raw)))


def element_problems(raw: bytes, name: str) -> list[tuple[str, str]]:
    """Return the place of each line of a SIMPLE file without three fields, and its content."""
    return [
        (f"{name}, line {number}", _problem(row))
        for number, row in enumerate(_rows(raw), 1)
        if len(row) != _FIELD_COUNT
    ]


def _rows(raw: bytes) -> list[list[bytes]]:
    lines = raw.lower().split(b"\n")
    # A newline ends the last line and begins none.
    if not lines[-1]:
        lines.pop()
    return [line.rstrip(b"|").split(b"|") for line in lines]


def _problem(row: list[bytes]) -> str:
    expected = 'expected three, HEAD|MODIFIER|RELATION, with "nil" for one that is absent'
    if row == [b""]:
        return f"no fields; {expected}, or no line at all"
    fields = "1 field" if len(row) == 1 else f"{len(row)} fields"
    return f"{fields}; {expected}"
