"""Records go to work without an object for each text; the general way has the same blocks."""

from typing import Any
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.errors import Problems
from rouge_cli.inputs import blocks
from rouge_cli.inputs.corpus import Corpus, EvaluationCorpus
from rouge_cli.inputs.evaluation import choose_systems
from rouge_cli.inputs.records.corpus import RecordCorpus, RecordOrigin
from rouge_cli.inputs.records.fields import choose_fields
from rouge_cli.inputs.records.grouping import RecordGroups
from rouge_cli.inputs.records.rows import Row
from rouge_cli.inputs.records.texts import RecordTexts
from rouge_cli.options.every import Options

TEXTS = st.text("ab. \n", max_size=8)
MODELS = st.lists(TEXTS, min_size=1, max_size=3)
RECORDS = st.dictionaries(
    st.tuples(st.sampled_from("123"), st.sampled_from("xyz")), TEXTS, min_size=1, max_size=9
)


def read(records: list[dict[str, Any]], unit: str) -> RecordCorpus:
    """Return records as a corpus."""
    problems = Problems()
    origin = RecordOrigin("r.jsonl", unit, "X")
    fields = choose_fields(records[0], Options.of({}).inputs)
    groups = RecordGroups(origin, fields, RecordTexts(), problems)
    for number, record in enumerate(records, 1):
        groups.add(Row(number, record))
    problems.raise_any()
    systems = choose_systems(groups.evals, None, all_systems=True)
    return RecordCorpus(origin, groups.evals, systems)


def described(corpus: Corpus) -> list[Any]:
    """Return all that the blocks of a corpus say."""
    return [
        (
            list(block.texts),
            block.pairs.peers.tolist(),
            block.pairs.models.tolist(),
            block.pairs.starts.tolist(),
            list(map(block.describe, range(len(block.texts)))),
        )
        for portion in corpus.portions()
        for block in portion.blocks()
    ]


@given(
    peers=RECORDS,
    models=st.tuples(MODELS, MODELS, MODELS),
    is_late=st.booleans(),
    n_bytes=st.sampled_from([1, 20, 1 << 20]),
    n_pairs=st.sampled_from([1, 3, 1 << 13]),
    unit=st.sampled_from(["line", "record"]),
)
def test_blocks_are_those_of_the_general_way(
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
    general = EvaluationCorpus.of(corpus, corpus.evaluations())
    with (
        patch.object(blocks, "BLOCK_BYTES", n_bytes),
        patch.object(blocks, "PORTION_PAIRS", n_pairs),
    ):
        assert described(corpus) == described(general)
    here, there = corpus.instances(), general.instances()
    assert here.eval_ids == there.eval_ids
    assert list(here.system_numbers) == list(there.system_numbers)
    assert here.absences == there.absences


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
    (found,) = described(corpus)
    assert found[0] == [b"y", b"z", b"one", b"three", b"x", b"two"]
    assert found[4] == [
        *["EVAL 1: r.jsonl, line 3"] * 2,
        "EVAL 1: r.jsonl, line 1",
        "EVAL 1: r.jsonl, line 3",
        *["EVAL 2: r.jsonl, line 2"] * 2,
    ]
