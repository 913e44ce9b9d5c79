"""Warnings of texts whose sentences were not told apart, which moves ROUGE-L and ROUGE-W."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress, count
from operator import eq

from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass

__all__ = [
    "Tally",
    "are_sentences_read",
    "known_separator_warnings",
    "merged",
    "tally",
    "unsplit_warnings",
]

KNOWN_SEPARATORS = {
    "<q>": "<q>",
    "<t>": "<t> </t>",
    "<s>": "<s> </s>",
    "<n>": "<n>",
    "##SENT##": "##SENT##",
    "[SEP]": "[SEP]",
}
"""What common tools put between sentences, and how it is given as ``--sentence-separator``."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many texts of a file lack the separator that was given.

    Parameters
    ----------
    name : str
        The file, for messages.
    n_texts : int
        All that were looked at.
    n_unsplit : int
        Those in which the separator does not occur, though they are not empty.
    first_line : int or None
        Line of the first of these.
    """

    name: str
    n_texts: int
    n_unsplit: int = 0
    first_line: int | None = None

    def __add__(self, later: "Tally") -> "Tally":
        """Add texts that stand further down in the same file."""
        first_line = later.first_line if self.first_line is None else self.first_line
        n_unsplit = self.n_unsplit + later.n_unsplit
        return Tally(self.name, self.n_texts + later.n_texts, n_unsplit, first_line)


def are_sentences_read(metrics: MetricOptions) -> bool:
    """Return whether it matters for the scores where sentences end."""
    with_lcs = metrics.with_lcs and metrics.lcs_unit == "sentence"
    return with_lcs or metrics.pairwise_lcs or metrics.weight is not None


def tally(name: str, lines: Sequence[bytes], texts: Sequence[bytes], first_line: int) -> Tally:
    """Count the lines that are left as they were when their sentences were told apart.

    Parameters
    ----------
    name : str
        The file.
    lines, texts : sequence of bytes
        Before, and after.
    first_line : int
        Number of the first line.
    """
    # In most texts the separator occurs; then they differ in length, which is cheap to see.
    unchanged = compress(count(first_line), map(eq, lines, texts))
    unsplit = [line for line in unchanged if lines[line - first_line].strip()]
    return Tally(name, len(lines), len(unsplit), unsplit[0] if unsplit else None)


def merged(tallies: Iterable[Tally]) -> tuple[Tally, ...]:
    """Add up the tallies of each file, which have to come in the order of its lines."""
    by_name: dict[str, Tally] = {}
    for one in tallies:
        by_name[one.name] = by_name[one.name] + one if one.name in by_name else one
    return tuple(by_name.values())


def unsplit_warnings(tallies: Iterable[Tally], separator: str | None) -> Iterator[str]:
    """Yield a warning for each file with texts in which the separator does not occur."""
    for one in tallies:
        if one.n_unsplit:
            has = "has" if one.n_unsplit == 1 else "have"
            line = "" if one.first_line is None else f", the first on line {one.first_line}"
            yield (
                f"{one.name}: {one.n_unsplit} of {one.n_texts} texts {has} no {separator!r}{line}: "
                "each counts as one sentence, which changes ROUGE-L and ROUGE-W"
            )


def known_separator_warnings(files: Mapping[str, Sequence[bytes]], n_texts: int) -> Iterator[str]:
    """Warn of texts that hold a separator which was not asked for.

    Parameters
    ----------
    files : mapping of str to sequence of bytes
        By name, the texts to look at: all of a file, or the first of them.
    n_texts : int
        How many texts each file has.

    Yields
    ------
    str
        At most one for each file, on the separator that most of its texts hold.
    """
    for name, texts in files.items():
        counts = {
            known: sum(mark in text for text in texts)
            for known, mark in ((known, known.encode()) for known in KNOWN_SEPARATORS)
        }
        known = max(counts, key=counts.__getitem__)
        if n_found := counts[known]:
            first = "" if len(texts) == n_texts else "the first "
            yield (
                f"{name}: {n_found} of {first}{len(texts)} texts "
                f"{'holds' if n_found == 1 else 'hold'} {known!r}: give --sentence-separator "
                f"{KNOWN_SEPARATORS[known]!r} if it stands between sentences"
            )
