"""Turns files of records into batches, and reads other fields of the records.

Records with the same ID belong to one EVAL. If there are several files, each has one or more
systems, and all have the same EVALs.

Fields besides the texts, such as filters of a page, are read in a second pass over the files, so
that only runs that use them pay for it.
"""

import os
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, combinations
from math import inf
from typing import Any

from rouge_cli.errors import FoundError, InputError, OptionError, Problems, with_number
from rouge_cli.escapes import escaped
from rouge_cli.inputs.batch import Batch, BatchMaker
from rouge_cli.inputs.evaluation import EvalIds, alike_ids, in_byte_order
from rouge_cli.inputs.index import Index, Input
from rouge_cli.inputs.records.reading import (
    EvalRecord,
    JoinedReferences,
    PlainRecords,
    RecordFile,
    RecordFileReading,
    record_texts,
)
from rouge_cli.inputs.records.rows import (
    MISSING,
    Row,
    are_systems_named,
    choose_fields,
    field_value,
    kind_of,
    listed,
    only_rows,
)
from rouge_cli.inputs.records.values import RecordReader, RecordTexts
from rouge_cli.inputs.source import no_file
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions

LONGEST_VALUE = 200
"""Maximum number of characters of a value by which a page selects EVALs; longer ones are texts."""

WRITTEN_OUT = frozenset({"date", "datetime", "time", "Timestamp", "Decimal"})
"""Types in Parquet and data frames that are converted to strings to select EVALs."""

EVALS_OF_PASS = 1 << 15
"""Maximum number of EVALs whose references are held in memory for records that lack them."""

_SAME = "expected the same for every system of a text"


