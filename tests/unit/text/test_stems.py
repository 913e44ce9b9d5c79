"""Length rule, exception table and Porter's stemmer, step by step and together.

Source: section 4 of the specification; the examples of M. F. Porter, "An algorithm for suffix
stripping" (1980), carried through the later steps where these apply too; and the original's stems
in fixtures/golden/stems.tsv.
"""

import pickle
import string
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rouge_cli.options.texts import TextOptions
from rouge_cli.text.stems import Stems, porter_stem
from rouge_cli.text.tokenizer import load_tokenizer
from rouge_cli.text.word_lists import load_exceptions

PAPER = """
caresses caress, ponies poni, ties ti, caress caress, cats cat,
feed feed, agreed agre, plastered plaster, bled bled, motoring motor, sing sing, conflated
conflat, troubled troubl, sized size, hopping hop, tanned tan, falling fall, hissing hiss, fizzed
fizz, failing fail, filing file, happy happi, sky sky,
relational relat, conditional condit, rational ration, valenci valenc, hesitanci hesit, digitizer
digit, conformabli conform, radicalli radic, differentli differ, vileli vile, analogousli analog,
vietnamization vietnam, predication predic, operator oper, feudalism feudal, decisiveness decis,
hopefulness hope, callousness callous, formaliti formal, sensitiviti sensit, sensibiliti sensibl,
triplicate triplic, formative form, formalize formal, electriciti electr, electrical electr,
hopeful hope, goodness good,
revival reviv, allowance allow, inference infer, airliner airlin, gyroscopic gyroscop, adjustable
adjust, defensible defens, irritant irrit, replacement replac, adjustment adjust, dependent
depend, adoption adopt, homologou homolog, communism commun, activate activ, angulariti angular,
homologous homolog, effective effect, bowdlerize bowdler,
probate probat, rate rate, cease ceas, controll control, roll roll,
"""
"""Words and their stems: plurals, participles, suffixes of three steps, and ends."""

DEPARTURES = """
accidental accid, statement statem, element elem, archaeologi archaeolog, is is, as as, s s
"""

# A y is a consonant at the beginning and after a vowel, else a vowel; a digit is a consonant.
NO_LETTERS = "yying yy, toyness toy, trying try, 1able 1abl"


def pairs_of(table: str) -> list[tuple[str, str]]:
    words = table.replace(",", " ").split()
    return list(zip(words[::2], words[1::2], strict=True))


@pytest.mark.parametrize(("word", "stem"), [*pairs_of(PAPER + DEPARTURES + NO_LETTERS), ("", "")])
def test_porter_stem(word: str, stem: str) -> None:
    assert porter_stem(word.encode()) == stem.encode()


def test_every_other_y_of_a_run_is_a_vowel() -> None:
    # The first y of a word is a consonant, the next a vowel: enough measure before "ment".
    word = b"y" * 40_000
    start = process_time()
    assert porter_stem(word + b"ment") == word
    assert porter_stem(b"b" + word) == b"b" + word[:-1] + b"i"
    assert process_time() - start < 1


@given(st.text(string.ascii_lowercase + string.digits).map(str.encode))
def test_stem_is_never_longer_than_the_word(word: bytes) -> None:
    assert len(porter_stem(word)) <= len(word)
    assert porter_stem(word)[:1] == word[:1]


@pytest.fixture(scope="module")
def stems() -> Stems:
    return Stems.of(load_exceptions())


def read_golden(fixtures: Path) -> list[tuple[bytes, ...]]:
    lines = (fixtures / "golden" / "stems.tsv").read_bytes().splitlines()
    return list(zip(*(line.split(b"\t") for line in lines), strict=True))


def test_golden_stems(fixtures: Path, stems: Stems) -> None:
    tokens, golden = read_golden(fixtures)
    assert len(tokens) == 15_000
    found = zip(tokens, map(stems.__getitem__, tokens), strict=True)
    assert dict(found) == dict(zip(tokens, golden, strict=True))


def test_equal_stems_and_only_these_have_equal_numbers(core: Any, fixtures: Path) -> None:
    tokens, golden = read_golden(fixtures)
    tokenizer = load_tokenizer(TextOptions(stem_models=True), {})
    read = tokenizer.read([b" ".join(tokens), b" ".join(golden)], with_unsummed=False)
    assert read.stemmed is not None
    assert read.unstemmed is not None
    numbers = read.stemmed.types[: len(tokens)]
    # A stem has the number that the same unstemmed token has.
    assert (read.unstemmed.types[len(tokens) :] == numbers).all()
    assert len(set(numbers.tolist())) == len(set(golden)) <= read.n_types


@pytest.mark.parametrize(
    ("token", "stem"),
    [
        # Three bytes stay, others have a base form, which is not stemmed, or their Porter stem.
        *(("was", "was"), ("its", "its"), ("geese", "goose"), ("went", "go")),
        *(("abhorring", "abhor"), ("airier", "airy"), ("accidental", "accid")),
    ],
)
def test_order_of_the_rules(stems: Stems, token: str, stem: str) -> None:
    assert stems[token.encode()] == stem.encode()


def test_short_words_of_elements(stems: Stems) -> None:
    # Step 1a takes the s of "ads", and nothing that of "as"; "men" and "ate" are irregular.
    words = [b"ads", b"as", b"men", b"ate", b"geese", b"accidental", b"-lrb-"]
    of_elements = [b"ad", b"as", b"man", b"eat", b"goose", b"accid", b"-lrb-"]
    assert [stems.of_element(word) for word in words] == of_elements


def test_exceptions_are_the_callers() -> None:
    stems = Stems.of({b"cats": b"dog", b"cat": b"dog"})
    assert [stems[token] for token in (b"cats", b"cat", b"geese")] == [b"dog", b"cat", b"gees"]


def test_a_copy_for_another_process_stems_alike() -> None:
    stems = Stems.of({b"went": b"walk"})
    assert stems[b"cars"] == b"car"
    copy = pickle.loads(pickle.dumps(stems))
    # It computes stems of its own.
    assert len(copy) == 0
    assert [copy[token] for token in (b"went", b"cars")] == [b"walk", b"car"]
