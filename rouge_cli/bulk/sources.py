"""How extractive summaries are: what they share with their sources, and what is new in them."""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.bulk.documents import (
    WORD_OPTIONS,
    Sentences,
    in_batches,
    pair_numbers,
    read_lists,
    read_options,
    tokenized,
)
from rouge_cli.core import compiled_core
from rouge_cli.errors import OptionError, RougeWarning
from rouge_cli.metrics.paired_texts import TextPairs
from rouge_cli.metrics.sources import fragment_sums, ngram_counts
from rouge_cli.options.options import Options
from rouge_cli.options.texts import TextOptions
from rouge_cli.text.ascii155 import encoded_at_blanks, split_texts
from rouge_cli.text.columns import TextColumns

if TYPE_CHECKING:
    from rouge_cli.inputs.source import Text

NEWSROOM, PRESUMM = RULES = ("newsroom", "presumm")
LARGEST_ORDER = 100
SMOOTHING = 1e-6

Columns = dict[str, NDArray[np.float64]]


def source_statistics(
    summaries: "Iterable[Text]",
    sources: "Iterable[Text]",
    orders: Sequence[int] = (1, 2, 3),
    rule: str = NEWSROOM,
    **options: Any,
) -> Columns:
    """Measure what each summary takes from its source.

    Parameters
    ----------
    summaries, sources : iterable of texts
    orders : sequence of int
        The lengths of n-grams.
    rule : str
        ``"newsroom"``: words as `str.split` finds them, in lower case, unless options say
        otherwise. ``"presumm"``: the counts of PreSumm, where ``<q>`` ends a sentence of a summary
        and no text has its last n-gram.
    **options
        ``jobs``; with ``"newsroom"`` the options of `rouge_cli.evaluate` for words and stems.

    Returns
    -------
    dict of str to ndarray of float64, shape (n_summaries,)
        ``coverage``, ``density``, ``compression``: 0 for a summary without words. ``novel-N``,
        ``repeated-N``: the shares of its different n-grams that the source lacks, and that it has
        more than once; nan, with a `RougeWarning`, where it has no n-gram. With ``"presumm"``
        ``novel-count-N`` and ``distinct-N``, whose sums make its published figure; ``novel-N``, the
        first of them by the number of words; ``repeated-N``, 1 if an n-gram occurs twice.

    Raises
    ------
    OptionError, InputError

    Examples
    --------
    >>> from rouge_cli import bulk
    >>> columns = bulk.source_statistics(
    ...     ["police killed a gunman"], ["yesterday police killed the gunman"], orders=[2]
    ... )
    >>> columns["density"].tolist(), columns["novel-2"].tolist()
    ([1.25], [0.6666666666666666])
    """
    if rule not in RULES:
        raise OptionError(f"rule: found {rule!r}, expected one of {', '.join(RULES)}")
    checked_orders = _checked_orders(orders)
    checked = read_options(f"rule={rule!r}", options, WORD_OPTIONS if rule == NEWSROOM else [])
    texts = read_lists(("summaries", "sources"), summaries, sources)
    measure = partial(_presumm if rule == PRESUMM else _newsroom, checked_orders, checked)
    batches = list(in_batches(measure, *texts, checked))
    names = batches[0] if batches else measure([], [])
    columns = {name: np.concatenate([np.empty(0), *(b[name] for b in batches)]) for name in names}
    if warning := _too_short(columns, checked_orders):
        warnings.warn(warning, RougeWarning, stacklevel=2)
    return columns


def _checked_orders(orders: Any) -> list[int]:
    listed = list(orders) if isinstance(orders, Iterable) else [orders]
    are_whole = all(
        isinstance(n, int | np.integer) and not isinstance(n, bool) and 1 <= n <= LARGEST_ORDER
        for n in listed
    )
    if not are_whole or len(set(listed)) < len(listed):
        raise OptionError(
            f"orders: found {orders!r}, expected different whole numbers from 1 to {LARGEST_ORDER}"
        )
    return list(map(int, listed))


