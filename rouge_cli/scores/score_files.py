"""Readers of saved scores, which yield the header of a file, and its rows in parts.

A file is JSON lines or Parquet, in the format that `rouge_cli.scores.saved_scores` describes, or a
JSON report with the scores of each EVAL, from which header and rows are derived.
"""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, OptionError, RougeError, missing_package
from rouge_cli.escapes import escaped
from rouge_cli.inputs.files import FileState, check_growth, state_of, unchanged
from rouge_cli.inputs.records.json_rows import RepeatedKeyError, load_json
from rouge_cli.inputs.source import Source
from rouge_cli.metrics.arithmetic import number_array
from rouge_cli.metrics.counts import SHARES
from rouge_cli.options.options import OPTIONS, Options
from rouge_cli.options.readers import Number
from rouge_cli.options.scores import MEASURE_NAMES
from rouge_cli.options.texts import function_name
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.score_rows import FailedRow, Key, PartRows, many

FORMAT = 1
HEADER = "rouge_cli_scores"  # key of the header, in the first line or in the metadata of a schema
CLUSTER = "cluster"  # field with the cluster of an EVAL, if there are clusters
ERRORS = "errors"  # column with the reason why a record has no scores, if such records are kept

HEADER_FILE = f"_{HEADER}.json"
"""File with the header of all parts in a folder, for engines that cannot write metadata."""

SEPARATOR = "/"  # stands between metric and count or measure in the name of a Parquet column
INFINITE = "inf"  # the text that replaces a count that has overflowed
OPENING = f'{{"{HEADER}"'.encode()
REPORT_OPENING = re.compile(rb'\s*\{\s*"program"\s*:\s*"rouge-cli"')
LONGEST_OPENING = 1 << 10
SUFFIXES = (".jsonl", ".parquet", ".json")
PARQUET = ".parquet"
LARGEST_FOOTER = 1 << 20

ROWS_AT_A_TIME = 1 << 16

MALFORMED = (KeyError, TypeError, ValueError, AttributeError, RecursionError)
"""Errors that reading JSON raises if it is broken, nested too deeply, or not saved scores."""

NO_HEADER, NO_SCORES = "line 1: no header of saved scores", "no saved scores"

ADVICE = "expected a report of score, written with --report json and -d"
# Matches the start of the part of a signature that concerns averages.
AVERAGES = re.compile(r"(?:\|alpha:[^|]*)?\|count:")
LETTERS = {name: letter for letter, name in MEASURE_NAMES.items()}
COUNTS = {"hit": "hit", "model": "model_count", "peer": "peer_count", "peer_hit": "peer_hit"}
WHOLE_IN_DOUBLES = 1 << 53  # all integers up to this size are exact in doubles


Header = Mapping[str, Any]
Read = Callable[[], Iterator[PartRows]]


@dataclass(frozen=True, slots=True, eq=False)
class ScoreFile:
    """A file of saved scores whose header has been read.

    - `input_number`: the number of the input to which the file belongs.
    - `system`: the user's name for its only system, if any.
    - `state`: the state of the file before it was read, to notice changes.
    - `read`: yields the rows; raises OSError, UnicodeDecodeError, InputError and RougeError.
    """

    name: str
    input_number: int
    system: str | None
    state: FileState
    header: Header
    read: Read

    @property
    def systems(self) -> list[str]:
        """The systems that the header declares, or else the one that the user names."""
        return self.header["systems"] if self.system is None else [self.system]

    def parts(self) -> Iterator[PartRows]:
        """Yield the rows in parts; raises InputError, OptionError and RougeError."""
        names: set[str] = set()
        with unchanged(self.name, escaped(self.name), {self.name: self.state}):
            try:
                for part in self.read():
                    ids = (*part.systems, *part.eval_ids)
                    if odd := [name for name in ids if not isinstance(name, str)]:
                        raise InputError(
                            f"{escaped(self.name)}: found {odd[0]!r} as a system or text, expected "
                            "a string"
                        )
                    if self.system is None:
                        yield part
                        continue
                    names |= set(part.systems)
                    _check_one_system(self.system, self.name, sorted(names))
                    yield replace(part, systems=[self.system] * len(part.systems))
            except (OSError, UnicodeDecodeError) as error:
                raise _unreadable(self.name, error) from None


