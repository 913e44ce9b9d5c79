"""What a comparison says beside its two tests: letters, corrections, reach, sameness."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
import scipy.stats

from rouge_cli.reports.wording import group_letter
from rouge_cli.studies.compare.comparison import compare, letter_groups
from rouge_cli.studies.paired_tests import bootstrap_p, equivalence_p, holm_adjusted
from rouge_cli.studies.planning import smallest_difference
from rouge_cli.studies.score_columns import cluster_hint
from tests.unit.studies.comparisons import plan, results_of

MARGIN = replace(plan(resamples=999), margin=Fraction("0.02"))


def evals(*units: int) -> dict[str, int]:
    """Return the scores of EVALs 10, 11 and so on, which byte order leaves where they are."""
    return {str(number): one for number, one in enumerate(units, 10)}


def largest_groups(n_systems: int, different: set[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return all groups without a pair that differs, less those that another one holds."""
    alike = [
        set(group)
        for size in range(1, n_systems + 1)
        for group in combinations(range(n_systems), size)
        if different.isdisjoint(combinations(group, 2))
    ]
    return sorted(
        tuple(sorted(group)) for group in alike if not any(group < other for other in alike)
    )


@pytest.mark.parametrize("n_systems", [1, 2, 3, 4, 5])
def test_every_pattern_of_few_systems(n_systems: int) -> None:
    pairs = list(combinations(range(n_systems), 2))
    for pattern in range(1 << len(pairs)):
        different = [pair for place, pair in enumerate(pairs) if pattern >> place & 1]
        groups = largest_groups(n_systems, set(different))
        assert letter_groups(n_systems, different) == groups
        assert letter_groups(n_systems, different[::-1]) == groups


