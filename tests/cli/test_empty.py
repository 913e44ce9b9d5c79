"""Texts with nothing to count, or with lost letters: every score is a number."""

import json
from pathlib import Path

import pytest

from tests.cli.running import Run, write_records

FULL = "the brown cat sat here"


@pytest.mark.parametrize(
    ("peer", "models"),
    [
        ("", [FULL]),
        (FULL, [""]),
        ("", [""]),
        ("", ["", ""]),
        (FULL, ["", FULL]),
        ("...", [FULL]),
        ("\n\n", ["\n"]),
        # With stopwords removed nothing is left of these.
        ("the", ["the of and"]),
        ("cat", [FULL]),
        ("cat", ["cat"]),
        ("cat", ["dog"]),
    ],
    ids=repr,
)
# Other formulas and countings are drawn in tests/property/test_pipeline.py.
@pytest.mark.parametrize("options", ["--pairwise-lcs", "--pairwise-lcs -f B", "-f best-f -t 1"])
def test_every_metric_is_defined(
    options: str, peer: str, models: list[str], run: Run, tmp_path: Path
) -> None:
    write_records(tmp_path / "r.jsonl", [{"prediction": peer, "references": models}])
    metrics = ("-n", "3", "-w", "1.2", "-2", "4", "-U", "-m", "-s", *options.split())
    finished = run(*metrics, "-r", "5", "-d", "--report", "json", "r.jsonl", cwd=tmp_path)
    # JSON as it is read here has no NaN.
    (system,) = json.loads(finished.out, parse_constant=pytest.fail)["systems"]
    for scores in system["metrics"].values():
        for name in ("recall", "precision", "f_measure"):
            measure = scores[name]
            numbers = [measure["mean"], *measure["per_eval"], *(measure["interval"] or ())]
            assert all(0 <= number <= 1 for number in [*numbers, measure["bootstrap_mean"] or 0])


LOST = (
    ": as in the original only A to Z and digits make words, so such scores say little; say which "
    "language it is, such as --language {}, or count the words of any script with --tokenizer "
    "unicode"
)


@pytest.mark.parametrize(
    ("text", "counts", "share", "language"),
    [
        # 3 of 7 letters are not in A to Z. The other four texts have 20 words.
        ("жук beta", "3 of 7", 8, "ru"),
        ("今天天气很好", "6 of 6", 9, "zh"),
        ("今日は良い天気", "7 of 7", 9, "ja"),
        ("naïve déjà vu", "3 of 11", 15, "fr"),
        # é and ï of 24 letters: less than a tenth.
        ("the café of the naïve people", None, 12, "fr"),
        ("die alte Brücke und die kleine Straße im Nebel", None, 11, "de"),
        # Signs are no letters.
        ("“the cat” — sat… ‘here’ „there‟ • • • ™ € × 🙂", None, None, ""),  # noqa: RUF001
        ("مرحبا", "5 of 5", 9, "ar"),
        ("می‌خواهم", "7 of 7", 9, "fa"),
    ],
)
def test_letters_that_are_lost(
    text: str, counts: str | None, share: int | None, language: str, run: Run, tmp_path: Path
) -> None:
    records = [{"prediction": peer, "references": [FULL]} for peer in (text, FULL, text)]
    write_records(tmp_path / "r.jsonl", records)
    finished = run("-n1", "r.jsonl", cwd=tmp_path)
    warnings = [line for line in finished.error_lines if "letters" in line]
    first, lost = "text 1: r.jsonl, line 1", f"about {share}% of all words lose letters"
    if counts is not None:
        few = f"2 of 6 texts lose more than a tenth of their letters, the first {first}"
        lost = f"{few} ({counts}); {lost}"
    elif share is not None:
        lost += f", the first in {first}"
    assert warnings == ([f"Warning: {lost}{LOST.format(language)}"] if share else [])


def test_letters_lost_in_few_words(run: Run, tmp_path: Path) -> None:
    records = [{"prediction": peer, "references": [FULL]} for peer in ("привет", *[FULL] * 50)]
    write_records(tmp_path / "r.jsonl", records)
    told = (
        "1 of 102 texts loses more than a tenth of its letters, the first text 1: r.jsonl, line 1"
    )
    said = run("-v", "-n1", "r.jsonl", cwd=tmp_path).error_lines
    assert f"{told} (6 of 6){LOST.format('ru')}" in said
