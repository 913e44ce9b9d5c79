"""Where the sentences of a text end: at a separator, or where a model of a language sees an end."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from rouge_cli.errors import InputError
from rouge_cli.quick_dataclass import dataclass

if TYPE_CHECKING:
    from nltk.tokenize.punkt import PunktSentenceTokenizer

__all__ = [
    "LanguageSplitter",
    "PunktSplitter",
    "Splitter",
    "punkt_splitter",
    "sentence_splitter",
    "sentences_name",
    "split_sentences",
]

Splitter = Callable[[bytes], bytes]
"""From raw text to a sentence a line; picklable."""

DOWNLOAD = "python -m nltk.downloader punkt_tab"


def split_sentences(texts: Sequence[bytes], separator: str | None) -> list[bytes]:
    """Put a newline between the sentences of texts.

    Parameters
    ----------
    texts : sequence of bytes
        Without newlines.
    separator : str or None
        What stands between the sentences of a text. Of several words, such as ``<t> </t>``, each
        one separates; they are tags then, and the blanks beside them belong to no sentence. None:
        a text is one sentence.

    Returns
    -------
    list of bytes
        Normalised. A text without separator is left as it is.
    """
    words = [word.encode("utf-8", "surrogateescape") for word in (separator or "").split()]
    split = list(texts)
    for word in words:
        split = [text.replace(word, b"\n") for text in split]
    if len(words) > 1:
        split = [_trimmed(text) if b"\n" in text else text for text in split]
    return split


def _trimmed(text: bytes) -> bytes:
    """Return the sentences of a text without blanks around them, and none that is empty."""
    return b"\n".join(filter(None, map(bytes.strip, text.split(b"\n"))))


@dataclass(frozen=True, slots=True)
class PunktSplitter:
    """Splits raw English text with NLTK's trained Punkt model.

    It holds no model, so it is cheap to send to another process, which loads its own.

    Parameters
    ----------
    search_path : tuple of str
        Where NLTK looks for its data.
    asked_by : str
        What asks for it, for messages.
    """

    search_path: tuple[str, ...]
    asked_by: str

    def __call__(self, text: bytes) -> bytes:
        """Return a text with a newline between its sentences; a newline in it is a blank.

        Nothing but blanks between sentences, and at both ends, is lost: bytes that are no UTF-8
        come through.
        """
        raw = text.replace(b"\n", b" ").strip().decode("utf-8", "surrogateescape")
        sentences = _punkt(self.search_path, self.asked_by).tokenize(raw)
        return "\n".join(sentences).encode("utf-8", "surrogateescape")


@dataclass(frozen=True, slots=True)
class LanguageSplitter:
    """Splits raw text of a language with sentencex, which knows abbreviations and quotes.

    Parameters
    ----------
    language : str
        A tag such as ``"en"``; of a language that it does not know, sentencex takes a near one.
    """

    language: str

    def __call__(self, text: bytes) -> bytes:
        """Return a text with a newline between its sentences, as `PunktSplitter` does."""
        from sentencex import segment

        raw = text.replace(b"\n", b" ").decode("utf-8", "surrogateescape")
        if not raw.isascii():
            # Its strings are Unicode throughout; a byte that is no UTF-8 stands for itself here.
            raw = raw.translate(_TO_PRIVATE)
        sentences = (one.strip() for one in segment(self.language, raw))
        split = "\n".join(filter(None, sentences)).translate(_FROM_PRIVATE)
        return split.encode("utf-8", "surrogateescape")


_TO_PRIVATE = {0xDC80 + byte: 0x10FF00 + byte for byte in range(0x80)}
_FROM_PRIVATE = {private: surrogate for surrogate, private in _TO_PRIVATE.items()}


def sentence_splitter(kind: str | None) -> Splitter | None:
    """Return what ``--sentences`` asks for: ``"nltk"``, a language, or None to split nothing.

    Raises
    ------
    InputError
        If the model or the package that it needs is not installed.
    """
    if kind is None:
        return None
    if kind == "nltk":
        return punkt_splitter(f"--sentences {kind}")
    try:
        import sentencex  # noqa: F401
    except ImportError:
        raise InputError(
            f"--sentences {kind} needs sentencex, which is not installed: "
            "python -m pip install 'rouge-cli[sentences]'"
        ) from None
    return LanguageSplitter(kind)


def punkt_splitter(asked_by: str) -> PunktSplitter:
    """Return a splitter whose model is there; raises InputError, naming what asks for it."""
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
        raise InputError(
            f"{asked_by}: NLTK finds no trained Punkt model for English "
            f"(tokenizers/punkt_tab/english); get it with: {DOWNLOAD}"
        ) from None
    except (OSError, ValueError) as error:
        raise InputError(
            f"{asked_by}: NLTK's Punkt model for English cannot be read: {error}; "
            f"get it anew with: {DOWNLOAD}"
        ) from None


def sentences_name(kind: str | None, separator: str | None) -> str:
    """Return how sentences are found, as the signature says it: ``newline``, ``<q>``, ``punkt``."""
    if kind is None:
        return "newline" if separator is None else separator.replace("|", "%7C")
    if kind == "nltk":
        return "punkt"
    from importlib.metadata import version

    return f"sentencex-{version('sentencex')}-{kind}"
