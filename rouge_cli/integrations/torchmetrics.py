"""A metric for torchmetrics: `Rouge`, whose state accumulates over updates and processes.

It needs the packages torch and torchmetrics. Source: the documentation of ``torchmetrics.Metric``;
tried with torchmetrics 1.9.0 and torch 2.14.1.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torchmetrics import Metric
from torchmetrics.utilities import dim_zero_cat

from rouge_cli.errors import NothingLeftError, OptionError
from rouge_cli.integrations import (
    checked_options,
    framework_options,
    framework_results,
    mean_scores,
)
from rouge_cli.options.options import OPTIONS
from rouge_cli.options.scores import JoinedOptions
from rouge_cli.run.pipeline import RunContext, average_scores
from rouge_cli.scores.results import MetricColumn, Results, SystemTable

__all__ = ["Rouge"]

# A text that is long enough for packages that fail on short ones.
SAMPLE = "ash beech birch cedar elm fir hazel oak pine yew"


class Rouge(Metric):  # type: ignore[misc]
    """Scores of ROUGE-1.5.5 or of another package, with the options of `rouge_cli.evaluate`.

    The default is ``preset="paper"``; ``humans`` and ``scores`` raise OptionError. A newline ends a
    sentence, which matters to ROUGE-L. ``kwargs`` are arguments of ``torchmetrics.Metric``.

    The state has a row of float64 with the scores and counts of each EVAL. Therefore the means and,
    with ``resamples=1000``, the intervals equal those of `rouge_cli.evaluate` on all texts at once.
    """

    is_differentiable = False
    higher_is_better = True
    full_state_update = False

    def __init__(self, options: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._options = framework_options(options or {})
        for name, declared in OPTIONS.items():
            reason = declared.not_for.get("torchmetrics")
            if reason is not None and self._options.get(name):
                raise OptionError(f"{name}: {reason}; use rouge_cli.evaluate")
        checked = checked_options(self._options)
        self._resamples, self._empty = checked.scores.resamples, checked.texts.empty
        # A sample provides the shape of rows, since other processes may have rows before this one.
        # `empty` is left out, because all words of the sample may be stopwords. Jackknifing needs
        # two models.
        models = [SAMPLE] * (2 if checked.scores.jackknife else 1)
        self._last = self._scored([SAMPLE], [models], empty=None)
        self.add_state("rows", default=[], dist_reduce_fx="cat")

    def update(self, preds: str | Sequence[str], target: Any) -> None:
        """Score predictions; `target` has a text or a list of texts for each."""
        texts = ([preds], [target]) if isinstance(preds, str) else (preds, target)
        n_kept = None
        try:
            self._last = self._scored(*texts)
        except NothingLeftError:
            # Other updates may have texts, so nothing is added but the shape of the rows.
            n_kept = 0
        (system,) = self._last.table.systems.values()
        arrays = [rows for column in system.columns.values() for rows in column.arrays().values()]
        rows = np.stack(arrays, 1, dtype=np.float64)[:n_kept]
        self.rows.append(torch.as_tensor(rows, device=self.device))

    def compute(self) -> dict[str, torch.Tensor]:
        """Return F of each metric, or its only measure, and the bounds of its interval."""
        scores = mean_scores(self.results)
        return {name: torch.tensor(value, dtype=torch.float64) for name, value in scores.items()}

    @property
    def results(self) -> Results:
        """The scores of all updates, with the signature and the other measures."""
        rows = dim_zero_cat(self.rows).cpu().numpy()
        if not len(rows):
            raise NothingLeftError("nothing is left to score: all texts of all updates are empty")
        ((name, last),) = self._last.table.systems.items()
        following, columns = iter(rows.T), {}
        for metric, column in last.columns.items():
            arrays = {key: next(following).astype(x.dtype) for key, x in column.arrays().items()}
            columns[metric] = MetricColumn.of_arrays(column.metric, arrays)
        ids = tuple(str(number) for number in range(1, len(rows) + 1))
        table = replace(self._last.table, systems={name: SystemTable(name, ids, columns)})
        options = self._last.options.changed(resamples=self._resamples, empty=self._empty)
        # The updates have already added fused metrics, and declared scales.
        unjoined = replace(options, joined=JoinedOptions())
        averaged = average_scores(table, unjoined, (), RunContext(), ())
        return Results(averaged.systems, table, options, averaged.warnings)

    def _scored(self, predictions: Any, references: Any, **changes: Any) -> Results:
        options = {**self._options, "resamples": 0, **changes}
        return framework_results(predictions, references, options)
