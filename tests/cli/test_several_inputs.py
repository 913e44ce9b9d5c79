"""Several files are several systems: records and saved scores, of score, compare and the others."""

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import rouge_cli
from rouge_cli.errors import InputError, OptionError
from tests.cli.running import Run, write_records

AS_ORIGINAL = {"lcs": True}
Texts = Sequence[tuple[str, str, str]]

BART: Texts = [("1", "the cat sat", "the cat sat down"), ("2", "a dog", "the dog ran")]
PEGASUS: Texts = [("2", "the dog ran", "the dog ran"), ("1", "down", "the cat sat down")]


def write(path: Path, texts: Texts, *, has_ids: bool = True, **more: str) -> None:
    records = [
        {"id": id_, "prediction": peer, "reference": model, **more} for id_, peer, model in texts
    ]
    if not has_ids:
        records = [{key: record[key] for key in record if key != "id"} for record in records]
    write_records(path, records)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a working directory with two files of records."""
    write(tmp_path / "bart.jsonl", BART)
    write(tmp_path / "pegasus.jsonl", PEGASUS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def averages(output: str) -> list[str]:
    return [line.split(" (")[0] for line in output.splitlines() if "Average_R" in line]


def test_files_are_systems_and_pair_by_id(folder: Path, run: Run) -> None:
    done = run("-n", "1", "-x", "bart.jsonl", "P=pegasus.jsonl")
    assert (done.code, done.err) == (0, "")
    # Recall: 3 of 4 and 1 of 3 unigrams; 3 of 3 and 1 of 4.
    alone = [run("-n", "1", "-x", name).out for name in ("bart=bart.jsonl", "P=pegasus.jsonl")]
    assert done.out == b"".join(alone)


def test_records_without_ids_pair_by_position(folder: Path, run: Run) -> None:
    write(folder / "a.jsonl", BART, has_ids=False)
    write(folder / "b.jsonl", list(reversed(PEGASUS)), has_ids=False)
    done = run("-n", "1", "-x", "a.jsonl", "b.jsonl")
    assert averages(done.out.decode())[1] == "b ROUGE-1 Average_R: 0.62500"
    write(folder / "b.jsonl", PEGASUS, has_ids=False)
    done = run("-n", "1", "-x", "a.jsonl", "b.jsonl")
    assert "b.jsonl, line 1: text 1: other references than in a.jsonl, line 1" in done.refusal


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["bart.jsonl", "nobody"], 2, "'nobody' is neither a file nor a system of bart.jsonl"),
        (["bart.jsonl", "notes"], 2, "'notes': its name shows no format of records"),
        (["bart.jsonl", "pegasus.jsonl", "nobody"], 2, "'nobody': no such file"),
        (["bart.jsonl", "gone.jsonl"], 3, "gone.jsonl: no such file"),
        (["bart.jsonl", "bart=pegasus.jsonl"], 3, "bart.jsonl and pegasus.jsonl both have a sys"),
        (["bart.jsonl", "places.jsonl"], 3, "bart.jsonl has IDs of texts, in field 'id', and pl"),
        (["N=both.jsonl"], 2, "N=both.jsonl: the file has several systems, a, b"),
        (["bart.jsonl", "-"], 2, "standard input needs a name beside other files; give NAME=-"),
        (["A=-", "B=-", "--records-format", "jsonl"], 2, "- (standard input) is given twice"),
        (["saved.jsonl", "nobody", "nowhere"], 2, "'nobody': no such file, and behind "),
        (["compare", "saved.jsonl", "nobody"], 2, "'nobody': no such file, and behind "),
        (["N=saved.jsonl"], 2, "N=saved.jsonl: there are several systems, a, b; NAME=FILE is for"),
        (["compare", "bart.jsonl", "nobody"], 2, "unexpected 'nobody' behind bart.jsonl"),
        (["config.xml", "a", "b"], 2, "unexpected 'b': at most one SYSTEM_ID may follow"),
    ],
)
def test_words_that_are_none(
    folder: Path, run: Run, words: list[str], code: int, message: str
) -> None:
    (folder / "notes").write_text("")
    write(folder / "places.jsonl", BART, has_ids=False)
    write(folder / "both.jsonl", [], system="a")
    lines = [
        {"id": 1, "system": system, "prediction": "a", "reference": "a"} for system in ("a", "b")
    ]
    write_records(folder / "both.jsonl", lines)
    run("-n", "1", "--save", "saved.jsonl", "both.jsonl")
    done = run(*words)
    assert (done.code, done.out) == (code, b"")
    assert message in done.err


def test_a_file_names_the_system_that_its_records_name_too(folder: Path, run: Run) -> None:
    write(folder / "one.jsonl", BART[:1], system="a")
    done = run("-n", "1", "-x", "N=one.jsonl")
    # 3 of 4 unigrams.
    assert averages(done.out.decode()) == ["N ROUGE-1 Average_R: 0.75000"]
    assert run("-n", "1", "-x", "a=one.jsonl").out == run("-n", "1", "-x", "one.jsonl").out


def test_nothing_tells_the_format_of_standard_input(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = io.TextIOWrapper(io.BytesIO(b"id,prediction,reference\n"))
    monkeypatch.setattr("sys.stdin", table)
    done = run("-n", "1", "bart.jsonl", "N=-")
    assert done.misuse == "Error: standard input: unknown format of records; give --records-format"


def test_saved_scores(folder: Path, run: Run) -> None:
    texts = run("-n", "1", "bart.jsonl", "pegasus.jsonl")
    run("-n", "1", "--save", "s.jsonl", "bart.jsonl")
    run("-n", "1", "--save", "t.jsonl", "pegasus.jsonl")
    assert run("bart=s.jsonl", "pegasus=t.jsonl").out.decode() == texts.out.decode()
    mixed = run("s.jsonl", "bart.jsonl")
    assert "s.jsonl holds saved scores, and bart.jsonl does not" in mixed.misuse
    assert "no system 'nobody' among the saved scores" in run("s.jsonl", "nobody").misuse


def test_other_commands(folder: Path, run: Run) -> None:
    compared = run("compare", "-n", "1", "-x", "bart.jsonl", "pegasus.jsonl", "--report", "csv")
    assert compared.code == 0
    assert "bart,pegasus" in compared.out.decode()
    converted = run("convert", "bart.jsonl", "P=pegasus.jsonl", "--to", "jsonl", "-o", "-")
    records = [json.loads(line) for line in converted.out.decode().splitlines()]
    assert [(one["id"], one["system"]) for one in records] == [
        (number, system) for number in "12" for system in ("bart", "P")
    ]


def test_judgements_in_several_files(folder: Path, run: Run) -> None:
    texts = [(str(number), "a b c d"[: 2 * number - 1], "a b c d") for number in (1, 2, 3, 4)]
    for number, name in enumerate("abc", 1):
        lines = [
            {"id": id_, "prediction": peer[: 1 + number], "reference": model, "judged": number}
            for id_, peer, model in texts
        ]
        path = folder / f"{name}.jsonl"
        write_records(path, lines)
    files = ["a.jsonl", "b.jsonl", "C=c.jsonl"]
    done = run("correlate", "-n", "1", "-x", *files, "--judgement", "judged", "--level", "system")
    assert (done.code, "3 systems" in done.out.decode()) == (0, True), done.err


def test_python(folder: Path) -> None:
    options: Any = {"max_ngram": 1, "lcs": False, "resamples": 0}
    of_list = rouge_cli.evaluate_files(["bart.jsonl", folder / "pegasus.jsonl"], **options)
    of_names = rouge_cli.evaluate_files({"B": "bart.jsonl", "P": "pegasus.jsonl"}, **options)
    assert list(of_list.systems) == ["bart", "pegasus"]
    # Three of four unigrams and one of three; all three and one of four.
    assert of_names.systems["B"]["ROUGE-1"].recall.per_eval.tolist() == [0.75, 0.33333]
    assert of_names.systems["P"]["ROUGE-1"].recall.per_eval.tolist() == [0.25, 1.0]
    with pytest.raises(OptionError, match="expected at least one path"):
        rouge_cli.evaluate_files([])
    with pytest.raises(OptionError, match="a name without ="):
        rouge_cli.evaluate_files({"a=b": "bart.jsonl"})
    with pytest.raises(InputError, match="both have a system bart"):
        rouge_cli.evaluate_files(["bart.jsonl", "bart.jsonl"])
