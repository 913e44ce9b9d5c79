"""Files of records to batches: their records, grouped into EVALs.

Records of the same ID are one EVAL. Each of several files has one or more systems of the same
EVALs.
"""

import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, combinations

from rouge_cli.errors import FoundError, InputError, OptionError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.batch import Batch, BatchMaker
from rouge_cli.inputs.evaluation import EvalIds, alike_ids, in_byte_order
from rouge_cli.inputs.index import Index, Input
from rouge_cli.inputs.records.reading import (
    JoinedReferences,
    ReadRecord,
    RecordFile,
    RecordFileReading,
    UsualRecords,
    record_texts,
)
from rouge_cli.inputs.records.rows import Origin, Row
from rouge_cli.inputs.source import no_file
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions

EVALS_OF_PASS = 1 << 15
"""EVALs whose references are held at a time for records that lack them."""

_SAME = "expected the same for every system of a text"


class RecordInput(Input):
    """Files of records; of a single one perhaps only the system `system_id` is scored.

    `fields_of` reads the filters of a page once the index is complete, and warns of them.
    `references` is the file of ``--references-from``.
    """

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        files: Sequence[RecordFile],
        inputs: InputOptions,
        metrics: MetricOptions,
        system_id: str | None = None,
        fields_of: Callable[[Index], None] | None = None,
        references: RecordFile | None = None,
    ) -> None:
        super().__init__(Index(", ".join(file.origin.name for file in files)))
        self._files, self._inputs, self._metrics = files, inputs, metrics
        self._system_id, self._fields_of = system_id, fields_of
        self._references = references

    def read(self, index: Index) -> Iterator[Batch]:
        """Read record after record, and in the end those that lack references."""
        groups = _Groups(index, None if self._inputs.all else self._system_id)
        lines: list[str] = []
        readings: list[RecordFileReading] = []
        joined = self._joined()
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
        if self._fields_of is not None and index is self.index:
            self._fields_of(index)

    def _joined(self) -> "JoinedReferences | None":
        if self._references is None:
            return None
        texts = record_texts(self._inputs, self._metrics)
        return JoinedReferences(self._references, self._inputs, texts)

    def _read_file(
        self, reading: "RecordFileReading", groups: "_Groups", lines: list[str]
    ) -> Iterator[Batch]:
        problems, origin, maker = reading.problems, reading.file.origin, BatchMaker()
        numbers: list[int] = []
        try:
            for rows in reading.runs():
                maker.has_keys = len(self._files) > 1 or reading.has_systems
                if (usual := reading.usual(rows)) is not None and groups.add_usual(
                    maker, reading, rows, usual
                ):
                    reading.take(usual)
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
            late: list[tuple[int, str, Origin, int, ReadRecord]] = []
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
                    of_eval = models[place]
                    repeated = range(len(of_eval))
                    maker.add(place, eval_id, of_eval, systems, peers, repeated=repeated)
                    places.append((origin, line))
                if maker.is_full:
                    yield maker.take(partial(_late_place, places))
                    places = []
            if maker:
                yield maker.take(partial(_late_place, places))

    def _order(self, groups: "_Groups", readings: Sequence["RecordFileReading"]) -> tuple[str, ...]:
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
    origin, number = places[group]
    return f"{origin.name}, {origin.place(number)}"


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
        self, maker: BatchMaker, reading: RecordFileReading, number: int, record: ReadRecord
    ) -> tuple[bool, list[FoundError]]:
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
                    f"text {record.eval_id}: other references than in {self._place(row)}; {_SAME}",
                    f"other references than an earlier record of the text has; {_SAME}",
                )
            )
        if peers:
            repeated = range(len(record.models) if known else 0)
            maker.add(row, record.eval_id, record.models, systems, peers, repeated=repeated)
        return bool(peers), errors

    def add_usual(
        self,
        maker: BatchMaker,
        reading: RecordFileReading,
        rows: Sequence[Row],
        usual: UsualRecords,
    ) -> bool:
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
            for row, eval_id, peer, *models in zip(
                range(first, first + len(rows)),
                usual.eval_ids,
                usual.peers,
                *usual.models,
                strict=True,
            ):
                maker.add(row, eval_id, models, [number], [peer])
        else:
            maker.add_many(first, usual.eval_ids, usual.models, [usual.peers])
        return True

    def is_wanted(self, system: str) -> bool:
        return self._only is None or system == self._only

    def _begin(self, reading: RecordFileReading) -> None:
        if reading.number == len(self._origins):
            self._origins.append(reading.file.origin)
            self.systems.append(set())

    def number(self, system: str) -> int:
        if (number := self._numbers.get(system)) is None:
            number = self._numbers[system] = len(self._numbers)
            self._index.systems.append(system)
        return number

    def problems(self, readings: Sequence[RecordFileReading]) -> list[str]:
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
                reading.problems.add(place, f"text {ids[row]}: {problem}", problem)
        return [line for of_file in problems for line in of_file.lines()]

    def apart(self) -> list[str]:
        rows = {
            system: {row for row, record in enumerate(column) if record}
            for system, column in self._peers.items()
            if len(self._origins) > 1
        }
        files = self._file_of_system
        for first, second in combinations(rows, 2):
            if files[first] != files[second] and rows[first].isdisjoint(rows[second]):
                ids = self.ids.ids()
                names = [self._origins[files[system]].name for system in (first, second)]
                shown = [escaped(ids[min(rows[system])]) for system in (first, second)]
                alike = "".join(f"; {line}" for line in self.alike())
                return [
                    f"{names[0]} and {names[1]} have no text in common; their IDs are such as "
                    f"{shown[0]!r} and {shown[1]!r}{alike}"
                ]
        return []

    def alike(self) -> list[str]:
        n_rows = len(self.ids)
        if len(self._origins) == 1 or all(
            len(column) == n_rows and all(column) for column in self._peers.values()
        ):
            return []
        return [alike] if (alike := alike_ids(self.ids.ids())) else []

    def _peer_error(
        self, row: int, record: ReadRecord, system: str, number: int, reading: RecordFileReading
    ) -> FoundError | None:
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
        which, expected = f"text {record.eval_id}", "one record for each text and system"
        if reading.fields is not None and reading.fields.system is None:
            expected = "each ID once; if there are several systems, name their field with --system"
        else:
            which += f", system {system}"
        return FoundError(
            f"{which}: a duplicate of {place}; expected {expected}",
            f"a duplicate of an earlier record; expected {expected}",
        )

    def _cluster_errors(
        self, row: int, record: ReadRecord, reading: RecordFileReading
    ) -> Iterator[FoundError]:
        if not (cluster := record.cluster):
            return
        known = self.clusters.setdefault(record.eval_id, cluster)
        if known != cluster:
            path = None if reading.fields is None else reading.fields.cluster
            yield FoundError(
                f"text {record.eval_id}: {path!r} is {cluster!r}, and {known!r} before; {_SAME}",
                f"another {path!r} than in an earlier record of the text; {_SAME}",
            )

    def _place(self, row: int) -> str:
        origin = self._origins[self._files[row]]
        return f"{origin.name}, {origin.place(self._records[row])}"


def _id_problems(readings: Sequence[RecordFileReading]) -> Iterator[str]:
    ids = {reading.file.origin.name: reading.fields.id for reading in readings if reading.fields}
    named = [(name, path) for name, path in ids.items() if path is not None]
    without = [name for name, path in ids.items() if path is None]
    if named and without:
        name, path = named[0]
        yield (
            f"{name} has IDs of texts, in field {path!r}, and {without[0]} has none; expected the "
            "same of all files; name the field with --id"
        )
