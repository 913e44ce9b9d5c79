"""Words of other languages: tokens, forms, limits, stems, stopwords, plug-ins; worked by hand."""

# ruff: noqa: RUF001

import json
import os
import pickle
import re
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

import rouge_cli
from rouge_cli.errors import InputError, OptionError
from rouge_cli.options.texts import NLTK_ALGORITHMS, SNOWBALL_ALGORITHMS, TextOptions
from rouge_cli.text.columns import ReadTexts, TextDecodeError
from rouge_cli.text.segmenters import character_segmenter, plugin_segmenter, unicode_segmenter
from rouge_cli.text.tokenizer import TOKENIZERS, load_tokenizer

FIRST_LETTERS = "15.0\U00031350 15.1\U0002ebf0 16.0\U000105c0 17.0\U000323b0 18.0\U0003d000"
"""Versions of Unicode, each with a letter that is new in it."""
PACKAGES = {"jieba": "jieba", "icu": "icu4py", "mecab": "fugashi", "thai": "pythainlp"}
"""The packages that tokenizers need."""
NO_BLANKS = r"[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{Line_Break=SA}]"
RUN = rf"[[\p{{L}}\p{{M}}\p{{N}}]--[[\p{{L}}\p{{N}}]&&{NO_BLANKS}]]+"
WORDS = regex.compile(
    rf"[[\p{{L}}\p{{N}}]&&{NO_BLANKS}]\p{{M}}*|{RUN}(?:[\u200c\u200d]+{RUN})*", regex.VERSION1
)
DROPPED = regex.compile(r"[\p{Word_Break=Format}\N{ARABIC TATWEEL}]")
CHARACTERS = regex.compile(r"[\p{L}\p{N}]\p{M}*|\p{M}+")

texts = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from(
            "aZ9 \n-\u0301\u0e31\u0e01\u4e00\u3042\u30fc\u0915\u093f\u094d\ufb01\u0130"
            "\u200c\u200d\u200b\u00ad\u200e\u0640"
        ),
    ),
    max_size=40,
)


def words_of(text: str, **options: Any) -> list[str]:
    """Return the tokens of a text by a function that sees what the tokenizer sees."""
    return strings_of(load_tokenizer(TextOptions(**options), {}), text)


def strings_of(tokenizer: Any, text: str) -> list[str]:
    """Return the tokens of a text that a tokenizer finds, whatever it removes afterwards."""
    found = tokenizer.segmenter.read(tokenizer.form.cased(tokenizer.form.normalised(text)))
    strings = found.spell()
    return [strings[number] for number in found.types]


def lengths(read: ReadTexts) -> list[list[int]]:
    """Return the number of tokens in each sentence of each text."""
    columns = read.unstemmed if read.stemmed is None else read.stemmed
    assert columns is not None
    per_sentence = np.diff(columns.sentence_offsets).tolist()
    return [per_sentence[start:stop] for start, stop in pairwise(columns.text_offsets)]


def score(peer: Any, model: Any, metric: str = "ROUGE-1", **options: Any) -> float:
    results = rouge_cli.score(peer, model, max_ngram=2, resamples=0, **options)
    return results[metric].f_measure.mean


@given(texts)
@example("a\u0301b")
@example("\u0e01\u0e31a")
@example("\u0301\u4e00\u0301a")
@example("\u4e00\u200d\u0301\u200da\u200d")
@example("\u200ca\u200c\u200d\u0301\u00ad\u200cb\u200c")
def test_words_by_unicode(text: str) -> None:
    for segmenter, pattern in (
        (unicode_segmenter(None), WORDS),
        (character_segmenter(None), CHARACTERS),
    ):
        found = segmenter.read(text)
        strings = found.spell()
        assert len(set(strings)) == len(strings)
        by_sentence = [
            [strings[number] for number in found.types[start:stop]]
            for start, stop in pairwise(found.sentence_offsets)
        ]
        seen = DROPPED.sub("", text)
        assert by_sentence == [pattern.findall(sentence) for sentence in seen.split("\n")]


