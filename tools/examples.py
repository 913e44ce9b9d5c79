"""Run the examples in the documentation, and compare their output with the pages.

    python tools/examples.py          list the examples whose output differs
    python tools/examples.py --write  update the output in the pages

An example is a fenced block in ``sh`` or ``python``. If another fenced block follows it with
nothing in between, that block is its output; ``...`` on a line of its own matches any lines.
Examples of a page run one after another, in a copy of ``fixtures/sample`` beside those of
``fixtures/judgements``, ``fixtures/languages`` and ``fixtures/real-files``. A comment before a
block changes the expectations::

    <!-- exit code 1 -->
    <!-- not run: it needs pyrouge -->
    <!-- needs jieba -->

An example that needs a package is run if it is installed.

The cells of a notebook in ``examples`` run one after another too. What they print, and the value of
the last line, are compared with the outputs stored in the notebook.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

__all__ = [
    "NOTEBOOKS",
    "PAGES",
    "Example",
    "Finished",
    "changed_notebook",
    "examples",
    "run_examples",
    "targets",
]

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    ROOT / "README.md",
    ROOT / "docs" / "index.md",
    *(
        page
        for name in ("guide", "extending")
        for page in sorted((ROOT / "docs" / name).glob("*.md"))
    ),
]
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))
FOLDERS = ("sample", "judgements", "languages", "real-files")

BLOCK = re.compile(
    r"(?:^<!-- (?:exit code (?P<code>\d+)|(?P<skipped>not run: [^\n]*)"
    r"|needs (?P<needed>[\w.]+)) -->\n)?"
    r"^```(?P<language>sh|python)\n(?P<source>.*?)^```\n"
    r"(?:\n```(?!sh\n|python\n)\w+\n(?P<output>.*?)^```\n)?",
    re.MULTILINE | re.DOTALL,
)
END = "\0"
"""Printed behind each Python example, to tell their outputs apart."""


@dataclass(frozen=True, slots=True)
class Example:
    """One block of commands or Python, and its output according to the page."""

    language: str
    source: str
    output: str | None
    code: int
    start: int
    """Where the output begins in the page."""

    @property
    def commands(self) -> list[list[str]]:
        """The words of each command; a backslash at the end of a line continues the command."""
        lines = self.source.replace("\\\n", " ").splitlines()
        return [words for line in lines if (words := shlex.split(line, comments=True))]


@dataclass(frozen=True, slots=True)
class Finished:
    """What an example printed, on both streams, and its exit code."""

    output: str
    code: int

    def is_as_shown(self, example: Example) -> bool:
        """Return whether an example did what the page shows."""
        if self.code != example.code:
            return False
        if example.output is None:
            return True
        pattern = re.escape(example.output).replace(re.escape("...\n"), "(?:.*\n)+")
        return re.fullmatch(pattern, self.output) is not None


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # The package around it is missing.
        return False


def examples(page: Path) -> list[Example]:
    """Return the examples of a page to run; those for ``make`` are left out."""
    found = []
    for match in BLOCK.finditer(page.read_text("utf-8")):
        example = Example(
            match["language"],
            match["source"],
            match["output"],
            int(match["code"] or 0),
            match.start("output"),
        )
        is_possible = not match["needed"] or _is_installed(match["needed"])
        if is_possible and not match["skipped"] and not list(targets(example)):
            found.append(example)
    return found


def targets(example: Example) -> Iterator[str]:
    """Yield the targets that an example makes."""
    if example.language == "sh":
        yield from (words[1] for words in example.commands if words[0] == "make")


Command = Callable[[list[str], Path], Finished]
"""Runs ``rouge-cli`` with some arguments in a folder."""


def run_examples(
    page: Path, folder: Path, command: Command | None = None
) -> list[tuple[Example, Finished]]:
    """Run the examples of a page in an empty folder.

    `command` runs a command line; without it, each one is a process.
    """
    for name in FOLDERS:
        shutil.copytree(ROOT / "fixtures" / name, folder / name)
    found = examples(page)
    programs = iter(_run_python([one.source for one in found if one.language == "python"], folder))
    return [
        (
            example,
            next(programs)
            if example.language == "python"
            else _run_shell(example, folder, command or _rouge_cli),
        )
        for example in found
    ]


def _run_shell(example: Example, folder: Path, command: Command) -> Finished:
    """Run the commands of an example, without a shell."""
    place = folder / "sample"
    printed, code = "", 0
    for program, *arguments in example.commands:
        if program == "cd":
            place /= arguments[0]
            continue
        if program != "rouge-cli":
            raise ValueError(f"an example runs {program}; mark it as '<!-- not run: ... -->'")
        finished = command(arguments, place)
        printed, code = printed + finished.output, finished.code
    return Finished(printed, code)


def _run_python(sources: list[str], folder: Path) -> list[Finished]:
    """Run the Python examples of a page in one process, as a reader would."""
    if not sources:
        return []
    program = "".join(f"{source}print({END!r})\n" for source in sources)
    finished = _python(["-c", program], folder / "sample")
    *outputs, rest = finished.output.split(f"{END}\n")
    # Anything after the last mark is a traceback.
    outputs += [rest] * (len(sources) - len(outputs))
    return [Finished(output, finished.code) for output in outputs]


def _surroundings() -> dict[str, str]:
    """Return the environment of examples, without variables that change their output."""
    unwanted = {"ROUGE_EVAL_HOME", "RED_EVAL_HOME", "COLUMNS"}
    kept = {name: value for name, value in os.environ.items() if name not in unwanted}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}


def _rouge_cli(arguments: list[str], place: Path) -> Finished:
    """Run the command line in a process."""
    return _python(["-m", "rouge_cli", *arguments], place)


def _python(arguments: list[str], place: Path) -> Finished:
    """Run Python; standard output and standard error come together."""
    finished = subprocess.run(
        [sys.executable, *arguments],
        cwd=place,
        env=_surroundings(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return Finished(finished.stdout.decode("utf-8"), finished.returncode)


CELLS = """
import ast, json, sys
from contextlib import redirect_stdout
from io import StringIO

