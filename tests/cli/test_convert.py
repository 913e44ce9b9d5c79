"""``rouge-cli convert``: what it writes, what it says, and what it refuses."""

import errno
import io
import json
import os
import re
import shlex
import tempfile
from pathlib import Path
from typing import Any

import pytest

from rouge_cli.conversion import TextFiles
from tests.cli.parallel import some_texts
from tests.cli.running import Finished, Run, eval_xml, write_files

AS_ORIGINAL = {"lcs": True}
EVERYTHING = ["-n", "2", "-m", "-w", "1.2", "-2", "4", "-U", "-r", "50"]
INPUT_ERROR = 3


def commands_in(finished: Finished) -> list[str]:
    return [line.strip() for line in finished.err.splitlines() if line.startswith("  ")]


def run_printed(command: str, run: Run, folder: Path, *options: str) -> Finished:
    words = shlex.split(command)
    if words[0] == "cd":
        folder = folder / words[1]
        words = words[3:]
    assert words[0] == "rouge-cli"
    return run(*options, *words[1:], cwd=folder)


def convert(run: Run, *arguments: str, cwd: Path) -> Finished:
    finished = run("convert", *arguments, cwd=cwd)
    assert (finished.code, finished.out) == (0, b"")
    return finished


def copied(folder: Path) -> Path:
    texts = some_texts(12, systems="abc", n_models=2)
    texts.write_files(folder)
    return folder


@pytest.mark.parametrize("form", [[], ["--text-format", "SEE"], ["--text-format", "isi"]])
def test_xml(form: list[str], run: Run, tmp_path: Path) -> None:
    expected = run(*EVERYTHING, "-d", "-a", "config.xml", cwd=copied(tmp_path))
    finished = convert(run, "config.xml", "--to", "xml", "-o", "out", *form, cwd=tmp_path)
    name = form[1].upper() if form else "SPL"
    assert finished.err.splitlines() == [
        f"Written to out: 12 texts, 3 systems, {name} format. To score:",
        "  cd out && rouge-cli -a config.xml",
        "  cd out && ROUGE-1.5.5.pl -a config.xml",
    ]
    found = run_printed(commands_in(finished)[0], run, tmp_path, *EVERYTHING, "-d")
    assert (found.out, found.code) == (expected.out, 0)


def test_list(run: Run, tmp_path: Path) -> None:
    expected = run(*EVERYTHING, "-a", "config.xml", cwd=copied(tmp_path))
    finished = convert(run, "config.xml", "--to", "list", "-o", "out", cwd=tmp_path)
    head, *commands = finished.err.splitlines()
    assert head == ("Written to out: 12 texts, 3 systems with a list each, SPL format. To score:")
    assert commands[:2] == [
        "  cd out && rouge-cli -z SPL a.lst a",
        "  cd out && ROUGE-1.5.5.pl -z SPL a.lst a",
    ]
    printed = (run_printed(one, run, tmp_path, *EVERYTHING).out for one in commands[::2])
    found = b"".join(printed)
    assert found == expected.out
    row = (tmp_path / "out" / "b.lst").read_text().splitlines()[2]
    assert row == "peers/b/3.txt models/3.1.txt models/3.2.txt"


def test_lines(run: Run, tmp_path: Path) -> None:
    expected = run(*EVERYTHING, "-d", "-a", "config.xml", cwd=copied(tmp_path))
    finished = convert(run, "config.xml", "--to", "lines", "-o", "a b", cwd=tmp_path)
    assert finished.err.splitlines() == [
        "Written to 'a b': 12 texts, 3 systems, one text per line. To score:",
        "  cd 'a b' && rouge-cli --peer-lines a=peers/a.txt --peer-lines b=peers/b.txt "
        "--peer-lines c=peers/c.txt --model-lines models/1.txt --model-lines models/2.txt "
        "--sentence-separator '<q>'",
    ]
    found = run_printed(commands_in(finished)[0], run, tmp_path, *EVERYTHING, "-d")
    assert (found.out, found.code) == (expected.out, 0)


