"""Metrics other than ROUGE (``--add metric``): sacrebleu's, plug-ins, and objects from Python.

These metrics get texts as strings. A plug-in is a factory that a package registers as an entry
point of the group ``rouge_cli.metrics``. It is called with the settings of
``--add metric:NAME:KEY=VALUE`` as strings, and returns an `ExternalScorer`. Entry points are looked
up only for names that are not built in, and each metric is made once per process.

chrF, chrF++, BLEU and TER of single texts and BLEU of all texts have the values, scales and
signatures of sacrebleu. A text is one segment, whatever its sentences. As sacrebleu expects one
segment per line, newlines become blanks.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, ClassVar, Protocol

import numpy as np

from rouge_cli.errors import InputError, OptionError, RougeError, missing_package
from rouge_cli.metrics.arithmetic import Floats
from rouge_cli.metrics.counts import RPF, InstanceScores, PartKey, ScoredMetric
from rouge_cli.metrics.formulas import Metric
from rouge_cli.metrics.paired_texts import PairedTexts, Reading
from rouge_cli.metrics.sources import (
    FRAGMENT_STATISTICS,
    LARGEST_ORDER,
    NEWSROOM,
    NGRAM_STATISTICS,
    STATISTIC_RULES,
    SourceStatistic,
)
from rouge_cli.options.metrics import AlsoMetric, MetricOptions
from rouge_cli.options.scores import SINGLE_MEASURE, ScoreOptions
from rouge_cli.quick_dataclass import dataclass

ENTRY_POINTS = "rouge_cli.metrics"
# Placeholder in signatures for the number of references per text, such as ``2``, or ``var``.
N_REFERENCES = "{n_references}"
MEASURES = (RPF, (SINGLE_MEASURE,))
NEARLY_WHOLE = 1e-6  # a sum this close to a whole number was one before means were rounded
STEP = 0.01  # step of numeric derivatives, as a share of the sum
LONGEST_SHOWN = 40  # characters of a text that are shown in a message


class ExternalScorer(Protocol):
    """The protocol of metrics other than ROUGE.

    Optional attributes:

    - `scale`, a string such as ``"0-100"``: only scores of the same scale can be fused;
    - `is_lower_better`, a bool;
    - `statistics` and `pooled`, if the score of a system is not the mean over its texts.
      `statistics` is a tuple of names. For each of them, `score` returns one more row below the
      scores. `pooled` takes the list of these rows' sums over the texts of a system, and returns
      its score.
    """

    @property
    def name(self) -> str:
        """The name as printed, with the kind of average, as in ``chrf (mean of sentences)``."""

    @property
    def signature(self) -> str:
        """Everything that affects its scores, with the versions of the packages it uses."""

    @property
    def measures(self) -> tuple[str, ...]:
        """``("S",)`` for a single score; ``("R", "P", "F")`` for recall, precision and F."""

    def score(self, peers: Sequence[str], models: Sequence[Sequence[str]]) -> Any:
        """Score each peer against its models.

        The sentences of a text are separated by newlines. ROUGE's limits, stopwords and stems are
        not applied. Returns numbers of shape (n_measures, n), or (n,) for a single measure; with
        statistics, the shape is (1 + n_statistics, n).
        """


@dataclass(frozen=True, slots=True)
class ExternalMetrics(Metric):
    """All metrics that ``--add metric`` names."""

    choices: tuple[AlsoMetric, ...]
    reading: ClassVar[Reading] = Reading(raw=True)

    @classmethod
    def from_options(cls, options: MetricOptions) -> "ExternalMetrics | None":
        """Return the metrics of ``--add metric``, if any."""
        return cls(options.also) if options.also else None

    @property
    def columns(self) -> tuple[ScoredMetric, ...]:
        """Names, measures and scales; raises OptionError and RougeError."""
        return tuple(_column(choice, load_metric(choice)) for choice in self.choices)

    @property
    def signature(self) -> tuple[str, ...]:
        return tuple(f"{choice.name}[{load_metric(choice).signature}]" for choice in self.choices)

    def prepare(self) -> None:
        """Load all metrics; raises OptionError and RougeError."""
        names = [column.name for column in self.columns]
        for name in names:
            if names.count(name) > 1:
                raise OptionError(
                    f"--add metric: two metrics have the name {name!r}; name each only once"
                )

    def score(self, texts: PairedTexts, options: ScoreOptions) -> list[InstanceScores]:
        """Score each instance; if a metric fails, raises InputError with its name."""
        peers, models = texts.raw_texts()
        return [
            InstanceScores(_values(column, load_metric(choice), peers, models), None)
            for choice, column in zip(self.choices, self.columns, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class PooledScore:
    """A system's score in `metric`, computed from sums of statistics over its texts."""

    choice: AlsoMetric
    metric: str
    statistics: tuple[str, ...]

    @property
    def parts(self) -> tuple[PartKey, ...]:
        """The statistics of the metric."""
        return tuple((self.metric, statistic) for statistic in self.statistics)

    @property
    def definition(self) -> Mapping[str, Any]:
        """The metric with its settings, and the statistics."""
        return {"metric": str(self.choice), "statistics": list(self.statistics)}

    def score(self, means: Floats, n_evals: Any) -> Floats:
        """Return the score for each column of means; nan if there are no texts."""
        pooled = load_metric(self.choice).pooled  # type: ignore[attr-defined]
        sums = means * n_evals
        # Undo the rounding of means: sums of whole numbers are whole.
        whole = np.rint(sums)
        sums = np.where(np.abs(sums - whole) < NEARLY_WHOLE, whole, sums)
        scores = [
            np.nan if np.isnan(column).any() else pooled(column.tolist())
            for column in sums.reshape(len(sums), -1).T
        ]
        return np.array(scores, np.float64).reshape(sums.shape[1:])

    def slopes(self, means: Floats, n_evals: int) -> Floats:
        """Estimate the derivative of the score by each mean, using central differences.

        A step is a hundredth of the sum, but at least 1. No step takes a sum below 0.
        """
        sums = np.rint(means * n_evals)
        steps = np.diag(np.maximum(np.rint(np.abs(sums) * STEP), 1.0))
        up = (sums[:, np.newaxis] + steps) / n_evals
        down = np.maximum(sums[:, np.newaxis] - steps, 0.0) / n_evals
        rises = self.score(up, n_evals) - self.score(down, n_evals)
        slopes: Floats = rises / (up - down).diagonal()
        return slopes


