"""Tables for LaTeX, ready to paste; they need the package booktabs, and longtable for EVALs."""

from collections.abc import Iterable, Iterator, Sequence

from rouge_cli.options.reports import ReportOptions
from rouge_cli.reports.grid import Cell, Grid, grids, splits
from rouge_cli.reports.latex_text import breakable, latex_text
from rouge_cli.scoring.results import Results
from rouge_cli.scoring.signature import signature

__all__ = ["latex_report"]

TEXT_WIDTH = 340
"""A little less than that of LaTeX's own article, in points."""

LABELS_WIDTH = 120
"""The most that labels take, in points; longer ones are folded."""

GAP = 8
"""Between two columns, in points."""

# A character in small type, in a heading, in bold, and in the smaller type of the intervals.
LABEL_POINTS, HEADING_POINTS, SCORE_POINTS, INTERVAL_POINTS = 4.7, 5.8, 5.0, 3.3

LABEL = "tab:rouge"

STYLE = r"\small\setlength{\tabcolsep}{4pt}"


def latex_report(results: Results) -> Iterator[str]:
    """Yield a ``table`` with the systems and, with ``-d``, ``longtable``s with the EVALs.

    Raises
    ------
    OptionError
        If ``--sort`` names no metric of the run.
    """
    line = signature(results.options)
    systems, *evals = grids(results)
    yield f"% needs \\usepackage{{booktabs{',longtable' if evals else ''}}}\n% {line}\n"
    yield from _system_table(systems, line, results.options.reports)
    for grid in evals:
        yield from _eval_tables(grid, results.options.reports.label or LABEL)


def _system_table(grid: Grid, line: str, reports: ReportOptions) -> Iterator[str]:
    """Yield the floating table of the systems, with the caption and the signature."""
    yield f"\\begin{{table}}\n  \\centering{STYLE}\n"
    caption = reports.caption or f"ROUGE. {latex_text(grid.caption)}"
    yield f"  \\caption{{{caption}}}\n  \\label{{{reports.label or LABEL}}}\n"
    for part in _parts(grid):
        yield f"  \\par\\medskip\n  \\begin{{tabular}}{{{_columns(part)}}}\n    \\toprule\n"
        yield f"    {_heading(part)}\n    \\midrule\n"
        yield from (f"    {row}\n" for row in _rows(part))
        yield "    \\bottomrule\n  \\end{tabular}\n"
    # The typewriter font has a bar of its own.
    written = r"|\allowbreak{}".join(map(latex_text, line.split("|")))
    yield f"  \\par\\medskip\n  {{\\raggedright\\scriptsize\\ttfamily {written}\\par}}\n"
    yield "\\end{table}\n"


def _eval_tables(grid: Grid, label: str) -> Iterator[str]:
    """Yield the tables of the EVALs, which may be longer than a page."""
    yield f"\n{{{STYLE}\n"
    caption = f"  \\caption{{{latex_text(grid.caption)}}}\\label{{{label}-evals}} \\\\\n"
    for part in _parts(grid):
        heading = f"  \\toprule\n  {_heading(part)}\n  \\midrule\n"
        yield f"\\begin{{longtable}}{{{_columns(part)}}}\n"
        yield f"{caption}{heading}  \\endfirsthead\n{heading}  \\endhead\n"
        yield "  \\bottomrule\n  \\endfoot\n"
        yield from (f"  {row}\n" for row in _rows(part))
        yield "\\end{longtable}\n"
        caption = ""
    yield "}\n"


def _parts(grid: Grid) -> Iterator[Grid]:
    """Yield parts of a grid, so that each fits the width of a page."""
    cells = grid.rows[0].cells
    widths = [
        GAP + max(HEADING_POINTS * len(heading), _cell_width(cell))
        for heading, cell in zip(grid.headings, cells, strict=True)
    ]
    most = LABELS_WIDTH / grid.label_sides.count("l")
    room = TEXT_WIDTH - sum(GAP + min(width, most) for width in _label_widths(grid))
    for first, end in splits(widths, room):
        yield grid.columns(first, end)


def _cell_width(cell: Cell) -> float:
    """Return about how wide a cell is, in points."""
    interval = INTERVAL_POINTS * len(f" [{', '.join(cell.interval)}]") if cell.interval else 0.0
    return SCORE_POINTS * len(cell.score) + interval


def _label_widths(grid: Grid) -> list[float]:
    """Return about how wide the labels are, in points."""
    labels = zip(grid.label_headings, *(row.labels for row in grid.rows), strict=True)
    return [LABEL_POINTS * max(map(len, column)) for column in labels]


def _folded_labels(grid: Grid) -> list[bool]:
    """Say which labels are too wide for one line."""
    most = LABELS_WIDTH / grid.label_sides.count("l")
    return [width > most for width in _label_widths(grid)]


def _columns(grid: Grid) -> str:
    """Return the kind of each column."""
    folded = f"p{{{LABELS_WIDTH / grid.label_sides.count('l'):g}pt}}"
    labels = zip(grid.label_sides, _folded_labels(grid), strict=True)
    kinds = (folded if is_folded else side for side, is_folded in labels)
    return "".join(kinds) + "r" * len(grid.headings)


def _heading(grid: Grid) -> str:
    """Write the row of headings."""
    return _line(map(latex_text, (*grid.label_headings, *grid.headings)))


def _rows(grid: Grid) -> Iterator[str]:
    """Yield the rows of scores, their columns equally wide for who reads the source."""
    folded = _folded_labels(grid)
    rows = [[*map(_label, row.labels, folded), *map(_cell, row.cells)] for row in grid.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    sides = grid.label_sides + "r" * len(grid.headings)
    for row in rows:
        cells = zip(row, widths, sides, strict=True)
        yield _line(
            cell.ljust(width) if side == "l" else cell.rjust(width) for cell, width, side in cells
        )


def _label(text: str, is_folded: bool) -> str:
    """Write a label."""
    return rf"\raggedright {breakable(text)}" if is_folded else latex_text(text)


def _line(cells: Iterable[str]) -> str:
    """Write a row."""
    return " & ".join(cells) + r" \\"


def _cell(cell: Cell) -> str:
    """Write a score, the best in bold, and its interval in small type."""
    score = rf"\textbf{{{cell.score}}}" if cell.is_best else cell.score
    return f"{score} {_interval(cell.interval)}" if cell.interval else score


def _interval(bounds: Sequence[str]) -> str:
    """Write the bounds of an interval."""
    return f"{{\\scriptsize [{', '.join(bounds)}]}}"
