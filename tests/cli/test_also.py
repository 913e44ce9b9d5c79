"""Metrics beside ROUGE: sacrebleu's, plug-ins, objects; and what is said of those that fail."""

import importlib
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import rouge_cli
from rouge_cli.errors import InputError, OptionError, RougeError
from rouge_cli.metrics import external
from rouge_cli.options.metrics import AlsoMetric
from tests.cli.running import SAMPLE, Run
from tests.plain.scores import draws

PEERS = ["The ferry ran aground.\nNobody was hurt.", "A comet came by.", "Nothing alike", "x"]
MODELS = [
    ["A ferry ran aground off the island.", "The ferry was stranded.\nNo one was hurt."],
    ["A bright comet passed the sun.", "The comet came by last night."],
    ["Something else altogether.", "Other words."],
    ["x", "y z"],
]


class Length:
    """A metric as small as they get: words of the peer by those of its longest model."""

    name = "length"
    signature = "v1"
    measures: tuple[str, ...] = ("S",)

    def score(self, peers: Sequence[str], models: Sequence[Sequence[str]]) -> Any:
        return [
            len(peer.split()) / max(len(model.split()) for model in of_peer)
            for peer, of_peer in zip(peers, models, strict=True)
        ]


class Three(Length):
    name = "three"
    measures = ("R", "P", "F")

    def score(self, peers: Sequence[str], models: Sequence[Sequence[str]]) -> Any:
        return [[0.1] * len(peers), [0.2] * len(peers), [0.3] * len(peers)]


def lines_of(folder: Path) -> list[str]:
    with (folder / "records.jsonl").open("w", encoding="utf-8") as file:
        for peer, models in zip(PEERS, MODELS, strict=True):
            file.write(json.dumps({"prediction": peer, "references": models}) + "\n")
    return ["-r", "0", "-d", "--report", "json", "records.jsonl"]


SACREBLEU: list[tuple[str, str, dict[str, Any]]] = [
    ("chrf", "CHRF", {}),
    ("chrf++", "CHRF", {"word_order": 2}),
    ("chrf:beta=3,lowercase=yes", "CHRF", {"beta": 3, "lowercase": True}),
    ("bleu", "BLEU", {"effective_order": True}),
    ("bleu:tokenize=intl,smooth_method=floor,smooth_value=0.2", "BLEU",
     {"effective_order": True, "tokenize": "intl", "smooth_method": "floor", "smooth_value": 0.2}),
    ("ter", "TER", {}),
]  # fmt: skip


@pytest.mark.parametrize(("written", "kind", "settings"), SACREBLEU)
def test_as_sacrebleu(
    written: str, kind: str, settings: dict[str, Any], run: Run, tmp_path: Path
) -> None:
    metrics = pytest.importorskip("sacrebleu.metrics", reason="sacrebleu is not installed")
    theirs = getattr(metrics, kind)(**settings)
    expected = [
        theirs.sentence_score(peer.replace("\n", " "), [one.replace("\n", " ") for one in of_peer])
        for peer, of_peer in zip(PEERS, MODELS, strict=True)
    ]
    done = run("-x", "--add", f"metric:{written}", *lines_of(tmp_path), cwd=tmp_path)
    assert done.code == 0, done.err
    report = json.loads(done.out)
    ((name, scores),) = report["systems"][0]["metrics"].items()
    assert name.endswith(" (mean of sentences)")
    assert scores["score"]["per_eval"] == [one.score for one in expected]
    assert scores.get("lower_is_better", False) is (kind == "TER")
    key = written.partition(":")[0]
    assert f"|{key}[{theirs.get_signature()}]|" in report["signature"]
    assert report["command"] is None


