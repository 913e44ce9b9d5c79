"""The architecture: which folder may import which, and how large modules may be.

Imports count wherever they stand, also in functions and below ``if TYPE_CHECKING``.
"""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from itertools import chain
from operator import attrgetter
from pathlib import Path

import pytest

from benchmarks.stages import STAGES
from rouge_cli.ci import FORMATS
from rouge_cli.options.options import OPTIONS

PACKAGE = Path(__file__).resolve().parents[2] / "rouge_cli"
MODULES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))
FOLDERS = sorted({"", *(module.rpartition("/")[0] for module in MODULES)})

LONGEST_FUNCTION = 55
LONGEST_MODULE = 600

SCRIPTS = sorted((PACKAGE / "reports" / "templates").glob("*.js"))
OF_A_CLOUD = {"protocols/package_options.py", "compat/__init__.py"}
EMPTY_NAMES = {"found", "one", "own", "said", "some"}
"""What says nothing as the name of a variable; attributes and methods may be called so."""

# Comments and quoted text of a script: words there are no names.
PROSE = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|//[^\n]*', re.DOTALL)
SCRIPT_NAME = re.compile(r"(?<![\w$.])[\w$]+")

ORDER = (
    *(
        "__main__",
        "cli",
        "selftest",
        "integrations",
        "compat",
        "shim",
        "conversion",
        "__init__",
        "batches",
        "bulk",
    ),
    "api",
    *("studies", "explanations", "run", "reports", "protocols", "scores"),
    *("metrics", "inputs", "text"),
    *(
        "options", "core", "data", "ci", "threads", "atomic_files", "escapes", "errors", "progress",
        "quick_dataclass", "version",
    ),
)  # fmt: skip
"""The folders of the package, and the modules beside them: each imports from those behind it."""

NEVER = {"metrics": {"inputs"}}
"""What a folder leaves alone though it stands behind it."""

FACADE = "scores/results.py"
"""Names, for type checkers only, what its methods return from layers above; these load by name."""

LIBRARIES = {
    "click": r"cli/.*|__main__\.py",
    # The bytes of other reports would depend on its version.
    "rich": r"cli/output\.py",
    # The standard decorator takes five times as long, at every start.
    "dataclasses.dataclass": r"quick_dataclass\.py",
}
"""What may be imported in a few modules only."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def parse(module: str) -> ast.Module:
    return ast.parse((PACKAGE / module).read_bytes(), filename=module)


def part_of(module: str) -> str:
    """Name the folder, or the module beside the folders, that a module belongs to."""
    return module.split("/", maxsplit=1)[0].removesuffix(".py")


@cache
def imported_names(module: str) -> frozenset[str]:
    """Return the dotted name of everything that a module imports."""
    package = ["rouge_cli", *module.split("/")[:-1]]
    names: set[str] = set()
    tree = parse(module)
    if module == FACADE:
        body = [node for node in tree.body if not isinstance(node, ast.If)]
        tree = ast.Module(body, type_ignores=[])
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            names.update(f"{origin}.{alias.name}" for alias in node.names)
    return frozenset(names)


def module_of(name: str) -> str | None:
    """Return the module in which a dotted name is found, as a path; None outside the package."""
    root, *steps = name.split(".")
    if root != "rouge_cli":
        return None
    while steps:
        for path in (f"{'/'.join(steps)}.py", f"{'/'.join(steps)}/__init__.py"):
            if (PACKAGE / path).is_file():
                return path
        steps.pop()
    return "__init__.py"


@cache
def imported_modules(module: str) -> frozenset[str]:
    """Return the modules of this package that a module imports."""
    modules = {module_of(name) for name in imported_names(module)} - {None, module}
    return frozenset(other for other in modules if other is not None)


def imported_parts(module: str) -> set[str]:
    return {part_of(other) for other in imported_modules(module)}


def child_of(folder: str, module: str) -> str | None:
    """Return the file or folder right in `folder` that holds a module; None if it is elsewhere."""
    prefix = f"{folder}/" if folder else ""
    return module[len(prefix) :].split("/", maxsplit=1)[0] if module.startswith(prefix) else None


def imports_within(folder: str) -> dict[str, set[str]]:
    """Return which of the children of a folder imports which others."""
    graph: dict[str, set[str]] = {}
    for module in MODULES:
        if (child := child_of(folder, module)) is not None:
            children = {child_of(folder, other) for other in imported_modules(module)}
            graph.setdefault(child, set()).update(
                other for other in children if other not in {None, child, "__init__.py"} and other
            )
    return graph


def importers(library: str) -> set[str]:
    """Return the modules that import a library or something in it."""
    start = f"{library}."
    return {
        module
        for module in MODULES
        if any(f"{name}.".startswith(start) for name in imported_names(module))
    }


def functions(module: str) -> Iterator[Function]:
    for node in ast.walk(parse(module)):
        if isinstance(node, Function):
            yield node


def local_names(tree: ast.Module) -> Iterator[str]:
    """Yield the names of all parameters, and of what functions assign to."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, Function | ast.Lambda):
            for inner in ast.walk(node):
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                    yield inner.id


