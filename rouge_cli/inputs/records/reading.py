"""A file of records: opened, decoded, and read record by record.

References may be in a file of their own (``--references-from``), joined by ID.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from typing import NamedTuple

from rouge_cli.errors import FoundError, InputError, OptionError, Problems
from rouge_cli.escapes import escaped
from rouge_cli.inputs.decoding import Decoder, has_returns_alone, head_of, told_encoding
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM, in_byte_order
from rouge_cli.inputs.files import stem_of
from rouge_cli.inputs.records.json_rows import document_rows, line_runs, shape_hint
from rouge_cli.inputs.records.rows import (
    LaterFields,
    Origin,
    RecordFields,
    Row,
    RowProblem,
    choose_fields,
    choose_references,
    is_text,
)
from rouge_cli.inputs.records.values import (
    RecordReader,
    RecordTexts,
    present,
    read_or_none,
    usual_ids,
)
from rouge_cli.inputs.sentences import (
    Tally,
    are_sentences_read,
    sentence_splitter,
    unsplit_warnings,
)
from rouge_cli.inputs.source import Source, refuse_foreign
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass

EXPECTED = "a file of records"
ADVICE = "name the encoding of the file with --encoding"
UNITS = {"JSONL": "line", "JSON": "record", "CSV": "line", "TSV": "line", "PARQUET": "record"}
DELIMITERS = {"CSV": ",", "TSV": "\t"}

_EXCEL_DELIMITER = re.compile(r'"?sep=(.)"?[ \t]*\r?\n?')
"""The first line of a table, by which Excel knows what stands between fields."""

ROWS_AT_A_TIME = 256

Runs = Iterable[list[Row | RowProblem]]


def record_texts(inputs: InputOptions, metrics: MetricOptions) -> RecordTexts:
    """Return a reader of texts as options say."""
    return RecordTexts(
        inputs.sentence_separator,
        sentence_splitter(inputs.sentences),
        reads_json=inputs.references_json,
        # Of a protocol, the package decides.
        drops_blank=metrics.protocol is None,
    )


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A file of records, or a data frame.

    - `default_system`: the system, if the records do not name it.
    - `opened`: opens it to read what options say; yields its rows, and the delimiter of a table,
      None for other formats.
    - `given_name`: the user's name of its only system, if there is one.
    """

    origin: Origin
    default_system: str
    opened: Callable[[InputOptions], AbstractContextManager[tuple[Runs, str | None]]]
    given_name: str | None = None


def record_file(source: Source, form: str, *, has_others: bool = False) -> RecordFile:
    """Return a file of records; `form` is ``"JSONL"``, ``"JSON"``, ``"CSV"``, ``"PARQUET"`` ...

    Its system has the user's name, or the stem of the file. With `has_others`, the run reads other
    files too.
    """
    name = source.file_system or stem_of(source.config or "") or DEFAULT_SYSTEM
    opened = partial(open_rows, source, form, has_others)
    return RecordFile(Origin(source.name, UNITS[form]), name, opened, source.file_system)


@contextmanager
def open_rows(
    source: Source, form: str, has_others: bool, inputs: InputOptions
) -> Iterator[tuple[Runs, str | None]]:
    """Open a file, and yield its rows and the delimiter of a table; raises InputError."""
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
        if form == "JSONL":
            if is_usual:
                yield line_runs(stream, decoder, max_record), None
            else:
                in_utf8 = Decoder(name, None, ADVICE, max_record=max_record)
                yield line_runs(decoder.recoded(stream), in_utf8, max_record), None
        elif form == "JSON":
            yield runs_of(document_rows(decoder.document(stream), inputs)), None
        else:
            from rouge_cli.inputs.records.tables import found_delimiter, table_rows

            lines = decoder.lines(stream)
            # The header is the first line that is not blank.
            head_lines: list[str] = []
            header = ""
            for header in lines:
                head_lines.append(header)
                if not header.isspace():
                    break
            if told := _EXCEL_DELIMITER.fullmatch(header):
                # The line stays as a blank one, so that numbers of lines are right.
                head_lines[-1] = "\n"
                delimiter = inputs.delimiter or told[1]
            else:
                delimiter = inputs.delimiter or found_delimiter(header, DELIMITERS[form])
            rows = table_rows(chain(head_lines, lines), delimiter, max_record)
            yield runs_of(rows), delimiter