@pytest.mark.parametrize(
    ("written", "settings"),
    [
        ("corpus-bleu", {}),
        (
            "corpus-bleu:smooth_method=floor,smooth_value=0.1",
            {"smooth_method": "floor", "smooth_value": 0.1},
        ),
        ("corpus-bleu:max_ngram_order=2,lowercase=yes", {"max_ngram_order": 2, "lowercase": True}),
    ],
)
def test_the_corpus_score_of_sacrebleu(
    written: str, settings: dict[str, Any], run: Run, tmp_path: Path
) -> None:
    metrics = pytest.importorskip("sacrebleu.metrics", reason="sacrebleu is not installed")
    theirs = metrics.BLEU(**settings)
    peers = [one.replace("\n", " ") for one in PEERS]
    models = [[of[k].replace("\n", " ") for of in MODELS] for k in range(2)]
    given = ("-x", "--add", f"metric:{written}", *lines_of(tmp_path), "-r", "30", "-d")
    report = json.loads(run(*given, cwd=tmp_path).out)
    ((name, scores),) = report["systems"][0]["metrics"].items()
    assert name.endswith(" (of pooled counts)")
    assert scores["score"]["mean"] == theirs.corpus_score(peers, models).score
    assert f"|corpus-bleu[{theirs.get_signature()}]|" in report["signature"]
    resampled = [
        theirs.corpus_score([peers[k] for k in drawn], [[of[k] for k in drawn] for of in models])
        for drawn in (draws(number, 4) for number in range(30))
    ]
    expected = sum(one.score for one in resampled) / 30
    assert scores["score"]["bootstrap_mean"] == pytest.approx(expected, rel=1e-12)
    single = metrics.BLEU(**settings, effective_order=True)
    assert scores["score"]["per_eval"] == [
        single.sentence_score(peer, [of[k] for of in models]).score for k, peer in enumerate(peers)
    ]
    assert scores["score"]["standard_error"] is None


