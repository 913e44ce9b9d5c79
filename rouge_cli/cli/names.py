"""Names by which parts of the command line know each other."""

__all__ = ["COMPLETION_VARIABLE", "FIRST_WORD", "PROGRAM"]

PROGRAM = "rouge-cli"

COMPLETION_VARIABLE = "_ROUGE_CLI_COMPLETE"
"""The variable by which a shell asks how a word goes on; Click makes its name of the program's."""

FIRST_WORD = "rouge_cli.first_word"
"""In the `meta` of a context: whether nothing is typed yet, so that a command may follow."""
