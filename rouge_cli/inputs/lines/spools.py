"""Line files that cannot be read twice, or not as they are, as plain files for a while."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from rouge_cli.atomic_folders import temporary_folder
from rouge_cli.errors import InputError
from rouge_cli.inputs.decoding import Decoder
from rouge_cli.inputs.files import STANDARD_INPUT, input_name, is_compressed
from rouge_cli.inputs.streams import open_input

__all__ = ["plain_files"]

CHUNK = 1 << 20
EXPECTED = "a text a line"
ADVICE = (
    "give the encoding of the file with --encoding, or leave --encoding out to take its bytes as "
    "they are"
)

# Names there mean another file in another process, or none.
OWN_TO_PROCESS = ("/dev/", "/proc/")


@contextmanager
def plain_files(paths: Iterable[str], encoding: str | None) -> Iterator[dict[str, str]]:
    """Provide regular files with the bytes of line files, decompressed and in UTF-8.

    Raises InputError with what cannot be read, decompressed or decoded, of all paths.

    Parameters
    ----------
    paths : iterable of str
        As the user gave them; ``-`` is standard input.
    encoding : str or None
        Encoding of all; None takes the bytes as they are.

    Yields
    ------
    dict of str to str
        For each path that of a plain file: itself, or one that is removed in the end, whatever
        happens.
    """
    plain = dict.fromkeys(paths)
    other = [path for path in plain if encoding is not None or not _is_plain(path)]
    found = {path: path for path in plain}
    if not other:
        yield found
        return
    with temporary_folder() as folder:
        yield found | _spool_all(other, encoding, Path(folder))


def _is_plain(path: str) -> bool:
    """Return whether a file can be read twice, by any process, and is not compressed."""
    return (
        path != STANDARD_INPUT
        and not is_compressed(path)
        and not path.startswith(OWN_TO_PROCESS)
        and os.path.isfile(path)
    )


def _spool_all(paths: Iterable[str], encoding: str | None, folder: Path) -> dict[str, str]:
    """Copy the content of all paths into a folder; raises InputError."""
    spools: dict[str, str] = {}
    problems: list[str] = []
    for number, path in enumerate(paths):
        spools[path] = str(folder / str(number))
        try:
            _spool(path, encoding, spools[path])
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return spools


def _spool(path: str, encoding: str | None, target: str) -> None:
    """Copy the content of a path into a file; raises InputError."""
    name = input_name(path)
    try:
        with open_input(path, EXPECTED) as source, open(target, "wb") as file:
            file.writelines(_chunks(source, name, encoding))
    except OSError as error:
        raise InputError(
            f"{name}: no copy of it can be written to {os.path.dirname(target)}: {error.strerror}; "
            "set TMPDIR to a folder with more room"
        ) from None


def _chunks(source: BinaryIO, name: str, encoding: str | None) -> Iterator[bytes]:
    """Yield the content of a stream, in UTF-8 if an encoding is given; raises InputError."""
    if encoding is not None:
        for text in Decoder(name, encoding, ADVICE).texts(source):
            yield text.encode("utf-8", "surrogatepass")
        return
    while chunk := source.read(CHUNK):
        yield chunk
        # That is no text, as the index will say; an endless input would fill the disk.
        if b"\0" in chunk:
            return
