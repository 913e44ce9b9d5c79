"""The list of metrics.

To add one, write a class in a file of its own, with `Metric` or, if it counts hits, `CountedMetric`
of `rouge_cli.metrics.formulas` as its base, and put its `asked_for` into `METRICS`; its options, if
it has any, stand in `rouge_cli.options.metrics`. Those of other packages are in
`rouge_cli.metrics.plug_ins`.
"""

from collections.abc import Callable, Sequence

from rouge_cli.errors import OptionError
from rouge_cli.metrics.also import AlsoMetrics
from rouge_cli.metrics.basic_elements import RougeBE
from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.metrics.formulas import Metric
from rouge_cli.metrics.lcs import PairwiseLcs, RougeL
from rouge_cli.metrics.ngrams import RougeN
from rouge_cli.metrics.plug_ins import PlugIn
from rouge_cli.metrics.skip_bigrams import RougeS
from rouge_cli.metrics.soft_ngrams import RougeSoftN
from rouge_cli.metrics.weighted_lcs import RougeW
from rouge_cli.options.metrics import MetricOptions


def _of_protocol(options: MetricOptions) -> Metric | None:
    """Return what ``--protocol`` means, which is looked up with the options of a run."""
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
    built_in = [metric for metric in asked_for if metric is not None]
    return [*built_in, *map(PlugIn, options.add_metric)]


def prepared_columns(metrics: Sequence[Metric]) -> tuple[ScoredMetric, ...]:
    """Prepare metrics, and return the names and measures of their columns; raises InputError."""
    for metric in metrics:
        metric.prepare()
    return tuple(column for metric in metrics for column in metric.columns)


def scored_metrics(options: MetricOptions) -> tuple[ScoredMetric, ...]:
    """Return names and measures of what the options ask for, in the order of print."""
    return tuple(column for metric in metrics_of(options) for column in metric.columns)
