"""A comparison in plain text, 80 columns wide."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap

from rich.cells import cell_len, chop_cells

from rouge_cli.reports.comparison_sections import Section, ShownPair, notes, sections
from rouge_cli.scoring.signature import signature
from rouge_cli.statistics.comparison_records import Comparison

__all__ = ["comparison_report"]

WIDTH = 80
GAP = "  "
RULE = "-"
BETTER = "*"

NARROWEST_NAME = 6
"""A name gets so many columns, whatever it costs."""

BOUND_WIDTH = 7
INTERVAL_WIDTH = 2 * BOUND_WIDTH + 1

_Row = tuple[str, ...]


def comparison_report(comparison: Comparison) -> Iterator[str]:
    """Yield the pairs and the groups of each metric, and then what they mean.

    Parameters
    ----------
    comparison : Comparison
    """
    for section in sections(comparison):
        lines = [section.title, *_pairs(section), "", *_systems(section), "", ""]
        yield "\n".join(lines)
    for note in notes(comparison, BETTER):
        yield "".join(f"{line}\n" for line in wrap(note, WIDTH, break_on_hyphens=False))
    yield from _folded(signature(comparison.options))


def _folded(line: str) -> Iterator[str]:
    """Yield the lines of a signature, folded after bars."""
    for part in wrap(line.replace("|", "| "), WIDTH, break_on_hyphens=False):
        yield part.replace("| ", "|") + "\n"


def _pairs(section: Section) -> list[str]:
    """Draw the table of the pairs."""
    tests = "boot.  rand."
    rows: list[_Row] = [
        ("", "", "", "", "", "p".ljust(len(tests)), "Holm".ljust(len(tests))),
        ("A", "B", "N", "A - B", "interval".ljust(INTERVAL_WIDTH - 1), tests, tests),
    ]
    rows += map(_pair_row, section.pairs)
    if section.n_evals is None:
        return _drawn(rows, 2, "llrrrrr")
    return _drawn([row[:2] + row[3:] for row in rows], 2, "llrrrr")


def _pair_row(pair: ShownPair) -> _Row:
    """Write a pair, the better system with its mark."""
    first, second = (
        name + BETTER * (place == pair.better) for place, name in enumerate(pair.systems)
    )
    interval = " ".join(bound.rjust(BOUND_WIDTH) for bound in pair.interval)
    numbers = (pair.n_evals, pair.difference, interval, " ".join(pair.p), " ".join(pair.p_holm))
    return first, second, *numbers


def _systems(section: Section) -> list[str]:
    """Draw the table of the systems; a letter stands below the same letter."""
    rows: list[_Row] = [("System", "N", "Mean", "Groups")]
    rows += ((one.system, one.n_evals, one.mean, " ".join(one.letters)) for one in section.systems)
    return _drawn(rows, 1, "lrrl")


def _drawn(rows: Sequence[_Row], n_heads: int, sides: str) -> list[str]:
    """Draw a table; names that are too long for the width are folded.

    Parameters
    ----------
    rows : sequence of tuple of str
        Headings first. Names come first in a row, before the first number.
    n_heads : int
        Number of rows with headings.
    sides : str
        ``"l"`` or ``"r"`` for each column.
    """
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    n_names = sides.index("r")
    room = WIDTH - sum(widths[n_names:]) - len(GAP) * (len(widths) - 1)
    widths[:n_names] = _narrowed(widths[:n_names], room)
    drawn = [line for row in rows[:n_heads] for line in _lines(row, widths, sides)]
    drawn.append(RULE * (sum(widths) + len(GAP) * (len(widths) - 1)))
    return drawn + [line for row in rows[n_heads:] for line in _lines(row, widths, sides)]


def _narrowed(widths: Sequence[int], room: int) -> list[int]:
    """Share the room among the names; one that needs less leaves the rest to the others."""
    narrowed = list(widths)
    for n_left, place in enumerate(sorted(range(len(widths)), key=widths.__getitem__)):
        share = max(NARROWEST_NAME, room // (len(widths) - n_left))
        narrowed[place] = min(widths[place], share)
        room -= narrowed[place]
    return narrowed


def _lines(row: _Row, widths: Sequence[int], sides: str) -> Iterator[str]:
    """Yield the lines of a row: more than one if a name is folded."""
    cells = [
        chop_cells(cell, width) if cell_len(cell) > width else [cell]
        for cell, width in zip(row, widths, strict=True)
    ]
    for parts in zip_longest(*cells, fillvalue=""):
        padded = map(_padded, parts, widths, sides)
        yield GAP.join(padded).rstrip()


def _padded(cell: str, width: int, side: str) -> str:
    """Fill a cell up with blanks."""
    blanks = " " * (width - cell_len(cell))
    return blanks + cell if side == "r" else cell + blanks
