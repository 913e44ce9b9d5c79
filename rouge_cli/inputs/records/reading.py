"""Files of records to a corpus: open them, decode them, read their rows, group these to EVALs.

Of several files each is a system, or some, of the same EVALs.
"""

import io
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from itertools import chain, compress, islice, pairwise
from typing import Any, BinaryIO

import numpy as np

from rouge_cli.core import compiled_core
from rouge_cli.errors import InputError, OptionError, Problems
from rouge_cli.escapes import escaped
from rouge_cli.inputs.corpus import Corpus
from rouge_cli.inputs.decoding import Decoder
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM, Evaluation
from rouge_cli.inputs.files import open_input, stem_of
from rouge_cli.inputs.records.groups import RecordGroups
from rouge_cli.inputs.records.json_rows import JsonLines, document_rows
from rouge_cli.inputs.records.rows import (
    LaterFields,
    RecordFields,
    Row,
    RowProblem,
    Taker,
    choose_fields,
    is_text,
)
from rouge_cli.inputs.records.values import RecordTexts
from rouge_cli.inputs.sentences import (
    Tally,
    are_sentences_read,
    known_separator_warnings,
    sentence_splitter,
    unsplit_warnings,
)
from rouge_cli.inputs.source import Source, no_file
from rouge_cli.inputs.stored_texts import StoredTexts
from rouge_cli.inputs.texts import Origin
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass

EXPECTED = "a file of records"
ADVICE = "name the encoding of the file with --encoding"
UNITS = {"JSONL": "line", "JSON": "record", "CSV": "line", "TSV": "line", "PARQUET": "record"}
DELIMITERS = {"CSV": ",", "TSV": "\t"}

ROWS_AT_A_TIME = 256

TEXTS_TO_LOOK_AT = 2048
"""Texts that are searched for a separator that the user has not named."""


RecordRows = tuple[Iterable[Row | RowProblem], str | None]
"""The rows of a file, and the delimiter of a table; None for other formats."""


@dataclass(frozen=True, slots=True)
class FileOfRecords:
    """A file of records that is read: its corpus, and its fields."""

    corpus: Corpus
    fields: RecordFields


def read_records(
    source: Source,
    form: str,
    inputs: InputOptions,
    metrics: MetricOptions,
    system_id: str | None = None,
) -> Corpus:
    """Read the only file of records into memory, the systems in byte order of their IDs.

    `form` is ``"JSONL"``, ``"JSON"``, ``"CSV"``, ``"TSV"`` or ``"PARQUET"``. `metrics` say whether
    it matters where sentences end. Without `system_id` all systems are scored.

    Raises OptionError if no record is of that system, InputError with all that is wrong with the
    file.
    """
    corpus = read_file(source, form, inputs, metrics, StoredTexts()).corpus
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
    source: Source,
    form: str,
    inputs: InputOptions,
    metrics: MetricOptions,
    store: StoredTexts,
) -> FileOfRecords:
    """Read one of the files of records, with all its systems; its texts go to `store`.

    Its system is called as `own_name` says if neither the records nor the user name it. Raises
    OptionError if several systems are to have one name, InputError with all that is wrong.
    """
    origin = Origin(source.name, UNITS[form])
    with opened_records(source, form, inputs) as stream:
        rows = record_rows(stream, source.name, form, inputs, source.n_threads)
        read = read_rows(rows, origin, own_name(source), inputs, metrics, store)
    return replace(read, corpus=_named(read.corpus, source))


def read_rows(  # noqa: PLR0913, PLR0917
    rows: RecordRows,
    origin: Origin,
    default_system: str,
    inputs: InputOptions,
    metrics: MetricOptions,
    store: StoredTexts,
) -> FileOfRecords:
    """Read the rows of a file, or of a data frame; raises InputError with all that is wrong.

    Their texts go to `store`.
    """
    n_before = len(store)
    texts = RecordTexts(
        inputs.sentence_separator,
        sentence_splitter(inputs.sentences),
        reads_json=inputs.references_json,
    )
    groups, fields, later = _gathered(rows, origin, default_system, texts, inputs, store)
    warnings = [
        *_field_warnings(origin.name, fields),
        *_later_warnings(origin, fields, later),
        *_list_warnings(origin, texts),
    ]
    if inputs.sentences is None and are_sentences_read(metrics):
        n_texts, separator = len(store) - n_before, inputs.sentence_separator
        warnings += _sentence_warnings(groups, n_texts, origin, texts, separator)
    corpus = replace(
        groups.corpus(),
        has_lists=texts.has_lists,
        notes=(_note(origin.name, fields, rows[1]),),
        warnings=tuple(warnings),
    )
    return FileOfRecords(corpus, fields)