names, outputs = {"__name__": "__main__"}, []
for source in json.load(sys.stdin):
    *body, last = ast.parse(source).body
    printed, value = StringIO(), None
    with redirect_stdout(printed):
        if isinstance(last, ast.Expr):
            exec(compile(ast.Module(body, []), "cell", "exec"), names)
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
        else:
            exec(compile(source, "cell", "exec"), names)
    outputs.append([printed.getvalue(), None if value is None else repr(value)])
json.dump(outputs, sys.stdout)
"""
"""Runs cells as a notebook does, all in one namespace."""


def changed_notebook(notebook: Path, folder: Path) -> str:
    """Run the cells of a notebook in a folder, and return it with what they print.

    Raises CalledProcessError, with a traceback, if a cell fails.
    """
    content = json.loads(notebook.read_text("utf-8"))
    cells = [cell for cell in content["cells"] if cell["cell_type"] == "code"]
    finished = subprocess.run(
        [sys.executable, "-c", CELLS],
        input=json.dumps(["".join(cell["source"]) for cell in cells]),
        cwd=folder,
        env=_surroundings(),
        stdout=subprocess.PIPE,
        check=True,
        encoding="utf-8",
    )
    for number, (cell, output) in enumerate(
        zip(cells, json.loads(finished.stdout), strict=True), start=1
    ):
        cell |= {"execution_count": number, "outputs": list(_cell_outputs(number, *output))}
    return f"{json.dumps(content, indent=1, ensure_ascii=False)}\n"


def _cell_outputs(number: int, printed: str, value: str | None) -> Iterator[dict[str, object]]:
    """Yield the outputs of a cell as a notebook has them."""
    if printed:
        lines = printed.splitlines(keepends=True)
        yield {"name": "stdout", "output_type": "stream", "text": lines}
    if value is not None:
        yield {
            "data": {"text/plain": value.splitlines(keepends=True)},
            "execution_count": number,
            "metadata": {},
            "output_type": "execute_result",
        }


def main(arguments: list[str]) -> int:
    """Run all examples; return 1 if an output differs and was not updated."""
    code = 0
    for notebook in NOTEBOOKS:
        with tempfile.TemporaryDirectory() as folder:
            changed = changed_notebook(notebook, Path(folder))
        if changed != notebook.read_text("utf-8"):
            print(f"{notebook.relative_to(ROOT)}: its outputs have changed")
            if "--write" in arguments:
                notebook.write_text(changed, "utf-8")
            else:
                code = 1
    for page in PAGES:
        with tempfile.TemporaryDirectory() as folder:
            finished = run_examples(page, Path(folder))
        text = page.read_text("utf-8")
        for example, result in reversed(finished):
            if result.is_as_shown(example):
                continue
            command = example.source.splitlines()[0]
            print(f"{page.relative_to(ROOT)}: {command}: exit code {result.code}")
            if example.output is None or result.code != example.code:
                print(result.output)
                code = 1
            elif "--write" in arguments:
                end = example.start + len(example.output)
                text = text[: example.start] + result.output + text[end:]
            else:
                code = 1
        page.write_text(text, "utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
