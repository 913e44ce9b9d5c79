"""The same pairs in every layout, and in every form of it, print the same bytes."""

import csv
import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import SAMPLE, Run, as_original

TOPICS = ("ferry", "bridge", "comet", "harvest")
# Enough EVALs for the order of the bootstrap to matter: 10 comes before 2.
NUMBERS = range(1, 13)
SYSTEMS = {"them": ("lead", "neural"), "us": ("neural", "extract", "lead")}
METRICS = ("-n", "2", "-w", "1.2", "-2", "4", "-U")
OPTIONS = [
    [*METRICS, "-m", "-s"],
    [*METRICS, "-f", "B", "-t", "1", "-r", "50", "-c", "90"],
    ["-n", "1", "-t", "2", "-M", "-l", "20"],
    [*METRICS, "-b", "75"],
]
Text = list[str]


@pytest.fixture
def run(run: Run) -> Run:
    """The program, with the report of ROUGE-1.5.5 by default."""
    return as_original(run)


def sentences(name: str) -> Text:
    return (SAMPLE / name).read_text("utf-8").splitlines()


def peers_of(system: str) -> list[Text]:
    names = SYSTEMS[system]
    return [sentences(f"peers/{TOPICS[k % 4]}.{names[k % len(names)]}.txt") for k in NUMBERS]


PEERS = {system: peers_of(system) for system in SYSTEMS}
MODELS = {name: [sentences(f"models/{TOPICS[k % 4]}.{name}.txt") for k in NUMBERS] for name in "AB"}


def records() -> Iterator[dict[str, Any]]:
    for system, texts in PEERS.items():
        for number, peer, *models in zip(NUMBERS, texts, *MODELS.values(), strict=True):
            yield {"id": number, "system": system, "prediction": peer, "references": models}


def write_texts(folder: Path) -> None:
    for name, texts in (PEERS | MODELS).items():
        (folder / name).mkdir()
        for number, text in zip(NUMBERS, texts, strict=True):
            (folder / name / f"{number}.txt").write_text("\n".join(text) + "\n", "utf-8")


def as_config(folder: Path) -> list[str]:
    write_texts(folder)
    evals = "".join(
        f'<EVAL ID="{k}"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT>'
        '<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>'
        f'<PEERS>{"".join(f"""<P ID="{name}">{name}/{k}.txt</P>""" for name in PEERS)}</PEERS>'
        f'<MODELS><M ID="A">A/{k}.txt</M><M ID="B">B/{k}.txt</M></MODELS></EVAL>'
        for k in NUMBERS
    )
    (folder / "c.xml").write_text(f"<ROUGE-EVAL>{evals}</ROUGE-EVAL>")
    return ["-a", "c.xml"]


def as_list(folder: Path) -> list[str]:
    """One system: a list has no other."""
    write_texts(folder)
    rows = [f"us/{number}.txt A/{number}.txt B/{number}.txt\n" for number in NUMBERS]
    (folder / "files.lst").write_text("".join(rows))
    return ["-z", "SPL", "files.lst", "us"]


MODEL_PATTERN = ["--models", r"[AB]/#ID#[.]txt"]


def as_patterns_with_a_group(folder: Path) -> list[str]:
    write_texts(folder)
    return ["--peers", r"(?P<system>us|them)/(\d+).txt", *MODEL_PATTERN]


def as_patterns_with_names(folder: Path) -> list[str]:
    write_texts(folder)
    peers = ["--peers", r"them=them/(\d+).txt", "--peers", r"us=us/(?P<id>.+)[.]txt"]
    return [*peers, "--models", "A/#ID#.txt", "--models", "B/#ID#.txt"]


def as_lines(folder: Path) -> list[str]:
    for name, texts in (PEERS | MODELS).items():
        (folder / name).write_text("".join("<q>".join(text) + "\n" for text in texts), "utf-8")
    peers = [f"--peer-lines={name}={name}" for name in PEERS]
    return [*peers, "--model-lines=A", "--model-lines=B", "--sentence-separator", "<q>"]


