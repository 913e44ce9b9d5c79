"""Lists the files in folders, and pairs peers with models by name, also as in DUC and TAC.

A file without a counterpart is unpaired: it is reported, but is not in itself a problem. Two files
for the same role are a problem, because the intended one is unknown.

File names in DUC and TAC, such as ``D061.M.100.J.26``, have fields separated by dots: docset, type,
length, selector, summariser and, if a single document was summarised, the fields of its own name,
as in ``D061.P.10.J.26.AP880911-0016``. A summariser in capital letters is a human, so the text is a
model; one in digits is a system, so the text is a peer. In a folder that has only peers, everything
except a single capital letter is a system. The name without the summariser is the ID of the EVAL.

The models may have another selector than the peers. A match of the whole ID has priority. A peer
without such a match is paired with the models whose IDs differ only in the selector, unless these
have several selectors: the intended ones are then unknown, and the peer has no model.

Source: interface of the program, ``--peers`` and ``--duc``.
"""

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, product
from types import MappingProxyType
from typing import NamedTuple

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM, in_byte_order
from rouge_cli.inputs.files import stem_of
from rouge_cli.quick_dataclass import dataclass

EXAMPLE_COUNT = 3  # number of names in the description of a folder


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """The content of a folder.

    `folder` is its path as the user wrote it, empty for the working directory. `texts` are the
    paths of its files, relative to it, separated by ``/``, in byte order. `folders` are those that
    were not searched.
    """

    folder: str
    texts: Sequence[str]
    folders: Sequence[str] = ()

    def duc_names(self, system: str = "[0-9]+") -> "Iterator[tuple[str, DucName | None]]":
        """Yield the path of each file and its name, parsed by `parse_duc_name`."""
        for name in self.texts:
            yield self.folder + name, parse_duc_name(name, system)

    @property
    def description(self) -> str:
        """A phrase that shows some of the content, for messages."""
        names = self.texts or tuple(f"{name}/" for name in self.folders)
        if not names:
            return "it has no files"
        more = ", ..." if len(names) > EXAMPLE_COUNT else ""
        return f"it has {', '.join(map(escaped, names[:EXAMPLE_COUNT]))}{more}"


def list_texts(folder: str, depth: int) -> Listing:
    """List the files in a folder; an empty name means the working directory.

    `depth` is the number of levels to search, 1 for the folder alone; the limit also ends circular
    links. Raises InputError if the folder does not exist, or any folder cannot be read.
    """
    texts: list[str] = []
    folders: list[str] = []
    waiting = [("", 1)]
    while waiting:
        prefix, level = waiting.pop()
        for name, is_folder in _entries(folder + prefix):
            if not is_folder:
                texts.append(prefix + name)
            elif level < depth:
                waiting.append((f"{prefix}{name}/", level + 1))
            else:
                folders.append(prefix + name)
    return Listing(folder, in_byte_order(texts), in_byte_order(folders))


def _entries(folder: str) -> Iterator[tuple[str, bool]]:
    try:
        with os.scandir(folder or os.curdir) as entries:
            in_folder = list(entries)
    except FileNotFoundError:
        raise InputError(f"{escaped(folder)}: no such folder") from None
    except NotADirectoryError:
        raise InputError(f"{escaped(folder)}: a file, not a folder") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(
            f"{escaped(folder or os.curdir)}: cannot be listed: {reason.lower()}"
        ) from None
    for entry in in_folder:
        # Hidden files, such as .DS_Store, are not texts.
        if entry.name.startswith("."):
            continue
        is_folder, is_listed = False, True
        with suppress(OSError):
            is_folder = entry.is_dir()
            # A broken link is listed, so that it is reported when it is read.
            is_listed = is_folder or entry.is_file() or not os.path.exists(entry.path)
        if is_listed:
            yield entry.name, is_folder


FoundPeer = tuple[str, str, str]
"""A peer: the IDs of its system and its EVAL, as read from its name, and its path."""


@dataclass(frozen=True, slots=True, eq=False)
class FilePairing:
    """The result of pairing files.

    - `systems`: the systems that have a peer with a model, in print order.
    - `peers`: for each EVAL that has models, in byte order, a map from system to path.
    - `models`: maps an EVAL to the paths of its models.
    - `unpaired`: each file without a counterpart, and the reason.
    - `problems`: a message for each role with two files.
    - `findings`: other warnings.
    """

    systems: tuple[str, ...]
    peers: Mapping[str, Mapping[str, str]]
    models: Mapping[str, Sequence[str]]
    unpaired: tuple[tuple[str, str], ...] = ()
    problems: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()


