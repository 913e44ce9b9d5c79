"""The report of ROUGE-1.5.5 itself, byte for byte.

Source: specification, section 7.
"""

import re
from collections.abc import Iterator
from functools import cmp_to_key

from rouge_cli.options.options import Options
from rouge_cli.options.scores import MEAN_OVER_EVALS, RAW_COUNTS
from rouge_cli.reports import Screen
from rouge_cli.scores.results import MetricScores, SystemScores
from rouge_cli.studies.score.view import ScoreView

RULE, DOTS = "-" * 45, "." * 45
WHOLE_LIMIT = 1 << 64


def write(view: ScoreView, screen: Screen) -> Iterator[str]:
    """Yield the report, one metric of one system at a time, including newlines.

    Raises ValueError if there was no bootstrap, unless the report has raw counts.
    """
    results, options = view.results, view.results.options
    for system in results.systems.values():
        eval_order = _eval_order(system) if options.reports.per_eval else []
        for metric in system.metrics.values():
            lines = [RULE, *_summary(system, metric, options)]
            if options.reports.per_eval:
                lines += [DOTS, *_eval_lines(system, metric, options, eval_order)]
            yield "\n".join(lines) + "\n"


def _summary(system: SystemScores, metric: MetricScores, options: Options) -> Iterator[str]:
    head = f"{system.id} {metric.name}"
    if options.scores.counting == RAW_COUNTS:
        counts = metric.counted
        model_count, peer_count, hit = (
            # Totals are printed without their fractions.
            _raw(int(total) if (total := system.total(values)) < WHOLE_LIMIT else total)
            for values in (counts.model_count, counts.peer_count, counts.hit)
        )
        yield f"{head} M_count: {model_count} P_count: {peer_count} H_count: {hit}"
        return
    confidence = options.scores.confidence.text
    for letter, measure in metric.measures.items():
        if measure.interval is None:
            # Only a caller of this module can get here: options without a bootstrap are refused.
            raise ValueError("the classic report needs a bootstrap")
        lower, upper = measure.interval
        yield (
            f"{head} Average_{letter}: {measure.bootstrap_mean:7.5f} "
            f"({confidence}%-conf.int. {lower:7.5f} - {upper:7.5f})"
        )


def _eval_lines(
    system: SystemScores, metric: MetricScores, options: Options, eval_order: list[int]
) -> Iterator[str]:
    if options.scores.counting == MEAN_OVER_EVALS:
        columns = [
            [f"{letter}:{score:7.5f}" for score in measure.per_eval.tolist()]
            for letter, measure in metric.measures.items()
        ]
    else:
        counts = metric.counted
        arrays = counts.model_count, counts.peer_count, counts.hit
        columns = [
            [f"{letter}:{_raw(value)}" for value in values.tolist()]
            for letter, values in zip("RPF", arrays, strict=True)
        ]
    for k in eval_order:
        name = f"{system.eval_ids[k]}.{system.id}"
        values = " ".join([column[k] for column in columns])
        yield f"{system.id} {metric.name} Eval {name} {values}"


def _eval_order(system: SystemScores) -> list[int]:
    # Two IDs that both begin with a number are compared by it, and all other pairs as bytes.
    places = system.byte_order.tolist()
    # At most 4,000 digits, since Python refuses to convert more than 4,300.
    matches = {place: re.match(r"[0-9]{1,4000}", system.eval_ids[place]) for place in places}
    numbers = {place: int(match.group()) for place, match in matches.items() if match}
    if len(numbers) == len(places):
        return sorted(places, key=numbers.__getitem__)
    rank = {place: position for position, place in enumerate(places)}

    def compare(left: int, right: int) -> int:
        order = numbers if left in numbers and right in numbers else rank
        return order[left] - order[right]

    return sorted(places, key=cmp_to_key(compare))


def _raw(value: float) -> str:
    # A whole count is printed as an integer, any other as C's "%.15g" prints it.
    if isinstance(value, int) and value < WHOLE_LIMIT:
        return str(value)
    return f"{float(value):.15g}"
