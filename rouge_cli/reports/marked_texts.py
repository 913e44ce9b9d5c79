"""The texts of EVALs with the words that match, for a page: which EVALs, and where words stand."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from rouge_cli.inputs.corpus import Corpus, EvaluationPortion, read_texts, scored_evaluations
from rouge_cli.inputs.corpus import EvalTexts as ReadTexts
from rouge_cli.inputs.evaluation import Evaluation
from rouge_cli.options.every import Options
from rouge_cli.reports.explorer import EvalTexts, PairMarks, ShownText
from rouge_cli.scoring.explaining import explain_portion
from rouge_cli.scoring.explanation import Explanation, SeenText
from rouge_cli.scoring.score_table import ScoreTable
from rouge_cli.statistics.score_columns import Column, score_matrix
from rouge_cli.text.tokenizer import Tokenizer, load_tokenizer

__all__ = ["marked_batches", "outstanding_evals"]

BATCH = 200
"""EVALs whose texts are marked, and packed, together."""

MOST_BYTES = 1_000_000
"""An EVAL with longer texts is left out."""

ASCII_WORD = re.compile(r"([A-Za-z0-9]+)")


def outstanding_evals(table: ScoreTable, column: Column, most: int) -> list[str]:
    """Return the EVALs that one would look at first.

    Parameters
    ----------
    column : Column
        The measure by which EVALs stand out.
    most : int
        How many to return. If there are no more, all are returned in the order of the input.

    Returns
    -------
    list of str
        In turn those with the largest differences between systems, the lowest scores and the
        highest ones.
    """
    systems = list(table.systems.values())
    eval_ids = list(dict.fromkeys(eval_id for one in systems for eval_id in one.eval_ids))
    if len(eval_ids) <= most:
        return eval_ids
    place_of = {eval_id: place for place, eval_id in enumerate(eval_ids)}
    scores = np.full((len(eval_ids), len(systems)), np.nan)
    for number, system in enumerate(systems):
        places = [place_of[eval_id] for eval_id in system.eval_ids]
        scores[places, number] = score_matrix(system, [column])[:, 0]
    lowest, highest = np.nanmin(scores, axis=1), np.nanmax(scores, axis=1)
    rankings = [np.argsort(key, kind="stable") for key in (lowest - highest, lowest, -highest)]
    in_turn = np.stack(rankings, axis=1).ravel().tolist()
    return [eval_ids[place] for place in list(dict.fromkeys(in_turn))[:most]]


def marked_batches(
    corpus: Corpus, eval_ids: Sequence[str], options: Options, environment: Mapping[str, str]
) -> Iterator[list[tuple[str, EvalTexts]]]:
    """Yield the texts of some EVALs with what matches in them.

    Parameters
    ----------
    eval_ids : sequence of str
        In the order in which they are wanted.
    options : Options
        Those of the scores.
    environment : mapping of str to str
        As for scoring.

    Raises
    ------
    InputError
        If a text cannot be read any more.
    """
    # What others compute has no marks, and may be slow.
    counted = options.changed(also=())
    tokenizer = load_tokenizer(options.texts, environment)
    wanted = frozenset(eval_ids)
    found = {one.id: one for one in scored_evaluations(corpus) if one.id in wanted}
    present = [eval_id for eval_id in eval_ids if eval_id in found]
    for start in range(0, len(present), BATCH):
        batch = [found[eval_id] for eval_id in present[start : start + BATCH]]
        yield list(_marked(corpus, batch, counted, tokenizer))


def _marked(
    corpus: Corpus, batch: Sequence[Evaluation], options: Options, tokenizer: Tokenizer
) -> Iterator[tuple[str, EvalTexts]]:
    """Yield the texts of a batch of EVALs."""
    texts = [read_texts(corpus, evaluation) for evaluation in batch]
    texts = [one for one in texts if _n_bytes(one) <= MOST_BYTES]
    evaluations = [one.evaluation for one in texts]
    portion = EvaluationPortion(evaluations, corpus.systems, corpus.reader)
    explanations = explain_portion(portion, options, tokenizer, with_matches=False)
    show = _shower(options)
    for one in texts:
        explained = {system: next(explanations) for system in one.peers}
        yield one.evaluation.id, _eval_texts(one, explained, show)


def _n_bytes(texts: ReadTexts) -> int:
    """Return how long the texts of an EVAL are."""
    return sum(map(len, (*texts.peers.values(), *texts.models)))


Shower = Callable[[bytes, SeenText], ShownText]
"""From a text, and what is read of it, to how it is shown."""


def _eval_texts(texts: ReadTexts, explained: Mapping[str, Explanation], show: Shower) -> EvalTexts:
    """Show the texts of an EVAL."""
    peers, marks = {}, {}
    models: tuple[ShownText, ...] = ()
    for system, explanation in explained.items():
        counted = [one for one in explanation.metrics if one.pairs]
        if not counted:
            peers[system] = ShownText((_decoded(texts.peers[system]),))
            continue
        first = counted[0].pairs
        peers[system] = show(texts.peers[system], first[0].peer)
        models = models or tuple(map(show, texts.models, [pair.model for pair in first]))
        marks[system] = tuple(
            tuple(_pair_marks(explanation, place, len(pair.peer.words), len(pair.model.words)))
            for place, pair in enumerate(first)
        )
    models = models or tuple(ShownText((_decoded(one),)) for one in texts.models)
    return EvalTexts(models, texts.evaluation.humans, peers, marks)


def _pair_marks(
    explanation: Explanation, place: int, n_peer: int, n_model: int
) -> Iterator[PairMarks]:
    """Yield the marks of all metrics that read the same words."""
    for metric in explanation.metrics:
        if not metric.pairs:
            continue
        pair = metric.pairs[place]
        if (len(pair.peer_states), len(pair.model_states)) == (n_peer, n_model):
            tally = pair.tally
            yield PairMarks(
                metric.metric.name,
                pair.is_counted,
                _digits(pair.peer_states),
                _digits(pair.model_states),
                tally.hit,
                tally.model_count,
                tally.peer_count,
                tally.values,
            )


def _digits(states: bytes) -> str:
    """Write a state of each word as a digit."""
    return states.translate(b"012" + bytes(range(3, 256))).decode("ascii")


def _shower(options: Options) -> Shower:
    """Return how texts are shown that are read with some options."""
    has_limit = options.texts.words > 0 or options.texts.bytes > 0
    if options.metrics.reads_only_elements:
        return lambda text, seen: _as_read(seen)
    if options.texts.reads_as_original:
        return lambda text, seen: _in_ascii_text(_decoded(text), seen, has_limit=has_limit)
    return lambda text, seen: _in_text(_decoded(text), seen, has_limit=has_limit)


def _in_ascii_text(text: str, seen: SeenText, *, has_limit: bool) -> ShownText:
    """Find the words of ROUGE-1.5.5 in a text; stopwords and what a limit cuts off are between."""
    wanted = [word.text for word in seen.words]
    pieces = ASCII_WORD.split(text)
    if [piece.lower() for piece in pieces[1::2]] == wanted:
        return ShownText(tuple(pieces))
    spans: list[tuple[int, int]] = []
    for found in ASCII_WORD.finditer(text):
        if len(spans) == len(wanted):
            break
        word, token = wanted[len(spans)], found[0].lower()
        # A limit in bytes may cut the last word.
        is_cut = len(spans) == len(wanted) - 1 and has_limit and token.startswith(word)
        if token == word or is_cut:
            spans.append((found.start(), found.start() + len(word)))
    return _cut(text, spans, has_limit=has_limit) if len(spans) == len(wanted) else _as_read(seen)


def _in_text(text: str, seen: SeenText, *, has_limit: bool) -> ShownText:
    """Find words of any language in a text; as they are read, if one of them is not found."""
    lowered = "".join(one.lower() if len(one.lower()) == 1 else one for one in text)
    spans: list[tuple[int, int]] = []
    end = 0
    for word in seen.words:
        start = lowered.find(word.text.lower(), end)
        # Not within a word that was left out.
        while start > end and lowered[start - 1].isalnum() and lowered[start].isascii():
            start = lowered.find(word.text.lower(), start + 1)
        if start < 0 or not word.text:
            return _as_read(seen)
        end = start + len(word.text)
        spans.append((start, end))
    return _cut(text, spans, has_limit=has_limit)


def _cut(text: str, spans: Sequence[tuple[int, int]], *, has_limit: bool) -> ShownText:
    """Cut a text at the edges of its words."""
    pieces, place = [], 0
    for start, end in spans:
        pieces += [text[place:start], text[start:end]]
        place = end
    rest = text[place:].rstrip("\n")
    return ShownText((*pieces, ""), rest) if has_limit else ShownText((*pieces, rest))


def _as_read(seen: SeenText) -> ShownText:
    """Show the words as they are read, a sentence a line."""
    pieces, start = [""], 0
    for end in seen.sentence_ends:
        for word in seen.words[start:end]:
            pieces += [word.text, " "]
        pieces[-1] = "\n"
        start = end
    return ShownText(tuple(pieces))


def _decoded(text: bytes) -> str:
    """Return a text; bytes that are no UTF-8 show as such."""
    return text.decode("utf-8", "backslashreplace").rstrip("\n")
