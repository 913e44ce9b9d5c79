"""GitLab CI/CD: sections of a log. It has no command for failures, which it reads from JUnit XML.

https://docs.gitlab.com/ci/jobs/job_logs
"""

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from rouge_cli.ci import CIFormat

if TYPE_CHECKING:
    from pathlib import Path

CLEAR_LINE = "\x1b[0K"


class GitLabFormat(CIFormat):
    """Commands open and close sections of the log."""

    anywhere = ("section_start:", "section_end:")
    # Artefacts must be in the folder of the project.
    folder = "CI_PROJECT_DIR"

    def publish(self, table: "Path", files: Mapping[str, "Path"]) -> str:
        """Print the table as a collapsible section."""
        text = super().publish(table, files)
        return f"{_mark('start')}ROUGE\n{text}{_mark('end')}\n"


def _mark(end: str) -> str:
    return f"{CLEAR_LINE}section_{end}:{time.time():.0f}:rouge\r{CLEAR_LINE}"


FORMAT = GitLabFormat()
