"""Which metrics a run computes, and what the original calls them.

Source: specification, section 7.
"""

from dataclasses import dataclass

from rouge_cli.options.every import Options

__all__ = ["Metric", "metrics_of"]


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric of a run.

    Parameters
    ----------
    name : str
        As printed: ``"ROUGE-1"``, ``"ROUGE-W-1.2"``, ``"ROUGE-SU*"``; what the original does not
        have is named so that nobody takes it for what it has.
    family : str
        ``"N"``, ``"L"``, ``"P"``, ``"W"``, ``"S"`` or ``"BE"``.
    weight : float or None
        The weight of ROUGE-W.
    """

    name: str
    family: str
    weight: float | None = None


def metrics_of(options: Options) -> list[Metric]:
    """Return the metrics that `options` ask for, in the order of print."""
    metrics = [Metric(f"ROUGE-{n}", "N") for n in range(1, (options.metrics.max_ngram or 0) + 1)]
    if options.metrics.with_lcs:
        metrics.append(
            Metric("ROUGE-L-text" if options.metrics.lcs_unit == "text" else "ROUGE-L", "L")
        )
    if options.metrics.pairwise_lcs:
        metrics.append(Metric("LCS-pairwise", "P"))
    if options.metrics.weight is not None:
        metrics.append(
            Metric(f"ROUGE-W-{options.metrics.weight.text}", "W", options.metrics.weight.value)
        )
    if options.metrics.max_gap is not None:
        variants = options.metrics.skip_variants
        gap = "*" if options.metrics.max_gap.value < 0 else options.metrics.max_gap.text
        metrics += [Metric(f"ROUGE-S{'U' * unigrams}{gap}", "S") for unigrams in variants]
    if options.metrics.basic_elements is not None:
        metrics.append(Metric(f"ROUGE-BE-{options.metrics.basic_elements}", "BE"))
    return metrics
