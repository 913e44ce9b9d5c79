"""The marks of every metric add up to its row of the score table, whatever the options are."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rouge_cli
from rouge_cli.explanations import (
    InstanceExplanation,
    MetricExplanation,
    PairExplanation,
    SeenText,
    explain_batch,
)
from rouge_cli.inputs.layout import open_input
from rouge_cli.inputs.source import GivenTexts, Source
from rouge_cli.metrics.counts import CLIPPED, COUNTED, UNMATCHED, Match, Place
from rouge_cli.options.options import Options
from rouge_cli.scores.results import Results
from rouge_cli.text.tokenizer import load_tokenizer
from tests.property.sizes import small_batches
from tests.property.strategies import few
from tests.property.test_languages import SENTENCES, drawn
from tests.property.test_pipeline import elements, jobs
from tests.property.test_soft import table_by_chance, text_by_chance
from tests.word_vectors import write_table

Lists = tuple[Sequence[Any], Sequence[Any]]

EVERY_METRIC: dict[str, Any] = {
    "max_ngram": 3,
    "weight": "1.2",
    "max_gap": 4,
    "skip_and_unigram": True,
    "pairwise_lcs": True,
    "resamples": 0,
}


def explained(
    texts: Lists, given: dict[str, Any], *, with_matches: bool = True
) -> list[InstanceExplanation]:
    options = Options.of(given)
    tokenizer = load_tokenizer(options.texts, {})
    source = Source(texts=GivenTexts(*texts))
    opened = open_input(source, options.inputs, options.metrics)
    return [
        one
        for batch in opened.batches()
        for one in explain_batch(batch, options, tokenizer, with_matches=with_matches)
    ]


def states_of_all(found: list[InstanceExplanation]) -> list[list[tuple[bytes, bytes]]]:
    return [
        [(pair.peer_states, pair.model_states) for metric in one for pair in metric.pairs]
        for one in found
    ]


def check(texts: Lists, given: dict[str, Any]) -> None:
    options = Options.of(given)
    results = rouge_cli.evaluate(*texts, **given)
    assert isinstance(results, Results)
    found = explained(texts, given)
    assert len(found) == len(texts[0])
    # Pages mark all pairs at once.
    fast = explained(texts, given, with_matches=False)
    assert states_of_all(fast) == states_of_all(found)
    for place, one in enumerate(found):
        assert [metric.metric.name for metric in one] == [metric.name for metric in results]
        for metric in one:
            check_scores(metric, results, place)
            for pair in metric.pairs:
                check_pair(metric.metric.name, pair)
            check_models(metric, options)


def check_scores(metric: MetricExplanation, results: Results, place: int) -> None:
    scores, tally = results[metric.metric.name], metric.tally
    assert tally is not None
    assert [one.per_eval[place] for one in scores.measures.values()] == list(metric.values)
    counts = scores.counted
    assert tally.hit == counts.hit[place]
    assert tally.model_count == counts.model_count[place]
    assert tally.peer_count == counts.peer_count[place]
    if counts.peer_hit is not None:
        assert tally.peer_hit == counts.peer_hit[place]


def check_models(metric: MetricExplanation, options: Options) -> None:
    """Formula A adds up all models in order; B and best-f have the counts of one."""
    tally, pairs = metric.tally, metric.pairs
    assert tally is not None
    counted = [pair.tally for pair in pairs if pair.is_counted]
    assert len(counted) == (len(pairs) if options.scores.formula == "A" else 1)
    for name in ("hit", "model_count", "peer_count"):
        assert getattr(tally, name) == sum(getattr(one, name) for one in counted)
    if options.scores.formula == "best-f":
        assert tally.values[2] == max(pair.tally.values[2] for pair in pairs)
    if options.scores.formula == "B" and not metric.metric.name.startswith("ROUGE-W"):
        assert tally.values[0] == max(pair.tally.values[0] for pair in pairs)


def key(text: SeenText, place: Place) -> list[str]:
    words = text.stems or text.words
    return [words[number] for number in place]


def check_pair(name: str, pair: PairExplanation) -> None:
    marks = pair.marks
    check_hits(name, pair)
    for match in (*marks.matches, *(marks.peer_matches or ())):
        keys = [key(pair.peer, one) for one in match.peer]
        keys += [key(pair.model, one) for one in match.model]
        assert len({*map(tuple, keys)}) == 1 or match.similarity is not None
        assert list(match.peer) == sorted(set(match.peer))
        assert list(match.model) == sorted(set(match.model))
    peer_matches = marks.matches if marks.peer_matches is None else marks.peer_matches
    peer_places = [(match.peer, match.hits) for match in peer_matches]
    assert pair.peer_states == states(peer_places, len(pair.peer.words))
    model_places = [(match.model, match.hits) for match in marks.matches]
    assert pair.model_states == states(model_places, len(pair.model.words))
    check_alignments(pair)


def states(places: list[tuple[tuple[Place, ...], int]], n_words: int) -> bytes:
    found = bytearray([UNMATCHED]) * n_words
    for occurrences, hits in places:
        for number, occurrence in enumerate(occurrences):
            for word in occurrence:
                found[word] = max(found[word], COUNTED if number < hits else CLIPPED)
    return bytes(found)


def total_hits(matches: Sequence[Match]) -> int:
    return sum(match.hits for match in matches)


def check_hits(name: str, pair: PairExplanation) -> None:
    marks = pair.marks
    tally = pair.tally
    if name.startswith("ROUGE-W"):
        total: float = 0
        for run in marks.runs:
            counted = pair.model_states[run.start : run.end].count(COUNTED)
            assert counted == run.length
            total += run.weight
        assert total == tally.hit
        assert total_hits(marks.matches) == pair.model_states.count(COUNTED)
        return
    assert total_hits(marks.matches) == tally.hit
    assert all(match.hits <= len(match.model) for match in marks.matches)
    if name in {"ROUGE-1", "ROUGE-L", "ROUGE-L-text", "LCS-pairwise"}:
        assert pair.model_states.count(COUNTED) == tally.hit
        assert len(pair.model.words) == tally.model_count
    if name == "ROUGE-1":
        assert pair.peer_states.count(COUNTED) == tally.hit
        assert len(pair.peer.words) == tally.peer_count
    if name == "LCS-pairwise":
        assert marks.peer_matches is not None
        assert total_hits(marks.peer_matches) == pair.peer_states.count(COUNTED) == tally.peer_hit
    if "-S" in name or name[-1].isdigit():
        assert all(match.hits == min(len(match.peer), len(match.model)) for match in marks.matches)


def check_alignments(pair: PairExplanation) -> None:
    marks = pair.marks
    on_model, on_peer = set(), set()
    for one in marks.alignments:
        for (model, peer), (next_model, next_peer) in zip(one.words, one.words[1:], strict=False):
            assert model < next_model
            assert peer < next_peer
        for model, peer in one.words:
            assert sentence_of(pair.model, model) == one.model_sentence
            assert sentence_of(pair.peer, peer) == one.peer_sentence
            assert key(pair.model, (model,)) == key(pair.peer, (peer,))
            on_model.add(model)
            on_peer.add(peer)
    if marks.alignments and marks.peer_matches is None:
        assert on_model == {word for match in marks.matches for (word,) in match.model}
        assert on_peer == {word for match in marks.matches for (word,) in match.peer}


def sentence_of(text: SeenText, word: int) -> int:
    return sum(end <= word for end in text.sentence_ends)


@few(40)
@given(jobs(), st.sampled_from(["A", "B", "best-f"]), st.booleans(), st.booleans())
def test_words(job: Any, formula: str, is_pairwise: bool, is_text: bool) -> None:
    options = {**job.options, "formula": formula, "counting": 0, "pairwise_lcs": is_pairwise}
    if is_text and options["lcs"]:
        options["lcs_unit"] = "text"
    check((job.predictions, job.references), options)


@few(15)
@given(st.lists(jobs(), min_size=1, max_size=3), st.tuples(*[st.integers(2, 100)] * 3))
def test_words_in_small_batches(all_jobs: list[Any], sizes: tuple[int, int, int]) -> None:
    predictions = [text for job in all_jobs for text in job.predictions]
    references = [texts for job in all_jobs for texts in job.references]
    with small_batches(*sizes):
        check((predictions, references), EVERY_METRIC)


@few(30)
@given(
    st.lists(
        st.tuples(elements, st.lists(elements, min_size=1, max_size=3)), min_size=1, max_size=3
    ),
    st.sampled_from(["H", "HM", "HMR", "HM1", "HMR1", "HMR2"]),
    st.sampled_from(["", "stem", "stem_models"]),
    st.sampled_from(["A", "B", "best-f"]),
)
def test_basic_elements(instances: list[Any], mode: str, stemming: str, formula: str) -> None:
    options: dict[str, Any] = {"basic_elements": mode, "formula": formula, "resamples": 0}
    options |= {stemming: True} if stemming else {}
    check(([peer for peer, _ in instances], [models for _, models in instances]), options)


@pytest.mark.parametrize("language", sorted(SENTENCES))
@pytest.mark.parametrize(
    "options",
    [{}, {"words": 9}, {"bytes": 70}, {"tokenizer": "char"}, {"tokenizer": "whitespace"}],
    ids=str,
)
def test_languages(language: str, options: dict[str, Any]) -> None:
    predictions, references = drawn(language)
    given = {**EVERY_METRIC, "language": language, **options}
    check((predictions[:10], references[:10]), given)


@pytest.mark.parametrize("language", ["de", "es", "fr", "ru"])
@pytest.mark.parametrize("stemming", ["stem", "stem_models"])
def test_stems_and_stopwords_of_languages(language: str, stemming: str) -> None:
    predictions, references = drawn(language)
    given = {**EVERY_METRIC, "language": language, stemming: True, "remove_stopwords": True}
    check((predictions[:10], references[:10]), given)


@pytest.mark.parametrize("seed", range(10))
def test_soft_matches(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    table = {word.decode(): vector for word, vector in table_by_chance(rng, 3).items()}
    path = write_table(tmp_path, "text", table)
    texts = [[b" ".join(text_by_chance(rng)) for _ in range(20)] for _ in range(3)]
    given = {"max_ngram": 3, "soft": str(path), "soft_threshold": "0.5", "resamples": 0}
    check((texts[0], list(map(list, zip(*texts[1:], strict=True)))), given)


def test_metrics_that_do_not_count_have_values_only() -> None:
    class Length:
        name, signature, measures = "length", "length", ("S",)

        def score(self, peers: Sequence[str], models: Sequence[Sequence[str]]) -> list[float]:
            return [float(len(peer)) for peer in peers]

    (found,) = explained((["a b"], [["a"]]), {"also": [Length()], "lcs": False})
    (metric,) = found
    assert (metric.values, metric.tally, metric.pairs) == ((3.0,), None, ())


def test_a_list_without_elements() -> None:
    (found,) = explained(([""], [[""]]), {"basic_elements": "HM", "resamples": 0})
    (metric,) = found
    assert metric.tally is not None
    assert (metric.tally.hit, metric.tally.model_count, metric.tally.peer_count) == (0, 0, 0)
