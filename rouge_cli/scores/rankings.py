"""Rankings of EVALs by a score, and lookup of the metrics and measures that options name."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from rouge_cli.errors import OptionError
from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.options.scores import NamedScore, Requirement, named_metric
from rouge_cli.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class RankedEval:
    """An EVAL with the score that ranks it, and the score of a second system, if there is one."""

    id: str
    score: float
    other: float | None = None

    @property
    def key(self) -> float:
        """The score by which EVALs are sorted, or its lead over the other system in units of 1e-5.

        Two scores of 5 decimals differ by whole units. Without rounding, equal differences could
        differ in the last bit of a double.
        """
        return self.score if self.other is None else round((self.score - self.other) * 1e5)


@dataclass(frozen=True, slots=True)
class EvalOrder:
    """A ranking of EVALs by a score, which may be limited to its top and bottom.

    `best` and `worst` are the numbers of EVALs to select from each end. If both are None, all EVALs
    are selected, the best first.
    """

    metric: str
    letter: str
    best: int | None = None
    worst: int | None = None
    is_lower_better: bool = False

    def chosen(self, system: Any, other: Any = None) -> list[RankedEval]:
        """Return the selected EVALs of a system; ties keep the input order.

        The best come first, then the others of the worst, from the very worst up. With `other`, the
        EVALs that both systems have are ranked by the difference of their scores. Systems are
        `SystemScores`, whose module imports this one.
        """
        scores = self._scores(system)
        ranked = [RankedEval(name, score) for name, score in scores.items()]
        if other is not None:
            others = self._scores(other)
            common = [name for name in scores if name in others]
            ranked = [RankedEval(name, scores[name], others[name]) for name in common]
        sign = 1 if self.is_lower_better else -1
        if self.best is None and self.worst is None:
            return sorted(ranked, key=lambda ranked: sign * ranked.key)
        best = sorted(ranked, key=lambda ranked: sign * ranked.key)[: self.best or 0]
        worst = sorted(ranked, key=lambda ranked: -sign * ranked.key)[: self.worst or 0]
        return [*best, *(ranked for ranked in worst if ranked not in best)]

    def _scores(self, system: Any) -> dict[str, float]:
        per_eval = system[self.metric].measures[self.letter].per_eval
        return dict(zip(system.eval_ids, per_eval.tolist(), strict=True))


def sort_key(
    key: str | None, metrics: Sequence[ScoredMetric], letters: str = "F", option: str = "--sort"
) -> tuple[ScoredMetric, str]:
    """Return the metric and the letter of the measure that a key of ``--sort`` names.

    `key` is ``METRIC``, ``METRIC:R`` or None, which means the first printed metric and measure.
    `metrics` are those of the run, `letters` the printed measures, and `option` the name of the
    option in messages. Raises OptionError if the run has no such metric.
    """
    if key is None:
        return metrics[0], shown_letters(metrics[0].measures, letters)[0]
    name, colon, letter = key.strip().partition(":")
    spelt = named_metric(name, [metric.name for metric in metrics])
    for metric in metrics:
        wanted = letter.upper() if colon else shown_letters(metric.measures, letters)[0]
        if metric.name == spelt and wanted in metric.measures:
            return metric, wanted
    names = ", ".join(metric.name for metric in metrics)
    *others, last = dict.fromkeys(
        f":{measure}" for metric in metrics for measure in metric.measures
    )
    known = f"{', '.join(others)} or {last}" if others else last
    raise OptionError(
        f"{option}: found {key!r}, expected a metric of this run ({names}), alone or with {known}"
    )


def score_key(
    wanted: NamedScore | Requirement,
    known: Mapping[str, Collection[str]],
    option: str = "--score-only",
) -> str:
    """Return the name of a score's metric as the run spells it.

    `known` maps the metrics of the run to the letters of their measures; `option` is the name of
    the option in messages. Raises OptionError if the run lacks the metric or the measure.
    """
    name = named_metric(wanted.metric, list(known))
    if name is None:
        raise OptionError(
            f"{option}: no metric {wanted.metric!r} in this run; the metrics are: "
            f"{', '.join(known) or 'none'}"
        )
    if wanted.measure not in known[name]:
        raise OptionError(
            f"{option}: {name} has no measure {wanted.measure}; it has {', '.join(known[name])}"
        )
    return name


def shown_letters(measures: Sequence[str], letters: str) -> Sequence[str]:
    """Return the measures to print: those in `letters`, or all if the metric has none of these."""
    return [letter for letter in letters if letter in measures] or measures
