"""A sample of the texts of a run, which is searched for the findings of `rouge_cli.text.seen`.

The sample consists of texts that are read anyway. A warning gives the score of the sample as it is
and with the finding mended, so the sample is scored twice, but only if something was found.
"""

from collections.abc import Iterator, Sequence
from operator import itemgetter

import numpy as np

from rouge_cli.errors import RougeError
from rouge_cli.inputs.batch import Batch, BatchMaker
from rouge_cli.inputs.sentences import are_sentences_read
from rouge_cli.run.counting import BatchScorer
from rouge_cli.text.seen import SEEN, Seen, seen_marks

FIRST_INSTANCES, STEP = 128, 512
"""The sample consists of the first instances and every `STEP`-th later one. It does not depend on
how instances are divided into batches."""

MOST_BYTES = 1 << 17
"""Size at which the sample is complete. Examining this many bytes takes two milliseconds."""

LONGEST_EXAMPLE = 40
AT_BLANKS = frozenset({"whitespace", "whitespace-or-empty", "single-blanks"})


SampledInstance = tuple[tuple[bytes, ...], tuple[str, ...]]
"""A peer, followed by its models, and their places. Why not their numbers in the batch? That would
keep all texts of the batch in memory."""


class Sample:
    """A sample of the instances of a run.

    `takes` are the options that its input supports, `scorer` is that of the run.
    """

    def __init__(self, takes: frozenset[str], scorer: BatchScorer) -> None:
        self._takes, self.scorer = takes, scorer
        self._instances: list[SampledInstance] = []
        self._n_bytes = self._n_seen = 0

    def of(self, batch: Batch) -> Batch:
        """Add some instances of a batch to the sample; return the batch unchanged."""
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
            texts = tuple(batch.texts[number] for number in numbers)
            self._instances.append((texts, tuple(map(batch.describe, numbers))))
            self._n_bytes += sum(map(len, texts))
            if self._n_bytes >= MOST_BYTES:
                break
        return batch

    def warnings(self) -> Iterator[str]:
        """Yield a warning for each row of `SEEN` that is found in the sample."""
        for row, what in self._found():
            parts = f"{what}: {row.effect}", self.effect(row), self._remedy(row)
            yield "; ".join(filter(None, parts))

    def effect(self, row: Seen) -> str:
        """Say how mending a finding changes the score of the sample; empty if it does not."""
        if row.mended is None or not self._instances:
            return ""
        try:
            # The metrics of other packages may take long, so they are left out.
            options = self.scorer.options.changed(also=(), add_metric=(), soft=None, empty="warn")
            scorer = BatchScorer(options, self.scorer.tokenizer)
            if not scorer.metrics:
                return ""
            before = _mean_scores(scorer, self._instances)
            after = _mean_scores(scorer, [_mended(texts, row) for texts in self._instances])
        except (RougeError, ValueError):
            # The package of a protocol may refuse a text, and jieba may be missing.
            return ""
        name = max(before, key=lambda metric: abs(after[metric] - before[metric]))
        if round(before[name], 4) == round(after[name], 4):
            return ""
        n_pairs = len(self._instances)
        pairs = "this pair" if n_pairs == 1 else f"the {n_pairs} pairs looked at"
        return f"{name} of {pairs} is {before[name]:.4f}, and {after[name]:.4f} without"

    def _found(self) -> Iterator[tuple[Seen, str]]:
        peers = [texts[0] for texts, _ in self._instances]
        models = [model for texts, _ in self._instances for model in texts[1:]]
        may_hold = seen_marks(b"\n".join((*peers, *models)))
        conditions = self._conditions()
        separators: list[tuple[int, Seen, str]] = []
        for row in SEEN:
            if row.separator and self.scorer.options.inputs.sentences is not None:
                # --sentences splits texts already, and excludes --sentence-separator.
                continue
            if row.flag or not conditions[row.applies] or not may_hold(row):
                continue
            if (seen := self._hits(row, peers, models)) is None:
                continue
            n_hits, what = seen
            if row.separator:
                separators.append((n_hits, row, what))
            else:
                yield row, what
        # Only one separator can be given, so the most frequent one is reported.
        if separators:
            _, row, what = max(separators, key=itemgetter(0))
            yield row, what

    def _conditions(self) -> dict[str, bool]:
        """Return whether a finding matters in this run, by `Seen.applies`."""
        options, protocol = self.scorer.options, self.scorer.options.metrics.protocol
        is_at_blanks = options.texts.tokenizer == "whitespace"
        if protocol is not None and protocol.metric is not None:
            text = protocol.metric.protocol.text
            is_at_blanks = text.words in AT_BLANKS and text.prepare == "none"
        return {
            "": True,
            "sentences": are_sentences_read(options.metrics),
            "blanks": is_at_blanks,
            "no nfkc": options.texts.normalization != "nfkc" and protocol is None,
            "not UTF-8": "encoding" in self._takes and not options.inputs.encoding,
        }

    def _hits(
        self, row: Seen, peers: Sequence[bytes], models: Sequence[bytes]
    ) -> tuple[int, str] | None:
        if row.of_models:
            # Models that may be the sentences of a single text: each is one line.
            texts = [
                b"" if any(b"\n" in model for model in models) else b"\n".join(models)
                for (_, *models), _ in self._instances
            ]
            # A peer of few words may answer a question, with alternative answers as its models.
            is_long = [
                peer.count(b" ") >= len(models) // 2 for (peer, *models), _ in self._instances
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
            owners = [(i, rank) for i in self._instances for rank in range(1, len(i[0]))]
            (texts, places), rank = owners[number]
        else:
            (texts, places), rank = self._instances[number], int(side == "text")
        text = texts[rank].decode("utf-8", "replace")
        more = "..." if len(text) > LONGEST_EXAMPLE else ""
        return f"{text[:LONGEST_EXAMPLE]!r}{more}", places[rank]

    def _remedy(self, row: Seen) -> str:
        if not row.separator:
            return row.remedy
        if "sentence_separator" not in self._takes:
            return "write a newline in its place, if it stands between sentences"
        return f"give --sentence-separator {row.separator!r} if it stands between sentences"


def _mean_scores(scorer: BatchScorer, instances: Sequence[SampledInstance]) -> dict[str, float]:
    """Return the mean of each metric's last measure over the instances."""
    maker = BatchMaker(names_evals=False)
    for number, ((peer, *models), _) in enumerate(instances):
        maker.add(number, str(number), models, [0], [peer])
    scored = scorer(maker.take(lambda group, rank: ""))
    columns = (column for metric in scorer.metrics for column in metric.columns)
    return {
        f"{column.name} {column.measures[-1]}": float(
            np.mean(scores.values[len(column.measures) - 1])
        )
        for column, scores in zip(columns, scored.scores, strict=True)
    }


def _mended(instance: SampledInstance, row: Seen) -> SampledInstance:
    mend = row.mended or bytes
    (peer, *models), places = instance
    if row.of_models:
        return (peer, mend(b"\n".join(models))), places
    return tuple(mend(text) if row.is_in(text) else text for text in instance[0]), places
