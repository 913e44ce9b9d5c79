"""Pairs files by patterns of their paths: ``--peers [NAME=]PATTERN`` and ``--models PATTERN``.

A pattern is split into the literal folders at its beginning and a regular expression for the names
in them. In a pattern of peers, a group matches the ID of the EVAL. In a pattern of models, ``#ID#``
does: a model belongs to an EVAL if its name matches the pattern with the literal ID inserted there.
With thousands of IDs and names, trying all combinations would take minutes. Therefore, wherever the
result is the same, the IDs that occur in a name are found first.

Source: interface of the program.
"""

import os
import re
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain, repeat

from rouge_cli.errors import InputError, OptionError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM, in_byte_order
from rouge_cli.inputs.pairing import FilePairing, FoundPeer, list_texts, pair
from rouge_cli.quick_dataclass import dataclass

PEERS, MODELS = "--peers", "--models"
ID_GROUP, SYSTEM_GROUP = "id", "system"

PLACEHOLDER = "#ID#"

SPECIAL = frozenset("\\^$*+?{}[]|()")
"""Characters that show that a name is an expression. Dots do not, as most names have one."""

# An escape, the placeholder, or any other character.
_PLAIN_TOKEN = re.compile(rf"\\.|{PLACEHOLDER}|.", re.DOTALL)

# Alternatively a bracket expression, in which a first "]" is literal. Everything after an unclosed
# bracket is matched at once: no later bracket is closed either, and searching for the end of each
# would take quadratic time.
_TOKEN = re.compile(rf"\[\^?\]?(?:\\.|[^\]\\])*\]|(\[.*)|{_PLAIN_TOKEN.pattern}", re.DOTALL)

# Matches nothing, and is as long as the placeholder, so that positions in messages are correct.
_EMPTY = "(?:)"
_ANYTHING = "(?s:.+)"
_GROUP = "rouge_cli_id"
_REFERENCE_BY_NUMBER = re.compile(r"\\[1-9]|\(\?\(")

# Comments, inline and in verbose mode; in these, brackets do not group.
_COMMENTS = re.compile(r"\(\?(?:#|[a-zA-Z-]*x)")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern of the paths of peers or models.

    - `option`, `text`: the option and the pattern as typed, without NAME, for messages.
    - `folder`: the literal folders at its beginning, including the last ``/``; empty if none.
    - `tokens`: the expression for names in that folder, split into escapes, brackets ``[...]``,
      `PLACEHOLDER` and single characters.
    - `regex`: matches a whole name in that folder. For models, it matches with any ID.
    - `id_group`: for peers, the group of `regex` with the ID of the EVAL.
    - `system`: for peers, the system; None if the group ``system`` of `regex` names it.
    """

    option: str
    text: str
    folder: str
    tokens: tuple[str, ...]
    regex: re.Pattern[str] = re.compile("(?!)")
    id_group: str | int = 0
    system: str | None = None

    @property
    def depth(self) -> int:
        """The number of levels of the names; 1 for files directly in `folder`."""
        return 1 + sum(token in {"/", "\\/"} for token in self.tokens)

    def expression(self, first: str = PLACEHOLDER, later: str | None = None) -> str:
        """Return the expression with `first` in place of the first placeholder.

        All other placeholders are replaced by `later`, which is `first` by default.
        """
        fillings = chain([first], repeat(first if later is None else later))
        return "".join(next(fillings) if token == PLACEHOLDER else token for token in self.tokens)

    @property
    def where(self) -> str:
        """The option and the pattern, for messages."""
        return f"{self.option} {quoted(self.text)}"


def tokens_of(text: str) -> Iterator[str]:
    """Split an expression into the tokens described in `Pattern`."""
    for token in _TOKEN.finditer(text):
        yield from [token[0]] if token[1] is None else _PLAIN_TOKEN.findall(token[1])


def split_pattern(option: str, text: str) -> Pattern:
    """Split the pattern in an option into a folder and an expression, which is not compiled yet.

    A ``/`` in brackets ``[...]`` is not a separator. Folders at the beginning are literal, up to
    the first one that contains a special character of regular expressions, other than a dot, and
    does not exist by this name. The last part is always an expression.
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
    return Pattern(option, text, text[:start], tuple(tokens_of(text[start:])))


