"""The original's XML, element by element.

Source: specification, section 2, "XML config".
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

__all__ = ["HEAD", "HELD", "TAIL", "EvalElement", "eval_lines"]

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<ROUGE-EVAL version="1.55">\n'
TAIL = "</ROUGE-EVAL>\n"

# White space but blanks would be read as blanks.
_ESCAPES = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        "\t": "&#9;",
        "\n": "&#10;",
        "\r": "&#13;",
    }
)

HELD = re.compile("[^\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]+")
"""What XML 1.0 has a way to write, less the surrogates that stand for bytes that are no UTF-8."""


@dataclass(frozen=True, slots=True)
class EvalElement:
    """An EVAL as a configuration names it.

    Parameters
    ----------
    id : str
    format : str
        Of all its texts.
    peer_root, model_root : str
        Folders.
    peers : mapping of str to str
        System ID to name below the one folder.
    models : sequence of (str, str)
        ID and name below the other folder.
    """

    id: str
    format: str
    peer_root: str
    model_root: str
    peers: Mapping[str, str]
    models: Sequence[tuple[str, str]]


def eval_lines(element: EvalElement) -> Iterator[str]:
    """Yield the lines of an EVAL element."""
    yield f'  <EVAL ID="{_escaped(element.id)}">'
    yield f"    <PEER-ROOT>{_escaped(element.peer_root)}</PEER-ROOT>"
    yield f"    <MODEL-ROOT>{_escaped(element.model_root)}</MODEL-ROOT>"
    yield f'    <INPUT-FORMAT TYPE="{element.format}"></INPUT-FORMAT>'
    yield "    <PEERS>"
    for system, name in element.peers.items():
        yield f'      <P ID="{_escaped(system)}">{_escaped(name)}</P>'
    yield "    </PEERS>"
    yield "    <MODELS>"
    for model_id, name in element.models:
        yield f'      <M ID="{_escaped(model_id)}">{_escaped(name)}</M>'
    yield "    </MODELS>"
    yield "  </EVAL>"


def _escaped(text: str) -> str:
    """Write a text so that XML gives it back."""
    return text.translate(_ESCAPES)
