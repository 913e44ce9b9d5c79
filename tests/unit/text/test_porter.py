"""Porter's stemmer, step by step.

Source: the examples of M. F. Porter, "An algorithm for suffix stripping" (1980), carried through
the later steps where these apply too, and section 4 of the specification.
"""

import string
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.text.porter import porter_stem
from rouge_cli.text.porter_columns import porter_stems

PLURALS = [
    ("caresses", "caress"),
    ("ponies", "poni"),
    ("ties", "ti"),
    ("caress", "caress"),
    ("cats", "cat"),
]
PARTICIPLES = [
    ("feed", "feed"),
    ("agreed", "agre"),
    ("plastered", "plaster"),
    ("bled", "bled"),
    ("motoring", "motor"),
    ("sing", "sing"),
    ("conflated", "conflat"),
    ("troubled", "troubl"),
    ("sized", "size"),
    ("hopping", "hop"),
    ("tanned", "tan"),
    ("falling", "fall"),
    ("hissing", "hiss"),
    ("fizzed", "fizz"),
    ("failing", "fail"),
    ("filing", "file"),
    ("happy", "happi"),
    ("sky", "sky"),
]
DOUBLE_SUFFIXES = [
    ("relational", "relat"),
    ("conditional", "condit"),
    ("rational", "ration"),
    ("valenci", "valenc"),
    ("hesitanci", "hesit"),
    ("digitizer", "digit"),
    ("conformabli", "conform"),
    ("radicalli", "radic"),
    ("differentli", "differ"),
    ("vileli", "vile"),
    ("analogousli", "analog"),
    ("vietnamization", "vietnam"),
    ("predication", "predic"),
    ("operator", "oper"),
    ("feudalism", "feudal"),
    ("decisiveness", "decis"),
    ("hopefulness", "hope"),
    ("callousness", "callous"),
    ("formaliti", "formal"),
    ("sensitiviti", "sensit"),
    ("sensibiliti", "sensibl"),
]
MIDDLE_SUFFIXES = [
    ("triplicate", "triplic"),
    ("formative", "form"),
    ("formalize", "formal"),
    ("electriciti", "electr"),
    ("electrical", "electr"),
    ("hopeful", "hope"),
    ("goodness", "good"),
]
LAST_SUFFIXES = [
    ("revival", "reviv"),
    ("allowance", "allow"),
    ("inference", "infer"),
    ("airliner", "airlin"),
    ("gyroscopic", "gyroscop"),
    ("adjustable", "adjust"),
    ("defensible", "defens"),
    ("irritant", "irrit"),
    ("replacement", "replac"),
    ("adjustment", "adjust"),
    ("dependent", "depend"),
    ("adoption", "adopt"),
    ("homologou", "homolog"),
    ("communism", "commun"),
    ("activate", "activ"),
    ("angulariti", "angular"),
    ("homologous", "homolog"),
    ("effective", "effect"),
    ("bowdlerize", "bowdler"),
]
ENDS = [
    ("probate", "probat"),
    ("rate", "rate"),
    ("cease", "ceas"),
    ("controll", "control"),
    ("roll", "roll"),
]
DEPARTURES = [
    ("accidental", "accid"),
    ("statement", "statem"),
    ("element", "elem"),
    ("archaeologi", "archaeolog"),
    ("is", "is"),
    ("as", "as"),
    ("s", "s"),
    ("", ""),
]
PAPER = PLURALS + PARTICIPLES + DOUBLE_SUFFIXES + MIDDLE_SUFFIXES + LAST_SUFFIXES + ENDS


@pytest.mark.parametrize(("word", "stem"), PAPER, ids=[word for word, _ in PAPER])
def test_examples_of_the_paper(word: str, stem: str) -> None:
    assert porter_stem(word.encode()) == stem.encode()


@pytest.mark.parametrize(
    ("word", "stem"), DEPARTURES, ids=[word or "nothing" for word, _ in DEPARTURES]
)
def test_departures_from_the_paper(word: str, stem: str) -> None:
    assert porter_stem(word.encode()) == stem.encode()


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        pytest.param("yying", "yy", id="y-first-is-a-consonant"),
        pytest.param("toyness", "toy", id="y-after-a-vowel-is-a-consonant"),
        pytest.param("trying", "try", id="y-after-a-consonant-is-a-vowel"),
        pytest.param("1able", "1abl", id="digit-is-a-consonant"),
    ],
)
def test_letters_that_are_neither(word: str, stem: str) -> None:
    assert porter_stem(word.encode()) == stem.encode()


def test_every_other_y_of_a_run_is_a_vowel() -> None:
    # The first y of a word is a consonant, the next a vowel: enough measure before "ment".
    word = b"y" * 40_000
    start = perf_counter()
    assert porter_stem(word + b"ment") == word
    assert porter_stem(b"b" + word) == b"b" + word[:-1] + b"i"
    assert porter_stems([word + b"ment", b"b" + word]) == [word, b"b" + word[:-1] + b"i"]
    assert perf_counter() - start < 1


def test_many_words_at_once() -> None:
    words = {word: stem for word, stem in PAPER + DEPARTURES if len(word) >= 3}
    expected = [stem.encode() for stem in words.values()]
    assert porter_stems([word.encode() for word in words]) == expected
    assert porter_stems([]) == []


@given(st.text(string.ascii_lowercase + string.digits).map(str.encode))
def test_stem_is_never_longer_than_the_word(word: bytes) -> None:
    assert len(porter_stem(word)) <= len(word)
    assert porter_stem(word)[:1] == word[:1]
