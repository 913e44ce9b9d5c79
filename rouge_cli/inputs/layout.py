"""The list of layouts, the ways in which a user can pass texts, and several of them.

Every run opens its input with `open_input`. The layouts in this module are lists of texts from
Python, and those that name a file for each text without XML: A file list (``-z``) has a line per
EVAL, with the peer and its models. In folders (``--peers``, ``--duc``, ``--pair``) the names of
files tell which texts belong together. Source: specification, section 2, "File list"; interface of
the program.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, OptionError, Problems, with_number
from rouge_cli.escapes import escaped
from rouge_cli.inputs.batch import Batch, ends_of, interleaved, is_full, pairs_of
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM, NumberedIds
from rouge_cli.inputs.files import read_file, read_input
from rouge_cli.inputs.index import Index, Input, Layout
from rouge_cli.inputs.line_files import LineFileLayout
from rouge_cli.inputs.records import Frames, Records
from rouge_cli.inputs.sentences import (
    SENTENCE_FORMATS,
    Splitter,
    element_problems,
    sentence_splitter,
)
from rouge_cli.inputs.source import BYTE_ORDER_MARK, GivenTexts, Source, Text, sniffed_format
from rouge_cli.inputs.text_files import FileEval, FileInput, NamedFiles, TextFile, folder_of
from rouge_cli.inputs.xml_config import XmlConfig
from rouge_cli.options.inputs import DUC, FILE_LIST, LISTS, PAIR, PATTERNS, STRINGS, InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.text.columns import encoded
from rouge_cli.text.seen import cleaner

if TYPE_CHECKING:
    from rouge_cli.inputs.pairing import FilePairing

_EXPECTED = "the path of the prediction and of at least one reference, with blanks between them"


class FileList(Layout):
    """The layout of a file list, selected by ``-z``."""

    kind = "a file list"
    takes_config = True
    selector = "list_format"
    options = InputOptions.of_layout(FILE_LIST)
    has_elements = True

    def claims(self, source: Source, inputs: InputOptions) -> bool:
        return source.config is not None and inputs.list_format is not None

    def open(self, source: Source, inputs: InputOptions, metrics: MetricOptions) -> Input:
        config, system = source.config or "", source.system_id or DEFAULT_SYSTEM
        name, data = read_input(config, "the file list")
        form = inputs.list_format or ""
        # The first path in a list may look like the beginning of such a file.
        kind = sniffed_format(data)
        if kind is not None and not os.path.lexists(data.split(maxsplit=1)[0]):
            raise InputError(
                f"{name}: {kind}, not a file list; leave out -z {form}, which says that each line "
                "names files"
            )
        evals = parse_file_list(data, name, format=form, system_id=system)
        named = NamedFiles(name, evals, (system,), [folder_of(config)], is_original=True)
        return FileInput(named, inputs, metrics, source.outputs)


def parse_file_list(data: bytes, name: str, *, format: str, system_id: str) -> list[FileEval]:
    """Parse a file list; its texts have one `format`, and its peers one system, `system_id`.

    Paths are separated by white space and never quoted; undecodable bytes become surrogates. Blank
    lines and those that begin with ``#`` are skipped; the EVALs of the others have the IDs "1", "2"
    and so on.

    Raises InputError with every line that has a single path or a zero byte, or if there is no EVAL.
    """
    evals: list[FileEval] = []
    problems = Problems(name)
    # Some editors write a byte order mark; no path begins with one.
    for line, row in enumerate(data.removeprefix(BYTE_ORDER_MARK).split(b"\n"), 1):
        paths = row.split()
        if not paths or row[:1] == b"#":
            continue
        if b"\0" in row:
            advice = "save the file list as plain text, not as UTF-16"
            problems.add(f"line {line}", f"a zero byte, which no path has; {advice}")
            continue
        if len(paths) == 1:
            problems.add(f"line {line}", f"one path only; expected {_EXPECTED}")
            continue
        peer, *models = (TextFile(os.fsdecode(path), format, line) for path in paths)
        evals.append(FileEval(str(len(evals) + 1), {system_id: peer}, tuple(models)))
    problems.raise_any()
    if not evals:
        raise InputError(f"{name}: no text; each line of a file list names one, {_EXPECTED}")
    return evals


NAME = "folders"
DEFAULT_FORMAT = "SPL"


class Folders(Layout):
    """A layout of folders in which the names of files show which texts belong together."""

    has_elements = True

    def __init__(self, kind: str, selector: str, layout: str) -> None:
        self.kind, self.selector, self.options = kind, selector, InputOptions.of_layout(layout)

    def open(self, source: Source, inputs: InputOptions, metrics: MetricOptions) -> Input:
        pairing, folders = _paired(inputs)
        problems, n_unpaired = list(pairing.problems), len(pairing.unpaired)
        unpaired = Problems.of("", pairing.unpaired).lines()
        # If nothing can be scored, the unpaired files show why.
        if not pairing.peers:
            nothing = "no text has both a prediction and a reference: nothing to score"
            problems += [*unpaired, nothing]
        elif n_unpaired and inputs.unpaired == "error":
            files = with_number(n_unpaired, "1 file is", "{} files are")
            advice = f"{files} unpaired; correct the names or the patterns, or use --unpaired skip"
            problems += [*unpaired, advice]
        if problems:
            raise InputError(problems)
        # With --peers, markup is read only if the user says so.
        default = DEFAULT_FORMAT if inputs.peers else None
        evals, findings = _evals_of(pairing, inputs.input_format or default)
        left_out = ((file, f"{why}; left out") for file, why in pairing.unpaired)
        warnings = (*Problems.of("", left_out).lines(), *pairing.findings, *findings)
        named = NamedFiles(
            NAME, evals, pairing.systems, folders, has_config=False, warnings=warnings
        )
        return FileInput(named, inputs, metrics, source.outputs)


def _paired(inputs: InputOptions) -> "tuple[FilePairing, Sequence[str]]":
    """Return the pairing of the files that the options name, and the folders that are searched."""
    from rouge_cli.inputs import pairing

    if inputs.duc:
        return pairing.pair_duc_folders(inputs.duc), inputs.duc
    if inputs.pair:
        return pairing.pair_paths(inputs.pair), inputs.pair
    from rouge_cli.inputs.patterns import pair_files

    return pair_files(inputs.peers, inputs.models)


def _evals_of(pairing: "FilePairing", format: str | None) -> tuple[list[FileEval], tuple[str, ...]]:
    """Return the EVALs of a pairing, and warnings.

    If `format` is None, a file is SEE if its name ends in ``.html`` or ``.htm`` and it has a
    sentence in SEE's markup, otherwise SPL. A warning reports tags in SPL, which count as words.
    """
    with_tags: list[str] = []

    def text_file(path: str) -> TextFile:
        form, has_tags = (format, False) if format else _format(path)
        with_tags.extend([path] * has_tags)
        return TextFile(path, form)

    evals = [
        FileEval(
            eval_id,
            {system: text_file(path) for system, path in peers.items()},
            tuple(map(text_file, pairing.models[eval_id])),
        )
        for eval_id, peers in pairing.peers.items()
    ]
    if not with_tags:
        return evals, ()
    more = f", and {len(with_tags) - 1} more" if len(with_tags) > 1 else ""
    where = f"{escaped(with_tags[0])}{more}"
    return evals, (f"HTML without a sentence of SEE is read as SPL, tags are words: {where}",)


def _format(path: str) -> tuple[str, bool]:
    if not path.lower().endswith((".html", ".htm")):
        return "SPL", False
    try:
        raw = read_file(path)
    except OSError:
        return "SEE", False
    # Append a sentence, because an empty sentence alone would look like none.
    last = b'\n<a name="1">[1]</a> <a href="#1" id=1>last'
    is_see = SENTENCE_FORMATS["SEE"].read(raw + last) != b"last"
    return ("SEE", False) if is_see else ("SPL", bool(re.search(rb"<[A-Za-z/!]", raw)))


EVALS_AT_A_TIME = 256


class TextLists(Layout):
    """The layout of lists of texts from Python, as `rouge_cli.evaluate` accepts them."""

    kind = "lists of texts"
    options = InputOptions.of_layout(LISTS)
    has_elements = True

    def claims(self, source: Source, inputs: InputOptions) -> bool:
        return source.texts is not None

    def open(self, source: Source, inputs: InputOptions, metrics: MetricOptions) -> Input:
        texts = source.texts or GivenTexts((), ())
        return ListInput(texts, sentence_splitter(inputs.sentences), metrics)


class TypedTexts(Layout):
    """The layout of a text and its references in options (``--text``, ``--reference``)."""

    kind = "--text"
    selector = "text"
    options = InputOptions.of_layout(STRINGS)

    def open(self, source: Source, inputs: InputOptions, metrics: MetricOptions) -> Input:
        texts = GivenTexts([inputs.text or ""], [inputs.reference])
        return ListInput(texts, sentence_splitter(inputs.sentences), metrics)


class ListInput(Input):
    """Lists of texts, which are checked at creation.

    Raises InputError with the number of each unusable text. As indices in Python, numbers in
    messages begin with 0.
    """

    names_evals = False

    def __init__(self, texts: GivenTexts, split: Splitter | None, metrics: MetricOptions) -> None:
        predictions, references = texts.predictions, texts.references
        has_names = isinstance(predictions, Mapping)
        by_system = (
            predictions if isinstance(predictions, Mapping) else {DEFAULT_SYSTEM: predictions}
        )
        # A string is also a sequence of strings: its characters would be scored as texts.
        if isinstance(references, str | bytes) or any(
            isinstance(of_system, str | bytes) for of_system in by_system.values()
        ):
            raise InputError(
                "found one string; expected a list of predictions and a list of references"
            )
        if not by_system:
            raise InputError("no systems; expected a list of predictions for each system")
        order = tuple(by_system)
        super().__init__(Index("lists", order=order))
        self._names = order if has_names else ()
        self._predictions = [list(of_system) for of_system in by_system.values()]
        self._references, self._firsts, self._has_lists = _checked_references(
            self._predictions, list(references), self._names
        )
        self.index.n_expected = (len(self._firsts) - 1) * len(order)
        self._split = split
        self._reads_elements = metrics.basic_elements is not None
        if self._reads_elements and not metrics.reads_only_elements:
            raise InputError(
                "basic_elements reads texts of Basic Elements, but metrics on words are asked for "
                "too; expected either"
            )

    def read(self, index: Index) -> Iterator[Batch]:
        index.systems, index.order = list(self.index.order), self.index.order
        n_evals = len(self._firsts) - 1
        index.eval_ids = NumberedIds(np.arange(1, n_evals + 1))
        index.has_lists = self._has_lists
        problems = Problems()
        first = n_bytes = 0
        models: list[bytes] = []
        peers: list[list[bytes]] = [[] for _ in index.order]
        for start in range(0, n_evals, EVALS_AT_A_TIME):
            end = min(start + EVALS_AT_A_TIME, n_evals)
            added = [
                self._texts(self._references[self._firsts[start] : self._firsts[end]]),
                *(self._texts(of_system[start:end]) for of_system in self._predictions),
            ]
            for column, texts in zip((models, *peers), added, strict=True):
                column.extend(texts)
                n_bytes += sum(map(len, texts))
            if is_full(n_bytes, len(models) * len(peers)) or end == n_evals:
                batch = self._batch(index, range(first, end), models, peers)
                first, n_bytes, models, peers = end, 0, [], [[] for _ in peers]
                for text, content in enumerate(batch.texts if self._reads_elements else ()):
                    for line, problem in element_problems(content, batch.describe(text)):
                        problems.add(line, problem)
                if not problems:
                    yield batch
        problems.raise_any()

    def _batch(
        self, index: Index, rows: range, models: list[bytes], peers: list[list[bytes]]
    ) -> Batch:
        n_models: NDArray[np.int64] = np.diff(self._firsts[rows.start : rows.stop + 1])
        n_peers = np.full(len(rows), len(peers))
        first_texts = ends_of(n_models + n_peers)
        count = int(n_models[0])
        # Equal numbers of references, the usual case, need no Python loop over EVALs.
        if (n_models == count).all():
            texts = interleaved([*(models[rank::count] for rank in range(count)), *peers])
        else:
            in_order = iter(models)
            texts = []
            for number, *of_eval in zip(n_models.tolist(), *peers, strict=True):
                texts += chain(islice(in_order, number), of_eval)
        return Batch(
            texts,
            first_texts,
            index.eval_ids[rows.start : rows.stop],
            pairs_of(first_texts[:-1], n_models, n_peers),
            np.repeat(np.arange(rows.start, rows.stop), n_peers),
            np.tile(np.arange(len(peers)), len(rows)),
            partial(_place, self._names, rows.start, n_models.tolist()),
            self.names_evals,
            has_keys=len(peers) > 1,
        )

    def _texts(self, texts: Sequence[Any]) -> list[bytes]:
        if self._split is not None:
            split = self._split
            texts = [split(encoded(x)) if isinstance(x, str | bytes) else x for x in texts]
        try:
            # The usual case: all are strings without lone surrogates.
            return list(map(str.encode, texts))
        except (TypeError, UnicodeEncodeError):
            return list(map(_normalised, texts))


def _place(
    systems: Sequence[str], first: int, n_models: Sequence[int], group: int, rank: int
) -> str:
    # See `rouge_cli.inputs.batch.Places`.
    if rank < n_models[group]:
        return _reference_name(first + group, rank)
    system = systems[rank - n_models[group]] if systems else None
    return _prediction_name(first + group, system)


def _prediction_name(number: int, system: str | None = None) -> str:
    return f"prediction {number}" + ("" if system is None else f" of {escaped(system)}")


def _reference_name(number: int, model: int) -> str:
    return f"reference {model} of prediction {number}"


def _normalised(text: Text) -> bytes:
    if isinstance(text, str | bytes):
        return encoded(text)
    return b"\n".join([_normalised(sentence).replace(b"\n", b" ") for sentence in text])


def _checked_references(
    predictions: Sequence[Sequence[object]], references: list[Any], systems: Sequence[str]
) -> tuple[list[Any], NDArray[np.int64], bool]:
    """Check lists of texts, and join the references of all predictions.

    Returns all references, the place of the first one of each prediction and, last, their number,
    and whether any text is a list of sentences. Raises InputError with all problems.
    """
    for number, texts in enumerate(predictions):
        if len(texts) != len(references):
            of_system = f" of {escaped(systems[number])}" if systems else ""
            raise InputError(
                f"{len(texts)} predictions{of_system} but {len(references)} lists of references; "
                "expected one list of references for each prediction"
            )
    # Looking at sets of types takes a tenth of a Python loop over texts.
    flat, firsts = references, np.arange(len(references) + 1)
    if not set(map(type, references)) <= {str, bytes}:
        lists = [[text] if isinstance(text, str | bytes) else text for text in references]
        if not all(issubclass(kind, Sequence) for kind in set(map(type, lists))) or not all(lists):
            Problems.of("", _problems(predictions, references, systems)).raise_any()
        flat, firsts = list(chain.from_iterable(lists)), ends_of(np.array(list(map(len, lists))))
    kinds = set(map(type, chain(flat, *predictions)))
    if kinds <= {str, bytes}:
        return flat, firsts, False
    Problems.of("", _problems(predictions, references, systems)).raise_any()
    return flat, firsts, not all(issubclass(kind, str | bytes) for kind in kinds)


def _problems(
    predictions: Sequence[Sequence[object]], references: Sequence[Any], systems: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yield values that are not texts, and predictions without references, with the problem."""
    for system, texts in zip(systems or (None,), predictions, strict=True):
        for number, text in enumerate(texts):
            if not _is_text(text):
                yield _prediction_name(number, system), _no_text(text)
    for number, texts in enumerate(references):
        of_prediction = [texts] if isinstance(texts, str | bytes) else texts
        if not isinstance(of_prediction, Sequence) or not of_prediction:
            yield _prediction_name(number), "no references; expected at least one text"
            continue
        for model, text in enumerate(of_prediction):
            if not _is_text(text):
                yield _reference_name(number, model), _no_text(text)


