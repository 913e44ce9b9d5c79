"""To the original's file lists: one for each system, and a file for each text.

Source: specification, section 2, "File list".
"""

import os

from rouge_cli.conversion.eval_ids import eval_id_table, places_by_number
from rouge_cli.conversion.text_files import MODEL_ROOT, PEER_ROOT, EvalFiles, TextFiles
from rouge_cli.conversion.texts import TextForm
from rouge_cli.conversion.written import Command, Written, count
from rouge_cli.inputs.corpus import Corpus
from rouge_cli.inputs.source_texts import SourceReader, scored_evaluations

__all__ = ["write_lists"]


def write_lists(corpus: Corpus, folder: str, form: TextForm) -> Written:
    """Write a file list for each system, and the files that they name.

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
        If a text cannot be read.
    """
    reader = SourceReader.of(corpus)
    files = TextFiles(folder, form)
    evals = [files.write(reader.read(evaluation)) for evaluation in scored_evaluations(corpus)]
    commands: list[Command] = []
    for system in corpus.systems:
        file_list = f"{files.systems[system]}.lst"
        _write_list(evals, system, folder, files.systems[system])
        # Behind the dashes a name is never an option.
        names = ("--", file_list, system) if system.startswith("-") else (file_list, system)
        commands += [
            (program, "-z", form.name, *names) for program in ("rouge-cli", "ROUGE-1.5.5.pl")
        ]
    n_systems = count(len(corpus.systems), "systems")
    what = f"{count(len(evals), 'EVALs')}, {n_systems} with a list each, {form.name} texts"
    return Written(what, tuple(commands), files.replaced.warnings)


def _write_list(evals: list[EvalFiles], system: str, folder: str, name: str) -> None:
    """Write the list of a system, and which EVAL stands on which line."""
    present = [files for files in evals if system in files.peers]
    eval_ids = [files.id for files in present]
    in_order = [present[place] for place in places_by_number(eval_ids, system)]
    start = os.path.join(folder, name)
    with open(f"{start}.lst", "x", encoding="ascii", newline="\n") as file_list:
        file_list.writelines(_row(files, system) for files in in_order)
    table = eval_id_table(files.id for files in in_order)
    with open(f"{start}.eval_ids.tsv", "xb") as file:
        file.write(table.encode("utf-8", "surrogateescape"))


def _row(files: EvalFiles, system: str) -> str:
    """Return the line of an EVAL."""
    models = [f"{MODEL_ROOT}/{name}" for name in files.models]
    return " ".join([f"{PEER_ROOT}/{files.peers[system]}", *models]) + "\n"
