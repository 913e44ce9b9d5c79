"""Names of peers by pattern: ``--peers [NAME=]PATTERN``, whose group is the ID of the EVAL.

Source: interface of the program.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rouge_cli.errors import OptionError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.folders.file_pairing import FoundPeer, byte_key, quoted
from rouge_cli.inputs.folders.pattern_parts import (
    SPECIAL,
    PatternParts,
    compile_names,
    split_pattern,
)

__all__ = ["PeerPattern", "find_peers", "order_of_systems", "parse_peer_patterns"]

OPTION = "--peers"
ID_GROUP, SYSTEM_GROUP = "id", "system"

# An ID stands in the middle of a line of the report.
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class PeerPattern:
    """A pattern of the names of peers.

    Parameters
    ----------
    parts : PatternParts
    regex : re.Pattern
        For the whole of a name in the folder of `parts`.
    id_group : str or int
        The group that is the ID of the EVAL.
    system : str or None
        The system of all that fits; None if the group ``system`` says it.
    """

    parts: PatternParts
    regex: re.Pattern[str]
    id_group: str | int
    system: str | None

    def fits(self, name: str) -> bool:
        """Say whether a name, relative to the folder, is a peer's."""
        return self.regex.fullmatch(name) is not None


def parse_peer_patterns(
    values: Sequence[str], is_folder: Callable[[str], bool], default_system: str
) -> tuple[PeerPattern, ...]:
    """Read ``[NAME=]PATTERN`` values.

    Parameters
    ----------
    values : sequence of str
        As typed. What stands before the first ``=`` is a NAME if it has no ``/`` and no special
        character of regular expressions other than a dot.
    is_folder : callable
        Whether there is a folder of exactly that path.
    default_system : str
        The system of the only pattern, if it names none.

    Returns
    -------
    tuple of PeerPattern

    Raises
    ------
    OptionError
        If a pattern is no regular expression, has no group for the ID, names its system twice, or
        does not name it though it is one of several.
    """
    return tuple(
        _parse(value, is_folder, default_system if len(values) == 1 else None) for value in values
    )


def _parse(value: str, is_folder: Callable[[str], bool], default: str | None) -> PeerPattern:
    """Read one value; without a default its system has to be named."""
    name, text = _split_name(value)
    parts = split_pattern(OPTION, text, is_folder)
    regex = compile_names(parts, parts.expression())
    has_system = SYSTEM_GROUP in regex.groupindex
    if has_system and name is not None:
        raise OptionError(
            f"{OPTION} {quoted(value)}: both NAME= and the group (?P<{SYSTEM_GROUP}>...) name the "
            "system; expected one of them"
        )
    if not has_system and name is None and default is None:
        raise OptionError(
            f"{parts.where}: one of several patterns, and it names no system; "
            f"put NAME= before it, or a group (?P<{SYSTEM_GROUP}>...) into it"
        )
    system = None if has_system else name or default
    return PeerPattern(parts, regex, _id_group(parts, regex), system)


def _split_name(value: str) -> tuple[str | None, str]:
    """Split a value into NAME, if it has one, and pattern."""
    name, equals, text = value.partition("=")
    if not equals or not (SPECIAL | {"/"}).isdisjoint(name):
        return None, value
    if not name.strip() or not text:
        raise OptionError(f"{OPTION}: found {quoted(value)}, expected NAME=PATTERN")
    return name, text


def _id_group(parts: PatternParts, regex: re.Pattern[str]) -> str | int:
    """Return the group of the ID: the one with that name, or else the first without a name."""
    if ID_GROUP in regex.groupindex:
        return ID_GROUP
    named = set(regex.groupindex.values())
    for group in range(1, regex.groups + 1):
        if group not in named:
            return group
    raise OptionError(
        f"{parts.where}: no group for the ID of the EVAL; put parentheses around it, as in "
        rf"'system/(\d+)_decoded.txt', or write (?P<{ID_GROUP}>...)"
    )


def find_peers(pattern: PeerPattern, names: Iterable[str]) -> tuple[list[FoundPeer], list[str]]:
    """Find the peers among the names in the folder of a pattern.

    Parameters
    ----------
    pattern : PeerPattern
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


def order_of_systems(
    patterns: Sequence[PeerPattern], found: Sequence[Sequence[FoundPeer]]
) -> list[str]:
    """Return the systems in the order of print.

    Parameters
    ----------
    patterns : sequence of PeerPattern
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
