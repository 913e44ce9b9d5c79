"""Azure Pipelines: issues of a task, the summary of a run, and variables of a step.

https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rouge_cli.ci import CIFormat

if TYPE_CHECKING:
    from pathlib import Path

# Escapes in texts and properties. The agent decodes the percent sign last.
ESCAPES = str.maketrans({"%": "%AZP25", "\r": "%0D", "\n": "%0A", ";": "%3B", "]": "%5D"})


class AzureFormat(CIFormat):
    """Commands are ``##vso[area.action name=value;...]TEXT`` and ``##[group]``; read anywhere."""

    anywhere = ("##vso[", "##[")
    folder = "AGENT_TEMPDIRECTORY"

    def annotation(self, failure: str) -> str:
        """Return the command that reports an issue of the task."""
        return _command("task.logissue type=error", f"rouge-cli: {failure}")

    def publish(self, table: "Path", files: Mapping[str, "Path"]) -> str:
        """Add the table to the summary of the run, and set a variable for each file."""
        commands = [_command("task.uploadsummary", str(table))]
        for name, path in files.items():
            properties = f"variable={name.translate(ESCAPES)};isOutput=true"
            commands.append(_command(f"task.setvariable {properties}", str(path)))
        return super().publish(table, files) + "".join(f"{line}\n" for line in commands)


def _command(action: str, text: str) -> str:
    return f"##vso[{action}]{text.translate(ESCAPES)}"


FORMAT = AzureFormat()
