"""Which fields of a record hold the peer, the models and the IDs, and how a path finds them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from rouge_cli.options.inputs import InputOptions
from rouge_cli.quick_dataclass import dataclass

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
    predictions : tuple of tuple of str or None, and str
        The peers, each with the name of its system; the name is None if the record or the file
        says which system it is.
    references : tuple of str
        The models of each.
    id, system, cluster : str or None
        None if the records have no such field, or nobody asks for it.
    is_lone_model : bool
        Whether a list of strings as references is one model of several sentences.
    may_lack_references : bool
        Whether a record may do without the field of the references: it was found by default.
    """

    predictions: tuple[tuple[str | None, str], ...]
    references: tuple[str, ...]
    id: str | None
    system: str | None
    is_lone_model: bool = False
    may_lack_references: bool = False
    cluster: str | None = None

    @property
    def prediction(self) -> str:
        """The peer, or the first of several."""
        return self.predictions[0][1]

    @property
    def description(self) -> str:
        """Say what is read from where."""
        of_peers = [f"{path!r} as {name or 'prediction'}" for name, path in self.predictions]
        of_models = [f"{path!r} as references" for path in self.references]
        roles = {"id": self.id, "system": self.system, "cluster": self.cluster}
        others = [f"{path!r} as {role}" for role, path in roles.items() if path is not None]
        return f"fields {', '.join((*of_peers, *of_models, *others))}"

    @property
    def paths(self) -> tuple[str, ...]:
        """All of them."""
        peers = (path for _, path in self.predictions)
        found = (*peers, *self.references, self.id, self.system, self.cluster)
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
        Fields that are asked for need not be among `names`. Where no name is spelt as asked for,
        the only one that differs in case is taken.
    """
    # The same text must not be taken for peer and model.
    references = tuple(_spelt(path, names) for path in inputs.references)
    predictions = _predictions(inputs.prediction, names)
    if not predictions and (found := _first(PREDICTIONS, names, references)) is not None:
        predictions = ((None, found),)
    taken = tuple(path for _, path in predictions)
    model = None if references else _first(MODELS, names, taken)
    if not predictions or (model is None and not references):
        has_models = bool(model or references)
        raise ValueError(f"{_nothing_found(bool(predictions), has_models)}; {listed(names)}")
    is_named = predictions[0][0] is not None
    return RecordFields(
        predictions,
        references if model is None else (model,),
        _spelt(inputs.id, names) if inputs.id else _first(IDS, names),
        None if is_named else _system(inputs.system, names),
        is_lone_model=model is not None and model.lower() in LONE_MODELS,
        may_lack_references=model is not None,
        cluster=_spelt(inputs.cluster, names) if inputs.cluster else None,
    )


def _system(asked: str | None, names: Collection[str]) -> str | None:
    """Return the field of the system; None if there is none."""
    return _spelt(asked, names) if asked else _first(SYSTEMS, names)


def _predictions(
    asked: Sequence[str], names: Collection[str]
) -> tuple[tuple[str | None, str], ...]:
    """Return the fields of the peers with the names of their systems; raises ValueError.

    Of several, those without a name are called as their fields are.
    """
    found: dict[str | None, str] = {}
    for value in asked:
        name, equals, path = value.partition("=")
        if not (name and equals and path) or _spelt(value, names) in names:
            name, path = value, value
        system = None if len(asked) == 1 and path == value else name
        if system in found:
            raise ValueError(f"--prediction names a system {system!r} twice; give each NAME=FIELD")
        found[system] = _spelt(path, names)
    return tuple(found.items())


def _spelt(path: str, names: Collection[str]) -> str:
    """Return the name that a path has among `names`, in whatever case; the path if there is none.

    Two that differ in case alone are told apart.
    """
    if path in names:
        return path
    alike = [name for name in names if name.lower() == path.lower()]
    return alike[0] if len(alike) == 1 else path


def _first(
    defaults: Iterable[str], names: Collection[str], taken: Iterable[str] = ()
) -> str | None:
    """Return the first default that is there and is not taken, whole or in part."""
    roots = {part for path in taken for part in (path, path.partition(".")[0])}
    found = (_spelt(name, names) for name in defaults)
    return next((name for name in found if name in names and name not in roots), None)


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
