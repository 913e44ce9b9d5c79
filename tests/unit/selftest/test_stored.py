"""What is stored is what the original did, and shows all that it can do."""

import hashlib
import io
import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

from rouge_cli.selftest import ARCHIVE, CONTENT_SHA256, read_stored
from tools.make_selftest import content, packed, parse_options

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "fixtures" / "golden"
CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for case in map(json.loads, (GOLDEN / "cases.jsonl").read_text("utf-8").splitlines())
}
STORED = read_stored()
MOST_BYTES = 300_000


def test_runs_are_those_of_the_original() -> None:
    for run in STORED.runs:
        case = CASES[run.id]
        assert (run.folder, list(run.arguments)) == (case["cwd"], case["args"])
        assert run.expected == (GOLDEN / "expected" / f"{run.id}.out").read_bytes()
    assert len({run.id for run in STORED.runs}) == len(STORED.runs)


def test_inputs_are_those_of_the_runs() -> None:
    folders = {run.folder for run in STORED.runs}
    files = {
        path.relative_to(GOLDEN).as_posix(): path.read_bytes()
        for folder in folders
        for path in (GOLDEN / folder).rglob("*")
        if path.is_file()
    }
    assert STORED.inputs == files


def test_stems_are_those_of_the_original() -> None:
    lines = (GOLDEN / "stems.tsv").read_bytes().splitlines()
    pairs = {tuple(line.split(b"\t")) for line in lines}
    assert len(STORED.stems) == len(set(STORED.stems)) == 5000
    assert set(STORED.stems) <= pairs
    # Irregular forms, words that Porter's rules change, and words that stay.
    assert {token == stem for token, stem in STORED.stems} == {True, False}


@pytest.mark.parametrize(
    ("letter", "values"),
    [
        *[(letter, {""}) for letter in "xuUmMsda"],
        ("n", set("12345")),
        ("w", {"0.5", "1", "1.2", "1.5", "2", "3"}),
        ("2", {"-1", "0", "1", "2", "4", "9", "30"}),
        ("3", {"H", "HM", "HMR", "HM1", "HMR1", "HMR2"}),
        ("l", {"1", "5", "10", "25", "100"}),
        ("b", {"1", "20", "75", "665"}),
        ("f", {"A", "B"}),
        ("p", {"0", "0.2", ".5", "0.5", "0.8", "1"}),
        ("t", {"0", "1", "2"}),
        ("c", {"0", "50", "68", "90", "95", "99", "99.5", "100"}),
        ("r", {"1", "2", "3", "10", "37", "50", "100", "200", "500", "1000"}),
        ("z", {"SEE", "SPL", "ISI", "SIMPLE"}),
    ],
)
def test_every_option_and_value(letter: str, values: set[str]) -> None:
    found = {
        value
        for run in STORED.runs
        for name, value in parse_options(run.arguments)
        if name == letter
    }
    assert found == values


def test_letters_are_those_of_the_arguments() -> None:
    for run in STORED.runs:
        assert run.letters == "".join(letter for letter, _ in parse_options(run.arguments))


def test_every_input() -> None:
    assert {run.input for run in STORED.runs} == {
        f"{layout}, {form}"
        for layout in ("XML", "list")
        for form in ("SEE", "SPL", "ISI", "SIMPLE")
    }
    assert {run.folder for run in STORED.runs} == {case["cwd"] for case in CASES.values()}
    assert all(("z" in run.letters) == run.input.startswith("list") for run in STORED.runs)


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ("-n2 -da config.xml", [("n", "2"), ("d", ""), ("a", "")]),
        ("-2 -1 -u -U config.xml x", [("2", "-1"), ("u", ""), ("U", "")]),
    ],
)
def test_options_as_typed(args: str, expected: list[tuple[str, str]]) -> None:
    assert list(parse_options(args.split())) == expected


def test_made_again_it_is_the_same() -> None:
    files = content()
    archive = packed(files)
    assert hashlib.sha256(archive).hexdigest() == CONTENT_SHA256
    assert packed(dict(reversed(files.items()))) == archive
    with tarfile.open(fileobj=io.BytesIO(archive)) as members:
        assert members.getnames() == sorted(files)


def test_size_and_readme() -> None:
    assert Path(ARCHIVE).stat().st_size < MOST_BYTES
    readme = (Path(ARCHIVE).parent / "README.md").read_text("utf-8")
    assert f"{len(STORED.runs)} runs, one per line" in readme
    assert f"{len(STORED.stems):,} tokens" in readme