class RecordInput(Input):
    """Files of records as an input.

    `system_id` is the only system to score, or None for all. `references` is the file given by
    ``--references-from``, if any.
    """

    def __init__(
        self,
        files: Sequence[RecordFile],
        inputs: InputOptions,
        metrics: MetricOptions,
        system_id: str | None = None,
        references: RecordFile | None = None,
    ) -> None:
        super().__init__(Index(", ".join(file.name for file in files)))
        self._files, self._inputs, self._metrics = files, inputs, metrics
        self._system_id, self._references = system_id, references

    def read(self, index: Index) -> Iterator[Batch]:
        groups = _Groups(index, self._files, None if self._inputs.all else self._system_id)
        lines: list[str] = []
        readings: list[RecordFileReading] = []
        joined = None
        if self._references is not None:
            texts = record_texts(self._inputs, self._metrics)
            joined = JoinedReferences(self._references, self._inputs, texts)
        for number, file in enumerate(self._files):
            reading = RecordFileReading(number, file, self._inputs, self._metrics, joined)
            readings.append(reading)
            yield from self._read_file(reading, groups, lines)
        if lines := lines or groups.problems(readings) or groups.apart():
            raise InputError(lines)
        index.warnings += groups.alike()
        if joined is not None:
            index.warnings += joined.warnings()
        index.eval_ids, index.clusters = groups.ids.ids(), groups.clusters
        index.order = self._order(groups, readings)
        index.has_lists = any(reading.texts.has_lists for reading in readings)
        index.notes += (reading.note() for reading in readings)
        index.warnings += chain.from_iterable(reading.warnings() for reading in readings)
        yield from self._late(groups)
        # The first reading is the one whose index is used; later ones need only its batches.
        if self._inputs.page_fields and index is self.index:
            read_fields(self._files, self._inputs, index)

    def _read_file(
        self, reading: "RecordFileReading", groups: "_Groups", lines: list[str]
    ) -> Iterator[Batch]:
        problems, file, maker = reading.problems, reading.file, BatchMaker()
        place_parts = file.name, file.unit
        numbers: list[int] = []
        try:
            for rows in reading.runs():
                # Known only now: the fields are chosen when the first record is read.
                maker.has_keys = len(self._files) > 1 or reading.has_systems
                plain = reading.plain_records(rows)
                if plain is not None and groups.add_plain(maker, reading, rows, plain):
                    reading.reader.skip(len(rows))
                    numbers += [row.number for row in rows]
                else:
                    for row in rows:
                        record = reading.record(row)
                        if record is not None and groups.add(maker, reading, row.number, record):
                            numbers.append(row.number)
                if maker.is_full:
                    batch, numbers = maker.take(partial(_place, *place_parts, numbers)), []
                    # After the first problem nothing is scored, but reading goes on.
                    if not (problems or lines):
                        yield batch
        except InputError as error:
            problems.extend(error.problems)
        lines += problems.lines()
        if maker and not lines:
            yield maker.take(partial(_place, *place_parts, numbers))

    def _late(self, groups: "_Groups") -> Iterator[Batch]:
        """Yield the records without references, if another record of their EVAL has them.

        That record may be the last one, so these are read again, at the end, in passes.
        """
        in_order = sorted(groups.late)
        for start in range(0, len(in_order), EVALS_OF_PASS):
            rows = frozenset(in_order[start : start + EVALS_OF_PASS])
            models: dict[int, tuple[bytes, ...]] = {}
            late: list[tuple[int, str, str, list[tuple[str, bytes]]]] = []
            for number, file in enumerate(self._files):
                reading = RecordFileReading(number, file, self._inputs, self._metrics)
                for row in chain.from_iterable(reading.runs()):
                    record = reading.record(row)
                    if record is None or (eval_row := groups.ids.row(record[0])) not in rows:
                        continue
                    eval_id, peers, of_eval, _ = record
                    if of_eval:
                        models.setdefault(eval_row, of_eval)
                        continue
                    place = f"{file.name}, {file.place(row.number)}"
                    wanted = [peer for peer in peers if groups.is_wanted(peer[0])]
                    if wanted:
                        late.append((eval_row, eval_id, place, wanted))
            maker = BatchMaker(has_keys=len(self._files) > 1 or reading.has_systems)
            for eval_row, eval_id, place, wanted in late:
                of_eval = models[eval_row]
                systems = [groups.number(system) for system, _ in wanted]
                maker.add(
                    *(eval_row, eval_id, of_eval, systems, [peer for _, peer in wanted]),
                    repeated=range(len(of_eval)),
                    places=[place] * (len(of_eval) + len(wanted)),
                )
                if maker.is_full:
                    yield maker.take()
            if maker:
                yield maker.take()

    def _order(self, groups: "_Groups", readings: Sequence["RecordFileReading"]) -> tuple[str, ...]:
        for reading in readings:
            name, systems = reading.file.given_name, in_byte_order(reading.own_systems)
            if name is not None and len(systems) > 1:
                raise OptionError(
                    f"{name}={reading.file.name}: the file has several systems, "
                    f"{', '.join(map(escaped, systems))}; NAME=FILE is for a file of one"
                )
        known = groups.systems()
        if self._system_id is None:
            return known
        if self._system_id not in known:
            # It may have been meant as a file, whose name does not tell a format of records.
            if os.path.lexists(self._system_id):
                raise OptionError(no_file(self._system_id))
            raise OptionError(
                f"{self._system_id!r} is neither a file nor a system of {self.index.name}; its "
                f"systems are: {', '.join(map(escaped, known))}; to name the only system of a "
                "file, give NAME=FILE"
            )
        return known if self._inputs.all else (self._system_id,)


def _place(name: str, unit: str, numbers: Sequence[int], group: int, rank: int) -> str:
    # See `rouge_cli.inputs.batch.Places`. Not a method of `RecordFile`: a place has to be
    # picklable, and a file may be open or a data frame.
    return f"{name}, {unit} {numbers[group]}"