def _note(name: str, fields: RecordFields, delimiter: str | None) -> str:
    """Say how a file is read."""
    between = "" if delimiter is None else f"; delimiter {delimiter!r}"
    return f"{name}: {fields.description}{between}"


def _named(corpus: Corpus, source: Source) -> Corpus:
    """Give the only system of a file the name that the user gives it; raises OptionError."""
    name = source.file_system
    if name is None or corpus.systems == (name,):
        return corpus
    if len(corpus.systems) > 1:
        raise OptionError(
            f"{name}={source.name}: the file has several systems, "
            f"{', '.join(map(escaped, corpus.systems))}; NAME=FILE is for a file of one"
        )
    return replace(corpus, systems=(name,), peers={name: corpus.peers[corpus.systems[0]]})


def opened_records(
    source: Source, form: str, inputs: InputOptions
) -> AbstractContextManager[BinaryIO]:
    """Open the file, or the bytes read to tell its format; raises InputError."""
    # What standard input holds is read once, and is kept where it is read again.
    is_kept = inputs.records_format is None or inputs.column or inputs.page_fields
    if source.is_standard_input and is_kept:
        return nullcontext(io.BytesIO(source.standard_input))
    path = source.config or ""
    if form == "PARQUET":
        from rouge_cli.inputs.records.tables import open_parquet

        return open_parquet(path, EXPECTED, source.states)
    return open_input(path, EXPECTED, source.states)


def record_rows(
    stream: BinaryIO, name: str, form: str, inputs: InputOptions, n_threads: int = 1
) -> RecordRows:
    """Read row after row, by so many threads where these gain something; raises InputError."""
    decoder = Decoder(name, inputs.encoding, ADVICE, max_record=inputs.max_record)
    if form == "JSONL":
        return JsonLines(stream, decoder, n_threads), None
    if form == "JSON":
        return document_rows(decoder.document(stream), inputs), None
    # Imported late: most records are JSON.
    from rouge_cli.inputs.records.tables import ParquetRows, found_delimiter, table_rows

    if form == "PARQUET":
        return ParquetRows(stream, name, inputs), None
    lines = decoder.lines(stream)
    # Before the header there are only blank lines.
    head = list(_through_first(lines))
    delimiter = inputs.delimiter or found_delimiter(head[-1] if head else "", DELIMITERS[form])
    return table_rows(chain(head, lines), delimiter, inputs.max_record), delimiter


def _through_first(lines: Iterator[str]) -> Iterator[str]:
    """Yield lines until one is not blank, with that one."""
    for line in lines:
        yield line
        if not line.isspace():
            return


def _gathered(  # noqa: PLR0913, PLR0917
    rows_and_delimiter: RecordRows,
    origin: Origin,
    default_system: str,
    texts: RecordTexts,
    inputs: InputOptions,
    store: StoredTexts,
) -> tuple[RecordGroups, RecordFields, LaterFields]:
    """Make EVALs of rows, at least one, each with a peer and a model; and say what was read.

    Raises InputError with all that is wrong, or because there is no record at all.
    """
    all_rows, delimiter = rows_and_delimiter
    problems = Problems(origin.name)
    # Only of UTF-8 does the core know whether it is right.
    taker = _Taker(compiled_core() if inputs.encoding is None else None)
    try:
        for rows in _runs(all_rows, taker):
            if taker.later is not None:
                taker.later.look(rows)
            if taker.groups is not None and taker.groups.take_usual(rows):
                continue
            for row in rows:
                if isinstance(row, RowProblem):
                    problem = "; ".join(filter(None, (row.text, row.advice)))
                    problems.add(row.place, problem, row.kind)
                    continue
                if taker.groups is None:
                    # The fields of the first record hold for all.
                    fields = _fields_of(row, origin, inputs, delimiter)
                    taker.groups = RecordGroups(
                        origin, default_system, fields, texts, problems, store
                    )
                    taker.later = LaterFields(fields, row.record)
                taker.groups.add(row)
    except InputError as error:
        problems.extend(error.problems)
    # What an EVAL lacks may stand in a record that could not be read.
    problems.raise_any()
    if taker.groups is None or taker.later is None:
        raise InputError(f"{origin.name}: no records; expected at least one")
    taker.groups.check_models()
    problems.raise_any()
    return taker.groups, fields, taker.later


