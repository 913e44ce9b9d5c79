"""Other metrics than ROUGE (``--also``): those of sacrebleu, plug-ins, and objects from Python.

They get texts as strings. A plug-in is a factory that a package registers as an entry point of the
group ``rouge_cli.metrics``. It is called with the settings of ``--also NAME:KEY=VALUE``, all of
them strings, and returns an `AlsoScorer`. Entry points are looked up only for names that are not
built in, and each metric is made once in a process.

chrF, chrF++, BLEU and TER, text by text, and BLEU of all texts are sacrebleu's: its values, scales
and signatures. A text is one segment, whatever its sentences: sacrebleu reads a segment a line, so
newlines become blanks.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, OptionError, RougeError, missing_package
from rouge_cli.metrics.counts import RPF, InstanceScores, PartKey, ScoredMetric
from rouge_cli.metrics.formulas import Metric
from rouge_cli.metrics.paired_texts import PairedTexts, Reading
from rouge_cli.options.metrics import AlsoMetric, MetricOptions
from rouge_cli.options.scores import SINGLE_MEASURE, ScoreOptions
from rouge_cli.quick_dataclass import dataclass

ENTRY_POINTS = "rouge_cli.metrics"
N_REFERENCES = "{n_references}"
"""Placeholder in a signature for the number of references of each text: ``2``, or ``var``."""

MEASURES = (RPF, (SINGLE_MEASURE,))
NEARLY_WHOLE, STEP = 1e-6, 0.01


class AlsoScorer(Protocol):
    """The protocol of other metrics than ROUGE.

    Optional attributes:

    - `scale`, a string such as ``"0-100"``: only scores of one scale can be fused;
    - `is_lower_better`, a bool;
    - `statistics`, names, and `pooled`, if the score of a system is not a mean over texts: `score`
      then returns, below the row of scores, a row for each statistic, and `pooled` turns the list
      of their sums over the texts of a system into its score.
    """

    @property
    def name(self) -> str:
        """As printed, with the meaning of a system's number: ``chrf (mean of sentences)``."""
        ...

    @property
    def signature(self) -> str:
        """Everything that changes its scores, with the versions of the packages it uses."""
        ...

    @property
    def measures(self) -> tuple[str, ...]:
        """``("S",)`` for a single score; ``("R", "P", "F")`` for recall, precision and F."""
        ...

    def score(self, peers: Sequence[str], models: Sequence[Sequence[str]]) -> Any:
        """Score each peer against its models.

        Parameters
        ----------
        peers : sequence of str, length n
            With a newline between the sentences of a text. ROUGE's limits, stopwords and stems
            are not applied.
        models : sequence of sequences of str, length n

        Returns
        -------
        array_like of float, shape (n_measures, n) or, of a single measure, (n,)
            With statistics (1 + n_statistics, n).
        """
        ...


