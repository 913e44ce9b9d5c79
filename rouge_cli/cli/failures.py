"""Say which scores are not as required: for people, and for GitHub where it runs there."""

from collections.abc import Iterable, Mapping

import click

__all__ = ["announce"]

ESCAPES = {"%": "%25", "\r": "%0D", "\n": "%0A"}
"""What would end or change the message of a workflow command."""


def announce(failures: Iterable[str], environment: Mapping[str, str]) -> None:
    """Write a line for each failure to standard error.

    Parameters
    ----------
    failures : iterable of str
    environment : mapping of str to str
        With ``GITHUB_ACTIONS`` set to ``true`` each line is a workflow command, which GitHub shows
        as an annotation.
    """
    on_github = environment.get("GITHUB_ACTIONS") == "true"
    for failure in failures:
        line = (
            f"::error title=rouge-cli::{_escaped(failure)}" if on_github else f"Failed: {failure}"
        )
        click.echo(line, err=True)


def _escaped(text: str) -> str:
    """Write a text as the message of a workflow command."""
    return "".join(ESCAPES.get(character, character) for character in text)
