"""Pair texts by patterns of their names.

Source: interface of the program, ``--peers`` and ``--models``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from rouge_cli.escapes import escaped
from rouge_cli.inputs.folders.file_pairing import (
    FoundPeer,
    Pairing,
    byte_key,
    pair,
    peer_without_model,
)
from rouge_cli.inputs.folders.id_search import models_by_id
from rouge_cli.inputs.folders.model_patterns import ModelPattern, possible_models
from rouge_cli.inputs.folders.peer_patterns import PeerPattern, find_peers, order_of_systems

__all__ = ["pair_by_patterns"]


def pair_by_patterns(
    peer_patterns: Sequence[PeerPattern],
    peer_names: Sequence[Sequence[str]],
    model_patterns: Sequence[ModelPattern],
    model_names: Sequence[Sequence[str]],
) -> Pairing:
    """Pair the texts that fit patterns.

    Parameters
    ----------
    peer_patterns : sequence of PeerPattern
    peer_names : sequence of sequence of str
        For each, the names in its folder, in byte order.
    model_patterns : sequence of ModelPattern
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
    unpaired += [f"model without a peer: {escaped(path)}" for path in left_over if path not in used]
    pairing = pair(order_of_systems(peer_patterns, found), peers, models)
    return replace(
        pairing,
        unpaired=tuple(unpaired),
        problems=(*problems, *_models_of_several(models), *pairing.problems),
        notices=(*_peers_and_models(peers, models), *pairing.notices),
    )


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
        for name in possible_models(pattern, names_here):
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
                    rf"{escaped(eval_id)} by --models; expected one EVAL; a dot is any "
                    r"character, \. is a dot"
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
