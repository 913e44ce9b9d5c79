"""Line files print what the same texts print as files of their own."""

import gzip
import io
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from unittest.mock import patch

import pytest

import rouge_cli
from rouge_cli.errors import OptionError
from rouge_cli.inputs import line_files
from tests.cli.parallel import Texts, some_texts
from tests.cli.running import Finished, Run, write_files
from tests.plain.program import run as run_plain
from tests.property.sizes import small_batches

AS_ORIGINAL = {"lcs": True}
EVERYTHING = ["-n", "3", "-w", "1.2", "-2", "4", "-U", "-d", "-r", "50"]


@contextmanager
def small_portions(n_lines: int, chunk: int, block_bytes: int) -> Iterator[None]:
    """Set all sizes on which borders depend, for a while."""
    with small_batches(n_lines, block_bytes, block_bytes), patch.object(line_files, "CHUNK", chunk):
        yield


def write_pair(folder: Path, peers: bytes = b"a b\nc d\n", models: bytes = b"a b\nc x\n") -> None:
    write_files(folder, {"p": peers, "m": models})


def evals_warned_of(finished: Finished) -> list[str]:
    return sorted(
        line.split(":")[1]
        for line in finished.err.splitlines()
        if line.startswith("Warning: text ")
    )


def unsplit_warnings(texts: Texts, separator: str) -> str:
    said = ""
    for name, texts_of_file in texts.files.items():
        lines = [line for line, text in enumerate(texts_of_file, 1) if b"\n" not in text]
        if lines:
            has = "has" if len(lines) == 1 else "have"
            said += (
                f"Warning: {name}: {len(lines)} of {len(texts_of_file)} texts {has} no "
                f"{separator!r}, the first on line {lines[0]}: each counts as one sentence, which "
                "changes ROUGE-L and ROUGE-W\n"
            )
    return said


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
    said = unsplit_warnings(texts, separator)
    assert (found.out, found.err, found.code) == (expected.out, said, 0)
    assert said.count("\n") == 2
    assert expected.out.count(b"\n") > 100


def test_the_plain_twin_agrees(run: Run, tmp_path: Path) -> None:
    texts = some_texts(12, n_models=2)
    texts.write_files(tmp_path)
    texts.write_lines(tmp_path, b"<q>")
    expected = run_plain([*EVERYTHING, "-z", "SPL", "X.lst"], tmp_path)
    found = run(*EVERYTHING, *texts.arguments("<q>", with_names=False), cwd=tmp_path)
    said = unsplit_warnings(texts, "<q>")
    assert (found.out, found.err, found.code) == (expected, said, 0)


def test_verbose_without_words(run: Run) -> None:
    # What stands behind CONFIG is looked at; here there is no CONFIG.
    lines = ["--peer-lines", "lines/lead.txt", "--model-lines", "lines/A.txt"]
    assert run("-v", "-n1", *lines, cwd=Path(__file__).parents[2] / "fixtures" / "sample").code == 0


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
    # All pairs of bytes but those with a zero, which no text has.
    every = bytes(one for pair in range(65536) for one in divmod(pair, 256) if pair % 256 and one)
    lines = every.split(b"\n")
    texts = Texts({"X": lines}, [lines[1:] + lines[:1]])
    texts.write_files(tmp_path)
    # The last line is not empty, so the newline after it may be missing.
    texts.write_lines(tmp_path, b"", last=b"\n")
    options = ["-n2", "-d", "-r9"]
    expected = run(*options, "-z", "SPL", "X.lst", cwd=tmp_path)
    found = run(*options, *texts.arguments(None, with_names=False))
    assert found.out == expected.out
    # Of line files, whose encoding may be named, one more tells of bytes that are not UTF-8.
    assert len(found.err.splitlines()) == len(expected.err.splitlines()) + 1


