"""A folder that passes for a ROUGE-1.5.5 home, for programs that call the original.

It contains word lists, and a script that starts the rouge-cli that wrote it. The folder is written
under another name, tried, and then renamed.
"""

import os
import subprocess
from shlex import quote

from rouge_cli.atomic_files import folder_problem, new_folder, output_errors, write_new
from rouge_cli.data import EXCEPTIONS, STOPWORDS, read_list
from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped
from rouge_cli.version import __version__

SCRIPT = "ROUGE-1.5.5.pl"
EXCEPTIONS_FOLDER = "data/WordNet-2.0-Exceptions"

LICENCE = "WORDNET-LICENSE.txt"  # WordNet's licence, which must accompany every copy

MARK = b"# Written by rouge-cli install-shim"

# The folder in which this package is installed, to be appended to the interpreter's path. Otherwise
# a per-user installation would be found only while HOME is that of the user.
PLACE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# The arguments of the interpreter before those of the original. They contain no double quotes,
# because Perl on Windows does not pass them on.
START = (
    # Ignore the calling program's Python variables.
    "-E",
    # Ignore modules in the working directory, where -c would look first.
    "-P",
    "-c",
    "import sys; sys.path.append(sys.argv.pop(1)); from rouge_cli.__main__ import main; main()",
    PLACE,
    # The command is named, since a configuration might have the name of one, such as convert.
    "score",
)


def home_files(python: str) -> dict[str, bytes]:
    """Return the files of a home: their content by their path, which has slashes.

    `python` is the path of the Python whose rouge-cli the script runs.
    """
    script = perl_script if os.name == "nt" else shell_script
    return {
        SCRIPT: script(python),
        "README.txt": read_list("shim/README.txt"),
        "data/smart_common_words.txt": read_list(STOPWORDS),
        "data/WordNet-2.0.exc.db": read_list("shim/no-database.txt"),
        f"data/{LICENCE}": read_list(LICENCE),
        # One list has all irregular forms, since the original merges its four lists.
        f"{EXCEPTIONS_FOLDER}/noun.exc": read_list(EXCEPTIONS),
        **{f"{EXCEPTIONS_FOLDER}/{name}.exc": b"" for name in ("adj", "adv", "verb")},
    }


def shell_script(python: str) -> bytes:
    """Return the script for a shell, which perl starts too, as the first line names the shell."""
    # Perl runs the interpreter that the first line names, unless the line contains "perl". So the
    # line has no path of this machine, which could contain blanks or "perl", or be too long.
    return _filled("script.sh", python=quote(python), start=" ".join(map(quote, START)))


def perl_script(python: str) -> bytes:
    """Return the script for Windows, in Perl, since programs there call it through perl."""
    escaped_words = (word.replace("\\", "\\\\").replace("'", "\\'") for word in (python, *START))
    return _filled("script.pl", start=", ".join(f"'{word}'" for word in escaped_words))


def check_script(home: str, path: str, python: str) -> None:
    """Raise InputError if the script does not start; `home` is the folder in the message."""
    # Windows does not run scripts by name, and perl may be installed later.
    command = [python, *START] if os.name == "nt" else [path]
    try:
        finished = subprocess.run([*command, "-h"], capture_output=True, check=False)
    except OSError as error:
        raise InputError(
            f"{home}: programs cannot run there: {error.strerror}; name a folder they can run from"
        ) from None
    if finished.returncode:
        output = finished.stderr.decode("utf-8", "replace").strip() or "it says nothing"
        raise InputError(
            f"{home}: ROUGE-1.5.5.pl would not start: {output.splitlines()[-1]}; install rouge-cli "
            "with pip into an environment, and call it from there"
        )


def _filled(template: str, **parts: str) -> bytes:
    text = read_list(f"shim/{template}").decode()
    # Paths that are not UTF-8 keep their bytes.
    text = text.format(mark=MARK.decode(), version=__version__, **parts)
    return text.encode("utf-8", "surrogateescape")


FILE_MODE, SCRIPT_MODE = 0o666, 0o777  # before the user's umask


def install_home(path: str, python: str) -> str:
    """Write a home, or renew an earlier one; return its absolute path, escaped for messages.

    `path` is an earlier home, an empty folder, or does not exist. Raises InputError if the home
    cannot be written or its script does not start; the folder is then unchanged.
    """
    with output_errors(path):
        problem = _problem(path)
    if problem:
        raise InputError(f"{escaped(path)}: {problem}")
    with new_folder(path, renews=True) as draft:
        for name, content in home_files(python).items():
            target = os.path.join(draft, *name.split("/"))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            write_new(target, content, SCRIPT_MODE if name == SCRIPT else FILE_MODE)
        check_script(escaped(path), os.path.join(draft, SCRIPT), python)
    return escaped(os.path.realpath(path))


def _problem(path: str) -> str | None:
    if not path:
        return "no name; name a folder"
    target = os.path.realpath(path)
    if not _is_home(target):
        return folder_problem(target)
    if others := _other_files(target):
        names = ", ".join(map(escaped, others))
        return f"holds more than install-shim writes: {names}; move it away, or name a new folder"
    working_directory = os.path.realpath(os.curdir)
    if os.path.commonpath([working_directory, target]) == target:
        return "the working directory, or around it; go elsewhere, as it is replaced"
    return None


def _is_home(target: str) -> bool:
    try:
        with open(os.path.join(target, SCRIPT), "rb") as file:
            file.readline()
            return file.readline().startswith(MARK)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return False


def _other_files(target: str) -> list[str]:
    inside = [
        os.path.relpath(path, target).replace(os.sep, "/")
        for folder, folders, files in os.walk(target)
        for path in (os.path.join(folder, name) for name in (*folders, *files))
        if os.path.islink(path) or not os.path.isdir(path)
    ]
    return sorted(set(inside) - home_files("").keys())
