"""The shortest ways: two files, two folders, two strings, no word at all."""

from pathlib import Path

import pytest

from tests.cli.running import SAMPLE, Run

MEASURES = ["-n", "1", "-r", "0", "--report", "csv"]


def written(folder: Path, **files: str) -> None:
    for name, content in files.items():
        (folder / f"{name}.txt").write_text(content, "utf-8")


def test_files_of_lines(run: Run) -> None:
    long = ["--peer-lines", "lines/lead.txt", "--model-lines", "lines/A.txt"]
    short = run(*MEASURES, "lines/lead.txt", "lines/A.txt", cwd=SAMPLE)
    assert short.out == run(*MEASURES, *long).out
    assert short.err.startswith(
        "lines/lead.txt and lines/A.txt: taken for files with one text per line; --pair reads each "
        "as one text\n"
    )


def test_files_of_one_text(run: Run) -> None:
    files = ["peers/ferry.lead.txt", "models/ferry.A.txt"]
    short = run(*MEASURES, *files, cwd=SAMPLE)
    assert short.out == run(*MEASURES, "--pair", *files).out
    assert "taken for two texts with one sentence per line" in short.err
    # The README of the sample works it out: 8 of 34 words of the model, of 34 of the peer.
    of_eval = run(*MEASURES, "-d", "config.xml", "lead").out.decode()
    assert len(of_eval.splitlines()) > 1
    assert b"ferry.lead,ROUGE-1" in short.out


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("one\ntwo\n", "one\ntwo\n", "files with one text per line"),
        ("A cat sat.\nIt left.\n", "A cat ran.\nIt left!\n", "two texts"),
        ("A cat sat. It left.\nA dog.\n", "A cat ran.\nIt left!\n", "files with one text per line"),
        ("A cat sat.<q>It left.\nA dog.\n", "A cat.\nIt left!\n", "files with one text per line"),
        ("one\ntwo\n", "one\n", "two texts"),
        ("one\n", "one\n", "files with one text per line"),
        ("<s> one </s>\ntwo\n", "one\n", "two texts"),
        ("It left.\n" * 11, "It left.\n" * 11, "files with one text per line"),
    ],
)
def test_what_files_are_taken_for(
    first: str, second: str, kind: str, run: Run, tmp_path: Path
) -> None:
    written(tmp_path, a=first, b=second)
    assert f"a.txt and b.txt: taken for {kind}" in run("a.txt", "b.txt", cwd=tmp_path).err


def test_long_files_that_differ_lack_a_line(run: Run, tmp_path: Path) -> None:
    written(tmp_path, a="one\n" * 51, b="one\n" * 50)
    assert "line files of different lengths" in run("a.txt", "b.txt", cwd=tmp_path).err


def test_original_command_line_stays(run: Run, tmp_path: Path) -> None:
    # Files that are called like the system, and a configuration without a suffix.
    for name in ("peers", "models"):
        (tmp_path / name).symlink_to(SAMPLE / name)
    config = (SAMPLE / "config.xml").read_bytes()
    (tmp_path / "config").write_bytes(config)
    expected = run("-n", "1", "config.xml", "lead", cwd=SAMPLE).out
    (tmp_path / "lead").write_text("A text.\n", "utf-8")
    assert run("-n", "1", "config", "lead", cwd=tmp_path).out == expected
    # Names of elements in any case, and in UTF-16.
    text = config.decode()
    for changed in (text.replace("EVAL", "Eval").encode(), text.encode("utf-16")):
        (tmp_path / "config").write_bytes(changed)
        assert "taken for" not in run("-n", "1", "config", "lead", cwd=tmp_path).err
    # Of a file list the second word is the name of the system.
    lines = "peers/ferry.lead.txt models/ferry.A.txt\n"
    (tmp_path / "files.lst").write_text(lines, "utf-8")
    listed = run("-n", "1", "-z", "SPL", "files.lst", "lead", cwd=tmp_path)
    assert (listed.code, listed.out[46:50]) == (0, b"lead")


def paired(run: Run, folder: Path) -> list[tuple[str, ...]]:
    """Return EVAL, kind of text and file of each line of a dry run."""
    finished = run("p", "m", "--dry-run", cwd=folder)
    assert finished.code == 0, finished.err
    rows = [line.split() for line in finished.out.decode().partition("\n\n")[0].splitlines()[2:]]
    return [(row[0], " ".join(row[1:-3]), row[-1]) for row in rows]


