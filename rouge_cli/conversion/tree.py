"""New folders and files, whole or not at all: written under another name, and renamed."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from secrets import token_hex
from typing import BinaryIO

from rouge_cli.errors import InputError

__all__ = ["folder_problem", "new_file", "new_folder"]

DIRECT_PLACES = ("/dev/", "/proc/")
"""A file below these may be one that a shell holds open, which must not be replaced."""


def folder_problem(path: str) -> str | None:
    """Return why a folder cannot be made, in a few words; None if it can, as far as one can see.

    Parameters
    ----------
    path : str
        New, or an empty folder.
    """
    if os.path.isdir(path):
        if os.listdir(path):
            return "a folder that is not empty; name a new one"
        if os.path.samefile(path, os.curdir):
            return "the working directory; name a folder in it"
    elif os.path.lexists(path):
        return "not a folder; name a new one"
    parent = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(parent):
        return f"no folder {parent!r}; make it first"
    if not os.access(parent, os.W_OK | os.X_OK):
        return f"no permission to make folders in {parent!r}"
    return None


@contextmanager
def new_folder(path: str) -> Iterator[str]:
    """Make a folder, in which all is there or which is not there.

    Parameters
    ----------
    path : str
        New, or an empty folder.

    Yields
    ------
    str
        The folder to write into.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    target = os.path.realpath(path)
    draft = _draft_name(target)
    with _told(path):
        os.mkdir(draft)
        try:
            yield draft
            if os.path.isdir(target):
                os.rmdir(target)
            os.rename(draft, target)
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise


@contextmanager
def new_file(path: str) -> Iterator[BinaryIO]:
    """Write a file that takes the place of `path` at the end.

    Parameters
    ----------
    path : str
        A file there is replaced, its permissions are kept; a pipe or a device is written to.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    target = os.path.realpath(path)
    with _told(path):
        if _is_written_through(path):
            with open(path, "ab") as file:
                yield file
            return
        draft = _draft_name(target)
        try:
            with open(draft, "xb") as file:
                yield file
            if os.path.exists(target):
                shutil.copymode(target, draft)
            os.replace(draft, target)
        except BaseException:
            if os.path.exists(draft):
                os.unlink(draft)
            raise


@contextmanager
def _told(path: str) -> Iterator[None]:
    """Say which output cannot be written."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None


def _draft_name(target: str) -> str:
    """Return a name beside the target that nothing has."""
    folder, name = os.path.split(target)
    return os.path.join(folder, f".{name[:40]}.{token_hex(4)}")


def _is_written_through(path: str) -> bool:
    """Say whether a path is no file to replace: a pipe, a device."""
    is_no_file = os.path.exists(path) and not os.path.isfile(path)
    return is_no_file or os.path.abspath(path).startswith(DIRECT_PLACES)
