"""Corpora that are at hand, odd ones too, and what they score."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from rouge_cli.inputs.index import HeldInput
from rouge_cli.inputs.source import Source
from rouge_cli.options.options import Options
from rouge_cli.reports import write_report
from rouge_cli.run.pipeline import RunContext, resolved_run, score_input
from rouge_cli.studies.score.view import ScoreView
from tests.corpora import held_input

EVAL_IDS = [
    "1", "2", "3", "10", "11", "a", "A", "a.b", "a.", "x y", "..", "é/\"&<'>", "con", "日本",
]  # fmt: skip
SYSTEMS = ["X", "b", "a-b", "<s>", "10", "é"]
WORDS = [b"the", b"cat", b"Cats", b"running", b"a", b"x-y", b"caf\xc3\xa9", b"12"]
ODD_BYTES = [bytes([code]) for code in range(256) if code != 10]
# Halves of surrogate pairs too, as JSON may hold them, but no first half before a second.
ODD_CHARACTERS = [
    chr(code).encode("utf-8", "surrogatepass")
    for code in (*range(10), *range(11, 256), 0xDC00, 0xDC80, 0xDCFF, 0xFFFD, 0x1F600)
]


def _sentences(alphabet: Sequence[bytes]) -> st.SearchStrategy[bytes]:
    """Generate sentences, some blank, some with any bytes in them."""
    parts = st.sampled_from([*WORDS, *WORDS, b"<", b"<q>", b">", b"\r", *alphabet])
    separators = st.sampled_from([b" ", b" ", b"  ", b"", b"\t", b"<"])
    pairs = st.tuples(parts, separators).map(b"".join)
    edges = st.sampled_from([b"", b"", b"", b" ", b"\r", b"\t", b"\0"])
    return st.tuples(edges, st.lists(pairs, max_size=8).map(b"".join), edges).map(b"".join)


@st.composite
def corpora(
    draw: st.DrawFn, *, is_regular: bool = False, odd: Sequence[bytes] = ODD_BYTES
) -> HeldInput:
    """Draw an input; a regular one has every peer and as many models in each EVAL."""
    texts = st.lists(_sentences(odd), max_size=4).map(b"\n".join)
    names = st.sampled_from(EVAL_IDS[:7]) if is_regular else st.sampled_from(EVAL_IDS)
    ids = draw(st.lists(names, min_size=1, max_size=12, unique=True))
    systems = draw(st.lists(st.sampled_from(SYSTEMS), min_size=1, max_size=3, unique=True))
    n_models = draw(st.integers(1, 3))
    evals = {}
    for id_ in ids:
        present = systems
        if not is_regular:
            present = draw(st.lists(st.sampled_from(systems), min_size=1, unique=True))
            n_models = draw(st.integers(1, 3))
        peers = {system: draw(texts) for system in present}
        evals[id_] = (peers, draw(st.lists(texts, min_size=n_models, max_size=n_models)))
    return held_input(evals)


@st.composite
def scorings(draw: st.DrawFn, *, is_stemmed: bool = True) -> dict[str, Any]:
    """Draw options that a conversion has to leave without effect."""
    limit = draw(st.sampled_from([{}, {}, {"words": draw(st.integers(1, 20))}, {"bytes": 0}]))
    if "bytes" in limit:
        limit["bytes"] = draw(st.integers(1, 60))
    return limit | {
        "max_ngram": 2,
        "weight": "1.2",
        "max_gap": draw(st.sampled_from([-1, 0, 4])),
        "skip_and_unigram": True,
        "stem": is_stemmed and draw(st.booleans()),
        "remove_stopwords": is_stemmed and draw(st.booleans()),
        "formula": draw(st.sampled_from("AB")),
        "counting": draw(st.sampled_from([0, 0, 1, 2])),
        "resamples": draw(st.sampled_from([1, 7])),
    }


def report_of_corpus(corpus: HeldInput, given: Mapping[str, Any]) -> str:
    results = score_input(corpus, Options.of(given), RunContext())
    return "".join(write_report(ScoreView(results), "classic"))


def report_of_system(corpus: HeldInput, system: str, given: Mapping[str, Any]) -> str:
    """Score an input for one of its systems."""
    evals = [texts for texts in corpus.evals() if system in texts.peers]
    return report_of_corpus(HeldInput(evals, (system,), corpus), given)


def report_of_input(config: str | None, system: str | None, given: Mapping[str, Any]) -> str:
    """Score what has been written."""
    source = Source(config, () if system is None else (system,))
    results = resolved_run(source, Options.of(given)).results(RunContext())
    return "".join(write_report(ScoreView(results), "classic"))


@contextmanager
def working_in(folder: str | Path) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
