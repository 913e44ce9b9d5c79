"""Formats of CI systems: their commands in the log of a job, and where they show results.

A new format is a file here with a `FORMAT`, an instance of its class, and a line in `FORMATS`.
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
"""Module to the variable that its system sets for every job, and its value."""


class CIFormat:
    """Base of the formats, and itself the format of a terminal, which has no commands.

    - `at_line_start`: the openings of commands that the system reads at the start of a line, after
      optional blanks.
    - `anywhere`: the openings of commands that it reads anywhere.
    - `folder`: the variable with a folder for the files of a step; if it is unset, the temporary
      folder is used.
    """

    at_line_start: ClassVar[tuple[str, ...]] = ()
    anywhere: ClassVar[tuple[str, ...]] = ()
    folder: ClassVar[str] = ""

    def escape(self, text: str, form: str = IN_TEXT) -> str:
        r"""Escape commands in a text: a name may be one, such as ``::stop-commands::``.

        Only the first character of a command is escaped, as `form` says: ``\x3a`` in plain text, an
        escape of the language in JSON and XML.
        """
        for opening in self.at_line_start:
            pattern = rf"^([^\S\n]*){re.escape(opening)}"
            hidden = _hidden(opening, form).replace("\\", r"\\")
            text = re.sub(pattern, rf"\g<1>{hidden}", text, flags=re.MULTILINE)
        for opening in self.anywhere:
            text = text.replace(opening, _hidden(opening, form))
        return text

    def annotation(self, failure: str) -> str:
        """Return the line of the log that reports a failure."""
        return self.escape(f"Failed: {failure}")

    def publish(self, table: "Path", files: Mapping[str, "Path"]) -> str:
        """Publish a table in Markdown, and the paths of other reports; return text for the log.

        `files` maps the names of outputs to paths. Later steps of the job find them by these names,
        if the system has such outputs.
        """
        return self.escape(table.read_text("utf-8"))


def ci_format(environ: Mapping[str, str]) -> CIFormat:
    """Return the format of the system that runs this job; outside of a job, the base."""
    for module, (variable, value) in FORMATS.items():
        if environ.get(variable) == value:
            ci: CIFormat = import_module(f"rouge_cli.ci.{module}").FORMAT
            return ci
    return CIFormat()


def _hidden(opening: str, form: str) -> str:
    return form.format(sign=opening[0], code=ord(opening[0])) + opening[1:]
