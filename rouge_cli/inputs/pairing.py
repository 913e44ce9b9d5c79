"""Texts in folders: their listing, and peers and models put together to EVALs.

A file without a counterpart is unpaired: it is reported, and is not a problem by itself. Two files
for the same role are a problem, since nobody can say which is meant.

Source: interface of the program, ``--peers`` and ``--duc``.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.text_files import FileEval, TextFile
from rouge_cli.quick_dataclass import dataclass

_NOT_SCORED = "no peer with a model; not scored"


@dataclass(frozen=True, slots=True)
class FoundPeer:
    """A peer whose name says what it is.

    Parameters
    ----------
    system : str
        The system ID.
    eval_id : str
        The EVAL ID.
    """

    system: str
    eval_id: str
    path: str


@dataclass(frozen=True, slots=True, eq=False)
class Pairing:
    """Which files belong together.

    Parameters
    ----------
    systems : tuple of str
        Those that have a peer, in the order of print.
    peers : mapping of str to mapping of str to str
        EVAL ID to system ID to path, for EVALs that have a model, in byte order of their IDs.
    models : mapping of str to tuple of str
        EVAL ID to paths.
    unpaired : tuple of tuple of str and str
        Each file that belongs to nothing, and why.
    problems : tuple of str
        A line for each place with two files.
    findings : tuple of str
        What else the user should know.
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
    return f"{escaped(peer.path)} (EVAL {escaped(peer.eval_id)})", f"a peer without a model{reason}"


def model_without_peer(path: str) -> tuple[str, str]:
    """Name a model that is unpaired, and say why."""
    return escaped(path), "a model without a peer"


def pair(
    systems: Iterable[str],
    peers: Iterable[FoundPeer],
    models: Mapping[str, Sequence[str]],
) -> Pairing:
    """Put peers and models together.

    Parameters
    ----------
    systems : iterable of str
        In the order of print.
    peers : iterable of FoundPeer
        Those without a model are left out.
    models : mapping of str to sequence of str
        EVAL ID to paths.

    Returns
    -------
    Pairing
        With a problem for each system that has two peers in an EVAL, and a notice for each that
        has no peer with a model. What is unpaired is for the caller to add.
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
                f"EVAL {escaped(peer.eval_id)}, system {escaped(peer.system)}: two peers, "
                f"{escaped(first)} and {escaped(peer.path)}; expected one"
            )
    kept = {system for of_eval in paired.values() for system in of_eval}
    lost = [system for system in systems if system not in kept]
    return Pairing(
        systems=tuple(system for system in systems if system in kept),
        peers={eval_id: paired[eval_id] for eval_id in sorted(paired, key=byte_key)},
        models={eval_id: tuple(models[eval_id]) for eval_id in paired},
        problems=tuple(twice),
        findings=tuple(f"system {escaped(system)}: {_NOT_SCORED}" for system in lost),
    )


def evals_of(pairing: Pairing, format_of: Callable[[str], str]) -> list[FileEval]:
    """Return the EVALs of a pairing, in its order.

    Parameters
    ----------
    format_of : callable
        From the path of a text to its format.
    """
    return [
        FileEval(
            eval_id,
            {system: TextFile(path, format_of(path)) for system, path in peers.items()},
            tuple(TextFile(path, format_of(path)) for path in pairing.models[eval_id]),
        )
        for eval_id, peers in pairing.peers.items()
    ]


HERE = "."
EXAMPLE_COUNT = 3


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """What is in a folder.

    Parameters
    ----------
    folder : str
        As the user wrote it; empty for the working directory.
    texts : tuple of str
        Names of the files, relative to the folder, with ``/``; in byte order.
    folders : tuple of str
        Names of the folders that were not looked into.
    """

    folder: str
    texts: tuple[str, ...]
    folders: tuple[str, ...]

    @property
    def description(self) -> str:
        """Some words on what is there, for messages."""
        names = self.texts or tuple(f"{name}/" for name in self.folders)
        if not names:
            return "it has no files"
        more = ", ..." if len(names) > EXAMPLE_COUNT else ""
        return f"it has {', '.join(map(escaped, names[:EXAMPLE_COUNT]))}{more}"


def list_texts(folder: str, depth: int) -> Listing:
    """List a folder.

    Raises InputError if there is no such folder, or one of the folders cannot be read.

    Parameters
    ----------
    folder : str
        Empty for the working directory.
    depth : int
        How many levels to look into: 1 for the folder alone. So links in a circle come to an end.
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
    """Yield the name of each text and each folder, and whether it is a folder."""
    try:
        with os.scandir(folder or HERE) as entries:
            in_folder = list(entries)
    except FileNotFoundError:
        raise InputError(f"{escaped(folder)}: no such folder") from None
    except NotADirectoryError:
        raise InputError(f"{escaped(folder)}: a file, not a folder") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{escaped(folder or HERE)}: cannot be listed: {reason.lower()}") from None
    for entry in in_folder:
        if entry.name.startswith("."):
            continue
        is_folder = _is_folder(entry)
        if is_folder or _is_text(entry):
            yield entry.name, is_folder


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    """Say whether an entry is a folder or a link to one."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def _is_text(entry: "os.DirEntry[str]") -> bool:
    """Say whether an entry other than a folder is a file; a broken link is an unreadable file."""
    try:
        return entry.is_file() or not os.path.exists(entry.path)
    except OSError:
        return True