@pytest.mark.parametrize("to_screen", [False, True])
def test_records(to_screen: bool, run: Run, tmp_path: Path) -> None:
    expected = run(*EVERYTHING, "-d", "-a", "config.xml", cwd=copied(tmp_path))
    path = "-" if to_screen else "out.jsonl"
    finished = run("convert", "config.xml", "--to", "jsonl", "-o", path)
    assert finished.code == 0
    if to_screen:
        Path("out.jsonl").write_bytes(finished.out)
    name, command = ("standard output", "--records-format JSONL -") if to_screen else (path, path)
    assert finished.err.splitlines() == [
        f"Written to {name}: 12 texts, 3 systems, 36 records. To score:",
        f"  rouge-cli {command}",
    ]
    assert run(*EVERYTHING, "-d", "out.jsonl").out == expected.out


class EndsOnce(io.RawIOBase):
    """A file in memory whose end can be read once; after that a disk is broken."""

    def __init__(self) -> None:
        self.inner = io.BytesIO()
        self.n_ends = 0

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, place: int, whence: int = 0) -> int:
        return self.inner.seek(place, whence)

    def write(self, content: Any) -> int:
        return self.inner.write(content)

    def readinto(self, buffer: Any) -> int:
        n_read = self.inner.readinto(buffer)
        self.n_ends += not n_read
        if self.n_ends > 1:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return n_read


def test_a_fault_after_the_last_record(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some_texts(5).write_files(tmp_path)
    expected = run("convert", "-z", "SPL", "X.lst", "--to", "jsonl", "-o", "-", cwd=tmp_path)
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda: io.BufferedRandom(EndsOnce()))
    found = run("convert", "-z", "SPL", "X.lst", "--to", "jsonl", "-o", "-", cwd=tmp_path)
    assert (found.out, found.code) == (expected.out, 0)


def test_a_record(run: Run, tmp_path: Path) -> None:
    # Half of a surrogate pair, which JSON writes as its number.
    (tmp_path / "p").write_bytes("caf\udce9\n\n \nend".encode("utf-8", "surrogatepass"))
    (tmp_path / "m").write_bytes("日本".encode())
    (tmp_path / "n").write_bytes(b"")
    (tmp_path / "f.lst").write_text("p m n\n")
    convert(run, "-z", "SPL", "f.lst", "me", "--to", "jsonl", "-o", "new.txt", cwd=tmp_path)
    content = (tmp_path / "new.txt").read_bytes()
    assert rb"caf\udce9" in content
    assert [json.loads(line) for line in content.splitlines()] == [
        {
            "id": "1",
            "system": "me",
            "prediction": ["caf\udce9", " ", "end"],
            "references": [["日本"], [""]],
        }
    ]


@pytest.mark.parametrize("path", ["new.jsonl", "-"])
def test_texts_that_records_cannot_hold(run: Run, tmp_path: Path, path: str) -> None:
    write_files(tmp_path, {"p": "caf\xe9".encode("latin-1"), "m": b"a", "q": b"b"})
    # Both halves of a pair, each encoded: as JSON they would be one character, of four bytes.
    (tmp_path / "n").write_bytes("\ud800\udc00".encode("utf-8", "surrogatepass"))
    (tmp_path / "f.lst").write_text("p m n\nq m p\n")
    finished = run("convert", "-z", "SPL", "f.lst", "--to", "jsonl", "-o", path, cwd=tmp_path)
    what = "not UTF-8, and records can hold no other bytes; use --to list, which keeps them, or"
    assert finished.err == "".join(
        f"Error: text {eval_id}: {name}: {what} save it as UTF-8\n"
        for eval_id, name in [(1, "p"), (1, "n"), (2, "p")]
    )
    assert (finished.code, finished.out) == (INPUT_ERROR, b"")
    assert not (tmp_path / "new.jsonl").exists()


