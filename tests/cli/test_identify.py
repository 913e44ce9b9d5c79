"""``rouge-cli identify``: the settings of its reports."""

import csv
import io
from pathlib import Path

from tests.cli.running import Run, json_of, write_records


def test_settings(run: Run, tmp_path: Path) -> None:
    # ROUGE-1 is 1 and 1/2, and so is ROUGE-L; with stems both are 1.
    texts = [("the cat", "the cat"), ("dogs ran", "dog ran")]
    path = tmp_path / "r.jsonl"
    write_records(path, [{"prediction": p, "references": [r]} for p, r in texts])
    words = ("identify", str(path), "--published", "ROUGE-1=0.75 ROUGE-L:R=0.750")
    found = json_of(run, *words)
    consistent, nearest = (
        {setting["setting"] for group in found[key] for setting in group["settings"]}
        for key in ("consistent", "nearest")
    )
    stemmed = {"rouge-score:use_stemmer=true", "ROUGE-1.5.5 -m"}
    assert not consistent & stemmed
    assert stemmed <= nearest
    rows = list(csv.DictReader(io.StringIO(run(*words, "--report", "csv").out.decode())))
    assert {row["class"] for row in rows if row["match"]} == {"A"}
    assert {row["class"] for row in rows if not row["match"]} == {""}
