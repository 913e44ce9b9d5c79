"""Certificates: what they hold, and what ``verify`` makes of a run that is or is not the same."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.cli.running import ROOT, SAMPLE, Run, write_files

RUN = ["-n", "2", "-m", "-a", "config.xml"]


@pytest.fixture
def certificate(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "certificate.json"
    assert run(*RUN, "--certificate", str(path), cwd=SAMPLE).code == 0
    return path


def verified(run: Run, *words: str | Path) -> tuple[int, dict[str, list[str]]]:
    """Return the exit code and, by part, the lines that are said of it."""
    ended = run("verify", *map(str, words))
    parts: dict[str, list[str]] = {}
    for line in ended.out.decode().splitlines():
        part, _, what = line.partition(" ")
        parts.setdefault(part, []).append(what.strip())
    return ended.code, parts


def changed(path: Path, **changes: Any) -> Path:
    """Write a certificate with other values, which `changes` names by path with ``__``."""
    document = json.loads(path.read_bytes())
    for name, value in changes.items():
        *keys, last = name.split("__")
        place = document
        for key in keys:
            place = place[int(key) if isinstance(place, list) else key]
        place[int(last) if isinstance(place, list) else last] = value
    path.write_text(json.dumps(document))
    return path


def test_it_is_the_json_report_with_digests(run: Run, certificate: Path) -> None:
    document = json.loads(certificate.read_bytes())
    schema = json.loads((ROOT / "docs" / "report.schema.json").read_bytes())
    jsonschema.validate(document, schema)
    added = document.pop("certificate")
    assert document == json.loads(run(*RUN, "--report", "json").out)
    assert added["arguments"] == [*RUN, "--certificate", str(certificate)]
    config = (SAMPLE / "config.xml").read_bytes()
    assert added["files"] == {"config.xml": sha256(config).hexdigest()}
    assert added["versions"].keys() >= {"rouge-cli", "python", "core", "numpy"}
    assert run("--baseline", str(certificate), *RUN).code == 0


def test_its_digest_is_said(run: Run, tmp_path: Path) -> None:
    ended = run("-a", "config.xml", "--certificate", str(tmp_path / "c"), cwd=SAMPLE)
    digest = sha256((tmp_path / "c").read_bytes()).hexdigest()
    assert ended.err == f"{tmp_path / 'c'}: certificate, SHA-256 {digest}\n"


def test_digests_of_texts(run: Run, tmp_path: Path) -> None:
    # Worked by hand from the definition: a text has its length before it; EVALs are sorted.
    write_files(tmp_path, {"p": "b c\na\n", "m": "d\nee\n"})
    path = tmp_path / "certificate.json"
    words = ["--peer-lines", "p", "--model-lines", "m", "--certificate", str(path)]
    assert run(*words, cwd=tmp_path).code == 0
    texts = json.loads(path.read_bytes())["certificate"]["texts"]

    def digest(content: bytes) -> bytes:
        return sha256(content).digest()

    def digest_of(digests: list[bytes]) -> str:
        return digest(b"".join(b"32\n" + item for item in sorted(digests))).hex()

    assert texts == {
        "n_evals": 2,
        "order": digest(b"1\n1" + b"1\n2").hex(),
        "references": digest_of([digest(b"1\nd"), digest(b"2\nee")]),
        "predictions": {"X": digest_of([digest(b"1\nd3\nb c"), digest(b"2\nee1\na")])},
    }


def test_the_same_run(run: Run, certificate: Path) -> None:
    code, parts = verified(run, certificate)
    digest = sha256(certificate.read_bytes()).hexdigest()
    assert code == 0
    assert parts.pop("certificate") == [f"SHA-256 {digest}"]
    assert parts.pop("Verified") == [""]
    assert all(lines[0].startswith("same") for lines in parts.values())
    assert set(parts) == {
        *("signature", "results", "references", "predictions", "order", "files", "versions")
    }


def test_texts_in_another_layout_and_order(run: Run, certificate: Path, tmp_path: Path) -> None:
    lines = (SAMPLE / "records.jsonl").read_text().splitlines(keepends=True)
    moved = tmp_path / "moved.jsonl"
    moved.write_text("".join(reversed(lines)))
    code, parts = verified(run, certificate, moved)
    assert code == 0
    for part in ("signature", "results", "references", "predictions"):
        assert parts[part][0].startswith("same")
    assert parts["order"][0].endswith("here")
    assert parts["files"] == ["config.xml: not found here", "moved.jsonl: not in the certificate"]


def test_changed_texts(run: Run, certificate: Path, tmp_path: Path) -> None:
    text = (SAMPLE / "records.jsonl").read_text()
    other = tmp_path / "other.jsonl"
    other.write_text(text.replace("A ferry ran aground on a sandbank", "A  ferry ran aground"))
    code, parts = verified(run, certificate, other)
    assert code == 1
    assert parts["references"] == ["same"]
    assert [line.partition(":")[0] for line in parts["predictions"]] == ["neural"]
    assert {line.split()[0] for line in parts["results"][:-1]} == {"neural"}
    assert parts["Not"] == ["verified: the run differs from its certificate"]


# Scores of the sample: ROUGE-L F of neural is 0.669855.
@pytest.mark.parametrize(
    ("certified", "expected"),
    [
        (0.669865, "0.669865 in the certificate, 0.669855 here, from decimal 5 on"),
        (0.66985500001, "0.66985500001 in the certificate, 0.669855 here, from decimal 11 on"),
        (0.0, "0.0 in the certificate, 0.669855 here, from decimal 1 on"),
        (None, "not in the certificate"),
    ],
)
def test_the_first_decimal(
    certified: float | None, expected: str, run: Run, certificate: Path
) -> None:
    place = "systems__2__metrics__ROUGE-L__f_measure__mean"
    code, parts = verified(run, changed(certificate, **{place: certified}))
    assert code == 1
    assert parts["results"] == [f"neural ROUGE-L f_measure mean: {expected}"]


def test_an_error_of_addition_is_no_difference(run: Run, certificate: Path) -> None:
    place = "systems__2__metrics__ROUGE-L__f_measure__mean"
    assert verified(run, changed(certificate, **{place: 0.669855 + 1e-15}))[0] == 0


def test_other_options_and_versions(run: Run, certificate: Path) -> None:
    words = ["-n", "2", "-a", "config.xml"]
    changed(certificate, certificate__arguments=words, certificate__versions__numpy="1.0")
    code, parts = verified(run, certificate)
    assert code == 1
    assert parts["signature"] == [
        "stem:porter155+wn2.0: not found here",
        "stem:no: not in the certificate",
    ]
    assert parts["versions"][0].startswith("numpy: 1.0 in the certificate, ")
    assert len(parts["results"]) == 21
    assert parts["results"][-1].startswith("... and ")


def test_saved_scores_and_scores_of_evals(run: Run, tmp_path: Path) -> None:
    saved, path = str(tmp_path / "saved.jsonl"), tmp_path / "certificate.json"
    run(*RUN, "--save", saved, cwd=SAMPLE)
    assert run(saved, "-d", "--certificate", str(path)).code == 0
    assert json.loads(path.read_bytes())["certificate"]["texts"] is None
    code, parts = verified(run, path)
    assert (code, set(parts) & {"references", "predictions", "order"}) == (0, set())
    code, parts = verified(
        run, changed(path, **{"systems__0__metrics__ROUGE-1__recall__per_eval": [0.5, 0.5]})
    )
    assert code == 1
    assert len(parts["results"]) == 4


def test_a_protocol(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    words = ["--protocol", "rouge-score:use_stemmer=true", "records.jsonl"]
    assert run(*words, "--certificate", str(path), cwd=SAMPLE).code == 0
    document = json.loads(path.read_bytes())
    assert document["options"]["protocol"].startswith("rouge-score")
    assert verified(run, path)[0] == 0


def test_other_lines_replace_the_input_as_a_whole(run: Run, tmp_path: Path) -> None:
    (tmp_path / "p").write_text("a b\n")
    (tmp_path / "r.jsonl").write_text('{"prediction": "a b", "references": ["a b"]}\n')
    path, lines = tmp_path / "certificate.json", ["--peer-lines", "p", "--model-lines", "p"]
    assert run("r.jsonl", "--certificate", str(path), cwd=tmp_path).code == 0
    parts = verified(run, path, *lines)[1]
    assert (parts["references"], parts["results"][0][:4]) == (["same"], "same")
    assert run(*lines, "--certificate", str(path)).code == 0
    assert verified(run, path, "r.jsonl")[1]["results"][0].startswith("same")


def test_a_command_that_scores_nothing_verifies_nothing(run: Run, certificate: Path) -> None:
    changed(certificate, certificate__arguments=["--help"])
    ended = run("verify", str(certificate))
    assert (ended.code, ended.error_lines[-1][-16:]) == (3, "it asks for help")


@pytest.mark.parametrize(
    "damage",
    [
        {"options": None},
        {"systems": 1},
        {"systems__0": {}},
        {"systems__0": [1]},
        {"signature": 5},
        {"certificate": []},
        {"certificate__arguments": None},
        {"certificate__arguments": [1]},
        {"certificate__texts": [1]},
    ],
    ids=str,
)
def test_a_damaged_certificate(damage: dict[str, Any], run: Run, certificate: Path) -> None:
    ended = run("verify", str(changed(certificate, **damage)))
    assert "no certificate" in ended.refusal


@pytest.mark.parametrize("number", ["NaN", "1e999", "-Infinity", '"high"', "[[1]]", "true"])
def test_a_number_that_is_none(number: str, run: Run, certificate: Path) -> None:
    text = certificate.read_text().replace("0.669855,", f"{number},", 1)
    certificate.write_text(text)
    code, parts = verified(run, certificate)
    assert code == 1
    assert parts["results"][0].startswith("neural ROUGE-L f_measure mean")
