"""Write numbers as cells, cells as Markdown tables, and tables between markers in a page."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.timing import Rounds

__all__ = [
    "COMPARISON",
    "Other",
    "as_cost",
    "as_limit",
    "as_speed",
    "duration",
    "failure",
    "filled",
    "judged",
    "spread",
    "table",
]

COMPARISON = ("what", "rouge-cli", "compared with", "measured", "goal", "met", "what differs")
"""The columns of the comparison."""

Row = list[str]


def duration(seconds: float) -> str:
    """Write a time with three digits."""
    for factor, unit in ((1, "s"), (1e3, "ms")):
        if seconds * factor >= 1:
            return f"{_three_digits(seconds * factor)} {unit}"
    return f"{_three_digits(seconds * 1e6)} µs"


@dataclass(frozen=True, slots=True)
class Other:
    """What is compared with.

    Parameters
    ----------
    name : str
        With its version, if it has one.
    differs : str
        What it does otherwise, or does not do.
    """

    name: str
    differs: str


def as_speed(what: str, other: Other, rounds: Rounds, goal: float | None = None) -> Row:
    """Make a row: how many times as fast as something else; there may be no goal."""
    return [what, *_times(other.name, rounds), *judged(rounds, goal), other.differs]


def as_cost(what: str, other: Other, rounds: Rounds, goal: float | None = None) -> Row:
    """Make a row: how many times the time of something that has less to do."""
    ratios = rounds.ratios(speed=False)
    asked = ("", "") if goal is None else (f"at most {goal:g}x", _verdict(median(ratios) <= goal))
    return [what, *_times(other.name, rounds), spread(ratios), *asked, other.differs]


def judged(rounds: Rounds, goal: float | None) -> Row:
    """Make the cells of a speed: the ratios, the goal, and whether it is met."""
    ratios = rounds.ratios(speed=True)
    asked = ("", "") if goal is None else (f"at least {goal:g}x", _verdict(median(ratios) >= goal))
    return [spread(ratios), *asked]


def as_limit(what: str, seconds: float, peak_mb: float, goal: float) -> Row:
    """Make a row: peak memory below a limit."""
    return [
        what,
        duration(seconds),
        "",
        f"{peak_mb:,.0f} MB",
        f"below {goal:,.0f} MB",
        _verdict(peak_mb < goal),
        "",
    ]


def failure(what: str, message: str) -> Row:
    """Make a row of the comparison: it could not be measured."""
    return [what, "", "", f"not measured: {message}", "", "no", ""]


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, n_left: int = 1) -> str:
    """Write a Markdown table whose first `n_left` columns are text and the others numbers."""
    rules = ["---" if k < n_left else "---:" for k in range(len(columns))]
    lines = (columns, rules, *rows)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def filled(page: str, name: str, content: str) -> str:
    """Put content between the markers of that name in a page.

    Raises
    ------
    ValueError
        If the page lacks them.
    """
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    if not pattern.search(page):
        raise ValueError(f"no markers {begin} and {end} in the page")
    return pattern.sub(lambda _: f"{begin}\n\n{content}\n\n{end}", page)


def _times(other: str, rounds: Rounds) -> tuple[str, str]:
    """Write the median time of both."""
    return duration(median(rounds.ours)), f"{other}: {duration(median(rounds.others))}"


def spread(ratios: Sequence[float]) -> str:
    """Write the median, the least and the greatest of ascending ratios."""
    return f"{_ratio(median(ratios))}x ({_ratio(ratios[0])} to {_ratio(ratios[-1])})"


def _verdict(is_met: bool) -> str:
    """Say whether a goal is met."""
    return "yes" if is_met else "**no**"


def _ratio(value: float) -> str:
    """Write a ratio."""
    return f"{value:.0f}" if value >= 20 else f"{value:.2f}"


def _three_digits(value: float) -> str:
    """Write a number from 1 on with three digits, or all that stand before the point."""
    n_decimals = max(0, 3 - len(str(int(value))))
    return f"{value:,.{n_decimals}f}"
