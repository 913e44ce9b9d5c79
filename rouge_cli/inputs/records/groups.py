"""Records to EVALs: those of the same ID are one, with a peer for each system."""

from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import FoundError, Problems
from rouge_cli.inputs.corpus import ABSENT, Corpus, ranges
from rouge_cli.inputs.evaluation import NumberedIds, in_byte_order
from rouge_cli.inputs.records.rows import RecordFields, Row, RowProblem
from rouge_cli.inputs.records.values import (
    RecordReader,
    RecordTexts,
    ScannedLines,
    UsualRecords,
    read_or_none,
)
from rouge_cli.inputs.stored_texts import INT32_LIMIT, Column, StoredTexts
from rouge_cli.inputs.texts import Origin

_SAME = "expected the same for every system of an EVAL"

UNKNOWN = -1
"""The row of an EVAL that nobody has looked for."""


class RecordGroups:
    """Takes record after record, and puts those of an EVAL together; `problems` takes errors.

    Row by row, an EVAL each, it keeps where the texts of an EVAL stand in `store`.
    """

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        origin: Origin,
        default_system: str,
        fields: RecordFields,
        texts: RecordTexts,
        problems: Problems,
        store: StoredTexts,
    ) -> None:
        self._origin = origin
        self._default_system = default_system
        self._fields = fields
        self._texts = texts
        self._problems = problems
        self._store = store
        self._reader = RecordReader(fields, default_system, texts)
        # Of each EVAL, in the order of the rows, as long as they are ascending numbers: no two of
        # them are the same. From then on there are names.
        self._numbers = Column()
        self._last_number = -1
        self._are_numbered = True
        # Rows are `UNKNOWN` until somebody looks for one: a million numbers take 32 MB.
        self._row_of_eval: dict[str, int] = {}
        self._has_rows = False
        # The number of the first record of each EVAL.
        self._records = Column()
        self._peers: dict[str, Column] = {}
        # Models of an EVAL stand side by side; there are none while no record has any.
        self._first_models = Column()
        self._n_models = Column()
        self._clusters: dict[str, str] = {}
        # They tell whether models are those of another record: by 64 bits, as the texts may be on
        # disk. Those of an EVAL that was taken in columns are 0: a second record is a duplicate.
        self._model_hashes = array("q")

    def take_usual(self, rows: Sequence[Row | RowProblem]) -> bool:
        """Take records column by column, as nearly all allow; if one does not, take none."""
        records = [row for row in rows if isinstance(row, Row)]
        try:
            return len(records) == len(rows) and self._take_columns(self._reader.usual(records))
        except KeyError:
            return False

    def scan(self, core: Any, lines: bytes, watched: bytes) -> ScannedLines | None:
        """Read whole lines of JSON by the core, as a thread may do; None if one is unusual."""
        return self._reader.scan(core, lines, watched)

    def take_many(self, rows: Any, number: int) -> int:
        """Take lines that were scanned, or a table of Arrow; return how many rows it took.

        The first of them is `number`. It takes none if there is anything unusual about one.
        """
        is_scanned = isinstance(rows, ScannedLines)
        reader = self._reader
        records = reader.scanned(rows, number) if is_scanned else reader.of_table(rows, number)
        return len(records.ids) if records and self._take_columns(records) else 0

    def add(self, row: Row) -> None:
        """Take a record, or report all its problems; a record with a bad cluster is taken."""
        self._texts.number = row.number
        record, reader, predictions = row.record, self._reader, self._fields.predictions
        errors: list[ValueError] = []
        system = read_or_none(errors, reader.system_of, record)
        eval_id = read_or_none(errors, reader.eval_of, record, system)
        peers = [read_or_none(errors, reader.peer_of, record, path) for _, path in predictions]
        models = read_or_none(errors, reader.models_of, record)
        cluster = read_or_none(errors, reader.cluster_of, record)
        good_peers = [peer for peer in peers if peer is not None]
        if system is not None and eval_id and len(good_peers) == len(peers) and models is not None:
            for (name, _), peer in zip(predictions, good_peers, strict=True):
                key = eval_id, reader.with_run(record, name) if name else system
                read_or_none(errors, self._group, row.number, *key, peer, models)
            if cluster:
                read_or_none(errors, self._put_in_cluster, eval_id, cluster)
        for error in errors:
            self._problems.add_error(self._origin.place(row.number), error)

    def check_models(self) -> None:
        """Report every EVAL without a model."""
        if self._n_models.whole().all():
            return
        names = " or ".join(map(repr, self._fields.references))
        problem = f"no references in field {names}; expected at least one"
        for row, eval_id in enumerate(self._ids()):
            if not self._n_models[row]:
                place = self._origin.place(self._records[row])
                self._problems.add(place, f"EVAL {eval_id}: {problem}", problem)

    def _take_columns(self, records: UsualRecords | None) -> bool:
        """Take records if no EVAL is there already."""
        if records is None:
            return False
        ids, numbers, n_models = records.ids, records.numbers, records.n_models
        if not self._add_rows(ids):
            return False
        first_row = len(self._records)
        self._records.extend(numbers)
        first = self._store.add_joined(records.peers, records.peer_lengths, numbers, self._origin)
        column = self._column(self._fields.predictions[0][0] or self._default_system, first_row)
        column.extend(np.arange(first, first + len(ids)))
        units = np.repeat(numbers, n_models)
        first = self._store.add_joined(records.models, records.model_lengths, units, self._origin)
        self._first_models.extend(first + np.cumsum(n_models) - n_models)
        self._n_models.extend(n_models)
        return True

    def _add_rows(self, ids: Sequence[str]) -> bool:
        """Add rows for EVALs; if one is there already, or twice, add none and return False."""
        if self._are_numbered:
            if isinstance(ids, NumberedIds) and ids.are_above(self._last_number):
                self._numbers.extend(ids.numbers)
                self._last_number = int(ids.numbers[-1])
                return True
            self._name_rows()
        rows, first_row = self._row_of_eval, len(self._row_of_eval)
        if self._has_rows:
            names = tuple(ids)
            if not rows.keys().isdisjoint(names):
                return False
            rows.update(zip(names, range(first_row, first_row + len(names)), strict=True))
        else:
            # To look for each ID beforehand takes three times as long.
            rows.update(dict.fromkeys(ids, UNKNOWN))
        if len(rows) == first_row + len(ids):
            return True
        while len(rows) > first_row:
            rows.popitem()
        return False

    def _row(self, eval_id: str) -> int:
        """Return the row of an EVAL, a new one for a new EVAL."""
        if self._are_numbered:
            if (number := NumberedIds.number_of(eval_id)) > self._last_number:
                self._numbers.append(number)
                self._last_number = number
                return len(self._numbers) - 1
            self._name_rows()
        row = self._row_of_eval.setdefault(eval_id, len(self._row_of_eval))
        if row == UNKNOWN:
            self._row_of_eval = {key: row for row, key in enumerate(self._row_of_eval)}
            self._has_rows = True
            row = self._row_of_eval[eval_id]
        return row

    def _name_rows(self) -> None:
        """Turn numbers into names, by which EVALs are looked up."""
        self._row_of_eval = dict.fromkeys(self._ids(), UNKNOWN)
        self._are_numbered, self._numbers = False, Column()

    def _ids(self) -> Sequence[str]:
        """Return the IDs of all EVALs, in the order of the rows."""
        if self._are_numbered:
            return NumberedIds(self._numbers.whole().astype(np.int64))
        # A tuple stays one where results keep it; a list would be copied.
        return tuple(self._row_of_eval)

    def _column(self, system: str, n_rows: int) -> Column:
        """Return the texts of a system, of the first `n_rows` EVALs or more."""
        column = self._peers.setdefault(system, Column())
        if len(column) < n_rows:
            column.extend(np.full(n_rows - len(column), ABSENT, np.int64))
        return column

    def _group(
        self, number: int, eval_id: str, system: str, peer: bytes, models: tuple[bytes, ...]
    ) -> None:
        """Put a peer to those of the same ID; raises ValueError if it does not go with them."""
        row = self._row(eval_id)
        if row == len(self._records):
            self._records.append(number)
            self._first_models.append(ABSENT)
            self._n_models.append(0)
            self._model_hashes.frombytes(bytes(8 * (row - len(self._model_hashes))))
            self._model_hashes.append(hash(()))
        column = self._column(system, row)
        is_new = len(column) == row
        if not is_new and column[row] != ABSENT:
            raise self._duplicate(eval_id, system, self._place_of(column[row]))
        text = self._store.add([peer], [number], self._origin)
        if is_new:
            column.append(text)
        else:
            column[row] = text
        if not models:
            return
        if not self._n_models[row]:
            units = [number] * len(models)
            self._first_models[row] = self._store.add(models, units, self._origin)
            self._n_models[row] = len(models)
            self._model_hashes[row] = hash(models)
        elif self._model_hashes[row] != hash(models):
            place = self._place_of(self._first_models[row])
            raise FoundError(
                f"EVAL {eval_id}: other references than in {place}; {_SAME}",
                f"other references than an earlier record of the EVAL has; {_SAME}",
            )

    def _put_in_cluster(self, eval_id: str, cluster: str) -> None:
        """Put an EVAL into a cluster; raises ValueError if it is in another one."""
        known, path = self._clusters.setdefault(eval_id, cluster), self._fields.cluster
        if known != cluster:
            raise FoundError(
                f"EVAL {eval_id}: {path!r} is {cluster!r}, and {known!r} before; {_SAME}",
                f"another {path!r} than in an earlier record of the EVAL; {_SAME}",
            )

    def _place_of(self, text: int) -> str:
        """Name the record of a text in a message."""
        return self._store.place(text)

    def _duplicate(self, eval_id: str, system: str, place: str) -> FoundError:
        """Say that an EVAL has a peer already."""
        if self._fields.system is None:
            which = f"EVAL {eval_id}"
            expected = "each ID once; if there are several systems, name their field with --system"
        else:
            which = f"EVAL {eval_id}, system {system}"
            expected = "one record for each EVAL and system"
        return FoundError(
            f"{which}: a duplicate of {place}; expected {expected}",
            f"a duplicate of an earlier record; expected {expected}",
        )

    def first_texts(self, n_texts: int) -> Sequence[bytes]:
        """Return so many texts, or all: EVAL by EVAL, the peers before the models."""
        firsts, counts, *columns = (
            column.whole()[:n_texts].tolist()
            for column in (self._first_models, self._n_models, *self._peers.values())
        )
        numbers: list[int] = []
        for row, (first, n_models) in enumerate(zip(firsts, counts, strict=True)):
            if len(numbers) >= n_texts:
                break
            peers = (column[row] for column in columns if row < len(column))
            numbers += sorted(peer for peer in peers if peer != ABSENT)
            numbers += range(first, first + n_models)
        (reading,) = self._store.read(numbers[:n_texts])
        return reading.texts

    def corpus(self) -> Corpus:
        """Return the EVALs as a corpus, with all systems in byte order.

        Each EVAL has a peer and a model.
        """
        n_evals = len(self._records)
        n_models = self._n_models.whole()
        models = ranges(self._first_models.whole(), n_models)
        return Corpus(
            self._origin.name,
            tuple(in_byte_order(self._peers)),
            self._ids(),
            {name: self._column(name, n_evals).whole() for name in self._peers},
            _as_constant(n_models),
            models.astype(np.int32) if len(self._store) < INT32_LIMIT else models,
            self._store,
            clusters=self._clusters,
        )


def _as_constant(numbers: NDArray[Any]) -> NDArray[np.int64]:
    """Return numbers, which hardly need memory if they are all the same."""
    if (numbers == numbers[0]).all():
        return np.broadcast_to(np.int64(numbers[0]), numbers.shape)
    return numbers.astype(np.int64)
