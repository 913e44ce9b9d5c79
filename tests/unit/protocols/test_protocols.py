"""Protocols against what the packages themselves print, and what they refuse."""

import json
import math
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rouge_cli import protocols
from rouge_cli.compat.rouge_scorer import RougeScorer
from rouge_cli.errors import OptionError
from rouge_cli.protocols import PROTOCOLS, ProtocolError
from rouge_cli.protocols.candidates import Candidate, TextFacts, candidates, tried_options
from rouge_cli.protocols.catalogue import protocol_of, spelled_out
from rouge_cli.protocols.counting import Floats
from rouge_cli.protocols.engine import Counted, TextPart, count_shared, score_texts
from rouge_cli.protocols.protocol import Protocol, known_options
from rouge_cli.protocols.scoring import score_columns
from rouge_cli.protocols.texts import cut, words_in
from tests.punkt import install_english_punkt

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures" / "protocols"
LANGUAGES = FIXTURES.parent / "languages"
MEASURED = sorted(path.stem for path in FIXTURES.glob("*.jsonl") if "corp" not in path.stem)
NEEDS_PUNKT = {"torchmetrics", "scrolls", "biolaysumm", "gem"}
NEEDS_JIEBA = {"llama-factory", "ms-swift", "opencompass-jieba", "opencompass-longbench", "lveval"}

Line = dict[str, Any]


def lines(name: str) -> list[Line]:
    text = (FIXTURES / f"{name}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


@pytest.fixture
def punkt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install NLTK's model for English, where there is one."""
    import nltk.data

    install_english_punkt(tmp_path / "nltk_data")
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path / "nltk_data")])


@pytest.fixture
def models(request: pytest.FixtureRequest) -> None:
    name = request.node.callspec.params["name"]
    if name in NEEDS_PUNKT:
        request.getfixturevalue("punkt")
    if name in NEEDS_JIEBA:
        pytest.importorskip("jieba", reason="the dictionary is not installed")


def scores_of(line: Line, **options: Any) -> Any:
    """Score the text of a line; an exception is what the lines have for it."""
    if line["protocol"] == "js-rouge" and not options:
        # Each number comes from a call of its own.
        alone = {key: scores_of(line, metrics=[key]) for key in line["scores"]}
        return {key: scores.get(key, scores) for key, scores in alone.items()}
    try:
        return protocols.score(
            line["protocol"], line["prediction"], line["references"], **line["options"], **options
        )
    except ProtocolError as error:
        return {"error": error.type_name}


@pytest.mark.parametrize("name", MEASURED)
@pytest.mark.usefixtures("models", "core")
def test_texts(name: str) -> None:
    for line in lines(name):
        if name == "js-rouge" and line["options"]["version"] in {"3.0.0", "3.2.0"}:
            # Its sentences are not known.
            line["scores"]["rouge-l"] = {"error": "RangeError"}
        assert scores_of(line) == line["scores"], line


def test_torchmetrics_without_punkt() -> None:
    keys = ["rouge1", "rouge2", "rougeL"]
    for line in lines("torchmetrics"):
        expected = {key: line["scores"][key] for key in keys}
        assert scores_of(line, rouge_keys=keys) == expected


XLSUM = [
    json.loads(line)
    for name in ("xlsum", "xlsum-lsum")
    for line in (LANGUAGES / f"{name}.jsonl").read_text("utf-8").splitlines()
]
DICTIONARIES = {"chinese": "jieba", "japanese": "fugashi", "thai": "pythainlp"}


@pytest.mark.parametrize("language", sorted({line["language"] for line in XLSUM}))
@pytest.mark.usefixtures("core")
def test_texts_of_xlsum(language: str) -> None:
    if language in DICTIONARIES:
        pytest.importorskip(DICTIONARIES[language], reason="the dictionary is not installed")
    of_language = [line for line in XLSUM if line["language"] == language]
    # Ten languages, each with as many pairs.
    assert (len(XLSUM), len(of_language)) == (300, 30)
    for line in of_language:
        prediction, reference, keys = line["prediction"], line["reference"], list(line["scores"])
        # All metrics together, and those alone that the line has: words differ between them.
        alone: dict[str, Any] = {"rouge_types": keys}
        for asked in ({}, alone):
            scores = protocols.score("xlsum", prediction, reference, lang=language, **asked)
            for key, expected in line["scores"].items():
                assert [scores[key][letter] for letter in "prf"] == expected, line
        scorer = RougeScorer(keys, like="xlsum", lang=language)
        of_google = scorer.score(reference, prediction)
        assert {key: list(score) for key, score in of_google.items()} == line["scores"]
    keys = sorted({key for line in of_language for key in line["scores"]})
    texts = ([line[side] for line in of_language] for side in ("reference", "prediction"))
    batch = RougeScorer(keys, like="xlsum", lang=language).score_batch(*texts)
    for line, scores in zip(of_language, batch, strict=True):
        assert {key: list(scores[key]) for key in line["scores"]} == line["scores"]


