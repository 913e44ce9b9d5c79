"""Score tables in files: saved by one run, reported again by another without scoring again.

A file is JSON lines or Parquet. Its header, the first line or the metadata of the schema, says how
the scores were made; each row has the scores of one system in one EVAL. Rows may stand in any
order and in any number of files with the same header: what is read is put in order by position,
or, where rows have none, by the ID of the EVAL. A count of ROUGE-W with a large weight may be
beyond all numbers: it is the string "inf".
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.atomic_files import new_file
from rouge_cli.errors import InputError, RougeError
from rouge_cli.escapes import escaped
from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.options.declaration import Number
from rouge_cli.options.every import Options
from rouge_cli.options.language_tags import function_name
from rouge_cli.scoring.results import Results
from rouge_cli.scoring.score_table import MetricColumn, ScoreTable, SystemTable
from rouge_cli.scoring.signature import original_command, scored_signature, signature
from rouge_cli.version import __version__

__all__ = [
    "CLUSTER",
    "ERRORS",
    "FORMAT",
    "HEADER",
    "HEADER_FILE",
    "INFINITE",
    "N_ROWS",
    "SEPARATOR",
    "import_pyarrow",
    "plain_options",
    "save_scores",
    "score_header",
    "write_header",
]

FORMAT = 1
HEADER = "rouge_cli_scores"
CLUSTER = "cluster"
"""The field with the cluster of the EVAL, where there are clusters."""

ERRORS = "errors"
"""The column that says why a record has no scores, where records without are kept."""

HEADER_FILE = f"_{HEADER}.json"
"""The header of all parts in a folder, where what wrote them can write no metadata."""

N_ROWS = "n_rows"
"""The entry of a header that says how many rows there have to be in all parts."""

SEPARATOR = "/"
"""Between the name of a metric and that of a count or measure, in the names of columns."""

INFINITE = "inf"
"""Stands for a count that is too large for a number."""


def save_scores(results: Results, path: str) -> None:
    """Write the score table of a run, whole or not at all.

    Parameters
    ----------
    path : str
        Ends in ``.jsonl`` or ``.parquet``.

    Raises
    ------
    InputError
        If the file cannot be written, or Parquet cannot hold an ID.
    RougeError
        If it is Parquet and pyarrow is not installed.
    """
    table = results.table
    metrics = [(metric, _count_names(table, metric.name)) for metric in table.metrics]
    header = score_header(results.options, metrics, list(table.systems), results.warnings)
    if path.lower().endswith(".parquet"):
        _write_parquet(results.table, header, path)
        return
    with new_file(path) as file:
        file.write(_line({HEADER: header}))
        for system in results.table.systems.values():
            file.writelines(_lines(system, results.table.clusters))


def plain_options(options: Options) -> dict[str, Any]:
    """Return the options that move a score and are not as by default, as JSON holds them."""
    return {
        name: _plain_option(value)
        for group in (options.metrics, options.texts, options.scores)
        for name, value in group.values().items()
        if name in group.given()
    }


def score_header(
    options: Options,
    metrics: Sequence[tuple[ScoredMetric, Sequence[str]]],
    systems: Sequence[str] = (),
    warnings: Sequence[str] = (),
) -> dict[str, Any]:
    """Return what there is to know of scores besides themselves.

    Parameters
    ----------
    metrics : sequence of ScoredMetric and sequence of str
        Each with the names of what it counts, none if it does not count.
    systems : sequence of str
        In the order of print; what is not known here comes behind, in byte order.
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
    """Return what there is to know of a metric."""
    found: dict[str, Any] = {
        "name": metric.name,
        "measures": list(metric.measures),
        "scale": metric.scale,
        "counts": list(counts),
    }
    if metric.is_lower_better:
        found["lower_is_better"] = True
    if metric.aggregation is not None:
        found["aggregation"] = metric.aggregation.definition
        found["statistics"] = list(metric.statistics)
    return found


