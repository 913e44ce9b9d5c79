"""Extractiveness of summaries: what they share with their sources, and what is new in them."""

import warnings
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rouge_cli.bulk.documents import (
    WORD_OPTIONS,
    in_batches,
    lines_of,
    read_lists,
    read_options,
    tokenized,
)
from rouge_cli.errors import OptionError, RougeWarning
from rouge_cli.metrics.sources import LARGEST_ORDER, NEWSROOM, RULES, Columns, word_columns
from rouge_cli.options.options import Options
from rouge_cli.options.texts import TextOptions

if TYPE_CHECKING:
    from rouge_cli.inputs.source import Text


def source_statistics(
    summaries: "Iterable[Text]",
    sources: "Iterable[Text]",
    orders: Sequence[int] = (1, 2, 3),
    rule: str = NEWSROOM,
    **options: Any,
) -> Columns:
    """Measure how much of each summary comes from its source.

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
        ``repeated-N``: the shares of its distinct n-grams that the source lacks, and that occur
        more than once; nan, with a `RougeWarning`, if it has no n-grams. With ``"presumm"``
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
    measure = partial(_measured, checked_orders, rule, checked)
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


def _measured(
    orders: Sequence[int],
    rule: str,
    options: Options,
    summaries: Sequence[Any],
    sources: Sequence[Any],
) -> Columns:
    """Measure the summaries of a batch."""
    if options.texts != TextOptions():
        return word_columns(*tokenized(summaries, sources, options), orders)
    return RULES[rule](list(map(lines_of, summaries)), list(map(lines_of, sources)), orders)


def _too_short(columns: Columns, orders: Sequence[int]) -> str:
    """Return a warning about summaries without n-grams; empty if there are none."""
    missing = {n: int(np.isnan(columns[f"novel-{n}"]).sum()) for n in sorted(orders)}
    counts = ", ".join(f"{count} at N={n}" for n, count in missing.items() if count)
    if not counts:
        return ""
    return (
        f"summaries without n-grams, whose novel-N and repeated-N are nan: {counts}; "
        "numpy.nanmean leaves them out"
    )
