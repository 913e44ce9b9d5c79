"""ROUGE-S and ROUGE-SU: ordered pairs of words with at most so many words between.

The idea. Only pairs of two matched tokens can match. Within a text pair the matched types are few,
so a dense table, a row for each first type and a column for each second, holds the count of every
skip-bigram; `numpy.bincount` fills it. Rows are filled in slices that bound the memory, whatever
the lengths of the texts.
Source: specification, section 5, "ROUGE-S".
"""

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.compiled import skip_bigram_hits
from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.formulas import CountedMetric
from rouge_cli.metrics.marks import Marks, Occurrences, Units
from rouge_cli.metrics.matching import Matches
from rouge_cli.metrics.paired_texts import PairedTexts, Reading
from rouge_cli.metrics.text_pairs import TextPairs
from rouge_cli.options.declaration import Number
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import TextColumns

__all__ = ["RougeS", "count_skip_bigrams"]

SLICE = 1 << 21
"""Cells and skip-bigrams that are held at a time (a single row may need more)."""


@dataclass(frozen=True, slots=True)
class RougeS(CountedMetric):
    """ROUGE-S, ROUGE-SU or both.

    Parameters
    ----------
    max_gap : Number
        Most words between the two; negative for no limit.
    with_unigrams : tuple of bool
        False for ROUGE-S, True for ROUGE-SU, in the order of print.
    """

    max_gap: Number
    with_unigrams: tuple[bool, ...]
    reading: ClassVar[Reading] = Reading(stems_models=True)

    @classmethod
    def asked_for(cls, options: MetricOptions) -> "RougeS | None":
        """Return the metrics if the options ask for them."""
        if options.max_gap is None:
            return None
        both = options.skip_and_unigram and not options.skip_unigram
        return cls(options.max_gap, (False, True) if both else (options.skip_unigram,))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the metrics, with the gap as typed."""
        gap = "*" if self.max_gap.value < 0 else self.max_gap.text
        return tuple(f"ROUGE-S{'U' * unigrams}{gap}" for unigrams in self.with_unigrams)

    @property
    def signature(self) -> tuple[str, ...]:
        """A part for each of them."""
        gap = "*" if self.max_gap.value < 0 else int(self.max_gap.value)
        return tuple(f"s{'u' * unigrams}:{gap}" for unigrams in self.with_unigrams)

    def count(self, texts: PairedTexts) -> list[Counts]:
        """Count the hits of each pair."""
        max_gap = int(self.max_gap.value)
        pairs = texts.pairs(self.reading)
        core = pairs.core
        if core is None:
            return count_skip_bigrams(texts.matches(self.reading), max_gap, self.with_unigrams)
        max_gap = _within_texts(max_gap, pairs)
        hits, unigram_hits = skip_bigram_hits(core, pairs, max_gap)
        return _counts(pairs, max_gap, hits, lambda: unigram_hits, self.with_unigrams)

    def marks(self, texts: PairedTexts) -> list[Marks]:
        """Return what matches in each pair."""
        matches, seen = texts.matches(self.reading), texts.seen(self.reading)
        max_gap = _within_texts(int(self.max_gap.value), matches)
        both = (*_skip_bigram_units(matches, max_gap), _unigram_units(matches))
        counts = count_skip_bigrams(matches, max_gap, self.with_unigrams)
        return [
            Marks(one, *seen, both if with_unigram else both[:-1])
            for one, with_unigram in zip(counts, self.with_unigrams, strict=True)
        ]


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """The matched tokens of one side in text order, and how far each reaches.

    Parameters
    ----------
    tokens : ndarray of int64, shape (n_matched,)
        The matched tokens.
    groups : ndarray of int64, shape (n_matched,)
        Group of each.
    n_followers : ndarray of int64, shape (n_matched,)
        How many of the matched tokens right behind it are its partners.
    by_group : ndarray of int64, shape (n_matched,)
        The matched tokens (places in `groups`) group by group.
    offsets : ndarray of int64, shape (n_groups + 1,)
        Group ``g`` is ``by_group[offsets[g]:offsets[g + 1]]``.
    """

    tokens: NDArray[np.int64]
    groups: NDArray[np.int64]
    n_followers: NDArray[np.int64]
    by_group: NDArray[np.int64]
    offsets: NDArray[np.int64]


def count_skip_bigrams(
    matches: Matches, max_gap: int, with_unigrams: Sequence[bool]
) -> list[Counts]:
    """Count the skip-bigrams of each pair that match.

    Parameters
    ----------
    max_gap : int
        Most words between the two; negative for no limit.
    with_unigrams : sequence of bool
        False for ROUGE-S, True for ROUGE-SU, which adds every token but the last.

    Returns
    -------
    list of Counts
        One for each entry of `with_unigrams`.
    """
    max_gap = _within_texts(max_gap, matches)
    hits = _skip_bigram_hits(matches, max_gap)
    return _counts(matches, max_gap, hits, lambda: _unigram_hits(matches), with_unigrams)


def _within_texts(max_gap: int, texts: Matches | TextPairs) -> int:
    """Return the gap, or the length of the longest text if that is less; -1 for no limit."""
    longest = max(texts.model_counts.max(initial=0), texts.peer_counts.max(initial=0))
    return max(-1, min(max_gap, int(longest)))


def _counts(
    texts: Matches | TextPairs,
    max_gap: int,
    hits: NDArray[np.int64],
    unigram_hits: Callable[[], NDArray[np.int64]],
    with_unigrams: Sequence[bool],
) -> list[Counts]:
    """Return hits and numbers of each pair, one entry for each of `with_unigrams`."""
    model_tokens, peer_tokens = texts.model_counts, texts.peer_counts
    plain = Counts(
        hits, _n_skip_bigrams(model_tokens, max_gap), _n_skip_bigrams(peer_tokens, max_gap)
    )
    return [
        Counts(
            hits + unigram_hits(),
            plain.model_count + np.maximum(model_tokens - 1, 0),
            plain.peer_count + np.maximum(peer_tokens - 1, 0),
        )
        if adds
        else plain
        for adds in with_unigrams
    ]


def _n_skip_bigrams(n_tokens: NDArray[np.int64], max_gap: int) -> NDArray[np.int64]:
    """Return how many skip-bigrams texts of these lengths have: a triangle less its far corner."""
    count: NDArray[np.int64] = n_tokens * (n_tokens - 1) // 2
    if max_gap >= 0:
        n_beyond = np.maximum(n_tokens - max_gap - 1, 0)
        count -= n_beyond * (n_beyond - 1) // 2
    return count


def _unigram_hits(matches: Matches) -> NDArray[np.int64]:
    """Return the hits of ROUGE-1 with the last token of each text left out, shape (n_pairs,)."""
    peer_counts = _without_last(matches.peer_groups, matches.peers, matches.join.peer_counts)
    model_counts = _without_last(matches.model_groups, matches.models, matches.join.model_counts)
    return matches.sum_by_pair(np.minimum(peer_counts, model_counts))


def _without_last(
    groups: NDArray[np.int64], columns: TextColumns, counts: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the counts by group less one for the last token of each text."""
    ends = columns.token_offsets[1:][columns.token_counts > 0]
    last_groups = groups[ends - 1]
    return counts - np.bincount(last_groups[last_groups >= 0], minlength=counts.size)