def opened_files(source: Source, input_number: int) -> list[ScoreFile]:
    """Read the header of a file, or of each file in a folder; raises OptionError, InputError."""
    path, system = source.config or "", source.file_system
    shared = os.path.join(path, HEADER_FILE)
    shared_header = _line_header(shared) if os.path.isfile(shared) else None
    opened = []
    for name in score_files(path):
        try:
            state, is_report = state_of(name), _is_report(name)
        except OSError as error:
            raise _unreadable(name, error) from None
        if is_report:
            # A report is read as a whole, since its header depends on all of it.
            header, rows = _read_report(name)
            read: Read = partial(iter, [rows])
        elif name.endswith(PARQUET):
            header = shared_header or _parquet_header(name)
            _check_header(name, header, NO_SCORES)
            read = partial(_parquet_rows, name, header)
        else:
            header = shared_header or _line_header(name)
            _check_header(name, header, NO_HEADER)
            read = partial(_line_rows, name, header)
        opened.append(ScoreFile(name, input_number, system, state, header, read))
    if system is not None:
        known = dict.fromkeys(name for part in opened for name in part.header["systems"])
        _check_one_system(system, source.name, list(known))
    return opened


def score_files(path: str) -> list[str]:
    """Return the file itself or, for a folder, the files in it that may hold scores, by name.

    Hidden files and those that start with an underscore are left out, as engines do.
    """
    if not os.path.isdir(path):
        return [path]
    names = sorted(name for name in os.listdir(path) if name.endswith(SUFFIXES))
    return [os.path.join(path, name) for name in names if not name.startswith((".", "_"))]


def holds_scores(name: str) -> bool:
    """Return whether a file holds saved scores or a JSON report; raises OSError."""
    return has_header(name) or _is_report(name)


def has_header(name: str) -> bool:
    """Return whether a file has a header of saved scores; raises OSError.

    It is at the start of JSON lines and, in the schema, at the end of Parquet.
    """
    with open(name, "rb") as file:
        if not name.endswith(PARQUET):
            return file.read(len(OPENING)) == OPENING
        # Without pyarrow, which may be missing: the schema is in the footer, at the end.
        file.seek(max(0, os.path.getsize(name) - LARGEST_FOOTER))
        return HEADER.encode() in file.read()


def _is_report(name: str) -> bool:
    with open(name, "rb") as file:
        return REPORT_OPENING.match(file.read(LONGEST_OPENING)) is not None


def _check_one_system(name: str, file: str, known: Sequence[str]) -> None:
    if len(known) > 1:
        raise OptionError(
            f"{name}={file}: there are several systems, {', '.join(map(escaped, known))}; "
            "NAME=FILE is for scores of one"
        )


def _check_header(name: str, header: Any, problem: str) -> None:
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        version = header.get("format") if isinstance(header, dict) else header
        raise InputError(
            f"{escaped(name)}: saved scores of format {version!r}, expected {FORMAT}; they come "
            "from another version of this program"
        )
    try:
        for key in ("signature", "scored_as", "options", "sentences", "systems", "warnings"):
            header[key]
        for metric in header["metrics"]:
            _ = metric["name"]
        _keys(header)
    except (KeyError, TypeError) as error:
        raise InputError(f"{escaped(name)}: {problem}: {_reason(error)}") from None


def _keys(header: Header) -> list[Key]:
    return [
        (metric["name"], key)
        for metric in header["metrics"]
        for key in (*metric["counts"], *metric.get("statistics", ()), *metric["measures"])
    ]


def _unreadable(name: str, error: Exception) -> InputError:
    reason = getattr(error, "strerror", None) or str(error)
    return InputError(f"{escaped(name)}: cannot be read as saved scores: {reason}")


