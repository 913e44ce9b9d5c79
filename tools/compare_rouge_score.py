"""Measure how much ROUGE-1.5.5 and ``rouge_score`` differ: tables of docs/guide/moving-here.md.

    python tools/compare_rouge_score.py          print the tables
    python tools/compare_rouge_score.py --write  write them into docs/guide/moving-here.md

The texts are those of fixtures/sample and of fixtures/golden, except Basic Elements and the broken
files of ``edge``. The numbers of ``rouge_score`` are those of ``like="google"``; if the package is
installed, each of them is first compared with the package's own.
"""

import json
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from click.testing import CliRunner
from numpy.typing import NDArray

import rouge_cli
from rouge_cli.cli.group import cli
from rouge_cli.compat.rouge_scorer import RougeScorer
from rouge_cli.compat.scoring import BootstrapAggregator, Score

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "guide" / "moving-here.md"
GOLDEN = ("duc-see", "isi", "long", "many", "odd", "short", "spl", "stem")
FOLDERS = {
    "sample": ("fixtures/sample",),
    "golden": tuple(f"fixtures/golden/corpora/{name}" for name in GOLDEN),
}
TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
SEED = 0


class Instance(NamedTuple):
    """A peer and its models, of one system of one corpus."""

    system: str
    peer: str
    models: tuple[str, ...]


Spread = tuple[float, float]
"""Mean and greatest difference."""


@cache
def instances(data: str) -> list[Instance]:
    """Return all peers with their models: system after system, corpus after corpus."""
    return [instance for folder in FOLDERS[data] for instance in _of_corpus(ROOT / folder)]


def _of_corpus(folder: Path) -> Iterator[Instance]:
    """Yield the instances of the configuration in a folder, system after system."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        with tempfile.TemporaryDirectory() as name:
            output = Path(name, "records.jsonl")
            arguments = ["convert", "-a", "--to", "jsonl", "-o", str(output), "config.xml"]
            CliRunner().invoke(cli, arguments, catch_exceptions=False)
            written = output.read_text("utf-8")
    finally:
        os.chdir(before)
    records: list[dict[str, Any]] = list(map(json.loads, written.splitlines()))
    for record in sorted(records, key=lambda record: str(record["system"])):
        models = tuple(map("\n".join, record["references"]))
        yield Instance(f"{folder.name} {record['system']}", "\n".join(record["prediction"]), models)


def check_with_package(data: str) -> None:
    """Compare every score like Google's with that of the package; raises SystemExit."""
    from rouge_score import rouge_scorer

    for use_stemmer in (False, True):
        theirs = rouge_scorer.RougeScorer(TYPES, use_stemmer=use_stemmer)
        ours = RougeScorer(TYPES, use_stemmer=use_stemmer, like="google")
        for _, peer, models in instances(data):
            if theirs.score_multi(models, peer) != ours.score_multi(models, peer):
                raise SystemExit(f"another score than that of the package: {peer!r} {models!r}")


def spread(ones: Iterable[float], others: Iterable[float]) -> Spread:
    """Return mean and greatest difference, in points: a score of 1 is 100 points."""
    differences: NDArray[np.float64] = 100 * np.abs(np.subtract(list(ones), list(others)))
    return float(differences.mean()), float(differences.max())


def single_models(data: str, use_stemmer: bool) -> dict[str, Spread]:
    """Compare F of each peer with each model by itself."""
    pairs = [(model, peer) for _, peer, models in instances(data) for model in models]
    targets, predictions = [model for model, _ in pairs], [peer for _, peer in pairs]
    ours, theirs = (
        RougeScorer(TYPES, use_stemmer=use_stemmer, like=like).score_batch(targets, predictions)
        for like in ("1.5.5", "google")
    )
    return {name: spread(_f_measures(ours, name), _f_measures(theirs, name)) for name in TYPES}


def several_models(data: str) -> dict[str, Spread]:
    """Compare F of ROUGE-1.5.5, counts summed over the models, with the best F."""
    original = rouge_cli.evaluate(
        [peer for _, peer, _ in instances(data)],
        [list(models) for *_, models in instances(data)],
        max_ngram=2,
        resamples=0,
    )
    names = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L", "rougeLsum": "ROUGE-L"}
    theirs = _best(data, "google")
    return {
        name: spread(original[metric].f_measure.per_eval.tolist(), _f_measures(theirs, name))
        for name, metric in names.items()
    }


def intervals(data: str) -> dict[str, Spread]:
    """Compare the two bootstraps on the same scores: F of all systems and metrics."""
    sides: dict[str, list[NDArray[np.float64]]] = {"1.5.5": [], "google": []}
    scores = _best(data, "1.5.5")
    np.random.seed(SEED)  # noqa: NPY002 - the package draws from this generator
    for _, members in groupby(
        zip(instances(data), scores, strict=True), lambda pair: pair[0].system
    ):
        of_system = [score for _, score in members]
        for like, bounds in sides.items():
            aggregator = BootstrapAggregator(like=like)
            for score in of_system:
                aggregator.add_scores(score)
            bounds += [np.array(found)[:, 2] for found in aggregator.aggregate().values()]
    ours, theirs = np.array(sides["1.5.5"]), np.array(sides["google"])
    return {
        name: spread(ours[:, place], theirs[:, place])
        for place, name in enumerate(("low", "mid", "high"))
    }


@cache
def _best(data: str, like: str) -> list[dict[str, Score]]:
    """Score each peer against the model of the best F."""
    scorer = RougeScorer(TYPES, like=like)
    return [scorer.score_multi(models, peer) for _, peer, models in instances(data)]


def _f_measures(scores: Iterable[dict[str, Score]], name: str) -> list[float]:
    """Return F of each pair in one metric."""
    return [score[name].fmeasure for score in scores]


def table(heading: str, spreads: Iterable[dict[str, Spread]], rows: Iterable[str], n: int) -> str:
    """Return a table in Markdown: mean and greatest difference for each data set, n decimals."""
    columns = list(spreads)
    lines = [
        f"| {heading} | sample: mean | greatest | golden: mean | greatest |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for row in rows:
        cells = [f"{value:.{n}f}" for column in columns for value in column[row]]
        lines.append(f"| `{row}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def tables() -> dict[str, str]:
    """Return every table of the page by its name."""
    by_type = "difference in F"
    return {
        "plain": table(by_type, [single_models(data, False) for data in FOLDERS], TYPES, 4),
        "stemmed": table(by_type, [single_models(data, True) for data in FOLDERS], TYPES, 4),
        "several": table(by_type, map(several_models, FOLDERS), TYPES, 2),
        "intervals": table("of F", map(intervals, FOLDERS), ("low", "mid", "high"), 2),
    }


def filled_in(page: str) -> str:
    """Return the page with its tables updated, each after a comment with its name."""
    for name, text in tables().items():
        mark = f"<!-- table: {name} -->\n"
        before, found, after = page.partition(mark)
        if not found:
            raise SystemExit(f"no {mark.strip()} in {PAGE}")
        page = before + mark + text + after[len(after.split("\n\n", 1)[0]) + 1 :]
    return page


def main() -> None:
    """Print the tables, or write them into the page."""
    if find_spec("rouge_score"):
        for data in FOLDERS:
            check_with_package(data)
            print(f"{data}: every score is that of the package", file=sys.stderr)
    if "--write" in sys.argv[1:]:
        PAGE.write_text(filled_in(PAGE.read_text("utf-8")), "utf-8")
    else:
        print("\n".join(f"{name}:\n\n{text}" for name, text in tables().items()))


if __name__ == "__main__":
    main()
