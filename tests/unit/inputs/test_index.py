"""Batches and the index of an input: every text once, in its place, whatever the sizes."""

import pickle
from pathlib import Path
from typing import Any

import pytest

from rouge_cli.errors import InputError
from rouge_cli.inputs.evaluation import EvalIds
from rouge_cli.inputs.index import HeldInput, Input
from rouge_cli.inputs.layout import open_input
from rouge_cli.inputs.source import GivenTexts, Source
from rouge_cli.inputs.text_files import FileEval, FileInput, NamedFiles, TextFile
from rouge_cli.options.options import Options
from tests.corpora import Instance, held_input, instances_of, places_of
from tests.property.sizes import small_batches

LIST = b"p1 m1 m2\n\np2 m1\np3 m3 m2 m1\n"
NAMES = ("p1", "p2", "p3", "m1", "m2", "m3")
SEVERAL = {
    "1": ({"a": b"a one", "b": b"b one"}, [b"m one"]),
    "2": ({"b": b"b two"}, [b"m two", b"n two"]),
    "3": ({}, [b"m three"]),
    "4": ({"a": b"a four", "b": b"b four"}, [b"m four", b"m four"]),
}
ABSENT = "has no prediction; the text does not count for it"


def opened(source: Source, **given: Any) -> Input:
    options = Options.of(given)
    return open_input(source, options.inputs, options.metrics)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in NAMES:
        Path(name).write_text(f"words of {name}\n")
    Path("files.lst").write_bytes(LIST)
    return tmp_path


def listed(**given: Any) -> Input:
    return opened(Source("files.lst"), list_format="SPL", **given)


@pytest.mark.parametrize("batch_bytes", [1, 30, 1 << 20])
@pytest.mark.parametrize("n_pairs", [1, 3, 100])
def test_batches(folder: Path, batch_bytes: int, n_pairs: int) -> None:
    words = {name: b"words of %b\n" % name.encode() for name in NAMES}
    rows = [line.split() for line in LIST.decode().splitlines() if line]
    of_list = [
        (row, 0, words[peer], [words[model] for model in models])
        for row, (peer, *models) in enumerate(rows)
    ]
    of_several: list[Instance] = [
        (row, rank, peers[system], list(models))
        for row, (peers, models) in enumerate(SEVERAL.values())
        for rank, system in enumerate("ab")
        if system in peers
    ]
    lists = {"x": ["x0", "x1", "x2"], "y": ["y0", "y1", "y2"]}
    references = [["m0"], ["m1", "n1"], ["m2"]]
    of_lists = [
        (row, rank, lists[system][row].encode(), [model.encode() for model in references[row]])
        for row in range(3)
        for rank, system in enumerate("xy")
    ]
    inputs: list[tuple[Input, list[Instance]]] = [
        (listed(), of_list),
        (held_input(SEVERAL), of_several),
        (opened(Source(texts=GivenTexts(lists, references))), of_lists),
    ]
    with small_batches(n_pairs, batch_bytes, 1 << 20):
        for source, expected in inputs:
            batches = list(source.batches())
            assert instances_of(pickle.loads(pickle.dumps(batches))) == expected
            # Later they are the same.
            assert instances_of(source.batches()) == expected
            assert len(batches) > 1 or n_pairs > 1
            texts = {
                (row, name): peer.content
                for row, of_eval in enumerate(source.evals())
                for name, peer in of_eval.peers.items()
            }
            assert len(texts) == len(expected)


def test_a_batch_ends_with_an_eval(folder: Path) -> None:
    # Each text has 12 bytes: the first EVAL reaches 30, the two after it do together.
    with small_batches(100, 30, 1 << 20):
        names = [places_of([batch]) for batch in listed().batches()]
    assert [[name[-2:] for name in of_batch] for of_batch in names] == [
        ["m1", "m2", "p1"],
        ["m1", "p2", "m3", "m2", "m1", "p3"],
    ]
    assert names[0][0] == "text 1: m1"


def test_cells_and_absences() -> None:
    index = held_input(SEVERAL).complete()
    assert index.cells() == {"a": ["1", "4"], "b": ["1", "2", "4"]}
    assert index.absences() == (
        f"text 2: system a {ABSENT}",
        f"text 3: system a {ABSENT}",
        f"text 3: system b {ABSENT}",
    )


