"""Records that are scored in batches and put together: the same bytes as one run."""

import json
import pickle
import random
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from rouge_cli import InputError, OptionError, batches
from tests.cli.running import ROOT, Run, records_of, write_records

AS_ORIGINAL = {"lcs": False}
SPL = ROOT / "fixtures" / "golden" / "corpora" / "spl"

Record = dict[str, Any]
RECORD: Record = {
    "id": "d1",
    "system": "a",
    "prediction": "the cat sat",
    "references": ["a cat sat", "the dog"],
}

RUNS: list[tuple[dict[str, Any], str]] = [
    (
        {"max_ngram": 2, "stem": True, "weight": "1.2", "max_gap": "4", "skip_and_unigram": True},
        "-n 2 -m -w 1.2 -2 4 -U",
    ),
    ({"max_ngram": 1, "weight": "2", "formula": "B"}, "-n 1 -w 2 -f B"),
    ({"language": "de", "max_ngram": 1}, "--language de -n 1"),
    # A score of pooled counts.
    ({"max_ngram": 1, "add": ["metric:corpus-bleu"]}, "-n 1 --add metric:corpus-bleu"),
]


@pytest.fixture
def records(run: Run, tmp_path: Path) -> list[Record]:
    """Records of several systems, and the file that holds them, ``records.jsonl``."""
    path = tmp_path / "records.jsonl"
    assert run("convert", "--to", "jsonl", "-o", str(path), "config.xml", cwd=SPL).code == 0
    return records_of(path)


def batch_of(*records: Record) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist(list(records))


def write_part(
    plan: batches.Plan,
    path: Path,
    rows: Iterable[Record],
    schema: pa.Schema,
    *,
    has_header: bool = True,
) -> None:
    counted = plan.count(pa.RecordBatch.from_pylist(list(rows), schema=schema))
    table = pa.Table.from_batches([counted])
    parquet.write_table(table if has_header else table.replace_schema_metadata(None), path)


def write_parts(records: Sequence[Record], folder: Path, n_parts: int, **options: Any) -> None:
    """Write the scores of records, shuffled, in parts of any size, and a header."""
    folder.mkdir()
    schema = batch_of(*records).schema
    plan = batches.plan(schema, **options)
    drawn = random.Random(7)
    shuffled = drawn.sample(records, len(records))
    bounds = [0, *sorted(drawn.choices(range(len(records) + 1), k=n_parts - 1)), len(records)]
    for number, (start, stop) in enumerate(pairwise(bounds)):
        path = folder / f"part-{drawn.random()}-{number}.parquet"
        write_part(plan, path, shuffled[start:stop], schema, has_header=False)
    plan.write_header(str(folder), len(records))


def without_warnings(report: bytes) -> bytes:
    """Return a report without what is said of the texts, which the parts do not know."""
    return re.sub(rb'"warnings": \[[^]]*\]', b"", report)


@pytest.mark.parametrize("n_parts", [1, 7, 100])
@pytest.mark.parametrize(("options", "words"), RUNS, ids=[words for _, words in RUNS])
def test_the_same_bytes(
    options: dict[str, Any],
    words: str,
    n_parts: int,
    run: Run,
    records: list[Record],
    tmp_path: Path,
) -> None:
    write_parts(records, tmp_path / "parts", n_parts, **options)
    for report in ("classic", "json", "csv"):
        of_report = ["-r", "50", "--report", report]
        direct = run("records.jsonl", *words.split(), *of_report, cwd=tmp_path)
        again = run("parts", *of_report)
        assert (again.code, direct.code) == (0, 0)
        assert without_warnings(again.out) == without_warnings(direct.out)


def test_positions_order_the_evals(run: Run, records: list[Record], tmp_path: Path) -> None:
    placed = [{**record, "position": place} for place, record in enumerate(records)]
    write_parts(placed, tmp_path / "parts", 5, max_ngram=1)
    words = ["-r", "5", "-d", "--report", "json"]
    direct = run("records.jsonl", "-n", "1", *words, cwd=tmp_path)
    assert without_warnings(run("parts", *words).out) == without_warnings(direct.out)