def test_empty_lines(run: Run, tmp_path: Path) -> None:
    # An empty line is a text without words; it keeps its place.
    texts = Texts({"a": [b"", b"x y", b"-"], "b": [b"x", b"x", b"\n"]}, [[b"x", b"", b"x y"]])
    texts.write_files(tmp_path)
    texts.write_lines(tmp_path, b"<q>")
    expected = run(*EVERYTHING, "-a", "config.xml", cwd=tmp_path)
    found = run(*EVERYTHING, *texts.arguments("<q>"))
    assert (found.out, found.code) == (expected.out, 0)
    # An empty text is no text of one sentence, whatever it lacks.
    unsplit = "no '<q>', the first on line {}: each counts as one sentence, which changes"
    assert sorted(found.err.splitlines()) == [
        f"Warning: a: 2 of 3 texts have {unsplit.format(2)} ROUGE-L and ROUGE-W",
        f"Warning: b: 2 of 3 texts have {unsplit.format(1)} ROUGE-L and ROUGE-W",
        f"Warning: model0: 2 of 3 texts have {unsplit.format(1)} ROUGE-L and ROUGE-W",
        "Warning: text 1: a, line 1; text 2: model0, line 2; text 3: a, line 3 and 1 more: no "
        "tokens",
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
        "Warning: 1 text has references without words beside others, the first text 12 (1 of 2): "
        "each counts as a reference, which divides precision by the number of all; leave such "
        "references out",
        *unsplit_warnings(texts, "<q>").splitlines(),
        "Warning: text 12: model0, line 12: no tokens",
        "Warning: text 6: b, line 6: no tokens",
    ]


def test_more_lines_than_are_read_together(run: Run, tmp_path: Path) -> None:
    n_lines = 2 * line_files.LINES_AT_A_TIME + 3
    texts = some_texts(n_lines, n_sentences=1)
    texts.write_files(tmp_path)
    texts.write_lines(tmp_path, b"<q>")
    expected = run("-n1", "-d", "-r5", "-z", "SPL", "X.lst", cwd=tmp_path)
    found = run("-n1", "-d", "-r5", *texts.arguments("<q>", with_names=False))
    assert (found.out, found.err) == (expected.out, unsplit_warnings(texts, "<q>"))


def test_diagnostics(run: Run, tmp_path: Path) -> None:
    write_pair(tmp_path)
    plain = run(*PAIR, cwd=tmp_path)
    found = run("-v", *PAIR)
    assert found.out == plain.out
    assert "line files: 1 system\n" in found.err
    assert "system X: 2 texts\n" in found.err


def test_line_files_are_for_the_command_line() -> None:
    with pytest.raises(OptionError, match="predictions is for line files, not for lists of texts"):
        rouge_cli.evaluate(["a"], [["a"]], peer_lines="p", model_lines="m")  # type: ignore[call-arg]
    with pytest.raises(OptionError, match="exclude each other"):
        rouge_cli.evaluate_files("config.xml", peer_lines="p", model_lines="m")


@pytest.mark.parametrize(
    ("separator", "tags"),
    [
        pytest.param("<t> </t>", (b"<t> ", b" </t> <t> ", b" </t>"), id="t"),
        pytest.param("<s> </s>", (b"<s>", b"</s>  <s>", b"</s>"), id="s-without-blanks"),
        pytest.param("<s> </s>", (b" <s> ", b" </s>\t<s> ", b" </s> \r"), id="s-more-blanks"),
    ],
)
@pytest.mark.parametrize("options", [[], ["-l", "9"], ["-b", "40"]], ids=["all", "l", "b"])
def test_pairs_of_tags(
    separator: str, tags: tuple[bytes, bytes, bytes], options: list[str], run: Run, tmp_path: Path
) -> None:
    opening, between, closing = tags
    texts = some_texts(13)
    texts.write_files(tmp_path)
    for name, texts_of_file in texts.files.items():
        lines = [opening + text.replace(b"\n", between) + closing for text in texts_of_file]
        (tmp_path / name).write_bytes(b"\n".join(lines))
    expected = run(*EVERYTHING, *options, "-z", "SPL", "X.lst", cwd=tmp_path)
    found = run(*EVERYTHING, *options, *texts.arguments(separator, with_names=False))
    # Tags around a single sentence tell it apart just as well.
    assert (found.out, found.err, found.code) == (expected.out, "", 0)


