"""EVALs on a page: their scores, their texts and the words that match, packed for its script.

All text is made ready to be shown: characters that do not print, or that would change the direction
of a line, are escaped here.
"""

import base64
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, repeat
from typing import Any
from unicodedata import category

import numpy as np

from rouge_cli.escapes import escape_unprintable
from rouge_cli.explanations import (
    InstanceExplanation,
    MetricExplanation,
    PairExplanation,
    SeenText,
    explain_batch,
)
from rouge_cli.inputs.index import EvalTexts, HeldInput, Input
from rouge_cli.metrics.arithmetic import UNITS
from rouge_cli.metrics.metric import metrics_of
from rouge_cli.options.options import Options
from rouge_cli.options.readers import NUMBER
from rouge_cli.progress import tracked
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.wording import short_names
from rouge_cli.scores.results import Results, ScoreTable, SystemTable
from rouge_cli.studies.score.rows import plain_counts
from rouge_cli.studies.score.view import all_eval_ids
from rouge_cli.studies.score_columns import ScoreColumn, score_matrix
from rouge_cli.text.tokenizer import Tokenizer, load_tokenizer

WORD_EDGE = "\x7f"
"""Separates words from what is between them. If a text itself contains it, it is escaped."""

TEXT_EDGE, TAIL_EDGE = "\0", "\x1f"
"""Separators in a chunk: one before each text, one before the part that a limit cut off."""

ASCII_WORD = re.compile(r"([A-Za-z0-9]+)")
"""Finds the words of a text without word edges; the script of the page uses the same expression."""

ROOM = 5_300_000  # the most characters of packed texts on a page
CHUNK = 600_000  # the fewest characters of texts in a chunk, except the last one
IN_TEXTS = str.maketrans("", "", f"\n{WORD_EDGE}")
"""Removes the unprintable characters that occur in almost every text."""

LEVEL = 6  # level of compression; 9 makes a page smaller by 2%, and takes four times as long
# A word has three states in a metric: one letter holds the 27 combinations of three metrics.
STATES, FIRST_LETTER, METRICS_A_LETTER = 3, ord("0"), 3

KEPT = "\n\u200c\u200d\u200e\u200f"
"""Unprintable characters that some scripts need, and the newline between sentences."""


ShownText = tuple[tuple[str, ...], str]
"""A text on a page: its pieces, and the part that a limit cut off.

Pieces alternate between separators and words, and begin and end with a separator.
"""


@dataclass(frozen=True, slots=True)
class ShownEval:
    """The texts of an EVAL with their matches.

    - `models`, `names`: the texts of the models, and their names.
    - `peers`: the texts of the systems.
    - `marks`: for each system and each model, the matches in the metrics, by name, that read the
      same words as the page shows.
    - `source`: the source document; empty if the page shows none.
    """

    models: tuple[ShownText, ...]
    names: tuple[str, ...]
    peers: Mapping[str, ShownText]
    marks: Mapping[str, tuple[Mapping[str, PairExplanation], ...]]
    source: str = ""


Marked = Sequence[tuple[str, ShownEval]]  # EVALs, with their IDs


@dataclass(frozen=True, slots=True)
class PackedTexts:
    """The packed texts of a page.

    - `eval_ids`: the EVALs, in the order in which they are packed.
    - `sizes`: the number of EVALs in each chunk.
    - `chunks`: the packed texts.
    - `note`: which EVALs have texts, and why the others do not; empty if all have.
    """

    eval_ids: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    chunks: tuple[str, ...] = ()
    note: str = ""


def pack_texts(batches: Iterable[Marked], table: ScoreTable, order: Sequence[str]) -> PackedTexts:
    """Pack texts batch by batch until the page is full; further batches are not read.

    `order` lists the systems in the order of the page.
    """
    place_of = {metric.name: place for place, metric in enumerate(table.metrics)}
    eval_ids, chunks, sizes = list[str](), list[str](), list[int]()
    room = ROOM
    for evals, texts in _chunks(batches, order):
        heads = [_head(shown, order, place_of) for _, shown in evals]
        chunk = packed(TEXT_EDGE.join((as_json(heads), *texts)))
        # Sources do not count: the user asked for them, whatever their size.
        n_sources = sum(len(shown.source) for _, shown in evals)
        room -= int(len(chunk) * (1 - n_sources / max(1, sum(map(len, texts)))))
        if room < 0:
            break
        eval_ids += [eval_id for eval_id, _ in evals]
        chunks.append(chunk)
        sizes.append(len(evals))
    return PackedTexts(tuple(eval_ids), tuple(sizes), tuple(chunks))


