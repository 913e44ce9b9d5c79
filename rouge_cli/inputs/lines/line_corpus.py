"""Parallel line files as a corpus: line N of each file belongs to EVAL N."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from rouge_cli.errors import InputError, OptionError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.evaluation import Evaluation
from rouge_cli.inputs.files import STANDARD_INPUT, file_problem
from rouge_cli.inputs.instances import DEFAULT_SYSTEM, Instances
from rouge_cli.inputs.lines.line_files import LineFile, LineFiles
from rouge_cli.inputs.lines.line_portions import LineIndex, LinePortion, index_line_files
from rouge_cli.inputs.lines.line_texts import named_files
from rouge_cli.inputs.sentences import sentence_splitter
from rouge_cli.inputs.unsplit import are_sentences_read, known_separator_warnings
from rouge_cli.options.every import Options

__all__ = ["LineCorpus", "open_lines"]


@dataclass(frozen=True, slots=True, eq=False)
class LineCorpus:
    """Parallel line files, indexed.

    Parameters
    ----------
    index : LineIndex
    """

    index: LineIndex
    name: str = "line files"
    warnings: tuple[str, ...] = ()

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


@contextmanager
def open_lines(options: Options) -> Iterator[LineCorpus]:
    """Check and index the line files that `options` name.

    Yields
    ------
    LineCorpus
        Usable until the context ends: what cannot be read twice is copied until then.

    Raises
    ------
    OptionError, InputError
    """
    from rouge_cli.inputs.compressed import input_name
    from rouge_cli.inputs.lines.spools import plain_files

    peers = _peers(options)
    paths = (*peers.values(), *options.inputs.model_lines)
    _check(paths)
    split = sentence_splitter(options)
    with plain_files(paths, options.inputs.encoding) as plain:
        files = {path: LineFile(input_name(path), plain[path]) for path in paths}
        index = index_line_files(
            LineFiles(
                {system: files[path] for system, path in peers.items()},
                [files[path] for path in options.inputs.model_lines],
                options.inputs.sentence_separator,
                split,
                is_tallied=options.inputs.sentence_separator is not None
                and are_sentences_read(options),
                encoding=options.inputs.encoding,
            )
        )
        yield LineCorpus(index, warnings=tuple(_warnings(index, options)))


def _peers(options: Options) -> dict[str, str]:
    """Return the paths of the peers by system; raises OptionError."""
    try:
        return named_files(options.inputs.peer_lines, DEFAULT_SYSTEM)
    except ValueError as error:
        raise OptionError(f"--peer-lines: expected {error}") from None


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


def _warnings(index: LineIndex, options: Options) -> list[str]:
    """Warn of a separator that nobody asked for, judging by the first portion."""
    is_asked = options.inputs.sentence_separator is not None or options.inputs.sentences is not None
    if is_asked or not are_sentences_read(options):
        return []
    portion = next(index.portions())
    lines_of_files = zip(index.files.all, portion.read(), strict=True)
    return known_separator_warnings(
        {file.name: lines for file, lines in lines_of_files}, index.n_lines
    )
