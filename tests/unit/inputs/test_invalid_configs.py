"""Invalid configurations and file lists, each with all that is said about it."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rouge_cli.errors import InputError
from rouge_cli.inputs.file_layouts import parse_file_list
from rouge_cli.inputs.xml_config import parse_config

INVALID = Path(__file__).parents[3] / "fixtures" / "invalid"
CASES = [json.loads(line) for line in (INVALID / "expected.jsonl").read_text("utf-8").splitlines()]
PARSERS: dict[str, Callable[[bytes, str], object]] = {
    "config": parse_config,
    "file_list": partial(parse_file_list, format="SPL", system_id="X"),
}


@pytest.mark.parametrize("case", CASES, ids=[case["file"] for case in CASES])
def test_problems(case: dict[str, Any]) -> None:
    path = INVALID / case["file"]
    data = path.read_bytes()
    parse = PARSERS[case["kind"]]
    with pytest.raises(InputError) as caught:
        parse(data, path.name)
    assert list(caught.value.problems) == case["problems"]


def test_every_file_has_its_case() -> None:
    files = {f"{path.parent.name}/{path.name}" for path in INVALID.glob("[cl]*s/*")}
    assert files == {case["file"] for case in CASES if case["kind"] in PARSERS}


def test_a_problem_is_a_line() -> None:
    assert all("\n" not in problem for case in CASES for problem in case["problems"])
