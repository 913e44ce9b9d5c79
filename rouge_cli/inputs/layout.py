"""Layouts, the ways in which texts may be given; every run opens its input through their list.

Those that name a file for each text without XML are here. A file list (``-z``) has an EVAL a line,
the peer and then its models. In folders (``--peers``, ``--duc``, ``--pair``) the names of files
say which texts belong together. Source: specification, section 2, "File list"; interface of the
program.
"""

import os
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rouge_cli.errors import InputError, OptionError, Problems
from rouge_cli.escapes import escaped
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM
from rouge_cli.inputs.files import read_file, read_input
from rouge_cli.inputs.index import Input, Layout
from rouge_cli.inputs.line_files import LineFileLayout
from rouge_cli.inputs.lists import TextLists, TypedTexts
from rouge_cli.inputs.records import Frames, Records
from rouge_cli.inputs.sentences import SENTENCE_FORMATS
from rouge_cli.inputs.source import BYTE_ORDER_MARK, Source, refuse_no_list
from rouge_cli.inputs.text_files import FileEval, FileInput, NamedFiles, TextFile, folder_of
from rouge_cli.inputs.xml_config import XmlConfig
from rouge_cli.options.inputs import DUC, FILE_LIST, PAIR, PATTERNS, InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.text.seen import cleaner

if TYPE_CHECKING:
    from rouge_cli.inputs.pairing import FilePairing

_EXPECTED = "the path of the prediction and of at least one reference, with blanks between them"


class FileList(Layout):
    """The layout of a file list, which ``-z`` asks for."""

    kind = "a file list"
    takes_config = True
    selector = "list_format"
    options = InputOptions.of_layout(FILE_LIST)
    has_elements = True

    def claims(self, source: Source, inputs: InputOptions) -> bool:
        """Claim CONFIG if a format is given for its texts."""
        return source.config is not None and inputs.list_format is not None

    def open(self, source: Source, inputs: InputOptions, metrics: MetricOptions) -> Input:
        """Read the EVALs, and check their texts; raises InputError."""
        config, system = source.config or "", source.system_id or DEFAULT_SYSTEM
        name, data = read_input(config, "the file list")
        form = inputs.list_format or ""
        refuse_no_list(name, data, form)
        evals = parse_file_list(data, name, format=form, system_id=system)
        named = NamedFiles(name, evals, (system,), [folder_of(config)], is_original=True)
        return FileInput(named, inputs, metrics, source.outputs)


def parse_file_list(data: bytes, name: str, *, format: str, system_id: str) -> list[FileEval]:
    """Read a file list of texts in one format, whose peers are all of the system `system_id`.

    Paths are split on white space, are never quoted, and are taken as the system takes them,
    undecodable bytes as surrogates. Lines that begin with ``#`` and blank lines are no EVALs; the
    others have the IDs "1", "2" and so on.

    Raises InputError with every line that has fewer than two paths or a byte that no path has, or
    if there is no EVAL.
    """
    evals: list[FileEval] = []
    problems = Problems(name)
    # Some editors write a byte order mark; no path begins with one.
    for line, row in enumerate(data.removeprefix(BYTE_ORDER_MARK).split(b"\n"), 1):
        paths = row.split()
        if not paths or row[:1] == b"#":
            continue
        if len(paths) == 1 or b"\0" in row:
            problems.add(f"line {line}", _problem(row))
            continue
        peer, *models = (TextFile(os.fsdecode(path), format, line) for path in paths)
        evals.append(FileEval(str(len(evals) + 1), {system_id: peer}, tuple(models)))
    problems.raise_any()
    if not evals:
        raise InputError(f"{name}: no text; each line of a file list names one, {_EXPECTED}")
    return evals


def _problem(row: bytes) -> str:
    if b"\0" in row:
        return "a zero byte, which no path has; save the file list as plain text, not as UTF-16"
    return f"one path only; expected {_EXPECTED}"


