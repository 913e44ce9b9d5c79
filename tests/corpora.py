"""Inputs that tests make, and what their batches hold, spelt out."""

from collections.abc import Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from rouge_cli.inputs.batch import Batch, InputText
from rouge_cli.inputs.index import EvalTexts, HeldInput, Index, human_names

Evals = Mapping[str, tuple[Mapping[str, bytes], Sequence[bytes]]]
"""EVAL ID to the peer of each system, and the models."""


def held_input(evals: Evals, *systems: str) -> HeldInput:
    """Return texts at hand as an input; `systems` are those to score, by default all."""
    known = {system for peers, _ in evals.values() for system in peers}
    source: Any = SimpleNamespace(takes=frozenset(), index=Index("memory"), names_evals=True)
    held = [
        EvalTexts(
            eval_id,
            {name: _text(eval_id, peer) for name, peer in peers.items()},
            tuple(_text(eval_id, model) for model in models),
            human_names(len(models)),
        )
        for eval_id, (peers, models) in evals.items()
    ]
    return HeldInput(held, systems or sorted(known, key=str.encode), source)


def _text(eval_id: str, content: bytes) -> InputText:
    return InputText(content, "memory", f"EVAL {eval_id}: memory")


Instance = tuple[int, int, bytes, list[bytes]]
"""Row, number of the system, peer and models."""


def instances_of(batches: Iterable[Batch]) -> list[Instance]:
    """Return all instances in the order of the batches."""
    return [
        (
            int(row),
            int(system),
            batch.peer_of(number).content,
            [model.content for model in batch.models_of(number)],
        )
        for batch in batches
        for number, (row, system) in enumerate(zip(batch.rows, batch.systems, strict=True))
    ]


def places_of(batches: Iterable[Batch]) -> list[str]:
    """Return the names of all texts."""
    return [batch.describe(text) for batch in batches for text in range(len(batch.texts))]
