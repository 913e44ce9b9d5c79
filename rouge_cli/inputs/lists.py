"""Texts that come as Python lists, as `rouge_cli.evaluate` takes them.

Messages name a text by its number, from 0 as Python counts.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import chain
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.core import compiled_core
from rouge_cli.errors import InputError, Problems
from rouge_cli.escapes import escaped
from rouge_cli.inputs.corpus import Corpus, ends_of, ranges
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM, NumberedIds
from rouge_cli.inputs.formats import element_problems
from rouge_cli.inputs.sentences import Splitter, sentence_splitter
from rouge_cli.inputs.source import GivenTexts, Source, Text
from rouge_cli.inputs.texts import OrderedTexts, Reading, Texts, as_range, taken
from rouge_cli.options.inputs import LISTS, InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import HeldTexts, encoded

FEW_TEXTS = 2
"""Texts of a lone pair, which is scored by itself; so few are soon encoded."""


class TextLists:
    """The layout of texts from Python."""

    kind = "lists of texts"
    takes_config = False
    takes_files = False
    selector = None
    options = InputOptions.of_layout(LISTS)
    has_elements = True

    def claims(self, source: Source, inputs: InputOptions) -> bool:
        """Claim texts from Python."""
        return source.texts is not None

    @contextmanager
    def open(
        self, source: Source, inputs: InputOptions, metrics: MetricOptions
    ) -> Iterator[Corpus]:
        """Check the lists; raises InputError with the number of each text that cannot be used."""
        texts = source.texts or GivenTexts((), ())
        yield list_corpus(texts, sentence_splitter(inputs.sentences), metrics)


@dataclass(frozen=True, slots=True, eq=False)
class ListTexts(Texts):
    """Predictions and references.

    Parameters
    ----------
    ordered : OrderedTexts
        The references of the first EVAL, its predictions system by system, those of the next EVAL,
        and so on.
    firsts : ndarray of int64, shape (n_evals + 1,)
        The first text of each EVAL, and behind them how many there are.
    n_systems : int
        How many predictions each EVAL has.
    systems : sequence of str
        For messages; empty for a single system without a name.
    numbers : range or ndarray of int64, shape (n_texts,)
        Which texts these are: all, or the part of a portion.
    first_eval : int
        The number of the first EVAL.
    """

    ordered: OrderedTexts
    firsts: NDArray[np.int64]
    n_systems: int
    systems: Sequence[str]
    numbers: range | NDArray[np.int64]
    first_eval: int = 0

    def __reduce__(self) -> tuple[type["ListTexts"], tuple[Any, ...]]:
        """Pickle the EVALs that the texts are of, without what the core knows."""
        numbers = np.asarray(self.numbers)
        first, last = self._row(int(numbers.min())), self._row(int(numbers.max()))
        firsts = self.firsts[first : last + 2]
        texts = slice(int(firsts[0]), int(firsts[-1]))
        ordered = OrderedTexts(
            self.ordered.texts[texts],
            self.ordered.n_models[first : last + 1],
            self.ordered.lengths[texts],
        )
        shifted, first_eval = numbers - firsts[0], self.first_eval + first
        fields = ordered, firsts - firsts[0], self.n_systems, self.systems, shifted, first_eval
        return type(self), fields

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.numbers)

    def read(self, numbers: Sequence[int]) -> Iterator[Reading]:
        """Return all at once: they are held already."""
        wanted = self._wanted(numbers)
        if isinstance(wanted, range) and len(wanted) > FEW_TEXTS and self.ordered.held is not None:
            yield self._held(wanted)
        else:
            yield Reading(_all_normalised(taken(self.ordered.texts, wanted)))

    def _wanted(self, numbers: Sequence[int]) -> Sequence[int]:
        """Return what numbers of these texts are as numbers of all."""
        wanted = self.numbers
        if isinstance(wanted, range) and isinstance(numbers, range):
            return wanted[numbers.start : numbers.stop]
        return [int(wanted[number]) for number in numbers]

    def _held(self, numbers: range) -> Reading:
        """Return texts as the core reads them; those that are not ASCII are encoded now."""
        texts, _, lengths, held, are_encoded = self.ordered
        first, n_texts = numbers.start, len(numbers)
        lengths = lengths[first : numbers.stop]
        if not are_encoded:
            held, n_bytes = compiled_core().encode_texts(held, first, n_texts)
            first, lengths = 0, np.frombuffer(n_bytes, np.int64)
        return Reading(HeldTexts(texts, numbers, (held, first, n_texts)), lengths=lengths)

    def _row(self, number: int) -> int:
        """Return the row of the EVAL that text `number` of all is of."""
        return int(np.searchsorted(self.firsts, number, "right")) - 1

    def _name(self, number: int, systems: Sequence[str] = ()) -> str:
        """Name a text by its number; a prediction perhaps with its system."""
        number = int(self.numbers[number])
        row = self._row(number)
        model, prediction = number - int(self.firsts[row]), self.first_eval + row
        system = number - (int(self.firsts[row + 1]) - self.n_systems)
        if system < 0:
            return _reference_name(prediction, model)
        return _prediction_name(prediction, systems[system] if systems else None)

    def place(self, number: int) -> str:
        """Return the number of the prediction or the reference."""
        return self._name(number)

    def describe(self, number: int, eval_id: str) -> str:
        """Name a text, with its system if there are several; the EVAL says nothing more."""
        return self._name(number, self.systems)

    def sizes(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return about how many bytes they have: characters, which are fewer in most scripts."""
        of_all = self.numbers
        if isinstance(of_all, range):
            return self.ordered.lengths[numbers + of_all.start]
        return self.ordered.lengths[of_all[numbers]]

    def part(self, numbers: NDArray[np.int64]) -> "ListTexts":
        """Return some of them."""
        span = as_range(numbers)
        if span is not None and isinstance(self.numbers, range):
            # Most portions: nothing is copied.
            return replace(self, numbers=self.numbers[span.start : span.stop])
        return replace(self, numbers=np.asarray(self.numbers)[numbers])


