"""A file of records to a corpus: open it, decode it, read its rows, group them to EVALs."""

import io
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from itertools import chain
from typing import BinaryIO

from rouge_cli.errors import InputError, OptionError, Problems
from rouge_cli.escapes import escaped
from rouge_cli.inputs.decoding import Decoder
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM, choose_systems, in_byte_order
from rouge_cli.inputs.records.corpus import RecordCorpus, RecordEval, RecordOrigin
from rouge_cli.inputs.records.fields import RecordFields, choose_fields
from rouge_cli.inputs.records.grouping import RecordGroups
from rouge_cli.inputs.records.rows import Row, RowProblem, document_rows, jsonl_rows
from rouge_cli.inputs.records.texts import RecordTexts
from rouge_cli.inputs.sentence_warnings import (
    Tally,
    are_sentences_read,
    known_separator_warnings,
    unsplit_warnings,
)
from rouge_cli.inputs.sentences import sentence_splitter
from rouge_cli.inputs.source import Source, no_file
from rouge_cli.inputs.streams import open_input
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass

__all__ = [
    "UNITS",
    "FileOfRecords",
    "opened_records",
    "read_file",
    "read_records",
    "record_rows",
]

EXPECTED = "a file of records"
ADVICE = "name the encoding of the file with --encoding"
UNITS = {"JSONL": "line", "JSON": "record", "CSV": "line", "TSV": "line", "PARQUET": "record"}
DELIMITERS = {"CSV": ",", "TSV": "\t"}

ROWS_AT_A_TIME = 256

TEXTS_TO_LOOK_AT = 2048
"""So many tell whether texts hold a separator that nobody has named."""


@dataclass(frozen=True, slots=True)
class FileOfRecords:
    """What a file of records comes to.

    Parameters
    ----------
    fields : RecordFields
        What was read of each record.
    """

    corpus: RecordCorpus
    fields: RecordFields


@dataclass(frozen=True, slots=True)
class _Records:
    """The EVALs of a file of records.

    Parameters
    ----------
    evals : list of RecordEval
        In the order in which their IDs appear first.
    fields : RecordFields
        What was read of each record.
    """

    evals: list[RecordEval]
    fields: RecordFields


def read_records(
    source: Source,
    form: str,
    inputs: InputOptions,
    metrics: MetricOptions,
    system_id: str | None = None,
) -> RecordCorpus:
    """Read the only file of records.

    Parameters
    ----------
    form : str
        ``"JSONL"``, ``"JSON"``, ``"CSV"``, ``"TSV"`` or ``"PARQUET"``.
    metrics : MetricOptions
        They say whether it matters where sentences end.
    system_id : str or None
        The system to score, None for all.

    Returns
    -------
    RecordCorpus
        Its texts are in memory; the systems are in byte order of their IDs.

    Raises
    ------
    OptionError
        If no record is of that system.
    InputError
        All that is wrong with the file.
    """
    corpus = read_file(source, form, inputs, metrics, DEFAULT_SYSTEM).corpus
    if system_id is None:
        return corpus
    if system_id not in corpus.systems:
        if os.path.lexists(system_id):
            raise OptionError(no_file(system_id))
        raise OptionError(
            f"{system_id!r} is neither a file nor a system of {source.name}; its systems are: "
            f"{', '.join(map(escaped, corpus.systems))}; to name the only system of a file, give "
            "NAME=FILE"
        )
    return corpus if inputs.all else replace(corpus, systems=(system_id,))


def read_file(
    source: Source, form: str, inputs: InputOptions, metrics: MetricOptions, default_name: str
) -> FileOfRecords:
    """Read one of the files of records, with all its systems.

    Parameters
    ----------
    source, form, inputs, metrics
        As for `read_records`.
    default_name : str
        What its system is called if neither the records nor the user name it.

    Raises
    ------
    OptionError
        If several systems are to have one name.
    InputError
        All that is wrong with the file.
    """
    origin = RecordOrigin(source.name, UNITS[form], source.file_system or default_name)
    texts = RecordTexts(inputs.sentence_separator, sentence_splitter(inputs.sentences))
    with opened_records(source, form, inputs) as stream:
        read = record_rows(stream, source.name, form, inputs)
        records = _gathered(read, origin, texts, inputs)
    records = _named(records, source)
    corpus = RecordCorpus(
        origin,
        records.evals,
        choose_systems(records.evals, None, all_systems=True),
        has_lists=texts.has_lists,
        notes=(_note(source.name, records.fields, read.delimiter),),
    )
    warnings = list(_list_warnings(origin, texts))
    if inputs.sentences is None and are_sentences_read(metrics):
        warnings += _sentence_warnings(corpus, texts, inputs.sentence_separator)
    return FileOfRecords(replace(corpus, warnings=tuple(warnings)), records.fields)


def _note(name: str, fields: RecordFields, delimiter: str | None) -> str:
    """Say how a file is read."""
    between = "" if delimiter is None else f"; delimiter {delimiter!r}"
    return f"{name}: {fields.description}{between}"


def _named(records: _Records, source: Source) -> _Records:
    """Give the only system of a file the name that it is to have; raises OptionError."""
    known = {system for one in records.evals for system in one.peers}
    if source.file_system is None or known == {source.file_system}:
        return records
    if len(known) > 1:
        names = ", ".join(map(escaped, in_byte_order(known)))
        raise OptionError(
            f"{source.file_system}={source.name}: the file has several systems, {names}; NAME=FILE "
            "is for a file of one"
        )
    for one in records.evals:
        (peer,) = one.peers.values()
        one.peers = {source.file_system: peer}
    return records


