"""Summaries made of sentences of the source: its lead, random sentences, and extractive oracles.

An oracle knows the models: it takes the sentences that score best against them, so that no system
that only extracts sentences can be much better. The greedy one is that of
`rouge_cli.metrics.sources`; the best one tries all combinations, by the same score.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, chain, combinations
from math import comb
from typing import Any

import numpy as np

from rouge_cli.core import compiled_core
from rouge_cli.errors import InputError, OptionError
from rouge_cli.inputs.batch import InputText
from rouge_cli.inputs.index import EvalTexts, HeldInput, Input
from rouge_cli.inputs.sentences import sentences_of
from rouge_cli.metrics.arithmetic import Floats, Whole
from rouge_cli.metrics.ngrams import ngrams
from rouge_cli.metrics.paired_texts import TextPairs
from rouge_cli.metrics.sources import (
    ORDERS,
    PRESUMM,
    SELECTION_RULES,
    SelectionRule,
    choose_sentences,
    presumm_document,
    presumm_summary,
)
from rouge_cli.options.options import Options
from rouge_cli.studies.context import BEST, LEAD, ORACLE, RANDOM, ContextOptions
from rouge_cli.text.ascii155 import split_texts
from rouge_cli.text.columns import TextColumns, decoded, join_lines
from rouge_cli.text.tokenizer import Tokenizer, load_tokenizer

# Maximum number of combinations of sentences to try; above it, the sentences that are worst alone
# are left out.
MOST_COMBINATIONS = 20_000
CELLS_AT_A_TIME = 1 << 22  # the most counts of n-grams in memory at once


class Oracle:
    """Scores selections of sentences of one source."""

    def __init__(
        self,
        sentences: Sequence[Sequence[int]],
        models: Sequence[Sequence[Sequence[int]]],
        rule: SelectionRule,
    ) -> None:
        """Count n-grams of tokens: sentences, and models sentence by sentence."""
        self.rule, self.n_sentences = rule, len(sentences)
        self.counted = [
            _counted(sentences, models, size, are_sets=rule.are_sets) for size in ORDERS
        ]

    def scores(self, selections: Sequence[Sequence[int]]) -> Floats:
        """Return the score of each selection; there is at least one, and all have the same size."""
        places = np.array(selections)
        n_types = max(models.size + others.shape[1] for _, models, others in self.counted)
        # A portion of the selections at a time, to bound the memory.
        rows = max(1, CELLS_AT_A_TIME // (places.shape[1] * max(1, n_types)))
        total = np.zeros(len(places))
        for start in range(0, len(places), rows):
            part = slice(start, start + rows)
            for counted in self.counted:
                total[part] += _f_of(counted, places[part], self.rule)
        return total

    def best(self, take: int) -> tuple[list[int], bool]:
        """Return the best combination, and whether all were tried.

        Ties go to the shorter combination, and then to the first one.
        """
        if not self.n_sentences:
            return [], True
        tried = self.n_sentences
        # Add size by size, up to the first sum that is too large: later terms may be huge.
        while any(
            total > MOST_COMBINATIONS
            for total in accumulate(comb(tried, size) for size in range(1, min(tried, take) + 1))
        ):
            tried -= 1
        alone = self.scores([[number] for number in range(self.n_sentences)])
        kept = sorted(np.argsort(-alone, kind="stable")[:tried].tolist())
        best: tuple[int, ...] = ()
        highest, least_gain = 0.0, self.rule.least_gain
        for size in range(1, min(take, tried) + 1):
            rows = list(combinations(kept, size))
            scores = self.scores(rows)
            place = int(np.argmax(scores >= scores.max() - least_gain))
            if scores[place] > highest + least_gain:
                best, highest = rows[place], float(scores[place])
        return list(best), tried == self.n_sentences


Ngrams = tuple[Whole, Whole, Whole]
"""The n-grams of one size in a source and its models, as three tables of counts.