def test_pooled_counts_have_no_histogram(run: Run, records: list[Record], tmp_path: Path) -> None:
    write_parts(records, tmp_path / "parts", 1, max_ngram=1, add=["metric:corpus-bleu"])
    refused = run("parts", "--bootstrap", "histogram", cwd=tmp_path)
    assert "corpus-bleu (of pooled counts) is made of several that have to be" in refused.misuse


def test_columns_that_are_not_read_may_hold_anything() -> None:
    """Not even what Python has no value for is an error there, nor are two columns of one name."""
    batch = batch_of(RECORD)
    beyond_years = pa.array([2**62], pa.timestamp("s"))
    with pytest.raises((OverflowError, ValueError)):
        beyond_years.to_pylist()
    wider = batch.append_column("written", beyond_years).append_column("written", beyond_years)
    assert batches.count_batch(wider).equals(batches.count_batch(batch))
    twice = batch.append_column("id", batch["id"])
    for read in (batches.count_batch, batches.plan().count):
        with pytest.raises(InputError, match="found 2 columns 'id', expected one"):
            read(twice)


def test_a_batch_without_any_column_that_is_read() -> None:
    """Each of its records is bad, and none is lost."""
    batch = pa.RecordBatch.from_pydict({"other": [1, 2]})
    rows = batches.plan(on_error="collect").count(batch).to_pylist()
    assert ["no field 'prediction'" in row["errors"] for row in rows] == [True, True]


def test_rows_of_one_record() -> None:
    # Worked by hand: 2 of 3 words of the first reference and 1 of 2 of the second: hits 3 of 5
    # model words, and of 2 * 3 peer words.
    counted = batches.count_batch(batch_of(RECORD), max_ngram=1, lcs=False)
    assert counted.to_pylist() == [
        {
            "system": "a",
            "eval": "d1",
            "position": None,
            "ROUGE-1/hit": 3,
            "ROUGE-1/model_count": 5,
            "ROUGE-1/peer_count": 6,
            "ROUGE-1/R": 0.6,
            "ROUGE-1/P": 0.5,
            "ROUGE-1/F": 0.54545,
        }
    ]
    assert counted.schema.field("ROUGE-1/hit").type == pa.int64()


def test_plan_says_what_comes_back() -> None:
    batch = batch_of(RECORD)
    plan = batches.plan(max_ngram=2, weight=1.2, cluster="system")
    sent = pickle.loads(pickle.dumps(plan))
    counted = sent.count(batch)
    assert counted.schema.equals(plan.schema, check_metadata=True)
    assert plan.schema.field("ROUGE-W-1.2/hit").type == pa.float64()
    assert counted["cluster"].to_pylist() == ["a"]
    assert plan.signature.startswith("rouge-cli:")
    assert "|n:2|L|w:1.2|sent:newline|" in plan.signature
    assert sent.count(batch.slice(0, 0)).num_rows == 0
    again = batches.count_batch(batch, max_ngram=2, weight=1.2, cluster="system")
    assert again.equals(counted)


def test_lists_of_sentences() -> None:
    batch = batch_of({**RECORD, "prediction": ["the cat", "sat"], "references": [["a cat sat"]]})
    assert "|sent:list|" in batches.plan(batch.schema).signature
    with pytest.raises(InputError, match=re.escape("give batches.plan the schema")):
        batches.plan().count(batch)
    # No metric reads sentences.
    counted = batches.plan(max_ngram=1, lcs=False).count(batch)
    assert counted["ROUGE-1/hit"].to_pylist() == [2]