def write_header(header: Mapping[str, Any], folder: str, n_rows: int | None = None) -> None:
    """Write the header of the parts in a folder, whole or not at all.

    Parameters
    ----------
    header : mapping of str to object
        As `score_header` returns it.
    n_rows : int or None
        How many rows the parts have to have together; None if nobody knows.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    promised = {} if n_rows is None else {N_ROWS: n_rows}
    with new_file(os.path.join(folder, HEADER_FILE)) as file:
        file.write(_line({HEADER: {**header, **promised}}))


def _plain_option(value: Any) -> Any:
    """Return a number as typed, and the name of a function."""
    if callable(value):
        return function_name(value)
    return value.text if isinstance(value, Number) else value


def _count_names(table: ScoreTable, metric: str) -> list[str]:
    """Return the names of what a metric counts; none if it does not count."""
    columns = [system.columns[metric].counts for system in table.systems.values()]
    return list(columns[0].arrays()) if columns and columns[0] is not None else []


def _line(value: Any) -> bytes:
    """Return a value as a line of JSON; ASCII, so that any ID stands in it."""
    return json.dumps(value, allow_nan=False).encode() + b"\n"


def _lines(system: SystemTable, clusters: Mapping[str, str]) -> Iterator[bytes]:
    """Yield a line for each EVAL of a system."""
    fields = {
        name: [(key, _numbers(values)) for key, values in _arrays(column)]
        for name, column in system.columns.items()
    }
    for place, eval_id in enumerate(system.eval_ids):
        row: dict[str, Any] = {"system": system.id, "eval": eval_id, "position": place}
        if clusters:
            row[CLUSTER] = clusters[eval_id]
        for name, arrays in fields.items():
            row[name] = {key: values[place] for key, values in arrays}
        yield _line(row)


def _numbers(values: NDArray[Any]) -> list[Any]:
    """Return values as JSON holds them; infinity, as a count of ROUGE-W may be, is text."""
    numbers: list[Any] = values.tolist()
    if values.dtype.kind == "i" or not (values == np.inf).any():
        return numbers
    return [INFINITE if number == np.inf else number for number in numbers]


def _arrays(column: MetricColumn) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield counts and measures of a column with their names."""
    if column.counts is not None:
        yield from column.counts.arrays().items()
    yield from column.statistics.items()
    yield from zip(column.metric.measures, column.values, strict=True)


def _write_parquet(table: ScoreTable, header: Mapping[str, Any], path: str) -> None:
    """Write a score table as Parquet, a column for each count and measure."""
    pyarrow, parquet = import_pyarrow(path)
    systems = list(table.systems.values())
    ids = [system.id for system in systems for _ in system.eval_ids]
    eval_ids = [eval_id for system in systems for eval_id in system.eval_ids]
    if odd := [one for one in (*table.systems, *eval_ids) if not _is_unicode(one)]:
        raise InputError(
            f"{path}: Parquet holds Unicode only, and the ID {escaped(odd[0])} has a byte that is "
            "no UTF-8; save the scores as .jsonl"
        )
    columns: dict[str, Any] = {
        "system": pyarrow.array(ids, pyarrow.string()),
        "eval": pyarrow.array(eval_ids, pyarrow.string()),
        "position": np.concatenate([np.arange(len(one.eval_ids)) for one in systems]),
    }
    if table.clusters:
        clusters = [table.clusters[one] for one in eval_ids]
        columns[CLUSTER] = pyarrow.array(clusters, pyarrow.string())
    for metric in table.metrics:
        by_key: dict[str, list[NDArray[Any]]] = {}
        for system in systems:
            for key, values in _arrays(system.columns[metric.name]):
                by_key.setdefault(key, []).append(values)
        columns |= {
            f"{metric.name}{SEPARATOR}{key}": _plain_array(np.concatenate(parts))
            for key, parts in by_key.items()
        }
    made = pyarrow.table(columns)
    made = made.replace_schema_metadata({HEADER: json.dumps(header)})
    with new_file(path) as file:
        parquet.write_table(made, file)


def _plain_array(values: NDArray[Any]) -> Any:
    """Return values as Parquet holds them; Python's ints and floats beyond 63 bits are text."""
    return values if values.dtype != object else [repr(value) for value in values.tolist()]


def _is_unicode(text: str) -> bool:
    """Say whether a name is whole Unicode, without a byte that stands for itself."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def import_pyarrow(path: str) -> tuple[Any, Any]:
    """Import pyarrow, or say how to install it; raises RougeError."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise RougeError(
            f"{path}: Parquet needs pyarrow, which is not installed: "
            "python -m pip install 'rouge-cli[parquet]', or save the scores as .jsonl"
        ) from None
    return pyarrow, parquet