@pytest.mark.parametrize(
    ("peers", "models", "expected"),
    [
        # Whole names.
        ("1.txt 2.txt", "1.txt 2.txt", "1:p 1:1 2:p 2:1"),
        # The first field, with systems and several references.
        ("1.a.txt 1.b.txt 2.a.txt 2.b.txt", "1.A.txt 1.B.txt 2.A.txt",
         "1:a 1:b 1:1 1:2 2:a 2:b 2:1"),
        # As pyrouge has them.
        ("001_decoded.txt 002_decoded.txt", "A.001.txt A.002.txt",
         "001:decoded 001:1 002:decoded 002:1"),
        # A field that is the same in all names is no ID.
        ("sum.1.x sum.2.x", "sum.1.r sum.2.r", "sum.1:sum sum.2:sum"),
        # Two fields are the ID if one is not enough.
        ("d1-1-a d1-2-a d2-1-a", "d1-1-A d1-2-A d2-1-A",
         "d1.1:a d1.1:1 d1.2:a d1.2:1 d2.1:a d2.1:1"),
    ],
    ids=["whole", "fields", "pyrouge", "constant", "two"],
)  # fmt: skip
def test_folders_pair_by_name(
    peers: str, models: str, expected: str, run: Run, tmp_path: Path
) -> None:
    for folder, names in (("p", peers), ("m", models)):
        (tmp_path / folder).mkdir()
        for name in names.split():
            (tmp_path / folder / name).write_text("A cat.\n", "utf-8")
    rows = paired(run, tmp_path)
    short = [
        f"{row[0]}:{row[1].removeprefix('prediction ').removeprefix('reference ')}" for row in rows
    ]
    if expected.startswith("sum."):
        assert {row[0] for row in rows} == {"sum.1", "sum.2"}
    else:
        assert " ".join(short) == expected


def test_folders_of_the_sample(run: Run) -> None:
    patterns = [r"--peers=peers/(\w+)\.(?P<system>\w+)\.txt", r"--models=models/#ID#\.\w\.txt"]
    short = run(*MEASURES, "peers", "models", cwd=SAMPLE)
    assert (short.code, short.out) == (0, run(*MEASURES, *patterns).out)
    duc = run(*MEASURES, "duc/peers", "duc/models")
    assert duc.out == run(*MEASURES, "--duc", "duc/peers", "duc/models").out


def test_strings(run: Run) -> None:
    # "a b" and "b c": a word of two; of "b", every word, and one of two.
    finished = run(*MEASURES, "-x", "--text", "a b", "--reference", "b c", "--reference", "b")
    hits, of_models, of_peer = 2, 3, 4
    recall, precision = hits / of_models, hits / of_peer
    text = finished.out.decode()
    assert f"recall,,1,{recall:.5f}," in text
    assert f"precision,,1,{precision}," in text


def test_typed_texts_are_cleaned(run: Run) -> None:
    texts = ("--text", "a<pad> &lt; b", "--reference", "a b<pad>")
    finished = run(*MEASURES, "-x", *texts, "--strip", "special-tokens,entities")
    assert b"precision,,1,1.0" in finished.out
    assert b"precision,,1,1.0" not in run(*MEASURES, "-x", *texts).out


def test_strings_are_explained(run: Run) -> None:
    finished = run("explain", "-n", "1", "--text", "a b", "--reference", "b c")
    assert "1 / 2 = 0.50000" in finished.out.decode()


def test_no_word_prints_the_overview(run: Run) -> None:
    bare, short, long = run(), run("-h"), run("--help")
    assert bare.out == short.out == long.out
    assert bare.out.startswith(b"Usage: rouge-cli [COMMAND] [OPTIONS] INPUT...\n")
    assert (bare.code, short.code, long.code) == (2, 0, 0)


def test_a_system_by_its_option(run: Run) -> None:
    by_word = run(*MEASURES, "config.xml", "lead", cwd=SAMPLE)
    assert run(*MEASURES, "config.xml", "--system-id", "lead").out == by_word.out
    systems = ["--predictions", "lead=lines/lead.txt", "--predictions", "n=lines/neural.txt"]
    lines = [*systems, "--references", "lines/A.txt"]
    alone = ["--predictions", "lead=lines/lead.txt", "--model-lines", "lines/A.txt"]
    chosen = run(*MEASURES, *lines, "--system-id", "lead")
    assert chosen.out == run(*MEASURES, *alone).out
    assert run(*lines, "--system-id", "leda").misuse == (
        "Error: --system-id: no system 'leda'; did you mean 'lead'?"
    )
