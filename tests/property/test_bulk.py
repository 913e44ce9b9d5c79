"""Every score in bulk is that of the functions for single texts, to the bit, whatever the options.

Expected scores are those of `rouge_cli.score`, which the golden and plain tests hold; expected
pairs and filters are loops over all scores.
"""

import math
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import rouge_cli
from rouge_cli import bulk

pytestmark = pytest.mark.filterwarnings("ignore::rouge_cli.errors.RougeWarning")

WORDS = ["a", "b", "cats", "running", "runs", "the", "of", "Äpfel", "don't", "x1", "\u212aelvin"]
ORIGINAL = (
    *("ROUGE-1", "ROUGE-2", "ROUGE-4", "ROUGE-L", "ROUGE-L-text", "ROUGE-W-1.2", "ROUGE-S4"),
    *("ROUGE-SU*", "LCS-pairwise"),
)
METRIC_OPTIONS: dict[str, dict[str, Any]] = {
    "ROUGE-1": {"max_ngram": 1, "lcs": False},
    "ROUGE-2": {"max_ngram": 2, "lcs": False},
    "ROUGE-4": {"max_ngram": 4, "lcs": False},
    "ROUGE-L": {},
    "ROUGE-L-text": {"lcs_unit": "text"},
    "ROUGE-W-1.2": {"weight": "1.2", "lcs": False},
    "ROUGE-S4": {"max_gap": "4", "lcs": False},
    "ROUGE-SU*": {"max_gap": "-1", "skip_unigram": True, "lcs": False},
    "LCS-pairwise": {"pairwise_lcs": True, "lcs": False},
}
TEXT_OPTIONS: tuple[dict[str, Any], ...] = (
    *({}, {}, {"stem": True}, {"stem_models": True}, {"remove_stopwords": True}),
    *({"words": 5}, {"bytes": 17}, {"bytes": 17, "stem": True}, {"language": "de"}),
    *({"language": "en", "stem": True, "words": 4}, {"tokenizer": "whitespace", "case": "none"}),
    *({"tokenizer": "char", "bytes": 9}, {"tokenizer": "unicode", "strip_marks": True}),
    {"stem": True, "remove_stopwords": True},
)
PROTOCOLS = {
    "rouge-score": ("rouge1", "rouge2", "rougeL", "rougeLsum"),
    "rouge-score:use_stemmer=true": ("rouge1", "rouge2", "rougeL", "rougeLsum"),
    "t5": ("rouge1", "rouge2", "rougeLsum"),
    "xlsum:lang=german": ("rouge1", "rougeL", "rougeLsum"),
    "rouge": ("rouge-1", "rouge-2", "rouge-l"),
    "py-rouge:max_n=2": ("rouge-1", "rouge-2", "rouge-l"),
    "sumeval": ("rouge-1", "rouge-2", "rouge-l"),
    "rouge-metric": ("rouge-1", "rouge-2", "rouge-l"),
    "pycocoevalcap": ("rouge-l",),
}


def drawn_text(rng: random.Random, most: int = 14) -> str:
    n_words = rng.choice([1, 2, 3, rng.randint(1, most)])
    ends = rng.choice([[" "], [" ", " ", " ", "\n"], [" ", ". ", " . ", "\n\n"]])
    return "".join(rng.choice(WORDS) + rng.choice(ends) for _ in range(n_words))


def drawn_texts(rng: random.Random, n: int, most: int = 14) -> list[str]:
    texts = [drawn_text(rng, most) for _ in range(n)]
    if rng.random() < 1 / 3:
        # Beyond the bits of a limb, and beyond what the core counts side by side.
        texts[0] = " ".join(rng.choices(WORDS, k=rng.choice([63, 64, 65, 129, 200])))
    return texts


def drawn_options(rng: random.Random) -> tuple[str, str, dict[str, Any]]:
    """Return a metric, its measure, and options for bulk."""
    if rng.random() < 1 / 3:
        protocol = rng.choice(sorted(PROTOCOLS))
        metric = rng.choice(PROTOCOLS[protocol])
        options: dict[str, Any] = {"protocol": protocol}
    else:
        metric, options = rng.choice(ORIGINAL), dict(rng.choice(TEXT_OPTIONS))
        if rng.random() < 1 / 4:
            options["alpha"] = rng.choice([0.0, 0.25, 1.0])
    only_f = options.get("protocol") in {"t5", "sumeval", "pycocoevalcap"}
    return metric, "S" if only_f else rng.choice("RPF"), options


