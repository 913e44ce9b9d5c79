"""Systems compared by histograms of their differences: as the exact draws do, but for chance."""

from math import sqrt

import numpy as np
import pytest

from rouge_cli import OptionError, compare, evaluate_config
from rouge_cli.api.studies import Comparison
from rouge_cli.scores.results import Results

N_EVALS = 60


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """Scores of three systems, the last one close to the first."""
    drawn = np.random.default_rng(5)
    words = ("ferry", "sandbank", "tide", "boat", "island", "captain", "fog", "rescue", "sea")
    lines: dict[str, list[str]] = {name: [] for name in "abcr"}
    for _ in range(N_EVALS):
        text = drawn.choice(words, 8).tolist()
        lines["r"].append(" ".join(text))
        for name, share in (("a", 0.6), ("b", 0.4), ("c", 0.58)):
            kept = drawn.random(8) < share
            other = drawn.choice(words, 8)
            lines[name].append(" ".join(np.where(kept, text, other).tolist()))
    folder = tmp_path_factory.mktemp("lines")
    for name, texts in lines.items():
        (folder / f"{name}.txt").write_text("\n".join(texts) + "\n")
    peers = [f"{name}={folder / name}.txt" for name in "abc"]
    return evaluate_config(peer_lines=peers, model_lines=str(folder / "r.txt"), max_ngram=2)


def test_by_histograms_as_by_evals(results: Results) -> None:
    options = {"resamples": 2000, "equivalence": 0.05, "measures": "RF"}
    exact = compare(results, **options)  # type: ignore[arg-type]
    found = compare(results, bootstrap="histogram", **options)  # type: ignore[arg-type]
    for one, other in zip(exact.pairs, found.pairs, strict=True):
        assert (one.system_a, one.system_b, one.difference) == (
            other.system_a,
            other.system_b,
            other.difference,
        )
        assert (one.detectable, one.skewness) == (other.detectable, other.skewness)
        assert other.p_romano_wolf is None
        tests = [(one.bootstrap.p, other.bootstrap.p), (one.randomisation.p, other.randomisation.p)]
        if one.equivalence is not None and other.equivalence is not None:
            tests.append((one.equivalence.p, other.equivalence.p))
        assert len(tests) == 3
        for p, q in tests:
            assert abs(p - q) <= 4 * sqrt(2 * max(p * (1 - p), 1 / 2000) / 2000)
        width = one.interval[1] - one.interval[0]
        # Of a bound: 4 times the square root of 2 times 0.06 of the standard error of the mean.
        for bound, again in zip(one.interval, other.interval, strict=True):
            assert abs(bound - again) <= 0.09 * width


def test_reports_say_so(results: Results) -> None:
    found: Comparison = compare(results, bootstrap="histogram", resamples=200, seed=3)
    assert '"draws": "histogram"' in found.to_json()
    assert '"draws": "exact"' in compare(results, resamples=200).to_json()
    assert "drawn by histograms" in " ".join(str(found).split())
    again = compare(results, bootstrap="histogram", resamples=200, seed=3)
    assert again.to_json() == found.to_json()


def test_clusters_have_none(results: Results) -> None:
    table = results.table
    ids = next(iter(table.systems.values())).eval_ids
    clustered = type(table)(table.systems, table.metrics, dict.fromkeys(ids, "x"))
    given = Results(results.systems, clustered, results.options)
    with pytest.raises(OptionError, match="EVALs of a cluster are drawn together"):
        compare(given, bootstrap="histogram")
