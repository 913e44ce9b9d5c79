"""Change branches one at a time, and list the changes that no test notices.

A branch is the condition of an ``if``, a ``while``, a conditional expression or a comprehension; a
comparison; an ``and`` or ``or``. It is negated, shifted by one (``<`` to ``<=``), or exchanged.
First all tests run, to record which of them runs which line. Then, for each change, the tests of
its line run in a copy of the project: first a few, preferably unit tests; if none fails, all.

    python tools/mutate.py 150 --seed 1 --jobs 2
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from queue import Queue

from coverage import CoverageData

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "rouge_cli"
CHANGED = ("text", "inputs", "metrics", "scores", "run")
"""Folders of the package."""

TESTS = ("tests/unit", "tests/golden", "tests/property", "tests/cli")
MOST_FILES, MOST_OF_A_FILE = 6, 25
"""Tests that are tried first."""

LEFT_OUT = shutil.ignore_patterns(".git", ".venv", ".work", "fixtures", "__pycache__", "_build")
SECONDS_AT_MOST, SECONDS_OF_ALL = 240, 1200
"""Time limits of the first tests, and of all that reach a line; longer is a hang."""

MOVED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


@dataclass(frozen=True)
class Mutant:
    """A change of one branch.

    Parameters
    ----------
    module : str
        Path below the root.
    line : int
    place : tuple of int
        First and last line and column of the expression, as `ast` has them.
    before, after : str
    """

    module: str
    line: int
    place: tuple[int, int, int, int]
    before: str
    after: str

    def __str__(self) -> str:
        """Return it as a line."""
        return f"{self.module}:{self.line}: {self.before} -> {self.after}"

    def apply(self, root: Path) -> bytes:
        """Change the module below a root; return what it was."""
        path = root / self.module
        old = path.read_bytes()
        lines = old.splitlines(keepends=True)
        line, column, end_line, end_column = self.place
        start = sum(map(len, lines[: line - 1])) + column
        end = sum(map(len, lines[: end_line - 1])) + end_column
        path.write_bytes(old[:start] + f"({self.after})".encode() + old[end:])
        return old


def changed(node: ast.expr) -> Iterator[ast.expr]:
    """Yield an expression with its branch changed."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield ast.Compare(node.left, [MOVED[type(node.ops[0])]()], node.comparators)
    if isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield ast.BoolOp(other, node.values)


def conditions(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the conditions that a node holds."""
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield node.test
    if isinstance(node, ast.comprehension):
        yield from node.ifs


def mutants_of(module: Path) -> Iterator[Mutant]:
    """Yield all changes of a module."""
    name = module.relative_to(ROOT).as_posix()
    for node in ast.walk(ast.parse(module.read_bytes())):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        found: list[tuple[ast.expr, ast.expr]] = [
            (one, ast.UnaryOp(ast.Not(), one)) for one in conditions(node)
        ]
        if isinstance(node, ast.expr):
            found += [(node, one) for one in changed(node)]
        for old, new in found:
            place = (old.lineno, old.col_offset, old.end_lineno or 0, old.end_col_offset or 0)
            yield Mutant(name, old.lineno, place, ast.unparse(old), ast.unparse(new))


def all_mutants() -> list[Mutant]:
    """Return all changes of all folders."""
    modules = [one for name in CHANGED for one in sorted((ROOT / PACKAGE / name).rglob("*.py"))]
    return [mutant for module in modules for mutant in mutants_of(module)]


def tests_of_lines(root: Path, jobs: int) -> CoverageData:
    """Run all tests in a copy, and return the tests of each line; exits if one fails."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", str(jobs), "--dist", "loadfile"]
    command += [f"--cov={PACKAGE}", "--cov-context=test", "--cov-report=", *TESTS]
    if subprocess.run(command, cwd=root, env=environment_of(root), check=False).returncode:
        sys.exit("without any change, tests fail")
    data = CoverageData(str(root / ".coverage"))
    data.read()
    return data


