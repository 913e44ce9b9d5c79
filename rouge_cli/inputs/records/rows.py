"""Rows of records, and the choice of the fields to read from them."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

from rouge_cli.errors import FoundError, Problems
from rouge_cli.options.inputs import InputOptions
from rouge_cli.quick_dataclass import dataclass

MISSING: Final = object()  # returned by `field_value` for a path that leads nowhere

# Default names, by priority: the first one in the record is used. `summary` is on both lists: it is
# the reference in data sets of summaries, unless nothing else can be the prediction.
PREDICTIONS = (
    "prediction", "predictions", "filtered_resps", "resps", "generated_summary", "hypothesis",
    "output", "summary_text", "generated_text", "model_output", "actual_output", "predict",
    "response", "summary",
)  # fmt: skip
MODELS = (
    "references", "reference", "targets", "target", "summary", "highlights", "expected_output",
    "ground_truth", "label",
)  # fmt: skip
DERIVED = {"filtered_resps": "resps"}
"""Maps a derived field to its original, which is not read if the derived field is present."""
# A list of strings in a field with a plural name is several references, in others the sentences of
# one.
LONE_MODELS = frozenset({*MODELS} - {"references", "targets"})
IDS = ("id", "eval_id", "instance_id", "doc_id", "example_id")
SYSTEMS = ("system", "system_id", "summarizer_id")

AS_PANDAS = (
    "; as pandas' to_json writes a table: write it with to_json(FILE, orient='records', "
    "lines=True), or turn it with: python -c \"import pandas; pandas.read_json('FILE', "
    "orient='{}').to_json('NEW.jsonl', orient='records', lines=True)\""
)
"""Advice for a table written with another `orient`, which replaces ``{}``."""

MOST_NAMES = 30  # maximum number of fields listed in a message

MOST_KNOWN = 1 << 12
"""Maximum number of names remembered by `LaterFields`; bounds memory if names differ by record."""


@dataclass(frozen=True, slots=True)
class RecordFields:
    """The paths of the fields to read.

    - `predictions`: for each peer, the name of its system and its path. The name is None if the
      system is named by the record or the file.
    - `references`: the paths of the models.
    - `id`, `system`, `cluster`, `run`: None if the records have no such field or it is not needed.
    - `is_lone_model`: whether a list of strings in `references` is one model of several sentences.
    - `may_lack_references`: whether a record may lack the field of references, because its name
      was found by default and not given by the user.
    - `unread`: other fields of the record with default names, which are not read.
    - `watched`: default names, in lower case, that the first record lacks, but with which a field
      would have been read or listed in `unread`.
    """

    predictions: tuple[tuple[str | None, str], ...]
    references: tuple[str, ...]
    id: str | None
    system: str | None
    is_lone_model: bool = False
    may_lack_references: bool = False
    cluster: str | None = None
    run: str | None = None
    unread: tuple[str, ...] = ()
    watched: tuple[str, ...] = ()

    @property
    def prediction(self) -> str:
        """The path of the first peer."""
        return self.predictions[0][1]

    @property
    def description(self) -> str:
        """The fields to read and their roles, for a note."""
        roles = {"id": self.id, "system": self.system, "cluster": self.cluster, "run": self.run}
        others = [f"{path!r} as {role}" for role, path in roles.items() if path is not None]
        return f"fields {', '.join((self.of_texts, *others))}"

    @property
    def of_texts(self) -> str:
        """The fields of peers and models and their roles, for messages."""
        of_peers = [f"{path!r} as {name or 'prediction'}" for name, path in self.predictions]
        return ", ".join((*of_peers, *(f"{path!r} as references" for path in self.references)))

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of all fields to read."""
        peers = (path for _, path in self.predictions)
        paths = (*peers, *self.references, self.id, self.system, self.cluster, self.run)
        return tuple(filter(None, paths))

    @property
    def looked_at(self) -> tuple[str, ...]:
        """The paths of all fields to read, and of those that a warning lists as unread."""
        return (*self.paths, *self.unread)


def choose_references(names: Collection[str], inputs: InputOptions) -> RecordFields:
    """Choose the references and the ID of a file of references; raises ValueError."""
    references = tuple(_spelt(path, names) for path in inputs.references)
    model = None if references else _first((*MODELS, *PREDICTIONS, "text"), names)
    eval_id = _spelt(inputs.id, names) if inputs.id else _first(IDS, names) or _only_id(names)
    if not references and model is None:
        raise ValueError(f"{_nothing_found(has_peer=True, has_models=False)}; {listed(names)}")
    is_lone = model is not None and model.lower() in LONE_MODELS
    return RecordFields((), references or (model or "",), eval_id, None, is_lone_model=is_lone)


def _only_id(names: Collection[str]) -> str | None:
    # A name such as article_id or docId; of several, none is certain to be the right one.
    ids = [name for name in names if re.search("(?:^|[_ .-])(?:id|key)$|ID$|Id$", name)]
    return ids[0] if len(ids) == 1 else None


