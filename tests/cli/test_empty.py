"""Texts in which there is nothing to count: warned of, left out, or refused; in every metric."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import Run, write_records

AS_ORIGINAL = {"lcs": True}
ALL = ("-n", "3", "-w", "1.2", "-2", "4", "-U", "--pairwise-lcs", "-m", "-s")
FULL = "the brown cat sat here"

# EVAL, system, peer, models.
RECORDS = [
    ("1", "a", FULL, [FULL, FULL]),
    ("1", "b", FULL, [FULL, FULL]),
    ("2", "a", "...", [FULL, FULL]),
    ("2", "b", FULL, [FULL, FULL]),
    ("3", "a", FULL, [FULL, "-"]),
    ("3", "b", FULL, [FULL, "-"]),
]


def write(folder: Path, records: list[tuple[str, str, str, list[str]]]) -> None:
    names = ("id", "system", "prediction", "references")
    write_records(folder / "r.jsonl", [dict(zip(names, one, strict=True)) for one in records])


@pytest.mark.parametrize("empty", ["skip", "error"])
def test_nothing_is_empty(empty: str, run: Run, tmp_path: Path) -> None:
    write(tmp_path, RECORDS[:2])
    expected = run("-n1", "r.jsonl", cwd=tmp_path)
    assert run("-n1", "--empty", empty, "r.jsonl") == expected


def test_skip_by_hand_in_the_classic_report(run: Run, tmp_path: Path) -> None:
    # As if the EVAL with the empty model were not there at all.
    write(tmp_path, RECORDS)
    skipped = run(*ALL, "--empty", "skip", "-d", "r.jsonl", "b", cwd=tmp_path)
    write(tmp_path, RECORDS[:4])
    assert skipped.out == run(*ALL, "-d", "r.jsonl", "b").out


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
@pytest.mark.parametrize(
    ("formula", "counting"), [("A", "0"), ("A", "1"), ("A", "2"), ("B", "0"), ("best-f", "1")]
)
def test_every_metric_is_defined(
    peer: str, models: list[str], formula: str, counting: str, run: Run, tmp_path: Path
) -> None:
    write(tmp_path, [("1", "a", peer, models)])
    metrics = ALL if counting == "0" else [one for one in ALL if one != "--pairwise-lcs"]
    options = (*metrics, "-f", formula, "-t", counting, "-r", "5", "--report", "json", "-d")
    finished = run(*options, "r.jsonl", cwd=tmp_path)
    assert finished.code == 0
    # JSON as it is read here has no NaN.
    (system,) = json.loads(finished.out, parse_constant=pytest.fail)["systems"]
    for scores in system["metrics"].values():
        for measure in ("recall", "precision", "f_measure"):
            check_measure(scores[measure])


def check_measure(measure: dict[str, Any]) -> None:
    """Check that every number of a measure is one from 0 to 1."""
    numbers = [measure["mean"], *measure["per_eval"]]
    numbers += [measure["bootstrap_mean"] or 0, *(measure["interval"] or ())]
    assert all(0 <= number <= 1 for number in numbers)


LOST = (
    ": as in the original only A to Z and digits make words, so such scores say little; say which "
    "language it is, such as --language {}, or count the words of any script with --tokenizer "
    "unicode"
)


@pytest.mark.parametrize(
    ("text", "counts", "share", "language"),
    [
        # 3 of 7 letters are not in A to Z. The other four texts have 20 words.
        ("жук beta", (3, 7), 8, "ru"),
        ("今天天气很好", (6, 6), 9, "zh"),
        ("今日は良い天気", (7, 7), 9, "ja"),
        ("naïve déjà vu", (3, 11), 15, "fr"),
        # é and ï of 24 letters: less than a tenth.
        ("the café of the naïve people", None, 12, "fr"),
        ("die alte Brücke und die kleine Straße im Nebel", None, 11, "de"),
        # Signs are no letters.
        ("“the cat” — sat… ‘here’ „there‟ • • • ™ € × 🙂", None, None, ""),  # noqa: RUF001
        ("مرحبا", (5, 5), 9, "ar"),
        ("می‌خواهم", (7, 7), 9, "fa"),
    ],
)
def test_letters_that_are_lost(
    text: str,
    counts: tuple[int, int] | None,
    share: int | None,
    language: str,
    run: Run,
    tmp_path: Path,
) -> None:
    write(tmp_path, [("1", "a", text, [FULL]), ("2", "a", FULL, [FULL]), ("3", "a", text, [FULL])])
    finished = run("-n1", "r.jsonl", cwd=tmp_path)
    warnings = [line for line in finished.error_lines if "letters" in line]
    first, lost = "text 1: r.jsonl, line 1", f"about {share}% of all words lose letters"
    if counts is not None:
        lost = (
            f"2 of 6 texts lose more than a tenth of their letters, the first {first} "
            f"({counts[0]} of {counts[1]}); {lost}"
        )
    elif share is not None:
        lost += f", the first in {first}"
    assert warnings == ([f"Warning: {lost}{LOST.format(language)}"] if share else [])


def test_letters_lost_in_few_words(run: Run, tmp_path: Path) -> None:
    # One word of some 500 is broken; of a text of which much is lost, -v tells more.
    rest = [(str(number), "a", FULL, [FULL]) for number in range(50)]
    write(tmp_path, [("x", "a", "the café of the house", [FULL]), *rest])
    assert run("-n1", "r.jsonl", cwd=tmp_path).err == ""
    write(tmp_path, [("x", "a", "привет", [FULL]), *rest])
    lost = "1 of 102 texts loses more than a tenth of its letters"
    (warning,) = (line for line in run("-n1", "r.jsonl").error_lines if "letters" in line)
    assert warning == f"Warning: {lost}: fewer than one in 20; -v says which, and what to do"
    told = f"{lost}, the first text x: r.jsonl, line 1 (6 of 6){LOST.format('ru')}"
    assert told in run("-v", "-n1", "r.jsonl").error_lines


@pytest.mark.parametrize("core", ["0", ""])
def test_a_sign_at_the_end_of_what_is_looked_at_breaks_no_word(
    core: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROUGE_CLI_CORE", core)
    # 16 words of 8 bytes; behind byte 127 stand three bytes of a sign, or two of a letter.
    start = "letters " * 15 + "letters"
    write(tmp_path, [("1", "a", f"{start}… né", [start])])
    assert run("-n1", "r.jsonl", cwd=tmp_path).err == ""
    write(tmp_path, [("1", "a", f"{start}ü né", [start])])
    # One of 32 words.
    assert "Warning: about 3% of all words lose" in run("-n1", "r.jsonl", cwd=tmp_path).err


def test_zero_bytes(run: Run, tmp_path: Path) -> None:
    (tmp_path / "p").write_bytes("the cat".encode("utf-16"))
    (tmp_path / "m").write_bytes(b"the cat\n")
    (tmp_path / "l").write_bytes(b"m ./m\np m\n")
    finished = run("-n1", "-x", "-z", "SPL", "l", cwd=tmp_path)
    assert finished.error_lines == [
        "Warning: 1 of 4 texts holds a zero byte, as UTF-16 and binary files do, the first text "
        "2: p; save it as UTF-8"
    ]
    assert finished.code == 0
