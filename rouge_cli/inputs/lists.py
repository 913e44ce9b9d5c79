"""The layout of texts that come as Python lists, as `rouge_cli.evaluate` takes them."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain

from rouge_cli.errors import InputError, Problems
from rouge_cli.inputs.corpus import Corpus
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM
from rouge_cli.inputs.formats import element_problems
from rouge_cli.inputs.list_corpus import ListCorpus, prediction_name, reference_name
from rouge_cli.inputs.sentences import Splitter, sentence_splitter
from rouge_cli.inputs.source import GivenTexts, Source, Text
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions

__all__ = ["TextLists"]


class TextLists:
    """The layout of texts from Python."""

    kind = "lists of texts"
    takes_config = False
    selector = None
    options = frozenset({"sentences"})
    has_elements = True

    def claims(self, source: Source, inputs: InputOptions) -> bool:
        """Claim texts that are given."""
        return source.texts is not None

    @contextmanager
    def open(
        self, source: Source, inputs: InputOptions, metrics: MetricOptions
    ) -> Iterator[Corpus]:
        """Check the lists; raises InputError with the number of each text that cannot be used."""
        split = sentence_splitter(inputs.sentences)
        corpus = _list_corpus(source.texts or GivenTexts((), ()), split)
        if metrics.basic_elements is not None:
            _check_elements(metrics, corpus)
        yield corpus


def _list_corpus(texts: GivenTexts, split: Splitter | None) -> ListCorpus:
    """Check lists of texts, split those that are strings, and return all as a corpus."""
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
    by_eval = [[texts] if isinstance(texts, str | bytes) else texts for texts in references]
    lists = [list(texts) for texts in by_system.values()]
    _check_lists(lists, by_eval, tuple(by_system) if has_names else ())
    if split is not None:
        lists = [_split(texts, split) for texts in lists]
        by_eval = [_split(texts, split) for texts in by_eval]
    return ListCorpus(tuple(by_system), lists, by_eval, has_names)


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
) -> None:
    """Refuse lists of different lengths, predictions without references, and what is no text."""
    for number, texts in enumerate(predictions):
        if len(texts) != len(references):
            of_system = f" of {systems[number]}" if systems else ""
            raise InputError(
                f"{len(texts)} predictions{of_system} but {len(references)} lists of references; "
                "expected one list of references for each prediction"
            )
    # The common case, checked without a Python loop over the texts.
    is_plain = set(map(type, references)) <= {list, tuple} and all(references)
    if is_plain and set(map(type, chain(*predictions, *references))) <= {str, bytes}:
        return
    problems = Problems()
    for system, texts in enumerate(predictions):
        for place, text in enumerate(texts):
            if not _is_text(text):
                problems.add(prediction_name(place, systems, system), _no_text(text))
    for place, texts in enumerate(references):
        if not isinstance(texts, Sequence) or not texts:
            problems.add(f"prediction {place}", "no references; expected at least one text")
            continue
        for model, text in enumerate(texts):
            if not _is_text(text):
                problems.add(reference_name(place, model), _no_text(text))
    problems.raise_any()


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
    problems: list[str] = []
    for portion in corpus.portions():
        for block in portion.blocks():
            for text, content in enumerate(block.texts):
                problems += element_problems(content, block.describe(text))
    if problems:
        raise InputError(problems)
