"""Line files: every line once, in its place, whatever the sizes; their names, and unsplit texts."""

import gzip
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rouge_cli.errors import InputError, OptionError
from rouge_cli.inputs import decoding, line_files
from rouge_cli.inputs.index import Input
from rouge_cli.inputs.layout import open_input
from rouge_cli.inputs.line_files import named_files
from rouge_cli.inputs.sentences import are_sentences_read, unsplit_lines, unsplit_warnings
from rouge_cli.inputs.source import Source
from rouge_cli.options.options import Options
from tests.cli.test_changed_files import appended, edited, replaced, shortened
from tests.corpora import instances_of, places_of
from tests.property.sizes import small_batches
from tests.tables import raw, tables_beside

TABLES = tables_beside(__file__)
PEERS = b"p1\n\np3 longer\np4\np5"
MODELS = b"m1\nm2\n\n\nm5 which is long\n"
ADVICE = (
    "give the encoding of the file with --encoding, or leave --encoding out to take its bytes as "
    "they are"
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("p").write_bytes(PEERS)
    Path("m").write_bytes(MODELS)
    Path("n").write_bytes(PEERS + b"\n")
    return tmp_path


def opened(peers: list[str], models: list[str], **more: Any) -> Input:
    options = Options.of({"peer_lines": peers, "model_lines": models, **more})
    return open_input(Source(), options.inputs, options.metrics)


@pytest.mark.parametrize("n_lines", [1, 2, 3, 5, 9])
@pytest.mark.parametrize("chunk", [1, 3, 1 << 20])
@pytest.mark.parametrize("batch_bytes", [1, 8, 1 << 20])
def test_every_line_once(
    n_lines: int, chunk: int, batch_bytes: int, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_files, "CHUNK", chunk)
    peers, models = PEERS.split(b"\n"), MODELS.removesuffix(b"\n").split(b"\n")
    with small_batches(n_lines, batch_bytes, 1 << 20):
        batches = list(opened(["one=p", "two=p"], ["m", "n"]).batches())
    assert instances_of(batches) == [
        (row, system, peer, [model, peer])
        for row, (peer, model) in enumerate(zip(peers, models, strict=True))
        for system in range(2)
    ]
    # Of each EVAL the models, then the systems in their order.
    assert places_of(batches) == [
        f"text {k}: {name}, line {k}" for k in range(1, 6) for name in "mnpp"
    ]


def test_lists_of_evals(home: Path) -> None:
    content = {"b": b"b1\nb<q>2\n\n", "a": b"a1\na2\na3", "m": b"m1\nm2\nm3\n"}
    for name, lines in content.items():
        Path(name).write_bytes(lines)
    source = opened(["B=b", "A=a"], ["m", "m"], sentence_separator="<q>")
    found = [
        (
            texts.id,
            [(name, text.content) for name, text in texts.peers.items()],
            [text.content for text in texts.models],
        )
        for texts in source.evals()
    ]
    assert found == [
        (str(line), [("B", peer), ("A", b"a%d" % line)], [b"m%d" % line] * 2)
        for line, peer in enumerate([b"b1", b"b\n2", b""], 1)
    ]


@pytest.mark.parametrize("change", [appended, shortened, edited, replaced])
@pytest.mark.parametrize("name", ["p", "m"])
@pytest.mark.parametrize("is_later", [False, True])
def test_a_file_that_changes(
    change: Callable[[Path], None], name: str, is_later: bool, home: Path
) -> None:
    source = opened(["p"], ["m"])
    with small_batches(1, 1, 1):
        read = source.evals() if is_later else source.batches()
        next(iter(read))
        change(home / name)
        with pytest.raises(InputError, match=r"changed while it was read; run again$"):
            list(read)


def test_a_file_that_is_gone(home: Path) -> None:
    Path("m").unlink()
    with pytest.raises(InputError) as caught:
        opened(["p"], ["m"])
    assert caught.value.problems == ("m: no such file",)


@pytest.mark.parametrize("place", range(9))
def test_zero_bytes(place: int, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = bytearray(b"a\nb\nc\nd\ne")
    line = 1 + content[:place].count(b"\n")
    content[place] = 0
    Path("m").write_bytes(content + b"\n\0")
    for chunk in range(1, 12):
        monkeypatch.setattr(line_files, "CHUNK", chunk)
        with pytest.raises(InputError) as caught:
            opened(["p"], ["m"]).complete()
        assert caught.value.problems == (
            f"m, line {line}: a zero byte; expected text, one per line; UTF-16 needs "
            "--encoding utf-16",
        )


def test_all_problems_at_once(home: Path) -> None:
    for name in "mn":
        Path(name).write_bytes(b"a\0")
    with pytest.raises(InputError) as caught:
        opened(["p"], ["n", "m"]).complete()
    assert [problem[:18] for problem in caught.value.problems] == [
        "n, line 1: a zero ",
        "m, line 1: a zero ",
    ]


def test_encodings_and_compression(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Chunks of one byte, across every border.
    monkeypatch.setattr(line_files, "CHUNK", 1)
    monkeypatch.setattr(decoding, "DECODED_BYTES", 1)
    Path("p").write_bytes(b"caf\xe9\n\n")
    Path("M.GZ").write_bytes(gzip.compress(b"\xe9t\xe9") + gzip.compress(b"\nx"))
    found = instances_of(opened(["p"], ["M.GZ"]).batches())
    assert [(peer, models) for *_, peer, models in found] == [
        (b"caf\xe9", [b"\xe9t\xe9"]),
        (b"", [b"x"]),
    ]
    found = instances_of(opened(["p"], ["M.GZ"], encoding="latin-1").batches())
    assert found[0][2:] == ("caf\u00e9".encode(), ["\u00e9t\u00e9".encode()])
    with pytest.raises(InputError) as caught:
        opened(["p"], ["M.GZ"], encoding="utf-8").complete()
    assert [problem.partition(": byte")[0] for problem in caught.value.problems] == [
        "p, line 1",
        "M.GZ, line 1",
    ]
    assert ADVICE in caught.value.problems[0]


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no names of open files here")
def test_a_pipe_is_read_as_often_as_it_is_wanted(home: Path) -> None:
    reader, writer = os.pipe()
    with os.fdopen(writer, "wb") as pipe:
        pipe.write(MODELS)
    try:
        source = opened(["p"], [f"/dev/fd/{reader}"])
        once = [texts.models[0].content for texts in source.evals()]
        assert once == [texts.models[0].content for texts in source.evals()]
        assert once == MODELS.removesuffix(b"\n").split(b"\n")
    finally:
        os.close(reader)


@pytest.mark.parametrize(("given", "expected"), TABLES["texts"])
def test_texts(given: str, expected: list[str], home: Path) -> None:
    separator, _, lines = given.partition(": ")
    separator = separator.encode().decode("unicode_escape")
    Path("p").write_bytes(raw(lines))
    source = opened(["p"], ["p"], sentence_separator=None if separator == "lines" else separator)
    assert [texts.peers["X"].content for texts in source.evals()] == list(map(raw, expected))


def test_an_empty_file(home: Path) -> None:
    Path("p").write_bytes(b"")
    with pytest.raises(InputError, match="p: an empty file"):
        opened(["p"], ["p"]).complete()


@pytest.mark.parametrize(("values", "expected"), TABLES["names of systems"])
def test_names(values: str, expected: list[str]) -> None:
    if not expected[0].startswith("--"):
        names = named_files(raw(values).decode().split(" & "))
        assert [f"{name}: {path}".encode() for name, path in names.items()] == list(
            map(raw, expected)
        )
        return
    with pytest.raises(OptionError) as caught:
        named_files(values.split(" & "))
    assert [str(caught.value)] == expected


def test_unsplit_lines() -> None:
    lines = [b"a<q>b", b"", b"c", b" \t", b"d", b"<q>"]
    texts = [b"a\nb", b"", b"c", b" \t", b"d", b"\n"]
    assert unsplit_lines(lines, texts) == [2, 4]
    assert unsplit_lines(lines[:2], texts[:2]) == []


def test_warnings() -> None:
    tail = "each counts as one sentence, which changes ROUGE-L and ROUGE-W"
    assert list(unsplit_warnings("f", 1000, 37, 4, "<t> </t>")) == [
        f"f: 37 of 1000 texts have no '<t> </t>', the first on line 4: {tail}"
    ]
    assert list(unsplit_warnings("h", 2, 1, None, "<t> </t>")) == [
        f"h: 1 of 2 texts has no '<t> </t>': {tail}"
    ]
    assert list(unsplit_warnings("g", 5, 0, None, "<t> </t>")) == []


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, True),
        ({"max_ngram": 1, "lcs": False}, False),
        ({"weight": "1.2", "lcs": False}, True),
        ({"basic_elements": "H"}, False),
        ({"basic_elements": "H", "weight": "2"}, True),
    ],
)
def test_where_sentences_matter(given: dict[str, object], expected: bool) -> None:
    assert are_sentences_read(Options.of(given).metrics) is expected
