"""Opens and decodes a file of records, and reads its IDs and texts.

References may be in a separate file (``--references-from``), which is joined by ID.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain, islice

from rouge_cli.errors import FoundError, InputError, Problems, with_number
from rouge_cli.inputs.decoding import Decoder, has_returns_alone, head_of, told_encoding
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM
from rouge_cli.inputs.files import stem_of
from rouge_cli.inputs.records.json_rows import document_rows, line_runs, shape_hint
from rouge_cli.inputs.records.rows import (
    LaterFields,
    RecordFields,
    Row,
    RowProblem,
    choose_fields,
    choose_references,
    is_text,
    only_rows,
)
from rouge_cli.inputs.records.values import (
    ODDITIES,
    UNSEPARATED,
    RecordReader,
    RecordTexts,
    read_or_none,
    usual_ids,
)
from rouge_cli.inputs.sentences import are_sentences_read, sentence_splitter, unsplit_warnings
from rouge_cli.inputs.source import Source, refuse_foreign
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass

EXPECTED = "a file of records"
ADVICE = "name the encoding of the file with --encoding"
UNITS = {"JSONL": "line", "JSON": "record", "CSV": "line", "TSV": "line", "PARQUET": "record"}
DELIMITERS = {"CSV": ",", "TSV": "\t"}

_EXCEL_DELIMITER = re.compile(r'"?sep=(.)"?[ \t]*\r?\n?')
"""An optional first line of a table that tells Excel the delimiter."""

ROWS_AT_A_TIME = 256

Runs = Iterable[list[Row | RowProblem]]
"""Rows in chunks, since a loop step per row would cost more than the work on it."""

EvalRecord = tuple[str, list[tuple[str, bytes]], tuple[bytes, ...], str | None]
"""A record as read: the ID of its EVAL, its peers as (system, text), its models, which may be
missing, and its cluster, if clusters are read."""

PlainRecords = tuple[list[str], list[bytes], list[list[bytes]]]
"""Records of a single system, each an EVAL of its own: the IDs, the peers, and for each position
of a model a list with that model of every record."""


def record_texts(inputs: InputOptions, metrics: MetricOptions) -> RecordTexts:
    """Return the reader of texts that the options call for."""
    return RecordTexts(
        inputs.sentence_separator,
        sentence_splitter(inputs.sentences),
        reads_json=inputs.references_json,
        # With a protocol, the package that it imitates decides about empty references.
        drops_blank=metrics.protocol is None,
    )


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A file of records, or a data frame.

    - `name`: its name in messages.
    - `unit`: what numbers of rows count: ``"line"``, ``"record"`` or ``"row"``.
    - `default_system`: the ID of the system if the records do not name it.
    - `opened`: a context manager that opens the file to read the fields that the options name. It
      yields the rows and, for CSV and TSV, the delimiter; otherwise None.
    - `given_name`: the name that the user gave to its only system (``NAME=FILE``), if any.
    """

    name: str
    unit: str
    default_system: str
    opened: Callable[[InputOptions], AbstractContextManager[tuple[Runs, str | None]]]
    given_name: str | None = None

    def place(self, number: int) -> str:
        """Return the place of a record in the file, such as ``"line 7"``."""
        return f"{self.unit} {number}"


def record_file(source: Source, form: str, *, has_others: bool = False) -> RecordFile:
    """Return a file of records; `form` is a key of `UNITS`.

    Its system is named by the user, otherwise after the stem of the file. `has_others` is whether
    the run reads other files too, which affects messages about the encoding.
    """
    name = source.file_system or stem_of(source.config or "") or DEFAULT_SYSTEM
    opened = partial(open_rows, source, form, has_others)
    return RecordFile(source.name, UNITS[form], name, opened, source.file_system)