def as_json(content: Any) -> str:
    """Return compact JSON for the script of a page."""
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def packed(plain: str) -> str:
    """Compress a text, in Base64, which contains nothing that looks like a tag of HTML."""
    # Negative bits leave out the header, since the script unpacks "deflate-raw".
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL + 1)
    return base64.b64encode(packer.compress(plain.encode()) + packer.flush()).decode()


def _chunks(
    batches: Iterable[Marked], systems: Sequence[str]
) -> Iterator[tuple[Marked, list[str]]]:
    """Join batches, since larger chunks compress better; also yield the texts of each chunk.

    An EVAL has the texts of its models and its peers, and its source.
    """
    evals, texts = list[tuple[str, ShownEval]](), list[str]()
    for batch in batches:
        evals += batch
        for _, shown in batch:
            peers = filter(None, map(shown.peers.get, systems))
            texts += map(_text, (*shown.models, *peers))
            texts += [_shown(shown.source)] if shown.source else []
        if sum(map(len, texts)) >= CHUNK:
            yield evals, texts
            evals, texts = [], []
    if evals:
        yield evals, texts


def _head(shown: ShownEval, systems: Sequence[str], places: Mapping[str, int]) -> dict[str, Any]:
    n_models = len(shown.models)
    marks = [shown.marks.get(system, ()) for system in systems]
    return {
        "m": n_models,
        "n": [escape_unprintable(name) for name in shown.names],
        "p": [int(system in shown.peers) for system in systems],
        "s": int(bool(shown.source)),
        "k": [[_marks(pairs, places, n_models) for pairs in sides] for sides in marks],
    }


def _marks(
    marks: Mapping[str, PairExplanation], place_of: Mapping[str, int], n_models: int
) -> list[Any]:
    """Return the indices of the metrics, the states of the words of both texts, and the counts."""
    pairs = list(marks.values())
    sides = [pair.peer_states for pair in pairs], [pair.model_states for pair in pairs]
    states = [letters for group in zip(*map(_letters, sides), strict=True) for letters in group]
    packed_marks: list[Any] = [[place_of[metric] for metric in marks], states]
    # With a single model, the counts and scores are those of the EVAL, which the page has anyway.
    if n_models > 1:
        tallies = [(pair.tally, int(pair.is_counted)) for pair in pairs]
        packed_marks.append(
            [[t.hit, t.model_count, t.peer_count, counted, *t.values] for t, counted in tallies]
        )
    return packed_marks


def _letters(states: Sequence[bytes]) -> Iterator[str]:
    """Yield, for every three metrics, a string with a letter per word, which encodes its states."""
    for start in range(0, len(states), METRICS_A_LETTER):
        group = states[start : start + METRICS_A_LETTER]
        numbers = sum(
            np.frombuffer(of_metric, np.uint8) * np.uint8(STATES**place)
            for place, of_metric in enumerate(group)
        )
        yield (numbers + np.uint8(FIRST_LETTER)).tobytes().decode("ascii")


def _text(text: ShownText) -> str:
    """Return a text with the edges of its words, and its tail.

    Edges are left out, which saves space, if the page finds the same words by `ASCII_WORD`.
    """
    pieces, tail = text
    whole = "".join(pieces)
    if whole.translate(IN_TEXTS).isprintable() and WORD_EDGE not in whole:
        is_split = len(pieces) == 1 or ASCII_WORD.split(whole) == list(pieces)
        read = whole if is_split else WORD_EDGE.join(pieces)
    else:
        read = WORD_EDGE.join(map(_shown, pieces))
    return f"{read}{TAIL_EDGE}{_shown(tail)}" if tail else read


