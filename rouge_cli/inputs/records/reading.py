"""Files of records to batches: open them, decode them, read their rows, group these to EVALs.

Records of the same ID are one EVAL. Of several files each has a system, or some, of the same EVALs.
"""

import os
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from typing import NamedTuple

from rouge_cli.errors import FoundError, InputError, OptionError, Problems
from rouge_cli.escapes import escaped
from rouge_cli.inputs.batch import Batch, BatchMaker
from rouge_cli.inputs.decoding import Decoder
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM, EvalIds, in_byte_order
from rouge_cli.inputs.files import stem_of
from rouge_cli.inputs.index import Index, Input
from rouge_cli.inputs.records.json_rows import document_rows, line_runs
from rouge_cli.inputs.records.rows import (
    LaterFields,
    Origin,
    RecordFields,
    Row,
    RowProblem,
    choose_fields,
    is_text,
)
from rouge_cli.inputs.records.values import RecordReader, RecordTexts, read_or_none, usual_ids
from rouge_cli.inputs.sentences import (
    Tally,
    are_sentences_read,
    known_separator_warnings,
    sentence_splitter,
    unsplit_warnings,
)
from rouge_cli.inputs.source import Source, no_file
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

EVALS_OF_PASS = 1 << 15
"""EVALs whose references are held while records without any look for theirs."""

_SAME = "expected the same for every system of an EVAL"

Runs = Iterable[list[Row | RowProblem]]
"""The rows of a file, some at a time."""


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


def record_file(source: Source, form: str) -> RecordFile:
    """Return a file of records; `form` is ``"JSONL"``, ``"JSON"``, ``"CSV"``, ``"PARQUET"`` ...

    Its system is called by the user's name, or by the file's stem.
    """
    name = source.file_system or stem_of(source.config or "") or DEFAULT_SYSTEM
    opened = partial(open_rows, source, form)
    return RecordFile(Origin(source.name, UNITS[form]), name, opened, source.file_system)


@contextmanager
def open_rows(source: Source, form: str, inputs: InputOptions) -> Iterator[tuple[Runs, str | None]]:
    """Open a file, and yield its rows and the delimiter of a table; raises InputError."""
    name, max_record = source.name, inputs.max_record
    decoder = Decoder(name, inputs.encoding, ADVICE, max_record=max_record)
    if form == "PARQUET":
        from rouge_cli.inputs.records.tables import open_parquet, parquet_runs

        opened = open_parquet(source.config or "", EXPECTED, source.states, source.spools)
        with opened as stream:
            yield parquet_runs(stream, name, inputs), None
        return
    with source.opened(EXPECTED) as stream:
        if form == "JSONL":
            if inputs.encoding is None:
                yield line_runs(stream, decoder, max_record), None
            else:
                in_utf8 = Decoder(name, None, ADVICE, max_record=max_record)
                yield line_runs(decoder.recoded(stream), in_utf8, max_record), None
        elif form == "JSON":
            yield runs_of(document_rows(decoder.document(stream), inputs)), None
        else:
            from rouge_cli.inputs.records.tables import found_delimiter, table_rows

            lines = decoder.lines(stream)
            # Before the header there are only blank lines.
            head = list(_through_first(lines))
            header = head[-1] if head else ""
            delimiter = inputs.delimiter or found_delimiter(header, DELIMITERS[form])
            rows = table_rows(chain(head, lines), delimiter, max_record)
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


def _through_first(lines: Iterator[str]) -> Iterator[str]:
    """Yield lines until one is not blank, with that one."""
    for line in lines:
        yield line
        if not line.isspace():
            return


class _Record(NamedTuple):
    """The EVAL of a record, the peers by system, the models, perhaps none, and the cluster."""

    eval_id: str
    peers: list[tuple[str, bytes]]
    models: tuple[bytes, ...]
    cluster: str | None


class _Usual(NamedTuple):
    """Records of one system, an EVAL each: their IDs, the peers, and columns of models."""

    eval_ids: list[str]
    peers: list[bytes]
    models: list[list[bytes]]