def load_metric(choice: AlsoMetric) -> ExternalScorer:
    """Return a metric; each is made only once per process.

    Raises OptionError if the name is unknown or the metric does not accept the settings, and
    RougeError if it cannot be made.
    """
    if choice.given is not None:
        metric: ExternalScorer = choice.given
        return metric
    return _make(str(choice))


@lru_cache(maxsize=64)
def _make(written: str) -> ExternalScorer:
    choice = AlsoMetric(written)
    try:
        if (built_in := BUILT_IN.get(choice.name)) is not None:
            return built_in(choice.name, choice.settings)
        return _plug_in(choice.name)(**choice.settings)
    except RougeError:
        raise
    # Factories raise these for settings that they do not know or do not accept.
    except (TypeError, ValueError) as error:
        raise OptionError(f"--add metric:{written}: {error}") from error
    except Exception as error:
        raise RougeError(f"--add metric:{written}: failed: {described(error)}") from error


def _plug_in(name: str) -> Callable[..., ExternalScorer]:
    from importlib.metadata import entry_points

    plug_ins = entry_points(group=ENTRY_POINTS)
    named = [plug_in for plug_in in plug_ins if plug_in.name == name]
    if not named:
        known = ", ".join(sorted({*BUILT_IN, *(plug_in.name for plug_in in plug_ins)}))
        raise OptionError(f"--add metric: no metric {name!r}; known are: {known}")
    if len({plug_in.value for plug_in in named}) > 1:
        values = ", ".join(plug_in.value for plug_in in named)
        raise OptionError(
            f"--add metric: {name!r} is registered more than once: {values}; remove one"
        )
    try:
        factory: Callable[..., ExternalScorer] = named[0].load()
    except Exception as error:
        raise RougeError(
            f"--add metric:{name}: {named[0].value} cannot be loaded: {described(error)}"
        ) from error
    return factory


def _column(choice: AlsoMetric, metric: ExternalScorer) -> ScoredMetric:
    required = ("name", "signature", "measures", "score")
    statistics = tuple(getattr(metric, "statistics", ()))
    if missing := [attribute for attribute in required if not hasattr(metric, attribute)]:
        problem = f"the metric has no {', no '.join(missing)}"
    elif (measures := tuple(metric.measures)) not in MEASURES:
        problem = f"found the measures {measures!r}, expected ('S',) or ('R', 'P', 'F')"
    elif not metric.name.isprintable() or not metric.name.strip() or ":" in metric.name:
        problem = f"found {metric.name!r} as its name, expected one line without a colon"
    elif statistics and (len(measures) > 1 or not hasattr(metric, "pooled")):
        problem = "a metric with statistics needs the single measure S and a method pooled"
    else:
        return ScoredMetric(
            metric.name,
            measures,
            getattr(metric, "scale", None),
            bool(getattr(metric, "is_lower_better", False)),
            PooledScore(choice, metric.name, statistics) if statistics else None,
        )
    raise RougeError(f"--add metric:{choice}: {problem}")


