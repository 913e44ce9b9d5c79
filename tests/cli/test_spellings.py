"""The options on the command line: letters, long names, attached values, clusters, dashes."""

import os
import shutil
from pathlib import Path

import pytest

from tests.cli.running import SAMPLE, Run, write_files

FIXTURES = Path(__file__).parents[2] / "fixtures"
ELEMENTS = FIXTURES / "golden" / "corpora" / "be"
BASE = ["-r", "20", "config.xml", "lead"]
SAME = [
    (["-n", "2"], ["--max-ngram", "2"]),
    (["-2", "4"], ["--max-gap", "4"]),
    (["-2", "-1"], ["--max-gap", "-1"]),
    (["-2", "4", "-u"], ["-2", "4", "--skip-unigram"]),
    (["-2", "4", "-U"], ["-2", "4", "--skip-and-unigram"]),
    (["-w", "1.2"], ["--weight", "1.2"]),
    (["-n1", "-x"], ["-n1", "--no-lcs"]),
    (["-m"], ["--stem"]),
    (["-s"], ["--remove-stopwords"]),
    (["-M"], ["--stem-models"]),
    (["-l", "9"], ["--words", "9"]),
    (["-b", "50"], ["--bytes", "50"]),
    (["-f", "B"], ["--formula", "B"]),
    (["-p", "0.8"], ["--alpha", "0.8"]),
    (["-t", "1"], ["--counting", "1"]),
    (["-c", "90"], ["--confidence", "90"]),
    (["-r", "7"], ["--resamples", "7"]),
    (["-d"], ["--per-eval"]),
    (["-a"], ["--all"]),
    (["-z", "SPL", "files.lst"], ["--list-format", "SPL", "files.lst"]),
    (["-e", "models"], ["--data-dir", "models"]),
    (["-v"], ["--verbose"]),
    # Attached to the letter, with a blank or an equals sign behind the name.
    (["-n2"], ["--max-ngram=2"]),
    (["-2-1"], ["--max-gap=-1"]),
    (["-w1.2"], ["--weight=1.2"]),
    (["-fB"], ["--formula=B"]),
    # Clusters, the last one with a value.
    (["-dam"], ["-d", "-a", "-m"]),
    (["-xan2"], ["-x", "-a", "-n", "2"]),
    (["-xn", "2"], ["-n", "2", "-x"]),
    (["-U2-1"], ["-2", "-1", "-U"]),
    # The last value counts, and `score` may be named.
    (["-n", "4", "-n", "2"], ["-n", "2"]),
    (["score", "-n2"], ["-n2"]),
]


@pytest.mark.parametrize(("letters", "names"), SAME, ids=[" ".join(letters) for letters, _ in SAME])
def test_letters_and_names_are_the_same(letters: list[str], names: list[str], run: Run) -> None:
    rest = BASE if not letters[-1].endswith(".lst") else ["lead"]
    if letters == ["-r", "7"] or "-a" in names or "--all" in names:
        rest = ["config.xml"] if "7" not in letters else ["config.xml", "lead"]
    one = run(*letters, *rest, cwd=SAMPLE)
    other = run(*names, *rest)
    assert one.out == other.out
    assert one.out
    assert (one.code, other.code) == (0, 0)


def test_basic_elements_by_name(run: Run) -> None:
    one = run("-3", "HM", "-a", "config.xml", cwd=ELEMENTS)
    assert one.out.startswith(b"-" * 45 + b"\nccg ROUGE-BE-HM Average_R: ")
    assert run("--basic-elements", "HM", "--all", "config.xml").out == one.out
    assert run("-3HM", "-a", "config.xml").out == one.out


def test_options_may_stand_anywhere(run: Run) -> None:
    one = run("-n", "2", "-x", "config.xml", "lead", cwd=SAMPLE)
    assert run("config.xml", "-n", "2", "lead", "-x").out == one.out
    assert run("config.xml", "lead", "-xn2").out == one.out


@pytest.mark.parametrize(
    ("words", "late"),
    [
        (["-v", "-n2", "-x", "config.xml", "lead"], None),
        (["score", "-n2", "-v", "config.xml", "lead", "-xd"], "-x -d"),
        (["-n", "2", "-v", "--", "config.xml", "lead"], None),
        (["-n2", "config.xml", "-a", "--no-lcs", "--report", "table", "-v"], "-a -x -v"),
        # Values are no words of their own.
        (["-c", "90", "-v", "config.xml", "-n", "2", "lead"], "-n"),
    ],
)
def test_what_the_original_would_not_read(words: list[str], late: str | None, run: Run) -> None:
    finished = run(*words, cwd=SAMPLE)
    assert finished.code == 0
    said = [line for line in finished.err.splitlines() if "ROUGE-1.5.5 reads no options" in line]
    assert said == ([f"{late}: ROUGE-1.5.5 reads no options after CONFIG"] if late else [])


