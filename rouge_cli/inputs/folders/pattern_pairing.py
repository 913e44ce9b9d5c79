"""Pair texts by patterns of their names.

Source: interface of the program, ``--peers`` and ``--models``.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM
from rouge_cli.inputs.folders.id_search import models_by_id
from rouge_cli.inputs.folders.listing import Listing, list_texts
from rouge_cli.inputs.folders.pairing import (
    FoundPeer,
    Pairing,
    byte_key,
    model_without_peer,
    pair,
    peer_without_model,
)
from rouge_cli.inputs.folders.patterns import (
    SYSTEM_GROUP,
    ModelPattern,
    PatternParts,
    PeerPattern,
    parse_model_pattern,
    parse_peer_patterns,
    quoted,
)

__all__ = ["find_peers", "pair_by_patterns", "pair_files"]

# An ID stands in the middle of a line of the report.
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def pair_files(peers: Sequence[str], models: Sequence[str]) -> tuple[Pairing, list[str]]:
    """Pair the files whose names fit patterns.

    Parameters
    ----------
    peers, models : sequence of str
        Patterns, as typed.

    Returns
    -------
    pairing : Pairing
    folders : list of str
        The folders that the patterns begin with; ``.`` for one that begins with none.

    Raises
    ------
    OptionError
        A pattern that is none.
    InputError
        Folders that cannot be listed, patterns that fit nothing.
    """
    of_peers = parse_peer_patterns(peers, os.path.isdir, DEFAULT_SYSTEM)
    of_models = [parse_model_pattern(text, os.path.isdir) for text in models]
    patterns: list[PeerPattern | ModelPattern] = [*of_peers, *of_models]
    names = _names_for(patterns)
    pairing = pair_by_patterns(of_peers, names[: len(peers)], of_models, names[len(peers) :])
    return pairing, [one.parts.folder or os.curdir for one in patterns]


def _names_for(patterns: Sequence[PeerPattern | ModelPattern]) -> list[tuple[str, ...]]:
    """Return the names in the folder of each pattern, of which some fit it; raises InputError."""
    listings: dict[tuple[str, int], Listing] = {}
    problems: list[str] = []
    names: list[tuple[str, ...]] = []
    for pattern in patterns:
        parts = pattern.parts
        key = parts.folder, parts.depth
        try:
            listing = listings.get(key) or listings.setdefault(key, list_texts(*key))
        except InputError as error:
            problems += [f"{parts.where}: {problem}" for problem in error.problems]
            continue
        names.append(listing.texts)
        if not any(map(pattern.fits, listing.texts)):
            problems.append(_nothing_fits(parts, listing))
    if problems:
        raise InputError(problems)
    return names


def _nothing_fits(parts: PatternParts, listing: Listing) -> str:
    """Say that a pattern fits nothing."""
    where = escaped(parts.folder) if parts.folder else "the working directory"
    return f"{parts.where}: no file in {where} fits; {listing.description}"


def pair_by_patterns(
    peer_patterns: Sequence[PeerPattern],
    peer_names: Sequence[Sequence[str]],
    model_patterns: Sequence[ModelPattern],
    model_names: Sequence[Sequence[str]],
) -> Pairing:
    """Pair the texts that fit patterns.

    Parameters
    ----------
    peer_names : sequence of sequence of str
        For each, the names in its folder, in byte order.
    model_names : sequence of sequence of str
        For each, the names in its folder, in byte order.

    Returns
    -------
    Pairing
        The systems in the order of the patterns, those from a group in byte order. The models of
        an EVAL pattern by pattern; a file that fits several patterns is one model. A file that
        fits no pattern is nobody's concern, and one that is used as a peer or as a model is not
        unpaired, whatever else it fits. A model of two EVALs is a problem: mostly a dot or a star
        in the pattern takes more than was meant.
    """
    found, problems = [], []
    for peer_pattern, names in zip(peer_patterns, peer_names, strict=True):
        peers_here, problems_here = find_peers(peer_pattern, names)
        found.append(peers_here)
        problems += problems_here
    peers = [peer for peers_here in found for peer in peers_here]
    models = _find_models({peer.eval_id for peer in peers}, model_patterns, model_names)
    used = {path for paths in models.values() for path in paths}
    unpaired = [
        peer_without_model(peer)
        for peer in peers
        if peer.eval_id not in models and peer.path not in used
    ]
    used.update(peer.path for peer in peers)
    left_over = dict.fromkeys(_possible_paths(model_patterns, model_names))
    unpaired += [model_without_peer(path) for path in left_over if path not in used]
    pairing = pair(_order_of_systems(peer_patterns, found), peers, models)
    return replace(
        pairing,
        unpaired=tuple(unpaired),
        problems=(*problems, *_models_of_several(models), *pairing.problems),
        findings=(*_peers_and_models(peers, models), *pairing.findings),
    )


def find_peers(pattern: PeerPattern, names: Iterable[str]) -> tuple[list[FoundPeer], list[str]]:
    """Find the peers among the names in the folder of a pattern.

    Parameters
    ----------
    names : iterable of str
        Relative to the folder.

    Returns
    -------
    peers : list of FoundPeer
        In the order of `names`.
    problems : list of str
        A line for each name that fits but has no usable ID or system.
    """
    peers, problems = [], []
    for name in names:
        match = pattern.regex.fullmatch(name)
        if match is None:
            continue
        system = match[SYSTEM_GROUP] if pattern.system is None else pattern.system
        path = pattern.parts.folder + name
        peer = FoundPeer(system or "", match[pattern.id_group] or "", path)
        found = {"ID of the EVAL": peer.eval_id, "ID of the system": peer.system}
        unusable = [
            f"{escaped(path)}: the {what} is {quoted(one)} by {pattern.parts.where}; "
            "expected some characters, none of them a control character"
            for what, one in found.items()
            if not one or _CONTROL.search(one)
        ]
        problems += unusable
        if not unusable:
            peers.append(peer)
    return peers, problems


def _order_of_systems(
    patterns: Sequence[PeerPattern], found: Sequence[Sequence[FoundPeer]]
) -> list[str]:
    """Return the systems in the order of print.

    Parameters
    ----------
    found : sequence of sequence of FoundPeer
        Of each pattern.

    Returns
    -------
    list of str
        Pattern by pattern; those that come from a group in byte order.
    """
    systems: dict[str, None] = {}
    for pattern, peers in zip(patterns, found, strict=True):
        here = {peer.system for peer in peers} if pattern.system is None else {pattern.system}
        systems |= dict.fromkeys(sorted(here, key=byte_key))
    return list(systems)


def _find_models(
    eval_ids: set[str],
    patterns: Sequence[ModelPattern],
    names: Sequence[Sequence[str]],
) -> dict[str, tuple[str, ...]]:
    """Return the paths of the models of each EVAL that has some."""
    paths: dict[str, dict[str, None]] = {}
    for pattern, names_here in zip(patterns, names, strict=True):
        folder = pattern.parts.folder
        for eval_id, found in models_by_id(pattern.parts, eval_ids, names_here).items():
            paths.setdefault(eval_id, {}).update((folder + name, None) for name in found)
    return {eval_id: tuple(paths_here) for eval_id, paths_here in paths.items()}


def _possible_paths(
    patterns: Sequence[ModelPattern], names: Sequence[Sequence[str]]
) -> Iterator[str]:
    """Yield the path of each file that is a model for some ID."""
    for pattern, names_here in zip(patterns, names, strict=True):
        for name in filter(pattern.fits, names_here):
            yield pattern.parts.folder + name


def _models_of_several(models: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield a line for each file that is a model of several EVALs."""
    first_evals: dict[str, str] = {}
    told: set[str] = set()
    for eval_id in sorted(models, key=byte_key):
        for path in models[eval_id]:
            first = first_evals.setdefault(path, eval_id)
            if first != eval_id and path not in told:
                told.add(path)
                yield (
                    f"{escaped(path)}: a model of EVAL {escaped(first)} and of EVAL "
                    f"{escaped(eval_id)} by --models; expected one EVAL; a dot is any character, "
                    r"\. is a dot"
                )


def _peers_and_models(
    peers: Iterable[FoundPeer], models: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    """Yield what is to be said of texts that are measured against themselves."""
    both = [peer for peer in peers if peer.path in models.get(peer.eval_id, ())]
    if both:
        more = f", and {len(both) - 1} more" if len(both) > 1 else ""
        yield (
            f"peer and model at once: {escaped(both[0].path)} "
            f"(EVAL {escaped(both[0].eval_id)}){more}"
        )
