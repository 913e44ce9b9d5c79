"""Whole runs on generated texts: counts, scores and the printed report against the plain twin."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rouge_cli
from rouge_cli.reports import write_report
from rouge_cli.scores.results import Results
from rouge_cli.studies.score.view import ScoreView
from tests.plain.evaluate import Readings, all_metrics, count
from tests.plain.inputs import Evaluation
from tests.plain.numbers import total
from tests.plain.options import parse
from tests.plain.program import instance_order, report
from tests.property.sizes import small_batches
from tests.property.strategies import few, wide_pairs

ROOT = Path(__file__).parents[2]
STEMS = dict(
    line.split(b"\t")
    for line in (ROOT / "fixtures" / "golden" / "stems.tsv").read_bytes().splitlines()
)
STOPWORDS = frozenset((ROOT / "rouge_cli" / "data" / "stopwords.txt").read_bytes().split())
SYSTEM = "X"
LETTERS = {
    "max_ngram": "-n",
    "lcs": "-x",
    "weight": "-w",
    "max_gap": "-2",
    "skip_unigram": "-u",
    "skip_and_unigram": "-U",
    "basic_elements": "-3",
    "stem": "-m",
    "stem_models": "-M",
    "remove_stopwords": "-s",
    "words": "-l",
    "bytes": "-b",
    "formula": "-f",
    "alpha": "-p",
    "counting": "-t",
    "confidence": "-c",
    "resamples": "-r",
    "per_eval": "-d",
}


def stem(token: bytes) -> bytes:
    return token if len(token) <= 3 else STEMS[token]


def _words_with_stems_in_common() -> list[bytes]:
    """Return words of which others have the same stem, or are the stem."""
    words_of: dict[bytes, list[bytes]] = {}
    for word, stem in STEMS.items():
        words_of.setdefault(stem, []).append(word)
    families = [words for words in words_of.values() if len(words) > 2]
    return [word for words in families[::7] for word in words][:60]


STEMMED_WORDS = _words_with_stems_in_common()
# The stem of every beginning is known too, so a byte limit may cut them anywhere.
CUT_WORDS = sorted(
    word for word in STEMS if all(len(word[:k]) <= 3 or word[:k] in STEMS for k in range(len(word)))
)[::20]

COMMON_WORDS = [b"a", b"b", b"c", b"the", b"Of", b"CAT", b"dd"]
separators = st.sampled_from(
    [b" ", b" ", b" ", b"  ", b"-", b", ", b"\t", b"\xc3\xa9", b"\r", b"'"]
)


def sentences_of(words: st.SearchStrategy[bytes]) -> st.SearchStrategy[list[bytes]]:
    tokens = st.tuples(words, separators).map(b"".join)
    sentence = st.tuples(
        st.sampled_from([b"", b"", b"", b" ", b"\t"]), st.lists(tokens, max_size=9)
    )
    written = sentence.map(lambda parts: parts[0] + b"".join(parts[1]).replace(b"\n", b" "))
    return st.lists(written, max_size=4)


@dataclass(frozen=True)
class Job:
    """Texts and options of a run."""

    predictions: Sequence[Sequence[bytes]]
    references: Sequence[Sequence[Sequence[bytes]]]
    options: dict[str, Any]

    def arguments(self) -> list[str]:
        """Return the options as the original takes them."""
        arguments = []
        for name, value in self.options.items():
            if name == "lcs":
                arguments += [] if value else ["-x"]
            elif isinstance(value, bool):
                arguments += [LETTERS[name]] if value else []
            else:
                arguments += [LETTERS[name], str(value)]
        return [*arguments, "config", SYSTEM]


@st.composite
def options_of_metrics(draw: st.DrawFn) -> dict[str, Any]:
    """Draw which metrics to compute, at least one, and how to sum up."""
    chosen: dict[str, Any] = {"lcs": draw(st.booleans())}
    if draw(st.booleans()):
        chosen["max_ngram"] = draw(st.integers(1, 4))
    if draw(st.booleans()):
        chosen["weight"] = draw(st.sampled_from(["0.5", "1", "1.2", "2", "3", "2.0"]))
    if len(chosen) == 1 or draw(st.booleans()):
        chosen["max_gap"] = draw(st.sampled_from([-1, 0, 1, 4, 30]))
        chosen["skip_unigram"] = draw(st.booleans())
        chosen["skip_and_unigram"] = draw(st.booleans())
    return chosen | {
        "formula": draw(st.sampled_from("AB")),
        "alpha": draw(st.sampled_from(["0", "0.5", "0.8", "1"])),
        "counting": draw(st.sampled_from([0, 0, 1, 2])),
        "confidence": draw(st.sampled_from(["95", "50", "99.9", "0", "100"])),
        "resamples": draw(st.sampled_from([1, 2, 7, 20])),
        "per_eval": True,
    }


@st.composite
def jobs(draw: st.DrawFn) -> Job:
    """Draw texts and options that suit each other: all stems have to be known."""
    options = draw(options_of_metrics())
    is_stemmed = draw(st.booleans())
    limit = draw(st.sampled_from(["", "words", "bytes"]))
    if limit:
        options[limit] = draw(st.integers(1, 30))
    options["remove_stopwords"] = draw(st.booleans())
    words = st.sampled_from(COMMON_WORDS)
    if is_stemmed:
        stemming = draw(st.sampled_from(["", "stem", "stem_models"]))
        options |= {stemming: True} if stemming else {}
        words |= st.sampled_from(CUT_WORDS if limit == "bytes" else STEMMED_WORDS)
    else:
        words |= st.binary(max_size=5) | st.sampled_from([b"z" * 8, b"z" * 9, b"z" * 17, b"z" * 18])
    texts = sentences_of(words)
    instances = draw(
        st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=4)
    )
    return Job([one for one, _ in instances], [many for _, many in instances], options)


def twin(job: Job, form: str) -> tuple[list[Evaluation], Readings]:
    texts: dict[str, list[bytes]] = {}
    evaluations = []
    for number, (prediction, references) in enumerate(
        zip(job.predictions, job.references, strict=True), 1
    ):
        evaluation = Evaluation(str(number), form, {SYSTEM: f"{number}.peer"})
        texts[f"{number}.peer"] = list(prediction)
        for model, reference in enumerate(references):
            name = f"{number}.{model}"
            evaluation.model_ids.append(name)
            evaluation.models[name] = name
            texts[name] = list(reference)
        evaluations.append(evaluation)
    readings = Readings(
        options=parse(job.arguments()),
        read=lambda path, layout: list(filter(None, texts[path])),
        stopwords=STOPWORDS if job.options.get("remove_stopwords") else frozenset(),
        stem=stem,
    )
    return evaluations, readings


def check_run(job: Job, results: Results, form: str = "SPL") -> None:
    evaluations, readings = twin(job, form)
    metrics = all_metrics(readings.options)
    assert [metric.name for metric in results] == [metric.label for metric in metrics]
    for metric in metrics:
        found = results[metric.label].counted
        expected = [count(metric, readings, one, SYSTEM) for one in evaluations]
        assert found.hit.tolist() == [hit for hit, _, _ in expected]
        assert found.model_count.tolist() == [model for _, model, _ in expected]
        assert found.peer_count.tolist() == [peer for _, _, peer in expected]
    ordered = sorted(evaluations, key=lambda one: instance_order(one, SYSTEM))
    lines = [line for metric in metrics for line in report(metric, SYSTEM, ordered, readings)]
    assert "".join(write_report(ScoreView(results), "classic")).splitlines() == lines
    check_bounds(results)


def check_bounds(results: Results) -> None:
    """Check what holds of every score and count, whatever the texts.

    A weight below 1 makes ROUGE-W favour many short runs over a long one: there hits may
    outnumber both counts, and scores pass 1.
    """
    weight = results.options.metrics.weight
    for metric in results:
        is_bounded = not metric.name.startswith("ROUGE-W") or weight is None or weight.value >= 1
        most = 1.0 if is_bounded else float("inf")
        for measure in metric.measures.values():
            assert ((measure.per_eval >= 0) & (measure.per_eval <= most)).all()
            assert 0 <= measure.mean <= most
        if is_bounded:
            assert (metric.counted.hit <= metric.counted.model_count).all()
            assert (metric.counted.hit <= metric.counted.peer_count).all()


@few(250)
@given(jobs(), st.booleans())
@pytest.mark.usefixtures("core")
def test_runs_on_lists(job: Job, is_joined: bool) -> None:
    def given_as(text: Sequence[bytes]) -> bytes | Sequence[bytes]:
        return b"\n".join(text) if is_joined else text

    results = rouge_cli.evaluate(
        [given_as(text) for text in job.predictions],
        [[given_as(text) for text in texts] for texts in job.references],
        **job.options,
    )
    check_run(job, results)


@few(80)
@given(
    st.lists(jobs(), min_size=1, max_size=3),
    st.tuples(st.integers(1, 4), st.integers(2, 300), st.integers(1, 100)),
)
def test_runs_in_small_batches(jobs: list[Job], sizes: tuple[int, int, int]) -> None:
    # A text and its pairs may fall into any block; what comes out is the same.
    job = Job(
        [text for job in jobs for text in job.predictions],
        [texts for job in jobs for texts in job.references],
        {name: value for name, value in jobs[0].options.items() if "stem" not in name},
    )
    with small_batches(*sizes):
        results = rouge_cli.evaluate(job.predictions, job.references, **job.options)
    check_run(job, results)


@few(30)
@given(
    st.lists(wide_pairs(longest_model=60, n_peers=2), min_size=1, max_size=2), options_of_metrics()
)
@pytest.mark.usefixtures("core")
def test_runs_on_long_sentences(
    pairs: list[tuple[list[list[bytes]], list[list[bytes]]]], options: dict[str, Any]
) -> None:
    def written(text: list[list[bytes]]) -> list[bytes]:
        return [b" ".join(sentence) for sentence in text]

    job = Job(
        [written(peer) for peer, _ in pairs],
        [[written(model), written(peer[:1])[:60]] for peer, model in pairs],
        options,
    )
    check_run(job, rouge_cli.evaluate(job.predictions, job.references, **options))


FIELDS = [
    b"nil",
    b"NIL",
    b"cat",
    b"Cats",
    b"dog house",
    b"- x",
    b" the  cats ",
    b"ads men",
    b"the",
    b"3",
    b"\xe9t\xe9s",
    b"....",
]
elements = st.lists(st.tuples(*[st.sampled_from(FIELDS)] * 3).map(b"|".join), max_size=8)


def known_stem(word: bytes) -> bytes:
    """Return the stems of the words in `FIELDS`: a final s goes in step 1a, a final e in 5.

    Men is irregular, and no field of its own, which would be too short to be stemmed.
    """
    return {
        b"cats": b"cat",
        b"house": b"hous",
        b"\xe9t\xe9s": b"\xe9t\xe9",
        b"ads": b"ad",
        b"men": b"man",
    }.get(word, word)


@given(
    st.lists(
        st.tuples(elements, st.lists(elements, min_size=1, max_size=3)), min_size=1, max_size=3
    ),
    st.sampled_from(["H", "HM", "HMR", "HM1", "HMR1", "HMR2"]),
    st.sampled_from(["", "stem", "stem_models"]),
    st.sampled_from("AB"),
    st.sampled_from([0, 1, 2]),
)
def test_runs_on_basic_elements(
    instances: list[tuple[list[bytes], list[list[bytes]]]],
    mode: str,
    stemming: str,
    formula: str,
    counting: int,
) -> None:
    options: dict[str, Any] = {
        "basic_elements": mode,
        "formula": formula,
        "counting": counting,
        "resamples": 5,
        "per_eval": True,
    } | ({stemming: True} if stemming else {})
    job = Job([peer for peer, _ in instances], [models for _, models in instances], options)
    results = rouge_cli.evaluate(job.predictions, job.references, **options)
    with patch(f"{__name__}.stem", known_stem):
        check_run(job, results, "SIMPLE")


def test_pooled_counts_of_a_whole_run() -> None:
    # More instances than one portion holds, each its own: hits of 1..7 of 7 tokens.
    tokens = [b"t%d" % k for k in range(7)]
    predictions = [[b" ".join(tokens[: k % 7 + 1])] for k in range(1500)]
    references = [[[b" ".join(tokens)]]] * len(predictions)
    results = rouge_cli.evaluate(predictions, references, max_ngram=1, counting=1, resamples=2)
    counts = results["ROUGE-1"].counted
    assert counts.hit.tolist() == [k % 7 + 1 for k in range(1500)]
    assert total(counts.model_count.tolist()) == 7 * 1500
