"""The stored runs of the original: what ``data/selftest/runs.tar.gz`` holds.

``README.md`` beside that file says how it is made.
"""

import hashlib
import os.path
import zlib
from collections.abc import Mapping

from rouge_cli.data import FOLDER, read_data
from rouge_cli.errors import RougeError
from rouge_cli.quick_dataclass import dataclass

__all__ = ["ARCHIVE", "StoredRun", "StoredRuns", "StoredRunsError", "read_stored"]

ARCHIVE = os.path.join(FOLDER, "selftest", "runs.tar.gz")

CONTENT_SHA256 = "9dd44d97f7e037d1ff374ef89a7382a8fffd3ccddc932112a5c3ecfcd492689a"
"""Of the archive before compression, which does not depend on the compressor."""

INPUTS = "corpora/"


class StoredRunsError(RougeError):
    """The stored runs are missing or damaged, or there is no place to run them in."""


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run of the original.

    Parameters
    ----------
    folder : str
        The working directory of the run, as the names in `StoredRuns.inputs` begin.
    letters : str
        The letters of its options.
    input : str
        Layout and format of its input, such as ``XML, SEE``.
    expected : bytes
        What the original printed.
    """

    id: str
    folder: str
    arguments: tuple[str, ...]
    letters: str
    input: str
    expected: bytes


@dataclass(frozen=True, slots=True)
class StoredRuns:
    """All that is stored.

    Parameters
    ----------
    inputs : mapping of str to bytes
        Files that the runs read; names with ``/``.
    stems : tuple of (bytes, bytes)
        A token and the stem that the original made of it.
    """

    runs: tuple[StoredRun, ...]
    inputs: Mapping[str, bytes]
    stems: tuple[tuple[bytes, bytes], ...]


def read_stored(path: str = ARCHIVE) -> StoredRuns:
    """Read the stored runs.

    Raises
    ------
    StoredRunsError
        If the file is missing or is not the one that belongs to this version.
    """
    files = _unpacked(_content(path))
    stems = tuple(
        (token, stem)
        for token, _, stem in (line.partition(b"\t") for line in files["stems.tsv"].splitlines())
    )
    inputs = {name: data for name, data in files.items() if name.startswith(INPUTS)}
    return StoredRuns(_runs(files), inputs, stems)


def _content(path: str) -> bytes:
    """Return the archive, decompressed and checked."""
    import gzip

    advice = "install rouge-cli anew"
    try:
        content = gzip.decompress(read_data(path))
    except (EOFError, OSError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise StoredRunsError(
            f"{path}: the stored runs cannot be read: {reason}; {advice}"
        ) from None
    found = hashlib.sha256(content).hexdigest()
    if found != CONTENT_SHA256:
        raise StoredRunsError(
            f"{path}: not the stored runs of this version: SHA-256 of the content is {found}, "
            f"expected {CONTENT_SHA256}; {advice}"
        )
    return content


def _unpacked(content: bytes) -> dict[str, bytes]:
    """Return the files of the archive by name."""
    import io
    import tarfile

    with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as archive:
        return {
            member.name: stream.read()
            for member in archive
            if (stream := archive.extractfile(member)) is not None
        }


def _runs(files: Mapping[str, bytes]) -> tuple[StoredRun, ...]:
    """Return the runs, each with what it printed."""
    import json

    listed = [json.loads(line) for line in files["cases.jsonl"].splitlines()]
    return tuple(
        StoredRun(
            one["id"],
            one["cwd"],
            tuple(one["args"]),
            one["letters"],
            one["input"],
            files[f"expected/{one['id']}.out"],
        )
        for one in listed
    )
