"""What is shown of a peer and one of its models: both texts with marks, and what matches."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from rouge_cli.escapes import escape_unprintable
from rouge_cli.explanations.explanation import PairExplanation, SeenText, Word
from rouge_cli.metrics.marks import COUNTED, Alignment, Match, Place
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.document import Line, Span, WordMark
from rouge_cli.reports.wording import counted

MOST_MATCHES = 12
"""So many matches of a kind are listed; the others are counted."""

SENTENCE_END = Span("/", WordMark.QUIET, ends_sentence=True)
STATES = (WordMark.QUIET, WordMark.CLIPPED, WordMark.COUNTED)
"""By the state of a word."""

Lines = Iterator[Line]


def count_number(value: float) -> str:
    """Write a count; those of ROUGE-W may be fractions."""
    return str(value) if isinstance(value, int) else f"{value:.5f}"


@dataclass(frozen=True, slots=True)
class PairLines:
    """What is shown of a peer and one of its models."""

    pair: PairExplanation
    name: str

    def lines(self) -> Lines:
        """Yield both texts, marked, and what matches."""
        pair = self.pair
        yield Line("peer", self._marked(pair.peer, pair.peer_states), is_side=True)
        yield Line(self.name, self._marked(pair.model, pair.model_states), is_side=True)
        if pair.marks.peer_matches is not None:
            yield from self._best_sentences()
        elif pair.marks.alignments:
            yield from self._union()
        else:
            yield from self._matches()
        yield from self._clipped()
        if pair.marks.runs:
            yield from self._runs()

    def _marked(self, text: SeenText, states: bytes) -> tuple[Span, ...]:
        """Write a text with its marks, and the ends of sentences that are aligned."""
        ends = set(text.sentence_ends if self.pair.marks.alignments else ()) - {0, len(text.words)}
        spans = []
        for number, (word, state) in enumerate(zip(text.words, states, strict=True), 1):
            spans.append(_span(word, STATES[state]))
            if number in ends:
                spans.append(SENTENCE_END)
        return tuple(spans) or (Span("(no words)", WordMark.QUIET),)

    def _matches(self) -> Lines:
        """List what counts; of many matches, the first ones."""
        matches = [match for match in self.pair.marks.matches if match.hits]
        if not matches:
            yield Line.of("matches", "none")
            return
        text = ", ".join(map(self._match, matches[:MOST_MATCHES]))
        n_hits = sum(match.hits for match in matches)
        kinds = f" of {len(matches)} kinds" if n_hits > len(matches) > MOST_MATCHES else ""
        if (more := len(matches) - MOST_MATCHES) > 0:
            text += f", and {more} more"
        yield Line.of("matches", f"{counted(n_hits, 'hit')}{kinds}: {text}")

    def _match(self, match: Match) -> str:
        """Write a match."""
        unit = self._unit(match)
        if match.similarity is None:
            return unit if match.hits == 1 else f"{unit} x{match.hits}"
        near = _unit(self.pair.peer, match.peer[0], has_gaps=False)
        return f"{near} ~ {unit} ({match.similarity:.3f})"

    def _unit(self, match: Match) -> str:
        """Write what matches, as the model has it."""
        places = (*match.peer, *match.model)
        has_gaps = any(place[-1] - place[0] >= len(place) for place in places)
        return _unit(self.pair.model, match.model[0], has_gaps=has_gaps)

    def _clipped(self) -> Lines:
        """Say what does not count, and why."""
        pair = self.pair
        where = " on an LCS" if pair.marks.alignments else ""
        clipped = [m for m in pair.marks.matches if m.hits < max(len(m.peer), len(m.model))]
        for match in clipped[:MOST_MATCHES]:
            sizes = f"{len(match.peer)} in the peer, {len(match.model)} in the model{where}"
            yield Line.of("clipped", f"{self._unit(match)}: {sizes}: {_count(match.hits)}")
        if (more := len(clipped) - MOST_MATCHES) > 0:
            yield Line.of("", f"and {more} more")

    def _union(self) -> Lines:
        """Show the LCS sentence by sentence, and the union of each sentence of the model."""
        pair = self.pair
        by_sentence: dict[int, list[Alignment]] = {}
        for alignment in pair.marks.alignments:
            by_sentence.setdefault(alignment.model_sentence, []).append(alignment)
        for sentence, alignments in by_sentence.items():
            is_one = len(pair.model.sentence_ends) == 1
            label = "LCS" if is_one else f"sentence {sentence + 1}"
            if len(alignments) > 1:
                for alignment in alignments:
                    words = [model for model, _ in alignment.words]
                    where = f"LCS with sentence {alignment.peer_sentence + 1} of the peer"
                    yield Line.of(label, f"{where}, {_words(pair.model, words)}")
            union = sorted({model for alignment in alignments for model, _ in alignment.words})
            n_counted = sum(pair.model_states[word] == COUNTED for word in union)
            what = "union, " if len(alignments) > 1 else "" if is_one else "LCS, "
            share = "" if n_counted == len(union) else f", of which {_count(n_counted)}"
            yield Line.of(label, f"{what}{_words(pair.model, union, share)}")

    def _best_sentences(self) -> Lines:
        """Show for each sentence the LCS with the sentence that suits it best."""
        marks, model, peer = self.pair.marks, self.pair.model, self.pair.peer
        of_model = [(match.model[0][0], match.peer[0][0]) for match in marks.matches]
        of_peer = [(match.peer[0][0], match.model[0][0]) for match in marks.peer_matches or ()]
        yield from _best("for R", ("the model", model), ("the peer", peer), of_model)
        yield from _best("for P", ("the peer", peer), ("the model", model), of_peer)

    def _runs(self) -> Lines:
        """Show the runs of ROUGE-W, and what each adds."""
        pair = self.pair
        for run in pair.marks.runs:
            words = [
                word for word in range(run.start, run.end) if pair.model_states[word] == COUNTED
            ]
            yield Line.of("run", f"adds {count_number(run.weight)}, {_words(pair.model, words)}")
        n_lost = pair.model_states.count(COUNTED) - sum(run.length for run in pair.marks.runs)
        if n_lost:
            what = counted(n_lost, "word")
            yield Line.of("lost", f"{what} behind the last run of a sentence, which no run closes")


def _count(hits: int) -> str:
    """Say how many of something count."""
    return f"{hits} counts" if hits == 1 else f"{hits or 'none'} count"


def _best(
    label: str,
    side: tuple[str, SeenText],
    other: tuple[str, SeenText],
    words: list[tuple[int, int]],
) -> Lines:
    """Yield a line for each sentence of a side: its words, and the sentence that has them."""
    by_sentence: dict[tuple[int, int], list[int]] = {}
    for word, other_word in words:
        best = bisect_right(other[1].sentence_ends, other_word)
        by_sentence.setdefault((bisect_right(side[1].sentence_ends, word), best), []).append(word)
    for (sentence, best), matched in by_sentence.items():
        where = f"sentence {sentence + 1} of {side[0]}, best with sentence {best + 1} of {other[0]}"
        yield Line.of(label, f"{where}, {_words(side[1], sorted(matched))}")


def _span(word: Word, mark: WordMark = WordMark.NONE) -> Span:
    """Return a word, with its stem if that is another."""
    stem = "" if word.stem in {None, word.text} else escape_unprintable(str(word.stem))
    return Span(escape_unprintable(word.text), mark, stem)


def _word(word: Word) -> str:
    """Write a word, with its stem if that is another."""
    return _span(word).shown


def _words(text: SeenText, places: Sequence[int], share: str = "") -> str:
    """Write how many words they are, and the words."""
    words = " ".join(_word(text.words[place]) for place in places)
    return f"{counted(len(places), 'word')}{share}: {words}"


def _unit(text: SeenText, place: Place, *, has_gaps: bool) -> str:
    """Write the words of a unit; dots stand for what may be between them."""
    return (" .. " if has_gaps else " ").join(_word(text.words[word]) for word in place)
