"""Which EVALs stand out: the best and the worst of a system, by its score or by its lead."""

from collections.abc import Sequence

from rouge_cli.errors import OptionError
from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.options.requirements import named_metric
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scoring.results import SystemScores

__all__ = ["EvalOrder", "RankedEval", "shown_letters", "sort_key"]


@dataclass(frozen=True, slots=True)
class RankedEval:
    """An EVAL and what it is ranked by.

    Parameters
    ----------
    score : float
        Of the system.
    other : float or None
        Of the system that it is held against.
    """

    id: str
    score: float
    other: float | None = None

    @property
    def key(self) -> float:
        """What it is ranked by: the score, or how far it is above the other's.

        Scores have 5 decimals; in hundred-thousandths equal differences are equal numbers.
        """
        return self.score if self.other is None else round((self.score - self.other) * 1e5)


@dataclass(frozen=True, slots=True)
class EvalOrder:
    """How EVALs are ranked, and which of them are wanted.

    Parameters
    ----------
    metric, letter : str
        The score that they are ranked by.
    best, worst : int or None
        How many of each end; all, best first, if neither is given.
    """

    metric: str
    letter: str
    best: int | None = None
    worst: int | None = None
    is_lower_better: bool = False

    def chosen(self, system: SystemScores, other: SystemScores | None = None) -> list[RankedEval]:
        """Return the EVALs of a system that are wanted; equal ones in the order of the input.

        Parameters
        ----------
        other : SystemScores or None
            With it, only the EVALs that both have, by their difference.

        Returns
        -------
        list of RankedEval
            The best first, or the worst first; of both, the best before the worst, each EVAL once.
        """
        ranked = self._ranked(system, other)
        if self.best is None and self.worst is None:
            return sorted(ranked, key=self._best_first)
        best = sorted(ranked, key=self._best_first)[: self.best or 0]
        worst = sorted(ranked, key=lambda one: -self._best_first(one))[: self.worst or 0]
        return [*best, *(one for one in worst if one not in best)]

    def _best_first(self, one: RankedEval) -> float:
        """Return what puts the best first."""
        return one.key if self.is_lower_better else -one.key

    def _ranked(self, system: SystemScores, other: SystemScores | None) -> list[RankedEval]:
        """Return what each EVAL is ranked by, in the order of the input."""
        scores = dict(zip(system.eval_ids, self._scores(system), strict=True))
        if other is None:
            return [RankedEval(name, score) for name, score in scores.items()]
        others = dict(zip(other.eval_ids, self._scores(other), strict=True))
        return [
            RankedEval(name, score, others[name])
            for name, score in scores.items()
            if name in others
        ]

    def _scores(self, system: SystemScores) -> list[float]:
        """Return the scores of a system by which its EVALs are ranked."""
        scores: list[float] = system[self.metric].measures[self.letter].per_eval.tolist()
        return scores


def sort_key(
    given: str | None, metrics: Sequence[ScoredMetric], letters: str = "F"
) -> tuple[ScoredMetric, str]:
    """Return the metric and the letter of ``--sort``, or those that are shown first.

    Parameters
    ----------
    given : str or None
        ``METRIC`` or ``METRIC:R``; None for the first metric.
    metrics : sequence of ScoredMetric
        Of the run.
    letters : str
        The measures that are shown.

    Raises
    ------
    OptionError
        If it names no metric of the run.
    """
    if given is None:
        return metrics[0], shown_letters(metrics[0].measures, letters)[0]
    name, colon, letter = given.strip().partition(":")
    spelt = named_metric(name, [metric.name for metric in metrics])
    for metric in metrics:
        wanted = letter.upper() if colon else shown_letters(metric.measures, letters)[0]
        if metric.name == spelt and wanted in metric.measures:
            return metric, wanted
    names = ", ".join(metric.name for metric in metrics)
    *others, last = dict.fromkeys(f":{one}" for metric in metrics for one in metric.measures)
    known = f"{', '.join(others)} or {last}" if others else last
    raise OptionError(
        f"--sort: found {given!r}, expected a metric of this run ({names}), alone or with {known}"
    )


def shown_letters(measures: Sequence[str], letters: str) -> Sequence[str]:
    """Return which of a metric's measures are shown: those asked for, or all if it has none."""
    return [letter for letter in letters if letter in measures] or measures
