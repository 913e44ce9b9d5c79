"""Texts in folders: their listing, peers and models put together to EVALs, and names as in DUC.

A file without a counterpart is unpaired: it is reported, and is not a problem by itself. Two files
for the same role are a problem, since nobody can say which is meant.

A name as DUC and TAC have them, ``D061.M.100.J.26``, is fields with dots between them: docset,
type, length, selector, summariser, and for a summary of a single document the fields of the
document's own name, as in ``D061.P.10.J.26.AP880911-0016``. A summariser in capital letters is a
human, so the text is a model; one in digits is a system, so the text is a peer. In a folder of
peers alone anything but a single capital letter is a system. The name without the summariser is the
ID of the EVAL.

The selector of the models may be another than that of the peers. Whole IDs go first. A peer whose
EVAL has no model gets the models whose IDs are the same but for the selector, unless these have
several selectors: then nobody can say which are meant, and the peer has no model.

Source: interface of the program, ``--peers`` and ``--duc``.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from itertools import product

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM
from rouge_cli.inputs.files import stem_of
from rouge_cli.inputs.text_files import FileEval, TextFile
from rouge_cli.quick_dataclass import dataclass

EXAMPLE_COUNT = 3


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """The content of a folder.

    `folder` is as the user wrote it; empty for the working directory. `texts` are the names of the
    files, relative to it, with ``/``, in byte order. `folders` were not looked into.
    """

    folder: str
    texts: Sequence[str]
    folders: Sequence[str] = ()

    def duc_names(self, system: str = "[0-9]+") -> "Iterator[tuple[str, DucName | None]]":
        """Yield the path of each text, and its parsed name, see `parse_duc_name`."""
        for name in self.texts:
            yield self.folder + name, parse_duc_name(name, system)

    @property
    def description(self) -> str:
        """The content in some words, for messages."""
        names = self.texts or tuple(f"{name}/" for name in self.folders)
        if not names:
            return "it has no files"
        more = ", ..." if len(names) > EXAMPLE_COUNT else ""
        return f"it has {', '.join(map(escaped, names[:EXAMPLE_COUNT]))}{more}"


def list_texts(folder: str, depth: int) -> Listing:
    """List a folder; an empty name is the working directory.

    `depth` is how many levels to look into, 1 for the folder alone, so links in a circle come to an
    end. Raises InputError if there is no such folder, or one of the folders cannot be read.
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
    return Listing(folder, tuple(sorted(texts, key=byte_key)), tuple(sorted(folders, key=byte_key)))


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
        if entry.name.startswith("."):
            continue
        is_folder = False
        with suppress(OSError):
            is_folder = entry.is_dir()
        if is_folder or _is_text(entry):
            yield entry.name, is_folder


