"""The layouts of records: files, recognised by name or content, and data frames.

The rows of pandas and Polars frames, Arrow tables and Hugging Face data sets are read by their own
methods; other frames are read by pyarrow, through the Arrow stream interface. None of these
packages is imported unless such a frame is passed.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Protocol

from rouge_cli.errors import InputError, OptionError
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM
from rouge_cli.inputs.index import Input, Layout
from rouge_cli.inputs.records.rows import Row, RowProblem, choose_fields
from rouge_cli.inputs.source import Source
from rouge_cli.options.inputs import DATA_FRAMES, RECORD_FILES, RECORD_FORMATS, InputOptions
from rouge_cli.options.metrics import MetricOptions

if TYPE_CHECKING:
    from rouge_cli.inputs.records.reading import Runs


class Records(Layout):
    """The layout of one or more files of records."""

    kind = "records"
    takes_config = True
    takes_files = True
    selector = "records_format"
    options = InputOptions.of_layout(RECORD_FILES)

    def claims(self, source: Source, inputs: InputOptions) -> bool:
        return source.form_of_records(inputs.records_format) in RECORD_FORMATS

    def open(self, source: Source, inputs: InputOptions, metrics: MetricOptions) -> Input:
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
        paths = [file.config or "" for file in files]
        references = None
        if inputs.references_from is not None:
            paths.append(inputs.references_from)
            file = Source(inputs.references_from, states=source.states, spools=source.spools)
            references = record_file(file, self._checked_format(file, inputs), has_others=True)
        inputs.check_encodings(paths)
        return RecordInput(read, inputs, metrics, system_id, references)

    def _checked_format(self, file: Source, inputs: InputOptions) -> str:
        form = file.form_of_records(inputs.records_format)
        if form is None:
            raise OptionError(f"{file.name}: unknown format of records; give --records-format")
        if form == "PARQUET" and inputs.encoding_of(file.config or "") is not None:
            raise OptionError(
                "--encoding is not for Parquet, which says itself how text is encoded"
            )
        # --records-at is about the predictions; the references may have another format.
        is_joined = file.config == inputs.references_from
        if inputs.records_at is not None and form != "JSON" and not is_joined:
            raise OptionError(f"--records-at is for JSON documents, and {file.name} is {form}")
        if inputs.delimiter is not None and form not in {"CSV", "TSV"}:
            raise OptionError(f"--delimiter is for CSV and TSV, and {file.name} is {form}")
        return form


FRAME_NAME = "the data frame"
ROWS_AT_A_TIME = 1 << 12
STREAM = "__arrow_c_stream__"
"""The method by which a frame exports Arrow data (the Arrow PyCapsule interface)."""

MISSING = frozenset({"NAType", "NaTType"})
"""Types of pandas' missing values; named, so that pandas need not be imported."""


class HasColumns(Protocol):
    """A data frame of pandas, Polars and most other packages."""

    @property
    def columns(self) -> Any:
        """The names of the columns."""
        ...


class HasColumnNames(Protocol):
    """An Arrow table, or a Hugging Face data set."""

    @property
    def column_names(self) -> Any:
        """The names of the columns."""
        ...


Frame = HasColumns | HasColumnNames


class Frames(Layout):
    """The layout of a data frame passed in Python."""

    kind = "a data frame"
    options = InputOptions.of_layout(DATA_FRAMES)

    def claims(self, source: Source, inputs: InputOptions) -> bool:
        return source.frame is not None

    def open(self, source: Source, inputs: InputOptions, metrics: MetricOptions) -> Input:
        """Return an input in which each row is a record, read when its batches are requested."""
        from rouge_cli.inputs.records.grouping import RecordInput
        from rouge_cli.inputs.records.reading import RecordFile, runs_of

        def opened(wanted: InputOptions) -> "AbstractContextManager[tuple[Runs, str | None]]":
            return nullcontext((runs_of(_frame_rows(source.frame, wanted)), None))

        file = RecordFile(FRAME_NAME, "row", DEFAULT_SYSTEM, opened)
        return RecordInput([file], inputs, metrics)


def collected(value: Any) -> Any:
    """Evaluate a Polars LazyFrame; return any other value unchanged."""
    is_lazy = type(value).__name__ == "LazyFrame" and hasattr(value, "collect")
    return value.collect() if is_lazy else value


def is_frame(value: object) -> bool:
    """Return whether a value has rows and named columns."""
    return column_names(value) is not None


def column_names(frame: Any) -> list[Any] | None:
    """Return the names of the columns; None if the value is not a data frame."""
    if isinstance(frame, Mapping | type):
        return None
    names = getattr(frame, "column_names", None)
    if names is None:
        names = getattr(frame, "columns", None)
    # `columns` of an Arrow table are data, so `column_names` is tried first. A method of that name
    # belongs to some other kind of object.
    return None if names is None or callable(names) else list(names)


def _frame_rows(frame: Any, inputs: InputOptions) -> Iterator[Row | RowProblem]:
    names = column_names(frame) or []
    if others := [name for name in names if not isinstance(name, str)]:
        yield RowProblem("", f"found {others[0]!r} as the name of a column, expected a string")
        return
    try:
        paths = choose_fields(names, inputs).looked_at
    except ValueError as error:
        raise InputError(f"{FRAME_NAME}: {error}") from None
    # A name that contains dots has priority over a path, as in records.
    fields = dict.fromkeys(path if path in names else path.partition(".")[0] for path in paths)
    # If a column is missing, read all, so that the error message can list them.
    wanted = list(fields if set(fields) <= set(names) else dict.fromkeys(names))
    if twice := [name for name in wanted if names.count(name) > 1]:
        count = names.count(twice[0])
        yield RowProblem("", f"{count} columns have the name {twice[0]!r}; expected one")
        return
    for number, record in enumerate(_records(frame, wanted)):
        yield Row(number, {name: _plain(value) for name, value in record.items()})


def _records(frame: Any, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    # The order matters: a data set also has some of the methods of the other kinds, with other
    # meanings.
    if hasattr(frame, "select_columns"):
        yield from frame.select_columns(list(names))
    elif hasattr(frame, "iter_rows"):
        yield from frame.select(names).iter_rows(named=True)
    elif hasattr(frame, "iloc"):
        for values in zip(*(frame[name] for name in names), strict=True):
            yield dict(zip(names, values, strict=True))
    elif hasattr(frame, "to_batches") or hasattr(frame, STREAM):
        if not hasattr(frame, "to_batches"):
            from rouge_cli.inputs.records.tables import import_pyarrow

            pyarrow = import_pyarrow(f"a frame of type {type(frame).__name__} needs pyarrow")
            frame = pyarrow.table(frame)
        for batch in frame.select(names).to_batches(ROWS_AT_A_TIME):
            yield from batch.to_pylist()
    else:
        raise InputError(
            f"found {type(frame).__name__}, expected lists of texts or a data frame, of pandas, "
            "Polars, Arrow, datasets, or with Arrow's interface"
        )


def _plain(value: Any) -> Any:
    """Convert a value to JSON types: arrays become lists, missing values None."""
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
