"""Oracle labels and source statistics, beside plain loops: ``python -m benchmarks.documents``.

The loops are written from the descriptions of PreSumm's greedy selection, Newsroom's fragments and
SummEval's n-grams, as one would write them; they return the same.
"""

import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.corpora import Sampler, Shape
from rouge_cli import bulk

DOCUMENT = Shape(words=(750, 750), sentences=(30, 30))
SUMMARY = Shape(words=(60, 60), sentences=(3, 4))
WARM_UP, N_ROUNDS = 64, 5
TAKE, ORDERS = 3, (1, 2, 3)


Loop = Callable[..., object]
Texts = tuple[list[str], list[str]]


def main() -> None:
    """Print documents a second, and how many times those of the loop, which the median shows."""
    documents, summaries = _texts(2_000)
    flat = [text.replace("\n", " ") for text in documents]
    rows: tuple[tuple[str, Loop, Loop, Texts], ...] = (
        ("oracle_labels, presumm", _by_bulk, loop_of_labels, (documents, summaries)),
        ("source_statistics", bulk.source_statistics, loop_of_statistics, (summaries, flat)),
    )
    for name, fast, slow, texts in rows:
        fast(*[text[:WARM_UP] for text in texts], jobs=1)
        ratios, rates = [], []
        for number in range(N_ROUNDS):
            few = [text[number * 100 : number * 100 + 100] for text in texts]
            loop, core = _time(slow, few) / 100, _time(fast, texts, jobs=1) / len(texts[0])
            ratios.append(loop / core)
            rates.append(1 / core)
        print(f"{name}: {np.median(rates):,.0f}/s, {np.median(ratios):.0f} x the loop")


def _by_bulk(documents: Sequence[str], summaries: Sequence[str], **options: Any) -> Any:
    return bulk.oracle_labels(documents, summaries, TAKE, "presumm", **options)


def _time(function: Callable[..., object], texts: Sequence[Any], **options: Any) -> float:
    start = time.process_time()
    function(*texts, **options)
    return time.process_time() - start


def _texts(n_texts: int) -> tuple[list[str], list[str]]:
    """Return documents, with a newline between sentences, and summaries that echo them."""
    sampler = Sampler(2004)
    ranks = [sampler.text(DOCUMENT) for _ in range(n_texts)]
    summaries = [sampler.spelled(sampler.echo(text, SUMMARY), SUMMARY) for text in ranks]
    return [sampler.spelled(text, DOCUMENT) for text in ranks], summaries


def loop_of_labels(documents: Sequence[str], summaries: Sequence[str]) -> list[list[int]]:
    """Choose sentences as PreSumm does."""

    def clean(text: str) -> list[str]:
        return re.sub("[^a-zA-Z0-9 ]", "", text).split()

    def ngrams(words: list[str], n: int) -> set[tuple[str, ...]]:
        return {tuple(words[i : i + n]) for i in range(len(words) - n + 1)}

    def score(chosen: Sequence[set[tuple[str, ...]]], wanted: set[tuple[str, ...]]) -> float:
        union = set().union(*chosen)
        hits = len(union & wanted)
        p = hits / len(union) if union else 0.0
        r = hits / len(wanted) if wanted else 0.0
        return 2.0 * ((p * r) / (p + r + 1e-8))

    labels = []
    for document, summary in zip(documents, summaries, strict=True):
        sentences = [clean(sentence) for sentence in document.split("\n")]
        target = clean(" ".join(summary.split("\n")))
        wanted = [ngrams(target, n) for n in (1, 2)]
        grams = [[ngrams(sentence, n) for sentence in sentences] for n in (1, 2)]
        chosen: list[int] = []
        best = 0.0
        for _ in range(TAKE):
            place = -1
            for i in range(len(sentences)):
                if i in chosen:
                    continue
                parts = [[grams[n][j] for j in [*chosen, i]] for n in (0, 1)]
                value = score(parts[0], wanted[0]) + score(parts[1], wanted[1])
                if value > best:
                    best, place = value, i
            if place < 0:
                break
            chosen.append(place)
        labels.append(chosen)
    return labels


def loop_of_statistics(summaries: Sequence[str], sources: Sequence[str]) -> list[list[float]]:
    """Measure fragments and n-grams as Newsroom and SummEval do."""
    rows = []
    for summary, source in zip(summaries, sources, strict=True):
        a, b = summary.lower().split(), source.lower().split()
        lengths = []
        i = 0
        while i < len(a):
            best = j = 0
            while j < len(b):
                n = 0
                while i + n < len(a) and j + n < len(b) and a[i + n] == b[j + n]:
                    n += 1
                best = max(best, n)
                j += n or 1
            if best:
                lengths.append(best)
            i += best or 1
        row = [sum(lengths) / len(a), sum(n * n for n in lengths) / len(a), len(b) / len(a)]
        for n in ORDERS:
            own = Counter(tuple(a[i : i + n]) for i in range(len(a) - n + 1))
            other = {tuple(b[i : i + n]) for i in range(len(b) - n + 1)}
            row.append(len(own.keys() - other) / len(own))
            row.append(sum(count > 1 for count in own.values()) / len(own))
        rows.append(row)
    return rows


if __name__ == "__main__":
    main()
