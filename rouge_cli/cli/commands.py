"""The list of commands, for dispatch, help, completion and the manual page.

Nothing here imports a command or a study, so that ``--version`` and misspelt commands stay cheap.
"""

import os
from importlib import import_module
from typing import NamedTuple

import click

from rouge_cli.errors import close_to
from rouge_cli.studies.study import STUDIES

PROGRAM = "rouge-cli"

COMPLETION_VARIABLE = "_ROUGE_CLI_COMPLETE"
"""Variable that shells set to request completions. Click derives its name from `PROGRAM`."""

HELP_SETTINGS = {"help_option_names": ["-h", "--help"]}

# Keys in the `meta` of a Click context.

FIRST_WORD = "rouge_cli.first_word"
"""Whether the next word may be a command."""

TYPED_WORDS = "rouge_cli.typed_words"
"""The words of the command line, if it names no command."""

COMMAND_WORDS = "rouge_cli.command_words"
"""The words after the name of the command."""


class Command(NamedTuple):
    """An entry of the list.

    - `module`, `attribute`: where to find the Click command, or a function that returns it by name.
    - `summary`: its line on the front page and in the manual page.
    """

    name: str
    module: str
    summary: str
    attribute: str = "command"

    def load(self) -> click.Command:
        """Import the command."""
        # Imported late, since these modules import this one.
        loaded = getattr(import_module(f"rouge_cli.cli.{self.module}"), self.attribute)
        command: click.Command = loaded if isinstance(loaded, click.Command) else loaded(self.name)
        return command


def _other(name: str, summary: str) -> Command:
    return Command(name, "other_commands", summary, name.replace("-", "_"))


COMMANDS = {
    command.name: command
    for command in (
        Command("score", "score", STUDIES["score"].summary),
        _other("explain", "Show why a score is what it is, word by word."),
        *(
            Command(study.name, "studies", study.summary, "study_command")
            for study in STUDIES.values()
            if study.name != "score"
        ),
        Command("verify", "score", "Score again what a certificate is about.", "verify"),
        Command("source", "score", "Measure what summaries take from their sources.", "source"),
        Command("dedup", "dedup", "Drop records that resemble earlier ones."),
        _other("jackknife", "Write the leave-one-out configuration."),
        _other("convert", "Write an input in another layout."),
        _other("protocols", "List other packages, or compare their numbers."),
        _other("selftest", "Reproduce stored results of the original on this machine."),
        _other("install-shim", "Set up a ROUGE-1.5.5 home for programs that call the Perl script."),
        Command("completion", "completion", "Print the script that completes words in your shell."),
        Command("help", "group", "Explain a command.", "help_command"),
    )
}
"""All commands by name, in the order of the help. Those of studies come from `STUDIES`."""

DEFAULT_COMMAND = "score"

LEAST_ALIKE = 0.7
"""Similarity from which a word is taken for a misspelt command. Stricter than usual, since the word
may be a file: "texts" is not "context"."""


def near_command(word: str) -> str | None:
    """Return the command that a word resembles, if any; None for options and paths with folders."""
    is_word = not word.startswith("-") and os.path.basename(word) == word
    return close_to(word, COMMANDS, LEAST_ALIKE) if is_word else None