def pair(  # noqa: PLR0913
    peers: Sequence[FoundPeer],
    models: Mapping[str, Sequence[str]],
    model_paths: Iterable[str],
    *,
    systems: Collection[str] = (),
    reasons: Mapping[str, str] = MappingProxyType({}),
    look_alikes: Iterable[str] | None = None,
    unpaired: Sequence[tuple[str, str]] = (),
    problems: Iterable[str] = (),
    findings: Iterable[str] = (),
) -> FilePairing:
    """Pair peers with models by EVAL, and find the files without a counterpart.

    Two peers of a system in an EVAL are a problem, and a system without any peer with a model is a
    finding. A file that is used as a peer or as a model is never unpaired.

    - `models`: maps EVALs to the paths of their models; `model_paths` are all that were found.
    - `systems`: the systems in print order, by default in byte order.
    - `reasons`: maps EVALs without models to what follows "a prediction without a reference".
    - `look_alikes`: the models whose names may differ from those of unpaired peers in their Unicode
      form alone, by default the unpaired ones.
    - `unpaired`, `problems`, `findings`: what the caller found, which precedes what is found here.
    """
    paired, twice = _peers_by_eval(peers, models)
    lone_peers = [peer for peer in peers if peer[1] not in paired]
    used = set(chain.from_iterable(models.values()))
    without_model = [
        (
            f"{escaped(path)} (text {escaped(eval_id)})",
            f"a prediction without a reference{reasons.get(eval_id, '')}",
        )
        for _, eval_id, path in lone_peers
        if path not in used
    ]
    used.update(path for _, _, path in peers)
    lone_models = [path for path in model_paths if path not in used]
    without_peer = ((escaped(path), "a reference without a prediction") for path in lone_models)
    in_order = list(systems or in_byte_order({system for system, _, _ in peers}))
    kept = set(chain.from_iterable(paired.values()))
    lost = [
        f"system {escaped(system)}: no prediction with a reference; not scored"
        for system in in_order
        if system not in kept
    ]
    names = lone_models if look_alikes is None else look_alikes
    alike = _alike_names([eval_id for _, eval_id, _ in lone_peers], names)
    return FilePairing(
        systems=tuple(system for system in in_order if system in kept),
        peers={eval_id: paired[eval_id] for eval_id in in_byte_order(paired)},
        models={eval_id: models[eval_id] for eval_id in paired},
        unpaired=(*unpaired, *without_model, *without_peer),
        problems=(*problems, *twice, *alike),
        findings=(*findings, *lost),
    )


def _peers_by_eval(
    peers: Iterable[FoundPeer], models: Mapping[str, Sequence[str]]
) -> tuple[dict[str, dict[str, str]], list[str]]:
    """Return the peers of EVALs with models, by EVAL and system, and messages on repeated ones."""
    paired: dict[str, dict[str, str]] = {}
    twice: list[str] = []
    for system, eval_id, path in peers:
        if not models.get(eval_id):
            continue
        first = paired.setdefault(eval_id, {}).setdefault(system, path)
        if first != path:
            twice.append(
                f"text {escaped(eval_id)}, system {escaped(system)}: two predictions, "
                f"{escaped(first)} and {escaped(path)}; expected one"
            )
    return paired, twice


def _alike_names(peers: Iterable[str], models: Iterable[str]) -> Iterator[str]:
    """Yield a message if names would match but for their Unicode normalisation.

    `peers` are IDs of EVALs without models, and `models` paths of unpaired models. macOS decomposes
    accented letters in names.
    """
    from unicodedata import normalize  # few runs need it

    by_form = [(normalize("NFC", os.path.basename(path)), path) for path in models]
    for peer in peers:
        plain = normalize("NFC", peer)
        for name, path in by_form:
            if plain in name and not plain.isascii() and peer not in path:
                yield (
                    f"{peer!a} and {path!a} look alike but differ in their Unicode form, as "
                    "names from macOS and Linux do; make them one form, for instance with: "
                    "convmv -f utf-8 -t utf-8 --nfc --notest -r FOLDER"
                )
                return


