"""Make a home, whole or not at all: written under another name, tried, and renamed."""

import os
import shutil
from collections.abc import Mapping
from secrets import token_hex

from rouge_cli.conversion.tree import folder_problem
from rouge_cli.errors import InputError, shown
from rouge_cli.shim.files import SCRIPT, home_files
from rouge_cli.shim.script import MARK, check_script

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
    try:
        target = os.path.realpath(path)
        if problem := _problem(path, target):
            raise InputError(problem)
        draft = os.path.join(os.path.dirname(target), f".rouge-cli-{token_hex(8)}")
        try:
            _write(draft, home_files(python))
            check_script(os.path.join(draft, SCRIPT), python)
            _put_in_place(draft, target)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
        return shown(target)
    except OSError as error:
        raise InputError(f"{shown(path)}: cannot be written: {error.strerror}") from None
    except InputError as error:
        raise InputError([f"{shown(path)}: {one}" for one in error.problems]) from None


def _problem(path: str, target: str) -> str | None:
    """Return why there can be no home, in a few words; None if there can, as far as one sees."""
    if not path:
        return "no name; name a folder"
    if not _is_home(target):
        return folder_problem(target)
    if others := _other_files(target):
        names = ", ".join(map(shown, others))
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


def _write(folder: str, files: Mapping[str, bytes]) -> None:
    """Write the files into a new folder."""
    os.mkdir(folder)
    for name, content in files.items():
        path = os.path.join(folder, *name.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        mode = SCRIPT_MODE if name == SCRIPT else FILE_MODE
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(path, flags, mode), "wb") as file:
            file.write(content)


def _put_in_place(draft: str, target: str) -> None:
    """Rename a folder to one that may be there; that one comes back if it fails."""
    old = f"{draft}-old"
    try:
        if os.path.isdir(target):
            os.rename(target, old)
        os.rename(draft, target)
    except BaseException:
        if os.path.isdir(old):
            os.rename(old, target)
        raise
    shutil.rmtree(old, ignore_errors=True)
