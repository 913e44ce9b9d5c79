"""A step of a job on a CI system: ``python -P -m rouge_cli.integrations.ci_step``.

It runs ``rouge-cli`` with the arguments in the variable ``ROUGE_ARGUMENTS``. Then it publishes the
table, and the paths of a page and a JSON report, in the format of the system: see `rouge_cli.ci`.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from rouge_cli.ci import ci_format

ARGUMENTS = "ROUGE_ARGUMENTS"
REPORTS = {"scores": ("json", "rouge.json"), "page": ("html", "rouge.html")}
"""The kind and the file of the report for each output of the step."""

USAGE = 2


def main() -> int:
    """Run the command, publish its reports, and return its exit code."""
    ci = ci_format(os.environ)
    try:
        # Arguments copied from a shell may continue a line with a backslash.
        arguments = shlex.split(re.sub(r"\\\r?\n", " ", os.environ.get(ARGUMENTS, "")))
    except ValueError as error:
        sys.stderr.write(f"{ci.annotation(f'arguments: {error}')}\n")
        return USAGE
    # Each step has its own folder, which later steps can read.
    folder = Path(tempfile.mkdtemp(prefix="rouge-", dir=os.environ.get(ci.folder) or None))
    table = folder / "rouge.md"
    files = {name: folder / file for name, (_, file) in REPORTS.items()}
    reports = [f"--report={REPORTS[name][0]}={path}" for name, path in files.items()]
    reports.append(f"--report=markdown={table}")
    # -P: nothing is imported from the working directory, which may be that of a pull request.
    command = [sys.executable, "-P", "-m", "rouge_cli", *arguments, *reports]
    code = subprocess.run(command, check=False).returncode
    # There is a table even if scores miss their requirements, but not after an error.
    if table.exists():
        sys.stdout.buffer.write(ci.publish(table, files).encode())
    return code


if __name__ == "__main__":
    sys.exit(main())