def test_several_predictions_in_a_record() -> None:
    batch = batch_of({"id": "d1", "bart": "a b", "t5": "b c", "references": ["a b"]})
    counted = batches.count_batch(batch, prediction=["bart", "t5"], max_ngram=1, lcs=False)
    assert counted["system"].to_pylist() == ["bart", "t5"]
    assert counted["ROUGE-1/hit"].to_pylist() == [2, 1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"prediction": None}, "field 'prediction' is null; expected a string, a list of sentence"),
        ({"id": None}, "field 'id' is null; expected an ID"),
        ({"id": " "}, "field 'id' is blank; expected an ID"),
        ({"system": None}, "field 'system' is null; expected an ID"),
        ({"references": None}, "no references; expected at least one"),
        ({"references": []}, "no references; expected at least one"),
    ],
)
def test_bad_records(change: Record, message: str) -> None:
    batch = batch_of({**RECORD, "id": "d2"}, {**RECORD, **change})
    with pytest.raises(InputError, match=re.escape(message)) as raised:
        batches.count_batch(batch)
    assert ("text d1" in str(raised.value)) == ("id" not in change)
    first, second = batches.count_batch(batch, on_error="collect").to_pylist()
    assert first["errors"] is None
    assert first["ROUGE-L/hit"] == 3
    assert second["errors"].startswith(message)
    assert second["ROUGE-L/hit"] is None


def test_what_cannot_be_scored_is_found_among_the_rest() -> None:
    # The model count of 20 words with the weight 4 is (20^4)^4, about 2^69.
    long = {**RECORD, "id": "d2", "references": ["x " * 20]}
    batch = batch_of(RECORD, long, {**RECORD, "id": "d3"})
    with pytest.raises(InputError, match="ROUGE-W-4 has counts beyond 63 bits"):
        batches.count_batch(batch, weight=4)
    counted = batches.count_batch(batch, weight=4, on_error="collect").to_pylist()
    assert [row["eval"] for row in counted if row["errors"] is None] == ["d1", "d3"]
    assert "beyond 63 bits" in counted[1]["errors"]


def test_empty_texts() -> None:
    batch = batch_of(RECORD, {**RECORD, "id": "d2", "prediction": "!"})
    with pytest.raises(InputError, match="text d2, system a: no tokens"):
        batches.count_batch(batch, empty="error")
    counted = batches.count_batch(batch, empty="skip", on_error="collect")
    assert counted["errors"].to_pylist()[1].endswith("left out")
    assert batches.count_batch(batch)["ROUGE-L/hit"].to_pylist() == [3, 0]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"jackknife": True}, OptionError, "--jackknife is not for batches"),
        ({"report": "json"}, OptionError, "--report is not for batches; give it to the report"),
        ({"peers": "x"}, OptionError, "--peers is about files, and not for batches"),
        ({"max_ngram": 0}, OptionError, "-n/--max-ngram: found 0"),
        ({"no_such": 1}, OptionError, "unknown option 'no_such'"),
        ({"empty": "skip"}, OptionError, "empty='skip' needs on_error='collect'"),
        ({"on_error": "drop"}, OptionError, "on_error: found 'drop', expected 'raise' or 'collect"),
        ({"id": "doc"}, InputError, "no column 'doc'; found id, system"),
        ({"columns": ["prediction", "references"]}, InputError, "no column of IDs"),
        ({"columns": ["id", "references"]}, InputError, "no prediction; name its field"),
        (
            {"prediction": ["a\udc80=prediction", "b=prediction"]},
            InputError,
            r"prediction: found 'a\udc80=prediction', with half of a surrogate pair",
        ),
    ],
)
def test_refused_plans(options: dict[str, Any], error: type[Exception], message: str) -> None:
    columns = options.pop("columns", None)
    given = [] if columns is None else [pa.schema({name: pa.string() for name in columns})]
    with pytest.raises(error, match=re.escape(message)):
        batches.plan(*given, **options)


