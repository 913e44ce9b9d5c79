"""Sentences of raw text, by a Punkt model."""

import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nltk.data
import pytest

from rouge_cli.errors import InputError
from rouge_cli.inputs.sentences import Splitter, punkt_splitter, sentence_splitter
from tests.punkt import install_english_punkt, install_punkt

NLTK = "punkt"


@pytest.fixture
def nltk_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which alone NLTK looks for its data, with a model."""
    install_punkt(tmp_path / "nltk_data")
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path / "nltk_data")])
    return tmp_path / "nltk_data"


def splitter(kind: str) -> Splitter:
    split = sentence_splitter(kind)
    assert split is not None
    return split


def test_nothing_to_split() -> None:
    assert sentence_splitter(None) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(b"It ran. It sat.", b"It ran.\nIt sat.", id="two"),
        pytest.param(b"Dr. Who ran. It sat.", b"Dr. Who ran.\nIt sat.", id="abbreviation"),
        pytest.param(b"no end", b"no end", id="one"),
        pytest.param(b"", b"", id="empty"),
        pytest.param(b" \n ", b"", id="blank"),
        pytest.param(b"\n It ran.  It\nsat.\r\n", b"It ran.\nIt sat.", id="newlines-are-blanks"),
        pytest.param(b'"It ran." It sat!', b'"It ran."\nIt sat!', id="quotes"),
        pytest.param("Caf\u00e9. It sat.".encode(), "Caf\u00e9.\nIt sat.".encode(), id="utf-8"),
        pytest.param(b"Caf\xe9 \xff\x00. It sat.", b"Caf\xe9 \xff\x00.\nIt sat.", id="bytes"),
    ],
)
@pytest.mark.usefixtures("nltk_data")
def test_split(text: bytes, expected: bytes) -> None:
    assert splitter(NLTK)(text) == expected


@pytest.mark.usefixtures("nltk_data")
def test_it_is_small_when_sent() -> None:
    split = sentence_splitter(NLTK)
    sent = pickle.dumps(split)
    assert len(sent) < 2000
    assert pickle.loads(sent) == split
    assert pickle.loads(sent)(b"It ran. It sat.") == b"It ran.\nIt sat."


@pytest.mark.usefixtures("nltk_data")
def test_threads() -> None:
    split = splitter(NLTK)
    texts = [b"Dr. %d ran. It sat." % number for number in range(200)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(split, texts)) == [
            b"Dr. %d ran.\nIt sat." % number for number in range(200)
        ]


def test_a_process_that_lacks_the_search_path(
    nltk_data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # As in a process that began anew, with a model that was never loaded.
    monkeypatch.setattr(nltk.data, "path", [str(nltk_data), str(tmp_path / "other")])
    split = splitter(NLTK)
    from rouge_cli.inputs.sentences import _punkt

    _punkt.cache_clear()
    monkeypatch.setattr(nltk.data, "path", [])
    assert split(b"Dr. No ran. It sat.") == b"Dr. No ran.\nIt sat."


def test_a_model_that_a_package_brings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_english_punkt(tmp_path / "nltk_data")
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path / "nltk_data")])
    texts = [
        "Mr. Smith met Dr. No. They spoke at 5 p.m. on Monday. It rained.",
        'He moved to the U.S. In 2004 he left.\nSales rose 3.5 percent, e.g. in Ohio. Why? "No."',
    ]
    downloaded = punkt_splitter("test")
    expected = [downloaded.sentences(text) for text in texts]
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path / "none")])
    packaged = punkt_splitter("test")
    assert [packaged.sentences(text) for text in texts] == expected
    assert expected[0][-1] == "It rained."


def test_a_model_that_cannot_be_read(nltk_data: Path) -> None:
    (nltk_data / "tokenizers" / "punkt_tab" / "english" / "ortho_context.tab").write_bytes(b"a\tb")
    with pytest.raises(InputError) as caught:
        sentence_splitter(NLTK)
    (problem,) = caught.value.problems
    assert problem.startswith(
        "--sentences punkt: NLTK's Punkt model for English cannot be read: invalid literal for int"
    )
    assert problem.endswith("; get it anew with: python -m nltk.downloader punkt_tab")


def test_sentences_of_a_language() -> None:
    pytest.importorskip("sentencex")
    split = splitter("en")
    # An abbreviation ends no sentence, a question in quotes does.
    raw = b'The U.S. won. "Did it?"\nDr. No\xe9 and\xff "caf\xc3\xa9" left!  Yes.'
    expected = b'The U.S. won.\n"Did it?"\nDr. No\xe9 and\xff "caf\xc3\xa9" left!\nYes.'
    assert split(raw).replace(b"\n", b" ") == expected.replace(b"\n", b" ")
    assert split(b"One here. Two here.") == b"One here.\nTwo here."
    assert split(b"") == b""
    # It goes to worker processes.
    assert pickle.loads(pickle.dumps(split))(b"One. Two.") == b"One.\nTwo."


def test_a_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentencex", None)
    with pytest.raises(InputError) as caught:
        sentence_splitter("de")
    assert caught.value.problems == (
        "--sentences de needs sentencex, which is not installed: python -m pip install sentencex",
    )
