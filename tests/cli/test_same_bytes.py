"""The same pairs in every layout print the same bytes."""

import csv
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.running import Run

SAMPLE = Path(__file__).parents[2] / "fixtures" / "sample"
TOPICS = ("ferry", "bridge", "comet", "harvest")
SYSTEMS = ("extract", "lead", "neural")
# Enough EVALs for the order of the bootstrap to matter: 10 comes before 2.
N_EVALS = 12
METRICS = ("-n", "2", "-w", "1.2", "-2", "4", "-U")
OPTIONS = [
    [*METRICS],
    [*METRICS, "-m", "-s"],
    [*METRICS, "-f", "B", "-t", "1", "-r", "50", "-c", "90"],
    ["-n", "1", "-t", "2"],
    ["-n", "1", "-l", "20"],
    [*METRICS, "-b", "75", "-m"],
]


@dataclass(frozen=True)
class Topic:
    """An EVAL: a list of sentences for the peer and for each model."""

    peer: list[str]
    models: list[list[str]]


def read_topic(number: int) -> Topic:
    """Return the EVAL of a number, from 1: a topic of the sample and one of its systems."""
    topic, system = TOPICS[number % 4], SYSTEMS[number % 3]
    names = [f"peers/{topic}.{system}.txt", f"models/{topic}.A.txt", f"models/{topic}.B.txt"]
    peer, *models = [(SAMPLE / name).read_text("utf-8").splitlines() for name in names]
    return Topic(peer, models)


CORPUS = {number: read_topic(number) for number in range(1, N_EVALS + 1)}


def write_texts(folder: Path, peer_name: str, model_name: str) -> None:
    for number, topic in CORPUS.items():
        texts = {peer_name.format(number): topic.peer}
        letters = zip("AB", topic.models, strict=True)
        texts |= {model_name.format(number, letter): model for letter, model in letters}
        for name, sentences in texts.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text("\n".join(sentences) + "\n", "utf-8")


def as_config(folder: Path) -> list[str]:
    write_texts(folder, "p/{}.txt", "m/{}.{}.txt")
    evals = "".join(
        f'<EVAL ID="{number}"><PEER-ROOT>p</PEER-ROOT><MODEL-ROOT>m</MODEL-ROOT>'
        f'<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT><PEERS><P ID="us">{number}.txt</P></PEERS>'
        f'<MODELS><M ID="A">{number}.A.txt</M><M ID="B">{number}.B.txt</M></MODELS></EVAL>'
        for number in CORPUS
    )
    (folder / "c.xml").write_text(f"<ROUGE-EVAL>{evals}</ROUGE-EVAL>")
    return ["c.xml", "us"]


def as_list(folder: Path) -> list[str]:
    write_texts(folder, "p/{}.txt", "m/{}.{}.txt")
    rows = [f"p/{number}.txt m/{number}.A.txt m/{number}.B.txt\n" for number in CORPUS]
    (folder / "files.lst").write_text("".join(rows))
    return ["-z", "SPL", "files.lst", "us"]


def as_patterns(folder: Path) -> list[str]:
    write_texts(folder, "p/{}_decoded.txt", "m/model.{1}.{0}.txt")
    return ["--peers", r"us=p/(\d+)_decoded.txt", "--models", "m/model.[A-Z].#ID#.txt"]


def as_patterns_with_a_system(folder: Path) -> list[str]:
    write_texts(folder, "p/us-{}.txt", "m/{}.{}.txt")
    return ["--peers", r"p/(?P<system>\w+)-(\d+).txt", "--models", "m/#ID#[.][AB][.]txt"]


def as_duc_names(folder: Path) -> list[str]:
    write_texts(folder, "p/D{}.M.100.T.7", "m/D{}.M.100.T.{}")
    return ["--duc", "p", "m"]


def write_lines(folder: Path) -> None:
    """Write a text a line, with ``<q>`` between its sentences."""
    columns = {
        "us.txt": [topic.peer for topic in CORPUS.values()],
        "A.txt": [topic.models[0] for topic in CORPUS.values()],
        "B.txt": [topic.models[1] for topic in CORPUS.values()],
    }
    for name, texts in columns.items():
        (folder / name).write_text("".join("<q>".join(text) + "\n" for text in texts), "utf-8")


def as_lines(folder: Path) -> list[str]:
    write_lines(folder)
    models = ["--model-lines", "A.txt", "--model-lines", "B.txt"]
    return ["--peer-lines", "us=us.txt", *models, "--sentence-separator", "<q>"]


def as_jsonl(folder: Path) -> list[str]:
    rows = [
        json.dumps({"id": number, "prediction": topic.peer, "references": topic.models}) + "\n"
        for number, topic in CORPUS.items()
    ]
    (folder / "r.jsonl").write_text("".join(rows))
    return ["us=r.jsonl"]


def as_json(folder: Path) -> list[str]:
    lists = {
        "predictions": [topic.peer for topic in CORPUS.values()],
        "references": [topic.models for topic in CORPUS.values()],
    }
    (folder / "r.json").write_text(json.dumps(lists))
    return ["us=r.json"]


def write_table(path: Path, delimiter: str) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(["id", "system", "prediction", "A", "B"])
        for number, topic in CORPUS.items():
            writer.writerow([number, "us", *map("\n".join, (topic.peer, *topic.models))])


def as_csv(folder: Path) -> list[str]:
    write_table(folder / "r.csv", ",")
    return ["r.csv", "--references", "A", "--references", "B"]


def as_tsv(folder: Path) -> list[str]:
    write_table(folder / "r.tsv", "\t")
    return ["r.tsv", "--references", "A", "--references", "B"]


def as_parquet(folder: Path) -> list[str]:
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.table(
        {
            "id": list(CORPUS),
            "prediction": [topic.peer for topic in CORPUS.values()],
            "references": [topic.models for topic in CORPUS.values()],
        }
    )
    pyarrow.parquet.write_table(table, folder / "r.parquet")
    return ["us=r.parquet"]


LAYOUTS = [
    as_list,
    as_patterns,
    as_patterns_with_a_system,
    as_lines,
    as_jsonl,
    as_json,
    as_csv,
    as_tsv,
    as_parquet,
]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the pairs as a configuration."""
    folder = tmp_path_factory.mktemp("config")
    as_config(folder)
    return folder


@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)
def test_the_same_bytes(
    layout: Callable[[Path], list[str]],
    options: list[str],
    expected: Path,
    run: Run,
    tmp_path: Path,
) -> None:
    as_xml = run(*options, "-d", "c.xml", "us", cwd=expected)
    found = run(*options, "-d", *layout(tmp_path), cwd=tmp_path)
    assert (found.code, found.err) == (0, "")
    assert found.out == as_xml.out
    assert as_xml.out.count(b" Eval ") >= N_EVALS


@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
def test_the_same_bytes_by_duc_names(
    options: list[str], expected: Path, run: Run, tmp_path: Path
) -> None:
    as_xml = run(*options, "-d", "c.xml", "us", cwd=expected)
    found = run(*options, "-d", *as_duc_names(tmp_path), cwd=tmp_path)
    assert (found.code, found.err) == (0, "")
    # The number in the name is the system, and the rest of it the ID of the EVAL.
    renamed = found.out.replace(b"\n7 ", b"\nus ").replace(b".M.100.T.7 ", b".us ")
    scores = renamed.replace(b" Eval D", b" Eval ")
    assert sorted(scores.splitlines()) == sorted(as_xml.out.splitlines())
