"""Read a baseline: the JSON report of an earlier run."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NoReturn

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.files import read_input
from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.options.every import Options
from rouge_cli.options.requirements import MEASURE_NAMES, SINGLE_MEASURE
from rouge_cli.options.scores import RAW_COUNTS, ScoreOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scoring.signature import signature
from rouge_cli.thresholds.requirements import printed

__all__ = ["Baseline", "BaselineSystem", "read_baseline"]

ADVICE = "make a baseline with: rouge-cli ... --report json -o baseline.json"

LARGEST = 1e15
"""Far above any score or number of EVALs, and far below what a double cannot hold."""

KINDS: dict[str, Callable[[Any], bool]] = {
    "an object": lambda value: isinstance(value, dict),
    "a list": lambda value: isinstance(value, list),
    "a string": lambda value: isinstance(value, str),
    "a number": lambda value: _is_number(value) and abs(value) < LARGEST,
    "a number from 0 on": lambda value: _is_number(value) and 0 <= value < LARGEST,
    "a whole number from 0 on": lambda value: (
        isinstance(value, int) and _is_number(value) and 0 <= value < LARGEST
    ),
}
"""What may be expected of a part, in words, and whether a value is it."""


class MisfitError(ValueError):
    """Something in a document is not what was expected; says where."""


@dataclass(frozen=True, slots=True)
class JsonPart:
    """A value of a document.

    Parameters
    ----------
    value : object
        As `json` reads it.
    place : str
        Where it stands, such as ``systems[0].metrics``; empty for the whole document.
    """

    value: Any
    place: str = ""

    def member(self, name: str, expected: str) -> "JsonPart":
        """Return a member of this object, which is `expected` to be one of `KINDS`.

        Raises
        ------
        MisfitError
            This is no object, has no such member, or it is of another kind.
        """
        if not isinstance(self.value, dict):
            place = self.place or "the document"
            raise MisfitError(f"{place}: found {_described(self.value)}, expected an object")
        part = f"{self.place}.{name}" if self.place else name
        if name not in self.value:
            raise MisfitError(f"{part}: missing, expected {expected}")
        value = self.value[name]
        if not KINDS[expected](value):
            raise MisfitError(f"{part}: found {_described(value)}, expected {expected}")
        return JsonPart(value, part)

    def items(self) -> "list[JsonPart]":
        """Return the items of this list."""
        return [JsonPart(value, f"{self.place}[{k}]") for k, value in enumerate(self.value)]


def parse_json(data: bytes) -> JsonPart:
    """Read a document, in strict JSON, which knows no NaN; raises MisfitError."""
    try:
        return JsonPart(json.loads(data, parse_constant=_refuse_constant))
    except json.JSONDecodeError as error:
        found = f"line {error.lineno}, column {error.colno}: {error.msg}"
    except RecursionError:
        found = "brackets nested too deeply"
    except ValueError as error:
        found = str(error)
    raise MisfitError(f"no JSON: {found}")


def _refuse_constant(constant: str) -> NoReturn:
    """Refuse what Python reads as a number and JSON does not know."""
    raise MisfitError(f"found {constant}, which JSON does not have")


def _is_number(value: Any) -> bool:
    """Return whether a value is a number; Python takes true and false for numbers too."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _described(value: Any) -> str:
    """Return a value in a few words."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:37] + "..."  # noqa: PLR2004


@dataclass(frozen=True, slots=True)
class BaselineSystem:
    """A system of an earlier run.

    Parameters
    ----------
    n_evals : int
        Number of its EVALs.
    averages : mapping of (str, str) to Decimal
        By metric and letter of the measure, as they were printed.
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
    """

    name: str
    systems: tuple[BaselineSystem, ...]


def read_baseline(path: str, options: Options, metrics: Sequence[ScoredMetric]) -> Baseline:
    """Read the averages to compare with.

    Parameters
    ----------
    path : str
        A file that ``--report json`` has written.
    options : Options
        Of this run: they say which measures to read, and have to be those of the earlier run.
    metrics : sequence of ScoredMetric
        Of this run.

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
    compared = list(_compared(options, metrics))
    read = [_system(entry, options, compared) for entry in entries]
    systems = tuple(system for system, _ in read)
    problems += [problem for _, found in read for problem in found]
    times = Counter(system.id for system in systems)
    problems += [f"systems: {n} times the ID {found!r}" for found, n in times.items() if n > 1]
    if problems:
        raise InputError([*(f"{name}: {problem}" for problem in problems), f"{name}: {ADVICE}"])
    return Baseline(name, systems)


def _check_signature(earlier: str, now: str, name: str) -> None:
    """Refuse scores of other options; the version, which stands first, may be another."""
    if earlier.partition("|")[2] != now.partition("|")[2]:
        raise InputError(
            [
                f"{name}: made with other options than those of this run; give the same, or make "
                "a new baseline",
                f"{name}: its signature is {escaped(earlier)}",
                f"{name}: that of this run {now}",
            ]
        )


def _system(
    entry: JsonPart, options: Options, compared: Sequence[tuple[str, str]]
) -> tuple[BaselineSystem, list[str]]:
    """Read a system, as far as nothing is wrong with it; and return what is."""
    system_id, n_evals = "", 0
    averages: dict[tuple[str, str], Decimal] = {}
    problems = []
    try:
        system_id = entry.member("id", "a string").value
        n_evals = entry.member("n_evals", "a whole number from 0 on").value
        metrics = entry.member("metrics", "an object")
    except MisfitError as misfit:
        problems.append(str(misfit))
    else:
        for pair in compared:
            try:
                averages[pair] = _average(metrics, *pair, options.scores)
            except MisfitError as misfit:  # noqa: PERF203 - all that is wrong is named
                problems.append(str(misfit))
    return BaselineSystem(system_id or entry.place, n_evals, averages), problems


def _average(metrics: JsonPart, metric: str, letter: str, options: ScoreOptions) -> Decimal:
    """Read the printed average of a metric; raises MisfitError if it is not there."""
    spelt = next((name for name in metrics.value if _kind(name) == _kind(metric)), metric)
    measure = metrics.member(spelt, "an object").member(MEASURE_NAMES[letter], "an object")
    expected = "a number" if letter == SINGLE_MEASURE else "a number from 0 on"
    average: float = measure.member(_printed_field(options), expected).value
    return printed(average)


def _printed_field(options: ScoreOptions) -> str:
    """Return which mean of a measure is the printed average: a field of `Measure`."""
    has_bootstrap = options.resamples > 0 and options.counting != RAW_COUNTS
    return "bootstrap_mean" if has_bootstrap else "mean"


def _kind(metric: str) -> str:
    """Return the name of a metric, less a number that stands in it as typed: 1.2 may be 1.20.

    A run has one such metric of a kind, and the signature has told that the numbers are the same.
    """
    kind = re.match("ROUGE-(?:W-|SU?)", metric)
    return kind.group() if kind else metric


def _compared(options: Options, metrics: Sequence[ScoredMetric]) -> Iterator[tuple[str, str]]:
    """Yield the metrics and measures that are compared, in the order of print.

    A metric that has none of the measures asked for is compared in all that it has.
    """
    wanted = options.reports.measures or "F"
    for metric in metrics:
        letters = [letter for letter in metric.measures if letter in wanted]
        yield from ((metric.name, letter) for letter in letters or metric.measures)