def single(metric: str, measure: str, options: dict[str, Any], peer: str, model: str) -> float:
    if "protocol" not in options:
        options = options | METRIC_OPTIONS[metric]
    results = rouge_cli.score(peer, model, resamples=0, **options)
    (system,) = results.systems.values()
    names = {found.name.lower(): found for found in system}
    measures = names[metric.lower()].measures
    return float(measures[measure].per_eval[0])


@pytest.mark.parametrize("seed", range(60))
def test_all_pairs(core: Any, seed: int) -> None:
    rng = random.Random(seed)
    metric, measure, options = drawn_options(rng)
    predictions, references = drawn_texts(rng, 6), drawn_texts(rng, 5)
    name = f"{metric}:{measure}"
    jobs = rng.choice([None, 1, 2])
    try:
        scores = bulk.pairwise(predictions, references, metric=name, jobs=jobs, **options)
    except rouge_cli.InputError:
        # The package of the protocol raises an exception on such texts; `evaluate` says so too.
        with pytest.raises(rouge_cli.InputError):
            rouge_cli.evaluate(predictions * 5, references * 6, resamples=0, **options)
        return
    expected = [
        [single(metric, measure, options, peer, model) for model in references]
        for peer in predictions
    ]
    assert scores.tolist() == expected
    assert not np.signbit(scores).any()


@pytest.mark.parametrize("seed", range(30))
def test_scorer(core: Any, seed: int) -> None:
    rng = random.Random(seed)
    _, _, options = drawn_options(rng)
    if "protocol" not in options:
        options |= {"max_ngram": 2, "lcs": rng.random() < 2 / 3, "formula": rng.choice(["A", "B"])}
    scorer = bulk.Scorer(**options)
    for _ in range(3):
        n_texts = rng.randint(1, 4)
        predictions = drawn_texts(rng, n_texts)
        several = options.get("protocol") in {None, "rouge-score", "rouge-metric"}
        references = [drawn_texts(rng, rng.randint(1, 3) if several else 1) for _ in predictions]
        try:
            results = rouge_cli.evaluate(predictions, references, resamples=0, **options)
        except rouge_cli.InputError:
            with pytest.raises(rouge_cli.InputError):
                scorer.score(predictions, references)
            continue
        scores = scorer.score(predictions, references)
        (system,) = results.systems.values()
        assert list(scores) == [found.name for found in system] == list(scorer.metrics)
        for found in system:
            rows = scores[found.name]
            assert rows.shape == (n_texts, 3)
            for letter, of_letter in found.measures.items():
                column = "RPF".find(letter) if letter in "RPF" else 2
                assert rows[:, column].tolist() == of_letter.per_eval.tolist()


def thresholds(rng: random.Random, scores: Any) -> list[float]:
    """Return scores of the pairs, which decide what is equal, and numbers between them."""
    listed = sorted({*scores.ravel().tolist()})
    return [*rng.sample(listed, min(3, len(listed))), 0.7, rng.random(), 0.0, -0.5]


@pytest.mark.parametrize("seed", range(30))
def test_pairs_above(core: Any, seed: int) -> None:
    rng = random.Random(seed)
    metric, measure, options = drawn_options(rng)
    name = f"{metric}:{measure}"
    lists = [drawn_texts(rng, 12, 8)]
    if rng.random() < 1 / 2:
        lists.append(drawn_texts(rng, 9, 8))
    try:
        scores = bulk.pairwise(*lists, metric=name, **options)
    except rouge_cli.InputError:
        return
    for threshold in thresholds(rng, scores):
        for strict in (True, False):
            blocks = bulk.pairs_above(
                *lists, threshold=threshold, strict=strict, metric=name, **options
            )
            found = [row for block in blocks for row in zip(*map(list, block), strict=True)]
            is_found = scores > threshold if strict else scores >= threshold
            if len(lists) == 1:
                is_found = np.triu(is_found, 1)
            i, j = np.nonzero(is_found)
            assert found == list(zip(i, j, scores[i, j], strict=True))


