"""Wording of numbers, measures and counts in every report, and of citations."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import isnan
from os.path import commonprefix
from string import ascii_lowercase
from typing import TYPE_CHECKING, Protocol

from rouge_cli.data import read_data
from rouge_cli.escapes import escape_unprintable
from rouge_cli.options.scores import MEASURE_NAMES, SINGLE_MEASURE
from rouge_cli.reports.document import Cell, Note, Role, Section
from rouge_cli.version import RELEASE_DATE, __version__

if TYPE_CHECKING:
    from rouge_cli.options.options import Options


class MetricMeasure(Protocol):
    """A measure of a metric."""

    @property
    def metric(self) -> str:
        """Name of the metric."""

    @property
    def letter(self) -> str:
        """R, P or F, or S for a single score."""


UNDEFINED = "-"
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
NO_BREAK = "\N{NO-BREAK SPACE}"
MOST_NAMES = 4  # names listed in a sentence; the others are only counted
ACCURACY_NAMES = {"pa": "PA", "acc-eq": "acc-eq", "spa": "SPA"}
"""Names of pairwise accuracies; correlations are named after people."""

LEAST_P = 0.00005  # smaller p-values would round to zero


def number(value: float | None, decimals: int, sign: str = "-") -> str:
    """Format a number, without a sign if it rounds to zero; None and nan are undefined.

    `sign` ``"+"`` shows the sign of positive numbers too.
    """
    if value is None or isnan(value):
        return UNDEFINED
    text = f"{value:{sign}.{decimals}f}"
    # Rounded to zero, a small negative number would be -0.0000.
    return text.lstrip("+-") if float(text) == 0 else text


def interval_cell(interval: tuple[float | None, float | None], decimals: int) -> Cell:
    """Return the cell of an interval."""
    lower, upper = (number(bound, decimals) for bound in interval)
    return Cell("", (lower, upper))


def p_value(p: float | None) -> str:
    """Format a p-value."""
    if p is None:
        return UNDEFINED
    return f"{p:.4f}" if p >= LEAST_P else "<.0001"


def equals(p: float) -> str:
    """Format a p-value to follow its name, without a blank at which a line could break."""
    text = p_value(p)
    return (f"< {text[1:]}" if text.startswith("<") else f"= {text}").replace(" ", NO_BREAK)


def coefficient_name(coefficient: str) -> str:
    """Name a coefficient as tables do."""
    return ACCURACY_NAMES.get(coefficient, coefficient.capitalize())


def measure_label(metric: str, letter: str) -> str:
    """Name a measure, such as ``ROUGE-2 F``; a single score has the metric's name."""
    return metric if letter == SINGLE_MEASURE else f"{metric} {letter}"


def column_label(column: MetricMeasure) -> str:
    """Name a column of scores."""
    return measure_label(column.metric, column.letter)


def factor_of(column: MetricMeasure, *, percent: bool) -> int:
    """Return the scaling factor of a column; single scores keep their own scale."""
    return 100 if percent and column.letter != SINGLE_MEASURE else 1


def measure_title(letter: str) -> str:
    """Name a measure in a title."""
    return letter if letter == "F" else MEASURE_NAMES[letter]


def lower_note(metrics: Sequence[str]) -> Note:
    """Return the note that lists metrics whose lower scores are better."""
    return Note.of(f"Lower is better: {', '.join(metrics)}.")


def counted(count: int, what: str) -> str:
    """Format a count of things named in the singular."""
    return f"{count} {what}{'s' * (count != 1)}"


def evals_in_clusters(n_evals: int, n_clusters: int | None) -> str:
    """Format the number of EVALs and, if they are clustered, of clusters."""
    evals = counted(n_evals, "text")
    return evals if n_clusters is None else f"{evals} in {counted(n_clusters, 'cluster')}"


def eval_count(sizes: Sequence[int]) -> str:
    """Format the number of EVALs, or its range over systems."""
    fewest, most = min(sizes), max(sizes)
    return f"{fewest} to {most} texts" if fewest < most else counted(most, "text")


