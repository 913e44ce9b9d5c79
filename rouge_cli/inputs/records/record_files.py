"""Files of records: JSONL, JSON, CSV, TSV and Parquet to a corpus."""

import io
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from typing import BinaryIO

from rouge_cli.errors import OptionError
from rouge_cli.inputs.compressed import input_name, open_input
from rouge_cli.inputs.corpus import EvaluationCorpus
from rouge_cli.inputs.evaluation import Evaluation
from rouge_cli.inputs.instances import DEFAULT_SYSTEM, choose_systems
from rouge_cli.inputs.records.decoding import decoded_lines, decoded_text
from rouge_cli.inputs.records.gathering import Records, gather_records
from rouge_cli.inputs.records.groups import RecordSource
from rouge_cli.inputs.records.rows import Row, RowProblem
from rouge_cli.inputs.records.texts import RecordTexts
from rouge_cli.inputs.sentences import sentence_splitter
from rouge_cli.inputs.unsplit import (
    Tally,
    are_sentences_read,
    known_separator_warnings,
    unsplit_warnings,
)
from rouge_cli.options.every import Options

__all__ = ["read_records"]

EXPECTED = "a file of records"
UNITS = {"JSONL": "line", "JSON": "record", "CSV": "line", "TSV": "line", "PARQUET": "record"}
TEXTS_TO_LOOK_AT = 2048
"""So many tell whether texts hold a separator that nobody has named."""

DELIMITERS = {"CSV": ",", "TSV": "\t"}


def read_records(
    path: str,
    form: str,
    system_id: str | None,
    options: Options,
    data: bytes | None = None,
) -> EvaluationCorpus:
    """Read a file of records.

    Parameters
    ----------
    path : str
        ``-`` is standard input. With ``.gz`` the file is compressed.
    form : str
        ``"JSONL"``, ``"JSON"``, ``"CSV"``, ``"TSV"`` or ``"PARQUET"``.
    system_id : str or None
        The system to score, None for all; a mere name if the records name no system.
    options : Options
    data : bytes or None
        What is in the file, not compressed, if it has been read already.

    Returns
    -------
    EvaluationCorpus
        Its texts are in memory; the systems are in byte order of their IDs.

    Raises
    ------
    OptionError
        If an option does not go with records, or if no record is of the system `system_id`.
    InputError
        All that is wrong with the file.
    """
    _check_options(form, options)
    name = input_name(path)
    own_name = None if options.inputs.all else system_id
    source = RecordSource(name, UNITS[form], own_name or DEFAULT_SYSTEM)
    texts = RecordTexts(options.inputs.sentence_separator, sentence_splitter(options))
    with _opened(path, form, data) as stream:
        records = gather_records(_rows(stream, name, form, options), source, texts, options)
    systems = _systems(records, source, system_id, options)
    warnings = _warnings(records, source, texts, options)
    return EvaluationCorpus(name, records.evals, systems, warnings=warnings)


def _check_options(form: str, options: Options) -> None:
    """Refuse options that this layout has no use for; raises OptionError."""
    if options.metrics.basic_elements is not None:
        raise OptionError("-3/--basic-elements is for files in the format SIMPLE, not for records")
    if form == "PARQUET" and options.inputs.encoding is not None:
        raise OptionError("--encoding is not for Parquet, which says itself how text is encoded")


def _systems(
    records: Records, source: RecordSource, system_id: str | None, options: Options
) -> tuple[str, ...]:
    """Return the systems to score; raises OptionError."""
    if records.fields.system is None:
        return (source.system,)
    all_systems = options.inputs.all or system_id is None
    return choose_systems(records.evals, system_id, all_systems=all_systems)


def _warnings(
    records: Records, source: RecordSource, texts: RecordTexts, options: Options
) -> tuple[str, ...]:
    """Warn of texts that may not have been meant as they were read."""
    return (*_list_warnings(source, texts), *_sentence_warnings(records, source, texts, options))


def _list_warnings(source: RecordSource, texts: RecordTexts) -> Iterator[str]:
    """Warn of lists that were written out, as pandas does in a table."""
    if texts.n_lists:
        found = "1 text is a list" if texts.n_lists == 1 else f"{texts.n_lists} texts are lists"
        yield (
            f"{source.name}: {found} written as a string, the first at "
            f"{source.place(texts.first_list)}: each counts as one text; save lists as JSONL or "
            "Parquet, or each model in a field of its own"
        )


def _sentence_warnings(
    records: Records, source: RecordSource, texts: RecordTexts, options: Options
) -> tuple[str, ...]:
    """Warn of texts whose sentences may not have been told apart, if that moves a score."""
    if options.inputs.sentences is not None or not are_sentences_read(options):
        return ()
    if options.inputs.sentence_separator is None:
        n_texts = sum(len(one.peers) + len(one.models) for one in records.evals)
        first = list(islice(_contents(records.evals), TEXTS_TO_LOOK_AT))
        return tuple(known_separator_warnings({source.name: first}, n_texts))
    first_line = texts.first_unseparated if source.unit == "line" else None
    tally = Tally(source.name, texts.n_strings, texts.n_unseparated, first_line)
    return tuple(unsplit_warnings([tally], options.inputs.sentence_separator))


def _contents(evals: Iterable[Evaluation]) -> Iterator[bytes]:
    """Yield text after text."""
    for one in evals:
        for text in (*one.peers.values(), *one.models):
            yield text.content or b""


def _opened(path: str, form: str, data: bytes | None) -> AbstractContextManager[BinaryIO]:
    """Open the file, or what has been read of it; raises InputError."""
    if data is not None:
        return nullcontext(io.BytesIO(data))
    if form == "PARQUET":
        from rouge_cli.inputs.records.parquet import open_parquet

        return open_parquet(path, EXPECTED)
    return open_input(path, EXPECTED)


def _rows(stream: BinaryIO, name: str, form: str, options: Options) -> Iterator[Row | RowProblem]:
    """Read row after row; raises InputError."""
    if form == "PARQUET":
        from rouge_cli.inputs.records.parquet import parquet_rows

        return parquet_rows(stream, name, options)
    if form == "JSON":
        from rouge_cli.inputs.records.json_rows import document_rows

        return document_rows(decoded_text(stream, name, options.inputs.encoding), options)
    lines = decoded_lines(stream, name, options.inputs.encoding)
    if form == "JSONL":
        from rouge_cli.inputs.records.json_rows import jsonl_rows

        return jsonl_rows(lines)
    from rouge_cli.inputs.records.table_rows import table_rows

    return table_rows(lines, DELIMITERS[form])
