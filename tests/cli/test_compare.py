"""The command ``compare``: cases that do not fit in a transcript."""

import re

import pytest

from rouge_cli.options.options import OPTIONS
from rouge_cli.options.reports import OUTPUT
from rouge_cli.options.scores import THRESHOLDS
from tests.cli.running import SAMPLE, Run
from tests.cli.test_startup import loaded_by


def test_help(run: Run) -> None:
    text = run("compare", "--help-all").out.decode()
    own = text[text.index("\nCompare:\n") : text.index("\nMetrics:\n")]
    for name in ("--measures", "-r", "--seed", "--report", "-o", "--system-id"):
        assert re.search(rf"^  {name}\b", own, re.MULTILINE)
        assert len(re.findall(rf"^  {name}\b", text, re.MULTILINE)) == 1
    for name, option in OPTIONS.items():
        if option.heading not in {OUTPUT, THRESHOLDS} and name not in {
            "all", "bootstrap", "resamples",
        }:  # fmt: skip
            long = option.alias or option.long
            assert re.search(rf"^  (-., )?{long}\b", text, re.MULTILINE)


def test_only_what_is_needed_is_loaded() -> None:
    late = {"nltk", "scipy", "pandas", "rich.table", "multiprocessing"}
    loaded = loaded_by("compare", "-n", "1", "config.xml")
    assert "rouge_cli.studies.compare.comparison" in loaded
    assert not loaded & late
    assert not loaded_by("compare", "--help") & ({"numpy", "rich"} | late)


def test_an_interrupt(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rouge_cli.studies.compare.comparison.compare", interrupted)
    finished = run("compare", "-n", "1", "config.xml", cwd=SAMPLE)
    assert (finished.code, finished.out) == (130, b"")


@pytest.mark.parametrize(
    "words", ["compare config.xml -d", "compare config.xml -a", "plan config.xml -r",
              "context records.jsonl --sources lead --jackknife"]
)  # fmt: skip
def test_options_of_other_commands(words: str, run: Run) -> None:
    finished = run(*words.split(), cwd=SAMPLE)
    # Click words and quotes it as its version does.
    assert re.fullmatch(
        f"Error: No such option:? '?{words.rsplit(maxsplit=1)[-1]}'?\\.?", finished.misuse
    )
