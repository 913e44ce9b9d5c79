"""The unit of evaluation: which peers are measured against which models.

Source: specification, section 2.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from string import ascii_uppercase

__all__ = ["Evaluation", "TextSource"]


@dataclass(frozen=True, slots=True)
class TextSource:
    """Where one text comes from and how it spells its sentences.

    Parameters
    ----------
    name : str
        Path of the file, as the system takes it (undecodable bytes as surrogates); where the
        content is at hand already, the file that it came from.
    format : str
        Name of the format: ``"SPL"``, ``"SEE"``, ``"ISI"`` or ``"SIMPLE"``.
    line : int or None
        Line of the configuration that names the text; where the content is at hand already, the
        line that holds it.
    content : bytes or None
        The text itself, normalised; None if it is to be read from the file ``name``.
    """

    name: str
    format: str = "SPL"
    line: int | None = None
    content: bytes | None = None

    @property
    def place(self) -> str:
        """Where the text stands, for messages."""
        if self.content is None or self.line is None:
            return self.name
        return f"{self.name}, line {self.line}"


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
    model_ids : tuple of str
        The ID of each model; empty where the layout has none.
    """

    id: str
    peers: Mapping[str, TextSource]
    models: tuple[TextSource, ...]
    line: int | None = None
    model_ids: tuple[str, ...] = ()

    @property
    def humans(self) -> tuple[str, ...]:
        """Who wrote each model: its ID or, where models have none, A, B ... Z, M27, M28."""
        if self.model_ids:
            return self.model_ids
        n_models = len(self.models)
        beyond = range(len(ascii_uppercase) + 1, n_models + 1)
        return (*ascii_uppercase[:n_models], *(f"M{number}" for number in beyond))
