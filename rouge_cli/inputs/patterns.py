"""Patterns of names: ``--peers [NAME=]PATTERN`` and ``--models PATTERN``.

A pattern is cut into the folders that it begins with and an expression for the names in them. A
group in the expression for peers is the ID of the EVAL; in the one for models, ``#ID#`` stands for
it.

Source: interface of the program.
"""

import re
import warnings
from collections.abc import Callable, Sequence
from itertools import chain, repeat

from rouge_cli.errors import OptionError
from rouge_cli.quick_dataclass import dataclass

PEERS, MODELS = "--peers", "--models"
ID_GROUP, SYSTEM_GROUP = "id", "system"

PLACEHOLDER = "#ID#"
"""What stands for the ID of the EVAL in a pattern of models."""

SPECIAL = frozenset("\\^$*+?{}[]|()")
"""The characters that make an expression of a name; a dot is too frequent in names to be one."""

# An escape, a whole bracket, the placeholder, or else a character. The first character of a
# bracket is in it, even if it is "]".
_TOKEN = re.compile(rf"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|{PLACEHOLDER}|.", re.DOTALL)
_SEPARATORS = ("/", "\\/")
_STAR_ALONE = "nothing to repeat"
"""What Python says of a star as the shell means it."""

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

    Parameters
    ----------
    option : str
        The option that gives it, for messages.
    text : str
        The pattern as typed, less its NAME.
    folder : str
        The folders at its beginning, taken literally, with the last ``/``; empty for none.
    tokens : tuple of str
        The expression for the names in `folder`, cut into escapes, brackets ``[...]``,
        `PLACEHOLDER` and single characters.
    """

    option: str
    text: str
    folder: str
    tokens: tuple[str, ...]

    @property
    def depth(self) -> int:
        """How many levels the names have: 1 for files that stand in `folder`."""
        return 1 + sum(token in _SEPARATORS for token in self.tokens)

    def expression(self, first: str = PLACEHOLDER, later: str | None = None) -> str:
        """Return the expression with `first` for the first placeholder, `later` for all others."""
        fillings = chain([first], repeat(first if later is None else later))
        return "".join(next(fillings) if token == PLACEHOLDER else token for token in self.tokens)

    @property
    def where(self) -> str:
        """The option and the pattern, for messages."""
        return f"{self.option} {quoted(self.text)}"


def split_pattern(option: str, text: str, is_folder: Callable[[str], bool]) -> PatternParts:
    """Cut a pattern into folder and expression.

    Parameters
    ----------
    option : str
        The option that gives it.
    text : str
        Parts of a path with ``/`` between them; one in brackets ``[...]`` does not separate.
    is_folder : callable
        Whether there is a folder of exactly that path.

    Returns
    -------
    PatternParts
        The folders at the beginning are literal up to the first that has a special character of
        regular expressions other than a dot and is no folder by that very name. The last part is
        always an expression.
    """
    start = end = 0
    for token in _TOKEN.findall(text):
        end += len(token)
        if token != "/":
            continue
        if not _is_literal(text[start : end - 1], text[: end - 1], is_folder):
            break
        start = end
    return PatternParts(option, text, text[:start], tuple(_TOKEN.findall(text[start:])))


def _is_literal(part: str, path: str, is_folder: Callable[[str], bool]) -> bool:
    """Say whether a part of a pattern is the name of a folder; `path` ends with it."""
    if PLACEHOLDER in part:
        return False
    return SPECIAL.isdisjoint(part) or is_folder(path)


def _compile_names(parts: PatternParts, expression: str) -> re.Pattern[str]:
    """Compile the expression for the names of a pattern.

    Raises OptionError if it is no regular expression, with the place and the reason.

    Parameters
    ----------
    parts : PatternParts
        The pattern that it belongs to.
    expression : str
        Its tokens, with something in place of `PLACEHOLDER`; of the same length, if the place of
        an error is to be right.
    """
    try:
        return compiled(expression)
    except re.error as error:
        at = "" if error.pos is None else f", at character {len(parts.folder) + error.pos + 1}"
        hint = "; any characters are .* there" if error.msg == _STAR_ALONE else ""
        reason = f"{error.msg}{at}{hint}"
    except (OverflowError, RecursionError) as error:
        reason = str(error)
    raise OptionError(f"{parts.where}: not a regular expression of Python: {reason}")


def compiled(expression: str) -> re.Pattern[str]:
    """Compile an expression, without Python's musings on what ``[[`` may mean one day."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return re.compile(expression)


