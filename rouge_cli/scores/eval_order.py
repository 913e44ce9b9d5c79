"""The best and the worst EVALs of a system, by its score or by its lead over another system."""

from collections.abc import Sequence

from rouge_cli.errors import OptionError
from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.options.scores import named_metric
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.results import SystemScores


@dataclass(frozen=True, slots=True)
class RankedEval:
    """An EVAL and the score that ranks it.

    Parameters
    ----------
    score : float
        Of the system.
    other : float or None
        Of the system that it is compared with.
    """

    id: str
    score: float
    other: float | None = None

    @property
    def key(self) -> float:
        """The score, or how far it is above that of the other system.

        Scores have 5 decimals. Differences are rounded to whole hundred-thousandths: in doubles,
        equal ones would differ in the last bit.
        """
        return self.score if self.other is None else round((self.score - self.other) * 1e5)


@dataclass(frozen=True, slots=True)
class EvalOrder:
    """A ranking of EVALs, and how many of them are wanted.

    Parameters
    ----------
    metric, letter : str
        The score that ranks them.
    best, worst : int or None
        How many from each end; all, best first, if both are None.
    """

    metric: str
    letter: str
    best: int | None = None
    worst: int | None = None
    is_lower_better: bool = False

    def chosen(self, system: SystemScores, other: SystemScores | None = None) -> list[RankedEval]:
        """Return the wanted EVALs of a system; equal ones in the order of the input.

        The best first, or the worst first; of both, the best before the worst, each EVAL once.

        With `other`, the EVALs that both have are ranked by the difference.
        """
        ranked = self._ranked(system, other)
        if self.best is None and self.worst is None:
            return sorted(ranked, key=self._best_first)
        best = sorted(ranked, key=self._best_first)[: self.best or 0]
        worst = sorted(ranked, key=lambda ranked: -self._best_first(ranked))[: self.worst or 0]
        return [*best, *(ranked for ranked in worst if ranked not in best)]

    def _best_first(self, ranked: RankedEval) -> float:
        """Return the sort key that puts the best EVAL first."""
        return ranked.key if self.is_lower_better else -ranked.key

    def _ranked(self, system: SystemScores, other: SystemScores | None) -> list[RankedEval]:
        """Return all EVALs with their scores, in the order of the input."""
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
        """Return the scores that rank the EVALs of a system."""
        scores: list[float] = system[self.metric].measures[self.letter].per_eval.tolist()
        return scores


def sort_key(
    given: str | None, metrics: Sequence[ScoredMetric], letters: str = "F"
) -> tuple[ScoredMetric, str]:
    """Return the metric and the letter of ``--sort``; by default those that are printed first.

    Raises OptionError if it names no metric of the run.

    Parameters
    ----------
    given : str or None
        ``METRIC`` or ``METRIC:R``; None for the first metric.
    metrics : sequence of ScoredMetric
        Of the run.
    letters : str
        The measures that are printed.
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
    *others, last = dict.fromkeys(f":{key}" for metric in metrics for key in metric.measures)
    known = f"{', '.join(others)} or {last}" if others else last
    raise OptionError(
        f"--sort: found {given!r}, expected a metric of this run ({names}), alone or with {known}"
    )


def shown_letters(measures: Sequence[str], letters: str) -> Sequence[str]:
    """Return the measures of a metric that are printed: the wanted ones, or all if it has none."""
    return [letter for letter in letters if letter in measures] or measures
