"""Input whose texts are separate files, named by a configuration, a file list or options.

Their formats and folders are checked before any text is read. Source: specification, section 8.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from shlex import quote
from typing import NamedTuple

from rouge_cli.errors import InputError, OptionError, Problems, with_number
from rouge_cli.escapes import escaped
from rouge_cli.inputs.batch import Batch, BatchMaker
from rouge_cli.inputs.files import file_problem, read_file
from rouge_cli.inputs.index import Index, Input
from rouge_cli.inputs.sentences import (
    ELEMENTS_FORMAT,
    SENTENCE_FORMATS,
    element_problems,
    has_other_text,
    sentence_splitter,
)
from rouge_cli.inputs.source import AS_IS, foreign_kind
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass

RAW_FORMAT = "SPL"
"""The format with a sentence per line; the only one to which ``--sentences`` applies."""

READ_AS_NO_ELEMENTS = "ISI"
"""A format without Basic Elements that metrics on Basic Elements accept nevertheless."""
_DIRECTORY_NAMES = frozenset({"", ".", ".."})


class ElementsError(InputError):
    """All texts are Basic Elements, but sentences were expected."""


class TextFile(NamedTuple):
    """A file with one text.

    `name` is the path, with undecodable bytes as surrogates; `format` is ``"SPL"``, ``"SEE"``,
    ``"ISI"`` or ``"SIMPLE"``; `line` is the line of the configuration that names the file.
    """

    name: str
    format: str = RAW_FORMAT
    line: int | None = None


class FileEval(NamedTuple):
    """The files of an EVAL: its peers by system, and its models in order.

    A model may be listed more than once. `model_ids` is empty if models have no IDs.
    """

    id: str
    peers: Mapping[str, TextFile]
    models: tuple[TextFile, ...]
    model_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NamedFiles:
    """The files of an input.

    - `name`: the name of the input in messages.
    - `order`: the systems to score, in print order.
    - `folders`: the folders to which ``--confine`` limits the files.
    - `has_config`: whether the files are named in a configuration or file list, so that messages
      can give a line.
    - `is_original`: whether ROUGE-1.5.5 can read the input as it is.
    """

    name: str
    evals: Sequence[FileEval]
    order: tuple[str, ...]
    folders: Sequence[str]
    has_config: bool = True
    is_original: bool = False
    warnings: tuple[str, ...] = ()


class FileInput(Input):
    """An input whose texts are separate files.

    Creating it checks the files' formats and folders, and that none of them is among `outputs`,
    the files that the run replaces; raises OptionError and InputError.
    """

    has_files = True

    def __init__(
        self,
        named: NamedFiles,
        inputs: InputOptions,
        metrics: MetricOptions,
        outputs: Sequence[str] = (),
    ) -> None:
        super().__init__(Index(named.name, order=named.order))
        self.named = named
        self._split = sentence_splitter(inputs.sentences)
        self._as_is = inputs.as_is
        self._unread_formats: dict[str, list[str]] = {}
        self._as_elements = metrics.reads_only_elements
        systems = frozenset(named.order)
        self.index.n_expected = sum(
            len(systems & texts.peers.keys()) for _, texts in self._scored()
        )
        self._check_formats(metrics)
        if inputs.confine:
            self._check_confined()
        if outputs:
            _check_outputs(outputs, (file.name for _, file in self._all()))

    def read(self, index: Index) -> Iterator[Batch]:
        named = self.named
        index.systems, index.order = list(named.order), named.order
        index.eval_ids = [evaluation.id for evaluation in named.evals]
        index.model_ids = [evaluation.model_ids for evaluation in named.evals]
        index.is_original = named.is_original
        index.warnings += (*named.warnings, *_both_sides(self._scored()))
        maker = BatchMaker(has_files=True, has_keys=len(named.order) > 1)
        reasons: dict[str, str] = {}
        elements = Problems()
        self._unread_formats = {}
        for row, evaluation in self._scored():
            numbers = [n for n, system in enumerate(named.order) if system in evaluation.peers]
            files = [evaluation.peers[named.order[number]] for number in numbers]
            texts = [self._text(file, reasons, elements) for file in (*files, *evaluation.models)]
            if reasons or elements:
                # Nothing will be scored, but reading goes on to find the other problems.
                continue
            peers, models = texts[: len(files)], texts[len(files) :]
            named_files = (*evaluation.models, *files)
            maker.add(
                *(row, evaluation.id, models, numbers, peers),
                repeated=_repeated(named_files),
                places=[file.name for file in named_files],
            )
            if maker.is_full:
                yield maker.take()
        if reasons:
            self._raise_unread(reasons)
        elements.raise_any()
        index.warnings += _without_sentences(self._unread_formats)
        if maker:
            yield maker.take()

    def _text(self, file: TextFile, reasons: dict[str, str], elements: Problems) -> bytes:
        """Return the normalised text. A file that cannot be read gets a reason."""
        if file.name in reasons:
            return b""
        try:
            content = read_file(file.name)
            if not self._as_is and (kind := foreign_kind(content, is_text=True)) is not None:
                raise ValueError(kind + AS_IS)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            reasons[file.name] = file_problem(file.name) or reason
            return b""
        if file.format == ELEMENTS_FORMAT:
            for place, problem in dict.fromkeys(element_problems(content, file.name)):
                elements.add(place, problem)
            return content
        # Files in other formats contain no Basic Elements, whatever their words.
        if self._as_elements:
            return b""
        if file.format != RAW_FORMAT:
            text = SENTENCE_FORMATS[file.format].read(content)
            if not text and has_other_text(content):
                self._unread_formats.setdefault(file.format, []).append(file.name)
            return text
        return content if self._split is None else self._split(content)

    def _raise_unread(self, reasons: Mapping[str, str]) -> None:
        name = self.named.name
        problems = Problems.of(
            name,
            dict.fromkeys(
                (f"{_place(evaluation, file)}: {escaped(file.name)}", reasons[file.name])
                for evaluation, file in self._used()
                if file.name in reasons
            ),
        )
        # Two common causes of missing files deserve advice: names that were meant relative to the
        # folder of the configuration, and backslashes in paths.
        folder = os.path.dirname(name)
        advice = []
        if folder and all(os.path.isfile(os.path.join(folder, path)) for path in reasons):
            advice.append(
                f"{name}: as in ROUGE-1.5.5, names count from the working directory; in the folder "
                f"of the configuration there are such files: cd {escaped(quote(folder))} first"
            )
        slashed = (path.replace("\\", "/") for path in reasons if "\\" in path)
        if there := next(filter(os.path.isfile, slashed), None):
            advice.append(
                f"{name}: paths with backslashes, as on Windows; with / the files exist: "
                f"{escaped(there)}; replace each backslash by /, or run it on Windows"
            )
        problems.extend(advice)
        problems.raise_any()

    def _scored(self) -> Iterator[tuple[int, FileEval]]:
        systems = frozenset(self.named.order)
        for row, evaluation in enumerate(self.named.evals):
            if not systems.isdisjoint(evaluation.peers):
                yield row, evaluation

    def _used(self) -> Iterator[tuple[FileEval, TextFile]]:
        for _, evaluation in self._scored():
            peers = (evaluation.peers.get(system) for system in self.named.order)
            for file in (*filter(None, peers), *evaluation.models):
                yield evaluation, file

    def _all(self) -> Iterator[tuple[FileEval, TextFile]]:
        for evaluation in self.named.evals:
            for file in (*evaluation.peers.values(), *evaluation.models):
                yield evaluation, file

    def _check_formats(self, metrics: MetricOptions) -> None:
        reads_elements = metrics.basic_elements is not None
        # The formats that the metrics cannot read, and the reasons.
        unsuitable: dict[str, str] = {}
        if not metrics.reads_only_elements:
            what = "metrics on words are asked for too" if reads_elements else "-3 is not given"
            unsuitable[ELEMENTS_FORMAT] = (
                f"format {ELEMENTS_FORMAT} holds Basic Elements, but {what}; expected -3 without "
                "-n, -w and -2"
            )
        if reads_elements:
            for name in set(SENTENCE_FORMATS) - {READ_AS_NO_ELEMENTS}:
                expected = f"-3 expects {ELEMENTS_FORMAT}"
                unsuitable[name] = f"format {name} has no Basic Elements; {expected}"
        problems = dict.fromkeys(
            (_place(evaluation, file), unsuitable[file.format])
            for evaluation, file in self._used()
            if file.format in unsuitable
        )
        if problems:
            are_elements = all(file.format == ELEMENTS_FORMAT for _, file in self._used())
            kind = ElementsError if are_elements else InputError
            raise kind(Problems.of(self.named.name, problems).lines())

    def _check_confined(self) -> None:
        roots = list(dict.fromkeys(map(os.path.realpath, self.named.folders)))
        starts = tuple(os.path.join(os.path.normcase(root), "") for root in roots)
        reason = f"outside of {' and '.join(map(escaped, roots))}, where --confine keeps a run"
        # Many files share a folder, and resolving links takes several system calls.
        real_folder = cache(os.path.realpath)
        outside = dict.fromkeys(
            (f"{_place(evaluation, file, self.named.has_config)}: {escaped(file.name)}", reason)
            for evaluation, file in self._all()
            if not os.path.normcase(_real_file(file.name, real_folder)).startswith(starts)
        )
        Problems.of(self.named.name if self.named.has_config else "", outside).raise_any()


def _repeated(files: Sequence[TextFile]) -> Iterator[int]:
    # Ranks of texts that occurred before in their EVAL. The same file in two formats is two texts.
    keys = [file[:2] for file in files]
    if len(set(keys)) < len(keys):
        yield from (rank for rank, key in enumerate(keys) if keys.index(key) < rank)


def _place(evaluation: FileEval, file: TextFile, has_lines: bool = True) -> str:
    line = "" if file.line is None or not has_lines else f"line {file.line}, "
    return f"{line}text {escaped(evaluation.id)}"


def _both_sides(evals: Iterable[tuple[int, FileEval]]) -> Iterator[str]:
    both = []
    for _, evaluation in evals:
        models = {model[:2] for model in evaluation.models}
        peers = evaluation.peers.values()
        both += [(evaluation.id, peer.name) for peer in peers if peer[:2] in models]
    if both:
        eval_id, name = both[0]
        several = "{} predictions are references of their"
        are = with_number(len(both), "1 prediction is a reference of its", several)
        yield (
            f"{are} text too, the first in text {escaped(eval_id)}: {escaped(name)}: such a "
            "prediction is measured against itself; name another file as prediction or as reference"
        )


def _without_sentences(unread: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for form, names in unread.items():
        texts = list(dict.fromkeys(names))
        has = with_number(len(texts), "1 text has", "{} texts have")
        yield (
            f"{has} words, but no sentence as {form} spells it, the first "
            f"{escaped(texts[0])}: nothing of it counts, as in ROUGE-1.5.5; expected lines such as "
            f"{SENTENCE_FORMATS[form].example}"
        )


def _check_outputs(outputs: Sequence[str], texts: Iterable[str]) -> None:
    """Raise OptionError if an output is also a text, even under another name or through links.

    The check takes 40 ms for 20,000 texts, but no time if no output exists yet.
    """
    written = {_file_id(path): path for path in outputs}
    written.pop(None, None)
    for text in texts if written else ():
        if (path := written.get(_file_id(text))) is not None:
            raise OptionError(
                f"{escaped(path)} is an output of this run, and the text {escaped(text)}; name "
                "another file for the output"
            )


def _file_id(path: str) -> tuple[int, int] | None:
    """Return what all names of a file have in common; None if there is no file."""
    with suppress(OSError, ValueError):
        status = os.stat(path)
        return status.st_dev, status.st_ino
    return None


def folder_of(config: str) -> str:
    """Return the folder of a configuration, by default the working directory."""
    return os.path.dirname(config) or os.curdir if os.path.isfile(config) else os.curdir


def _real_file(path: str, real_folder: Callable[[str], str]) -> str:
    folder, name = os.path.split(path)
    if name in _DIRECTORY_NAMES or os.path.islink(path):
        return os.path.realpath(path)
    return os.path.join(real_folder(folder or os.curdir), name)
