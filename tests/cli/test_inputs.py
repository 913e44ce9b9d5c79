"""Files as they come: any bytes in them, any name, warnings about what is strange."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import Run, others, write_files

FIXTURES = Path(__file__).parents[2] / "fixtures"
ALL_METRICS = ["-n", "4", "-w", "1.2", "-2", "4", "-U", "-d"]
CONFIG = """<ROUGE-EVAL version="1.55">
  <EVAL ID="1">
    <PEER-ROOT>.</PEER-ROOT>
    <MODEL-ROOT>.</MODEL-ROOT>
    <INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>
    <PEERS><P ID="one">{peer}</P></PEERS>
    <MODELS><M ID="A">{model}</M></MODELS>
  </EVAL>
  <EVAL ID="2b">
    <PEER-ROOT>.</PEER-ROOT>
    <MODEL-ROOT>.</MODEL-ROOT>
    <INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>
    <PEERS><P ID="one">text</P><P ID="two">text</P></PEERS>
    <MODELS><M ID="A">./text</M></MODELS>
  </EVAL>
</ROUGE-EVAL>
"""


def write_config(folder: Path, peer: str, model: str = "./text") -> None:
    write_files(folder, {"config.xml": CONFIG.format(peer=peer, model=model), "text": b"a b c\n"})


@pytest.mark.parametrize(
    "name",
    [
        "echo pwned|",
        "$(touch pwned)",
        "| cat",
        "`touch pwned`",
        "&gt;pwned",
        "&lt;text",
        "text; touch pwned",
        "*",
        "~",
        "$HOME",
        "-",
        "caf\N{LATIN SMALL LETTER E WITH ACUTE}",
        "two  blanks",
        "dev\\null",
    ],
)
def test_a_name_is_a_name(name: str, run: Run, tmp_path: Path) -> None:
    write_config(tmp_path, name)
    file_name = name.replace("&gt;", ">").replace("&lt;", "<")
    missing = run("config.xml", "one", cwd=tmp_path)
    expected = f"Error: config.xml, line 6, text 1: ./{file_name}: no such file\n"
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
    command = [sys.executable, "-m", "rouge_cli", "-r1", "-z", "SPL", "list", os.fsdecode(b"\xe9")]
    write_files(tmp_path, {"text": b"a b c\n", "list": b"text caf\xe9\n"})
    missing = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert missing.returncode == 3
    assert missing.stderr.startswith(b"Error: list, line 1, text 1: 'caf")
    assert missing.stderr.count(b"\n") == 1
    try:
        (tmp_path / os.fsdecode(b"caf\xe9")).write_bytes(b"a b c\n")
    except OSError:
        pytest.skip("no such names here")
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
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
    expected = "Error: config.xml, line 6, text 1: ./secret: no permission to read it\n"
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


@pytest.mark.parametrize("form", ["SPL", "SEE", "ISI"])
def test_texts_without_tokens(form: str, run: Run, tmp_path: Path) -> None:
    # A text of another format holds no sentence; one of hyphens only, no token.
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "dashes").write_bytes(b"-- - ?\n")
    (tmp_path / "list").write_bytes(b"empty dashes empty\n\n# no text\ndashes dashes\n")
    finished = run(*ALL_METRICS, "-z", form, "list", cwd=tmp_path)
    assert sorted(finished.err.splitlines()) == [
        "Warning: 2 predictions are references of their text too, the first in text 1: "
        "empty: such a prediction is measured against itself; name another file as prediction or "
        "as reference",
        "Warning: text 1: dashes: no tokens",
        "Warning: text 1: empty: no tokens",
        "Warning: text 2: dashes: no tokens",
    ]
    assert finished.code == 0
    lines = [line for line in finished.out.splitlines() if b" Eval " in line]
    # ROUGE-1 to ROUGE-4, L, W, S and SU, of two EVALs.
    assert len(lines) == 2 * 8
    assert all(line.endswith(b" R:0.00000 P:0.00000 F:0.00000") for line in lines)


def test_warnings_of_empty_texts_are_of_the_system_scored(run: Run, tmp_path: Path) -> None:
    write_config(tmp_path, "empty")
    (tmp_path / "empty").write_bytes(b"\n")
    finished = run(*ALL_METRICS, "config.xml", "one", cwd=tmp_path)
    assert (finished.err, finished.code) == ("Warning: text 1: ./empty: no tokens\n", 0)
    expected = "Warning: text 1: system two has no prediction; the text does not count for it\n"
    assert run("config.xml", "two").err == expected


def test_a_file_of_predictions_among_the_references(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"t": b"a b\n", "u": b"a c\n"})
    (tmp_path / "link").symlink_to("t")
    lines = ["--peer-lines", "A=t", "--peer-lines", "B=u", "--model-lines", "link"]
    assert run("-n1", *lines, cwd=tmp_path).error_lines == [
        "Warning: 1 file of predictions is among the references too, the first t: each line is "
        "measured against itself; name another file with --predictions or --references"
    ]


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


@pytest.mark.parametrize(
    "gap", ["99999999999999999999", "9223372036854775807", "-99999999999999999999"]
)
def test_gaps_beyond_all_measure(gap: str, run: Run) -> None:
    unlimited = run("-x", "-U", "-2", "-1", "-a", "config.xml", cwd=FIXTURES / "sample")
    finished = run("-x", "-U", "-2", gap, "-a", "config.xml")
    shown = b"*" if gap.startswith("-") else gap.encode()
    assert finished.out == unlimited.out.replace(b"*", shown)


@pytest.mark.parametrize("letter", ["-l", "-b"])
def test_limits_beyond_all_measure(letter: str, run: Run) -> None:
    plain = run("-n2", "-a", "config.xml", cwd=FIXTURES / "sample")
    assert run(letter, "99999999999999999999", "-n2", "-a", "config.xml").out == plain.out


def test_files_that_are_beside_the_configuration(run: Run) -> None:
    sample = Path(__file__).parents[2] / "fixtures" / "sample"
    finished = run("-a", "sample/config.xml", cwd=sample.parent)
    assert finished.error_lines[1:] == [
        "Error: sample/config.xml: as in ROUGE-1.5.5, names count from the working directory; in "
        "the folder of the configuration there are such files: cd sample first"
    ]
    assert finished.code == 3