def test_the_corpus_score_everywhere(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("sacrebleu.metrics", reason="sacrebleu is not installed")
    shutil.copytree(SAMPLE, tmp_path, dirs_exist_ok=True)
    given = ("-n", "1", "-x", "config.xml", "--add", "metric:corpus-bleu")
    direct = run("-a", *given, "--save", "s.jsonl", "--report", "json", "-d", cwd=tmp_path)
    run("-a", *given, "--save", "s.parquet", "--report", "json=r.json", "-d")
    compare = ("compare", "-r", "50")
    for path in ("s.jsonl", "s.parquet"):
        assert run(path, "--report", "json", "-d").out == direct.out
        assert run(*compare, path).out == run(*compare, *given).out
    judgements = ("-r", "50", "--judgements", "judgements.csv")
    assert run("correlate", "s.jsonl", *judgements).out == run("correlate", *given, *judgements).out
    assert "no report has; save the scores with --save" in run("r.json").err
    refused = run("-a", *given, "--jackknife")
    assert "--jackknife averages scores, and corpus-bleu (of pooled counts) is" in refused.misuse
    fused = run("-a", *given, "--add", "metric:bleu", "--fuse", "G=mean(bleu,corpus-bleu)")
    assert "corpus-bleu (of pooled counts) is not a mean over texts" in fused.err


def test_the_number_of_references_varies(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("sacrebleu", reason="sacrebleu is not installed")
    for references, shown in ((["a", "b"], "2"), (["a"], "1"), (["a", "b", "c"], "var")):
        lines = [{"prediction": "a", "references": references}]
        if shown == "var":
            lines.append({"prediction": "a", "references": ["a"]})
        text = "".join(json.dumps(one) + "\n" for one in lines)
        (tmp_path / "r.jsonl").write_text(text)
        options = ["-x", "--add", "metric:chrf", "-r", "0", "--report", "json", "r.jsonl"]
        assert f"chrf[nrefs:{shown}|" in json.loads(run(*options, cwd=tmp_path).out)["signature"]


def test_in_every_report_and_saved(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("sacrebleu", reason="sacrebleu is not installed")
    lines_of(tmp_path)
    options = ["-n", "1", "-x", "--add", "metric:chrf", "-r", "20"]
    for report in ("classic", "table", "json", "csv", "markdown", "latex"):
        more = ["--report", report, "-d"]
        direct = run(*options, *more, "records.jsonl", cwd=tmp_path)
        assert direct.code == 0, direct.err
        assert b"chrf (mean of sentences)" in direct.out
        assert run(*options, *more, "--jobs", "2", "records.jsonl").out == direct.out
        run(*options, "--save", "saved.jsonl", "records.jsonl", cwd=tmp_path)
        assert run(*more, "saved.jsonl", cwd=tmp_path).out == direct.out
    met = run(*options, "--require", "chrf (mean of sentences):S>=1", "records.jsonl")
    unmet = run(*options, "--require", "chrf (mean of sentences):S>=99", "records.jsonl")
    assert (met.code, unmet.code) == (0, 1)


def test_objects_from_python() -> None:
    results = rouge_cli.evaluate(
        PEERS, MODELS, max_ngram=1, lcs=False, add=[Length(), Three()], resamples=10
    )
    assert list(results.metric_names) == ["ROUGE-1", "length", "three"]
    # 7 words by 8; 4 by 6; 2 by 3; 1 by 2.
    expected = [7 / 8, 4 / 6, 2 / 3, 1 / 2]
    assert results["length"].measures["S"].per_eval.tolist() == expected
    assert results["three"].precision.mean == pytest.approx(0.2)
    assert "|length[v1]|three[v1]|" in results.signature
    with pytest.raises(ValueError, match=r"^length has no counts$"):
        _ = results["length"].counted
    alone = rouge_cli.evaluate(PEERS, MODELS, lcs=False, add=Length(), resamples=0)
    assert alone["length"].measures["S"].mean == sum(expected) / 4


def test_raw_texts_are_left_alone() -> None:
    seen: list[Any] = []

    class Listener(Length):
        def score(self, peers: Sequence[str], models: Sequence[Sequence[str]]) -> Any:
            seen.append((list(peers), [list(one) for one in models]))
            return super().score(peers, models)

    rouge_cli.evaluate(PEERS, MODELS, add=Listener(), stem=True, words=2, remove_stopwords=True)
    assert seen == [(PEERS, MODELS)]


class TooFew(Length):
    def score(self, peers: Sequence[str], models: Sequence[Sequence[str]]) -> Any:
        return [0.5] * (len(peers) - 1)


class NoNumber(Length):
    def score(self, peers: Sequence[str], models: Sequence[Sequence[str]]) -> Any:
        return [0.5, float("nan"), *[0.5] * (len(peers) - 2)]


class Raises(Length):
    def score(self, peers: Sequence[str], models: Sequence[Sequence[str]]) -> Any:
        raise LookupError("no such\nweights")


class Words(Length):
    def score(self, peers: Sequence[str], models: Sequence[Sequence[str]]) -> Any:
        return list(peers)


class Refuses(Length):
    def score(self, peers: Sequence[str], models: Sequence[Sequence[str]]) -> Any:
        raise InputError("texts of one word; expected more")


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        # It is told as the metric says it.
        (Refuses(), "^texts of one word; expected more$"),
        (TooFew(), r"metric length: found scores of shape \(3,\), expected \(1, 4\)"),
        (NoNumber(), r"metric length: found \[nan\] for 'A comet came by.', expected finite"),
        (Raises(), "metric length: failed: LookupError: no such weights"),
        (Words(), "metric length: failed: ValueError"),
    ],
)
def test_metrics_that_fail(metric: Length, message: str) -> None:
    with pytest.raises(InputError, match=message):
        rouge_cli.evaluate(PEERS, MODELS, add=metric)


def test_metrics_that_are_none() -> None:
    class NoMeasures(Length):
        measures = ("X",)

    class Colon(Length):
        name = "a:b"

    for metric, message in ((NoMeasures(), "found the measures"), (Colon(), "without a colon")):
        with pytest.raises(RougeError, match=message):
            rouge_cli.evaluate(PEERS, MODELS, add=metric)
    with pytest.raises(OptionError, match="two metrics are called 'length'"):
        rouge_cli.evaluate(PEERS, MODELS, add=[Length(), Length()])
    with pytest.raises(OptionError, match="no counts to pool"):
        rouge_cli.evaluate(PEERS, MODELS, add=Length(), counting=1)


PLUG_IN = """
class Length:
    signature = "v1"
    measures = ("S",)
    scale = "0-1"

    def __init__(self, unit="words"):
        if unit not in ("words", "chars"):
            raise ValueError(f"unit: found {unit!r}, expected words or chars")
        self.name = f"length in {unit}"
        self.split = str.split if unit == "words" else list

    def score(self, peers, models):
        return [len(self.split(p)) / 10 for p in peers]


class Broken:
    name, signature, measures = "broken", "v1", ("S",)

    def score(self, peers, models):
        return [0.0]


class Bare:
    name, measures = "bare", ("S",)


def fails():
    raise OSError("no weights here")
"""
ENTRY_POINTS = """[rouge_cli.metrics]
length = small_metrics:Length
broken = small_metrics:Broken
bare = small_metrics:Bare
fails = small_metrics:fails
absent = small_metrics:absent
"""


@pytest.fixture
def plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install a package with metrics, and return a folder with records."""
    site = tmp_path / "site"
    info = site / "small_metrics-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "small_metrics.py").write_text(PLUG_IN)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: small-metrics\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(str(site))
    importlib.invalidate_caches()
    # A module of an earlier test has the same name.
    monkeypatch.delitem(sys.modules, "small_metrics", raising=False)
    external._make.cache_clear()
    lines_of(tmp_path)
    return tmp_path


def test_plug_ins(plug_in: Path, run: Run) -> None:
    words = ["-x", "--add", "metric:length:unit=chars", "-r", "0", "--report", "csv"]
    done = run(*words, "records.jsonl", cwd=plug_in)
    assert done.code == 0, done.err
    assert b"length in chars" in done.out
    (metric,) = [external._column(one, external.load_metric(one)) for one in [AlsoMetric("length")]]
    assert (metric.name, metric.scale) == ("length in words", "0-1")


@pytest.mark.parametrize(
    ("written", "code", "message"),
    [
        ("length:unit=feet", 2,
         "--add metric:length:unit=feet: unit: found 'feet', expected words or"),
        ("length:size=3", 2, "unexpected keyword argument 'size'"),
        ("none", 2,
         "--add metric: no metric 'none'; known are: absent, bare, bleu, broken, chrf, ch"),
        ("broken", 3, "metric broken: found scores of shape (1,), expected (1, 4)"),
        ("fails", 3, "--add metric:fails: failed: OSError: no weights here"),
        ("absent", 3, "--add metric:absent: small_metrics:absent cannot be loaded: AttributeError"),
        ("chrf:alpha=3", 2,
         "--add metric:chrf: no setting 'alpha'; known are: char_order, word_order"),
        ("chrf:beta=x", 2, "--add metric:chrf: beta: found 'x', expected a whole number"),
        ("bare", 3, "--add metric:bare: the metric has no signature, no score"),
        ("chrf:lowercase=maybe", 2,
         "--add metric:chrf: lowercase: found 'maybe', expected yes or no"),
        ("bleu:smooth_value=x", 2, "--add metric:bleu: smooth_value: found 'x', expected a number"),
        ("bleu:smooth_method=much", 2,
         "--add metric:bleu: smooth_method: found 'much', expected one of exp, floor, add-k, none"),
        ("bleu:tokenize=flores200", 2,
         "--add metric:bleu: tokenize: found 'flores200', expected one of"),
    ],
)  # fmt: skip
def test_what_is_refused(written: str, code: int, message: str, plug_in: Path, run: Run) -> None:
    done = run("--add", f"metric:{written}", "records.jsonl", cwd=plug_in)
    assert (done.code, done.out) == (code, b"")
    assert message in " ".join(done.err.split())


def test_a_plug_in_that_two_packages_have(plug_in: Path, run: Run) -> None:
    info = plug_in / "site" / "other_metrics-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other-metrics\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[rouge_cli.metrics]\nlength = other_metrics:Length\n")
    importlib.invalidate_caches()
    done = run("--add", "metric:length", "records.jsonl", cwd=plug_in)
    assert (done.code, done.out) == (2, b"")
    (line,) = done.error_lines
    assert line.startswith("Error: --add metric: 'length' is registered more than once: ")
    assert "small_metrics:Length" in line
    assert "other_metrics:Length" in line
    assert line.endswith("; remove one")


def test_texts_that_are_no_strings(tmp_path: Path, plug_in: Path, run: Run) -> None:
    (tmp_path / "peer").write_bytes(b"caf\xe9 noir\n")
    (tmp_path / "model").write_bytes(b"cafe noir\n")
    (tmp_path / "list").write_text("peer model\n")
    assert run("-n1", "-z", "SPL", "list", "X", cwd=tmp_path).code == 0
    done = run("-n1", "--add", "metric:length", "-z", "SPL", "list", "X", cwd=tmp_path)
    assert "peer: not UTF-8, which --add metric and --protocol need" in done.refusal


def test_without_sacrebleu(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    external._make.cache_clear()
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    done = run("--add", "metric:chrf", *lines_of(tmp_path), cwd=tmp_path)
    external._make.cache_clear()
    assert (done.code, done.out) == (3, b"")
    assert "needs sacrebleu, which is not installed: python -m pip install sacrebleu" in (
        " ".join(done.err.split())
    )
