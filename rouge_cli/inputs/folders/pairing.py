"""Peers and models that were found by their names, put together to EVALs.

A file that belongs to nothing is unpaired: no problem of its own, but to be told of. Two files for
one and the same place are a problem, since nobody can say which is meant.

Source: interface of the program, ``--peers`` and ``--duc``.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence

from rouge_cli.escapes import escaped
from rouge_cli.inputs.evaluation import Evaluation, TextSource
from rouge_cli.quick_dataclass import dataclass

__all__ = [
    "FoundPeer",
    "Pairing",
    "byte_key",
    "evaluations_of",
    "model_without_peer",
    "pair",
    "peer_without_model",
]

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
        findings=tuple(f"system {escaped(one)}: {_NOT_SCORED}" for one in lost),
    )


def evaluations_of(pairing: Pairing, format_of: Callable[[str], str]) -> list[Evaluation]:
    """Return the EVALs of a pairing, in its order.

    Parameters
    ----------
    format_of : callable
        From the path of a text to its format.
    """
    return [
        Evaluation(
            eval_id,
            {system: TextSource(path, format_of(path)) for system, path in of_eval.items()},
            tuple(TextSource(path, format_of(path)) for path in pairing.models[eval_id]),
        )
        for eval_id, of_eval in pairing.peers.items()
    ]
