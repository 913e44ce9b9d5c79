"""The version of the program: a part of `rouge_cli` and of every signature."""

__version__ = "0.1.0"
