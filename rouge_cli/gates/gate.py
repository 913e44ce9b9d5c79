"""Hold the scores of a run against what is required of them."""

from dataclasses import dataclass

from rouge_cli.gates.baseline import baseline_warnings, drops, paired_systems
from rouge_cli.gates.baseline_file import Baseline, read_baseline
from rouge_cli.gates.requirements import check_metrics, unmet_requirements
from rouge_cli.options.every import Options
from rouge_cli.scoring.results import Results

__all__ = ["Gate", "Verdict", "read_gate"]


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
class Gate:
    """What the scores of a run have to meet; see `read_gate`.

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
            Of a run with the options of this gate.

        Returns
        -------
        Verdict

        Raises
        ------
        OptionError
            A requirement names a system that the run does not have.
        InputError
            The baseline has a system that the run does not have.
        """
        failures = unmet_requirements(self.options.thresholds.require, results)
        if self.baseline is None:
            return Verdict(failures)
        pairs = paired_systems(self.baseline, results)
        return Verdict(
            (*failures, *drops(pairs, self.options)),
            baseline_warnings(pairs, self.baseline, results),
        )


def read_gate(options: Options) -> Gate:
    """Check what is required, and read the baseline, before anything is scored.

    Raises
    ------
    OptionError
        A requirement names a metric that these options do not compute.
    InputError
        The baseline cannot be used, or was made with options that move a score.
    """
    check_metrics(options)
    baseline = (
        None
        if options.thresholds.baseline is None
        else read_baseline(options.thresholds.baseline, options)
    )
    return Gate(options, baseline)
