"""``--add counted``: metrics with counts that another package provides."""

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

import rouge_cli
from rouge_cli import batches
from rouge_cli.errors import InputError, OptionError
from rouge_cli.metrics.metric import _loaded
from tests.cli.running import Run

PACKAGE = """
from rouge_cli.metrics.counts import PairCounts
from rouge_cli.metrics.formulas import CountedMetric
from rouge_cli.metrics.paired_texts import Reading


class Types(CountedMetric):
    reading = Reading()
    names = ("ROUGE-types",)
    signature = ("types",)

    def count_pair(self, pair):
        peer, model = set(pair.peer.tokens), set(pair.model.tokens)
        return [PairCounts(hit=len(peer & model), model_count=len(model), peer_count=len(peer))]


class Failing(Types):
    names = ("failing",)

    def count_pair(self, pair):
        return [1 / 0]


class Namesake(Types):
    names = ("ROUGE-1",)


class Colon(Types):
    names = ("a:b",)


class TooMany(Types):
    def count_pair(self, pair):
        return 2 * Types.count_pair(self, pair)


class Other:
    pass


def needs_an_argument(size):
    return Types()
"""
NAMES = {
    "types": "Types", "failing": "Failing", "namesake": "Namesake", "colon": "Colon",
    "too-many": "TooMany", "other": "Other", "argument": "needs_an_argument", "absent": "absent",
}  # fmt: skip
UNIGRAMS: dict[str, Any] = {"max_ngram": 1, "lcs": False, "resamples": 0}


def install(site: Path, package: str, names: dict[str, str]) -> None:
    info = site / f"{package.replace('-', '_')}-1.2.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.2\n")
    lines = (f"{name} = more_metrics:{value}\n" for name, value in names.items())
    (info / "entry_points.txt").write_text(f"[rouge_cli.counted_metrics]\n{''.join(lines)}")


@pytest.fixture(autouse=True)
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "site"
    install(folder, "more-metrics", NAMES)
    (folder / "more_metrics.py").write_text(PACKAGE)
    monkeypatch.syspath_prepend(str(folder))
    importlib.invalidate_caches()
    # A module of an earlier test has the same name.
    monkeypatch.delitem(sys.modules, "more_metrics", raising=False)
    _loaded.cache_clear()
    return folder


def test_scores() -> None:
    # Both have the and cat, of three different words each; ROUGE-1's precision has five words.
    results = rouge_cli.score(
        "the cat saw the cat", "the cat sat", add="counted:types", formula="A", **UNIGRAMS
    )
    types = results["ROUGE-types"]
    assert (types.recall.mean, types.precision.mean) == (0.66667, 0.66667)
    assert results["ROUGE-1"].precision.mean == 0.4
    assert results.metric_names == ("ROUGE-1", "ROUGE-types")
    assert "|n:1|types[more-metrics-1.2|types]|stem:no|" in results.signature


def test_several_models_and_pooled_counts() -> None:
    texts = ["a b", "c d"], [["a", "a c"], ["c d", "x"]]
    # Hits 1 + 1 of model words 1 + 2, and 2 + 0 of 2 + 1; the words of the peer count twice.
    added = rouge_cli.evaluate(*texts, add=["counted:types"], **UNIGRAMS)["ROUGE-types"]
    assert added.recall.per_eval.tolist() == [0.66667, 0.66667]
    assert added.precision.per_eval.tolist() == [0.5, 0.5]
    pooled = rouge_cli.evaluate(*texts, add=["counted:types"], counting=1, **UNIGRAMS)
    # Of all EVALs, 4 of 6.
    assert pooled["ROUGE-types"].recall.mean == 4 / 6


def test_on_the_command_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text('{"prediction": "a a b", "reference": "a c"}\n' * 40)
    words = ["-x", "--add", "counted:types", "-r", "0", "--report", "csv"]
    done = run("r.jsonl", *words, "--save", "s.jsonl", cwd=tmp_path)
    # One of two different words on each side.
    assert (done.code, done.err) == (0, "")
    assert b"\nr,ROUGE-types,recall,,40,0.5," in done.out
    assert run("r.jsonl", *words, "--jobs", "2", cwd=tmp_path).out == done.out
    assert run("s.jsonl", "--report", "csv", cwd=tmp_path).out == done.out
    unmet = run("r.jsonl", *words, "--require", "ROUGE-types:F>=0.6", cwd=tmp_path)
    assert unmet.err == "Failed: r ROUGE-types F: 0.50000, required >= 0.6\n"
    explained = run("explain", "r.jsonl", *words[:3], "--eval", "1", cwd=tmp_path)
    assert b"ROUGE-types\n" in explained.out


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("type", r"add counted: found 'type', expected a metric of an installed package; known"),
        (
            "absent",
            r"add counted:absent: more_metrics:absent of more-metrics-1.2 failed: A",
        ),
        ("argument", r"add counted:argument: .* failed: TypeError"),
        ("other", r"add counted:other: .* makes .*, expected a metric on the base of rouge_cli"),
        ("colon", r"add counted:colon: found 'a:b' as the name of a metric, expected one line"),
        ("namesake", r"two metrics are called 'ROUGE-1'; leave one out, or give numbers from"),
        ("a b", r"add counted: found 'a b', expected the name of a metric"),
    ],
)
def test_refused(name: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        rouge_cli.evaluate(["a", "b"], ["a", "b"], add=f"counted:{name}", **UNIGRAMS)


@pytest.mark.parametrize("predictions", [["a"], ["a", "b"]])
def test_failures(predictions: list[str]) -> None:
    with pytest.raises(InputError, match="add counted:failing: failed: ZeroDivisionError: "):
        rouge_cli.evaluate(predictions, predictions, add="counted:failing", **UNIGRAMS)
    with pytest.raises(InputError, match="add counted:too-many: failed: ValueError"):
        rouge_cli.evaluate(predictions, predictions, add="counted:too-many", **UNIGRAMS)


def test_several_packages(site: Path) -> None:
    install(site, "rival-metrics", {"types": "Types"})
    importlib.invalidate_caches()
    message = "several packages have it: more-metrics-1.2 and rival-metrics-1.2"
    with pytest.raises(OptionError, match=message):
        rouge_cli.score("a", "a", add="counted:types")


def test_batches() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    schema = pyarrow.schema(
        [(name, pyarrow.string()) for name in ("id", "prediction", "reference")]
    )
    plan = batches.plan(schema, id="id", add="counted:types", lcs=False)
    rows = {"id": ["1"], "prediction": ["a a b"], "reference": ["a c"]}
    counted = plan.count(pyarrow.RecordBatch.from_pydict(rows, schema))
    assert counted.column("ROUGE-types/R").to_pylist() == [0.5]
    with pytest.raises(OptionError, match="two metrics are called 'ROUGE-1'"):
        batches.plan(schema, id="id", add="counted:namesake", max_ngram=1)
