"""The same texts in every layout, and in every form of it."""

import csv
import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

Text = list[str]
"""Sentences."""


@dataclass(frozen=True)
class Corpus:
    """Texts by EVAL of the systems `them` and `us` and of the models `A` and `B`."""

    peers: dict[str, list[Text]]
    models: dict[str, list[Text]]

    @property
    def numbers(self) -> range:
        """The IDs of the EVALs."""
        return range(1, 1 + len(self.models["A"]))


def records(corpus: Corpus) -> Iterator[dict[str, Any]]:
    for system, texts in corpus.peers.items():
        numbered = enumerate(zip(texts, *corpus.models.values(), strict=True), 1)
        for number, (peer, *models) in numbered:
            yield {"id": number, "system": system, "prediction": peer, "references": models}


def write_texts(corpus: Corpus, folder: Path) -> None:
    for name, texts in (corpus.peers | corpus.models).items():
        (folder / name).mkdir()
        for number, text in enumerate(texts, 1):
            (folder / name / f"{number}.txt").write_text("\n".join(text) + "\n", "utf-8")


def as_config(corpus: Corpus, folder: Path) -> list[str]:
    write_texts(corpus, folder)
    peers = {
        k: "".join(f'<P ID="{name}">{name}/{k}.txt</P>' for name in corpus.peers)
        for k in corpus.numbers
    }
    evals = "".join(
        f'<EVAL ID="{k}"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT>'
        '<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>'
        f"<PEERS>{peers[k]}</PEERS>"
        f'<MODELS><M ID="A">A/{k}.txt</M><M ID="B">B/{k}.txt</M></MODELS></EVAL>'
        for k in corpus.numbers
    )
    (folder / "c.xml").write_text(f"<ROUGE-EVAL>{evals}</ROUGE-EVAL>")
    return ["-a", "c.xml"]


def as_list(corpus: Corpus, folder: Path) -> list[str]:
    """One system: a list has no other."""
    write_texts(corpus, folder)
    rows = [f"us/{number}.txt A/{number}.txt B/{number}.txt\n" for number in corpus.numbers]
    (folder / "files.lst").write_text("".join(rows))
    return ["-z", "SPL", "files.lst", "us"]


MODEL_PATTERN = ["--models", r"[AB]/#ID#[.]txt"]


def as_patterns_with_a_group(corpus: Corpus, folder: Path) -> list[str]:
    write_texts(corpus, folder)
    return ["--peers", r"(?P<system>us|them)/(\d+).txt", *MODEL_PATTERN]


def as_patterns_with_names(corpus: Corpus, folder: Path) -> list[str]:
    write_texts(corpus, folder)
    peers = ["--peers", r"them=them/(\d+).txt", "--peers", r"us=us/(?P<id>.+)[.]txt"]
    return [*peers, "--models", "A/#ID#.txt", "--models", "B/#ID#.txt"]


def as_lines(corpus: Corpus, folder: Path) -> list[str]:
    for name, texts in (corpus.peers | corpus.models).items():
        (folder / name).write_text("".join("<q>".join(text) + "\n" for text in texts), "utf-8")
    peers = [f"--peer-lines={name}={name}" for name in corpus.peers]
    return [*peers, "--model-lines=A", "--model-lines=B", "--sentence-separator", "<q>"]


def write_rows(folder: Path, rows: list[dict[str, Any]], *arguments: str) -> list[str]:
    (folder / "r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return ["r.jsonl", *arguments]


def as_jsonl(corpus: Corpus, folder: Path) -> list[str]:
    return write_rows(folder, list(records(corpus)))


def as_jsonl_in_utf_16(corpus: Corpus, folder: Path) -> list[str]:
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in records(corpus))
    (folder / "r.jsonl.gz").write_bytes(gzip.compress(lines.encode("utf-16"), mtime=0))
    return ["r.jsonl.gz", "--encoding", "utf-16"]


def as_jsonl_with_references_once(corpus: Corpus, folder: Path) -> list[str]:
    # The EVALs in the other order: their bytes decide.
    rows = list(records(corpus))[::-1]
    for row in rows[len(corpus.numbers) :]:
        row["references"] = None
    return write_rows(folder, rows)


def as_jsonl_with_a_separator(corpus: Corpus, folder: Path) -> list[str]:
    rows = [
        {**row, "prediction": "<q>".join(row["prediction"]),
         "references": ["<q>".join(model) for model in row["references"]]}
        for row in records(corpus)
    ]  # fmt: skip
    return write_rows(folder, rows, "--sentence-separator", "<q>")


def as_sacrerouge(corpus: Corpus, folder: Path) -> list[str]:
    rows = [
        {"instance_id": row["id"], "summarizer_id": row["system"], "summarizer_type": "peer",
         "summary": {"text": row["prediction"]},
         "references": [{"text": model} for model in row["references"]]}
        for row in records(corpus)
    ]  # fmt: skip
    return write_rows(folder, rows)


def as_fields_with_dots(corpus: Corpus, folder: Path) -> list[str]:
    rows = [
        {"meta": {"topic": row["id"], "by.whom": row["system"]},
         "outputs": [{"text": "\n".join(row["prediction"])}], "doc": {"models": row["references"]}}
        for row in records(corpus)
    ]  # fmt: skip
    texts = ("--prediction", "outputs.0.text", "--references", "doc.models")
    return write_rows(folder, rows, *texts, "--id", "meta.topic", "--system", "meta.by.whom")


def as_json(corpus: Corpus, folder: Path) -> list[str]:
    (folder / "r.json").write_text(json.dumps(list(records(corpus)), indent=1))
    return ["r.json"]


def as_parallel_lists(corpus: Corpus, folder: Path) -> list[str]:
    rows = list(records(corpus))
    (folder / "r.json").write_text(json.dumps({key: [row[key] for row in rows] for key in rows[0]}))
    return ["r.json"]


def write_table(corpus: Corpus, folder: Path, name: str, **how: Any) -> list[str]:
    with (folder / name).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, **how)
        writer.writerow(["system", "A", "B", "prediction", "id"])
        for row in records(corpus):
            texts = map("\n".join, [*row["references"], row["prediction"]])
            writer.writerow([row["system"], *texts, row["id"]])
    return [name, "--references", "A", "--references", "B"]


def as_csv(corpus: Corpus, folder: Path) -> list[str]:
    return write_table(corpus, folder, "r.csv")


def as_tsv(corpus: Corpus, folder: Path) -> list[str]:
    how = {"quoting": csv.QUOTE_ALL, "lineterminator": "\n"}
    return write_table(corpus, folder, "r.tsv", delimiter="\t", **how)


def as_parquet(corpus: Corpus, folder: Path) -> list[str]:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pyarrow.Table.from_pylist(list(records(corpus)))
    parquet.write_table(table, folder / "r.parquet", row_group_size=5)
    return ["r.parquet"]


Layout = Callable[[Corpus, Path], list[str]]
"""Writes a corpus into a folder, and returns the arguments that score it from there."""

LAYOUTS: list[Layout] = [
    value for name, value in list(globals().items()) if name.startswith("as_")
][1:]
"""All but the configuration, with which they are compared."""


def scored_by_config(layout: Layout) -> list[str]:
    """Return the arguments for what a layout scores, if the configuration is used instead."""
    return ["c.xml", "us"] if layout is as_list else ["-a", "c.xml"]
