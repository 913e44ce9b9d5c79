"""Folders that are written whole or not at all: drafts beside their target, synced and renamed."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from rouge_cli.atomic_files import (
    NEW_FILE,
    draft_name,
    output_errors,
    sync,
    sync_above,
    take_after,
    write_all,
)
from rouge_cli.held_signals import signals_held

__all__ = ["folder_problem", "new_folder", "remove_folder", "temporary_folder", "write_new"]

NEW_MODE, PRIVATE_MODE = 0o777, 0o700

FEW_FILES = 16
"""More are synced with everything else that the system holds: one by one takes 2 to 5 ms each."""


def folder_problem(path: str) -> str | None:
    """Return why `new_folder` cannot make a folder; None if it can, as far as one sees."""
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
def new_folder(path: str, *, renews: bool = False) -> Iterator[str]:
    """Make a folder, in which all is there or which is not there.

    Parameters
    ----------
    path : str
        New, or an empty folder.
    renews : bool
        Whether the folder may also be full; all of it is then replaced.

    Yields
    ------
    str
        The folder to write into.

    Raises
    ------
    InputError
        If it cannot be written. What was there before is then as it was, unless the message is that
        the new one is written and may not last.
    """
    with output_errors(path):
        target = os.path.realpath(path)
        draft = draft_name(target)
        found = os.stat(target) if os.path.isdir(target) else None
        try:
            # Within, as a signal may come between it and what follows.
            os.mkdir(draft, NEW_MODE if found is None else PRIVATE_MODE)
            yield draft
            _sync_folders(draft)
            if found is not None:
                take_after(draft, found)
            _put_in_place(draft, target, renews=renews)
        except BaseException:
            remove_folder(draft)
            raise
        sync_above(target)


def write_new(path: str, content: bytes, mode: int) -> None:
    """Write a file in a folder that `new_folder` has made; raises OSError."""
    descriptor = os.open(path, NEW_FILE, mode)
    try:
        write_all(descriptor, content)
    finally:
        os.close(descriptor)


@contextmanager
def temporary_folder() -> Iterator[str]:
    """Provide a private folder in TMPDIR, which is removed whatever happens; raises OSError."""
    import tempfile

    with signals_held():
        # It makes a file at first, to see whether it can.
        parent = tempfile.gettempdir()
    folder = os.path.join(parent, f"rouge-cli-{os.urandom(8).hex()}")
    try:
        os.mkdir(folder, PRIVATE_MODE)
        yield folder
    finally:
        # A signal in the middle would leave the rest of it.
        with signals_held():
            remove_folder(folder)


def remove_folder(path: str) -> None:
    """Remove a folder with all that is in it, as far as the system allows; raises nothing.

    `shutil.rmtree` gives up a folder at the first call that fails, so it is not relied upon.
    """
    with suppress(OSError):
        shutil.rmtree(path, ignore_errors=True)
    for folder, folders, files in os.walk(path, topdown=False):
        for name in files:
            with suppress(OSError):
                os.unlink(os.path.join(folder, name))
        for name in folders:
            with suppress(OSError):
                os.rmdir(os.path.join(folder, name))
    with suppress(OSError):
        os.rmdir(path)


def _put_in_place(draft: str, target: str, *, renews: bool) -> None:
    """Rename a folder to one that may be there, and that comes back if it fails."""
    is_swapped = os.path.isdir(target) and (os.name != "posix" or (renews and os.listdir(target)))
    if not is_swapped:
        # POSIX lets a folder take the place of an empty one in one step.
        os.rename(draft, target)
        return
    old = f"{draft}.old"
    try:
        os.rename(target, old)
        os.rename(draft, target)
    finally:
        if not os.path.lexists(target):
            os.rename(old, target)
        elif renews:
            remove_folder(old)
        else:
            # Empty, unless somebody has just put something into it.
            with suppress(OSError):
                os.rmdir(old)


def _sync_folders(top: str) -> None:
    """Bring a folder and all that is in it to the disk."""
    folders, files = [], []
    for folder, _, names in os.walk(top):
        folders.append(folder)
        files += [os.path.join(folder, name) for name in names]
    if len(files) > FEW_FILES and hasattr(os, "sync"):
        os.sync()
    else:
        for path in (*files, *reversed(folders)):
            sync(path)
