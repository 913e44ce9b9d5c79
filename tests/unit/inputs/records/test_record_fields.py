"""Which fields of a record are taken, and how a path finds what stands in them."""

from typing import Any

import pytest

from rouge_cli.inputs.records.rows import MISSING, choose_fields, field_value
from rouge_cli.options.options import Options


@pytest.mark.parametrize(
    ("value", "path", "found"),
    [
        ({"a": 1}, "a", 1),
        ({"a": None}, "a", None),
        ({"a": {"b": {"c": 1}}}, "a.b.c", 1),
        ({"a": [{"b": 1}, {"b": 2}]}, "a.1.b", 2),
        ({"a": [["x"], ["y", "z"]]}, "a.1.1", "z"),
        # A key with dots comes first, and of several the longest.
        ({"a.b": 1, "a": {"b": 2}}, "a.b", 1),
        ({"a.b": {"c": 1}, "a": {"b": {"c": 2}}}, "a.b.c", 1),
        ({"a.b": {"d": 1}, "a": {"b.c": 2}}, "a.b.c", 2),
        # A key may be a number; a place in a list is one.
        ({"0": "zero"}, "0", "zero"),
        ({"a": 1}, "b", MISSING),
        ({"a": 1}, "a.b", MISSING),
        ({"a": "text"}, "a.0", MISSING),
        ({"a": None}, "a.b", MISSING),
        ({"a": [1]}, "a.1", MISSING),
        ({"a": [1]}, "a.-1", MISSING),
        ({"a": [1]}, "a.b", MISSING),
        ({"a": [1]}, "a.\N{SUPERSCRIPT ONE}", MISSING),
        ({"a": [1]}, "a." + "9" * 5000, MISSING),
        ({"a": [1]}, "a.", MISSING),
    ],
)
def test_field_value(value: Any, path: str, found: Any) -> None:
    assert field_value(value, path) == found


def chosen(names: str, **given: Any) -> tuple[Any, ...]:
    fields = choose_fields(names.split(), Options.of(given).inputs)
    return fields.prediction, fields.references, fields.id, fields.system


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("prediction references", ("prediction", ("references",), None, None)),
        ("references predictions", ("predictions", ("references",), None, None)),
        # What lm-evaluation-harness writes.
        ("doc_id doc target arguments resps filtered_resps",
         ("filtered_resps", ("target",), "doc_id", None)),
        ("resps targets", ("resps", ("targets",), None, None)),
        # What SacreROUGE writes.
        ("instance_id summarizer_id summary references",
         ("summary", ("references",), "instance_id", "summarizer_id")),
        # A summary is the model of what was generated for it, but the peer of a reference.
        ("summary generated_summary", ("generated_summary", ("summary",), None, None)),
        ("document summary output id", ("output", ("summary",), "id", None)),
        ("summary highlights", ("summary", ("highlights",), None, None)),
        ("article summary_text highlights", ("summary_text", ("highlights",), None, None)),
        ("prompt predict label", ("predict", ("label",), None, None)),
        ("input actual_output expected_output",
         ("actual_output", ("expected_output",), None, None)),
        ("generated_text target", ("generated_text", ("target",), None, None)),
        ("id output ground_truth", ("output", ("ground_truth",), "id", None)),
        ("response reference", ("response", ("reference",), None, None)),
        ("hypothesis reference", ("hypothesis", ("reference",), None, None)),
        ("prediction reference id eval_id system system_id",
         ("prediction", ("reference",), "id", "system")),
        ("output target example_id system_id", ("output", ("target",), "example_id", "system_id")),
    ],
)  # fmt: skip
def test_defaults(names: str, expected: tuple[Any, ...]) -> None:
    assert chosen(names) == expected


def test_fields_that_are_asked_for() -> None:
    asked = {"prediction": "a.b", "references": ["c", "d"], "id": "e", "system": "f"}
    assert chosen("prediction references id system", **asked) == ("a.b", ("c", "d"), "e", "f")
    # What is asked for is not taken a second time.
    assert chosen("summary highlights", prediction="summary.text")[1] == ("highlights",)
    assert chosen("summary output", references=["summary"])[0] == "output"


@pytest.mark.parametrize(
    ("names", "given", "message"),
    [
        ("text topic", {}, "neither prediction nor references; name the fields with --prediction "
         "and --references; the record has: text, topic"),
        ("text references", {},
         "no prediction; name its field with --prediction; the record has: text, references"),
        ("text", {"references": "text"},
         "no prediction; name its field with --prediction; the record has: text"),
        ("summary", {}, "no references; name their field with --references, or their file with "
         "--references-from; the record has: summary"),
        ("", {}, "neither prediction nor references; name the fields with --prediction and "
         "--references; the record has: no fields"),
        (
            " ".join(f"f{number}" for number in range(32)),
            {"prediction": "f1"},
            "no references; name their field with --references, or their file with "
            "--references-from; the record has: "
            + ", ".join(f"f{number}" for number in range(30))
            + " and 2 more",
        ),
    ],
)  # fmt: skip
def test_nothing_to_take(names: str, given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match="name") as raised:
        chosen(names, **given)
    assert str(raised.value) == message