def _shown(piece: str) -> str:
    if piece.isprintable():
        return piece
    return "".join(
        character
        if character in KEPT
        else " "
        if character.isspace()
        else escape_unprintable(character)
        for character in piece
    )


def explorer_of(
    results: Results, texts: PackedTexts, order: Sequence[str], chosen: str
) -> dict[str, Any]:
    """Return the data for the script that shows EVALs, by their names in the template of the page.

    The data are packed scores, packed texts chunk by chunk, the note of `PackedTexts`, and a key to
    the short names of systems.

    `order` lists the systems in the order of the page, which opens with the measure `chosen`, such
    as ``"ROUGE-1 F"``.
    """
    table, source = results.table, results.options.inputs.page_source
    systems = [table.systems[name] for name in order]
    eval_ids = all_eval_ids(systems)
    row_of = {eval_id: row for row, eval_id in enumerate(eval_ids)}
    # Scores that are rounded are packed as whole numbers, with their divisor: these are shorter.
    units = []
    for metric in table.metrics:
        columns = [system.columns[metric.name].values for system in systems]
        is_rounded = all(np.array_equal(np.rint(x * UNITS) / UNITS, x) for x in columns)
        units.append(int(UNITS) if is_rounded else 1)
    names = [escape_unprintable(system.id) for system in systems]
    short, key = short_names(names)
    content = {
        "systems": names,
        "shown": [short[name] for name in names],
        "metrics": [[metric.name, list(metric.measures)] for metric in table.metrics],
        "evals": [escape_unprintable(eval_id) for eval_id in eval_ids],
        "scores": [list(_scores(system, units, row_of)) for system in systems],
        "counts": [list(_counts(system, row_of)) for system in systems],
        "units": units,
        "lower": [int(metric.is_lower_better) for metric in table.metrics],
        "texts": [row_of[eval_id] for eval_id in texts.eval_ids],
        "chunks": list(texts.sizes),
        "source": escape_unprintable(source or ""),
        "fields": [
            _field(path, values, eval_ids)
            for path, values in results.fields.items()
            if path != source
        ],
        "percent": results.options.reports.percent,
        "chosen": chosen,
    }
    scores = packed(as_json(content))
    return {"note": texts.note, "key": key, "scores": scores, "texts": texts.chunks}


def _field(
    path: str, values: Mapping[str, Sequence[str]], eval_ids: Sequence[str]
) -> dict[str, Any]:
    shown = [tuple(map(escape_unprintable, values.get(eval_id, ()))) for eval_id in eval_ids]
    ordered = sorted({*chain.from_iterable(shown)}, key=str.casefold)
    if all(map(NUMBER.fullmatch, ordered)):
        ordered.sort(key=float)
    index_of = {value: index for index, value in enumerate(ordered)}
    rows = [[index_of[value] for value in dict.fromkeys(of_eval)] for of_eval in shown]
    # Most EVALs have one value, for which a number is shorter than a list.
    evals = [row[0] if len(row) == 1 else row for row in rows]
    return {"name": escape_unprintable(path), "values": ordered, "evals": evals}


def _scores(
    system: SystemTable, units: Sequence[int], row_of: Mapping[str, int]
) -> Iterator[list[list[Any]]]:
    for unit, column in zip(units, system.columns.values(), strict=True):
        values = column.values if unit == 1 else np.rint(column.values * unit).astype(np.int64)
        yield [_spread(scores, system, row_of) for scores in values.tolist()]


def _counts(system: SystemTable, row_of: Mapping[str, int]) -> Iterator[list[list[Any]] | None]:
    for counts in (column.counts for column in system.columns.values()):
        arrays = () if counts is None else (counts.hit, counts.model_count, counts.peer_count)
        yield [_spread(plain_counts(values), system, row_of) for values in arrays] or None


def _spread(values: list[Any], system: SystemTable, row_of: Mapping[str, int]) -> list[Any]:
    """Return the values of a system in the order of all EVALs, with None for those it lacks."""
    if len(values) == len(row_of):
        return values
    score_of = dict(zip(system.eval_ids, values, strict=True))
    return [score_of.get(eval_id) for eval_id in row_of]


