"""Whether the compiled core works, or Python, and that it is built where it can be."""

import os
import shlex
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from rouge_cli import core as choice
from rouge_cli.core import VARIABLE, compiled_core, describe_core, missing_core
from rouge_cli.errors import OptionError
from rouge_cli.metrics import paired_texts
from rouge_cli.metrics.paired_texts import TextPairs
from rouge_cli.text.columns import TextColumns

FOLDER = Path(__file__).parents[3] / "rouge_cli" / "core"
ANEW = "install anew to see why: ROUGE_CLI_CORE=1 python -m pip install --editable ."


@pytest.fixture
def not_built(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def fail(name: str) -> None:
        raise ImportError("undefined symbol: pow")

    choice._built_core.cache_clear()
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(choice, "import_module", fail)
    monkeypatch.setattr(choice, "find_spec", lambda name: None)
    yield
    choice._built_core.cache_clear()


def can_compile() -> bool:
    compiler = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    include = f"-I{sysconfig.get_path('include')}"
    command = [*shlex.split(compiler), include, "-fsyntax-only", "-x", "c", "-"]
    try:
        compiled = subprocess.run(
            command, input=b"#include <Python.h>", capture_output=True, check=False
        )
    except OSError:
        return False
    return compiled.returncode == 0


@pytest.mark.skipif(os.environ.get(VARIABLE) == "0", reason="it is not asked for")
def test_it_is_built_where_there_is_a_compiler() -> None:
    # An error in C ends an installation without the core, and without a word.
    core = compiled_core()
    if core is None and not can_compile():
        pytest.skip("there is no compiler, or it does not find Python.h")
    assert core is not None, f"the core is not built; {ANEW}"


def test_it_is_built_from_these_files() -> None:
    # Nor does such an error take away what was built before.
    core = compiled_core()
    if core is None:
        pytest.skip("the core is not built")
    built = Path(core.__file__)
    assert built.parent == FOLDER
    changed = max(FOLDER.glob("*.[ch]"), key=lambda path: path.stat().st_mtime)
    is_new = built.stat().st_mtime >= changed.stat().st_mtime
    assert is_new, f"{built.name} is older than {changed.name}; {ANEW}"


def test_it_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "0")
    assert compiled_core() is None
    assert describe_core() == "none, Python counts: switched off by ROUGE_CLI_CORE=0"
    assert missing_core() is None


@pytest.mark.usefixtures("not_built")
def test_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert compiled_core() is None
    reason = "it was not compiled when rouge-cli was installed"
    assert describe_core() == f"none, Python counts: {reason}"
    missing = missing_core()
    assert missing is not None
    assert missing.startswith(f"the compiled core is missing: {reason}; with it this run would ")
    monkeypatch.setenv(VARIABLE, "1")
    with pytest.raises(OptionError, match="ROUGE_CLI_CORE: the compiled core is missing: it was"):
        compiled_core()
    assert describe_core().startswith("ROUGE_CLI_CORE: the compiled core is missing: it was")


@pytest.mark.usefixtures("not_built")
def test_a_core_that_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "find_spec", lambda name: object())
    assert describe_core() == "none, Python counts: undefined symbol: pow"


def test_another_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "yes")
    with pytest.raises(OptionError, match="ROUGE_CLI_CORE: found 'yes', expected 0 or 1"):
        compiled_core()
    assert describe_core() == "ROUGE_CLI_CORE: found 'yes', expected 0 or 1"


def test_more_tokens_than_32_bits_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    one_text = TextColumns(np.zeros(3, np.int32), np.array([0, 3]), np.array([0, 1]))
    text = np.zeros(1, np.int64)
    pairs = TextPairs(one_text, text, one_text, text, 1)
    assert pairs.core is compiled_core()
    monkeypatch.setattr(paired_texts, "MOST_TOKENS", 2)
    assert pairs.core is None
