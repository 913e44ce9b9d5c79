"""Texts in Python's lists, as `rouge_cli.evaluate` takes them.

Messages name a text by its number, from 0 as Python counts.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from rouge_cli.errors import InputError, Problems
from rouge_cli.escapes import escaped
from rouge_cli.inputs.batch import Batch, BatchMaker
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM, NumberedIds
from rouge_cli.inputs.index import Index, Input, Layout
from rouge_cli.inputs.sentences import Splitter, element_problems, sentence_splitter
from rouge_cli.inputs.source import GivenTexts, Source, Text
from rouge_cli.options.inputs import LISTS, STRINGS, InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.text.columns import encoded

EVALS_AT_A_TIME = 256


class TextLists(Layout):
    """The layout of texts from Python."""

    kind = "lists of texts"
    options = InputOptions.of_layout(LISTS)
    has_elements = True

    def claims(self, source: Source, inputs: InputOptions) -> bool:
        """Claim texts from Python."""
        return source.texts is not None

    def open(self, source: Source, inputs: InputOptions, metrics: MetricOptions) -> Input:
        """Check the lists; raises InputError with the number of each text that cannot be used."""
        texts = source.texts or GivenTexts((), ())
        return ListInput(texts, sentence_splitter(inputs.sentences), metrics)


class TypedTexts(Layout):
    """The layout of a text and its references on the command line."""

    kind = "--text"
    selector = "text"
    options = InputOptions.of_layout(STRINGS)

    def open(self, source: Source, inputs: InputOptions, metrics: MetricOptions) -> Input:
        """Return one EVAL."""
        texts = GivenTexts([inputs.text or ""], [inputs.reference])
        return ListInput(texts, sentence_splitter(inputs.sentences), metrics)


class ListInput(Input):
    """Checked lists; raises InputError with the number of each text that cannot be used."""

    names_evals = False

    def __init__(self, texts: GivenTexts, split: Splitter | None, metrics: MetricOptions) -> None:
        predictions, references = texts.predictions, texts.references
        has_names = isinstance(predictions, Mapping)
        by_system = (
            predictions if isinstance(predictions, Mapping) else {DEFAULT_SYSTEM: predictions}
        )
        if isinstance(references, str | bytes) or any(
            isinstance(of_system, str | bytes) for of_system in by_system.values()
        ):
            raise InputError(
                "found one string; expected a list of predictions and a list of references"
            )
        if not by_system:
            raise InputError("no systems; expected a list of predictions for each system")
        order = tuple(by_system)
        super().__init__(Index("lists", order=order))
        self._names = order if has_names else ()
        self._predictions = [list(of_system) for of_system in by_system.values()]
        self._references = _lists_of_references(references)
        self.index.n_expected = len(self._references) * len(order)
        self._split = split
        self._has_lists = _check_lists(self._predictions, self._references, self._names)
        self._reads_elements = metrics.basic_elements is not None
        if self._reads_elements and not metrics.reads_only_elements:
            raise InputError(
                "basic_elements reads texts of Basic Elements, but metrics on words are asked for "
                "too; expected either"
            )

    def read(self, index: Index) -> Iterator[Batch]:
        """Read some EVALs after the others."""
        index.systems, index.order = list(self.index.order), self.index.order
        n_evals = len(self._references)
        index.eval_ids = NumberedIds(np.arange(1, n_evals + 1))
        index.has_lists = self._has_lists
        has_keys = len(index.order) > 1
        maker = BatchMaker(names_evals=self.names_evals, has_keys=has_keys)
        problems = Problems()
        systems = range(len(index.order))
        n_models: list[int] = []
        first = 0
        for start in range(0, n_evals, EVALS_AT_A_TIME):
            rows = range(start, min(start + EVALS_AT_A_TIME, n_evals))
            span = slice(rows.start, rows.stop)
            peers = [self._texts(of_system[span]) for of_system in self._predictions]
            references = self._references[span]
            counts = list(map(len, references))
            models = self._texts(list(chain.from_iterable(references)))
            eval_ids = list(index.eval_ids[span])
            if len(set(counts)) == 1:
                columns = [models[rank :: counts[0]] for rank in range(counts[0])]
                maker.add_many(start, eval_ids, columns, peers)
            else:
                in_order = iter(models)
                for row, eval_id, count, *of_eval in zip(
                    rows, eval_ids, counts, *peers, strict=True
                ):
                    models = [next(in_order) for _ in range(count)]
                    maker.add(row, eval_id, models, systems, of_eval)
            n_models += counts
            if maker.is_full or rows.stop == n_evals:
                batch = maker.take(partial(_place, self._names, first, n_models))
                first, n_models = rows.stop, []
                for text, content in enumerate(batch.texts if self._reads_elements else ()):
                    for line, problem in element_problems(content, batch.describe(text)):
                        problems.add(line, problem)
                if not problems:
                    yield batch
        problems.raise_any()

    def _texts(self, texts: Sequence[Any]) -> list[bytes]:
        if self._split is not None:
            split = self._split
            texts = [split(encoded(x)) if isinstance(x, str | bytes) else x for x in texts]
        try:
            # The common case: strings, and no half of a surrogate pair in them.
            return list(map(str.encode, texts))
        except (TypeError, UnicodeEncodeError):
            return list(map(_normalised, texts))


def _place(
    systems: Sequence[str], first: int, n_models: Sequence[int], group: int, rank: int
) -> str:
    """Name a text; see `rouge_cli.inputs.batch.Places`."""
    if rank < n_models[group]:
        return _reference_name(first + group, rank)
    system = systems[rank - n_models[group]] if systems else None
    return _prediction_name(first + group, system)


def _prediction_name(number: int, system: str | None = None) -> str:
    return f"prediction {number}" + ("" if system is None else f" of {escaped(system)}")


def _reference_name(number: int, model: int) -> str:
    return f"reference {model} of prediction {number}"


def _normalised(text: Text) -> bytes:
    if isinstance(text, str | bytes):
        return encoded(text)
    return b"\n".join([_normalised(sentence).replace(b"\n", b" ") for sentence in text])


def _lists_of_references(references: Iterable[Any]) -> list[Any]:
    of_evals = list(references)
    kinds = set(map(type, of_evals))
    # The common cases, without a Python loop.
    if kinds <= {str, bytes}:
        return list(zip(of_evals))
    if kinds <= {list, tuple}:
        return of_evals
    return [[texts] if isinstance(texts, str | bytes) else texts for texts in of_evals]


def _check_lists(
    predictions: Sequence[Sequence[object]],
    references: Sequence[Sequence[object]],
    systems: Sequence[str],
) -> bool:
    """Refuse unsuitable lists; return whether some text is a list of its sentences."""
    for number, texts in enumerate(predictions):
        if len(texts) != len(references):
            of_system = f" of {escaped(systems[number])}" if systems else ""
            raise InputError(
                f"{len(texts)} predictions{of_system} but {len(references)} lists of references; "
                "expected one list of references for each prediction"
            )
    kinds = set(map(type, references))
    if kinds <= {list, tuple} and all(references):
        kinds = set(map(type, chain(*predictions, chain.from_iterable(references))))
        if kinds <= {str, bytes}:
            return False
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
    if isinstance(text, str | bytes):
        return True
    return isinstance(text, Sequence) and all(isinstance(part, str | bytes) for part in text)


def _no_text(value: object) -> str:
    return (
        f"found {type(value).__name__}, expected a text: a string with a newline between "
        "sentences, or a list of sentences"
    )
