"""Run command lines in forked children in which a call fails, or to which a signal is sent.

Started by `tests.faults.injector` with the library of ``faults.c`` preloaded. Everything is
imported once; a child costs little more than the run. Each line of standard input is a trial in
JSON, each line of standard output what became of it. A child is the last thing that this program
runs, so that the end of the interpreter is tried too.
"""

import atexit
import base64
import ctypes
import gc
import importlib
import json
import os
import pkgutil
import shutil
import signal
import sys
import tempfile
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import rouge_cli
from rouge_cli.cli.main import main
from rouge_cli.core import VARIABLE
from tests.property.sizes import small_batches

SECONDS_AT_MOST = 120.0
SECONDS_FOR_WORKERS = 5.0
N_KINDS = 13
N_LINES = 4000
CANNOT_FLUSH = 120
"""Python's exit code if a standard stream cannot be flushed at its end."""
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

SET_HANDLER = 304
"""Where PyDataMem_SetHandler stands in the table of NumPy's interface."""

library = ctypes.CDLL(sys.argv[1])
held = ExitStack()


def import_everything() -> None:
    """Import all modules, as a child would do each time."""
    for module in pkgutil.walk_packages(rouge_cli.__path__, "rouge_cli."):
        # Those of frameworks need the framework, and no run of the program loads them.
        if not module.name.endswith("__main__") and ".integrations." not in module.name:
            importlib.import_module(module.name)
    for name in (
        "rich.console",
        "rich.progress",
        "multiprocessing",
        "socket",
        "numpy",
        "scipy.stats",
    ):
        importlib.import_module(name)
    with suppress(ImportError):
        # Arrow's allocator ends the process where it cannot begin.
        importlib.import_module("pyarrow.parquet")


def watch_memory() -> None:
    """Have the library told which allocations are the compiled core's, and which NumPy's arrays'.

    Only now are the numbers of new arrays in its hands.
    """
    for mapped in Path("/proc/self/maps").read_text("utf-8").splitlines():
        place, rights, *_ = mapped.split()
        if "/_core." in mapped and "rouge_cli" in mapped and "x" in rights:
            library.fault_core(*(ctypes.c_void_p(int(end, 16)) for end in place.split("-")))
    python = ctypes.pythonapi
    python.PyCapsule_GetPointer.restype = ctypes.c_void_p
    python.PyCapsule_New.restype = ctypes.py_object
    multiarray = importlib.import_module("numpy._core._multiarray_umath")
    table = python.PyCapsule_GetPointer(ctypes.py_object(multiarray._ARRAY_API), None)
    place = ctypes.cast(table, ctypes.POINTER(ctypes.c_void_p))[SET_HANDLER]
    set_handler = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(place)
    arrays = ctypes.byref(ctypes.c_char.in_dll(library, "fault_arrays"))
    set_handler(python.PyCapsule_New(arrays, ctypes.c_char_p(b"mem_handler"), None))


def content_below(folder: Path) -> dict[str, str | None]:
    """Return all that is in a folder: content in base 64, or None for a folder.

    In pages, which show the command line, ``{out}`` stands for the folder, whose name changes.
    """
    return {
        path.relative_to(folder).as_posix(): (
            None
            if path.is_dir()
            else base64.b64encode(path.read_bytes().replace(bytes(folder), b"{out}")).decode()
        )
        for path in sorted(folder.rglob("*"))
    }


