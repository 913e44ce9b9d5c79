"""Texts that are at hand as lists, as a corpus.

Messages name a text by its number, from 0 as Python counts.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import accumulate, chain, pairwise

import numpy as np

from rouge_cli.inputs.blocks import BLOCK_BYTES, Block, Pairs
from rouge_cli.inputs.evaluation import Evaluation, Instances, TextSource
from rouge_cli.inputs.source import Text
from rouge_cli.inputs.text_reader import TextReader

__all__ = ["ListCorpus", "ListPortion", "prediction_name", "reference_name"]


def prediction_name(number: int, systems: Sequence[str], system: int) -> str:
    """Name a prediction in a message."""
    return f"prediction {number}" + (f" of {systems[system]}" if systems else "")


def reference_name(number: int, model: int) -> str:
    """Name a reference in a message."""
    return f"reference {model} of prediction {number}"


@dataclass(frozen=True, slots=True)
class ListPortion:
    """Some EVALs: the predictions of each system, and the references that they share.

    Parameters
    ----------
    predictions : sequence of sequence of Text
        A sequence for each system, a text for each EVAL.
    references : sequence of sequence of Text
        Of each EVAL.
    first : int
        Number of the first EVAL, for messages.
    systems : sequence of str
        For messages; empty if there is but one, without a name.
    """

    predictions: Sequence[Sequence[Text]]
    references: Sequence[Sequence[Text]]
    first: int
    systems: Sequence[str] = ()

    def blocks(self) -> Iterator[Block]:
        """Yield all as one block."""
        n_systems, n_evals = len(self.predictions), len(self.references)
        n_models = np.fromiter(map(len, self.references), np.int64, n_evals)
        texts = _all_normalised([*chain(*self.predictions), *chain(*self.references)])
        peers = np.arange(n_systems * n_evals).reshape(n_systems, n_evals).T.ravel()
        first_models = n_systems * n_evals + np.cumsum(n_models) - n_models
        n_pairs = np.repeat(n_models, n_systems)
        starts = np.cumsum(n_pairs) - n_pairs
        model_shift = np.repeat(first_models, n_systems) - starts
        pairs = Pairs(
            np.repeat(peers, n_pairs),
            np.arange(int(n_pairs.sum())) + np.repeat(model_shift, n_pairs),
            starts,
        )
        yield Block(texts, pairs, self._describe)

    def _describe(self, text: int) -> str:
        """Name a text of the block."""
        n_evals = len(self.references)
        system, place = divmod(text, n_evals)
        if system < len(self.predictions):
            return prediction_name(self.first + place, self.systems, system)
        model = text - n_evals * len(self.predictions)
        ends = list(accumulate(map(len, self.references)))
        place = bisect_right(ends, model)
        first_model = ends[place] - len(self.references[place])
        return reference_name(self.first + place, model - first_model)


@dataclass(frozen=True, slots=True, eq=False)
class ListCorpus:
    """Texts that are at hand as lists.

    Parameters
    ----------
    systems : tuple of str
        In the order given.
    predictions : sequence of sequence of Text
        A sequence for each system.
    has_names : bool
        Whether the systems were given by name.
    """

    systems: tuple[str, ...]
    predictions: Sequence[Sequence[Text]]
    references: Sequence[Sequence[Text]]
    has_names: bool
    name: str = "lists"
    warnings: tuple[str, ...] = ()
    reader: TextReader = field(default_factory=TextReader)

    def instances(self) -> Instances:
        """Return the instances: the EVALs 1, 2 and so on, each with every system."""
        n_evals, n_systems = len(self.references), len(self.systems)
        eval_ids = [str(number) for number in range(1, n_evals + 1) for _ in range(n_systems)]
        return Instances(self.systems, eval_ids, np.tile(np.arange(n_systems), n_evals))

    def portions(self) -> Iterator[ListPortion]:
        """Cut the lists into portions of about `BLOCK_BYTES`."""
        n_texts = np.fromiter(map(len, self.references), np.int64, len(self.references))
        sizes = np.fromiter(map(_size, chain(*self.references)), np.int64, int(n_texts.sum()))
        size_before = np.concatenate(([0], np.cumsum(sizes)))[np.cumsum(n_texts) - n_texts]
        for texts in self.predictions:
            peer_sizes = np.fromiter(map(_size, texts), np.int64, len(texts))
            size_before += np.cumsum(peer_sizes) - peer_sizes
        starts = np.flatnonzero(np.diff(size_before // BLOCK_BYTES, prepend=-1)).tolist()
        names = self.systems if self.has_names else ()
        for start, stop in pairwise([*starts, len(self.references)]):
            predictions = [texts[start:stop] for texts in self.predictions]
            yield ListPortion(predictions, self.references[start:stop], start, names)

    def evaluations(self) -> Iterator[Evaluation]:
        """Yield the EVALs, their texts as contents."""
        for number, references in enumerate(self.references):
            texts = _all_normalised([texts[number] for texts in self.predictions])
            peers = {
                system: TextSource(prediction_name(number, (), 0), content=text)
                for system, text in zip(self.systems, texts, strict=True)
            }
            models = tuple(
                TextSource(reference_name(number, model), content=text)
                for model, text in enumerate(_all_normalised(references))
            )
            yield Evaluation(str(number + 1), peers, models)


def _size(text: Text) -> int:
    """Return about how many bytes a text has."""
    return len(text) if isinstance(text, str | bytes) else sum(map(len, text))


def _all_normalised(texts: Sequence[Text]) -> list[bytes]:
    """Return texts as bytes with a newline between sentences, and only there."""
    with suppress(TypeError, UnicodeEncodeError):
        # The common case: strings, and no half of a surrogate pair in them.
        return list(map(str.encode, texts))  # type: ignore[arg-type]
    return list(map(_normalised, texts))


def _normalised(text: Text) -> bytes:
    """Return a text as bytes with a newline between sentences, and only there."""
    if isinstance(text, str):
        return text.encode("utf-8", "surrogatepass")
    if isinstance(text, bytes):
        return text
    return b"\n".join([_normalised(sentence).replace(b"\n", b" ") for sentence in text])
