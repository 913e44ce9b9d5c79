"""A few very long texts are work for several processes, many short ones go together."""

import pytest

from rouge_cli.inputs.blocks import pair_weight
from rouge_cli.inputs.corpus import Corpus, EvaluationCorpus
from rouge_cli.inputs.evaluation import Evaluation, TextSource
from rouge_cli.inputs.list_corpus import ListCorpus
from rouge_cli.inputs.records.corpus import RecordCorpus, RecordEval, RecordOrigin
from rouge_cli.inputs.text_reader import TextReader

N_PAIRS = 40


def corpora(text: bytes) -> list[Corpus]:
    """Return a corpus of each kind whose peers and models are all the same text."""
    numbers = [str(number) for number in range(1, N_PAIRS + 1)]
    records = [RecordEval(one, int(one), {"X": text}, (text,), int(one)) for one in numbers]
    source = TextSource("1.txt")
    evals = [Evaluation(one, {"X": source}, (source,)) for one in numbers]
    reader = TextReader(contents={"1.txt": text})
    return [
        ListCorpus(
            ("X",), [[text] * N_PAIRS], [[text]] * N_PAIRS, has_names=False, has_lists=False
        ),
        RecordCorpus(RecordOrigin("r.jsonl", "line", "X"), records, ("X",)),
        EvaluationCorpus("config.xml", evals, ("X",), reader),
    ]


@pytest.mark.parametrize(("n_words", "are_many"), [(60, False), (5000, True)])
def test_portions(n_words: int, are_many: bool) -> None:
    for corpus in corpora(b"words " * n_words):
        portions = list(corpus.portions())
        assert (len(portions) >= 4) == are_many, corpus.name
        assert len(portions) < N_PAIRS
        n_pairs = sum(block.pairs.peers.size for one in portions for block in one.blocks())
        assert n_pairs == N_PAIRS


def test_weight() -> None:
    # A text of 300 bytes counts once; one of a hundred times as much some 800 times.
    assert pair_weight(0) == pair_weight(300) == 1
    assert 700 < pair_weight(30_000) < 1000
