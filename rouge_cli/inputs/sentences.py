"""Find the sentences of raw text: ``--sentences``."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from rouge_cli.errors import InputError
from rouge_cli.options.every import Options

if TYPE_CHECKING:
    from nltk.tokenize.punkt import PunktSentenceTokenizer

__all__ = ["PunktSplitter", "sentence_splitter"]

DOWNLOAD = "python -m nltk.downloader punkt_tab"


@dataclass(frozen=True, slots=True)
class PunktSplitter:
    """Splits raw English text with NLTK's trained Punkt model.

    It holds no model, so it is cheap to send to another process, which loads its own.

    Parameters
    ----------
    search_path : tuple of str
        Where NLTK looks for its data.
    """

    search_path: tuple[str, ...]

    def __call__(self, text: bytes) -> bytes:
        """Return a text with a newline between its sentences; a newline in it is a blank.

        Nothing but blanks between sentences, and at both ends, is lost: bytes that are no UTF-8
        come through.
        """
        raw = text.replace(b"\n", b" ").strip().decode("utf-8", "surrogateescape")
        sentences = _punkt(self.search_path).tokenize(raw)
        return "\n".join(sentences).encode("utf-8", "surrogateescape")


def sentence_splitter(options: Options) -> Callable[[bytes], bytes] | None:
    """Return what splits raw text into a sentence a line; None if nothing is to be split.

    Raises
    ------
    InputError
        If the model that it needs is not installed.
    """
    if options.inputs.sentences is None:
        return None
    import nltk.data

    splitter = PunktSplitter(tuple(map(str, nltk.data.path)))
    # A missing model has to be known before anything is scored; processes begun from here on by
    # a fork have it at once.
    _punkt(splitter.search_path)
    return splitter


@cache
def _punkt(search_path: tuple[str, ...]) -> "PunktSentenceTokenizer":
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
            "--sentences nltk: NLTK finds no trained Punkt model for English "
            f"(tokenizers/punkt_tab/english); get it with: {DOWNLOAD}"
        ) from None
    except (OSError, ValueError) as error:
        raise InputError(
            f"--sentences nltk: NLTK's Punkt model for English cannot be read: {error}; "
            f"get it anew with: {DOWNLOAD}"
        ) from None
