"""Records of the same ID are one EVAL, with a peer for each system."""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple, TypeVar

from rouge_cli.errors import FoundError, Problems
from rouge_cli.inputs.records.corpus import RecordEval, RecordOrigin
from rouge_cli.inputs.records.fields import MISSING, RecordFields, field_value, listed
from rouge_cli.inputs.records.rows import Row, RowProblem
from rouge_cli.inputs.records.texts import RecordTexts, kind_of

__all__ = ["RecordGroups", "RecordIds", "RecordValues"]

# They would break a line of the report, or cannot be printed.
_UNPRINTABLE = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")

_SAME = "expected the same for every system of an EVAL"

Value = TypeVar("Value")


class _Found(NamedTuple):
    """What a record holds, beside the ID of its EVAL."""

    system: str
    peers: Sequence[bytes]
    models: tuple[bytes, ...]
    cluster: str | None


class RecordIds:
    """Finds the IDs of record after record: without a field, EVALs have the numbers of records."""

    def __init__(self, fields: RecordFields, origin: RecordOrigin) -> None:
        self._fields = fields
        self._origin = origin
        self._n_records: dict[str, int] = {}

    def system_of(self, record: Mapping[str, Any]) -> str:
        """Return the ID of the system; raises ValueError."""
        path = self._fields.system
        return self._origin.system if path is None else _identity(record, path)

    def eval_of(self, record: Mapping[str, Any], system: str | None) -> str:
        """Return the ID of the EVAL; raises ValueError."""
        path = self._fields.id
        if path is not None:
            return _identity(record, path)
        number = self._n_records[system or ""] = self._n_records.get(system or "", 0) + 1
        return str(number)

    def usual(self, rows: Sequence[Row]) -> list[str] | None:
        """Return the EVAL of each record, if each has a good ID of its own, of one system."""
        path = self._fields.id
        if path is None:
            system = self._origin.system
            before = self._n_records.get(system, 0)
            self._n_records[system] = before + len(rows)
            return [str(number) for number in range(before + 1, before + len(rows) + 1)]
        ids = [row.record[path] for row in rows]
        kinds = set(map(type, ids))
        if kinds == {int}:
            return list(map(str, ids))
        is_good = kinds == {str} and "".join(ids).isprintable() and all(map(str.strip, ids))
        return ids if is_good else None


class RecordValues:
    """Finds the texts and the cluster of record after record.

    Parameters
    ----------
    texts : RecordTexts
        What reads them.
    """

    def __init__(self, fields: RecordFields, texts: RecordTexts) -> None:
        self._fields = fields
        self._texts = texts

    def peer_of(self, record: Mapping[str, Any], path: str) -> bytes:
        """Return a peer; raises ValueError."""
        return self._texts.peer(_value(record, path), path)

    def usual(self, rows: Sequence[Row]) -> tuple[list[bytes], list[tuple[bytes, ...]]] | None:
        """Return peers and models of records, each of them strings in fields of their own."""
        peer_path, model_path = self._fields.prediction, self._fields.references[0]
        peers = self._texts.usual([row.record[peer_path] for row in rows])
        found = [row.record[model_path] for row in rows]
        are_lone = set(map(type, found)) == {str}
        if not are_lone and (self._fields.is_lone_model or set(map(type, found)) != {list}):
            return None
        texts = self._texts.usual(found if are_lone else list(chain.from_iterable(found)))
        if peers is None or texts is None:
            return None
        if are_lone:
            return peers, [(text,) for text in texts]
        rest = iter(texts)
        return peers, [tuple(islice(rest, len(models))) for models in found]

    def models_of(self, record: Mapping[str, Any]) -> tuple[bytes, ...]:
        """Return the models, none if there are none in any field; raises ValueError."""
        references = self._fields.references
        if len(references) == 1:
            return self._models_in(record, references[0])
        found = [self._models_in(record, path) for path in references]
        if any(found) and not all(found):
            path = references[found.index(())]
            raise ValueError(
                f"no references in field {path!r}; expected some in each of the fields"
            )
        return tuple(chain.from_iterable(found))

    def _models_in(self, record: Mapping[str, Any], path: str) -> tuple[bytes, ...]:
        """Return the models in a field; raises ValueError."""
        fields = self._fields
        if (
            fields.may_lack_references
            and path not in record
            and field_value(record, path) is MISSING
        ):
            return ()
        return self._texts.models(_value(record, path), path, is_lone=fields.is_lone_model)

    def cluster_of(self, record: Mapping[str, Any]) -> str:
        """Return the cluster, empty if nobody asks for it; raises ValueError."""
        path = self._fields.cluster
        return "" if path is None else _identity(record, path)


