"""Formats of CI systems: their commands in the log of a job, and how they show results.

A new format needs a class here, and a line in `FORMATS`.
"""

import os
import re
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from rouge_cli.escapes import IN_TEXT

if TYPE_CHECKING:
    from pathlib import Path


class CIFormat:
    """Base of the formats. It is itself the format of a terminal, which has no commands.

    - `variable`: the variable that the system sets in every job, and its value.
    - `at_line_start`: what commands begin with if the system reads them at the start of a line,
      after optional blanks.
    - `anywhere`: what commands begin with if the system reads them anywhere.
    - `folder`: the variable with the folder for the files of a step; if it is unset, they are put
      into the temporary folder.
    """

    variable: ClassVar[tuple[str, str]] = ("", "")
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

        `files` maps the names of outputs to paths. Where steps have outputs, later steps find the
        files by these names.
        """
        return self.escape(table.read_text("utf-8"))


def _hidden(opening: str, form: str) -> str:
    return form.format(sign=opening[0], code=ord(opening[0])) + opening[1:]


class GitHubFormat(CIFormat):
    """GitHub Actions: annotations, the summary of a job, and outputs of a step.

    Commands are lines such as ``::error::TEXT`` or, in the older form, ``##[error]`` anywhere in a
    line:
    https://docs.github.com/actions/reference/workflow-commands-for-github-actions
    """

    variable = ("GITHUB_ACTIONS", "true")
    at_line_start = ("::",)
    anywhere = ("##[",)
    folder = "RUNNER_TEMP"

    def annotation(self, failure: str) -> str:
        escapes = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
        return f"::error title=rouge-cli::{failure.translate(escapes)}"

    def publish(self, table: "Path", files: Mapping[str, "Path"]) -> str:
        """Append to the summary of the job, and to the outputs of the step."""
        outputs = "".join(f"{name}={path}\n" for name, path in files.items())
        for variable, text in (
            ("GITHUB_STEP_SUMMARY", f"## ROUGE\n\n{table.read_text('utf-8')}\n"),
            ("GITHUB_OUTPUT", outputs),
        ):
            # The variable is unset outside of a job.
            if path := os.environ.get(variable):
                with open(path, "a", encoding="utf-8") as file:
                    file.write(text)
        return super().publish(table, files)


class GitLabFormat(CIFormat):
    """GitLab CI/CD: sections of a log. It reads failures from JUnit XML, not from commands.

    Commands open and close sections: https://docs.gitlab.com/ci/jobs/job_logs
    """

    variable = ("GITLAB_CI", "true")
    anywhere = ("section_start:", "section_end:")
    # Artefacts must be in the folder of the project.
    folder = "CI_PROJECT_DIR"

    def publish(self, table: "Path", files: Mapping[str, "Path"]) -> str:
        """Print the table as a collapsible section."""
        clear_line = "\x1b[0K"
        start, end = (
            f"{clear_line}section_{edge}:{time.time():.0f}:rouge\r{clear_line}"
            for edge in ("start", "end")
        )
        return f"{start}ROUGE\n{super().publish(table, files)}{end}\n"


class AzureFormat(CIFormat):
    """Azure Pipelines: issues of a task, the summary of a run, and variables of a step.

    Commands are ``##vso[area.action name=value;...]TEXT`` and ``##[group]``, anywhere in a line:
    https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands
    """

    variable = ("TF_BUILD", "True")
    anywhere = ("##vso[", "##[")
    folder = "AGENT_TEMPDIRECTORY"
    # Of texts and properties. The agent decodes the percent sign last.
    escapes = str.maketrans({"%": "%AZP25", "\r": "%0D", "\n": "%0A", ";": "%3B", "]": "%5D"})

    def annotation(self, failure: str) -> str:
        return f"##vso[task.logissue type=error]rouge-cli: {failure.translate(self.escapes)}"

    def publish(self, table: "Path", files: Mapping[str, "Path"]) -> str:
        """Add the table to the summary of the run, and set a variable for each file."""
        commands = [f"##vso[task.uploadsummary]{str(table).translate(self.escapes)}\n"]
        for name, path in files.items():
            properties = f"variable={name.translate(self.escapes)};isOutput=true"
            value = str(path).translate(self.escapes)
            commands.append(f"##vso[task.setvariable {properties}]{value}\n")
        return super().publish(table, files) + "".join(commands)


FORMATS: Mapping[str, CIFormat] = {
    "github": GitHubFormat(),
    "gitlab": GitLabFormat(),
    "azure": AzureFormat(),
}


def ci_format(environ: Mapping[str, str]) -> CIFormat:
    """Return the format of the system that runs this job, or the base if there is none."""
    for ci in FORMATS.values():
        variable, value = ci.variable
        if environ.get(variable) == value:
            return ci
    return CIFormat()
