"""Build the source archive and the wheel of the last commit, with the same bytes each time.

    python tools/make_dist.py

Both are written to ``dist``. Every date in them is that of the commit, or ``SOURCE_DATE_EPOCH``.
"""

import gzip
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILE, PROGRAM, FOLDER = 0o644, 0o755, 0o755


def date_of_build() -> str:
    """Return the date of all files, in seconds since 1970."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return given
    log = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    finished = subprocess.run(log, capture_output=True, text=True, check=False)
    if finished.returncode:
        sys.exit("There is no commit here to take the date from: set SOURCE_DATE_EPOCH.")
    return finished.stdout.strip()


def export(folder: Path) -> Path:
    """Copy the last commit, or all files outside a repository; return the copy."""
    copy = folder / "rouge-cli"
    if (ROOT / ".git").exists():
        archive = subprocess.check_output(["git", "-C", str(ROOT), "archive", "HEAD"])
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(copy)
    else:
        made = shutil.ignore_patterns(".venv", "dist", "build", "*.egg-info", "_build", ".work")
        shutil.copytree(ROOT, copy, ignore=made)
    for path in [copy, *copy.rglob("*")]:
        path.chmod(mode_of(path.is_dir(), path.stat().st_mode))
    return copy


def mode_of(is_folder: bool, mode: int) -> int:
    """Return the permissions of a file, whatever the umask of the builder."""
    return FOLDER if is_folder else PROGRAM if mode & 0o100 else FILE


def normalise(archive: Path, date: int) -> None:
    """Rewrite a source archive: files sorted by name, one date, no owners."""
    packed = io.BytesIO()
    with (
        tarfile.open(archive) as before,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as after,
    ):
        for member in sorted(before.getmembers(), key=lambda one: one.name):
            member.mode = mode_of(member.isdir(), member.mode)
            member.mtime, member.uid, member.gid = date, 0, 0
            member.uname = member.gname = ""
            member.pax_headers = {}
            after.addfile(member, before.extractfile(member) if member.isfile() else None)
    with archive.open("wb") as out, gzip.GzipFile("", "wb", 9, out, mtime=date) as file:
        file.write(packed.getvalue())


def run(module: list[str], environment: dict[str, str]) -> None:
    """Run a Python module; show its output only if it fails."""
    command = [sys.executable, "-m", *module]
    finished = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if finished.returncode:
        sys.exit(f"{finished.stdout}{finished.stderr}")


def main() -> None:
    """Build both, check the text for the package index, and name the files."""
    date = date_of_build()
    # The builder creates files too, and the umask determines their permissions.
    os.umask(0o022)
    with tempfile.TemporaryDirectory() as name:
        copy = export(Path(name))
        built = Path(name) / "dist"
        # Without the core the wheel is the same on every machine, and works on all platforms.
        environment = {**os.environ, "SOURCE_DATE_EPOCH": date, "ROUGE_CLI_CORE": "0"}
        run(["build", "--outdir", str(built), str(copy)], environment)
        (archive,) = built.glob("*.tar.gz")
        normalise(archive, int(date))
        run(["twine", "check", "--strict", *map(str, sorted(built.iterdir()))], environment)
        shutil.rmtree(ROOT / "dist", ignore_errors=True)
        shutil.copytree(built, ROOT / "dist")
    for path in sorted((ROOT / "dist").iterdir()):
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
