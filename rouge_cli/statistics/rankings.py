"""All systems in one measure of one metric: the best first, with letters for their groups."""

from collections.abc import Sequence
from fractions import Fraction

from rouge_cli.metrics.ratios import UNITS
from rouge_cli.statistics.comparison_records import PairResult, RankedSystem, Ranking
from rouge_cli.statistics.groups import letter, letter_groups
from rouge_cli.statistics.scores_table import Column, ScoresTable

__all__ = ["ranking"]


def ranking(
    column: Column, number: int, tables: Sequence[ScoresTable], pairs: Sequence[PairResult]
) -> Ranking:
    """Order the systems by their means, and give letters to those that cannot be told apart.

    Parameters
    ----------
    column : Column
    number : int
        Its place in the tables.
    tables : sequence of ScoresTable
    pairs : sequence of PairResult
        Every pair of the systems, in this column.
    """
    means = {
        table.system: Fraction(int(table.units[:, number].sum()), len(table.eval_ids) * UNITS)
        for table in tables
    }
    n_evals = {table.system: len(table.eval_ids) for table in tables}
    names = sorted(means, key=lambda name: (-means[name], name.encode("utf-8", "surrogateescape")))
    letters = _letters(names, pairs)
    systems = (
        RankedSystem(name, n_evals[name], float(means[name]), letters[name]) for name in names
    )
    return Ranking(column, tuple(systems), tuple(pairs))


def _letters(names: Sequence[str], pairs: Sequence[PairResult]) -> dict[str, tuple[str, ...]]:
    """Return the letters of each system; `names` has the best one first."""
    rank = {name: place for place, name in enumerate(names)}
    ranked = ((rank[pair.system_a], rank[pair.system_b], pair) for pair in pairs)
    different = sorted(
        (min(first, second), max(first, second))
        for first, second, pair in ranked
        if pair.randomisation.is_significant
    )
    groups = letter_groups(len(names), different)
    return {
        name: tuple(letter(place) for place, group in enumerate(groups) if rank[name] in group)
        for name in names
    }
