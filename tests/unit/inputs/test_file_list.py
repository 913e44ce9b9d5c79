"""The file list. Expected values are read off the specification."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from rouge_cli.inputs.layout import parse_file_list
from rouge_cli.inputs.text_files import FileEval
from rouge_cli.inputs.xml_config import parse_config

CORPORA = Path(__file__).parents[3] / "fixtures" / "golden" / "corpora"


def parse(data: bytes) -> Sequence[FileEval]:
    return parse_file_list(data, "files.lst", format="SPL", system_id="X")


def summary(evaluations: Sequence[FileEval]) -> list[tuple[str, str, list[str], int | None]]:
    return [
        (one.id, one.peers["X"].name, [model.name for model in one.models], one.models[0].line)
        for one in evaluations
    ]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(b"p m\n", [("1", "p", ["m"], 1)], id="one-model"),
        pytest.param(b"p m1 m2 m3", [("1", "p", ["m1", "m2", "m3"], 1)], id="no-newline"),
        pytest.param(b"p m m\n", [("1", "p", ["m", "m"], 1)], id="model-twice"),
        pytest.param(
            b"# peer model\n\np1 m1\n   \n#p2 m2\np3 m3\n",
            [("1", "p1", ["m1"], 3), ("2", "p3", ["m3"], 6)],
            id="only-used-lines-count",
        ),
        pytest.param(
            b"p m\r\n\r\nq n\r\n", [("1", "p", ["m"], 1), ("2", "q", ["n"], 3)], id="crlf"
        ),
        pytest.param(b"\t p \t m  \n", [("1", "p", ["m"], 1)], id="white-space"),
        pytest.param(b" #p m\n", [("1", "#p", ["m"], 1)], id="hash-not-at-line-start"),
        pytest.param(b"p #m\n", [("1", "p", ["#m"], 1)], id="hash-in-a-name"),
        pytest.param(b"p|rm m>x;$(y)\n", [("1", "p|rm", ["m>x;$(y)"], 1)], id="names-only"),
        pytest.param(b"p\xc2\xa0q m\n", [("1", "p\u00a0q", ["m"], 1)], id="utf-8"),
        pytest.param(b"\xef\xbb\xbfp m\n", [("1", "p", ["m"], 1)], id="byte-order-mark"),
        pytest.param(b"\xef\xbb\xbf# p m\np m\n", [("1", "p", ["m"], 2)], id="mark-and-comment"),
    ],
)
def test_evals(data: bytes, expected: list[tuple[str, str, list[str], int | None]]) -> None:
    assert summary(parse(data)) == expected


def test_any_bytes_are_a_path() -> None:
    (evaluation,) = parse(b"caf\xe9.txt \xff\xfe.txt\n")
    assert os.fsencode(evaluation.peers["X"].name) == b"caf\xe9.txt"
    assert os.fsencode(evaluation.models[0].name) == b"\xff\xfe.txt"


def test_format_and_line_reach_every_text() -> None:
    (evaluation,) = parse_file_list(b"\np m\n", "files.lst", format="ISI", system_id="mine")
    assert list(evaluation.peers) == ["mine"]
    texts = [evaluation.peers["mine"], *evaluation.models]
    assert [(text.format, text.line) for text in texts] == [("ISI", 2)] * 2


@pytest.mark.parametrize("path", sorted(CORPORA.glob("*/files.lst")), ids=lambda p: p.parent.name)
def test_lists_of_the_corpora(path: Path) -> None:
    evaluations = parse(path.read_bytes())
    files = [text for one in evaluations for text in (*one.peers.values(), *one.models)]
    assert files
    assert all((path.parent / text.name).is_file() for text in files)


def test_list_and_configuration_name_the_same_texts() -> None:
    listed = parse((CORPORA / "many" / "files.lst").read_bytes())
    configured, _ = parse_config((CORPORA / "many" / "config.xml").read_bytes(), "config.xml")
    assert [(one.id, [model.name for model in one.models]) for one in listed] == [
        (one.id, [model.name for model in one.models]) for one in configured
    ]
