"""Assembly of a score table from rows of saved scores, in any order and any number of parts.

There may be tens of millions of rows, so they are packed into arrays as they are read: counts in
32 bits if these are enough, and names (``EVAL_ID.SYSTEM_ID``) as consecutive bytes. Why not a list
of strings? It would take ten times the memory, and longer to sort.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.evaluation import in_byte_order
from rouge_cli.metrics.arithmetic import Whole
from rouge_cli.metrics.counts import GrowingRows, ScoredMetric, short_counts
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.results import MetricColumn, ScoreTable, SystemTable

WORD = 8  # bytes of a name that are compared at once, as one number
SEPARATOR = "."

ROWS_AT_A_TIME = 1 << 14  # rows handled at once, which bounds the memory of intermediate arrays


class InstanceNames:
    """The names of instances, packed into one buffer in the order of addition.

    After `close`, these are set:

    - `data`: the bytes of all names, followed by a word of zeros.
    - `offsets`, shape (n_names + 1,): the start of each name, and of the zeros.
    """

    __slots__ = ("_offsets", "_packed", "data", "offsets")
    data: NDArray[np.uint8]
    offsets: Whole

    def __init__(self) -> None:
        self._packed, self._offsets = bytearray(), GrowingRows()
        self._offsets.extend(np.zeros(1, np.int64))

    def add(self, eval_ids: Sequence[str], systems: Sequence[str]) -> None:
        """Add the names of some instances."""
        encoded = [
            f"{eval_id}{SEPARATOR}{system}".encode("utf-8", "surrogateescape")
            for eval_id, system in zip(eval_ids, systems, strict=True)
        ]
        lengths = np.fromiter(map(len, encoded), np.int64, len(encoded))
        self._offsets.extend(len(self._packed) + np.cumsum(lengths))
        self._packed += b"".join(encoded)

    def close(self) -> None:
        """Set `data` and `offsets`; no names can be added any more."""
        self._packed += bytes(WORD)
        self.data = np.frombuffer(self._packed, np.uint8)
        self.offsets = self._offsets.take()

    def sorted_by(self, groups: NDArray[np.int32]) -> tuple[Whole, NDArray[np.bool_]]:
        """Sort names by group, and in byte order within each group; the sort is stable.

        `groups`, shape (n_names,), are numbers from 0 on. Returns the numbers of the names in
        order, and whether each, in this order, equals its predecessor; both have shape (n_names,).
        """
        # A radix sort by words: the next word is compared only for names that are equal so far.
        lengths = np.diff(self.offsets)
        order = np.argsort(groups, kind="stable")
        is_new = np.diff(groups[order], prepend=groups.dtype.type(-1)) != 0
        tied = np.flatnonzero(_is_tied(is_new))
        for depth in range(0, int(lengths.max(initial=0)) + WORD, WORD):
            if not tied.size:
                break
            rows = order[tied]
            words = self._words(rows, depth)
            # Zeros fill the word after the end of a name. The length distinguishes it from a name
            # that continues with zero bytes.
            ends = np.minimum(lengths[rows] - depth, WORD).astype(np.int8)
            runs = np.cumsum(is_new[tied])
            by_word = np.lexsort((ends, words, runs))
            order[tied] = rows[by_word]
            words, ends = words[by_word], ends[by_word]
            is_new[tied[1:]] |= (words[1:] != words[:-1]) | (ends[1:] != ends[:-1])
            tied = tied[_is_tied(is_new)[tied] & (ends == WORD)]
        return order, ~is_new

    def _words(self, rows: Whole, depth: int) -> NDArray[np.uint64]:
        """Return the eight bytes of each name at `depth` as a number; zeros follow its end."""
        view: NDArray[Any] = np.ndarray(
            (self.data.size - WORD + 1,), ">u8", self.data.data, strides=(1,)
        )
        words = np.empty(len(rows), np.uint64)
        for first in range(0, len(rows), ROWS_AT_A_TIME):
            block = rows[first : first + ROWS_AT_A_TIME]
            starts = np.minimum(self.offsets[block] + depth, self.data.size - WORD)
            n_unused = np.clip(
                depth + WORD - (self.offsets[block + 1] - self.offsets[block]), 0, WORD
            )
            # Clear the bytes after the end. A shift by all 64 bits is undefined, hence two halves.
            half = (n_unused * 4).astype(np.uint64)
            words[first : first + ROWS_AT_A_TIME] = view[starts] >> half >> half << half << half
        return words

    def eval_id(self, number: int, system_bytes: int) -> str:
        """Return the EVAL ID of a name, whose system ID is `system_bytes` long."""
        start, stop = self.offsets[number], self.offsets[number + 1] - system_bytes - 1
        return self.data[start:stop].tobytes().decode("utf-8", "surrogateescape")


def _is_tied(is_new: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which items are in a run of two or more; `is_new` marks the first of each run."""
    is_last = np.append(is_new[1:], True)
    tied: NDArray[np.bool_] = ~(is_new & is_last)
    return tied


