"""Every road from texts to scores: layouts, lists, single pairs, parts and saved rows."""

import os
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rouge_cli
from rouge_cli import batches
from rouge_cli.core import VARIABLE
from tests.cli.running import Run
from tests.layouts import LAYOUTS, Corpus, Layout, as_config, as_jsonl, records, scored_by_config
from tests.property.sizes import small_batches
from tests.property.strategies import few

# What a layout could take for something of its own, and what is more than one byte.
PIECES = ["a", "b", "The ", "cats ", " ", "-", "'", '"', ",", ";", "<", "&", "\\n", "$", "\t"]
HOSTILE = ["\x0b", "\x1c", "\x85", "\u2028", "\u00e9", "e\u0301", "\u3000", "\U0001d54f", "\ud7ff"]
SENTENCES = st.lists(st.sampled_from(PIECES * 2 + HOSTILE), max_size=6).map("".join)
TEXTS = st.lists(SENTENCES, min_size=1, max_size=3)
# An empty reference of a record beside others is absent, where a file is a model without words.
MODELS = TEXTS.filter(lambda text: any(sentence.strip() for sentence in text))
OPTIONS: list[dict[str, Any]] = [
    {"max_ngram": 2, "weight": "1.2", "max_gap": 4, "skip_and_unigram": True},
    {"max_ngram": 2, "stem": True, "remove_stopwords": True},
    {"max_ngram": 1, "formula": "B", "counting": 1},
    {"max_ngram": 1, "stem_models": True, "counting": 2},
    {"max_ngram": 1, "words": 3},
    {"max_ngram": 1, "bytes": 5, "confidence": 90},
    {"max_ngram": 1, "lcs_unit": "text", "alpha": "0.2"},
    {"protocol": "rouge-score"},
]
SIZES = [(1, 1, 16), (3, 20, 64), (8192, 1 << 20, 1 << 20)]

# A run leaves nothing to the next one, so the fixture serves all examples.
RUNS = settings(few(60), suppress_health_check=list(HealthCheck))


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    # The order of the bootstrap, of bytes, is another than that of numbers from 10 on.
    n_evals = draw(st.integers(1, 5) | st.just(12))
    peers, models = (
        st.lists(texts, min_size=n_evals, max_size=n_evals) for texts in (TEXTS, MODELS)
    )
    return Corpus(
        {name: draw(peers) for name in ("them", "us")}, {name: draw(models) for name in "AB"}
    )


def average_words(options: dict[str, Any]) -> list[str]:
    """Return what is chosen after counting; a protocol has no classic report."""
    return ["-r", "7", "-d", "--report", "csv" if "protocol" in options else "classic"]


def scores_of(report: bytes) -> list[bytes]:
    """Return the lines of a report, if it is CSV of each EVAL alone and without signatures.

    A separator of sentences has a place in signatures, and EVALs are in the order of the input.
    """
    lines = report.splitlines()
    if not report.startswith(b"system,"):
        return lines
    return sorted(line.rpartition(b",")[0] for line in lines if line.split(b",")[3])


def words_of(options: dict[str, Any]) -> list[str]:
    """Return options as the command line has them."""
    words = average_words(options)
    for name, value in options.items():
        words.append("--" + name.replace("_", "-"))
        words += [] if value is True else [str(value)]
    return words


def saved_again(options: dict[str, Any], corpus: Corpus, folder: Path, run: Run) -> bytes:
    """Return the report of scores that a run has saved as rows."""
    layout = as_jsonl(corpus, folder)
    assert run(*words_of(options), *layout, "--save", "rows.jsonl", cwd=folder).code == 0
    return run(*average_words(options), "rows.jsonl", cwd=folder).out