NAME = "folders"
DEFAULT_FORMAT = "SPL"
SEE_SUFFIXES = (".html", ".htm")
_LAST_SENTENCE = b'\n<a name="1">[1]</a> <a href="#1" id=1>last'
_TAG = re.compile(rb"<[A-Za-z/!]")


class PatternFolders(Layout):
    """The layout of folders whose names fit patterns."""

    kind = "folders (--peers)"
    selector = "peers"
    options = InputOptions.of_layout(PATTERNS)
    has_elements = True

    def open(self, source: Source, inputs: InputOptions, metrics: MetricOptions) -> Input:
        """Pair the texts, and check them; raises OptionError and InputError."""
        from rouge_cli.inputs.patterns import pair_files

        pairing, folders = pair_files(inputs.peers, inputs.models)
        form = inputs.input_format or DEFAULT_FORMAT
        named = _named(pairing, lambda path: form, (), folders, inputs)
        return FileInput(named, inputs, metrics, source.outputs)


class DucFolders(Layout):
    """The layout of two folders whose names are those of DUC and TAC."""

    kind = "folders (--duc)"
    selector = "duc"
    options = InputOptions.of_layout(DUC)
    has_elements = True

    def open(self, source: Source, inputs: InputOptions, metrics: MetricOptions) -> Input:
        """Pair the texts, and check them; raises OptionError and InputError."""
        paths = self._paths(inputs)
        pairing = self._paired(paths)
        formats, findings = _duc_formats(pairing, inputs.input_format)
        named = _named(pairing, formats.__getitem__, findings, paths, inputs)
        return FileInput(named, inputs, metrics, source.outputs)

    def _paths(self, inputs: InputOptions) -> tuple[str, ...]:
        return inputs.duc

    def _paired(self, paths: Sequence[str]) -> "FilePairing":
        from rouge_cli.inputs.pairing import pair_duc_folders

        return pair_duc_folders(paths)


class PairedFiles(DucFolders):
    """The layout of two folders whose files are paired by name, and of two files."""

    kind = "two folders or texts (--pair)"
    selector = "pair"
    options = InputOptions.of_layout(PAIR)

    def _paths(self, inputs: InputOptions) -> tuple[str, ...]:
        return inputs.pair

    def _paired(self, paths: Sequence[str]) -> "FilePairing":
        from rouge_cli.inputs.pairing import pair_paths

        return pair_paths(paths)


def _named(
    pairing: "FilePairing",
    format_of: Callable[[str], str],
    findings: Sequence[str],
    folders: Sequence[str],
    inputs: InputOptions,
) -> NamedFiles:
    problems = list(pairing.problems)
    n_unpaired = len(pairing.unpaired)
    unpaired = Problems.of("", pairing.unpaired).lines()
    if not pairing.peers:
        problems += [*unpaired, "no text has both a prediction and a reference: nothing to score"]
    elif n_unpaired and inputs.unpaired == "error":
        files = "1 file is" if n_unpaired == 1 else f"{n_unpaired} files are"
        advice = f"{files} unpaired; correct the names or the patterns, or use --unpaired skip"
        problems += [*unpaired, advice]
    if problems:
        raise InputError(problems)
    from rouge_cli.inputs.pairing import evals_of

    left_out = Problems.of(
        "", ((file, f"{why}; left out") for file, why in pairing.unpaired)
    ).lines()
    return NamedFiles(
        NAME,
        evals_of(pairing, format_of),
        tuple(pairing.systems),
        folders,
        has_config=False,
        warnings=(*left_out, *pairing.findings, *findings),
    )


