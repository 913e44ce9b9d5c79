"""Baselines: the scores of an earlier run, read from a JSON report or from saved scores."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, NoReturn

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.files import read_input
from rouge_cli.inputs.records.json_rows import RepeatedKeyError, load_json
from rouge_cli.inputs.source import Source
from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.options.options import Options
from rouge_cli.options.scores import MEASURE_NAMES, SINGLE_MEASURE
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.results import MetricColumn, Results, SystemTable
from rouge_cli.scores.saved_scores import is_saved, load_scores
from rouge_cli.scores.score_files import has_header
from rouge_cli.scores.signature import signature

ADVICE = "make a baseline with: rouge-cli ... --report json -o baseline.json"
EVALS_ADVICE = f"{ADVICE.replace('--report', '-d --report')}, or --save baseline.jsonl"

LARGEST = 1e15
"""Bound of the numbers in a baseline: far above any score or number of EVALs, and small enough to
be exact in a double."""

SIGNIFICANT_DECIMALS = 12  # decimals of a mean that do not depend on the order of addition
LONGEST_VALUE = 40  # length at which values are cut in messages

KINDS: dict[str, Callable[[Any], bool]] = {
    "an object": lambda value: isinstance(value, dict),
    "a list": lambda value: isinstance(value, list),
    "a string": lambda value: isinstance(value, str),
    # By `type`, because isinstance would accept true and false: bool is a subclass of int.
    "a number": lambda value: type(value) in {int, float} and abs(value) < LARGEST,
    "a number from 0 on": lambda value: type(value) in {int, float} and 0 <= value < LARGEST,
    "a whole number from 0 on": lambda value: type(value) is int and 0 <= value < LARGEST,
}
"""Tests for the kinds of values in a baseline, by their names in messages."""


@dataclass(frozen=True, slots=True)
class BaselineSystem:
    """A system of an earlier run.

    `means`, by metric and measure, have 5 decimals; `table` holds the scores of each EVAL. Means
    are empty, or the table is None, if the comparison does not need them.
    """

    id: str
    n_evals: int
    means: Mapping[tuple[str, str], Decimal]
    table: SystemTable | None = None


UNKNOWN = "\0"  # placeholder in a signature for facts about texts that have not been read yet


@dataclass(frozen=True, slots=True)
class Baseline:
    """An earlier run; `name` is its file, for messages.

    With `has_evals`, the scores of EVALs are compared instead of means, so options that only
    concern means may differ from those of this run.
    """

    name: str
    signature: str
    has_evals: bool
    systems: tuple[BaselineSystem, ...] = ()

    def check(self, options: Options, *, is_read: bool = True) -> None:
        """Raise InputError if the baseline was scored with other options than this run.

        The version may differ. Once the texts have been read (`is_read`), `options` includes facts
        about them, such as lists of sentences. Before that, only certain mismatches are refused.
        """
        facts = {} if is_read else {"n_references": UNKNOWN}
        alternatives = [options.with_input_facts(**facts)]
        # Texts may turn out to be lists of sentences, which the signature says.
        if not is_read and options.input_facts.scored_as is None:
            alternatives.append(options.with_input_facts(has_lists=True, **facts))
        patterns = [
            re.escape(self._compared(signature(known))).replace(re.escape(UNKNOWN), "[^|]*")
            for known in alternatives
        ]
        earlier = self._compared(self.signature)
        if not any(re.fullmatch(pattern, earlier) for pattern in patterns):
            raise InputError(
                [
                    f"{self.name}: made with other options than those of this run; give the same, "
                    "or make a new baseline",
                    f"{self.name}: its signature is {escaped(self.signature)}",
                    f"{self.name}: that of this run {signature(options)}",
                ]
            )

    def _compared(self, text: str) -> str:
        without_version = text.partition("|")[2]
        return without_version.rpartition("|count:")[0] if self.has_evals else without_version


class _MisfitError(ValueError):
    """A part of a document is malformed. The message names the part."""


_Part = tuple[Any, str]
"""A value in a JSON document, and its path, such as ``systems[0].metrics``; empty for the root."""


def _member(part: _Part, name: str, expected: str) -> _Part:
    """Return a member of an object; raises _MisfitError unless it is of this kind of `KINDS`."""
    whole, place = part
    if not isinstance(whole, dict):
        raise _MisfitError(
            f"{place or 'the document'}: found {_described(whole)}, expected an object"
        )
    place = f"{place}.{name}" if place else name
    if name not in whole:
        raise _MisfitError(f"{place}: missing, expected {expected}")
    if not KINDS[expected](whole[name]):
        raise _MisfitError(f"{place}: found {_described(whole[name])}, expected {expected}")
    return whole[name], place


def read_baseline(path: str, options: Options, metrics: Sequence[ScoredMetric]) -> Baseline:
    """Read a baseline: the means of a JSON report or, if EVALs are compared, their scores.

    `options` and `metrics` are those of this run. They determine which measures are compared, and
    whether EVALs are; only then are saved scores accepted too. Raises InputError if the file cannot
    be read, is not such a report, lacks scores of EVALs, or has a different signature; and
    RougeError if it is Parquet and pyarrow is not installed.
    """
    if options.thresholds.not_worse_than is not None:
        return _baseline_of_evals(path, options, metrics)
    name, data = read_input(path, f"the JSON report of an earlier run; {ADVICE}")
    if is_saved(path) and has_header(path):
        raise InputError(f"{name}: saved scores, which are for --not-worse-than; {ADVICE}")
    try:
        document = _parsed(data), ""
        earlier, _ = _member(document, "signature", "a string")
        entries, _ = _member(document, "systems", "a list")
    except _MisfitError as misfit:
        raise InputError([f"{name}: {misfit}", f"{name}: {ADVICE}"]) from None
    baseline = Baseline(name, earlier, has_evals=False)
    # A wrong baseline is refused before the texts are read.
    baseline.check(options, is_read=False)
    problems = [] if entries else ["systems: empty, expected at least one system"]
    compared = list(_compared(options.reports.shown_measures, metrics))
    directions: dict[str, bool] = {}
    systems = tuple(
        _system((entry, f"systems[{number}]"), compared, directions, problems)
        for number, entry in enumerate(entries)
    )
    times = Counter(system.id for system in systems)
    problems += [f"systems: {n} times the ID {id_!r}" for id_, n in times.items() if n > 1]
    _check_directions(name, directions, metrics)
    if problems:
        raise InputError([*(f"{name}: {problem}" for problem in problems), f"{name}: {ADVICE}"])
    return replace(baseline, systems=systems)


def baseline_of(results: Results, options: Options, metrics: Sequence[ScoredMetric]) -> Baseline:
    """Return earlier results as a baseline, with the checks of `read_baseline`."""
    by_evals = options.thresholds.not_worse_than is not None
    baseline = Baseline("the baseline", signature(results.options), by_evals)
    baseline.check(options)
    earlier = {metric.name: metric.is_lower_better for metric in results.table.metrics}
    _check_directions(baseline.name, earlier, metrics)
    compared = list(_compared(options.reports.shown_measures, metrics))
    systems = [
        BaselineSystem(
            system.id,
            len(system.eval_ids),
            {(name, letter): steady(system[name].measures[letter].mean)
             for name, letter in compared},
            results.table.systems[system.id],
        )
        for system in results.systems.values()
    ]  # fmt: skip
    return replace(baseline, systems=tuple(systems))


def _baseline_of_evals(path: str, options: Options, metrics: Sequence[ScoredMetric]) -> Baseline:
    if not is_saved(path):
        # Raises the usual error for a missing file.
        name, _ = read_input(path, f"the scores of an earlier run; {EVALS_ADVICE}")
        raise InputError(f"{name}: neither a JSON report nor saved scores; {EVALS_ADVICE}")
    name = escaped(path)
    saved_table, saved_options, _ = load_scores([Source(path)])
    baseline = Baseline(name, signature(saved_options), has_evals=True)
    baseline.check(options, is_read=False)
    systems = []
    for system in saved_table.systems.values():
        spelt = {metric.name: _spelt(metric.name, system.columns) for metric in metrics}
        if lacking := [metric for metric, known in spelt.items() if known not in system.columns]:
            raise InputError(f"{name}: no scores in {', '.join(lacking)}; make a new baseline")
        columns = {metric: system.columns[known] for metric, known in spelt.items()}
        earlier = {key: column.metric.is_lower_better for key, column in columns.items()}
        _check_directions(name, earlier, metrics)
        _check_range(name, system.id, columns)
        table = SystemTable(system.id, system.eval_ids, columns)
        systems.append(BaselineSystem(system.id, len(system.eval_ids), {}, table))
    return replace(baseline, systems=tuple(systems))


def _check_directions(
    name: str, earlier: Mapping[str, bool], metrics: Sequence[ScoredMetric]
) -> None:
    """Raise InputError for a metric whose direction differs between the runs.

    `earlier` says for each metric of the baseline whether lower scores are better.
    """
    for metric in metrics:
        if earlier.get(metric.name, metric.is_lower_better) != metric.is_lower_better:
            where = ("this run", "the baseline")
            has, lacks = where if metric.is_lower_better else where[::-1]
            raise InputError(
                f"{name}: lower {metric.name} is better in {has}, and not in {lacks}; give the "
                "same --lower-is-better, or make a new baseline"
            )


def _check_range(name: str, system: str, columns: Mapping[str, MetricColumn]) -> None:
    for metric, column in columns.items():
        lowest = -LARGEST if column.metric.is_single else 0.0
        odd = column.values[(column.values < lowest) | (column.values >= LARGEST)]
        if odd.size:
            kind = "a number" if column.metric.is_single else "a number from 0 on"
            raise InputError(
                f"{name}: {escaped(system)} {metric}: found {float(odd[0])!r}, expected {kind}; "
                "make a new baseline"
            )


def _parsed(data: bytes) -> Any:
    def refuse(constant: str) -> NoReturn:
        raise _MisfitError(f"found {constant}, which JSON does not have")

    try:
        return load_json(data, parse_constant=refuse)
    except json.JSONDecodeError as error:
        problem = f"line {error.lineno}, column {error.colno}: {error.msg}"
    except RecursionError:
        problem = "brackets nested too deeply"
    except RepeatedKeyError as error:
        raise _MisfitError(str(error)) from None
    except ValueError as error:
        problem = str(error)
    raise _MisfitError(f"no JSON: {problem}")


def _compared(wanted: str, metrics: Sequence[ScoredMetric]) -> Iterator[tuple[str, str]]:
    """Yield the metric and measure of each score to compare, in print order.

    A metric without any of the wanted measures is compared in all measures that it has.
    """
    for metric in metrics:
        letters = [letter for letter in metric.measures if letter in wanted]
        yield from ((metric.name, letter) for letter in letters or metric.measures)


def _system(
    entry: _Part,
    compared: Iterable[tuple[str, str]],
    directions: dict[str, bool],
    problems: list[str],
) -> BaselineSystem:
    system_id, n_evals = "", 0
    means: dict[tuple[str, str], Decimal] = {}
    try:
        system_id, _ = _member(entry, "id", "a string")
        n_evals, _ = _member(entry, "n_evals", "a whole number from 0 on")
        metrics = _member(entry, "metrics", "an object")
    except _MisfitError as misfit:
        problems.append(str(misfit))
        compared = ()
    for metric, letter in compared:
        kind = "a number" if letter == SINGLE_MEASURE else "a number from 0 on"
        try:
            scores = _member(metrics, _spelt(metric, metrics[0]), "an object")
            directions[metric] = bool(scores[0].get("lower_is_better", False))
            mean, _ = _member(_member(scores, MEASURE_NAMES[letter], "an object"), "mean", kind)
            means[metric, letter] = steady(mean)
        except _MisfitError as misfit:
            problems.append(str(misfit))
    return BaselineSystem(system_id or entry[1], n_evals, means)


def _spelt(metric: str, names: Iterable[str]) -> str:
    return next((name for name in names if _kind(name) == _kind(metric)), metric)


def _kind(metric: str) -> str:
    # The name of a metric without its number, which is as typed: 1.2 and 1.20 would not match.
    # Nothing is lost, since a run has one metric of each kind, and equal signatures imply equal
    # numbers.
    kind = re.match("ROUGE-(?:W-|SU?)", metric)
    return kind.group() if kind else metric


def steady(mean: float) -> Decimal:
    """Return a mean with 5 decimals, which do not depend on the order of addition."""
    # Otherwise the rounding error of the sum would decide near a tie of the fifth decimal.
    return printed(round(mean, SIGNIFICANT_DECIMALS))


def printed(score: float) -> Decimal:
    """Return a score with the 5 decimals that are printed."""
    return Decimal(f"{score:.5f}")


def _described(value: Any) -> str:
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    text = json.dumps(value)
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 3] + "..."
