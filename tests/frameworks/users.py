"""Score with the ROUGE of a framework: ``python users.py FRAMEWORK package|installed``.

Runs in the framework's own environment. With ``installed`` its import of ``rouge_score`` means
`rouge_cli.compat`. Prints the scores as JSON.
"""

import json
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

PAIRS = [
    ("The cat was found under the bed.", "the cat was under the bed"),
    ("Police killed the gunman. Two officers were hurt.", "The gunman was killed by police."),
    ("It rained.\nThe match was cancelled.", "The match was cancelled.\nIt had rained all day."),
    ("Children were singing songs of statements", "a child sings the song of a statement"),
    ("Ein Zug nach M\u00fcnchen, um 9:15 Uhr", "der 9-Uhr-Zug nach M\u00fcnchen f\u00e4llt aus"),
    ("short", "a much longer text that has nothing in common with the other, and then some more"),
    ("a a a b", "a b b b"),
]
"""References and predictions: stems, lines, letters beyond ASCII, repetition, nothing in common."""

TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")


def azure() -> list[float]:
    """Score with Azure's evaluator, which imports a copy of the package."""
    from azure.ai.evaluation import RougeScoreEvaluator, RougeType

    measures = ("rouge_precision", "rouge_recall", "rouge_f1_score")
    return [
        evaluate(response=prediction, ground_truth=reference)["rouge_properties"][measure]
        for evaluate in (RougeScoreEvaluator(rouge_type=kind) for kind in RougeType)
        for reference, prediction in PAIRS
        for measure in measures
    ]


def deepeval() -> list[float]:
    """Score with DeepEval's `Scorer`, which stems."""
    from deepeval.scorer.scorer import Scorer

    return [
        Scorer.rouge_score(reference, prediction, name)
        for name in TYPES[:3]
        for reference, prediction in PAIRS
    ]


def opik() -> list[float]:
    """Score with Opik's metric, against one reference and against several."""
    from opik.evaluation.metrics import ROUGE

    scores = []
    for name in TYPES:
        for use_stemmer in (False, True):
            metric = ROUGE(rouge_type=name, use_stemmer=use_stemmer, track=False)
            for reference, prediction in PAIRS:
                scores.append(metric.score(output=prediction, reference=reference).value)
                several = [reference, PAIRS[0][0]]
                scores.append(metric.score(output=prediction, reference=several).value)
    return scores


def ragas() -> list[float]:
    """Score with Ragas' metric, which stems."""
    from ragas import SingleTurnSample
    from ragas.metrics import RougeScore

    return [
        RougeScore(rouge_type=name, mode=mode).single_turn_score(
            SingleTurnSample(reference=reference, response=prediction)
        )
        for name in ("rouge1", "rougeL")
        for mode in ("fmeasure", "precision", "recall")
        for reference, prediction in PAIRS
    ]


def lm_eval() -> list[float]:
    """Score with the task TruthfulQA, which takes medians of resampled means."""
    import numpy as np
    from lm_eval.tasks.truthfulqa.utils import rouge

    references, predictions = map(list, zip(*PAIRS, strict=True))
    np.random.seed(1)  # noqa: NPY002
    together = rouge(references, predictions)
    alone = [rouge([reference], [prediction]) for reference, prediction in PAIRS]
    return [score for scores in (together, *alone) for score in scores.values()]


def unitxt() -> list[float]:
    """Score with Unitxt's metric, against two references; lines are sentences."""
    from unitxt.metrics import Rouge

    metric = Rouge(sent_split_newline=False)
    metric.prepare()
    return [
        score
        for reference, prediction in PAIRS
        for score in metric.compute([reference, PAIRS[0][0]], prediction, {}).values()
        if isinstance(score, float)
    ]


FRAMEWORKS: dict[str, Callable[[], list[float]]] = {
    "azure-ai-evaluation": azure,
    "deepeval": deepeval,
    "opik": opik,
    "ragas": ragas,
    "lm-eval": lm_eval,
    "unitxt": unitxt,
}


def main(framework: str, back_end: str) -> None:
    from rouge_cli import compat

    package = compat.COPY_OF_AZURE if framework == "azure-ai-evaluation" else compat.PACKAGE
    if back_end == "installed":
        compat.install(package=package)
    scores = FRAMEWORKS[framework]()
    module: Any = import_module(f"{package}.rouge_scorer").RougeScorer.__module__
    report = {"scorer": module, "scores": list(map(float, scores))}
    sys.stdout.write(f"{json.dumps(report)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
