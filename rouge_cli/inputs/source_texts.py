"""The texts of a corpus, EVAL by EVAL, as they are scored."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rouge_cli.inputs.corpus import Corpus, EvaluationCorpus
from rouge_cli.inputs.evaluation import Evaluation
from rouge_cli.inputs.text_reader import TextReader

__all__ = ["EvalTexts", "SourceReader", "scored_evaluations"]


@dataclass(frozen=True, slots=True)
class EvalTexts:
    """The texts of one EVAL.

    Parameters
    ----------
    evaluation : Evaluation
    peers : mapping of str to bytes
        Of the systems to score that have a peer here, in the order of print; normalised, or
        lines of Basic Elements.
    models : tuple of bytes
    """

    evaluation: Evaluation
    peers: Mapping[str, bytes]
    models: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class SourceReader:
    """Reads the texts of a corpus.

    Parameters
    ----------
    systems : tuple of str
        The systems to score.
    reader : TextReader
    """

    systems: tuple[str, ...]
    reader: TextReader

    @classmethod
    def of(cls, corpus: Corpus) -> "SourceReader":
        """Return the reader of a corpus."""
        reader = corpus.reader if isinstance(corpus, EvaluationCorpus) else TextReader()
        return cls(corpus.systems, reader)

    def read(self, evaluation: Evaluation) -> EvalTexts:
        """Read the texts of an EVAL; raises InputError."""
        peers = {
            system: self.reader.read(evaluation, evaluation.peers[system])
            for system in self.systems
            if system in evaluation.peers
        }
        models = tuple([self.reader.read(evaluation, source) for source in evaluation.models])
        return EvalTexts(evaluation, peers, models)


def scored_evaluations(corpus: Corpus) -> Iterator[Evaluation]:
    """Yield the EVALs in which one of the systems to score has a peer; raises InputError."""
    systems = frozenset(corpus.systems)
    for evaluation in corpus.evaluations():
        if not systems.isdisjoint(evaluation.peers):
            yield evaluation
