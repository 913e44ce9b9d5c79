"""Score tables in files: one run saves them, another reports them without scoring again.

A file is JSON lines or Parquet. Its header (the first line, or metadata of the schema) says how the
scores were computed; each row has the scores of one system in one EVAL. Rows may be in any order
and in any number of files with the same header. They are sorted by position or, if any row of a
system lacks one, by EVAL ID. A count of ROUGE-W that overflows, with a large weight, is "inf".
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from rouge_cli.atomic_files import new_file
from rouge_cli.errors import InputError, OptionError, first_of
from rouge_cli.escapes import escaped
from rouge_cli.inputs.evaluation import OutsideScores
from rouge_cli.inputs.source import Source, named_file, no_file
from rouge_cli.metrics.arithmetic import f_measure, rounded
from rouge_cli.metrics.counts import RPF, Aggregation, FusedMeans, ScoredMetric
from rouge_cli.metrics.external import PooledScore, load_metric
from rouge_cli.options.declaration import Step
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import AlsoMetric, MetricOptions
from rouge_cli.options.options import OPTIONS, Options
from rouge_cli.options.readers import Number
from rouge_cli.options.scores import BEST_F, ScoreOptions
from rouge_cli.options.texts import TextOptions
from rouge_cli.scores.columns import outside_table
from rouge_cli.scores.results import MetricColumn, Results, ScoreTable, SystemTable
from rouge_cli.scores.score_files import (
    CLUSTER,
    FORMAT,
    HEADER,
    HEADER_FILE,
    INFINITE,
    PARQUET,
    SEPARATOR,
    ScoreFile,
    holds_scores,
    import_pyarrow,
    opened_files,
    plain_options,
    score_files,
)
from rouge_cli.scores.score_rows import ScoreRows
from rouge_cli.scores.signature import original_command, scored_signature, signature
from rouge_cli.version import __version__

N_ROWS = "n_rows"  # header entry with the number of rows in all parts together


def check_package(path: str) -> None:
    """Raise RougeError if the package that writes the file is missing; called before scoring."""
    if path.lower().endswith(PARQUET):
        import_pyarrow(path)


def save_scores(
    results: Results,
    path: str,
    open_file: Callable[[str], AbstractContextManager[BinaryIO]] = new_file,
) -> None:
    """Write the score table of a run to .jsonl or .parquet, completely or not at all.

    `open_file` opens the file; it may write it together with other outputs. Raises InputError if
    the file cannot be written, or if Parquet cannot hold an ID; and RougeError if it is Parquet and
    pyarrow is not installed.
    """
    table = results.table
    systems = list(table.systems.values())
    metrics: list[tuple[ScoredMetric, Sequence[str]]] = []
    for metric in table.metrics:
        counts = systems[0].columns[metric.name].counts if systems else None
        metrics.append((metric, [] if counts is None else list(counts.arrays())))
    header = score_header(results.options, metrics, list(table.systems), results.warnings)
    if path.lower().endswith(PARQUET):
        _write_parquet(table, header, path, open_file)
        return
    with open_file(path) as file:
        file.write(_line({HEADER: header}))
        for system in systems:
            file.writelines(_lines(system, table.clusters))


def score_header(
    options: Options,
    metrics: Sequence[tuple[ScoredMetric, Sequence[str]]],
    systems: Sequence[str] = (),
    warnings: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the header of saved scores: how they were computed, and their metrics.

    `metrics` come with the names of their counts, which are empty for metrics that do not count.
    `systems` are in print order; in a report, systems that are missing here follow in byte order.
    """
    return {
        "format": FORMAT,
        "version": __version__,
        "signature": signature(options),
        "scored_as": scored_signature(options),
        "command": original_command(options),
        "is_original": options.input_facts.is_original,
        "options": plain_options(options),
        "sentences": options.inputs.sentences,
        "cluster": options.inputs.cluster,
        "metrics": [_metric(metric, counts) for metric, counts in metrics],
        "systems": list(systems),
        "warnings": list(warnings),
    }


def _metric(metric: ScoredMetric, counts: Sequence[str]) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "name": metric.name,
        "measures": list(metric.measures),
        "scale": metric.scale,
        "counts": list(counts),
    }
    if metric.is_lower_better:
        entry["lower_is_better"] = True
    if metric.aggregation is not None:
        entry["aggregation"] = metric.aggregation.definition
        entry["statistics"] = list(metric.statistics)
    return entry


def write_header(header: Mapping[str, Any], folder: str, n_rows: int | None = None) -> None:
    """Write the common header of the parts in a folder, completely or not at all.

    `header` comes from `score_header`. `n_rows` is the number of rows in all parts together; None
    if it is unknown. Raises InputError if the file cannot be written.
    """
    number = {} if n_rows is None else {N_ROWS: n_rows}
    with new_file(os.path.join(folder, HEADER_FILE)) as file:
        file.write(_line({HEADER: {**header, **number}}))


