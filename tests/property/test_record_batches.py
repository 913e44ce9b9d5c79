"""Records to batches: each text in its EVAL, named by its record, whatever the sizes."""

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.inputs.index import Input
from rouge_cli.inputs.layout import open_input
from rouge_cli.inputs.source import Source
from rouge_cli.options.options import Options
from tests.corpora import instances_of, places_of
from tests.property.sizes import small_batches

TEXTS = st.text("ab. \n", max_size=8)
MODELS = st.lists(TEXTS, min_size=1, max_size=3)
RECORDS = st.dictionaries(
    st.tuples(st.sampled_from("123"), st.sampled_from("xyz")), TEXTS, min_size=1, max_size=9
)


def opened(records: list[dict[str, Any]], folder: str) -> Input:
    path = Path(folder, "r.jsonl")
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    options = Options.of({"all": True})
    return open_input(Source(str(path)), options.inputs, options.metrics)


@given(
    peers=RECORDS,
    models=st.tuples(MODELS, MODELS, MODELS),
    is_late=st.booleans(),
    n_bytes=st.sampled_from([1, 20, 1 << 20]),
    n_pairs=st.sampled_from([1, 3, 1 << 13]),
)
def test_each_text_is_in_its_eval(
    peers: dict[tuple[str, str], str],
    models: tuple[list[str], ...],
    is_late: bool,
    n_bytes: int,
    n_pairs: int,
) -> None:
    """With absent systems, and models that only the last record of an EVAL has."""
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
    in_order = list(dict.fromkeys(eval_id for eval_id, _ in peers))
    with tempfile.TemporaryDirectory() as folder, small_batches(n_pairs, n_bytes, 1 << 20):
        source = opened(records, folder)
        found = instances_of(source.batches())
        index = source.index
        of_evals = list(source.evals())
    assert sorted((index.eval_ids[row], index.systems[n], peer) for row, n, peer, _ in found) == (
        sorted((eval_id, system, peer.encode()) for (eval_id, system), peer in peers.items())
    )
    for row, _, _, own in found:
        given = models[int(in_order[row]) - 1]
        # A blank reference beside others is absent.
        kept = [text for text in given if text.strip()] or given
        assert own == [text.encode() for text in kept]
    assert [texts.id for texts in of_evals] == in_order
    for texts in of_evals:
        assert [(name, peer.content.decode()) for name, peer in texts.peers.items()] == [
            (system, peers[texts.id, system]) for system in "xyz" if (texts.id, system) in peers
        ]


def test_each_text_is_named_by_its_record(tmp_path: Path) -> None:
    """The first record lacks references, and is scored in the end."""
    records = [
        {"id": "1", "system": "a", "prediction": "one", "references": []},
        {"id": "2", "system": "a", "prediction": "two", "references": ["x"]},
        {"id": "1", "system": "b", "prediction": "three", "references": ["y", "z"]},
    ]
    batches = list(opened(records, str(tmp_path)).batches())
    assert [content for batch in batches for content in batch.texts] == [
        *(b"x", b"two", b"y", b"z", b"three"),
        *(b"y", b"z", b"one"),
    ]
    assert [name.rpartition(" ")[2] for name in places_of(batches)] == list("22333111")
    assert places_of(batches)[0] == f"text 2: {tmp_path}/r.jsonl, line 2"
