"""Jackknifing: as a run, as a configuration for the original, and the two against each other."""

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

AS_ORIGINAL = {"lcs": True}
METRICS = ("-n", "2", "-w", "1.2", "-2", "4", "-U", "-m", "-r", "0")

TEXTS = {"p": "a b c d", "q": "x", "A": "a b", "B": "c d e f", "C": "a x y z w"}


def means(out: bytes) -> dict[tuple[str, str, str], float]:
    rows = csv.DictReader(io.StringIO(out.decode()))
    return {
        (row["system"], row["metric"], row["measure"]): float(row["mean"])
        for row in rows
        if not row["eval"]
    }


def write_config(folder: Path, *evals: str) -> None:
    """Write EVALs such as ``1: p=one A B``: peers by system, and models."""
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    elements = ""
    for one in evals:
        eval_id, _, rest = one.partition(": ")
        peers = [word.split("=") for word in rest.split() if "=" in word]
        models = [word for word in rest.split() if "=" not in word]
        elements += (
            f'<EVAL ID="{eval_id}"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT>'
            '<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT><PEERS>'
            + "".join(f'<P ID="{system}">{file}</P>' for system, file in peers)
            + "</PEERS><MODELS>"
            + "".join(f'<M ID="{model}">{model}</M>' for model in models)
            + "</MODELS></EVAL>"
        )
    (folder / "c.xml").write_text(f"<R>{elements}</R>")


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


def test_configuration(run: Run, tmp_path: Path) -> None:
    write_config(tmp_path, "7: us=p them=q A B")
    finished = run("jackknife", "--humans", "c.xml", cwd=tmp_path)
    assert finished.err == ""
    assert finished.out.decode().splitlines()[2:16] == [
        '  <EVAL ID="7-1">',
        "    <PEER-ROOT>.</PEER-ROOT>",
        "    <MODEL-ROOT>.</MODEL-ROOT>",
        '    <INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>',
        "    <PEERS>",
        '      <P ID="them">q</P>',
        '      <P ID="us">p</P>',
        '      <P ID="A">A</P>',
        "    </PEERS>",
        "    <MODELS>",
        '      <M ID="B">B</M>',
        "    </MODELS>",
        "  </EVAL>",
        '  <EVAL ID="7-2">',
    ]


def test_an_eval_counts_once(run: Run, tmp_path: Path) -> None:
    # Two EVALs, with two and three models: each is one score, whatever its number of sets.
    write_config(tmp_path, "1: us=p A B", "2: us=q A B C")
    finished = run("-n1", "-x", "--jackknife", "-d", "c.xml", "us", cwd=tmp_path)
    lines = finished.out.decode().splitlines()
    # p: 2/4 without A (B: c d), 2/2 without B (A: a b), mean 0.75. q = x: without A: 1 of 4 + 5,
    # without B: 1 of 2 + 5, without C: 0; mean (0.11111 + 0.14286) / 3 = 0.08466.
    assert [line.split()[4] for line in lines if " Eval " in line] == ["R:0.75000", "R:0.08466"]


def test_humans_who_wrote_only_some(run: Run, tmp_path: Path) -> None:
    write_config(tmp_path, "1: us=p A B", "2: us=q B C")
    options = ("-n1", "-x", "-r0", "--report", "csv", "--jackknife", "--humans")
    finished = run(*options, "c.xml", "us", cwd=tmp_path)
    # That A has no text in EVAL 2 is no matter for a warning.
    assert finished.err == ""
    rows = list(csv.DictReader(io.StringIO(finished.out.decode())))
    assert {row["system"]: row["n"] for row in rows} == {"us": "2", "A": "1", "B": "2", "C": "1"}


@pytest.mark.parametrize(
    "arguments", [("--jackknife",), ("--jackknife", "--humans", "--formula", "best-f")]
)
def test_one_model(arguments: tuple[str, ...], run: Run, tmp_path: Path) -> None:
    write_config(tmp_path, "1: us=p A B", "2: us=q A", "3: us=q C")
    finished = run("-n1", *arguments, "c.xml", "us", cwd=tmp_path)
    assert finished.refusal.splitlines() == [
        f"Error: text {number}: one reference; jackknifing leaves one out, so it needs at least two"
        for number in (2, 3)
    ]
    assert run("jackknife", "c.xml").error_lines == finished.error_lines


def test_names_that_clash(run: Run, tmp_path: Path) -> None:
    write_config(tmp_path, "1: A=p A B", "2: us=p B B")
    finished = run("-n1", "--jackknife", "--humans", "-a", "c.xml", cwd=tmp_path)
    assert finished.error_lines == [
        "Error: text 1: reference A has the name of a system; rename either",
        "Error: text 2: reference B is in it 2 times",
    ]
    # Without the humans there is nothing to confuse.
    assert run("-n1", "--jackknife", "-a", "c.xml").code == 0


def test_a_file_name_that_xml_cannot_hold(run: Run, tmp_path: Path) -> None:
    for folder in "pAB":
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "1\x01.txt").write_text("a\n")
    finished = run(
        "jackknife", "--peers", "us=p/([0-9]).\\.txt", "--models", "A/#ID#.\\.txt",
        "--models", "B/#ID#.\\.txt", cwd=tmp_path,
    )  # fmt: skip
    assert finished.refusal.splitlines() == [
        f"Error: text 1: XML cannot hold the name '{folder}/1\\x01.txt'" for folder in "pAB"
    ]


@pytest.mark.parametrize("models", ["absolute", "relative"])
def test_folders_of_their_own(models: str, run: Run, tmp_path: Path) -> None:
    for folder, text in (("p", "a b"), ("A", "a c"), ("B", "b b"), ("C", "c d")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "1.txt").write_text(text)
    root = tmp_path if models == "absolute" else Path()
    options = ["--peers", "us=p/(.).txt"]
    for model in "ABC":
        options += ["--models", str(root / model / "#ID#.txt")]
    config = tmp_path / "sets.xml"
    assert run("jackknife", *options, "-o", str(config), cwd=tmp_path).code == 0
    assert config.read_text().count(f"<MODEL-ROOT>{root}</MODEL-ROOT>") == 3
    finished = run("-n1", "-x", "-d", "-a", str(config))
    # Without A: b of B's two and none of C, 1/4. Without B: a of A, 1/4. Without C: 2/4.
    recall = [line.split()[4] for line in finished.out.decode().splitlines() if " Eval " in line]
    assert recall == ["R:0.25000", "R:0.25000", "R:0.50000"]


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


@pytest.mark.usefixtures("core")
def test_a_warning_on_line_files_names_the_first_text_set_by_set(run: Run, tmp_path: Path) -> None:
    for name in ("peers.txt", "0.txt", "1.txt", "2.txt"):
        (tmp_path / name).write_text("a cat &amp; a dog\na mat\n")
    models = [word for name in "012" for word in ("--model-lines", f"{name}.txt")]
    finished = run("-n", "1", "--jackknife", "--peer-lines", "peers.txt", *models, cwd=tmp_path)
    assert "such as &amp; or <br>, the first text 1: 0.txt, line 1:" in finished.err
