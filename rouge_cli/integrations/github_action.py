"""The step of the GitHub Action: ``python -P -m rouge_cli.integrations.github_action``.

It runs the command line of ``ROUGE_ARGUMENTS``; failures are annotations, as always on GitHub. The
table is printed and becomes the summary of the job. The paths of a page and of a JSON report are
outputs.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ARGUMENTS, SUMMARY, OUTPUT = "ROUGE_ARGUMENTS", "GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"
TEMPORARY = "RUNNER_TEMP"
REPORTS = {"scores": ("json", "rouge.json"), "page": ("html", "rouge.html")}
"""Output of the action to the report that it is, and its file."""

USAGE = 2


def main() -> int:
    """Run, write the summary and the outputs, and return the exit code of the run."""
    try:
        # Arguments copied from a shell may continue a line with a backslash.
        arguments = shlex.split(re.sub(r"\\\r?\n", " ", os.environ.get(ARGUMENTS, "")))
    except ValueError as error:
        sys.stderr.write(f"::error::arguments: {error}\n")
        return USAGE
    # Each step has its own folder, which later steps can read.
    folder = Path(tempfile.mkdtemp(prefix="rouge-", dir=os.environ.get(TEMPORARY) or None))
    table = folder / "rouge.md"
    files = {name: folder / file for name, (_, file) in REPORTS.items()}
    reports = [f"--report={REPORTS[name][0]}={path}" for name, path in files.items()]
    command = [
        sys.executable,
        # The folder may be that of a pull request: no module in it is run.
        "-P",
        "-m",
        "rouge_cli",
        *arguments,
        *reports,
        f"--report=markdown={table}",
    ]
    code = subprocess.run(command, check=False).returncode
    # Only a run that has scores writes a table, even if they are too low.
    if table.exists():
        text = table.read_text("utf-8")
        _append(SUMMARY, f"## ROUGE\n\n{text}\n")
        _append(OUTPUT, "".join(f"{name}={path}\n" for name, path in files.items()))
        sys.stdout.buffer.write(text.encode())
    return code


def _append(variable: str, text: str) -> None:
    """Append to the file that a variable of the runner names, if it is set."""
    if path := os.environ.get(variable):
        with open(path, "a", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    sys.exit(main())