def test_a_language_without_its_dictionary(monkeypatch: pytest.MonkeyPatch) -> None:
    words_in.cache_clear()
    monkeypatch.setitem(sys.modules, "jieba", None)
    with pytest.raises(OptionError, match=r"lang='chinese' needs the package jieba, which is not"):
        protocols.score("xlsum", "a", "a", lang="chinese")
    # rougeLsum alone is the same in each language, and needs none.
    of_lines = protocols.score("xlsum", "a b", "a", lang="chinese", rouge_types=["rougeLsum"])
    assert of_lines["rougeLsum"]["p"] == 0.5


def corpora() -> dict[str, list[tuple[str, list[str]]]]:
    by_name = defaultdict(list)
    for line in lines("corpora"):
        by_name[line["corpus"]].append((line["prediction"], line["references"]))
    return by_name


def numbers(reported: Any) -> Iterator[tuple[str, float]]:
    if isinstance(reported, float):
        yield "", reported
        return
    for key, part in reported.items() if isinstance(reported, dict) else enumerate(reported):
        for path, value in numbers(part):
            yield f"{key} {path}", value


@pytest.mark.parametrize("name", sorted({line["protocol"] for line in lines("corpus")}))
@pytest.mark.usefixtures("models")
def test_averages(name: str) -> None:
    by_name = corpora()
    of_lines = [line for line in lines("corpus") if line["protocol"] == name]
    for line in of_lines:
        own = [one for one in lines(name) if one["options"] == line["options"]]
        texts = by_name.get(line["corpus"]) or [(o["prediction"], o["references"]) for o in own]
        predictions, references = zip(*texts, strict=True)
        reported = protocols.corpus(name, predictions, references, **line["options"])
        if name == "torchmetrics":
            assert dict(numbers(reported)) == pytest.approx(dict(numbers(line["scores"])), abs=2e-7)
        else:
            assert reported == line["scores"]


@pytest.mark.parametrize("name", [*PROTOCOLS])
@pytest.mark.usefixtures("models")
def test_a_protocol_is_what_it_spells_out(name: str) -> None:
    own = protocol_of(spelled_out(PROTOCOLS[name]), "own.toml")
    assert spelled_out(own) == spelled_out(PROTOCOLS[name])
    for line in lines("pyrouge"):
        texts = line["prediction"], line["references"][0]
        try:
            expected = protocols.score(name, *texts)
        except ProtocolError as error:
            with pytest.raises(ProtocolError, match=error.type_name):
                protocols.score(own, *texts)
        else:
            assert protocols.score(own, *texts) == expected


@pytest.mark.parametrize("name", [*PROTOCOLS])
@pytest.mark.usefixtures("models", "core")
def test_a_text_is_a_batch_of_one(name: str) -> None:
    texts = [(line["prediction"], line["references"][:1]) for line in lines("rouge-score")[::4]]
    predictions, references = map(list, zip(*texts, strict=True))
    scores, errors = score_texts(PROTOCOLS[name], predictions, references)
    for place, (prediction, models) in enumerate(texts):
        alone, raised = score_texts(PROTOCOLS[name], [prediction], [models])
        assert [str(error) for error in raised.values()] == [
            str(error) for text, error in errors.items() if text == place
        ]
        for key, table in alone.items():
            assert place in errors or np.array_equal(table[:, 0], scores[key][:, place])


@pytest.mark.parametrize("protocol", [pytest.param(p, id=n) for n, p in PROTOCOLS.items()])
def test_what_is_tried_are_options(protocol: Protocol) -> None:
    tried = [*protocol.tried, *protocol.tried_with_several]
    names = {name for name, _ in tried} | {protocol.tried_language} - {""}
    assert names <= known_options(protocol).keys()
    for options in tried_options(protocol, has_several=True, lang="english"):
        protocol.with_options(options)


def test_measured_protocols_are_listed() -> None:
    assert set(MEASURED) <= PROTOCOLS.keys()
    assert all(name == protocol.name for name, protocol in PROTOCOLS.items())
    assert all(protocol.stands_for for protocol in PROTOCOLS.values())


