"""chrF, chrF++, BLEU and TER, text by text, and BLEU of all texts, as sacrebleu computes them.

They are on its own scale. Values and signatures are sacrebleu's. A text is one of its sentences,
whatever sentences it has: sacrebleu reads a text a line, so a newline becomes a blank.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from rouge_cli.errors import OptionError, RougeError
from rouge_cli.quick_dataclass import dataclass

__all__ = ["METRICS", "CorpusBleu", "SacrebleuMetric"]

SCALE = "0-100"
SWITCH = {"yes": True, "no": False, "true": True, "false": False}
TOKENIZERS = ("13a", "intl", "char", "none", "zh", "ja-mecab", "ko-mecab")
"""Those of sacrebleu that download nothing."""


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


def _tokenizer(value: str) -> str:
    """Read the name of a tokenizer."""
    if value not in TOKENIZERS:
        raise ValueError(f"one of {', '.join(TOKENIZERS)}")
    return value


def _smoothing(value: str) -> str:
    """Read the name of a way of smoothing."""
    ways = ("exp", "floor", "add-k", "none")
    if value not in ways:
        raise ValueError(f"one of {', '.join(ways)}")
    return value


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
    "tokenize": _tokenizer,
    "smooth_method": _smoothing,
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
    """A metric of sacrebleu.

    Parameters
    ----------
    scale : str or None
        None for TER, which has no upper bound.
    """

    name: str
    metric: Any
    scale: str | None
    is_lower_better: bool = False
    measures: tuple[str, ...] = ("S",)

    @property
    def signature(self) -> str:
        """Sacrebleu's own, in which the number of references is filled in when it is known."""
        # It tells its signature when it has seen how many references there are.
        self.metric.sentence_score("a", ["a"])
        return str(self.metric.get_signature()).replace("nrefs:1|", "nrefs:{n_references}|", 1)

    def score(self, peers: Sequence[str], models: Sequence[Sequence[str]]) -> list[float]:
        """Score each peer against its models."""
        return [
            self.metric.sentence_score(_line(peer), list(map(_line, of_peer))).score
            for peer, of_peer in zip(peers, models, strict=True)
        ]


@dataclass(frozen=True, slots=True, eq=False)
class CorpusBleu:
    """BLEU of all texts of a system: of the counts of n-grams over all of them.

    Parameters
    ----------
    metric : sacrebleu.BLEU
        Whose score of a corpus this is.
    of_texts : sacrebleu.BLEU
        With the same tokens, and with effective order: for the counts of single texts.
    """

    name: str
    metric: Any
    of_texts: Any
    scale: str = SCALE
    measures: tuple[str, ...] = ("S",)

    @property
    def signature(self) -> str:
        """Sacrebleu's own, in which the number of references is filled in when it is known."""
        self.metric.corpus_score(["a"], [["a"]])
        return str(self.metric.get_signature()).replace("nrefs:1|", "nrefs:{n_references}|", 1)

    @property
    def statistics(self) -> tuple[str, ...]:
        """Matches and n-grams of each order, and lengths."""
        orders = range(1, self.metric.max_ngram_order + 1)
        counts = (f"{what}-{n}" for what in ("correct", "total") for n in orders)
        return (*counts, "peer_length", "model_length")

    def score(self, peers: Sequence[str], models: Sequence[Sequence[str]]) -> list[list[float]]:
        """Return BLEU of each text by itself, and its statistics."""
        rows = []
        for peer, of_peer in zip(peers, models, strict=True):
            found = self.of_texts.sentence_score(_line(peer), list(map(_line, of_peer)))
            rows.append([found.score, *found.counts, *found.totals, found.sys_len, found.ref_len])
        return [list(column) for column in zip(*rows, strict=True)]

    def pooled(self, sums: Sequence[float]) -> float:
        """Return BLEU of statistics that are added up over texts."""
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


def _line(text: str) -> str:
    """Return a text as one line."""
    return text.replace("\n", " ")


def _settings(
    key: str, known: Settings, defaults: Mapping[str, Any], given: Mapping[str, str]
) -> dict[str, Any]:
    """Read the settings of a metric; raises OptionError."""
    settings = dict(defaults)
    for name, value in given.items():
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
    except ImportError:
        raise RougeError(
            f"--also {key} needs sacrebleu, which is not installed: python -m pip install "
            '"rouge-cli[metrics]"'
        ) from None
    return sacrebleu


def _shown(key: str, given: Mapping[str, str]) -> str:
    """Return the name of a metric with its settings."""
    written = ",".join(f"{name}={value}" for name, value in given.items())
    return f"{key}[{written}]" if written else key


def _corpus_bleu(key: str, **given: str) -> CorpusBleu:
    """Make corpus BLEU; raises OptionError for settings, RougeError without sacrebleu."""
    settings = _settings(key, BLEU, {}, given)
    bleu = _sacrebleu(key).BLEU
    of_texts = bleu(**{**settings, "effective_order": True})
    return CorpusBleu(f"{_shown(key, given)} (of pooled counts)", bleu(**settings), of_texts)


def _metric(
    key: str, kind: str, known: Settings, defaults: Mapping[str, Any], **given: str
) -> SacrebleuMetric:
    """Make a metric; raises OptionError for settings, RougeError without sacrebleu."""
    settings = _settings(key, known, defaults, given)
    sacrebleu = _sacrebleu(key)
    makers: Mapping[str, Callable[..., Any]] = {
        "chrF": sacrebleu.CHRF,
        "BLEU": sacrebleu.BLEU,
        "TER": sacrebleu.TER,
    }
    scale = None if kind == "TER" else SCALE
    name = f"{_shown(key, given)} (mean of sentences)"
    return SacrebleuMetric(name, makers[kind](**settings), scale, kind == "TER")


METRICS: Mapping[str, Callable[..., SacrebleuMetric | CorpusBleu]] = {
    "chrf": partial(_metric, "chrf", "chrF", CHRF, {}),
    "chrf++": partial(_metric, "chrf++", "chrF", CHRF, {"word_order": 2}),
    # Of single sentences, orders of which a text has no n-gram are left out, as sacrebleu advises.
    "bleu": partial(_metric, "bleu", "BLEU", BLEU, {"effective_order": True}),
    "corpus-bleu": partial(_corpus_bleu, "corpus-bleu"),
    "ter": partial(_metric, "ter", "TER", TER, {}),
}
