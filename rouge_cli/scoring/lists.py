"""Texts that are at hand as Python lists: the input of `rouge_cli.evaluate`."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np

from rouge_cli.errors import InputError, OptionError
from rouge_cli.formats import element_problems
from rouge_cli.options import Options
from rouge_cli.scoring.blocks import BLOCK_BYTES, Block, Pairs
from rouge_cli.scoring.context import RunContext
from rouge_cli.scoring.instances import Instances
from rouge_cli.scoring.pipeline import DEFAULT_SYSTEM, score_portions
from rouge_cli.scoring.results import Results

__all__ = ["Text", "score_lists"]

FILE_OPTIONS = ("all", "list_format", "peer_lines", "model_lines", "sentence_separator", "verbose")

Text = str | bytes | Sequence[str | bytes]
"""A text: a string with a newline between sentences, or a sequence of sentences."""


@dataclass(frozen=True, slots=True)
class ListPortion:
    """Some predictions and the references of each.

    Parameters
    ----------
    predictions : sequence of Text
    references : sequence of sequence of Text
    first : int
        Number of the first prediction, for messages.
    """

    predictions: Sequence[Text]
    references: Sequence[Sequence[Text]]
    first: int

    def blocks(self) -> Iterator[Block]:
        """Yield all as one block."""
        n_peers = len(self.predictions)
        n_models = np.fromiter(map(len, self.references), np.int64, n_peers)
        ends = np.cumsum(n_models)
        texts = _all_normalised([*self.predictions, *chain(*self.references)])
        pairs = Pairs(
            np.repeat(np.arange(n_peers), n_models),
            np.arange(n_peers, len(texts)),
            ends - n_models,
        )
        yield Block(texts, pairs, lambda text: self._describe(text, ends.tolist()))

    def _describe(self, text: int, ends: list[int]) -> str:
        """Name a text of the block."""
        if text < len(ends):
            return f"prediction {self.first + text}"
        model = text - len(ends)
        instance = next(k for k, end in enumerate(ends) if model < end)
        number = model - (ends[instance] - len(self.references[instance]))
        return f"reference {number} of prediction {self.first + instance}"


def score_lists(
    predictions: Sequence[Text], references: Sequence[Sequence[Text]], options: Options
) -> Results:
    """Score predictions against their references.

    Parameters
    ----------
    predictions : sequence of Text
    references : sequence of sequence of Text
        At least one reference for each prediction.
    options : Options

    Raises
    ------
    InputError
        Before anything is scored, with the number of each prediction that cannot be used.
    """
    given = [name for name in FILE_OPTIONS if getattr(options, name)]
    if given:
        raise OptionError(f"{given[0]} is for files; texts come as lists here")
    if isinstance(predictions, str | bytes) or isinstance(references, str | bytes):
        raise InputError(
            "found one string; expected a list of predictions and a list of references"
        )
    predictions, references = list(predictions), list(references)
    by_prediction = [[texts] if isinstance(texts, str | bytes) else texts for texts in references]
    _check(predictions, by_prediction)
    n_instances = len(predictions)
    instances = Instances(
        (DEFAULT_SYSTEM,), list(map(str, range(1, n_instances + 1))), [0] * n_instances
    )
    portions = _portions(predictions, by_prediction)
    if options.basic_elements is not None:
        _check_elements(options, _portions(predictions, by_prediction))
    return score_portions(portions, instances, options, RunContext())


def _portions(
    predictions: Sequence[Text], references: Sequence[Sequence[Text]]
) -> Iterator[ListPortion]:
    """Cut the lists into portions of about `BLOCK_BYTES`."""
    n_texts = np.fromiter(map(len, references), np.int64, len(references))
    sizes = np.fromiter(map(_size, chain(*references)), np.int64, int(n_texts.sum()))
    peer_sizes = np.fromiter(map(_size, predictions), np.int64, len(predictions))
    size_before = np.cumsum(peer_sizes) - peer_sizes
    size_before += np.concatenate(([0], np.cumsum(sizes)))[np.cumsum(n_texts) - n_texts]
    starts = np.flatnonzero(np.diff(size_before // BLOCK_BYTES, prepend=-1)).tolist()
    for start, stop in pairwise([*starts, len(predictions)]):
        yield ListPortion(predictions[start:stop], references[start:stop], start)


def _size(text: Text) -> int:
    """Return about how many bytes a text has."""
    return len(text) if isinstance(text, str | bytes) else sum(map(len, text))


def _check(predictions: Sequence[Text], references: Sequence[Sequence[Text]]) -> None:
    """Refuse lists of different lengths, predictions without references, and what is no text."""
    if len(predictions) != len(references):
        raise InputError(
            f"{len(predictions)} predictions but {len(references)} lists of references; "
            "expected one list of references for each prediction"
        )
    # The common case, checked without a Python loop over the texts.
    is_plain = set(map(type, references)) <= {list, tuple} and all(references)
    if is_plain and set(map(type, chain(predictions, *references))) <= {str, bytes}:
        return
    problems = []
    for number, (prediction, texts) in enumerate(zip(predictions, references, strict=True)):
        if not _is_text(prediction):
            problems.append(_no_text(f"prediction {number}", prediction))
        if not isinstance(texts, Sequence) or not texts:
            problems.append(f"prediction {number}: no references; expected at least one text")
            continue
        problems += [
            _no_text(f"reference {k} of prediction {number}", text)
            for k, text in enumerate(texts)
            if not _is_text(text)
        ]
    if problems:
        raise InputError(problems)


def _check_elements(options: Options, portions: Iterable[ListPortion]) -> None:
    """Refuse lines that are no Basic Elements, and metrics that do not read them."""
    if options.metric_families != ("BE",):
        raise InputError(
            "basic_elements reads texts of Basic Elements, but metrics on words are asked for too; "
            "expected either"
        )
    problems: list[str] = []
    for portion in portions:
        for block in portion.blocks():
            for text, content in enumerate(block.texts):
                problems += element_problems(content, block.describe(text))
    if problems:
        raise InputError(problems)


def _is_text(text: object) -> bool:
    """Return whether `text` is one: a string or a sequence of strings."""
    if isinstance(text, str | bytes):
        return True
    return isinstance(text, Sequence) and all(isinstance(part, str | bytes) for part in text)


def _no_text(name: str, found: object) -> str:
    """Say that something is no text."""
    return (
        f"{name}: found {type(found).__name__}, expected a text: a string with a newline between "
        "sentences, or a list of sentences"
    )


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