def _unigram_units(matches: Matches) -> Units:
    """Return the unigrams of ROUGE-SU that occur on both sides."""
    join = matches.join
    peer_counts = _without_last(matches.peer_groups, matches.peers, join.peer_counts)
    model_counts = _without_last(matches.model_groups, matches.models, join.model_counts)
    return Units(
        matches.pairs,
        np.minimum(peer_counts, model_counts),
        Occurrences(peer_counts, _but_last(matches.peers, join.peer_members)),
        Occurrences(model_counts, _but_last(matches.models, join.model_members)),
    ).with_hits()


def _but_last(columns: TextColumns, members: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the members of groups less the last token of each text, shape (n, 1)."""
    return members[~np.isin(members, columns.token_offsets[1:] - 1), np.newaxis]


@dataclass(frozen=True, slots=True, eq=False)
class _Slice:
    """A part of the table: rows for some first types, a column for each second type of their pair.

    Parameters
    ----------
    start, stop : int
        The groups that the rows are.
    cell_offsets : ndarray of int64, shape (stop - start + 1,)
        Row ``k`` has the cells ``cell_offsets[k]:cell_offsets[k + 1]``.
    columns : ndarray of int64, shape (n_groups,)
        The column of each group in the rows of its pair.
    """

    peers: _Side
    models: _Side
    start: int
    stop: int
    cell_offsets: NDArray[np.int64]
    columns: NDArray[np.int64]

    def hits(self) -> NDArray[np.int64]:
        """Return the clipped count of each cell."""
        return np.minimum(self._fill(self.peers), self._fill(self.models))

    def _fill(self, side: _Side) -> NDArray[np.int64]:
        """Count the skip-bigrams of one side by cell."""
        cells, _ = self.skip_bigrams(side)
        return np.bincount(cells, minlength=int(self.cell_offsets[-1]))

    def firsts(self, side: _Side) -> NDArray[np.int64]:
        """Return the first token of each skip-bigram of one side, a place in `side`."""
        members = self._members(side)
        return np.repeat(members, side.n_followers[members])

    def _members(self, side: _Side) -> NDArray[np.int64]:
        """Return the tokens with which the skip-bigrams of the rows begin."""
        return side.by_group[side.offsets[self.start] : side.offsets[self.stop]]

    def skip_bigrams(self, side: _Side) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the cell of each skip-bigram of one side, and its second token."""
        members = self._members(side)
        n_followers = side.n_followers[members]
        behind = np.cumsum(n_followers)
        seconds = np.arange(behind[-1] if behind.size else 0)
        seconds += np.repeat(members + 1 - (behind - n_followers), n_followers)
        cells = np.repeat(self.cell_offsets[side.groups[members] - self.start], n_followers)
        cells += self.columns[side.groups[seconds]]
        return cells, seconds


def _skip_bigram_hits(matches: Matches, max_gap: int) -> NDArray[np.int64]:
    """Return the clipped number of skip-bigrams on both sides, shape (n_pairs,)."""
    hits = np.zeros(matches.pairs.size, np.int64)
    for part in _table(matches, max_gap):
        hits[part.start : part.stop] = np.add.reduceat(part.hits(), part.cell_offsets[:-1])
    return matches.sum_by_pair(hits)


def _table(matches: Matches, max_gap: int) -> Iterator[_Slice]:
    """Yield the table in slices that bound the memory."""
    types_of_pair = np.bincount(matches.pairs, minlength=matches.n_pairs)
    first_groups = np.cumsum(types_of_pair) - types_of_pair
    columns = np.arange(matches.pairs.size) - first_groups[matches.pairs]
    row_widths = types_of_pair[matches.pairs]
    join = matches.join
    peers = _side(matches.peer_groups, matches.peers, join.peer_members, max_gap)
    models = _side(matches.model_groups, matches.models, join.model_members, max_gap)
    for start, stop in _slices(row_widths, peers, models):
        cell_offsets = np.concatenate(([0], np.cumsum(row_widths[start:stop])))
        yield _Slice(peers, models, start, stop, cell_offsets, columns)


def _skip_bigram_units(matches: Matches, max_gap: int) -> Iterator[Units]:
    """Yield the skip-bigrams that occur on both sides, slice by slice of the table."""
    for part in _table(matches, max_gap):
        hits = part.hits()
        cells = np.flatnonzero(hits)
        rows = np.searchsorted(part.cell_offsets, cells, side="right") - 1
        yield Units(
            matches.pairs[part.start + rows],
            hits[cells],
            _occurrences(part, part.peers, hits),
            _occurrences(part, part.models, hits),
        )


def _occurrences(part: _Slice, side: _Side, hits: NDArray[np.int64]) -> Occurrences:
    """Return where the skip-bigrams stand whose cell has a hit."""
    cells, seconds = part.skip_bigrams(side)
    firsts = part.firsts(side)
    places = np.flatnonzero(hits[cells])
    places = places[np.argsort(cells[places], kind="stable")]
    counts = np.bincount(cells[places], minlength=hits.size)
    return Occurrences(
        counts[hits > 0],
        np.stack((side.tokens[firsts[places]], side.tokens[seconds[places]]), axis=1),
    )


def _side(
    token_groups: NDArray[np.int64],
    columns: TextColumns,
    members: NDArray[np.int64],
    max_gap: int,
) -> _Side:
    """Find the partners of each matched token of one side."""
    tokens = np.flatnonzero(token_groups >= 0)
    last_tokens = (np.repeat(columns.token_offsets[1:], columns.token_counts) - 1)[tokens]
    if max_gap >= 0:
        last_tokens = np.minimum(last_tokens, tokens + max_gap + 1)
    matched_before = np.concatenate(([0], np.cumsum(token_groups >= 0)))
    groups = token_groups[tokens]
    return _Side(
        tokens,
        groups,
        matched_before[last_tokens + 1] - np.arange(1, tokens.size + 1),
        matched_before[members],
        np.concatenate(([0], np.cumsum(np.bincount(groups)))),
    )


def _slices(
    row_widths: NDArray[np.int64], peers: _Side, models: _Side
) -> Iterator[tuple[int, int]]:
    """Cut the groups into slices of about `SLICE` cells and skip-bigrams."""
    costs = row_widths.copy()
    for side in (peers, models):
        costs += np.bincount(side.groups, side.n_followers, costs.size).astype(np.int64)
    ends = np.cumsum(costs)
    start = 0
    while start < costs.size:
        done = ends[start - 1] if start else 0
        stop = max(int(np.searchsorted(ends, done + SLICE, side="right")), start + 1)
        yield start, stop
        start = stop
