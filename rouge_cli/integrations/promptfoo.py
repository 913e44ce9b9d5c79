"""An assertion for promptfoo, which calls `get_assert` with an output and its test.

Promptfoo is a program for Node, so this module imports nothing from it. Source: its documentation
of Python assertions; tried with 0.121.20.
"""

import re
from collections.abc import Mapping
from math import inf, isfinite
from typing import Any

from rouge_cli.errors import OptionError
from rouge_cli.integrations import checked_metric, checked_options, framework_results, references_of
from rouge_cli.options.scores import scales

__all__ = ["get_assert"]


def get_assert(output: str, context: Mapping[str, Any]) -> dict[str, Any]:
    """Score an output, and return whether it passes, the score and the reason.

    In `context`, ``vars.reference`` is a text or a list of texts. The keys of ``config`` are
    ``threshold``, from 0 to 1, or to 100 for packages that print percentages; ``metric``, such as
    ``ROUGE-2`` or ``ROUGE-2:R``; ``reference``, which replaces that of ``vars``, such as
    ``{{answer}}`` for ``vars.answer``; and options of `rouge_cli.score`, by default
    ``preset="paper"``. A newline ends a sentence, which matters to ROUGE-L.

    Raises OptionError and InputError as `rouge_cli.score` does; also for an unknown metric, a
    threshold outside its scale, a config that is not a mapping, and a missing reference.
    """
    config = context.get("config")
    if config is not None and not isinstance(config, Mapping):
        raise OptionError(f"config: found {config!r}, expected a mapping of options")
    options = dict(config or {})
    metric, is_set = options.pop("metric", "ROUGE-2"), "threshold" in options
    threshold, given = options.pop("threshold", 0), options.pop("reference", "{{reference}}")
    scored, letter = checked_metric(options, metric)
    if is_set:
        protocol, scale = checked_options(options).metrics.protocol, scored.scale
        if protocol is not None and scored in protocol.metric.columns:
            # The scale of the means: some packages print scores from 0 to 1, but means in percent.
            scale = f"0-{protocol.metric.protocol.means.scale:g}"
        _check_threshold(threshold, scale)
    # Promptfoo fills in variables in the value of an assertion, but not in its config.
    variable = re.fullmatch(r"\{\{ *(\w+) *\}\}", given) if isinstance(given, str) else None
    if variable is not None:
        given = references_of(context.get("vars") or {}, variable[1], "vars")
    results = framework_results([output], [given], options)
    score = float(results[scored.name].measures[letter].mean)
    return {
        "pass": score <= threshold if scored.is_lower_better else score >= threshold,
        "score": score,
        "reason": f"{scored.name} {letter} {score:.5f}, required {threshold}; {results.signature}",
        "namedScores": {
            f"{scores.name} {name}": float(measure.mean)
            for scores in results
            for name, measure in scores.measures.items()
        },
    }


def _check_threshold(threshold: Any, scale: str | None) -> None:
    low, high, expected = -inf, inf, "a finite number"
    if scale is not None:
        (bounds,) = scales(f"threshold={scale}")
        low, high = bounds.low, bounds.high
        expected = f"a number from {low:g} to {high:g}"
    is_number = isinstance(threshold, int | float) and not isinstance(threshold, bool)
    if not (is_number and low <= threshold <= high and isfinite(threshold)):
        raise OptionError(f"threshold: found {threshold!r}, expected {expected}")