def choose_fields(names: Collection[str], inputs: InputOptions) -> RecordFields:
    """Choose the fields named by the options, and for other roles the first default name present.

    `names` are the fields of the first record. A field named by an option need not be among them:
    later records may have it. If no name matches exactly, a name that differs in case alone is
    chosen, provided that it is the only one. Raises ValueError if no field can be the prediction,
    or none the references.
    """
    # One field by default must not be both prediction and reference, so each choice excludes the
    # fields already chosen for the other role.
    references = tuple(_spelt(path, names) for path in inputs.references)
    predictions = _predictions(inputs.prediction, names)
    if not predictions and (path := _first(PREDICTIONS, names, references)) is not None:
        predictions = ((None, path),)
    taken = tuple(path for _, path in predictions)
    is_joined = inputs.references_from is not None
    references = () if is_joined else references
    model = None if references or is_joined else _first(MODELS, names, taken)
    if not predictions or not (model or references or is_joined):
        has_models = bool(model or references or is_joined)
        raise ValueError(f"{_nothing_found(bool(predictions), has_models)}; {listed(names)}")
    is_named = predictions[0][0] is not None
    models = references if model is None else (model,)
    of_models = () if references or is_joined else MODELS
    defaults = (*(() if inputs.prediction else PREDICTIONS), *of_models)
    system = _spelt(inputs.system, names) if inputs.system else _first(SYSTEMS, names)
    eval_id = _spelt(inputs.id, names) if inputs.id else _first(IDS, names)
    if is_joined and eval_id is None:
        eval_id = _only_id(names)
    better_ids = () if inputs.id else _before(eval_id, IDS)
    better_systems = () if inputs.system or is_named else _before(system, SYSTEMS)
    return RecordFields(
        predictions,
        models,
        eval_id,
        None if is_named else system,
        is_lone_model=model is not None and model.lower() in LONE_MODELS,
        may_lack_references=model is not None,
        cluster=_spelt(inputs.cluster, names) if inputs.cluster else None,
        run=_spelt(inputs.run, names) if inputs.run else None,
        unread=tuple(_unread(defaults, names, (*taken, *models))),
        watched=tuple(
            name
            for name in dict.fromkeys((*defaults, *better_ids, *better_systems))
            if _spelt(name, names) not in names and name not in _roots((*taken, *models))
        ),
    )


def _predictions(
    asked: Sequence[str], names: Collection[str]
) -> tuple[tuple[str | None, str], ...]:
    """Return the name of the system and the path of each peer; raises ValueError.

    If there are several, a peer without a name is named after its field.
    """
    path_of_system: dict[str | None, str] = {}
    for value in asked:
        name, equals, path = value.partition("=")
        # The name of a field may itself contain an equals sign.
        if not (name and equals and path) or _spelt(value, names) in names:
            name, path = value, value
        system = None if len(asked) == 1 and path == value else name
        if system in path_of_system:
            raise ValueError(f"--prediction names a system {system!r} twice; give each NAME=FIELD")
        path_of_system[system] = _spelt(path, names)
    return tuple(path_of_system.items())


def are_systems_named(inputs: InputOptions, names: Collection[str]) -> bool:
    """Return whether the systems are named by options rather than by the records."""
    predictions = _predictions(inputs.prediction, names)
    return bool(predictions) and predictions[0][0] is not None


def _spelt(path: str, names: Collection[str]) -> str:
    """Return `path` as it is spelt in `names`, ignoring case if exactly one name then matches.

    Return `path` itself if none or several match.
    """
    if path in names:
        return path
    alike = [name for name in names if name.lower() == path.lower()]
    return alike[0] if len(alike) == 1 else path


def _first(
    defaults: Iterable[str], names: Collection[str], taken: Iterable[str] = ()
) -> str | None:
    return next(iter(_unread(defaults, names, taken)), None)


def _unread(
    defaults: Iterable[str], names: Collection[str], taken: Iterable[str] = ()
) -> Iterator[str]:
    """Yield the defaults in `names`, except for those that `taken` uses, wholly or in part."""
    roots = _roots(taken)
    spelt = dict.fromkeys(_spelt(name, names) for name in defaults)
    return (name for name in spelt if name in names and name not in roots)


def _roots(taken: Iterable[str]) -> set[str]:
    """Return the paths, their top-level fields, and the originals of derived fields."""
    roots = {part for path in taken for part in (path, path.partition(".")[0])}
    return roots | {DERIVED[path] for path in roots & DERIVED.keys()}


def _before(chosen: str | None, defaults: Sequence[str]) -> Sequence[str]:
    lower = (chosen or "").lower()
    return defaults[: defaults.index(lower)] if lower in defaults else defaults


def _nothing_found(has_peer: bool, has_models: bool) -> str:
    if has_peer:
        return (
            "no references; name their field with --references, or their file with "
            "--references-from"
        )
    if has_models:
        return "no prediction; name its field with --prediction"
    return "neither prediction nor references; name the fields with --prediction and --references"


