"""Records to a corpus: each text in its EVAL, named by its record, whatever the sizes."""

from typing import Any
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.errors import Problems
from rouge_cli.inputs import blocks
from rouge_cli.inputs.corpus import Corpus
from rouge_cli.inputs.records.groups import RecordGroups
from rouge_cli.inputs.records.rows import Row, choose_fields
from rouge_cli.inputs.records.values import RecordTexts
from rouge_cli.inputs.stored_texts import StoredTexts
from rouge_cli.inputs.texts import Origin
from rouge_cli.options.options import Options
from tests.corpora import described_blocks, described_evals

TEXTS = st.text("ab. \n", max_size=8)
MODELS = st.lists(TEXTS, min_size=1, max_size=3)
RECORDS = st.dictionaries(
    st.tuples(st.sampled_from("123"), st.sampled_from("xyz")), TEXTS, min_size=1, max_size=9
)


def read(records: list[dict[str, Any]], unit: str) -> Corpus:
    problems = Problems()
    origin = Origin("r.jsonl", unit)
    fields = choose_fields(records[0], Options.of({}).inputs)
    groups = RecordGroups(origin, "X", fields, RecordTexts(), problems, StoredTexts())
    for number, record in enumerate(records, 1):
        groups.add(Row(number, record))
    problems.raise_any()
    return groups.corpus()


@given(
    peers=RECORDS,
    models=st.tuples(MODELS, MODELS, MODELS),
    is_late=st.booleans(),
    n_bytes=st.sampled_from([1, 20, 1 << 20]),
    n_pairs=st.sampled_from([1, 3, 1 << 13]),
    unit=st.sampled_from(["line", "record"]),
)
def test_each_text_is_in_its_eval(
    peers: dict[tuple[str, str], str],
    models: tuple[list[str], ...],
    is_late: bool,
    n_bytes: int,
    n_pairs: int,
    unit: str,
) -> None:
    """With absent systems, and models that stand in the last record of an EVAL alone."""
    records = [
        {
            "id": eval_id,
            "system": system,
            "prediction": peer,
            "references": models[int(eval_id) - 1],
        }
        for (eval_id, system), peer in peers.items()
    ]
    last_of = {record["id"]: record for record in records}
    for record in records:
        if is_late and last_of[record["id"]] is not record:
            record["references"] = []
    corpus = read(records, unit)
    with (
        patch.object(blocks, "BLOCK_BYTES", n_bytes),
        patch.object(blocks, "PORTION_PAIRS", n_pairs),
    ):
        # The counts alone: texts of one record have one name.
        found, expected = described_blocks(corpus.portions()), described_evals(corpus)
    assert found[1:] == expected[1:]
    for texts in corpus.eval_texts():
        eval_id = texts.evaluation.id
        assert list(texts.models) == [text.encode() for text in models[int(eval_id) - 1]]
        assert texts.peers == {
            system: peers[eval_id, system].encode()
            for system in corpus.systems
            if (eval_id, system) in peers
        }
    assert sum(map(len, corpus.instances().cells().values())) == len(peers)


def test_each_text_is_named_by_its_record() -> None:
    """The models of EVAL 1 stand in line 3, the peer of system b too, that of a in line 1."""
    corpus = read(
        [
            {"id": "1", "system": "a", "prediction": "one", "references": []},
            {"id": "2", "system": "a", "prediction": "two", "references": ["x"]},
            {"id": "1", "system": "b", "prediction": "three", "references": ["y", "z"]},
        ],
        "line",
    )
    ((block,),) = [list(portion.blocks()) for portion in corpus.portions()]
    assert list(block.texts) == [b"y", b"z", b"one", b"three", b"x", b"two"]
    assert list(map(block.describe, range(6))) == [
        *["EVAL 1: r.jsonl, line 3"] * 2,
        "EVAL 1: r.jsonl, line 1",
        "EVAL 1: r.jsonl, line 3",
        *["EVAL 2: r.jsonl, line 2"] * 2,
    ]
