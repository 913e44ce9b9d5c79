"""Line files print what the same texts print as files of their own."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

import rouge_cli
from rouge_cli.errors import OptionError
from rouge_cli.scoring import line_portions
from tests.cli.parallel import Texts, some_texts
from tests.cli.running import Finished, Run
from tests.plain.program import run as run_plain
from tests.property.sizes import small_blocks

EVERYTHING = ["-n", "3", "-w", "1.2", "-2", "4", "-U", "-d", "-r", "50"]
USAGE_ERROR, INPUT_ERROR = 2, 3


@contextmanager
def small_portions(n_lines: int, chunk: int, block_bytes: int) -> Iterator[None]:
    """Set all sizes on which borders depend, for a while."""
    with (
        small_blocks(1, block_bytes, block_bytes),
        patch.object(line_portions, "LINES_AT_A_TIME", n_lines),
        patch.object(line_portions, "CHUNK", chunk),
    ):
        yield


def write_pair(folder: Path, peers: bytes = b"a b\nc d\n", models: bytes = b"a b\nc x\n") -> None:
    """Write the line files ``p`` and ``m``."""
    (folder / "p").write_bytes(peers)
    (folder / "m").write_bytes(models)


def evals_warned_of(finished: Finished) -> list[str]:
    """Return the EVAL of each warning."""
    return sorted(line.split(":")[1] for line in finished.err.splitlines())


PAIR = ["--peer-lines", "p", "--model-lines", "m"]


@pytest.mark.parametrize(
    ("separator", "between"),
    [
        pytest.param("<q>", b"<q>", id="q"),
        pytest.param("##SENT##", b"##SENT##", id="sent"),
        pytest.param(" <q> ", b"<q>", id="blanks-around"),
        pytest.param("<t> </t>", b"</t><t>", id="two-words"),
        pytest.param(".*", b".*", id="no-pattern"),
        pytest.param("\N{PILCROW SIGN}", b"\xc2\xb6", id="beyond-ascii"),
        pytest.param("\udcff", b"\xff", id="no-text"),
    ],
)
@pytest.mark.parametrize("last", [b"\n", b""], ids=["newline", "no-newline"])
def test_sentences_of_a_line(
    separator: str, between: bytes, last: bytes, run: Run, tmp_path: Path
) -> None:
    texts = some_texts(13)
    texts.write_files(tmp_path)
    texts.write_lines(tmp_path, between, last)
    expected = run(*EVERYTHING, "-z", "SPL", "X.lst", cwd=tmp_path)
    found = run(*EVERYTHING, *texts.arguments(separator, with_names=False))
    assert (found.out, found.err, found.code) == (expected.out, "", 0)
    assert expected.out.count(b"\n") > 100


def test_the_plain_twin_agrees(run: Run, tmp_path: Path) -> None:
    texts = some_texts(12, n_models=2)
    texts.write_files(tmp_path)
    texts.write_lines(tmp_path, b"<q>")
    expected = run_plain([*EVERYTHING, "-z", "SPL", "X.lst"], tmp_path)
    found = run(*EVERYTHING, *texts.arguments("<q>", with_names=False), cwd=tmp_path)
    assert (found.out, found.err, found.code) == (expected, "", 0)


def test_a_line_is_a_sentence_without_a_separator(run: Run, tmp_path: Path) -> None:
    texts = some_texts(9, n_sentences=1)
    texts.write_files(tmp_path)
    texts.write_lines(tmp_path, b"")
    expected = run(*EVERYTHING, "-z", "SPL", "X.lst", cwd=tmp_path)
    assert run(*EVERYTHING, *texts.arguments(None, with_names=False)).out == expected.out


@pytest.mark.parametrize(
    "options",
    [["-m", "-s"], ["-M"], ["-l", "4"], ["-b", "20"], ["-f", "B"], ["-t", "1"], ["-t", "2"]],
    ids=" ".join,
)
def test_systems_and_models(options: list[str], run: Run, tmp_path: Path) -> None:
    texts = some_texts(11, systems="abc", n_models=3)
    texts.write_files(tmp_path)
    texts.write_lines(tmp_path, b"<q>")
    expected = run(*EVERYTHING, *options, "-a", "config.xml", cwd=tmp_path)
    found = run(*EVERYTHING, *options, *texts.arguments("<q>"))
    assert (found.out, found.code) == (expected.out, 0)
    # As many warnings of each EVAL, of lines in place of files.
    assert evals_warned_of(found) == evals_warned_of(expected)


def test_systems_are_printed_as_given(run: Run, tmp_path: Path) -> None:
    texts = some_texts(5, systems="ba")
    texts.write_files(tmp_path)
    texts.write_lines(tmp_path, b"<q>")
    alone = [run("config.xml", system, cwd=tmp_path).out for system in "ba"]
    assert run(*texts.arguments("<q>")).out == b"".join(alone)


def test_names_of_systems(run: Run, tmp_path: Path) -> None:
    write_pair(tmp_path)
    (tmp_path / "p=q").write_bytes(b"a b\nc d\n")
    expected = run("-x", "-n1", *PAIR, cwd=tmp_path)
    # What stands before the first = is the name, the rest is the file.
    found = run("-x", "-n1", "--peer-lines", "one=p=q", "--model-lines", "m")
    assert found.out == expected.out.replace(b"X ROUGE", b"one ROUGE")
    # The name of a model's file is never a name with a file.
    (tmp_path / "n=m").write_bytes(b"a b\nc x\n")
    assert run("-x", "-n1", "--peer-lines", "p", "--model-lines", "n=m").out == expected.out


def test_one_file_as_peer_and_model(run: Run, tmp_path: Path) -> None:
    write_pair(tmp_path)
    found = run("-x", "-n1", "--peer-lines", "p", "--model-lines", "p", cwd=tmp_path)
    assert b"Average_F: 1.00000 " in found.out


def test_carriage_returns(run: Run, tmp_path: Path) -> None:
    # Only \n ends a line; a carriage return is a byte of the text, and -b counts it.
    texts = some_texts(9)
    ends = Texts(
        {"X": [text + b"\r" for text in texts.peers["X"]]},
        [[text + b"\r" for text in texts.models[0]]],
    )
    ends.write_files(tmp_path)
    texts.write_lines(tmp_path, b"<q>")
    for name in texts.files:
        (tmp_path / name).write_bytes((tmp_path / name).read_bytes().replace(b"\n", b"\r\n"))
    for options in ([], ["-b", "15"], ["-l", "3"]):
        expected = run(*EVERYTHING, *options, "-z", "SPL", "X.lst", cwd=tmp_path)
        found = run(*EVERYTHING, *options, *ends.arguments("<q>", with_names=False))
        assert found.out == expected.out


def test_any_bytes(run: Run, tmp_path: Path) -> None:
    every = bytes(one for pair in range(65536) for one in divmod(pair, 256))
    lines = every.split(b"\n")
    texts = Texts({"X": lines}, [lines[1:] + lines[:1]])
    texts.write_files(tmp_path)
    # The last line is not empty, so the newline after it may be missing.
    texts.write_lines(tmp_path, b"", last=b"\n")
    options = ["-n2", "-d", "-r9"]
    expected = run(*options, "-z", "SPL", "X.lst", cwd=tmp_path)
    found = run(*options, *texts.arguments(None, with_names=False))
    assert found.out == expected.out
    assert len(found.err.splitlines()) == len(expected.err.splitlines())


def test_empty_lines(run: Run, tmp_path: Path) -> None:
    # An empty line is a text without words; it keeps its place.
    texts = Texts({"a": [b"", b"x y", b"-"], "b": [b"x", b"x", b"\n"]}, [[b"x", b"", b"x y"]])
    texts.write_files(tmp_path)
    texts.write_lines(tmp_path, b"<q>")
    expected = run(*EVERYTHING, "-a", "config.xml", cwd=tmp_path)
    found = run(*EVERYTHING, *texts.arguments("<q>"))
    assert (found.out, found.code) == (expected.out, 0)
    assert sorted(found.err.splitlines()) == [
        "Warning: EVAL 1: a, line 1: no tokens",
        "Warning: EVAL 2: model0, line 2: no tokens",
        "Warning: EVAL 3: a, line 3: no tokens",
        "Warning: EVAL 3: b, line 3: no tokens",
    ]


@pytest.mark.parametrize("last", [b"\n", b""], ids=["newline", "no-newline"])
@pytest.mark.parametrize("n_lines", [1, 2, 3, 12, 13, 100])
@pytest.mark.parametrize("sizes", [(1, 1), (7, 100), (1 << 20, 30)])
def test_borders_of_portions(
    n_lines: int, sizes: tuple[int, int], last: bytes, run: Run, tmp_path: Path
) -> None:
    texts = some_texts(12, systems="ab", n_models=2)
    texts.peers["b"][5] = texts.models[0][11] = b"?"
    texts.write_lines(tmp_path, b"<q>", last)
    options = ["-n2", "-m", "-d", "-r20", *texts.arguments("<q>")]
    expected = run(*options, cwd=tmp_path)
    with small_portions(n_lines, *sizes):
        found = run(*options)
    assert found == expected
    assert sorted(found.err.splitlines()) == [
        "Warning: EVAL 12: model0, line 12: no tokens",
        "Warning: EVAL 6: b, line 6: no tokens",
    ]


def test_more_lines_than_a_portion(run: Run, tmp_path: Path) -> None:
    n_lines = 2 * line_portions.LINES_AT_A_TIME + 3
    texts = some_texts(n_lines, n_sentences=1)
    texts.write_files(tmp_path)
    texts.write_lines(tmp_path, b"<q>")
    expected = run("-n1", "-d", "-r5", "-z", "SPL", "X.lst", cwd=tmp_path)
    found = run("-n1", "-d", "-r5", *texts.arguments("<q>", with_names=False))
    assert found == expected


def test_diagnostics(run: Run, tmp_path: Path) -> None:
    write_pair(tmp_path)
    plain = run(*PAIR, cwd=tmp_path)
    found = run("-v", *PAIR)
    assert found.out == plain.out
    assert "line files: 1 systems\n" in found.err
    assert "system X: 2 EVALs\n" in found.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--peer-lines", "p"], "--peer-lines and --model-lines go together; give both"),
        (["--model-lines", "m"], "--peer-lines and --model-lines go together; give both"),
        (
            [*PAIR, "config.xml"],
            "CONFIG 'config.xml' and --peer-lines exclude each other; give one",
        ),
        ([*PAIR, "-z", "SPL"], "-z/--list-format and --peer-lines exclude each other"),
        ([*PAIR, "-3", "HM"], "-3/--basic-elements and --peer-lines exclude each other"),
        (
            [*PAIR, "--peer-lines", "a=p"],
            "--peer-lines: expected NAME=FILE for each of several files, found 'p'",
        ),
        (
            ["--peer-lines", "a=p", "--peer-lines", "a=m", "--model-lines", "m"],
            "--peer-lines: expected a name for each file of its own, found 'a' twice",
        ),
        (
            ["--peer-lines", "=p", "--model-lines", "m"],
            "--peer-lines: expected NAME=FILE for each of several files, found '=p'",
        ),
        (
            ["--peer-lines", "a=", "--model-lines", "m"],
            "--peer-lines: expected NAME=FILE for each of several files, found 'a='",
        ),
        (
            [*PAIR, "--sentence-separator", " \t"],
            "--sentence-separator: found ' \\t', expected a string that is not blank",
        ),
        (["--peer-lines", "", "--model-lines", "m"], "--peer-lines: found ('',), expected a path"),
        (
            ["--sentence-separator", "<q>", "config.xml", "one"],
            "--sentence-separator is for --peer-lines and --model-lines",
        ),
    ],
)
def test_wrong_usage(arguments: list[str], message: str, run: Run, tmp_path: Path) -> None:
    write_pair(tmp_path)
    finished = run(*arguments, cwd=tmp_path)
    assert finished.error_lines == [f"Error: {message}"]
    assert (finished.code, finished.out) == (USAGE_ERROR, b"")


@pytest.mark.parametrize(
    ("peers", "models", "messages"),
    [
        pytest.param(
            b"a\nb\n",
            b"a\nb\nc",
            ["line files of different lengths: p has 2; m has 3; expected as many lines in each"],
            id="lengths",
        ),
        pytest.param(
            b"a\n\n",
            b"a\n",
            ["line files of different lengths: p has 2; m has 1; expected as many lines in each"],
            id="empty-line",
        ),
        pytest.param(
            b"",
            b"a\n",
            ["line files of different lengths: p has 0; m has 1; expected as many lines in each"],
            id="one-empty",
        ),
        pytest.param(b"", b"", ["p: an empty file; expected a text a line"], id="both-empty"),
    ],
)
def test_unusable_lines(
    peers: bytes, models: bytes, messages: list[str], run: Run, tmp_path: Path
) -> None:
    write_pair(tmp_path, peers, models)
    finished = run(*PAIR, cwd=tmp_path)
    assert finished.error_lines == [f"Error: {message}" for message in messages]
    assert (finished.code, finished.out) == (INPUT_ERROR, b"")


def test_files_that_are_none_are_all_named(run: Run, tmp_path: Path) -> None:
    write_pair(tmp_path)
    (tmp_path / "folder").mkdir()
    models = ["--model-lines", "folder", "--model-lines", "m", "--model-lines", "gone"]
    finished = run("--peer-lines", "one=lost", "--peer-lines", "two=p", *models, cwd=tmp_path)
    assert finished.error_lines == [
        "Error: lost: no such file",
        "Error: folder: a directory, not a file",
        "Error: gone: no such file",
    ]
    assert (finished.code, finished.out) == (INPUT_ERROR, b"")


def test_line_files_are_for_the_command_line() -> None:
    with pytest.raises(OptionError, match="peer_lines is for files"):
        rouge_cli.evaluate(["a"], [["a"]], peer_lines="p", model_lines="m")
    with pytest.raises(OptionError, match="exclude each other"):
        rouge_cli.evaluate_config("config.xml", peer_lines="p", model_lines="m")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_refused(run: Run, tmp_path: Path) -> None:
    # It cannot be read twice; nobody writes into it, so to open it would be to wait for ever.
    write_pair(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    finished = run("--peer-lines", "pipe", "--model-lines", "m", cwd=tmp_path)
    assert finished.err.startswith("Error: pipe: not a regular file")
    assert (finished.code, finished.out) == (INPUT_ERROR, b"")