def option_lists(tree: ast.Module) -> Iterator[str]:
    """Yield the lists of names of options, and the mappings from such names to texts.

    Values of options by their names are no such list, and neither are types, nor names that are
    given to several constants at once.
    """
    not_lists: set[ast.expr] = set()
    # A node is reached before those in it.
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript):
            not_lists.add(node.slice)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            not_lists.add(node.value)
        words: list[ast.expr | None] = []
        if isinstance(node, ast.Tuple | ast.List | ast.Set) and node not in not_lists:
            words = [*node.elts]
        elif isinstance(node, ast.Dict) and all(map(is_text, node.values)):
            words = [*node.keys]
        else:
            continue
        names = {ast.unparse(word).strip("'") for word in words if word and is_text(word)}
        if len(names & OPTIONS.keys()) > max(1, len(names) // 2):
            yield f"line {node.lineno}: {', '.join(sorted(names))}"


def is_text(node: ast.expr) -> bool:
    """Return whether an expression is a string in quotes."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def script_names(code: str) -> list[str]:
    """Return the names in a script, without those of properties behind a dot."""
    return SCRIPT_NAME.findall(PROSE.sub("", code))


def test_modules_are_found() -> None:
    assert "errors.py" in MODULES
    assert "page_main.js" in [script.name for script in SCRIPTS]


# One test for each rule, not for each module: the modules that break it are in its message.


def test_every_part_has_its_place() -> None:
    assert {part_of(module) for module in MODULES} - {*ORDER} == set()


def test_imports_go_downwards() -> None:
    upwards = {}
    for module in MODULES:
        part, imported = part_of(module), imported_parts(module)
        behind = {*ORDER[ORDER.index(part) :]} - NEVER.get(part, set())
        upwards[module] = imported - behind
    assert {module: parts for module, parts in upwards.items() if parts} == {}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder or "rouge_cli")
def test_no_circles(folder: str) -> None:
    TopologicalSorter(imports_within(folder)).prepare()


def test_a_circle_of_folders_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    # a/x imports b/y and b/z imports a/w: no circle of modules, and one of folders.
    imports = {"a/x.py": {"b/y.py"}, "b/z.py": {"a/w.py"}, "a/w.py": set(), "b/y.py": set()}
    monkeypatch.setattr(sys.modules[__name__], "MODULES", sorted(imports))
    monkeypatch.setattr(sys.modules[__name__], "imported_modules", imports.__getitem__)
    with pytest.raises(CycleError):
        test_no_circles("")


def test_everyday_parts_stay_at_the_bottom() -> None:
    assert not imported_parts("errors.py")
    options = {module for module in MODULES if part_of(module) == "options"}
    allowed = {"errors", "options", "quick_dataclass"}
    assert {part for module in options for part in imported_parts(module)} <= allowed
    assert importers("numpy").isdisjoint(options)


def test_only_formats_know_ci_systems() -> None:
    """Links to the project's pages have such a name too."""
    name = re.compile(rf"(?:{'|'.join(FORMATS)})(?!\.com/|\.io/)", re.IGNORECASE)
    files = [path for path in PACKAGE.rglob("*") if path.suffix in {".py", ".js", ".html", ".css"}]
    others = [path.relative_to(PACKAGE) for path in files if path.name != "ci.py"]
    # A protocol and a vendored package have the name of a cloud.
    others = [path for path in others if path.as_posix() not in OF_A_CLOUD]
    assert [path for path in others if name.search((PACKAGE / path).read_text("utf-8"))] == []


@pytest.mark.parametrize(
    ("code", "is_list"),
    [
        ('A = frozenset({"alpha", "formula"} | OTHERS)', True),
        ('for name in (*OTHERS, "column", "scores"): pass', True),
        ('A = {"humans": "it makes several systems", "jackknife": "it needs two models"}', True),
        ('PEERS, MODELS = "peers", "models"', False),
        ('def cut(unit: Literal["bytes", "words"]): pass', False),
        ('record = {"id": eval_id, "references": texts}', False),
    ],
)
def test_lists_of_options_are_seen(code: str, is_list: bool) -> None:
    assert bool([*option_lists(ast.parse(code))]) == is_list


def test_only_declarations_list_options() -> None:
    modules = [module for module in MODULES if not module.startswith("options/")]
    listed = {module: [*option_lists(parse(module))] for module in modules}
    assert {module: lists for module, lists in listed.items() if lists} == {}, (
        "make it a field of the declaration"
    )


@pytest.mark.parametrize("library", LIBRARIES)
def test_only_some_modules_know_a_library(library: str) -> None:
    others = {name for name in importers(library) if not re.fullmatch(LIBRARIES[library], name)}
    assert others == set()


def test_size_of_functions() -> None:
    lengths = {
        f"{module}: {node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for module in MODULES
        for node in functions(module)
    }
    assert {name: length for name, length in lengths.items() if length > LONGEST_FUNCTION} == {}


def test_size_of_modules() -> None:
    lengths = {module: (PACKAGE / module).read_bytes().count(b"\n") for module in MODULES}
    assert {name: length for name, length in lengths.items() if length > LONGEST_MODULE} == {}


def test_locals_have_names_that_say_something() -> None:
    """The page on style says what to write instead."""
    names = {module: {*local_names(parse(module))} for module in MODULES}
    names |= {script.name: {*script_names(script.read_text("utf-8"))} for script in SCRIPTS}
    empty = {file: sorted(used & EMPTY_NAMES) for file, used in names.items()}
    assert {file: used for file, used in empty.items() if used} == {}


def test_locals_are_seen_wherever_they_stand() -> None:
    python = """
class Answer:
    found: int
    def of(self, text):
        one, self.own = text
        if said := [some for some in one]: return lambda other: other.found
"""
    assert {*local_names(ast.parse(python))} == {"self", "text", "one", "said", "some", "other"}
    script = """// A found thing.
const own = $("one"), all = found.some((/** @type {said} */ it) => it.one);
"""
    assert script_names(script) == ["const", "own", "$", "all", "found", "it", "it"]


def documented_methods(cls: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> set[str]:
    """Name the methods with docstrings of a class and its bases."""
    names = {
        node.name for node in cls.body if isinstance(node, Function) and ast.get_docstring(node)
    }
    for base in cls.bases:
        name = ast.unparse(base).partition("[")[0].split(".")[-1]
        if name in classes and name != cls.name:
            names |= documented_methods(classes[name], classes)
    return names


def test_public_methods_have_docstrings() -> None:
    """What overrides a method may leave it to that method's docstring.

    ruff requires those of modules, classes and functions.
    """
    nodes = [(module, node) for module in MODULES for node in ast.walk(parse(module))]
    found = [(module, node) for module, node in nodes if isinstance(node, ast.ClassDef)]
    classes = {cls.name: cls for _, cls in found}
    bare = [
        f"{module}: {cls.name}.{node.name}"
        for module, cls in found
        if not cls.name.startswith("_")
        for node in cls.body
        if isinstance(node, Function)
        and not node.name.startswith("_")
        and node.name not in documented_methods(cls, classes)
    ]
    assert bare == []


def test_the_architecture_page_names_what_is_there() -> None:
    page = (PACKAGE.parent / "docs" / "how-it-works" / "index.md").read_text("utf-8")
    named = re.findall(r"`([\w/]+\.py): ([\w.]+)`", page)
    assert len(named) > 10
    for module, name in named:
        definition: ast.Module | ast.stmt = parse(module)
        for part in name.split("."):
            body = definition.body if isinstance(definition, ast.Module | ast.ClassDef) else []
            inside = [
                node
                for node in body
                if isinstance(node, Function | ast.ClassDef) and node.name == part
            ]
            assert inside, f"{module} has no {name}"
            definition = inside[0]


FRAMEWORKS_NAMES = {"BootstrapAggregator", "RougeScorer", "Tokenizer"}
"""Google's names, which its subclasses and what takes its place have to have."""


def test_each_class_has_a_name_of_its_own() -> None:
    modules: dict[str, list[str]] = {}
    for module in MODULES:
        for node in ast.walk(parse(module)):
            if isinstance(node, ast.ClassDef):
                modules.setdefault(node.name, []).append(module)
    twice = {name: homes for name, homes in modules.items() if len(homes) > 1}
    assert twice.keys() == FRAMEWORKS_NAMES, twice


def test_stages_of_the_benchmark_are_functions() -> None:
    for place in chain.from_iterable(STAGES.values()):
        module, _, name = place.partition(":")
        assert callable(attrgetter(name)(import_module(f"rouge_cli.{module}"))), place
