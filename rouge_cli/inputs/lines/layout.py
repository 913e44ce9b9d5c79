"""The layout of parallel line files: line N of each file belongs to EVAL N."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field

import numpy as np

from rouge_cli.errors import InputError, OptionError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.corpus import Corpus
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM, Evaluation, Instances
from rouge_cli.inputs.files import STANDARD_INPUT, file_problem, input_name
from rouge_cli.inputs.lines.portions import (
    LineFile,
    LineFiles,
    LineIndex,
    LinePortion,
    index_line_files,
)
from rouge_cli.inputs.sentence_warnings import are_sentences_read, known_separator_warnings
from rouge_cli.inputs.sentences import sentence_splitter
from rouge_cli.inputs.source import Source
from rouge_cli.inputs.text_reader import TextReader
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass

__all__ = ["LineCorpus", "LineFileLayout", "named_files"]


class LineFileLayout:
    """The layout of files with a text a line."""

    kind = "line files"
    takes_config = False
    takes_files = False
    selector = "peer_lines"
    options = frozenset(
        {"peer_lines", "model_lines", "all", "encoding", "sentence_separator", "sentences"}
    )
    has_elements = False

    def claims(self, source: Source, inputs: InputOptions) -> bool:
        """Claim what ``--peer-lines`` names."""
        return bool(inputs.peer_lines)

    @contextmanager
    def open(
        self, source: Source, inputs: InputOptions, metrics: MetricOptions
    ) -> Iterator[Corpus]:
        """Check and index the files; raises OptionError and InputError.

        What cannot be read twice is copied until the context ends.
        """
        from rouge_cli.inputs.lines.spools import plain_files

        peers = _peers(inputs.peer_lines)
        paths = (*peers.values(), *inputs.model_lines)
        _check(paths)
        split = sentence_splitter(inputs.sentences)
        are_told_apart = are_sentences_read(metrics)
        with plain_files(paths, inputs.encoding) as plain:
            files = {path: LineFile.at(plain[path], input_name(path)) for path in paths}
            index = index_line_files(
                LineFiles(
                    {system: files[path] for system, path in peers.items()},
                    [files[path] for path in inputs.model_lines],
                    inputs.sentence_separator,
                    split,
                    is_tallied=inputs.sentence_separator is not None and are_told_apart,
                )
            )
            is_asked = inputs.sentence_separator is not None or split is not None
            warnings = () if is_asked or not are_told_apart else _warnings(index)
            yield LineCorpus(index, warnings=tuple(warnings))


@dataclass(frozen=True, slots=True, eq=False)
class LineCorpus:
    """Parallel line files, indexed."""

    index: LineIndex
    name: str = "line files"
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    reader: TextReader = field(default_factory=TextReader)
    has_lists: bool = False
    is_original: bool = False

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the order given."""
        return tuple(self.index.files.peers)

    def instances(self) -> Instances:
        """Return the instances: an EVAL for each line, with every system."""
        n_lines, n_systems = self.index.n_lines, len(self.systems)
        eval_ids = [str(line) for line in range(1, n_lines + 1) for _ in range(n_systems)]
        return Instances(self.systems, eval_ids, np.tile(np.arange(n_systems), n_lines))

    def portions(self) -> Iterator[LinePortion]:
        """Yield the lines in portions."""
        return self.index.portions()

    def evaluations(self) -> Iterator[Evaluation]:
        """Yield the EVALs, their texts as contents; raises InputError."""
        for portion in self.portions():
            yield from portion.evaluations()


def _peers(values: Sequence[str]) -> dict[str, str]:
    """Return the paths of the peers by system; raises OptionError."""
    try:
        return named_files(values, DEFAULT_SYSTEM)
    except ValueError as error:
        raise OptionError(f"--peer-lines: expected {error}") from None


def named_files(values: Sequence[str], default_name: str) -> dict[str, str]:
    """Read ``[NAME=]FILE`` values.

    Raises ValueError if a name is missing or used twice.

    Parameters
    ----------
    values : sequence of str
        With more than one file each needs a name.
    default_name : str
        Name of the only file, if it has none.

    Returns
    -------
    dict of str to str
        System ID to path, in the order given.
    """
    if len(values) == 1 and "=" not in values[0]:
        return {default_name: values[0]}
    files: dict[str, str] = {}
    for value in values:
        name, equals, path = value.partition("=")
        if not equals or not name or not path:
            raise ValueError(f"NAME=FILE for each of several files, found {value!r}")
        if name in files:
            raise ValueError(f"a name for each file of its own, found {name!r} twice")
        files[name] = path
    return files


def _check(paths: Sequence[str]) -> None:
    """Refuse paths that cannot be read, and standard input twice."""
    if (n_times := paths.count(STANDARD_INPUT)) > 1:
        raise OptionError(
            f"- (standard input) stands {n_times} times in --peer-lines and --model-lines; it can "
            "be read once"
        )
    problems = [
        f"{escaped(path)}: {problem}"
        for path in paths
        if path != STANDARD_INPUT and (problem := file_problem(path, by_user=True))
    ]
    if problems:
        raise InputError(list(dict.fromkeys(problems)))


def _warnings(index: LineIndex) -> Iterator[str]:
    """Warn of a separator that nobody asked for, judging by the first portion."""
    portion = index.head()
    lines_of_files = zip(index.files.all, portion.read(), strict=True)
    return known_separator_warnings(
        {file.name: lines for file, lines in lines_of_files}, index.n_lines
    )
