"""``--dry-run``: which texts belong together, in every layout, and how much is in them."""

import json
from pathlib import Path

import pytest

from tests.cli.running import Run, write_files

INPUT_ERROR = 3


def write_texts(folder: Path) -> None:
    """Write two peers of the system a, one of b, and references: some sentences and words."""
    for name in ("p", "m"):
        (folder / name).mkdir()
    # 2 sentences, for an empty line is none; 5 words: one, two, three, caf, s.
    (folder / "p" / "1.a.txt").write_text("one two-three\n\ncaf\xe9s\n", "utf-8")
    # A blank is a sentence without a word.
    (folder / "p" / "1.b.txt").write_text(" \n", "utf-8")
    (folder / "p" / "2.a.txt").write_text("The end.", "utf-8")
    (folder / "m" / "1.txt").write_text("one\ntwo\nthree", "utf-8")
    (folder / "m" / "2.txt").write_text("", "utf-8")


CONFIG = """<ROUGE-EVAL>
<EVAL ID="1"><PEER-ROOT>p</PEER-ROOT><MODEL-ROOT>m</MODEL-ROOT>
<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>
<PEERS><P ID="a">1.a.txt</P><P ID="b">1.b.txt</P></PEERS>
<MODELS><M ID="A">1.txt</M><M ID="B">2.txt</M></MODELS></EVAL>
<EVAL ID="2"><PEER-ROOT>p</PEER-ROOT><MODEL-ROOT>m</MODEL-ROOT>
<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>
<PEERS><P ID="a">2.a.txt</P></PEERS>
<MODELS><M ID="A">1.txt</M></MODELS></EVAL>
</ROUGE-EVAL>
"""
ALL_SYSTEMS = """\
text  role          sentences  words  file
───────────────────────────────────────────────────
1     prediction a          2      5  p/1.a.txt
1     prediction b          1      0  p/1.b.txt
1     reference 1           3      3  m/1.txt
1     reference 2           0      0  m/2.txt
2     prediction a          1      2  p/2.a.txt
2     prediction b          -      -  no prediction
2     reference 1           3      3  m/1.txt

No words: text 1: p/1.b.txt
No words: text 1: m/2.txt
2 texts, 2 systems, 1 to 2 references each, 3 predictions; predictions: 4 sentences, 7 words; \
references: 6 sentences, 6 words
"""
ONE_SYSTEM = """\
text  role          sentences  words  file
───────────────────────────────────────────────
1     prediction b          1      0  p/1.b.txt
1     reference 1           3      3  m/1.txt
1     reference 2           0      0  m/2.txt

No words: text 1: p/1.b.txt
No words: text 1: m/2.txt
1 text, 1 system, 2 references each, 1 prediction; predictions: 1 sentence, 0 words; \
references: 3 sentences, 3 words
"""
LIST = """\
text  role          sentences  words  file
───────────────────────────────────────────────
1     prediction X          2      5  p/1.a.txt
1     reference 1           3      3  m/1.txt
2     prediction X          1      2  p/2.a.txt
2     reference 1           3      3  m/1.txt

2 texts, 1 system, 1 reference each, 2 predictions; predictions: 3 sentences, 7 words; \
references: 6 sentences, 6 words
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    write_texts(tmp_path)
    (tmp_path / "config.xml").write_text(CONFIG, "utf-8")
    return tmp_path


def test_config(run: Run, home: Path) -> None:
    finished = run("--dry-run", "-a", "config.xml", cwd=home)
    assert (finished.out.decode(), finished.err, finished.code) == (ALL_SYSTEMS, "", 0)


def test_one_system(run: Run, home: Path) -> None:
    finished = run("--dry-run", "config.xml", "b", cwd=home)
    assert (finished.out.decode(), finished.err, finished.code) == (ONE_SYSTEM, "", 0)


def test_limits_and_stopwords_come_later(run: Run, home: Path) -> None:
    finished = run("--dry-run", "-l", "1", "-s", "-m", "-n", "2", "-a", "config.xml", cwd=home)
    assert finished.out.decode() == ALL_SYSTEMS


def test_file_list(run: Run, home: Path) -> None:
    (home / "f.lst").write_text("p/1.a.txt m/1.txt\np/2.a.txt m/1.txt\n", "utf-8")
    finished = run("--dry-run", "-z", "SPL", "f.lst", cwd=home)
    assert (finished.out.decode(), finished.err, finished.code) == (LIST, "", 0)


def test_patterns(run: Run, home: Path) -> None:
    finished = run(
        "--dry-run", "--peers", r"p/(\d+)\.(?P<system>a)\.txt", "--models", "m/#ID#.txt", cwd=home
    )
    assert finished.code == 0
    assert finished.out.decode().splitlines()[2:4] == [
        "1     prediction a          2      5  p/1.a.txt",
        "1     reference 1           3      3  m/1.txt",
    ]


def test_lines(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"p": b"a b<q>c\n\n", "m": b"x<q>y\nz\n"})
    arguments = ["--peer-lines", "p", "--model-lines", "m", "--sentence-separator", "<q>"]
    finished = run("--dry-run", *arguments, cwd=tmp_path)
    assert finished.code == 0
    assert finished.out.decode() == (
        "text  role          sentences  words  file\n"
        "───────────────────────────────────────────────\n"
        "1     prediction X          2      3  p, line 1\n"
        "1     reference 1           2      2  m, line 1\n"
        "2     prediction X          0      0  p, line 2\n"
        "2     reference 1           1      1  m, line 2\n"
        "\n"
        "No words: text 2: p, line 2\n"
        "2 texts, 1 system, 1 reference each, 2 predictions; predictions: 2 sentences, 3 words; "
        "references: 3 sentences, 3 words\n"
    )


def test_records(run: Run, tmp_path: Path) -> None:
    record = {"id": "d1", "system": "s", "prediction": ["a b", "c"], "references": ["x", "y z"]}
    (tmp_path / "r.jsonl").write_text(json.dumps(record) + "\n", "utf-8")
    finished = run("--dry-run", "r.jsonl", cwd=tmp_path)
    assert finished.code == 0
    assert finished.out.decode() == (
        "text  role          sentences  words  file\n"
        "─────────────────────────────────────────────────────\n"
        "d1    prediction s          2      3  r.jsonl, line 1\n"
        "d1    reference 1           1      1  r.jsonl, line 1\n"
        "d1    reference 2           1      2  r.jsonl, line 1\n"
        "\n"
        "1 text, 1 system, 2 references each, 1 prediction; predictions: 2 sentences, 3 words; "
        "references: 2 sentences, 3 words\n"
    )


def test_see(run: Run, tmp_path: Path) -> None:
    line = '<a name="1">[1]</a> <a href="#1" id=1>Two words.</a>\n'
    for name in "pm":
        (tmp_path / name).write_text("<html>\nno sentence\n" + line, "utf-8")
    (tmp_path / "f.lst").write_text("p m\n", "utf-8")
    finished = run("--dry-run", "-z", "SEE", "f.lst", cwd=tmp_path)
    assert b"1     prediction X          1      2  p\n" in finished.out


def test_basic_elements(run: Run, tmp_path: Path) -> None:
    for name in "pm":
        (tmp_path / name).write_text("dog|big|mod\nruns|nil|nil\n", "utf-8")
    (tmp_path / "f.lst").write_text("p m\n", "utf-8")
    finished = run("--dry-run", "-3", "HM", "-z", "SIMPLE", "f.lst", cwd=tmp_path)
    assert finished.out.decode() == (
        "text  role          elements  words  file\n"
        "─────────────────────────────────────────\n"
        "1     prediction X         2      6  p\n"
        "1     reference 1          2      6  m\n"
        "\n"
        "1 text, 1 system, 1 reference each, 1 prediction; predictions: 2 elements, 6 words; "
        "references: 2 elements, 6 words\n"
    )


def test_names_are_whole_and_safe(run: Run, home: Path) -> None:
    long = "s" * 120
    config = CONFIG.replace('ID="a"', f'ID="{long}"').replace('EVAL ID="1"', 'EVAL ID="日&#9;本"')
    config = config.replace("1.a.txt", "x\x7f.txt")
    (home / "config.xml").write_text(config, "utf-8")
    (home / "p" / "x\x7f.txt").write_text("a", "utf-8")
    finished = run("--dry-run", "-a", "config.xml", cwd=home)
    rows = finished.out.decode().splitlines()
    # The escaped tab has two columns and each of the other two letters has two.
    assert rows[2] == f"日\\t本  prediction b{' ' * 119}          1      0  p/1.b.txt"
    assert rows[3] == f"日\\t本  prediction {long}          1      1  p/x\\x7f.txt"
    assert rows[7].startswith(f"2       prediction {long} ")


def test_errors_are_those_of_a_run(run: Run, home: Path) -> None:
    (home / "m" / "2.txt").unlink()
    finished = run("--dry-run", "-a", "config.xml", cwd=home)
    scored = run("-a", "config.xml", cwd=home)
    assert (finished.code, finished.out) == (INPUT_ERROR, b"")
    assert finished.err == scored.err
    assert "m/2.txt: no such file" in finished.err


def test_it_may_be_written_to_a_file(run: Run, home: Path) -> None:
    finished = run("--dry-run", "-a", "config.xml", "-o", "table.txt", cwd=home)
    assert (finished.out, finished.code) == (b"", 0)
    assert (home / "table.txt").read_text("utf-8") == ALL_SYSTEMS