@contextmanager
def open_rows(
    source: Source, form: str, has_others: bool, inputs: InputOptions
) -> Iterator[tuple[Runs, str | None]]:
    """Yield the rows of a file and the delimiter of a table; see `RecordFile.opened`.

    Raises InputError if the file cannot be opened, decoded or read in this format.
    """
    name, max_record = source.name, inputs.max_record
    if form == "PARQUET":
        from rouge_cli.inputs.records.tables import open_parquet, parquet_runs

        opened = open_parquet(source.config or "", EXPECTED, source.states, source.spools)
        with opened as stream:
            yield parquet_runs(stream, name, inputs), None
        return
    with source.opened(EXPECTED) as stream:
        head = head_of(stream)
        refuse_foreign(name, head)
        encoding = told_encoding(head, inputs.encoding_of(source.config or ""))
        is_usual = encoding in {None, "utf-8"} and not has_returns_alone(head)
        decoder = Decoder(
            *(name, None if encoding == "utf-8" else encoding, ADVICE),
            max_record=max_record,
            reads_returns=has_returns_alone(head),
            has_others=has_others,
        )
        if form == "JSONL" and is_usual:
            yield line_runs(stream, decoder), None
        elif form == "JSONL":
            in_utf8 = Decoder(name, None, ADVICE, max_record=max_record)
            yield line_runs(decoder.recoded(stream), in_utf8), None
        elif form == "JSON":
            yield runs_of(document_rows(decoder.document(stream), inputs)), None
        else:
            from rouge_cli.inputs.records.tables import found_delimiter, table_rows

            lines = decoder.lines(stream)
            # The header is the first line that is not blank.
            head_lines: list[str] = []
            for line in lines:
                head_lines.append(line)
                if not line.isspace():
                    break
            header = head_lines[-1] if head_lines else ""
            if told := _EXCEL_DELIMITER.fullmatch(header):
                # Keep a blank line in its place, so that line numbers stay correct.
                head_lines[-1] = "\n"
            likely = told[1] if told else found_delimiter(header, DELIMITERS[form])
            delimiter = inputs.delimiter or likely
            yield runs_of(table_rows(chain(head_lines, lines), delimiter, max_record)), delimiter


def runs_of(rows: Iterable[Row | RowProblem]) -> Runs:
    """Group rows into runs of `ROWS_AT_A_TIME`.

    If reading fails, the rows before the error are yielded before it is raised, so that their
    problems are reported too.
    """
    in_order = iter(rows)
    is_more = True
    while is_more:
        run: list[Row | RowProblem] = []
        try:
            run.extend(islice(in_order, ROWS_AT_A_TIME))
        except InputError:
            yield run
            raise
        is_more = bool(run)
        yield run


class JoinedReferences:
    """The references of a file (``--references-from``), by ID.

    Several records with the same ID are several references of one EVAL. All are kept in memory,
    because predictions come in any order. Raises InputError with all problems of the file.
    """

    def __init__(self, file: RecordFile, inputs: InputOptions, texts: RecordTexts) -> None:
        self.name = file.name
        self.id: str | None = None
        self._used: set[str] = set()
        # A reader needs a field of predictions, which this file lacks: name the references twice.
        of_file = replace(inputs, prediction=inputs.references, references_from=None)
        of_file = replace(of_file, records_at=None, system=None, run=None)
        self._by_id: dict[str, tuple[bytes, ...]] = {}
        problems = Problems(self.name)
        reader: RecordReader | None = None
        with file.opened(of_file) as (runs, _):
            for row in chain.from_iterable(only_rows(run, problems) for run in runs):
                place = file.place(row.number)
                if reader is None:
                    try:
                        fields = choose_references(row.record, inputs)
                    except ValueError as error:
                        raise InputError(f"{self.name}, {place}: {error}") from None
                    self.id = fields.id
                    reader = RecordReader(fields, file.default_system, texts)
                texts.number = row.number
                errors: list[ValueError] = []
                eval_id = read_or_none(errors, reader.eval_of, row.record, None)
                models = read_or_none(errors, reader.models_of, row.record)
                for reason in errors:
                    problems.add_error(place, reason)
                if eval_id is not None and models is not None:
                    self._by_id[eval_id] = self._by_id.get(eval_id, ()) + models
        problems.raise_any()
        if texts.drops_blank:
            # Drop blank texts, but keep one if all of them are blank.
            self._by_id = {
                eval_id: tuple(filter(bytes.strip, models)) or models[:1]
                for eval_id, models in self._by_id.items()
            }

    def check_id(self, name: str, path: str | None) -> None:
        """Raise InputError if one of the two files has IDs and the other does not.

        `path` is the field of IDs in file `name`, or None. Without IDs in both, records are joined
        by position.
        """
        if (path is None) != (self.id is None):
            with_ids, without = (self.name, name) if path is None else (name, self.name)
            raise InputError(
                f"{with_ids} has IDs, in field {path or self.id!r}, and {without} has none; name "
                "the field with --id"
            )

    def of(self, eval_id: str) -> tuple[bytes, ...]:
        """Return the references of an EVAL, and note that they are used.

        Raises FoundError, a ValueError, if there are none.
        """
        if not (models := self._by_id.get(eval_id, ())):
            known = next(iter(self._by_id), "")
            raise FoundError(
                f"text {eval_id}: no references in {self.name}, whose IDs are such as {known!r}",
                f"no references in {self.name}, whose IDs are such as {known!r}",
            )
        self._used.add(eval_id)
        return models

    def warnings(self) -> Sequence[str]:
        """Return a warning about references that no prediction used; call after reading."""
        unused = [eval_id for eval_id in self._by_id if eval_id not in self._used]
        if not unused:
            return ()
        ids = with_number(len(unused), "1 ID has", "{} IDs have")
        return (f"{self.name}: {ids} no prediction, the first {unused[0]}; not scored",)