def test_a_record_of_text_is_plain(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"p": "日本", "m": "日本", "f.lst": "p m\n"})
    convert(run, "-z", "SPL", "f.lst", "--to", "jsonl", "-o", "new.jsonl", cwd=tmp_path)
    assert "日本".encode() in (tmp_path / "new.jsonl").read_bytes()


def test_ids_that_have_to_be_renumbered(run: Run, tmp_path: Path) -> None:
    copied(tmp_path)
    config = (tmp_path / "config.xml").read_text()
    for number, letter in zip(range(12, 0, -1), "lbckdeafgjih", strict=True):
        config = config.replace(f'EVAL ID="{number}"', f'EVAL ID="{letter}"')
    (tmp_path / "letters.xml").write_text(config)
    expected = run(*EVERYTHING, "-a", "letters.xml", cwd=tmp_path).out
    for kind in ("list", "lines"):
        finished = convert(run, "letters.xml", "--to", kind, "-o", kind, cwd=tmp_path)
        # Each command stands there for the original too, but for lines.
        printed = [one for one in commands_in(finished) if "ROUGE-1.5.5.pl" not in one]
        found = b"".join(run_printed(one, run, tmp_path, *EVERYTHING).out for one in printed)
        assert found == expected, kind
    # In byte order 10, 11 and 12 come between 1 and 2, so b, c and d are these.
    expected_ids = dict(zip([1, 10, 11, 12, 2, 3, 4, 5, 6, 7, 8, 9], "abcdefghijkl", strict=True))
    rows = "".join(f"{number}\t{expected_ids[number]}\n" for number in range(1, 13))
    for name in ("list/a.eval_ids.tsv", "lines/eval_ids.tsv"):
        assert (tmp_path / name).read_text() == f"number\tid\n{rows}"


def write_config(folder: Path, evals: list[tuple[str, list[str], int]]) -> None:
    """Write ``c.xml``: an ID, the systems and the number of models of each EVAL."""
    write_files(folder, dict.fromkeys("pm", b"a b\nc\n"))
    elements = [
        eval_xml(id_, dict.fromkeys(systems, "p"), dict.fromkeys(map(str, range(n_models)), "m"))
        for id_, systems, n_models in evals
    ]
    (folder / "c.xml").write_text(f"<ROUGE-EVAL>{''.join(elements)}</ROUGE-EVAL>", "utf-8")


def error_of(run: Run, *arguments: str, cwd: Path) -> list[str]:
    """Convert ``c.xml`` to ``out``, and return the errors; nothing may be left behind."""
    before = sorted(os.listdir(cwd))
    finished = run("convert", "c.xml", "-o", "out", *arguments, cwd=cwd)
    assert (finished.code, finished.out) == (INPUT_ERROR, b"")
    assert sorted(os.listdir(cwd)) == before
    return finished.error_lines


def test_lines_need_every_text(run: Run, tmp_path: Path) -> None:
    write_config(tmp_path, [("1", ["a", "b"], 2), ("2", ["a"], 2), ("3", ["a", "b"], 1)])
    assert error_of(run, "--to", "lines", cwd=tmp_path) == [
        "Error: text 2: system b has no prediction; line files need one in each: use --to jsonl or "
        "--to xml",
        "Error: text 3: 1 reference, but text 1 has 2; line files need as many in each: use --to "
        "jsonl or --to xml",
    ]


def test_a_system_alone(run: Run, tmp_path: Path) -> None:
    write_config(tmp_path, [("1", ["a", "b"], 1), ("2", ["a"], 1)])
    finished = convert(run, "c.xml", "b", "--to", "xml", "-o", "out", cwd=tmp_path)
    assert finished.err.splitlines()[:2] == [
        "Warning: text 2: system b has no prediction; the text does not count for it",
        "Written to out: 1 text, 1 system, SPL format. To score:",
    ]
    assert not (tmp_path / "out" / "peers" / "a").exists()


