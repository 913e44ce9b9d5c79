"""Several files as several systems, from Python; a transcript has the command line."""

from pathlib import Path
from typing import Any

import pytest

import rouge_cli
from rouge_cli.errors import InputError, OptionError
from tests.cli.running import write_records


def test_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    models = {"1": "the cat sat down", "2": "the dog ran"}
    texts = {"bart": ["the cat sat", "a dog"], "pegasus": ["down", "the dog ran"]}
    for name, peers in texts.items():
        rows = zip(models.items(), peers, strict=True)
        records = [
            {"id": id_, "prediction": peer, "reference": model} for (id_, model), peer in rows
        ]
        write_records(tmp_path / f"{name}.jsonl", records)
    options: Any = {"max_ngram": 1, "lcs": False, "resamples": 0}
    of_list = rouge_cli.evaluate_files(["bart.jsonl", tmp_path / "pegasus.jsonl"], **options)
    of_names = rouge_cli.evaluate_files({"B": "bart.jsonl", "P": "pegasus.jsonl"}, **options)
    assert list(of_list.systems) == ["bart", "pegasus"]
    # Three of four unigrams and one of three; one of four and all three.
    assert of_names.systems["B"]["ROUGE-1"].recall.per_eval.tolist() == [0.75, 0.33333]
    assert of_names.systems["P"]["ROUGE-1"].recall.per_eval.tolist() == [0.25, 1.0]
    with pytest.raises(OptionError, match="expected at least one path"):
        rouge_cli.evaluate_files([])
    with pytest.raises(OptionError, match="a name without ="):
        rouge_cli.evaluate_files({"a=b": "bart.jsonl"})
    with pytest.raises(InputError, match="both have a system bart"):
        rouge_cli.evaluate_files(["bart.jsonl", "bart.jsonl"])
