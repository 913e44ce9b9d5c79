"""Find binaries in the history: whatever was committed once is cloned forever, even after removal.

Checks every version of every file in all commits of this clone, and the staged files.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

MAX_BYTES = 500_000
"""The largest text here, the WordNet exceptions, has 127,000 bytes."""

BUILT = frozenset(
    {*(".a", ".dll", ".dylib", ".egg", ".exe", ".jar", ".o", ".obj", ".pyc", ".pyd", ".so")}
    | {*(".7z", ".bz2", ".whl", ".xz", ".zip")}
)
"""Suffixes of files left behind by builds and downloads."""

ACCEPTED = frozenset(
    {
        "4da62f85ab9e5ec494d57a637787766a4755027c",  # numpy-2.4.6...whl, 16.9 MB
        "a37034664afed8fba46041ebedb287e47a721577",  # krippendorff-0.9.0...whl, 19 kB
    }
)
"""Wheels that got in before this check. Removing them would rewrite published commits."""


def run_git(folder: Path, *arguments: str, given: str | None = None) -> str:
    """Run git in a folder and return what it prints; raises CalledProcessError."""
    finished = subprocess.run(
        ["git", "-c", "core.quotePath=false", *arguments],
        cwd=folder,
        input=given,
        capture_output=True,
        check=True,
        encoding="utf-8",
        errors="replace",
    )
    return finished.stdout


def stored_files(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the object ID and the path of every version of a file, committed or staged."""
    for line in run_git(folder, "rev-list", "--objects", "--all", "HEAD").splitlines():
        object_id, _, path = line.partition(" ")
        yield object_id, path
    for line in run_git(folder, "ls-files", "--stage").splitlines():
        description, _, path = line.partition("\t")
        yield description.split()[1], path


def find_binaries(folder: Path) -> list[str]:
    """Return a line for each file that is too large or was built."""
    paths = {object_id: path for object_id, path in stored_files(folder) if path}
    sizes = run_git(folder, "cat-file", "--batch-check", given="\n".join(paths))
    lines = []
    for line in sizes.splitlines():
        object_id, kind, *size = line.split()
        if kind != "blob" or object_id in ACCEPTED:
            continue
        path, n_bytes = paths[object_id], int(size[0])
        if n_bytes > MAX_BYTES or Path(path).suffix in BUILT:
            lines.append(f"{path}: {n_bytes} bytes (object {object_id[:12]})")
    return sorted(lines)


def main() -> None:
    """Check the repository of this file; end with 1 if it holds binaries."""
    root = Path(__file__).resolve().parent.parent
    if not (root / ".git").exists():
        return
    if lines := find_binaries(root):
        print("Binaries or large files in commits, or staged:", *lines, sep="\n  ")
        print(
            f"Expected: text of at most {MAX_BYTES} bytes. Unstage the file, or take it out of the "
            "commits that carry it (git rebase --interactive) before they are pushed."
        )
        sys.exit(1)


if __name__ == "__main__":
    main()
