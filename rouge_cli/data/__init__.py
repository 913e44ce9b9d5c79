"""The word lists on which scores depend, and texts that are printed or written.

``README.md`` next to this file gives the source, the licence and the checksum of each.
"""

import os.path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from importlib.abc import ResourceLoader

FOLDER = os.path.dirname(__file__)

STOPWORDS = "stopwords.txt"
EXCEPTIONS = "exceptions.txt"
PY_ROUGE_STEMS = "py-rouge-stems.tsv"
SUMEVAL_SEVERAL_BASES = "sumeval-several-bases.txt"
JS_ROUGE_ABBREVIATIONS = "js-rouge-abbreviations.txt"
LVEVAL_STOPWORDS = {"en": "lveval-en.txt", "zh": "lveval-zh.txt"}
LVEVAL_MARKS = "lveval-zh-marks.txt"
PROTOCOL_LIST = "protocols.toml"


def read_list(name: str) -> bytes:
    """Read a word list such as `STOPWORDS`, or a text such as ``"help/examples.txt"``, in UTF-8."""
    return read_data(os.path.join(FOLDER, name))


def read_data(path: str) -> bytes:
    """Read a file in `FOLDER`, even if the package is in an archive; raises OSError."""
    # Not importlib.resources: importing it takes longer than reading the list.
    return cast("ResourceLoader", __spec__.loader).get_data(path)
