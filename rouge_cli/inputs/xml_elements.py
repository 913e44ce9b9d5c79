"""What an XML configuration says, element by element, and what is wrong with it.

Source: specification, section 2.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from rouge_cli.escapes import escaped

__all__ = ["EvalElement", "NamedFile", "Problem"]


class NamedFile(NamedTuple):
    """A P or an M element.

    Parameters
    ----------
    id : str
        The system ID, or the ID of the model.
    file_name : str
        Name of the file below its root, without white space around it.
    line : int
        Where the element begins.

    Notes
    -----
    Source: specification, section 2, "XML config".
    """

    id: str
    file_name: str
    line: int


@dataclass(slots=True)
class EvalElement:
    """An EVAL element; filled while it is read.

    Parameters
    ----------
    id : str
        The EVAL ID, empty if there is none.
    line : int
        Where the element begins.
    format : str or None
        TYPE of its INPUT-FORMAT in capitals; None without INPUT-FORMAT.
    roots : dict of str to str
        ``"PEER-ROOT"`` and ``"MODEL-ROOT"`` to folder, as far as they are there.
    peers, models : list of NamedFile
        The P elements and the M elements in their order.

    Notes
    -----
    Source: specification, section 2, "XML config".
    """

    id: str
    line: int
    format: str | None = None
    roots: dict[str, str] = field(default_factory=dict)
    peers: list[NamedFile] = field(default_factory=list)
    models: list[NamedFile] = field(default_factory=list)


class Problem(NamedTuple):
    """One thing that is wrong with a configuration.

    Parameters
    ----------
    line : int
        Where it stands.
    eval_id : str
        ID of the EVAL it stands in; empty if the EVAL has none, or outside of an EVAL.
    text : str
        What was found, what was expected, what to do.

    Notes
    -----
    Source: specification, section 8 (everything is checked first).
    """

    line: int
    eval_id: str
    text: str

    def located(self, name: str) -> str:
        """Return the message for the configuration `name`.

        Source: specification, section 8.
        """
        where = f", EVAL {escaped(self.eval_id)}" if self.eval_id else ""
        return f"{name}, line {self.line}{where}: {self.text}"
