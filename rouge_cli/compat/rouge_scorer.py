"""Scores of a text against one or several: ``rouge_score.rouge_scorer``."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from rouge_cli.compat.counting import score_pairs
from rouge_cli.compat.readers import Reader, Tokenizing, Words, choose_reader
from rouge_cli.compat.rouge_types import RougeType, read_types
from rouge_cli.compat.scoring import GOOGLE, ORIGINAL, XLSUM, BaseScorer, Score, check_like
from rouge_cli.metrics.ratios import score_pair
from rouge_cli.metrics.single_pair import PairCounts, PairOfTexts, SinglePair

__all__ = ["RougeScorer"]

CHARACTERS_AT_A_TIME = 1 << 20
"""So many are scored together: what is made of them fits in the processor's cache."""

ALPHA = 0.5


class RougeScorer(BaseScorer):
    """Scores texts as ROUGE-1.5.5 does, or as ``rouge_score`` does.

    Parameters
    ----------
    rouge_types : list of str
        ``"rouge1"``, ``"rouge2"`` and so on: ROUGE-N. ``"rougeL"``: the LCS of the whole texts
        (ROUGE-L-text). ``"rougeLsum"``: the union LCS of their sentences, which is ROUGE-1.5.5's
        ROUGE-L. Like 1.5.5 only: ``"rougeW1.2"``, ``"rougeS4"``, ``"rougeSU4"``, ``"rougeS*"`` and
        ``"rougeSU*"``, without a limit.
    use_stemmer : bool
        Stem as ROUGE-1.5.5 does, irregular forms included, or as NLTK does. Without effect on a
        tokenizer of your own, which a warning says.
    split_summaries : bool
        For ``"rougeLsum"``: find sentences with NLTK's trained Punkt model, and not at newlines.
    tokenizer : object with a method ``tokenize``, or callable, optional
        From a text to the list of its tokens, in place of those of `like`.
    like : {"1.5.5", "google", "xlsum"}
        Whose numbers. ``"1.5.5"``: tokens, stems and rounding to 5 decimals of ROUGE-1.5.5.
        ``"google"``: scores that are equal to those of ``rouge_score``, to the last bit.
        ``"xlsum"``: the unstemmed scores of XL-Sum's multilingual fork of ``rouge_score``.
    lang : str, optional
        For ``"xlsum"``: the language by its English name, such as ``"german"`` or ``"chinese"``.

    Raises
    ------
    TypeError, ValueError
        If a parameter has no such value; an unknown metric is found here, before any text is
        scored.
    InputError
        If the Punkt model is needed and is not installed.

    Notes
    -----
    The tokens of the two differ only where a letter beyond ASCII has a lower case in a-z; the
    counts of equal tokens are the same. For tokens and stems of ``rouge_score`` see
    `rouge_cli.compat.tokenizers`.

    Examples
    --------
    >>> from rouge_cli.compat import rouge_scorer
    >>> scorer = rouge_scorer.RougeScorer(["rouge1", "rougeL"], use_stemmer=True)
    >>> scorer.score("police killed the gunman", "the gunman was killed by police")["rouge1"]
    Score(precision=0.66667, recall=1.0, fmeasure=0.8)
    """

    __slots__ = ("_are_plain", "_like", "_needs_sentences", "_reader", "_types")

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        rouge_types: Sequence[str],
        use_stemmer: bool = False,
        split_summaries: bool = False,
        tokenizer: Tokenizing | Words | None = None,
        like: str = ORIGINAL,
        lang: str | None = None,
    ) -> None:
        check_like(like, ORIGINAL, GOOGLE, XLSUM)
        if like == XLSUM:
            tokenizer = _xlsum_tokenizer(use_stemmer, split_summaries, tokenizer, lang)
        elif lang is not None:
            raise ValueError(f"lang: found {lang!r}, which is for like='xlsum'")
        self._like: str = like
        self._types: tuple[RougeType, ...] = read_types(rouge_types, like)
        self._are_plain: bool = all(rouge_type.is_plain for rouge_type in self._types)
        self._needs_sentences: bool = any(one.reads_sentences for one in self._types)
        needs_punkt = bool(split_summaries) and self._needs_sentences
        self._reader: Reader = choose_reader(bool(use_stemmer), needs_punkt, tokenizer, like)

    @property
    def rouge_types(self) -> list[str]:
        """Names of the metrics, each once."""
        return [rouge_type.name for rouge_type in self._types]

    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """Score a prediction against a target.

        Parameters
        ----------
        target : str
            The model text; it comes first, as in ``rouge_score``.
        prediction : str
            The peer text.

        Returns
        -------
        dict of str to Score
            By the name of the metric, in the order asked for.

        Raises
        ------
        TypeError
            If one is no string.
        """
        return self._scored([_text(target, "target")], _text(prediction, "prediction"))[0]

    def score_multi(self, targets: Iterable[str], prediction: str) -> dict[str, Score]:
        """Score a prediction against several targets: metric by metric the one of the best F.

        Parameters
        ----------
        targets : iterable of str
            The model texts, at least one. Of several with the best F the first one counts.
        prediction : str
            The peer text.

        Returns
        -------
        dict of str to Score
            By the name of the metric, in the order asked for.

        Raises
        ------
        TypeError
            If one is no string, or `targets` is a single one.
        ValueError
            If there are no targets.
        """
        models = _texts(targets, "targets")
        if not models:
            raise ValueError("targets: empty, expected at least one text")
        scores = self._scored(models, _text(prediction, "prediction"))
        return {
            name: max([score[name] for score in scores], key=lambda score: score.fmeasure)
            for name in scores[0]
        }

    def score_batch(
        self, targets: Iterable[str], predictions: Iterable[str]
    ) -> list[dict[str, Score]]:
        """Score predictions, each against its target: faster than `score` for ``"rougeLsum"``.

        Parameters
        ----------
        targets, predictions : iterables of str
            Equally many.

        Returns
        -------
        list of dict of str to Score
            What `score` returns, for each pair.

        Raises
        ------
        TypeError
            If one is no string.
        ValueError
            If they are not equally many.
        """
        models, peers = _texts(targets, "targets"), _texts(predictions, "predictions")
        if len(models) != len(peers):
            raise ValueError(
                f"{len(models)} targets but {len(peers)} predictions; expected equally many"
            )
        found: list[dict[str, Score]] = []
        for some in _portions(models, peers):
            found += self._in_columns(models[some], peers[some])
        return found

    def _scored(self, targets: Sequence[str], prediction: str) -> list[dict[str, Score]]:
        """Score a prediction against each of some targets."""
        if self._are_plain:
            compiled = self._reader.compiled_pairs(targets, prediction)
            if compiled is not None:
                return list(map(self._pair_score, compiled))
            peer = self._reader.tokens(prediction)
            pairs = [PairOfTexts(self._reader.tokens(target), peer) for target in targets]
            if all(pair.is_small(by_sentence=self._needs_sentences) for pair in pairs):
                return list(map(self._pair_score, pairs))
        return self._in_columns(targets, [prediction])

    def _pair_score(self, pair: SinglePair) -> dict[str, Score]:
        """Score one pair."""
        return {one.name: _score(one.count_pair(pair), self._like) for one in self._types}

    def _in_columns(
        self, targets: Sequence[str], predictions: Sequence[str]
    ) -> list[dict[str, Score]]:
        """Score pairs in columns; a lone prediction belongs to each of the targets."""
        models = np.arange(len(targets))
        peers = len(targets) + (models if len(predictions) > 1 else np.zeros_like(models))
        texts = self._reader.columns([*targets, *predictions])
        by_type = score_pairs(self._types, texts, peers, models, self._like)
        names = self.rouge_types
        return [dict(zip(names, (s[pair] for s in by_type), strict=True)) for pair in models]


