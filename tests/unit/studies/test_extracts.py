"""Selections of sentences: lead, random, oracles."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rouge_cli
from rouge_cli import InputError, OptionError
from rouge_cli.core import compiled_core
from rouge_cli.metrics.paired_texts import TextPairs
from rouge_cli.metrics.sources import SELECTION_RULES, choose_sentences
from rouge_cli.studies import context
from rouge_cli.studies.context import extracts
from rouge_cli.studies.context.extracts import Oracle
from rouge_cli.text.ascii155 import columns_of
from rouge_cli.text.stems import Numbers

Sentences = list[list[int]]


def plain_score(chosen: Sequence[Sequence[int]], models: list[Sentences], rule: str) -> float:
    """Return ROUGE-1 F plus ROUGE-2 F, averaged over models, counted one by one."""
    total = 0.0
    for size in (1, 2):
        for model in models:
            of_peer, of_model = (counts(text, size, rule) for text in (chosen, model))
            total += f_of(of_peer, of_model, rule) / len(models)
    return total


def f_of(of_peer: Counter[Any], of_model: Counter[Any], rule: str) -> float:
    hits, n_peer, n_model = (of_peer & of_model).total(), of_peer.total(), of_model.total()
    if rule == "presumm":
        p, r = hits / max(n_peer, 1), hits / max(n_model, 1)
        return 2 * (p * r / (p + r + 1e-8))
    return 2 * hits / (n_peer + n_model) if n_peer + n_model else 0.0


def counts(text: Sequence[Sequence[int]], size: int, rule: str) -> Counter[tuple[int, ...]]:
    ngrams = [tuple(line[k : k + size]) for line in text for k in range(len(line) - size + 1)]
    return Counter(ngrams if rule == "clipped" else set(ngrams))


def greedy(sentences: Sentences, models: list[Sentences], rule: str, core: Any) -> list[int]:
    columns = columns_of([sentences, *models], Numbers())
    n_models = len(models)
    pairs = TextPairs(columns, np.zeros(n_models, np.int64), columns, np.arange(1, n_models + 1), 5)
    starts = np.array([0, n_models])
    order, _, counts = choose_sentences(pairs, core, starts, 3, SELECTION_RULES[rule])
    return sorted(order[0, : counts[0]].tolist())


SENTENCES = st.lists(st.lists(st.integers(0, 4), max_size=5), min_size=1, max_size=5)


@given(SENTENCES, st.lists(SENTENCES, min_size=1, max_size=2), st.sampled_from([*SELECTION_RULES]))
def test_oracles(sentences: Sentences, models: list[Sentences], rule: str) -> None:
    oracle = Oracle(sentences, models, SELECTION_RULES[rule])
    everything = [
        list(chosen) for size in range(1, 4) for chosen in combinations(range(len(sentences)), size)
    ]
    of_all = {
        tuple(chosen): plain_score([sentences[k] for k in chosen], models, rule)
        for chosen in everything
    }
    best, are_all = oracle.best(3)
    assert are_all
    highest = max(of_all.values())
    assert of_all[tuple(best)] == pytest.approx(highest) if best else highest == 0
    # Greedy: the best sentence alone, the best one beside it, and so on while it helps.
    chosen: list[int] = []
    score = 0.0
    while len(chosen) < 3:
        more = {
            k: of_all[tuple(sorted([*chosen, k]))] for k in range(len(sentences)) if k not in chosen
        }
        gain = max(more.values(), default=0.0)
        if gain <= score + 1e-12:
            break
        chosen.append(min(k for k, value in more.items() if value >= gain - 1e-12))
        score = gain
    for core in (compiled_core(), None):
        assert greedy(sentences, models, rule, core) == sorted(chosen)


def test_few_combinations() -> None:
    """Of many sentences those that score worst alone are left out."""
    sentences = [[1], [9], [2], [8], [3]]
    oracle = Oracle(sentences, [[[1, 2, 3]]], SELECTION_RULES["clipped"])
    with patch.object(extracts, "MOST_COMBINATIONS", 7):
        assert oracle.best(3) == ([0, 2, 4], False)
    assert oracle.best(3) == ([0, 2, 4], True)


def test_selections_are_scored_in_blocks() -> None:
    oracle = Oracle([[1, 2], [2, 3], [3, 4]], [[[1, 2, 4]]], SELECTION_RULES["clipped"])
    rows = [[0, 1], [0, 2], [1, 2]]
    with patch.object(extracts, "CELLS_AT_A_TIME", 1):
        in_blocks = oracle.scores(rows)
    assert in_blocks.tolist() == oracle.scores(rows).tolist()


def test_humans_with_the_names_of_systems() -> None:
    """Models of lists are called A, B and so on, as systems may be."""
    result = rouge_cli.context({"A": ["a"], "B": ["b"]}, [["a", "b"]], ["a"], resamples=0).result
    assert [row.name for row in result.rows][3:] == ["A", "B", "human A", "human B"]


def test_random_sentences_hang_on_the_seed() -> None:
    sources = ["\n".join("abcdefghij")] * 20
    texts = ["a b c"] * 20
    runs = [
        rouge_cli.context(texts, texts, sources, take=3, resamples=0, seed=seed).result.rows[1]
        for seed in (1, 1, 2)
    ]
    assert runs[0].scores == runs[1].scores != runs[2].scores


@pytest.mark.parametrize(
    ("predictions", "options", "error", "words"),
    [
        ({"sources": ["a"]}, {}, InputError, "a system is called 'sources'; rename it"),
        ({"lead-1": ["a"]}, {}, OptionError, "has a system 'lead-1', which is also the name of"),
        (["a"], {"take": 0}, OptionError, "a whole number from 1 to 1000"),
        (["a"], {"rule": "x"}, OptionError, "expected one of clipped, sets, presumm"),
        (["a"], {"labels": "f"}, OptionError, "labels is for the command line"),
        (["a"], {"jackknife": True}, OptionError, "jackknife has no meaning in context"),
        (["a", "b"], {}, InputError, "predictions"),
    ],
)
def test_errors(
    predictions: Any, options: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        rouge_cli.context(predictions, ["a"], ["a"], **options)


def test_rules_are_those_of_metrics() -> None:
    assert (*SELECTION_RULES,) == context.RULES