def _is_text(text: object) -> bool:
    if isinstance(text, str | bytes):
        return True
    return isinstance(text, Sequence) and all(isinstance(part, str | bytes) for part in text)


def _no_text(value: object) -> str:
    return (
        f"found {type(value).__name__}, expected a text: a string with a newline between "
        "sentences, or a list of sentences"
    )


__all__ = ["LAYOUTS", "Layout", "find_layout", "has_texts", "open_input"]


LAYOUTS: tuple[Layout, ...] = (
    TextLists(),
    Frames(),
    Folders("folders (--peers)", "peers", PATTERNS),
    Folders("folders (--duc)", "duc", DUC),
    Folders("two folders or texts (--pair)", "pair", PAIR),
    TypedTexts(),
    LineFileLayout(),
    FileList(),
    Records(),
    XmlConfig(),
)
"""All layouts. The first that claims an input reads it; the last claims any remaining CONFIG."""


def open_input(source: Source, inputs: InputOptions, metrics: MetricOptions) -> Input:
    """Find the layout of an input, and open it.

    `source` is empty if the options name the texts. `metrics` determine whether Basic Elements are
    read, and whether sentence boundaries matter. Raises InputError, and OptionError, also if an
    output of the run is one of the texts.
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
    """Return whether any layout claims the input."""
    return any(layout.claims(source, inputs) for layout in LAYOUTS)


def find_layout(source: Source, inputs: InputOptions) -> Layout:
    """Return the layout that claims an input.

    Raises OptionError if none does, or if there are options that this layout does not use.
    """
    declared = inputs.options()
    layout = next((layout for layout in LAYOUTS if layout.claims(source, inputs)), None)
    if layout is None:
        *selectors, last = (
            declared[layout.selector].spelling
            for layout in LAYOUTS
            if layout.selector and not layout.takes_config
        )
        raise OptionError(
            "no CONFIG: name the configuration, the file list (-z), the file of records, or use "
            f"{', '.join(selectors)} or {last}; scores alone are read with --add scores:FILE"
        )
    if source.config is not None and not layout.takes_config:
        selector = declared[layout.selector or ""].spelling
        hint = "; --prediction names a field of records" if selector == "--predictions" else ""
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
                reason = f", but {source.name} is taken for {layout.kind}; -z and --records-format"
                reason += " say otherwise"
            *kinds, last = (
                other.kind
                for other in LAYOUTS
                if name in other.options and (other.selector or other.takes_config)
            )
            known = " and ".join(filter(None, (", ".join(kinds), last)))
            raise OptionError(f"{declared[name].spelling} is for {known}{reason}")
    return layout
