"""Parallel line files as portions: ranges of bytes, so that a portion is cheap to hold and to send.

The files are read twice: once to count the lines, which have to be as many in each, and to note
where portions begin; and once, portion by portion, to be scored.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rouge_cli.errors import InputError
from rouge_cli.layouts.lines import sentence_texts
from rouge_cli.scoring.blocks import Block, Pairs
from rouge_cli.scoring.files import file_problem

__all__ = ["LinePortion", "LineFiles", "index_lines"]

LINES_AT_A_TIME = 1 << 11
BYTES_AT_A_TIME = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class LineFiles:
    """Parallel line files and where their portions begin.

    Parameters
    ----------
    peers : mapping of str to str
        System ID to path.
    models : sequence of str
        Paths.
    separator : str or None
        What stands between sentences.
    n_lines : int
        Number of lines of each file.
    marks : mapping of str to sequence of int
        For each path the offsets at which the portions begin, and the end.
    """

    peers: Mapping[str, str]
    models: Sequence[str]
    separator: str | None
    n_lines: int
    marks: Mapping[str, Sequence[int]]

    def portions(self) -> Iterator["LinePortion"]:
        """Yield portions of `LINES_AT_A_TIME` EVALs."""
        paths = [*self.peers.values(), *self.models]
        ranges = zip(*(pairwise(self.marks[path]) for path in paths), strict=True)
        for number, of_files in enumerate(ranges):
            yield LinePortion(self, paths, of_files, number * LINES_AT_A_TIME)
