"""The version of the program, a part of `rouge_cli` and of every signature, and its date."""

__version__ = "0.1.0"
RELEASE_DATE = "2026-11-23"
"""Stands in the manual page; its year is cited."""
