"""A file for each text, named after its system and its EVAL, and the file lists that name them.

Source: specification, section 2, "File list".
"""

import os

from rouge_cli.conversion.names import HELD_BY_XML, FileNames, eval_id_table, places_by_number
from rouge_cli.conversion.written import Command, Replaced, Written, count
from rouge_cli.inputs.corpus import Corpus, EvalTexts, read_texts, scored_evaluations
from rouge_cli.inputs.evaluation import Evaluation
from rouge_cli.inputs.formats import SentenceFormat
from rouge_cli.quick_dataclass import dataclass

__all__ = ["MODEL_ROOT", "PEER_ROOT", "EvalFiles", "TextFiles", "write_lists"]

PEER_ROOT, MODEL_ROOT = "peers", "models"


@dataclass(frozen=True, slots=True)
class EvalFiles:
    """The files of an EVAL.

    Parameters
    ----------
    id : str
        The EVAL ID.
    peers : dict of str to str
        System ID to name below `PEER_ROOT`.
    models : list of str
        Names below `MODEL_ROOT`.
    model_ids : tuple of str
        The ID of each model, no two the same.
    """

    id: str
    peers: dict[str, str]
    models: list[str]
    model_ids: tuple[str, ...]


class TextFiles:
    """Writes the files of EVAL after EVAL.

    Parameters
    ----------
    folder : str
        Where `PEER_ROOT` and `MODEL_ROOT` are made.
    form : SentenceFormat
        How the texts are written.
    """

    def __init__(self, folder: str, form: SentenceFormat) -> None:
        self.replaced = Replaced(form.name, form.unheld, repr(form.unheld.decode()))
        self.systems = FileNames()
        self._evals = FileNames()
        self._folder = folder
        self._form = form
        self._made: set[str] = set()
        for root in (PEER_ROOT, MODEL_ROOT):
            os.mkdir(os.path.join(folder, root))

    def write(self, texts: EvalTexts) -> EvalFiles:
        """Write the files of an EVAL."""
        eval_id, suffix = texts.evaluation.id, self._form.suffix
        name = self._evals[eval_id]
        peers = {system: f"{self._system(system)}/{name}{suffix}" for system in texts.peers}
        models = [f"{name}.{number}{suffix}" for number in range(1, len(texts.models) + 1)]
        for system, text in texts.peers.items():
            self._write(PEER_ROOT, peers[system], text)
        for file_name, text in zip(models, texts.models, strict=True):
            self._write(MODEL_ROOT, file_name, text)
        return EvalFiles(eval_id, peers, models, _model_ids(texts.evaluation))

    def _system(self, system: str) -> str:
        """Return the folder of a system, made when it is first asked for."""
        name = self.systems[system]
        if name not in self._made:
            os.mkdir(os.path.join(self._folder, PEER_ROOT, name))
            self._made.add(name)
        return name

    def _write(self, root: str, name: str, text: bytes) -> None:
        """Write a file."""
        self.replaced.count(text)
        with open(os.path.join(self._folder, root, name), "xb") as file:
            file.write(self._form.write(text))


def _model_ids(evaluation: Evaluation) -> tuple[str, ...]:
    """Return who wrote each model; numbers if one stands there twice, or cannot be written."""
    humans = evaluation.humans
    if len(set(humans)) == len(humans) and all(map(HELD_BY_XML.fullmatch, humans)):
        return humans
    return tuple(map(str, range(1, len(humans) + 1)))


def write_lists(corpus: Corpus, folder: str, form: SentenceFormat) -> Written:
    """Write a file list for each system, and the files that they name.

    Raises InputError if a text cannot be read.

    Parameters
    ----------
    folder : str
        An empty one.
    form : SentenceFormat
        How the texts are written.
    """
    files = TextFiles(folder, form)
    evals = [
        files.write(read_texts(corpus, evaluation)) for evaluation in scored_evaluations(corpus)
    ]
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
