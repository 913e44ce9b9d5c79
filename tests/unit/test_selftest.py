"""The self-test: its stored runs, how they are repeated, and how differences are shown."""

import ctypes
import ctypes.util
import hashlib
import io
import json
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from rouge_cli.selftest import (
    ARCHIVE,
    CONTENT_SHA256,
    FIRST_DRAWS,
    Outcome,
    StoredRun,
    StoredRuns,
    check_draws,
    compared_lines,
    families_of,
    read_stored,
    reproduce,
    rows,
    selftest_report,
)
from tools.make_selftest import content, packed, parse_options

ROOT = Path(__file__).parents[2]
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


RUN = StoredRun("1", "corpora/a", ("list",), "n", "list, SPL", b"text\r\n\0")
MADE = StoredRuns((RUN,), {"corpora/a/list": b"text\r\n\0", "corpora/b/c/d": b""}, ())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files, which is the working directory too."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_inputs_byte_for_byte(folder: Path) -> None:
    seen = []

    def printer(arguments: Sequence[str]) -> bytes:
        seen.append(Path.cwd().parent.parent)
        assert (Path.cwd().parent / "b" / "c" / "d").read_bytes() == b""
        return Path(arguments[0]).read_bytes()

    (outcome,) = reproduce(MADE, printer)
    assert outcome.is_same
    assert Path.cwd() == folder
    assert seen[0].parent == folder
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
def test_an_end_cleans_up(kind: type[BaseException], folder: Path) -> None:
    def printer(_: Sequence[str]) -> bytes:
        raise kind

    with pytest.raises(kind):
        reproduce(MADE, printer)
    assert Path.cwd() == folder
    assert list(folder.iterdir()) == []


def test_first_draws_are_those_of_the_c_library() -> None:
    name = ctypes.util.find_library("c")
    library = ctypes.CDLL(name) if name else None
    if not hasattr(library, "drand48"):
        pytest.skip("the C library of this machine has no drand48")
    assert library is not None
    library.srand48.argtypes = [ctypes.c_long]
    library.drand48.restype = ctypes.c_double
    for seed, draws in FIRST_DRAWS.items():
        library.srand48(seed)
        assert tuple(int(library.drand48() * 10_000) for _ in draws) == draws
    assert not check_draws()[2]


RULE, DOTS = b"-" * 45 + b"\n", b"." * 45 + b"\n"
ONE = b"a b ROUGE-1 Average_R: 0.50000 (95%-conf.int. 0.50000 - 0.50000)\n"
SU = b"X ROUGE-SU4 M_count: 4 P_count: 4 H_count: 0\n"
EVAL = b"X ROUGE-SU4 Eval 1.X R:4 P:4 F:0\n"


@pytest.mark.parametrize(
    ("name", "family"),
    [
        *[(f"ROUGE-{order}", "N") for order in (1, 9, 10)],
        ("ROUGE-L", "L"),
        ("ROUGE-W-1.2", "W"),
        ("ROUGE-S*", "S"),
        ("ROUGE-S4", "S"),
        ("ROUGE-SU*", "SU"),
        ("ROUGE-BE-HMR2", "BE"),
    ],
)
@pytest.mark.parametrize("rest", ["Average_P: 0.1 (", "M_count: 3", "Eval 1.X R:0 P:0 F:0"])
def test_family_of_a_line(name: str, family: str, rest: str) -> None:
    assert families_of([f"some system {name} {rest}\n".encode()]) == [family]


def test_rules_are_about_what_follows() -> None:
    lines = [RULE, ONE, RULE, SU, DOTS, EVAL, b"end\n"]
    assert families_of(lines) == ["N", "N", "SU", "SU", "SU", "SU", ""]
    assert families_of([]) == []