def counted_in_parts(options: dict[str, Any], corpus: Corpus, folder: Path, run: Run) -> bytes:
    """Return the report of rows that were counted record by record."""
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [{**row, "id": str(row["id"])} for row in records(corpus)]
    parts = [pa.RecordBatch.from_pylist([row]) for row in rows]
    plan = batches.plan(parts[0].schema, **options)
    (folder / "parts").mkdir()
    for number, part in enumerate(parts):
        counted = pa.Table.from_batches([plan.count(part)])
        parquet.write_table(counted, folder / "parts" / f"{number}.parquet")
    plan.write_header(str(folder / "parts"))
    return run(*average_words(options), "parts", cwd=folder).out


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)
def test_nothing_is_said_of_clean_texts(layout: Layout, run: Run, tmp_path: Path) -> None:
    def texts(*sentences: str) -> list[list[str]]:
        return [[f"{sentence} {number % 5}" for sentence in sentences] for number in range(12)]

    corpus = Corpus(
        {"them": texts("a cat ran", "home"), "us": texts("the cat sat", "the dogs ran to it")},
        {"A": texts("the cat sat", "down"), "B": texts("dogs ran", "and the cat sat")},
    )
    for name in ("config", "here"):
        (tmp_path / name).mkdir()
    words = ("-n", "2", "--lcs", "-d", "-r", "50", "--report", "classic")
    as_config(corpus, tmp_path / "config")
    expected = run(*words, *scored_by_config(layout), cwd=tmp_path / "config")
    found = run(*words, *layout(corpus, tmp_path / "here"), cwd=tmp_path / "here")
    assert (found.code, found.err, found.out) == (0, "", expected.out)


@RUNS
@given(
    corpus=corpora(),
    options=st.sampled_from(OPTIONS),
    layouts=st.lists(st.sampled_from(LAYOUTS), min_size=3, max_size=3, unique=True),
    sizes=st.sampled_from(SIZES),
    jobs=st.integers(1, 4),
    core=st.sampled_from("01"),
)
def test_reports(
    corpus: Corpus,
    options: dict[str, Any],
    layouts: list[Layout],
    sizes: tuple[int, int, int],
    jobs: int,
    core: str,
    run: Run,
) -> None:
    """The way of the core and of Python, cut into batches of any size, with any number of jobs."""
    words = words_of(options)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        home = folder / "config"
        home.mkdir()
        arguments = as_config(corpus, home)
        expected = run(*words, *arguments, cwd=home).out
        assert expected.count(b"\n") > len(corpus.numbers)
        with patch.dict(os.environ, {VARIABLE: core}), small_batches(*sizes):
            for layout in layouts:
                here = folder / layout.__name__
                here.mkdir()
                found = run(*words, "--jobs", str(jobs), *layout(corpus, here), cwd=here)
                same = run(*words, *scored_by_config(layout), cwd=home).out
                assert scores_of(found.out) == scores_of(same), (layout.__name__, found.err)
            # Protocols are not for batches.
            if "protocol" not in options:
                assert counted_in_parts(options, corpus, folder, run) == expected
            assert saved_again(options, corpus, folder, run) == expected


@RUNS
@given(
    corpus=corpora(),
    options=st.sampled_from(OPTIONS),
    sizes=st.sampled_from(SIZES),
    core=st.sampled_from("01"),
)
def test_lists_and_single_pairs(
    corpus: Corpus, options: dict[str, Any], sizes: tuple[int, int, int], core: str, run: Run
) -> None:
    references = list(map(list, zip(*corpus.models.values(), strict=True)))
    with tempfile.TemporaryDirectory() as folder:
        arguments = as_config(corpus, Path(folder))
        expected = run(*words_of(options), *arguments, cwd=Path(folder)).out
    with patch.dict(os.environ, {VARIABLE: core}), small_batches(*sizes):
        results = rouge_cli.evaluate(
            corpus.peers, references, resamples=7, per_eval=True, **options
        )
        if "protocol" not in options:
            assert results.to_classic().encode() == expected
        for number, peer in enumerate(corpus.peers["us"]):
            alone = rouge_cli.score(peer, references[number], resamples=0, **options)
            for column in results.systems["us"]:
                for letter, measure in column.measures.items():
                    of_pair = alone[column.name].measures[letter].per_eval
                    assert of_pair.tolist() == [measure.per_eval[number]]
