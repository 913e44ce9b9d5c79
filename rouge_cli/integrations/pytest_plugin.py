"""The fixture ``rouge`` for pytest: requirements on scores, and explanations of failures.

If the package is installed, every run of pytest loads this module. So nearly everything else is
imported only when a test uses the fixture.
"""

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from rouge_cli.explanations import ExplainedPeer
    from rouge_cli.inputs.source import Source
    from rouge_cli.options.scores import ThresholdOptions
    from rouge_cli.scores.results import Results

UPDATE = "--rouge-update-baseline"
SHOWN_EVALS = 3


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that writes baselines."""
    parser.getgroup("rouge-cli").addoption(
        UPDATE,
        action="store_true",
        help="write the scores of each check with a baseline into its file, and do not compare",
    )


class RougeGate:
    """Checks scores in a test.

    Relative paths of baselines start at `folder`, that of the test. With `updates_baselines`,
    baselines are written instead of compared.
    """

    def __init__(self, folder: "os.PathLike[str]", *, updates_baselines: bool) -> None:
        self._folder = folder
        self._updates = updates_baselines

    def check(
        self,
        predictions: Any,
        references: Any,
        *,
        require: str | Sequence[str] | None = (),
        baseline: "str | os.PathLike[str] | None" = None,
        max_drop: float | None = None,
        **options: Any,
    ) -> "Results":
        """Score, and fail the test unless the scores are as required.

        All conditions of `require`, such as ``"ROUGE-2:F>=0.18"``, must hold. `baseline` is a JSON
        report with the lowest accepted scores, relative to the folder of the test, which
        ``--rouge-update-baseline`` writes; `max_drop` is the largest accepted drop below it, by
        default 0. The texts and options are those of `rouge_cli.evaluate`, with ``not_worse_than``,
        as in `Results.check`, to compare EVALs instead of means. Raises OptionError and InputError
        as that function does, and for a condition or a baseline that cannot be used.
        """
        __tracebackhide__ = True
        from rouge_cli.api.studies import given_source, score_source
        from rouge_cli.options.scores import ThresholdOptions

        path = None if baseline is None else os.path.join(self._folder, os.fsdecode(baseline))
        demands = _demands(require, path, max_drop, options)
        has_evals = demands.not_worse_than is not None
        if path is not None and self._updates:
            demands = ThresholdOptions(require=demands.require)
        elif path is not None and not os.path.exists(path):
            pytest.fail(f"{path}: there is no baseline yet; make it with: pytest {UPDATE}")
        # A failure reads the texts again, which may have come from a generator.
        source, checked = given_source(predictions, references, options)
        results = score_source(source, checked)
        if unmet := _unmet(results, demands):
            why = _worst_evals(source, results, unmet[0])
            pytest.fail("\n".join([*unmet, "", str(results), "", why]))
        if path is not None and self._updates:
            from rouge_cli.atomic_files import new_file

            saved = results
            if has_evals:
                saved = replace(results, options=results.options.changed(per_eval=True))
            with new_file(path) as file:
                file.write(f"{saved.to_json(indent=2)}\n".encode())
        return results


def _demands(
    require: str | Sequence[str] | None,
    baseline: str | None,
    max_drop: float | None,
    options: dict[str, Any],
) -> "ThresholdOptions":
    """Return the checked requirements, and remove them from `options`; raises OptionError."""
    from rouge_cli.options.options import OPTIONS, Options
    from rouge_cli.options.scores import ThresholdOptions

    conditions = (require,) if isinstance(require, str) else tuple(require or ())
    # Options of averages are checked too, as some exclude a lower bound: fail before scoring.
    asked = {name: options.get(name) for name in OPTIONS if OPTIONS[name].is_averaging}
    asked |= {name: options.pop(name, None) for name in ThresholdOptions.options()}
    asked |= {"require": conditions, "baseline": baseline, "max_drop": max_drop}
    return Options.of(asked).thresholds


def _unmet(results: "Results", demands: "ThresholdOptions") -> tuple[str, ...]:
    import warnings

    from rouge_cli.studies.score.thresholds import read_thresholds

    options = results.options.changed(**demands.values())
    verdict = read_thresholds(options, results.table.metrics)(results)
    for warning in (*results.warnings, *verdict.warnings):
        # At the level of the test that calls `check`.
        warnings.warn(warning, stacklevel=3)
    return verdict.failures


def _worst_evals(source: "Source", results: "Results", failure: str) -> str:
    from rouge_cli.escapes import escaped
    from rouge_cli.explanations import Question, explain
    from rouge_cli.explanations.view import ExplanationView
    from rouge_cli.inputs.layout import open_input
    from rouge_cli.metrics.metric import scored_metrics
    from rouge_cli.reports import write_report
    from rouge_cli.run.pipeline import RunContext
    from rouge_cli.scores.reportable import EvalOrder

    options = results.options
    failed = [
        (system, EvalOrder(metric.name, letter, None, SHOWN_EVALS, metric.is_lower_better))
        for system in results.systems
        for metric in scored_metrics(options.metrics)
        for letter in metric.measures
        if failure.startswith(f"{escaped(system)} {metric.name} {letter}: ")
    ]
    if not failed or options.scores.jackknife:
        return ""
    system, order = failed[0]
    opened = open_input(source, options.inputs, options.metrics)
    run = explain(opened, Question((system,), order=order), options, RunContext())

    def in_metric(peer: "ExplainedPeer") -> "ExplainedPeer":
        metrics = tuple(metric for metric in peer.metrics if metric.metric.name == order.metric)
        return replace(peer, metrics=metrics)

    evals = (replace(eval_, peers=tuple(map(in_metric, eval_.peers))) for eval_ in run.evals)
    view = ExplanationView(replace(run, evals=tuple(evals)), with_texts=True)
    return "".join(write_report(view, "table"))


@pytest.fixture
def rouge(request: pytest.FixtureRequest) -> RougeGate:
    """Provide ``rouge.check(predictions, references, require=...)``."""
    updates = bool(request.config.getoption(UPDATE))
    return RougeGate(request.path.parent, updates_baselines=updates)