@dataclass(frozen=True, slots=True)
class AlsoMetrics(Metric):
    """All metrics that ``--also`` asks for."""

    choices: tuple[AlsoMetric, ...]
    reading: ClassVar[Reading] = Reading(raw=True)

    @classmethod
    def asked_for(cls, options: MetricOptions) -> "AlsoMetrics | None":
        """Return the metrics if the options ask for them."""
        return cls(options.also) if options.also else None

    @property
    def columns(self) -> tuple[ScoredMetric, ...]:
        """Names, measures and scales; raises OptionError and RougeError."""
        return tuple(_column(choice, load_metric(choice)) for choice in self.choices)

    @property
    def signature(self) -> tuple[str, ...]:
        """The name and signature of each."""
        return tuple(f"{choice.key}[{load_metric(choice).signature}]" for choice in self.choices)

    def prepare(self) -> None:
        """Load all of them; raises OptionError and RougeError."""
        names = [column.name for column in self.columns]
        for name in names:
            if names.count(name) > 1:
                raise OptionError(f"--also: two metrics are called {name!r}; ask for each once")

    def score(self, texts: PairedTexts, options: ScoreOptions) -> list[InstanceScores]:
        """Score each instance; raises InputError that names a metric which fails."""
        peers, models = texts.raw_texts()
        return [
            InstanceScores(_values(column, load_metric(choice), peers, models), None)
            for choice, column in zip(self.choices, self.columns, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class PooledScore:
    """The score of a system in `metric`, from sums of statistics over its texts."""

    choice: AlsoMetric
    metric: str
    statistics: tuple[str, ...]

    @property
    def parts(self) -> tuple[PartKey, ...]:
        """The statistics of the metric itself."""
        return tuple((self.metric, statistic) for statistic in self.statistics)

    @property
    def definition(self) -> Mapping[str, Any]:
        """The metric with its settings, and the statistics."""
        return {"metric": str(self.choice), "statistics": list(self.statistics)}

    def score(self, means: NDArray[np.float64], n_evals: Any) -> NDArray[np.float64]:
        """Return the score of each column of means; nan where there is no text."""
        pooled = load_metric(self.choice).pooled  # type: ignore[attr-defined]
        sums = means * n_evals
        # Sums of whole numbers are whole; the way over the means has rounded them.
        whole = np.rint(sums)
        sums = np.where(np.abs(sums - whole) < NEARLY_WHOLE, whole, sums)
        scores = [
            np.nan if np.isnan(column).any() else pooled(column.tolist())
            for column in sums.reshape(len(sums), -1).T
        ]
        return np.array(scores, np.float64).reshape(sums.shape[1:])

    def slopes(self, means: NDArray[np.float64], n_evals: int) -> NDArray[np.float64]:
        """Return the slope of the score by each mean, from a step up and a step down.

        A step is a hundredth of the sum, and at least 1; no sum falls below 0.
        """
        sums = np.rint(means * n_evals)
        steps = np.diag(np.maximum(np.rint(np.abs(sums) * STEP), 1.0))
        up = (sums[:, np.newaxis] + steps) / n_evals
        down = np.maximum(sums[:, np.newaxis] - steps, 0.0) / n_evals
        slopes: NDArray[np.float64] = (self.score(up, n_evals) - self.score(down, n_evals)) / (
            up - down
        ).diagonal()
        return slopes


def load_metric(choice: AlsoMetric) -> AlsoScorer:
    """Return a metric, which is made once in a process.

    Raises OptionError if the name is unknown or the metric does not take the settings, RougeError
    if the metric cannot be made.
    """
    if choice.given is not None:
        metric: AlsoScorer = choice.given
        return metric
    return _made(str(choice))


@lru_cache(maxsize=64)
def _made(written: str) -> AlsoScorer:
    """Make a metric."""
    choice = AlsoMetric(written)
    factory = BUILT_IN.get(choice.key) or _plug_in(choice.key)
    try:
        return factory(**choice.settings)
    except RougeError:
        raise
    except (TypeError, ValueError) as error:
        raise OptionError(f"--also {written}: {error}") from error
    except Exception as error:
        raise RougeError(f"--also {written}: cannot be made: {_described(error)}") from error


def _plug_in(name: str) -> Callable[..., AlsoScorer]:
    """Return the factory that an installed package registers under a name."""
    from importlib.metadata import entry_points

    plug_ins = entry_points(group=ENTRY_POINTS)
    named = [plug_in for plug_in in plug_ins if plug_in.name == name]
    if not named:
        known = ", ".join(sorted({*BUILT_IN, *(plug_in.name for plug_in in plug_ins)}))
        raise OptionError(f"--also: no metric {name!r}; known are: {known}")
    if len({plug_in.value for plug_in in named}) > 1:
        values = ", ".join(plug_in.value for plug_in in named)
        raise OptionError(f"--also: {name!r} is registered more than once: {values}; remove one")
    try:
        factory: Callable[..., AlsoScorer] = named[0].load()
    except Exception as error:
        raise RougeError(
            f"--also {name}: {named[0].value} cannot be loaded: {_described(error)}"
        ) from error
    return factory


def _column(choice: AlsoMetric, metric: AlsoScorer) -> ScoredMetric:
    """Return a metric as the score table knows it; raises RougeError if it lacks anything."""
    required = ("name", "signature", "measures", "score")
    missing = [attribute for attribute in required if not hasattr(metric, attribute)]
    if missing:
        raise RougeError(f"--also {choice}: the metric has no {', no '.join(missing)}")
    measures = tuple(metric.measures)
    if measures not in MEASURES:
        raise RougeError(
            f"--also {choice}: found the measures {measures!r}, expected ('S',) or ('R', 'P', 'F')"
        )
    if not metric.name.isprintable() or not metric.name.strip() or ":" in metric.name:
        raise RougeError(
            f"--also {choice}: found {metric.name!r} as its name, expected one line without a colon"
        )
    statistics = tuple(getattr(metric, "statistics", ()))
    if statistics and (len(measures) > 1 or not hasattr(metric, "pooled")):
        raise RougeError(
            f"--also {choice}: a metric with statistics has the one measure S, and a method pooled"
        )
    return ScoredMetric(
        metric.name,
        measures,
        getattr(metric, "scale", None),
        bool(getattr(metric, "is_lower_better", False)),
        PooledScore(choice, metric.name, statistics) if statistics else None,
    )


def _values(
    column: ScoredMetric, metric: AlsoScorer, peers: Sequence[str], models: Sequence[Sequence[str]]
) -> NDArray[np.float64]:
    """Return scores and statistics, shape (n_rows, n_instances); raises InputError."""
    try:
        returned = np.asarray(metric.score(peers, models), np.float64)
    except (MemoryError, RougeError):
        raise
    except Exception as error:
        raise InputError(f"metric {column.name}: failed: {_described(error)}") from error
    n_rows = len(column.measures) + column.n_statistics
    values = returned[np.newaxis] if returned.ndim == 1 and n_rows == 1 else returned
    expected = (n_rows, len(peers))
    if values.shape != expected:
        raise InputError(
            f"metric {column.name}: found scores of shape {returned.shape}, expected {expected}, "
            "or a score for each text"
        )
    if not np.isfinite(values).all():
        instance = int(np.flatnonzero(~np.isfinite(values).all(axis=0))[0])
        raise InputError(
            f"metric {column.name}: found {values[:, instance].tolist()} for "
            f"{_beginning(peers[instance])}, expected finite numbers"
        )
    return values


LONGEST_SHOWN = 40


def _beginning(text: str) -> str:
    """Return the beginning of a text, for a message."""
    short = text[:LONGEST_SHOWN]
    return repr(short) + ("..." if len(text) > len(short) else "")


def _described(error: Exception) -> str:
    """Return type and message of an exception, in one line."""
    message = " ".join(str(error).split())
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


SCALE = "0-100"
SWITCH = {"yes": True, "no": False, "true": True, "false": False}
TOKENIZERS = ("13a", "intl", "char", "none", "zh", "ja-mecab", "ko-mecab")
"""Tokenizers of sacrebleu that download nothing."""


def _switch(value: str) -> bool:
    """Read yes or no."""
    if value not in SWITCH:
        raise ValueError("yes or no")
    return SWITCH[value]


def _whole(value: str) -> int:
    """Read a whole number that is not negative."""
    if not value.isdecimal():
        raise ValueError("a whole number")
    return int(value)


def _real(value: str) -> float:
    """Read a number."""
    try:
        return float(value)
    except ValueError:
        raise ValueError("a number") from None


def _one_of(*names: str) -> Callable[[str], str]:
    """Return what reads one of some names."""

    def read(value: str) -> str:
        if value not in names:
            raise ValueError(f"one of {', '.join(names)}")
        return value

    return read


Settings = Mapping[str, Callable[[str], Any]]

CHRF: Settings = {
    "char_order": _whole,
    "word_order": _whole,
    "beta": _whole,
    "lowercase": _switch,
    "whitespace": _switch,
    "eps_smoothing": _switch,
}
BLEU: Settings = {
    "lowercase": _switch,
    "tokenize": _one_of(*TOKENIZERS),
    "smooth_method": _one_of("exp", "floor", "add-k", "none"),
    "smooth_value": _real,
    "max_ngram_order": _whole,
    "effective_order": _switch,
}
TER: Settings = {
    "normalized": _switch,
    "no_punct": _switch,
    "asian_support": _switch,
    "case_sensitive": _switch,
}


@dataclass(frozen=True, slots=True, eq=False)
class SacrebleuMetric:
    """A metric of sacrebleu; the `scale` of TER, which is unbounded, is None."""

    name: str
    metric: Any
    scale: str | None
    is_lower_better: bool = False
    measures: tuple[str, ...] = ("S",)

    @property
    def signature(self) -> str:
        """Sacrebleu's own, with a placeholder for the number of references."""
        # sacrebleu has a signature only after it has seen a number of references.
        self.metric.sentence_score("a", ["a"])
        return _with_placeholder(self.metric.get_signature())

    def score(self, peers: Sequence[str], models: Sequence[Sequence[str]]) -> list[float]:
        """Score each peer against its models."""
        return [
            self.metric.sentence_score(_line(peer), list(map(_line, of_peer))).score
            for peer, of_peer in zip(peers, models, strict=True)
        ]


@dataclass(frozen=True, slots=True, eq=False)
class CorpusBleu:
    """BLEU of a system, from counts of n-grams over all its texts.

    `metric` scores the pooled counts. `of_texts` counts single texts, with the same tokens and with
    effective order.
    """

    name: str
    metric: Any
    of_texts: Any
    scale: str = SCALE
    measures: tuple[str, ...] = ("S",)

    @property
    def signature(self) -> str:
        """Sacrebleu's own, with a placeholder for the number of references."""
        self.metric.corpus_score(["a"], [["a"]])
        return _with_placeholder(self.metric.get_signature())

    @property
    def statistics(self) -> tuple[str, ...]:
        """Matches and n-grams of each order, and lengths."""
        orders = range(1, self.metric.max_ngram_order + 1)
        counts = (f"{count}-{n}" for count in ("correct", "total") for n in orders)
        return (*counts, "peer_length", "model_length")

    def score(self, peers: Sequence[str], models: Sequence[Sequence[str]]) -> list[list[float]]:
        """Return BLEU of each text by itself, and its statistics."""
        rows = []
        for peer, of_peer in zip(peers, models, strict=True):
            bleu = self.of_texts.sentence_score(_line(peer), list(map(_line, of_peer)))
            rows.append([bleu.score, *bleu.counts, *bleu.totals, bleu.sys_len, bleu.ref_len])
        return [list(column) for column in zip(*rows, strict=True)]

    def pooled(self, sums: Sequence[float]) -> float:
        """Return BLEU from sums of the statistics over texts."""
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


def _with_placeholder(signature: object) -> str:
    """Return a signature of sacrebleu with `N_REFERENCES` for the number of references."""
    return str(signature).replace("nrefs:1|", f"nrefs:{N_REFERENCES}|", 1)


def _line(text: str) -> str:
    """Return a text as one line."""
    return text.replace("\n", " ")


def _settings(
    key: str, known: Settings, defaults: Mapping[str, Any], written: Mapping[str, str]
) -> dict[str, Any]:
    """Read the settings of a metric; raises OptionError."""
    settings = dict(defaults)
    for name, value in written.items():
        if name not in known:
            raise OptionError(f"--also {key}: no setting {name!r}; known are: {', '.join(known)}")
        try:
            settings[name] = known[name](value)
        except ValueError as error:
            raise OptionError(f"--also {key}: {name}: found {value!r}, expected {error}") from None
    return settings


def _sacrebleu(key: str) -> Any:
    """Import sacrebleu, or say how to install it; raises RougeError."""
    try:
        import sacrebleu
    except ImportError as error:
        remedy = 'python -m pip install "rouge-cli[metrics]"'
        raise RougeError(missing_package(error, f"--also {key} needs sacrebleu", remedy)) from None
    return sacrebleu


def _with_settings(key: str, written: Mapping[str, str]) -> str:
    """Return the name of a metric with its settings."""
    settings = ",".join(f"{name}={value}" for name, value in written.items())
    return f"{key}[{settings}]" if settings else key


def _corpus_bleu(key: str, **written: str) -> CorpusBleu:
    """Make corpus BLEU; raises OptionError for settings, RougeError without sacrebleu."""
    settings = _settings(key, BLEU, {}, written)
    bleu = _sacrebleu(key).BLEU
    of_texts = bleu(**{**settings, "effective_order": True})
    name = f"{_with_settings(key, written)} (of pooled counts)"
    return CorpusBleu(name, bleu(**settings), of_texts)


def _metric(
    key: str, kind: str, known: Settings, defaults: Mapping[str, Any], **written: str
) -> SacrebleuMetric:
    """Make a metric; raises OptionError for settings, RougeError without sacrebleu."""
    settings = _settings(key, known, defaults, written)
    sacrebleu = _sacrebleu(key)
    makers: Mapping[str, Callable[..., Any]] = {
        "chrF": sacrebleu.CHRF,
        "BLEU": sacrebleu.BLEU,
        "TER": sacrebleu.TER,
    }
    scale = None if kind == "TER" else SCALE
    name = f"{_with_settings(key, written)} (mean of sentences)"
    return SacrebleuMetric(name, makers[kind](**settings), scale, kind == "TER")


BUILT_IN: Mapping[str, Callable[..., AlsoScorer]] = {
    "chrf": partial(_metric, "chrf", "chrF", CHRF, {}),
    "chrf++": partial(_metric, "chrf++", "chrF", CHRF, {"word_order": 2}),
    # For single texts sacrebleu advises effective order, which leaves out orders without n-grams.
    "bleu": partial(_metric, "bleu", "BLEU", BLEU, {"effective_order": True}),
    "corpus-bleu": partial(_corpus_bleu, "corpus-bleu"),
    "ter": partial(_metric, "ter", "TER", TER, {}),
}
