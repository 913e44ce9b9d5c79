"""Files with any bytes and any names, and warnings about oddities."""

import os
from pathlib import Path

import pytest

from tests.cli.running import SAMPLE, Run, eval_xml, others, rouge, write_files

ALL_METRICS = ["-n", "4", "--lcs", "-w", "1.2", "-2", "4", "-U", "-d"]


def write_config(folder: Path, peer: str) -> None:
    config = eval_xml("1", {"one": peer}, {"A": "./text"})
    write_files(folder, {"config.xml": f"<R>\n{config}</R>", "text": b"a b c\n"})


NAMES = [
    "echo pwned|", "$(touch pwned)", "| cat", "`touch pwned`", "&gt;pwned", "&lt;text",
    "text; touch pwned", "*", "~", "$HOME", "-", "caf\N{LATIN SMALL LETTER E WITH ACUTE}",
    "two  blanks", "dev\\null",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_a_name(name: str, run: Run, tmp_path: Path) -> None:
    write_config(tmp_path, name)
    file_name = name.replace("&gt;", ">").replace("&lt;", "<")
    missing = run("config.xml", "one", cwd=tmp_path)
    expected = f"Error: config.xml, line 2, text 1: ./{file_name}: no such file\n"
    assert (missing.err, missing.code, missing.out) == (expected, 3, b"")
    (tmp_path / file_name).write_bytes(b"a b x\n")
    found = run("-d", "-r1", "config.xml", "one")
    # LCS a b: 2 of 3 and of 3.
    assert b"one ROUGE-L Eval 1.one R:0.66667 P:0.66667 F:0.66667\n" in found.out
    assert (found.err, found.code) == ("", 0)
    assert sorted(os.listdir(tmp_path)) == sorted(["config.xml", "text", file_name])


@pytest.mark.parametrize(
    "name", ["|cat", "$(touch${IFS}pwned)", "`id`", ">pwned", "#text", "text|"]
)
def test_a_name_in_a_list_is_a_name(name: str, run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"text": b"a b c\n", "list": f"text {name}\n"})
    missing = run("-z", "SPL", "list", cwd=tmp_path)
    assert missing.err == f"Error: list, line 1, text 1: {name}: no such file\n"
    assert (missing.code, missing.out) == (3, b"")
    (tmp_path / name).write_bytes(b"a b x\n")
    assert b"Average_R: 0.66667 " in run("-r1", "-c50", "-z", "SPL", "list").out
    assert sorted(os.listdir(tmp_path)) == sorted(["list", "text", name])


def test_names_that_are_no_text(tmp_path: Path) -> None:
    command = ["-r1", "-z", "SPL", "list", os.fsdecode(b"\xe9")]
    write_files(tmp_path, {"text": b"a b c\n", "list": b"text caf\xe9\n"})
    missing = rouge(*command, cwd=tmp_path)
    assert missing.returncode == 3
    assert missing.stderr.startswith(b"Error: list, line 1, text 1: 'caf")
    assert missing.stderr.count(b"\n") == 1
    try:
        (tmp_path / os.fsdecode(b"caf\xe9")).write_bytes(b"a b c\n")
    except OSError:
        pytest.skip("no such names here")
    found = rouge(*command, cwd=tmp_path)
    assert (found.returncode, others(found.stderr.decode())) == (0, "")
    # The system's ID is printed in the bytes in which it was given.
    assert found.stdout.splitlines()[1].startswith(b"\xe9 ROUGE-L Average_R: 1.00000 ")


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything may be read"
)
def test_a_file_that_may_not_be_read(run: Run, tmp_path: Path) -> None:
    write_config(tmp_path, "secret")
    (tmp_path / "secret").write_bytes(b"a\n")
    (tmp_path / "secret").chmod(0)
    finished = run("config.xml", "one", cwd=tmp_path)
    expected = "Error: config.xml, line 2, text 1: ./secret: no permission to read it\n"
    assert (finished.err, finished.code, finished.out) == (expected, 3, b"")
    (tmp_path / "config.xml").chmod(0)
    finished = run("config.xml", "one")
    expected = "Error: config.xml: no permission to read it; expected the configuration"
    assert finished.refusal == expected