def _prediction_name(number: int, system: str | None = None) -> str:
    """Name a prediction in a message."""
    return f"prediction {number}" + ("" if system is None else f" of {escaped(system)}")


def _reference_name(number: int, model: int) -> str:
    """Name a reference in a message."""
    return f"reference {model} of prediction {number}"


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
    if isinstance(text, str | bytes):
        return encoded(text)
    return b"\n".join([_normalised(sentence).replace(b"\n", b" ") for sentence in text])


def list_corpus(texts: GivenTexts, split: Splitter | None, metrics: MetricOptions) -> Corpus:
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
    systems = tuple(by_system) if has_names else ()
    ordered, has_lists = texts.ordered, False
    if ordered is None:
        lists = [list(texts) for texts in by_system.values()]
        ordered = ordered_texts(lists, list(references))
        if ordered is None:
            ordered, has_lists = _ordered_lists(lists, references, systems)
    if split is not None:
        ordered = ordered._replace(texts=_split(ordered.texts, split), held=None)
    corpus = _corpus(tuple(by_system), ordered, has_names=has_names, has_lists=has_lists)
    if metrics.basic_elements is not None:
        _check_elements(metrics, corpus)
    return corpus


def _corpus(
    systems: tuple[str, ...], ordered: OrderedTexts, *, has_names: bool, has_lists: bool
) -> Corpus:
    """Return checked texts as a corpus: the EVALs 1, 2 and so on, each with every system."""
    n_models = ordered.n_models
    n_systems, n_evals = len(systems), n_models.size
    firsts = ends_of(n_models + n_systems)
    first_peers = firsts[:-1] + n_models
    names, all_texts = systems if has_names else (), range(len(ordered.texts))
    return Corpus(
        "lists",
        systems,
        NumberedIds(np.arange(1, n_evals + 1)),
        {system: first_peers + rank for rank, system in enumerate(systems)},
        n_models,
        ranges(firsts[:-1], n_models),
        ListTexts(ordered, firsts, n_systems, names, all_texts),
        has_lists=has_lists,
    )


def ordered_texts(predictions: Sequence[list[Any]], references: list[Any]) -> OrderedTexts | None:
    """Check and put in order texts as `order_texts` does, with the core if there is one."""
    if (core := compiled_core()) is None:
        return order_texts(predictions, references)
    ordered = core.order_texts(tuple(predictions), references)
    if ordered is None:
        return None
    texts, n_models, lengths, *held = ordered
    models, characters = np.frombuffer(n_models, np.int64), np.frombuffer(lengths, np.int64)
    return OrderedTexts(texts, models, characters, *held)


def order_texts(predictions: Sequence[list[Any]], references: list[Any]) -> OrderedTexts | None:
    """Put the texts of each EVAL side by side: the references, and those of all systems.

    None if something is neither a string nor bytes, lists differ in length, or there is an EVAL
    without references or no EVAL at all: the common case is told from all others without a Python
    loop.
    """
    n_of_each = set(map(len, predictions))
    kinds = set(map(type, references))
    if n_of_each != {len(references)} or not references or not kinds <= {str, bytes, list, tuple}:
        return None
    by_eval = _lists_of_references(references)
    texts = chain(*predictions, chain.from_iterable(by_eval))
    if not all(by_eval) or not set(map(type, texts)) <= {str, bytes}:
        return None
    return _eval_by_eval(predictions, by_eval, len)


