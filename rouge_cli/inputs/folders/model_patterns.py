"""Names of models by pattern: ``--models PATTERN``, with ``#ID#`` where the ID of the EVAL stands.

Source: interface of the program.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rouge_cli.errors import OptionError
from rouge_cli.inputs.folders.id_search import is_certain
from rouge_cli.inputs.folders.pattern_parts import (
    PLACEHOLDER,
    PatternParts,
    compile_names,
    split_pattern,
)

__all__ = ["ModelPattern", "parse_model_pattern", "possible_models"]

OPTION = "--models"

# A group that takes nothing and is as long as the placeholder: places in messages are right.
_EMPTY = "(?:)"
_ANYTHING = "(?s:.+)"
_GROUP = "rouge_cli_id"
_REFERENCE_BY_NUMBER = re.compile(r"\\[1-9]|\(\?\(")


@dataclass(frozen=True, slots=True)
class ModelPattern:
    """A pattern of the names of models.

    Parameters
    ----------
    parts : PatternParts
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

    Parameters
    ----------
    text : str
        As typed.
    is_folder : callable
        Whether there is a folder of exactly that path.

    Raises
    ------
    OptionError
        If it is no regular expression, or without ``#ID#``.
    """
    parts = split_pattern(OPTION, text, is_folder)
    if PLACEHOLDER not in parts.tokens:
        raise OptionError(
            f"{parts.where}: no {PLACEHOLDER}; write it where the ID of the EVAL stands, as in "
            f"'reference/{PLACEHOLDER}_reference.txt'"
        )
    compile_names(parts, parts.expression(_EMPTY))
    return ModelPattern(parts, compile_names(parts, _expression_of_any_id(parts)))


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


def possible_models(pattern: ModelPattern, names: Iterable[str]) -> list[str]:
    """Return the names that are a model's for some ID, in the order given."""
    return list(filter(pattern.of_any_id.fullmatch, names))
