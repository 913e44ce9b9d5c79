"""A comparison as JSON, numbers as numbers."""

import json
from collections.abc import Iterator
from typing import Any

from rouge_cli.scoring.signature import signature
from rouge_cli.statistics.comparison_records import Comparison, PairResult, Ranking, TestResult
from rouge_cli.version import __version__

__all__ = ["comparison_dict", "comparison_report"]


def comparison_report(comparison: Comparison) -> Iterator[str]:
    """Yield the report, indented; all beyond ASCII is escaped."""
    yield json.dumps(comparison_dict(comparison), indent=2, allow_nan=False)
    yield "\n"


def comparison_dict(comparison: Comparison) -> dict[str, Any]:
    """Return the report as dictionaries, lists, strings, numbers and None.

    Parameters
    ----------
    comparison : Comparison

    Returns
    -------
    dict
        Per metric and measure the pairs and the systems, the best first. All numbers are finite.
    """
    plan = comparison.plan
    return {
        "program": "rouge-cli",
        "version": __version__,
        "signature": signature(comparison.options),
        "seed": plan.seed,
        "resamples": plan.resamples,
        "confidence": float(plan.confidence * 100),
        "level": float(plan.level),
        "n_comparisons": len(comparison.pairs),
        "warnings": list(comparison.warnings),
        "systems": list(comparison.systems),
        "metrics": [_ranking_dict(ranking) for ranking in comparison.rankings],
    }


def _ranking_dict(ranking: Ranking) -> dict[str, Any]:
    """Return what is known in a measure of a metric."""
    return {
        "metric": ranking.column.metric,
        "measure": ranking.column.measure,
        "pairs": [_pair_dict(pair) for pair in ranking.pairs],
        "ranking": [
            {
                "system": system.id,
                "n_evals": system.n_evals,
                "mean": system.mean,
                "letters": list(system.letters),
            }
            for system in ranking.systems
        ],
    }


def _pair_dict(pair: PairResult) -> dict[str, Any]:
    """Return the numbers of a pair."""
    return {
        "system_a": pair.system_a,
        "system_b": pair.system_b,
        "n_evals": pair.n_evals,
        "n_unequal": pair.n_unequal,
        "mean_a": pair.mean_a,
        "mean_b": pair.mean_b,
        "difference": pair.difference,
        "interval": list(pair.interval),
        "bootstrap": _test_dict(pair.bootstrap),
        "randomisation": {
            **_test_dict(pair.randomisation),
            "is_exact": pair.randomisation.is_exact,
        },
        "better": pair.better,
    }


def _test_dict(result: TestResult) -> dict[str, Any]:
    """Return what a test says."""
    return {"p": result.p, "p_holm": result.p_holm, "is_significant": result.is_significant}
