"""Texts that are at hand as lists, as a corpus.

Messages name a text by its number, from 0 as Python counts.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from itertools import accumulate, chain, pairwise
from typing import Any

import numpy as np

from rouge_cli.errors import InputError, Problems
from rouge_cli.escapes import escaped
from rouge_cli.inputs.blocks import BLOCK_BYTES, LONG_TEXT_SHIFT, Block, Pairs
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM, Evaluation, Instances, TextSource
from rouge_cli.inputs.formats import element_problems
from rouge_cli.inputs.sentences import Splitter
from rouge_cli.inputs.source import GivenTexts, Text
from rouge_cli.inputs.text_reader import TextReader
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass

__all__ = ["ListCorpus", "ListPortion", "list_corpus"]

_ONE_PAIR = Pairs(np.array([0]), np.array([1]), np.array([0]))
"""A prediction and its only reference, as programs have them that score pair by pair."""


def _prediction_name(number: int, systems: Sequence[str], system: int) -> str:
    """Name a prediction in a message."""
    return f"prediction {number}" + (f" of {escaped(systems[system])}" if systems else "")


def _reference_name(number: int, model: int) -> str:
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
        texts = _all_normalised([*chain(*self.predictions), *chain.from_iterable(self.references)])
        if n_systems == n_evals == 1 and len(texts) == 1 + 1:
            yield Block(texts, _ONE_PAIR, self._describe)
            return
        n_models = np.fromiter(map(len, self.references), np.int64, n_evals)
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
            return _prediction_name(self.first + place, self.systems, system)
        model = text - n_evals * len(self.predictions)
        ends = list(accumulate(map(len, self.references)))
        place = bisect_right(ends, model)
        first_model = ends[place] - len(self.references[place])
        return _reference_name(self.first + place, model - first_model)


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
    has_lists : bool
        Whether some text came as a list of its sentences.
    """

    systems: tuple[str, ...]
    predictions: Sequence[Sequence[Text]]
    references: Sequence[Sequence[Text]]
    has_names: bool
    has_lists: bool
    name: str = "lists"
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    reader: TextReader = field(default_factory=TextReader)
    is_original: bool = False

    def instances(self) -> Instances:
        """Return the instances: the EVALs 1, 2 and so on, each with every system."""
        n_evals, n_systems = len(self.references), len(self.systems)
        ids = map(str, range(1, n_evals + 1))
        eval_ids = list(ids) if n_systems == 1 else [one for one in ids for _ in self.systems]
        return Instances(self.systems, eval_ids, [*range(n_systems)] * n_evals)

    def portions(self) -> Iterator[ListPortion]:
        """Cut the lists into portions of about `BLOCK_BYTES`; long texts count several times."""
        names = self.systems if self.has_names else ()
        if len(self.references) == 1:
            yield ListPortion(self.predictions, self.references, 0, names)
            return
        n_texts = np.fromiter(map(len, self.references), np.int64, len(self.references))
        size = _size if self.has_lists else len
        each = chain.from_iterable(self.references)
        sizes = np.fromiter(map(size, each), np.int64, int(n_texts.sum()))
        sizes += sizes * (sizes >> LONG_TEXT_SHIFT)
        size_before = np.concatenate(([0], np.cumsum(sizes)))[np.cumsum(n_texts) - n_texts]
        for texts in self.predictions:
            peer_sizes = np.fromiter(map(size, texts), np.int64, len(texts))
            peer_sizes += peer_sizes * (peer_sizes >> LONG_TEXT_SHIFT)
            size_before += np.cumsum(peer_sizes) - peer_sizes
        starts = np.flatnonzero(np.diff(size_before // BLOCK_BYTES, prepend=-1)).tolist()
        for start, stop in pairwise([*starts, len(self.references)]):
            predictions = [texts[start:stop] for texts in self.predictions]
            yield ListPortion(predictions, self.references[start:stop], start, names)

    def evaluations(self) -> Iterator[Evaluation]:
        """Yield the EVALs, their texts as contents."""
        for number, references in enumerate(self.references):
            texts = _all_normalised([texts[number] for texts in self.predictions])
            peers = {
                system: TextSource(_prediction_name(number, (), 0), content=text)
                for system, text in zip(self.systems, texts, strict=True)
            }
            models = tuple(
                TextSource(_reference_name(number, model), content=text)
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


def list_corpus(texts: GivenTexts, split: Splitter | None, metrics: MetricOptions) -> ListCorpus:
    """Check lists of texts, split those that are strings, and return all as a corpus.

    Raises InputError with the number of each text that cannot be used.
    """
    predictions, references = texts.predictions, texts.references
    has_names = isinstance(predictions, Mapping)
    by_system = predictions if isinstance(predictions, Mapping) else {DEFAULT_SYSTEM: predictions}
    if isinstance(references, str | bytes) or any(
        isinstance(texts, str | bytes) for texts in by_system.values()
    ):
        raise InputError(
            "found one string; expected a list of predictions and a list of references"
        )
    if not by_system:
        raise InputError("no systems; expected a list of predictions for each system")
    by_eval = _lists_of_references(references)
    lists = [list(texts) for texts in by_system.values()]
    has_lists = _check_lists(lists, by_eval, tuple(by_system) if has_names else ())
    if split is not None:
        lists = [_split(texts, split) for texts in lists]
        by_eval = [_split(texts, split) for texts in by_eval]
    corpus = ListCorpus(tuple(by_system), lists, by_eval, has_names, has_lists)
    if metrics.basic_elements is not None:
        _check_elements(metrics, corpus)
    return corpus


def _lists_of_references(references: Iterable[Any]) -> list[Any]:
    """Return the references of each EVAL as a list, of a lone one too."""
    given = list(references)
    if set(map(type, given)) <= {str, bytes}:
        return list(zip(given))  # The common case, made without a Python loop.
    return [[texts] if isinstance(texts, str | bytes) else texts for texts in given]


def _split(texts: Sequence[Text], split: Splitter) -> list[Text]:
    """Split texts into sentences; those that are lists of sentences stay."""
    encoded = [
        text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text for text in texts
    ]
    return [split(text) if isinstance(text, bytes) else text for text in encoded]


def _check_lists(
    predictions: Sequence[Sequence[object]],
    references: Sequence[Sequence[object]],
    systems: Sequence[str],
) -> bool:
    """Refuse lists of different lengths, predictions without references, and what is no text.

    Returns whether some text is a list of its sentences.
    """
    for number, texts in enumerate(predictions):
        if len(texts) != len(references):
            of_system = f" of {escaped(systems[number])}" if systems else ""
            raise InputError(
                f"{len(texts)} predictions{of_system} but {len(references)} lists of references; "
                "expected one list of references for each prediction"
            )
    # The common case, checked without a Python loop over the texts.
    is_plain = set(map(type, references)) <= {list, tuple} and all(references)
    texts_of_each = chain(*predictions, chain.from_iterable(references))
    if is_plain and set(map(type, texts_of_each)) <= {str, bytes}:
        return False
    problems = Problems()
    for system, texts in enumerate(predictions):
        for place, text in enumerate(texts):
            if not _is_text(text):
                problems.add(_prediction_name(place, systems, system), _no_text(text))
    for place, texts in enumerate(references):
        if not isinstance(texts, Sequence) or not texts:
            problems.add(f"prediction {place}", "no references; expected at least one text")
            continue
        for model, text in enumerate(texts):
            if not _is_text(text):
                problems.add(_reference_name(place, model), _no_text(text))
    problems.raise_any()
    kinds = set(map(type, chain(*predictions, chain.from_iterable(references))))
    return not all(issubclass(kind, str | bytes) for kind in kinds)


def _is_text(text: object) -> bool:
    """Return whether `text` is one: a string or a sequence of strings."""
    if isinstance(text, str | bytes):
        return True
    return isinstance(text, Sequence) and all(isinstance(part, str | bytes) for part in text)


def _no_text(found: object) -> str:
    """Say that something is no text."""
    return (
        f"found {type(found).__name__}, expected a text: a string with a newline between "
        "sentences, or a list of sentences"
    )


def _check_elements(metrics: MetricOptions, corpus: ListCorpus) -> None:
    """Refuse lines that are no Basic Elements, and metrics that do not read them."""
    if not metrics.reads_only_elements:
        raise InputError(
            "basic_elements reads texts of Basic Elements, but metrics on words are asked for too; "
            "expected either"
        )
    problems = Problems()
    for portion in corpus.portions():
        for block in portion.blocks():
            for text, content in enumerate(block.texts):
                for place, problem in element_problems(content, block.describe(text)):
                    problems.add(place, problem)
    problems.raise_any()
