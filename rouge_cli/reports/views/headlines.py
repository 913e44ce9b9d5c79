"""What was found, in sentences: who is best, and whether that can be said."""

from collections.abc import Iterator, Sequence

from rouge_cli.escapes import escape_unprintable
from rouge_cli.options.requirements import SINGLE_MEASURE
from rouge_cli.reports.views.wording import counted, measure_label, number, p_value
from rouge_cli.scoring.averages import average
from rouge_cli.scoring.results import Results
from rouge_cli.statistics.comparison_records import Comparison, PairResult, Ranking
from rouge_cli.statistics.correlation_records import CorrelationStudy
from rouge_cli.statistics.planning_records import StudyPlan
from rouge_cli.statistics.score_columns import Column

__all__ = [
    "comparison_headline",
    "correlation_headline",
    "listed",
    "plan_headline",
    "score_headline",
]

DECIMALS = 4
CORRELATION_DECIMALS = 3
MOST_NAMES = 4
NO_BREAK = "\N{NO-BREAK SPACE}"


def listed(names: Sequence[str], most: int = MOST_NAMES) -> str:
    """Return names as a sentence has them; of many, how many more there are."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def score_headline(
    results: Results, column: Column, columns: Sequence[Column], uncompared: str
) -> Iterator[str]:
    """Yield sentences on scores that are not compared.

    Parameters
    ----------
    column : Column
        What the systems are sorted by.
    columns : sequence of Column
        What is shown.
    uncompared : str
        Why there is no comparison; empty if there is one system.
    """
    factors = {one: _factor(one, percent=results.options.reports.percent) for one in columns}
    if len(results.systems) == 1:
        (system,) = results.systems.values()
        scores = []
        for one, factor in factors.items():
            measure = system.metrics[one.metric].measures[one.letter]
            shown = number(average(measure) * factor, DECIMALS)
            scores.append(f"{shown} in {_label(one)}{_interval(measure.interval, factor)}")
        sizes = counted(len(system.eval_ids), "EVAL")
        name = escape_unprintable(system.id)
        yield f"{name} scores {listed(scores, len(scores))}, over {sizes}."
        yield "There is one system, so nothing to compare it with."
        return
    best = max(
        results.systems.values(),
        key=lambda one: average(one.metrics[column.metric].measures[column.letter]),
    )
    score = average(best.metrics[column.metric].measures[column.letter])
    shown = number(score * factors.get(column, 1), DECIMALS)
    yield f"{escape_unprintable(best.id)} has the highest {_label(column)}, {shown}."
    yield f"Whether that is more than chance was not tested: {uncompared}"


def comparison_headline(comparison: Comparison, results: Results, column: Column) -> Iterator[str]:
    """Yield sentences on who is best, in the column of interest first.

    Parameters
    ----------
    results : Results
        Whose scores the page shows.
    """
    rankings = {ranking.column: ranking for ranking in comparison.rankings}
    first = rankings.pop(column, None) or rankings.pop(next(iter(rankings)))
    yield _verdict(first, results)
    verdict = _told(first)
    same = [_label(one.column) for one in rankings.values() if _told(one) == verdict]
    if same:
        yield f"The same holds in {listed(same, len(same))}."
    for ranking in rankings.values():
        if _told(ranking) != verdict:
            yield _verdict(ranking, results)
    level = f"{float(comparison.plan.level):g}"
    yield (
        f"(Approximate randomisation, two-sided; significant if p is at most {level} after Holm's "
        f"correction over all {counted(len(comparison.pairs), 'comparison')}.)"
    )


def correlation_headline(study: CorrelationStudy) -> Iterator[str]:
    """Yield for each judgement which metric agrees with it best, in the first column of it."""
    for judgement in study.judgements:
        column = next(one for one in study.columns if one.judgement == judgement)
        best = [k for k, one in enumerate(column.correlations) if one.is_best]
        tied = [k for k, one in enumerate(column.correlations) if one.is_tied]
        name = escape_unprintable(judgement)
        if not best:
            yield f"No metric has a correlation with {name}."
            continue
        value = number(column.correlations[best[0]].value.value, CORRELATION_DECIMALS)
        labels = [_label(row) for row in study.rows]
        sentence = (
            f"{listed([labels[k] for k in best])} agree{'s' * (len(best) == 1)} best with {name}: "
            f"{column.coefficient.capitalize()} {value} at the {column.level} level"
        )
        if tied:
            yield f"{sentence}, but cannot be told apart from {listed([labels[k] for k in tied])}."
        elif study.plan.resamples and len(best) < len(labels):
            yield f"{sentence}, significantly better than every other metric."
        else:
            yield f"{sentence}."


def plan_headline(plan: StudyPlan) -> str:
    """Say how many EVALs the first metric needs, or which difference the pilot can show."""
    first, question = plan.columns[0], plan.question
    label, power = _label(first.column), f"{question.power:.0%}"
    unit = "cluster" if plan.is_clustered else "EVAL"
    if question.difference is not None or question.is_equivalence:
        what = (
            f"a difference of {float(question.difference):g}"
            if question.difference is not None
            else f"that systems are the same within {float(question.margin or 0):g}"
        )
        if first.n_needed is None:
            return f"To show {what} in {label} takes more {unit}s than a plan is made for."
        needed = counted(first.n_needed, unit)
        return f"To show {what} in {label} in {power} of all studies takes {needed}."
    if first.detectable is None:
        return f"{counted(plan.n_blocks, unit)} can show no difference in {label}."
    smallest = number(first.detectable, DECIMALS)
    return (
        f"With {counted(plan.n_blocks, unit)}, as in the pilot, {power} of all studies find a "
        f"difference of {smallest} in {label}."
    )


def _verdict(ranking: Ranking, results: Results) -> str:
    """Say who is best in a column, and from whom the best cannot be told apart."""
    label, (best, tied) = _label(ranking.column), _told(ranking)
    factor = _factor(ranking.column, percent=results.options.reports.percent)
    name = escape_unprintable(best)
    measures = results.systems[best].metrics[ranking.column.metric].measures
    score = number(average(measures[ranking.column.letter]) * factor, DECIMALS)
    others = len(ranking.systems) - 1
    if not tied:
        rest = "the other system" if others == 1 else f"each of the other {others} systems"
        return f"{name} is best in {label} ({score}), significantly better than {rest}."
    names = listed([escape_unprintable(one) for one in tied])
    closest = _pair(ranking, best, tied[0])
    sign = 1 if closest.system_a == best else -1
    lower, upper = sorted(sign * bound * factor for bound in closest.interval)
    difference = (
        f"{number(sign * closest.difference * factor, DECIMALS)} "
        f"[{number(lower, DECIMALS)}, {number(upper, DECIMALS)}], "
        f"p{NO_BREAK}{_equals(closest.randomisation.p_holm)}"
    )
    whom = "" if len(tied) == 1 else f" from {escape_unprintable(tied[0])}"
    return (
        f"{name} has the highest {label} ({score}), but cannot be told apart from {names}: "
        f"the difference{whom} is {difference}."
    )


def _equals(p: float) -> str:
    """Write a p-value behind its name."""
    text = p_value(p)
    return (f"< {text[1:]}" if text.startswith("<") else f"= {text}").replace(" ", NO_BREAK)


def _told(ranking: Ranking) -> tuple[str, tuple[str, ...]]:
    """Return the best system, and those that it cannot be told apart from, in order."""
    best = ranking.systems[0].id
    tied = [one.id for one in ranking.systems[1:] if _pair(ranking, best, one.id).better is None]
    return best, tuple(tied)


def _pair(ranking: Ranking, first: str, second: str) -> PairResult:
    """Return the result of two systems."""
    wanted = {first, second}
    return next(one for one in ranking.pairs if {one.system_a, one.system_b} == wanted)


def _interval(interval: tuple[float, float] | None, factor: int) -> str:
    """Write an interval in brackets, if there is one."""
    if interval is None:
        return ""
    lower, upper = (number(bound * factor, DECIMALS) for bound in interval)
    return f" [{lower}, {upper}]"


def _factor(column: Column, *, percent: bool) -> int:
    """Return by what scores are multiplied."""
    return 100 if percent and column.letter != SINGLE_MEASURE else 1


def _label(column: Column) -> str:
    """Name a column."""
    return measure_label(column.metric, column.letter)
