"""What is built and declared for users who install the package."""

import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from zipfile import ZipFile

import pytest

from rouge_cli import __version__

ROOT = Path(__file__).parents[2]
FIRST_WITH_WHEELS = (70, 1)
"""The first setuptools that builds wheels itself."""

FIRST_ON_NODE_24 = {
    "actions/checkout": (5,),
    "actions/deploy-pages": (5,),
    "actions/download-artifact": (7,),
    "actions/setup-python": (6,),
    "actions/upload-artifact": (6,),
    # These two call other actions.
    "actions/upload-pages-artifact": (5,),
    "pypa/gh-action-pypi-publish": (1, 14, 1),
}
"""The first version of each action that does without Node 20, which runners no longer have."""

COMPILER = """#!/bin/sh
while [ $# -gt 0 ]; do if [ "$1" = -o ]; then : > "$2"; fi; shift; done
"""
NO_COMPILER = "#!/bin/sh\nexit 1\n"


def test_all_is_every_extra_for_users() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    declared = text[text.index("[project.optional-dependencies]") : text.index("\ndev = [")]
    extras = re.findall(r"^(\w+) = \[", declared, re.MULTILINE)
    assert extras[0] == "all"
    assert f'all = ["rouge-cli[{",".join(sorted(extras[1:]))}]"]' in declared


def test_packages_need_what_is_declared() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    declared = re.findall(r'"(.+)"', text.partition("\ndependencies = [")[2].partition("]")[0])
    recipe = (ROOT / "packaging" / "conda" / "recipe.yaml").read_text("utf-8")
    needed = re.findall(r"- (.+)", recipe.partition("  run:")[2].partition("\ntests:")[0])
    python = re.findall(r'requires-python = ">=(.+)"', text)
    declared_there = [one.replace(">=", " >=") for one in [*declared, f"python>={python[0]}"]]
    assert sorted(needed) == sorted(declared_there)
    assert f'  version: "{__version__}"\n' in recipe
    debian = ROOT / "packaging" / "debian"
    control = (debian / "control").read_text("utf-8")
    for one in declared:
        name, _, least = one.partition(">=")
        # Debian counts an epoch before NumPy's version, and other numbers than regex itself.
        versions = {least, f"1:{least}", "0.1.20240416" if least == "2024.4.16" else least}
        name = {"markdown-it-py": "markdown-it"}.get(name, name)
        (found,) = re.findall(rf"python3-{name} \(>= (.+)\) <!nocheck>", control)
        assert found in versions
    changelog = (debian / "changelog").read_text("utf-8")
    assert changelog.startswith(f"rouge-cli ({__version__}-1) ")


def test_the_oldest_python_is_the_same_everywhere() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    (oldest,) = re.findall(r'requires-python = ">=(.+)"', text)
    tag = oldest.replace(".", "")
    assert re.findall(r"Python :: (3\..+)\"", text)[0] == oldest
    assert f'target-version = "py{tag}"' in text
    assert f'build = "cp{tag}-* ' in text
    assert f'"py_limited_api": "cp{tag}"' in (ROOT / "setup.py").read_text("utf-8")
    named = {
        ".github/workflows/tests.yml": f'python: ["{oldest}", ',
        "CONTRIBUTING.md": f"Python {oldest} or newer",
        "Makefile": f"older than Python {oldest}",
        "README.md": f"Python {oldest} or newer",
        "docs/guide/getting-started.md": f"Python {oldest} or newer",
        "docs/guide/getting-started-zh.md": f"Python {oldest} ",
        "tools/check_versions.py": f"``python{oldest}`` to",
    }
    for name, words in named.items():
        assert words in (ROOT / name).read_text("utf-8"), name


def test_actions_are_pinned_and_do_without_node_20() -> None:
    workflows = sorted((ROOT / ".github" / "workflows").iterdir())
    pins: dict[str, set[str]] = {}
    for path in (ROOT / "action.yml", ROOT / "docs" / "guide" / "thresholds.md", *workflows):
        for used in re.findall(r"\buses: *(.*)", path.read_text("utf-8")):
            # A file of this project needs no pin.
            if used.startswith("./"):
                continue
            pin = re.fullmatch(r"([\w/-]+)@([0-9a-f]{40} # v(\d+\.\d+\.\d+))", used)
            assert pin is not None, f"{path.name}: {used}"
            pins.setdefault(pin[1], set()).add(pin[2])
            assert tuple(map(int, pin[3].split("."))) >= FIRST_ON_NODE_24[pin[1]], used
    assert pins.keys() == FIRST_ON_NODE_24.keys()
    # One commit of each, with one version.
    assert {name: len(found) for name, found in pins.items()} == dict.fromkeys(pins, 1)


@pytest.mark.skipif(os.name == "nt", reason="compilers are scripts here")
def test_a_wheel_without_the_core_is_for_every_platform(tmp_path: Path) -> None:
    if tuple(map(int, version("setuptools").split(".")[:2])) < FIRST_WITH_WHEELS:
        pytest.skip("this setuptools builds no wheels")
    source = tmp_path / "source"
    left_out = shutil.ignore_patterns("*.so", "__pycache__")
    shutil.copytree(ROOT / "rouge_cli", source / "rouge_cli", ignore=left_out)
    for name in ("setup.py", "pyproject.toml", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    (source / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "rouge-cli.1", source / "docs")
    with_core = built(source, COMPILER)
    assert not with_core.name.endswith("-py3-none-any.whl")
    assert any("/_core." in name and name.endswith(".so") for name in names(with_core))
    # What was built before is not what its sources say any more.
    file = source / "rouge_cli" / "core" / "module.c"
    next_year = file.stat().st_mtime + 365 * 86400
    os.utime(file, (next_year, next_year))
    without = built(source, NO_COMPILER)
    assert without.name.endswith("-py3-none-any.whl")
    assert [name for name in names(without) if ".so" in name or "lib/" in name] == []
    assert {"rouge_cli/__init__.py", "rouge_cli/core/__init__.py"} <= set(names(without))
    with ZipFile(without) as wheel:
        (tags,) = (name for name in wheel.namelist() if name.endswith("/WHEEL"))
        assert b"Root-Is-Purelib: true\nTag: py3-none-any\n" in wheel.read(tags)


def built(source: Path, compiler: str) -> Path:
    script = source.parent / "cc"
    script.write_text(compiler)
    script.chmod(0o755)
    target = source.parent / "wheels"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    without = ("ROUGE_CLI_CORE", "CFLAGS", "LDSHARED")
    environment = {name: value for name, value in os.environ.items() if name not in without}
    code = f"from setuptools import build_meta; build_meta.build_wheel({str(target)!r})"
    subprocess.run(
        [sys.executable, "-c", code],
        cwd=source,
        env=environment | {"CC": str(script)},
        check=True,
        capture_output=True,
    )
    (wheel,) = target.iterdir()
    return wheel


def names(wheel: Path) -> list[str]:
    with ZipFile(wheel) as files:
        return files.namelist()
