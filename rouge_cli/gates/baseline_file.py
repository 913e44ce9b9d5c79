"""Read a baseline: the JSON report of an earlier run."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from rouge_cli.errors import InputError
from rouge_cli.gates.json_part import JsonPart, MisfitError, parse_json
from rouge_cli.gates.printed import printed, printed_field
from rouge_cli.inputs.files import read_input
from rouge_cli.metrics.metric import scored_metrics
from rouge_cli.options.every import Options
from rouge_cli.scoring.signature import signature

__all__ = ["Baseline", "BaselineSystem", "read_baseline"]

ADVICE = "make a baseline with: rouge-cli ... --report json -o baseline.json"
MEASURE_FIELDS = {"R": "recall", "P": "precision", "F": "f_measure"}


@dataclass(frozen=True, slots=True)
class BaselineSystem:
    """A system of an earlier run.

    Parameters
    ----------
    id : str
    n_evals : int
        Number of its EVALs.
    averages : mapping of (str, str) to Decimal
        By metric and measure (``"R"``, ``"P"``, ``"F"``), as they were printed.
    """

    id: str
    n_evals: int
    averages: Mapping[tuple[str, str], Decimal]


@dataclass(frozen=True, slots=True)
class Baseline:
    """An earlier run.

    Parameters
    ----------
    name : str
        What to call its file in messages.
    systems : tuple of BaselineSystem
    """

    name: str
    systems: tuple[BaselineSystem, ...]


def read_baseline(path: str, options: Options) -> Baseline:
    """Read the averages to compare with.

    Parameters
    ----------
    path : str
        A file that ``--report json`` has written.
    options : Options
        Of this run: they say which metrics and measures to read, and have to be those of the
        earlier run.

    Returns
    -------
    Baseline

    Raises
    ------
    InputError
        It cannot be read, is no such report, or its signature is another.
    """
    name, data = read_input(path, f"the JSON report of an earlier run; {ADVICE}")
    try:
        document = parse_json(data)
        earlier = document.member("signature", "a string").value
        entries = document.member("systems", "a list").items()
    except MisfitError as misfit:
        raise InputError([f"{name}: {misfit}", f"{name}: {ADVICE}"]) from None
    _check_signature(earlier, signature(options), name)
    problems: list[str] = [] if entries else ["systems: empty, expected at least one system"]
    systems = tuple(_system(entry, options, problems) for entry in entries)
    times = Counter(system.id for system in systems)
    problems += [f"systems: {n} times the ID {found!r}" for found, n in times.items() if n > 1]
    if problems:
        raise InputError([*(f"{name}: {problem}" for problem in problems), f"{name}: {ADVICE}"])
    return Baseline(name, systems)


def _check_signature(earlier: str, now: str, name: str) -> None:
    """Refuse scores of other options; the version, which stands first, may be another."""
    if earlier.partition("|")[2] != now.partition("|")[2]:
        shown = earlier if earlier.isprintable() else ascii(earlier)
        raise InputError(
            [
                f"{name}: made with other options than those of this run; give the same, or make "
                "a new baseline",
                f"{name}: its signature is {shown}",
                f"{name}: that of this run {now}",
            ]
        )


def _system(entry: JsonPart, options: Options, problems: list[str]) -> BaselineSystem:
    """Read a system; what is wrong with it goes to `problems`, and is left out."""
    system_id, n_evals = "", 0
    found: dict[tuple[str, str], Decimal | None] = {}
    try:
        system_id = entry.member("id", "a string").value
        n_evals = entry.member("n_evals", "a whole number from 0 on").value
        metrics = entry.member("metrics", "an object")
    except MisfitError as misfit:
        problems.append(str(misfit))
    else:
        found = {pair: _average(metrics, *pair, options, problems) for pair in _compared(options)}
    averages = {pair: average for pair, average in found.items() if average is not None}
    return BaselineSystem(system_id or entry.place, n_evals, averages)


def _average(
    metrics: JsonPart, metric: str, letter: str, options: Options, problems: list[str]
) -> Decimal | None:
    """Read the printed average of a metric; None, and a problem more, if it is not there."""
    spelt = next((name for name in metrics.value if _kind(name) == _kind(metric)), metric)
    try:
        measure = metrics.member(spelt, "an object").member(MEASURE_FIELDS[letter], "an object")
        average = measure.member(printed_field(options), "a number from 0 on")
    except MisfitError as misfit:
        problems.append(str(misfit))
        return None
    return printed(average.value)


def _kind(metric: str) -> str:
    """Return the name of a metric, less a number that stands in it as typed: 1.2 may be 1.20.

    A run has one such metric of a kind, and the signature has told that the numbers are the same.
    """
    kind = re.match("ROUGE-(?:W-|SU?)", metric)
    return kind.group() if kind else metric


def _compared(options: Options) -> Iterator[tuple[str, str]]:
    """Yield the metrics and measures that are compared, in the order of print."""
    wanted = options.reports.measures or "F"
    for metric in scored_metrics(options.metrics):
        yield from ((metric.name, letter) for letter in MEASURE_FIELDS if letter in wanted)
