"""The command ``selftest``: its report if all is well, and if something differs."""

import gzip
import hashlib
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from rouge_cli import __version__
from rouge_cli import selftest as stored
from rouge_cli.core import VARIABLE, describe_core
from rouge_cli.data import EXCEPTIONS, STOPWORDS
from rouge_cli.selftest import LIST_SHA256
from rouge_cli.text.ascii155 import TRANSLATION
from rouge_cli.text.word_lists import built_in_stems, load_stopwords
from tests.cli.running import HOME_VARIABLES, ROOT, Run, python
from tests.cli.test_startup import ALWAYS_LATE, PROCESSES, loaded_by

ROW = re.compile(r"(.{22})  (.{4})  (.{8})  (ok|DIFFERENT)")
PLEASE = (
    "This installation does not give the scores of ROUGE-1.5.5; please report it with the output "
    "of: rouge-cli selftest --verbose"
)
BUILT_IN = "(built in: smart155, wn2.0). The comparison above is with the built-in ones."
HOME_RULE = "runs with -m, -M or -s take their word lists from there unless -e names others"


READ = stored.read_stored
WHOLE = READ()
FEW_RUNS = {
    *["0009-be", "0010-be", "0012-be", "0014-be", "0016-be", "0021-stem", "0038-spl", "0093-stem"]
}


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> stored.StoredRuns:
    """A few of the stored runs and stems, in place of all."""
    runs = tuple(one for one in WHOLE.runs if one.id in FEW_RUNS)
    folders = tuple(f"{one.folder}/" for one in runs)
    inputs = {name: data for name, data in WHOLE.inputs.items() if name.startswith(folders)}
    kept = stored.StoredRuns(runs, inputs, WHOLE.stems[:1000])
    monkeypatch.setattr(stored, "read_stored", lambda: kept)
    return kept


@pytest.fixture
def no_words() -> Iterator[None]:
    """Nothing is remembered of earlier word lists, and nothing of these later."""
    forget_words()
    yield
    forget_words()


def forget_words() -> None:
    built_in_stems.cache_clear()
    load_stopwords.cache_clear()


def rows_of(out: bytes) -> dict[str, tuple[str, str, str]]:
    """Return the rows of the table: what to runs, number compared and verdict."""
    rows = {}
    for line in out.decode().splitlines():
        if match := ROW.fullmatch(line):
            what, *rest = (part.strip() for part in match.groups())
            rows[what] = (rest[0], rest[1], rest[2])
    return rows


def different(out: bytes) -> set[str]:
    return {what for what, row in rows_of(out).items() if row[2] == "DIFFERENT"}


def test_all_the_same(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "read_stored", lambda: WHOLE)
    finished = run("selftest")
    assert (finished.code, finished.err) == (0, "")
    lines = finished.out.decode().splitlines()
    assert lines[:3] == [
        f"rouge-cli {__version__} against stored runs of ROUGE-1.5.5, byte by byte",
        "",
        "what                    runs  compared",
    ]
    n_lines = sum(one.expected.count(b"\n") for one in WHOLE.runs)
    assert lines[-1] == (
        f"All the same: {len(WHOLE.runs)} runs with {n_lines:,} lines, {len(WHOLE.stems):,} stems, "
        "596 stopwords, 5,930 irregular forms, 40 random draws."
    )
    rows = rows_of(finished.out)
    assert list(rows) == [
        *(f"ROUGE-{family}" for family in ("N", "L", "W", "S", "SU", "BE")),
        *(f"{way}, {form}" for way in ("XML", "list") for form in ("ISI", "SEE", "SIMPLE", "SPL")),
        "-m -M, stems",
        "-s, stopwords",
        "-l -b, limits",
        "-f, several references",
        "-p, weight of F",
        "-t, pooled counts",
        "-c -r, bootstrap",
        "-d, each text",
        "-a, all systems",
        "stems",
        "stopwords",
        "irregular forms",
        "random draws",
    ]
    assert all(verdict == "ok" and compared != "0" for _, compared, verdict in rows.values())
    # Each line is about one metric and of one input.
    metrics = [int(row[1].replace(",", "")) for row in list(rows.values())[:6]]
    inputs = [int(row[1].replace(",", "")) for row in list(rows.values())[6:14]]
    assert sum(metrics) == sum(inputs) == n_lines


