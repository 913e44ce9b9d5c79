"""How many systems and EVALs tell two metrics apart: draws, covariances, power and refusals."""

from fractions import Fraction

import numpy as np
import pytest

import rouge_cli
from rouge_cli.studies import metric_planning
from rouge_cli.studies.metric_planning import (
    JudgedPilot,
    MetricQuestion,
    simulated_power,
    williams_power,
)

PEARSON = ("system", "pearson")
QUESTION = MetricQuestion((), "F", PEARSON, 0.8, Fraction(1, 20))


def world(seed: int, n_systems: int, n_evals: int) -> JudgedPilot:
    """Return a pilot whose second metric is noise for the most part."""
    random = np.random.default_rng(seed)
    quality = random.normal(size=(n_systems, 1)) + random.normal(size=(n_systems, n_evals))
    scores = np.stack((quality, quality), axis=2) + random.normal(size=(*quality.shape, 2))
    scores[..., 1] += random.normal(size=(n_systems, 1))
    return JudgedPilot(scores, quality + random.normal(size=quality.shape))


def test_power_of_williams_by_simulation() -> None:
    # 4,000 samples of 20 systems with correlations .9 and .7, .6 between the metrics; t as Graham
    # and Baldwin (2014) write it. 2.110 is the quantile .975 of Student's t with 17 degrees.
    covariances = np.array([[1, 0.6, 0.9], [0.6, 1, 0.7], [0.9, 0.7, 1]])
    random = np.random.default_rng(1)
    samples = random.multivariate_normal(np.zeros(3), covariances, (4000, 20))
    a, b, h = np.moveaxis((samples - samples.mean(axis=1, keepdims=True)), 2, 0)
    norms = [np.sqrt((x**2).sum(axis=1)) for x in (a, b, h)]
    first, second = ((x * h).sum(axis=1) / n / norms[2] for x, n in ((a, norms[0]), (b, norms[1])))
    between = (a * b).sum(axis=1) / norms[0] / norms[1]
    k = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    spread = 2 * k * 19 / 17 + ((first + second) / 2) ** 2 * (1 - between) ** 3
    t = (first - second) * np.sqrt(19 * (1 + between)) / np.sqrt(spread)
    assert williams_power(covariances, 20, 0.05) == pytest.approx((t > 2.110).mean(), abs=0.03)


def test_no_power_of_williams() -> None:
    assert williams_power(np.eye(3), 3, 0.05) is None
    assert williams_power(np.zeros((3, 3)), 10, 0.05) is None


def test_covariances_by_hand() -> None:
    # Means of systems are -1 and 1 in the first metric and 0 in the rest. The second metric is 1,
    # -1 of one system and -1, 1 of the other: no means, and 1 within; judgements the same halved.
    first, second = [[-1, -1], [1, 1]], [[1, -1], [-1, 1]]
    pilot = JudgedPilot(np.stack((first, second), axis=2).astype(float), np.array(second) / 2)
    expected = np.array([[1, 0, 0], [0, 1 / 4, 1 / 8], [0, 1 / 8, 1 / 16]])
    assert pilot.covariances(4) == pytest.approx(expected)


def test_hard_evals_move_no_system_from_another() -> None:
    pilot = world(3, 8, 10)
    hard = np.arange(10.0)
    harder = JudgedPilot(pilot.scores + hard[:, np.newaxis], pilot.judged + hard)
    assert harder.covariances(7) == pytest.approx(pilot.covariances(7))


@pytest.mark.parametrize("clusters", [None, np.repeat(np.arange(20), 2)])
def test_shrunken_means_spread_as_those_of_the_pilot(clusters: np.ndarray | None) -> None:
    # Over as many EVALs as the pilot has, a study's means are to spread as the pilot's, by NumPy.
    pilot = world(4, 30, 40)
    pilot = JudgedPilot(pilot.scores, pilot.judged, clusters)
    cells = np.concatenate((pilot.scores, pilot.judged[..., np.newaxis]), axis=2)
    expected = np.corrcoef(cells.mean(axis=1).T)
    found = pilot.shrunken().covariances(40 if clusters is None else 20)
    spreads = np.sqrt(np.diag(found))
    tolerance = 1e-9 if clusters is None else 0.02
    assert found / np.outer(spreads, spreads) == pytest.approx(expected, abs=tolerance)


def test_one_eval_cannot_be_shrunken() -> None:
    pilot = world(5, 6, 1)
    assert pilot.shrunken() is pilot