@pytest.mark.parametrize(
    ("options", "text", "expected"),
    [
        ("de", "Größere Häuser-Käufe, 3,5 m²", "größere häuser käufe 3 5 m²"),
        ("fr", "L'été à Orléans", "l été à orléans"),
        ("hi", "हिन्दी में ४५।", "हिन्दी में ४५"),
        ("ta", "தமிழ் மொழி", "தமிழ் மொழி"),
        ("ar", "لم يُرصد، ٤٥", "لم يُرصد ٤٥"),
        ("ko", "여객선이 120명", "여객선이 120명"),
        ("zh", "渡轮iPhone2019年。", "渡 轮 iphone2019 年"),
        ("ja", "フェリーは早朝", "フ ェ リ ー は 早 朝"),
        ("th", "เรือ ที่", "เ รื อ ที่"),
        ("tr", "IŞIK İstanbul", "ışık istanbul"),
        ("az", "I\u0307ki", "iki"),
        ("en", "İ I", "i̇ i"),
        # A joiner at the edge of a word is a slip, and a word alone is none.
        ("fa", "می\u200cخواهم، می\u200c خواهم \u200c", "می\u200cخواهم می خواهم"),
        ("ml", "ക്\u200dഷ അവന്\u200d", "ക്\u200dഷ അവന്"),
        ("ar", "كتـــاب ـ هـ", "كتاب ه"),
        ("de", "Schiff\u00adfahrt a\u2060b", "schifffahrt ab"),
        ("he", "\u200eשלום\u200f של\u200eום", "שלום שלום"),
        ("km", "ខ្ញុំ\u200bទៅ", "ខ្ ញុំ ទៅ"),
        ({"tokenizer": "whitespace"}, "Well, (done)\u00a0\u3000so", "well, (done) so"),
        ({"tokenizer": "char"}, "Café, e\u0301!", "c a f é e\u0301"),
        ({"tokenizer": "ascii155", "strip_marks": True}, "Größere Ärzte", "gro ere arzte"),
        ({"tokenizer": "ascii155", "case": "fold"}, "Große", "grosse"),
        ({"tokenizer": "unicode", "case": "fold"}, "GROẞE Straße ΟΔΟΣ", "grosse strasse οδοσ"),
        ({"tokenizer": "unicode", "case": "none"}, "Der DER", "Der DER"),
        ({"tokenizer": "unicode", "strip_marks": True}, "Ça où ångström й", "ca ou angstrom и"),
        ({"language": "tr", "strip_marks": True}, "İI", "iı"),
        ({"language": "fa", "strip_marks": True}, "می\u200cخواهم", "میخواهم"),
        ({"tokenizer": "char"}, "ک\u200cـب", "ک ب"),
        # These leave texts as they are.
        ({"tokenizer": "whitespace"}, "a\u00adb كتـاب", "a\u00adb كتـاب"),
        ({"tokenizer": "ascii155", "case": "fold"}, "Schiff\u00adfahrt", "schiff fahrt"),
        ({"tokenizer": "unicode", "normalization": "nfkc"}, "ﬁve ２", "five 2"),
        ({"tokenizer": "unicode"}, "\ufeffﬁve cafe\u0301", "ﬁve cafe\u0301"),
        ("fr", "cafe\u0301", "café"),
        ({"language": "fr", "normalization": "none"}, "cafe\u0301", "cafe\u0301"),
        ({"tokenizer": "jieba", "language": "zh"}, "渡轮搁浅，2019年。", "渡轮 搁浅 2019 年"),
        ({"tokenizer": "mecab", "language": "ja"}, "私は東京へ行きます。",
         "私 は 東京 へ 行き ます"),
        ({"tokenizer": "thai", "language": "th"}, "ฉันรักภาษาไทย มาก!", "ฉัน รัก ภาษาไทย มาก"),
        ({"tokenizer": "icu", "language": "th"}, "ฉันรักภาษาไทย", "ฉัน รัก ภาษา ไทย"),
        ({"tokenizer": "icu", "language": "ja"}, "今日は良い天気です。", "今日 は 良い 天気 です"),
        ({"tokenizer": "icu", "language": "en"}, "Don't, 3.5", "don't 3.5"),
        ({"tokenizer": "icu", "language": "fa"}, "می\u200cخواهم كتـاب a\u00adb",
         "می\u200cخواهم كتاب ab"),
    ],
)  # fmt: skip
def test_words(options: str | dict[str, Any], text: str, expected: str) -> None:
    options = {"language": options} if isinstance(options, str) else options
    if (package := PACKAGES.get(options.get("tokenizer", ""))) is not None:
        pytest.importorskip(package, reason=f"{package} is not installed")
    assert words_of(text, **options) == expected.split(" ")
    assert words_of(f"{text}\n{text}", **options) == 2 * expected.split(" ")


