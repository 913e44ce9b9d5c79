"""Runs in several threads at once give what they give one after the other."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier, Event
from time import sleep
from typing import Any

import pytest

import rouge_cli
from rouge_cli.run.workers import ordered_map
from rouge_cli.text.word_lists import built_in_stems
from tests.property.sizes import small_batches

N_THREADS = 8
WORDS = re.findall(
    r"\w+",
    "walking walked walks ran running geese mice children happily nationalisation ties caresses "
    "the of and a was shipped shipping hopping agreed feed conditional rational electricity",
)

RUNS: list[dict[str, Any]] = [
    {"max_ngram": 2, "stem": True},
    {"max_ngram": 1, "stem": True, "remove_stopwords": True, "weight": 1.2},
    {"max_ngram": 3, "words": 20, "counting": 1},
    {"max_gap": 4, "skip_and_unigram": True, "stem": True},
    {"max_ngram": 2, "formula": "B", "stem_models": True, "confidence": 90},
    {"max_ngram": 4, "lcs": False, "resamples": 50, "alpha": 0.8},
    {"weight": 2, "bytes": 100, "stem": True},
    {"max_ngram": 1, "counting": 2, "stem": True},
]


def texts(seed: int, n: int) -> list[str]:
    """Make texts of two sentences, of words that no other seed has in full."""
    random = Random(seed)
    own = [f"{word}{'abcdefgh'[seed % N_THREADS]}ing" for word in WORDS]

    def sentence() -> str:
        return " ".join(random.choices(WORDS + own, k=12))

    return [f"{sentence()}\n{sentence()}" for _ in range(n)]


def forms(number: int, **more: Any) -> list[str]:
    """Score with the options of a number, and return what is shown of it."""
    predictions = {"a": texts(number, 30), "b": texts(number + 100, 30)}
    references = [texts(number * 1000 + k, 2) for k in range(30)]
    results = rouge_cli.evaluate(predictions, references, per_eval=True, **RUNS[number], **more)
    return [str(results), results.to_json(), results.to_csv(), results.to_classic()]


def at_once(function: Callable[[int], list[str]]) -> list[list[str]]:
    """Call a function with 0, 1 and so on, in as many threads, which begin together."""
    barrier = Barrier(N_THREADS)

    def call(number: int) -> list[str]:
        barrier.wait()
        return function(number)

    with ThreadPoolExecutor(N_THREADS) as executor:
        return list(executor.map(call, range(N_THREADS)))


def test_different_options_in_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    # The stems that runs share are forgotten all the time, while others look them up.
    monkeypatch.setattr("rouge_cli.text.stems._MOST_STEMS", 10)
    expected = [forms(number) for number in range(N_THREADS)]
    built_in_stems.cache_clear()
    for _ in range(3):
        assert at_once(forms) == expected


@pytest.mark.usefixtures("core")
def test_threads_that_use_threads_or_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [forms(number) for number in range(N_THREADS)]
    # So that there is work for more than one process.
    with small_batches(10, 1 << 20, 1 << 20):
        assert at_once(lambda number: forms(number, jobs=2)) == expected


def slowly(number: int) -> int:
    """Take a while."""
    sleep(0.1)
    return number


def test_an_error_ends_the_processes_of_its_own_thread() -> None:
    is_under_way, is_over = Event(), Event()

    def work() -> list[int]:
        found = []
        for number in ordered_map(slowly, range(10), 2):
            found.append(number)
            is_under_way.set()
            is_over.wait()
        return found

    def fail() -> None:
        is_under_way.wait()
        try:
            for _ in ordered_map(slowly, range(10), 2):
                raise ValueError
        finally:
            is_over.set()

    with ThreadPoolExecutor(2) as executor:
        worker, failure = executor.submit(work), executor.submit(fail)
        assert isinstance(failure.exception(), ValueError)
        assert worker.result() == list(range(10))


def test_an_error_disturbs_no_other_thread() -> None:
    expected = forms(0)

    def run(number: int) -> list[str]:
        if number % 2 == 0:
            return forms(0)
        with pytest.raises(rouge_cli.RougeError):
            rouge_cli.evaluate([None] * 10, ["a"] * 10)  # type: ignore[list-item]
        return expected

    assert at_once(run) == [expected] * N_THREADS
