"""A data frame scores as the records that its rows are."""

import datetime as dt
import math
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

import rouge_cli
from rouge_cli.errors import InputError, OptionError
from rouge_cli.inputs.records import column_names
from tests.pages import payload

pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")

COLUMNS: dict[str, list[Any]] = {
    "id": [7, 8, 9],
    "prediction": ["the cat sat", "a b", "x"],
    "other": ["the dog", "a", "x y"],
    "references": [["the cat sat on the mat"], ["a c", "a b"], ["x"]],
    "embedding": [[0.5], [0.25], [0.0]],
}


class Streamed:
    """A frame of a package that nobody knows, with Arrow's interface."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self.columns = table.column_names

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)


def polars(columns: dict[str, list[Any]]) -> Any:
    return pytest.importorskip("polars").DataFrame(columns)


def dataset(columns: dict[str, list[Any]]) -> Any:
    return pytest.importorskip("datasets").Dataset.from_dict(columns)


def streamed(columns: dict[str, list[Any]]) -> Any:
    return Streamed(pa.table(columns))


KINDS = (pd.DataFrame, pa.table, streamed, polars, dataset)


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_records(kind: Any) -> None:
    frame = kind(COLUMNS)
    found = rouge_cli.evaluate(frame)
    scores = found["ROUGE-L"].recall.per_eval.tolist()
    # 3 of 6; 1 of 2 and 2 of 2 together 3 of 4; 1 of 1.
    assert scores == [0.5, 0.75, 1.0]
    assert found.systems["X"].eval_ids == ("7", "8", "9")
    lists = rouge_cli.evaluate(COLUMNS["prediction"], COLUMNS["references"])
    assert found["ROUGE-L"].f_measure.interval == lists["ROUGE-L"].f_measure.interval


@pytest.mark.parametrize("kind", KINDS)
def test_columns_that_are_named(kind: Any) -> None:
    columns = {
        "p": ["a b", "a", "c", "d"],
        "r": ["a b", "a", "a b", "a"],
        "who": ["one", "one", "two", "two"],
        "topic": ["x", "y", "x", "y"],
    }
    frame = kind(columns)
    found = rouge_cli.evaluate(frame, "r", prediction="p", system="who", id="topic")
    assert found.systems["one"]["ROUGE-L"].recall.mean == 1.0
    assert found.systems["two"]["ROUGE-L"].recall.mean == 0.0


def test_systems_in_columns() -> None:
    frame = pd.DataFrame(COLUMNS)
    found = rouge_cli.evaluate(frame, prediction=["prediction", "other"])
    # "the" is 1 of 6; "a" is 1 of 2 twice; "x" is all.
    assert found.systems["other"]["ROUGE-L"].recall.per_eval.tolist() == pytest.approx(
        [0.16667, 0.5, 1.0], abs=1e-9
    )


@pytest.mark.parametrize(
    ("columns", "references", "recall"),
    [
        ({"first": ["a c"], "second": ["a b"]}, ["first", "second"], 0.75),
        ({"both": [["a c", "a b"]]}, "both", 0.75),
        ({"arrays": [np.array(["a c", "a b"], object)]}, "arrays", 0.75),
        ({"r1": ["a b"]}, np.array(["r1"]), 1.0),
        # A name with dots comes before what is below.
        ({"meta": [{"ref": ("x", "y")}], "meta.ref": ["a b"]}, "meta.ref", 1.0),
        ({"answers": [{"text": np.array(["a c", "a b"])}]}, "answers.text", 0.75),
    ],
)
def test_references(columns: dict[str, Any], references: Any, recall: float) -> None:
    frame = pd.DataFrame({"prediction": ["a b"], **columns})
    assert rouge_cli.evaluate(frame, references)["ROUGE-L"].recall.mean == recall


def test_sentences() -> None:
    frame = pa.table({"prediction": ["c d<q>a b"], "reference": ["a b<q>c d"]})
    assert rouge_cli.evaluate(frame, sentence_separator="<q>")["ROUGE-L"].recall.mean == 1.0


def test_bytes_of_half_a_surrogate_pair() -> None:
    # Three bytes, as in lists: "a" is the fourth. pandas holds it among objects only.
    text = "\udc80ab cd"
    frame = pd.DataFrame({"prediction": [text], "reference": ["a"]}, dtype=object)
    for limit, recall in ((4, 1.0), (3, 0.0)):
        for given in ((frame,), ([text], ["a"]), ([[text]], [["a"]])):
            found = rouge_cli.evaluate(*given, bytes=limit, max_ngram=1)
            assert found["ROUGE-1"].recall.mean == recall


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        ({"text": ["a"]}, {}, "the data frame: neither prediction nor references"),
        ({"prediction": ["a", None], "reference": ["a", "b"]}, {},
         "the data frame, row 1: field 'prediction' is null"),
        ({"prediction": ["a"], "reference": ["a"]}, {"id": "lost"},
         "the data frame, row 0: no field 'lost'; the record has: prediction, reference"),
        ({"prediction": [], "reference": []}, {}, "the data frame: no records"),
    ],
)  # fmt: skip
def test_what_cannot_be_scored(
    columns: dict[str, Any], options: dict[str, Any], message: str
) -> None:
    for kind in (pd.DataFrame, pa.table):
        with pytest.raises(InputError) as caught:
            rouge_cli.evaluate(kind(columns), **options)
        assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["prediction"] * 2, "2 columns have the name 'prediction'; expected one"),
        ([0, "reference"], "found 0 as the name of a column, expected a string"),
    ],
)
def test_names_of_columns(names: list[Any], message: str) -> None:
    frame = pd.DataFrame([["a b", "x", "a b"]], columns=[*names, "reference"])
    with pytest.raises(InputError, match=message):
        rouge_cli.evaluate(frame)


def test_missing_values_of_pandas() -> None:
    frame = pd.DataFrame({"prediction": ["a", "b"], "reference": ["a", math.nan]})
    with pytest.raises(InputError, match=r"row 1: .*'reference'"):
        rouge_cli.evaluate(frame)


def test_a_column_that_is_not_read_may_be_there_twice() -> None:
    columns = ["prediction", "x", "x", "reference"]
    frame = pd.DataFrame([["a b", "x", "y", "a b"]], columns=columns)
    assert rouge_cli.evaluate(frame)["ROUGE-L"].recall.mean == 1.0


def test_numbers_of_numpy() -> None:
    options: Any = {"max_ngram": np.int64(2), "alpha": np.float64(0.5), "resamples": np.int64(0)}
    results = rouge_cli.evaluate(["a b"], ["a b"], **options)
    assert results["ROUGE-2"].f_measure.mean == 1.0


def test_a_column_that_is_not_read() -> None:
    frame = pd.DataFrame({"prediction": ["a"], "reference": ["a"], "summary": ["b"]})
    (warning,) = rouge_cli.evaluate(frame).warnings
    assert warning.startswith("the data frame: field 'summary' is not read")


def test_what_pandas_has_in_place_of_a_value() -> None:
    frame = pd.DataFrame(
        {"id": [1, 1], "system": ["a", "b"], "prediction": ["a b", "a"], "reference": ["a b", None]}
    ).convert_dtypes()
    found = rouge_cli.evaluate(frame)
    assert found.systems["b"]["ROUGE-L"].recall.mean == 0.5


def test_what_is_no_frame() -> None:
    class Columns:
        columns = ("prediction", "reference")

    with pytest.raises(InputError, match="found Columns, expected lists of texts or a data frame"):
        rouge_cli.evaluate(Columns())
    assert column_names(["a"]) is None
    assert column_names({"columns": []}) is None
    assert column_names(pd.Series(["a"])) is None
    assert column_names(pd.DataFrame) is None


def test_options_of_files() -> None:
    frame = pd.DataFrame(COLUMNS)
    with pytest.raises(OptionError, match="delimiter is for records, not for a data frame"):
        rouge_cli.evaluate(frame, delimiter=";")  # type: ignore[call-arg]


def test_predictions_alone() -> None:
    with pytest.raises(InputError, match="references: found NoneType, expected a list with a text"):
        rouge_cli.evaluate(["a"])


@pytest.mark.parametrize("kind", KINDS)
def test_fields_on_the_page_of_a_frame(kind: Any) -> None:
    topics = ["sport", None, "news"]
    options: Any = {"max_ngram": 1, "lcs": False, "resamples": 0}
    found = rouge_cli.evaluate(kind({**COLUMNS, "topic": topics}), page_field="topic", **options)
    assert found.fields == {"topic": {"7": ("sport",), "9": ("news",)}}
    assert payload(found.to_html())["fields"] == [
        {"name": "topic", "values": ["news", "sport"], "evals": [1, [], 0]}
    ]
    with pytest.raises(InputError, match=r"the data frame: nothing in field 'topik'; the record"):
        rouge_cli.evaluate(kind(COLUMNS), page_field="topik", **options)
    with pytest.raises(OptionError, match="page_field is for records"):
        rouge_cli.evaluate(["a"], ["a"], page_field="topic", **options)
    with pytest.raises(OptionError, match="page_field: an explanation has no such option"):
        rouge_cli.explain(["a"], ["a"], page_field="topic", eval_ids=["1"])


def test_days_and_exact_numbers_are_values_of_a_page() -> None:
    day, number = dt.date(2026, 5, 1), Decimal("1.50")
    frame = pa.table({**COLUMNS, "day": [day] * 3, "number": [number] * 3})
    found = rouge_cli.evaluate(frame, page_field=["day", "number"], resamples=0)
    assert {*found.fields["day"].values()} == {("2026-05-01",)}
    assert {*found.fields["number"].values()} == {("1.50",)}
