"""Metrics other than ROUGE: sacrebleu's, plug-ins and objects, and messages about failures."""

import importlib
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from sacrebleu import metrics

import rouge_cli
from rouge_cli.errors import InputError, OptionError, RougeError
from rouge_cli.metrics import external
from rouge_cli.options.metrics import AlsoMetric
from tests.cli.running import SAMPLE, Run, json_of, write_files, write_records
from tests.plain.scores import draws

PEERS = ["The ferry ran aground.\nNobody was hurt.", "A comet came by.", "Nothing alike", "x"]
MODELS = [
    ["A ferry ran aground off the island.", "The ferry was stranded.\nNo one was hurt."],
    ["A bright comet passed the sun.", "The comet came by last night."],
    ["Something else altogether.", "Other words."],
    ["x", "y z"],
]
# sacrebleu gets texts on one line.
LINES = [peer.replace("\n", " ") for peer in PEERS]
LINES_OF_MODELS = [[model.replace("\n", " ") for model in of_peer] for of_peer in MODELS]


class Metric:
    """A metric as small as they get, with given scores of the peers."""

    signature = "v1"

    def __init__(
        self, scores: Callable[[Any, Any], Any], name: str = "own", measures: str = "S"
    ) -> None:
        self.score = scores
        self.name = name
        self.measures = tuple(measures)


def lengths(peers: Sequence[str], models: Sequence[Sequence[str]]) -> list[float]:
    """Return words of the peer by those of its longest model."""
    return [
        len(peer.split()) / max(len(model.split()) for model in of_peer)
        for peer, of_peer in zip(peers, models, strict=True)
    ]


@pytest.fixture(autouse=True)
def _records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = zip(PEERS, MODELS, strict=True)
    records = [{"prediction": peer, "references": models} for peer, models in pairs]
    write_records(tmp_path / "records.jsonl", records)
    monkeypatch.chdir(tmp_path)


def report_with(run: Run, metric: str, *more: str) -> tuple[dict[str, Any], str, dict[str, Any]]:
    """Return the JSON report with one metric alone, its name and its scores."""
    words = ("-x", "--add", f"metric:{metric}", "-d", *more, "records.jsonl")
    report: dict[str, Any] = json_of(run, *words)
    ((name, scores),) = report["systems"][0]["metrics"].items()
    return report, name, scores


@pytest.mark.parametrize(
    ("written", "kind", "settings"),
    [
        ("chrf", "CHRF", {}),
        ("chrf++", "CHRF", {"word_order": 2}),
        ("chrf:beta=3,lowercase=yes", "CHRF", {"beta": 3, "lowercase": True}),
        ("bleu", "BLEU", {"effective_order": True}),
        ("bleu:tokenize=intl,smooth_method=floor,smooth_value=0.2", "BLEU",
         {"effective_order": True, "tokenize": "intl", "smooth_method": "floor",
          "smooth_value": 0.2}),
        ("ter", "TER", {}),
    ],
)  # fmt: skip
def test_as_sacrebleu(written: str, kind: str, settings: dict[str, Any], run: Run) -> None:
    theirs = getattr(metrics, kind)(**settings)
    pairs = zip(LINES, LINES_OF_MODELS, strict=True)
    expected = [theirs.sentence_score(*pair).score for pair in pairs]
    report, name, scores = report_with(run, written, "-r", "0")
    assert name.endswith(" (mean of sentences)")
    assert scores["score"]["per_eval"] == expected
    assert scores.get("lower_is_better", False) is (kind == "TER")
    key = written.partition(":")[0]
    assert f"|{key}[{theirs.get_signature()}]|" in report["signature"]
    assert report["command"] is None


