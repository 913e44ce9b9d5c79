"""Portions of line files: every line once, in its place, whatever the sizes."""

import os
import pickle
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rouge_cli.errors import InputError
from rouge_cli.inputs import blocks, line_texts
from rouge_cli.inputs.blocks import Portion
from rouge_cli.inputs.line_files import line_corpus
from rouge_cli.inputs.line_texts import LineFile, LineFiles, index_line_files

PEERS = b"p1\n\np3 longer\np4\np5"
MODELS = b"m1\nm2\n\n\nm5 which is long\n"


def plain(path: str) -> LineFile:
    return LineFile.at(path, path)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LineFiles:
    monkeypatch.chdir(tmp_path)
    Path("p").write_bytes(PEERS)
    Path("m").write_bytes(MODELS)
    Path("n").write_bytes(PEERS + b"\n")
    return LineFiles({"one": plain("p")}, (plain("m"), plain("n")))


def set_sizes(
    monkeypatch: pytest.MonkeyPatch, n_lines: int, chunk: int = 1 << 20, block_bytes: int = 1 << 20
) -> None:
    monkeypatch.setattr(line_texts, "LINES_AT_A_TIME", n_lines)
    monkeypatch.setattr(line_texts, "LINES_OF_MARK", 2)
    monkeypatch.setattr(line_texts, "CHUNK", chunk)
    monkeypatch.setattr(blocks, "BLOCK_BYTES", block_bytes)


def portions_of(files: LineFiles) -> list[Portion]:
    portions: list[Portion] = pickle.loads(
        pickle.dumps(list(line_corpus(index_line_files(files)).portions()))
    )
    return portions


