"""Which fields of a record hold the peer, the models and the IDs, and how a path finds them."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from rouge_cli.options.inputs import InputOptions

__all__ = ["MISSING", "RecordFields", "choose_fields", "field_value", "listed"]

MISSING: Final = object()
"""What `field_value` returns where there is nothing."""

# The first that a record has is taken. A dataset's own summary is the model if there is a peer.
PREDICTIONS = (
    "prediction",
    "predictions",
    "filtered_resps",
    "resps",
    "generated_summary",
    "hypothesis",
    "output",
    "summary",
)
MODELS = ("references", "reference", "targets", "target", "summary", "highlights")
LONE_MODELS = frozenset({"reference", "target", "summary", "highlights"})
IDS = ("id", "eval_id", "instance_id", "doc_id", "example_id")
SYSTEMS = ("system", "system_id", "summarizer_id")

MOST_NAMES = 30
"""No more names than that in a message."""


@dataclass(frozen=True, slots=True)
class RecordFields:
    """The paths of the fields that are read.

    Parameters
    ----------
    prediction : str
        The peer.
    references : tuple of str
        The models of each.
    id, system, cluster : str or None
        None if the records have no such field, or nobody asks for it.
    is_lone_model : bool
        Whether a list of strings as references is one model of several sentences.
    may_lack_references : bool
        Whether a record may do without the field of the references: it was found by default.
    """

    prediction: str
    references: tuple[str, ...]
    id: str | None
    system: str | None
    is_lone_model: bool = False
    may_lack_references: bool = False
    cluster: str | None = None

    @property
    def paths(self) -> tuple[str, ...]:
        """All of them."""
        found = (self.prediction, *self.references, self.id, self.system, self.cluster)
        return tuple(filter(None, found))


def choose_fields(names: Collection[str], inputs: InputOptions) -> RecordFields:
    """Choose the fields that are asked for, and for the others the first default that is there.

    Raises ValueError if there is nothing to take for the prediction or for the references.

    Parameters
    ----------
    names : collection of str
        The fields of the first record.

    Returns
    -------
    RecordFields
        Fields that are asked for need not be among `names`.
    """
    # The same text must not be taken for peer and model.
    prediction = inputs.prediction or _first(PREDICTIONS, names, inputs.references)
    taken = () if prediction is None else (prediction,)
    model = None if inputs.references else _first(MODELS, names, taken)
    if prediction is None or (model is None and not inputs.references):
        has_models = bool(model or inputs.references)
        raise ValueError(f"{_nothing_found(prediction is not None, has_models)}; {listed(names)}")
    return RecordFields(
        prediction,
        inputs.references if model is None else (model,),
        inputs.id or _first(IDS, names),
        inputs.system or _first(SYSTEMS, names),
        is_lone_model=model in LONE_MODELS,
        may_lack_references=model is not None,
        cluster=inputs.cluster,
    )


def _first(
    defaults: Iterable[str], names: Collection[str], taken: Iterable[str] = ()
) -> str | None:
    """Return the first default that is there and is not taken, whole or in part."""
    roots = {part for path in taken for part in (path, path.partition(".")[0])}
    return next((name for name in defaults if name in names and name not in roots), None)


def _nothing_found(has_peer: bool, has_models: bool) -> str:
    """Say for what there is no field."""
    if has_peer:
        return "no references; name their field with --references"
    if has_models:
        return "no prediction; name its field with --prediction"
    return "neither prediction nor references; name the fields with --prediction and --references"


def listed(names: Collection[str]) -> str:
    """Say which fields a record has, for a message."""
    shown = [name if name.isprintable() else ascii(name) for name in names]
    more = f" and {len(shown) - MOST_NAMES} more" if len(shown) > MOST_NAMES else ""
    return f"the record has: {', '.join(shown[:MOST_NAMES]) or 'no fields'}{more}"


def field_value(value: Any, path: str) -> Any:
    """Find what a path leads to.

    Parameters
    ----------
    value : object
        A record, or what stands in it.
    path : str
        Keys of objects and places in lists, from 0, with dots between them. A key that has dots
        itself comes first.

    Returns
    -------
    object
        `MISSING` if there is nothing.
    """
    if isinstance(value, dict):
        if path in value:
            return value[path]
        return _value_below(value, path)
    if not isinstance(value, list):
        return MISSING
    place, _, rest = path.partition(".")
    # Longer numbers are no places, and Python refuses to read some.
    if not (place.isascii() and place.isdecimal() and len(place) < 10):  # noqa: PLR2004
        return MISSING
    if int(place) >= len(value):
        return MISSING
    return field_value(value[int(place)], rest) if rest else value[int(place)]


def _value_below(record: Mapping[str, Any], path: str) -> Any:
    """Follow a path whose first key, the longest first, is only a part of it."""
    head, dot, _ = path.rpartition(".")
    while dot:
        if head in record:
            found = field_value(record[head], path[len(head) + 1 :])
            if found is not MISSING:
                return found
        head, dot, _ = head.rpartition(".")
    return MISSING
