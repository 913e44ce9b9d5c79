"""Texts paired by patterns of their names: ``--peers [NAME=]PATTERN`` and ``--models PATTERN``.

A pattern is cut into the folders that it begins with and an expression for the names in them. A
group in the expression for peers is the ID of the EVAL. In the expression for models it is
``#ID#``: a model's name fits an EVAL if it fits the pattern with the ID, taken literally, in
that position. To try every ID on every name would take minutes where there are thousands of both,
so the IDs are looked for in the name first, wherever that has the same result.

Source: interface of the program.
"""

import os
import re
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, repeat

from rouge_cli.errors import InputError, OptionError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM
from rouge_cli.inputs.pairing import (
    FilePairing,
    FoundPeer,
    Listing,
    alike_names,
    byte_key,
    list_texts,
    model_without_peer,
    pair,
    peer_without_model,
)
from rouge_cli.quick_dataclass import dataclass

PEERS, MODELS = "--peers", "--models"
ID_GROUP, SYSTEM_GROUP = "id", "system"

PLACEHOLDER = "#ID#"

SPECIAL = frozenset("\\^$*+?{}[]|()")
"""Characters that make a name an expression; dots are too frequent in names."""

# An escape, the placeholder, or else a character.
_PLAIN_TOKEN = re.compile(rf"\\.|{PLACEHOLDER}|.", re.DOTALL)

# Or a whole bracket, whose first character is in it, even if it is "]"; or all from one that is not
# closed: none behind it is, and to look for the end of each would take quadratic time.
_TOKEN = re.compile(rf"\[\^?\]?(?:\\.|[^\]\\])*\]|(\[.*)|{_PLAIN_TOKEN.pattern}", re.DOTALL)
_SEPARATORS = ("/", "\\/")
_STAR_ALONE = "nothing to repeat"
"""Python's message on a star used as in shells."""

# A group that takes nothing and is as long as the placeholder: places in messages are right.
_EMPTY = "(?:)"
_ANYTHING = "(?s:.+)"
_GROUP = "rouge_cli_id"
_REFERENCE_BY_NUMBER = re.compile(r"\\[1-9]|\(\?\(")

# Both kinds of comments: brackets in them mean nothing.
_COMMENTS = re.compile(r"\(\?(?:#|[a-zA-Z-]*x)")
_MAY_TAKE_NONE = frozenset("?*{")


@dataclass(frozen=True, slots=True)
class PatternParts:
    """The parts of a pattern.

    `option` names it in messages; `text` is the pattern as typed, less its NAME. `folder` is the
    folders at its beginning, taken literally, with the last ``/``; empty for none. `tokens` are the
    expression for the names in it, cut into escapes, brackets ``[...]``, `PLACEHOLDER` and single
    characters.
    """

    option: str
    text: str
    folder: str
    tokens: tuple[str, ...]

    @property
    def depth(self) -> int:
        """Levels of the names: 1 for files right in `folder`."""
        return 1 + sum(token in _SEPARATORS for token in self.tokens)

    def expression(self, first: str = PLACEHOLDER, later: str | None = None) -> str:
        """Return the expression with `first` for the first placeholder, `later` for all others."""
        fillings = chain([first], repeat(first if later is None else later))
        return "".join(next(fillings) if token == PLACEHOLDER else token for token in self.tokens)

    @property
    def where(self) -> str:
        """The option and the pattern, for messages."""
        return f"{self.option} {quoted(self.text)}"


def tokens_of(text: str) -> Iterator[str]:
    """Cut an expression into tokens as `PatternParts` has them."""
    for token in _TOKEN.finditer(text):
        yield from [token[0]] if token[1] is None else _PLAIN_TOKEN.findall(token[1])


