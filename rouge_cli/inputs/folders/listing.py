"""List the texts in a folder: by name alone, nothing in them is read.

Hidden files and folders, whose names begin with a dot, are left out at every level. Only files are
texts: folders, pipes, sockets and devices are not.
"""

import os
from collections.abc import Iterator

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.folders.pairing import byte_key
from rouge_cli.quick_dataclass import dataclass

__all__ = ["Listing", "list_texts"]

HERE = "."
EXAMPLE_COUNT = 3


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """What is in a folder.

    Parameters
    ----------
    folder : str
        As the user wrote it; empty for the working directory.
    texts : tuple of str
        Names of the files, relative to the folder, with ``/``; in byte order.
    folders : tuple of str
        Names of the folders that were not looked into.
    """

    folder: str
    texts: tuple[str, ...]
    folders: tuple[str, ...]

    @property
    def description(self) -> str:
        """Some words on what is there, for messages."""
        names = self.texts or tuple(f"{name}/" for name in self.folders)
        if not names:
            return "it has no files"
        more = ", ..." if len(names) > EXAMPLE_COUNT else ""
        return f"it has {', '.join(map(escaped, names[:EXAMPLE_COUNT]))}{more}"


def list_texts(folder: str, depth: int) -> Listing:
    """List a folder.

    Raises InputError if there is no such folder, or one of the folders cannot be read.

    Parameters
    ----------
    folder : str
        Empty for the working directory.
    depth : int
        How many levels to look into: 1 for the folder alone. So links in a circle come to an end.
    """
    texts: list[str] = []
    folders: list[str] = []
    waiting = [("", 1)]
    while waiting:
        prefix, level = waiting.pop()
        for name, is_folder in _entries(folder + prefix):
            if not is_folder:
                texts.append(prefix + name)
            elif level < depth:
                waiting.append((f"{prefix}{name}/", level + 1))
            else:
                folders.append(prefix + name)
    return Listing(folder, tuple(sorted(texts, key=byte_key)), tuple(sorted(folders, key=byte_key)))


def _entries(folder: str) -> Iterator[tuple[str, bool]]:
    """Yield the name of each text and each folder, and whether it is a folder."""
    try:
        with os.scandir(folder or HERE) as entries:
            found = list(entries)
    except FileNotFoundError:
        raise InputError(f"{escaped(folder)}: no such folder") from None
    except NotADirectoryError:
        raise InputError(f"{escaped(folder)}: a file, not a folder") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{escaped(folder or HERE)}: cannot be listed: {reason.lower()}") from None
    for entry in found:
        if entry.name.startswith("."):
            continue
        is_folder = _is_folder(entry)
        if is_folder or _is_text(entry):
            yield entry.name, is_folder


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    """Say whether an entry is a folder or a link to one."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def _is_text(entry: "os.DirEntry[str]") -> bool:
    """Say whether what is no folder is a file; a link to nothing is one that cannot be read."""
    try:
        return entry.is_file() or not os.path.exists(entry.path)
    except OSError:
        return True