class SystemEvalIds(Sequence[str]):
    """The EVAL IDs of a system, which become strings on access.

    `rows`, shape (n_evals,), are the numbers of the names, in the order of the EVALs;
    `system_bytes` is the length of the system ID in bytes.
    """

    __slots__ = ("names", "rows", "system_bytes")

    def __init__(self, names: InstanceNames, rows: Whole, system_bytes: int) -> None:
        self.names, self.rows, self.system_bytes = names, rows, system_bytes

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> "SystemEvalIds": ...

    def __getitem__(self, index: int | slice) -> "str | SystemEvalIds":
        if isinstance(index, slice):
            return SystemEvalIds(self.names, self.rows[index], self.system_bytes)
        return self.names.eval_id(int(self.rows[index]), self.system_bytes)

    def __iter__(self) -> Iterator[str]:
        data, offsets = self.names.data.data, self.names.offsets
        for first in range(0, len(self.rows), ROWS_AT_A_TIME):
            rows = self.rows[first : first + ROWS_AT_A_TIME]
            starts, stops = offsets[rows], offsets[rows + 1] - self.system_bytes - 1
            for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
                yield str(data[start:stop], "utf-8", "surrogateescape")


MOST_NAMED = 3  # maximum number of items that a message names; the others are only counted
Key = tuple[str, str]  # the name of a metric, and of one of its counts, statistics or measures
POSITION = ("", "position")  # key of the positions, which are gathered like the columns of a metric


@dataclass(frozen=True, slots=True)
class FailedRow:
    """A record that could not be scored; `system` and `eval_id` are None if it lacks them."""

    system: str | None
    eval_id: str | None
    reason: str

    def __str__(self) -> str:
        """Name the record and the reason for its failure."""
        eval_id = "without an ID" if self.eval_id is None else escaped(self.eval_id)
        system = "" if self.system is None else f", system {escaped(self.system)}"
        return f"text {eval_id}{system}: {escaped(self.reason)}"


@dataclass(frozen=True, slots=True, eq=False)
class PartRows:
    """Some of the rows of a file.

    - `systems`, `eval_ids`: the IDs of each row.
    - `clusters`: the cluster of each row; None if EVALs are not clustered.
    - `positions`, shape (n_rows,): the number of the EVAL among those of its system; None if any
      row lacks it.
    - `columns`: counts, statistics and measures, each of shape (n_rows,).
    - `failed`: records without scores, which are not among the rows.
    """

    systems: list[str]
    eval_ids: list[str]
    clusters: list[str | None] | None
    positions: Whole | None
    columns: Mapping[Key, NDArray[Any]]
    failed: Sequence[FailedRow] = ()


