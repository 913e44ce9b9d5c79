"""Other packages on the command line: reports, saved scores, warnings, files by users."""

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import rouge_cli
from rouge_cli import protocols
from rouge_cli.inputs.index import Input
from rouge_cli.protocols import PROTOCOLS
from tests.cli.running import Run, records_of, write_records

FIXTURES = Path(__file__).parents[2] / "fixtures"


def lines(name: str) -> list[dict[str, Any]]:
    return records_of(FIXTURES / "protocols" / f"{name}.jsonl")


def written(value: Any) -> str:
    if isinstance(value, list):
        return "+".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


ROUNDED = {"natural-instructions", "ms-swift"}


def test_means_are_those_of_the_package() -> None:
    texts = defaultdict(list)
    for line in lines("corpora"):
        texts[line["corpus"]].append((line["prediction"], line["references"]))
    for line in lines("corpus"):
        if line["corpus"] not in texts or line["protocol"] == "torchmetrics":
            continue
        predictions, references = map(list, zip(*texts[line["corpus"]], strict=True))
        settings = ",".join(f"{key}={written(value)}" for key, value in line["options"].items())
        protocol = ":".join(filter(None, (line["protocol"], settings)))
        results = rouge_cli.evaluate(predictions, references, protocol=protocol)
        for metric, expected in line["scores"].items():
            found = {key: one.mean for key, one in results[metric].measures.items()}
            if isinstance(expected, dict):
                means = expected.get("mid", expected)
                assert found == {letter.upper(): mean for letter, mean in means.items()}
            else:
                # Scores are scaled and rounded before they are averaged, which moves last digits.
                tolerance = 1e-6 if line["protocol"] in ROUNDED else 1e-14
                only = found.get("S", found.get("F"))
                assert only == pytest.approx(expected, rel=tolerance)


def test_wrappers_of_the_original_have_its_bootstrap() -> None:
    texts = [line for line in lines("pyrouge") if line["options"] == {}]
    results = rouge_cli.evaluate(
        [line["prediction"] for line in texts],
        [line["references"] for line in texts],
        protocol="pyrouge",
    )
    bigrams = results["ROUGE-2"]
    assert bigrams.f_measure.bootstrap_mean is not None
    assert [line["scores"]["ROUGE-2"]["f"] for line in texts] == list(bigrams.f_measure.per_eval)


def test_a_file_of_ones_own(run: Run, tmp_path: Path) -> None:
    pairs = {"the cat sat. on the mat": "the cat sat on the mat", "b c": "b c d"}
    records = [{"prediction": peer, "reference": model} for peer, model in pairs.items()]
    write_records(tmp_path / "r.jsonl", records)
    own = run("protocols", "rouge:exclusive=false", cwd=tmp_path).out
    (tmp_path / "own.toml").write_bytes(own)
    words = ("--protocol", "own.toml", "r.jsonl", "--save", "s.jsonl", "--report", "csv")
    done = run(*words, cwd=tmp_path)
    named = run("--protocol", "rouge:exclusive=false", "r.jsonl", "--report", "csv", cwd=tmp_path)
    scores, expected = (
        [line.rpartition(",")[0] for line in shown.out.decode().splitlines()]
        for shown in (done, named)
    )
    assert scores == expected
    assert b"like:rouge@1.0.1[" in done.out
    again = run("s.jsonl", "--report", "csv", cwd=tmp_path)
    assert "the file of the protocol is not at hand" in again.err
    # Two kinds of means have two signatures.
    assert b"|means:plain|" in again.out
    assert b"means:plain" not in done.out
    assert run("s.jsonl", "--protocol", "own.toml", "--report", "csv", cwd=tmp_path).out == done.out


def test_all_protocols_are_listed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "500")
    listed = run("protocols").out.decode()
    for protocol in PROTOCOLS.values():
        assert f"\n{protocol.full_name}: " in f"\n{listed}"
        assert all(f"    - {defect}\n" in listed for defect in protocol.defects)


