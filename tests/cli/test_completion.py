"""Words completed in real shells, and the scripts that make them do so."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rouge_cli.cli.group import COMMANDS
from tests.cli.running import ROOT, SAMPLE, Run, python, rouge
from tests.cli.terminal import in_terminal

BASH = """
eval "$(rouge-cli completion bash)"
compopt() { echo "$@"; }
for line; do
  eval "COMP_WORDS=($line)"; COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=()
  _rouge_cli_completion rouge-cli
  printf '%s\\n' "${COMPREPLY[@]}" --
done
"""
"""Completes line after line, and prints two hyphens behind each."""
COMPLETIONS = [
    line.partition(" ->")[::2]
    for line in (Path(__file__).parent / "completions.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
"""Arguments, and the completions of the last one."""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which ``rouge-cli`` is that of this tree."""
    folder = tmp_path_factory.mktemp("bin")
    program = folder / "rouge-cli"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rouge_cli "$@"\n')
    program.chmod(0o755)
    path = f"{folder}:{os.environ['PATH']}"
    kept = {name: os.environ[name] for name in ("LANG", "LC_ALL") if name in os.environ}
    return {**kept, "PATH": path, "PYTHONPATH": str(ROOT), "HOME": str(folder), "TERM": "xterm"}


def needs(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")


def printed(*command: str, environment: dict[str, str]) -> str:
    """Return what a command prints that has nothing to complain of."""
    finished = subprocess.run(
        command, cwd=SAMPLE, env=environment, capture_output=True, text=True, check=True
    )
    assert finished.stderr == ""
    return finished.stdout


def test_bash(environment: dict[str, str]) -> None:
    needs("bash")
    # One shell completes all lines, of which the first is empty.
    typed = [f"rouge-cli {words}" for words, _ in [("''", ""), *COMPLETIONS]]
    out = printed("bash", "--norc", "-c", BASH, "bash", *typed, environment=environment)
    first, *offers = (offer.split("\n") for offer in out.removesuffix("--\n").split("--\n"))
    assert first[: len(COMMANDS)] == list(COMMANDS)
    assert {"config.xml", "files.lst", "peers/"} <= set(first)
    for (words, expected), offer in zip(COMPLETIONS, offers, strict=True):
        assert sorted(filter(None, offer)) == sorted(filter(None, expected.strip().split(", "))), (
            words
        )


@pytest.mark.parametrize(
    ("shell", "options", "start"),
    [
        ("bash", ["--norc", "-i"], b""),
        ("zsh", ["-f", "-i"], b"autoload -U compinit; compinit -u; "),
    ],
)
def test_at_a_prompt(
    shell: str, options: list[str], start: bytes, environment: dict[str, str]
) -> None:
    needs(shell)
    script = b'eval "$(rouge-cli completion ' + shell.encode() + b')"'
    typed = [
        (start + script + b"; echo 'rea''dy'\n", b"ready\r\n"),
        (b"rouge-cli correl\t", b"correlate"),
        (b"\x15rouge-cli config.xml neu\t", b"neural"),
        (b"\x15rouge-cli --report mark\t", b"markdown"),
    ]
    in_terminal([shell, *options], SAMPLE, environment, typed)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("rouge-cli correl", "correlate"),
        ("rouge-cli --report mark", "markdown"),
        ("rouge-cli config.xml neu", "neural"),
        ("rouge-cli compare config.xml --system-id le", "lead"),
        ("rouge-cli -n 2 confi", "config.xml"),
    ],
)
def test_fish(typed: str, expected: str, environment: dict[str, str]) -> None:
    needs("fish")
    program = "rouge-cli completion fish | source; complete -C $argv[1]"
    out = printed("fish", "--no-config", "-c", program, typed, environment=environment)
    assert [line.partition("\t")[0] for line in out.splitlines()] == [expected]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_are_right_for_their_shell(shell: str, run: Run, tmp_path: Path) -> None:
    script = run("completion", shell)
    assert (script.code, script.err) == (0, "")
    assert f"_ROUGE_CLI_COMPLETE={shell}_complete".encode() in script.out
    needs(shell)
    path = tmp_path / "script"
    path.write_bytes(script.out)
    assert subprocess.run([shell, "-n", str(path)], capture_output=True, check=True).stderr == b""


def test_another_shell(run: Run) -> None:
    assert "'tcsh'" in run("completion", "tcsh").misuse


def test_no_slow_parts_for_a_word(environment: dict[str, str]) -> None:
    asked = {"_ROUGE_CLI_COMPLETE": "bash_complete", "COMP_WORDS": "rouge-cli comp"}
    asked |= {"COMP_CWORD": "1", **environment}
    program = (
        "import sys; from rouge_cli.cli.main import main\n"
        "try:\n    main()\nfinally:\n    print('numpy' in sys.modules, file=sys.stderr)"
    )
    finished = python("-c", program, env=asked, cwd=SAMPLE, text=True, check=True)
    assert finished.stdout.splitlines()[:2] == ["plain,compare", "plain,completion"]
    assert finished.stderr == "False\n"


@pytest.mark.parametrize(
    ("line", "word", "expected"),
    [
        ("rouge-cli comp", "comp", ["compare", "completion"]),
        ("rouge-cli score --report ta", "ta", ["table"]),
        ("rouge-cli score config.xml --system-id ", "", ["extract", "lead", "neural"]),
        # PowerShell itself completes names of files.
        ("rouge-cli -o ", "", []),
    ],
)
def test_powershell(line: str, word: str, expected: list[str]) -> None:
    asked = {"COMP_WORDS": line, "COMP_CWORD": word, "_ROUGE_CLI_COMPLETE": "powershell_complete"}
    assert rouge(env=asked, cwd=SAMPLE, text=True).stdout.split() == expected
