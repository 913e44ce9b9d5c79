"""To the original's XML: a configuration and a file for each text.

Source: specification, section 2, "XML config".
"""

import os

from rouge_cli.conversion.held_ids import check_ids
from rouge_cli.conversion.text_files import MODEL_ROOT, PEER_ROOT, EvalFiles, TextFiles
from rouge_cli.conversion.texts import TextForm
from rouge_cli.conversion.written import Written, count
from rouge_cli.conversion.xml_elements import HEAD, HELD, TAIL, EvalElement, eval_lines
from rouge_cli.inputs.corpus import Corpus
from rouge_cli.inputs.source_texts import SourceReader, scored_evaluations

__all__ = ["write_xml"]

CONFIG = "config.xml"


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
    check_ids(corpus, HELD, "XML")
    reader = SourceReader.of(corpus)
    files = TextFiles(folder, form)
    n_evals = 0
    with open(os.path.join(folder, CONFIG), "x", encoding="utf-8", newline="\n") as config:
        config.write(HEAD)
        for evaluation in scored_evaluations(corpus):
            named = files.write(reader.read(evaluation))
            config.writelines(f"{line}\n" for line in eval_lines(_element(named, form.name)))
            n_evals += 1
        config.write(TAIL)
    what = f"{count(n_evals, 'EVALs')}, {count(len(corpus.systems), 'systems')}, {form.name} texts"
    commands = (("rouge-cli", "-a", CONFIG), ("ROUGE-1.5.5.pl", "-a", CONFIG))
    return Written(what, commands, files.replaced.warnings)


def _element(files: EvalFiles, form: str) -> EvalElement:
    """Return the element of an EVAL whose files are written."""
    models = list(zip(files.model_ids, files.models, strict=True))
    return EvalElement(files.id, form, PEER_ROOT, MODEL_ROOT, files.peers, models)