def test_sigma_at_the_end_of_a_word() -> None:
    assert score("ΟΔΟΣ", "οδός οδος", language="el") == 0.66667


STORED = Path(__file__).parents[3] / "fixtures" / "languages" / "sentences.json"
SENTENCES: dict[str, list[str]] = json.loads(STORED.read_text("utf-8")) | {
    "bn": ["ফেরিটি সকালে তীরের কাছে আটকে যায়।", "র\u200d্যাব ১২০ জন যাত্রীকে উদ্ধার করে।"],
    "fa": [
        "کشتی صبح زود به گل نشست.",
        "همه\u200cی ۱۲۰ مسافر را نجات می\u200cدهند؛ آسیب\u200cها کم است.",
    ],
    "he": ["המעבורת עלתה על שרטון בבוקר.", "כל 120 הנוסעים חולצו."],
    "ml": ["കപ്പൽ രാവിലെ തീരത്ത് ഉറച്ചു.", "അവന്\u200d പറഞ്ഞു: രക്ഷപ്പെടുത്തി, എല്ലാവരെയും."],
}
SAME_LETTERS_ONLY = {"ja", "ko", "th", "zh"}
"""ICU finds words by a dictionary, or in Korean sets digits apart."""


@pytest.mark.parametrize("language", sorted(SENTENCES))
def test_against_icu(language: str) -> None:
    pytest.importorskip("icu4py", reason="icu4py is not installed")
    for sentence in SENTENCES[language]:
        found = words_of(sentence, language=language)
        by_icu = words_of(sentence, language=language, tokenizer="icu")
        if language in SAME_LETTERS_ONLY:
            by_icu, found = ["".join(by_icu)], ["".join(found)]
        # ICU keeps signs inside words and numbers, and joiners at the end of words.
        pieces = [re.split(r"[.,:'_\N{RIGHT SINGLE QUOTATION MARK}]", word) for word in by_icu]
        assert found == [piece.rstrip("\u200c\u200d") for each in pieces for piece in each]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_word_limit(form: Any) -> None:
    text = unicodedata.normalize(form, "á b\n\nc d e\nf").encode()
    for n, expected in ((1, [1, 0, 0, 0]), (2, [2, 0, 0, 0]), (4, [2, 0, 2, 0]), (9, [2, 0, 3, 1])):
        tokenizer = load_tokenizer(TextOptions(language="fr", words=n), {})
        read = tokenizer.read([text, b"x", text], with_unsummed=True)
        assert lengths(read) == [expected, [1], expected]


