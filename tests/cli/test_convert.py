"""``rouge-cli convert``: what it writes scores the same, and is written whole or not at all."""

import errno
import io
import os
import re
import shlex
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from rouge_cli.conversion import TextFiles
from tests.cli.parallel import some_texts
from tests.cli.running import Finished, Run, eval_xml, write_files

AS_ORIGINAL = {"lcs": True}
EVERYTHING = ["-n", "2", "-m", "-w", "1.2", "-2", "4", "-U", "-r", "50"]


def write_config(folder: Path, *systems: str, eval_ids: Sequence[str] = ("1",)) -> None:
    """Write ``config.xml`` with the same two sentences everywhere."""
    write_files(folder, dict.fromkeys("pm", b"a b\nc\n"))
    evals = [eval_xml(id_, dict.fromkeys(systems, "p"), {"0": "m"}) for id_ in eval_ids]
    (folder / "config.xml").write_text(f"<ROUGE-EVAL>{''.join(evals)}</ROUGE-EVAL>", "utf-8")


def converted(run: Run, kind: str, *options: str) -> tuple[bytes, Finished]:
    """Convert ``config.xml`` to ``out``, and return what the commands print that are said."""
    finished = run("convert", "config.xml", "--to", *kind.split(), "-o", "out")
    assert (finished.code, finished.out) == (0, b"")
    printed, folder = b"", Path.cwd()
    for line in finished.err.splitlines():
        if line.startswith("  ") and "ROUGE-1.5.5.pl" not in line:
            words = shlex.split(line)
            place = words.index("rouge-cli")
            printed += run(*options, *words[place + 1 :], cwd=folder / "out"[: 3 * place]).out
    os.chdir(folder)
    return printed, finished


@pytest.mark.parametrize(
    "kind",
    ["xml", "xml --text-format SEE", "xml --text-format isi", "list", "list --text-format SEE",
     "lines", "jsonl"],
)  # fmt: skip
def test_the_commands_that_are_said_score_the_same(kind: str, run: Run, tmp_path: Path) -> None:
    some_texts(12, systems="abc", n_models=2).write_files(tmp_path)
    # Lists are scored one by one, and each prints its EVALs in front of its own system.
    options = EVERYTHING if kind.startswith("list") else [*EVERYTHING, "-d"]
    expected = run(*options, "-a", "config.xml", cwd=tmp_path)
    assert converted(run, kind, *options)[0] == expected.out


@pytest.mark.parametrize("kind", ["list", "lines"])
def test_a_system_like_an_option(kind: str, run: Run, tmp_path: Path) -> None:
    write_config(tmp_path, "-a")
    expected = run("-a", "config.xml", cwd=tmp_path)
    assert converted(run, kind)[0] == expected.out


def test_ids_that_only_xml_holds(run: Run, tmp_path: Path) -> None:
    write_config(tmp_path, "a", " ", eval_ids=["1&#9;2"])
    expected = run("-d", "-a", "config.xml", cwd=tmp_path)
    assert converted(run, "xml", "-d")[0] == expected.out


def test_models_of_one_id_are_numbered(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {name: f"a {name}\n" for name in "pmn"})
    config = eval_xml("1", {"us": "p"}, {"A": "m"})
    config = config.replace("</MODELS>", '<M ID="A">n</M></MODELS>')
    (tmp_path / "config.xml").write_text(f"<R>{config}</R>")
    expected = run("-n1", "-d", "-a", "config.xml", cwd=tmp_path).out
    # The last file of the ID counts twice: a of "a n", both times.
    assert b"us ROUGE-1 Eval 1.us R:0.50000 P:0.50000" in expected
    assert converted(run, "xml", "-n1", "-d")[0] == expected
    config = (tmp_path / "out" / "config.xml").read_text()
    assert re.findall('<M ID="(.*?)">', config) == ["1", "2"]