def test_all_that_is_wrong_with_the_columns_is_said_at_once() -> None:
    document = pa.struct({"title": pa.string(), "year": pa.int16()})
    columns = [("id", pa.float64()), ("prediction", document), ("more", pa.string())]
    schema = pa.schema([*columns, ("more", pa.string()), ("position", pa.float32())])
    with pytest.raises(InputError) as refused:
        batches.plan(
            schema,
            prediction="prediction",
            references=["prediction.year", "more", "prediction.body"],
            cluster="topic",
        )
    assert refused.value.problems == (
        "batches: found 2 columns 'more', expected one; drop or rename the others",
        "batches: column 'prediction' holds struct<title: string, year: int16>; expected text, "
        "lists of sentences, or objects with 'text': name a field of it, such as "
        "prediction='prediction.title'",
        "batches: column 'prediction.year' holds int16; expected text, lists of texts, or objects "
        "with 'text': cast it, or name another with references=",
        "batches: column 'prediction' has no 'prediction.body'; it holds struct<title: string, "
        "year: int16>",
        "batches: column 'id' holds double; expected text or whole numbers: cast it, or name "
        "another with id=",
        "batches: no column 'topic'; found id, prediction, more, more, position",
        "batches: column 'position' holds float; expected whole numbers: cast it, or leave it out",
    )


TEXT = pa.string()
LISTS = pa.list_(TEXT)
OBJECT = pa.struct({"text": TEXT, "year": pa.int32()})
OF_BATCHES: list[tuple[str, pa.DataType, Any]] = [
    ("prediction", TEXT, "x"),
    ("prediction", pa.large_string(), "x"),
    ("prediction", pa.string_view(), "x"),
    ("prediction", pa.dictionary(pa.int8(), TEXT), "x"),
    ("prediction", LISTS, ["x", "y"]),
    ("prediction", pa.list_(TEXT, 2), ["x", "y"]),
    ("prediction", pa.list_view(TEXT), ["x", "y"]),
    ("prediction", OBJECT, {"text": "x", "year": 1}),
    ("prediction", pa.struct({"text": LISTS}), {"text": ["x"]}),
    ("prediction", pa.list_(pa.null()), []),
    ("references", LISTS, ["x", "y"]),
    ("references", pa.list_(LISTS), [["x"], ["y", "z"]]),
    ("references", pa.list_(OBJECT), [{"text": "x", "year": 1}]),
    ("references", pa.large_list(pa.struct({"text": LISTS})), [{"text": ["x"]}]),
    ("references", OBJECT, {"text": "x", "year": 1}),
    ("id", pa.uint8(), 7),
    ("id", pa.dictionary(pa.int8(), pa.int64()), 7),
    ("system", pa.large_string(), "x"),
    ("position", pa.int32(), 7),
    ("position", pa.null(), None),
]
NOT_OF_BATCHES: list[tuple[str, pa.DataType, Any]] = [
    ("prediction", pa.bool_(), True),
    ("prediction", pa.binary(), b"x"),
    ("prediction", pa.dictionary(pa.int8(), pa.binary()), b"x"),
    ("prediction", pa.list_(LISTS), [["x"]]),
    ("prediction", pa.list_(OBJECT), [{"text": "x", "year": 1}]),
    ("prediction", pa.struct({"summary": TEXT}), {"summary": "x"}),
    ("prediction", pa.struct({"text": pa.struct({"text": TEXT})}), {"text": {"text": "x"}}),
    ("prediction", pa.map_(TEXT, TEXT), [("text", "x")]),
    ("references", pa.list_(pa.list_(LISTS)), [[["x"]]]),
    ("references", pa.list_(pa.int64()), [1]),
    ("references", pa.struct({"text": pa.float64()}), {"text": 1.5}),
    ("id", pa.bool_(), True),
    ("id", pa.decimal128(9), 7),
    ("id", pa.date32(), 7),
    ("id", LISTS, ["x"]),
    ("system", OBJECT, {"text": "x", "year": 1}),
    ("position", TEXT, "x"),
    ("position", pa.bool_(), True),
]


def batch_with(column: str, kind: pa.DataType, value: Any) -> pa.RecordBatch:
    """Return a batch of a record whose column has another type and value."""
    kinds = {"id": TEXT, "system": TEXT, "prediction": TEXT, "references": TEXT} | {column: kind}
    row = dict.fromkeys(kinds, "x") | {column: value}
    columns = [pa.array([row[name]], kinds[name]) for name in kinds]
    return pa.RecordBatch.from_arrays(columns, list(kinds))