@pytest.mark.parametrize(
    ("options", "is_said"),
    [
        pytest.param([], True, id="L"),
        pytest.param(["-x", "-w", "1.2"], True, id="W"),
        pytest.param(["-x", "-n", "1"], False, id="neither"),
    ],
)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_texts_of_one_sentence(
    options: list[str], is_said: bool, jobs: str, run: Run, tmp_path: Path
) -> None:
    write_pair(tmp_path, b"a<q>b\n\nc\n  \nd\ne<q>f\n", b"a\na<q>b\na<q>b\na<q>b\na<q>\n<q>a\n")
    arguments = ["-r9", "--jobs", jobs, *options, *PAIR, "--sentence-separator", "<q>"]
    with small_portions(2, 5, 1):
        found = run(*arguments, cwd=tmp_path)
    said = [line for line in found.err.splitlines() if not line.startswith("Warning: text ")]
    tail = "each counts as one sentence, which changes ROUGE-L and ROUGE-W"
    # Lines 2 and 4 are empty; in line 6 of m the separator stands at the very start.
    assert said == is_said * [
        f"Warning: p: 2 of 6 texts have no '<q>', the first on line 3: {tail}",
        f"Warning: m: 1 of 6 texts has no '<q>', the first on line 1: {tail}",
    ]


@pytest.mark.parametrize(
    ("peers", "said", "option"),
    [
        pytest.param(b"a<q>b\nc\n", "1 of 2 predictions looked at holds '<q>'", "<q>", id="q"),
        pytest.param(b"a<n>b\nc<n>\n", "2 of 2 predictions looked at hold '<n>'", "<n>", id="n"),
        pytest.param(b"<t> a </t>\n<t>c\n", "2 of 2 predictions looked at hold '<t>'", "<t> </t>",
                     id="t"),
        pytest.param(b"<s>a</s><s>b</s>\nc\n", "1 of 2 predictions looked at holds '<s>'",
                     "<s> </s>", id="s"),
        pytest.param(b"a##SENT##b\nc\n", "1 of 2 predictions looked at holds '##SENT##'",
                     "##SENT##", id="#"),
        pytest.param(b"a\nb [SEP] c\n", "1 of 2 predictions looked at holds '[SEP]'", "[SEP]",
                     id="sep"),
        # The one that most texts hold.
        pytest.param(b"a<q>b<n>\nc<n>\n", "2 of 2 predictions looked at hold '<n>'", "<n>",
                     id="two"),
        pytest.param(b"a<Q>b\nc < q > \n", "", "", id="none"),
    ],
)  # fmt: skip
def test_separators_that_nobody_asked_for(
    peers: bytes, said: str, option: str, run: Run, tmp_path: Path
) -> None:
    write_pair(tmp_path, peers)
    lines = run(*PAIR, cwd=tmp_path).err.splitlines()
    assert len(lines) == bool(said)
    for line in lines:
        assert line.startswith(f"Warning: {said}, the first text ")
        assert line.endswith(f"give --sentence-separator '{option}' if it stands between sentences")
    # Where no metric reads sentences, only marks that are no usual ones are told: "</s>" is a word.
    assert (run("-x", "-n1", *PAIR).err == "") == (option != "<s> </s>")


@contextmanager
def stdin_of(content: bytes) -> Iterator[None]:
    with patch("sys.stdin", io.TextIOWrapper(io.BytesIO(content))):
        yield


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("content", [b"a b\nc d\n", gzip.compress(b"a b\nc d\n", mtime=0)])
def test_standard_input(content: bytes, jobs: str, run: Run, tmp_path: Path) -> None:
    write_pair(tmp_path)
    expected = run("-n1", "-d", *PAIR, cwd=tmp_path)
    with small_portions(1, 3, 1), stdin_of(content):
        found = run("-n1", "-d", "--jobs", jobs, "--peer-lines", "-", "--model-lines", "m")
    assert (found.out, found.err) == (expected.out, "")
    with stdin_of(content):
        named = run("-n1", "-d", "--peer-lines", "one=-", "--model-lines", "m")
    assert (named.out, named.err) == (expected.out.replace(b"X ", b"one "), "")


def test_standard_input_in_messages(run: Run, tmp_path: Path) -> None:
    write_pair(tmp_path)
    arguments = ["--peer-lines", "-", "--model-lines", "m", "--sentence-separator", "<q>"]
    with stdin_of(b"a<q>b\n-\n"):
        found = run(*arguments, cwd=tmp_path)
    tail = "each counts as one sentence, which changes ROUGE-L and ROUGE-W"
    assert found.err.splitlines() == [
        f"Warning: standard input: 1 of 2 texts has no '<q>', the first on line 2: {tail}",
        f"Warning: m: 2 of 2 texts have no '<q>', the first on line 1: {tail}",
        "Warning: text 2: standard input, line 2: no tokens",
    ]
    with stdin_of(b"a\n"):
        assert run(*arguments).error_lines == [
            "Error: line files of different lengths: standard input has 1; m has 2; expected as "
            "many lines in each"
        ]