@pytest.mark.parametrize(
    ("written", "settings"),
    [
        ("corpus-bleu", {}),
        ("corpus-bleu:smooth_method=floor,smooth_value=0.1",
         {"smooth_method": "floor", "smooth_value": 0.1}),
        ("corpus-bleu:max_ngram_order=2,lowercase=yes", {"max_ngram_order": 2, "lowercase": True}),
    ],
)  # fmt: skip
def test_the_corpus_score_of_sacrebleu(written: str, settings: dict[str, Any], run: Run) -> None:
    theirs = metrics.BLEU(**settings)

    def corpus_score(drawn: Sequence[int]) -> float:
        models = [[LINES_OF_MODELS[k][place] for k in drawn] for place in range(2)]
        return float(theirs.corpus_score([LINES[k] for k in drawn], models).score)

    report, name, scores = report_with(run, written, "-r", "30")
    assert name.endswith(" (of pooled counts)")
    assert scores["score"]["mean"] == corpus_score(range(4))
    assert f"|corpus-bleu[{theirs.get_signature()}]|" in report["signature"]
    resampled = [corpus_score(draws(number, 4)) for number in range(30)]
    assert scores["score"]["bootstrap_mean"] == pytest.approx(sum(resampled) / 30, rel=1e-12)
    single = metrics.BLEU(**settings, effective_order=True)
    pairs = zip(LINES, LINES_OF_MODELS, strict=True)
    assert scores["score"]["per_eval"] == [single.sentence_score(*pair).score for pair in pairs]
    assert scores["score"]["standard_error"] is None


def test_the_corpus_score_everywhere(run: Run, tmp_path: Path) -> None:
    shutil.copytree(SAMPLE, tmp_path, dirs_exist_ok=True)
    given = ("-n", "1", "-x", "config.xml", "--add", "metric:corpus-bleu")
    direct = run("-a", *given, "--save", "s.jsonl", "--report", "json", "-d")
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


def test_the_number_of_references_varies(run: Run) -> None:
    for numbers, shown in (((2,), "2"), ((1,), "1"), ((3, 1), "var")):
        records = [{"prediction": "a", "references": ["a"] * number} for number in numbers]
        write_records(Path("records.jsonl"), records)
        report, _, _ = report_with(run, "chrf", "-r", "0")
        assert f"chrf[nrefs:{shown}|" in report["signature"]


@pytest.mark.parametrize("report", ["classic", "table", "json", "csv", "markdown", "latex"])
def test_in_every_report_and_saved(report: str, run: Run) -> None:
    options = ["-n", "1", "-x", "--add", "metric:chrf", "-r", "20", "records.jsonl"]
    more = ["--report", report, "-d"]
    direct = run(*options, *more)
    assert b"chrf (mean of sentences)" in direct.out
    assert run(*options, *more, "--jobs", "2").out == direct.out
    run(*options, "--save", "saved.jsonl")
    assert run(*more, "saved.jsonl").out == direct.out


def test_objects_from_python() -> None:
    thirds = Metric(lambda peers, _: [[k / 10] * len(peers) for k in (1, 2, 3)], "three", "RPF")
    results = rouge_cli.evaluate(
        PEERS, MODELS, max_ngram=1, lcs=False, add=[Metric(lengths), thirds], resamples=10
    )
    assert list(results.metric_names) == ["ROUGE-1", "own", "three"]
    # 7 words by 8; 4 by 6; 2 by 3; 1 by 2.
    expected = [7 / 8, 4 / 6, 2 / 3, 1 / 2]
    assert results["own"].measures["S"].per_eval.tolist() == expected
    assert results["three"].precision.mean == pytest.approx(0.2)
    assert "|own[v1]|three[v1]|" in results.signature
    with pytest.raises(ValueError, match=r"^own has no counts$"):
        _ = results["own"].counted
    alone = rouge_cli.evaluate(PEERS, MODELS, lcs=False, add=Metric(lengths), resamples=0)
    assert alone["own"].measures["S"].mean == sum(expected) / 4


def test_raw_texts_are_left_alone() -> None:
    seen: list[Any] = []

    def listen(peers: Any, models: Any) -> list[float]:
        seen.append((list(peers), [list(of_peer) for of_peer in models]))
        return [0.5] * len(peers)

    metric = Metric(listen)
    rouge_cli.evaluate(PEERS, MODELS, add=metric, stem=True, words=2, remove_stopwords=True)
    assert seen == [(PEERS, MODELS)]


