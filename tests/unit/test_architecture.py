"""The house: which folder may import which, and how large its parts may be.

Imports count wherever they stand, also in functions and below ``if TYPE_CHECKING``.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "rouge_cli"
MODULES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))

LONGEST_FUNCTION = 55
LONGEST_MODULE = 250
TABLES_OF_DATA = {"options/studies.py"}

# What each part may import besides itself, `errors` and `options`.
MAY_IMPORT = {
    "__init__": {"api"},
    "api": {"scoring", "reports", "inputs"},
    "reports": {"scoring", "statistics", "metrics"},
    "gates": {"scoring", "metrics", "inputs"},
    "compat": {"scoring", "metrics", "text", "inputs"},
    "conversion": {"scoring", "inputs"},
    "statistics": {"scoring", "metrics", "inputs"},
    "selftest": {"scoring", "text", "data"},
    "shim": {"conversion", "data"},
    "scoring": {"metrics", "text", "inputs"},
    "metrics": {"text"},
    "text": {"data", "inputs"},
    "inputs": set[str](),
    "data": set[str](),
    "options": set[str](),
    "errors": set[str](),
    "version": set[str](),
}
FOR_EVERYONE = {"errors", "options", "version"}
# The command line may import everything; `python -m rouge_cli` is the command line.
TOP = {"cli", "__main__"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def parse(module: str) -> ast.Module:
    """Parse a module, given as its path below the package."""
    return ast.parse((PACKAGE / module).read_bytes(), filename=module)


def part_of(module: str) -> str:
    """Name the folder, or the module beside the folders, that a module belongs to."""
    return module.split("/", maxsplit=1)[0].removesuffix(".py")


def imported_names(module: str) -> Iterator[str]:
    """Yield the dotted name of everything that a module imports."""
    package = ["rouge_cli", *module.split("/")[:-1]]
    for node in ast.walk(parse(module)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{origin}.{alias.name}" for alias in node.names)


def imported_parts(module: str) -> set[str]:
    """Name the parts of this package that a module imports."""
    parts = set()
    for name in imported_names(module):
        root, _, rest = name.partition(".")
        if root == "rouge_cli":
            first = rest.partition(".")[0]
            is_part = (PACKAGE / first).is_dir() or (PACKAGE / f"{first}.py").is_file()
            # Anything else, such as __version__, is a name in the package's own __init__.
            parts.add(first if first and is_part else "__init__")
    return parts


def imports_any(module: str, library: str) -> bool:
    """Say whether a module imports a library or something in it."""
    return any(f"{name}.".startswith(f"{library}.") for name in imported_names(module))


def functions(module: str) -> Iterator[Function]:
    """Yield every function of a module, methods and inner functions too."""
    for node in ast.walk(parse(module)):
        if isinstance(node, Function):
            yield node


def public_definitions(body: list[ast.stmt]) -> Iterator[Function | ast.ClassDef]:
    """Yield public functions and classes, and the public methods of these classes."""
    for node in body:
        if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from public_definitions(node.body)


def needs_docstring(node: Function | ast.ClassDef) -> bool:
    """Say whether a docstring belongs on a definition: not on overloads and setters."""
    return not any(
        (isinstance(decorator, ast.Attribute) and decorator.attr in {"overload", "setter"})
        or (isinstance(decorator, ast.Name) and decorator.id == "overload")
        for decorator in node.decorator_list
    )


def test_modules_are_found() -> None:
    assert "errors.py" in MODULES


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_downwards(module: str) -> None:
    part = part_of(module)
    if part in TOP:
        return
    assert part in MAY_IMPORT, f"{part} has no place in the house"
    allowed = MAY_IMPORT[part] | FOR_EVERYONE | {part}
    assert imported_parts(module) - allowed == set()


def test_everyday_parts_stay_at_the_bottom() -> None:
    assert not imported_parts("errors.py")
    for module in MODULES:
        if part_of(module) == "options":
            assert imported_parts(module) <= {"errors", "options"}


@pytest.mark.parametrize("module", MODULES)
def test_only_the_command_line_knows_click(module: str) -> None:
    assert part_of(module) in TOP or not imports_any(module, "click")


@pytest.mark.parametrize("module", MODULES)
def test_only_the_table_report_draws_tables(module: str) -> None:
    assert module == "reports/table.py" or not imports_any(module, "rich.table")


@pytest.mark.parametrize("module", MODULES)
def test_size_of_functions(module: str) -> None:
    lengths = [
        (node.name, (node.end_lineno or node.lineno) - node.lineno + 1)
        for node in functions(module)
    ]
    assert [(name, length) for name, length in lengths if length > LONGEST_FUNCTION] == []


@pytest.mark.parametrize("module", MODULES)
def test_size_of_modules(module: str) -> None:
    lines = (PACKAGE / module).read_bytes().count(b"\n")
    assert lines <= LONGEST_MODULE or module in TABLES_OF_DATA


@pytest.mark.parametrize("module", MODULES)
def test_public_names_have_docstrings(module: str) -> None:
    tree = parse(module)
    assert ast.get_docstring(tree), "the module has no docstring"
    bare = [
        f"{node.name} (line {node.lineno})"
        for node in public_definitions(tree.body)
        if needs_docstring(node) and not ast.get_docstring(node)
    ]
    assert bare == []


def test_table_of_imports_has_no_circle() -> None:
    settled = {"data", *FOR_EVERYONE}
    while waiting := MAY_IMPORT.keys() - settled:
        ready = {part for part in waiting if MAY_IMPORT[part] <= settled}
        assert ready, f"these import each other: {sorted(waiting)}"
        settled |= ready