@pytest.mark.parametrize("width", [40, 80])
def test_the_list_of_protocols_keeps_to_the_width(
    width: int, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    lines = run("protocols").out.decode().splitlines()
    assert max(map(len, lines)) <= width
    monkeypatch.setenv("COLUMNS", "500")
    # Nothing but blanks is added, and lines further in belong to the line above.
    assert " ".join(" ".join(lines).split()) == " ".join(run("protocols").out.decode().split())
    assert "    - a sentence ends at every period," in "\n".join(lines)
    assert sum(not line.startswith(" ") for line in lines) == len(PROTOCOLS)


@pytest.fixture
def two_systems(tmp_path: Path) -> Path:
    texts = {"a": ["the cat sat. on mats", "b c"], "b": ["the cats sit. on the mat", "c b"]}
    for name, predictions in texts.items():
        rows = zip(predictions, [["the cat sat. on the mat"], ["b c d"]], strict=True)
        records = [{"prediction": peer, "references": models} for peer, models in rows]
        write_records(tmp_path / f"{name}.jsonl", records)
    return tmp_path


def test_comparison_of_protocols(run: Run, two_systems: Path) -> None:
    words = ("protocols", "--compare", "a.jsonl", "b.jsonl", "--report", "json")
    found = json.loads(run(*words, cwd=two_systems).out)
    assert (found["systems"], found["n_texts"]) == (["a", "b"], [2, 2])
    by_name = {name: row["means"] for row in found["rows"] for name in row["protocols"]}
    texts = records_of(two_systems / "b.jsonl")
    predictions = [text["prediction"] for text in texts]
    references = [text["references"] for text in texts]
    for name, key in [("rouge", "rouge-1"), ("sumeval", "rouge-1"), ("naive-set", "rouge-1")]:
        reported = protocols.corpus(name, predictions, references)[key]
        f = reported["f"] if isinstance(reported, dict) else reported
        assert by_name[name][0][1] == pytest.approx(f, abs=1e-4)
    longbench = protocols.corpus("longbench", predictions, references)["rouge-l"]
    assert by_name["longbench"][:2] == [None, None]
    assert by_name["longbench"][2][1] == pytest.approx(longbench / 100, abs=1e-4)
    assert "rouge-score (rougeLsum)" in by_name
    assert {name.partition(":")[0].partition(" ")[0] for name in by_name} > {*PROTOCOLS} - {
        "tensor2tensor",
        "torchmetrics",
        "xlsum",
    }


def test_protocols_with_the_same_numbers_are_one_row(run: Run, two_systems: Path) -> None:
    words = ("protocols", "--compare", "a.jsonl", "b.jsonl", "--report")
    found = json.loads(run(*words, "json", cwd=two_systems).out)
    sections = run(*words, "markdown", cwd=two_systems).out.decode().split("\n\n")
    tables = [section.splitlines()[2:] for section in sections if section.startswith("| protocol")]
    for place, table in enumerate(tables):
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
        numbers = [tuple(row[1:3]) for row in rows]
        assert len(set(numbers)) == len(numbers)
        assert numbers == sorted(numbers, key=lambda pair: max(map(float, pair)))
        n_named = sum(len(row["protocols"]) for row in found["rows"] if row["means"][place])
        more = [re.search(r" and (\d+) more$", row[0]) for row in rows]
        assert sum(1 + int(match[1]) if match else 1 for match in more) == n_named
    assert len(tables) == 3


def test_table_and_figure_of_protocols(run: Run, two_systems: Path) -> None:
    pytest.importorskip("vl_convert")
    words = ("protocols", "--compare", "a.jsonl", "b.jsonl", "--plot", "p.svg")
    finished = run(*words, cwd=two_systems)
    assert (finished.code, finished.err) == (0, "")
    assert "A change of protocol alone moves ROUGE-1 F by up to" in finished.out.decode()
    assert "ROUGE-L F" in (two_systems / "p.svg").read_text("utf-8")


@pytest.fixture
def hindi(tmp_path: Path) -> list[dict[str, Any]]:
    """Write the pairs in Hindi that XL-Sum's fork has scored to a file, and return them."""
    stored = records_of(FIXTURES / "languages" / "xlsum.jsonl")
    pairs = [pair for pair in stored if pair["language"] == "hindi"]
    kept = [{key: pair[key] for key in ("prediction", "reference")} for pair in pairs]
    write_records(tmp_path / "h.jsonl", kept)
    return pairs


def test_a_protocol_with_a_language(run: Run, tmp_path: Path, hindi: list[Any]) -> None:
    words = ("--protocol", "xlsum:lang=hindi", "h.jsonl", "--report", "json")
    done = run(*words, cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out)["signature"].startswith("rouge-cli:0.1.0|like:xlsum:lang=hindi|")
    assert run(*words, "--jobs", "2", cwd=tmp_path).out == done.out
    texts = [[pair[key] for pair in hindi] for key in ("prediction", "reference")]
    results = rouge_cli.evaluate(*texts, protocol="xlsum:lang=hindi")
    for key in ("rouge1", "rouge2", "rougeL"):
        expected = [pair["scores"][key][2] for pair in hindi]
        assert results[key].f_measure.per_eval.tolist() == expected


def test_protocols_of_a_language_are_tried_with_it(
    run: Run, tmp_path: Path, hindi: list[Any]
) -> None:
    f = sum(pair["scores"]["rouge1"][2] for pair in hindi) / len(hindi)
    question = ("identify", "h.jsonl", "--published", f"ROUGE-1={100 * f:.4f}", "--report", "json")
    told = json.loads(run(*question, "--lang", "hindi", cwd=tmp_path).out)
    names = {row["setting"] for group in told["consistent"] for row in group["settings"]}
    assert "xlsum:lang=hindi" in names
    assert not any("xlsum" in remark for remark in told["remarks"])
    untold = json.loads(run(*question, cwd=tmp_path).out)
    assert "xlsum" not in str([untold["consistent"], untold["nearest"]])
    assert "xlsum was not tried, as its words depend on the language" in str(untold["remarks"])
    compared = ("protocols", "--compare", "h.jsonl", "--report", "json")
    means = {
        name: row["means"]
        for row in json.loads(run(*compared, "--lang", "hindi", cwd=tmp_path).out)["rows"]
        for name in row["protocols"]
    }
    assert means["xlsum:lang=hindi (rougeL)"][0][0] == pytest.approx(f, abs=1e-12)
    without = json.loads(run(*compared, cwd=tmp_path).out)
    assert not any(name.startswith("xlsum") for row in without["rows"] for name in row["protocols"])


def test_texts_are_read_once(run: Run, two_systems: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    n_reads = []
    read = Input.evals

    def counted(texts: Input) -> Any:
        n_reads.append(texts)
        return read(texts)

    monkeypatch.setattr(Input, "evals", counted)
    assert run("protocols", "--compare", "a.jsonl", "b.jsonl", cwd=two_systems).code == 0
    assert len(n_reads) == 1
