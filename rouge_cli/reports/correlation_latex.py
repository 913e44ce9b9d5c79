"""A study of correlations for LaTeX, ready to paste; it needs the package booktabs."""

from collections.abc import Iterator, Sequence

from rouge_cli.reports.correlation_grids import (
    BEST,
    TIED,
    CorrelationGrid,
    ShownCell,
    correlation_grids,
)
from rouge_cli.reports.correlation_notes import correlation_notes, shown_signatures
from rouge_cli.reports.latex_text import breakable, latex_text
from rouge_cli.statistics.correlation_records import CorrelationStudy

__all__ = ["correlation_report"]

STYLE = r"\footnotesize\setlength{\tabcolsep}{3pt}"
"""Eight columns have to fit the width of LaTeX's own article."""

MARKS = {BEST: r"\textbf{%s}", TIED: r"\textit{%s}", "": "%s"}


def correlation_report(study: CorrelationStudy) -> Iterator[str]:
    """Yield a ``table`` for each grid; the last one has the signature below it."""
    signatures = shown_signatures(study)
    yield "% needs \\usepackage{booktabs}\n"
    yield from (f"% {line}\n" for line in signatures)
    grids = list(correlation_grids(study))
    notes = " ".join(correlation_notes(study, "Bold", "Italic"))
    for number, grid in enumerate(grids, 1):
        caption = f"{latex_text(grid.title)}. {latex_text(notes)}"
        yield f"\\begin{{table}}\n  \\centering{STYLE}\n  \\caption{{{caption}}}\n"
        yield f"  \\label{{tab:correlation-{number}}}\n"
        yield from (f"  {line}\n" for line in _tabular(grid))
        if number == len(grids):
            for line in signatures:
                yield f"  \\par\\medskip\n  {{\\raggedright\\scriptsize {breakable(line)}\\par}}\n"
        yield "\\end{table}\n"


def _tabular(grid: CorrelationGrid) -> Iterator[str]:
    """Yield the lines of a table."""
    yield f"\\begin{{tabular}}{{l{'r' * len(grid.headings)}}}"
    yield "  \\toprule"
    if grid.groups:
        yield f"  {_groups(grid.groups)}"
    yield f"  {_line([latex_text(one) for one in (grid.label_heading, *grid.headings)])}"
    yield "  \\midrule"
    for label, cells in grid.rows:
        yield f"  {_line([latex_text(label), *map(_cell, cells)])}"
    yield "  \\bottomrule"
    yield "\\end{tabular}"


def _groups(groups: Sequence[tuple[str, int]]) -> str:
    """Write what stands above the headings, with a rule below each."""
    cells, rules, first = [""], [], 2
    for head, size in groups:
        cells.append(f"\\multicolumn{{{size}}}{{c}}{{{latex_text(head)}}}")
        rules.append(f"\\cmidrule(lr){{{first}-{first + size - 1}}}")
        first += size
    return f"{_line(cells)} {' '.join(rules)}"


def _line(cells: Sequence[str]) -> str:
    """Write a row."""
    return " & ".join(cells) + r" \\"


def _cell(cell: ShownCell) -> str:
    """Write a cell: the best bold, what cannot be told apart from it in italics."""
    number = f"${cell.text}$" if cell.text[0] in "+-" and len(cell.text) > 1 else cell.text
    text = MARKS[cell.mark] % latex_text(cell.text) if cell.mark else number
    if cell.interval is None:
        return text
    return f"{text} {{\\scriptsize [{', '.join(cell.interval)}]}}"
