"""How a file spells its sentences: a format's bytes to normalised text.

Normalised text is bytes in which newlines separate the sentences; an empty line is no sentence.
Source: specification, section 2, "Texts are bytes".
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from rouge_cli.inputs.formats.isi import read_isi
from rouge_cli.inputs.formats.see import read_see
from rouge_cli.inputs.formats.simple import BasicElement, element_problems, read_simple
from rouge_cli.inputs.formats.spl import read_spl

__all__ = [
    "ELEMENTS_FORMAT",
    "FORMAT_NAMES",
    "SENTENCE_FORMATS",
    "BasicElement",
    "element_problems",
    "read_isi",
    "read_see",
    "read_simple",
    "read_spl",
]

SENTENCE_FORMATS: Mapping[str, Callable[[bytes], bytes]] = MappingProxyType(
    {"SEE": read_see, "SPL": read_spl, "ISI": read_isi}
)
ELEMENTS_FORMAT = "SIMPLE"
FORMAT_NAMES = (*SENTENCE_FORMATS, ELEMENTS_FORMAT)
