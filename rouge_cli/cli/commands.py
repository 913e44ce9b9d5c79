"""The list of commands, for dispatch, help, completion and the manual page.

Nothing here imports a command or a study, so ``--version`` and a misspelt word are cheap.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, cast

from rouge_cli.errors import close_to
from rouge_cli.studies.study import STUDIES

if TYPE_CHECKING:
    import click

PROGRAM = "rouge-cli"

COMPLETION_VARIABLE = "_ROUGE_CLI_COMPLETE"
"""Set by shells that request completions. Click derives the name from `PROGRAM`."""

FIRST_WORD = "rouge_cli.first_word"
"""Key in the `meta` of a Click context: whether the next word may be a command."""

TYPED_WORDS = "rouge_cli.typed_words"
"""Key in the `meta` of a Click context: the command line, if it names no command."""

COMMAND_WORDS = "rouge_cli.command_words"
"""Key in the `meta` of a Click context: the words after the name of the command."""


class Command(NamedTuple):
    """An entry of the list, with its summary for the front page and the manual page.

    Calling the command imports `module`, in which `attribute` is the name of the Click command.
    """

    name: str
    module: str
    summary: str
    attribute: str = "command"

    def load(self) -> "click.Command":
        """Import the command."""
        return cast("click.Command", getattr(import_module(self.module), self.attribute))


class StudyCommand(Command):
    """The command of the study that `module` defines."""

    __slots__ = ()

    def load(self) -> "click.Command":
        """Import the study, and make its command."""
        # By name, since the module of these commands imports this one.
        frame = import_module("rouge_cli.cli.studies")
        return cast("click.Command", frame.study_command(self.name))


def _other(name: str, summary: str) -> Command:
    return Command(name, "rouge_cli.cli.other_commands", summary, name.replace("-", "_"))


COMMANDS = {
    command.name: command
    for command in (
        Command(
            "score",
            "rouge_cli.cli.score",
            STUDIES["score"].summary,
        ),
        Command(
            "explain", "rouge_cli.cli.explain", "Show why a score is what it is, word by word."
        ),
        *(
            StudyCommand(study.name, study.module, study.summary)
            for study in STUDIES.values()
            if study.name != "score"
        ),
        Command(
            "source",
            "rouge_cli.cli.score",
            "Measure what summaries take from their sources.",
            "source",
        ),
        Command("dedup", "rouge_cli.cli.dedup", "Drop records that resemble earlier ones."),
        _other("jackknife", "Write the leave-one-out configuration."),
        _other("convert", "Write an input in another layout."),
        Command(
            "protocols",
            "rouge_cli.cli.protocols",
            "List other packages, or compare their numbers.",
        ),
        _other("selftest", "Reproduce stored results of the original on this machine."),
        _other("install-shim", "Set up a ROUGE-1.5.5 home for programs that call the Perl script."),
        Command(
            "completion",
            "rouge_cli.cli.completion",
            "Print the script that completes words in your shell.",
        ),
        Command("help", "rouge_cli.cli.help", "Explain a command."),
    )
}
"""All commands by name, in the order of the help; a new one needs an entry and a module.

The commands of studies come from `STUDIES`.
"""

DEFAULT_COMMAND = "score"

LEAST_ALIKE = 0.7


def near_command(word: str) -> str | None:
    """Return the command that a word resembles; None for options and for paths with folders."""
    is_word = not word.startswith("-") and os.path.basename(word) == word
    # Stricter than usual, since the word may be a file: 'texts' is not 'context'.
    return close_to(word, COMMANDS, LEAST_ALIKE) if is_word else None