def split_pattern(option: str, text: str) -> PatternParts:
    """Cut a pattern, which comes from an option, into folder and expression.

    A ``/`` in brackets ``[...]`` does not separate. The folders at the beginning are literal up to
    the first that has a special character of regular expressions other than a dot and is no folder
    by that very name. The last part is always an expression.
    """
    start = end = 0
    for token in tokens_of(text):
        end += len(token)
        if token != "/":
            continue
        part = text[start : end - 1]
        if PLACEHOLDER in part or not (SPECIAL.isdisjoint(part) or os.path.isdir(text[: end - 1])):
            break
        start = end
    return PatternParts(option, text, text[:start], tuple(tokens_of(text[start:])))


def _compile_names(parts: PatternParts, expression: str) -> re.Pattern[str]:
    """Compile `expression`; raises OptionError with position and reason.

    The position is right if `PLACEHOLDER` was replaced by something of its length.
    """
    try:
        return compiled(expression)
    except re.error as error:
        at = "" if error.pos is None else f", at character {len(parts.folder) + error.pos + 1}"
        hint = "; any characters are .* there" if error.msg == _STAR_ALONE else ""
        if error.msg.startswith("bad escape"):
            hint = r"; folders are separated by /, and a backslash itself is \\ there"
        reason = f"{error.msg}{at}{hint}"
    except (OverflowError, RecursionError) as error:
        reason = str(error)
    raise OptionError(f"{parts.where}: not a regular expression of Python: {reason}")


def compiled(expression: str) -> re.Pattern[str]:
    """Compile an expression, without Python's warning on the future of ``[[``."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return re.compile(expression)


def quoted(text: str) -> str:
    """Return text in quotes, escaped where it would break or blur a message."""
    return f"'{text}'" if text.isprintable() else ascii(text)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern of the names of peers or models.

    `regex` matches the whole of a name in the folder of `parts`. For peers its group `id_group` is
    the ID of the EVAL, and `system` is None if the group ``system`` names the system; for models it
    matches with any ID.
    """

    parts: PatternParts
    regex: re.Pattern[str]
    id_group: str | int = 0
    system: str | None = None


def parse_peer_patterns(values: Sequence[str]) -> tuple[Pattern, ...]:
    """Parse ``[NAME=]PATTERN`` values; a single one needs no name.

    What stands before the first ``=`` is a NAME if it has no ``/`` and no special character of
    regular expressions other than a dot.

    Raises OptionError if a pattern is no regular expression, has no group for the ID, names its
    system twice, or does not name it though it is one of several.
    """
    default = DEFAULT_SYSTEM if len(values) == 1 else None
    return tuple(_parse_peers(value, default) for value in values)


def _parse_peers(value: str, default: str | None) -> Pattern:
    name, text = _split_name(value)
    parts = split_pattern(PEERS, text)
    regex = _compile_names(parts, parts.expression())
    has_system = SYSTEM_GROUP in regex.groupindex
    if has_system and name is not None:
        raise OptionError(
            f"{PEERS} {quoted(value)}: both NAME= and the group (?P<{SYSTEM_GROUP}>...) name the "
            "system; expected one of them"
        )
    if not has_system and name is None and default is None:
        raise OptionError(
            f"{parts.where}: one of several patterns, and it names no system; "
            f"put NAME= before it, or a group (?P<{SYSTEM_GROUP}>...) into it"
        )
    system = None if has_system else name or default
    return Pattern(parts, regex, _id_group(parts, regex), system)


def _split_name(value: str) -> tuple[str | None, str]:
    name, equals, text = value.partition("=")
    if not equals or not (SPECIAL | {"/"}).isdisjoint(name):
        return None, value
    if not name.strip() or not text:
        raise OptionError(f"{PEERS}: found {quoted(value)}, expected NAME=PATTERN")
    return name, text


def _id_group(parts: PatternParts, regex: re.Pattern[str]) -> str | int:
    if ID_GROUP in regex.groupindex:
        return ID_GROUP
    named = set(regex.groupindex.values())
    for group in range(1, regex.groups + 1):
        if group not in named:
            return group
    raise OptionError(
        f"{parts.where}: no group for the ID of the text; put parentheses around it, as in "
        rf"'system/(\d+)_decoded.txt', or write (?P<{ID_GROUP}>...)"
    )