The n-grams of the models are counted in each sentence, (n_sentences, n_types), and in each model,
(n_models, n_types). The last table has the n-grams of each sentence that are in no model,
(n_sentences, n_others); only their sum, in one column, unless n-grams are sets.
"""


def _f_of(ngrams: Ngrams, places: Whole, rule: SelectionRule) -> Floats:
    """Return F of selections, (n_selections, size), averaged over the models."""
    sentences, models, beyond = ngrams
    chosen, others = sentences[places].sum(axis=1), beyond[places].sum(axis=1)
    if rule.are_sets:
        chosen, others = np.minimum(chosen, 1), np.minimum(others, 1)
    hits = np.minimum(chosen[:, np.newaxis], models).sum(axis=-1)
    lengths = (chosen.sum(axis=-1) + others.sum(axis=-1))[:, np.newaxis]
    wanted = models.sum(axis=-1)
    if rule.added:
        precision, recall = hits / np.maximum(lengths, 1), hits / np.maximum(wanted, 1)
        of_models = 2.0 * ((precision * recall) / (precision + recall + rule.added))
    else:
        of_models = 2 * hits / np.maximum(lengths + wanted, 1)
    f: Floats = of_models.mean(axis=-1)
    return f


def _counted(
    sentences: Sequence[Sequence[int]],
    models: Sequence[Sequence[Sequence[int]]],
    size: int,
    *,
    are_sets: bool,
) -> Ngrams:
    once: Callable[[Iterable[Any]], Iterable[Any]] = set if are_sets else iter
    of_sentences = [Counter(once(ngrams(sentence, size))) for sentence in sentences]
    of_models = [
        Counter(once(chain.from_iterable(ngrams(sentence, size) for sentence in model)))
        for model in models
    ]
    known = _numbers(of_models)
    # N-grams in no model only make a selection longer, so their sum is enough; as sets, they need
    # columns of their own, since one that is in two sentences counts once.
    others = [
        Counter({ngram: n for ngram, n in counts.items() if ngram not in known})
        for counts in of_sentences
    ]
    if are_sets:
        beyond = _table(others, _numbers(others))
    else:
        beyond = np.array([counts.total() for counts in others], np.int64).reshape(-1, 1)
    return _table(of_sentences, known), _table(of_models, known), beyond


def _numbers(counters: Sequence[Counter[Any]]) -> dict[Any, int]:
    return {item: number for number, item in enumerate(dict.fromkeys(chain(*counters)))}


def _table(counters: Sequence[Counter[Any]], numbers: Mapping[Any, int]) -> Whole:
    table = np.zeros((len(counters), len(numbers)), np.int64)
    for row, counter in zip(table, counters, strict=True):
        for item in counter.keys() & numbers.keys():
            row[numbers[item]] = counter[item]
    return table


def sentences_to_take(evals: Sequence[EvalTexts]) -> int:
    """Return the average number of sentences of the models, at least 1."""
    lengths = [len(sentences_of(model.content)) for of_eval in evals for model in of_eval.models]
    return max(1, round(sum(lengths) / len(lengths)))


Selections = dict[str, dict[str, bytes]]
"""The text of each selection, by the name under which it is scored, for each EVAL by ID."""


def chosen_sentences(
    evals: Sequence[EvalTexts],
    take: int,
    asked: ContextOptions,
    options: Options,
    environment: Mapping[str, str],
) -> tuple[Selections, list[dict[str, Any]], list[str]]:
    """Choose at most `take` sentences of the source of every EVAL, in each way.

    Returns the texts of the selections, the labels, and warnings. A label has the ID of an EVAL,
    its number of sentences, and the numbers of those that each oracle takes. Raises InputError and
    OptionError.
    """
    # Limits on the length are for summaries, which scoring cuts.
    tokenizer = load_tokenizer(replace(options.texts, words=0, bytes=0), environment)
    texts: Selections = {}
    labels = []
    n_narrowed = 0
    for number, of_eval in enumerate(evals):
        sentences = [
            line for line in sentences_of(of_eval.peers[asked.sources].content) if line.strip()
        ]
        # A generator for each EVAL: a longer source must not change the draws of later EVALs.
        random = np.random.default_rng((asked.seed, number))
        drawn = sorted(random.permutation(len(sentences))[:take].tolist())
        taken = {LEAD: list(range(min(take, len(sentences)))), RANDOM: drawn}
        models = [model.content for model in of_eval.models]
        columns, n_types = _read(sentences, models, asked.rule, tokenizer)
        taken[ORACLE], is_whole = _greedy(columns, n_types, take, SELECTION_RULES[asked.rule]), True
        if asked.best:
            lines, *by_model = (columns.tokens_of(text)[0] for text in range(len(models) + 1))
            oracle = Oracle(lines if sentences else [], by_model, SELECTION_RULES[asked.rule])
            taken[BEST], is_whole = oracle.best(take)
        n_narrowed += not is_whole
        eval_id = of_eval.id
        texts[eval_id] = {
            f"{kind}-{take}": b"\n".join(sentences[place] for place in places)
            for kind, places in taken.items()
        }
        labels.append(
            {"id": eval_id, "n_sentences": len(sentences)}
            | {kind: taken[kind] for kind in (ORACLE, BEST) if kind in taken}
        )
    warnings = []
    if n_narrowed:
        warnings.append(
            f"{n_narrowed} of {len(evals)} sources have more than {MOST_COMBINATIONS:,} "
            f"combinations of {take} sentences: those sentences that score worst alone were left "
            "out"
        )
    return texts, labels, warnings


def _read(
    sentences: Sequence[bytes], models: Sequence[bytes], rule: str, tokenizer: Tokenizer
) -> tuple[TextColumns, int]:
    if rule == PRESUMM:
        lines, *targets = (
            join_lines(list(map(decoded, text)), newline="")
            for text in (sentences, *map(sentences_of, models))
        )
        texts = [presumm_document(lines), *map(presumm_summary, targets)]
        return split_texts(texts, np.array([0, len(texts)]))
    read = tokenizer.read([b"\n".join(sentences), *models], with_unsummed=False)
    columns = read.stemmed if read.stemmed is not None else read.unstemmed
    if columns is None:
        raise InputError("context needs words, and the texts were read as something else")
    return columns, max(read.n_types, 1)


def _greedy(columns: TextColumns, n_types: int, take: int, rule: SelectionRule) -> list[int]:
    """Return the numbers of the sentences that the greedy oracle takes, in ascending order.

    The first text is the source, and the others are the models.
    """
    n_models = columns.text_offsets.size - 2
    sources = np.zeros(n_models, np.int64)
    pairs = TextPairs(columns, sources, columns, np.arange(1, n_models + 1), n_types)
    starts = np.array([0, n_models])
    order, _, counts = choose_sentences(pairs, compiled_core(), starts, take, rule)
    return sorted(order[0, : int(counts[0])].tolist())


def with_extracts(
    source: Input,
    evals: Sequence[EvalTexts],
    systems: Sequence[str],
    selections: Selections,
    kinds: Mapping[str, str],
) -> HeldInput:
    """Return an input with the selections as systems, without the sources.

    `kinds` has the names of the selections. Raises OptionError if a system has one of them.
    """
    for name in kinds:
        if name in source.index.order:
            raise OptionError(
                f"the input has a system {name!r}, which is also the name of a selection; rename it"
            )
    names = (*kinds, *systems)
    humans = {human for texts in evals for human in texts.humans}
    # A human and a system of the same name would be one row.
    prefix = "human " if humans & set(names) else ""
    whole = []
    for number, texts in enumerate(evals, 1):
        places = {name: f"{source.index.name}, {name}, number {number}" for name in kinds}
        made = {
            name: InputText(content, places[name], f"text {texts.id}: {places[name]}")
            for name, content in selections[texts.id].items()
        }
        named = tuple(f"{prefix}{human}" for human in texts.humans)
        whole.append(replace(texts, peers=made | texts.peers, humans=named))
    return HeldInput(whole, names, source, kinds)
