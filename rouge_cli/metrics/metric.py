"""What is counted: the socket for metrics, and the list of them.

To add a metric, write a class that has what `Metric` asks for, in a file of its own, and put its
`asked_for` into `METRICS`; its options, if it has any, stand in `rouge_cli.options.metrics`.
Metrics that count hits take `rouge_cli.metrics.formulas.CountedMetric` as their base.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from rouge_cli.errors import OptionError
from rouge_cli.metrics.also import AlsoMetrics
from rouge_cli.metrics.basic_elements import RougeBE
from rouge_cli.metrics.counts import InstanceScores, PairCounts, ScoredMetric
from rouge_cli.metrics.lcs import PairwiseLcs, RougeL
from rouge_cli.metrics.marks import MarkedPairs
from rouge_cli.metrics.ngrams import RougeN
from rouge_cli.metrics.paired_texts import CompiledPair, PairedTexts, Reading, TextPair
from rouge_cli.metrics.skip_bigrams import RougeS
from rouge_cli.metrics.soft_ngrams import RougeSoftN
from rouge_cli.metrics.weighted_lcs import RougeW
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.scores import ScoreOptions


class Metric(Protocol):
    """A metric, or several that are computed together."""

    @property
    def columns(self) -> tuple[ScoredMetric, ...]:
        """Names and measures, in the order of print."""
        ...

    @property
    def signature(self) -> tuple[str, ...]:
        """What moves the scores, as parts of the signature."""
        ...

    @property
    def reading(self) -> Reading:
        """How the texts are read."""
        ...

    def prepare(self) -> None:
        """Read what is needed besides the texts, before work is handed out to processes.

        Raises
        ------
        InputError
        """
        ...

    def explain(self, texts: PairedTexts, options: ScoreOptions) -> list[MarkedPairs] | None:
        """Return what matches in each pair and what counts of it, one entry for each of `columns`.

        None where a score is not made of words that count.
        """
        ...

    def count_pair(self, pair: TextPair) -> Sequence[PairCounts] | None:
        """Count one pair, for each of `columns`; None if its tokens are not enough."""
        ...

    def count_compiled_pair(self, pair: CompiledPair) -> Sequence[PairCounts] | None:
        """Count a lone pair with the core, for each of `columns`; None if it cannot."""
        ...

    def score(self, texts: PairedTexts, options: ScoreOptions) -> list[InstanceScores]:
        """Return the scores of each instance, one entry for each of `columns`.

        Raises
        ------
        OptionError
            If the options make scores that are no numbers.
        """
        ...


def _of_protocol(options: MetricOptions) -> Metric | None:
    """Return what ``--protocol`` means, which a run has looked up before it asks for metrics."""
    choice = options.protocol
    if choice is None:
        return None
    if choice.metric is None:
        raise OptionError(
            "--protocol is for score, compare and correlate, and here it is not known"
        )
    metric: Metric = choice.metric
    return metric


METRICS: tuple[Callable[[MetricOptions], Metric | None], ...] = (
    _of_protocol,
    RougeN.asked_for,
    RougeSoftN.asked_for,
    RougeL.asked_for,
    PairwiseLcs.asked_for,
    RougeW.asked_for,
    RougeS.asked_for,
    RougeBE.asked_for,
    AlsoMetrics.asked_for,
)
"""From the options to each metric, None where it is not asked for; in the order of print."""


def metrics_of(options: MetricOptions) -> list[Metric]:
    """Return the metrics that the options ask for, in the order of print."""
    asked_for = (of_options(options) for of_options in METRICS)
    return [metric for metric in asked_for if metric is not None]


def prepared_metrics(options: MetricOptions) -> tuple[ScoredMetric, ...]:
    """Prepare what the options ask for, and return names and measures; raises InputError."""
    metrics = metrics_of(options)
    for metric in metrics:
        metric.prepare()
    return _columns(metrics)


def scored_metrics(options: MetricOptions) -> tuple[ScoredMetric, ...]:
    """Return names and measures of what the options ask for, in the order of print."""
    return _columns(metrics_of(options))


def _columns(metrics: Iterable[Metric]) -> tuple[ScoredMetric, ...]:
    """Return names and measures of metrics."""
    return tuple(column for metric in metrics for column in metric.columns)
