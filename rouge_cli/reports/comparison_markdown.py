"""A comparison in GitHub's Markdown: for each metric a table of pairs and one of groups."""

from collections.abc import Iterator, Sequence

from rouge_cli.reports.comparison_sections import Section, ShownPair, notes, sections
from rouge_cli.reports.markdown import markdown_text
from rouge_cli.scoring.signature import signature
from rouge_cli.statistics.comparison_records import Comparison

__all__ = ["comparison_report"]

PAIR_HEADS = ("A", "B", "N", "A - B", "Interval", "p boot.", "p rand.", "Holm boot.", "Holm rand.")


def comparison_report(comparison: Comparison) -> Iterator[str]:
    """Yield the tables of each metric, what they mean, and the signature."""
    for section in sections(comparison):
        yield f"**{markdown_text(section.metric)}**\n\n"
        yield from _table(PAIR_HEADS, "ll" + 7 * "r", [_pair(pair) for pair in section.pairs])
        yield "\n"
        yield from _table(("System", "N", "Mean", "Groups"), "lrrl", _systems(section))
        yield "\n"
    for note in notes(comparison, "Bold"):
        yield f"{markdown_text(note)}\n\n"
    yield f"`{signature(comparison.options)}`\n"


def _table(heads: Sequence[str], sides: str, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table."""
    rules = [":--" if side == "l" else "--:" for side in sides]
    for row in (heads, rules, *rows):
        yield f"| {' | '.join(row)} |\n"


def _pair(pair: ShownPair) -> list[str]:
    """Write a pair, the better system in bold."""
    names = map(markdown_text, pair.systems)
    marked = (f"**{name}**" if place == pair.better else name for place, name in enumerate(names))
    interval = f"[{', '.join(pair.interval)}]"
    numbers = (markdown_text(p) for p in (*pair.p, *pair.p_holm))
    return [*marked, pair.n_evals, pair.difference, interval, *numbers]


def _systems(section: Section) -> list[list[str]]:
    """Write the systems with the letters of their groups."""
    return [
        [
            markdown_text(one.system),
            one.n_evals,
            one.mean,
            " ".join(letter for letter in one.letters if letter.strip()),
        ]
        for one in section.systems
    ]