def test_ids_that_xml_cannot_hold(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, dict.fromkeys("pm", b"a\n"))
    lines = ["--peer-lines", "a\x01=p", "--peer-lines", "\udcff=p", "--model-lines", "m"]
    finished = run("convert", *lines, "--to", "xml", "-o", "out", cwd=tmp_path)
    assert finished.refusal.splitlines() == [
        "Error: system ID 'a\\x01': XML cannot hold it; use --to list, which needs no IDs",
        "Error: system ID '\\udcff': XML cannot hold it; use --to list, which needs no IDs",
    ]
    said = run("convert", *lines, "--to", "list", "-o", "out").err.splitlines()
    assert "  cd out && rouge-cli -z SPL %FF.lst $'\\xff'" in said
    assert "  cd out && rouge-cli -z SPL a%01.lst $'\\x61\\x01'" in said


class EndsOnce(io.BytesIO):
    """A file in memory that cannot be read at its end, as if a disk were broken."""

    def readlines(self, hint: int | None = -1, /) -> list[bytes]:
        if self.tell() == len(self.getvalue()):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return super().readlines(hint)


def test_a_fault_after_the_last_record(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some_texts(5).write_files(tmp_path)
    words = ("convert", "-z", "SPL", "X.lst", "--to", "jsonl", "-o")
    assert run(*words, "r.jsonl", cwd=tmp_path).code == 0
    expected = (tmp_path / "r.jsonl").read_bytes()
    assert run(*words, "-").out == expected
    monkeypatch.setattr(tempfile, "TemporaryFile", EndsOnce)
    finished = run(*words, "-")
    assert (finished.out, finished.code) == (expected, 0)


def test_the_working_directory(run: Run, tmp_path: Path) -> None:
    write_config(tmp_path, "a")
    (tmp_path / "empty").mkdir()
    finished = run("convert", "../config.xml", "--to", "xml", "-o", ".", cwd=tmp_path / "empty")
    assert finished.refusal == "Error: -o/--output: .: the working directory; name a folder in it"


def test_no_permission(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_config(tmp_path, "a")
    monkeypatch.setattr("os.access", staticmethod(lambda path, mode: not mode & os.W_OK))
    finished = run("convert", "config.xml", "--to", "xml", "-o", "new", cwd=tmp_path)
    assert finished.error_lines == [
        f"Error: -o/--output: new: no permission to make folders in '{tmp_path}'"
    ]


@pytest.mark.parametrize(
    ("raised", "code", "message"),
    [
        (OSError(errno.ENOSPC, "No space left"), 3, "Error: {}: cannot be written: No space left"),
        (KeyboardInterrupt(), 130, "Interrupted: nothing is printed."),
        (SystemExit(143), 143, None),
    ],
    ids=["full", "interrupted", "ended"],
)
@pytest.mark.parametrize("kind", ["xml", "list", "lines", "jsonl"])
def test_whole_or_not_at_all(
    *,
    kind: str,
    raised: BaseException,
    code: int,
    message: str | None,
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write_config(tmp_path, "a", eval_ids=["1", "2"])
    (tmp_path / "out.jsonl").write_text("as it was")
    before = sorted(os.listdir(tmp_path))
    calls = []

    def fail_later(*arguments: object) -> list[bytes]:
        calls.append(arguments)
        if len(calls) > 3:
            raise raised
        return []

    if kind in ("xml", "list"):
        monkeypatch.setattr(TextFiles, "_write", fail_later)
    else:
        monkeypatch.setattr("rouge_cli.conversion.sentences_of", fail_later)
    path = "out.jsonl" if kind == "jsonl" else "out"
    finished = run("convert", "config.xml", "--to", kind, "-o", path, cwd=tmp_path)
    assert (finished.code, finished.out) == (code, b"")
    assert finished.error_lines == ([message.format(path)] if message else [])
    assert sorted(os.listdir(tmp_path)) == before
    assert (tmp_path / "out.jsonl").read_text() == "as it was"
