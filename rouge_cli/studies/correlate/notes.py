"""Notes, headline and names of rows for a study of correlations."""

from collections.abc import Iterator, Mapping, Sequence
from math import isnan

from rouge_cli.escapes import escape_unprintable
from rouge_cli.options.scores import SINGLE_MEASURE
from rouge_cli.reports.document import BEST, TIED, Mark, Note
from rouge_cli.reports.wording import (
    UNDEFINED,
    coefficient_name,
    column_label,
    counted,
    listed,
    number,
)
from rouge_cli.studies.correlate.accuracies import DRAWS
from rouge_cli.studies.correlate.coefficients import FEWEST_SYSTEMS
from rouge_cli.studies.correlate.judged_cells import CORRECTED, Condition
from rouge_cli.studies.correlate.result import DECIMALS, CorrelationColumn, CorrelationStudy
from rouge_cli.studies.score_columns import ScoreColumn

CONDITION_HEADS: Mapping[str | None, str] = {
    "as-is": "CASE",
    "stem": "STEM",
    "stop": "STOP",
    "stem+stop": "BOTH",
}
MODEL_SET_HEADS = {"one": "1 reference", "all": "all references"}
RESAMPLED_NAMES = {"evals": "texts", "systems": "systems", "both": "systems and texts"}

CONDITION_NOTES = {
    "as-is": "CASE: texts as they are.",
    "stem": "STEM: stemmed.",
    "stop": "STOP: without stopwords.",
    "stem+stop": "BOTH: stemmed, without stopwords.",
    "one": "1 reference: only the first one of each text.",
}


def has_williams(column: CorrelationColumn) -> bool:
    """Return whether Williams' test applies: to Pearson's coefficient of system means."""
    return (column.level, column.coefficient) == ("system", "pearson")


def condition_name(study: CorrelationStudy, condition: Condition) -> str:
    """Return the name of a condition after a comma; empty if conditions are not compared."""
    if not study.is_by_condition:
        return ""
    return f", {CONDITION_HEADS[condition.texts]}, {MODEL_SET_HEADS[condition.model_set]}"


def shown_measures(study: CorrelationStudy) -> list[str]:
    """Return the measures that rows have to name: all but single scores."""
    letters = dict.fromkeys(row.letter for row in study.rows)
    return [letter for letter in letters if letter != SINGLE_MEASURE]


def row_label(study: CorrelationStudy, row: ScoreColumn) -> str:
    """Name a row, with its measure if there are several."""
    return column_label(row) if len(shown_measures(study)) > 1 else row.metric


def correlation_notes(study: CorrelationStudy) -> tuple[Note, ...]:
    """Return the notes, each a paragraph."""
    marks = Note(tuple(_marks(study)))
    texts = (*_limits(study), *_explanations(study), *_accuracies(study), *_dropped(study))
    return (*map(Note.of, _basis(study)), marks, *map(Note.of, texts))


def _basis(study: CorrelationStudy) -> Iterator[str]:
    plan, intervals = study.plan, ""
    if plan.resamples and not study.is_by_condition:
        judges = ", with judges drawn too" if plan.is_resampled_by_judge else ""
        intervals = (
            f" With {plan.scores.confidence.text}% intervals: bootstrap over "
            f"{RESAMPLED_NAMES[plan.resampled]}{judges}, percentiles of {plan.resamples} "
            f"resamples, seed {plan.seed}."
        )
    evals = counted(len(study.eval_ids), "text")
    yield f"{len(study.systems)} systems, {evals}.{intervals}"
    for agreement in study.agreements:
        judges = counted(agreement.most, "judge")
        judges = judges if agreement.fewest == agreement.most else f"{agreement.fewest} to {judges}"
        bounds = ", ".join(number(bound, DECIMALS) for bound in agreement.interval or ())
        yield " ".join(
            (
                f"{escape_unprintable(agreement.judgement)}: means of {judges}; Krippendorff's "
                f"alpha {number(agreement.alpha, DECIMALS)}{bounds and f' [{bounds}]'} (interval "
                "data).",
                *_consistency(study, agreement.judgement),
            )
        )
    if not study.is_per_eval:
        yield "One judgement per system: there is no summary level, and nothing to pool."


