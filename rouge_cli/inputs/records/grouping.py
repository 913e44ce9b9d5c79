"""Records of the same ID are one EVAL, with a peer for each system."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, TypeVar

from rouge_cli.inputs.evaluation import Evaluation, TextSource
from rouge_cli.inputs.records.fields import MISSING, RecordFields, field_value, listed
from rouge_cli.inputs.records.rows import Row
from rouge_cli.inputs.records.texts import RecordTexts, kind_of

__all__ = ["RecordGroups", "RecordIds", "RecordOrigin", "RecordValues"]

# They would break a line of the report, or cannot be printed.
_UNPRINTABLE = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class RecordOrigin:
    """Where records come from.

    Parameters
    ----------
    name : str
        The file, for messages.
    unit : str
        What their numbers count: ``"line"`` or ``"record"``.
    system : str
        ID of the system, where records do not name it.
    """

    name: str
    unit: str
    system: str

    def place(self, number: int) -> str:
        """Say where a record stands in the file."""
        return f"{self.unit} {number}"

    def text(self, number: int, content: bytes) -> TextSource:
        """Return a text of a record."""
        if self.unit == "line":
            return TextSource(self.name, line=number, content=content)
        return TextSource(f"{self.name}, {self.place(number)}", content=content)


@dataclass(slots=True)
class _Draft:
    """An EVAL in the making, with the number of its first record."""

    number: int
    peers: dict[str, TextSource] = field(default_factory=dict)
    models: tuple[TextSource, ...] = ()
    cluster: str | None = None


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


class RecordValues:
    """Finds the texts and the cluster of record after record.

    Parameters
    ----------
    fields : RecordFields
    texts : RecordTexts
        What reads them.
    """

    def __init__(self, fields: RecordFields, texts: RecordTexts) -> None:
        self._fields = fields
        self._texts = texts

    def peer_of(self, record: Mapping[str, Any], path: str) -> bytes:
        """Return a peer; raises ValueError."""
        return self._texts.peer(_value(record, path), path)

    def models_of(self, record: Mapping[str, Any]) -> tuple[bytes, ...]:
        """Return the models, none if there are none in any field; raises ValueError."""
        fields = self._fields
        if fields.may_lack_references and field_value(record, fields.references[0]) is MISSING:
            return ()
        found = [
            self._texts.models(_value(record, path), path, is_lone=fields.is_lone_model)
            for path in fields.references
        ]
        if any(found) and not all(found):
            path = fields.references[found.index(())]
            raise ValueError(
                f"no references in field {path!r}; expected some in each of the fields"
            )
        return tuple(chain.from_iterable(found))

    def cluster_of(self, record: Mapping[str, Any]) -> str:
        """Return the cluster, empty if nobody asks for it; raises ValueError."""
        path = self._fields.cluster
        return "" if path is None else _identity(record, path)


class RecordGroups:
    """Takes record after record, and groups what it holds.

    Parameters
    ----------
    report : callable
        Called with a place and with what is wrong there.
    """

    def __init__(
        self,
        origin: RecordOrigin,
        fields: RecordFields,
        texts: RecordTexts,
        report: Callable[[str, str], None],
    ) -> None:
        self._origin = origin
        self._fields = fields
        self._texts = texts
        self._report = report
        self._drafts: dict[str, _Draft] = {}
        self._ids = RecordIds(fields, origin)
        self._values = RecordValues(fields, texts)

    def add(self, row: Row) -> None:
        """Take a record, or report all that is wrong with it."""
        self._texts.number = row.number
        record = row.record
        predictions = self._fields.predictions
        system = self._read(row, self._ids.system_of, record)
        eval_id = self._read(row, self._ids.eval_of, record, system)
        peers = [self._read(row, self._values.peer_of, record, path) for _, path in predictions]
        models = self._read(row, self._values.models_of, record)
        cluster = self._read(row, self._values.cluster_of, record)
        found = [peer for peer in peers if peer is not None]
        if system is not None and eval_id and len(found) == len(peers) and models is not None:
            for (name, _), peer in zip(predictions, found, strict=True):
                self._read(row, self._group, row.number, eval_id, name or system, peer, models)
            if cluster:
                self._read(row, self._put_in_cluster, eval_id, cluster)

    def check_models(self) -> None:
        """Report every EVAL without a model."""
        names = " or ".join(map(repr, self._fields.references))
        for eval_id, draft in self._drafts.items():
            if not draft.models:
                self._report(
                    self._origin.place(draft.number),
                    f"EVAL {eval_id}: no references in field {names}; expected at least one",
                )

    def evaluations(self) -> list[Evaluation]:
        """Return the EVALs in the order in which their IDs appear first."""
        has_lines = self._origin.unit == "line"
        return [
            Evaluation(
                eval_id,
                draft.peers,
                draft.models,
                draft.number if has_lines else None,
                cluster=draft.cluster,
            )
            for eval_id, draft in self._drafts.items()
        ]

    def _read(self, row: Row, read: Callable[..., Value], *arguments: Any) -> Value | None:
        """Call one of the functions below; report what it raises, and return None then."""
        try:
            return read(*arguments)
        except ValueError as error:
            self._report(self._origin.place(row.number), str(error))
            return None

    def _group(
        self, number: int, eval_id: str, system: str, peer: bytes, models: tuple[bytes, ...]
    ) -> None:
        """Put a record to those of the same ID; raises ValueError if it does not go with them."""
        draft = self._drafts.get(eval_id)
        if draft is None:
            draft = self._drafts[eval_id] = _Draft(number)
        if system in draft.peers:
            raise ValueError(self._duplicate(eval_id, system, draft.peers[system].place))
        draft.peers[system] = self._origin.text(number, peer)
        if not draft.models:
            draft.models = tuple(self._origin.text(number, model) for model in models)
        elif models and tuple(model.content for model in draft.models) != models:
            raise ValueError(
                f"EVAL {eval_id}: other references than in {draft.models[0].place}; "
                "expected the same for every system of an EVAL"
            )

    def _put_in_cluster(self, eval_id: str, cluster: str) -> None:
        """Put an EVAL into a cluster; raises ValueError if it is in another one."""
        draft = self._drafts[eval_id]
        if draft.cluster not in {None, cluster}:
            raise ValueError(
                f"EVAL {eval_id}: in cluster {cluster!r}, and in {draft.cluster!r} before; "
                "expected the same for every system of an EVAL"
            )
        draft.cluster = cluster

    def _duplicate(self, eval_id: str, system: str, place: str) -> str:
        """Say that an EVAL has a peer already."""
        if self._fields.system is None:
            expected = "each ID once; if there are several systems, name their field with --system"
            return f"EVAL {eval_id}: a duplicate of {place}; expected {expected}"
        return (
            f"EVAL {eval_id}, system {system}: a duplicate of {place}; "
            "expected one record for each EVAL and system"
        )


def _value(record: Mapping[str, Any], path: str) -> Any:
    """Return what stands in a field; raises ValueError if there is no such field."""
    value = field_value(record, path)
    if value is MISSING:
        raise ValueError(f"no field {path!r}; {listed(record)}")
    return value


def _identity(record: Mapping[str, Any], path: str) -> str:
    """Return an ID; raises ValueError if there is none."""
    value = _value(record, path)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    expected = "expected an ID, a string or a whole number"
    if not isinstance(value, str):
        raise ValueError(f"field {path!r} is {kind_of(value)}; {expected}")
    if not value.strip():
        raise ValueError(f"field {path!r} is blank; {expected}")
    if _UNPRINTABLE.search(value):
        raise ValueError(f"field {path!r} is {value!a}; {expected} without control characters")
    return value
