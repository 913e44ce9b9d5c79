"""What is written scores the same, to the byte, with every option."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from rouge_cli.atomic_files import new_file
from rouge_cli.conversion import Written, convert_to_folder, convert_to_records, places_by_number
from rouge_cli.inputs.index import HeldInput
from tests.plain.program import run as run_plain
from tests.unit.conversion.corpora import (
    ODD_CHARACTERS,
    corpora,
    report_of_corpus,
    report_of_input,
    report_of_system,
    scorings,
    working_in,
)

OUT = "out"
PLAIN = ["-n", "2", "-w", "1.2", "-2", "4", "-U", "-r", "7", "-d"]

examples = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large),
)
text_formats = st.sampled_from(["SPL", "SEE", "ISI"])


def folder_of(home: str, corpus: HeldInput, kind: str, form: str = "SPL") -> Path:
    convert_to_folder(corpus, kind, f"{home}/{OUT}", form)
    return Path(home, OUT)


def options_in(command: Sequence[str]) -> dict[str, Any]:
    """Read the options of a command for line files."""
    options: dict[str, Any] = {"peer_lines": [], "model_lines": []}
    for name, value in zip(command[1::2], command[2::2], strict=True):
        field = name.removeprefix("--").replace("-", "_")
        if field == "sentence_separator":
            options[field] = value
        else:
            options[field].append(value)
    return options


@examples
@given(corpora(), scorings(), text_formats)
def test_xml(corpus: HeldInput, scoring: dict[str, Any], form: str) -> None:
    scoring |= {"per_eval": True}
    with tempfile.TemporaryDirectory() as home, working_in(folder_of(home, corpus, "xml", form)):
        found = report_of_input("config.xml", None, scoring | {"all": True})
    assert found == report_of_corpus(corpus, scoring)


@examples
@given(corpora(), text_formats, st.sampled_from([[], ["-b", "25"], ["-l", "6"], ["-t", "1"]]))
def test_xml_as_the_plain_twin_reads_it(corpus: HeldInput, form: str, more: list[str]) -> None:
    scoring: dict[str, Any] = {
        "max_ngram": 2, "weight": "1.2", "max_gap": 4, "skip_and_unigram": True, "resamples": 7,
        "per_eval": True,
    }  # fmt: skip
    names = {"-b": "bytes", "-l": "words", "-t": "counting"}
    scoring |= {names[more[0]]: int(more[1])} if more else {}
    with tempfile.TemporaryDirectory() as home:
        found = run_plain([*PLAIN, *more, "-a", "config.xml"], folder_of(home, corpus, "xml", form))
    assert found.decode() == report_of_corpus(corpus, scoring)


@examples
@given(corpora(), scorings(), text_formats)
def test_list(corpus: HeldInput, scoring: dict[str, Any], form: str) -> None:
    with tempfile.TemporaryDirectory() as home:
        written = convert_to_folder(corpus, "list", f"{home}/{OUT}", form)
        with working_in(Path(home, OUT)):
            for system, command in zip(corpus.index.order, written.commands[::2], strict=True):
                assert command[:3] == ("rouge-cli", "-z", form)
                found = report_of_input(command[-2], system, scoring | {"list_format": form})
                assert found == report_of_system(corpus, system, scoring)


def converted_to_lines(home: str, corpus: HeldInput) -> Written:
    """Convert to line files, if there is an order of lines that suits all systems."""
    orders = [places_by_number(corpus.complete().eval_ids, system) for system in corpus.index.order]
    assume(all(order == orders[0] for order in orders))
    return convert_to_folder(corpus, "lines", f"{home}/{OUT}", "SPL")


@examples
@given(corpora(is_regular=True), scorings())
def test_lines(corpus: HeldInput, scoring: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as home:
        written = converted_to_lines(home, corpus)
        with working_in(Path(home, OUT)):
            options = options_in(written.commands[0])
            assert report_of_input(None, None, scoring | options) == report_of_corpus(
                corpus, scoring
            )


@examples
@given(corpora(odd=ODD_CHARACTERS), scorings())
def test_records(corpus: HeldInput, scoring: dict[str, Any]) -> None:
    scoring |= {"per_eval": True}
    with tempfile.TemporaryDirectory() as home:
        path = f"{home}/records.jsonl"
        with new_file(path) as file:
            convert_to_records(corpus, file, path)
        assert report_of_input(path, None, scoring) == report_of_corpus(corpus, scoring)