def _consistency(study: CorrelationStudy, judgement: str) -> Iterator[str]:
    columns = [x for x in study.columns if x.judgement == judgement and x.coefficient in CORRECTED]
    by_level = {column.level: column.agreement for column in columns if column.agreement}
    # One sentence about what is corrected, and one for each reason why something is not.
    known = {
        level: f"{number(agreement.consistency, DECIMALS)} at the {level} level"
        for level, agreement in by_level.items()
        if not isnan(agreement.consistency)
    }
    if known:
        judges = by_level[next(iter(known))].judges
        yield (
            f"Consistency of the means, ICC(C,{judges}): {', '.join(known.values())}. A corrected "
            "correlation is divided by its root."
        )
    if partial := [level for level, agreement in by_level.items() if not agreement.is_complete]:
        yield (
            f"Nothing is corrected at the {_levels(partial)}: not all judges rated everything that "
            "is compared there."
        )
    if unreliable := [level for level in by_level if level not in {*known, *partial}]:
        yield (
            f"Nothing is corrected at the {_levels(unreliable)}: the judges are too unreliable, as "
            "their consistency is not above 0."
        )
    rows = [row for column in columns for row in column.correlations if not isnan(row.value)]
    is_above_1 = any(row.corrected is not None and isnan(row.corrected) for row in rows)
    if is_above_1 and not study.is_by_condition:
        yield (
            f"{UNDEFINED}: the corrected correlation would be above 1; the judgements are too few "
            "or too unreliable to correct it."
        )


def _levels(names: Sequence[str]) -> str:
    return f"{listed(names)} level{'s' * (len(names) > 1)}"


def _marks(study: CorrelationStudy) -> Iterator[tuple[Mark, str]]:
    plan = study.plan
    yield BEST, "the best of its column."
    if plan.resamples:
        yield (
            TIED,
            "cannot be told apart from the best (one permutation test of all metrics, "
            f"{_exchanged(study)}, p > {plan.significance:.4g}; all choices of few systems, else "
            f"{plan.resamples} resamples, seed {plan.seed}).{_too_few_systems(study)}",
        )
    else:
        yield "", "No intervals and no permutation tests: -r 0."


def _limits(study: CorrelationStudy) -> Iterator[str]:
    """Warn of tests that call an equally good metric worse in more than 5% of studies.

    The shares come from the simulations `other-levels` and `columns`.
    """
    if not study.plan.resamples or len(study.rows) == 1:
        return
    # Only an exchange of whole systems stays valid if metrics favour some systems.
    safe = {"system"} if study.plan.exchanged == "systems" else set()
    levels = dict.fromkeys(column.level for column in study.columns)
    if exchanged := [level for level in levels if level not in safe]:
        yield (
            f"Caution: at the {_levels(exchanged)} the tests are valid only if no metric favours "
            "some systems. If metrics do, as is usual, an equally good one was called worse in up "
            "to 25% of simulated studies of 2 metrics and 58% of those of 6, not in 5%: marks and "
            "p there are about these systems alone."
        )
    if len(study.columns) > 1:
        yield (
            f"The {len(study.columns)} columns are tested one by one, without a correction: of 18 "
            "columns, 33 to 48% of simulated reports called an equally good metric worse in one or "
            "more. Choose one column beforehand, with --level and --coefficient."
        )


def _explanations(study: CorrelationStudy) -> Iterator[str]:
    if study.is_by_condition:
        used = {name for x in study.conditions for name in (x.texts, x.model_set)}
        yield " ".join(text for name, text in CONDITION_NOTES.items() if name in used)
    if lower := dict.fromkeys(row.metric for row in study.rows if row.is_lower_better):
        yield (
            f"Lower is better: {', '.join(lower)}. Their scores are negated, so that agreement is "
            "above 0."
        )
    made = [row.metric for row in study.rows if not row.is_mean_of_evals]
    if made and {column.level for column in study.columns} != {"system"}:
        yield (
            f"{', '.join(made)}: fused from the means of systems at the system level, and from the "
            "scores of each text at the others."
        )
    if any(column.tests for column in study.columns):
        williams = ""
        if any(map(has_williams, study.columns)):
            williams = " t: Williams' test, with its two-sided p, for Pearson at the system level."
            if len(study.systems) < FEWEST_SYSTEMS:
                williams = f" Williams' test needs {FEWEST_SYSTEMS} systems."
        yield (
            "diff.: correlation of the first metric minus that of the second, with the two-sided p "
            f"of the paired permutation test.{williams} Holm: p corrected over all pairs of the "
            "column."
        )