class _Taker:
    """Hands many records at once to the groups, as soon as there are any."""

    def __init__(self, core: Any) -> None:
        self.groups: RecordGroups | None = None
        self.later: LaterFields | None = None
        self._core = core

    def scan(self, lines: bytes) -> Any:
        """Read whole lines of JSON; see `Taker.scan`."""
        if self.groups is None or self.later is None:
            return None
        return self.groups.scan(self._core, lines, self.later.watched)

    def take(self, many: Any, number: int) -> int:
        """Take what was scanned, or a table; see `Taker.take`."""
        return 0 if self.groups is None else self.groups.take_many(many, number)


def _runs(all_rows: Iterable[Row | RowProblem], taker: Taker) -> Iterator[list[Row | RowProblem]]:
    """Yield the first row, which says how all are read, and then many at a time.

    Those that `taker` takes from lines or tables are left out. Where reading raises InputError,
    the rows before it are yielded first.
    """
    rows = iter(all_rows)
    yield list(islice(rows, 1))
    rest: Callable[[Taker], Iterable[Iterator[Row | RowProblem]]]
    rest = getattr(all_rows, "rest", lambda _: (rows,))
    for part in rest(taker):
        run: list[Row | RowProblem] = []
        try:
            for row in part:
                run.append(row)
                if len(run) == ROWS_AT_A_TIME:
                    yield run
                    run = []
        except InputError:
            yield run
            raise
        yield run


