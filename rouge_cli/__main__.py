"""``python -m rouge_cli`` is ``rouge-cli``."""

import os
import sys

PLACE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
"""Where this package was found: the working folder, in a copy of the project."""


def leave_working_folder() -> None:
    """Import nothing more from the working folder, which Python's -m puts first in the path.

    What Python and `rouge_cli` have imported before came from there: only ``python -P`` helps.
    """
    try:
        here = os.getcwd()
    except OSError:
        # It was removed, and thus is not in the path.
        return
    if not sys.flags.safe_path and sys.path[:1] == [here] and here != PLACE:
        del sys.path[0]


if __name__ == "__main__":
    leave_working_folder()
    from rouge_cli.cli.entry import main

    main()
