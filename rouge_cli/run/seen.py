"""A sample of the texts of a run, searched for the findings of `rouge_cli.text.seen`.

The sample consists of texts that are read anyway. A warning about a finding gives the score of the
sample before and after its texts are mended, so the sample is scored twice, but only if there is a
finding.
"""

from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from rouge_cli.errors import RougeError
from rouge_cli.inputs.batch import Batch, BatchMaker
from rouge_cli.inputs.sentences import are_sentences_read
from rouge_cli.metrics.metric import metrics_of
from rouge_cli.options.options import Options
from rouge_cli.run.counting import score_batch
from rouge_cli.text.seen import SEEN, Seen, seen_marks
from rouge_cli.text.tokenizer import Tokenizer

FIRST_INSTANCES, STEP = 128, 512
"""The sample is the first instances and every `STEP`-th later one, independent of batches."""

MOST_BYTES = 1 << 17
"""Maximum number of bytes to examine, which takes two milliseconds."""

LONGEST_EXAMPLE = 40
AT_BLANKS = frozenset({"whitespace", "whitespace-or-empty", "single-blanks"})


class SampledInstance(NamedTuple):
    """A peer and its models, and the places of all of them: a batch would keep all of its IDs."""

    peer: bytes
    models: tuple[bytes, ...]
    places: tuple[str, ...]


def _splits_at_blanks(options: Options) -> bool:
    protocol = options.metrics.protocol
    if protocol is not None and protocol.metric is not None:
        text = protocol.metric.protocol.text
        return text.words in AT_BLANKS and text.prepare == "none"
    return options.texts.tokenizer == "whitespace"


APPLIES: dict[str, Callable[[Options, frozenset[str]], bool]] = {
    "": lambda options, takes: True,
    "sentences": lambda options, takes: are_sentences_read(options.metrics),
    "blanks": lambda options, takes: _splits_at_blanks(options),
    "no nfkc": lambda options, takes: (
        options.texts.normalization != "nfkc" and options.metrics.protocol is None
    ),
    "not UTF-8": lambda options, takes: "encoding" in takes and not options.inputs.encoding,
}
"""When a finding matters; see `Seen.applies`."""


