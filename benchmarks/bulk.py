"""Measure ROUGE in bulk against rapidfuzz and rouge-score-rs, in turns, on one core.

    python -m benchmarks.bulk [ROUNDS] [million]

It needs Python with rouge-cli, rapidfuzz and rouge-score-rs. Texts are made: words have the
frequencies of Zipf among 20,000, or 50,000 for the filter, in which a third of the texts are copies
with a word replaced. rapidfuzz gets lists of numbers, for which `bulk.read` has read the texts;
rouge-score-rs gets strings, and so does what is compared with it. Shown are rates per second of the
processor, the median of all rounds, and the median of the ratios. With ``million`` a million texts
are filtered too, and the peak of the memory is shown.
"""

import gc
import random
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import accumulate
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist
from rouge_score_rs import rouge_scorer

import rouge_cli
from benchmarks.timing import use_one_core
from rouge_cli import bulk

N_ROUNDS = 5
N_FILTERED, N_MILLION = 52_000, 1_000_000


class Row(NamedTuple):
    """A task: how much work it is, in some unit, and both ways to do it."""

    task: str
    unit: str
    amounts: tuple[float, float]
    ours: Callable[[], Any]
    other: str
    others: Callable[[], Any]


class Maker:
    """Makes texts of numbered words."""

    def __init__(self, n_types: int = 20_000) -> None:
        self._random = random.Random(n_types)
        self._weights = list(accumulate(1 / rank for rank in range(1, n_types + 1)))
        self._types = range(n_types)

    def texts(self, n_texts: int, n_words: int) -> list[list[int]]:
        """Return texts of three quarters to five quarters of some words."""
        lengths = self._random.choices(range(3 * n_words // 4, 5 * n_words // 4 + 1), k=n_texts)
        words = iter(self._random.choices(self._types, cum_weights=self._weights, k=sum(lengths)))
        return [[next(words) for _ in range(length)] for length in lengths]

    def copied(self, n_texts: int, n_words: int) -> list[list[int]]:
        """Return texts of which a third are copies of others with a word replaced."""
        texts = self.texts(n_texts - n_texts // 3, n_words)
        for text in self._random.choices(texts, k=n_texts // 3):
            copy = list(text)
            copy[self._random.randrange(len(copy))] = self._random.choice(self._types)
            texts.append(copy)
        self._random.shuffle(texts)
        return texts


def spelt(texts: list[list[int]]) -> list[str]:
    """Return texts as strings."""
    return [" ".join(map("w{}".format, text)) for text in texts]


def rows(maker: Maker) -> Iterator[Row]:
    """Yield the tasks."""
    for n_words in (16, 60):
        numbers = maker.texts(2000, n_words)
        strings = spelt(numbers)
        read, few = bulk.read(strings), strings[:200]
        n_pairs, n_few = 4.0, 0.04
        out = np.empty((2000, 2000))
        yield Row(
            f"all pairs, ROUGE-L F, {n_words} words",
            "M pairs/s",
            (n_pairs, n_pairs),
            partial(bulk.pairwise, read, out=out),
            "rapidfuzz",
            partial(similarities, numbers, numbers),
        )
        predictions = [text for text in few for _ in few]
        for metric, key in (("ROUGE-L", "rougeL"), ("ROUGE-1", "rouge1"), ("ROUGE-2", "rouge2")):
            scorer = rouge_scorer.RougeScorer([key])
            yield Row(
                f"all pairs, {metric} F, {n_words} words, from strings",
                "M pairs/s",
                (n_pairs, n_few),
                partial(bulk.pairwise, strings, metric=f"{metric}:F", out=out),
                "rouge-score-rs",
                partial(scorer.score_batch, few * len(few), predictions),
            )
    numbers = maker.texts(20_000, 16)
    read = bulk.read(spelt(numbers))
    yield Row(
        "pairs above .7 of 20,000 texts of 16 words",
        "M pairs/s",
        (200, 10),
        lambda: list(bulk.pairs_above(read)),
        "rapidfuzz, `score_cutoff`",
        partial(similarities, numbers[:500], numbers, score_cutoff=0.7),
    )
    sources = [maker.texts(64, 60) for _ in range(100)]
    spelt_sources = [spelt(samples) for samples in sources]
    scorer = rouge_scorer.RougeScorer(["rougeL"])
    yield Row(
        "minimum Bayes risk, 64 x 64 samples of 60 words, from strings",
        "sources/s",
        (100, 20),
        partial(bulk.mbr, spelt_sources),
        "rapidfuzz",
        lambda: [similarities(some, some).mean(axis=1).argmax() for some in sources[:20]],
    )
    yield Row(
        "the same",
        "sources/s",
        (100, 2),
        partial(bulk.mbr, spelt_sources),
        "rouge-score-rs",
        lambda: [
            scorer.score_batch(samples * 64, [text for text in samples for _ in samples])
            for samples in spelt_sources[:2]
        ],
    )
    yield from scorer_rows(maker)


def similarities(rows: list[list[int]], columns: list[list[int]], **options: Any) -> Any:
    """Return what rapidfuzz has for F of ROUGE-L."""
    similarity = Indel.normalized_similarity
    return cdist(rows, columns, scorer=similarity, dtype=np.float64, workers=1, **options)


def scorer_rows(maker: Maker) -> Iterator[Row]:
    """Yield the tasks of `Scorer`, against `evaluate`."""
    references = [text for text in spelt(maker.texts(8, 60)) for _ in range(8)]
    completions = [spelt(maker.texts(64, 60)) for _ in range(50)]
    new = [spelt(maker.texts(64, 60)) for _ in range(50)]
    choices: tuple[dict[str, Any], ...] = {"max_ngram": 2}, {"protocol": "rouge-score"}
    for options in choices:
        scorer = rouge_cli.Scorer(**options)
        scorer.score(references, references)
        name = "1.5.5" if "max_ngram" in options else "`rouge-score`"
        for what, models in (("seen", [references] * 50), ("new", new)):
            yield Row(
                f"`Scorer`, {name}: 64 texts of 60 words, {what} references",
                "calls/s",
                (50, 5),
                partial(_each, scorer.score, completions, models),
                "`evaluate`",
                partial(
                    _each,
                    partial(rouge_cli.evaluate, resamples=0, **options),
                    completions[:5],
                    models[:5],
                ),
            )


def _each(score: Callable[..., Any], *lists: list[list[str]]) -> None:
    for texts in zip(*lists, strict=True):
        score(*texts)


def seconds(task: Callable[[], Any]) -> float:
    """Return the time that a task takes the processor."""
    start = process_time()
    task()
    return process_time() - start


def main(arguments: list[str]) -> None:
    """Print a row for each task."""
    n_rounds = int(arguments[0]) if arguments else N_ROUNDS
    use_one_core()
    print("| task | ours | compared with | its rate | ratio |")
    print("| --- | ---: | --- | ---: | ---: |")
    for row in rows(Maker()):
        row.ours()
        times = [(seconds(row.ours), seconds(row.others)) for _ in range(n_rounds)]
        rates = [(row.amounts[0] / ours, row.amounts[1] / others) for ours, others in times]
        ours, others = (median(rate) for rate in zip(*rates, strict=True))
        ratio = median(first / second for first, second in rates)
        print(
            f"| {row.task} | {ours:,.4g} {row.unit} | {row.other} | {others:,.4g} {row.unit} "
            f"| {ratio:,.3g}x |",
            flush=True,
        )
    sizes = [N_FILTERED, *([N_MILLION] if "million" in arguments else [])]
    for n_texts in sizes:
        # In a process of its own, where memory holds nothing of other tasks.
        with ProcessPoolExecutor(1, get_context("spawn")) as executor:
            time, peak = executor.submit(measure_filter, n_texts).result()
        print(f"filter of {n_texts:,} texts of 15 words: {time:.2f} s; peak {peak:,.0f} MB")


def measure_filter(n_texts: int) -> tuple[float, float]:
    """Return the time of the processor and the peak of the memory in MB."""
    use_one_core()
    texts = spelt(Maker(50_000).copied(n_texts, 15))
    options: dict[str, Any] = {"metric": "rougeL:F", "protocol": "rouge-score"}
    forget_peak()
    return seconds(lambda: bulk.filter_similar(texts, **options)), peak_mb()


STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def forget_peak() -> None:
    """Begin to measure the peak of the memory anew; making the texts takes more than the filter."""
    gc.collect()
    CLEAR.write_text("5")


def peak_mb() -> float:
    """Return the peak of the resident memory in 10^6 bytes, the texts included; Linux has it."""
    (line,) = (line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024 / 1e6


if __name__ == "__main__":
    main(sys.argv[1:])
