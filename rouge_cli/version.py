"""The version of the program, a part of `rouge_cli` and of every signature, and its date."""

__version__ = "0.1.0"
RELEASE_DATE = "2026-11-23"
"""The date in the manual page. Its year appears in citations."""
