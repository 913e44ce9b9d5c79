"""The file list. Expected values are read off the specification."""

import os
from collections.abc import Sequence

import pytest

from rouge_cli.inputs.layout import parse_file_list
from rouge_cli.inputs.text_files import FileEval


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
