"""What a conversion has to say when it is done, and of the bytes that a format cannot hold."""

from rouge_cli.inputs.formats import STAND_IN
from rouge_cli.quick_dataclass import dataclass

__all__ = ["Command", "Replaced", "Written", "count"]

Command = tuple[str, ...]
"""The program and its arguments."""


@dataclass(frozen=True, slots=True)
class Written:
    """What was written.

    Parameters
    ----------
    what : str
        In a few words, such as "4 EVALs, 3 systems".
    commands : tuple of tuple of str
        How to score it, from within the folder that was written; program and arguments.
    warnings : tuple of str
        What the user should know.
    """

    what: str
    commands: tuple[Command, ...]
    warnings: tuple[str, ...] = ()


def count(number: int, plural: str) -> str:
    """Return a number and what it counts."""
    return f"{number} {plural if number != 1 else plural[:-1]}"


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