class Sample:
    """The first instances of a run, and some later ones; `takes` are options of the input."""

    def __init__(self, takes: frozenset[str]) -> None:
        self._takes = takes
        self._instances: list[SampledInstance] = []
        self._n_bytes = self._n_seen = 0

    def of(self, batch: Batch) -> Batch:
        """Take some instances of a batch, and return the batch."""
        start = self._n_seen
        self._n_seen += batch.pairs.starts.size
        if self._n_bytes >= MOST_BYTES:
            return batch
        bounds = np.append(batch.pairs.starts, batch.pairs.peers.size)
        first_later = max(FIRST_INSTANCES, -(-start // STEP) * STEP)
        at_start = range(start, min(self._n_seen, FIRST_INSTANCES))
        for number in (*at_start, *range(first_later, self._n_seen, STEP)):
            instance = number - start
            first, last = bounds[instance : instance + 2].tolist()
            numbers = (int(batch.pairs.peers[first]), *batch.pairs.models[first:last].tolist())
            peer, *models = (batch.texts[number] for number in numbers)
            places = tuple(map(batch.describe, numbers))
            self._instances.append(SampledInstance(peer, tuple(models), places))
            self._n_bytes += len(peer) + sum(map(len, models))
            if self._n_bytes >= MOST_BYTES:
                break
        return batch

    def warnings(self, options: Options, tokenizer: Tokenizer) -> Iterator[str]:
        """Yield warnings about the sample, row by row."""
        for row, what in self._found(options):
            effect = self.effect(row, options, tokenizer)
            yield "; ".join(
                filter(None, (f"{what}: {row.effect}", effect, self._remedy(row, options)))
            )

    def effect(self, row: Seen, options: Options, tokenizer: Tokenizer) -> str:
        """Return the score of the sample, and its score after mending."""
        if row.mended is None or not self._instances:
            return ""
        try:
            # Metrics of other packages may take long.
            asked = options.changed(also=(), add_metric=(), soft=None, empty="warn")
            if not metrics_of(asked.metrics):
                return ""
            before = self._scores(self._instances, asked, tokenizer)
            mended = [_mended(instance, row) for instance in self._instances]
            after = self._scores(mended, asked, tokenizer)
        except (RougeError, ValueError):
            # Mended or not, the package of a protocol may refuse a text; jieba may be missing.
            return ""
        name = max(before, key=lambda metric: abs(after[metric] - before[metric]))
        if round(before[name], 4) == round(after[name], 4):
            return ""
        n_pairs = len(self._instances)
        pairs = "this pair" if n_pairs == 1 else f"the {n_pairs} pairs looked at"
        return f"{name} of {pairs} is {before[name]:.4f}, and {after[name]:.4f} without"

    def _found(self, options: Options) -> Iterator[tuple[Seen, str]]:
        peers = [instance.peer for instance in self._instances]
        models = [model for instance in self._instances for model in instance.models]
        may_hold = seen_marks(b"\n".join((*peers, *models)))
        separators: list[tuple[int, Seen, str]] = []
        for row in SEEN:
            if row.separator and options.inputs.sentences is not None:
                # Sentences are looked for by a model, and the two options exclude each other.
                continue
            if row.flag or not APPLIES[row.applies](options, self._takes):
                continue
            if not may_hold(row):
                continue
            if (seen := self._hits(row, peers, models)) is None:
                continue
            n_hits, what = seen
            if row.separator:
                separators.append((n_hits, row, what))
            else:
                yield row, what
        if separators:
            _, row, what = max(separators, key=itemgetter(0))
            yield row, what

    def _hits(
        self, row: Seen, peers: Sequence[bytes], models: Sequence[bytes]
    ) -> tuple[int, str] | None:
        if row.of_models:
            texts = [
                b""
                if any(b"\n" in model for model in instance.models)
                else b"\n".join(instance.models)
                for instance in self._instances
            ]
            # A question may be answered by several words.
            is_long = [
                instance.peer.count(b" ") >= len(instance.models) // 2
                for instance in self._instances
            ]
            hits = [n for n, text in enumerate(texts) if row.is_in(text) and is_long[n]]
            sides = [("text", hits, len(texts))]
        else:
            sides = [
                (name, [n for n, text in enumerate(texts) if row.is_in(text)], len(texts))
                for name, texts in (("prediction", peers), ("reference", models))
            ]
        name, hits, n_all = max(sides, key=lambda side: len(side[1]) / max(side[2], 1))
        if not hits or len(hits) < row.least * n_all:
            return None
        example, place = self._example(name, hits[0])
        hold = "holds" if len(hits) == 1 else "hold"
        s = "s" * (n_all > 1)
        return len(hits), (
            f"{len(hits)} of {n_all} {name}{s} looked at {hold} {row.what}, the first {place}, "
            f"{example}"
        )

    def _example(self, side: str, number: int) -> tuple[str, str]:
        if side == "reference":
            owners = [(i, rank) for i in self._instances for rank in range(1, len(i.places))]
            instance, rank = owners[number]
        else:
            instance, rank = self._instances[number], int(side == "text")
        text = (instance.peer, *instance.models)[rank].decode("utf-8", "replace")
        more = "..." if len(text) > LONGEST_EXAMPLE else ""
        return f"{text[:LONGEST_EXAMPLE]!r}{more}", instance.places[rank]

    def _remedy(self, row: Seen, options: Options) -> str:
        if not row.separator:
            return row.remedy
        if "sentence_separator" not in self._takes:
            return "write a newline in its place, if it stands between sentences"
        return f"give --sentence-separator {row.separator!r} if it stands between sentences"

    def _scores(
        self, instances: Sequence[SampledInstance], options: Options, tokenizer: Tokenizer
    ) -> dict[str, float]:
        maker = BatchMaker(names_evals=False)
        for number, instance in enumerate(instances):
            maker.add(number, str(number), instance.models, [0], [instance.peer])
        scored = score_batch(maker.take(lambda group, rank: ""), options, tokenizer)
        columns = [column for metric in metrics_of(options.metrics) for column in metric.columns]
        return {
            f"{column.name} {column.measures[-1]}": float(
                np.mean(scores.values[len(column.measures) - 1])
            )
            for column, scores in zip(columns, scored.scores, strict=True)
        }


def _mended(instance: SampledInstance, row: Seen) -> SampledInstance:
    mend = row.mended or bytes
    if row.of_models:
        return instance._replace(models=(mend(b"\n".join(instance.models)),))
    peer, *models = (
        mend(text) if row.is_in(text) else text for text in (instance.peer, *instance.models)
    )
    return instance._replace(peer=peer, models=tuple(models))