def name_of_run(system: str, path: str, run: str) -> str:
    """Return the name of a run of a system; raises ValueError if it would be ambiguous."""
    # Run and system are split at this separator later, so it must not occur in the run.
    between = f" {path}="
    if between.lower() in run.lower():
        expected = f"expected a run without {between!r}"
        kind = f"field {path!r} is not the name of a run; {expected}"
        raise FoundError(f"field {path!r} is {run!r}; {expected}", kind)
    return f"{system}{between}{run}"


def listed(names: Collection[str]) -> str:
    """Return a phrase that lists the fields of a record, for a message."""
    printable = [name if name.isprintable() else ascii(name) for name in names]
    more = f" and {len(printable) - MOST_NAMES} more" if len(printable) > MOST_NAMES else ""
    return f"the record has: {', '.join(printable[:MOST_NAMES]) or 'no fields'}{more}"


def kind_of(value: Any, *, is_exact: bool = True) -> str:
    """Return the JSON type of a value, for a message; with `is_exact`, a number shows its digits.

    Without `is_exact` the phrase is the same for all numbers, so that messages can be grouped.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"the number {value}"[:40] if is_exact else "a number"
    names: dict[type, str] = {str: "a string", list: "a list", dict: "an object", bytes: "bytes"}
    return names.get(type(value)) or f"a {type(value).__name__}"


def field_value(value: Any, path: str) -> Any:
    """Return the value at a path in a record, or in a value of one; `MISSING` if there is none.

    A path consists of keys of objects and positions in lists, counted from 0, separated by dots. A
    key that contains dots has priority over nested keys.
    """
    if isinstance(value, dict):
        if path in value:
            return value[path]
        # Try the longest key first, so that keys containing dots have priority.
        head, dot, _ = path.rpartition(".")
        while dot:
            if head in value:
                below = field_value(value[head], path[len(head) + 1 :])
                if below is not MISSING:
                    return below
            head, dot, _ = head.rpartition(".")
        return MISSING
    if not isinstance(value, list):
        return MISSING
    index, _, rest = path.partition(".")
    # No list has 10^9 items, and Python refuses to parse very long digit strings.
    is_index = index.isascii() and index.isdecimal() and len(index) < 10  # noqa: PLR2004
    if not is_index or int(index) >= len(value):
        return MISSING
    return field_value(value[int(index)], rest) if rest else value[int(index)]


class Row(NamedTuple):
    """One record; a NamedTuple because millions are created.

    `number` is the line on which the record begins, or its position, from 1 in files and from 0 in
    data frames.
    """

    number: int
    record: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RowProblem:
    """Something found in place of a record.

    - `place`: its location, such as ``"line 7"``; empty if it is the file as a whole.
    - `text`: what was found and what was expected.
    - `advice`: the option with which it can be read; empty if there is none.
    - `kind`: the text under which similar problems are grouped; see `Problems.add`.
    """

    place: str
    text: str
    advice: str = ""
    kind: str = ""


def only_rows(
    run: Sequence[Row | RowProblem], problems: Problems, *, with_advice: bool = True
) -> list[Row]:
    """Return the valid rows of a run, and add the problems of the others to `problems`.

    Without `with_advice`, messages do not name options, which may be those of another input.
    """
    rows = [row for row in run if isinstance(row, Row)]
    for row in run if len(rows) < len(run) else ():
        if isinstance(row, RowProblem):
            advice = f"; {row.advice}" if row.advice and with_advice else ""
            problems.add(row.place, f"{row.text}{advice}", row.kind)
    return rows


class LaterFields:
    """Finds fields that the first record lacks, but that would be read if it had them.

    `found` maps the name of each such field to the number of the first record that has it.
    """

    __slots__ = ("_known", "_names", "found")

    def __init__(self, fields: RecordFields, names: Iterable[str]) -> None:
        self.found: dict[str, int] = {}
        self._known = set(names)
        self._names = set(fields.watched)

    def look(self, rows: Sequence[Row]) -> None:
        """Check the names of the fields of some records."""
        known = self._known
        # One set operation settles the usual case, in which no name is new.
        if set(chain.from_iterable(row.record for row in rows)) <= known:
            return
        new = (
            (row.number, name, value)
            for row in rows
            for name, value in row.record.items()
            if name not in known and value is not None
        )
        for number, name, value in new:
            if len(known) < MOST_KNOWN:
                known.add(name)
            if (lower := name.lower()) in self._names:
                self._names.remove(lower)
                if is_text(value) or lower in {*IDS, *SYSTEMS}:
                    self.found[name] = number


def is_text(value: Any) -> bool:
    """Return whether a value is a string or a list that begins with one.

    A field such as ``label`` often holds the number of a class, which is not a reference.
    """
    return isinstance(value[0] if isinstance(value, list) and value else value, str)
