"""Scores of a text against one or several: ``rouge_score.rouge_scorer``.

A scorer is a protocol with this interface: `rouge-score`, `xlsum`, or ROUGE-1.5.5 by the best of
several references. Only single pairs are passed to the core directly, which takes 7.5 us; a batch
of one pair takes 470 us.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any

from rouge_cli.compat.scoring import GOOGLE, ORIGINAL, XLSUM, BaseScorer, Score, check_like
from rouge_cli.compat.tokenizers import Tokenizing, Words, tokenize_of
from rouge_cli.core import compiled_core
from rouge_cli.errors import OptionError
from rouge_cli.inputs.sentences import punkt_splitter
from rouge_cli.metrics.paired_texts import PairUnits
from rouge_cli.protocols.catalogue import ORIGINAL as ROUGE_155
from rouge_cli.protocols.catalogue import PROTOCOLS
from rouge_cli.protocols.counting import measures_of
from rouge_cli.protocols.engine import score_texts
from rouge_cli.protocols.protocol import Protocol
from rouge_cli.protocols.reading import compiled_words, encoder_of
from rouge_cli.protocols.texts import TextChoices
from rouge_cli.text.xlsum import check_language, xlsum_words

__all__ = ["RougeScorer"]

ALPHA = 0.5
"""Weights recall and precision equally, so that they may be exchanged."""

_OF_GOOGLE = re.compile("rouge([1-9]|L|Lsum)"), "rouge1 to rouge9, rougeL or rougeLsum"
_NAMES = {
    GOOGLE: _OF_GOOGLE,
    XLSUM: _OF_GOOGLE,
    ORIGINAL: (
        re.compile(r"rouge([1-9][0-9]{0,2}|1000|L|Lsum|W[0-9]+(\.[0-9]+)?|SU?([0-9]{1,9}|\*))"),
        "rouge1 to rouge1000, rougeL, rougeLsum, or such as rougeW1.2, rougeS4, rougeSU4, rougeS* "
        "or rougeSU*",
    ),
}
"""The names of metrics by `like`, as a pattern and as a message puts them."""


class RougeScorer(BaseScorer):
    """Scores texts as ``rouge_score`` does, or as ROUGE-1.5.5 does.

    - `rouge_types`: ``"rouge1"``, ``"rouge2"`` and so on: ROUGE-N. ``"rougeL"``: the LCS of the
      whole texts (ROUGE-L-text). ``"rougeLsum"``: the union LCS of their sentences, which is
      ROUGE-1.5.5's ROUGE-L. Like 1.5.5 only: ``"rougeW1.2"``, ``"rougeS4"``, ``"rougeSU4"``,
      ``"rougeS*"`` and ``"rougeSU*"``, without a limit.
    - `use_stemmer`: stem as ROUGE-1.5.5 does, irregular forms included, or as NLTK does. With a
      tokenizer of your own it has no effect, and there is a warning.
    - `split_summaries`: for ``"rougeLsum"``, split sentences by NLTK's trained Punkt model instead
      of at newlines.
    - `tokenizer`: an object with a method ``tokenize``, or a function, that returns the list of
      tokens of a text; it replaces the tokens of `like`.
    - `like`: the numbers to return. ``"google"``: scores that are equal to those of
      ``rouge_score``, to the last bit. ``"1.5.5"``: tokens, stems and rounding to 5 decimals of
      ROUGE-1.5.5. ``"xlsum"``: the unstemmed scores of XL-Sum's multilingual fork.
    - `lang`: for ``"xlsum"``, the language by its English name, such as ``"german"`` or
      ``"chinese"``. An unknown name causes a warning.

    Raises TypeError or ValueError if the value of a parameter is not valid; unknown metrics are
    thus found before any text is scored. Raises InputError if the Punkt model is needed and is not
    installed.

    The tokens of ``"google"`` and ``"1.5.5"`` differ only for letters outside ASCII whose lower
    case is in a-z; equal tokens have equal counts. For tokens and stems of ``rouge_score`` see
    `rouge_cli.compat.tokenizers`.

    Examples
    --------
    >>> from rouge_cli.compat import rouge_scorer
    >>> scorer = rouge_scorer.RougeScorer(["rouge1", "rougeL"], use_stemmer=True)
    >>> scorer.score("police killed the gunman", "the gunman was killed by police")["rouge1"]
    Score(precision=0.6666666666666666, recall=1.0, fmeasure=0.8)
    """

    __slots__ = ("_pair", "_protocol")

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        rouge_types: Sequence[str],
        use_stemmer: bool = False,
        split_summaries: bool = False,
        tokenizer: Tokenizing | Words | None = None,
        like: str = GOOGLE,
        lang: str | None = None,
    ) -> None:
        check_like(like, ORIGINAL, GOOGLE, XLSUM)
        if like == XLSUM:
            _check_xlsum(use_stemmer, split_summaries, tokenizer)
            check_language(lang, stacklevel=3)
            # A dictionary that is not installed is missed here, before any text is scored.
            xlsum_words(lang)
        elif lang is not None:
            raise ValueError(f"lang: found {lang!r}, which is for like='xlsum'")
        protocol = _PROTOCOLS[like].changed(
            counts={"metrics": _read_types(rouge_types, like)}, scores={"references": "best-f"}
        )
        if like == XLSUM:
            protocol = protocol.changed(text={"language": lang})
        elif tokenizer is not None:
            # Choices are keys of caches: a tokenizer may lack a hash, a partial function has one.
            words: Any = partial(tokenize_of(tokenizer, bool(use_stemmer)))
            # Sentences may have other words than the whole text, so both are tokenized.
            text = TextChoices(sentences="filled-lines", words=words, sentence_words=words)
            protocol = replace(protocol, text=text)
        elif use_stemmer:
            protocol = protocol.changed(text={"stems": _STEMS[like]})
        measures = measures_of(protocol.counts)
        if split_summaries and any(measure.reads_sentences for measure in measures):
            punkt_splitter("split_summaries")
            lines = (("\n", " "),) if like == ORIGINAL and tokenizer is None else ()
            protocol = protocol.changed(text={"sentences": "punkt", "replacements": lines})
        self._protocol: Protocol = protocol
        self._pair = _pair_scorer(protocol)

    def __getstate__(self) -> tuple[Any, ...]:
        """Return the data for an equal scorer in another process, which has its own core."""
        return self._protocol, getattr(self, "__dict__", {})

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        """Prepare a scorer that was pickled."""
        self._protocol, others = state
        self._pair = _pair_scorer(self._protocol)
        for name, value in others.items():
            setattr(self, name, value)

    @property
    def rouge_types(self) -> list[str]:
        """Names of the metrics, each once."""
        return [key for key, _ in self._protocol.counts.metrics]

    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """Score a prediction against a target, which comes first, as in ``rouge_score``.

        Returns the scores by the name of the metric, in the order of `rouge_types`. Raises
        TypeError if a text is not a string.
        """
        model, peer = _text(target, "target"), _text(prediction, "prediction")
        if self._pair is not None:
            scores = self._pair(peer, model)
            if scores is not None:
                return scores
        return self.score_batch([model], [peer])[0]

    def score_multi(self, targets: Iterable[str], prediction: str) -> dict[str, Score]:
        """Score a prediction against several targets; each metric takes the target with the best F.

        Of several with the best F, the first one counts. Returns the scores as `score` does. Raises
        TypeError if a text is not a string, or `targets` is a string, and ValueError if there are
        no targets.
        """
        models = _text_list(targets, "targets")
        if not models:
            raise ValueError("targets: empty, expected at least one text")
        # Not in a batch, because a subclass may override `score`.
        scores = [self.score(model, prediction) for model in models]
        return {
            name: max([score[name] for score in scores], key=lambda score: score.fmeasure)
            for name in scores[0]
        }

    def score_batch(
        self, targets: Iterable[str], predictions: Iterable[str]
    ) -> list[dict[str, Score]]:
        """Score each prediction against its target; faster than `score` for ``"rougeLsum"``.

        Returns the result of `score` for each pair. Raises TypeError if a text is not a string, and
        ValueError if there are not as many targets as predictions.
        """
        models, peers = _text_list(targets, "targets"), _text_list(predictions, "predictions")
        if len(models) != len(peers):
            raise ValueError(
                f"{len(models)} targets but {len(peers)} predictions; expected equally many"
            )
        references = [[text] for text in models]
        scores, errors = score_texts(self._protocol, peers, references)
        if errors:
            raise OptionError(
                "rouge_types: the counts of rougeW grow beyond all numbers; expected a weight "
                "nearer to 1"
            )
        columns = [list(map(Score, *table.tolist())) for table in scores.values()]
        if not columns:
            return [{} for _ in peers]
        return [dict(zip(scores, row, strict=True)) for row in zip(*columns, strict=True)]


_PROTOCOLS = {ORIGINAL: ROUGE_155, GOOGLE: PROTOCOLS["rouge-score"], XLSUM: PROTOCOLS["xlsum"]}
_STEMS = {ORIGINAL: "original", GOOGLE: "porter"}

_new_score = tuple.__new__
"""Makes a `Score` of three values in half the time of its constructor."""


def _pair_scorer(protocol: Protocol) -> Callable[[str, str], dict[str, Score] | None] | None:
    """Return a function that scores a peer and a model with the core; None if the core cannot.

    The function returns None for texts of too many tokens.
    """
    core, measures = compiled_core(), measures_of(protocol.counts)
    units = [unit for measure in measures if (unit := measure.unit) is not None]
    is_ascii = protocol.text.words == "ascii"
    words = compiled_words(protocol.text.stems, False) if is_ascii else None
    if core is None or words is None or not 0 < len(units) == len(measures):
        return None
    together = PairUnits.of(units)
    # For each metric: the place of its hits, which come after the two numbers of tokens, and how
    # many units fewer than tokens a text has.
    columns = [
        (measure.key, 2 + together.row(unit), unit.order - 1)
        for measure, unit in zip(measures, units, strict=True)
    ]
    score_counts = _exact_score if protocol.scores.rounding == "none" else core.score_pair
    count, encode = words.pair_counter(core, (*together, False)), encoder_of(protocol.text)

    def score(peer: str, model: str) -> dict[str, Score] | None:
        counted = count(encode(peer), encode(model))
        if counted is None:
            return None
        n_peer, n_model = counted[0], counted[1]
        return {
            name: _new_score(
                Score, score_counts(counted[place], n_peer - less, n_model - less, ALPHA)
            )
            for name, place, less in columns
        }

    return score


def _exact_score(
    hit: float, peer_count: float, model_count: float, alpha: float
) -> tuple[float, float, float]:
    if not hit:
        return 0.0, 0.0, 0.0
    precision, recall = hit / peer_count, hit / model_count
    # Another form, such as 2 * hit / (model_count + peer_count), has other last bits.
    return precision, recall, 2 * precision * recall / (precision + recall)


def _read_types(names: Iterable[str], like: str) -> tuple[tuple[str, str], ...]:
    """Return the metrics, each once, by the names that were given.

    Raises TypeError if these are not a list, and ValueError if a metric is unknown.
    """
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise TypeError(
            f"rouge_types: found {names!r}, expected a list of names such as ['rouge1']"
        )
    return tuple(dict.fromkeys((name, _metric_of(name, like)) for name in names))


def _metric_of(name: object, like: str) -> str:
    pattern, known = _NAMES[like]
    match = pattern.fullmatch(name) if isinstance(name, str) else None
    kind = match[1] if match else ""
    weight = kind.removeprefix("W")
    if not kind or (weight != kind and not 0 < float(weight) < inf):
        raise ValueError(f"rouge_types: found {name!r}, expected {known}")
    if weight != kind:
        return f"ROUGE-W-{weight}"
    return {"L": "ROUGE-L-text", "Lsum": "ROUGE-L"}.get(kind, f"ROUGE-{kind}")


def _check_xlsum(use_stemmer: bool, split_summaries: bool, tokenizer: object) -> None:
    excluded = {
        "use_stemmer": use_stemmer,
        "split_summaries": split_summaries,
        "tokenizer": tokenizer is not None,
    }
    for name, is_given in excluded.items():
        if is_given:
            raise ValueError(f"{name}: not with like='xlsum', which has its own tokens, unstemmed")


def _text(text: object, name: str) -> str:
    if not isinstance(text, str):
        raise TypeError(f"{name}: found {type(text).__name__}, expected a string")
    return text


def _text_list(texts: Iterable[str], name: str) -> list[str]:
    if isinstance(texts, str | bytes) or not isinstance(texts, Iterable):
        raise TypeError(f"{name}: found {type(texts).__name__}, expected a list of strings")
    return [_text(text, f"{name}[{number}]") for number, text in enumerate(texts)]
