"""Line files give the same output as the same texts in separate files."""

import gzip
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

import rouge_cli
from rouge_cli.errors import OptionError
from rouge_cli.inputs import line_files
from tests.cli.parallel import Texts
from tests.cli.running import Run, write_files
from tests.property.sizes import small_batches

AS_ORIGINAL = {"lcs": True}


@contextmanager
def small_portions(n_lines: int, chunk: int, block_bytes: int) -> Iterator[None]:
    """Set all sizes on which borders depend, for a while."""
    with small_batches(n_lines, block_bytes, block_bytes), patch.object(line_files, "CHUNK", chunk):
        yield


def write_pair(folder: Path, peers: bytes = b"a b\nc d\n", models: bytes = b"a b\nc x\n") -> None:
    write_files(folder, {"p": peers, "m": models})


PAIR = ["--peer-lines", "p", "--model-lines", "m"]


def test_any_bytes(run: Run, tmp_path: Path) -> None:
    # All pairs of bytes but those with a zero, which no text has.
    every = bytes(one for pair in range(65536) for one in divmod(pair, 256) if pair % 256 and one)
    lines = every.split(b"\n")
    texts = Texts({"X": lines}, [lines[1:] + lines[:1]])
    texts.write_files(tmp_path)
    texts.write_lines(tmp_path, b"")
    options = ["-n2", "-d", "-r9"]
    expected = run(*options, "-z", "SPL", "X.lst", cwd=tmp_path)
    found = run(*options, *texts.arguments(None))
    assert found.out == expected.out
    # Of line files, whose encoding may be named, one more tells of bytes that are not UTF-8.
    assert len(found.err.splitlines()) == len(expected.err.splitlines()) + 1


def test_diagnostics(run: Run, tmp_path: Path) -> None:
    # What stands behind CONFIG is looked at; here there is no CONFIG.
    write_pair(tmp_path)
    plain = run(*PAIR, cwd=tmp_path)
    found = run("-v", *PAIR)
    assert (found.out, found.code) == (plain.out, 0)
    assert "line files: 1 system\n" in found.err
    assert "system X: 2 texts\n" in found.err


def test_line_files_are_for_the_command_line() -> None:
    with pytest.raises(OptionError, match="predictions is for line files, not for lists of texts"):
        rouge_cli.evaluate(["a"], [["a"]], peer_lines="p", model_lines="m")  # type: ignore[call-arg]
    with pytest.raises(OptionError, match="exclude each other"):
        rouge_cli.evaluate_files("config.xml", peer_lines="p", model_lines="m")


@pytest.mark.parametrize(
    ("peers", "n_texts", "mark", "option"),
    [
        (b"a<q>b\nc\n", 1, "<q>", "<q>"),
        (b"a<n>b\nc<n>\n", 2, "<n>", "<n>"),
        (b"<t> a </t>\n<t>c\n", 2, "<t>", "<t> </t>"),
        (b"<s>a</s><s>b</s>\nc\n", 1, "<s>", "<s> </s>"),
        (b"a##SENT##b\nc\n", 1, "##SENT##", "##SENT##"),
        (b"a\nb [SEP] c\n", 1, "[SEP]", "[SEP]"),
        # The one that most texts hold.
        (b"a<q>b<n>\nc<n>\n", 2, "<n>", "<n>"),
        (b"a<Q>b\nc < q > \n", 0, "", ""),
    ],
)
def test_separators_that_nobody_asked_for(
    peers: bytes, n_texts: int, mark: str, option: str, run: Run, tmp_path: Path
) -> None:
    write_pair(tmp_path, peers)
    lines = run(*PAIR, cwd=tmp_path).err.splitlines()
    assert len(lines) == bool(n_texts)
    verb = "holds" if n_texts == 1 else "hold"
    said = f"{n_texts} of 2 predictions looked at {verb} '{mark}', the first text "
    for line in lines:
        assert line.startswith(f"Warning: {said}")
        assert line.endswith(f"give --sentence-separator '{option}' if it stands between sentences")
    # Where no metric reads sentences, only marks that are no usual ones are told: "</s>" is a word.
    assert (run("-x", "-n1", *PAIR).err == "") == (mark != "<s>")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_portions(jobs: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Lines are counted across portions, of standard input too.
    peers = b"a<q>b\n\nc\n  \nd\ne<q>f\n"
    write_pair(tmp_path, peers, b"a\na<q>b\na<q>b\na<q>b\na<q>\n<q>a\n")
    words = ["-r9", "-d", "--lcs", "--model-lines", "m", "--sentence-separator", "<q>"]
    words += ["--jobs", jobs, "--peer-lines"]
    whole = run(*words, "p", cwd=tmp_path)
    assert "p: 2 of 6 texts have no '<q>', the first on line 3: " in whole.err
    with small_portions(2, 5, 1):
        assert run(*words, "p") == whole
        for content in (peers, gzip.compress(peers)):
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
            found = run(*words, "-")
            assert (found.out, found.err.replace("standard input", "p")) == (whole.out, whole.err)


@pytest.mark.parametrize("block_bytes", [1, 1 << 20])
@pytest.mark.parametrize("jobs", ["1", "3"])
def test_the_first_text_is_that_of_the_first_file(
    jobs: str, block_bytes: int, run: Run, tmp_path: Path
) -> None:
    # EVAL by EVAL, and the models before the peers, wherever a batch ends.
    write_pair(tmp_path, b"a b\nc d\na b\na <br> b\n", b"a <br> b\nc d\na b\na b\n")
    with small_portions(1, 1 << 20, block_bytes):
        finished = run(*PAIR, "--jobs", jobs, cwd=tmp_path)
    (warning,) = [line for line in finished.error_lines if "2 of 8 texts hold" in line]
    assert "the first text 1: m, line 1:" in warning


def test_the_language_that_is_advised(run: Run, tmp_path: Path) -> None:
    # 400 letters are looked at. With all peers in front of all models these would be German alone;
    # EVAL by EVAL there are as many French ones, which have the ue of the German ones besides.
    german, french = (
        "gr\u00f6\u00dfer \u00fcber \u00e4hnlich\n",
        "\u00e9t\u00e9 fran\u00e7ais d\u00e9j\u00e0\n",
    )
    write_pair(tmp_path, (german * 300).encode(), (french * 300).encode())
    advice = set()
    for jobs, block_bytes in (("1", 1 << 20), ("1", 1), ("3", 1 << 20), ("3", 1)):
        with small_portions(1 if jobs == "3" else 1 << 20, 1 << 20, block_bytes):
            finished = run(*PAIR, "--jobs", jobs, cwd=tmp_path)
        advice |= {line for line in finished.error_lines if "--language" in line}
    (line,) = advice
    assert "such as --language fr," in line
