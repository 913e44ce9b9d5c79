"""CONFIG from standard input: its beginning says what it is."""

import gzip
import io
import json

import pytest

from tests.cli.running import SAMPLE, Run

AS_ORIGINAL = {"lcs": True}
RECORDS = (SAMPLE / "records.jsonl").read_bytes()
AS_JSON = json.dumps([json.loads(line) for line in RECORDS.splitlines()]).encode()
CONFIG = (SAMPLE / "config.xml").read_bytes()
INPUTS = {
    "xml": CONFIG,
    "xml-blanks-before": b"\n \t" + CONFIG,
    "jsonl": RECORDS,
    "json": AS_JSON,
    "xml-gzip": gzip.compress(CONFIG),
    "jsonl-gzip": gzip.compress(RECORDS),
}


@pytest.mark.parametrize("name", INPUTS)
def test_what_it_is(name: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = run("-n", "2", "config.xml", "neural", cwd=SAMPLE)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(INPUTS[name])))
    found = run("-n", "2", "-", "neural", cwd=SAMPLE)
    assert (found.code, found.err) == (0, "")
    assert found.out == expected.out


def test_a_file_list(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = run("-n", "2", "-z", "SPL", "files.lst", "neural", cwd=SAMPLE)
    content = (SAMPLE / "files.lst").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert run("-n", "2", "-z", "SPL", "-", "neural", cwd=SAMPLE) == expected


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"id,prediction\n1,a\n", "standard input: neither XML nor JSON; expected a configuration "
         "in XML or records; CSV and TSV need --records-format, a file list -z FORMAT"),
        (b"", "standard input: neither XML nor JSON; expected a configuration in XML or records; "
         "CSV and TSV need --records-format, a file list -z FORMAT"),
        (gzip.compress(RECORDS)[:-20], "standard input: truncated gzip, it ends before its end; "
         "fetch or compress it again; expected a configuration in XML or records"),
        (
            b"<ROUGE-EVAL>",
            "standard input, line 1: not XML, no element found at column 13; correct it there",
        ),
    ],
    ids=["csv", "empty", "truncated-gzip", "broken-xml"],
)  # fmt: skip
def test_what_it_is_not(
    content: bytes, error: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert run("-n", "2", "-a", "-").refusal == f"Error: {error}"


def test_options_for_records_with_a_configuration(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(CONFIG)))
    assert run("-n", "2", "-a", "--prediction", "p", "-", cwd=SAMPLE).misuse == (
        "Error: --prediction is for records, but standard input is taken for an XML configuration; "
        "-z and --records-format say otherwise"
    )
