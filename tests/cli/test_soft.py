"""ROUGE-soft-N: cases that do not fit in a transcript."""

from pathlib import Path

import pytest

from tests.cli.running import SAMPLE, Run
from tests.word_vectors import Table, write_table

TABLE: Table = {"car": [1, 0], "auto": [0.8, 0.6], "cab": [0.6, 0.8], "dog": [0, 1]}


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
