"""All metrics of a run: those of its texts, those from elsewhere, and those that are fused."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from rouge_cli.errors import OptionError
from rouge_cli.metrics.aggregation import FusedMeans, PartKey
from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.metrics.metric import scored_metrics
from rouge_cli.options.beside import BesideOptions
from rouge_cli.options.every import Options
from rouge_cli.options.fusions import Fusion, Term
from rouge_cli.options.requirements import SINGLE_MEASURE, named_metric
from rouge_cli.options.scores import HISTOGRAM

__all__ = [
    "check_histograms",
    "checked_beside",
    "fused_metric",
    "outside_metrics",
    "part_keys",
    "run_metrics",
]

F = "F"


def run_metrics(options: Options) -> tuple[ScoredMetric, ...]:
    """Return names and measures of all metrics of a run that reads texts, in the order of print.

    Raises
    ------
    OptionError
        For options that name a metric which the run does not have, fuse what does not go
        together, or bootstrap what has no histogram.
    """
    outside = (*(one.name for one in options.inputs.column), *options.input_facts.given_metrics)
    of_texts = scored_metrics(options.metrics)
    metrics = checked_beside((*of_texts, *outside_metrics(outside)), options.beside)
    if options.scores.bootstrap == HISTOGRAM:
        check_histograms(metrics)
    return metrics


def check_histograms(metrics: Sequence[ScoredMetric]) -> None:
    """Refuse metrics whose scores are made of several; raises OptionError."""
    together = (one.name for one in metrics if one.aggregation is not None)
    if (name := next(together, None)) is not None:
        raise OptionError(
            f"--bootstrap histogram draws each score by itself, and {name} is made of several that "
            "have to be drawn together; give --bootstrap exact"
        )


def outside_metrics(names: Sequence[str]) -> tuple[ScoredMetric, ...]:
    """Return metrics from elsewhere, of which nothing is known but their names."""
    return tuple(ScoredMetric(name, (SINGLE_MEASURE,)) for name in names)


def checked_beside(
    metrics: Sequence[ScoredMetric], beside: BesideOptions
) -> tuple[ScoredMetric, ...]:
    """Return metrics with what the options say of them, and with those that are fused of them.

    Raises
    ------
    OptionError
        As `run_metrics` does.
    """
    _check_names([one.name for one in metrics])
    found = {one.name: one for one in metrics}
    for wanted in beside.lower_is_better:
        name = _known(wanted, found, "--lower-is-better", lambda one: one.is_single)
        found[name] = replace(found[name], is_lower_better=True)
    for scale in beside.scale:
        name = _known(scale.metric, found, "--scale", lambda one: one.is_single)
        if found[name].scale not in {None, scale.text}:
            raise OptionError(f"--scale: {name} has the scale {found[name].scale} already")
        found[name] = replace(found[name], scale=scale.text)
    for fusion in beside.fuse:
        metric = fused_metric(fusion, tuple(found.values()))
        _check_names([*found, metric.name])
        found[metric.name] = metric
    return tuple(found.values())


def _check_names(names: Sequence[str]) -> None:
    """Refuse two metrics of one name."""
    lower = [name.lower() for name in names]
    if len(set(lower)) < len(lower):
        twice = next(name for name in names if lower.count(name.lower()) > 1)
        raise OptionError(
            f"two metrics are called {twice!r}; give the numbers from elsewhere another name"
        )


def _known(
    wanted: str,
    metrics: dict[str, ScoredMetric],
    option: str,
    accepts: Callable[[ScoredMetric], bool],
) -> str:
    """Return the name of a metric as the run spells it; raises OptionError."""
    names = [name for name, one in metrics.items() if accepts(one)]
    name = named_metric(wanted, names)
    if name is None:
        known = ", ".join(names) or "none"
        raise OptionError(
            f"{option}: no metric {wanted!r} with a single score in this run; there are: {known}"
        )
    return name


def fused_metric(fusion: Fusion, metrics: Sequence[ScoredMetric]) -> ScoredMetric:
    """Return the metric that a fusion makes of others.

    Raises
    ------
    OptionError
        If a term is not among them, or if they have not the same scale and direction.
    """
    by_name = {one.name: one for one in metrics}
    parts = part_keys(fusion, by_name)
    terms = [by_name[name] for name, _ in parts]
    for one in terms:
        if one.aggregation is not None:
            raise OptionError(
                f"--fuse: {str(fusion)!r}: {one.name} is no mean over EVALs, and cannot be fused"
            )
    if None in (scales := {one.scale for one in terms}) or len(scales) > 1:
        shown = dict.fromkeys(f"{one.name}: {one.scale or 'not declared'}" for one in terms)
        raise OptionError(
            f"--fuse: {str(fusion)!r}: expected metrics of one declared scale, found "
            f"{', '.join(shown)}; --scale NAME=LOW-HIGH declares that of scores from elsewhere"
        )
    if len({one.is_lower_better for one in terms}) > 1:
        lower = ", ".join(one.name for one in terms if one.is_lower_better)
        raise OptionError(
            f"--fuse: {str(fusion)!r}: lower is better of {lower}, and not of the others"
        )
    return ScoredMetric(
        fusion.name,
        (SINGLE_MEASURE,),
        terms[0].scale,
        terms[0].is_lower_better,
        None if fusion.is_per_eval else FusedMeans(fusion, parts),
    )


def part_keys(fusion: Fusion, metrics: dict[str, ScoredMetric]) -> tuple[PartKey, ...]:
    """Return the metric and the measure that each term names; raises OptionError."""
    return tuple(_part_key(term, fusion, metrics) for term in fusion.terms)


def _part_key(term: Term, fusion: Fusion, metrics: dict[str, ScoredMetric]) -> PartKey:
    """Return the metric and the measure that a term names; raises OptionError."""
    name = named_metric(term.metric, list(metrics))
    if name is None:
        raise OptionError(
            f"--fuse: {str(fusion)!r}: no metric {term.metric!r} in this run; the metrics are: "
            f"{', '.join(metrics)}"
        )
    metric = metrics[name]
    measure = term.measure or (SINGLE_MEASURE if metric.is_single else F)
    if measure not in metric.measures:
        raise OptionError(
            f"--fuse: {str(fusion)!r}: {name} has no measure {measure}; it has "
            f"{', '.join(metric.measures)}"
        )
    return name, measure