_SUFFIXES = re.compile(r"(?:\.(?:html?|txt|spl))+\Z", re.IGNORECASE)
_NAME = (
    r"(?P<docset>[^.]+\.[^.]+\.[^.]+)\.(?P<selector>[^.]+)\.(?:(?P<human>[A-Z]+)|(?P<system>%s))"
    r"(?P<document>(?:\.[^.]+)*)"
)
_SYSTEM = "[0-9]+"
_NO_SUCH_NAME = (
    "no DUC or TAC name; expected a name such as D061.M.100.J.26 for a prediction, D061.M.100.J.A "
    "for a reference"
)


class DucName(NamedTuple):
    """The parts of a file's name in DUC or TAC.

    - `eval_id`: the ID of the EVAL.
    - `any_selector`: the parts of this ID that EVALs share which differ only in the selector.
    - `summariser`: a human, in capital letters, or a system.
    - `is_model`: whether the summariser is a human.
    """

    eval_id: str
    any_selector: tuple[str, str]
    summariser: str
    is_model: bool


def parse_duc_name(name: str, system: str = _SYSTEM) -> DucName | None:
    """Parse the name of a file without its folder; return None if it does not have this form.

    The suffixes ``.html``, ``.htm``, ``.txt`` and ``.spl`` are ignored. `system` is the regular
    expression for summarisers that are systems.
    """
    match = re.fullmatch(_NAME % system, _SUFFIXES.sub("", name))
    if match is None:
        return None
    docset, selector, human, system, document = match.groups()
    eval_id = f"{docset}.{selector}{document}"
    return DucName(eval_id, (docset, document), human or system, human is not None)


def pair_duc_folders(paths: Sequence[str]) -> FilePairing:
    """Pair the files in a folder of peers and a folder of models, which may be the same folder.

    Raises InputError with all folders that cannot be listed or have no files.
    """
    problems: list[str] = []
    folders: list[Listing] = []
    for path in paths:
        try:
            listing = list_texts(path.rstrip("/") + "/", 1)
        except InputError as error:
            problems += [f"--duc: {problem}" for problem in error.problems]
            continue
        folders.append(listing)
        if not listing.texts:
            problems.append(f"--duc: no texts in {escaped(path)}; {listing.description}")
    if problems:
        raise InputError(list(dict.fromkeys(problems)))
    peers, models = folders
    return pair_duc_names(peers, models, is_one_folder=os.path.samefile(*paths))


def pair_paths(paths: Sequence[str]) -> FilePairing:
    """Pair the files in two folders by their names, or two files with each other.

    If all names have the form of DUC and TAC, they are paired by `pair_duc_names`. Otherwise names
    are split into fields at dots, hyphens, underscores and white space. The ID of an EVAL is the
    whole name, or the fields that pair most files; the other fields of a prediction name its
    system. Raises InputError if a folder cannot be listed or has no files.
    """
    if not any(map(os.path.isdir, paths)):
        peer, model = paths
        name = stem_of(peer) or DEFAULT_SYSTEM
        return FilePairing((name,), {"1": {name: peer}}, {"1": (model,)})
    folders = [list_texts(path.rstrip("/") + "/", 1) for path in paths]
    if empty := [listing for listing in folders if not listing.texts]:
        folder = escaped(empty[0].folder)
        raise InputError(f"--pair: no texts in {folder}; {empty[0].description}")
    if all(name is not None for folder in folders for _, name in folder.duc_names()):
        return pair_duc_names(*folders, is_one_folder=os.path.samefile(*paths))
    peers, models = (
        [(path, _fields(path)) for path in map(folder.folder.__add__, folder.texts)]
        for folder in folders
    )
    system = os.path.basename(os.path.abspath(paths[0]))

    def fit(way: Way) -> tuple[int, int]:
        # Ways are compared by the number of IDs on both sides, then by the fewest on one side only.
        peer_ids = {way(fields, 0)[0] for _, fields in peers}
        model_ids = {way(fields, 1)[0] for _, fields in models}
        return len((peer_ids & model_ids) - {()}), -len(peer_ids ^ model_ids)

    way = max(_ways(max(len(fields) for _, fields in (*peers, *models))), key=fit)
    texts = [
        (".".join(rest) or system, ".".join(key), path)
        for path, fields in peers
        for key, rest in [way(fields, 0)]
    ]
    by_eval: dict[str, list[str]] = {}
    for path, fields in models:
        by_eval.setdefault(".".join(way(fields, 1)[0]), []).append(path)
    known = {eval_id: by_eval[eval_id] for _, eval_id, _ in texts if eval_id in by_eval}
    return pair(texts, known, chain.from_iterable(by_eval.values()), look_alikes=())


