"""Which metrics are asked for, and the counts of one EVAL (specification, sections 1 to 5)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from .inputs import Evaluation
from .lcs import Sentences, lcs, wlcs, wlcs_base
from .metrics import Counts, basic_elements, ngrams, skip_bigrams, table
from .numbers import Number, parse_weight
from .options import Options
from .scores import formula_a, formula_b, ratio, rounded
from .texts import Stem, limit_bytes, limit_bytes_unsummed, limit_words, tokens


@dataclass(frozen=True)
class Metric:
    """A metric with its label and whatever parameter it has."""

    kind: str
    label: str
    n: int = 0
    max_gap: int = 0
    with_unigrams: bool = False
    weight: Number = 1
    mode: str = ""


def all_metrics(options: Options) -> list[Metric]:
    """The metrics asked for, in the order of output (section 1)."""
    metrics = [Metric("N", f"ROUGE-{n}", n=n) for n in range(1, options.whole("n") + 1)]
    if not options.has("x") and not options.has("3"):
        metrics.append(Metric("L", "ROUGE-L"))
    if options.has("w"):
        typed = options.text("w")
        metrics.append(Metric("W", f"ROUGE-W-{typed}", weight=parse_weight(typed)))
    if options.has("2"):
        gap = options.whole("2")
        shown = "*" if gap < 0 else options.text("2")
        if not options.has("u"):
            metrics.append(Metric("S", f"ROUGE-S{shown}", max_gap=gap))
        if options.has("u") or options.has("U"):
            metrics.append(Metric("S", f"ROUGE-SU{shown}", max_gap=gap, with_unigrams=True))
    if options.has("3"):
        mode = options.text("3")
        metrics.append(Metric("BE", f"ROUGE-BE-{mode}", mode=mode))
    return metrics


@dataclass(frozen=True)
class Readings:
    """How texts are read under the given options."""

    options: Options
    read: Callable[[str, str], list[bytes]]
    stopwords: Collection[bytes]
    stem: Stem | None

    def limited(self, sentences: list[bytes], *, by_sentence: bool) -> list[bytes]:
        """The sentences within ``-l`` or ``-b`` (section 2, limits)."""
        if self.options.whole("l") > 0:
            return limit_words(sentences, self.options.whole("l"))
        if by_sentence:
            return limit_bytes_unsummed(sentences, self.options.whole("b"))
        return limit_bytes(sentences, self.options.whole("b"))

    def sequence(self, sentences: list[bytes], stem: Stem | None) -> list[bytes]:
        """A text as one sequence, as ROUGE-N and ROUGE-S read it (section 3)."""
        text = b" ".join(self.limited(sentences, by_sentence=False))
        return tokens(text, stopwords=self.stopwords, stem=stem)

    def by_sentence(self, sentences: list[bytes], stem: Stem | None) -> Sentences:
        """A text as ROUGE-L and ROUGE-W read it, a sequence for each sentence (section 3)."""
        return [
            tokens(sentence, stopwords=self.stopwords, stem=stem)
            for sentence in self.limited(sentences, by_sentence=True)
        ]

    def stems(self, metric: Metric) -> tuple[Stem | None, Stem | None]:
        """The stemmers of the peer and of the models (section 1, ``-m`` and ``-M``)."""
        if self.options.has("m"):
            return self.stem, self.stem
        if self.options.has("M") and metric.kind in ("L", "S", "BE"):
            return None, self.stem
        return None, None


def count_pair(
    metric: Metric, readings: Readings, peer: list[bytes], model: list[bytes]
) -> tuple[Counts, float]:
    """The counts for one peer and one model, and the score that formula B compares."""
    peer_stem, model_stem = readings.stems(metric)
    if metric.kind == "BE":
        counts = basic_elements(
            peer, model, metric.mode, peer_stem=peer_stem, model_stem=model_stem
        )
        return counts, rounded(ratio(counts[0], counts[1]))
    peer_tokens = readings.sequence(peer, peer_stem)
    model_tokens = readings.sequence(model, model_stem)
    if metric.kind == "N":
        counts = ngrams(peer_tokens, model_tokens, metric.n)
        return counts, rounded(ratio(counts[0], counts[1]))
    if metric.kind == "S":
        counts = skip_bigrams(peer_tokens, model_tokens, metric.max_gap, metric.with_unigrams)
        return counts, rounded(ratio(counts[0], counts[1]))
    peer_sentences = readings.by_sentence(peer, peer_stem)
    model_sentences = readings.by_sentence(model, model_stem)
    peer_unigrams = table(peer_tokens)
    if metric.kind == "W" and readings.options.has("M"):
        # -M stems the table that clips, and no sentence (section 1).
        model_tokens = readings.sequence(model, readings.stem)
    model_unigrams = table(model_tokens)
    if metric.kind == "L":
        counts = lcs(peer_sentences, model_sentences, peer_unigrams, model_unigrams)
        return counts, ratio(counts[0], counts[1])
    counts = wlcs(peer_sentences, model_sentences, peer_unigrams, model_unigrams, metric.weight)
    base = wlcs_base(model_sentences, metric.weight)
    return counts, ratio(counts[0], base, metric.weight)


def count(metric: Metric, readings: Readings, evaluation: Evaluation, system: str) -> Counts:
    """The counts of one EVAL over all of its models (section 5, several models)."""
    if (metric.kind == "BE") != (evaluation.layout == "SIMPLE"):
        raise ValueError("SIMPLE is for Basic Elements, and they for SIMPLE")
    peer = readings.read(evaluation.peers[system], evaluation.layout)
    pairs = [
        count_pair(metric, readings, peer, readings.read(path, evaluation.layout))
        for path in evaluation.model_paths()
    ]
    if readings.options.text("f", "A") == "B":
        return formula_b([counts for counts, _ in pairs], [choice for _, choice in pairs])
    return formula_a([counts for counts, _ in pairs])
