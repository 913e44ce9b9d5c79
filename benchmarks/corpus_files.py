"""Write the corpora of a trial to files, and read them again.

Run in the environment of the trial as ``python -m benchmarks.corpus_files SCALE``. What is there
already is kept, unless the sampling has changed since.
"""

import csv
import json
import shutil
import sys
from hashlib import sha256
from itertools import islice
from pathlib import Path

from benchmarks.environment import WORK
from benchmarks.scales import Scale, scale_of

__all__ = ["HERE", "SEPARATOR", "line_paths", "read_lines", "records_path", "spl_directory"]

HERE = Path(__file__).resolve().parent
SEPARATOR = "<q>"
"""Stands between the sentences of a line."""

N_DISTINCT = 100_000
"""A longer line file repeats these pairs."""

EVAL = """<EVAL ID="{id}">
<PEER-ROOT>peers</PEER-ROOT>
<MODEL-ROOT>models</MODEL-ROOT>
<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>
<PEERS><P ID="1">{id}.txt</P></PEERS>
<MODELS><M ID="A">{id}.txt</M></MODELS>
</EVAL>
"""


def line_paths(scale: Scale, name: str | int, n_models: int = 1) -> tuple[Path, list[Path]]:
    """Return the paths of the peers and of the models of a corpus."""
    folder = WORK / scale.name
    models = [folder / f"{name}.models{k}.txt" for k in range(n_models)]
    return folder / f"{name}.peers.txt", models


def spl_directory(scale: Scale) -> Path:
    """Return the directory with the SPL files, their configuration and their list."""
    return WORK / scale.name / "spl"


def records_path(scale: Scale, suffix: str, name: str | int = "pairs") -> Path:
    """Return the path of a corpus as records."""
    return WORK / scale.name / f"{name}.{suffix}"


def read_lines(path: Path) -> list[str]:
    """Read the texts of a line file, with newlines between their sentences."""
    lines = path.read_text(encoding="utf-8").split("\n")
    if not lines[-1]:
        lines.pop()
    return [line.replace(SEPARATOR, "\n") for line in lines]


def make(scale: Scale) -> None:
    """Make all corpora of a trial."""
    folder = WORK / scale.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    _make_pairs(scale)
    _make_spl(scale)
    _make_line_files(scale)


def _make_pairs(scale: Scale) -> None:
    """Write the pairs, the shorter and the longer texts, and those with several models."""
    from benchmarks.corpora import NEWS, Sampler, Shape

    pairs = Sampler(1).pairs(scale.n_pairs, NEWS)
    _write_lines(scale, "pairs", *pairs)
    for suffix in ("jsonl", "csv"):
        _write_records(scale, "pairs", suffix, *pairs)
    long = Shape(words=(250, 250), sentences=(10, 14))
    _write_lines(scale, "long", *Sampler(2).pairs(scale.n_long, long, n_models=4))
    short, task = Shape(words=(15, 29)), Shape(words=(90, 110), sentences=(4, 7))
    _write_lines(scale, "short", *Sampler(4).pairs(scale.n_pairs, short))
    _write_lines(scale, "duc", *Sampler(6).pairs(2 * scale.n_long, task, n_models=4))
    n_distinct = min(N_DISTINCT, scale.line_sizes[-1])
    many = Sampler(3).pairs(n_distinct, NEWS)
    _write_lines(scale, n_distinct, *many)
    for suffix in ("jsonl", "parquet"):
        _write_records(scale, n_distinct, suffix, *many)


def _write_records(
    scale: Scale, name: str | int, suffix: str, peers: list[str], models: list[list[str]]
) -> None:
    """Write pairs as JSONL, CSV or Parquet."""
    path = records_path(scale, suffix, name)
    pairs = enumerate(zip(peers, models, strict=True), 1)
    records = [
        {"id": str(number), "prediction": peer, "reference": row[0]}
        for number, (peer, row) in pairs
    ]
    if suffix == "jsonl":
        lines = "".join(json.dumps(record) + "\n" for record in records)
        path.write_text(lines, encoding="ascii")
    elif suffix == "csv":
        with path.open("w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, list(records[0]))
            table.writeheader()
            table.writerows(records)
    else:
        import pyarrow
        import pyarrow.parquet

        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(records), path)


def _write_lines(scale: Scale, name: str | int, peers: list[str], models: list[list[str]]) -> None:
    """Write a corpus as parallel line files."""
    peer_path, model_paths = line_paths(scale, name, len(models[0]))
    columns = [peers, *zip(*models, strict=True)]
    for path, texts in zip([peer_path, *model_paths], columns, strict=True):
        lines = (text.replace("\n", SEPARATOR) + "\n" for text in texts)
        path.write_text("".join(lines), encoding="utf-8")


def _make_line_files(scale: Scale) -> None:
    """Write the line files of every size: a part of the distinct pairs, or these repeated."""
    n_distinct = min(N_DISTINCT, scale.line_sizes[-1])
    source_peers, [source_models] = line_paths(scale, n_distinct)
    for size in scale.line_sizes:
        peers, [models] = line_paths(scale, size)
        if size < n_distinct:
            _copy_part(source_peers, peers, size)
            _copy_part(source_models, models, size)
        elif size > n_distinct:
            _repeat(source_peers, peers, size // n_distinct)
            _repeat(source_models, models, size // n_distinct)


def _copy_part(source: Path, path: Path, n_lines: int) -> None:
    """Write the first lines of a file."""
    with source.open("rb") as lines:
        path.write_bytes(b"".join(islice(lines, n_lines)))


def _repeat(source: Path, path: Path, times: int) -> None:
    """Write a file several times over."""
    data = source.read_bytes()
    with path.open("wb") as file:
        for _ in range(times):
            file.write(data)


def _make_spl(scale: Scale) -> None:
    """Write the pairs as SPL files, with a configuration and a file list."""
    folder = spl_directory(scale)
    peers, [models] = line_paths(scale, "pairs")
    n_pairs = scale.n_spl // 2
    for kind, path in (("peers", peers), ("models", models)):
        (folder / kind).mkdir(parents=True)
        for number, text in enumerate(read_lines(path)[:n_pairs], 1):
            (folder / kind / f"{number}.txt").write_text(text + "\n", encoding="utf-8")
    numbers = range(1, n_pairs + 1)
    evals = "".join(EVAL.format(id=number) for number in numbers)
    config = f'<ROUGE-EVAL version="1.55">\n{evals}</ROUGE-EVAL>\n'
    (folder / "config.xml").write_text(config, encoding="ascii")
    files = "".join(f"peers/{number}.txt models/{number}.txt\n" for number in numbers)
    (folder / "files.lst").write_text(files, encoding="ascii")


def _stamp(scale: Scale) -> str:
    """Return what the corpora depend on, in short."""
    sources = b"".join((HERE / name).read_bytes() for name in ("corpora.py", "corpus_files.py"))
    return sha256(sources + repr(scale).encode()).hexdigest()


def main(scale: Scale) -> None:
    """Make the corpora, unless they are there."""
    stamp = WORK / scale.name / "made.txt"
    if not stamp.exists() or stamp.read_text(encoding="ascii") != _stamp(scale):
        make(scale)
        stamp.write_text(_stamp(scale), encoding="ascii")


if __name__ == "__main__":
    main(scale_of(sys.argv[1]))