class _Groups:
    """Groups the records of all files by EVAL, without keeping their texts.

    `only` is the only system to score, or None for all; `late` has the rows of EVALs with a record
    to score that lacks references.
    """

    def __init__(self, index: Index, files: Sequence[RecordFile], only: str | None) -> None:
        self.ids = EvalIds()
        self.clusters: dict[str, str] = {}
        self.late: set[int] = set()
        self._index, self._only = index, only
        self._numbers: dict[str, int] = {}
        self._file_of_system: dict[str, int] = {}
        self._conflicts: dict[str, None] = {}
        # By row: the file and number of the record that supplied the models, or of the first record
        # while there are none, and a digest of the models, 0 while there are none. 64 bits are
        # enough to notice different models, and take less memory than the texts.
        self._files, self._records, self._digests = array("H"), array("q"), array("q")
        self._read_files = files
        # By system and row: 1 + the number of the record, or 0 if there is none.
        self._peers: dict[str, array[int]] = {}

    def add(
        self, maker: BatchMaker, reading: RecordFileReading, number: int, record: EvalRecord
    ) -> bool:
        # Add record `number` to a batch, and its problems to those of the file. Return whether it
        # was added: not if its references are still missing or its systems are not scored.
        if reading.file.given_name is not None and len(reading.own_systems) > 1:
            # The user's name fits only one system. This is reported once, at the end.
            return False
        eval_id, named_peers, models, cluster = record
        row = self.ids.row(eval_id)
        if row == len(self._digests):
            self._files.append(reading.number)
            self._records.append(number)
            self._digests.append(0)
        place, problems = reading.file.place(number), reading.problems
        if cluster and (known := self.clusters.setdefault(eval_id, cluster)) != cluster:
            path = reading.fields.cluster
            problems.add(
                place,
                f"text {eval_id}: {path!r} is {cluster!r}, and {known!r} before; {_SAME}",
                f"{path!r} differs from that of an earlier record of the text; {_SAME}",
            )
        systems: list[int] = []
        peers: list[bytes] = []
        for system, peer in named_peers:
            if self._is_new(row, eval_id, system, number, reading) and self.is_wanted(system):
                systems.append(self.number(system))
                peers.append(peer)
        if not models:
            if peers:
                self.late.add(row)
            return False
        digest, digest_before = hash(models) or 1, self._digests[row]
        if not digest_before:
            self._files[row], self._records[row] = reading.number, number
            self._digests[row] = digest
        elif digest_before != digest:
            file = self._read_files[self._files[row]]
            earlier = f"{file.name}, {file.place(self._records[row])}"
            problems.add(
                place,
                f"text {eval_id}: other references than in {earlier}; {_SAME}",
                f"other references than in an earlier record of the text; {_SAME}",
            )
        if peers:
            repeated = range(len(models) if digest_before else 0)
            maker.add(row, eval_id, models, systems, peers, repeated=repeated)
        return bool(peers)

    def add_plain(
        self,
        maker: BatchMaker,
        reading: RecordFileReading,
        rows: Sequence[Row],
        plain: PlainRecords,
    ) -> bool:
        # Add records column by column. Return False, and add none, unless every one begins a new
        # EVAL and its system is to be scored; `add` then handles each of them.
        eval_ids, peers, models = plain
        system = reading.file.given_name or reading.file.default_system
        file = reading.number
        if not self.is_wanted(system) or self._file_of_system.get(system, file) != file:
            return False
        first = len(self.ids)
        if not self.ids.add_new(eval_ids):
            return False
        self._file_of_system[system] = file
        reading.own_systems.add(reading.file.default_system)
        numbers = [row.number for row in rows]
        self._files.fromlist([file] * len(rows))
        self._records.fromlist(numbers)
        self._digests.fromlist([hash(x) or 1 for x in zip(*models, strict=True)])
        column = self._peers.setdefault(system, array("q"))
        column.frombytes(bytes(8 * (first - len(column))))
        column.fromlist([number + 1 for number in numbers])
        maker.add_many(first, eval_ids, models, [self.number(system)], [peers])
        return True

    def is_wanted(self, system: str) -> bool:
        return self._only is None or system == self._only

    def number(self, system: str) -> int:
        if (number := self._numbers.get(system)) is None:
            number = self._numbers[system] = len(self._numbers)
            self._index.systems.append(system)
        return number

    def problems(self, readings: Sequence[RecordFileReading]) -> list[str]:
        # Those that only show at the end: a system in two files, files with and without IDs, and
        # EVALs of which no record has references.
        lines = list(self._conflicts)
        with_ids = [reading for reading in readings if reading.fields.id is not None]
        if with_ids and len(with_ids) < len(readings):
            without = next(reading for reading in readings if reading.fields.id is None)
            lines.append(
                f"{with_ids[0].file.name} has IDs of texts, in field {with_ids[0].fields.id!r}, "
                f"and {without.file.name} has none; expected the same of all files; name the field "
                "with --id"
            )
        if lines:
            return lines
        if all(self._digests):
            return []
        eval_ids = self.ids.ids()
        for row, digest in enumerate(self._digests):
            if not digest:
                reading = readings[self._files[row]]
                names = " or ".join(map(repr, reading.fields.references))
                problem = f"no references in field {names}; expected at least one"
                place = reading.file.place(self._records[row])
                reading.problems.add(place, f"text {eval_ids[row]}: {problem}", problem)
        return [line for reading in readings for line in reading.problems.lines()]

    def apart(self) -> list[str]:
        # A message if two files have no EVAL in common: most likely their IDs are spelt
        # differently, and no comparison of their systems would make sense.
        rows = {
            system: {row for row, record in enumerate(column) if record}
            for system, column in self._peers.items()
            if len(self._read_files) > 1
        }
        files = self._file_of_system
        for first, second in combinations(rows, 2):
            if files[first] != files[second] and rows[first].isdisjoint(rows[second]):
                ids = self.ids.ids()
                names = [self._read_files[files[system]].name for system in (first, second)]
                shown = [escaped(ids[min(rows[system])]) for system in (first, second)]
                alike = "".join(f"; {line}" for line in self.alike())
                return [
                    f"{names[0]} and {names[1]} have no text in common; their IDs are such as "
                    f"{shown[0]!r} and {shown[1]!r}{alike}"
                ]
        return []

    def alike(self) -> list[str]:
        n_rows = len(self.ids)
        # IDs that look alike can only matter if some file lacks an EVAL of another.
        if len(self._read_files) == 1 or all(
            len(column) == n_rows and all(column) for column in self._peers.values()
        ):
            return []
        return [alike] if (alike := alike_ids(self.ids.ids())) else []

    def systems(self) -> tuple[str, ...]:
        # All systems, by file and in byte order.
        files = self._file_of_system
        return tuple(sorted(in_byte_order(files), key=files.__getitem__))

    def _is_new(
        self, row: int, eval_id: str, system: str, number: int, reading: RecordFileReading
    ) -> bool:
        # Note the record of a system in an EVAL. There must be none yet.
        name, file = reading.file.name, reading.number
        if (other := self._file_of_system.setdefault(system, file)) != file:
            self._conflicts[
                f"{self._read_files[other].name} and {name} both have a system {escaped(system)}; "
                "expected each system in one file; NAME=FILE names the only system of a file"
            ] = None
            return False
        column = self._peers.setdefault(system, array("q"))
        if row >= len(column):
            column.frombytes(bytes(8 * (row + 1 - len(column))))
        if not column[row]:
            column[row] = number + 1
            return True
        which, expected = f"text {eval_id}", "one record for each text and system"
        if reading.fields.system is None:
            expected = "each ID once; if there are several systems, name their field with --system"
        else:
            which += f", system {system}"
        reading.problems.add(
            reading.file.place(number),
            f"{which}: a duplicate of {name}, {reading.file.place(column[row] - 1)}; expected "
            f"{expected}",
            f"a duplicate of an earlier record; expected {expected}",
        )
        return False