def test_texts_of_any_bytes(run: Run, tmp_path: Path) -> None:
    # Every byte in every order of two; what is no letter or digit of ASCII sets tokens apart.
    every = bytes(one for pair in range(65536) for one in divmod(pair, 256))
    (tmp_path / "every").write_bytes(every)
    (tmp_path / "text").write_bytes(b"\xff\xfeqx\x00zq\xe9xz\r\n\x80")
    (tmp_path / "list").write_bytes(b"every text\ntext every\ntext text\n")
    for options in ([], ["-m"], ["-s"], ["-l", "900"], ["-b", "900"]):
        finished = run(*options, *ALL_METRICS, "-r9", "-z", "SPL", "list", cwd=tmp_path)
        assert finished.code == 0
        # Backslashes before other letters are no newlines.
        both, zeros, marks = finished.error_lines
        assert "1 prediction is a reference of its text too, the first in text 3: text" in both
        assert "texts hold a zero byte" in zeros
        assert "2 of 5 texts hold soft hyphens" in marks
    # qx, zq and xz, and nothing else.
    finished = run("-n1", "-t2", "-d", "-z", "SPL", "list")
    assert b"X ROUGE-1 Eval 3.X R:3 P:3 F:3\n" in finished.out


@pytest.mark.parametrize("weight", ["0.001", "1e-300", "400", "1000"])
@pytest.mark.parametrize("formula", ["A", "B"])
def test_weights_beyond_all_measure(weight: str, formula: str, run: Run, tmp_path: Path) -> None:
    # Powers of them overflow, or vanish; whatever is said of it is said in a sentence.
    (tmp_path / "rows").write_bytes(b"a\nb\nc\nd\n")
    (tmp_path / "line").write_bytes(b"a b c d e f g h\n")
    (tmp_path / "list").write_bytes(b"rows rows line\nline line\nline rows\n")
    for counting in "012":
        given = ["-w", weight, "-f", formula, "-t", counting, "-d"]
        finished = run(*given, "-z", "SPL", "list", cwd=tmp_path)
        assert finished.code in {0, 2, 3}
        lines = finished.err.splitlines()
        known = ("Error: ", "Warning: ", "Usage: ", "Try ")
        assert all(line.startswith(known) for line in lines if line)


@pytest.mark.parametrize("gap", ["99999999999999999999", "9223372036854775807"])
def test_gaps_beyond_all_measure(gap: str, run: Run) -> None:
    unlimited = run("-x", "-U", "-2", "-1", "-a", "config.xml", cwd=SAMPLE)
    finished = run("-x", "-U", "-2", gap, "-a", "config.xml")
    assert finished.out == unlimited.out.replace(b"*", gap.encode())


def test_names_of_any_bytes_in_folders(run: Run, tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9")
    write_files(tmp_path, {f"p/{name}": "a b\n", f"m/{name}.a": "a b\n"})
    patterns = ("--peers", "p/(.+)", "--models", r"m/#ID#\.a")
    finished = run("-n1", "-d", "--report", "classic", *patterns, cwd=tmp_path)
    assert b"X ROUGE-1 Eval caf\xe9.X R:1.00000" in finished.out


def test_a_folder_in_folders_cannot_be_listed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, {"p/a/1": "a b\n", "m/1": "a b\n"})
    scandir = os.scandir

    def refuse(path: str) -> object:
        if path == "p/a/":
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr("rouge_cli.inputs.pairing.os.scandir", refuse)
    peers = "p/(?P<system>.)/(.)"
    finished = run("-n1", "--peers", peers, "--models", "m/#ID#", cwd=tmp_path)
    assert (
        finished.refusal == f"Error: --peers '{peers}': p/a/: cannot be listed: permission denied"
    )
