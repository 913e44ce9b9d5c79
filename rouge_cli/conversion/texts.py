"""How texts are written, and what of them a format cannot hold."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rouge_cli.inputs.formats.isi import write_isi
from rouge_cli.inputs.formats.see import write_see
from rouge_cli.inputs.formats.spl import write_spl
from rouge_cli.inputs.formats.writing import STAND_IN

__all__ = ["TEXT_FORMS", "Replaced", "TextForm"]


@dataclass(frozen=True, slots=True)
class TextForm:
    """A format to write.

    Parameters
    ----------
    name : str
        As ROUGE calls it.
    suffix : str
        Of the files.
    write : callable
        From a normalised text to the content of a file.
    unheld : bytes
        The byte that it cannot hold; empty if it holds every one.
    """

    name: str
    suffix: str
    write: Callable[[bytes], bytes]
    unheld: bytes = b""


TEXT_FORMS: Mapping[str, TextForm] = MappingProxyType(
    {
        "SPL": TextForm("SPL", ".txt", write_spl),
        "SEE": TextForm("SEE", ".html", write_see, b"<"),
        "ISI": TextForm("ISI", ".sgml", write_isi, b"<"),
    }
)
"""The formats of files with sentences, by name."""


@dataclass(slots=True)
class Replaced:
    """Counts the bytes that a format cannot hold.

    Parameters
    ----------
    format : str
        What to call the format.
    byte : bytes
        What it cannot hold; empty if it holds every byte.
    shown : str
        The byte, in a message.
    n_bytes, n_texts : int
        How often, and in how many texts.
    """

    format: str
    byte: bytes
    shown: str
    n_bytes: int = 0
    n_texts: int = 0

    def count(self, text: bytes) -> None:
        """Take note of a text that is being written."""
        n_bytes = text.count(self.byte) if self.byte else 0
        self.n_bytes += n_bytes
        self.n_texts += n_bytes > 0

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know."""
        if not self.n_bytes:
            return ()
        times = "once" if self.n_bytes == 1 else f"{self.n_bytes} times"
        texts = "1 text" if self.n_texts == 1 else f"{self.n_texts} texts"
        return (
            f"{self.shown} is written as {STAND_IN.decode()!r}, {times} in {texts}: "
            f"{self.format} cannot hold it, and both score alike",
        )
