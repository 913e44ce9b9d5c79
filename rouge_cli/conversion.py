"""Write an input in another layout: JSON lines, XML, file lists, or parallel line files.

In file lists and line files the IDs of EVALs are 1, 2, 3 and so on. The bootstrap draws from the
EVALs of a system in byte order of ``EVALID.SYSTEMID``, so scores stay the same only if the new
numbers have the same byte order as the old IDs.

Source: specification, section 2, "XML config" and "File list", and section 6; Lin (2004), section
2.1 (jackknifing).
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import chain
from typing import BinaryIO

from rouge_cli.atomic_files import new_folder
from rouge_cli.errors import InputError, Problems
from rouge_cli.inputs.evaluation import in_byte_order
from rouge_cli.inputs.index import EvalTexts, Index, Input, check_humans, human_names
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
from rouge_cli.reports.wording import counted
from rouge_cli.scores.results import byte_order

_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})

HELD_BY_XML = re.compile("[^\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]+")
"""The characters of XML 1.0, without the surrogates that represent bytes that are not UTF-8."""

_KEPT = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.")
_SPELLINGS = [chr(byte) if byte in _KEPT else f"%{byte:02X}" for byte in range(256)]
_EMPTY = "%"
# A first dot hides a file, a first hyphen looks like an option, and some systems drop a last dot.
_AT_AN_EDGE = re.compile(r"^[.-]|\.$")
# Windows takes these names for devices, whatever the suffix.
_DEVICE = re.compile(r"^[cpanl](?=(on|rn|ux|ul|om[0-9]|pt[0-9])(\.|$))", re.IGNORECASE)
LONGEST = 180  # bytes in a name: this leaves room for suffixes below the usual limit of 255


class FileNames(dict[str, str]):
    """Assigns a file name to each ID when it is first looked up.

    Bytes other than letters, digits and ``_-.`` are percent-encoded, and long names cut. Names that
    would be equal, ignoring case, end in ``~2`` and so on from the second one on. No encoded ID
    contains ``~``.
    """

    def __init__(self) -> None:
        super().__init__()
        self._taken: set[str] = set()

    def __missing__(self, id_: str) -> str:
        encoded = "".join([_SPELLINGS[byte] for byte in id_.encode("utf-8", "surrogateescape")])
        wanted = _DEVICE.sub(_percent, _AT_AN_EDGE.sub(_percent, encoded)) or _EMPTY
        name = wanted = wanted[:LONGEST]
        number = 1
        while name.lower() in self._taken:
            number += 1
            name = f"{wanted}~{number}"
        self._taken.add(name.lower())
        self[id_] = name
        return name


def _percent(match: re.Match[str]) -> str:
    return f"%{ord(match[0][0]):02X}"


def places_by_number(eval_ids: Sequence[str], system: str) -> list[int]:
    """Return the rows in `eval_ids`, the EVALs of a system, in the order of their new numbers.

    EVALs whose IDs are already these numbers keep them. The ID of the system does not affect the
    order of the new IDs: ``.`` comes before every digit, so it is the byte order of the numbers.
    Source: specification, section 6.
    """
    numbers = sorted(range(1, len(eval_ids) + 1), key=str)
    rows = [0] * len(eval_ids)
    for number, row in zip(numbers, byte_order(eval_ids, system).tolist(), strict=True):
        rows[number - 1] = row
    return rows


def write_eval_ids(path: str, eval_ids: Iterable[str]) -> None:
    r"""Write a new file with each number and its ID, separated by a tab.

    Backslash, tab, newline and carriage return in an ID are written ``\\``, ``\t``, ``\n``, ``\r``.
    """
    with open(path, "x", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        file.write("number\tid\n")
        for number, eval_id in enumerate(eval_ids, 1):
            file.write(f"{number}\t{eval_id.translate(_ESCAPES)}\n")


def _check_ids(index: Index, held: re.Pattern[str], layout: str) -> None:
    """Raise InputError with all IDs that `held` does not match, as the layout cannot hold them."""
    ids = [("system", system) for system in index.order]
    ids += [("text", eval_id) for eval_id in index.eval_ids]
    problem = f"{layout} cannot hold it; use --to list, which needs no IDs"
    problems = ((f"{kind} ID {id_!a}", problem) for kind, id_ in ids if not held.fullmatch(id_))
    Problems.of("", problems).raise_any()


@dataclass(slots=True)
class Replaced:
    """Counts the occurrences of a byte that a format cannot hold.

    `byte` is empty if the format holds every byte; `shown` is the byte in messages.
    """

    format: str
    byte: bytes
    shown: str
    n_bytes: int = 0
    n_texts: int = 0

    def count(self, text: bytes) -> None:
        """Count the bytes of a text that is being written."""
        n_bytes = text.count(self.byte) if self.byte else 0
        self.n_bytes += n_bytes
        self.n_texts += n_bytes > 0

    @property
    def warnings(self) -> tuple[str, ...]:
        """A warning, if any byte was replaced."""
        if not self.n_bytes:
            return ()
        times = "once" if self.n_bytes == 1 else f"{self.n_bytes} times"
        texts = counted(self.n_texts, "text")
        return (
            f"{self.shown} is written as {STAND_IN.decode()!r}, {times} in {texts}: "
            f"{self.format} cannot hold it, and both score alike",
        )


@dataclass(frozen=True, slots=True)
class Written:
    """A summary of what was written, such as "4 EVALs, 3 systems", and warnings.

    Each of `commands`, a program and its arguments, scores it from within the new folder.
    """

    what: str
    commands: tuple[tuple[str, ...], ...]
    warnings: tuple[str, ...] = ()


def _order_warnings(index: Index) -> tuple[str, ...]:
    in_order = in_byte_order(index.order)
    if list(index.order) == in_order:
        return ()
    return (f"the systems will be printed in byte order: {', '.join(in_order)}",)


# IDs that records can have: not blank, and without characters that break a line of a report.
_RECORD_ID = re.compile(r"(?=.*\S)[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")

# Records are read in the same way: a lone surrogate is text, too.
_ENCODING = ("utf-8", "surrogatepass")
# JSON would read the two halves as one character, which has other bytes.
_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


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
            return _write_lines(source, folder)
        form = SENTENCE_FORMATS[text_format]
        return (_write_lists if kind == "list" else _write_xml)(source, folder, form)


def convert_to_records(source: Input, file: BinaryIO, path: str) -> Written:
    """Write a record for each peer: ``id``, ``system``, ``prediction`` and ``references``.

    Texts are lists of sentences. `path` is the final name of the file, ``-`` for standard output.
    Raises InputError with all IDs or all texts that records cannot hold, or for a text that cannot
    be read.
    """
    _check_ids(source.index, _RECORD_ID, "a file of records")
    n_evals = n_records = 0
    problems = Problems()
    remedy = "use --to list, which keeps them, or save it as UTF-8"
    for texts in source.evals():
        for text in texts.texts:
            if not _can_be_json(text.content):
                what = "not UTF-8, and records can hold no other bytes"
                problems.add(text.name, f"{what}; {remedy}")
        # After the first problem nothing more is written, but all texts are checked.
        if problems:
            continue
        lines = list(_records(texts))
        file.writelines(lines)
        n_evals, n_records = n_evals + 1, n_records + len(lines)
    problems.raise_any()
    is_known = records_format(path) == "JSONL"
    command = ("rouge-cli", *(() if is_known else ("--records-format", "JSONL")), path)
    systems = counted(len(source.index.order), "system")
    what = f"{counted(n_evals, 'text')}, {systems}, {counted(n_records, 'record')}"
    return Written(what, (command,), _order_warnings(source.index))


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
"""ID of an EVAL, its files in the folder `PEERS` by system, and those in `MODELS` by ID."""


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


def _write_lists(source: Input, folder: str, form: SentenceFormat) -> Written:
    """Write a file list for each system, and the listed files, into an empty folder."""
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
    n_systems = counted(len(source.index.order), "system")
    what = f"{counted(len(evals), 'text')}, {n_systems} with a list each, {form.name} format"
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
_XML_ESCAPES = str.maketrans({
    "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;",
    "\t": "&#9;", "\n": "&#10;", "\r": "&#13;",
})  # fmt: skip


def _write_xml(source: Input, folder: str, form: SentenceFormat) -> Written:
    """Write a configuration, and the files that it names, into an empty folder."""
    _check_ids(source.index, HELD_BY_XML, "XML")
    files = TextFiles(folder, form)
    n_evals = 0
    with open(os.path.join(folder, CONFIG), "x", encoding="utf-8", newline="\n") as config:
        config.write(HEAD)
        for texts in source.evals():
            eval_id, peers, models = files.write(texts)
            sections = (PEERS, [*peers.items()]), (MODELS, [*models.items()])
            config.writelines(_eval_lines(eval_id, form.name, *sections))
            n_evals += 1
        config.write(TAIL)
    systems = counted(len(source.index.order), "system")
    what = f"{counted(n_evals, 'text')}, {systems}, {form.name} format"
    commands = (("rouge-cli", "-a", CONFIG), ("ROUGE-1.5.5.pl", "-a", CONFIG))
    return Written(what, commands, (*files.replaced.warnings, *_order_warnings(source.index)))


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
    evals = source.named.evals
    place_of = {system: place for place, system in enumerate(source.named.order)}
    systems = {system for evaluation in evals for system in evaluation.peers}
    humans = {evaluation.id: _humans(evaluation) for evaluation in evals}
    check_humans(humans, systems, with_humans=with_humans)
    Problems.of("", chain.from_iterable(map(_problems, evals))).raise_any()
    yield HEAD
    for evaluation in evals:
        names, models = _humans(evaluation), evaluation.models
        named_models = [(name, model.name) for name, model in zip(names, models, strict=True)]
        for number, (human, model) in enumerate(zip(names, models, strict=True)):
            peers = dict(evaluation.peers) | ({human: model} if with_humans else {})
            # The order of the report, followed by systems that are not in it.
            in_order = sorted(peers, key=lambda system: place_of.get(system, len(place_of)))
            yield from _eval_lines(
                f"{evaluation.id}-{number + 1}",
                model.format,
                _below_root([(system, peers[system].name) for system in in_order]),
                _below_root([pair for row, pair in enumerate(named_models) if row != number]),
            )
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


Section = tuple[str, Sequence[tuple[str, str]]]
"""A root folder, and the peers or models of an EVAL, each as its ID and its path below the root."""


def _below_root(files: Sequence[tuple[str, str]]) -> Section:
    # An EVAL element has one root for all peers and one for all models, so files in several folders
    # need a common root.
    folders = {os.path.dirname(name) for _, name in files}
    if len(folders) == 1:
        return folders.pop() or ".", [(id_, os.path.basename(name)) for id_, name in files]
    if not any(os.path.isabs(name) for _, name in files):
        return ".", files
    root = os.path.commonpath([os.path.abspath(name) for _, name in files])
    return root, [(id_, os.path.relpath(os.path.abspath(name), root)) for id_, name in files]


def _eval_lines(eval_id: str, form: str, peers: Section, models: Section) -> Iterator[str]:
    yield f'  <EVAL ID="{_escaped(eval_id)}">\n'
    yield f"    <PEER-ROOT>{_escaped(peers[0])}</PEER-ROOT>\n"
    yield f"    <MODEL-ROOT>{_escaped(models[0])}</MODEL-ROOT>\n"
    yield f'    <INPUT-FORMAT TYPE="{form}"></INPUT-FORMAT>\n'
    for section, tag, files in (("PEERS", "P", peers[1]), ("MODELS", "M", models[1])):
        yield f"    <{section}>\n"
        for id_, name in files:
            yield f'      <{tag} ID="{_escaped(id_)}">{_escaped(name)}</{tag}>\n'
        yield f"    </{section}>\n"
    yield "  </EVAL>\n"


def _escaped(text: str) -> str:
    return text.translate(_XML_ESCAPES)


SEPARATORS = ("<q>", "<sent>", "<sentence>", "[SENT]", "[SENTENCE-END]")
"""Candidates for separators of sentences. None ends with the character it begins with, so joining a
sentence to one cannot create another occurrence."""

EVAL_IDS = "eval_ids.tsv"
UNHELD = b"\0"
_INSTEAD = "use --to jsonl or --to xml"


def _write_lines(source: Input, folder: str) -> Written:
    """Write a line file for each system and for each model into an empty folder.

    The input is read twice.
    """
    systems = source.index.order
    needs_name = f"--predictions NAME=FILE needs a NAME without '='; {_INSTEAD}"
    unfit = (system for system in systems if not system or "=" in system)
    if problems := [f"system {system!a}: {needs_name}" for system in unfit]:
        raise InputError(problems)
    eval_ids, n_models, separators = _survey(source)
    order = _line_order(eval_ids, systems)
    if not separators:
        raise InputError(
            f"every separator occurs in the texts ({', '.join(SEPARATORS)}); {_INSTEAD}"
        )
    separator = separators[0]
    for name in (PEERS, MODELS):
        os.mkdir(os.path.join(folder, name))
    names = FileNames()
    peers = {system: f"{PEERS}/{names[system]}.txt" for system in systems}
    models = [f"{MODELS}/{number}.txt" for number in range(1, n_models + 1)]
    evals: Iterable[EvalTexts] = source.evals()
    # All texts have to be in memory only if their order changes.
    if order != sorted(order):
        in_order = list(evals)
        evals = (in_order[row] for row in order)
    paths = [os.path.join(folder, path) for path in (*peers.values(), *models)]
    warnings = _write_files(paths, evals, separator)
    write_eval_ids(os.path.join(folder, EVAL_IDS), (eval_ids[row] for row in order))
    command = ["rouge-cli"]
    for system, path in peers.items():
        command += ["--peer-lines", f"{system}={path}"]
    for path in models:
        command += ["--model-lines", path]
    if separator:
        command += ["--sentence-separator", separator.decode()]
    what = f"{counted(len(order), 'text')}, {counted(len(peers), 'system')}, one text per line"
    return Written(what, (tuple(command),), warnings)


def _write_files(
    paths: Sequence[str], evals: Iterable[EvalTexts], separator: bytes
) -> tuple[str, ...]:
    replaced = Replaced("a line file", UNHELD, "a zero byte")
    with ExitStack() as stack:
        files = [stack.enter_context(open(path, "xb")) for path in paths]
        for texts in evals:
            for file, (text, _, _) in zip(files, texts.texts, strict=True):
                replaced.count(text)
                line = separator.join(sentences_of(text)).replace(UNHELD, STAND_IN)
                file.write(line + b"\n")
    return replaced.warnings


def _survey(source: Input) -> tuple[list[str], int, list[bytes]]:
    """Return what is needed before the first line.

    These are the IDs, the number of models, and the separators that occur in no text, or an empty
    one if no text has several sentences.
    """
    eval_ids: list[str] = []
    n_models = 0
    free = [name.encode() for name in SEPARATORS]
    has_sentences = False
    problems = Problems()
    for texts in source.evals():
        place = f"text {texts.id}"
        if not eval_ids:
            n_models = len(texts.models)
        elif len(texts.models) != n_models:
            others = f"text {eval_ids[0]} has {n_models}; line files need as many in each"
            problems.add(
                place,
                f"{counted(len(texts.models), 'reference')}, but {others}: {_INSTEAD}",
                f"more or fewer references, but {others}: {_INSTEAD}",
            )
        for system in source.index.order:
            if system not in texts.peers:
                needed = f"line files need one in each: {_INSTEAD}"
                problems.add(place, f"system {system} has no prediction; {needed}")
        eval_ids.append(texts.id)
        for text, _, _ in texts.texts:
            free = [separator for separator in free if separator not in text]
            has_sentences = has_sentences or b"\n" in text.strip(b"\n")
    problems.raise_any()
    return eval_ids, n_models, free if has_sentences else [b""]


def _line_order(eval_ids: Sequence[str], systems: Sequence[str]) -> list[int]:
    order = places_by_number(eval_ids, systems[0])
    for system in systems[1:]:
        if places_by_number(eval_ids, system) != order:
            raise InputError(
                "no order of lines preserves the scores of all systems: the byte order of "
                f"EVALID.SYSTEMID, in which texts are drawn, differs between {systems[0]} and "
                f"{system}; {_INSTEAD}"
            )
    return order
