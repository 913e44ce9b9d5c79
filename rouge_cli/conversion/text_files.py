"""A file for each text, and what names them: the original's XML, or file lists.

Source: specification, section 2, "XML config" and "File list"; Lin (2004), section 2.1
(jackknifing).
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from rouge_cli.conversion.names import (
    HELD_BY_XML,
    Command,
    FileNames,
    Replaced,
    Written,
    check_ids,
    count,
    eval_id_table,
    places_by_number,
)
from rouge_cli.errors import Problems
from rouge_cli.inputs.corpus import Corpus, EvalTexts
from rouge_cli.inputs.evaluation import Evaluation
from rouge_cli.inputs.formats import SentenceFormat
from rouge_cli.inputs.texts import FileTexts
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.run.jackknife import jackknife_corpus

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
    evals = list(map(files.write, corpus.eval_texts()))
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


CONFIG = "config.xml"
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


@dataclass(frozen=True, slots=True)
class _EvalElement:
    """An EVAL as a configuration names it.

    Parameters
    ----------
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


def write_xml(corpus: Corpus, folder: str, form: SentenceFormat) -> Written:
    """Write a configuration and the files that it names.

    Raises InputError with all IDs that XML cannot hold; a text that cannot be read.

    Parameters
    ----------
    folder : str
        An empty one.
    form : SentenceFormat
        How the texts are written.
    """
    check_ids(corpus, HELD_BY_XML, "XML")
    files = TextFiles(folder, form)
    n_evals = 0
    with open(os.path.join(folder, CONFIG), "x", encoding="utf-8", newline="\n") as config:
        config.write(HEAD)
        for texts in corpus.eval_texts():
            named = files.write(texts)
            element = _element_of_files(named, form.name)
            config.writelines(f"{line}\n" for line in _eval_lines(element))
            n_evals += 1
        config.write(TAIL)
    what = f"{count(n_evals, 'EVALs')}, {count(len(corpus.systems), 'systems')}, {form.name} texts"
    commands = (("rouge-cli", "-a", CONFIG), ("ROUGE-1.5.5.pl", "-a", CONFIG))
    return Written(what, commands, files.replaced.warnings)


def _element_of_files(files: EvalFiles, form: str) -> _EvalElement:
    """Return the element of an EVAL whose files are written."""
    models = list(zip(files.model_ids, files.models, strict=True))
    return _EvalElement(files.id, form, PEER_ROOT, MODEL_ROOT, files.peers, models)


def leave_one_out_config(corpus: Corpus, *, with_humans: bool) -> Iterator[str]:
    """Yield a configuration with the EVALs ``ID-1``, ``ID-2`` and so on, one for each model.

    In the EVAL ``ID-k`` the k-th model of ``ID`` is left out. The files stay where they are.

    Raises InputError with all that cannot be jackknifed, or not be written; before anything is
    yielded.

    Parameters
    ----------
    corpus : Corpus
        Its texts are files, those of an EVAL all in one format.
    with_humans : bool
        Whether the model that is left out is a peer.
    """
    jackknifed = jackknife_corpus(corpus, with_humans=with_humans)
    files = corpus.texts.as_files()
    evals = jackknifed.whole.evaluations()
    Problems.of("", chain.from_iterable(_problems(item, files) for item in evals)).raise_any()
    if files is None:
        return
    yield HEAD
    number = 0
    previous = ""
    for models in jackknifed.set_evals():
        number = number + 1 if models.id == previous else 1
        previous = models.id
        numbered = replace(models, id=f"{models.id}-{number}")
        element = _element_of_set(numbered, files, corpus.systems)
        for line in _eval_lines(element):
            yield f"{line}\n"
    yield TAIL


def _problems(evaluation: Evaluation, files: FileTexts | None) -> Iterator[tuple[str, str]]:
    """Yield what of an EVAL cannot be written, and why."""
    eval_name = f"EVAL {evaluation.id}"
    numbers = [*evaluation.peers.values(), *evaluation.models]
    names = [evaluation.id, *evaluation.peers, *evaluation.humans]
    if files is None:
        yield (
            eval_name,
            "its texts are no files of their own; make some first: rouge-cli convert --to xml",
        )
    else:
        names += [files.names[number] for number in numbers]
        if len({files.formats[number] for number in numbers}) > 1:
            yield (
                eval_name,
                "texts in several formats, and an EVAL has one; make them one first: rouge-cli "
                "convert --to xml",
            )
    for name in dict.fromkeys(names):
        if not HELD_BY_XML.fullmatch(name):
            yield eval_name, f"XML cannot hold the name {name!a}"


def _element_of_set(
    evaluation: Evaluation, files: FileTexts, systems: Iterable[str]
) -> _EvalElement:
    """Return a set of models as an EVAL element."""
    in_order = [system for system in systems if system in evaluation.peers]
    others = [system for system in evaluation.peers if system not in set(in_order)]
    peers = {system: files.names[evaluation.peers[system]] for system in (*in_order, *others)}
    peer_root, peer_names = _below_root(list(peers.values()))
    model_root, model_names = _below_root([files.names[number] for number in evaluation.models])
    return _EvalElement(
        evaluation.id,
        files.formats[evaluation.models[0]],
        peer_root,
        model_root,
        dict(zip(peers, peer_names, strict=True)),
        list(zip(evaluation.humans, model_names, strict=True)),
    )


def _below_root(names: list[str]) -> tuple[str, list[str]]:
    """Return a folder that holds all files, and their names below it."""
    folders = [os.path.dirname(name) for name in names]
    if len(set(folders)) == 1:
        return folders[0] or ".", [os.path.basename(name) for name in names]
    if any(map(os.path.isabs, names)):
        names = list(map(os.path.abspath, names))
        root = os.path.commonpath(names)
        return root, [os.path.relpath(name, root) for name in names]
    return ".", names


def _eval_lines(element: _EvalElement) -> Iterator[str]:
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