def opened_records(
    source: Source, form: str, inputs: InputOptions
) -> AbstractContextManager[BinaryIO]:
    """Open the file, or what has been read of it to tell its format; raises InputError."""
    # What standard input holds is read once, and is kept where it is read again.
    if source.is_standard_input and (inputs.records_format is None or inputs.column):
        return nullcontext(io.BytesIO(source.standard_input))
    path = source.config or ""
    if form == "PARQUET":
        from rouge_cli.inputs.records.tables import open_parquet

        return open_parquet(path, EXPECTED)
    return open_input(path, EXPECTED)


@dataclass(frozen=True, slots=True)
class RecordRows:
    """The rows of a file, to be read once.

    Parameters
    ----------
    delimiter : str or None
        What stands between the fields of a table; None for other formats.
    """

    rows: Iterator[Row | RowProblem]
    delimiter: str | None = None


def record_rows(stream: BinaryIO, name: str, form: str, inputs: InputOptions) -> RecordRows:
    """Read row after row; raises InputError."""
    decoder = Decoder(name, inputs.encoding, ADVICE)
    if form == "JSONL":
        return RecordRows(jsonl_rows(decoder.lines(stream)))
    if form == "JSON":
        return RecordRows(document_rows("".join(decoder.texts(stream)), inputs))
    # Imported late: most records are JSON.
    from rouge_cli.inputs.records.tables import found_delimiter, parquet_rows, table_rows

    if form == "PARQUET":
        return RecordRows(parquet_rows(stream, name, inputs))
    lines = decoder.lines(stream)
    # What stands before the header is nothing but blank lines.
    head = list(_through_first(lines))
    delimiter = inputs.delimiter or found_delimiter(head[-1] if head else "", DELIMITERS[form])
    return RecordRows(table_rows(chain(head, lines), delimiter), delimiter)


def _through_first(lines: Iterator[str]) -> Iterator[str]:
    """Yield lines until one is not blank, with that one."""
    for line in lines:
        yield line
        if not line.isspace():
            return


def _gathered(
    read: RecordRows, origin: RecordOrigin, texts: RecordTexts, inputs: InputOptions
) -> _Records:
    """Make EVALs of rows.

    Raises InputError with all that is wrong; or that there is no record at
    all.

    Parameters
    ----------
    read : RecordRows
        Reading may raise InputError, which ends them.

    Returns
    -------
    _Records
        At least one EVAL, each with a peer and a model.
    """
    problems = Problems(origin.name)
    groups: RecordGroups | None = None
    try:
        for rows in _runs(read.rows):
            if groups is not None and groups.take_usual(rows):
                continue
            for row in rows:
                if isinstance(row, RowProblem):
                    found = "; ".join(filter(None, (row.text, row.advice)))
                    problems.add(row.place, found, row.kind)
                    continue
                if groups is None:
                    # The fields of the first record hold for all.
                    fields = _fields_of(row, origin, inputs, read.delimiter)
                    groups = RecordGroups(origin, fields, texts, problems)
                groups.add(row)
    except InputError as error:
        problems.extend(error.problems)
    # What an EVAL lacks may stand in a record that could not be read.
    problems.raise_any()
    if groups is None:
        raise InputError(f"{origin.name}: no records; expected at least one")
    groups.check_models()
    problems.raise_any()
    return _Records(groups.evals, fields)


def _runs(rows: Iterator[Row | RowProblem]) -> Iterator[list[Row | RowProblem]]:
    """Yield the first row, which says how all are read, and then many at a time.

    Where reading raises InputError, the rows before it are yielded first.
    """
    run: list[Row | RowProblem] = []
    n_rows = 1
    try:
        for row in rows:
            run.append(row)
            if len(run) == n_rows:
                yield run
                run, n_rows = [], ROWS_AT_A_TIME
    except InputError:
        yield run
        raise
    yield run


def _fields_of(
    row: Row, origin: RecordOrigin, inputs: InputOptions, delimiter: str | None
) -> RecordFields:
    """Choose the fields; raises InputError."""
    is_whole = delimiter is not None and len(row.record) == 1
    try:
        fields = choose_fields(row.record, inputs)
        if is_whole and not set(fields.paths) <= set(row.record):
            raise ValueError(f"a header of one field, {next(iter(row.record))!r}")
    except ValueError as error:
        advice = f"if something other than {delimiter!r} stands between fields, give --delimiter"
        place = f"{origin.name}, {origin.place(row.number)}"
        raise InputError(f"{place}: {error}{f'; {advice}' * is_whole}") from None
    return fields


def _list_warnings(origin: RecordOrigin, texts: RecordTexts) -> Iterator[str]:
    """Warn of lists that were written out, as pandas does in a table."""
    if texts.n_lists:
        found = "1 text is a list" if texts.n_lists == 1 else f"{texts.n_lists} texts are lists"
        yield (
            f"{origin.name}: {found} written as a string, the first at "
            f"{origin.place(texts.first_list)}: each counts as one text; save lists as JSONL or "
            "Parquet, or each model in a field of its own"
        )


def _sentence_warnings(
    corpus: RecordCorpus, texts: RecordTexts, separator: str | None
) -> Iterator[str]:
    """Warn of texts whose sentences may not have been told apart."""
    if separator is None:
        first = corpus.first_texts(TEXTS_TO_LOOK_AT)
        return known_separator_warnings({corpus.name: first}, corpus.n_texts)
    first_line = texts.first_unseparated if corpus.origin.unit == "line" else None
    tally = Tally(corpus.name, texts.n_strings, texts.n_unseparated, first_line)
    return unsplit_warnings([tally], separator)
