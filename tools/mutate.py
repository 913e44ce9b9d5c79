"""Change branches one at a time, and list the changes that no test notices.

A branch is the condition of an ``if``, a ``while``, a conditional expression or a comprehension; a
comparison; an ``and`` or ``or``. It is negated, moved by one (``<`` to ``<=``), or exchanged. For
each change the tests run in a copy of the project until the first one fails: those of the folder
that is changed, then the stored runs of the original.

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
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "rouge_cli"
TARGETS = {
    "text": ["tests/unit/text", "tests/property/test_text.py"],
    "inputs": ["tests/unit/inputs", "tests/property"],
    "metrics": [
        "tests/unit/metrics",
        "tests/property/test_counts.py",
        "tests/property/test_lcs.py",
    ],
    "scoring": ["tests/unit/scoring", "tests/unit/api", "tests/property/test_scores.py"],
}
"""Folders and files of the package, and the tests that are closest to them."""

EVERYTHING_ELSE = ["tests/golden", "tests/property/test_pipeline.py", "tests/cli"]
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", ".work", "fixtures", "__pycache__", "_build")
SECONDS_AT_MOST = 300

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
    target : str
        The key of `TARGETS` that it belongs to.
    line : int
    place : tuple of int
        First and last line and column of the expression, as `ast` has them.
    before, after : str
    """

    module: str
    target: str
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


def mutants_of(module: Path, target: str) -> Iterator[Mutant]:
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
            yield Mutant(name, target, old.lineno, place, ast.unparse(old), ast.unparse(new))


def all_mutants() -> list[Mutant]:
    """Return all changes of all targets."""
    found: list[Mutant] = []
    for target in TARGETS:
        place = ROOT / PACKAGE / target
        for module in [place] if place.is_file() else sorted(place.rglob("*.py")):
            found += mutants_of(module, target)
    return found


def is_noticed(root: Path, tests: Sequence[str]) -> bool:
    """Return whether a test fails, or hangs, in a copy."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    environment = {
        **os.environ,
        "PYTHONPATH": str(root),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HYPOTHESIS_PROFILE": "first",
    }
    try:
        finished = subprocess.run(
            command,
            cwd=root,
            env=environment,
            capture_output=True,
            timeout=SECONDS_AT_MOST,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return True
    return finished.returncode != 0


def survives(mutant: Mutant, roots: "Queue[Path]") -> bool:
    """Return whether no test notices a change."""
    root = roots.get()
    old = mutant.apply(root)
    try:
        return not any(is_noticed(root, one) for one in (TARGETS[mutant.target], EVERYTHING_ELSE))
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
        # Otherwise every change would seem to be noticed.
        for tests in (*TARGETS.values(), EVERYTHING_ELSE):
            if is_noticed(Path(name, "0"), tests):
                sys.exit(f"without any change, {' '.join(tests)} fail or take too long")
        with ThreadPoolExecutor(given.jobs) as executor:
            outcomes = executor.map(lambda one: survives(one, roots), chosen)
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