def _newsroom(
    orders: Sequence[int],
    options: Options,
    summaries: Sequence[Sentences],
    sources: Sequence[Sentences],
) -> Columns:
    """Measure a batch."""
    if options.texts == TextOptions():
        in_turn = chain.from_iterable(zip(summaries, sources, strict=True))
        texts = [encoded_at_blanks(" ".join(text).lower()) for text in in_turn]
        columns, n_types = split_texts(texts, np.arange(0, len(texts) + 1, 2))
    else:
        columns, n_types = tokenized(summaries, sources, options)
    pairs = _pairs(columns.as_one_sentence(), n_types)
    sums = fragment_sums(pairs, compiled_core())
    lengths = np.maximum(pairs.peer_counts, 1)
    ratios = [*sums, np.where(pairs.peer_counts > 0, pairs.model_counts, 0)]
    names = "coverage", "density", "compression"
    measured = {name: ratio / lengths for name, ratio in zip(names, ratios, strict=True)}
    for order, (distinct, repeated, novel) in _by_order(pairs, orders, is_cut=False):
        n_ngrams = np.where(distinct > 0, distinct, np.nan)
        measured |= {f"novel-{order}": novel / n_ngrams, f"repeated-{order}": repeated / n_ngrams}
    return measured


def _presumm(
    orders: Sequence[int],
    options: Options,
    summaries: Sequence[Sentences],
    sources: Sequence[Sentences],
) -> Columns:
    """Measure a batch as PreSumm does."""
    texts = [
        encoded_at_blanks(text)
        for summary, source in zip(summaries, sources, strict=True)
        for text in ("\n".join(summary).replace("<q>", "\n"), _without_pieces(" ".join(source)))
    ]
    columns, n_types = split_texts(texts, np.arange(0, len(texts) + 1, 2))
    whole, by_sentence = _pairs(columns.as_one_sentence(), n_types), _pairs(columns, n_types)
    n_repeated = dict(_by_order(by_sentence, orders, is_cut=True))
    measured = {}
    for order, (distinct, _, novel) in _by_order(whole, orders, is_cut=True):
        measured |= {
            f"novel-{order}": novel / (whole.peer_counts + SMOOTHING),
            f"novel-count-{order}": novel.astype(np.float64),
            f"distinct-{order}": distinct.astype(np.float64),
            f"repeated-{order}": (n_repeated[order][1] > 0).astype(np.float64),
        }
    return measured


def _without_pieces(source: str) -> str:
    """Join the pieces of words that BERT has, and blank out its signs."""
    source = source.replace(" ##", "")
    for sign in ("[CLS]", "[SEP]", "[PAD]"):
        source = source.replace(sign, " ")
    return source


def _pairs(columns: TextColumns, n_types: int) -> TextPairs:
    summaries, sources = pair_numbers((columns.text_offsets.size - 1) // 2)
    return TextPairs(columns, summaries, columns, sources, max(n_types, 1))


def _by_order(
    pairs: TextPairs, orders: Sequence[int], *, is_cut: bool
) -> Iterator[tuple[int, NDArray[np.int64]]]:
    counts = ngram_counts(pairs, compiled_core(), max(orders, default=1), is_cut=is_cut)
    return ((order, counts[order - 1]) for order in orders)


def _too_short(columns: Columns, orders: Sequence[int]) -> str:
    """Say how many summaries lack n-grams; empty if none does."""
    missing = {n: int(np.isnan(columns[f"novel-{n}"]).sum()) for n in sorted(orders)}
    counts = ", ".join(f"{count} at N={n}" for n, count in missing.items() if count)
    if not counts:
        return ""
    return (
        f"summaries without n-grams, whose novel-N and repeated-N are nan: {counts}; "
        "numpy.nanmean leaves them out"
    )