def test_only_some_systems() -> None:
    source = HeldInput(list(held_input(SEVERAL).evals()), ("a",), held_input(SEVERAL))
    assert [(texts.id, list(texts.peers)) for texts in source.evals()] == [
        ("1", ["a"]),
        ("4", ["a"]),
    ]


def test_only_some_evals() -> None:
    found = list(held_input(SEVERAL).evals(["4", "2", "none"]))
    assert [texts.id for texts in found] == ["2", "4"]
    assert [text.content for text in found[1].models] == [b"m four", b"m four"]
    assert found[1].humans == ("A", "B")


def test_what_is_gone_is_named(folder: Path) -> None:
    source = listed()
    Path("m3").unlink()
    Path("p1").unlink()
    with pytest.raises(InputError) as caught:
        source.complete()
    assert caught.value.problems == (
        "files.lst, line 1, text 1: p1: no such file",
        "files.lst, line 4, text 3: m3: no such file",
    )


def file_input(evals: list[FileEval], **given: Any) -> FileInput:
    options = Options.of(given)
    named = NamedFiles("c", evals, ("X",), ())
    return FileInput(named, options.inputs, options.metrics)


def contents(source: Input) -> list[bytes]:
    return [text.content for texts in source.evals() for text in texts.texts]


def test_only_raw_files_are_split(tmp_path: Path) -> None:
    spl, isi = tmp_path / "t.txt", tmp_path / "t.sgml"
    spl.write_bytes(b"One is here. Two\nwords.")
    isi.write_bytes(b'<S SNTNO="1">One. Two.</S>\n')
    files = FileEval("1", {"X": TextFile(str(spl))}, (TextFile(str(isi), "ISI"),))
    found = contents(file_input([files], sentences="en"))
    assert found == [b"One is here.\nTwo words.", b"One. Two."]


def test_files_of_other_formats_are_no_elements(tmp_path: Path) -> None:
    (tmp_path / "s").write_bytes(b"a|b|c\n")
    (tmp_path / "i").write_bytes(b"a")
    peer, model = TextFile(str(tmp_path / "s"), "SIMPLE"), TextFile(str(tmp_path / "i"), "ISI")
    source = file_input([FileEval("1", {"X": peer}, (model,))], basic_elements="HM", lcs=False)
    assert contents(source) == [b"a|b|c\n", b""]


@pytest.mark.parametrize(
    ("line", "repeated"),
    [(b"p1 m1 m1\n", [False, True, False]), (b"p1 p1\n", [False, True]), (b"p1 m1\n", None)],
)
def test_a_file_twice_in_an_eval(line: bytes, repeated: list[bool] | None, folder: Path) -> None:
    Path("files.lst").write_bytes(line)
    (batch,) = listed().batches()
    found = None if batch.is_repeated is None else batch.is_repeated.tolist()
    assert found == repeated


@pytest.mark.parametrize(
    ("ids", "rows"),
    [
        ("1 2 3", "0 1 2"),
        ("1 2 2 3 1", "0 1 1 2 0"),
        ("1 3 2 3", "0 1 2 1"),
        ("1 x 1 x", "0 1 0 1"),
        ("07 7 07", "0 1 0"),
        ("7 5 x 7 5", "0 1 2 0 1"),
        ("0 1 020 +1 20 020", "0 1 2 3 4 2"),
        ("2147483647 2147483648 1099511627776 2147483648", "0 1 2 1"),
        ("999999999999999 1000000000000000 1099511627776", "0 1 2"),
    ],
)
def test_rows_of_evals(ids: str, rows: str) -> None:
    of_evals = EvalIds()
    assert [of_evals.row(eval_id) for eval_id in ids.split()] == list(map(int, rows.split()))
    assert list(of_evals.ids()) == list(dict.fromkeys(ids.split()))
    together = EvalIds()
    names = ids.split()
    assert together.add_new(names) == (len(set(names)) == len(names))
    assert not together.add_new(names[-1:]) or len(set(names)) < len(names)
