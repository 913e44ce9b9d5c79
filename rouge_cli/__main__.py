"""``python -m rouge_cli`` is ``rouge-cli``."""

import os
import sys

PLACE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
"""The folder in which this package was found: in a copy of the project, the working folder."""


def leave_working_folder() -> None:
    """Remove the working folder from the path, where Python's option -m puts it first.

    Modules that were imported before this call may have come from there; only ``python -P`` avoids
    that.
    """
    try:
        here = os.getcwd()
    except OSError:
        # The working folder was removed, so it is not in the path.
        return
    if not sys.flags.safe_path and sys.path[:1] == [here] and here != PLACE:
        del sys.path[0]


if __name__ == "__main__":
    leave_working_folder()
    from rouge_cli.cli.entry import main

    main()
