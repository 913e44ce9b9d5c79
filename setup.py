"""The compiled core, which nobody has to have; all else about the package is in pyproject.toml.

Where it cannot be compiled, the package is installed without it, and Python does its work; a wheel
that is built there serves every platform, and says so in its name. In the environment,
``ROUGE_CLI_CORE=0`` leaves the core out, and ``ROUGE_CLI_CORE=1`` makes it an error that it cannot
be compiled.
"""

import os
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
        """Tags a wheel by what is in it, and not by what should have been."""

        def run(self) -> None:
            """Build first, and look what there is."""
            self.run_command("build")
            core = self.get_finalized_command("build_ext").get_outputs()
            if not all(map(os.path.exists, core)):
                self.distribution.ext_modules = None
                self.root_is_pure = True
            super().run()

    return {"build_ext": BuildCore, "bdist_wheel": Wheel}


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
if wanted == "0":
    setup()
else:
    setup(ext_modules=[core], options={"bdist_wheel": tag}, cmdclass=commands())
