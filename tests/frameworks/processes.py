"""Add up the states of the metric for torchmetrics over two processes: ``processes.py STORE``.

Fails unless each process has what one run over all texts has.
"""

import sys
from typing import Any

import torch.distributed
import torch.multiprocessing

import rouge_cli
from rouge_cli.integrations.torchmetrics import Rouge

PREDICTIONS = ("police kill the gunman", "the gunman kill police", "a b c", "it rained")
REFERENCES = (["police killed the gunman"], ["police killed the gunman", "x y"], ["a c"], ["rain"])
OPTIONS: dict[str, Any] = {"max_ngram": 2, "resamples": 200, "counting": 1}
"""Pooled counts: the state has to have them too."""


def check(rank: int, store: str) -> None:
    """Score half of the texts in one of the processes, and compare."""
    torch.distributed.init_process_group(
        "gloo", init_method=f"file://{store}", rank=rank, world_size=2
    )
    metric = Rouge(OPTIONS)
    for number in (2 * rank, 2 * rank + 1):
        metric.update([PREDICTIONS[number]], [REFERENCES[number]])
    scores = {name: value.item() for name, value in metric.compute().items()}
    results = rouge_cli.evaluate(PREDICTIONS, REFERENCES, **OPTIONS)
    for name in results.metric_names:
        measure = results[name].f_measure
        assert measure.interval is not None
        expected = (measure.mean, *measure.interval)
        assert expected == (scores[name], scores[f"{name} lower"], scores[f"{name} upper"])
    with metric.sync_context():
        assert str(metric.results) == str(results)


if __name__ == "__main__":
    torch.multiprocessing.spawn(check, args=(sys.argv[1],), nprocs=2)
