"""The values of fields to normalised texts."""

from typing import Any

import pytest

from rouge_cli.inputs.records.values import LIST, UNSEPARATED, RecordTexts

EXPECTED = "; expected a string, a list of sentences, or an object with 'text'"


def peer(value: Any, path: str = "p", separator: str | None = None) -> bytes:
    return RecordTexts(separator).peer(value, path)


def models(value: Any, *, is_lone: bool = False) -> tuple[bytes, ...]:
    return RecordTexts().models(value, "r", is_lone=is_lone)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("A b.\nC d.", b"A b.\nC d."),
        ("", b""),
        (["A b.", "C d."], b"A b.\nC d."),
        (["A\nb.", "C d.\n"], b"A b.\nC d. "),
        ([], b""),
        ({"text": "A b.\nC d."}, b"A b.\nC d."),
        ({"text": ["A b.", "C\nd."], "other": 1}, b"A b.\nC d."),
        ("caf\u00e9", b"caf\xc3\xa9"),
        ("\udcff", b"\xed\xb3\xbf"),
        ("\ud800", b"\xed\xa0\x80"),
    ],
)
def test_texts(value: Any, text: bytes) -> None:
    assert peer(value) == text
    assert models([value, value]) == (text, text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("A b.<q>C d.", b"A b.\nC d."),
        ("A\nb.<q>C d.", b"A b.\nC d."),
        ("A b.", b"A b."),
        ("", b""),
        ("<q>", b"\n"),
        # Sentences that are told apart stay as they are.
        (["A<q>b.", "C\nd."], b"A<q>b.\nC d."),
        ({"text": "A<q>b."}, b"A\nb."),
    ],
)
def test_separator(value: Any, text: bytes) -> None:
    assert peer(value, separator="<q>") == text


def test_paired_separator() -> None:
    assert peer("<t> A b. </t> <t> C. </t>", separator="<t> </t>") == b"A b.\nC."


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


@pytest.mark.parametrize(
    ("value", "path", "text"),
    [
        (["a\nb"], "filtered_resps", b"a\nb"),
        ([["a\nb"]], "resps", b"a\nb"),
        (["a\nb"], "resps.0", b"a\nb"),
        ("a\nb", "resps.0.0", b"a\nb"),
        # Only these fields hold responses.
        (["a\nb"], "prediction", b"a b"),
    ],
)
def test_responses(value: Any, path: str, text: bytes) -> None:
    assert peer(value, path) == text


@pytest.mark.parametrize(
    ("value", "path", "message"),
    [
        (["a", "b"], "filtered_resps", "field 'filtered_resps' has 2 responses; choose one, such "
         "as --prediction filtered_resps.0"),
        ([["a", "b", "c"]], "resps",
         "field 'resps' has 3 responses; choose one, such as --prediction resps.0.0"),
        ([["a"], ["b"]], "resps",
         "field 'resps' has 2 responses; choose one, such as --prediction resps.0"),
        ([], "resps", "field 'resps' has no responses; expected one"),
        ([[1]], "resps", "field 'resps' is the number 1" + EXPECTED),
        (None, "p", "field 'p' is null" + EXPECTED),
        (True, "p", "field 'p' is true" + EXPECTED),
        (1.5, "p", "field 'p' is the number 1.5" + EXPECTED),
        (int("9" * 100), "p", "field 'p' is the number " + "9" * 29 + EXPECTED),
        (b"a", "p", "field 'p' is bytes" + EXPECTED),
        ({"a": 1}, "p", "field 'p' is an object" + EXPECTED),
        ({"text": None}, "p", "field 'p' is an object whose 'text' is null" + EXPECTED),
        (["a", None], "p", "field 'p' is a list whose item 2 is null" + EXPECTED),
        ([["a"]], "p", "field 'p' is a list whose item 1 is a list" + EXPECTED),
        ({"text": ["a", 2]}, "p",
         "field 'p' is an object whose 'text' is a list whose item 2 is the number 2" + EXPECTED),
    ],
)  # fmt: skip
def test_no_peer(value: Any, path: str, message: str) -> None:
    with pytest.raises(ValueError, match="field") as raised:
        peer(value, path)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        ("a\nb", (b"a\nb",)),
        (["a\nb", "c"], (b"a\nb", b"c")),
        ([["a", "b"], ["c"]], (b"a\nb", b"c")),
        ([{"text": ["a", "b"]}, "c"], (b"a\nb", b"c")),
        ({"text": ["a", "b"]}, (b"a\nb",)),
        (None, ()),
        ([], ()),
        ([""], (b"",)),
    ],
)
def test_models(value: Any, texts: tuple[bytes, ...]) -> None:
    assert models(value) == texts


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        (["a", "b\nc"], (b"a\nb c",)),
        ("a\nb", (b"a\nb",)),
        ([["a", "b"], ["c"]], (b"a\nb", b"c")),
        ({"text": "a"}, (b"a",)),
        ([], ()),
    ],
)
def test_lone_model(value: Any, texts: tuple[bytes, ...]) -> None:
    assert models(value, is_lone=True) == texts


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (1, "field 'r' is the number 1" + EXPECTED),
        (["a", None], "field 'r': item 2 is null" + EXPECTED),
        ([["a"], [1]], "field 'r': item 2 is a list whose item 1 is the number 1" + EXPECTED),
        ([{"a": 1}], "field 'r': item 1 is an object" + EXPECTED),
    ],
)
def test_no_models(value: Any, message: str) -> None:
    with pytest.raises(ValueError, match="field") as raised:
        models(value)
    assert str(raised.value) == message