def _values(
    column: ScoredMetric,
    metric: ExternalScorer,
    peers: Sequence[str],
    models: Sequence[Sequence[str]],
) -> Floats:
    """Compute and check scores and statistics, shape (n_rows, n_instances); raises InputError."""
    try:
        returned = np.asarray(metric.score(peers, models), np.float64)
    except (MemoryError, RougeError):
        raise
    except Exception as error:
        raise InputError(f"metric {column.name}: failed: {described(error)}") from error
    n_rows = len(column.rows)
    # A metric with a single measure may return its scores without the axis of rows.
    values = returned[np.newaxis] if returned.ndim == 1 and n_rows == 1 else returned
    expected = (n_rows, len(peers))
    if values.shape != expected:
        raise InputError(
            f"metric {column.name}: found scores of shape {returned.shape}, expected {expected}, "
            "or a score for each text"
        )
    if not np.isfinite(values).all():
        instance = int(np.flatnonzero(~np.isfinite(values).all(axis=0))[0])
        peer = peers[instance]
        beginning = repr(peer[:LONGEST_SHOWN]) + "..." * (len(peer) > LONGEST_SHOWN)
        raise InputError(
            f"metric {column.name}: found {values[:, instance].tolist()} for {beginning}, expected "
            "finite numbers"
        )
    return values


def described(error: Exception) -> str:
    """Return type and message of an exception, on one line."""
    message = " ".join(str(error).split())
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


SCALE = "0-100"
# Sacrebleu's other tokenizers would download data.
TOKENIZERS = ("13a", "intl", "char", "none", "zh", "ja-mecab", "ko-mecab")


# For each setting, a function that converts its value, and what values it accepts, for messages.
Setting = tuple[Callable[[str], Any], str]
Settings = Mapping[str, Setting]


def _whole(value: str) -> int:
    # `int` alone would also accept signs, blanks and underscores.
    if not value.isdecimal():
        raise ValueError
    return int(value)


def _one_of(*names: str) -> Setting:
    return dict(zip(names, names, strict=True)).__getitem__, f"one of {', '.join(names)}"


WHOLE: Setting = _whole, "a whole number"
SWITCH: Setting = {"yes": True, "no": False, "true": True, "false": False}.__getitem__, "yes or no"

CHRF: Settings = {
    **dict.fromkeys(("char_order", "word_order", "beta"), WHOLE),
    **dict.fromkeys(("lowercase", "whitespace", "eps_smoothing"), SWITCH),
}
BLEU: Settings = {
    "lowercase": SWITCH,
    "tokenize": _one_of(*TOKENIZERS),
    "smooth_method": _one_of("exp", "floor", "add-k", "none"),
    "smooth_value": (float, "a number"),
    "max_ngram_order": WHOLE,
    "effective_order": SWITCH,
}
TER: Settings = dict.fromkeys(("normalized", "no_punct", "asian_support", "case_sensitive"), SWITCH)


@dataclass(frozen=True, slots=True, eq=False)
class SacrebleuMetric:
    """A metric of sacrebleu; `scale` is None for TER, which has no upper bound."""

    name: str
    metric: Any
    scale: str | None = SCALE
    is_lower_better: bool = False
    measures: ClassVar[tuple[str, ...]] = (SINGLE_MEASURE,)

    @property
    def signature(self) -> str:
        """Sacrebleu's signature, with a placeholder for the number of references."""
        # Sacrebleu has no signature before it has scored a text and seen its references.
        self.metric.corpus_score(["a"], [["a"]])
        return str(self.metric.get_signature()).replace("nrefs:1|", f"nrefs:{N_REFERENCES}|", 1)

    def score(self, peers: Sequence[str], models: Sequence[Sequence[str]]) -> list[Any]:
        """Score each peer against its models."""
        return [scored.score for scored in _sentence_scores(self.metric, peers, models)]


