"""The layout of texts that come as Python lists, as `rouge_cli.evaluate` takes them."""

from collections.abc import Iterator
from contextlib import contextmanager

from rouge_cli.inputs.corpus import Corpus
from rouge_cli.inputs.sentences import sentence_splitter
from rouge_cli.inputs.source import GivenTexts, Source
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions

__all__ = ["TextLists"]


class TextLists:
    """The layout of texts from Python."""

    kind = "lists of texts"
    takes_config = False
    takes_files = False
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
        from rouge_cli.inputs.list_corpus import list_corpus

        texts = source.texts or GivenTexts((), ())
        yield list_corpus(texts, sentence_splitter(inputs.sentences), metrics)
