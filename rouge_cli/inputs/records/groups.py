"""Records to EVALs: those of the same ID are one, with a peer for each system."""

from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np

from rouge_cli.errors import FoundError, Problems
from rouge_cli.inputs.corpus import ABSENT, Corpus, ranges
from rouge_cli.inputs.evaluation import in_byte_order
from rouge_cli.inputs.records.rows import RecordFields, Row, RowProblem
from rouge_cli.inputs.records.values import (
    RecordReader,
    RecordTexts,
    UsualRecords,
    read_or_none,
)
from rouge_cli.inputs.stored_texts import StoredTexts
from rouge_cli.inputs.texts import Origin

_SAME = "expected the same for every system of an EVAL"


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
        self._row_of_eval: dict[str, int] = {}
        # The number of the first record of each EVAL.
        self._records = array("q")
        self._peers: dict[str, array[int]] = {}
        # Models of an EVAL stand side by side; there are none while no record has any.
        self._first_models = array("q")
        self._n_models = array("q")
        self._clusters: dict[str, str] = {}
        # They tell whether models are those of another record: by 64 bits, as the texts may be on
        # disk.
        self._model_hashes = array("q")

    def take_usual(self, rows: Sequence[Row | RowProblem]) -> bool:
        """Take records column by column, as nearly all allow; if one does not, take none."""
        records = [row for row in rows if isinstance(row, Row)]
        try:
            return len(records) == len(rows) and self._take_columns(self._reader.usual(records))
        except KeyError:
            return False

    def take_many(self, core: Any, rows: Any, number: int) -> int:
        """Take whole lines of JSON by the core, or a batch of Arrow; return how many rows it took.

        The first of them is `number`. It takes none if there is anything unusual about one.
        """
        if isinstance(rows, bytes):
            records = None if core is None else self._reader.scanned(core, rows, number)
        else:
            records = self._reader.of_batch(rows, number)
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
        if all(self._n_models):
            return
        names = " or ".join(map(repr, self._fields.references))
        problem = f"no references in field {names}; expected at least one"
        for eval_id, row in self._row_of_eval.items():
            if not self._n_models[row]:
                place = self._origin.place(self._records[row])
                self._problems.add(place, f"EVAL {eval_id}: {problem}", problem)

    def _take_columns(self, records: UsualRecords | None) -> bool:
        """Take records if no EVAL is there already."""
        if records is None:
            return False
        ids, numbers, n_models = records.ids, records.numbers, records.n_models
        if len(set(ids)) < len(ids) or not self._row_of_eval.keys().isdisjoint(ids):
            return False
        first_row = len(self._records)
        self._row_of_eval.update(zip(ids, range(first_row, first_row + len(ids)), strict=True))
        self._records.frombytes(numbers.tobytes())
        first = self._store.add_joined(records.peers, records.peer_lengths, numbers, self._origin)
        column = self._column(self._fields.predictions[0][0] or self._default_system, first_row)
        column.frombytes(np.arange(first, first + len(ids), dtype=np.int64).tobytes())
        units = np.repeat(numbers, n_models)
        first = self._store.add_joined(records.models, records.model_lengths, units, self._origin)
        firsts = first + np.cumsum(n_models) - n_models
        self._first_models.frombytes(firsts.tobytes())
        self._n_models.frombytes(n_models.tobytes())
        # Nobody asks for them again: a second record of such an EVAL is a duplicate.
        self._model_hashes.frombytes(bytes(n_models.nbytes))
        return True

    def _column(self, system: str, n_rows: int) -> "array[int]":
        """Return the texts of a system, of the first `n_rows` EVALs or more."""
        column = self._peers.setdefault(system, array("q"))
        column.extend([ABSENT] * (n_rows - len(column)))
        return column

    def _group(
        self, number: int, eval_id: str, system: str, peer: bytes, models: tuple[bytes, ...]
    ) -> None:
        """Put a peer to those of the same ID; raises ValueError if it does not go with them."""
        row = self._row_of_eval.setdefault(eval_id, len(self._records))
        if row == len(self._records):
            self._records.append(number)
            self._first_models.append(ABSENT)
            self._n_models.append(0)
            self._model_hashes.append(hash(()))
        column = self._column(system, row + 1)
        if column[row] != ABSENT:
            raise self._duplicate(eval_id, system, self._place_of(column[row]))
        column[row] = self._store.add([peer], [number], self._origin)
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
        numbers: list[int] = []
        for row, (first, n_models) in enumerate(
            zip(self._first_models, self._n_models, strict=True)
        ):
            if len(numbers) >= n_texts:
                break
            columns = (column for column in self._peers.values() if row < len(column))
            numbers += sorted(column[row] for column in columns if column[row] != ABSENT)
            numbers += range(first, first + n_models)
        (reading,) = self._store.read(numbers[:n_texts])
        return reading.texts

    def corpus(self) -> Corpus:
        """Return the EVALs as a corpus, with all systems in byte order.

        Each EVAL has a peer and a model.
        """
        n_evals = len(self._records)
        n_models = np.array(self._n_models, np.int64)
        return Corpus(
            self._origin.name,
            tuple(in_byte_order(self._peers)),
            # A tuple stays one where results keep it; a list would be copied.
            tuple(self._row_of_eval),
            {name: np.array(self._column(name, n_evals), np.int64) for name in self._peers},
            n_models,
            ranges(np.array(self._first_models, np.int64), n_models),
            self._store,
            clusters=self._clusters,
        )
