"""Names by which parts of the command line know each other."""

import os
from collections.abc import Iterable

from rouge_cli.errors import close_to

__all__ = ["COMPLETION_VARIABLE", "FIRST_WORD", "GIVEN_WORDS", "PROGRAM", "near_command"]

PROGRAM = "rouge-cli"

COMPLETION_VARIABLE = "_ROUGE_CLI_COMPLETE"
"""The variable by which a shell asks how a word goes on; Click makes its name of the program's."""

FIRST_WORD = "rouge_cli.first_word"
"""In the `meta` of a context: whether nothing is typed yet, so that a command may follow."""

GIVEN_WORDS = "rouge_cli.given_words"
"""Where a context keeps the command line, if it names no command."""


def near_command(word: str, commands: Iterable[str]) -> str | None:
    """Return the command that a word resembles; None for options and for paths of several parts."""
    is_word = not word.startswith("-") and os.path.basename(word) == word
    return close_to(word, commands) if is_word else None
