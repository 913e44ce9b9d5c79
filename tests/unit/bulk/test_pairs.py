"""All pairs, nearest texts and minimum Bayes risk: what is refused, and examples by hand."""

import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from rouge_cli import InputError, bulk
from rouge_cli.bulk import pairs
from rouge_cli.core import compiled_core
from rouge_cli.errors import RougeWarning

TEXTS = ["the cat sat", "a dog", "the cat"]


def test_predictions_are_rows() -> None:
    # "the cat sat" and "the cat": 2 of 3 and 2 of 2 words. The diagonal is there.
    assert bulk.pairwise(TEXTS).tolist() == [[1, 0, 0.8], [0, 1, 0], [0.8, 0, 1]]
    assert bulk.pairwise(["the cat sat"], ["the cat"], metric="ROUGE-1:R").tolist() == [[1.0]]
    assert bulk.pairwise(["the cat sat"], ["the cat"], metric="ROUGE-1:P").tolist() == [[0.66667]]


def test_a_memory_map_is_filled(tmp_path: Path) -> None:
    out = np.memmap(tmp_path / "scores", np.float64, "w+", shape=(3, 3))
    assert bulk.pairwise(TEXTS, out=out) is out
    assert out.tolist() == bulk.pairwise(TEXTS).tolist()


def test_texts_are_read_once_for_several_calls() -> None:
    read, others = bulk.read(TEXTS, stem=True), bulk.read(["cats sat"], stem=True)
    assert len(read) == 3
    assert bulk.pairwise(read, others).tolist() == [[0.8], [0.0], [0.5]]
    assert bulk.pairwise(read, ["cats sat"]).tolist() == [[0.8], [0.0], [0.5]]


def test_rows_come_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "SCORES_AT_A_TIME", 1)
    texts = [f"w{number % 7} w{number % 5}" for number in range(130)]
    for jobs in (1, 3):
        blocks = list(bulk.iter_pairwise(texts, jobs=jobs))
        assert len(blocks) > 3
        assert np.vstack([rows for _, rows in blocks]).tolist() == bulk.pairwise(texts).tolist()
        assert [one.start for one, _ in blocks] == [0, *(one.stop for one, _ in blocks[:-1])]


def test_tables_that_are_not_kept_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = bulk.pairwise(TEXTS).tolist()
    monkeypatch.setattr(pairs, "LARGEST_TABLE", 8)
    assert bulk.pairwise(TEXTS).tolist() == expected


@pytest.mark.parametrize("n_words", [2047, 2048, 2049, 2500])
def test_texts_longer_than_the_core_counts_side_by_side(n_words: int) -> None:
    # One word in two of the longer text is in the other: P 1/2 of it, R 1, F 2/3.
    long = " ".join(f"w{number}" for number in range(n_words))
    short = " ".join(f"w{number}" for number in range(0, n_words, 2))
    scores = bulk.pairwise([long], [short, "w0"], metric="ROUGE-L-text:R")
    assert scores.tolist() == [[1.0, 1.0]]
    found = list(bulk.pairs_above([long, short], threshold=0.5, metric="ROUGE-L-text:F"))
    assert [(i.tolist(), j.tolist()) for i, j, _ in found] == [([0], [1])]


def test_a_matrix_over_half_of_the_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "_free_memory", lambda: 143)
    with pytest.raises(InputError, match=r"more than half .* iter_pairwise, neighbours"):
        bulk.pairwise(TEXTS)
    assert bulk.pairwise(TEXTS, out=np.empty((3, 3))).shape == (3, 3)


def test_texts_without_words_have_one_warning() -> None:
    with pytest.warns(RougeWarning, match="1 of 2 texts have no words, and score 0") as caught:
        assert bulk.pairwise(["...", "a"]).tolist() == [[0, 0], [0, 1]]
    assert len(caught) == 1


@pytest.mark.skipif(compiled_core() is None, reason="the core is not built")
def test_a_signal_ends_the_core_soon() -> None:
    read = bulk.read([" ".join(f"w{k * n % 97}" for k in range(900)) for n in range(1500)])
    timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    started = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        bulk.pairwise(read, out=np.empty((1500, 1500)), metric="ROUGE-L-text:F")
    assert time.monotonic() - started < 5


def test_equal_texts_without_words_are_kept_with_a_warning() -> None:
    with pytest.warns(RougeWarning) as caught:
        found = bulk.filter_similar(["...", "a b", "...", "a b"])
    assert [str(warning.message) for warning in caught] == [
        "2 of 4 texts have no words, and score 0",
        "2 texts without words were kept, though they are equal",
    ]
    assert found.kept.tolist() == [True, True, True, False]
    assert list(found.dropped()) == [(3, 1, 1.0)]