def _fields_of(
    row: Row, origin: Origin, inputs: InputOptions, delimiter: str | None
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
    return replace(fields, unread=tuple(n for n in fields.unread if is_text(row.record[n])))


def _field_warnings(name: str, fields: RecordFields) -> Iterator[str]:
    """Warn of fields that are read twice, or may have been meant in place of those that are."""
    if both := [path for _, path in fields.predictions if path in fields.references]:
        yield (
            f"{name}: field {both[0]!r} is read as prediction and as references: each text is "
            "measured against itself; name another field with --prediction or --references"
        )
    if fields.unread:
        are = "field {} is" if len(fields.unread) == 1 else "fields {} are"
        yield (
            f"{name}: {are.format(', '.join(map(repr, fields.unread)))} not read, though texts are "
            f"called so too: read are {fields.of_texts}; name others with --prediction and "
            "--references"
        )


def _later_warnings(origin: Origin, fields: RecordFields, later: LaterFields) -> Iterator[str]:
    """Warn of fields that would be read if the first record had them."""
    for name, number in later.found.items():
        yield (
            f"{origin.name}: field {name!r} is not read: it first occurs in "
            f"{origin.place(number)}, and the first record says what is read, "
            f"{fields.description}; give every record the same fields, or name those to read with "
            "--prediction, --references, --id and --system"
        )


def _list_warnings(origin: Origin, texts: RecordTexts) -> Iterator[str]:
    """Warn of lists that were written out, as pandas does in a table."""
    if texts.n_json_lists:
        lists = "1 field of references is a JSON list"
        if texts.n_json_lists > 1:
            lists = f"{texts.n_json_lists} fields of references are JSON lists"
        yield (
            f"{origin.name}: {lists} in a string, the first at "
            f"{origin.place(texts.first_json_list)}: each counts as one text; give "
            "--references-json to read each string of a list as a model"
        )
    if texts.n_lists:
        lists = "1 text is a list" if texts.n_lists == 1 else f"{texts.n_lists} texts are lists"
        yield (
            f"{origin.name}: {lists} written as a string, the first at "
            f"{origin.place(texts.first_list)}: each counts as one text; save lists as JSONL or "
            "Parquet, or each model in a field of its own"
        )


def _sentence_warnings(
    groups: RecordGroups, n_texts: int, origin: Origin, texts: RecordTexts, separator: str | None
) -> Iterator[str]:
    """Warn of texts whose sentences may not have been told apart."""
    if separator is None:
        first = groups.first_texts(TEXTS_TO_LOOK_AT)
        return known_separator_warnings({origin.name: first}, n_texts)
    first_line = texts.first_unseparated if origin.unit == "line" else None
    tally = Tally(origin.name, texts.n_strings, texts.n_unseparated, first_line)
    return unsplit_warnings([tally], separator)


def read_several(
    files: Sequence[tuple[Source, str]], inputs: InputOptions, metrics: MetricOptions
) -> Corpus:
    """Read files of records, each with its format, and put those of the same EVAL together.

    EVALs go by their IDs or, where no file has any, by their positions. The systems are in the
    order of the files. Raises OptionError; and InputError, which names the files, if two have a
    system of the same name, if only some have IDs, or if the references or the cluster of an EVAL
    differ.
    """
    texts = StoredTexts()
    contents = [read_file(file, form, inputs, metrics, texts) for file, form in files]
    _check_systems(contents)
    _check_ids(contents)
    corpora = [file.corpus for file in contents]
    name = ", ".join(corpus.name for corpus in corpora)
    systems = [system for corpus in corpora for system in corpus.systems]
    return replace(
        Corpus.of(name, _joined(contents), systems, texts),
        warnings=tuple(warning for corpus in corpora for warning in corpus.warnings),
        has_lists=any(corpus.has_lists for corpus in corpora),
        notes=tuple(note for corpus in corpora for note in corpus.notes),
    )


def _check_systems(contents: Sequence[FileOfRecords]) -> None:
    """Refuse the same system in two files."""
    file_of: dict[str, str] = {}
    problems = []
    for file in contents:
        for system in file.corpus.systems:
            if system in file_of:
                files = f"{file_of[system]} and {file.corpus.name}"
                problems.append(
                    f"{files} both have a system {escaped(system)}; "
                    "expected each system in one file; NAME=FILE names the only system of a file"
                )
            file_of.setdefault(system, file.corpus.name)
    if problems:
        raise InputError(problems)


def _check_ids(files: Sequence[FileOfRecords]) -> None:
    """Refuse files with IDs next to files without."""
    with_ids = [file for file in files if file.fields.id is not None]
    without = [file for file in files if file.fields.id is None]
    if with_ids and without:
        raise InputError(
            f"{with_ids[0].corpus.name} has IDs of EVALs, in field {with_ids[0].fields.id!r}, and "
            f"{without[0].corpus.name} has none; expected the same of all files; name the field "
            "with --id"
        )


def _joined(files: Sequence[FileOfRecords]) -> list[Evaluation]:
    """Put the EVALs of all files together, in the order in which they appear first."""
    joined: dict[str, Evaluation] = {}
    first_of: dict[str, tuple[str, int]] = {}
    problems = Problems()
    for file in files:
        hashes = _model_hashes(file.corpus)
        for evaluation, models in zip(file.corpus.evaluations(), hashes, strict=True):
            eval_id = evaluation.id
            known = joined.setdefault(eval_id, evaluation)
            first_file, first_models = first_of.setdefault(eval_id, (file.corpus.name, models))
            if known is evaluation:
                continue
            differences = {
                "other references": models != first_models,
                "another cluster": evaluation.cluster != known.cluster,
            }
            for difference in compress(differences, differences.values()):
                problems.add(
                    f"EVAL {escaped(eval_id)}",
                    f"{difference} in {file.corpus.name} than in {first_file}; expected the same "
                    "for every system",
                )
            joined[eval_id] = replace(known, peers={**known.peers, **evaluation.peers})
    problems.raise_any()
    return list(joined.values())


EVALS_AT_A_TIME = 1024


def _model_hashes(corpus: Corpus) -> Iterator[int]:
    """Yield a hash of the models of each EVAL: they may be on disk, and are compared many times."""
    offsets = [0, *np.cumsum(corpus.n_models).tolist()]
    for first in range(0, len(offsets) - 1, EVALS_AT_A_TIME):
        edges = offsets[first : first + EVALS_AT_A_TIME + 1]
        readings = corpus.texts.read(corpus.models[edges[0] : edges[-1]].tolist())
        texts = [text for reading in readings for text in reading.texts]
        yield from (hash(tuple(texts[a - edges[0] : b - edges[0]])) for a, b in pairwise(edges))


def own_name(file: Source) -> str:
    """Return the name of the system of a file among several: the user's, or the file's stem."""
    if file.file_system is not None:
        return file.file_system
    return stem_of(file.config or "") or DEFAULT_SYSTEM
