"""The columns of a score table: metrics of the texts, external scores, and fused metrics.

`run_metrics` checks before a run that all columns can be computed; `join_scores` adds those that do
not come from texts.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from rouge_cli.errors import InputError, OptionError
from rouge_cli.inputs.evaluation import OutsideScores, first_cells, in_byte_order, nothing_common
from rouge_cli.metrics.counts import FusedMeans, PartKey, ScoredMetric, fused
from rouge_cli.metrics.metric import scored_metrics
from rouge_cli.options.options import Options
from rouge_cli.options.scores import (
    ERROR,
    HISTOGRAM,
    MEAN,
    PER_EVAL,
    SINGLE_MEASURE,
    SKIP,
    Fusion,
    JoinedOptions,
    NamedScore,
    Term,
    named_metric,
)
from rouge_cli.scores.reportable import score_key, sort_key
from rouge_cli.scores.results import MetricColumn, ScoreTable, SystemTable

SystemEvalIds = Mapping[str, Sequence[str]]  # the EVAL IDs of each system, by its ID
F = "F"
PartKeys = tuple[PartKey, ...]

MOST_NAMED = 3  # maximum number of EVALs in a message


def run_metrics(options: Options) -> tuple[ScoredMetric, ...]:
    """Return all metrics of a run that reads texts, in print order.

    Raises OptionError if an option names a metric or measure that the run lacks, fuses incompatible
    metrics, or requests histograms of a fused metric.
    """
    outside = (
        *(field.name for field in options.inputs.column),
        *options.input_facts.external_metrics,
    )
    metrics, _ = _all_metrics(scored_metrics(options.metrics), outside, options.joined)
    if options.scores.bootstrap == HISTOGRAM:
        check_histograms(metrics)
    if options.reports.sort is not None:
        sort_key(options.reports.sort, metrics, options.reports.shown_measures)
    if options.reports.score_only is not None:
        score_key(options.reports.score_only, {item.name: item.measures for item in metrics})
    return metrics


def check_histograms(metrics: Sequence[ScoredMetric]) -> None:
    """Raise OptionError for metrics that combine several scores of a resample."""
    together = (metric.name for metric in metrics if metric.aggregation is not None)
    if (name := next(together, None)) is not None:
        raise OptionError(
            f"--bootstrap histogram draws each score by itself, and {name} is made of several that "
            "have to be drawn together; give --bootstrap exact"
        )


def _all_metrics(
    scored: Sequence[ScoredMetric], outside: Iterable[str], joined: JoinedOptions
) -> tuple[tuple[ScoredMetric, ...], list[tuple[ScoredMetric, Fusion, PartKeys]]]:
    """Return all metrics with their declared scales and directions.

    The metrics from `outside`, by name, follow those of the texts, and fused metrics follow the
    others. They are also returned alone, each with its fusion and the parts of it. Raises
    OptionError as `run_metrics` does.
    """
    metrics = [*scored, *(ScoredMetric(name, (SINGLE_MEASURE,)) for name in outside)]
    # Options name metrics in any case, so names must differ by more than that.
    times = Counter(metric.name.lower() for metric in metrics)
    if twice := [metric.name for metric in metrics if times[metric.name.lower()] > 1]:
        raise OptionError(
            f"two metrics are called {twice[0]!r}; leave one out, or give numbers from elsewhere "
            "another name"
        )
    by_name = {metric.name: metric for metric in metrics}
    for word in joined.lower_is_better:
        name = _single_metric(word, by_name, "--lower-is-better")
        by_name[name] = replace(by_name[name], is_lower_better=True)
    for scale in joined.scale:
        name = _single_metric(scale.metric, by_name, "--scale")
        if by_name[name].scale not in {None, scale.text}:
            raise OptionError(f"--scale: {name} has the scale {by_name[name].scale} already")
        by_name[name] = replace(by_name[name], scale=scale.text)
    fused_metrics = []
    for fusion in joined.fuse:
        metric, parts = _fused_metric(fusion, by_name)
        name = metric.name
        if name.lower() in map(str.lower, by_name):
            raise OptionError(f"--fuse: there is a metric {name!r} already; give another NAME")
        by_name[name] = metric
        fused_metrics.append((metric, fusion, parts))
    return tuple(by_name.values()), fused_metrics


def _single_metric(word: str, metrics: Mapping[str, ScoredMetric], option: str) -> str:
    names = [name for name, metric in metrics.items() if metric.is_single]
    if (name := named_metric(word, names)) is None:
        raise OptionError(
            f"{option}: no metric {word!r} with a single score in this run; there are: "
            f"{', '.join(names) or 'none'}"
        )
    return name


def _fused_metric(
    fusion: Fusion, metrics: Mapping[str, ScoredMetric]
) -> tuple[ScoredMetric, PartKeys]:
    """Return a fused metric, and the metric and measure of each of its terms.

    Raises OptionError if a term is unknown, if scales or directions differ, or if the scale of a
    geometric or harmonic mean does not start at 0.
    """
    parts = tuple(_part_key(term, fusion, metrics) for term in fusion.terms)
    terms = [metrics[name] for name, _ in parts]
    for term in terms:
        if term.aggregation is not None:
            raise OptionError(
                f"--fuse: {str(fusion)!r}: {term.name} is not a mean over texts, and cannot be "
                "fused"
            )
    # A mean of scores on different scales has no meaning of its own.
    if None in (scales := {term.scale for term in terms}) or len(scales) > 1:
        declared = dict.fromkeys(f"{term.name}: {term.scale or 'not declared'}" for term in terms)
        raise OptionError(
            f"--fuse: {str(fusion)!r}: expected metrics of one declared scale, found "
            f"{', '.join(declared)}; --scale NAME=LOW-HIGH declares that of scores from elsewhere"
        )
    # Ratios need a true zero: scores from 1 to 5 would rank otherwise if they ran from 0 to 4.
    if fusion.kind != MEAN and not str(terms[0].scale).startswith("0-"):
        raise OptionError(
            f"--fuse: {str(fusion)!r}: expected a scale that starts at 0 for {fusion.kind}, found "
            f"{terms[0].scale}; give {MEAN} or {PER_EVAL}{MEAN}, or shift the scores"
        )
    if len({term.is_lower_better for term in terms}) > 1:
        lower = ", ".join(term.name for term in terms if term.is_lower_better)
        raise OptionError(
            f"--fuse: {str(fusion)!r}: lower is better for {lower}, and not for the others"
        )
    metric = ScoredMetric(
        fusion.name,
        (SINGLE_MEASURE,),
        terms[0].scale,
        terms[0].is_lower_better,
        None if fusion.is_per_eval else FusedMeans(fusion, parts),
    )
    return metric, parts


def _part_key(term: Term, fusion: Fusion, metrics: Mapping[str, ScoredMetric]) -> PartKey:
    metric = metrics.get(named_metric(term.metric, list(metrics)) or "")
    is_single = metric is not None and metric.is_single
    wanted = NamedScore(None, term.metric, term.measure or (SINGLE_MEASURE if is_single else F))
    measures = {name: metric.measures for name, metric in metrics.items()}
    return score_key(wanted, measures, f"--fuse: {str(fusion)!r}"), wanted.measure


def outside_table(outside: OutsideScores) -> ScoreTable:
    """Return a table of the systems and EVALs of external scores, without metrics.

    They are in the order of the file. Every system has all EVALs; those for which the file has no
    row of the system come last.
    """
    evals: dict[str, dict[str, None]] = {}
    for system, eval_id in outside.values:
        evals.setdefault(system, {})[eval_id] = None
    every = dict.fromkeys(eval_id for ids in evals.values() for eval_id in ids)
    systems = {name: SystemTable(name, tuple(ids | every), {}) for name, ids in evals.items()}
    return ScoreTable(systems, ())


def join_scores(
    table: ScoreTable, outside: Sequence[OutsideScores], options: JoinedOptions
) -> tuple[ScoreTable, list[str]]:
    """Add external scores and fused metrics to a table; also return warnings about omissions.

    Raises OptionError if a metric is unknown or duplicate, or cannot be fused; and InputError that
    names all systems and EVALs missing on one side, or the scores outside their scale.
    """
    if not (outside or options.given()):
        return table, []
    warnings = [warning for scores in outside for warning in scores.warnings]
    cells = {system.id: system.eval_ids for system in table.systems.values()}
    kept, left_out = matched_cells(cells, outside, options.unmatched)
    if left_out:
        systems = {name: table.systems[name].only(eval_ids) for name, eval_ids in kept.items()}
        table = replace(table, systems=systems)
    names = [metric for scores in outside for metric in scores.metrics]
    metrics, fused_metrics = _all_metrics(table.metrics, names, options)
    _check_scales(outside, {metric.name: metric.scale for metric in metrics}, options)
    joined = _with_outside(table, outside, metrics)
    for metric, fusion, parts in fused_metrics:
        joined = _with_fusion(joined, metric, fusion, parts)
    return joined, warnings + left_out


def _with_outside(
    table: ScoreTable, outside: Sequence[OutsideScores], metrics: Sequence[ScoredMetric]
) -> ScoreTable:
    by_name = {metric.name: metric for metric in metrics}
    systems = {}
    for system in table.systems.values():
        columns = {
            name: replace(column, metric=by_name[name]) for name, column in system.columns.items()
        }
        for scores in outside:
            nothing = (np.nan,) * len(scores.metrics)
            rows = [scores.values.get((system.id, x), nothing) for x in system.eval_ids]
            values = np.array(rows, np.float64).reshape(len(rows), len(scores.metrics))
            for name, column in zip(scores.metrics, values.T, strict=True):
                columns[name] = MetricColumn(by_name[name], column[np.newaxis].copy(), None)
        systems[system.id] = replace(system, columns=columns)
    return replace(table, systems=systems, metrics=tuple(metrics))


def _with_fusion(
    table: ScoreTable, metric: ScoredMetric, fusion: Fusion, keys: PartKeys
) -> ScoreTable:
    systems = {}
    for system in table.systems.values():
        parts = np.array([system.columns[name].row(key) for name, key in keys])
        if fusion.kind != MEAN and (parts < 0).any():
            term, row = np.argwhere(parts < 0)[0]
            raise InputError(
                f"--fuse: {str(fusion)!r}: {keys[term][0]} of system {system.id!r} in text "
                f"{system.eval_ids[row]!r} is {parts[term, row]:g}; expected no score below 0 "
                f"for {fusion.kind}"
            )
        column = MetricColumn(metric, fused(fusion, parts)[np.newaxis], None)
        systems[system.id] = replace(system, columns={**system.columns, metric.name: column})
    return replace(table, systems=systems)


def _check_scales(
    outside: Sequence[OutsideScores], scales: Mapping[str, str | None], options: JoinedOptions
) -> None:
    declared = {scale.text: scale for scale in options.scale}
    problems = [
        f"{scores.name}: {metric} of system {system!r} in text {eval_id!r} is {value:g}, expected "
        f"{scale.text} as --scale says"
        for scores in outside
        for column, metric in enumerate(scores.metrics)
        if (scale := declared.get(scales[metric] or "")) is not None
        for (system, eval_id), values in scores.values.items()
        if (value := values[column]) < scale.low or value > scale.high
    ]
    if problems:
        raise InputError(first_cells(problems))


def matched_cells(
    cells: SystemEvalIds, outside: Sequence[OutsideScores], unmatched: str
) -> tuple[SystemEvalIds, list[str]]:
    """Return the systems and EVALs that have all scores, and messages about those left out.

    `cells` are the EVALs of the run by system; `unmatched` is ``"error"``, ``"skip"`` or
    ``"skip-cells"``. Raises InputError that lists what is missing, unless that is skipped, or if
    nothing is left.
    """
    kept: dict[str, list[str]] = {system: list(ids) for system, ids in cells.items()}
    problems: list[str] = []
    for scores in outside:
        missing = list(_unmatched(cells, scores))
        problems += missing
        if missing and unmatched != ERROR:
            kept = _complete(kept, scores, unmatched)
    if problems and unmatched == ERROR:
        advice = "give what is missing, or leave it out with --unmatched skip or skip-cells"
        raise InputError([*first_cells(problems), advice])
    if problems and not any(kept.values()):
        raise InputError("nothing is left to report: no system and text has all its scores")
    return kept, [f"{problem}; left out" for problem in first_cells(problems)]


def _complete(cells: SystemEvalIds, outside: OutsideScores, unmatched: str) -> dict[str, list[str]]:
    """Drop systems without scores and, unless gaps are kept, EVALs or cells that lack a score."""
    known = {system for system, _ in outside.values}
    kept = {system: list(ids) for system, ids in cells.items() if system in known}
    if outside.keeps_gaps:
        return kept
    complete = {cell for cell, numbers in outside.values.items() if not any(map(np.isnan, numbers))}
    lacking = {
        (system, eval_id)
        for system, eval_ids in kept.items()
        for eval_id in eval_ids
        if (system, eval_id) not in complete
    }
    without = {eval_id for _, eval_id in lacking} if unmatched == SKIP else set()
    for system, eval_ids in kept.items():
        kept[system] = [x for x in eval_ids if x not in without and (system, x) not in lacking]
    return {system: eval_ids for system, eval_ids in kept.items() if eval_ids}


def _unmatched(cells: SystemEvalIds, outside: OutsideScores) -> Iterator[str]:
    name = outside.name
    known: dict[str, set[str]] = {}
    for system, eval_id in outside.values:
        known.setdefault(system, set()).add(eval_id)
    common = [system for system in cells if system in known]
    # If nothing matches at all, one message says so, instead of one for each system and EVAL.
    if not common:
        problem = "no system is in both: the input has {one}, the scores have {other}"
        raise InputError(nothing_common(problem, cells, known, name))
    evals = frozenset(eval_id for system in common for eval_id in cells[system])
    others = frozenset(eval_id for system in common for eval_id in known[system])
    if evals.isdisjoint(others):
        problem = "no text is in both: the input has {one}, the scores have {other}"
        raise InputError(nothing_common(problem, evals, others, name))
    yield from (f"{name}: no scores of system {x!r}" for x in cells if x not in known)
    if not outside.is_of_the_texts:
        extra = in_byte_order(known.keys() - cells.keys())
        yield from (f"{name}: system {system!r} is not in the input" for system in extra)
    for system in common:
        lacking = [eval_id for eval_id in cells[system] if eval_id not in known[system]]
        if lacking:
            yield f"{name}: no scores of system {system!r} in {_evals(lacking)}"
        for eval_id in cells[system]:
            numbers = outside.values.get((system, eval_id), ())
            for metric, number in zip(outside.metrics, numbers, strict=False):
                if np.isnan(number):
                    where = f"of system {system!r} in text {eval_id!r}"
                    yield f"{name}: {metric} {where} is missing"
        extra = in_byte_order(known[system].difference(cells[system]))
        if extra and not outside.is_of_the_texts:
            are = "is" if len(extra) == 1 else "are"
            yield f"{name}: {_evals(extra)} of system {system!r} {are} not in the input"


def _evals(eval_ids: Sequence[str]) -> str:
    names = ", ".join(map(repr, eval_ids[:MOST_NAMED]))
    if len(eval_ids) == 1:
        return f"text {names}"
    more = f" and {len(eval_ids) - MOST_NAMED} more" if len(eval_ids) > MOST_NAMED else ""
    return f"{len(eval_ids)} texts ({names}{more})"