@pytest.mark.parametrize(("column", "kind", "value"), OF_BATCHES, ids=str)
def test_what_is_read_is_not_refused(column: str, kind: pa.DataType, value: Any) -> None:
    batch = batch_with(column, kind, value)
    plan = batches.plan(batch.schema)
    counted = plan.count(batch)
    if "|sent:newline|" in plan.signature:
        assert batches.plan().count(batch).equals(counted)
        return
    # The plan knows from the types what the readers find out: texts are lists of sentences.
    with pytest.raises(InputError, match=re.escape("give batches.plan the schema")):
        batches.plan().count(batch)


@pytest.mark.parametrize(("column", "kind", "value"), NOT_OF_BATCHES, ids=str)
def test_what_would_not_be_read_is_refused(column: str, kind: pa.DataType, value: Any) -> None:
    batch = batch_with(column, kind, value)
    (row,) = batches.plan(on_error="collect").count(batch).to_pylist()
    assert f"field '{column}'" in row["errors"]
    with pytest.raises(InputError, match=f"column '{column}' holds .*; expected ") as refused:
        batches.plan(batch.schema)
    assert len(refused.value.problems) == 1


@pytest.mark.parametrize(
    ("column", "path", "kind", "value"),
    [
        ("doc", "doc.body", pa.struct({"body": TEXT}), {"body": "x"}),
        ("doc", "doc.body.1", pa.struct({"body": LISTS}), {"body": ["y", "x"]}),
        ("doc", "doc.a.b", pa.struct({"a.b": TEXT, "a": TEXT}), {"a.b": "x", "a": "y"}),
        ("doc", "doc.a.b", pa.struct({"a.b": pa.null(), "a": OBJECT}), None),
        ("a.b", "a.b.c", pa.struct({"c": TEXT}), {"c": "x"}),
        ("resps", "resps.0", pa.list_(LISTS), [["x"]]),
        ("filtered_resps", "filtered_resps", pa.list_(pa.list_(OBJECT)), [[{"text": "x"}]]),
    ],
)
def test_paths_lead_into_columns(column: str, path: str, kind: pa.DataType, value: Any) -> None:
    batch = batch_with(column, kind, value).drop_columns("prediction")
    plan = batches.plan(batch.schema, prediction=path, max_ngram=1, on_error="collect")
    (row,) = plan.count(batch).to_pylist()
    if value is None:
        assert row["errors"].startswith(f"no field {path!r}")
    else:
        assert row["ROUGE-1/F"] == 1
        assert "|sent:newline|" in plan.signature


def with_id(number: int, **changes: Any) -> Record:
    return {**RECORD, "id": f"d{number}", **changes}


def two_parts(folder: Path, *more: Record, **options: Any) -> str:
    """Write the scores of three records into a part, and those of more into another."""
    folder.mkdir()
    schema = batch_of(RECORD).schema
    plan = batches.plan(schema, max_ngram=1, lcs=False, **options)
    write_part(plan, folder / "0.parquet", map(with_id, range(3)), schema)
    write_part(plan, folder / "1.parquet", more, schema)
    return str(folder)


def test_rows_of_retried_tasks_count_once(run: Run, tmp_path: Path) -> None:
    twice = run(two_parts(tmp_path / "twice", with_id(2), with_id(0)))
    once = run(two_parts(tmp_path / "once"))
    assert (twice.code, twice.out) == (0, once.out)
    assert once.err == ""
    assert "2 rows were there twice, equal in every number" in twice.err
    assert "each counts once: system a, text d0, system a, text d2" in twice.err


@pytest.mark.parametrize(
    ("changes", "options", "message"),
    [
        ({"prediction": "x"}, {}, "1.parquet have the same scores twice: system a, text d1"),
        (
            {"prediction": None},
            {"on_error": "collect"},
            "scores in one row, and an error in another: system a, text d1",
        ),
    ],
)
def test_different_rows_are_refused(
    changes: Record, options: dict[str, Any], message: str, run: Run, tmp_path: Path
) -> None:
    refused = run(two_parts(tmp_path / "parts", with_id(1, **changes), **options))
    assert message in refused.refusal


