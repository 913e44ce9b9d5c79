"""Statistics of summaries beside their sources: those of the usual codes."""

from typing import Any

import numpy as np
import pytest

from rouge_cli import bulk
from rouge_cli.errors import RougeWarning
from rouge_cli.metrics.sources import fragments
from rouge_cli.text.ascii155 import WIDE_BLANKS
from tests.unit.bulk.stored import cases

FRAGMENTS = ("coverage", "density", "compression")
CASED = {"tokenizer": "whitespace", "case": "none"}


@pytest.mark.usefixtures("core")
@pytest.mark.filterwarnings("ignore:summaries without n-grams")
@pytest.mark.parametrize(("key", "options"), [("lower", {}), ("cased", CASED)])
def test_fragments_of_newsroom(key: str, options: dict[str, Any]) -> None:
    every = cases("fragments.jsonl")
    texts = [case["summary"] for case in every], [case["text"] for case in every]
    found = bulk.source_statistics(*texts, **options)
    for name in FRAGMENTS:
        assert found[name].tolist() == [case[key][name] for case in every]
    for case in every:
        change = str.lower if key == "lower" else str
        runs = fragments(*(change(case[side]).split() for side in ("summary", "text")))
        assert list(map(list, runs)) == case[key]["fragments"]


def test_fragments_go_on_behind_a_match() -> None:
    """Not (0, 1, 3), which begins inside of the first match."""
    assert list(fragments([*"aab"], [*"aaab"])) == [(0, 0, 2), (2, 3, 1)]


@pytest.mark.usefixtures("core")
@pytest.mark.filterwarnings("ignore:summaries without n-grams")
def test_novelty_of_summeval() -> None:
    every = cases("novelty.jsonl")
    texts = [case["summary"] for case in every], [case["text"] for case in every]
    found = bulk.source_statistics(*texts, orders=(1, 2, 3, 4))
    for name in FRAGMENTS:
        assert found[name].tolist() == [case["summeval"][name] for case in every]
    keys = {"novel": "percentage_novel_{}-gram", "repeated": "percentage_repeated_{}-gram_in_summ"}
    for number, case in enumerate(every):
        for name, key in keys.items():
            for order in (1, 2, 3, 4):
                expected = case["summeval"].get(key.format(order), np.nan)
                value = found[f"{name}-{order}"][number]
                assert value == expected or (np.isnan(value) and np.isnan(expected))


@pytest.mark.usefixtures("core")
def test_novelty_of_presumm() -> None:
    for case in cases("novelty.jsonl"):
        expected = case["presumm"]
        for text, key in (("candidate", "novel"), ("gold", "gold_novel")):
            found = bulk.source_statistics(
                [expected[text]], [case["text"]], orders=(1, 2, 4), rule="presumm"
            )
            for order, values in expected[key].items():
                names = (f"{name}-{order}" for name in ("novel-count", "distinct", "novel"))
                assert [found[name][0] for name in names] == values
        found = bulk.source_statistics(
            [expected["candidate"]], [case["text"]], orders=(2, 4, 8), rule="presumm"
        )
        repeated = {order: found[f"repeated-{order}"][0] for order in (2, 4, 8)}
        assert repeated == {int(n): flag for n, flag in expected["self_repeat"].items()}


@pytest.mark.usefixtures("core")
def test_pieces_and_signs_of_bert() -> None:
    """The source is "play ing cat dog end": the last word of each text begins no unigram."""
    source = "[CLS]play ##ing[SEP] cat dog[PAD]end"
    found = bulk.source_statistics(["playing cat dog end x"], [source], [1], rule="presumm")
    # "end" is the last unigram of the source, and is lost: of playing, cat, dog, end one is new.
    assert found["novel-count-1"].tolist() == [1.0]
    assert found["distinct-1"].tolist() == [4.0]


@pytest.mark.usefixtures("core")
def test_white_space() -> None:
    r"""Every white space of `str.split` is one, and a no-break space in UTF-8 is no part of à."""
    assert set(WIDE_BLANKS) == {chr(code) for code in range(0x80, 0x110000) if chr(code).isspace()}
    source = "\u00e0\u00a0b\x1cc\x85d\u2003e\nf\tg"
    found = bulk.source_statistics(["\u00c0 b c d e f g"], [source], orders=[1])
    assert [found[name][0] for name in FRAGMENTS] == [1.0, 7.0, 1.0]


def test_summaries_without_ngrams() -> None:
    message = "whose novel-N and repeated-N are nan: 1 at N=1, 2 at N=2; numpy.nanmean"
    with pytest.warns(RougeWarning, match=message):
        found = bulk.source_statistics(["", "a", "a b"], ["a", "b", "b c"], orders=(2, 1))
    assert np.isnan(found["novel-2"]).tolist() == [True, True, False]
    assert found["novel-1"].tolist()[1:] == [1.0, 0.5]
    assert list(found)[3:] == ["novel-2", "repeated-2", "novel-1", "repeated-1"]


def test_no_texts() -> None:
    found = bulk.source_statistics([], [])
    assert len(found) == 9
    assert all(values.shape == (0,) and values.dtype == np.float64 for values in found.values())


def test_options() -> None:
    found = bulk.source_statistics(["The dogs."], ["a dog"], [1], stem=True)
    assert found["coverage"].tolist() == [0.5]