def test_whole_clusters_are_drawn() -> None:
    clusters = np.array([0, 1, 1, 2, 2, 2])
    numbered = np.broadcast_to(np.arange(6.0), (3, 6))
    pilot = JudgedPilot(np.stack((numbered, numbered), axis=2), numbered, clusters)
    study = pilot.drawn(5, 4, np.random.default_rng(6))
    assert study.clusters is not None
    assert study.judged.shape == (5, len(study.clusters))
    for number in range(4):
        drawn = study.judged[0, study.clusters == number].tolist()
        assert drawn in ([0.0], [1.0, 2.0], [3.0, 4.0, 5.0])


def test_more_systems_find_more() -> None:
    pilot = world(7, 30, 20).shrunken()
    powers = [
        simulated_power(pilot, (n_systems, 20), QUESTION, 60, better_first=True)
        for n_systems in (6, 12, 40)
    ]
    assert powers == sorted(powers)
    assert powers[0] < 0.6
    assert powers[2] > 0.9
    assert simulated_power(pilot, (40, 20), QUESTION, 20, better_first=False) == 0


WORDS = ["the", "quick", "brown", "fox", "jumps", "over", "a", "lazy", "dog", "and", "runs"]


def results() -> rouge_cli.Results:
    """Return the scores of six systems, of which the better ones keep more of the reference."""
    texts = {
        f"s{n}": [" ".join(WORDS[: 3 + n + (n * k) % 3][:: 1 + (k + n) % 2]) for k in range(8)]
        for n in range(6)
    }
    return rouge_cli.evaluate(texts, [" ".join(WORDS)] * 8, max_ngram=2, lcs=False, resamples=0)


JUDGED = [
    {"system": f"s{n}", "eval": str(k + 1), "quality": n + (n + k) % 3}
    for n in range(6)
    for k in range(8)
]


@pytest.fixture
def few_studies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate fewer studies, where nothing hangs on their number."""
    monkeypatch.setattr(metric_planning, "MOST_STUDIES", 20)


@pytest.mark.usefixtures("few_studies")
def test_from_python() -> None:
    scored = results()
    plan = rouge_cli.plan(scored, JUDGED, n_systems=[6, 12], n_evals=8)
    agreement = rouge_cli.correlate(scored, JUDGED, level="system", coefficient="pearson")
    expected = [x.value.value for x in agreement.columns[0].correlations]
    assert plan.result.correlations == pytest.approx(expected)
    assert [(x.n_systems, x.n_evals) for x in plan.result.sizes] == [(6, 8), (12, 8)]
    assert "tell" in plan.to_html()
    lower, upper = plan.result.interval
    assert lower < plan.result.difference < upper


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"judgement": "bogus"}, "bogus"),
        ({"metric": ["ROUGE-1", "ROUGE-9"]}, "--metric: no metric 'ROUGE-9'; known are: ROUGE-1"),
        ({"metric": "ROUGE-1"}, "a plan tells two metrics apart, found ROUGE-1 F; name two"),
        ({"difference": 0.1}, "--difference is for a plan without --judgements"),
        ({"coefficient": "acc-eq", "level": "system"}, "found --level system, expected summary"),
        ({"coefficient": "spa"}, "expected one of pearson, spearman, kendall, pa, acc-eq"),
        ({"n_systems": 2}, "a whole number from 3 to 100000"),
        ({"n_evals": ()}, "--n-evals: found (), expected one value or more"),
    ],
)
def test_unusable_questions(options: dict[str, object], message: str) -> None:
    with pytest.raises(rouge_cli.RougeError) as caught:
        rouge_cli.plan(results(), JUDGED, **options)  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_options_of_judged_pilots_alone() -> None:
    with pytest.raises(rouge_cli.OptionError, match="--n-evals is for a plan with --judgements"):
        rouge_cli.plan(results(), n_evals=[8])
    with pytest.raises(rouge_cli.OptionError, match="judgement names columns of judgements"):
        rouge_cli.plan(results(), judgement="q")


def test_no_difference_to_find() -> None:
    # Predictions as long as the reference have equal recall and precision.
    texts = {f"s{n}": [" ".join([*WORDS[: n + 3], *["x"] * (8 - n)])] * 8 for n in range(6)}
    scored = rouge_cli.evaluate(texts, [" ".join(WORDS)] * 8, max_ngram=1, lcs=False, resamples=0)
    with pytest.raises(rouge_cli.InputError, match="ROUGE-1 R and ROUGE-1 P agree with the judge"):
        rouge_cli.plan(scored, JUDGED, measures="RP")
