"""Write an input in another layout: JSON lines, XML, file lists, or parallel line files.

Source: specification, section 2, "XML config" and "File list"; Lin (2004), section 2.1
(jackknifing).
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import field, replace
from itertools import chain
from typing import BinaryIO

from rouge_cli.atomic_files import new_folder
from rouge_cli.conversion import (
    HELD_BY_XML,
    FileNames,
    Replaced,
    Written,
    check_ids,
    count,
    places_by_number,
    write_eval_ids,
)
from rouge_cli.errors import InputError, Problems
from rouge_cli.inputs.evaluation import in_byte_order
from rouge_cli.inputs.index import EvalTexts, Input, human_names
from rouge_cli.inputs.layout import open_input
from rouge_cli.inputs.sentences import (
    ELEMENTS_FORMAT,
    SENTENCE_FORMATS,
    STAND_IN,
    SentenceFormat,
    sentences_of,
)
from rouge_cli.inputs.source import Source, records_format
from rouge_cli.inputs.text_files import ElementsError, FileEval, FileInput
from rouge_cli.options.options import Options
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.run.jackknife import name_problems, one_model_problems

# IDs that records can have: not blank, and without characters that break a line of a report.
_RECORD_ID = re.compile(r"(?=.*\S)[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")

# Records are read in the same way: a lone surrogate is text, too.
_ENCODING = ("utf-8", "surrogatepass")
# JSON would read the two halves as one character, which has other bytes.
_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_NOT_UTF8 = (
    "not UTF-8, and records can hold no other bytes; use --to list, which keeps them, or save it "
    "as UTF-8"
)


def open_convertible(source: Source, options: Options) -> Input:
    """Open an input of sentences, with all its systems or the selected one, and read it once.

    Raises OptionError and InputError, also for Basic Elements, which no other layout can hold.
    """
    wanted = options.changed(all=options.inputs.all or source.system_id is None)
    try:
        opened = open_input(source, wanted.inputs, wanted.metrics)
    except ElementsError:
        name = "the texts" if source.config is None else source.name
        raise InputError(
            f"{name}: Basic Elements ({ELEMENTS_FORMAT}) cannot be converted: the other "
            "formats hold sentences; score them as they are, with -3"
        ) from None
    opened.complete()
    return opened


def convert_to_folder(source: Input, kind: str, path: str, text_format: str) -> Written:
    """Write an input into a new or empty folder, whole or not at all.

    `kind` is ``"xml"``, ``"list"`` or ``"lines"``. `text_format` is ``"SPL"``, ``"SEE"`` or
    ``"ISI"``; line files ignore it. Raises InputError for anything that the layout cannot hold, a
    text that cannot be read, and a folder that cannot be written.
    """
    with new_folder(path) as folder:
        if kind == "lines":
            return write_lines(source, folder)
        form = SENTENCE_FORMATS[text_format]
        if kind == "list":
            return write_lists(source, folder, form)
        return _with_order_warning(source, write_xml(source, folder, form))


def _with_order_warning(source: Input, written: Written) -> Written:
    in_order = in_byte_order(source.index.order)
    if list(source.index.order) == in_order:
        return written
    warning = f"the systems will be printed in byte order: {', '.join(in_order)}"
    return replace(written, warnings=(*written.warnings, warning))


def convert_to_records(source: Input, file: BinaryIO, path: str) -> Written:
    """Write a record for each peer: ``id``, ``system``, ``prediction`` and ``references``.

    Texts are lists of sentences. `path` is the final name of the file, ``-`` for standard output.
    Raises InputError with all IDs or all texts that records cannot hold, or for a text that cannot
    be read.
    """
    check_ids(source.index, _RECORD_ID, "a file of records")
    n_evals = n_records = 0
    problems = Problems()
    for texts in source.evals():
        for text in texts.texts:
            if not _can_be_json(text.content):
                problems.add(text.name, _NOT_UTF8)
        # After the first problem nothing more is written, but all texts are checked.
        if problems:
            continue
        lines = list(_records(texts))
        file.writelines(lines)
        n_evals, n_records = n_evals + 1, n_records + len(lines)
    problems.raise_any()
    is_known = records_format(path) == "JSONL"
    command = ("rouge-cli", *(() if is_known else ("--records-format", "JSONL")), path)
    systems = count(len(source.index.order), "systems")
    what = f"{count(n_evals, 'texts')}, {systems}, {count(n_records, 'records')}"
    return _with_order_warning(source, Written(what, (command,)))


def _records(texts: EvalTexts) -> Iterator[bytes]:
    references = [_sentences(model.content) for model in texts.models]
    for system, peer in texts.peers.items():
        record = {
            "id": texts.id,
            "system": system,
            "prediction": _sentences(peer.content),
            "references": references,
        }
        try:
            yield json.dumps(record, ensure_ascii=False).encode() + b"\n"
        except UnicodeEncodeError:
            # Lone surrogates have to be escaped.
            yield json.dumps(record).encode() + b"\n"


def _can_be_json(text: bytes) -> bool:
    try:
        return text.isascii() or not _SURROGATE_PAIR.search(text.decode(*_ENCODING))
    except UnicodeDecodeError:
        return False


def _sentences(text: bytes) -> list[str]:
    return [part.decode(*_ENCODING) for part in sentences_of(text)] or [""]


PEERS, MODELS = "peers", "models"


EvalFiles = tuple[str, dict[str, str], dict[str, str]]
"""ID of an EVAL, names of files below `PEERS` by system, and below `MODELS` by ID."""


class TextFiles:
    """Writes the files of one EVAL after another, below `PEERS` and `MODELS` in a folder."""

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
        eval_id, suffix = texts.id, self._form.suffix
        name = self._evals[eval_id]
        peers = {system: f"{self._system_folder(system)}/{name}{suffix}" for system in texts.peers}
        models = [f"{name}.{number}{suffix}" for number in range(1, len(texts.models) + 1)]
        for system, text in texts.peers.items():
            self._write(PEERS, peers[system], text.content)
        for file_name, text in zip(models, texts.models, strict=True):
            self._write(MODELS, file_name, text.content)
        ids = texts.humans
        # Numbers replace IDs that repeat or cannot be written.
        if len(set(ids)) < len(ids) or not all(map(HELD_BY_XML.fullmatch, ids)):
            ids = tuple(map(str, range(1, len(ids) + 1)))
        return eval_id, peers, dict(zip(ids, models, strict=True))

    def _system_folder(self, system: str) -> str:
        name = self.systems[system]
        if name not in self._made:
            os.mkdir(os.path.join(self._folder, PEERS, name))
            self._made.add(name)
        return name

    def _write(self, root: str, name: str, text: bytes) -> None:
        self.replaced.count(text)
        with open(os.path.join(self._folder, root, name), "xb") as file:
            file.write(self._form.write(text))


def write_lists(source: Input, folder: str, form: SentenceFormat) -> Written:
    """Write a file list for each system, and the listed files, into an empty folder.

    Raises InputError if a text cannot be read.
    """
    files = TextFiles(folder, form)
    evals = list(map(files.write, source.evals()))
    commands: list[tuple[str, ...]] = []
    for system in source.index.order:
        file_list = f"{files.systems[system]}.lst"
        _write_list(evals, system, folder, files.systems[system])
        # After the dashes a name is never taken for an option.
        names = ("--", file_list, system) if system.startswith("-") else (file_list, system)
        commands += [
            (program, "-z", form.name, *names) for program in ("rouge-cli", "ROUGE-1.5.5.pl")
        ]
    n_systems = count(len(source.index.order), "systems")
    what = f"{count(len(evals), 'texts')}, {n_systems} with a list each, {form.name} format"
    return Written(what, tuple(commands), files.replaced.warnings)


def _write_list(evals: list[EvalFiles], system: str, folder: str, name: str) -> None:
    present = [files for files in evals if system in files[1]]
    eval_ids = [eval_id for eval_id, _, _ in present]
    in_order = [present[row] for row in places_by_number(eval_ids, system)]
    path = os.path.join(folder, name)
    with open(f"{path}.lst", "x", encoding="ascii", newline="\n") as file_list:
        for _, peers, models in in_order:
            names = [f"{MODELS}/{model}" for model in models.values()]
            file_list.write(" ".join([f"{PEERS}/{peers[system]}", *names]) + "\n")
    write_eval_ids(f"{path}.{EVAL_IDS}", (eval_id for eval_id, _, _ in in_order))


CONFIG = "config.xml"
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<ROUGE-EVAL version="1.55">\n'
TAIL = "</ROUGE-EVAL>\n"

# White space other than blanks would be read as blanks.
_ESCAPES = str.maketrans({
    "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;",
    "\t": "&#9;", "\n": "&#10;", "\r": "&#13;",
})  # fmt: skip


def write_xml(source: Input, folder: str, form: SentenceFormat) -> Written:
    """Write a configuration, and the files that it names, into an empty folder.

    Raises InputError with all IDs that XML cannot hold, or for a text that cannot be read.
    """
    check_ids(source.index, HELD_BY_XML, "XML")
    files = TextFiles(folder, form)
    n_evals = 0
    with open(os.path.join(folder, CONFIG), "x", encoding="utf-8", newline="\n") as config:
        config.write(HEAD)
        for texts in source.evals():
            eval_id, peers, models = files.write(texts)
            config.writelines(
                _eval_lines(eval_id, form.name, (PEERS, MODELS), peers.items(), models.items())
            )
            n_evals += 1
        config.write(TAIL)
    systems = count(len(source.index.order), "systems")
    what = f"{count(n_evals, 'texts')}, {systems}, {form.name} format"
    commands = (("rouge-cli", "-a", CONFIG), ("ROUGE-1.5.5.pl", "-a", CONFIG))
    return Written(what, commands, files.replaced.warnings)


def leave_one_out_config(source: Input, *, with_humans: bool) -> Iterator[str]:
    """Yield a configuration with the EVALs ``ID-1``, ``ID-2`` and so on, one for each model.

    The EVAL ``ID-k`` leaves out the k-th model of ``ID``; `with_humans` makes it a peer. The files,
    in one format per EVAL, stay where they are.

    Raises InputError with everything that cannot be jackknifed or written, before the first line.
    """
    if not isinstance(source, FileInput):
        problem = "its texts are not separate files; make some first: rouge-cli convert --to xml"
        ids = source.complete().eval_ids
        raise InputError(Problems.of("", ((f"text {x}", problem) for x in ids)).lines())
    evals, order = source.named.evals, source.named.order
    problems = Problems.of("", one_model_problems({x.id: len(x.models) for x in evals}))
    systems = {system for evaluation in evals for system in evaluation.peers}
    if with_humans:
        humans = {evaluation.id: _humans(evaluation) for evaluation in evals}
        for place, problem in name_problems(humans, systems):
            problems.add(place, problem)
    problems.raise_any()
    Problems.of("", chain.from_iterable(map(_problems, evals))).raise_any()
    yield HEAD
    for evaluation in evals:
        names, models = _humans(evaluation), evaluation.models
        for number, (human, model) in enumerate(zip(names, models, strict=True)):
            peers = dict(evaluation.peers) | ({human: model} if with_humans else {})
            left = FileEval(
                f"{evaluation.id}-{number + 1}",
                peers,
                models[:number] + models[number + 1 :],
                names[:number] + names[number + 1 :],
            )
            yield from _leave_one_out_lines(left, order)
    yield TAIL


def _humans(evaluation: FileEval) -> tuple[str, ...]:
    return evaluation.model_ids or human_names(len(evaluation.models))


def _problems(evaluation: FileEval) -> Iterator[tuple[str, str]]:
    eval_name = f"text {evaluation.id}"
    files = (*evaluation.peers.values(), *evaluation.models)
    if len({file.format for file in files}) > 1:
        yield (
            eval_name,
            "files of several formats, but those of a text must have one; convert them first: "
            "rouge-cli convert --to xml",
        )
    names = [evaluation.id, *evaluation.peers, *_humans(evaluation)]
    for name in dict.fromkeys((*names, *(file.name for file in files))):
        if not HELD_BY_XML.fullmatch(name):
            yield eval_name, f"XML cannot hold the name {name!a}"


def _leave_one_out_lines(evaluation: FileEval, systems: Iterable[str]) -> Iterator[str]:
    in_order = [system for system in systems if system in evaluation.peers]
    others = [system for system in evaluation.peers if system not in set(in_order)]
    peers = {system: evaluation.peers[system].name for system in (*in_order, *others)}
    peer_root, peer_names = _below_root(list(peers.values()))
    model_root, model_names = _below_root([model.name for model in evaluation.models])
    return _eval_lines(
        evaluation.id,
        evaluation.models[0].format,
        (peer_root, model_root),
        zip(peers, peer_names, strict=True),
        zip(evaluation.model_ids, model_names, strict=True),
    )


def _below_root(names: list[str]) -> tuple[str, list[str]]:
    # An EVAL element has one root for all peers and one for all models, so files in several folders
    # need a common root.
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
    """Yield the lines of an EVAL element; `peers` and `models` are pairs of an ID and a file."""
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
    return text.translate(_ESCAPES)


SEPARATORS = ("<q>", "<sent>", "<sentence>", "[SENT]", "[SENTENCE-END]")
"""Candidates for separators of sentences. None ends with the character it begins with, so joining a
sentence to one cannot create another occurrence."""

EVAL_IDS = "eval_ids.tsv"
UNHELD = b"\0"
_INSTEAD = "use --to jsonl or --to xml"


@dataclass(slots=True)
class _Survey:
    """Facts about all EVALs that are needed before the first line is written.

    `free` are the separators that occur in no text. `has_sentences` is True if a text has more than
    one sentence.
    """

    eval_ids: list[str] = field(default_factory=list)
    n_models: int = 0
    free: list[bytes] = field(default_factory=lambda: [name.encode() for name in SEPARATORS])
    has_sentences: bool = False
    problems: Problems = field(default_factory=Problems)

    def add(self, texts: EvalTexts, systems: Sequence[str]) -> None:
        place = f"text {texts.id}"
        if not self.eval_ids:
            self.n_models = len(texts.models)
        elif len(texts.models) != self.n_models:
            others = f"text {self.eval_ids[0]} has {self.n_models}; line files need as many in each"
            self.problems.add(
                place,
                f"{count(len(texts.models), 'references')}, but {others}: {_INSTEAD}",
                f"more or fewer references, but {others}: {_INSTEAD}",
            )
        for system in systems:
            if system not in texts.peers:
                needed = f"line files need one in each: {_INSTEAD}"
                self.problems.add(place, f"system {system} has no prediction; {needed}")
        self.eval_ids.append(texts.id)
        for text, _, _ in texts.texts:
            self.free = [separator for separator in self.free if separator not in text]
            self.has_sentences = self.has_sentences or b"\n" in text.strip(b"\n")

    def separator(self) -> bytes:
        if not self.has_sentences:
            return b""
        if not self.free:
            raise InputError(
                f"every separator occurs in the texts ({', '.join(SEPARATORS)}); {_INSTEAD}"
            )
        return self.free[0]

    def order(self, systems: Sequence[str]) -> list[int]:
        order = places_by_number(self.eval_ids, systems[0])
        for system in systems[1:]:
            if places_by_number(self.eval_ids, system) != order:
                raise InputError(
                    "no order of lines preserves the scores of all systems: the byte order of "
                    f"EVALID.SYSTEMID, in which texts are drawn, differs between {systems[0]} and "
                    f"{system}; {_INSTEAD}"
                )
        return order


def write_lines(source: Input, folder: str) -> Written:
    """Write a line file for each system and for each model into an empty folder.

    The input is read twice. Raises InputError for missing peers, different numbers of models, IDs
    that no order of lines or no option suits, and a text that cannot be read.
    """
    problems = [
        f"system {system!a}: --predictions NAME=FILE needs a NAME without '='; {_INSTEAD}"
        for system in source.index.order
        if not system or "=" in system
    ]
    if problems:
        raise InputError(problems)
    survey = _Survey()
    for texts in source.evals():
        survey.add(texts, source.index.order)
    survey.problems.raise_any()
    order, separator = survey.order(source.index.order), survey.separator()
    peers, models = _new_paths(folder, source.index.order, survey.n_models)
    replaced = Replaced("a line file", UNHELD, "a zero byte")
    paths = [os.path.join(folder, path) for path in (*peers.values(), *models)]
    evals: Iterable[EvalTexts] = source.evals()
    # All texts have to be in memory only if their order changes.
    if order != sorted(order):
        in_order = list(evals)
        evals = (in_order[row] for row in order)
    _write_files(paths, evals, separator, replaced)
    write_eval_ids(os.path.join(folder, EVAL_IDS), (survey.eval_ids[row] for row in order))
    what = f"{count(len(order), 'texts')}, {count(len(peers), 'systems')}, one text per line"
    return Written(what, (_command(peers, models, separator.decode()),), replaced.warnings)


def _new_paths(
    folder: str, systems: Iterable[str], n_models: int
) -> tuple[dict[str, str], list[str]]:
    names = FileNames()
    for name in (PEERS, MODELS):
        os.mkdir(os.path.join(folder, name))
    peers = {system: f"{PEERS}/{names[system]}.txt" for system in systems}
    return peers, [f"{MODELS}/{number}.txt" for number in range(1, n_models + 1)]


def _write_files(
    paths: Sequence[str], evals: Iterable[EvalTexts], separator: bytes, replaced: Replaced
) -> None:
    with ExitStack() as stack:
        files = [stack.enter_context(open(path, "xb")) for path in paths]
        for texts in evals:
            for file, (text, _, _) in zip(files, texts.texts, strict=True):
                replaced.count(text)
                line = separator.join(sentences_of(text)).replace(UNHELD, STAND_IN)
                file.write(line + b"\n")


def _command(peers: dict[str, str], models: Iterable[str], separator: str) -> tuple[str, ...]:
    arguments = ["rouge-cli"]
    for system, path in peers.items():
        arguments += ["--peer-lines", f"{system}={path}"]
    for path in models:
        arguments += ["--model-lines", path]
    return (*arguments, *(("--sentence-separator", separator) if separator else ()))
