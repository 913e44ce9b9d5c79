"""Saved scores, reported again: averages and bootstrap are made anew, and no text is read.

What averages are made of may change (``-c``, ``-r``, ``-t``, ``-p``); what would need other counts
is refused.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rouge_cli.errors import OptionError
from rouge_cli.inputs.outside_scores import OutsideScores
from rouge_cli.metrics.counts import RPF
from rouge_cli.metrics.ratios import f_measure, rounded
from rouge_cli.options.declaration import Number
from rouge_cli.options.every import OPTIONS, Options
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.scores import BEST_F
from rouge_cli.options.texts import TextOptions
from rouge_cli.scoring.context import RunContext
from rouge_cli.scoring.joining import join_scores
from rouge_cli.scoring.loaded_scores import LoadedScores
from rouge_cli.scoring.results import Results
from rouge_cli.scoring.score_table import MetricColumn, ScoreTable
from rouge_cli.scoring.summaries import summarise

__all__ = ["report_again"]

FIXED = (
    *MetricOptions.options(),
    *(name for name in TextOptions.options() if name != "data_dir"),
    *("formula", "jackknife", "humans"),
)
"""Options that say how each EVAL is scored."""

AVERAGING = ("alpha", "counting", "confidence", "resamples", "bootstrap")


def report_again(
    loaded: LoadedScores,
    system_id: str | None,
    asked: Options,
    context: RunContext,
    outside: Sequence[OutsideScores] = (),
) -> Results:
    """Make results of saved scores.

    Parameters
    ----------
    system_id : str or None
        The only system to report.
    asked : Options
        What is given explicitly counts; the rest is as it was when the scores were saved.
    outside : sequence of OutsideScores
        What joins them.

    Raises
    ------
    OptionError
        An option that would need other counts or texts, it says what was saved; or a system that
        is not among the saved ones.
    """
    options = _options(loaded.options, asked)
    table = _chosen(loaded.table, system_id, is_alone=not asked.inputs.all)
    if options.scores.alpha.value != loaded.options.scores.alpha.value:
        table = _with_alpha(table, options, loaded.options.scores.alpha)
    if system_id is not None and len(table.systems) == 1:
        outside = [one.of_system(system_id) for one in outside]
    table, found = join_scores(table, outside, options.beside)
    systems = summarise(table, options, options.run.jobs or context.max_jobs)
    return Results(systems, table, options, (*loaded.warnings, *found))


def _options(saved: Options, asked: Options) -> Options:
    """Return the options of the saved scores with what may change as asked for."""
    for_texts = [name for name in InputOptions.options() if name in asked.explicit]
    if "cluster" in for_texts and asked.inputs.cluster != saved.inputs.cluster:
        raise OptionError(
            f"--cluster: found {_written(asked.inputs.cluster)}, but the scores were saved with "
            f"{_written(saved.inputs.cluster)}; score the texts again to change it"
        )
    for name in for_texts:
        if name not in {"all", "cluster"}:
            raise OptionError(
                f"{OPTIONS[name].spelling} is about texts, and the input holds saved scores"
            )
    known, wanted = saved.values(), asked.values()
    for name in FIXED:
        if name in asked.explicit and wanted[name] != known[name]:
            raise OptionError(
                f"{OPTIONS[name].spelling}: found {_written(wanted[name])}, but the scores were "
                f"saved with {_written(known[name])}; score the texts again to change it"
            )
    changes = {name: wanted[name] for name in AVERAGING if name in asked.explicit}
    averaged = saved.changed(**changes)
    options = replace(
        averaged,
        beside=asked.beside,
        reports=asked.reports,
        pages=asked.pages,
        thresholds=asked.thresholds,
        run=asked.run,
        explicit=asked.explicit,
    )
    options = options.knowing(given_metrics=asked.input_facts.given_metrics)
    options.check()
    return options


def _written(value: object) -> str:
    """Write the value of an option as it is typed; that of a switch in a word."""
    if value is None or isinstance(value, bool):
        return "nothing" if value is None else "'on'" if value else "'off'"
    return repr(value.text if isinstance(value, Number) else str(value))


def _chosen(table: ScoreTable, system_id: str | None, *, is_alone: bool) -> ScoreTable:
    """Return all systems, or the one that is asked for; raises OptionError."""
    if system_id is None:
        return table
    if system_id not in table.systems:
        raise OptionError(
            f"no system {system_id!r} among the saved scores; known are: {', '.join(table.systems)}"
        )
    systems = {system_id: table.systems[system_id]} if is_alone else table.systems
    return replace(table, systems=systems)


def _with_alpha(table: ScoreTable, options: Options, saved: Number) -> ScoreTable:
    """Return the table with F made anew from recall and precision; raises OptionError."""
    if options.scores.jackknife or options.scores.formula == BEST_F:
        reason = "jackknifing averages F" if options.scores.jackknife else "F chose the models"
        raise OptionError(
            f"-p/--alpha: the scores were saved with {_written(saved)}, and "
            f"{reason} of each EVAL; score the texts again to change it"
        )
    alpha = options.scores.alpha.value
    systems = {
        system.id: replace(
            system,
            columns={name: _column(column, alpha) for name, column in system.columns.items()},
        )
        for system in table.systems.values()
    }
    return replace(table, systems=systems)


def _column(column: MetricColumn, alpha: float) -> MetricColumn:
    """Return the scores of a metric with F for another weight of precision."""
    if column.metric.measures != RPF or column.counts is None:
        return column
    recall, precision, _ = column.values
    f = rounded(f_measure(recall, precision, alpha))
    return replace(column, values=np.stack((recall, precision, f)))
