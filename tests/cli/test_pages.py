"""README, guide and reference: examples print what the pages show, and all links have a target."""

import json
import re
import shutil
import signal
import subprocess
import sys
from contextlib import redirect_stderr
from pathlib import Path

import pytest

from rouge_cli.cli.group import COMMANDS
from rouge_cli.cli.process import EXIT_FAULT, EXIT_INTERRUPTED, EXIT_UNMET, EXIT_UNUSABLE
from rouge_cli.inputs.layout import parse_file_list
from rouge_cli.inputs.sentences import ELEMENTS_FORMAT, SENTENCE_FORMATS, read_simple
from rouge_cli.inputs.xml_config import parse_config
from rouge_cli.run.pipeline import INSTANCES_THAT_PAY
from tests.cli.running import ROOT, SAMPLE, Run
from tools.examples import (
    BLOCK,
    NOTEBOOKS,
    PAGES,
    Finished,
    changed_notebook,
    examples,
    run_examples,
)

DOCS = ROOT / "docs"
GUIDE = DOCS / "guide"
SITE = "https://rouge-cli.github.io/rouge-cli/"
REPOSITORY = "https://github.com/rouge-cli/rouge-cli/blob/main/"
DOCUMENTS = sorted(
    {
        *ROOT.glob("*.md"),
        *DOCS.rglob("*.md"),
        *(ROOT / "benchmarks").glob("*.md"),
        *ROOT.glob("fixtures/*/README.md"),
    }
)
README = (ROOT / "README.md").read_text("utf-8")
LONGEST_README = 110
SENTENCES = b"The ferry ran aground.\nNobody was hurt."


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def example(page: str, after: str) -> str:
    text = (GUIDE / page).read_text("utf-8")
    (block,) = re.findall(rf"^{after}.*?^```\w+\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert isinstance(block, str)
    return block


@pytest.mark.parametrize("page", [page for page in PAGES if examples(page)], ids=named)
def test_examples(page: Path, tmp_path: Path, run: Run) -> None:
    def command(arguments: list[str], folder: Path) -> Finished:
        with redirect_stderr(sys.stdout):
            finished = run(*arguments, cwd=folder)
        return Finished(finished.out.decode(), finished.code)

    for shown, finished in run_examples(page, tmp_path, command):
        printed = f"{shown.source}\nexit code {finished.code}\n{finished.output}"
        assert finished.is_as_shown(shown), printed


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=named)
def test_notebooks(notebook: Path, tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    assert changed_notebook(notebook, tmp_path) == notebook.read_text("utf-8")


def test_a_cell_that_fails(tmp_path: Path) -> None:
    cells = [{"cell_type": "code", "source": [source]} for source in ("a = 1", "a + b")]
    (tmp_path / "n.ipynb").write_text(json.dumps({"cells": cells}))
    with pytest.raises(subprocess.CalledProcessError):
        changed_notebook(tmp_path / "n.ipynb", tmp_path)
    cells[1]["source"] = ["print(a)\n", "a + 1"]
    (tmp_path / "n.ipynb").write_text(json.dumps({"cells": cells}))
    *_, cell = json.loads(changed_notebook(tmp_path / "n.ipynb", tmp_path))["cells"]
    assert [output.get("text") or output["data"] for output in cell["outputs"]] == [
        ["1\n"],
        {"text/plain": ["2"]},
    ]


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_command_is_an_example(page: Path) -> None:
    text = page.read_text("utf-8")
    fences = re.findall(r"^```(?:sh|python)$", text, re.MULTILINE)
    assert len(fences) == len(BLOCK.findall(text))


def test_readme() -> None:
    assert len(README.splitlines()) <= LONGEST_README
    # They work in a clone; setup.py rewrites them for the package index.
    assert not [link for link in links(README) if link.startswith((SITE, REPOSITORY))]
    # The demo is the run that the page shows.
    makefile = (ROOT / "Makefile").read_text("utf-8")
    line = "rouge-cli records.jsonl"
    assert f"```sh\n{line}\n```" in README
    assert f'In fixtures/sample: {line}"' in makefile
    assert f"/{line}\n".replace("rouge-cli", 'rouge-cli"') in makefile


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_lines_end_cleanly_and_targets_exist(document: Path) -> None:
    text = document.read_text("utf-8")
    assert text.endswith("\n")
    assert not [line for line in text.splitlines() if line != line.rstrip()]
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in re.findall(r"(?:`|^)make ([a-z][\w-]*)", text, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_only_the_name_of_the_program_changes(tmp_path: Path, run: Run) -> None:
    before = example("getting-started.md", "Only the name of the program changes").split()
    after = example("getting-started.md", "After:").split()
    assert before[1:] == after[1:]
    shutil.copytree(SAMPLE, tmp_path, dirs_exist_ok=True)
    (tmp_path / "data").mkdir()
    named_home = run(*after[1:], cwd=tmp_path)
    assert named_home.code == 0
    # The page says that `-e data` may be left out.
    shorter = [word for word in after if word not in ("-e", "data")]
    assert run(*shorter[1:]).out == named_home.out


def test_every_command_and_layout_has_an_example() -> None:
    guide = "".join(page.read_text("utf-8") for page in PAGES)
    assert all(f"rouge-cli {name}" in guide for name in COMMANDS)
    commands = "".join(one.source for page in PAGES for one in examples(page))
    for name in ("config.xml", "-z SPL", "--peers", "--duc", "--peer-lines", ".jsonl", "convert"):
        assert name in commands


def test_inputs_that_name_files() -> None:
    config = example("inputs.md", "## XML config").encode()
    (evaluation,), _ = parse_config(config, "inputs.md")
    names = [model.name for model in evaluation.models]
    assert names == ["models/ferry.A.txt", "models/ferry.B.txt"]
    assert {system: peer.name for system, peer in evaluation.peers.items()} == {
        "lead": "peers/ferry.lead.txt",
        "neural": "peers/ferry.neural.txt",
    }
    file_list = example("inputs.md", "## File list").encode()
    listed = parse_file_list(file_list, "inputs.md", format="SPL", system_id="X")
    assert [evaluation.id for evaluation in listed] == ["1", "2"]
    for one in (evaluation, *listed):
        for source in (*one.models, *one.peers.values()):
            assert (SAMPLE / source.name).is_file()


def test_text_examples() -> None:
    examples_of = {
        name: example("inputs.md", rf"\*\*{name}\*\*").encode()
        for name in (*SENTENCE_FORMATS, ELEMENTS_FORMAT)
    }
    for name, form in SENTENCE_FORMATS.items():
        assert form.read(examples_of[name]) == SENTENCES + b"\n" * (name == "SPL")
    elements = read_simple(examples_of[ELEMENTS_FORMAT], "inputs.md")
    assert elements == ((b"ran", b"ferry", b"subj"), (b"nobody", b"nil", b"nil"))


def test_line_files() -> None:
    lines = (SAMPLE / "lines" / "neural.txt").read_bytes().splitlines(True)
    assert example("inputs.md", "## Line files").encode() == lines[3]
    # Those of the sample are the texts of its other layouts.
    for path in (SAMPLE / "lines").iterdir():
        folder = SAMPLE / ("models" if path.stem in "AB" else "peers")
        texts = [
            (folder / f"{topic}.{path.stem}.txt").read_bytes().splitlines()
            for topic in ("ferry", "bridge", "comet", "harvest")
        ]
        assert [line.split(b"<q>") for line in path.read_bytes().splitlines()] == texts


def test_long_runs() -> None:
    page = " ".join((GUIDE / "options.md").read_text("utf-8").split())
    assert f"and runs of {INSTANCES_THAT_PAY:,} predictions or more use processes" in page


def test_exit_codes(run: Run, tmp_path: Path) -> None:
    page = (DOCS / "reference" / "exit-codes.md").read_text("utf-8")
    codes = [int(code) for code in re.findall(r"^\| (\d+) \|", page, re.MULTILINE)]
    ended = [128 + getattr(signal, "SIGHUP", 1), EXIT_INTERRUPTED, 128 + signal.SIGTERM]
    assert codes == [0, EXIT_UNMET, 2, EXIT_UNUSABLE, EXIT_FAULT, *ended]
    shutil.copytree(SAMPLE, tmp_path, dirs_exist_ok=True)
    names = "peers/lost.txt models/ferry.A.txt\npeers/bridge.lead.txt models/lost.txt\n"
    (tmp_path / "lost.lst").write_text(names)
    finished = run("-n1", "-z", "SPL", "lost.lst", cwd=tmp_path)
    (shown,) = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert (finished.err, finished.code) == (shown, EXIT_UNUSABLE)


def links(text: str) -> list[str]:
    prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"\]\(([^)\s]*)\)", prose)


def anchors(path: Path) -> set[str]:
    text = path.read_text("utf-8")
    for included in re.findall(r"^```{include} (.*)", text, re.MULTILINE):
        text += (path.parent / included).read_text("utf-8")
    headings = re.findall(r"^#+ (.*)", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_links_lead_somewhere(document: Path) -> None:
    for link in links(document.read_text("utf-8")):
        name, _, anchor = link.partition("#")
        if name.startswith(SITE):
            target = DOCS / name.removeprefix(SITE).replace(".html", ".md")
        elif name.startswith(REPOSITORY):
            target = ROOT / name.removeprefix(REPOSITORY)
        elif name.startswith(("https://", "mailto:")):
            continue
        else:
            target = document.parent / name if name else document
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_every_page_is_in_the_contents() -> None:
    contents = set(re.findall(r"^[\w/-]+$", (DOCS / "index.md").read_text("utf-8"), re.MULTILINE))
    pages = {path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")}
    assert pages - contents == {"index"}