def runs_of(rows: Iterable[Row | RowProblem]) -> Runs:
    """Return rows, some at a time; those before an error come first."""
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


class ReadRecord(NamedTuple):
    """The EVAL of a record, the peers by system, the models, perhaps none, and the cluster."""

    eval_id: str
    peers: list[tuple[str, bytes]]
    models: tuple[bytes, ...]
    cluster: str | None


class UsualRecords(NamedTuple):
    """Records of one system, an EVAL each: their IDs, the peers, and columns of models."""

    eval_ids: list[str]
    peers: list[bytes]
    models: list[list[bytes]]


class JoinedReferences:
    """The references of a file, by ID; several records of an ID are several references."""

    def __init__(self, file: RecordFile, inputs: InputOptions, texts: RecordTexts) -> None:
        self.name = file.origin.name
        self.id: str | None = None
        self._used: set[str] = set()
        # One field is read as both, as only the references are wanted.
        of_file = replace(inputs, prediction=inputs.references, references_from=None)
        of_file = replace(of_file, records_at=None, system=None, run=None)
        self._by_id: dict[str, tuple[bytes, ...]] = {}
        problems = Problems(self.name)
        reader: RecordReader | None = None
        with file.opened(of_file) as (runs, _):
            for row in chain.from_iterable(runs):
                if isinstance(row, RowProblem):
                    problems.add(
                        row.place, "; ".join(filter(None, (row.text, row.advice))), row.kind
                    )
                    continue
                place = file.origin.place(row.number)
                if reader is None:
                    fields = self._fields(row.record, inputs, place)
                    self.id = fields.id
                    reader = RecordReader(fields, file.default_system, texts)
                texts.number = row.number
                errors: list[ValueError] = []
                eval_id = read_or_none(errors, reader.eval_of, row.record, None)
                models = read_or_none(errors, reader.models_of, row.record)
                for error in errors:
                    problems.add_error(place, error)
                if eval_id is not None and models is not None:
                    self._by_id[eval_id] = self._by_id.get(eval_id, ()) + models
        problems.raise_any()
        if texts.drops_blank:
            self._by_id = {key: tuple(present(models)) for key, models in self._by_id.items()}

    def _fields(
        self, names: Mapping[str, object], inputs: InputOptions, place: str
    ) -> RecordFields:
        try:
            return choose_references(names, inputs)
        except ValueError as error:
            raise InputError(f"{self.name}, {place}: {error}") from None

    def check_id(self, name: str, path: str | None) -> None:
        """Refuse to join IDs with positions; raises InputError. `path` is that of file `name`."""
        if (path is None) != (self.id is None):
            with_ids, without = (self.name, name) if path is None else (name, self.name)
            raise InputError(
                f"{with_ids} has IDs, in field {path or self.id!r}, and {without} has none; name "
                "the field with --id"
            )

    def of(self, eval_id: str) -> tuple[bytes, ...]:
        """Return the references of an EVAL; raises ValueError if there are none."""
        if not (models := self._by_id.get(eval_id, ())):
            known = next(iter(self._by_id), "")
            raise FoundError(
                f"text {eval_id}: no references in {self.name}, whose IDs are such as {known!r}",
                f"no references in {self.name}, whose IDs are such as {known!r}",
            )
        self._used.add(eval_id)
        return models

    def warnings(self) -> Sequence[str]:
        """Return a warning about references without a prediction."""
        unused = [eval_id for eval_id in self._by_id if eval_id not in self._used]
        if not unused:
            return ()
        ids = "1 ID has" if len(unused) == 1 else f"{len(unused)} IDs have"
        return (f"{self.name}: {ids} no prediction, the first {unused[0]}; not scored",)


