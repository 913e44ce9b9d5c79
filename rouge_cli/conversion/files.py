"""To files of texts: one for each text, which XML or file lists name, or one for many lines.

Source: specification, section 2, "XML config" and "File list"; Lin (2004), section 2.1
(jackknifing).
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import field, replace
from itertools import chain

from rouge_cli.conversion.names import (
    HELD_BY_XML,
    Command,
    FileNames,
    Replaced,
    Written,
    check_ids,
    count,
    places_by_number,
    write_eval_ids,
)
from rouge_cli.errors import InputError, Problems
from rouge_cli.inputs.corpus import Corpus, EvalTexts
from rouge_cli.inputs.evaluation import Evaluation
from rouge_cli.inputs.formats import STAND_IN, SentenceFormat, sentences_of
from rouge_cli.inputs.texts import FileTexts
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.run.jackknife import jackknife_corpus

PEERS, MODELS = "peers", "models"
"""The folders that are written."""


@dataclass(frozen=True, slots=True)
class EvalFiles:
    """The files of an EVAL: system ID to name below `PEERS`, and names below `MODELS`.

    No two of `model_ids` are the same.
    """

    id: str
    peers: dict[str, str]
    models: list[str]
    model_ids: tuple[str, ...]


class TextFiles:
    """Writes the files of EVAL after EVAL, in `PEERS` and `MODELS`, which it makes in a folder."""

    def __init__(self, folder: str, form: SentenceFormat) -> None:
        self.replaced = Replaced(form.name, form.unheld, repr(form.unheld.decode()))
        self.systems = FileNames()
        self._evals = FileNames()
        self._folder = folder
        self._form = form
        self._made: set[str] = set()
        for root in (PEERS, MODELS):
            os.mkdir(os.path.join(folder, root))

    def write(self, texts: EvalTexts) -> EvalFiles:
        """Write the files of an EVAL."""
        eval_id, suffix = texts.evaluation.id, self._form.suffix
        name = self._evals[eval_id]
        peers = {system: f"{self._system(system)}/{name}{suffix}" for system in texts.peers}
        models = [f"{name}.{number}{suffix}" for number in range(1, len(texts.models) + 1)]
        for system, text in texts.peers.items():
            self._write(PEERS, peers[system], text)
        for file_name, text in zip(models, texts.models, strict=True):
            self._write(MODELS, file_name, text)
        return EvalFiles(eval_id, peers, models, _model_ids(texts.evaluation))

    def _system(self, system: str) -> str:
        """Return the folder of a system, made when it is first asked for."""
        name = self.systems[system]
        if name not in self._made:
            os.mkdir(os.path.join(self._folder, PEERS, name))
            self._made.add(name)
        return name

    def _write(self, root: str, name: str, text: bytes) -> None:
        """Write a file."""
        self.replaced.count(text)
        with open(os.path.join(self._folder, root, name), "xb") as file:
            file.write(self._form.write(text))


def _model_ids(evaluation: Evaluation) -> tuple[str, ...]:
    """Return the ID of each model; numbers if an ID occurs twice, or cannot be written."""
    humans = evaluation.humans
    if len(set(humans)) == len(humans) and all(map(HELD_BY_XML.fullmatch, humans)):
        return humans
    return tuple(map(str, range(1, len(humans) + 1)))


def write_lists(corpus: Corpus, folder: str, form: SentenceFormat) -> Written:
    """Write a file list for each system, and the files that they name, into an empty folder.

    Raises InputError if a text cannot be read.
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
    """Write the list of a system, and the EVAL of each line."""
    present = [files for files in evals if system in files.peers]
    eval_ids = [files.id for files in present]
    in_order = [present[row] for row in places_by_number(eval_ids, system)]
    start = os.path.join(folder, name)
    with open(f"{start}.lst", "x", encoding="ascii", newline="\n") as file_list:
        file_list.writelines(_row(files, system) for files in in_order)
    write_eval_ids(f"{start}.{EVAL_IDS}", (files.id for files in in_order))


def _row(files: EvalFiles, system: str) -> str:
    """Return the line of an EVAL."""
    models = [f"{MODELS}/{name}" for name in files.models]
    return " ".join([f"{PEERS}/{files.peers[system]}", *models]) + "\n"


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