def quoted(text: str) -> str:
    """Return text in quotes, escaped where it would break or blur a message."""
    return f"'{text}'" if text.isprintable() else ascii(text)


@dataclass(frozen=True, slots=True)
class PeerPattern:
    """A pattern of the names of peers.

    Parameters
    ----------
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

    Raises OptionError if a pattern is no regular expression, has no group for the ID, names its
    system twice, or does not name it though it is one of several.

    Parameters
    ----------
    values : sequence of str
        As typed. What stands before the first ``=`` is a NAME if it has no ``/`` and no special
        character of regular expressions other than a dot.
    is_folder : callable
        Whether there is a folder of exactly that path.
    default_system : str
        The system of the only pattern, if it names none.
    """
    return tuple(
        _parse_peers(value, is_folder, default_system if len(values) == 1 else None)
        for value in values
    )


def _parse_peers(value: str, is_folder: Callable[[str], bool], default: str | None) -> PeerPattern:
    """Read one value; without a default its system has to be named."""
    name, text = _split_name(value)
    parts = split_pattern(PEERS, text, is_folder)
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
    return PeerPattern(parts, regex, _id_group(parts, regex), system)


def _split_name(value: str) -> tuple[str | None, str]:
    """Split a value into NAME, if it has one, and pattern."""
    name, equals, text = value.partition("=")
    if not equals or not (SPECIAL | {"/"}).isdisjoint(name):
        return None, value
    if not name.strip() or not text:
        raise OptionError(f"{PEERS}: found {quoted(value)}, expected NAME=PATTERN")
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


@dataclass(frozen=True, slots=True)
class ModelPattern:
    """A pattern of the names of models.

    Parameters
    ----------
    of_any_id : re.Pattern
        Fits the whole of a name that is a model's for some ID.
    """

    parts: PatternParts
    of_any_id: re.Pattern[str]

    def fits(self, name: str) -> bool:
        """Say whether a name, relative to the folder, is a model's for some ID."""
        return self.of_any_id.fullmatch(name) is not None


def parse_model_pattern(text: str, is_folder: Callable[[str], bool]) -> ModelPattern:
    """Read a pattern of models.

    Raises OptionError if it is no regular expression, or without ``#ID#``.

    Parameters
    ----------
    text : str
        As typed.
    is_folder : callable
        Whether there is a folder of exactly that path.
    """
    parts = split_pattern(MODELS, text, is_folder)
    if PLACEHOLDER not in parts.tokens:
        raise OptionError(
            f"{parts.where}: no {PLACEHOLDER}; write it where the ID of the EVAL stands, as in "
            f"'reference/{PLACEHOLDER}_reference.txt'"
        )
    _compile_names(parts, parts.expression(_EMPTY))
    return ModelPattern(parts, _compile_names(parts, _expression_of_any_id(parts)))


def _expression_of_any_id(parts: PatternParts) -> str:
    """Return an expression for all names that are a model's for some ID.

    The same ID stands in every place, if there is no doubt that every place takes part and if
    another group does not change what the pattern means.
    """
    if parts.tokens.count(PLACEHOLDER) == 1 or not is_certain(parts.tokens):
        return parts.expression(_ANYTHING)
    if _REFERENCE_BY_NUMBER.search("".join(parts.tokens)):
        return parts.expression(_ANYTHING)
    return parts.expression(f"(?P<{_GROUP}>{_ANYTHING})", f"(?P={_GROUP})")


def is_certain(tokens: Sequence[str]) -> bool:
    """Say whether every placeholder takes part in every match.

    Parameters
    ----------
    tokens : sequence of str
        As in `PatternParts`. All placeholders have to stand outside of groups, not beside a
        ``|`` there, and not before a quantifier that may leave them out.
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