def _line(value: Any) -> bytes:
    return json.dumps(value, allow_nan=False).encode() + b"\n"


def _lines(system: SystemTable, clusters: Mapping[str, str]) -> Iterator[bytes]:
    fields = {
        name: [(key, _numbers(values)) for key, values in column.arrays().items()]
        for name, column in system.columns.items()
    }
    for position, eval_id in enumerate(system.eval_ids):
        row: dict[str, Any] = {"system": system.id, "eval": eval_id, "position": position}
        if clusters:
            row[CLUSTER] = clusters[eval_id]
        for name, arrays in fields.items():
            row[name] = {key: values[position] for key, values in arrays}
        yield _line(row)


def _numbers(values: NDArray[Any]) -> list[Any]:
    # JSON has no infinity, which a count of ROUGE-W may be.
    numbers: list[Any] = values.tolist()
    if values.dtype.kind == "i" or not (values == np.inf).any():
        return numbers
    return [INFINITE if number == np.inf else number for number in numbers]


def _write_parquet(
    table: ScoreTable,
    header: Mapping[str, Any],
    path: str,
    open_file: Callable[[str], AbstractContextManager[BinaryIO]],
) -> None:
    pyarrow, parquet = import_pyarrow(path)
    systems = list(table.systems.values())
    ids = [system.id for system in systems for _ in system.eval_ids]
    eval_ids = [eval_id for system in systems for eval_id in system.eval_ids]
    names = (*table.systems, *eval_ids)
    if odd := [name for name in names if any("\ud800" <= letter <= "\udfff" for letter in name)]:
        raise InputError(
            f"{path}: Parquet stores only Unicode, and the ID {escaped(odd[0])} has a byte that is "
            "not UTF-8; save the scores as .jsonl"
        )
    columns: dict[str, Any] = {
        "system": pyarrow.array(ids, pyarrow.string()),
        "eval": pyarrow.array(eval_ids, pyarrow.string()),
        "position": np.concatenate([np.arange(len(system.eval_ids)) for system in systems]),
    }
    if table.clusters:
        clusters = [table.clusters[eval_id] for eval_id in eval_ids]
        columns[CLUSTER] = pyarrow.array(clusters, pyarrow.string())
    for metric in table.metrics:
        by_key: dict[str, list[NDArray[Any]]] = {}
        for system in systems:
            for key, values in system.columns[metric.name].arrays().items():
                by_key.setdefault(key, []).append(values)
        columns |= {
            f"{metric.name}{SEPARATOR}{key}": _plain_array(np.concatenate(parts))
            for key, parts in by_key.items()
        }
    arrow_table = pyarrow.table(columns).replace_schema_metadata({HEADER: json.dumps(header)})
    with open_file(path) as file:
        parquet.write_table(arrow_table, file)


def _plain_array(values: NDArray[Any]) -> Any:
    # Python's integers may exceed 64 bits, so they are written as text.
    if values.dtype == object:
        return [repr(value) for value in values.tolist()]
    return values.astype(np.int64) if values.dtype == np.int32 else values


# Options that are fixed once the scores of EVALs are saved, and those that may still change.
FIXED = tuple(name for name, declared in OPTIONS.items() if declared.step == Step.EVALS)
CHANGEABLE = tuple(
    name for name, declared in ScoreOptions.options().items() if declared.step > Step.EVALS
)


SavedScores = tuple[ScoreTable, Options, tuple[str, ...]]
"""Scores that were read from files; the options of the run that saved them, as far as they affect
scores; and the warnings of that run, followed by those of reading."""


def scores_to_report(
    table: ScoreTable, saved: Options, system_id: str | None, asked: Options
) -> tuple[ScoreTable, Options]:
    """Return the saved scores of the systems to report, and the options of the report.

    Explicit options of `asked` replace those with which the scores were saved. Raises OptionError
    for options that need texts, or counts other than the saved ones.
    """
    options = _asked_options(saved, asked)
    if system_id is not None and system_id not in table.systems:
        raise OptionError(
            f"no system {system_id!r} among the saved scores; known are: {', '.join(table.systems)}"
        )
    if system_id is not None and not asked.inputs.all:
        table = replace(table, systems={system_id: table.systems[system_id]})
    if options.scores.alpha.value != saved.scores.alpha.value:
        table = _with_alpha(table, options, saved.scores.alpha)
    return table, options