def test_a_system_beside_all(run: Run, tmp_path: Path) -> None:
    write_config(tmp_path, [("1", ["a", "b"], 1)])
    finished = convert(run, "-a", "c.xml", "b", "--to", "xml", "-o", "out", cwd=tmp_path)
    assert finished.err.splitlines()[:2] == [
        "Warning: SYSTEM_ID 'b' has no effect: -a asks for all",
        "Written to out: 1 text, 2 systems, SPL format. To score:",
    ]


def test_ids_that_records_cannot_hold(run: Run, tmp_path: Path) -> None:
    write_config(tmp_path, [("1&#9;2", ["a", " "], 1)])
    assert error_of(run, "--to", "jsonl", cwd=tmp_path) == [
        "Error: system ID ' ': a file of records cannot hold it; use --to list, which needs no IDs",
        "Error: text ID '1\\t2': a file of records cannot hold it; use --to list, which needs no "
        "IDs",
    ]
    # XML holds both.
    expected = run("-d", "-a", "c.xml", cwd=tmp_path)
    convert(run, "c.xml", "--to", "xml", "-o", "out", cwd=tmp_path)
    assert run("-d", "-a", "config.xml", cwd=tmp_path / "out").out == expected.out


def test_ids_that_xml_cannot_hold(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, dict.fromkeys("pm", b"a\n"))
    lines = ["--peer-lines", "a\x01=p", "--peer-lines", "\udcff=p", "--model-lines", "m"]
    finished = run("convert", *lines, "--to", "xml", "-o", "out", cwd=tmp_path)
    assert finished.refusal.splitlines() == [
        "Error: system ID 'a\\x01': XML cannot hold it; use --to list, which needs no IDs",
        "Error: system ID '\\udcff': XML cannot hold it; use --to list, which needs no IDs",
    ]
    finished = convert(run, *lines, "--to", "list", "-o", "out", cwd=tmp_path)
    assert "  cd out && rouge-cli -z SPL %FF.lst $'\\xff'" in finished.err.splitlines()
    assert "  cd out && rouge-cli -z SPL a%01.lst $'\\x61\\x01'" in finished.err.splitlines()


def test_models_of_one_id_are_numbered(run: Run, tmp_path: Path) -> None:
    for name in ("p", "m", "n"):
        (tmp_path / name).write_text(f"a {name}\n")
    (tmp_path / "c.xml").write_text(
        '<R><EVAL ID="1"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT>'
        '<INPUT-FORMAT TYPE="SPL"/><PEERS><P ID="us">p</P></PEERS>'
        '<MODELS><M ID="A">m</M><M ID="A">n</M></MODELS></EVAL></R>'
    )
    assert run("convert", "c.xml", "--to", "xml", "-o", "out", cwd=tmp_path).code == 0
    config = (tmp_path / "out" / "config.xml").read_text()
    assert re.findall('<M ID="(.*?)">', config) == ["1", "2"]
    expected = run("-n1", "-d", "-a", "c.xml").out
    # The last file of the ID counts twice: a of "a n", both times.
    assert b"us ROUGE-1 Eval 1.us R:0.50000 P:0.50000" in expected
    assert run("-n1", "-d", "-a", "config.xml", cwd=tmp_path / "out").out == expected


def test_a_system_like_an_option(run: Run, tmp_path: Path) -> None:
    write_config(tmp_path, [("1", ["-a"], 1)])
    expected = run("-a", "c.xml", cwd=tmp_path)
    for kind in ("list", "lines"):
        finished = convert(run, "c.xml", "--to", kind, "-o", kind, cwd=tmp_path)
        assert run_printed(commands_in(finished)[0], run, tmp_path).out == expected.out


