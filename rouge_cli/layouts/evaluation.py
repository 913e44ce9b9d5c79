"""The unit of evaluation: which peers are measured against which models.

Source: specification, section 2.
"""

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Evaluation", "TextSource"]


@dataclass(frozen=True, slots=True)
class TextSource:
    """Where one text comes from and how it spells its sentences.

    Parameters
    ----------
    name : str
        Path of the file, as the system takes it (undecodable bytes as surrogates), or, where the
        content is at hand already, words that name the text in a message.
    format : str
        Name of the format: ``"SPL"``, ``"SEE"``, ``"ISI"`` or ``"SIMPLE"``.
    line : int or None
        Line of the configuration that names the text.
    content : bytes or None
        The text itself; None if it is to be read from the file ``name``.
    """

    name: str
    format: str = "SPL"
    line: int | None = None
    content: bytes | None = None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One EVAL: some peers, by system ID, and the models that they are all measured against.

    Parameters
    ----------
    id : str
        The EVAL ID.
    peers : mapping of str to TextSource
        System ID to peer text.
    models : tuple of TextSource
        The models in the order of the configuration; a model may stand in it twice.
    line : int or None
        Line of the configuration on which the EVAL begins.
    """

    id: str
    peers: Mapping[str, TextSource]
    models: tuple[TextSource, ...]
    line: int | None = None
