"""Score tables from files that an earlier run saved: read, checked, and put in order.

See `rouge_cli.scoring.saved_scores` for what the files hold.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rouge_cli.errors import InputError, OptionError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.outside_scores import OutsideScores
from rouge_cli.inputs.source import Source, named_file, no_file
from rouge_cli.metrics.aggregation import Aggregation, FusedMeans
from rouge_cli.metrics.also import PooledScore, load_metric
from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.options.also import AlsoMetric
from rouge_cli.options.every import OPTIONS, Options
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.texts import TextOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scoring.joining import outside_table
from rouge_cli.scoring.json_reports import has_report
from rouge_cli.scoring.saved_scores import CLUSTER, HEADER_FILE, N_ROWS
from rouge_cli.scoring.score_files import ScoreFile, has_header, opened_files, score_files
from rouge_cli.scoring.score_rows import ScoreRows
from rouge_cli.scoring.score_table import ScoreTable
from rouge_cli.version import __version__

__all__ = ["LoadedScores", "is_saved", "load_scores", "saved_inputs", "without_texts"]


@dataclass(frozen=True, slots=True, eq=False)
class LoadedScores:
    """Scores that were read from files.

    Parameters
    ----------
    options : Options
        Those of the run that made them, as far as they move a score.
    warnings : tuple of str
        Of that run.
    """

    table: ScoreTable
    options: Options
    warnings: tuple[str, ...]


def is_saved(path: str) -> bool:
    """Say whether a file, or a folder of files, holds saved scores; False if it cannot be read."""
    try:
        names = score_files(path)
        if names and os.path.isfile(os.path.join(path, HEADER_FILE)):
            return True
        # A pipe can be read once, and by the layout that it is meant for.
        return bool(names) and os.path.isfile(names[0]) and _is_known(names[0])
    except OSError:
        return False


def _is_known(name: str) -> bool:
    """Say whether a file holds saved scores, or is a JSON report; raises OSError."""
    return has_header(name) or has_report(name)


def saved_inputs(source: Source) -> tuple[list[Source], str | None] | None:
    """Return the saved scores that are given, and the system to report; None for other inputs.

    Raises
    ------
    OptionError
        If texts stand beside saved scores, or a word is neither scores nor the only SYSTEM_ID.
    """
    if source.config is None:
        return None
    files, words = [], []
    for name, path in ((source.file_system, source.config), *map(named_file, source.others)):
        if is_saved(path):
            files.append(Source(path, file_system=name))
        else:
            words.append(path)
    if not files:
        return None
    mixed = [one for one in words if os.path.lexists(one) or one == source.config]
    if mixed:
        raise OptionError(
            f"{files[0].name} holds saved scores, and {escaped(mixed[0])} does not; give files of "
            "one kind"
        )
    if len(words) > 1 or (words and not source.takes_system):
        raise OptionError(no_file(words[0]))
    return files, words[0] if words else None


def load_scores(files: Sequence[Source]) -> LoadedScores:
    """Read saved scores and put them together.

    Parameters
    ----------
    files : sequence of Source
        Files, or folders of files, at least one. The name that the user gives to the system in a
        file takes the place of the one that it has there.

    Raises
    ------
    InputError
        If a file cannot be read or does not hold what it should, if files were scored in different
        ways, or if they have the same system and EVAL twice; the files are named.
    OptionError
        If several systems are to have one name.
    RougeError
        If one is Parquet and pyarrow is not installed.
    """
    opened = [one for given, file in enumerate(files) for one in opened_files(file, given)]
    first = opened[0].header
    for other in opened[1:]:
        _check_alike(opened[0], other)
    metrics = _metrics(first["metrics"])
    options = replace(
        Options.of(first["options"]).changed(
            sentences=first["sentences"], cluster=first.get(CLUSTER)
        ),
        explicit=frozenset(),
    ).knowing(
        scored_as=first["scored_as"],
        is_original=first.get("is_original", False),
        is_beyond_original=first.get("command") is None,
    )
    n_rows = sum(one.n_rows() for one in opened)
    rows = ScoreRows([system for one in opened for system in one.systems], n_rows)
    for one in opened:
        for part in one.parts():
            rows.add(part, one.given)
    table = rows.table(metrics)
    _check_complete(opened, table)
    _check_number(opened, rows)
    known = (warning for one in opened for warning in one.header["warnings"])
    return LoadedScores(table, options, tuple(dict.fromkeys((*known, *rows.warnings()))))


def _metrics(described: Sequence[Mapping[str, Any]]) -> tuple[ScoredMetric, ...]:
    """Return the metrics that a header describes."""
    metrics = []
    for one in described:
        metric = ScoredMetric(
            one["name"],
            tuple(one["measures"]),
            one["scale"],
            one.get("lower_is_better", False),
        )
        if (definition := one.get("aggregation")) is not None:
            metric = replace(metric, aggregation=_aggregation(one["name"], definition))
        metrics.append(metric)
    return tuple(metrics)


def _aggregation(name: str, definition: Mapping[str, Any]) -> Aggregation:
    """Return how the score of a system is made; raises OptionError and RougeError."""
    if "metric" not in definition:
        return FusedMeans.defined(definition)
    asked = AlsoMetric(definition["metric"])
    load_metric(asked)
    return PooledScore(asked, name, tuple(definition["statistics"]))


def without_texts(outside: OutsideScores, asked: Options) -> LoadedScores:
    """Return the systems and EVALs of a file of scores, as if they had been saved.

    Raises OptionError for options that say how texts are scored.
    """
    of_counts = ("formula", "alpha", "jackknife", "humans")
    for name in (*MetricOptions.options(), *TextOptions.options(), *of_counts):
        if name in asked.explicit:
            raise OptionError(
                f"{OPTIONS[name].spelling} is about texts, and there are none: --scores alone "
                "holds scores"
            )
    options = Options().knowing(scored_as=f"rouge-cli:{__version__}", is_beyond_original=True)
    return LoadedScores(outside_table(outside), options, ())


def _check_complete(opened: Sequence[ScoreFile], table: ScoreTable) -> None:
    """Refuse systems that a header names and no row is of, and no rows; raises InputError."""
    named = {system: one.name for one in reversed(opened) for system in one.systems}
    lost = [
        f"{escaped(named[system])}: no EVAL of system {escaped(system)}, which its header names; "
        "the file was cut short, or a part of the scores is missing"
        for system, one in table.systems.items()
        if not one.eval_ids
    ]
    if lost:
        raise InputError(lost)
    if not table.systems:
        raise InputError(f"{escaped(opened[0].name)}: no scores; expected at least one row")


def _check_number(opened: Sequence[ScoreFile], rows: ScoreRows) -> None:
    """Refuse more or fewer rows than there were records, if that is known; raises InputError."""
    promised = {one.given: one.header.get(N_ROWS) for one in opened}
    if None in promised.values():
        return
    expected = sum(filter(None, promised.values()))
    if rows.n_found != expected:
        raise InputError(
            f"{escaped(os.path.dirname(opened[0].name))}: found scores or errors of "
            f"{rows.n_found} records, expected {expected}, as {HEADER_FILE} says; parts are "
            "missing, or of another run"
        )


def _check_alike(first: ScoreFile, other: ScoreFile) -> None:
    """Refuse files that were scored in different ways; raises InputError."""
    for key in ("scored_as", "options", "metrics", "sentences", CLUSTER):
        if first.header.get(key) != other.header.get(key):
            raise InputError(
                f"{escaped(first.name)} and {escaped(other.name)} were not scored in the same way: "
                f"{first.header['signature']} and {other.header['signature']}; report each alone"
            )