def test_what_a_format_cannot_hold(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"p": b"a < b <c\n\0", "m": b"<", "f.lst": "p m\n"})
    source = ["-z", "SPL", "f.lst", "--to"]
    warned = "in 2 texts: {} cannot hold it, and both score alike"
    for form in ("SEE", "ISI"):
        arguments = [*source, "xml", "--text-format", form, "-o", form]
        finished = convert(run, *arguments, cwd=tmp_path)
        expected = f"Warning: '<' is written as '(', 3 times {warned.format(form)}"
        assert finished.err.splitlines()[0] == expected
    finished = convert(run, *source, "lines", "-o", "lines", cwd=tmp_path)
    assert finished.err.splitlines()[0] == (
        "Warning: a zero byte is written as '(', once in 1 text: a line file cannot hold it, and "
        "both score alike"
    )
    assert (tmp_path / "lines" / "peers" / "X.txt").read_bytes() == b"a < b <c<q>(\n"
    assert "Warning" not in convert(run, *source, "jsonl", "-o", "j", cwd=tmp_path).err


def test_the_separator_is_in_no_text(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"p": b"a <q>\nb\n", "m": b"<sent>\nb\n", "f.lst": "p m\n"})
    source = ["-z", "SPL", "f.lst", "--to", "lines", "-o"]
    finished = convert(run, *source, "one", cwd=tmp_path)
    assert finished.err.endswith(" --sentence-separator '<sentence>'\n")
    (tmp_path / "m").write_bytes(b"<sent><sentence>[SENT]\n[SENTENCE-END]\n")
    finished = run("convert", *source, "two")
    assert (finished.code, finished.error_lines) == (
        INPUT_ERROR,
        [
            "Error: every separator occurs in the texts (<q>, <sent>, <sentence>, [SENT], "
            "[SENTENCE-END]); use --to jsonl or --to xml"
        ],
    )
    # Without two sentences in a text there is nothing to separate.
    write_files(tmp_path, dict.fromkeys("pm", b"<q>\n\n"))
    assert "--sentence-separator" not in convert(run, *source, "three", cwd=tmp_path).err


def test_systems_in_another_order(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, dict.fromkeys("zam", b"a\n"))
    lines = ["--peer-lines", "z=z", "--peer-lines", "a=a", "--model-lines", "m", "--to"]
    warning = "Warning: the systems will be printed in byte order: a, z"
    for kind in ("xml", "jsonl"):
        finished = convert(run, *lines, kind, "-o", kind, cwd=tmp_path)
        assert finished.err.splitlines()[0] == warning
    for kind in ("list", "lines"):
        assert "Warning" not in convert(run, *lines, kind, "-o", kind, cwd=tmp_path).err


def test_the_working_directory(run: Run, tmp_path: Path) -> None:
    write_config(tmp_path, [("1", ["a"], 1)])
    (tmp_path / "empty").mkdir()
    finished = run("convert", "../c.xml", "--to", "xml", "-o", ".", cwd=tmp_path / "empty")
    assert finished.refusal == "Error: -o/--output: .: the working directory; name a folder in it"


def test_no_permission(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_config(tmp_path, [("1", ["a"], 1)])
    may_not = staticmethod(lambda path, mode: not mode & os.W_OK)
    monkeypatch.setattr("os.access", may_not)
    finished = run("convert", "c.xml", "--to", "xml", "-o", "new", cwd=tmp_path)
    assert finished.error_lines == [
        f"Error: -o/--output: new: no permission to make folders in '{tmp_path}'"
    ]


@pytest.mark.parametrize(
    ("raised", "code", "message"),
    [
        (
            OSError(28, "No space left on device"),
            3,
            "Error: {}: cannot be written: No space left on device",
        ),
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
    write_config(tmp_path, [("1", ["a"], 1), ("2", ["a"], 1)])
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
    finished = run("convert", "c.xml", "--to", kind, "-o", path, cwd=tmp_path)
    assert (finished.code, finished.out) == (code, b"")
    assert finished.error_lines == ([message.format(path)] if message else [])
    assert sorted(os.listdir(tmp_path)) == before
    assert (tmp_path / "out.jsonl").read_text() == "as it was"
