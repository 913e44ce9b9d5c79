"""Rows of saved scores in any order and number of parts, put together to a score table.

There may be tens of millions, so they are packed into arrays as they are read: names as in
`rouge_cli.scoring.instance_names`, counts in 32 bits where these are enough.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.evaluation import in_byte_order
from rouge_cli.metrics.counts import Counts, ScoredMetric
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scoring.instance_names import EvalIds, GrowingNames, InstanceNames
from rouge_cli.scoring.score_table import MetricColumn, ScoreTable, SystemTable

__all__ = ["FailedRow", "Key", "PartRows", "ScoreRows", "many", "number_array"]

MOST_SHOWN = 3

Key = tuple[str, str]
"""The name of a metric, and that of one of its counts or measures."""

SMALL = np.iinfo(np.int32)


@dataclass(frozen=True, slots=True)
class FailedRow:
    """A record that could not be scored.

    Parameters
    ----------
    system, eval_id : str or None
        None if the record does not say.
    """

    system: str | None
    eval_id: str | None
    reason: str

    def __str__(self) -> str:
        """Name it, and say why."""
        eval_id = "without an ID" if self.eval_id is None else escaped(self.eval_id)
        system = "" if self.system is None else f", system {escaped(self.system)}"
        return f"EVAL {eval_id}{system}: {escaped(self.reason)}"


@dataclass(frozen=True, slots=True, eq=False)
class PartRows:
    """Some rows of a file.

    Parameters
    ----------
    name : str
        Of the file, for messages.
    systems, eval_ids : list of str
        Of each row.
    clusters : list of str or None, or None
        Of each row, where EVALs have clusters.
    positions : ndarray of int64, shape (n_rows,), or None
        Where the EVAL stood among those of its system; None if some row does not say.
    columns : mapping of Key to ndarray, shape (n_rows,)
    failed : sequence of FailedRow
        Records without scores, which are no rows.
    """

    name: str
    systems: list[str]
    eval_ids: list[str]
    clusters: list[str | None] | None
    positions: NDArray[np.int64] | None
    columns: Mapping[Key, NDArray[Any]]
    failed: Sequence[FailedRow] = ()


@dataclass(slots=True, eq=False)
class ScoreRows:
    """Takes rows, and makes a table of them.

    Parameters
    ----------
    systems : sequence of str
        Those that are known beforehand, in the order of print; others come behind them in byte
        order.
    n_rows : int
        How many rows there will be, at most. Memory for them is set aside at once: put together
        from pieces they would take twice as much.

    Attributes
    ----------
    failed : dict of FailedRow to None
        Records without scores, those with an ID once.
    n_failed : int
    n_dropped : int
        Rows that were there already, equal in all that they hold.
    n_found : int
        Records, scored or not, each once; known when the table is made.
    """

    systems: Sequence[str]
    n_rows: int
    failed: dict[FailedRow, None] = field(default_factory=dict)
    n_failed: int = 0
    n_dropped: int = 0
    n_found: int = 0
    _first_dropped: list[str] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)
    _files: list[tuple[str, int]] = field(default_factory=list)
    _inputs: list[int] = field(default_factory=list)
    _columns: dict[Key, NDArray[Any]] = field(default_factory=dict)
    _clusters: dict[str, str] = field(default_factory=dict)
    _has_positions: bool = True
    _n_added: int = 0
    _names: GrowingNames = field(init=False)
    _codes: NDArray[np.int32] = field(init=False)
    _positions: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        """Set memory aside."""
        self._names = GrowingNames(self.n_rows)
        self._codes = np.empty(self.n_rows, np.int32)
        self._positions = np.empty(self.n_rows, np.int64)

    def add(self, part: PartRows, given: int) -> None:
        """Take the rows of a part; `given` is the number of the input that it belongs to.

        Raises InputError if an EVAL is in two clusters.
        """
        for one in part.failed:
            self.n_failed += one.eval_id is None or one not in self.failed
            self.failed.setdefault(one)
        n_rows, numbers = len(part.systems), self._numbers
        if not n_rows:
            return
        rows = slice(self._n_added, self._n_added + n_rows)
        self._codes[rows] = [numbers.setdefault(one, len(numbers)) for one in part.systems]
        self._names.add(part.eval_ids, part.systems)
        self._has_positions &= part.positions is not None
        if part.positions is not None:
            self._positions[rows] = part.positions
        self._n_added += n_rows
        self._files.append((part.name, n_rows))
        self._inputs.append(given)
        for key, values in part.columns.items():
            self._put(key, rows, _narrow(values))
        if part.clusters is not None:
            self._put_in_clusters(part.name, part.eval_ids, part.clusters)

    def _put(self, key: Key, rows: slice, values: NDArray[Any]) -> None:
        """Put values into a column, and change its type if it cannot hold them."""
        column = self._columns.get(key)
        if column is None:
            column = self._columns[key] = np.empty(self.n_rows, values.dtype)
        if column.dtype != values.dtype:
            is_alike = column.dtype.kind == values.dtype.kind
            kind = np.result_type(column.dtype, values.dtype) if is_alike else np.dtype(object)
            if column.dtype != kind:
                # What is beyond is not there yet.
                changed = np.empty(self.n_rows, kind)
                changed[: rows.start] = column[: rows.start]
                column = self._columns[key] = changed
        column[rows] = values

    def _put_in_clusters(
        self, name: str, eval_ids: Sequence[str], clusters: Sequence[str | None]
    ) -> None:
        """Remember the cluster of each EVAL; raises InputError where one has two."""
        found = self._clusters
        for eval_id, cluster in zip(eval_ids, clusters, strict=True):
            if not isinstance(cluster, str) or found.setdefault(eval_id, cluster) != cluster:
                raise InputError(
                    f"{escaped(name)}: EVAL {escaped(eval_id)} is in cluster {cluster!r}; "
                    f"expected the same string for every system: {found.get(eval_id)!r}"
                )

    def table(self, metrics: Sequence[ScoredMetric]) -> ScoreTable:
        """Make the table, once; the rows are given up on the way.

        Raises
        ------
        InputError
            If a system and an EVAL are there twice, unless retried tasks have left equal rows in
            one input; or with scores, and without.
        """
        in_order = list(dict.fromkeys(self.systems))
        in_order += in_byte_order(self._numbers.keys() - set(in_order))
        self.n_found = self.n_failed
        if not self._n_added:
            systems = {one: _empty_system(one, metrics) for one in in_order}
            return ScoreTable(systems, tuple(metrics))
        # From the order in which they were met to that of print.
        rank = np.array([in_order.index(system) for system in self._numbers], np.int32)
        groups = rank[self._codes[: self._n_added]]
        names = self._names.names()
        order, is_repeated = names.sorted_by(groups)
        positions = self._positions[: self._n_added] if self._has_positions else None
        columns = {key: self._columns.pop(key)[: self._n_added] for key in list(self._columns)}
        rows = _JoinedRows(in_order, names, groups, positions, columns)
        if is_repeated.any():
            self._check_repeated(rows, order, np.flatnonzero(is_repeated))
            order = order[~is_repeated]
        self.n_found += len(order)
        self._check_failed(rows, order)
        return rows.table(order, metrics, self._clusters)

    def warnings(self) -> Iterator[str]:
        """Yield what is to be said of rows that the table does not have."""
        if self.n_dropped:
            found = "1 row was" if self.n_dropped == 1 else f"{self.n_dropped} rows were"
            yield many(
                f"{found} there twice, equal in every number, as retried tasks leave them; each "
                "counts once",
                self._first_dropped,
                self.n_dropped,
            )
        if self.n_failed:
            found = "1 record was" if self.n_failed == 1 else f"{self.n_failed} records were"
            shown = sorted(map(str, self.failed))[:MOST_SHOWN]
            yield many(f"{found} not scored and do not count", shown, self.n_failed)

    def _check_repeated(
        self, rows: "_JoinedRows", order: NDArray[np.int64], places: NDArray[np.int64]
    ) -> None:
        """Count rows that were left twice by one input; refuse others, raises InputError."""
        later, earlier = order[places], order[places - 1]
        ends = np.cumsum([n_rows for _, n_rows in self._files])
        of_later, of_earlier = (np.searchsorted(ends, one, "right") for one in (later, earlier))
        given = np.array(self._inputs)
        is_equal = rows.are_equal(later, earlier) & (given[of_later] == given[of_earlier])
        if not is_equal.all():
            bad = np.flatnonzero(~is_equal)
            first = [int(of[bad[0]]) for of in (of_earlier, of_later)]
            files = dict.fromkeys(escaped(self._files[number][0]) for number in first)
            cells = [rows.cell(row) for row in later[bad[:MOST_SHOWN]].tolist()]
            what = f"{' and '.join(files)} have the same scores twice"
            raise InputError(many(what, cells, len(bad)))
        self.n_dropped = len(later)
        self._first_dropped = [rows.cell(row) for row in later[:MOST_SHOWN].tolist()]

    def _check_failed(self, rows: "_JoinedRows", order: NDArray[np.int64]) -> None:
        """Refuse records that have scores too; raises InputError."""
        if not self.failed:
            return
        cells = {(one.system, one.eval_id) for one in self.failed}
        both = [rows.cell(row) for row in order.tolist() if rows.ids(row) in cells]
        if both:
            raise InputError(many("records with scores in one row, and an error in another", both))


@dataclass(frozen=True, slots=True, eq=False)
class _JoinedRows:
    """All rows.

    Parameters
    ----------
    systems : list of str
        In the order of print.
    groups : ndarray of int32, shape (n_rows,)
        The system of each row.
    positions : ndarray of int64, shape (n_rows,), or None
    columns : dict of Key to ndarray, shape (n_rows,)
        Each is given up when its values are in the table.
    """

    systems: list[str]
    names: InstanceNames
    groups: NDArray[np.int32]
    positions: NDArray[np.int64] | None
    columns: dict[Key, NDArray[Any]]

    def ids(self, row: int) -> tuple[str, str]:
        """Return the system and the EVAL of a row."""
        system = self.systems[int(self.groups[row])]
        return system, self.names.eval_id(row, _n_bytes(system))

    def cell(self, row: int) -> str:
        """Name a row in a message."""
        system, eval_id = self.ids(row)
        return f"system {escaped(system)}, EVAL {escaped(eval_id)}"

    def are_equal(self, some: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Say which rows are equal to others in every number; the same shape."""
        is_equal = np.ones(len(some), np.bool_)
        placed = () if self.positions is None else (self.positions,)
        for values in (*self.columns.values(), *placed):
            is_equal &= values[some] == values[others]
        return is_equal

    def table(
        self,
        order: NDArray[np.int64],
        metrics: Sequence[ScoredMetric],
        clusters: Mapping[str, str],
    ) -> ScoreTable:
        """Make the table; `order` has the rows system by system, each in byte order."""
        bounds = np.searchsorted(self.groups[order], np.arange(len(self.systems) + 1))
        pairs = zip(self.systems, bounds[:-1], bounds[1:], strict=True)
        placed = {
            system: _placed(order[start:stop], self.positions) for system, start, stop in pairs
        }
        columns: dict[str, dict[str, MetricColumn]] = {system: {} for system in self.systems}
        for metric in metrics:
            keys = [key for key in self.columns if key[0] == metric.name]
            of_metric = {key[1]: _taken(self.columns.pop(key), placed) for key in keys}
            for system, by_metric in columns.items():
                own = {letter: taken.pop(system) for letter, taken in of_metric.items()}
                by_metric[metric.name] = _column(metric, own)
        systems = {
            system: SystemTable(
                system, EvalIds(self.names, rows, _n_bytes(system)), columns[system], byte_order
            )
            for system, (rows, byte_order) in placed.items()
        }
        return ScoreTable(systems, tuple(metrics), clusters)