def parse_model_pattern(text: str) -> Pattern:
    """Read a pattern of models; raises OptionError for no regular expression, or no ``#ID#``."""
    parts = split_pattern(MODELS, text)
    if PLACEHOLDER not in parts.tokens:
        raise OptionError(
            f"{parts.where}: no {PLACEHOLDER}; write it where the ID of the text stands, as in "
            f"'reference/{PLACEHOLDER}_reference.txt'"
        )
    _compile_names(parts, parts.expression(_EMPTY))
    return Pattern(parts, _compile_names(parts, _expression_of_any_id(parts)))


def _expression_of_any_id(parts: PatternParts) -> str:
    # All placeholders match the same ID, unless one may not take part in a match, or a further
    # group would change the meaning of the pattern.
    if parts.tokens.count(PLACEHOLDER) == 1 or not is_certain(parts.tokens):
        return parts.expression(_ANYTHING)
    if _REFERENCE_BY_NUMBER.search("".join(parts.tokens)):
        return parts.expression(_ANYTHING)
    return parts.expression(f"(?P<{_GROUP}>{_ANYTHING})", f"(?P={_GROUP})")


def is_certain(tokens: Sequence[str]) -> bool:
    """Return whether every placeholder takes part in every match.

    All placeholders have to stand outside of groups, not next to a ``|`` there, and not before a
    quantifier that may leave them out. The tokens are as in `PatternParts`.
    """
    if _COMMENTS.search("".join(tokens)):
        return False
    depth = 0
    for token, following in zip(tokens, (*tokens[1:], ""), strict=True):
        depth += (token == "(") - (token == ")")
        if token == "|" and depth == 0:
            return False
        if token == PLACEHOLDER and (depth > 0 or following in _MAY_TAKE_NONE):
            return False
    return True


# An ID is printed in the middle of a line of the report.
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def pair_files(peers: Sequence[str], models: Sequence[str]) -> tuple[FilePairing, list[str]]:
    """Pair the files whose names fit patterns, as typed.

    Returns also the folders that the patterns begin with, ``.`` for a pattern without folder.
    Raises OptionError for a malformed pattern, InputError for folders that cannot be listed and
    patterns that fit nothing.
    """
    of_peers = parse_peer_patterns(peers)
    of_models = list(map(parse_model_pattern, models))
    patterns: list[Pattern] = [*of_peers, *of_models]
    names = _names_for(patterns)
    pairing = pair_by_patterns(of_peers, names[: len(peers)], of_models, names[len(peers) :])
    return pairing, [pattern.parts.folder or os.curdir for pattern in patterns]


def _names_for(patterns: Sequence[Pattern]) -> list[Sequence[str]]:
    listings: dict[tuple[str, int], Listing] = {}
    problems: list[str] = []
    names: list[Sequence[str]] = []
    for pattern in patterns:
        parts = pattern.parts
        key = parts.folder, parts.depth
        try:
            listing = listings.get(key) or listings.setdefault(key, list_texts(*key))
        except InputError as error:
            problems += [f"{parts.where}: {problem}" for problem in error.problems]
            continue
        names.append(listing.texts)
        if not any(map(pattern.regex.fullmatch, listing.texts)):
            where = escaped(parts.folder) if parts.folder else "the working directory"
            problems.append(f"{parts.where}: no file in {where} fits; {listing.description}")
    if problems:
        raise InputError(problems)
    return names


