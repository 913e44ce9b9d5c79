"""Jackknifing: a run and a configuration for the original agree, and memory stays small."""

import csv
import io
import tracemalloc
from pathlib import Path

import pytest

from rouge_cli.conversion import leave_one_out_config
from rouge_cli.errors import InputError
from rouge_cli.inputs.text_files import FileEval, FileInput, NamedFiles, TextFile
from rouge_cli.options.options import Options
from tests.cli.running import SAMPLE, Run

METRICS = ("-n", "2", "--lcs", "-w", "1.2", "-2", "4", "-U", "-m", "-r", "0")


def means(out: bytes) -> dict[tuple[str, str, str], float]:
    rows = csv.DictReader(io.StringIO(out.decode()))
    return {
        (row["system"], row["metric"], row["measure"]): float(row["mean"])
        for row in rows
        if not row["eval"]
    }


@pytest.mark.parametrize("formula", ["A", "B", "best-f"])
def test_run_and_configuration_agree(formula: str, run: Run, tmp_path: Path) -> None:
    # Every EVAL of the sample has two models, so the mean over EVALs of the mean over sets is the
    # mean over all sets.
    options = (*METRICS, "-f", formula, "-a", "--report", "csv")
    at_once = run(*options, "--jackknife", "--humans", "config.xml", cwd=SAMPLE)
    config = tmp_path / "sets.xml"
    written = run("jackknife", "--humans", "config.xml", "-o", str(config))
    assert (written.code, written.out, written.err) == (0, b"", "")
    one_by_one = run(*options, str(config))
    assert (at_once.code, at_once.err, one_by_one.code) == (0, "", 0)
    found, expected = means(at_once.out), means(one_by_one.out)
    assert found.keys() == expected.keys()
    assert {system for system, _, _ in found} == {"lead", "extract", "neural", "A", "B"}
    for key, value in found.items():
        assert value == pytest.approx(expected[key], abs=1e-12)


@pytest.mark.parametrize("with_humans", [True, False])
def test_nothing_is_made_of_what_is_refused(with_humans: bool) -> None:
    # The sets of all EVALs together hold the square of their models: 32 million here.
    files = (TextFile("m"),) * 4_000
    evals = [
        FileEval(eval_id, {"us": TextFile("p", "SEE")}, files, ("A",) * 4_000) for eval_id in "12"
    ]
    options = Options()
    source = FileInput(NamedFiles("c", evals, ("us",), ()), options.inputs, options.metrics)
    tracemalloc.start()
    try:
        with pytest.raises(InputError) as caught:
            next(leave_one_out_config(source, with_humans=with_humans))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [one.partition(":")[0] for one in caught.value.problems] == ["text 1", "text 2"]
    assert peak < 20_000_000
