"""Systems in columns, tables with other delimiters, names of fields in another case."""

from pathlib import Path

import pytest

from tests.cli.running import Run

AS_ORIGINAL = {"lcs": True}
SHORT = ("-n", "1", "-x")
COLUMNS = "id,bart,Pegasus,reference\n1,a b,c d,a b c d\n2,a,b c,b c\n"


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("c.csv").write_text(COLUMNS)


def test_columns_are_systems(run: Run) -> None:
    done = run(*SHORT, "c.csv", "--prediction", "bart", "--prediction", "P=pegasus")
    alone = [
        run(*SHORT, "c.csv", "--prediction", field).out for field in ("P=Pegasus", "bart=bart")
    ]
    assert (done.code, done.err, done.out) == (0, "", b"".join(alone))
    assert b"P ROUGE-1 Average_R: 0.75" in done.out


@pytest.mark.parametrize("name", ["t.csv", "t.tsv"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_delimiters_are_found(run: Run, name: str, delimiter: str) -> None:
    rows = [("ID", "Prediction", "Reference"), ("1", '"a, b; c"', "a b c d")]
    Path(name).write_text("\n\n" + "".join(delimiter.join(row) + "\n" for row in rows))
    done = run(*SHORT, "-v", name)
    assert done.code == 0
    assert b"t ROUGE-1 Average_R: 0.75000" in done.out
    fields = "fields 'Prediction' as prediction, 'Reference' as references, 'ID' as id"
    assert f"{name}: {fields}; delimiter {delimiter!r}".replace("\\t", "\\t") in done.err


def test_a_delimiter_that_is_given(run: Run) -> None:
    Path("t.csv").write_text("prediction|reference\na b|a b c d\n")
    assert run(*SHORT, "t.csv").code == 3
    done = run(*SHORT, "t.csv", "--delimiter", "|")
    assert b"t ROUGE-1 Average_R: 0.50000" in done.out
    Path("t.jsonl").write_text("{}\n")
    refused = run("t.jsonl", "--delimiter", ";")
    assert "--delimiter is for CSV and TSV, and t.jsonl is JSONL" in refused.misuse


def test_a_letter_of_the_original_twice(run: Run) -> None:
    given = ("-x", "c.csv", "--prediction", "bart")
    done = run("-n", "2", "-n", "1", *given)
    assert done.error_lines == [
        "Warning: -n/--max-ngram is given 2 times, '2' and '1'; the last one counts"
    ]
    assert (done.code, done.out) == (0, run("-n", "1", *given).out)
