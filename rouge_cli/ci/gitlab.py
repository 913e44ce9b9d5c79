"""GitLab CI/CD: sections of a log. Failures have no command; JUnit's XML shows them.

https://docs.gitlab.com/ci/jobs/job_logs
"""

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from rouge_cli.ci import CIFormat

if TYPE_CHECKING:
    from pathlib import Path

CLEAR_LINE = "\x1b[0K"


class Format(CIFormat):
    """Commands open and close sections of the log."""

    anywhere = ("section_start:", "section_end:")
    # Only what is in the project's folder can be an artefact.
    folder = "CI_PROJECT_DIR"

    def publish(self, table: "Path", files: Mapping[str, "Path"]) -> str:
        """Make the table a section that can be collapsed."""
        text = super().publish(table, files)
        return f"{_mark('start')}ROUGE\n{text}{_mark('end')}\n"


def _mark(end: str) -> str:
    """Return what opens or closes the section."""
    return f"{CLEAR_LINE}section_{end}:{time.time():.0f}:rouge\r{CLEAR_LINE}"
