"""Run the command line in this process and give back what it printed, byte by byte."""

import gc
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from rouge_cli.atomic_files import ENDING_SIGNALS
from rouge_cli.cli import process
from rouge_cli.cli.group import COMMANDS
from rouge_cli.cli.main import main

HOME_VARIABLES = ("ROUGE_EVAL_HOME", "RED_EVAL_HOME")
ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "fixtures" / "sample"
JUDGED = ROOT / "fixtures" / "judgements"
"""Ten systems, twelve EVALs, and judgements of them."""
SECONDS = 120


def python(
    *words: str | Path, env: dict[str, str] | None = None, check: bool = False, **more: Any
) -> "subprocess.CompletedProcess[Any]":
    """Run Python where the package is found; it would be killed if it waited for ever."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT), **(env or {})}
    given = {"capture_output": True, "timeout": SECONDS} | more
    return subprocess.run([sys.executable, *words], env=variables, check=check, **given)


def write_files(folder: Path, files: Mapping[str, bytes | str]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def eval_xml(
    eval_id: object,
    peers: Mapping[str, object],
    models: Mapping[str, object],
    *,
    roots: tuple[str, str] = (".", "."),
    form: str = "SPL",
) -> str:
    """Return an EVAL of a configuration: names of files by the IDs of systems and of models."""
    rows = (
        "".join(f'<{tag} ID="{one}">{name}</{tag}>' for one, name in files.items())
        for tag, files in (("P", peers), ("M", models))
    )
    return (
        '<EVAL ID="{}"><PEER-ROOT>{}</PEER-ROOT><MODEL-ROOT>{}</MODEL-ROOT>'
        '<INPUT-FORMAT TYPE="{}"/><PEERS>{}</PEERS><MODELS>{}</MODELS></EVAL>'
    ).format(eval_id, *roots, form, *rows)


def write_records(path: Path, records: Iterable[object]) -> None:
    """Write JSONL: records, saved scores or judgements."""
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), "utf-8")


def records_of(path: Path) -> list[dict[str, Any]]:
    """Return what stands in JSONL."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def started(*words: str, env: dict[str, str] | None = None, **more: Any) -> "subprocess.Popen[Any]":
    """Start ``rouge-cli`` in a process of its own, with pipes unless other streams are given."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT), **(env or {})}
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | more
    return subprocess.Popen([sys.executable, "-m", "rouge_cli", *words], env=variables, **given)


def limited_files(n_bytes: int) -> str:
    """Return a program, ``rouge-cli`` for which no file may be larger."""
    return (
        f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({n_bytes}, {n_bytes}));"
        "from rouge_cli.cli.main import main; main()"
    )


def rouge(*words: str, **more: Any) -> "subprocess.CompletedProcess[Any]":
    """Run ``rouge-cli`` in a process of its own."""
    return python("-m", "rouge_cli", *words, **more)


def counts_of_classic(out: bytes) -> tuple[int, int, int]:
    """Return model count, peer count and hit of the only metric of a report with ``-t 2``."""
    _, model_count, _, peer_count, _, hit = out.splitlines()[1].split()[2:]
    return int(model_count), int(peer_count), int(hit)


DOUBT = "Warning: intervals "


@dataclass(frozen=True)
class Finished:
    """What a run left behind.

    `doubts` are the lines on standard error on intervals of few EVALs, which nearly all tests have;
    `err` has the others.
    """

    code: int
    out: bytes
    err: str
    doubts: str = field(default="", compare=False)

    @property
    def error_lines(self) -> list[str]:
        """What is said on standard error, less the usage before it."""
        lines = self.err.splitlines()
        return [line for line in lines if line and not line.startswith(("Usage: ", "Try "))]

    def _said_with(self, code: int) -> str:
        assert (self.code, self.out) == (code, b"")
        return "\n".join(self.error_lines)

    @property
    def misuse(self) -> str:
        """What is said of wrong arguments, by a run that prints nothing else."""
        return self._said_with(2)

    @property
    def refusal(self) -> str:
        """What is said of input that cannot be used, by a run that prints nothing else."""
        return self._said_with(3)


def others(said: str) -> str:
    """Return what is said on standard error beside doubts about intervals."""
    lines = said.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(DOUBT))


Run = Callable[..., Finished]
"""Called with the arguments and, by name, the working directory: ``run("-n1", "c.xml", cwd=d)``."""


def json_of(run: Run, *arguments: str) -> Any:
    """Return the JSON report of a run that goes well."""
    finished = run(*arguments, "--report", "json")
    assert finished.code == 0, finished.err
    return json.loads(finished.out)


def runner(monkeypatch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[bytes]) -> Run:
    """Return a function that runs ``rouge-cli``, as an empty environment has it run."""
    for name in (*HOME_VARIABLES, "COLUMNS", "ROUGE_CLI_JOBS"):
        monkeypatch.delenv(name, raising=False)

    hook = sys.unraisablehook
    handlers = {number: signal.getsignal(number) for number in ENDING_SIGNALS}

    def run(*arguments: str, cwd: Path | None = None) -> Finished:
        if cwd is not None:
            monkeypatch.chdir(cwd)
        monkeypatch.setattr("sys.argv", ["rouge-cli", *arguments])
        capture.readouterr()
        for number in ENDING_SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        try:
            with pytest.raises(SystemExit) as ended:
                main()
        finally:
            # A run is the last thing a process does and may leave this as it likes; here others
            # follow.
            gc.enable()
            process._signalled.clear()
            sys.unraisablehook = hook
            for number, handler in handlers.items():
                signal.signal(number, handler)
        out, err = capture.readouterr()
        code = ended.value.code
        assert code is None or isinstance(code, int)
        said = err.decode("utf-8", "replace")
        doubts = [line for line in said.splitlines(keepends=True) if line.startswith(DOUBT)]
        return Finished(code or 0, out, others(said), "".join(doubts))

    return run


CHOOSE_REPORT = (
    *("--report", "--score-only", "--dry-run", "--protocol", "--cite", "--help", "-h", "-H"),
    *("--worst", "--best", "--against", "--texts", "--version", "--preset"),
)
CHOOSE_METRICS = (
    *("-n", "-x", "-w", "-2", "-3", "--pairwise-lcs", "--soft", "--lcs", "--preset"),
    *("--protocol", "--no-lcs", "--max-ngram"),
)


def as_original(run: Run, *, lcs: bool = True) -> Run:
    """Return ``run`` with the report and the metric of ROUGE-1.5.5, unless arguments choose others.

    Tables are the default for what the original does not read; tests of reading compare its lines.
    """

    def run_as_original(*arguments: str, cwd: Path | None = None) -> Finished:
        words = [*arguments]
        is_score = bool(words) and words[0] not in {*COMMANDS} - {"score"}
        added = []
        if is_score and not any(word.startswith(CHOOSE_REPORT) for word in words):
            added += ["--report", "classic"]
        if lcs and is_score and not any(word.startswith(CHOOSE_METRICS) for word in words):
            added += ["--lcs"]
        place = words[:1] == ["score"]
        return run(*words[:place], *added, *words[place:], cwd=cwd)

    return run_as_original
