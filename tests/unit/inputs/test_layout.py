"""The list of layouts: which of them claims an input, and what goes with it; file lists."""

import io
import os
from typing import Any

import pytest

from rouge_cli.errors import InputError, OptionError
from rouge_cli.inputs.layout import LAYOUTS, find_layout, open_input, parse_file_list
from rouge_cli.inputs.source import GivenTexts, Source
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.options import Options
from tests.tables import NOTHING, raw, tables_beside

TABLES = tables_beside(__file__)
LINES = {"peer_lines": "p", "model_lines": "m"}
GROUPS: dict[str, dict[str, Any]] = {
    "LINES": LINES,
    "PATTERNS": {"peers": "p/(.)", "models": "m/#ID#"},
    "DUC": {"duc": ("p", "m")},
}
SELECTORS = [
    InputOptions.options()[layout.selector].spelling
    for layout in LAYOUTS
    if layout.selector and not layout.takes_config
]


def kind_of(given: str) -> str:
    """Return the kind of the layout that claims CONFIG and options, as the tables have them."""
    config: str | None = None
    options: dict[str, Any] = {}
    for word in given.removeprefix(NOTHING).split():
        name, equals, value = word.partition("=")
        if equals:
            options[name] = value == "True" or value
        elif name in GROUPS:
            options |= GROUPS[name]
        else:
            config = name
    return find_layout(Source(config), InputOptions.of(options)).kind


@pytest.mark.parametrize(("given", "kinds"), TABLES["claims"])
def test_claims(given: str, kinds: list[str]) -> None:
    assert [kind_of(given)] == kinds


@pytest.mark.parametrize(
    ("content", "kind"),
    [(b"<a/>", "an XML configuration"), (b'{"a": 1}', "records"), (b"x", "an XML configuration")],
)
def test_standard_input_is_told_by_its_beginning(
    content: bytes, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert kind_of("-") == kind
    assert kind_of("- list_format=SPL") == "a file list"


def test_texts_from_python() -> None:
    source = Source(texts=GivenTexts(["a"], ["a"]))
    assert find_layout(source, InputOptions()).kind == "lists of texts"


@pytest.mark.parametrize(("given", "messages"), TABLES["options that do not go with a layout"])
def test_options_that_do_not_go_with_a_layout(given: str, messages: list[str]) -> None:
    selectors = f"{', '.join(SELECTORS[:-1])} or {SELECTORS[-1]}"
    with pytest.raises(OptionError) as caught:
        kind_of(given)
    assert [str(caught.value)] == [line.replace("SELECTORS", selectors) for line in messages]


@pytest.mark.parametrize(("config", "given"), [(None, LINES), ("r.csv", {})])
def test_layouts_without_basic_elements(config: str | None, given: dict[str, Any]) -> None:
    options = Options.of({**given, "basic_elements": "HM"})
    with pytest.raises(OptionError, match="-3/--basic-elements is for files in the format SIMPLE"):
        open_input(Source(config), options.inputs, options.metrics)


def test_every_option_is_of_use_to_a_layout() -> None:
    assert frozenset().union(*(one.options for one in LAYOUTS)) == set(InputOptions.options())
    for layout in LAYOUTS:
        assert layout.selector is None or layout.selector in layout.options


def test_texts_that_are_opened() -> None:
    options = Options()
    texts = GivenTexts({"a": ["x"], "b": ["y"]}, [["x", "z"]])
    opened = open_input(Source(texts=texts), options.inputs, options.metrics)
    assert opened.complete().order == ("a", "b")
    assert [len(texts.models) for texts in opened.evals()] == [2]
    with pytest.raises(InputError, match="expected one list of references for each prediction"):
        open_input(Source(texts=GivenTexts(["x"], [])), options.inputs, options.metrics)


@pytest.mark.parametrize(("data", "expected"), TABLES["file lists"])
def test_file_lists(data: str, expected: list[str]) -> None:
    lines = []
    for texts in parse_file_list(raw(data), "files.lst", format="SPL", system_id="X"):
        models = " ".join(model.name for model in texts.models)
        lines.append(f"{texts.id}: {texts.peers['X'].name} < {models}, line {texts.models[0].line}")
    assert lines == [raw(line).decode() for line in expected]


def test_any_bytes_are_a_path() -> None:
    (evaluation,) = parse_file_list(b"caf\xe9.txt \xff\xfe.txt\n", "f", format="SPL", system_id="X")
    assert os.fsencode(evaluation.peers["X"].name) == b"caf\xe9.txt"
    assert os.fsencode(evaluation.models[0].name) == b"\xff\xfe.txt"


def test_format_and_line_reach_every_text() -> None:
    (evaluation,) = parse_file_list(b"\np m\n", "files.lst", format="ISI", system_id="mine")
    assert list(evaluation.peers) == ["mine"]
    texts = [evaluation.peers["mine"], *evaluation.models]
    assert [(text.format, text.line) for text in texts] == [("ISI", 2)] * 2
