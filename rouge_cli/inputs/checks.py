"""Checks of CONFIG and of all text files, made before anything is scored.

Source: specification, section 8.
"""

import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from shlex import quote

from rouge_cli.errors import InputError, Problems
from rouge_cli.escapes import escaped
from rouge_cli.inputs.corpus import Corpus
from rouge_cli.inputs.decoding import HEAD_BYTES
from rouge_cli.inputs.files import file_problem, input_name, read_file
from rouge_cli.inputs.formats import ELEMENTS_FORMAT, SENTENCE_FORMATS, element_problems
from rouge_cli.inputs.sentences import sentence_splitter
from rouge_cli.inputs.source import Source, sniffed_format
from rouge_cli.inputs.texts import FileTexts
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions

SPREADSHEETS = (".xlsx", ".xls", ".xlsm", ".ods", ".numbers")
STARTS_OF_CONFIG = (b"<", b"{", b"[", b"\xff\xfe", b"\xfe\xff")
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
MODELS = "MODELS"


def refuse_folder_or_spreadsheet(source: Source) -> None:
    """Raise InputError for what cannot be a configuration, and say how it can be scored."""
    config, second = source.config or "", source.system_id or ""
    if os.path.isdir(config):
        has_second = os.path.isdir(second)
        description = _found(source, "folder", has_second)
        models = second if has_second else MODELS
        peers = quote(os.path.join(config, "(.+).txt"))
        raise InputError(
            f"{description}, not a configuration; to score the files there, give --peers {peers} "
            f"--models {quote(os.path.join(models, '#ID#.txt'))} or, for names as in DUC and TAC, "
            f"--duc {quote(config)} {quote(models)}"
        )
    if config.lower().endswith(SPREADSHEETS) and os.path.exists(config):
        raise InputError(
            f"{source.name}: a spreadsheet, not a configuration; export it as CSV in UTF-8 and "
            "score that file"
        )


def refuse_no_list(name: str, data: bytes, format: str) -> None:
    """Raise InputError if a file list turns out to be a configuration or records.

    `format` is what ``-z`` says of the texts.
    """
    kind = sniffed_format(data)
    # A path may begin like anything.
    if kind is None or os.path.lexists(data.split(maxsplit=1)[0]):
        return
    raise InputError(
        f"{name}: {kind}, not a file list; leave out -z {format}, which says that each line names "
        "files"
    )


def refuse_text(source: Source, data: bytes) -> None:
    """Refuse a text, and say which options read texts; raises InputError."""
    start = data[:HEAD_BYTES].removeprefix(BYTE_ORDER_MARK).lstrip()
    if not start or start.startswith(STARTS_OF_CONFIG) or b"\0" in start:
        return
    second = source.system_id or ""
    has_second = os.path.isfile(second)
    description = _found(source, "text", has_second)
    raise InputError(
        f"{description}, not a configuration in XML; if each line is a summary, give --peer-lines "
        f"{quote(source.config or '')} --model-lines {quote(second) if has_second else MODELS}; if "
        "each line names files, give -z FORMAT"
    )


def _found(source: Source, kind: str, has_second: bool) -> str:
    """Name CONFIG, perhaps with the word behind it, and say what it is instead."""
    if has_second:
        return f"{source.name} and {input_name(source.system_id or '')}: {kind}s"
    return f"{source.name}: a {kind}"


READ_AS_NO_ELEMENTS = "ISI"

READ_AHEAD_BYTES = 1 << 25

_DIRECTORY_NAMES = frozenset({"", ".", ".."})


class ElementsError(InputError):
    """All texts are Basic Elements, and sentences were expected."""


def checked_corpus(
    corpus: Corpus,
    folders: Iterable[str],
    config: str | None,
    inputs: InputOptions,
    metrics: MetricOptions,
) -> Corpus:
    """Check the texts of a corpus, which are `FileTexts`, and say how they are read.

    ``--confine`` keeps the run in `folders`. `config` names the texts in messages; None if the
    options do. Raises InputError.
    """
    texts = _checked_files(corpus)
    if inputs.confine:
        check_confined(corpus, folders, config)
    contents = check_texts(corpus, metrics)
    split = sentence_splitter(inputs.sentences)
    as_elements = metrics.reads_only_elements
    return replace(
        corpus, texts=replace(texts, contents=contents, split=split, as_elements=as_elements)
    )


