"""Explanations as dictionaries, for JSON; docs/explanation.schema.json describes them."""

from collections.abc import Sequence
from typing import Any

from rouge_cli.scoring.explained_evals import ExplainedEval, ExplainedPeer, ExplainedRun, SourceText
from rouge_cli.scoring.explanation import (
    Match,
    MetricExplanation,
    PairExplanation,
    SeenText,
    Tally,
)
from rouge_cli.scoring.left_out import LeftOut
from rouge_cli.version import __version__

__all__ = ["explanation_dict"]

Data = dict[str, Any]


def explanation_dict(run: ExplainedRun, signature: str, *, with_texts: bool) -> Data:
    """Return all that is known of some EVALs.

    Parameters
    ----------
    signature : str
        How each EVAL is scored.
    with_texts : bool
        Whether to give the texts as they stand in the input, too.
    """
    return {
        "program": "rouge-cli",
        "version": __version__,
        "signature": signature,
        "formula": run.options.scores.formula,
        "alpha": run.options.scores.alpha.value,
        "evals": [_Eval(one, with_texts=with_texts).data() for one in run.evals],
    }


class _Eval:
    """One EVAL; a text that several metrics read alike stands in it once."""

    def __init__(self, one: ExplainedEval, *, with_texts: bool) -> None:
        self._eval, self._with_texts = one, with_texts
        self._numbers: dict[SeenText, int] = {}

    def data(self) -> Data:
        """Return the EVAL."""
        models = [self._source(model) for model in self._eval.models]
        peers = [self._peer(peer) for peer in self._eval.peers]
        return {
            "id": self._eval.id,
            "models": models,
            "systems": peers,
            "readings": [_reading(text) for text in self._numbers],
        }

    def _source(self, text: SourceText) -> Data:
        """Return where a text stands, and what is left out of it."""
        found = {"name": text.name, "place": text.place, "left_out": _left_out(text.left_out)}
        return {**found, "sentences": list(text.sentences)} if self._with_texts else found

    def _peer(self, peer: ExplainedPeer) -> Data:
        """Return a system."""
        data = self._source(peer.text)
        if peer.rank is not None:
            data["chosen_by"] = {"score": peer.rank.score, "against": peer.rank.other}
        return {**data, "metrics": [self._metric(one) for one in peer.metrics]}

    def _metric(self, one: MetricExplanation) -> Data:
        """Return a metric; one that does not count has its scores only."""
        data: Data = {
            "name": one.metric.name,
            "scores": dict(zip(one.metric.measures, one.values, strict=True)),
        }
        if one.tally is None:
            return data
        if one.root is not None:
            data["root"] = one.root
        models = zip(self._eval.models, one.pairs, strict=True)
        pairs = [{"model": model.name, **self._pair(pair)} for model, pair in models]
        return {**data, "counts": _counts(one.tally), "pairs": pairs}

    def _pair(self, pair: PairExplanation) -> Data:
        """Return a peer against a model."""
        data: Data = {
            "is_counted": pair.is_counted,
            "scores": dict(zip("RPF", pair.tally.values, strict=True)),
            "counts": _counts(pair.tally),
            "peer_reading": self._numbers.setdefault(pair.peer, len(self._numbers)),
            "model_reading": self._numbers.setdefault(pair.model, len(self._numbers)),
            "peer_marks": list(pair.peer_states),
            "model_marks": list(pair.model_states),
            "matches": _matches(pair.matches),
        }
        if pair.peer_matches is not None:
            data["peer_matches"] = _matches(pair.peer_matches)
        if pair.alignments:
            data["alignments"] = [
                {
                    "model_sentence": one.model_sentence,
                    "peer_sentence": one.peer_sentence,
                    "words": [list(words) for words in one.words],
                }
                for one in pair.alignments
            ]
        if pair.runs:
            data["runs"] = [
                {"start": one.start, "end": one.end, "length": one.length, "weight": one.weight}
                for one in pair.runs
            ]
        return data


def _counts(tally: Tally) -> Data:
    """Return counts by name."""
    counts = {"hit": tally.hit, "model_count": tally.model_count, "peer_count": tally.peer_count}
    return counts if tally.peer_hit is None else {**counts, "peer_hit": tally.peer_hit}


def _matches(matches: Sequence[Match]) -> list[Data]:
    """Return what occurs on both sides."""
    return [
        {
            "peer": [list(place) for place in one.peer],
            "model": [list(place) for place in one.model],
            "hits": one.hits,
            **({} if one.similarity is None else {"similarity": one.similarity}),
        }
        for one in matches
    ]


def _reading(text: SeenText) -> Data:
    """Return a text as metrics read it."""
    data: Data = {"words": [word.text for word in text.words]}
    if any(word.stem is not None for word in text.words):
        data["stems"] = [word.stem for word in text.words]
    return {**data, "sentence_ends": list(text.sentence_ends)}


def _left_out(left_out: LeftOut) -> Data:
    """Return what is left out of a text."""
    return {
        "beyond_limit": list(left_out.beyond_limit),
        "cut_to": left_out.cut_to,
        "stopwords": list(left_out.stopwords),
        "letters": dict(left_out.letters),
    }