def write_xml(corpus: Corpus, folder: str, form: SentenceFormat) -> Written:
    """Write a configuration and the files that it names into an empty folder.

    Raises InputError with all IDs that XML cannot hold; a text that cannot be read.
    """
    check_ids(corpus, HELD_BY_XML, "XML")
    files = TextFiles(folder, form)
    n_evals = 0
    with open(os.path.join(folder, CONFIG), "x", encoding="utf-8", newline="\n") as config:
        config.write(HEAD)
        for texts in corpus.eval_texts():
            named = files.write(texts)
            models = zip(named.model_ids, named.models, strict=True)
            config.writelines(
                _eval_lines(named.id, form.name, (PEERS, MODELS), named.peers.items(), models)
            )
            n_evals += 1
        config.write(TAIL)
    what = f"{count(n_evals, 'EVALs')}, {count(len(corpus.systems), 'systems')}, {form.name} texts"
    commands = (("rouge-cli", "-a", CONFIG), ("ROUGE-1.5.5.pl", "-a", CONFIG))
    return Written(what, commands, files.replaced.warnings)


def leave_one_out_config(corpus: Corpus, *, with_humans: bool) -> Iterator[str]:
    """Yield a configuration with the EVALs ``ID-1``, ``ID-2`` and so on, one for each model.

    In the EVAL ``ID-k`` the k-th model of ``ID`` is left out, and `with_humans` is a peer. The
    files, in one format in each EVAL, stay where they are.

    Raises InputError with all that cannot be jackknifed or written, before anything is yielded.
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
        yield from _lines_of_set(numbered, files, corpus.systems)
    yield TAIL


def _problems(evaluation: Evaluation, files: FileTexts | None) -> Iterator[tuple[str, str]]:
    """Yield the parts of an EVAL that cannot be written, and why."""
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


def _lines_of_set(
    evaluation: Evaluation, files: FileTexts, systems: Iterable[str]
) -> Iterator[str]:
    """Yield the lines of a set of models as an EVAL element."""
    in_order = [system for system in systems if system in evaluation.peers]
    others = [system for system in evaluation.peers if system not in set(in_order)]
    peers = {system: files.names[evaluation.peers[system]] for system in (*in_order, *others)}
    peer_root, peer_names = _below_root(list(peers.values()))
    model_root, model_names = _below_root([files.names[number] for number in evaluation.models])
    return _eval_lines(
        evaluation.id,
        files.formats[evaluation.models[0]],
        (peer_root, model_root),
        zip(peers, peer_names, strict=True),
        zip(evaluation.humans, model_names, strict=True),
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


def _eval_lines(
    eval_id: str,
    form: str,
    roots: tuple[str, str],
    peers: Iterable[tuple[str, str]],
    models: Iterable[tuple[str, str]],
) -> Iterator[str]:
    """Yield the lines of an EVAL element, all of whose texts have the format `form`.

    `roots` are the folders of peers and models; each ID has the name of its file below the folder.
    """
    yield f'  <EVAL ID="{_escaped(eval_id)}">\n'
    yield f"    <PEER-ROOT>{_escaped(roots[0])}</PEER-ROOT>\n"
    yield f"    <MODEL-ROOT>{_escaped(roots[1])}</MODEL-ROOT>\n"
    yield f'    <INPUT-FORMAT TYPE="{form}"></INPUT-FORMAT>\n'
    for section, tag, files in (("PEERS", "P", peers), ("MODELS", "M", models)):
        yield f"    <{section}>\n"
        for id_, name in files:
            yield f'      <{tag} ID="{_escaped(id_)}">{_escaped(name)}</{tag}>\n'
        yield f"    </{section}>\n"
    yield "  </EVAL>\n"


def _escaped(text: str) -> str:
    """Escape a text for XML."""
    return text.translate(_ESCAPES)


SEPARATORS = ("<q>", "<sent>", "<sentence>", "[SENT]", "[SENTENCE-END]")
"""What may separate sentences. None of them ends as it begins, so a sentence next to one
never makes it appear elsewhere."""

EVAL_IDS = "eval_ids.tsv"
UNHELD = b"\0"
_INSTEAD = "use --to jsonl or --to xml"


@dataclass(slots=True)
class _Survey:
    """What has to be known of all EVALs before the first line is written.

    `free` are the separators that no text holds. `has_sentences` says whether a text has more than
    one.
    """

    eval_ids: list[str] = field(default_factory=list)
    n_models: int = 0
    free: list[bytes] = field(default_factory=lambda: [name.encode() for name in SEPARATORS])
    has_sentences: bool = False
    problems: Problems = field(default_factory=Problems)

    def add(self, texts: EvalTexts, systems: Sequence[str]) -> None:
        """Look at an EVAL."""
        evaluation = texts.evaluation
        place = f"EVAL {evaluation.id}"
        if not self.eval_ids:
            self.n_models = len(texts.models)
        elif len(texts.models) != self.n_models:
            others = f"EVAL {self.eval_ids[0]} has {self.n_models}; line files need as many in each"
            self.problems.add(
                place,
                f"{count(len(texts.models), 'models')}, but {others}: {_INSTEAD}",
                f"more or fewer models, but {others}: {_INSTEAD}",
            )
        for system in systems:
            if system not in texts.peers:
                needed = f"line files need one in each: {_INSTEAD}"
                self.problems.add(place, f"system {system} has no peer; {needed}")
        self.eval_ids.append(evaluation.id)
        for text in chain(texts.peers.values(), texts.models):
            self.free = [separator for separator in self.free if separator not in text]
            self.has_sentences = self.has_sentences or b"\n" in text.strip(b"\n")

    def separator(self) -> bytes:
        """Return the separator of sentences, empty if none is needed; raises InputError."""
        if not self.has_sentences:
            return b""
        if not self.free:
            raise InputError(
                f"every separator occurs in the texts ({', '.join(SEPARATORS)}); {_INSTEAD}"
            )
        return self.free[0]

    def order(self, systems: Sequence[str]) -> list[int]:
        """Return the row of the EVAL of each line.

        Raises InputError if no order suits all systems.
        """
        order = places_by_number(self.eval_ids, systems[0])
        for system in systems[1:]:
            if places_by_number(self.eval_ids, system) != order:
                raise InputError(
                    "no order of lines gives all systems their scores: the byte order of "
                    f"EVALID.SYSTEMID, in which EVALs are drawn, differs between {systems[0]} and "
                    f"{system}; {_INSTEAD}"
                )
        return order


def write_lines(corpus: Corpus, folder: str) -> Written:
    """Write a line file for each system and for each model into an empty folder.

    The corpus is read twice. Raises InputError with absent peers, different numbers of models, IDs
    for which there is no order of lines or no option; a text that cannot be read.
    """
    _check_systems(corpus.systems)
    survey = _Survey()
    for texts in corpus.eval_texts():
        survey.add(texts, corpus.systems)
    survey.problems.raise_any()
    order, separator = survey.order(corpus.systems), survey.separator()
    peers, models = _new_paths(folder, corpus.systems, survey.n_models)
    replaced = Replaced("a line file", UNHELD, "a zero byte")
    paths = [os.path.join(folder, path) for path in (*peers.values(), *models)]
    _write_files(paths, _in_order(corpus, order), separator, replaced)
    write_eval_ids(os.path.join(folder, EVAL_IDS), (survey.eval_ids[row] for row in order))
    what = f"{count(len(order), 'EVALs')}, {count(len(peers), 'systems')}, a text a line"
    return Written(what, (_command(peers, models, separator.decode()),), replaced.warnings)


def _new_paths(
    folder: str, systems: Iterable[str], n_models: int
) -> tuple[dict[str, str], list[str]]:
    """Make the folders, and name the files in them: by system, and of the models."""
    names = FileNames()
    for name in (PEERS, MODELS):
        os.mkdir(os.path.join(folder, name))
    peers = {system: f"{PEERS}/{names[system]}.txt" for system in systems}
    return peers, [f"{MODELS}/{number}.txt" for number in range(1, n_models + 1)]


def _check_systems(systems: Iterable[str]) -> None:
    """Refuse IDs that ``--peer-lines NAME=FILE`` cannot name."""
    problems = [
        f"system {system!a}: --peer-lines NAME=FILE needs a NAME without '='; {_INSTEAD}"
        for system in systems
        if not system or "=" in system
    ]
    if problems:
        raise InputError(problems)


def _in_order(corpus: Corpus, order: Sequence[int]) -> Iterator[EvalTexts]:
    """Read the EVALs in an order; raises InputError."""
    if all(row == number for number, row in enumerate(order)):
        return corpus.eval_texts()
    evaluations = list(corpus.scored_evaluations())
    return corpus.with_evaluations(evaluations[row] for row in order).eval_texts()


def _write_files(
    paths: Sequence[str], evals: Iterable[EvalTexts], separator: bytes, replaced: Replaced
) -> None:
    """Write the texts of each EVAL, peers first, as a line of each file."""
    with ExitStack() as stack:
        files = [stack.enter_context(open(path, "xb")) for path in paths]
        for texts in evals:
            for file, text in zip(files, (*texts.peers.values(), *texts.models), strict=True):
                replaced.count(text)
                line = separator.join(sentences_of(text)).replace(UNHELD, STAND_IN)
                file.write(line + b"\n")


def _command(peers: dict[str, str], models: Iterable[str], separator: str) -> Command:
    """Return the command that scores the files."""
    arguments = ["rouge-cli"]
    for system, path in peers.items():
        arguments += ["--peer-lines", f"{system}={path}"]
    for path in models:
        arguments += ["--model-lines", path]
    return (*arguments, *(("--sentence-separator", separator) if separator else ()))
