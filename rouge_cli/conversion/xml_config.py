"""To the original's XML: a configuration and a file for each text.

Source: specification, section 2, "XML config".
"""

import os
import re
from collections.abc import Iterator

from rouge_cli.conversion.held_ids import check_ids
from rouge_cli.conversion.text_files import MODEL_ROOT, PEER_ROOT, EvalFiles, TextFiles
from rouge_cli.conversion.texts import TextForm
from rouge_cli.conversion.written import Written, count
from rouge_cli.scoring.inputs.corpus import Corpus
from rouge_cli.scoring.inputs.source_texts import SourceReader, scored_evaluations

__all__ = ["write_xml"]

CONFIG = "config.xml"

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<ROUGE-EVAL version="1.55">\n'
_TAIL = "</ROUGE-EVAL>\n"
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
# Less what XML 1.0 has no way to write, and the surrogates that stand for bytes that are no UTF-8.
_HELD = re.compile("[^\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]+")


def write_xml(corpus: Corpus, folder: str, form: TextForm) -> Written:
    """Write a configuration and the files that it names.

    Parameters
    ----------
    corpus : Corpus
    folder : str
        An empty one.
    form : TextForm
        How the texts are written.

    Raises
    ------
    InputError
        All IDs that XML cannot hold; a text that cannot be read.
    """
    check_ids(corpus, _HELD, "XML")
    reader = SourceReader.of(corpus)
    files = TextFiles(folder, form)
    n_evals = 0
    with open(os.path.join(folder, CONFIG), "x", encoding="utf-8", newline="\n") as config:
        config.write(_HEAD)
        for evaluation in scored_evaluations(corpus):
            named = files.write(reader.read(evaluation))
            config.writelines(f"{line}\n" for line in _element(named, form.name))
            n_evals += 1
        config.write(_TAIL)
    what = f"{count(n_evals, 'EVALs')}, {count(len(corpus.systems), 'systems')}, {form.name} texts"
    commands = (("rouge-cli", "-a", CONFIG), ("ROUGE-1.5.5.pl", "-a", CONFIG))
    return Written(what, commands, files.replaced.warnings)


def _element(files: EvalFiles, form: str) -> Iterator[str]:
    """Yield the lines of an EVAL element."""
    yield f'  <EVAL ID="{files.id.translate(_ESCAPES)}">'
    yield f"    <PEER-ROOT>{PEER_ROOT}</PEER-ROOT>"
    yield f"    <MODEL-ROOT>{MODEL_ROOT}</MODEL-ROOT>"
    yield f'    <INPUT-FORMAT TYPE="{form}"></INPUT-FORMAT>'
    yield "    <PEERS>"
    for system, name in files.peers.items():
        yield f'      <P ID="{system.translate(_ESCAPES)}">{name}</P>'
    yield "    </PEERS>"
    yield "    <MODELS>"
    for number, name in enumerate(files.models, 1):
        yield f'      <M ID="{number}">{name}</M>'
    yield "    </MODELS>"
    yield "  </EVAL>"