def _compile_names(pattern: Pattern, expression: str) -> re.Pattern[str]:
    """Compile an expression; raises OptionError with the position and the reason.

    The position is correct if the text that replaced `PLACEHOLDER` has the same length.
    """
    try:
        return compiled(expression)
    except re.error as error:
        at = "" if error.pos is None else f", at character {len(pattern.folder) + error.pos + 1}"
        # Python's message about a star that is used as in a shell.
        hint = "; any characters are .* there" if error.msg == "nothing to repeat" else ""
        if error.msg.startswith("bad escape"):
            hint = r"; folders are separated by /, and a backslash itself is \\ there"
        reason = f"{error.msg}{at}{hint}"
    except (OverflowError, RecursionError) as error:
        reason = str(error)
    raise OptionError(f"{pattern.where}: not a regular expression of Python: {reason}")


def compiled(expression: str) -> re.Pattern[str]:
    """Compile an expression, suppressing Python's warning about future meanings of ``[[``."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return re.compile(expression)


def quoted(text: str) -> str:
    """Return text in quotes, escaped if it contains unprintable characters."""
    return f"'{text}'" if text.isprintable() else ascii(text)


def parse_peer_patterns(values: Sequence[str]) -> tuple[Pattern, ...]:
    """Parse ``[NAME=]PATTERN`` values; a single value needs no name.

    The text before the first ``=`` is a NAME if it has neither ``/`` nor a special character of
    regular expressions other than a dot.

    Raises OptionError if a pattern is not a regular expression, has no group for the ID, names its
    system twice, or is one of several and does not name its system.
    """
    default = DEFAULT_SYSTEM if len(values) == 1 else None
    return tuple(_parse_peers(value, default) for value in values)


def _parse_peers(value: str, default: str | None) -> Pattern:
    name: str | None
    name, equals, text = value.partition("=")
    if not equals or not (SPECIAL | {"/"}).isdisjoint(name):
        name, text = None, value
    elif not name.strip() or not text:
        raise OptionError(f"{PEERS}: found {quoted(value)}, expected NAME=PATTERN")
    pattern = split_pattern(PEERS, text)
    regex = _compile_names(pattern, pattern.expression())
    has_system = SYSTEM_GROUP in regex.groupindex
    if has_system and name is not None:
        raise OptionError(
            f"{PEERS} {quoted(value)}: both NAME= and the group (?P<{SYSTEM_GROUP}>...) name the "
            "system; expected one of them"
        )
    if not has_system and name is None and default is None:
        raise OptionError(
            f"{pattern.where}: one of several patterns, and it names no system; "
            f"put NAME= before it, or a group (?P<{SYSTEM_GROUP}>...) into it"
        )
    system = None if has_system else name or default
    return replace(pattern, regex=regex, id_group=_id_group(pattern, regex), system=system)


def _id_group(pattern: Pattern, regex: re.Pattern[str]) -> str | int:
    if ID_GROUP in regex.groupindex:
        return ID_GROUP
    if unnamed := set(range(1, regex.groups + 1)) - set(regex.groupindex.values()):
        return min(unnamed)
    raise OptionError(
        f"{pattern.where}: no group for the ID of the text; put parentheses around it, as in "
        rf"'system/(\d+)_decoded.txt', or write (?P<{ID_GROUP}>...)"
    )


def parse_model_pattern(text: str) -> Pattern:
    """Parse a pattern of models.

    Raises OptionError if it is not a regular expression or has no ``#ID#``.
    """
    pattern = split_pattern(MODELS, text)
    if PLACEHOLDER not in pattern.tokens:
        raise OptionError(
            f"{pattern.where}: no {PLACEHOLDER}; write it where the ID of the text stands, as in "
            f"'reference/{PLACEHOLDER}_reference.txt'"
        )
    _compile_names(pattern, pattern.expression(_EMPTY))
    return replace(pattern, regex=_compile_names(pattern, _expression_of_any_id(pattern)))


def _expression_of_any_id(pattern: Pattern) -> str:
    # A back-reference makes all placeholders match the same ID. This is impossible if a placeholder
    # may not take part in a match, or if the additional group would renumber those of the pattern.
    if pattern.tokens.count(PLACEHOLDER) == 1 or not is_certain(pattern.tokens):
        return pattern.expression(_ANYTHING)
    if _REFERENCE_BY_NUMBER.search("".join(pattern.tokens)):
        return pattern.expression(_ANYTHING)
    return pattern.expression(f"(?P<{_GROUP}>{_ANYTHING})", f"(?P={_GROUP})")


def is_certain(tokens: Sequence[str]) -> bool:
    """Return whether every placeholder certainly takes part in every match.

    This requires that all are outside groups, that there is no ``|`` outside groups, and that no
    quantifier makes a placeholder optional. `tokens` are as in `Pattern`.
    """
    if _COMMENTS.search("".join(tokens)):
        return False
    depth = 0
    for token, following in zip(tokens, (*tokens[1:], ""), strict=True):
        depth += (token == "(") - (token == ")")
        if token == "|" and depth == 0:
            return False
        if token == PLACEHOLDER and (depth > 0 or following in {"?", "*", "{"}):
            return False
    return True


def pair_files(peers: Sequence[str], models: Sequence[str]) -> tuple[FilePairing, list[str]]:
    """Pair the files whose names match the patterns in the options ``--peers`` and ``--models``.

    Also returns the literal folder of each pattern, ``.`` if it has none. Raises OptionError for a
    malformed pattern, and InputError for folders that cannot be listed and patterns without match.
    """
    of_peers = parse_peer_patterns(peers)
    of_models = list(map(parse_model_pattern, models))
    patterns: list[Pattern] = [*of_peers, *of_models]
    listing_of = cache(list_texts)
    problems: list[str] = []
    names: list[Sequence[str]] = []
    for pattern in patterns:
        try:
            listing = listing_of(pattern.folder, pattern.depth)
        except InputError as error:
            problems += [f"{pattern.where}: {problem}" for problem in error.problems]
            continue
        names.append(listing.texts)
        if not any(map(pattern.regex.fullmatch, listing.texts)):
            where = escaped(pattern.folder) if pattern.folder else "the working directory"
            problems.append(f"{pattern.where}: no file in {where} fits; {listing.description}")
    if problems:
        raise InputError(problems)
    pairing = pair_by_patterns(of_peers, names[: len(peers)], of_models, names[len(peers) :])
    return pairing, [pattern.folder or os.curdir for pattern in patterns]


def pair_by_patterns(
    peer_patterns: Sequence[Pattern],
    peer_names: Sequence[Sequence[str]],
    model_patterns: Sequence[Pattern],
    model_names: Sequence[Sequence[str]],
) -> FilePairing:
    """Pair the files that match patterns; the names in the folder of each are in byte order.

    Systems are in the order of the patterns, and those from a group in byte order. The models of an
    EVAL are in the order of the patterns; a file that matches several of them is one model. A file
    that matches none is ignored. A file that is used as a peer or as a model is never unpaired. A
    model of two EVALs is a problem: usually a dot or a star in the pattern matches too much.
    """
    peers: list[FoundPeer] = []
    problems: list[str] = []
    systems: dict[str, None] = {}
    for pattern, names in zip(peer_patterns, peer_names, strict=True):
        peers_here, problems_here = find_peers(pattern, names)
        peers += peers_here
        problems += problems_here
        of_pattern = {system for system, _, _ in peers_here}
        named = [pattern.system] if pattern.system is not None else in_byte_order(of_pattern)
        systems |= dict.fromkeys(named)
    models: dict[str, dict[str, None]] = {}
    model_paths: dict[str, None] = {}
    eval_ids = {eval_id for _, eval_id, _ in peers}
    for pattern, names in zip(model_patterns, model_names, strict=True):
        for eval_id, of_eval in models_by_id(pattern, eval_ids, names).items():
            models.setdefault(eval_id, {}).update((pattern.folder + name, None) for name in of_eval)
        model_paths |= {
            pattern.folder + name: None for name in filter(pattern.regex.fullmatch, names)
        }
    return pair(
        *(peers, {eval_id: tuple(paths) for eval_id, paths in models.items()}, model_paths),
        systems=systems,
        problems=(*problems, *_models_of_several(models)),
        findings=_peers_and_models(peers, models),
    )


def find_peers(pattern: Pattern, names: Iterable[str]) -> tuple[list[FoundPeer], list[str]]:
    """Return the peers among the names in the folder of a pattern, in their order.

    Also returns a message for each name that matches but yields an unusable ID or system.
    """
    peers, problems = [], []
    for name in names:
        match = pattern.regex.fullmatch(name)
        if match is None:
            continue
        system = match[SYSTEM_GROUP] if pattern.system is None else pattern.system
        path, eval_id = pattern.folder + name, match[pattern.id_group] or ""
        # Control characters in an ID would break the lines of a report.
        unusable = [
            f"{escaped(path)}: the ID of the {what} is {quoted(id_)} by {pattern.where}; "
            "expected some characters, none of them a control character"
            for what, id_ in {"text": eval_id, "system": system or ""}.items()
            if not id_ or re.search(r"[\x00-\x1f\x7f]", id_)
        ]
        problems += unusable
        if not unusable:
            peers.append((system, eval_id, path))
    return peers, problems


def _models_of_several(models: Mapping[str, Iterable[str]]) -> Iterator[str]:
    first_evals: dict[str, str] = {}
    told: set[str] = set()
    for eval_id in in_byte_order(models):
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
    peers: Iterable[FoundPeer], models: Mapping[str, Collection[str]]
) -> Iterator[str]:
    both = [(eval_id, path) for _, eval_id, path in peers if path in models.get(eval_id, ())]
    if both:
        more = f", and {len(both) - 1} more" if len(both) > 1 else ""
        eval_id, path = both[0]
        yield f"prediction and reference at once: {escaped(path)} (text {escaped(eval_id)}){more}"


_ANY_CASE = re.compile(r"\(\?[a-zA-Z-]*i")
_ONE_OF_A_KIND = frozenset("dDsSwW")

Search = Callable[[str], Collection[str]]


def models_by_id(
    pattern: Pattern, eval_ids: Collection[str], names: Iterable[str]
) -> dict[str, list[str]]:
    """Map each EVAL with models to their names, among the names in the folder of a pattern.

    The names keep their order. A name may match several EVALs.
    """
    search = _search(pattern, frozenset(eval_ids))
    models: dict[str, list[str]] = {}
    for name in names:
        for eval_id in search(name):
            models.setdefault(eval_id, []).append(name)
    return models


def _search(pattern: Pattern, eval_ids: frozenset[str]) -> Search:
    """Return a function from a name to the EVALs whose models it may be."""
    if all(token == PLACEHOLDER or _is_one_character(token) for token in pattern.tokens):
        return _search_by_place(pattern, eval_ids)
    if is_certain(pattern.tokens):
        candidates = _substrings(eval_ids, bool(_ANY_CASE.search(pattern.expression())))
    else:
        candidates = lambda name: eval_ids  # noqa: E731
    regex_of = cache(lambda id_: compiled(pattern.expression(f"(?:{re.escape(id_)})")))
    return lambda name: [id_ for id_ in candidates(name) if regex_of(id_).fullmatch(name)]


def _search_by_place(pattern: Pattern, eval_ids: frozenset[str]) -> Search:
    # All other tokens match a single character, so the ID can only have one position in a name.
    regex = compiled(pattern.expression("((?s:.*))", r"(?:\1)"))

    def search(name: str) -> Collection[str]:
        match = regex.fullmatch(name)
        return (match[1],) if match is not None and match[1] in eval_ids else ()

    return search


def _is_one_character(token: str) -> bool:
    if len(token) == 1:
        return token not in SPECIAL
    return token[0] == "[" or not token[1].isalnum() or token[1] in _ONE_OF_A_KIND


def _substrings(eval_ids: frozenset[str], in_any_case: bool) -> Search:
    fold = str.lower if in_any_case else str
    spellings: dict[str, list[str]] = {}
    for eval_id in eval_ids:
        spellings.setdefault(fold(eval_id), []).append(eval_id)
    lengths = sorted(set(map(len, spellings)))
    are_ascii = all(map(str.isascii, eval_ids))

    def search(name: str) -> Collection[str]:
        # Ignoring case, regular expressions equate more letters outside ASCII than lower() does.
        if in_any_case and not (are_ascii and name.isascii()):
            return eval_ids
        folded = fold(name)
        substrings = {
            folded[start : start + length]
            for length in lengths
            for start in range(len(folded) - length + 1)
        }
        return [id_ for part in spellings.keys() & substrings for id_ in spellings[part]]

    return search
