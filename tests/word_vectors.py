"""Tables of word vectors, written in every format."""

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

Table = Mapping[str, Sequence[float]]

FORMATS = ("glove.txt", "word2vec.txt", "word2vec.bin", "c-word2vec.bin", "fasttext.vec")


def write_table(folder: Path, form: str, table: Table) -> Path:
    size = len(next(iter(table.values())))
    header = f"{len(table)} {size}\n".encode()
    path = folder / form
    if form.endswith(".bin"):
        # The program word2vec ends a row with a newline, other writers do not.
        end = b"\n" if form.startswith("c-") else b""
        rows = [
            word.encode() + b" " + struct.pack(f"<{size}f", *numbers) + end
            for word, numbers in table.items()
        ]
    else:
        end = b" \n" if form.endswith(".vec") else b"\n"
        rows = [
            f"{word} {' '.join(map(str, numbers))}".encode() + end
            for word, numbers in table.items()
        ]
    path.write_bytes((b"" if form.startswith("glove") else header) + b"".join(rows))
    return path