def _score(counts: PairCounts, like: str) -> Score:
    """Return the score of one pair.

    Parameters
    ----------
    like : str
        ``"1.5.5"``: precision and recall are rounded to 5 decimals, and so is F, which is formed
        from these. Otherwise nothing is rounded.
    """
    if like == ORIGINAL:
        recall, precision, f = score_pair(*counts, ALPHA)
        return Score(precision, recall, f)
    if not counts.hit:
        return Score(0.0, 0.0, 0.0)
    precision, recall = counts.hit / counts.peer_count, counts.hit / counts.model_count
    # Another form, such as 2 * hit / (model_count + peer_count), has other last bits.
    return Score(precision, recall, 2 * precision * recall / (precision + recall))


def _portions(models: Sequence[str], peers: Sequence[str]) -> Iterator[slice]:
    """Cut pairs into portions of about `CHARACTERS_AT_A_TIME`."""
    start = n_characters = 0
    for stop, (model, peer) in enumerate(zip(models, peers, strict=True), 1):
        n_characters += len(model) + len(peer)
        if n_characters >= CHARACTERS_AT_A_TIME or stop == len(peers):
            yield slice(start, stop)
            start, n_characters = stop, 0


def _xlsum_tokenizer(
    use_stemmer: bool, split_summaries: bool, tokenizer: object, lang: str | None
) -> Tokenizing:
    """Return the tokenizer of XL-Sum's fork; raises ValueError for what it is not known to do."""
    given = {
        "use_stemmer": use_stemmer,
        "split_summaries": split_summaries,
        "tokenizer": tokenizer is not None,
    }
    for name, is_given in given.items():
        if is_given:
            raise ValueError(f"{name}: not with like='xlsum', which has its own tokens, unstemmed")
    from rouge_cli.compat.xlsum import XlsumTokenizer

    return XlsumTokenizer(lang)


def _text(found: object, name: str) -> str:
    """Return a text, or raise TypeError."""
    if not isinstance(found, str):
        raise TypeError(f"{name}: found {type(found).__name__}, expected a string")
    return found


def _texts(found: Iterable[str], name: str) -> list[str]:
    """Return texts as a list, or raise TypeError."""
    if isinstance(found, str | bytes) or not isinstance(found, Iterable):
        raise TypeError(f"{name}: found {type(found).__name__}, expected a list of strings")
    return [_text(text, f"{name}[{place}]") for place, text in enumerate(found)]
