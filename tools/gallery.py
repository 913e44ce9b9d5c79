"""Reproduce published tables from public outputs: ``make gallery DATA=FOLDER``.

No licence allows copying the outputs, so FOLDER has clones of the repositories that `GALLERY`
names, under their names. Missing files are skipped with a message; a wrong digest or wrong numbers
end with exit code 1.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

SETTING, ORDER = "ROUGE-1.5.5 -m", "numbers-from-0"
"""The order in which programs list files that are numbered from 0."""


class Table(NamedTuple):
    """A published row, and where its outputs are.

    - `source`: repository and commit.
    - `folder`: below DATA, where the files are.
    - `outputs`, `references`: the files, a text a line, and the SHA-256 of each.
    - `published`: F1 in percent.
    """

    name: str
    source: str
    folder: str
    outputs: tuple[str, str]
    references: tuple[str, str]
    published: str


GALLERY = (
    Table(
        "SimCLS on CNN/DM",
        "github.com/yixinL7/SimCLS 1f08d26",
        "SimCLS/output",
        ("test.cnndm.ours", "00a416aabff3e49ab3acb402b31b16e59906a8a089a92e01b75584c791cb8a9c"),
        (
            "test.cnndm.reference",
            "7eee2b1c1b7421facb5c9578e6a530346738dd9ded8f3863e1a47db0c9d20570",
        ),
        "ROUGE-1=46.67 ROUGE-2=22.15 ROUGE-L=43.54",
    ),
    Table(
        "SimCLS on XSum",
        "github.com/yixinL7/SimCLS 1f08d26",
        "SimCLS/output",
        ("test.xsum.ours", "2ba0a00b10a0bfa72ea5f0716189220de746c44b6b3855b53b84dcc3fa2462c0"),
        ("test.xsum.reference", "0779983977c55fc541a74cda09373b2cef2cd9f75d3bacd4a2610782bffb1168"),
        "ROUGE-1=47.61 ROUGE-2=24.57 ROUGE-L=39.44",
    ),
    Table(
        "BRIO on XSum",
        "github.com/yixinL7/BRIO bdb7a02",
        "BRIO/output",
        (
            "xsum.test.ours.out.tokenized",
            "46b9bc5e6a8d9cc3b95fe506a7f360983f5079964fa313ad7e1486f4240fbf57",
        ),
        (
            "xsum.test.reference.tokenized",
            "ebf4d080625d1885a17ccfbcbb2c3179df2ad2e0d15adafb5986634c8d96195b",
        ),
        "ROUGE-1=49.07 ROUGE-2=25.59 ROUGE-L=40.40",
    ),
)


def main(words: Sequence[str], gallery: Sequence[Table] = GALLERY) -> int:
    """Reproduce the tables whose outputs are in a folder; return the exit code."""
    if len(words) != 1 or not words[0]:
        print("Skipped: name a folder with the outputs: make gallery DATA=FOLDER")
        return 0
    return max([_reproduce(table, Path(words[0])) for table in gallery])


def _reproduce(table: Table, data: Path) -> int:
    """Reproduce a table and report it; return 1 if its numbers differ."""
    files = [data / table.folder / name for name, _ in (table.outputs, table.references)]
    for file, (_, digest) in zip(files, (table.outputs, table.references), strict=True):
        if not file.is_file():
            print(f"{table.name}: skipped, no {file}; it is in {table.source}")
            return 0
        if (found := sha256(file.read_bytes()).hexdigest()) != digest:
            print(f"{table.name}: {file} has SHA-256 {found}, expected {digest}")
            return 1
    command = ["identify", "--peer-lines", f"ours={files[0]}", "--model-lines", str(files[1])]
    command += ["--sentences", "punkt", "--order", ORDER, "--report", "json"]
    command += ["--published", table.published]
    finished = subprocess.run(
        [sys.executable, "-m", "rouge_cli", *command], check=True, capture_output=True
    )
    for group in json.loads(finished.stdout)["consistent"]:
        for setting in group["settings"]:
            if setting["setting"] == SETTING and setting["match"] == f"exact in the order {ORDER}":
                values = " / ".join(f"{100 * value:.3f}" for value in setting["values"])
                print(f"{table.name}: {table.published}; reproduced: {values}")
                return 0
    print(f"{table.name}: {table.published} does not come out")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
