"""Records that come as batches of Arrow: each row by itself, with all that is wrong with it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, TypeVar

import numpy as np

from rouge_cli.escapes import escaped
from rouge_cli.inputs.blocks import Block, Pairs, drafted_blocks
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM
from rouge_cli.inputs.records.corpus import RecordOrigin
from rouge_cli.inputs.records.fields import RecordFields
from rouge_cli.inputs.records.grouping import RecordIds, RecordValues
from rouge_cli.inputs.records.texts import RecordTexts, kind_of
from rouge_cli.quick_dataclass import dataclass

__all__ = ["POSITION", "BatchPortion", "BatchRow", "read_rows"]

POSITION = "position"
"""The column that says where an EVAL stands among those of its system, if there is one."""

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class BatchRow:
    """A peer and its models.

    Parameters
    ----------
    system, eval_id, cluster : str or None
        None if the record does not say, or nobody asks for it.
    peer : bytes
        Normalised, as the models are.
    problem : str
        What is wrong with the record; empty if it can be scored.
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
        """What messages call it."""
        eval_id = "without an ID" if self.eval_id is None else escaped(self.eval_id)
        return f"EVAL {eval_id}, system {'?' if self.system is None else escaped(self.system)}"


def read_rows(
    records: Iterable[Mapping[str, Any]], fields: RecordFields, texts: RecordTexts
) -> list[BatchRow]:
    """Read records, which are not grouped: each is scored by itself.

    Parameters
    ----------
    fields : RecordFields
        The ID is one of them.

    Returns
    -------
    list of BatchRow
        One for each record and prediction, in their order.
    """
    ids = RecordIds(fields, RecordOrigin("", "record", DEFAULT_SYSTEM))
    values = RecordValues(fields, texts)
    return [row for record in records for row in _rows(record, fields, ids, values)]


def _rows(
    record: Mapping[str, Any], fields: RecordFields, ids: RecordIds, values: RecordValues
) -> Iterator[BatchRow]:
    """Yield a row for each prediction of a record."""
    problems: list[str] = []
    system = _read(problems, ids.system_of, record)
    eval_id = _read(problems, ids.eval_of, record, system)
    models = _read(problems, values.models_of, record)
    cluster = _read(problems, values.cluster_of, record)
    position = _read(problems, _position, record)
    if models == ():
        problems.append("no references; expected at least one")
    for name, path in fields.predictions:
        own = list(problems)
        peer = _read(own, values.peer_of, record, path)
        yield BatchRow(
            name or system,
            eval_id,
            cluster or None,
            position,
            peer or b"",
            models or (),
            "; ".join(own),
        )


def _read(problems: list[str], read: Callable[..., Value | None], *arguments: Any) -> Value | None:
    """Call what finds a value; add what it raises, and return None then."""
    try:
        return read(*arguments)
    except ValueError as error:
        problems.append(str(error))
        return None


def _position(record: Mapping[str, Any]) -> int | None:
    """Return the position of a record, if it has one; raises ValueError."""
    position = record.get(POSITION)
    if position is None or (isinstance(position, int) and not isinstance(position, bool)):
        return position
    raise ValueError(f"field {POSITION!r} is {kind_of(position)}; expected a whole number")


@dataclass(slots=True, eq=False)
class _Draft:
    """A block in the making: texts, with the row of each that had it first, and pairs."""

    texts: list[bytes] = field(default_factory=list)
    owners: list[BatchRow] = field(default_factory=list)
    numbers: dict[bytes, int] = field(default_factory=dict)
    peers: list[int] = field(default_factory=list)
    models: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    n_bytes: int = 0

    def add(self, row: BatchRow) -> None:
        """Add a row."""
        self.starts.append(len(self.peers))
        self.peers += [self._number(row, row.peer)] * len(row.models)
        self.models += [self._number(row, model) for model in row.models]

    def _number(self, row: BatchRow, text: bytes) -> int:
        """Return the number of a text: systems of an EVAL share its models."""
        number = self.numbers.setdefault(text, len(self.texts))
        if number == len(self.texts):
            self.texts.append(text)
            self.owners.append(row)
            self.n_bytes += len(text)
        return number

    def block(self) -> Block:
        """Return the block."""
        pairs = (np.array(one, np.int64) for one in (self.peers, self.models, self.starts))
        return Block(self.texts, Pairs(*pairs), self._describe)

    def _describe(self, number: int) -> str:
        """Name a text."""
        row = self.owners[number]
        if self.texts[number] == row.peer:
            return f"{row.name}: prediction"
        return f"{row.name}: reference {row.models.index(self.texts[number])}"


@dataclass(frozen=True, slots=True, eq=False)
class BatchPortion:
    """Some rows that can be scored.

    Parameters
    ----------
    rows : sequence of BatchRow
        At least one.
    """

    rows: Sequence[BatchRow]

    def blocks(self) -> Iterator[Block]:
        """Yield the rows in blocks, in their order."""
        return drafted_blocks(self.rows, _Draft)