def test_numbers_as_perl_reads_them(run: Run) -> None:
    # Section 1 of the specification; -w, -2 and -c are printed as typed.
    usual = ["-n", "2", "-l", "7", "-r", "12", "-t", "1", "-2", "4", "-u", "-w", "1.2", "-c", "90"]
    other = ["-n", "2.0", "-l", " 7.", "-r", "1.2e1", "-t", "+01", "-2", "+4.", "-u", "-w", "12E-1"]
    expected = run(*usual, "config.xml", "lead", cwd=SAMPLE).out
    found = run(*other, "-c", " 90.0 ", "config.xml", "lead").out
    for typed, printed in ((b"SU+4.", b"SU4"), (b"W-12E-1", b"W-1.2"), (b"( 90.0 %", b"(90%")):
        assert typed in found
        found = found.replace(typed, printed)
    assert found == expected


def test_config_that_begins_with_a_dash(run: Run, tmp_path: Path) -> None:
    shutil.copytree(SAMPLE, tmp_path, dirs_exist_ok=True)
    (tmp_path / "config.xml").rename(tmp_path / "-n.xml")
    one = run("-n", "2", "config.xml", "lead", cwd=SAMPLE)
    other = run("-n", "2", "--", "-n.xml", "lead", cwd=tmp_path)
    assert other.out == one.out
    assert run("-n", "2", "./-n.xml", "lead").out == one.out
    (tmp_path / "-n.xml").rename(tmp_path / "score")
    assert run("-n", "2", "score", "lead").out == one.out
    assert run("--", "score", "lead").out == run("score", "--", "score", "lead").out != b""


def test_system_ids_that_look_like_something_else(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"a.txt": b"a b\n", "list": b"a.txt a.txt\n"})
    for system in ("-x", "--all", "score", "caf\xe9", "a b"):
        finished = run("-z", "SPL", "--", "list", system, cwd=tmp_path)
        assert finished.out.split(b"\n")[1].startswith(f"{system} ROUGE-L Average_R: 1".encode())


def test_default_system_of_a_list(run: Run) -> None:
    finished = run("-z", "SPL", "files.lst", cwd=SAMPLE)
    assert finished.out.split(b"\n")[1].startswith(b"X ROUGE-L ")


def test_values_are_printed_as_typed(run: Run) -> None:
    out = run("-w", "1.20", "-2", "04", "-c", "95.0", "config.xml", "lead", cwd=SAMPLE).out
    assert b"lead ROUGE-W-1.20 Average_R: " in out
    assert b"lead ROUGE-S04 Average_R: " in out
    assert b"(95.0%-conf.int. " in out
    assert b"lead ROUGE-S* Average_R: " in run("-2", "-7", "config.xml", "lead").out


def test_verbose_speaks_on_standard_error_only(run: Run) -> None:
    quiet = run("-n1", "-m", "-l", "5", "config.xml", "lead", cwd=SAMPLE)
    loud = run("-v", "-n1", "-m", "-l", "5", "config.xml", "lead")
    assert loud.out == quiet.out
    assert quiet.err == ""
    assert "config.xml" in loud.err
    assert "ROUGE-1, ROUGE-L" in loud.err


def test_all_with_a_system(run: Run) -> None:
    every = run("-a", "config.xml", cwd=SAMPLE)
    one = run("-a", "config.xml", "lead")
    assert one.out == every.out
    assert one.err == "Warning: SYSTEM_ID 'lead' has no effect: -a scores all\n"


def test_config_from_a_pipe(run: Run, tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("no named pipes here")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    if os.fork() == 0:
        pipe.write_bytes((SAMPLE / "config.xml").read_bytes())
        os._exit(0)
    finished = run("-n1", str(pipe), "lead", cwd=SAMPLE)
    os.wait()
    assert finished.out == run("-n1", "config.xml", "lead").out


def test_a_long_id_is_not_echoed_whole(run: Run, tmp_path: Path) -> None:
    record = f'{{"id": "{"1" * 100_000}", "prediction": "a", "references": ["a"]}}\n'
    (tmp_path / "r.jsonl").write_text(record * 2)
    finished = run("-n1", "r.jsonl", cwd=tmp_path)
    assert "[9" in finished.err
    assert (finished.code, len(finished.err) < 5_000) == (3, True)