def _accuracies(study: CorrelationStudy) -> Iterator[str]:
    names = {column.coefficient for column in study.columns}
    if "pa" in names:
        yield (
            "PA: the share of pairs of systems that metric and judgements put in the same order, "
            "or both tie."
        )
    for column in study.columns:
        if column.coefficient != "acc-eq":
            continue
        ties = [
            f"{row_label(study, row)} {tied.threshold:.5g}"
            for row, correlation in zip(study.rows, column.correlations, strict=True)
            if (tied := correlation.calibration) and not isnan(tied.threshold)
        ]
        judgement = escape_unprintable(column.judgement) if len(study.judgements) > 1 else ""
        condition = condition_name(study, column.condition).removeprefix(", ")
        where = ", ".join(filter(None, (judgement, condition)))
        yield (
            "acc-eq: the same of the pairs in each text, and the mean over texts. Scores are tied "
            f"if they differ by no more than what makes it highest here{where and f' ({where})'}: "
            f"{', '.join(ties) or UNDEFINED}."
        )
    if "spa" in names:
        soft = [
            correlation.is_exact
            for column in study.columns
            if column.coefficient == "spa"
            for correlation in column.correlations
            if not isnan(correlation.value)
        ]
        how = "all signs" if all(soft) else f"{DRAWS} random signs, seed {study.plan.seed}"
        yield (
            "SPA: 1 minus the mean difference of the p-values that judgements and metric give each "
            f"pair of systems (one-sided, that the first is better; paired over texts, {how})."
        )


def _too_few_systems(study: CorrelationStudy) -> str:
    marked = [
        column
        for column in study.columns
        if column.has_too_few_systems and any(row.is_tied for row in column.correlations)
    ]
    if not marked:
        return ""
    where = dict.fromkeys(
        f"{escape_unprintable(column.judgement)}, {coefficient_name(column.coefficient)}"
        f"{condition_name(study, column.condition)}"
        for column in marked
    )
    return (
        f" Too few systems to tell at the system level ({'; '.join(where)}): not even a metric "
        "without any correlation would be told apart from the best."
    )


def _exchanged(study: CorrelationStudy) -> str:
    has_systems = any(column.level == "system" for column in study.columns)
    coefficients = {column.coefficient for column in study.columns if column.level != "system"}
    is_whole = study.plan.exchanged == "systems"
    exchanged = ["systems"] if has_systems and is_whole else []
    if coefficients - {"acc-eq"} or (has_systems and not is_whole):
        exchanged.append("cells")
    if "acc-eq" in coefficients:
        exchanged.append("texts")
    return f"{exchanged[0]} exchanged{''.join(f', or {name}' for name in exchanged[1:])}"


def _dropped(study: CorrelationStudy) -> Iterator[str]:
    rows = [row for column in study.columns for row in column.correlations]
    defined = [row for row in rows if not isnan(row.value)]
    n_evals = max((row.n_dropped_evals for row in defined), default=0)
    if n_evals:
        yield (
            f"Summary level: up to {counted(n_evals, 'text')} of {len(study.eval_ids)} "
            f"{'is' if n_evals == 1 else 'are'} left out of a mean, as scores or judgements do "
            "not vary there (--report csv counts them)."
        )
    if study.is_by_condition:
        return
    n_plain = max((row.n_dropped_resamples or 0 for row in defined), default=0)
    n_corrected = max(
        (row.n_dropped_corrected or 0 for row in defined if row.corrected_interval), default=0
    )
    left_out = [(n_plain, "a correlation", "an interval")] if n_plain else []
    # Without a correlation there is no corrected one either, so the second number is mentioned only
    # if it is larger than the first.
    if n_corrected > n_plain:
        why = "its interval, mostly as the consistency of judges is not above 0 there"
        left_out.append((n_corrected, "a corrected correlation", why))
    for n, what, where in left_out:
        yield (
            f"Up to {counted(n, 'resample')} of {study.plan.resamples} without {what} "
            f"{'is' if n == 1 else 'are'} left out of {where} (--report csv counts them)."
        )


def correlation_headline(study: CorrelationStudy) -> Iterator[str]:
    """Yield for each judgement the metric that agrees best with it, in its first column."""
    for judgement in study.judgements:
        column = next(column for column in study.columns if column.judgement == judgement)
        best = [k for k, result in enumerate(column.correlations) if result.is_best]
        tied = [k for k, result in enumerate(column.correlations) if result.is_tied]
        name = escape_unprintable(judgement)
        if not best:
            yield f"No metric has a correlation with {name}."
            continue
        value = number(column.correlations[best[0]].value, DECIMALS)
        labels = [column_label(row) for row in study.rows]
        sentence = (
            f"{listed([labels[k] for k in best])} agree{'s' * (len(best) == 1)} best with {name}: "
            f"{coefficient_name(column.coefficient)} {value} at the {column.level} level"
        )
        if tied:
            why = "; there are too few systems to tell" if column.has_too_few_systems else ""
            names = listed([labels[k] for k in tied])
            yield f"{sentence}, but cannot be told apart from {names}{why}."
        elif study.plan.resamples and len(best) < len(labels):
            yield f"{sentence}, significantly better than every other metric."
        else:
            yield f"{sentence}."
