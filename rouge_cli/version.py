"""The version of the program: a part of `rouge_cli` and of every signature."""

__all__ = ["__version__"]

__version__ = "0.1.0"