class RecordInput(Input):
    """Files of records; of a single one perhaps only the system `system_id` is scored.

    `fields_of` reads the filters of a page once the index is complete, and warns of them.
    """

    def __init__(
        self,
        files: Sequence[RecordFile],
        inputs: InputOptions,
        metrics: MetricOptions,
        system_id: str | None = None,
        fields_of: Callable[[Index], None] | None = None,
    ) -> None:
        super().__init__(Index(", ".join(file.origin.name for file in files)))
        self._files, self._inputs, self._metrics = files, inputs, metrics
        self._system_id, self._fields_of = system_id, fields_of

    def read(self, index: Index) -> Iterator[Batch]:
        """Read record after record, and in the end those that lack references."""
        groups = _Groups(index, None if self._inputs.all else self._system_id)
        lines: list[str] = []
        readings: list[RecordFileReading] = []
        for number, file in enumerate(self._files):
            reading = RecordFileReading(number, file, self._inputs, self._metrics)
            readings.append(reading)
            yield from self._read_file(reading, groups, lines)
        if lines := lines or groups.problems(readings):
            raise InputError(lines)
        index.eval_ids, index.clusters = groups.ids.ids(), groups.clusters
        index.order = self._order(groups, readings)
        index.has_lists = any(reading.texts.has_lists for reading in readings)
        index.notes += (reading.note() for reading in readings)
        index.warnings += chain.from_iterable(reading.warnings() for reading in readings)
        yield from self._late(groups)
        if self._fields_of is not None and index is self.index:
            self._fields_of(index)

    def _read_file(
        self, reading: "RecordFileReading", groups: "_Groups", lines: list[str]
    ) -> Iterator[Batch]:
        """Read a file; its problems go to `lines`, after which nothing is yielded."""
        problems, origin, maker = reading.problems, reading.file.origin, BatchMaker()
        numbers: list[int] = []
        try:
            for rows in reading.runs():
                maker.has_keys = len(self._files) > 1 or reading.has_systems
                if (usual := reading.usual(rows)) is not None and groups.add_usual(
                    maker, reading, rows, usual
                ):
                    numbers += [row.number for row in rows]
                else:
                    for row in rows:
                        if (record := reading.record(row)) is None:
                            continue
                        is_new, errors = groups.add(maker, reading, row.number, record)
                        for error in errors:
                            problems.add_error(origin.place(row.number), error)
                        if is_new:
                            numbers.append(row.number)
                if maker.is_full:
                    batch, numbers = maker.take(partial(_place, origin, numbers)), []
                    if not (problems or lines):
                        yield batch
        except InputError as error:
            problems.extend(error.problems)
        lines += problems.lines()
        if maker and not lines:
            yield maker.take(partial(_place, origin, numbers))

    def _late(self, groups: "_Groups") -> Iterator[Batch]:
        """Read again for records without references, which others of their EVALs have."""
        in_order = sorted(groups.late)
        for start in range(0, len(in_order), EVALS_OF_PASS):
            rows = frozenset(in_order[start : start + EVALS_OF_PASS])
            models: dict[int, tuple[bytes, ...]] = {}
            late: list[tuple[int, str, Origin, int, _Record]] = []
            for number, file in enumerate(self._files):
                reading = RecordFileReading(number, file, self._inputs, self._metrics)
                for row in chain.from_iterable(reading.runs()):
                    record = reading.record(row)
                    if record is None or (place := groups.ids.row(record.eval_id)) not in rows:
                        continue
                    if record.models:
                        models.setdefault(place, record.models)
                    else:
                        late.append((place, record.eval_id, file.origin, row.number, record))
            has_keys = len(self._files) > 1 or reading.has_systems
            maker, places = BatchMaker(has_keys=has_keys), list[tuple[Origin, int]]()
            for place, eval_id, origin, line, record in late:
                wanted = [peer for peer in record.peers if groups.is_wanted(peer[0])]
                systems = [groups.number(system) for system, _ in wanted]
                peers = [peer for _, peer in wanted]
                if peers:
                    own = models[place]
                    maker.add(place, eval_id, own, systems, peers, repeated=range(len(own)))
                    places.append((origin, line))
                if maker.is_full:
                    yield maker.take(partial(_late_place, places))
                    places = []
            if maker:
                yield maker.take(partial(_late_place, places))

    def _order(self, groups: "_Groups", readings: Sequence["RecordFileReading"]) -> tuple[str, ...]:
        """Return the systems to score, file by file in byte order; raises OptionError."""
        for reading in readings:
            reading.check_name()
        known = tuple(chain.from_iterable(in_byte_order(of_file) for of_file in groups.systems))
        if self._system_id is None:
            return known
        if self._system_id not in known:
            if os.path.lexists(self._system_id):
                raise OptionError(no_file(self._system_id))
            raise OptionError(
                f"{self._system_id!r} is neither a file nor a system of {self.index.name}; its "
                f"systems are: {', '.join(map(escaped, known))}; to name the only system of a "
                "file, give NAME=FILE"
            )
        return known if self._inputs.all else (self._system_id,)