def _duc_formats(
    pairing: "FilePairing", format: str | None
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the format of each path, and warnings; `format` is for all paths.

    Without it a text is SEE if it ends in ``.html`` or ``.htm`` and has a sentence of SEE in it,
    and SPL if not. There is a line if texts taken for SPL have tags: these count as words.
    """
    formats: dict[str, str] = {}
    with_tags: list[str] = []
    for eval_id, peers in pairing.peers.items():
        for path in (*peers.values(), *pairing.models[eval_id]):
            formats[path], has_tags = (format, False) if format else _format(path)
            with_tags += [path] if has_tags else []
    if not with_tags:
        return formats, ()
    more = f", and {len(with_tags) - 1} more" if len(with_tags) > 1 else ""
    where = f"{escaped(with_tags[0])}{more}"
    return formats, (f"HTML without a sentence of SEE is read as SPL, tags are words: {where}",)


def _format(path: str) -> tuple[str, bool]:
    if not path.lower().endswith(SEE_SUFFIXES):
        return "SPL", False
    try:
        raw = read_file(path)
    except OSError:
        return "SEE", False
    # Ask for one sentence more, because the only one of a text may be empty.
    is_see = SENTENCE_FORMATS["SEE"].read(raw + _LAST_SENTENCE) != b"last"
    return ("SEE", False) if is_see else ("SPL", bool(_TAG.search(raw)))


__all__ = ["LAYOUTS", "Layout", "find_layout", "has_texts", "open_input"]


LAYOUTS: tuple[Layout, ...] = (
    TextLists(),
    Frames(),
    PatternFolders(),
    DucFolders(),
    PairedFiles(),
    TypedTexts(),
    LineFileLayout(),
    FileList(),
    Records(),
    XmlConfig(),
)
"""All layouts. The first that claims an input reads it; the last takes any other CONFIG."""


def open_input(source: Source, inputs: InputOptions, metrics: MetricOptions) -> Input:
    """Find the layout of an input, and open it.

    `source` is empty if the options name the texts. `metrics` say whether Basic Elements are read,
    and whether it matters where sentences end. Raises OptionError, also if an output of the run is
    one of the texts, and InputError.
    """
    layout = find_layout(source, inputs)
    if metrics.basic_elements and not layout.has_elements:
        raise OptionError(
            f"-3/--basic-elements is for files in the format SIMPLE, not for {layout.kind}"
        )
    opened = layout.open(source, inputs, metrics)
    opened.takes, opened.clean = layout.options, cleaner(inputs.strip)
    return opened


def has_texts(source: Source, inputs: InputOptions) -> bool:
    """Return whether there are texts to read, in whatever layout."""
    return any(layout.claims(source, inputs) for layout in LAYOUTS)


def find_layout(source: Source, inputs: InputOptions) -> Layout:
    """Return the layout that claims an input.

    Raises OptionError if none does, or if options are given that it has no use for.
    """
    declared = inputs.options()
    layout = next((layout for layout in LAYOUTS if layout.claims(source, inputs)), None)
    if layout is None:
        *selectors, last = (
            declared[layout.selector].long
            for layout in LAYOUTS
            if layout.selector and not layout.takes_config
        )
        raise OptionError(
            "no CONFIG: name the configuration, the file list (-z), the file of records, or use "
            f"{', '.join(selectors)} or {last}; scores alone are read with --add scores:FILE"
        )
    if source.config is not None and not layout.takes_config:
        selector = declared[layout.selector or ""].spelling
        hint = "; --prediction names a field of records" if selector == "--peer-lines" else ""
        raise OptionError(
            f"CONFIG {source.config!r} and {selector} exclude each other; give one{hint}"
        )
    if not layout.takes_files:
        source.check_others()
    names = inputs.given()
    for name in names:
        if name not in layout.options:
            if layout.selector in names:
                selector = declared[layout.selector or ""].spelling
                raise OptionError(f"{declared[name].spelling} and {selector} exclude each other")
            reason = f", not for {layout.kind}"
            if layout.takes_config:
                reason = (
                    f", but {source.name} is taken for {layout.kind}; -z and --records-format say "
                    "otherwise"
                )
            raise OptionError(f"{declared[name].spelling} is for {_kinds(name)}{reason}")
    return layout


def _kinds(option: str) -> str:
    kinds = [
        layout.kind
        for layout in LAYOUTS
        if option in layout.options and (layout.selector or layout.takes_config)
    ]
    return " and ".join(filter(None, (", ".join(kinds[:-1]), kinds[-1])))
