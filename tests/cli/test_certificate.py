"""Certificates: their content, and what ``verify`` reports about numbers that differ."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.cli.running import ROOT, SAMPLE, Run, json_of, write_files

RUN = ["-n", "2", "-m", "-a", "config.xml"]


@pytest.fixture
def certificate(run: Run, tmp_path: Path) -> Path:
    """Certify a run on the sample, with the scores of each text."""
    path = tmp_path / "certificate.json"
    assert run(*RUN, "-d", "--certificate", str(path), cwd=SAMPLE).code == 0
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


def test_it_is_the_json_report_with_digests(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    ended = run(*RUN, "--certificate", str(path), cwd=SAMPLE)
    content = path.read_bytes()
    assert ended.err == f"{path}: certificate, SHA-256 {sha256(content).hexdigest()}\n"
    assert verified(run, path)[1]["certificate"] == [f"SHA-256 {sha256(content).hexdigest()}"]
    document = json.loads(content)
    jsonschema.validate(document, json.loads((ROOT / "docs/report.schema.json").read_bytes()))
    added = document.pop("certificate")
    assert document == json_of(run, *RUN)
    assert added["arguments"] == [*RUN, "--certificate", str(path)]
    config = (SAMPLE / "config.xml").read_bytes()
    assert added["files"] == {"config.xml": sha256(config).hexdigest()}
    assert added["versions"].keys() >= {"rouge-cli", "python", "core", "numpy"}
    assert run("--baseline", str(path), *RUN).code == 0


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


# Scores of the sample: ROUGE-L F of neural is 0.669855.
@pytest.mark.parametrize(
    ("certified", "expected"),
    [
        ("0.669865", "0.669865 in the certificate, 0.669855 here, from decimal 5 on"),
        ("0.66985500001", "0.66985500001 in the certificate, 0.669855 here, from decimal 11 on"),
        ("0.0", "0.0 in the certificate, 0.669855 here, from decimal 1 on"),
        ("null", "not in the certificate"),
        *((number, "") for number in ("NaN", "1e999", "-Infinity", '"high"', "[[1]]", "true")),
    ],
)
def test_another_number(certified: str, expected: str, run: Run, certificate: Path) -> None:
    text = certificate.read_text()
    certificate.write_text(text.replace("0.669855,", f"{certified},", 1))
    code, parts = verified(run, certificate)
    assert code == 1
    line = f"neural ROUGE-L f_measure mean: {expected}"
    assert parts["results"] == [line] if expected else parts["results"][0].startswith(line[:-2])


def test_an_error_of_addition_is_no_difference(run: Run, certificate: Path) -> None:
    near = {"systems__2__metrics__ROUGE-L__f_measure__mean": 0.669855 + 1e-15}
    assert verified(run, changed(certificate, **near))[0] == 0
    other = {"systems__0__metrics__ROUGE-1__recall__per_eval": [0.5, 0.5]}
    code, parts = verified(run, changed(certificate, **other))
    assert (code, len(parts["results"])) == (1, 4)


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


def test_a_command_that_scores_nothing_verifies_nothing(run: Run, certificate: Path) -> None:
    ended = run("verify", str(changed(certificate, certificate__arguments=["--help"])))
    assert (ended.code, ended.error_lines[-1][-16:]) == (3, "it asks for help")
