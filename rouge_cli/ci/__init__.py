"""Formats of CI systems: their commands in the log of a job, and how they show results.

A new format needs a module here, whose `FORMAT` is an instance of its class, and a line in
`FORMATS`.
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
"""For each module, the variable that the system sets in every job, and its value."""


class CIFormat:
    """Base of the formats. It is itself the format of a terminal, which has no commands.

    - `at_line_start`: what commands begin with if the system reads them at the start of a line,
      after optional blanks.
    - `anywhere`: what commands begin with if the system reads them anywhere.
    - `folder`: the variable with the folder for the files of a step; if it is unset, they are put
      into the temporary folder.
    """

    at_line_start: ClassVar[tuple[str, ...]] = ()
    anywhere: ClassVar[tuple[str, ...]] = ()
    folder: ClassVar[str] = ""

    def escape(self, text: str, form: str = IN_TEXT) -> str:
        r"""Escape the commands in a text, since a name may be one, such as ``::stop-commands::``.

        Only the first character of a command is escaped. `form` is the template of the escape, such
        as ``\x3a`` in plain text; JSON and XML have escapes of their own.
        """
        for opening in self.at_line_start:
            pattern = rf"^([^\S\n]*){re.escape(opening)}"
            hidden = _hidden(opening, form).replace("\\", r"\\")
            text = re.sub(pattern, rf"\g<1>{hidden}", text, flags=re.MULTILINE)
        for opening in self.anywhere:
            text = text.replace(opening, _hidden(opening, form))
        return text

    def annotation(self, failure: str) -> str:
        """Return the line that reports a failure in the log."""
        return self.escape(f"Failed: {failure}")

    def publish(self, table: "Path", files: Mapping[str, "Path"]) -> str:
        """Publish a table in Markdown, and the paths of other reports; return text for the log.

        `files` maps the names of outputs to paths. If the system has outputs of steps, later steps
        find the files by these names.
        """
        return self.escape(table.read_text("utf-8"))


def ci_format(environ: Mapping[str, str]) -> CIFormat:
    """Return the format of the system that runs this job, or the base if there is none."""
    for module, (variable, value) in FORMATS.items():
        if environ.get(variable) == value:
            ci: CIFormat = import_module(f"rouge_cli.ci.{module}").FORMAT
            return ci
    return CIFormat()


def _hidden(opening: str, form: str) -> str:
    return form.format(sign=opening[0], code=ord(opening[0])) + opening[1:]
