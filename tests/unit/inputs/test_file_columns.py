"""EVALs in columns are the EVALs that the objects are: instances, portions, blocks, messages."""

import pickle
from pathlib import Path

import pytest

from rouge_cli.errors import InputError
from rouge_cli.inputs import blocks, file_columns
from rouge_cli.inputs.blocks import Block, Portion
from rouge_cli.inputs.corpus import Corpus, EvaluationCorpus
from rouge_cli.inputs.file_columns import FileColumns, FileCorpus, corpus_of_files
from rouge_cli.inputs.file_list import parse_file_list
from rouge_cli.inputs.text_reader import TextReader
from rouge_cli.inputs.xml_config import parse_config

LIST = b"p1 m1 m2\n\np2 m1\np3 m3 m2 m1\n"
EVAL = (
    '<EVAL ID="{0}"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT>'
    '<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT><PEERS><P ID="{1}">p</P></PEERS>'
    '<MODELS><M ID="A">m</M><M ID="{2}">n</M></MODELS></EVAL>'
)


@pytest.fixture
def corpora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[FileCorpus, EvaluationCorpus]:
    """Return the same EVALs in columns and as objects; their texts are files."""
    monkeypatch.chdir(tmp_path)
    for name in ("p1", "p2", "p3", "m1", "m2", "m3"):
        Path(name).write_text(f"words of {name}\n")
    columns = parse_file_list(LIST, "files.lst", format="SPL", system_id="X")
    of_columns = corpus_of_files("files.lst", columns, ("X",))
    assert isinstance(of_columns, FileCorpus)
    return of_columns, EvaluationCorpus("files.lst", list(columns), ("X",))


def shown(block: Block) -> tuple[object, ...]:
    """Return all that a block holds."""
    assert block.content is not None
    numbers = range(len(block.texts))
    pairs = (block.pairs.peers, block.pairs.models, block.pairs.starts)
    names = [(block.describe(number), block.content(number)) for number in numbers]
    return block.texts, [one.tolist() for one in pairs], names


def sent(portion: Portion) -> Portion:
    """Return a portion as a worker gets it."""
    received: Portion = pickle.loads(pickle.dumps(portion))
    return received


@pytest.mark.parametrize("block_bytes", [1, 40, 1 << 20])
@pytest.mark.parametrize("portion_pairs", [1, 3, 100])
def test_blocks(
    corpora: tuple[FileCorpus, EvaluationCorpus],
    monkeypatch: pytest.MonkeyPatch,
    block_bytes: int,
    portion_pairs: int,
) -> None:
    monkeypatch.setattr(blocks, "BLOCK_BYTES", block_bytes)
    monkeypatch.setattr(file_columns, "BLOCK_BYTES", block_bytes)
    monkeypatch.setattr(blocks, "PORTION_PAIRS", portion_pairs)
    for contents in ({}, {name: Path(name).read_bytes() for name in ("p1", "m1", "m3")}):
        found: list[list[list[tuple[object, ...]]]] = []
        for corpus in corpora:
            portions = list(corpus.with_reader(TextReader(contents=contents)).portions())
            found.append([[shown(block) for block in one.blocks()] for one in portions])
            assert [[shown(block) for block in sent(one).blocks()] for one in portions] == found[-1]
        assert found[0] == found[1]


def test_instances_and_files(corpora: tuple[FileCorpus, EvaluationCorpus]) -> None:
    columns, objects = corpora
    of_columns, of_objects = columns.instances(), objects.instances()
    assert of_columns.cells() == of_objects.cells()
    assert (of_columns.absences, of_columns.clusters) == (of_objects.absences, of_objects.clusters)
    formats, names = objects.files()
    assert columns.files() == (formats, names)
    assert columns.systems == objects.systems


def test_some_of_them(corpora: tuple[FileCorpus, EvaluationCorpus]) -> None:
    columns, objects = (corpus.evals for corpus in corpora)
    assert list(columns[1:]) == list(objects[1:])
    assert [columns[-1], len(columns)] == [objects[-1], 3]
    assert list(columns[2:1]) == []
    with pytest.raises(IndexError):
        columns[3]
    with pytest.raises(ValueError, match="expected a step of 1, found -1"):
        columns[::-1]


def test_what_is_gone_is_named(corpora: tuple[FileCorpus, EvaluationCorpus]) -> None:
    Path("m3").unlink()
    for corpus in corpora:
        with pytest.raises(InputError, match=r"^EVAL 3: m3: cannot be read: No such file"):
            [list(one.blocks()) for one in corpus.portions()]


def test_another_format_and_split_sentences(
    corpora: tuple[FileCorpus, EvaluationCorpus],
) -> None:
    see = "<html><body><a name=1>[1]</a> <a href=#1 id=1>Words of {}.</a></body></html>"
    for name in ("p1", "p2", "p3", "m1", "m2", "m3"):
        Path(name).write_text(see.format(name))
    columns = parse_file_list(LIST, "files.lst", format="SEE", system_id="X")
    in_columns = corpus_of_files("files.lst", columns, ("X",))
    assert isinstance(in_columns, FileCorpus)
    objects = EvaluationCorpus("files.lst", list(columns), ("X",))
    contents = {name: Path(name).read_bytes() for name in ("p1", "m1", "m3")}
    for reader in (
        TextReader(contents=contents),
        TextReader(contents=contents, split=bytes.upper),
        TextReader(as_elements=True, contents=contents),
    ):
        texts = [
            [block.texts for one in corpus.with_reader(reader).portions() for block in one.blocks()]
            for corpus in (in_columns, objects)
        ]
        assert texts[0] == texts[1]


def test_other_systems_are_absent() -> None:
    columns = parse_file_list(LIST, "files.lst", format="SPL", system_id="X")
    assert isinstance(corpus_of_files("files.lst", columns, ("Y",)), EvaluationCorpus)


@pytest.mark.parametrize("listed", [b"p m m\n", b"p p\n", b"a b\np m\np m n m\n"])
def test_a_file_twice_in_an_eval_is_read_once(listed: bytes) -> None:
    columns = parse_file_list(listed, "files.lst", format="SPL", system_id="X")
    corpus: Corpus = corpus_of_files("files.lst", columns, ("X",))
    assert isinstance(corpus, EvaluationCorpus)


@pytest.mark.parametrize(
    ("evals", "are_columns"),
    [
        ([("1", "s", "B"), ("2", "s", "C")], True),
        ([("1", "s", "B"), ("2", "t", "B")], False),
        ([("1", "s", "A")], False),
    ],
    ids=["alike", "two-systems", "model-id-twice"],
)
def test_configurations(evals: list[tuple[str, str, str]], are_columns: bool) -> None:
    body = "".join(EVAL.format(*one) for one in evals)
    found = parse_config(f"<ROUGE-EVAL>{body}</ROUGE-EVAL>".encode(), "config.xml")
    assert isinstance(found, FileColumns) == are_columns
    assert [(one.id, list(one.peers), one.model_ids) for one in found] == [
        (eval_id, [system], ("A", model)) for eval_id, system, model in evals
    ]
