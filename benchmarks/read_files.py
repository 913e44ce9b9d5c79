"""Read texts and split them into words, as the yardstick for whole commands.

This is the least that a Python program has to do before it can score anything, with the cheapest
calls available. Run as ``python read_files.py list FILE``, ``lines FILE ...``,
``jsonl FILE`` or ``csv FILE``; as ``parse FILE`` it only parses a JSONL or Parquet file, and splits
nothing.
"""

import io
import os
import sys
from collections.abc import Iterable, Iterator


def content(path: str | bytes) -> bytes:
    """Return the bytes of a file on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    parts = []
    while part := os.read(descriptor, 1 << 20):
        parts.append(part)
        if len(part) < 1 << 12:
            break
    os.close(descriptor)
    return b"".join(parts)


def records(kind: str, text: str) -> Iterator[dict[str, str]]:
    """Yield the records of a file."""
    if kind == "csv":
        import csv

        yield from csv.DictReader(io.StringIO(text, newline=""))
    else:
        import json

        yield from map(json.loads, text.splitlines())


def texts(kind: str, paths: Iterable[str]) -> Iterator[bytes | str]:
    """Yield the texts that a file list names, or that stand in line files or records."""
    for path in paths:
        if kind == "list":
            yield from map(content, content(path).split())
        elif kind == "lines":
            yield from content(path).split(b"\n")
        else:
            for record in records(kind, content(path).decode()):
                yield record["prediction"]
                yield record["reference"]


def n_parsed(path: str) -> int:
    """Parse each record of a JSONL or Parquet file, and return how many there are."""
    if path.endswith(".parquet"):
        import pyarrow.parquet

        return int(pyarrow.parquet.read_table(path, use_threads=False).num_rows)
    import json

    with open(path, "rb") as lines:
        return sum(1 for _ in map(json.loads, lines))


def main(kind: str, *paths: str) -> None:
    """Print how many words the texts have, or how many records were parsed."""
    if kind == "parse":
        print(*map(n_parsed, paths))
        return
    print(sum(len(text.split()) for text in texts(kind, paths)))


if __name__ == "__main__":
    main(*sys.argv[1:])