def tests_of(mutant: Mutant, data: CoverageData, root: Path) -> list[str]:
    """Return the tests that run a line of a change, unit tests first."""
    by_line = data.contexts_by_lineno(str(root / mutant.module))
    first, _, last, _ = mutant.place
    contexts = {one for line in range(first, last + 1) for one in by_line.get(line, ())}
    tests = {one.rpartition("|")[0] for one in contexts if "|" in one}
    return sorted(tests, key=lambda one: (not one.startswith("tests/unit"), one))


def check_names(tests: Iterable[str], root: Path) -> None:
    """Exit if pytest does not know a test by its name: every change would seem to be noticed."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", *sorted(set(tests))]
    found = subprocess.run(
        command, cwd=root, env=environment_of(root), capture_output=True, text=True, check=False
    )
    if found.returncode:
        sys.exit(found.stderr or found.stdout)


def some_of(tests: Sequence[str]) -> list[str]:
    """Return some of the tests, of the first few files."""
    by_file: dict[str, list[str]] = {}
    for one in tests:
        by_file.setdefault(one.partition("::")[0], []).append(one)
    chosen = list(by_file.values())[:MOST_FILES]
    return [one for group in chosen for one in group[:: max(1, len(group) // MOST_OF_A_FILE)]]


def environment_of(root: Path) -> dict[str, str]:
    """Return the environment of tests in a copy."""
    return {
        **os.environ,
        "PYTHONPATH": str(root),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HYPOTHESIS_PROFILE": "first",
    }


def is_noticed(root: Path, tests: Sequence[str], seconds: float) -> bool:
    """Return whether a test fails, or hangs, in a copy."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    try:
        finished = subprocess.run(
            command,
            cwd=root,
            env=environment_of(root),
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return True
    return finished.returncode != 0


def survives(roots: "Queue[Path]", mutant: Mutant, tests: Sequence[str]) -> bool:
    """Return whether no test notices a change."""
    root = roots.get()
    old = mutant.apply(root)
    try:
        return not (
            tests
            and (
                is_noticed(root, some_of(tests), SECONDS_AT_MOST)
                or is_noticed(root, tests, SECONDS_OF_ALL)
            )
        )
    finally:
        (root / mutant.module).write_bytes(old)
        roots.put(root)


def make_copy(folder: Path) -> Path:
    """Copy what the tests need."""
    shutil.copytree(ROOT, folder, ignore=LEFT_OUT)
    (folder / "fixtures").symlink_to(ROOT / "fixtures")
    return folder


def main() -> None:
    """Try some changes, and print those that survive."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("number", type=int, help="how many changes to try")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--jobs", type=int, default=2, help="how many at once")
    given = parser.parse_args()
    found = all_mutants()
    chosen = random.Random(given.seed).sample(found, min(given.number, len(found)))
    begun, survivors = time.monotonic(), 0
    with tempfile.TemporaryDirectory(prefix="rouge-cli-mutants-") as name:
        roots: Queue[Path] = Queue()
        for number in range(given.jobs):
            roots.put(make_copy(Path(name, str(number))))
        data = tests_of_lines(Path(name, "0"), given.jobs)
        tests = [tests_of(mutant, data, Path(name, "0")) for mutant in chosen]
        check_names(chain.from_iterable(tests), Path(name, "0"))
        with ThreadPoolExecutor(given.jobs) as executor:
            outcomes = executor.map(partial(survives, roots), chosen, tests)
            for mutant, has_survived in zip(chosen, outcomes, strict=True):
                if has_survived:
                    survivors += 1
                    print(f"survives: {mutant}", flush=True)
    print(
        f"{len(chosen)} of {len(found)} changes, {survivors} survive, "
        f"{time.monotonic() - begun:,.0f} s"
    )


if __name__ == "__main__":
    main()