def test_word_limit_comes_before_stopwords(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("der\n", "utf-8")
    stopwords: dict[str, Any] = {"remove_stopwords": True, "stopwords": str(tmp_path / "words")}
    tokenizer = load_tokenizer(TextOptions(language="de", words=2, **stopwords), {})
    read = tokenizer.read([b"Der Hund bellt"], with_unsummed=False)
    assert lengths(read) == [[1]]


@pytest.mark.parametrize(
    ("n_bytes", "expected"),
    # "é", "b" and a blank are 2, 1 and 1 bytes; a newline does not count.
    [(1, []), (2, ["é"]), (3, ["é"]), (4, ["é", "b"]), (5, ["é", "b"]), (6, ["é", "b", "ö"])],
)
def test_byte_limit_cuts_at_a_character(n_bytes: int, expected: list[str]) -> None:
    for text in ("é b\nö", unicodedata.normalize("NFD", "é b\nö")):
        seen: list[str] = []

        def words(sentence: str, seen: list[str] = seen) -> list[str]:
            seen += sentence.split()
            return sentence.split()

        options = TextOptions(language="fr", bytes=n_bytes, tokenizer=words)
        read = load_tokenizer(options, {}).read([text.encode()], with_unsummed=True)
        assert seen == expected
        # ROUGE-L reads the limit like the others.
        assert read.unsummed_start == 0


def test_byte_limit_of_all_metrics() -> None:
    # By ROUGE-1.5.5's own reading ROUGE-L would take the second sentence too.
    peer = "aa\nbb"
    assert score(peer, peer, "ROUGE-L", bytes=2, tokenizer="unicode") == 1.0
    result = rouge_cli.score(peer, peer, bytes=2, tokenizer="unicode", counting=2, resamples=0)
    assert result["ROUGE-L"].counts is not None
    assert int(result["ROUGE-L"].counts.hit.sum()) == 1


@pytest.mark.parametrize(
    ("options", "word", "same"),
    [
        ({"language": "de"}, "Häuser", "Haus"),
        ({"language": "ru"}, "лодках", "лодки"),
        ({"language": "nb"}, "husene", "huset"),
        ({"language": "pt-BR"}, "gatos", "gato"),
        ({"tokenizer": "unicode", "stemmer": "nltk:french"}, "chevaux", "cheval"),
        ({"language": "en", "stemmer": "porter155"}, "children", "child"),
        ({"tokenizer": "ascii155", "strip_marks": True, "stemmer": "porter155"}, "cafés", "cafe"),
        # These are snowballstemmer's.
        ({"language": "tr"}, "kitaplar", "kitap"),
        ({"language": "hi"}, "लड़के", "लड़का"),
        ({"language": "ta"}, "மரங்களில்", "மரங்கள்"),
    ],
)
def test_stems(options: dict[str, Any], word: str, same: str) -> None:
    if options.get("language") in {"tr", "hi", "ta"}:
        pytest.importorskip("snowballstemmer", reason="snowballstemmer is not installed")
    assert score(word, same, stem=True, **options) == 1.0
    assert score(word, same, **{n: o for n, o in options.items() if n != "stemmer"}) == 0.0


def test_models_alone_are_stemmed() -> None:
    # The peer's "Haus" is the stem of the model's word; only ROUGE-L stems under -M.
    options: dict[str, Any] = {"language": "de", "stem_models": True}
    assert score("Haus", "Häuser", "ROUGE-L", **options) == 1.0
    assert score("Haus", "Häuser", "ROUGE-1", **options) == 0.0
    assert score("Häuser", "Häuser", "ROUGE-L", **options) == 0.0
    signature = rouge_cli.score("a", "b", resamples=0, **options).signature
    assert "|stem:no|stem-models:nltk-snowball-" in signature


def test_tables_of_stemmers_name_what_there_is() -> None:
    from nltk.stem.snowball import SnowballStemmer

    assert set(NLTK_ALGORITHMS.values()) == set(SnowballStemmer.languages) - {"porter"}
    snowball = pytest.importorskip("snowballstemmer", reason="snowballstemmer is not installed")
    originals = {"porter", "dutch_porter"}
    assert set(SNOWBALL_ALGORITHMS.values()) == set(snowball.algorithms()) - originals


def test_stopwords_of_a_language() -> None:
    pytest.importorskip("stopwordsiso", reason="stopwordsiso is not installed")
    assert score("der Hund", "die Hund", language="de", remove_stopwords=True) == 1.0
    assert score("Größere Hunde", "Große Hunde", language="nn", remove_stopwords=True) == 0.5
    found = rouge_cli.score("渡轮的", "渡轮", language="zh", remove_stopwords=True, resamples=0)
    assert found["ROUGE-L"].f_measure.mean == 1.0
    (warning,) = found.warnings
    assert "stopwords are not one token each as unicode-" in warning


def test_own_stopwords(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes("\ufeffGrößere\n\n  aujourd'hui \nà\n".encode())
    options: dict[str, Any] = {"remove_stopwords": True, "stopwords": path}
    # In the form of tokens; what is two tokens removes nothing.
    assert score("GRÖSSERE größere à hui", "hui", language="de", case="fold", **options) == 1.0
    signature = rouge_cli.score("a", "b", language="de", resamples=0, **options).signature
    assert "|stop:own-" in signature
    # Words of ROUGE-1.5.5 can be left out by a list of one's own too; that is not its command.
    path.write_bytes(b"ran\n")
    found = rouge_cli.score("ran home", "home", resamples=0, **options)
    assert found["ROUGE-L"].f_measure.mean == 1.0
    assert found.to_dict()["command"] is None
    assert "like:1.5.5" in found.signature


def test_signature() -> None:
    found = rouge_cli.score("a", "a", resamples=0, max_ngram=1, language="de-AT", stem=True)
    parts = found.signature.split("|")
    parts = parts[parts.index("lang:de-AT") :]
    assert "like:1.5.5" not in found.signature
    assert re.fullmatch(r"tok:unicode-[0-9]+\.[0-9]", parts[1])
    assert parts[2:4] == ["norm:nfc", "case:lower"]
    assert parts.pop(4) == "joiners:inside"
    assert parts[4].startswith("stem:nltk-snowball-3.")
    assert parts[5:7] == ["stop:no", "limit:no"]
    data = found.to_dict()
    assert data["command"] is None
    assert data["options"]["language"] == "de-AT"
    named = rouge_cli.score("a", "a", tokenizer=str.split, strip_marks=True, resamples=0)
    kept = "|tok:builtins.str.split|norm:none|case:lower|marks:stripped|joiners:dropped|"
    assert kept in named.signature
    assert named.to_dict()["options"]["tokenizer"] == "builtins.str.split"


def test_what_is_still_the_original() -> None:
    texts: Any = ["Café ran"], ["cafes run"]
    plain = rouge_cli.evaluate(*texts, stem=True, max_ngram=1)
    for options in (
        {"tokenizer": "ascii155"},
        {"normalization": "none", "case": "lower"},
        {"stemmer": "porter155"},
    ):
        found = rouge_cli.evaluate(*texts, stem=True, max_ngram=1, **options)  # type: ignore[arg-type]
        assert found.to_classic() == plain.to_classic()
        assert found.signature == plain.signature
        assert found.to_dict()["command"] == plain.to_dict()["command"]


def test_version_of_unicode() -> None:
    name = unicode_segmenter(None).name
    found = re.fullmatch(r"unicode-([0-9]+\.[0-9])", name)
    assert found, f"the package regex names its version of Unicode in another way: {name}"
    for version in FIRST_LETTERS.split():
        assert bool(regex.match(r"\p{L}", version[-1])) == (float(version[:-1]) <= float(found[1]))


@pytest.mark.parametrize(
    ("options", "package", "module"),
    [
        ({"tokenizer": "icu"}, "icu4py", "icu4py.breakers"),
        ({"tokenizer": "jieba"}, "jieba", "jieba"),
        ({"tokenizer": "mecab"}, "fugashi", "fugashi"),
        ({"tokenizer": "thai"}, "pythainlp", "pythainlp.tokenize"),
        ({"language": "tr", "stem": True}, "snowballstemmer", "snowballstemmer"),
        ({"language": "tr", "remove_stopwords": True}, "stopwordsiso", "stopwordsiso"),
    ],
)
def test_an_extra_that_is_missing(
    options: dict[str, Any], package: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    needs = f" needs the package {package}, which is not installed: python -m pip install {package}"
    with pytest.raises(OptionError, match=f"^.*{needs}( unidic-lite)?$"):
        rouge_cli.score("a", "a", **options)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"\n \n", "no words in it; expected stopwords, one per line"),
        (b"ja\ncaf\xe9\n", "b'caf\\xe9' is not UTF-8; save the list as UTF-8"),
    ],
)
def test_stopwords_that_are_none(tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "words"
    path.write_bytes(content)
    with pytest.raises(InputError, match=f"^{re.escape(f'{path}: {problem}')}$"):
        rouge_cli.score("a", "a", language="de", remove_stopwords=True, stopwords=path)


def test_texts_that_are_not_utf8() -> None:
    tokenizer = load_tokenizer(TextOptions(language="de"), {})
    bad = ["größer".encode(), b"", "ä".encode() + b"b\xe4\n", b"\xff"]
    for call in (tokenizer.count_tokens, lambda them: tokenizer.read(them, with_unsummed=False)):
        with pytest.raises(TextDecodeError) as caught:
            call(bad)
        assert caught.value.text == 2
        assert str(caught.value).startswith("byte 0xE4 at offset 3 is not UTF-8")
    # Cut off at the end of a text: the newline behind it belongs to no character.
    with pytest.raises(TextDecodeError) as caught:
        tokenizer.count_tokens([b"a\xc3", b"\xa4"])
    assert (caught.value.text, str(caught.value)[:22]) == (0, "byte 0xC3 at offset 1 ")
    with pytest.raises(InputError, match="prediction 0: byte 0xE9 at offset 3 is not UTF-8"):
        rouge_cli.score(b"caf\xe9", "a", language="fr")


def halves(sentence: str) -> Iterable[str]:
    """Cut a sentence in two."""
    middle = len(sentence) // 2
    yield sentence[:middle]
    yield sentence[middle:]


def test_a_function() -> None:
    assert score("abcd", "abxy", tokenizer=halves) == 0.5
    # Empty tokens do not count, and a newline in a token ends no sentence.
    assert score("ab", "ab", "ROUGE-L", tokenizer=lambda _: ["", "a\nb", "\n"]) == 1.0


def test_other_processes() -> None:
    for chosen in ("unicode", halves):
        options = TextOptions(tokenizer=chosen, stem=True, stemmer="nltk:german")
        again = pickle.loads(pickle.dumps(load_tokenizer(options, {})))
        assert strings_of(again, "Ab Cd") == words_of("Ab Cd", tokenizer=chosen)
        assert list(again.signature(stems_models=False))[-2].startswith("stem:nltk-snowball-")
    with pytest.raises(OptionError, match=r"use a function that a module defines, or jobs=1"):
        pickle.dumps(load_tokenizer(TextOptions(tokenizer=lambda text: [text]), {}))


@pytest.mark.parametrize("tokenizer", ["unicode", halves])
def test_jobs(tokenizer: Any) -> None:
    texts = [f"größer {k} ä" for k in range(40)], [f"größer {k + k % 2} ö" for k in range(40)]
    options: dict[str, Any] = {"tokenizer": tokenizer, "max_ngram": 1}
    one, two = (rouge_cli.evaluate(*texts, **options, jobs=jobs) for jobs in (1, 2))
    assert one.to_classic() == two.to_classic()


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    monkeypatch.syspath_prepend(str(tmp_path))

    def install(name: str, value: str, package: str = "extra-words") -> None:
        folder = tmp_path / f"{package.replace('-', '_')}-1.2.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.2\n")
        (folder / "entry_points.txt").write_text(f"[rouge_cli.tokenizers]\n{name} = {value}\n")

    (tmp_path / "extra_words_plugin.py").write_text(
        "def thirds(sentence):\n    return [sentence[:3], sentence[3:]]\nconstant = 3\n"
    )
    return install


