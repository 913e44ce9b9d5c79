"""Compare a run with an earlier one: which scores have dropped."""

from collections.abc import Collection, Sequence
from decimal import Decimal

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped
from rouge_cli.options.reports import ThresholdOptions
from rouge_cli.scoring.results import Results, SystemScores
from rouge_cli.thresholds.baseline_file import Baseline, BaselineSystem
from rouge_cli.thresholds.requirements import printed_average, score_name

__all__ = ["SystemPair", "baseline_warnings", "drops", "paired_systems"]

SystemPair = tuple[SystemScores, BaselineSystem]
"""A system of this run, and the one of the baseline to compare it with."""


def paired_systems(baseline: Baseline, results: Results) -> list[SystemPair]:
    """Find the systems of the baseline in a run, by their IDs.

    Where both have but one system these are compared, whatever their IDs.

    Raises
    ------
    InputError
        Naming each system of the baseline that the run does not have.
    """
    if len(baseline.systems) == len(results.systems) == 1:
        return list(zip(results.systems.values(), baseline.systems, strict=True))
    systems = ", ".join(map(escaped, results.systems))
    problems = [
        f"{baseline.name}: system {earlier.id!r} is not in this run, whose systems are: {systems}; "
        "score it too, or make a new baseline"
        for earlier in baseline.systems
        if earlier.id not in results.systems
    ]
    if problems:
        raise InputError(problems)
    return [(results.systems[earlier.id], earlier) for earlier in baseline.systems]


def drops(
    pairs: Sequence[SystemPair], options: ThresholdOptions, lower: Collection[str] = ()
) -> tuple[str, ...]:
    """Return a line for each score that is further below the baseline than ``max_drop`` allows.

    Parameters
    ----------
    lower : collection of str
        Metrics of which lower is better: their scores must not be above it.

    Returns
    -------
    tuple of str
        ``neural ROUGE-2 F: 0.43000, 0.01120 below the baseline 0.44120 (at most 0.005 allowed)``.
    """
    allowed = options.max_drop.text if options.max_drop is not None else "0"
    lines = []
    for system, earlier in pairs:
        for (metric, letter), before in earlier.averages.items():
            now = printed_average(system[metric], letter)
            worse, where = (now - before, "above") if metric in lower else (before - now, "below")
            if worse > Decimal(allowed):
                lines.append(
                    f"{score_name(system.id, metric, letter)}: {now}, {worse} {where} the "
                    f"baseline {before} (at most {allowed} allowed)"
                )
    return tuple(lines)


def baseline_warnings(
    pairs: Sequence[SystemPair], baseline: Baseline, results: Results
) -> tuple[str, ...]:
    """Return what is not compared, or not like with like."""
    compared = {system.id for system, _ in pairs}
    new = [
        f"{baseline.name}: no system {system!r} in this baseline; it is not compared"
        for system in results.systems
        if system not in compared
    ]
    uneven = [
        f"{baseline.name}: {earlier.n_evals} EVALs of {escaped(system.id)} in this baseline, "
        f"{len(system.eval_ids)} in this run"
        for system, earlier in pairs
        if len(system.eval_ids) != earlier.n_evals
    ]
    return (*new, *uneven)