COMBINING = frozenset({"Mn", "Mc", "Me"})
BATCH = 200  # EVALs whose texts are marked and packed together
MOST_BYTES = 1_000_000  # EVALs with longer texts are left out
EVALS_OF_PASS = 5000  # EVALs whose texts are held while the input is read once


def outstanding_evals(table: ScoreTable, column: ScoreColumn, few: int) -> list[str]:
    """Return all EVALs, those first whose texts are most worth reading.

    They are chosen by their scores in `column`. EVALs with the largest differences between systems,
    with the lowest scores and with the highest ones take turns. If there are no more than `few`
    EVALs, they keep the order of the input.
    """
    systems = list(table.systems.values())
    eval_ids = all_eval_ids(systems)
    if len(eval_ids) <= few:
        return eval_ids
    row_of = {eval_id: row for row, eval_id in enumerate(eval_ids)}
    scores = np.full((len(eval_ids), len(systems)), np.nan)
    for number, system in enumerate(systems):
        rows = [row_of[eval_id] for eval_id in system.eval_ids]
        scores[rows, number] = score_matrix(system, [column])[:, 0]
    lowest, highest = np.nanmin(scores, axis=1), np.nanmax(scores, axis=1)
    keys = [lowest - highest, lowest, -highest] if len(systems) > 1 else [lowest, -highest]
    rankings = [np.argsort(key, kind="stable") for key in keys]
    in_turn = np.stack(rankings, axis=1).ravel().tolist()
    return [eval_ids[row] for row in dict.fromkeys(in_turn)]


def marked_batches(
    source: Input, eval_ids: Sequence[str], options: Options, environment: Mapping[str, str]
) -> Iterator[list[tuple[str, ShownEval]]]:
    """Yield the texts of EVALs with their matches, in the order of `eval_ids`.

    Raises InputError if a text can no longer be read.
    """
    # External metrics have no matches to show, and may be slow.
    counted = options.changed(also=())
    tokenizer = load_tokenizer(options.texts, environment)
    # The order of the page differs from that of the input. One pass over the input collects the
    # texts of many EVALs, which are then put in order.
    for first in range(0, len(eval_ids), EVALS_OF_PASS):
        wanted = dict.fromkeys(eval_ids[first : first + EVALS_OF_PASS])
        read = {
            texts.id: texts
            for texts in source.evals(wanted)
            if sum(len(text.content) for text in texts.texts) <= MOST_BYTES
        }
        present = [read[eval_id] for eval_id in wanted if eval_id in read]
        starts = range(0, len(present), BATCH)
        sizes = [min(BATCH, len(present) - start) for start in starts]
        for start in tracked(starts, "Texts of the page", sizes):
            yield list(_marked(source, present[start : start + BATCH], counted, tokenizer))


def _marked(
    source: Input, evals: Sequence[EvalTexts], options: Options, tokenizer: Tokenizer
) -> Iterator[tuple[str, ShownEval]]:
    explanations: Iterator[InstanceExplanation] = repeat(())
    if metrics_of(options.metrics):
        explanations = chain.from_iterable(
            explain_batch(batch, options, tokenizer, with_matches=False)
            for batch in HeldInput(evals, source.index.order, source).batches()
        )
    # Records of the same EVAL may have different documents, which are all shown.
    documents = source.index.fields.get(options.inputs.page_source or "", {})
    for texts in evals:
        explained = {system: next(explanations) for system in texts.peers}
        shown = _eval_texts(texts, explained, options)
        yield texts.id, replace(shown, source="\n\n".join(documents.get(texts.id, ())))