def write_rows(folder: Path, rows: list[dict[str, Any]], *arguments: str) -> list[str]:
    (folder / "r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return ["r.jsonl", *arguments]


def as_jsonl(folder: Path) -> list[str]:
    return write_rows(folder, list(records()))


def as_jsonl_in_utf_16(folder: Path) -> list[str]:
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in records())
    (folder / "r.jsonl.gz").write_bytes(gzip.compress(lines.encode("utf-16"), mtime=0))
    return ["r.jsonl.gz", "--encoding", "utf-16"]


def as_jsonl_with_references_once(folder: Path) -> list[str]:
    # The EVALs in the other order: their bytes decide.
    rows = list(records())[::-1]
    for row in rows[len(NUMBERS) :]:
        row["references"] = None
    return write_rows(folder, rows)


def as_jsonl_with_a_separator(folder: Path) -> list[str]:
    rows = [
        {**row, "prediction": "<q>".join(row["prediction"]),
         "references": ["<q>".join(model) for model in row["references"]]}
        for row in records()
    ]  # fmt: skip
    return write_rows(folder, rows, "--sentence-separator", "<q>")


def as_sacrerouge(folder: Path) -> list[str]:
    rows = [
        {"instance_id": row["id"], "summarizer_id": row["system"], "summarizer_type": "peer",
         "summary": {"text": row["prediction"]},
         "references": [{"text": model} for model in row["references"]]}
        for row in records()
    ]  # fmt: skip
    return write_rows(folder, rows)


def as_fields_with_dots(folder: Path) -> list[str]:
    rows = [
        {"meta": {"topic": row["id"], "by.whom": row["system"]},
         "outputs": [{"text": "\n".join(row["prediction"])}], "doc": {"models": row["references"]}}
        for row in records()
    ]  # fmt: skip
    texts = ("--prediction", "outputs.0.text", "--references", "doc.models")
    return write_rows(folder, rows, *texts, "--id", "meta.topic", "--system", "meta.by.whom")


def as_json(folder: Path) -> list[str]:
    (folder / "r.json").write_text(json.dumps(list(records()), indent=1))
    return ["r.json"]


def as_parallel_lists(folder: Path) -> list[str]:
    rows = list(records())
    (folder / "r.json").write_text(json.dumps({key: [row[key] for row in rows] for key in rows[0]}))
    return ["r.json"]


def write_table(folder: Path, name: str, **how: Any) -> list[str]:
    with (folder / name).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, **how)
        writer.writerow(["system", "A", "B", "prediction", "id"])
        for row in records():
            texts = map("\n".join, [*row["references"], row["prediction"]])
            writer.writerow([row["system"], *texts, row["id"]])
    return [name, "--references", "A", "--references", "B"]


def as_csv(folder: Path) -> list[str]:
    return write_table(folder, "r.csv")


def as_tsv(folder: Path) -> list[str]:
    how = {"quoting": csv.QUOTE_ALL, "lineterminator": "\n"}
    return write_table(folder, "r.tsv", delimiter="\t", **how)


def as_parquet(folder: Path) -> list[str]:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pyarrow.Table.from_pylist(list(records()))
    parquet.write_table(table, folder / "r.parquet", row_group_size=5)
    return ["r.parquet"]


LAYOUTS = [value for name, value in list(globals().items()) if name.startswith("as_")][1:]


@pytest.fixture(scope="module")
def as_xml(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the pairs as a configuration."""
    folder = tmp_path_factory.mktemp("config")
    as_config(folder)
    return folder


@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)
def test_the_same_bytes(
    layout: Callable[[Path], list[str]], options: list[str], as_xml: Path, run: Run, tmp_path: Path
) -> None:
    systems = ["c.xml", "us"] if layout is as_list else ["-a", "c.xml"]
    expected = run(*options, "-d", *systems, cwd=as_xml)
    found = run(*options, "-d", *layout(tmp_path), cwd=tmp_path)
    assert (found.code, found.err) == (0, "")
    assert found.out == expected.out
    assert expected.out.count(b" Eval ") >= len(NUMBERS)


def test_the_sample_as_records(run: Run) -> None:
    for options in (["-d", "-m", "-s", *METRICS], ["-b", "75", "-n", "1"]):
        expected = run(*options, "-a", "config.xml", cwd=SAMPLE)
        assert run(*options, "records.jsonl") == expected
        assert run(*options, "records.jsonl", "lead") == run(*options, "config.xml", "lead")
