"""The commands of ``rouge-cli``: dispatch, help, completion and the manual page follow this list.

It imports no command and no study, so that ``--version`` and a misspelt word cost next to nothing.
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
"""The variable with which a shell asks for completions; Click makes its name of `PROGRAM`."""

FIRST_WORD = "rouge_cli.first_word"
"""Key in the `meta` of a Click context: whether a command may still follow."""

TYPED_WORDS = "rouge_cli.typed_words"
"""Key in the `meta` of a Click context: the command line, if it names no command."""

COMMAND_WORDS = "rouge_cli.command_words"
"""Key in the `meta` of a Click context: the words behind the name of the command."""


class Command(NamedTuple):
    """An entry of the list, with the summary of the front page and the manual page.

    `module` is imported when the command is called; `attribute` is the name of the Click command in
    it.
    """

    name: str
    module: str
    summary: str
    attribute: str = "command"

    def load(self) -> "click.Command":
        """Import the command."""
        return cast("click.Command", getattr(import_module(self.module), self.attribute))


class StudyCommand(Command):
    """The command of a study, which `module` defines."""

    __slots__ = ()

    def load(self) -> "click.Command":
        """Import the study, and make its command."""
        # By name, as all commands are: the frame of studies imports this module.
        frame = import_module("rouge_cli.cli.studies")
        return cast("click.Command", frame.study_command(self.name))


def _other(name: str, summary: str) -> Command:
    """Return a command from a module of several, by the name of its function."""
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
"""Every command by its name, in the order of help; a new one is a line here and its module.

Those of studies follow from `STUDIES`.
"""

DEFAULT_COMMAND = "score"

LEAST_ALIKE = 0.7


def near_command(word: str) -> str | None:
    """Return the command that a word resembles; None for options and for paths of several parts."""
    is_word = not word.startswith("-") and os.path.basename(word) == word
    # What may be a file has to be more like a command: 'texts' is not 'context'.
    return close_to(word, COMMANDS, LEAST_ALIKE) if is_word else None