CHARACTERS = (
    "abcXYZ019.,%+#&-_'\"你好世界中国人民银行的是了é한あ"
    " \t\n\r\u3000\u00a0\u2028\x1c\ufeff\uff0c\u3002"
)


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(st.text(st.one_of(st.sampled_from(CHARACTERS), st.characters()), max_size=80))
def test_words_of_jieba_are_those_of_the_whole_text(text: str) -> None:
    # Here they are looked up piece by piece.
    jieba = pytest.importorskip("jieba")
    assert list(cut(text)) == list(jieba.cut(text))


HOSTILE = {
    "empty": "",
    "periods": "." * 1000,
    "blanks": " \t\n \u2028",
    "lone surrogates": "a \ud800 b\udfff. c",
    "NUL": "a\0b \x1c c",
    "long": "ab cd\u0130. " * 10_000,
    "a long word": "x" * 100_000,
}


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in HOSTILE.items()])
@pytest.mark.parametrize("name", [*PROTOCOLS])
@pytest.mark.usefixtures("models")
def test_hostile_texts(name: str, text: str) -> None:
    # The tables of weighted LCS are quadratic, in the packages too.
    prediction = text[:2000] if name in {"easy-rouge", "pyrouge"} else text
    for texts in ((prediction, "a b. c"), ("a b. c", prediction)):
        try:
            scores = protocols.score(name, *texts)
        except ProtocolError:
            continue
        assert all(math.isfinite(value) for _, value in numbers(scores))


def test_draws() -> None:
    texts = ["a b", "c", "d e", "f"], ["a", "c", "e e", "g"]
    expected = protocols.corpus("evaluate", *texts, seed=7)
    np.random.seed(7)  # noqa: NPY002
    assert protocols.corpus("evaluate", *texts, seed=None) == expected
    assert protocols.corpus("evaluate", *texts) == protocols.corpus("evaluate", *texts, seed=0)


@pytest.mark.usefixtures("punkt")
def test_geometric_mean() -> None:
    # Recall of rouge1 is 1/2 and precision 1: F 2/3; one bigram of three: F 1/2; rougeL as rouge1.
    reported = protocols.corpus("scrolls", ["a b"], ["a b c d"])
    assert reported["rouge1"] == 66.6667
    assert reported["rouge2"] == 50.0
    assert reported["geometric_mean"] == round((200 / 3 * 50 * 200 / 3) ** (1 / 3), 4)


def test_shared_counts_are_those_of_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts of the fixtures, hostile ones among them: the mean of each setting is the engine's."""
    some = lines("rouge-score")[::3]
    texts = [(line["prediction"], line["references"][:1]) for line in some]
    predictions, references = [list(column) for column in zip(*texts, strict=True)]
    part = TextPart(predictions, references)
    facts = TextFacts(part)
    ends = np.arange(len(predictions) + 1)

    def of_language(lang: str | None) -> list[Candidate]:
        names = ["ROUGE-1", "ROUGE-L"]
        kind = {"has_punkt": False, "is_deep": False}
        return list(candidates(names, facts, lang=lang, **kind))

    tried = of_language("german")
    names = [item.name for item in tried if item.name.startswith("xlsum")]
    assert {*names} == {"xlsum:lang=german"}
    assert len(of_language(None)) == len(tried) - len(names)
    plain = [item for item in tried if not item.is_swapped]
    wanted = {
        (i, key): facts.counted(item.protocol, measure, is_swapped=False)
        for i, item in enumerate(plain)
        for key, measure in item.measures.items()
    }

    def hold(counts: Mapping[Counted, Floats], tried: slice) -> None:
        for i, item in list(enumerate(plain))[tried]:
            scored, raised = score_texts(item.protocol, predictions, references)
            is_scored = ~np.isin(np.arange(len(predictions)), list(raised))
            for key, measure in item.measures.items():
                choices, of_metric = item.protocol.scores, counts[wanted[i, key]]
                found = score_columns(choices, measure, of_metric, ends)
                expected = scored[measure.key]
                assert np.array_equal(found[:, is_scored], expected[:, is_scored]), item.name

    by_core = count_shared(part, wanted.values())
    hold(by_core, slice(None))
    for module in ("metrics.paired_texts", "protocols.reading"):
        monkeypatch.setattr(f"rouge_cli.{module}.compiled_core", lambda: None)
    by_reference = count_shared(part, wanted.values())
    for counted, columns in by_reference.items():
        np.testing.assert_array_equal(columns, by_core[counted])
    # The engine counts as they do.
    hold(by_reference, slice(None, None, 8))