def test_gzip(run: Run, tmp_path: Path) -> None:
    texts = some_texts(12, systems="ab", n_models=2)
    texts.write_lines(tmp_path, b"<q>")
    options = ["-n2", "-d", "-r9", *texts.arguments("<q>")]
    expected = run(*options, cwd=tmp_path)
    for name in texts.files:
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress((tmp_path / name).read_bytes()))
        (tmp_path / name).unlink()
    # Names of systems stay: a=a is a=a.gz then.
    compressed = [f"{one}.gz" if one.rpartition("=")[2] in texts.files else one for one in options]
    found = run(*compressed)
    assert (found.out, found.code) == (expected.out, 0)
    assert found.err == re.sub(r"(?<=Warning: )(\w+)(?=: )", r"\1.gz", expected.err)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_pipes(run: Run, tmp_path: Path) -> None:
    write_pair(tmp_path)
    expected = run("-n1", "-d", *PAIR, cwd=tmp_path)
    os.mkfifo(tmp_path / "pipe")
    content = (tmp_path / "p").read_bytes()
    writer = Thread(target=(tmp_path / "pipe").write_bytes, args=(content,))
    writer.start()
    found = run("-n1", "-d", "--peer-lines", "pipe", "--model-lines", "m")
    writer.join()
    assert found == expected


ENCODED = "caf\u00e9 na\u00efve\u2028x y\x85z\x0b\n\u201cq\u201d<q>r s\n"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "UTF-16", "utf-16-le", "gb18030"])
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_encodings(encoding: str, suffix: str, run: Run, tmp_path: Path) -> None:
    # Two lines, whatever else ends a line elsewhere.
    write_pair(tmp_path, ENCODED.encode())
    options = ["-n2", "-d", "-b9", "-r9", "--sentence-separator", "<q>"]
    (tmp_path / "m").write_bytes("cafe\u0301 x\nr s\u00df\n".encode())
    expected = run(*options, *PAIR, cwd=tmp_path)
    for name in "pm":
        content = (tmp_path / name).read_bytes().decode().encode(encoding)
        (tmp_path / f"{name}2{suffix}").write_bytes(
            gzip.compress(content, mtime=0) if suffix else content
        )
    pair = ["--peer-lines", f"p2{suffix}", "--model-lines", f"m2{suffix}"]
    found = run(*options, *pair, "--encoding", encoding)
    assert found.out == expected.out
    renamed = re.sub(r"(?<=Warning: )(\w+)(?=: )", rf"\g<1>2{suffix}", expected.err)
    assert found.err == renamed.replace("text 1: p,", f"text 1: p2{suffix},")


def test_byte_order_mark(run: Run, tmp_path: Path) -> None:
    # The mark is no text, whatever is said of the encoding, so that -b 3 takes three letters.
    write_pair(tmp_path, b"\xef\xbb\xbfabc\nc\n", b"abc\nc\n")
    options = ["-n1", "-x", "-b3", *PAIR]
    assert b"Average_R: 1.00000" in run(*options, cwd=tmp_path).out
    assert b"Average_R: 1.00000" in run(*options, "--encoding", "utf-8").out


@pytest.mark.parametrize("block_bytes", [1, 1 << 20])
@pytest.mark.parametrize("jobs", ["1", "3"])
def test_the_first_text_is_that_of_the_first_file(
    jobs: str, block_bytes: int, run: Run, tmp_path: Path
) -> None:
    # EVAL by EVAL, and the models before the peers, wherever a batch ends.
    write_pair(tmp_path, b"a b\nc d\na b\na <br> b\n", b"a <br> b\nc d\na b\na b\n")
    with small_portions(1, 1 << 20, block_bytes):
        finished = run(*PAIR, "--jobs", jobs, cwd=tmp_path)
    (warning,) = [line for line in finished.error_lines if "<br>" in line]
    assert "2 of 8 texts hold" in warning
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
