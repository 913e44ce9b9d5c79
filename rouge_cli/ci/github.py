"""GitHub Actions: annotations, the summary of a job, and outputs of a step.

https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from rouge_cli.ci import CIFormat

if TYPE_CHECKING:
    from pathlib import Path

ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
SUMMARY, OUTPUT = "GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"


class GitHubFormat(CIFormat):
    """Commands are lines such as ``::error::TEXT``, or in the older form ``##[error]`` anywhere."""

    at_line_start = ("::",)
    anywhere = ("##[",)
    folder = "RUNNER_TEMP"

    def annotation(self, failure: str) -> str:
        """Return the command that annotates the job."""
        return f"::error title=rouge-cli::{failure.translate(ESCAPES)}"

    def publish(self, table: "Path", files: Mapping[str, "Path"]) -> str:
        """Append to the summary of the job, and to the outputs of the step."""
        _append(SUMMARY, f"## ROUGE\n\n{table.read_text('utf-8')}\n")
        _append(OUTPUT, "".join(f"{name}={path}\n" for name, path in files.items()))
        return super().publish(table, files)


def _append(variable: str, text: str) -> None:
    # The variable is unset outside of a job.
    if path := os.environ.get(variable):
        with open(path, "a", encoding="utf-8") as file:
            file.write(text)


FORMAT = GitHubFormat()
