"""The figure of a study of correlations: systems by what a metric and what people say of them."""

from collections.abc import Iterator

from rouge_cli.escapes import escape_unprintable
from rouge_cli.reports.charts.agreement import JudgedSystem, agreement_panel
from rouge_cli.reports.figure import Figure, Spec
from rouge_cli.reports.views.wording import counted, measure_label, number
from rouge_cli.statistics.correlation_records import CorrelationColumn, CorrelationStudy

__all__ = ["agreement_figures"]

DECIMALS = 3
MOST_PANELS = 12
SYSTEM = "system"


def agreement_figures(study: CorrelationStudy) -> Iterator[Figure]:
    """Yield the figure; its panels are the metrics under the last condition, and the judgements.

    The last condition is the one with all models.
    """
    panels = [
        _panel(study, place, row)
        for place in range(len(study.judgements))
        for row in range(len(study.rows))
    ][:MOST_PANELS]
    if not panels:
        return
    n_all = len(study.judgements) * len(study.rows)
    some = f" The first {MOST_PANELS} of {n_all} panels." if n_all > MOST_PANELS else ""
    systems, evals = counted(len(study.systems), "system"), counted(len(study.eval_ids), "EVAL")
    caption = (
        f"{systems}, a point each: the mean score over {evals} (to the right) and the mean "
        f"judgement (upwards).{some}"
    )
    yield Figure("agreement", "Scores and judgements", caption, tuple(panels))


def _panel(study: CorrelationStudy, place: int, row: int) -> Spec:
    """Return the panel of a judgement and a metric."""
    means, column = study.means[-1], study.rows[row]
    label = measure_label(column.metric, column.letter)
    judgement = escape_unprintable(study.judgements[place])
    systems = [
        JudgedSystem(escape_unprintable(name), score, judged)
        for name, score, judged in zip(
            study.systems, means.scores[row], means.judgements[place], strict=True
        )
    ]
    found = [_coefficient(one, row) for one in study.columns if _is_shown(one, study, place)]
    subtitle = ", ".join(found) or counted(len(systems), "system")
    axes = (f"Mean {label}", f"Mean {judgement}")
    return agreement_panel(f"{label} and {judgement}", subtitle, axes, systems)


def _is_shown(column: CorrelationColumn, study: CorrelationStudy, place: int) -> bool:
    """Say whether a correlation is that of the points."""
    last = study.columns[-1].condition
    where = (column.judgement, column.level, column.condition)
    return where == (study.judgements[place], SYSTEM, last)


def _coefficient(column: CorrelationColumn, row: int) -> str:
    """Name a coefficient and its value."""
    value = number(column.correlations[row].value.value, DECIMALS)
    return f"{column.coefficient.capitalize()} {value}"