def test_a_plugin(plugin: Callable[..., None]) -> None:
    plugin("thirds", "extra_words_plugin:thirds")
    assert score("abcde", "abcxy", tokenizer="thirds") == 0.5
    signature = rouge_cli.score("a", "a", tokenizer="thirds", resamples=0).signature
    assert "|tok:thirds-extra-words-1.2|norm:none|" in signature
    with pytest.raises(OptionError, match=f"expected one of {', '.join(TOKENIZERS)}, thirds$"):
        score("a", "a", tokenizer="third")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("extra_words_gone:x", r"the plug-in of extra-words 1.2 cannot be loaded: ModuleNotFound"),
        ("extra_words_plugin:gone", r"cannot be loaded: AttributeError"),
        ("extra_words_plugin:constant", r"is 3, expected a function from a str to its tokens"),
    ],
)
def test_a_plugin_that_is_none(plugin: Callable[..., None], value: str, message: str) -> None:
    plugin("bad", value)
    with pytest.raises(OptionError, match=message):
        score("a", "a", tokenizer="bad")


def test_names_of_plugins(plugin: Callable[..., None]) -> None:
    plugin("twice", "extra_words_plugin:thirds")
    plugin("twice", "extra_words_plugin:thirds", "other-words")
    with pytest.raises(OptionError, match=r"have this name: extra-words 1.2 and other-words 1.2"):
        score("a", "a", tokenizer="twice")
    # The package is removed after the options were read.
    with pytest.raises(OptionError, match=r"^--tokenizer gone: the plug-in is no longer"):
        plugin_segmenter("gone", None)


