"""In which format records are."""

import pytest

from rouge_cli.inputs.source import records_format, sniffed_format


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("a.jsonl", "JSONL"),
        ("a.ndjson", "JSONL"),
        ("A.JSONL.GZ", "JSONL"),
        ("a.json", "JSON"),
        ("a.csv", "CSV"),
        ("a.tsv.gz", "TSV"),
        ("a.parquet", "PARQUET"),
        ("config.xml", None),
        ("jsonl", None),
        ("a.jsonl.bz2", "JSONL"),
        ("a.csv.xz", "CSV"),
        ("a.jsonl.zst", None),
        ("-", None),
    ],
)
def test_by_name(path: str, form: str | None) -> None:
    assert records_format(path) == form
    assert records_format(path, "TSV") == "TSV"


@pytest.mark.parametrize(
    ("data", "form"),
    [
        (b'<?xml version="1.0"?><ROUGE-EVAL/>', "XML"),
        (b"\xef\xbb\xbf\n <ROUGE-EVAL/>", "XML"),
        ("<ROUGE-EVAL/>".encode("utf-16-le").join([b"\xff\xfe", b""]), "XML"),
        (b'\n {"a": 1}\n{"a": 2}\n', "JSONL"),
        (b'{"a": 1}', "JSONL"),
        (b'{"a":\n1}\n', "JSON"),
        (b'{"a": 1\n{"a": 2}\n', "JSONL"),
        (b'{"a": "\xff"}', "JSONL"),
        (b'[{"a": 1}]', "JSON"),
        (b"PAR1...", "PARQUET"),
        (b"id,prediction\n", None),
        (b"p.txt m.txt\n", None),
        (b"", None),
        (b" \n", None),
    ],
)
def test_by_content(data: bytes, form: str | None) -> None:
    assert sniffed_format(data) == form
