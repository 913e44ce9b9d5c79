"""The list of twins and the stub of the core: both have what the core has."""

import ast
import inspect
from collections.abc import Callable
from functools import reduce
from importlib import import_module
from pathlib import Path

import pytest

import rouge_cli.core
from fuzz.core_twins import COMPARED
from rouge_cli.core import compiled_core

STUB = Path(rouge_cli.core.__file__).with_name("_core.pyi")


def functions() -> dict[str, Callable[..., object]]:
    core = compiled_core()
    if core is None:
        pytest.skip("the core is not built")
    return {name: getattr(core, name) for name in dir(core) if not name.startswith("_")}


def test_every_function_has_its_twin() -> None:
    assert functions().keys() == COMPARED.keys()


@pytest.mark.parametrize("twin", [twin for twin, _ in COMPARED.values()])
def test_twins_are_there(twin: str) -> None:
    module, _, name = twin.partition(":")
    assert callable(reduce(getattr, name.split("."), import_module(f"rouge_cli.{module}")))


def test_the_stub_has_the_same_functions_and_arguments() -> None:
    stub = ast.parse(STUB.read_text(encoding="utf-8"))
    declared = {
        node.name: [argument.arg for argument in node.args.posonlyargs]
        for node in stub.body
        if isinstance(node, ast.FunctionDef)
    }
    built = {name: list(inspect.signature(one).parameters) for name, one in functions().items()}
    assert declared == built
