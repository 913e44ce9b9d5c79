"""Make a home, whole or not at all: written under another name, tried, and renamed."""

import os

from rouge_cli.atomic_files import output_errors
from rouge_cli.atomic_folders import folder_problem, new_folder, write_new
from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped
from rouge_cli.shim.contents import MARK, SCRIPT, check_script, home_files

__all__ = ["install_home"]

FILE_MODE, SCRIPT_MODE = 0o666, 0o777
"""Less what the user's mask takes away."""


def install_home(path: str, python: str) -> str:
    """Write a home; an earlier one of rouge-cli is renewed.

    Parameters
    ----------
    path : str
        The folder: new, empty, or an earlier home.
    python : str
        Path of the Python whose rouge-cli is run.

    Returns
    -------
    str
        Where it is: an absolute path, escaped where it would break a line.

    Raises
    ------
    InputError
        If it cannot be written or would not start; the folder is then as it was before.
    """
    with output_errors(path):
        problem = _problem(path)
    if problem:
        raise InputError(f"{escaped(path)}: {problem}")
    with new_folder(path, renews=True) as draft:
        for name, content in home_files(python).items():
            place = os.path.join(draft, *name.split("/"))
            os.makedirs(os.path.dirname(place), exist_ok=True)
            write_new(place, content, SCRIPT_MODE if name == SCRIPT else FILE_MODE)
        try:
            check_script(os.path.join(draft, SCRIPT), python)
        except InputError as error:
            raise InputError([f"{escaped(path)}: {one}" for one in error.problems]) from None
    return escaped(os.path.realpath(path))


def _problem(path: str) -> str | None:
    """Return why there can be no home, in a few words; None if there can, as far as one sees."""
    if not path:
        return "no name; name a folder"
    target = os.path.realpath(path)
    if not _is_home(target):
        return folder_problem(target)
    if others := _other_files(target):
        names = ", ".join(map(escaped, others))
        return f"holds more than install-shim writes: {names}; move it away, or name a new folder"
    here = os.path.realpath(os.curdir)
    if os.path.commonpath([here, target]) == target:
        return "the working directory, or around it; go elsewhere, as it is replaced"
    return None


def _is_home(target: str) -> bool:
    """Say whether a folder holds a script of ours."""
    try:
        with open(os.path.join(target, SCRIPT), "rb") as file:
            file.readline()
            return file.readline().startswith(MARK)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return False


def _other_files(target: str) -> list[str]:
    """Return what is in a home that does not belong there; folders with nothing in them do."""
    found = [
        os.path.relpath(path, target).replace(os.sep, "/")
        for folder, folders, files in os.walk(target)
        for path in (os.path.join(folder, name) for name in (*folders, *files))
        if os.path.islink(path) or not os.path.isdir(path)
    ]
    return sorted(set(found) - home_files("").keys())