def _is_text(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_file() or not os.path.exists(entry.path)
    except OSError:
        return True


_NOT_SCORED = "no prediction with a reference; not scored"


@dataclass(frozen=True, slots=True)
class FoundPeer:
    """A peer whose name says its system and its EVAL."""

    system: str
    eval_id: str
    path: str


@dataclass(frozen=True, slots=True, eq=False)
class FilePairing:
    """Which files belong together.

    - `systems`: those that have a peer, in the order of print.
    - `peers`: EVAL ID to system ID to path, for EVALs that have a model, in byte order of their
      IDs.
    - `models`: EVAL ID to paths.
    - `unpaired`: each file that belongs to nothing, and why.
    - `problems`: a line for each role with two files.
    - `findings`: what else the user should know.
    """

    systems: tuple[str, ...]
    peers: Mapping[str, Mapping[str, str]]
    models: Mapping[str, tuple[str, ...]]
    unpaired: tuple[tuple[str, str], ...] = ()
    problems: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()


def byte_key(text: str) -> bytes:
    """Return what to sort names by, for byte order."""
    return os.fsencode(text)


def peer_without_model(peer: FoundPeer, reason: str = "") -> tuple[str, str]:
    """Name a peer that is unpaired, and say why."""
    place = f"{escaped(peer.path)} (text {escaped(peer.eval_id)})"
    return place, f"a prediction without a reference{reason}"


def alike_names(peers: Iterable[str], models: Iterable[str]) -> tuple[str, ...]:
    """Return a line about names without a partner that differ in their Unicode form alone.

    `peers` are the IDs of EVALs, or names that should be in a name of `models`.
    """
    from unicodedata import normalize  # few runs need it

    by_form = [(normalize("NFC", os.path.basename(path)), path) for path in models]
    for peer in peers:
        plain = normalize("NFC", peer)
        for name, path in by_form:
            if plain in name and not plain.isascii() and peer not in path:
                return (
                    f"{peer!a} and {path!a} look alike but differ in their Unicode form, as "
                    "names from macOS and Linux do; make them one form, for instance with: "
                    "convmv -f utf-8 -t utf-8 --nfc --notest -r FOLDER",
                )
    return ()


def model_without_peer(path: str) -> tuple[str, str]:
    """Name a model that is unpaired, and say why."""
    return escaped(path), "a reference without a prediction"


def pair(
    systems: Iterable[str],
    peers: Iterable[FoundPeer],
    models: Mapping[str, Sequence[str]],
) -> FilePairing:
    """Put peers and models together; peers without a model are left out.

    `systems` are in the order of print; `models` go from EVAL ID to paths. There is a problem for
    each system that has two peers in an EVAL, and a finding for each that has no peer with a model.
    What is unpaired is for the caller to add.
    """
    paired: dict[str, dict[str, str]] = {}
    twice: list[str] = []
    for peer in peers:
        if not models.get(peer.eval_id):
            continue
        of_eval = paired.setdefault(peer.eval_id, {})
        first = of_eval.setdefault(peer.system, peer.path)
        if first != peer.path:
            twice.append(
                f"text {escaped(peer.eval_id)}, system {escaped(peer.system)}: two predictions, "
                f"{escaped(first)} and {escaped(peer.path)}; expected one"
            )
    kept = {system for of_eval in paired.values() for system in of_eval}
    lost = [system for system in systems if system not in kept]
    return FilePairing(
        systems=tuple(system for system in systems if system in kept),
        peers={eval_id: paired[eval_id] for eval_id in sorted(paired, key=byte_key)},
        models={eval_id: tuple(models[eval_id]) for eval_id in paired},
        problems=tuple(twice),
        findings=tuple(f"system {escaped(system)}: {_NOT_SCORED}" for system in lost),
    )


def evals_of(pairing: FilePairing, format_of: Callable[[str], str]) -> list[FileEval]:
    """Return the EVALs of a pairing, in its order; `format_of` tells the format from the path."""
    return [
        FileEval(
            eval_id,
            {system: TextFile(path, format_of(path)) for system, path in peers.items()},
            tuple(TextFile(path, format_of(path)) for path in pairing.models[eval_id]),
        )
        for eval_id, peers in pairing.peers.items()
    ]


_HUMAN = re.compile("[A-Z]+")
_SUFFIXES = re.compile(r"(?:\.(?:html?|txt|spl))+\Z", re.IGNORECASE)
_NAME = (
    r"(?P<docset>[^.]+\.[^.]+\.[^.]+)\.(?P<selector>[^.]+)\.(?:(?P<human>[A-Z]+)|(?P<system>%s))"
    r"(?P<document>(?:\.[^.]+)*)"
)
_SYSTEM, _ANY_SYSTEM = "[0-9]+", r"[^.\s]+"
_NO_SUCH_NAME = (
    "no DUC or TAC name; expected such as D061.M.100.J.26 for a prediction, D061.M.100.J.A for a "
    "reference"
)


@dataclass(frozen=True, slots=True)
class DucName:
    """What a name says.

    `docset` includes type and length. `summariser` is capital letters or digits. `document` has the
    fields of the document with a dot before each; empty for a summary of several.
    """

    docset: str
    selector: str
    summariser: str
    document: str

    @property
    def eval_id(self) -> str:
        """The ID of the EVAL."""
        return f"{self.docset}.{self.selector}{self.document}"

    @property
    def without_selector(self) -> tuple[str, str]:
        """What the EVALs have in common that differ in the selector alone."""
        return self.docset, self.document

    @property
    def is_model(self) -> bool:
        """Whether the summariser is a human."""
        return _HUMAN.fullmatch(self.summariser) is not None

    @property
    def is_system(self) -> bool:
        """Whether the summariser may be a system, where only systems are expected."""
        return not self.is_model or len(self.summariser) > 1


def parse_duc_name(name: str, system: str = _SYSTEM) -> DucName | None:
    """Read the name of a file, without folder; None if it is not such a name.

    ``.html``, ``.htm``, ``.txt`` and ``.spl`` at its end do not count. `system` is the expression
    for a summariser that is no human.
    """
    match = re.fullmatch(_NAME % system, _SUFFIXES.sub("", name))
    if match is None:
        return None
    docset, selector, human, system, document = match.groups()
    return DucName(docset, selector, human or system, document)


@dataclass(slots=True)
class _Models:
    """The models: EVAL ID to summariser to path.

    `evals` takes what EVALs have in common that differ in the selector alone to their IDs.
    """

    by_eval: dict[str, dict[str, str]] = field(default_factory=dict)
    evals: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def add(self, path: str, name: DucName) -> None:
        if name.eval_id not in self.by_eval:
            self.evals.setdefault(name.without_selector, []).append(name.eval_id)
        of_eval = self.by_eval.setdefault(name.eval_id, {})
        first = of_eval.setdefault(name.summariser, path)
        if first != path:
            self.problems.append(
                f"text {escaped(name.eval_id)}, reference {name.summariser}: two files, "
                f"{escaped(first)} and {escaped(path)}; expected one"
            )

    def evals_for(self, peer: DucName) -> list[str]:
        if peer.eval_id in self.by_eval:
            return [peer.eval_id]
        return self.evals.get(peer.without_selector, [])


def pair_duc_folders(paths: Sequence[str]) -> FilePairing:
    """Pair the texts in a folder of peers and a folder of models, which may be the same.

    Raises InputError with all folders that cannot be listed, or hold no text.
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
    """Pair the texts of two folders by their names, or two files.

    Names as in DUC and TAC are paired as such. Otherwise names are cut at dots, hyphens,
    underscores and blanks, and the ID of an EVAL is the whole name or those of its fields that
    most files have in common; what is left of the name of a prediction is its system. Raises
    InputError.
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
    way = max(_ways(max(len(fields) for _, fields in (*peers, *models))), key=_fit(peers, models))
    texts = [
        FoundPeer(".".join(rest) or system, ".".join(key), path)
        for path, fields in peers
        for key, rest in [way(fields, 0)]
    ]
    by_eval: dict[str, list[str]] = {}
    for path, fields in models:
        by_eval.setdefault(".".join(way(fields, 1)[0]), []).append(path)
    unpaired = [peer_without_model(peer) for peer in texts if peer.eval_id not in by_eval]
    wanted = {peer.eval_id for peer in texts}
    for eval_id, of_eval in by_eval.items():
        unpaired += [model_without_peer(path) for path in of_eval if eval_id not in wanted]
    systems = sorted({peer.system for peer in texts}, key=byte_key)
    return replace(pair(systems, texts, by_eval), unpaired=tuple(unpaired))


Fields = tuple[str, ...]
Way = Callable[[Fields, int], tuple[Fields, Fields]]
"""Cuts the fields of a prediction (0) or a reference (1) into the ID of the EVAL and the rest."""


def _fields(path: str) -> Fields:
    stem = os.path.splitext(os.path.basename(path))[0]
    return tuple(filter(None, re.split(r"[._\-\s]+", stem))) or (stem,)


def _ways(n_fields: int) -> Iterator[Way]:
    """Yield the ways to find an ID: the whole name, its first or last fields, and single fields."""
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


def _fit(
    peers: Sequence[tuple[str, Fields]], models: Sequence[tuple[str, Fields]]
) -> Callable[[Way], tuple[int, int]]:
    """Return a measure of a way: first the IDs on both sides, then the fewest on one side only."""

    def measure(way: Way) -> tuple[int, int]:
        peer_ids = {way(fields, 0)[0] for _, fields in peers}
        model_ids = {way(fields, 1)[0] for _, fields in models}
        return len((peer_ids & model_ids) - {()}), -len(peer_ids ^ model_ids)

    return measure


def pair_duc_names(peers: Listing, models: Listing, *, is_one_folder: bool) -> FilePairing:
    """Pair the texts of two folders by their names.

    If `is_one_folder`, each kind is looked for among all names. The systems are in byte order, the
    models of an EVAL in the order of their names.
    """
    unpaired: list[tuple[str, str]] = []
    named_peers, known_models = [], _Models()
    for path, name in peers.duc_names(_SYSTEM if is_one_folder else _ANY_SYSTEM):
        if name is None:
            unpaired.append((escaped(path), _NO_SUCH_NAME))
        elif not name.is_model or (name.is_system and not is_one_folder):
            named_peers.append((path, name))
        elif not is_one_folder:
            unpaired.append((escaped(path), "a reference's name among the predictions"))
    for path, name in models.duc_names():
        if name is not None and name.is_model:
            known_models.add(path, name)
        elif not is_one_folder:
            what = _NO_SUCH_NAME if name is None else "a prediction's name among the references"
            unpaired.append((escaped(path), what))
    return _pair(named_peers, known_models, unpaired)


def _pair(
    named_peers: Iterable[tuple[str, DucName]],
    known_models: _Models,
    unpaired: list[tuple[str, str]],
) -> FilePairing:
    peers: list[FoundPeer] = []
    models: dict[str, Sequence[str]] = {}
    used: set[str] = set()
    for path, name in named_peers:
        peer = FoundPeer(name.summariser, name.eval_id, path)
        peers.append(peer)
        evals = known_models.evals_for(name)
        if len(evals) == 1:
            used.add(evals[0])
            models[name.eval_id] = tuple(known_models.by_eval[evals[0]].values())
        else:
            reason = ""
            if evals:
                first, second = map(escaped, evals[:2])
                reason = f"; the references have several selectors, {first} and {second}"
            unpaired.append(peer_without_model(peer, reason))
    for eval_id, of_eval in known_models.by_eval.items():
        if eval_id not in used:
            unpaired += map(model_without_peer, of_eval.values())
    systems = sorted({peer.system for peer in peers}, key=byte_key)
    pairing = pair(systems, peers, models)
    lone = [
        path for eval_id in known_models.by_eval for path in known_models.by_eval[eval_id].values()
    ]
    ids = [peer.eval_id for peer in peers if peer.eval_id not in models]
    problems = (*known_models.problems, *pairing.problems, *alike_names(ids, lone))
    return replace(pairing, unpaired=tuple(unpaired), problems=problems)
