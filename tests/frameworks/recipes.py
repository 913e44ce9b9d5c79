"""Run the examples of the page on frameworks, in the environment of one: ``python recipes.py``.

Only those run whose framework is installed. Prints how many there were, and fails if one of them
does not print what the page shows.
"""

import sys
import tempfile
from pathlib import Path

from tools.examples import ROOT, run_examples

PAGE = ROOT / "docs" / "guide" / "frameworks.md"


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        finished = run_examples(PAGE, Path(folder))
    wrong = [result.output for example, result in finished if not result.is_as_shown(example)]
    sys.stdout.write("\n".join([*wrong, str(len(finished))]) + "\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