Fields = tuple[str, ...]
Way = Callable[[Fields, int], tuple[Fields, Fields]]
"""Splits the fields of a prediction (0) or a reference (1) into the ID of the EVAL and the rest."""


def _fields(path: str) -> Fields:
    stem = os.path.splitext(os.path.basename(path))[0]
    return tuple(filter(None, re.split(r"[._\-\s]+", stem))) or (stem,)


def _ways(n_fields: int) -> Iterator[Way]:
    # The ID may be the whole name, some first or last fields, or one field, which may be at
    # different positions in predictions and references. `max` prefers the first of equal ways.
    yield lambda fields, side: (fields, ())
    for n in range(1, n_fields):
        yield lambda fields, side, n=n: (fields[:n], fields[n:])  # type: ignore[misc]
        yield lambda fields, side, n=n: (fields[-n:], fields[:-n])  # type: ignore[misc]
    for places in product(range(n_fields), repeat=2):
        yield (
            lambda fields, side, places=places: (  # type: ignore[misc]
                fields[places[side] : places[side] + 1],
                fields[: places[side]] + fields[places[side] + 1 :],
            )
        )


def pair_duc_names(peers: Listing, models: Listing, *, is_one_folder: bool) -> FilePairing:
    """Pair the files in two folders by names as in DUC and TAC.

    If `is_one_folder`, both listings are of the same folder, which has peers and models. Systems
    are in byte order, and the models of an EVAL in the order of their names.
    """
    unpaired: list[tuple[str, str]] = []
    named_peers: list[tuple[str, DucName]] = []
    for path, name in peers.duc_names(_SYSTEM if is_one_folder else r"[^.\s]+"):
        if name is None:
            unpaired.append((escaped(path), _NO_SUCH_NAME))
        elif not name.is_model or (len(name.summariser) > 1 and not is_one_folder):
            named_peers.append((path, name))
        elif not is_one_folder:
            unpaired.append((escaped(path), "a reference's name among the predictions"))
    named_models: list[tuple[str, DucName]] = []
    for path, name in models.duc_names():
        if name is not None and name.is_model:
            named_models.append((path, name))
        elif not is_one_folder:
            what = _NO_SUCH_NAME if name is None else "a prediction's name among the references"
            unpaired.append((escaped(path), what))
    return _pair_names(named_peers, named_models, unpaired)


def _pair_names(
    named_peers: Sequence[tuple[str, DucName]],
    named_models: Sequence[tuple[str, DucName]],
    unpaired: Sequence[tuple[str, str]],
) -> FilePairing:
    by_eval: dict[str, dict[str, str]] = {}
    evals_of: dict[tuple[str, str], dict[str, None]] = {}
    problems: list[str] = []
    for path, name in named_models:
        evals_of.setdefault(name.any_selector, {})[name.eval_id] = None
        first = by_eval.setdefault(name.eval_id, {}).setdefault(name.summariser, path)
        if first != path:
            problems.append(
                f"text {escaped(name.eval_id)}, reference {name.summariser}: two files, "
                f"{escaped(first)} and {escaped(path)}; expected one"
            )
    models: dict[str, tuple[str, ...]] = {}
    reasons: dict[str, str] = {}
    for _, name in named_peers:
        evals = [name.eval_id]
        if name.eval_id not in by_eval:
            evals = list(evals_of.get(name.any_selector, ()))
        if len(evals) == 1:
            models[name.eval_id] = tuple(by_eval[evals[0]].values())
        elif evals:
            first, second = map(escaped, evals[:2])
            reason = f"; the references have several selectors, {first} and {second}"
            reasons[name.eval_id] = reason
    paths = [path for of_eval in by_eval.values() for path in of_eval.values()]
    peers = [(name.summariser, name.eval_id, path) for path, name in named_peers]
    return pair(
        *(peers, models, paths),
        reasons=reasons,
        look_alikes=paths,
        unpaired=unpaired,
        problems=problems,
    )
