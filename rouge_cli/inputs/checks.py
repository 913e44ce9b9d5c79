"""Check all files of texts before anything is scored: where they are, and what is in them.

Source: specification, section 8.
"""

import os
import shlex
from collections.abc import Collection, Iterable, Iterator, Sequence

from rouge_cli.errors import InputError, Problems
from rouge_cli.escapes import escaped
from rouge_cli.inputs.corpus import used_sources
from rouge_cli.inputs.evaluation import Evaluation, TextSource
from rouge_cli.inputs.file_columns import CorpusOfFiles
from rouge_cli.inputs.files import file_problem, read_file
from rouge_cli.inputs.formats import ELEMENTS_FORMAT, SENTENCE_FORMATS, element_problems
from rouge_cli.inputs.sentences import sentence_splitter
from rouge_cli.inputs.text_reader import TextReader
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions

__all__ = ["ElementsError", "check_confined", "check_texts", "checked_corpus", "folder_of"]

READ_AS_NO_ELEMENTS = "ISI"

READ_AHEAD_BYTES = 1 << 25

HERE = "."
_DIRECTORY_NAMES = frozenset({"", ".", ".."})


class ElementsError(InputError):
    """All texts are Basic Elements, and sentences were expected."""


def checked_corpus(
    corpus: CorpusOfFiles,
    folders: Iterable[str],
    config: str | None,
    inputs: InputOptions,
    metrics: MetricOptions,
) -> CorpusOfFiles:
    """Check the texts of a corpus, which are files, and return it with what reads them.

    Parameters
    ----------
    folders : iterable of str
        Where ``--confine`` keeps the run.
    config : str or None
        What names the texts, for messages; None if the options do.

    Raises
    ------
    InputError
    """
    if inputs.confine:
        check_confined(corpus.evals, folders, config)
    contents = check_texts(corpus, metrics)
    as_elements = metrics.reads_only_elements
    return corpus.with_reader(
        TextReader(as_elements, contents, sentence_splitter(inputs.sentences))
    )


def check_texts(corpus: CorpusOfFiles, metrics: MetricOptions) -> dict[str, bytes]:
    """Check every text that a run will read, and read what may be held in memory.

    To read a file is the surest check, so the first files are read, up to `READ_AHEAD_BYTES`; of
    the others only is looked up whether they can be read.

    Raises InputError with all formats that do not suit the metrics; or else all files that cannot
    be read; or else all lines that are no Basic Elements.

    Returns
    -------
    dict of str to bytes
        Content of the files that were read, by name.
    """
    config = corpus.name
    formats, names = corpus.files()
    unsuitable = _unsuitable_formats(metrics)
    if not formats.isdisjoint(unsuitable):
        found = dict.fromkeys(
            (_place(evaluation, source), unsuitable[source.format])
            for evaluation, source in used_sources(corpus)
            if source.format in unsuitable
        )
        are_elements = formats == {ELEMENTS_FORMAT}
        raise (ElementsError if are_elements else InputError)(Problems.of(config, found).lines())
    contents, unread = _read_ahead(names)
    if unread:
        of_files = dict.fromkeys(
            (f"{_place(evaluation, source)}: {escaped(source.name)}", unread[source.name])
            for evaluation, source in used_sources(corpus)
            if source.content is None and source.name in unread
        )
        problems = Problems.of(config, of_files)
        problems.extend(_other_folder(config, unread))
        problems.raise_any()
    if ELEMENTS_FORMAT in formats:
        Problems.of("", dict.fromkeys(_element_problems(corpus, contents))).raise_any()
    return contents


def _other_folder(config: str, names: Collection[str]) -> Iterator[str]:
    """Say in which folder all these files can be found, if it is that of the configuration."""
    folder = os.path.dirname(config)
    paths = [os.path.join(folder, name) for name in names]
    if folder and all(map(os.path.isfile, paths)):
        yield (
            f"{config}: as in ROUGE-1.5.5, names count from the working directory; in the folder "
            f"of the configuration there are such files: cd {escaped(shlex.quote(folder))} first"
        )


def _read_ahead(names: Iterable[str]) -> tuple[dict[str, bytes], dict[str, str]]:
    """Return the content of the first files by name, and why others cannot be read."""
    contents: dict[str, bytes] = {}
    problems: dict[str, str] = {}
    left = READ_AHEAD_BYTES
    for name in names:
        if left > 0:
            try:
                content = contents[name] = read_file(name)
                left -= len(content)
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or str(error)
                problems[name] = file_problem(name) or reason
        elif problem := file_problem(name):
            problems[name] = problem
    return contents, problems


def _element_problems(
    corpus: CorpusOfFiles, contents: dict[str, bytes]
) -> Iterator[tuple[str, str]]:
    """Yield the places of lines that are no Basic Elements, and what is there."""
    reader = TextReader(contents=contents)
    for evaluation, source in used_sources(corpus):
        if source.format == ELEMENTS_FORMAT:
            yield from element_problems(reader.content(evaluation.id, source), source.name)


def _place(evaluation: Evaluation, source: TextSource, *, has_lines: bool = True) -> str:
    """Name the line of the configuration, if there is one, that a problem goes back to."""
    line = f"line {source.line}, " if has_lines and source.line is not None else ""
    return f"{line}EVAL {escaped(evaluation.id)}"


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


def folder_of(config: str) -> str:
    """Return the folder of a configuration; the working directory for what is in no folder."""
    return os.path.dirname(config) or HERE if os.path.isfile(config) else HERE


def check_confined(
    evaluations: Sequence[Evaluation], folders: Iterable[str], config: str | None
) -> None:
    """Refuse texts that are outside of where they should be, links resolved.

    Raises InputError with a line for each text that is outside.

    Parameters
    ----------
    evaluations : sequence of Evaluation
        Texts whose content is at hand are in the file that the user has named.
    folders : iterable of str
        Each text has to be in one of these.
    config : str or None
        What names the texts, for messages; None if the options do.
    """
    confines = _Confines(folders)
    reason = f"outside of {confines.description}, where --confine keeps a run"
    outside = dict.fromkeys(
        (f"{_place(one, source, has_lines=config is not None)}: {escaped(source.name)}", reason)
        for one in evaluations
        for source in (*one.peers.values(), *one.models)
        if source.content is None and not confines.hold(source.name)
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
            self._real_folders[folder] = os.path.realpath(folder or HERE)
        return os.path.join(self._real_folders[folder], name)