def _eval_texts(
    texts: EvalTexts, explained: Mapping[str, InstanceExplanation], options: Options
) -> ShownEval:
    peers: dict[str, ShownText] = {}
    marks = {}
    contents = [model.content for model in texts.models]
    models: tuple[ShownText, ...] = ()
    for system, explanation in explained.items():
        peer = texts.peers[system].content
        counted = [metric for metric in explanation if metric.pairs]
        if not counted:
            peers[system] = (_decoded(peer),), ""
            continue
        pairs = counted[0].pairs
        peers[system] = _read_text(peer, pairs[0].peer, options)
        models = models or tuple(
            _read_text(content, pair.model, options)
            for content, pair in zip(contents, pairs, strict=False)
        )
        marks[system] = tuple(_same_words(pair, counted, model) for model, pair in enumerate(pairs))
    models = models or tuple(((_decoded(model),), "") for model in contents)
    return ShownEval(models, texts.humans, peers, marks)


def _same_words(
    words: PairExplanation, metrics: Sequence[MetricExplanation], model: int
) -> dict[str, PairExplanation]:
    """Return the pair of each metric that reads as many words as the page shows."""
    # Metrics with other numbers of words, such as those of elements, cannot be marked in this text.
    sizes = (len(words.peer.words), len(words.model.words))
    pairs = {metric.metric.name: metric.pairs[model] for metric in metrics}
    return {
        name: pair
        for name, pair in pairs.items()
        if (len(pair.peer_states), len(pair.model_states)) == sizes
    }


def _read_text(text: bytes, seen: SeenText, options: Options) -> ShownText:
    """Return a text as the page shows it, with the words that ROUGE read in it."""
    if options.metrics.reads_only_elements:
        return _as_read(seen)
    find_words = _in_ascii_text if options.texts.reads_as_original else _in_text
    has_limit = options.texts.words > 0 or options.texts.bytes > 0
    return find_words(_decoded(text), seen, has_limit=has_limit)


def _in_ascii_text(text: str, seen: SeenText, *, has_limit: bool) -> ShownText:
    """Find the words that ROUGE-1.5.5 read in a text; stopwords become part of the separators."""
    wanted = list(seen.words)
    pieces = ASCII_WORD.split(text)
    if [piece.lower() for piece in pieces[1::2]] == wanted:
        return tuple(pieces), ""
    spans: list[tuple[int, int]] = []
    for match in ASCII_WORD.finditer(text):
        if len(spans) == len(wanted):
            break
        word, token = wanted[len(spans)], match[0].lower()
        # A limit in bytes may have cut the last word, of which only the beginning was read.
        is_cut = len(spans) == len(wanted) - 1 and has_limit and token.startswith(word)
        if token == word or is_cut:
            spans.append((match.start(), match.start() + len(word)))
    return _cut(text, spans, has_limit=has_limit) if len(spans) == len(wanted) else _as_read(seen)


def _in_text(text: str, seen: SeenText, *, has_limit: bool) -> ShownText:
    """Find words of any language in a text; if one is missing, show the words as they were read."""
    # Letters whose lower case has another length would shift all later positions.
    lowered = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)
    spans: list[tuple[int, int]] = []
    end = 0
    for word in seen.words:
        start = lowered.find(word.lower(), end)
        # Skip a match inside a longer word, such as a stopword that was left out.
        while start > end and lowered[start - 1].isalnum() and lowered[start].isascii():
            start = lowered.find(word.lower(), start + 1)
        if start < 0 or not word:
            return _as_read(seen)
        end = start + len(word)
        # A mark must not cut a vowel sign or accent from its letter.
        while end < len(text) and category(text[end]) in COMBINING:
            end += 1
        spans.append((start, end))
    return _cut(text, spans, has_limit=has_limit)


def _cut(text: str, spans: Sequence[tuple[int, int]], *, has_limit: bool) -> ShownText:
    pieces, edge = [], 0
    for start, end in spans:
        pieces += [text[edge:start], text[start:end]]
        edge = end
    rest = text[edge:].rstrip("\n")
    return ((*pieces, ""), rest) if has_limit else ((*pieces, rest), "")


def _as_read(seen: SeenText) -> ShownText:
    pieces, start = [""], 0
    for end in seen.sentence_ends:
        for word in seen.words[start:end]:
            pieces += [word, " "]
        pieces[-1] = "\n"
        start = end
    return tuple(pieces), ""


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", "backslashreplace").rstrip("\n")