@pytest.mark.parametrize(
    ("expected", "found", "differences"),
    [
        pytest.param(RULE + ONE, RULE + ONE, (), id="same"),
        pytest.param(RULE + ONE, RULE + SU, ((2, "N", ONE, SU),), id="family-of-the-original"),
        pytest.param(RULE + SU, RULE, ((2, "SU", SU, None),), id="too-short"),
        pytest.param(RULE, RULE + SU, ((2, "SU", None, SU),), id="too-long"),
        pytest.param(SU, SU[:-1], ((1, "SU", SU, SU[:-1]),), id="no-newline"),
        pytest.param(SU, SU[:-1] + b"\r\n", ((1, "SU", SU, SU[:-1] + b"\r\n"),), id="crlf"),
        pytest.param(SU, b"", ((1, "SU", SU, None),), id="nothing"),
        pytest.param(b"a\rb\n", b"a\rb\n", (), id="lone-return"),
    ],
)
def test_compared_lines(
    expected: bytes, found: bytes, differences: tuple[tuple[int, Any, Any, Any], ...]
) -> None:
    lines = enumerate(compared_lines(expected, found), 1)
    assert tuple((k, *line) for k, line in lines if line[1] != line[2]) == differences


def outcome(found: bytes | None, *, letters: str = "md") -> Outcome:
    """A run with two metrics, and what came of it; None if it was stopped."""
    expected = RULE + ONE + RULE + SU + EVAL
    run = StoredRun("0001-x", "corpora/x", ("-m", "c.xml"), letters, "XML, SPL", expected)
    if found is None:
        return Outcome(run, compared_lines(expected, b""), "ValueError: no")
    return Outcome(run, compared_lines(expected, found))


def test_rows() -> None:
    good = outcome(RULE + ONE + RULE + SU + EVAL, letters="s")
    bad = outcome(RULE + ONE + RULE + SU + b"X\x1b\n")
    found = {what: numbers for what, *numbers in rows([good, bad], ())}
    assert found["ROUGE-N"] == [2, 4, True]
    assert found["ROUGE-SU"] == [2, 6, False]
    assert found["ROUGE-L"] == [0, 0, True]
    assert found["XML, SPL"] == [2, 10, False]
    assert found["-m -M, stems"] == [1, 5, False]
    assert found["-s, stopwords"] == [1, 5, True]


def test_a_stopped_run_differs_in_all_its_metrics() -> None:
    stopped = outcome(None)
    assert not stopped.is_same
    found = {what: numbers for what, *numbers in rows([stopped], ())}
    names = ("ROUGE-N", "ROUGE-SU", "ROUGE-L")
    assert [found[name] for name in names] == [[1, 2, False], [1, 3, False], [0, 0, True]]


def test_differences_as_shown() -> None:
    checks = [("stems", 1234, tuple(f"stem {k}" for k in range(7)))]
    found = [outcome(RULE + ONE + RULE + SU[:-1] + b" \xc3\x1b[1m\n" + EVAL[:-1])]
    lines = list(selftest_report(found, checks, ["mind this"]))
    start = lines.index("DIFFERENT in 0001-x: rouge-cli -m c.xml")
    assert lines[start + 1 :] == [
        "  line 4",
        f"    original  {SU.decode()[:-1]}",
        rf"    here      {SU.decode()[:-1]} \xc3\x1b[1m",
        "  line 5",
        f"    original  {EVAL.decode()[:-1]}",
        f"    here      {EVAL.decode()[:-1]} (no newline)",
        "",
        *(f"DIFFERENT stem {k}" for k in range(5)),
        "... and 2 more",
        "",
        "Note: mind this",
        "",
        "NOT THE SAME: 1 of 1 runs, stems. This installation does not give the scores of "
        "ROUGE-1.5.5; please report it with the output of: rouge-cli selftest --verbose",
    ]


def test_many_lines_are_not_all_shown() -> None:
    lines = list(selftest_report([outcome(b"")], (), ()))
    assert lines[-4:-2] == ["    here      (nothing)", "  ... and 2 more of its 5 lines"]