def _checked_files(corpus: Corpus) -> FileTexts:
    """Return the files of a corpus."""
    files = corpus.texts.as_files()
    if files is None:
        # No input leads here, but a layout from elsewhere may.
        raise TypeError(f"found {type(corpus.texts).__name__}, expected FileTexts")
    return files


def check_texts(corpus: Corpus, metrics: MetricOptions) -> dict[str, bytes]:
    """Check every file that a run will read; return the content of those read, by name.

    To read a file is the surest check, so the first files are read, up to `READ_AHEAD_BYTES`; the
    others are only looked up.

    Raises InputError with all formats that do not suit the metrics; or else all files that cannot
    be read; or else all lines that are no Basic Elements.
    """
    config, texts = corpus.name, _checked_files(corpus)
    used = corpus.used_numbers().tolist()
    formats = set(map(texts.formats.__getitem__, used))
    unsuitable = _unsuitable_formats(metrics)
    if not formats.isdisjoint(unsuitable):
        problems_of_formats = dict.fromkeys(
            (_place(texts, eval_id, number), unsuitable[texts.formats[number]])
            for eval_id, number in corpus.used_texts()
            if texts.formats[number] in unsuitable
        )
        are_elements = formats == {ELEMENTS_FORMAT}
        raise (ElementsError if are_elements else InputError)(
            Problems.of(config, problems_of_formats).lines()
        )
    contents, unread = _read_ahead(dict.fromkeys(map(texts.names.__getitem__, used)))
    if unread:
        of_files = dict.fromkeys(
            (
                f"{_place(texts, eval_id, number)}: {escaped(texts.names[number])}",
                unread[texts.names[number]],
            )
            for eval_id, number in corpus.used_texts()
            if texts.names[number] in unread
        )
        problems = Problems.of(config, of_files)
        problems.extend(_other_folder(config, unread))
        problems.raise_any()
    if ELEMENTS_FORMAT in formats:
        in_order = (number for _, number in corpus.used_texts())
        held_texts = replace(texts, contents=contents)
        Problems.of("", dict.fromkeys(_element_problems(held_texts, in_order))).raise_any()
    return contents


def _other_folder(config: str, names: Collection[str]) -> Iterator[str]:
    """Suggest the folder of the configuration, if all these files are there."""
    folder = os.path.dirname(config)
    paths = [os.path.join(folder, name) for name in names]
    if folder and all(map(os.path.isfile, paths)):
        yield (
            f"{config}: as in ROUGE-1.5.5, names count from the working directory; in the folder "
            f"of the configuration there are such files: cd {escaped(quote(folder))} first"
        )


def _read_ahead(names: Iterable[str]) -> tuple[dict[str, bytes], dict[str, str]]:
    """Return the content of the first files by name, and why others cannot be read."""
    contents: dict[str, bytes] = {}
    problems: dict[str, str] = {}
    n_bytes_left = READ_AHEAD_BYTES
    for name in names:
        if n_bytes_left > 0:
            try:
                content = contents[name] = read_file(name)
                n_bytes_left -= len(content)
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or str(error)
                problems[name] = file_problem(name) or reason
        elif problem := file_problem(name):
            problems[name] = problem
    return contents, problems


def _element_problems(texts: FileTexts, numbers: Iterable[int]) -> Iterator[tuple[str, str]]:
    """Yield the places of lines that are not Basic Elements, and their content."""
    for number in numbers:
        if texts.formats[number] == ELEMENTS_FORMAT:
            yield from element_problems(texts.content(number), texts.names[number])


def _place(texts: FileTexts, eval_id: str, number: int, *, has_lines: bool = True) -> str:
    """Name the line of the configuration that causes a problem, if there is one."""
    line = texts.line(number) if has_lines else None
    return f"{'' if line is None else f'line {line}, '}EVAL {escaped(eval_id)}"


