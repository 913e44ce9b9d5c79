"""What names a run: its signature, and the command line of the original."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli import __version__
from rouge_cli.data import EXCEPTIONS, STOPWORDS, read_list
from rouge_cli.errors import OptionError
from rouge_cli.options.declaration import Option
from rouge_cli.options.options import OPTIONS, Options
from rouge_cli.options.readers import Choice, switch
from rouge_cli.scores.signature import original_command, signature
from tests.tables import rows_of

HEAD = f"rouge-cli:{__version__}|like:1.5.5|"
TEXTS = "stem:no|stop:no|limit:no|"
SCORES = "formula:A|alpha:0.5|count:eval|resamples:1000|confidence:95"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, f"L|sent:newline|{TEXTS}{SCORES}"),
        ({"max_ngram": 2, "stem": True},
         f"n:2|L|sent:newline|stem:porter155+wn2.0|stop:no|limit:no|{SCORES}"),
        ({"max_ngram": 4, "weight": "1.2", "max_gap": 4, "skip_and_unigram": True},
         f"n:4|L|w:1.2|s:4|su:4|sent:newline|{TEXTS}{SCORES}"),
        ({"lcs": False, "max_gap": "-1"}, f"s:*|{TEXTS}{SCORES}"),
        ({"lcs": False, "max_gap": "0", "skip_unigram": True}, f"su:0|{TEXTS}{SCORES}"),
        ({"basic_elements": "HM"}, f"be:HM|{TEXTS}{SCORES}"),
        ({"lcs_unit": "text", "pairwise_lcs": True},
         f"L:text|LCS-pairwise|sent:newline|{TEXTS}{SCORES}"),
        ({"formula": "best-f", "jackknife": True},
         f"L|sent:newline|{TEXTS}formula:best-f|jackknife|alpha:0.5|count:eval|"
         "resamples:1000|confidence:95"),
        (
            {"stem_models": True},
            f"L|sent:newline|stem:no|stem-models:porter155+wn2.0|stop:no|limit:no|{SCORES}",
        ),
        ({"remove_stopwords": True}, f"L|sent:newline|stem:no|stop:smart155|limit:no|{SCORES}"),
        ({"words": 100}, f"L|sent:newline|stem:no|stop:no|limit:100w|{SCORES}"),
        ({"empty": "skip"}, f"L|sent:newline|stem:no|stop:no|empty:skip|limit:no|{SCORES}"),
        ({"bytes": 665}, f"L|sent:newline|stem:no|stop:no|limit:665b|{SCORES}"),
        ({"sentence_separator": "<q>"}, f"L|sent:<q>|{TEXTS}{SCORES}"),
        ({"lcs": False, "max_ngram": 1, "sentence_separator": "<q>"}, f"n:1|{TEXTS}{SCORES}"),
        ({"sentences": "nltk"}, f"L|sent:punkt|{TEXTS}{SCORES}"),
        # With -b, a letter of Latin-1 is two bytes.
        ({"encoding": "latin-1", "bytes": 9},
         f"L|enc:iso8859-1|sent:newline|stem:no|stop:no|limit:9b|{SCORES}"),
        ({"formula": "B", "alpha": "1.0", "counting": 1, "resamples": 10, "confidence": "99.50"},
         f"L|sent:newline|{TEXTS}formula:B|alpha:1|count:pooled|resamples:10|confidence:99.5"),
        ({"resamples": 0}, f"L|sent:newline|{TEXTS}formula:A|alpha:0.5|count:eval|resamples:0"),
        ({"counting": 2}, f"L|sent:newline|{TEXTS}formula:A|alpha:0.5|count:raw|resamples:0"),
    ],
    ids=str,
)  # fmt: skip
def test_signature(options: dict[str, Any], expected: str) -> None:
    assert signature(Options.of(options)) == HEAD + expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"alpha": "0.5"}, {"alpha": ".50"}),
        ({"alpha": "0"}, {"alpha": "-0"}),
        ({"weight": "1.2"}, {"weight": "1.20"}),
        ({"max_gap": "-1"}, {"max_gap": "-9"}),
        ({"max_gap": "4"}, {"max_gap": "04"}),
        ({}, {"data_dir": "nowhere"}),
        ({}, {"all": True, "per_eval": True, "jobs": 2, "report": "json", "verbose": True}),
        ({}, {"list_format": "SPL"}),
        ({}, {"prediction": "a", "references": "b", "encoding": "utf8"}),
        ({"encoding": "latin-1"}, {"encoding": "L1"}),
        ({"max_ngram": 1, "lcs": False}, {"max_ngram": 1, "lcs": False, "sentences": "nltk"}),
    ],
    ids=str,
)
def test_what_moves_no_score(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert signature(Options.of(one)) == signature(Options.of(other))


def test_a_whole_weight_is_counted_in_whole_numbers() -> None:
    assert signature(Options.of({"weight": "2"})) != signature(Options.of({"weight": "2.0"}))


# The lists in a directory, tables of vectors and other packages are chosen from elsewhere.
ELSEWHERE = {"data_dir", "soft", "soft_threshold", "also", "add_metric", "protocol"}
NUMBERS: dict[str, list[Any]] = {
    "max_ngram": [None, 1, 2, 12],
    "weight": [None, "1.2", "2", "2.0", "12"],
    "max_gap": [None, "-1", "0", "4", "12"],
    "words": [0, 1, 100],
    "bytes": [0, 1, 100],
    "alpha": ["0.5", "0.25", "1", "0"],
    "counting": [0, 1, 2],
    "confidence": ["95", "90", "9"],
    "resamples": [0, 5, 50],
}
"""Values of options that take a number."""


def values_of(name: str, declared: Option) -> list[Any]:
    """Return values of an option: those listed, all choices, or numbers that it takes."""
    if declared.parse is switch:
        return [False, True]
    default = Options.of({}).values()[name]
    if isinstance(declared.parse, Choice):
        return list(dict.fromkeys([default, *declared.parse.values]))
    return NUMBERS.get(name) or [default, *filter(partial(is_read, declared), (1, 2, 12))]


def is_read(declared: Option, value: Any) -> bool:
    try:
        declared.read(value)
    except OptionError:
        return False
    return True


CHOICES = {
    name: st.sampled_from(values_of(name, declared))
    for name, declared in OPTIONS.items()
    if declared.heading in {"Metrics", "Text", "Scores"} and name not in ELSEWHERE
}
"""Every option that moves scores, a new one too, which counts as it stands in `effect`."""


KNOWN = {
    *NUMBERS,
    *("lcs", "lcs_unit", "pairwise_lcs", "skip_unigram", "skip_and_unigram", "basic_elements"),
    *("stem", "stem_models", "remove_stopwords", "empty"),
    *("formula", "jackknife", "humans", "bootstrap"),
}
"""Options whose meaning `effect` knows."""


def effect(options: Options) -> tuple[Any, ...]:
    gap = None if options.metrics.max_gap is None else max(int(options.metrics.max_gap.value), -1)
    skip, both = options.metrics.skip_unigram, options.metrics.skip_and_unigram
    with_unigrams = () if gap is None else (True,) if skip else (False, True) if both else (False,)
    has_bootstrap = options.scores.resamples > 0 and options.scores.counting != 2
    # -M does nothing for ROUGE-N.
    has_lcs = options.metrics.with_lcs or options.metrics.pairwise_lcs
    others = (gap, options.metrics.weight, options.metrics.basic_elements)
    is_used = has_lcs or any(other is not None for other in others)
    return (
        options.metrics.max_ngram,
        (options.metrics.with_lcs, options.metrics.lcs_unit),
        options.metrics.pairwise_lcs,
        options.metrics.weight,
        gap,
        with_unigrams,
        options.metrics.basic_elements,
        options.texts.stem,
        options.texts.stem_models and is_used,
        options.texts.remove_stopwords,
        (options.texts.words, options.texts.bytes),
        # With an error there are no scores, and else they are those with a warning.
        options.texts.empty == "skip",
        options.scores.formula,
        # Humans are more systems; they leave the scores of the others as they are.
        options.scores.jackknife,
        options.scores.alpha.value,
        options.scores.counting,
        (options.scores.resamples, options.scores.confidence.value, options.scores.bootstrap)
        if has_bootstrap
        else None,
        *(options.values()[name] for name in CHOICES if name not in KNOWN),
    )


@st.composite
def some_options(draw: st.DrawFn, start: dict[str, Any] | None = None) -> dict[str, Any]:
    """Choose options that go together; from `start` on, only one is chosen anew."""
    names = list(CHOICES) if start is None else [draw(st.sampled_from(list(CHOICES)))]
    chosen = dict(start or {}) | {name: draw(CHOICES[name]) for name in names}
    if chosen["bytes"]:
        chosen["words"] = 0
    chosen["stem_models"] &= not chosen["stem"]
    if chosen["max_gap"] is None:
        chosen |= {"skip_unigram": False, "skip_and_unigram": False}
    if all(chosen[name] is None for name in ("max_ngram", "weight", "max_gap", "basic_elements")):
        chosen["lcs"] = True
    if not chosen["lcs"] or chosen["basic_elements"]:
        chosen["lcs_unit"] = "sentence"
    chosen["humans"] &= chosen["jackknife"]
    without_counts = {name for name in CHOICES if OPTIONS[name].has_no_counts} | {"jackknife"}
    if any(chosen[name] for name in without_counts):
        chosen["counting"] = 0
    if chosen["counting"]:
        chosen["bootstrap"] = "exact"
    return chosen


@given(st.data())
def test_signatures_differ_where_scores_may(data: st.DataObject) -> None:
    given_one = data.draw(some_options())
    given_other = data.draw(some_options(given_one))
    one, other = Options.of(given_one), Options.of(given_other)
    assert (signature(one) == signature(other)) == (effect(one) == effect(other))


def test_the_built_in_words_by_another_way(tmp_path: Path) -> None:
    (tmp_path / "smart_common_words.txt").write_bytes(read_list(STOPWORDS))
    (tmp_path / "WordNet-2.0-Exceptions").mkdir()
    (tmp_path / "WordNet-2.0-Exceptions" / "noun.exc").write_bytes(read_list(EXCEPTIONS))
    options = {"stem": True, "remove_stopwords": True}
    assert signature(Options.of({**options, "data_dir": tmp_path})) == signature(
        Options.of(options)
    )


ORIGINAL = """
{}
  -a config.xml
{"max_ngram": 2, "stem": True}
  -n 2 -m -a config.xml
{"max_ngram": 4, "weight": "1.20", "max_gap": "-1", "skip_and_unigram": True}
  -n 4 -w 1.20 -2 -1 -U -a config.xml
{"weight": "1.20", "resamples": 500, "confidence": "99", "per_eval": True}
  -w 1.20 -c 99 -r 500 -d -a config.xml
{"lcs": False, "max_ngram": 1, "words": 10}
  -n 1 -x -l 10 -a config.xml
{"basic_elements": "HM", "stem_models": True}
  -3 HM -M -a config.xml
{"bytes": 9, "formula": "B", "alpha": "0.9", "counting": 2, "remove_stopwords": True}
  -s -b 9 -f B -p 0.9 -t 2 -a config.xml
{"alpha": ".50", "confidence": "95.0", "formula": "a", "words": 0}
  -a config.xml
{"resamples": 0}
  -a config.xml
{"list_format": "SEE", "data_dir": "my data"}
  -e 'my data' -z SEE files.lst
{"jobs": 2, "verbose": True, "report": "json"}
  -a config.xml
"""
"""Defaults otherwise written are left out; the original has no report without a bootstrap."""


@pytest.mark.parametrize(("options", "expected"), rows_of(ORIGINAL))
def test_original_command(options: str, expected: list[str]) -> None:
    assert [original_command(Options.of(eval(options)))] == [f"ROUGE-1.5.5.pl {expected[0]}"]