def pair_by_patterns(
    peer_patterns: Sequence[Pattern],
    peer_names: Sequence[Sequence[str]],
    model_patterns: Sequence[Pattern],
    model_names: Sequence[Sequence[str]],
) -> FilePairing:
    """Pair the texts that fit patterns, of the names in the folder of each, in byte order.

    The systems are in the order of the patterns, those from a group in byte order. The models of an
    EVAL go pattern by pattern; a file that fits several patterns is one model. A file that fits no
    pattern is left alone, and a file that is used as a peer or as a model is not unpaired, whatever
    else it fits. A model of two EVALs is a problem: mostly a dot or a star in the pattern takes
    more than was meant.
    """
    peers_of_patterns, problems = [], []
    for peer_pattern, names in zip(peer_patterns, peer_names, strict=True):
        peers_here, problems_here = find_peers(peer_pattern, names)
        peers_of_patterns.append(peers_here)
        problems += problems_here
    peers = [peer for peers_here in peers_of_patterns for peer in peers_here]
    models = _find_models({peer.eval_id for peer in peers}, model_patterns, model_names)
    used = {path for paths in models.values() for path in paths}
    unpaired = [
        peer_without_model(peer)
        for peer in peers
        if peer.eval_id not in models and peer.path not in used
    ]
    lone_ids = [peer.eval_id for peer in peers if peer.eval_id not in models]
    used.update(peer.path for peer in peers)
    model_paths = dict.fromkeys(
        model_pattern.parts.folder + name
        for model_pattern, names in zip(model_patterns, model_names, strict=True)
        for name in filter(model_pattern.regex.fullmatch, names)
    )
    lone_models = [path for path in model_paths if path not in used]
    unpaired += map(model_without_peer, lone_models)
    pairing = pair(_order_of_systems(peer_patterns, peers_of_patterns), peers, models)
    return replace(
        pairing,
        unpaired=tuple(unpaired),
        problems=(
            *(*problems, *_models_of_several(models), *pairing.problems),
            *alike_names(lone_ids, lone_models),
        ),
        findings=(*_peers_and_models(peers, models), *pairing.findings),
    )


def find_peers(pattern: Pattern, names: Iterable[str]) -> tuple[list[FoundPeer], list[str]]:
    """Find the peers among the names in the folder of a pattern, in their order.

    Returns also a line for each name that fits but has no usable ID or system.
    """
    peers, problems = [], []
    for name in names:
        match = pattern.regex.fullmatch(name)
        if match is None:
            continue
        system = match[SYSTEM_GROUP] if pattern.system is None else pattern.system
        path = pattern.parts.folder + name
        peer = FoundPeer(system or "", match[pattern.id_group] or "", path)
        ids = {"ID of the text": peer.eval_id, "ID of the system": peer.system}
        unusable = [
            f"{escaped(path)}: the {what} is {quoted(id_)} by {pattern.parts.where}; "
            "expected some characters, none of them a control character"
            for what, id_ in ids.items()
            if not id_ or _CONTROL.search(id_)
        ]
        problems += unusable
        if not unusable:
            peers.append(peer)
    return peers, problems


def _order_of_systems(
    patterns: Sequence[Pattern], peers_of_patterns: Sequence[Sequence[FoundPeer]]
) -> list[str]:
    # Pattern by pattern; systems from a group are in byte order.
    systems: dict[str, None] = {}
    for pattern, peers in zip(patterns, peers_of_patterns, strict=True):
        names = {peer.system for peer in peers} if pattern.system is None else {pattern.system}
        systems |= dict.fromkeys(sorted(names, key=byte_key))
    return list(systems)


def _find_models(
    eval_ids: set[str],
    patterns: Sequence[Pattern],
    names: Sequence[Sequence[str]],
) -> dict[str, tuple[str, ...]]:
    paths: dict[str, dict[str, None]] = {}
    for pattern, names_here in zip(patterns, names, strict=True):
        folder = pattern.parts.folder
        for eval_id, models in models_by_id(pattern.parts, eval_ids, names_here).items():
            paths.setdefault(eval_id, {}).update((folder + name, None) for name in models)
    return {eval_id: tuple(paths_here) for eval_id, paths_here in paths.items()}


