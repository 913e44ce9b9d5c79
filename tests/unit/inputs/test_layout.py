"""The list of layouts: which of them claims an input, and what goes with it."""

import io
from collections.abc import Mapping
from typing import Any

import pytest

from rouge_cli.errors import InputError, OptionError
from rouge_cli.inputs.layout import LAYOUTS, find_layout, open_input
from rouge_cli.inputs.source import GivenTexts, Source
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.options import Options

LINES = {"peer_lines": "p", "model_lines": "m"}
PATTERNS = {"peers": "p/(.)", "models": "m/#ID#"}
DUC = {"duc": ("p", "m")}
SELECTORS = [
    InputOptions.options()[layout.selector].spelling
    for layout in LAYOUTS
    if layout.selector and not layout.takes_config
]


def found(config: str | None, given: Mapping[str, Any]) -> str:
    return find_layout(Source(config), InputOptions.of(given)).kind


@pytest.mark.parametrize(
    ("config", "given", "kind"),
    [
        (None, LINES, "line files"),
        (None, PATTERNS, "folders (--peers)"),
        (None, DUC, "folders (--duc)"),
        ("f.lst", {"list_format": "SPL"}, "a file list"),
        # What is asked for goes before what a name tells.
        ("f.jsonl", {"list_format": "SPL"}, "a file list"),
        ("f.JSONL.gz", {}, "records"),
        ("f.xml", {"records_format": "CSV"}, "records"),
        ("f.xml", {}, "an XML configuration"),
        ("f", {"confine": True, "all": True}, "an XML configuration"),
    ],
)
def test_claims(config: str | None, given: dict[str, Any], kind: str) -> None:
    assert found(config, given) == kind


@pytest.mark.parametrize(
    ("content", "kind"),
    [(b"<a/>", "an XML configuration"), (b'{"a": 1}', "records"), (b"x", "an XML configuration")],
)
def test_standard_input_is_told_by_its_beginning(
    content: bytes, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert found("-", {}) == kind
    assert found("-", {"list_format": "SPL"}) == "a file list"


def test_texts_from_python() -> None:
    source = Source(texts=GivenTexts(["a"], ["a"]))
    assert find_layout(source, InputOptions()).kind == "lists of texts"


TAKEN_FOR = "is taken for {}; -z and --records-format say otherwise"
TWO = "exclude each other"


@pytest.mark.parametrize(
    ("config", "given", "message"),
    [
        (
            None,
            {},
            "no CONFIG: name the configuration, the file list (-z), the file of records, or use "
            f"{', '.join(SELECTORS[:-1])} or {SELECTORS[-1]}; scores alone are read with "
            "--add scores:FILE",
        ),
        (
            "c",
            LINES,
            f"CONFIG 'c' and --predictions {TWO}; give one; --prediction names a field of records",
        ),
        ("c", DUC, f"CONFIG 'c' and --duc {TWO}; give one"),
        (
            None,
            {"sentence_separator": "<q>", **PATTERNS},
            f"--sentence-separator and --peers {TWO}",
        ),
        (None, {**DUC, **LINES}, f"--predictions and --duc {TWO}"),
        (None, {"confine": True, **LINES}, f"--confine and --predictions {TWO}"),
        (None, {"prediction": "p", **DUC}, f"--prediction and --duc {TWO}"),
        (None, {**LINES, "list_format": "SPL"}, f"-z/--list-format and --predictions {TWO}"),
        ("f", {"id": "i", "list_format": "SPL"}, f"--id and -z/--list-format {TWO}"),
        (
            "c.xml",
            {"input_format": "SPL"},
            "--input-format is for folders (--peers), folders (--duc) "
            "and two folders or texts (--pair), but c.xml "
            + TAKEN_FOR.format("an XML configuration"),
        ),
        (
            "r.csv",
            {"unpaired": "skip"},
            "--unpaired is for folders (--peers), folders (--duc) "
            "and two folders or texts (--pair), but r.csv " + TAKEN_FOR.format("records"),
        ),
    ],
)
def test_options_that_do_not_go_with_a_layout(
    config: str | None, given: dict[str, Any], message: str
) -> None:
    with pytest.raises(OptionError) as caught:
        found(config, given)
    assert str(caught.value) == message


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