def _reason(error: Exception) -> str:
    if isinstance(error, RepeatedKeyError):
        return "; ".join(error.texts.values())
    return f"no {error}" if isinstance(error, KeyError) else str(error)


def _number(value: Any, name: str, infinite: str | None) -> float:
    """Return a count or measure if it is a finite number; otherwise raise ValueError.

    `infinite` is the text that represents infinity. Only counts may be infinite.
    """
    if value == infinite and name not in MEASURE_NAMES:
        return np.inf
    if type(value) is int or (type(value) is float and np.isfinite(value)):
        return float(value) if isinstance(value, float) else value
    raise ValueError(f"found {value!r}, expected a number")


def _array(numbers: Sequence[float]) -> NDArray[Any]:
    """Return numbers as float64 or int64, or as objects if they are mixed or beyond 63 bits."""
    if all(isinstance(number, float) for number in numbers):
        return np.array(numbers, np.float64)
    return number_array(numbers)


def plain_options(options: Options) -> dict[str, Any]:
    """Return the options that affect scores and are not at their defaults, as values of JSON."""
    plain: dict[str, Any] = {}
    for group in (options.metrics, options.texts, options.scores):
        given = group.given()
        for name, value in group.values().items():
            if name in given:
                written = function_name(value) if callable(value) else value
                plain[name] = written.text if isinstance(written, Number) else written
    return plain