def records_of_files(
    files: Sequence[RecordFile], fields: Sequence[str], inputs: InputOptions
) -> Iterator[tuple[Iterator["RereadRecord"], Problems]]:
    """Yield the records of each file again, for other `fields` than the texts.

    Only these fields and the IDs are read from Parquet. The `Problems` of a file collect rows that
    are not records and unusable IDs, as the pass over the texts has reported all others; the caller
    may add to them. After the last file, raises InputError with those of all files, if any.
    """
    lines: list[str] = []
    for file in files:
        problems = Problems(file.name)
        yield _records_again(file, fields, inputs, problems), problems
        lines += problems.lines()
    if lines:
        raise InputError(lines)


RereadRecord = tuple[Row, str, str, str, tuple[str, ...]]
"""A record of a second pass: its row, its system, the ID of its EVAL, its place in the file, and
the names of the requested fields as the records spell them."""


def _records_again(
    file: RecordFile, fields: Sequence[str], inputs: InputOptions, problems: Problems
) -> Iterator[RereadRecord]:
    # Readers choose columns by the roles of texts, so give these fields the roles.
    wanted = replace(inputs, prediction=(fields[0],), references=tuple(fields))
    reader: RecordReader | None = None
    with file.opened(wanted) as (runs, _):
        in_runs = (only_rows(run, problems, with_advice=False) for run in runs)
        for row in chain.from_iterable(in_runs):
            if reader is None:
                chosen = choose_fields(row.record, wanted)
                if are_systems_named(inputs, row.record):
                    chosen = replace(chosen, system=None)
                reader = RecordReader(chosen, file.default_system, RecordTexts())
            place = file.place(row.number)
            try:
                system = reader.system_of(row.record)
                eval_id = reader.eval_of(row.record, system)
            except ValueError as error:
                problems.add_error(place, error)
                continue
            yield row, file.given_name or system, eval_id, place, chosen.references