def is_saved(path: str) -> bool:
    """Return whether a file, or a folder of files, holds saved scores.

    False if it is missing or not readable, which the reader of its layout then reports. Raises
    InputError if reading fails, since the next attempt might find something else.
    """
    try:
        names = score_files(path)
        if names and os.path.isfile(os.path.join(path, HEADER_FILE)):
            return True
        # A pipe can be read only once, so it is left to the reader of its layout.
        return bool(names) and os.path.isfile(names[0]) and holds_scores(names[0])
    except (FileNotFoundError, PermissionError, NotADirectoryError):
        return False
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{escaped(path)}: cannot be read: {reason}") from None


def saved_inputs(source: Source) -> tuple[list[Source], str | None] | None:
    """Return the files of saved scores in the input, and the system to report, if any.

    Returns None if the input has no saved scores. Raises OptionError if texts are mixed with saved
    scores, or if a word is neither a file nor the SYSTEM_ID; and InputError as `is_saved` does.
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
    mixed = [word for word in words if os.path.lexists(word) or word == source.config]
    if mixed:
        raise OptionError(
            f"{files[0].name} holds saved scores, and {escaped(mixed[0])} does not; give files of "
            "one kind"
        )
    if len(words) > 1 or (words and not source.takes_system):
        raise OptionError(no_file(words[0]))
    return files, words[0] if words else None


def load_scores(files: Sequence[Source]) -> SavedScores:
    """Read saved scores from one or more files, or folders of files, and combine them.

    The user's name for the system of a file replaces the one in the file.

    Raises InputError, which names the files, if one is unreadable or malformed, if they were scored
    in different ways, or if they repeat a system in an EVAL; OptionError if the user gives one name
    to several systems; and RougeError if a file is Parquet and pyarrow is not installed.
    """
    opened = [part for number, file in enumerate(files) for part in opened_files(file, number)]
    first = opened[0].header
    for other in opened[1:]:
        _check_alike(opened[0], other)
    metrics = _metrics(first["metrics"])
    options = replace(
        Options.of(first["options"]).changed(
            sentences=first["sentences"], cluster=first.get(CLUSTER)
        ),
        explicit=frozenset(),
    ).with_input_facts(
        scored_as=first["scored_as"],
        is_original=first.get("is_original", False),
        is_beyond_original=first.get("command") is None,
    )
    rows = ScoreRows([system for file in opened for system in file.systems])
    for file in opened:
        for part in file.parts():
            rows.add(part, file.name, file.input_number)
    table = rows.table(metrics)
    _check_scored(opened, rows)
    _check_complete(opened, table)
    _check_number(opened, rows)
    warnings = [warning for file in opened for warning in file.header["warnings"]]
    return table, options, tuple(dict.fromkeys((*warnings, *rows.warnings())))


def _metrics(described: Sequence[Mapping[str, Any]]) -> tuple[ScoredMetric, ...]:
    metrics = []
    for entry in described:
        metric = ScoredMetric(
            entry["name"],
            tuple(entry["measures"]),
            entry["scale"],
            entry.get("lower_is_better", False),
        )
        if (definition := entry.get("aggregation")) is not None:
            aggregation: Aggregation
            # Either pooled counts of another package's metric, or fused means.
            if "metric" in definition:
                asked = AlsoMetric(definition["metric"])
                load_metric(asked)
                aggregation = PooledScore(asked, metric.name, tuple(definition["statistics"]))
            else:
                aggregation = FusedMeans.defined(definition)
            metric = replace(metric, aggregation=aggregation)
        metrics.append(metric)
    return tuple(metrics)


def without_texts(outside: OutsideScores, asked: Options) -> SavedScores:
    """Return the systems and EVALs of external scores as if a run had saved them.

    The table has no metrics yet, since external scores are added later. Raises OptionError for
    options of how texts are scored.
    """
    for name in (*MetricOptions.options(), *TextOptions.options(), *ScoreOptions.options()):
        if name in asked.explicit and OPTIONS[name].step <= Step.F_MEASURE:
            raise OptionError(
                f"{OPTIONS[name].spelling} is about texts, and there are none: --add scores alone "
                "holds scores"
            )
    options = Options().with_input_facts(
        scored_as=f"rouge-cli:{__version__}", is_beyond_original=True
    )
    return outside_table(outside), options, ()


def _check_scored(opened: Sequence[ScoreFile], rows: ScoreRows) -> None:
    if rows.n_failed and rows.n_found == rows.n_failed:
        name = escaped(opened[0].name)
        reasons = Counter(failed.reason for failed in rows.failed).most_common()
        lines = [
            f"{name}: {escaped(reason)} ({count} record{'s' * (count > 1)})"
            for reason, count in reasons
        ]
        problem = f"{name}: none of {rows.n_failed} records could be scored; the reasons follow"
        raise InputError([problem, *first_of(lines, "", " of these reasons")])


def _check_complete(opened: Sequence[ScoreFile], table: ScoreTable) -> None:
    # A header names its systems, so one without rows shows that a file or a part is incomplete.
    file_of = {system: file.name for file in reversed(opened) for system in file.systems}
    lost = [
        f"{escaped(file_of[system])}: no text of system {escaped(system)}, which its header names; "
        "the file was cut short, or a part of the scores is missing"
        for system, scores in table.systems.items()
        if not scores.eval_ids
    ]
    if lost:
        raise InputError(lost)
    if not table.systems:
        raise InputError(f"{escaped(opened[0].name)}: no scores; expected at least one row")


def _check_number(opened: Sequence[ScoreFile], rows: ScoreRows) -> None:
    # Only folders whose header was written after all parts say how many records there are.
    promised = {file.input_number: file.header.get(N_ROWS) for file in opened}
    if None in promised.values():
        return
    expected = sum(filter(None, promised.values()))
    if rows.n_found == expected:
        return
    mismatch = (
        f"{escaped(os.path.dirname(opened[0].name))}: found scores or errors of {rows.n_found} "
        f"records, expected {expected}, as {HEADER_FILE} says; "
    )
    # Records with one ID look like the rows of retried tasks, so the likely reason is named.
    if rows.n_found + rows.n_dropped == expected:
        duplicates = "1 duplicate" if rows.n_dropped == 1 else f"{rows.n_dropped} duplicates"
        raise InputError(
            f"{mismatch}{duplicates} of the same system and text counted once; expected an ID of "
            "its own for each record"
        )
    raise InputError(f"{mismatch}parts are missing, or of another run")


def _check_alike(first: ScoreFile, other: ScoreFile) -> None:
    for key in ("scored_as", "options", "metrics", "sentences", CLUSTER):
        if first.header.get(key) != other.header.get(key):
            raise InputError(
                f"{escaped(first.name)} and {escaped(other.name)} were not scored in the same way: "
                f"{first.header['signature']} and {other.header['signature']}; report each alone"
            )


def _asked_options(saved: Options, asked: Options) -> Options:
    for_texts = [name for name in InputOptions.options() if name in asked.explicit]
    if "cluster" in for_texts and asked.inputs.cluster != saved.inputs.cluster:
        raise OptionError(
            f"--cluster: found {_written(asked.inputs.cluster)}, but the scores were saved with "
            f"{_written(saved.inputs.cluster)}; score the texts again to change it"
        )
    for name in for_texts:
        if OPTIONS[name].step == Step.TEXTS:
            raise OptionError(
                f"{OPTIONS[name].spelling} is about texts, and the input holds saved scores"
            )
    known, wanted = saved.values(), asked.values()
    for name in FIXED:
        if name in asked.explicit and wanted[name] != known[name]:
            raise OptionError(
                f"{OPTIONS[name].spelling}: found {_written(wanted[name])}, but the scores were "
                f"saved with {_written(known[name])}; score the texts again to change it"
            )
    changes = {name: wanted[name] for name in CHANGEABLE if name in asked.explicit}
    averaged = saved.changed(**changes)
    options = replace(
        averaged,
        joined=asked.joined,
        reports=asked.reports,
        pages=asked.pages,
        thresholds=asked.thresholds,
        run=asked.run,
        explicit=asked.explicit,
    )
    options = options.with_input_facts(external_metrics=asked.input_facts.external_metrics)
    options.check()
    return options


def _written(value: object) -> str:
    if value is None or isinstance(value, bool):
        return "nothing" if value is None else "'on'" if value else "'off'"
    return repr(value.text if isinstance(value, Number) else str(value))


def _with_alpha(table: ScoreTable, options: Options, saved: Number) -> ScoreTable:
    # F follows from recall and precision, unless it was averaged or chose the model.
    if options.scores.jackknife or options.scores.formula == BEST_F:
        reason = "jackknifing averages F" if options.scores.jackknife else "F chose the references"
        raise OptionError(
            f"-p/--alpha: the scores were saved with {_written(saved)}, and "
            f"{reason} of each text; score the texts again to change it"
        )
    alpha = options.scores.alpha.value

    def changed(column: MetricColumn) -> MetricColumn:
        if column.metric.measures != RPF or column.counts is None:
            return column
        recall, precision, _ = column.values
        f = rounded(f_measure(recall, precision, alpha))
        return replace(column, scores=np.stack((recall, precision, f)))

    systems = {}
    for system in table.systems.values():
        columns = {name: changed(column) for name, column in system.columns.items()}
        systems[system.id] = replace(system, columns=columns)
    return replace(table, systems=systems)