def test_nothing_is_left_behind(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert run("selftest", cwd=tmp_path).code == 0
    assert Path.cwd() == tmp_path
    assert list(tmp_path.iterdir()) == []


def test_a_rule_that_is_lost(
    run: Run, few: stored.StoredRuns, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rouge_cli.studies.score.classic.DOTS", "." * 44)
    finished = run("selftest")
    assert (finished.code, finished.err) == (70, "")
    # Runs with -d: four of BE, one of N, L, S and SU, which has -a and -M too.
    assert different(finished.out) == {
        *("ROUGE-N", "ROUGE-L", "ROUGE-S", "ROUGE-SU", "ROUGE-BE"),
        *("XML, SPL", "list, SIMPLE", "-m -M, stems", "-d, each text", "-a, all systems"),
    }
    text = finished.out.decode()
    # A rule, three averages, and then the dots.
    assert (
        "\n\n"
        "DIFFERENT in 0010-be: rouge-cli -3 H -m -d -z SIMPLE files.lst mini\n"
        "  line 5\n"
        f"    original  {'.' * 45}\n"
        f"    here      {'.' * 44}\n"
        "\n"
        "DIFFERENT in 0012-be: "
    ) in text
    assert text.count("\nDIFFERENT in ") == 3
    assert "\n\n... and 2 more runs that differ\n\n" in text
    assert text.splitlines()[-1] == f"NOT THE SAME: 5 of 8 runs. {PLEASE}"
    assert len(few.runs) == 8


ALL_BUT_W = "ROUGE-N ROUGE-L ROUGE-S ROUGE-SU ROUGE-BE"


@pytest.mark.parametrize(
    ("constant", "value", "named", "not_named"),
    [
        ("scores.bootstrap.SEED_OFFSET", 13071, "draws ROUGE-N ROUGE-BE", "stems stopwords"),
        ("metrics.arithmetic.UNITS", 10**4, ALL_BUT_W, "stems draws ROUGE-W"),
        ("text.stems._LONGEST_KEPT", 5, "stems -m", "draws forms -s"),
        ("text.ascii155.TRANSLATION", TRANSLATION.replace(b"abc", b"   "), "ROUGE-N ROUGE-L -m",
         "stems draws ROUGE-BE"),
    ],
    ids=["seed", "decimals", "short-tokens", "letters"],
)  # fmt: skip
@pytest.mark.usefixtures("no_words")
def test_a_constant_that_is_not_the_original(
    constant: str,
    value: object,
    named: str,
    not_named: str,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The compiled core has constants of its own.
    monkeypatch.setenv(VARIABLE, "0")
    monkeypatch.setattr(f"rouge_cli.{constant}", value)
    finished = run("selftest")
    assert finished.code == 70
    # Of ROUGE-W the few runs have raw counts only.
    rows = {"draws": "random draws", "forms": "irregular forms", "-m": "-m -M, stems"}
    rows["-s"] = "-s, stopwords"
    found = different(finished.out)
    assert {rows.get(word, word) for word in named.split()} <= found
    assert not {rows.get(word, word) for word in not_named.split()} & found
    assert finished.out.decode().splitlines()[-1].startswith("NOT THE SAME: ")


def test_stems_and_draws_that_differ(
    run: Run, few: stored.StoredRuns, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rouge_cli.selftest.stem_of", lambda token, _: token + b"x")
    monkeypatch.setattr("rouge_cli.selftest.N_DRAWN_FROM", 10)
    finished = run("selftest")
    text = finished.out.decode()
    token, stem = (one.decode() for one in few.stems[0])
    assert f"\nDIFFERENT stem of {token}: original {stem}, here {token}x\n" in text
    assert "\n... and 995 more\n" in text
    assert (
        "\nDIFFERENT draws of seed 0: original [1708, 7499, 963, 8704, 5773, 7857, 6921, 3687], "
        "here [1, 7, 0, 8, 5, 7, 6, 3]\n"
    ) in text
    assert text.splitlines()[-1] == f"NOT THE SAME: stems, random draws. {PLEASE}"
    assert different(finished.out) == {"stems", "random draws"}
    assert finished.code == 70


def test_an_engine_that_stops(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise ZeroDivisionError("division\nby zero")

    monkeypatch.setattr("rouge_cli.scores.bootstrap.draw_instances", stop)
    finished = run("selftest")
    text = finished.out.decode()
    assert (finished.code, finished.err) == (70, "")
    assert (
        "DIFFERENT in 0009-be: rouge-cli -3 H -a config.xml\n"
        "  stopped by ZeroDivisionError: division by zero\n"
        "\n"
    ) in text
    # Raw counts have no bootstrap, so the run with -t 2, that of ROUGE-W, goes on.
    assert text.splitlines()[-1] == f"NOT THE SAME: 7 of 8 runs. {PLEASE}"
    assert not different(finished.out) & {"ROUGE-W", "-t, pooled counts", "stems"}


@pytest.mark.parametrize(
    ("name", "what"), [(STOPWORDS, "stopwords"), (EXCEPTIONS, "irregular forms")]
)
@pytest.mark.usefixtures("no_words")
def test_word_lists_of_the_package(
    name: str, what: str, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("rouge_cli.data.FOLDER", str(tmp_path))
    for kept in (STOPWORDS, EXCEPTIONS):
        (tmp_path / kept).write_bytes((ROOT / "rouge_cli" / "data" / kept).read_bytes())
    assert run("selftest").code == 0
    with (tmp_path / name).open("ab") as stream:
        stream.write(b"zzz zz\n")
    found = hashlib.sha256((tmp_path / name).read_bytes()).hexdigest()
    finished = run("selftest")
    # A word that no text has moves no score.
    assert different(finished.out) == {what}
    expected = f"DIFFERENT {name}: SHA-256 is {found}, expected {LIST_SHA256[name]}"
    assert expected in finished.out.decode().splitlines()
    assert finished.code == 70
    forget_words()
    (tmp_path / name).unlink()
    finished = run("selftest")
    text = finished.out.decode()
    gone = f"DIFFERENT {name}: cannot be read: No such file or directory; reinstall rouge-cli"
    assert gone in text.splitlines()
    assert "  stopped by FileNotFoundError: " in text
    assert (finished.code, finished.err) == (70, "")
    facts = run("selftest", "--verbose").out.decode().splitlines()
    (said,) = [line for line in facts if line.startswith(f"SHA-256, {name}:")]
    assert said.endswith(f"{name}: cannot be read: No such file or directory; {ADVICE}")


ADVICE = "reinstall rouge-cli"
CONTENT = Path(stored.ARCHIVE).read_bytes()
OTHER = gzip.decompress(CONTENT).replace(b"0.1", b"0.2", 1)
UNREAD = "the stored runs cannot be read: "
NOT_THESE = "not the stored runs of this version: SHA-256 of the content is "
NO_ARCHIVES = {
    "missing": (None, f"{UNREAD}No such file or directory"),
    "other": (b"no", rf"{UNREAD}Not a gzipped file \(b'no'\)"),
    "truncated": (CONTENT[:5000], f"{UNREAD}Compressed file ended .*"),
    "damaged": (CONTENT[:5000] + bytes(99) + CONTENT[5099:], f"{UNREAD}.*"),
    # Nothing at all is no damage to gzip, but it is not what is expected.
    "empty": (b"", f"{NOT_THESE}.*"),
    "changed": (
        gzip.compress(OTHER),
        f"{NOT_THESE}{hashlib.sha256(OTHER).hexdigest()}, expected {stored.CONTENT_SHA256}",
    ),
}


@pytest.mark.parametrize(("content", "message"), NO_ARCHIVES.values(), ids=NO_ARCHIVES)
def test_stored_runs_that_cannot_be_read(
    content: bytes | None, message: str, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "runs.tar.gz"
    if content is not None:
        path.write_bytes(content)
    monkeypatch.setattr(stored, "read_stored", partial(READ, str(path)))
    said = run("selftest").refusal
    assert re.fullmatch(f"Error: {re.escape(str(path))}: {message}; {ADVICE}", said)


def test_no_place_for_the_inputs(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    finished = run("selftest")
    assert finished.refusal == (
        "Error: the inputs of the stored runs cannot be written to a temporary folder: No such "
        "file or directory; set TMPDIR to a folder that can be written to"
    )


@pytest.mark.parametrize("variable", HOME_VARIABLES)
def test_word_lists_of_the_environment(
    variable: str, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "smart_common_words.txt").write_bytes(b"ran\nwent\n")
    monkeypatch.setenv(variable, str(tmp_path))
    # By its lines, sorted, as in the signature.
    own = "own-" + hashlib.sha256(b"ran\nwent").hexdigest()[:12]
    finished = run("selftest")
    assert (finished.code, finished.err, different(finished.out)) == (0, "", set())
    lines = finished.out.decode().splitlines()
    assert lines[-3:-1] == [
        f"Note: {variable} names {tmp_path}; {HOME_RULE}: stopwords {own}, irregular forms wn2.0 "
        f"{BUILT_IN}",
        "",
    ]
    assert lines[-1].startswith("All the same: ")
    verbose = run("selftest", "-v").out.decode().splitlines()
    assert f"{variable + ':':<24} {tmp_path}" in verbose
    sha256 = hashlib.sha256(b"ran\nwent\n").hexdigest()
    assert f"SHA-256, {tmp_path / 'smart_common_words.txt'}: {sha256}" in verbose
    missing = tmp_path / "WordNet-2.0-Exceptions" / "adj.exc"
    assert f"SHA-256, {missing}: no such file" in verbose


def test_a_home_that_is_no_directory(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUGE_EVAL_HOME", "/gone\n[bold]")
    finished = run("selftest")
    note = (
        "Note: ROUGE_EVAL_HOME names '/gone\\n[bold]', which is not a directory; the built-in word "
        "lists are used."
    )
    assert note in finished.out.decode().splitlines()
    assert finished.code == 0


def test_a_home_that_cannot_be_read(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "smart_common_words.txt"
    path.mkdir()
    monkeypatch.setenv("RED_EVAL_HOME", str(tmp_path))
    finished = run("selftest")
    note = f"Note: RED_EVAL_HOME names {tmp_path}; {HOME_RULE}: they cannot be read: {path}: "
    assert f"\n{note}" in finished.out.decode()
    assert finished.code == 0
    if os.path.exists("/proc/self/mem"):
        path.rmdir()
        path.symlink_to("/proc/self/mem")
        facts = run("selftest", "--verbose").out.decode()
        assert re.search(f"SHA-256, {path}:.* cannot be read: Input/output error\n", facts)


def test_verbose(run: Run) -> None:
    import numpy as np

    finished = run("selftest", "--verbose")
    assert (finished.code, finished.err) == (0, "")
    facts, _, report = finished.out.partition(b"\n\n")
    assert report == run("selftest").out
    said = dict(line.split(":", 1) for line in facts.decode().splitlines())
    assert said["rouge-cli"].strip() == f"{__version__}, {ROOT / 'rouge_cli'}"
    assert f" {sys.version.split()[0]} " in said["Python"]
    assert said["core"].strip() == describe_core()
    assert f"numpy {np.__version__}, click " in said["needed packages"]
    assert all(name in said["optional packages"] for name in ("pyarrow", "pandas", "scipy"))
    assert said["processors"].endswith(f" of {os.cpu_count()}")
    assert f"file names {sys.getfilesystemencoding()}, locale " in said["encodings"]
    assert said["platform"].strip()
    assert said["SHA-256, stored runs"].strip() == stored.CONTENT_SHA256
    for name, sha256 in LIST_SHA256.items():
        assert said[f"SHA-256, {name}"].strip() == sha256


def test_packages_that_are_not_there(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rouge_cli.selftest.OPTIONAL", ("no-such-thing",))
    lines = run("selftest", "-v").out.decode().splitlines()
    assert "optional packages:       no-such-thing not installed" in lines


@pytest.mark.skipif(os.name == "nt", reason="a working directory cannot be removed there")
def test_a_working_directory_that_is_gone(tmp_path: Path) -> None:
    program = """
import os, sys
os.mkdir("gone"); os.chdir("gone"); os.rmdir("../gone")
sys.argv = ["rouge-cli", "selftest"]
from rouge_cli.cli.main import main
main()
"""
    finished = python("-c", program, cwd=tmp_path)
    assert finished.stderr == b""
    assert finished.stdout.splitlines()[-1].startswith(b"All the same: ")
    assert finished.returncode == 0


def test_help_loads_little() -> None:
    loaded = loaded_by("selftest", "--help")
    assert not loaded & ({"numpy", "defusedxml", "json", "tarfile"} | ALWAYS_LATE | PROCESSES)
