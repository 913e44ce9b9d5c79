"""The file list: an EVAL a line, the peer and then its models.

Source: specification, section 2, "File list".
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from rouge_cli.errors import InputError, Problems
from rouge_cli.inputs.checks import checked_corpus, folder_of, refuse_no_list
from rouge_cli.inputs.corpus import Corpus
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM
from rouge_cli.inputs.files import read_input
from rouge_cli.inputs.source import Source
from rouge_cli.inputs.text_files import FileTexts, first_mentions
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions

# Some editors put it before the first character; no path begins with it.
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_EXPECTED = "the path of the peer and of at least one model, with blanks between them"


class FileList:
    """The layout of a file list, which ``-z`` asks for."""

    kind = "a file list"
    takes_config = True
    takes_files = False
    selector = "list_format"
    options = frozenset({"list_format", "all", "confine", "sentences"})
    has_elements = True

    def claims(self, source: Source, inputs: InputOptions) -> bool:
        """Claim CONFIG if a format is given for its texts."""
        return source.config is not None and inputs.list_format is not None

    @contextmanager
    def open(
        self, source: Source, inputs: InputOptions, metrics: MetricOptions
    ) -> Iterator[Corpus]:
        """Read the EVALs, and check their texts; raises InputError."""
        config, system = source.config or "", source.system_id or DEFAULT_SYSTEM
        name, data = read_input(config, "the file list")
        form = inputs.list_format or ""
        refuse_no_list(name, data, form)
        corpus = parse_file_list(data, name, format=form, system_id=system)
        yield checked_corpus(corpus, [folder_of(config)], name, inputs, metrics)


def parse_file_list(data: bytes, name: str, *, format: str, system_id: str) -> Corpus:
    """Read a file list.

    Raises InputError if lines have fewer than two paths or a byte that no path has, with every such
    line; if there is no EVAL.

    Parameters
    ----------
    data : bytes
        The file list. Paths are split on white space and are never quoted; they are taken as
        the system takes them, undecodable bytes as surrogates.
    format : str
        Format of all texts.
    system_id : str
        ID of the system whose texts the peers are.

    Returns
    -------
    Corpus
        The EVALs in the order of the lines, with the IDs "1", "2", and so on; at least one. Lines
        that begin with ``#`` and blank lines are no EVALs.
    """
    lines: list[int] = []
    counts: list[int] = []
    paths: list[bytes] = []
    problems = Problems(name)
    for line, row in enumerate(data.removeprefix(_BYTE_ORDER_MARK).split(b"\n"), 1):
        in_row = row.split()
        if not in_row or row[:1] == b"#":
            continue
        if len(in_row) == 1 or b"\0" in row:
            problems.add(f"line {line}", _problem(row))
            continue
        lines.append(line)
        counts.append(len(in_row))
        paths += in_row
    problems.raise_any()
    if not lines:
        raise InputError(f"{name}: no EVAL; each line of a file list names one, {_EXPECTED}")
    # Put together they are decoded in half the time; no path holds a newline.
    names = os.fsdecode(b"\n".join(paths)).split("\n")
    n_texts = np.array(counts, np.int64)
    peers = np.cumsum(n_texts) - n_texts
    text_lines = np.repeat(lines, counts).tolist()
    return Corpus(
        name,
        (system_id,),
        list(map(str, range(1, len(lines) + 1))),
        {system_id: peers},
        n_texts - 1,
        np.delete(np.arange(len(names)), peers),
        FileTexts(names, [format] * len(names), text_lines, firsts=first_mentions(counts, names)),
        is_original=True,
    )


def _problem(row: bytes) -> str:
    """Return what is wrong with a line."""
    if b"\0" in row:
        return "a zero byte, which no path has; save the file list as plain text, not as UTF-16"
    return f"one path only; expected {_EXPECTED}"
