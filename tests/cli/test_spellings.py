"""The options on the command line: letters, long names, attached values, clusters, dashes."""

import os
from pathlib import Path

import pytest

from tests.cli.running import SAMPLE, Run

FIXTURES = Path(__file__).parents[2] / "fixtures"
ELEMENTS = FIXTURES / "golden" / "corpora" / "be"
BASE = ["-r", "20", "config.xml", "lead"]
SAME = [
    (["-n", "2"], ["--max-ngram", "2"]),
    (["-2", "4"], ["--max-gap", "4"]),
    (["-2", "-1"], ["--max-gap", "-1"]),
    (["-2", "4", "-u"], ["-2", "4", "--skip-unigram"]),
    (["-2", "4", "-U"], ["-2", "4", "--skip-and-unigram"]),
    (["-w", "1.2"], ["--weight", "1.2"]),
    (["-n1", "-x"], ["-n1", "--no-lcs"]),
    (["-m"], ["--stem"]),
    (["-s"], ["--remove-stopwords"]),
    (["-M"], ["--stem-models"]),
    (["-l", "9"], ["--words", "9"]),
    (["-b", "50"], ["--bytes", "50"]),
    (["-f", "B"], ["--formula", "B"]),
    (["-p", "0.8"], ["--alpha", "0.8"]),
    (["-t", "1"], ["--counting", "1"]),
    (["-c", "90"], ["--confidence", "90"]),
    (["-r", "7"], ["--resamples", "7"]),
    (["-d"], ["--per-eval"]),
    (["-a"], ["--all"]),
    (["-z", "SPL", "files.lst"], ["--list-format", "SPL", "files.lst"]),
    (["-e", "models"], ["--data-dir", "models"]),
    (["-v"], ["--verbose"]),
    # Attached to the letter, with a blank or an equals sign behind the name.
    (["-n2"], ["--max-ngram=2"]),
    (["-2-1"], ["--max-gap=-1"]),
    (["-w1.2"], ["--weight=1.2"]),
    (["-fB"], ["--formula=B"]),
    # Clusters, the last one with a value.
    (["-dam"], ["-d", "-a", "-m"]),
    (["-xan2"], ["-x", "-a", "-n", "2"]),
    (["-xn", "2"], ["-n", "2", "-x"]),
    (["-U2-1"], ["-2", "-1", "-U"]),
    # The last value counts, and `score` may be named.
    (["-n", "4", "-n", "2"], ["-n", "2"]),
    (["score", "-n2"], ["-n2"]),
]


@pytest.mark.parametrize(("letters", "names"), SAME, ids=[" ".join(letters) for letters, _ in SAME])
def test_letters_and_names_are_the_same(letters: list[str], names: list[str], run: Run) -> None:
    rest = BASE if not letters[-1].endswith(".lst") else ["lead"]
    if letters == ["-r", "7"] or "-a" in names or "--all" in names:
        rest = ["config.xml"] if "7" not in letters else ["config.xml", "lead"]
    one = run(*letters, *rest, cwd=SAMPLE)
    other = run(*names, *rest)
    assert one.out == other.out
    assert one.out
    assert (one.code, other.code) == (0, 0)


def test_basic_elements_by_name(run: Run) -> None:
    one = run("-3", "HM", "-a", "config.xml", cwd=ELEMENTS)
    assert one.out.startswith(b"-" * 45 + b"\nccg ROUGE-BE-HM Average_R: ")
    assert run("--basic-elements", "HM", "--all", "config.xml").out == one.out
    assert run("-3HM", "-a", "config.xml").out == one.out


def test_config_from_a_pipe(run: Run, tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("no named pipes here")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    if os.fork() == 0:
        pipe.write_bytes((SAMPLE / "config.xml").read_bytes())
        os._exit(0)
    finished = run("-n1", str(pipe), "lead", cwd=SAMPLE)
    os.wait()
    assert finished.out == run("-n1", "config.xml", "lead").out


def test_a_long_id_is_not_echoed_whole(run: Run, tmp_path: Path) -> None:
    record = f'{{"id": "{"1" * 100_000}", "prediction": "a", "references": ["a"]}}\n'
    (tmp_path / "r.jsonl").write_text(record * 2)
    finished = run("-n1", "r.jsonl", cwd=tmp_path)
    assert "[9" in finished.err
    assert (finished.code, len(finished.err) < 5_000) == (3, True)