@dataclass(frozen=True, slots=True, eq=False)
class CorpusBleu(SacrebleuMetric):
    """BLEU of a system, computed from the counts of n-grams in all its texts.

    `metric` scores the pooled counts. `text_metric` scores and counts single texts, with the same
    tokens and with effective order.
    """

    text_metric: Any = None

    @property
    def statistics(self) -> tuple[str, ...]:
        """The numbers of matches and of n-grams of each order, and the lengths of both texts."""
        orders = range(1, self.metric.max_ngram_order + 1)
        counts = (f"{count}-{n}" for count in ("correct", "total") for n in orders)
        return (*counts, "peer_length", "model_length")

    def score(self, peers: Sequence[str], models: Sequence[Sequence[str]]) -> list[Any]:
        """Return the BLEU score of each text by itself, and its statistics."""
        rows = (
            (bleu.score, *bleu.counts, *bleu.totals, bleu.sys_len, bleu.ref_len)
            for bleu in _sentence_scores(self.text_metric, peers, models)
        )
        return list(zip(*rows, strict=True))

    def pooled(self, sums: Sequence[float]) -> float:
        """Return the BLEU score for sums of the statistics over texts."""
        n_orders = self.metric.max_ngram_order
        whole = list(map(round, sums))
        return float(
            self.metric.compute_bleu(
                whole[:n_orders],
                whole[n_orders : 2 * n_orders],
                *whole[2 * n_orders :],
                smooth_method=self.metric.smooth_method,
                smooth_value=self.metric.smooth_value,
                effective_order=self.metric.effective_order,
                max_ngram_order=n_orders,
            ).score
        )


def _sentence_scores(
    metric: Any, peers: Sequence[str], models: Sequence[Sequence[str]]
) -> Iterator[Any]:
    def line(text: str) -> str:
        return text.replace("\n", " ")

    for peer, references in zip(peers, models, strict=True):
        yield metric.sentence_score(line(peer), list(map(line, references)))


def _settings(
    key: str, known: Settings, defaults: Mapping[str, Any], written: Mapping[str, str]
) -> dict[str, Any]:
    settings = dict(defaults)
    for name, value in written.items():
        if name not in known:
            names = ", ".join(known) or "none"
            raise OptionError(f"--add metric:{key}: no setting {name!r}; known are: {names}")
        convert, expected = known[name]
        try:
            settings[name] = convert(value)
        except (ValueError, KeyError):
            raise OptionError(
                f"--add metric:{key}: {name}: found {value!r}, expected {expected}"
            ) from None
    return settings


def _sacrebleu(key: str) -> Any:
    try:
        import sacrebleu
    except ImportError as error:
        remedy = "python -m pip install sacrebleu"
        raise RougeError(
            missing_package(error, f"--add metric:{key} needs sacrebleu", remedy)
        ) from None
    return sacrebleu


def _with_settings(key: str, written: Mapping[str, str]) -> str:
    settings = ",".join(f"{name}={value}" for name, value in written.items())
    return f"{key}[{settings}]" if settings else key


def _corpus_bleu(key: str, written: Mapping[str, str]) -> CorpusBleu:
    settings = _settings(key, BLEU, {}, written)
    bleu = _sacrebleu(key).BLEU
    text_metric = bleu(**{**settings, "effective_order": True})
    name = f"{_with_settings(key, written)} (of pooled counts)"
    return CorpusBleu(name, bleu(**settings), text_metric=text_metric)


def _mean_of_sentences(
    kind: str, known: Settings, defaults: Mapping[str, Any], key: str, written: Mapping[str, str]
) -> SacrebleuMetric:
    settings = _settings(key, known, defaults, written)
    metric = getattr(_sacrebleu(key), kind)(**settings)
    is_ter = kind == "TER"
    name = f"{_with_settings(key, written)} (mean of sentences)"
    return SacrebleuMetric(name, metric, None if is_ter else SCALE, is_ter)


def _source_statistic(key: str, written: Mapping[str, str]) -> SourceStatistic:
    is_of_ngrams = key in NGRAM_STATISTICS
    known = {"n": WHOLE, "rule": _one_of(*STATISTIC_RULES)} if is_of_ngrams else {}
    settings = _settings(key, known, {"n": 1, "rule": NEWSROOM}, written)
    order = settings["n"]
    if not 1 <= order <= LARGEST_ORDER:
        raise OptionError(f"--add metric:{key}: n: found {order}, expected 1 to {LARGEST_ORDER}")
    return SourceStatistic(key, settings["rule"], order if is_of_ngrams else 0)


BUILT_IN: Mapping[str, Callable[[str, Mapping[str, str]], ExternalScorer]] = {
    "chrf": partial(_mean_of_sentences, "CHRF", CHRF, {}),
    "chrf++": partial(_mean_of_sentences, "CHRF", CHRF, {"word_order": 2}),
    # For single texts sacrebleu advises effective order, which ignores orders without n-grams.
    "bleu": partial(_mean_of_sentences, "BLEU", BLEU, {"effective_order": True}),
    "corpus-bleu": _corpus_bleu,
    "ter": partial(_mean_of_sentences, "TER", TER, {}),
    # Statistics of summaries, with their sources as references.
    **dict.fromkeys((*FRAGMENT_STATISTICS, *NGRAM_STATISTICS), _source_statistic),
}
