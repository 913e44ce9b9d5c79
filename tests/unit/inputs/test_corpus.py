"""A corpus in columns: portions, blocks, messages, and the EVALs as objects."""

import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rouge_cli.errors import InputError
from rouge_cli.inputs import blocks, texts
from rouge_cli.inputs.blocks import Block, Portion, pair_weights, portion_bounds
from rouge_cli.inputs.corpus import Corpus, FileEval, TextFile, corpus_of_files
from rouge_cli.inputs.file_layouts import parse_file_list
from rouge_cli.inputs.lists import list_corpus
from rouge_cli.inputs.source import GivenTexts
from rouge_cli.inputs.texts import FileTexts
from rouge_cli.inputs.xml_config import parse_config
from rouge_cli.options.options import Options
from tests.corpora import described_blocks, described_evals, held_corpus

LIST = b"p1 m1 m2\n\np2 m1\np3 m3 m2 m1\n"
NAMES = ("p1", "p2", "p3", "m1", "m2", "m3")
EVAL = (
    '<EVAL ID="{0}"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT>'
    '<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT><PEERS><P ID="{1}">p</P></PEERS>'
    '<MODELS><M ID="A">m</M><M ID="{2}">n</M></MODELS></EVAL>'
)
SEVERAL = {
    "1": ({"a": b"a one", "b": b"b one"}, [b"m one"]),
    "2": ({"b": b"b two"}, [b"m two", b"n two"]),
    "3": ({}, [b"m three"]),
    "4": ({"a": b"a four", "b": b"b four"}, [b"m four", b"m four"]),
}
N_PAIRS = 40


@pytest.fixture
def listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    """EVALs of a file list, whose files are there."""
    monkeypatch.chdir(tmp_path)
    for name in NAMES:
        Path(name).write_text(f"words of {name}\n")
    return parse_file_list(LIST, "files.lst", format="SPL", system_id="X")


def sent(corpus: Corpus) -> list[Portion]:
    portions: list[Portion] = pickle.loads(pickle.dumps(list(corpus.portions())))
    return portions


def with_files(corpus: Corpus, **more: object) -> Corpus:
    assert isinstance(corpus.texts, FileTexts)
    return replace(corpus, texts=replace(corpus.texts, **more))  # type: ignore[arg-type]


@pytest.mark.parametrize("block_bytes", [1, 20, 40, 1 << 20])
@pytest.mark.parametrize("portion_pairs", [1, 3, 100])
@pytest.mark.parametrize("bytes_at_a_time", [1, 20, 1 << 20])
def test_blocks(
    listed: Corpus,
    monkeypatch: pytest.MonkeyPatch,
    block_bytes: int,
    portion_pairs: int,
    bytes_at_a_time: int,
) -> None:
    monkeypatch.setattr(blocks, "BLOCK_BYTES", block_bytes)
    monkeypatch.setattr(blocks, "PORTION_PAIRS", portion_pairs)
    monkeypatch.setattr(texts, "BYTES_AT_A_TIME", bytes_at_a_time)
    contents = {name: Path(name).read_bytes() for name in ("p1", "m1", "m3")}
    several = held_corpus(SEVERAL)
    corpora = [listed, with_files(listed, contents=contents), several]
    corpora += [replace(several, systems=systems) for systems in (("b",), ("b", "a"), ("c", "a"))]
    corpora[-1] = several.with_evaluations(several.evaluations(), ("c", "a"))
    for corpus in corpora:
        assert described_blocks(sent(corpus)) == described_evals(corpus)


@pytest.mark.parametrize(
    ("weights", "n_wanted", "bounds"),
    [
        pytest.param([1] * 40, 1, [0, 8, 16, 24, 32, 40], id="as-large-as-may-be"),
        # Of 40, 32 ... 16 pairs half would be 8 and more; of 8 it is 4, of 4 it is 2.
        pytest.param([1] * 40, 2, [0, 8, 16, 24, 32, 36, 38, 40], id="smaller-at-the-end"),
        pytest.param([1] * 15, 2, [0, 8, 15], id="so-many-as-wanted"),
        pytest.param([1] * 3, 9, [0, 2, 3], id="none-too-small"),
        pytest.param([20, 1, 1, 7, 1], 1, [0, 1, 4, 5], id="heavy"),
        pytest.param([1 << 40, 1], 2, [0, 1, 2], id="very-heavy"),
        pytest.param([5], 4, [0, 1], id="lone"),
    ],
)
def test_where_portions_begin(
    weights: list[int], n_wanted: int, bounds: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "PORTION_PAIRS", 8)
    monkeypatch.setattr(blocks, "LEAST_PAIRS", 2)
    assert portion_bounds(np.array(weights), n_wanted) == bounds


def test_a_block_ends_with_an_eval(listed: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    # Each text has 12 bytes: the first EVAL reaches 30, the two behind it do together.
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 30)
    (portion,) = listed.portions()
    found = list(portion.blocks())
    assert [[block.describe(n)[-2:] for n in range(len(block.texts))] for block in found] == [
        ["m1", "m2", "p1"],
        ["m1", "p2", "m3", "m2", "m1", "p3"],
    ]
    assert [block.pairs.starts.tolist() for block in found] == [[0], [0, 1]]
    assert found[1].pairs.peers.tolist() == [1, 5, 5, 5]
    assert found[1].pairs.models.tolist() == [0, 2, 3, 4]