def _ordered_lists(
    predictions: Sequence[Sequence[Any]], references: Iterable[Any], systems: Sequence[str]
) -> tuple[OrderedTexts, bool]:
    """Put texts of any kind in order, and say whether some are lists; raises InputError."""
    by_eval = _lists_of_references(references)
    has_lists = _check_lists(predictions, by_eval, systems)
    return _eval_by_eval(predictions, by_eval, _size), has_lists


def _eval_by_eval(
    predictions: Sequence[Sequence[Text]],
    references: Sequence[Sequence[Text]],
    length: Callable[[Any], int],
) -> OrderedTexts:
    """Return the references of each EVAL, and behind them its predictions.

    In this order blocks read them, so that nothing has to be sorted.
    """
    n_models = np.fromiter(map(len, references), np.int64, len(references))
    texts = _in_order(predictions, references, n_models)
    return OrderedTexts(texts, n_models, np.fromiter(map(length, texts), np.int64, len(texts)))


def _in_order(
    predictions: Sequence[Sequence[Text]],
    references: Sequence[Sequence[Text]],
    n_models: NDArray[np.int64],
) -> list[Text]:
    """Return the texts of `_eval_by_eval`."""
    n_of_each = int(n_models[0]) if n_models.size else 0
    if not (n_models == n_of_each).all():
        of_evals = zip(references, zip(*predictions, strict=True), strict=True)
        return list(chain.from_iterable(chain(*texts) for texts in of_evals))
    # A fifth of the time of the line above.
    columns = [*(map(itemgetter(k), references) for k in range(n_of_each)), *predictions]
    in_order: list[Text] = [""] * (len(columns) * n_models.size)
    for k, column in enumerate(columns):
        in_order[k :: len(columns)] = column
    return in_order


def _lists_of_references(references: Iterable[Any]) -> list[Any]:
    """Return the references of each EVAL as a list, of a lone one too."""
    of_evals = list(references)
    kinds = set(map(type, of_evals))
    # The common cases, made without a Python loop.
    if kinds <= {str, bytes}:
        return list(zip(of_evals))
    if kinds <= {list, tuple}:
        return of_evals
    return [[texts] if isinstance(texts, str | bytes) else texts for texts in of_evals]


def _split(texts: Sequence[Text], split: Splitter) -> list[Text]:
    """Split texts into sentences; those that are lists of sentences stay."""
    return [split(encoded(text)) if isinstance(text, str | bytes) else text for text in texts]


def _check_lists(
    predictions: Sequence[Sequence[object]],
    references: Sequence[Sequence[object]],
    systems: Sequence[str],
) -> bool:
    """Refuse lists of unequal lengths, predictions without references, and values of other types.

    Returns whether some text is a list of its sentences.
    """
    for number, texts in enumerate(predictions):
        if len(texts) != len(references):
            of_system = f" of {escaped(systems[number])}" if systems else ""
            raise InputError(
                f"{len(texts)} predictions{of_system} but {len(references)} lists of references; "
                "expected one list of references for each prediction"
            )
    problems = Problems()
    names = systems or (None,)
    for system, texts in zip(names, predictions, strict=True):
        for number, text in enumerate(texts):
            if not _is_text(text):
                problems.add(_prediction_name(number, system), _no_text(text))
    for number, texts in enumerate(references):
        if not isinstance(texts, Sequence) or not texts:
            problems.add(_prediction_name(number), "no references; expected at least one text")
            continue
        for model, text in enumerate(texts):
            if not _is_text(text):
                problems.add(_reference_name(number, model), _no_text(text))
    problems.raise_any()
    kinds = set(map(type, chain(*predictions, chain.from_iterable(references))))
    return not all(issubclass(kind, str | bytes) for kind in kinds)


def _is_text(text: object) -> bool:
    """Return whether `text` is one: a string or a sequence of strings."""
    if isinstance(text, str | bytes):
        return True
    return isinstance(text, Sequence) and all(isinstance(part, str | bytes) for part in text)


def _no_text(value: object) -> str:
    """Say that something is not a text."""
    return (
        f"found {type(value).__name__}, expected a text: a string with a newline between "
        "sentences, or a list of sentences"
    )


def _check_elements(metrics: MetricOptions, corpus: Corpus) -> None:
    """Refuse lines that are not Basic Elements, and metrics that do not read them."""
    if not metrics.reads_only_elements:
        raise InputError(
            "basic_elements reads texts of Basic Elements, but metrics on words are asked for too; "
            "expected either"
        )
    problems = Problems()
    for portion in corpus.portions():
        for block in portion.blocks():
            for text, content in enumerate(block.texts):
                for line, problem in element_problems(content, block.describe(text)):
                    problems.add(line, problem)
    problems.raise_any()
