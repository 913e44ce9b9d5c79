"""Records that come as batches of Arrow: each row alone, with all its problems."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.blocks import BLOCK_BYTES, Pairs, Portion
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM
from rouge_cli.inputs.records.rows import RecordFields, kind_of
from rouge_cli.inputs.records.values import RecordReader, RecordTexts, read_or_none
from rouge_cli.inputs.texts import Reading, Texts, taken
from rouge_cli.quick_dataclass import dataclass

POSITION = "position"
"""The column that says where an EVAL stands among those of its system, if there is one."""


class BatchRow(NamedTuple):
    """A peer and its models, normalised.

    A tuple, since one is made for every record, and a frozen dataclass takes three times as long.
    `system`, `eval_id` and `cluster` are None if the record does not say, or nobody asks for it.
    `problem` is what is wrong with the record; empty if it can be scored.
    """

    system: str | None
    eval_id: str | None
    cluster: str | None
    position: int | None
    peer: bytes
    models: tuple[bytes, ...]
    problem: str = ""

    @property
    def name(self) -> str:
        """Its name in messages."""
        eval_id = "without an ID" if self.eval_id is None else escaped(self.eval_id)
        return f"EVAL {eval_id}, system {'?' if self.system is None else escaped(self.system)}"


def check_columns(names: Sequence[str], fields: RecordFields) -> None:
    """Refuse two columns of one name, as a record has one value; raises InputError."""
    columns = {POSITION, *fields.paths, *(path.partition(".")[0] for path in fields.paths)}
    for name in sorted(columns):
        if (count := names.count(name)) > 1:
            raise InputError(f"batches: found {count} columns {escaped(name)!r}, expected one")


def read_rows(
    records: Iterable[Mapping[str, Any]], fields: RecordFields, texts: RecordTexts
) -> list[BatchRow]:
    """Read records, which are not grouped: each prediction of each is scored by itself, in order.

    The ID is one of `fields`.
    """
    reader = RecordReader(fields, DEFAULT_SYSTEM, texts)
    return [row for record in records for row in _rows(record, fields, reader)]


def _rows(record: Mapping[str, Any], fields: RecordFields, reader: RecordReader) -> list[BatchRow]:
    """Return a row for each prediction of a record, with its problems."""
    try:
        return _good_rows(record, fields, reader)
    except ValueError:
        return list(_bad_rows(record, fields, reader))


def _good_rows(
    record: Mapping[str, Any], fields: RecordFields, reader: RecordReader
) -> list[BatchRow]:
    """Return the rows of a valid record, in a tenth less time; raises ValueError."""
    system = reader.system_of(record)
    eval_id = reader.eval_of(record, system)
    models = reader.models_of(record)
    if not models:
        raise ValueError
    cluster, position = reader.cluster_of(record) or None, _position(record)
    return [
        BatchRow(name or system, eval_id, cluster, position, reader.peer_of(record, path), models)
        for name, path in fields.predictions
    ]


def _bad_rows(
    record: Mapping[str, Any], fields: RecordFields, reader: RecordReader
) -> Iterator[BatchRow]:
    """Yield the rows of a record with its problems."""
    errors: list[ValueError] = []
    system = read_or_none(errors, reader.system_of, record)
    eval_id = read_or_none(errors, reader.eval_of, record, system)
    models = read_or_none(errors, reader.models_of, record)
    cluster = read_or_none(errors, reader.cluster_of, record) or None
    position = read_or_none(errors, _position, record)
    if models == ():
        errors.append(ValueError("no references; expected at least one"))
    for name, path in fields.predictions:
        of_row = errors.copy()
        peer = read_or_none(of_row, reader.peer_of, record, path)
        problem = "; ".join(map(str, of_row))
        row_system, texts = name or system, (peer or b"", models or ())
        yield BatchRow(row_system, eval_id, cluster, position, *texts, problem)


def _position(record: Mapping[str, Any]) -> int | None:
    """Return the position of a record, if it has one; raises ValueError."""
    position = record.get(POSITION)
    if position is None or (isinstance(position, int) and not isinstance(position, bool)):
        return position
    raise ValueError(f"field {POSITION!r} is {kind_of(position)}; expected a whole number")


@dataclass(frozen=True, slots=True, eq=False)
class BatchTexts(Texts):
    """The normalised texts of rows, and for each text the first row that has it."""

    contents: Sequence[bytes]
    owners: Sequence[BatchRow]

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.contents)

    def read(self, numbers: Sequence[int]) -> Iterator[Reading]:
        """Return all at once: they are held already."""
        yield Reading(taken(self.contents, numbers))

    def place(self, number: int) -> str:
        """Return the row, and what the text is in it."""
        row, text = self.owners[number], self.contents[number]
        if text == row.peer:
            return f"{row.name}: prediction"
        return f"{row.name}: reference {row.models.index(text)}"

    def describe(self, number: int, eval_id: str) -> str:
        """Name a text: its row says the EVAL."""
        return self.place(number)

    def sizes(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many bytes they have."""
        return np.fromiter(map(len, taken(self.contents, numbers.tolist())), np.int64, numbers.size)

    def part(self, numbers: NDArray[np.int64]) -> "BatchTexts":
        """Return some of them."""
        order = numbers.tolist()
        return BatchTexts(taken(self.contents, order), taken(self.owners, order))


def batch_portion(rows: Iterable[BatchRow]) -> Portion:
    """Return rows that can be scored as a portion, an instance each, in their order.

    What is an EVAL in other portions is here a run of rows that makes a block. Each text stands in
    it once: systems of an EVAL share its models, wherever their rows are.
    """
    contents: list[bytes] = []
    owners: list[BatchRow] = []
    peers: list[int] = []
    models: list[int] = []
    starts: list[int] = []
    first_texts, first_instances = [0], [0]
    numbers: dict[bytes, int] = {}
    n_bytes = 0
    for row in rows:
        starts.append(len(peers))
        for text in (row.peer, *row.models):
            if numbers.setdefault(text, len(contents)) == len(contents):
                contents.append(text)
                owners.append(row)
                n_bytes += len(text)
        peers += [numbers[row.peer]] * len(row.models)
        models += map(numbers.__getitem__, row.models)
        if n_bytes >= BLOCK_BYTES:
            first_texts.append(len(contents))
            first_instances.append(len(starts))
            numbers, n_bytes = {}, 0
    if first_instances[-1] < len(starts):
        first_texts.append(len(contents))
        first_instances.append(len(starts))
    columns = (first_texts, first_instances, peers, models, starts)
    texts_before, instances_before, *pairs = (np.array(column, np.int64) for column in columns)
    return Portion(
        [""] * (len(first_texts) - 1),
        texts_before,
        instances_before,
        Pairs(*pairs),
        BatchTexts(contents, owners),
    )