def test_letters_that_are_dropped() -> None:
    for options in ({"tokenizer": "ascii155", "normalization": "nfc"}, {}):
        (warning,) = rouge_cli.score("Größe", "a", resamples=0, **options).warnings  # type: ignore[arg-type]
        assert "--language de" in warning
        assert "--tokenizer unicode" in warning
    assert not rouge_cli.score("Größe", "a", resamples=0, tokenizer="unicode").warnings


def test_thai_leaves_the_home_alone(tmp_path: Path) -> None:
    pytest.importorskip("pythainlp", reason="pythainlp is not installed")
    program = (
        "import os, rouge_cli\n"
        "rouge_cli.score('\u0e01', '\u0e01', language='th', tokenizer='thai')\n"
        "assert not [name for name in os.environ if name.startswith('PYTHAINLP')]\n"
    )
    home = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}
    subprocess.run([sys.executable, "-c", program], check=True, env={**os.environ, **home})
    assert list(tmp_path.iterdir()) == []


def test_thai_where_the_user_says_what_may_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pythainlp", reason="pythainlp is not installed")
    monkeypatch.setenv("PYTHAINLP_READ_ONLY", "yes")
    assert rouge_cli.score("\u0e01", "\u0e01", tokenizer="thai", resamples=0)
    assert os.environ["PYTHAINLP_READ_ONLY"] == "yes"
    assert "PYTHAINLP_READ_MODE" not in os.environ