def test_bytes_of_files(listed: Corpus) -> None:
    (block,) = whole(with_files(listed, split=bytes.upper))
    assert block.texts[2] == b"WORDS OF P1\n"
    assert block.content is not None
    assert block.content(2) == b"words of p1\n"


def whole(corpus: Corpus) -> list[Block]:
    return [block for portion in sent(corpus) for block in portion.blocks()]


def test_instances() -> None:
    instances = held_corpus(SEVERAL).instances()
    assert instances.cells() == {"a": ["1", "4"], "b": ["1", "2", "4"]}
    assert list(instances.eval_ids) == ["1", "1", "2", "4", "4"]
    absent = "has no peer; the EVAL does not count for it"
    assert instances.absences == (
        f"EVAL 2: system a {absent}",
        f"EVAL 3: system a {absent}",
        f"EVAL 3: system b {absent}",
    )


def test_what_is_gone_is_named(listed: Corpus) -> None:
    Path("m3").unlink()
    said = "^EVAL 3: m3: cannot be read: No such file"
    with pytest.raises(InputError, match=said):
        whole(listed)
    with pytest.raises(InputError, match=said):
        list(listed.eval_texts())
    with pytest.raises(InputError, match=said):
        list(map(listed.read, listed.evaluations()))


@pytest.mark.parametrize("list_of_files", [b"p m m\n", b"p p\n", b"a b\np m\np m n m\n"])
def test_a_file_twice_in_an_eval_is_read_once(list_of_files: bytes) -> None:
    corpus = parse_file_list(list_of_files, "files.lst", format="SPL", system_id="X")
    contents = dict.fromkeys("abmnp", b"word")
    (portion,) = with_files(corpus, contents=contents).portions()
    assert described_blocks([portion]) == described_evals(corpus)
    n_distinct = [len(set(line.split())) for line in list_of_files.splitlines()]
    assert len(portion.texts) == sum(n_distinct)


@pytest.mark.parametrize(
    "evals",
    [
        [("1", "s", "B"), ("2", "s", "C")],
        [("1", "s", "B"), ("2", "t", "B")],
        [("1", "s", "A")],
    ],
    ids=["alike", "two-systems", "model-id-twice"],
)
def test_configurations(evals: list[tuple[str, str, str]]) -> None:
    body = "".join(EVAL.format(*one) for one in evals)
    corpus = parse_config(f"<ROUGE-EVAL>{body}</ROUGE-EVAL>".encode(), "config.xml")
    assert [(one.id, list(one.peers), one.model_ids) for one in corpus.evaluations()] == [
        (eval_id, [system], ("A", model)) for eval_id, system, model in evals
    ]


@pytest.mark.parametrize(("n_words", "are_many"), [(60, False), (5000, True)])
def test_long_texts_are_work_for_several_processes(n_words: int, are_many: bool) -> None:
    text = b"words " * n_words
    numbers = [str(number) for number in range(N_PAIRS)]
    given = GivenTexts([text] * N_PAIRS, [text] * N_PAIRS)
    file = TextFile("1.txt")
    files = corpus_of_files("c.xml", [FileEval(one, {"X": file}, (file,)) for one in numbers])
    for corpus in (
        list_corpus(given, None, Options.of({}).metrics),
        held_corpus({number: ({"X": text}, [text]) for number in numbers}),
        with_files(files, contents={"1.txt": text}),
    ):
        portions = list(corpus.portions())
        assert (len(portions) >= 4) == are_many, corpus.name
        assert sum(portion.pairs.peers.size for portion in portions) == N_PAIRS


def test_weight() -> None:
    # A text of 300 bytes counts once; one of a hundred times as much some 800 times.
    empty, short, long = pair_weights(np.array([0, 300, 30_000])).tolist()
    assert empty == short == 1
    assert 700 < long < 1000


def split_at_stops(raw: bytes) -> bytes:
    return raw.replace(b"\n", b" ").replace(b". ", b".\n")


def test_only_raw_files_are_split(tmp_path: Path) -> None:
    spl, isi = tmp_path / "t.txt", tmp_path / "t.sgml"
    spl.write_bytes(b"One. Two\nwords.")
    isi.write_bytes(b'<S SNTNO="1">One. Two.</S>\n')
    files = FileEval("1", {"X": TextFile(str(spl))}, (TextFile(str(isi), "ISI"),))
    (texts,) = with_files(corpus_of_files("c", [files]), split=split_at_stops).eval_texts()
    assert texts.peers == {"X": b"One.\nTwo words."}
    assert texts.models == (b"One. Two.",)


def test_files_of_other_formats_are_no_elements(tmp_path: Path) -> None:
    contents = {"s": b"a|b|c\n", "i": b"a"}
    files = FileEval("1", {"X": TextFile("s", "SIMPLE")}, (TextFile("i", "ISI"),))
    corpus = with_files(corpus_of_files("c", [files]), contents=contents, as_elements=True)
    (texts,) = corpus.eval_texts()
    assert (texts.peers, texts.models) == ({"X": b"a|b|c\n"}, (b"",))


def test_only_systems_that_are_asked_for() -> None:
    corpus = replace(held_corpus(SEVERAL), systems=("a",))
    assert [texts.evaluation.id for texts in corpus.eval_texts()] == ["1", "4"]
    assert [list(texts.peers) for texts in corpus.eval_texts()] == [["a"]] * 2
    # The others are known all the same.
    assert list(next(corpus.evaluations()).peers) == ["a", "b"]