def listed(names: Sequence[str], most: int = MOST_NAMES) -> str:
    """Join names for a sentence; more than `most` are counted."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def with_short_names(text: str, short: Mapping[str, str]) -> str:
    """Return a text with short names in place of the whole ones."""
    # The longest first, since a name may contain another one.
    for name in sorted(short, key=len, reverse=True):
        text = text.replace(name, short[name])
    return text


def short_system_names(systems: Sequence[str]) -> tuple[dict[str, str], str]:
    """Return the short and printable name of each system, and their key, as `short_names` does."""
    shown = {system: escape_unprintable(system) for system in systems}
    short, key = short_names(list(shown.values()))
    return {system: short[name] for system, name in shown.items()}, key


LONG_NAME = 18  # longer names lose what all of them share
LEAST_SHARED = 4
SEPARATORS = " ,:;=/_|+-"


def short_names(names: Sequence[str]) -> tuple[dict[str, str], str]:
    """Return each name without the parts that all names share, and a key that explains these.

    An ellipsis replaces the shared start, the shared end and, if all names have the same number of
    parts, the longest shared run of parts in the middle. Parts end at separators. If no name is
    long, or all share little, names stay as they are, and the key is empty.
    """
    distinct = list(dict.fromkeys(names))
    longest = max(map(len, distinct), default=0)
    if len(distinct) == 1 or longest <= LONG_NAME:
        return {name: name for name in distinct}, ""
    head = _shared_start(distinct)
    # A shared end is a shared start of the reversed names.
    tail = _shared_start([name[len(head) :][::-1] for name in distinct])[::-1]
    cores = [name[len(head) : len(name) - len(tail)] for name in distinct]
    parts = [re.split(f"(?<=[{SEPARATORS}])", core) for core in cores]
    start, end = _shared_parts(parts)
    middle = "".join(parts[0][start:end])
    short = {}
    for name, core, pieces in zip(distinct, cores, parts, strict=True):
        kept = "".join((*pieces[:start], ELLIPSIS, *pieces[end:])) if middle else core
        short[name] = ELLIPSIS * bool(head) + kept + ELLIPSIS * bool(tail)
    shared = (("at the start of a name", head), ("within it", middle), ("at its end", tail))
    key = "; ".join(f"{place}: {text}" for place, text in shared if text)
    return short, f"{ELLIPSIS} {key}" if key else ""


def _shared_start(names: Sequence[str]) -> str:
    start = commonprefix(names)  # noqa: RUF071 - of letters
    start = start[: max(map(start.rfind, SEPARATORS)) + 1]
    return start if len(start) >= LEAST_SHARED else ""


def _shared_parts(names: Sequence[Sequence[str]]) -> tuple[int, int]:
    start = end = first = 0
    if max(len("".join(parts)) for parts in names) <= LONG_NAME or len({*map(len, names)}) > 1:
        return start, end
    shared = [len(parts[0]) * (len({*parts}) == 1) for parts in zip(*names, strict=True)]
    for place, length in enumerate(shared, 1):
        if not length:
            first = place
        elif sum(shared[first:place]) >= max(LEAST_SHARED, sum(shared[start:end])):
            start, end = first, place
    return start, end


UNNAMED = frozenset({"Metric", "Measure"})  # headings of columns whose names are not the user's


def shortened_section(section: Section) -> tuple[Section, dict[str, str]]:
    """Shorten long names by what all of them share, which the caption explains."""
    names = [
        cell.text
        for table in section.tables
        for place, column in enumerate(table.columns)
        if column.role is Role.NAME and column.heading not in UNNAMED
        for cell in table.cells(place)
    ]
    short, key = short_names(names)
    if not key:
        return section, {}
    section = replace(section, caption=f"{section.caption} {key}.".lstrip())
    return section.with_tables(lambda table: table.with_texts(lambda x: short.get(x, x))), short


def group_letter(index: int) -> str:
    """Return the name of a group by its index: ``a`` to ``z``, then ``aa``, ``ab`` and so on."""
    first, last = divmod(index, len(ascii_lowercase))
    return (group_letter(first - 1) if first else "") + ascii_lowercase[last]


def read_template(name: str) -> str:
    """Return a file in the folder ``templates``."""
    return read_data(os.path.join(os.path.dirname(__file__), "templates", name)).decode()


@cache
def cited() -> str:
    """Return what to cite in any paper, independent of what was scored."""
    from string import Template

    citation = Template(read_template("citation.txt"))
    return citation.substitute(version=__version__, year=RELEASE_DATE[:4])


def citation(options: "Options") -> Iterator[str]:
    """Return references, and a sentence for a paper about a run with `options`, in parts.

    Raises InputError if a word list of the data directory cannot be read.
    """
    # Late imports: help reads the declarations of studies, and must not load NumPy.
    from rouge_cli.metrics.metric import scored_metrics
    from rouge_cli.scores.signature import original_command, signature

    metrics = [metric.name for metric in scored_metrics(options.metrics)]
    names = f"{listed(metrics, len(metrics))} (Lin, 2004) {'were' if metrics[1:] else 'was'}"
    claim = (
        "which reproduces\nROUGE-1.5.5 to the last digit."
        if options.texts.reads_as_original
        else "which counts as\nROUGE-1.5.5 does. Its words are not those of ROUGE-1.5.5."
    )
    # Not a generator: an error in a word list comes before anything is printed.
    parts = [
        f"{cited()}\n",
        f"In the paper:\n\n{names} computed with rouge-cli {__version__}, {claim} "
        f"Signature:\n{signature(options)}\n\n",
    ]
    if (command := original_command(options)) is not None:
        parts.append(f"The same with the original:\n\n{escape_unprintable(command)}\n")
    return iter(parts)