class RecordFileReading:
    """A file while its records are read: number `number` of all."""

    def __init__(
        self,
        number: int,
        file: RecordFile,
        inputs: InputOptions,
        metrics: MetricOptions,
        joined: JoinedReferences | None = None,
    ) -> None:
        self.number, self.file, self._joined = number, file, joined
        self.problems = Problems(file.origin.name)
        self.fields: RecordFields | None = None
        self.texts = record_texts(inputs, metrics)
        self.n_humans = 0
        self._inputs, self._metrics = inputs, metrics
        self._delimiter: str | None = None
        self._later: LaterFields | None = None
        self._reader: RecordReader | None = None
        self.own_systems: set[str] = set()

    def runs(self) -> Iterator[list[Row]]:
        """Yield the records; what is no record goes to `problems`. Raises InputError."""
        with self.file.opened(self._inputs) as (runs, self._delimiter):
            for run in runs:
                rows: list[Row] = []
                for row in run:
                    if isinstance(row, Row):
                        rows.append(row)
                        continue
                    problem = "; ".join(filter(None, (row.text, row.advice)))
                    self.problems.add(row.place, problem, row.kind)
                if rows and self._later is None:
                    # The fields of the first record hold for all.
                    self.fields = fields = self._fields_of(rows[0])
                    if self._joined is not None:
                        self._joined.check_id(self.file.origin.name, fields.id)
                    self._later = LaterFields(fields, rows[0].record)
                    self._reader = RecordReader(fields, self.file.default_system, self.texts)
                if rows and self._later is not None:
                    self._later.look(rows)
                    yield rows
        if self._reader is None and not self.problems:
            raise InputError(f"{self.file.origin.name}: no records; expected at least one")

    @property
    def has_systems(self) -> bool:
        """Whether the records may be of several systems."""
        fields = self.fields
        return fields is None or bool(
            fields.system or fields.run or any(name is not None for name, _ in fields.predictions)
        )

    def usual(self, rows: Sequence[Row]) -> UsualRecords | None:
        """Read records of one system as most files have them; None if one has to be looked at.

        This takes a third of the time of reading record by record, and makes 100,000 of them, with
        their scores, 1.9 times as fast.
        """
        fields, texts = self.fields, self.texts
        if fields is None or self.has_systems or len(fields.references) != 1 or fields.cluster:
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
        if ids is None:
            names = self._reader.next_evals(len(rows)) if self._reader and all(read) else None
        else:
            names = usual_ids(ids)
        if names is None or any(column is None for column in read):
            return None
        in_bytes = [column for column in read if column is not None]
        if in_bytes[2:] and texts.drops_blank and not all(map(bytes.strip, chain(*in_bytes[1:]))):
            return None
        return UsualRecords(names, in_bytes[0], in_bytes[1:])

    def take(self, usual: UsualRecords) -> None:
        """Count records that were read as usual ones."""
        if self._reader is not None:
            self._reader.skip(len(usual.peers))

    def record(self, row: Row) -> ReadRecord | None:
        """Read a record; report all its problems, and return None if it cannot be used."""
        reader, fields = self._reader, self.fields
        if reader is None or fields is None:
            return None
        self.texts.number, record = row.number, row.record
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
        is_good = not errors
        cluster = read_or_none(errors, reader.cluster_of, record)
        for error in errors:
            self.problems.add_error(self.file.origin.place(row.number), error)
        if not is_good or eval_id is None or models is None:
            return None
        return ReadRecord(eval_id, peers, models, cluster)

    def check_name(self) -> None:
        """Refuse a name for a file of several systems; raises OptionError."""
        name, systems = self.file.given_name, in_byte_order(self.own_systems)
        if name is not None and len(systems) > 1:
            raise OptionError(
                f"{name}={self.file.origin.name}: the file has several systems, "
                f"{', '.join(map(escaped, systems))}; NAME=FILE is for a file of one"
            )

    def _fields_of(self, row: Row) -> RecordFields:
        origin, delimiter = self.file.origin, self._delimiter
        is_whole = delimiter is not None and len(row.record) == 1
        try:
            fields = choose_fields(row.record, self._inputs)
            if is_whole and not set(fields.paths) <= set(row.record):
                raise ValueError(f"a header of one field, {next(iter(row.record))!r}")
        except ValueError as error:
            advice = (
                f"if something other than {delimiter!r} stands between fields, give --delimiter"
            )
            place = f"{origin.name}, {origin.place(row.number)}"
            hint = shape_hint(row.record)
            raise InputError(f"{place}: {error}{f'; {advice}' * is_whole}{hint}") from None
        return replace(fields, unread=tuple(n for n in fields.unread if is_text(row.record[n])))

    def note(self) -> str:
        """Say how the file was read."""
        between = "" if self._delimiter is None else f"; delimiter {self._delimiter!r}"
        description = "" if self.fields is None else self.fields.description
        return f"{self.file.origin.name}: {description}{between}"

    def warnings(self) -> Iterator[str]:
        """Yield warnings about fields and texts."""
        if self.fields is None or self._later is None:
            return
        yield from _field_warnings(self.file.origin.name, self.fields)
        yield from _later_warnings(self.file.origin, self.fields, self._later)
        yield from _list_warnings(self.file.origin, self.texts)
        if self.n_humans:
            records = (
                "1 record is a reference"
                if self.n_humans == 1
                else f"{self.n_humans} records are references"
            )
            yield (
                f"{self.file.origin.name}: {records}, as 'summarizer_type' says, and not scored as "
                "systems; --jackknife --humans scores each reference against the others"
            )
        if self._inputs.sentences is None and are_sentences_read(self._metrics):
            yield from self._sentence_warnings()

    def _sentence_warnings(self) -> Iterator[str]:
        origin, texts, separator = self.file.origin, self.texts, self._inputs.sentence_separator
        if separator is None:
            return iter(())
        first_line = texts.first_unseparated if origin.unit == "line" else None
        tally = Tally(origin.name, texts.n_strings, texts.n_unseparated, first_line)
        return unsplit_warnings([tally], separator)


