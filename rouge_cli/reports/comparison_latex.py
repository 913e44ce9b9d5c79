"""A comparison for LaTeX, ready to paste: a ``table`` for each metric; it needs booktabs."""

from collections.abc import Iterable, Iterator, Sequence

from rouge_cli.reports.comparison_sections import Section, ShownPair, notes, sections
from rouge_cli.reports.latex_text import breakable, latex_text
from rouge_cli.scoring.signature import signature
from rouge_cli.statistics.comparison_records import Comparison

__all__ = ["comparison_report"]

POINTS_OF_A_CHARACTER = 4
"""About how wide a character of a name is."""

PAIR_POINTS, SYSTEM_POINTS = 44, 160
"""Wider names are folded, so that the tables fit the width of a page."""

STYLE = r"\footnotesize\setlength{\tabcolsep}{2.5pt}"


def comparison_report(comparison: Comparison) -> Iterator[str]:
    """Yield the tables; the signature stands in the first line as a comment and below each table.

    Parameters
    ----------
    comparison : Comparison
    """
    line = signature(comparison.options)
    yield f"% needs \\usepackage{{booktabs}}\n% {line}\n"
    explained = " ".join(map(latex_text, notes(comparison, "Bold")))
    for number, section in enumerate(sections(comparison), 1):
        yield f"\\begin{{table}}\n  \\centering{STYLE}\n"
        yield f"  \\caption{{{latex_text(section.title)}. {explained}}}\n"
        yield f"  \\label{{tab:comparison-{number}}}\n"
        yield from _pairs(section)
        yield "  \\par\\medskip\n"
        yield from _systems(section)
        yield "  \\par\\medskip\n"
        yield f"  {{\\raggedright\\scriptsize\\ttfamily {breakable(line)}\\par}}\n"
        yield "\\end{table}\n"


def _pairs(section: Section) -> Iterator[str]:
    """Yield the table of the pairs."""
    names = [
        _column((pair.systems[place] for pair in section.pairs), PAIR_POINTS) for place in (0, 1)
    ]
    counted = section.n_evals is None
    n_before = 4 + counted
    n_heads = ["N"] if counted else []
    heads = ["A", "B", *n_heads, "$A - B$", "interval", "boot.", "rand.", "boot.", "rand."]
    above = [*[""] * n_before, r"\multicolumn{2}{c}{$p$}", r"\multicolumn{2}{c}{Holm}"]
    yield f"  \\begin{{tabular}}{{{''.join(names)}{'r' * (len(heads) - 2)}}}\n    \\toprule\n"
    yield f"    {_line(above)}\n    {_line(heads)}\n    \\midrule\n"
    for pair in section.pairs:
        yield f"    {_line(_pair_cells(pair, names, counted))}\n"
    yield "    \\bottomrule\n  \\end{tabular}\n"


def _pair_cells(pair: ShownPair, columns: Sequence[str], counted: bool) -> Iterator[str]:
    """Yield the cells of a pair, the better system in bold."""
    for place, (name, column) in enumerate(zip(pair.systems, columns, strict=True)):
        yield _name(name, column, is_bold=place == pair.better)
    if counted:
        yield pair.n_evals
    yield f"${pair.difference}$"
    yield f"{{\\scriptsize $[{', '.join(pair.interval)}]$}}"
    yield from map(latex_text, (*pair.p, *pair.p_holm))


def _systems(section: Section) -> Iterator[str]:
    """Yield the table of the systems; a letter stands below the same letter."""
    name = _column((one.system for one in section.systems), SYSTEM_POINTS)
    n_groups = len(section.systems[0].letters)
    groups = "@{\\hspace{2pt}}".join("c" * n_groups)
    yield f"  \\begin{{tabular}}{{{name}rr{groups}}}\n    \\toprule\n"
    heads = ["System", "N", "Mean", rf"\multicolumn{{{n_groups}}}{{l}}{{Groups}}"]
    yield f"    {_line(heads)}\n"
    yield "    \\midrule\n"
    for one in section.systems:
        letters = (letter.strip() for letter in one.letters)
        yield f"    {_line([_name(one.system, name), one.n_evals, one.mean, *letters])}\n"
    yield "    \\bottomrule\n  \\end{tabular}\n"


def _column(names: Iterable[str], most: int) -> str:
    """Return the kind of a column of names, at most so many points wide."""
    is_folded = any(len(name) * POINTS_OF_A_CHARACTER > most for name in names)
    return f"p{{{most}pt}}" if is_folded else "l"


def _name(name: str, column: str, *, is_bold: bool = False) -> str:
    """Write a name."""
    is_folded = column != "l"
    text = breakable(name) if is_folded else latex_text(name)
    text = rf"\textbf{{{text}}}" if is_bold else text
    return rf"\raggedright {text}" if is_folded else text


def _line(cells: Iterable[str]) -> str:
    """Write a row."""
    return " & ".join(cells) + r" \\"