def _unsuitable_formats(metrics: MetricOptions) -> dict[str, str]:
    """Return the formats that the metrics cannot read, and why."""
    reads_elements = metrics.basic_elements is not None
    reasons = {}
    if not metrics.reads_only_elements:
        asked_for = "metrics on words are asked for too" if reads_elements else "-3 is not given"
        reasons[ELEMENTS_FORMAT] = (
            f"format {ELEMENTS_FORMAT} holds Basic Elements, but {asked_for}; "
            "expected -3 without -n, -w and -2"
        )
    if reads_elements:
        for name in set(SENTENCE_FORMATS) - {READ_AS_NO_ELEMENTS}:
            reasons[name] = f"format {name} has no Basic Elements; -3 expects {ELEMENTS_FORMAT}"
    return reasons


def corpus_warnings(corpus: Corpus) -> Iterator[str]:
    """Warn of systems whose names are hardly told apart, and of peers that are models too."""
    first_spelt: dict[str, str] = {}
    alike: list[tuple[str, str]] = []
    for system in corpus.systems:
        first = first_spelt.setdefault(" ".join(system.casefold().split()), system)
        if first != system:
            alike.append((system, first))
    if alike:
        names = "1 name of a system differs" if len(alike) == 1 else f"{len(alike)} names differ"
        yield (
            f"{names} from that of another system in case or blanks alone, the first "
            f"{alike[0][0]!r} from {alike[0][1]!r}: each is scored as a system of its own; spell "
            "them alike if one system is meant"
        )
    yield from _files_on_both_sides(corpus)


def _files_on_both_sides(corpus: Corpus) -> Iterator[str]:
    """Warn of files that are a peer and a model of the same EVAL."""
    texts = corpus.texts.as_files()
    if texts is None or texts.firsts is None:
        return
    firsts, systems = texts.firsts.tolist(), frozenset(corpus.systems)
    both: list[tuple[str, int]] = []
    for evaluation in corpus.scored_evaluations():
        models = {firsts[model] for model in evaluation.models}
        peers = (number for system, number in evaluation.peers.items() if system in systems)
        both += [(evaluation.id, peer) for peer in peers if firsts[peer] in models]
    if both:
        eval_id, number = both[0]
        are = (
            "1 peer is a model of its"
            if len(both) == 1
            else f"{len(both)} peers are models of their"
        )
        yield (
            f"{are} EVAL too, the first {texts.describe(number, eval_id)}: such a text is measured "
            "against itself; name another file as peer or as model"
        )


def folder_of(config: str) -> str:
    """Return the folder of a configuration; the working directory if it names none."""
    return os.path.dirname(config) or os.curdir if os.path.isfile(config) else os.curdir


def check_confined(corpus: Corpus, folders: Iterable[str], config: str | None) -> None:
    """Refuse texts that lie in none of `folders`, links resolved.

    Raises InputError with a line for each such text, of whatever system. `config` names the texts
    in messages; None if the options do.
    """
    texts, confines = _checked_files(corpus), _Confines(folders)
    reason = f"outside of {confines.description}, where --confine keeps a run"
    has_lines = config is not None
    outside = dict.fromkeys(
        (
            f"{_place(texts, evaluation.id, number, has_lines=has_lines)}: "
            f"{escaped(texts.names[number])}",
            reason,
        )
        for evaluation in corpus.evaluations()
        for number in (*evaluation.peers.values(), *evaluation.models)
        if not confines.hold(texts.names[number])
    )
    Problems.of(config or "", outside).raise_any()


class _Confines:
    """The folders that texts have to be in."""

    def __init__(self, folders: Iterable[str]) -> None:
        self._roots = list(dict.fromkeys(map(os.path.realpath, folders)))
        self._real_folders: dict[str, str] = {}

    @property
    def description(self) -> str:
        """The folders, for messages."""
        return " and ".join(map(escaped, self._roots))

    def hold(self, path: str) -> bool:
        """Say whether a file is in one of the folders."""
        real = os.path.normcase(self._real_file(path))
        return any(
            real.startswith(os.path.join(os.path.normcase(root), "")) for root in self._roots
        )

    def _real_file(self, path: str) -> str:
        """Return where a file really is; each folder is looked up once."""
        folder, name = os.path.split(path)
        if name in _DIRECTORY_NAMES or os.path.islink(path):
            return os.path.realpath(path)
        if folder not in self._real_folders:
            self._real_folders[folder] = os.path.realpath(folder or os.curdir)
        return os.path.join(self._real_folders[folder], name)