def _place(origin: Origin, numbers: Sequence[int], group: int, rank: int) -> str:
    """Name a record; see `rouge_cli.inputs.batch.Places`."""
    return f"{origin.name}, {origin.place(numbers[group])}"


def _late_place(places: Sequence[tuple[Origin, int]], group: int, rank: int) -> str:
    """Name a record that lacks references."""
    origin, number = places[group]
    return f"{origin.name}, {origin.place(number)}"


class RecordFileReading:
    """A file while its records are read: number `number` of all."""

    def __init__(
        self, number: int, file: RecordFile, inputs: InputOptions, metrics: MetricOptions
    ) -> None:
        self.number, self.file = number, file
        self.problems = Problems(file.origin.name)
        self.fields: RecordFields | None = None
        self.texts = RecordTexts(
            inputs.sentence_separator,
            sentence_splitter(inputs.sentences),
            reads_json=inputs.references_json,
        )
        self._inputs, self._metrics = inputs, metrics
        self._delimiter: str | None = None
        self._later: LaterFields | None = None
        self._reader: RecordReader | None = None
        self.own_systems: set[str] = set()
        self._sample: list[bytes] = []
        self._n_texts = 0

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
        return fields is None or bool(fields.system or fields.run or fields.predictions[1:])

    def usual(self, rows: Sequence[Row]) -> _Usual | None:
        """Read records of one system as most files have them; None if one has to be looked at.

        This takes a third of the time of reading record by record, and makes 100,000 of them, with
        their scores, 1.9 times as fast.
        """
        fields, texts = self.fields, self.texts
        if fields is None or self.has_systems or fields.references[1:] or fields.cluster:
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
        self._n_texts += len(rows) * len(in_bytes)
        if len(self._sample) < TEXTS_TO_LOOK_AT:
            self._sample += chain.from_iterable(zip(*in_bytes, strict=True))
        return _Usual(names, in_bytes[0], in_bytes[1:])

    def record(self, row: Row) -> _Record | None:
        """Read a record; report all its problems, and return None if it cannot be used."""
        reader, fields = self._reader, self.fields
        if reader is None or fields is None:
            return None
        self.texts.number, record = row.number, row.record
        errors: list[ValueError] = []
        system = read_or_none(errors, reader.system_of, record)
        eval_id = read_or_none(errors, reader.eval_of, record, system)
        peers = []
        for name, path in fields.predictions:
            peer = read_or_none(errors, reader.peer_of, record, path)
            own = system if name is None else read_or_none(errors, reader.with_run, record, name)
            if peer is not None and own is not None:
                self.own_systems.add(own)
                peers.append((self.file.given_name or own, peer))
        models = read_or_none(errors, reader.models_of, record)
        is_good = not errors
        cluster = read_or_none(errors, reader.cluster_of, record)
        for error in errors:
            self.problems.add_error(self.file.origin.place(row.number), error)
        if not is_good or eval_id is None or models is None:
            return None
        self._n_texts += len(peers) + len(models)
        if len(self._sample) < TEXTS_TO_LOOK_AT:
            self._sample += (*(peer for _, peer in peers), *models)
        return _Record(eval_id, peers, models, cluster)

    def check_name(self) -> None:
        """Refuse a name for a file of several systems; raises OptionError."""
        name, systems = self.file.given_name, in_byte_order(self.own_systems)
        if name is not None and len(systems) > 1:
            raise OptionError(
                f"{name}={self.file.origin.name}: the file has several systems, "
                f"{', '.join(map(escaped, systems))}; NAME=FILE is for a file of one"
            )

    def _fields_of(self, row: Row) -> RecordFields:
        """Choose the fields; raises InputError."""
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
            raise InputError(f"{place}: {error}{f'; {advice}' * is_whole}") from None
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
        if self._inputs.sentences is None and are_sentences_read(self._metrics):
            yield from self._sentence_warnings()

    def _sentence_warnings(self) -> Iterator[str]:
        """Warn of texts whose sentences may not have been told apart."""
        origin, texts, separator = self.file.origin, self.texts, self._inputs.sentence_separator
        if separator is None:
            sample = self._sample[:TEXTS_TO_LOOK_AT]
            return known_separator_warnings({origin.name: sample}, self._n_texts)
        first_line = texts.first_unseparated if origin.unit == "line" else None
        tally = Tally(origin.name, texts.n_strings, texts.n_unseparated, first_line)
        return unsplit_warnings([tally], separator)


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