@pytest.mark.parametrize("seed", range(30))
def test_filter(core: Any, seed: int) -> None:
    rng = random.Random(seed)
    metric, measure, options = drawn_options(rng)
    name = f"{metric}:{measure}"
    texts, pool = drawn_texts(rng, 14, 8), drawn_texts(rng, rng.choice([0, 4]) or 1, 8)[1:]
    try:
        scores = bulk.pairwise(texts, [*pool, *texts], metric=name, **options)
    except rouge_cli.InputError:
        return
    for threshold in thresholds(rng, scores)[:-1]:
        members = list(range(len(pool)))
        kept, nearest, highest = [], [], []
        for place, row in enumerate(scores):
            best = max(members, key=lambda other: (row[other], -other), default=-1)
            nearest.append(best)
            highest.append(row[best] if members else math.nan)
            kept.append(not highest[-1] > threshold)
            if kept[-1]:
                members.append(len(pool) + place)
        whole = bulk.filter_similar(
            texts, pool, threshold=threshold, metric=name, jobs=2, **options
        )
        stream = bulk.SimilarityFilter(pool, threshold=threshold, metric=name, **options)
        parts = [stream.add(texts[:5]), stream.add(texts[5:6]), stream.add(texts[6:])]
        for found in ([whole], parts):
            assert np.concatenate([part.kept for part in found]).tolist() == kept
            assert np.concatenate([part.nearest for part in found]).tolist() == nearest
            found_scores = np.concatenate([part.score for part in found])
            assert np.array_equal(found_scores, highest, equal_nan=True)
            assert {part.pool_size for part in found} == {len(pool)}


@pytest.mark.parametrize("seed", range(20))
def test_neighbours(core: Any, seed: int) -> None:
    rng = random.Random(seed)
    texts, k = drawn_texts(rng, 9), rng.randint(1, 12)
    scores = bulk.pairwise(texts, metric="ROUGE-1:F")
    found = bulk.neighbours(texts, k=k, metric="ROUGE-1:F")
    for row, (indices, of_row) in enumerate(zip(found.indices, found.scores, strict=True)):
        others = [other for other in range(9) if other != row]
        best = sorted(others, key=lambda other: (-scores[row, other], other))[:k]
        missing = k - len(best)
        assert indices.tolist() == best + [-1] * missing
        assert of_row[: len(best)].tolist() == scores[row, best].tolist()
        assert np.isnan(of_row[len(best) :]).all()


@pytest.mark.parametrize("seed", range(20))
def test_minimum_bayes_risk_is_exact(core: Any, seed: int) -> None:
    rng = random.Random(seed)
    metric, measure, options = drawn_options(rng)
    name = f"{metric}:{measure}"
    samples = [drawn_texts(rng, rng.randint(1, 7)) for _ in range(3)]
    references = [drawn_texts(rng, rng.randint(1, 7)) for _ in samples]
    weights = [np.array([rng.random() for _ in texts]) for texts in references]
    weights = [shares / shares.sum() for shares in weights]
    try:
        means = bulk.mbr(samples, references, metric=name, **options)
    except rouge_cli.InputError:
        return
    sums = bulk.mbr(samples, references, weights=weights, metric=name, **options)
    for source, texts in enumerate(samples):
        scores = bulk.pairwise(texts, references[source], metric=name, **options)
        for sample, row in enumerate(scores.tolist()):
            exact = list(map(Fraction, row))
            shares = list(map(Fraction, weights[source].tolist()))
            expected = float(sum(exact) / len(exact))
            weighted = float(sum(map(Fraction.__mul__, exact, shares)))
            assert means.expected[source][sample] == expected
            assert sums.expected[source][sample] == weighted
        assert means.best[source] == int(np.argmax(means.expected[source]))


@pytest.mark.parametrize(
    ("hits", "lengths", "is_dropped"),
    [(7, (7, 13), True), (7, (8, 12), True), (7, (10, 10), False), (21, (26, 34), False)],
)
def test_a_threshold_that_is_a_score(
    core: Any, hits: int, lengths: tuple[int, int], is_dropped: bool
) -> None:
    # F of 7 hits of 7 and 13 words is 0.7000000000000001, of 10 and 10 words 0.7.
    one, other = (
        " ".join([f"w{n}" for n in range(hits)] + [f"{side}{n}" for n in range(length - hits)])
        for side, length in zip("xy", lengths, strict=True)
    )
    found = bulk.filter_similar([one, other], metric="rougeL:F", protocol="rouge-score")
    assert found.kept.tolist() == [True, not is_dropped]
