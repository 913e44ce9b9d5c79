"""ROUGE-soft-N from the table of vectors to the report."""

import json
from pathlib import Path

import pytest

from tests.cli.running import SAMPLE, Run
from tests.word_vectors import Table, write_table

# Cosines: car-auto 0.8, car-cab 0.6, auto-cab 0.96, dog-cab 0.8, dog-auto 0.6, car-dog 0.
TABLE: Table = {"car": [1, 0], "auto": [0.8, 0.6], "cab": [0.6, 0.8], "dog": [0, 1]}
PLURALS: Table = {"cars": [1, 0], "autos": [0.8, 0.6]}


def hits(run: Run, folder: Path, peer: str, model: str, *options: str) -> list[list[int]]:
    """Return hit, model count and peer count of ROUGE-soft-1 and 2."""
    record = {"prediction": peer, "reference": model}
    (folder / "records.jsonl").write_text(json.dumps(record) + "\n")
    arguments = ["-n", "2", "-x", "--report", "json", "-d", "-r", "0", *options, "records.jsonl"]
    done = run(*arguments, cwd=folder)
    assert done.code == 0, done.err
    (system,) = json.loads(done.out)["systems"]
    return [
        [scores["counts"][key] for key in ("hit", "model", "peer")]
        for name, scores in system["metrics"].items()
        if name.startswith("ROUGE-soft")
    ]


@pytest.mark.parametrize(
    ("peer", "model", "threshold", "expected"),
    [
        # the and stopped are equal; car and auto have 0.8, and so both bigrams have.
        ("the car stopped", "the auto stopped", "0.7", [[3, 3, 3], [2, 2, 2]]),
        ("the car stopped", "the auto stopped", "0.9", [[2, 3, 3], [0, 2, 2]]),
        # One to one: auto is taken by cab (0.96); car is left.
        ("car cab", "auto", "0.7", [[1, 1, 2], [0, 0, 1]]),
        # The most similar first: auto takes cab (0.96), and dog and car, which are left, have 0.
        # Of bigrams, "auto dog" and "cab car" have the least of 0.96 and 0.
        ("auto dog", "cab car", "0.7", [[1, 2, 2], [0, 1, 1]]),
        # Exact hits first: car and auto once each; then the car and the auto that are left.
        # Bigrams: "car car", "car auto" and "car auto", "auto auto": car auto is equal; car car
        # and auto auto have 0.8.
        ("car car auto", "car auto auto", "0.7", [[3, 3, 3], [2, 2, 2]]),
        # Words without a vector match only themselves.
        ("xylophone zebra", "zebra xylophone", "-1", [[2, 2, 2], [0, 1, 1]]),
        ("xylophone car", "zebra car", "-1", [[1, 2, 2], [0, 1, 1]]),
    ],
)
def test_worked_examples(
    peer: str, model: str, threshold: str, expected: list[list[int]], run: Run, tmp_path: Path
) -> None:
    write_table(tmp_path, "glove.txt", TABLE)
    options = ["--soft", "glove.txt", "--soft-threshold", threshold]
    assert hits(run, tmp_path, peer, model, *options) == expected


def test_words_are_looked_up_as_they_are_spelt(run: Run, tmp_path: Path) -> None:
    # cars and car are equal by their stems. autos, as it is spelt, is near cars; auto has no
    # vector.
    write_table(tmp_path, "glove.txt", PLURALS)
    options = ["--soft", "glove.txt", "--soft-threshold", "0.7", "-m"]
    assert hits(run, tmp_path, "car", "cars", *options)[0] == [1, 1, 1]
    assert hits(run, tmp_path, "autos", "cars", *options)[0] == [1, 1, 1]
    assert hits(run, tmp_path, "auto", "cars", *options)[0] == [0, 1, 1]


def test_words_of_a_language(run: Run, tmp_path: Path) -> None:
    write_table(tmp_path, "glove.txt", {"Größe": [1, 0], "größe": [1, 0.1], "weite": [0.8, 0.6]})
    options = ["--soft", "glove.txt", "--soft-threshold", "0.7", "--language", "de"]
    # In lower case: größe and weite, and bigrams of equal words beside them.
    assert hits(run, tmp_path, "die Größe ist", "die Weite ist", *options) == [[3, 3, 3], [2, 2, 2]]


def test_stopwords_and_limits_come_first(run: Run, tmp_path: Path) -> None:
    write_table(tmp_path, "glove.txt", TABLE)
    options = ["--soft", "glove.txt", "--soft-threshold", "0.7"]
    assert hits(run, tmp_path, "the car", "auto dog", *options, "-s")[0] == [1, 2, 1]
    assert hits(run, tmp_path, "the car", "auto dog", *options, "-l", "1")[0] == [0, 1, 1]


@pytest.mark.parametrize("threshold", ["1.01", "2"])
@pytest.mark.parametrize("more", [[], ["-m", "-s"], ["-f", "B", "-d"], ["-t", "1"], ["-l", "20"]])
def test_above_1_it_is_rouge_n(more: list[str], threshold: str, run: Run, tmp_path: Path) -> None:
    path = str(write_table(tmp_path, "word2vec.bin", TABLE))
    soft = ["--soft", path, "--soft-threshold", threshold]
    done = run("-n", "3", "-x", "-r", "50", *more, *soft, "-a", "config.xml", cwd=SAMPLE)
    plain = run("-n", "3", "-x", "-r", "50", *more, "-a", "config.xml", cwd=SAMPLE)
    lines = done.out.splitlines(keepends=True)
    soft_lines = [line for line in lines if b"ROUGE-soft-" in line]
    assert done.code == 0
    assert b"".join(soft_lines).replace(b"ROUGE-soft-", b"ROUGE-") == b"".join(
        line for line in plain.out.splitlines(keepends=True) if b"ROUGE-" in line
    )