def _field_warnings(name: str, fields: RecordFields) -> Iterator[str]:
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
    for name, number in later.found.items():
        yield (
            f"{origin.name}: field {name!r} is not read: it first occurs in "
            f"{origin.place(number)}, and the first record says what is read, "
            f"{fields.description}; give every record the same fields, or name those to read with "
            "--prediction, --references, --id and --system"
        )


def _list_warnings(origin: Origin, texts: RecordTexts) -> Iterator[str]:
    """Warn of lists that were written out, as pandas does in a table, and of absent references."""
    if texts.n_absent:
        are = "1 empty reference" if texts.n_absent == 1 else f"{texts.n_absent} empty references"
        yield (
            f"{origin.name}: {are} beside others, the first at {origin.place(texts.first_absent)}: "
            "absent, and not counted as references"
        )
    if texts.n_json_lists:
        lists = "1 field of references is a JSON list"
        if texts.n_json_lists > 1:
            lists = f"{texts.n_json_lists} fields of references are JSON lists"
        yield (
            f"{origin.name}: {lists} in a string, the first at "
            f"{origin.place(texts.first_json_list)}: each counts as one text; give "
            "--references-json to read each string of a list as a reference"
        )
    if texts.n_lists:
        lists = "1 text is a list" if texts.n_lists == 1 else f"{texts.n_lists} texts are lists"
        yield (
            f"{origin.name}: {lists} written as a string, the first at "
            f"{origin.place(texts.first_list)}: each counts as one text; save lists as JSONL or "
            "Parquet, or each reference in a field of its own"
        )
