"""The compiled core, which nobody has to have; all else about the package is in pyproject.toml.

Where it cannot be compiled, the package is installed without it, and Python does its work. In the
environment, ``ROUGE_CLI_CORE=0`` leaves it out, so that the wheel serves every platform, and
``ROUGE_CLI_CORE=1`` makes it an error that it cannot be compiled.
"""

import os
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup

FIRST_LIMITED = (3, 11)
"""The first Python whose stable interface has buffers: one wheel serves it and all later ones."""

# A multiplication and an addition in one, without rounding between them, could give other digits.
FLAGS = [] if os.name == "nt" else ["-std=c99", "-ffp-contract=off"]

wanted = os.environ.get("ROUGE_CLI_CORE")
is_free_threaded = sysconfig.get_config_var("Py_GIL_DISABLED")
is_limited = sys.version_info >= FIRST_LIMITED and not is_free_threaded
files = sorted(path.as_posix() for path in Path("rouge_cli/core").glob("*.[ch]"))
core = Extension(
    "rouge_cli.core._core",
    [name for name in files if name.endswith(".c")],
    depends=[name for name in files if name.endswith(".h")],
    define_macros=[("Py_LIMITED_API", "0x030B0000")] if is_limited else [],
    extra_compile_args=FLAGS,
    py_limited_api=is_limited,
    optional=wanted != "1",
)
tag = {"py_limited_api": "cp{}{}".format(*FIRST_LIMITED)} if is_limited else {}
if wanted == "0":
    setup()
else:
    setup(ext_modules=[core], options={"bdist_wheel": tag})
