"""The values of fields to normalised texts."""

from ast import literal_eval

import pytest

from rouge_cli.inputs.records.values import LIST, UNSEPARATED, RecordTexts
from tests.tables import raw, tables_beside

TABLES = tables_beside(__file__)
EXPECTED = "expected a string, a list of sentences, or an object with 'text'"


@pytest.mark.parametrize(("value", "texts"), TABLES["texts"])
def test_texts(value: str, texts: list[str]) -> None:
    value, (text,) = literal_eval(value), map(raw, texts)
    assert RecordTexts().peer(value, "p") == text
    assert RecordTexts().models([value, value], "r", is_lone=False) == (text, text)


@pytest.mark.parametrize(("given", "texts"), TABLES["with separators"])
def test_separators(given: str, texts: list[str]) -> None:
    separator, _, value = given.partition(": ")
    assert [RecordTexts(separator).peer(literal_eval(value), "p")] == [*map(raw, texts)]


@pytest.mark.parametrize(
    ("table", "given", "expected"),
    [(name, *row) for name in ("peers", "models", "lone models") for row in TABLES[name]],
)
def test_texts_of_fields(table: str, given: str, expected: list[str]) -> None:
    path, _, value = given.partition(": ") if table == "peers" else ("r", "", given)

    def read() -> list[bytes]:
        texts = RecordTexts()
        if table == "peers":
            return [texts.peer(literal_eval(value), path)]
        return [*texts.models(literal_eval(value), path, is_lone=table == "lone models")]

    if expected[0].startswith("field "):
        with pytest.raises(ValueError, match="field") as raised:
            read()
        assert [str(raised.value)] == [line.replace("EXPECTED", EXPECTED) for line in expected]
    else:
        assert read() == [raw(line) for line in expected if line != "(none)"]


def test_strings_without_the_separator_are_counted() -> None:
    texts = RecordTexts("<q>")
    for texts.number, value in enumerate(["a<q>b", "a", ["a"], "", " ", "b", {"text": "c"}], 1):
        texts.peer(value, "p")
    assert (texts.n_strings, texts.odd[UNSEPARATED]) == (6, (3, 2))


def test_lists_written_out_are_counted() -> None:
    texts = RecordTexts()
    strings = [
        "a",
        "['a', 'b']",
        '[["a"], ["b"]]\n',
        "[a] b",
        "['tis",
        ["['a']"],
        {"text": "['a']"},
    ]
    for texts.number, value in enumerate(strings, 1):
        texts.peer(value, "p")
    assert texts.odd[LIST] == (3, 2)


def test_strings_are_split_and_lists_are_not() -> None:
    texts = RecordTexts(split=lambda text: text.replace(b". ", b".\n"))
    assert texts.peer("A b. C d.", "p") == b"A b.\nC d."
    assert texts.peer(["A b. C d."], "p") == b"A b. C d."
    assert texts.models(["A. B.", ["A. B."], {"text": "A. B."}], "r", is_lone=False) == (
        b"A.\nB.",
        b"A. B.",
        b"A.\nB.",
    )
