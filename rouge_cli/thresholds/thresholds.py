"""Hold the scores of a run against what is required of them.

Scores are compared as they are printed, in exact decimals, so that nobody decides by digits that
nobody sees.
"""

from collections.abc import Sequence

from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.options.every import Options
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scoring.results import Results
from rouge_cli.scoring.run_metrics import run_metrics
from rouge_cli.thresholds.baseline import baseline_warnings, drops, paired_systems
from rouge_cli.thresholds.baseline_file import Baseline, read_baseline
from rouge_cli.thresholds.requirements import check_metrics, unmet_requirements

__all__ = ["Thresholds", "Verdict", "read_thresholds"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of it.

    Parameters
    ----------
    failures : tuple of str
        A line for each score that is not as required.
    warnings : tuple of str
        What the user should know of the comparison.
    """

    failures: tuple[str, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What the scores of a run have to meet; see `read_thresholds`.

    Parameters
    ----------
    options : Options
        With the requirements, the measures to compare and the largest drop.
    baseline : Baseline or None
        The earlier run.
    """

    options: Options
    baseline: Baseline | None

    def check(self, results: Results) -> Verdict:
        """Compare, system by system and metric by metric.

        Parameters
        ----------
        results : Results
            Of a run with these options.

        Raises
        ------
        OptionError
            A requirement names a system that the run does not have, or a measure that its metric
            does not have.
        InputError
            The baseline has a system that the run does not have.
        """
        failures = unmet_requirements(self.options.thresholds.require, results)
        if self.baseline is None:
            return Verdict(failures)
        pairs = paired_systems(self.baseline, results)
        lower = [one.name for one in results.table.metrics if one.is_lower_better]
        return Verdict(
            (*failures, *drops(pairs, self.options.thresholds, lower)),
            baseline_warnings(pairs, self.baseline, results),
        )


def read_thresholds(options: Options, metrics: Sequence[ScoredMetric] | None = None) -> Thresholds:
    """Check what is required, and read the baseline, before anything is scored.

    Parameters
    ----------
    metrics : sequence of ScoredMetric, optional
        Those of the run; by default those that the options ask for.

    Raises
    ------
    OptionError
        A requirement names a metric that is not one of them.
    InputError
        The baseline cannot be used, or was made with options that move a score.
    """
    metrics = run_metrics(options) if metrics is None else metrics
    check_metrics(options, metrics)
    path = options.thresholds.baseline
    return Thresholds(options, None if path is None else read_baseline(path, options, metrics))