class RecordGroups:
    """Takes record after record, and groups what it holds.

    Parameters
    ----------
    problems : Problems
        Takes what is wrong with records.
    """

    def __init__(
        self,
        origin: RecordOrigin,
        fields: RecordFields,
        texts: RecordTexts,
        problems: Problems,
    ) -> None:
        self._origin = origin
        self._fields = fields
        self._texts = texts
        self._problems = problems
        self._evals: dict[str, RecordEval] = {}
        self._ids = RecordIds(fields, origin)
        self._values = RecordValues(fields, texts)

    @property
    def evals(self) -> list[RecordEval]:
        """The EVALs in the order in which their IDs appear first."""
        return list(self._evals.values())

    def take_usual(self, rows: Sequence[Row | RowProblem]) -> bool:
        """Take records column by column, as nearly all are; if one is anything else, take none."""
        fields = self._fields
        if len(fields.predictions) != 1 or len(fields.references) != 1:
            return False
        if fields.system is not None or fields.cluster is not None:
            return False
        records = [row for row in rows if isinstance(row, Row)]
        try:
            return len(records) == len(rows) and self._take_columns(records)
        except KeyError:
            return False

    def add(self, row: Row) -> None:
        """Take a record, or report all that is wrong with it."""
        self._texts.number = row.number
        try:
            self._take(row)
        except ValueError:
            self._report_all(row)

    def check_models(self) -> None:
        """Report every EVAL without a model."""
        names = " or ".join(map(repr, self._fields.references))
        for eval_id, one in self._evals.items():
            if not one.models:
                found = f"no references in field {names}; expected at least one"
                place = self._origin.place(one.number)
                self._problems.add(place, f"EVAL {eval_id}: {found}", found)

    def _take_columns(self, rows: Sequence[Row]) -> bool:
        """Take records, see `take_usual`; raises KeyError if one lacks a field."""
        texts = self._values.usual(rows)
        ids = None if texts is None else self._ids.usual(rows)
        if texts is None or ids is None:
            return False
        if len(set(ids)) < len(ids) or not self._evals.keys().isdisjoint(ids):
            return False
        system = self._fields.predictions[0][0] or self._origin.system
        for eval_id, row, peer, models in zip(ids, rows, *texts, strict=True):
            number = row.number
            self._evals[eval_id] = RecordEval(eval_id, number, {system: peer}, models, number)
        return True

    def _take(self, row: Row) -> None:
        """Take a record; raises ValueError, and has then taken nothing, if it cannot be read."""
        record = row.record
        found = _Found(
            self._ids.system_of(record),
            [self._values.peer_of(record, path) for _, path in self._fields.predictions],
            self._values.models_of(record),
            self._values.cluster_of(record),
        )
        # Last, since it counts the records.
        self._put(row, self._ids.eval_of(record, found.system), found)

    def _report_all(self, row: Row) -> None:
        """Report all that is wrong with a record; take one whose problem is but its cluster."""
        record = row.record
        predictions = self._fields.predictions
        system = self._read(row, self._ids.system_of, record)
        eval_id = self._read(row, self._ids.eval_of, record, system)
        peers = [self._read(row, self._values.peer_of, record, path) for _, path in predictions]
        models = self._read(row, self._values.models_of, record)
        cluster = self._read(row, self._values.cluster_of, record)
        found = [peer for peer in peers if peer is not None]
        if system is not None and eval_id and len(found) == len(peers) and models is not None:
            self._put(row, eval_id, _Found(system, found, models, cluster))

    def _put(self, row: Row, eval_id: str, found: _Found) -> None:
        """Put a record to those of the same ID, or report that it does not go with them."""
        for (name, _), peer in zip(self._fields.predictions, found.peers, strict=True):
            system = name or found.system
            self._read(row, self._group, row.number, eval_id, system, peer, found.models)
        if found.cluster:
            self._read(row, self._put_in_cluster, eval_id, found.cluster)

    def _read(self, row: Row, read: Callable[..., Value], *arguments: Any) -> Value | None:
        """Call one of the functions below; report what it raises, and return None then."""
        try:
            return read(*arguments)
        except ValueError as error:
            self._problems.add_error(self._origin.place(row.number), error)
            return None

    def _group(
        self, number: int, eval_id: str, system: str, peer: bytes, models: tuple[bytes, ...]
    ) -> None:
        """Put a peer to those of the same ID; raises ValueError if it does not go with them."""
        known = self._evals.get(eval_id)
        if known is None:
            self._evals[eval_id] = RecordEval(eval_id, number, {system: peer}, models, number)
            return
        if system in known.peers:
            place = self._origin.text(known.number_of(system), b"").place
            raise self._duplicate(eval_id, system, place)
        known.peers[system] = peer
        if number != known.number:
            known.later = (known.later or {}) | {system: number}
        if not known.models:
            known.models, known.model_number = models, number
        elif models and known.models != models:
            place = self._origin.text(known.model_number, b"").place
            raise FoundError(
                f"EVAL {eval_id}: other references than in {place}; {_SAME}",
                f"other references than an earlier record of the EVAL has; {_SAME}",
            )

    def _put_in_cluster(self, eval_id: str, cluster: str) -> None:
        """Put an EVAL into a cluster; raises ValueError if it is in another one."""
        known = self._evals[eval_id]
        if known.cluster not in {None, cluster}:
            raise FoundError(
                f"EVAL {eval_id}: in cluster {cluster!r}, and in {known.cluster!r} before; {_SAME}",
                f"in another cluster than an earlier record of the EVAL; {_SAME}",
            )
        known.cluster = cluster

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


def _value(record: Mapping[str, Any], path: str) -> Any:
    """Return what stands in a field; raises ValueError if there is no such field."""
    # Most are fields themselves, and there are very many.
    value = record[path] if path in record else field_value(record, path)
    if value is MISSING:
        raise FoundError(
            f"no field {path!r}; {listed(record)}",
            f"no field {path!r}, which is read of every record",
        )
    return value


def _identity(record: Mapping[str, Any], path: str) -> str:
    """Return an ID; raises ValueError if there is none."""
    value = _value(record, path)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    expected = "expected an ID, a string or a whole number"
    if not isinstance(value, str):
        kind = f"field {path!r} is {kind_of(value, is_exact=False)}; {expected}"
        raise FoundError(f"field {path!r} is {kind_of(value)}; {expected}", kind)
    if not value.strip():
        raise ValueError(f"field {path!r} is blank; {expected}")
    if not value.isprintable() and _UNPRINTABLE.search(value):
        expected += " without control characters"
        kind = f"field {path!r} has control characters; {expected}"
        raise FoundError(f"field {path!r} is {value!a}; {expected}", kind)
    return value