def import_pyarrow(path: str) -> tuple[Any, Any]:
    """Import pyarrow; raises RougeError with the command that installs it."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        remedy = "python -m pip install pyarrow, or save the scores as .jsonl"
        raise RougeError(missing_package(error, f"{path}: Parquet needs pyarrow", remedy)) from None
    return pyarrow, parquet


# JSON lines.


def _line_header(name: str) -> Any:
    try:
        with open(name, encoding="utf-8") as file:
            return load_json(file.readline())[HEADER]
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(name, error) from None
    except MALFORMED as error:
        raise InputError(f"{escaped(name)}: {NO_HEADER}: {_reason(error)}") from None


def _line_rows(name: str, header: Header) -> Iterator[PartRows]:
    problems: list[str] = []
    # Parts of a folder with a common header need none of their own.
    n_before = int(has_header(name))
    with open(name, encoding="utf-8") as lines:
        numbered = islice(enumerate(lines, 1), n_before, None)
        while chunk := list(islice(numbered, ROWS_AT_A_TIME)):
            part, malformed = _part_of_lines(chunk, header)
            # Reading goes on, so that the error names all malformed lines.
            problems += malformed
            if not problems:
                yield part
    if problems:
        raise InputError(many(f"{escaped(name)}: lines that are no saved scores", problems))


def _part_of_lines(lines: Sequence[tuple[int, str]], header: Header) -> tuple[PartRows, list[str]]:
    keys = _keys(header)
    rows, failed, malformed = [], [], []
    for number, line in lines:
        try:
            fields = load_json(line)
            if (reason := fields.get(ERRORS)) is not None:
                failed.append(FailedRow(fields["system"], fields["eval"], str(reason)))
                continue
            numbers = [_number(fields[metric][key], key, INFINITE) for metric, key in keys]
            position = fields.get("position")
            if position is not None and type(position) is not int:
                raise ValueError(f"found {position!r} as a position, expected a whole number")
            rows.append((fields["system"], fields["eval"], fields.get(CLUSTER), position, *numbers))
        except MALFORMED as error:
            malformed.append(f"line {number}: {_reason(error)}")
    systems, eval_ids, clusters, positions, *columns = (
        map(list, zip(*rows, strict=True)) if rows else ([] for _ in range(4 + len(keys)))
    )
    part = PartRows(
        systems,
        eval_ids,
        None if header.get(CLUSTER) is None else clusters,
        None if None in positions else np.array(positions, np.int64),
        {key: _array(values) for key, values in zip(keys, columns, strict=True)},
        failed,
    )
    return part, malformed


# Parquet.


@contextmanager
def _opened_parquet(name: str) -> Iterator[Any]:
    """Open a ``pyarrow.parquet.ParquetFile``; raises InputError and RougeError."""
    pyarrow, parquet = import_pyarrow(name)
    try:
        with parquet.ParquetFile(name) as file:
            yield file
    except (pyarrow.ArrowException, *MALFORMED) as error:
        raise InputError(f"{escaped(name)}: {NO_SCORES}: {_reason(error)}") from None
    except OSError as error:
        raise _unreadable(name, error) from None


def _parquet_header(name: str) -> Any:
    with _opened_parquet(name) as file:
        return json.loads(file.schema_arrow.metadata[HEADER.encode()])


def _parquet_rows(name: str, header: Header) -> Iterator[PartRows]:
    with _opened_parquet(name) as file:
        # A small file may declare billions of rows, which would fill the memory.
        n_values = file.metadata.num_rows * file.metadata.num_columns
        n_bytes = np.dtype(np.float64).itemsize * n_values
        check_growth(escaped(name), n_bytes, os.path.getsize(name), "save it as JSON lines")
        # Without threads, since processes may be forked later.
        for batch in file.iter_batches(ROWS_AT_A_TIME, use_threads=False):
            yield _part_of_batch(batch, header)


def _part_of_batch(batch: Any, header: Header) -> PartRows:
    failed: list[FailedRow] = []
    if ERRORS in batch.schema.names:
        errors = batch[ERRORS]
        bad = batch.select(["system", "eval", ERRORS]).filter(errors.is_valid())
        failed = [FailedRow(*row.values()) for row in bad.to_pylist()]
        batch = batch.filter(errors.is_null())
    names = batch.schema.names
    columns = {key: _parquet_array(batch[SEPARATOR.join(key)], key[1]) for key in _keys(header)}
    has_positions = "position" in names and not batch["position"].null_count
    positions = batch["position"].to_numpy().astype(np.int64) if has_positions else None
    clusters = None
    if header.get(CLUSTER) is not None:
        clusters = batch[CLUSTER].to_pylist() if CLUSTER in names else [None] * batch.num_rows
    systems, eval_ids = batch["system"].to_pylist(), batch["eval"].to_pylist()
    return PartRows(systems, eval_ids, clusters, positions, columns, failed)


def _parquet_array(column: Any, name: str) -> NDArray[Any]:
    values = column.to_numpy(zero_copy_only=False)
    if values.dtype.kind not in "iuf":
        texts = column.to_pylist()
        numbers = [text if text == INFINITE else json.loads(text) for text in texts]
        return _array([_number(number, name, INFINITE) for number in numbers])
    is_bad = ~np.isfinite(values) if name in MEASURE_NAMES else np.isnan(values)
    if column.null_count or is_bad.any():
        raise ValueError(f"{column.null_count or 'some'} values are missing or not finite")
    array: NDArray[Any] = values.astype(np.float64 if values.dtype.kind == "f" else np.int64)
    return array


# JSON reports.


def _read_report(name: str) -> tuple[dict[str, Any], PartRows]:
    """Read a JSON report, and return a header and rows as saved scores have them.

    Raises InputError if it is not a report of ``score``, or lacks scores of EVALs.
    """
    with open(name, "rb") as file:
        data = file.read()
    try:
        document = load_json(data)
    except RepeatedKeyError as error:
        raise InputError(f"{escaped(name)}: {error}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{escaped(name)}: no JSON: {error}") from None
    systems = document.get("systems")
    if not isinstance(systems, list) or not all(isinstance(system, dict) for system in systems):
        raise InputError(f"{escaped(name)}: another report of rouge-cli; {ADVICE}")
    if not systems or any("evals" not in system for system in systems):
        raise InputError(f"{escaped(name)}: a report without the scores of each text; {ADVICE}")
    try:
        if "|cluster:" in document["signature"]:
            raise InputError(
                f"{escaped(name)}: a report does not say which texts are of one cluster; save the "
                "scores with --save"
            )
        rows = _report_rows(name, systems)
        return _report_header(document, systems), rows
    except (*MALFORMED, OptionError) as error:
        problem = f"a damaged report: {_reason(error)}; {ADVICE}"
        raise InputError(f"{escaped(name)}: {problem}") from None


def _report_header(
    document: Mapping[str, Any], systems: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    signature = document["signature"]
    averages = list(AVERAGES.finditer(signature))
    if not averages:
        raise ValueError("its signature names no count")
    options = {name: value for name, value in document["options"].items() if name in OPTIONS}
    sentences = options.pop("sentences", None)
    options.pop("per_eval", None)
    # The metrics passed from Python are objects; their names in a report are not option values.
    options.pop("also", None)
    metrics = []
    for name, scores in systems[0]["metrics"].items():
        measures = [letter for key, letter in LETTERS.items() if key in scores]
        kept = ("lower_is_better", "aggregation")
        metrics.append({
            "name": name,
            "measures": measures,
            # Reports omit the scale of metrics that count, which is always from 0 to 1.
            "scale": scores.get("scale", None if scores["counts"] is None else SHARES),
            "counts": [key for key in _report_arrays(scores) if key not in measures],
            **{key: scores[key] for key in kept if key in scores},
        })  # fmt: skip
    return {
        "format": FORMAT,
        "signature": signature,
        "scored_as": signature[: averages[-1].start()],
        "command": document["command"],
        "is_original": document["command"] is not None and document["command_note"] is None,
        "options": plain_options(Options.of(options)),
        "sentences": sentences,
        CLUSTER: None,
        "metrics": metrics,
        "systems": [system["id"] for system in systems],
        "warnings": document["warnings"],
    }


def _report_rows(name: str, systems: Sequence[Mapping[str, Any]]) -> PartRows:
    """Return the rows of a report; raises ValueError if it is damaged.

    Raises InputError for metrics that a report cannot represent.
    """
    columns: dict[Key, list[float]] = {}
    known = set()
    for number, system in enumerate(systems):
        if not isinstance(system["metrics"], dict):
            raise ValueError(f"systems[{number}].metrics is not an object")
        if system["id"] in known:
            raise ValueError(f"system {system['id']!r} is there twice")
        known.add(system["id"])
        for metric, scores in system["metrics"].items():
            if "metric" in scores.get("aggregation", {}):
                raise InputError(
                    f"{escaped(name)}: {metric} is made of counts, which no report has; save the "
                    "scores with --save"
                )
            for key, values in _report_arrays(scores).items():
                if len(values) != len(system["evals"]):
                    n_evals = len(system["evals"])
                    raise ValueError(f"{metric} has {len(values)} scores of {n_evals} texts")
                # Reports represent infinity by null, from which it cannot be restored.
                numbers = [_number(value, key, None) for value in values]
                columns.setdefault((metric, key), []).extend(numbers)
    eval_ids = [eval_id for system in systems for eval_id in system["evals"]]
    if any(len(values) != len(eval_ids) for values in columns.values()):
        raise ValueError("systems with different metrics")
    arrays: dict[Key, NDArray[Any]] = {}
    for column, numbers in columns.items():
        # A report writes whole doubles as integers, so a mix of both was an array of doubles.
        has_doubles = any(isinstance(number, float) for number in numbers)
        is_small = has_doubles and all(abs(number) < WHOLE_IN_DOUBLES for number in numbers)
        arrays[column] = np.array(numbers, np.float64) if is_small else _array(numbers)
    return PartRows(
        [system["id"] for system in systems for _ in system["evals"]],
        eval_ids,
        None,
        np.concatenate([np.arange(len(system["evals"])) for system in systems]),
        arrays,
    )


def _report_arrays(scores: Mapping[str, Any]) -> dict[str, Sequence[float]]:
    counts = (scores["counts"] or {}).get("per_eval", {})
    measures = {letter: scores[key]["per_eval"] for key, letter in LETTERS.items() if key in scores}
    return {COUNTS[key]: values for key, values in counts.items()} | measures
