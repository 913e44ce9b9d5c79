"""Corpora that tests make, and what a corpus holds, spelt out."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from rouge_cli.inputs.blocks import Portion
from rouge_cli.inputs.corpus import Corpus, FileEval, TextFile
from rouge_cli.inputs.evaluation import Evaluation
from rouge_cli.inputs.stored_texts import StoredTexts
from rouge_cli.inputs.texts import Origin


def held_corpus(
    evals: Mapping[str, tuple[Mapping[str, bytes], Sequence[bytes]]], *systems: str
) -> Corpus:
    """Return texts that are at hand as a corpus.

    Parameters
    ----------
    evals : mapping of str to (mapping of str to bytes, sequence of bytes)
        EVAL ID to the peer of each system, and the models.
    systems : str
        Those to score; none for all, in byte order.
    """
    contents: list[bytes] = []
    numbered = []
    for eval_id, (peers, models) in evals.items():
        numbers = iter(range(len(contents), len(contents) + len(peers) + len(models)))
        contents += (*peers.values(), *models)
        numbered.append(Evaluation(eval_id, dict(zip(peers, numbers, strict=False)), (*numbers,)))
    known = {system for evaluation in numbered for system in evaluation.peers}
    in_order = systems or sorted(known, key=lambda system: system.encode())
    texts = StoredTexts()
    texts.add(contents, range(1, len(contents) + 1), Origin("memory"))
    return Corpus.of("memory", numbered, in_order, texts)


def file_evals(corpus: Corpus) -> list[FileEval]:
    """Return the EVALs of a corpus whose texts are files, as a configuration spells them."""
    texts = corpus.texts.as_files()
    assert texts is not None

    def file(number: int) -> TextFile:
        return TextFile(texts.names[number], texts.formats[number], texts.line(number))

    return [
        FileEval(
            evaluation.id,
            {system: file(number) for system, number in evaluation.peers.items()},
            tuple(map(file, evaluation.models)),
            evaluation.model_ids,
        )
        for evaluation in corpus.evaluations()
    ]


Described = tuple[list[str], list[tuple[str, str]], list[int]]
"""Names of texts in the order of blocks, names of pairs, and how many pairs each instance has."""


def described_blocks(portions: Iterable[Portion]) -> Described:
    names: list[str] = []
    pairs: list[tuple[str, str]] = []
    counts: list[int] = []
    for portion in portions:
        for block in portion.blocks():
            here = list(map(block.describe, range(len(block.texts))))
            columns = block.pairs.peers.tolist(), block.pairs.models.tolist()
            names += here
            pairs += [(here[peer], here[model]) for peer, model in zip(*columns, strict=True)]
            counts += np.diff([*block.pairs.starts.tolist(), len(columns[0])]).tolist()
    return names, pairs, counts


def described_evals(corpus: Corpus) -> Described:
    """Return the same of the EVALs themselves: of each the models, then the peers."""
    names: list[str] = []
    pairs: list[tuple[str, str]] = []
    counts: list[int] = []
    for evaluation in corpus.scored_evaluations():

        def name(number: int, eval_id: str = evaluation.id) -> str:
            return corpus.texts.describe(number, eval_id)

        present = [system for system in corpus.systems if system in evaluation.peers]
        peers = [evaluation.peers[system] for system in present]
        names += dict.fromkeys(map(name, (*evaluation.models, *peers)))
        pairs += [(name(peer), name(model)) for peer in peers for model in evaluation.models]
        counts += [len(evaluation.models)] * len(peers)
    return names, pairs, counts
