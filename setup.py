"""The compiled core, which nobody has to have; all else about the package is in pyproject.toml.

Where it cannot be compiled, the package is installed without it, and Python does its work; a wheel
that is built there serves every platform, and says so in its name. In the environment,
``ROUGE_CLI_CORE=0`` leaves the core out, and ``ROUGE_CLI_CORE=1`` makes it an error that it cannot
be compiled.
"""

import json
import os
import re
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

MSVC_FLAGS = ["/fp:precise"]
FLAGS = ["-std=c99", "-O3", "-ffp-contract=off"]
"""A multiplication and an addition in one, without rounding between them, give other digits. Both
keep a compiler from it (Visual Studio from 2022 on), and a test of the core sees where it does it.
"""


class BuildCore(build_ext):
    """Builds the core; where that fails, the one of an earlier build goes too."""

    def build_extension(self, ext: Extension) -> None:
        """Compile it; raises what the compiler ends with."""
        ext.extra_compile_args = MSVC_FLAGS if self.compiler.compiler_type == "msvc" else FLAGS
        try:
            super().build_extension(ext)
        except Exception:
            Path(self.get_ext_fullpath(ext.name)).unlink(missing_ok=True)
            raise


def commands() -> "dict[str, type]":
    """Return the commands that differ from those of setuptools, by name."""
    try:
        from setuptools.command.bdist_wheel import bdist_wheel
    except ImportError:
        # An old setuptools, which an installation without isolation may meet.
        return {"build_ext": BuildCore}

    class Wheel(bdist_wheel):
        """Tags a wheel by what is in it, not by what should be, and adds the bill of materials."""

        def write_wheelfile(self, wheelfile_base: str, *args: object, **more: object) -> None:
            """Write the software bill of materials too, where PEP 770 puts it."""
            super().write_wheelfile(wheelfile_base, *args, **more)
            folder = Path(wheelfile_base, "sboms")
            folder.mkdir(exist_ok=True)
            (folder / "rouge-cli.cdx.json").write_text(bill_of_materials(), "utf-8")

        def run(self) -> None:
            """Build first, and look what there is."""
            self.run_command("build")
            core = self.get_finalized_command("build_ext").get_outputs()
            if not all(map(os.path.exists, core)):
                self.distribution.ext_modules = None
                self.root_is_pure = True
            super().run()

    return {"build_ext": BuildCore, "bdist_wheel": Wheel}


WORDNET = {
    "type": "data",
    "name": "WordNet exception lists",
    "version": "2.0",
    "licenses": [{"license": {"id": "WordNet"}}],
    "externalReferences": [{"type": "website", "url": "https://wordnet.princeton.edu/"}],
}


def bill_of_materials() -> str:
    """Return in CycloneDX what a wheel contains besides the files of this project."""
    (version,) = re.findall(
        r'^__version__ = "(.+)"', Path("rouge_cli/version.py").read_text(), re.M
    )
    project = {
        "type": "library",
        "bom-ref": "rouge-cli",
        "name": "rouge-cli",
        "version": version,
        "purl": f"pkg:pypi/rouge-cli@{version}",
        "licenses": [{"license": {"id": "Apache-2.0"}}],
    }
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "metadata": {"component": project},
        "components": [WORDNET],
    }
    return json.dumps(bill, indent=2) + "\n"


SITE = "https://rouge-cli.github.io/rouge-cli"
REPOSITORY = "https://github.com/rouge-cli/rouge-cli/blob/main"


def readme() -> str:
    """Return the README for the package index, where relative links would lead nowhere."""

    def absolute(link: "re.Match[str]") -> str:
        path = link[1]
        if path.startswith("docs/"):
            return f"]({SITE}/{path.removeprefix('docs/').replace('.md', '.html')})"
        return f"]({REPOSITORY}/{path})"

    text = Path("README.md").read_text("utf-8")
    return re.sub(r"\]\((?!https?:|#)([^)\s]+)\)", absolute, text)


wanted = os.environ.get("ROUGE_CLI_CORE")
# One wheel serves Python 3.11 and all later ones, by the stable interface.
is_limited = not sysconfig.get_config_var("Py_GIL_DISABLED")
files = sorted(path.as_posix() for path in Path("rouge_cli/core").glob("*.[ch]"))
core = Extension(
    "rouge_cli.core._core",
    [name for name in files if name.endswith(".c")],
    depends=[name for name in files if name.endswith(".h")],
    define_macros=[("Py_LIMITED_API", "0x030B0000")] if is_limited else [],
    py_limited_api=is_limited,
    optional=wanted != "1",
)
tag = {"py_limited_api": "cp311"} if is_limited else {}
description = {"long_description": readme(), "long_description_content_type": "text/markdown"}
if wanted == "0":
    setup(**description)
else:
    setup(**description, ext_modules=[core], options={"bdist_wheel": tag}, cmdclass=commands())
