"""What the table, markdown and latex reports of a comparison show: digits, and what they mean.

A section is one measure of one metric: its pairs, and its systems in order with their groups.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from rouge_cli.reports.visible import visible
from rouge_cli.statistics.comparison_records import Comparison, PairResult, Ranking

__all__ = ["Section", "ShownPair", "ShownSystem", "notes", "sections"]

LEAST_P = 0.00005
"""A smaller p would show as zero, which no p is."""


@dataclass(frozen=True, slots=True)
class ShownPair:
    """A row of the pairs.

    Parameters
    ----------
    systems : tuple of two str
        A and B; control characters are escaped.
    better : int or None
        Which of the two is marked, 0 or 1.
    n_evals, difference : str
    interval : tuple of two str
    p : tuple of two str
        Of bootstrap and randomisation.
    p_holm : tuple of two str
        The same after Holm's correction.
    """

    systems: tuple[str, str]
    better: int | None
    n_evals: str
    difference: str
    interval: tuple[str, str]
    p: tuple[str, str]
    p_holm: tuple[str, str]


@dataclass(frozen=True, slots=True)
class ShownSystem:
    """A row of the systems.

    Parameters
    ----------
    system : str
    n_evals, mean : str
    letters : tuple of str
        For each group of the section its letter, or blanks if the system is not in it.
    """

    system: str
    n_evals: str
    mean: str
    letters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """One measure of one metric.

    Parameters
    ----------
    metric : str
        With the letter of the measure, for example ``"ROUGE-2 F"``.
    n_evals : str or None
        EVALs of every pair; None if it is not the same for all, and rows have to say it.
    pairs : tuple of ShownPair
    systems : tuple of ShownSystem
        The best first.
    """

    metric: str
    n_evals: str | None
    pairs: tuple[ShownPair, ...]
    systems: tuple[ShownSystem, ...]

    @property
    def title(self) -> str:
        """The metric, and the number of EVALs if it is the same for all pairs."""
        if self.n_evals is None:
            return self.metric
        return f"{self.metric}, {self.n_evals} EVAL{'s' * (self.n_evals != '1')}"


def sections(comparison: Comparison) -> Iterator[Section]:
    """Yield a section for each metric and measure, in the order of print."""
    sizes = {str(pair.n_evals) for pair in comparison.pairs}
    n_evals = sizes.pop() if len(sizes) == 1 else None
    for ranking in comparison.rankings:
        column = ranking.column
        yield Section(
            f"{column.metric} {column.letter}",
            n_evals,
            tuple(map(_shown_pair, ranking.pairs)),
            tuple(_shown_systems(ranking)),
        )


def notes(comparison: Comparison, better: str) -> list[str]:
    """Say what the columns mean and how they were made.

    Parameters
    ----------
    comparison : Comparison
    better : str
        What marks the better system, for example ``"*"``.
    """
    plan, pairs = comparison.plan, comparison.pairs
    n_exact = sum(pair.randomisation.is_exact for pair in pairs)
    level = f"{float(plan.level):g}"
    return [
        "A - B: difference of the means over the EVALs that both systems have, with its "
        f"{comparison.options.scores.confidence.text}% interval from the bootstrap.",
        "p, two-sided: boot. by the paired bootstrap, rand. by approximate randomisation, with "
        f"{plan.resamples} resamples each ({n_exact} of {len(pairs)} rand. exact: all swaps "
        f"enumerated); seed {plan.seed}.",
        f"Holm: p corrected over the {len(pairs)} comparisons of this report, each test apart.",
        f"{better}: the better system, if rand. after Holm is at most {level}. Systems that share "
        "a letter cannot be told apart by this.",
    ]


def _shown_pair(pair: PairResult) -> ShownPair:
    """Write the numbers of a pair."""
    systems = pair.system_a, pair.system_b
    lower, upper = pair.interval
    return ShownPair(
        (visible(pair.system_a), visible(pair.system_b)),
        None if pair.better is None else systems.index(pair.better),
        str(pair.n_evals),
        _score(pair.difference),
        (_score(lower), _score(upper)),
        (_p(pair.bootstrap.p), _p(pair.randomisation.p)),
        (_p(pair.bootstrap.p_holm), _p(pair.randomisation.p_holm)),
    )


def _shown_systems(ranking: Ranking) -> Iterator[ShownSystem]:
    """Write the numbers of the systems, with a place for each letter."""
    letters = dict.fromkeys(one for system in ranking.systems for one in system.letters)
    in_order = sorted(letters, key=lambda one: (len(one), one))
    for system in ranking.systems:
        yield ShownSystem(
            visible(system.id),
            str(system.n_evals),
            _score(system.mean),
            tuple(one if one in system.letters else " " * len(one) for one in in_order),
        )


def _score(score: float) -> str:
    """Write a score or a difference; one that rounds to zero has no sign."""
    text = f"{score:.4f}"
    return text.removeprefix("-") if float(text) == 0 else text


def _p(p: float) -> str:
    """Write a p."""
    return f"{p:.4f}" if p >= LEAST_P else "<.0001"