class RecordFileReading:
    """The state of reading one file: the fields chosen, problems found, and facts for warnings.

    `number` is the position of the file among those of the run, from 0. `fields` and `reader` exist
    once `runs` has yielded records.
    """

    fields: RecordFields
    reader: RecordReader
    _later: LaterFields

    def __init__(
        self,
        number: int,
        file: RecordFile,
        inputs: InputOptions,
        metrics: MetricOptions,
        joined: JoinedReferences | None = None,
    ) -> None:
        self.number, self.file, self._joined = number, file, joined
        self.problems = Problems(file.name)
        self.texts = record_texts(inputs, metrics)
        self.n_humans = 0
        self.own_systems: set[str] = set()
        self._inputs, self._metrics = inputs, metrics
        self._delimiter: str | None = None

    def runs(self) -> Iterator[list[Row]]:
        """Yield the rows that are records, and collect the others in `problems`.

        The fields are chosen by the first record. Raises InputError if the file cannot be read, has
        no records, or lacks fields that can be predictions and references.
        """
        is_first = True
        with self.file.opened(self._inputs) as (runs, self._delimiter):
            for run in runs:
                if not (rows := only_rows(run, self.problems)):
                    continue
                if is_first:
                    # Choosing fields for each record could mix different fields in one score.
                    is_first = False
                    self.fields = fields = self._fields_of(rows[0])
                    if self._joined is not None:
                        self._joined.check_id(self.file.name, fields.id)
                    self._later = LaterFields(fields, rows[0].record)
                    self.reader = RecordReader(fields, self.file.default_system, self.texts)
                self._later.look(rows)
                yield rows
        if is_first and not self.problems:
            raise InputError(f"{self.file.name}: no records; expected at least one")

    @property
    def has_systems(self) -> bool:
        """Whether the records may belong to several systems."""
        fields = self.fields
        is_named = any(name is not None for name, _ in fields.predictions)
        return bool(fields.system or fields.run or is_named)

    def plain_records(self, rows: Sequence[Row]) -> PlainRecords | None:
        """Read records column by column; return None if one of them needs individual treatment.

        This succeeds for most files: a single system, texts that are plain strings, and equally
        many references in each record. It takes a third of the time of reading record by record,
        and makes a run on 100,000 records, with their scores, 1.9 times as fast.
        """
        fields, texts = self.fields, self.texts
        if self.has_systems or len(fields.references) != 1 or fields.cluster:
            return None
        try:
            ids = [row.record[fields.id] for row in rows] if fields.id else None
            peers = [row.record[fields.prediction] for row in rows]
            models = [row.record[fields.references[0]] for row in rows]
        except KeyError:
            return None
        if set(map(type, models)) == {list} and not fields.is_lone_model:
            counts = set(map(len, models))
            if len(counts) > 1 or counts == {0}:
                return None
            columns = list(map(list, zip(*models, strict=True)))
        else:
            columns = [models]
        read = [texts.usual(column) for column in (peers, *columns)]
        names = self.reader.next_evals(len(rows)) if ids is None else usual_ids(ids)
        in_bytes = [column for column in read if column is not None]
        if names is None or len(in_bytes) < len(read):
            return None
        if in_bytes[2:] and texts.drops_blank and not all(map(bytes.strip, chain(*in_bytes[1:]))):
            return None
        return names, in_bytes[0], in_bytes[1:]

    def record(self, row: Row) -> EvalRecord | None:
        """Read a record; collect all its problems, and return None if it cannot be used."""
        reader, fields = self.reader, self.fields
        self.texts.number, record = row.number, row.record
        # In such data sets, human summaries are records of their own among those of systems.
        if record.get("summarizer_type") == "reference" and fields.system == "summarizer_id":
            self.n_humans += 1
            return None
        errors: list[ValueError] = []
        system = read_or_none(errors, reader.system_of, record)
        eval_id = read_or_none(errors, reader.eval_of, record, system)
        peers = []
        for name, path in fields.predictions:
            peer = read_or_none(errors, reader.peer_of, record, path)
            of_peer = system
            if name is not None:
                of_peer = read_or_none(errors, reader.with_run, record, name)
            if peer is not None and of_peer is not None:
                self.own_systems.add(of_peer)
                peers.append((self.file.given_name or of_peer, peer))
        if self._joined is None:
            models = read_or_none(errors, reader.models_of, record)
        else:
            models = None if eval_id is None else read_or_none(errors, self._joined.of, eval_id)
        # A malformed cluster is reported, but does not exclude the record from the checks that
        # compare records of an EVAL.
        is_good = not errors
        cluster = read_or_none(errors, reader.cluster_of, record)
        for error in errors:
            self.problems.add_error(self.file.place(row.number), error)
        if not is_good or eval_id is None or models is None:
            return None
        return eval_id, peers, models, cluster

    def _fields_of(self, row: Row) -> RecordFields:
        file, delimiter = self.file, self._delimiter
        # A table with a single column was most likely split at the wrong delimiter.
        is_whole = delimiter is not None and len(row.record) == 1
        try:
            fields = choose_fields(row.record, self._inputs)
            if is_whole and not set(fields.paths) <= set(row.record):
                raise ValueError(f"a header of one field, {next(iter(row.record))!r}")
        except ValueError as error:
            place = f"{file.name}, {file.place(row.number)}"
            advice = shape_hint(row.record)
            if is_whole:
                other = f"something other than {delimiter!r} stands between fields"
                advice = f"; if {other}, give --delimiter{advice}"
            raise InputError(f"{place}: {error}{advice}") from None
        return replace(fields, unread=tuple(n for n in fields.unread if is_text(row.record[n])))

    def note(self) -> str:
        """Return a sentence about the fields and the delimiter, for users who ask for notes."""
        between = "" if self._delimiter is None else f"; delimiter {self._delimiter!r}"
        return f"{self.file.name}: {self.fields.description}{between}"

    def warnings(self) -> Iterator[str]:
        """Yield warnings about fields and texts; call after reading."""
        file, fields, texts = self.file, self.fields, self.texts
        if both := [path for _, path in fields.predictions if path in fields.references]:
            yield (
                f"{file.name}: field {both[0]!r} is read as prediction and as references: each "
                "text is measured against itself; name another field with --prediction or "
                "--references"
            )
        if fields.unread:
            are = "field {} is" if len(fields.unread) == 1 else "fields {} are"
            yield (
                f"{file.name}: {are.format(', '.join(map(repr, fields.unread)))} not read, though "
                f"texts often have such names: read are {fields.of_texts}; name others with "
                "--prediction and --references"
            )
        for name, number in self._later.found.items():
            yield (
                f"{file.name}: field {name!r} is not read: it first occurs in "
                f"{file.place(number)}, and the first record says what is read, "
                f"{fields.description}; give every record the same fields, or name those to read "
                "with --prediction, --references, --id and --system"
            )
        for oddity, (singular, plural, where) in ODDITIES.items():
            if oddity in texts.odd:
                n_texts, first = texts.odd[oddity]
                are = with_number(n_texts, singular, plural)
                yield f"{file.name}: {are} {where.format(file.place(first))}"
        if self.n_humans:
            are = with_number(self.n_humans, "1 record is a reference", "{} records are references")
            yield (
                f"{file.name}: {are}, as 'summarizer_type' says, and not scored as systems; "
                "--jackknife --humans scores each reference against the others"
            )
        separator = self._inputs.sentence_separator
        is_split = self._inputs.sentences is not None or separator is None
        if not is_split and are_sentences_read(self._metrics) and UNSEPARATED in texts.odd:
            n_texts, first = texts.odd[UNSEPARATED]
            first_line = first if file.unit == "line" else None
            yield from unsplit_warnings(file.name, texts.n_strings, n_texts, first_line, separator)