def prepare(trial: dict[str, Any], folder: Path) -> None:
    """Make a forked child what a new process would be."""
    os.setpgid(0, 0)
    os.chdir(trial["cwd"])
    os.environ["TMPDIR"] = str(folder / "tmp")
    tempfile.tempdir = None
    stdin = os.open(trial.get("stdin") or os.devnull, os.O_RDONLY)
    flags = os.O_WRONLY
    for number, source in enumerate(
        (stdin, os.open(folder / "stdout", flags), os.open(folder / "stderr", flags))
    ):
        os.dup2(source, number)
        os.close(source)
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, errors="backslashreplace", closefd=False)
    sys.argv = ["rouge-cli", *(word.format(out=folder / "out", big=big) for word in trial["args"])]
    if trial.get("forks"):
        os.environ[VARIABLE] = "0"
    if trial.get("is_small"):
        # Held to the end: where nothing refers to it, it is undone at once.
        held.enter_context(small_batches(1, 1, 1))
        for module in list(sys.modules.values()):
            if hasattr(module, "LINES_AT_A_TIME"):
                vars(module).update(LINES_AT_A_TIME=2, LINES_OF_MARK=1)
            if hasattr(module, "HELD_BYTES"):
                # Texts of records go to a temporary file.
                vars(module).update(HELD_BYTES=1)


def end_at_once(code: Any) -> None:
    """End as the interpreter does, less the time that it takes to tidy up after so many modules."""
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = CANNOT_FLUSH
    os._exit(code or 0)


def wait_for(child: int, trial: dict[str, Any]) -> tuple[int | None, bool]:
    """Wait for a child, and send it a signal if it is to have one; None if it hangs."""
    with suppress(ProcessLookupError, PermissionError):
        # Whichever comes first.
        os.setpgid(child, child)
    begun = time.monotonic()
    is_signalled = trial.get("signal") is None
    while (now := time.monotonic() - begun) < SECONDS_AT_MOST:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status), ends_group(child)
        if not is_signalled and now >= trial["after"]:
            is_signalled = True
            (os.killpg if trial["is_group"] else os.kill)(child, trial["signal"])
        time.sleep(0.0005)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None, False


def ends_group(child: int) -> bool:
    deadline = time.monotonic() + SECONDS_FOR_WORKERS
    while time.monotonic() < deadline:
        try:
            os.killpg(child, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.001)
    os.killpg(child, signal.SIGKILL)
    return False


def outcome_of(child: int, trial: dict[str, Any], folder: Path) -> dict[str, Any]:
    begun = time.monotonic()
    code, is_ended = wait_for(child, trial)
    said = (folder / "stderr").read_bytes().decode("utf-8", "replace")
    outcome = {
        "code": code,
        "is_ended": is_ended,
        "seconds": time.monotonic() - begun,
        "out": base64.b64encode((folder / "stdout").read_bytes()).decode(),
        "err": said.replace(str(folder / "out"), "{out}"),
        "files": content_below(folder / "out"),
        "temporary": sorted(content_below(folder / "tmp")),
        "counts": [library.fault_count(kind) for kind in range(N_KINDS)],
        "hits": library.fault_hits(),
        "descriptor": library.fault_descriptor(),
    }
    shutil.rmtree(folder)
    return outcome


for ending in ENDING:
    signal.signal(ending, signal.SIG_DFL)
import_everything()
watch_memory()
gc.disable()
gc.freeze()
main_folder = Path(sys.argv[2])
big = main_folder / "big.txt"
big.write_text("".join(f"a b{k % 7} c{k} d{k % 100} e f g h\n" for k in range(N_LINES)), "utf-8")
is_child = False
for n_trials, line in enumerate(sys.stdin):
    trial = json.loads(line)
    folder = main_folder / str(n_trials)
    for path in (folder, folder / "out", folder / "tmp"):
        path.mkdir()
    for name in ("stdout", "stderr"):
        (folder / name).touch()
    for name, content in trial.get("before", {}).items():
        (folder / "out" / name).write_text(content, "utf-8")
    fault = trial.get("fault") or [-1, 0, 0, 0]
    library.fault_prepare(*fault, bool(trial.get("forks")))
    child = os.fork()
    if not child:
        is_child = True
        break
    sys.stdout.write(json.dumps(outcome_of(child, trial, folder)) + "\n")
    sys.stdout.flush()
if is_child:
    prepare(trial, folder)
    library.fault_start()
    if trial.get("is_to_the_end"):
        main()
    try:
        main()
    except SystemExit as ended:
        end_at_once(ended.code)
