"""A file for each text, named after its system and its EVAL: for configurations and file lists."""

import os
from dataclasses import dataclass

from rouge_cli.conversion.file_names import FileNames
from rouge_cli.conversion.texts import Replaced, TextForm
from rouge_cli.conversion.xml_elements import HELD
from rouge_cli.inputs.evaluation import Evaluation
from rouge_cli.inputs.source_texts import EvalTexts

__all__ = ["MODEL_ROOT", "PEER_ROOT", "EvalFiles", "TextFiles"]

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
    form : TextForm
        How the texts are written.
    """

    def __init__(self, folder: str, form: TextForm) -> None:
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
    if len(set(humans)) == len(humans) and all(map(HELD.fullmatch, humans)):
        return humans
    return tuple(map(str, range(1, len(humans) + 1)))