def _models_of_several(models: Mapping[str, Sequence[str]]) -> Iterator[str]:
    first_evals: dict[str, str] = {}
    told: set[str] = set()
    for eval_id in sorted(models, key=byte_key):
        for path in models[eval_id]:
            first = first_evals.setdefault(path, eval_id)
            if first != eval_id and path not in told:
                told.add(path)
                yield (
                    f"{escaped(path)}: a reference of text {escaped(first)} and of text "
                    f"{escaped(eval_id)} by --models; expected one text; a dot is any character, "
                    r"\. is a dot"
                )


def _peers_and_models(
    peers: Iterable[FoundPeer], models: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    both = [peer for peer in peers if peer.path in models.get(peer.eval_id, ())]
    if both:
        more = f", and {len(both) - 1} more" if len(both) > 1 else ""
        yield (
            f"prediction and reference at once: {escaped(both[0].path)} "
            f"(text {escaped(both[0].eval_id)}){more}"
        )


_ANY_CASE = re.compile(r"\(\?[a-zA-Z-]*i")
_ONE_OF_A_KIND = frozenset("dDsSwW")

Search = Callable[[str], Collection[str]]


def models_by_id(
    parts: PatternParts, eval_ids: Collection[str], names: Iterable[str]
) -> dict[str, list[str]]:
    """Return the models of each EVAL that has some, of the names in the folder of a pattern.

    The names keep their order. One may fit several EVALs.
    """
    search = _search(parts, frozenset(eval_ids))
    models: dict[str, list[str]] = {}
    for name in names:
        for eval_id in search(name):
            models.setdefault(eval_id, []).append(name)
    return models


def _search(parts: PatternParts, eval_ids: frozenset[str]) -> Search:
    if all(token == PLACEHOLDER or _is_one_character(token) for token in parts.tokens):
        return _search_by_place(parts, eval_ids)
    if not is_certain(parts.tokens):
        return _search_by_trial(parts, lambda name: eval_ids)
    if _ANY_CASE.search(parts.expression()):
        return _search_by_trial(parts, _substrings_in_any_case(eval_ids))
    return _search_by_trial(parts, _substrings(eval_ids))


def _is_one_character(token: str) -> bool:
    if len(token) == 1:
        return token not in SPECIAL
    return token[0] == "[" or not token[1].isalnum() or token[1] in _ONE_OF_A_KIND


def _search_by_place(parts: PatternParts, eval_ids: frozenset[str]) -> Search:
    """Search patterns in which all other tokens have a fixed width, so an ID has one position."""
    regex = compiled(parts.expression("((?s:.*))", r"(?:\1)"))

    def search(name: str) -> Collection[str]:
        match = regex.fullmatch(name)
        return (match[1],) if match is not None and match[1] in eval_ids else ()

    return search


def _search_by_trial(parts: PatternParts, candidates: Search) -> Search:
    regexes: dict[str, re.Pattern[str]] = {}

    def regex_of(eval_id: str) -> re.Pattern[str]:
        if eval_id not in regexes:
            regexes[eval_id] = compiled(parts.expression(f"(?:{re.escape(eval_id)})"))
        return regexes[eval_id]

    return lambda name: [id_ for id_ in candidates(name) if regex_of(id_).fullmatch(name)]


def _substrings(eval_ids: frozenset[str]) -> Search:
    lengths = sorted({len(eval_id) for eval_id in eval_ids})

    def search(name: str) -> Collection[str]:
        return eval_ids.intersection(
            name[start : start + length]
            for length in lengths
            for start in range(len(name) - length + 1)
        )

    return search


def _substrings_in_any_case(eval_ids: frozenset[str]) -> Search:
    spellings: dict[str, list[str]] = {}
    for eval_id in eval_ids:
        spellings.setdefault(eval_id.lower(), []).append(eval_id)
    substrings = _substrings(frozenset(spellings))
    are_ascii = all(map(str.isascii, eval_ids))

    def search(name: str) -> Collection[str]:
        # Beyond ASCII, regular expressions treat more letters as equal than lower() does.
        if not are_ascii or not name.isascii():
            return eval_ids
        return [id_ for lower in substrings(name.lower()) for id_ in spellings[lower]]

    return search