def test_superfluous_groups_are_swept() -> None:
    # 0 1 2 are alike, and so are 0 3, 1 4 and 2 5 with others that make every two of 0 1 2 share
    # another group: 0 1 3, 0 2 4 and 1 2 5.
    alike = {(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (0, 4), (2, 4), (1, 5), (2, 5)}
    different = [pair for pair in combinations(range(6), 2) if pair not in alike]
    assert letter_groups(6, different) == [(0, 1, 3), (0, 2, 4), (1, 2, 5)]


@pytest.mark.parametrize("seed", range(40))
def test_letters_say_what_the_tests_say(seed: int) -> None:
    draw = np.random.default_rng(seed)
    n_systems = int(draw.integers(2, 9))
    pairs = list(combinations(range(n_systems), 2))
    different = {pair for pair in pairs if draw.random() < 0.5}
    groups = letter_groups(n_systems, different)
    assert set().union(*groups) == set(range(n_systems))
    shared = {pair for group in groups for pair in combinations(group, 2)}
    assert shared == set(pairs) - different
    for left_out in range(len(groups)):
        rest = [group for place, group in enumerate(groups) if place != left_out]
        still_shared = {pair for group in rest for pair in combinations(group, 2)}
        assert still_shared < shared or len(groups[left_out]) == 1


def test_letters() -> None:
    names = [group_letter(number) for number in (0, 1, 25, 26, 27, 51, 52, 701, 702)]
    assert names == ["a", "b", "z", "aa", "ab", "az", "ba", "zz", "aaa"]


@pytest.mark.parametrize(
    ("p_values", "adjusted"),
    [
        # 4 * .005, 3 * .01, 2 * .03, and .04 not below the one before it.
        (["0.01", "0.04", "0.03", "0.005"], ["0.03", "0.06", "0.06", "0.02"]),
        (["0.5", "0.6"], ["1", "1"]),
        ([], []),
    ],
)
def test_corrected_p_values(p_values: list[str], adjusted: list[str]) -> None:
    assert holm_adjusted([Fraction(p) for p in p_values]) == [Fraction(p) for p in adjusted]


def test_smallest_difference() -> None:
    # With many EVALs 1.96 + 0.8416 standard errors.
    assert smallest_difference(0.01, 10**6, 0.05) == pytest.approx(0.028016, rel=1e-4)
    assert smallest_difference(0.01, 4, 0.05) is None
    assert smallest_difference(0.01, 10, 0.001) is None
    assert smallest_difference(0.0, 10, 0.05) is None


def test_what_a_comparison_could_have_shown() -> None:
    draw = np.random.default_rng(5)
    scores = {name: evals(*draw.integers(0, 900, 60).tolist()) for name in ("a", "b", "c")}
    comparison = compare(results_of(scores), list(scores), plan())
    a, b = (np.array(list(scores[name].values())) / 100_000 for name in ("a", "b"))
    error = (a - b).std(ddof=1) / 60**0.5
    # The level is shared by three comparisons.
    quantiles = scipy.stats.t.ppf(1 - 0.05 / 6, 59) + scipy.stats.t.ppf(0.8, 59)
    assert comparison.pairs[0].minimum_detectable_difference == pytest.approx(
        error * quantiles, rel=1e-3
    )


@pytest.mark.parametrize(
    ("differences", "margin"), [((1, 2, -1, 3), 4), ((0, 0, 1), 1), ((5, -5, 2, 2), 1)]
)
def test_equivalence_is_that_of_all_signs(differences: tuple[int, ...], margin: int) -> None:
    sides = []
    for sign in (1, -1):
        moved = [margin + sign * one for one in differences]
        signed = [
            sum(s * one for s, one in zip(signs, moved, strict=True))
            for signs in product((1, -1), repeat=len(moved))
        ]
        sides.append(Fraction(sum(one >= sum(moved) for one in signed), len(signed)))
    swapped = (np.zeros(64), np.zeros(64))
    sizes = np.full(len(differences), float(margin))
    found = equivalence_p(np.array(differences, np.float64), sizes, swapped)
    assert found == max(sides)


def test_equivalence_by_random_swaps() -> None:
    differences = np.array([1.0, 2.0, -1.0, 3.0])
    # Swaps of the first, of the first and last, of all and of none, with a margin of 2.
    signs = np.array([[1, 0, 0, 0], [1, 0, 0, 1], [1, 1, 1, 1], [0, 0, 0, 0]])
    swapped = signs @ differences, signs.sum(axis=1) * 2.0
    # 2 + d: swapped 3, 8, 13, 0: one is 0. 2 - d: 1, 0, 3, 0: two are. The larger counts.
    assert equivalence_p(differences, np.full(4, 2.0), swapped) == Fraction(3, 5)


def test_systems_that_are_the_same_within_a_margin() -> None:
    draw = np.random.default_rng(2)
    base = draw.integers(40_000, 60_000, 80)
    scores = {
        "a": evals(*base.tolist()),
        "b": evals(*(base + draw.integers(-200, 201, 80)).tolist()),
        "c": evals(*(base + 1500).tolist()),
    }
    comparison = compare(results_of(scores), list(scores), MARGIN)
    found = [pair.equivalence for pair in comparison.pairs]
    # No swap of 999 brings a difference of 0.02, or 0.035, to nothing: three times 1 / 1000.
    assert [(one.p, one.p_holm) if one else None for one in found] == [(0.001, 0.003)] * 3
    # But c may be 0.015 and, with a score of 0 in 3 of 80 EVALs, 0.019 more away from the others.
    assert [one.is_significant if one else None for one in found] == [True, False, False]
    first, second, _ = comparison.pairs
    means = first.mean_a, first.mean_b
    assert first.unseen == pytest.approx(3 / 80 * max(*means, 1 - means[0], 1 - means[1]))
    assert second.farthest == pytest.approx(0.015 + 3 / 80 * second.mean_b)
    (warning,) = (text for text in comparison.warnings if "not called the same" in text)
    assert "the highest score, of which 80 texts do not exclude 3.8% (3 in 80)" in warning
    assert warning.endswith("within 0.02 takes more texts (2 pairs in all)")
    without = compare(results_of(scores), list(scores), plan(resamples=999))
    assert [pair.equivalence for pair in without.pairs] == [None] * 3


@pytest.mark.parametrize(
    ("score", "n_evals", "unseen", "is_same"),
    [
        # 3 in 30 could lose 0.05 together, which is more than the margin of 0.02; 3 in 300 less.
        pytest.param(50_000, 30, 0.05, False, id="few-texts"),
        pytest.param(50_000, 300, 0.005, True, id="many-texts"),
        # 3 in 120 would lose 0.0025 together, but could gain 0.0225.
        pytest.param(10_000, 120, 0.0225, False, id="gains"),
    ],
)
def test_unseen_failures_and_gains(score: int, n_evals: int, unseen: float, is_same: bool) -> None:
    near = [score + 10, score - 10] * (n_evals // 2)
    same = {"a": evals(*[score] * n_evals), "b": evals(*near)}
    (pair,) = compare(results_of(same), ["a", "b"], MARGIN).pairs
    assert pair.unseen == pytest.approx(unseen)
    assert pair.equivalence is not None
    assert (pair.equivalence.p, pair.equivalence.is_significant) == (0.001, is_same)


def test_skewed_sameness() -> None:
    # One of 300 EVALs is worse by 0.1.
    many = {"a": evals(*[50_000] * 300), "b": evals(*[50_010, 49_990] * 149, 50_010, 40_000)}
    comparison = compare(results_of(many), ["a", "b"], MARGIN)
    (pair,) = comparison.pairs
    assert pair.equivalence is not None
    assert pair.equivalence.is_significant
    assert any("called the same in ROUGE-1 F with few texts" in x for x in comparison.warnings)


def clustered(n_clusters: int, size: int) -> tuple[dict[str, dict[str, int]], dict[str, str]]:
    """Return scores whose differences are the same in each EVAL of a cluster, and the clusters."""
    draw = np.random.default_rng(8)
    steps = draw.integers(-50, 60, n_clusters).repeat(size)
    base = draw.integers(500, 900, len(steps))
    one, two = evals(*(base + steps).tolist()), evals(*base.tolist())
    clusters = {name: f"d{place // size}" for place, name in enumerate(one)}
    return {"one": one, "two": two}, clusters


def test_clusters_count_as_one() -> None:
    scores, clusters = clustered(9, 5)
    results = results_of(scores)
    results = replace(results, table=replace(results.table, clusters=clusters))
    (pair,) = compare(results, ["one", "two"], plan(resamples=600)).pairs
    # As if there were 9 EVALs with five times the difference, or the difference: all of 2^9.
    firsts = list(scores["one"])[::5]
    alone = {
        name: {str(k): by_eval[one] for k, one in enumerate(firsts)}
        for name, by_eval in scores.items()
    }
    (single,) = compare(results_of(alone), ["one", "two"], plan(resamples=600)).pairs
    assert (pair.n_evals, pair.n_clusters, pair.n_unequal) == (45, 9, single.n_unequal)
    assert pair.randomisation == single.randomisation
    assert pair.randomisation.is_exact
    assert pair.bootstrap == single.bootstrap
    assert pair.interval == pytest.approx(single.interval)
    assert pair.minimum_detectable_difference == pytest.approx(single.minimum_detectable_difference)


def test_clusters_of_different_sizes_are_weighed() -> None:
    # Differences 10, and 4 of each of three EVALs; 22 / 4 together.
    scores = {"one": evals(110, 104, 104, 104), "two": evals(100, 100, 100, 100)}
    clusters = dict(zip(scores["one"], ["x", "y", "y", "y"], strict=True))
    results = results_of(scores)
    results = replace(results, table=replace(results.table, clusters=clusters))
    (pair,) = compare(results, ["one", "two"], plan(resamples=400)).pairs
    assert pair.difference == pytest.approx(5.5 / 100_000)
    # 10 - 5.5 and 12 - 3 * 5.5 are 4.5 and -4.5, so the sum has a standard error of 9; Student's t
    # of 1 degree of freedom is 12.7062. The resamples reach only from 4 to 10.
    half = 12.706204736 * 9 / 4
    assert pair.interval == pytest.approx(((5.5 - half) / 100_000, (5.5 + half) / 100_000))
    # Draws of x twice, of both, and of y twice: 4.5, 0 and 1.5 from 5.5, none as far as 0 is.
    resampled, drawn = np.array([20.0, 22.0, 24.0]), np.array([2.0, 4.0, 6.0])
    assert bootstrap_p(resampled, 22.0, (drawn, 4.0)) == Fraction(1, 4)
    assert pair.bootstrap.p == 1 / 401


@pytest.mark.parametrize(
    ("eval_ids", "hint"),
    [
        pytest.param(
            [f"doc{k}-{j}" for k in range(6) for j in range(3)],
            ["18 texts with 6 prefixes of IDs, such as 'doc0': if texts of one document or topic "
             "belong together, name their field with --cluster"],
            id="documents",
        ),
        pytest.param([f"test-{k}" for k in range(20)], [], id="one-beginning"),
        pytest.param([f"{k}" for k in range(20)], [], id="numbers"),
        pytest.param([f"{k}-x" for k in range(20)], [], id="each-its-own"),
        pytest.param([f"{'abcde'[k % 5]}_{k}" for k in range(4)], [], id="few"),
        pytest.param([*(f"a-{k}" for k in range(10)), *"bcdefg"], [], id="not-all"),
        pytest.param([f"{'abcdefg'[max(0, k - 13)]}-{k}" for k in range(20)], [], id="most-in-one"),
    ],
)  # fmt: skip
def test_ids_that_look_like_clusters(eval_ids: list[str], hint: list[str]) -> None:
    assert list(cluster_hint(eval_ids)) == hint
