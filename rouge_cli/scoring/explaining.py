"""From the texts of a portion to the explanation of each of its instances.

Nothing is computed a second time: a metric's marks come from the structures that it counts (see
`rouge_cli.metrics.marks`), its scores from the code that scores.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.inputs.blocks import Block, Portion
from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.marks import MarkedPairs, Occurrences, SeenTexts, Units
from rouge_cli.metrics.metric import Metric, metrics_of
from rouge_cli.metrics.paired_texts import PairedTexts
from rouge_cli.options.every import Options
from rouge_cli.scoring.counting import read_block
from rouge_cli.scoring.explanation import (
    Alignment,
    Explanation,
    Match,
    MetricExplanation,
    PairExplanation,
    Place,
    Run,
    SeenText,
    Tally,
    Word,
)
from rouge_cli.text.tokenizer import Tokenizer

__all__ = ["explain_portion"]


def explain_portion(
    portion: Portion, options: Options, tokenizer: Tokenizer, *, with_matches: bool = True
) -> Iterator[Explanation]:
    """Explain every instance of a portion, in its order.

    Parameters
    ----------
    with_matches : bool
        Whether to list matches, alignments and runs; the marks of words come without them too.

    Raises
    ------
    InputError, OptionError
    """
    for block in portion.blocks():
        yield from _explain_block(block, options, tokenizer, with_matches=with_matches)


def _explain_block(
    block: Block, options: Options, tokenizer: Tokenizer, *, with_matches: bool
) -> Iterator[Explanation]:
    """Explain every instance of a block."""
    metrics = metrics_of(options.metrics)
    texts = read_block(block, metrics, tokenizer)
    for pairs in block.pairs.pieces(texts.text_bytes):
        paired = PairedTexts(texts, pairs.peers, pairs.models, pairs.starts, options.texts)
        columns = [
            one
            for metric in metrics
            for one in _explained_columns(metric, paired, options, with_matches=with_matches)
        ]
        for one in zip(*columns, strict=True):
            yield Explanation(one)


def _explained_columns(
    metric: Metric, paired: PairedTexts, options: Options, *, with_matches: bool
) -> Iterator[list[MetricExplanation]]:
    """Yield the explanations of all instances, column by column of a metric."""
    scores, marked = metric.score(paired, options.scores), metric.explain(paired, options.scores)
    for place, (column, found) in enumerate(zip(metric.columns, scores, strict=True)):
        if marked is None or found.counts is None:
            yield [
                MetricExplanation(column, tuple(values), None) for values in found.values.T.tolist()
            ]
        else:
            pairs = _Pairs(marked[place]).explained(with_matches=with_matches)
            tallies = _tallies(found.counts, found.values)
            bounds = pairwise([*paired.starts.tolist(), len(pairs)])
            root = marked[place].root
            yield [
                MetricExplanation(column, tally.values, tally, tuple(pairs[first:last]), root)
                for tally, (first, last) in zip(tallies, bounds, strict=True)
            ]


def _tallies(counts: Counts, values: NDArray[np.float64]) -> list[Tally]:
    """Return counts and their scores row by row."""
    peer_hits = [None] * counts.hit.size if counts.peer_hit is None else counts.peer_hit.tolist()
    rows = zip(
        counts.hit.tolist(),
        counts.model_count.tolist(),
        counts.peer_count.tolist(),
        peer_hits,
        map(tuple, values.T.tolist()),
        strict=True,
    )
    return [Tally(*row) for row in rows]


class _Pairs:
    """The marks of one metric, cut into pairs."""

    def __init__(self, marked: MarkedPairs) -> None:
        self.marks = marks = marked.marks
        self.is_counted = marked.is_counted.tolist()
        self.tallies = _tallies(marks.counts, marked.values)
        self.peers, self.models = _seen_texts(marks.peers), _seen_texts(marks.models)
        self.peer_starts = marks.peers.columns.token_offsets.tolist()
        self.model_starts = marks.models.columns.token_offsets.tolist()

    def explained(self, *, with_matches: bool) -> list[PairExplanation]:
        """Return all pairs."""
        peer_states, model_states = self.marks.peer_states, self.marks.model_states
        details = self._details() if with_matches else [{} for _ in self.tallies]
        return [
            PairExplanation(
                tally,
                self.is_counted[pair],
                self.peers[pair],
                self.models[pair],
                peer_states[self.peer_starts[pair] : self.peer_starts[pair + 1]].tobytes(),
                model_states[self.model_starts[pair] : self.model_starts[pair + 1]].tobytes(),
                **details[pair],
            )
            for pair, tally in enumerate(self.tallies)
        ]

    def _details(self) -> list[dict[str, Any]]:
        """Return for each pair what else is known of it, by the fields of `PairExplanation`."""
        lists: dict[str, list[list[Any]]] = {"matches": self._matches(self.marks.units)}
        if self.marks.peer_units is not None:
            lists["peer_matches"] = self._matches(self.marks.peer_units)
        if self.marks.alignments is not None:
            lists["alignments"] = self._alignments()
        if self.marks.runs is not None:
            lists["runs"] = self._runs()
        return [
            {name: tuple(of_pairs[pair]) for name, of_pairs in lists.items()}
            for pair in range(len(self.tallies))
        ]

    def _matches(self, all_units: Sequence[Units]) -> list[list[Match]]:
        """Return the matches of each pair, in the order of the model."""
        found: list[list[Match]] = [[] for _ in self.tallies]
        for units in all_units:
            similarities = [None] * units.hits.size
            if units.similarities is not None:
                similarities = units.similarities.tolist()
            peers = _places(units.peers, units.pairs, self.peer_starts)
            models = _places(units.models, units.pairs, self.model_starts)
            rows = zip(
                units.pairs.tolist(), peers, models, units.hits.tolist(), similarities, strict=True
            )
            for pair, peer, model, hits, similarity in rows:
                found[pair].append(Match(peer, model, hits, similarity))
        for matches in found:
            matches.sort(key=lambda match: match.model)
        return found

    def _alignments(self) -> list[list[Alignment]]:
        """Return the LCS of the sentences of each pair."""
        found: list[list[Alignment]] = [[] for _ in self.tallies]
        given = self.marks.alignments
        if given is None:
            return found
        text_offsets = self.marks.models.columns.text_offsets
        peer_text_offsets = self.marks.peers.columns.text_offsets.tolist()
        pairs = np.searchsorted(text_offsets, given.model_sentences, side="right") - 1
        rows = zip(
            pairs.tolist(),
            given.model_sentences.tolist(),
            given.peer_sentences.tolist(),
            given.offsets[:-1].tolist(),
            given.offsets[1:].tolist(),
            strict=True,
        )
        for pair, model_sentence, peer_sentence, first, last in rows:
            models = (given.model_tokens[first:last] - self.model_starts[pair]).tolist()
            peers = (given.peer_tokens[first:last] - self.peer_starts[pair]).tolist()
            found[pair].append(
                Alignment(
                    model_sentence - int(text_offsets[pair]),
                    peer_sentence - peer_text_offsets[pair],
                    tuple(zip(models, peers, strict=True)),
                )
            )
        return found

    def _runs(self) -> list[list[Run]]:
        """Return the runs of each pair."""
        found: list[list[Run]] = [[] for _ in self.tallies]
        given = self.marks.runs
        if given is None:
            return found
        rows = zip(
            given.pairs.tolist(),
            given.starts.tolist(),
            given.ends.tolist(),
            given.lengths.tolist(),
            given.weights.tolist(),
            strict=True,
        )
        for pair, start, end, length, weight in rows:
            first = self.model_starts[pair]
            found[pair].append(Run(start - first, end - first, length, weight))
        return found


def _seen_texts(seen: SeenTexts) -> list[SeenText]:
    """Return the texts of one side, each once for each pair."""
    stems: list[bytes] | list[None] = seen.stems or [None] * len(seen.words)
    vocabulary = [
        Word(_decoded(word), None if stem is None else _decoded(stem))
        for word, stem in zip(seen.words, stems, strict=True)
    ]
    columns = seen.columns
    words = [vocabulary[kind] for kind in columns.types.tolist()]
    ends, bounds = columns.sentence_offsets.tolist(), columns.text_offsets.tolist()
    texts = []
    for first, last in pairwise(bounds):
        start = ends[first]
        sentence_ends = tuple([end - start for end in ends[first + 1 : last + 1]])
        while len(sentence_ends) > 1 and sentence_ends[-2] == sentence_ends[-1]:
            # The newline at the end of a file ends the last sentence.
            sentence_ends = sentence_ends[:-1]
        texts.append(SeenText(tuple(words[start : ends[last]]), sentence_ends))
    return texts


def _decoded(word: bytes) -> str:
    """Return a word; bytes that are no UTF-8 show as such."""
    return word.decode("utf-8", "backslashreplace")


def _places(
    occurrences: Occurrences, pairs: NDArray[np.int64], starts: Sequence[int]
) -> Iterator[tuple[Place, ...]]:
    """Yield the places of the occurrences of each unit, counted from the start of its text."""
    first = np.array(starts, np.int64)[np.repeat(pairs, occurrences.counts)]
    places = list(map(tuple, (occurrences.tokens - first[:, np.newaxis]).tolist()))
    place = 0
    for count in occurrences.counts.tolist():
        yield tuple(places[place : place + count])
        place += count
