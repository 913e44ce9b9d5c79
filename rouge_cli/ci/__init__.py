"""Formats of CI systems: what each reads as commands in a job's log, and where it shows results.

A new format is a file here with a class `Format`, and a line in `FORMATS`.
"""

import re
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar

from rouge_cli.escapes import IN_TEXT

if TYPE_CHECKING:
    from pathlib import Path

FORMATS = {
    "github": ("GITHUB_ACTIONS", "true"),
    "gitlab": ("GITLAB_CI", "true"),
    "azure": ("TF_BUILD", "True"),
}
"""Module to the variable that its system sets for every job, and the value of it."""


class CIFormat:
    """The base of all formats, which itself stands for a terminal: nothing is a command there.

    Attributes
    ----------
    at_line_start, anywhere : tuple of str
        How commands begin that the system reads at the start of a line, behind blanks too, and
        those that it reads anywhere.
    folder : str
        The variable that names a folder for files of a step; if it is unset, the system's own.
    """

    at_line_start: ClassVar[tuple[str, ...]] = ()
    anywhere: ClassVar[tuple[str, ...]] = ()
    folder: ClassVar[str] = ""

    def escape(self, text: str, form: str = IN_TEXT) -> str:
        r"""Hide commands in a text: a name may be one, such as ``::stop-commands::``.

        Only the first character of a command is written in another way, which `form` shows:
        ``\x3a`` in plain text, the same character in JSON and XML.
        """
        for opening in self.at_line_start:
            pattern = rf"^([^\S\n]*){re.escape(opening)}"
            hidden = _hidden(opening, form).replace("\\", r"\\")
            text = re.sub(pattern, rf"\g<1>{hidden}", text, flags=re.MULTILINE)
        for opening in self.anywhere:
            text = text.replace(opening, _hidden(opening, form))
        return text

    def annotation(self, failure: str) -> str:
        """Return the line of the log that reports a failure, on one line."""
        return self.escape(f"Failed: {failure}")

    def publish(self, table: "Path", files: Mapping[str, "Path"]) -> str:
        """Show a table in Markdown where the system shows results, and hand on other reports.

        `files` has the names under which later steps of a job find the paths of reports, where
        the system has such names. Returns what the log of the step has to hold.
        """
        return self.escape(table.read_text("utf-8"))


def ci_format(environ: Mapping[str, str]) -> CIFormat:
    """Return the format of the system that runs this job, or the base if none does."""
    for module, (variable, value) in FORMATS.items():
        if environ.get(variable) == value:
            ci: CIFormat = import_module(f"rouge_cli.ci.{module}").Format()
            return ci
    return CIFormat()


def _hidden(opening: str, form: str) -> str:
    """Write the first character of a command as a form does."""
    return form.format(sign=opening[0], code=ord(opening[0])) + opening[1:]