def test_the_same_file_twice_is_refused(run: Run, tmp_path: Path) -> None:
    path = f"{two_parts(tmp_path / 'parts')}/0.parquet"
    refused = run(path, path)
    assert "have the same scores twice: system a, text d0" in refused.refusal
    assert ", text d2" in refused.err


def test_failed_records_are_counted(run: Run, tmp_path: Path) -> None:
    bad = [with_id(7, prediction=None), {**RECORD, "id": None}]
    parts = two_parts(tmp_path / "parts", *bad, on_error="collect")
    finished = run(parts, "--report", "json")
    assert json.loads(finished.out)["systems"][0]["n_evals"] == 3
    assert "2 records were not scored and do not count: text d7, system a: field" in finished.err
    assert "text without an ID, system a: field 'id' is null" in finished.err


def test_the_reasons_are_given_where_every_record_failed(run: Run, tmp_path: Path) -> None:
    schema = batch_of(RECORD).schema
    plan = batches.plan(schema, max_ngram=1, lcs=False, on_error="collect")
    records = [with_id(number, prediction=None) for number in range(3)]
    write_part(plan, tmp_path / "p.parquet", [*records, with_id(3, references=[])], schema)
    finished = run("p.parquet", "--report", "csv", cwd=tmp_path)
    assert finished.code == 3
    first, second, third = finished.error_lines
    assert "none of 4 records could be scored" in first
    assert second.endswith("(3 records)")
    assert "no references; expected at least one (1 record)" in third


def test_missing_parts_are_noticed(run: Run, records: list[Record], tmp_path: Path) -> None:
    write_parts(records, tmp_path / "parts", 4, max_ngram=1)
    parts = sorted((tmp_path / "parts").glob("*.parquet"), key=lambda path: path.stat().st_size)
    parts[-1].unlink()
    refused = run(str(tmp_path / "parts"))
    assert f"expected {len(records)}, as _rouge_cli_scores.json says" in refused.refusal


def test_duplicate_records_are_called_so(run: Run, tmp_path: Path) -> None:
    parts = two_parts(tmp_path / "p", with_id(0), with_id(1))
    batches.plan(max_ngram=1, lcs=False).write_header(parts, n_records=5)
    finished = run(parts, "--report", "csv")
    assert "found scores or errors of 3 records, expected 5" in finished.refusal
    assert "2 duplicates of the same system and text counted once" in finished.err
    assert "missing" not in finished.err


def test_a_header_that_is_none(run: Run, records: list[Record], tmp_path: Path) -> None:
    write_parts(records, tmp_path / "parts", 2)
    header = tmp_path / "parts" / "_rouge_cli_scores.json"
    header.write_text("[]\n")
    refused = run(str(tmp_path / "parts"))
    assert "_rouge_cli_scores.json: line 1: no header of saved scores" in refused.refusal
    header.unlink()
    # Without it these are tables without a prediction.
    assert run(str(tmp_path / "parts")).code != 0


def test_lines_without_a_header_of_their_own(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    others = [with_id(number, prediction=f"d{number}") for number in (2, 3)]
    write_records(tmp_path / "together.jsonl", (RECORD, *others))
    plan = batches.plan(max_ngram=1)
    plan.write_header(str(folder), 3)
    for number, records in enumerate(([RECORD], others)):
        rows: list[Record] = []
        for row in plan.count(batch_of(*records)).to_pylist():
            rows.append({})
            for name, value in row.items():
                metric, _, key = name.partition("/")
                if key:
                    rows[-1].setdefault(metric, {})[key] = value
                else:
                    rows[-1][name] = value
        write_records(folder / f"part-{number}.jsonl", rows)
    alone = run("together.jsonl", "-n", "1", "-d", cwd=tmp_path)
    assert alone.out.count(b"Eval d") == 6
    assert run("parts", "-d").out == alone.out
