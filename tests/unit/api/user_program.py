"""What a user writes, for the type checker: every annotation here has to hold."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import rouge_cli


def mean_of(results: rouge_cli.Results, metric: str) -> float:
    """Return a mean."""
    return results[metric].f_measure.mean


def everything() -> tuple[object, ...]:
    """Use each function, and each form of its results."""
    one: rouge_cli.Results = rouge_cli.score("a b", "a c", max_ngram=2, stem=True)
    two = rouge_cli.score(["a b", "c"], ["a c", ["a", "b"]])
    many = rouge_cli.evaluate(["a"], [["a", "b"]], resamples=10)
    alone = rouge_cli.evaluate(("a", "b"), ("a", "b"))
    systems = rouge_cli.evaluate({"x": ["a"], "y": ["b"]}, ["a"], lcs=True)
    column = rouge_cli.evaluate(pd.Series(["a"]), np.array(["a"]))
    mean: float = mean_of(one, "ROUGE-L")
    interval: tuple[float, float] | None = many["ROUGE-L"].recall.interval
    bootstrap_mean: float | None = alone["ROUGE-L"].precision.bootstrap_mean
    per_eval: NDArray[np.float64] = two["ROUGE-L"].recall.per_eval
    names: list[str] = [metric.name for metric in systems.systems["x"]]
    frame: pd.DataFrame = column.to_dataframe()
    as_text: str = one.to_json(indent=2) + one.to_csv() + one.to_markdown() + one.signature
    as_dict: dict[str, object] = one.to_dict()
    version: str = rouge_cli.__version__
    return mean, interval, bootstrap_mean, per_eval, names, frame, as_text, as_dict, version


def problems() -> tuple[str, ...]:
    """Return what is wrong with an input."""
    try:
        rouge_cli.evaluate_files("none.xml", "a")
    except rouge_cli.InputError as error:
        return error.problems
    return ()