class ScoreRows:
    """Collects rows, and makes a table of them.

    `systems` are those in the headers, in print order; others follow in byte order.

    - `failed`: records without scores; equal ones with an ID are counted once.
    - `n_dropped`: the number of rows that repeat another in every value.
    - `n_found`: the number of distinct records, scored or not; known once the table is made.
    """

    _in_order: list[str]
    _groups: NDArray[np.int32]
    _columns: dict[Key, NDArray[Any]]

    def __init__(self, systems: Sequence[str]) -> None:
        self.systems = systems
        self.failed: dict[FailedRow, None] = {}
        self.n_failed = self.n_dropped = self.n_found = 0
        self._first_dropped: list[str] = []
        self._numbers: dict[str, int] = {}
        # The name, the input and the number of rows of each part.
        self._parts: list[tuple[str, int, int]] = []
        self._clusters: dict[str, str] = {}
        self._has_positions = True
        self._names, self._codes = InstanceNames(), GrowingRows()
        self._growing: dict[Key, GrowingRows] = defaultdict(GrowingRows)

    def add(self, part: PartRows, name: str, input_number: int) -> None:
        """Add the rows of a part of the file `name`, which is from the input of this number.

        Raises InputError if an EVAL is in two clusters, or in none.
        """
        for failed in part.failed:
            self.n_failed += failed.eval_id is None or failed not in self.failed
            self.failed.setdefault(failed)
        n_rows, numbers = len(part.systems), self._numbers
        if not n_rows:
            return
        codes = [numbers.setdefault(system, len(numbers)) for system in part.systems]
        self._codes.extend(np.array(codes, np.int32))
        self._names.add(part.eval_ids, part.systems)
        self._has_positions &= part.positions is not None
        if part.positions is not None:
            self._growing[POSITION].extend(part.positions)
        self._parts.append((name, input_number, n_rows))
        for key, values in part.columns.items():
            self._growing[key].extend(short_counts(values))
        if part.clusters is not None:
            self._put_in_clusters(name, part.eval_ids, part.clusters)

    def _put_in_clusters(
        self, name: str, eval_ids: Sequence[str], clusters: Sequence[str | None]
    ) -> None:
        known = self._clusters
        for eval_id, cluster in zip(eval_ids, clusters, strict=True):
            if not isinstance(cluster, str) or known.setdefault(eval_id, cluster) != cluster:
                raise InputError(
                    f"{escaped(name)}: text {escaped(eval_id)} is in cluster {cluster!r}; "
                    f"expected the same string for every system: {known.get(eval_id)!r}"
                )

    def table(self, metrics: Sequence[ScoredMetric]) -> ScoreTable:
        """Return the table; it can be called only once, since it frees the rows as it goes.

        Equal rows of one input count once, since retried tasks leave them. Raises InputError if a
        system has different scores in an EVAL, equal scores in two inputs, or scores and an error.
        """
        in_order = list(dict.fromkeys(self.systems))
        in_order += in_byte_order(self._numbers.keys() - set(in_order))
        self.n_found = self.n_failed
        if not self._parts:
            systems = {system: SystemTable(system, (), {}) for system in in_order}
            return ScoreTable(systems, tuple(metrics))
        # Codes number the systems in order of appearance, groups in print order.
        number_of = {system: number for number, system in enumerate(in_order)}
        rank = np.array([number_of[system] for system in self._numbers], np.int32)
        self._in_order, self._groups = in_order, rank[self._codes.take()]
        self._names.close()
        if not self._has_positions:
            self._growing.pop(POSITION, None)
        self._columns = {key: rows.take() for key, rows in self._growing.items()}
        order, is_repeated = self._names.sorted_by(self._groups)
        if is_repeated.any():
            self._check_repeated(order, np.flatnonzero(is_repeated))
            order = order[~is_repeated]
        self.n_found += len(order)
        self._check_failed(order)
        return self._table_of(order, metrics)

    def warnings(self) -> Iterator[str]:
        """Yield warnings about rows that are not in the table."""
        if self.n_dropped:
            rows = "1 row was" if self.n_dropped == 1 else f"{self.n_dropped} rows were"
            yield many(
                f"{rows} there twice, equal in every number, as retried tasks leave them; each "
                "counts once",
                self._first_dropped,
                self.n_dropped,
            )
        if self.n_failed:
            records = "1 record was" if self.n_failed == 1 else f"{self.n_failed} records were"
            first = sorted(map(str, self.failed))[:MOST_NAMED]
            yield many(f"{records} not scored and do not count", first, self.n_failed)

    def _check_repeated(self, order: Whole, repeated: Whole) -> None:
        """Count rows that an input contains twice; raises InputError for other repeated rows.

        `repeated`, shape (n_repeated,), are the places in `order` of rows with the same system and
        EVAL as the row before.
        """
        later, earlier = order[repeated], order[repeated - 1]
        names, numbers, sizes = zip(*self._parts, strict=True)
        ends, inputs = np.cumsum(sizes), np.array(numbers)
        of_later, of_earlier = (np.searchsorted(ends, r, "right") for r in (later, earlier))
        is_equal = inputs[of_later] == inputs[of_earlier]
        for values in self._columns.values():
            is_equal &= values[later] == values[earlier]
        if not is_equal.all():
            bad = np.flatnonzero(~is_equal)
            first = [int(parts[bad[0]]) for parts in (of_earlier, of_later)]
            files = dict.fromkeys(escaped(names[number]) for number in first)
            cells = [self._cell(row) for row in later[bad[:MOST_NAMED]].tolist()]
            what = f"{' and '.join(files)} have the same scores twice"
            raise InputError(many(what, cells, len(bad)))
        self.n_dropped = len(later)
        self._first_dropped = [self._cell(row) for row in later[:MOST_NAMED].tolist()]

    def _check_failed(self, order: Whole) -> None:
        if not self.failed:
            return
        cells = {(failed.system, failed.eval_id) for failed in self.failed}
        both = [self._cell(row) for row in order.tolist() if self._ids(row) in cells]
        if both:
            raise InputError(many("records with scores in one row, and an error in another", both))

    def _ids(self, row: int) -> tuple[str, str]:
        system = self._in_order[int(self._groups[row])]
        return system, self._names.eval_id(row, _n_bytes(system))

    def _cell(self, row: int) -> str:
        system, eval_id = self._ids(row)
        return f"system {escaped(system)}, text {escaped(eval_id)}"

    def _table_of(self, order: Whole, metrics: Sequence[ScoredMetric]) -> ScoreTable:
        """Return the table; `order` are the numbers of rows by system and then in byte order."""
        positions = self._columns.pop(POSITION, None)
        bounds = np.searchsorted(self._groups[order], np.arange(len(self._in_order) + 1))
        slices = zip(self._in_order, bounds[:-1], bounds[1:], strict=True)
        rows_of = {
            system: _by_position(order[start:stop], positions) for system, start, stop in slices
        }
        columns: dict[str, dict[str, MetricColumn]] = {system: {} for system in self._in_order}
        for metric in metrics:
            of_metric: dict[str, dict[str, NDArray[Any]]] = {}
            for key in [key for key in self._columns if key[0] == metric.name]:
                # Split and free one column at a time, so that memory does not double.
                values = self._columns.pop(key)
                of_metric[key[1]] = {system: values[rows] for system, (rows, _) in rows_of.items()}
            for system, by_metric in columns.items():
                arrays = {key: by_system.pop(system) for key, by_system in of_metric.items()}
                by_metric[metric.name] = MetricColumn.of_arrays(metric, arrays)
        systems = {
            system: SystemTable(
                system,
                SystemEvalIds(self._names, rows, _n_bytes(system)),
                columns[system],
                known_order=byte_order,
            )
            for system, (rows, byte_order) in rows_of.items()
        }
        return ScoreTable(systems, tuple(metrics), self._clusters)


def many(what: str, items: Sequence[str], count: int | None = None) -> str:
    """Summarise problems of a kind in one line: the first few, and how many more there are."""
    n_more = (len(items) if count is None else count) - len(items[:MOST_NAMED])
    more = f", and {n_more} more" if n_more > 0 else ""
    return f"{what}: {', '.join(items[:MOST_NAMED])}{more}"


def _n_bytes(system: str) -> int:
    return len(system.encode("utf-8", "surrogateescape"))


def _by_position(rows: Whole, positions: Whole | None) -> tuple[Whole, Whole]:
    """Sort the rows of a system by position, or by name if positions are missing or repeated.

    `rows` are in byte order of their names. Returns the sorted rows, and the indices that put these
    back in byte order; both have shape (n_evals,).
    """
    if positions is not None:
        by_position = np.argsort(positions[rows], kind="stable")
        in_order = positions[rows[by_position]]
        if (in_order[1:] != in_order[:-1]).all():
            byte_order = np.empty_like(by_position)
            byte_order[by_position] = np.arange(len(rows))
            return rows[by_position], byte_order
    return rows, np.arange(len(rows))
