"""What a run is asked to read: CONFIG with its SYSTEM_ID, or texts from Python.

If it is neither, the options name the texts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rouge_cli.inputs.files import STANDARD_INPUT, input_name

__all__ = ["GivenTexts", "Source", "Text", "sniffed_format"]

Text = str | bytes | Sequence[str | bytes]
"""A text: a string with a newline between sentences, or a sequence of sentences."""

_XML_STARTS = (b"<", b"\xff\xfe<\0", b"\xfe\xff\0<")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_PARQUET_START = b"PAR1"


@dataclass(frozen=True, slots=True)
class GivenTexts:
    """Texts that are at hand in Python.

    Parameters
    ----------
    predictions : sequence of Text, or mapping of str to such sequences
        Of one system, or of several by their IDs.
    references : sequence of (Text or sequence of Text)
        The models of each prediction; a lone string is one model.
    """

    predictions: Sequence[Text] | Mapping[str, Sequence[Text]]
    references: Sequence[Text | Sequence[Text]]


@dataclass(frozen=True)
class Source:
    """What the user has named.

    Parameters
    ----------
    config : str or None
        Path of CONFIG; ``-`` is standard input.
    system_id : str or None
        The system to score.
    texts : GivenTexts or None
    """

    config: str | None = None
    system_id: str | None = None
    texts: GivenTexts | None = None

    @property
    def name(self) -> str:
        """What to call it in messages."""
        return "the input" if self.config is None else input_name(self.config)

    @property
    def is_standard_input(self) -> bool:
        """Whether CONFIG is standard input, which has no name that tells what it holds."""
        return self.config == STANDARD_INPUT

    @cached_property
    def standard_input(self) -> bytes:
        """All of standard input, decompressed, for those who tell by its beginning what it is.

        Raises
        ------
        InputError
        """
        from rouge_cli.inputs.streams import open_input

        with open_input(STANDARD_INPUT, "a configuration in XML or records") as stream:
            return stream.read()


def sniffed_format(data: bytes) -> str | None:
    """Tell the format of an input without a name from how it begins.

    Parameters
    ----------
    data : bytes
        The whole input, not compressed, in UTF-8 if it is text.

    Returns
    -------
    str or None
        ``"XML"`` for a configuration, ``"JSONL"``, ``"JSON"``, ``"PARQUET"``; None if nothing
        can be told, as with CSV.
    """
    if data.startswith(_PARQUET_START):
        return "PARQUET"
    start = data.removeprefix(_BYTE_ORDER_MARK).lstrip()
    if start.startswith(_XML_STARTS):
        return "XML"
    if start.startswith(b"["):
        return "JSON"
    if not start.startswith(b"{"):
        return None
    # An object over several lines is a document; whatever is wrong elsewhere is wrong in JSONL.
    first_line = start.partition(b"\n")[0]
    return "JSON" if not _is_json(first_line) and _is_json(start) else "JSONL"


def _is_json(data: bytes) -> bool:
    """Say whether bytes are a JSON document in UTF-8."""
    # Imported late: few runs need it.
    import json

    try:
        json.loads(data.decode())
    except (ValueError, RecursionError):
        return False
    return True
