"""The same runs print the same bytes in any environment.

Hash seeds, locales, time zones, UTF-8 mode, umask, name of the working directory, number of
processes, and the run before.
"""

import locale
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import HOME_VARIABLES, ROOT, SAMPLE, Finished, Run
from tests.cli.test_jobs import everything_spread

SCORES = ["-n", "2", "-w", "1.2", "-2", "4", "-U", "-m", "-d", "-a", "-r", "50"]
REPORTS = ("classic", "table", "json", "csv", "markdown", "latex")
COMMANDS = [
    *([*SCORES, "--report", report, "config.xml"] for report in REPORTS),
    ["-s", "-n", "1", "-r", "20", "records.jsonl"],
    ["--peers", r"peers/(\w+)\.(?P<system>\w+)\.txt", "--models", r"models/#ID#\.[A-Z]\.txt"],
    ["--dry-run", "-a", "config.xml"],
    ["--jackknife", "-n", "1", "-r", "20", "-a", "config.xml"],
    ["jackknife", "config.xml"],
    ["compare", "-n", "1", "-r", "200", "config.xml"],
    ["correlate", "-n", "1", "--judgements", "judgements.csv", "config.xml"],
    ["convert", "config.xml", "--to", "jsonl", "-o", "-"],
]

PROGRAM = f"""
import gc, locale, os, sys
sys.path.insert(0, {str(ROOT)!r})
locale.setlocale(locale.LC_ALL, "")
from rouge_cli.cli.main import main
for arguments in {COMMANDS!r}:
    # A run closes standard output at its end.
    sys.stdout = open(os.dup(1), "w")
    sys.argv = ["rouge-cli", *arguments]
    try:
        main()
    except SystemExit as ended:
        os.write(1, b"ended with %d\\n" % (ended.code or 0))
print("decimal point", locale.localeconv()["decimal_point"], file=sys.stderr)
"""
"""Runs all in one process, in the locale of the user: the second run has a past too."""


def printed(
    folder: Path, *options: str, umask: int = 0o022, **environment: str
) -> tuple[bytes, str]:
    inherited = ("LC_", "LANG", "TZ", "PYTHON", *HOME_VARIABLES)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(inherited)}
    finished = subprocess.run(
        [sys.executable, *options, "-c", PROGRAM],
        cwd=folder,
        env=kept | environment,
        capture_output=True,
        check=True,
        umask=umask,
    )
    return finished.stdout, finished.stderr.decode().splitlines()[-1].split()[-1]


@pytest.fixture(scope="module")
def expected() -> bytes:
    out, decimal_point = printed(SAMPLE, PYTHONHASHSEED="0", LC_ALL="C.UTF-8", TZ="UTC")
    assert out.count(b"ended with 0\n") == len(COMMANDS)
    assert decimal_point == "."
    return out


@pytest.mark.parametrize(
    ("options", "umask", "environment"),
    [
        ([], 0o022, {"PYTHONHASHSEED": "1", "LC_ALL": "C", "TZ": "Asia/Kolkata"}),
        (["-X", "utf8=0"], 0o077, {
            "PYTHONHASHSEED": "4294967295", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0",
            "TZ": "America/St_Johns",
        }),
    ],
)  # fmt: skip
def test_other_surroundings(
    options: list[str], umask: int, environment: dict[str, str], expected: bytes, tmp_path: Path
) -> None:
    folder = tmp_path / "ein Ordner für Läufe"
    shutil.copytree(SAMPLE, folder)
    assert printed(folder, *options, umask=umask, **environment)[0] == expected


def test_decimal_comma(expected: bytes, tmp_path: Path) -> None:
    # A German locale of Latin-1, made here because few machines have one.
    make = shutil.which("localedef")
    if make is None:
        pytest.skip("no localedef to make a locale with")
    target = str(tmp_path / "de_DE")
    made = subprocess.run(
        [make, "-i", "de_DE", "-f", "ISO-8859-1", target], capture_output=True, check=False
    )
    if not Path(target, "LC_NUMERIC").exists():
        pytest.skip(f"no German locale: {made.stderr.decode(errors='replace')}")
    out, decimal_point = printed(SAMPLE, LOCPATH=str(tmp_path), LC_ALL="de_DE", TZ="Europe/Berlin")
    assert decimal_point == ","
    assert out == expected
    assert locale.localeconv()["decimal_point"] == "."


ALONE = {"jackknife", "convert", "--dry-run", *REPORTS} - {"json"}
SPREAD = [command for command in COMMANDS if not ALONE & set(command)]
"""What is spread over processes: scores, all of which stand in JSON, and studies."""


@pytest.mark.parametrize("command", COMMANDS, ids=[" ".join(one[-3:]) for one in COMMANDS])
def test_the_run_before(command: list[str], run: Run) -> None:
    first = run(*command, cwd=SAMPLE)
    assert run(*command) == first


@pytest.mark.usefixtures("core")
@pytest.mark.parametrize("command", SPREAD, ids=[" ".join(one[-3:]) for one in SPREAD])
def test_number_of_processes(command: list[str], run: Run) -> None:
    end = 1 if command[0] in {"compare", "correlate"} else 0

    def with_jobs(jobs: str) -> Finished:
        return run(*command[:end], "--jobs", jobs, *command[end:])

    # What is measured is small: all that pays for long runs only is made to pay here. The number
    # of values decides how they are added up, so all of these are compared with one another.
    expected = run(*command, cwd=SAMPLE)
    assert with_jobs("2") == expected
    with everything_spread():
        alone = with_jobs("1")
        assert with_jobs("2") == alone
        assert with_jobs("3") == alone