def test_marks(files: LineFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    # Every second line of p: after "p1\n\n", 4 bytes, and after "p3 longer\np4\n", 13 more.
    for chunk in range(1, len(MODELS) + 2):
        set_sizes(monkeypatch, 2, chunk)
        texts = index_line_files(files)
        assert texts.n_lines == 5
        assert texts.marks[0].tolist() == [0, 4, 17, 19]


def test_threads_index_files_beside_each_other(
    files: LineFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_sizes(monkeypatch, 2, 3)
    alone = index_line_files(files)
    monkeypatch.setattr(line_texts, "BYTES_THAT_PAY", 0)
    together = index_line_files(files, 2)
    assert [marks.tolist() for marks in together.marks] == [marks.tolist() for marks in alone.marks]
    for name in "mn":
        Path(name).write_bytes(b"a\0")
    with pytest.raises(InputError) as caught:
        index_line_files(files, 9)
    assert [problem[:18] for problem in caught.value.problems] == [
        "m, line 1: a zero ",
        "n, line 1: a zero ",
    ]


def test_long_lines_are_work_for_several_processes(tmp_path: Path) -> None:
    # 20 lines of 102,401 bytes: each weighs 400 * (1 + 25) = 10,400 short pairs, more than the
    # 8,192 of a portion.
    for name in "pm":
        Path(tmp_path, name).write_bytes((b"long " * 20480 + b"\n") * 20)
    paths = [str(tmp_path / name) for name in "pm"]
    files = LineFiles({"one": LineFile.at(paths[0], "p")}, (LineFile.at(paths[1], "m"),))
    assert [len(portion.eval_ids) for portion in portions_of(files)] == [1] * 20


@pytest.mark.parametrize("n_lines", [1, 2, 3, 5, 9])
@pytest.mark.parametrize("block_bytes", [1, 8, 30])
def test_every_line_once(
    n_lines: int, block_bytes: int, files: LineFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_sizes(monkeypatch, n_lines, 3, block_bytes)
    monkeypatch.setattr(blocks, "PORTION_PAIRS", 2 * n_lines)
    found = []
    names = []
    for portion in portions_of(files):
        for block in portion.blocks():
            pairs = zip(block.pairs.peers.tolist(), block.pairs.models.tolist(), strict=True)
            found += [(block.texts[peer], block.texts[model]) for peer, model in pairs]
            # Two models: every second pair begins an instance.
            assert block.pairs.starts.tolist() == list(range(0, len(block.pairs.peers), 2))
            names += [block.describe(number) for number in block.pairs.models.tolist()]
    peers, models = PEERS.split(b"\n"), MODELS.removesuffix(b"\n").split(b"\n")
    assert found == [
        pair
        for peer, model in zip(peers, models, strict=True)
        for pair in ((peer, model), (peer, peer))
    ]
    assert names == [f"EVAL {k}: {path}, line {k}" for k in range(1, 6) for path in "mn"]


def test_pairs_of_systems_and_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in "abmn":
        Path(name).write_bytes(f"{name}1\n{name}2\n".encode())
    files = LineFiles({"B": plain("b"), "A": plain("a")}, (plain("m"), plain("n")))
    corpus = line_corpus(index_line_files(files))
    (portion,) = corpus.portions()
    (block,) = portion.blocks()
    shown = [
        (block.texts[peer] + block.texts[model]).decode()
        for peer, model in zip(block.pairs.peers, block.pairs.models, strict=True)
    ]
    # Line by line, then system by system as given, then model by model.
    assert shown == ["b1m1", "b1n1", "a1m1", "a1n1", "b2m2", "b2n2", "a2m2", "a2n2"]
    assert block.pairs.starts.tolist() == [0, 2, 4, 6]
    instances = corpus.instances()
    assert instances.systems == ("B", "A")
    assert list(instances.eval_ids) == ["1", "1", "2", "2"]
    assert list(instances.system_numbers) == [0, 1, 0, 1]


def test_a_line_longer_than_a_block_is_a_block(
    files: LineFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_sizes(monkeypatch, 9, 3, 1)
    (portion,) = portions_of(files)
    # Lines without any byte join the one before them; here each has some.
    assert [len(block.texts) for block in portion.blocks()] == [3] * 5


def test_a_file_that_is_gone_when_it_is_read(files: LineFiles) -> None:
    (portion,) = portions_of(files)
    Path("m").unlink()
    with pytest.raises(InputError) as caught:
        list(portion.blocks())
    assert caught.value.problems == ("m: cannot be read: No such file or directory",)


def test_a_file_that_is_gone_before_its_lines_are_found(files: LineFiles) -> None:
    Path("m").unlink()
    problem = "m: cannot be read: No such file or directory"
    with pytest.raises(InputError) as caught:
        plain("m")
    assert caught.value.problems == (problem,)
    with pytest.raises(InputError) as caught:
        index_line_files(files)
    assert caught.value.problems == (problem,)


def appended(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"more\nand more\n")


def shortened(path: Path) -> None:
    os.truncate(path, 4)


def edited(path: Path) -> None:
    path.write_bytes(b"x" + path.read_bytes()[1:])


def replaced(path: Path) -> None:
    found = path.stat()
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    os.utime(other, ns=(found.st_atime_ns, found.st_mtime_ns))
    other.replace(path)


@pytest.mark.parametrize("change", [appended, shortened, edited, replaced])
@pytest.mark.parametrize("name", ["p", "m"])
def test_a_file_that_changes(change: Callable[[Path], None], name: str, files: LineFiles) -> None:
    (portion,) = portions_of(files)
    # Times of files are kept to some milliseconds.
    time.sleep(0.02)
    change(Path(name))
    with pytest.raises(InputError, match=f"^{name}: changed while it was read; run again$"):
        list(portion.blocks())


def test_files_that_become_equally_short(files: LineFiles) -> None:
    (portion,) = portions_of(files)
    for file in files.all:
        Path(file.path).write_bytes(b"one line\n")
    with pytest.raises(InputError, match="changed while it was read"):
        list(portion.blocks())


def test_portions_are_cheap_to_send(tmp_path: Path) -> None:
    # Where lines begin, and no texts: 1,000 lines of 1,000 bytes in each of two files.
    for name in "pm":
        Path(tmp_path, name).write_bytes((b"w" * 999 + b"\n") * 1000)
    paths = [str(tmp_path / name) for name in "pm"]
    files = LineFiles({"one": LineFile.at(paths[0], "p")}, (LineFile.at(paths[1], "m"),))
    (portion,) = portions_of(files)
    assert len(pickle.dumps(portion)) < 200_000


def test_evaluations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_sizes(monkeypatch, 2)
    content = {"b": b"b1\nb<q>2\n\n", "a": b"a1\na2\na3", "m": b"m1\nm2\nm3\n"}
    for name, lines in content.items():
        (tmp_path / name).write_bytes(lines)
    b, a, m = (LineFile.at(str(tmp_path / name), name) for name in content)
    corpus = line_corpus(index_line_files(LineFiles({"B": b, "A": a}, (m, m), "<q>")))
    expected = [
        (str(line), {"B": peer, "A": b"a%d" % line}, (b"m%d" % line,) * 2)
        for line, peer in enumerate([b"b1", b"b\n2", b""], 1)
    ]
    together = list(corpus.eval_texts())
    for read in (together, [corpus.read(evaluation) for evaluation in corpus.evaluations()]):
        assert [(one.evaluation.id, one.peers, one.models) for one in read] == expected
    # What the user called a file, and never its path.
    assert [
        [
            corpus.texts.place(number)
            for number in (*one.evaluation.peers.values(), *one.evaluation.models)
        ]
        for one in together
    ] == [[f"{name}, line {line}" for name in "bamm"] for line in range(1, 4)]


def test_lines_here_and_there(files: LineFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    set_sizes(monkeypatch, 3)
    texts = index_line_files(files)
    # Lines 5 and 1 of p, line 5 of m, lines 2 and 1 of n.
    part = texts.part(np.array([4, 0, 9, 11, 10]))
    assert [text for reading in part.read(range(5)) for text in reading.texts] == [
        b"p5",
        b"p1",
        b"m5 which is long",
        b"",
        b"p1",
    ]


@pytest.mark.parametrize("place", range(9))
def test_zero_bytes(
    place: int, files: LineFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = bytearray(b"a\nb\nc\nd\ne")
    line = 1 + content[:place].count(b"\n")
    content[place] = 0
    Path("m").write_bytes(content + b"\n\0")
    for chunk in range(1, 12):
        set_sizes(monkeypatch, 2, chunk)
        with pytest.raises(InputError) as caught:
            index_line_files(files)
        assert caught.value.problems == (
            f"m, line {line}: a zero byte; expected text, a text a line; UTF-16 needs "
            "--encoding utf-16",
        )


@pytest.mark.parametrize(
    ("lines", "separator", "expected"),
    [
        pytest.param(b"a\nb\n", None, [b"a", b"b"], id="lines"),
        pytest.param(b"a\nb", None, [b"a", b"b"], id="no-newline"),
        pytest.param(b"\n\na\n\n", None, [b"", b"", b"a", b""], id="empty-lines"),
        pytest.param(b"\n", None, [b""], id="one-empty-line"),
        pytest.param(b"", None, [], id="nothing"),
        pytest.param(
            b"a\r\nb\rc\x0bd\x85e\n", None, [b"a\r", b"b\rc\x0bd\x85e"], id="only-newline"
        ),
        pytest.param(b"a<q>b\n", None, [b"a<q>b"], id="no-separator"),
        pytest.param(b"a<q>b<q>\n<q>c\n", "<q>", [b"a\nb\n", b"\nc"], id="q"),
        pytest.param(b"a <q> b\n", "<q>", [b"a \n b"], id="blanks-stay"),
        pytest.param(b"<t> a </t> <t> b </t>\n", "<t> </t>", [b"a\nb"], id="tags"),
        pytest.param(
            b"<t> One . </t> <t> Two . </t>\n", "<t> </t>", [b"One .\nTwo ."], id="t-and-blanks"
        ),
        pytest.param(b"<s>One.</s><s>Two.</s>\r\n", "<s> </s>", [b"One.\nTwo."], id="s"),
        pytest.param(b"<t> </t>\n \n a \n", "<t> </t>", [b"", b" ", b" a "], id="tags-of-nothing"),
        pytest.param(b"a##SENT##b", "##SENT##", [b"a\nb"], id="sent"),
        pytest.param(b"aXbxc", "x", [b"aXb\nc"], id="case"),
        pytest.param(b"a.b+c", ".+", [b"a.b+c"], id="no-pattern"),
        pytest.param(b"a\xffb", "\udcff", [b"a\nb"], id="any-byte"),
    ],
)
def test_texts(lines: bytes, separator: str | None, expected: list[bytes], tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(lines)
    file = plain(str(path))
    files = LineFiles({"X": file}, (), separator)
    assert files.texts(file.lines([(0, len(lines))])) == expected
