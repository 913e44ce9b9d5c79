"""The layouts of records: files, recognised by their names or beginnings, and data frames.

Frames of pandas and Polars, tables of Arrow and data sets of Hugging Face yield their rows
themselves; pyarrow reads other frames with Arrow's interface. None of these packages is imported
unless such a frame is given.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from rouge_cli.errors import InputError, OptionError
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM
from rouge_cli.inputs.index import Input, Layout
from rouge_cli.inputs.records.rows import Origin, Row, RowProblem, choose_fields
from rouge_cli.inputs.source import Source
from rouge_cli.options.inputs import DATA_FRAMES, RECORD_FILES, RECORD_FORMATS, InputOptions
from rouge_cli.options.metrics import MetricOptions

if TYPE_CHECKING:
    from rouge_cli.inputs.records.reading import Runs


class Records(Layout):
    """The layout of a file of records."""

    kind = "records"
    takes_config = True
    takes_files = True
    selector = "records_format"
    options = InputOptions.of_layout(RECORD_FILES)

    def claims(self, source: Source, inputs: InputOptions) -> bool:
        """Claim CONFIG if its format is given, or told by its name or its beginning."""
        return source.form_of_records(inputs.records_format) in RECORD_FORMATS

    def open(self, source: Source, inputs: InputOptions, metrics: MetricOptions) -> Input:
        """Find the files and their formats; raises OptionError and InputError."""
        from rouge_cli.inputs.records.grouping import RecordInput
        from rouge_cli.inputs.records.reading import record_file

        files, system_id = source.files(inputs.records_format)
        if system_id is not None and not source.takes_system:
            source.check_others()
        has_others = len(files) > 1 or inputs.references_from is not None
        read = [
            record_file(file, self._checked_format(file, inputs), has_others=has_others)
            for file in files
        ]
        fields_of = None
        if inputs.page_fields:
            from rouge_cli.inputs.records.fields import read_fields

            fields_of = partial(read_fields, read, inputs)
        paths = [file.config or "" for file in files]
        references = None
        if inputs.references_from is not None:
            paths.append(inputs.references_from)
            file = Source(inputs.references_from, states=source.states, spools=source.spools)
            references = record_file(file, self._checked_format(file, inputs), has_others=True)
        inputs.check_encodings(paths)
        return RecordInput(read, inputs, metrics, system_id, fields_of, references)

    def _checked_format(self, file: Source, inputs: InputOptions) -> str:
        form = file.form_of_records(inputs.records_format)
        if form is None:
            raise OptionError(
                f"{file.name}: nothing tells the format of its records; give --records-format"
            )
        if form == "PARQUET" and inputs.encoding_of(file.config or "") is not None:
            raise OptionError(
                "--encoding is not for Parquet, which says itself how text is encoded"
            )
        is_joined = file.config == inputs.references_from
        if inputs.records_at is not None and form != "JSON" and not is_joined:
            raise OptionError(f"--records-at is for JSON documents, and {file.name} is {form}")
        if inputs.delimiter is not None and form not in {"CSV", "TSV"}:
            raise OptionError(f"--delimiter is for CSV and TSV, and {file.name} is {form}")
        return form


ORIGIN = Origin("the data frame", "row")
ROWS_AT_A_TIME = 1 << 12
STREAM = "__arrow_c_stream__"

MISSING = frozenset({"NAType", "NaTType"})


class HasColumns(Protocol):
    """A frame of pandas, Polars and most others."""

    @property
    def columns(self) -> Any:
        """The names of the columns."""
        ...


class HasColumnNames(Protocol):
    """A table of Arrow, or a data set."""

    @property
    def column_names(self) -> Any:
        """The names of the columns."""
        ...


Frame = HasColumns | HasColumnNames


class Frames(Layout):
    """The layout of a data frame from Python."""

    kind = "a data frame"
    options = InputOptions.of_layout(DATA_FRAMES)

    def claims(self, source: Source, inputs: InputOptions) -> bool:
        """Claim a data frame."""
        return source.frame is not None

    def open(self, source: Source, inputs: InputOptions, metrics: MetricOptions) -> Input:
        """Return the rows as records."""
        from rouge_cli.inputs.records.grouping import RecordInput
        from rouge_cli.inputs.records.reading import RecordFile

        @contextmanager
        def opened(wanted: InputOptions) -> "Iterator[tuple[Runs, str | None]]":
            yield frame_runs(source.frame, wanted), None

        files = [RecordFile(ORIGIN, DEFAULT_SYSTEM, opened)]
        fields_of = None
        if inputs.page_fields:
            from rouge_cli.inputs.records.fields import read_fields

            fields_of = partial(read_fields, files, inputs)
        return RecordInput(files, inputs, metrics, fields_of=fields_of)


def collected(value: Any) -> Any:
    """Return a LazyFrame of Polars as the frame that it describes, and all else as it is."""
    is_lazy = type(value).__name__ == "LazyFrame" and hasattr(value, "collect")
    return value.collect() if is_lazy else value


def is_frame(value: object) -> bool:
    """Return whether a value has rows and named columns."""
    return column_names(value) is not None


def column_names(frame: Any) -> list[Any] | None:
    """Return the names of the columns; None for what is no data frame."""
    if isinstance(frame, Mapping | type):
        return None
    names = getattr(frame, "column_names", None)
    if names is None:
        names = getattr(frame, "columns", None)
    # A table of Arrow has columns, too, which are no names.
    return None if names is None or callable(names) else list(names)


def frame_runs(frame: Any, inputs: InputOptions) -> "Runs":
    """Return the rows of a data frame, numbered from 0, with the columns that are read."""
    from rouge_cli.inputs.records.reading import runs_of

    return runs_of(_frame_rows(frame, inputs))


def _frame_rows(frame: Any, inputs: InputOptions) -> Iterator[Row | RowProblem]:
    names = column_names(frame) or []
    for name in names:
        if not isinstance(name, str):
            yield RowProblem("", f"found {name!r} as the name of a column, expected a string")
            return
    try:
        paths = choose_fields(names, inputs).looked_at
    except ValueError as error:
        raise InputError(f"{ORIGIN.name}: {error}") from None
    # A name that has dots itself comes first, as in records.
    fields = dict.fromkeys(path if path in names else path.partition(".")[0] for path in paths)
    # What is not there is told with all that is.
    wanted = list(fields if set(fields) <= set(names) else dict.fromkeys(names))
    for name in wanted:
        if names.count(name) > 1:
            yield RowProblem(
                "", f"{names.count(name)} columns have the name {name!r}; expected one"
            )
            return
    for number, record in enumerate(_records(frame, wanted)):
        yield Row(number, {name: _plain(value) for name, value in record.items()})


def _records(frame: Any, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    # In this order: a data set has methods of the others, for other things.
    if hasattr(frame, "select_columns"):
        yield from frame.select_columns(list(names))
    elif hasattr(frame, "iter_rows"):
        yield from frame.select(names).iter_rows(named=True)
    elif hasattr(frame, "iloc"):
        columns = [frame[name] for name in names]
        for values in zip(*columns, strict=True):
            yield dict(zip(names, values, strict=True))
    else:
        for batch in _arrow_table(frame).select(names).to_batches(ROWS_AT_A_TIME):
            yield from batch.to_pylist()


def _arrow_table(frame: Any) -> Any:
    if hasattr(frame, "to_batches"):
        return frame
    if not hasattr(frame, STREAM):
        raise InputError(
            f"found {type(frame).__name__}, expected lists of texts or a data frame, of pandas, "
            "Polars, Arrow, datasets, or with Arrow's interface"
        )
    from rouge_cli.inputs.records.tables import import_pyarrow

    return import_pyarrow(f"a frame of type {type(frame).__name__} needs pyarrow").table(frame)


def _plain(value: Any) -> Any:
    """Return a value as JSON would have it: arrays as lists, and what is missing as None."""
    if isinstance(value, str):
        return value
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    is_nan = isinstance(value, float) and value != value  # noqa: PLR0124 - so it differs
    return None if is_nan or type(value).__name__ in MISSING else value