def read_fields(files: Sequence[RecordFile], inputs: InputOptions, index: Index) -> None:
    """Add to an index the fields by which a page selects EVALs.

    If the records of an EVAL differ, the EVAL has several values, and the index gets a warning.
    Raises InputError with all values that cannot be used for selection.
    """
    fields: dict[str, dict[str, tuple[str, ...]]] = {path: {} for path in inputs.page_fields}
    there = ""
    for records, problems in records_of_files(files, inputs.page_fields, inputs):
        for row, system, eval_id, place, names in records:
            there = there or listed(row.record)
            is_scored = system in index.order or are_systems_named(inputs, row.record)
            for path, name in zip(inputs.page_fields, names, strict=True):
                try:
                    # The source document, which a page shows, may be of any length.
                    most = inf if path == inputs.page_source else LONGEST_VALUE
                    value = _selecting_value(row.record, name, most)
                except FoundError as error:
                    problems.add_error(place, error)
                    continue
                known = fields[path].get(eval_id, ())
                if value and value not in known and is_scored:
                    fields[path][eval_id] = (*known, value)
    # A field without a single value is most likely misspelt.
    if empty := [path for path in fields if not fields[path]]:
        raise InputError([f"{index.name}: nothing in field {path!r}; {there}" for path in empty])
    index.fields = fields
    for path, values in fields.items():
        if several := [eval_id for eval_id, of_eval in values.items() if len(of_eval) > 1]:
            n_evals = with_number(len(several), "1 text", "{} texts")
            # Cut long values: source documents have no limit.
            first, second = (escaped(value[:LONGEST_VALUE]) for value in values[several[0]][:2])
            index.warnings.append(
                f"{index.name}: the records of {n_evals} differ in field {path!r}, those of text "
                f"{escaped(several[0])} are {first} and {second}: the page counts a text under "
                "each of its values"
            )


def _selecting_value(record: Mapping[str, Any], path: str, most: float) -> str:
    # Empty if the record has no value in the field.
    value = field_value(record, path)
    if value is MISSING or value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str | int | float) and type(value).__name__ not in WRITTEN_OUT:
        kind = f"field {path!r} is {kind_of(value, is_exact=False)}"
        raise FoundError(f"{kind}; expected a text, a number, true or false")
    text = str(value).strip()
    if len(text) > most:
        expected = f"expected a value to choose by, of at most {LONGEST_VALUE}"
        raise FoundError(
            f"field {path!r} has {len(text):,} characters; {expected}",
            f"field {path!r} has too many characters; {expected}",
        )
    return text