class _Groups:
    """The EVALs of all files, to which records are added; the texts are not kept.

    - `only`: the only system to score, if there is one.
    - `systems`: those of each file.
    - `late`: the rows of EVALs with a record to score that lacks references.
    """

    def __init__(self, index: Index, only: str | None) -> None:
        self.ids = EvalIds()
        self.clusters: dict[str, str] = {}
        self.systems: list[set[str]] = []
        self.late: set[int] = set()
        self._index, self._only = index, only
        self._numbers: dict[str, int] = {}
        self._file_of_system: dict[str, int] = {}
        self._conflicts: dict[str, None] = {}
        # Of each row the file and the record, of its first record or that which has the models, and
        # a digest of these, 0 without any: 64 bits, as texts are not kept.
        self._files, self._records, self._digests = array("H"), array("q"), array("q")
        self._origins: list[Origin] = []
        # Of each system the number of the record of each row plus 1; 0 without any.
        self._peers: dict[str, array[int]] = {}

    def add(
        self, maker: BatchMaker, reading: RecordFileReading, number: int, record: _Record
    ) -> tuple[bool, list[FoundError]]:
        """Add a record; return whether it goes to `maker`, and what is wrong with it."""
        self._begin(reading)
        if reading.file.given_name is not None and len(reading.own_systems) > 1:
            # The name cannot be given to several systems, as will be said.
            return False, []
        row = self.ids.row(record.eval_id)
        if row == len(self._digests):
            self._files.append(reading.number)
            self._records.append(number)
            self._digests.append(0)
        errors = list(self._cluster_errors(row, record, reading))
        systems: list[int] = []
        peers: list[bytes] = []
        for system, peer in record.peers:
            if (error := self._peer_error(row, record, system, number, reading)) is not None:
                errors.append(error)
            elif self.is_wanted(system):
                systems.append(self.number(system))
                peers.append(peer)
        if not record.models:
            if peers:
                self.late.add(row)
            return False, errors
        digest, known = hash(record.models) or 1, self._digests[row]
        if not known:
            self._files[row], self._records[row] = reading.number, number
            self._digests[row] = digest
        elif known != digest:
            errors.append(
                FoundError(
                    f"EVAL {record.eval_id}: other references than in {self._place(row)}; {_SAME}",
                    f"other references than an earlier record of the EVAL has; {_SAME}",
                )
            )
        if peers:
            repeated = range(len(record.models) if known else 0)
            maker.add(row, record.eval_id, record.models, systems, peers, repeated=repeated)
        return bool(peers), errors

    def add_usual(
        self, maker: BatchMaker, reading: RecordFileReading, rows: Sequence[Row], usual: _Usual
    ) -> bool:
        """Add records that `RecordFileReading.usual` read; False if one has to be looked at."""
        system = reading.file.given_name or reading.file.default_system
        file = reading.number
        if not self.is_wanted(system) or self._file_of_system.get(system, file) != file:
            return False
        first = len(self.ids)
        if not self.ids.add_new(usual.eval_ids):
            return False
        self._begin(reading)
        self._file_of_system[system] = file
        self.systems[file].add(system)
        reading.own_systems.add(reading.file.default_system)
        numbers = [row.number for row in rows]
        self._files.fromlist([file] * len(rows))
        self._records.fromlist(numbers)
        self._digests.fromlist([hash(x) or 1 for x in zip(*usual.models, strict=True)])
        column = self._peers.setdefault(system, array("q"))
        column.frombytes(bytes(8 * (first - len(column))))
        column.fromlist([number + 1 for number in numbers])
        # The only system has the number 0, or this is not the first file.
        if self.number(system):
            number = self.number(system)
            for row, eval_id, peer, *own in zip(
                range(first, first + len(rows)),
                usual.eval_ids,
                usual.peers,
                *usual.models,
                strict=True,
            ):
                maker.add(row, eval_id, own, [number], [peer])
        else:
            maker.add_many(first, usual.eval_ids, usual.models, [usual.peers])
        return True

    def is_wanted(self, system: str) -> bool:
        """Return whether a system is scored."""
        return self._only is None or system == self._only

    def _begin(self, reading: RecordFileReading) -> None:
        """Make room for a file."""
        if reading.number == len(self._origins):
            self._origins.append(reading.file.origin)
            self.systems.append(set())

    def number(self, system: str) -> int:
        """Return the number of a system, a new one at its first appearance."""
        if (number := self._numbers.get(system)) is None:
            number = self._numbers[system] = len(self._numbers)
            self._index.systems.append(system)
        return number

    def problems(self, readings: Sequence[RecordFileReading]) -> list[str]:
        """Return what is wrong with the files together, or with EVALs that lack references."""
        if lines := [*self._conflicts, *_id_problems(readings)]:
            return lines
        if all(self._digests):
            return []
        ids, problems = self.ids.ids(), [reading.problems for reading in readings]
        for row, digest in enumerate(self._digests):
            if not digest:
                reading = readings[self._files[row]]
                names = " or ".join(map(repr, reading.fields.references if reading.fields else ()))
                problem = f"no references in field {names}; expected at least one"
                place = reading.file.origin.place(self._records[row])
                reading.problems.add(place, f"EVAL {ids[row]}: {problem}", problem)
        return [line for of_file in problems for line in of_file.lines()]

    def _peer_error(
        self, row: int, record: _Record, system: str, number: int, reading: RecordFileReading
    ) -> FoundError | None:
        """Note the peer of a system in an EVAL; return an error if there is one already."""
        name, file = reading.file.origin.name, reading.number
        if (other := self._file_of_system.setdefault(system, file)) != file:
            self._conflicts[
                f"{self._origins[other].name} and {name} both have a system {escaped(system)}; "
                "expected each system in one file; NAME=FILE names the only system of a file"
            ] = None
            return None
        self.systems[reading.number].add(system)
        column = self._peers.setdefault(system, array("q"))
        if row >= len(column):
            column.frombytes(bytes(8 * (row + 1 - len(column))))
        if not column[row]:
            column[row] = number + 1
            return None
        place = f"{name}, {reading.file.origin.place(column[row] - 1)}"
        which, expected = f"EVAL {record.eval_id}", "one record for each EVAL and system"
        if reading.fields is not None and reading.fields.system is None:
            expected = "each ID once; if there are several systems, name their field with --system"
        else:
            which += f", system {system}"
        return FoundError(
            f"{which}: a duplicate of {place}; expected {expected}",
            f"a duplicate of an earlier record; expected {expected}",
        )

    def _cluster_errors(
        self, row: int, record: _Record, reading: RecordFileReading
    ) -> Iterator[FoundError]:
        """Put an EVAL into a cluster; yield an error if it is in another one."""
        if not (cluster := record.cluster):
            return
        known = self.clusters.setdefault(record.eval_id, cluster)
        if known != cluster:
            path = None if reading.fields is None else reading.fields.cluster
            yield FoundError(
                f"EVAL {record.eval_id}: {path!r} is {cluster!r}, and {known!r} before; {_SAME}",
                f"another {path!r} than in an earlier record of the EVAL; {_SAME}",
            )

    def _place(self, row: int) -> str:
        """Name the record with the models of an EVAL."""
        origin = self._origins[self._files[row]]
        return f"{origin.name}, {origin.place(self._records[row])}"


def _id_problems(readings: Sequence[RecordFileReading]) -> Iterator[str]:
    """Yield a problem if files with IDs of EVALs are given next to files without."""
    ids = {reading.file.origin.name: reading.fields.id for reading in readings if reading.fields}
    named = [(name, path) for name, path in ids.items() if path is not None]
    without = [name for name, path in ids.items() if path is None]
    if named and without:
        name, path = named[0]
        yield (
            f"{name} has IDs of EVALs, in field {path!r}, and {without[0]} has none; expected the "
            "same of all files; name the field with --id"
        )