def many(what: str, items: Sequence[str], count: int | None = None) -> str:
    """Return many problems of a kind as one: a count and the first few."""
    n_more = (len(items) if count is None else count) - len(items[:MOST_SHOWN])
    more = f", and {n_more} more" if n_more > 0 else ""
    return f"{what}: {', '.join(items[:MOST_SHOWN])}{more}"


def _narrow(values: NDArray[Any]) -> NDArray[Any]:
    """Return whole numbers in 32 bits if these are enough."""
    if values.dtype.kind != "i" or not values.size:
        return values
    is_small = values.max() <= SMALL.max and values.min() >= SMALL.min
    return values.astype(np.int32) if is_small else values


def _n_bytes(system: str) -> int:
    """Return the length of a system ID in bytes."""
    return len(system.encode("utf-8", "surrogateescape"))


def _taken(
    values: NDArray[Any], placed: Mapping[str, tuple[NDArray[np.int64], NDArray[np.int64]]]
) -> dict[str, NDArray[Any]]:
    """Return the values of each system."""
    return {system: values[own] for system, (own, _) in placed.items()}


def _placed(
    rows: NDArray[np.int64], positions: NDArray[np.int64] | None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows of a system by position, or by name if these do not tell.

    Returns
    -------
    rows : ndarray of int64, shape (n_evals,)
    byte_order : ndarray of int64, shape (n_evals,)
        The places of these in byte order of their names.
    """
    if positions is not None:
        by_position = np.argsort(positions[rows], kind="stable")
        in_order = positions[rows[by_position]]
        if (in_order[1:] != in_order[:-1]).all():
            places = np.empty_like(by_position)
            places[by_position] = np.arange(len(rows))
            return rows[by_position], places
    return rows, np.arange(len(rows))


def _column(metric: ScoredMetric, arrays: dict[str, NDArray[Any]]) -> MetricColumn:
    """Return the scores of a system in a metric; arrays are given up."""
    values = np.empty((len(metric.measures), len(next(iter(arrays.values())))))
    for number, letter in enumerate(metric.measures):
        values[number] = arrays.pop(letter)
    statistics = {key: arrays.pop(key).astype(np.float64) for key in metric.statistics}
    return MetricColumn(metric, values, Counts(**arrays) if arrays else None, statistics)


def _empty_system(system: str, metrics: Sequence[ScoredMetric]) -> SystemTable:
    """Return a system without EVALs."""
    columns = {
        one.name: MetricColumn(one, np.zeros((len(one.measures), 0)), None) for one in metrics
    }
    return SystemTable(system, (), columns)


def number_array(numbers: Sequence[float]) -> NDArray[Any]:
    """Return numbers as an array of int64 or float64; of object if mixed, or beyond 63 bits."""
    if all(isinstance(number, float) for number in numbers):
        return np.array(numbers, np.float64)
    is_small = all(isinstance(number, int) and abs(number) < 1 << 63 for number in numbers)
    return np.array(numbers, np.int64 if is_small else object)