def raising(error: Exception) -> Metric:
    def score(*_: object) -> None:
        raise error

    return Metric(score)


@pytest.mark.parametrize(
    ("added", "error", "message"),
    [
        # It is told as the metric says it.
        (raising(InputError("texts of one word")), InputError, "^texts of one word$"),
        (raising(LookupError("no such\nweights")), InputError,
         "metric own: failed: LookupError: no such weights"),
        (Metric(lambda peers, _: [0.5] * (len(peers) - 1)), InputError,
         r"metric own: found scores of shape \(3,\), expected \(1, 4\)"),
        (Metric(lambda *_: [0.5, float("nan"), 0.5, 0.5]), InputError,
         r"metric own: found \[nan\] for 'A comet came by.', expected finite"),
        (Metric(lambda peers, _: list(peers)), InputError, "metric own: failed: ValueError"),
        (Metric(lengths, measures="X"), RougeError, "found the measures"),
        (Metric(lengths, "a:b"), RougeError, "without a colon"),
        ([Metric(lengths), Metric(lengths)], OptionError, "two metrics are called 'own'"),
    ],
)  # fmt: skip
def test_metrics_that_fail(added: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        rouge_cli.evaluate(PEERS, MODELS, add=added)


def test_no_counts_to_pool() -> None:
    with pytest.raises(OptionError, match="no counts to pool"):
        rouge_cli.evaluate(PEERS, MODELS, add=Metric(lengths), counting=1)


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
ENTRY_POINTS = """length = small_metrics:Length
broken = small_metrics:Broken
bare = small_metrics:Bare
fails = small_metrics:fails
absent = small_metrics:absent
"""


def install(site: Path, package: str, entry_points: str) -> None:
    name = package.replace("-", "_")
    metadata = f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n"
    files = {"METADATA": metadata, "entry_points.txt": f"[rouge_cli.metrics]\n{entry_points}"}
    write_files(site / f"{name}-1.0.dist-info", files)
    importlib.invalidate_caches()


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install a package with metrics."""
    folder = tmp_path / "site"
    write_files(folder, {"small_metrics.py": PLUG_IN})
    monkeypatch.syspath_prepend(str(folder))
    install(folder, "small-metrics", ENTRY_POINTS)
    # A module of an earlier test has the same name.
    monkeypatch.delitem(sys.modules, "small_metrics", raising=False)
    external._make.cache_clear()
    return folder


@pytest.mark.usefixtures("site")
def test_plug_ins(run: Run) -> None:
    done = run("-x", "--add", "metric:length:unit=chars", "--report", "csv", "records.jsonl")
    assert b"length in chars" in done.out
    metric = external._column(AlsoMetric("length"), external.load_metric(AlsoMetric("length")))
    assert (metric.name, metric.scale) == ("length in words", "0-1")


@pytest.mark.usefixtures("site")
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
        ("bleu:tokenize=flores200", 2,
         "--add metric:bleu: tokenize: found 'flores200', expected one of"),
        ("bare", 3, "--add metric:bare: the metric has no signature, no score"),
    ],
)  # fmt: skip
def test_what_is_refused(written: str, code: int, message: str, run: Run) -> None:
    done = run("--add", f"metric:{written}", "records.jsonl")
    assert (done.code, done.out) == (code, b"")
    assert message in " ".join(done.err.split())


def test_a_plug_in_that_two_packages_have(site: Path, run: Run) -> None:
    install(site, "other-metrics", "length = other_metrics:Length\n")
    line = run("--add", "metric:length", "records.jsonl").misuse
    assert line.startswith("Error: --add metric: 'length' is registered more than once: ")
    assert "small_metrics:Length" in line
    assert "other_metrics:Length" in line
    assert line.endswith("; remove one")


def test_without_sacrebleu(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    external._make.cache_clear()
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    done = run("--add", "metric:chrf", "records.jsonl")
    external._make.cache_clear()
    needed = "needs sacrebleu, which is not installed: python -m pip install sacrebleu"
    assert needed in done.refusal
